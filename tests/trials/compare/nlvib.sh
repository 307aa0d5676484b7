#!/bin/bash
# Harmonic balance of two masses with a Jenkins element, beside NLvib.
#   NLVIB=folder of NLvib OCTAVE=octave-cli tests/trials/compare/nlvib.sh
. "$(dirname "$0")/common.sh"
octave=${OCTAVE:-octave-cli}
[ -n "${NLVIB:-}" ] || skip "NLVIB is not set to a folder of NLvib"
command -v "$octave" >/dev/null || skip "$octave is not installed"

study "law: jenkins, F_S: 0.23, K_T: 61.9" >study.yaml
"$microslip" run study.yaml --out out >/dev/null || exit 1
cat >theirs.m <<'END'
addpath([getenv('NLVIB') '/SRC']); addpath([getenv('NLVIB') '/SRC/MechanicalSystems']);
joint{1} = struct('type', 'elasticDryFriction', 'stiffness', 61.9, 'friction_limit_force', 0.23, ...
                  'ishysteretic', 1, 'force_direction', [-1; 1]);
system = ChainOfOscillators([1.31 0.72], [0.41 0.16 0], [211.3 95.7 0], joint, [1.13; 0]);
H = 7; N = 1024; n = 2;
function [R, J] = balance(y, Om, system, H, N)
  [R, dR] = HB_residual([y; Om], system, H, N, 'FRF');
  J = dR(:, 1:end - 1);
end
opt = optimset('Jacobian', 'on', 'TolFun', 1e-13, 'TolX', 1e-13, 'MaxIter', 400, 'MaxFunEvals', 1e6);
for Om = [9.3 11.2 12.6 14.9]
  Q1 = (-Om^2*system.M + 1i*Om*system.D + system.K + 61.9*[1 -1; -1 1]) \ [1.13; 0];
  y = zeros((2*H + 1)*n, 1);
  y(n + (1:2*n)) = [real(Q1); -imag(Q1)];
  [y, r, info] = fsolve(@(y) balance(y, Om, system, H, N), y, opt);
  printf('%.6g %.17g %.3g\n', Om, hypot(y(n + 2), y(2*n + 2)), norm(r));
end
END
"$octave" --no-gui --quiet theirs.m >theirs 2>error || [ -s theirs ] || { cat error; exit 1; }
echo "NLvib in $("$octave" --version | head -n 1)"
while read -r omega amplitude _; do
  compare "amplitude of u2 at $omega rad/s" "$(ours "$omega")" "$amplitude" 1e-6
done <theirs
finish
