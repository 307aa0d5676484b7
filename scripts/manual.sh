#!/bin/sh
# usage: scripts/manual.sh [BUILD [DOCS [RESULTS]]]
#
# Writes the generated parts of the manual anew: what stands between <!-- KIND of NAME --> and <!-- end --> in
# guide/study.md and analyses/*.md below DOCS (docs of the sources). KIND is one of
#   purpose  of an analysis: what it does, as `microslip help NAME` begins
#   study    the study that `microslip new NAME` prints, without the keys that it has as comments
#   keys     the table of keys that `microslip help --markdown NAME` prints
#   tables   the tables that this study writes, with columns and units
#   list     of analyses (the headings of their pages) or laws: every name, and what it is
# BUILD (build of the sources) has the command. RESULTS has a folder for each analysis with the
# results of its study; without it the studies are run. cli.manual fails where a page has other text.
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
docs=${2:-$root/docs}
given=${3-}
microslip=$build/microslip
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

list() { # KIND
  printf '| name | |\n|---|---|\n'
  case $1 in
  analyses) sed -nE 's/^# ([a-z_]+): (.*)/| [\1](\1.md) | \2 |/p' "$docs"/analyses/*.md | sort ;;
  laws) "$microslip" laws | sed -nE 's/^([a-z][a-z0-9_]*): (.*)/| [\1](..\/laws\/\1.md) | \2 |/p' | sort ;;
  loads)
    for name in $("$microslip" help | tr '\n' ' ' | sed 's/.*Loads://'); do
      "$microslip" help "$name" | sed -n "/^load $name\$/{n;s/^ *\(.*\)/| \`$name\` | \1 |/p}"
    done | sort
    ;;
  esac
}

tables() { # ANALYSIS
  results=${given:-$temp}/$1
  [ "$given" ] || "$microslip" new "$1" | "$microslip" run - --out "$results" --progress 0 >/dev/null
  printf '| table | columns |\n|---|---|\n'
  for file in "$results/tables/$1.csv" "$results/tables/$1"_*.csv; do
    [ ! -f "$file" ] || head -n 1 "$file" | sed "s/,/, /g; s/.*/| \`$(basename "$file")\` | & |/"
  done
}

generate() { # KIND NAME
  case $1 in
  purpose) "$microslip" help "$2" | sed -n "/^analysis $2\$/,/^\$/s/^  *//p" ;;
  study) printf '```yaml\n' && "$microslip" new "$2" | sed '/^ *#/d' && printf '```\n' ;;
  keys) "$microslip" help --markdown "$2" ;;
  tables) tables "$2" ;;
  list) list "$2" ;;
  *) echo "manual.sh: there is no kind '$1'" >&2 && return 2 ;;
  esac
}

for page in "$docs"/guide/study.md "$docs"/analyses/*.md; do
  inside=
  while IFS= read -r line; do
    case $line in
    '<!-- end -->')
      inside=
      printf '\n%s\n' "$line"
      ;;
    '<!-- '*' of '*' -->')
      inside=yes
      # shellcheck disable=SC2086 # words
      set -- $line
      printf '%s\n\n' "$line"
      generate "$2" "$4"
      ;;
    *) [ "$inside" ] || printf '%s\n' "$line" ;;
    esac
  done <"$page" >"$temp/page"
  cmp -s "$temp/page" "$page" || cat "$temp/page" >"$page"
done
