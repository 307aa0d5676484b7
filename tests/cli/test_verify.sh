#!/bin/bash
# calibrate with verify: solutions simulated in time. The reference is another study whose joints have the
# solution's numbers, run by the same shocks; differences from targets are found again from the tables.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"

head3() { # DAMPING LAP
  cat <<END
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
$1
joints:
  lap: {law: iwan4, between: [u2, u3], $2}
loads: {hit: {half_sine: {amplitude: 9, duration: 2.385}, at: u2}}
analyses:
  - shock: {load: hit, levels: [0.7, 3.1], mode: 2, segments: 40, time: {step: 0.02, steps: 30000}}
END
}
damping='  damping: {modal: 4e-4}'
known='F_S: 10, K_T: 1, chi: -0.5, beta: 5'
free='{lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}'
calibrations() { # TARGET
  cat <<END
  - calibrate: {name: fit, starts: 6, parameters: $free, targets: [$1], verify: shock}
  - calibrate: {name: search, method: nsga2, points: 20, generations: 8, seed: 5, parameters: $free, targets: [$1], verify: {from: shock, damping: joint}}
END
}
{
  head3 "$damping" "$known"
  echo '  - backbone: {modes: [2], methods: [qsma], amplitudes: {from: 0.05, to: 100, points: 60}}'
  calibrations '{mode: 2, from: backbone}'
} >study.yaml
report "runs" "$(run_study study)"
t=study/tables

# ---- a perfect fit rings as the study does ----
pick() { values "$1" "$4" "$2" "$3" | largest; } # TABLE TARGET SOLUTION COLUMN
within "the fit against the study's own runs, frequency" "$(pick $t/fit_verified.csv study fit frequency_largest)" 0 1e-9
within "the fit against the study's own runs, damping" "$(pick $t/fit_verified.csv study fit damping_largest)" 0 1e-6
same "the study's own runs are those of the shock" \
  "$(awk -F, '$1 == "study" { print $4, $5, $6, $7 }' $t/fit_ringdowns.csv)" \
  "$(awk -F, 'NR > 1 { print $3, $4, $5, $6 }' $t/shock.csv)"
same "both runs of every set have a row" "$(awk -F, 'NR > 1 { print $1 "/" $2 }' $t/search_verified.csv | sort | uniq -c | awk '{ printf "%s ", $1 }')" '2 2 2 2 2 2 2 '

# ---- the knee, without the structure's damping: another study with its numbers ----
numbers=$(awk -F, 'NR > 1 { sub("lap.", "", $1); printf "%s%s: %s", (NR > 2 ? ", " : ""), $1, $2 }' $t/search.csv)
head3 '' "$numbers" >knee.yaml
report "a study with the knee's numbers runs" "$(run_study knee)"
points() { awk -F, -v s="$2" '$1 == s { print $4, $5, $6, $7 }' "$1" | tr '\n' ' '; }
report "the knee's ring-downs are those of that study" \
  "$(off "$(points $t/search_ringdowns.csv knee)" "$(awk -F, 'NR > 1 { print $3, $4, $5, $6 }' knee/tables/shock.csv | tr '\n' ' ')" 1e-9)"
within "and not the study's" \
  "$(pick $t/search_verified.csv study knee frequency_largest)" 1e-6 1

# ---- differences: the target's joint part at the decay's amplitudes, interpolated in ln q ----
difference() { # SOLUTION RUN: rms of frequency and damping
  awk -F, -v s="$1" -v r="$2" '
    FNR == 1 { file++; for (i = 1; i <= NF; i++) { name = $i; sub(/ .*/, "", name); at[file, name] = i }; next }
    file == 1 { n++; q[n] = $at[1, "q"]; w[n] = $at[1, "omega"]; z[n] = $at[1, "zeta_joint"]; next }
    $1 == s && $2 == r { x = $at[2, "q"]; i = 1
      if (x < q[1] || x > q[n]) next
      while (q[i + 1] < x) i++
      part = log(x/q[i])/log(q[i + 1]/q[i]); m++
      a += ($at[2, "omega"]/(w[i] + part*(w[i + 1] - w[i])) - 1)^2
      b += ($at[2, "zeta"]/exp(log(z[i]) + part*log(z[i + 1]/z[i])) - 1)^2 }
    END { printf "%.12g %.12g\n", sqrt(a/m), sqrt(b/m) }' $t/backbone.csv $t/search_ringdowns.csv
}
for run in "hit x 0.7" "hit x 3.1"; do
  report "differences of the knee, $run" "$(off "$(awk -F, -v r="$run" '$2 == "knee" && $3 == r && $1 != "study" { print $5, $7 }' $t/search_verified.csv)" "$(difference knee "$run")" 1e-8)"
done
near "the summary has them" "$(jq -r '.analyses[] | select(.name == "search") | .verified[] | select(.target != "study" and .solution == "knee") | .frequency_rms' study/summary.json | head -n 1)" \
  "$(awk -F, '$2 == "knee" && $1 != "study" { print $5; exit }' $t/search_verified.csv)" 1e-14
same "the report says so" "$(grep -c 'Verification in time: the runs of shock without' study/report.html)" 1

# ---- from a table: the study is not known to be what the target is of ----
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) { name = $i; sub(/ .*/, "", name); at[name] = i }; print "q,omega,zeta_joint"; next }
  { print $at["q"] "," $at["omega"] "," $at["zeta_joint"] }' $t/backbone.csv >target.csv
{
  head3 "$damping" "$known"
  calibrations '{mode: 2, from: target.csv, damping: joint}'
} >table.yaml
report "from a table" "$(run_study table)"
same "no study among the solutions" "$(cut -d, -f2 table/tables/fit_verified.csv | sort -u | tr '\n' ' ')" 'fit solution '
near "joint part and total agree" "$(pick table/tables/fit_verified.csv 'mode 2 of target.csv' fit damping_rms)" \
  "$(pick $t/fit_verified.csv 'mode 2 of backbone' fit damping_rms)" 1e-3

# ---- from modal ring-downs, of which one mode is looked at ----
{
  head3 "$damping" "$known" | sed '$d'
  cat <<END
  - modal_ringdown: {modes: [2, 3], levels: {2: [3.1], 3: [1.7]}, time: {step: 0.02, steps: 30000}}
  - calibrate: {starts: 6, parameters: $free, targets: [{mode: 2, from: target.csv, damping: joint}], verify: modal_ringdown}
END
} >modal.yaml
report "from modal ring-downs" "$(run_study modal)"
same "the target's mode alone is compared" "$(awk -F, 'NR > 1 { print $2, $3 }' modal/tables/calibrate_verified.csv)" 'fit p=3.1 stuck'
report "and rings as the study's" "$(off \
  "$(awk -F, '$3 == 2 { print $4, $5, $6, $7 }' modal/tables/calibrate_ringdowns.csv | tr '\n' ' ')" \
  "$(awk -F, '$1 == 2 { print $3, $4, $5, $6 }' modal/tables/modal_ringdown.csv | tr '\n' ' ')" 1e-5)"

# ---- threads ----
"$microslip" run study.yaml --out two --threads 2 >out 2>error
same "two threads give the same files" "$(diff -rq study two)" ''

# ---- refusals ----
sed 's/verify: shock}/verify: nothing}/' study.yaml >bad.yaml
refused_bad "nothing"
sed 's/verify: shock}/verify: backbone}/' study.yaml >bad.yaml
refused_bad "'backbone' is a backbone; name a modal_ringdown or a shock"
sed 's/damping: joint}}/damping: some}}/' study.yaml >bad.yaml
refused_bad "damping 'some' is none of total, joint"
sed 's/{from: shock, damping: joint}/{damping: joint}/' study.yaml >bad.yaml
refused_bad 'from'

finish
