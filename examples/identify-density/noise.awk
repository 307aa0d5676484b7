# Losses as a test would find them: awk -F, -f noise.awk truth/tables/stepped_sine_joints.csv >losses.csv
# Noise of 1 %, normal and relative. The generator is written out so that every awk gives the same.
function uniform() {
  x = (16807*x) % 2147483647
  return x/2147483647
}
function normal() {
  return sqrt(-2*log(uniform()))*cos(6.283185307179586*uniform())
}
BEGIN { x = 20250311 }
NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "level [N],amplitude [m],loss [J]"; next }
$at["joint"] == "support" && $at["axis"] == 1 {
  printf "%.6g,%.6g,%.6g\n", $at["level"], $at["amplitude"], $at["loss"]*(1 + 0.01*normal())
}
