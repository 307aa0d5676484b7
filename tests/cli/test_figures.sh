#!/bin/bash
# Figures as files: SVG and PDF of a width and a type size, and their points; what is refused before a run.
source "$(dirname "$0")/checks.sh"
# What fontconfig and glib keep until the end is not ours to free.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
sed '/^analyses:/,$d' "$source_dir/examples/three-mass/study.yaml" >study.yaml
cat >>study.yaml <<'YAML'
analyses:
  - backbone: {methods: [qsma], amplitudes: {2: {from: 0.02, to: 4200, points: 12}}}
YAML
size() { sed -nE '2s/.* width="([^"]*)" height="[^"]*" viewBox="0 0 ([0-9.]*) .*/\1 \2/p' "$1"; }

# ---- SVG ----
runs "as they are" study.yaml plain --figures
same "SVG and points" "$(cd plain/figures && echo *-1.*)" 'backbone-1.csv backbone-1.svg'
runs "type of a width alone" study.yaml unsaid --figures --figure-width 90mm
runs "... is of 9 pt" study.yaml nine --figures --figure-width 90mm --figure-font 9pt
same "... which is the same" "$(cmp unsaid/figures/backbone-1.svg nine/figures/backbone-1.svg 2>&1)" ''
runs "for a column" study.yaml narrow --figures --figure-width 90mm --figure-font 8pt
check "XML" xmllint --noout narrow/figures/backbone-1.svg
# 90 mm of type 8 pt high, which is 12 px in the drawing: 90/25.4*72*12/8 px
same "so wide" "$(size narrow/figures/backbone-1.svg | awk '{ print $1, int($2 + 0.5) }')" '90mm 383'
runs "in inches" study.yaml wide --figures --figure-width=7in --figure-font=8
same "so wide" "$(size wide/figures/backbone-1.svg | awk '{ print $1, int($2 + 0.5) }')" '177.8mm 756'
# laid out anew, not scaled: panels below each other, where the wide one has them side by side
rows() { grep -o '<g transform="translate([0-9.]* [0-9.]*)">$' "$1" | sed 's/.* \([0-9.]*\)).*/\1/' | sort -u | wc -l; }
report "panels below each other" "$( (($(rows narrow/figures/backbone-1.svg) > $(rows wide/figures/backbone-1.svg))) ||
  echo "rows: $(rows narrow/figures/backbone-1.svg), $(rows wide/figures/backbone-1.svg)")"
same "the same points, whatever the width" "$(cmp narrow/figures/backbone-1.csv wide/figures/backbone-1.csv 2>&1)" ''

# ---- points ----
csv=plain/figures/backbone-1.csv
like "headings with units" "$(head -n 1 $csv)" 'panel,curve,"*"*\[*\]*'
same "as many cells in every row" "$(sed 's/"[^"]*"//g' $csv | awk -F, '{ print NF }' | sort -u | wc -l)" 1
# points RUN: x and y of the damping of mode 2; table_rows: those of the table, which is in the same units where --display is given
points() { grep '^"Mode 2, damping"' "$1/figures/backbone-1.csv" | sed 's/"[^"]*"//g' | cut -d, -f3,5; }
table_rows() { columns "$1/tables/backbone.csv" mode q zeta | awk '$1 == 2 { print $2 "," $3 }'; }
like "units of the report: Hz, %" "$(head -n 1 $csv)" '*"f \[Hz\]","ζ \[%\]"'
same "the points are those of the table" "$(paste -d, <(points plain) <(table_rows plain) |
  awk -F, '{ d = $2/(100*$4) - 1 } $1 != $3 || d*d > 1e-28')" ''
report "and there are such" "$( (($(points plain | wc -l) == 12)) || points plain)"
for words in rad,ratio,modal hz,q,velocity@u3 percent,g@u1; do
  runs "--display $words" study.yaml shown --figures=svg --display "$words"
  same "$words: points and table are in one unit" "$(points shown)" "$(table_rows shown)"
done
like "g: figure" "$(head -n 1 shown/figures/backbone-1.csv)" '*"acceleration at u1 \[g\]","f \[Hz\]","ζ \[%\]"'
like "g: picture" "$(cat shown/figures/backbone-1.svg)" '*acceleration at u*'

# ---- PDF ----
if [[ -e $build_dir/libmicroslip_pdf.so ]]; then
  runs "PDF" study.yaml pdf --figures=pdf --figure-width 90mm --figure-font 8pt
  same "PDF and points" "$(cd pdf/figures && echo *-1.*)" 'backbone-1.csv backbone-1.pdf'
  runs "both" study.yaml both --figures=svg,pdf --figure-width 90mm --figure-font 8pt
  same "all" "$(cd both/figures && echo *-1.*)" 'backbone-1.csv backbone-1.pdf backbone-1.svg'
  check "the same bytes" cmp pdf/figures/backbone-1.pdf both/figures/backbone-1.pdf
  check "... of the SVG, too" cmp narrow/figures/backbone-1.svg both/figures/backbone-1.svg
  if command -v pdffonts >/dev/null; then
    same "fonts are embedded" "$(pdffonts pdf/figures/backbone-1.pdf | awk 'NR > 2 && !/ yes yes /')" ''
    report "there are fonts" "$( (($(pdffonts pdf/figures/backbone-1.pdf | wc -l) > 2)) || echo none)"
    within "width, pt" "$(pdfinfo pdf/figures/backbone-1.pdf | awk '/^Page size/ { print $3 }')" 255.0 255.2
    like "text is text" "$(pdftotext pdf/figures/backbone-1.pdf -)" '*f \[Hz\]*'
    same "no date" "$(pdfinfo pdf/figures/backbone-1.pdf | grep Date)" ''
  fi
  check "again, as SVG" "$microslip" run study.yaml --out both --figures
  same "what an earlier run has left goes" "$(cd both/figures && echo *-1.*)" 'backbone-1.csv backbone-1.svg'
  check "comparisons" "$microslip" compare plain narrow --to compared --figures=pdf --figure-width 140mm
  same "their figures" "$(cd compared/figures && echo *-1.*)" 'backbone-1.csv backbone-1.pdf'
fi

# ---- refused before anything is run ----
refused() { # TEXT PATTERN OPTION...
  "$microslip" run study.yaml --out refused "${@:3}" >out 2>error
  local code=$?
  report "refused: $1" "$([[ $code == 2 && $(wc -l <error) == 1 && $(cat error) == $2 && ! -e refused ]] || echo "exit code $code: $(cat error)")"
}
export MICROSLIP_PDF_PLUGIN=$temp/none.so
refused "no plugin" '*PDF: *none.so*' --figures=pdf
unset MICROSLIP_PDF_PLUGIN
cp "$microslip" alone
"$temp/alone" run study.yaml --out refused --figures=pdf >out 2>error
same "an installation without it: exit code" "$?" 2
like "... and what is missing" "$(cat error)" '*PDF is not part of this installation*librsvg2-dev*'
refused "a kind" '*--figures=png: figures are written as svg, pdf or svg,pdf*' --figures=png
refused "no kind" '*--figures=:*' --figures=
refused "a width without figures" '*--figure-width is for figures: give --figures, too*' --figure-width 90mm
refused "a unit" '*--figure-width 90px: this is not a length such as 90mm*' --figures --figure-width 90px
refused "too narrow" '*there may be 20 to 1000 mm*' --figures --figure-width 5mm
refused "type that nobody can read" '*there may be 4 to 40 pt*' --figures --figure-font 1pt
finish
