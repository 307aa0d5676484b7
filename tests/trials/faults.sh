#!/bin/bash
# Faults injected into whole commands, and kills.
#   tests/trials/faults.sh [FAULTS [KILLS [SEED]]]     2000, 200 and 1 if not said
# Over six kinds of study, the n-th allocation, open, read, write, fsync or rename fails, or the disk is
# full from the n-th write on; n at random. Then the exit code is 3, there is a message, and the folder
# holds files of the undisturbed run or, from before, of another study, never both and never another;
# exit code 0 stands for all files of the undisturbed run. With --resume the command then gives these
# files, byte for byte. So it does after SIGKILL before the n-th write, fsync or rename.
source "$(dirname "$0")/../cli/checks.sh"
preload=$build_dir/tests/libtrial_faults.so
n_faults=${1:-2000}
n_kills=${2:-200}
RANDOM=${3:-1}
[[ -f $preload ]] || { echo "faults.sh: there is no $preload; build the tests" >&2; exit 2; }

# ---- the studies ----
three='microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-2}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}'
cat >transient.yaml <<END
$three
loads: {push: {table: {file: push.csv}, at: u2}}
analyses:
  - modes
  - transient: {time: {step: 0.05, steps: 400}}
END
printf 'time,force\n0,0\n3,5.1\n6,-4.2\n9,0\n' >push.csv
cat >ringdown.yaml <<END
$three
analyses:
  - modal_ringdown:
      modes: [2]
      levels: {2: [50, 12, 3]}
      time: {step: 0.05, steps: 4000}
  - fit_modal: {}
END
cat >backbone.yaml <<END
$three
analyses:
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 30, points: 9}}
  - impact_test: {at: [u3], levels: [30, 3], time: {step: 0.05, steps: 3000}, segments: 20}
END
cat >response.yaml <<'END'
microslip: 1
structure:
  chain: {masses: {u: 1.3}, springs: [[ground, u, 47]]}
  damping: {modal: 0.017}
joints: {pad: {law: jenkins, between: [ground, u], F_S: 0.9, K_T: 21}}
analyses:
  - frequency_response: {load: {at: u}, levels: [1.1, 0.071], omega: [5.1, 9.7], harmonics: 3}
END
cat >sweep.yaml <<'END'
microslip: 1
structure:
  chain: {masses: {u1: 2.385}, springs: [[ground, u1, 280]]}
  damping: {modal: 0.0117}
joints: {pad: {law: jenkins, between: [ground, u1], F_S: 5.5, K_T: 131}}
analyses:
  - sweep: {base: true, mode: 1, levels: [0.071, 0.71, 1.9], from: 1.4, to: 2.8, duration: 60, step: 1.31e-2}
END
cat >matrices.yaml <<'END'
microslip: 1
structure:
  matrices: {mass: M.mtx, stiffness: K.mtx}
  damping: {modal: 0.01}
joints: {pad: {law: jenkins, between: [u1, u2], F_S: 55, K_T: 13100}}
analyses:
  - modes
  - backbone: {methods: [qsma], amplitudes: {from: 1e-4, to: 1e-1, points: 7}}
END
head='%%MatrixMarket matrix coordinate real symmetric'
printf '%s\n2 2 2\n1 1 1.2\n2 2 0.8\n' "$head" >M.mtx
printf '%s\n2 2 3\n1 1 6.6e5\n2 1 -2.5e5\n2 2 2.5e5\n' "$head" >K.mtx
printf 'microslip: 1\nstructure: {chain: {masses: {x: 1.3}, springs: [[ground, x, 7.1]]}}\nanalyses: [modes]\n' >before.yaml

# ---- running ----
studies=(transient ringdown backbone response sweep matrices)
kinds=(allocate write open read fsync rename full)
declare -A calls

# run STUDY KIND N: the fault's outcome in `status`; `fired` is 1 if it happened.
run() {
  rm -f log
  timeout -s KILL 120 env FAULT_KIND="$2" FAULT_N="$3" FAULT_ERRNO="$errno" FAULT_UNDER="$temp" FAULT_LOG="$temp/log" \
    LD_PRELOAD="$preload" "$microslip" run "$1.yaml" --out out --threads 1 >words 2>error
  status=$?
  fired=$(grep -c fired log)
}
errno=5
prepare() {
  "$microslip" run before.yaml --out out >words 2>error || { cat error; exit 1; }
  mv out before
  for study in "${studies[@]}"; do
    for kind in allocate write open read fsync rename kill; do
      rm -rf out
      run "$study" $kind 0
      [[ $status == 0 ]] || { echo "# $study does not run: exit code $status"; cat error; exit 1; }
      calls[$study,$kind]=$(tail -n 1 log)
    done
    calls[$study,full]=${calls[$study,write]}
    mv out "whole.$study"
  done
}
# Files in the folder that are not those of the undisturbed run; the checkpoint does not count.
foreign() { # STUDY
  (cd out 2>/dev/null && find . -path ./.resume -prune -o -type f -print) | while read -r file; do
    cmp -s "out/$file" "whole.$1/$file" || echo "$file"
  done
}
is_before() { [[ -d before.now ]] && [[ -z $(diff -rq --exclude=.resume before.now out) ]]; }
differs() { diff -rq "whole.$1" out 2>&1 | head -n 5; }

fault_of_code() { # STUDY KIND
  case $fired,$status in
  0,0 | 1,0) [[ -z $(differs "$1") ]] || echo "exit code 0, and $(differs "$1")" ;;
  1,3)
    grep -q '^microslip: ' error || echo "there is no message"
    is_before || [[ -z $(foreign "$1") ]] || echo "wrong or mixed: $(foreign "$1")"
    [[ -z $(find out -name '.microslip-*' 2>/dev/null) ]] || echo "a temporary file is left"
    ;;
  *) echo "exit code $status, fired $fired" ;;
  esac
}
fault_of_resume() { # STUDY
  "$microslip" run "$1.yaml" --out out --threads 1 --resume >words 2>error2
  status=$?
  [[ $status == 0 ]] || echo "--resume: exit code $status: $(cat error2)"
  [[ -z $(differs "$1") ]] || echo "--resume: $(differs "$1")"
}
start() { # a folder that is not there, or with the results of another study
  rm -rf out before.now
  if ((RANDOM % 3 == 0)); then cp -r before out && cp -r before before.now; fi
}
n_bad=0
complain() { # STUDY KIND N FAULT
  n_bad=$((n_bad + 1))
  echo "not ok - $1, $2 number $3 of ${calls[$1,$2]}: errno $errno"
  printf '%s\n' "$4" "$(head -n 3 error)" | sed 's/^/# /'
}

# Every allocation of a command that prints: all of its output or nothing.
command_faults() {
  local n=0 whole
  whole=$("$microslip" joint iwan4 --cycle 1e-6:1e-4:9 --json)
  for ((fired = 1; fired; )); do
    n=$((n + 1))
    rm -f log
    env FAULT_KIND=allocate FAULT_N=$n FAULT_ERRNO=12 FAULT_LOG="$temp/log" LD_PRELOAD="$preload" \
      "$microslip" joint iwan4 --cycle 1e-6:1e-4:9 --json >words 2>error
    status=$?
    fired=$(grep -c fired log)
    case $fired,$status in
    1,3) [[ ! -s words ]] && grep -q '^microslip: ' error && continue ;;
    0,0) [[ $(cat words) == "$whole" ]] && continue ;;
    esac
    n_bad=$((n_bad + 1))
    echo "not ok - joint --json, allocation $n: exit code $status, $(wc -c <words) bytes"
  done
  echo "# joint --json: $((n - 1)) allocations failed"
}

prepare
command_faults
declare -A ended
for ((i = 0; i < n_faults; i++)); do
  study=${studies[i % 6]} kind=${kinds[(i / 6) % 7]}
  case $kind in allocate) errno=12 ;; full) errno=28 ;; *) errno=$((RANDOM % 2 ? 5 : 28)) ;; esac
  n=$((1 + (RANDOM * 32768 + RANDOM) % calls[$study,$kind]))
  start
  run "$study" "$kind" $n
  ended[$status]=$((${ended[$status]:-0} + 1))
  fault=$(fault_of_code "$study" "$kind")
  [[ -n $fault || $status == 0 ]] || fault=$(fault_of_resume "$study")
  [[ -z $fault ]] || complain "$study" "$kind" $n "$fault"
done
echo "# $n_faults faults: $(for code in "${!ended[@]}"; do printf '%d ended with exit code %s; ' "${ended[$code]}" "$code"; done)"

n_done=0
for ((i = 0; n_done < n_kills && i < 20 * n_kills; i++)); do
  study=${studies[i % 6]} n=0
  n=$((1 + RANDOM % calls[$study,kill]))
  start
  run "$study" kill $n 2>/dev/null # the shell speaks of the kill
  [[ -d out/.resume ]] || continue # there is no checkpoint yet, or any more
  n_done=$((n_done + 1))
  fault=$([[ $status == 137 ]] || echo "exit code $status")
  [[ -n $fault ]] || is_before || ! foreign "$study" | grep -qv '/\.microslip-' ||
    fault="wrong or mixed: $(foreign "$study")"
  [[ -n $fault ]] || fault=$(fault_of_resume "$study")
  [[ -z $fault ]] || complain "$study" kill $n "$fault"
done
echo "# $n_done kills"

report "$n_faults faults and $n_kills kills: every exit code and every file as promised" \
  "$([[ $n_bad == 0 && $n_done == "$n_kills" ]] || echo "$n_bad of $n_faults faults and $n_done kills broke a promise")"

finish
