#!/bin/bash
# usage: tests/trials/ministack_convergence.sh [N[:AROUND[:OTHER]]...]
#
# The table of examples/ministack/README.md on convergence in the mesh: stuck and slipped frequency of the
# axial mode, and the damping of its joints at 1000 g. N elements across each strip beside the edges of the
# foam, AROUND along a ring (8), OTHER times as many elements in all other lengths (1). Without arguments the
# rows of the page. One process at a time, below 2 GiB. Exit code 0: all runs ended, and the rows of the page
# converge as it says; 1: otherwise.
source "$(dirname "$0")/../cli/checks.sh"
study=$source_dir/examples/ministack/edges.yaml

backbone='{backbone: {modes: [1], methods: [qsma], sensor: slug.uz, amplitudes: {from: 1e-8, to: 2e-3, points: 60}}}'

row() { # N AROUND OTHER: prints N, around, other, elements, stuck and slipped Hz, zeta_joint at 1000 g in %
  local n=$1 around=$2 other=$3 can=structure.fe.parts.can.rings elements
  if ! "$microslip" run "$study" --out "$temp/out" --set "analyses=[{modes: {full: 0}}, $backbone]" \
    --set $can.core=$((around / 4)) \
    --set "$can.rings=[$((4 * other)), $n, $n, $((3 * other)), $n, $((2 * other))]" \
    --set "$can.layers=[$((2 * other)), $n, $n, $((5 * other)), $n, $n, $n, $((10 * other)), $n, $n, $n, $((5 * other)), $n, $n, $((2 * other)), $((2 * other))]" \
    >"$temp/log" 2>&1; then
    cat "$temp/log" >&2
    return 1
  fi
  elements=$(grep -oE '[0-9]+ elements' "$temp/out/report.html" | head -n 1)
  awk -F, -v row="$n $around $other ${elements% *}" \
    -v modes="$(jq -r '.analyses[0].modes[0] | "\(.omega_0) \(.omega_inf)"' "$temp/out/summary.json")" '
    NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
    { g = $(at["sensor_acceleration"])/9.80665; zeta = $(at["zeta_joint"])
      if (last && last < 1000 && g >= 1000) found = zeta0 + log(1000/last)/log(g/last)*(zeta - zeta0)
      last = g; zeta0 = zeta }
    END { split(modes, w, " "); pi = 4*atan2(1, 1)
      printf "%s %.1f %.1f %.3f\n", row, w[1]/2/pi, w[2]/2/pi, 100*found }' "$temp/out/tables/backbone.csv"
}

wanted=("$@")
[[ $# -gt 0 ]] || wanted=(1 2 3 4 2:16 2:24 2:8:2)
echo '| strips | around | other | elements | stuck, Hz | slipped, Hz | zeta_joint at 1000 g, % |'
echo '|---|---|---|---|---|---|---|'
failed=0
for spec in "${wanted[@]}"; do
  IFS=: read -r n around other <<<"$spec"
  if row "$n" "${around:-8}" "${other:-1}" >"$temp/row"; then
    sed 's/ / | /g; s/^/| /; s/$/ |/' "$temp/row"
    cat "$temp/row" >>"$temp/rows"
  else
    failed=1
  fi
done

# What the page says: first order in the strips, second in the sides, and both add up: those of edges.yaml
# (4 strips, 24 around) and the limit.
[[ $# -gt 0 || $failed == 1 ]] || awk '
  { key = $1 ":" $2 ":" $3; s[key] = $5; f[key] = $6; z[key] = $7 }
  function strips(v) { return v["2:8:1"] - v["4:8:1"] }
  function sum(v) { return v["4:8:1"] + v["2:24:1"] - v["2:8:1"] }
  function limit(v) { return sum(v) - strips(v) - 0.8*(v["2:16:1"] - v["2:24:1"]) }
  function ratio(v) { return strips(v)/(v["1:8:1"] - v["2:8:1"]) }
  function check(text, value, low, high) {
    if (value >= low && value <= high) return
    printf "# %s: %g, not %g to %g\n", text, value, low, high
    bad = 1
  }
  END {
    printf "| 4 | 24 | 1 | by addition | %.0f | %.0f | %.2f |\n", sum(s), sum(f), sum(z)
    printf "| limit | | | | %.0f | %.0f | %.2f |\n", limit(s), limit(f), limit(z)
    check("slipped, ratio of changes", ratio(f), 0.4, 0.6)
    check("damping, ratio of changes", ratio(z), 0.4, 0.6)
    check("slipped, from the limit", sum(f)/limit(f) - 1, 0, 0.015)
    check("damping, from the limit", sum(z)/limit(z) - 1, -0.1, 0)
    check("slipped, all else twice as fine", f["2:8:2"]/f["2:8:1"] - 1, -0.005, 0.005)
    exit bad }' "$temp/rows" || failed=1
report "all runs end, and the rows of the page converge as it says" "$([[ $failed == 0 ]] || echo "as shown above, they do not")"

finish
