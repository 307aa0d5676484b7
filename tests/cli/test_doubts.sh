#!/bin/bash
# Results that are not to be trusted say so: fits that are poor, that end at a bound or that the data do not
# determine, and whatever rests on a suspect result.
source "$(dirname "$0")/checks.sh"

head2() {
  cat <<'Y'
microslip: 1
structure:
  chain:
    masses: {u1: 1.13, u2: 0.87}
    springs: [[ground, u1, 1031], [u1, u2, 514]]
  damping: {modal: 0.0013}
joints:
  lap: {law: iwan4, F_S: 1.7, K_T: 437, chi: -0.37, beta: 1.1, between: [u1, u2]}
Y
}

# ---- calibrate ----
{
  head2
  echo 'analyses:'
  echo '  - backbone: {modes: [2], methods: [qsma], amplitudes: {from: 1.0e-4, to: 0.031, points: 24}}'
} > curve.yaml
same "a curve" "$(run_study curve)" ''
# Damping that grows otherwise than any Iwan element's; a frequency that jumps.
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "q,omega,zeta" }
  NR > 1 { printf "%s,%s,%.9g\n", $at["q"], $at["omega"], $at["zeta"] * exp(1.3*sin(2.1*log($at["q"]))) }' \
  curve/tables/backbone.csv > wild.csv
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "q,omega,zeta" }
  NR > 1 { printf "%s,%.9g,%s\n", $at["q"], $at["omega"] + (NR % 3 ? 1.7 : -2.3), $at["zeta"] }' \
  curve/tables/backbone.csv > ripple.csv
fit() { # NAME PARAMETERS TARGET [MORE]
  cat <<Y
  - calibrate: {name: $1, parameters: {$2}, targets: [{mode: 2, from: $3}], starts: 3$4}
Y
}
all='lap.F_S: [0.3, 9], lap.K_T: [97, 1900], lap.chi: [-0.9, -0.1], lap.beta: [0.11, 11]'
{
  head2
  echo 'analyses:'
  echo '  - backbone: {modes: [2], methods: [qsma], amplitudes: {from: 1.0e-4, to: 0.031, points: 24}}'
  fit good "$all" backbone ''
  fit wild "$all" wild.csv ''
  fit lax "$all" wild.csv ', misfit_limit: 3'
  fit ripple "$all" ripple.csv ''
  fit bound 'lap.K_T: [97, 411]' backbone ''
  fit open "$all" 'backbone, window: [1.0e-4, 4.0e-4]' ''
  echo "  - calibrate: {name: front, method: nsga2, points: 8, generations: 2, parameters: {$all}, targets: [{mode: 2, from: wild.csv}]}"
} > fits.yaml
same "fits" "$(run_study fits)" ''
same "one that fits is complete" "$(status_of fits good) $(reasons fits good)" 'complete '
same "a poor one without noise is suspect" "$(status_of fits wild)" suspect
check "since the damping is off" grep -q "the fit is poor: the damping of mode 2 .* of its size .*misfit_limit 0.1" <(reasons fits wild)
same "a limit of its own" "$(reasons fits lax | grep -c 'the fit is poor')" 0
check "a frequency is held against its shift" grep -q "the fit is poor: the frequency of mode 2 .* of its shift" <(reasons fits ripple)
check "a value at its bound" grep -q "K_T of lap ended at its upper bound, 411" <(reasons fits bound)
check "what the data do not determine" grep -q "the data do not determine .*beta of lap: other values fit as well" <(reasons fits open)
check "a front that comes nowhere near" grep -q "the fit is poor: the damping" <(reasons fits front)
sed 's/misfit_limit: 3/misfit_limit: 0/' fits.yaml > bad.yaml
refused_bad 'misfit_limit'

# ---- the energy balance of a ring-down is the one that its status is about: over the largest energy put in, most of which
# the pulse takes back here ----
cat >back.yaml <<'YAML'
microslip: 1
structure: {matrices: {mass: [[2.2958889]], stiffness: [[8.03707255]]}, damping: {modal: 6.367779e-4}}
joints: {j1: {law: gap, K: 68.41, g_plus: 1.0707877e-5, g_minus: 4.9863e-6, between: [ground, u1]}}
analyses:
  - modal_ringdown: {modes: [1], levels: {1: [1.39775846e-5, 0.0067706877]}, time: {step: 0.03518236, steps: 4364}}
YAML
same "a pulse that takes energy back" "$(run_study back)" ''
same "... is complete" "$(status_of back modal_ringdown)" complete
within "... and its energy balance" "$(jq '.analyses[0].worst_energy_balance' back/summary.json)" 1e-6 0.01
same "... as in the table" "$(jq '.analyses[0].worst_energy_balance' back/summary.json)" \
  "$(awk -F, 'NR > 1 { if ($8 > w) w = $8 } END { print w }' OFMT=%.17g back/tables/modal_ringdown_runs.csv)"

# ---- fit_modal, and what rests on it ----
{
  head2
  cat <<'Y'
analyses:
  - modal_ringdown: {modes: [2], levels: {2: [9.1]}, time: {step: 0.002, steps: 9000}}
  - fit_modal: {form: continuous}
  - modal_iwan: {form: continuous}
  - modal_ringdown: {name: coarse, modes: [2], levels: {2: [9.1]}, time: {step: 0.023, steps: 900}}
  - calibrate: {name: after, parameters: {lap.K_T: [97, 1900]}, targets: [{mode: 2, from: coarse}], starts: 2}
Y
} > chain.yaml
same "a chain of analyses" "$(run_study chain)" ''
same "the ring-down is complete" "$(status_of chain modal_ringdown)" complete
check "its fit leaves parameters open" grep -q "mode 2, continuous form: the data do not determine" <(reasons chain fit_modal)
check "what rests on the fit is suspect" grep -qx "it uses fit_modal, which is suspect" <(reasons chain modal_iwan)
check "steps that are coarse" grep -q "too coarse" <(reasons chain coarse)
check "the same of a fit to them" grep -qx "it uses coarse, which is suspect" <(reasons chain after)

# ---- the modes of a modal model, loads that take no part, noise that repeats itself, numbers too large ----
{
  head2
  cat <<'Y'
loads:
  late: {sine: {amplitude: 0.71, frequency: 2.3, start: 1.1}, at: u1}
  past: {half_sine: {amplitude: 0.71, duration: 0.31, start: -0.11}, at: u1}
  rattle: {noise: {rms: 0.31, high: 31, seed: 7, lines: 370, start: 0.2}, at: u1}
analyses:
  - modal_ringdown: {modes: [2], levels: {2: [9.1]}, time: {step: 0.002, steps: 9000}}
  - fit_modal: {form: continuous}
  - modal_iwan: {form: continuous, time: {step: 0.014, steps: 1300}}
  - modal_ringdown: {name: huge, modes: [2], levels: {2: [9.1e159]}, time: {step: 0.002, steps: 900}}
  - transient: {loads: [late], time: {step: 0.002, steps: 700}}
  - transient: {name: noisy, loads: [rattle], time: {step: 0.002, steps: 9000}}
  - transient: {name: rest, loads: [past], preload: {u1: 0.1}, time: {step: 0.002, steps: 70}}
Y
} > runs.yaml
"$microslip" run runs.yaml --out runs > words 2> error
same "one of them fails" "$? $(jq -r '[.analyses[].status] | join(" ")' runs/summary.json)" \
  '1 complete suspect suspect failed complete suspect complete'
same "a modal model is that of its mode" "$(reasons runs modal_iwan | grep -c 'too coarse: mode 2, ') \
$(reasons runs modal_iwan | grep -c 'mode 1')" '2 0'
check "numbers whose squares are none" grep -q "too large for its energy to be a number (modal velocity 8.* units" <(reasons runs huge)
note() { analysis runs "$1" '.notes // [] | .[]'; }
check "noise that repeats itself" grep -q "load rattle: .* repeats after 11.94 s, 1.49 times" <(note noisy)
sed 's/start: 1.1}/start: 1.4}/' runs.yaml > bad.yaml
refused_bad 'load late begins at 1.4 s, but the run ends at 1.4 s'
sed 's/start: -0.11}/start: -0.31}/' runs.yaml > bad.yaml
refused_bad 'load past ends at 0 s, before the run begins'
# Nothing pushes: zeros are right, and worth a word.
{
  head2
  echo 'analyses: [{transient: {time: {step: 0.002, steps: 70}}}]'
} > still.yaml
same "a run at rest" "$(run_study still)" ''
same "says that it is one" "$(jq -r '.analyses[0] | .status, .notes[0]' still/summary.json | tr '\n' ' ')" \
  'complete nothing moves: no mode takes part '

# ---- tests that are read where they cannot be ----
"$microslip" new hysteresis | sed "s/steps: 20000/steps: 3170/" >unsteady.yaml
same "a vibration that has not settled" "$(run_study unsteady) $(status_of unsteady hysteresis)" " suspect"
check "... says so" grep -q "the residual of the harmonics is 0\.[0-9]*" <(reasons unsteady hysteresis)
sed -i "s/joint: lap$/joint: lap\n      residual_limit: 0.97/" unsteady.yaml
same "... up to its limit" "$(run_study unsteady) $(status_of unsteady hysteresis)" " complete"
"$microslip" new sweep | sed "s/duration: 20/duration: 3.1/" >fast.yaml
same "a sweep that is too fast" "$(run_study fast) $(status_of fast sweep)" " suspect"
check "... says so" grep -q "above 3.6 in 4 of 4 resonances" <(reasons fast sweep)

finish
