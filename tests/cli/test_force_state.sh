#!/bin/bash
# The analysis `force_state`: a joint's loop out of transients and out of files, against the joint's
# own; the plain method beside it; and what is refused.
source "$(dirname "$0")/checks.sh"

study() { # NAME: the structure, with what comes on standard input
  {
    cat <<'YAML'
microslip: 1
title: A joint in a chain
structure:
  chain:
    masses: {u1: 1.31, u2: 0.83, u3: 1.17, u4: 0.71, u5: 0.97}
    springs: [[ground, u1, 4.12e5], [u1, u2, 3.71e5], [u2, u3, 3.17e4], [u3, u4, 3.55e5],
              [u4, u5, 4.33e5], [u5, ground, 0.93e5]]
  damping: {modal: [0.011, 0.013, 0.009, 0.012, 0.014]}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 8.3, K_T: 2.63e5, chi: -0.41, beta: 0.77}
loads:
  weak: {sine: {amplitude: 1.1, frequency: 38.7}, at: u4}
  strong: {sine: {amplitude: 2.9, frequency: 38.7}, at: u4}
  shake: {sine: {amplitude: 0.3, frequency: 38.7}, base: true}
YAML
    cat
  } >"$1.yaml"
}

below() { # VALUE BOUND
  awk -v a="$1" -v b="$2" 'BEGIN {
    if (a == "" || b == "" || !(a + 0 < b + 0)) print "\"" a "\" should be below \"" b "\"" }'
}

# ---- transients ----
study loops <<'YAML'
analyses:
  - transient:
      name: one
      loads: weak
      time: {step: 2.3e-5, steps: 260000, method: exponential}
      record: {every: 8, channels: [weak, u1.acceleration, u3.acceleration, u4.velocity, lap.z, lap.f]}
  - transient:
      name: two
      loads: strong
      time: {step: 2.3e-5, steps: 260000, method: exponential}
      record: {every: 8, channels: [u1.acceleration, lap.z, u4.velocity, u3.acceleration, lap.f, strong]}
  - force_state:
      joint: lap
      from: [one, two]
      sensors: [u4.velocity, u1.acceleration, u3.acceleration]
      frequency: 38.7
      periods: 6
      harmonics: 11
  - force_state:
      name: found
      joint: lap
      from: two
      sensors: [u4.velocity, u1.acceleration]
      periods: 6
      harmonics: 11
  - force_state:
      name: plain
      method: plain
      modes: 2
      joint: lap
      from: [one, two]
      sensors: [u4.velocity, u1.acceleration, u3.acceleration]
      frequency: [38.7, 38.7]
      periods: 6
      harmonics: 11
YAML
report "transients: run" "$(run_study loops)"
csv=loops/tables/force_state.csv
for row in 0 1; do
  read -r name A D K own_A own_D own_K z f <<<"$(cells $csv $row source amplitude loss stiffness \
    own_amplitude own_loss own_stiffness displacement_error force_error)"
  report "$name: amplitude, loss and stiffness are the joint's" "$(off "$A $D $K" "$own_A $own_D $own_K" 1e-4)"
  report "$name: the loop is the joint's" "$(below "$z" 1e-6)$(below "$f" 3e-5)"
done
near "K_T is that of the law" "$(cells $csv 0 K_T)" 263000 1e-12
near "the frequency" "$(cells $csv 1 frequency)" 38.7 1e-12
near "the force that drives, behind the filter of every: 8" "$(cells $csv 1 force)" 2.9 1e-5
near "the frequency is found" "$(cells loops/tables/found.csv 0 frequency)" 38.7 1e-8
report "two sensors do as well" \
  "$(off "$(cells loops/tables/found.csv 0 loss stiffness)" "$(cells $csv 1 own_loss own_stiffness)" 1e-3)"
report "the plain way is far off" "$(below 0.1 "$(cells loops/tables/plain.csv 1 force_error)")"
report "but its loss is about right" \
  "$(off "$(cells loops/tables/plain.csv 1 loss)" "$(cells $csv 1 own_loss)" 0.2)"
read -r t0 z0 f0 <<<"$(cells loops/tables/force_state_loops.csv 257 time displacement force)"
read -r t1 z1 f1 <<<"$(cells loops/tables/force_state_loops.csv 513 time displacement force)"
report "loops are closed" "$(off "$z0 $f0" "$z1 $f1" 1e-6)"
near "after one period" "$(awk -v a="$t0" -v b="$t1" 'BEGIN { printf "%.12g", b - a }')" \
  "$(awk 'BEGIN { printf "%.12g", 1 / 38.7 }')" 1e-9
missing=
for word in '"mismatch"' '"misfit"' '"left_out"' '"held_stuck": 0' '"method": "plain"' '"deviation"'; do
  grep -qF "$word" loops/summary.json || missing+="summary lacks $word"$'\n'
done
for word in 'Hysteresis loops by force-state mapping' 'Energy dissipated per cycle against amplitude'; do
  grep -qF "$word" loops/report.html || missing+="the report lacks $word"$'\n'
done
report "summary and report" "$missing"
report "steady: nothing is said" "$(grep -o 'is not steady' loops/report.html)$(grep -o '"steady": 0' loops/summary.json)"

# ---- a vibration that still grows: the loss has what is stored ----
cat >grow.yaml <<'YAML'
microslip: 1
structure:
  chain: {masses: {a: 1.07}, springs: [[ground, a, 3.1e5]]}
  damping: {modal: 0.003}
joints:
  lap: {law: iwan4, between: [ground, a], F_S: 41, K_T: 1.03e5, chi: -0.47, beta: 1.1}
loads:
  push: {at: a, sine: {amplitude: 0.21, frequency: 98.3}}
analyses:
  - transient:
      loads: push
      time: {step: 1e-4, steps: 2000}
      record: {channels: [push, a.acceleration, lap.z, lap.f]}
  - force_state: {joint: lap, sensors: [a.acceleration], frequency: 98.3}
YAML
report "growing: runs" "$(run_study grow)"
read -r D deviation own_D stored <<<"$(cells grow/tables/force_state.csv 0 loss loss_deviation own_loss stored)"
near "growing: the loss less what is stored is the joint's" \
  "$(awk -v a="$D" -v b="$stored" 'BEGIN { printf "%.12g", a - b }')" "$own_D" 0.05
report "growing: the deviation covers it" \
  "$(awk -v D="$D" -v s="$deviation" -v own="$own_D" 'BEGIN { if (!(D - own < 1.5 * s && D > 2 * own)) print D, s, own }')"
report "growing: the page warns" "$(grep -q 'is not steady' grow/report.html || echo missing)"
report "growing: so does the summary" "$(grep -q '"steady": 0' grow/summary.json || echo missing)"

# ---- files: the same records, read back ----
record() { # TRANSIENT LOAD
  awk -F, -v load="$2" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "time [s],push [N],a1 [m/s^2],a3 [m/s^2],v4 [m/s]"; next }
    { print $at["time"] "," $at[load] "," $at["u1.acceleration"] "," $at["u3.acceleration"] "," $at["u4.velocity"] }' \
    "loops/tables/$1.csv"
}
record one weak >one.csv
record two strong >two.csv
study files <<'YAML'
analyses:
  - force_state:
      joint: lap
      files: [one.csv, two.csv]
      load: {at: u4}
      force: push
      sensors: {u4: v4, u1: a1, u3: a3}
      frequency: 38.7
      periods: 6
      harmonics: 11
  - force_state:
      name: named
      joint: lap
      files: two.csv
      load: weak
      force: push
      sensors: {u4: v4, u1: a1, u3: a3}
      frequency: 38.7
      periods: 6
      harmonics: 11
YAML
report "files: run" "$(run_study files)"
for row in 0 1; do
  report "files: the same as transients, record $row" \
    "$(off "$(cells files/tables/force_state.csv $row amplitude loss stiffness force)" \
      "$(cells $csv $row amplitude loss stiffness force)" 1e-9)"
done
report "files: the load by its name" "$(off "$(cells files/tables/named.csv 0 loss)" "$(cells $csv 1 loss)" 1e-9)"
report "files: nothing is said of the joint's own" "$(head -n 1 files/tables/force_state.csv | grep -o own_loss)"

# ---- a joint under a normal spring ----
sed -e 's/between: \[u2, u3\], /&normal: {between: [ground, u5], K_n: 1.7e5, preload: 41}, /' loops.yaml |
  sed '/name: found/,$d' | head -n -1 >normal.yaml
report "normal load: runs" "$(run_study normal)"
read -r low high own_D D axes <<<"$(cells normal/tables/force_state.csv 1 N_min N_max own_loss loss axes)"
near "normal load: both axes are sought" "$axes" 2 1e-12
near "normal load: the loss" "$D" "$own_D" 1e-3
within "normal load: least" "$low" 0 41
within "normal load: largest" "$high" 41 82
report "normal load: in the loops" "$(off "$(awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == "normal_load") k = i }
  $1 == "two" { if (n++ == 0 || $k > top) top = $k } END { printf "%.12g", top }' normal/tables/force_state_loops.csv)" "$high" 1e-3)"
sed -e 's/joint: lap/&\n      axes: 1/' normal.yaml >held.yaml
report "normal load: held stuck, runs" "$(run_study held)"
report "normal load: held stuck, the page says so" \
  "$(grep -q 'the others are taken as stuck' held/report.html || echo missing)"
near "normal load: in contact that is right" "$(cells held/tables/force_state.csv 1 loss)" "$own_D" 1e-3

# ---- a beam that shortens as it bends ----
cat >beam.yaml <<'YAML'
microslip: 1
title: Beam on a frictional support
structure:
  beam: {length: 0.6, width: 0.04, height: 0.0052, E: 210e9, rho: 7850, elements: 8, axial: static,
         points: {x1: 0.55, x2: 0.3, x3: 0.05}, masses: {end: 21}}
  damping: {modal: 0.03}
joints:
  pin: {law: iwan4, between: [ground, {end.ux: 1, end.rz: 0.005}], shortening: true,
        F_S: 250, K_T: 11.02e6, chi: -0.2, beta: 0.4,
        normal: {between: [end.uy, ground], K_n: 2.72e9, preload: 205.9}}
loads:
  push: {sine: {amplitude: 5.3, frequency: 56.7}, at: x1.uy}
analyses:
  - transient:
      loads: push
      time: {step: 4e-5, steps: 36000, method: exponential}
      record: {every: 4, channels: [push, x1.uy.acceleration, x2.uy.acceleration, x3.uy.acceleration, pin.z, pin.f]}
  - force_state:
      joint: pin
      axes: 1
      sensors: [x1.uy.acceleration, x2.uy.acceleration, x3.uy.acceleration]
      frequency: 56.7
      periods: 8
YAML
report "shortening: runs" "$(run_study beam)"
read -r K own_K D own_D f <<<"$(cells beam/tables/force_state.csv 0 stiffness own_stiffness loss own_loss force_error)"
near "shortening: secant stiffness" "$K" "$own_K" 2e-3
near "shortening: loss" "$D" "$own_D" 2e-3
report "shortening: the loop" "$(below "$f" 2e-3)"
report "shortening: its residual is told" "$(grep -q curvature_residual beam/summary.json || echo missing)"

# ---- what is refused ----
bad() { # WORDS, with the options of force_state behind a transient on standard input
  study bad <<YAML
analyses:
  - transient: {name: t, loads: ${loads:-weak}, time: {step: 2e-4, steps: 500}, record: {channels: [${channels:-weak, u1.acceleration, u3, q1, lap.z}]}}
  - force_state: $(cat)
YAML
  refused_bad "$1"
}
bad "needs 'joint'" <<<'{sensors: [u3]}'
bad "no joint 'lip'" <<<'{joint: lip, sensors: [u3]}'
bad "t does not record 'u4'" <<<'{joint: lap, sensors: [u4]}'
bad "not the motion of a coordinate" <<<'{joint: lap, sensors: [q1]}'
bad "sensors must be a list" <<<'{joint: lap, sensors: {u3: u3}}'
bad "sensors must be a mapping" <<<'{joint: lap, files: one.csv, load: {at: u4}, sensors: [a1]}'
bad "needs load" <<<'{joint: lap, files: one.csv, force: push, sensors: {u1: a1}}'
bad "a base" <<<'{joint: lap, files: one.csv, force: push, load: shake, sensors: {u1: a1}}'
bad "u9" <<<'{joint: lap, files: one.csv, force: push, load: {at: u4}, sensors: {u9: a1}}'
bad "one.csv|a7" <<<'{joint: lap, files: one.csv, force: push, load: {at: u4}, sensors: {u1: a7}}'
bad "nowhere.csv" <<<'{joint: lap, files: nowhere.csv, force: push, load: {at: u4}, sensors: {u1: a1}}'
bad "either from or files" <<<'{joint: lap, files: one.csv, from: t, sensors: {u1: a1}}'
bad "transients have their own" <<<'{joint: lap, load: {at: u4}, sensors: [u3]}'
bad "one for each of the 1 records" <<<'{joint: lap, sensors: [u3], frequency: [3, 4]}'
bad "frequency must be > 0, not -3" <<<'{joint: lap, sensors: [u3], frequency: -3}'
bad "none of exact, plain" <<<'{joint: lap, sensors: [u3], method: best}'
bad "modes are those of method: plain" <<<'{joint: lap, sensors: [u3], modes: 1}'
bad "modes must be at most 1" <<<'{joint: lap, sensors: [u3], modes: 2, method: plain}'
bad "axes must be at most 1" <<<'{joint: lap, sensors: [u3], axes: 2}'
bad "harmonics must be a whole number >= 1 and <= 200" <<<'{joint: lap, sensors: [u3], harmonics: 201}'
loads=shake channels=u3,shake bad "one load, a force" <<<'{joint: lap, sensors: [u3]}'
channels=u3 bad "one load, a force" <<<'{joint: lap, sensors: [u3]}'

# Too short a record is found before the run, at its place.
study short <<'YAML'
analyses:
  - transient: {name: t, loads: weak, time: {step: 2e-4, steps: 500}, record: {channels: [weak, u3]}}
  - force_state: {joint: lap, from: t, sensors: [u3], frequency: 38.7, periods: 9}
YAML
run_study short >said
report "a short record is told with its place" \
  "$(grep -qE 'short.yaml:[0-9]+:[0-9]+:.*periods, not 9' said || cat said)"

finish
