#!/bin/bash
# Measured stepped sines: targets of calibrate, from a table that an independent simulation has made; what is said where
# a point cannot be reached; what is refused, with its line.
source "$(dirname "$0")/checks.sh"

cp "$source_dir/tests/data/shaker/three_levels.csv" .
two() { # JOINT: of the structure in tests/data/shaker/simulate.py
  cat <<END_OF_STUDY
microslip: 1
structure:
  chain:
    masses: {left: 1.2, right: 0.8}
    springs: [[ground, left, 4.0e+5], [left, right, 2.5e+5]]
  damping: {modal: 0.01}
joints:
  lap: {between: [left, right], $1}
analyses:
END_OF_STUDY
}
start='law: iwan4, F_S: 30, K_T: 3.0e+4, chi: -0.1, beta: 0.6'
all='{lap.F_S: [5, 80], lap.K_T: [5.0e+3, 8.0e+4], lap.chi: [-0.9, 0.5], lap.beta: [0.1, 10]}'
calibrate() { # PARAMETERS TARGET [OPTIONS]
  echo "  - calibrate: {parameters: $1, targets: [$2], starts: 3${3-}}"
}

# ---- three levels with 1 % noise ----
{ two "$start"; calibrate "$all" '{shaker: three_levels.csv, at: right, sensor: left}' ', noise: 0.01'; } >fit.yaml
same "a fit to three levels" "$(run_study fit)" ''
for p in "F_S 20" "K_T 2e4" "chi -0.4" "beta 1.5"; do
  value=$(parameter fit/tables/calibrate.csv "lap.${p% *}" value)
  error=$(parameter fit/tables/calibrate.csv "lap.${p% *}" standard_error)
  within "standard errors of ${p% *} from the truth" "$(awk "BEGIN { print ($value - ${p#* })/$error }")" -3 3
  within "which are a tenth at most, of chi a fifth" "$(awk "BEGIN { e = $error/${p#* }; print e < 0 ? -e : e }")" 0 0.2
done
same "its status" "$(status_of fit calibrate)" complete
for quantity in amplitude phase; do
  within "what is left of the $quantity is the noise" \
    "$(values fit/tables/calibrate_targets.csv rms "left of three_levels.csv" fit $quantity)" 0.008 0.012
done
same "every point stands in a table, with its force" \
  "$(values fit/tables/calibrate_shaker.csv force | sort -g | uniq -c | awk '{ printf "%s x %s, ", $1, $2 }')" \
  '15 x 2, 15 x 12, 15 x 45, '
mv fit one
same "on two threads" "$(run_study fit --threads 2)" ''
same "the same files" "$(diff -rq one fit)" ''

# other names, units and kinds of motion; a window; other weights: nearly the same stiffness
awk -F, '/^#/ { next } !n++ { print "f [rad/s];F [kN];x [mm];lag [rad]"; next }
  { w = 6.283185307179586*$1; printf "%.12g;%.12g;%.12g;%.12g\n", w, $2/1e3, 1e3*$3/w^2, ($4 - 180)*3.141592653589793/180 }' \
  three_levels.csv >other.csv
{ two 'law: iwan4, F_S: 20, K_T: 3.0e+4, chi: -0.4, beta: 1.5'
  for table in 'three_levels.csv' 'other.csv, columns: {frequency: f, force: F, amplitude: x, phase: lag}'; do
    calibrate '{lap.K_T: [5.0e+3, 8.0e+4]}' "{shaker: $table, at: {right: 1}, sensor: left, window: [60, 62.3], weight: [1, 0]}" \
      ", name: c${table%%.*}"
  done; } >names.yaml
same "a table with other names and units" "$(run_study names)" ''
near "says the same" "$(parameter names/tables/cother.csv lap.K_T value)" \
  "$(parameter names/tables/cthree_levels.csv lap.K_T value)" 1e-6
same "10 of 15 frequencies are in the window" "$(values names/tables/cother_targets.csv points)" 30

# ---- a hardening spring: points of the upper branch, which a softer one does not have there ----
hard='law: cubic, K: 2.0e+4, K3: 2.0e+10'
{ two "$hard"
  echo '  - frequency_response: {load: {at: right}, levels: [40], frequency: [57, 75], points: [63, 64, 64.5, 65], sensors: [left]}'
} >hard.yaml
same "a curve with a fold" "$(run_study hard)" ''
{ echo 'frequency [Hz],force [N],amplitude [m],phase [rad]'
  awk -F, 'NR > 1 { f = sprintf("%.9f", $2/6.283185307179586) }
    NR > 1 && f ~ /^(63|64|64.5|65).0*$/ && !seen[f]++ { print f ",40," $4 "," $7 }' hard/tables/frequency_response_sensors.csv; } >hard.csv
same "four points of it" "$(wc -l <hard.csv)" 5
{ two "$hard"
  calibrate '{lap.K3: [1.0e+9, 1.0e+11]}' '{shaker: hard.csv, at: right, sensor: left, harmonics: 7}' ', name: found'
  calibrate '{lap.K3: [1.0e+9, 2.0e+9]}' '{shaker: hard.csv, at: right, sensor: left, harmonics: 7}' ', name: lost'; } >branch.yaml
same "with the right spring and one that is too soft" "$(run_study branch)" ''
near "from the upper branch" "$(parameter branch/tables/found.csv lap.K3 value)" 2e10 1e-3
same "all of it was reached" "$(status_of branch found)" complete
like "points that are not are named" "$(reasons branch lost | head -n 1)" \
  '4 of 4 points of left of hard.csv could not be reached from the measured motion (rows 2, 3, 4, 5)*another branch*'
same "and the status says so" "$(status_of branch lost)" suspect

# ---- drawn over computed curves ----
right='law: iwan4, F_S: 20, K_T: 2.0e+4, chi: -0.4, beta: 1.5'
{ two "$right"
  echo '  - frequency_response: {load: {at: right}, levels: [2, 12], frequency: [58, 64], sensors: [left], measured: {file: three_levels.csv}}'
  echo '  - stepped_sine: {load: {at: right}, levels: [2, 12, 45], modes: [1], sensors: [left], measured: {file: other.csv, columns: {frequency: f, force: F, amplitude: x, phase: lag}}}'
} >over.yaml
same "measured beside computed" "$(run_study over)" ''
for name in frequency_response stepped_sine; do
  within "$name: frequencies at resonance" "$(analysis over $name .measured.largest_omega_difference)" 1e-6 5e-4
  within "$name: amplitudes there" "$(analysis over $name .measured.largest_displacement_difference)" 1e-4 0.03
  near "$name: the largest is that of its table" "$(analysis over $name .measured.largest_omega_difference)" \
    "$(values over/tables/${name}_measured.csv omega_difference | sed 's|^-||' | largest)" 1e-12
done
same "resonances, and rows of no level" "$(analysis over frequency_response '"\(.measured.resonances) \(.measured.other_levels)"')" '2 15'
near "damping by the balance of power, of the highest level" "$(values over/tables/stepped_sine_measured.csv zeta 45)" \
  "$(values over/tables/stepped_sine.csv zeta 1 45)" 0.05
for label in '2 N, measured' '12 N, measured' '>measured<'; do
  check "the report draws $label" grep -qF -- "$label" over/report.html
done

# ---- refused ----
bad() { # TEXT TARGET WORDS
  { two "$start"; calibrate '{lap.F_S: [5, 80]}' "$2"; } >bad.yaml
  refused_bad "$3"
}
bad "a file that is not there" '{shaker: none.csv, at: right, sensor: left}' 'none.csv'
bad "a sensor that is not there" '{shaker: three_levels.csv, at: right, sensor: top}' 'top'
bad "no sensor" '{shaker: three_levels.csv, at: right}' 'sensor'
bad "a window without points" '{shaker: three_levels.csv, at: right, sensor: left, window: [1, 2]}' 'it takes 3'
bad "too few time points" '{shaker: three_levels.csv, at: right, sensor: left, times: 12}' 'times 12'
sed 's/amplitude \[m\/s^2\]/amplitude/' three_levels.csv >nounit.csv
bad "a heading without a unit" '{shaker: nounit.csv, at: right, sensor: left}' 'its heading must say'
sed '5s/,2,/,-2,/' three_levels.csv >negative.csv
bad "a negative force" '{shaker: negative.csv, at: right, sensor: left}' 'negative.csv:5: force is -2'

{ two "$right"; echo '  - stepped_sine: {load: {base: true}, levels: [1], measured: {file: three_levels.csv}}'; } >bad.yaml
refused_bad 'the response to a force'
{ two "$right"; echo '  - frequency_response: {load: {at: right}, levels: [1], omega: [350, 400], measured: {file: nounit.csv}}'; } >bad.yaml
refused_bad 'its heading must say'

# ---- a swept sine: its records instead of a table ----
truth='law: iwan4, F_S: 20, K_T: 2.0e+4, chi: -0.4, beta: 1.5'
record() { # SECONDS: a shaker that sweeps, simulated in time; force and acceleration as a table
  two "$truth" | sed "s/^analyses:/loads:\n  shaker: {sweep: {amplitude: 12, from: 57, to: 66, duration: $1}, at: right}\n&/"
  echo "  - transient: {loads: [shaker], time: {step: 5.0e-4, steps: $((2000 * $1)), method: exponential}, record: {channels: [left.acceleration, shaker]}}"
}
swept='swept: {force: shaker, channel: left.acceleration, rows: 30}'
record 100 >slow.yaml
same "a slow sweep, simulated in time" "$(run_study slow)" ''
cp slow/tables/transient.csv slow.csv
{ two 'law: iwan4, F_S: 30, K_T: 3.0e+4, chi: -0.4, beta: 1.5'
  calibrate '{lap.F_S: [5, 80], lap.K_T: [5.0e+3, 8.0e+4]}' "{shaker: slow.csv, at: right, sensor: left, $swept}"; } >swept.yaml
same "a fit to its records" "$(run_study swept)" ''
near "F_S from a swept sine" "$(parameter swept/tables/calibrate.csv lap.F_S value)" 20 0.05
near "K_T from a swept sine" "$(parameter swept/tables/calibrate.csv lap.K_T value)" 2e4 0.05
within "a row for every window" "$(values swept/tables/calibrate_targets.csv points | head -n 1)" 25 30
{ two "$truth"
  echo "  - frequency_response: {load: {at: right}, levels: 12, frequency: [57, 66], sensors: left, measured: {file: slow.csv, $swept}}"
  echo "  - sweep: {at: right, mode: 1, sensor: left, levels: 12, from: 57, to: 66, duration: 10, step: 5.0e-4, method: exponential, directions: up, measured: {file: slow.csv, $swept}}"
} >over.yaml
same "it lies over computed curves" "$(run_study over)" ''
within "at resonance: displacement" "$(values over/tables/frequency_response_measured.csv displacement_difference)" -0.01 0.01
within "at resonance: frequency" "$(values over/tables/frequency_response_measured.csv omega_difference)" -1e-3 1e-3
within "over the envelope, the largest response" "$(values over/tables/sweep_measured.csv response | largest)" 1.6e-3 1.72e-3
same "upwards" "$(awk -F, 'NR > 1 { print $2 }' over/tables/sweep_measured.csv | sort -u)" up
sed 's/rows: 30/&, periods: 8/' over.yaml >eight.yaml
same "with the periods that make a row if nothing is said" "$(run_study eight)" ''
same "... the same rows" "$(cat eight/tables/sweep_measured.csv)" "$(cat over/tables/sweep_measured.csv)"
record 12 >fast.yaml
same "a fast one" "$(run_study fast)" ''
cp fast/tables/transient.csv fast.csv
sed 's/slow.csv/fast.csv/' swept.yaml >bad.yaml
refused_bad 'the sweep is too fast for steady states|changes amplitudes by about'
sed 's/channel: left.acceleration/channel: right.acceleration/' swept.yaml >bad.yaml
refused_bad "right.acceleration"
sed '/frequency_response/d; s/sensor: left, levels/levels/' over.yaml >bad.yaml
refused_bad 'what was measured is a translation: name its degree of freedom as sensor'

finish
