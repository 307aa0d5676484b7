% The three-mass system as users script it today: Newmark's average acceleration with Newton's
% method in physical coordinates, 200 sliders, vectorised over the sliders.
% Prints seconds per step, the best of a hundred parts, and the displacements at the end, which the
% caller checks.
function octave_transient(steps)
  F_S = 10; K_T = 1; chi = -0.5; beta = 5; n = 200;
  phi_max = F_S*(1 + beta)/(K_T*(beta + (chi + 1)/(chi + 2)));
  R = K_T*(chi + 1)/(phi_max^(chi + 1)*(1 + beta));
  S = K_T*beta/(1 + beta);
  edge = linspace(0, phi_max, n + 1)';
  phi = [(edge(1:n) + edge(2:n+1))/2; phi_max];
  k = [R*(edge(2:n+1).^(chi + 1) - edge(1:n).^(chi + 1))/(chi + 1); S];

  M = 10*eye(3);
  K = 9*[2 -1 0; -1 2 -1; 0 -1 1];
  B = [0; -1; 1];
  [Phi, Lambda] = eig(K + K_T*(B*B'), M);
  omega = sqrt(diag(Lambda));
  C = M*Phi*diag(2e-4*omega./diag(Phi'*M*Phi))*Phi'*M;

  dt = 0.02; p = 500;
  u = zeros(3, 1); v = u; a = u; x = zeros(n + 1, 1);
  A0 = 4/dt^2*M + 2/dt*C + K;
  part = steps/100; best = Inf;
  tic;
  for s = 1:steps
    t = s*dt;
    F = [0; (t < pi/omega(3))*p*sin(omega(3)*t); 0];
    w = u;
    for it = 1:50
      e = B'*w - x;
      c = max(min(e, phi), -phi);
      vn = 2/dt*(w - u) - v;
      an = 4/dt^2*(w - u) - 4/dt*v - a;
      r = M*an + C*vn + K*w + B*(k'*c) - F;
      if norm(r) <= 1e-9*(norm(M*an) + norm(F)), break; end
      w = w - (A0 + B*sum(k(c == e))*B')\r;
    end
    u = w; v = vn; a = an;
    x = B'*u - c;
    if mod(s, part) == 0
      best = min(best, toc/part);
      tic;
    end
  end
  printf("%.17g %.17g %.17g %.17g\n", best, u(1), u(2), u(3));
end
octave_transient(str2double(argv(){1}));
