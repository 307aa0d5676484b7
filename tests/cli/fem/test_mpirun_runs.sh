#!/bin/bash
# Runs and curves under mpirun: each process does its share, every file of the results is that of one
# process, byte by byte; also where the run was killed and goes on with fewer processes, and where one of the
# runs fails.
source "$(dirname "$0")/mpirun.sh"

study() { # STEPS
  cat <<END
microslip: 1
structure:
  chain:
    masses: {u1: 9.7, u2: 11.3, u3: 10.1}
    springs: [[ground, u1, 8.7], [u1, u2, 9.4], [u2, u3, 7.9]]
  damping: {modal: 2.3e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10.7, K_T: 1.3, chi: -0.47, beta: 4.1}
loads:
  knock: {half_sine: {amplitude: 90, duration: 2.3}, at: u3}
analyses:
  - modal_ringdown: {modes: [1, 2], levels: {1: [210, 30], 2: [3400, 200, 9]}, time: {step: 0.02, steps: $1}}
  - impact_test: {at: [u2, u3], levels: [300, 40], modes: [1, 2], time: {step: 0.02, steps: 9000}}
  - shock: {load: knock, levels: [1, 2.3], mode: 1, time: {step: 0.02, steps: 9000}}
  - backbone: {methods: [qsma, rqnm, epmc, ringdown_hilbert], from: modal_ringdown, modes: [1, 2], amplitudes: {from: 0.1, to: 300, points: 30}}
END
}

study 9000 >study.yaml
"$microslip" run study.yaml --out one --threads 1 >words 2>error
same "one process" "$? $(cat error)" '0 '
for n in 2 3; do
  timeout 120 mpirun -n $n "$microslip" run study.yaml --out ranks$n --threads $((4 - n)) >words 2>error
  same "$n processes: the same files" "$? $(cat error)$(diff -rq one ranks$n)" '0 '
done

# ---- killed after the first of its runs has been kept ----
study 400000 >study.yaml
"$microslip" run study.yaml --out whole >words 2>error
kill_first 1000 killed
"$microslip" run study.yaml --out killed --threads 1 --resume >words 2>error
same "resumed by one process" "$? $(cat error)$(diff -rq whole killed)" '0 '

# ---- a run of the second process that fails for its numbers: the other analyses go on ----
# A spring that softens has an edge, and the second level pushes over it.
cat >study.yaml <<'END'
microslip: 1
structure:
  chain:
    masses: {u1: 1.13, u2: 0.37}
    springs: [[ground, u1, 113]]
  damping: {modal: 0.01}
joints:
  soft: {law: cubic, between: [u1, u2], K: 31.7, K3: -2.0e4}
analyses:
  - impact_test: {at: [u2], levels: [0.013, 97], time: {step: 0.001, steps: 3000}}
  - backbone: {methods: [qsma, rqnm], amplitudes: {from: 1.0e-6, to: 1.0e-5, points: 3}}
END
"$microslip" run study.yaml --out part1 >words 2>error1
timeout 120 mpirun -n 2 "$microslip" run study.yaml --out part2 --threads 1 >words 2>error2
same "a partial study: code" $? 1
same "one message" "$(grep -c '^microslip:' error2)" 1
same "the same one" "$(grep '^microslip:' error2 | sed 's/part2/part1/g')" "$(grep '^microslip:' error1)"
same "the same files" "$(diff -rq part1 part2)" ''
same "what became of its analyses" "$(jq -r '[.analyses[].status] | join(" ")' part2/summary.json)" "failed complete"

finish
