#!/bin/bash
# Broken studies and broken data files: each is refused with exit code 2, a message that names the
# place (file:line:column, the line itself, a caret under the column) and what would be right,
# nothing on standard output, and nothing written. The same under `run` and `check`.
# shellcheck disable=SC2016 # sed has dollars of its own
source "$(dirname "$0")/checks.sh"
mkdir work
cd work || exit 2

# The valid study that is broken in one place each time.
good() {
  cat <<'Y'
microslip: 1
title: Two masses and a lap joint
units: SI
structure:
  chain:
    masses: {left: 1.2, right: 0.8}
    springs: [[ground, left, 4.1e5], [left, right, 2.5e5]]
  damping: {modal: 5.0e-4}
joints:
  lap: {law: iwan4, between: [left, right], F_S: 20, K_T: 2.1e4, chi: -0.4, beta: 1.5}
analyses:
  - modes
  - modal_ringdown:
      modes: [1, 2]
      levels: {1: [12], 2: [20, 60]}
      time: {step: 1.0e-4, steps: 4000}
  - fit_modal: {form: continuous}
  - modal_iwan: {form: continuous, time: {step: 1.0e-4, steps: 4000}}
  - impact_test: {at: [right], levels: [50], time: {step: 1.0e-4, steps: 4000}, compare: modal_iwan}
Y
}

# The same structure by matrices, in files beside the study.
matrices='4,8c\
structure:\
  matrices:\
    coordinates: [left, right]\
    mass: [1.2, 0.8]\
    stiffness: [[6.6e5, -2.5e5], [-2.5e5, 2.5e5]]\
  damping: {modal: 5.0e-4}'

# The place LINE:COLUMN, with the line of the file quoted and a caret below the column.
place_faults() { # PLACE
  local line=${1%:*} column=${1#*:} quoted
  quoted=$(sed -n "${line}p" study.yaml | tr '\t' ' ')
  [[ $(head -n 1 ../error) == "microslip: study.yaml:$1: "* ]] || echo "the place should be $1"
  [[ $(wc -l <../error) == 3 ]] || echo "there should be a message, the line and a caret"
  [[ $(sed -n 2p ../error) == "  $quoted" ]] || echo "line $line should be quoted"
  [[ $(sed -n 3p ../error) == "$(printf '  %*s^' $((column - 1)) '')" ]] ||
    echo "the caret should be below column $column"
}

faults() { # PLACE WORD...
  local place=$1 word
  shift
  [[ $status == 2 ]] || echo "the exit code should be 2"
  [[ $place == none ]] || place_faults "$place"
  [[ $place != none || $(wc -l <../error) == 1 ]] || echo "there should be one line"
  for word; do head -n 1 ../error | grep -qF -- "$word" || echo "the message lacks '$word'"; done
  [[ ! -s ../out ]] || echo "there should be nothing on standard output"
  [[ $(ls -A) == "$before" ]] || echo "left in the folder: $(ls -A)"
}

# refused TEXT PLACE 'WORD|WORD...' [ARGUMENT...]: study.yaml as it lies in the folder.
refused() {
  local text=$1 place=$2 words
  IFS='|' read -ra words <<<"$3"
  shift 3
  before=$(ls -A)
  for command in 'run --out results' check; do
    # shellcheck disable=SC2086 # two words
    "$microslip" $command study.yaml "$@" >../out 2>../error
    status=$?
    judge "$text (${command%% *})" "$(faults "$place" "${words[@]}")"
  done
}

# broken TEXT PLACE WORDS SED [ARGUMENT...]: the valid study, edited.
broken() {
  local text=$1 place=$2 words=$3 edit=$4
  shift 4
  good | sed "$edit" >study.yaml
  if cmp -s study.yaml <(good) && [[ $# == 0 ]]; then
    status=0 judge "$text: the edit changes nothing" "edit: $edit"
  fi
  refused "$text" "$place" "$words" "$@"
}

# by_matrices TEXT PLACE WORDS SED: the study by matrices, edited.
by_matrices() {
  good | sed "$matrices" | sed "$4" >study.yaml
  refused "$1" "$2" "$3"
}

# ---- the valid ones pass ----
valid() { # TEXT
  "$microslip" check study.yaml >../out 2>../error
  status=$?
  judge "$1" "$([[ $status == 0 ]] || echo "it should pass")"
}
good >study.yaml
valid "the study that is broken below is valid"
good | sed "$matrices" >study.yaml
valid "and so is the one by matrices"

# The same structure three ways, matrices from files beside the study and not in the current folder:
# the same frequencies to rounding, and the damping of the matrix.
mkdir files
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 6.6e5\n2 1 -2.5e5\n2 2 2.5e5\n' >files/K.mtx
printf 'left,right\n1.2,0\n0,0.8\n' >files/M.csv
printf '0.6,0\n0,0.4\n' >files/C.csv # half of the mass matrix
frequencies() { # STUDY
  "$microslip" run "$1" --out ../modes --json 2>../error |
    jq -c '[.analyses[0].modes[] | .omega_0, .omega_inf | .*1e6 | round]'
}
good | sed '/^analyses/,$d' >study.yaml
echo 'analyses: [modes]' >>study.yaml
chain=$(frequencies study.yaml)
good | sed "$matrices" | sed '/^analyses/,$d; s/mass: .*/mass: M.csv/; s/stiffness: .*/stiffness: K.mtx/; s/damping: .*/damping: {matrix: C.csv}/' >files/study.yaml
echo 'analyses: [modes]' >>files/study.yaml
status=0
judge "matrices from files give the frequencies of the chain" \
  "$([[ -n $chain && $(frequencies files/study.yaml) == "$chain" ]] || frequencies files/study.yaml)"
# C = M/2: zeta = 1/(4 omega).
judge "and the damping of the matrix" "$(jq -r '.analyses[0].modes[]
  | select((.zeta_0*4*.omega_0 - 1 | fabs) > 1e-9) | "\(.zeta_0) is not 1/(4 \(.omega_0))"' ../modes/summary.json)"
rm -r files study.yaml

# ---- the file ----
refused "missing file" none 'study.yaml: No such file'
: >study.yaml
refused "empty file" none 'study.yaml|empty'
printf '# only a comment\n' >study.yaml
refused "only a comment" none 'study.yaml|empty'
printf 'just words\n' >study.yaml
refused "no mapping" 1:1 "the study must be a mapping|'microslip'"
broken "YAML syntax error" 7:12 'missing comma in flow mapping' '6s/}//'
broken "a tab for indentation" 5:1 'tab' '5s/^  /\t/'
printf 'microslip: 1\nstructure:\n  chain: {masses: {u1: 1.13\n\n   \n' >study.yaml
refused "a bracket that is not closed: behind the last word" 3:28 'missing comma in flow mapping'
broken "duplicate key" 4:1 'duplicate' '3s/.*/structure: {}/'

# ---- the top level ----
broken "wrong version" 1:12 'must be a whole number = 1, not 7|reads format 1' '1s/1/7/'
broken "version is a word" 1:12 "microslip must be a finite number, not 'one'" '1s/1/one/'
broken "unknown key" 9:1 "no key 'joint'|did you mean 'joints'?" '9s/joints/joint/'
broken "joints without a structure" 5:3 'joints without a structure' '4,8d'
broken "missing structure" 5:5 'modes needs a structure' '4,10d'
broken "missing analyses" 1:1 "needs 'analyses'" '11,$d'

# ---- structure ----
broken "mass that is no number" 6:20 "a mass must be a finite number, not 'heavy'" '6s/1.2/heavy/'
broken "mass that is not finite" 6:20 "finite number, not 'nan'" '6s/1.2/nan/'
broken "mass of zero" 6:20 'a mass must be > 0, not 0' '6s/1.2/0/'
broken "negative mass" 6:32 'a mass must be > 0, not -0.8' '6s/0.8/-0.8/'
broken "masses as a list" 6:14 'masses must be a mapping' '6s/{.*}/[1.2, 0.8]/'
broken "ground with a mass" 6:25 "'ground'" '6s/right/ground/'
broken "spring of two entries" 7:16 'a spring is [from, to, stiffness]' '7s/, 4.1e5//'
broken "spring to an unknown coordinate" 7:45 "no degree of freedom 'rigth'|did you mean 'right'?" '7s/right/rigth/'
broken "spring with one end" 7:39 'two different ends' '7s/right/left/'
broken "spring that is no number" 7:30 "a stiffness must be a finite number, not 'stiff'" '7s/4.1e5/stiff/'
broken "no springs" 6:5 "needs 'springs'" '7d'
broken "empty springs are not a list" 7:5 'springs must be a list' '7s/\[.*/{}/'
broken "a named spring of two entries" 7:19 'a spring is [from, to, stiffness] or {between' '7s/\[.*/{a: [ground, u1]}/'
broken "a named spring without stiffness" 7:19 "a spring needs 'k'" '7s/\[.*/{a: {between: [ground, u1]}}/'
broken "two structures" 5:3 'one of chain, matrices, beam, fe, reduced and substructures' '8i\  matrices: {mass: [1], stiffness: [2]}'
broken "unknown key of the structure" 5:3 "no key 'chains'|did you mean 'chain'?" '5s/chain/chains/'
broken "unstable structure" 5:3 'indefinite|mode 1' '7s/4.1e5/-4.1e5/'
broken "frequencies absurd for the units" 5:3 'not plausible|units|tonne' '6s/1.2/1.2e-21/;6s/0.8/0.8e-21/'

# ---- matrices, inline ----
by_matrices "asymmetric stiffness" 8:18 'not symmetric|(left, right) is -240000|(right, left) is -250000' '8s/-2.5e5/-2.4e5/'
by_matrices "asymmetric mass" 7:13 'mass matrix is not symmetric' '7s/\[.*/[[1.2, 0.1], [0, 0.8]]/'
by_matrices "indefinite stiffness" 5:3 'indefinite' '8s/6.6e5/1.1e5/'
by_matrices "rows that are not square" 8:18 'row 1 has 3 numbers, not 2' '8s/-2.5e5\]/-2.5e5, 0]/'
by_matrices "one row" 8:18 'stiffness is 1 x 1; it must be 2 x 2' '8s/, \[.*/]/'
by_matrices "massless coordinate" 5:3 "not positive definite|'right'|needs mass" '7s/0.8/0/'
by_matrices "negative mass in a matrix" 5:3 "not positive definite|'left'" '7s/1.2/-1.2/'
by_matrices "names of the wrong number" 6:19 'coordinates must name all 2' '6s/left, //'
by_matrices "two coordinates of one name" 6:25 "the name 'left' is taken already" '6s/right/left/'
by_matrices "a matrix entry that is no number" 8:18 "stiffness must be a finite number, not 'x'" '8s/6.6e5/x/'
by_matrices "an empty matrix" 7:5 'mass must be a list of rows' '7s/\[.*/[]/'

# ---- YAML that a study does not have ----
broken "an alias" 10:37 'aliases are not read' '9s/$/ \&name/;10s/right/*name/'
broken "a merge key" 10:9 'merge keys are not read' '10s/{/{<<: {F_S: 3}, /'
broken "a second document" 12:1 'second document' '12s/.*/---/'
broken "text behind the end" 13:3 'second document' '12s/.*/.../'
latin() { # TEXT PLACE CONTENT
  # shellcheck disable=SC2059 # the content has its escapes
  judge "$1" "$(printf "$3" >latin.yaml
    timeout 20 "$microslip" check latin.yaml 2>&1 >/dev/null | grep -q "^microslip: latin.yaml:$2: a byte that is not UTF-8" || echo "not refused")"
}
latin "Latin-1 in a study" 2:13 'microslip: 1\ntitle: a caf\xe9\n'
latin "Latin-1 in a directive" 2:5 'microslip: 1\n%%it \xe6\xe6 \xe6\n'
latin "Latin-1 behind lines of DOS, and of old Macs" 3:8 'microslip: 1\r\ntitle: 2\runits: \xe9\n'
judge "NUL in a study" "$(printf 'microslip: 1\n\0structure: 3\n' >nul.yaml
  "$microslip" check nul.yaml 2>&1 >/dev/null | grep -q '^microslip: nul.yaml:2: has a NUL byte' || echo "not refused")"

# ---- matrices, from files ----
from_file() { # TEXT PLACE WORDS FILE CONTENT
  # shellcheck disable=SC2059 # the content has its escapes
  [[ -z $5 ]] || printf "$5" >"$4"
  by_matrices "$1" "$2" "$3" "8s/\[.*/$4/"
  rm -f "$4"
}
from_file "matrix file that is missing" 8:16 'none.mtx|No such file' none.mtx ''
from_file "matrix file of an unknown kind" 8:16 "K.xls|'.xls'|.mtx" K.xls '1\n'
from_file "matrix file of the wrong size" 8:16 'stiffness is 3 x 3; it must be 2 x 2' K.csv '1,0,0\n0,1,0\n0,0,1\n'
from_file "matrix file that is not square" 8:16 'must be square, not 2 x 3' K.csv '1,0,0\n0,1,0\n'
from_file "matrix file with a word" 8:16 "K.csv:2:|'x' is not a number" K.csv '1,0\n0,x\n'
from_file "matrix file with a short row" 8:16 'K.csv:2:|found 1' K.csv '1,0\n0\n'
from_file "matrix file that is asymmetric" 8:16 'not symmetric|(left, right) is 1|(right, left) is 0.5' K.csv '3,1\n0.5,3\n'
from_file "matrix file that is indefinite" 5:3 'indefinite' K.csv '1e5,3e5\n3e5,1e5\n'
from_file "Matrix Market file without its first line" 8:16 'K.mtx:1:|%%MatrixMarket' K.mtx '2 2 1\n1 1 3\n'
from_file "Matrix Market file that is cut off" 8:16 'K.mtx:' K.mtx '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 3\n'
from_file "Matrix Market file with an entry outside" 8:16 'K.mtx:3:' K.mtx '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n3 1 3\n'

# ---- units ----
broken "units of one unknown word" 3:8 'units are SI, or' '3s/SI/imperial/'
broken "unknown unit" 3:17 "length 'mile' is none of m, mm" '3s/SI/{length: mile}/'
broken "unknown dimension" 3:9 "no key 'lenght'|did you mean 'length'?" '3s/SI/{lenght: mm}/'
broken "inconsistent units" 3:9 'units do not agree|tonne' '3s/SI/{length: mm, mass: kg, force: N, time: s}/'

# ---- damping ----
broken "damping list of the wrong length" 8:21 'one for each of the 2 modes, not 3' '8s/5.0e-4/[1e-3, 2e-3, 3e-3]/'
broken "two kinds of damping" 8:13 'one of modal, rayleigh and matrix' '8s/}/, rayleigh: {mass: 0, stiffness: 0}}/'
broken "negative damping" 8:20 'must be >= 0' '8s/5.0e-4/-1e-4/'
broken "unknown damping" 8:13 "no key 'model'|did you mean 'modal'?" '8s/modal/model/'
broken "half of Rayleigh" 8:24 "rayleigh needs 'stiffness'" '8s/modal.*/rayleigh: {mass: 2}}/'
broken "damping matrix of the wrong size" 8:22 'damping is 3 x 3; it must be 2 x 2' '8s/modal.*/matrix: [1, 2, 3]}/'

# ---- joints ----
broken "joint on an unknown coordinate" 10:37 "no degree of freedom 'rihgt'|did you mean 'right'?" '10s/right/rihgt/'
broken "joint with both ends on one coordinate" 10:31 'joint lap: both ends are left' '10s/right/left/'
broken "joint with three ends" 10:31 'between: [from, to]' '10s/right/right, ground/'
broken "joint without ends" 10:9 'between: [from, to]' '10s/between: .*\], //'
broken "unknown law" 10:14 "unknown law 'iwna4'|did you mean 'iwan4'?" '10s/iwan4/iwna4/'
broken "joint without a law" 10:9 "needs 'law'|microslip laws" '10s/law: iwan4, //'
broken "unknown parameter" 10:45 "no parameter 'F_s'|did you mean 'F_S'?" '10s/F_S/F_s/'
broken "parameter out of bounds" 10:50 'F_S = -20|must be > 0' '10s/20/-20/'
broken "parameter that is no number" 10:50 "F_S must be a finite number, not 'ten'" '10s/20/ten/'
broken "missing parameter" 10:9 'not set: beta' '10s/, beta: 1.5//'
broken "joint that is a word" 10:3 'joint lap must be a mapping' '10s/{.*/iwan4/'
broken "joints as a list" 10:6 'joints must be a mapping' '10s/.*/  - {law: iwan4}/'
broken "laws that are no list" 10:16 'laws must be a list' '10s/{.*/{laws: {law: iwan4}, between: [left, right]}/'

broken "law beside laws" 10:62 "no key 'F_S'|laws, between" '10s/{.*/{laws: [{law: linear, K: 3}], between: [left, right], F_S: 3}/'

# ---- analyses ----
broken "unknown analysis" 12:5 "no analysis 'mods'|did you mean 'modes'?" '12s/modes/mods/'
broken "analyses as a mapping" 12:3 'analyses must be a list' '12s/- modes/modes: {}/;13,$d'
broken "analyses that are none" 11:1 'at least one' '11s/$/ []/;12,$d'
broken "unknown option" 17:17 "no key 'from_'|did you mean 'from'?" '17s/form/from_/'
broken "missing option" 14:7 "needs 'time'" '16d'
broken "no options at all" 12:5 "modal_ringdown must be a mapping|'levels'" '12s/modes/modal_ringdown/;13,$d'
broken "levels for a mode that is missing" 15:16 'levels lack mode 2' '15s/, 2: .*}/}/'
broken "levels for a mode that is not read" 15:25 'levels for mode 3, which is not looked at' '15s/2:/3: [5], 2:/'
broken "levels that are a word" 15:15 'levels must be {mode: [heights], ...}' '15s/{.*/many/'
broken "mode 99" 14:15 'no mode 99; modes are 1 to 2' '14s/1,/99,/'
broken "a mode twice" 14:15 'modes name mode 1 twice' '14s/2/1/'
broken "no levels for a mode" 15:25 'mode 2 needs stuck or slipped levels' '15s/2: .*/2: {}}/'
broken "segments for a mode that is not there" 14:18 'segments for mode 7, which is not looked at' '14s/.*/      segments: {7: 50}/'
broken "negative level" 15:20 'a level must be > 0, not -12' '15s/12/-12/'
broken "level of zero" 15:29 'a level must be > 0, not 0' '15s/20/0/'
broken "step of zero" 16:20 'step must be > 0, not 0' '16s/1.0e-4/0/'
broken "steps that are not whole" 16:35 'steps must be a whole number >= 1, not 40.5' '16s/4000/40.5/'
broken "unknown method" 16:49 "method 'rk4' is none of newmark, exponential" '16s/}/, method: rk4}/'
broken "segments too few" 14:17 'segments must be a whole number >= 4, not 2' '14s/.*/      segments: 2/'
broken "fit before the ring-down" 13:5 'fit_modal needs an analysis of kind modal_ringdown' '13i\  - fit_modal'
broken "fit from an unknown analysis" 17:23 "kind modal_ringdown or ringdown or hammer_test called 'nothing'" '17s/form.*/from: nothing}/'
broken "unknown form" 17:23 "form 'round' is none of both, printed, continuous" '17s/continuous/round/'
broken "points left out the wrong way round" 17:29 'leave_out is [low, high]' '17s/form.*/leave_out: [30, 0.9]}/'
broken "hit on the ground" 19:24 'ground' '19s/right/ground/'
broken "hit on an unknown coordinate" 19:24 "no degree of freedom 'middle'" '19s/right/middle/'
broken "hit of no height" 19:41 'a level must be > 0, not 0' '19s/50/0/'
broken "hit that lasts a mode that is not there" 19:58 'no mode 5; modes are 1 to 2' '19s/\[50\]/[50], pulse_mode: 5/'
broken "compare with something without curves" 19:90 "needs an analysis of kind modal_iwan or modal_ringdown called 'modes'" '19s/compare: modal_iwan/compare: modes/'
broken "compare with something that is not there" 19:90 "needs an analysis of kind modal_iwan or modal_ringdown called 'nothing'" '19s/compare: modal_iwan/compare: nothing/'
broken "two analyses of one name" 13:5 "two analyses are called 'modes'" '13i\  - modes'
broken "a name with a slash" 13:19 "name 'a/b' must be 1 to 64 letters" '13i\  - modes: {name: a/b}'

# ---- --set ----
broken "--set on a path that is missing" none "--set joints.lapp.beta=3: the study has no 'joints.lapp'" '' --set joints.lapp.beta=3
broken "--set without a value" none 'write --set KEY.KEY=VALUE|joints.lap.beta' '' --set joints.lap.beta
broken "--set with a bad value" none "--set|beta must be a finite number, not 'many'" '' --set joints.lap.beta=many
broken "--set out of bounds" none '--set|beta = -1|must be >= 0' '' --set joints.lap.beta=-1
broken "--set of an unknown parameter" none "--set|no parameter 'betta'|did you mean 'beta'?" '' --set joints.lap.betta=3
broken "--set of nothing" none 'write --set KEY.KEY=VALUE' '' --set joints.lap.beta=
broken "--set of no key" none 'write --set KEY.KEY=VALUE' '' --set joints.lap.=3
broken "--set of a list goes in place of the one there" none '--set|joint lap: both ends are left' '' --set 'joints.lap.between=[left, left]'
broken "--set of a mapping goes in place of the one there" none '--set|not set: F_S' '' --set 'joints.lap={law: iwan4, between: [left, right], K_T: 3, chi: 0, beta: 1}'
broken "--set that is no YAML" none "--set joints.lap.beta=[3: '[3' is no YAML value" '' '--set' 'joints.lap.beta=[3'

finish
