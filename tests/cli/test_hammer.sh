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
        - {test: hits, record: soft}
        - {record: hard, test: hits, mode: 2}
        - {test: hits, record: hard, mode: 3}
  - calibrate:
      name: usual
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.95, -0.05]}
      starts: 4
      targets: [{from: hits, mode: 2}, {from: hits, mode: 3}]
  - calibrate:
      name: gains
      parameters: {lap.F_S: [1, 100], mode.2.damping: [1e-4, 1e-2], spring.3: [6, 13], hammer.gain: [0.8, 1.25], sensor.u2.gain: [0.8, 1.25]}
      starts: 1
      noise: 1e-3
      targets: [{test: hits, record: hard, mode: 2}, {test: hits, record: hard, mode: 3}, {test: hits, record: soft, mode: 2}]
  - calibrate: {name: whole, parameters: {lap.F_S: [1, 100]}, starts: 1, noise: 1e-3, targets: {test: hits}}
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
same "targets of a record" "$(cut -d, -f1 out1/tables/through_targets.csv | uniq | paste -sd, -)" \
  'target,mode 2 of soft,mode 3 of soft,mode 2 of hard,mode 3 of hard'
same "targets of a whole test" "$(cut -d, -f1 out1/tables/whole_targets.csv | uniq | paste -sd, -)" \
  'target,mode 2 of soft,mode 3 of soft,mode 2 of hard,mode 3 of hard'
near "F_S from a whole test" "$(parameter out1/tables/whole.csv lap.F_S value)" 10 0.01
within "the starts agree" "$(jq '.analyses[] | select(.name == "through") | .starts_that_agree' out1/summary.json)" 2 2
same "... and the terminal says so" "$(grep -c '^  through: complete, 2 of 2 starts ended here$' out)" 1
same "of one start nothing is said" "$(grep -c '^  whole: complete$' out)" 1
same "joints stand first, a spring has its name" \
  "$(jq -r '.analyses[] | select(.name == "gains") | .answers[].label' out1/summary.json | sed -n '1p; /spring/p')" \
  "$(printf 'Force at the onset of macroslip, lap\nStiffness of a spring, spring.3')"
table=out1/tables/gains.csv
near "F_S beside gains" "$(parameter $table lap.F_S value)" 10 0.02
near "damping of mode 2" "$(parameter $table mode.2.damping value)" 1e-3 0.02
near "the last spring" "$(parameter $table spring.3 value)" 9 0.01
near "the hammer's gain" "$(parameter $table hammer.gain value)" 1 0.01
near "a sensor's gain" "$(parameter $table sensor.u2.gain value)" 1 0.01
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

# ---- records are judged: one force has the wrong sign, one sensor is overloaded ----
file_of() { # NAME SIGN LARGEST_A3: 200 samples of rest, then the hit
  echo 'time [s],hammer [N],u1 [m/s^2],u2 [m/s^2],u3 [m/s^2]'
  awk -F, -v OFS=, -v sign="$2" -v most="$3" '
    NR == 1 { for (k = 0; k < 200; k++) print 0.1*k, 0, 0, 0, 0; next }
    { a = $5 > most ? most : $5; printf "%.10g,%.17g,%s,%s,%.17g\n", $1 + 20, sign*$2, $3, $4, a }' out1/tables/$1.csv
}
file_of soft 1 99 >soft_file.csv
file_of hard -1 99 >hard_file.csv
file_of other 1 1 >other_file.csv
judged_study() { # USE_OF_HARD [MORE]
  start | grep -v ' transient:'
  test_of judged "soft: {at: u2, file: soft_file.csv, force: hammer}, hard: {at: u2, file: hard_file.csv, force: hammer$1}, other: {at: u3, file: other_file.csv, force: hammer}"
}
judged_study '' >judged.yaml
same "records with faults: the others are used" "$(run_study judged)" ''
record_of() { # FOLDER HIT
  jq -r --arg hit "$2" '.analyses[0].records[] | select(.hit == $hit) | "\(.used) \(.verdict)"' "$1/summary.json"
}
same "a good record that ends while it rings" "$(record_of judged soft)" 'true ends early'
same "an inverted force" "$(record_of judged hard)" 'false ends early, inverted force'
same "an overloaded sensor" "$(record_of judged other)" 'false overload, ends early'
same "what is left out is a doubt" "$(jq -r '.analyses[0].status' judged/summary.json)" suspect
same "... that says how to use it" "$(grep -c 'impact hard is not used (use: anyway does): it ends .*; the force has the other sign' judged/summary.json)" 1
same "no mode of it was read" "$(awk -F, 'NR > 1 && $7 > 0 { print $1 }' judged/tables/judged_hits.csv | sort -u)" soft
{ judged_study ''; echo '  - calibrate: {parameters: {lap.F_S: [1, 100]}, targets: [{test: judged, record: hard}]}'; } >bad_target.yaml
same "a record that is left out is no target" "$(run_study bad_target | grep -c '1 parameters and 0 targets: .* impacts that are not used')" 1
# ---- the report shows the records, and which of them are doubtful ----
shown() { grep -c "$1" judged/report.html; }
same "pulses, frequency responses and spectrograms" "$(for title in '>Records<' '>Frequency responses by level<' '>Spectrograms of the records<'; do
  [[ $(shown "$title") -gt 0 ]] || echo "no $title"; done)" ''
same "a doubtful record says why in its panel" "$(grep -o 'hard: left out' judged/report.html | sort -u)" 'hard: left out'
same "... as its verdict is" "$(grep -o '>overload, ends early<' judged/report.html | sort -u)" '>overload, ends early<'
same "a good one is not marked" "$(grep -c 'soft: left out\|soft: doubtful' judged/report.html)" 0

judged_study ', use: anyway' >anyway.yaml
same "a doubtful record that the study wants" "$(run_study anyway)" ''
same "... is used" "$(record_of anyway hard)" 'true ends early, inverted force'
{ start | grep -v ' transient:'; test_of none 'hard: {at: u2, file: hard_file.csv, force: hammer}'; } >none.yaml
same "no good record" "$(run_study none | grep -c 'all impacts are doubtful, and none is used; hard: it ends .*; the force has the other sign')" 1
# ---- of a whole test, what cannot be read is left out, and that is said ----
{ start
  test_of loud 'soft: {at: u2, from: soft}, hard: {at: u2, from: hard}' ', noise: 0.8'
  echo '  - calibrate: {parameters: {lap.F_S: [1, 100]}, starts: 1, noise: 1e-3, targets: {test: loud}}'
} >loud.yaml
same "a noisy test" "$(run_study loud)" ''
same "targets that are left" "$(cut -d, -f1 loud/tables/calibrate_targets.csv | uniq | paste -sd, -)" \
  'target,mode 3 of soft,mode 2 of hard,mode 3 of hard'
same "the one that is not" "$(grep -o "could not be read, and are no targets: mode 2 of soft[.]" loud/report.html | sort -u | wc -l)" 1

# ---- refused ----
refused() { # WORDS FROM TO: study file.yaml with FROM replaced
  sed "s/$2/$3/" file.yaml >bad.yaml
  "$microslip" check bad.yaml >out 2>error
  same "refused: $1" "$? $(grep -c -- "$1" error)" '2 1'
}
refused "no channel 'a7'" 'u3: a3' 'u3: a7'
same "... the caret is at the sensor" "$(awk 'NR == 2 { at = index($0, "a7") } NR == 3 { print index($0, "^") - at }' error)" 0
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
