#!/bin/bash
# microslip completion: what bash offers, and that zsh and fish, where they are installed, take their scripts.
source "$(dirname "$0")/checks.sh"

for shell in bash zsh fish; do check "$shell" "$microslip" completion $shell; done
"$microslip" completion bash >script.bash
source ./script.bash
offers() { # WORD...: what is offered for the last word
  COMP_WORDS=(microslip "$@")
  COMP_CWORD=$#
  _microslip
  echo "${COMPREPLY[*]}"
}
same "commands" "$(offers '' | tr ' ' '\n' | grep -v '^--')" "$(sed -nE 's/^MS_COMMAND\((.*)\)$/\1/p' "$source_dir/app/cli/commands.def")"
same "a command" "$(offers sch)" schema
same "an option of run" "$(offers run study.yaml --resu)" --resume
same "options of run are those of its help" "$(offers run -- | tr ' ' '\n' | sort)" \
  "$("$microslip" run --help | grep -oE -- '--[a-z-]+' | sort -u | { cat; echo --help; } | sort -u)"
same "an analysis" "$(offers new modal_r)" modal_ringdown
same "several" "$(offers new sweep frequ)" frequency_response
same "a law" "$(offers laws iwan_p)" iwan_pin
same "a load" "$(offers help hav)" haversine
same "nothing" "$(offers run nosuch)" ''
same "no shell" "$("$microslip" completion ksh 2>&1)" "microslip: completion needs a shell: bash, zsh or fish, not 'ksh'"
for shell in zsh fish; do
  command -v $shell >/dev/null || continue
  "$microslip" completion $shell >script.$shell
  check "$shell reads its script" $shell -n script.$shell
done
if command -v fish >/dev/null; then
  same "fish offers an analysis" "$(fish -c 'source script.fish; complete -C "microslip new modal_r"')" modal_ringdown
fi

finish
