#!/bin/bash
# microslip joint and microslip laws from outside: what they print, write and draw.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"

# joint LAW OPTION...: JSON of a run that must succeed in silence.
joint() {
  "$microslip" joint "$@" --json 2>error || { cat error; return 1; }
  [[ ! -s error ]]
}

# agree TOLERANCE SCALE VALUES REFERENCE: two files with a number on each line; the error is
# measured against SCALE, or against the reference itself if that is 0.
agree() {
  paste -d ' ' "$3" "$4" | awk -v tol="$1" -v scale="$2" '
    NF != 2 { print "line " NR ": \"" $0 "\" is not a pair"; bad = 1; exit }
    {
      size = scale > 0 ? scale : $2 < 0 ? -$2 : $2
      error = $1 > $2 ? $1 - $2 : $2 - $1
      if (size > 0) error /= size
      if (!(error <= worst)) { worst = error; at = NR; value = $1; reference = $2 }
    }
    END {
      if (NR == 0) { print "nothing to compare"; exit 1 }
      if (!bad && worst <= tol) exit 0
      printf "row %d: value %.17g, reference %.17g, error %.3g, tolerance %g\n", at, value, reference, worst, tol
      exit 1
    }'
}
# numbers JSON FILTER FILE: the numbers that the filter finds, one on each line.
numbers() { jq -r "$2" "$1" >"$3" && [[ -s $3 ]]; }

golden=(--set F_S=10 --set K_T=1 --set chi=-0.5 --set beta=5)
other=(--set F_S=4137 --set K_T=1.07e8 --set chi=-0.37 --set beta=0.73)

# ---- shapes ----
shape() { # JSON FILTER
  jq -e "$2" "$1" >/dev/null || { jq -c . "$1" | cut -c1-400; return 1; }
}
cat >path.csv <<'END'
t,u
0,0
0.1,2.385e-5
0.2,-4.17e-5
0.35,7.3e-5
END
joint iwan4 --path path.csv >path.json
joint iwan4 --cycle 1.3e-6,4.1e-5 >cycle.json
joint iwan4 --virgin >virgin.json
for file in path cycle virgin; do
  check "$file: one object, and one line more is not there" \
    jq -es 'length == 1 and (.[0] | type == "object")' $file.json
  check "$file: the law, and every parameter of both sets" shape $file.json \
    '.law == "iwan4" and (.parameters | keys_unsorted == ["F_S","K_T","chi","beta","R","S",
     "phi_max","sliders","spacing","merge_tolerance"]) and .parameters.spacing == "geometric" and
     .parameters.F_S == 4000 and .parameters.phi_max == 6e-5'
done
check "path: u, F and slope, a number for each row" shape path.json \
  'keys_unsorted == ["law","parameters","path"] and (.path | keys_unsorted == ["u","F","slope"]) and
   ([.path[] | length] == [4,4,4]) and ([.path[][] | type] | unique == ["number"]) and
   .path.u == [0,2.385e-5,-4.17e-5,7.3e-5] and .path.F[0] == 0 and .path.F[3] == 4000'
check "cycles: an object for each amplitude" shape cycle.json \
  'keys_unsorted == ["law","parameters","cycles"] and (.cycles | length == 2) and
   (.cycles | map(keys_unsorted == ["amplitude","F0","K_secant","D","D_closed_form"]) | all) and
   ([.cycles[][] | type] | unique == ["number"]) and ([.cycles[].amplitude] == [1.3e-6,4.1e-5])'
check "virgin: u, F and slope from zero on" shape virgin.json \
  'keys_unsorted == ["law","parameters","virgin"] and (.virgin | keys_unsorted == ["u","F","slope"])
   and ([.virgin[] | length] | unique == [201]) and .virgin.u[0] == 0 and .virgin.u[200] == 9e-5 and
   .virgin.F[0] == 0 and .virgin.slope[0] == 1e8 and .virgin.F[200] == 4000'

# ---- the golden path ----
check "golden path: runs" joint iwan4 "${golden[@]}" --path "$source_dir/tests/data/golden_path.csv"
joint iwan4 "${golden[@]}" --path "$source_dir/tests/data/golden_path.csv" >golden.json
for column in 1:F 2:slope; do
  numbers golden.json ".path.${column#*:}[]" got
  tail -n +2 "$source_dir/tests/data/golden_force.csv" | cut -d, -f${column%:*} >want
  check "golden path: ${column#*:} to 1e-5" agree 1e-5 1 got want
done
numbers golden.json '.parameters | .phi_max, .R, .S' got
printf '%s\n' 11.25 0.02484519975 0.8333333333 >want
check "golden path: phi_max, R and S" agree 1e-9 0 got want
joint iwan4 "${golden[@]}" --cycle 0.1125,1.125,5.625,16.875 >golden.json
numbers golden.json '.cycles[].D' got
printf '%s\n' 1.125e-4 0.035575624 1.9887378 236.25 >want
check "dissipation at 0.01, 0.1, 0.5 and 1.5 phi_max" agree 2e-8 0 got want

# ---- cycles and the closed form, from 1e-4 to 10 phi_max ----
# From the integral of 4 phi (A - phi) over the sliders that slip.
closed_form() { # JSON
  jq -r '.parameters as $p | .cycles[] | [.amplitude, $p.R, $p.S, $p.chi, $p.phi_max] | @tsv' "$1" |
    awk '{
      A = $1; R = $2; S = $3; chi = $4; top = $5; upto = A < top ? A : top
      D = 4*R*(A*upto^(chi + 2)/(chi + 2) - upto^(chi + 3)/(chi + 3))
      if (A > top) D += 4*S*top*(A - top)
      printf "%.17g\n", D
    }'
}
for set in typical other; do
  options=()
  phi_max=6e-5
  if [[ $set == other ]]; then
    options=("${other[@]}")
    phi_max=$(joint iwan4 "${options[@]}" --virgin | jq .parameters.phi_max)
  fi
  range=$(awk -v p="$phi_max" 'BEGIN { printf "%.17g:%.17g:41", 1e-4*p, 10*p }')
  joint iwan4 "${options[@]}" --cycle "$range" >cycle.json
  numbers cycle.json '.cycles[].D' D
  numbers cycle.json '.cycles[].D_closed_form' closed
  closed_form cycle.json >integral
  check "$set values: 41 amplitudes" test "$(wc -l <D)" = 41
  check "$set values: D and D_closed_form to 1e-9" agree 1e-9 0 D closed
  check "$set values: D_closed_form and the integral" agree 1e-12 0 closed integral
  numbers cycle.json '.cycles[] | .F0 / .amplitude' got
  numbers cycle.json '.cycles[].K_secant' want
  check "$set values: K_secant is F0 over amplitude" agree 1e-15 0 got want
  # Masing: the turning point of a steady loop lies on the first loading curve.
  (echo u; jq '.cycles[].amplitude' cycle.json) >ends.csv
  joint iwan4 "${options[@]}" --path ends.csv | jq '.path.F[]' >want
  numbers cycle.json '.cycles[].F0' got
  check "$set values: F0 lies on the first loading curve" agree 1e-12 0 got want
done
joint jenkins --cycle 1e-5,5e-5,2.1e-4 >cycle.json
numbers cycle.json '.cycles[].D' got
printf '%s\n' 0 0.16 2.72 >want
check "jenkins: D = 4 F_S (A - F_S/K_T)" agree 1e-12 0 got want
same "bouc_wen: no closed form" "$(joint bouc_wen --cycle 1e-6 | jq -c '.cycles[] | [.D > 0, .D_closed_form]')" '[true,null]'
joint linear --set K=2.385e6 --set C=41.7 --frequency 17 --cycle 3.1e-4 >cycle.json
jq '.cycles[0] | .D_closed_form, .D' cycle.json >got
awk 'BEGIN { D = 2*3.141592653589793^2*17*41.7*3.1e-4^2; printf "%.17g\n%.17g\n", D, D }' >want
check "linear: D = pi C omega A^2" agree 1e-3 0 got want
check "linear: its closed form" agree 1e-12 0 <(head -n 1 got) <(head -n 1 want)
# Laws that depend on rate go at 1 Hz where nothing else is said.
for mode in '--cycle 3.1e-4' '--virgin --to 3.1e-4'; do
  # shellcheck disable=SC2086 # two words or three
  same "without --frequency it is 1 Hz: $mode" "$(joint coulomb_viscous $mode)" "$(joint coulomb_viscous $mode --frequency 1)"
done
joint linear --set K=2.385e6 --set C=41.7 --cycle 3.1e-4 | jq '.cycles[0].D_closed_form' >got
awk 'BEGIN { printf "%.17g\n", 2*3.141592653589793^2*41.7*3.1e-4^2 }' >want
check "linear at 1 Hz: its closed form" agree 1e-12 0 got want

# ---- parameter sets ----
joint iwan4 "${other[@]}" --path path.csv >first.json
density=()
for name in R S phi_max chi; do density+=(--set "$name=$(jq ".parameters.$name" first.json)"); done
joint iwan4 "${density[@]}" --path path.csv >second.json
for what in path.F path.slope; do
  numbers first.json ".${what}[]" want
  numbers second.json ".${what}[]" got
  check "R, S, phi_max, chi instead: the same $what to 1e-12" agree 1e-12 0 got want
done
filter='.parameters | .F_S, .K_T, .chi, .beta, .R, .S, .phi_max'
numbers first.json "$filter" want
numbers second.json "$filter" got
check "R, S, phi_max, chi instead: the same parameters to 1e-12" agree 1e-12 0 got want

# ---- paths ----
# A path of 60 turns, and the same with intermediate points.
awk 'BEGIN {
  for (i = 0; i < 60; i++) printf "%.17g\n", 7.3e-5*sin(2.385*i)*cos(0.17*i*i)
}' >turns
(echo u; cat turns) >coarse.csv
awk -v m=7 'BEGIN { print "u"; old = 0 }
  { for (k = 1; k < m; k++) printf "%.17g\n", old + ($1 - old)*k/m; print $1; old = $1 }' turns >fine.csv
joint iwan4 --path coarse.csv | jq '.path.F[]' >want
joint iwan4 --path fine.csv | jq '.path.F[]' | awk 'NR % 7 == 0' >got
check "points in between change nothing: 1e-12 of F_S" agree 1e-12 4000 got want
check "the path has turns, so that this means something" \
  awk '{ if (NR > 2 && ($1 - b)*(b - a) < 0) n++; a = b; b = $1 } END { exit !(n > 20) }' turns

with() { # HEADER AWK-EXPRESSION FILE: the coarse path with further columns
  awk -v header="$1" "BEGIN { OFS = \",\"; OFMT = \"%.17g\"; print header } { i = NR; print $2 }" turns >"$3"
}
same_force() { # FILE REFERENCE-OF-JQ: forces of a path and those of coarse.csv
  joint iwan4 --path "$1" | jq '.path.F[]' >got && agree "${2:-0}" 4000 got want
}
with 'u,alpha,k' '$1, 1, 1' extra.csv
check "alpha = k = 1 is no load at all" same_force extra.csv 1e-12
with 'k,t,alpha,u' '1, 0.01*i, 1, $1' extra.csv
check "columns in any order, with time" same_force extra.csv 1e-12
with 't,u,v' '0.01*i, $1, 5*i' extra.csv
check "neither time nor velocity matters to iwan4" same_force extra.csv
awk 'BEGIN { print "# a path\nu [m] ; k" } { print $1 " ; 1" }' turns >extra.csv
check "units, semicolons and comments" same_force extra.csv 1e-12
with 'u,alpha,k' '$1, 2.385, 2.385' extra.csv
joint iwan4 --path extra.csv | jq '.path.F[] / 2.385' >got
check "alpha = k: forces in proportion" agree 1e-11 4000 got want
with 'u,alpha' '2.385*$1, 2.385' extra.csv
joint iwan4 --path extra.csv | jq '.path.F[] / 2.385' >got
check "alpha alone: slip displacements in proportion" agree 1e-11 4000 got want
with 'u,k' '$1/2.385, 2.385' extra.csv
joint iwan4 --path extra.csv | jq '.path.F[]' >got
check "k alone: slip displacements in inverse proportion" agree 1e-11 4000 got want
with 'u,alpha,k' '$1, 1 + 0.5*sin(i), 1.2 + cos(3*i)' extra.csv
joint iwan4 --path extra.csv | jq '.path.F[]' >got
joint iwan4 --set F_S=4000 --set K_T=1e8 --set chi=-0.5 --set beta=1 --set sliders=50000 \
  --path extra.csv | jq '.path.F[]' >want
check "alpha and k vary: 50,000 sliders agree to 1e-6 of F_S" agree 1e-6 4000 got want
check "and the load matters" awk '{ n += $1 != 0 } END { exit !(n > 50) }' got

with 't,u,v' '0.01*i, $1, 0.3*cos(i)' rate.csv
linear=(--set K=2.385e6 --set C=417)
joint linear "${linear[@]}" --path rate.csv | jq '.path.F[]' >got
awk -F, 'NR > 1 { printf "%.17g\n", 2.385e6*$2 + 417*$3 }' rate.csv >want
check "linear: F = K u + C v" agree 1e-13 100 got want
with 't,u,v,k' '0.01*i, $1, 0.3*cos(i), 1 + 0.5*sin(i)' rate.csv
joint linear "${linear[@]}" --path rate.csv | jq '.path.F[]' >got
awk -F, 'NR > 1 { printf "%.17g\n", 2.385e6*$4*$2 + 417*$3 }' rate.csv >want
check "linear: F = k K u + C v" agree 1e-13 100 got want
with 't,u' '0.01*i, $1' rate.csv
joint linear "${linear[@]}" --path rate.csv | jq '.path.F[]' >got
awk -F, 'NR > 1 {
  v = NR > 2 ? ($2 - old)/($1 - before) : 0
  printf "%.17g\n", 2.385e6*$2 + 417*v; old = $2; before = $1
}' rate.csv >want
check "linear: without v the velocity is the backward difference" agree 1e-12 100 got want

# ---- options ----
joint iwan4 "${golden[@]}" --cycle 1.7,3.1 >one.json
joint iwan4 --set=F_S=10 --set=K_T=1 --set=chi=-0.5 --set=beta=5 --cycle=1.7,3.1 >two.json
check "--option=value is --option value" cmp one.json two.json
"$microslip" joint iwan4 --json --virgin --to 3.7e-5 >two.json
check "--to sets the end of the first loading curve" shape two.json '.virgin.u[200] == 3.7e-5'
joint iwan4 --cycle 1e-6:1e-4:5 | jq '.cycles[].amplitude' >got
printf '%s\n' 1e-6 3.1622776601683794e-6 1e-5 3.1622776601683794e-5 1e-4 >want
check "a range is even in the logarithm" agree 1e-14 0 got want
joint iwan4 --cycle 2e-6,1e-6:4e-6:3,5e-5 | jq '.cycles[].amplitude' >got
printf '%s\n' 2e-6 1e-6 2e-6 4e-6 5e-5 >want
check "ranges and values mix, in the order given" agree 1e-14 0 got want
joint iwan4 "${golden[@]}" --set sliders=400 --set spacing=uniform --virgin >two.json
check "words and whole numbers among the parameters" shape two.json \
  '.parameters.sliders == 400 and .parameters.spacing == "uniform"'
joint iwan4 "${golden[@]}" --set chi=-0.25 --virgin >two.json
check "of a parameter set twice the last counts" shape two.json '.parameters.chi == -0.25'

# ---- CSV ----
mkdir csv
for mode in "--path ../path.csv" "--cycle 1.3e-6,4.1e-5" "--virgin"; do
  # shellcheck disable=SC2086 # two words
  (cd csv && "$microslip" joint iwan4 $mode --csv out.csv --json >../out.json)
  jq -r '(.path // .virgin) as $c | if $c then [$c.u, $c.F, $c.slope] | transpose[]
         else .cycles[] | [.amplitude, .F0, .K_secant, .D, .D_closed_form] end | .[]' out.json >want
  tail -n +2 csv/out.csv | if [[ $mode == --path* ]]; then cut -d, -f2-; else cat; fi | tr , '\n' >got
  check "$mode: the CSV file holds the numbers of the JSON" agree 0 0 got want
  check "$mode: nothing else in the folder" test "$(ls -A csv)" = out.csv
done
header() { # FILE TEXT
  local first
  read -r first <"$1"
  [[ $first == "$2" ]] || { echo "$first"; return 1; }
}
"$microslip" joint iwan4 --path path.csv --csv out.csv >/dev/null
check "CSV of a path: headings with units" header out.csv 't [s],u [m],F [N],slope [N/m]'
cut -d, -f1 out.csv | tail -n +2 >got
tail -n +2 path.csv | cut -d, -f1 >want
check "CSV of a path: time as given" agree 0 0 got want
"$microslip" joint iwan4 --cycle 1e-5 --csv out.csv >/dev/null
check "CSV of cycles: headings with units" header out.csv \
  'amplitude [m],F0 [N],K_secant [N/m],D [J],D_closed_form [J]'
check "a path that was written can be read again" joint iwan4 --path path.csv --csv again.csv

# ---- pictures ----
picture() { # FILE TEXT...: well-formed, without numbers that are none, with the texts
  local file=$1 text
  shift
  xmllint --noout "$file" || return
  ! grep -nwiE 'nan|-?inf' "$file" || return
  for text; do
    xmllint --xpath 'string(/)' "$file" | tr -s ' \n' ' ' | grep -qF "$text" || { echo "no '$text'"; return 1; }
  done
}
for theme in auto light dark; do
  "$microslip" joint iwan4 --cycle 1e-6:1e-4:9 --plot cycle.svg --theme $theme >/dev/null
  check "picture of cycles, $theme" picture cycle.svg 'four-parameter Iwan element' 'Hysteresis loops' \
    'Secant stiffness' 'Dissipation per cycle' 'slope 2.50' 'displacement' 'first loading'
  "$microslip" joint iwan4 --path path.csv --plot path.svg --theme $theme >/dev/null
  check "picture of a path, $theme" picture path.svg 'Force and displacement' 'time'
  "$microslip" joint iwan4 --virgin --plot virgin.svg --theme $theme >/dev/null
  check "picture of first loading, $theme" picture virgin.svg 'First loading' 'Tangent stiffness'
  cp cycle.svg "$theme.svg"
done
check "the themes differ" bash -c '! cmp -s auto.svg light.svg && ! cmp -s light.svg dark.svg && ! cmp -s auto.svg dark.svg'
"$microslip" joint iwan4 --path extra.csv --plot load.svg >/dev/null
check "picture of a path with load" picture load.svg 'Normal load and stiffness' alpha
"$microslip" joint linear --set K=1e7 --set C=417 --cycle 1e-5,1e-4 --plot out.svg >table
check "a setting that is not its default is shown, in the picture" picture out.svg 'C = 417 N s/m' 'slope 2.00'
"$microslip" joint jenkins --cycle 1e-5,1e-4 --plot out.svg >/dev/null
check "no slope where there is no power law" bash -c '! grep -q "slope" out.svg'
for law in jenkins linear; do
  "$microslip" joint $law --cycle 1e-5,1e-4 --plot out.svg >/dev/null
  check "picture of cycles of $law" picture out.svg "$law:"
done
"$microslip" joint iwan4 --cycle 1e-5 --json --csv a.csv --plot a.svg >out.json
check "--json with --csv and --plot: all three" bash -c 'jq -e .cycles out.json >/dev/null && test -s a.csv -a -s a.svg'

# ---- tables ----
has() { # FILE TEXT...
  local file=$1 text
  shift
  for text; do grep -qF -- "$text" "$file" || { echo "no '$text' in"; cat "$file"; return 1; }; done
}
"$microslip" joint iwan4 --cycle 1e-5,1e-4 --csv a.csv --plot a.svg >table
check "the table: law, typical values, headings, numbers" has table 'four-parameter Iwan element' \
  'typical values' 'phi_max  6e-05 m' 'K_secant [N/m]' '0.736'
check "the table says where the picture and the file are" has table 'table: a.csv' 'picture: a.svg'
aligned() { awk '/K_secant/ { on = 1 } on && NF == 0 { on = 0 } on { n[length($0)]++; rows++ }
  END { for (l in n) kinds++; exit !(rows == 3 && kinds == 1) }' "$1"; }
check "the table is aligned" aligned table
"$microslip" joint linear --set K=1e7 --set C=417 --virgin >table
check "a setting that is not its default is shown, in the table" has table 'C        417 N s/m'
"$microslip" joint iwan4 "${golden[@]}" --virgin >table
check "with values given it does not call them typical" bash -c '! grep -q typical table'

# ---- laws side by side, several axes ----
printf 'u\n2e-5\n-1e-5\n7e-5\n' >one.csv
joint iwan4 --path one.csv >alone.json
joint iwan4 --with linear --set K=3e7 --path one.csv >both.json
check "--with: forces add" shape both.json '.law == "parallel" and
  [.members[].law] == ["iwan4","linear"] and .members[1].parameters.K == 3e7'
check "--with: the sum" bash -c 'jq -n --slurpfile a alone.json --slurpfile b both.json -e "
  [\$a[0].path.F, \$a[0].path.u, \$b[0].path.F] | transpose |
  map((.[0] + 3e7 * .[1] - .[2]) | fabs < 1e-9) | all" >/dev/null'
printf 'ux,uy\n2e-5,1e-6\n-1e-5,3e-6\n7e-5,-2e-6\n' >two.csv
joint iwan4 --axis x --with linear --axis y --set K=3e7 --path two.csv --csv two.out --plot two.svg \
  >two.json
check "--axis: x is the first law's" bash -c \
  '[ "$(jq -c .path.F alone.json)" = "$(jq -c .path.Fx two.json)" ]'
check "--axis: y is the second's" shape two.json \
  '([.path.Fy, .path.uy] | transpose | map((.[0] - 3e7 * .[1]) | fabs < 1e-9) | all) and
   (.path.slope.yy | all(. == 3e7)) and (.path.slope.xy | all(. == 0))'
check "--axis: columns of the table" has two.out 'ux [m],uy [m],Fx [N],Fy [N],Kxx [N/m]'
check "--axis: a picture" xmllint --noout two.svg
joint linear --set K=2e7 --set C=3000 --virgin --to 1e-4 --frequency 5 >rate.json
check "a law with a rate is loaded steadily" shape rate.json \
  '.virgin.F[200] - (2e7 * 1e-4 + 3000 * 1e-4 * 20) | fabs < 1e-6'

# ---- a density from a file ----
printf 'phi [m],rho [N/m^2],S [N/m]\n0,2e12,0\n3e-5,1e12,0\n6e-5,1e12,4e7\n' >density.csv
joint iwan_table --set density=density.csv --virgin --to 6e-5 >table.json
check "--set density=FILE: stiffness is the density's total" shape table.json \
  '.virgin.slope[0] - (45e6 + 3e7 + 4e7) | fabs < 1'

# ---- laws, help, version ----
"$microslip" laws >table
check "laws: every law, with unit and bounds" has table linear: jenkins: iwan4: 'N/m' '(-1, inf)' \
  'give either F_S, K_T, chi, beta; or chi, R, S, phi_max'
"$microslip" laws iwan4 >table
check "laws LAW: that one" has table iwan4: phi_max geometric
check "laws LAW: no other" bash -c '! grep -q jenkins: table'
"$microslip" laws --json >out.json
check "laws --json: one object, every law" shape out.json \
  '(["linear","jenkins","iwan4"] - [.laws[].name] == []) and
   (.laws | map(has("title") and has("reference") and .axes >= 1) | all)'
check "laws --json: bounds only where there are some" shape out.json \
  '.laws[] | select(.name == "iwan4").parameters | map(select(.name == "chi"))[0] |
   .lower == -1 and .lower_excluded and (has("upper") | not) and .unit == "-" and .kind == "required"'
check "laws --json: kinds" shape out.json \
  '[.laws[] | select(.name == "iwan4").parameters[] | select(.set == 0).kind] |
   . == ["required", "count", "choice", "optional"]'
"$microslip" laws jenkins --json >out.json
check "laws LAW --json: that one" shape out.json '[.laws[].name] == ["jenkins"]'

says() { # TEXT ARGUMENT...: on standard output, with success and in silence elsewhere
  local text=$1
  shift
  "$microslip" "$@" >out 2>error || return
  [[ ! -s error ]] || { cat error; return 1; }
  has out "$text"
}
check "--help" says 'microslip joint' --help
check "-h" says 'microslip laws' -h
check "help" says 'microslip laws' help
check "joint --help" says '--path FILE.csv' joint --help
check "joint LAW --help" says '--path FILE.csv' joint iwan4 --help
check "laws --help" says 'microslip laws [LAW] [--json]' laws --help
check "--version" says "microslip $(sed -n 's/^project(microslip VERSION \([0-9.]*\).*/\1/p' "$source_dir/CMakeLists.txt")" --version

finish
