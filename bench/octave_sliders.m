% An Iwan element as users script it today: 200 sliders, vectorised over the sliders.
% Prints seconds per step and the sum of all forces, which the caller checks.
function octave_sliders(steps)
  F_S = 10; K_T = 1; chi = -0.5; beta = 5; n = 200;
  phi_max = F_S*(1 + beta)/(K_T*(beta + (chi + 1)/(chi + 2)));
  R = K_T*(chi + 1)/(phi_max^(chi + 1)*(1 + beta));
  S = K_T*beta/(1 + beta);
  edge = linspace(0, phi_max, n + 1)';
  phi = [(edge(1:n) + edge(2:n+1))/2; phi_max];
  k = [R*(edge(2:n+1).^(chi + 1) - edge(1:n).^(chi + 1))/(chi + 1); S];
  i = (0:steps-1)';
  u = 1.25*phi_max*exp(-2e-5*i).*cos(2*pi*i/180);
  x = zeros(n + 1, 1);
  total = 0; slopes = 0;
  tic;
  for s = 1:steps
    e = u(s) - x;
    c = max(min(e, phi), -phi);
    total = total + k'*c;
    slopes = slopes + sum(k(c == e));
    x = u(s) - c;
  end
  printf("%.17g %.17g %.17g\n", toc/steps, total, slopes);
end
octave_sliders(str2double(argv(){1}));
