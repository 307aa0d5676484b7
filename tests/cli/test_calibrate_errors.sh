#!/bin/bash
# Standard errors of calibrate grow with what the fit leaves.
source "$(dirname "$0")/checks.sh"

study() { # [OPTIONS OF CALIBRATE]
  cat <<YAML
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - calibrate:
      starts: 2
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10]}
      targets: [{mode: 2, from: curve.csv}]
      ${1-}
YAML
}
# The model's own curve with 8 % of damping to and fro, which no parameters explain.
study | sed '/- calibrate/,$d' >own.yaml
echo '  - backbone: {methods: [qsma], modes: [2], amplitudes: {from: 0.3, to: 90, points: 24}}' >>own.yaml
same "the model's curve" "$(run_study own)" ''
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "mode,q,omega,zeta"; next }
  { printf "2,%s,%s,%.12g\n", $at["q"], $at["omega"], $at["zeta"]*(1 + 0.08*(NR % 2 ? 1 : -1)) }' own/tables/backbone.csv >curve.csv

study >plain.yaml
same "a calibration" "$(run_study plain)" ''
study 'noise: 0.001' >noise.yaml
same "with a noise that is far too small" "$(run_study noise)" ''
error() { parameter "$1/tables/calibrate.csv" "lap.$2" standard_error; }
for p in F_S K_T; do # what the fit leaves is above the 0.01 that is supposed at least without noise
  near "standard error of $p: that of what the fit leaves" "$(error noise $p)" "$(error plain $p)" 1e-6
done
same "which is suspect" "$(jq -r '.analyses[0].status + " " + (.analyses[0].reasons | join(" "))' noise/summary.json | grep -c '^suspect .*times the noise that was given')" 1

finish
