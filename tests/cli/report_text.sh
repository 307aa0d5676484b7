#!/bin/bash
# report_text.sh REPORT.html: what a reader sees of a report. Text without tags, a line for each part of the page; of a table the
# heading and the first row; of a drawing what it says of its first two panels; of the data of figures labels, units and choices of four
# panels with three curves each, and of each list of numbers its length, largest size, and over this the first, the last and the mean. Left out is what counts
# rounding (cells of residuals and evaluations, lists below 1e-9, the error of the energy balance), the study itself, and lines that are there
# already. Numbers in the data have six digits, so that lines are cut where they were on another processor.
awk '
  /<body/ { body = 1 }
  !body { next }
  /<script type="application\/json"/ { json = 1; print "{\"data\":"; next }
  /<script|<style|<pre/ { skip = 1 }
  json && /<\/script>/ { json = 0; print "}"; next }
  json { print; next }
  /<svg/ { svg++ }
  /<desc>/ { desc = 1; described = 0 }
  desc && ++described > 2 { if (/<\/desc>/) desc = 0; next }
  svg && !desc { if (/<\/svg>/) svg -= gsub(/<\/svg>/, ""); next }
  /<thead/ { head = 1 }
  /<tbody/ { rows = 0; table = 1; head = 0 }
  table && /<tr/ && ++rows > 1 { hidden = 1 }
  /<\/tbody|<\/table/ { table = hidden = 0 }
  !skip && !hidden {
    text = $0
    n = gsub(/<\/t[hd]>/, " ;", text)
    gsub(/<sub>/, "_", text); gsub(/<sup>/, "^", text); gsub(/<\/(dt|a|h[1-6]|b)>/, "& ", text)
    gsub(/<i><\/i>/, " ", text); gsub(/<[^>]*>/, "", text); gsub(/[ \t]+/, " ", text); gsub(/[0-9]+[.][0-9]+[.][0-9]+/, "VERSION", text)
    if (text ~ /(residual of Newton|relative residual of|cosine|last step|evaluations|iterations).*[^a-z][0-9]/ && !svg && n == 0) sub(/ [−0-9.]+(×10\^−?[0-9]+)?( [^ ]*)?$/, " ...", text)
    gsub(/residuals below [0-9.e-]+/, "residuals below ...", text)
    if (text ~ /Error of the energy balance/) text = ""
    if (n > 1) {
      split(text, cell, " ;"); text = ""
      for (i = 1; i <= n; i++) {
        if (head) rounding[i] = cell[i] ~ /residual|evaluations|iterations|gradient|rounding/
        if (rounding[i]) { if (head) sub(/ 10\^.*/, "", cell[i]); else cell[i] = " ..." }
        text = text cell[i] " ;"
      }
    }
    if (text !~ /^ ?$/) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); print "\"" text "\"" }
  }
  /<\/desc>/ { desc = 0 }
  /<\/script>|<\/style>|<\/pre>/ { skip = 0 }' "$1" | jq -r '
  def digits: if . == floor and fabs < 1e6 then tojson else (fabs | log10 | floor) as $e | "\(. * pow(10; 5 - $e) | round)e\($e - 5)" end;
  def of_numbers: (map(fabs) | max) as $most | "\(length) x \(if $most < 1e-9 then 0 else $most | digits end)" +
    if $most < 1e-9 then "" else " " + ([.[0], .[-1], add/length] | map(. / $most * 1e6 | round / 1e6 | tostring) | join(" ")) end;
  def short: if type == "array" then
      if length > 0 and all(.[]; type == "number") then "[" + of_numbers + "]" else "[" + (map(short) | join(", ")) + "]" end
    elif type == "object" then "{" + (del(.omega) | to_entries | map("\(.key) " + (.value | short)) | join(", ")) + "}"
    elif type == "string" and length > 60 and (contains(" ") | not) then "\(length) characters"
    elif type == "number" then digits else tojson end;
  (if type == "string" then .
  else .data | if type == "object" and has("panels") then
      "figure " + (del(.panels) | short), (.panels[:4][] | "  panel " + (del(.series) | short), ((.series // [])[:3][] | "    " + short)),
      "  \(.panels | length) panels, \([.panels[] | (.series // []) | length] | tojson) curves"
    else "data " + short end end) | .[:400]' | awk '!seen[$0]++'
