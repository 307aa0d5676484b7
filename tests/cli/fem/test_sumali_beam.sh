#!/bin/bash
# examples/sumali-beam against Lacayo, Deaner, Allen (2017), section 3.2, and against frequencies that
# were computed independently.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/sumali-beam/study.yaml

# ---- Table 4 ----
modes='analyses=[{modes: {vtu: [7, 9]}}]'
value() { jq -r ".analyses[0].$2" "$1/summary.json"; }
# weighting KIND omega_0 omega_inf, three modes each: the reference; then the paper's own numbers.
weighting() {
  local kind=$1 of full
  shift
  runs "$kind: runs" "$study" "$kind" --set "$modes" \
    --set "structure.fe.spiders.bolt.rbe3=$kind"
  local paper=(759.3 1345 3185 652.2 1297 2713)
  for i in 0 1 2 3 4 5; do
    of=$([[ $i -lt 3 ]] && echo omega_0 || echo omega_inf)
    full=$(value "$kind" "full.$of[$((6 + i % 3))]")
    near "$kind: $of of mode $((7 + i % 3)), full" "$full" "$1" 1e-5
    near "$kind: the same as in Table 4" "$full" "${paper[$i]}" 3e-3
    near "$kind: the reduced model beside it" "$(value "$kind" "modes | map(.$of) | sort | .[$((6 + i % 3))]")" "$full" 1e-3
    shift
  done
  same "$kind: six rigid-body modes, full and reduced" \
    "$(value "$kind" 'full | [.omega_0[:6], .omega_inf[:6]] | flatten | unique | tostring') $(value "$kind" 'modes[:6] | map(.omega_0, .omega_inf) | unique | tostring')" \
    '[0] [0]'
  report "$kind: residuals below 1e-8" "$(value "$kind" 'full | (.residual_0 + .residual_inf)[] | select(. > 1e-8)')"
  report "$kind: a Sturm count" "$(value "$kind" full.solver_0 | grep -q 'Sturm count below .* all found' || value "$kind" full.solver_0)"
}
# The reference has six digits.
weighting uniform 761.289 1348.57 3194.05 652.485 1297.74 2713.98
weighting area 758.315 1344.68 3185.37 651.504 1295.35 2712.29

# ---- the reduced model ----
same "49 coordinates, of 8736 unknowns" "$(value uniform 'modes | length') $(value uniform full.unknowns)" '49 8736'
i=0
for omega in 761.322 1348.73 3196.21; do
  near "reduced model, mode $((7 + i))" "$(value uniform "modes[$((6 + i))].omega_0")" $omega 1e-5
  i=$((i + 1))
done
# As a structure of its own, without the finite elements.
sed '/^  fe:/,/^  reduce:/d; s|^  damping|  reduced: uniform/reduced.h5\n  damping|' "$study" >reduced.yaml
report "reduced.h5 runs without the plugin" "$(MICROSLIP_FEM_PLUGIN=/nowhere.so "$microslip" run reduced.yaml \
  --set 'analyses=[modes]' --out reduced 2>&1 >/dev/null)"
report "and is the same" "$(cmp uniform/tables/modes.csv reduced/tables/modes.csv 2>&1)"
# Rotations about z are free: the boundary's 51 coordinates less three for each bolt.
same "coordinates" "$(awk -F, 'NR > 1 && $1 == 1 { print $2 }' uniform/tables/modes_shapes.csv | sed 's/\.[0-9]\./.N./' | sort | uniq -c | awk '{ print $1 $2 }' | paste -sd' ')" \
  '4bolt.N.a.rx 4bolt.N.a.ry 4bolt.N.a.rz 4bolt.N.a.ux 4bolt.N.a.uy 4bolt.N.a.uz 4bolt.N.b.rz 4bolt.N.b.ux 4bolt.N.b.uy 1q1 1q10 1q2 1q3 1q4 1q5 1q6 1q7 1q8 1q9 1upper.p1.ux 1upper.p1.uy 1upper.p1.uz'

# ---- pictures ----
report "modes.vtu is well-formed" "$(xmllint --noout uniform/modes.vtu 2>&1)"
for word in 'stuck 7' 'slipped 7' 'stuck 9' 'slipped 9'; do
  report "modes.vtu has $word" "$(grep -q "Name=\"$word\"" uniform/modes.vtu || echo missing)"
done
for word in 'Modes of the full and of the reduced model' '1280 elements' 'Sturm count' 'bolt.1.x'; do
  report "report.html has $word" "$(grep -qF "$word" uniform/report.html || echo missing)"
done

# ---- the whole example ----
runs "the example: runs" "$study" out
of() { jq -r --arg kind "$1" ".analyses[] | select(.kind == \$kind) | $2" out/summary.json; }
same "runs" "$(jq -c '[.analyses[].runs // empty]' out/summary.json)" '[24,24,26]'
for name in modal_ringdown modal_iwan impact_test; do
  within "energy balance of $name, worst" "$(awk -F, '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == "balance / input") c = i; next }
    { b = $c < 0 ? -$c : $c; if (b > w) w = b } END { print w }' out/tables/${name}_runs.csv)" 1e-12 1.2e-3
done
# Steps of Table D.1, as the runs had them.
same "steps" "$(awk -F, 'NR > 1 { print $2 }' out/tables/modal_ringdown_runs.csv | paste -sd' ')" \
  '200000 200000 200000 100000 50000 200000 133333 200000 200000 100000 200000 68000 50000 100000 200000 106383 212766 333333 166667 69333 20000 100000 100000 200000'

# ---- Table 5, printed form ----
fit() { of fit_modal ".modes[] | select(.mode == $1 and .form == \"printed\") | .$2"; }
table5() { # MODE K_inf F_S K_T chi; then beta as on the page
  near "mode $1: K_inf" "$(fit "$1" K_inf)" "$2" 0.01
  near "mode $1: F_S" "$(fit "$1" F_S)" "$3" 0.04
  near "mode $1: K_T" "$(fit "$1" K_T)" "$4" 0.02
  within "mode $1: chi less that printed" "$(awk -v v="$(fit "$1" chi)" -v r="$5" 'BEGIN { print v - r }')" -0.05 0.05
  near "mode $1: beta as on the page" "$(fit "$1" beta)" "$6" 0.01
  within "mode $1: rms ln zeta" "$(fit "$1" rms_ln_zeta)" 1e-6 0.03
}
table5 7 4.235e5 1.802 1.537e5 -0.1369 2.728
table5 8 1.673e6 1.518 1.340e5 -0.1620 2.035
table5 9 7.321e6 6.934 2.822e6 -0.1008 2.185

# ---- section 3.2.4, medians as on the page ----
phi_max() { awk -v F="$(fit "$1" F_S)" -v K="$(fit "$1" K_T)" -v c="$(fit "$1" chi)" -v b="$(fit "$1" beta)" \
  'BEGIN { print F*(1 + b)/(K*(b + (c + 1)/(c + 2))) }'; }
ratio() { # MODE PLACE LOW HIGH, in parts of phi_max
  awk -F, -v m="$1" -v p="$2 " -v a="$3" -v b="$4" -v phi="$(phi_max "$1")" '
    NR > 1 && $1 == m && index($2, p) == 1 && $4 > a*phi && $4 <= b*phi { print $7 }' out/tables/impact_test_compare.csv | median
}
near "mode 7, p2, late microslip: 1.68 in the paper" "$(ratio 7 bolt.1.a.uz 0.03 0.1)" 1.68 0.06
near "mode 7, p2, lower: 1.44 in the paper" "$(ratio 7 bolt.1.a.uz 0 0.1)" 1.44 0.04
near "mode 8, p3, microslip: 1.66 in the paper" "$(ratio 8 bolt.2.a.uz 0 1)" 1.66 0.04
near "mode 7, p1, large microslip: 1.40 in the paper" "$(ratio 7 upper.p1.uz 0.03 0.1)" 1.40 0.04
near "mode 8, p1, large microslip: 1.40 in the paper" "$(ratio 8 upper.p1.uz 0.03 0.1)" 1.40 0.04
near "mode 7, p1, lower: 1.25 in the paper" "$(ratio 7 upper.p1.uz 0 0.1)" 1.25 0.06
near "mode 8, p1, lower: 1.25 in the paper" "$(ratio 8 upper.p1.uz 0 0.1)" 1.25 0.04
near "mode 7, p2, macroslip: 0.4 in the paper" "$(ratio 7 bolt.1.a.uz 3 30)" 0.4 0.1
near "mode 8, p3, macroslip: 0.4 in the paper" "$(ratio 8 bolt.2.a.uz 3 30)" 0.4 0.1
near "mode 9, p2, microslip: as on the page" "$(ratio 9 bolt.1.a.uz 0 1)" 2.9 0.05
# Fig. 15: modes 7 and 8 fall alike, mode 9 much faster.
fall() { awk -F, -v m="$1" 'NR > 1 && $1 == m && $2 == "upper.p1.uz p=0.2669" { if (!a) a = $4; b = $4 } END { print a/b }' out/tables/impact_test.csv; }
within "row 6 of Table D.2: fall of mode 7" "$(fall 7)" 2.8 3.3
within "row 6 of Table D.2: fall of mode 8" "$(fall 8)" 2.6 3.1
within "row 6 of Table D.2: fall of mode 9" "$(fall 9)" 50 75
same "amplitudes are read at a translation" "$(awk -F, 'NR > 1 { print $12 }' out/tables/impact_test.csv | sort -u | sed 's/.*\.//' | sort -u)" uz

run_sumali() { "$microslip" run "$study" "$@" 2>&1 >/dev/null; }
same "the command of the picture" \
  "$(run_sumali --out backbone --figures=svg --set 'analyses=[modes, {backbone: {modes: [7, 8, 9], methods: [qsma]}}]')" ''
drawn "backbone.svg: as it is drawn today" "$source_dir/examples/sumali-beam/backbone.svg" backbone/figures/backbone-1.svg

finish
