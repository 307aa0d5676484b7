#!/bin/bash
# --display: tables in the units that were asked for, against those in SI; results.h5 and summary.json stay as they are.
source "$(dirname "$0")/checks.sh"
sed '/^analyses:/,$d' "$source_dir/examples/three-mass/study.yaml" >study.yaml
cat >>study.yaml <<'YAML'
analyses:
  - modes
  - backbone: {methods: [qsma], amplitudes: {2: {from: 0.02, to: 4200, points: 12}}}
YAML
runs "SI" study.yaml si
runs "for people" study.yaml people --display hz,percent,displacement@u3
runs "for others" study.yaml others --display rad,q,acceleration@u3
table() { echo "$1/tables/backbone.csv"; }
same "headings" "$(head -n 1 "$(table people)" | cut -d, -f3-5)" 'q [m],omega [Hz],zeta [%]'
same "headings of others" "$(head -n 1 "$(table others)" | cut -d, -f3-5)" 'q [m/s^2],omega [rad/s],zeta [Q]'
# of row 2, mode 1: |phi| of u3 from the mode shapes in results.h5, of which the first column is mode 1
phi=$("$build_dir/tests/results_dump" si/results.h5 structure/stuck/shape | sed -n 3p | tr -d -)
read -r q omega zeta <<<"$(cells "$(table si)" 1 q omega zeta)"
read -r x f percent <<<"$(cells "$(table people)" 1 q omega zeta)"
read -r a again Q <<<"$(cells "$(table others)" 1 q omega zeta)"
near "displacement at u3" "$x" "$(awk "BEGIN { printf \"%.15g\", $q*$phi }")" 1e-9
near "Hz" "$f" "$(awk "BEGIN { printf \"%.15g\", $omega/(8*atan2(1, 1)) }")" 1e-9
near "percent" "$percent" "$(awk "BEGIN { printf \"%.15g\", 100*$zeta }")" 1e-9
near "acceleration at u3" "$a" "$(awk "BEGIN { printf \"%.15g\", $q*$phi*$omega^2 }")" 1e-9
near "Q" "$Q" "$(awk "BEGIN { printf \"%.15g\", 1/(2*$zeta) }")" 1e-9
same "rad/s" "$again" "$omega"
check "results.h5 is in SI" cmp si/results.h5 people/results.h5
check "summary.json, too" cmp si/summary.json people/summary.json
like "columns.csv has the units of the tables" "$(grep '^backbone,omega,' people/columns.csv)" 'backbone,omega,Hz,*'
refused() { # TEXT PATTERN WORDS
  "$microslip" run study.yaml --out refused --display "$3" >out 2>error
  local code=$?
  report "refused: $1" "$([[ $code == 2 && $(cat error) == $2 && ! -e refused ]] || echo "exit code $code: $(cat error)")"
}
refused "a word" '*percent*' hz,precent
refused "a sensor" '*u9*' displacement@u9
finish
