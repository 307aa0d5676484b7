% Quasi-static modal analysis as users script it today: K x + B f(B' x) = alpha M phi, in physical
% coordinates by Newton's method at each level from the one before, 200 sliders to a joint; energy
% lost per cycle by Masing's rule on the modal curve, in the form that does not cancel.
% Reads M, K, B, iwan, the mode's shape and omega, and the levels alpha from a file.
% Prints seconds per level, the best of five runs, iterations per level, and at each level q, omega
% and zeta of the joints, which the caller checks.
addpath(fileparts(mfilename("fullpath")));

function [q, omega, zeta, iterations] = qsma(g, phi, S, joint)
  levels = numel(g.alpha);
  b = g.M*g.shape;
  q = zeros(levels, 1); x = zeros(rows(g.M), 1); iterations = 0;
  for l = 1:levels
    for it = 1:50
      z = g.B'*x;
      e = z(joint);
      c = max(min(e, phi), -phi);
      r = g.K*x + g.B*(S'*c) - g.alpha(l)*b;
      if norm(r) <= 1e-10*norm(g.alpha(l)*b), break; end
      x = x - (g.K + g.B*diag((c == e)'*S)*g.B')\r;
    end
    iterations = iterations + it - 1;
    q(l) = b'*x;
  end
  omega = sqrt(g.alpha./q);
  h = g.omega^2*q - g.alpha;
  D = 4*h.*q - 8*cumtrapz([0; q], [0; h])(2:end);
  zeta = D./(2*pi*omega.^2.*q.^2);
end

function main(file)
  g = load(file);
  [phi, S, joint] = octave_iwan(g.iwan, 200, "geometric");
  best = Inf;
  for repeat = 1:5
    tic;
    [q, omega, zeta, iterations] = qsma(g, phi, S, joint);
    best = min(best, toc/numel(q));
  end
  printf("%.17g\n", best, iterations/numel(q), q, omega, zeta);
end
main(argv(){1});
