#!/bin/bash
# Interrupted runs: killed, stopped, damaged; resumed they give the files of an uninterrupted run,
# byte for byte, and nothing is ever mixed.
source "$(dirname "$0")/checks.sh"
results_dump=$build_dir/tests/results_dump

# has TEXT FILE WORD...: every word in the file, which is one line.
has() {
  local text=$1 file=$2 word lacking=
  shift 2
  [[ $(wc -l <"$file") == 1 ]] || lacking="one line "
  for word; do grep -qF -- "$word" "$file" || lacking+="'$word' "; done
  same "$text" "$lacking" ''
  [[ -z $lacking ]] || sed 's/^/# /' "$file"
}

cat >study.yaml <<'END'
microslip: 1
title: Three masses, shorter
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
  damping: {modal: 1e-4}
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
  - modes
  - modal_ringdown:
      modes: [2, 3]
      levels:
        2: {slipped: [50000, 10000, 3400, 200], stuck: [9, 3, 0.8, 0.2, 0.04]}
        3: {slipped: [200000, 75000, 15000, 5600, 150], stuck: [12, 2, 0.38, 0.096]}
      time: {step: 0.02, steps: 60000}
  - fit_modal: {leave_out: [0.9, 30]}
  - modal_iwan: {time: {step: 0.02, steps: 60000}}
  - impact_test:
      name: hits
      at: [u2, u3]
      levels: [5000, 30, 1, 1e-9]
      time: {step: 0.02, steps: 60000}
      segments: {2: 30, 3: 400}
      compare: modal_iwan
END
run() { "$microslip" run study.yaml "$@"; }

# ---- without interruption ----
run --out whole --threads 2 >out 2>error
same "a whole run" "$?" 0
same "says nothing on standard error" "$(cat error)" ''
same "leaves what it should" "$(ls -A whole)" $'columns.csv\nreport.html\nresults.h5\nsummary.json\ntables'
run --out one --threads 1 >out
same "one thread gives the same files" "$(diff -rq whole one)" ''

# ---- results.h5 beside the tables ----
dump() { "$results_dump" whole/results.h5 "$@"; }
column() { # TABLE NUMBER: a column of a table without commas in words
  tail -n +2 "whole/tables/$1.csv" | cut -d, -f"$2"
}
tables=$(cd whole/tables && for f in *.csv; do echo "${f%.csv}"; done)
same "every table is in it" "$(dump | sed -nE 's,^analyses/[^/]*/([^/]*)/.*,\1,p' | grep -vxE "values|answers|figures" | sort -u)" \
  "$(sort <<<"$tables")"
for table in $tables; do
  grep -q '"' "whole/tables/$table.csv" && continue # columns cannot be cut where words hold commas
  analysis=$(dump | sed -nE "s,^analyses/([^/]*)/$table/.*,\\1,p" | sort -u)
  wrong=
  number=0
  while IFS= read -r name; do
    number=$((number + 1))
    cmp -s <(dump "analyses/$analysis/$table/${name/\//over}") <(column "$table" $number) ||
      wrong+="$name "
  done < <(head -n 1 "whole/tables/$table.csv" | sed 's/ \[[^]]*\]//g' | tr , '\n')
  same "$table of $analysis: $number columns, number by number" "$wrong" ''
done
same "numbers have units" "$(dump | grep -c '^analyses/.* \[s\]$')" 4
same "the study's text is in it" "$(dump study/text)" "$(cat study.yaml)"
same "the mass matrix" "$(dump structure/mass | tr '\n' ' ')" '10 0 0 0 10 0 0 0 10 '
same "the stiffness matrix" "$(dump structure/stiffness | tr '\n' ' ')" '18 -9 0 -9 18 -9 0 -9 9 '
same "stuck and slipped frequencies" \
  "$(paste -d, <(dump structure/stuck/omega) <(dump structure/slipped/omega))" \
  "$(tail -n +2 whole/tables/modes.csv | cut -d, -f2,3)"
same "shapes" "$(dump structure/stuck/shape | wc -l) $(dump structure/slipped/shape | wc -l)" '9 9'

# ---- killed ----
# beside DIR: files other than tables of analyses that have ended, which are those of the whole run.
beside() {
  (cd "$1" && find . -path ./.resume -prune -o -type f -print) | while read -r file; do
    [[ $file == ./tables/* ]] && cmp -s "$1/$file" "whole/$file" || echo "$file"
  done
}
# interrupt SIGNAL DIR SIZE OPTION...: stops a run once its list of finished runs has SIZE bytes
# more than at the start; a run that is faster is started again. The exit code is in `status`.
interrupt() {
  local signal=$1 folder=$2 size=$3 attempt before
  shift 3
  kept() { stat -c %s "$folder/.resume/jobs" 2>/dev/null || echo 0; }
  has_grown() { (($(kept) >= before + size)); }
  before=$(kept)
  for attempt in 1 2 3 4 5; do
    interrupt_when has_grown "$signal" "$folder" "$@"
    [[ -e $folder/.resume/jobs ]] && return
    [[ $before == 0 ]] || break
    echo "# attempt $attempt: the run was faster than its killer"
    rm -rf "$folder"
  done
}

for threads in 1 2; do
  rm -rf killed
  interrupt KILL killed 30000 --threads $threads
  same "killed with $threads threads" "$status $(beside killed)" '137 '
  same "what has ended is written" "$(ls killed/tables)" $'modes.csv\nmodes_shapes.csv'
  cp killed/.resume/jobs before
  interrupt KILL killed 30000 --threads $((3 - threads)) --resume
  same "killed again after resuming" "$status" 137
  same "what was finished is kept as it was" \
    "$(cmp -n "$(($(stat -c %s before) / 72 * 72 - 14400))" before killed/.resume/jobs 2>&1)" ''
  run --out killed --threads $threads --resume >out 2>error
  same "resumed" "$? $(cat error)" '0 '
  same "with the files of a whole run" "$(diff -rq whole killed)" ''
done

# ---- stopped ----
for signal in INT TERM; do
  rm -rf 'a folder'
  interrupt $signal 'a folder' 30000 --threads 2 --set 'title=It'"'"'s another'
  same "SIG$signal" "$status" $((128 + $(kill -l "$signal")))
  has "says how to go on" error "microslip: stopped" "microslip run study.yaml --out 'a folder'" --resume
  before=$(cksum <'a folder/.resume/jobs')
  for resume in '' --resume; do
    # shellcheck disable=SC2086 # a word or none
    run --out 'a folder' $resume >out 2>error
    same "another study${resume:+ with $resume}" "$?" 2
    has "is not mixed with it" error 'another study' 'a folder/.resume'
  done
  run --out 'a folder' --set 'title=It'"'"'s another' >out 2>error
  same "the same study" "$?" 2
  has "must be resumed" error 'interrupted run of this study' --resume 'remove a folder/.resume'
  same "what is kept has not changed" "$(cksum <'a folder/.resume/jobs')" "$before"
done
run --out reference --set 'title=It'"'"'s another' >out
interrupt INT 'a folder' 1 --threads 1 --set 'title=It'"'"'s another' --resume
command=$(sed 's/.*continue with: microslip//' error)
(eval "\"$microslip\" $command") >out 2>error
same "the command that was printed" "$? $(cat error)" '0 '
same "ends with the files of a whole run" "$(diff -rq reference 'a folder')" ''

# ---- damaged ----
rm -rf killed
interrupt KILL killed 60000 --threads 2
size=$(stat -c %s killed/.resume/jobs)
cp -r killed saved
for cut in 0 50 150 200 $((size / 3)) $((size / 2 + 5)) $((size - 1)); do
  rm -rf killed
  cp -r saved killed
  truncate -s "$cut" killed/.resume/jobs
  run --out killed --resume >out 2>error
  code=$?
  if [[ $code == 2 ]]; then
    has "cut at $cut of $size: refused" error 'remove killed/.resume'
    same "... and nothing is written" "$(beside killed)" ''
  else
    same "cut at $cut of $size: resumed" "$code $(diff -rq whole killed)" '0 '
  fi
  ((cut < 150 && code == 0)) && same "a file without a header is refused" no yes
  ((cut > 200 && code != 0)) && same "a file that is cut behind is resumed" no yes
done

# ---- two at a time ----
rm -rf killed
"$microslip" run study.yaml --out killed --threads 1 >out 2>error &
process=$!
while kill -0 $process 2>/dev/null && [[ ! -s killed/.resume/jobs ]]; do sleep 0.005; done
run --out killed --resume >out2 2>error2
same "a second run beside the first" "$?" 2
has "is told so" error2 'another run is using'
wait $process
same "the first does not notice" "$? $(diff -rq whole killed)" '0 '

# ---- over a finished run, and where there is nothing to resume ----
run --out killed --resume >out 2>error
same "--resume without an interrupted run begins" "$? $(diff -rq whole killed)" '0 '
sed 's/10, u2/11, u2/' study.yaml >heavier.yaml
"$microslip" run heavier.yaml --out killed >out 2>error
same "a finished run is replaced" "$? $(cmp -s whole/results.h5 killed/results.h5; echo $?)" '0 1'

# ---- a failure that would come again keeps nothing ----
sed -e 's/\[ground, u1, 9\], //' -e 's/modes: \[2, 3\]/modes: [1]/' -e 's/^        2: .*/        1: [3]/' -e '/^        3: /d' \
  study.yaml >rigid.yaml
"$microslip" run rigid.yaml --out rigid >out 2>error
same "a study that cannot be run" "$?" 2
check "says why" grep -q 'rigid-body' error
check "leaves nothing" test ! -e rigid

# ---- names that are no names of files ----
for name in ../x a/b . 'a b' "$(printf 'n%.0s' {1..65})"; do
  sed "s,name: hits,name: $name," study.yaml >named.yaml
  "$microslip" check named.yaml >out 2>error
  same "an analysis called $name" "$? $(grep -c 'named.yaml:21:13: .*letters, digits' error)" '2 1'
done

finish
