#!/bin/bash
# An analysis that fails on the way: the others are computed and written, all marked partial; one
# message with the place in the study file; exit code 1; a changed study is not blocked.
source "$(dirname "$0")/checks.sh"

# A spring that softens has an edge; a push over it ends the run.
cat > study.yaml <<'Y'
microslip: 1
title: Over the edge
structure:
  chain:
    masses: {u1: 1.13, u2: 0.37}
    springs: [[ground, u1, 113]]
  damping: {modal: 0.01}
joints:
  soft: {law: cubic, between: [u1, u2], K: 31.7, K3: -2.0e4}
loads:
  shake: {half_sine: {amplitude: 9.7, duration: 0.731, start: 0.31}, at: u2}
analyses:
  - modes
  - transient: {time: {step: 0.001, steps: 3000}, record: {channels: [u1.acceleration, u2.acceleration, soft.z, soft.f]}}
  - hysteresis: {accelerations: [u1.acceleration, u2.acceleration], mass: 0.37, frequency: 2.1, joint: soft, periods: 2, residual_limit: 5}
  - backbone: {methods: [qsma], modes: [1], amplitudes: {from: 1.0e-6, to: 1.0e-5, points: 3}}
Y

"$microslip" run study.yaml --out out > words 2> error
status=$?
of() { summary out "$1"; }

same "exit code" "$status" 1
check "the study's status on standard output" grep -qx "Over the edge: partial\|Over the edge: skipped" words
check "and that of each analysis, with its reason" grep -A1 -x "  hysteresis: skipped" words
same "one message" "$(grep -c '^microslip:' error)" 1
check "it names the analysis and its line" grep -q "study.yaml:14:5: transient is partial" error
check "and where the rest is" grep -q "written to out" error
same "the study has the worst status" "$(of .status)" skipped
same "its analyses" "$(of '[.analyses[].status] | join(" ")')" "complete partial skipped complete"
check "why it failed" jq -e '.analyses[1].reasons[0] | test("t = |finite")' out/summary.json
same "why another was skipped" "$(of '.analyses[2].reasons[0]')" "it needs transient, which is partial"
check "numbers of those that ran" jq -e '(.analyses[0].modes | length) == 2 and
  .analyses[3].points == 3' out/summary.json
same "tables" "$(cd out/tables && echo *)" "backbone.csv backbone_curves.csv \
backbone_differences.csv modes.csv modes_shapes.csv transient.partial.csv transient_energy.partial.csv"
rows=$(tail -n +2 out/tables/transient.partial.csv | wc -l)
check "rows up to the failure, and no more: $rows" test "$rows" -gt 310 -a "$rows" -lt 3000
check "all of them finite" bash -c '! grep -qiE "(^|,)-?(nan|inf)" out/tables/*.csv'
check "the report says so at its top" bash -c \
  'sed -n "/id=.answer/,/<.section/p" out/report.html | grep -q "ms-warning.*<b>skipped</b>"'
check "and in its place" bash -c 'grep -c "<p class=.ms-warning" out/report.html | grep -qx "[2-4]"'
check "nothing else is left" test "$(cd out && find . -mindepth 1 -maxdepth 1 | sort | tr '\n' ' ')" = \
  "./columns.csv ./report.html ./results.h5 ./summary.json ./tables "

# The same folder with a changed study.
check "a smaller push: done" "$microslip" run study.yaml --out out --set loads.shake.half_sine.amplitude=0.013
same "the study" "$(of .status)" complete
same "its analyses" "$(of '[.analyses[].status] | unique | join(" ")')" complete
check "no partial table is left beside the whole ones" bash -c '! ls out/tables | grep -q partial'
check "no warning in the report" bash -c '! grep -q "class=\"ms-warning" out/report.html'

# Tables of the earlier run that this one cannot give are gone; what is no table of its analyses stays.
echo mine > out/tables/transient_notes.csv
"$microslip" run study.yaml --out out > words 2> error
same "the push again, over the finished run: exit code" "$?" 1
same "its tables alone, and the file that was no table" "$(cd out/tables && echo *)" "backbone.csv backbone_curves.csv \
backbone_differences.csv modes.csv modes_shapes.csv transient.partial.csv transient_energy.partial.csv transient_notes.csv"
rm out/tables/transient_notes.csv
echo "no results" > out/results.h5
check "beside a results.h5 that is none: done" "$microslip" run study.yaml --out out --set loads.shake.half_sine.amplitude=0.013
check "hysteresis has its tables again" test -f out/tables/hysteresis.csv

# Another study in the same folder: nothing of the first is left, but what was never its own.
echo mine > out/tables/notes.csv
printf 'microslip: 1\nstructure: {chain: {masses: {a: 1.3}, springs: [[ground, a, 7.1]]}}\nanalyses: [modes]\n' > other.yaml
check "another study" "$microslip" run other.yaml --out out
same "its tables, and the file that was no table" "$(cd out/tables && echo *)" "modes.csv modes_shapes.csv notes.csv"
check "what this one reads stays" "$microslip" run other.yaml --out out --set title=out/tables/modes_shapes.csv
check "an empty text names no file" "$microslip" run other.yaml --out out --set 'title=""'
rm out/tables/notes.csv

# The command that repeats it is quoted.
cp other.yaml "it's a \$HOME study.yaml"
check "a study with a name for the shell" "$microslip" run "it's a \$HOME study.yaml" --out quoted --set 'title=a "b"'
check "is quoted in the report" grep -qF "microslip run --set &#39;title=a &quot;b&quot;&#39; &#39;it&#39;\&#39;&#39;s a \$HOME study.yaml&#39;" quoted/report.html

# With --json the summary is printed all the same.
"$microslip" run study.yaml --out again --json > words 2> error
same "--json: exit code" "$?" 1
same "--json: the summary" "$(jq -r .status words)" skipped

# Figures as files.
check "--figures" "$microslip" run study.yaml --out out --figures --set loads.shake.half_sine.amplitude=0.013
same "one for each of the report's" "$(cd out/figures && echo *.svg)" \
  "backbone-1.svg hysteresis-1.svg transient-1.svg transient-2.svg"
same "... which has as many" "$(grep -c '<figure class="ms-figure"' out/report.html)" "$(find out/figures -name '*.svg' | wc -l)"
for file in out/figures/*.svg; do
  check "$(basename "$file") is a picture" bash -c 'head -c 200 "$1" | grep -q "<svg" && tail -n 1 "$1" | grep -q "</svg>"' - "$file"
done

# Bad input is none of this: nothing is written.
"$microslip" run study.yaml --out none --set analyses=7 > words 2> error
same "bad input: exit code" "$?" 2
check "bad input: nothing written" test ! -e none

finish
