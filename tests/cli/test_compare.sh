#!/bin/bash
# microslip compare: two variants of the three masses, differences against their tables and closed forms, and what is refused.
source "$(dirname "$0")/checks.sh"
command -v jq >/dev/null || skip "no jq"
# The first part of the example, with two pulses and a few amplitudes.
sed '/^analyses:/,$d' "$source_dir/examples/three-mass/study.yaml" >study.yaml
cat >>study.yaml <<'YAML'
analyses:
  - modes
  - modal_ringdown: {modes: [2], levels: {2: {stuck: [9, 3]}}, time: {step: 0.02, steps: 4000}}
  - backbone:
      methods: [qsma]
      amplitudes: {2: {from: 0.02, to: 4200, points: 12}}
YAML
sed 's/points: 12/points: 9/; s/F_S: 10/F_S: 12/' study.yaml >other.yaml
sed '/modal_ringdown/d' study.yaml >less.yaml
runs "first" study.yaml a
runs "the same with another slip force" study.yaml b --set joints.lap.F_S=12
runs "and other amplitudes" other.yaml c
runs "without an analysis" less.yaml d
# row CSV TABLE COLUMN: the row of differences.csv, by table and column.
row() { grep "^[^,]*,$2,$3," "$1"; }
compare() { "$microslip" compare "$@" >out 2>error; }

# ---- a run and itself ----
check "a run and itself" compare a a --to self
same "no difference" "$(awk -F, 'FNR > 1 && $7 != 0' self/differences.csv self/values.csv)" ''
like "the command says so" "$(head -n 1 out)" '0 of * numbers and columns differ'
check "again" compare a a --to again
check "the same bytes" diff -r self again

# ---- another slip force, the same amplitudes ----
check "two variants" compare a b --to ab
same "files" "$(cd ab && echo *)" 'answers.csv compare.html differences.csv values.csv'
zeta() { values "$1/tables/backbone.csv" zeta 2; }
want=$(paste <(zeta a) <(zeta b) | awk '{ d = $2 - $1; if (d*d > w*w) w = d } END { print w }')
# first to difference are columns 5 to 7, behind run, table, column and unit
# %, as reports have it
near "largest difference of zeta" "$(row ab/differences.csv backbone zeta | cut -d, -f7)" "$(awk "BEGIN { print 100*$want }")" 1e-5
like "where" "$(row ab/differences.csv backbone zeta)" '*"mode 2, method qsma, q '*
same "stuck modes do not depend on it" "$(row ab/differences.csv modes omega_0 | cut -d, -f7)" 0
check "swapped" compare b a --to ba
swapped=$(join -t, <(cut -d, -f2,3,7 ab/differences.csv | sed 1d | sed 's/,/|/' | LC_ALL=C sort) \
  <(cut -d, -f2,3,7 ba/differences.csv | sed 1d | sed 's/,/|/' | LC_ALL=C sort) |
  awk -F, '{ s = $2 + $3; if (s*s > 1e-20*$2*$2) print }')
same "opposite signs" "$swapped" ''
html=$(cat ab/compare.html)
like "figures have the curves of both" "$html" '*qsma, a*qsma, b*'
like "how the studies differ" "$html" '*set joints.lap.F_S=12*'

# ---- other amplitudes: zeta of the backbone over log q ----
check "curves" compare a c --to ac --names one,two
like "interpolated, and it says so" "$(row ac/differences.csv backbone zeta)" \
  '*rows by mode, method; interpolated over log q in the range of both*'
# the same by awk: at the points of each curve inside of the other
want=$(awk -F, 'FNR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; f++; next }
  $1 == 2 { q[f, ++n[f]] = log($at["q"]); z[f, n[f]] = $at["zeta"] }
  function value(f, x,   i) {
    for (i = 2; i <= n[f]; i++) if (x >= q[f, i-1] && x <= q[f, i])
      return z[f, i-1] + (z[f, i] - z[f, i-1])*(x - q[f, i-1])/(q[f, i] - q[f, i-1])
    return "none" }
  END { for (f = 1; f <= 2; f++) for (i = 1; i <= n[f]; i++) {
      v = value(3 - f, q[f, i]); if (v == "none") continue
      d = f == 1 ? v - z[f, i] : z[f, i] - v; if (d*d > w*w) w = d }
    print w }' a/tables/backbone.csv c/tables/backbone.csv)
near "the largest difference" "$(row ac/differences.csv backbone zeta | cut -d, -f7)" "$(awk "BEGIN { print 100*$want }")" 1e-5
like "the study files, line by line" "$(cat ac/compare.html)" '*- *F_S: 10*+ *F_S: 12*'
like "names" "$(cat ac/compare.html)" '*<title>one and two</title>*'

# ---- other units: --display ----
check "in SI" compare a b --to si --display rad,ratio,modal,si --figures
near "zeta" "$(row si/differences.csv backbone zeta | cut -d, -f7)" \
  "$(row ab/differences.csv backbone zeta | cut -d, -f7 | awk '{ printf "%.15g", $1/100 }')" 1e-9
like "q is a modal amplitude" "$(row si/differences.csv backbone zeta)" '*q * m sqrt(kg)"*'
like "figures" "$(head -n 1 si/figures/backbone-1.csv)" '*"modal amplitude |q| \[m√kg\]"*"ω \[rad/s\]"*"ζ"*'
like "the page says so" "$(cat si/compare.html)" '*--display rad,ratio,modal,si<*'
check "accelerations in g" compare a b --to g --display q,g@u3 --figures
like "figures" "$(head -n 1 g/figures/backbone-1.csv)" '*"acceleration at u3 \[g\]"*"f \[Hz\]"*"Q"*'
# of each run the shape and the frequency of its own, at the row where zeta differs most: q omega^2 |phi|/g
like "where" "$(row g/differences.csv backbone zeta)" '*,Q,*,"mode 2, method qsma, q * g",*'
shape=$(values a/tables/modes_shapes.csv stuck 2 u3)
want=$(awk -F, -v phi="$shape" 'FNR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
  { a = $at["q"]*$at["omega"]^2*phi/9.80665; printf "%.15g\n", a < 0 ? -a : a }' a/tables/backbone.csv | sort -g | tail -n 1)
near "the largest acceleration" "$(grep -v '^panel' g/figures/backbone-1.csv | grep 'qsma, a' | sed 's/"[^"]*"/x/g' | cut -d, -f3 | sort -g | tail -n 1)" \
  "$want" 1e-7

# ---- differences by rounding ----
runs "a slip force that differs by rounding" study.yaml e --set joints.lap.F_S=10.000000000000002
check "rounding" compare a e --to ae
same "no difference of 1e-12 is among the largest" \
  "$(sed -n '/^largest differences/,$p' out | sed -n 's/.*(\(.*\), \(.*\) %)$/\2/p' | awk '{ r = $1 < 0 ? -$1 : $1; if (r < 1e-10) print }')" ''
like "the page calls it rounding" "$(cat ae/compare.html)" '*<td>rounding</td>*'
check "the files have the numbers" awk -F, 'FNR > 1 && $7 != 0 { n++ } END { exit n == 0 }' ae/answers.csv ae/values.csv

# ---- what only one has, and several ----
check "one has no ring-downs" compare a d --to ad
like "it says so" "$(cat out)" '*Analysis modal_ringdown is only in a.*'
like "the page, too" "$(cat ad/compare.html)" '*Analysis modal_ringdown is only in a.*'
check "three" compare a b c --to abc
same "runs" "$(cut -d, -f1 abc/differences.csv | sed 1d | sort -u | paste -sd' ')" 'b c'

# ---- what is refused: exit code 2, one line, nothing written ----
refused() { # TEXT PATTERN ARGUMENT...
  compare "${@:3}" --to refused
  local code=$?
  report "refused: $1" "$([[ $code == 2 && $(wc -l <error) == 1 && $(cat error) == $2 && ! -e refused ]] ||
    echo "exit code $code: $(cat error); $(ls -d refused 2>&1)")"
}
mkdir empty damaged other && cp a/summary.json damaged && head -c 5000 a/results.h5 >damaged/results.h5
refused "one run" '*name the folders of two runs*' a
refused "no folder" '*nowhere: there is no such folder*' a nowhere
refused "no run" '*empty: this is not the folder of a finished run: there is no summary.json*' a empty
refused "a damaged file" '*damaged/results.h5*' a damaged
cp a/summary.json empty
refused "no results.h5" '*empty: *there is no results.h5*' a empty
sed '/backbone/,$d; /modal_ringdown/d; s/- modes/- modes: {name: other}/' study.yaml >apart.yaml
runs "another name" apart.yaml apart
refused "nothing in common" '*a and apart have nothing in common*' a apart
refused "too many names" '*--names has 3 names for 2 runs*' a b --names x,y,z
refused "a word" "*display: there is no 'herz'; did you mean 'hz'*" a b --display herz
refused "a sensor" "*there is no sensor 'u9'*" a b --display g@u9
refused "an option" "*option '--figure' is not known*" a b --figure
finish
