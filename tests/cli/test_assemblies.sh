#!/bin/bash
# Repeated assemblies: a scatter of calibrations, each of one assembly, and what propagate makes of
# it; what is refused.
source "$(dirname "$0")/checks.sh"

head2() {
  cat <<'END'
microslip: 1
structure:
  chain: {masses: {u: 1.3}, springs: [[ground, u, 1e6]]}
  damping: {modal: 1e-3}
joints: {lap: {law: iwan4, between: [ground, u], F_S: 1900, K_T: 2.4e7, chi: -0.42, beta: 1.3}}
analyses:
END
}

# Ten specimens, as tests of ten assemblies.
{
  head2
  cat <<'END'
  - specimens:
      joint: lap
      specimens: 10
      forces: {from: 90, to: 1300, count: 12}
      noise: [0.002, 0.01]
      seed: 5
      random: {K_T: {mean: 2.4e7, deviation: 2.1e6}, chi: {mean: -0.42, deviation: 0.07}}
END
} >made.yaml
same "tests are made" "$(run_study made)" ''
for ((k = 1; k <= 10; k++)); do
  awk -F, -v k=$k 'NR == 1 || $1 == k' made/tables/specimens.csv >test$k.csv
done

calibrations() { # FIRST LAST [PARAMETERS] [METHOD]
  local k parameters='lap.K_T: [5e6, 1e8], lap.chi: [-0.9, -0.05]'
  for ((k = $1; k <= $2; k++)); do
    echo "  - calibrate: {name: a$k, parameters: {${3:-$parameters}}, noise: 0.01, starts: 2,
      ${4:-} targets: [{joint_test: test$k.csv, joint: lap}]}"
  done
}
scatter() { # LAST [MORE]
  echo "  - scatter: {assemblies: [$(seq -s, -f 'a%g' 1 "$1")]${2:-}}"
}
{
  head2
  calibrations 1 10
  scatter 10
  cat <<'END'
  - propagate: {random: scatter, amplitudes: [1e-6, 1e-5], samples: 2000}
  - propagate: {name: one, random: {lap.K_T: scatter}, amplitudes: [1e-6], samples: 40}
END
} >study.yaml
same "ten assemblies" "$(run_study study)" ''
keep study
same "columns without a meaning" "$(without_meaning study)" ''
t=study/tables
same "parameters and families" "$(cut -d, -f1,3 $t/scatter.csv | tr '\n' ' ')" 'parameter,family lap.K_T,lognormal lap.chi,lognormal '
same "an estimate of each assembly" "$(awk -F, 'NR > 1 && $4 > 0' $t/scatter_specimens.csv | wc -l)" 20
same "estimates are those of the calibrations" "$(values $t/scatter_specimens.csv value 7 lap.chi)" "$(parameter $t/a7.csv lap.chi value)"
for parameter in 'lap.K_T 2.4e7 2.1e6' 'lap.chi -0.42 0.07'; do
  read -r name mean deviation <<<"$parameter"
  within "$name: mean in the interval" $mean "$(parameter $t/scatter.csv $name mean_low)" "$(parameter $t/scatter.csv $name mean_high)"
  within "$name: standard deviation in the interval" $deviation "$(parameter $t/scatter.csv $name deviation_low)" \
    "$(parameter $t/scatter.csv $name deviation_high)"
done
# Errors of 0.3 % beside a scatter of 9 %: mean and deviation of the logarithms of the estimates.
logs=$(awk -F, '$2 == "lap.K_T" { x = log($3); n++; s += x; q += x*x } END { m = s/n; print m, sqrt((q - n*m*m)/(n - 1)) }' $t/scatter_specimens.csv)
near "mean of ln K_T" "$(parameter $t/scatter.csv lap.K_T a)" "${logs% *}" 1e-4
near "standard deviation of ln K_T" "$(parameter $t/scatter.csv lap.K_T b)" "${logs#* }" 0.01
# propagate: 2000 joints of these distributions, as correlated as the scatter says
found=$(awk -F, 'NR > 1 { x = log($3); y = log($4 + 1); n++; a += x; b += y; p += x*x; q += y*y; r += x*y }
  END { a /= n; b /= n; p = p/n - a*a; q = q/n - b*b; print a, sqrt(p), (r/n - a*b)/sqrt(p*q) }' $t/propagate_samples.csv)
read -r mean deviation correlation <<<"$found"
near "propagate draws ln K_T with its mean" "$mean" "$(parameter $t/scatter.csv lap.K_T a)" 1e-3
near "and standard deviation" "$deviation" "$(parameter $t/scatter.csv lap.K_T b)" 0.06
want=$(cells $t/scatter_correlation.csv 0 correlation)
report "and correlation" "$(awk -v a="$correlation" -v b="$want" 'BEGIN { if (!(b*b > 0.01 && (a - b)^2 < 0.07^2)) print a, "is not", b }')"
same "one parameter of it" "$(wc -l <$t/one_samples.csv)" 41

# ---- refused ----
{
  head2
  calibrations 1 3
  scatter 3
} >bad.yaml
"$microslip" run bad.yaml --out bad >out 2>error
same "three assemblies" "$(grep -c '3 assemblies: a distribution needs 4 of them at least' error)" 1
{
  head2
  calibrations 1 4
  calibrations 5 5 'lap.chi: [-0.9, -0.05], lap.K_T: [5e6, 1e8]'
  scatter 5
} >bad.yaml
refused_bad 'a5 has other parameters than a1, or another order of them'
{
  head2
  calibrations 1 3
  calibrations 4 4 '' 'method: nsga2,' | sed 's/noise: 0.01, starts: 2,//'
  scatter 4
} >bad.yaml
refused_bad 'a4 is a Pareto front, without standard errors'
{
  head2
  calibrations 1 4
  scatter 4 ', draws: 100'
} >bad.yaml
refused_bad "draws"
{
  head2
  echo '  - scatter: {joint: lap, from: test1.csv}'
} >bad.yaml
refused_bad 'scatter needs joint, from and parameters; or assemblies'

finish
