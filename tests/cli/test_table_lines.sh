#!/bin/bash
# A row of a table is a line: remarks of several sentences stay in one.
source "$(dirname "$0")/checks.sh"

# Levels that do not reach macroslip, so that the fit has more than one thing to say.
"$microslip" new study.yaml >/dev/null
"$microslip" run study.yaml --out one --set 'analyses.2={fit_modal: {}}' \
  --set 'analyses.1={modal_ringdown: {levels: {1: [0.7, 1.4, 2.9]}, modes: [1], time: {step: 2.0e-4, steps: 20000}}}' >out 2>error
same "the study runs" "$?" 0
same "the fit has remarks of several lines" \
  "$(jq '[.analyses[2].modes[].remarks | rtrimstr("\n") | split("\n") | length] | max > 1' one/summary.json)" true
same "every line of the table is a row" "$(tail -n +2 one/tables/fit_modal.csv | grep -vc '^1,')" 0

finish
