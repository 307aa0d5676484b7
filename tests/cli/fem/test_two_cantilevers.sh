#!/bin/bash
# examples/two-cantilevers against Tables 4 to 6 of the document, and with printed lengths and an ideal
# clamp against frequencies that were computed independently. The meshes are coarser than the example's:
# bricks twice as long, and one through the thickness.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/two-cantilevers

run() { # FILE OUT OPTIONS
  local file=$1 out=$2
  shift 2
  runs "$out: runs" "$example/$file.yaml" "$out" "$@"
}
# The document's average error: of |computed - measured|/measured, in per cent; pairs of numbers.
average() { echo "$@" | tr ' ' '\n' | awk 'NR % 2 { c = $1; next } { e = c/$1 - 1; s += e < 0 ? -e : e; n++ } END { print 100*s/n }'; }
modes='analyses=[{modes: {full: 10}}]'
ideal='{between: [ground, clamp], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}'

# ---- the document's own averages, from its columns ----
near "Table 4: 3.7 % in the document" "$(average 11.909 10.55 76.394 74.41 218.31 216.8 432.99 427.73 713.13 705.1)" 3.7 0.01
near "Table 5: 2.64 % in the document" "$(average 7.4264 7.41 46.660 45.9 130.96 127.92 257.28 250.4 426.56 412.7 639.47 615.6 897.17 860.5)" 2.64 0.01
near "Table 6: 5 % in the document" "$(average 16.180 14.844 49.799 45.51 94.684 90.04 154.53 148 242.40 223.24 317.72 313.085 \
  411.80 387 451.19 445 586.57 544.9 718.74 678.32 868.19 822.65 1031.8 1007 1164.5 1145.3)" 5 0.07

# ---- beam 2 as printed, ideally clamped: independent values ----
run beam2 printed --set "$modes" --set "joints.clamp=$ideal" \
  --set 'structure.fe.parts.beam.block={size: [572, 30, 3.5], elements: [57, 6, 1]}'
near "printed: bending z 1" "$(family printed 'bending z' 1)" 8.8393 3e-3
near "printed: bending z 2" "$(family printed 'bending z' 2)" 55.3822 3e-3
near "printed: bending z 3" "$(family printed 'bending z' 3)" 155.068 3e-3
near "printed: bending y 1" "$(family printed 'bending y' 1)" 75.3595 1e-3
near "printed: torsion 1" "$(family printed torsion 1)" 309.694 5e-3
within "printed, over APDL: bending z 1" "$(awk -v v="$(family printed 'bending z' 1)" 'BEGIN { print v/7.4264 }')" 1.17 1.20

# ---- beam 2 on its clamp: Table 5 ----
run beam2 beam2 --set "$modes" --set 'structure.fe.parts.beam.block.elements=[60, 6, 1]'
apdl=(7.4264 46.660 130.96 257.28 426.56 639.47 897.17)
measured=(7.41 45.9 127.92 250.4 412.7 615.6 860.5)
pairs=()
for i in 0 1 2 3 4 5 6; do
  value=$(family beam2 'bending z' $((i + 1)))
  near "beam 2: bending z $((i + 1)), APDL" "$value" "${apdl[$i]}" 0.025
  pairs+=("$value" "${measured[$i]}")
done
near "beam 2: bending y 1, APDL" "$(family beam2 'bending y' 1)" 69.952 0.025
near "beam 2: bending y 2, APDL" "$(family beam2 'bending y' 2)" 433.86 0.025
near "beam 2: torsion 1, APDL" "$(family beam2 torsion 1)" 279.50 0.02
near "beam 2: torsion 2, APDL" "$(family beam2 torsion 2)" 839.68 0.02
within "beam 2: average error, 2.64 % in the document" "$(average "${pairs[@]}")" 2.5 4

# ---- beam 1 with its bolts, the same clamp: Table 4 ----
run beam1 beam1 --set "$modes" --set 'structure.fe.parts.arm.block.elements=[43, 6, 1]' --set 'structure.fe.parts.lap.block.elements=[6, 6, 1]'
measured=(10.55 74.41 216.8 427.73 705.1)
apdl=(11.909 76.394 218.31 432.99 713.13)
pairs=()
for i in 0 1 2 3 4; do
  value=$(family beam1 'bending z' $((i + 1)))
  near "beam 1: bending z $((i + 1)), measured" "$value" "${measured[$i]}" 0.06
  near "beam 1: bending z $((i + 1)), APDL" "$value" "${apdl[$i]}" 0.07
  pairs+=("$value" "${measured[$i]}")
done
near "beam 1: bending y 1, APDL" "$(family beam1 'bending y' 1)" 117.00 0.09
near "beam 1: bending y 2, APDL" "$(family beam1 'bending y' 2)" 740.10 0.09
near "beam 1: torsion 1, APDL" "$(family beam1 torsion 1)" 369.63 0.09
within "beam 1: average error, 3.7 % in the document" "$(average "${pairs[@]}")" 1.5 3

# ---- the assembly: Table 6 ----
run study both --set "$modes" --set 'structure.fe.parts.arm1.block.elements=[43, 6, 1]' --set 'structure.fe.parts.arm2.block.elements=[57, 6, 1]' \
  --set 'structure.fe.parts.lap1.block.elements=[6, 6, 1]' --set 'structure.fe.parts.lap2.block.elements=[6, 6, 1]'
measured=(14.844 45.51 90.04 148 223.24 313.085 445 544.9 678.32 822.65 1007 1145.3)
pairs=("$(family both 'bending y' 2)" 387)
for i in "${!measured[@]}"; do
  value=$(family both 'bending z' $((i + 1)))
  near "both: bending z $((i + 1)), measured" "$value" "${measured[$i]}" 0.085
  pairs+=("$value" "${measured[$i]}")
done
near "both: bending y 2, measured" "$(family both 'bending y' 2)" 387 0.055
within "both: average error, 5 % in the document" "$(average "${pairs[@]}")" 2.5 4.2

for name in beam1 beam2 both; do
  same "$name: the reduced model beside the full one, within 1e-3" \
    "$(awk -F, 'NR > 1 && $1 <= 10 && ($4 > 1e-3 || $4 < -1e-6) { print $1, $4 }' "$name/tables/modes_full.csv" | paste -sd' ')" ''
done

finish
