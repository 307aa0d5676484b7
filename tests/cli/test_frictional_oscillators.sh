#!/bin/bash
# examples/frictional-oscillators: every study of the folder runs to its end, and the numbers on its
# page are right.
source "$(dirname "$0")/checks.sh"
folder=$source_dir/examples/frictional-oscillators

for file in "$folder"/*.yaml; do
  name=$(basename "$file" .yaml)
  report "$name: runs" "$("$microslip" run "$file" --out "$name" --figures --display rad,ratio,modal 2>&1 >out || echo failed)"
  report "$name: the page names it" "$(grep -qF "$name.yaml" "$folder/README.md" || echo no)"
  report "$name: no failed point, residuals below the tolerance, harmonics enough" "$(summary "$name" '.analyses[1].levels[]
    | select(.complete != true or .missed != 0 or .residual > 1e-10 or .settled != true)')"
done
for picture in "$folder"/*.svg; do
  report "$(basename "$picture"): well-formed, on the page" \
    "$(xmllint --noout "$picture" 2>&1; grep -qF "($(basename "$picture"))" "$folder/README.md" || echo 'not on the page')"
done
drawing() { # PICTURE: what the program draws for it
  case $1 in
    three) echo study/figures/frequency_response-1.svg ;;
    loops) echo study/figures/frequency_response-2.svg ;;
    *) echo "$1/figures/frequency_response-1.svg" ;;
  esac
}
for picture in jenkins gap two three loops; do
  drawn "$picture.svg: as it is drawn today" "$folder/$picture.svg" "$(drawing $picture)"
done

# ---- what the page says ----
ratio() { summary "$1" ".analyses[1].levels[$2].peak | .displacement / $3"; }
near "jenkins: the stuck peak, cut off at F_S/K_T" "$(summary jenkins '.analyses[1].levels[0].peak.displacement')" 3.3333e-3 2e-3
near "jenkins: peak over load, stuck over the lowest" \
  "$(awk -v a="$(ratio jenkins 0 0.01)" -v b="$(ratio jenkins 2 0.6)" 'BEGIN { print a/b }')" 32 0.03
near "jenkins: slipping frequency at 1.8 N" "$(summary jenkins '.analyses[1].levels[5].peak.omega')" 20 2e-3
most_damped() { tail -n +2 "$1/tables/stepped_sine.csv" | cut -d, -f6 | sort -g | tail -n 1; }
near "jenkins: largest damping ratio" "$(most_damped jenkins)" 0.092 5e-3
near "iwan: largest damping ratio" "$(most_damped iwan)" 0.067 5e-3
# Stuck, tracked at 0.003 N: q = F/(2 zeta k), k = 700.
near "jenkins: amplitude below slip" "$(awk -F, 'NR == 2 { print $4 }' jenkins/tables/stepped_sine.csv)" \
  "$(awk 'BEGIN { print 0.003/(2*0.002*700) }')" 1e-5
report "gap: no fold at 0.05 N, two above" \
  "$(summary gap '.analyses[1].levels | map([.folds - .shallow_folds, .unstable > 0]) | select(. != [[0, false], [2, true], [2, true], [2, true]])')"
report "cubic: two folds at the larger levels" "$(summary cubic '.analyses[1].levels | map(.folds) | select(. != [0, 2, 2, 2])')"
# Free of its stops the mass is linear: 20 rad/s, F/(2 zeta k).
near "gap: the free peak" "$(summary gap '.analyses[1].levels[0].peak.displacement')" \
  "$(awk 'BEGIN { print 0.05/(2*0.01*400) }')" 1e-3
near "two: stuck peak over the lowest" \
  "$(awk -v a="$(ratio two 0 0.02)" -v b="$(ratio two 3 0.7)" 'BEGIN { print a/b }')" 23 0.03
report "two: frequencies of the page" "$(summary two '.analyses[0].modes | [.[0].omega_0, .[0].omega_inf, .[1].omega_inf]
  | map(. * 10 | round) | select(. != [178, 150, 232])')"
report "three: 7 harmonics, 1024 time points" "$(summary study '.analyses[1] | select(.harmonics != 7 or .times != 1024)')"
report "three: eight folds at 1.5 N, and ripples" \
  "$(summary study '.analyses[1].levels[3] | select(.folds - .shallow_folds != 8 or .shallow_folds == 0) | .folds')"
same "... the largest and the smallest take turns" \
  "$(awk -F, '$1 == 1.5 && $7 >= 1e-3 { printf "%s ", $3 }' study/tables/frequency_response_folds.csv)" \
  "largest smallest largest smallest largest smallest largest smallest "
report "... and the ripples are noted" "$(summary study '.analyses[1] | select((.notes | map(select(contains("folds are shallow"))) | length) == 0)')"
report "three: nine harmonics move the peaks by less than 3e-4" \
  "$(awk -F, 'NR > 1 && !($6 < 3e-4)' study/tables/frequency_response_harmonics.csv)"
report "three: the track is complete" "$(summary study '.analyses[2].modes[] | select(.complete != true)')"

finish
