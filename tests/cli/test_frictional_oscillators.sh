#!/bin/bash
# examples/frictional-oscillators: every study of the folder runs to its end, and the numbers on its
# page are right.
set -u
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
microslip=$(realpath "${MICROSLIP:-$source_dir/build/microslip}")
folder=$source_dir/examples/frictional-oscillators
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
source "$source_dir/tests/cli/checks.sh"

of() { # STUDY JQ
  jq -r "$2" "$1/summary.json"
}

for file in "$folder"/*.yaml; do
  name=$(basename "$file" .yaml)
  result "$name: runs" "$("$microslip" run "$file" --out "$name" --figures 2>&1 >out || echo failed)"
  result "$name: the page names it" "$(grep -qF "$name.yaml" "$folder/README.md" || echo no)"
  result "$name: no failed point, residuals below the tolerance, harmonics enough" "$(of "$name" '.analyses[1].levels[]
    | select(.complete != true or .missed != 0 or .residual > 1e-10 or .settled != true)')"
done
for picture in "$folder"/*.svg; do
  result "$(basename "$picture"): well-formed, on the page" \
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
ratio() { of "$1" ".analyses[1].levels[$2].peak | .displacement / $3"; }
near "jenkins: the stuck peak, cut off at F_S/K_T" "$(of jenkins '.analyses[1].levels[0].peak.displacement')" 3.3333e-3 2e-3
near "jenkins: peak over load, stuck over the lowest" \
  "$(awk -v a="$(ratio jenkins 0 0.01)" -v b="$(ratio jenkins 2 0.6)" 'BEGIN { print a/b }')" 32 0.03
near "jenkins: slipping frequency at 1.8 N" "$(of jenkins '.analyses[1].levels[5].peak.omega')" 20 2e-3
most_damped() { tail -n +2 "$1/tables/stepped_sine.csv" | cut -d, -f6 | sort -g | tail -n 1; }
near "jenkins: largest damping ratio" "$(most_damped jenkins)" 0.092 5e-3
near "iwan: largest damping ratio" "$(most_damped iwan)" 0.067 5e-3
# Stuck, tracked at 0.003 N: q = F/(2 zeta k), k = 700.
near "jenkins: amplitude below slip" "$(awk -F, 'NR == 2 { print $4 }' jenkins/tables/stepped_sine.csv)" \
  "$(awk 'BEGIN { print 0.003/(2*0.002*700) }')" 1e-5
result "gap: no fold at 0.05 N, two above" \
  "$(of gap '.analyses[1].levels | map([.folds - .shallow_folds, .unstable > 0]) | select(. != [[0, false], [2, true], [2, true], [2, true]])')"
result "cubic: two folds at the larger levels" "$(of cubic '.analyses[1].levels | map(.folds) | select(. != [0, 2, 2, 2])')"
# Free of its stops the mass is linear: 20 rad/s, F/(2 zeta k).
near "gap: the free peak" "$(of gap '.analyses[1].levels[0].peak.displacement')" \
  "$(awk 'BEGIN { print 0.05/(2*0.01*400) }')" 1e-3
near "two: stuck peak over the lowest" \
  "$(awk -v a="$(ratio two 0 0.02)" -v b="$(ratio two 3 0.7)" 'BEGIN { print a/b }')" 23 0.03
result "two: frequencies of the page" "$(of two '.analyses[0].modes | [.[0].omega_0, .[0].omega_inf, .[1].omega_inf]
  | map(. * 10 | round) | select(. != [178, 150, 232])')"
result "three: 7 harmonics, 1024 time points" "$(of study '.analyses[1] | select(.harmonics != 7 or .times != 1024)')"
result "three: eight folds at 1.5 N, and ripples" \
  "$(of study '.analyses[1].levels[3] | select(.folds - .shallow_folds != 8 or .shallow_folds == 0) | .folds')"
same "... the largest and the smallest take turns" \
  "$(awk -F, '$1 == 1.5 && $7 >= 1e-3 { printf "%s ", $3 }' study/tables/frequency_response_folds.csv)" \
  "largest smallest largest smallest largest smallest largest smallest "
result "... and the ripples are noted" "$(of study '.analyses[1] | select((.notes | map(select(contains("folds are shallow"))) | length) == 0)')"
result "three: nine harmonics move the peaks by less than 3e-4" \
  "$(awk -F, 'NR > 1 && !($6 < 3e-4)' study/tables/frequency_response_harmonics.csv)"
result "three: the track is complete" "$(of study '.analyses[2].modes[] | select(.complete != true)')"

echo "1..$n_tests"
[[ $n_failed == 0 ]]
