% The three-mass system as users script it today: Newmark's average acceleration with Newton's
% method in physical coordinates, 200 sliders, vectorised over the sliders.
% Prints seconds per step and the displacements at the end, which the caller checks.
addpath(fileparts(mfilename("fullpath")));
function main(steps)
  F_S = 10; K_T = 1; chi = -0.5; beta = 5;
  [phi, S, joint] = octave_iwan([F_S; K_T; chi; beta], 200, "uniform");

  M = 10*eye(3);
  K = 9*[2 -1 0; -1 2 -1; 0 -1 1];
  B = [0; -1; 1];
  [Phi, Lambda] = eig(K + K_T*(B*B'), M);
  omega = sqrt(diag(Lambda));
  C = M*Phi*diag(2e-4*omega./diag(Phi'*M*Phi))*Phi'*M;

  dt = 0.02;
  t = dt*(1:steps);
  p = 500*(t < pi/omega(3)).*sin(omega(3)*t);
  [seconds, u] = octave_newmark(M, C, K, B, phi, S, joint, [0; 1; 0], p, dt);
  printf("%.17g %.17g %.17g %.17g\n", mean(seconds), u);
end
main(str2double(argv(){1}));
