#!/bin/bash
# The program in docs/guide/library.md compiles against the built library and prints right numbers.
source "$(dirname "$0")/checks.sh"
awk '/^```c$/ && !seen { on = 1; seen = 1; next } /^```$/ { on = 0 } on' "$source_dir/docs/guide/library.md" >guide.c
check "the page has a program" grep -q 'int main' guide.c
flags=()
grep -q 'MICROSLIP_SANITIZE:BOOL=ON' "$build_dir/CMakeCache.txt" && flags=(-fsanitize=address,undefined)
check "it compiles" gcc -std=c11 -Wall -Wextra -Werror "${flags[@]}" -I"$source_dir/include" guide.c "$build_dir/libmicroslip.a" -lm -o guide
check "it runs" ./guide
./guide >out
same "lines" "$(wc -l <out)" 5
# phi_max = 6e-5 m: at 6e-5 and beyond the force is F_S = 4000 N
same "force" "$(awk '$2 == 6e-05 || $2 == 8e-05 { print $5 }' out | sort -u)" 4000

finish
