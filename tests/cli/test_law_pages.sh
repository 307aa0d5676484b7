#!/usr/bin/env bash
# Every law has a page that names all its parameters, and a picture that its command still draws.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE_DIR"
MICROSLIP=$(realpath "$MICROSLIP")
export MICROSLIP
failed=0 passed=0
check() { # WHAT COMMAND...
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "not ok - $what"; fi
}
scripts/law-figures.sh "$work"
"$MICROSLIP" laws --json >"$work/laws.json"
for law in $(jq -r '.laws[].name' "$work/laws.json"); do
  page=docs/laws/$law.md
  check "$law has a page" test -f "$page"
  check "$law has a picture" test -f "docs/laws/$law.svg"
  check "$law: its command draws a picture" xmllint --noout "$work/$law.svg"
  check "$law is on the page that helps to choose" grep -q "($law.md)" docs/laws/README.md
  for p in $(jq -r --arg law "$law" '.laws[] | select(.name == $law).parameters[].name' \
      "$work/laws.json"); do
    check "$page names $p" grep -q "\`$p\`" "$page"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 100 ]
