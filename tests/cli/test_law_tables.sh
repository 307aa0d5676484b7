#!/bin/bash
# Parameters of laws that are tables: lists in the study file, or a file beside it.
source "$(dirname "$0")/checks.sh"

# study DENSITY [UNITS MASS SPRING]: the stuck frequency shows the stiffness of the table.
study() {
  cat <<YAML
microslip: 1
units: ${2:-SI}
structure:
  chain: {masses: {x: ${3:-1.3}}, springs: [[ground, x, ${4:-61}]]}
joints:
  lap: {law: iwan_table, between: [ground, x], density: $1}
analyses: [modes]
YAML
}
omega() { awk -F, 'NR == 2 { print $2 }' "$1/tables/modes.csv"; }
# K = int rho + S: (1.1 + 2.3)/2 e6 1.2e-5 + (2.3 + 0.4)/2 e6 0.7e-5 + 26
reference=$(awk 'BEGIN { K = 1.7e6*1.2e-5 + 1.35e6*0.7e-5 + 26; printf "%.12g", sqrt((61 + K)/1.3) }')

lists='{phi: [3e-6, 1.5e-5, 2.2e-5], rho: [1.1e6, 2.3e6, 4e5], S: [0, 26, 0]}'
study "$lists" >lists.yaml
report "lists" "$(run_study lists)"
near "lists: stuck frequency" "$(omega lists)" "$reference" 1e-10

study "$lists" >smooth.yaml
sed -i 's/, S: .*/}}/' smooth.yaml
report "lists without S" "$(run_study smooth)"
near "lists without S: stuck frequency" "$(omega smooth)" \
  "$(awk 'BEGIN { printf "%.12g", sqrt((61 + 1.7e6*1.2e-5 + 1.35e6*0.7e-5)/1.3) }')" 1e-10

printf 'remark,S [N/m],rho [N/m^2],phi [m]\na,0,1.1e6,3e-6\nb,26,2.3e6,1.5e-5\nc,0,4e5,2.2e-5\n' >density.csv
study '{file: density.csv}' >file.yaml
report "a file, by the names of its columns" "$(run_study file)"
near "file: stuck frequency" "$(omega file)" "$reference" 1e-10

# mm, tonne, N: phi in mm, rho in N/mm^2, S in N/mm; K = 0.05585 N/mm.
mm='{length: mm, mass: tonne, force: N}'
study '{phi: [3e-3, 1.5e-2, 2.2e-2], rho: [1.1, 2.3, 0.4], S: [0, 0.026, 0]}' "$mm" 0.0013 0.061 >mm.yaml
report "lists in other units" "$(run_study mm)"
near "mm: stuck frequency" "$(omega mm)" "$reference" 1e-10
printf 'phi [mm],rho [N/mm^2],S\n3e-3,1.1,0\n1.5e-2,2.3,0.026\n2.2e-2,0.4,0\n' >mm.csv
study '{file: mm.csv}' "$mm" 0.0013 0.061 >mm_file.yaml
report "a file in other units" "$(run_study mm_file)"
near "mm file: stuck frequency" "$(omega mm_file)" "$reference" 1e-10
# What identify_density writes is SI in every study.
printf 'phi [m],rho [N/m^2],S [N/m],trusted\n3e-6,1.1e6,0,1\n1.5e-5,2.3e6,26,1\n2.2e-5,4e5,0,0\n' >ours.csv
study '{file: ours.csv}' "$mm" 0.0013 0.061 >ours.yaml
report "a file of our own" "$(run_study ours)"
near "ours: stuck frequency" "$(omega ours)" "$reference" 1e-10

bad() { # DENSITY WORDS [UNITS]
  study "$1" "${3:-SI}" >bad.yaml
  refused_bad "$2"
}
bad '3.1' 'density is a table|file'
bad '{phi: [1, 2]}' "density needs 'rho'"
bad '{phi: [1, 2], rho: [3]}' '2 of phi and 1 of rho'
bad '{phi: [1, 2], rho: [3, 4], s: [1, 2]}' "did you mean 'S'"
bad '{phi: [1, 2], rho: [3, -4]}' 'row 2'
bad '{file: none.csv}' 'none.csv'
bad '{file: density.csv, phi: [1]}' 'lists or a file'
bad '{file: density.csv}' "column 'phi' is in [m]|units of the study" "$mm"
printf 'phi,rho\n2e-5,1e6\n1e-5,1e6\n' >falls.csv
bad '{file: falls.csv}' 'falls.csv|row 2'
printf 'phi,r\n2e-5,1e6\n' >lacks.csv
bad '{file: lacks.csv}' "lacks.csv has no column 'rho'"
printf 'phi,rho,S\n0,3e11,\n1e-4,3e11,6e7\n' >blank.csv
bad '{file: blank.csv}' "blank.csv:2: column 'S' has '' instead of a number"
printf 'phi,rho,S (N/m)\n0,3e11,0\n1e-4,3e11,6e7\n' >round.csv
bad '{file: round.csv}' "round.csv: column 'S (N/m)' is not 'S'"
printf 'phi,rho,s\n0,3e11,0\n1e-4,3e11,6e7\n' >small.csv
bad '{file: small.csv}' "column 's' is not 'S'"

finish
