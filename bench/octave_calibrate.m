% A calibration's evaluation as users script it today: from joint parameters to frequency and damping
% at the amplitudes of a measured curve. Quasi-static modal analysis of 100 loads in physical
% coordinates as in octave_qsma.m (Newton's method, 200 sliders to a joint, Masing's rule for all
% levels in one call), around the mode of the structure with these joints; then the curves at the
% target's amplitudes.
% Reads M, K, B, the amplitudes q and parameter sets P (columns of F_S, K_T, chi, beta, the same for
% every joint) from a file.
% Prints seconds per evaluation, the best of three runs over the sets, and for each set omega and zeta
% of the joints at every amplitude, which the caller checks.
addpath(fileparts(mfilename("fullpath")));

function [shape, omega] = find_mode(g, K_T)
  [V, L] = eig(g.K + K_T*(g.B*g.B'), g.M);
  [omega, first] = min(sqrt(diag(L)));
  shape = V(:, first)/sqrt(V(:, first)'*g.M*V(:, first));
end

function [omega, zeta] = evaluate(g, p)
  [shape, omega_0] = find_mode(g, p(2));
  [phi, S, joint] = octave_iwan(repmat(p, 1, columns(g.B)), 200, "geometric");
  alpha = omega_0^2*logspace(log10(0.5*g.q(1)), log10(1.05*g.q(end)), 100)';
  q = octave_levels(g, g.M*shape, alpha, phi, S, joint);
  D = octave_masing(q, alpha);
  w = sqrt(alpha./q);
  omega = interp1(log(q), w, log(g.q), "pchip");
  zeta = exp(interp1(log(q), log(D./(2*pi*w.^2.*q.^2)), log(g.q), "pchip"));
end

function main(file)
  g = load(file);
  n = columns(g.P); omega = zeros(numel(g.q), n); zeta = omega;
  seconds = Inf;
  for repeat = 1:3
    t = octave_clock();
    for k = 1:n, [omega(:, k), zeta(:, k)] = evaluate(g, g.P(:, k)); end
    t(2, :) = octave_clock();
    seconds = min(seconds, min(diff(t))/n);
  end
  printf("%.17g\n", seconds, [omega; zeta]);
end
main(argv(){1});
