#!/bin/bash
# The manual: the smallest study of every analysis runs, and what the pages have of generated text (purpose, study,
# keys, tables, lists) is what scripts/manual.sh makes today. Any row that is missing, or a page, is noticed.
source "$(dirname "$0")/checks.sh"
[[ -f $build_dir/libmicroslip_fem.so ]] || skip "contact needs the finite elements"

# ---- the studies ----
analyses=$(sed -nE 's/^MS_ANALYSIS\((.*)\)$/\1/p' "$source_dir/src/study/analyses.def")
for name in $analyses; do
  "$microslip" new "$name" >"$name.yaml"
  fault=$("$microslip" run - --out "results/$name" <"$name.yaml" 2>&1) && fault=
  report "new $name | run -" "$fault"
  summary=results/$name/summary.json
  same "$name: how it ends" "$(jq -r '.status' "$summary") $(jq -r '.analyses[-1].kind' "$summary")" "complete $name"
  same "$name: columns without a meaning" "$(without_meaning "results/$name")" ''
  same "$name: answers" "$(jq '.analyses[-1].answers | length > 0' "$summary")" true
  # The figure at the head of the report has a caption; modes of a chain may be without one.
  caption=$(sed -n '/<div id="featured">/,/<.figcaption>/p' "results/$name/report.html" | grep -o 'class="caption">[^<]*' || true)
  [[ $name == modes ]] || report "$name: caption of the featured figure" "$([[ ${#caption} -gt 40 ]] || echo "'$caption'")"
  # Every key of the table is there, as a value or as a comment.
  same "$name: keys" "$("$microslip" help --markdown "$name" | awk '
    NR == FNR { text = text $0 "\n"; next }
    /^\| `[a-zA-Z_]+` / { split($0, part, "`"); if (text !~ "(\n +# |[ {])" part[2] ":") print part[2] }' "$name.yaml" -)" ''
done

# ---- the pages ----
copy() { # FOLDER: of the pages with generated text
  mkdir -p "$1/guide"
  cp "$source_dir/docs/guide/study.md" "$1/guide"
  cp -r "$source_dir/docs/analyses" "$1"
}
has() { # PAGE KIND NAME
  grep -qx "<!-- $2 of $3 -->" "$1" || echo "$(basename "$1") has no part '$2 of $3'"
}
missing() { # DOCS: pages and generated parts that must be there
  local name kind
  for name in $analyses; do
    [[ -f $1/analyses/$name.md ]] || { echo "no page of $name" && continue; }
    for kind in purpose study keys tables; do has "$1/analyses/$name.md" $kind "$name"; done
    for kind in 'Smallest study' Keys Results Status Pitfalls; do
      grep -qx "## $kind" "$1/analyses/$name.md" || echo "$name.md has no section '$kind'"
    done
    sed '/^## By name/,$d' "$1/analyses/README.md" | grep -qF "[$name]($name.md)" || echo "no task leads to $name"
  done
  for name in analyses laws loads; do has "$1/analyses/README.md" list "$name"; done
  for name in $("$microslip" help | tr "\n" " " | sed "s/.*Study file:\(.*\)Analyses:.*/\1/"); do
    has "$1/guide/study.md" keys "$name"
  done
}
# unlike REFERENCE PAGE: "differs" if it does; with `each`, the rows of generated parts that can be deleted without
# that, and the number of rows.
unlike() { # REFERENCE PAGE [each]
  awk -v each="${3-}" '
    function differs(without,   i, k) {
      for (i = 1; i <= n; i++) if (i != without && line[i] != reference[++k]) return 1
      return k != m
    }
    NR == FNR { reference[++m] = $0; next }
    { line[++n] = $0 }
    END {
      if (!each) { if (differs(0)) print "differs"; exit }
      for (i = 1; i <= n; i++) {
        if (line[i] == "<!-- end -->") inside = 0
        if (inside && line[i] != "" && ++rows && !differs(i)) print "not noticed: " line[i]
        if (line[i] ~ /^<!-- .* of .* -->$/) inside = 1
      }
      print rows + 0
    }' "$1" "$2"
}

copy made
check "manual.sh" "$source_dir/scripts/manual.sh" "$build_dir" made results
same "no page and no part is missing" "$(missing "$source_dir/docs")" ''
rows=0
for page in guide/study.md $(cd made && echo analyses/*.md); do
  fault=
  [[ -z $(unlike "made/$page" "$source_dir/docs/$page") ]] || fault=$(diff "made/$page" "$source_dir/docs/$page")
  report "$page is what manual.sh writes" "$fault"
  deleted=$(unlike "made/$page" "$source_dir/docs/$page" each)
  same "... and every row of it is missed" "$(sed '$d' <<<"$deleted")" ''
  rows=$((rows + $(tail -n 1 <<<"$deleted")))
done
within "rows that were deleted, one at a time" $rows 1000 100000

# What manual.sh writes does not depend on what is there.
copy emptied
sed -i '/^<!-- .* of .* -->$/,/^<!-- end -->$/{/^<!--/!d}' emptied/*/*.md
report "the generated parts are gone" "$(grep -rhE '^\| `name` |microslip: 1$' emptied/analyses)"
check "manual.sh fills them in" "$source_dir/scripts/manual.sh" "$build_dir" emptied results
same "... as before" "$(diff -r made emptied)" ''

copy less
rm less/analyses/sweep.md
sed -i '/^<!-- keys of frf -->$/,/^<!-- end -->$/d' less/analyses/frf.md
sed -i 's/^.*(stepped_sine.md) |$//' less/analyses/README.md
same "a page, a part or a task that is not there" "$(missing less)" 'no page of sweep
frf.md has no part '"'keys of frf'"'
no task leads to stepped_sine'

finish
