# Checks for the tests of the command, which say `source "$source_dir/tests/cli/checks.sh"`. Each prints
# a line of TAP, and what is wrong below it. At the end of a test:
#   echo "1..$n_tests"
#   [[ $n_failed == 0 ]]
# shellcheck shell=bash
n_tests=0
n_failed=0

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
result() { report "$@"; } # the same
same() { # TEXT VALUE REFERENCE; of long texts the lines that differ
  local fault=
  if [[ $2$3 == *$'\n'* ]]; then
    [[ $2 == "$3" ]] || fault=$(diff <(echo "$3") <(echo "$2") | head -n 20)
  elif [[ $2 != "$3" ]]; then
    fault=$(printf 'value     %s\nreference %s\n' "$2" "$3")
  fi
  report "$1" "$fault"
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
    'BEGIN { if (v == "" || !(v + 0 >= a && v + 0 <= b)) printf "value %s, wanted %s to %s\n", v, a, b }')"
}

# ---- studies ----

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
# parameter CSV NAME COLUMN: of a table whose first column has names, such as that of a calibration.
parameter() {
  awk -F, -v p="$2" -v c="$3" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == c) k = i } $1 == p { print $k }' "$1"
}
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
# refused_at TEXT FILE PLACE WORD...: `check` says these words at this line and column.
refused_at() {
  local text=$1 file=$2 place=$3 word lacking=
  shift 3
  "$microslip" check "$file" >out 2>error && lacking='accepted '
  for word in "$file:$place: " "$@"; do grep -qF -- "$word" error || lacking+="'$word' "; done
  report "$text" "${lacking:+lacks $lacking: $(cat error)}"
}
# interrupt_when CONDITION SIGNAL DIR OPTION...: runs study.yaml into DIR and sends the signal once
# the command CONDITION succeeds. The exit code is in `status`, what the run said in out and error.
interrupt_when() {
  local condition=$1 signal=$2 dir=$3 process
  shift 3
  "$microslip" run study.yaml --out "$dir" "$@" >out 2>error &
  process=$!
  while kill -0 $process 2>/dev/null && ! $condition; do sleep 0.005; done
  kill -"$signal" $process 2>/dev/null
  { wait $process; } 2>/dev/null
  status=$?
}

# ---- pictures ----

# A picture that is kept is what the program draws today: its words and the kinds of lines in it, not the
# coordinates, whose last digits other machines may round otherwise.
drawn() { # TEXT KEPT DRAWN
  report "$1" "$(diff <(words "$2") <(words "$3") | head -n 10)"
}
words() { # SVG
  head -c 400 "$1" | grep -oE 'width="[0-9]+"'
  grep -oE '>[^<>]+<' "$1"
  grep -oE ' class="[^"]*"' "$1" | sort -u
}
