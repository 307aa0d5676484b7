#!/bin/bash
# Contact between solids: Ctrl-C inside the preload and inside an amplitude is obeyed, and a backbone that was killed goes on to the same files.
source "$(dirname "$0")/../checks.sh"
unset OPENBLAS_NUM_THREADS # finite elements have several threads of BLAS, contacts one

cat >study.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [90, 20, 5], elements: [18, 4, 1]}, material: steel}
      upper: {block: {size: [90, 20, 5], at: [50, 0, 5], elements: [18, 4, 1]}, material: steel}
      head: {block: {size: [10, 10, 4], at: [65, 5, 10], elements: [2, 2, 1]}, material: steel}
      nut: {block: {size: [10, 10, 4], at: [65, 5, -4], elements: [2, 2, 1]}, material: steel}
    merge: [{parts: [upper, head]}, {parts: [lower, nut]}]
    fix: {lower.left: all}
    contacts:
      lap: {between: [upper.bottom, lower.top], mu: 0.3}
    preload:
      - {push: {head.top: [0, 0, -6000], nut.bottom: [0, 0, 6000]}, friction: true}
analyses:
  - backbone: {modes: [1, 3], amplitudes: {from: 3e-4, to: 3e-3, points: 3}}
END
run() { "$microslip" run study.yaml "$@"; }
run --out whole --threads 1 >out 2>error
report "whole: runs" "$([[ $? == 0 ]] || cat error)"

# ---- killed once a curve is kept ----
resumes_as whole 100

# ---- killed inside an amplitude: the flexibility is read, and amplitudes that have ended are not run again ----
cp study.yaml both.yaml
sed -i 's/\[1, 3\]/[3]/; s/points: 3/points: 9/' study.yaml
run --out long --threads 1 >out 2>error
inside() { [[ -e level/.resume/run-backbone.job0 ]]; }
interrupt_when inside KILL level --threads 1
same "it was killed inside a curve" "$status" 137
run --out level --threads 1 --resume >out 2>error
same "killed inside an amplitude and resumed" "$? $(diff -rq long level)" '0 '
same "the flexibility was read, once" "$(grep -c 'flexibility of the contacts: read from level/.resume' error)" 1
report "amplitudes that had ended were not repeated" "$(grep -qE 'curve 1 goes on after [1-8] of 9 amplitudes' error || cat error)"
rm -rf level
late() { inside && (($(wc -c <level/.resume/run-backbone.job0) > 8000)); } # four amplitudes, and another base state was needed
interrupt_when late KILL level --threads 1
same "it was killed again" "$status" 137
for kept in level/.resume/run-flexibility.*; do printf x | dd of="$kept" bs=1 seek=1000 conv=notrunc status=none; done
run --out level --threads 1 --resume >out 2>error
same "a damaged flexibility is computed again" "$? $(grep -c 'read from' error) $(diff -rq long level)" '0 0 '

# ---- a run in time, killed ----
sed -i '/^analyses:/,$d' study.yaml
cat >>study.yaml <<'END'
loads: {hit: {half_sine: {amplitude: 1e4, duration: 1e-3}, at: q1}}
analyses:
  - transient: {loads: [hit], time: {step: 2e-5, steps: 20000}, record: {every: 20, channels: [q1]}}
END
run --out rings --threads 1 >out 2>error
report "in time: runs" "$([[ $? == 0 ]] || cat error)"
report "in time: friction takes energy" "$(summary rings '.analyses[0].energy | select(.dissipated < 0.01 * .input)')"
steps_are_kept() { [[ -e rung/.resume/run-transient.state ]]; }
interrupt_when steps_are_kept KILL rung --threads 1
same "in time: it was killed" "$status" 137
run --out rung --threads 1 --resume >out 2>error
same "in time: killed and resumed" "$? $(grep -c 'goes on from step' error) $(diff -rq rings rung)" '0 1 '
cp both.yaml study.yaml

# ---- Ctrl-C ----
export MICROSLIP_DEBUG=1 # says when the finite elements are solved
stops() { # TEXT CONDITION FOLDER: within 2 s
  local begun
  rm -f error && begun=$(date +%s%N)
  interrupted() { $2 && begun=$(date +%s%N); }
  interrupt_when "interrupted x $2" INT "$3" --threads 1
  same "$1: exit code" "$status" 130
  within "$1: seconds until it stops" "$(awk "BEGIN {print ($(date +%s%N) - $begun) * 1e-9}")" 0 2
}
cp study.yaml kept.yaml
sed -i 's/friction: true}/friction: true, steps: 10000}/' study.yaml
pressing() { grep -q direct error 2>/dev/null; }
stops "preload" pressing pressed
sed 's/\[1, 3\]/[1]/; s/points: 3/points: 3000/' kept.yaml >study.yaml
cycling() { [[ -e cycled/.resume/jobs ]] && sleep 0.5; }
stops "amplitude" cycling cycled

finish
