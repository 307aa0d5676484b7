#!/bin/bash
# examples/brake-reuss against Tables 1 and 2 of the document and closed forms of beams. To be quick, the
# bricks have 8 nodes instead of the example's 20, and torsion is then 2.6 % stiffer; the monolithic beam has 20.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
example=$source_dir/examples/brake-reuss
# What MPI keeps until the end is not ours to free.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
source "$source_dir/tests/cli/checks.sh"

run() { # FILE OUT ELEMENT OPTIONS
  local file=$1 out=$2
  sed "s/hex20/$3/" "$example/$file.yaml" >"$file.yaml"
  shift 3
  report "$out: runs" "$("$microslip" run "$file.yaml" --out "$out" "$@" 2>error >/dev/null || cat error)"
}
# Frequency of the NUMBER-th mode of a FAMILY, Hz.
f() { jq -r --arg family "$2" ".analyses[0].families[] | select(.family == \$family and .number == $3) | .f_0" "$1/summary.json"; }
ratio() { awk -v v="$1" -v r="$2" 'BEGIN { print v/r }'; }
modes='analyses=[{modes: {full: 0}}]'

# ---- monolithic: closed forms, then Table 1 ----
run monolithic solid hex20 --set "$modes" --set 'structure.fe.parts.beam.block.elements=[36, 4, 4]'
same "six rigid-body modes" "$(jq -c '[.analyses[0].families[] | select(.family == "rigid")] | length' solid/summary.json)" 6
# The bar: c/2L. Saint-Venant's torsion of a square: J = 0.140577 a^4, polar moment a^4/6.
near "axial 1" "$(f solid axial 1)" "$(awk 'BEGIN { printf "%.8g", sqrt(200e9/7850)/1.44 }')" 1e-3
near "torsion 1" "$(f solid torsion 1)" "$(awk 'BEGIN { printf "%.8g", sqrt(200e9/2.58/7850*0.140577*6)/1.44 }')" 2e-3
# Euler and Bernoulli, (4.730041/L)^2 sqrt(E I/rho A)/2 pi; shear and rotary inertia take 0.4 %.
near "bending 1" "$(f solid 'bending z' 1)" "$(awk 'BEGIN { printf "%.8g", 4.730041^2/0.72^2*sqrt(200e9/7850/12)*0.025/8/atan2(1, 1)*(1 - 0.004) }')" 1e-3
table=(251.4 687.4 1333.1 2172.1 3196.4 4385.4)
for i in 0 1 2 3 4 5; do
  near "monolithic: bending z $((i + 1)), Table 1" "$(f solid 'bending z' $((i + 1)))" "${table[$i]}" 0.015
  near "monolithic: bending y is the same" "$(f solid 'bending y' $((i + 1)))" "$(f solid 'bending z' $((i + 1)))" 5e-4
done
near "monolithic: torsion 1, Table 1" "$(f solid torsion 1)" 2053.1 0.025
near "monolithic: torsion 2, Table 1" "$(f solid torsion 2)" 4093.0 0.025

# ---- holes, then bolts in them ----
run monolithic whole hex8 --set "$modes"
# A hole along z takes from the beam's height where it bends in y, in the middle of it, next to nothing,
# and where it bends in z a third of its width: odd bending modes, which bend in the middle, fall.
run holes holes hex8 --set "$modes"
within "holes: bending z 1, over monolithic" "$(ratio "$(f holes 'bending z' 1)" "$(f whole 'bending z' 1)")" 0.968 0.978
within "holes: bending y 1, over monolithic" "$(ratio "$(f holes 'bending y' 1)" "$(f whole 'bending y' 1)")" 1.003 1.009
within "holes: bending z 2, over monolithic" "$(ratio "$(f holes 'bending z' 2)" "$(f whole 'bending z' 2)")" 0.996 0.9995
within "holes: torsion 1, over monolithic" "$(ratio "$(f holes torsion 1)" "$(f whole torsion 1)")" 0.97 0.98
run bolted bolted hex8 --set "$modes"
table=(242.7 685.4 1290.9 2146.3 3118.2 4307.3)
for i in 0 1 2 3 4 5; do
  for y in y z; do
    near "bolted: bending $y $((i + 1)), Table 1" "$(f bolted "bending $y" $((i + 1)))" "${table[$i]}" 0.035
  done
done
near "bolted: torsion 1, Table 1" "$(f bolted torsion 1)" 2027.9 0.04
near "bolted: torsion 2, Table 1" "$(f bolted torsion 2)" 3778.5 0.035

# ---- the lap joint: Table 2 between the soft and the rigid ends of joints ----
run study soft hex8 --set 'analyses=[{modes: {full: 14}}, {stepped_sine: {load: {at: arm1.shaker.uz}, levels: [0.1, 0.5, 1, 2], modes: [7, 9, 11]}}, {frequency_response: {load: {at: arm1.shaker.uz}, levels: [0.1, 2], frequency: [165, 171], sensors: [arm2.corner.uz]}}]'
run study rigid hex8 --set "$modes" \
  --set 'structure.fe.spiders.lap={rbe2: rigid, patch: [39.9, 25], between: [lap1.top, lap2.bottom], at: [[320, 12.5], [360, 12.5], [400, 12.5]]}'
table=(181.2 605.0 1200 1738)
for i in 0 1 2 3; do
  within "jointed: bending z $((i + 1)) of Table 2, between the two" "${table[$i]}" "$(f soft 'bending z' $((i + 1)))" "$(f rigid 'bending z' $((i + 1)))"
done
within "jointed: torsion 1 of Table 2, between the two" 1680 "$(f soft torsion 1)" "$(f rigid torsion 1)"
near "jointed: bending z 1 as on the page" "$(f soft 'bending z' 1)" 165.2 0.03
near "jointed, rigid: bending z 1 as on the page" "$(f rigid 'bending z' 1)" 210.7 0.05
same "jointed: the reduced model beside the full one, within 1e-3" \
  "$(awk -F, 'NR > 1 && ($4 > 1e-3 || $4 < -1e-6) { print $1, $4 }' soft/tables/modes_full.csv | paste -sd' ')" ''

# ---- softening ----
at() { awk -F, -v m="$1" -v p="$2" 'NR > 1 && $1 == m && $2 == p { print $3/8/atan2(1, 1) }' soft/tables/stepped_sine.csv; }
shift_of() { awk -v a="$(at "$1" 0.1)" -v b="$(at "$1" 2)" 'BEGIN { print 100*(b/a - 1) }'; }
within "softening of bending z 1 from 0.1 to 2 N in per cent, -0.66 in Table 2" "$(shift_of 7)" -0.95 -0.65
within "softening of bending z 2, 0.00 in Table 2" "$(shift_of 9)" -0.06 -0.02
within "softening of bending z 3, -0.08 in Table 2" "$(shift_of 11)" -0.16 -0.09
report "frequencies fall from level to level" "$(awk -F, 'NR > 1 { if ($1 == m && $3 >= w) print; m = $1; w = $3 }' soft/tables/stepped_sine.csv)"
within "the smallest level is below the stuck mode" "$(ratio "$(at 7 0.1)" "$(f soft 'bending z' 1)")" 0.997 0.9999
peak() { awk -F, -v p="$1" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == "peak_omega") c = i } NR > 1 && $1 == p { print $c/8/atan2(1, 1) }' soft/tables/frequency_response_levels.csv; }
near "peak of the forced response at 0.1 N beside the tracked one" "$(peak 0.1)" "$(at 7 0.1)" 5e-4
near "peak of the forced response at 2 N beside the tracked one" "$(peak 2)" "$(at 7 2)" 1e-3

echo "1..$n_tests"
[[ $n_failed == 0 ]]
