#!/bin/bash
# microslip new ANALYSIS: several at once, and files; cli.manual runs the study of each.
source "$(dirname "$0")/checks.sh"

# ---- several, once each, in an order that works ----
"$microslip" new predict fit_modal backbone >several.yaml
same "several" "$(sed -nE 's/^  - ([a-z_]+).*/\1/p' several.yaml | tr '\n' ' ')" \
  'transient hammer_test modal_ringdown fit_modal predict backbone '
check "several are valid" "$microslip" check several.yaml

# ---- files ----
check "to a file" "$microslip" new sweep --to sweep2.yaml
same "... as printed" "$(cat sweep2.yaml)" "$("$microslip" new sweep)"
report "... never over one" "$("$microslip" new frf --to sweep2.yaml 2>&1 | grep -q 'exists already' || echo overwritten)"
same "... which stays" "$(cat sweep2.yaml)" "$("$microslip" new sweep)"
report "an unknown name" "$("$microslip" new sweep sweeep 2>&1 | grep -q "no analysis 'sweeep'" || echo accepted)"
check "one word that is no analysis is a file" "$microslip" new mine.yaml
check "... which is valid" "$microslip" check mine.yaml

# ---- of measured files: a hammer at node 3 against z, sensors at 3 and 7, 80 and 210 Hz ----
mkdir -p from/data
cd from || exit 2
awk 'BEGIN {
  pi = 3.14159265358979; print "Time;hammer;ch1;ch 2;temperature\ns;N;g;g;degC"
  for (k = 0; k < 4000; k++) {
    t = k/2000 - 0.1; f = a = 0
    if (t > 0 && t < 0.004) f = 90*sin(pi*t/0.004)
    if (t > 0) { a = 3*exp(-4*t)*sin(2*pi*80*t); b = exp(-4*t)*sin(2*pi*210*t) }
    printf "%.4f;%.5f;%.6f;%.6f;21\n", t, f, a + b, 2*a - b
  }
}' >data/blow.1.csv
printf 'channel,name,node,direction\n1,,3,-z\n2,,3,z\n3,tip: 7 #2,7,x\n' >data/blow.1.csv.channels.csv
cp data/blow.1.csv blow.csv
cp data/blow.1.csv.channels.csv blow.csv.channels.csv
check "from files" "$microslip" new --from blow.csv data/blow.1.csv --to hammer.yaml
check "... is valid" "$microslip" check hammer.yaml
for line in '        blow: {at: {p3z: -1}, file: "blow.csv", force: "hammer"}' '        blow_1: {at: {p3z: -1}, file: "data/blow.1.csv", force: "hammer"}' \
  '        p3z: "ch1"' '        p7x: "tip: 7 #2"' '      kind: acceleration' '      modes: [1, 2]' '# Peaks of the spectra, Hz: 80, 210' \
  '#   temperature: unknown kind, degC, 4000 samples at 2000 Hz (not used)' \
  '      # noise: number; default as before each impact - rms of every sensor'"'"'s noise, in SI units: what is read'; do
  check "... with $line" grep -qxF -- "$line" hammer.yaml
done
check "... which says that rows depend on the structure" grep -qF 'until then, rows are not those of your modes.' hammer.yaml
joint=$source_dir/examples/hammer-to-joint
for order in "top_soft.uff held_out.csv" "held_out.csv top_soft.uff"; do
  for file in $order; do cp "$joint/$file" .; done
  # shellcheck disable=SC2086 # two words
  check "files of two formats, $order" "$microslip" new --from $order --to two.yaml
  same "... by the names that both have" "$(grep -oE '"acc[0-9][^"]*"' two.yaml | paste -sd' ')" '"acc1" "acc2" "acc3"'
  check "... is valid" "$microslip" check two.yaml
  rm -f two.yaml
done
check "... runs" "$microslip" run hammer.yaml
same "... and finds the modes" "$(jq -r '[.analyses[0].answers[] | select(.symbol == "omega") | .value/6.283185307 | round] | join(" ")' results/summary.json)" '80 210'
check "into another folder" "$microslip" new --from blow.csv --to data/ring.yaml
check "... which finds the file" "$microslip" check data/ring.yaml
cut -d ';' -f 1,3 blow.csv >ring.csv
"$microslip" new --from ring.csv >ring.yaml
same "without a force: a ring-down" "$(grep -E '^  - |^      (file|channel|band)' ring.yaml | tr '\n' '|')" \
  '  - ringdown:|      file: "ring.csv"|      channel: "ch1" # or another one of the list above|      band: [63.99, 99.99] # Hz, about the peak at 79.993 Hz|'
check "... is valid" "$microslip" check ring.yaml
cut -d ';' -f 1,2,3 blow.csv >fewer.csv
refused() { refused_line "$1" new "${@:2}"; }
cut -d ';' -f 1-4 blow.csv >four.csv
refused "fewer.csv: has no evenly sampled channel 'ch 2' as four.csv has" --from four.csv fewer.csv
refused "ring.csv: has no channel of a force as fewer.csv has" --from fewer.csv ring.csv
printf 't [s];u [V]\n0;1\n1;2\n2;4\n' >volts.csv
refused "volts.csv: has no evenly sampled history of a displacement" --from volts.csv
refused "none.csv: cannot be opened" --from none.csv
refused '--from stands before the files' sweep --from blow.csv
refused '--from needs a value' --from
refused "hammer.yaml exists already" --from blow.csv --to hammer.yaml

finish
