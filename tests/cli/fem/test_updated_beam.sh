#!/bin/bash
# examples/updated-beam: the numbers of truth.yaml are found again from its modes with noise, and the
# page says what comes out; by order it goes wrong.
source "$(dirname "$0")/../checks.sh"
example=$source_dir/examples/updated-beam
value() { parameter out/tables/update.csv "$1" "$2"; } # PARAMETER COLUMN

# ---- the table: modes of truth.yaml with 0.1 % of noise ----
runs "truth runs" "$example/truth.yaml" truth
f() { values truth/tables/modes.csv f_0 "$1"; }
row=2
for mode in 1 2 3 5; do
  near "measured mode $mode" "$(sed -n "${row}s/,.*//p" "$example/measured.csv")" "$(f $mode)" 0.003
  row=$((row + 1))
done

# ---- the study ----
runs "runs" "$example/study.yaml" out
near "E" "$(value structure.fe.materials.steel.E value)" 2.03e11 0.006
near "clamp about y" "$(value joints.clamp.ry.K value)" 4310 0.005
near "clamp about z" "$(value joints.clamp.rz.K value)" 26000 0.005
near "the page: E" "$(value structure.fe.materials.steel.E value)" 201.98e9 1e-4
near "the page: clamp about y" "$(value joints.clamp.ry.K value)" 4321.4 1e-4
near "the page: clamp about z" "$(value joints.clamp.rz.K value)" 25892 1e-4
near "the page: standard error of E" "$(value structure.fe.materials.steel.E standard_error)" 0.34e9 0.02
same "the mode that was missed" "$(cut -d, -f9 out/tables/update_modes.csv | tr '\n' ' ')" 'mode 1 2 3 5 '
for k in 0 1 2 3; do
  within "MAC of pair $((k + 1))" "$(cells out/tables/update_modes.csv $k mac)" 0.999 1
  within "its frequency's error" "$(cells out/tables/update_modes.csv $k error)" -3.1e-4 3.1e-4
done

# ---- by order, with clamps that are right ----
runs "by order" "$example/study.yaml" order --set structure.fe.parts.beam.element=hex8 \
  --set 'analyses.0.update={parameters: {structure.fe.materials.steel.E: [1.8e11, 2.3e11]}, measured: {frequencies: [30.07, 74.69, 248.23, 756.19]}}' \
  --set joints.clamp.ry.K=4321 --set joints.clamp.rz.K=25892
same "the modulus runs into its bound" "$(jq '.analyses[0].parameters[0].at_bound' order/summary.json)" 1
within "and nothing fits" "$(jq '.analyses[0].scatter' order/summary.json)" 20 1000

finish
