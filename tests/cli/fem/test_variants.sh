#!/bin/bash
# variants of finite elements: each is meshed and reduced anew, as a study with its numbers in the file
# would be, by one process and by two; variants of a joint alone reduce nothing.
source "$(dirname "$0")/mpirun.sh"

cat >beam.yaml <<'YAML'
microslip: 1
structure:
  fe:
    materials: {steel: {E: 2.07e11, nu: 0.29, rho: 7850}}
    parts:
      beam:
        block: {size: [0.437, 0.031, 0.012], elements: [8, 2, 1]}
        material: steel
        points: {tip: [0.437, 0, 0.012]}
    spiders: {root: {rbe2: rigid, on: beam.left}}
  reduce: {craig_bampton: {modes: 4, keep: [root, beam.tip]}}
  damping: {modal: 0.013}
joints:
  clamp: {between: [root, ground], x: rigid, y: rigid, z: rigid, rx: rigid, ry: {law: jenkins, K_T: 4310, F_S: 31}, rz: rigid}
analyses:
  - modes: {full: 0, variants: {structure.fe.materials.steel.rho: [7850, 2700], structure.fe.materials.steel.E: [2.07e11, 0.71e11]}}
  - frf: {at: beam.tip.uz, sensor: beam.tip.uz, range: [10, 400], points: 23, variants: {structure.fe.materials.steel.rho: [6100, 7850]}}
  - modes: {name: clamps, full: 0, variants: {joints.clamp.ry.K_T: [2900, 4310]}}
YAML
report "runs" "$(run_study beam)"
v=beam/tables/modes_variants.csv
numbers() { values "$1" "$3" ${2:+"$2"} | paste -sd ' '; } # TABLE VARIANT COLUMN
modes() { numbers "$1/tables/modes.csv" "" omega_0; }
report "the file's numbers: as the study has them" "$(off "$(numbers $v 1 omega_0)" "$(modes beam)" 1e-9)"
report "another material in the file: runs" "$("$microslip" run beam.yaml --out light --set structure.fe.materials.steel.rho=2700 \
  --set structure.fe.materials.steel.E=0.71e11 --set 'analyses=[{modes: {full: 0}}]' >out 2>&1 || cat out)"
report "variant 2 is that" "$(off "$(numbers $v 2 omega_0)" "$(modes light)" 1e-9)"
same "and another than variant 1" "$([[ $(numbers $v 1 omega_0) != "$(numbers $v 2 omega_0)" ]] && echo yes)" yes
report "curve: variant 2 has the file's numbers" "$(off "$(numbers beam/tables/frf_variants.csv 2 magnitude)" "$(numbers beam/tables/frf.csv '' magnitude)" 1e-9)"
same "curve: variant 1 has not" "$([[ $(numbers beam/tables/frf_variants.csv 1 real) != "$(numbers beam/tables/frf.csv '' real)" ]] && echo yes)" yes
same "a clamp alone: nothing is reduced, the same digits" "$(numbers beam/tables/clamps_variants.csv 2 omega_0)" "$(modes beam)"
report "two processes" "$(mpirun -n 2 "$microslip" run beam.yaml --out two >out 2>&1 || cat out)"
report "two processes: modes" "$(off "$(numbers two/tables/modes_variants.csv '' omega_0)" "$(numbers $v '' omega_0)" 1e-9)"
report "two processes: curves" "$(off "$(numbers two/tables/frf_variants.csv '' magnitude)" "$(numbers beam/tables/frf_variants.csv '' magnitude)" 1e-8)"
# A variant that cannot be reduced ends all processes with one message.
mpirun -n 2 "$microslip" run beam.yaml --out bad --set 'analyses.0.modes.variants={structure.fe.materials.steel.E: [2e11, -7]}' >out 2>error
report "two processes: a variant that fails" "$([[ $(grep -c 'variant 2, steel.E = -7' error) == 1 ]] || cat error)"
sed 's/frf: {at: beam.tip.uz/frf: {base: z/' beam.yaml >bad.yaml
refused_bad 'variants of a structure that is reduced anew are for a force (at)'

finish
