#!/bin/bash
# What can be known before a run is found by `check`, at its place: options that only a run used to see, and records
# that will be too short.
source "$(dirname "$0")/checks.sh"

# A damping matrix that the modes do not diagonalise, or modal damping; 0.1 s of a sine of 60 Hz.
study() { # DAMPING, with analyses on standard input
  cat <<END
microslip: 1
structure:
  matrices:
    coordinates: [left, right]
    mass: [1.2, 0.8]
    stiffness: [[6.6e5, -2.5e5], [-2.5e5, 2.5e5]]
  damping: $1
joints:
  lap: {law: iwan4, between: [left, right], F_S: 20, K_T: 2.1e4, chi: -0.4, beta: 1.5}
loads:
  push: {sine: {amplitude: 11, frequency: 60}, at: right}
analyses:
END
  cat
}
full='{matrix: [[3.1, -0.4], [-0.4, 0.2]]}'
modal='{modal: 5.0e-4}'
bad() { # WORDS, with an analysis behind a transient
  study "$modal" >bad.yaml <<END
  - transient: {loads: push, time: {step: 5.0e-4, steps: 200}, record: {channels: [push, left.acceleration, right.acceleration, right, lap.z, lap.f]}}
  - $(cat)
END
  refused_bad "$1"
}

# ---- damping and method ----
study "$full" >bad.yaml <<<'  - transient: {loads: push, time: {step: 5.0e-4, steps: 200, method: exponential}}'
refused_bad 'needs damping that the modes diagonalise|use newmark'
study "$full" >bad.yaml <<<'  - modal_ringdown: {levels: [3.1], time: {step: 5.0e-4, steps: 200, method: exponential}}'
refused_bad 'needs damping that the modes diagonalise'
study "$full" >bad.yaml <<<'  - sweep: {at: right, mode: 1, levels: 1, from: 5, to: 50, duration: 2, step: 1.0e-3, method: exponential}'
refused_bad 'needs damping that the modes diagonalise'
study "$full" >bad.yaml <<<'  - frf: {at: right, sensor: right, range: [5, 50], test: {load: push, step: 5.0e-4, steps: 200, method: exponential}}'
refused_bad 'needs damping that the modes diagonalise'
study "$full" >bad.yaml <<<'  - transient: {loads: push, time: {step: 5.0e-4, steps: 200, method: newmark}}'
check "newmark takes it" "$microslip" check bad.yaml
study "$modal" >bad.yaml <<<'  - transient: {loads: push, time: {step: 5.0e-4, steps: 200, method: exponential}}'
check "modal damping is diagonal" "$microslip" check bad.yaml

# ---- records too short ----
bad 'a window of 0.2 s has 401 samples' <<<'spectrogram: {channel: right, window: 0.2, range: [5, 200]}'
bad 'a window of 0.001 s has 3 samples' <<<'spectrogram: {channel: right, window: 0.001, range: [5, 200]}'
bad 'no line of the spectrum' <<<'spectrogram: {channel: right, window: 0.05, range: [1100, 1200]}'
sed -i 's/1100, 1200/11, 1200/' bad.yaml
check "a window that fits" "$microslip" check bad.yaml
loop='accelerations: [left.acceleration, right.acceleration], mass: 0.8, joint: lap'
bad 'the record has 6.03 periods, not 7' <<<"hysteresis: {$loop, frequency: 60, periods: 7}"
bad 'do not hold 17 harmonics' <<<"hysteresis: {$loop, frequency: 60, periods: 4, harmonics: 17}"
sed -i 's/harmonics: 17/harmonics: 15/' bad.yaml
check "periods and harmonics that fit" "$microslip" check bad.yaml
bad 'the record has 6.03 periods, not 9' <<<'force_state: {joint: lap, sensors: [right], frequency: 60, periods: 9}'
bad 'takes two periods at least' <<<'force_state: {joint: lap, sensors: [right], periods: 1}'
response='at: right, sensor: left, range: [5, 200]'
bad 'none from 5 to 200 Hz' <<<"frf: {$response, test: {load: push, step: 5.0e-6, steps: 800, length: 400}}"
bad 'up to 1000 Hz, none from 1100 to 1200 Hz' \
  <<<"frf: {at: right, sensor: left, range: [1100, 1200], test: {load: push, step: 5.0e-4, steps: 800, length: 400}}"
sed -i 's/1100, 1200/5, 200/' bad.yaml
check "blocks that resolve the range" "$microslip" check bad.yaml

# ---- targets of a calibration ----
printf '%s\n' mode,q,omega,zeta '2,1e-4,900,1e-3' '2,2e-4,899,1e-3' '2,4e-4,898,2e-3' '2,8e-4,897,3e-3' >curve.csv
free='parameters: {lap.K_T: [1.0e4, 1.0e5]}'
bad '1 of 4 points are in the window; it takes 3' \
  <<<"calibrate: {$free, targets: [{mode: 2, from: curve.csv, window: [7.0e-4, 9.0e-4]}]}"
sed -i 's/7.0e-4, 9.0e-4/1.5e-4, 9.0e-4/' bad.yaml
check "a window with enough points" "$microslip" check bad.yaml
study "$modal" >bad.yaml <<END
  - backbone: {modes: [2], methods: [qsma], amplitudes: [1.0e-4, 2.0e-4, 4.0e-4, 8.0e-4]}
  - calibrate: {$free, targets: [{mode: 2, from: backbone, window: [3.0e-4, 9.0e-4]}]}
END
refused_bad '2 of the 4 amplitudes of backbone are in the window'
printf '%s\n' force,stiffness,dissipation '1,2e4,1e-5' '2,1.9e4,1e-4' '4,1.8e4,1e-3' >test.csv
bad '0 of 3 points are in the window' <<<"calibrate: {$free, targets: [{joint_test: test.csv, joint: lap, window: [5, 9]}]}"
bad "hysteresis has no loop of 'strong'" <<END
hysteresis: {$loop, frequency: 60}
  - calibrate: {$free, targets: [{loop: hysteresis, source: strong, joint: lap}]}
END

# ---- models of modes ----
study "$modal" >bad.yaml <<END
  - modal_ringdown: {levels: {1: [3.1], 2: [4.7]}, time: {step: 5.0e-4, steps: 200}}
  - fit_modal: {form: continuous}
  - modal_iwan: {form: printed}
END
refused_bad "fit_modal does not fit the printed form"
"$microslip" new predict | sed "s/by: \[fit_modal\]/by: [fit_modal], form: printed/" >bad.yaml
refused_bad "fit_modal does not fit the printed form"
study "$modal" >bad.yaml <<END
  - ringdown: {file: record.csv, mode: 1, at: right}
  - fit_modal
  - modal_iwan
END
awk 'BEGIN { print "t [s],a [m/s^2]"; for (i = 0; i < 900; i++) print i * 1e-4 "," exp(-3e-3 * i) * cos(0.06 * i) }' >record.csv
refused_bad "ringdown is a measurement: it has no pulses"
study "$modal" >bad.yaml <<<'  - modal_ringdown: {levels: {1: [3.1], 2: [4.7]}, time: {step: 5.0e-4, steps: 200}}'
sed -i "s/\[\[6.6e5, -2.5e5\], /[[2.5e5, -2.5e5], /" bad.yaml
refused_bad "mode 1 is a rigid-body mode and does not ring"

# ---- axes of a joint ----
study "$modal" >bad.yaml <<<'  - modes'
sed -i 's/  lap: .*/  lap: {law: contact3d, between: [left, right], mu: 0.3, K_n: 2.0e4, K_t: 1.0e4, N_0: 5}/' bad.yaml
refused_bad 'write between: [[a, b, c], [d, e, f]]'
sed -i 's/  lap: .*/  lap: {law: jenkins2d, between: [left, right], F_S: 5, K_T: 2.0e4}/' bad.yaml
refused_bad 'write between: [[a, b], [c, d]]'

finish
