% microslip  Joints and studies of microslip. All numbers are SI.
%
%   s = microslip('path', law, parameters, u)
%     A joint from its virgin state along displacements u. parameters is a struct, such as
%     struct('F_S', 10, 'K_T', 1, 'chi', -0.5, 'beta', 5); a value is a number, the word of a choice or a table (a
%     matrix). With [] all have typical values. u is a vector, or for a law of several axes a matrix with a column for
%     each. s has force (of the size of u), tangent (dF/du at the end of each step; with several axes
%     tangent(step, i, j) = dF_i/du_j), stored and dissipated (energies after each step, J; [] for a law without).
%     Options, as pairs of a name and a value:
%       't'      times, s, for laws that depend on rate
%       'v'      velocities, m/s, of the size of u; without them the backward differences of u over t
%       'alpha'  normal load over its reference, for each step
%       'k'      stiffness over its reference, for each step
%
%   r = microslip('run', study)
%     Runs a study: the path of a file, its text (of several lines), or the same as a struct, in which cells are lists.
%     Ctrl-C stops it. A warning, microslip:suspect, microslip:partial, microslip:skipped or microslip:failed, says if the
%     results are not complete. Options:
%       'folder'   receives report.html, summary.json, results.h5 and tables/ ('results')
%       'set'      'joints.lap.beta=3', or a cell of such assignments, which override the study
%       'threads'  0: as many as there are processors
%       'resume'   true: go on with the interrupted run in the folder
%       'display'  units of tables/*.csv and of the report, such as 'hz,percent'
%
%   r = microslip('read', folder)
%     The results in a folder, of 'run' or of the command: title, status, version, folder, and analyses.NAME with
%       name, kind, status, reasons, notes
%       answers    columns label, symbol, unit, value, error, low, high: the key numbers of the report (error: 0 where there is none)
%       values     single numbers, texts and flags
%       tables     tables.TABLE.COLUMN is a column of numbers, or a cell of words
%       units      units.TABLE.COLUMN and units.values.NAME
%       meanings   in words, by the same names
%       summary    the analysis in summary.json, as jsondecode reads it, with groups and lists. In Octave these numbers
%                  may differ in the last digit.
%     Names have _ for what the name of a field may not have.
%
%   laws = microslip('laws'), law = microslip('laws', 'iwan4')
%     Joint laws with their parameters: name, title, reference, axes, and parameters with name, unit, meaning, kind,
%     range and default.
%
%   version = microslip('version')
%
% Errors have the identifiers microslip:argument, :file, :format, :numeric, :memory and :cancelled.
%
% Example
%   u = 1e-4*sin(linspace(0, 4*pi, 400));
%   s = microslip('path', 'iwan4', struct('F_S', 4000, 'K_T', 1e8, 'chi', -0.5, 'beta', 1), u);
%   plot(u, s.force)
