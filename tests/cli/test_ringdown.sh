#!/bin/bash
# microslip ringdown: records in closed form, in every format, kind and unit; bad input.
# shellcheck disable=SC2016 # awk has dollars of its own
source "$(dirname "$0")/checks.sh"
export MICROSLIP=$microslip
record=$build_dir/tests/ring_record
mkdir records
cd records || exit 2

# ---- closed forms ----
# N DT A0 ALPHA C OMEGA KAPPA PHASE: A' = -alpha A - c A^2, psi' = omega (1 - kappa A)
linear='40000 0.0002 2.71e-4 0.3137 0 863.7 0 0.37'
varying='40000 0.0002 2.71e-4 0.3137 7e3 863.7 37 0.37'

# follows PARAMETERS SKIP TOL_A TOL_OMEGA TOL_ZETA FILE: rows but SKIP at each end against the closed form
follows() {
  awk -F, -v p="$1" -v skip="$2" -v ta="$3" -v to="$4" -v tz="$5" '
    function worse(old, value, want) { e = value/want - 1; if (e < 0) e = -e; return e > old ? e : old }
    BEGIN { split(p, v, " "); al = v[4]; c = v[5] }
    NR > 1 { n++; for (i = 1; i <= NF; i++) row[n, i] = $i }
    END {
      for (k = 1 + skip; k <= n - skip; k++) {
        t = row[k, 1]; grown = (1 - exp(-al*t))/al
        A = v[3]*exp(-al*t)/(1 + c*v[3]*grown); rate = al + c*A; omega = v[6]*(1 - v[7]*A)
        a = worse(a, row[k, 2], A); a = worse(a, row[k, 3], omega*A); a = worse(a, row[k, 4], omega^2*A)
        o = worse(o, row[k, 5], omega); o = worse(o, row[k, 6], omega/(8*atan2(1, 1)))
        z = worse(z, row[k, 7], rate/sqrt(rate^2 + omega^2))
      }
      printf "%d rows: amplitude %.3g (%g), omega %.3g (%g), zeta %.3g (%g)\n", n, a, ta, o, to, z, tz
      exit !(n > 2*skip + 5 && a <= ta && o <= to && z <= tz)
    }' "$6"
}

# make FILE FORM KIND FACTOR UNIT PARAMETERS
make() {
  # shellcheck disable=SC2086 # the parameters are words
  "$record" "$2" "$3" "$4" "$5" 12 $6 >"$1"
}
make linear.csv csv 0 1e-3 mm "$linear"
make ascii.uff ascii 2 9.80665 g "$linear"
make little.unv little 1 0.0254 in/s "$linear"
make big.uff big 2 1e-6 um/s^2 "$linear"
for file in linear.csv ascii.uff little.unv big.uff; do
  check "$file: runs" "$microslip" ringdown $file --segments 40 --csv ../out.csv
  check "$file: a linear decay, omega to 1e-6, zeta to 1e-4" follows "$linear" 0 5e-6 1e-6 1e-4 ../out.csv
  for method in stft crossings; do
    check "$file, $method: runs" "$microslip" ringdown $file --method $method --csv ../out.csv
    check "$file, $method: omega to 3e-6, zeta to 1e-4" follows "$linear" 0 5e-6 3e-6 1e-4 ../out.csv
  done
done

make mm.csv csv 0 1e-3 mm "$varying"
make ms.csv csv 1 1 m/s "$varying"
make g.csv csv 2 9.80665 g "$varying"
make g.uff ascii 2 9.80665 g "$varying"
make gb.uff big 2 9.80665 g "$varying"
for file in mm.csv ms.csv g.csv g.uff gb.uff; do
  check "$file: runs" "$microslip" ringdown $file --csv "../$file.csv"
  check "$file: amplitude-dependent, omega to 2e-5, zeta to 2e-3" follows "$varying" 1 1e-3 2e-5 2e-3 "../$file.csv"
done
# agree TOLERANCE FILE FILE: all but the first and last rows, up to the damping
agree() {
  paste -d, "$2" "$3" | awk -F, -v tol="$1" '
    NR > 1 { rows++; line[rows] = $0 }
    END {
      for (k = 2; k < rows; k++) {
        split(line[k], v, ",")
        for (i = 1; i <= 7; i++) { e = v[i]/v[i + 8] - 1; if (e < 0) e = -e; if (e > worst) { worst = e; at = k } }
      }
      printf "%d rows, worst %.3g in row %d\n", rows, worst, at
      exit !(rows > 50 && worst <= tol)
    }'
}
check "displacement in mm and acceleration in g give the same table to 1e-3" agree 1e-3 ../mm.csv.csv ../g.csv.csv
check "CSV and UFF ASCII give the same table" agree 1e-9 ../g.csv.csv ../g.uff.csv
check "UFF ASCII and binary give the same table" agree 1e-9 ../g.uff.csv ../gb.uff.csv

# ---- what the options do ----
sed 's/ \[mm\]//' mm.csv >bare.csv
check "kind and unit by option" "$microslip" ringdown bare.csv --kind displacement --unit mm --csv ../out.csv
check "... as by the heading" cmp ../out.csv ../mm.csv.csv
check "the unit alone tells the kind" "$microslip" ringdown bare.csv --unit mm --csv ../out.csv
check "... as by the heading" cmp ../out.csv ../mm.csv.csv
sed 's/ \[mm\]/ [MM]/;s/\[s\]/[SEC]/' mm.csv >capitals.csv
check "a unit in capitals" "$microslip" ringdown capitals.csv --csv ../out.csv
check "... is the same" cmp ../out.csv ../mm.csv.csv
awk -F, 'NR == 1 { print "t [ms],tip [mm]"; next } { printf "%.9g,%s\n", 1e3*$1, $2 }' mm.csv >ms_time.csv
check "times in ms" "$microslip" ringdown ms_time.csv --csv ../out.csv
check "... give the same" agree 1e-9 ../out.csv ../mm.csv.csv
awk -F, '{ print $2 }' mm.csv >rate.csv
check "no times, but a rate" "$microslip" ringdown rate.csv --rate 5000 --csv ../out.csv
check "... give the same" agree 1e-9 ../out.csv ../mm.csv.csv
awk -F, 'NR == 1 { print "t,base [g],tip [mm]"; next } { printf "%s,0,%s\n", $1, $2 }' mm.csv >two.csv
check "one channel of two" "$microslip" ringdown two.csv --channel tip --csv ../out.csv
check "... is the same" cmp ../out.csv ../mm.csv.csv
# shellcheck disable=SC2086 # the parameters are words
{ "$record" ascii 0 1e-3 mm 3 $linear; "$record" big 2 9.80665 g 12 $varying; } >two.uff
for name in 12+Z '#2'; do
  check "channel $name of two in a universal file" "$microslip" ringdown two.uff --channel "$name" --csv ../out.csv
  check "... is the same" cmp ../out.csv ../gb.uff.csv
done
check "part of a record" "$microslip" ringdown mm.csv --start 2 --end 6.5 --csv ../out.csv
check "... has the closed form" follows "$varying" 1 1e-3 2e-5 2e-3 ../out.csv
check "... and lies between start and end" awk -F, 'NR > 1 && !($1 > 2 && $1 < 6.5) { exit 1 }' ../out.csv
# An offset and another mode twice as strong, which only a band-pass takes away.
awk -F, 'NR == 1 { print; next } { printf "%s,%.12g\n", $1, $2 + 0.05 + 0.5*exp(-1.7*$1)*cos(2*3.14159265*411.3*$1) }' mm.csv >mixed.csv
check "a band leaves one mode" "$microslip" ringdown mixed.csv --band 100,180 --start 0.1 --end 7.8 --csv ../out.csv
check "... with its closed form" follows "$varying" 3 5e-3 5e-5 2e-2 ../out.csv
same "headings with units" "$(head -n 1 ../out.csv)" \
  'time [s],displacement [m],velocity [m/s],acceleration [m/s^2],omega [rad/s],f [Hz],zeta,quality'
check "the widest edge is 1" "$microslip" ringdown mixed.csv --band 100,180 --edge 1 --start 0.1 --end 7.8
check "rows asked for: hilbert" "$microslip" ringdown mm.csv --segments 23 --csv ../out.csv
check "... are given" awk 'END { exit !(NR == 24 || NR == 25) }' ../out.csv
check "rows asked for: crossings" "$microslip" ringdown mm.csv --method crossings --segments 23 --csv ../out.csv
check "... are about given" awk 'END { exit !(NR >= 23 && NR <= 26) }' ../out.csv

# A raw hammer record: silence with an offset, a pulse, two modes. The band stops the one at 319 Hz.
awk 'BEGIN {
  pi = 3.14159265358979; print "t [s],a [m/s^2]"
  for (k = 0; k < 9000; k++) {
    t = k/6400 - 0.0503; x = 0.31
    if (t > 0 && t < 0.0009) x += 400*sin(pi*t/0.0009)
    if (t > 0) x += 37.7*exp(-0.0031*2*pi*221.3*t)*sin(2*pi*221.3*t + 0.4) + 40*exp(-0.0023*2*pi*319*t)*sin(2*pi*319*t + 1.1)
    printf "%.9g,%.12g\n", k/6400, x
  } }' >raw.csv
check "a raw hammer record with a band" "$microslip" ringdown raw.csv --band 180,270 --json
"$microslip" ringdown raw.csv --band 180,270 --json >../out.json
check "... frequency to 1e-4, damping to 1 % in every row" jq -e '[.points[] | ((.f/221.3 - 1) | fabs < 1e-4) and ((.zeta/0.0031 - 1) | fabs < 1e-2)] | length > 50 and all' ../out.json
check "... and what it is: 9000 samples, 6400 a second from 0 on, which ring once the pulse at 0.0503 s is over" jq -e '.samples == 9000 and
  (.rate_hz/6400 - 1 | fabs) < 1e-6 and .time_first == 0 and .kind == "acceleration" and .unit == "m/s^2" and .factor == 1 and
  .rings_from > 0.0503 and .rings_from < 0.06' ../out.json
check "... what was done with it" jq -e '.band_hz == [180, 270] and .edge == 0.1 and (.edge_time*12 - 1 | fabs) < 1e-9
  and (.offset - 0.31 | fabs) < 1e-6 and .offset_samples > 250 and .rings_from > 0.0512 and .warnings == []' ../out.json
check "... in words" bash -c '"$1" ringdown raw.csv --band 180,270 | grep -c "^band-pass: 180 to 270 Hz, gain 0 below 162 and above 297 Hz (edge 0.1)\|^offset: 0.31 m/s^2\|^rings from: .* (found)" | grep -q 3' - "$microslip"
check "a wider edge lets the other mode in" bash -c '"$1" ringdown raw.csv --band 180,270 --edge 0.3 --json | jq -e "(.points | length) == 0 or .residual > 0.05"' - "$microslip"
check "both modes at once are a warning" bash -c '"$1" ringdown raw.csv | grep -q "^warning: the residual is above 0.1 in"' - "$microslip"
check "a mode outside the band is a warning" bash -c '"$1" ringdown raw.csv --band 180,215 | grep -q "^warning: .* outside the band of 180 to 215 Hz"' - "$microslip"
check "a start before the filter settles is a warning" bash -c '"$1" ringdown raw.csv --band 180,270 --start 0.06 | grep -q "^warning: start is 0.13.* s, not 0.06 s: the band-pass settles"' - "$microslip"
check "... in JSON, too" bash -c '"$1" ringdown raw.csv --band 180,270 --start 0.06 --json | jq -e "[.warnings[] | test(\"start is\")] == [true]"' - "$microslip"
check "an offset that is kept" bash -c '"$1" ringdown raw.csv --band 180,270 --offset keep --json | jq -e ".offset_samples == 0"' - "$microslip"

# The analysis reads it the same way, and is suspect where the command warns.
cat >raw.yaml <<YAML
microslip: 1
structure:
  chain: {masses: {u1: 1}, springs: [[ground, u1, 1.933e6]]}
  damping: {modal: 3e-3}
analyses:
  - ringdown: {name: band, file: raw.csv, mode: 1, band: [180, 270]}
  - ringdown: {name: both, file: raw.csv, mode: 1}
  - ringdown: {name: early, file: raw.csv, mode: 1, band: [180, 270], start: 0.06}
YAML
check "a raw hammer record in a study" "$microslip" run raw.yaml --out ../raw
check "... read as by the command" jq -e '.analyses[0] | .status == "complete" and .edge == 0.1 and (.offset - 0.31 | fabs) < 1e-6 and .residual < 0.01' ../raw/summary.json
check "... a start that is not kept is said, and does no harm" bash -c 'jq -e ".analyses[2].status == \"complete\"" "$1/summary.json" && grep -q "Note: start is 0.13" "$1/report.html"' - ../raw
check "... both modes at once are suspect" jq -e '.analyses[1] | .status == "suspect" and (.reasons | join(" ") | test("the residual is above 0.1 in"))' ../raw/summary.json

# ---- output ----
"$microslip" ringdown mm.csv --json --fit --plot ../out.svg >../out.json
check "JSON is one object" jq -es 'length == 1' ../out.json
check "... says what was read" jq -e '.kind == "displacement" and .unit == "mm" and .factor == 1e-3 and .samples == 40000
  and .channel == "tip" and .method == "hilbert"' ../out.json
check "... with the numbers of the CSV" diff <(jq -r '.points[] | [.time, .displacement, .zeta] | .[]' ../out.json | head -300 | awk '{ printf "%.12g\n", $1 }') \
  <(awk -F, 'NR > 1 { printf "%.12g\n%.12g\n%.12g\n", $1, $2, $7 }' ../mm.csv.csv | head -300)
check "... and both fits" jq -e '[.fit[].form] == ["printed", "continuous"] and (.fit[] | .K_inf > 0 and .F_S > 0 and (.remarks | length) > 0)' ../out.json
check "one form only" bash -c '"$1" ringdown mm.csv --json --fit continuous | jq -e "[.fit[].form] == [\"continuous\"]"' - "$microslip"
check "the picture is well-formed" xmllint --noout ../out.svg
check "... and has three panels" grep -q Damping ../out.svg
check "words for people" bash -c '"$1" ringdown mm.csv --fit | grep -q "zeta_0"' - "$microslip"

# The example's record was made by a model: the fit finds what a record in microslip determines.
"$source_dir/examples/measured-ringdown/run.sh" ../example >/dev/null
sed "s|$source_dir/||" ../example/picture.svg >../example.svg # it names the record as it was named
drawn "its picture: as it is drawn today" "$source_dir/examples/measured-ringdown/picture.svg" ../example.svg
check "the example's fit: zeta_0 to 1 %, chi to 0.01, omega_0 to 1e-4" jq -e '.fit[0] |
  ((.zeta_0/1.1e-3 - 1) | fabs) < 0.01 and ((.chi + 0.4) | fabs) < 0.01 and
  ((.omega_0/(2*3.14159265358979*118) - 1) | fabs) < 1e-4' ../example/ringdown.json
check "... and it says that macroslip is not reached" jq -e '.fit[0].remarks | test("macroslip")' ../example/ringdown.json

# ---- bad input: one line, exit code 2, nothing written ----
# ---- several sensors and no option ----
"$build_dir/tests/impact_record" 290 3 rate=6400 >forced.csv
cut -d, -f1,3- forced.csv >free.csv
for file in forced free; do
  "$microslip" ringdown $file.csv --json >../out.json
  same "$file.csv: modes of all sensors" "$(jq -r '.groups[0].modes[].peak_hz/10 | round' ../out.json | paste -sd' ')" '8 21 38 43'
  same "$file.csv: a force only where there is one" "$(jq -r '.groups[0].impacts[0] | has("peak_force")' ../out.json)" "$([[ $file == forced ]] && echo true || echo false)"
done
text=$("$microslip" ringdown free.csv)
for word in 'ring-downs: 1, 1 used; sensors: 4' 'mode 1: amplitude of a4' 'other modes ring too' 'band [Hz], edge'; do
  report "the text says $word" "$(grep -qF "$word" <<<"$text" || echo "$text")"
done
same "with a channel it is read alone" "$("$microslip" ringdown free.csv --channel a4 --band 60,100 --json | jq -r .channel)" a4

refused() { # 'WORD|WORD...' ARGUMENT...
  refused_line "$1" ringdown "${@:2}" --csv out.csv --plot out.svg
}
refused 'name a record|FILE.csv'
refused 'none.csv: cannot be opened|No such file' none.csv
refused 'none.uff: cannot be opened' none.uff
refused "record.wav|'.wav'|.csv|.uff" record.wav
refused "argument 'g.csv' is not known" mm.csv g.csv
refused "option '--knid' is not known|microslip ringdown --help" mm.csv --knid velocity
refused "--edge 1.1 must be in (0, 1]" mm.csv --band 10,30 --edge 1.1
refused "--offset leave must be subtract or keep" mm.csv --offset leave
refused "--kind|'speed' must be displacement, velocity or acceleration" mm.csv --kind speed
refused "--unit|'furlong' is not known|mm|s^2|g" mm.csv --unit furlong
refused "unit 'Mm' is not known" mm.csv --unit Mm
refused "bare.csv: channel tip has no unit|kind and unit|displacement, velocity or acceleration" bare.csv
refused "channel tip has no unit: give its unit" bare.csv --kind velocity
refused "tip is velocity, but its unit, mm, is one of displacement" mm.csv --kind velocity
refused "no channel 'tpi'; did you mean 'tip'?" two.csv --channel tpi
refused "no channel 'engine'; there are base, tip" two.csv --channel engine
refused "has 2 channels: name one of base, tip" two.csv
refused "has 2 channels: name one of 3+Z, 12+Z" two.uff
refused "no channel '12-Z'; did you mean '12+Z'?" two.uff --channel 12-Z
refused "has no column t or time|rate" rate.csv
refused "give a rate only for files without" mm.csv --rate 5000
refused "has 5000 samples per second, not 5100" g.uff --rate 5100
refused "--rate 0 must be > 0" rate.csv --rate 0
refused "--band: '100' must be two numbers" mm.csv --band 100
refused "--band 300,100|in order" mm.csv --band 300,100
refused "the band begins at" mm.csv --band 4000,5000
refused "--start 3 must be before --end 2" mm.csv --start 3 --end 2
refused "mm.csv: channel tip|between start 9 s" mm.csv --start 9
refused "too short" mm.csv --end 0.01
refused "--method|'fft' is none of hilbert, stft, crossings" mm.csv --method fft
refused "--segments 2.5 must be a whole number" mm.csv --segments 2.5
refused "--fit exact must be printed, continuous or both" mm.csv --fit=exact
refused "--plot out.png: the picture is SVG" mm.csv --plot out.png
refused "--theme blue" mm.csv --theme blue
sed 101d mm.csv >gap.csv
refused 'gap.csv:101: sampling is uneven|step to this row is 0.0004, on average 0.0002' gap.csv
awk 'NR == 77 { print; print; next } { print }' mm.csv >twice.csv
refused 'twice.csv:78: time does not increase' twice.csv
head -n 12 mm.csv >short.csv
refused 'short.csv: channel tip|at least 16 are needed' short.csv
head -n 2 mm.csv >one.csv
refused 'one.csv has one row' one.csv
awk -F, 'NR == 1 { print; next } { print $1 ",0" }' mm.csv >zero.csv
refused 'zero.csv: channel tip|zero: nothing rings' zero.csv
awk -F, 'NR == 1 { print; next } { print $1 "," exp(-$1) }' mm.csv >creep.csv
refused 'creep.csv: channel tip|oscillate' creep.csv
sed '4s/,.*/,nan/' mm.csv >nan.csv
refused "nan.csv:4|column tip|'nan' is not finite" nan.csv
sed '1s/\[s\]/[h]/' mm.csv >hours.csv
refused 'column t is in [h]; times are in s, ms or us' hours.csv
head -n 4000 g.uff >cut.uff
refused 'cut.uff:4000|the data end after|of 40000 values' cut.uff
head -c 100000 gb.uff >cutb.uff
refused 'cutb.uff: byte|40000 samples take 320000 bytes' cutb.uff
sed '8s/^    1/    4/' g.uff >frf.uff
refused 'frf.uff has no function of time|frequency response' frf.uff

# ---- as an analysis of a study ----
# One mass of 2.5 kg: the modal coordinate is sqrt(2.5) times the displacement.
study() { # OPTIONS
  printf 'microslip: 1\nstructure:\n  chain:\n    masses: {u1: 2.5, u2: 1e-3}\n    springs: [[ground, u1, 1.865e6], [u1, u2, 1e9]]\n  damping: {modal: 3e-4}\nanalyses:\n  - ringdown: {%s}\n  - fit_modal: {form: continuous}\n' "$1"
}
mkdir -p ../other
study 'file: ../records/g.csv, mode: 1, at: u1' >../other/study.yaml
check "study: runs, the file beside the study" "$microslip" run ../other/study.yaml --out ../results
check "study: the table at the sensor is the command's" agree 1e-12 <(tail -n +2 ../results/tables/ringdown_sensor.csv | sed 1i\\x) <(tail -n +2 ../g.csv.csv | sed 1i\\x)
check "study: q is the displacement over the mode shape, 1/sqrt(2.501)" bash -c \
  'paste -d, ../results/tables/ringdown.csv ../g.csv.csv | awk -F, "NR > 1 { e = \$4/\$13/sqrt(2.501) - 1; if (e < -1e-5 || e > 1e-5) exit 1; n++ } END { exit n < 50 }"'
check "study: its fit" jq -e '.analyses[1].modes[0] | .mode == 1 and .zeta_0 > 3e-4 and .zeta_0 < 4e-4' ../results/summary.json
check "study: a figure in the report" grep -q 'Amplitudes at the sensor' ../results/report.html
study_refused() { # 'WORD|WORD...' OPTIONS
  local words word faults='' status
  study "$2" >../other/study.yaml
  "$microslip" check ../other/study.yaml >../out 2>../error
  status=$?
  [[ $status == 2 ]] || faults+="exit $status, should be 2"$'\n'
  IFS='|' read -ra words <<<"$1"
  for word in "${words[@]}" study.yaml:8:; do grep -qF -- "$word" ../error || faults+="the message lacks '$word'"$'\n'; done
  [[ -z $faults ]] || faults+=$(cat ../error)
  report "study refused: $2" "$faults"
}
study_refused 'none.csv: cannot be opened' 'file: none.csv, mode: 1'
study_refused "needs 'mode'" 'file: ../records/g.csv'
study_refused "there is no mode 3; modes are 1 to 2" 'file: ../records/g.csv, mode: 3'
study_refused "u3" 'file: ../records/g.csv, mode: 1, at: u3'
study_refused "'speed' is none of" 'file: ../records/g.csv, mode: 1, kind: speed'
study_refused "'fft' is none of" 'file: ../records/g.csv, mode: 1, method: fft'
study_refused "band is two numbers, the lower first" 'file: ../records/g.csv, mode: 1, band: [150, 80]'
study_refused "start must be before end" 'file: ../records/g.csv, mode: 1, start: 3, end: 2'
study_refused "has 2 channels: name one of base, tip" 'file: ../records/two.csv, mode: 1'
study_refused "kind and unit" 'file: ../records/bare.csv, mode: 1'
study_refused "'chanel'" 'file: ../records/two.csv, mode: 1, chanel: tip'

finish
