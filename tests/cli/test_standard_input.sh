#!/bin/bash
# microslip run -: the study from standard input gives what the file gives; paths begin in the current folder.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
n_tests=0
n_failed=0

check() { # TEXT FAULTS
  n_tests=$((n_tests + 1))
  if [[ -z $2 ]]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    sed 's/^/# /' <<<"$2"
    n_failed=$((n_failed + 1))
  fi
}

printf '2.3, 0\n0, 1.1\n' >M.csv
cat >study.yaml <<'END'
microslip: 1
structure:
  matrices: {mass: M.csv, stiffness: [[900, -300], [-300, 500]], coordinates: [u1, u2]}
joints: {lap: {law: iwan4, between: [u1, u2], F_S: 3, K_T: 210, chi: -0.4, beta: 1.5}}
analyses: [modes, {backbone: {modes: [1], methods: [qsma, rqnm]}}]
END
"$microslip" run study.yaml --out file >/dev/null 2>error
check "the file runs" "$(cat error)"
"$microslip" run - --out piped <study.yaml >/dev/null 2>error
check "standard input runs" "$(cat error)"
check "with the same tables" "$(diff -r file/tables piped/tables 2>&1)"
check "check -" "$("$microslip" check - <study.yaml 2>&1 | grep -v valid)"
sed 's/F_S/F_X/' study.yaml | "$microslip" check - >out 2>error
check "a mistake: exit code 2" "$([[ ${PIPESTATUS[1]} == 2 ]] || echo other)"
check "and its place" "$(grep -q 'standard input:4:' error || cat error)"
"$microslip" check - </dev/null >out 2>error
check "nothing: exit code 2" "$([[ $? == 2 ]] || cat out error)"

echo "1..$n_tests"
exit $((n_failed > 0))
