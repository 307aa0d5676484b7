% Modal amplitudes q of a structure under static loads alpha b: K x + B f(B' x) = alpha b in physical
% coordinates by Newton's method at each load from the one before, q = b' x.
% g        M, K, B
% phi, S, joint  sliders of the joints, see octave_iwan.m
function [q, iterations] = octave_levels(g, b, alpha, phi, S, joint)
  q = zeros(size(alpha)); x = zeros(rows(g.M), 1); iterations = 0;
  for l = 1:numel(q)
    for it = 0:50
      z = g.B'*x;
      e = z(joint);
      c = max(min(e, phi), -phi);
      r = g.K*x + g.B*(S'*c) - alpha(l)*b;
      if norm(r) <= 1e-10*norm(alpha(l)*b), break; end
      x = x - (g.K + g.B*diag((c == e)'*S)*g.B')\r;
    end
    iterations = iterations + it;
    q(l) = b'*x;
  end
end
