#!/bin/bash
# Contacts of a structure given by matrices: four pairs of nodes with masses and springs of their own, against closed forms; the same
# with numbers of nodes and faces in a file; what is refused.
source "$(dirname "$0")/checks.sh"

cat >pads.yaml <<'END'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  matrices:
    coordinates: [l1.ux, l1.uy, l1.uz, l2.ux, l2.uy, l2.uz, l3.ux, l3.uy, l3.uz, l4.ux, l4.uy, l4.uz,
                  u1.ux, u1.uy, u1.uz, u2.ux, u2.uy, u2.uz, u3.ux, u3.uy, u3.uz, u4.ux, u4.uy, u4.uz]
    mass: [1.1e-3, 1.1e-3, 1.1e-3, 1.2e-3, 1.2e-3, 1.2e-3, 1.3e-3, 1.3e-3, 1.3e-3, 1.4e-3, 1.4e-3, 1.4e-3,
           2.9e-3, 2.9e-3, 2.9e-3, 2.7e-3, 2.7e-3, 2.7e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.3e-3, 2.3e-3, 2.3e-3]
    stiffness: [2100, 2400, 3000, 2300, 2600, 3100, 2500, 2800, 3200, 2700, 2900, 3300,
                1100, 1300, 1200, 1000, 1400, 1300, 1200, 1500, 1400, 1300, 1600, 1500]
    positions: {l1: [0, 0, 0], l2: [300, 0, 0], l3: [300, 200, 0], l4: [0, 200, 0],
                u1: [0, 0, 0], u2: [300, 0, 0], u3: [300, 200, 0], u4: [0, 200, 0]}
    faces: {lower: [[l1, l2, l3, l4]], upper: [[u4, u3, u2, u1]]}
    contacts:
      pad: {between: [upper, lower], mu: 0.3}
    preload:
      - {push: {upper: [0, 0, -400]}, friction: true, steps: 2}
analyses:
  - contact
  - modes
  - backbone: {modes: [1], amplitudes: [1.0e-3, 1.0e-1]}
END
runs "pads: runs" pads.yaml pads
# N = 100/(1 + k_u/k_l) at each node, the first mode along x with l1 and u1 as one, and its load cycled beyond slip:
# D = 4 mu N (|Z| - mu N (1/k_u + 1/k_l)), Z = p phi (m_u/k_u - m_l/k_l)
near "pads: normal force" "$(summary pads '.analyses[0].contacts[0].normal_force')" \
  "$(awk 'BEGIN { printf "%.15g", 100*(1/(1 + 1.2/3) + 1/(1 + 1.3/3.1) + 1/(1 + 1.4/3.2) + 1/(1 + 1.5/3.3)) }')" 1e-11
near "pads: pressure" "$(summary pads '.analyses[0].contacts[0].largest_pressure')" "$(awk 'BEGIN { printf "%.15g", 100/1.4/15e-3 }')" 1e-11
same "pads: twelve degrees of freedom are left" "$(summary pads '.analyses[1].modes | length')" 12
near "pads: first mode" "$(summary pads '.analyses[1].modes[0].omega_0')" "$(awk 'BEGIN { printf "%.15g", sqrt(3.2e6/4) }')" 1e-11
near "pads: energy dissipated" "$(summary pads '.analyses[2].cycles[1].dissipated')" "$(awk 'BEGIN {
  p = 0.8e6*1e-1*1e-3*sqrt(1e3); N = 0.3*100/1.4
  printf "%.15g", 4*N*(p/2*(2.9/1.1e6 - 1.1/2.1e6) - N*(1/1.1e6 + 1/2.1e6)) }')" 1e-3
report "pads: it is drawn" "$(grep -q 'Contact faces at rest' pads/report.html || echo no)"
check "pads: check says how large it is" grep -q '12 degrees of freedom' <("$microslip" check pads.yaml)

# ---- nodes by number, tables in files, a layer, the ground ----
printf 'name,x [mm],y [mm],z [mm]\n' >nodes.csv
printf 'n1,n2,n3,n4\n8,7,6,5\n' >upper.csv
printf 'n1,n2,n3,n4\n4,3,2,0\n4,2,1,0\n' >top.csv
for i in 1 2 3 4 5 6 7 8; do
  for c in x y z; do echo "$i $c"; done >>dofs.txt
  case $i in 1 | 5) at=0,0 ;; 2 | 6) at=300,0 ;; 3 | 7) at=300,200 ;; *) at=0,200 ;; esac
  echo "$i,$at,0" >>nodes.csv
done
sed -e 's/^    positions:.*/    positions: nodes.csv/; /^                u1:/d; s/^    faces:.*/    faces: {lower: [[1, 2, 3, 4]], upper: upper.csv}/' \
  -e 's/^    coordinates:.*/    dofs: dofs.txt/; /^                  u1.ux/d' pads.yaml >numbers.yaml
runs "numbers: runs" numbers.yaml numbers
same "numbers: the same contact" "$(summary numbers '.analyses[0].contacts')" "$(summary pads '.analyses[0].contacts')"
same "numbers: the same modes" "$(summary numbers '.analyses[1].modes')" "$(summary pads '.analyses[1].modes')"
runs "ground: runs" numbers.yaml ground --set structure.matrices.faces='{top: top.csv}' \
  --set structure.matrices.contacts='{floor: {between: [top, ground], mu: 0.3, gap: 0.01, layer: {K_n: 0.7, K_t: 0.5}}}' \
  --set structure.matrices.preload='[{push: {2: [0, 0, -60]}, friction: true}]' \
  --set analyses='[contact]'
# Node 2 is a corner of both triangles: 2/3 of the faces' half; triangles look down, and the layer gives way.
near "ground: normal force" "$(summary ground '.analyses[0].contacts[0].normal_force')" \
  "$(awk 'BEGIN { K = 0.7*20e3; printf "%.15g", (60/3100 - 0.01)/(1/K + 1/3100) }')" 1e-10
same "ground: one of four points is closed" "$(summary ground '.analyses[0].contacts[0] | "\(.closed_points) \(.points)"')" "1 4"

# ---- the study of the guide, with matrices that have labels ----
awk '/^```yaml/ { on = 1; text = ""; next } /^```/ { if (on && text ~ /positions:/ && text ~ /^structure:/) printf "%s", text; on = 0 } on { text = text $0 "\n" }' \
  "$source_dir/docs/guide/contact.md" >guide.part
{ printf 'microslip: 1\nunits: {length: mm, mass: tonne, force: N, time: s}\n'; cat guide.part; echo 'analyses: [contact, modes]'; } >guide.yaml
for k in mass stiffness; do
  sed -n "/^    $k:/,/]/p" pads.yaml | tr -cd '0-9.e,-' | sed 's/^e-*//' | tr ',' '\n' | grep -o '[0-9][0-9.e-]*$' |
    awk '{ n = int((NR - 1)/3) + 1; d = (NR - 1)%3 + 1; print n "," d ", " n "," d ", " $1 }' >$k.lines
done
cp mass.lines M.mtx && cp stiffness.lines K.mtx && printf 'n1,n2,n3,n4\n1,2,3,4\n' >lower.csv
runs "guide: runs" guide.yaml guide
near "guide: the same contact" "$(summary guide '.analyses[0].contacts[0].normal_force')" "$(summary pads '.analyses[0].contacts[0].normal_force')" 1e-12
near "guide: the same modes" "$(summary guide '.analyses[1].modes[5].f_0')" "$(summary pads '.analyses[1].modes[5].f_0')" 1e-12

# ---- in time: nothing slips under a small hit, much under a large one ----
for force in 1 3000; do
  runs "time $force: runs" pads.yaml time$force --set loads="{hit: {half_sine: {amplitude: $force, duration: 2e-2}, at: u1.ux}}" \
    --set analyses='[transient: {time: {step: 1e-4, steps: 2000}, loads: [hit], record: {channels: [u1.ux]}}]'
  report "time $force: the balance holds" "$(summary time$force '.analyses[0].energy | select((.balance | fabs) > 1e-3 * .input)')"
done
same "time: nothing slips" "$(summary time1 '.analyses[0].energy.dissipated')" 0
report "time: friction takes energy" "$(summary time3000 '.analyses[0].energy | select(.dissipated < 0.01 * .input)')"

# ---- a stage that holds ----
runs "hold: runs" pads.yaml hold --set structure.matrices.preload='[{push: {upper: [0, 0, -400]}, hold: [lower], friction: true}]' --set analyses='[contact]'
near "hold: all of the push" "$(summary hold '.analyses[0].contacts[0].normal_force')" 400 1e-11

# ---- points that are given: the same pairs by their rows, n downwards ----
awk 'BEGIN { for (i = 0; i < 4; i++) for (a = 0; a < 3; a++) {
  line = ""
  for (j = 0; j < 24; j++) line = line (j ? "," : "") (j % 3 != a ? 0 : j == 3*i + a ? (a == 2 ? 1 : -1) : j == 12 + 3*i + a ? (a == 2 ? -1 : 1) : 0)
  print line } }' >rows.csv
printf 'area\n15000\n15000\n15000\n15000\n' >weights.csv
given=$(sed 's/{between: \[upper, lower\]/{interpolation: rows.csv, weights: weights.csv/' pads.yaml)
echo "$given" >given.yaml
runs "given points: runs" given.yaml given
for value in closed_area largest_pressure normal_force; do
  near "given points: $value" "$(summary given ".analyses[0].contacts[0].$value")" "$(summary pads ".analyses[0].contacts[0].$value")" 1e-12
done
near "given points: frequency" "$(summary given '.analyses[1].modes[3].f_0')" "$(summary pads '.analyses[1].modes[3].f_0')" 1e-11
near "given points: energy dissipated" "$(summary given '.analyses[2].cycles[1].dissipated')" "$(summary pads '.analyses[2].cycles[1].dissipated')" 1e-9
# Twice the points have no unique forces where they are rigid, but with a layer of half the stiffness each.
cat rows.csv rows.csv >twice.csv
twice="interpolation: twice.csv, weights: [7500, 7500, 7500, 7500, 7500, 7500, 7500, 7500], mu: 0.3"
runs "given points, twice: with a layer it runs" given.yaml twice --set structure.matrices.contacts.pad="{$twice, layer: {K_n: 0.4, K_t: 0.3}}" --set analyses='[contact]'
runs "given points, once: runs" given.yaml once --set structure.matrices.contacts.pad.layer='{K_n: 0.4, K_t: 0.3}' --set analyses='[contact]'
near "given points, twice: the same force" "$(summary twice '.analyses[0].contacts[0].normal_force')" "$(summary once '.analyses[0].contacts[0].normal_force')" 1e-10
report "given points, twice: rigid it is refused" "$("$microslip" run given.yaml --out failed --set structure.matrices.contacts.pad="{$twice}" 2>&1 |
  grep -q 'more points than displacements' || echo no)"

# ---- meshes that overlap unevenly beside an interference ----
for i in 0.4 40; do
  runs "interference of $i: runs" pads.yaml inside --set structure.matrices.contacts.pad.interference=$i \
    --set structure.matrices.positions.u1='[0, 0, -1]' --set analyses='[contact]'
  like "interference of $i: doubtful or not" "$(status_of inside contact)" "$([[ $i == 40 ]] && echo complete || echo suspect)"
  [[ $i == 40 ]] || like "interference of $i: why" "$(reasons inside contact)" "*meshes are between -0.00* and * m apart * interference of 0.0004 m*"
done

# ---- what is refused ----
sed '/^    contacts:/d; /^      pad:/d; s/^  - contact//; s/^  - backbone.*//' pads.yaml >bare.yaml
{ head -n 11 rows.csv && echo 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0; } >flat.csv
m=structure.matrices
refuses "a face with a point that there is none of" "no point 'l9'" pads.yaml --set $m.faces.lower='[[l1, l2, l3, l9]]'
refuses "a face of two points" "three or four points" pads.yaml --set $m.faces.lower='[[l1, l2]]'
refuses "faces are no list" "faces are a list" pads.yaml --set $m.faces.lower='{a: 1}'
refuses "faces without area" "has no area" pads.yaml --set $m.faces.lower='[[l1, l2, l2, l1]]'
refuses "a node without degrees of freedom" "has no degree of freedom v1.ux" pads.yaml --set $m.positions.v1='[0, 0, 0]' --set $m.faces.lower='[[v1, l2, l3, l4]]'
refuses "faces that are apart" "0.09 m apart at least" pads.yaml --set $m.positions.l1='[0, 0, -90]' --set $m.positions.l2='[300, 0, -90]' \
  --set $m.positions.l3='[300, 200, -90]' --set $m.positions.l4='[0, 200, -90]'
refuses "nodes that do not match" "do not lie opposite each other" pads.yaml --set $m.positions.l1='[100, 0, 0]'
refuses "faces that look the same way" "face the same way" pads.yaml --set $m.faces.upper='[[u1, u2, u3, u4]]'
refuses "faces that share a node" "share node l1" pads.yaml --set $m.faces.upper='[[u4, u3, u2, l1]]'
refuses "faces inside each other" "inside" pads.yaml --set $m.positions.u1='[0, 0, -1]'
refuses "faces that there are none of" "no faces 'under'" pads.yaml --set $m.contacts.pad.between='[upper, under]'
refuses "Gauss points" "pairs of nodes" pads.yaml --set $m.contacts.pad.points=gauss
refuses "rows that are too few" "interpolation is 12 x 24; for 3 weights and 24" given.yaml --set $m.contacts.pad.weights='[1, 2, 3]'
refuses "a weight of nothing" "weight 2 is 0 m^2" given.yaml --set $m.contacts.pad.weights='[1, 0, 3, 4]'
refuses "a normal of nothing" "normal of point 4, is zero" given.yaml --set $m.contacts.pad.interpolation=flat.csv
refuses "interpolation that is not there" "none.csv" given.yaml --set $m.contacts.pad.interpolation=none.csv
refuses "weights without their column" "column area" given.yaml --set $m.contacts.pad.weights=upper.csv
refuses "interpolation without weights" "interpolation and weights" pads.yaml --set $m.contacts.pad='{interpolation: rows.csv, mu: 0.3}'
refuses "a push on nothing" "lid" pads.yaml --set $m.preload='[{push: {lid: [0, 0, -1]}, friction: true}]'
refuses "a preload without contacts" "belongs to contacts" bare.yaml
refuses "joints beside contacts" "no joints beside" pads.yaml --set joints='{a: {law: linear, K: 1, between: [ground, u1.ux]}}'
refuses "VTU files of backbones" "VTU files need finite elements" pads.yaml --set analyses.2.backbone.vtu=true
refuses "VTU files" "VTU files need finite elements" pads.yaml --set analyses='[contact: {vtu: true}]'
refuses "an analysis that takes contacts for stuck" "frf knows no contact" pads.yaml --set analyses='[frf: {}]'
report "a load that opens everything" "$("$microslip" run pads.yaml --out failed --set $m.preload='[{push: {upper: [0, 0, 400]}, friction: true}]' --set $m.stiffness='[1,1,0,1,1,0,1,1,0,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1]' 2>&1 | grep -q 'not in balance\|no equilibrium' || echo no)"

finish
