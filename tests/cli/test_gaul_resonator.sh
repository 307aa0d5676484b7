#!/bin/bash
# examples/gaul-resonator, and what the analysis `hysteresis` refuses.
source "$(dirname "$0")/checks.sh"
folder=$source_dir/examples/gaul-resonator

cell() { parameter out/tables/hysteresis.csv "$1" "$2"; } # ROW COLUMN

report "runs" "$("$microslip" run "$folder/study.yaml" --out out --figures 2>&1 >text || echo failed)"
report "the page is there, with its picture" \
  "$(grep -qF '(loops.svg)' "$folder/README.md" && xmllint --noout "$folder/loops.svg" 2>&1 || echo no)"
drawn "the picture is as it is drawn today" "$folder/loops.svg" out/figures/hysteresis-1.svg
for row in weak middle strong slip; do
  near "$row: loss from the accelerations" "$(cell $row loss)" "$(cell $row joint_loss)" 1e-3
  report "$row: loops less than 0.4 % apart" \
    "$(awk -v z="$(cell $row displacement_error)" -v f="$(cell $row force_error)" \
      'BEGIN { if (!(z < 4e-3 && f < 4e-3 && z > 0 && f > 0)) print z, f }')"
done
# phi_max = F_S (1 + beta)/(K_T (beta + (chi + 1)/(chi + 2))), D = 4 R z^(3+chi)/((2+chi)(3+chi)) of a
# sinusoidal z; the higher harmonics of z in microslip are small.
closed=$(awk -v z="$(cell weak displacement)" 'BEGIN { F = 1200; K = 6e7; x = -0.4; b = 1.2
  phi = F*(1 + b)/(K*(b + (x + 1)/(x + 2))); R = K*(x + 1)/(phi^(x + 1)*(1 + b))
  print 4*R*z^(3 + x)/((2 + x)*(3 + x)) }')
near "weak: the closed form of microslip" "$(cell weak loss)" "$closed" 1e-2
# The harmonic track at nearly the same level: 80 N drives the joint into macroslip, f is at F_S.
report "slip: the largest force is F_S, to what harmonics overshoot" \
  "$(awk -F, '$1 == "slip" { f = $6 < 0 ? -$6 : $6; if (f > top) top = f } END { if (!(top > 1190 && top < 1210)) print top }' out/tables/hysteresis_loops.csv)"
# Far into macroslip: no level is left out, and the force that the joint bears holds the amplitude.
report "the resonance is tracked to 400 N, its amplitude held" \
  "$(awk -F, 'NR > 1 { n++; last = $2; if ($2 > 45 && !low) low = $4; q = $4; if ($11 > 1e-10) bad = $11 }
    END { if (n != 60 || last < 399.9 || q > 1.02*low || bad) print n, last, low, q, bad }' out/tables/stepped_sine.csv)"
report "slip: and weak is far below" "$(awk -v f="$(cell weak force)" 'BEGIN { if (!(f < 400)) print f }')"
within "the report's size in MB: curves are thinned, tables are not" "$(awk -v b="$(stat -c %s out/report.html)" 'BEGIN { print b/1e6 }')" 0.5 6
same "all samples are in the table" "$(wc -l <out/tables/weak.csv)" 25002
report "the report lays them over each other" "$(grep -qF 'Loops from the accelerations' out/report.html || echo no)"

# ---- what is refused ----
refused() { # WORDS SED
  sed "$2" "$folder/study.yaml" >bad.yaml
  refused_bad "$1"
}
refused "'lap.z' is no acceleration" 's/accelerations: .*/accelerations: [link.acceleration, lap.z]/'
refused "does not record 'driven.acceleration'" 's/accelerations: .*/accelerations: [driven.acceleration, free.acceleration]/'
refused "two channels, [inner, outer]" 's/accelerations: .*/accelerations: free.acceleration/'
refused "one for each of the 4" 's/      frequency: 138.7/      frequency: [138.7, 3]/'
refused "frequency must be > 0, not 0" 's/      frequency: 138.7/      frequency: 0/'
refused "does not record 'bolt.z'" 's/joint: lap/joint: bolt/'
refused "mass must be" 's/      mass: 4.6/      mass: -1/'
refused "nothing" 's/from: \[weak/from: [nothing/'

sed 's/periods: 10/periods: 1000/; s/steps: 50000/steps: 5000/' "$folder/study.yaml" >short.yaml
report "a record that is too short" \
  "$("$microslip" run short.yaml --out short 2>&1 >/dev/null | grep -qE 'short.yaml:[0-9]+:.*the record has .* periods, not 1000' || echo 'not said')"

finish
