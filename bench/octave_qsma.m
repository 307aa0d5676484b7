% Quasi-static modal analysis as users script it today (SAND2017-10517, section 2.3.3):
% K x + B f(B' x) = alpha M phi, in physical coordinates by Newton's method at each level from the
% one before, 200 sliders to a joint; then Masing's rule, eq (33) there: the loop of each level made
% of the modal curve, its area by the trapezoidal rule. The loops of all levels are made in one call:
% level by level, as eq (33) reads, the whole takes eight times as long.
% Reads M, K, B, iwan, the mode's shape and omega, and the levels alpha from a file.
% Prints seconds per level, the best of five runs; iterations per level; and at each level omega and
% zeta of the joints, which the caller checks.
addpath(fileparts(mfilename("fullpath")));

function main(file)
  g = load(file);
  [phi, S, joint] = octave_iwan(g.iwan, 200, "geometric");
  seconds = Inf;
  for repeat = 1:5
    t = octave_clock();
    [q, iterations] = octave_levels(g, g.M*g.shape, g.alpha, phi, S, joint);
    D = octave_masing(q, g.alpha);
    t(2, :) = octave_clock();
    seconds = min(seconds, min(diff(t))/numel(q));
  end
  omega = sqrt(g.alpha./q);
  zeta = D./(2*pi*omega.^2.*q.^2);
  printf("%.17g\n", seconds, iterations/numel(q), omega, zeta);
end
main(argv(){1});
