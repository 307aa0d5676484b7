#!/bin/bash
# Meshes that this project did not write: files of Gmsh and of the library of Exodus II, whole and cut
# short, and the examples of CalculiX where they are installed.
source "$(dirname "$0")/../checks.sh"
info=$build_dir/tests/mesh_info
cp "$source_dir"/tests/data/mesh/*.{msh,exo,inp} .

# ---- whole: the block has a volume of 1.3 x 0.7 x 0.9 ----

for file in block*.msh tets*.msh wedges*.msh block*.exo tets*.exo wedges.exo meshio.exo block*.inp; do
  line=$("$info" "$file")
  near "$file: volume" "$(sed -n 's/.*volume //p' <<<"$line")" 0.819 1e-12
done
# Two bricks, half the block each, and a tetrahedron: base 0.65 x 0.7 / 2, height 0.5.
line=$("$info" exodusii.exo)
near "exodusii.exo: volume" "$(sed -n 's/.*volume //p' <<<"$line")" \
  "$(awk 'BEGIN { printf "%.14g", 0.819 + 0.65*0.7/2*0.5/3 }')" 1e-11
report "exodusii.exo: parts and sets" "$(grep -q '13 nodes, 3 elements, 2 parts, 5 sets' <<<"$line" || echo "$line")"

# ---- cut short: refused, with the line or the byte ----

for file in *.msh *.exo; do
  size=$(stat -c %s "$file")
  faults=
  for at in 5 $((size / 4)) $((size / 2)) $((3 * size / 4)) $((9 * size / 10)); do
    head -c "$at" "$file" >"cut-$file"
    line=$("$info" "cut-$file")
    grep -qE "^cut-$file: refused; cut-$file(:[0-9]+: |:byte [0-9]+: |: cannot be read as HDF5: truncated)" <<<"$line" || faults+="at $at of $size: $line"$'\n'
  done
  report "$file cut short in five places" "$faults"
done

# ---- the examples of CalculiX, in the format of Abaqus ----

# Nodes and elements of a file, counted by its lines up to the first step.
count() {
  awk 'BEGIN { split("C3D8 8 C3D8I 8 C3D8R 8 C3D20 20 C3D20R 20 C3D4 4 C3D10 10 C3D6 6 B31 2 B33 2 MASS 1 SPRING1 1 SPRING2 2", t)
      for (i = 1; i in t; i += 2) n[t[i]] = t[i + 1] }
    { sub(/\r$/, "") }
    /^[ \t]*\*\*/ || /^[ \t]*$/ { next }
    /^\*/ { mode = ""; line = toupper($0); gsub(/[ \t]/, "", line)
      if (line ~ /^\*STEP/) exit
      if (line ~ /^\*NODE(,|$)/) mode = "node"
      if (line ~ /^\*ELEMENT,/) { mode = "element"; match(line, /TYPE=[A-Z0-9]+/); want = n[substr(line, RSTART + 5, RLENGTH - 5)] + 1; have = 0 }
      next }
    mode == "node" { nodes++ }
    mode == "element" { gsub(/[ \t]/, ""); sub(/,$/, ""); have += split($0, f, ","); if (have >= want) { elements++; have = 0 } }
    END { print nodes + 0 " nodes, " elements + 0 " elements" }' "$1"
}
folder=/usr/share/doc/calculix-ccx-test/examples/test
if compgen -G "$folder/beam*.inp*" >/dev/null; then
  mkdir ccx && cd ccx || exit 2
  cp $folder/*.inp* . && gunzip -f ./*.gz 2>/dev/null
  "$info" *.inp >all
  [[ $? -lt 2 ]] || report "an end without a fault" "$(tail -n 3 all)"
  same "every file has its line" "$(wc -l <all)" "$(ls ./*.inp | wc -l)"
  wrong=
  while IFS= read -r line; do
    file=${line%%:*}
    grep -qF "$(count "$file")," <<<"$line" || wrong+="$line; counted $(count "$file")"$'\n'
  done < <(grep ': read; ' all)
  report "$(grep -c ': read; ' all) of $(wc -l <all) are read, with all their nodes and elements" "$wrong"
  within "files that are read" "$(grep -c ': read; ' all)" 90 400
  report "every refusal has its line" "$(grep ': refused; ' all | grep -vE ': refused; [^:]+\.inp:[0-9]+: |holds no elements')"
  near "a beam of 1 x 1 x 8" "$(sed -n 's/^beam8p.inp:.*volume //p' all)" 8 1e-9
else
  echo "# skipped: the examples of CalculiX, which come with Debian's calculix-ccx-test"
fi

finish
