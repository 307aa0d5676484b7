% Energy lost in a cycle at each level of a modal curve alpha(q), by Masing's rule: the loop of each
% level made of the curve, its area by the trapezoidal rule; the loops of all levels in one call.
function D = octave_masing(q, alpha)
  tau = linspace(-1, 1, 201)';
  f = interp1([0; q], [0; alpha], [(1 + tau)*q'/2; (1 - tau)*q'/2]);
  D = 2*q.*trapz(tau, f(1:201, :) + f(202:end, :) - alpha')';
end
