#!/usr/bin/env bash
# The program in docs/guide/library.md compiles against the built library and prints right numbers.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ && !seen { on = 1; seen = 1; next } /^```$/ { on = 0 } on' \
  "$SOURCE_DIR/docs/guide/library.md" >"$work/guide.c"
grep -q 'int main' "$work/guide.c"
flags=()
grep -q 'MICROSLIP_SANITIZE:BOOL=ON' "$BUILD_DIR/CMakeCache.txt" && flags=(-fsanitize=address,undefined)
gcc -std=c11 -Wall -Wextra -Werror "${flags[@]}" -I"$SOURCE_DIR/include" "$work/guide.c" \
  "$BUILD_DIR/libmicroslip.a" -lm -o "$work/guide"
"$work/guide" >"$work/out"
cat "$work/out"
[ "$(wc -l <"$work/out")" -eq 5 ]
# phi_max = 6e-5 m: at 6e-5 and beyond the force is F_S = 4000 N
[ "$(awk '$2 == 6e-05 || $2 == 8e-05 { print $5 }' "$work/out" | sort -u)" = 4000 ]
echo "1 passed, 0 failed"
