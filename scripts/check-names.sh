#!/bin/bash
# usage: scripts/check-names.sh [LIBRARY]
#
# Every symbol that the shared library shows begins with ms_.
set -u
library=${1:-$(dirname "$0")/../build/libmicroslip.so}

symbols=$(nm -D --defined-only --format=posix "$library") || exit 2
symbols=$(awk '{print $1}' <<<"$symbols")
n_right=$(grep -c '^ms_' <<<"$symbols")
wrong=$(grep -v '^ms_' <<<"$symbols")
if [[ -n $wrong ]]; then
  sed 's/$/: exported, but does not begin with ms_/' <<<"$wrong" >&2
  exit 1
fi
if [[ $n_right == 0 ]]; then
  echo "check-names: $library exports nothing" >&2
  exit 1
fi
echo "check-names: $n_right symbols"
