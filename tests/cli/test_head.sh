#!/bin/bash
# The head of the command tests: every test has it, ends with `finish` and takes none of its names; and a test that
# fails, that checks nothing or that ends early ends with a code that is not 0.
source "$(dirname "$0")/checks.sh"

names=$(sed -nE 's/^([a-z_]+)\(\).*/\1/p' "$source_dir/tests/cli/checks.sh" | grep -vx clean_up)
for file in "$source_dir"/tests/cli/{,fem/}test_*.sh; do
  report "${file#"$source_dir"/tests/cli/}" "$(
    # shellcheck disable=SC2016 # as it stands there
    [[ $(grep -cE '^source "\$\(dirname "\$0"\)/(\.\./)?(checks|browser|interrupted|mpirun|record|reference)\.sh"$' "$file") == 1 ]] || echo "it has no head"
    [[ $(tail -n 1 "$file") == finish ]] || echo "it does not end with finish"
    grep -nE "^ *($(paste -sd '|' <<<"$names"))\(\)" "$file"
  )"
done

ends() { # TEXT CODE LINES
  printf '#!/bin/bash\nsource "%s/tests/cli/checks.sh"\n%s\n' "$source_dir" "$3" >own.sh
  bash own.sh >own.out 2>&1
  same "$1" "$?" "$2"
}
ends "all is well" 0 $'near a 2.39 2.385 0.01\nfinish'
ends "a value that is not near" 1 $'near a 2.39 2.385 0.001\nfinish'
ends "no value" 1 $'near a "" 2.385 1\nfinish'
ends "a word in a range about 0" 1 $'within a none -1 1\nfinish'
ends "texts that differ" 1 $'same a b c\nfinish'
ends "a command that fails" 1 $'check a false\nfinish'
ends "no check" 1 finish
ends "an end before finish" 1 'same a b b'
ends "... though with exit code 0" 1 $'same a b b\nexit 0'
ends "a name that is not set" 1 $'same a b "$nothing"\nfinish'
ends "skipped" 0 'skip "not here"'
same "its folder is gone" "$(ls -d "$(bash -c "source '$source_dir/tests/cli/checks.sh'; echo \"\$temp\"; finish" | head -n 1)" 2>/dev/null)" ''

finish
