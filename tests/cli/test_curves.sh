#!/bin/bash
# Ring-downs of a study: amplitudes at a sensor, the integrator's parameters, histories in the report,
# and what a fit says about its parameters.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"
record=$build_dir/tests/ring_record

# ---- two equal masses in a symmetric chain: phi = (1, 1)/sqrt(2 m) and (1, -1)/sqrt(2 m) ----
cat >pair.yaml <<'END_STUDY'
microslip: 1
structure:
  chain:
    masses: {left: 2.385, right: 2.385}
    springs: [[ground, left, 913.7], [left, right, 417.3], [right, ground, 913.7]]
  damping: {modal: 3e-3}
analyses:
  - modal_ringdown:
      levels: {1: [7.1, 0.23], 2: [5.3]}
      time: {step: 1e-3, steps: 40000}
      segments: 20
  - impact_test:
      at: [left]
      levels: [3.7]
      sensor: right
      time: {step: 1e-3, steps: 40000}
      segments: 20
END_STUDY
check "a pair of masses: runs" "$microslip" run pair.yaml --out pair
columns=mode,source,time,q,omega,zeta,zeta_joint,zeta_viscous,velocity,acceleration,quality
columns+=,sensor,sensor_displacement,sensor_velocity,sensor_acceleration
# sensor FOLDER TABLE NAME SHAPE: every row's amplitudes there are SHAPE times the modal ones, to 1e-12
sensor() {
  awk -F, -v name="$3" -v phi="$4" '
    function worse(value, want) { e = value/want - 1; if (e < 0) e = -e; if (e > worst) worst = e }
    NR > 1 { n++; if ($12 != name) print NR ": sensor " $12 ", not " name
      worse($13, phi*$4); worse($14, phi*$4*$5); worse($15, phi*$4*$5^2); worse($9, $4*$5); worse($10, $4*$5^2)
      worse($6, $7 + $8) }
    END { if (!(n > 20 && worst <= 1e-12)) printf "%d rows, error %g, tolerance 1e-12\n", n, worst }
    ' "$1/tables/$2.csv"
}
phi=$(awk 'BEGIN { printf "%.17g", 1/sqrt(2*2.385) }')
for table in modal_ringdown impact_test; do
  same "$table.csv: columns" "$(head -n 1 pair/tables/$table.csv | sed 's/ \[[^]]*\]//g')" "$columns"
done
# Both masses move alike: the first is the sensor, whichever of the two rounding makes larger.
report "modal_ringdown: amplitudes at the first that moves most" "$(sensor pair modal_ringdown left "$phi")"
report "impact_test: amplitudes at the sensor that was chosen" "$(sensor pair impact_test right "$phi")"
sed 's/      sensor: right/      sensor: ground/' pair.yaml >ground.yaml
refused_at "the ground is no sensor" ground.yaml 15:15 'the ground does not move'
sed 's/      sensor: right/      sensor: rihgt/' pair.yaml >name.yaml
refused_at "a sensor that is not there" name.yaml 15:15 rihgt right

# ---- a record: its own signal is the sensor ----
# N DT A0 ALPHA C OMEGA KAPPA PHASE
"$record" csv 2 9.80665 g 12 40000 0.0002 2.71e-4 0.3137 0 863.7 0 0.37 >record.csv
channel=$(head -n 1 record.csv | cut -d, -f2 | sed 's/ .*//')
for at in '' ', at: right'; do
  sed "/^analyses/q" pair.yaml >measured.yaml
  echo "  - ringdown: {file: record.csv, mode: 1, segments: 40$at}" >>measured.yaml
  check "a record${at:+ from a known place}: runs" "$microslip" run measured.yaml --out measured
  report "its amplitudes at the sensor" "$(sensor measured ringdown \
    "$([[ $at ]] && echo right || echo "$channel")" "$([[ $at ]] && echo "$phi" || echo 1)")"
  # A = A0 exp(-alpha t) in displacement, whatever the record was
  near "... are the record's, in displacement" \
    "$(awk -F, 'NR == 9 { print $13/(2.71e-4*exp(-0.3137*$3)) }' measured/tables/ringdown.csv)" 1 1e-5
done

# ---- Newmark's beta and gamma: with W = omega dt and no damping the amplification matrix has half the
# trace a = 1 - W^2 (gamma + 1/2)/(2 D) and the determinant b = 1 - W^2 (gamma - 1/2)/D, D = 1 + beta W^2
grep -v damping: pair.yaml | sed '/impact_test/,$d' | sed 's/levels: .*/levels: {1: [7.1]}\n      modes: [1]/' >free.yaml
newmark() { # "OPTIONS" BETA GAMMA STEP
  sed "s/time: .*/time: {step: $4, steps: 10000$1}/" free.yaml >newmark.yaml
  check "newmark$1: runs" "$microslip" run newmark.yaml --out newmark
  local said fault=
  said=$(awk -F, -v beta="$2" -v gamma="$3" -v dt="$4" '
    function worse(old, e) { if (e < 0) e = -e; return e > old ? e : old }
    BEGIN { W = sqrt(913.7/2.385)*dt; D = 1 + beta*W^2; a = 1 - W^2*(gamma + 0.5)/(2*D); b = 1 - W^2*(gamma - 0.5)/D
      phase = atan2(sqrt(b - a^2), a); rate = -log(b)/2; omega = phase/dt; zeta = rate/sqrt(rate^2 + phase^2) }
    NR > 1 { w[++n] = $5; x[n] = $6 }
    END { for (i = 4; i <= n - 3; i++) { o = worse(o, w[i]/omega - 1); z = worse(z, (x[i] - zeta)/(zeta + 1e-3)) }
      printf "%d rows, omega %.6g: error %.2g (1e-6), zeta %.4g: error %.2g (1e-4)\n", n, omega, o, zeta, z
      exit !(n > 10 && o <= 1e-6 && z <= 1e-4) }
    ' newmark/tables/modal_ringdown.csv) || fault=1
  report "newmark$1, as the method alone decides: $said" "${fault:+$said}"
}
newmark '' 0.25 0.5 0.003
newmark ', gamma: 0.61' 0.308025 0.61 0.003
newmark ', method: newmark, beta: 0.4, gamma: 0.57' 0.4 0.57 0.004
newmark ', beta: 0.3' 0.3 0.5 0.004
unstable() { # TEXT OPTIONS COLUMN WORD...
  sed "s/time: .*/time: {$2, step: 0.01, steps: 3000}/" free.yaml >bad.yaml
  refused_at "$1" bad.yaml "$3" "${@:4}"
}
unstable "gamma below 1/2" 'gamma: 0.4' 10:21 'gamma must be >= 0.5 and <= 1, not 0.4; below 1/2 the method feeds energy in'
unstable "beta below its bound" 'beta: 0.2' 10:20 'beta must be >= 0.25 and <= 1, not 0.2; below (gamma + 1/2)^2/4'
unstable "... which gamma moves" 'gamma: 0.7, beta: 0.3' 10:32 '(gamma + 1/2)^2/4 = 0.36'
unstable "beta of another method" 'method: exponential, beta: 0.25' 10:41 "newmark's" exponential
unstable "gamma of another method" 'method: exponential, gamma: 0.5' 10:42 "newmark's" exponential
unstable "a gamma that is no number" 'gamma: half' 10:21 half
sed -n '1,/^analyses/p' pair.yaml >bad.yaml
echo '  - transient: {time: {gamma: 0.6, tolerance: 1e-6, step: 1e-3, steps: 10}}' >>bad.yaml
refused_at "a tolerance where the error is not known" bad.yaml 8:47 'gamma must be 1/2, not 0.6'

# ---- what a fit says: points that do not decay are left out, parameters with errors and correlations ----
cat >fit.yaml <<'END_STUDY'
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - modal_ringdown:
      modes: [2]
      levels: {2: {slipped: [50000, 10000, 3400, 200], stuck: [9, 3, 0.8, 0.2, 0.04, 1e-13]}}
      time: {step: 0.02, steps: 60000}
  - fit_modal
END_STUDY
# Without viscous damping nothing decays at 1e-13: damping there is noise of either sign.
check "a fit with noise in it: runs" "$microslip" run fit.yaml --out fit
undamped=$(awk -F, 'NR > 1 && $6 <= 0' fit/tables/modal_ringdown.csv | wc -l)
report "some points do not decay: $undamped" "$([[ $undamped -gt 0 ]] || echo none)"
fits='.analyses[] | select(.kind == "fit_modal") | .modes'
same "both forms leave them out, and say so" "$(jq -c "$fits | map(.points_left_out)" fit/summary.json)" "[$undamped,$undamped]"
same "the continuous form uses all others" "$(jq "${fits}[1].points" fit/summary.json)" \
  "$(awk -F, 'NR > 1 && $6 > 0' fit/tables/modal_ringdown.csv | wc -l)"
report "the report says so" "$(grep -q "$undamped points that do not decay" fit/report.html || echo missing)"
near "the model is none the worse: K_T is omega_0^2 - omega_inf^2" "$(jq "${fits}[1].K_T" fit/summary.json)" 0.078424 0.01
same "correlations: six by six, symmetric, one with themselves" "$(jq -c "$fits | map(.correlation | . == transpose
  and length == 6 and ([range(6) as \$i | .[\$i][\$i] == 1] | all) and (flatten | all(. >= -1 and . <= 1)))" fit/summary.json)" '[true,true]'
same "their table: columns" "$(head -n 1 fit/tables/fit_modal_correlation.csv | sed 's/ \[[^]]*\]//g')" \
  mode,form,parameter,value,standard_error,unit,determined,K_inf,zeta_0,F_S,K_T,chi,beta
same "the table has the same numbers" "$(awk -F, 'NR > 7 { print $5, $11 }' fit/tables/fit_modal_correlation.csv)" \
  "$(jq -r "${fits}[1] | [.standard_error, (.correlation | map(.[3]))] | transpose[] | \"\(.[0]) \(.[1])\"" fit/summary.json)"
for words in 'their correlation coefficients' 'strongest correlation'; do
  report "report.html has '$words'" "$(grep -qF -- "$words" fit/report.html || echo missing)"
done
sed 's/levels: .*/levels: {2: [0.8, 0.2, 0.04, 0.01]}/' fit.yaml >micro.yaml
check "a fit in microslip alone: runs" "$microslip" run micro.yaml --out micro
same "parameters that are not determined" "$(jq -c "${fits}[1].undetermined | index(\"F_S\") != null and index(\"beta\") != null" micro/summary.json)" true
report "the report warns in words" "$(grep -q 'the data do not reach macroslip' micro/report.html &&
  grep -qE 'The data do not determine [12] combinations? of parameters' micro/report.html || echo missing)"
sed 's/levels: .*/levels: {2: [1e-13]}\n      segments: 8/' fit.yaml >noise.yaml
"$microslip" run noise.yaml --out noise >out 2>error
same "nothing but noise cannot be fitted" "$?" 1
report "... and why" "$(grep -q 'mode 2, published (piecewise) form, [0-9]* points without decay left out: ' error || cat error)"

# Pulses are named by their height in SI, as everything in a table, whatever the file's units.
cat >tonnes.yaml <<'END_STUDY'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  chain: {masses: {u1: 0.001, u2: 0.0013}, springs: [[ground, u1, 900], [u1, u2, 700]]}
  damping: {modal: 0.003}
joints:
  lap: {law: iwan4, between: [u1, u2], F_S: 10, K_T: 100, chi: -0.5, beta: 5}
analyses:
  - modal_ringdown: {modes: [1], levels: {1: [100]}, time: {step: 1.0e-4, steps: 20000}}
  - impact_test: {at: [u2], levels: [2.5], modes: [1], time: {step: 1.0e-4, steps: 20000}}
END_STUDY
check "tonnes and millimetres: runs" "$microslip" run tonnes.yaml --out tonnes
same "a pulse over a mode, N/sqrt(kg)" "$(sed -n 2p tonnes/tables/modal_ringdown.csv | cut -d, -f2)" "p=3.16228 stuck"
same "a pulse on a coordinate, N" "$(sed -n 2p tonnes/tables/impact_test.csv | cut -d, -f2)" "u2 p=2.5"

finish
