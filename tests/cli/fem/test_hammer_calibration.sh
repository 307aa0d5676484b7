#!/bin/bash
# examples/hammer-calibration: the joints through the test, and held-out hits by them and by the usual
# ways, as the page says; with a chain that is far shorter than the page's.
source "$(dirname "$0")/../checks.sh"

runs "runs" "$source_dir/examples/hammer-calibration/study.yaml" out \
  --set analyses.7.calibrate.steps=12 --set analyses.7.calibrate.burn=2 --set analyses.7.calibrate.walkers=10
keep out
# value PARAMETER
value() { parameter out/tables/through.csv "bolt.*.$1" fit; }
near "F_S" "$(value F_S)" 30.7 0.01
near "K_T" "$(value K_T)" 4.73e8 0.01
near "chi" "$(value chi)" -0.23 0.08
near "beta" "$(value beta)" 0.46 0.08
# failure HIT MODE BY COLUMN
failure() { values out/tables/predict_errors.csv "$4" "$1" "$2" "$3"; }
for hit in tip_5 inner_20; do
  for mode in 7 8; do
    within "$hit, mode $mode, through the test: rms" "$(failure $hit $mode through zeta_rms)" 1e-9 0.03
    within "$hit, mode $mode, through the test: largest" "$(failure $hit $mode through zeta_largest)" 1e-9 0.05
    within "$hit, mode $mode, quasi-static: rms" "$(failure $hit $mode quasistatic zeta_rms)" 0.1 0.4
    within "$hit, mode $mode, modal model: rms" "$(failure $hit $mode modal zeta_rms)" 0.07 0.4
  done
done

finish
