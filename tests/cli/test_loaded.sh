#!/bin/bash
# A joint under a normal spring, from the study file to its channels.
source "$(dirname "$0")/checks.sh"

cat >study.yaml <<'YAML'
microslip: 1
structure:
  chain: {masses: {x: 1.3, y: 0.9}, springs: [[ground, x, 61], [ground, y, 23]]}
  damping: {modal: 0.03}
joints:
  support:
    law: iwan_uniform
    between: [ground, x]
    F_S: 2.9
    K_T: 47
    normal: {between: [ground, y], K_n: 190, preload: 2.4, reference: 1.9, stiffness: proportional}
loads:
  push: {at: x, sine: {amplitude: 5.3, frequency: 1.4}}
  lift: {at: y, sine: {amplitude: 4.4, frequency: 1.4}}
analyses:
  - transient:
      time: {step: 1e-3, steps: 3000}
      record: {channels: [x, y, support.z, support.f, support.z2, support.f2, support.N]}
YAML
report "a study runs" "$(run_study study)"
# N = max(0, 2.4 + K_n z2), f2 = N - 2.4; apart nothing is carried along x.
follows() { # TEXT RUN K_n
  report "$1" "$(awk -F, -v K="$3" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
    { N = 2.4 + K * $at["support.z2"]; if (N < 0) { N = 0; apart++ }
      worst = 0; e = $at["support.N"] - N; if (e < 0) e = -e; if (e > worst) worst = e
      e = $at["support.f2"] - N + 2.4; if (e < 0) e = -e; if (e > worst) worst = e
      if (N == 0 && $at["support.f"] + 0 != 0) worst = 1
      if (worst > 1e-12) { print "row " NR ": " $0; exit } }
    END { if (!(apart > 100)) print "apart in " apart " rows only" }' "$2/tables/transient.csv")"
}
follows "load and forces in every row" study 190
sed '/record:/d; s/steps: 3000/steps: 30/' study.yaml >all.yaml
report "without a list of channels: runs" "$(run_study all)"
same "all of them are recorded" "$(head -n 1 all/tables/transient.csv | sed 's/ \[[^]]*\]//g' | cut -d, -f2-)" x,y,support.z,support.f,support.z2,support.f2,support.N
missing=$(grep -A12 '"energy"' study/summary.json | tr -d ' ,"' | sed -n 's/^balance://p')
input=$(grep -A12 '"energy"' study/summary.json | tr -d ' ,"' | sed -n 's/^input://p')
within "energy missing of what went in" "$(awk -v m="$missing" -v i="$input" 'BEGIN { print m/i }')" -2e-3 2e-3

# The report names the law that is loaded, with its values, and the spring.
facts() { # RUN: what the page says of the joint
  tr -d '\n' <"$1/report.html" | sed 's/.*Joint support://; s/<sub>/_/g; s/<\/sub>//g; s/<[^>]*>/ /g; s/\xc2\xa0/ /g; s/  */ /g' | head -c 500
}
told() { # NAME RUN LINE...
  local said missing='' line
  said=$(facts "$2")
  for line in "${@:3}"; do grep -qF "$line" <<<"$said" || missing+="'$line' is not in: $said"$'\n'; done
  report "$1" "$missing"
}
told "the report: a law under a normal spring" study 'iwan_uniform' 'F_S 2.9 N' 'K_T 47 N/m' \
  'normal spring K_n 190 N/m' 'preload 2.4 N' 'reference load 1.9 N' 'in proportion to the load'
sed 's/K_n: 190, /hertz: {radius: 0.31, length: 0.23, E: 870, nu: 0.29}, /; s/: proportional/: {load: [1.3, 2.7], values: [5.1, 8.3]}/' \
  study.yaml >hertz.yaml
report "by Hertz, with a table: runs" "$(run_study hertz)"
# The slope of the load over the approach (Johnson, Contact Mechanics, eq. 4.58) at the preload.
follows "by Hertz: K_n is the tangent at the preload" hertz "$(awk 'BEGIN { r = 0.31; l = 0.23; E = 870; nu = 0.29; pi = atan2(0, -1)
  a = sqrt(8 * 2.4/l * r * (1 - nu^2)/(pi * E)); printf "%.17g", l * pi * E/(1 - nu^2)/(2 * log(4 * r/a) - 2) }')"
told "the report: a table of stiffness" hertz 'normal spring K_n ' 'in proportion to 1.3 N: 5.1, 2.7 N: 8.3'
sed 's/: proportional/: [0.7, 0.11, 0.013]/' study.yaml >cubic.yaml
report "with a polynomial: runs" "$(run_study cubic)"
told "the report: a polynomial" cubic 'in proportion to 0.7 + 0.11 N + 0.013 N^2'

bad() { # SED WORDS
  sed "$1" study.yaml >bad.yaml
  refused_bad "$2"
}
bad 's/preload: 2.4/preload: -1/' 'preload must be >= 0, not -1|do not pull'
bad 's/K_n: 190, //' 'needs one of K_n and hertz'
bad 's/K_n: 190, /&hertz: {radius: 1, length: 1, E: 1, nu: 0.3}, /' 'give K_n or hertz, not both'
bad 's/proportional/quadratic/' 'quadratic|constant'
bad 's/proportional/[1, -1]/' 'must not be negative'
bad 's/proportional/{load: [1, 2], values: [3]}/' '2 loads and 1 values'
bad 's/K_n/k_n/' "did you mean 'K_n'"
bad 's/ground, y\], K_n/ground, nowhere], K_n/' 'nowhere'
bad 's/law: iwan_uniform/law: gap/; s/F_S: 2.9/g: 0.1/; s/K_T: 47/K: 3/' 'does not depend on a normal load'
bad 's/support.N\]/support.N2]/' 'support.N2'
# What belongs to a joint is not passed over in one of its laws.
sed -E '/^ +(law|F_S|K_T|normal|between): /d; s/^  support:/&\n    laws: [{law: iwan_uniform, F_S: 2.9, K_T: 47, normal: {K_n: 9}}]\n    between: [ground, x]/' study.yaml >bad.yaml
refused_bad "not to one of its laws"

finish
