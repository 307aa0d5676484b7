#!/bin/bash
# examples/frictional-support-beam: the studies run to their end, and the numbers on the page are right.
source "$(dirname "$0")/checks.sh"
folder=$source_dir/examples/frictional-support-beam

for name in study one-block constant; do
  report "$name: runs" "$("$microslip" run "$folder/$name.yaml" --out "$name" --figures 2>&1 >out || echo failed)"
  report "$name: no failed point, residuals below the tolerance" "$(summary "$name" '.analyses[]
    | (select(.kind == "frequency_response") | .levels[]), (select(.kind == "stepped_sine") | .modes[])
    | select(.complete != true or .residual > 1e-10)')"
done
drawn "frf.svg: as it is drawn today" "$folder/frf.svg" study/figures/frf-2.svg
drawn "resonance.svg" "$folder/resonance.svg" study/figures/stepped_sine-1.svg
drawn "three-blocks.svg" "$folder/three-blocks.svg" study/figures/frequency_response-2.svg
drawn "one-block.svg" "$folder/one-block.svg" one-block/figures/frequency_response-2.svg
drawn "time.svg" "$folder/time.svg" one-block/figures/transient-1.svg
drawn "energy.svg" "$folder/energy.svg" one-block/figures/transient-2.svg
for picture in "$folder"/*.svg; do
  report "$(basename "$picture"): on the page" "$(grep -qF "($(basename "$picture"))" "$folder/README.md" || echo no)"
done

# ---- linear frequencies: Table 1 within 0.2 Hz, and what the page says ----
frequency() { # BLOCKS
  awk -F, -v v="$1" 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == v && $at["mode"] == 1 { print $at["f_0"] }' \
    study/tables/modes_variants.csv
}
measured=(0 55.3 56.52 57.3)
said=(0 55.22 56.57 57.26)
for n in 1 2 3; do
  within "$n blocks: measured, to 0.2 Hz" "$(frequency $n)" "$(awk -v f="${measured[n]}" 'BEGIN { print f - 0.2 }')" \
    "$(awk -v f="${measured[n]}" 'BEGIN { print f + 0.2 }')"
  near "$n blocks: as on the page" "$(frequency $n)" "${said[n]}" 1e-4
done

# ---- the tracked resonance ----
track() { # ROW: level, Hz, g at the drive point
  paste -d, <(awk -F, 'NR > 1 { printf "%s,%.17g\n", $2, $3/6.283185307179586 }' study/tables/stepped_sine.csv) \
    <(awk -F, '$4 == "drive.uy" { print $7/9.80665 }' study/tables/stepped_sine_sensors.csv) | sed -n "$1p"
}
same "80 levels" "$(awk 'END { print NR - 1 }' study/tables/stepped_sine.csv)" 80
within "from 40 mg" "$(track 1 | cut -d, -f3)" 0.0395 0.0405
near "at" "$(track 1 | cut -d, -f2)" 57.15 1e-4
within "to 6 g" "$(track 80 | cut -d, -f3)" 5.95 6.05
near "at" "$(track 80 | cut -d, -f2)" 54.77 1e-4
report "falling all the way" "$(awk -F, 'NR > 2 && !($3 < last) { print "row " NR } { last = $3 }' study/tables/stepped_sine.csv)"

# ---- loops: z in um, f and load in N ----
loop() { # STUDY LEVEL AXIS
  awk -F, -v l="$2" -v a="$3" '$1 == l && $3 == a { if (!n++) { zl = zh = $4; fl = fh = $5 }
    if ($4 < zl) zl = $4; if ($4 > zh) zh = $4; if ($5 < fl) fl = $5; if ($5 > fh) fh = $5 }
    END { printf "%.17g %.17g %.17g\n", (zh - zl)*5e5, fl, fh }' "$1/tables/frequency_response_loops.csv"
}
report "3 g: half the range of z, lowest and highest force" "$(off "$(loop study 3 1)" "21.9 -143 148" 4e-3)"
report "6 g" "$(off "$(loop study 9.2 1)" "46.8 -160 254" 4e-3)"
report "constant load, 3 g" "$(off "$(loop constant 3 1 | cut -d' ' -f2,3)" "-156 136" 4e-3)"
report "constant load, 6 g" "$(off "$(loop constant 9.2 1 | cut -d' ' -f2,3)" "-210 204" 4e-3)"
loss() { # STUDY LEVEL: area of the loop
  awk -F, -v l="$2" '$1 == l && $3 == 1 { if (n++) sum += 0.5*($5 + f)*($4 - z); z = $4; f = $5 }
    END { printf "%.17g\n", sum < 0 ? -sum : sum }' "$1/tables/frequency_response_loops.csv"
}
# At its own peak each; at 9.2 N the two peaks differ by 0.45 % in displacement.
for level in 0.6 3; do
  near "$level N: the loss does not know that the load varies" "$(loss study $level)" "$(loss constant $level)" 2e-3
done
near "9.2 N: the loss hardly knows that the load varies" "$(loss study 9.2)" "$(loss constant 9.2)" 5e-3
report "6 g: change of the load" "$(off "$(loop study 9.2 2 | cut -d' ' -f2,3)" "-49.9 48.5" 2e-3)"
report "one block, 2.8 N" "$(off "$(loop one-block 2.8 1 | cut -d' ' -f2,3)" "-41 90" 5e-3)"
report "one block: the load from 40 to 97 N" \
  "$(off "$(loop one-block 2.8 2 | awk '{ print 68.65 + $2, 68.65 + $3 }')" "40.3 97.2" 5e-3)"

# ---- in time ----
displacement() { awk -F, 'NR > 1 && $1 > 2.48 { z = $3 < 0 ? -$3 : $3; if (z > m) m = z } END { printf "%.17g\n", m*1e6 }' one-block/tables/transient.csv; }
balance=$(awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == 2.8 && $3 == "support" && $4 == 1 {
  f = $2/6.283185307179586; if (f > 53.9499 && f < 53.9501) printf "%.17g\n", $at["peak_displacement"]*1e6 }' \
  one-block/tables/frequency_response_joints.csv)
near "largest displacement in time and by harmonic balance" "$(displacement)" "$balance" 1e-3
near "as on the page" "$(displacement)" 36.72 3e-4
missing() { summary one-block ".analyses[] | select(.name == \"$1\") | .energy.balance/.energy.input"; }
within "energy missing of what went in" "$(missing transient)" -5e-5 5e-5
near "a quarter of it with half the step" "$(awk -v a="$(missing transient)" -v b="$(missing finer)" 'BEGIN { print a/b }')" 4 0.02

finish
