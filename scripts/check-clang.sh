#!/bin/bash
# usage: scripts/check-clang.sh ROOT BUILD_DIR
#
# Every source of the project, tests and benchmarks included, passes clang without a warning. Clang warns before it
# makes code, so nothing is compiled to the end or linked.
set -eu
root=$1
build=$2

options=(-DMICROSLIP_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if [[ -f $root/bench/CMakeLists.txt ]]; then options+=(-DMICROSLIP_BENCH=ON); fi
cmake -S "$root" -B "$build" --log-level=NOTICE -DCMAKE_C_COMPILER=clang "${options[@]}"

# One shell command a source; what the build itself writes is left out.
jq -r --arg generated "$build/generated/" '.[] | select(.file | startswith($generated) | not)
  | "cd \(.directory | @sh) && \(.command | sub(" -o [^ ]+ -c "; " -fsyntax-only "))"' \
  "$build/compile_commands.json" >"$build/sources"
count=$(wc -l <"$build/sources")
[[ $count -gt 0 ]] || { echo "check-clang: no sources" >&2; exit 1; }
tr '\n' '\0' <"$build/sources" | xargs -0 -n 1 -P "$(nproc)" sh -c
echo "check-clang: $count sources"
