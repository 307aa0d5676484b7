#!/bin/bash
# usage: tests/trials/threads.sh [STUDY...]
#
# ThreadSanitizer on studies with two threads: the command is built into build-tsan, without finite elements,
# whose libraries bring their own threads. Every study must end with exit code 0, without a report, and with the
# files of one thread; one is interrupted. A line for each. Ends with 1 if one of them failed, its report shown,
# and with 2 if the command cannot be built or the sanitizer does not see a race that is there.
# OpenBLAS, which is not instrumented, is kept to one thread by the command, and needs no suppression.
source "$(dirname "$0")/../cli/checks.sh"
build=${THREADS_BUILD:-$source_dir/build-tsan}
flags="-fsanitize=thread -fno-omit-frame-pointer -g -O1"
microslip=$build/microslip
unset CFLAGS
mkdir -p "$build"
if ! { cmake -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DMICROSLIP_FEM=OFF &&
  cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target microslip; } >"$build/log" 2>&1; then
  tail -n 30 "$build/log" >&2
  echo "threads: the command cannot be built" >&2
  exit 2
fi
export MICROSLIP_PROGRESS=0 TSAN_OPTIONS="exitcode=66 log_path=$temp/race"

# ---- the sanitizer sees a race ----

cat >race.c <<'END'
#include <pthread.h>
static double x;
static void *add(void *user) {
  (void)user;
  for (int i = 0; i < 1000; i++) x += 0.37;
  return NULL;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, add, NULL) != 0) return 3;
  add(NULL);
  pthread_join(thread, NULL);
  return x < 0.0;
}
END
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
# shellcheck disable=SC2086 # a list of flags
"$compiler" $flags race.c -o racing -pthread && ./racing >out 2>&1
if [[ $? != 66 ]]; then
  echo "threads: a race in a program of its own was not seen" >&2
  exit 2
fi
rm -f race.[0-9]*

# ---- the studies ----

three='microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-2}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:'
one='microslip: 1
structure:
  chain: {masses: {u: 1.3}, springs: [[ground, u, 47]]}
  damping: {modal: 0.017}
joints: {pad: {law: jenkins, between: [ground, u], F_S: 0.9, K_T: 21}}
analyses:'
free='{lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1]}'
cat >backbone.yaml <<END
$three
  - backbone: {methods: [qsma, rqnm, epmc], amplitudes: {from: 0.1, to: 30, points: 5}, harmonics: 3, times: 64}
END
cat >calibrate.yaml <<END
$three
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 30, points: 8}}
  - calibrate:
      name: fit
      starts: 3
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: backbone}]
  - calibrate:
      name: posterior
      method: posterior
      noise: 0.02
      starts: 2
      steps: 60
      burn: 20
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: backbone}]
END
cat >response.yaml <<END
$one
  - frequency_response: {load: {at: u}, levels: [1.1, 0.31, 0.071], omega: [5.1, 9.7], harmonics: 3, times: 64}
  - stepped_sine: {name: steps, load: {at: u}, modes: [1], levels: [0.31, 0.071]}
END
cat >sweep.yaml <<END
$one
  - sweep: {at: u, mode: 1, levels: [0.071, 0.31], from: 0.8, to: 1.5, duration: 60, step: 1.31e-2}
END
cat >impact.yaml <<END
$three
  - modal_ringdown: {modes: [2, 3], levels: {2: [50, 12, 3], 3: [12, 3]}, time: {step: 0.05, steps: 4000}}
  - fit_modal: {}
  - impact_test: {at: [u3, u2], levels: [30, 3], time: {step: 0.05, steps: 3000}, segments: 20}
END
cat >scatter.yaml <<END
$(sed -n '1,/^analyses/p' "$source_dir/examples/repeated-assemblies/study.yaml")
  - specimens:
      name: tests
      joint: lap
      random: {F_S: {mean: 1900, deviation: 190}, K_T: {mean: 2.4e7, deviation: 2.1e6}, chi: {mean: -0.42, deviation: 0.07}}
      forces: {from: 90, to: 1000, count: 7}
      specimens: 9
      noise: [0.004, 0.02]
  - scatter:
      joint: lap
      from: tests
      parameters: {F_S: [1050, 2e4], K_T: [1e6, 1e9], chi: [-0.95, 0.5]}
      repetitions: 3
      draws: 20
      starts: 2
  - propagate: {random: scatter, modes: [1], amplitudes: [1e-5, 1e-4], samples: 60}
  - sobol: {random: scatter, modes: [1], amplitudes: [5e-5], samples: 32}
END
cat >rod.yaml <<END
microslip: 1
analyses:
  - rod: {pressure: {beta: 1.5}, masses: [4, 6, 8], steps: 4000}
END

races() { # what the sanitizer reported since the last call
  cat race.[0-9]* 2>/dev/null | head -n 60
  rm -f race.[0-9]*
}
try() { # STUDY
  local threads status fault=
  for threads in 1 2; do
    "$microslip" run "$1.yaml" --out "$1.$threads" --threads $threads >out 2>error
    status=$?
    [[ $status == 0 ]] || fault+="$threads threads: exit code $status: $(tail -n 3 error)"$'\n'
    fault+=$(races)
  done
  [[ -n $fault ]] || fault=$(diff -rq "$1.1" "$1.2")
  report "$1" "$fault"
}
started=$SECONDS
[[ $# -gt 0 ]] || set -- backbone calibrate response sweep impact scatter rod
for study; do try "$study"; done

# ---- interrupted while two threads work ----

cp calibrate.yaml study.yaml
sed -i 's/steps: 60/steps: 100000/' study.yaml
at_work() { [[ -s stopped/.resume/jobs ]]; }
interrupt_when at_work INT stopped --threads 2
report "interrupted" "$([[ $status == 130 ]] || echo "exit code $status: $(tail -n 3 error)"; races)"

echo "# $n_tests runs, $n_failed failed, $((SECONDS - started)) s"
finish
