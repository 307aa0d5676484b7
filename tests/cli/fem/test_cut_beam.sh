#!/bin/bash
# examples/cut-beam against a beam of Euler and Bernoulli with two shear springs in it, solved here, and
# against closed forms of friction; symmetry; forced response on the nonlinear mode.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/cut-beam/study.yaml

runs "runs" "$study" out
same "checked" "$("$microslip" check "$study")" "$study: valid; 37 degrees of freedom, 2 joints, 3 analyses"
# A check has names but no numbers, and may not complain of those that stand in for them.
all='analyses=[modes, {sweep: {name: shaken, base: z, mode: 1, levels: [1], from: 280, to: 310, duration: 0.5, step: 1e-4}},
  {sweep: {at: middle.centre.uz, mode: 1, sensor: middle.centre.uz, levels: [1], from: 280, to: 310, duration: 0.5, step: 1e-4}},
  {stepped_sine: {load: {at: middle.centre.uz}, levels: [1, 2], modes: [1], track: middle.centre.uz}},
  {frf: {at: middle.centre.uz, sensor: middle.centre.uz, range: [200, 400], mode: 1, amplitudes: [1e-6, 1e-4]}},
  {modal_ringdown: {modes: [1], levels: {1: [100, 10]}, time: {step: 1e-4, steps: 4000}}}, fit_modal, modal_iwan,
  {impact_test: {at: [middle.centre.uz], levels: [10], modes: [1], pulse_mode: 1, time: {step: 1e-4, steps: 4000}, compare: modal_iwan}},
  {backbone: {modes: [1], methods: [qsma, rqnm, epmc, ringdown_hilbert, sweep, stepped_sine], at: middle.centre.uz}},
  {transient: {loads: [], time: {step: 1e-4, steps: 10}, initial: {u: {middle.centre.uz: 1e-4}}, record: {channels: [q3, cut_1.z.z]}}}]'
same "all kinds of analyses, checked" "$("$microslip" check "$study" --set "$all" 2>&1)" "$study: valid; 37 degrees of freedom, 2 joints, 11 analyses"
same "the same with a cut-off" "$("$microslip" check "$study" --set "$all" --set 'structure.reduce.craig_bampton={cutoff: 5000, keep: [cut_*, middle.centre]}' 2>&1)" \
  "$study: valid; 17 degrees of freedom and modes below the cut-off, 2 joints, 11 analyses"
omega() { jq -r "[.analyses[0].modes[].$3] | sort | .[$2]" "$1/summary.json"; } # by rank
shape() { values out/tables/modes_shapes.csv "$3" "$1" "$2"; } # MODE COORDINATE COLUMN

# ---- frequencies: half of the beam, clamped at 0, cut at a, symmetric or antisymmetric about L/2 ----
# w_1 = A (cosh - cos) + B (sinh - sin), w_2 = C cosh + D cos (or sinh, sin) of beta (L/2 - x); slope, moment
# and shear go on at the cut, w_2 - w_1 = -E I w'''/K. The zero of the determinant between LOW and HIGH.
beam() { # K ANTISYMMETRIC LOW HIGH
  awk -v k="$1" -v anti="$2" -v lo="$3" -v hi="$4" '
    function ch(x) { return (exp(x) + exp(-x))/2 }
    function sh(x) { return (exp(x) - exp(-x))/2 }
    function det(omega,   be, x, y, M, i, j, r, p, d, f, t, c) {
      be = sqrt(omega*sqrt(mass/EI)); x = be*a; y = be*(L/2 - a); c = k == "rigid" ? 0 : EI/k*be^3
      M[1,1] = sh(x) + sin(x); M[1,2] = ch(x) - cos(x)
      M[2,1] = ch(x) + cos(x); M[2,2] = sh(x) + sin(x)
      M[3,1] = sh(x) - sin(x); M[3,2] = ch(x) + cos(x)
      M[4,1] = cos(x) - ch(x) + c*M[3,1]; M[4,2] = sin(x) - sh(x) + c*M[3,2]
      M[1,3] = anti ? ch(y) : sh(y); M[1,4] = anti ? cos(y) : -sin(y)
      M[2,3] = anti ? -sh(y) : -ch(y); M[2,4] = anti ? sin(y) : cos(y)
      M[3,3] = anti ? ch(y) : sh(y); M[3,4] = anti ? -cos(y) : sin(y)
      M[4,3] = anti ? sh(y) : ch(y); M[4,4] = anti ? sin(y) : cos(y)
      d = 1
      for (i = 1; i <= 4; i++) {
        p = i; for (r = i; r <= 4; r++) if (M[r,i]^2 > M[p,i]^2) p = r
        if (p != i) { d = -d; for (j = 1; j <= 4; j++) { t = M[i,j]; M[i,j] = M[p,j]; M[p,j] = t } }
        d *= M[i,i]
        for (r = i + 1; r <= 4; r++) { f = M[r,i]/M[i,i]; for (j = i; j <= 4; j++) M[r,j] -= f*M[i,j] }
      }
      return d
    }
    BEGIN {
      EI = 210e9*0.04*0.012^3/12; mass = 7850*0.04*0.012; L = 0.46; a = 0.1032
      if (det(lo)*det(hi) > 0) exit
      for (i = 0; i < 60; i++) { mid = (lo + hi)/2; if (det(lo)*det(mid) <= 0) hi = mid; else lo = mid }
      printf "%.10g\n", lo
    }'
}
# The beam is 3.3 times as wide as thick and 38 times as long: plate and shear keep theory within 1 %.
near "the uncut beam of this test: (4.730041/L)^2 sqrt(EI/m)" "$(beam rigid 0 1500 2500)" \
  "$(awk 'BEGIN { printf "%.10g", (4.730041/0.46)^2*sqrt(210e9*0.04*0.012^3/12/(7850*0.04*0.012)) }')" 1e-6
near "mode 1, stuck" "$(omega out 0 omega_0)" "$(beam 5e7 0 1500 2500)" 0.01
near "mode 2, stuck" "$(omega out 1 omega_0)" "$(beam 5e7 1 4000 6000)" 0.01
near "mode 2, slipping" "$(omega out 1 omega_inf)" "$(beam 1e-3 1 1000 3000)" 0.01
near "mode 3, slipping: symmetric" "$(omega out 3 omega_inf)" "$(beam 1e-3 0 5000 7000)" 0.01
near "mode 4, slipping: antisymmetric" "$(omega out 4 omega_inf)" "$(beam 1e-3 1 6000 9000)" 0.01
runs "uncut: runs" "$study" uncut --set 'joints.cut_*.z=rigid' --set 'analyses=[modes]'
near "uncut, mode 1" "$(omega uncut 0 omega_0)" "$(beam rigid 0 1500 2500)" 0.01
near "uncut, mode 2" "$(omega uncut 1 omega_0)" "$(beam rigid 1 4000 6000)" 0.01
# What the spring takes off the frequency, better than the frequency itself.
for i in 0 1; do
  range=$([[ $i == 0 ]] && echo "0 1500 2500" || echo "1 4000 6000")
  # shellcheck disable=SC2086 # three words
  near "mode $((i + 1)): (omega_uncut/omega)^2 - 1" "$(awk -v u="$(omega uncut $i omega_0)" -v v="$(omega out $i omega_0)" 'BEGIN { print (u/v)^2 - 1 }')" \
    "$(awk -v u="$(beam rigid $range)" -v v="$(beam 5e7 $range)" 'BEGIN { print (u/v)^2 - 1 }')" 0.05
done
for i in 0 1 4; do
  near "mode $((i + 1)): the reduced model beside the full one" "$(omega out $i omega_0)" "$(jq -r ".analyses[0].full.omega_0[$i]" out/summary.json)" 1e-3
done

# ---- cut where there is no moment ----
runs "hinged: runs" "$study" hinged --set 'joints.cut_*.ry=free' --set 'analyses=[modes]'
near "a hinge at the cuts does not matter to mode 1" "$(omega hinged 0 omega_0)" "$(omega out 0 omega_0)" 1e-4
within "and does to mode 2: omega over that before" "$(awk -v a="$(omega hinged 1 omega_0)" -v b="$(omega out 1 omega_0)" 'BEGIN { print a/b }')" 0.6 0.75
# When both cuts slip nothing carries the middle: it is free along z, 1/sqrt(mass) everywhere.
rigid=$(jq '.analyses[0].modes[] | select(.mode_inf == 1).mode' out/summary.json)
same "slipping: one rigid motion" "$(jq '[.analyses[0].modes[].omega_inf | select(. == 0)] | length' out/summary.json)" 1
for c in cut_1.b.uz middle.centre.uz cut_2.b.uz; do
  near "slipping: $c" "$(shape "$rigid" $c slipped | tr -d -)" "$(awk 'BEGIN { print 1/sqrt(7850*0.2536*0.04*0.012) }')" 1e-5
done

# ---- symmetry ----
jump() { awk -v a="$(shape "$1" "cut_$2.a.uz" stuck)" -v b="$(shape "$1" "cut_$2.b.uz" stuck)" 'BEGIN { printf "%.12g", b - a }'; }
near "mode 1: both cuts slide alike" "$(jump 1 1)" "$(jump 1 2)" 1e-8
near "mode 2: against each other" "$(jump 2 1)" "-$(jump 2 2)" 1e-8
report "forced at the centre: the same force and loss in both cuts, to 1e-7" "$(awk -F, '
  $3 == "cut_1.z" { f = $7; l = $8 } $3 == "cut_2.z" { n++; e = $7/f - 1; g = $8/l - 1; if (e^2 > 1e-14 || g^2 > 1e-14) print $0 }
  END { if (n < 100) print n " points" }' out/tables/frequency_response_joints.csv)"

# ---- friction ----
# A cut gives away 4 R z^(chi + 3)/((chi + 2)(chi + 3)) per cycle. The beam is much softer than a cut, so that
# the shear force is that of the stuck mode, K_T gamma q, and z what the virgin curve has there.
value() { # MODE COLUMN METHOD q, interpolated in the logarithms
  awk -F, -v m="$1" -v k="$2" -v method="$3" -v q="$4" '$1 == m && $2 == method {
    if ($3 >= q*(1 - 1e-9)) { if (!n) print $k; else { t = log(q/x)/log($3/x); print exp((1 - t)*log(y) + t*log($k)) } exit }
    x = $3; y = $k; n++ }' out/tables/backbone.csv
}
closed() { # MODE q
  awk -v gamma="$(jump "$1" 1)" -v q="$2" -v w="$(omega out $(($1 - 1)) omega_0)" 'BEGIN {
    F = 450; K = 5e7; c = -0.5; b = 0.4; phi = F*(1 + b)/(K*(b + (c + 1)/(c + 2))); R = K*(c + 1)/(phi^(c + 1)*(1 + b))
    z_0 = gamma*q; if (z_0 < 0) z_0 = -z_0
    for (z = z_0; i < 50; i++) z = z_0 + R*z^(c + 2)/(K*(c + 1)*(c + 2))
    print 2*4*R*z^(c + 3)/((c + 2)*(c + 3))/(2*3.14159265358979*w^2*q^2) }'
}
for m in 1 2; do
  for q in 1e-6 3e-6 1e-5; do
    for method in qsma epmc; do near "mode $m, $method: zeta_joint at $q" "$(value $m 6 $method $q)" "$(closed $m $q)" 0.01; done
  done
done
within "damping of mode 1 at the largest amplitude over the structure's own" "$(awk -F, '$1 == 1 && $2 == "epmc" { z = $5 } END { print z/5e-4 }' out/tables/backbone.csv)" 10 13
report "backbones: complete" "$(awk -F, 'NR > 1 && $4 != "complete"' out/tables/backbone_curves.csv)"
# A resonance has 2 zeta omega^2 q = phi F, zeta that of the nonlinear mode at the amplitude.
phi=$(shape 1 middle.centre.uz stuck | tr -d -)
awk -F, 'NR > 1 { print $1, $10, $11 }' out/tables/frequency_response_levels.csv >peaks
while read -r F w u; do
  near "peak at $F N" "$(awk -v p="$phi" -v F="$F" -v w="$w" -v z="$(value 1 5 epmc "$(awk -v u="$u" -v p="$phi" 'BEGIN { print u/p }')")" 'BEGIN { print p^2*F/(2*z*w^2) }')" "$u" 0.01
done <peaks
same "six peaks" "$(wc -l <peaks)" 6

finish
