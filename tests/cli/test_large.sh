#!/bin/bash
# Structures that are large, or say so: their memory is estimated before they are built, and check
# solves for no modes of many coordinates.
source "$(dirname "$0")/checks.sh"

refused() { # TEXT WORDS ARGUMENT...: at once, in little memory (a sanitizer reserves more)
  local text=$1 words=$2 limit=ulimit
  shift 2
  ldd "$microslip" | grep -q 'lib[au].*san' && limit=true
  (
    $limit -v 1000000
    ulimit -t 10 # seconds of the processor
    timeout 60 "$microslip" check "$@" >out 2>err
  )
  same "$text: exit code" "$?" 2
  check "$text: message" grep -q "$words" err
}

# ---- a few bytes that ask for much ----
printf '%%%%MatrixMarket matrix coordinate real general\n16000 16000 1\n1 1 1\n' >big.mtx
printf 'microslip: 1\nstructure: {matrices: {mass: big.mtx, stiffness: big.mtx}}\nanalyses: [modes]\n' >big.yaml
refused "a matrix of 16000 rows" '16000 degrees of freedom take about 16.4 GB.*memory: 17' big.yaml
printf 'microslip: 1\nstructure: {beam: {length: 2.1, width: 0.02, height: 0.03, E: 2e11, rho: 7800, elements: 9000}}
analyses: [modes]\n' >beam.yaml
refused "a beam of 9000 elements" 'degrees of freedom take about .* GB' beam.yaml

# ---- 2000 masses ----
{
  printf 'microslip: 1\nstructure:\n  chain:\n    masses:\n'
  seq -f '      u%.0f: 1.3' 2000
  printf '    springs:\n      - [ground, u1, 170]\n'
  seq 2 2000 | awk '{ printf "      - [u%d, u%d, 170]\n", $1 - 1, $1 }'
  printf '  damping: {modal: 1e-3}\njoints: {j: {law: jenkins, between: [ground, u2000], F_S: 1, K_T: 10}}\n'
  printf 'loads: {s: {sine: {amplitude: 1, frequency: 0.5}, at: u7}}\n'
  printf 'analyses: [modes, {transient: {time: {step: 1e-2, steps: 10}}}, {backbone: {modes: [1], methods: [qsma], amplitudes: [1e-3, 1e-2]}}]\n'
} >chain.yaml
(
  ulimit -t 10 # seconds of the processor
  "$microslip" check chain.yaml >out 2>err
)
same "check of 2000 masses solves for no modes" "$(cat out err)" \
  "chain.yaml: valid; 2000 degrees of freedom, 1 joints, 3 analyses"
refused "what they may take is a setting" '2000 degrees of freedom take about 0.256 GB, more than the 0.2 GB' \
  chain.yaml --set memory=0.2
check "and may be more" "$microslip" check chain.yaml --set memory=0.3

# A spring that pushes: no mode is solved for, and it is seen all the same.
sed 's/u1000, 170]/u1000, -170]/' chain.yaml >pushes.yaml
refused "an indefinite stiffness of 2000 masses" "stiffness matrix is indefinite, among the degrees of freedom up to 'u" pushes.yaml
# A key is not compared with every other of its mapping, which takes a minute.
awk 'BEGIN { printf "microslip: 1\nstructure:\n  chain:\n    springs: [[ground, u1, 170]]\n    masses: {"
  for (i = 1; i <= 40000; i++) printf "%su%d: 1.3", (i > 1 ? ", " : ""), i
  print "}\nanalyses: [modes]" }' >many.yaml
refused "40000 masses" 'at most 4096 masses' many.yaml

finish
