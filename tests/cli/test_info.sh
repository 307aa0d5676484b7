#!/bin/bash
# microslip info: what it says of imitations, written here, of files of acquisition systems.
source "$(dirname "$0")/checks.sh"
mkdir data
cd data || exit 2

# A hammer that strikes twice, with an overload, and a sensor that rings at 80 and 210 Hz.
awk 'BEGIN {
  pi = 3.14159265358979; printf "Recorder 5;serial 12\nTime;Force;Acc 1\ns;N;g\n"
  for (k = 0; k < 4000; k++) {
    t = k/2000 - 0.1; u = t - 0.06; f = a = 0
    if (t > 0 && t < 0.004) f = 90*sin(pi*t/0.004)
    if (u > 0 && u < 0.004) f = 40*sin(pi*u/0.004)
    if (t > 0) a = 3*exp(-4*t)*sin(2*pi*80*t) + exp(-4*t)*sin(2*pi*210*t)
    f += 0.001*sin(12.9*k)
    if (f > 72.5) f = 72.5
    line = sprintf("%.4f;%.5f;%.6f", t, f, a + 0.5 + 0.002*sin(7.1*k*k))
    gsub(/\./, ",", line); print line
  }
}' >hits.csv
"$microslip" info hits.csv --json >info.json
value() { jq -r "$1" info.json; }
same "channels" "$(value '[.channels[] | .name, .kind, .unit] | join(" ")')" "Force force N Acc 1 acceleration g"
same "rate" "$(value '.channels[0].time_step*1e6 | round')" 500
same "two blows" "$(value '.channels[0].hits')" 2
same "at" "$(value '[.channels[0].hit_times[] | .*1000 | round] | join(" ")')" "1 61"
same "overloads" "$(value '.channels[0].overloads > 2 and .channels[1].overloads == 0')" true
same "offset" "$(value '.channels[1].offset*1000 | round')" 500
same "noise" "$(value '.channels[1].noise*1e5 | round | . > 120 and . < 160')" true
same "peaks" "$(value '[.channels[1].spectral_peaks[].freq_hz | round] | join(" ")')" "80 210"
text=$("$microslip" info hits.csv --plot hits.svg)
for word in 'hits.csv: csv, 2 channels' 'overloaded: ' '2 blows instead of one, at 0.0005' 'peaks of the spectrum at 79.99' 'picture: hits.svg'; do
  check "the text says $word" grep -qF "$word" <<<"$text"
done
check "the picture is XML" xmllint --noout hits.svg
same "two panels" "$(grep -c 'Acc 1' hits.svg | awk '{ print ($1 > 0) }')" 1

printf '1\n2\n4\n3\n' >bare.txt
"$microslip" info bare.txt --rate 4 --json >info.json
same "... is that of the channel" "$(value '.channels[0].time_step')" 0.25
printf 'channel,name,unit\n1,tip,mm\n' >names.csv
"$microslip" info bare.txt --rate 4 --channels names.csv --json >info.json
same "... names it" "$(value '.channels[0] | .name + " " + .kind + " " + .unit')" "tip displacement mm"
printf 'u [m]\n1\n2\n' >untimed.csv
check "no times" grep -q 'no times' <<<"$("$microslip" info untimed.csv)"
seq 0 10 | awk 'BEGIN { print "t [s],u [m]" } { print $1/10 "," $1*$1 }' >second.csv
same "11 samples at 10 Hz take 1 s" "$("$microslip" info second.csv | awk '$0 ~ / 11 +10 / { print $0 }' | grep -cE ' 11 +10 +1( |$)')" 1
printf 't,u\n0,1\n1,2\n3,4\n4,5\n' >gap.csv
check "uneven times" grep -q 'line 4 is not where even sampling has it' <<<"$("$microslip" info gap.csv)"

refused() { refused_line "$1" info "${@:2}"; }
refused 'name a file of measured data'
refused 'none.csv: cannot be opened' none.csv
refused "x.wav|'.wav'|.csv|.uff" x.wav
refused "bare.txt:1: has only numbers" bare.txt
refused "argument 'b' is not known" hits.csv b
refused "--plot x.png: the picture is SVG" hits.csv --plot x.png
refused "--rate 0 must be > 0" hits.csv --rate 0
printf 't,u\n0,1\n1,x\n2,3\n' >damaged.csv
refused "damaged.csv:3: column u: 'x' is not a number" damaged.csv

finish
