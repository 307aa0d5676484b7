#!/bin/bash
# Beams from mesh files: their material and section from the file or from the study, node sets that are
# kept, and Guyan's reduction.
source "$(dirname "$0")/../checks.sh"

run() { # NAME [OPTIONS]: "NAME: runs", results in NAME/
  local name=$1
  shift
  runs "$name: runs" "$name.yaml" "$name" "$@"
}
hertz() { jq -r ".analyses[0].modes[$2].omega_0 / 6.283185307179586" "$1/summary.json"; }

# A cantilever of eight beams along x, 0.02 along y and 0.03 along z, clamped at x = 0.
L=0.87 b=0.02 h=0.03 E=2.05e11 rho=7830
{
  echo '*NODE'
  for i in $(seq 0 8); do awk -v i="$i" -v L=$L 'BEGIN { printf "%d, %.15g, 0, 0\n", i + 1, i*L/8 }'; done
  echo '*ELEMENT, TYPE=B33, ELSET=Rod'
  for i in $(seq 1 8); do echo "$i, $i, $((i + 1))"; done
  cat <<A
*NSET, NSET=Root
1
*NSET, NSET=Tip
9
*NSET, NSET=Inner
4, 7
*MATERIAL, NAME=Steel
*ELASTIC
$E, 0.3
*DENSITY
$rho
*BEAM SECTION, ELSET=Rod, MATERIAL=Steel, SECTION=RECT
$b, $h
0, 1, 0
A
} >rod.inp
study() { # PARTS KEEP MODES [MESH]
  cat <<Y
microslip: 1
structure:
  fe:
    materials: {light: {E: 7.1e10, nu: 0.33, rho: 2710}, steel: {E: $E, nu: 0.3, rho: $rho}}
    mesh: ${4:-rod.inp}
    parts: $1
    fix: {Root: all}
  reduce: {craig_bampton: {modes: $3, keep: $2}}
analyses: [{modes: {full: 0}}]
Y
}
# The studies below keep six fixed-interface modes, which leaves up to 6e-5 in frequency.
# First bending modes of Euler and Bernoulli's cantilever, soft direction first.
bending() { # E RHO SIDE
  awk -v E="$1" -v rho="$2" -v t="$3" -v L=$L 'BEGIN { pi = 4*atan2(1, 1)
    printf "%.12g", 1.8751040687119611^2/(2*pi*L*L)*sqrt(E*t*t/12/rho) }'
}

study '{Rod: {points: {tip: [0.87, 0, 0]}}}' '[Rod.tip]' 6 >points.yaml
run points
near "points alone: the file's material and section" "$(hertz points 0)" "$(bending $E $rho $b)" 1e-4
near "points alone: the other plane" "$(hertz points 1)" "$(bending $E $rho $h)" 1e-4
study '{Rod: {material: light, points: {tip: [0.87, 0, 0]}}}' '[Rod.tip]' 6 >light.yaml
run light
near "a material: the file's section stays" "$(hertz light 0)" "$(bending 7.1e10 2710 $b)" 1e-4
study '{Rod: {section: {rectangle: [0.04, 0.03], y: [0, 1, 0]}, points: {tip: [0.87, 0, 0]}}}' '[Rod.tip.uy]' 6 >turned.yaml
run turned
near "a section: the file's material stays" "$(hertz turned 1)" "$(bending $E $rho 0.04)" 1e-4

# ---- node sets ----

study '{}' '[Tip]' 6 >sets.yaml
sed -i '/parts:/d' sets.yaml
run sets
near "a set of one node is kept" "$(hertz sets 0)" "$(hertz points 0)" 1e-9
named() { # FOLDER NAME...
  local folder=$1 name
  shift
  for name; do
    report "$folder: coordinate $name" "$(grep -q ",$name," "$folder/tables/modes_shapes.csv" || echo missing)"
  done
}
named sets Tip.uy Tip.rx
study '{Rod: {}}' '[Inner, Tip.uz]' 6 >several.yaml
run several
near "sets and coordinates of sets" "$(hertz several 0)" "$(bending $E $rho $b)" 1e-4
named several Inner.1.ux Inner.2.rz Tip.uz
report "a name that is nothing" "$(study '{Rod: {}}' '[Tap]' 6 >none.yaml; "$microslip" check none.yaml 2>&1 | grep -q "'Tap' matches no named node" || "$microslip" check none.yaml 2>&1)"

# ---- Guyan ----

# Two coordinates of the bending in z and no modes: a cantilever's static shapes at 3/8, 6/8 and the tip.
study '{Rod: {}}' '[Inner.uz, Tip.uz]' 0 >guyan.yaml
run guyan
near "no modes: first bending, within 0.2 %" "$(hertz guyan 0)" "$(bending $E $rho $h)" 2e-3
same "no modes: as many coordinates as are kept" "$(jq -c '.analyses[0].modes | length' guyan/summary.json)" 3
report "no modes, check" "$("$microslip" check guyan.yaml 2>&1 >/dev/null)"
sed 's/    fix: .*//' guyan.yaml >free.yaml
report "no modes of a body that moves: refused" "$("$microslip" run free.yaml --out free 2>&1 | grep -q 'can still move' || "$microslip" run free.yaml --out free 2>&1)"

# ---- Gmsh says nothing of sections ----

{
  printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 "Rod"\n0 2 "Root"\n0 3 "Tip"\n$EndPhysicalNames\n$Nodes\n9\n'
  for i in $(seq 0 8); do awk -v i="$i" -v L=$L 'BEGIN { printf "%d %.15g 0 0\n", i + 1, i*L/8 }'; done
  printf '$EndNodes\n$Elements\n10\n1 15 2 2 1 1\n2 15 2 3 2 9\n'
  for i in $(seq 1 8); do echo "$((i + 2)) 1 2 1 1 $i $((i + 1))"; done
  echo '$EndElements'
} >rod.msh
study '{Rod: {material: steel, section: {rectangle: [0.02, 0.03], y: [0, 1, 0], shear: 0}}}' '[Tip]' 6 rod.msh >gmsh.yaml
run gmsh
near "Gmsh, a rectangle" "$(hertz gmsh 0)" "$(hertz points 0)" 1e-9
for shear in 0.37 '[0.37, 0.37]' '[0.37, 0.85]'; do
  study "{Rod: {material: steel, section: {rectangle: [0.02, 0.03], y: [0, 1, 0], shear: $shear}}}" '[Tip]' 6 rod.msh >shear.yaml
  run shear
  shear_hertz+=("$(hertz shear 0) $(hertz shear 1)")
done
same "one fraction of shear is that of both directions" "${shear_hertz[0]}" "${shear_hertz[1]}"
report "... and each counts" "$([[ ${shear_hertz[2]} != "${shear_hertz[1]}" ]] || echo "${shear_hertz[2]}")"
study '{Rod: {material: steel, section: {A: 6e-4, Iy: 4.5e-8, Iz: 2e-8, J: 4.7e-8, y: [0, 1, 0]}}}' '[Tip]' 6 rod.msh >values.yaml
run values
near "Gmsh, four values" "$(hertz values 0)" "$(hertz points 0)" 1e-9
study '{Rod: {material: steel, section: {circle: 0.01}}}' '[Tip]' 6 rod.msh >circle.yaml
run circle
near "Gmsh, a circle, with shear" "$(hertz circle 0)" "$(bending $E $rho 0.017320508075688772)" 1e-3
study '{Rod: {material: steel, section: {pipe: [0.01, 0.001]}, points: {tip: [0.87, 0, 0]}}, Tip: {mass: 0.73}}' \
  '[Rod.tip]' 6 rod.msh >mass.yaml
run mass
# Rayleigh's quotient with the static shape: a tip mass and 33/140 of the beam.
near "Gmsh, a pipe with a mass at its tip" "$(hertz mass 0)" "$(awk -v E=$E -v rho=$rho -v L=$L 'BEGIN { pi = 4*atan2(1, 1)
  I = pi/4*(0.01^4 - 0.009^4); m = rho*pi*(0.01^2 - 0.009^2)*L
  printf "%.10g", sqrt(3*E*I/L^3/(0.73 + 33/140*m))/(2*pi) }')" 1e-2

# ---- the same in mm and tonne ----

awk '/^[$]Nodes/ { at = 1 } /^[$]EndNodes/ { at = 0 } at && NF == 4 { $2 *= 1000 } { print }' rod.msh >rod-mm.msh
in_mm() { # PARTS KEEP
  study "$1" "$2" 6 rod-mm.msh | sed "s/^structure:/units: {length: mm, mass: tonne, force: N, time: s}\n&/; s/steel: {.*}}/steel: {E: 2.05e5, nu: 0.3, rho: 7.83e-9}}/"
}
alike() { # NAME NAME: all frequencies
  paste -d' ' <(jq '.analyses[0].modes[].omega_0' "$1/summary.json") <(jq '.analyses[0].modes[].omega_0' "$2/summary.json") |
    awk '{ d = $1/$2 - 1; if (d*d > 1e-18) print "mode " NR ": " $1 ", not " $2 } END { if (NR < 6) print NR " modes" }'
}
in_mm '{Rod: {material: steel, section: {A: 600, Iy: 4.5e4, Iz: 2e4, J: 4.7e4, y: [0, 1, 0]}}}' '[Tip]' >values-mm.yaml
run values-mm
report "four values in mm: every frequency" "$(alike values-mm values)"
in_mm '{Rod: {material: steel, section: {pipe: [10, 1]}, points: {tip: [870, 0, 0]}}, Tip: {mass: 7.3e-4}}' '[Rod.tip]' >mass-mm.yaml
run mass-mm
report "a pipe and a mass in mm and tonne: every frequency" "$(alike mass-mm mass)"
in_mm '{Rod: {material: steel, section: {rectangle: [20, 30], y: [0, 1, 0], shear: 0}}}' '[Tip]' >gmsh-mm.yaml
run gmsh-mm
report "a rectangle in mm: every frequency" "$(alike gmsh-mm gmsh)"

# ---- refused ----

refused() { # TEXT SECTION MESSAGE
  study "{Rod: {material: steel, section: $2}}" '[Tip]' 6 rod.msh >bad.yaml
  report "$1" "$("$microslip" check bad.yaml 2>&1 | grep -q "bad.yaml:6:.*$3" || "$microslip" check bad.yaml 2>&1)"
}
refused "two profiles" '{circle: 1, pipe: [1, 0.1]}' 'a section is one of'
refused "a profile and values" '{circle: 1, A: 2}' 'a section is one of'
refused "half of the values" '{A: 2, Iy: 3}' 'all of A, Iy, Iz and J'
refused "a wall that does not fit" '{pipe: [0.01, 0.02]}' 'must not exceed the radius'
refused "a negative size" '{rectangle: [0.01, -0.02]}' 'must be > 0'
refused "shear of one direction" '{circle: 0.01, shear: [0.9, 0]}' 'shear must be two fractions'
study '{Rod: {section: {circle: 0.01}}}' '[Tip]' 6 rod.msh >bare.yaml
report "a section without a material" "$("$microslip" check bare.yaml 2>&1 | grep -q "part 'Rod' has no material" || "$microslip" check bare.yaml 2>&1)"

finish
