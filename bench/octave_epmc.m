% Nonlinear modes by the extended periodic motion concept as users script it today: all coordinates
% times 15 coefficients are unknowns, with omega and zeta; harmonic balance by alternating
% frequency/time, 7 harmonics, 1024 time points, 200 sliders to a joint, analytic Jacobian, Newton's
% method from the amplitude before.
%   M u" + (C - 2 zeta omega M) u' + K u + B f(B' u) = 0,   the mode's coordinate a cos(omega t) + ...
% Reads M, C, K, B, iwan, the mode's shape, the amplitudes a, and for the first of them, which is
% not timed, a start U, omega, zeta from a file.
% Prints seconds per amplitude, the best of three, iterations per amplitude, and omega and zeta at
% each, which the caller checks.
addpath(fileparts(mfilename("fullpath")));

function [r, J] = residual(U, omega, zeta, a, g, s)
  [F, dF] = octave_aft(U'*g.B, s.T, s.E, s.phi, s.S, s.joint);
  D = s.D;
  C = g.C - 2*zeta*omega*g.M;
  R = omega^2*g.M*U*(D*D)' + omega*C*U*D' + g.K*U + g.B*F';
  by_omega = 2*omega*g.M*U*(D*D)' + (g.C - 4*zeta*omega*g.M)*U*D';
  by_zeta = -2*omega^2*g.M*U*D';
  A = omega^2*s.DDM + omega*s.DC - 2*zeta*omega^2*s.DM + s.IK;
  for j = 1:numel(dF)
    A = A + kron(dF{j}, g.B(:, j)*g.B(:, j)');
  end
  b = g.M*g.shape;
  r = [R(:)/a; b'*U(:, 2)/a - 1; b'*U(:, 3)/a];
  J = [A by_omega(:)/a by_zeta(:)/a; s.constraint [0 0; 0 0]];
end

function [U, omega, zeta, it] = solve(U, omega, zeta, a, g, s)
  for it = 0:30
    [r, J] = residual(U, omega, zeta, a, g, s);
    if norm(r) <= 1e-10*s.scale, break; end
    x = J\r;
    U(:) = U(:) - a*x(1:end-2);
    omega = omega - x(end-1);
    zeta = zeta - x(end);
  end
end

function main(file)
  g = load(file);
  H = 7;
  [s.T, s.E, s.D] = octave_fourier(H, 1024);
  [s.phi, s.S, s.joint] = octave_iwan(g.iwan, 200, "geometric");
  b = g.M*g.shape;
  s.DDM = kron(s.D*s.D, g.M); s.DC = kron(s.D, g.C); s.DM = kron(s.D, g.M);
  s.IK = kron(eye(2*H + 1), g.K);
  s.constraint = [kron((1:2*H+1) == 2, b'); kron((1:2*H+1) == 3, b')];
  s.scale = g.omega^2*norm(b);
  levels = numel(g.a);
  omega = zeros(levels, 1); zeta = omega; iterations = 0;
  [U, omega(1), zeta(1)] = solve(g.U, g.omega, g.zeta, g.a(1), g, s);
  seconds = 0;
  for l = 2:levels
    best = Inf; start = U*g.a(l)/g.a(l-1);
    for repeat = 1:3
      before = octave_clock();
      [U, omega(l), zeta(l), it] = solve(start, omega(l-1), zeta(l-1), g.a(l), g, s);
      best = min(best, min(octave_clock() - before));
    end
    seconds = seconds + best;
    iterations = iterations + it;
  end
  printf("%.17g\n", seconds/(levels - 1), iterations/(levels - 1), omega, zeta);
end
main(argv(){1});
