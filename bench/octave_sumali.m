% Two bolted beams (the Sumali beam) as users script them today: bricks with incompatible modes,
% averaging spiders, Craig and Bampton's reduction to 49 coordinates, and a ring-down of mode 7 by
% Newmark's method with 100 sliders to a joint. The argument is how many steps are marched.
% Prints seconds of the reduction and seconds per step (each part as in the best of three runs),
% evaluations of the joints per step, the three lowest elastic frequencies with stuck and with
% slipped joints, and the displacements of the boundary at a hundred times, which the caller checks.
1; % functions follow
addpath(fileparts(mfilename("fullpath")));

% Stiffness and mass of a brick of size h, corners in VTK's order: eight trilinear functions and
% three parabolas, condensed.
function [Ke, Me] = brick(h, E, nu, rho)
  s = [-1 -1 -1; 1 -1 -1; 1 1 -1; -1 1 -1; -1 -1 1; 1 -1 1; 1 1 1; -1 1 1];
  D = E/((1 + nu)*(1 - 2*nu))*blkdiag(nu + (1 - 2*nu)*eye(3), (1 - 2*nu)/2*eye(3));
  K = zeros(33); Me = zeros(24);
  for g = s'/sqrt(3)
    f = 1 + s.*g';
    N = prod(f, 2)/8;
    dN = s.*[f(:,2).*f(:,3), f(:,1).*f(:,3), f(:,1).*f(:,2)]/8;
    d = [dN; -2*diag(g)].*(2./h);
    B = zeros(6, 33);
    B(1, 1:3:end) = d(:,1); B(2, 2:3:end) = d(:,2); B(3, 3:3:end) = d(:,3);
    B(4, 1:3:end) = d(:,2); B(4, 2:3:end) = d(:,1);
    B(5, 2:3:end) = d(:,3); B(5, 3:3:end) = d(:,2);
    B(6, 1:3:end) = d(:,3); B(6, 3:3:end) = d(:,1);
    K = K + prod(h)/8*(B'*D*B);
    Me = Me + prod(h)/8*rho*kron(N*N', eye(3));
  end
  c = 1:24; m = 25:33;
  Ke = K(c, c) - K(c, m)*(K(m, m)\K(m, c));
end

% A beam of n bricks. All are alike: one element's matrices serve, which is less work than a mesh
% of any other kind would be.
function [x, K, M] = beam(at, size, n, E, nu, rho)
  [i, j, k] = ndgrid(0:n(1), 0:n(2), 0:n(3));
  x = at + [i(:) j(:) k(:)].*(size./n);
  node = reshape(1:rows(x), n + 1);
  up = [1, n(1) + 1, (n(1) + 1)*(n(2) + 1)];
  corner = node(1:end-1, 1:end-1, 1:end-1)(:) + [0, up(1), up(1) + up(2), up(2)];
  corner = [corner, corner + up(3)];
  dof = 3*kron(corner, [1 1 1]) - repmat([2 1 0], 1, 8);
  [Ke, Me] = brick(size./n, E, nu, rho);
  row = repmat(dof, 1, 24); column = kron(dof, ones(1, 24));
  K = sparse(row, column, repmat(Ke(:)', rows(dof), 1));
  M = sparse(row, column, repmat(Me(:)', rows(dof), 1));
end

% The rigid motion that fits the nodes best, about a point: q = G u(dof).
function [G, dof] = spider(x, node, at)
  r = x(node, :) - at; one = ones(rows(r), 1);
  B = zeros(3*numel(node), 6);
  B(1:3:end, [1 5 6]) = [one, r(:,3), -r(:,2)];
  B(2:3:end, [2 4 6]) = [one, -r(:,3), r(:,1)];
  B(3:3:end, [3 4 5]) = [one, r(:,2), -r(:,1)];
  G = (B'*B)\B';
  dof = (3*node' - [2; 1; 0])(:);
end

% Both beams, in the coordinates of the boundary and then the others: of each bolt ux uy uz rx ry rz
% above and ux uy rz below, which shares the rest; the tip.
function [M, K] = assemble()
  L = [0.508 0.0508 0.00635]; E = 248e9; nu = 0.29; rho = 8000;
  bolt = [0.2159 0.2921 0.3683 0.4445]; half = 0.0127 + 1e-9;
  [xa, Ka, Ma] = beam([0 0 0], L, [80 8 1], E, nu, rho);
  [xb, Kb, Mb] = beam([0.1524 0 -L(3)], L, [80 8 1], E, nu, rho);
  x = [xa; xb]; K = blkdiag(Ka, Kb); M = blkdiag(Ma, Mb);
  n = rows(K); upper = (1:rows(x))' <= rows(xa); follows = [];
  T = speye(n, n + 36);
  for k = 1:4
    at = [bolt(k) L(2)/2 0]; column = n + 9*(k - 1) + [1 2 3 4 5 6; 7 8 3 4 5 9];
    patch = abs(x(:,3)) < 1e-9 & all(abs(x(:,1:2) - at(1:2)) <= half, 2);
    for side = 1:2
      [G, dof] = spider(x, find(patch & upper == (side == 1)), at);
      [~, ~, order] = qr(G, "vector"); % six coordinates of the patch follow the others
      f = order(1:6); r = order(7:end);
      T(dof(f), :) = 0;
      T(dof(f), dof(r)) = -G(:, f)\G(:, r);
      T(dof(f), column(side, :)) = inv(G(:, f));
      follows = [follows; dof(f)];
    end
  end
  [~, node] = min(sumsq(x - [0 L(2)/2 L(3)], 2));
  tip = 3*node - [2 1 0];
  T = T(:, [n + (1:36), tip, setdiff(1:n, [follows; tip'])]);
  K = T'*K*T; M = T'*M*T; K = (K + K')/2; M = (M + M')/2;
end

% 39 coordinates of the boundary and 10 modes with the boundary fixed. A Cholesky factor with a
% permutation takes half the time of K\F.
function [M, K] = reduce()
  [M, K] = assemble();
  b = 1:39; i = 40:rows(K);
  [R, ~, Q] = chol(K(i, i));
  Psi = -Q*(R\(R'\(Q'*full(K(i, b)))));
  [Phi, ~] = eigs(K(i, i), M(i, i), 10, "sm");
  X = [eye(39), zeros(39, 10); Psi, Phi];
  M = X'*(M*X); K = X'*(K*X); M = (M + M')/2; K = (K + K')/2;
end

function [Phi, omega] = modes(K, M)
  [Phi, Lambda] = eig(K, M);
  [lambda, order] = sort(diag(Lambda));
  omega = sqrt(max(lambda, 0));
  Phi = Phi(:, order)./sqrt(sum(Phi(:, order).*(M*Phi(:, order))));
end

function main(steps)
  for repeat = 1:3
    before = octave_clock();
    [M, K] = reduce();
    reduction(repeat) = min(octave_clock() - before);
  end
  x = zeros(49, 4); y = x;
  for k = 1:4
    x(9*(k - 1) + [1 7], k) = [-1; 1];
    y(9*(k - 1) + [2 8], k) = [-1; 1];
  end
  K = K + 5.3e7*(x*x') + 5.25e8*(y*y');
  iwan = [30.7; 4.73e8; -0.23; 0.46];
  [Phi, omega_0] = modes(K + iwan(2)*(x*x'), M);
  [Slipped, omega_inf] = modes(K, M);
  omega_0(1:6) = 0;
  C = M*Phi*diag(2e-4*omega_0)*Phi'*M;
  b = M*Slipped(:, 7)*sign(Slipped(39, 7)); % the tip moves up

  dt = 1e-5; t = dt*(1:steps);
  p = 3361*(t < pi/omega_0(7)).*sin(omega_0(7)*t);
  [phi, S, joint] = octave_iwan(repmat(iwan, 1, 4), 100, "geometric");
  for repeat = 1:3
    [seconds(repeat, :), ~, evaluations, history] = ...
        octave_newmark(M, C, K, x, phi, S, joint, b, p, dt);
  end
  printf("%.17g\n", min(reduction), mean(min(seconds)), evaluations/steps, omega_0(7:9), ...
         omega_inf(7:9), history(1:39, :));
end
main(str2double(argv(){1}));
