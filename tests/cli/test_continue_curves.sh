#!/bin/bash
# A long curve of harmonic balance (frequency response, tracked stepped sine, nonlinear mode) that is
# killed or stopped goes on from its last checkpoint, and its files are those of an uninterrupted run,
# byte for byte and dataset by dataset.
source "$(dirname "$0")/interrupted.sh"

# study ANALYSIS TIMES: the time points of a period make it long; ANALYSIS is closed after them.
study() {
  cat <<END
microslip: 1
title: Curves that go on
structure:
  chain:
    masses: {u1: 10, u2: 11.3, u3: 9.7}
    springs: [[ground, u1, 9], [u1, u2, 8.3], [u2, u3, 9]]
  damping: {modal: 1e-3}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
  foot: {law: jenkins, between: [ground, u1], F_S: 17, K_T: 3.1}
analyses:
  - modes
  - $1, harmonics: 3, times: $2}
END
}

# went_on TEXT: at least one curve of the analysis said so.
went_on() {
  same "$1" "$(sed -E 's/curve [123] goes on from step [1-9][0-9]*$/on/' error | sort -u | head -n 1)" \
    "microslip: long: on"
}
where() { sort error; }

# Two curves at once, over resonances where another mode begins to lead.
threads=2
begin 256 "time points of a frequency response" study \
  'frequency_response: {name: long, load: {at: u2}, levels: [0.37, 1.9], omega: [0.3, 2.1], points: [0.41, 1.37], step: 0.05'
kill_twice

threads=1
begin 2048 "time points of a nonlinear mode" study \
  'backbone: {name: long, methods: [epmc, qsma], modes: [2], amplitudes: {from: 0.5, to: 90}'
kill_twice

begin 2048 "time points of a tracked resonance" study \
  'stepped_sine: {name: long, load: {at: u2}, levels: {from: 0.01, to: 1.9, count: 30}, modes: [2], step: 0.02'
stop_once

# ---- damaged: run anew, and said so ----
damage saved/.resume/run-long.job0
run --out saved --resume >out 2>error
same "what was damaged ends well" "$?" 0
same "damaged: begins anew" "$(grep -c 'microslip: long: its checkpoint cannot be used' error)" 1
compare saved

finish
