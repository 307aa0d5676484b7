#!/bin/bash
# Modes of a clamped steel block beside CalculiX, on one mesh of hex20 (C3D20).
#   CCX=ccx tests/trials/compare/calculix.sh
. "$(dirname "$0")/common.sh"
ccx=${CCX:-ccx}
command -v "$ccx" >/dev/null || skip "$ccx is not installed"
"$microslip" run --help >/dev/null || exit 1

# A block of nx x ny x nz bricks, its nodes numbered along z, y, x on a grid of halves; C3D20 keeps those
# with at most one odd place.
mesh() {
  awk 'BEGIN { nx = 10; ny = 3; nz = 2; lx = 0.31; ly = 0.053; lz = 0.017
    q = 2
    print "*NODE, NSET=all"
    for (i = 0; i <= q*nx; i++) for (j = 0; j <= q*ny; j++) for (k = 0; k <= q*nz; k++) {
      if (i%2 + j%2 + k%2 > 1) continue
      printf "%d, %.12g, %.12g, %.12g\n", id(i, j, k), lx*i/(q*nx), ly*j/(q*ny), lz*k/(q*nz) }
    print "*ELEMENT, TYPE=C3D20, ELSET=block"
    split("0 0 0 2 0 0 2 2 0 0 2 0 0 0 2 2 0 2 2 2 2 0 2 2 1 0 0 2 1 0 1 2 0 0 1 0 1 0 2 2 1 2 1 2 2 0 1 2 0 0 1 2 0 1 2 2 1 0 2 1", p, " ")
    for (i = 0; i < nx; i++) for (j = 0; j < ny; j++) for (k = 0; k < nz; k++) {
      line = ++e
      for (m = 0; m < 20; m++) {
        line = line ", " id(q*i + p[3*m + 1]*q/2, q*j + p[3*m + 2]*q/2, q*k + p[3*m + 3]*q/2)
        if (m == 9) { print line ","; line = "" ; sub(/^, /, "", line) } }
      sub(/^, /, "", line); print line }
    print "*NSET, NSET=clamp"
    for (j = 0; j <= q*ny; j++) for (k = 0; k <= q*nz; k++) if (j%2 + k%2 < 2) print id(0, j, k) ","
  }
  function id(i, j, k) { return 1 + k + 10*j + 100*i }'
}

echo "CalculiX $("$ccx" -v | tr -dc '0-9.\n' | grep .)"
mesh >mesh.inp
cat mesh.inp - >job.inp <<'END'
*MATERIAL, NAME=steel
*ELASTIC
2.07e11, 0.29
*DENSITY
7810
*SOLID SECTION, ELSET=block, MATERIAL=steel
*BOUNDARY
clamp, 1, 3
*STEP
*FREQUENCY
6
*END STEP
END
cat >study.yaml <<'END'
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.07e11, nu: 0.29, rho: 7810}}
    mesh: mesh.inp
    parts: {block: {material: steel, points: {tip: [0.31, 0.053, 0.017]}}}
    fix: {clamp: all}
  reduce: {craig_bampton: {keep: [block.tip], modes: 12}}
analyses: [{modes: {full: 6}}]
END
"$ccx" -i job >ccx.txt 2>&1
"$microslip" run study.yaml --out out >ours.txt 2>&1 || { cat ours.txt; exit 1; }
awk '/E I G E N V A L U E   O U T P U T/ { on = 1 } on && NF >= 4 && $1 ~ /^[1-6]$/ { print $1, $3 }
  /P A R T I C I P/ { exit }' job.dat >theirs
while read -r mode omega; do # printed with seven digits
  compare "mode $mode, rad/s" "$(awk -F, -v r="$mode" 'NR == r + 1 { print $2 }' out/tables/modes_full.csv)" "$omega" 1e-6
done <theirs
[ -s theirs ] || { tail -n 5 ccx.txt; exit 1; }
finish
