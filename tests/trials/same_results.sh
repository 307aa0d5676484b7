#!/bin/bash
# usage: tests/trials/same_results.sh REFERENCE RESULTS
#
# Compares two folders of results, e.g. of one study by two versions of the program: every table (.csv), column by column, and every
# .json, key by key, where the entries of a list are the rows of a column. Numbers agree to 1e-9 (TOLERANCE) of the largest magnitude
# of their column in REFERENCE, everything else is the same text. A column is known by its name without the unit, except that two units
# must agree. Prints a line FILE:COLUMN: WHAT for each difference, also for tables, columns and rows that are missing or added; a
# missing and an added column with the same values are called renamed. Exit code 0: no difference; 1: some; 2: no results.
#
# Without arguments, as a trial, it compares a result with copies in which one thing is changed each.
# shellcheck disable=SC2016 # sed, awk and the inner bash have dollars of their own
set -u
tolerance=${TOLERANCE:-1e-9}

# A table or a JSON file as lines: column, unit, row and value, between tabs.
flatten() { # FILE
  case $1 in
  *.json)
    jq -r '. as $all | paths(if type == "object" or type == "array" then length == 0 else true end) as $p |
      (if $p[0] == "analyses" and ($p | length) > 1 then 2 else 0 end) as $head |    # each analysis has columns of its own
      [([if $head > 0 then "analyses", ($all.analyses[$p[1]].name? // $p[1]) else empty end,
         ($p[$head:][] | if type == "number" then "[]" else . end)] | map(tostring) | join(".")), "",
       ([$p[$head:][] | select(type == "number") | tostring] | join(",") | if . == "" then "-" else . end), (getpath($p) | tojson)] |
      map(gsub("[\t\n]"; " ")) | join("\t")' "$1"
    ;;
  *)
    awk '
      function split_line(line,    n, text, quoted) {            # "a, b",c: two cells
        n = 0
        while (1) {
          quoted = line ~ /^"/
          if (quoted) match(line, /^"([^"]|"")*"/); else match(line, /^[^,]*/)
          text = substr(line, 1, RLENGTH)
          cell[++n] = quoted ? substr(text, 2, length(text) - 2) : text
          line = substr(line, RLENGTH + 1)
          if (line !~ /^,/) return n
          line = substr(line, 2)
        }
      }
      { sub(/\r$/, ""); n = split_line($0) }
      NR == 1 {
        n_columns = n
        for (i = 1; i <= n; i++) {
          unit[i] = ""
          if (match(cell[i], / \[[^]]*\]$/)) {
            unit[i] = substr(cell[i], RSTART + 2, RLENGTH - 3)
            cell[i] = substr(cell[i], 1, RSTART - 1)
          }
          name[i] = cell[i] (seen[cell[i]]++ ? "#" seen[cell[i]] : "")
        }
        next
      }
      { for (i = 1; i <= n; i++) print (i <= n_columns ? name[i] : "cell " i) "\t" unit[i] "\t" NR - 1 "\t" cell[i] }
      END { if (NR == 1) for (i = 1; i <= n_columns; i++) print name[i] "\t" unit[i] "\t0\tno rows" }' "$1"
    ;;
  esac
}

compare() { # FILE: prints the differences
  awk -F '\t' -v file="$1" -v tol="$tolerance" '
    function is_number(x) { return x ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
    function abs(x) { return x < 0 ? -x : x }
    # Error of b beside a, in parts of scale; -1 for words that are not the same.
    function error(a, b, scale) {
      if (a "" == b "") return 0
      if (!is_number(a) || !is_number(b)) return -1
      return a - b == 0 ? 0 : scale > 0 ? abs(a - b)/scale : 1e300
    }
    function compare_columns(p, q,    k, r, e, worst, words, at, n_bad, gone, more, what) { # "" where they agree, or what differs
      if (unit[1, p] != "" && unit[2, q] != "" && unit[1, p] != unit[2, q]) return "unit was " unit[1, p] ", now " unit[2, q]
      for (k = n[2, q]; k > 0; k--) if (!((1, p, row[2, q, k]) in value)) more = row[2, q, k]
      for (k = 1; k <= n[1, p]; k++) {
        r = row[1, p, k]
        if (!((2, q, r) in value)) { if (gone == "") gone = r; continue }
        e = error(value[1, p, r], value[2, q, r], largest[p])
        if (e < 0 || e > tol) n_bad++
        if (e < 0 && words == "") words = r
        if (e > worst) { worst = e; at = r }
      }
      what = ""
      if (gone != "" || more != "")
        what = "; " n[1, p] " rows were, now " n[2, q] (gone != "" ? ", without " gone : "") (more != "" ? ", with " more : "")
      if (words != "")
        what = what "; " n_bad " of " n[1, p] " differ, row " words ": was " value[1, p, words] ", now " value[2, q, words]
      else if (n_bad)
        what = what sprintf("; %d of %d differ, by up to %.2g of the largest, %.6g, row %s: was %s, now %s", n_bad, n[1, p], worst,
                            largest[p], at, value[1, p, at], value[2, q, at])
      return substr(what, 3)
    }
    {
      if (!((side, $1) in n)) { column[side, ++n_columns[side]] = $1; n[side, $1] = 0 }
      row[side, $1, ++n[side, $1]] = $3; value[side, $1, $3] = $4; unit[side, $1] = $2
      if (side == 1 && is_number($4) && abs($4) > largest[$1]) largest[$1] = abs($4)
    }
    END {
      for (i = 1; i <= n_columns[1]; i++) {
        p = column[1, i]
        if (!((2, p) in n)) continue
        what = compare_columns(p, p)
        if (what != "") print file ":" p ": " what
      }
      for (i = 1; i <= n_columns[1]; i++) {
        p = column[1, i]
        if ((2, p) in n) continue
        what = "missing"
        for (j = 1; j <= n_columns[2]; j++) {
          q = column[2, j]
          if (((1, q) in n) || q in taken || compare_columns(p, q) != "") continue
          taken[q]; what = "renamed " q
          break
        }
        print file ":" p ": " what
      }
      for (j = 1; j <= n_columns[2]; j++) {
        q = column[2, j]
        if (!((1, q) in n) && !(q in taken)) print file ":" q ": added"
      }
    }' side=1 <(flatten "$reference/$1") side=2 <(flatten "$results/$1")
}

list() { (cd "$1" && find . -name '.?*' -prune -o -type f \( -name '*.csv' -o -name '*.json' \) -print | sed 's,^\./,,' | LC_ALL=C sort); }

compare_folders() { # REFERENCE RESULTS
  local reference=$1 results=$2 files differences
  files=$(list "$reference")
  [[ -n $files && -d $results ]] || { echo "no results in $reference, or no folder $results" >&2; return 2; }
  differences=$(
    LC_ALL=C comm -23 <(echo "$files") <(list "$results") | sed 's/$/: missing/'
    LC_ALL=C comm -13 <(echo "$files") <(list "$results") | sed 's/$/: added/'
    LC_ALL=C comm -12 <(echo "$files") <(list "$results") | while read -r file; do
      cmp -s "$reference/$file" "$results/$file" || compare "$file"
    done
  )
  [[ -z $differences ]] || { echo "$differences"; return 1; }
}

if [[ $# == 2 ]]; then
  compare_folders "$1" "$2"
  exit
elif [[ $# != 0 ]]; then
  sed -n '2s/^# //p' "$0" >&2
  exit 2
fi

source "$(dirname "$0")/../cli/checks.sh"
script=$source_dir/tests/trials/same_results.sh
mkdir was now
cat >was/table.csv <<'END'
mode,f [Hz],zeta,method,note
1,1.0123456789012345,1e-3,qsma,"stuck, and slipped"
2,102.35,1e-14,epmc,
3,-2047.25,2e-14,epmc,nan
END
cat >was/summary.json <<'END'
{"status": "complete", "modes": [{"f": 1.0123456789012345, "kept": true}, {"f": 102.35, "kept": false}], "list": [],
 "analyses": [{"name": "hits", "value": [2.25, 3.25]}, {"name": "fit", "value": [4.125e6]}]}
END

differences() { # FILE SED-SCRIPT: what the comparison says of a copy that sed changed
  rm -r now && cp -r was now && sed -i "$2" "now/$1" && "$script" was now
}
same "a copy has no difference" "$(differences table.csv '')" ''
same "a number, by 5e-10 of the largest" "$(differences table.csv 's/102.35/102.350001/')" ''
same "a number, by 5e-9 of the largest" "$(differences table.csv 's/102.35/102.35001/')" \
  'table.csv:f: 1 of 3 differ, by up to 4.9e-09 of the largest, 2047.25, row 2: was 102.35, now 102.35001'
same "the largest itself, its sign" "$(differences table.csv 's/-2047.25/2047.25/')" \
  'table.csv:f: 1 of 3 differ, by up to 2 of the largest, 2047.25, row 3: was -2047.25, now 2047.25'
same "a number that is rounding beside the largest" "$(differences table.csv 's/2e-14/-7e-14/')" ''
same "a number that is none any more" "$(differences table.csv 's/102.35/nan/')" \
  'table.csv:f: 1 of 3 differ, row 2: was 102.35, now nan'
same "a word" "$(differences table.csv 's/qsma/rqnm/')" 'table.csv:method: 1 of 3 differ, row 1: was qsma, now rqnm'
same "words in quotes" "$(differences table.csv 's/and slipped/or slipped/')" \
  'table.csv:note: 1 of 3 differ, row 1: was stuck, and slipped, now stuck, or slipped'
same "a unit in one of them alone" "$(differences table.csv 's/zeta/zeta [1]/')" ''
same "another unit" "$(differences table.csv 's/Hz/rad\/s/')" 'table.csv:f: unit was Hz, now rad/s'
same "a row" "$(differences table.csv '$d' | head -n 1)" 'table.csv:mode: 3 rows were, now 2, without 3'
same "a row, and a number in another" "$(differences table.csv '2d; s/102.35/102.36/' | sed -n 2p)" \
  'table.csv:f: 3 rows were, now 2, without 3; 2 of 3 differ, by up to 1 of the largest, 2047.25, row 2: was 102.35, now -2047.25'
same "a column of another name" "$(differences table.csv 's/zeta/damping/')" 'table.csv:zeta: renamed damping'
same "a column of another name and value" "$(differences table.csv 's/zeta/damping/; s/1e-3/2e-3/')" \
  $'table.csv:zeta: missing\ntable.csv:damping: added'
same "columns in another order" "$(differences table.csv 's/^\([^,]*\),\([^,]*\)/\2,\1/')" ''
same "JSON: a number" "$(differences summary.json 's/102.35/102.36/')" \
  'summary.json:modes.[].f: 1 of 2 differ, by up to 9.8e-05 of the largest, 102.35, row 1: was 102.35, now 102.36'
same "JSON: a flag" "$(differences summary.json 's/false/true/')" \
  'summary.json:modes.[].kept: 1 of 2 differ, row 1: was false, now true'
same "JSON: a text" "$(differences summary.json 's/complete/suspect/')" \
  'summary.json:status: 1 of 1 differ, row -: was "complete", now "suspect"'
same "JSON: a number of one analysis" "$(differences summary.json 's/3.25/3.2500001/')" \
  'summary.json:analyses.hits.value.[]: 1 of 2 differ, by up to 3.1e-08 of the largest, 3.25, row 1: was 3.25, now 3.2500001'
same "JSON: a key of another name" "$(differences summary.json 's/list/entries/')" 'summary.json:list: renamed entries'
same "a file of another name" "$(differences table.csv '' && mv now/summary.json now/other.json; "$script" was now)" \
  $'summary.json: missing\nother.json: added'
check "the exit code says that there is a difference" bash -c '! "$1" was now' - "$script"
check "or none" "$script" was was
"$script" was nowhere 2>/dev/null
same "or that there is nothing to compare" $? 2
finish
