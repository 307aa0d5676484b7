#!/bin/bash
# Results on record of studies with finite elements (see ../reference.sh), and the files that only these write.
source "$(dirname "$0")/../reference.sh"

# digest_vtu FILE: of each array what results_dump says of a dataset.
digest_vtu() {
  local data type name start next format
  data=$(sed -n 's/^_//p' "$1")
  sed -n 's/.*type="\([^"]*\)" Name="\([^"]*\)".* offset="\([0-9]*\)".*/\1\t\2\t\3/p' "$1" >arrays
  while IFS=$'\t' read -r type name start; do
    next=$(awk -F '\t' -v start="$start" '$3 > start + 0 { print $3; exit }' arrays)
    case $type in Float64) format=f8 ;; Int64) format=d8 ;; Int32) format=d4 ;; *) format=u1 ;; esac
    base64 -d <<<"${data:start:${next:-${#data}}-start}" | od -A n -v -w8 -j 8 -t $format | awk -v path="$(basename "$1")/$name" '
      { for (i = 1; i <= NF; i++) { a = $i < 0 ? -$i : $i; if (a > most) most = a; if (!n) first = $i; sum += (n++ % 3 + 1)*$i; last = $i } }
      END { printf "%s\t\t%d\t%.12g\t%.12g\t%.12g\t%.12g\n", path, n, most, first, last, sum }'
  done <arrays
}
# momentum is a basis that may be turned, rounding an estimate.
digest_files() {
  local file
  for file in "$1"/reduced*.h5; do
    [[ ! -e $file ]] || "$build_dir/tests/results_dump" "$file" --digest | grep -vE '^(momentum|rounding)' | sed "s|^|$(basename "$file")/|"
  done
  for file in "$1"/*.vtu; do [[ ! -e $file ]] || digest_vtu "$file"; done
}
compare_studies "$source_dir/tests/data/studies/fem" "$@"
finish
