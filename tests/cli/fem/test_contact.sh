#!/bin/bash
# Contact between solids in a study: uniform pressure, a free assembly, a lap joint, and what is refused.
# shellcheck disable=SC2016 # jq has dollars of its own
source "$(dirname "$0")/../checks.sh"

cat >blocks.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [40, 20, 10], elements: [6, 4, 2]}, material: steel}
      upper: {block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel}
    contacts:
      joint: {between: [upper.bottom, lower.top], mu: 0.3}
    preload:
      - {push: {upper.top: [0, 0, -2000], lower.bottom: [0, 0, 2000]}, friction: true, steps: 2}
analyses: [contact, modes]
END

# ---- two blocks that nothing holds, pressed from both sides ----
runs "blocks: runs" blocks.yaml blocks
near "blocks: normal force" "$(summary blocks '.analyses[0].contacts[0].normal_force')" 2000 1e-8
near "blocks: uniform pressure, largest" "$(summary blocks '.analyses[0].contacts[0].largest_pressure')" 2.5e6 1e-7
near "blocks: all of it is closed" "$(summary blocks '.analyses[0].contacts[0].closed_area')" 8e-4 1e-12
report "blocks: six rigid-body modes" "$(summary blocks '[.analyses[1].modes[] | select(.omega_0 == 0)] | length' | grep -qx 6 || echo no)"
cat >merged.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [40, 20, 10], elements: [6, 4, 2]}, material: steel}
      upper: {block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel, points: {p: [40, 20, 20]}}
    merge: {parts: [lower, upper]}
  reduce: {craig_bampton: {modes: 12, keep: [upper.p]}}
analyses: [modes]
END
runs "merged: runs" merged.yaml merged
for k in 7 8 9; do
  near "blocks: mode $k of the full model is that of one body" "$(cut -d, -f1,2 blocks/tables/modes_full.csv | sed -n "s/^$k,//p")" \
    "$(cut -d, -f1,2 merged/tables/modes_full.csv | sed -n "s/^$k,//p")" 1e-8
done

# ---- a lap joint: frequency falls and damping rises with amplitude ----
lap=$source_dir/examples/lap-joint-contact/study.yaml
coarse=(--set structure.fe.parts.lower.block.elements='[18, 4, 1]' --set structure.fe.parts.upper.block.elements='[18, 4, 1]'
  --set structure.fe.parts.head.block.elements='[2, 2, 1]' --set structure.fe.parts.nut.block.elements='[2, 2, 1]')
runs "lap: runs" "$lap" lap "${coarse[@]}"
near "lap: the bolt's force is the normal force" "$(summary lap '.analyses[0].contacts[0].normal_force')" 6000 1e-8
report "lap: part of it is open" "$(summary lap '.analyses[0].contacts[0] | select(.closed_points >= .points or .closed_points < 3)')"
report "lap: damping rises, frequency falls" "$(jq -r '[.analyses[2].cycles[].dissipated] as $d
  | range(1; $d | length) | select($d[.] <= $d[. - 1])' lap/summary.json)"
report "lap: load work is the energy dissipated" "$(summary lap '.analyses[2].cycles[] | select(.work_error > 1e-3 or .work_error < -1e-3)')"
report "lap: Newton's method takes 5 iterations a step, 95 % of the steps 10 at most" \
  "$(summary lap '.analyses[2] | select(.newton_mean > 5 or .newton_slow > 0.05 or .newton_mean < 1)')"
report "lap: Masing's rule fails on the bending mode, and that is said" \
  "$(jq -r '.. | strings | select(test("Masing.s rule fails"))' lap/summary.json | grep -q . || echo no)"
report "lap: the preload changes by 1 % at most when its steps are doubled" \
  "$(summary lap '.analyses[0].change, .analyses[2].preload_change | select(. > 0.01)')"
report "lap: mean shift is the middle of both ends" \
  "$(summary lap '.analyses[2].cycles[] | select((.mean_shift - (.q_min + .q_max)/2 | fabs) > 1e-12 * .q or .mean_shift == 0)')"
report "lap: cycles repeat" "$(summary lap '.analyses[2].cycles[] | select(.change > 1e-4)')"

# ---- rigid contact under loads too small for the mesh: no node slips, and 0 is no answer ----
runs "small loads: runs" "$lap" small "${coarse[@]}" --set analyses='[backbone: {modes: [1], amplitudes: [1e-5, 1e-4, 6e-2]}]'
same "small loads: no point slips" "$(cut -d, -f6,11 small/tables/backbone_cycles.csv | sed -n 2,3p)" $'0,0\n0,0'
same "small loads: each row says that it is suspect" "$(sed 's/.*,//' small/tables/backbone.csv | tail -n +2 | xargs)" "suspect suspect complete"
like "small loads: suspect, and why" "$(status_of small backbone) $(reasons small backbone)" \
  'suspect *mode 1: up to q = 3.16e-06 no point slips*the mesh is too coarse*'
runs "closed all over: runs" blocks.yaml closed --set structure.fe.fix='{lower.left: all}' --set analyses='[backbone: {modes: [1], amplitudes: [1e-9, 2e-9]}]'
same "closed all over: below an amplitude it sticks, and that is no doubt" \
  "$(status_of closed backbone) $(cut -d, -f6 closed/tables/backbone_cycles.csv | sed -n 2p)" "complete 0"

# ---- no node has a partner: Gauss points ----
runs "offset by parts of an element: runs" blocks.yaml offset --set structure.fe.contacts.joint.layer='{K_n: 1e4, K_t: 1e4}' \
  --set structure.fe.parts.upper.block.at='[23, 0, 10]' --set structure.fe.fix='{lower.bottom: all, upper.right: all}' \
  --set structure.fe.preload='[{push: {upper.left: [0, 0, -200]}, friction: true}]' --set analyses='[contact]'
near "offset by parts of an element: area" "$(sed -n 2p offset/tables/contact.csv | cut -d, -f8)" 3.4e-4 1e-9

# ---- states at loads beyond rest ----
runs "loads: runs" blocks.yaml loads --set analyses='[contact: {loads: [0, 0.5, -0.25], vtu: true}]'
same "loads: normal forces" "$(tail -n +2 loads/tables/contact.csv | awk -F, '{printf "%s %.6f ", $NF, $12}')" "0 2000.000000 0.5 3000.000000 -0.25 1500.000000 "
same "loads: points at each of them" "$(tail -n +2 loads/tables/contact_points.csv | cut -d, -f11 | sort -n | uniq -c | xargs)" "35 -0.25 35 0 35 0.5"
same "loads: rest is the first" "$(tail -n +2 loads/tables/contact_points.csv | head -n 35 | sed 's/,0$//')" "$(tail -n +2 blocks/tables/contact_points.csv)"
same "loads: a VTU file each" "$(cd loads && ls contact*)" $'contact.pvd\ncontact_1.vtu\ncontact_2.vtu\ncontact_3.vtu'
"$microslip" run blocks.yaml --out off --set analyses='[contact: {loads: [0, -3]}]' --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, -2000]}, friction: true}]' >/dev/null 2>error
same "loads: beyond the last equilibrium" "$? $(status_of off contact) $(tail -n +2 off/tables/contact.csv | wc -l)" "1 partial 1"
like "loads: which one has none" "$(reasons off contact)" "load -3 in step *: no equilibrium*"

# ---- gaps from a table ----
gap=structure.fe.contacts.joint.gap
printf 'z [mm],x [mm],gap [mm]\n10,0,0.003\n10,40,0.003\n' >even.csv
printf 'y,gap\n0,-0.001\n10,0\n20,0.002\n' >wedge.csv
runs "a gap: runs" blocks.yaml gap --set $gap=0.003 --set analyses='[contact]'
runs "an even table: runs" blocks.yaml even --set $gap='{file: even.csv}' --set analyses='[contact]'
for k in normal_force force_x closed_area largest_pressure; do
  near "an even table: $k" "$(summary even ".analyses[0].contacts[0].$k")" "$(summary gap ".analyses[0].contacts[0].$k")" 1e-9
done
runs "a wedge: runs" blocks.yaml wedge --set $gap='{file: wedge.csv}' --set structure.fe.contacts.joint.interference=0.0005 \
  --set structure.fe.preload='[{hold: [lower.bottom, upper.top], friction: true, steps: 2}]' --set analyses='[contact]'
report "a wedge: closed on one side of y = 12.5 mm" "$(cut -d, -f3,10 wedge/tables/contact_points.csv | tail -n +2 |
  awk -F, '($1 > 0.0125) != ($2 == "open")')"

# ---- a preload with friction in 4 and in 8 load steps; that of 2 ends as it is after 4 ----
for n in 2 4; do
  runs "a wedge in $n steps: runs" blocks.yaml "in$n" --set $gap='{file: wedge.csv}' --set structure.fe.fix='{lower.bottom: all}' \
    --set structure.fe.preload="[{push: {upper.top: [300, 0, -20000]}, friction: true, steps: $n}]" --set analyses='[contact]'
done
change=$(paste -d, in{2,4}/tables/contact_points.csv |
  awk -F, 'NR > 1 {d = $6*$5 - $16*$15; c += d < 0 ? -d : d; s += $16*$15} END {printf "%.12g", c/s}')
near "a wedge: change of the normal forces by twice the steps" "$(summary in4 '.analyses[0].change')" "$change" 1e-6
report "a wedge: there is one" "$(awk "BEGIN {if (!($change > 1e-6)) print 1}")"

# ---- a layer: nothing slips below an amplitude, and what ten times its stiffness changes is what a stiffer layer gives ----
layer() { # FOLDER K_n K_t AMPLITUDES
  runs "layer: runs ($1)" blocks.yaml "$1" --set structure.fe.contacts.joint.layer="{K_n: $2, K_t: $3}" \
    --set structure.fe.fix='{lower.left: all}' --set analyses="[backbone: {modes: [1], amplitudes: $4}]"
}
cells_of() { awk -F, -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ "^"name) c = i; next} {print $c}' "$1" | sed -n "$3p"; }
layer soft 4e4 3e4 '[1e-7, 2e-7]'
first=$(cells_of soft/tables/backbone_layer.csv first_slip 1)
level() { awk "BEGIN {printf \"%.12g\", $1 * $first / 0.031622776601683795}"; }
layer slip 4e4 3e4 "[$(level 0.2), $(level 0.999), $(level 3)]"
same "layer: nothing slips below the first slip" "$(cells_of slip/tables/backbone_cycles.csv dissipated 2) $(cells_of slip/tables/backbone_cycles.csv change 2)" "0 0"
report "layer: something slips above it" "$(awk "BEGIN {if (!($(cells_of slip/tables/backbone_cycles.csv dissipated 3) > 0)) print 1}")"
layer stiff 4e5 3e5 "[$(level 0.1), $(level 0.2)]"
report "layer: it lowers the frequency" "$(awk "BEGIN {if (!($(cells_of slip/tables/backbone_layer.csv omega_change 1) > 1e-4)) print 1}")"
near "layer: frequency with ten times its stiffness, before slip" "$(awk "BEGIN {printf \"%.9g\",
  $(cells_of slip/tables/backbone.csv omega 1) * (1 + $(cells_of slip/tables/backbone_layer.csv omega_change 1))}")" \
  "$(cells_of stiff/tables/backbone.csv omega 1)" 1e-6
# The same load has the same amplitude of the linear mode times omega_0^2.
level=$(level 3)
stiffer=$(awk "BEGIN {printf \"%.12g\", $level * ($(cells_of slip/tables/backbone.csv omega 1)/$(cells_of stiff/tables/backbone.csv omega 1))^2}")
layer stiff3 4e5 3e5 "[$(level 0.1), $stiffer]"
for name in omega zeta_joint; do
  near "layer: $name with ten times its stiffness, where it slips" "$(awk "BEGIN {printf \"%.9g\",
    $(cells_of slip/tables/backbone.csv $name 3) * (1 + $(cells_of slip/tables/backbone_layer.csv ${name%_joint}_change 3))}")" \
    "$(cells_of stiff3/tables/backbone.csv $name 2)" 1e-6
done
runs "layer: no check" blocks.yaml unchecked --set structure.fe.contacts.joint.layer="{K_n: 4e4, K_t: 3e4}" \
  --set structure.fe.fix='{lower.left: all}' --set analyses="[backbone: {modes: [1], layer_check: false, amplitudes: [1e-7, 2e-7]}]"
same "layer: no check, no comparison" "$(cells_of unchecked/tables/backbone_layer.csv compared 1)" 0

# ---- glue: tied as deformed, then let go and pulled ----
push=structure.fe.preload
glued='{push: {upper.top: [400, 0, -2000]}, friction: false, glue: [joint]}'
support=(--set structure.fe.fix='{lower.bottom: all, upper.left: all}')
runs "glue: runs" blocks.yaml glue "${support[@]}" --set $push="[$glued]" --set analyses='[contact]'
runs "glue, let go: runs" blocks.yaml let_go "${support[@]}" --set $push="[$glued, {push: {upper.top: [-400, 0, 2000]}, friction: true}]" \
  --set analyses='[contact, modes, {backbone: {modes: [1], amplitudes: [1e-6, 1e-4]}}]'
runs "no glue: runs" blocks.yaml no_glue "${support[@]}" --set $push='[{push: {upper.top: [400, 0, -2000]}, friction: false}]' --set analyses='[contact]'
for k in normal_force closed_area largest_pressure; do
  near "glue changes no force: $k" "$(summary glue ".analyses[0].contacts[0].$k")" "$(summary no_glue ".analyses[0].contacts[0].$k")" 1e-12
done
near "glue: what is closed is glued" "$(tail -n 1 glue/tables/contact.csv | cut -d, -f19)" 8e-4 1e-12
same "glue: so are the points" "$(tail -n +2 glue/tables/contact_points.csv | cut -d, -f10 | sort | uniq -c | awk '{print $2, $1}' | xargs)" \
  "$(tail -n +2 no_glue/tables/contact_points.csv | cut -d, -f10 | sed 's/stuck\|slipping/glued/' | sort | uniq -c | awk '{print $2, $1}' | xargs)"
report "glue, let go: points carry tension" "$(tail -n +2 let_go/tables/contact_points.csv | awk -F, '$6 < -1e3 {n = 1} END {if (!n) print "none"}')"
report "glue, let go: and shear beyond friction" "$(tail -n +2 let_go/tables/contact_points.csv | awk -F, '$7 > 0.3*$6 {n = 1} END {if (!n) print "none"}')"
same "glue, let go: a cycle dissipates nothing" "$(tail -n +2 let_go/tables/backbone_cycles.csv | wc -l) $(jq -c '[.analyses[2].cycles[].dissipated] | unique' let_go/summary.json)" "2 [0]"
runs "glued lap: runs" "$lap" glued "${coarse[@]}" --set $push.0.glue='[lap]' --set analyses='[backbone: {modes: [1], amplitudes: [1e-4, 1e-3]}]'
same "glued lap: nothing slips at its edge, and that is no doubt" "$(status_of glued backbone) $(cut -d, -f6 glued/tables/backbone_cycles.csv | sed -n 2,3p | xargs)" "complete 0 0"
refuses "glue: a contact that there is none of" "'lap' is no contact" blocks.yaml --set $push='[{push: {upper.top: [0, 0, -1]}, friction: true, glue: [lap]}]'
refuses "glue: no list" "glue is a list of contacts" blocks.yaml --set $push='[{push: {upper.top: [0, 0, -1]}, friction: true, glue: joint}]'
# ---- in time: a hit on the lap joint, beside quasi-static modes ----
runs "time: runs" "$lap" time "${coarse[@]}" --set loads='{hit: {half_sine: {amplitude: 40, duration: 1e-3}, at: upper.tip.uz}}' \
  --set analyses='[backbone: {modes: [1], amplitudes: [2.4e-3, 3.2e-3], sensor: upper.tip.uz},
    transient: {time: {step: 2e-5, steps: 1000}, record: {channels: [upper.tip.uz]}},
    shock: {load: hit, levels: [1], mode: 1, time: {step: 2e-5, steps: 8000}, sensor: upper.tip.uz}]'
energy=.analyses[1].energy
report "time: friction takes part of the energy" "$(summary time "$energy | select(.dissipated < 0.05 * .input)")"
report "time: the balance holds" "$(summary time "$energy | select((.balance | fabs) > 1e-3 * .input)")"
# The last row, after a tenth of a second, in which the joint has settled.
last() { awk -F, -v "name=$1" 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); if ($i == name) at = i }; next } { x = $at } END { print x }' time/tables/shock.csv; }
q=$(last q)
qsma() { # the quasi-static curve at that amplitude
  awk "BEGIN { a = $(cells_of time/tables/backbone.csv q 1); b = $(cells_of time/tables/backbone.csv q 2)
    printf \"%.9g\", $(cells_of time/tables/backbone.csv "$1" 1) + log($q/a)/log(b/a)*($(cells_of time/tables/backbone.csv "$1" 2) - $(cells_of time/tables/backbone.csv "$1" 1)) }"
}
same "time: laws and preload stand in the results" "$(jq -c '.analyses[1, 2] | [.laws[0].law, .preload_friction, .preload_change < 0.01]' time/summary.json | uniq)" '["rigid","yes",true]'
near "time: frequency of the ring-down" "$(last omega)" "$(qsma omega)" 5e-3
near "time: damping of the ring-down" "$(last zeta_joint)" "$(qsma zeta_joint)" 0.1
# ---- an upper bar of aluminium on a crowned face: the lap slips while it is pressed ----
for n in 4 8; do
  runs "pressed in $n steps: runs" "$lap" "pressed$n" "${coarse[@]}" --set structure.fe.materials.aluminium='{E: 70e3, nu: 0.33, rho: 2.7e-9}' \
    --set structure.fe.parts.upper.material=aluminium --set structure.fe.preload.0.steps=$n --set analyses='[contact]' \
    --set structure.fe.contacts.lap.gap='{y: [0, 5, 10, 15, 20], gap: [0.002, 0.0005, 0, 0.0005, 0.002]}'
  report "pressed in $n steps: points slip" "$(grep -q ',slipping$' pressed$n/tables/contact_points.csv || echo none)"
  report "pressed in $n steps: twice as many change less than 1 %, but something" \
    "$(summary pressed$n '.analyses[0].change | select(. > 0.01 or . < 1e-5)')"
done

# ---- the same blocks from a mesh file with surfaces ----
awk 'BEGIN {
  print "*NODE"
  for (b = 0; b < 2; b++) for (k = 0; k < 3; k++) for (j = 0; j < 5; j++) for (i = 0; i < 7; i++)
    printf "%d, %.12g, %.12g, %.12g\n", 1 + i + 7*j + 35*k + 105*b, i*40/6, j*5, 5*k + 10*b
  for (b = 0; b < 2; b++) {
    print "*ELEMENT, TYPE=C3D8, ELSET=" (b ? "UPPER" : "LOWER")
    for (k = 0; k < 2; k++) for (j = 0; j < 4; j++) for (i = 0; i < 6; i++) {
      n = 1 + i + 7*j + 35*k + 105*b
      printf "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", 1 + i + 6*j + 24*k + 48*b, n, n+1, n+8, n+7, n+35, n+36, n+43, n+42
    }
    printf "*ELSET, ELSET=BELOW%d, GENERATE\n%d, %d\n*ELSET, ELSET=ABOVE%d, GENERATE\n%d, %d\n", b, 1 + 48*b, 24 + 48*b, b, 25 + 48*b, 48 + 48*b
    printf "*SURFACE, NAME=UNDER%d\nBELOW%d, S1\n*SURFACE, NAME=OVER%d\nABOVE%d, S2\n", b, b, b, b
  }
}' >blocks.inp
cat >file.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    mesh: blocks.inp
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts: {LOWER: {material: steel}, UPPER: {material: steel}}
    fix: {UNDER0: all}
    contacts:
      joint: {between: [UNDER1, OVER0], mu: 0.3}
    preload:
      - {push: {OVER1: [300, 0, -2000]}, friction: true, steps: 2}
analyses: [contact, modes]
END
runs "a mesh file: runs" file.yaml file
runs "a mesh file: parts run" blocks.yaml parts --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [300, 0, -2000]}, friction: true, steps: 2}]'
for k in normal_force force_x closed_area largest_pressure; do
  near "a mesh file: $k" "$(summary file ".analyses[0].contacts[0].$k")" "$(summary parts ".analyses[0].contacts[0].$k")" 1e-7
done
near "a mesh file: mode 1" "$(summary file '.analyses[1].modes[0].omega_0')" "$(summary parts '.analyses[1].modes[0].omega_0')" 1e-8

# ---- conditioning, and the map over all amplitudes ----
settled() { # FOLDER AMPLITUDE
  "$microslip" run blocks.yaml --out "$1" --set structure.fe.contacts.joint.layer='{K_n: 4e4, K_t: 3e4}' --set structure.fe.fix='{lower.left: all}' \
    --set analyses="[backbone: {modes: [1], layer_check: false, amplitudes: [1e-7, 2e-7, 3e-7], settle: {amplitude: $2, cycles: 2}}]" >/dev/null 2>&1
}
settled settled 1e-6
same "settled: complete" "$(status_of settled backbone)" complete
same "settled: the map has a frame for each amplitude" "$(grep -o '"frames": 3,' settled/report.html | uniq)" '"frames": 3,'
same "settled: and the slider their values" \
  "$(grep -o '"frameName": "Modal amplitude"' settled/report.html | uniq) $(grep -o '"frameValues": \[[^]]*' settled/report.html | head -n 1 | tr -cd , | wc -c)" \
  '"frameName": "Modal amplitude" 2'
settled away 10
like "settled: cycles that slide away are said to be these" "$(status_of away backbone) $(reasons away backbone)" \
  "partial *settle, q = 0.316, load * contact 'joint' slides as a whole*"

# ---- amplitudes that nobody gave ----
runs "default amplitudes, rigid: runs" "$lap" default "${coarse[@]}" --set analyses='[backbone: {modes: [1], methods: [qsma]}]'
from=$(sed -n 2p default/tables/backbone.csv | cut -d, -f3)
report "default amplitudes, rigid: 12 over two decades, to where much slips" "$(awk -F, -v from="$from" 'NR > 1 {q = $3; n++}
  END {if (n != 12 || q/from < 60 || q/from > 120) print n, q/from}' default/tables/backbone.csv)"
report "default amplitudes, rigid: most of what is closed slips at the last" "$(awk -v n="$(cells_of default/tables/backbone_cycles.csv slipped 12)" \
  -v of="$(summary lap '.analyses[0].contacts[0].closed_points')" 'BEGIN {if (!(n > of/2)) print n, of}')"
runs "default amplitudes, beyond the last equilibrium: runs" "$lap" beyond "${coarse[@]}" --set analyses='[backbone: {modes: [2]}]'
like "default amplitudes, beyond the last equilibrium: they end there, which is a note" \
  "$(status_of beyond backbone) $(jq -r '.analyses[0].notes[]' beyond/summary.json)" 'suspect *the default amplitudes end here: q = *no equilibrium*'
runs "default amplitudes, a layer: runs" blocks.yaml layered --set structure.fe.contacts.joint.layer='{K_n: 4e4, K_t: 3e4}' \
  --set structure.fe.fix='{lower.left: all}' --set analyses='[backbone: {modes: [1], layer_check: false}]'
near "default amplitudes, a layer: from half the first slip" "$(sed -n 2p layered/tables/backbone.csv | cut -d, -f3)" \
  "$(awk "BEGIN {print $(cells_of layered/tables/backbone_layer.csv first_slip 1)/2}")" 1e-3

# ---- bolts: a clamp of two blocks with ears, between which stand two shanks of two halves each ----
cat >clamp.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [60, 20, 10], elements: [6, 3, 5]}, material: steel}
      upper: {block: {size: [60, 20, 10], at: [0, 0, 10], elements: [6, 3, 5]}, material: steel}
      ear_1: {block: {size: [10, 20, 8], at: [-10, 0, 0], elements: [2, 3, 4]}, material: steel}
      ear_2: {block: {size: [10, 20, 8], at: [-10, 0, 12], elements: [2, 3, 4]}, material: steel}
      ear_3: {block: {size: [14, 20, 8], at: [60, 0, 0], elements: [2, 3, 4]}, material: steel}
      ear_4: {block: {size: [14, 20, 8], at: [60, 0, 12], elements: [2, 3, 4]}, material: steel}
      stud_1: {block: {size: [5, 20, 2], at: [-10, 0, 8], elements: [1, 3, 1]}, material: steel}
      screw_1: {block: {size: [5, 20, 2], at: [-10, 0, 10], elements: [1, 3, 1]}, material: steel}
      stud_2: {block: {size: [7, 20, 2], at: [67, 0, 8], elements: [1, 3, 1]}, material: steel}
      screw_2: {block: {size: [7, 20, 2], at: [67, 0, 10], elements: [1, 3, 1]}, material: steel}
    merge: [{parts: [lower, ear_1, ear_3, stud_1, stud_2]}, {parts: [upper, ear_2, ear_4, screw_1, screw_2]}]
    contacts:
      joint: {between: [upper.bottom, lower.top], mu: 0.3}
    bolts:
      left: {cut: [screw_1.bottom, stud_1.top]}
      right: {cut: [screw_2.bottom, stud_2.top]}
    preload:
      - {bolt: {left: 4000}, friction: true, steps: 2}
      - {bolt: {right: 6000}, friction: true, steps: 2}
      - {bolt: {left: 4000}, friction: true, steps: 2}
analyses: [contact, modes]
END
bolts() { tail -n +2 "$1/tables/contact_bolts.csv" | awk -F, -v row="$2" 'NR == row {print $3}'; }
runs "bolts: runs" clamp.yaml clamp
same "bolts: stages and names" "$(cut -d, -f1,2 clamp/tables/contact_bolts.csv | xargs)" "stage,bolt 1,left 1,right 2,left 2,right 3,left 3,right"
same "bolts: what is tightened has its force" "$(bolts clamp 1) $(bolts clamp 2) $(bolts clamp 4) $(bolts clamp 5)" "4000 0 6000 4000"
report "bolts: the first feels the second, and the second the first" "$(awk -v a="$(bolts clamp 3)" -v b="$(bolts clamp 6)" \
  'BEGIN {if (a < 4100 || a > 6000 || b < 6050 || b > 7000) print a, b}')" # they rock the blocks
near "bolts: the joint carries what they have" "$(summary clamp '.analyses[0].contacts[0].normal_force')" \
  "$(summary clamp '[.analyses[0].bolts[] | select(.stage == 3) | .force] | add')" 1e-8
report "bolts: six rigid-body modes, and the halves do not part" "$(summary clamp '[.analyses[1].modes[] | select(.omega_0 == 0)] | length' | grep -qx 6 || echo no)"
runs "bolts: other forces, by their factors" clamp.yaml factor --set $push='[{bolt: {left: 2000, right: 3000}, friction: true, factor: 2}]' --set analyses='[contact: {loads: [0, 0.5]}]'
same "bolts: both at once" "$(bolts factor 1) $(bolts factor 2)" "4000 6000"
near "bolts: both at once press the joint" "$(tail -n +2 factor/tables/contact.csv | head -n 1 | cut -d, -f12)" 10000 1e-8
near "bolts: loads beyond rest tighten them further" "$(tail -n 1 factor/tables/contact.csv | cut -d, -f12)" 15000 1e-8
refuses "bolts: none of that name" "'middle' is no bolt" clamp.yaml --set $push='[{bolt: {middle: 4000}, friction: true}]'
refuses "bolts: no force" "left must be > 0, not -4000" clamp.yaml --set $push='[{bolt: {left: -4000, right: 1}, friction: true}]'
refuses "bolts: a force that is none" "left must be a finite number, not 'tight'" clamp.yaml --set $push='[{bolt: {left: tight, right: 1}, friction: true}]'
refuses "bolts: a list" "bolt must be a mapping, with a name for each entry" clamp.yaml --set $push='[{bolt: [left, right], friction: true}]'
refuses "bolts: one that is never tightened" "no stage of the preload tightens bolt 'right'" clamp.yaml --set $push='[{bolt: {left: 4000}, friction: true}]'
refuses "bolts: one face" "cut must name two faces" clamp.yaml --set structure.fe.bolts.left.cut='[screw_1.bottom]'
refuses "bolts: no cut" "bolt 'left': 'screw_1.top' (8 nodes) and 'stud_1.top' (8 nodes) are no cut of a shank" clamp.yaml --set structure.fe.bolts.left.cut='[screw_1.top, stud_1.top]'
refuses "bolts: a shank that is one" "bolt 'left': 'screw_1.bottom' and 'stud_1.top' share a node" clamp.yaml --set structure.fe.merge='{parts: [screw_1, stud_1]}'
refuses "bolts: faces that there are none of" "unknown set of nodes 'stud_3.top'" clamp.yaml --set structure.fe.bolts.left.cut='[screw_1.bottom, stud_3.top]'
refuses "bolts without contacts" "a bolt belongs to contacts" merged.yaml --set structure.fe.bolts='{b: {cut: [upper.bottom, lower.top]}}'

# ---- what is refused ----
refuses "gap between faces that are apart" "are 0.01 m apart|joint" blocks.yaml --set structure.fe.parts.upper.block.at='[0, 0, 20]'
refuses "meshes beside each other" "near (0.00333333, 0.0025, 0.01) m the nodes|do not lie opposite" blocks.yaml \
  --set structure.fe.parts.upper.block.at='[0.3, 0, 10]'
refuses "faces that look the same way" "'upper.top' and 'upper2.top' face the same way at (0, 0, 0.02)" blocks.yaml --set structure.fe.contacts.joint.between='[upper.top, upper2.top]' \
  --set structure.fe.parts.upper2='{block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel}'
refuses "meshes that do not match" "mesh both faces alike" blocks.yaml --set structure.fe.parts.upper.block.elements='[9, 4, 2]'
refuses "quadratic faces" "no unique forces at Gauss points of the quadratic faces 'upper.bottom'" blocks.yaml --set structure.fe.parts.upper.element=hex20 --set structure.fe.parts.lower.element=hex20
refuses "shared nodes" "'upper.bottom' and 'lower.top' share node 71" blocks.yaml --set structure.fe.merge='{parts: [lower, upper]}'
refuses "faces inside each other" "is 0.0001 m inside 'lower.top' at (0, 0, 0.0099)" blocks.yaml --set structure.fe.parts.upper.block.at='[0, 0, 9.9]'
refuses "a face that there is none of" "unknown set of faces 'upper.under'; did you mean" blocks.yaml --set structure.fe.contacts.joint.between='[upper.under, lower.top]'
refuses "one face" "two faces" blocks.yaml --set structure.fe.contacts.joint.between='[upper.bottom]'
refuses "ground on ground" "the ground cannot touch itself" blocks.yaml --set structure.fe.contacts.joint.between='[ground, ground]'
refuses "gap and interference" "gap or an interference" blocks.yaml --set structure.fe.contacts.joint.gap=0.1 --set structure.fe.contacts.joint.interference=0.1
refuses "a gap that is no number" "gap must be a finite number, not 'wide'" blocks.yaml --set $gap=wide
refuses "a negative gap" "gap must be >= 0, not -0.1" blocks.yaml --set $gap=-0.1
refuses "a table without gaps" "gap needs 'gap', a list" blocks.yaml --set $gap='{x: [0, 40]}'
refuses "a table of other lengths" "2 of gap and 3 of y: one for each" blocks.yaml --set $gap='{y: [0, 10, 20], gap: [0, 0]}'
refuses "a table with another key" "gap has no key 'radius'; there are file, gap, x, y, z" blocks.yaml --set $gap='{x: [0, 40], gap: [0, 0], radius: 3}'
refuses "a table of lists and a file" "not both" blocks.yaml --set $gap='{x: [0, 40], file: even.csv}'
refuses "a file that is not there" "none.csv: cannot be opened" blocks.yaml --set $gap='{file: none.csv}'
printf 'x,height\n0,1\n40,2\n' >other.csv
refuses "a file without gaps" "other.csv has no column 'gap' of numbers" blocks.yaml --set $gap='{file: other.csv}'
printf 'x [m],gap\n0,1\n40,2\n' >metres.csv
refuses "a file in other units" "column 'x' is in [m]" blocks.yaml --set $gap='{file: metres.csv}'
refuses "gaps that are no grid" "3 gaps at 2 different x, 2 y and 1 z are no grid" blocks.yaml \
  --set $gap='{x: [0, 40, 40], y: [0, 0, 20], gap: [0, 0, 0]}'
refuses "gaps that do not cover the face" "ends at x = 0 and 0.03 m; the point (0.0333333, 0.005, 0.01) m of 'upper.bottom'" blocks.yaml \
  --set $gap='{x: [0, 30], gap: [0, 0]}'
refuses "negative friction" "mu must be >= 0, not -0.1" blocks.yaml --set structure.fe.contacts.joint.mu=-0.1
refuses "half a layer" "layer needs 'K_t'" blocks.yaml --set structure.fe.contacts.joint.layer='{K_n: 1e6}'
refuses "friction is not said" "a stage of the preload needs 'friction'" blocks.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -1]}}]'
refuses "a push on nothing" "'lid.top' is no face, set of nodes, point or spider" blocks.yaml --set structure.fe.preload='[{push: {lid.top: [0, 0, -1]}, friction: true}]'
refuses "hold what is not there" "'lid.top' is no set of nodes" blocks.yaml --set structure.fe.preload='[{hold: [lid.top], friction: true}]'
refuses "a preload without contacts" "belongs to contacts" merged.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -1]}, friction: true}]'
refuses "joints beside contacts" "no joints beside" blocks.yaml --set joints='{a: {law: linear, K: 1, between: [ground, q1]}}'
refuses "an analysis that takes contacts for stuck" "frf knows no contact" blocks.yaml --set analyses='[frf: {}]'
refuses "secants of the first loading" "rqnm knows no contact" blocks.yaml \
  --set analyses='[backbone: {modes: [7], methods: [rqnm], amplitudes: [1e-6, 1e-5]}]'
refuses "contact without contacts" "contact needs finite elements" merged.yaml --set analyses='[contact]'
fails() { # TEXT WORD ARGUMENT...: `run` ends with exit code 2 or 3, says the word, and leaves nothing
  local text=$1 word=$2 faults=
  shift 2
  "$microslip" run "$@" --out failed >/dev/null 2>error && faults="exit code 0 "
  grep -qF -- "$word" error || faults+="no '$word' in: $(head -n 1 error)"
  [[ ! -e failed/summary.json ]] || faults+=" there are results"
  rm -rf failed
  report "$text" "$faults"
}
hit='{hit: {half_sine: {amplitude: 1, duration: 1e-3}, at: q7}}'
for options in 'method: exponential}|take method newmark' '}, initial: {u: {q7: 1e-3}}|start from rest'; do
  "$microslip" run blocks.yaml --out failed --set loads="$hit" --set analyses="[transient: {time: {step: 1e-5, steps: 10, ${options%|*}}]" >/dev/null 2>error
  same "contact in time: exit code" $? 1
  report "contact in time: it ${options#*|}" "$(grep -qF -- "${options#*|}" error || head -n 1 error)"
  rm -rf failed
done
fails "default amplitudes without friction" "no contact with friction says at which amplitude mode 4 slips" "$lap" "${coarse[@]}" \
  --set structure.fe.contacts.lap.mu=0 --set analyses='[backbone: {modes: [4]}]'
fails "pushes that are not in balance" "not in balance" blocks.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -9]}, friction: true}]'
fails "a free assembly whose meshes are apart" "'joint' are up to 5e-05 m apart" blocks.yaml --set structure.fe.parts.upper.block.at='[0, 0, 10.05]'
fails "a node of two rigid contacts" "belongs to contacts 'floor' and 'wall'" merged.yaml --set analyses='[contact]' \
  --set structure.fe.contacts='{floor: {between: [lower.bottom, ground], mu: 0.3}, wall: {between: [lower.left, ground], mu: 0.3}}' \
  --set structure.fe.preload='[{push: {upper.top: [-500, 0, -2000]}, friction: true}]'
refuses "too many points" "3721 points, whose dense flexibilities need 3.0 GB" blocks.yaml \
  --set structure.fe.parts.lower.block.elements='[60, 60, 1]' --set structure.fe.parts.upper.block.elements='[60, 60, 1]'
fails "glue: nothing to glue" "stage 1 of the preload: contact 'joint' cannot be glued: no point of it is closed" blocks.yaml --set structure.fe.fix='{lower.bottom: all, upper.top: all}' \
  --set structure.fe.contacts.joint.gap=0.1 --set structure.fe.preload='[{push: {upper.left: [1, 0, 0]}, friction: true, glue: [joint]}, {friction: true}]'
fails "pulled apart" "no equilibrium was found beyond load 0, where 35 of 35 points are closed and 0 of these slip (residual " blocks.yaml --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, 9]}, friction: true}]'
like "pulled apart: which motion" "$(cat error)" "*without friction part 'upper' moves along (0, 0, 1)"
fails "it slides as a whole, from 300 of 2400 N" "stage 2 of the preload: contact 'joint' slides as a whole beyond load 0.12" blocks.yaml \
  --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, -1000]}, friction: true}, {push: {upper.top: [2400, 0, 0]}, friction: true}]'
like "it slides as a whole: which way" "$(cat error)" "*without friction part 'upper' moves along (1, 0, 0)"
fails "3 % of a push slide it" "slides as a whole" blocks.yaml --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.contacts.joint.mu=0.01 --set structure.fe.preload='[{push: {upper.top: [30, 0, -1000]}, friction: true}]'
like "3 % of a push slide it: which way" "$(cat error)" "*without friction part 'upper' moves along (1, 0, 0)"
fails "two contacts: what each of them does" "(residual " blocks.yaml --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.parts.lid='{block: {size: [40, 20, 10], at: [0, 0, 20], elements: [6, 4, 2]}, material: steel}' \
  --set structure.fe.contacts.top='{between: [lid.bottom, upper.top], mu: 0.3}' \
  --set structure.fe.preload='[{push: {lid.top: [0, 0, -2000]}, friction: true, steps: 2}, {push: {lid.top: [0, 0, 1000], upper.right: [0, 0, 1500]}, friction: true}]'
like "two contacts: each is named" "$(cat error)" "*stage 2*contact 'joint': * of 35 closed*contact 'top': * of 35 closed*"

# ---- the guide's first study ----
{ echo 'microslip: 1' && sed -n '/^```yaml/,/^```/{/^```$/q; /^```/d; p}' "$source_dir/docs/guide/contact.md"; } >guide.yaml
runs "guide: runs" guide.yaml guide --set analyses='[contact]'
near "guide: normal force" "$(summary guide '.analyses[0].contacts[0].normal_force')" 6000 1e-8

# ---- states that are doubtful ----
blocks=$source_dir/tests/data/studies/fem/lap-contact.yaml
runs "coarse load steps: runs" "$blocks" steps --set analyses.2.backbone.modes='[2]' --set analyses.2.backbone.vtu=true --set analyses.0.contact.vtu=false
like "coarse load steps: more of them" "$(jq -r '.analyses[2].cycles[-1] | "\(.steps > 64) \(.work_error | fabs < 1e-3)"' steps/summary.json)" "true true"
report "coarse load steps: that is no doubt any more" "$(reasons steps backbone | grep -o 'work of the load')"
like "a slip zone thinner than two elements is suspect" "$(status_of steps backbone) $(reasons steps backbone)" \
  'suspect *mode 2: up to q = * the slip zone is thinner than two elements*'
report "nothing is said of a slip zone where nothing slips" "$(reasons soft backbone | grep thinner)"
same "laws of the contacts in the summary" "$(jq -c '.analyses[1, 2] | [.preload_friction, .preload_change < 0.01, (.laws[] | [.contact, .law])]' steps/summary.json | uniq)" \
  '["yes",true,["lap","rigid"],["seat","layer"],["floor","rigid"]]'
same "VTU: a series with the amplitudes" "$(grep -c 'timestep=' steps/backbone_mode2.pvd) $(grep -o 'file="[^"]*"' steps/backbone_mode2.pvd | tail -n 1)" \
  '2 file="backbone_mode2_2.vtu"'
like "VTU: slip and pressures" "$(grep -o 'Name="[^"]*"' steps/backbone_mode2_2.vtu)" "*Slip amplitude*Pressure at the lower end*Pressure at the upper end*"
same "VTU: a file for each amplitude" "$(cd steps && ls ./*.vtu)" $'./backbone_mode2_1.vtu\n./backbone_mode2_2.vtu'
like "VTU: energy per area" "$(grep -o 'Name="[^"]*"' steps/backbone_mode2_2.vtu)" "*Energy dissipated per cycle*"
like "Masing's rule is said to fail" "$(jq -r '.. | strings | select(test("Masing"))' steps/summary.json | head -n 1)" "*Masing's rule fails*"
runs "friction above the critical one: runs" blocks.yaml high --set structure.fe.contacts.joint='{between: [upper.bottom, ground], mu: 30}' \
  --set structure.fe.fix='{lower.bottom: all}' --set structure.fe.preload='[{push: {upper.top: [0, 0, -2000]}, friction: true}]' --set analyses='[contact]'
like "friction above the critical one: suspect" "$(status_of high contact) $(reasons high contact)" 'suspect *more than one equilibrium*'
runs "a gap under a fixed face: runs" blocks.yaml gap --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.contacts.g='{between: [lower.bottom, ground], mu: 0.2, gap: 0.5}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, -2000]}, friction: false}]' --set analyses='[contact]'
same "a gap under a fixed face: open" "$(summary gap '[.analyses[0].contacts[] | .closed_points] | join(" ")')" "35 0"
like "a gap under a fixed face: only that is said" "$(status_of gap contact) $(reasons gap contact)" 'suspect contact g is open at rest*'
report "no friction in the preload: it has some at rest" "$(reasons gap contact | grep 'no contact has friction')"
same "no friction in the preload: nothing slips at rest" "$(summary gap '.analyses[0].contacts[0].slipping_area')" 0
# two bending modes that lie close, of which a basis of one mode has one only
runs "modes in another order: runs" blocks.yaml order --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.parts.lower.block='{size: [19.9, 20, 40], elements: [2, 2, 4]}' \
  --set structure.fe.parts.upper.block='{size: [19.9, 20, 40], at: [0, 0, 40], elements: [2, 2, 4]}' \
  --set structure.fe.parts.upper.points='{p: [9.95, 10, 80]}' --set structure.reduce='{craig_bampton: {modes: 1, keep: [upper.p.ux]}}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, -20000]}, friction: true}]' \
  --set analyses='[contact, modes, {backbone: {modes: [1, 2], sensor: upper.p.ux, amplitudes: [1e-4, 3e-4]}}]'
same "modes in another order: all pairs are found" "$(status_of order backbone)" complete
near "modes in another order: the load is that of the mode" "$(sed -n 's/^1,qsma,//p' order/tables/backbone.csv | head -n 1 | cut -d, -f2)" \
  "$(sed -n 's/^1,//p' order/tables/modes.csv | cut -d, -f1)" 1e-3
# what is doubtful at rest is so in analyses that go on from there
touch=(--set structure.fe.preload='[]' --set structure.fe.fix='{lower.bottom: all, upper.top: all}' --set analyses='[modes]')
runs "nothing presses: runs" blocks.yaml touch "${touch[@]}"
like "nothing presses: modes are suspect" "$(status_of touch modes) $(reasons touch modes)" 'suspect no contact has friction at rest, since nothing presses it*'
runs "no friction, on purpose: runs" blocks.yaml touch "${touch[@]}" --set structure.fe.contacts.joint.mu=0
same "no friction, on purpose: that is no doubt" "$(status_of touch modes)" complete
runs "a force in other units: runs" blocks.yaml units --set structure.fe.preload.0.factor=1e5 --set analyses='[contact, modes]'
like "a force in other units: suspect" "$(status_of units modes) $(reasons units contact)" "suspect *the pressure reaches about 1.2 times Young's modulus*"
layer='{K_n: 0.1, K_t: 0.1}' # 25 mm under 2.5 MPa, on elements of 6.7 by 5 mm
runs "a layer that is too soft: runs" blocks.yaml squeezed --set structure.fe.contacts.joint.layer="$layer" --set analyses='[modes]'
like "a layer that is too soft: suspect" "$(status_of squeezed modes) $(reasons squeezed modes)" "suspect *moved by 0.025 m against the other face, 4.3 times*"
runs "Gauss points are parts of a face: runs" blocks.yaml squeezed --set structure.fe.contacts.joint.layer="$layer" \
  --set structure.fe.parts.upper.block.elements='[9, 7, 2]' --set structure.fe.preload.0.factor=0.04 --set analyses='[modes]'
same "Gauss points are parts of a face: 1 mm is no half of one" "$(status_of squeezed modes)" complete
runs "amplitudes in other units: run" blocks.yaml metres "${support[@]}" --set analyses='[backbone: {modes: [1], amplitudes: [1e-4, 1]}]'
like "amplitudes in other units: suspect" "$(reasons metres backbone)" "*mode 1: from q = 0.292 on, contacts slide by half an element or are pressed*"
for again in upper.bottom,lower.top lower.top,upper.bottom; do
  runs "faces in two contacts: run" blocks.yaml twice --set structure.fe.contacts.joint.layer='{K_n: 1e5, K_t: 1e5}' --set analyses='[modes]' \
    --set structure.fe.contacts.again="{between: [$again], mu: 0.3, layer: {K_n: 1e5, K_t: 1e5}}"
  like "faces in two contacts: suspect ($again)" "$(status_of twice modes) $(reasons twice modes)" 'suspect contact again: 24 of its faces are in another contact*'
done
# closed points without friction slide in modes, and a cycle has their frequency
cat >slides.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      upper: {block: {size: [40, 20, 10], elements: [6, 4, 2]}, material: steel, points: {p: [40, 20, 10]}}
    fix: {upper.left: ux, upper.front: uy}
    contacts: {floor: {between: [upper.bottom, ground], mu: 0}}
    preload: [{push: {upper.top: [0, 0, -2000]}, friction: true}]
analyses: [modes, backbone: {modes: [1], amplitudes: [1e-9, 2e-9]}]
END
runs "no friction in modes: runs" slides.yaml slides
sed '/contacts:\|preload:/d; s/upper.left: ux/upper.bottom: uz, &/; s/, backbone.*/]/
  s/^analyses/  reduce: {craig_bampton: {modes: 8, keep: [upper.p]}}\n&/' slides.yaml >normal.yaml
runs "no friction in modes: a support along the normal" normal.yaml normal
for k in 1 2 3; do
  near "no friction in modes: mode $k" "$(summary slides ".analyses[0].modes[$k - 1].omega_0")" "$(cut -d, -f1,2 normal/tables/modes_full.csv | sed -n "s/^$k,//p")" 1e-8
done
near "no friction in modes: a cycle has the frequency of its mode" "$(cells_of slides/tables/backbone.csv omega 1)" \
  "$(summary slides '.analyses[0].modes[0].omega_0')" 1e-7
runs "without a preload: runs" blocks.yaml none --set structure.fe.preload='[]' --set analyses='[contact]'
report "without a preload: suspect" "$(status_of none contact | grep -qx suspect || echo no)"

finish
