% The response in time of a structure with Iwan joints to any load, as users script it today:
% Newmark's average acceleration with Newton's method in physical coordinates, 200 sliders to a
% joint. Reads M, C, K, B, iwan, the load's shape b and values p, and dt from a file.
% Prints seconds per step, each part as in the best of three runs, evaluations of the joints per
% step, and the displacements at the end, which the caller checks.
addpath(fileparts(mfilename("fullpath")));
g = load(argv(){1});
[phi, S, joint] = octave_iwan(g.iwan, 200, "uniform");
for repeat = 1:3
  [seconds(repeat, :), u, evaluations] = ...
      octave_newmark(g.M, g.C, g.K, g.B, phi, S, joint, g.b, g.p, g.dt);
end
printf("%.17g\n", mean(min(seconds)), evaluations/numel(g.p), u);
