#!/bin/sh
# usage: scripts/setup.sh run|python|octave|test|bench
#
# Installs the Debian packages that a tier needs and that are missing; each tier includes `run`, and
# test and bench all others. Silent when nothing is missing. Without root and sudo it prints the command to run; on
# systems other than Debian it checks that the tools are there.
set -eu

# package:command; a command found elsewhere on the path counts as well, and a package that brings
# no command has nothing after the colon.
run_tier='gcc:gcc libc6-dev: make:make cmake:cmake pkg-config:pkg-config
  libopenblas-dev: liblapacke-dev: libfftw3-dev: libcminpack-dev: libhdf5-dev: libfyaml-dev: zlib1g-dev:'
# AddressSanitizer comes with gcc; clang serves as a second opinion on warnings, and with its
# runtime for libFuzzer; report pages are looked at in chromium, by scripts of Node.js with a package of
# npm, and printed ones by poppler; the JSON Schema by Python's validator, the Python package by pytest.
test_tier='g++:g++ clang:clang libclang-rt-14-dev: clang-format:clang-format valgrind:valgrind jq:jq
  libxml2-utils:xmllint librsvg2-bin:rsvg-convert librsvg2-dev: man-db:man groff-base:groff
  chromium:chromium nodejs:node npm:npm poppler-utils:pdftotext python3-jsonschema: python3-ruamel.yaml:
  python3-scipy: python3-pytest: python3-matplotlib:'
# The Python package, and what builds it as a wheel.
python_tier='python3-cffi: python3-numpy: python3-setuptools: python3-wheel: python3-pip:'
# The MEX function; the benchmarks compare with scripts of Octave.
octave_tier='octave:octave-cli octave-dev:mkoctfile'
# The finite elements, meshes of CalculiX (10 MB) for their readers, and CalculiX to compare contacts with, unless they are switched off by FEM=OFF in the environment.
fem_tier='libslepc-real-dev: openmpi-bin:mpirun calculix-ccx:ccx calculix-ccx-test:'
[ "${FEM-}" != OFF ] || fem_tier=

case "${1-}" in
run) wanted=$run_tier ;;
python) wanted="$run_tier $python_tier" ;;
octave) wanted="$run_tier $octave_tier" ;;
test | bench) wanted="$run_tier $python_tier $octave_tier $test_tier $fem_tier" ;;
*)
  echo "usage: scripts/setup.sh run|python|octave|test|bench" >&2
  exit 2
  ;;
esac

is_debian=no
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then is_debian=yes; fi

# Elsewhere, a package without a command cannot be looked up: it is left to the compiler to miss.
missing_by_command() {
  for item in $wanted; do
    tool=${item#*:}
    [ -z "$tool" ] || command -v "$tool" >/dev/null || echo "${item%%:*} ($tool)"
  done
}

missing_by_package() {
  packages=
  for item in $wanted; do packages="$packages ${item%%:*}"; done
  # shellcheck disable=SC2086 # a list of words
  installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' $packages 2>/dev/null || :)"
  for item in $wanted; do
    tool=${item#*:}
    case $installed in *" installed=${item%%:*} "*) continue ;; esac
    if [ -n "$tool" ] && command -v "$tool" >/dev/null; then continue; fi
    printf '%s ' "${item%%:*}"
  done
}

if [ $is_debian = no ]; then
  lacking=$(missing_by_command)
  [ -z "$lacking" ] && exit 0
  echo "setup: this is not Debian; please install what Debian calls" >&2
  echo "$lacking" | sed 's/^/  /' >&2
  exit 1
fi

missing=$(missing_by_package)
missing=${missing% }
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "setup: packages are missing and there is neither root nor sudo. Run as root:" >&2
  echo "  apt-get install --no-install-recommends $missing" >&2
  exit 1
fi

echo "setup: installing $missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 </dev/null
}
apt update || echo "setup: apt-get update failed; trying with the package lists at hand" >&2
# shellcheck disable=SC2086 # a list of words
if ! apt install --no-install-recommends $missing; then
  tail -n 40 "$log" >&2
  echo "setup: the installation failed" >&2
  exit 1
fi
