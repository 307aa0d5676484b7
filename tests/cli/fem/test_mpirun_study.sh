#!/bin/bash
# A whole study under mpirun: its results are written once and are those of one process; failures of
# all processes, of one of them, and of one while the others compute end all with one message; a
# signal stops the run, which goes on with --resume.
source "$(dirname "$0")/mpirun.sh"

cat >study.yaml <<'Y'
microslip: 1
title: Two blocks and a bolt
structure:
  fe:
    materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}
    parts:
      one:
        block: {size: [0.31, 0.052, 0.011], elements: [12, 4, 1]}
        material: steel
        points: {tip: [0, 0.026, 0]}
      two:
        block: {size: [0.31, 0.052, 0.011], at: [0.21, 0, -0.011], elements: [12, 4, 1]}
        material: steel
    spiders:
      bolt: {rbe3: area, patch: [0.06, 0.03], between: [one.bottom, two.top], at: [[0.26, 0.026]]}
    fix: {two.right: all}
  reduce: {craig_bampton: {modes: 5, keep: [bolt.*, one.tip.uz]}}
  damping: {modal: 0.011}
joints:
  bolt.*: {x: {law: jenkins, K_T: 1.7e8, F_S: 250}, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}
loads:
  tap: {half_sine: {amplitude: 1900, duration: 0.0011}, at: one.tip.uz}
analyses:
  - modes: {full: 7, vtu: [1, 2]}
  - transient: {time: {step: 1.0e-5, steps: 1500}}
Y

# The largest relative difference of two lists of numbers.
differ() { # FILE FILE
  paste "$1" "$2" | awk 'NF != 2 { bad = 1 } { d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1
    if (s > 0 && d/s > worst) worst = d/s; n++ } END { print bad || !n ? "nan" : worst + 0 }'
}
# The most that a table differs, relative to the largest number in the column.
differ_table() { # FILE FILE COLUMN
  paste -d, "$1" "$2" | awk -F, -v c="$3" 'NR > 1 { a = $c; b = $(c + NF/2); d = a - b; if (d < 0) d = -d; if (a < 0) a = -a
    if (d > worst) worst = d; if (a > most) most = a; n++ } END { print (n && most > 0 ? worst/most : "nan") }'
}
frequencies() { jq -r '.analyses[0] | .modes[].omega_0, .modes[].omega_inf, .full.omega_0[], .full.omega_inf[]' "$1/summary.json"; }
again() { # the lines that microslip wrote itself; mpirun has words of its own
  grep '^microslip:' "$1" | grep -v ': direct'
}

# ---- the same results, once ----

report "one process" "$("$microslip" run study.yaml --out 1 2>error >words1 || cat error)"
frequencies 1 >f1
n=2
report "$n processes" "$(MICROSLIP_DEBUG=1 mpirun -n $n "$microslip" run study.yaml --out $n 2>error >words || cat error)"
same "$n processes say as much as one" "$(sed "s|$n/rep|1/rep|" words)" "$(cat words1)"
same "$n processes: lines of the log" "$(grep -c 'direct' error)" 4
same "$n processes: the same files" "$(cd $n && find . -type f | sort)" "$(cd 1 && find . -type f | sort)"
report "$n processes: in the report" "$(grep -q "$n processes" $n/report.html || echo no)"
frequencies $n >f$n
same "$n processes: as many frequencies" "$(wc -l <f$n)" 40
within "$n processes: frequencies" "$(differ f1 f$n)" 0 1e-9
within "$n processes: response of the tip" "$(differ_table 1/tables/transient.csv $n/tables/transient.csv 9)" 0 1e-8
within "$n processes: force of the joint" "$(differ_table 1/tables/transient.csv $n/tables/transient.csv 16)" 0 1e-8
same "the tip is column 9, the force 16" "$(head -n 1 1/tables/transient.csv | sed 's/ \[[^]]*\]//g' | cut -d, -f 9,16)" one.tip.uz,bolt.1.x.f

# A study without finite elements, and commands that have nothing to share out.
cat >plain.yaml <<'Y'
microslip: 1
structure:
  chain: {masses: {u1: 2.3}, springs: [[ground, u1, 1700]]}
analyses: [modes]
Y
report "without finite elements" "$(mpirun -n 2 "$microslip" run plain.yaml --out plain 2>error >words || cat error)"
"$microslip" run plain.yaml --out plain1 >words1 2>/dev/null
same "written and said once" "$(ls plain) $(sed 's|plain/|plain1/|' words)" "$(ls plain1) $(cat words1)"
same "check says it once" "$(mpirun -n 2 "$microslip" check study.yaml 2>/dev/null)" "study.yaml: valid; 13 degrees of freedom, 1 joints, 2 analyses"
same "the version once" "$(mpirun -n 2 "$microslip" --version)" "$("$microslip" --version)"

# ---- failures ----

fails() { # TEXT CODE PATTERN COMMAND...
  local text=$1 code=$2 pattern=$3
  shift 3
  mpirun "$@" >words 2>error
  same "$text: code" $? "$code"
  same "$text: one message" "$(again error | wc -l)" 1
  report "$text: the message" "$(again error | grep -q -- "$pattern" || cat error)"
}
fails "all fail" 2 'study.yaml:17:' -n 2 "$microslip" run study.yaml --out x --set structure.reduce.craig_bampton.modes=50000
fails "no study" 2 'nothing.yaml' -n 2 "$microslip" run nothing.yaml --out x
fails "the second fails" 2 'modes must be' -n 1 "$microslip" run study.yaml --out x : \
  -n 1 "$microslip" run study.yaml --out x --set structure.reduce.craig_bampton.modes=-1
fails "the second fails while the first computes" 2 '50000 modes' -n 1 "$microslip" run study.yaml --out x : \
  -n 1 "$microslip" run study.yaml --out x --set structure.reduce.craig_bampton.modes=50000
fails "the first fails while the second computes" 2 '50000 modes' \
  -n 1 "$microslip" run study.yaml --out x --set structure.reduce.craig_bampton.modes=50000 : -n 1 "$microslip" run study.yaml --out x
report "nothing was written" "$([[ -e x/summary.json ]] && ls x)"
fails "no finite elements here" 2 '/nowhere' -n 2 -x MICROSLIP_FEM_PLUGIN=/nowhere "$microslip" run study.yaml --out x

# ---- signals ----

long=(--set analyses.1.transient.time.step=1.0e-6 --set analyses.1.transient.time.steps=30000000)
# Begins it, and waits until it is under way and has kept something.
begin() { # SIGN ARGUMENTS
  local sign=$1
  shift
  mpirun -n 2 "$microslip" run study.yaml --out long "${long[@]}" "$@" >words 2>error &
  launcher=$!
  for ((i = 0; i < 3000; i++)); do
    eval "$sign" && return
    sleep 0.1
  done
}
begin '[[ -s long/.resume/run-transient.state ]]'
kill -INT $launcher
wait $launcher
same "Ctrl-C: code of mpirun" $? 1
report "Ctrl-C: nobody is left" "$(pgrep -f "$temp" || :)"
begin "grep -q 'goes on from step [1-9]' error" --resume
kill -TERM "$(pgrep -P $launcher | sort -n | head -n 1)"
wait $launcher
same "the first process is told to stop: code" $? 143
report "and says how to go on" "$(grep -q 'stopped; continue with: mpirun -n 2 microslip run study.yaml.*--resume' error || cat error)"
report "it went on where it was" "$(grep -q 'goes on from step [1-9]' error || cat error)"
report "one process does not go on with it" "$("$microslip" run study.yaml --out long --resume \
  "${long[@]}" 2>&1 | grep -q 'interrupted run of another' || echo "it did")"

finish
