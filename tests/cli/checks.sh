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
same() { # TEXT VALUE REFERENCE
  report "$1" "$([[ $2 == "$3" ]] || printf 'value     %s\nreference %s\n' "$2" "$3")"
}
near() { # TEXT VALUE REFERENCE RELATIVE
  report "$1: $2 is $3 to $4" "$(awk -v v="$2" -v r="$3" -v t="$4" 'BEGIN { e = v/r - 1; if (e < 0) e = -e
    if (v == "" || !(e <= t)) printf "value %s, reference %s, error %g, tolerance %g\n", v, r, e, t }')"
}
within() { # TEXT VALUE LOW HIGH
  report "$1: $2 in [$3, $4]" "$(awk -v v="$2" -v a="$3" -v b="$4" \
    'BEGIN { if (v == "" || !(v + 0 >= a && v + 0 <= b)) printf "value %s, wanted %s to %s\n", v, a, b }')"
}
