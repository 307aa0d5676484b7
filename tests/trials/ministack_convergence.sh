#!/bin/bash
# usage: tests/trials/ministack_convergence.sh [N[:AROUND[:COARSE]]...]
#
# The table of examples/ministack/README.md on convergence in the mesh: stuck and slipped frequency of the
# axial mode and its damping at 1000 g, for meshes that are ever finer at the edges of the foam. There the
# strips of 0.3 mm on both sides of each edge, and those between, have N elements; AROUND elements are along a
# ring (16), and all other lengths have COARSE times as many elements (1). One process at a time, below 6 GiB.
# Without arguments the rows of the page: "1 2 3 4 2:24 2:16:2", and study.yaml itself. Exit code 0: all runs
# ended, and from N = 3 to 4 nothing changes by more than the page says; 1: otherwise.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
study=$source_dir/examples/ministack/study.yaml
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# Slabs from the bottom, a letter for what is in them: Floor, foam Base, Slug, coVer, Ring.
options() { # N AROUND COARSE
  awk -v n="$1" -v around="$2" -v coarse="$3" '
    function slab(kind, height, layers) { k++; K[k] = kind; H[k] = height; L[k] = layers }
    # a strip between two edges: fine at both ends
    function strip(kind, width) { slab(kind, s, n); slab(kind, width - 2*s, n); slab(kind, s, n) }
    function row(kind,   i, out) {
      for (i = 1; i <= 9; i++) out = out (i > 1 ? ", " : "") (index(kind, "" i) ? 1 : 0)
      return "[" out "]"
    }
    function filled(name, of,   i, out) { # of: "F=123456789 B=9 ...", the zones that are filled
      split("", z); m = split(of, part, " ")
      for (i = 1; i <= m; i++) { split(part[i], p, "="); z[p[1]] = p[2] }
      for (i = 1; i <= k; i++) out = out (i > 1 ? ", " : "") row(z[K[i]])
      print "structure.fe.parts." name ".rings.filled=[" out "]"
    }
    function join(a, m, form,   i, out) { for (i = 1; i <= m; i++) out = out (i > 1 ? ", " : "") sprintf(form, a[i]); return out }
    BEGIN {
      s = 0.3e-3; w = 1.2e-3; out = 1.1641667e-3; in_ = 1.2095238e-3
      slab("F", 19.05e-3, 2*coarse)
      strip("B", out); slab("B", s, n); slab("B", w, n); slab("B", 13.97e-3 - out - 2*(s + w), 5*coarse); slab("B", w, n); slab("B", s, n)
      strip("S", in_); slab("S", s, n); slab("S", w, n); slab("S", 101.6e-3 - 2*(in_ + s + w), 10*coarse); slab("S", w, n); slab("S", s, n); strip("S", in_)
      slab("B", s, n); slab("B", w, n); slab("B", 13.97e-3 - out - 2*(s + w), 5*coarse); slab("B", w, n); slab("B", s, n); strip("B", out)
      slab("V", 12.7e-3, 2*coarse); slab("R", 12.7e-3, 2*coarse)
      split("36.6e-3 37.8e-3 38.1e-3 38.4e-3 39.6e-3 46.125e-3 47.325e-3 47.625e-3 57.15e-3", radius, " ")
      split(4*coarse " " n " " n " " n " " n " " 3*coarse " " n " " n " " 2*coarse, rings, " ")
      can = "structure.fe.parts.can.rings."
      print can "core=" around/4
      print can "radius=[" join(radius, 9, "%s") "]"
      print can "rings=[" join(rings, 9, "%d") "]"
      print can "height=[" join(H, k, "%.10g") "]"
      print can "layers=[" join(L, k, "%d") "]"
      filled("can", "F=123456789 B=9 S=9 V=9 R=9")
      filled("cup", "B=12345678 S=45678")
      filled("slug", "S=123")
      filled("cover", "V=12345678")
      filled("ring", "R=45678")
      # the spiders of the foam begin where the outer strips end, whatever the mesh
      print "structure.fe.spiders.cup_in.patch=[1, 1, 0.099183]"
      print "structure.fe.spiders.cup_out.patch=[1, 1, 0.127214]"
    }'
}

row() { # TITLE OPTION...: prints elements, stuck and slipped Hz, zeta_joint at 1000 g in %
  local title=$1
  shift
  rm -rf "$temp/out"
  if ! "$microslip" run "$study" --out "$temp/out" "$@" \
    --set 'analyses=[{modes: {full: 0}}, {backbone: {modes: [1], methods: [qsma], sensor: slug.uz, amplitudes: {from: 1e-8, to: 2e-3, points: 60}}}]' \
    >"$temp/log" 2>&1; then
    echo "$title: failed"
    cat "$temp/log"
    return 1
  fi
  local elements
  elements=$(grep -oE '[0-9]+ elements' "$temp/out/report.html" | head -n 1)
  jq -r '.analyses[0].modes[0] | "\(.omega_0) \(.omega_inf)"' "$temp/out/summary.json" >"$temp/modes"
  awk -F, -v title="$title" -v elements="${elements% *}" -v modes="$(cat "$temp/modes")" '
    NR == 1 { for (i = 1; i <= NF; i++) { t = $i; sub(/ .*/, "", t); at[t] = i } next }
    { a = $(at["sensor_acceleration"])/9.80665; z = $(at["zeta_joint"]); if (last && last < 1000 && a >= 1000) {
        t = log(1000/last)/log(a/last); at1000 = 100*(Z + t*(z - Z)) }
      last = a; Z = z }
    END { split(modes, w, " "); pi = 4*atan2(1, 1)
      printf "| %s | %s | %.1f | %.1f | %.3f |\n", title, elements, w[1]/2/pi, w[2]/2/pi, at1000 }' "$temp/out/tables/backbone.csv"
}

wanted=("$@")
[[ $# -gt 0 ]] || wanted=(1 2 3 4 2:24 2:16:2)
echo '| n, around, coarse | elements | stuck, Hz | slipped, Hz | zeta_joint at 1000 g, % |'
echo '|---|---|---|---|---|'
failed=0
[[ $# -gt 0 ]] || row study.yaml || failed=1
for spec in "${wanted[@]}"; do
  IFS=: read -r n around coarse <<<"$spec"
  around=${around:-16} coarse=${coarse:-1}
  set=()
  while IFS= read -r line; do set+=(--set "$line"); done < <(options "$n" "$around" "$coarse")
  row "$n, $around, $coarse" "${set[@]}" || failed=1
done
exit $failed
