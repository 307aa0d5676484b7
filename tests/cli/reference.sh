# Results of studies against those on record: what test_reference.sh and fem/test_reference.sh have in common.
# NAME.expected beside NAME.yaml has a line for each result (see digest), NAME.report what the report says (see report_text.sh). A result that has changed is either an error or a change to
# explain: WRITE=1 bash tests/cli/test_reference.sh [NAME...] writes the record anew, and the difference is for the reviewer to
# read. A line `# apart: PATTERN: REASON` in a study leaves out the results whose line matches PATTERN.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/record.sh"
tolerance=1e-6 # of the largest value of a column: rounding differs between processors

digest_files() { :; } # FOLDER: for a test whose studies write further files
not_apart() { grep -vE "$(sed -n 's/^# apart: \([^:]*\):.*/\1/p' "$1" | paste -sd'|' | sed 's/^$/^$/')"; } # STUDY
# digest FOLDER STUDY: of every result path, unit, number of values, largest, first, last and a weighted sum, between tabs.
# Figures are drawn from the tables, and are left out.
digest() {
  {
    sed 's/^/terminal\t\t1\t0\t/' "$1.out"
    jq -r 'del(.microslip) | paths(type != "object" and type != "array") as $p | getpath($p) as $v |
      ["summary/" + ($p | map(tostring) | join("/")), "", 1, (if $v | type == "number" then $v else 0 end), $v] | @tsv' \
      "$1/summary.json" | sed "s|$(dirname "$2")/||g"
    "$build_dir/tests/results_dump" "$1/results.h5" --digest
    digest_files "$1"
  } | not_apart "$2" | grep -vE "^study/|^analyses/[^/]*/figures/|residual($|[^ ]| [^b])|evaluations|iterations"
}
# changed EXPECTED NOW: the lines that are not the same, where numbers may differ by the tolerance.
changed() {
  awk -F '\t' -v tol="$tolerance" '
    function is_number(x) { return x ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ }
    function differs(a, b, scale) {
      if (a == b) return 0
      if (!is_number(a) || !is_number(b)) return 1
      return (a > b ? a - b : b - a) > tol*scale
    }
    { key = $1 "\t" ++count[NR == FNR, $1] }
    NR == FNR { expected[key] = $0; next }
    !(key in expected) { print "added: " $0; next }
    {
      n = split(expected[key], was, "\t")
      bad = n != NF || was[2] != $2 || was[3] != $3
      for (i = 4; i <= NF && !bad; i++) bad = differs(was[i], $i, (i == 7 ? $3 : 1)*(was[4] > 0 ? was[4] : -was[4]))
      if (bad) print "was: " expected[key] "\nnow: " $0
      delete expected[key]
    }
    END { for (key in expected) print "gone: " expected[key] }' "$1" "$2"
}
# headers FOLDER: of every table its name and the header, without quotes.
headers() { awk 'FNR == 1 { name = FILENAME; gsub(/.*\/|[.]csv$/, "", name); gsub(/"/, ""); print name ": " $0 }' "$1"/tables/*.csv; }
# csv_apart FOLDER: tables whose columns and units are not those of columns.csv, or whose units are not those of results.h5.
csv_apart() {
  headers "$1" | LC_ALL=C sort >"$1.headers"
  diff "$1.headers" <(awk -F, 'NR > 1 && $1 != "" { gsub(/"/, ""); unit = $3 != "" ? " [" $3 "]" : ""
      text[$1] = text[$1] ($1 in text && text[$1] != "" ? "," : "") $2 unit }
    END { for (name in text) print name ": " text[name] }' "$1/columns.csv" |
    grep -Ff <(sed 's/: .*/: /' "$1.headers") | LC_ALL=C sort) || echo "tables and columns.csv"
  diff <(awk -F ': ' '{ while (match($0, / \[[^]]*\]/)) { print $1 substr($0, RSTART, RLENGTH); sub(/ \[[^]]*\]/, "") } }' "$1.headers" |
    LC_ALL=C sort) \
    <("$build_dir/tests/results_dump" "$1/results.h5" | sed -nE 's|^analyses/[^/]*/([^/]*)/.* (\[.+\])$|\1 \2|p' |
      grep -v '^values ' | LC_ALL=C sort) || echo "tables and results.h5"
}

# compare_studies FOLDER [NAME...]: runs every study of the folder, or these.
compare_studies() {
  local study name
  for study in "$1"/*.yaml; do
    name=$(basename "$study" .yaml)
    (($# == 1)) || [[ " ${*:2} " == *" $name "* ]] || continue
    "$microslip" run "$study" --out "$name" --progress 0 2>&1 | grep -v '^report: ' | sed "s|$1/||g" >"$name.out"
    report "$name: tables, columns.csv and results.h5 agree" "$(csv_apart "$name")"
    digest "$name" "$study" >"$name.now"
    [[ -z ${WRITE-} ]] || cp "$name.now" "$1/$name.expected"
    report "$name: results are those on record" "$(changed "$1/$name.expected" "$name.now")"
    bash "$source_dir/tests/cli/report_text.sh" "$name/report.html" | sed "s|$1/||g" | not_apart "$study" >"$name.text"
    on_record "$name: the report is that on record" "$1/$name.report" "$name.text"
  done
}
