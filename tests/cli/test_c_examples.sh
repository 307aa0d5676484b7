#!/bin/bash
# The programs in examples/c: at most 60 lines, in C and in C++, and what they print against closed forms and the command.
source "$(dirname "$0")/checks.sh"

flags=(-Wall -Wextra -Werror -I"$source_dir/include")
grep -q 'MICROSLIP_SANITIZE:BOOL=ON' "$build_dir/CMakeCache.txt" && flags+=(-fsanitize=address,undefined)
libraries=(-L"$build_dir" -lmicroslip -Wl,-rpath,"$build_dir" -lm)
for file in "$source_dir"/examples/c/*.c; do
  name=$(basename "$file" .c)
  report "$name: at most 60 lines" "$([[ $(wc -l <"$file") -le 60 ]] || wc -l "$file")"
  report "$name: public headers only" "$(grep '#include "' "$file")"
  report "$name: on the page" "$(grep -q "$name.c" "$source_dir/examples/c/README.md" || echo no)"
  report "$name: C++" "$(g++ -std=c++17 -x c++ "${flags[@]}" "$file" -x none "${libraries[@]}" -o "$name.cc" 2>&1)"
  report "$name: C" "$(gcc -std=c11 "${flags[@]}" "$file" "${libraries[@]}" -o "$name" 2>&1)"
done

# ---- backbone: three methods, and C++ ----
./backbone >out
./backbone.cc >out.cc
report "backbone: the same in C++" "$(diff out out.cc)"
value() { awk -v m="$1" -v q="$2" -v c="$3" 'index($0, m) == 1 { sub(m, ""); if ($1 == q) print $c }' out; }
for q in 1.000e-04 1.000e-03 3.000e-03; do # above, the joint slips altogether, and the methods differ
  near "qsma and epmc at $q: Hz" "$(value qsma $q 4)" "$(value epmc $q 4)" 1e-4
  near "qsma and epmc at $q: damping" "$(value qsma $q 6)" "$(value epmc $q 6)" 0.02
done
ring=$(awk '/^ring-down/ { if (q > 3e-3 && $2 <= 3e-3) print z + (3e-3 - q)/($2 - q)*($7 - z); q = $2; z = $7 }' out)
near "ring-down and epmc at 3e-3: damping" "$ring" "$(value epmc 3.000e-03 6)" 0.03

# ---- forced: without slip, F/(2 zeta K) ----
./forced >out
near "forced: 0.1 N is linear" "$(awk '/^ *0.1 N/ { print $5 }' out)" 1.0869565e-3 1e-4
report "forced: three peaks, falling frequency" "$(awk '{ if (NR > 1 && $8 >= f) print; f = $8 } END { if (NR != 3) print NR }' out)"

# ---- fit: its own parameters again ----
cat >study.yaml <<'END'
microslip: 1
structure:
  chain: {masses: {left: 1.2, right: 0.8}, springs: [[ground, left, 4.0e5], [left, right, 2.5e5]]}
  damping: {modal: 5e-4}
joints: {lap: {law: iwan4, between: [left, right], F_S: 23.85, K_T: 1.7e4, chi: -0.37, beta: 1.31}}
analyses: [{backbone: {modes: [1], methods: [qsma], amplitudes: {from: 1e-4, to: 2e-2, points: 40}}}]
END
"$microslip" run study.yaml --out out.d >/dev/null 2>error || cat error
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ *\[.*/, "", $i); at[$i] = i }; print "q,omega,zeta"; next }
  { print $at["q"] "," $at["omega"] "," $at["zeta"] }' out.d/tables/backbone.csv >target.csv
./fit target.csv >out 2>error
fitted() { awk -v n="$1" '$1 == n { print $2 }' out; }
near "fit: F_S" "$(fitted F_S)" 23.85 1e-4
near "fit: K_T" "$(fitted K_T)" 1.7e4 1e-4
near "fit: chi" "$(fitted chi)" -0.37 1e-4
near "fit: beta" "$(fitted beta)" 1.31 1e-4
./fit none.csv >out 2>error
report "fit: a file that is not there" "$([[ $? == 1 ]] && grep -q none.csv error || cat error)"

finish
