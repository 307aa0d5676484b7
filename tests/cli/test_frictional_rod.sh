#!/bin/bash
# examples/frictional-rod: the study runs without a structure, and the numbers on its page are right;
# pressures from a table; what is refused.
source "$(dirname "$0")/checks.sh"
folder=$source_dir/examples/frictional-rod

cp "$folder/study.yaml" .
report "the example runs" "$(run_study study --figures)"
for picture in displacements:masses_64-2 power:power-1 masses:against_masses-2 amplitude:against_amplitude-2 \
  omega:against_omega-2; do
  drawn "${picture%:*}.svg: as it is drawn today" "$folder/${picture%:*}.svg" "study/figures/${picture#*:}.svg"
done

# ---- what the page says ----
work() { parameter "study/tables/$1.csv" "$2" "$3"; } # ANALYSIS MASSES COLUMN
near "4 masses" "$(work against_masses 4 work)" -0.0163076 1e-5
near "32 masses" "$(work against_masses 32 work)" -0.0150919 1e-4
near "256 masses" "$(work against_masses 256 work)" -0.0150665 1e-4
near "without inertia, 4 masses" "$(work against_masses 4 loss_masses)" 0.0155675054 1e-8
near "without inertia, the rod" "$(work against_masses 4 loss_rod)" 0.0148818849 1e-8
same "no step took the slower iteration" "$(for a in masses amplitude omega; do awk -F, 'NR > 1 && $8 != 0' "study/tables/against_$a.csv"; done)" ''
exponent() { jq ".analyses[] | select(.name == \"$1\") | .$2" study/summary.json; }
within "exponent of the amplitude" "$(exponent against_amplitude exponent_amplitude)" 2.66 2.69
near "and on the page" "$(exponent against_amplitude exponent_amplitude)" 2.679 2e-4
within "exponent of the frequency" "$(exponent against_omega exponent_omega)" 0 0.005
near "slowly shaken, as without inertia" "$(awk -F, 'NR == 2 { print -$4/$5 }' study/tables/against_omega.csv)" 1 5e-5
same "25 of 64 masses slip" \
  "$(awk -F, 'NR > 1 && $5 == 1 { m[$2] } END { print length(m) }' study/tables/masses_64_displacement.csv)" 25
near "the power is that of the work" \
  "$(awk -F, 'NR > 1 { s += $6*6.283185307179586/0.25/400 } END { printf "%.17g", s }' study/tables/masses_64_cycle.csv)" \
  "$(work masses_64 64 work)" 1e-9

# ---- a table, threads, going on ----
{
  echo x,psi
  awk 'BEGIN { for (i = 0; i <= 400; i++) { x = (i/400)^2; printf "%.17g,%.17g\n", x, 3*sqrt(x) } }'
} >psi.csv
rod() { # PRESSURE OPTIONS
  printf 'microslip: 1\nanalyses:\n  - rod: {pressure: %s%s}\n' "$1" "$2"
}
rod '{table: psi.csv}' ', masses: [8, 16], steps: 4000' >table.yaml
rod '{beta: 1.5}' ', masses: [8, 16], steps: 4000' >power.yaml
report "a table" "$(run_study table --threads 1)"
report "the law that it samples" "$(run_study power --threads 2)"
near "their work" "$(cells table/tables/rod.csv 1 work)" "$(cells power/tables/rod.csv 1 work)" 1e-4
cp table.yaml again.yaml
report "two threads" "$(run_study again --threads 2)"
same "give the same" "$(diff -r table/tables again/tables)" ''

# ---- refused ----
refused() { # WORDS PRESSURE OPTIONS
  rod "$2" "$3" >bad.yaml
  refused_bad "$1"
}
printf 'microslip: 1\nanalyses:\n  - rod: {masses: 8}\n' >bad.yaml
refused_bad "needs 'pressure'"
refused 'amplitude must be >= 1e-06 and <= 0.999, not 1.2' '{beta: 1.5}' ', amplitude: 1.2'
refused 'either {beta' '{beta: 1.5, table: psi.csv}' ''
refused 'beta' '{beta: -2}' ''
printf 'x,psi\n0,1\n0.5,0\n0.7,0\n1,1\n' >psi.csv
refused 'rows 2 and 3' '{table: psi.csv}' ''
printf 'x,pressure\n0,1\n1,1\n' >psi.csv
refused "no column 'psi'" '{table: psi.csv}' ''

finish
