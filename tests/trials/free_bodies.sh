#!/bin/bash
# Thin free bodies: none is refused, rigid-body modes are counted exactly and are zero, in the full
# model and in the reduced one; mechanisms are named.
#   MICROSLIP=build/microslip tests/trials/free_bodies.sh [PATTERN]
# One line for each body; the exit code is 1 if one of them failed. PATTERN (a shell pattern) chooses.
# shellcheck disable=SC2254 # the pattern is one
source "$(dirname "$0")/../cli/checks.sh"
pattern=${1:-*}

# NAME ZEROS [WORDS]: runs NAME.yaml, which has that many modes at rest with the joints stuck; WORDS are
# in the notes on mechanisms, or there are none.
try() {
  why=
  if timeout 1200 "$microslip" run "$1.yaml" --out "$1" >"$1.txt" 2>&1; then
    line=$(jq -r --argjson n "$2" '.analyses[0] as $a | [$a.modes[].omega_0] as $r |
      ($a.full.omega_0 // []) as $f | ([$r[] | select(. == 0)] | length) as $zero |
      ([$f[] | select(. == 0)] | length) as $all |
      ([range($n; ([($f | length), ($r | length)] | min)) |
        ($r[.] - $f[.])/($r[.] + 1e-30) | if . < 0 then -. else . end] | max // 0) as $worst |
      "\($zero) \($all) \($r[$n] // 0) \($worst)"' "$1/summary.json")
    # shellcheck disable=SC2086 # four numbers
    set -- "$1" "$2" "${3:-}" $line
    [ "$4" = "$2" ] || why="$4 zero frequencies of the reduced model"
    [ "$5" = "$2" ] || [ "$5" = 12 ] || why="$why $5 of the full one"
    awk -v w="$6" 'BEGIN { exit !(w > 1) }' || why="$why the next is $6 rad/s"
    notes=$(jq -r '[.. | .notes? // empty | .[]?] | join("; ")' "$1/summary.json" | grep -o 'mechanism.*')
    case $notes in *"${3:-}"*) ;; *) why="$why notes: $notes" ;; esac
    [ -n "${3:-}" ] || [ -z "$notes" ] || why="$why notes: $notes"
    result=$(printf '%s zero, then %.6g rad/s, reduced and full apart by %.1e' "$4" "$6" "$7")
  else
    why="refused: $(grep -E "^microslip: .*yaml:[0-9]|^microslip: [^d]" "$1.txt" | tail -n 1)"
    result=
  fi
  rm -rf "$1"
  report "$1: $result" "$why"
}

# NAME SIZE ELEMENTS ELEMENT SPIDERS POINTS KEEP
body() {
  case $1 in $pattern) ;; *) return ;; esac
  cat >"$1.yaml" <<Y
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.0e11, nu: 0.3, rho: 8000}}
    parts:
      body: {block: {size: [$2], elements: [$3]}, material: steel, element: $4, points: {$6}}
    spiders: {$5}
  reduce: {craig_bampton: {modes: 20, keep: [$7]}}
analyses: [modes]
Y
  [ -n "$5" ] || sed -i '/spiders:/d' "$1.yaml"
  [ -n "$6" ] || sed -i 's/, points: {}//' "$1.yaml"
  try "$1" 6
}

# ---- plates and beams of one brick ----
while read -r name size elements a b; do
  for element in hex8 hex20 tet10; do
    body "$name-$element-corner" "$size" "$elements" $element "" "p: [0, 0, 0]" "body.p"
    body "$name-$element-corners" "$size" "$elements" $element "" "p: [0, 0, 0], q: [$a, 0, 0], r: [0, $b, 0]" \
      "body.p, body.q, body.r"
    body "$name-$element-face" "$size" "$elements" $element "top: {rbe3: uniform, on: body.top}" "" "top"
    body "$name-$element-plate" "$size" "$elements" $element \
      "end: {rbe2: rigid, on: body.left}, side: {rbe3: area, on: body.front}" "" "end, side"
  done
done <<'T'
fv12 10,10,0.05 16,16,1 10 10
plate 0.3,0.3,0.002 20,20,1 0.3 0.3
beam2 0.5,0.05,0.002 40,4,1 0.5 0.05
beam6 0.5,0.05,0.006 40,4,1 0.5 0.05
sheet 1,0.5,0.003 30,15,1 1 0.5
T

# ---- frames of several bricks ----
# NAME ELEMENT SPIDERS KEEP
frame() {
  case $1 in $pattern) ;; *) return ;; esac
  cat >"$1.yaml" <<Y
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.0e11, nu: 0.3, rho: 8000}}
    parts:
      left: {block: {size: [0.02, 0.02, 0.61], elements: [1, 1, 24]}, material: steel, element: $2}
      right: {block: {size: [0.02, 0.02, 0.61], at: [0.48, 0, 0], elements: [1, 1, 24]}, material: steel, element: $2}
      roof: {block: {size: [0.5, 0.02, 0.004], at: [0, 0, 0.61], elements: [25, 1, 1]}, material: steel, element: $2}
    merge: {}
    spiders: {$3}
  reduce: {craig_bampton: {modes: 14, keep: [$4]}}
analyses: [modes]
Y
  try "$1" 6
}
for element in hex8 hex20 tet10; do
  frame "frame-$element-rbe2" $element "foot: {rbe2: rigid, on: left.bottom}" "foot"
  frame "frame-$element-feet" $element \
    "foot: {rbe3: uniform, on: left.bottom}, other: {rbe2: rigid, on: right.bottom}" "foot, other"
  frame "frame-$element-roof" $element "roof: {rbe3: area, on: roof.top}" "roof"
done

# ---- two beams and one bolt ----
# NAME ELEMENT STIFFNESS DIRECTIONS ZEROS [WORDS]
bolted() {
  case $1 in $pattern) ;; *) return ;; esac
  cat >"$1.yaml" <<Y
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.0e11, nu: 0.3, rho: 8000}}
    parts:
      upper: {block: {size: [0.5, 0.05, 0.006], elements: [40, 4, 1]}, material: steel, element: $2}
      lower: {block: {size: [0.5, 0.05, 0.006], at: [0.4, 0, -0.006], elements: [40, 4, 1]}, material: steel, element: $2}
    spiders: {bolt: {rbe3: uniform, patch: [0.025, 0.025], between: [upper.bottom, lower.top], at: [0.45, 0.025]}}
  reduce: {craig_bampton: {modes: 20, keep: [bolt.*]}}
joints:
  bolt: {x: {law: jenkins, K_T: $3, F_S: 120}, y: {law: jenkins, K_T: $3, F_S: 120}, $4}
analyses: [modes]
Y
  try "$1" "$5" "${6:-}"
}
for stiffness in 1e5 1e6 1e7 1e8; do
  for element in hex8 hex20 tet10; do
    bolted "bolt-$element-$stiffness" $element $stiffness "z: rigid, rx: rigid, ry: rigid, rz: rigid" 6
  done
done
bolted "bolt-hex20-soft" hex20 2.5 "z: rigid, rx: rigid, ry: rigid, rz: rigid" 6
bolted "bolt-hex20-turns" hex20 1e7 "z: rigid, rx: rigid, ry: rigid, rz: free" 7 "part"
bolted "bolt-tet10-ball" tet10 1e7 "z: rigid, rx: free, ry: free, rz: free" 9 "part"

finish
