#!/bin/bash
# Workers share what the study has: 1200 masses and 8 cheap jobs on 8 threads parse the file once and solve for the stuck and for the
# slipped modes once.
source "$(dirname "$0")/checks.sh"
n=${1:-1200}
awk -v n="$n" 'BEGIN {
  printf "microslip: 1\nstructure:\n  chain:\n    masses: {"
  for (i = 1; i <= n; i++) printf("%su%d: %.3f", (i == 1 ? "" : ", "), i, 1 + 0.3*sin(i))
  printf "}\n    springs: ["
  for (i = 1; i <= n; i++) printf("%s[%s, u%d, 9e3]", (i == 1 ? "" : ", "), (i == 1 ? "ground" : "u" (i - 1)), i)
  printf "]\n  damping: {modal: 2e-3}\n"
  printf "joints: {lap: {law: iwan4, between: [u3, u4], F_S: 20, K_T: 2e3, chi: -0.4, beta: 1.5}}\n"
  printf "loads: {push: {half_sine: {amplitude: 1, duration: 0.02}, at: u4}}\n"
  printf "analyses:\n  - shock: {load: push, levels: [1, 2, 3, 4, 5, 6, 7, 8], mode: %d, time: {step: 1e-3, steps: 400}}\n", int(0.6*n) }' >study.yaml
COUNT_CALLS=$temp/counts LD_PRELOAD=$build_dir/tests/libcount_calls.so OPENBLAS_NUM_THREADS=1 "$microslip" run study.yaml --threads 8 >out 2>&1
code=$?
echo "# exit code $code, $(tr '\n' ' ' <counts)"
report "the file is parsed once and the modes are solved once" \
  "$([[ $(cat counts) == $'parsed 1\nsolved 2' && $(wc -l <results/tables/shock_runs.csv) == 9 ]] || cat out)"

finish
