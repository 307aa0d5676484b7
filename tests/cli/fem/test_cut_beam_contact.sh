#!/bin/bash
# examples/cut-beam-contact against beam theory: one piece at rest, slip by the shear force of mode 1, opening by the moment of mode 2.
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/cut-beam-contact/study.yaml

runs "runs" "$study" out
mode() { sed -n "s/^$2,//p" "$1/tables/modes.csv" | cut -d, -f1; } # FOLDER NUMBER
# E A delta/L, without the stiffness of clamps that hold the width
near "normal force" "$(summary out '.analyses[0].contacts[0].normal_force')" "$(awk 'BEGIN { printf "%.8g", 210e9*480e-6*6.8452e-6/0.46 }')" 0.01
same "all closed" "$(summary out '[.analyses[0].contacts[] | .points - .closed_points] | add')" 0

# ---- at rest it is one piece ----
sed '/contacts:/,/hold:/d; s/    fix:/    merge: {}\n    fix:/; /^loads:/,$d' "$study" >piece.yaml
echo 'analyses: [{modes: {full: 0}}]' >>piece.yaml
runs "one piece: runs" piece.yaml piece
for m in 1 2 3; do near "mode $m at rest" "$(mode out $m)" "$(mode piece $m)" 1e-9; done

# ---- with a layer as stiff as the joints of cut-beam it has their stuck mode ----
layer='{K_n: 104.2, K_t: 104.2}'
runs "layer: runs" "$study" layer --set "structure.fe.contacts.cut_1.layer=$layer" --set "structure.fe.contacts.cut_2.layer=$layer" --set 'analyses=[{modes: {full: 0}}]'
near "layer: mode 1 with joints" "$(mode layer 1)" 1875.8 1e-3

# ---- closed forms of a clamped beam: shear force and moment at the cuts for q = 1 ----
beam() { # MODE: T and M
  awk -v mode="$1" 'BEGIN {
    b = mode == 1 ? 4.730041 : 7.853205; s = mode == 1 ? 0.9825022 : 1.000777; L = 0.46; EI = 210e9*0.04*0.012^3/12
    x = b*0.1032/L; c = (exp(x) + exp(-x))/2; h = (exp(x) - exp(-x))/2; k = b/L; m = sqrt(7850*0.04*0.012*L)
    T = EI*k^3*(h - sin(x) - s*(c + cos(x)))/m; M = EI*k^2*(c + cos(x) - s*(h + sin(x)))/m
    printf "%.8g %.8g", T < 0 ? -T : T, M < 0 ? -M : M }'
}
read -r shear _ <<<"$(beam 1)"
read -r _ moment <<<"$(beam 2)"
cycles() { awk -F, -v m="$1" "NR > 1 && \$1 == m $2" out/tables/backbone_cycles.csv; } # MODE CONDITION
normal=$(summary out '.analyses[0].contacts[0].normal_force')
slip=$(awk "BEGIN { print 0.3*$normal/$shear }")                # all of the cut slides
open=$(awk "BEGIN { print $normal/480e-6*0.04*0.012^2/6/$moment }") # no pressure at the outer fibre
report "mode 1: nothing slips up to 0.35 of the force at which the cut slides" "$(cycles 1 "&& \$2 < 0.35*$slip && (\$6 > 0 || \$11 > 0)")"
report "mode 1: something does from 0.67 of it on, where a parabola would begin" "$(cycles 1 "&& \$2 > 0.67*$slip && !(\$6 > 0 && \$11 > 0)")"
report "mode 1: amplitudes end below that" "$(cycles 1 "&& \$2 > $slip")"
report "mode 1: not all points slip" "$(cycles 1 "&& \$11 >= 98")"
report "mode 1: damping by slip rises" "$(awk -F, 'NR > 1 && $1 == 1 { if (NR > 5 && !($6 > z)) print; z = $6 }' out/tables/backbone.csv)"
report "mode 2: closed up to the amplitude of beam theory" "$(cycles 2 "&& \$2 < 0.97*$open && \$12 > 0")"
report "mode 2: open from 1.2 of it on" "$(cycles 2 "&& \$2 > 1.2*$open && !(\$12 > 0)")"
report "there are amplitudes on both sides" "$([[ -n $(cycles 2 "&& \$2 < 0.97*$open") && -n $(cycles 2 "&& \$2 > 1.2*$open") ]] || echo no)"
report "mode 2: the frequency falls with opening" "$(awk -F, -v o="$open" 'NR > 1 && $1 == 2 { if (w && $3 > o*1.2 && !($4 < w)) print; w = $4 }' out/tables/backbone.csv)"

# ---- in time ----
report "hit: the balance holds" "$(awk -F, 'NR == 2 && !($8 < 1e-4 && $8 > -1e-4)' out/tables/shock_runs.csv)"
near "hit: frequency" "$(awk -F, 'NR == 2 { print $5 }' out/tables/shock.csv)" "$(mode out 1)" 1e-3
report "hit: damping by slip falls as it rings down" "$(awk -F, 'NR > 1 { if (NR > 2 && !($7 < z)) print; z = $7 }' out/tables/shock.csv)"

finish
