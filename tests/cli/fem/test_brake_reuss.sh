#!/bin/bash
# examples/brake-reuss against Tables 1 and 2 of the document and closed forms of beams. To be quick, the
# bricks have 8 nodes instead of the example's 20, and torsion is then 2.6 % stiffer; the monolithic beam has 20.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/brake-reuss

run() { # FILE OUT ELEMENT OPTIONS
  local file=$1 out=$2
  sed "s/hex20/$3/" "$example/$file.yaml" >"$file.yaml"
  shift 3
  runs "$out: runs" "$file.yaml" "$out" "$@"
}
ratio() { awk -v v="$1" -v r="$2" 'BEGIN { print v/r }'; }
modes='analyses=[{modes: {full: 0}}]'

# ---- monolithic: closed forms, then Table 1 ----
run monolithic solid hex20 --set "$modes" --set 'structure.fe.parts.beam.block.elements=[36, 4, 4]'
same "six rigid-body modes" "$(jq -c '[.analyses[0].families[] | select(.family == "rigid")] | length' solid/summary.json)" 6
# The bar: c/2L. Saint-Venant's torsion of a square: J = 0.140577 a^4, polar moment a^4/6.
near "axial 1" "$(family solid axial 1)" "$(awk 'BEGIN { printf "%.8g", sqrt(200e9/7850)/1.44 }')" 1e-3
near "torsion 1" "$(family solid torsion 1)" "$(awk 'BEGIN { printf "%.8g", sqrt(200e9/2.58/7850*0.140577*6)/1.44 }')" 2e-3
# Euler and Bernoulli, (4.730041/L)^2 sqrt(E I/rho A)/2 pi; shear and rotary inertia take 0.4 %.
near "bending 1" "$(family solid 'bending z' 1)" "$(awk 'BEGIN { printf "%.8g", 4.730041^2/0.72^2*sqrt(200e9/7850/12)*0.025/8/atan2(1, 1)*(1 - 0.004) }')" 1e-3
table=(251.4 687.4 1333.1 2172.1 3196.4 4385.4)
for i in 0 1 2 3 4 5; do
  near "monolithic: bending z $((i + 1)), Table 1" "$(family solid 'bending z' $((i + 1)))" "${table[$i]}" 0.015
  near "monolithic: bending y is the same" "$(family solid 'bending y' $((i + 1)))" "$(family solid 'bending z' $((i + 1)))" 5e-4
done
near "monolithic: torsion 1, Table 1" "$(family solid torsion 1)" 2053.1 0.025
near "monolithic: torsion 2, Table 1" "$(family solid torsion 2)" 4093.0 0.025

# ---- holes, then bolts in them ----
run monolithic whole hex8 --set "$modes"
# A hole along z takes from the beam's height where it bends in y, in the middle of it, next to nothing,
# and where it bends in z a third of its width: odd bending modes, which bend in the middle, fall.
run holes holes hex8 --set "$modes"
within "holes: bending z 1, over monolithic" "$(ratio "$(family holes 'bending z' 1)" "$(family whole 'bending z' 1)")" 0.968 0.978
within "holes: bending y 1, over monolithic" "$(ratio "$(family holes 'bending y' 1)" "$(family whole 'bending y' 1)")" 1.003 1.009
within "holes: bending z 2, over monolithic" "$(ratio "$(family holes 'bending z' 2)" "$(family whole 'bending z' 2)")" 0.996 0.9995
within "holes: torsion 1, over monolithic" "$(ratio "$(family holes torsion 1)" "$(family whole torsion 1)")" 0.97 0.98
run bolted bolted hex8 --set "$modes"
table=(242.7 685.4 1290.9 2146.3 3118.2 4307.3)
for i in 0 1 2 3 4 5; do
  for y in y z; do
    near "bolted: bending $y $((i + 1)), Table 1" "$(family bolted "bending $y" $((i + 1)))" "${table[$i]}" 0.035
  done
done
near "bolted: torsion 1, Table 1" "$(family bolted torsion 1)" 2027.9 0.04
near "bolted: torsion 2, Table 1" "$(family bolted torsion 2)" 3778.5 0.035

# ---- the lap joint: Table 2 between the soft and the rigid ends of joints ----
run study soft hex8 --set 'analyses=[{modes: {full: 14}}, {stepped_sine: {load: {at: arm1.shaker.uz}, levels: [0.1, 0.5, 1, 2], modes: [7, 9, 11]}}, {frequency_response: {load: {at: arm1.shaker.uz}, levels: [0.1, 2], frequency: [165, 171], sensors: [arm2.corner.uz]}}]'
run study rigid hex8 --set "$modes" \
  --set 'structure.fe.spiders.lap={rbe2: rigid, patch: [39.9, 25], between: [lap1.top, lap2.bottom], at: [[320, 12.5], [360, 12.5], [400, 12.5]]}'
table=(181.2 605.0 1200 1738)
for i in 0 1 2 3; do
  within "jointed: bending z $((i + 1)) of Table 2, between the two" "${table[$i]}" "$(family soft 'bending z' $((i + 1)))" "$(family rigid 'bending z' $((i + 1)))"
done
within "jointed: torsion 1 of Table 2, between the two" 1680 "$(family soft torsion 1)" "$(family rigid torsion 1)"
near "jointed: bending z 1 as on the page" "$(family soft 'bending z' 1)" 165.2 0.03
near "jointed, rigid: bending z 1 as on the page" "$(family rigid 'bending z' 1)" 210.7 0.05
same "jointed: the reduced model beside the full one, within 1e-3" \
  "$(awk -F, 'NR > 1 && ($4 > 1e-3 || $4 < -1e-6) { print $1, $4 }' soft/tables/modes_full.csv | paste -sd' ')" ''

# ---- softening ----
at() { awk -F, -v m="$1" -v p="$2" 'NR > 1 && $1 == m && $2 == p { print $3/8/atan2(1, 1) }' soft/tables/stepped_sine.csv; }
shift_of() { awk -v a="$(at "$1" 0.1)" -v b="$(at "$1" 2)" 'BEGIN { print 100*(b/a - 1) }'; }
within "softening of bending z 1 from 0.1 to 2 N in per cent, -0.66 in Table 2" "$(shift_of 7)" -0.95 -0.65
within "softening of bending z 2, 0.00 in Table 2" "$(shift_of 9)" -0.06 -0.02
within "softening of bending z 3, -0.08 in Table 2" "$(shift_of 11)" -0.16 -0.09
report "frequencies fall from level to level" "$(awk -F, 'NR > 1 { if ($1 == m && $3 >= w) print; m = $1; w = $3 }' soft/tables/stepped_sine.csv)"
within "the smallest level is below the stuck mode" "$(ratio "$(at 7 0.1)" "$(family soft 'bending z' 1)")" 0.997 0.9999
peak() { awk -F, -v p="$1" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == "peak_omega") c = i } NR > 1 && $1 == p { print $c/8/atan2(1, 1) }' soft/tables/frequency_response_levels.csv; }
near "peak of the forced response at 0.1 N beside the tracked one" "$(peak 0.1)" "$(at 7 0.1)" 5e-4
near "peak of the forced response at 2 N beside the tracked one" "$(peak 2)" "$(at 7 2)" 1e-3

finish
