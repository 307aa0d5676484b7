#!/bin/bash
# examples/two-cantilevers in contact, in the document's three stages: the lap closes around the bolts, stuck modes lie just below
# those of a merged lap, and friction and opening matter at large amplitudes only.
source "$(dirname "$0")/../checks.sh"
study=$source_dir/examples/two-cantilevers/contact.yaml

runs "runs" "$study" out --set 'analyses=[{modes: {full: 4}}, contact, {backbone: {modes: [1], amplitudes: {from: 3.0e-3, to: 3.0e-1, points: 3}, sensor: arm1.i.uz}}]'
{
  sed '/    merge:/,/    fix:/d; /    contacts:/,/friction: true/d; /^analyses:/,$d' "$study" | sed 's/^  reduce:/    merge: {}\n    fix: {pad2.left: all, pad1.right: all}\n  reduce:/'
  echo 'analyses: [{modes: {full: 0}}]'
} >merged.yaml
runs "merged: runs" merged.yaml merged

# ---- stage 1 ----
near "the bolts' force" "$(summary out '.analyses[1].contacts[0].normal_force')" 4000 1e-4
within "closed part of the lap" "$(awk -F, 'NR == 2 { print $9/$8 }' out/tables/contact.csv)" 0.5 0.75
report "all points under the heads are closed" "$(awk -F, 'NR > 1 && $10 == "open" { for (x = 0.5495; x < 0.57; x += 0.015) for (y = 0.0075; y < 0.03; y += 0.015)
  if (($2 - x)^2 < 6.5e-6 && ($3 - y)^2 < 6.5e-6) print $2, $3 }' out/tables/contact_points.csv)"

# ---- stage 2: below the merged lap, by 1.5 % at most; Table 6 of the example for the merged one ----
table=(15.41 48.37 88.95 144.73 221.67 300.72 411.65 521.17)
for i in 1 2 3 4 5 6 7 8; do
  near "merged: bending z $i, with springs as clamps" "$(family merged 'bending z' $i)" "${table[$((i - 1))]}" 0.01
  within "in contact: bending z $i, of merged" "$(awk -v a="$(family out 'bending z' $i)" -v b="$(family merged 'bending z' $i)" 'BEGIN { printf "%.8g", a/b }')" 0.985 1
done

# ---- stage 3 ----
report "no slip at the smallest amplitude, slip and opening at the largest" "$(awk -F, 'NR == 2 && $6 != 0 { print } { slipped = $11; opened = $12 } END { if (!(slipped > 50 && opened > 20)) print slipped, opened }' out/tables/backbone_cycles.csv)"
near "the frequency at the smallest amplitude is that at rest" "$(values out/tables/backbone.csv omega 1 | head -n 1)" "$(values out/tables/modes_full.csv "omega_0 full" 1)" 1e-6
report "the frequency falls, damping rises" "$(awk -F, 'NR > 2 && !($4 < w && $6 > z) { print } { w = $4; z = $6 }' out/tables/backbone.csv)"

finish
