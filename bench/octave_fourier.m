% N time points of a period from mean, cosine and sine coefficients of H harmonics (T), back (E),
% and the coefficients of the derivative with respect to the angle (D).
function [T, E, D] = octave_fourier(H, N)
  theta = 2*pi*(0:N-1)'/N;
  T = ones(N, 2*H + 1); D = zeros(2*H + 1);
  for k = 1:H
    T(:, 2*k) = cos(k*theta);
    T(:, 2*k + 1) = sin(k*theta);
    D(2*k, 2*k + 1) = k;
    D(2*k + 1, 2*k) = -k;
  end
  E = 2/N*T';
  E(1, :) = 1/N;
end
