#!/bin/bash
# Shocks at several levels, read as ring-downs; the spectrogram of one of them; levels of sweeps in equal
# ratios. A linear oscillator has the answers, and an Iwan element brings the joint's.
# shellcheck disable=SC2016 # awk and jq have dollars of their own
source "$(dirname "$0")/checks.sh"

study() { # JOINTS, analyses on standard input
  cat <<Y
microslip: 1
units: {acceleration: g}
structure: {chain: {masses: {u: 2.385}, springs: [[ground, u, 31700]]}, damping: {modal: 0.0071}}
$1
loads:
  drop: {haversine: {amplitude: 0.1, frequency: 23.1}, base: true}
  push: {constant: {amplitude: 1}, at: u}
analyses:
Y
  cat
}
study '' >linear.yaml <<'Y'
  - shock: {load: drop, levels: {from: 0.5, to: 8, count: 3}, mode: 1, time: {step: 2.1e-4, steps: 20000, method: exponential}, segments: 20}
  - transient: {loads: [drop], time: {step: 2.1e-4, steps: 20000}, record: {channels: [u.acceleration]}}
  - spectrogram: {channel: u.acceleration, window: 0.61, range: [5, 40]}
  - sweep: {base: true, mode: 1, levels: {from: 0.01, to: 1, count: 3}, directions: [up], from: 12, to: 26, duration: 41.3, step: 1.31e-3, method: exponential}
Y
runs "linear: runs" linear.yaml linear
read -r omega damped < <(awk 'BEGIN { w = sqrt(31700/2.385); printf "%.12g %.12g", w, w*sqrt(1 - 0.0071^2) }')
report "linear: omega of every row is that of the damped oscillator, zeta that of the study" \
  "$(columns linear/tables/shock.csv omega zeta | awk -v w="$damped" '{ a = $1/w - 1; b = $2/0.0071 - 1; n++
    if (a*a > 1e-10 || b*b > 1e-6) print $0 } END { if (n < 30) print n " rows" }')"
same "linear: three levels, a factor of four apart" \
  "$(columns linear/tables/shock.csv source | sort -u | tr '\n' ' ')" 'drop x 0.5 drop x 2 drop x 8 '
near "linear: amplitudes as the levels" \
  "$(columns linear/tables/shock.csv time q | awk 'NR == 1 { t = $1; first = $2 } $1 == t { last = $2 } END { printf "%.12g", last/first }')" 16 1e-9
# u after the pulse from Duhamel's integral, undamped but for the decay: -int a(s) sin(w(t-s)) ds/w
near "linear: the first row's amplitude" \
  "$(columns linear/tables/shock.csv time q | head -n 1 | awk '{ printf "%.10g", $2/sqrt(2.385)*exp(0.0071*115.288*$1) }')" \
  "$(awk -v w="$omega" 'BEGIN { pi = atan2(0, -1); T = 1/23.1; n = 20000; h = T/n; z = 0.0071; for (i = 0; i < n; i++) { s = (i + 0.5)*h
    a = 0.5*9.80665*0.1*(1 - cos(2*pi*s/T))/2*exp(z*w*s)*h; c += a*cos(w*s); d += a*sin(w*s) }; printf "%.10g", sqrt(c*c + d*d)/w }')" 2e-3
near "spectrogram: the largest line is the oscillator's" \
  "$(columns linear/tables/spectrogram_ridge.csv f | awk '{ s += $1; n++ } END { printf "%.10g", s/n }')" \
  "$(awk -v w="$omega" 'BEGIN { printf "%.10g", w/(2*atan2(0, -1)) }')" 0.012
near "spectrogram: its decay" \
  "$(columns linear/tables/spectrogram_ridge.csv time amplitude | awk 'NR == 3 { t = $1; a = $2 } NR == 13 { printf "%.10g", log(a/$2)/($1 - t) }')" \
  "$(awk -v w="$omega" 'BEGIN { printf "%.10g", 0.0071*w }')" 1e-3
same "sweep: levels in equal ratios" \
  "$(columns linear/tables/sweep.csv level | awk '{ printf "%.9g ", $1/9.80665 }')" '0.01 0.1 1 '

# ---- an Iwan element: a backbone reads the shocks, by both transforms ----
joint='joints: {lap: {law: iwan4, between: [ground, u], F_S: 21, K_T: 13100, chi: -0.4, beta: 1.3}}'
study "$joint" >iwan.yaml <<'Y'
  - shock: {load: drop, levels: [0.03, [0.3, 1e-4, 60000]], mode: 1, time: {step: 2.1e-4, steps: 30000, method: exponential}}
  - backbone: {methods: [epmc, ringdown_hilbert, ringdown_stft], from: shock, amplitudes: {from: 1e-6, to: 1e-2, points: 60}}
Y
runs "iwan: runs" iwan.yaml iwan
for method in ringdown_hilbert ringdown_stft; do
  report "$method of the shocks against nonlinear modes: 0.1 % in omega, 1.5 % in zeta, in the middle" \
    "$(awk -F, -v m=$method '$2 == m { n++; if ($4*$4 > 1e-6 || $6*$6 > 2.25e-4) print } END { if (n != 1) print n " rows" }' iwan/tables/backbone_differences.csv)"
done
same "both levels are in it" "$(columns iwan/tables/shock.csv source | sort -u | tr '\n' ' ')" 'drop x 0.03 drop x 0.3 '

# ---- refused ----
refused() { # WORDS ANALYSES
  study "$joint" <<<"$2" >bad.yaml
  refuses "refused: $1" "$1" bad.yaml
}
shock='load: drop, levels: [1], mode: 1, time: {step: 1e-3, steps: 1000}'
refused "must end before the run does" "  - shock: {${shock/drop/push}}"
refused "must end before the run does" "  - shock: {${shock/1000/40}}"
# The time of the study resolves the pulse; that of one level has a step longer than it.
brief=${shock/drop/tap}
refuses_level() { # WORDS LEVEL
  study "$joint" <<<"  - shock: {${brief/\[1\]/[1, $2]}}" | sed 's/^loads:/&\n  tap: {haversine: {amplitude: 0.1, frequency: 200}, at: u}/' >bad.yaml
  if [[ $1 ]]; then refuses "a level's own step: $1" "$1" bad.yaml; else check "a level's own step: $2" "$microslip" check bad.yaml; fi
}
refuses_level 'the pulse lasts 0.005 s, 0.833 steps: it falls between the steps' '[0.3, 0.006, 1000]'
refuses_level '' '[0.3, 1.2e-3, 1000]'
refuses_level 'must end before the run does, at 0.005 s' '[0.3, 1e-4, 50]'
refuses_level '' '[0.3, 1e-4, 51]'
refused "there is no mode 2" "  - shock: {${shock/mode: 1/mode: 2}}"
refused "a level" "  - shock: {${shock/\[1\]/[-1]}}"
refused "no load 'drip'" "  - shock: {${shock/drop/drip}}"
refused "'modes' is a modes; name a modal_ringdown or shock" "  - modes
  - backbone: {methods: [ringdown_hilbert], from: modes}"
transient='transient: {loads: [drop], time: {step: 1e-3, steps: 1000}, record: {channels: [u]}}'
refused "transient does not record 'v'" "  - $transient
  - spectrogram: {channel: v, window: 0.1, range: [1, 9]}"
refused "needs an analysis of kind transient" "  - spectrogram: {channel: u, window: 0.1, range: [1, 9]}"
refused "range is two numbers, the lower first" "  - $transient
  - spectrogram: {channel: u, window: 0.1, range: [9, 1]}"
refused "overlap must be" "  - $transient
  - spectrogram: {channel: u, window: 0.1, overlap: 1, range: [1, 9]}"

finish
