#!/bin/bash
# usage: scripts/check-clang.sh ROOT BUILD_DIR
#
# The whole project, tests and benchmarks included, builds with clang and its warnings as errors.
set -eu
root=$1
build=$2

options=(-DMICROSLIP_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON)
if [[ -f $root/bench/CMakeLists.txt ]]; then options+=(-DMICROSLIP_BENCH=ON); fi
# Warnings do not depend on optimisation, its time does.
cmake -S "$root" -B "$build" --log-level=NOTICE -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
  "${options[@]}"
cmake --build "$build" --parallel "$(nproc)"
echo "check-clang: built"
