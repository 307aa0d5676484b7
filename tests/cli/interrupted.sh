# The head of tests of runs that are interrupted and go on, instead of checks.sh; the study is study.yaml.
# shellcheck shell=bash disable=SC2154,SC2034
source "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
results_dump=$build_dir/tests/results_dump

threads=1 # at work at once
run() { "$microslip" run study.yaml --threads "$threads" "$@"; }

# begin SIZE WORD STUDY...: the whole run of a study, which `STUDY... SIZE` prints, in the folder
# `whole`. It must last, on any machine and in any build, long enough to be killed twice: the
# processor's time counts, for others may be at work here too. A short run says little of a long one,
# since what comes before and after costs time as well: so the run is made longer until it lasts.
begin() {
  local TIMEFORMAT=%U cpu=0 size=$1 word=$2 code=0
  shift 2
  while awk -v t="$cpu" 'BEGIN { exit !(t < 4) }' && [[ $code == 0 ]]; do
    size=$(awk -v n="$size" -v t="$cpu" 'BEGIN { if (t > 0.25) n *= 5/t; else if (t > 0) n *= 20; printf "%d", n }')
    rm -rf whole killed stopped
    "$@" "$size" >study.yaml
    cpu=$({ time run --out whole >out 2>error; } 2>&1)
    cpu=$(awk -v t="$cpu" -v n="$threads" 'BEGIN { print t/n }')
    [[ ! -s error ]] || code=1
  done
  same "a whole run of $size $word" "$(cat error; test -f whole/summary.json && echo done)" done
  same "leaves nothing to resume" "$(ls -A whole)" $'columns.csv\nreport.html\nresults.h5\nsummary.json\ntables'
  datasets whole/results.h5 >whole.sums
}

# state DIR: age of the checkpoints, as words that change when they do.
state() { find "$1/.resume" -name 'run-*' ! -name '*.[0-9]' -printf '%f %i %T@\n' 2>/dev/null | sort; }

# interrupt SIGNAL DIR OPTION...: once a checkpoint was written since the start, and a random while; not
# between two jobs, when there is none.
interrupt() {
  local folder=$2 before
  before=$(state "$2")
  is_newer() {
    [[ $(state "$folder") != "$before" ]] && sleep 0.$((RANDOM % 40 + 10)) && [[ -n $(state "$folder") ]]
  }
  interrupt_when is_newer "$@" --threads "$threads"
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

# beside DIR: files other than tables of analyses that have ended, which are those of the whole run.
beside() {
  (cd "$1" && find . -path ./.resume -prune -o -type f -print) | while read -r file; do
    [[ $file == ./tables/* ]] && cmp -s "$1/$file" "whole/$file" || echo "$file"
  done
}

# kill_twice: with `went_on TEXT` of the test, and `where`, which prints from where the run went on.
kill_twice() {
  local first
  interrupt KILL killed
  same "killed" "$status $(beside killed)" '137 '
  run --out killed >out 2>error
  same "without --resume it is refused" "$? $(grep -c -e --resume error)" '2 1'
  interrupt KILL killed --resume
  same "killed again" "$status" 137
  went_on "not from the beginning"
  first=$(where)
  run --out killed --resume >out 2>error
  same "resumed" "$?" 0
  went_on "from a checkpoint"
  same "a later one" "$([[ $(where) != "$first" ]] && echo yes)" yes
  compare killed
}

# stop_once: by Ctrl-C; `saved` is what that has left.
stop_once() {
  interrupt INT stopped
  same "Ctrl-C" "$status" 130
  same "says how to go on" "$(tail -n 1 error)" \
    "microslip: stopped; continue with: microslip run study.yaml --out stopped --resume"
  rm -rf saved
  cp -r stopped saved
  run --out stopped --resume >out 2>error
  same "resumed after Ctrl-C" "$?" 0
  went_on "from where it was stopped"
  compare stopped
}

damage() { # FILE: one byte in the middle
  local size
  size=$(stat -c %s "$1")
  printf 'x' | dd of="$1" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
}
