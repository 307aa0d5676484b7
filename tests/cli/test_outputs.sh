#!/bin/bash
# Where results go and what the terminal shows: folders within folders, pipes, names that look like
# options, titles with control characters.
source "$(dirname "$0")/checks.sh"

study() { # TITLE
  cat <<STUDY
microslip: 1
title: "$1"
structure: {chain: {masses: {u1: 1.3, u2: 0.7}, springs: [[ground, u1, 23.1], [u1, u2, 17.9]]}}
analyses: [modes]
STUDY
}
study 'two masses' >plain.yaml

# ---- folders ----
check "parents of the output folder are made" "$microslip" run plain.yaml --out a/b/c
check "results are there" test -s a/b/c/summary.json
touch file
"$microslip" run plain.yaml --out file/below >out 2>err
check "a folder below a file is refused" test $? -ge 2
check "and named" grep -q 'file.*Not a directory' err

# ---- pipes ----
mkfifo a/b/c/fifo
timeout 20 "$microslip" joint linear --cycle 0.1 --csv a/b/c/fifo >out 2>err
check "a pipe that nobody reads is a failure, not a wait" test $? -ge 1 -a $? -ne 124
check "and said" grep -q 'fifo: is a pipe' err
exec 3<>a/b/c/fifo 4<a/b/c/fifo 3>&- # 4 reads: opening it waits for a writer, which 3 was
timeout 20 "$microslip" joint linear --cycle 0.1 --csv a/b/c/fifo >out 2>err
same "a pipe with a reader is written to" "$?" 0
timeout 20 cat <&4 >got
exec 4<&-
check "and the reader has the table" grep -q amplitude got

# ---- threads ----
check "256 threads" "$microslip" run plain.yaml --out threads --threads 256
touch out error
for n in 0 257 1.5; do refused_line "--threads $n" run plain.yaml --out threads --threads $n; done

# ---- words behind -- ----
cp plain.yaml ./-plain.yaml
check "check -- FILE" "$microslip" check -- -plain.yaml
check "run OPTIONS -- FILE" "$microslip" run --out d -- -plain.yaml
cp plain.yaml ./--set=plain.yaml
check "check -- FILE like an option with a value" "$microslip" check -- --set=plain.yaml
check "laws --" "$microslip" laws -- linear
check "ringdown --" grep -q "no-such" <("$microslip" ringdown -- -no-such.csv 2>&1)
"$microslip" check -- --help >out 2>err
check "behind -- is no option" grep -q -- '--help' err
"$microslip" check -- plain.yaml -plain.yaml >out 2>err
check "a second word is refused" grep -q "argument '-plain.yaml' is not known" err

# ---- control characters ----
study 'red \e[31m, C1 \u009b31m, bell \a, Grüße' >control.yaml
"$microslip" run control.yaml --out e >out 2>err
same "a title is printed without control characters" "$(head -n 1 out)" 'red ?[31m, C1 ?31m, bell ?, Grüße: complete'

# ---- joints in the report ----
sed 's/^analyses/joints: {lap: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u1]}}\n&/' plain.yaml >joint.yaml
check "a study with a joint" "$microslip" run joint.yaml --out f
same "the report has its parameters, not the settings of its law" \
  "$(grep -A12 '<dt>iwan4<' f/report.html | sed -n '2,/<\/dl>/{s/<[^>]*>/ /g;s/\xc2\xa0/ /g;p}' | xargs)" \
  'F S 1.7 N K T 137 N/m χ −0.37 β 1.1 R 525.120851 N/m^(2+χ) S 71.76190476 N/m φ max 0.0175299969 m'

finish
