#!/bin/bash
# microslip schema: an independent validator (Python's jsonschema, files read as YAML 1.2) accepts every example and rejects
# mistakes in name, kind, range, choice and keys that are missing. Each mistake is one that `microslip check` refuses, too.
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

# ---- 30 mistakes, each in one line of this study ----
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
loads:
  hit: {half_sine: {amplitude: 10, duration: 0.001}, at: u1}
analyses:
  - modes
  - transient: {loads: [hit], time: {step: 0.0001, steps: 200, method: newmark}}
  - frequency_response: {load: {at: u2}, levels: [1.5], frequency: [60, 90], harmonics: 3, times: 128}
  - backbone: {methods: [qsma], modes: [1], amplitudes: {from: 1.0e-3, to: 1.0e-2, points: 5}}
  - sweep: {at: u1, mode: 1, levels: [2], from: 40, to: 90, duration: 1, step: 0.0005}
EOF_YAML
check "the study around the mistakes is valid" "$microslip" check base.yaml
n=0
while IFS='|' read -r from to; do
  n=$((n + 1))
  name=$(printf 'mistake-%02d.yaml' $n)
  sed "s~$from~$to~" base.yaml >"$name"
  cmp -s base.yaml "$name" && report "$name: '$from' is in the study" "not found"
  "$microslip" check "$name" >/dev/null 2>&1 && report "$name ($to) is refused by check" "accepted"
done <<'EOF_MISTAKES'
^title:|titel:
^microslip: 1|microslip: 2
^analyses:|analysis:
length: mm|lenght: mm
chain:|chains:
masses:|mass:
springs: \[.*\]\]|spring: 3
u1: 0.0012|u1: heavy
modal: 0.002|modal: {u1: 0.002}
law: iwan4|law: iwan44
F_S: 20, |
F_S: 31|F_T: 31
chi: -0.4|chi: -1.4
beta: 1.5|beta: stiff
K_T: 11|K_T: -11
half_sine|half_sin
amplitude: 10|height: 10
, duration: 0.001|
- modes|- mode
transient|transients
step: 0.0001|step: 0
steps: 200|steps: 20.5
method: newmark|method: newmrk
levels: \[1.5\]|level: [1.5]
load: {at: u2}, |
harmonics: 3|harmonics: 0
times: 128|times: many
methods: \[qsma\]|methods: [qsm]
from: 1.0e-3, |
duration: 1|duration: -1
EOF_MISTAKES
same "mistakes" "$n" 30
"$python" validate.py base.yaml mistake-*.yaml >mistakes.txt 2>&1
same "the study is accepted" "$(grep -c 'base.yaml accepted' mistakes.txt)" 1
same "every mistake is rejected" "$(grep accepted mistakes.txt | grep -v base.yaml | while read -r name _; do diff base.yaml "$name"; done)" ''
same "... all of them were read" "$(grep -c 'rejected at' mistakes.txt)" 30

finish
