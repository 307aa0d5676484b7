#!/usr/bin/env bash
# usage: scripts/law-figures.sh [FOLDER]
#
# Draws the picture of every law page with the command that the page gives, into docs/laws or FOLDER.
# Run from the project's root with $MICROSLIP as the command (build/microslip).
set -euo pipefail
microslip=${MICROSLIP:-build/microslip}
folder=${1:-docs/laws}
for page in docs/laws/*.md; do
  law=$(basename "$page" .md)
  [ "$law" = README ] && continue
  line=$(sed -n 's/^    microslip //p' "$page" | head -n 1)
  [ -n "$line" ] || { echo "$page gives no command" >&2; exit 1; }
  # shellcheck disable=SC2086 # the page's words are the arguments
  "$microslip" ${line//docs\/laws\/$law.svg/$folder/$law.svg} >/dev/null
done
