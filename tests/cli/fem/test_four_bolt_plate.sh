#!/bin/bash
# examples/four-bolt-plate against the free square plate, against the same plates in one piece, and by
# symmetry: modes in which the plates move together slip, those against each other do not.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/four-bolt-plate/study.yaml

same "checked" "$("$microslip" check "$study")" "$study: valid; 104 degrees of freedom, 8 joints, 4 analyses"
runs "runs" "$study" out
keep out
omega() { jq -r "[.analyses[0].modes[].$2] | sort | .[$1 - 1]" out/summary.json; } # by rank

# ---- slipping: two plates on top of each other, each as if it were alone ----
# omega = lambda sqrt(D/(rho h))/a^2 of a thin free square plate, nu = 0.3; h/a is 1/32.
plate() { awk -v l="$1" 'BEGIN { h = 0.0047625; printf "%.8g", l*sqrt(200e9*h^3/12/(1 - 0.3^2)/(7850*h))/0.1524^2 }'; }
i=0
for lambda in 13.468 19.596 24.270 34.801 34.801 61.093 61.093; do
  i=$((i + 1))
  mode=$(cut -d' ' -f$i <<<'10 11 12 14 15 20 21')
  near "slipping, mode $mode: lambda = $lambda" "$(omega "$mode" omega_inf)" "$(plate $lambda)" 0.01
done
same "slipping: six rigid motions, and three of a plate along the other" "$(jq '[.analyses[0].modes[].omega_inf | select(. == 0)] | length' out/summary.json)" 9
same "stuck: six" "$(jq '[.analyses[0].modes[].omega_0 | select(. == 0)] | length' out/summary.json)" 6

# ---- symmetry ----
shape() { values out/tables/modes_shapes.csv stuck "$1" "$2"; } # MODE COORDINATE
alike() { # MODE FACTOR
  for point in centre corner edge; do
    local u l
    u=$(shape "$1" upper.plate.$point.uz)
    l=$(shape "$1" lower.plate.$point.uz)
    report "mode $1: lower $point is $2 times the upper, to 1e-7: $l, $u" "$(awk -v u="$u" -v l="$l" -v f="$2" 'BEGIN { e = l - f*u; if (!(u != "" && e*e < 1e-14)) print "difference " e }')"
  done
}
for m in 7 8 10; do alike $m 1; done
alike 9 -1
# Against each other they do not slide on the washers: stuck or slipping, it is the same mode.
for pair in '9 13' '13 16' '14 17' '15 18'; do
  read -r a b <<<"$pair"
  near "against each other: stuck $a, slipping $b" "$(omega "$a" omega_0)" "$(omega "$b" omega_inf)" 1e-9
done
# Turned by a right angle the plates are the same; only the sensors on two of four places differ.
for a in 11 13; do near "pair of modes $a and $((a + 1))" "$(omega $a omega_0)" "$(omega $((a + 1)) omega_0)" 1e-3; done

# ---- in one piece, with the full model ----
{
  sed -n '1,/^structure:/p' "$study"
  cat <<'Y'
  fe:
    materials: {steel: {E: 200e9, nu: 0.3, rho: 7850}}
    parts:
      upper: {block: {size: [0.1524, 0.1524, 0.0047625], at: [0, 0, 0.00079375], elements: [24, 24, 1]}, material: steel, points: {centre: [0.0762, 0.0762, 0.00555625], corner: [0, 0, 0.00555625], edge: [0.0762, 0, 0.00555625]}}
      lower: {block: {size: [0.1524, 0.1524, 0.0047625], at: [0, 0, -0.00555625], elements: [24, 24, 1]}, material: steel, points: {centre: [0.0762, 0.0762, -0.00555625], corner: [0, 0, -0.00555625], edge: [0.0762, 0, -0.00555625]}}
    spiders:
      bolt: {rbe3: area, patch: [0.0127, 0.0127], between: [upper.bottom, lower.top], at: [[0.01905, 0.01905, 0], [0.13335, 0.01905, 0], [0.13335, 0.13335, 0], [0.01905, 0.13335, 0]]}
  reduce: {craig_bampton: {modes: 50, keep: [bolt.*, upper.*, lower.*]}}
Y
  sed -n '/^  damping:/,/^analyses:/p' "$study" | sed '/between:/d'
  echo '  - modes: {full: 16}'
} >piece.yaml
runs "in one piece: runs" piece.yaml piece
for m in 7 8 9 10 12 16; do
  near "mode $m: as in one piece" "$(omega $m omega_0)" "$(jq -r ".analyses[0].modes[$m - 1].omega_0" piece/summary.json)" 1e-9
  near "mode $m: the full model" "$(omega $m omega_0)" "$(jq -r ".analyses[0].full.omega_0[$m - 1]" piece/summary.json)" 2e-3
done

# ---- damping ----
at() { awk -F, -v m="$1" -v method="$2" -v k="$3" -v q="$4" '$1 == m && $2 == method && $3 >= q*(1 - 1e-9) { print $k; exit }' out/tables/backbone.csv; }
report "backbones: complete" "$(awk -F, 'NR > 1 && $4 != "complete"' out/tables/backbone_curves.csv)"
for method in qsma epmc; do
  report "mode 9, $method: frequency and damping do not depend on amplitude" "$(awk -F, -v m="$method" -v w="$(omega 9 omega_0)" '$1 == 9 && $2 == m { n++; e = $4/w - 1; f = $5/2e-4 - 1
    if (e^2 > 1e-18 || f^2 > 1e-14) print $0 } END { if (n != 40) print n " points" }' out/tables/backbone.csv)"
done
for m in 7 8 10; do
  near "mode $m: qsma beside epmc, zeta_joint" "$(at $m qsma 6 1e-5)" "$(at $m epmc 6 1e-5)" 0.01
  # zeta_joint ~ q^(chi + 1) = q^0.5, and a little more as bolts get softer.
  within "mode $m: slope of ln zeta_joint" "$(awk -F, -v m=$m '$1 == m && $2 == "qsma" { n++; if (n == 1) { q = $3; z = $6 } if (n == 6) print log($6/z)/log($3/q) }' out/tables/backbone.csv)" 0.5 0.58
  report "mode $m: softens and damps more with amplitude" "$(awk -F, -v m=$m '$1 == m && $2 == "epmc" { if (n++ && !($4 < w && $5 > z)) print $0; w = $4; z = $5 } END { if (n != 40) print n " points" }' out/tables/backbone.csv)"
  within "mode $m: most damping over that of the plates" "$(awk -F, -v m=$m '$1 == m && $2 == "epmc" { z = $5 } END { print z/2e-4 }' out/tables/backbone.csv)" 25 60
done

# ---- where it is hit ----
ratio() { # PLACE: damping of mode 10 over that of mode 10 alone at the same amplitude
  awk -F, -v p="$1 " 'NR > 1 && index($2, p) == 1 { print $7 }' out/tables/impact_test_compare.csv | sort -g |
    awk '{ x[NR] = $1 } END { if (NR > 40) print NR % 2 ? x[(NR + 1)/2] : (x[NR/2] + x[NR/2 + 1])/2 }'
}
within "hit in the middle: mode 10 is damped as if alone" "$(ratio upper.plate.centre.uz)" 1 1.2
within "hit at a corner: others move the bolts too" "$(ratio upper.plate.corner.uz)" 1.9 2.4
joints() { awk -F, -v s="$1" '$1 == s { print $6/$5 }' out/tables/impact_test_runs.csv; }
near "share of the energy that joints take, middle" "$(joints 'upper.plate.centre.uz p=1000')" 0.330 0.01
near "share of the energy that joints take, corner" "$(joints 'upper.plate.corner.uz p=1000')" 0.687 0.01

finish
