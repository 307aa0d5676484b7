#!/bin/bash
# update: springs, a clamp, a joint and masses found again from exact modes; pairs by shape where modes
# cross; what the modes do not say is said; lines to paste; the paths of --set; what is refused.
source "$(dirname "$0")/checks.sh"

# chain CLAMP SPRING K_T MASS
chain() {
  cat <<END
microslip: 1
title: Five masses
structure:
  chain:
    masses: {u1: 1.1, u2: 0.9, u3: $4, u4: 1.23, u5: 0.71}
    springs:
      clamp: {between: [ground, u1], k: $1}
      a: [u1, u2, 1.71e5]
      b: [u2, u3, $2] # a comment, 1
      c: [u3, u4, 3.7e4]
      d: [u4, u5, 9.1e4]
joints:
  lap: {law: iwan4, between: [u3, u4], F_S: 10, K_T: $3, chi: -0.5, beta: 5}
analyses:
END
}
truth=(3.17e5 1.43e5 7.7e4 1.37)
away=(2.5e5 1.7e5 9.9e4 1.21)
{ chain "${truth[@]}"; echo '  - modes'; } >truth.yaml
report "modes to be measured" "$(run_study truth)"
f=$(awk -F, 'NR > 1 { printf "%s%s", (NR > 2 ? ", " : ""), $4 }' truth/tables/modes.csv)
# shapes MODES COORDINATE...: a table of the first modes, a row each, shapes of any size and sign
shapes() {
  awk -F, -v most="$1" -v want="${*:2}" '
    FNR == NR { if (FNR > 1) f[$1] = $4; next }
    FNR > 1 { x[$1, $2] = $3 }
    END {
      n = split(want, name, " "); printf "f [Hz]"
      for (i = 1; i <= n; i++) printf ",%s", name[i]
      for (m = 1; m <= most; m++) {
        printf "\n%s", f[m]
        for (i = 1; i <= n; i++) printf ",%.15g", (1.7 - m)*x[m, name[i]]
      }
      printf "\n"
    }' truth/tables/modes.csv truth/tables/modes_shapes.csv
}

# ---- frequencies alone ----
unknown='structure.chain.springs.clamp.k: [1e5, 1e6], structure.chain.springs.b.2: [5e4, 5e5], joints.lap.K_T: [1e4, 1e6]'
{
  chain "${away[@]}" | sed 's/u3: 1.21/u3: 1.37/'
  echo "  - update: {parameters: {$unknown}, measured: {frequencies: [$f]}}"
} >order.yaml
report "from frequencies" "$(run_study order --threads 1)"
t=order/tables
near "clamp" "$(parameter $t/update.csv structure.chain.springs.clamp.k value)" 3.17e5 1e-6
near "spring" "$(parameter $t/update.csv structure.chain.springs.b.2 value)" 1.43e5 1e-6
near "K_T" "$(parameter $t/update.csv joints.lap.K_T value)" 7.7e4 1e-6
same "all are determined" "$(cut -d, -f5 $t/update.csv | tr '\n' ' ')" 'determined 1 1 1 '
near "start" "$(parameter $t/update.csv joints.lap.K_T start)" 9.9e4 1e-15
same "pairs by order, and it is said" "$(jq -r '.analyses[0].pairs' order/summary.json) $(grep -c 'by their order, because there are no shapes' order/report.html)" 'order 1'
same "no table of MAC" "$(ls $t | grep -c mac)" 0
report "two threads" "$("$microslip" run order.yaml --out two --threads 2 2>&1 >/dev/null)"
same "two threads give the same files" "$(diff -rq order two)" ''

# The lines in the report, put into the file, give a structure with these frequencies.
awk '/^# line [0-9]+$/ { n = $3; getline; print n "\t" $0 } /<pre[^>]*>(<code[^>]*>)?# line [0-9]+$/ { n = $NF; getline; print n "\t" $0 }' \
  order/report.html | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >lines
same "three lines to paste" "$(cut -f1 lines | tr '\n' ' ')" '7 9 13 '
awk -F'\t' 'FNR == NR { new[$1] = $2; next } { print((FNR in new) ? new[FNR] : $0) }' lines order.yaml |
  sed '$d' >pasted.yaml
echo '  - modes' >>pasted.yaml
same "a comment stays" "$(grep -c '# a comment, 1' pasted.yaml)" 1
report "with the lines pasted" "$(run_study pasted)"
report "its frequencies are the measured ones" "$(off "$(cut -d, -f4 pasted/tables/modes.csv | tail -n +2 | tr '\n' ' ')" "${f//,/}" 1e-8)"

# ---- with shapes: four unknowns from three modes ----
shapes 3 u1 u2 u4 u5 >measured.csv
{
  chain "${away[@]}"
  echo "  - update: {parameters: {$unknown, structure.chain.masses.u3: [0.5, 4]}, measured: measured.csv, shape_deviation: 0.05}"
} >shapes.yaml
report "with shapes" "$(run_study shapes)"
t=shapes/tables
near "clamp" "$(parameter $t/update.csv structure.chain.springs.clamp.k value)" 3.17e5 1e-6
near "spring" "$(parameter $t/update.csv structure.chain.springs.b.2 value)" 1.43e5 1e-6
near "K_T" "$(parameter $t/update.csv joints.lap.K_T value)" 7.7e4 1e-6
near "mass" "$(parameter $t/update.csv structure.chain.masses.u3 value)" 1.37 1e-6
same "MAC for every two modes" "$(($(wc -l <$t/update_mac.csv) - 1))" 15
within "MAC before" "$(cells $t/update_modes.csv 2 mac_start)" 0.9 0.99999
within "MAC after" "$(cells $t/update_modes.csv 2 mac)" 0.999999999 1
same "lines of the table" "$(cut -d, -f2 $t/update_modes.csv | tr '\n' ' ')" 'row 2 3 4 '
# The same as a universal file of shapes: the second sensor mounted against X, the third along Z; real
# modes, then complex modes (poles), turned by a phase.
universal() { # COMPLEX
  awk -F, -v complex="$1" 'NR == 1 { next }
    { w = 2*3.14159265358979*$1; z = 0.004; a = complex ? 0.6 : 1; b = complex ? 0.8 : 0
      printf "    -1\n    55\nmode\nNONE\nNONE\nNONE\nNONE\n"
      printf "%10d%10d%10d%10d%10d%10d\n", 1, complex ? 3 : 2, 3, 8, complex ? 5 : 2, 3
      if (complex) printf "%10d%10d%10d%10d\n%13.5e%13.5e%13.5e%13.5e%13.5e%13.5e\n", 2, 6, 0, NR - 1, -z*w, w*sqrt(1 - z*z), 1, 0, 1, 0
      else printf "%10d%10d%10d%10d\n%13.5e%13.5e%13.5e%13.5e\n", 2, 4, 0, NR - 1, $1, 1, z, 0
      for (node = 1; node <= 4; node++) {
        printf "%10d\n", 10*node
        for (d = 1; d <= 3; d++) {
          v = node == 3 ? (d == 3 ? $4 : 0) : d > 1 ? 0 : node == 2 ? -$3 : $(1 + node)
          printf "%13.5e", a*v
          if (complex) printf "%13.5e", b*v
        }
        printf "\n"
      }
      print "    -1" }' measured.csv
}
for complex in 0 1; do
  universal $complex >measured$complex.uff
  {
    chain "${away[@]}"
    cat <<END
  - update:
      parameters: {$unknown, structure.chain.masses.u3: [0.5, 4]}
      shape_deviation: 0.05
      measured: {file: measured$complex.uff, sensors: {u1: 10+X, u2: 20-X, u4: 30Z, u5: 40+X}}
END
  } >universal$complex.yaml
  report "a universal file of shapes, complex $complex" "$(run_study universal$complex)"
  for p in springs.clamp.k springs.b.2 masses.u3; do
    near "the same $p" "$(parameter universal$complex/tables/update.csv structure.chain.$p value)" "$(parameter $t/update.csv structure.chain.$p value)" 3e-4
  done
done
sed 's/, sensors.*}/}/' universal0.yaml >bad.yaml
refused_bad "10+X"
sed 's/20-X/20-W/' universal0.yaml >bad.yaml
refused_bad "u2: '20-W' is no node and direction, such as 12+Z"
sed 's/20-X/21-X/' universal0.yaml >bad.yaml
refused_bad 'has no value at node 21 in X'
sed 's/measured: {file/measured: {frequencies: [1], file/' universal0.yaml >bad.yaml
refused_bad 'measured has frequencies or a file'
# The same in the study, turned by a phase: complex shapes.
{
  chain "${away[@]}"
  echo "  - update:"
  echo "      parameters: {$unknown, structure.chain.masses.u3: [0.5, 4]}"
  echo "      shape_deviation: 0.05"
  awk -F, 'NR == 1 { for (i = 2; i <= NF; i++) name[i] = $i; n = NF; next }
    { f = f (NR > 2 ? ", " : "") $1; for (i = 2; i <= n; i++) {
        re[i] = re[i] (NR > 2 ? ", " : "") sprintf("%.15g", 0.6*$i); im[i] = im[i] (NR > 2 ? ", " : "") sprintf("%.15g", 0.8*$i) } }
    END { printf "      measured:\n        frequencies: [%s]\n        shapes:\n", f
      for (i = 2; i <= n; i++) printf "          %s: [%s]\n          %s.im: [%s]\n", name[i], re[i], name[i], im[i] }' measured.csv
} >complex.yaml
report "with complex shapes" "$(run_study complex)"
near "K_T" "$(parameter complex/tables/update.csv joints.lap.K_T value)" 7.7e4 1e-6
within "MAC after" "$(cells complex/tables/update_modes.csv 2 mac)" 0.999999999 1

# And in a table with a row for each sensor.
{
  echo 'coordinate,first,second,third'
  sed -nE 's/^          ([a-z0-9.]+): \[(.*)\]$/\1, \2/p' complex.yaml
} >sensors.csv
sed '/^        shapes:/,$d' complex.yaml >sensors.yaml
echo '        shapes: sensors.csv' >>sensors.yaml
report "with shapes in a table of sensors" "$(run_study sensors)"
same "which gives the same" "$(diff complex/tables sensors/tables)" ''

# What --set has said holds in every evaluation: with a wrong mass another clamp is found.
"$microslip" run order.yaml --out other --set structure.chain.masses.u1=1.3 >out 2>error
same "with --set" "$? $(cat error)" '0 '
within "clamp of another mass" "$(parameter other/tables/update.csv structure.chain.springs.clamp.k value)" 4e5 5e5

# ---- modes that cross: two oscillators on one frame, in other units, not held ----
frame() { # K
  cat <<END
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  chain:
    masses: {frame: 3.1e-2, left: 1.3e-3, right: 0.9e-3}
    springs: [[frame, left, $1], [frame, right, 77]]
analyses:
END
}
{ frame 213; echo '  - modes'; } >truth.yaml
report "a free frame" "$(run_study truth)"
f3=$(awk -F, 'NR > 2 { printf "%s%s", (NR > 3 ? ", " : ""), $4 }' truth/tables/modes.csv)
shapes 3 frame left right | sed 2d >measured.csv
for pairs in measured.csv "{frequencies: [$f3]}"; do
  { frame 61; echo "  - update: {starts: 1, parameters: {structure.chain.springs.0.2: [20, 900]}, measured: $pairs}"; } >cross.yaml
  report "modes that cross" "$(run_study cross)"
  [[ $pairs == measured.csv ]] || continue
  near "by shape, the stiffness in N/mm" "$(parameter cross/tables/update.csv structure.chain.springs.0.2 value)" 213 1e-6
  same "pairs before and after" "$(cells cross/tables/update_modes.csv 0 mode_start mode) $(cells cross/tables/update_modes.csv 1 mode_start mode)" '3 2 2 3'
done

# ---- what the modes do not say; one unknown at several places ----
{
  chain "${away[@]}" | sed 's/u3: 1.21/u3: 1.37/; s/^      d: /      e: [u2, u3, 6.1e4]\n&/; s/1.7e5\]/8.2e4]/; s/3.7e4/2.96e4/; s/9.1e4/7.28e4/'
  cat <<END
  - update:
      name: both
      parameters: {structure.chain.springs.b.2: [2e4, 2e5], structure.chain.springs.e.2: [2e4, 2e5]}
      measured: {frequencies: [$f]}
      deviation: 0.01
  - update:
      name: group
      parameters:
        stiff: {at: [structure.chain.springs.c.2, structure.chain.springs.d.2], bounds: [1e4, 1e5]}
        structure.chain.springs.clamp.k: [1e5, 1e6]
        joints.lap.K_T: [1e4, 1e6]
      measured: {frequencies: [${f%,*}], modes: [1, 2, 3, 4]}
END
} >parallel.yaml
report "springs side by side" "$(run_study parallel)"
remarks=$(jq -r '.analyses[0].remarks' parallel/summary.json)
same "are not told apart" "$(grep -cE 'springs\.(b|e)\.2 and structure.chain.springs\.(b|e)\.2 can be traded' <<<"$remarks") $(cut -d, -f5 parallel/tables/both.csv | tr '\n' ' ')" '1 determined 0 0 '
near "a group is found again" "$(parameter parallel/tables/group.csv stiff value)" 3.7e4 1e-6
same "both of its places are in the report" "$(grep -cE '^      (c: \[u3, u4, 3(7000|6999)|d: \[u4, u5, 9(1000|0999))' parallel/report.html)" 2

# ---- the guide's study, its frequencies rounded ----
awk '/^```yaml$/ { on = 1; next } /^```$/ { on = 0 } on' "$source_dir/docs/guide/updating.md" >guide.yaml
report "the guide's study" "$(run_study guide)"
near "its clamp" "$(parameter guide/tables/update.csv structure.chain.springs.clamp.k value)" 3.17e5 0.005
near "its K_T" "$(parameter guide/tables/update.csv joints.lap.K_T value)" 7.7e4 0.002

# ---- paths ----
chain 2.6e5 1.43e5 7.7e4 1.37 >file.yaml
echo '  - modes' >>file.yaml
report "a number in the file" "$(run_study file)"
{ chain "${truth[@]}"; echo '  - modes'; } >truth.yaml
"$microslip" run truth.yaml --out set --set structure.chain.springs.clamp.k=2.6e5 >out 2>error
same "or by --set" "$? $(diff file/tables set/tables)" '0 '
sed 's/clamp: {between: \[ground, u1\], k: 3.17e5}/clamp: [ground, u1, 3.17e5]/; s/  lap:/  lap.1:/' truth.yaml >list.yaml
"$microslip" run list.yaml --out list --set structure.chain.springs.clamp.2=2.6e5 --set joints.lap.1.K_T=7.7e4 >out 2>error
same "an item of a list, a key with a point" "$? $(diff file/tables list/tables)" '0 '
"$microslip" run list.yaml --out list --set 'structure.chain.springs.clamp=[ground, u1, 2.6e5]' >out 2>error
same "a list in place of another" "$? $(diff file/tables list/tables)" '0 '
"$microslip" run list.yaml --out none --set structure.chain.springs.clamp.3=2.6e5 >out 2>error
same "an item that is not there" "$? $(grep -c "no 'structure.chain.springs.clamp' to set it in" error)" '2 1'
sed -i 's/, k: 3.17e5/, K: 3.17e5/' truth.yaml
same "a spring has its keys" "$("$microslip" check truth.yaml 2>&1 | grep -c "a spring has no key 'K'")" 1

# ---- refused ----
bad() { # PARAMETERS MEASURED [MORE]
  chain "${away[@]}"
  echo "  - update: {parameters: {$1}, measured: $2${3:+, $3}}"
}
one='joints.lap.K_T: [1e4, 1e6]'
bad "$unknown" '{frequencies: [18.9, 51.5]}' >bad.yaml
refused_bad '3 unknowns, but 2 measured frequencies'
bad "$one" '{frequencies: [18.9, -51.5]}' >bad.yaml
refused_bad 'measured mode 2 (row 2) has a frequency of -51.5 Hz'
bad "$one" '{frequencies: [51.5, 18.9]}' >bad.yaml
refused_bad 'measured mode 2 (row 2) is lower than the one before'
bad "$one" '{frequencies: [18.9], modes: [6]}' >bad.yaml
refused_bad 'is to be mode 6 of the model|1 to 5'
bad "$one" '{frequencies: [18.9, 51.4], modes: [2, 2]}' >bad.yaml
refused_bad 'rows 1 and 2 are both mode 2'
bad "$one" '{frequencies: [1, 2, 3, 4, 5, 6]}' >bad.yaml
refused_bad '6 modes were measured, but the model has 5'
bad "$one" '{frequencies: [18.9], shapes: {u1: [0.1], u7: [0.3]}}' >bad.yaml
refused_bad "u7"
bad "$one" '{frequencies: [18.9], shapes: {u1: [0.1], u2: [0.3, 0.2]}}' >bad.yaml
refused_bad 'u2: 2 numbers for 1 modes'
bad "$one" '{frequencies: [18.9], shapes: {u1: [0.1]}}' >bad.yaml
refused_bad 'one sensor'
bad "$one" '{frequencies: [18.9, 51.4], shapes: {u1: [0.1, 1], u2: [0.27, 0], u2.im: [0, 1], u5: [0.69, 0.03]}}' >bad.yaml
refused_bad 'measured mode without a mode|MAC below 0.5: 2 (row 2, 51.4 Hz; 0.'
bad "$one" '{frequencies: [18.9]}' 'shape_deviation: 0.1' >bad.yaml
refused_bad 'there are no measured shapes'
bad 'joints.lap.K_X: [1e4, 1e6]' '{frequencies: [18.9]}' >bad.yaml
refused_bad "'joints.lap.K_X' is not a path in this file"
bad 'joints.lap.law: [1e4, 1e6]' '{frequencies: [18.9]}' >bad.yaml
refused_bad "there is no number at 'joints.lap.law'"
bad 'title: [1, 2]' '{frequencies: [18.9]}' >bad.yaml
refused_bad "'title' is not part of the structure"
bad 'joints.lap.K_T: [1e5, 1e6]' '{frequencies: [18.9]}' >bad.yaml
refused_bad 'the file has 99000|not between'
bad 'joints.lap.K_T: [1e6, 1e4]' '{frequencies: [18.9]}' >bad.yaml
refused_bad 'the lower first'
bad "$one, more: {at: [joints.lap.K_T], bounds: [1e4, 1e6]}" '{frequencies: [18.9]}' >bad.yaml
refused_bad "'joints.lap.K_T' is unknown twice"
bad "$one" '{frequencies: [18.9]}' 'least_mac: 1.2' >bad.yaml
refused_bad 'least_mac must be >= 0 and <= 1, not 1.2'
printf 'f,u1,u2\n18.9,0.1,0.3\n-3,0.2,0.1\n' >table.csv
bad "$one" table.csv >bad.yaml
refused_bad 'measured mode 2 (row 3) has a frequency of -3 Hz'
printf 'hertz,u1,u2\n18.9,0.1,0.3\n' >table.csv
refused_bad "column 'f' (Hz) or 'omega'"
bad "$one" none.csv >bad.yaml
refused_bad 'none.csv'
bad "$one" '{frequencies: [18.9, 51.4], shapes: rows.csv}' >bad.yaml
printf 'at,a,b\nu1,0.1,0.2\nu9,0.3,0.1\n' >rows.csv
refused_bad "line 3 of the table|u9"
printf 'at,a\nu1,0.1\nu2,0.3\n' >rows.csv
refused_bad 'a column for each of the 2 modes'
bad "$one" '{frequencies: [18.9, 51.4], shapes: []}' >bad.yaml
refused_bad 'or the name of a table'

finish
