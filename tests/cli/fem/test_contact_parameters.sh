#!/bin/bash
# Numbers of contacts and of the preload as parameters: calibrated, random, and shares of the scatter.
source "$(dirname "$0")/../checks.sh"

cat >lap.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [90, 20, 5], elements: [9, 4, 1]}, material: steel}
      upper: {block: {size: [90, 20, 5], at: [50, 0, 5], elements: [9, 4, 1]}, material: steel}
      head: {block: {size: [10, 10, 4], at: [60, 5, 10], elements: [1, 2, 1]}, material: steel}
      nut: {block: {size: [10, 10, 4], at: [60, 5, -4], elements: [1, 2, 1]}, material: steel}
    merge: [{parts: [upper, head]}, {parts: [lower, nut]}]
    fix: {lower.left: all}
    contacts:
      lap: {between: [upper.bottom, lower.top], mu: 0.31, layer: {K_n: 3e5, K_t: 2e5}}
    preload:
      - {push: {head.top: [0, 0, -6000], nut.bottom: [0, 0, 6000]}, friction: true, steps: 2}
  damping: {modal: 1e-4}
analyses:
  - backbone: {modes: [1], amplitudes: [1e-3, 2e-3, 4e-3]}
END
contact=structure.fe.contacts.lap preload=structure.fe.preload.0
random='{contacts.lap.mu: {mean: 0.3, deviation: 0.03, bounds: [0.2, 0.4]}, preload.1.factor: {family: uniform, bounds: [0.8, 1.2]}}'

# ---- a curve made with other numbers gives them back ----
runs "truth: runs" lap.yaml truth --set $contact.mu=0.23 --set $preload.factor=1.17
runs "calibrate: runs" lap.yaml fit --set analyses='[calibrate: {parameters: {contacts.lap.mu: [0.1, 0.6], preload.1.factor: [0.7, 1.6]},
  targets: [{mode: 1, from: truth/tables/backbone.csv, curve: qsma}], starts: 1}]'
near "calibrate: mu" "$(sed -n 's/^contacts.lap.mu,\([^,]*\),.*/\1/p' fit/tables/calibrate.csv)" 0.23 1e-5
near "calibrate: factor of the bolt force" "$(sed -n 's/^preload.1.factor,\([^,]*\),.*/\1/p' fit/tables/calibrate.csv)" 1.17 1e-5
report "calibrate: both are determined" "$(status_of fit calibrate | grep -qx complete || echo no)"

# ---- and so does one made with another gap, where the upper bar is held, so that it bends as the bolt closes the gap ----
held=(--set structure.fe.fix='{lower.left: all, upper.right: uz}' --set analyses='[backbone: {modes: [1], layer_check: false, amplitudes: [3e-4, 5e-4, 8e-4]}]')
runs "gap: truth runs" lap.yaml apart "${held[@]}" --set $contact.gap=1.3e-2
runs "gap: calibrate" lap.yaml fitgap "${held[@]}" --set analyses='[calibrate: {parameters: {contacts.lap.gap: [2e-3, 4e-2]},
  targets: [{mode: 1, from: apart/tables/backbone.csv, curve: qsma}], starts: 1}]'
near "gap: found" "$(sed -n 's/^contacts.lap.gap,\([^,]*\),.*/\1/p' fitgap/tables/calibrate.csv)" 1.3e-5 1e-4

# ---- a layer ten times as stiff, with an interference: one sample between narrow bounds is the run with these numbers ----
runs "stiff: runs" lap.yaml stiff --set $contact.layer.K_n=3e6 --set $contact.layer.K_t=2e6 --set $contact.interference=1e-4
narrow() { echo "{family: uniform, bounds: [$1, $(awk "BEGIN {printf \"%.12g\", $1 * (1 + 1e-7)}")]}"; }
runs "stiff: propagate" lap.yaml band --set analyses="[propagate: {random: {contacts.lap.layer.K_n: $(narrow 3e6),
  contacts.lap.layer.K_t: $(narrow 2e6), contacts.lap.interference: $(narrow 1e-4)}, modes: [1], samples: 20,
  amplitudes: [$(awk -F, 'NR == 3 {printf "%.12g", $3 / 0.031622776601683795}' stiff/tables/backbone.csv)]}]"
near "stiff: frequency" "$(sed -n 2p band/tables/propagate.csv | cut -d, -f4)" "$(sed -n 3p stiff/tables/backbone.csv | cut -d, -f4)" 1e-7
near "stiff: damping" "$(sed -n 2p band/tables/propagate.csv | cut -d, -f7)" "$(sed -n 3p stiff/tables/backbone.csv | cut -d, -f5)" 3e-5

# ---- random numbers; the same on one thread and on two ----
bands="propagate: {random: $random, amplitudes: [1e-3], modes: [1], samples: 20}"
runs "random: runs" lap.yaml random --threads 1 --set analyses="[$bands]"
runs "random: runs on two threads" lap.yaml two --threads 2 --set analyses="[$bands]"
report "random: the same on two threads" "$(diff -r random/tables two/tables)"
report "random: a band" "$(awk -F, 'NR > 1 && !($3 < $4 && $4 < $5 && $6 < $7 && $7 < $8)' random/tables/propagate.csv)"
runs "sobol: runs" lap.yaml sobol --set analyses="[sobol: {random: $random, amplitudes: [1e-3], modes: [1], samples: 24}]"
for quantity in frequency damping; do # first indices add up to 1 at most, total ones to 1 at least, within three standard errors
  report "sobol: sums of the indices of the $quantity" "$(awk -F, -v q=$quantity '$3 == q {f += $5; t += $7; e += $6^2; d += $8^2; n++}
    END {if (n != 2 || f > 1 + 3*sqrt(e) || f < 0.2 || t < 1 - 3*sqrt(d) || t > 2 || sqrt(e) > 0.6) print n, f, sqrt(e), t, sqrt(d)}' sobol/tables/sobol.csv)"
done

for folder in fit random sobol; do
  same "$folder: law and preload of the contact" "$(jq -c '.analyses[0] | [.laws[0].law, .preload_friction, .preload_change < 0.01]' $folder/summary.json)" \
    '["layer","yes",true]'
done

# ---- what is refused ----
refuses "a number that a rigid contact has not" "contacts.NAME.layer.K_n or .K_t of one with a layer" lap.yaml --set $contact='{between: [upper.bottom, lower.top], mu: 0.3}' \
  --set analyses='[propagate: {random: {contacts.lap.layer.K_n: {mean: 1, deviation: 0.1}}, amplitudes: [1e-3]}]'
refuses "a contact that there is none of" "contacts.NAME.mu" lap.yaml --set analyses='[sobol: {random: {contacts.lab.mu: {mean: 0.3, deviation: 0.1}}, amplitudes: [1e-3]}]'
refuses "a bound below zero" "mu" lap.yaml --set analyses='[calibrate: {parameters: {contacts.lap.mu: [-0.1, 0.6]}, targets: [{mode: 1, from: truth/tables/backbone.csv, curve: qsma}]}]'
refuses "free twice" "free twice" lap.yaml --set analyses='[calibrate: {parameters: {contacts.lap.mu: [0.1, 0.6], contacts.*.mu: [0.1, 0.6]}, targets: [{mode: 1, from: truth/tables/backbone.csv, curve: qsma}]}]'

finish
