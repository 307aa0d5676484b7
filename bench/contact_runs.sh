#!/bin/bash
# usage: bench/contact_runs.sh
#
# Contact between solids by the command ($MICROSLIP), in processor time on one thread: an amplitude of a nonlinear mode by harmonic
# balance (EPMC) in examples/brake-reuss-contact, and preload and 10 ms of a shock in examples/ministack-contact, for which the report
# of 2017 gives 952 processor-hours, all around with 1.34 million degrees of freedom.
set -eu
microslip=${MICROSLIP:-build/microslip}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT=%U
missed=0
seconds() { # STUDY ANALYSES: of a run
  { time "$microslip" run "examples/$1.yaml" --out "$folder/out" --threads 1 --progress 0 --set "analyses=$2" >"$folder/said"; } 2>&1
}
verdict() { # TEXT VALUE MOST
  local word=ok
  awk -v value="$2" -v most="$3" 'BEGIN { exit !(value <= most) }' || { word=MISSED && missed=1; }
  printf '  %-66s %10.4g  (<= %g) %s\n' "$1" "$2" "$3" "$word"
}

echo "Contact between solids, by the command"
rest=$(seconds brake-reuss-contact/forced '[contact]')
points=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "closed_points") at = i } NR == 2 { print $at }' "$folder/out/tables/contact.csv")
both=$(seconds brake-reuss-contact/forced '[backbone: {modes: [7], methods: [epmc], harmonics: 3, times: 128, amplitudes: {from: 3.0e-4, to: 2.0e-3, points: 3}}]')
jq -e '.analyses[0].status == "complete"' "$folder/out/summary.json" >"$folder/said"
verdict "EPMC, $points closed points at rest, 8 modes: s an amplitude" "$(awk "BEGIN { print ($both - $rest)/3 }")" 30
shock=$(seconds ministack-contact/study \
  '[transient: {loads: [shock200], time: {step: 2.0e-6, steps: 5000}, record: {every: 10, channels: [slug.top.uz]}}]')
verdict "Ministack, a sector of 3648 elements: preload and 10 ms of a shock, s" "$shock" 20
awk "BEGIN { printf \"  ratio to the 952 processor-hours of the report, whose model is another one: %.3g\\n\", 952*3600/$shock }"
exit $missed
