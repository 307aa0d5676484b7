#!/bin/bash
# The VTU file of a study opened by VTK's reader, the one of ParaView: every solid, several parts and
# modes. Runs where python3-vtk9 is installed.
source "$(dirname "$0")/../checks.sh"
/usr/bin/python3 -c 'import vtk' 2>/dev/null || skip "VTK's reader, which comes with Debian's python3-vtk9"

part() { # NAME ELEMENT X
  echo "      $1: {block: {size: [1.3, 0.7, 0.9], at: [$3, -0.1, 0.3], elements: [3, 2, 2]}, material: steel, element: $2, points: {tip: [$3, -0.1, 0.3]}}"
}
{
  printf 'microslip: 1\nstructure:\n  fe:\n    materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}\n    parts:\n'
  part a hex8 0
  part b hex20 2
  part c wedge6 4
  part d tet4 6
  part e tet10 8
  printf '    fix: {a.right: all, b.right: all, c.right: all, d.right: all, e.right: all}\n'
  printf '  reduce: {craig_bampton: {modes: 9, keep: ["*.tip"]}}\nanalyses: [{modes: {full: 0, vtu: [1, 3, 24]}}]\n'
} >study.yaml
runs "runs" study.yaml out
places=()
for name in "stuck 1" "slipped 3" "stuck 24"; do
  for x in 0 2 4 6 8; do places+=("$name" $x -0.1 0.3); done
done
report "VTK reads it" "$(/usr/bin/python3 "$source_dir/tests/cli/fem/read_vtu.py" out/modes.vtu "${places[@]}" >seen 2>error || cat error)"
same "without complaint" "$(cat error; grep complaints seen)" "complaints 0"
# 4 x 3 x 3 corners; hex20 has one more on each side, along x, y and z; tet10 all of a 7 x 5 x 5 grid.
sides=$((3 * 3 * 3 + 4 * 2 * 3 + 4 * 3 * 2))
same "points" "$(sed -n 's/points //p' seen)" $((36 * 4 + sides + 7 * 5 * 5))
same "cells: 12 bricks, twice, in two, in six, twice" "$(sed -n 's/cells //p' seen)" $((12 + 12 + 24 + 72 + 72))
for k in 0 1 2 3 4; do near "part $k: volume" "$(sed -n "s/volume $k //p" seen)" 0.819 1e-12; done
for k in 1 4; do
  report "part $k: nodes on sides are where VTK has them" "$(awk -v k=$k '$1 == "astray" && $2 == k { n++; if ($3 > 1e-12) print } END { if (n != 1) print "not seen" }' seen)"
done
# A corner that was kept: the field there and the shape in the table are the same numbers.
largest=$(awk -F, 'NR > 1 { a = $3 < 0 ? -$3 : $3; if (a > m) m = a } END { print m }' out/tables/modes_shapes.csv)
for name in stuck_1 slipped_3 stuck_24; do
  mode=${name#*_}
  worst=$(awk -F'[ ,]' -v name=$name -v mode="$mode" -v column="$([[ $name == stuck* ]] && echo 3 || echo 4)" '
    FNR == NR { if ($1 == mode) shape[$2] = $column; next }
    $1 == "value" && $2 == name { split("a b c d e", part); p = part[$3/2 + 1]
      for (c = 0; c < 3; c++) { s = shape[p ".tip." substr("uxuyuz", 2*c + 1, 2)]; d = s - $(6 + c); if (d < 0) d = -d; if (d > worst) worst = d
        n += s != "" } }
    END { print n == 15 ? worst + 0 : "nan" }' out/tables/modes_shapes.csv seen)
  report "$name at the corners beside modes_shapes.csv: $worst, tolerance 1e-12 of $largest" \
    "$(awk -v w="$worst" -v l="$largest" 'BEGIN { if (w == "nan" || !(w <= 1e-12*l)) print "too far" }')"
done

finish
