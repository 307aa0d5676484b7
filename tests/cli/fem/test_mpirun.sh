#!/bin/bash
# The same frequencies, mass and inertia on one process and on several, to 1e-9.
set -u
program=${BUILD_DIR:?the build folder}/tests/fem_modes
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
n_tests=0
n_failed=0

source "$(dirname "$0")/mpirun.sh"

expect() { # text command...
  local text=$1
  shift
  n_tests=$((n_tests + 1))
  if "$@" >"$temp/output" 2>&1; then
    echo "ok $n_tests - $text"
  else
    echo "not ok $n_tests - $text"
    sed 's/^/# /' "$temp/output"
    n_failed=$((n_failed + 1))
  fi
}

run() { # processes
  if [[ $1 == 1 ]]; then "$program" >"$temp/1" 2>"$temp/e1"; else
    mpirun -n "$1" "$program" >"$temp/$1" 2>"$temp/e$1"; fi
  local status=$?
  cat "$temp/e$1"
  return $status
}

# Both columns of both files; rigid-body motions are 0 in the first.
compare() { # processes
  paste "$temp/1" "$temp/$1" | awk '
    function off(a, b) { return a < 1 && b < 1 ? 0 : (a > b ? a - b : b - a) / (a > b ? a : b) }
    { n++; d = off($1, $3); e = off($2, $4); if (d > worst) worst = d; if (e > worst) worst = e }
    NF != 4 { bad = 1 }
    END { print n " rows, largest difference " worst ", tolerance 1e-9"; exit bad || n != 17 || worst > 1e-9 }'
}

expect "one process" run 1
sed 's/^/# /' "$temp/e1"
expect "elastic modes are there" awk '$1 > 100 { n++ } END { exit n < 6 }' "$temp/1"
for processes in 2 3; do
  expect "$processes processes" run "$processes"
  sed 's/^/# /' "$temp/e$processes"
  expect "$processes processes say so" grep -q "$processes processes; direct" "$temp/e$processes"
  expect "$processes processes: the same frequencies" compare "$processes"
  sed 's/^/# /' "$temp/output"
done

echo "1..$n_tests"
[[ $n_failed == 0 ]]
