#!/bin/bash
# usage: tests/trials/build_variants.sh
#
# Configures and builds the project the ways a packager or a developer may: every level of optimisation
# with gcc and clang, flags of the user's own, the sanitizers with clang, and PETSc that is installed
# after the first configure. Warnings are errors throughout. Takes about an hour of processor time;
# `COMPILERS=gcc LEVELS=-O1` restricts it. Exit code 0: all is well; 1: a variant failed, its log shown.
source "$(dirname "$0")/../cli/checks.sh"
jobs=${JOBS:-$(nproc)}
compilers=${COMPILERS:-gcc clang}
levels=${LEVELS:--O0 -O1 -O2 -O3 -Og -Os}
unset CFLAGS CC

configure() { # FOLDER OPTION...
  cmake -S "$source_dir" -B "$temp/$1" "${@:2}" >"$temp/$1.log" 2>&1
}
build() { # FOLDER [TARGET...]
  cmake --build "$temp/$1" --parallel "$jobs" ${2:+--target "${@:2}"} >>"$temp/$1.log" 2>&1
}
variant() { # NAME OPTION...: library, command and finite elements
  local name=$1
  shift
  report "$name" "$({ configure "$name" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "$@" && build "$name"; } ||
    grep -m 5 -iE 'error|warning' "$temp/$name.log" || tail -n 5 "$temp/$name.log")"
  rm -rf "${temp:?}/$name"
}

# ---- levels of optimisation ----

for compiler in $compilers; do
  command -v "$compiler" >/dev/null || { echo "# skipped: $compiler, which is not here"; continue; }
  for level in $levels; do
    variant "$compiler$level" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$level"
  done
done

# ---- the user's own flags ----

has() { grep -qE -- "(^| )$2( |\$)" <<<"$1"; }
report "a release has -O3 by itself" "$(configure plain || cat "$temp/plain.log"
  line=$(sed -n 's/^C_FLAGS = //p' "$temp/plain/CMakeFiles/microslip_objects.dir/flags.make")
  has "$line" -O3 || echo "$line"; has "$line" -Werror && echo "warnings are errors: $line")"
report "flags of a release given by the user stay" "$(configure own -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_C_FLAGS=-g1 || cat "$temp/own.log"
  line=$(sed -n 's/^C_FLAGS = //p' "$temp/own/CMakeFiles/microslip_objects.dir/flags.make")
  { has "$line" -O1 && has "$line" -g1; } || echo "$line"; has "$line" -O3 && echo "$line")"
report "CFLAGS stay" "$(CFLAGS='-O2 -g1' configure env -DCMAKE_BUILD_TYPE=None || cat "$temp/env.log"
  line=$(sed -n 's/^C_FLAGS = //p' "$temp/env/CMakeFiles/microslip_objects.dir/flags.make")
  { has "$line" -O2 && has "$line" -g1; } || echo "$line"; has "$line" -O3 && echo "$line")"
report "warnings are errors where asked for" "$(configure tests -DCMAKE_COMPILE_WARNING_AS_ERROR=ON || cat "$temp/tests.log"
  line=$(sed -n 's/^C_FLAGS = //p' "$temp/tests/CMakeFiles/microslip_objects.dir/flags.make")
  has "$line" -Werror || echo "$line")"

# ---- PETSc after the first configure ----

if pkg-config --exists slepc petsc; then
  mkdir "$temp/pc"
  for folder in $(pkg-config --variable pc_path pkg-config | tr : ' '); do
    for file in "$folder"/*.pc; do
      [[ ${file##*/} == *petsc* || ${file##*/} == *slepc* ]] || ln -s "$file" "$temp/pc/" 2>/dev/null
    done
  done
  has_fem() { # FOLDER
    [[ $(cmake --build "$temp/$1" --target help) == *microslip_fem* ]] && echo yes || echo no
  }
  report "without PETSc" "$(PKG_CONFIG_LIBDIR=$temp/pc configure later || cat "$temp/later.log")"
  same "without PETSc: no finite elements" "$(has_fem later)" no
  report "without PETSc: it says so" "$(grep -q 'without finite elements' "$temp/later.log" || cat "$temp/later.log")"
  report "PETSc installed" "$(configure later || cat "$temp/later.log")"
  same "PETSc installed: finite elements" "$(has_fem later)" yes
  report "switched off" "$(configure later -DMICROSLIP_FEM=OFF && configure later || cat "$temp/later.log")"
  same "switched off: stays off" "$(has_fem later)" no
  report "ON without PETSc is refused" "$(PKG_CONFIG_LIBDIR=$temp/pc configure none -DMICROSLIP_FEM=ON && echo accepted)"
else
  echo "# skipped: PETSc is not installed"
fi

# ---- sanitizers with clang, and the smallest program of the tests ----

if [[ $compilers == *clang* ]] && command -v clang >/dev/null; then
  report "clang with sanitizers" "$({ configure asan -DCMAKE_C_COMPILER=clang -DMICROSLIP_SANITIZE=ON -DMICROSLIP_TESTS=ON &&
    build asan microslip unit.core.status; } || grep -m 5 -iE 'error|warning' "$temp/asan.log" || tail -n 5 "$temp/asan.log")"
  report "clang with sanitizers: the command runs" "$("$temp/asan/microslip" --version 2>&1 | grep -q microslip || "$temp/asan/microslip" --version 2>&1)"
  report "clang with sanitizers: a test runs" "$("$temp/asan/tests/unit.core.status" >"$temp/status" 2>&1 || cat "$temp/status")"
fi

finish
