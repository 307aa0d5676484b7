#!/bin/bash
# microslip run -: the study from standard input gives what the file gives; paths begin in the current folder.
source "$(dirname "$0")/checks.sh"

printf '2.3, 0\n0, 1.1\n' >M.csv
cat >study.yaml <<'END'
microslip: 1
structure:
  matrices: {mass: M.csv, stiffness: [[900, -300], [-300, 500]], coordinates: [u1, u2]}
joints: {lap: {law: iwan4, between: [u1, u2], F_S: 3, K_T: 210, chi: -0.4, beta: 1.5}}
analyses: [modes, {backbone: {modes: [1], methods: [qsma, rqnm]}}]
END
"$microslip" run study.yaml --out file >/dev/null 2>error
report "the file runs" "$(cat error)"
"$microslip" run - --out piped <study.yaml >/dev/null 2>error
report "standard input runs" "$(cat error)"
report "with the same tables" "$(diff -r file/tables piped/tables 2>&1)"
report "check -" "$("$microslip" check - <study.yaml 2>&1 | grep -v valid)"
sed 's/F_S/F_X/' study.yaml | "$microslip" check - >out 2>error
report "a mistake: exit code 2" "$([[ ${PIPESTATUS[1]} == 2 ]] || echo other)"
report "and its place" "$(grep -q 'standard input:4:' error || cat error)"
"$microslip" check - </dev/null >out 2>error
report "nothing: exit code 2" "$([[ $? == 2 ]] || cat out error)"

finish
