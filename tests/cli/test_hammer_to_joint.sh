#!/bin/bash
# The tutorial examples/hammer-to-joint: its commands print what its page says, the records are those of the
# simulator, the parameters are the truth within their errors, and the held-out impact is predicted.
# shellcheck disable=SC2016 # awk has dollars of its own
source "$(dirname "$0")/checks.sh"
cp -r "$source_dir/examples/hammer-to-joint" try
cd try || exit 2
PATH=$(dirname "$microslip"):$PATH

# ---- the records ----
mkdir ../again
"$build_dir/tests/hammer_files" ../again
for file in ../again/*; do check "${file##*/}: what the simulator writes" cmp "$file" "${file##*/}"; done

# ---- the page ----
# The n-th command of the page, on one line, and what should follow it.
commands=$(awk '/^```/ { on = $0 == "```console"; next } on && /^\$ / { print substr($0, 3) }' README.md)
wanted() { awk -v n="$1" '/^```/ { on = $0 == "```console"; next } on && /^\$ / { k++; next } on && k == n' README.md; }
# Lines FOUND that are not those WANTED, "..." being any of them, in a line the rest of it; numbers may be off by
# one of their last digits or 1e-3: other machines and compilers round otherwise.
differs() { # WANTED FOUND
  awk '
    function split_numbers(line,    n, rest) { # words[] between numbers[]
      n = 0; rest = line
      while (match(rest, /[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {
        words[++n] = substr(rest, 1, RSTART - 1); numbers[n] = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
      }
      words[n + 1] = rest
      return n
    }
    function digit(x,    e, at) { # value of the last digit
      e = match(x, /e/) ? substr(x, RSTART + 1) : 0; sub(/e.*/, "", x)
      at = index(x, ".")
      return 10^(e - (at ? length(x) - at : 0))
    }
    function alike(a, b,    n, i, d, most, w, x) {
      if (a ~ /[^.]\.\.\.$/) { sub(/\.\.\.$/, "", a); b = substr(b, 1, length(a)) }
      if (a == b) return 1
      n = split_numbers(a); for (i = 1; i <= n + 1; i++) w[i] = words[i]; for (i = 1; i <= n; i++) x[i] = numbers[i]
      if (split_numbers(b) != n) return 0
      for (i = 1; i <= n + 1; i++) { gsub(/ +/, " ", w[i]); gsub(/ +/, " ", words[i]); if (w[i] != words[i]) return 0 }
      for (i = 1; i <= n; i++) {
        d = x[i] - numbers[i]; if (d < 0) d = -d
        most = 1e-3*x[i]; if (most < 1.01*digit(x[i])) most = 1.01*digit(x[i])
        if (d > most) return 0
      }
      return 1
    }
    FNR == NR { want[++n_want] = $0; next }
    { found[++n] = $0 }
    END {
      k = 1; skip = 0
      for (i = 1; i <= n_want; i++) {
        if (want[i] == "...") { skip = 1; continue }
        while (skip && k <= n && !alike(want[i], found[k])) k++
        if (k > n || !alike(want[i], found[k])) { print "wanted: " want[i] "\nfound:  " found[k]; exit }
        k++; skip = 0
      }
      if (k <= n && !skip) print "not on the page: " found[k]
    }' "$1" "$2"
}
n=0
while read -r command; do
  n=$((n + 1))
  bash -c "$command" >../found 2>&1 || echo "exit code $?" >>../found
  wanted $n >../wanted
  report "\$ ${command::100}" "$(differs ../wanted ../found)"
done <<<"$commands"
same "there are so many commands" $n 10
printf 'a 1.00 b\n...\nc 2\n' >../wanted
printf 'a 1.003 b\nx\nc 2\n' >../found
same "a number off by less than a digit is accepted" "$(differs ../wanted ../found)" ''
printf 'a 1.02 b\nx\nc 2\n' >../found
check "a number off by more is not" test -n "$(differs ../wanted ../found)"
printf 'a 1 b\nx\n' >../found
check "a line that is missing is not" test -n "$(differs ../wanted ../found)"

# ---- the study of the page ----
same "calibrate as on the page" "$(grep -vxFf study.yaml <(awk '/^```/ { on = $0 == "```yaml"; next } on' README.md))" ''
check "new --from has written the impacts of the study" grep -qF 'top_hard: {at: p3z, file: "top_hard.uff", force: "hammer:3+Z"}' test.yaml

# ---- the truth ----
# The numbers of tests/cli/hammer_files.c. Damping: 5/(2 omega) + 3e-6 omega/2 of the stuck modes.
truth="lap.F_S 25
lap.K_T 6e5
lap.chi -0.4
lap.beta 1.2
mode.1.damping 4.69823e-3
mode.2.damping 3.95453e-3
mode.3.damping 4.47334e-3
spring.1 3.16e6
sensor.p2z.gain 1.03"
inside=0
row=0
while read -r name true; do
  t=local/tables/calibrate.csv
  within "$name: off by so many standard errors" \
    "$(awk -v a="$(parameter $t $name value)" -v b="$true" -v s="$(parameter $t $name standard_error)" 'BEGIN { print (a - b)/s }')" -3 3
  t=posterior/tables/calibrate.csv
  within "$name: R-hat" "$(parameter $t $name r_hat)" 0.9 1.05
  inside=$((inside + $(awk -v a="$(parameter $t $name q05)" -v b="$(parameter $t $name q95)" -v x="$true" 'BEGIN { print (a <= x && x <= b) }')))
  row=$((row + 1))
  number=$(awk -F'|' -v row=$row '/^## / { on = /The truth/ } on && NF == 6 && ++n == row + 2 { gsub(/ /, "", $3); print $3 }' README.md)
  [[ $name == *damping ]] && number=$(awk -v x="$number" 'BEGIN { print x/100 }')
  near "$name: the truth on the page" "$number" "$true" 1e-5
done <<<"$truth"
same "of nine 90 % intervals so many hold the truth" "$inside" 8

# ---- the first start has the values of the study, the others are spread over the bounds ----
within "evaluations of the start at the study's values; that in the middle of its slice took 67" \
  "$(values local/tables/calibrate_starts.csv evaluations | head -n 1)" 5 40

# ---- without noise ----
sed '/      noise: 5e-3/d; s/starts: 6/starts: 1/; /- predict:/d' study.yaml >trusting.yaml
check "without noise, standard errors are said to trust the model" grep -q 'standard errors suppose that the model of the measured impacts is good to 0.000' \
  <<<"$("$microslip" run trusting.yaml --out trusting 2>&1)"
same "... with noise they are not" "$(jq -r '.analyses[] | select(.kind == "calibrate") | .status' local/summary.json)" complete

# ---- the prediction ----
within "held out: damping, rms" "$(values local/tables/predict_errors.csv zeta_rms | largest)" 0 0.02
within "held out: frequency, rms" "$(values local/tables/predict_errors.csv omega_rms | largest)" 0 2e-4
within "held out: amplitude, rms" "$(values local/tables/predict_errors.csv amplitude_rms | largest)" 0 0.01
same "nothing else that is measured has been used" "$(values local/tables/predict_errors.csv points | paste -sd' ')" '3 9 14'
drawn "held-out.svg: as it is drawn today" "$source_dir/examples/hammer-to-joint/held-out.svg" local/figures/predict-2.svg

finish
