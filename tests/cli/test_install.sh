#!/bin/bash
# An installed microslip can be used: through pkg-config (shared and static), through CMake's
# find_package, and from C++. It is installed under a DESTDIR and used from there, which also shows
# that nothing in it remembers the prefix.
source "$(dirname "$0")/checks.sh"
cc=${CC:-gcc}

check "install to a DESTDIR" env DESTDIR="$temp/stage" cmake --install "$build_dir" --prefix /opt/ms
# Moved elsewhere, as a package manager or a user may do.
mv "$temp/stage/opt/ms" "$temp/moved"
root=$temp/moved
libdir=$(dirname "$(find "$root" -name libmicroslip.a)")

check "no other file under DESTDIR" test -z "$(find "$temp/stage" -type f)"
for file in bin/microslip include/microslip/microslip.h share/doc/microslip/LICENSE; do
  check "$file is installed" test -f "$root/$file"
done
if [[ -f $source_dir/docs/man/microslip.1 ]]; then
  check "the man page is installed" test -f "$root/share/man/man1/microslip.1"
fi
check "the command runs" "$root/bin/microslip" --version

cat >"$temp/use.c" <<'C'
#include <microslip/microslip.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  ms_context *ctx = NULL;
  ms_joint *joint = NULL;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 1;
  if (ms_joint_count_laws() < 1) return 2;
  if (ms_joint_create(ctx, ms_joint_get_law(0)->name, &joint) != MS_SUCCESS) return 3;
  ms_joint_destroy(&joint);
  ms_study *study = NULL; /* brings YAML, modes, signals, fits and files with it */
  if (ms_study_open(ctx, "none.yaml", 0, NULL, &study) != MS_ERR_FILE) return 4;
  ms_context_destroy(&ctx);
  puts(ms_version());
  return strcmp(ms_version(), VERSION) != 0;
}
C
cp "$temp/use.c" "$temp/use.cpp"

export PKG_CONFIG_PATH=$libdir/pkgconfig
check "pkg-config knows it" pkg-config --exists --print-errors microslip
version=$(pkg-config --modversion microslip)
define="-DVERSION=\"$version\""
strict=(-Wall -Wextra -Wpedantic -Werror "$define")
read -ra cflags < <(pkg-config --cflags microslip)
read -ra shared < <(pkg-config --libs microslip)
# The archive itself; what it is built on stays shared.
read -ra static < <(pkg-config --static --libs microslip)
static=("${static[@]/#-lmicroslip/-l:libmicroslip.a}")

check "C, shared: compile" "$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$temp/use.c" \
  -o "$temp/use-shared" "${shared[@]}" "-Wl,-rpath,$libdir"
check "C, shared: run" "$temp/use-shared"
check "C, shared: it is the installed library" \
  grep -q "libmicroslip.so.* => $root/" <(ldd "$temp/use-shared")
check "C, static: compile" "$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$temp/use.c" \
  -o "$temp/use-static" "${static[@]}"
check "C, static: run" "$temp/use-static"
check "C, static: it needs no libmicroslip.so" bash -c "! ldd '$temp/use-static' | grep -q libmicroslip"
check "C, static: pkg-config names what it is built on" grep -q 'libfyaml' <(ldd "$temp/use-static")
check "shared: pkg-config names nothing else" test ${#shared[@]} = 2
check "the CMake package names no library by its place" \
  bash -c "! grep -r '/lib[a-z0-9]*\.\(so\|a\)' '$libdir/cmake' | grep -v IMPORT_PREFIX"
check "C++: compile" g++ -std=c++17 "${strict[@]}" "${cflags[@]}" "$temp/use.cpp" \
  -o "$temp/use-cpp" "${shared[@]}" "-Wl,-rpath,$libdir"
check "C++: run" "$temp/use-cpp"

mkdir "$temp/project"
cat >"$temp/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(use LANGUAGES C)
find_package(microslip $version REQUIRED)
foreach(kind microslip shared static)
  add_executable(use_\${kind} $temp/use.c)
  target_compile_definitions(use_\${kind} PRIVATE VERSION="\${microslip_VERSION}")
  target_link_libraries(use_\${kind} PRIVATE microslip::\${kind})
endforeach()
CMAKE
check "CMake: configure" cmake -S "$temp/project" -B "$temp/project/build" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$root"
check "CMake: build" cmake --build "$temp/project/build"
for kind in microslip shared static; do
  check "CMake: run with microslip::$kind" "$temp/project/build/use_$kind"
done

# The finite elements, if they were built.
if [[ -f $libdir/libmicroslip_fem.a ]]; then
  cat >"$temp/fem.c" <<'C'
#include <microslip/fem.h>
int main(void) {
  ms_context *ctx = 0;
  ms_mesh *mesh = 0;
  const ms_element_info *info;
  if (ms_context_create(0, &ctx) || ms_mesh_create(ctx, &mesh)) return 1;
  if (ms_element_find(ctx, "hex8", &info)) return 2;
  ms_mesh_destroy(&mesh);
  ms_context_destroy(&ctx);
  return 0;
}
C
  cat >>"$temp/project/CMakeLists.txt" <<CMAKE
add_executable(use_fem $temp/fem.c)
target_link_libraries(use_fem PRIVATE microslip::fem)
CMAKE
  check "CMake: build with microslip::fem" cmake --build "$temp/project/build"
  check "CMake: run with microslip::fem" "$temp/project/build/use_fem"
  cat >"$temp/plugin.c" <<'C'
#include <microslip/fem_plugin.h>
#include <stdio.h>

int main(void) {
  ms_context *ctx = NULL;
  const ms_fem_plugin *plugin = NULL;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 1;
  if (ms_fem_load(ctx, &plugin) != MS_SUCCESS) puts(ms_context_message(ctx));
  ms_context_destroy(&ctx);
  return !plugin;
}
C
  check "plugin: compile, static" "$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$temp/plugin.c" \
    -o "$root/bin/plugin" "${static[@]}"
  check "plugin: found from where the command is" env ASAN_OPTIONS=detect_leaks=0 "$root/bin/plugin"
  check "plugin: compile, shared" "$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$temp/plugin.c" \
    -o "$temp/plugin" "${shared[@]}" "-Wl,-rpath,$libdir"
  check "plugin: found from where the library is" env ASAN_OPTIONS=detect_leaks=0 "$temp/plugin"
else
  check "without finite elements no header of theirs" test ! -e "$root/include/microslip/fem.h"
fi

# A later minor version is refused.
sed -i 's/find_package(microslip [0-9.]*/find_package(microslip 99.0/' "$temp/project/CMakeLists.txt"
check "CMake: a version that is not there is refused" \
  bash -c "! cmake -S '$temp/project' -B '$temp/project/build2' -DCMAKE_PREFIX_PATH='$root'"

finish
