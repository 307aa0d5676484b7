# The head of the comparisons, `. "$(dirname "$0")/common.sh"`: that of the command tests, and what they share.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/../../cli/checks.sh"

# compare WHAT OURS THEIRS TOLERANCE [SCALE], relative to the scale or to theirs
compare() {
  local line
  line=$(awk -v a="$2" -v b="$3" -v t="$4" -v s="${5:-$3}" 'BEGIN { d = (a - b)/s; if (d < 0) d = -d
    printf "%.1e %d", d, a == "" || b == "" || !(d <= t) }')
  report "$(printf '%-44s %-22s %-22s %s' "$1" "$2" "$3" "${line% *}")" "$([[ $line == *' 0' ]] || echo "allowed: $4")"
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
