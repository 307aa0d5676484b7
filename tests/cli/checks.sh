# The head of every test of the command. The test begins with
#   source "$(dirname "$0")/checks.sh"        in fem/: ../checks.sh; browser.sh, interrupted.sh, mpirun.sh and reference.sh bring it along
# and ends with `finish`. It is then in $temp, an empty folder that goes when it ends, and has
#   source_dir, build_dir    the project and its build; programs of the tests are in $build_dir/tests
#   microslip                the command
# Each check prints a line of TAP, and what is wrong below it.
# shellcheck shell=bash
set -u
source_dir=$(realpath "${SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}")
build_dir=$(realpath -m "${BUILD_DIR:-$source_dir/build}")
microslip=$(realpath -m "${MICROSLIP:-$build_dir/microslip}")
# What MPI keeps until the end is not ours to free.
[[ $0 != */fem/* && $0 != */test_manual.sh ]] || export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
n_tests=0
n_failed=0
finished=0
temp=$(mktemp -d) && cd -P "$temp" && temp=$PWD || exit 2
clean_up() { :; } # for a test that leaves more than files
# A test that ends before `finish` or `skip` has failed. A signal can reach a child of this shell before it is the
# command that it should become; what is in $temp is not its to remove.
trap 'code=$?; [[ $BASHPID == $$ ]] || exit $code; clean_up; rm -rf "$temp"; exit $((code > 0 ? code : !finished))' EXIT
finish() {
  echo "1..$n_tests"
  finished=1
  exit $((n_failed > 0 || n_tests == 0))
}
skip() { # WHY
  echo "1..0 # skipped: $*"
  finished=1
  exit 0
}

# ---- checks ----

report() { # TEXT FAULT
  n_tests=$((n_tests + 1))
  if [[ -z $2 ]]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    sed 's/^/# /' <<<"$2"
    n_failed=$((n_failed + 1))
  fi
}
same() { # TEXT VALUE REFERENCE; of long texts the lines that differ
  local fault=
  if [[ $2$3 == *$'\n'* ]]; then
    [[ $2 == "$3" ]] || fault=$(diff <(echo "$3") <(echo "$2") | head -n 20)
  elif [[ $2 != "$3" ]]; then
    fault=$(printf 'value     %s\nreference %s\n' "$2" "$3")
  fi
  report "$1" "$fault"
}
like() { # TEXT VALUE PATTERN
  # shellcheck disable=SC2053 # a pattern
  report "$1" "$([[ $2 == $3 ]] || printf 'value     %s\nreference %s\n' "$2" "$3")"
}
check() { # TEXT COMMAND...: what the command says is shown when it fails
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then report "$text" ''; else report "$text" "failed: ${output:-$*}"; fi
}
near() { # TEXT VALUE REFERENCE RELATIVE
  report "$1: $2 is $3 to $4" "$(awk -v v="$2" -v r="$3" -v t="$4" 'BEGIN { e = v/r - 1; if (e < 0) e = -e
    if (v == "" || !(e <= t)) printf "value %s, reference %s, error %g, tolerance %g\n", v, r, e, t }')"
}
within() { # TEXT VALUE LOW HIGH
  report "$1: $2 in [$3, $4]" "$(awk -v v="$2" -v a="$3" -v b="$4" \
    'BEGIN { if (v !~ /^[-+]?[.0-9]/ || !(v + 0 >= a && v + 0 <= b)) printf "value %s, wanted %s to %s\n", v, a, b }')"
}

# ---- runs of the command ----

runs() { # TEXT STUDY FOLDER [OPTION...]: with exit code 0
  report "$1" "$("$microslip" run "$2" --out "$3" "${@:4}" 2>error >/dev/null || cat error)"
}
# keep FOLDER: the run at which the test of the same name in tests/browser looks, when this one has ended.
keep() {
  local name=${0##*/test_}
  mkdir -p "$build_dir/runs"
  rm -rf "$build_dir/runs/${name%.sh}"
  cp -r "$1" "$build_dir/runs/${name%.sh}"
}
# without_meaning DIR: rows of columns.csv whose last cell, the meaning, is empty.
without_meaning() {
  grep -E ',("")?$' "$1/columns.csv"
  [[ -s $1/columns.csv ]] || echo "no $1/columns.csv"
}
# run_study NAME [ARGUMENT...]: NAME.yaml into the folder NAME; prints what went wrong.
run_study() {
  if "$microslip" run "$1.yaml" --out "$1" "${@:2}" >"$1.out" 2>"$1.err"; then
    without_meaning "$1"
  else
    cat "$1.err"
  fi
}
# cells CSV ROW COLUMN...: by the columns' names; rows count from 0.
cells() {
  awk -F, -v row="$2" -v want="${*:3}" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, name, " ") }
    NR == row + 2 { for (k = 1; k <= n; k++) printf "%s%s", $at[name[k]], k < n ? " " : "\n" }' "$1"
}
# columns CSV COLUMN...: rows as "a b ...".
columns() {
  awk -F, -v want="${*:2}" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, name, " "); next }
    { for (k = 1; k <= n; k++) printf "%s%s", $at[name[k]], k < n ? " " : "\n" }' "$1"
}
# values CSV COLUMN [CELL...]: of the column, one a line, in rows that begin with these cells ("-" is any).
values() {
  awk -F, -v column="$2" -v want="$(IFS=,; echo "${*:3}")" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == column) k = i; n = split(want, cell, ",")
      if (!k) { print "no column " column " in " FILENAME >"/dev/stderr"; exit 1 } next }
    { for (i = 1; i <= n; i++) if (cell[i] != "-" && $i != cell[i]) next; print $k }' "$1"
}
# parameter CSV NAME COLUMN: of a table whose first column has names, such as that of a calibration.
parameter() { values "$1" "$3" "$2"; }
largest() { sort -g | tail -n 1; }
median() { sort -g | awk '{ x[NR] = $1 } END { if (NR) print NR % 2 ? x[(NR + 1)/2] : (x[NR/2] + x[NR/2 + 1])/2 }'; }
# summary FOLDER FILTER: of summary.json; analysis FOLDER NAME FILTER, status_of and reasons FOLDER NAME: of one analysis.
summary() { jq -r "$2" "$1/summary.json"; }
analysis() { jq -r --arg name "$2" ".analyses[] | select(.name == \$name) | $3" "$1/summary.json"; }
status_of() { analysis "$1" "$2" .status; }
reasons() { analysis "$1" "$2" '.reasons // [] | .[]'; }
# family FOLDER FAMILY NUMBER: frequency of the NUMBER-th mode of a family, Hz, by the first analysis.
family() { summary "$1" ".analyses[0].families[] | select(.family == \"$2\" and .number == $3) | .f_0"; }
# off "VALUES" "REFERENCES" TOLERANCE: relative, one by one; prints those that are not near.
off() {
  awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {
    n = split(a, x, " "); m = split(b, y, " ")
    if (n != m || n == 0) { print "there are " n " values and " m " references"; exit }
    for (i = 1; i <= n; i++) {
      d = x[i] - y[i]; if (d < 0) d = -d
      s = y[i] < 0 ? -y[i] : y[i]
      if (!(d <= tolerance * s))
        printf "value %s, reference %s, error %.3g, tolerance %g\n", x[i], y[i], d / s, tolerance
    }
  }'
}
# refused_bad 'WORD|WORD': bad.yaml is refused, with a line and these words in the message.
refused_bad() {
  local words word faults=
  IFS='|' read -ra words <<<"$1"
  "$microslip" check bad.yaml >bad.out 2>bad.err && faults="it was accepted"$'\n'
  grep -qE 'bad.yaml:[0-9]+:[0-9]+: ' bad.err || faults+="no place in: $(head -n 1 bad.err)"$'\n'
  for word in "${words[@]}"; do
    grep -qF -- "$word" bad.err || faults+="no '$word' in: $(head -n 1 bad.err)"$'\n'
  done
  report "refused: $1" "$faults"
}
# refused_at TEXT FILE PLACE WORD...: `check` ends with exit code 2 and says these words behind this line and column.
refused_at() {
  local text=$1 file=$2 place=$3 word lacking="" said
  shift 3
  "$microslip" check "$file" >/dev/null 2>error
  [[ $? == 2 ]] || lacking='exit code 2 '
  said=$(cat error)
  for word in "" "$@"; do [[ $said == *"$file:$place: "*"$word"* ]] || lacking+="'$file:$place: ... $word' "; done
  report "$text" "${lacking:+lacks $lacking: $said}"
}
# refuses TEXT 'WORD|WORD' ARGUMENT...: `check` ends with exit code 2 and these words.
refuses() {
  local text=$1 words word faults=
  IFS='|' read -ra words <<<"$2"
  shift 2
  "$microslip" check "$@" >/dev/null 2>error
  [[ $? == 2 ]] || faults="not exit code 2"$'\n'
  for word in "${words[@]}"; do grep -qF -- "$word" error || faults+="no '$word' in: $(head -n 1 error)"$'\n'; done
  report "$text" "$faults"
}
# judge TEXT FAULTS: of a run in a folder below $temp that left its exit code in `status`, and out and error in $temp.
judge() { report "$1" "${2:+$2$'\n'exit $status: $(head -n 5 "$temp/error")}"; }
# line_faults CODE WORD...: what is wrong with such a run, which should say one line, with these words, and leave nothing
# but the files that are in `before`.
line_faults() {
  local code=$1 word
  shift
  [[ $status == "$code" ]] || echo "the exit code should be $code"
  [[ $(wc -l <"$temp/error") == 1 ]] || echo "there should be one line on standard error"
  [[ $(head -c 11 "$temp/error") == 'microslip: ' ]] || echo "the line should begin with 'microslip: '"
  for word; do grep -qF -- "$word" "$temp/error" || echo "the line lacks '$word'"; done
  [[ ! -s $temp/out ]] || echo "there should be nothing on standard output"
  [[ $(ls -A) == "$before" ]] || echo "left in the folder: $(ls -A)"
}
# refused_line 'WORD|WORD' ARGUMENT...: the command is such a run, with exit code 2.
refused_line() {
  local words line
  IFS='|' read -ra words <<<"$1"
  shift
  before=$(ls -A)
  "$microslip" "$@" >"$temp/out" 2>"$temp/error"
  status=$?
  line="microslip ${*//$'\n'/ }"
  judge "${line::200}" "$(line_faults 2 "${words[@]}")"
}
# interrupt_when CONDITION SIGNAL DIR OPTION...: runs study.yaml into DIR and sends the signal once
# the command CONDITION succeeds. The exit code is in `status`, what the run said in out and error.
interrupt_when() {
  local condition=$1 signal=$2 dir=$3 process
  shift 3
  : >error # or CONDITION could read what an earlier run said
  "$microslip" run study.yaml --out "$dir" "$@" >out 2>error &
  process=$!
  while kill -0 $process 2>/dev/null && ! $condition; do sleep 0.005; done
  kill -"$signal" $process 2>/dev/null
  { wait $process; } 2>/dev/null
  status=$?
}
# resumes_as WHOLE BYTES...: study.yaml, killed once so much is kept, goes on to the files of WHOLE.
resumes_as() {
  local whole=$1 size killed=0
  shift
  is_kept() { (($(stat -c %s killed/.resume/jobs 2>/dev/null || echo 0) >= size)); }
  for size; do
    rm -rf killed
    interrupt_when is_kept KILL killed --threads 2
    [[ $status == 137 ]] && killed=$((killed + 1))
    "$microslip" run study.yaml --out killed --threads 1 --resume >out 2>error
    same "killed at $size bytes and resumed" "$? $(diff -rq "$whole" killed)" '0 '
  done
  within "it was killed" $killed 1 $#
}

# ---- pictures ----

# A picture that is kept is what the program draws today: its words and the kinds of lines in it, not the
# coordinates, whose last digits other machines may round otherwise.
drawn() { # TEXT KEPT DRAWN; WRITE=1 keeps what is drawn now
  [[ -z ${WRITE-} ]] || cp "$3" "$2"
  report "$1" "$(diff <(words "$2") <(words "$3") | head -n 10)"
}
words() { # SVG
  head -c 400 "$1" | grep -oE 'width="[0-9]+"'
  grep -oE '>[^<>]+<' "$1"
  grep -oE ' class="[^"]*"' "$1" | sort -u
}
