#!/bin/bash
# Studies of finite elements: small ones against closed forms, broken ones refused with the place in
# the file, and what is said where the finite elements are not installed.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"

# Two blocks with one joint, and a free end that is kept.
good() {
  cat <<'Y'
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}
    parts:
      one:
        block: {size: [0.31, 0.052, 0.011], elements: [12, 4, 1]}
        material: steel
        points: {tip: [0, 0.026, 0]}
      two:
        block: {size: [0.31, 0.052, 0.011], at: [0.21, 0, -0.011], elements: [12, 4, 1]}
        material: steel
    spiders:
      bolt: {rbe3: area, patch: [0.06, 0.03], between: [one.bottom, two.top], at: [[0.26, 0.026]]}
    fix: {two.right: all}
  reduce: {craig_bampton: {modes: 5, keep: [bolt.*, one.tip.uz]}}
joints:
  bolt.*: {x: {law: jenkins, K_T: 1.7e8, F_S: 250}, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}
analyses: [modes]
Y
}
omega() { jq -r ".analyses[0].modes[$2].omega_0" "$1/summary.json"; }

good >study.yaml
runs "runs" study.yaml out
same "columns without a meaning" "$(without_meaning out)" ''
same "coordinates: 13 kept, 5 of them twice, 5 modes" "$(jq '.analyses[0].modes | length' out/summary.json)" 13
for i in 0 1 2; do
  for of in omega_0 omega_inf; do
    full=$(jq -r ".analyses[0].full.$of[$i]" out/summary.json)
    near "mode $((i + 1)), $of: reduced beside full" "$(jq -r "[.analyses[0].modes[].$of] | sort | .[$i]" out/summary.json)" "$full" 2e-3
    report "and not below it" "$(awk -v v="$(jq -r "[.analyses[0].modes[].$of] | sort | .[$i]" out/summary.json)" -v f="$full" 'BEGIN { if (v < f*(1 - 1e-9)) print v, f }')"
  done
done
# What a joint keeps in macroslip holds the slipped full model, too: that of bouc_wen is a K.
sed 's/law: jenkins, K_T: 1.7e8, F_S: 250/law: bouc_wen, K: 1.7e8, a: 0.4, n: 1.3, z_max: 2e-6, delta: 0.65/' study.yaml >kept.yaml
sed 's/K_T: 1.7e8/K_T: 6.8e7/' study.yaml >soft.yaml
for i in kept soft; do runs "$i: runs" $i.yaml $i; done
for i in 0 1 2; do
  near "mode $((i + 1)), full: slipped with a K is stuck with K_T = a K" "$(jq -r ".analyses[0].full.omega_inf[$i]" kept/summary.json)" \
    "$(jq -r ".analyses[0].full.omega_0[$i]" soft/summary.json)" 1e-7
done
# The same in mm, tonne and N.
sed 's/2.1e11/2.1e5/; s/rho: 7850/rho: 7.85e-9/; s/0\.31, 0\.052, 0\.011/310, 52, 11/; s/\[0.21, 0, -0.011\]/[210, 0, -11]/
  s/\[0, 0.026, 0\]/[0, 26, 0]/; s/\[0.06, 0.03\]/[60, 30]/; s/0.26, 0.026/260, 26/; s/K_T: 1.7e8/K_T: 1.7e5/
  1a units: {length: mm, mass: tonne, force: N, time: s}' study.yaml >mm.yaml
runs "in other units: runs" mm.yaml mm
for i in 0 2 5; do near "in other units, mode $((i + 1))" "$(omega mm $i)" "$(omega out $i)" 1e-9; done
# By cut-off: as many fixed-interface modes as lie below it.
runs "cutoff: runs" study.yaml cut --set 'structure.reduce.craig_bampton={cutoff: 1, keep: [bolt.*, one.tip]}'
same "cutoff: none below 1 Hz" "$(jq '.analyses[0].modes | length' cut/summary.json)" 10

# A rod of two blocks grown together, held at one end: omega = pi/2 sqrt(E/rho)/L, uz and uy held.
rod() {
  cat <<'Y'
microslip: 1
structure:
  fe:
    materials: {bar: {E: 7.1e10, nu: 0, rho: 2710}}
    parts:
      a: {block: {size: [0.4, 0.03, 0.03], elements: [24, 1, 1]}, material: bar, element: ELEMENT}
      b: {block: {size: [0.3, 0.03, 0.03], at: [0.4, 0, 0], elements: [18, 1, 1]}, material: bar, element: ELEMENT}
    merge: {parts: [a, b]}
    fix: {a.left: all, a.front: [uy], a.bottom: uz, b.front: [uy], b.bottom: [uz], a.back: uy, b.back: uy, a.top: uz, b.top: uz}
    spiders: {end: {rbe2: rigid, on: b.right}}
  reduce: {craig_bampton: {modes: 8, keep: [end.ux]}}
analyses: [{modes: {full: 3}}]
Y
}
for element in hex8 hex20 wedge6 tet10; do
  rod | sed "s/ELEMENT/$element/" | sed '/spiders/d; s/end.ux/b.tip.ux/; s/\(b: {block.*\)}$/\1, points: {tip: [0.7, 0, 0]}}/' >rod.yaml
  runs "rod of $element: runs" rod.yaml "$element"
  near "rod of $element: first frequency" "$(omega $element 0)" "$(awk 'BEGIN { printf "%.10g", 2*atan2(1, 1)*sqrt(7.1e10/2710)/0.7 }')" 3e-4
done

# Without a tolerance, nodes merge up to 1e-6 of the longest side; a point is up to 0.05 of it from its node.
for gap in 0.40000069:valid 0.40000071:'these parts have no coincident nodes'; do
  sed "s/at: \[0.4, 0, 0\]/at: [${gap%%:*}, 0, 0]/" rod.yaml >gap.yaml
  like "a part from ${gap%%:*} on" "$("$microslip" check gap.yaml 2>&1)" "*${gap#*:}*"
done
for x in -0.0259:valid -0.0261:'one.tip is 0.0261 m from the nearest node'; do
  good | sed "s/tip: \[0, /tip: [${x%%:*}, /" >gap.yaml
  like "a point at ${x%%:*}" "$("$microslip" check gap.yaml 2>&1)" "*${x#*:}*"
done

# A stack of rings: the mass of a disc with a hole in its upper half, in the report.
cat >rings.yaml <<'Y'
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}
    parts:
      cup: {rings: {core: 4, radius: [0.02, 0.05], rings: [2, 3], height: [0.01, 0.03], layers: [1, 3], filled: [[1, 1], [0, 1]]}, material: steel}
    spiders: {base: {rbe2: rigid, on: cup.bottom}, rim: {rbe3: uniform, on: cup.top}}
  reduce: {craig_bampton: {modes: 3, keep: [base, rim.uz]}}
analyses: [{modes: {full: 9}}]
Y
runs "rings: runs" rings.yaml rings
same "rings: six rigid-body modes" "$(jq -c '[.analyses[0].modes[:7][].omega_0 > 0]' rings/summary.json)" '[false,false,false,false,false,false,true]'
# 16-sided rings: less than the volume of the round ones by sin(2 pi/16)/(2 pi/16).
mass=$(grep -oE '[0-9.]+ kg<' rings/report.html | head -n 1)
near "rings: mass" "${mass% *}" "$(awk 'BEGIN { pi = 4*atan2(1, 1); a = 2*pi/16
  printf "%.10g", 7850*pi*(0.01*0.05^2 + 0.03*(0.05^2 - 0.02^2))*sin(a)/a }')" 1e-5

# A plate with holes of two sizes, and its mass; a pair of bricks that touch, held apart by groups of
# parts that are merged: twelve rigid-body motions instead of six.
cat >holes.yaml <<'Y'
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}
    parts:
      plate:
        block:
          size: [0.3, 0.1, 0.01]
          elements: [12, 4, 1]
          holes: [{at: [[0.05, 0.05], [0.25, 0.05]], radius: [0.012, 0.02], rings: [1, 1], elements: [2, 2]}, {at: [0.15, 0.05], radius: 0.03, rings: 2, elements: [4, 4]}]
        material: steel
      side: {block: {size: [0.3, 0.1, 0.01], at: [0, 0.1, 0], elements: [12, 4, 1]}, material: steel}
      end: {block: {size: [0.1, 0.1, 0.01], at: [0.3, 0.1, 0], elements: [4, 4, 1]}, material: steel}
    merge: [{parts: [side, end]}]
    spiders: {one: {rbe3: uniform, on: plate.left}, two: {rbe3: uniform, on: side.left}}
  reduce: {craig_bampton: {modes: 3, keep: [one, two]}}
analyses: [{modes: {full: 0}}]
Y
runs "holes: runs" holes.yaml holes
# The holes are polygons of 8 and 16 sides.
mass=$(grep -oE '[0-9.]+ kg<' holes/report.html | head -n 1)
near "holes: mass" "${mass% *}" "$(awk 'BEGIN { pi = 4*atan2(1, 1); printf "%.10g", 7850*0.01*(0.07 - 2*4*0.012^2*sin(pi/4) - 8*0.03^2*sin(pi/8)) }')" 1e-5
same "holes: two bodies" "$(jq -c '[.analyses[0].families[] | select(.family == "rigid")] | length' holes/summary.json)" 12
sed 's/merge: .*/merge: [{parts: [side, end]}, {}]/' holes.yaml >one.yaml
runs "one body: runs" one.yaml one
same "one body" "$(jq -c '[.analyses[0].families[] | select(.family == "rigid")] | length' one/summary.json)" 6
report "a hole that is too large: refused in its place" "$(sed 's/radius: 0.03/radius: 0.06/' holes.yaml >large.yaml
  "$microslip" check large.yaml 2>&1 | grep -qE 'large.yaml:8:11: .*a hole of radius 0.06 m at 0.15 m along x does not fit' || "$microslip" check large.yaml 2>&1)"

# ---- mesh files ----
# A column of three bricks held below, a lid that is rigid on top; by hand and from a file of Abaqus
# with *BOUNDARY and *COUPLING; keep means the lid, not a set of nodes of that name.
column() { # LINES OF fe:
  printf 'microslip: 1\nstructure:\n  fe:\n'
  cat
  printf '  reduce: {craig_bampton: {modes: 6, keep: [lid]}}\nanalyses: [modes]\n'
}
column >block.yaml <<'Y'
    materials: {m: {E: 2.1e11, nu: 0.3, rho: 7850}}
    parts: {column: {block: {size: [0.02, 0.03, 0.15], elements: [1, 1, 3]}, material: m}}
    fix: {column.bottom: all}
    spiders: {lid: {rbe2: rigid, on: column.top, at: [0.01, 0.015, 0.15]}}
Y
column >file.yaml <<'Y'
    mesh: column.inp
Y
{
  echo '*Heading'
  echo '*Node'
  for z in 0 1 2 3; do
    i=0
    for corner in '0, 0' '0.02, 0' '0.02, 0.03' '0, 0.03'; do
      i=$((i + 1))
      echo "$((4 * z + i)), $corner, $(awk -v z=$z 'BEGIN { print z*0.05 }')"
    done
  done
  printf '99, 0.01, 0.015, 0.15\n*Element, type=C3D8I, elset=Body\n'
  for e in 1 2 3; do
    echo "$e, $((4 * e - 3)), $((4 * e - 2)), $((4 * e - 1)), $((4 * e)), $((4 * e + 1)), $((4 * e + 2)), $((4 * e + 3)), $((4 * e + 4))"
  done
  cat <<'A'
*Elset, elset=Roof
3
*Surface, type=ELEMENT, name=Top
Roof, S2
*Nset, nset=lid
14, 15
*Nset, nset=Base
1, 2, 3, 4
*Material, name=Steel
*Elastic
2.1e11, 0.3
*Density
7850
*Solid Section, elset=Body, material=Steel
*Coupling, constraint name=lid, ref node=99, surface=Top
*Kinematic
*Boundary
Base, 1, 3
A
} >column.inp
for name in block file; do
  runs "$name: runs" $name.yaml col-$name
done
for i in 0 3 8; do near "column from a file, mode $((i + 1))" "$(omega col-file $i)" "$(omega col-block $i)" 1e-9; done
report "what was not read is told" "$(grep -qF '*Heading' col-file/report.html || echo missing)"
sed -i 's/^Base, 1, 3/Base, 1, 3\n*Equation\n2\n1, 1, 1., 99, 1, -1./' column.inp
report "supports that are one too many: refused with names" "$("$microslip" check file.yaml 2>&1 | grep -qE 'file.yaml:[0-9]+:[0-9]+: ' || "$microslip" check file.yaml 2>&1)"
sed '/^\*Equation/,$d' column.inp >whole.inp
changed() { # TEXT WORDS SED: the file, edited
  sed "$3" whole.inp >column.inp
  refuses "$1" "file.yaml:4:11: |$2" file.yaml
}
changed "an element inside out" "the mesh is not valid: 1 elements are inside out or flat, the worst element 1 (hex8) of part 'Body'" \
  's/^1, 1, 2, 3, 4, 5, 6, 7, 8$/1, 5, 6, 7, 8, 1, 2, 3, 4/'
changed "two couplings of one name" "lid: there are two spiders named 'lid'" \
  '$a *Coupling, constraint name=lid, ref node=99, surface=Top\n*Kinematic'
equation() { # TERMS, of the nodes 5 to 8 in turn
  printf '*Equation\n%d\n' "$1"
  for ((k = 0; k < $1; k++)); do echo "$((5 + k % 4)), $((1 + k % 3)), 1."; done
}
equation 65 >equation
changed "an equation of 65 terms" "an equation of 65 terms; at most 64" '$r equation'
equation 64 | cat whole.inp - >column.inp
check "an equation of 64 terms" "$microslip" check file.yaml
echo garbage >column.inp
report "a broken file: refused with both places" "$("$microslip" check file.yaml 2>&1 | grep -qE 'file.yaml:4:11: .*column.inp:1' || "$microslip" check file.yaml 2>&1)"
column >gmsh.yaml <<Y
    materials: {m: {E: 2.1e11, nu: 0.3, rho: 7850}}
    mesh: $source_dir/tests/data/mesh/block-41.msh
    parts: {body: {material: m, points: {tip: [1.5, 0.6, 1.2]}}}
    fix: {left side: all}
Y
sed -i 's/keep: .lid./keep: [body.tip]/' gmsh.yaml
runs "Gmsh: runs" gmsh.yaml gmsh
sed -i 's/body: {material: m,/bdoy: {material: m,/' gmsh.yaml
report "Gmsh: a part that is not in the file" "$("$microslip" check gmsh.yaml 2>&1 | grep -q 'gmsh.yaml:' || "$microslip" check gmsh.yaml 2>&1)"

# ---- refused ----
good >good.yaml
refused() { # TEXT LINE:COLUMN WORDS SED [STUDY]
  sed "$4" "${5-good.yaml}" >broken.yaml
  refused_at "refused: $1" broken.yaml "$2" "$3"
}
accepted() { # TEXT SED [STUDY]
  sed "$2" "${3-good.yaml}" >accepted.yaml
  check "accepted: $1" "$microslip" check accepted.yaml
}
refused "no reduction" 4:5 "finite elements need 'reduce' beside 'fe'" '/reduce:/d'
refused "a reduction of nothing" 3:12 "reduce belongs to finite elements" '/^  fe:/,/fix:/d'
refused "both modes and cutoff" 16:28 "craig_bampton needs one of modes and cutoff" 's/modes: 5,/modes: 5, cutoff: 100,/'
refused "material" 8:19 "there is no material 'stele' in materials" '8s/steel/stele/'
refused "negative E" 4:28 "E must be > 0" 's/2.1e11/-2.1e11/'
refused "nu" 7:17 "Poisson" 's/nu: 0.3/nu: 0.6/'
refused "three of E alone" 4:25 "three values of E need three of G" 's/E: 2.1e11/E: [2.1e11, 2e11, 2e11]/'
refused "no shape" 7:9 "a part is one of block and rings" '7d'
refused "element" 8:18 "element 'hex9' is none of hex8, hex20" '8i\        element: hex9'
refused "size of two" 7:24 "size must be 3 numbers, not 2" '7s/0.31, 0.052, 0.011/0.31, 0.052/'
refused "no elements" 7:60 "elements must be a whole number >= 1" '7s/12, 4, 1/12, 0, 1/'
refused "half an element" 7:60 "elements must be a whole number >= 1 and <= 999999, not 2.5" '7s/12, 4, 1/12, 2.5, 1/'
refused "a point far away" 9:24 "one.tip is 1 m from the nearest node" 's/tip: \[0, /tip: [-1, /'
refused "a face" 14:57 "one.botom" 's/one.bottom/one.botom/'
refused "an empty patch" 14:85 "no node of 'one.bottom' lies in the requested box" 's/\[\[0.26, 0.026\]\]/[[5, 0.026]]/'
refused "a spider of no kind" 14:7 "spider bolt needs one of rbe2 and rbe3" 's/rbe3: area, //'
refused "a kind of spider" 14:20 "'heavy' is none of" 's/rbe3: area/rbe3: heavy/'
refused "a spider on nothing" 14:7 "spider bolt needs one of between and on" 's/between: \[one.bottom, two.top\], //'
refused "a set that is fixed" 15:11 "two.rigth" 's/two.right/two.rigth/'
refused "a direction that is fixed" 15:22 "'w' must be one of ux" 's/two.right: all/two.right: w/'
refused "what is kept" 16:45 "'bolts.*' matches no named node, such as 'one.tip'" 's/keep: \[bolt.\*/keep: [bolts.*/'
refused "nothing kept" 16:38 "keep is a list of names, e.g. [bolt.*]" 's/keep: .*/keep: []}}/'
refused "a word that is kept" 16:44 "keep is a list of names, e.g. [bolt.*]" 's/keep: .*/keep: bolt}}/'
refused "a set that is large" 16:53 "set 'one.top' has 1001 nodes; at most 1000 of a set can be kept: use a spider" \
  '7s/12, 4, 1/90, 10, 1/; 16s/one.tip.uz/one.top/'
accepted "a set of 1000 nodes" '7s/12, 4, 1/249, 3, 1/; 16s/one.tip.uz/one.top/'
refused "two of nu" 4:41 "nu must be 1 numbers, not 2" 's/nu: 0.3/nu: [0.3, 0.2]/'
refused "two of E" 4:29 "E must be 3 numbers, not 2" 's/E: 2.1e11/E: [2.1e11, 2e11], G: [8e10, 8e10, 8e10]/'
refused "no parts" 4:5 "fe needs parts: name: {block: {...}, ...}, or a mesh" '5,12d'
refused "no material" 6:7 "a part needs 'material': one of materials" 8d
refused "mass of a block" 8:15 "mass is for parts of a mesh file" '8i\        mass: 3'
refused "section of a block" 8:19 "section is for parts of a mesh file" '8i\        section: {circle: 3}'
refused "points of no name" 9:17 "points must be a mapping" '9s/{.*/3/'
refused "between one face" 14:57 "between must name two faces, e.g. [upper.bottom, lower.top]" 's/, two.top\]/]/'
refused "a spider called ground" 14:70 "the name 'ground' is taken already" \
  '14s/bolt:/ground:/; 14s/\[\[0.26, 0.026\]\]/[0.26, 0.026]/; 14s/between: .*top\]/on: one.bottom/'
refused "parts without a common node" 16:13 "these parts have no coincident nodes" '15a\    merge: {parts: [one, two]}'
refused "a part that is merged twice" 16:21 "parts is a list of parts, each once" '15a\    merge: {parts: [one, two, one]}'
refused "a law beside directions" 18:17 "a joint by directions has no law of its own" '18s/x:/law: jenkins, x:/'
refused "a normal spring beside directions" 18:21 "a joint by directions has no normal spring of its own" '18s/x:/normal: {K_n: 3}, x:/'
refused "laws beside directions" 18:12 "laws cannot be combined with directions" '18s/x:/laws: [], x:/'
refused "shortening beside directions" 18:25 "shortening cannot be combined with directions" '18s/x:/shortening: {a: 1}, x:/'
# A name has at most 127 bytes: part, dot, point.
part=$(printf 'p%.0s' {1..60}) point=$(printf 'q%.0s' {1..66})
name() { echo "6s/one/$part/; 14s/one/$part/; 9s/tip/$1/; 16s/one.tip/$part.$1/"; }
accepted "a name of 127 bytes" "$(name "$point")"
refused "a name of 128 bytes" 9:18 "the name '$part.${point::39}' is taken already, or too long" "$(name "q$point")"
ones() { printf '1%.0s, ' $(seq "$1") | sed 's/, $//'; }
refused "17 zones" 6:39 "zones: 1 to 16 of them, not 17" "s/radius: \[[^]]*/radius: [$(seq -s, 17)/" rings.yaml
accepted "16 zones" "s/radius: \[[^]]*/radius: [$(seq -s, 16)/; s/rings: \[[^]]*/rings: [$(ones 16)/; s/, filled.*\]\]//" rings.yaml
refused "33 slabs" 6:76 "slabs: 1 to 32 of them, not 33" "s/height: \[[^]]*/height: [$(ones 33)/" rings.yaml
accepted "32 slabs" "s/height: \[[^]]*/height: [$(ones 32)/; s/layers: \[[^]]*/layers: [$(ones 32)/; s/, filled.*\]\]//" rings.yaml
refused "a zone without a count" 6:39 "3 zones and 2 counts of elements: one for each" 's/0.05\]/0.05, 0.07]/' rings.yaml
refused "a slab without a count" 6:76 "2 slabs and 1 counts of elements: one for each" 's/layers: \[1, /layers: [/' rings.yaml
refused "a slab that is not filled" 6:115 "filled needs a row for each of the 2 slabs" 's/, \[0, 1\]\]/]/' rings.yaml
refused "a zone that is not filled" 6:123 "a row must be 2 numbers, not 1" 's/\[0, 1\]\]/[1]]/' rings.yaml
refused "rings without a core" 6:21 "rings needs 'core', or like" 's/core: 4, //' rings.yaml
refused "rings without layers" 6:21 "rings needs 'layers', or like" 's/layers: \[1, 3\], //' rings.yaml
ring_like() { echo "6a\      lid: {rings: {like: $1}, material: steel}"; }
accepted "rings like others" "$(ring_like 'cup, filled: [[1, 1], [1, 0]]')" rings.yaml
refused "a core beside like" 7:21 "only filled may be given with like" "$(ring_like 'cup, core: 4')" rings.yaml
refused "rings like nothing" 7:27 "'cap' is not a part of rings with its own zones and slabs" "$(ring_like cap)" rings.yaml
refused "rings like themselves" 7:27 "'lid' is not a part of rings with its own zones and slabs" "$(ring_like lid)" rings.yaml
refused "two numbers on a round face" 7:93 "at needs three numbers: cup.outer is not flat across x, y or z" \
  's/on: cup.top/on: cup.outer, at: [0.05, 0]/' rings.yaml
refused "65 holes" 10:922 "a block has at most 64 holes" \
  "s/at: \[\[0.05, 0.05\]/at: [[0.05, 0.05]$(printf ', [0.05, 0.05]%.0s' {1..63})/" holes.yaml
refused "64 holes, all in one place" 8:11 "the holes at (0.05, 0.05) and (0.05, 0.05) m share elements" \
  "s/at: \[\[0.05, 0.05\]/at: [[0.05, 0.05]$(printf ', [0.05, 0.05]%.0s' {1..61})/" holes.yaml
# Numbers are the run's to see.
good | sed '/fix:/d; s/keep: \[bolt.*/keep: [one.tip.uz]}}/; /^joints/,/bolt.\*: {x/d' >loose.yaml
same "too little is kept: the check does not see it" "$("$microslip" check loose.yaml 2>&1)" 'loose.yaml: valid; 6 degrees of freedom, 0 joints, 1 analyses'
report "too little is kept: the run does" "$("$microslip" run loose.yaml --out loose 2>&1 | grep -q 'loose.yaml:15:28: with the boundary fixed the body can still move' || echo said otherwise)"
refused "a joint to what is not kept" 18:16 "there is no degree of freedom 'bolt.1.a.ux'" 's/keep: \[bolt.\*/keep: [bolt.*.uz/'
refused "an unknown key" 13:5 "has no key 'spider'" 's/spiders:/spider:/'
refused "vtu of no mode" 19:27 "there is no mode 99" 's/^analyses.*/analyses: [{modes: {vtu: [99]}}]/'
report "fe options without finite elements" "$(printf 'microslip: 1\nstructure: {chain: {masses: {u: 1}, springs: [[ground, u, 4]]}}\nanalyses: [{modes: {full: 3}}]\n' >chain.yaml
  "$microslip" check chain.yaml 2>&1 | grep -q 'chain.yaml:3:27: full is for structures of finite elements' || "$microslip" check chain.yaml 2>&1)"

# ---- beside others ----
# A folder of MPI's would be one for all processes of the user, made and removed by each of them.
touch occupied
report "makes no folder for MPI" "$(TMPDIR=$PWD/occupied "$microslip" run study.yaml --out beside 2>error >/dev/null || cat error)"

# ---- not installed ----
mkdir alone
cp "$microslip" alone/microslip
report "without the plugin: says what is missing and how to get it" "$(alone/microslip check study.yaml 2>&1 | tr '\n' ' ' |
  grep -q 'study.yaml:4:5: finite elements are not part of this installation.*libslepc' || alone/microslip check study.yaml 2>&1)"

finish
