% Sliders of four-parameter Iwan joints, one under the other.
% iwan     4 x joints: F_S, K_T, chi, beta
% n        sliders of a joint beside its last one at phi_max
% spacing  "uniform": cells of one size, sliders in their middle; "geometric": cells from
%          phi_max/n^2 on in equal ratio, sliders at their centroids
% phi      slip displacements
% S        stiffnesses, a column for each joint, zero where a slider is of another
% joint    the joint each slider belongs to
function [phi, S, joint] = octave_iwan(iwan, n, spacing)
  m = columns(iwan);
  phi = zeros((n + 1)*m, 1); S = zeros((n + 1)*m, m);
  joint = kron((1:m)', ones(n + 1, 1));
  for j = 1:m
    F_S = iwan(1, j); K_T = iwan(2, j); chi = iwan(3, j); beta = iwan(4, j);
    phi_max = F_S*(1 + beta)/(K_T*(beta + (chi + 1)/(chi + 2)));
    R = K_T*(chi + 1)/(phi_max^(chi + 1)*(1 + beta));
    if strcmp(spacing, "uniform")
      edge = linspace(0, phi_max, n + 1)';
    else
      edge = [0; phi_max*n.^(-2*(n-1:-1:0)'/(n - 1))];
    end
    k = R*diff(edge.^(chi + 1))/(chi + 1);
    if strcmp(spacing, "uniform")
      middle = (edge(1:n) + edge(2:n+1))/2;
    else
      middle = R*diff(edge.^(chi + 2))/(chi + 2)./k;
    end
    phi(joint == j) = [middle; phi_max];
    S(joint == j, j) = [k; K_T*beta/(1 + beta)];
  end
end
