#!/bin/bash
# The analyses `frequency_response` and `stepped_sine`: closed forms of linear and Duffing
# oscillators, each other, interrupted runs, and what is refused.
source "$(dirname "$0")/checks.sh"

# One mass of 1.3 kg on 47 N/m, 1.7 % damping, and what comes on standard input.
study() { # NAME
  {
    cat <<'YAML'
microslip: 1
structure:
  chain: {masses: {u: 1.3}, springs: [[ground, u, 47]]}
  damping: {modal: 0.017}
YAML
    cat
  } >"$1.yaml"
}

# rows TABLE PROGRAM: for every row awk prints "value reference" with columns by name, as c["omega"].
rows() {
  awk -F, -v OFMT=%.17g 'BEGIN { pi = 4 * atan2(1, 1); m = 1.3; k = 47; w0 = sqrt(k / m); zeta = 0.017 }
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) name[i] = $i; next }
    { for (i = 1; i <= NF; i++) c[name[i]] = $i } '"$2" "$1"
}

# agree TOLERANCE LEAST <PAIRS: relative, at least LEAST of them; prints the worst that does not.
agree() {
  awk -v tolerance="$1" -v least="$2" '
    { d = $1 - $2; if (d < 0) d = -d; s = $2 < 0 ? -$2 : $2; if (s > 0) d /= s
      if (!(d <= worst)) { worst = d; line = $0 } }
    END {
      printf "# %d rows, worst error %.3g, tolerance %g\n", NR, worst, tolerance > "/dev/stderr"
      if (NR < least) print "only " NR " rows"
      if (!(worst <= tolerance)) printf "%s: error %.3g, tolerance %g\n", line, worst, tolerance }'
}

# ---- linear: amplitude and phase of every point, at every level, by force and by base ----
study linear <<'YAML'
joints: {spring: {law: linear, between: [ground, u], K: 0, C: 0}}
analyses:
  - frequency_response: {load: {at: u}, levels: [2.385, 0.071], omega: [3.1, 9.7], points: [4.4, 6.0127]}
  - frequency_response: {name: down, load: {at: u}, levels: 2.385, frequency: [1.6, 0.5], harmonics: 3}
  - frequency_response: {name: base, load: {base: true}, levels: 1.9, omega: [3.1, 9.7]}
  - stepped_sine: {load: {at: u}, levels: [0.4, 0.05, 3.1]}
  - frequency_response: {name: below, load: {at: u}, levels: 1.9, omega: [3.1, 5.9]}
YAML
report "linear: runs" "$(run_study linear)"
closed='{ w = c["omega"]; s = k - m*w^2; d = 2*zeta*sqrt(k*m)*w; F = c["level"]*scale
  print c["displacement"], F/sqrt(s^2 + d^2); print c["velocity"], w*F/sqrt(s^2 + d^2)
  print c["peak_acceleration"], w^2*F/sqrt(s^2 + d^2); print c["phase"], atan2(-d, s) }'
report "linear: amplitude and phase" \
  "$(rows linear/tables/frequency_response_sensors.csv "BEGIN { scale = 1 } $closed" | agree 1e-8 100)"
report "linear: downwards, in Hz" \
  "$(rows linear/tables/down_sensors.csv "BEGIN { scale = 1 } $closed" | agree 1e-8 50)"
report "linear: from 1.6 to 0.5 Hz" "$(rows linear/tables/down.csv \
  'NR == 2 { print c["omega"], 3.2*pi } END { print c["omega"], pi }' | agree 1e-12 2)"
# In coordinates relative to the ground the force is -m a: a phase of pi more.
report "linear: base acceleration" "$(rows linear/tables/base_sensors.csv '{ w = c["omega"]; s = k - m*w^2
  d = 2*zeta*sqrt(k*m)*w; print c["displacement"], m*c["level"]/sqrt(s^2 + d^2)
  print cos(c["phase"] - atan2(d, -s)), 1 }' | agree 1e-8 50)"
report "linear: points of the list are met" "$(rows linear/tables/frequency_response.csv \
  'c["omega"] == 4.4 || c["omega"] == 6.0127 { print 1, 1 }' | agree 0 4)"
report "linear: complete, no folds, stable" "$(jq -r '.analyses[0] | .levels[]
  | select(.complete != true or .folds != 0 or .unstable != 0 or .missed != 0 or .residual > 1e-10)' \
  linear/summary.json)"
# omega^2 = omega_0^2 (1 - 2 zeta^2), A = F/(2 zeta k sqrt(1 - zeta^2)): not the largest of the points.
peak='{ print c["peak_omega"], w0*sqrt(1 - 2*zeta^2)
  print c["peak_displacement"], c["level"]/(2*zeta*k*sqrt(1 - zeta^2)) }'
for name in frequency_response down; do
  report "linear: the peak is solved for ($name)" "$(rows linear/tables/${name}_levels.csv "$peak" | agree 1e-7 2)"
done
report "linear: the peak of a curve that rises to its end is there, and said to be" "$(jq -r '.analyses[4].levels[0].peak
  | select(.at_end != true or .omega != 5.9)' linear/summary.json)"
report "linear: quadrature is at omega_0, zeta is that of the mode" \
  "$(rows linear/tables/stepped_sine.csv '{ print c["omega"], w0; print c["zeta"], zeta
    print c["q"], c["level"]/sqrt(m)/(2*zeta*w0^2); print -c["phase"], pi/2 }' | agree 1e-8 12)"
report "linear: levels in rising order" \
  "$(cut -d, -f2 linear/tables/stepped_sine.csv | tail -n +2 | tr '\n' ' ' | grep -qx '0.05 0.4 3.1 ' ||
    cat linear/tables/stepped_sine.csv)"

# ---- Duffing, one harmonic: the closed form at every point, both folds, the middle is unstable ----
study duffing <<'YAML'
joints: {hard: {law: cubic, between: [ground, u], K: 0, K3: 310}}
analyses:
  - frequency_response: {load: {at: u}, levels: [0.03, 2.385], omega: [3.1, 14], harmonics: 1, times: 64}
  - stepped_sine: {load: {at: u}, levels: {from: 0.03, to: 3, count: 12}, harmonics: 1, times: 64}
  - frequency_response:
      name: fine
      load: {at: u}
      levels: 2.385
      omega: [4.1, 9]
      refine: {tolerance: 1e-6, harmonics: 21}
  - frequency_response:
      name: listed
      load: {at: u}
      levels: 2.385
      omega: [3.1, 14]
      harmonics: 1
      times: 64
      points: [11.8089, 7.2117, 11.808975, 11.8, 7.211676]
YAML
report "duffing: runs" "$(run_study duffing)"
report "duffing: closed form" "$(rows duffing/tables/frequency_response_sensors.csv '
  { w = c["omega"]; A = c["displacement"]; s = k - m*w^2 + 0.75*310*A^2; d = 2*zeta*sqrt(k*m)*w
    print A*sqrt(s^2 + d^2), c["level"] }' | agree 1e-8 100)"
report "duffing: two folds at the large level, none at the small" \
  "$(jq -r '.analyses[0].levels | map(.folds) | select(. != [0, 2])' duffing/summary.json)"
report "duffing: unstable between the folds" \
  "$(jq -r '.analyses[0].levels[1] | select(.unstable < 5 or .complete != true)' duffing/summary.json)"
# With a = A^2, g = 3/4 K3, s = k - m omega^2 + g a the curve is a (s^2 + c^2 omega^2) = F^2. Its peak, by
# omega: s = c^2/(2 m). Its folds, by a: s = -F^2/(2 g a^2), which leaves one equation for a.
report "duffing: peaks are solved for" "$(rows duffing/tables/frequency_response_levels.csv '
  { F = c["level"]; d = 2*zeta*sqrt(k*m); g = 0.75*310; p = d^2*k/m - d^4/(4*m^2); q = d^2*g/m
    a = (sqrt(p^2 + 4*q*F^2) - p)/(2*q); print c["peak_displacement"], sqrt(a)
    print c["peak_omega"], sqrt((k + g*a - d^2/(2*m))/m) }' | agree 1e-7 4)"
folds='function h(a) { return F^4/(4*g^2*a^4) + d^2/m*(k + g*a + F^2/(2*g*a^2)) - F^2/a }
  { F = c["level"]; d = 2*zeta*sqrt(k*m); g = 0.75*310; a = c["displacement"]^2
    low = a*0.98; high = a*1.02
    for (i = 0; i < 60; i++) { a = (low + high)/2; if (h(a)*h(low) > 0) low = a; else high = a }
    print c["omega"], sqrt((k + g*a + F^2/(2*g*a^2))/m); print c["displacement"], sqrt(a) }'
report "duffing: folds are solved for" "$(rows duffing/tables/frequency_response_folds.csv "$folds" | agree 1e-6 4)"
report "duffing: of a fold which side has no motion" "$([[ $(rows duffing/tables/frequency_response_folds.csv \
  '{ print c["omega_is"] }' | tr '\n' ' ') == 'largest smallest ' ]] || cat duffing/tables/frequency_response_folds.csv)"
# Two of the list lie within 1e-6 of a fold. Each is met on both branches that pass it, and below
# 11.8 rad/s and above 7.21 on the third.
report "duffing: points beside a fold are met on both sides" "$(rows duffing/tables/listed.csv \
  '{ w = c["omega"]; n += w == 11.8089 || w == 11.808975 || w == 11.8 || w == 7.2117 || w == 7.211676 }
    END { print n, 15 }' | agree 0 1)"
report "duffing: and change nothing else" "$(rows duffing/tables/listed_levels.csv '{ print c["peak_omega"], c["missed"] }' |
  diff - <(rows duffing/tables/frequency_response_levels.csv 'c["level"] > 1 { print c["peak_omega"], c["missed"] }'))"
report "duffing: the curve at quadrature is omega^2 = (k + 3/4 K3 A^2)/m" \
  "$(rows duffing/tables/stepped_sine.csv '{ A = c["q"]/sqrt(m); print c["omega"]^2*m, k + 0.75*310*A^2
    print c["level"], 2*zeta*sqrt(k*m)*c["omega"]*A }' | agree 1e-8 24)"
report "duffing: refined until it stops moving" "$(jq -r '.analyses[2].levels[0]
  | select(.settled != true or .harmonics_enough <= 7 or .harmonics_enough > 21)' duffing/summary.json)"
report "duffing: the table of the refinement ends there" \
  "$(tail -n 1 duffing/tables/fine_harmonics.csv | grep -q ',yes$' || cat duffing/tables/fine_harmonics.csv)"
faults=
for word in 'Frequency response' 'Hysteresis loops of the joints' 'tracked resonance' 'number of harmonics' 'largest relative residual'; do
  grep -qF "$word" duffing/report.html || faults+="the report lacks '$word'"$'\n'
done
report "duffing: report" "$faults"

# ---- two folds beside each other: the oscillator just above the level where folds begin, 0.1718053 N ----
# Their frequencies differ by 4e-5 and 1e-6; the steps of `coarse` pass both at once, and their ends show no turn.
study narrow <<'YAML'
joints: {hard: {law: cubic, between: [ground, u], K: 0, K3: 310}}
analyses:
  - frequency_response: {load: {at: u}, levels: [0.1735, 0.172, 0.1717], omega: [3.1, 14], harmonics: 1, times: 64}
  - frequency_response: {name: coarse, load: {at: u}, levels: [0.1735, 0.172], omega: [5.3, 14], harmonics: 1, times: 64, step: 0.35}
  - frequency_response: {name: deep, load: {at: u}, levels: [0.1735, 0.172], omega: [3.1, 14], harmonics: 1, times: 64, shallow: 2.3e-5}
YAML
report "narrow: runs" "$(run_study narrow)"
report "narrow: a pair at each level above, none below" "$(jq -c '[.analyses[].levels | map(.folds)]
  | select(. != [[2, 2, 0], [2, 2], [2, 2]])' narrow/summary.json)"
report "narrow: noted as shallow by the setting" "$(jq -c '[.analyses[].levels | map(.shallow_folds)]
  | select(. != [[2, 2, 0], [2, 2], [0, 2]])' narrow/summary.json)"
report "narrow: the notes say so" "$(jq -c '[.analyses[].notes | map(select(contains("2 of the 2 folds are shallow"))) | length]
  | select(. != [2, 2, 1])' narrow/summary.json)"
# h of the folds, above, has both roots beside its smallest value. A depth is a difference of omegas, which are right to 1e-10.
for name in frequency_response coarse; do
  report "narrow: $name has the closed form's omega and depth" "$(rows narrow/tables/${name}_folds.csv \
    "${folds%%\{ F =*}"'function w(a) { return sqrt((k + g*a + F^2/(2*g*a^2))/m) }
    function root(low, high,  i, a) {
      for (i = 0; i < 60; i++) { a = (low + high)/2; if (h(a)*h(low) > 0) low = a; else high = a }
      return a }
    { F = c["level"]; d = 2*zeta*sqrt(k*m); g = 0.75*310; low = 0.007; high = 0.0095
      for (i = 0; i < 99; i++) {
        one = low + (high - low)/3; two = high - (high - low)/3
        if (h(one) < h(two)) high = two; else low = one }
      largest = c["omega_is"] == "largest"
      here = w(largest ? root(low, 0.011) : root(0.006, low)); other = w(largest ? root(0.006, low) : root(low, 0.011))
      print c["omega"], here; depth = 1 - other/here; print 1e-3 + c["depth"], 1e-3 + (depth < 0 ? -depth : depth)
    }' | agree 1e-6 8)"
done

# ---- softening: with more harmonics the fold at the peak moves away, and a point beside it is refined ----
study beside <<'YAML'
joints: {soft: {law: cubic, between: [ground, u], K: 0, K3: -110}}
analyses:
  - frequency_response: {load: {at: u}, levels: [0.45, 0.52, 0.6], omega: [7.9, 3.1], harmonics: 1, times: 64, refine: {tolerance: 1e-5}}
YAML
"$microslip" run beside.yaml --out beside >/dev/null 2>&1
report "beside: settled within 1e-2 of the peak's frequency, not at the last level" \
  "$(jq -c '.analyses[0].levels | map(.settled) | select(. != [true, true, false])' beside/summary.json)"
report "beside: which says so" "$(jq -e '.analyses[0] | .status == "suspect" and
  (.reasons[0] | contains("level 0.6 N: with more harmonics there is no solution"))' beside/summary.json >/dev/null || jq -c '.analyses[0].reasons' beside/summary.json)"

# ---- friction: quadrature of the curve and of the track agree; loops lose what the table says ----
study friction <<'YAML'
joints: {lap: {law: jenkins, between: [ground, u], F_S: 2.9, K_T: 21}}
analyses:
  - frequency_response: {load: {at: u}, levels: [0.4, 1.87], omega: [4.1, 9.9], harmonics: 9}
  - stepped_sine: {load: {at: u}, levels: [0.4, 1.87], harmonics: 9}
YAML
report "friction: runs" "$(run_study friction --threads 1)"
report "friction: stable all along, no folds" \
  "$(tail -n +2 friction/tables/frequency_response.csv | grep -v ',stable,')"
# Where the phase crosses -pi/2, between two points of the curve.
crossing=$(rows friction/tables/frequency_response_sensors.csv 'c["level"] > 1 {
  if (last > -pi/2 && c["phase"] <= -pi/2) {
    t = (last + pi/2)/(last - c["phase"]); print at + t*(c["omega"] - at) }
  last = c["phase"]; at = c["omega"] }')
report "friction: curve and track meet at quadrature" \
  "$(echo "$crossing $(rows friction/tables/stepped_sine.csv 'END { print c["omega"] }')" | agree 2e-3 1)"
report "friction: the loss is the work of the load less the dashpot's" \
  "$(rows friction/tables/stepped_sine.csv 'NR == 3 { w = c["omega"]; A = c["q"]/sqrt(m); k0 = k + 21
    print c["loss"], pi*c["level"]*A - pi*2*zeta*sqrt(k0*m)*w*A^2 }' | agree 1e-3 1)"
# The loop of the law: its area by the trapezoidal rule.
report "friction: the loop at the peak has that area" "$(
  area=$(rows friction/tables/frequency_response_loops.csv 'c["level"] > 1 {
    if (n++) area += (c["force"] + f)/2*(c["displacement"] - z); z = c["displacement"]; f = c["force"] }
    END { print area }')
  loss=$(jq '.analyses[0].levels[1].peak.loss' friction/summary.json)
  echo "$area $loss" | agree 1e-3 1)"

# ---- softening without bound: what there is of a track is kept, and said to be partial ----
study soft <<'YAML'
joints: {soft: {law: cubic, between: [ground, u], K: 0, K3: -310}}
analyses:
  - frequency_response: {load: {at: u}, levels: 5.385, omega: [9, 2]}
  - stepped_sine: {load: {at: u}, levels: [0.01, 0.1, 9]}
YAML
report "soft: runs to its end" "$("$microslip" run soft.yaml --out soft 2>&1 >/dev/null | grep -v '^microslip: stepped_sine: mode 1 is partial: stopped at level')"
report "soft: the track has its first levels, and a reason to stop" "$(jq -r '.analyses[1].modes[0]
  | select(.complete or .points < 2 or (.reason | length) == 0)' soft/summary.json)"
report "soft: the last level is missing, a curve that ends is an answer" "$(jq -e '.status == "suspect" and
  (.analyses[1].notes[0] | contains("turned back")) and (.analyses[1].reasons[0] | contains("above 1")) and
  ([.analyses[].partial] == [0, 1]) and .analyses[1].modes[0].missing == [9]' soft/summary.json >/dev/null || jq -c '[.status, .analyses[].partial, .analyses[1].modes]' soft/summary.json)"
report "soft: exit code" "$("$microslip" run soft.yaml --out soft >/dev/null 2>&1 || echo "$?")"
report "soft: the report says so" "$(grep -q 'no solution at 1 of 3 levels: stopped' soft/report.html || echo no)"
report "soft: the points that are there are right" "$(rows soft/tables/stepped_sine.csv \
  'NR <= 3 { A = c["q"]/sqrt(m); print c["level"], 2*zeta*sqrt(k*m)*c["omega"]*A }' | agree 1e-3 2)"

# ---- a study whose track has no row at all is written all the same ----
study empty <<'YAML'
joints: {rub: {law: stribeck, F_c: 1, F_s: 1.4, v_s: 1e-4, v_st: 1e-3, C: 0.01, between: [ground, u]}}
analyses:
  - modes
  - stepped_sine: {load: {at: u}, levels: [0.1, 1], harmonics: 5, times: 128}
  - frequency_response: {load: {at: u}, levels: 2.385, omega: [3.1, 4], harmonics: 1, times: 64}
YAML
"$microslip" run empty.yaml --out empty >empty.out 2>&1
report "empty: exit code" "$([[ $? == 1 ]] || cat empty.out)"
report "empty: everything is written" "$(for file in report.html results.h5 summary.json tables/modes.csv \
  tables/stepped_sine.csv tables/frequency_response.csv; do [[ -s empty/$file ]] || echo "no $file"; done)"
report "empty: what became of each" "$(jq -e '[.analyses[].status] == ["complete", "partial", "complete"] and
  (.analyses[1].reasons[0] | contains("no solution at 2 of 2 levels"))' empty/summary.json >/dev/null || jq .analyses empty/summary.json)"

# ---- a first point that the stuck structure's response does not lead to ----
gap() { # FROM HARMONICS
  cat <<YAML
microslip: 1
structure:
  chain:
    masses: {u1: 1, u2: 2, u3: 1.5}
    springs: [[ground, u1, 400], [u1, u2, 300], [u2, u3, 500]]
  damping: {modal: 0.02}
joints: {j0: {law: gap, between: [u2, ground], K: 800, g_plus: 0.01, g_minus: 0.03}}
analyses:
  - frequency_response: {load: {at: u3}, levels: 3, omega: [$1, 9.3], points: [4.5, 9], sensors: [u2], harmonics: $2, stability: false}
YAML
}
gap 1.3 15 >below.yaml
gap 4.5 15 >inside.yaml
gap 3 7 >seven.yaml
sed 's/points: \[4.5, 9\]/points: [9]/' -i inside.yaml
for name in below inside seven; do
  report "gap, $name: runs to its end" "$("$microslip" run $name.yaml --out $name 2>&1 >/dev/null)"
done
for omega in 4.5 9; do
  report "gap: at $omega the same, wherever the curve began" "$(paste -d' ' \
    <(rows below/tables/frequency_response_sensors.csv "c[\"omega\"] == $omega { print c[\"peak_displacement\"] }") \
    <(rows inside/tables/frequency_response_sensors.csv "c[\"omega\"] == $omega { print c[\"peak_displacement\"] }") |
    agree 1e-7 1)"
done
cat >pair.yaml <<'YAML'
microslip: 1
structure:
  chain: {masses: {x: 1, y: 1}, springs: [[ground, x, 400], [ground, y, 600]]}
  damping: {modal: 0.002}
joints: {lap: {law: jenkins, between: [ground, x], F_S: 1, K_T: 200}}
analyses:
  - frequency_response: {load: {at: x}, levels: 1, omega: [24.494897427831781, 30]}
YAML
report "a start at the frequency of two equal modes" "$("$microslip" run pair.yaml --out pair 2>&1 >/dev/null)"
report "... goes to its end" "$(jq -r '.analyses[0].levels[0] | select(.complete | not)' pair/summary.json)"

# ---- the same curve however small the motion, down to where energies are no numbers ----
study tiny <<'YAML'
joints: {lap: {law: jenkins, between: [ground, u], F_S: 2.9, K_T: 21}}
analyses:
  - frequency_response: {load: {at: u}, levels: [1e-5, 1e-20, 1e-25, 1e-100, 1e-200], omega: [4.1, 9.9]}
YAML
"$microslip" run tiny.yaml --out tiny >/dev/null 2>tiny.err
report "tiny: the last level says why it has no curve" "$(grep -q \
  'level 1e-200 N has no point: level 1e-200 moves the structure so little' tiny.err || echo "it does not: $(cat tiny.err)")"
report "tiny: as many points at each level" "$([[ $(rows tiny/tables/frequency_response_levels.csv \
  'c["level"] > 1e-150 { print c["points"] }' | sort -u | wc -l) == 1 ]] || cut -d, -f1-3 tiny/tables/frequency_response_levels.csv)"
report "tiny: and the same motion over its level" "$(rows tiny/tables/frequency_response_levels.csv \
  'c["level"] > 1e-150 { y = c["peak_displacement"]/c["level"]; if (!first) first = y; print y, first }' | agree 1e-9 4)"

# ---- free: rigid-body modes are left out unless they are asked for ----
cat >free.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {u1: 1.1, u2: 2.3, u3: 1.5}
    springs: [[u1, u2, 310], [u2, u3, 520]]
  damping: {modal: 0.002}
joints: {lap: {law: iwan4, between: [u1, u2], F_S: 1, K_T: 200, chi: -0.5, beta: 1}}
analyses:
  - stepped_sine: {load: {at: u3}, levels: [0.1, 1]}
YAML
report "free: runs" "$("$microslip" run free.yaml --out free 2>&1 >/dev/null)"
report "free: the elastic modes" "$([[ $(jq -c '[.analyses[0].modes[].mode]' free/summary.json) == '[2,3]' ]] ||
  jq -c .analyses[0].modes free/summary.json)"
sed 's/0.1, 1\]/&, modes: [1, 2]/' free.yaml >free1.yaml
report "free: a rigid mode that is asked for is refused" "$("$microslip" check free1.yaml 2>&1 |
  grep -q 'rigid-body mode and has no resonance' || echo accepted)"

# ---- threads and interruption do not show ----
report "two threads" "$("$microslip" run friction.yaml --out two --threads 2 >two.out 2>&1 || cat two.out)"
report "give the same files" "$(diff -rq friction two)"
study many <<'YAML'
joints: {lap: {law: iwan4, between: [ground, u], F_S: 2.9, K_T: 21, chi: -0.5, beta: 1.3}}
analyses:
  - frequency_response: {load: {at: u}, levels: {from: 0.1, to: 3, count: 16}, omega: [4.1, 9.9], step: 0.05, refine: {tolerance: 1e-5}}
  - stepped_sine: {load: {at: u}, levels: {from: 0.1, to: 3, count: 80}}
YAML
report "many: runs" "$(run_study many)"
"$microslip" run many.yaml --out broken --threads 1 >broken.out 2>&1 &
process=$!
while kill -0 $process 2>/dev/null; do
  (($(stat -c %s broken/.resume/jobs 2>/dev/null || echo 0) > 100000)) && break
  sleep 0.01
done
kill -KILL $process 2>/dev/null
{ wait $process; } 2>/dev/null
report "many: killed on the way" "$([[ -d broken/.resume && ! -e broken/report.html ]] || echo "it had ended")"
report "many: goes on" "$("$microslip" run many.yaml --out broken --resume >broken.out 2>&1 || cat broken.out)"
report "many: gives the same files" "$(diff -rq many broken)"
report "many: 80 levels tracked" "$([[ $(wc -l <many/tables/stepped_sine.csv) == 81 ]] || wc -l many/tables/stepped_sine.csv)"

# ---- what is refused ----
# refused 'WORD|WORD' ANALYSIS [LINES]
refused() {
  printf '%s\nanalyses: [{%s}]\n' "${3:-}" "$2" | study bad
  refused_bad "$1"
}
base='load: {at: u}, levels: 1, omega: [1, 2]'
refused "needs 'load'" 'frequency_response: {levels: 1, omega: [1, 2]}'
refused "one of at, mode and base" 'frequency_response: {load: {}, levels: 1, omega: [1, 2]}'
refused "no degree of freedom 'v'" 'frequency_response: {load: {at: v}, levels: 1, omega: [1, 2]}'
refused "level 0 must be > 0" 'frequency_response: {load: {at: u}, levels: [1, 0], omega: [1, 2]}'
refused "needs omega: [from, to]|Hz" 'frequency_response: {load: {at: u}, levels: 1}'
refused "not both" "frequency_response: {$base, frequency: [1, 2]}"
refused "two different frequencies" 'frequency_response: {load: {at: u}, levels: 1, omega: [2, 2]}'
refused "two different frequencies" 'frequency_response: {load: {at: u}, levels: 1, omega: [2]}'
refused "point 7 is outside" "frequency_response: {$base, points: [1.5, 7]}"
refused "harmonics must be|1" "frequency_response: {$base, harmonics: 0}"
refused "times must be|32" "frequency_response: {$base, times: 31}"
refused "tolerance must be > 0 and < 0.01, not 0.3" "frequency_response: {$base, tolerance: 0.3}"
refused "shallow must be" "frequency_response: {$base, shallow: 0}"
refused "step must be" "frequency_response: {$base, step: 3}"
refused "stability must be true or false" "frequency_response: {$base, stability: maybe}"
refused "harmonics of refine must be from 9" "frequency_response: {$base, refine: {harmonics: 7}}"
refused "sensors must name" "frequency_response: {$base, sensors: []}"
refused "the ground does not move" "frequency_response: {$base, sensors: [ground]}"
refused "no key 'level'|levels" 'frequency_response: {load: {at: u}, level: 1, omega: [1, 2]}'
refused "there is no mode 2" 'stepped_sine: {load: {at: u}, levels: 1, modes: [2]}'
refused "levels needs 'count'" 'stepped_sine: {load: {at: u}, levels: {from: 1, to: 2}}'
refused "does no work on mode 1" 'stepped_sine: {load: {at: {u: 0}}, levels: 1}'

# ---- a response that is held ----
study held <<'YAML'
analyses:
  - frequency_response: {load: {at: u}, levels: [0.003, 0.05], hold: true, omega: [5, 7], points: [6.0110688925]}
YAML
same "two amplitudes that are held" "$(run_study held)" ''
same "the load is z |k - omega^2 m + i c omega|" "$(rows held/tables/frequency_response.csv \
  '{ x = k - c["omega"]^2*m; y = 2*zeta*w0*m*c["omega"]; print c["load"], c["level"]*sqrt(x*x + y*y) }' | agree 1e-7 20)" ''
same "levels are displacements" "$(head -n 1 held/tables/frequency_response.csv | cut -d, -f1)" 'level [m]'
near "the answer is the least load" "$(jq '[.analyses[0].answers[] | select(.label | startswith("Least load")) | .value][0]' held/summary.json)" \
  "$(awk -v OFMT=%.12g 'BEGIN { z = 0.017; print 0.05*2*z*sqrt(1 - z*z)*47 }')" 1e-5
sed 's/^structure/units: {length: mm, mass: tonne, force: N}\n&/; s/u: 1.3/u: 1.3e-3/; s/47\]/0.047]/; s/levels: .*, hold/levels: 50, hold/' \
  held.yaml >held_mm.yaml
same "in mm" "$(run_study held_mm)" ''
same "50 mm are 0.05 m" "$(values held_mm/tables/frequency_response.csv level | sort -u)" 0.05
refused "a response that is held has neither refine nor measured" \
  'frequency_response: {load: {at: u}, levels: 0.003, hold: true, omega: [5, 7], refine: {harmonics: 9}}'

# ---- a joint that forgets slowly: its forces do not repeat, and no other way to a first point is tried ----
cat >slow.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {u1: 0.1185, u2: 0.1059}
    springs: [[u1, u2, 3888.12], [ground, u1, 10382.54]]
  damping: {modal: 0.02855}
joints:
  j1:
    law: jenkins
    F_S: 1.1765
    K_T: 3532.49
    between: [ground, u2]
    normal: {between: [ground, u1], K_n: 36791.93, preload: 0.1036, stiffness: constant}
  j2: {law: dahl, F_c: 0.51738, sigma_0: 401.866, between: [ground, u1]}
analyses:
  - frequency_response: {load: {at: u1}, levels: [0.154416], omega: [307.857, 310.952], harmonics: 9, times: 512, stability: false}
YAML
(ulimit -t 30 && exec "$microslip" run slow.yaml --out slow) >slow.txt 2>&1
same "a joint that forgets slowly: partial" "$? $(jq -r '.status' slow/summary.json)" '1 partial'
check "... since its forces do not repeat" grep -q 'still change by .* after 200 periods: its memory is too long' slow.txt

finish
