#!/bin/bash
# microslip check over every study of the examples: valid, quickly, and nothing written.
source "$(dirname "$0")/checks.sh"

is_valid() { # STUDY
  timeout 60 "$microslip" check "$1" >out 2>err
  local status=$?
  if [[ $status == 0 ]] && grep -q ': valid; ' out && [[ ! -s err ]]; then return 0; fi
  grep -q 'finite elements are not part of this installation' err && return 0
  echo "exit code $status"
  cat out err
  return 1
}
n_studies=0
for study in "$source_dir"/examples/*/*.yaml; do
  name=${study#"$source_dir"/examples/}
  check "$name: check finds it valid" is_valid "$study"
  n_studies=$((n_studies + 1))
done
check "there are studies" test $n_studies -gt 30
same "nothing is left" "$(ls)" $'err\nout'

finish
