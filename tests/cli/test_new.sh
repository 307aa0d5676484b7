#!/bin/bash
# microslip new ANALYSIS: for every analysis a study that runs, with the keys of the analysis as comments.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
source "$source_dir/tests/cli/checks.sh"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2

analyses=$(sed -nE 's/^MS_ANALYSIS\((.*)\)$/\1/p' "$source_dir/src/study/analyses.def")
for name in $analyses; do
  "$microslip" new "$name" >"$name.yaml"
  fault=$("$microslip" run - --out "$name" <"$name.yaml" 2>&1) && fault=
  report "new $name | run -" "$fault"
  same "$name: how it ends" "$(jq -r '.status' "$name/summary.json") $(jq -r '.analyses[-1].kind' "$name/summary.json")" "complete $name"
  same "$name: columns without a meaning" "$(without_meaning "$name")" ''
  # Every key of the table is there, as a value or as a comment.
  lacking=
  for key in $("$microslip" help --markdown "$name" | sed -nE 's/^\| `([a-z_A-Z]+)` .*/\1/p'); do
    grep -qE "(^ +# |[ {])$key:" "$name.yaml" || lacking="$lacking $key"
  done
  same "$name: keys" "$lacking" ''
done

# ---- several, once each, in an order that works ----
"$microslip" new predict fit_modal backbone >several.yaml
same "several" "$(sed -nE 's/^  - ([a-z_]+).*/\1/p' several.yaml | tr '\n' ' ')" \
  'transient hammer_test modal_ringdown fit_modal predict backbone '
check "several are valid" "$microslip" check several.yaml

# ---- files ----
check "to a file" "$microslip" new sweep --to sweep2.yaml
same "... as printed" "$(cat sweep2.yaml)" "$(cat sweep.yaml)"
report "... never over one" "$("$microslip" new frf --to sweep2.yaml 2>&1 | grep -q 'exists already' || echo overwritten)"
same "... which stays" "$(cat sweep2.yaml)" "$(cat sweep.yaml)"
report "an unknown name" "$("$microslip" new sweep sweeep 2>&1 | grep -q "no analysis 'sweeep'" || echo accepted)"
check "one word that is no analysis is a file" "$microslip" new mine.yaml
check "... which is valid" "$microslip" check mine.yaml

echo "1..$n_tests"
[[ $n_failed == 0 ]]
