#!/bin/bash
# calibrate by posterior: as wide as least squares says where the model is nearly linear, bands,
# a chain that has not settled, the same results on any number of threads and after being killed.
source "$(dirname "$0")/checks.sh"

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
report "parameters have their names on the axis" \
  "$(tr -d ' \n' <run1/report.html | grep -qF '"rows":["lap.F_S","lap.K_T","lap.chi","lap.beta"]' || echo 'no such rows')"

# The targets are the model's own: mean and mode are the truth, within a few Monte Carlo errors (the
# worth of the chain is several hundred samples at least), and what curvature there is.
for p in "F_S 10" "K_T 1" "chi -0.5" "beta 5"; do
  name=lap.${p% *}
  s=$(parameter $t/fit.csv "$name" standard_error)
  ratio=$(awk -v a="$(parameter $t/calibrate.csv "$name" deviation)" -v b="$s" 'BEGIN { print a/b }')
  near "${p% *}: deviation, of the standard error of least squares" "$ratio" 1 0.08
  off=$(awk -v m="$(parameter $t/calibrate.csv "$name" mean)" -v v="${p#* }" -v s="$s" 'BEGIN { d = (m - v)/s; print d < 0 ? -d : d }')
  within "${p% *}: mean less truth, in standard errors" "$off" 0 0.25
  interval=$(awk -v a="$(parameter $t/calibrate.csv "$name" q05)" -v b="$(parameter $t/calibrate.csv "$name" q95)" -v s="$s" 'BEGIN { print (b - a)/s }')
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
same "the corner plot is in the report" "$(grep -c '<h3>Samples of the posterior distribution</h3>' run1/report.html)" 1
# Of two modes frequency, damping and their residuals, and one in the legend.
same "and bands behind the targets" "$(grep -c 'class="area p1"' run1/report.html)" 9
same "no warning" "$(grep -c 'has not settled' run1/report.html)" 0

# ---- until it has converged ----
study '' >until.yaml
for threads in 1 2; do
  "$microslip" run until.yaml --out until$threads --threads $threads >out 2>error
  same "until it has converged, with $threads threads" "$? $(cat error)" '0 '
done
same "two threads give the same files, too" "$(diff -rq until1 until2)" ''
same "it has converged" "$(jq '.analyses[] | select(.name == "calibrate") | .settled' until1/summary.json)" true
same "chains" "$(jq '.analyses[] | select(.name == "calibrate") | .walkers' until1/summary.json)" 8
within "in so many steps" "$(jq '.analyses[] | select(.name == "calibrate") | .steps' until1/summary.json)" 96 600
for p in F_S K_T chi beta; do
  within "$p: R-hat" "$(parameter until1/tables/calibrate.csv lap.$p r_hat)" 0.9 1.05
  within "$p: effective sample size" "$(parameter until1/tables/calibrate.csv lap.$p effective)" 200 5000
  ratio=$(awk -v a="$(parameter until1/tables/calibrate.csv lap.$p deviation)" -v b="$(parameter $t/calibrate.csv lap.$p deviation)" 'BEGIN { print a/b }')
  near "$p: deviation, of that of the walkers" "$ratio" 1 0.15
done
"$microslip" run until.yaml --out until1 --resume --threads 1 >out 2>error
same "resumed with all steps kept" "$? $(cat error) $(diff -rq until1 until2)" '0  '

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
resumes_as run1 200000 1500000

# ---- refused ----
study $'\n      walkers: 13' >bad.yaml
refused_bad 'walkers must be even, not 13'
study $'\n      walkers: 8\n      steps: 60' >bad.yaml
refused_bad 'walkers'
study $'\n      points: 40' >bad.yaml
refused_bad 'points is for method nsga2, not posterior'
study '' | sed 's/name: fit/&\n      burn: 7/' >bad.yaml
refused_bad 'burn is for method posterior, not local'

finish
