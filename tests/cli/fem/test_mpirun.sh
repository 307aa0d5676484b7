#!/bin/bash
# The same frequencies, mass and inertia on one process and on several, to 1e-9.
source "$(dirname "$0")/mpirun.sh"
program=$build_dir/tests/fem_modes

run() { # processes
  if [[ $1 == 1 ]]; then "$program" >1 2>e1; else
    mpirun -n "$1" "$program" >"$1" 2>"e$1"; fi
  local status=$?
  cat "e$1"
  return $status
}

# Both columns of both files; rigid-body motions are 0 in the first.
compare() { # processes
  paste 1 "$1" | awk '
    function off(a, b) { return a < 1 && b < 1 ? 0 : (a > b ? a - b : b - a) / (a > b ? a : b) }
    { n++; d = off($1, $3); e = off($2, $4); if (d > worst) worst = d; if (e > worst) worst = e }
    NF != 4 { bad = 1 }
    END { print n " rows, largest difference " worst ", tolerance 1e-9"; exit bad || n != 17 || worst > 1e-9 }'
}

check "one process" run 1
sed 's/^/# /' e1
check "elastic modes are there" awk '$1 > 100 { n++ } END { exit n < 6 }' 1
for processes in 2 3; do
  check "$processes processes" run "$processes"
  sed 's/^/# /' "e$processes"
  check "$processes processes say so" grep -q "$processes processes; direct" "e$processes"
  check "$processes processes: the same frequencies" compare "$processes"
  compare "$processes" | sed 's/^/# /'
done

finish
