#!/bin/bash
# Tests of a lap joint with contact between solids in a study: nonlinear modes beside quasi-static ones, frequency response and
# stepped sine, an impact, a sweep.
source "$(dirname "$0")/../checks.sh"

cat >lap.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [90, 20, 5], elements: [18, 4, 1]}, material: steel}
      upper: {block: {size: [90, 20, 5], at: [50, 0, 5], elements: [18, 4, 1]}, material: steel, points: {tip: [140, 10, 10]}}
      head: {block: {size: [10, 10, 4], at: [65, 5, 10], elements: [2, 2, 1]}, material: steel}
      nut: {block: {size: [10, 10, 4], at: [65, 5, -4], elements: [2, 2, 1]}, material: steel}
    merge: [{parts: [upper, head]}, {parts: [lower, nut]}]
    fix: {lower.left: all}
    contacts: {lap: {between: [upper.bottom, lower.top], mu: 0.3, layer: {K_n: 1.0e+6, K_t: 5.0e+5}}}
    preload: [{push: {head.top: [0, 0, -6000], nut.bottom: [0, 0, 6000]}, friction: true}]
  reduce: {craig_bampton: {modes: 3, keep: [upper.tip]}}
  damping: {modal: 2e-3}
analyses:
  - backbone: {modes: [1], methods: [qsma, epmc], harmonics: 3, times: 64, amplitudes: [1e-3, 4e-3], layer_check: false,
      settle: {amplitude: 4e-3, cycles: 3}, sensor: upper.tip.uz}
  - frequency_response: {load: {at: upper.tip.uz}, levels: [0.7], frequency: [198, 203], harmonics: 3, times: 64}
  - stepped_sine: {modes: [1], load: {at: upper.tip.uz}, levels: {from: 0.4, to: 0.7, count: 2}, harmonics: 3, times: 64}
  - impact_test: {at: upper.tip.uz, levels: [20], modes: [1], pulse_mode: 1, time: {step: 1.0e-4, steps: 2000}}
  - modal_ringdown: {modes: [1], levels: {1: [300]}, time: {step: 1.0e-4, steps: 2000}}
  - sweep: {at: upper.tip.uz, mode: 1, levels: [1], from: 190, to: 210, duration: 3, step: 2.0e-4, directions: [up]}
END
runs "runs" lap.yaml lap
for k in 1 2; do
  row() { awk -F, -v m="$1" -v k=$k -v c="$2" '$2 == m && ++n == k {print $c}' lap/tables/backbone.csv; }
  near "backbone: frequency of epmc is that of qsma, $k" "$(row epmc 4)" "$(row qsma 4)" 5e-3
  near "backbone: damping of the joint, too, $k" "$(row epmc 6)" "$(row qsma 6)" 0.05
done
same "every analysis is complete but for thin slip zones" "$(summary lap '[.analyses[] | select(.status != "complete") | .name] | join(" ")')" "backbone"
near "frequency response: its peak is the phase resonance of stepped_sine" \
  "$(cells lap/tables/frequency_response_peaks.csv 0 displacement)" "$(cells lap/tables/stepped_sine_sensors.csv 1 displacement)" 1e-3
# Beside the load at which a point begins to slip the multiplier may not settle: unknown.
texts() { awk -F, -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } NR > 1 { print $at }' "lap/tables/$1.csv"; } # TABLE COLUMN
same "stepped sine: stability" "$(texts stepped_sine stability | sort -u)" stable
same "frequency response: stability of the peak" "$(texts frequency_response_peaks stability)" stable
report "frequency response: most points are stable, none is unstable" \
  "$(texts frequency_response stability | awk '{ n[$1]++ } END { if (n["unstable"] > 0 || !(n["stable"] > 3*n["unknown"])) print n["stable"], n["unknown"], n["unstable"] }')"
report "frequency response: multipliers" "$(texts frequency_response multiplier | awk '$1 != 0 && !($1 > 0.9 && $1 < 1)')"
report "frequency response: residuals" "$(summary lap '.analyses[] | select(.name == "frequency_response" and .worst_residual > 1e-10)')"

finish
