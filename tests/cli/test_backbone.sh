#!/bin/bash
# Analysis backbone on the three masses: qsma against reference values, methods against each other,
# derivatives against differences, amplitudes at a sensor, partial curves, complaints, resuming.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"

# pick FOLDER MODE METHOD NAME: the values of a curve, one a line
pick() { values "$1/tables/backbone.csv" "$4" "$2" "$3"; }

# given_up TEXT NAME: the study runs to its end, and says that a curve was given up
given_up() {
  "$microslip" run "$2.yaml" --out "$2" >"$2.out" 2>&1
  same "$1: exit code" "$?" 1
  same "$1: status" "$(jq -r '.status, .analyses[-1].status' "$2/summary.json" | sort -u)" partial
}

head_of_study='microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:'

# ---- qsma at amplitudes of a reference computed elsewhere: q, omega, zeta_joint ----
reference='1.000000000e-02 1.215632851e+00 1.074607218e-05
2.652948464e-01 1.215419780e+00 5.541931308e-05
7.038135555e+00 1.214318028e+00 2.873101095e-04
1.867181091e+02 1.190235781e+00 5.346568914e-03
4.953535209e+03 1.184076159e+00 2.579890873e-04
1.000000000e+05 1.183846217e+00 1.288482364e-05'
{
  echo "$head_of_study"
  echo "  - backbone: {modes: [2], methods: qsma, amplitudes: [$(cut -d' ' -f1 <<<"$reference" | paste -sd,)]}"
} >reference.yaml
check "qsma at the reference's amplitudes: runs" "$microslip" run reference.yaml --out reference
i=0
while read -r q omega zeta; do
  i=$((i + 1))
  near "qsma, q = $q: omega" "$(pick reference 2 qsma omega | sed -n ${i}p)" "$omega" 1e-8
  near "qsma, q = $q: zeta of the joint" "$(pick reference 2 qsma zeta_joint | sed -n ${i}p)" "$zeta" 1e-8
done <<<"$reference"
same "its losses are of the joints' own cycles" "$(pick reference 2 qsma loss | sort -u)" 'own cycles'

# ---- the methods against each other ----
cat >all.yaml <<END_STUDY
$head_of_study
  - modal_ringdown:
      levels: {1: [20, 7, 2], 2: [9, 3, 0.8], 3: [12, 2, 0.38]}
      time: {step: 0.02, steps: 60000}
  - sweep:
      {mode: 2, at: u3, levels: [0.1], from: 0.188, to: 0.1985, duration: 20000, step: 0.13,
       method: exponential, directions: [up]}
  - backbone:
      methods: [qsma, rqnm, epmc, ringdown_hilbert, ringdown_stft, sweep, stepped_sine]
      sensor: u2
      sensitivities: true
END_STUDY
check "all methods: runs" "$microslip" run all.yaml --out all --threads 2
columns=mode,method,q,omega,zeta,zeta_joint,zeta_viscous,sensor,sensor_displacement,sensor_velocity
columns+=,sensor_acceleration,residual,quality,loss,harmonics,time_points,status
same "columns" "$(head -n 1 all/tables/backbone.csv | sed 's/ \[[^]]*\]//g')" "$columns"
same "whole rows of finite numbers" "$(awk -F, 'NR == 1 { n = NF; next } NF != n || /nan|inf/' all/tables/backbone.csv)" ''
same "curves: each mode and method" "$(awk -F, 'NR > 1 { print $1, $2, $4 }' all/tables/backbone_curves.csv)" \
  "$(for m in 1 2 3; do for k in qsma rqnm epmc ringdown_hilbert ringdown_stft sweep stepped_sine; do
    [[ $k == sweep && $m != 2 ]] && echo "$m $k partial" || echo "$m $k complete"; done; done)"
# worst NAME MODE METHOD OTHER LOW HIGH: largest relative difference of a column, at amplitudes that both
# have, between LOW and HIGH
worst() {
  paste <(pick all "$2" "$3" q) <(pick all "$2" "$3" "$1") <(pick all "$2" "$4" q) <(pick all "$2" "$4" "$1") |
    awk -v a="$5" -v b="$6" '$1 >= a && $1 <= b { d = $1/$3 - 1; if (d > 1e-9 || d < -1e-9) print "amplitudes " $1 " " $3
      e = $2/$4 - 1; if (e < 0) e = -e; if (e > w) w = e; n++ } END { if (n > 5) printf "%.3g\n", w }'
}
# Joint damping at small amplitude: up to a tenth of the amplitude at which all of the joint slips.
for row in '1 27.1' '2 4.18' '3 3.17'; do
  read -r mode small <<<"$row"
  within "mode $mode, q up to $small: zeta_joint of qsma and epmc" "$(worst zeta_joint "$mode" qsma epmc 0 "$small")" 1e-12 0.01
  within "mode $mode, q up to $small: zeta_joint of rqnm and epmc" "$(worst zeta_joint "$mode" rqnm epmc 0 "$small")" 1e-12 0.001
  within "mode $mode, q up to $small: omega of qsma and epmc" "$(worst omega "$mode" qsma epmc 0 "$small")" 1e-12 2e-5
  within "mode $mode, q up to $small: zeta of stepped_sine and epmc" "$(worst zeta "$mode" stepped_sine epmc 0 "$small")" 0 1e-5
done
# Where the shortcut fails: slipping altogether, the stuck shape of mode 3 is 12 to 15 % off.
within "mode 3, macroslip: zeta_joint of qsma and epmc" "$(worst zeta_joint 3 qsma epmc 35 1e9)" 0.10 0.20
within "mode 3, macroslip: zeta_joint of rqnm and epmc" "$(worst zeta_joint 3 rqnm epmc 35 1e9)" 1e-4 0.012

# Total damping in microslip: every row of a ring-down but three at each end of a run, where the fit is of
# first order, against epmc at that amplitude, interpolated in logarithms.
decay() { # MODE: largest and median relative difference, number of rows
  paste -d, <(pick all "$1" epmc q) <(pick all "$1" epmc zeta) >epmc.csv
  awk -F, -v m="$1" '
    FILENAME == "epmc.csv" { Q[++n] = log($1); Z[n] = log($2); next }
    FNR > 1 && $1 == m { if ($2 != source) { source = $2; runs++ } row[runs, ++rows[runs]] = $4 " " $6 }
    END { for (r = 1; r <= runs; r++) for (i = 4; i <= rows[r] - 3; i++) {
        split(row[r, i], x, " "); q = log(x[1]); for (k = 1; k < n - 1 && Q[k + 1] < q; k++) {}
        e = x[2]/exp(Z[k] + (q - Q[k])*(Z[k + 1] - Z[k])/(Q[k + 1] - Q[k])) - 1; print e < 0 ? -e : e } }
    ' epmc.csv all/tables/modal_ringdown.csv | sort -g | awk '{ e[NR] = $1 } END { printf "%.3g %.3g %d\n", e[NR], e[int((NR + 1)/2)], NR }'
}
for mode in 1 2 3; do
  read -r largest median rows <<<"$(decay $mode)"
  within "mode $mode: zeta of ring-downs and epmc, $rows rows: median" "$median" 1e-9 0.001
  within "mode $mode: zeta of ring-downs and epmc, $rows rows: largest" "$largest" 1e-9 0.005
done
difference() { values all/tables/backbone_differences.csv "$3" "$1" "$2" | sed 's/^-//'; } # MODE METHOD COLUMN
same "differences: of every curve with points but the reference" \
  "$(awk -F, 'NR > 1 { n[$1]++ } END { print n[1], n[2], n[3] }' all/tables/backbone_differences.csv)" '5 6 5'
for mode in 1 2 3; do
  within "differences: mode $mode, ringdown_hilbert, zeta: median" "$(difference $mode ringdown_hilbert zeta_median)" 1e-9 0.002
  within "differences: mode $mode, ringdown_stft, zeta: median" "$(difference $mode ringdown_stft zeta_median)" 1e-9 0.005
  near "differences: mode $mode, qsma, zeta_joint: largest" "$(difference $mode qsma zeta_joint_max)" \
    "$(worst zeta_joint $mode qsma epmc 0 1e9)" 1e-2
done
within "differences: mode 2, sweep, omega" "$(difference 2 sweep omega_max)" 0 1e-3
same "sweeps that were too fast are named" "$(awk -F, '$1 == 2 && $2 == "sweep" { print $12 }' all/tables/backbone_curves.csv)" \
  '1 of 1 sweeps were too fast for this damping'
# A resonance that bends by less than its width, swept slowly, is seen as it is.
{
  echo "${head_of_study/modal: 1e-4/modal: 2e-3}"
  echo '  - sweep: {name: slow, at: u3, mode: 2, levels: 0.1, from: 0.188, to: 0.1985, duration: 60000, step: 0.13, method: exponential}'
  echo '  - backbone: {modes: [2], methods: [epmc, sweep], sweeps: [slow]}'
} >sweep.yaml
check "a slow sweep: runs" "$microslip" run sweep.yaml --out sweep
slow() { values sweep/tables/backbone_differences.csv "$1" | sed 's/^-//'; }
within "a slow sweep: omega" "$(slow omega_max)" 0 1e-4
# What the rate adds has the other sign on the way down: little is left in the median of the two.
within "a slow sweep: zeta, worse of up and down" "$(slow zeta_max)" 0 0.02
within "a slow sweep: zeta, mean of up and down" "$(slow zeta_median)" 0 4e-3

# ---- amplitudes at the sensor: at small amplitude the stuck shape, 0.0871 at u2 in mode 2 ----
for method in qsma rqnm epmc ringdown_hilbert stepped_sine; do
  near "$method: displacement at the sensor over q" "$(paste <(pick all 2 $method sensor_displacement) <(pick all 2 $method q) |
    awk 'NR == 1 { printf "%.9f", $1/$2 }')" 0.08708 2e-3
done
# Just before all of the joint slips the shape is another one, 1 % off here; those that let it change see the same.
top() { paste <(pick all 2 "$1" q) <(pick all 2 "$1" sensor_displacement) | awk '$1 < 41 { x = $2/$1 } END { print x }'; }
within "q = 39: the sensor by epmc over that of the stuck shape" "$(awk -v x="$(top epmc)" 'BEGIN { print x/0.0870867 }')" 1.01 1.05
for method in rqnm stepped_sine; do near "q = 39: the sensor by $method and by epmc" "$(top $method)" "$(top epmc)" 5e-4; done

# ---- derivatives at fixed amplitude against central differences of two runs ----
# Relative; a derivative that vanishes (of omega by chi in macroslip) to 1e-11 of omega over the parameter.
{
  echo "$head_of_study"
  echo '  - backbone: {modes: [2, 3], methods: [qsma], amplitudes: [0.137, 3.1, 27.9, 183], sensitivities: true}'
} >slope.yaml
check "derivatives: runs" "$microslip" run slope.yaml --out slope
same "derivatives: columns without a meaning" "$(without_meaning slope)" ''
points() { awk -F, 'NR > 1 { print $1, $3, $4, $6 }' "$1/tables/backbone.csv"; }
while read -r name value step; do
  for way in less more; do
    x=$(awk -v v="$value" -v h="$step" -v s="$way" 'BEGIN { printf "%.17g", s == "more" ? v + h : v - h }')
    "$microslip" run slope.yaml --set "joints.lap.$name=$x" --out $way >/dev/null || report "runs with $name = $x" failed
  done
  said=$(paste -d' ' <(points less) <(points more) <(awk -F, -v p="$name" 'NR > 1 && $5 == p { print $8, $9 }' \
    slope/tables/backbone_sensitivities.csv) | awk -v h="$step" -v p="${value#-}" '
      function worse(d, exact, size,   e) { e = d - exact; if (e < 0) e = -e; return e/((exact < 0 ? -exact : exact) + 1e-5*size) }
      { e = worse(($7 - $3)/(2*h), $9, $3/p); if (e > o) o = e; e = worse(($8 - $4)/(2*h), $10, $4/p); if (e > z) z = e }
      END { printf "omega %.2g, zeta_joint %.2g, %d points (1e-6)\n", o, z, NR; exit !(NR == 8 && o <= 1e-6 && z <= 1e-6) }') || fault=1
  report "derivatives by $name against differences: $said" "${fault:+$said}"
  fault=
done <<'END'
F_S 10 1e-3
K_T 1 1e-4
chi -0.5 1e-4
beta 5 1e-3
END
same "all are exact" "$(awk -F, 'NR > 1 { print $11 }' slope/tables/backbone_sensitivities.csv | sort -u)" exact

# ---- the report says how each curve was made ----
for words in '7 harmonics, 512 time points, tolerance 1e-10' 'worst_residual' 'no sweep has a resonance of this mode' \
  'mode 1 by sweep: no sweep has a resonance' 'differences from the reference method' 'quasi-static modal analysis'; do
  report "report.html has '$words'" "$(grep -qF -- "$words" all/report.html || echo missing)"
done
same "frequency and damping of each mode, and those of the others" "$(grep -cE '"title": "Mode [123], (frequency|damping)"' all/report.html)" 14
json='.analyses[] | select(.kind == "backbone")'
same "summary: reference, partial curves" "$(jq -c "$json | [.reference, .partial]" all/summary.json)" '["epmc",2]'
same "summary: residuals are within the tolerances" \
  "$(jq -c "$json | [.curves[] | select(.tolerance) | .worst_residual <= .tolerance] | [all, length]" all/summary.json)" '[true,12]'

# ---- curves that cannot go on: a spring that softens until the mode has no frequency, and one without a
# first point ----
{
  sed 's/  lap: .*/  lap: {law: cubic, between: [u2, u3], K: 1, K3: -0.2385}/' <<<"$head_of_study"
  echo '  - backbone: {modes: [2], methods: [qsma], amplitudes: {from: 0.1, to: 1000, points: 21}}'
} >soft.yaml
given_up "a spring that softens" soft
rows=$(pick soft 2 qsma q | wc -l)
within "... is kept as far as it goes, rows" "$rows" 3 20
same "... every row says so" "$(pick soft 2 qsma status | sort -u)" partial
report "... and why: $(jq -r '.analyses[0].curves[0].remark' soft/summary.json)" \
  "$(jq -r '.analyses[0].curves[0].remark' soft/summary.json | grep -q "level $((rows + 1)) of 21" || echo "no level $((rows + 1)) of 21")"
{
  echo "$head_of_study"
  echo '  - backbone: {modes: [2], methods: [epmc], amplitudes: {from: 0.1, to: 100, points: 7}, tolerance: 1e-30}'
} >partial.yaml
given_up "a tolerance that cannot be met" partial
same "... and says so" "$(jq -c "$json | [.partial, .curves[0].status, (.curves[0].remark | length > 10)]" partial/summary.json)" '[1,"partial",true]'
report "... in the report" "$(grep -q '<b>partial</b> mode 2 by epmc' partial/report.html || echo missing)"

# ---- preload: the joint starts from where the force left it ----
{
  echo "$head_of_study"
  echo '  - backbone: {modes: [2], methods: [qsma, epmc], amplitudes: [0.5, 2], preload: {u3: 2.385}}'
} >preload.yaml
check "a preload: runs" "$microslip" run preload.yaml --out preload
same "its losses are cycled" "$(pick preload 2 qsma loss | sort -u)" cycled
for i in 1 2; do
  near "... and agree with epmc" "$(pick preload 2 qsma zeta_joint | sed -n ${i}p)" "$(pick preload 2 epmc zeta_joint | sed -n ${i}p)" 0.01
done

# ---- a contact that only the preload closes ----
for N_0 in 0 1.07; do
  cat >held.yaml <<END
microslip: 1
structure:
  chain:
    masses: {x: 1.31, y: 1.31, n: 1.31}
    springs: [[ground, x, 121], [ground, y, 137]]
joints:
  c: {law: contact3d, between: [[ground, ground, ground], [x, y, n]], mu: 0.3, K_n: 2.4e4, K_t: 1.1e4, N_0: $N_0}
analyses:
  - backbone: {modes: [1], methods: [qsma], preload: {n: 5.03}, amplitudes: [1.3e-6, 2.7e-6]}
END
  check "N_0 = $N_0: held by the preload" "$microslip" run held.yaml --out "held$N_0"
  near "... stuck" "$(pick "held$N_0" 1 qsma omega | sed -n 1p)" 92.137468 1e-7 # sqrt(11121/1.31)
done

# ---- stepped sine from one place: other modes move a little, too ----
{
  echo "$head_of_study"
  echo '  - backbone: {modes: [2], methods: [epmc, stepped_sine], amplitudes: [0.5, 2], at: {u1: -2.385}, harmonics: 3, times: 256}'
} >place.yaml
check "a force on one mass: runs" "$microslip" run place.yaml --out place
for i in 1 2; do
  near "... zeta" "$(pick place 2 stepped_sine zeta | sed -n ${i}p)" "$(pick place 2 epmc zeta | sed -n ${i}p)" 1e-3
done
same "... harmonics and time points in every row" "$(awk -F, 'NR > 1 { print $15, $16 }' place/tables/backbone.csv | sort -u)" '3 256'

# ---- a curve that folds: every crossing is kept, and no amplitude is lost for it ----
chain='microslip: 1
structure:
  chain:
    masses: {u1: 1, u2: 2, u3: 1.5}
    springs: [[ground, u1, 400], [u1, u2, 300], [u2, u3, 500]]
  damping: {modal: 0.002}'
cat >fold.yaml <<YAML
$chain
joints:
  j0: {law: dahl, between: [u3, ground], F_c: 1, sigma_0: 300}
analyses:
  - backbone: {modes: [1], methods: [qsma, epmc, stepped_sine], reference: stepped_sine, amplitudes: {from: 1e-4, to: 0.1, points: 12}}
YAML
check "a fold: runs" "$microslip" run fold.yaml --out fold
state() { # FOLDER METHOD KEY
  jq -r --arg m "$2" ".analyses[-1].curves[] | select(.method == \$m) | .$3" "$1/summary.json"
}
same "... every amplitude is met" "$(pick fold 1 stepped_sine q | awk '{ printf "%.5g\n", $1 }' | sort -gu)" \
  "$(pick fold 1 qsma q | awk '{ printf "%.5g\n", $1 }')"
same "... two of them three times" "$(pick fold 1 stepped_sine q | awk '{ printf "%.5g\n", $1 }' | uniq -c | awk '$1 > 1 { print $1 }' | tr '\n' ' ')" '3 3 '
same "... the curve is complete" "$(state fold stepped_sine status)" complete
same "... its remark says so" "$(state fold stepped_sine remark)" 'the curve folds: 2 of 12 amplitudes are met more than once'
near "... and goes to the end" "$(state fold stepped_sine q_to)" 0.1 1e-12
# qsma against the first passage, at the same amplitudes: differences without interpolation
reference_max=$(paste <(pick fold 1 qsma omega) <(paste <(pick fold 1 stepped_sine q | awk '{ printf "%.5g\n", $1 }') \
  <(pick fold 1 stepped_sine omega) | awk '!seen[$1]++ { print $2 }') |
  awk '{ d = $1/$2 - 1; if (d*d > m*m) m = d } END { printf "%.12g", m }')
near "... others are compared with the first passage" \
  "$(awk -F, '$2 == "qsma" { print $5 }' fold/tables/backbone_differences.csv)" "$reference_max" 1e-6
same "... at every amplitude" "$(awk -F, '$2 == "qsma" { print $10 }' fold/tables/backbone_differences.csv)" 12

# ---- amplitudes about a fold: the same of them are met, and as often, however fine the time points ----
for times in 256 512; do
  cat >dense.yaml <<YAML
${chain/0.002/0.02}
joints: {lap: {law: jenkins, between: [u2, ground], F_S: 2, K_T: 800}}
analyses:
  - backbone: {modes: [1], methods: [epmc], times: $times, amplitudes: {from: 1e-3, to: 1, points: 400}}
YAML
  check "a fold, $times time points: runs" "$microslip" run dense.yaml --out dense
  same "... complete" "$(state dense epmc status)" complete
  same "... and folds" "$(state dense epmc remark)" 'the curve folds: 45 of 400 amplitudes are met more than once'
done

# ---- joints that lose nothing: no joint part to compare ----
cat >linear.yaml <<YAML
$chain
joints:
  s: {law: linear, between: [u2, u3], K: 200}
analyses:
  - backbone: {methods: [qsma, rqnm, epmc], amplitudes: {from: 1e-6, to: 1, points: 4}}
YAML
check "nothing lost: runs" "$microslip" run linear.yaml --out linear
same "... no joint part is compared" "$(awk -F, 'NR > 1 { print $8, $9, $11 }' linear/tables/backbone_differences.csv | sort -u)" '0 0 0'
same "... nor in the summary" "$(jq '[.analyses[-1].differences[] | has("zeta_joint_max"), .joint_points] | unique' -c linear/summary.json)" '[false,0]'

# ---- two equal modes: each is what it would be without the other ----
pair() { # MASSES SPRINGS JOINT
  cat <<YAML
microslip: 1
structure:
  chain: {masses: {$1}, springs: [$2]}
  damping: {modal: 0.0023}
joints: {lap: {$3}}
analyses:
  - backbone: {methods: [epmc, stepped_sine], amplitudes: {from: 1e-3, to: 0.9, points: 5}}
YAML
}
pair 'x: 1.3' '[ground, x, 400]' 'law: jenkins, between: [ground, x], F_S: 1.1, K_T: 213' >alone.yaml
pair 'x: 1.3, y: 1.3' '[ground, x, 400], [ground, y, 613]' \
  'law: jenkins, between: [ground, x], F_S: 1.1, K_T: 213' >one.yaml
pair 'x: 1.3, y: 1.3' '[ground, x, 400], [ground, y, 400]' \
  'law: jenkins2d, between: [[ground, ground], [x, y]], F_S: 1.1, K_T: 213' >both.yaml
for study in alone one both; do
  check "equal modes, $study: runs" "$microslip" run $study.yaml --out $study
  same "... all complete" "$(jq -r '.analyses[0].curves[].status' $study/summary.json | sort -u)" complete
done
worst() { # FOLDER MODE METHOD NAME: largest relative distance from the oscillator alone
  paste <(pick "$1" "$2" "$3" "$4") <(pick alone 1 "$3" "$4") |
    awk 'NF == 2 { d = $1/$2 - 1; if (d < 0) d = -d; if (d > m) m = d; n++ } END { if (n == 5) print m + 0 }'
}
for name in omega zeta; do
  for method in epmc stepped_sine; do
    within "equal modes, slip circle: $method, $name of mode 1" "$(worst both 1 $method $name)" 0 1e-8
    within "equal modes, slip circle: $method, $name of mode 2" "$(worst both 2 $method $name)" 0 1e-8
  done
  joined=$(worst one 1 epmc $name) plain=2
  [[ $(awk -v m="$joined" 'BEGIN { print m > 0.01 }') == 1 ]] && plain=1 joined=$(worst one 2 epmc $name)
  within "equal modes, one with the joint: $name of that" "$joined" 0 1e-8
done
for i in 1 5; do
  near "equal modes, one with the joint: omega of the other" "$(pick one $plain epmc omega | sed -n ${i}p)" "$(awk 'BEGIN { printf "%.15g", sqrt(613/1.3) }')" 1e-12
  near "equal modes, one with the joint: zeta of the other" "$(pick one $plain epmc zeta | sed -n ${i}p)" 0.0023 1e-10
done

# ---- a curve without any point still says how it was sought ----
{
  echo "$head_of_study"
  echo '  - backbone: {modes: [2], methods: [epmc], amplitudes: [0.5, 2], harmonics: 3, times: 256, tolerance: 1e-19}'
} >none.yaml
given_up "no point" none
same "... points, harmonics, time points, tolerance" \
  "$(awk -F, 'NR > 1 { print $3, $4, $5, $6, $7 }' none/tables/backbone_curves.csv)" '0 partial 3 256 1e-19'

# ---- complaints ----
broken() { # TEXT OPTIONS COLUMN WORD...
  { echo "$head_of_study"; echo "  - backbone: {$2}"; } >broken.yaml
  refused_at "$1" broken.yaml "$3" "${@:4}"
}
broken "a mode that does not exist" 'modes: [1, 4]' 10:24 'there is no mode 4; modes are 1 to 3'
broken "a method that does not exist" 'methods: [qsma, epcm]' 10:32 "methods 'epcm' is none of qsma, rqnm, epmc"
broken "a method twice" 'methods: [qsma, qsma]' 10:32 'methods has an entry twice'
broken "no method" 'methods: []' 10:16 'methods is an empty list'
broken "a ring-down that is not there" 'methods: [ringdown_stft]' 10:5 'needs an analysis of kind modal_ringdown'
broken "a sweep that is not there" 'methods: [sweep], sweeps: [up]' 10:43 "called 'up'"
broken "a reference that is not computed" 'reference: rqnm' 10:27 'rqnm is not among the methods'
broken "amplitudes that fall" 'amplitudes: [1, 0.5]' 10:29 'must be > 0 and rise'
broken "a range that falls" 'amplitudes: {from: 2, to: 1}' 10:42 'to must be above from'
broken "amplitudes of another mode" 'modes: [2], amplitudes: {1: [1, 2]}' 10:41 'amplitudes for mode 1'
broken "too few time points" 'harmonics: 9, times: 39' 10:37 'too few for 9 harmonics; at least 40'
broken "sensitivities without qsma" 'methods: [epmc], sensitivities: true' 10:48 "qsma's"
broken "a preload for a method without" 'methods: [rqnm], preload: {u1: 2.4}' 10:43 'rqnm knows no preload'
broken "a sensor on the ground" 'sensor: ground' 10:24 'the ground does not move'
{ sed '/^joints/,/lap/d' <<<"$head_of_study"; echo '  - backbone'; } >broken.yaml
refused_at "amplitudes where nothing slips" broken.yaml 8:5 'give amplitudes'
{ echo "${head_of_study/\[ground, u1, 9\], /}"; echo '  - backbone: {modes: [1]}'; } >broken.yaml
refused_at "a rigid-body mode" broken.yaml 10:24 'mode 1 is a rigid-body mode'
sed 's/, \[u2, u3, 9\]//; s/  lap: .*/  lap: {law: coulomb_viscous, between: [u2, u3], F_c: 1, v_s: 0.01, C: 0.1}/' <<<"$head_of_study" >broken.yaml
echo '  - backbone: {modes: [2], amplitudes: {from: 1, to: 2}}' >>broken.yaml
"$microslip" check broken.yaml >out 2>error
report "a joint without stiffness: $(head -n 1 error)" "$(grep -q 'broken.yaml:10:' error || cat error)"

# Friction by velocity alone, also beside a law that sticks, has no quasi-static mode; it has others.
for law in 'coulomb, F_c: 1, v_s: 0.01' 'coulomb_viscous, F_c: 1, v_s: 0.01, C: 0.1' 'stribeck, F_c: 1, F_s: 1.4, v_s: 0.01, v_st: 0.1, C: 0.1'; do
  for methods in '[qsma]' '[epmc, rqnm]'; do
    sed "s/  lap: .*/  lap: {law: $law, between: [u2, u3]}/" <<<"$head_of_study" >broken.yaml
    echo "  - backbone: {methods: $methods, modes: [2], amplitudes: {from: 1, to: 2}}" >>broken.yaml
    refused_at "$methods with ${law%%,*}" broken.yaml 10:26 'depends on the velocity alone'
  done
  sed -i 's/methods: .*, modes/methods: [epmc, stepped_sine], modes/' broken.yaml
  report "epmc with ${law%%,*} is not refused" "$("$microslip" check broken.yaml 2>&1 >/dev/null)"
done
# Amplitudes are looked at before anything is solved: the joint here would be refused by that.
sed 's/  lap: .*/  lap: {law: coulomb, between: [u2, u3], F_c: 1, v_s: 0.01}/' <<<"$head_of_study" >broken.yaml
echo '  - backbone: {methods: [qsma], modes: [2], amplitudes: [1]}' >>broken.yaml
refused_at "one amplitude" broken.yaml 10:58 'a curve needs two amplitudes'

# ---- damping ratios above 1: default amplitudes end before, others make the analysis suspect ----
weak() { # OPTIONS
  cat <<YAML
microslip: 1
structure: {chain: {masses: {u: 1.3}, springs: [[ground, u, 0.047]]}, damping: {modal: 0.017}}
joints: {lap: {law: jenkins, between: [ground, u], F_S: 2.9, K_T: 2100}}
analyses:
  - backbone: {methods: [epmc], times: 128$1}
YAML
}
weak '' >weak.yaml
check "a joint that holds almost all: runs" "$microslip" run weak.yaml --out weak
within "... amplitudes end where damping does, zeta" "$(pick weak 1 epmc zeta | tail -n 1)" 0.5 1
same "... complete" "$(jq -r '.status' weak/summary.json)" complete
report "... with a note" "$(jq -r '.analyses[0].notes[0]' weak/summary.json | grep -q 'default amplitudes end here' || jq .analyses[0] weak/summary.json)"
weak ', amplitudes: [0.001, 0.0157]' >asked.yaml
check "asked for: runs" "$microslip" run asked.yaml --out asked
within "... and is there, zeta" "$(pick asked 1 epmc zeta | tail -n 1)" 1 3
same "... suspect" "$(jq -r '.status' asked/summary.json)" suspect
report "... with the reason" "$(jq -r '.analyses[0].reasons[0]' asked/summary.json | grep -q 'damping ratio is above 1' || jq .analyses[0] asked/summary.json)"

# ---- a mode at three times the frequency: what the third harmonic does to it, qsma does not see ----
tuned() { # STIFFNESS
  cat <<YAML
microslip: 1
structure: {chain: {masses: {u: 1, v: 1}, springs: [[ground, u, $1], [u, v, 1177.12434]]}}
joints: {lap: {law: iwan4, between: [ground, u], F_S: 2.9, K_T: 1000, chi: -0.3, beta: 1.7}}
analyses:
  - backbone: {methods: [qsma], modes: [1], amplitudes: [1.3e-5, 3.1e-5]}
YAML
}
tuned 6645.75131 >tuned.yaml
tuned 6345.75131 >apart.yaml # 1.2 % away
check "a mode at three times the frequency: runs" "$microslip" run tuned.yaml --out tuned
check "a mode beside it: runs" "$microslip" run apart.yaml --out apart
same "... one note, of qsma" "$(jq -r '.analyses[0].notes[]' tuned/summary.json | grep -c 'mode 2 lies at 3.0000 times')" 1
same "... none beside it" "$(jq -r '.analyses[0].notes[]?' apart/summary.json | grep -c 'lies at')" 0

# ---- a joint that conserves energy has no part in the damping, however few the time points ----
cat >gap.yaml <<'YAML'
microslip: 1
structure:
  chain:
    masses: {u1: 1, u2: 2, u3: 1.5}
    springs: [[ground, u1, 400], [u1, u2, 300], [u2, u3, 500]]
  damping: {modal: 0.002}
joints: {stop: {law: gap, between: [u2, ground], K: 8000, g_plus: 0.01, g_minus: 0.03}}
analyses:
  - backbone: {methods: [epmc], modes: [1], times: 32, amplitudes: {from: 0.003, to: 0.3, points: 9}}
YAML
"$microslip" run gap.yaml --out gap >/dev/null 2>&1
same "a stop: its part of the damping" "$(pick gap 1 epmc zeta_joint | sort -u)" 0
report "... too few time points are said" "$(jq -r '.analyses[0].reasons[]?' gap/summary.json |
  grep -q 'joints that conserve energy' || jq .analyses[0] gap/summary.json)"
report "... and amplitudes beyond the fold" "$(jq -r '.analyses[0].notes[]?' gap/summary.json |
  grep -q '5 of 9 amplitudes are not met, there is nothing beyond' || jq .analyses[0] gap/summary.json)"

# ---- joints that are not odd: the joint drawn the other way gives the same curve, and a remark ----
cat >odd.yaml <<'EOF'
microslip: 1
structure: {chain: {masses: {u1: 1.3}, springs: [[ground, u1, 407]]}, damping: {modal: 0.01}}
joints:
  g: {law: gap, between: [ground, u1], K: 811, g_plus: 0.013, g_minus: 1.7}
analyses:
  - backbone: {methods: [rqnm], amplitudes: [0.005, 0.02, 0.05]}
EOF
"$microslip" run odd.yaml --out odd >/dev/null
"$microslip" run odd.yaml --set 'joints.g.between=[u1, ground]' --out mirrored >/dev/null
same "a joint drawn the other way" "$(diff odd/tables/backbone.csv mirrored/tables/backbone.csv)" ''
same "the remark" "$(grep -c 'not odd from q = 0.02 on' odd/tables/backbone_curves.csv)" 1

# ---- resuming ----
sed '/  - sweep:/,/directions/d; s/ sweep,//; s/steps: 60000/steps: 30000/' all.yaml >resume.yaml
"$microslip" run resume.yaml --out whole --threads 2 >/dev/null
"$microslip" run resume.yaml --out killed --threads 1 >/dev/null 2>&1 &
pid=$!
for ((i = 0; i < 400; i++)); do
  kill -0 $pid 2>/dev/null || break
  grep -qsa backbone killed/.resume/* && break
  sleep 0.02
done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
report "killed in the middle" "$([[ -d killed/.resume ]] || echo "it had ended")"
check "resumed: runs" "$microslip" run resume.yaml --out killed --resume --threads 2
same "resumed: the same files" "$(diff -rq whole killed)" ''

finish
