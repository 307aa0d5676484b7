#!/bin/sh
# usage: scripts/manual.sh [MICROSLIP]
#
# Writes the tables of keys in docs/guide/study.md anew, each between <!-- keys of NAME --> and <!-- end -->, as
# `microslip help --markdown NAME` prints them. cli.study_schema fails where the page has others.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
microslip=${1:-$root/build/microslip}
page=$root/docs/guide/study.md
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
while IFS= read -r line; do
  case $line in
  '<!-- keys of '*)
    inside=yes
    name=${line#'<!-- keys of '}
    printf '%s\n\n' "$line"
    "$microslip" help --markdown "${name%' -->'}"
    ;;
  '<!-- end -->')
    inside=
    printf '\n%s\n' "$line"
    ;;
  *) [ "${inside-}" ] || printf '%s\n' "$line" ;;
  esac
done <"$page" >"$fresh"
cat "$fresh" >"$page"
