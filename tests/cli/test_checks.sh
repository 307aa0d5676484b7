#!/bin/bash
# The checks under scripts/ can fail: each is shown a small clean tree, where it must pass, and
# then the same tree with one violation, where it must fail and say so.
source "$(dirname "$0")/checks.sh"
scripts=$source_dir/scripts

# A clean tree: the public headers and one source in each of some rooms.
clean_tree() {
  tree=$temp/tree
  rm -rf "$tree"
  mkdir -p "$tree"/src/{core,joint/laws,io,report,fem,study/file,study/analyses/modes} "$tree"/app/cli
  cp -r "$source_dir/include" "$tree/include"
  cp "$source_dir/.clang-format" "$tree/"
  echo 'int ms_core(void);' >"$tree/src/core/internal.h"
  printf '#include "core/internal.h"\n\n#include <sys/stat.h>\n' >"$tree/src/core/a.c"
  echo 'int ms_joint(void);' >"$tree/src/joint/impl.h"
  printf '#include "joint/impl.h"\n#include "joint/iwan/k.h"\n#include "core/internal.h"\n#include <microslip/joint.h>\n' \
    >"$tree/src/joint/laws/law.c"
  printf '#include "impl.h"\n' >"$tree/src/joint/b.c"
  printf '#include <microslip/io.h>\n#include <microslip/report.h>\n' >"$tree/src/report/r.c"
  printf '#include <petscksp.h>\n' >"$tree/src/fem/f.c"
  printf '#include <microslip/joint.h>\n#include "joint/impl.h"\n' >"$tree/src/study/s.c"
  mkdir -p "$tree/docs"
  printf '# A page\n\n[here](#a-page), [there](../app/cli/cli.h), `[no](link)`\n' >"$tree/docs/clean.md"
  printf '#include "study/file/yaml.h"\n' >"$tree/src/study/study.h"
  printf '#include "study/study.h"\n' >"$tree/src/study/file/f.c"
  printf '#include "study/file/yaml.h"\n#include "study/analyses/rod/rod.h"\n' >"$tree/src/study/analyses/modes/m.c"
  echo 'int command(void);' >"$tree/app/cli/cli.h"
  printf '#include "cli/cli.h"\n#include <microslip/microslip.h>\n' >"$tree/app/cli/main.c"
}

passes() { # check
  clean_tree
  check "check-$1 passes on a clean tree" "$scripts/check-$1.sh" "$tree"
}

fails() { # check file content message: content is appended to file in a clean tree
  local output status
  clean_tree
  mkdir -p "$(dirname "$tree/$2")"
  printf '%b' "$3" >>"$tree/$2"
  output=$("$scripts/check-$1.sh" "$tree" 2>&1)
  status=$?
  report "check-$1 refuses in $2: $4" "$([[ $status == 1 && $output == *"$4"* ]] || echo "exit $status: $output")"
}

no_files() { # check: an empty folder is an error, not a success
  local status
  mkdir -p "$temp/empty"
  "$scripts/check-$1.sh" "$temp/empty" >"$temp/output" 2>&1
  status=$?
  report "check-$1 does not pass on an empty folder" "$([[ $status != 0 ]] || cat "$temp/output")"
}

passes includes
no_files includes
fails includes src/core/c.c '#include "joint/impl.h"\n' 'room core must not include room joint'
fails includes src/joint/c.c '  #  include <microslip/io.h>\n' 'room joint must not include room io'
fails includes src/io/c.c '#include <joint/impl.h>\n' 'room io must not include room joint'
fails includes src/report/c.c '#include <microslip/joint.h>\n' 'room report must not include room joint'
fails includes src/fem/c.c '#include "signal/internal.h"\n' 'room fem must not include room signal'
fails includes src/joint/c.c '#include <microslip/microslip.h>\n' 'for app/ only'
fails includes src/joint/c.c '#include "microslip/io.h"\n' 'room joint must not include room io'
fails includes src/joint/c.c '#include "../core/internal.h"\n' 'no absolute path and no . or ..'
fails includes src/joint/c.c '#include "joint/../core/internal.h"\n' 'no absolute path and no . or ..'
fails includes src/joint/c.c '#include "kitchen/impl.h"\n' 'nor in a known room'
fails includes src/joint/c.c '#include <microslip/kitchen.h>\n' 'does not say its room in its first line'
fails includes src/joint/c.c '#include HEADER\n' 'cannot read this include'
fails includes src/joint/c.c '#include <mpi.h>\n' 'only fem knows'
fails includes src/kitchen/c.c '#include <stdio.h>\n' 'in no known room'
fails includes src/c.c '#include <stdio.h>\n' 'in no known room'
fails includes src/core/list.def '#include "io/x.h"\n' 'room core must not include room io'
fails includes src/joint/iwan/c.c '#include "joint/laws/l.h"\n' 'in a circle: joint/'
fails includes src/study/file/c.c '#include "study/analyses/modes/m.h"\n' 'in a circle: study/'
fails includes src/study/analyses/rod/c.c '#include "study/analyses/modes/m.h"\n' 'in a circle: study/analyses/'
fails includes app/cli/c.c '#include "core/internal.h"\n' 'its own files only'
fails includes app/cli/c.c '#include <core/internal.h>\n' 'its own files only'
fails includes app/web/c.c '#include "cli/cli.h"\n' 'its own files only'
fails includes app/cli/c.c '#include <microslip/kitchen.h>\n' 'no public header'
fails includes include/microslip/status.h '#include <microslip/io.h>\n' 'room core must not include room io'
fails includes include/microslip/kitchen.h '#include <stdio.h>\n' 'in no known room'

many=$(printf '/* a line */\\n%.0s' {1..10000})
fails includes src/study/many.c "$many$many" 'lines of C, headers and .def; at most 20000'

passes headers
no_files headers
fails headers include/microslip/alone.h 'size_t ms_alone(void);\n' 'alone.h: not clean as C11'
fails headers include/microslip/cxx.h 'int ms_cxx(int class);\n' 'cxx.h: not clean as C++17'
fails headers include/microslip/c11.h 'int ms_old();\n' 'c11.h: not clean as C11'
fails headers include/microslip/twice.h 'enum { MS_TWICE };\n' 'twice.h: not clean as C11'

passes format
no_files format
fails format src/core/c.c 'int  ms_spaced( void ) ;\n' 'make format'
fails format app/cli/c.h 'int *ms_a;\nint* ms_b;\n' 'make format'

passes text
no_files text
note=TO; note+=DO
fails text src/core/c.c "/* $note: later */\n" 'left to do'
note=FIX; note+=ME
fails text docs/page.md "$note this\n" 'left to do'
place=/ho; place+=me
fails text docs/page.md "see $place/somebody/file\n" "somebody's machine"
place=/ro; place+=ot
fails text scripts/x.sh "cd $place\n" "somebody's machine"
place=/wo; place+=rk
fails text Makefile "OUT=$place/out\n" "somebody's machine"
host=deb; host+=.debian.org
fails text scripts/x.sh "fetch $host\n" 'package host'
fails text src/core/c.c 'int\ta;\n' 'a tab in a C file'
fails text src/core/c.h 'int a; \n' 'at the end of a line'

passes links
no_files links
fails links docs/page.md "see [it](other.md)\n" "page.md:1: other.md leads nowhere"
fails links docs/page.md "# One\n[two](#two)\n" "docs/page.md has no such heading"
fails links a.md "# One\n[two](docs/../a.md#two)\n[one](#one)\n" "1 faults"
fails links docs/page.md "![picture](none.svg)\n" "none.svg leads nowhere"

# check-names looks at a library instead of a tree.
library() { # text expected-status
  local status
  echo "$1" | "${CC:-gcc}" -shared -fPIC -x c -o "$temp/library.so" - || return
  "$scripts/check-names.sh" "$temp/library.so" >"$temp/output" 2>&1
  status=$?
  report "check-names gives $2 for: $1" "$([[ $status == "$2" ]] || echo "exit $status: $(cat "$temp/output")")"
}
library 'int ms_good; int ms_better(void) { return 1; }' 0
library 'int ms_good; int stray(void) { return 1; }' 1
library 'int ms_good; int xms_data;' 1
library 'static int hidden; int ms_none(void) __attribute__((visibility("hidden"))); int ms_none(void) { return hidden; }' 1

# check-clang: a project that gcc takes and clang does not.
clang_project() { # code expected
  local status=pass
  rm -rf "$temp/project"
  mkdir -p "$temp/project"
  echo "$1" >"$temp/project/a.c"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p C)\nadd_library(a STATIC a.c)\n' \
    >"$temp/project/CMakeLists.txt"
  echo 'target_compile_options(a PRIVATE -Wall -Werror)' >>"$temp/project/CMakeLists.txt"
  "$scripts/check-clang.sh" "$temp/project" "$temp/project/build" >"$temp/output" 2>&1 || status=fail
  report "check-clang: $2 for: $1" "$([[ $status == "$2" ]] || cat "$temp/output")"
}
clang_project 'int f(int a); int f(int a) { return a; }' pass
clang_project 'int f(int a); int f(int a) { a = a; return a; }' fail

finish
