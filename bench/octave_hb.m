% Harmonic balance as users script it today: three coordinates, two Jenkins joints, a gap and a
% cubic spring, alternating frequency/time, analytic Jacobian; 7 harmonics, 1024 time points.
% Reads M, C, K, B (columns: Jenkins, Jenkins, gap, cubic), jenkins (F_S, K_T in columns), gap
% (K, g_plus, g_minus), cubic (K, K3), the force's coefficients P, Omega and a start U, both
% coordinates x 15, from a file; solves by Newton's method.
% Prints seconds for one residual with its Jacobian, the best of thirty, iterations, the residual
% over the force, and the coefficients, which the caller checks.
addpath(fileparts(mfilename("fullpath")));

function [r, J] = residual(U, g, T, E, D)
  Z = U'*g.B;
  z = T*Z;
  [F, dF] = octave_aft(Z(:, 1:2), T, E, (g.jenkins(1, :)./g.jenkins(2, :))', ...
                       diag(g.jenkins(2, :)), [1; 2]);

  z3 = z(:, 3);
  F(:, 3) = E*(g.gap(1)*(max(z3 - g.gap(2), 0) + min(z3 + g.gap(3), 0)));
  dF{3} = E*(g.gap(1)*(z3 > g.gap(2) | z3 < -g.gap(3)).*T);
  z4 = z(:, 4);
  F(:, 4) = E*(g.cubic(1)*z4 + g.cubic(2)*z4.^3);
  dF{4} = E*((g.cubic(1) + 3*g.cubic(2)*z4.^2).*T);

  R = g.Omega^2*g.M*U*(D*D)' + g.Omega*g.C*U*D' + g.K*U + g.B*F' - g.P;
  r = R(:);
  J = kron(g.Omega^2*D*D, g.M) + kron(g.Omega*D, g.C) + kron(eye(rows(D)), g.K);
  for j = 1:4
    J = J + kron(dF{j}, g.B(:, j)*g.B(:, j)');
  end
end

function main(file)
  g = load(file);
  [T, E, D] = octave_fourier(7, 1024);
  U = g.U; best = Inf; scale = norm(g.P);
  for it = 0:20
    [r, J] = residual(U, g, T, E, D);
    if norm(r) <= 1e-12*scale, break; end
    U(:) = U(:) - J\r;
  end
  for repeat = 1:30
    before = octave_clock();
    [r, J] = residual(U, g, T, E, D);
    best = min(best, min(octave_clock() - before));
  end
  printf("%.17g\n", best, it, norm(r)/scale, U);
end
main(argv(){1});
