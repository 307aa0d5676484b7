#!/bin/bash
# examples/ministack-contact on a mesh half as fine, with fewer points: the solid Ministack of SAND2017-10517 (Kuether,
# Najera 2017), sections 4.1 and 5.1.
# shellcheck disable=SC2016 # jq has dollars of its own
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/ministack-contact/study.yaml
# run TEXT FOLDER 'ANALYSES' [OPTION...]
run() {
  runs "$1" "$example" "$2" --set 'structure.fe.parts.can.rings.rings=[1, 10, 4, 3]' \
    --set 'structure.fe.parts.can.rings.layers=[4, 6, 32, 6, 4, 4]' --set "analyses=$3" "${@:4}"
}
time='time: {step: 4.0e-6, steps: 2500}'
transient="{transient: {loads: [shock200], $time, record: {channels: [slug.top.uz]}}}"
backbone='{backbone: {modes: [1], methods: [qsma, ringdown_hilbert], from: shock, sensor: slug.top.uz, layer_check: false, amplitudes: [1.6e-6, 2.8e-6, 5.0e-6, 1.6e-5]}}'
shock="{shock: {load: haversine, levels: [20], mode: 1, sensor: slug.top.uz, $time}}"
run "runs" out "[contact, {modes: {full: 0}}, $transient, $shock, $backbone]"
run "with six modes" six "[$transient]" --set structure.reduce.craig_bampton.modes=6
run "pressed without friction" smooth '[contact]' --set structure.fe.preload.0.friction=false

force() { jq -r --arg c "$2" '.analyses[0].contacts[] | select(.contact == $c) | .'"$3" "$1/summary.json"; }
# Forces of the whole circle.
near "the cover carries what the glue holds back" "$(force out cover_ring normal_force)" \
  "$(force out ring_can force_z | tr -d -)" 1e-9
for face in slug_cup cup_can; do
  within "$face: friction while it is pressed takes a third of the normal force" \
    "$(awk -v a="$(force out $face normal_force)" -v b="$(force smooth $face normal_force)" 'BEGIN { print a/b }')" 0.6 0.8
done
within "axial mode, Hz" "$(summary out '.analyses[1].modes[0].omega_0/6.283185307179586')" 2475 2495

# ---- cycles of the axial mode ----
value() { columns out/tables/backbone.csv method "$2" | awk -v row="$1" '$1 == "qsma" && ++n == row { print $2 }'; }
for row in 2 3 4; do
  report "frequency falls with amplitude, row $row" \
    "$(awk -v a="$(value $((row - 1)) omega)" -v b="$(value $row omega)" 'BEGIN { if (!(b < a)) print a, b }')"
done
within "damping is largest where the slug begins to slide" "$(value 3 zeta)" 0.08 0.1
within "and falls in macroslip" "$(value 4 zeta)" 0.04 0.06
share() { # ROW: of the radial faces in the dissipated energy
  columns out/tables/backbone_contacts.csv q contact dissipated | awk -v row="$1" '$1 != last { n++; last = $1 }
    n == row { all += $3; if ($2 == "slug_cup" || $2 == "cup_can") radial += $3 } END { print radial/all }'
}
within "before macroslip the radial faces dissipate more than 99 %" "$(share 2)" 0.99 1
within "at the peak, too" "$(share 3)" 0.99 1

# ---- a shock of 200 g ----
late() { # COLUMN: its value half-way over the last
  columns out/tables/transient_contacts.csv "$1" | awk '{ x[NR] = $1 } END { print x[int(NR/2)]/x[NR] }'
}
within "friction between slug and foam ends before 5 ms" "$(late slug_cup.dissipated)" 0.99 1
within "and between foam and can" "$(late cup_can.dissipated)" 0.98 1
peak() { summary "$1" '.analyses[] | select(.name == "transient") | .channels[0] | [.highest, -.lowest] | max'; }
near "the slug moves as far with six modes as with twelve" "$(peak six)" "$(peak out)" 0.05
within "by some 30 um" "$(peak out)" 2.6e-5 3.4e-5

# ---- a shock of 20 g, whose ring-down is in microslip ----
ringing() { columns out/tables/backbone.csv method omega zeta | awk '$1 == "ringdown_hilbert"' | tail -n 1; }
read -r _ omega zeta <<<"$(ringing)"
within "ringing a little below the frequency of the mode" \
  "$(awk -v a="$omega" -v b="$(summary out '.analyses[1].modes[0].omega_0')" 'BEGIN { print a/b }')" 0.995 0.9995
within "with friction alone as damping" "$zeta" 1e-5 3e-3
finish
