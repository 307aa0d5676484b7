#!/bin/bash
# A study by matrices of Abaqus and by Matrix Market with a map of degrees of freedom: the same
# structure as a chain.
source "$(dirname "$0")/checks.sh"

frequencies() { # STUDY
  "$microslip" run "$1.yaml" --out "$1" --json 2>"$1.err" |
    jq -c '[.analyses[0].modes[] | .omega_0, .omega_inf | .*1e6 | round]'
}

joint='{law: jenkins, between: [LEFT, RIGHT], F_S: 55, K_T: 13100}'

cat >chain.yaml <<YAML
microslip: 1
structure:
  chain: {masses: {a: 1.2, b: 0.8}, springs: [[ground, a, 4.1e5], [a, b, 2.5e5]]}
joints: {pad: $(sed 's/LEFT/a/; s/RIGHT/b/' <<<"$joint")}
analyses: [modes]
YAML
chain=$(frequencies chain)
report "the chain runs" "$([[ -n $chain ]] || cat chain.err)"

# In mm, tonne, s, N: mass in tonne, stiffness in N/mm. Lower and upper entries mixed.
printf '12,1, 12,1, 1.2e-3\n7,3, 7,3, 0.8e-3\n' >M.mtx
printf '** stiffness\n12,1, 12,1, 660.\n12,1, 7,3, -250.\n7,3, 7,3, 250.\n' >K.mtx
cat >abaqus.yaml <<YAML
microslip: 1
units: {length: mm, mass: tonne, force: N}
structure:
  matrices: {mass: M.mtx, stiffness: K.mtx}
joints: {pad: $(sed 's/LEFT/n12.x/; s/RIGHT/n7.z/; s/13100/13.1/' <<<"$joint")}
analyses: [modes]
YAML
report "matrices of Abaqus, with coordinates by their labels" \
  "$([[ $(frequencies abaqus) == "$chain" ]] || cat abaqus.err)"

printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 6.6e5\n2 1 -2.5e5\n2 2 2.5e5\n' >K2.mtx
printf '1.2,0\n0,0.8\n' >M2.csv
printf '%% rows\n12 x\n7, 3\n' >dofs.txt
sed 's/{mass.*/{mass: M2.csv, stiffness: K2.mtx, dofs: dofs.txt}/; /units/d; s/13.1,/13100,/; s/13.1}/13100}/' \
  abaqus.yaml >market.yaml
report "Matrix Market with a file of labels" "$([[ $(frequencies market) == "$chain" ]] || cat market.err)"

# A free rotation with its inertia: 3e-5 kg m2 = 0.03 tonne mm2, on a spring of 120 N m/rad.
printf '1,5,1,5, 3e-2\n1,1,1,1, 1e-3\n' >M3.mtx
printf '1,5,1,5, 1.2e5\n1,1,1,1, 4e2\n' >K3.mtx
sed 's/M.mtx/M3.mtx/; s/K.mtx/K3.mtx/; s/n12.x/ground/; s/n7.z/n1.x/' abaqus.yaml >turn.yaml
want=$(jq -nc '[(413100 | sqrt), (400000 | sqrt), (4e6 | sqrt), (4e6 | sqrt) | .*1e6 | round]')
report "rotations take their own units" "$([[ $(frequencies turn) == "$want" ]] ||
  { frequencies turn; cat turn.err; })"

# Frequencies are the same whatever unit the rotation has; shapes, of unit modal mass, are not.
shape() { # STUDY COORDINATE
  awk -F, -v c="$2" '$2 == c && $3 * $3 > v * v { v = $3 < 0 ? -$3 : $3 } END { printf "%.17g", v }' "$1/tables/modes_shapes.csv"
}
inertia=$(awk 'BEGIN { printf "%.17g", 1/sqrt(3e-5) }')
near "shape of the rotation" "$(shape turn n1.ry)" "$inertia" 1e-12
# The same by the names of the coordinates, and with a dashpot: 0.0049 N m s/rad = 4.9 N mm s.
cat >named.yaml <<YAML
microslip: 1
units: {length: mm, mass: tonne, force: N}
structure:
  matrices:
    coordinates: [plate.x, plate.ry]
    mass: [1e-3, 3e-2]
    stiffness: [[4e2, 0], [0, 1.2e5]]
  damping: {matrix: [[0, 0], [0, 4.9]]}
joints: {pad: $(sed 's/LEFT/ground/; s/RIGHT/plate.x/; s/13100/13.1/' <<<"$joint")}
analyses: [modes]
YAML
report "rotations by the names of coordinates" "$([[ $(frequencies named) == "$want" ]] ||
  { frequencies named; cat named.err; })"
near "its shape" "$(shape named plate.ry)" "$inertia" 1e-12
near "and its dashpot" "$(jq '[.analyses[0].modes[].zeta_0] | max' named/summary.json)" \
  "$(awk 'BEGIN { printf "%.17g", 0.0049/(2*sqrt(120*3e-5)) }')" 1e-12

printf '1 1\n' >dofs.txt
frequencies market >/dev/null
report "too few labels are refused" "$(grep -q '1 labels for 2 rows' market.err || cat market.err)"
printf '12,1,12,1,1.2e-3\n7,3,7,x\n' >M.mtx
frequencies abaqus >/dev/null
report "a broken line is refused with its place" "$(grep -q 'M.mtx:2: ' abaqus.err || cat abaqus.err)"

# ---- sensors and a stinger ----
# Two coordinates of a node and one of another; in mm and tonne: 12 g, and 40 N/mm.
printf '12,1, 12,1, 1.2e-3\n12,2, 12,2, 0.7e-3\n7,3, 7,3, 0.8e-3\n' >M4.mtx
printf '12,1, 12,1, 660.\n12,2, 12,2, 90.\n12,1, 7,3, -250.\n7,3, 7,3, 250.\n' >K4.mtx
cat >loaded.yaml <<YAML
microslip: 1
units: {length: mm, mass: tonne, force: N}
structure:
  matrices: {mass: M4.mtx, stiffness: K4.mtx}
  attached:
    acc: {at: n12, mass: 1.2e-5}
    stinger: {at: n12, mass: 9.0e-6, stiffness: 40, direction: y}
joints: {pad: {law: jenkins, between: [n12.x, n7.z], F_S: 55, K_T: 13.1}}
analyses: [modes]
YAML
cat >merged.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {a: 1.221, b: 0.8, c: 0.721}
    springs: [[ground, a, 4.1e5], [a, b, 2.5e5], [ground, c, 1.3e5]]
joints: {pad: {law: jenkins, between: [a, b], F_S: 55, K_T: 13100}}
analyses: [modes]
YAML
same "sensors and a stinger are mass and stiffness" "$(frequencies loaded)" "$(frequencies merged)"
near "a remark says what they change" \
  "$(jq -r '.analyses[0].notes[]' loaded/summary.json | sed -n 's/^attached (0.021 kg in all) .* mode 2 \([^ ]*\) %.*/\1/p')" \
  "$(jq -n '100*((130000/0.721/(90000/0.7) | sqrt) - 1)')" 0.002
"$microslip" check loaded.yaml >out 2>error
same "check says it, too" "$(cat out error | grep -c 'attached (0.021 kg in all) changes linear frequencies by: mode 1 -')" 1
sed 's/, direction: y//' loaded.yaml >bad.yaml
refused_bad 'n12 moves in 2 directions: say which is stiff'
sed 's/mass: 1.2e-5/direction: x/' loaded.yaml >bad.yaml
refused_bad 'acc needs a mass or a stiffness'
sed 's/at: n12, mass: 1/at: n13, mass: 1/' loaded.yaml >bad.yaml
refused_bad "acc: there is no degree of freedom 'n13', nor a node"
# Both can be found: a curve of the structure as it is, from one that has neither.
sed 's/^analyses.*/analyses:\n  - backbone: {modes: [1, 2], methods: [qsma], amplitudes: [0.001, 0.01, 0.1, 0.5]}/; s/units.*//;
  s/{mass: M4.mtx, stiffness: K4.mtx}/{mass: [1.2, 0.7, 0.8], stiffness: [[660e3, 0, -250e3], [0, 90e3, 0], [-250e3, 0, 250e3]], coordinates: [n12.x, n12.y, n7.z]}/
  s/^joints/  damping: {modal: 0.01}\njoints/; s/1.2e-5/0.012/; s/9.0e-6/0.009/; s/stiffness: 40,/stiffness: 40e3,/; s/13.1}/13100}/' loaded.yaml >truth.yaml
cat >>truth.yaml <<'YAML'
  - calibrate:
      parameters: {spring.stinger: [1e4, 2e5], mass.n12.x: [1e-3, 0.1]}
      targets: [{mode: 1, from: backbone, weight: [1, 0]}, {mode: 2, from: backbone, weight: [1, 0]}]
      starts: 3
YAML
"$microslip" run truth.yaml --out truth >out 2>error
same "both are found" "$? $(cat error)" '0 '
near "stiffness of the stinger" "$(parameter truth/tables/calibrate.csv spring.stinger value)" 40e3 1e-4
near "mass at a degree of freedom" "$(parameter truth/tables/calibrate.csv mass.n12.x value)" 0.021 1e-3

finish
