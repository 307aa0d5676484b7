#!/bin/bash
# Modes, and a run in time with a Bouc-Wen element, beside SciPy.
#   PYTHON=python3 tests/trials/compare/scipy.sh
. "$(dirname "$0")/common.sh"
python=${PYTHON:-python3}
"$python" -c 'import numpy, scipy' 2>/dev/null || skip "$python has no SciPy"

cat >study.yaml <<'END'
microslip: 1
structure:
  matrices:
    mass: [[1.31, 0.11, 0], [0.11, 0.72, -0.07], [0, -0.07, 0.95]]
    stiffness: [[307.0, -95.7, 0], [-95.7, 240.1, -144.4], [0, -144.4, 161.2]]
  damping: {matrix: [[0.57, -0.16, 0], [-0.16, 0.41, -0.25], [0, -0.25, 0.25]]}
joints: {lap: {law: bouc_wen, K: 61.9, a: 0.08, n: 1.6, beta: 35.2, gamma: 17.4, between: [u1, u3]}}
loads: {shaker: {sine: {amplitude: 3.13, omega: 9.4}, at: u2}}
analyses:
  - modes
  - transient: {time: {step: 0.001, steps: 10000, method: newmark}, record: {channels: [u1, u2, u3]}}
END
"$microslip" run study.yaml --out out >/dev/null || exit 1
cat >theirs.py <<'END'
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
M = np.array([[1.31, 0.11, 0], [0.11, 0.72, -0.07], [0, -0.07, 0.95]])
K = np.array([[307.0, -95.7, 0], [-95.7, 240.1, -144.4], [0, -144.4, 161.2]])
C = np.array([[0.57, -0.16, 0], [-0.16, 0.41, -0.25], [0, -0.25, 0.25]])
k, a, n, beta, gamma = 61.9, 0.08, 1.6, 35.2, 17.4
b = np.array([-1.0, 0, 1.0])
for w2 in eigh(K + k*np.outer(b, b), M, eigvals_only=True):
    print("omega %.17g" % np.sqrt(w2))
def slope(t, y):
    u, v, z = y[:3], y[3:6], y[6]
    d = b @ v
    f = a*k*(b @ u) + (1 - a)*k*z
    load = np.array([0, 3.13*np.sin(9.4*t), 0])
    return np.concatenate([v, np.linalg.solve(M, load - C @ v - K @ u - b*f),
                           [d - abs(z)**n*(gamma*d + beta*abs(d)*np.sign(z))]])
times = [2.5, 5.0, 7.5, 10.0]
y = solve_ivp(slope, [0, 10], np.zeros(7), method="DOP853", rtol=1e-11, atol=1e-13, t_eval=times, max_step=0.01)
for i, t in enumerate(times):
    for c in range(3):
        print("u%d %g %.17g" % (c + 1, t, y.y[c, i]))
END
"$python" theirs.py >theirs || exit 1
echo "$("$python" -c 'import scipy; print("SciPy", scipy.__version__)'), DOP853"
mode=0
scale=$(awk -F, 'NR > 1 { v = $4 < 0 ? -$4 : $4; if (v > m) m = v } END { print m }' out/tables/transient.csv)
while read -r what t value; do
  case $what in
    omega)
      mode=$((mode + 1))
      compare "omega of mode $mode" "$(cells out/tables/modes.csv $((mode - 1)) omega_0)" "$t" 1e-12 ;;
    *)
      got=$(awk -F, -v c="${what#u}" -v t="$t" 'NR > 1 && $1 > t - 1e-6 { print $(c + 1); exit }' out/tables/transient.csv)
      compare "$what at $t s, of the peak" "$got" "$value" 5e-4 "$scale" ;;
  esac
done <theirs
finish
