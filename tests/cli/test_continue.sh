#!/bin/bash
# A long transient that is killed or stopped goes on from its last checkpoint, and its files are
# those of an uninterrupted run, byte for byte and dataset by dataset.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${BUILD_DIR:-$source_dir/build}
microslip=$(realpath "${MICROSLIP:-$build_dir/microslip}")
results_dump=$(realpath "$build_dir/tests/results_dump")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
source "$source_dir/tests/cli/checks.sh"

# study STEPS TIME: two runs, of which the second is long, with joints whose histories are merged
# many times.
study() {
  cat <<END
microslip: 1
title: Three masses that go on
structure:
  chain:
    masses: {u1: 10, u2: 11.3, u3: 9.7}
    springs: [[ground, u1, 9], [u1, u2, 8.3], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
  foot: {law: iwan5, between: [ground, u1], F_S: 17, K_T: 3.1, chi: -0.3, beta: 2.3, theta: 0.83}
loads:
  hit: {half_sine: {amplitude: 500, pulse_mode: 3}, at: u2}
  shake: {sine: {amplitude: 1.73, frequency: 0.0213}, at: u1}
analyses:
  - transient: {name: short, loads: [hit], time: {step: 0.02, steps: 3000}}
  - transient:
      name: long
      time: {steps: $1, $2}
      initial: {v: {u1: 3.1, u3: -2.7}}
      record: {every: 53, channels: [u1, u3.velocity, lap.z, lap.f, foot.f, shake]}
END
}
run() { "$microslip" run study.yaml "$@"; }

# begin STEPS TIME: a whole run. It must last, on any machine and in any build, long enough to be
# killed twice: the processor's time counts, for others may be at work here too. A short run says
# little of a long one, since what comes before and after the steps costs time as well: so the run
# is made longer until it lasts.
begin() {
  local TIMEFORMAT=%U cpu=0 steps=$1 code=0
  while awk -v t="$cpu" 'BEGIN { exit !(t < 4) }' && [[ $code == 0 ]]; do
    steps=$(awk -v n="$steps" -v t="$cpu" 'BEGIN { if (t > 0.25) n *= 5/t; else if (t > 0) n *= 20; printf "%d", n }')
    rm -rf whole killed
    study "$steps" "$2" >study.yaml
    cpu=$({ time run --out whole >out 2>error; } 2>&1)
    [[ ! -s error ]] || code=1
  done
  same "a whole run of $steps steps, $2" "$(cat error; test -f whole/summary.json && echo done)" done
  same "leaves nothing to resume" "$(ls -A whole)" $'report.html\nresults.h5\nsummary.json\ntables'
  datasets whole/results.h5 >whole.sums
}

# state DIR: age of the newest checkpoint, as a word that changes when it does.
state() { stat -c '%n %i %Y' "$1"/.resume/run-*.state 2>/dev/null; }

# interrupt SIGNAL DIR OPTION...: once a checkpoint was written since the start, and a random while.
interrupt() {
  local folder=$2 before
  before=$(state "$2")
  is_newer() { [[ $(state "$folder") != "$before" ]] && sleep 0.$((RANDOM % 90 + 10)); }
  interrupt_when is_newer "$@"
}

# went_on TEXT: the run said so, from a step that is neither the first nor, of `long`, the last.
went_on() {
  same "$1" "$(sed -E 's/step [1-9][0-9]* of [0-9]+/step/' error | sort -u | head -n 1)" \
    "microslip: long: goes on from step"
}

# datasets FILE: every one with all of its numbers.
datasets() {
  "$results_dump" "$1" | cut -d' ' -f1 | sort -u | while read -r name; do
    echo "$name $("$results_dump" "$1" "$name" | cksum)"
  done
}
compare() { # DIR
  same "tables, report and summary are those of a whole run" "$(diff -rq whole "$1" 2>&1)" ''
  same "... and all $(wc -l <whole.sums) datasets" "$(datasets "$1/results.h5")" "$(cat whole.sums)"
}

# ---- killed, and killed again ----
kill_twice() {
  local first
  interrupt KILL killed
  same "killed" "$status $(ls -A killed)" '137 .resume'
  run --out killed >out 2>error
  same "without --resume it is refused" "$? $(grep -c -e --resume error)" '2 1'
  interrupt KILL killed --resume
  same "killed again" "$status" 137
  went_on "not from the beginning"
  first=$(grep -o 'step [0-9]*' error | head -n 1)
  run --out killed --resume >out 2>error
  same "resumed" "$?" 0
  went_on "from a checkpoint"
  same "a later one" "$([[ $(grep -o 'step [0-9]*' error | head -n 1) != "$first" ]] && echo yes)" yes
  compare killed
}
begin 8000 'step: 0.5, tolerance: 1e-6, method: exponential'
kill_twice
begin 200000 'step: 0.02'
kill_twice

# ---- stopped ----
interrupt INT stopped
same "Ctrl-C" "$status" 1
same "says how to go on" "$(cat error)" \
  "microslip: stopped; go on with: microslip run study.yaml --out stopped --resume"
cp -r stopped saved
run --out stopped --resume >out 2>error
same "resumed after Ctrl-C" "$?" 0
went_on "from where it was stopped"
compare stopped

# ---- damaged: run anew, and said so ----
for damage in state 0 1; do
  rm -rf damaged
  cp -r saved damaged
  size=$(stat -c %s "damaged/.resume/run-long.$damage")
  printf 'x' | dd of="damaged/.resume/run-long.$damage" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
  timeout -s INT 1 "$microslip" run study.yaml --out damaged --resume >out 2>error
  same "damaged $damage: begins anew" "$(grep -c 'microslip: long: what was kept cannot be used' error)" 1
done
run --out damaged --resume >out 2>error
same "what was damaged ends well" "$?" 0
compare damaged

# ---- rows that another study has left behind are not taken ----
rm -rf other
cp -r saved other
rm other/.resume/jobs
timeout -s INT 0.5 "$microslip" run study.yaml --out other --set title=Other >out 2>error
same "nothing of a given-up run is used" "$(grep -c 'goes on from' error)" 0
echo "1..$n_tests"
[[ $n_failed == 0 ]]
