#!/bin/bash
# examples/hammer-calibration: the joints through the test, and held-out hits by them and by the usual
# ways, as the page says; with a chain that is far shorter than the page's.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
# What MPI keeps until the end is not ours to free.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
source "$source_dir/tests/cli/checks.sh"

report "runs" "$("$microslip" run "$source_dir/examples/hammer-calibration/study.yaml" --out out \
  --set analyses.7.calibrate.steps=12 --set analyses.7.calibrate.burn=2 2>error >/dev/null || cat error)"
# value PARAMETER
value() { awk -F, -v p="bolt.*.$1" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == "fit") k = i } $1 == p { print $k }' out/tables/through.csv; }
near "F_S" "$(value F_S)" 30.7 0.01
near "K_T" "$(value K_T)" 4.73e8 0.01
near "chi" "$(value chi)" -0.23 0.08
near "beta" "$(value beta)" 0.46 0.08
# failure HIT MODE BY: rms of the damping's relative error, and the largest
failure() { awk -F, -v h="$1" -v m="$2" -v b="$3" -v k="$4" '$1 == h && $2 == m && $3 == b { print $k }' out/tables/predict_errors.csv; }
for hit in tip_5 inner_20; do
  for mode in 7 8; do
    within "$hit, mode $mode, through the test: rms" "$(failure $hit $mode through 6)" 1e-9 0.03
    within "$hit, mode $mode, through the test: largest" "$(failure $hit $mode through 7)" 1e-9 0.05
    within "$hit, mode $mode, quasi-static: rms" "$(failure $hit $mode quasistatic 6)" 0.1 0.4
    within "$hit, mode $mode, modal model: rms" "$(failure $hit $mode modal 6)" 0.07 0.4
  done
done
echo "1..$n_tests"
[[ $n_failed == 0 ]]
