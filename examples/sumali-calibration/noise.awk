# Noise for a table of ring-downs: awk -F, -f noise.awk modal_ringdown.csv >noisy.csv
# Damping 2 %, frequency 0.01 %, both normal and relative. The generator is written out so that every awk gives the same.
function uniform() {
  x = (16807*x) % 2147483647
  return x/2147483647
}
function normal() {
  return sqrt(-2*log(uniform()))*cos(6.283185307179586*uniform())
}
BEGIN { x = 20240607; OFS = "," }
NR == 1 { print; gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
{
  $at["omega"] = sprintf("%.12g", $at["omega"]*(1 + 1e-4*normal()))
  $at["zeta"] = sprintf("%.12g", $at["zeta"]*(1 + 0.02*normal()))
  print
}
