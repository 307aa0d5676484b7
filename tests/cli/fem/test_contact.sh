#!/bin/bash
# Contact between solids in a study: uniform pressure, a free assembly, a lap joint, and what is refused.
# shellcheck disable=SC2016 # jq has dollars of its own
source "$(dirname "$0")/../checks.sh"

cat >blocks.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [40, 20, 10], elements: [6, 4, 2]}, material: steel}
      upper: {block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel}
    contacts:
      joint: {between: [upper.bottom, lower.top], mu: 0.3}
    preload:
      - {push: {upper.top: [0, 0, -2000], lower.bottom: [0, 0, 2000]}, friction: true, steps: 2}
analyses: [contact, modes]
END

# ---- two blocks that nothing holds, pressed from both sides ----
runs "blocks: runs" blocks.yaml blocks
near "blocks: normal force" "$(summary blocks '.analyses[0].contacts[0].normal_force')" 2000 1e-8
near "blocks: uniform pressure, largest" "$(summary blocks '.analyses[0].contacts[0].largest_pressure')" 2.5e6 1e-7
near "blocks: all of it is closed" "$(summary blocks '.analyses[0].contacts[0].closed_area')" 8e-4 1e-12
report "blocks: six rigid-body modes" "$(summary blocks '[.analyses[1].modes[] | select(.omega_0 == 0)] | length' | grep -qx 6 || echo no)"
cat >merged.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      lower: {block: {size: [40, 20, 10], elements: [6, 4, 2]}, material: steel}
      upper: {block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel, points: {p: [40, 20, 20]}}
    merge: {parts: [lower, upper]}
  reduce: {craig_bampton: {modes: 12, keep: [upper.p]}}
analyses: [modes]
END
runs "merged: runs" merged.yaml merged
for k in 7 8 9; do
  near "blocks: mode $k of the full model is that of one body" "$(cut -d, -f1,2 blocks/tables/modes_full.csv | sed -n "s/^$k,//p")" \
    "$(cut -d, -f1,2 merged/tables/modes_full.csv | sed -n "s/^$k,//p")" 1e-8
done

# ---- a lap joint: frequency falls and damping rises with amplitude ----
lap=$source_dir/examples/lap-joint-contact/study.yaml
coarse=(--set structure.fe.parts.lower.block.elements='[18, 4, 1]' --set structure.fe.parts.upper.block.elements='[18, 4, 1]'
  --set structure.fe.parts.head.block.elements='[2, 2, 1]' --set structure.fe.parts.nut.block.elements='[2, 2, 1]')
runs "lap: runs" "$lap" lap "${coarse[@]}"
near "lap: the bolt's force is the normal force" "$(summary lap '.analyses[0].contacts[0].normal_force')" 6000 1e-8
report "lap: part of it is open" "$(summary lap '.analyses[0].contacts[0] | select(.closed_points >= .points or .closed_points < 3)')"
report "lap: damping rises, frequency falls" "$(jq -r '[.analyses[2].cycles[].dissipated] as $d
  | range(1; $d | length) | select($d[.] <= $d[. - 1])' lap/summary.json)"
report "lap: load work is the energy dissipated" "$(summary lap '.analyses[2].cycles[] | select(.work_error > 0.01 or .work_error < -0.01)')"
report "lap: cycles repeat" "$(summary lap '.analyses[2].cycles[] | select(.change > 1e-4)')"

# ---- what is refused ----
refuses "gap between faces that are apart" "are 0.002 m apart|joint" blocks.yaml --set structure.fe.parts.upper.block.at='[0, 0, 12]'
refuses "faces that look the same way" "face the same way" blocks.yaml --set structure.fe.contacts.joint.between='[upper.top, upper2.top]' \
  --set structure.fe.parts.upper2='{block: {size: [40, 20, 10], at: [0, 0, 10], elements: [6, 4, 2]}, material: steel}'
refuses "meshes that do not match" "mesh both faces alike" blocks.yaml --set structure.fe.parts.upper.block.elements='[9, 4, 2]'
refuses "quadratic faces" "quadratic" blocks.yaml --set structure.fe.parts.upper.element=hex20 --set structure.fe.parts.lower.element=hex20
refuses "shared nodes" "share node" blocks.yaml --set structure.fe.merge='{parts: [lower, upper]}'
refuses "faces inside each other" "inside" blocks.yaml --set structure.fe.parts.upper.block.at='[0, 0, 9.9]'
refuses "a face that there is none of" "upper.under" blocks.yaml --set structure.fe.contacts.joint.between='[upper.under, lower.top]'
refuses "one face" "two faces" blocks.yaml --set structure.fe.contacts.joint.between='[upper.bottom]'
refuses "ground on ground" "touch itself" blocks.yaml --set structure.fe.contacts.joint.between='[ground, ground]'
refuses "gap and interference" "gap or an interference" blocks.yaml --set structure.fe.contacts.joint.gap=0.1 --set structure.fe.contacts.joint.interference=0.1
refuses "negative friction" "mu" blocks.yaml --set structure.fe.contacts.joint.mu=-0.1
refuses "half a layer" "K_t" blocks.yaml --set structure.fe.contacts.joint.layer='{K_n: 1e6}'
refuses "friction is not said" "friction" blocks.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -1]}}]'
refuses "a push on nothing" "lid.top" blocks.yaml --set structure.fe.preload='[{push: {lid.top: [0, 0, -1]}, friction: true}]'
refuses "hold what is not there" "lid.top" blocks.yaml --set structure.fe.preload='[{hold: [lid.top], friction: true}]'
refuses "a preload without contacts" "belongs to contacts" merged.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -1]}, friction: true}]'
refuses "joints beside contacts" "no joints beside" blocks.yaml --set joints='{a: {law: linear, K: 1, between: [ground, q1]}}'
refuses "an analysis in time" "transient knows no contact" blocks.yaml \
  --set analyses='[transient: {time: {step: 1e-5, steps: 10}}]'
refuses "harmonic balance" "epmc knows no contact" blocks.yaml \
  --set analyses='[backbone: {modes: [7], methods: [epmc], amplitudes: [1e-6, 1e-5]}]'
refuses "contact without contacts" "contact needs finite elements" merged.yaml --set analyses='[contact]'
fails() { # TEXT WORD ARGUMENT...: `run` ends with exit code 2 or 3, says the word, and leaves nothing
  local text=$1 word=$2 faults=
  shift 2
  "$microslip" run "$@" --out failed >/dev/null 2>error && faults="exit code 0 "
  grep -qF -- "$word" error || faults+="no '$word' in: $(head -n 1 error)"
  [[ ! -e failed/summary.json ]] || faults+=" there are results"
  rm -rf failed
  report "$text" "$faults"
}
fails "pushes that are not in balance" "not in balance" blocks.yaml --set structure.fe.preload='[{push: {upper.top: [0, 0, -9]}, friction: true}]'
fails "pulled apart" "no equilibrium" blocks.yaml --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [0, 0, 9]}, friction: true}]'
fails "it slides as a whole" "slides as a whole" blocks.yaml --set structure.fe.fix='{lower.bottom: all}' \
  --set structure.fe.preload='[{push: {upper.top: [400, 0, -1000]}, friction: true}]'

# ---- states that are doubtful ----
blocks=$source_dir/tests/data/studies/fem/lap-contact.yaml
runs "coarse load steps: runs" "$blocks" steps --set analyses.2.backbone.modes='[2]'
like "coarse load steps: suspect" "$(status_of steps backbone) $(reasons steps backbone)" 'suspect *work of the load differs*'
like "Masing's rule is said to fail" "$(jq -r '.. | strings | select(test("Masing"))' steps/summary.json | head -n 1)" "*Masing's rule fails*"
runs "without a preload: runs" blocks.yaml none --set structure.fe.preload='[]' --set analyses='[contact]'
report "without a preload: suspect" "$(status_of none contact | grep -qx suspect || echo no)"

finish
