#!/bin/bash
# make trials: every program among the trials has its long setting there, not the short one of the test suite.
source "$(dirname "$0")/checks.sh"
for program in "$source_dir"/tests/trials/*.c; do
  name=$(basename "$program" .c)
  report "$name has a long setting" "$(grep -qE "^ +$name\) echo .*TRIAL_SEED.*TRIAL_COUNT" "$source_dir/tests/trials/run.sh" || echo none)"
done
finish
