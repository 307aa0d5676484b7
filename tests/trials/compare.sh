#!/bin/sh
# Comparisons with other codes, as many as there are; compare/README.md says what they need.
folder=$(dirname "$0")/compare
failed=0
for script in "$folder"/*.sh; do
  case $script in */common.sh) continue ;; esac
  echo "== $(basename "$script" .sh)"
  timeout 600 bash "$script" || failed=1
done
exit $failed
