#!/bin/bash
# update with finite elements: a beam's modulus, length and clamp found again from exact frequencies,
# which takes a mesh and a reduction for every evaluation; a clamp alone, which takes none; the same
# by two processes.
source "$(dirname "$0")/mpirun.sh"

value() { parameter "$1" "$2" value; } # TABLE PARAMETER
# beam E LENGTH CLAMP
beam() {
  cat <<END
microslip: 1
title: A beam in a clamp that turns
structure:
  fe:
    materials: {steel: {E: $1, nu: 0.29, rho: 7850}}
    parts:
      beam:
        block: {size: [$2, 0.031, 0.012], elements: [16, 2, 1]}
        material: steel
        points: {tip: [$2, 0, 0.012], mid: [$(awk "BEGIN { printf \"%.17g\", $2/2 }"), 0, 0.012]}
    spiders: {root: {rbe2: rigid, on: beam.left}}
  reduce: {craig_bampton: {modes: 8, keep: [root, beam.tip, beam.mid]}}
joints:
  clamp: {between: [root, ground], x: rigid, y: rigid, z: rigid, rx: rigid, ry: {law: linear, K: $3}, rz: {law: linear, K: 9.3e4}}
analyses:
END
}
{ beam 2.07e11 0.437 4310; echo '  - modes: {full: 0}'; } >truth.yaml
report "modes to be measured" "$(run_study truth)"
f=$(awk -F, 'NR > 1 && NR < 8 { printf "%s%s", (NR > 2 ? ", " : ""), $4 }' truth/tables/modes.csv)
{
  beam 1.95e11 0.45 7000
  cat <<END
  - update:
      parameters:
        structure.fe.materials.steel.E: [1.5e11, 2.5e11]
        joints.clamp.ry.K: [500, 50000]
        length:
          at: [structure.fe.parts.beam.block.size.0, structure.fe.parts.beam.points.tip.0, structure.fe.parts.beam.points.mid.0]
          bounds: [0.35, 0.55]
      measured: {frequencies: [$f]}
END
} >all.yaml
report "modulus, length and clamp" "$(run_study all)"
t=all/tables/update.csv
near "E" "$(value $t structure.fe.materials.steel.E)" 2.07e11 1e-6
near "length" "$(value $t length)" 0.437 1e-6
near "clamp" "$(value $t joints.clamp.ry.K)" 4310 1e-6
same "one start" "$(jq '.analyses[0].starts' all/summary.json)" 1
report "what is to be pasted is valid" "$(grep -q 'size: \[0.43[67]' all/report.html || echo 'no such line')"
# The modulus alone, so that it does not take long: processes wait for each other at every evaluation.
size=structure.fe.parts.beam
report "by two processes" "$(mpirun -n 2 "$microslip" run all.yaml --out two --set joints.clamp.ry.K=4310 --set $size.block.size.0=0.437 \
  --set $size.points.tip.0=0.437 --set $size.points.mid.0=0.2185 \
  --set 'analyses.0.update.parameters={structure.fe.materials.steel.E: [1.5e11, 2.5e11]}' >out 2>&1 || cat out)"
near "by two processes: E" "$(value two/tables/update.csv structure.fe.materials.steel.E)" 2.07e11 1e-6

# By shape, with a clamp so soft that the order of the first two modes is another one.
awk -F, -v want="beam.mid.uy beam.mid.uz beam.tip.uy beam.tip.uz" '
  FNR == NR { if (FNR > 1) f[$1] = $4; next }
  FNR > 1 { x[$1, $2] = $3 }
  END {
    n = split(want, name, " "); printf "f [Hz]"
    for (i = 1; i <= n; i++) printf ",%s", name[i]
    for (m = 1; m <= 3; m++) { printf "\n%s", f[m]; for (i = 1; i <= n; i++) printf ",%s", x[m, name[i]] }
    printf "\n" }' truth/tables/modes.csv truth/tables/modes_shapes.csv >measured.csv
{
  beam 2.07e11 0.437 1e5 | sed 's/K: 9.3e4/K: 230/'
  echo '  - update: {parameters: {joints.clamp.ry.K: [500, 1e6], joints.clamp.rz.K: [50, 1e6]}, measured: measured.csv, shape_deviation: 0.1}'
} >clamp.yaml
report "two clamps, by shape" "$(run_study clamp)"
near "clamp about y" "$(value clamp/tables/update.csv joints.clamp.ry.K)" 4310 1e-6
near "clamp about z" "$(value clamp/tables/update.csv joints.clamp.rz.K)" 9.3e4 1e-6
same "the modes were in another order" "$(cells clamp/tables/update_modes.csv 0 mode_start mode)" '2 1'
same "nothing was reduced again: eight starts" "$(jq '.analyses[0].starts' clamp/summary.json)" 8
sed 's/measured: measured.csv/measured: {frequencies: [30, 106], shapes: {beam.tip.uz: [1, 2], beam.top.uz: [1, 3]}}/' clamp.yaml >bad.yaml
refused_bad 'beam.top.uz'

# A chain, whose starts are shared by the processes: the same files.
awk '/^```yaml$/ { on = 1; next } /^```$/ { on = 0 } on' "$source_dir/docs/guide/updating.md" >chain.yaml
report "a chain" "$(run_study chain --threads 1)"
report "a chain by two processes" "$(mpirun -n 2 "$microslip" run chain.yaml --out shared --threads 1 >out 2>&1 || cat out)"
same "gives the same files" "$(diff -rq chain shared)" ''

finish
