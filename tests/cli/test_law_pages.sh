#!/bin/bash
# Every law has a page that names all its parameters, and a picture that its command still draws.
source "$(dirname "$0")/checks.sh"
export MICROSLIP=$microslip
docs=$source_dir/docs/laws
check "law-figures.sh" env -C "$source_dir" scripts/law-figures.sh "$temp"
check "laws --json" "$microslip" laws --json
"$microslip" laws --json >laws.json
for law in $(jq -r '.laws[].name' laws.json); do
  check "$law has a page" test -f "$docs/$law.md"
  check "$law has a picture" test -f "$docs/$law.svg"
  check "$law: its command draws a picture" xmllint --noout "$law.svg"
  check "$law is on the page that helps to choose" grep -q "($law.md)" "$docs/README.md"
  for p in $(jq -r --arg law "$law" '.laws[] | select(.name == $law).parameters[].name' laws.json); do
    check "$law.md names $p" grep -q "\`$p\`" "$docs/$law.md"
  done
done
within "checks of laws" $n_tests 100 10000

finish
