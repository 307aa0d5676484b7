% Forces of sliders in periodic motion and their derivatives, by alternating frequency/time: two
% periods marched from the virgin state, the second one taken.
% Z        (2H+1) x joints: mean, then cosine and sine coefficients of harmonics 1 to H
% T, E     time points from coefficients (N x 2H+1), and back
% phi, S, joint   as of octave_iwan; a Jenkins element is a joint of one slider
% F        (2H+1) x joints; J{j} = dF(:, j)/dZ(:, j)
function [F, J] = octave_aft(Z, T, E, phi, S, joint)
  [N, h] = size(T);
  m = columns(Z);
  z = T*Z;
  f = zeros(m, N); df = zeros(m*h, N);
  c = zeros(size(phi)); dc = zeros(numel(phi), h);
  before = zeros(1, m); dbefore = zeros(1, h);
  for period = 1:2
    for t = 1:N
      dz = z(t, :) - before;
      e = c + dz(joint)(:);
      c = max(min(e, phi), -phi);
      dc = (dc + (T(t, :) - dbefore)).*(c == e);
      before = z(t, :); dbefore = T(t, :);
      if period == 2
        f(:, t) = S'*c;
        df(:, t) = (S'*dc)(:);
      end
    end
  end
  F = E*f';
  for j = 1:m
    J{j} = E*df(j:m:end, :)';
  end
end
