#!/bin/bash
# microslip schema: an independent validator (Python's jsonschema, files read as YAML 1.2) accepts every example, every study of the
# tests and every template, and rejects mistakes in name, kind, range, choice and keys that are missing. Each mistake is one that
# `microslip check` refuses, too.
source "$(dirname "$0")/checks.sh"
python=/usr/bin/python3 # Debian's, which has Debian's packages
[[ -x $python ]] || python=python3

check "schema" "$microslip" schema
"$microslip" schema >schema.json
cat >validate.py <<'EOF_PYTHON'
import json, sys
import jsonschema
from ruamel.yaml import YAML

schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

def with_text_keys(x):
    if isinstance(x, dict):
        return {str(k): with_text_keys(v) for k, v in x.items()}
    return [with_text_keys(v) for v in x] if isinstance(x, list) else x

for path in sys.argv[1:]:
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    errors = list(validator.iter_errors(with_text_keys(reader.load(open(path)))))
    place = "/".join(map(str, errors[0].absolute_path)) if errors else ""
    print(path, "rejected at " + place if errors else "accepted")
EOF_PYTHON

# ---- what is right ----
"$python" validate.py "$source_dir"/examples/*/*.yaml >examples.txt 2>&1
same "every example was read" "$(wc -l <examples.txt)" "$(ls "$source_dir"/examples/*/*.yaml | wc -l)"
same "every example is accepted" "$(grep -v ' accepted$' examples.txt)" ''
studies=("$source_dir"/tests/data/studies/*.yaml "$source_dir"/tests/data/studies/fem/*.yaml)
"$python" validate.py "${studies[@]}" >studies.txt 2>&1
same "every study of the tests was read" "$(wc -l <studies.txt)" "${#studies[@]}"
same "every study of the tests is accepted" "$(grep -v ' accepted$' studies.txt)" ''

for kind in $("$microslip" schema | "$python" -c 'import json, sys
for item in json.load(sys.stdin)["properties"]["analyses"]["items"]["anyOf"]: print(*item.get("enum", []))'); do
  "$microslip" new "$kind" --to "new-$kind.yaml" >/dev/null 2>&1 || report "there is a template of $kind" "no"
done
"$python" validate.py new-*.yaml >new.txt 2>&1
same "every template was read" "$(wc -l <new.txt)" "$(wc -l < <(grep '^MS_ANALYSIS' "$source_dir/src/study/analyses.def"))"
same "every template is accepted" "$(grep -v ' accepted$' new.txt)" ''

# ---- mistakes, each in one line of one of these studies ----
cp "$source_dir/tests/data/shaker/three_levels.csv" .
cat >base.yaml <<'EOF_YAML'
microslip: 1
title: mistakes
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  chain: {masses: {u1: 0.0012, u2: 0.0008}, springs: [[ground, u1, 400], [u1, u2, 250]]}
  damping: {modal: 0.002}
joints:
  lap: {law: iwan4, F_S: 20, K_T: 20, chi: -0.4, beta: 1.5, between: [u1, u2]}
  pin: {law: jenkins, F_S: 31, K_T: 11, between: [ground, u1]}
  pad: {law: iwan_table, density: {phi: [0.1, 1], rho: [2, 1]}, between: [ground, u2]}
loads:
  hit: {half_sine: {amplitude: 10, duration: 0.001}, at: u1}
  own: {sine: {amplitude: 3, pulse_mode: 2}, at: [u1, u2]}
  history: {table: {time: [0, 0.1, 0.3], value: [0, 7, 1]}, base: true}
  hiss: {noise: {frequency: [10, 90], density: [0.2, 0.1], lines: 200}, at: u1}
  chord: {multisine: {frequency: [17, 23], amplitude: 2, phase: [0, 1]}, at: {u1: 0.5}}
analyses:
  - modes
  - transient: {loads: [hit], time: {step: 0.0001, steps: 200, method: newmark}}
  - frequency_response: {load: {at: u2}, levels: [1.5], frequency: [60, 90], harmonics: 3, times: 128, sensors: [u2], measured: {file: three_levels.csv}}
  - backbone: {methods: [qsma], modes: [1], amplitudes: {from: 1.0e-3, to: 1.0e-2, points: 5}}
  - sweep: {at: u1, mode: 1, levels: [2], from: 40, to: 90, duration: 1, step: 0.0005}
  - calibrate: {parameters: {lap.F_S: [5, 80]}, targets: [{shaker: three_levels.csv, at: u2, sensor: u1, weight: [1, 0]}], starts: 3}
EOF_YAML
cat >pads.yaml <<'EOF_YAML'
microslip: 1
structure:
  matrices:
    coordinates: [l1.ux, l1.uy, l1.uz, l2.ux, l2.uy, l2.uz, l3.ux, l3.uy, l3.uz, u1.ux, u1.uy, u1.uz, u2.ux, u2.uy, u2.uz, u3.ux, u3.uy, u3.uz]
    mass: [1.1, 1.1, 1.1, 1.2, 1.2, 1.2, 1.3, 1.3, 1.3, 2.9, 2.9, 2.9, 2.7, 2.7, 2.7, 2.5, 2.5, 2.5]
    stiffness: [2100, 2400, 3000, 2300, 2600, 3100, 2500, 2800, 3200, 1100, 1300, 1200, 1000, 1400, 1300, 1200, 1500, 1400]
    positions: {l1: [0, 0, 0], l2: [3, 0, 0], l3: [0, 2, 0], u1: [0, 0, 0], u2: [3, 0, 0], u3: [0, 2, 0]}
    faces: {lower: [[l1, l2, l3]], upper: [[u3, u2, u1]]}
    contacts:
      pad: {between: [upper, lower], mu: 0.3, interference: 0.001, layer: {K_n: 70, K_t: 50}}
    preload:
      - {push: {upper: [0, 0, -40]}, hold: [lower], friction: true, steps: 2}
analyses:
  - contact
  - backbone: {modes: [1], amplitudes: [1.0e-3, 1.0e-1], settle: {amplitude: 0.1, cycles: 2}}
EOF_YAML
cp "$source_dir/tests/data/studies/fem/lap-contact.yaml" solids.yaml
for study in base pads; do check "the study around the mistakes is valid: $study" "$microslip" check "$study.yaml"; done
n=0
while IFS='|' read -r study from to; do
  n=$((n + 1))
  name=$(printf 'mistake-%02d.yaml' $n)
  sed "s~$from~$to~" "$study.yaml" >"$name"
  cmp -s "$study.yaml" "$name" && report "$name: '$from' is in $study" "not found"
  "$microslip" check "$name" >/dev/null 2>&1 && report "$name ($to) is refused by check" "accepted"
done <<'EOF_MISTAKES'
base|^title:|titel:
base|^microslip: 1|microslip: 2
base|^analyses:|analysis:
base|length: mm|lenght: mm
base|chain:|chains:
base|masses:|mass:
base|springs: \[.*\]\]|spring: 3
base|u1: 0.0012|u1: heavy
base|modal: 0.002|modal: {u1: 0.002}
base|law: iwan4|law: iwan44
base|F_S: 20, |
base|F_S: 31|F_T: 31
base|chi: -0.4|chi: -1.4
base|beta: 1.5|beta: stiff
base|K_T: 11|K_T: -11
base|half_sine|half_sin
base|amplitude: 10|height: 10
base|, duration: 0.001|
base|- modes|- mode
base|transient|transients
base|step: 0.0001|step: 0
base|steps: 200|steps: 20.5
base|method: newmark|method: newmrk
base|levels: \[1.5\]|level: [1.5]
base|load: {at: u2}, |
base|harmonics: 3|harmonics: 0
base|times: 128|times: many
base|methods: \[qsma\]|methods: [qsm]
base|from: 1.0e-3, |
base|duration: 1|duration: -1
base|rho: \[2, 1\]|roh: [2, 1]
base|phi: \[0.1, 1\], |
base|pulse_mode: 2|pulse_mode: 0
base|pulse_mode: 2|pulse_mode: second
base|time: \[0, 0.1, 0.3\]|times: [0, 0.1, 0.3]
base|, value: \[0, 7, 1\]|
base|value: \[0, 7, 1\]|value: [0, seven, 1]
base|base: true|base: {u1: fast}
base|density: \[0.2, 0.1\]|densities: [0.2, 0.1]
base|lines: 200|lines: 0
base|frequency: \[17, 23\], |
base|phase: \[0, 1\]|phase: {0: 1}
base|file: three_levels.csv|files: three_levels.csv
base|measured: {file: three_levels.csv}|measured: {columns: {force: f}}
base|shaker: three_levels.csv|shakers: three_levels.csv
base|sensor: u1, weight|sensors: u1, weight
base|weight: \[1, 0\]|weight: {amplitude: 1}
base|starts: 3|starts: 0
pads|mu: 0.3|mu: -0.3
pads|mu: 0.3, |
pads|interference: 0.001|interfere: 0.001
pads|layer: {K_n: 70, |layer: {
pads|K_t: 50|K_t: 0
pads|friction: true|friction: some
pads|friction: true, |
pads|push: {upper: \[0, 0, -40\]}|push: {upper: down}
pads|push: {upper: \[0, 0, -40\]}|push: {upper: [0, -40]}
pads|hold: \[lower\]|holds: [lower]
pads|steps: 2|steps: 0
pads|settle: {amplitude: 0.1, |settle: {
pads|coordinates: \[.*|coordinates: {l1: ux}
solids|E: 2.07e+5|E: -2.07e+5
solids|rho: 7.83e-9|roh: 7.83e-9
solids|nu: 0.29, |
solids|elements: \[6, 3, 2\]|elements: [6, 3]
solids|elements: \[6, 3, 2\]|elements: [6, 3, 0]
solids|block: {size|brick: {size
solids|points: {tip: \[28, 0, 11\]}|points: {tip: [28, 0]}
solids|points: gauss|points: gaus
solids|gauss: 3|gauss: 5
solids|hold: \[lower.left\]|hold: lower.left
solids|modes: 5|modes: -5
solids|keep: |keeps: 
solids|craig_bampton|craig
solids|vtu: true|vtu: 3
solids|change_limit: 0.2|change_limit: 0
EOF_MISTAKES
same "mistakes" "$n" 76

# ---- and other ways to write the same studies that are right ----
m=0
while IFS='|' read -r study from to; do
  m=$((m + 1))
  name=$(printf 'right-%02d.yaml' $m)
  sed "s~$from~$to~" "$study.yaml" >"$name"
  cmp -s "$study.yaml" "$name" && report "$name: '$from' is in $study" "not found"
  report "$name ($to) is right" "$("$microslip" check "$name" 2>&1 >/dev/null | grep -v '^warning')"
done <<'EOF_RIGHT'
base|targets: \[\({.*}\)\], starts|targets: \1, starts
base|base: true|base: {u1: 0.5, u2: 2}
base|base: true|base: [u2]
base|at: \[u1, u2\]|at: u1
base|at: {u1: 0.5}|mode: 2, shape: slipped
base|sine: {amplitude: 3, pulse_mode: 2}|sine: {amplitude: 3, frequency: 70, phase: 0.1, cycles: 3, start: -0.1}
base|lines: 200|lines: 200, rms: 3, low: 20, high: 80, seed: 7, duration: 2
base|half_sine: {amplitude: 10, duration: 0.001}|haversine: {amplitude: 10, frequency: 70, lobe: half}
base|half_sine: {amplitude: 10, duration: 0.001}|sweep: {amplitude: 10, from: 20, to: 70, duration: 3, law: logarithmic}
base|half_sine: {amplitude: 10, duration: 0.001}|step: {amplitude: 10, rise: 0.01}
base|half_sine: {amplitude: 10, duration: 0.001}|constant: {amplitude: 10}
base|levels: \[1.5\]|levels: 1.5
base|levels: \[1.5\]|levels: {from: 1, to: 5, count: 3}
base|springs: \[.*\]\]|springs: {left: [ground, u1, 400], right: {between: [u1, u2], k: 250}}
base|modal: 0.002|modal: [0.002, 0.003]
base|modal: 0.002|rayleigh: {mass: 1, stiffness: 1.0e-5}
base|modal: 0.002|matrix: [[1, 0], [0, 1]]
base|law: jenkins, F_S: 31, K_T: 11|laws: [{law: jenkins, F_S: 31, K_T: 11}, {law: linear, K: 3}]
base|units: {.*}|units: SI
base|- modes|- modes: {variants: {structure.chain.masses.u1: [0.001, 0.002]}, shapes: 1}
base|method: newmark}|method: newmark, gamma: 0.6}, preload: {u1: 3}, release: true, record: {rate: 1000, channels: [u1, lap.z]}
base|methods: \[qsma\], |methods: qsma, name: curve.1, 
base|harmonics: 3|harmonics: 3, refine: {tolerance: 0.01, harmonics: 15}
pads|settle: {amplitude: 0.1, cycles: 2}|sensor: u1.ux
pads|mu: 0.3, interference: 0.001|mu: 0.3, gap: 0.0
pads|push: {upper: \[0, 0, -40\]}|push: {u1: [0, 0, -40], u2: [0, 0, -30]}
pads|hold: \[lower\], ||
EOF_RIGHT
"$python" validate.py right-*.yaml >right.txt 2>&1
same "all of them are accepted" "$(grep -v ' accepted$' right.txt)" ''
same "... and were read" "$(wc -l <right.txt)" "$m"
"$python" validate.py base.yaml pads.yaml solids.yaml mistake-*.yaml >mistakes.txt 2>&1
same "the studies are accepted" "$(grep -c '[a-z]\.yaml accepted' mistakes.txt)" 3
same "every mistake is rejected" "$(grep accepted mistakes.txt | grep mistake | while read -r name _; do
  for study in base pads solids; do echo "$study"; diff "$study.yaml" "$name"; done | head -n 8
done)" ''
same "... all of them were read" "$(grep -c 'rejected at' mistakes.txt)" 76

finish
