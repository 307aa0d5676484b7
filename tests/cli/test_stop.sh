#!/bin/bash
# A signal inside a long start of calibrate and inside dense eigenvalues is obeyed at once; meanwhile
# lines on standard error tell how far it is, also where that is no terminal.
source "$(dirname "$0")/checks.sh"

# A chain of N masses with a joint beside every spring.
chain() { # N
  awk -v n="$1" 'BEGIN {
    printf "microslip: 1\nstructure:\n  chain:\n    masses: {"
    for (i = 1; i <= n; i++) printf "%su%d: %g", (i > 1 ? ", " : ""), i, 1 + 0.01*i
    printf "}\n    springs: ["
    for (i = 1; i <= n; i++) printf "%s[%s, u%d, 900]", (i > 1 ? ", " : ""), (i > 1 ? "u" (i - 1) : "ground"), i
    printf "]\n  damping: {modal: 1e-3}\njoints:\n"
    for (i = 2; i <= n; i++)
      printf "  j%d: {law: iwan4, between: [u%d, u%d], F_S: %g, K_T: 100, chi: -0.4, beta: 3}\n", i, i - 1, i, 1 + 0.1*i
    print "analyses:"
  }'
}
# stop SIGNAL SECONDS ARGUMENT...: the exit code, and whether it came within 10 s of the signal, which is what a loaded machine may take
stop() {
  local signal=$1 after=$2 start
  shift 2
  timeout 60 "$microslip" "$@" >out 2>error &
  local pid=$!
  sleep "$after"
  start=$(date +%s%N)
  pkill "-$signal" -P $pid microslip
  wait $pid
  echo "$? $((($(date +%s%N) - start) / 1000000 < 10000))"
}

{ chain 80
  echo '  - calibrate: {starts: 1, parameters: {"j*.F_S": [0.1, 100], "j*.K_T": [10, 1000], "j*.chi": [-0.9, -0.1]}, targets: [{mode: 1, from: curve.csv}, {mode: 2, from: curve.csv}]}'
} >calibrate.yaml
{ echo 'mode,q,omega,zeta'
  awk 'BEGIN { for (m = 1; m <= 2; m++) for (i = 0; i < 40; i++) printf "%d,%.6g,%.6g,%.6g\n", m, 0.01*1.2^i, m*(0.6 - 0.0005*i), 1e-3 + 1e-4*i }'
} >curve.csv
same "Ctrl-C inside a start of calibrate" "$(stop INT 4 run calibrate.yaml --out calibrate --figures --strict --progress 0.5)" '130 1'
same "... says how to go on, with all that was asked for" "$(tail -n 1 error)" \
  'microslip: stopped; continue with: microslip run calibrate.yaml --out calibrate --figures --strict --resume'
within "evaluations are counted, with the misfit" \
  "$(grep -cE '^microslip: calibrate: 0 %,  [0-9]+ s, [0-9]+ evaluations?, misfit [0-9.e+-]+$' error)" 3 12

# Inside a library, which asks nobody: eigenvalues of a dense matrix, some ten seconds of them. It ends a second of
# processor time after the signal, and what it was about to do can be done with --resume.
chain 4096 | sed '/^joints:/,/^analyses:/{/^analyses:/!d}' >dense.yaml
echo '  - modes' >>dense.yaml
same "Ctrl-C inside dense eigenvalues" "$(stop INT 3 run dense.yaml --out dense)" '130 1'
same "... says how to go on" "$(tail -n 1 error)" 'microslip: stopped; continue with the same command and --resume'
same "SIGTERM too" "$(stop TERM 3 run dense.yaml --out dense --resume)" '143 1'
same "... and no temporary file is left" "$(find . -name '*.tmp')" ''

same "a short run says nothing" "$(chain 2 >short.yaml; echo '  - modes' >>short.yaml; "$microslip" run short.yaml --out short 2>&1 >/dev/null)" ''
# A tenth took 1 s, so that four more are left; what an earlier start had done took none of it.
"$build_dir/tests/progress_demo" 2>error
report "time left of a run that was resumed" "$(awk '{ gsub(",", ""); passed = $5; left = $8 }
  END { if (!(NR == 1 && passed >= 1 && left >= 3*passed)) print }' error)"
# The same on a terminal: a bar of 30 signs that is drawn anew in its line.
terminal() { script -qec "$1" /dev/null </dev/null | sed 's/\x1b\[K//g' | tr -s '\r' '\n'; }
bar() { printf "transient            [%-30s]  $2 %%" "$(printf "%$1s" '' | tr ' ' =)"; }
terminal "$build_dir/tests/progress_demo" >drawn
same "a bar at 50 %" "$(grep -F ' 50 %' drawn)" "$(bar 15 50)"
like "a bar at 60 %" "$(grep -F ' 60 %' drawn)" "$(bar 18 60 | sed 's/[][]/\\&/g')  1 s, about [3-9] s left"

finish
