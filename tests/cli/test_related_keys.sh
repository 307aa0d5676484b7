#!/bin/bash
# Keys that are right each alone and wrong together: refused by check, with place and reason; and just inside
# the limit accepted.
source "$(dirname "$0")/checks.sh"

# Two equal halves, each on a joint: in mode 2 they move against each other.
cat > study.yaml <<'E'
microslip: 1
structure:
  chain:
    masses: {u1: 1.13, u2: 1.13}
    springs: [[ground, u1, 1031], [u1, u2, 514], [u2, ground, 1031]]
  damping: {modal: 0.003}
joints:
  a: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u1]}
  b: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [ground, u2]}
loads:
  knock: {haversine: {amplitude: 3.1, duration: 0.083}, at: u1}
  rattle: {noise: {rms: 0.31, high: 31, seed: 7}, at: u1}
  aside: {noise: {rms: 0.31, high: 31, seed: 7}, at: u2}
  shaken: {noise: {rms: 0.31, high: 31, seed: 7}, base: {u1: 1, u2: 1}}
analyses:
  - backbone: {modes: [1], methods: [qsma, epmc], amplitudes: {from: 0.001, to: 0.1, points: 4}}
  - stepped_sine: {load: {at: [u1, u2]}, levels: [0.1, 0.3], modes: [1]}
  - sweep: {at: u1, mode: 1, levels: [0.7], from: 3, to: 7, duration: 60, step: 0.002}
  - transient: {loads: [knock], time: {step: 0.002, steps: 1000}, record: {channels: [u1, u2]}}
  - frf: {at: u1, sensor: u1, range: [1, 20], test: {load: rattle, step: 0.002, steps: 4000}}
  - modal_ringdown: {modes: [1, 2], levels: {1: [23], 2: [31]}, time: {step: 0.002, steps: 9000}}
  - impact_test: {at: [u1], levels: [17], time: {step: 0.002, steps: 9000}, compare: modal_ringdown}
E
good() { # TEXT KEY=VALUE...
  local text=$1 set=()
  shift
  for s in "$@"; do set+=(--set "analyses.$s"); done
  check "$text" "$microslip" check study.yaml "${set[@]}"
}
bad() { # TEXT WORDS KEY=VALUE...
  local text=$1 words=$2 set=()
  shift 2
  for s in "$@"; do set+=(--set "analyses.$s"); done
  refuses "$text" "$words" study.yaml "${set[@]}"
}

good "all is well"
bad "a range that ends where it begins" 'to must be above from' 0.backbone.amplitudes.to=0.001
bad "time points of a backbone" '31 time points are too few for 7 harmonics; at least 32 are needed' 0.backbone.times=31
good "just enough" 0.backbone.times=32
bad "harmonics for the usual time points" 'time points are too few for 300 harmonics; at least 1204 are needed' \
  0.backbone.harmonics=300
bad "a preload that is a number" 'preload must be {degree of freedom: force}' 0.backbone.preload=3
bad "sensitivities of another method" "sensitivities are qsma's" 0.backbone.methods=epmc 0.backbone.sensitivities=true
bad "no method" 'methods is an empty list' '0.backbone.methods=[]'
bad "one method twice" 'methods has an entry twice' '0.backbone.methods=[qsma, qsma]'
bad "both masses pushed alike" 'the load does no work on mode 2' '1.stepped_sine.modes=[1, 2]'
good "one of them" '1.stepped_sine.modes=[1, 2]' '1.stepped_sine.load={at: u1}'
bad "time points of a balance" 'times must be a whole number >= 32 for 7 harmonics, not 31' 1.stepped_sine.times=31
good "just enough" 1.stepped_sine.times=32
bad "a preload that is a number" 'preload must be {degree of freedom: force}' 1.stepped_sine.preload=3
bad "more steps than can be kept" 'steps are too many to keep; at most 1e8' 2.sweep.step=3e-7
bad "a channel twice" "channel 'u1' is there already" '3.transient.record.channels=[u1, u2, u1]'
bad "channels that are none" 'channels must be a list of names' '3.transient.record.channels=[]'
bad "more steps than can be counted" 'steps is too large: 1e+16' 3.transient.time.steps=1e16
bad "a test that pushes elsewhere" "load aside does not act where the response is asked for: see 'u1'" \
  4.frf.test.load=aside
bad "a test that moves the base" "load shaken is a base's acceleration, the response asked for that of a force" \
  4.frf.test.load=shaken
bad "a mode without levels" 'levels lack mode 2' '5.modal_ringdown.levels={1: [23]}'
bad "levels of neither kind" 'mode 2 needs stuck or slipped levels' '5.modal_ringdown.levels={1: [23], 2: {}}'
bad "what has no curves" "'transient' is a transient; name a modal_iwan or modal_ringdown" 6.impact_test.compare=transient

# Two masses that nothing holds to ground: mode 1 is that of a rigid body, mode 2 is not.
cat > free.yaml <<'E'
microslip: 1
structure: {chain: {masses: {u1: 1.13, u2: 0.87}, springs: [[u1, u2, 514]]}, damping: {modal: 0.003}}
joints: {lap: {law: iwan4, F_S: 1.7, K_T: 137, chi: -0.37, beta: 1.1, between: [u1, u2]}}
loads: {knock: {haversine: {amplitude: 3.1, duration: 0.083}, at: u1}}
analyses: [modes]
E
printf 'q,omega,zeta\n0.001,36.2,0.004\n0.002,36.1,0.005\n0.004,36.0,0.006\n0.008,35.8,0.008\n' > curve.csv
time='time: {step: 0.002, steps: 900}'
while IFS='|' read -r name words options; do
  for mode in 1 2; do
    "$microslip" check free.yaml --set "analyses=[{$name: ${options//MODE/$mode}}]" > out 2> error
    fault=$([[ $? == $((mode == 1 ? 2 : 0)) ]] || echo "another exit code: $(head -n 1 error)")
    [[ $mode == 2 ]] || grep -qF -- "$words" error || fault+="no '$words' in: $(head -n 1 error)"
    report "$name: mode $mode of a free structure" "$fault"
  done
done <<E
backbone|mode 1 is a rigid-body mode: it has no frequency|{modes: [MODE], methods: [qsma], amplitudes: [0.01, 0.02]}
stepped_sine|mode 1 is a rigid-body mode and has no resonance|{load: {at: u1}, levels: [0.1], modes: [MODE]}
modal_ringdown|mode 1 is a rigid-body mode and does not ring|{modes: [MODE], levels: {MODE: [3]}, $time}
shock|mode 1 is a rigid-body mode and does not ring|{load: knock, levels: [2.3], mode: MODE, $time}
impact_test|mode 1 is rigid and has no period|{at: [u1], levels: [3], modes: [2], pulse_mode: MODE, $time}
propagate|mode 1 is a rigid-body mode: it has no frequency|{modes: [MODE], random: {lap.K_T: {family: lognormal, mean: 137, deviation: 9}}, amplitudes: [0.01], samples: 20}
calibrate|mode 1 is a rigid-body mode: it has no frequency|{parameters: {lap.K_T: [97, 1900]}, targets: [{mode: MODE, from: curve.csv}]}
E

# ---- ringdown: a file or a transient, and a channel of it ----
ring() { # OPTIONS
  sed '/^  - \(backbone\|stepped\|sweep\|frf\|modal_\|impact\)/d' study.yaml
  echo "  - ringdown: {mode: 1$1}"
}
while IFS='|' read -r words options; do
  ring "$options" >ring.yaml
  report "ringdown$options" "$("$microslip" check ring.yaml 2>&1 | grep -qF -- "$words" || "$microslip" check ring.yaml 2>&1)"
done <<'E'
valid|, from: transient, channel: u2
needs either file, a record, or from|, channel: u2
needs either file, a record, or from|, from: transient, file: a.csv
channel must be a displacement, velocity or acceleration that transient records|, from: transient, channel: u3
channel must be a displacement, velocity or acceleration that transient records|, from: transient
kind is for files|, from: transient, channel: u2, kind: velocity
unit is for files|, from: transient, channel: u2, unit: mm
rate is for files|, from: transient, channel: u2, rate: 7
E

# ---- the smallest study of an analysis, changed in one place ----
# STUDY|WORDS|KEY=VALUE; KEY=VALUE...: refused with these words, without words accepted. Digits begin a key of analyses.
awk 'BEGIN { print "t,force,acc [m/s^2],vel [m/s]"; for (i = 0; i < 4000; i++) printf "%.3f,%g,%g,%g\n", i/1000, i%7, i%5, i%3 }' >record.csv
awk 'BEGIN { print "t,hammer [N],acc [m/s^2]"; for (i = 0; i < 4000; i++) printf "%.3f,%g,%g\n", i/1000, i%7, i%5 }' >units.csv
printf 'frequency [Hz],force [N],amplitude [m/s^2],phase [deg]\n58,1,2,90\n60,1,3,80\n62,1,2,70\n' >swept.csv
awk 'BEGIN { print "amplitude [m],loss [J],spread [J]"; for (i = 1; i < 12; i++) printf "%g,%g,%g\n", i*1e-6, i*i*i*1e-9, i*1e-11 }' >losses.csv
list() { seq -f "$2" -s ', ' "$1"; } # COUNT FORMAT
copies() { list "$1" '%g' | sed "s/[0-9][0-9]*/$2/g"; } # COUNT TEXT
free='structure.chain.springs=[[left, right, 2.5e5]]'
mm='units={length: mm, mass: tonne, force: N, time: s}'
symmetric='structure.chain={masses: {left: 1, middle: 1, right: 1}, springs: [[ground, left, 1e5], [left, middle, 1e5], [middle, right, 1e5], [right, ground, 1e5]]}'
target='parameters: {lap.F_S: [5, 80]}, targets:'
drawn='{specimens: {joint: lap, random: {F_S: {mean: 20, deviation: 3}}, forces: [1, 2, 3], specimens: 12}}, {scatter: {joint: lap, from: specimens, parameters: {F_S: [16, 60]}}}'
springs='[structure.chain.springs.0.2, structure.chain.springs.1.2]'
measured='range: [20, 200], measured: {file: record.csv, input'
plain='joint: lap, sensors: [left.acceleration, right.acceleration]'
stiff=structure.chain.springs.0.2
normal='between: [ground, left], K_n: 1e7, preload: 100'
while IFS='|' read -r study words changes; do
  [[ -f new-$study.yaml ]] || "$microslip" new "$study" >"new-$study.yaml"
  set=()
  while read -r change; do
    [[ $change != [0-9]* ]] || change=analyses.$change
    set+=(--set "$change")
  done <<<"${changes//; /$'\n'}"
  if [[ $words ]]; then
    refuses "$study: ${changes::120}" "$words" "new-$study.yaml" "${set[@]}"
  else
    check "$study: ${changes::120}: accepted" "$microslip" check "new-$study.yaml" "${set[@]}"
  fi
done <<E
force_state|there must be 1 to 32 sensors|1.force_state.sensors=[]
force_state|--set: there must be 1 to 32 sensors|1.force_state.sensors=[$(copies 33 left.acceleration)]
force_state||1.force_state.sensors=[$(copies 32 left.acceleration)]
hammer_test|hits is a mapping, e.g. {tip: {at: u3, file: tip.csv, force: hammer}}|1.hammer_test.hits=[blow]
hammer_test|hits is a mapping|1.hammer_test.hits={}
hammer_test|new-hammer_test.yaml:26:38: transient records no force of one load|0.transient.record.channels=[left.acceleration, right.acceleration]
hammer_test|new-hammer_test.yaml:28:15: 1 sensors do not tell 2 modes apart|1.hammer_test.sensors={left: left.acceleration}
hammer_test||1.hammer_test.sensors={left: left.acceleration}; 1.hammer_test.modes=[2]
hammer_test|new-hammer_test.yaml:28:15: mode 1 is a rigid-body mode: it does not ring|$free
hammer_test||$free; 1.hammer_test.modes=[2]
identify_density|--set: at most 8 preloads|1.identify_density.preloads={from: 3, to: [$(list 9 %g)]}
identify_density||1.identify_density.preloads={from: 3, to: [$(list 8 %g)]}
identify_density|preloads 5 and 5.000001 are the same to six digits|1.identify_density.preloads={from: 3, to: [5, 5.000001]}
identify_density||1.identify_density.preloads={from: 3, to: [5, 5.00001]}
impact_test|--set: levels for left, which is not hit|0.impact_test.levels={left: [3]}
impact_test||0.impact_test.levels={right: [3]}
impact_test|--set: levels lack left|0.impact_test.at=[left, right]; 0.impact_test.levels={right: [3]}
impact_test|--set: a level is a height, or [height, step, steps]|0.impact_test.levels=[[400, 1e-4]]
impact_test||0.impact_test.levels=[[400, 1e-4, 300]]
impact_test|--set: a level is a height, or [height, step, steps]|0.impact_test.levels=[[400, 1e-4, 300, 1]]
rod|new-rod.yaml:3:5: 1001 runs; 1000 are the most|0.rod.omega=[$(list 7 0.%g)]; 0.rod.amplitude=[$(list 11 0.0%g)]; 0.rod.masses=[$(list 13 %g0)]
rod||0.rod.omega=[$(list 10 0.%g)]; 0.rod.amplitude=[$(list 10 0.0%g)]; 0.rod.masses=[$(list 10 %g0)]
scatter|--set: separate is true, or a list of parameters such as [chi]|1.scatter.separate=3
scatter||1.scatter.separate=false
scatter|parameters are 1 to 16 of parameter: [lowest, highest]|1.scatter.parameters=[]
scatter|--set: noise is one number, or [of stiffness, of dissipation]|1.scatter.noise=[0.1, 0.2, 0.3]
scatter||1.scatter.noise=[0.1, 0.2]
scatter|random is 1 to 32 of parameter: {mean: ..., deviation: ...}|0.specimens.random={}
scatter|--set: forces must rise|0.specimens.forces=[1, 2, 2]
scatter||0.specimens.forces=[1, 2, 2.001]
scatter|new-scatter.yaml:16:14: joint 'lap' is not one law on one axis|joints.lap={laws: [{law: jenkins, F_S: 20, K_T: 2e4}, {law: linear, K: 3}], between: [left, right]}
scatter|--set: R is in N/m^(2+chi), which is not converted: use SI units|$mm; 1.scatter.parameters={R: [1, 9]}
propagate|--set: scatter has no distribution of K_T|analyses=[$drawn, {propagate: {random: {lap.K_T: scatter}, amplitudes: [1e-6, 1e-5], modes: [1]}}]
propagate||analyses=[$drawn, {propagate: {random: {lap.F_S: scatter}, amplitudes: [1e-6, 1e-5], modes: [1]}}]
stepped_sine|levels must be a number or a list of numbers|0.stepped_sine.levels=[]
stepped_sine|count must be a whole number >= 2, not 1|0.stepped_sine.levels.count=1
stepped_sine||0.stepped_sine.levels.count=2
stepped_sine|--set: level 0 must be > 0|0.stepped_sine.levels=[0, 1]
sweep|new-sweep.yaml:17:13: mode 1 is rigid and does not resonate|$free
sweep||$free; 0.sweep.mode=2
transient|--set: a row every 20001 steps is none in a run of 20000|0.transient.record.every=20001
transient||0.transient.record.every=20000
transient|record needs every or rate, not both|0.transient.record={every: 2, rate: 50, channels: [left]}
transient|--set: initial u must be {degree of freedom: value}|0.transient.initial={u: 3}
transient|load impact must be a mapping, e.g. {half_sine: {amplitude: 10, duration: 1e-3}, at: u2}|loads.impact=3
transient|half_sine must be a mapping with keys such as 'amplitude'|loads.impact.half_sine=3
transient|--set: load impact has a function of time already; other keys are at, mode, shape and base|loads.impact.sine={amplitude: 3, frequency: 7}
transient|--set: frequency has 2 values, others have 3|loads.m={multisine: {amplitude: [1, 2, 3], frequency: [3, 4], phase: 0}, at: left}
transient||loads.m={multisine: {amplitude: [1, 2, 3], frequency: [3, 4, 5], phase: 0}, at: left}
transient|--set: load multisine: frequency 2, 0, must be > 0|loads.m={multisine: {amplitude: [1, 2], frequency: [3, 0], phase: 0}, at: left}
transient|--set: there is no mode 3; modes are 1 to 2|loads.m={half_sine: {amplitude: 1, pulse_mode: 3}, at: left}
transient||loads.m={half_sine: {amplitude: 1, pulse_mode: 2}, at: left}
transient|--set: mode 1 is rigid and has no period|$free; loads.m={half_sine: {amplitude: 1, pulse_mode: 1}, at: left}
transient|--set: normal must be a mapping, e.g. {between: [ground, y], K_n: 1e7, preload: 100}|joints.lap.normal=3
ringdown|--set: mode 2 does not move at 'middle': a sensor there does not see it|$symmetric; 1.ringdown.mode=2; 1.ringdown.at=middle
ringdown||$symmetric; 1.ringdown.mode=2; 1.ringdown.at=left
calibrate|targets is a list, e.g. [{mode: 2, from: measured.csv}]|1.calibrate.targets=[]
calibrate|--set: backbone has no curve of mode 2|1.calibrate.targets=[{mode: 2, from: backbone}]
calibrate|--set: backbone has no method 'rqnm'|1.calibrate.targets=[{mode: 1, from: backbone, curve: rqnm}]
calibrate||1.calibrate.targets=[{mode: 1, from: backbone, curve: epmc}]
calibrate|--set: modes has no curves: from is a backbone, modal_ringdown, ringdown, hammer_test or a table|analyses=[modes, {calibrate: {$target [{mode: 1, from: modes}]}}]
calibrate|parameters are 1 to 32 of joint.parameter: [lowest, highest]|1.calibrate.parameters={}
calibrate|--set: R is in N/m^(2+chi), which is not converted: use SI units|$mm; 1.calibrate.parameters={lap.R: [1, 9]}
calibrate|--set: the structure has no joints|joints={}; analyses=[{calibrate: {$target [{mode: 1, from: curve.csv}]}}]
calibrate|--set: ringdown does not say where its record was measured|analyses=[{ringdown: {file: record.csv, channel: acc, mode: 1}}, {calibrate: {$target [{mode: 1, from: ringdown}]}}]
calibrate|--set: a ring-down sees the total damping|analyses=[{ringdown: {file: record.csv, channel: acc, mode: 1, at: right}}, {calibrate: {$target [{mode: 1, from: ringdown, damping: joint}]}}]
calibrate||analyses=[{ringdown: {file: record.csv, channel: acc, mode: 1, at: right}}, {calibrate: {$target [{mode: 1, from: ringdown}]}}]
update|parameters are 1 to 32 of path: [lowest, highest]|0.update.parameters={}
update|--set: parameters are 1 to 32 of path: [lowest, highest]|0.update.parameters=[k]
update|--set: at is a list of paths|0.update.parameters={k: {at: structure.chain.springs.0.2, bounds: [2e5, 8e5]}}
update||0.update.parameters={k: {at: $springs, bounds: [2e5, 8e5]}}
update|--set: 'structure.chain.springs.1.2' cannot be in proportion to a number that is 0|structure.chain.springs.0.2=0; 0.update.parameters={k: {at: $springs, bounds: [-2e5, 8e5]}}
update||structure.chain.springs.1.2=0; 0.update.parameters={k: {at: $springs, bounds: [2e5, 8e5]}}
update|--set: modes: 1 numbers for 2 modes|0.update.measured={frequencies: [61.9, 137.4], modes: [1]}
update||0.update.measured={frequencies: [61.9, 137.4], modes: [1, 2]}
frf|--set: transmissibility needs an absolute acceleration as output|analyses=[{frf: {base: true, sensor: right, quantity: transmissibility, $measured: acc, output: vel}}}]
frf||analyses=[{frf: {base: true, sensor: right, quantity: transmissibility, $measured: acc, output: acc}}}]
frf|--set: an analysis is a name, or {name: {options}}|analyses=[{modes: {}, frf: {}}]
force_state|--set: modes are those of method: plain; the exact one takes all|1.force_state.modes=2
force_state||1.force_state={$plain, method: plain, modes: 2}
force_state|--set: frequency must be one for all, or one for each of the 1 records|1.force_state.frequency=[80, 81]
force_state|--set: either from or files, not both|1.force_state.files=[record.csv]; 1.force_state.from=[steady]
force_state|--set: sensors must be a list of channels that the transients record|1.force_state.sensors={left: left.acceleration}
force_state|new-force_state.yaml:22:5: steady must have one load, a force, and record it|0.transient.record.channels=[left.acceleration, right.acceleration]
force_state|--set: sensors must be a mapping, {coordinate: channel of the files}|analyses=[{force_state: {$plain, files: [record.csv], load: left}}]
force_state|--set: force_state needs load: where the force of the files acts|analyses=[{force_state: {joint: lap, sensors: {left: acc}, force: hammer, files: [units.csv]}}]
force_state||analyses=[{force_state: {joint: lap, sensors: {left: acc, right: acc}, force: hammer, load: {at: left}, files: [units.csv]}}]
force_state|'lap.f' is not the motion of a coordinate|0.transient.record.channels=[left.acceleration, right.acceleration, lap.f, shaker]; 1.force_state.sensors=[lap.f]
hysteresis|--set: accelerations must be two channels, [inner, outer]|1.hysteresis.accelerations=[left.acceleration]
hysteresis|--set: accelerations must be two channels, [inner, outer]|1.hysteresis.accelerations=[left.acceleration, right.acceleration, lap.z]
hysteresis|--set: accelerations must be two channels, [inner, outer]|1.hysteresis.accelerations=left.acceleration
hysteresis|--set: 'lap.z' is no acceleration|1.hysteresis.accelerations=[left.acceleration, lap.z]
hysteresis|--set: frequency must be one for all, or one for each of the 1 transients|1.hysteresis.frequency=[80, 81]
identify_density|identify_density needs one of file, a table of losses, and from, an earlier analysis|1.identify_density={noise: 0.001}
identify_density|identify_density needs one of file, a table of losses, and from, an earlier analysis|1.identify_density.file=losses.csv
identify_density|of stepped_sine the losses of one joint are read: say which with joint|1.identify_density={from: stepped_sine}
identify_density|--set: mode is that of a stepped_sine under from|analyses=[modes, {identify_density: {file: losses.csv, mode: 1}}]
identify_density|--set: stepped_sine has no mode 2|1.identify_density.mode=2
identify_density||1.identify_density.mode=1
propagate|random is 1 to 32 of joint.parameter: {mean: ..., deviation: ...}, or the name of a scatter|0.propagate.random={}
propagate|gains are of hammer tests: curves have none|0.propagate.random={hammer.gain: {mean: 1, deviation: 0.01}}
scatter|--set: 'R' is none of the parameters|1.scatter.separate=[R]
scatter||1.scatter.separate=[chi]
scatter|there is no analysis 'drawn' before this one, and it is no file|1.scatter.from=drawn
scatter|scatter needs joint, from and parameters; or assemblies|1.scatter={from: specimens, parameters: {F_S: [16, 60]}}
scatter|scatter needs joint, from and parameters; or assemblies|1.scatter={joint: lap, parameters: {F_S: [16, 60]}}
scatter|scatter needs joint, from and parameters; or assemblies|1.scatter={joint: lap, from: specimens}
scatter|law iwan4 has no parameter 'mass'|0.specimens.random={mass: {mean: 20, deviation: 3}}
frf|frf needs one of at (force) and base (acceleration)|analyses=[{frf: {sensor: right, range: [20, 200]}}]
frf|--set: frf needs one of at (force) and base (acceleration)|0.frf.base=true
frf|--set: amplitudes are those of a mode: give mode|0.frf.amplitudes=[1e-5]
frf||0.frf.amplitudes=[1e-5]; 0.frf.mode=1
frf|--set: transmissibility is that of a moving base: give base in place of at|0.frf.quantity=transmissibility
frf|give test or measured, not both|loads={m: {noise: {rms: 1, high: 300, seed: 3}, at: right}}; 0.frf.test={load: m, step: 1e-3, steps: 9000}; 0.frf.measured={file: record.csv, input: force, output: acc}
frf||loads={m: {noise: {rms: 1, high: 300, seed: 3}, at: right}}; 0.frf.test={load: m, step: 1e-3, steps: 9000}
frf|--set: variants have a list of numbers for each path, one for each variant|0.frf.variants={$stiff: 3e5}
frf||0.frf.variants={$stiff: [3e5, 5e5]}
frf|--set: variants are 1 to 16 of path: [numbers]|0.frf.variants={}
frf|there is no number at 'structure.chain.masses'|0.frf.variants={structure.chain.masses: [3e5]}
frf|'structure.chain.springs.7.2' is not a path in this file|0.frf.variants={structure.chain.springs.7.2: [3e5]}
frf|'loads.m' is not part of the structure: give numbers below structure and joints|0.frf.variants={loads.m: [3e5]}
frf||0.frf.variants={joints.lap.K_T: [3e5]}
frequency_response|--set: a response that is held has neither refine nor measured|0.frequency_response.hold=true; 0.frequency_response.refine={tolerance: 0.01}
frequency_response||0.frequency_response.refine={tolerance: 0.01}
update|--set: at is a list of paths|0.update.parameters={k: {at: [], bounds: [2e5, 8e5]}}
update|--set: there are no measured shapes|0.update.shape_deviation=0.1
calibrate|'modes' is a modes; name a modal_ringdown or a shock|analyses=[backbone: {modes: [1], methods: [qsma]}, modes, {calibrate: {$target [{mode: 1, from: backbone}], verify: modes}}]
calibrate|sensor and units are those of tables; backbone has modal amplitudes in SI|1.calibrate.targets=[{mode: 1, from: backbone, curve: qsma, sensor: right}]
calibrate|sensor and units are those of tables; backbone has modal amplitudes in SI|1.calibrate.targets=[{mode: 1, from: backbone, curve: qsma, units: {q: mm}}]
calibrate|'backbone' is neither a file nor an earlier hysteresis|1.calibrate.targets=[{loop: backbone, joint: lap}]
transient|with a tolerance gamma must be 1/2, not 0.6: the error is estimated for that|0.transient.time={step: 1e-4, steps: 20000, tolerance: 1e-3, gamma: 0.6, beta: 0.4}
transient||0.transient.time={step: 1e-4, steps: 20000, tolerance: 1e-3, gamma: 0.5, beta: 0.25}
sweep|--set: what was measured is a translation: name its degree of freedom as sensor|0.sweep={base: true, mode: 1, levels: [1, 5], from: 55, to: 70, duration: 20, step: 2e-4, measured: {file: swept.csv}}
stepped_sine|--set: what was measured is the response to a force: the load needs at|0.stepped_sine.load={base: true}; 0.stepped_sine.measured={file: swept.csv}
transient|the preload decides the displacement at the start; leave initial u out|0.transient.preload={left: 3}; 0.transient.initial={u: {left: 1e-5}}
transient||0.transient.preload={left: 3}; 0.transient.initial={v: {left: 1e-5}}
transient|--set: channels must be a list of names|0.transient.record.channels={left: 3}
transient|--set: rate 3000 gives a row every 3.33333 steps; that must be a whole number|0.transient.record={rate: 3000, channels: [left]}
transient||0.transient.record={rate: 2500, channels: [left]}
transient|--set: shape needs mode|loads.impact.shape=stuck
transient|new-transient.yaml:15:3: load impact needs one of at, mode and base|loads.impact.mode=1
transient|load impact needs one of at, mode and base|loads.impact={half_sine: {amplitude: 3, duration: 1e-3}}
transient|load impact needs a function of time, e.g. half_sine: {amplitude: 10, duration: 1e-3}|loads.impact={at: left}
transient|there is no mode 3; modes are 1 to 2|loads.impact={half_sine: {amplitude: 3, duration: 1e-3}, mode: 3}
transient||loads.impact={half_sine: {amplitude: 3, duration: 1e-3}, mode: 2}
transient|there is no load 'impcat' in this study|0.transient.loads=[impcat]
transient|stiffness 'rising' must be constant, proportional, a list of coefficients or {load: [...], values: [...]}|joints.lap.normal={$normal, stiffness: rising}
transient|2 loads and 3 values: one for each|joints.lap.normal={$normal, stiffness: {load: [0, 100], values: [1, 2, 3]}}
modes|tip needs a mass or a stiffness|structure.attached={tip: {at: left}}
modes||structure.attached={tip: {at: left, mass: 0.3}}
modes||structure.attached={tip: {at: left, stiffness: 300}}
modes|a spring is [from, to, stiffness] or {between: [from, to], k: stiffness}|structure.chain.springs={a: {between: left, k: 3}}
modes|coordinates must name all 2 degrees of freedom|structure={matrices: {mass: [1, 2], stiffness: [3, 4], coordinates: left}}
modes||structure={matrices: {mass: [1, 2], stiffness: [3, 4], coordinates: [left, right]}}
modes|reduce belongs to finite elements: fe|structure.reduce={craig_bampton: {modes: 3, keep: [a]}}
backbone|settle is for contacts between solids|0.backbone.settle={amplitude: 1e-5, cycles: 3}
specimens|--set: chi lies between -1 and inf: |0.specimens.random={chi: {family: uniform, bounds: [-1.01, -0.2]}}
specimens||0.specimens.random={chi: {family: uniform, bounds: [-0.99, -0.2]}}
specimens|--set: a distribution 'gamma' needs deviation|0.specimens.random={F_S: {mean: 20, family: gamma}}
specimens|--set: a distribution 'gamma' needs mean|0.specimens.random={F_S: {deviation: 2, family: gamma}}
specimens|--set: a distribution 'uniform' has no mean of its own to give|0.specimens.random={chi: {family: uniform, bounds: [-0.6, -0.2], mean: -0.4}}
specimens|--set: a distribution 'uniform' has no deviation of its own to give|0.specimens.random={chi: {family: uniform, bounds: [-0.6, -0.2], deviation: 0.1}}
specimens|--set: a distribution 'exponential' has no deviation of its own to give|0.specimens.random={F_S: {family: exponential, mean: 20, deviation: 3}}
specimens||0.specimens.random={F_S: {family: exponential, mean: 20}}
specimens|distribution 'uniform' needs a finite|0.specimens.random={F_S: {family: uniform}}
identify_density|give a column of deviations or noise, the same for all losses, not both|analyses=[{identify_density: {file: losses.csv, noise: 0.1, columns: {deviation: spread}}}]
identify_density|the table has no column 'lost' of numbers; say which it is with columns: {loss: ...}|analyses=[{identify_density: {file: losses.csv, noise: 0.1, columns: {loss: lost}}}]
identify_density||analyses=[{identify_density: {file: losses.csv, columns: {deviation: spread}}}]
identify_density||analyses=[{identify_density: {file: losses.csv, noise: 0.1}}]
E

# Targets that are records of a hammer test: alike in what is compared, and not what verify looks at.
records() { # OPTIONS OF THE SECOND, OPTIONS OF CALIBRATE
  "$microslip" new hammer_test
  echo "  - calibrate: {$target [{mode: 1, record: blow}, {mode: 2, record: blow$1}]$2}"
}
records '' '' >records.yaml
check "two records" "$microslip" check records.yaml
records ', compare: damping' '' >records.yaml
refuses "two records, compared otherwise" 'targets that are records share one test and one compare; the first is of hammer_test' records.yaml
records '' ', verify: transient' >records.yaml
refuses "verify without a curve" 'verify looks at curves of frequency and damping, and no target is one' records.yaml

# How many there may be, in lists too long for --set.
# shellcheck disable=SC2317,SC2329 # counted calls them
{
  beam_points() {
    echo 'microslip: 1'
    echo "structure: {beam: {length: 0.6, width: 0.04, height: 0.005, E: 210e9, rho: 7850, elements: 1, points: {$(list "$1" 'p%g: 0.3')}}}"
    echo 'analyses: [modes]'
  }
  joint_parameters() {
    echo 'microslip: 1'
    echo 'structure: {chain: {masses: {u: 1.3}, springs: [[ground, u, 9]]}}'
    echo "joints: {$(list "$1" 'j%g: {law: jenkins, K_T: 3, F_S: 2, between: [ground, u]}')}"
    echo "analyses: [{calibrate: {parameters: {$(list "$1" 'j%g.F_S: [1, 9]')}, targets: [{mode: 1, from: wide.csv}]}}]"
  }
  update_places() {
    echo 'microslip: 1'
    echo "structure: {chain: {masses: {u: 1.3}, springs: {$(list "$1" 's%g: [ground, u, 9]')}}}"
    echo "analyses: [{update: {measured: {frequencies: [6]}, parameters: {k: {bounds: [1, 10], at: [$(list "$1" 'structure.chain.springs.s%g.2')]}}}}]"
  }
}
awk 'BEGIN { print "q,omega,zeta"; for (i = 1; i < 40; i++) printf "%g,%g,%g\n", i/1000, 9 - i/100, i/10000 }' >wide.csv
while IFS='|' read -r most words study; do
  for n in "$most" $((most + 1)); do $study "$n" >"$study-$n.yaml"; done
  check "$study: $most" "$microslip" check "$study-$most.yaml"
  refuses "$study: one more" "$study-$n.yaml:|$words" "$study-$n.yaml"
done <<'E'
256|a beam has at most 256 points|beam_points
32|parameters are 1 to 32 of joint.parameter|joint_parameters
128|more than 128 places|update_places
E

finish
