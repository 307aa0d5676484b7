#!/bin/bash
# A sector of bodies of revolution stands for the whole: masses, axial modes, a press fit against closed forms and
# against the whole mesh, and what is refused.
# shellcheck disable=SC2016 # jq has dollars of its own
source "$(dirname "$0")/../checks.sh"

# write_rod FILE 'RINGS' 'FILLED' MODES: free in space
write_rod() {
  cat >"$1" <<END
microslip: 1
structure:
  fe:
    materials: {steel: {E: 207e9, nu: 0.29, rho: 7830}}
    parts:
      body:
        material: steel
        rings: {$2, height: [0.03, 0.02], layers: [12, 8], filled: [$3]}
        points: {top: [0.0001, 0, 0.05]}
  reduce: {craig_bampton: {modes: $4, keep: [body.top.uz]}}
analyses: [{modes: {full: 0}}]
END
}
write_rod sector.yaml 'sector: 2, radius: [0.00002, 0.01, 0.02], rings: [1, 8, 8]' '[0, 1, 1], [0, 1, 0]' 8
write_rod whole.yaml 'core: 8, radius: [0.01, 0.02], rings: [4, 8]' '[1, 1], [1, 0]' 40
runs "sector: runs" sector.yaml sector
runs "whole: runs" whole.yaml whole
report "sector: no words on constraints that follow from it" "$(grep 'adds nothing' error)"
mass=$(awk 'BEGIN { printf "%.12g", 7830*3.14159265358979*(0.02^2*0.03 + 0.01^2*0.02 - 0.00002^2*0.05) }')
near "sector: mass of the whole" "$(sed -n 2p sector/tables/modes_mass.csv | cut -d, -f5)" "$mass" 1e-9
near "sector: axial mode, as of the whole mesh" \
  "$(summary sector '.analyses[0].modes[1].omega_0' | awk '{ print $1/6.28318530717959 }')" "$(family whole axial 1)" 2e-3

# ---- a shaft pressed into a hub of the same length, plane stress: p = E d (b^2 - a^2)/(2 a b^2) ----
write_fit() { # FILE DEGREES
  cat >"$1" <<END
microslip: 1
units: {length: mm, mass: tonne, force: N, time: s}
structure:
  fe:
    materials: {steel: {E: 207e3, nu: 0.29, rho: 7.83e-9}}
    parts:
      shaft: {material: steel, rings: {sector: $2, radius: [0.01, 10, 20], rings: [1, 10, 10], height: [5], layers: [2], filled: [[0, 1, 0]]}}
      hub: {material: steel, rings: {like: shaft, filled: [[0, 0, 1]]}}
    fix: {shaft.bottom: [uz], hub.bottom: [uz]}
    contacts: {fit: {between: [shaft.outer, hub.inner], mu: 0, interference: 0.004}}
    preload: [{push: {hub.top: [0, 0, -1000]}, friction: false}]
analyses: [contact, modes]
END
}
# the push of F on the hub alone widens its bore: u = nu F a/(E A)
pressure=$(awk 'BEGIN { E = 207e9; a = 0.01; b = 0.02; d = 4e-6 - 0.29*1000*a/(E*3.14159265358979*(b*b - a*a)); print E*d*(b*b - a*a)/(2*a*b*b) }')
for degrees in 1 3; do
  write_fit "fit$degrees.yaml" $degrees
  runs "fit of $degrees degrees: runs" "fit$degrees.yaml" "fit$degrees"
  near "fit of $degrees degrees: pressure" "$(summary fit$degrees '.analyses[0].contacts[0].largest_pressure')" "$pressure" 4e-3
  near "fit of $degrees degrees: force around the whole" "$(summary fit$degrees '.analyses[0].contacts[0].normal_force')" \
    "$(awk -v p="$pressure" 'BEGIN { print p*2*3.14159265358979*0.01*0.005 }')" 4e-3
done
report "fit: friction, where supports hold the other tangent, has no other answers" \
  "$(sed 's/mu: 0,/mu: 0.1,/' fit1.yaml >mu.yaml; "$microslip" run mu.yaml --out mu 2>&1 | grep critical)"

# Pressure at every node of the shaft's face, in both planes (three nodes each), as the VTU file has it.
runs "fit: a VTU file" fit1.yaml vtu --set 'analyses=[{contact: {vtu: true}}]'
same "fit: both planes have the same pressure" "$(/usr/bin/python3 - vtu/contact_1.vtu <<'END'
import base64, re, struct, sys
text = open(sys.argv[1], "rb").read()
start, end = (int(x) for x in re.search(rb'Name="Pressure".*?offset="(\d+)".*?offset="(\d+)"', text, re.S).groups())
data = text.index(b"_", text.index(b"<AppendedData")) + 1
raw = base64.b64decode(text[data + start:data + end])
values = sorted(x for (x,) in struct.iter_unpack("<d", raw[8:]) if x != 0.0)
print(len(values), values[0::2] == values[1::2])
END
)" "6 True"

# ---- refused ----
edited() { sed "$1" fit1.yaml >edited.yaml; }
runs_into() { # TEXT 'WORD|WORD' SED
  edited "$3"
  refuses "$1" "$2" edited.yaml
}
runs_into "refused: a disc" "no disc|bore" 's/\[\[0, 1, 0\]\]/[[1, 1, 0]]/'
runs_into "refused: other elements" "hex8" 's/shaft: {material: steel,/shaft: {material: steel, element: hex20,/'
runs_into "refused: too wide" "45 degrees|30" 's/sector: 1/sector: 45/'
runs_into "refused: too thin" "0.01 degrees" 's/sector: 1/sector: 0.01/'
runs_into "refused: two angles" "angle" 's/rings: {like: shaft,/rings: {sector: 2, radius: [0.01, 10, 20], rings: [1, 10, 10], height: [5], layers: [2],/'
runs_into "refused: a part that is no sector" "'b' is no part of the sector" 's/^      hub:/      b: {material: steel, block: {size: [1, 1, 1], elements: [1, 1, 1]}}\n      hub:/'
edited 's/\[0, 0, -1000\]/[5, 0, -1000]/'
sed 's/^analyses:.*/loads: {shake: {sine: {amplitude: 1, frequency: 100}, base: x}}\nanalyses: [{transient: {time: {step: 1e-5, steps: 10}}}]/' sector.yaml >shaken.yaml
like "refused: a ground that moves across the axis" "$("$microslip" run shaken.yaml --out shaken 2>&1 >/dev/null)" "*along x loads nothing*"
sed -i 's/base: x/base: z/' shaken.yaml
runs "... along it" shaken.yaml along
"$microslip" run edited.yaml --out edited >/dev/null 2>error
like "refused: a push across the axis" "$(cat error)" "*along its axis only*"
finish
