#!/bin/bash
# variants of `modes` and `frf`: closed forms of an oscillator, the same as studies with these numbers in
# the file, pictures, and what is refused.
source "$(dirname "$0")/checks.sh"

# awk over a table, columns by name as c["mode"]; what it prints is what is wrong.
rows() { # TABLE TOLERANCE LEAST PROGRAM, which sets `value` and `reference` for each row
  [[ -s $1 ]] || echo "no table $1"
  awk -F, -v tolerance="$2" -v least="$3" 'function off(v, r) { v -= r; if (v < 0) v = -v; return v/(r < 0 ? -r : r) }
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) name[i] = $i; next }
    { for (i = 1; i <= NF; i++) c[name[i]] = $i }
    '"$4"'
    { n++; e = off(value, reference); if (!(e <= worst)) { worst = e; line = value " " reference } }
    END { printf "# %d rows, worst error %.3g, tolerance %g\n", n, worst, tolerance > "/dev/stderr"
      if (n < least) print "only " n + 0 " rows"
      if (!(worst <= tolerance)) print line ": error " worst ", tolerance " tolerance }' "$1"
}

# ---- one mass, in millimetres and tonnes: values are in the units of the file, results in SI ----
cat >one.yaml <<'YAML'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  chain: {masses: {u: 1.3}, springs: [[ground, u, 47]]}
  damping: {modal: 0.017}
joints:
  lap: {law: jenkins, between: [ground, u], K_T: 31, F_S: 2.385}
analyses:
  - modes: {variants: {structure.chain.masses.u: [0.71, 1.3, 2.9], joints.lap.K_T: [19, 31, 53.5]}}
  - frf: {at: u, sensor: u, range: [0.2, 3.7], points: 23, quantity: receptance,
          variants: {structure.chain.springs.0.2: [40.3, 61], structure.damping.modal: [0.017, 0.113], structure.chain.masses.u: [0.71, 2.9]}}
  - frf: {name: base, base: true, sensor: u, joints: slipped, range: [0.2, 3.7], points: 23, quantity: transmissibility,
          variants: {structure.chain.masses.u: [0.71, 2.9]}}
YAML
report "one mass: runs" "$(run_study one)"
t=one/tables
same "a row for each variant" "$(wc -l <$t/modes_variants.csv)" 4
same "columns" "$(head -n 1 $t/modes_variants.csv | sed 's/ \[[^]]*\]//g')" \
  variant,structure.chain.masses.u,joints.lap.K_T,mode,omega_0,omega_inf,f_0,f_inf,zeta_0,zeta_dashpots,mode_inf,mac
masses='m = c["structure.chain.masses.u"]'
report "omega with the joint stuck" "$(rows $t/modes_variants.csv 1e-13 3 \
  "{ $masses; reference = sqrt((47 + c[\"joints.lap.K_T\"])/m); value = c[\"omega_0\"] }")"
report "and slipped, in Hz" "$(rows $t/modes_variants.csv 1e-13 3 \
  "{ $masses; reference = sqrt(47/m)/(8*atan2(1, 1)); value = c[\"f_inf\"] }")"
report "damping" "$(rows $t/modes_variants.csv 1e-13 3 '{ reference = 0.017; value = c["zeta_0"] }')"
# k and m are N/m and kg with a factor of 1000 each; the dashpot is that of the stuck structure.
response='w = 8*atan2(1, 1)*c["f"]; k0 = k + K; if (c["joints"] == "slipped") K = 0
  d = 2*zeta*sqrt(k0*m)*w; s = k + K - m*w^2; size2 = s^2 + d^2'
report "receptance" "$(rows $t/frf_variants.csv 1e-12 92 "{ $masses; k = c[\"structure.chain.springs.0.2\"]; K = 31
  zeta = c[\"structure.damping.modal\"]; $response; value = c[\"magnitude\"]; reference = 1e-3/sqrt(size2) }")"
report "its phase" "$(rows $t/frf_variants.csv 1e-9 92 "{ $masses; k = c[\"structure.chain.springs.0.2\"]; K = 31
  zeta = c[\"structure.damping.modal\"]; $response; value = c[\"phase\"]; reference = atan2(-d, s)*45/atan2(1, 1) }")"
report "transmissibility: the base moves the mass of the variant" "$(rows $t/base_variants.csv 1e-12 46 "{ $masses; k = 47; K = 31
  zeta = 0.017; $response; value = c[\"real\"]; reference = 1 + m*w^2*s/size2 }")"
same "the file's own numbers are not touched" "$(cells $t/modes.csv 0 omega_0)" "$(cells $t/modes_variants.csv 1 omega_0)"
same "values in the summary" "$(jq -c '.analyses[0].variants.values' one/summary.json)" \
  '{"structure.chain.masses.u":[0.71,1.3,2.9],"joints.lap.K_T":[19,31,53.5]}'
same "a frequency in the summary" "$(jq '.analyses[0].variants.omega_inf[2]' one/summary.json)" "$(cells $t/modes_variants.csv 2 omega_inf)"
report "figures" "$(for f in 'variants, joints stuck' 'variants, joints slipped' 'Frequency response of the variants' \
  'springs.0.2 = 61, slipped' 'masses.u = 2.9'; do grep -q "$f" one/report.html || echo "no '$f'"; done)"
report "a line of one state has no word for it" "$(grep -q 'masses.u = 2.9, slipped' one/report.html && echo 'it has')"

# ---- as with the numbers in the file ----
cat >chain.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {a: 1.3, b.c: 0.7, d: 2.1}
    springs: [[ground, a, 470], [a, b.c, 310], [b.c, d, 520]]
  damping: {modal: [0.011, 0.017, 0.023]}
joints:
  lap: {law: iwan4, between: [a, d], K_T: 210, F_S: 3.7, chi: -0.4, beta: 1.9}
  pad: {law: linear, between: [ground, d], K: 12, C: 0.31}
analyses:
  - modes: {variants: {structure.chain.masses.b.c: [0.45, 1.9], joints.lap.K_T: [140, 333]}}
  - frf: {at: {a: 0.6, d: 1.1}, sensor: b.c, range: [0.4, 9], points: 31, mode: 2, amplitudes: [0.013, 0.004],
          variants: {structure.chain.masses.b.c: [0.45, 1.9], joints.lap.K_T: [140, 333]}}
YAML
report "three masses: run" "$(run_study chain)"
part() { # TABLE VARIANT: its rows without the numbers of the variant
  awk -F, -v OFS=, -v v="$2" '$1 == v { $1 = ""; $2 = ""; $3 = ""; print substr($0, 4) }' "$1"
}
for v in 1 2; do
  values=$([[ $v == 1 ]] && echo 0.45 140 || echo 1.9 333)
  report "variant $v in the file: runs" "$("$microslip" run chain.yaml --out set$v --set structure.chain.masses.b.c="${values% *}" \
    --set joints.lap.K_T="${values#* }" 2>&1 >out)"
  same "variant $v: modes" "$(part chain/tables/modes_variants.csv $v)" "$(tail -n +2 set$v/tables/modes.csv)"
  same "variant $v: curves" "$(part chain/tables/frf_variants.csv $v)" "$(tail -n +2 set$v/tables/frf.csv)"
  same "variant $v: so many" "$(part chain/tables/frf_variants.csv $v | wc -l)" 124
done
report "what is set holds for variants too" "$("$microslip" run chain.yaml --out over --set structure.chain.masses.a=1.9 2>&1 >out)"
report "and changes them" "$(cmp -s chain/tables/modes_variants.csv over/tables/modes_variants.csv && echo 'it does not')"
"$microslip" run chain.yaml --out many --set "analyses.1.frf.variants={joints.lap.K_T: [1, 2, 3, 4, 5, 6, 7, 8, 9]}" >out 2>&1
report "more than there are colours" "$(grep -q 'The first 8 of 9 variants are drawn' many/report.html || cat out)"

# ---- refused ----
bad() { # VARIANTS WORDS
  sed "s/^  - modes: .*/  - modes: {variants: $1}/" chain.yaml >bad.yaml
  refused_bad "$2"
}
bad '{joints.lap.K_T: [1, 2], structure.chain.masses.d: [1, 2, 3]}' "bad.yaml:11:75: 3 numbers, but 'joints.lap.K_T' has 2"
bad '{joints.lap.law: [1]}' "bad.yaml:11:24: there is no number at 'joints.lap.law'"
bad '{joints.lap.K_X: [1]}' "'joints.lap.K_X' is not a path in this file"
bad '{title: [1]}' "'title' is not part of the structure"
bad '{joints.lap.K_T: [1, stiff]}' "bad.yaml:11:44: joints.lap.K_T must be a finite number, not 'stiff'"
bad '{joints.lap.K_T: 7}' 'a list of numbers for each path'
bad '{joints.lap.K_T: []}' 'must be a number or a list of numbers'
bad '{}' 'variants are 1 to 16'
bad '[joints.lap.K_T]' 'variants are 1 to 16'
bad '{joints.lap.K_T: [1, 2], structure.chain.masses.d: [1, -2.5]}' 'variant 2, lap.K_T = 2: a mass must be > 0, not -2.5'
bad '{joints.lap.K_T: [1, -2]}' 'variant 2, lap.K_T = -2: law iwan4: K_T = -2 is out of bounds'
sed 's/^    *variants: .*/          variants: {joints.lap.K_T: [1, -2]}}/' chain.yaml >bad.yaml
refused_bad 'variant 2, lap.K_T = -2'

finish
