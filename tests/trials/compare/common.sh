# What the comparisons share: `. "$(dirname "$0")/common.sh"`. Leaves them in a folder of their own.
# shellcheck shell=sh disable=SC2034
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
build_dir=${BUILD_DIR:-$source_dir/build}
microslip=${MICROSLIP:-$build_dir/microslip}
case $microslip in /*) ;; *) microslip=$PWD/$microslip ;; esac
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
failures=0

skip() { # WHY
  echo "skipped: $*"
  exit 0
}

# compare WHAT OURS THEIRS TOLERANCE [SCALE], relative to the scale or to theirs
compare() {
  awk -v what="$1" -v a="$2" -v b="$3" -v t="$4" -v s="${5:-$3}" 'BEGIN { d = (a - b)/s; if (d < 0) d = -d
    bad = a == "" || b == "" || !(d <= t)
    printf "%-44s %-22s %-22s %.1e%s\n", what, a, b, d, bad ? "  FAILED, allowed " t : ""; exit bad }' ||
    failures=$((failures + 1))
}

# cell FILE COLUMN ROW: of one of our tables, rows from 1
cell() {
  awk -F, -v c="$2" -v r="$3" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == r + 1 { print $k }' "$1"
}

# Two masses on springs, a joint between them, a harmonic force on the first; LAW is the joint's.
study() { # LAW
  cat <<END
microslip: 1
structure:
  chain:
    masses: {u1: 1.31, u2: 0.72}
    springs: [[ground, u1, 211.3], [u1, u2, 95.7]]
  damping: {matrix: [[0.57, -0.16], [-0.16, 0.16]]}
joints: {lap: {$1, between: [u1, u2]}}
analyses:
  - frequency_response: {load: {at: u1}, levels: [1.13], omega: [8, 16], points: [9.3, 11.2, 12.6, 14.9], sensors: [u2], harmonics: 7, times: 1024, times_from: load, stability: false}
END
}

# ours OMEGA: first harmonic of u2 at this frequency
ours() {
  awk -F, -v w="$1" 'NR > 1 && $2 > w - 1e-9 && $2 < w + 1e-9 { print $4; exit }' out/tables/frequency_response_sensors.csv
}

finish() { exit $((failures > 0)); }
