#!/bin/bash
# Time steps that are too coarse: what cannot be resolved is refused by check, with its place; what is
# resolved badly makes a result suspect, with the reason; a mode that is not excited has no rows.
source "$(dirname "$0")/checks.sh"

# Two equal halves, each on a joint: modes at 5.1 Hz (together) and 7.0 Hz (against each other).
cat > study.yaml <<'Y'
microslip: 1
title: Coarse steps
structure:
  chain:
    masses: {u1: 1.13, u2: 1.13}
    springs: [[ground, u1, 1031], [u1, u2, 514], [u2, ground, 1031]]
  damping: {modal: 0.013}
joints:
  a: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u1]}
  b: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u2]}
loads:
  blow: {half_sine: {amplitude: 3.1, duration: 0.083}, at: [u1, u2]}
  knock: {haversine: {amplitude: 3.1, duration: 0.083}, at: u1}
  shake: {sine: {amplitude: 0.71, frequency: 2.3}, at: u1}
  rattle: {noise: {rms: 0.31, high: 31, seed: 7}, at: u1}
analyses:
  - modal_ringdown: {levels: {1: [23], 2: [31]}, time: {step: 0.002, steps: 9000}}
  - impact_test: {at: [u1], levels: [17], time: {step: 0.002, steps: 9000}}
  - shock: {load: blow, levels: [2.3], mode: 1, time: {step: 0.002, steps: 9000}}
  - transient: {loads: [knock, shake], time: {step: 0.002, steps: 1000}}
  - frf: {at: u1, sensor: u1, range: [1, 20], test: {load: rattle, step: 0.002, steps: 4000}}
  - sweep: {at: u1, mode: 1, levels: [0.7], from: 4.5, to: 6, duration: 120, step: 0.002}
Y

# check FILE: how it ends and what it says.
code_of() {
  "$microslip" check study.yaml "$@" > words 2> error
  echo $?
}
same "fine steps pass" "$(code_of)" 0
same "modal_ringdown: 3.6 steps in a period" "$(code_of --set analyses.0.modal_ringdown.time.step=0.04)" 2
check "which mode, and where" grep -q "study.yaml:17:.*steps in a period of mode 2; at least 4" error
same "impact_test" "$(code_of --set analyses.1.impact_test.time.step=0.05)" 2
same "its pulse, of a mode that is not read" "$(code_of --set analyses.1.impact_test.time.step=0.04 \
  --set 'analyses.1.impact_test.modes=[1]' --set analyses.1.impact_test.pulse_mode=2)" 2
check "is half a period of it" grep -q "the pulse lasts 0.0713 s, 1.78 steps" error
same "of one that is" "$(code_of --set analyses.1.impact_test.time.step=0.04 \
  --set 'analyses.1.impact_test.modes=[1]' --set analyses.1.impact_test.pulse_mode=1)" 0
same "shock" "$(code_of --set analyses.2.shock.time.step=0.06)" 2
same "a level with steps of its own" "$(code_of --set 'analyses.2.shock.levels=[[2.3, 0.06, 900]]')" 2
same "a pulse between two steps" "$(code_of --set analyses.3.transient.time.step=0.05)" 2
check "is said to be one" grep -q "pulse lasts 0.083 s, 1.66 steps: it falls between the steps" error
same "in milliseconds" "$(code_of --set analyses.3.transient.time.step=0.05 \
  --set 'units={length: mm, mass: kg, force: kN, time: ms}')" 2
check "times have their unit" grep -q "pulse lasts 0.083 ms, 1.66 steps.*a step of 0.041 ms" error
same "the exponential method has a line over each step" "$(code_of --set analyses.3.transient.time.step=0.05 \
  --set analyses.3.transient.time.method=exponential)" 0
same "but no more than that" "$(code_of --set analyses.3.transient.time.step=0.1 \
  --set analyses.3.transient.time.method=exponential)" 2
same "steps of any error see no pulse between them" "$(code_of --set analyses.3.transient.time.step=0.1 \
  --set analyses.3.transient.time.tolerance=1e-6)" 2
same "a sine of 1.7 steps" "$(code_of --set analyses.3.transient.loads=shake \
  --set analyses.3.transient.time.step=0.25)" 2
check "is said to be one" grep -q "1.74 steps in a period of the load" error
same "noise in a simulated test" "$(code_of --set analyses.4.frf.test.step=0.02)" 2
same "sweep" "$(code_of --set analyses.5.sweep.step=0.02)" 2

"$microslip" run study.yaml --out fine --strict > words 2> error
same "fine steps: exit code with --strict" "$?" 0
of() { summary "$2" "$1"; }
same "fine steps are complete" "$(of '[.analyses[].status] | unique | join(" ")' fine)" complete
check "steps in a period are told" jq -e '.analyses[3].steps_in_a_period > 40 and
  .analyses[3].fastest_mode == 2' fine/summary.json

coarse=()
for a in 0.modal_ringdown 1.impact_test 2.shock; do coarse+=(--set "analyses.$a.time.step=0.02"); done
coarse+=(--set analyses.3.transient.time.step=0.02 --set analyses.4.frf.test.step=0.015
  --set analyses.4.frf.test.steps=900 --set analyses.5.sweep.step=0.014)
"$microslip" run study.yaml --out coarse "${coarse[@]}" > words 2> error
same "coarse steps: exit code" "$?" 0
same "coarse steps are suspect" "$(of '[.analyses[].status] | unique | join(" ")' coarse)" suspect
same "and each says which" "$(of '[.analyses[] | select([.reasons[] | test("time step is too coarse")] | any)] |
  length' coarse)" 6
check "the pulse too" jq -e '[.analyses[3].reasons[] | test("pulse, which has 4.15 steps")] | any' coarse/summary.json
check "on standard output" grep -q "steps in a period; at least 20 are required" words
check "in the report" grep -q "steps in a period; at least 20 are required" coarse/report.html
"$microslip" run study.yaml --out coarse --strict "${coarse[@]}" > words 2> error
same "coarse steps: exit code with --strict" "$?" 1

# Both masses pushed alike: the second mode has nothing but rounding.
"$microslip" run study.yaml --out odd --set 'analyses=[{shock: {load: blow, levels: [2.3, 7], mode: 2, time: {step: 0.002, steps: 9000}}}]' > words 2> error
same "a mode that is not excited: exit code" "$?" 1
same "status" "$(of '.analyses[0].status' odd)" partial
same "rows" "$(of '.analyses[0].points' odd)" 0
check "why" grep -q "blow x 7: mode 2 could not be read: the load does not excite this mode" words

# Masses apart: a hit on one does not move the other. The mode that is read stays complete, the note names the other.
"$microslip" run study.yaml --out apart --set 'structure.chain.springs=[[ground, u1, 1031], [u2, ground, 1931]]' \
  --set 'analyses=[{impact_test: {at: [u1], levels: [17], time: {step: 0.002, steps: 9000}}}]' > words 2> error
same "one mode of two is not excited: exit code" "$?" 0
check "which one" jq -e '.analyses[0].notes | any(test("mode 2 could not be read: the load does not excite this mode"))' apart/summary.json

# A joint ten thousand times stiffer than the structure, that slips nearly always.
cat > stiff.yaml <<'Y'
microslip: 1
title: A stiff joint that slips
structure: {chain: {masses: {u1: 13.92, u2: 25.07}, springs: [[ground, u1, 5.23], [u1, u2, 7.52]]}}
joints: {slider: {law: valanis, E_0: 22077, E_t: 0, lambda: 2028440, kappa: 0.6, between: [ground, u1]}}
loads: {l: {sine: {amplitude: 12.07, omega: 1.0216}, at: u1}}
analyses:
  - transient: {name: fine, time: {step: 0.0060375, steps: 8000}, record: {every: 16, channels: [u1]}}
  - transient: {name: coarse, time: {step: 0.0966, steps: 500, method: exponential}, record: {channels: [u1]}}
Y
"$microslip" run stiff.yaml --out stiff > words 2> error
same "exponential steps are divided: exit code" "$?" 0
same "status" "$(of '[.analyses[].status] | join(" ")' stiff)" "complete complete"
check "how many" jq -e '.analyses[1].divided_steps > 400' stiff/summary.json
check "both peaks" jq -e '(.analyses[0].channels[0].lowest - .analyses[1].channels[0].lowest) /
  .analyses[0].channels[0].lowest | fabs < 2e-3' stiff/summary.json

# ---- a stiff joint on a light mass, whose mode with the joint slipping is too fast for the step ----
cat >light.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {u1: 13.92, u2: 25.07, u3: 0.1}
    springs: [[ground, u1, 5.228], [u1, u2, 7.522], [u1, u3, 1000]]
joints: {j: {law: dahl, F_c: 0.0109, sigma_0: 1000, between: [ground, u3]}}
loads: {s: {sine: {amplitude: 12.07, omega: 1.0216}, at: u1}}
analyses:
  - transient: {name: long, time: {step: 0.096, steps: 500, method: exponential}, record: {channels: [u1]}}
  - transient: {name: short, time: {step: 0.003, steps: 16000, method: newmark}, record: {channels: [u1], every: 32}}
YAML
check "a fast slipping mode: runs" "$microslip" run light.yaml --out light
near "... where it ends" "$(tail -n 1 light/tables/long.csv | cut -d, -f2)" "$(tail -n 1 light/tables/short.csv | cut -d, -f2)" 2e-3

finish
