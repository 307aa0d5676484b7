#!/bin/bash
# Harmonic balance of two masses with a Jenkins element, beside tmdsimpy.
#   TMDSIMPY=folder of tmdsimpy PYTHON=python3 tests/trials/compare/tmdsimpy.sh
. "$(dirname "$0")/common.sh"
python=${PYTHON:-python3}
[ -n "${TMDSIMPY:-}" ] || skip "TMDSIMPY is not set to a folder of tmdsimpy"
"$python" -c 'import numpy, scipy' 2>/dev/null || skip "$python has no SciPy"

cat >theirs.py <<'END'
import os, sys
import numpy as np
from scipy.optimize import fsolve
sys.path.insert(0, os.environ["TMDSIMPY"])
from tmdsimpy.vibration_system import VibrationSystem
from tmdsimpy.nlforces.jenkins_element import JenkinsForce
M = np.diag([1.31, 0.72])
K = np.array([[211.3 + 95.7, -95.7], [-95.7, 95.7]])
C = np.array([[0.57, -0.16], [-0.16, 0.16]])
Q = np.array([[-1.0, 1.0]])
system = VibrationSystem(M, K, C)
system.add_nl_force(JenkinsForce(Q, Q.T, 61.9, 0.23))
h = np.arange(8)
Fl = np.zeros(2*15)
Fl[2] = 1.13
for w in [9.3, 11.2, 12.6, 14.9]:
    q1 = np.linalg.solve(-w**2*M + 1j*w*C + K + 61.9*Q.T@Q, [1.13, 0])
    U = np.zeros(30)
    U[2:4], U[4:6] = q1.real, -q1.imag
    residual = lambda U: system.hbm_res(np.append(U, w), Fl, h, Nt=1024, aft_tol=1e-12)
    U = fsolve(lambda U: residual(U)[0], U, fprime=lambda U: residual(U)[1], xtol=1e-13)
    print("%.6g %.17g" % (w, np.hypot(U[3], U[5])))
END
echo "tmdsimpy with $("$python" -c 'import numpy, scipy; print("NumPy", numpy.__version__, "SciPy", scipy.__version__)')"
study "law: jenkins, F_S: 0.23, K_T: 61.9" >study.yaml
"$microslip" run study.yaml --out out >/dev/null || exit 1
"$python" theirs.py >theirs || exit 1
while read -r omega amplitude; do
  compare "amplitude of u2 at $omega rad/s" "$(ours "$omega")" "$amplitude" 1e-6
done <theirs
finish
