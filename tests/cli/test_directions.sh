#!/bin/bash
# Joints by directions, without finite elements: two bodies given by matrices, each a node with
# coordinates ux, uz and rx. What rigid, free, laws and linear springs make of them against closed
# forms, and what is refused, with the place in the file.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"

# Every coordinate has a mass of its own and a spring to the ground, none couples with another.
study() { # JOINTS, one line each
  cat <<'Y'
microslip: 1
structure:
  matrices:
    coordinates: [lap.1.a.ux, lap.1.a.uz, lap.1.a.rx, lap.1.b.ux, lap.1.b.uz, lap.1.b.rx, lap.2.a.ux, lap.2.b.ux]
    mass: [1.2, 1.2, 0.3, 0.7, 0.7, 0.2, 0.9, 1.1]
    stiffness: [5.1e4, 7.3e4, 1.9e3, 3.3e4, 2.2e4, 0.7e3, 8.1e4, 9.4e4]
  damping: {modal: 0.01}
joints:
Y
  printf '  %s\n' "$@"
  echo 'analyses: [modes]'
}
run() { # JOINTS: frequencies, stuck and slipped, as one list each
  study "$@" >study.yaml
  "$microslip" run study.yaml --out out >/dev/null 2>error || cat error
}
omega() { # COORDINATE stuck|slipped: the frequency of the mode in which it moves most, by its shape
  awk -F, -v c="$1" -v k="$([[ $2 == stuck ]] && echo 3 || echo 4)" '
    FNR == 1 { next }
    FNR == NR { if ($2 == c && $k*$k > top) { top = $k*$k; mode = $1 } next }
    $1 == mode { print $(k - 1) }' out/tables/modes_shapes.csv out/tables/modes.csv
}
root() { awk -v k="$1" -v m="$2" 'BEGIN { printf "%.15g", sqrt(k/m) }'; }
# Two masses on springs with a third between them: the lower and the higher frequency.
two() { # m1 k1 m2 k2 k LOW|HIGH
  awk -v a="$1" -v p="$2" -v b="$3" -v q="$4" -v k="$5" -v which="$6" 'BEGIN {
    x = (p + k)/a; y = (q + k)/b; d = sqrt((x - y)^2/4 + k*k/(a*b))
    printf "%.15g", sqrt((x + y)/2 + (which == "HIGH" ? d : -d)) }'
}

report "rigid: runs" "$(run 'lap.1: {z: rigid, rx: free}')"
same "rigid: one coordinate less" "$(($(wc -l <out/tables/modes.csv) - 1))" 7
near "rigid: the masses and springs add" "$(omega lap.1.a.uz stuck)" "$(root 9.5e4 1.9)" 1e-12
near "free: on its own" "$(omega lap.1.b.rx stuck)" "$(root 0.7e3 0.2)" 1e-12

report "linear: runs" "$(run 'lap.1: {x: {law: linear, K: 2.6e4}}')"
for state in stuck slipped; do
  near "linear: there when $state" "$(omega lap.1.b.ux $state)" "$(two 1.2 5.1e4 0.7 3.3e4 2.6e4 HIGH)" 1e-12
done
same "linear: no joint" "$("$microslip" check study.yaml)" "study.yaml: valid; 8 degrees of freedom, 0 joints, 1 analyses"

iwan='{law: iwan4, F_S: 12, K_T: 4.4e4, chi: -0.4, beta: 1.3}'
report "side by side, all pairs: runs" "$(run "'lap.*': {x: [$iwan, {law: linear, K: 2.6e4}]}")"
near "side by side: stuck, both" "$(omega lap.1.b.ux stuck)" "$(two 1.2 5.1e4 0.7 3.3e4 7.0e4 HIGH)" 1e-9
near "side by side: slipped, the spring" "$(omega lap.1.b.ux slipped)" "$(two 1.2 5.1e4 0.7 3.3e4 2.6e4 HIGH)" 1e-12
near "the second pair: stuck" "$(omega lap.2.a.ux stuck)" "$(two 0.9 8.1e4 1.1 9.4e4 7.0e4 HIGH)" 1e-9
same "two joints, by name" "$(grep -o 'Joints lap.1.x, lap.2.x:' out/report.html)" 'Joints lap.1.x, lap.2.x:'

report "two laws and a spring: runs" "$(run "lap.1: {x: [$iwan, {law: linear, K: 2.6e4}, {law: jenkins, K_T: 1.1e4, F_S: 3}]}")"
near "two laws and a spring: stuck, all" "$(omega lap.1.b.ux stuck)" "$(two 1.2 5.1e4 0.7 3.3e4 8.1e4 HIGH)" 1e-9
near "two laws and a spring: slipped" "$(omega lap.1.b.ux slipped)" "$(two 1.2 5.1e4 0.7 3.3e4 2.6e4 HIGH)" 1e-12

report "between: runs" "$(run 'cross: {between: [lap.1.b, lap.2.a], x: {law: linear, K: 2.6e4}}')"
near "between: other nodes" "$(omega lap.2.a.ux stuck)" "$(two 0.7 3.3e4 0.9 8.1e4 2.6e4 HIGH)" 1e-12
report "ground: runs" "$(run 'foot: {between: [ground, lap.1.a], x: rigid, z: {law: linear, K: 1.5e4}}')"
same "ground: held" "$(($(wc -l <out/tables/modes.csv) - 1))" 7
near "ground: a spring" "$(omega lap.1.a.uz stuck)" "$(root 8.8e4 1.2)" 1e-12
# A linear law with a dashpot: its spring is the structure's, what is left loses energy.
report "dashpot: runs" "$(run 'lap.1: {x: {law: linear, K: 2.6e4, C: 3}}')"
near "dashpot: the spring is there when slipped" "$(omega lap.1.b.ux slipped)" "$(two 1.2 5.1e4 0.7 3.3e4 2.6e4 HIGH)" 1e-12
same "dashpot: a joint" "$("$microslip" check study.yaml)" "study.yaml: valid; 8 degrees of freedom, 1 joints, 1 analyses"

# The other name of a coordinate that became one.
study 'lap.1: {z: rigid}' | sed 's/^analyses.*//' >alias.yaml
echo 'analyses: [{impact_test: {at: [lap.1.b.uz], levels: [3], modes: [1], time: {step: 1e-4, steps: 2000}}}]' >>alias.yaml
report "the other name is understood" "$("$microslip" check alias.yaml 2>&1 >/dev/null)"

# refused TEXT LINE:COLUMN WORDS JOINTS
refused() {
  study "${@:4}" >study.yaml
  refused_at "refused: $1" study.yaml "$2" "$3"
}
refused "no such pair" 9:3 "joint 'lop.*' matches no pair of nodes; there is for example 'lap.1'" 'lop.*: {x: rigid}'
refused "a coordinate that is not there" 9:14 "there is no degree of freedom 'lap.2.a.uz'" 'lap.2: {z: rigid}'
refused "a word" 9:14 "a direction is {law: ...}, a list of laws in parallel, rigid or free" 'lap.1: {z: stiff}'
refused "a direction" 9:21 "has no key 'rz2'" 'lap.1: {z: rigid, rz2: free}'
refused "rigid twice" 10:18 "lap.1.a.uz and lap.1.b.uz are one degree of freedom already" 'lap.1: {z: rigid}' "'lap.[1]': {z: rigid}"
refused "a law on what is rigid" 10:19 "lap.1.a.uz and lap.1.b.uz are connected rigidly" 'lap.1: {z: rigid}' "'lap.[1]': {z: {law: linear, K: 5}}"
refused "two laws that are no list" 10:19 "lap.1.x has a law already; give laws in parallel as a list" "lap.1: {x: $iwan}" "'lap.[1]': {x: $iwan}"
refused "a law of several axes" 9:15 "law jenkins2d has 2 axes" 'lap.1: {x: {law: jenkins2d, K_T: 5, F_S: 2}}'
refused "a parameter" 9:28 "no parameter" 'lap.1: {x: {law: linear, Q: 5}}'
refused "between one node" 9:17 "between must name two nodes" 'a: {between: [lap.1.a], x: rigid}'
refused "between a node that is not there" 9:39 "there is no degree of freedom 'lap.3.a.ux'" 'a: {between: [lap.1.a, lap.3.a], x: rigid}'
refused "a node and itself" 9:39 "one degree of freedom already" 'a: {between: [lap.1.a, lap.1.a], x: rigid}'

finish
