#!/bin/bash
# Bad input: one clear line on standard error, exit code 2, nothing on standard output, nothing
# written and nothing left behind.
source "$(dirname "$0")/checks.sh"
mkdir work
cd work || exit 2

# The same, asking for every kind of output.
out=(--csv out.csv --plot out.svg)
joint() {
  local expected=$1
  shift
  refused_line "$expected" joint "$@" "${out[@]}"
}

# ---- commands and options ----
refused_line "unknown command 'lwas'|joint, laws" lwas
refused_line "unknown command ''" ''
refused_line "--progress -3: seconds must be 0 or more" run study.yaml --progress -3
for command in run check; do refused_line "name a study file: microslip $command STUDY.yaml" $command; done
for threads in 0 257 2.5; do
  refused_line "--threads $threads must be a whole number from 1 to 256" run study.yaml --threads $threads
done
for threads in 1 256; do refused_line "study.yaml: No such file" run study.yaml --threads $threads; done
refused_line "name a law|microslip laws" joint
refused_line "name a law" joint --virgin
refused_line "unknown law 'iwna4'|did you mean 'iwan4'?" laws iwna4
refused_line "'jenkins' is not known|microslip laws --help" laws iwan4 jenkins
refused_line "option '--xml' is not known|microslip laws --help" laws --xml
joint "unknown law 'jenkin'|did you mean 'jenkins'?" jenkin --virgin
joint "unknown law 'quicksand'|'microslip laws' lists" quicksand --virgin
joint "unknown law ''" '' --virgin
joint "--path FILE.csv|--cycle A[,A...]|--virgin" iwan4
joint "one of --path, --cycle and --virgin" iwan4 --virgin --cycle 1e-5
joint "one of --path, --cycle and --virgin" iwan4 --virgin --virgin
joint "one of --path, --cycle and --virgin" iwan4 --cycle 1e-5 --cycle 1e-6
joint "option '--cycles' is not known|microslip joint --help" iwan4 --cycles 1e-5
joint "option '-x' is not known" iwan4 -x
joint "unknown law 'linaer'|'linear'" iwan4 --with linaer --virgin
joint "its name must end in .svg" iwan4 --virgin --plot out.png
joint "none.csv" iwan_table --set density=none.csv --virgin
printf 'a,b\n1,2\n' >none.csv
joint "none.csv: there is no column phi [m]" iwan_table --set density=none.csv --virgin
printf 'phi\n1\n' >none.csv
joint "none.csv: there is no column rho [N/m^2]" iwan_table --set density=none.csv --virgin
refused_line "none.csv/study.yaml: Not a directory" new none.csv/study.yaml
rm none.csv
joint "--axis x: law jenkins2d has 2 axes of its own and acts on the first ones" jenkins2d --axis x --virgin
more=()
for _ in {1..15}; do more+=(--with linear --set K=3); done
status=0
"$microslip" joint linear --set K=1 "${more[@]}" --virgin >/dev/null 2>../error || status=$?
judge "16 laws in parallel" "$([[ $status == 0 ]] || echo refused)"
joint "at most 16 laws in parallel" linear --set K=1 "${more[@]}" --with linear --set K=3 --virgin
joint "--axis z must be x, y or n" iwan4 --axis z --virgin
joint "law linear: not set: K" iwan4 --with linear --set C=2 --virgin
joint "argument 'more' is not known" iwan4 --virgin more
joint "option '--json=yes' is not known" iwan4 --virgin --json=yes
for option in --set --path --cycle --to --frequency --theme; do
  joint "$option needs a value|microslip joint --help" iwan4 $option
  joint "$option needs a value" iwan4 --virgin $option=
done
refused_line "--csv needs a value" joint iwan4 --virgin --csv
refused_line "--plot needs a value" joint iwan4 --virgin --plot
refused_line "--csv needs a value" joint iwan4 --virgin --csv --plot out.svg
refused_line "--plot needs a value" joint iwan4 --virgin --csv out.csv --plot=
joint "--theme blue|auto, light or dark" iwan4 --virgin --theme blue
joint "--to goes with --virgin" iwan4 --cycle 1e-5 --to 1e-4
joint "--frequency goes with --cycle" iwan4 --virgin --frequency 3
joint "--frequency 0 must be > 0" linear --cycle 1e-5 --frequency 0
joint "--frequency: 'fast' is not a number" linear --cycle 1e-5 --frequency fast
joint "--to -1e-5 must be > 0" iwan4 --virgin --to -1e-5
joint "--to: 'nan' is not a finite number" iwan4 --virgin --to nan
joint "--to: '1e-5,2e-5' is not one number" iwan4 --virgin --to 1e-5,2e-5
refused_line "--csv and --plot both name a.svg; a file holds one of them" ringdown a.csv --csv a.svg --plot a.svg
refused_line "--start 2 must be before --end 2" ringdown a.csv --start 2 --end 2

# ---- parameters ----
all=(--set F_S=10 --set K_T=1 --set chi=-0.5 --set beta=5 --virgin)
joint "no parameter 'F_s'|did you mean 'F_S'?" iwan4 --set F_s=10 --virgin
joint "no parameter 'phimax'|did you mean 'phi_max'?" iwan4 --set phimax=1 --virgin
joint "no parameter 'temperature'|'microslip laws iwan4' lists" iwan4 --set temperature=1 --virgin
joint "no parameter 'F_S'" linear --set F_S=1 --virgin
joint "--set NAME=VALUE|not 'F_S'" iwan4 --set F_S --virgin
joint "--set NAME=VALUE|not '=3'" iwan4 --set =3 --virgin
joint "F_S = 'abc' is not a decimal number" iwan4 --set F_S=abc --virgin
joint "F_S = '' is not a decimal number" iwan4 --set F_S= --virgin
joint "F_S = '10 N' is not a decimal number" iwan4 --set 'F_S=10 N' --virgin
joint "F_S = '1,5' is not a decimal number" iwan4 --set F_S=1,5 --virgin
joint "F_S = '0x10' is not a decimal number" iwan4 --set F_S=0x10 --virgin
joint "F_S = 'nan' is not a finite number" iwan4 --set F_S=nan --virgin
joint "F_S = 'inf' is not a finite number" iwan4 --set F_S=inf --virgin
joint "F_S = '1e999' is not a finite number" iwan4 --set F_S=1e999 --virgin
joint "F_S = 0|must be > 0|needs some force" iwan4 --set F_S=0 --virgin
joint "K_T = -3|must be > 0|carries load" iwan4 --set K_T=-3 --virgin
joint "chi = -1 |must be > -1|stiffness is infinite" iwan4 --set chi=-1 --virgin
joint "beta = -0.1|must be >= 0|ratio of stiffnesses" iwan4 --set beta=-0.1 --virgin
joint "phi_max = 0|must be > 0|range" iwan4 --set phi_max=0 --virgin
joint "R = 0|must be > 0|law jenkins" iwan4 --set R=0 --virgin
joint "merge_tolerance = 0.5|must be >= 0 and <= 0.01|error" iwan4 --set merge_tolerance=0.5 --virgin
joint "C = -1|must be >= 0|dissipates energy" linear --set K=1 --set C=-1 --virgin
joint "sliders = 2.5|whole number" iwan4 "${all[@]}" --set sliders=2.5
joint "sliders = -1|whole number >= 0" iwan4 "${all[@]}" --set sliders=-1
joint "spacing = 'random' is none of|geometric|uniform" iwan4 "${all[@]}" --set spacing=random
joint "spacing = '1' is none of" iwan4 "${all[@]}" --set spacing=1
joint "not set: K_T, beta" iwan4 --set F_S=10 --set chi=-0.5 --virgin
joint "not set: F_S, K_T, beta" iwan4 --set chi=-0.5 --virgin
joint "not set: S" iwan4 --set chi=-0.5 --set R=1 --set phi_max=1 --virgin
joint "not set: K" linear --set C=3 --virgin
joint "F_S and phi_max belong to different parameter sets|microslip laws iwan4" \
  iwan4 "${all[@]}" --set phi_max=11.25
joint "these parameters give|less extreme" iwan4 --set F_S=1e300 --set K_T=1e-300 --set chi=-0.5 --set beta=1 --virgin

# ---- amplitudes ----
for value in 0 -1e-5 -0; do joint "amplitude|must be > 0" iwan4 --cycle $value; done
joint "--cycle: 'nan' is not a finite number" iwan4 --cycle nan
joint "--cycle: 'inf' is not a finite number" iwan4 --cycle 1e-5,inf
joint "--cycle: 'abc' is not a number" iwan4 --cycle abc
joint "--cycle: '2e-5x' is not a number" iwan4 --cycle 1e-5,2e-5x
joint "--cycle: '' is not a number" iwan4 --cycle 1e-5,,2e-5
joint "--cycle: '' is not a number" iwan4 --cycle 1e-5,
joint "FIRST:LAST:COUNT" iwan4 --cycle 1e-6:1e-5
joint "FIRST:LAST:COUNT" iwan4 --cycle 1e-6:1e-5,3
joint "2 to 100000 values, not 1" iwan4 --cycle 1e-6:1e-5:1
joint "values, not 2.5" iwan4 --cycle 1e-6:1e-5:2.5
joint "values, not 1e+06" iwan4 --cycle 1e-6:1e-5:1000000
joint "must be > 0" iwan4 --cycle 0:1e-5:5
joint "must be > 0" iwan4 --cycle 1e-6:-1e-5:5
joint "is not a number" iwan4 --cycle 1e-6::5
joint "commas separate values" iwan4 --cycle 1e-6:1e-5:5:7
joint "amplitude 1e+308 is too large" iwan4 --cycle 1e308

# ---- files: every message has the file, and the line if there is one ----
# path 'WORDS' 'CONTENT': as path.csv, written as printf would.
path() {
  # shellcheck disable=SC2059 # the content has its escapes
  printf "$2" >path.csv
  joint "path.csv|$1" iwan4 --path path.csv
  rm path.csv
}
joint "none.csv: cannot be opened|No such file" iwan4 --path none.csv
mkdir folder folder.csv
joint "folder.csv: cannot be|directory" iwan4 --path folder.csv
joint "folder: |.csv" iwan4 --path folder
joint "path.xls: |'.xls'|.csv" iwan4 --path path.xls
rmdir folder folder.csv
path "is empty|column names" ''
path 'column u is in [mm]|[m] is needed' 'u [mm]\n1\n'
path "is empty" '\n\n# only a comment\n'
path "header but no rows" 'u\n'
path "header but no rows" 't,u\n# none yet\n'
path "path.csv:1:|must name the columns" '1\n2\n'
path "path.csv:4:|found 1 cells, expected 2" 't,u\n0,0\n\n1\n2,0\n'
path "path.csv:3:|found 3 cells, expected 2" 't,u\n0,0\n1,2,3\n'
path "path.csv:3:|column u|'abc' is not a number" 't,u\n0,0\n1,abc\n'
path "path.csv:3:|column u|'nan' is not finite" 't,u\n0,0\n1,nan\n'
path "path.csv:3:|column t|'inf' is not finite" 't,u\n0,0\ninf,1\n'
path "path.csv:3:|column u|'1e999' is not finite" 't,u\n0,0\n1,1e999\n'
path "path.csv:3:|column u|empty cell" 't,u\n0,0\n1,\n'
path "path.csv:3:|column t|empty cell" 't,u\n0,0\n,1\n'
path "no column u|displacement" 't,v\n0,0\n'
path "column 'w' is not known|u or t,u|v, alpha, k" 'u,w\n0,0\n'
path "column 'U' is not known" 'U\n0\n'
path "path.csv:1:|two columns are named 'u'" 'u,u\n0,0\n'
path "path.csv:1:|column 2 has no name" 'u,\n0,0\n'
path "path.csv:5:|time does not increase|0.15 after 0.2" 't,u\n0,0\n# pause\n0.2,1e-5\n0.15,2e-5\n0.3,0\n'
path "path.csv:4:|time does not increase|0.1 after 0.1" 't,u\n0,0\n0.1,1e-5\n0.1,2e-5\n'
path "path.csv:3:|alpha = -0.5 must be >= 0" 'u,alpha\n0,1\n1e-5,-0.5\n1e-5,1\n'
path "path.csv:3:|k = 0 must be > 0" 'u,k\n0,1\n1e-5,0\n'
path "path.csv:2:|k = -2 must be > 0" 'u,k\n0,-2\n1e-5,1\n'
path "path.csv:2:|NUL byte" 'u\n\0001\n'

# ---- output that cannot be written ----
out=()
refused_line "none/out.csv: cannot be written|No such file" joint iwan4 --virgin --csv none/out.csv --plot out.svg
refused_line "none/out.svg: cannot be written|No such file" joint iwan4 --virgin --csv out.csv --plot none/out.svg
mkdir folder.svg
refused_line "folder.svg: cannot be written|directory" joint iwan4 --virgin --csv out.csv --plot folder.svg
rmdir folder.svg
refused_line "--csv and --plot both name same.svg" joint iwan4 --virgin --csv same.svg --plot same.svg
if [[ $(id -u) != 0 ]]; then
  mkdir -m 555 closed
  refused_line "closed/out.csv: cannot be written|Permission denied" joint iwan4 --virgin --csv closed/out.csv
  rmdir closed
fi
echo "what was there" >out.csv
refused_line "FIRST:LAST:COUNT" joint iwan4 --cycle 1:2 --csv out.csv
refused_line "none.csv: cannot be opened" joint iwan4 --path none.csv --csv out.csv
status=0
: >../error
judge "a file that was there stays as it was" "$(cmp - out.csv <<<"what was there" 2>&1)"
rm out.csv

# ---- one line, whatever the words hold ----
refused_line "unknown command 'a?b'" $'a\nb'
refused_line "no parameter 'a?b'" joint iwan4 --set $'a\nb=1' --virgin
refused_line "a?b.csv: cannot be opened" joint iwan4 --path $'a\nb.csv'
long=$(printf '%5000s' '' | tr ' ' x)
refused_line "unknown law 'xxx|..." joint "$long" --virgin
refused_line "unknown command 'xxx" "$long"
refused_line "NAME=VALUE" joint iwan4 --set "$long=1" --virgin

# ---- no arguments at all: the help, as an error ----
"$microslip" >../out 2>../error
status=$?
judge "no argument: help on standard error, exit 2" "$(
  [[ $status == 2 && ! -s ../out ]] && grep -q 'microslip joint' ../error || echo "exit $status")"

# ---- a full or closed output is a failure, though not of the input ----
yes 1e-5 | head -n 20000 | sed '1i u' >../long.csv
for arguments in --help --version laws 'laws --json' 'joint iwan4 --virgin' 'joint iwan4 --virgin --json' \
  'joint iwan4 --path ../long.csv' 'joint iwan4 --path ../long.csv --json' 'joint --help'; do
  before=$(ls -A)
  # shellcheck disable=SC2086 # several words
  "$microslip" $arguments >/dev/full 2>../error
  status=$?
  : >../out
  judge "microslip $arguments: on a full disk" "$(line_faults 3)"
done
for option in --csv --plot; do
  "$microslip" joint iwan4 --virgin $option /dev/full >../out 2>../error
  status=$?
  judge "joint $option /dev/full" "$(line_faults 3 "/dev/full: cannot be written")"
done

finish
