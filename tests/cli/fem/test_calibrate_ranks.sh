#!/bin/bash
# calibrate under mpirun: evaluations are shared among processes, and every file of the results is
# that of one process, byte by byte; also after the run was killed, on as many processes or fewer. A
# failure on the second process is said once and ends all.
source "$(dirname "$0")/mpirun.sh"

# study TABLE GENERATIONS
study() {
  local free='{lap.F_S: [1.1, 97], lap.K_T: [0.13, 11], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}'
  cat <<END
microslip: 1
title: Three masses
structure:
  chain:
    masses: {u1: 9.7, u2: 11.3, u3: 10.1}
    springs: [[ground, u1, 8.7], [u1, u2, 9.4], [u2, u3, 7.9]]
  damping: {modal: 2.3e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10.7, K_T: 1.3, chi: -0.47, beta: 4.1}
loads: {tap: {at: u2, half_sine: {amplitude: 130, duration: 1.1}}}
analyses:
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 30}}
  - calibrate:
      name: fit
      starts: 7
      seed: 5
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: $1}]
  - calibrate:
      name: samples
      method: posterior
      starts: 2
      walkers: 14
      steps: 200
      burn: 20
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: $1}]
  - calibrate:
      name: front
      method: nsga2
      points: 30
      generations: $2
      seed: 7
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: $1, weight: 2}]
  - transient:
      loads: [tap]
      time: {step: 0.05, steps: 7000, method: exponential}
      record: {every: 2, channels: [tap, u1.acceleration, u2.acceleration, u3.acceleration]}
  - hammer_test:
      sensors: [u1, u2, u3]
      modes: [2, 3]
      hits: {tap: {at: u2, from: transient}}
      add_noise: {part: 0.002}
  - calibrate:
      name: through
      starts: 2
      parameters: {lap.F_S: [1.1, 97], lap.K_T: [0.13, 11]}
      targets: [{record: tap, mode: 2}, {record: tap, mode: 3}]
END
}

# ---- the same files ----

study backbone 40 >first.yaml
"$microslip" run first.yaml --out first >/dev/null
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i }
  { print $at["mode"] "," $at["q"] "," $at["omega"] "," $at["zeta"] }' first/tables/backbone.csv >table.csv
study table.csv 40 >study.yaml
"$microslip" run study.yaml --out one --threads 1 >words 2>error
same "one process" "$? $(cat error)" '0 '
"$microslip" run study.yaml --out threads --threads 2 >words 2>error
same "two threads: the same files" "$? $(diff -rq one threads)" '0 '
for n in 2 3; do
  timeout 120 mpirun -n $n "$microslip" run study.yaml --out ranks$n --threads $((4 - n)) >words 2>error
  same "$n processes: the same files" "$? $(cat error)$(diff -rq one ranks$n)" '0 '
  same "$n processes: said once" "$(grep -c 'report:' words)" 1
done
study table.csv 40 | sed 's/seed: 7/seed: 8/' >other.yaml
timeout 120 mpirun -n 2 "$microslip" run other.yaml --out other --threads 1 >words 2>error
same "another seed: another front" "$? $(cmp -s one/tables/front_front.csv other/tables/front_front.csv; echo $?)" '0 1'

# What an earlier hysteresis has left.
{
  sed -n '/^microslip/,/^analyses/p' "$source_dir/examples/gaul-resonator/study.yaml"
  cat <<'END'
  - transient: {name: slip, loads: slip, time: {step: 9.6e-5, steps: 12500}, record: {channels: [link.acceleration, free.acceleration, lap.z, lap.f]}}
  - hysteresis: {from: [slip], accelerations: [link.acceleration, free.acceleration], mass: 4.6, frequency: 138.7, joint: lap, periods: 10, harmonics: 25}
  - calibrate:
      starts: 4
      parameters: {lap.F_S: [300, 5000], lap.K_T: [2e7, 2e8], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 20]}
      targets: [{loop: hysteresis, joint: lap}]
END
} >loop.yaml
"$microslip" run loop.yaml --out loop1 >words 2>error
timeout 120 mpirun -n 2 "$microslip" run loop.yaml --out loop2 --threads 1 >words 2>>error
same "a loop, two processes: the same files" "$? $(cat error)$(diff -rq loop1 loop2)" '0 '

# ---- killed, and resumed ----

study table.csv 400 >study.yaml
"$microslip" run study.yaml --out whole >words 2>error
kill_first 600 early
timeout 120 mpirun -n 2 "$microslip" run study.yaml --out early --threads 1 --resume >words 2>error
same "resumed by two processes" "$? $(cat error)$(diff -rq whole early)" '0 '
kill_first 60000 middle # among the samples
timeout 120 mpirun -n 2 "$microslip" run study.yaml --out middle --threads 1 --resume >words 2>error
same "samples resumed by two processes" "$? $(cat error)$(diff -rq whole middle)" '0 '
kill_first 200000 late # in the search
timeout 120 "$microslip" run study.yaml --out late --threads 2 --resume >words 2>error
same "resumed by one process" "$? $(cat error)$(diff -rq whole late)" '0 '

# ---- a failure on the second process alone ----

# Its table has points that no model can match.
sed '/^3,/s/[^,]*$/-1e-3/' table.csv >bad.csv
fails() { # TEXT PATTERN TARGET
  local text=$1 pattern=$2
  timeout 60 mpirun -n 1 "$microslip" run study.yaml --out x : \
    -n 1 "$microslip" run study.yaml --out x --set "$3=bad.csv" >words 2>error
  same "$text: code" $? 2
  grep '^microslip:' error >messages
  same "$text: one message" "$(wc -l <messages)" 1
  report "$text: the message" "$(grep -q -- "$pattern" messages || cat error)"
}
fails "a start" 'mode 3 of bad.csv: row 62 has damping' analyses.1.calibrate.targets.1.from
fails "a search" 'mode 3 of bad.csv: row 62 has damping' analyses.3.calibrate.targets.1.from
fails "samples" 'mode 3 of bad.csv: row 62 has damping' analyses.2.calibrate.targets.1.from

finish
