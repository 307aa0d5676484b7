#!/bin/bash
# Parameters of joints with long names have headings of their own, in full.
source "$(dirname "$0")/checks.sh"

bolt=left_assembly_upper_flange_bolt_of_the_second_row_from_the_left_1
cat >plain.yaml <<YAML
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  $bolt: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - backbone: {methods: [qsma], modes: [2], amplitudes: {from: 0.3, to: 90, points: 24}}
  - calibrate:
      starts: 2
      parameters: {$bolt.F_S: [1, 100], $bolt.K_T: [0.1, 10]}
      targets: [{mode: 2, from: backbone}]
YAML
same "a calibration" "$(run_study plain)" ''
same "headings in full, each once" "$(head -1 plain/tables/calibrate_starts.csv | sed 's/ \[[^]]*\]//g' | tr , '\n' | grep -c "^$bolt\\.\\(F_S\\|K_T\\)$")" 2
same "no two are the same" "$(head -1 plain/tables/calibrate_starts.csv | tr , '\n' | sort | uniq -d)" ''

finish
