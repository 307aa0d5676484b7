#!/bin/bash
# Angles and moments in a study: the same numbers come out whatever the unit of length.
source "$(dirname "$0")/checks.sh"

# worst TABLE TABLE: the largest difference of two tables of numbers, each over the largest of its column. Residuals are
# rounding; zeta_joint is zeta less zeta_viscous, so that its last digits are those of zeta.
worst() {
  paste -d, "$1" "$2" | awk -F, '
    function size(x) { return x < 0 ? -x : x }
    NR == 1 { gsub(/ \[[^]]*\]/, ""); n = NF/2; for (i = 1; i <= n; i++) { name[i] = $i; at[$i] = i }; next }
    { for (i = 1; i <= n; i++) {
        d = $i == $(i + n) ? 0 : size($i - $(i + n))
        if (d > off[i]) off[i] = d
        if (size($i) > most[i]) most[i] = size($i) } }
    END { for (i = 1; i <= n; i++) {
            scale = most[name[i] == "zeta_joint" ? at["zeta"] : i]
            if (name[i] != "residual" && off[i] > worst*scale) worst = off[i]/scale }
          print (NR > 1 ? worst + 0 : "") }'
}
# pair NAME TOLERANCE TABLE...: NAME.m and NAME.mm, each with the beam in its units, have the same tables.
pair() {
  local name=$1 tolerance=$2 table
  cat beam_m.yaml "$name.m" >"${name}_m.yaml"
  cat beam_mm.yaml "$name.mm" >"${name}_mm.yaml"
  report "$name: in metres" "$(run_study "${name}_m")"
  report "$name: in millimetres" "$(run_study "${name}_mm")"
  for table in "${@:3}"; do
    within "$name: $table differs by" \
      "$(worst "${name}_m/tables/$table.csv" "${name}_mm/tables/$table.csv")" 0 "$tolerance"
  done
}

cat >beam_m.yaml <<'YAML'
microslip: 1
structure:
  beam: {length: 0.613, width: 0.0412, height: 0.00519, E: 207e9, rho: 7834, elements: 3, points: {mid: 0.2871}}
  damping: {modal: 0.0213}
YAML
cat >beam_mm.yaml <<'YAML'
microslip: 1
units: {length: mm, mass: tonne, force: N}
structure:
  beam: {length: 613, width: 41.2, height: 5.19, E: 207e3, rho: 7.834e-9, elements: 3, points: {mid: 287.1}}
  damping: {modal: 0.0213}
YAML

# A moment alone, a force with an arm, one of each; a preload; what it starts with.
cat >time.m <<'YAML'
loads:
  turn: {sine: {amplitude: 2.385, frequency: 31.7}, at: end.rz}
  both: {sine: {amplitude: 0.871, frequency: 23.9}, at: [mid.rz, end.rz]}
  arm: {sine: {amplitude: 1.73, frequency: 17.3}, at: {mid.uy: 1, end.rz: 0.1137}}
analyses:
  - transient:
      time: {step: 1.3e-4, steps: 60}
      loads: [turn, both, arm]
      initial: {v: {mid.rz: 0.273, mid.uy: 0.0119}}
      preload: {end.rz: 2.17, mid.uy: 1.19}
      record: {channels: [end.uy, end.rz, mid.rz.velocity, turn, both, arm]}
  - transient:
      name: start
      loads: []
      time: {step: 1.3e-4, steps: 60}
      initial: {u: {end.rz: 0.0137, end.uy: 0.00213}}
      record: {channels: [end.uy, end.rz]}
YAML
sed 's/2\.385/2385/; s/0\.871/871/; s/0\.1137/113.7/; s/0\.0119/11.9/; s/2\.17/2170/; s/0\.00213/2.13/' time.m >time.mm
pair time 1e-10 transient start

cat >response.m <<'YAML'
analyses:
  - frf: {name: alone, at: end.rz, sensor: end.rz, range: [5, 60], points: 23, quantity: receptance}
  - frf: {name: arm, at: {end.uy: 1, end.rz: 0.1137}, sensor: end.uy, range: [5, 60], points: 23}
  - sweep: {at: mid.rz, mode: 1, levels: [0.319], from: 8, to: 17, duration: 8, step: 1e-3, directions: [up]}
YAML
sed 's/0\.1137/113.7/; s/0\.319/319/' response.m >response.mm
pair response 1e-10 alone arm sweep
check "levels of a sweep by a moment are moments" grep -q '0.319 N m, up' response_m/report.html
# units RUN TABLE COLUMN...: as columns.csv has them.
units() {
  local column
  for column in "${@:3}"; do awk -F, -v t="$2" -v c="$column" '$1 == t && $2 == c { print $3 }' "$1/columns.csv"; done | paste -sd\;
}
same "units: angles and moments in time" "$(units time_m transient end.uy end.rz mid.rz.velocity turn both arm)" \
  'm;rad;rad/s;N m;N m;N'
same "units: an angle by a moment" "$(units response_m alone real imaginary magnitude)" 'rad/(N m);rad/(N m);rad/(N m)'
same "units: an acceleration by a force" "$(units response_m arm real)" '1/kg'
same "units: a mode swept by a moment" "$(units response_m sweep height response)" '1/(m sqrt(kg));m sqrt(kg)'

# A ground that moves what stands on it and turns it: an angle by a displacement, 1/m or 1/mm.
cat >base.m <<'YAML'
loads: {shake: {sine: {amplitude: 3.71, frequency: 17.3}, base: {end.uy: 1, end.rz: 1.37}}}
analyses:
  - frf: {base: {end.uy: 1, end.rz: 1.37}, sensor: end.uy, range: [5, 60], points: 23, quantity: transmissibility}
  - transient: {loads: [shake], time: {step: 1.3e-4, steps: 60}, record: {channels: [end.uy, end.rz]}}
YAML
sed 's/3\.71/3710/; s/1\.37/0.00137/' base.m >base.mm
pair base 1e-10 frf transient

# The joint between rotations is one of a moment against an angle.
cat >joint.m <<'YAML'
joints:
  twist: {law: jenkins, between: [ground, end.rz], K_T: 213, F_S: 1.83}
  hinge: {law: iwan4, between: [mid.rz, end.rz], K_T: 117, F_S: 2.9, chi: -0.37, beta: 1.3}
analyses:
  - modes
  - transient: {loads: [], time: {step: 1e-4, steps: 30}, initial: {u: {end.rz: 0.0137}}, record: {channels: [hinge.z, hinge.f]}}
  - stepped_sine: {load: {at: end.rz}, modes: [1], levels: [0.517], sensors: [end.rz, end.uy], preload: {end.rz: 0.31}}
  - impact_test: {at: [mid.rz], levels: [21.3], time: {step: 2e-4, steps: 6000}, modes: [1], pulse_mode: 2}
YAML
sed 's/213,/213e3,/; s/1\.83/1830/; s/117/117e3/; s/2\.9,/2900,/; s/0\.517/517/; s/0\.31}/310}/; s/21\.3/21300/' joint.m >joint.mm
# A fit of the ring-down has a residual, `quality`, of 7e-3, which has fewer digits than what is fitted.
pair joint 1e-9 modes transient stepped_sine stepped_sine_sensors impact_test

same "units: joints between rotations" "$(units joint_m transient hinge.z hinge.f)" 'rad;N m'

# The same joints by directions, and on arms of a unit of length.
sed 's/twist: {law: jenkins, between: \[ground, end.rz\], \(.*\)}/twist: {between: [ground, end], rz: {law: jenkins, \1}}/' \
  joint.mm >direction.part
sed 's/\[ground, end.rz\]/[ground, {end.rz: 1}]/; s/\[mid.rz, end.rz\]/[{mid.rz: 1}, {end.rz: 1}]/' joint.mm >arm.part
for kind in direction arm; do
  cat beam_mm.yaml $kind.part >$kind.yaml
  report "joints by $kind" "$(run_study $kind)"
  within "$kind: modes differ by" "$(worst $kind/tables/modes.csv joint_mm/tables/modes.csv)" 0 1e-10
done

# Resonance of an angle instead of the modal coordinate.
cat >track.m <<'YAML'
joints: {hinge: {law: iwan4, between: [mid.rz, end.rz], K_T: 117, F_S: 2.9, chi: -0.37, beta: 1.3}}
analyses:
  - stepped_sine: {load: {at: end.rz}, modes: [1], levels: [0.517], track: end.rz}
YAML
sed 's/117/117e3/; s/2\.9,/2900,/; s/0\.517/517/' track.m >track.mm
pair track 1e-9 stepped_sine
same "units: an angle that is tracked" "$(units track_m stepped_sine tracked);$(units track_mm stepped_sine tracked)" 'rad;rad'

# An angle beside a displacement is what it moves at a unit of length.
cat >mixed.m <<'YAML'
joints:
  rub: {law: jenkins, between: [mid.uy, {end.rz: 0.001}], K_T: 2.13e7, F_S: 1.83}
analyses: [modes]
YAML
sed 's/{end.rz: 0.001}/end.rz/; s/2\.13e7/2.13e4/' mixed.m >mixed.mm
pair mixed 1e-10 modes

# Discs on a shaft: inertias and torsional springs.
cat >shaft_m.yaml <<'YAML'
microslip: 1
structure:
  chain: {masses: {a.rx: 0.0137, b.rx: 0.0291}, springs: [[ground, a.rx, 2731], [a.rx, b.rx, 1193]]}
analyses: [modes, frf: {at: b.rx, sensor: b.rx, range: [3.17, 90], points: 7, quantity: receptance}]
YAML
sed 's/microslip: 1/&\nunits: {length: mm, mass: tonne, force: N}/; s/0\.0137/13.7/; s/0\.0291/29.1/; s/2731/2731e3/
  s/1193/1193e3/' shaft_m.yaml >shaft_mm.yaml
report "a shaft in metres" "$(run_study shaft_m)"
report "a shaft in millimetres" "$(run_study shaft_mm)"
near "its first frequency" "$(cells shaft_mm/tables/modes.csv 0 f_0)" "$(awk 'BEGIN {
  p = (2731 + 1193)/0.0137; q = 1193/0.0291; r = 1193*1193/(0.0137*0.0291)
  printf "%.17g", sqrt((p + q)/2 - sqrt((p - q)^2/4 + r))/(2*atan2(0, -1)) }')" 1e-12
# The unit of length cancels in a frequency; in what a moment does it does not. Determinant of K - omega^2 J.
near "what a moment does" "$(cells shaft_mm/tables/frf.csv 0 real)" "$(awk 'BEGIN {
  w = (2*atan2(0, -1)*3.17)^2; p = 2731 + 1193 - w*0.0137; q = 1193 - w*0.0291
  printf "%.17g", p/(p*q - 1193*1193) }')" 1e-12
for table in modes frf; do
  within "a shaft: $table differs by" "$(worst shaft_m/tables/$table.csv shaft_mm/tables/$table.csv)" 0 1e-12
done

# A table about an axis says rad; one that says m is of something else.
cat >table_m.yaml <<'YAML'
microslip: 1
structure: {chain: {masses: {a.rx: 0.0137}, springs: [[ground, a.rx, 2731]]}}
joints: {t: {law: iwan_table, between: [ground, a.rx], density: {file: angle.csv}}}
analyses: [modes]
YAML
printf 'phi [rad],rho [N m/rad^2]\n0,4.1e4\n0.0031,2.3e4\n0.021,5.7e3\n' >angle.csv
report "a table of angles" "$(run_study table_m)"
sed 's/microslip: 1/&\nunits: {length: mm, mass: tonne, force: N}/; s/0\.0137/13.7/; s/2731/2731e3/; s/angle/angle_mm/' \
  table_m.yaml >table_mm.yaml
printf 'phi [rad],rho [N mm/rad^2]\n0,4.1e7\n0.0031,2.3e7\n0.021,5.7e6\n' >angle_mm.csv
report "and in millimetres" "$(run_study table_mm)"
within "a table: modes differ by" "$(worst table_m/tables/modes.csv table_mm/tables/modes.csv)" 0 1e-12
for study in table_m table_mm; do
  sed 's/angle/length/' $study.yaml >bad.yaml
  for table in angle angle_mm; do sed 's/phi \[rad\]/phi [m]/' $table.csv >"${table/angle/length}.csv"; done
  refused_bad "is in [m]; expected: rad"
done

# A joint about an axis that was tested alone has moments in its table and its window.
cat >tested_m.yaml <<'YAML'
microslip: 1
structure: {chain: {masses: {a.rx: 0.0137}, springs: [[ground, a.rx, 2731]]}}
joints: {t: {law: iwan_uniform, between: [ground, a.rx], F_S: 3.1, K_T: 190}}
analyses:
  - calibrate: {parameters: {t.F_S: [1.3, 17], t.K_T: [21, 900]}, starts: 3, targets: [{joint_test: test.csv, joint: t, window: [0.7, 2.3]}]}
YAML
# iwan_uniform, x = K u < 2 F_S: M = x - x^2/(4 F_S), dissipation x^3/(3 K F_S).
awk 'BEGIN { F = 2.9; K = 117; print "force [N m],stiffness [N m/rad],dissipation [J]"
  for (x = 0.31; x < 1.9*F; x *= 1.31) { M = x - x*x/(4*F); printf "%.16g,%.16g,%.16g\n", M, M*K/x, x^3/(3*K*F) } }' >test.csv
awk -F, 'NR == 1 { print "force,stiffness,dissipation"; next } { printf "%.16g,%.16g,%.16g\n", 1e3*$1, 1e3*$2, 1e3*$3 }' test.csv >test_mm.csv
sed 's/microslip: 1/&\nunits: {length: mm, mass: tonne, force: N}/; s/0\.0137/13.7/; s/2731/2731e3/; s/3\.1,/3100,/; s/190/190e3/
  s/\[1\.3, 17\]/[1300, 17e3]/; s/\[21, 900\]/[21e3, 900e3]/; s/test\.csv/test_mm.csv/; s/\[0\.7, 2\.3\]/[700, 2300]/' tested_m.yaml >tested_mm.yaml
for study in tested_m tested_mm; do
  report "moments: $study" "$(run_study $study)"
  near "moments: F_S" "$(cells $study/tables/calibrate.csv 0 value)" 2.9 1e-9
  near "moments: K_T" "$(cells $study/tables/calibrate.csv 1 value)" 117 1e-9
  report "moments: units" "$(awk -F, 'NR > 1 { print $4 }' $study/tables/calibrate.csv | diff - <(printf 'N m\nN m/rad\n'))"
  points=$(awk -F, 'NR > 1 && $1 >= 0.7 && $1 <= 2.3' test.csv | wc -l)
  report "moments: the window" "$(tail -n +2 $study/tables/calibrate_tests.csv | wc -l | grep -vx "$points")"
done

# What is wrong with a normal spring is said at its own line.
cat >bad.yaml <<'YAML'
microslip: 1
structure: {chain: {masses: {u1: 1.2, u2: 0.8}, springs: [[ground, u1, 3e5], [u1, u2, 2e5], [ground, u2, 1e5]]}}
joints:
  support:
    law: iwan_uniform
    F_S: 2.9
    K_T: 47
    between: [ground, u2]
    normal:
      between: [ground, ground]
      K_n: 190
      preload: 2.4
analyses: [modes]
YAML
refused_bad 'bad.yaml:10:|both ends are ground'

finish
