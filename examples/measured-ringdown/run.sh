#!/bin/sh
# usage: examples/measured-ringdown/run.sh FOLDER
#
# Writes table.csv, picture.svg and ringdown.json into FOLDER, which is made if need be. MICROSLIP
# names the command; without it, the one on the path.
set -eu
if [ $# != 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
here=$(dirname "$0")
out=$1
mkdir -p "$out"
"${MICROSLIP:-microslip}" ringdown "$here/record.csv" --channel tip --band 85,150 --edge 0.3 \
  --start 0.05 --end 1.95 --segments 25 --fit continuous --json --csv "$out/table.csv" \
  --plot "$out/picture.svg" >"$out/ringdown.json"
