% Newmark's average acceleration with Newton's method in physical coordinates, from rest, vectorised
% over the sliders: M u" + C u' + K u + B f(B' u) = b p(t), p one value for each step.
% Returns seconds per step in each of a hundred parts, the displacements at the end, how often
% Newton looked at the joints, and the displacements at the end of each part.
function [seconds, u, evaluations, history] = ...
    octave_newmark(M, C, K, B, phi, S, joint, b, p, dt)
  n = rows(M);
  u = zeros(n, 1); v = u; a = u; x = zeros(size(phi));
  A0 = 4/dt^2*M + 2/dt*C + K;
  steps = numel(p); part = steps/100; seconds = []; evaluations = 0; history = [];
  before = octave_clock();
  for s = 1:steps
    F = b*p(s);
    w = u;
    for it = 1:50
      z = B'*w;
      e = z(joint) - x;
      c = max(min(e, phi), -phi);
      vn = 2/dt*(w - u) - v;
      an = 4/dt^2*(w - u) - 4/dt*v - a;
      r = M*an + C*vn + K*w + B*(S'*c) - F;
      if norm(r) <= 1e-9*(norm(M*an) + norm(F)), break; end
      w = w - (A0 + B*diag((c == e)'*S)*B')\r;
    end
    evaluations = evaluations + it;
    u = w; v = vn; a = an;
    x = z(joint) - c;
    if mod(s, part) == 0
      seconds(end + 1) = min(octave_clock() - before)/part;
      history(:, end + 1) = u;
      before = octave_clock();
    end
  end
end
