#!/bin/bash
# examples/brake-reuss-contact: the tutorial's frequencies, the document's Table 2, bolts, torque and form. The example's own mesh is
# coarsened: elements twice as large in the plane of the lap.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/brake-reuss-contact
ratio() { awk -v v="$1" -v r="$2" 'BEGIN { printf "%.8g", v/r }'; }
mode() { sed -n "s/^$2,//p" "$1/tables/modes.csv" | cut -d, -f3; } # FOLDER NUMBER
few='analyses=[contact, {modes: {full: 0}}]'

# ---- the tutorial: 70.32, 141.10 and 143.74 Hz without contact, with it, and with a layer whose springs act at open points, too ----
runs "tutorial, open: runs" "$example/tutorial-open.yaml" open --set 'analyses=[{modes: {full: 0}}]'
runs "tutorial: runs" "$example/tutorial.yaml" hard --set "$few"
layer='structure.fe.contacts.lap.layer={K_n: 1000, K_t: 1000}'
runs "tutorial, layer: runs" "$example/tutorial.yaml" layer --set "$few" --set "$layer"
runs "tutorial, layer pressed together all over: runs" "$example/tutorial.yaml" all --set "$few" --set "$layer" \
  --set 'structure.fe.preload=[{bolt: {bolt1: 12000, bolt2: 12000, bolt3: 12000}, push: {lap2.top: [0, 0, -3e6], lap1.bottom: [0, 0, 3e6]}, friction: false}]'
for folder in open:7 hard:6 layer:6; do # without contact the halves slide along the bolts
  same "tutorial: rigid-body modes, ${folder%:*}" "$(awk -F, 'NR > 1 && $4 < 1e-2' "${folder%:*}/tables/modes.csv" | wc -l)" "${folder#*:}"
done
near "tutorial: mode 1 without contact" "$(mode open 8)" 70.323 0.05
near "tutorial: contact over none" "$(ratio "$(mode hard 7)" "$(mode open 8)")" "$(ratio 141.10 70.323)" 0.05
near "tutorial: layer over contact, springs everywhere" "$(ratio "$(mode all 7)" "$(mode hard 7)")" "$(ratio 143.74 141.10)" 0.02
within "tutorial: layer over contact, open points open" "$(ratio "$(mode layer 7)" "$(mode hard 7)")" 0.985 1.005
near "tutorial: bolts carry it all" "$(summary hard '.analyses[0].contacts[0].normal_force')" 36000 1e-8
near "tutorial: mode 3" "$(ratio "$(mode hard 9)" "$(mode hard 7)")" "$(ratio 570.33 141.10)" 0.05

# ---- the document's beam at rest: Table 2 at 0.1 N, and no effect of the torque as long as faces are flat ----
coarse() { # FILE
  sed 's/elements: \[40, 8, 2\]/elements: [20, 4, 2]/; s/elements: \[30, 8, 4\]/elements: [30, 4, 4]/; s/elements: \[8, 8\]}/elements: [4, 4]}/; s/core: 8/core: 4/' \
    "$example/$1.yaml" >"$1.yaml"
}
coarse study
coarse bands
runs "flat: runs" study.yaml flat --set 'analyses=[{modes: {full: 0}}, contact, {backbone: {modes: [7], amplitudes: [3e-4, 3e-3], sensor: arm2.corner.uz}}]'
same "flat: bolts" "$(cut -d, -f3 flat/tables/contact_bolts.csv | xargs)" "force [N] 6250 6250 6250"
near "flat: normal force" "$(summary flat '.analyses[1].contacts[0].normal_force')" 18750 1e-8
within "flat: part of it is open" "$(awk -F, 'NR == 2 { print $9/$8 }' flat/tables/contact.csv)" 0.7 0.95
table=(181.2 605.0 1200 1738)
for i in 0 1 2 3; do
  near "flat: bending z $((i + 1)), Table 2" "$(family flat 'bending z' $((i + 1)))" "${table[$i]}" 0.05
done
report "flat: friction takes more at 3e-3 than at 3e-4, and as much as the load gives" \
  "$(jq -r '.analyses[2].cycles | if .[1].dissipated > 30*.[0].dissipated and (map(.work_error | fabs) | max) < 1e-3 then empty else . end' flat/summary.json)"
tight='structure.fe.preload.0.bolt={first: 12500, middle: 12500, last: 12500}'
runs "flat, twice the torque: runs" study.yaml tight --set "$few" --set "$tight"
for i in 7 9 11; do near "flat: mode $i does not depend on the torque" "$(mode tight $i)" "$(mode flat $i)" 1e-9; done

# ---- one bolt after the other: those before it are a little tighter ----
stage() { echo "{bolt: {$1: 6250}, friction: true}"; }
runs "in order: runs" study.yaml order --set 'analyses=[contact]' --set "structure.fe.preload=[$(stage first), $(stage middle), $(stage last)]"
within "in order: the first bolt" "$(sed -n 's/^3,first,//p' order/tables/contact_bolts.csv)" 6250 6500
near "in order: the last bolt" "$(sed -n 's/^3,last,//p' order/tables/contact_bolts.csv)" 6250 1e-12

# ---- crowned faces: the torque closes them, and frequencies rise ----
runs "crowned: runs" bands.yaml bands --set 'analyses=[{modes: {name: torques, full: 0, variants: {structure.fe.preload.0.factor: [0.25, 0.5, 1]}}},
  {propagate: {random: {contacts.lap.gap_factor: {family: uniform, bounds: [0.5, 2]}}, amplitudes: [1e-3], modes: [7], samples: 20}}]'
torque() { awk -F, -v v="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^f_0/) c = i; else if ($i == "mode") m = i } NR > 1 && $1 == v && $m == 7 { print $c }' bands/tables/torques_variants.csv; }
report "crowned: mode 7 rises with the torque" "$(awk -v a="$(torque 1)" -v b="$(torque 2)" -v c="$(torque 3)" 'BEGIN { if (!(a > 0 && a < b && b < c)) print a, b, c }')"
report "crowned: below the flat one" "$(awk -v a="$(torque 3)" -v b="$(mode flat 7)" 'BEGIN { if (!(a < b)) print a, b }')"
report "crowned: the form makes a band" "$(awk -F, 'NR > 1 && !($3 < 0.98*$5)' bands/tables/propagate.csv)"

# ---- harmonic balance: the nonlinear mode is near the quasi-static one ----
runs "epmc: runs" "$example/forced.yaml" forced --set 'analyses=[{backbone: {modes: [7], methods: [qsma, epmc], harmonics: 3, times: 128, amplitudes: [1.5e-3, 2.0e-3], sensor: arm2.corner.uz}},
  {stepped_sine: {load: {at: arm1.shaker.uz}, modes: [7], levels: [0.5], sensors: [arm2.corner.uz], harmonics: 3, times: 128}}]'
row() { awk -F, -v m="$1" -v c="$2" '$2 == m { v = $c } END { print v }' forced/tables/backbone.csv; } # METHOD COLUMN
near "epmc: frequency beside qsma" "$(row epmc 4)" "$(row qsma 4)" 5e-3
near "epmc: damping beside qsma" "$(row epmc 5)" "$(row qsma 5)" 0.05
sine() { awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } NR == 2 { print $at }' forced/tables/stepped_sine.csv; } # COLUMN
same "resonance: stability" "$(sine stability)" stable
near "resonance: largest multiplier" "$(sine multiplier)" 0.957 5e-3
report "resonance: residual" "$(awk -v r="$(sine residual)" 'BEGIN { if (!(r < 1e-10)) print r }')"

finish
