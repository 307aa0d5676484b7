#!/bin/bash
# scripts/setup.sh on imagined machines: a folder of stand-ins for dpkg-query, apt-get, id and sudo
# is the whole path, so nothing is installed.
source "$(dirname "$0")/checks.sh"

# machine USER PACKAGE...: who runs it, and what dpkg knows as installed.
machine() {
  rm -rf "$temp/bin" "$temp/calls"
  mkdir "$temp/bin"
  : >"$temp/calls"
  for tool in sh env mktemp rm tail sed cat; do ln -s "$(command -v $tool)" "$temp/bin/$tool"; done
  tool id "[ \"\$1\" = -u ] && echo $1"
  shift
  tool dpkg-query "echo query >>$temp/calls; for p in $*; do printf 'installed=%s ' \$p; done"
  tool apt-get "echo apt-get \"\$DEBIAN_FRONTEND\" \"\$@\" >>$temp/calls"
}
tool() { # name body
  printf '#!/bin/sh\n%s\n' "$2" >"$temp/bin/$1"
  chmod +x "$temp/bin/$1"
}

# expect TEXT TIER STATUS OUTPUT CALLS: OUTPUT and CALLS are patterns.
expect() {
  local output status calls
  output=$(PATH=$temp/bin "$temp/bin/sh" "$source_dir/scripts/setup.sh" "$2" 2>&1)
  status=$?
  calls=$(cat "$temp/calls")
  # shellcheck disable=SC2053 # patterns
  report "$1" "$([[ $status == "$3" && $output == $4 && $calls == $5 ]] || printf '%s\n' "exit $status" "$output" "$calls")"
}

libraries='libopenblas-dev liblapacke-dev libfftw3-dev libcminpack-dev libhdf5-dev libfyaml-dev zlib1g-dev'
run_tier="gcc libc6-dev make cmake pkg-config $libraries"
test_tier='g++ clang libclang-rt-14-dev clang-format valgrind jq libxml2-utils librsvg2-bin librsvg2-dev man-db groff-base chromium nodejs npm poppler-utils python3-jsonschema python3-ruamel.yaml python3-scipy python3-pytest python3-matplotlib'
python_tier='python3-cffi python3-numpy python3-setuptools python3-wheel python3-pip'
octave_tier='octave octave-dev'
fem_tier='libslepc-real-dev openmpi-bin calculix-ccx calculix-ccx-test'
unset FEM

machine 0 "$run_tier"
expect "silent when nothing is missing, after one query" run 0 '' query
machine 1000 "$run_tier" "$python_tier" "$octave_tier" "$test_tier" "$fem_tier"
expect "the bench tier needs no root when all is there" bench 0 '' query

machine 0 make
expect "root installs what is missing, without asking" run 0 \
  "setup: installing gcc libc6-dev cmake pkg-config $libraries" \
  $'query\napt-get noninteractive*update\napt-get noninteractive -y*'"--no-install-recommends gcc libc6-dev cmake pkg-config $libraries"
machine 0 "$run_tier"
expect "the test tier adds its tools" test 0 "setup: installing $python_tier $octave_tier $test_tier $fem_tier" \
  "*recommends $python_tier $octave_tier $test_tier $fem_tier"
machine 0 "$run_tier"
expect "the python tier adds its packages" python 0 "setup: installing $python_tier" "*recommends $python_tier"
machine 0 "$run_tier"
expect "the octave tier adds its packages" octave 0 "setup: installing $octave_tier" "*recommends $octave_tier"
machine 0 "$run_tier" "$python_tier" "$octave_tier" "$test_tier"
export FEM=OFF
expect "without finite elements it does not need theirs" test 0 '' query
unset FEM
machine 0 "$python_tier" "$test_tier" "$fem_tier"
expect "the bench tier includes the others" bench 0 "setup: installing $run_tier $octave_tier" '*'

# shellcheck disable=SC2086 # a list of words
machine 0 libc6-dev make cmake pkg-config $libraries
tool gcc ':'
expect "a compiler from elsewhere will do" run 0 '' query

machine 1000 make
tool sudo "echo sudo >>$temp/calls; exec \"\$@\""
expect "others go through sudo" run 0 'setup: installing *' $'query\nsudo\napt-get noninteractive*sudo\napt-get noninteractive*'
machine 1000 "$run_tier" "$python_tier" "$test_tier" "$fem_tier"
expect "without sudo the command is printed" bench 1 \
  "*apt-get install --no-install-recommends $octave_tier" query

machine 0 make
tool apt-get 'echo no such host; exit 100'
expect "a failed installation is reported with its reason" run 1 '*no such host*installation failed' query

machine 0
rm "$temp/bin/dpkg-query"
expect "elsewhere the tools are named" run 1 '*not Debian*gcc (gcc)*pkg-config (pkg-config)' ''
for name in gcc make cmake pkg-config; do tool "$name" ':'; done
expect "elsewhere the tools suffice" run 0 '' ''

machine 0
expect "an unknown tier is refused" everything 2 'usage: *' ''

finish
