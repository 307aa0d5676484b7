#!/bin/bash
# The analysis `transient`: loads in a study, against reference states, closed forms and each other;
# and what is refused.
source "$(dirname "$0")/checks.sh"

# study NAME: the three-mass system with what comes on standard input.
study() {
  {
    cat <<'YAML'
microslip: 1
title: Three masses, one lap joint
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
YAML
    cat
  } >"$1.yaml"
}

# differ CSV CSV COLUMN...: the largest difference over the largest value, of all rows.
differ() {
  awk -F, -v want="${*:3}" '
    FNR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; n = split(want, name, " "); next }
    NR == FNR { for (k = 1; k <= n; k++) x[FNR, k] = $at[FILENAME, name[k]]; rows = FNR; next }
    { last = FNR
      for (k = 1; k <= n; k++) {
        y = $at[FILENAME, name[k]]; d = y - x[FNR, k]
        if (d < 0) d = -d
        if (y < 0) y = -y
        if (d > worst) worst = d
        if (y > size) size = y
      } }
    END { printf "%.3g\n", (rows == last && size > 0 ? worst / size : 9) }' "$1" "$2"
}

below() { # VALUE BOUND
  awk -v a="$1" -v b="$2" 'BEGIN {
    if (a == "" || b == "" || !(a + 0 < b + 0)) print "\"" a "\" should be below \"" b "\"" }'
}

# ---- the reference states of an impact on mass 2, p = 500 ----
states="u1 u2 u3 u1.velocity u2.velocity u3.velocity"
study impact <<'YAML'
loads:
  hit: {half_sine: {amplitude: 500, pulse_mode: 3}, at: u2}
analyses:
  - transient:
      time: {step: 0.02, steps: 3000}
      record: {channels: [u1, u2, u3, u1.velocity, u2.velocity, u3.velocity, lap.z, lap.f, hit]}
YAML
report "impact: runs" "$(run_study impact)"
csv=impact/tables/transient.csv
report "impact: step 500" "$(off "$(cells $csv 500 $states)" \
  "-26.09516929 -33.75872250 -30.21117543 7.376437220 -39.09504286 -6.446699551" 1e-8)"
report "impact: step 3000" "$(off "$(cells $csv 3000 time $states)" \
  "60 -5.833392383 3.105880164 -17.74097602 11.22495267 19.22837099 23.05561761" 1e-8)"
read -r z u2 u3 <<<"$(cells $csv 700 lap.z u2 u3)"
report "impact: the joint's displacement" \
  "$(off "$z" "$(awk -v a="$u3" -v b="$u2" 'BEGIN { printf "%.17g", a - b }')" 1e-12)"
read -r input balance <<<"$(cells impact/tables/transient_energy.csv 3000 input balance)"
report "impact: the energy balance closes to 1e-3 of the input" \
  "$(below "$(awk -v a="$balance" -v b="$input" 'BEGIN { print (a < 0 ? -a : a) / b }')" 1e-3)"
for word in '"steps": 3000' '"residual"' '"balance"' '"dissipated"'; do
  grep -qF "$word" impact/summary.json || missing+="summary lacks $word"$'\n'
done
grep -q 'Parts of the energy' impact/report.html || missing+='the report lacks the energy plot'
report "impact: summary and report" "${missing:-}"

# ---- several loads ----
study same <<'YAML'
loads:
  one: {half_sine: {amplitude: 200, pulse_mode: 3}, at: {u2: 1.25}}
  two: {half_sine: {amplitude: 500, pulse_mode: 3}, at: [u2]}
  three: {half_sine: {amplitude: 750, pulse_mode: 3}, at: u2}
analyses:
  - transient: {name: half, loads: [one], time: {step: 0.02, steps: 300}}
  - transient: {name: both, loads: [one, two], time: {step: 0.02, steps: 300}}
  - transient: {name: third, loads: [three], time: {step: 0.02, steps: 300}}
YAML
report "several loads: run" "$(run_study same)"
report "several loads add up" \
  "$(below "$(differ same/tables/both.csv same/tables/third.csv u1 u2 u3)" 1e-12)"
report "and one is not the other" \
  "$(below 0.1 "$(differ same/tables/half.csv same/tables/third.csv u1 u2 u3)")"

# ---- base acceleration equals the force -M iota a ----
study base <<'YAML'
loads:
  shake: {sine: {amplitude: 0.73, frequency: 0.21, cycles: 6.5}, base: true}
  equal: {sine: {amplitude: -7.3, frequency: 0.21, cycles: 6.5}, at: [u1, u2, u3]}
  some: {sine: {amplitude: 0.73, frequency: 0.21}, base: {u2: 1, u3: -0.5}}
  same: {sine: {amplitude: -7.3, frequency: 0.21}, at: {u2: 1, u3: -0.5}}
analyses:
  - transient: {name: a, loads: shake, time: {step: 0.03, steps: 3000}, record: {channels: [u1, u3, u3.acceleration, u3.absolute, shake]}}
  - transient: {name: b, loads: equal, time: {step: 0.03, steps: 3000}, record: {channels: [u1, u3]}}
  - transient: {name: c, loads: some, time: {step: 0.03, steps: 900}, record: {channels: [u1, u3]}}
  - transient: {name: d, loads: same, time: {step: 0.03, steps: 900}, record: {channels: [u1, u3]}}
YAML
report "base: runs" "$(run_study base)"
report "base acceleration is a force" "$(below "$(differ base/tables/a.csv base/tables/b.csv u1 u3)" 1e-11)"
report "base in a direction" "$(below "$(differ base/tables/c.csv base/tables/d.csv u1 u3)" 1e-11)"
read -r a absolute shake <<<"$(cells base/tables/a.csv 321 u3.acceleration u3.absolute shake)"
report "absolute acceleration" \
  "$(off "$absolute" "$(awk -v a="$a" -v b="$shake" 'BEGIN { printf "%.17g", a + b }')" 1e-12)"

# ---- preload: 9 z + g(z) = F on the joint's virgin curve; it stays, and it is let go ----
study preload <<'YAML'
analyses:
  - transient: {name: kept, preload: {u3: 23.85}, time: {step: 0.02, steps: 500}}
  - transient: {name: freed, preload: {u3: 23.85}, release: true, time: {step: 0.02, steps: 500}}
  - transient: {name: slid, preload: {u3: 131.7}, time: {step: 0.02, steps: 5}}
YAML
report "preload: runs" "$(run_study preload)"
for name in kept slid; do
  read -r u1 z f <<<"$(cells preload/tables/$name.csv 0 u1 lap.z lap.f)"
  g=$(awk -v z="$z" 'BEGIN {
    phi = 11.25; R = 0.5 / (6 * sqrt(phi)); printf "%.17g", (z < phi ? z - R * z ^ 1.5 / 0.75 : 10) }')
  report "preload $name: the joint is on its virgin curve" "$(off "$f" "$g" 1e-11)"
  report "preload $name: equilibrium" \
    "$(off "$(awk -v z="$z" -v f="$f" 'BEGIN { printf "%.17g", 9 * z + f }')" \
      "$(awk -v u="$u1" 'BEGIN { printf "%.17g", 9 * u }')" 1e-11)"
done
report "preload: nothing moves while it stays" \
  "$(off "$(cells preload/tables/kept.csv 500 u1 u2 u3)" "$(cells preload/tables/kept.csv 0 u1 u2 u3)" 1e-10)"
report "preload: let go, it moves" \
  "$(below "$(cells preload/tables/freed.csv 250 u3)" 0)"

# ---- initial state: the free decay of a mode below slip, q = q0 cos(omega t) ----
study initial <<'YAML'
analyses:
  - modes
  - transient:
      time: {step: 0.02, steps: 400, method: exponential}
      initial: {u: {u1: 1e-7}, v: {u2: 3e-8}}
      record: {channels: [u1, u2.velocity]}
YAML
report "initial: runs" "$(run_study initial)"
report "initial state" "$(off "$(cells initial/tables/transient.csv 0 u1 u2.velocity)" "1e-7 3e-8" 1e-12)"

# ---- decimated output stands behind a filter, on the same curve ----
study decimated <<'YAML'
loads:
  hit: {haversine: {amplitude: 40, frequency: 0.1}, at: u1}
analyses:
  - transient: {name: all, time: {step: 0.02, steps: 4000}, record: {channels: [u1, u3]}}
  - transient: {name: few, time: {step: 0.02, steps: 4000}, record: {channels: [u1, u3], every: 25}}
  - transient: {name: rate, time: {step: 0.02, steps: 4000}, record: {channels: [u1, u3], rate: 2}}
YAML
report "decimated: runs" "$(run_study decimated)"
report "decimated: rows" "$(off "$(wc -l <decimated/tables/few.csv)" 162 0)"
report "decimated: rate and every agree" "$(cmp decimated/tables/few.csv decimated/tables/rate.csv 2>&1)"
awk 'NR == 1 || (NR - 2) % 25 == 0' decimated/tables/all.csv >picked.csv
report "decimated: on the curve" "$(below "$(differ picked.csv decimated/tables/few.csv u1 u3)" 2e-3)"
report "decimated: but filtered" "$(below 1e-9 "$(differ picked.csv decimated/tables/few.csv u1 u3)")"

# ---- every kind of load, and a file beside the study; other units ----
printf 'time [s],force [N]\n0,0\n1.3,23.85\n2.1,-7\n5,0\n' >hit.csv
study kinds <<'YAML'
loads:
  sweep: {sweep: {amplitude: 1.3, from: 0.02, to: 0.4, duration: 50, law: logarithmic}, at: u1}
  multi: {multisine: {frequency: [0.1, 0.17, 0.23], amplitude: 0.7, seed: 4}, at: u1}
  noise: {noise: {rms: 0.9, low: 0.05, high: 0.4, lines: 40, seed: 7}, mode: 2, shape: slipped}
  shaped: {noise: {frequency: [0.05, 0.4], density: [2, 0.3], lines: 40, seed: 8}, mode: 1}
  file: {table: {file: hit.csv}, at: u2}
  list: {table: {time: [0, 1.3, 2.1, 5], value: [0, 23.85, -7, 0]}, at: u2}
  step: {step: {amplitude: 3.1, rise: 4, start: 2}, at: u3}
  constant: {constant: {amplitude: 1.9, duration: 30}, at: u3}
analyses:
  - transient: {time: {step: 0.05, steps: 1000}, record: {channels: [u1, sweep, multi, noise, shaped, file, list, step, constant]}}
  - transient: {name: f, loads: file, time: {step: 0.05, steps: 400}}
  - transient: {name: l, loads: list, time: {step: 0.05, steps: 400}}
YAML
report "kinds: run" "$(run_study kinds)"
report "kinds: file and list are one" "$(cmp kinds/tables/f.csv kinds/tables/l.csv 2>&1)"
report "kinds: straight lines" "$(off "$(cells kinds/tables/transient.csv 34 file list)" "8.425 8.425" 1e-9)"

sed -e 's/^title.*/&\nunits: {length: mm, mass: tonne, force: N, time: s}/' \
  -e 's/masses:.*/masses: {u1: 0.01, u2: 0.01, u3: 0.01}/' -e 's/, 9\]/, 0.009]/g' \
  -e 's/K_T: 1,/K_T: 0.001,/' impact.yaml >mm.yaml
report "mm and tonne: runs" "$(run_study mm)"
report "mm and tonne: the same in SI" \
  "$(below "$(differ impact/tables/transient.csv mm/tables/transient.csv u1 u2 u3)" 1e-9)"

# ---- parts of steps, chosen by their error ----
study adaptive <<'YAML'
loads:
  hit: {half_sine: {amplitude: 500, pulse_mode: 3}, at: u2}
analyses:
  - transient: {name: fine, time: {step: 0.0005, steps: 24000, method: exponential}, record: {channels: [u1, u2, u3]}}
  - transient: {name: coarse, time: {step: 0.5, steps: 24, method: exponential, tolerance: 1e-3}, record: {channels: [u1, u2, u3]}}
  - transient: {name: chosen, time: {step: 0.5, steps: 24, method: exponential, tolerance: 1e-7}, record: {channels: [u1, u2, u3]}}
YAML
report "adaptive: runs" "$(run_study adaptive)"
awk 'NR == 1 || (NR - 2) % 1000 == 0' adaptive/tables/fine.csv >picked.csv
report "adaptive: the error follows the tolerance" \
  "$(below "$(differ picked.csv adaptive/tables/chosen.csv u1 u2 u3)" 5e-5)"
same "adaptive: as many steps as the error asks for are no doubt" \
  "$(jq -r '.analyses[] | select(.name == "chosen") | .status' adaptive/summary.json)" complete
report "adaptive: and a coarse one shows" \
  "$(below 1e-4 "$(differ picked.csv adaptive/tables/coarse.csv u1 u2 u3)")"

# ---- what is refused ----
# refused 'WORD|WORD' <STUDY: the line and these words are in the message.
refused() {
  study bad
  refused_bad "$1"
}
analysis='analyses: [{transient: {time: {step: 0.02, steps: 10}}}]'
refused "there is no load 'half_sin'|half_sine" <<<"loads: {a: {half_sin: {amplitude: 1}, at: u1}}
$analysis"
refused "not set: duration" <<<"loads: {a: {half_sine: {amplitude: 1}, at: u1}}
$analysis"
refused "half_sine has no key 'amplitud'|amplitude" <<<"loads: {a: {half_sine: {amplitud: 1}, at: u1}}
$analysis"
refused "needs one of at, mode and base" <<<"loads: {a: {constant: {amplitude: 1}}}
$analysis"
refused "needs a function of time" <<<"loads: {a: {at: u2}}
$analysis"
refused "u4" <<<"loads: {a: {constant: {amplitude: 1}, at: u4}}
$analysis"
refused "there is no mode 7" <<<"loads: {a: {constant: {amplitude: 1}, mode: 7}}
$analysis"
refused "none.csv" <<<"loads: {a: {table: {file: none.csv}, at: u1}}
$analysis"
refused "does not rise" <<<"loads: {a: {table: {time: [0, 2, 1], value: 3}, at: u1}}
$analysis"
refused "there is no load 'b'" <<<"loads: {a: {constant: {amplitude: 1}, at: u1}}
analyses: [{transient: {loads: [b], time: {step: 0.02, steps: 10}}}]"
refused "no channel 'u9'|NAME.z" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10}, record: {channels: [u9]}}}]"
refused "every or rate" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10}, record: {every: 2, rate: 3}}}]"
refused "whole number" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10}, record: {rate: 7}}}]"
refused "release needs a preload" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10}, release: true}}]"
refused "leave initial u out" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10}, initial: {u: {u1: 1}}, preload: {u1: 2}}}]"
refused "tolerance must be > 0 and < 1, not 2" <<<"analyses: [{transient: {time: {step: 0.02, steps: 10, tolerance: 2}}}]"
refused "needs 'time'" <<<"analyses: [{transient: {name: t}}]"

# ---- every coordinate and every axis of every joint, whatever their number and names ----
{
  printf 'microslip: 1\nstructure:\n  chain:\n    masses:\n'
  seq -f '      a_coordinate_with_a_name_of_more_than_31_characters_%.0f: 1.3' 59
  printf "      'with \"quotes\", a comma and [brackets]': 1.3\n"
  printf '    springs:\n'
  seq -f '      - [ground, a_coordinate_with_a_name_of_more_than_31_characters_%.0f, 17.1]' 59
  printf "      - [ground, 'with \"quotes\", a comma and [brackets]', 17.1]\n"
  printf 'joints: {a_bolt_with_two_axes_and_a_long_name: {law: jenkins2d, between: [[ground, ground], [
    a_coordinate_with_a_name_of_more_than_31_characters_1, a_coordinate_with_a_name_of_more_than_31_characters_2]],
    F_S: 1.1, K_T: 3.2}}\n'
  printf 'analyses: [{transient: {time: {step: 0.01, steps: 5}, initial: {v: {
    a_coordinate_with_a_name_of_more_than_31_characters_1: 1.2}}}}]\n'
} >names.yaml
run_study names >names.text
same "60 masses and a joint of two axes: columns" \
  "$(awk -F, 'NR == 3 { print NF }' names/tables/transient.csv; cat names.text)" 65
check "a name with quotes is quoted" grep -qF '"with ""quotes"", a comma and [brackets] [m]"' names/tables/transient.csv
same "as many in results.h5" "$("$build_dir/tests/results_dump" names/results.h5 2>&1 | grep -c 'analyses/transient/transient/')" 65

sed 's/\[ground, u1, 9\], //' preload.yaml >free.yaml
run_study free >free.text
report "a preload on a free structure" "$(grep -q 'free.yaml:.*rigid-body mode 1' free.text || echo "it says: $(cat free.text)")"

finish
