#!/bin/bash
# The snippets of docs/guide/study.md and the starter study are valid, and the starter study runs.
source "$(dirname "$0")/checks.sh"
page=$source_dir/docs/guide/study.md

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
  report "snippet $i is valid" "$("$microslip" check study.yaml 2>&1 | grep -v ': valid; 2 degrees of freedom, 1 joints')"
done

# ---- the starter study ----
rm -f study.yaml
status() { "$@" >out 2>error; echo $?; }
report "new: writes study.yaml" "$([[ $(status "$microslip" new) == 0 && -s study.yaml ]] || cat error)"
report "new: and says what to do next" "$(grep -q 'microslip run study.yaml' out || cat out)"
report "new: it has comments" "$([[ $(grep -c '#' study.yaml) -ge 15 ]] || cat study.yaml)"
cp study.yaml kept
report "new: never over a file" "$([[ $(status "$microslip" new) == 2 ]] && cmp kept study.yaml && grep -q 'study.yaml exists' error || cat error)"
ln -s nowhere link.yaml
report "new: nor through a link" "$([[ $(status "$microslip" new link.yaml) == 2 && ! -e nowhere ]] || cat error)"
report "new: under another name" "$([[ $(status "$microslip" new other.yaml) == 0 ]] && cmp kept other.yaml || cat error)"
report "new: not into a folder that is not there" "$([[ $(status "$microslip" new none/study.yaml) == 2 && ! -e none ]] || cat error)"
report "new: one file at most" "$([[ $(status "$microslip" new a.yaml b.yaml) == 2 && ! -e a.yaml ]] || cat error)"
report "new: no options" "$([[ $(status "$microslip" new --force) == 2 && ! -e --force ]] || cat error)"
report "new: the study is valid" "$([[ $(status "$microslip" check study.yaml) == 0 ]] || cat error)"
SECONDS=0
report "new: it runs" "$([[ $(status "$microslip" run study.yaml) == 0 ]] || cat error)"
# Seconds on any machine; a sanitized build takes several times as long.
report "new: in seconds" "$([[ $SECONDS -le 60 ]] || echo "$SECONDS s")"
# The modal models go back to the structure: K_inf is omega_inf^2, K_inf + K_T is omega_0^2.
report "new: and the fits are right" "$(jq -r '(.analyses[] | select(.kind == "modes") | .modes) as $m
  | .analyses[] | select(.kind == "fit_modal") | .modes[] | . as $f | $m[$f.mode - 1]
  | select(($f.K_inf/(.omega_inf*.omega_inf) - 1 | fabs) > 0.01
    or (($f.K_inf + $f.K_T)/(.omega_0*.omega_0) - 1 | fabs) > 0.002
    or $f.rms_ln_zeta > 0.02 or $f.remarks != "") | "mode \(.mode): \($f)"' results/summary.json 2>&1)"
report "new: a fit for each mode" "$(jq -r '.analyses[] | select(.kind == "fit_modal") | .modes | length | select(. != 2)' results/summary.json 2>&1)"

finish
