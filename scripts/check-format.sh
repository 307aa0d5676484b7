#!/bin/bash
# usage: scripts/check-format.sh [--fix] [ROOT]
#
# Every C file has the format that .clang-format describes; --fix makes it so.
set -u
mode=(--dry-run -Werror)
if [[ ${1-} == --fix ]]; then
  mode=(-i)
  shift
fi
cd "${1:-$(dirname "$0")/..}" || exit 2

mapfile -d '' files < <(find include src app octave tests bench examples -type f -name '*.[ch]' -print0 2>/dev/null)
if [[ ${#files[@]} == 0 ]]; then
  echo "check-format: found no C files under $PWD" >&2
  exit 2
fi
clang-format --style=file "${mode[@]}" "${files[@]}" || {
  echo "check-format: run make format" >&2
  exit 1
}
echo "check-format: ${#files[@]} files"
