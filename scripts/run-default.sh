#!/bin/sh
# usage: scripts/run-default.sh
#
# What `make run` shows: the three-mass study, its numbers in a few words, its report.
# BUILD_DIR is where results go (build), MICROSLIP the command (BUILD_DIR/microslip).
set -eu
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
out=$build/run/three-mass
mkdir -p "$out"
"${MICROSLIP:-$build/microslip}" run examples/three-mass/study.yaml --out "$out" >/dev/null

# awk comes with every system, jq does not.
echo "three masses, one lap joint: one mode hit at a time, then one mass"
awk -F, '
  FNR == 1 { gsub(/ \[[^]]*\]/, ""); split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
  FILENAME ~ /modes.csv$/ { stuck[$1] = $c["omega_0"]; slipped[$1] = $c["omega_inf"]; zeta_0[$1] = $c["zeta_0"]; next }
  FILENAME ~ /modal_ringdown.csv$/ { if ($c["zeta"] > top[$1]) { top[$1] = $c["zeta"]; at[$1] = $c["q"] } next }
  $2 == "printed" {
    printf "mode %d: %.6f rad/s stuck, %.6f slipping; damping %.1e, at most %.1e (|q| = %.0f)\n", $1, stuck[$1], slipped[$1], zeta_0[$1], top[$1], at[$1]
    printf "        modal Iwan: K_inf %.4f, F_S %.4g, K_T %.4g, chi %.4f, beta %.3f (rms ln zeta %.4f)\n", $3, $5, $6, $7, $8, $9
  }' "$out/tables/modes.csv" "$out/tables/modal_ringdown.csv" "$out/tables/fit_modal.csv"
awk -F, '
  $1 == 2 && $2 == "u2 p=30" && $4 > 0.45 && $4 < 0.55 { n++; sum += $7 }
  END { printf "mass 2 hit: mode 2 damped %.2f times as much as its modal model says (|q| near 0.5)\n", sum/n }
  ' "$out/tables/impact_test_compare.csv"
echo "report: $out/report.html"
