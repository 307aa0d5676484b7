#!/bin/sh
# usage: scripts/python.sh BUILD TARGET
#
# Builds the wheel of the Python package into BUILD/wheel, for the library in BUILD, and installs it into the
# folder TARGET, which needs no root. $PYTHON is the interpreter: Debian's, which has cffi, unless it is named.
set -eu
if [ $# != 2 ]; then
  echo "usage: scripts/python.sh BUILD TARGET" >&2
  exit 2
fi
python=${PYTHON:-$(command -v /usr/bin/python3 || command -v python3)}
build=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
rm -rf "$build/wheel"
mkdir "$build/wheel"
cd "$(dirname "$0")/../python"
# Everything that is made stays in the build folder.
PYTHONDONTWRITEBYTECODE=1 MICROSLIP_BUILD=$build "$python" -W ignore setup.py --quiet egg_info --egg-base "$build/wheel" \
  build --build-base "$build/wheel/build" bdist_wheel --dist-dir "$build/wheel" >"$build/wheel/log" 2>&1 ||
  { cat "$build/wheel/log" >&2; exit 1; }
"$python" -m pip install --quiet --no-deps --no-index --disable-pip-version-check --root-user-action=ignore --upgrade \
  --target "$target" "$build"/wheel/*.whl
echo "installed $(basename "$build"/wheel/*.whl) into $target"
