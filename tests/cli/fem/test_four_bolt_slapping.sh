#!/bin/bash
# examples/four-bolt-plate without washers: where the bolts close the plates, when a mode closes the gap between them, and what a tap and a hit do.
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/four-bolt-plate/slapping.yaml

runs "runs" "$study" out --set 'analyses=[contact, {modes: {full: 0}}, {backbone: {modes: [8, 9], amplitudes: {from: 5.0e-6, to: 2.0e-4, points: 6}, layer_check: false}},
  {transient: {name: soft, loads: [tap], time: {step: 1.0e-6, steps: 600}, record: {channels: [upper.centre.uz]}}},
  {transient: {name: hard, loads: [hit], time: {step: 5.0e-7, steps: 1200}, record: {channels: [upper.centre.uz]}}}]'
near "normal force" "$(summary out '.analyses[0].contacts[0].normal_force')" 25000 1e-8
same "bolts" "$(cut -d, -f3 out/tables/contact_bolts.csv | xargs)" "force [N] 6250 6250 6250 6250"
within "closed area" "$(awk -F, 'NR == 2 { print $9/$8 }' out/tables/contact.csv)" 0.08 0.16
# closed points lie within 20 mm of a bolt, with and without coordinates mirrored
report "closed around the bolts" "$(awk -F, 'NR > 1 && $10 != "open" { for (a = 2; a < 4; a++) d[a] = $a < 0.0762 ? $a - 0.01905 : $a - 0.13335; if (d[2]^2 + d[3]^2 > 4e-4) print $2, $3 }' out/tables/contact_points.csv)"
gap=$(awk -F, 'NR > 1 && ($2 - 0.0762)^2 + ($3 - 0.0762)^2 < 1e-10 { print $8 }' out/tables/contact_points.csv)
within "gap in the middle" "$gap" 1e-6 2e-6

# ---- mode 9: plates against each other ----
shape() { values out/tables/modes_shapes.csv stuck 9 "$1"; }
u=$(shape upper.centre.uz)
near "mode 9: against each other" "$(shape lower.centre.uz)" "$(awk "BEGIN { printf \"%.9g\", -1*$u }")" 1e-2
close=$(awk "BEGIN { print $gap/(2*($u < 0 ? -1*$u : $u)) }") # q at which the middle of the plates touches
rest=$(awk -F, 'NR > 1 && $1 == 9 { print $4; exit }' out/tables/backbone.csv)
near "mode 9: at rest and at the smallest amplitude" "$rest" "$(sed -n 's/^9,\([^,]*\),.*/\1/p' out/tables/modes.csv)" 2e-3
cycles() { awk -F, -v q="$close" "NR > 1 && \$1 == 9 && $1" out/tables/backbone_cycles.csv; }
report "mode 9: amplitudes on both sides" "$([[ -n $(cycles '$2 < 0.9*q') && -n $(cycles '$2 > 1.2*q') ]] || echo no)"
report "mode 9: nothing closes before the middle does" "$(cycles '$2 < 0.9*q && $12 > 0')"
report "mode 9: then it does, and the motion is not symmetric" "$(cycles '$2 > 1.2*q && !($12 > 0 && $5*$5 > 0.01*$2*$2)')"
report "mode 9: the frequency rises from there on" "$(awk -F, -v q="$close" -v r="$rest" 'NR > 1 && $1 == 9 { if ($3 < 0.9*q ? ($4/r - 1)^2 > 1e-12 : ($3 > 1.2*q && !($4 > 1.02*r))) print $3, $4/r }' out/tables/backbone.csv)"
report "mode 9: nothing is dissipated" "$(cycles '$6 > 1e-14')"
report "mode 8: slip takes more than ten times what the material does" "$(awk -F, 'NR > 1 && $1 == 8 && !($6 > 10*$7)' out/tables/backbone.csv)"

# ---- in time ----
open() { tail -n +2 "out/tables/$1_contacts.csv" | cut -d, -f6 | sort -n | sed -n "$2p"; } # NAME 1 or $: fewest, most
same "tap: no point opens or closes" "$(open soft 1)" "$(open soft '$')"
report "hit: points open and close" "$([[ $(open hard 1) -lt $(open soft 1) && $(open hard '$') -gt $(open soft 1) ]] || echo "$(open hard 1) to $(open hard '$')")"
report "hit: slaps raise the force by a tenth" "$(awk -F, 'NR > 1 && $2 > m { m = $2 } END { if (!(m > 27500)) print m }' out/tables/hard_contacts.csv)"
report "hit: the balance holds" "$(summary out '.analyses[4].energy | select((.balance | fabs) > 0.01*.input)')"

finish
