#!/bin/sh
# usage: scripts/run-default.sh
#
# What `make run` shows: the example of a lap joint, its numbers in a few words, its picture.
# BUILD_DIR is where results go (build), MICROSLIP the command (BUILD_DIR/microslip).
set -eu
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
out=$build/run/lap-joint
MICROSLIP=${MICROSLIP:-$build/microslip} examples/lap-joint/run.sh "$out"

# The smallest cycle, and the largest, which is in macroslip. awk comes with every system, jq does not.
awk -F, '
  NR == 1 { next }
  NR == 2 { K_small = $3 }
  { if (NR > 2) { A_old = A; D_old = D } A = $1; F = $2; K = $3; D = $4; E = $5 }
  NR == 3 { slope = log(D/D_old)/log(A/A_old) }
  { e = D/E - 1; if (e < 0) e = -e; if (e > worst) worst = e }
  END {
    printf "lap joint (iwan4): F_S = %.4g N, stiffness from %.3g N/m (microslip) to %.3g N/m (macroslip, %.3g m)\n", F, K_small, K, A
    printf "energy lost in a cycle: %.3g J at %.3g m, slope %.2f in microslip, closed form to %.0e\n", D, A, slope, worst
  }' "$out/cycles.csv"
echo "picture: $out/loops.svg"
