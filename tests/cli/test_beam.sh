#!/bin/bash
# structure: beam, joints on levers, shortening and Hertz contact, from the study file.
source "$(dirname "$0")/checks.sh"

cat >metre.yaml <<'YAML'
microslip: 1
structure:
  beam:
    length: 0.613
    width: 0.0412
    height: 0.00519
    E: 207e9
    rho: 7834
    elements: 12
    axial: inertial
    points: {drive: 0.547, pin: 0.613, sensor: 0.547}
    masses: {sensor: 0.0131, pin: {mass: 0.0247, inertia: 3.1e-7}, end: 14.3}
joints:
  support:
    law: iwan4
    F_S: 61
    K_T: 11.3e6
    chi: -0.4
    beta: 1.7
    between: [ground, {end.ux: 1, end.rz: 0.0053}]
    shortening: {modes: 5}
    normal:
      between: [end.uy, ground]
      hertz: {radius: 0.0053, length: 0.0412, E: 207e9, nu: 0.287}
      preload: 203
analyses: [modes]
YAML
# The same in other units.
sed -E '/^ /s/0\.613/613/g; s/0\.0412/41.2/g; s/0\.00519/5.19/; s/207e9/207e3/g; s/7834/7.834e-9/
  s/0\.547/547/g; s/0\.0131/1.31e-5/; s/mass: 0\.0247, inertia: 3.1e-7/mass: 2.47e-5, inertia: 3.1e-4/
  s/14\.3/0.0143/; s/11\.3e6/11.3e3/; s/0\.0053/5.3/g
  s/^microslip: 1/&\nunits: {length: mm, mass: tonne, force: N, time: s}/' metre.yaml >millimetre.yaml
report "a study runs" "$(run_study metre)"
report "in millimetres" "$(run_study millimetre)"
# Last digits of K matter (omega_max/omega_1)^2 times as much to the lowest frequency: 1e-10.
frequencies() { awk -F, 'NR > 1 && NR < 8 { print $4 }' "$1/tables/modes.csv" | xargs; }
report "and has the same frequencies" "$(off "$(frequencies millimetre)" "$(frequencies metre)" 1e-10)"
# A = b h, I = b h^3/12; tangent of eq (34) of the paper at 203 N.
eval "$(awk 'BEGIN { pi = atan2(0, -1); b = 0.0412; h = 0.00519; r = 0.0053; E = 207e9; nu = 0.287
  p = 203/b; a = sqrt(4*p*r/(pi*E/(2*(1 - nu*nu))))
  printf "area=%.17g inertia=%.17g K_n=%.17g\n", b*h, b*h^3/12, b*pi*E/(1 - nu*nu)/(2*log(4*r/a) - 2) }')"
sed -E "s/width: .*/area: $area/; s/height: .*/inertia: $inertia/; s/hertz: .*/K_n: $K_n/" metre.yaml >section.yaml
report "with area, inertia and K_n" "$(run_study section)"
report "the same frequencies" "$(off "$(frequencies section)" "$(frequencies metre)" 1e-10)"

# Clamped and pinned, the lever alone: numbers of another program.
cat >lever.yaml <<'YAML'
microslip: 1
structure:
  beam: {length: 0.6, width: 0.04, height: 0.005, E: 210e9, rho: 7850, elements: 40, end: pinned, axial: static}
joints:
  pin: {law: linear, K: 8.71e6, between: [{end.rz: -0.005}, end.ux]}
analyses: [modes]
YAML
report "a lever at either side of between" "$(run_study lever)"
near "frequency" "$(cells lever/tables/modes.csv 0 f_0)" 54.744905 1e-6

# Shortening: z is ux + 0.0053 rz - s, s the half of int w'^2 dx over two cubics, by Gauss' rule here. All modes take
# part, and energy is kept.
cat >bend.yaml <<'YAML'
microslip: 1
structure:
  beam: {length: 0.613, width: 0.0412, height: 0.00519, E: 207e9, rho: 7834, elements: 2, axial: inertial}
joints:
  pull: {law: linear, K: 3.1e5, between: [ground, {end.ux: 1, end.rz: 0.0053}], shortening: {modes: 5}}
loads: {push: {at: end.uy, half_sine: {amplitude: 61, duration: 0.05}}}
analyses:
  - transient:
      time: {step: 2e-5, steps: 5000}
      record: {channels: [b1.uy, b1.rz, end.uy, end.rz, end.ux, pull.z, pull.f]}
YAML
report "a beam that shortens runs" "$(run_study bend)"
report "z, in every row" "$(awk -F, '
  function bent(l, w1, t1, w2, t2,   k, x, p, sum) { # int w^2 over an element, w the slope
    for (k = -1; k <= 1; k++) {
      x = 0.5 + k*sqrt(0.15)
      p = (w2 - w1)/l*6*x*(1 - x) + t1*(1 - 4*x + 3*x*x) + t2*(3*x*x - 2*x)
      sum += (k ? 5 : 8)/18*l*p*p
    }
    return sum }
  NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
  { l = 0.3065
    s = (bent(l, 0, 0, $at["b1.uy"], $at["b1.rz"]) + bent(l, $at["b1.uy"], $at["b1.rz"], $at["end.uy"], $at["end.rz"]))/2
    z = $at["end.ux"] + 0.0053*$at["end.rz"] - s
    e = $at["pull.z"] - z; if (e < 0) e = -e; if (e > worst) worst = e
    if (s > most) most = s; if (z < 0 ? -z > size : z > size) size = z < 0 ? -z : z }
  END { if (!(most > 0.3*size)) print "s is " most " only, z " size
        if (!(worst < 1e-12*size)) print "error " worst " of " size }' bend/tables/transient.csv)"
within "energy missing of what went in" "$(jq '.analyses[0].energy | .balance/.input' bend/summary.json)" -1e-4 1e-4

# An end held by a support, or by a joint that is rigid in that direction: the same motion.
sed 's/at: end.uy/at: b1.uy/; s/end.uy, //; s/axial/end: pinned, axial/; s/modes: 5/modes: 4/' bend.yaml >held.yaml
sed 's/end: pinned, //; s/^joints:/&\n  hold: {between: [ground, end], y: rigid}/' held.yaml >rigid.yaml
report "held by a support" "$(run_study held)"
report "held by a rigid joint" "$(run_study rigid)"
report "the same motion" "$(paste -d, held/tables/transient.csv rigid/tables/transient.csv | awk -F, '
  NR == 1 { n = NF/2; next }
  { for (i = 2; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d; s = $i < 0 ? -$i : $i
      if (d > worst[i]) worst[i] = d; if (s > size[i]) size[i] = s } }
  END { for (i = 2; i <= n; i++) if (!(size[i] > 0 && worst[i] <= 1e-9*size[i])) print "column " i ": " worst[i] " of " size[i] }')"

# Names of one place are one coordinate, also of a record.
cat >names.yaml <<'YAML'
microslip: 1
structure:
  beam: {length: 0.613, width: 0.0412, height: 0.00519, E: 207e9, rho: 7834, elements: 2, points: {tip: 0.613}}
loads: {push: {at: tip.uy, half_sine: {amplitude: 61, duration: 0.05}}}
analyses:
  - transient: {time: {step: 1e-4, steps: 90}, record: {channels: [tip.uy, end.uy, end.rz.velocity, tip.rz.velocity]}}
YAML
report "two names of one place" "$(run_study names)"
report "which move as one" "$(awk -F, 'NR > 1 && ($2 != $3 || $4 != $5) { print } NR > 1 && $2 > 1e-5 && $4 > 1e-5 { n++ }
  END { if (n < 20) print n " rows" }' names/tables/transient.csv)"
# A clamp that moves, against the continuous beam: the end over the clamp is (cos a + cosh a)/(1 + cos a cosh a). The
# error falls with the fourth power of the elements' length.
for n in 1 2 4; do
  cat >base$n.yaml <<YAML
microslip: 1
structure: {beam: {length: 0.613, width: 0.0412, height: 0.00519, E: 207e9, rho: 7834, elements: $n}}
analyses: [frf: {base: y, sensor: end.uy, range: [6.17, 7], points: 2, quantity: transmissibility}]
YAML
  report "a clamp that moves, $n elements" "$(run_study base$n)"
done
exact=$(awk 'BEGIN { L = 0.613; h = 0.00519; w = 2*atan2(0, -1)*6.17
  a = L*sqrt(w/sqrt(207e9*h*h/12/7834)); C = (exp(a) + exp(-a))/2
  printf "%.15g", (cos(a) + C)/(1 + cos(a)*C) }')
moved() { cells "base$1/tables/frf.csv" 0 real; }
near "one element" "$(moved 1)" "$exact" 5e-3
near "extrapolated from two and four" \
  "$(awk -v a="$(moved 2)" -v b="$(moved 4)" 'BEGIN { printf "%.15g", b + (b - a)/15 }')" "$exact" 1e-6
order() { awk -v a="$(moved "$1")" -v b="$(moved "$2")" -v c="$exact" 'BEGIN { print log((a - c)/(b - c))/log(2) }'; }
within "order of the error" "$(order 2 4)" 3.8 4.2
# The same clamp as a joint that is rigid.
sed 's/elements: 2/&, start: free/; s/^analyses/joints: {clamp: {between: [ground, start], y: rigid, rz: rigid}}\n&/' \
  base2.yaml >base3.yaml
report "clamped by a rigid joint" "$(run_study base3)"
near "the same" "$(moved 3)" "$(moved 2)" 1e-12
sed 's/base: y/base: true/' base1.yaml >bad.yaml
refused_bad 'is an angle and does not follow the ground|base: y'

bad() { # SED WORDS
  sed -E "$1" metre.yaml >bad.yaml
  refused_bad "$2"
}
bad 's/height: .*/area: 2e-4/' 'width and height, or area and inertia'
bad '/height/d' 'width and height, or area and inertia'
bad '/length: 0.613/d' "needs 'length'"
bad 's/E: 207e9$/E: -1/' 'E|must be'
bad 's/axial: inertial/axial: dynamic/' "axial 'dynamic' is none of none, static, inertial"
bad 's/axial: inertial/start: fixed/' "start 'fixed' is none of clamped, pinned, free"
bad 's/axial: inertial/axial: static\n    start: free/' 'this one is free'
bad 's/drive: 0.547/drive: 0.647/' 'drive|0.647'
bad 's/drive: 0.547/b3: 0.547/' 'b3'
bad 's/sensor: 0.0131/senser: 0.0131/' "'senser' is neither a point"
bad 's/sensor: 0.0131/sensor: -0.0131/' 'must be >= 0'
bad 's/inertia: 3.1e-7/J: 3.1e-7/' "'J'"
bad 's/points: .*/points: 3/' 'points must be a mapping'
bad 's/masses: .*/masses: [1]/' 'masses must be a mapping'
bad 's/elements: 12/elements: 0/' 'elements'
bad 's/end.rz: 0.0053/end.rx: 0.0053/' "no degree of freedom 'end.rx'"
bad 's/\{end.ux: 1, end.rz: 0.0053\}/{end.ux: 0}/' 'cancel on every degree of freedom'
bad 's/end.ux: 1,/end.ux: one,/' 'one'
bad 's/end.ux: 1, //' 'not attached to end.ux'
bad 's/axial: inertial/axial: none/; s/end.ux: 1, //' 'needs a beam with the degree of freedom end.ux'
bad 's/modes: 5/modes: 0/' 'modes'
bad 's/shortening: .*/shortening: much/' 'shortening'
bad 's/hertz: .*/preload: 203/; /^ +preload: 203$/{x;s/^/x/;/^xx/{x;d};x}' 'one of K_n and hertz'
bad 's/hertz: /K_n: 1e9\n      &/' 'give K_n or hertz, not both'
# What knows levers alone refuses shortening, at its line.
for analysis in 'frf: {at: drive.uy, sensor: drive.uy, range: [1, 90], mode: 1, amplitudes: [1e-3]}' \
  'propagate: {random: {support.F_S: {mean: 61, deviation: 3}}, amplitudes: [1e-4, 1e-3], modes: [1]}' \
  'sobol: {random: {support.F_S: {mean: 61, deviation: 3}, support.chi: {mean: -0.4, deviation: 0.1}}, amplitudes: [1e-4, 1e-3], modes: [1]}' \
  'calibrate: {parameters: {support.F_S: [31, 90]}, targets: [{mode: 1, from: curve.csv}]}' \
  'backbone: {methods: [qsma], modes: [1], amplitudes: {from: 1e-4, to: 1e-3, points: 4}}'; do
  bad "/^ +normal:/,/preload/d; s/^analyses: .*/analyses: [{${analysis}}]/" "shortening of a beam"
done
bad 's/nu: 0.287/nu: 0.7/' 'nu must be > -1 and <= 0.5, not 0.7'
bad 's/preload: 203/preload: 0/' 'load = 0'

# ---- a track with lift-off: it folds at 5.73 and comes to corners on its way back; no level is met twice ----
cat >lift.yaml <<'YAML'
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  beam: {length: 400, width: 30, height: 4, E: 70000, rho: 2.7e-9, elements: 12, axial: static, points: {root: 40, middle: 200, drive: 340}, masses: {end: 0.01}}
  damping: {modal: 0.003}
joints:
  support:
    law: iwan4
    F_S: 40
    K_T: 5000
    chi: -0.4
    beta: 0.5
    between: [ground, {end.ux: 1, end.rz: 4}]
    normal: {between: [end.uy, ground], hertz: {radius: 4, length: 30, E: 70000, nu: 0.33}, preload: 100, reference: 100, stiffness: constant}
analyses:
  - stepped_sine: {load: {at: drive.uy}, modes: [1], levels: [0.5, 1, 2, 60], stability: false}
YAML
"$microslip" run lift.yaml --out lift >out 2>error
same "lift-off: a level that was given up: exit code" "$?" 1
same "... every level at most once" "$(cut -d, -f2 lift/tables/stepped_sine.csv | tr '\n' ' ')" "level [N] 0.5 1 2 "
same "... the one not reached" "$(jq -c '.analyses[0] | [.partial, .modes[0].complete, .modes[0].missing]' lift/summary.json)" \
  '[1,false,[60]]'

finish
