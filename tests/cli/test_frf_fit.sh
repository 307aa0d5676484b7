#!/bin/bash
# microslip frf: modes from frequency responses in closed form, as a universal file, and from simulated
# impacts; update takes what it writes; what is refused.
source "$(dirname "$0")/checks.sh"
record=$build_dir/tests/impact_record
mkdir data
cd data || exit 2

# Modes of three sensors; the force acts at the first. f, zeta, phi.
modes='31.7 0.004 0.6 0.35 -0.2
58.3 0.007 -0.45 0.7 0.4
94.1 0.003 0.3 -0.5 0.65'
# responses UNIT OF_RESPONSE_2: accelerances as dataset 58
responses() {
  awk -v unit="$1" -v reference="${2:-1}" '{ f[NR] = $1; z[NR] = $2; for (i = 1; i <= 3; i++) p[NR, i] = $(2 + i) }
    END { pi = 3.14159265358979; n = 601; df = 0.2
      for (o = 1; o <= 3; o++) {
        printf "    -1\n    58\nresponse %d\nNONE\nNONE\nNONE\nNONE\n", o
        printf "%5d%10d%5d%10d %10s%10d%4d %10s%10d%4d\n", 4, 1, 0, 0, "NONE", 10*o, 3, "NONE", o == 2 ? reference : 1, 3
        printf "%10d%10d%10d%13.5e%13.5e%13.5e\n", 5, n, 1, 0, df, 0
        printf "%10d%5d%5d%5d %20s %20s\n", 18, 0, 0, 0, "Frequency", "Hz"
        printf "%10d%5d%5d%5d %20s %20s\n", 12, 0, 0, 0, "Acceleration", unit
        printf "%10d%5d%5d%5d %20s %20s\n", 13, 0, 0, 0, "Force", "N"
        printf "%10d%5d%5d%5d %20s %20s\n", 0, 0, 0, 0, "NONE", "NONE"
        size = unit == "g" ? 9.80665 : 1
        for (k = 0; k < n; k++) {
          w = 2*pi*df*k; re = im = 0
          for (r = 1; r <= 3; r++) {
            a = (2*pi*f[r])^2 - w*w; b = 2*z[r]*2*pi*f[r]*w; c = -w*w*p[r, 1]*p[r, o]/(a*a + b*b)/size
            re += c*a; im -= c*b }
          printf "%13.5e%13.5e%s", re, im, k % 3 == 2 || k == n - 1 ? "\n" : "" }
        print "    -1" } }' <<<"$modes"
}
responses g >responses.uff
check "frequency responses" "$microslip" frf responses.uff --range 10,115 --drive 10+Z --csv modes.csv
"$microslip" frf responses.uff --range 10,115 --drive 10+Z --json >out.json
same "three modes" "$(jq '.modes | length' out.json)" 3
r=0
while read -r f zeta a b c; do
  ((++r))
  near "frequency $r" "$(jq ".modes[$((r - 1))].f_hz" out.json)" "$f" 1e-6
  near "damping $r" "$(jq ".modes[$((r - 1))].zeta" out.json)" "$zeta" 1e-4
  # shapes have the sign that the drive point has it positive
  for pair in "10+Z $a" "20+Z $b" "30+Z $c"; do
    near "shape $r at ${pair% *}" "$(jq ".modes[$((r - 1))].shape[\"${pair% *}\"]" out.json)" \
      "$(awk -v x="${pair#* }" -v a="$a" 'BEGIN { print a < 0 ? -x : x }')" 1e-4
  done
done <<<"$modes"
same "columns of the table" "$(head -n 1 modes.csv)" 'f [Hz],zeta,10+Z,20+Z,30+Z'
within "what the modes leave" "$(jq '[.misfit[]] | max' out.json)" 0 1e-3
"$microslip" frf responses.uff --range 10,115 --modes 2 --json >two.json
same "at most two" "$(jq '.modes | length' two.json)" 2
check "without a drive point the largest component is 1" jq -e '[.modes[].shape | [.[]] | map(if . < 0 then -. else . end) | max] | all(. > 0.999999 and . < 1.000001)' two.json

# ---- impacts on a chain of four masses, whose joint does not slip ----
for i in 1 2 3 4; do "$record" 5 $i rate=6400 preload=100 >hit$i.csv; done
check "impacts" "$microslip" frf hit?.csv --drive a4 --csv chain.csv
"$microslip" frf hit?.csv --drive a4 --json >chain.json
# Blocks fade to a hundredth: had lines leaked, modes would leave 2 % and the lowest be damped 8 % too much.
within "what the modes of impacts leave" "$(jq '[.misfit[]] | max' chain.json)" 0 0.005
"$microslip" frf hit?.csv --drive a4 >chain.txt
report "the table has damping and its error in %, as the JSON has them" "$(diff \
  <(jq -r '.modes[] | [.zeta, .zeta_error] | @tsv' chain.json | awk '{ printf "%.4g %.1g\n", 100*$1, 100*$2 }') \
  <(awk '/damping, %/ { table = 1; next } NF == 0 { table = 0 } table { print $4, $5 }' chain.txt))"
same "modes of the impacts" "$(jq '.modes[].f_hz/10 | round' chain.json | tr '\n' ' ')" '8 22 38 44 '
report "their modal mass is 1" "$(jq -r '.modes[].shape | [.a1, .a2, .a3, .a4] | @tsv' chain.json |
  awk -v m="1.31 0.87 1.13 0.71" 'BEGIN { split(m, M, " ") } { s = 0; for (i = 1; i <= 4; i++) s += M[i]*$i*$i; if (!((s - 1)^2 < 0.01^2)) print NR ":", s }')"

# ---- the table is what update takes ----
sed -n '1s/a1,a2,a3,a4/u1,u2,u3,u4/p; 2,$p' chain.csv >measured.csv
cat >study.yaml <<'END'
microslip: 1
structure:
  chain:
    masses: {u1: 1.31, u2: 0.87, u3: 1.13, u4: 0.71}
    springs: {a: [ground, u1, 1.0e+6], b: [u1, u2, 3.0e+6], c: [u2, u3, 3.0e+6], d: [u3, u4, 3.0e+6]}
analyses:
  - update:
      parameters: {structure.chain.springs.a.2: [1e5, 1e8], structure.chain.springs.b.2: [1e5, 1e8],
                   structure.chain.springs.c.2: [1e5, 1e8], structure.chain.springs.d.2: [1e5, 1e8]}
      measured: measured.csv
      shape_deviation: 0.02
END
same "update with the table" "$(run_study study)" ''
report "its modes are the measured ones" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  !($(at["mac"]) > 0.99 && $(at["error"])^2 < 0.002^2) { print $0 }' study/tables/update_modes.csv)"

# springs of the simulator; the third has the joint's stiffness beside it
for spring in 'a 1.91e6' 'b 2.3e6' 'd 2.7e6'; do
  near "spring ${spring% *}" "$(parameter study/tables/update.csv structure.chain.springs.${spring% *}.2 value)" "${spring#* }" 0.005
done

# ---- refused ----
refused() { refused_line "$1" frf "${@:2}"; }
refused 'name a file of frequency responses'
refused 'there is neither a frequency response in it nor a force' modes.csv
refused 'no sensor has that name; the first is 10+Z' responses.uff --drive 40+Z
"$microslip" frf responses.uff --range 100.5,104 >out 2>error
same "a band without a mode" "$? $(grep -c 'no mode from 100.6 to 104 Hz comes back' error)" '1 1'
refused '--modes 0 must be a whole number from 1 to 200' responses.uff --modes 0
refused 'read from one file; 2 were named' responses.uff responses.uff
responses furlong >unit.uff
refused "a frequency response in 'furlong" unit.uff
responses g 2 >reference.uff
refused 'have other references' reference.uff
"$record" 5 1 rate=3200 preload=100 >slow.csv
refused 'impacts must be alike' hit1.csv slow.csv

finish
