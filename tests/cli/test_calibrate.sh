#!/bin/bash
# calibrate: joints found again from their own curves; what one mode does not say is said in words;
# the same results on any number of threads, and after being killed; tables that are refused.
source "$(dirname "$0")/checks.sh"

# worst TABLE QUANTITY SOLUTION COLUMN: the largest of a column of <name>_targets.csv
worst() { values "$1" "$4" - "$3" "$2" | largest; }

# ---- three masses ----
head3() {
  cat <<'END'
microslip: 1
title: Three masses, calibrated
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
END
}
free='{lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}'
{
  head3
  cat <<END
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 40}}
  - calibrate:
      name: micro
      parameters: $free
      targets: [{mode: 2, from: backbone, window: [0.1, 10]}]
  - calibrate:
      name: three
      parameters: ${free%\}}, mode.2.damping: [1e-5, 1e-3]}
      targets: [{mode: 1, from: backbone}, {mode: 2, from: backbone, weight: [1, 2]}, {mode: 3, from: backbone, damping: joint}]
  - backbone: {name: after, methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 40}}
END
} >study.yaml
"$microslip" run study.yaml --out one --threads 1 >out 2>error
same "a self-calibration" "$? $(cat error)" '0 '
t=one/tables
within "one mode, microslip: largest error of frequency" "$(worst $t/micro_targets.csv frequency fit largest)" 0 1e-6
within "one mode, microslip: largest error of damping" "$(worst $t/micro_targets.csv damping fit largest)" 0 1e-4
near "K_T is found" "$(parameter $t/micro.csv lap.K_T value)" 1 1e-4
near "chi is found" "$(parameter $t/micro.csv lap.chi value)" -0.5 1e-3
same "F_S and beta are not determined" \
  "$(for p in F_S K_T chi beta; do parameter $t/micro.csv lap.$p determined; done | tr '\n' ' ')" '0 1 1 0 '
remarks=$(jq -r '.analyses[] | select(.name == "micro") | .remarks' one/summary.json)
same "and that is said" "$(grep -cE '(F_S of lap|beta of lap) and (F_S of lap|beta of lap) can be traded' <<<"$remarks")" 1
same "in the report too" "$(grep -c 'can be traded against each other' one/report.html)" 1
for p in "F_S 10" "K_T 1" "chi -0.5" "beta 5"; do
  near "three modes: ${p% *}" "$(parameter $t/three.csv "lap.${p% *}" value)" "${p#* }" 1e-6
done
near "three modes: damping of the second" "$(parameter $t/three.csv mode.2.damping value)" 1e-4 1e-6
same "three modes: all is determined" \
  "$(jq '[.analyses[] | select(.name == "three") | .parameters[] | select(.determined)] | length' one/summary.json)" 5
same "the study's joints are as they were" "$(diff <(cut -d, -f1-14 $t/backbone.csv) <(cut -d, -f1-14 $t/after.csv))" ''
"$microslip" run study.yaml --out two --threads 2 >out 2>error
same "two threads give the same files" "$(diff -rq one two)" ''

# ---- springs and masses, by number and by name, in units of the study ----
{
  head3 | sed 's/springs: .*/springs: {base: [ground, u1, 9], 2: [u1, u2, 9], tip: {between: [u2, u3], k: 9}}/; s/^structure:/units: {length: mm, mass: tonne, time: s, force: N}\n&/'
  cat <<'END'
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 12}}
  - calibrate:
      parameters: {lap.F_S: [1, 100], spring.2: [4, 20], spring.tip: [4, 20], mass.u2: [4, 30]}
      targets: [{mode: 1, from: backbone}, {mode: 2, from: backbone}, {mode: 3, from: backbone}]
      starts: 2
END
} >matrices.yaml
same "springs and masses" "$(run_study matrices)" ''
for p in "lap.F_S 10 N" "spring.2 9e3 N/m" "spring.tip 9e3 N/m" "mass.u2 1e4 kg"; do
  near "found: ${p%% *}" "$(parameter matrices/tables/calibrate.csv "${p%% *}" value)" "$(cut -d' ' -f2 <<<"$p")" 1e-5
  same "unit of ${p%% *}" "$(parameter matrices/tables/calibrate.csv "${p%% *}" unit)" "${p##* }"
done
sed 's/spring.tip: /spring.top: /' matrices.yaml >bad.yaml
refused_bad "'spring.top' is no parameter|mode.1.damping, spring.1 or mass.NAME"
sed 's/mass.u2: .4/mass.u2: [0/' matrices.yaml >bad.yaml
refused_bad "mass = 0 is out of bounds: it must be > 0"

# ---- fifty masses, two joints with one set of parameters ----
{
  echo 'microslip: 1'
  awk 'BEGIN {
    printf "structure:\n  chain:\n    masses: {"
    for (i = 1; i <= 50; i++) printf "%su%d: %.4f", (i > 1 ? ", " : ""), i, 1.3 + 0.4*sin(1.7*i)
    printf "}\n    springs: [[ground, u1, 871]"
    for (i = 2; i <= 50; i++) printf ", [u%d, u%d, %.3f]", i - 1, i, 900 + 210*cos(2.3*i)
    printf "]\n  damping: {modal: 2.3e-3}\n" }'
  cat <<'END'
joints:
  bolt.1: {law: iwan4, between: [u12, u13], F_S: 2.9, K_T: 310, chi: -0.37, beta: 1.7}
  bolt.2: {law: iwan4, between: [u31, u33], F_S: 2.9, K_T: 310, chi: -0.37, beta: 1.7}
analyses:
  - backbone: {modes: [1, 2, 4], methods: [qsma], amplitudes: {from: 0.01, to: 10, points: 30}}
  - calibrate:
      parameters: {bolt.*.F_S: [0.3, 30], bolt.*.K_T: [30, 3000], bolt.*.chi: [-0.9, -0.1], bolt.*.beta: [0.1, 50]}
      starts: 8
      targets: [{mode: 1, from: backbone}, {mode: 2, from: backbone}, {mode: 4, from: backbone}]
END
} >chain.yaml
"$microslip" run chain.yaml --out chain >out 2>error
same "a chain" "$? $(cat error)" '0 '
for p in "F_S 2.9" "K_T 310" "chi -0.37" "beta 1.7"; do
  near "chain, three modes: ${p% *}" "$(parameter chain/tables/calibrate.csv "bolt.*.${p% *}" value)" "${p#* }" 1e-6
done

# ---- from ring-downs: another method than the model's, so there is a bias ----
{
  head3
  cat <<END
  - modal_ringdown:
      modes: [2]
      levels: {2: [3400, 200, 9, 0.8]}
      time: {step: 0.02, steps: 60000}
  - calibrate: {starts: 8, parameters: $free, targets: [{mode: 2, from: modal_ringdown}]}
END
} >ring.yaml
"$microslip" run ring.yaml --out ring >out 2>error
same "from ring-downs" "$? $(cat error)" '0 '
near "ring-downs: K_T" "$(parameter ring/tables/calibrate.csv lap.K_T value)" 1 0.01
near "ring-downs: chi" "$(parameter ring/tables/calibrate.csv lap.chi value)" -0.5 0.05

# ---- tables ----
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) c[$i] = i; print "level,hertz,ratio" }
  NR > 1 && $1 == 2 { printf "%s,%.17g,%s\n", $c["q"], $c["omega"]/6.283185307179586, $c["zeta"] }' \
  $t/backbone.csv >table.csv
table() { # OPTIONS: a study that reads the table
  head3
  cat <<END
  - calibrate:
      parameters: $free
      starts: 6
      targets:
        - {mode: 2, from: table.csv, columns: {q: level, frequency: hertz, zeta: ratio}$1}
END
}
table '' >table.yaml
"$microslip" run table.yaml --out table >out 2>error
same "from a table" "$? $(cat error)" '0 '
for p in "F_S 10" "K_T 1" "chi -0.5" "beta 5"; do
  near "table, to macroslip: ${p% *}" "$(parameter table/tables/calibrate.csv "lap.${p% *}" value)" "${p#* }" 1e-4
done
cp table.csv good.csv
sed -i '5s/[^,]*$/-1e-4/; 9s/[^,]*$/0/' table.csv
cp table.yaml bad.yaml
refused_bad 'row 5 has damping -0.0001|rows 5, 9|^'
head -n 3 good.csv >table.csv
refused_bad '2 of 2 points|takes 3'
cp good.csv table.csv
table ', window: [1e3, 2e3]' >bad.yaml
refused_bad '0 of 40 points'
# Of two targets the second: the complaint points at its line.
{ table ''; sed -n '$p' bad.yaml; } >two.yaml
mv two.yaml bad.yaml
refused_at "the second target has its own line" bad.yaml "$(wc -l <bad.yaml):99" "0 of 40 points"
table ', damping: joint, weight: -1' >bad.yaml
refused_bad 'weight must be >= 0, not -1'
sed 's/hertz}/herz}/; s/frequency: hertz/frequency: herz/' table.yaml >bad.yaml
refused_bad "no column 'herz'"
cp table.yaml bad.yaml
sed '1s/hertz/hertz [mHz]/' good.csv >table.csv
refused_bad "column 'hertz' is in [mHz]|expected: Hz"
sed '1s/hertz/hertz [Hz]/; 1s/ratio/ratio [-]/' good.csv >table.csv
"$microslip" check table.yaml >out 2>error
same "units that are those it is read in" "$? $(cat error)" '0 '
sed '1s/hertz/hertz [Hz]/' good.csv >table.csv
sed 's/^structure:/units: {length: mm, mass: tonne, force: N}\nstructure:/' table.yaml >mm_table.yaml
"$microslip" check mm_table.yaml >out 2>error
same "hertz are hertz where lengths are mm" "$? $(cat error)" '0 '
# ---- tables in the units of a test: Hz, % and g at a sensor ----
{
  head3
  echo '  - modes: {}'
} >seen.yaml
"$microslip" run seen.yaml --out seen >out 2>error
awk -F, -v phi="$(awk -F, '$1 == 2 && $2 == "u3" { printf "%.17g", $3 < 0 ? -$3 : $3 }' seen/tables/modes_shapes.csv)" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) c[$i] = i; print "a_tip [g],frequency [Hz],damping [%]" }
  NR > 1 && $1 == 2 { printf "%.17g,%.17g,%.17g\n", $c["q"]*phi*$c["omega"]^2/9.80665, $c["omega"]/6.283185307179586, 100*$c["zeta"] }' \
  $t/backbone.csv >seen.csv
seen() { # OPTIONS COLUMNS: a study that reads it
  table '' | sed '$d'
  echo "        - {mode: 2, from: seen.csv, columns: {q: a_tip, ${2:-zeta: damping}}$1}"
}
seen ', sensor: u3' >seen.yaml
"$microslip" run seen.yaml --out tip >out 2>error
same "g at a sensor, Hz and %" "$? $(cat error)" '0 '
for p in "F_S 10" "K_T 1" "chi -0.5" "beta 5"; do
  near "g at a sensor: ${p% *}" "$(parameter tip/tables/calibrate.csv "lap.${p% *}" value)" "${p#* }" 1e-4
done
near "g at a sensor: the first modal amplitude" "$(values tip/tables/calibrate_curves.csv q | head -n 1)" 0.1 1e-9
count=$(awk -F, 'NR > 1 && $1 >= 0.05 && $1 <= 0.5' seen.csv | wc -l)
seen ', sensor: u3, window: [0.05, 0.5]' | sed 's/{lap.F_S.*}$/{lap.K_T: [0.1, 10]}/' >window.yaml
"$microslip" run window.yaml --out window >out 2>error
same "a window is in the column's unit" "$(values window/tables/calibrate_curves.csv q | wc -l)" "$count"
cp seen.csv named.csv
sed '1s/.*/a_tip,f,damping/' named.csv >seen.csv
seen ', sensor: u3, units: {q: g, frequency: Hz, zeta: "%"}' 'frequency: f, zeta: damping' >seen.yaml
"$microslip" run seen.yaml --out named >out 2>error
same "units by keys are those of headings" "$? $(diff named/tables/calibrate.csv tip/tables/calibrate.csv)" '0 '
seen ', sensor: u3' 'frequency: f, zeta: damping' >bad.yaml
refused_bad 'amplitudes at a sensor need a unit|units: {q: g}'
seen ', sensor: u3, units: {q: furlong}' 'frequency: f, zeta: damping' >bad.yaml
refused_bad "unit 'furlong' is not known|expected: m, mm"
cp named.csv seen.csv
seen '' >bad.yaml
refused_bad 'say with sensor: where they were measured'
seen ', sensor: u3, units: {q: mm}' >bad.yaml
refused_bad "column 'a_tip' says that it is in [g]"
{
  head3
  echo '  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 40}}'
  table '' | sed '1,/^analyses/d; s/from: table.csv.*}/from: backbone, sensor: u3}/'
} >bad.yaml
refused_bad 'sensor and units are those of tables'

cp good.csv table.csv
sed 's/{lap.F_S/{l*.F_S: [2, 50], lap.F_S/' table.yaml >bad.yaml
refused_bad 'lap.F_S is free twice: as l*.F_S, too'
# 40 frequencies of weight 0 are no data: the scatter is that of the damping alone
awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 *= 1 + 0.05*sin(7.3*NR) } { print }' good.csv >table.csv
table ', weight: [0, 1]' >weight.yaml
"$microslip" run weight.yaml --out weight >out 2>error
near "scatter of what has a weight" "$(jq '.analyses[0].supposed_noise' weight/summary.json)" \
  "$(jq '.analyses[0].sum_of_squares' weight/summary.json | awk '{ printf "%.17g", sqrt($1/(40 - 4)) }')" 1e-9
cp good.csv table.csv
sed 's/lap.F_S: \[1, 100\]/lap.F_X: [1, 100]/' table.yaml >bad.yaml
refused_bad "'lap.F_X' is no parameter|joint 'lap'|mode.1.damping"
sed 's/lap.F_S: \[1, 100\]/mode.4.damping: [1e-5, 1e-3]/' table.yaml >bad.yaml
refused_bad "'mode.4.damping' is no parameter"
sed 's/lap.F_S: \[1, 100\]/mode.2.damping: [1e-5, 1]/' table.yaml >bad.yaml
refused_bad "damping = 1 is out of bounds: it must be >= 0 and < 1"
sed 's/lap.F_S: \[1, 100\]/mode.2.damping: [1e-5, 0.1], mode.*.damping: [1e-5, 0.1]/' table.yaml >bad.yaml
refused_bad "mode.*.damping is free twice: as mode.2.damping, too"
sed 's/lap.F_S: \[1, 100\]/hammer.gain: [0.9, 1.1]/' table.yaml >bad.yaml
refused_bad "gain of hammer: gains are those of a hammer test, and no target is"
sed 's/lap.F_S: \[1, 100\]/mode.2.damping: [1e-5, 0.1]/; s/damping: {modal: 1e-4}/damping: {rayleigh: {mass: 1e-4, stiffness: 0}}/' table.yaml >bad.yaml
refused_bad "mode.2.damping cannot be free: the structure's damping is not modal"
sed 's/lap.chi: \[-0.9/lap.chi: [-1.2/' table.yaml >bad.yaml
refused_bad 'chi = -1.2 is out of bounds'
sed 's/lap.chi: \[-0.9, -0.1\]/lap.chi: [-0.1, -0.9]/' table.yaml >bad.yaml
refused_bad 'the lower first'
sed 's/starts: 6/points: 8/' table.yaml >bad.yaml
refused_bad 'points is for method nsga2'
sed 's/starts: 6/method: nsga2\n      points: 7/' table.yaml >bad.yaml
refused_bad 'points must be even, not 7'
sed 's/starts: 6/method: posterior\n      walkers: 8\n      steps: 60/' table.yaml >bad.yaml
refused_bad '4 parameters need at least 10 walkers, not 8'
sed 's/starts: 6/method: simplex/' table.yaml >bad.yaml
refused_bad "method 'simplex' is none of local, nsga2, posterior"
table ', damping: viscous' >bad.yaml
refused_bad "damping 'viscous' is none of total, joint"
sed 's/mode: 2, from: table.csv/mode: 7, from: table.csv/' table.yaml >bad.yaml
refused_bad 'there is no mode 7'
sed 's/from: table.csv/from: nothing/' table.yaml >bad.yaml
refused_bad "no analysis 'nothing'"

# ---- nsga2: threads, killed and resumed ----
{
  head3
  cat <<END
  - backbone: {methods: [qsma], amplitudes: {from: 0.1, to: 300, points: 30}}
  - calibrate:
      method: nsga2
      points: 40
      generations: 120
      seed: 7
      parameters: $free
      targets: [{mode: 2, from: backbone}, {mode: 3, from: backbone, weight: 2}]
END
} >study.yaml
for threads in 1 2; do
  "$microslip" run study.yaml --out front$threads --threads $threads >out 2>error
  same "a search with $threads threads" "$? $(cat error)" '0 '
done
same "two threads give the same front" "$(diff -rq front1 front2)" ''
sed 's/seed: 7/seed: 8/' study.yaml >other.yaml
"$microslip" run other.yaml --out front3 >out
same "another seed gives another front" "$(cmp -s front1/tables/calibrate_front.csv front3/tables/calibrate_front.csv; echo $?)" 1
within "its hypervolume rises" "$(awk -F, 'NR > 2 && $2 < v*(1 - 1e-9) { n++ } { v = $2 } END { print n + 0 }' front1/tables/calibrate_generations.csv)" 0 0
within "the knee's frequency" "$(worst front1/tables/calibrate_targets.csv frequency knee rms)" 1e-9 1e-3
within "the knee's damping" "$(worst front1/tables/calibrate_targets.csv damping knee rms)" 1e-9 0.05
resumes_as front1 20000 60000
# ---- a joint about an axis, in millimetres and in metres ----
printf '1 x\n1 rx\n' >dofs.txt
hinge() { # UNITS MASS STIFFNESS F_S K_T SPAN OF AMPLITUDES
  cat <<END
microslip: 1
units: $1
structure:
  matrices: {dofs: dofs.txt, mass: $2, stiffness: $3}
joints:
  hinge: {between: [ground, n1], rx: {law: iwan4, F_S: $4, K_T: $5, chi: -0.4, beta: 1}}
analyses:
  - backbone: {modes: [2], methods: [qsma], amplitudes: {from: $6, to: $7, points: 15}}
  - calibrate:
      parameters: {hinge.rx.K_T: [$(awk "BEGIN { print $5/3 }"), $(awk "BEGIN { print $5*4 }")]}
      targets: [{mode: 2, from: backbone}]
      starts: 2
END
}
hinge SI '[2, 1e-2]' '[[1e5, 0], [0, 1e3]]' 3 700 1e-6 1e-3 >metres.yaml
hinge '{length: mm, mass: tonne, force: N}' '[2e-3, 10]' '[[1e2, 0], [0, 1e6]]' 3000 700e3 3.16e-5 3.16e-2 >mm.yaml
for units in metres mm; do
  "$microslip" run $units.yaml --out $units >out 2>error
  same "a hinge in $units" "$? $(cat error)" '0 '
  near "its stiffness, N m/rad" "$(parameter $units/tables/calibrate.csv hinge.rx.K_T value)" 700 1e-6
  same "and its unit" "$(parameter $units/tables/calibrate.csv hinge.rx.K_T unit)" "N m/rad"
done

finish
