#!/bin/sh
# The trials with their long settings, one after the other, and a table of how they ended.
#   tests/trials/run.sh [NAME...]       all, or those named: random_studies, free_bodies, ...
# A trial is NAME.sh, or NAME.c, which is the program trials.NAME in the build folder. What each of them
# printed is in BUILD_DIR/trials/NAME.log. The exit code is 1 if one of them failed.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${BUILD_DIR:-$source_dir/build}
case $build_dir in /*) ;; *) build_dir=$PWD/$build_dir ;; esac
case ${MICROSLIP:=$build_dir/microslip} in /*) ;; *) MICROSLIP=$PWD/$MICROSLIP ;; esac
export MICROSLIP SOURCE_DIR="$source_dir" BUILD_DIR="$build_dir"
logs=$build_dir/trials
mkdir -p "$logs" || exit 2
cd "$source_dir" || exit 2

names() {
  for file in tests/trials/*.sh tests/trials/*.c; do
    case $file in */run.sh | *'*'*) continue ;; esac
    name=${file##*/}
    echo "${name%.*}"
  done | sort -u
}

# The long setting, for programs whose setting without arguments is that of the test suite.
long() {
  case $1 in
    hammer_intervals) echo "${TRIAL_SEED:-5001} ${TRIAL_COUNT:-100}" ;;
    hammer_records) echo "${TRIAL_SEED:-1} ${TRIAL_COUNT:-32}" ;;
    random_studies) echo "${TRIAL_SEED:-1} ${TRIAL_COUNT:-5000}" ;;
  esac
}

run() {
  if [ -f "tests/trials/$1.sh" ]; then
    bash "tests/trials/$1.sh"
  else
    # shellcheck disable=SC2046
    "$build_dir/tests/trials.$1" $(long "$1")
  fi
}

failed=0
[ $# -gt 0 ] || set -- $(names)
printf '%-24s %-10s %8s  %s\n' trial result seconds 'last line'
for name; do
  start=$(date +%s)
  run "$name" >"$logs/$name.log" 2>&1
  code=$?
  result=passed
  [ $code = 0 ] || result="failed ($code)"
  [ $code = 0 ] || failed=1
  printf '%-24s %-10s %8d  %s\n' "$name" "$result" $(($(date +%s) - start)) "$(tail -n 1 "$logs/$name.log" | cut -c 1-100)"
done
echo "what they printed: $logs"
exit $failed
