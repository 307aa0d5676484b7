#!/bin/bash
# Free bodies: some of the thin ones of tests/trials/free_bodies.sh, a mechanism that is named, a full
# model that is solved once where no joint slips, and materials in mistaken units.
source "$(dirname "$0")/../checks.sh"

# ---- thin bodies ----
for body in beam2-hex8-face beam6-hex20-corner frame-hex8-roof bolt-hex8-1e6; do
  report "$body" "$(MICROSLIP=$microslip "$source_dir/tests/trials/free_bodies.sh" $body >text 2>&1 || cat text)"
done

# ---- mechanisms ----
# One bolt that lets the beams turn about it: seven motions without strain, and the lighter beam moves.
cat >hinge.yaml <<'Y'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 2.03e5, nu: 0.3, rho: 7.9e-9}}
    parts:
      long: {block: {size: [410, 40, 10], elements: [41, 4, 1]}, material: steel}
      short: {block: {size: [170, 40, 10], at: [370, 0, -10], elements: [17, 4, 1]}, material: steel}
    spiders: {bolt: {rbe3: uniform, patch: [35, 35], between: [long.bottom, short.top], at: [390, 20]}}
  reduce: {craig_bampton: {modes: 8, keep: [bolt.*]}}
joints:
  bolt: {x: {law: jenkins, K_T: 3.1e4, F_S: 120}, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: free}
analyses: [modes]
Y
report "hinge: runs" "$("$microslip" run hinge.yaml --out hinge >text 2>&1 || cat text)"
zeros='[.analyses[0].modes[] | select(.omega_0 == 0)] | length'
same "hinge: seven motions" "$(jq "$zeros" hinge/summary.json)" 7
report "hinge: named" "$(jq -r '.analyses[0].notes[0]' hinge/summary.json | grep -v "^1 mechanism: .*part 'short' can move")"
report "hinge: told" "$(grep -q "part 'short' can move without strain" text || cat text)"
# The same from the file that it left, where parts have no names.
sed '/^  fe:/,/^  reduce:/d; s/^structure:/structure: {reduced: hinge\/reduced.h5}/' hinge.yaml >again.yaml
report "its reduced model: runs" "$("$microslip" run again.yaml --out again >text 2>&1 || cat text)"
same "its reduced model: seven motions" "$(jq "$zeros" again/summary.json)" 7
report "its reduced model: a mechanism" "$(jq -r '.analyses[0].notes[0]' again/summary.json | grep -v "^1 mechanism: .*'bolt.*' can move")"
sed 's/rz: free/rz: rigid/' hinge.yaml >stiff.yaml
report "without the hinge: runs" "$("$microslip" run stiff.yaml --out stiff >text 2>&1 || cat text)"
same "without the hinge: six motions, nothing to say" "$(jq -c "[($zeros), (.analyses[0].notes | length)]" stiff/summary.json)" '[6,0]'

# ---- one solve where no joint slips ----
solves() { # STUDY: by the lines on which solver was chosen
  MICROSLIP_DEBUG=1 "$microslip" run "$1" --out solves 2>&1 | grep -c 'direct'
}
sed '/^joints:/,/^  bolt/d' hinge.yaml >bare.yaml
sed 's/analyses:.*/analyses: [{modes: {full: 0}}]/' bare.yaml >reduced.yaml
sed 's/analyses:.*/analyses: [{modes: {full: 0}}]/' hinge.yaml >slipping.yaml
same "without joints, one more solve for the full model" "$(($(solves bare.yaml) - $(solves reduced.yaml)))" 1
solves bare.yaml >/dev/null
same "the same modes slipped" "$(jq ".analyses[0].full | .omega_0 == .omega_inf" solves/summary.json)" true
same "with joints, two" "$(($(solves hinge.yaml) - $(solves slipping.yaml)))" 2

# ---- before anything is solved ----
sed 's/^analyses:.*/analyses: [modes, {backbone: {modes: [7], methods: [qsma], amplitudes: [0.1]}}]/' hinge.yaml >single.yaml
MICROSLIP_DEBUG=1 "$microslip" run single.yaml --out single >text 2>&1
same "a curve of one amplitude: exit code" "$?" 2
report "... said before the finite elements are solved" "$(grep -q 'two amplitudes' text && ! grep 'direct' text || cat text)"

# ---- materials ----
sed 's/E: 2.03e5/E: 2.03e11/' hinge.yaml >pascal.yaml
"$microslip" check pascal.yaml >text 2>&1
report "E in Pa beside mm: check says so" "$(grep -q "part 'long': .*wave speed sqrt(E/rho) of 5.07e+06 m/s" text || cat text)"
"$microslip" check hinge.yaml >text 2>&1
report "E in MPa: check says nothing" "$(grep 'wave speed' text)"
cat >beam.yaml <<'Y'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure: {beam: {length: 720, width: 30, height: 11, E: 2.03e11, rho: 7.9e-9, start: clamped, end: free}}
analyses: [{modes: {shapes: 3}}]
Y
"$microslip" run beam.yaml --out beam >text 2>&1
report "a beam as well, in the summary" "$(jq -r '.analyses[0].notes[0]' beam/summary.json 2>&1 | grep -qE '^beam: E = 2.03e\+17 Pa and rho = 7900 kg/m\^3 .*wave speed sqrt\(E/rho\) of 5.07e\+06 m/s' || cat text)"
sed 's/E: 2.03e11/E: 2.03e5/' beam.yaml >sound.yaml
"$microslip" run sound.yaml --out sound >text 2>&1
same "a beam in MPa: nothing to say" "$(jq -c ".analyses[0] | [.status, .notes]" sound/summary.json)" '["complete",null]'
# Speeds of 50 to 20,000 m/s are those of materials.
for speed in 49.7 50.3 19900 20100; do
  E=$(awk -v c=$speed 'BEGIN { printf "%.10g", 1370*c*c }')
  printf 'microslip: 1\nstructure: {beam: {length: 0.7, width: 0.03, height: 0.01, E: %s, rho: 1370}}\nanalyses: [modes]\n' "$E" >speed.yaml
  "$microslip" check speed.yaml >text 2>&1
  same "a wave speed of $speed m/s is worth a note" "$(grep -c 'wave speed' text)" "$(awk -v c=$speed 'BEGIN { print (c < 50 || c > 20000) }')"
done

finish
