#!/bin/bash
# Keys that are right each alone and wrong together: refused by check, with place and reason; and just inside
# the limit accepted.
source "$(dirname "$0")/checks.sh"

# Two equal halves, each on a joint: in mode 2 they move against each other.
cat > study.yaml <<'E'
microslip: 1
structure:
  chain:
    masses: {u1: 1.13, u2: 1.13}
    springs: [[ground, u1, 1031], [u1, u2, 514], [u2, ground, 1031]]
  damping: {modal: 0.003}
joints:
  a: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u1]}
  b: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u2]}
loads:
  knock: {haversine: {amplitude: 3.1, duration: 0.083}, at: u1}
  rattle: {noise: {rms: 0.31, high: 31, seed: 7}, at: u1}
  aside: {noise: {rms: 0.31, high: 31, seed: 7}, at: u2}
  shaken: {noise: {rms: 0.31, high: 31, seed: 7}, base: {u1: 1, u2: 1}}
analyses:
  - backbone: {modes: [1], methods: [qsma, epmc], amplitudes: {from: 0.001, to: 0.1, points: 4}}
  - stepped_sine: {load: {at: [u1, u2]}, levels: [0.1, 0.3], modes: [1]}
  - sweep: {at: u1, mode: 1, levels: [0.7], from: 3, to: 7, duration: 60, step: 0.002}
  - transient: {loads: [knock], time: {step: 0.002, steps: 1000}, record: {channels: [u1, u2]}}
  - frf: {at: u1, sensor: u1, range: [1, 20], test: {load: rattle, step: 0.002, steps: 4000}}
  - modal_ringdown: {modes: [1, 2], levels: {1: [23], 2: [31]}, time: {step: 0.002, steps: 9000}}
  - impact_test: {at: [u1], levels: [17], time: {step: 0.002, steps: 9000}, compare: modal_ringdown}
E
good() { # TEXT KEY=VALUE...
  local text=$1 set=()
  shift
  for s in "$@"; do set+=(--set "analyses.$s"); done
  check "$text" "$microslip" check study.yaml "${set[@]}"
}
bad() { # TEXT WORDS KEY=VALUE...
  local text=$1 words=$2 set=()
  shift 2
  for s in "$@"; do set+=(--set "analyses.$s"); done
  refuses "$text" "$words" study.yaml "${set[@]}"
}

good "all is well"
bad "a range that ends where it begins" 'to must be above from' 0.backbone.amplitudes.to=0.001
bad "time points of a backbone" '31 time points are too few for 7 harmonics; at least 32 are needed' 0.backbone.times=31
good "just enough" 0.backbone.times=32
bad "harmonics for the usual time points" 'time points are too few for 300 harmonics; at least 1204 are needed' \
  0.backbone.harmonics=300
bad "a preload that is a number" 'preload must be {degree of freedom: force}' 0.backbone.preload=3
bad "sensitivities of another method" "sensitivities are qsma's" 0.backbone.methods=epmc 0.backbone.sensitivities=true
bad "no method" 'methods is an empty list' '0.backbone.methods=[]'
bad "one method twice" 'methods has an entry twice' '0.backbone.methods=[qsma, qsma]'
bad "both masses pushed alike" 'the load does no work on mode 2' '1.stepped_sine.modes=[1, 2]'
good "one of them" '1.stepped_sine.modes=[1, 2]' '1.stepped_sine.load={at: u1}'
bad "time points of a balance" 'times must be a whole number >= 32 for 7 harmonics, not 31' 1.stepped_sine.times=31
good "just enough" 1.stepped_sine.times=32
bad "a preload that is a number" 'preload must be {degree of freedom: force}' 1.stepped_sine.preload=3
bad "more steps than can be kept" 'steps are too many to keep; at most 1e8' 2.sweep.step=3e-7
bad "a channel twice" "channel 'u1' is there already" '3.transient.record.channels=[u1, u2, u1]'
bad "channels that are none" 'channels must be a list of names' '3.transient.record.channels=[]'
bad "more steps than can be counted" 'steps is too large: 1e+16' 3.transient.time.steps=1e16
bad "a test that pushes elsewhere" "load aside does not act where the response is asked for: see 'u1'" \
  4.frf.test.load=aside
bad "a test that moves the base" "load shaken is a base's acceleration, the response asked for that of a force" \
  4.frf.test.load=shaken
bad "a mode without levels" 'levels lack mode 2' '5.modal_ringdown.levels={1: [23]}'
bad "levels of neither kind" 'mode 2 needs stuck or slipped levels' '5.modal_ringdown.levels={1: [23], 2: {}}'
bad "what has no curves" "'transient' is a transient; name a modal_iwan or modal_ringdown" 6.impact_test.compare=transient

# Two masses that nothing holds to ground: mode 1 is that of a rigid body, mode 2 is not.
cat > free.yaml <<'E'
microslip: 1
structure: {chain: {masses: {u1: 1.13, u2: 0.87}, springs: [[u1, u2, 514]]}, damping: {modal: 0.003}}
joints: {lap: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [u1, u2]}}
loads: {knock: {haversine: {amplitude: 3.1, duration: 0.083}, at: u1}}
analyses: [modes]
E
printf 'q,omega,zeta\n0.001,36.2,0.004\n0.002,36.1,0.005\n0.004,36.0,0.006\n0.008,35.8,0.008\n' > curve.csv
time='time: {step: 0.002, steps: 900}'
while IFS='|' read -r name words options; do
  for mode in 1 2; do
    "$microslip" check free.yaml --set "analyses=[{$name: ${options//MODE/$mode}}]" > out 2> error
    fault=$([[ $? == $((mode == 1 ? 2 : 0)) ]] || echo "another exit code: $(head -n 1 error)")
    [[ $mode == 2 ]] || grep -qF -- "$words" error || fault+="no '$words' in: $(head -n 1 error)"
    report "$name: mode $mode of a free structure" "$fault"
  done
done <<E
backbone|mode 1 is a rigid-body mode: it has no frequency|{modes: [MODE], methods: [qsma], amplitudes: [0.01, 0.02]}
stepped_sine|mode 1 is a rigid-body mode and has no resonance|{load: {at: u1}, levels: [0.1], modes: [MODE]}
modal_ringdown|mode 1 is a rigid-body mode and does not ring|{modes: [MODE], levels: {MODE: [3]}, $time}
shock|mode 1 is a rigid-body mode and does not ring|{load: knock, levels: [2.3], mode: MODE, $time}
impact_test|mode 1 is rigid and has no period|{at: [u1], levels: [3], modes: [2], pulse_mode: MODE, $time}
propagate|mode 1 is a rigid-body mode: it has no frequency|{modes: [MODE], random: {lap.K_T: {family: lognormal, mean: 137, deviation: 9}}, amplitudes: [0.01], samples: 20}
calibrate|mode 1 is a rigid-body mode: it has no frequency|{parameters: {lap.K_T: [97, 1900]}, targets: [{mode: MODE, from: curve.csv}]}
E

# ---- ringdown: a file or a transient, and a channel of it ----
ring() { # OPTIONS
  sed '/^  - \(backbone\|stepped\|sweep\|frf\|modal_\|impact\)/d' study.yaml
  echo "  - ringdown: {mode: 1$1}"
}
while IFS='|' read -r words options; do
  ring "$options" >ring.yaml
  report "ringdown$options" "$("$microslip" check ring.yaml 2>&1 | grep -qF -- "$words" || "$microslip" check ring.yaml 2>&1)"
done <<'E'
valid|, from: transient, channel: u2
needs either file, a record, or from|, channel: u2
needs either file, a record, or from|, from: transient, file: a.csv
channel must be a displacement, velocity or acceleration that transient records|, from: transient, channel: u3
channel must be a displacement, velocity or acceleration that transient records|, from: transient
kind is for files|, from: transient, channel: u2, kind: velocity
unit is for files|, from: transient, channel: u2, unit: mm
rate is for files|, from: transient, channel: u2, rate: 7
E

finish
