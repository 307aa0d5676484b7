#!/bin/bash
# Sub-structures: two blocks that are reduced one by one and put together answer as the same blocks
# reduced in one piece; from files they do so without the finite elements.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/../checks.sh"

materials='materials: {steel: {E: 2.1e11, nu: 0.3, rho: 7850}}'
one='one: {block: {size: [0.31, 0.052, 0.011], elements: [12, 4, 1]}, material: steel, points: {tip: [0, 0.026, 0]}}'
two='two: {block: {size: [0.31, 0.052, 0.011], at: [0.21, 0, -0.011], elements: [12, 4, 1]}, material: steel}'
spider='rbe3: area, patch: [0.06, 0.03], at: [[0.235, 0.026], [0.285, 0.026]]'
directions='x: {law: iwan4, F_S: 35.7, K_T: 1.7e7, chi: -0.4, beta: 1.3}, y: {law: linear, K: 3.1e7}, z: rigid, rx: rigid, ry: rigid'
# All fixed-interface modes below a frequency are those of both bodies together.
keep='cutoff: 9000, keep:'
analyses() { # TIP
  cat <<Y
loads: {push: {half_sine: {amplitude: 210, omega: 1300}, at: $1}}
analyses:
  - modes
  - transient: {loads: [push], time: {step: 2e-5, steps: 2000}, record: {channels: [$1, bolt.1.x.f]}}
  - backbone: {modes: [1, 3], methods: [qsma], amplitudes: {from: 1e-5, to: 1e-3, points: 12}}
Y
}
cat >whole.yaml <<Y
microslip: 1
structure:
  fe:
    $materials
    parts:
      $one
      $two
    spiders: {bolt: {$spider, between: [one.bottom, two.top]}}
    fix: {two.right: all}
  reduce: {craig_bampton: {$keep [bolt.*, one.tip.uz]}}
  damping: {modal: 1e-3}
joints:
  bolt.*: {$directions}
$(analyses one.tip.uz)
Y
cat >parts.yaml <<Y
microslip: 1
structure:
  substructures:
    a:
      fe: {$materials, parts: {$one}, spiders: {bolt: {$spider, on: one.bottom}}}
      reduce: {craig_bampton: {$keep [bolt.*, one.tip.uz]}}
    b:
      fe: {$materials, parts: {$two}, spiders: {bolt: {$spider, on: two.top}}, fix: {two.right: all}}
      reduce: {craig_bampton: {$keep [bolt.*]}}
  damping: {modal: 1e-3}
joints:
  bolt.*: {between: [a.bolt.*, b.bolt.*], $directions}
$(analyses a.one.tip.uz | sed 's/- modes/- modes: {vtu: [1]}/')
Y

same_answers() { # TEXT FOLDER
  same "$1: as many modes" "$(jq '.analyses[0].modes | length' "$2/summary.json")" "$(jq '.analyses[0].modes | length' whole/summary.json)"
  report "$1: every frequency, stuck and slipped, to 1e-9" "$(jq -r '.analyses[0].modes[] | [.omega_0, .omega_inf] | @tsv' whole/summary.json |
    paste - <(jq -r '.analyses[0].modes[] | [.omega_0, .omega_inf] | @tsv' "$2/summary.json") |
    awk '{ for (i = 1; i < 3; i++) { e = $(i + 2)/$i - 1; if (e < 0) e = -e; if (!(e <= 1e-9)) print "mode " NR ": " $(i + 2) ", reference " $i ", error " e } }')"
  # A ground that moves: what both bodies have of it, as one.
  report "$1: effective masses, to 1e-8 of the whole" "$(paste -d, whole/tables/modes_mass.csv "$2/tables/modes_mass.csv" |
    awk -F, -v total="$(jq '.analyses[0].effective_mass.total' "$2/summary.json")" -v want="$(awk 'BEGIN { printf "%.12g", 2*7850*0.31*0.052*0.011 }')" '
      NR > 1 { n = NF/2; for (c = 3; c <= 5; c++) { e = $(c + n) - $c; if (e*e > 1e-16*want^2) print "row " NR " column " c ": " $(c + n) ", reference " $c } }
      END { if (NR < 10 || (total/want - 1)^2 > 1e-18) print NR " rows, mass " total " of " want }')"
  # Displacement of the tip and force of a bolt over time, relative to the largest.
  for column in 2 3; do
    report "$1: transient, column $column, to 1e-8 of its largest" "$(paste -d, whole/tables/transient.csv "$2/tables/transient.csv" |
      awk -F, -v c=$column 'NR > 1 { n = NF/2; d = $(c + n) - $c; if (d < 0) d = -d; a = $c < 0 ? -$c : $c
        if (d > worst) worst = d; if (a > largest) largest = a }
        END { if (!(NR > 1000 && largest > 0 && worst <= 1e-8*largest)) print NR " rows, difference " worst ", largest " largest }')"
  done
  report "$1: backbone, omega and zeta to 1e-8" "$(paste -d, whole/tables/backbone.csv "$2/tables/backbone.csv" |
    awk -F, 'NR > 1 { n = NF/2; for (c = 4; c <= 6; c++) { e = $(c + n)/$c - 1; if (e < 0) e = -e; if (!(e <= 1e-8)) print "row " NR " column " c ": " $(c + n) ", reference " $c } }
      END { if (NR != 25) print NR " rows" }')"
}
runs "in one piece: runs" whole.yaml whole
runs "in two: runs" parts.yaml parts
same_answers "in two" parts
# The bolts do slip: otherwise little was compared.
within "largest force of a bolt over F_S" "$(awk -F, 'NR > 1 { f = $3 < 0 ? -$3 : $3; if (f > m) m = f } END { print m/35.7 }' whole/tables/transient.csv)" 0.5 1
report "a picture of each" "$(xmllint --noout parts/modes_a.vtu parts/modes_b.vtu 2>&1)"
for word in 'Sub-structure a:' 'Sub-structure b:' 'a.bolt.1'; do
  report "report.html has $word" "$(grep -qF "$word" parts/report.html || echo missing)"
done

# ---- from files, and one of each ----
cat >files.yaml <<Y
microslip: 1
structure:
  substructures: {a: {reduced: parts/reduced_a.h5}, b: {reduced: parts/reduced_b.h5}}
  damping: {modal: 1e-3}
joints:
  bolt.*: {between: [a.bolt.*, b.bolt.*], $directions}
$(analyses a.one.tip.uz)
Y
report "from files: runs without the plugin" "$(MICROSLIP_FEM_PLUGIN=/nowhere.so "$microslip" run files.yaml --out files 2>error >/dev/null || cat error)"
same_answers "from files" files
report "from files: the same as before, byte for byte" "$(cmp parts/tables/transient.csv files/tables/transient.csv 2>&1)"
runs "one file: runs" parts.yaml mixed --set 'structure.substructures.b={reduced: parts/reduced_b.h5}'
report "one file: the same" "$(cmp parts/tables/transient.csv mixed/tables/transient.csv 2>&1)"
sed '/substructures:/s/.*/  reduced: parts\/reduced.h5/' files.yaml >assembled.yaml
runs "the whole in a file: runs" assembled.yaml assembled
report "the whole in a file: the same" "$(cmp parts/tables/transient.csv assembled/tables/transient.csv 2>&1)"

# ---- checked ----
n=$(jq '.analyses[0].modes | length' whole/summary.json)
modal=$(awk -F, 'NR > 1 && $1 == 1 && $2 ~ /q[0-9]+$/' whole/tables/modes_shapes.csv | wc -l)
for name in whole parts; do
  same "check of $name: coordinates but for the modes" "$("$microslip" check $name.yaml)" "$name.yaml: valid; $((n - modal)) degrees of freedom and modes below the cut-off, 2 joints, 3 analyses"
done
same "check of files: all of them" "$("$microslip" check files.yaml)" "files.yaml: valid; $n degrees of freedom, 2 joints, 3 analyses"
refused() { # TEXT LINE:COLUMN WORDS SED
  sed "$4" parts.yaml >broken.yaml
  refused_at "refused: $1" broken.yaml "$2" "$3"
}
refused "a full model" 15:19 "sub-structures have no full model" 's/vtu: \[1\]/full: 3/'
refused "no reduction" 5:12 "finite elements need 'reduce' beside 'fe'" '6d'
refused "a name" 4:5 "a sub-structure's name is" 's/^    a:/    a b:/'
refused "a key" 9:7 "a sub-structure has no key 'reduces'" '9s/reduce:/reduces:/'
refused "a joint to another" 12:22 "'c.bolt.*' matches no kept node" 's/a\.bolt\.\*, b/c.bolt.*, b/'
refused "inside a sub-structure" 8:171 "there is no material 'stele'" '8s/material: steel/material: stele/'

# ---- free, with all directions of the bolts held: six modes at rest, and no mechanism beside them ----
sed 's/, fix: {two.right: all}//; s/ry: rigid/ry: rigid, rz: rigid/; /^loads/d; /- transient/d; /- backbone/d' parts.yaml >loose.yaml
runs "free: runs" loose.yaml loose
same "free: modes at rest" "$(jq '[.analyses[0].modes[] | select(.omega_0 == 0)] | length' loose/summary.json)" 6
same "free: mechanisms" "$(jq -r '.. | .notes? // empty | .[]?' loose/summary.json | grep mechanism)" ''

finish
