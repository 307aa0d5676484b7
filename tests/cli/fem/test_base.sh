#!/bin/bash
# The ground of finite elements moves along x, y or z: a rod against 1/cos(omega L/c), supports
# against joints to the ground, and the reduced model in a file against the finite elements.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"

# The largest difference of two tables' columns, over the largest value.
differ() { # FILE FILE COLUMN
  paste -d, <(columns "$1" "$3") <(columns "$2" "$3") | awk -F, '{ d = $1 - $2; if (d < 0) d = -d; v = $1 < 0 ? -$1 : $1
    if (d > most) most = d; if (v > large) large = v } END { print (large > 0 ? most/large : 1e300) }'
}

# ---- a rod held at its lower end, guided: absolute over base acceleration at the tip, 1/cos ----
rod() {
  cat <<'Y'
microslip: 1
units: {acceleration: g}
structure:
  fe:
    materials: {bar: {E: 7.1e10, nu: 0, rho: 2710}}
    parts: {a: {block: {size: [0.03, 0.02, 0.7], elements: [1, 1, 40]}, material: bar, points: {tip: [0, 0, 0.7]}}}
    fix: {a.bottom: all, a.left: [ux], a.right: [ux], a.front: [uy], a.back: [uy]}
  reduce: {craig_bampton: {modes: 9, keep: [a.tip.uz]}}
  damping: {modal: 0.0113}
loads: {shake: {haversine: {amplitude: 2.385, frequency: 700}, base: z}}
analyses:
  - modes
  - frf: {base: z, sensor: a.tip.uz, quantity: transmissibility, range: [0, 1600], points: 5}
  - frf: {name: relative, base: z, sensor: a.tip.uz, quantity: receptance, range: [1, 1601], points: 5}
  - frequency_response: {load: {base: z}, levels: [1.7], frequency: [1000, 1700], points: [1201], sensors: [a.tip.uz]}
  - transient: {loads: [shake], time: {step: 2e-6, steps: 2000}, record: {channels: [a.tip.uz, a.tip.uz.acceleration, a.tip.uz.absolute, shake]}}
Y
}
rod | sed '/damping/d; /frequency_response\|transient/d' >rod.yaml
runs "rod: runs" rod.yaml rod
for i in 0 1 2 3 4; do
  near "transmissibility at $((400 * i)) Hz" "$(cells rod/tables/frf.csv $i real)" \
    "$(awk -v f=$((400 * i)) 'BEGIN { pi = atan2(0, -1); printf "%.10g", 1/cos(2*pi*f*0.7/sqrt(7.1e10/2710)) }')" 1e-3
done
near "effective mass of the first mode" "$(jq '.analyses[0].effective_mass.z[0]' rod/summary.json)" \
  "$(awk 'BEGIN { pi = atan2(0, -1); printf "%.10g", 8/pi^2*2710*0.03*0.02*0.7 }')" 1e-4
near "total mass" "$(jq '.analyses[0].effective_mass.total' rod/summary.json)" 1.13820 1e-9
same "nothing moves along x" "$(jq '[.analyses[0].effective_mass.x[] | . < 1e-20] | all' rod/summary.json)" true

# With damping, the same answers three ways: linear response, harmonic balance, and time.
rod >damped.yaml
runs "damped: runs" damped.yaml damped
level=$(awk 'BEGIN { printf "%.10g", 1.7*9.80665 }')
near "harmonic balance at 1201 Hz" \
  "$(awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) { t = $i; sub(/ .*/, "", t); c[t] = i } next }
    $c["omega"] > 7546.1 && $c["omega"] < 7546.2 { print $c["displacement"]; exit }' damped/tables/frequency_response_sensors.csv)" \
  "$(awk -v h="$(cells damped/tables/relative.csv 3 magnitude)" -v a="$level" 'BEGIN { printf "%.10g", h*a }')" 1e-7
near "the shock's height is in g" "$(columns damped/tables/transient.csv shake | sort -g | tail -n 1)" \
  "$(awk 'BEGIN { printf "%.10g", 2.385*9.80665 }')" 1e-5
read -r a absolute base <<<"$(cells damped/tables/transient.csv 400 a.tip.uz.acceleration) $(cells damped/tables/transient.csv 400 a.tip.uz.absolute) $(cells damped/tables/transient.csv 400 shake)"
near "absolute acceleration" "$absolute" "$(awk -v a="$a" -v b="$base" 'BEGIN { printf "%.12g", a + b }')" 1e-9

# ---- the reduced model in a file: the same, without finite elements ----
{
  rod | sed -n '1,2p'
  printf 'structure: {reduced: damped/reduced.h5, damping: {modal: 0.0113}}\n'
  rod | sed -n '/^loads/,$p'
} >again.yaml
runs "again: runs" again.yaml again
for table in transient:a.tip.uz transient:a.tip.uz.absolute frf:real frequency_response_sensors:displacement modes_mass:mass_z; do
  within "from the file: $table" "$(differ damped/tables/"${table%:*}".csv again/tables/"${table%:*}".csv "${table#*:}")" 0 1e-8
done

# ---- held by supports, and by joints to the ground that are rigid; and a joint in between ----
column() { # FIX KEEP [JOINT]
  cat <<Y
microslip: 1
structure:
  fe:
    materials: {m: {E: 7.1e10, nu: 0.31, rho: 2710}}
    parts:
      low: {block: {size: [0.05, 0.04, 0.2], elements: [2, 2, 6]}, material: m}
      high: {block: {size: [0.05, 0.04, 0.3], at: [0, 0, 0.2], elements: [2, 2, 8]}, material: m, points: {tip: [0.05, 0, 0.5]}}
    spiders:
      foot: {rbe2: rigid, on: low.bottom}
      lap: {rbe2: rigid, between: [low.top, high.bottom]}
    fix: {$1}
  reduce: {craig_bampton: {modes: 8, keep: [lap.*, high.tip, $2]}}
  damping: {modal: 0.017}
joints:
  lap: {x: {law: jenkins, K_T: 3.1e8, F_S: 55}, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}
${3-}
analyses:
  - modes: {full: 0}
  - frf: {base: x, sensor: high.tip.ux, quantity: transmissibility, joints: stuck, range: [20, 900], points: 23}
  - transient: {loads: [hit], time: {step: 1e-5, steps: 1500}, record: {channels: [high.tip.ux, high.tip.ux.absolute]}}
loads: {hit: {haversine: {amplitude: 810, frequency: 310}, base: x}}
Y
}
column 'foot: all' high.tip >held.yaml
column 'foot: [uy, rx, ry, rz]' 'foot.ux, foot.uz' '  ground: {between: [foot, ground], x: rigid, z: rigid}' >joined.yaml
column 'low.bottom: all' high.tip | sed '/foot:/d' >nodes.yaml
for study in held joined nodes; do runs "$study: runs" $study.yaml $study; done
for other in joined nodes; do
  within "held or $other: response of the tip" "$(differ held/tables/frf.csv $other/tables/frf.csv real)" 0 1e-8
  within "held or $other: slipping, in time" "$(differ held/tables/transient.csv $other/tables/transient.csv high.tip.ux)" 0 1e-8
  within "held or $other: slipping, absolute" "$(differ held/tables/transient.csv $other/tables/transient.csv high.tip.ux.absolute)" 0 1e-8
done

# ---- free: all of the mass is in the modes, and nothing but rigid-body modes answer ----
column '' high.tip | sed '/fix/d; /foot/d' >free.yaml
runs "free: runs" free.yaml free
for d in x y z; do
  near "free: effective masses along $d" "$(jq "[.analyses[0].effective_mass.$d[]] | add" free/summary.json)" 2.71 1e-8
  near "free: of rigid-body modes" "$(jq "[.analyses[0].effective_mass.$d[:6][]] | add" free/summary.json)" 2.71 1e-8
done
within "free: the ground moves without it" \
  "$(columns free/tables/frf.csv magnitude | sort -g | tail -n 1)" 0 1e-8

# ---- matrices with names that have directions; what is refused ----
cat >named.yaml <<'Y'
microslip: 1
structure:
  matrices: {coordinates: [n1.x, n1.y, n2.ux], mass: [1.3, 1.1, 0.7], stiffness: [[900, 0, -300], [0, 500, 0], [-300, 0, 300]]}
  damping: {modal: 0.01}
analyses:
  - frf: {base: x, sensor: n2.ux, range: [1, 9], points: 9}
  - frf: {name: listed, base: [n1.x, n2.ux], sensor: n2.ux, range: [1, 9], points: 9}
Y
runs "named: runs" named.yaml named
within "directions by name" "$(differ named/tables/frf.csv named/tables/listed.csv real)" 0 1e-14
refused() { refuses "refused: $1" "$@"; } # WORDS STUDY SET...
refused "along x, y or z: base: z" damped.yaml --set 'loads.shake.base=true'
refused "no degree of freedom has a name along z" named.yaml --set 'analyses=[{frf: {base: z, sensor: n2.ux, range: [1, 9]}}]'
refused "acceleration 'G' is none of m/s^2, g" damped.yaml --set 'units.acceleration=G'

finish
