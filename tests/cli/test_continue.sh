#!/bin/bash
# A long transient that is killed or stopped goes on from its last checkpoint, and its files are
# those of an uninterrupted run, byte for byte and dataset by dataset.
source "$(dirname "$0")/interrupted.sh"

# study TIME STEPS: two runs, of which the second is long, with joints whose histories are merged
# many times.
study() {
  cat <<END
microslip: 1
title: Three masses that go on
structure:
  chain:
    masses: {u1: 10, u2: 11.3, u3: 9.7}
    springs: [[ground, u1, 9], [u1, u2, 8.3], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
  foot: {law: iwan5, between: [ground, u1], F_S: 17, K_T: 3.1, chi: -0.3, beta: 2.3, theta: 0.83}
loads:
  hit: {half_sine: {amplitude: 500, pulse_mode: 3}, at: u2}
  shake: {sine: {amplitude: 1.73, frequency: 0.0213}, at: u1}
analyses:
  - transient: {name: short, loads: [hit], time: {step: 0.02, steps: 3000}}
  - transient:
      name: long
      time: {steps: $2, $1}
      initial: {v: {u1: 3.1, u3: -2.7}}
      record: {every: 53, channels: [u1, u3.velocity, lap.z, lap.f, foot.f, shake]}
END
}

# went_on TEXT: the run said so, from a step that is neither the first nor, of `long`, the last.
went_on() {
  same "$1" "$(sed -E 's/step [1-9][0-9]* of [0-9]+/step/' error | sort -u | head -n 1)" \
    "microslip: long: goes on from step"
}
where() { grep -o 'step [0-9]*' error | head -n 1; }

begin 8000 "large steps" study 'step: 0.5, tolerance: 1e-6, method: exponential'
kill_twice
begin 200000 "small steps" study 'step: 0.02'
kill_twice
stop_once

# ---- damaged: run anew, and said so ----
says_so() { grep -q 'its checkpoint cannot be used' error; }
for part in state 0 1; do
  rm -rf damaged
  cp -r saved damaged
  damage "damaged/.resume/run-long.$part"
  interrupt_when says_so INT damaged --resume
  same "damaged $part: begins anew" "$(grep -c 'microslip: long: its checkpoint cannot be used' error)" 1
done
run --out damaged --resume >out 2>error
same "what was damaged ends well" "$?" 0
compare damaged

# ---- rows that another study has left behind are not taken ----
rm -rf other
cp -r saved other
rm other/.resume/jobs
timeout -s INT 0.5 "$microslip" run study.yaml --out other --set title=Other >out 2>error
same "nothing of a given-up run is used" "$(grep -c 'goes on from' error)" 0

finish
