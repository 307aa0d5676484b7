#!/bin/sh
# usage: examples/lap-joint/run.sh FOLDER
#
# Writes loops.svg, cycles.csv, cycles.json, ringdown.svg and ringdown.csv into FOLDER, which is
# made if need be. MICROSLIP names the command; without it, the one on the path.
set -eu
if [ $# != 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
here=$(dirname "$0")
out=$1
microslip=${MICROSLIP:-microslip}
mkdir -p "$out"

set -- --set F_S=4000 --set K_T=1e8 --set chi=-0.5 --set beta=1 # phi_max = 6e-5 m
"$microslip" joint iwan4 "$@" --cycle 6e-6,2e-5,4e-5,6e-5,8e-5,1e-4 --json \
  --plot "$out/loops.svg" --csv "$out/cycles.csv" >"$out/cycles.json"
"$microslip" joint iwan4 "$@" --path "$here/ringdown.csv" \
  --plot "$out/ringdown.svg" --csv "$out/ringdown.csv" >/dev/null
