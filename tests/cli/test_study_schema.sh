#!/bin/bash
# The snippets of docs/guide/study.md and the starter study are valid, and the starter study runs.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
page=$source_dir/docs/guide/study.md
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
n_tests=0
n_failed=0

check() { # TEXT FAULTS
  n_tests=$((n_tests + 1))
  if [[ -z $2 ]]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    sed 's/^/# /' <<<"$2"
    n_failed=$((n_failed + 1))
  fi
}

# The snippets that begin with joints: in a study around them.
joints() { # NUMBER
  awk -v n="$1" '/^```yaml$/ { i++; on = 1; next } /^```$/ { on = 0 } on && i == n' "$page"
}
for i in 1 2 3; do
  {
    printf 'microslip: 1\nstructure:\n  chain: {masses: {u2: 2, u3: 3}, springs: [[ground, u2, 7]]}\n'
    joints $i
    printf 'analyses: [modes]\n'
  } >study.yaml
  check "snippet $i is valid" "$("$microslip" check study.yaml 2>&1 | grep -v ': valid; 2 coordinates, 1 joints')"
done

# ---- the starter study ----
rm -f study.yaml
status() { "$@" >out 2>error; echo $?; }
check "new: writes study.yaml" "$([[ $(status "$microslip" new) == 0 && -s study.yaml ]] || cat error)"
check "new: and says what to do next" "$(grep -q 'microslip run study.yaml' out || cat out)"
check "new: it has comments" "$([[ $(grep -c '#' study.yaml) -ge 15 ]] || cat study.yaml)"
cp study.yaml kept
check "new: never over a file" "$([[ $(status "$microslip" new) == 2 ]] && cmp kept study.yaml && grep -q 'study.yaml exists' error || cat error)"
ln -s nowhere link.yaml
check "new: nor through a link" "$([[ $(status "$microslip" new link.yaml) == 2 && ! -e nowhere ]] || cat error)"
check "new: under another name" "$([[ $(status "$microslip" new other.yaml) == 0 ]] && cmp kept other.yaml || cat error)"
check "new: not into a folder that is not there" "$([[ $(status "$microslip" new none/study.yaml) == 2 && ! -e none ]] || cat error)"
check "new: one file at most" "$([[ $(status "$microslip" new a.yaml b.yaml) == 2 && ! -e a.yaml ]] || cat error)"
check "new: no options" "$([[ $(status "$microslip" new --force) == 2 && ! -e --force ]] || cat error)"
check "new: the study is valid" "$([[ $(status "$microslip" check study.yaml) == 0 ]] || cat error)"
SECONDS=0
check "new: it runs" "$([[ $(status "$microslip" run study.yaml) == 0 ]] || cat error)"
# Seconds on any machine; a sanitized build takes several times as long.
check "new: in seconds" "$([[ $SECONDS -le 60 ]] || echo "$SECONDS s")"
# The modal models go back to the structure: K_inf is omega_inf^2, K_inf + K_T is omega_0^2.
check "new: and the fits are right" "$(jq -r '(.analyses[] | select(.kind == "modes") | .modes) as $m
  | .analyses[] | select(.kind == "fit_modal") | .modes[] | . as $f | $m[$f.mode - 1]
  | select(($f.K_inf/(.omega_inf*.omega_inf) - 1 | fabs) > 0.01
    or (($f.K_inf + $f.K_T)/(.omega_0*.omega_0) - 1 | fabs) > 0.002
    or $f.rms_ln_zeta > 0.02 or $f.remarks != "") | "mode \(.mode): \($f)"' results/summary.json 2>&1)"
check "new: a fit for each mode" "$(jq -r '.analyses[] | select(.kind == "fit_modal") | .modes | length | select(. != 2)' results/summary.json 2>&1)"

echo "1..$n_tests"
[[ $n_failed == 0 ]]
