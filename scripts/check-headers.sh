#!/bin/bash
# usage: scripts/check-headers.sh [ROOT]
#
# Every public header compiles alone, and twice over, as C11 and as C++17, without a warning.
# CC and CXX name the compilers (gcc and g++).
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

n_bad=0
n_headers=0
for file in include/microslip/*.h; do
  [[ -f $file ]] || break
  n_headers=$((n_headers + 1))
  header="#include <microslip/${file##*/}>"
  text=$(printf '%s\n%s\nint ms_header_stands_alone;\n' "$header" "$header")
  flags=(-I include -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only)
  "${CC:-gcc}" -std=c11 -Wstrict-prototypes "${flags[@]}" -x c - <<<"$text" ||
    { echo "$file: not clean as C11" >&2; n_bad=$((n_bad + 1)); }
  "${CXX:-g++}" -std=c++17 "${flags[@]}" -x c++ - <<<"$text" ||
    { echo "$file: not clean as C++17" >&2; n_bad=$((n_bad + 1)); }
done

if [[ $n_headers == 0 ]]; then
  echo "check-headers: no headers in $PWD/include/microslip" >&2
  exit 2
fi
echo "check-headers: $n_headers headers in two languages, $n_bad failures"
[[ $n_bad == 0 ]]
