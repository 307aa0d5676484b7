#!/bin/bash
# usage: tests/trials/fuzz.sh [COUNT [READER...]]
#
# Coverage-guided fuzzing (libFuzzer, AddressSanitizer) of every reader and of the study file: the programs of tests/fuzz,
# built by clang into build-fuzz. COUNT inputs for each text reader (100000), a tenth for those of HDF5. The corpora stay
# in build-fuzz/corpus, so that a second run goes on from there. A line per reader: inputs, coverage, what was found.
# Ends with 1 if anything was. An input that was found is in build-fuzz/found; with its fix it becomes a file in
# tests/data/fuzz, which the first seeds of every run are.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
build=${FUZZ_BUILD:-$source_dir/build-fuzz}
count=${1:-100000}
shift $(($# > 0))
readers=${*:-csv matrix uff record dofs checkpoint study gmsh abaqus exodus hdf5 netcdf4}

configure() {
  CC=clang cmake -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMICROSLIP_TESTS=ON -DMICROSLIP_FUZZER=ON
}
program_of() { # one program reads all formats of meshes
  case $1 in gmsh | abaqus | exodus) echo fuzz.fem.mesh ;; netcdf4) echo fuzz.fem.netcdf4 ;; *) echo "fuzz.$1" ;; esac
}
programs() { for reader in $readers; do program_of "$reader"; done | sort -u; }
mkdir -p "$build"
# shellcheck disable=SC2046 # a list of words
if ! { configure && cmake --build "$build" --target $(programs); } >"$build/log" 2>&1; then
  tail -n 30 "$build/log" >&2
  echo "fuzz: the programs cannot be built" >&2
  exit 2
fi

# A mesh by its first bytes.
# shellcheck disable=SC2016 # these dollars are in the files
format_of() {
  case $(head -c 4 "$1" | tr -d '\0') in '$Mes' | '$Com') echo gmsh ;; CDF* | *HDF*) echo exodus ;; *) echo abaqus ;; esac
}

# Seeds of a reader: those of the program, files of the tests and the examples.
collect() { # READER PROGRAM FOLDER
  local reader=$1 program=$2 to=$3 file
  rm -rf "$to"
  mkdir -p "$to"
  MS_FUZZ_SEEDS=$to "$program"
  mv "$to/dictionary" "$to.dictionary"
  case $reader in
  study)
    for file in "$source_dir"/examples/*/*.yaml; do # many of them are called study.yaml
      cp "$file" "$to/$(basename "$(dirname "$file")")-${file##*/}"
    done
    ;;
  matrix) cp "$source_dir"/tests/data/matrix/*.mtx "$to" ;;
  gmsh | abaqus | exodus)
    cp "$source_dir"/tests/data/mesh/*.{msh,inp,exo} "$to"
    for file in "$to"/*; do [[ $(format_of "$file") == "$reader" ]] || rm "$file"; done
    ;;
  esac
  cp "$source_dir/tests/data/fuzz/$reader"/* "$to" 2>/dev/null
  return 0
}

export OPENBLAS_NUM_THREADS=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
total=0 bad=0
mkdir -p "$build/corpus" "$build/found" "$build/seeds"
printf '%-12s %10s %10s  %s\n' reader inputs coverage found
for reader in $readers; do
  runs=$count
  [[ $reader == hdf5 || $reader == netcdf4 ]] && runs=$(((count + 9) / 10))
  program=$build/tests/$(program_of "$reader")
  seeds=$build/seeds/$reader corpus=$build/corpus/$reader found=$build/found/$reader- log=$build/$reader.log
  mkdir -p "$corpus"
  collect "$reader" "$program" "$seeds"
  # What libraries take for themselves is bounded too: 64 MiB and 100 times the longest input.
  nice "$program" -runs="$runs" -max_len=8192 -dict="$seeds.dictionary" -malloc_limit_mb=80 -rss_limit_mb=1024 -timeout=30 \
    -artifact_prefix="$found" -print_final_stats=1 -print_funcs=0 -close_fd_mask=1 "$corpus" "$seeds" >"$log" 2>&1
  status=$?
  done=$(sed -n 's/stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
  what=nothing
  if [[ $status != 0 ]]; then
    bad=1
    what=$(grep -m 1 -E 'ERROR|SUMMARY' "$log" | cut -c 1-80)
  fi
  total=$((total + ${done:-0}))
  printf '%-12s %10s %10s  %s\n' "$reader" "${done:-0}" "${coverage#cov: }" "$what"
done
printf '%-12s %10s\n' total "$total"
exit $bad
