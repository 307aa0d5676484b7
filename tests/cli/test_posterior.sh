#!/bin/bash
# calibrate by posterior: as wide as least squares says where the model is nearly linear, bands,
# a chain that has not settled, the same results on any number of threads and after being killed.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${BUILD_DIR:-$source_dir/build}
microslip=$(realpath "${MICROSLIP:-$build_dir/microslip}")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
# shellcheck source=tests/cli/checks.sh
source "$source_dir/tests/cli/checks.sh"

# value TABLE PARAMETER COLUMN
value() {
  awk -F, -v p="$2" -v c="$3" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == c) k = i } $1 == p { print $k }' "$1"
}
study() { # OPTIONS of the posterior
  cat <<END
microslip: 1
title: Three masses, calibrated
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 14}}
  - calibrate:
      name: fit
      noise: 0.02
      starts: 3
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}
      targets: [{mode: 2, from: backbone}, {mode: 3, from: backbone}]
  - calibrate:
      method: posterior
      noise: 0.02
      starts: 3
      seed: 7$1
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}
      targets: [{mode: 2, from: backbone}, {mode: 3, from: backbone}]
END
}
study $'\n      steps: 3200\n      burn: 250' >study.yaml
for threads in 1 2; do
  "$microslip" run study.yaml --out run$threads --threads $threads >out 2>error
  same "samples with $threads threads" "$? $(cat error)" '0 '
done
same "two threads give the same files" "$(diff -rq run1 run2)" ''
t=run1/tables
result "parameters have their names on the axis" \
  "$(tr -d ' \n' <run1/report.html | grep -qF '"rows":["lap.F_S","lap.K_T","lap.chi","lap.beta"]' || echo 'no such rows')"

# The targets are the model's own: mean and mode are the truth, within a few Monte Carlo errors (the
# worth of the chain is several hundred samples at least), and what curvature there is.
for p in "F_S 10" "K_T 1" "chi -0.5" "beta 5"; do
  name=lap.${p% *}
  s=$(value $t/fit.csv "$name" standard_error)
  ratio=$(awk -v a="$(value $t/calibrate.csv "$name" deviation)" -v b="$s" 'BEGIN { print a/b }')
  near "${p% *}: deviation, of the standard error of least squares" "$ratio" 1 0.08
  off=$(awk -v m="$(value $t/calibrate.csv "$name" mean)" -v v="${p#* }" -v s="$s" 'BEGIN { d = (m - v)/s; print d < 0 ? -d : d }')
  within "${p% *}: mean less truth, in standard errors" "$off" 0 0.25
  interval=$(awk -v a="$(value $t/calibrate.csv "$name" q05)" -v b="$(value $t/calibrate.csv "$name" q95)" -v s="$s" 'BEGIN { print (b - a)/s }')
  near "${p% *}: from 5 to 95 %, in standard errors" "$interval" 3.2897 0.08
done
same "it has settled" "$(jq '.analyses[] | select(.name == "calibrate") | .settled' run1/summary.json)" true
within "moves that were made" "$(jq '.analyses[] | select(.name == "calibrate") | .acceptance' run1/summary.json)" 0.4 0.75
# Correlations of least squares and of the samples.
same "correlations have the same rows" "$(diff <(cut -d, -f1,2 $t/fit_correlation.csv) <(cut -d, -f1,2 $t/calibrate_correlation.csv))" ''
within "largest difference of a correlation" "$(paste -d, $t/fit_correlation.csv $t/calibrate_correlation.csv |
  awk -F, 'NR > 1 { d = $3 - $6; d = d < 0 ? -d : d; if (d > m) m = d } END { print m }')" 0 0.1
# The bands hold the curve that made them; a point that nothing but itself determined would have a band of
# 3.29 times the noise, 0.066.
within "rows of bands" "$(wc -l <$t/calibrate_bands.csv)" 57 57
within "points outside the bands, of 56" "$(awk -F, 'NR > 1 && ($5 < $6 || $5 > $8 || $6 > $7 || $7 > $8)' $t/calibrate_bands.csv | wc -l)" 0 0
within "widest band of damping, relative" "$(awk -F, '$2 == "damping" { w = ($8 - $6)/$5; if (w > m) m = w } END { print m }' $t/calibrate_bands.csv)" 0.005 0.08
same "samples are in a table" "$(head -n 1 $t/calibrate_chain.csv | sed 's/ \[[^]]*\]//g')" 'step,walker,lap.F_S,lap.K_T,lap.chi,lap.beta'
within "of some thousand rows" "$(wc -l <$t/calibrate_chain.csv)" 3000 4100
same "the corner plot is in the report" "$(grep -c '<h3>Samples</h3>' run1/report.html)" 1
within "and bands behind the targets" "$(grep -c 'class="area p1"' run1/report.html)" 4 8
same "no warning" "$(grep -c 'has not settled' run1/report.html)" 0

# ---- too short ----
study $'\n      steps: 60\n      burn: 0\n      walkers: 12' >short.yaml
"$microslip" run short.yaml --out short >out 2>error
same "a short chain" "$? $(cat error)" '0 '
same "is said not to have settled" "$(jq '.analyses[] | select(.name == "calibrate") | .settled' short/summary.json)" false
same "and the study is suspect for it" "$(jq -r '.status + (.analyses[-1].reasons | map(select(contains("chain has not settled"))) | length | tostring)' short/summary.json)" suspect1

# ---- another kind of target: stiffness and loss per cycle of the joint alone, in microslip ----
awk 'function g(u) { return K*u - R*u^(chi + 2)/((chi + 1)*(chi + 2)) }
  BEGIN { F_S = 10; K = 1; chi = -0.5; beta = 5
    phi = F_S*(1 + beta)/(K*(beta + (chi + 1)/(chi + 2))); R = K*(chi + 1)/(phi^(chi + 1)*(1 + beta))
    print "force,stiffness,dissipation"
    for (u = 0.05*phi; u < phi; u *= 1.35)
      printf "%.16g,%.16g,%.16g\n", g(u), g(u)/u, 4*R*u^(chi + 3)/((chi + 2)*(chi + 3)) }' >test.csv
points=$(($(wc -l <test.csv) - 1))
study $'\n      steps: 800\n      burn: 200' |
  sed '/method: posterior/,$s/targets: .*/targets: [{joint_test: test.csv, joint: lap}]/' >joint.yaml
same "from a joint test" "$(run_study joint)" ''
same "its bands" "$(awk -F, 'NR > 1 { n[$2]++; bad += $5 < $6 || $5 > $8 } END { print n["stiffness"], n["dissipation"], bad + 0 }' \
  joint/tables/calibrate_bands.csv)" "$points $points 0"
same "F_S and beta, which the test does not tell apart, go together" \
  "$(awk -F, '$1 == "lap.beta" && $2 == "lap.F_S" { print $3 < -0.5 }' joint/tables/calibrate_correlation.csv)" 1

# ---- killed and resumed ----
is_kept() { (($(stat -c %s killed/.resume/jobs 2>/dev/null || echo 0) >= size)); }
killed=0
for size in 200000 1500000; do
  rm -rf killed
  interrupt_when is_kept KILL killed --threads 2
  [[ $status == 137 ]] && killed=$((killed + 1))
  "$microslip" run study.yaml --out killed --threads 1 --resume >out 2>error
  same "killed at $size bytes and resumed" "$? $(diff -rq run1 killed)" '0 '
done
within "it was killed" $killed 1 2

# ---- refused ----
study $'\n      walkers: 13' >bad.yaml
refused_bad 'walkers must be even, not 13'
study $'\n      walkers: 8' >bad.yaml
refused_bad 'walkers'
study $'\n      points: 40' >bad.yaml
refused_bad 'points is for method nsga2, not posterior'
study '' | sed 's/name: fit/&\n      burn: 7/' >bad.yaml
refused_bad 'burn is for method posterior, not local'
echo "1..$n_tests"
[[ $n_failed == 0 ]]
