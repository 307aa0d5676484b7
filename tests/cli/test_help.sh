#!/bin/bash
# microslip help: every analysis, law and load, from the tables that the readers use.
set -u
microslip=$(realpath "${MICROSLIP:-$(dirname "$0")/../../build/microslip}")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 2
n_tests=0
n_failed=0

check() { # TEXT FAULTS
  n_tests=$((n_tests + 1))
  if [[ -z $2 ]]; then
    echo "ok $n_tests - $1"
  else
    echo "not ok $n_tests - $1"
    sed 's/^/# /' <<<"$2"
    n_failed=$((n_failed + 1))
  fi
}
lacks() { grep -qF -- "$1" out || cat out error; }
help() { "$microslip" help "$@" >out 2>error; }

help
check "without a name: the commands" "$(lacks 'microslip run')"
check "and the names" "$(lacks 'Loads: half_sine')"
names=$(tr '\n' ' ' <out | sed 's/.*Analyses:\(.*\)Laws:\(.*\)Loads:\(.*\)/\1 \2 \3/')
check "there are many" "$([[ $(wc -w <<<"$names") -gt 50 ]] || echo "$names")"
for name in $names; do
  help "$name"
  check "$name" "$(grep -qE "^(analysis|law|load) $name\$" out && [[ $(grep -c '; ' out) -ge 1 && ! -s error ]] || cat out error)"
done

help sweep
check "an analysis and a load of the same name: both" "$([[ $(grep -cE '^(analysis|load) sweep$' out) == 2 ]] || cat out)"
check "unit, range, required" "$(lacks '  from: number, Hz, > 0; required')"
check "choices and default" "$(lacks '  law: one of linear, logarithmic; default linear')"
check "a default in words" "$(lacks '  sensor: word; default the modal coordinate')"
check "no line is longer than 96" "$(awk 'length > 96' out)"
help iwan4
check "a law's range" "$(lacks '  chi: number, > -1')"
check "parameters of which there are two sets" "$(lacks "  Give either F_S, K_T, chi, beta; or chi, R, S, phi_max")$(lacks "  R: number, N/m^(2+chi), > 0; of one set")"

help
file=$(tr "\n" " " <out | sed "s/.*Study file:\(.*\)Analyses:.*/\1/")
check "the mappings of the study file" "$([[ $(wc -w <<<"$file") -ge 5 ]] || echo "$file")"
for name in $file; do
  help "$name"
  check "keys of $name" "$(grep -qE "^keys of ([a-z_.]*\.)?$name\$" out && [[ ! -s error ]] || cat out error)"
done
help structure
check "a mapping with mappings below it: where its keys are" "$(lacks '      Its keys: microslip help chain')"
help structure.chain
check "by its path" "$(lacks "keys of structure.chain")"
check "entries with names of their own" "$(lacks "  masses.*: number, > 0")"
check "and mappings in them" "$(lacks "  springs.*.k: number; required")"

help sweeep
check "an unknown name: exit code 2" "$("$microslip" help sweeep >/dev/null 2>&1; [[ $? == 2 ]] || echo other)"
check "and what to do" "$(grep -q "there is no analysis, law, load or mapping of the study file 'sweeep'" error || cat error)"
check "two names are refused" "$("$microslip" help sweep frf >/dev/null 2>&1; [[ $? == 2 ]] || echo other)"

echo "1..$n_tests"
exit $((n_failed > 0))
