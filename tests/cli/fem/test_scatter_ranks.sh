#!/bin/bash
# scatter, propagate and sobol under mpirun: samples and repetitions are shared among processes, and
# every file of the results is that of one process, byte by byte; a failure ends all, and is said once.
source "$(dirname "$0")/mpirun.sh"

cat >study.yaml <<'END'
microslip: 1
structure:
  chain:
    masses: {plate: 9.1, bracket: 4.3}
    springs: [[ground, plate, 3.1e7]]
  damping: {modal: 8e-4}
joints:
  lap: {law: iwan4, between: [plate, bracket], F_S: 1900, K_T: 2.4e7, chi: -0.42, beta: 1.3}
analyses:
  - specimens:
      name: tests
      joint: lap
      random: {K_T: {mean: 2.4e7, deviation: 2.1e6}, chi: {mean: -0.42, deviation: 0.07}}
      forces: {from: 90, to: 1000, count: 6}
      specimens: 12
      noise: [0.004, 0.02]
  - scatter:
      joint: lap
      from: tests
      parameters: {K_T: [1e6, 1e9], chi: [-0.95, 0.5]}
      repetitions: 5
      draws: 60
      starts: 2
      samples: 200
  - propagate: {random: scatter, modes: [1], amplitudes: {from: 1e-5, to: 3e-4, count: 6}, samples: 100}
  - sobol: {random: scatter, modes: [1], amplitudes: [1e-5, 2e-4], samples: 30}
END
"$microslip" run study.yaml --out one >out 2>error
same "one process" "$? $(cat error)" '0 '
timeout 120 mpirun -n 2 "$microslip" run study.yaml --out two --threads 1 >out 2>error
same "two processes" "$? $(cat error)" '0 '
same "they give the same files" "$(diff -rq one two 2>&1)" ''
awk -F, 'BEGIN { OFS = "," } NR == 5 { $4 = "-1e-3" } { print }' one/tables/tests.csv >bad.csv
sed 's/from: tests/from: bad.csv/' study.yaml >bad.yaml
timeout 120 mpirun -n 2 "$microslip" run bad.yaml --out bad >out 2>error
same "a failure ends all processes, and is said once" "$(($? == 124)) $(grep -c 'row 5 has dissipation -0.001' error)" '0 1'

finish
