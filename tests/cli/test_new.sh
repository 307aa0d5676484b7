#!/bin/bash
# microslip new ANALYSIS: several at once, and files; cli.manual runs the study of each.
source "$(dirname "$0")/checks.sh"

# ---- several, once each, in an order that works ----
"$microslip" new predict fit_modal backbone >several.yaml
same "several" "$(sed -nE 's/^  - ([a-z_]+).*/\1/p' several.yaml | tr '\n' ' ')" \
  'transient hammer_test modal_ringdown fit_modal predict backbone '
check "several are valid" "$microslip" check several.yaml

# ---- files ----
check "to a file" "$microslip" new sweep --to sweep2.yaml
same "... as printed" "$(cat sweep2.yaml)" "$("$microslip" new sweep)"
report "... never over one" "$("$microslip" new frf --to sweep2.yaml 2>&1 | grep -q 'exists already' || echo overwritten)"
same "... which stays" "$(cat sweep2.yaml)" "$("$microslip" new sweep)"
report "an unknown name" "$("$microslip" new sweep sweeep 2>&1 | grep -q "no analysis 'sweeep'" || echo accepted)"
check "one word that is no analysis is a file" "$microslip" new mine.yaml
check "... which is valid" "$microslip" check mine.yaml

finish
