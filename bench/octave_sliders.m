% An Iwan element as users script it today: 200 sliders, vectorised over the sliders.
% Prints seconds per step and the sum of all forces, which the caller checks.
addpath(fileparts(mfilename("fullpath")));
function main(steps)
  [phi, k] = octave_iwan([10; 1; -0.5; 5], 200, "uniform");
  i = (0:steps-1)';
  u = 1.25*phi(end)*exp(-2e-5*i).*cos(2*pi*i/180);
  x = zeros(size(phi));
  total = 0; slopes = 0;
  before = octave_clock();
  for s = 1:steps
    e = u(s) - x;
    c = max(min(e, phi), -phi);
    total = total + k'*c;
    slopes = slopes + sum(k(c == e));
    x = u(s) - c;
  end
  printf("%.17g %.17g %.17g\n", min(octave_clock() - before)/steps, total, slopes);
end
main(str2double(argv(){1}));
