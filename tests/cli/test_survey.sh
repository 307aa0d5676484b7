#!/bin/bash
# microslip survey: simulated impact tests of two assemblies, as files; report, JSON and bad input.
source "$(dirname "$0")/checks.sh"
record=$build_dir/tests/impact_record
mkdir data
cd data || exit 2
mkdir loose tight
"$record" 17 1 rate=6400 >loose/hit1.csv
"$record" 70 2 rate=6400 >loose/hit2.csv
"$record" 290 3 rate=6400 >loose/hit3.csv
"$record" 80 4 rate=6400 second=0.4 >loose/hit4.csv
"$record" 70 5 rate=6400 preload=3 >tight/hit1.csv
"$record" 290 6 rate=6400 preload=3 | sed '1s/(g)/(m\/s^2)/g' |
  awk -F, 'BEGIN { OFS = "," } NR > 1 { for (i = 3; i <= NF; i++) $i *= 9.80665 } { print }' >tight/hit2.csv

check "two assemblies" "$microslip" survey --group loose loose --group tight tight/hit1.csv tight/hit2.csv --sensor a4 --report survey.html
"$microslip" survey --group loose loose --group tight tight --sensor a4 --json >out.json
value() { jq -r "$1" out.json; }
same "groups, files and units" "$(value '.groups[] | [.name, .sensor, .unit, (.impacts | length)] | join(" ")')" $'loose a4 g 4\ntight a4 g 2'
same "modes" "$(value '.groups[0].modes[].peak_hz/10 | round')" $'8\n21\n38\n43'
same "two blows are left out" "$(value '.groups[0].impacts[] | .used')" $'true\ntrue\ntrue\nfalse'
check "... and why" jq -e '.groups[0].impacts[3].remarks[0] | startswith("2 blows instead of one")' out.json
check "nonlinear, from a lower level in the loose one" jq -e '
  [.groups[].modes[0].f_from] | .[0] > 0 and .[1] > 1.5*.[0] and .[1] < 6*.[0]' out.json
check "units of files do not matter: impacts agree where both can be read" jq -e '
  [.groups[1].modes[0].points[] | select(.impacts == 2 and .coupled == false) | .f_spread] | length > 0 and max < 0.005' out.json
"$microslip" survey --group loose loose --group tight tight --sensor a4 >out.txt
same "the table has the numbers of the JSON" "$(awk '/^mode .* f from \[g\]/ { n++ } n == 1 && /^ *1 / { print $6, $7; exit }' out.txt)" \
  "$(jq -r '.groups[0].modes[0] | [.f_from, .zeta_from][]' out.json | awk '{ printf "%s%s", s, $1 == "null" ? "-" : sprintf("%.4g", $1); s = " " }')"
check "where other modes ring too, and a note of it" jq -e '.groups[0].modes[1] |
  ([.points[].coupled] | all) and (.notes[0] | contains("other modes ring too"))' out.json
check "the answer in words" jq -e '.groups[0].answer | startswith("The structure is nonlinear: mode 1 (frequency from 0.")' out.json
report=$(cat survey.html)
for word in 'Is the structure nonlinear?' 'Frequency and damping of mode 4' 'loose, the mode alone' 'tight, other modes ring too' 'coherence' \
  '290 N' 'hit4.csv' '2 blows instead of one' 'modes filtered by shape' \
  'hit4.csv: left out' 'hit1.csv' 'its spectrum' 'Spectrograms of the records'; do
  check "the report says $word" grep -qF "$word" <<<"$report"
done
same "the report needs nothing else" "$(grep -cE '(src|href)="?https?:' survey.html)" 0

check "damping at low amplitude where other modes ring too, in a table" grep -qE '^ +2 +[0-9.]+ +~0[.]' out.txt
check "... and in JSON" jq -e '[.groups[0].modes[] | .coupled] == [false, true, true, true]' out.json

# ---- one number for a mode of all groups: records that have lost the first modes by a notch at 80.6 Hz ----
mkdir high
for i in 1 2; do
  awk -F, -v OFS=, 'BEGIN { c = 2*cos(2*3.14159265*80.6/6400) }
    NR == 1 { print; next }
    {
      for (i = 3; i <= NF; i++)
        for (k = 1; k <= 2; k++) { y = $i - c*x[i, k, 1] + x[i, k, 2]; x[i, k, 2] = x[i, k, 1]; x[i, k, 1] = $i; $i = y }
      if (NR > 5) print
    }' loose/hit$i.csv >high/hit$i.csv
done
"$microslip" survey --group high high --group loose loose/hit[123].csv --sensor a4 --json --csv all.csv --report all.html >out.json
same "one number for a mode in all groups" "$(value '[.groups[] | [.modes[] | "\(.mode):\(.peak_hz/10 | round)"] | join(" ")] | join(" / ")')" \
  '3:38 4:43 / 1:8 2:21 3:38 4:43'
same "... in the table" "$(awk -F, '$2 ~ /^high/ { print $1 }' all.csv | sort -u | paste -sd' ')" '3 4'
check "... in the report, with those that the first group has not" grep -qF 'Frequency and damping of mode 1' all.html

# ---- hum of the mains ----
for i in 1 2; do
  awk -F, -v OFS=, 'NR > 1 { for (i = 3; i <= NF; i++) $i += 0.02*sin(2*3.14159265*49.98*NR/6400 + 1) } { print }' loose/hit$i.csv >hum$i.csv
done
"$microslip" survey hum1.csv hum2.csv --json >out.json
same "hum is named, and no mode" "$(value '.groups[0] | "\(.hum_hz | map(round)) \(.modes[0].peak_hz/10 | round)"')" '[50] 8'
check "... in words" grep -qF 'Hum of the mains: 49.9' <<<"$("$microslip" survey hum1.csv hum2.csv)"

"$microslip" survey loose/hit[123].csv --range 100,300 --edge 0.2 --modes 1 --json >out.json
check "range, edge and modes" jq -e '.groups[0] | .name == "" and .range_hz == [100, 300] and (.modes | length) == 1 and .modes[0].edge == 0.2' out.json
"$microslip" survey loose/hit1.csv loose/hit4.csv --doubtful --json >out.json
same "doubtful records on request" "$(value '[.groups[0].impacts[].used] | join(" ")')" "true true"
text=$("$microslip" survey loose/hit[123].csv)
for word in 'impacts: 3, 3 used; sensors: 4; 6400 samples per second, decimated by' 'amplitudes: a4 [g]' 'mode 1: amplitude of a4' 'band [Hz], edge'; do
  check "the text says $word" grep -qF "$word" <<<"$text"
done

# ---- names of universal files ----
uff=$source_dir/examples/hammer-to-joint/top_soft.uff
"$microslip" survey "$uff" --sensor acc3 --force hammer --json >out.json
same "a sensor by a part of its name" "$(value '.groups[0].sensor')" acc3:3+Z

# A format that says no places beside one that does, either first.
for order in "top_soft.uff held_out.csv" "held_out.csv top_soft.uff"; do
  cp "$source_dir"/examples/hammer-to-joint/{top_soft.uff,held_out.csv} .
  # shellcheck disable=SC2086 # two words
  same "names with and without places: $order" "$("$microslip" survey $order --json | jq '.groups[0].impacts | length')" 2
done

# ---- one impact with another sign than the others ----
awk -F, -v OFS=, 'NR > 1 { $4 = -$4 } { print }' loose/hit2.csv >turned.csv
"$microslip" survey loose/hit1.csv turned.csv loose/hit3.csv --json >out.json
same "a sensor with the other sign" "$(value '.groups[0].impacts[] | "\(.used) \(.remarks[0] // "")"')" $'true \nfalse a2 has the other sign than in most impacts\ntrue '
"$microslip" survey loose/hit1.csv turned.csv loose/hit3.csv --doubtful --json >out.json
same "... on request" "$(value '.groups[0].impacts[1].used')" true

# ---- curves as a table, and as targets of calibrate ----
check "curves as a table" "$microslip" survey --group loose loose --group tight tight --sensor a4 --csv curves.csv
same "... a row for each point that decays" "$(($(wc -l <curves.csv) - 1))" \
  "$("$microslip" survey --group loose loose --group tight tight --sensor a4 --json | jq '[.groups[].modes[].points[] | select(.zeta > 0)] | length')"
same "... which say of whom they are, and if other modes ring too" "$(cut -d, -f2 curves.csv | sed 1d | sort -u | paste -sd' ')" \
  'loose alone loose coupled tight alone tight coupled'
same "... with the sensor's displacement, velocity and acceleration" "$(awk -F, 'NR > 1 && ((($4/$3/$6) - 1)^2 > 1e-12 || (($5/$4/$6) - 1)^2 > 1e-12 || ($6/$7/6.283185307179586 - 1)^2 > 1e-12)' curves.csv)" ''
cat >sensor.yaml <<'END'
microslip: 1
title: Curves of a survey as targets
units: SI
structure:
  chain:
    masses: {u1: 1.1, u2: 0.9, u3: 1.3, u4: 0.7}
    springs: [[ground, u1, 6.0e+5], [u1, u2, 8.0e+5], [u2, u3, 9.0e+5], [u3, u4, 5.0e+5]]
  damping: {modal: 0.003}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 20, K_T: 3.0e+5, chi: -0.4, beta: 1.5}
analyses:
  - modes
  - calibrate: {parameters: {lap.F_S: [1, 1000]}, starts: 1, targets: [{from: curves.csv, curve: loose alone, mode: 1, sensor: u4, columns: {q: displacement}}]}
END
"$microslip" run sensor.yaml --out fit >out 2>&1
same "calibrate reads them" "$(grep 'sensor.yaml:' out)" ''
same "... the mode's rows, over its shape at the sensor" "$(awk -F, '
  FILENAME ~ /shapes/ { if ($1 == 1 && $2 == "u4") shape = $3; next }
  FILENAME ~ /^curves/ { if ($1 == 1 && $2 == "loose alone") x[++n] = $3; next }
  FNR > 1 { k++; if (($4*shape/x[k] - 1)^2 > 1e-12) print k, $4, x[k] }
  END { if (k < 5 || k != n) print k " of " n }' fit/tables/modes_shapes.csv curves.csv fit/tables/calibrate_curves.csv)" ''
refuse_study() { # WORDS SED
  sed "$2" sensor.yaml >wrong.yaml
  same "refused: $1" "$("$microslip" check wrong.yaml 2>&1 | grep -c -- "$1")" 1
}
refuse_study 'say with sensor: where they were measured' 's/sensor: u4, //'
refuse_study "say which with curve: ...: column 'method' has loose alone, loose coupled, tight alone, tight coupled" 's/curve: loose alone, //'
refuse_study "'u9'" 's/sensor: u4/sensor: u9/'
refuse_study 'sensor and units are those of tables' 's/- modes/- backbone: {modes: 1, amplitudes: [1e-6, 1e-5, 1e-4, 1e-3]}/; s/curves.csv, curve: loose alone/backbone/'

refused() { refused_line "$1" survey "${@:2}"; }
refused 'name the files of an impact test'
refused '--group B has no files' --group A loose --group B
refused '--group A comes after files of no group' loose --group A tight
refused 'none.csv: cannot be opened' none.csv
refused 'hit1.csv: no sensor has the name given by --sensor; the file has hammer (force), a1' loose/hit1.csv --sensor tip
refused "no sensor has the name given by --sensor; the file has hammer:3+Z (force), acc1:1+Z" "$uff" --sensor 3+Z
awk -F, -v OFS=, 'NR > 1 { $3 = 0.25 } { print }' loose/hit1.csv >silent.csv
refused 'at which amplitudes are wanted, has no signal in any record' silent.csv --sensor a1
refused 'no channel has the name given by --force' loose/hit1.csv --force pump
refused '--report x.pdf: the report is HTML' loose --report x.pdf
refused '--range 9,3: LOW,HIGH in Hz' loose --range 9,3
refused '--edge 2 must be in' loose --edge 2
refused '--csv and --report both name x.html' loose --report x.html --csv x.html
refused '--group a,b: with --csv a name has no comma and no quote' --group a,b loose --csv x.csv
refused '--modes 1.5 must be a whole number' loose --modes 1.5
refused "option '--fast' is not known" loose --fast
sed '1s/hammer (N)/base (g)/' loose/hit1.csv >unforced.csv
refused "unforced.csv: no channel is the hammer's force; a channel table can say which one is" unforced.csv
cut -d, -f1,2 loose/hit1.csv >force.csv
refused 'force.csv: no channel is a sensor with kind, unit and times; a channel table can say' force.csv
cut -d, -f2,3 loose/hit1.csv >untimed.csv
refused 'untimed.csv: no channel is a sensor with kind, unit and times: a1 (no evenly sampled history)' untimed.csv
check "... with a rate" "$microslip" survey untimed.csv --rate 6400
sed '1s/a2 (g)/a2/;1s/a3 (g)/v3 (m\/s)/' loose/hit1.csv >mixed.csv
check "other kinds, and what has none, are left out" grep -qF 'channels left out: a2 (neither kind nor unit), v3 (another kind than the other sensors)' \
  <<<"$("$microslip" survey mixed.csv)"
awk -F, 'BEGIN { OFS = "," } NR > 1 { $4 = 0.1 } { print }' loose/hit2.csv >still.csv
check "a sensor without a signal" grep -qF 'still.csv: a2 has no signal: all samples are the same' <<<"$("$microslip" survey still.csv)"
late() { # STEPS by which the second channel begins later
  printf 'LabVIEW Measurement\nX_Columns\tMulti\n***End_of_Header***\nChannels\t2\n'
  printf 'Y_Unit_Label\tN\t\tm/s^2\nX_Dimension\tTime\t\tTime\nX0\t0\t\t0.%03d\nDelta_X\t0.00100000\t\t0.00100000\n***End_of_Header***\n' "$1"
  printf 'X_Value\thammer\tX_Value\ta1\n'
  for k in $(seq 0 9); do printf '0.%03d\t%s\t0.%03d\t%s\n' "$k" "$k" $((k + $1)) -"$k"; done
}
sed '1s/a1 (g)/velocity1 (g)/' loose/hit1.csv >named.csv
check "remarks on files are said" grep -qF 'named.csv: channel velocity1 would be velocity by its name or type' \
  <<<"$("$microslip" survey named.csv 2>&1 >out)"
same "... once by ringdown" "$("$microslip" ringdown named.csv 2>&1 >out | grep -c 'named.csv: channel velocity1')" 1
for steps in 1 10; do
  late $steps >late.lvm
  refused "late.lvm: channel a1 begins at $(awk "BEGIN { print $steps/1000 }") s, the others at 0 s" late.lvm
done
cut -d, -f1-4 loose/hit1.csv >short.csv
refused 'short.csv: a channel of the first file is missing here' loose/hit1.csv short.csv
mkdir notes
cp loose/hit1.csv notes/
printf 'Tuesday, after the break\nspecimen 3, bolts at 9 Nm\n' >notes/notes.txt
cp curves.csv notes/
same "no records in a folder are skipped, and named" "$("$microslip" survey notes --json | jq -r '.groups[0] | "\(.no_records) \(.impacts | length)"')" 'curves.csv, notes.txt 1'
check "... in words" grep -qxF 'files that are no records: curves.csv, notes.txt' <<<"$("$microslip" survey notes)"
refused 'notes.txt:2: no rows of numbers follow' notes/hit1.csv notes/notes.txt
rm notes/hit1.csv
refused "no file is a record with a hammer's force and times: curves.csv, notes.txt" notes
mkdir empty
refused 'empty: no file in the folder is one of measured data' empty
head -n 700 loose/hit1.csv >cut.csv
refused 'cut.csv: 48 samples are left behind the pulse' cut.csv
refused 'each of the 1 records has overloads or several blows' loose/hit4.csv

finish
