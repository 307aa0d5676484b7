#!/bin/bash
# The manual page: free of warnings, and with the same options, commands, columns and version as
# the command; its examples run.
source "$(dirname "$0")/checks.sh"
page=$source_dir/docs/man/microslip.1

same "groff has no warning" "$(groff -man -Tutf8 -ww -rCHECKSTYLE=3 "$page" 2>&1 >text)" ''
same "man has no warning" "$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)" ''
plain=$(groff -man -Tascii -P-cbou "$page")
same "it has text" "$(wc -l <<<"$plain" | awk '{ print ($1 > 100) }')" 1

# Words that look like long options, each once.
long_options() { grep -oE -- '--[a-z][a-z-]*' | grep -vxE -- '--(name|option)' | sort -u; }
help=$("$microslip" --help; for command in run check compare new info survey frf ringdown joint laws help; do "$microslip" $command --help; done)
same "its options are those of the help" "$(long_options <<<"$plain")" \
  "$( (echo "$help"; echo --version) | long_options)"
# shellcheck disable=SC2016 # sed has dollars of its own
same "each option has a paragraph" "$(sed 's/\\-/-/g' "$page" | grep -A1 '^\.TP' | grep -E '^\.B' | long_options)" \
  "$( (echo "$help"; echo --version) | long_options)"
same "its commands are those of the help" \
  "$(sed -n '/^COMMANDS/,/^OPTIONS/p' <<<"$plain" | sed -nE 's/^ {7}([a-z]+)( .*)?$/\1/p' | sort)" \
  "$("$microslip" --help | sed -nE 's/^  microslip ([a-z]+) .*/\1/p' | sort)"
for column in t u v alpha k; do
  same "column $column is described" "$(sed -n '/^\.SH PATH FILES/,/^\.SH OUTPUT/p' "$page" | grep -A1 '^\.TP' | grep -cx "\.B $column")" 1
done
same "the version" "$(sed -n '1s/.*"\(microslip [0-9.]*\)".*/\1/p' "$page")" "$("$microslip" --version)"

# Every example between .EX and .EE.
cp "$source_dir/examples/lap-joint/ringdown.csv" "$source_dir/examples/measured-ringdown/record.csv" .
sed -n '/^\.EX/,/^\.EE/{/^\.E/d;s/\\-/-/g;s/\\e$/\\/;p}' "$page" >examples.sh
mkdir bin
ln -s "$microslip" bin/microslip
same "the examples run" "$(PATH=$temp/bin:$PATH bash -eu examples.sh 2>&1 >output)" ''
same "there are examples" "$(($(grep -c '^microslip' examples.sh) > 5))" 1
same "the examples write what they say" "$(ls loops.svg force.csv record.svg 2>&1)" $'force.csv\nloops.svg\nrecord.svg'

finish
