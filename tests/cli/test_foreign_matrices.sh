#!/bin/bash
# Matrices that other programs wrote are read, and broken ones refused with file and line.
source "$(dirname "$0")/checks.sh"
info=$build_dir/tests/matrix_info

value() { sed -n "s/.*$1 \([-+0-9.e]*\).*/\1/p" <<<"$2"; } # WORD LINE

# ---- a chain, as written by PETSc and CHOLMOD; trace and sum of squares from its springs ----

reference=$(awk 'BEGIN { n = split("410000.3 250000.7 171234.5678901 3.3e5 0.0625", k)
  for (i = 1; i <= n; i++) { d = k[i] + k[i + 1]; trace += d; squares += d*d + (i > 1 ? 2*k[i]*k[i] : 0) }
  printf "trace %.12g squares %.12g", trace, squares }')
for file in petsc:5e-6 cholmod:1e-12 cholmod-dense:1e-12; do
  name=${file%:*}.mtx
  cp "$source_dir/tests/data/matrix/$name" .
  line=$("$info" "$name")
  report "$name is read, 5 x 5" "$(grep -q 'read; 5 x 5' <<<"$line" || echo "$line")"
  for word in trace squares; do near "$name: $word" "$(value $word "$line")" "$(value $word "$reference")" "${file#*:}"; done
done

# ---- broken ----

refused() { # TEXT PLACE WORDS FILE
  local line
  line=$("$info" "$4")
  report "$1" "$(grep -q "refused; $4:$2: .*$3" <<<"$line" || echo "$line")"
}
head -n 6 petsc.mtx >short.mtx
refused "cut short" 2 entries short.mtx
sed '4s/-/- /' cholmod.mtx >sign.mtx
refused "a sign on its own" 4 '' sign.mtx
sed '4s/^2/6/' cholmod.mtx >row.mtx
refused "a row too many" 4 'must be from 1 to 5' row.mtx
printf '1 1  1.714544496262146e+06\n1 2  5.059765363640073e+05\n' >coordinate.mtx
refused "COORDINATE of Abaqus, and what to write instead" 1 'FORMAT=MATRIX INPUT' coordinate.mtx

# ---- Matrix Market's own, where R's package Matrix is installed: counted here by awk ----

folder=/usr/lib/R/library/Matrix/external
if [[ -r $folder/lund_a.mtx ]]; then
  for name in lund_a pores_1; do
    cp $folder/$name.mtx .
    line=$("$info" $name.mtx)
    reference=$(awk 'NR == 1 { s = /symmetric/ } /^%/ { next } !n++ { next } { w = $1 == $2 || !s ? 1 : 2
      if ($1 == $2) trace += $3; squares += w*$3*$3 } END { printf "trace %.12g squares %.12g", trace, squares }' $name.mtx)
    for word in trace squares; do near "$name.mtx: $word" "$(value $word "$line")" "$(value $word "$reference")" 1e-11; done
  done
  cp $folder/wrong.mtx .
  refused "wrong.mtx" 3 'row 0 is outside' wrong.mtx
else
  echo "# skipped: matrices of Matrix Market, which come with Debian's r-cran-matrix"
fi

finish
