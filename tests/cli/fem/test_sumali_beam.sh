#!/bin/bash
# examples/sumali-beam against Lacayo, Deaner, Allen (2017), section 3.2, and against frequencies that
# were computed independently.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
study=$source_dir/examples/sumali-beam/study.yaml
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
n_tests=0
n_failed=0

report() { # TEXT FAULT
  n_tests=$((n_tests + 1))
  if [[ -z $2 ]]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    sed 's/^/# /' <<<"$2"
    n_failed=$((n_failed + 1))
  fi
}
near() { # TEXT VALUE REFERENCE RELATIVE
  report "$1: $2 is $3 to $4" "$(awk -v v="$2" -v r="$3" -v t="$4" 'BEGIN { e = v/r - 1; if (e < 0) e = -e
    if (v == "" || !(e <= t)) printf "value %s, reference %s, error %g, tolerance %g\n", v, r, e, t }')"
}
same() { # TEXT VALUE REFERENCE
  report "$1" "$([[ $2 == "$3" ]] || printf 'value     %s\nreference %s\n' "$2" "$3")"
}

# ---- Table 4 ----
modes='analyses=[{modes: {vtu: [7, 9]}}]'
value() { jq -r ".analyses[0].$2" "$1/summary.json"; }
# weighting KIND omega_0 omega_inf, three modes each: the reference; then the paper's own numbers.
weighting() {
  local kind=$1 of full
  shift
  report "$kind: runs" "$("$microslip" run "$study" --out "$kind" --set "$modes" \
    --set "structure.fe.spiders.bolt.rbe3=$kind" 2>error >/dev/null || cat error)"
  local paper=(759.3 1345 3185 652.2 1297 2713)
  for i in 0 1 2 3 4 5; do
    of=$([[ $i -lt 3 ]] && echo omega_0 || echo omega_inf)
    full=$(value "$kind" "full.$of[$((6 + i % 3))]")
    near "$kind: $of of mode $((7 + i % 3)), full" "$full" "$1" 1e-5
    near "$kind: the same as in Table 4" "$full" "${paper[$i]}" 3e-3
    near "$kind: the reduced model beside it" "$(value "$kind" "modes[$((6 + i % 3))].$of")" "$full" 1e-3
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
for word in 'The full model and the reduced one' '1280 elements' 'Sturm count' 'bolt.1.x'; do
  report "report.html has $word" "$(grep -qF "$word" uniform/report.html || echo missing)"
done

echo "1..$n_tests"
[[ $n_failed == 0 ]]
