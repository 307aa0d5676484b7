#!/bin/bash
# Every example runs as its page says: the files it promises are there and well-formed, and numbers
# agree with closed forms. The example of `make run` has a test of its own, test_three_mass.sh.
# shellcheck disable=SC2016 # awk and the inner bash have dollars of their own
source "$(dirname "$0")/checks.sh"
export MICROSLIP=$microslip

# ---- every example ----
# The files that run.sh promises in its opening comment.
promised() { sed -n '/^#/p;/^[^#]/q' "$1" | grep -oE '[a-z_]+\.(svg|csv|json)' | sort -u; }
well_formed() { # FILE
  case $1 in
  *.svg) xmllint --noout "$1" ;;
  *.json) jq -es 'length == 1' "$1" ;;
  *.csv) awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit !(NR > 1) }' "$1" ;;
  esac
}
exactly() { # FOLDER FILES
  diff <(echo "$2") <(ls -A "$1")
}
n_examples=0
for script in "$source_dir"/examples/*/run.sh; do
  [[ -f $script ]] || continue
  n_examples=$((n_examples + 1))
  folder=$(dirname "$script")
  name=${folder##*/}
  check "$name: has a page" test -s "$folder/README.md"
  check "$name: runs" "$script" "$temp/new/$name"
  check "$name: makes the files it promises, and no other" exactly "new/$name" "$(promised "$script")"
  for file in $(promised "$script"); do
    check "$name: $file is well-formed" well_formed "new/$name/$file"
    check "$name: its page names $file" grep -qF "$file" "$folder/README.md"
  done
  check "$name: runs again over its own files" "$script" "$temp/new/$name"
  check "$name: without a folder it says how it is used" bash -c '! "$1" 2>error && grep -q usage error' - "$script"
done
check "there are examples" test $n_examples -gt 0
for page in "$source_dir"/examples/*/README.md; do
  link=${page#"$source_dir/examples/"}
  check "$link: the gallery leads to it" grep -qF "($link)" "$source_dir/examples/README.md"
done

# ---- lap-joint: the formulas of its page ----
lap=new/lap-joint
# Two numbers on each line of FILE, value and reference, agree.
agree() { # TOLERANCE FILE
  awk -v tol="$1" '
    { e = $1 - $2; if (e < 0) e = -e; s = $2 < 0 ? -$2 : $2; if (s > 0) e /= s
      if (!(e <= worst)) { worst = e; line = $0; at = NR } }
    END {
      if (NR > 0 && worst <= tol) exit 0
      printf "row %d of %d: %s, error %.3g, tolerance %g\n", at, NR, line, worst, tol; exit 1 }' "$2"
}
formulas='
  function first_loading(u) { return u < phi_max ? K_T*u - R*u^(chi + 2)/((chi + 1)*(chi + 2)) : F_S }
  BEGIN {
    FS = ","; F_S = 4000; K_T = 1e8; chi = -0.5; beta = 1
    phi_max = F_S*(1 + beta)/(K_T*(beta + (chi + 1)/(chi + 2)))
    R = K_T*(chi + 1)/(phi_max^(chi + 1)*(1 + beta)); S = K_T*beta/(1 + beta)
    OFMT = "%.17g"
  }'
awk "$formulas"' NR > 1 && $1 <= phi_max*(1 + 1e-12) { print $4, 4*R*$1^(3 + chi)/((2 + chi)*(3 + chi)) }' \
  $lap/cycles.csv >pairs
check "lap-joint: dissipation in microslip, four amplitudes" test "$(wc -l <pairs)" = 4
check "lap-joint: dissipation in microslip" agree 1e-9 pairs
awk "$formulas"' NR > 1 && $1 > phi_max*(1 + 1e-12) {
  print $4, 4*R*($1*phi_max^(chi + 2)/(chi + 2) - phi_max^(chi + 3)/(chi + 3)) + 4*S*phi_max*($1 - phi_max) }' \
  $lap/cycles.csv >pairs
check "lap-joint: dissipation in macroslip" agree 1e-9 pairs
awk "$formulas"' NR > 1 { print $2, first_loading($1); print $3, first_loading($1)/$1 }' $lap/cycles.csv >pairs
check "lap-joint: force and secant stiffness" agree 1e-12 pairs
jq -r '.cycles[] | [.amplitude, .F0, .K_secant, .D, .D_closed_form] | .[]' $lap/cycles.json >json
tail -n +2 $lap/cycles.csv | tr , '\n' | paste -d ' ' - json >pairs
check "lap-joint: cycles.json and cycles.csv agree" agree 0 pairs

ring=$source_dir/examples/lap-joint/ringdown.csv
awk -F, 'BEGIN { OFMT = "%.17g"; pi = 4*atan2(1, 1) }
  NR > 1 { u = 1.5e-4*exp(-$1/0.05)*sin(2*pi*100*$1); print 1 + ($2 - u)/1e-12, 1 }' "$ring" >pairs
check "lap-joint: the ring-down is that of its page, to 1e-12 m" agree 0.51 pairs
check "lap-joint: 20 cycles of 50 steps" test "$(tail -n +2 "$ring" | wc -l)" = 1001
# To the first peak on the curve of first loading; from there to the next on twice that curve.
awk "$formulas"'
  NR == 1 { next }
  !down && $2 < u { down = 1; peak = u; top = F }
  down && $2 > u { exit }
  { u = $2; F = $3; print F, down ? top - 2*first_loading((peak - u)/2) : first_loading(u) }' $lap/ringdown.csv >pairs
check "lap-joint: the first rows are first loading, the next are Masing" agree 1e-9 pairs
check "lap-joint: and there are some" awk 'END { exit !(NR > 35) }' pairs
check "lap-joint: no force beyond F_S, which is reached" awk -F, '
  NR > 1 { F = $3 < 0 ? -$3 : $3; if (F > top) top = F } END { exit !(top > 3999.999999 && top < 4000.000001) }' $lap/ringdown.csv

finish
