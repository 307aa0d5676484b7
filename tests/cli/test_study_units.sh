#!/bin/bash
# Studies whose units are not SI. Their results are; tests/browser/test_study_units.js looks at their reports in both.
source "$(dirname "$0")/checks.sh"

for name in frequency-response backbone; do
  runs "$name runs" "$source_dir/tests/data/studies/$name.yaml" "out/$name"
  same "$name: results are in SI" "$(jq -r .units "out/$name/summary.json")" SI
done
keep out
finish
