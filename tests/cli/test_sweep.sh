#!/bin/bash
# The analyses `sweep` and `frf` on linear structures, whose answers are known, and what is refused.
source "$(dirname "$0")/checks.sh"

# study NAME: an oscillator of 131.2725 rad/s with what comes on standard input.
study() {
  {
    cat <<'YAML'
microslip: 1
structure:
  chain: {masses: {u1: 2.385}, springs: [[ground, u1, 28000]]}
  damping: {modal: 0.0117}
joints:
  pad: {law: jenkins, between: [ground, u1], F_S: 55, K_T: 13100}
YAML
    cat
  } >"$1.yaml"
}

# ---- a linear oscillator: omega = sqrt(41100/2.385), zeta = 0.0117; in sticking the joint is a spring
study linear <<'YAML'
analyses:
  - sweep: {base: true, mode: 1, levels: [0.071, 0.71], from: 14.3, to: 27.9, duration: 31.3, step: 1.31e-3, method: exponential}
  - sweep: {name: push, at: {u1: 1.5}, mode: 1, sensor: u1, levels: 0.83, directions: down, from: 14.3, to: 27.9, duration: 31.3, step: 1.31e-3, law: logarithmic, method: exponential}
YAML
report "linear: runs" "$(run_study linear)"
csv=linear/tables/sweep.csv
omega=$(awk 'BEGIN { printf "%.12g", sqrt(41100 / 2.385) }')
report "linear: two levels, up and down" "$(off "$(wc -l <$csv)" 5 0)"
for row in 0 1 2 3; do
  report "linear: frequencies of row $row" \
    "$(off "$(cells $csv $row omega omega_half omega_peak)" "$omega $omega $omega" 3e-4)"
  report "linear: dampings of row $row" \
    "$(off "$(cells $csv $row zeta zeta_half zeta_phase)" "0.0117 0.0117 0.0117" 3e-3)"
  # |q| = Gamma a/(2 zeta omega^2), Gamma = sqrt(m)
  level=$(cells $csv $row level)
  report "linear: amplitude of row $row" "$(off "$(cells $csv $row q)" \
    "$(awk -v a="$level" -v w="$omega" 'BEGIN { print sqrt(2.385) * a / (2 * 0.0117 * w * w) }')" 5e-3)"
  report "linear: the rate of row $row" "$(off "$(cells $csv $row severity)" \
    "$(awk -v w="$omega" 'BEGIN { f = w / 6.283185307; print 13.6 / 31.3 / (0.0117 * f) ^ 2 }')" 0.03)"
done
report "linear: directions" "$([[ "$(cells $csv 0 direction) $(cells $csv 1 direction)" == "up down" ]] || cat $csv)"
report "a force, at a sensor: frequency and damping" \
  "$(off "$(cells linear/tables/push.csv 0 omega zeta zeta_half)" "$omega 0.0117 0.0117" 3e-3)"
report "a force, at a sensor: response" "$(off "$(cells linear/tables/push.csv 0 response)" \
  "$(awk 'BEGIN { print 1.5 * 0.83 / (2 * 0.0117 * 41100) }')" 5e-3)"
faults=
for word in '"too_fast": true' '"severity"' '"participation"'; do
  grep -qF "$word" linear/summary.json || faults+="summary lacks $word"$'\n'
done
for word in 'take a longer sweep' 'Amplitude of the response' 'Transfer function' 'where the energy went'; do
  grep -qF "$word" linear/report.html || faults+="the report lacks '$word'"$'\n'
done
report "linear: summary and report" "$faults"
report "linear: runs have residuals and balance" \
  "$(awk -F, 'NR > 1 && !($9 < 0.01 && $9 > -0.01 && $5 < 1e-9)' linear/tables/sweep_runs.csv)"

# ---- a joint that slips: softer and more damped at the higher level
study slip <<'YAML'
analyses:
  - sweep: {base: true, mode: 1, levels: [0.2, 6], directions: [down], from: 12, to: 26, duration: 41.3, step: 1.31e-3}
YAML
report "slip: runs" "$(run_study slip)"
report "slip: softens and damps" "$(awk -F, 'NR == 2 { w = $6; z = $7 } NR == 3 && !($6 < 0.99 * w && $7 > 1.5 * z)' slip/tables/sweep.csv)"

# ---- three masses and a lap joint, mode 2: quasi-static modal analysis at the same amplitude gives
# (q, omega, zeta of the joint) = (2.35983, 1.214894453, 0.00016580025) and (3.10117, 1.214778561, 0.00019019733);
# viscous 2e-3 omega_0/omega on top. What the sweep's rate adds has the other sign on the way down.
cat >lap.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 2e-3}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - sweep: {at: u3, mode: 2, levels: 0.1, from: 0.188, to: 0.1985, duration: 60000, step: 0.13, method: exponential}
YAML
report "lap: runs" "$(run_study lap)"
awk -F, 'NR > 1 {
  t = log($5 / 2.359833467) / log(3.101168927 / 2.359833467)
  w = 1.214894453 + t * (1.214778561 - 1.214894453); z = 0.0001658002533 + t * (0.0001901973258 - 0.0001658002533)
  total = z + 2e-3 * 1.2156841452833735 / w
  e = $6 / w - 1; d = $7 / total - 1; mean += d / 2; n++
  if (!(e < 2e-5 && e > -2e-5)) printf "omega %s, reference %.10g, error %.3g, tolerance 2e-5\n", $6, w, e
  if (!(d < 0.02 && d > -0.02)) printf "zeta %s, reference %.8g, error %.3g, tolerance 0.02\n", $7, total, d
}
END { if (!(n == 2 && mean < 4e-3 && mean > -4e-3)) printf "zeta of %d runs, mean error %.3g, tolerance 4e-3\n", n, mean }
' lap/tables/sweep.csv >lap.text
report "lap: frequency and damping of quasi-static modal analysis" "$(cat lap.text)"

# ---- out of reach: a remark, and no failure
study out <<'YAML'
analyses:
  - sweep: {base: true, mode: 1, levels: 0.2, directions: up, from: 4, to: 12, duration: 20.3, step: 2.31e-3}
YAML
run_study out >said
report "out of reach: no result, with a reason" "$(grep -q "sweep is partial: there is no result: there is no resonance" said || cat said)"
report "out of reach: the remark says why" "$(grep -q 'no resonance' out/tables/sweep_runs.csv || cat out/tables/sweep_runs.csv)"

# ---- frf: closed form, and a simulated random test of the linear structure
study frf <<'YAML'
loads:
  shaker: {noise: {rms: 0.31, low: 0.5, high: 60, lines: 400, seed: 4}, at: u1}
analyses:
  - frf: {at: u1, sensor: u1, quantity: receptance, range: [10, 30], points: 21, mode: 1, amplitudes: 0.0125, test: {load: shaker, step: 5e-3, steps: 20000, method: exponential, length: 2048}}
  - frf: {name: shake, base: true, sensor: u1, quantity: transmissibility, joints: stuck, range: [10, 30], points: 21}
YAML
report "frf: runs" "$(run_study frf)"
# |1/(K - w^2 m + i w c)|, c = 2 zeta sqrt(K_0 m), stuck K = K_0 = 41100, slipped 28000; at |q| = 0.0125
# u0 = q/sqrt(m), and the Jenkins joint is F_S/u0 + i 4 F_S (u0 - F_S/K_T)/(pi u0^2)
reference() { # ROW STIFFNESS LOSS KIND
  awk -v i="$1" -v K="$2" -v h="$3" -v kind="$4" 'BEGIN {
    pi = atan2(0, -1); w = 2 * pi * (10 + i); m = 2.385; c = 2 * 0.0117 * sqrt(41100 * m)
    re = K - w * w * m; im = w * c + h
    if (kind == "u") printf "%.12g\n", 1 / sqrt(re * re + im * im)
    else { d = re * re + im * im; a = 1 + w * w * m * re / d; b = -w * w * m * im / d; printf "%.12g\n", sqrt(a * a + b * b) } }'
}
read -r K h <<<"$(awk 'BEGIN { pi = atan2(0, -1); u = 0.0125 / sqrt(2.385)
  printf "%.12g %.12g", 28000 + 55 / u, 4 * 55 * (u - 55 / 13100) / (pi * u * u) }')"
for i in 0 7 11 20; do
  report "frf: stuck, line $i" "$(off "$(cells frf/tables/frf.csv $i magnitude)" "$(reference $i 41100 0 u)" 1e-8)"
  report "frf: slipped, line $i" "$(off "$(cells frf/tables/frf.csv $((21 + i)) magnitude)" "$(reference $i 28000 0 u)" 1e-8)"
  report "frf: at an amplitude, line $i" "$(off "$(cells frf/tables/frf.csv $((42 + i)) magnitude)" "$(reference $i "$K" "$h" u)" 1e-8)"
  report "frf: transmissibility, line $i" "$(off "$(cells frf/tables/shake.csv $i magnitude)" "$(reference $i 41100 0 T)" 1e-8)"
done
awk -F, 'NR == 2 { if (!($3 < 2 * $5 + 0.01)) print "rms difference " $3 ", random error " $5 }
  NR == 3 { if (!($3 > 0.5)) print "and slipped should differ" }' frf/tables/frf_compare.csv >compare
report "frf: the test agrees with the stuck modes within its random error and the blur of its lines" "$(cat compare)"
# H1 = Sxy/Sxx, H2 = Syy/conj(Sxy), g = coherence = |Sxy|^2/(Sxx Syy): |H2| = |H1|/g. Random error sqrt((1 - g)/(2 n g)).
for column in 'H1 real' 'H1 imaginary' 'H1 magnitude' 'H1 phase' 'H2 magnitude' coherence 'random error'; do
  values frf/tables/frf_test.csv "$column" >"${column// /_}"
done
report "frf: H2 is H1 over the coherence" "$(paste H1_magnitude H2_magnitude coherence | awk '
  { e = $1/($2*$3) - 1; if (!(e*e < 1e-24 && $3 < 1)) print } END { if (NR < 100) print NR " lines" }' | head -n 5)"
report "frf: H1 by its parts and by magnitude and phase" "$(paste H1_real H1_imaginary H1_magnitude H1_phase | awk '
  { p = $4*atan2(0, -1)/180; a = $1/$3 - cos(p); b = $2/$3 - sin(p); if (!(a*a + b*b < 1e-24)) print }' | head -n 5)"
report "frf: random error by the averages" "$(paste coherence random_error | awk -v n="$(summary frf .analyses[0].test.averages)" '
  { e = $2*$2*2*n*$1/(1 - $1) - 1; if (!(e*e < 1e-16)) print }' | head -n 5)"
grep -qF 'Coherence' frf/report.html || echo 'no coherence' >compare
report "frf: the report" "$(grep -F 'no coherence' compare)"

# ---- frf: measured records: a pulse of one sample, and the velocity of m v" + ... sampled
awk 'BEGIN {
  print "time [s],hammer [N],tip [mm/s]"
  h = 1e-3; m = 2.385; w = sqrt(41100 / m); z = 0.0117; d = w * sqrt(1 - z * z)
  for (k = 0; k < 4096; k++) {
    t = h * (k - 10)
    v = t < 0 ? 0 : exp(-z * w * t) * (cos(d * t) - z * w / d * sin(d * t)) * 23.85 / m * (k == 10 ? 0.5 : 1)
    printf "%.6f,%.12g,%.12g\n", h * k, k == 10 ? 23.85 / h : 0, 1000 * v
  } }' >hammer.csv
study measured <<'YAML'
analyses:
  - frf: {at: u1, sensor: u1, joints: stuck, range: [10, 30], measured: {file: hammer.csv, input: hammer, output: tip, window: hammer, length: 4096, force_end: 0.05}}
YAML
report "measured: runs" "$(run_study measured)"
report "measured: accelerance from a velocity in mm/s" \
  "$(awk -F, 'NR == 2 && !($3 < 0.01) { print "rms difference " $3 }' measured/tables/frf_compare.csv)"

# The same with offsets of both channels and 100 samples before the hit, which tell them.
{ head -1 hammer.csv
  awk -F, 'NR == 2 { for (k = 0; k < 100; k++) printf "%.6f,207,31\n", 1e-3*k }
    NR > 1 { printf "%.6f,%.12g,%.12g\n", $1 + 0.1, $2 + 207, $3 + 31 }' hammer.csv
} >offset.csv
for offset in subtract keep; do
  study $offset <<YAML
analyses:
  - frf: {at: u1, sensor: u1, joints: stuck, range: [10, 30], measured: {file: offset.csv, input: hammer, output: tip, window: hammer, length: 4196, force_end: 0.15, offset: $offset}}
YAML
  report "offsets, $offset: runs" "$(run_study $offset)"
done
report "offsets that are subtracted do not show" \
  "$(awk -F, 'NR == 2 && !($3 < 0.01) { print "rms difference " $3 }' subtract/tables/frf_compare.csv)"
report "... and are in the summary" \
  "$(jq -c '.analyses[0].measured | [.offset_samples > 90, (.offset[0] - 207 | fabs) < 1e-9, (.offset[1] - 0.031 | fabs) < 1e-9]' subtract/summary.json | grep -v '\[true,true,true\]')"
report "those that are kept do show" \
  "$(awk -F, 'NR == 2 && !($3 > 0.02) { print "rms difference " $3 }' keep/tables/frf_compare.csv)"

# ---- what is refused
refused() { # 'WORD|WORD' LINES
  study bad <<<"$2"
  refused_bad "$1"
}
sweep() { echo "analyses: [{sweep: {mode: 1, levels: 1, from: 10, to: 30, duration: 10, step: 1e-3, $1}}]"; }
refused "one of at (force) and base" "$(sweep 'law: linear')"
refused "one of at (force) and base" "$(sweep 'at: u1, base: true')"
refused "u9" "$(sweep 'at: u9')"
refused "directions 'left'" "$(sweep 'at: u1, directions: [up, left]')"
refused "twice" "$(sweep 'at: u1, directions: [up, up]')"
refused "law 'cubic'" "$(sweep 'at: u1, law: cubic')"
refused "method 'euler'" "$(sweep 'at: u1, method: euler')"
refused "there is no mode 3" "$(sweep 'at: u1' | sed 's/mode: 1/mode: 3/')"
refused "there is no mode 4294967297" "$(sweep 'at: u1' | sed 's/mode: 1/mode: 4294967297/')"
refused "to must be above from" "$(sweep 'at: u1' | sed 's/to: 30/to: 5/')"
refused "steps in a period" "$(sweep 'at: u1' | sed 's/step: 1e-3/step: 1e-2/')"
refused "level -1" "$(sweep 'at: u1' | sed 's/levels: 1/levels: -1/')"
refused "does not excite mode 1" "$(sweep 'at: {u1: 0}')"
refused "needs 'duration'" "$(sweep 'at: u1' | sed 's/duration: 10,//')"
frf() { echo "loads: {a: {constant: {amplitude: 1}, at: u1}, b: {constant: {amplitude: 1}, base: true}}
analyses: [{frf: {sensor: u1, range: [10, 30], $1}}]"; }
refused "one of at (force) and base" "$(frf 'points: 5')"
refused "'inertance' is none of" "$(frf 'at: u1, quantity: inertance')"
refused "moving base" "$(frf 'at: u1, quantity: transmissibility')"
refused "range is two numbers, the lower first" "$(frf 'at: u1' | sed 's/\[10, 30\]/[30, 10]/')"
refused "joints 'loose' is none of stuck, slipped" "$(frf 'at: u1, joints: loose')"
refused "give mode" "$(frf 'at: u1, amplitudes: 1')"
refused "amplitudes must be > 0, not -2" "$(frf 'at: u1, mode: 1, amplitudes: -2')"
refused "there is no load 'c'" "$(frf 'at: u1, test: {load: c, step: 1e-3, steps: 100}')"
refused "base's acceleration" "$(frf 'at: u1, test: {load: b, step: 1e-3, steps: 100}')"
refused "window 'kaiser'" "$(frf 'at: u1, test: {load: a, step: 1e-3, steps: 100, window: kaiser}')"
refused "window: hammer" "$(frf 'at: u1, test: {load: a, step: 1e-3, steps: 100, decay: 3}')"
refused "a block of 500" "$(frf 'at: u1, test: {load: a, step: 1e-3, steps: 100, length: 500}')"
refused "overlap must be >= 0 and < 1, not 1" "$(frf 'at: u1, test: {load: a, step: 1e-3, steps: 100, overlap: 1}')"
refused "none.csv" "$(frf 'at: u1, measured: {file: none.csv, input: a, output: b}')"
refused "test or measured" "$(frf 'at: u1, test: {}, measured: {}')"

finish
