#!/bin/bash
# examples/ministack against SAND2017-10517 (Kuether, Najera 2017), sections 4.2 and 5.2: the axial mode of the
# slug, its frequency and damping by shocks, sweeps, quasi-static analysis and nonlinear modes.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/ministack
# ---- the model ----
runs "reduces" "$example/study.yaml" model --set 'analyses=[{modes: {full: 0}}]'
mode() { jq -r ".analyses[0].$1" model/summary.json; }
same "25 coordinates, one of them held, and 25 modes" "$(mode 'modes | length')" 49
near "axial mode of the slug, Hz" "$(mode 'modes[0].omega_0/6.283185307179586')" 2171 0.01
# 24-sided rings of the five parts.
near "mass" "$(mode effective_mass.total)" "$(awk 'BEGIN { pi = 4*atan2(1, 1); a = 2*pi/24
  r = 0.0381; R = 0.047625; Q = 0.05715
  foam = 2*0.01397*R^2 + 0.1016*(R^2 - r^2); slug = 0.1016*r^2
  can = 0.01905*Q^2 + (0.12954 + 0.0254)*(Q^2 - R^2); steel = 0.0127*R^2 + 0.0127*(R^2 - r^2)
  printf "%.10g", pi*sin(a)/a*(288.6*foam + 2644*(slug + can) + 7800*steel) }')" 1e-6
report "it moves along z alone" "$(mode 'effective_mass | [.x[0], .y[0]][] | select(. > 1e-12)')"
within "with the slug and part of the foam, kg" "$(mode effective_mass.z[0])" 1.22 1.5

# ---- Figures 15 to 20, fewer sweeps ----
{
  sed -n '1,/^structure/p' "$example/study.yaml" | sed '$d'
  echo 'structure: {reduced: model/reduced.h5, damping: {modal: 0.005}}'
  sed -n '/^joints/,$p' "$example/study.yaml" | sed 's/{full: 2, vtu: \[1\]}/{}/; s/count: 100/count: 9/; s/modes: {}/modes/'
} >study.yaml
runs "the study on its reduced model runs" study.yaml out
keep out
near "the same model" "$(jq -r '.analyses[0].modes[0].omega_0' out/summary.json)" "$(mode 'modes[0].omega_0')" 1e-9

# Figures 15, 16: the shock of 5000 g shakes the slug at the slipped frequency first, and at the stuck one in the end.
report "frequency rises all the time" "$(columns out/tables/figure16_ridge.csv f | awk '$1 < last { print last, $1 } { last = $1 }')"
within "frequency at first, Hz" "$(columns out/tables/figure16_ridge.csv f | head -n 1)" 1940 1980
within "frequency at last, Hz" "$(columns out/tables/figure16_ridge.csv f | tail -n 1)" 2150 2181

# Figures 17, 19, 20: methods beside each other; nonlinear modes are the reference.
difference() { awk -F, -v m="$1" 'NR > 1 && $2 == m { print $4, $6 }' out/tables/backbone_differences.csv; }
read -r omega zeta <<<"$(difference ringdown_stft)"
within "shocks by STFT: omega, median" "$omega" -3e-4 3e-4
within "shocks by STFT: zeta, median" "$zeta" -0.01 0.01
read -r omega zeta <<<"$(difference sweep)"
within "sweeps: omega, median" "$omega" -3e-4 3e-4
within "sweeps: zeta, median" "$zeta" -0.05 0.05
same "sweeps: nine resonances" "$(columns out/tables/backbone.csv method | grep -c sweep)" 9
# Quasi-static analysis keeps the shape of the stuck mode: it is stiff, the more the more slips.
excess() { # FROM TO of |q|: relative difference in omega at the same rows
  columns out/tables/backbone.csv method q omega | awk -v a="$1" -v b="$2" '
    $1 == "qsma" { n++; q[n] = $2; w[n] = $3 } $1 == "epmc" { m++; Q[m] = $2; W[m] = $3 }
    END { for (i = 1; i <= n; i++) { if (q[i] < a || q[i] > b) continue
      for (j = 1; j < m; j++) if (Q[j] <= q[i]*(1 + 1e-9) && Q[j + 1] >= q[i]) { t = log(q[i]/Q[j])/log(Q[j + 1]/Q[j])
        print w[i]/(W[j] + t*(W[j + 1] - W[j])) - 1; break } } }'
}
excess 1e-8 3e-5 | sort -g >microslip
within "quasi-static in microslip: smallest excess of omega" "$(head -n 1 microslip)" 0 1e-3
within "and largest" "$(tail -n 1 microslip)" 0 1e-3
excess 1e-4 1e-3 | sort -g >macroslip
within "quasi-static in macroslip: median of the excess" "$(awk '{ a[NR] = $1 } END { print a[int((NR + 1)/2)] }' macroslip)" 3.5e-3 4.7e-3
within "and largest" "$(tail -n 1 macroslip)" 3.5e-3 5.5e-3
within "total damping at small amplitude" "$(columns out/tables/backbone.csv zeta | head -n 1)" 0.005 0.0056

# ---- the report's mesh ----
number() { sed -nE "s/^ *$1: \[?([0-9, ]+)\]?\$/\1/p" "$example/fine.yaml" | head -n 1; }
same "406,720 elements" "$(awk -v core="$(number core)" -v rings="$(number rings)" -v layers="$(number layers)" 'BEGIN {
  split(rings, r, ", "); n = split(layers, l, ", "); all = core^2 + 4*core*(r[1] + r[2] + r[3])
  for (i = 1; i < n; i++) sum += all*l[i]; print sum + 4*core*(r[2] + r[3])*l[n] }')" 406720
runs "its study is valid, on few elements" "$example/fine.yaml" fine \
  --set structure.fe.parts.can.rings.core=2 --set 'structure.fe.parts.can.rings.rings=[1, 1, 1]' \
  --set 'structure.fe.parts.can.rings.layers=[1, 2, 3, 2, 1, 1]' --set structure.reduce.craig_bampton.modes=6

finish
