#!/bin/bash
# hammer_test, targets with record, predict: hits of a transient and of a file read alike, a joint
# found through the test, the same on any number of threads, held-out hits predicted; what is refused.
source "$(dirname "$0")/checks.sh"

# failure FOLDER HIT MODE BY COLUMN of predict_errors.csv
failure() { values "$1/tables/predict_errors.csv" "$5" "$2" "$3" "$4"; }

# ---- three masses, hit on the second one: modes 2 and 3 ring ----
channels='u1.acceleration, u2.acceleration, u3.acceleration'
transient() { # NAME
  echo "  - transient: {name: $1, loads: [$1], time: {step: 0.02, steps: 20000, method: exponential}, record: {every: 5, channels: [$1, $channels]}}"
}
start() {
  cat <<END
microslip: 1
title: Three masses, hit
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-3}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
loads:
  soft: {at: u2, half_sine: {amplitude: 30, duration: 1.1}}
  hard: {at: u2, half_sine: {amplitude: 210, duration: 1.1}}
  other: {at: u3, half_sine: {amplitude: 120, duration: 1.1}}
analyses:
$(transient soft)
$(transient hard)
$(transient other)
END
}
test_of() { # NAME HITS [MORE]
  echo "  - hammer_test: {name: $1, sensors: [u1, u2, u3], modes: [2, 3], hits: {$2}${3-}}"
}
{
  start
  test_of hits 'soft: {at: u2, from: soft}, hard: {at: u2, from: hard}' ', add_noise: {part: 0.003, seed: 3}'
  test_of held 'other: {at: u3, from: other}'
  cat <<'END'
  - calibrate:
      name: through
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.95, -0.05]}
      starts: 2
      noise: 1e-3
      targets:
        - {test: hits, record: soft, mode: 2}
        - {test: hits, record: soft, mode: 3}
        - {test: hits, record: hard, mode: 2}
        - {test: hits, record: hard, mode: 3}
  - calibrate:
      name: usual
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.95, -0.05]}
      starts: 4
      targets: [{from: hits, mode: 2}, {from: hits, mode: 3}]
  - fit_modal: {name: modal, from: hits, form: continuous}
  - predict: {test: held, by: [through, usual, modal]}
END
} >study.yaml
for threads in 1 2; do
  "$microslip" run study.yaml --out out$threads --threads $threads >out 2>error
  same "with $threads threads" "$? $(cat error)" '0 '
done
same "two threads give the same" "$(diff -rq out1 out2)" ''
same "columns without a meaning" "$(without_meaning out1)" ''
table=out1/tables/through.csv
near "F_S through the test" "$(parameter $table lap.F_S value)" 10 0.02
near "K_T through the test" "$(parameter $table lap.K_T value)" 1 0.02
near "chi through the test" "$(parameter $table lap.chi value)" -0.5 0.04
within "the starts agree" "$(jq '.analyses[] | select(.name == "through") | .starts_that_agree' out1/summary.json)" 2 2
for mode in 2 3; do
  within "held out, mode $mode: damping through the test" "$(failure out1 other $mode through zeta_rms)" 1e-9 0.05
  within "held out, mode $mode: damping by a modal model" "$(failure out1 other $mode modal zeta_rms)" 0.05 30
done
same "rows of the prediction are the test's" \
  "$(awk -F, '$3 == "through" { print $4, $7 }' out1/tables/predict.csv | sort)" \
  "$(awk -F, 'NR > 1 && $6 > 0 { print $3, $6 }' out1/tables/held.csv | sort)"

# ---- the same hit from a file ----
{ echo 'time [s],hammer [kN],a1 [m/s^2],a2 [mm/s^2],a3 [m/s^2]'
  awk -F, -v OFS=, 'NR > 1 { printf "%s,%.17g,%s,%.17g,%s\n", $1, $2/1000, $3, $4*1000, $5 }' out1/tables/hard.csv
} >hard.csv
from_file() {
  start
  echo "  - hammer_test: {sensors: {u1: a1, u2: a2, u3: a3}, modes: [2, 3], hits: {hard: {at: u2, file: hard.csv, force: hammer}}}"
  test_of again 'hard: {at: u2, from: hard}'
}
from_file >file.yaml
same "a hit from a file" "$(run_study file)" ''
same "is read as that of the transient" "$(awk -F, '
  NR == FNR { if (FNR > 1) { n++; for (i = 3; i <= 6; i++) want[n, i] = $i }; next }
  FNR > 1 { k++; for (i = 3; i <= 6; i++) if (($i/want[k, i] - 1)^2 > 1e-14) print k, i, $i, want[k, i] }
  END { if (k != n || k < 20) print k " rows, " n }' file/tables/again.csv file/tables/hammer_test.csv)" ''

# ---- offsets of force and sensors, 500 samples before the hit ----
{ head -1 hard.csv
  awk -F, -v OFS=, 'NR == 2 { for (k = 0; k < 500; k++) print 0.1*k, 0.0009, 0.02, -70, 0.05 }
    NR > 1 { printf "%.10g,%.17g,%.17g,%.17g,%.17g\n", $1 + 50, $2 + 0.0009, $3 + 0.02, $4 - 70, $5 + 0.05 }' hard.csv
} >off.csv
offset_study() { # [MORE]
  start
  echo "  - hammer_test: {sensors: {u1: a1, u2: a2, u3: a3}, modes: [2, 3], hits: {hard: {at: u2, file: off.csv, force: hammer}}${1-}}"
}
offset_study >off.yaml
same "a hit with offsets" "$(run_study off)" ''
same "... that were found" "$(cut -d, -f2-5 off/tables/hammer_test_offsets.csv | awk -F, 'NR > 1 { printf "%s %s %s %.6g\n", $1, $2, ($3 > 450 && $3 < 500), $4 }')" \
  "$(printf '%s\n' 'force N 1 0.9' 'a1 m/s^2 1 0.02' 'a2 m/s^2 1 -0.07' 'a3 m/s^2 1 0.05')"
offset_study ', offset: keep' >kept.yaml
same "offsets that are kept" "$(run_study kept; awk -F, 'NR > 1 && ($4 != 0 || $5 != 0)' kept/tables/hammer_test_offsets.csv)" ''

same "a file without samples before the hit says so" \
  "$(jq -r '.analyses[3].status, (.analyses[3].notes | join(" "))' file/summary.json | grep -c '^complete$\|fewer than 16 samples before it')" 2

# ---- refused ----
refused() { # WORDS FROM TO: study file.yaml with FROM replaced
  sed "s/$2/$3/" file.yaml >bad.yaml
  "$microslip" check bad.yaml >out 2>error
  same "refused: $1" "$? $(grep -c -- "$1" error)" '2 1'
}
refused "no channel 'a7'" 'u3: a3' 'u3: a7'
refused "no channel 'hammmer'" 'force: hammer' 'force: hammmer'
refused 'needs force' ', force: hammer' ''
refused "unit 'm\\/s^2' is not a unit of force" 'force: hammer' 'force: a1'
refused 'needs file or from' 'file: hard.csv, force: hammer' 'force: hammer'
refused '3 sensors do not tell 4 modes apart\|no mode 4' 'modes: \[2, 3\], hits: {hard: {at: u2, file' 'modes: [1, 2, 3, 4], hits: {hard: {at: u2, file'
refused "offset 'leave' is none of subtract, keep" 'modes: \[2, 3\], hits: {hard: {at: u2, file' 'offset: leave, modes: [2, 3], hits: {hard: {at: u2, file'
refused "no degree of freedom 'u9'" 'u3: a3' 'u9: a3'
refused 'does not record the velocity of u1' 'sensors: \[u1, u2, u3\]' 'sensors: [u1, u2, u3], kind: velocity'
refuse_target() { # WORDS TARGET
  { from_file; echo "  - calibrate: {parameters: {lap.F_S: [1, 100]}, targets: [$2]}"; } >bad.yaml
  "$microslip" check bad.yaml >out 2>error
  same "refused: $1" "$? $(grep -c -- "$1" error)" '2 1'
}
refuse_target "again has no hit 'soft'" '{record: soft, mode: 2}'
refuse_target 'again does not read mode 1' '{record: hard, mode: 1}'
refuse_target "compare 'all' is none of" '{record: hard, mode: 2, compare: all}'
{ start; test_of short 'soft: {at: u2, from: soft}' ', window: [0, 9]'; } >short.yaml
same "a record that is too short says so" "$(run_study short | grep -c 'soft: no mode can be read; mode 2: the record is too short')" 1

finish
