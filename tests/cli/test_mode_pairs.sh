#!/bin/bash
# modes: a stuck mode stands beside the slipped one that has its shape, not its rank.
source "$(dirname "$0")/checks.sh"

# Two masses apart. With the joint stuck a is above b, with the joint slipping below.
cat >pair.yaml <<'Y'
microslip: 1
structure:
  chain:
    masses: {a: 1.3, b: 2.7}
    springs: [[ground, a, 83], [ground, b, 940]]
joints: {lap: {law: jenkins, between: [ground, a], K_T: 1450, F_S: 3.1}}
analyses: [modes]
Y
report "runs" "$("$microslip" run pair.yaml --out out >text 2>&1 || cat text)"
cell() { cells "out/tables/$3.csv" $(($1 - 1)) "$2"; } # MODE COLUMN TABLE
omega() { awk -v k="$1" -v m="$2" 'BEGIN { printf "%.15g", sqrt(k/m) }'; }
near "mode 1 is b, stuck" "$(cell 1 omega_0 modes)" "$(omega 940 2.7)" 1e-12
near "and slipping" "$(cell 1 omega_inf modes)" "$(omega 940 2.7)" 1e-12
near "mode 2 is a, stuck" "$(cell 2 omega_0 modes)" "$(omega 1533 1.3)" 1e-12
near "and slipping" "$(cell 2 omega_inf modes)" "$(omega 83 1.3)" 1e-12
near "in Hz" "$(cell 2 f_inf modes)" "$(awk 'BEGIN { printf "%.15g", sqrt(83/1.3)/(8*atan2(1, 1)) }')" 1e-12
same "their ranks when slipping" "$(cell 1 mode_inf modes) $(cell 2 mode_inf modes)" "2 1"
near "MAC" "$(cell 1 mac modes)" 1 1e-12
same "shapes go with them" "$(awk -F, '$1 == 2 && $2 ~ /a/ { print ($3 - $4)^2 < 1e-20 }' out/tables/modes_shapes.csv)" 1
near "the summary has them too" "$(jq '.analyses[0].modes[1].omega_inf' out/summary.json)" "$(omega 83 1.3)" 1e-12
# MAC of each pair is that of its shapes. Of three modes MAC is no symmetric matrix.
cat >three.yaml <<'Y'
microslip: 1
structure:
  chain:
    masses: {a: 1.3, b: 2.7, c: 0.9}
    springs: [[ground, a, 83], [a, b, 140], [b, c, 95]]
joints: {lap: {law: jenkins, between: [a, c], K_T: 310, F_S: 3.1}}
analyses: [modes]
Y
report "three masses: runs" "$("$microslip" run three.yaml --out out >text 2>&1 || cat text)"
for i in 1 2 3; do
  near "MAC of mode $i" "$(cell $i mac modes)" "$(awk -F, -v mode=$i '
    BEGIN { m["a"] = 1.3; m["b"] = 2.7; m["c"] = 0.9 }
    $1 == mode { gsub(/"/, "", $2); x = m[$2]; both += x*$3*$4; one += x*$3*$3; two += x*$4*$4 }
    END { printf "%.15g", both*both/(one*two) }' out/tables/modes_shapes.csv)" 1e-9
done
sed 's/analyses:.*/analyses: [{modes: {variants: {joints.lap.K_T: [1450, 1700]}}}]/' pair.yaml >varied.yaml
report "variants: run" "$("$microslip" run varied.yaml --out out >text 2>&1 || cat text)"
near "and so do variants" "$(cell 2 f_inf modes_variants)" "$(awk 'BEGIN { printf "%.15g", sqrt(83/1.3)/(8*atan2(1, 1)) }')" 1e-12

finish
