#!/bin/bash
# The analysis identify_density: losses of earlier analyses and of tables, the density as a law again.
source "$(dirname "$0")/checks.sh"

# iwan4: phi_max = F_S (1 + beta)/(K_T (beta + (chi + 1)/(chi + 2))), R = K_T (chi + 1)/(phi_max^(chi + 1) (1 + beta)),
# rho = R phi^chi, D = 4 R A^(chi + 3)/((chi + 2)(chi + 3)) below phi_max = 1.15e-4.
iwan4='F = 310; K = 3.7e6; x = -0.44; b = 1.2
  phi_max = F*(1 + b)/(K*(b + (x + 1)/(x + 2))); R = K*(x + 1)/(phi_max^(x + 1)*(1 + b))'
law='law: iwan4, between: [ground, x], F_S: 310, K_T: 3.7e6, chi: -0.44, beta: 1.2'
tracked='stepped_sine: {load: {at: x}, levels: {from: 0.02, to: 14, count: 40}}'
cat >study.yaml <<YAML
microslip: 1
structure:
  chain: {masses: {x: 1.3}, springs: [[ground, x, 2.1e6]]}
  damping: {modal: 0.002}
joints:
  lap: {$law}
loads:
  push: {at: x, sine: {amplitude: 9, frequency: 250}}
analyses:
  - $tracked
  - frequency_response: {load: {at: x}, omega: [1700, 2200], levels: {from: 0.1, to: 14, count: 10}}
  - identify_density: {name: tracked, from: stepped_sine, joint: lap, compare: lap}
  - identify_density: {name: response, from: frequency_response, joint: lap, compare: lap, rest: spring, knots: 40}
  - identify_density: {name: part, from: stepped_sine, joint: lap, rest: none, window: [2e-6, 3e-5], stiffness: 4.1e6}
YAML
report "a study runs" "$(run_study study --figures)"
for name in tracked response; do
  within "$name: density, where it is trusted, from the joint's own" "$(analysis study $name .density_difference)" 0 0.02
  within "$name: losses from the joint's own" "$(analysis study $name .loss_difference)" 0 1e-3
  within "$name: residual" "$(analysis study $name .residual)" 0 1e-6
  check "$name: a picture" xmllint --noout "study/figures/$name-1.svg"
done
report "tracked: every trusted row is R phi^chi to 2 %" "$(awk -F, "BEGIN { $iwan4 } NR > 1 && \$7 == 1 { n++
  e = \$2/(R*\$1^x) - 1; if (e < 0) e = -e; if (e > 0.02) print \$0, e } END { if (n < 30) print n }" study/tables/tracked_density.csv)"
# f* = K_T A; sliders and rest make up K_T.
near "tracked: trusted force" "$(analysis study tracked .trusted.force)" \
  "$(analysis study tracked '3.7e6*.trusted.to')" 1e-12
near "tracked: stiffness of the table" \
  "$(awk -F, 'NR > 1 { K += $3 } NR > 2 { K += ($2 + rho)/2*($1 - phi) } { phi = $1; rho = $2 } END { printf "%.10g", K }' study/tables/tracked_density.csv)" 3.7e6 1e-9
near "response: the rest is a spring" "$(analysis study response '.stiffness_shown + .K_inf')" 3.7e6 1e-12
same "part: nothing is added" "$(analysis study part .stiffness_added)" 0
near "part: the stiffness that was given" "$(analysis study part .trusted.force)" "$(analysis study part '4.1e6*.trusted.to')" 1e-12
within "part: the window" "$(analysis study part .trusted.to)" 2e-6 3e-5
same "part: what lies outside" "$(analysis study part '.left_out + .samples')" 40

# ---- the density is a law again ----
cp study/tables/tracked_density.csv density.csv
cat >again.yaml <<YAML
microslip: 1
structure:
  chain: {masses: {x: 1.3}, springs: [[ground, x, 2.1e6]]}
  damping: {modal: 0.002}
joints:
  lap: {law: iwan_table, between: [ground, x], density: {file: density.csv}}
analyses: [{$tracked}]
YAML
report "the density as iwan_table" "$(run_study again)"
# Sliders that slip before the first knot have more stiffness than a level density: what is missing
# stands at the end, and frequencies are up to 0.1 % too high.
for column in omega amplitude loss; do
  report "again: the same $column at every level to 0.2 %" "$(off \
    "$(for i in $(seq 0 39); do cells again/tables/stepped_sine_joints.csv "$i" $column; done)" \
    "$(for i in $(seq 0 39); do cells study/tables/stepped_sine_joints.csv "$i" $column; done)" 2e-3)"
done

# ---- a table, in mm and N mm; one loss is missing, rows are not in order ----
awk "BEGIN { $iwan4; print \"run,D [N mm],A [mm],error\"
  for (i = 29; i >= 0; i--) { A = 4e-7*exp(i/29*log(150)); D = 4*R*A^(x + 3)/((x + 2)*(x + 3))
    print i \",\" 1e3*D*(1 + (i % 2 ? 0.01 : -0.01)) \",\" 1e3*A \",\" 10*D }
  print \"30,-1e-6,1e-3,1\" }" >losses.csv
cat >table.yaml <<YAML
microslip: 1
units: {length: mm, mass: tonne, force: N}
analyses:
  - identify_density: {name: plain, file: losses.csv, columns: {amplitude: A, loss: D}, stiffness: 3700, knots: 50, noise: 0.01}
  - identify_density: {name: known, file: losses.csv, columns: {amplitude: A, loss: D, deviation: error}, knots: 50}
YAML
report "a table of losses, without a structure" "$(run_study table)"
same "table: one row without a loss" "$(analysis table plain '"\(.samples) \(.left_out)"')" "30 1"
near "table: its deviations are 1 % of the loss" "$(analysis table known .noise)" 0.01 2e-3
# Losses that go up and down by one deviation move the density by less than three of its own.
report "table: trusted rows within three deviations of R phi^chi" "$(awk -F, "BEGIN { $iwan4 } NR > 1 && \$7 == 1 { n++
  e = log(\$2/(R*\$1^x)); if (e < 0) e = -e; if (e > 3*\$6) print \$0, e } END { if (n < 20) print n }" table/tables/plain_density.csv)"
near "table: K_T" "$(analysis table plain .K_T)" 3.7e6 1e-12

# ---- our own table of losses is in SI, whatever the study's units ----
cat >ours.yaml <<YAML
microslip: 1
units: {length: mm, mass: tonne, force: N}
analyses:
  - identify_density: {name: ours, file: study/tables/stepped_sine_joints.csv, stiffness: 3700, knots: 50, noise: 0.01}
YAML
sed '/^units/d; s/stiffness: 3700/stiffness: 3.7e6/' ours.yaml >si.yaml
report "our own table in a study in mm" "$(run_study ours)$(run_study si)"
for column in displacement density; do
  report "ours: the same $column as in SI" "$(off \
    "$(for i in 0 20 45; do cells ours/tables/ours_density.csv $i $column; done)" \
    "$(for i in 0 20 45; do cells si/tables/ours_density.csv $i $column; done)" 1e-10)"
done
# Of several joints the rows of one: beside lap's rows those of another, of twice the loss.
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) { if ($i ~ /^joint/) j = i; if ($i ~ /^loss/) l = i } print; next }
  { print; OFS = ","; $j = "other"; $l *= 2; print }' study/tables/stepped_sine_joints.csv >two.csv
sed '/^analyses/,$d' study.yaml >two.yaml
printf 'analyses:\n  - identify_density: {name: %s, file: %s, joint: lap}\n' mine two.csv >>two.yaml
sed 's/two.csv/study\/tables\/stepped_sine_joints.csv/' two.yaml >alone.yaml
report "a table of two joints, and of one" "$(run_study two)$(run_study alone)"
same "the same density" "$(cat two/tables/mine_density.csv)" "$(cat alone/tables/mine_density.csv)"
sed 's/, joint: lap//' two.yaml >bad.yaml
refused_bad "two.csv:3: the table has losses of 'lap' and of 'other'"
# Deviations that no measurement has are taken for 1e-4 of the loss: what is rounding to six digits is no warning.
awk "BEGIN { $iwan4; print \"amplitude,loss,deviation\"
  for (i = 0; i < 30; i++) { A = 4e-7*exp(i/29*log(150)); D = 4*R*A^(x + 3)/((x + 2)*(x + 3)); print A \",\" D \",\" 1e-8*D } }" >fine.csv
printf 'microslip: 1\nanalyses:\n  - identify_density: {file: fine.csv}\n  - identify_density: {name: mine, file: fine.csv, noise: 0.0043}\n' >fine.yaml
report "fine: deviations below all measurement" "$(run_study fine)"
within "fine: the worst is measured in the deviation that was used" "$(analysis fine identify_density .worst)" 1e-4 2
near "fine: which is 1e-4" "$(analysis fine identify_density .noise)" 1e-4 1e-12
same "fine: no warning" "$(grep -c 'deviations from the model' fine/report.html)" 0
near "mine: noise in the study goes before the table's" "$(analysis fine mine .noise)" 0.0043 1e-12
report "mine: and stands in the table of samples" "$(awk -F, 'NR > 1 && ($3/$2 > 0.00430001 || $3/$2 < 0.00429999)' fine/tables/mine.csv)"

# ---- loops of another method ----
# The outer mass b hangs on the joint alone. Losses up to 2.2e-5 m say nothing about sliders beyond: as springs they
# make loops of larger amplitude too stiff.
{
  cat <<YAML
microslip: 1
structure:
  chain: {masses: {a: 2.1, b: 1.3}, springs: [[ground, a, 9e5]]}
  damping: {matrix: [[210, 0], [0, 0]]}
joints:
  lap: {${law/ground, x/a, b}}
loads:
YAML
  for F in 20 60 150 320 500 35; do echo "  p$F: {at: a, sine: {amplitude: $F, frequency: 60}}"; done
  printf 'analyses:\n'
  for F in 20 60 150 320 500 35; do
    echo "  - transient: {name: t$F, loads: [p$F], time: {step: 4.16666666666666667e-5, steps: 12000}, record: {channels: [a.acceleration, b.acceleration, lap.z, lap.f]}}"
  done
  cat <<YAML
  - hysteresis: {from: [t20, t500, t60, t320, t150, t35], accelerations: [a.acceleration, b.acceleration], mass: 1.3, frequency: 60, joint: lap}
  - stepped_sine: {load: {at: b}, levels: {from: 0.2, to: 300, count: 40}, modes: [2]}
  - identify_density: {name: six, from: hysteresis, joint: lap, compare: lap, knots: 20}
  - identify_density: {from: stepped_sine, joint: lap, loops: hysteresis, window: [0, 2.2e-5], rest: spring, tolerance: 0.012}
YAML
} >loops.yaml
report "loops by two methods" "$(run_study loops --figures)"
level() { cells loops/tables/identify_density_levels.csv "$1" "$2"; }
for i in 0 1 2 3; do
  within "loops: loop $i agrees, to the stiffness that is missing before the first knot" "$(level $i difference)" 1e-6 0.006
  near "loops: and its loss" "$(level $i predicted)" "$(level $i loss)" 0.03
done
for i in 4 5; do within "loops: loop $i does not" "$(level $i difference)" 0.03 1; done
near "loops: the fourth is the last that does" "$(analysis loops identify_density .loops.trusted_amplitude)" "$(level 3 amplitude)" 1e-12
near "loops: f* = K_T A" "$(analysis loops identify_density .loops.trusted_force)" \
  "$(awk -v A="$(level 3 amplitude)" 'BEGIN { printf "%.12g", 3.7e6*A }')" 1e-9
same "loops: sorted" "$(for i in 0 1 2 3 4 5; do level $i source; done | tr '\n' ' ')" "t20 t35 t60 t150 t320 t500 "
near "six: losses of the six loops are the joint's own" "$(analysis loops six '1 + .loss_difference')" 1 2e-3
within "six: and so is their density" "$(analysis loops six .density_difference)" 0 0.04
check "loops: a picture" xmllint --noout loops/figures/identify_density-2.svg

# ---- another preload: three blocks, two, one, with the stiffness of the literature ----
sed '/name: known/d; s/name: plain, /&preloads: {from: 205.9, to: [68.6, 137.3], stiffness: {load: [68.6, 137.3, 205.9], values: [4.90, 8.71, 11.02]}}, /' \
  table.yaml >preload.yaml
report "preloads: a study runs" "$(run_study preload --figures)"
near "preloads: ratio of trusted amplitudes" "$(analysis preload plain .preloads[0].amplitude_ratio)" \
  "$(awk 'BEGIN { printf "%.12g", 68.6/205.9*11.02/4.90 }')" 1e-9
near "preloads: which is 0.75" "$(analysis preload plain .preloads[0].amplitude_ratio)" 0.75 2e-3
near "preloads: trusted to" "$(analysis preload plain .preloads[0].trusted_to)" \
  "$(analysis preload plain '.trusted.to*68.6/205.9*11.02/4.90')" 1e-12
near "preloads: trusted force" "$(analysis preload plain .preloads[0].trusted_force)" \
  "$(analysis preload plain '.trusted.force*68.6/205.9')" 1e-12
# Slip displacements times 68.6/205.9 11.02/4.90; slider for slider stiffness 4.90/11.02, and strength 68.6/205.9.
moments() { # CSV: sums of stiffness and of strength, by the trapezoidal rule in rows
  awk -F, 'NR > 1 { K += $3; F += $3*$1 } NR > 2 { K += ($2 + rho)/2*($1 - phi); F += ($2 + rho)/2*($1 - phi)*($1 + phi)/2 }
    { phi = $1; rho = $2 } END { printf "%.12g %.12g", K, F }' "$1"
}
for load in 68.6:4.90 137.3:8.71; do
  report "preloads: stiffness and strength at ${load%:*} N" "$(off "$(moments "preload/tables/plain_at_${load%:*}.csv")" \
    "$(moments preload/tables/plain_density.csv | awk -v N="${load%:*}" -v k="${load#*:}" '{ printf "%.12g %.12g", $1*k/11.02, $2*N/205.9 }')" 1e-9)"
done

# ---- refusals ----

bad() { # OPTIONS WORDS
  sed "/^analyses/,\$d" study.yaml >bad.yaml
  printf 'analyses:\n  - modes\n  - %s\n  - identify_density: {%s}\n' "$tracked" "$1" >>bad.yaml
  refused_bad "$2"
}
bad 'joint: lap' 'one of file|from'
bad 'from: stepped_sine' 'say which with joint'
bad 'from: modes, joint: lap' "'modes' is a modes; name a stepped_sine or frequency_response or hysteresis or force_state"
bad 'from: stepped_sine, joint: lab' "did you mean 'lap'"
bad 'from: stepped_sine, joint: lap, rest: gone' "none of slips"
bad 'from: stepped_sine, joint: lap, level: 1' 'level must be > 0 and < 1, not 1'
bad 'from: stepped_sine, joint: lap, knots: 4' 'knots'
bad 'from: stepped_sine, joint: lap, loops: stepped_sine' "'stepped_sine' is a stepped_sine; name a hysteresis or force_state"
bad 'from: stepped_sine, joint: lap, preloads: {from: 3}' "needs 'to'"
bad 'from: stepped_sine, joint: lap, preloads: {from: 3, to: -1}' 'must be > 0'
bad 'from: stepped_sine, joint: lap, preloads: {from: 3, to: [2.5, 4, 2.5]}' 'preloads 2.5 and 2.5 are the same'
bad 'from: stepped_sine, joint: lap, preloads: {from: 3, to: [1000001, 1000002]}' 'same to six digits'
bad 'from: stepped_sine, joint: lap, mode: 2' 'stepped_sine has no mode 2'
bad 'from: stepped_sine, joint: lap, tolerance: 0.1' 'tolerance does nothing without loops'
bad 'from: stepped_sine, joint: lap, columns: {loss: D}' 'columns does nothing without file'
bad 'from: stepped_sine, joint: lap, preloads: {from: 3, to: 2, stiffness: linear}' 'linear|proportional'
bad 'file: losses.csv' "no column 'amplitude'|columns"
bad 'file: losses.csv, columns: {amplitude: A, loss: D}' "column 'A' is in [mm]"
printf 'amplitude,loss\n1,2\n1,3\n2,4\n' >twice.csv
bad 'file: twice.csv' 'stands twice'
bad 'file: losses.csv, columns: {amplitude: A, loss: D, deviation: error}, noise: 0.01' 'deviations or noise'
deviations() { # HEADING FIRST-CELL WORDS
  { echo "amplitude,loss,$1"; echo "1,2,$2"; printf '%s\n' 3,7,0.1 4,9,0.1 5,12,0.2 6,17,0.2 8,31,0.3; } >deviations.csv
  bad 'file: deviations.csv' "$3"
}
deviations deviation '' "deviations.csv:2: column 'deviation' has '' instead of a number"
deviations 'Deviation' 0.1 "column 'Deviation' is not 'deviation'"
deviations 'deviation (J)' 0.1 "column 'deviation (J)' is not 'deviation'"
# losses FILE FIRST-ROW [HEADINGS]: six rows.
losses() { { echo "${3:-amplitude,loss}"; echo "$2"; printf '%s\n' 3,7 4,9 5,12 6,17 8,31; } >"$1"; }
losses negative.csv -1,2
bad 'file: negative.csv' 'negative.csv:2: the amplitude must be positive'
deviations deviation 0 'deviations.csv:2: the deviation must be positive'
losses six.csv 1,2 'amplitude,loss [N m]'
bad 'file: six.csv, window: [2, 9]' '5 losses; a density needs six'
bad 'file: six.csv, mode: 1' 'mode is that of a stepped_sine'
bad 'file: six.csv, rest: spring' 'rest does nothing without stiffness'
sed -i 's/N m/N mm/' six.csv
bad 'file: six.csv' "is in [N mm]"
sed -i 's/N mm/N m/' six.csv
printf 'microslip: 1\nanalyses:\n  - identify_density: {file: six.csv}\n' >six.yaml
report "six losses in N m, which is J" "$(run_study six)"

finish
