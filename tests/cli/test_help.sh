#!/bin/bash
# microslip help: every analysis, law and load, from the tables that the readers use.
source "$(dirname "$0")/checks.sh"

lacks() { grep -qF -- "$1" out || cat out error; }
help() { "$microslip" help "$@" >out 2>error; }

help
report "without a name: the commands" "$(lacks 'microslip run')"
report "and the names" "$(lacks 'Loads: half_sine')"
names=$(tr '\n' ' ' <out | sed 's/.*Analyses:\(.*\)Laws:\(.*\)Loads:\(.*\)/\1 \2 \3/')
report "there are many" "$([[ $(wc -w <<<"$names") -gt 50 ]] || echo "$names")"
for name in $names; do
  help "$name"
  report "$name" "$(grep -qE "^(analysis|law|load) $name\$" out && [[ $(grep -c '; ' out) -ge 1 && ! -s error ]] || cat out error)"
done

help sweep
report "an analysis and a load of the same name: both" "$([[ $(grep -cE '^(analysis|load) sweep$' out) == 2 ]] || cat out)"
report "unit, range, required" "$(lacks '  from: number, Hz, > 0; required')"
report "choices and default" "$(lacks '  law: one of linear, logarithmic; default linear')"
report "a default in words" "$(lacks '  sensor: word; default the modal coordinate')"
report "no line is longer than 96" "$(awk 'length > 96' out)"
help iwan4
report "a law's range" "$(lacks '  chi: number, > -1')"
report "parameters of which there are two sets" "$(lacks "  Give either F_S, K_T, chi, beta; or chi, R, S, phi_max")$(lacks "  R: number, N/m^(2+chi), > 0; of one set")"

help
file=$(tr "\n" " " <out | sed "s/.*Study file:\(.*\)Analyses:.*/\1/")
report "the mappings of the study file" "$([[ $(wc -w <<<"$file") -ge 5 ]] || echo "$file")"
for name in $file; do
  help "$name"
  report "keys of $name" "$(grep -qE "^keys of ([a-z_.]*\.)?$name\$" out && [[ ! -s error ]] || cat out error)"
done
help structure
report "a mapping with mappings below it: where its keys are" "$(lacks '      Its keys: microslip help chain')"
help structure.chain
report "by its path" "$(lacks "keys of structure.chain")"
report "entries with names of their own" "$(lacks "  masses.*: number, > 0")"
report "and mappings in them" "$(lacks "  springs.*.k: number; required")"

for name in run survey info compare; do
  help "$name"
  report "the command $name" "$(lacks "microslip $name ")$("$microslip" "$name" --help | while IFS= read -r line; do grep -qF -- "$line" out || echo "$line"; done)"
done
help ringdown
report "an analysis and a command of the same name: both" "$([[ $(grep -cE '^(analysis ringdown$|command ringdown:)' out) == 2 ]] || cat out)"
help ringdown --markdown
report "... not in the manual's tables" "$(grep 'command ringdown' out)"

help sweeep
report "an unknown name: exit code 2" "$("$microslip" help sweeep >/dev/null 2>&1; [[ $? == 2 ]] || echo other)"
report "and what to do" "$(grep -q "there is no analysis, law, load, mapping of the study file or command 'sweeep'" error || cat error)"
report "two names are refused" "$("$microslip" help sweep frf >/dev/null 2>&1; [[ $? == 2 ]] || echo other)"

finish
