% The MEX function in Octave: the numbers of the command to the last bit, wrong arguments, Ctrl-C, memory.
% Run by ctest as octave.microslip, with MICROSLIP, the command, in the environment.
1;

function check(what, good)
  global n_bad
  if good
    printf("ok   %s\n", what);
  else
    printf("FAILED %s\n", what);
    n_bad++;
  end
end

% Fails unless code ends in an error with this identifier and these words.
function refuses(id, words, code)
  try
    code();
    printf("no error, '%s' expected\n", words);
    check(words, false);
  catch e
    good = strcmp(e.identifier, ["microslip:" id]) && any(strfind(e.message, words));
    if !good
      printf("%s: %s\n", e.identifier, e.message);
    end
    check([id ": " words], good);
  end
end

function command(words)
  [status, output] = system([getenv("MICROSLIP") " " words " 2>&1"]);
  if status != 0
    error("microslip %s: %s", words, output);
  end
end

% A table of the command: cells of texts by column, and names without units.
function [names, cells] = read_csv(path)
  lines = strsplit(strtrim(fileread(path)), "\n");
  names = regexprep(strsplit(lines{1}, ","), ' \[.*', '');
  cells = cell(numel(lines) - 1, numel(names));
  for i = 2:numel(lines)
    cells(i - 1, :) = strsplit(lines{i}, ",", "CollapseDelimiters", false);
  end
end

% Texts of numbers, read by the C library.
function x = numbers(cells)
  x = reshape(sscanf(strjoin(cells(:)', " "), "%f"), size(cells));
end

% The same bits, also of zeros.
function same = identical(a, b)
  same = isequal(size(a), size(b)) && isequal(typecast(a(:), "uint64"), typecast(b(:), "uint64"));
end

% ---- paths ----

% The command's force and slope along columns of a path, beside those of microslip('path').
function compare_path(law, parameters, names, columns, s)
  folder = tempname();
  mkdir(folder);
  file = fopen([folder "/path.csv"], "w");
  fprintf(file, "%s\n", strjoin(names, ","));
  fprintf(file, [strjoin(repmat({"%.17g"}, 1, numel(names)), ",") "\n"], columns');
  fclose(file);
  set = "";
  for [value, name] = parameters
    set = [set sprintf(" --set %s=%.17g", name, value)];
  end
  command(sprintf("joint %s%s --path %s/path.csv --csv %s/out.csv", law, set, folder, folder));
  [heads, cells] = read_csv([folder "/out.csv"]);
  forces = numbers(cells(:, strncmp(heads, "F", 1)));
  slopes = numbers(cells(:, strcmp(heads, "slope") | strncmp(heads, "K", 1)));
  check([law ": forces as of the command"], identical(s.force(:), forces(:)) && any(forces(:) != 0));
  check([law ": tangents as of the command"], identical(s.tangent(:), slopes(:)));
  confirm_recursive_rmdir(false, "local");
  rmdir(folder, "s");
end

function test_paths()
  w = linspace(0, 17.3, 331);
  u = 2.385 * sin(w) .* exp(-0.07 * w);
  p = struct("F_S", 1.173, "K_T", 1.071, "chi", -0.43, "beta", 4.7);
  s = microslip("path", "iwan4", p, u);
  check("a row stays a row", isequal(size(s.force), size(s.tangent), size(s.stored), size(s.dissipated), size(u)));
  compare_path("iwan4", p, {"u"}, u', s);
  same = microslip("path", "iwan4", p, u');
  check("a column gives the same", identical(same.force, s.force') && identical(same.dissipated, s.dissipated'));
  alpha = 1 + 0.3 * cos(0.7 * w);
  loaded = microslip("path", "iwan4", p, u, "alpha", alpha, "k", 1.1 * alpha);
  compare_path("iwan4", p, {"u", "alpha", "k"}, [u; alpha; 1.1 * alpha]', loaded);
  p = struct("K", 2.385, "C", 0.71);
  t = w + 0.1 * w .^ 2;
  compare_path("linear", p, {"t", "u"}, [t; u]', microslip("path", "linear", p, u, "t", t));
  compare_path("linear", p, {"t", "u", "v"}, [t; u; cos(w)]', microslip("path", "linear", p, u, "t", t, "v", cos(w)));
  both = [u; 1.3 * cos(1.7 * w)]';
  s = microslip("path", "jenkins2d", [], 1e-4 * both);
  check("two axes", isequal(size(s.tangent), [331 2 2]) && isequal(size(s.dissipated), [331 1]));
  compare_path("jenkins2d", struct(), {"ux", "uy"}, 1e-4 * both, s);

  % A Jenkins element slips beyond u_S and sticks on the way back.
  F_S = 11.7;
  u_S = F_S / 2.385;
  s = microslip("path", "jenkins", struct("F_S", F_S, "K_T", 2.385), u_S * [0.5 2.7 1.7]);
  check("energies", norm(s.stored - F_S * u_S * [0.125 0.5 0]) < 1e-13 * F_S * u_S &&
                    norm(s.dissipated - F_S * u_S * [0 1.7 1.7]) < 1e-13 * F_S * u_S);
  s = microslip("path", "jenkins", struct("F_S", F_S, "K_T", 2.385), []);
  check("an empty path", isempty(s.force));
  p = struct("density", [1e-5 2e7; 4e-5 1e7; 9e-5 3e6], "sliders", int32(50), "spacing", "uniform");
  s = microslip("path", "iwan_table", p, 1e-5 * u);
  p.spacing = "geometric";
  other = microslip("path", "iwan_table", p, 1e-5 * u);
  difference = norm(s.force - other.force) / norm(s.force);
  check("a table, a whole number and a word", difference > 1e-6 && difference < 0.1);
end

% ---- studies ----

function s = make_study()
  s.microslip = 1;
  s.title = "Three masses";
  s.structure.chain.masses = struct("u1", 10, "u2", 11.3, "u3", 9.7);
  s.structure.chain.springs = {{"ground", "u1", 9}, {"u1", "u2", 8.3}, {"u2", "u3", 9}};
  s.structure.damping.modal = 1e-4;
  s.joints.lap = struct("law", "iwan4", "between", {{"u2", "u3"}}, "F_S", 10, "K_T", 1.07, "chi", -0.43, "beta", 4.7);
  s.analyses = {"modes", struct("backbone", struct("modes", [1 2], "methods", {{"qsma", "epmc"}}))};
end

function compare_tables(what, r, folder)
  files = dir([folder "/tables/*.csv"]);
  found = struct();
  for [analysis, name] = r.analyses
    for [table, key] = analysis.tables
      found.(key) = table;
    end
  end
  good = numel(files) > 0 && numel(files) == numfields(found);
  n = 0;
  for file = files'
    [names, cells] = read_csv([folder "/tables/" file.name]);
    table = found.(file.name(1:end-4));
    good &= isequal(fieldnames(table)', names);
    for c = 1:numel(names)
      column = table.(names{c});
      good &= same_column(column, cells(:, c));
      n += numel(column);
    end
  end
  check(sprintf("%s: %d cells of tables as of the command", what, n), good && n > 1000);
end

function same = same_column(column, cells)
  if iscell(column)
    same = isequal(column, strrep(cells, "\"", ""));
  else
    same = identical(column, numbers(cells));
  end
end

function test_studies(source)
  text = ["microslip: 1\ntitle: Three masses\nstructure:\n  chain:\n    masses: {u1: 10, u2: 11.3, u3: 9.7}\n" ...
          "    springs: [[ground, u1, 9], [u1, u2, 8.3], [u2, u3, 9]]\n  damping: {modal: 1e-4}\njoints:\n" ...
          "  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1.07, chi: -0.43, beta: 4.7}\n" ...
          "analyses: [modes, {backbone: {modes: [1, 2], methods: [qsma, epmc]}}]\n"];
  file = fopen("study.yaml", "w");
  fputs(file, text);
  fclose(file);
  command("run study.yaml --out command");
  reference = microslip("read", "command");
  check("title, status, version", isequal({reference.title, reference.status, reference.version}, ...
                                          {"Three masses", "complete", microslip("version")}));
  compare_tables("read", reference, "command");
  r = microslip("run", "study.yaml");
  check("a file, into results/", isequal(r.analyses, reference.analyses) && strcmp(r.folder, "results"));
  compare_tables("run", r, "command");
  r = microslip("run", make_study(), "folder", "of struct", "threads", 1);
  check("a struct", isequal(r.analyses, reference.analyses) && exist("of struct/report.html", "file"));
  r = microslip("run", text, "folder", "of text", "display", "hz,percent");
  check("a text", isequal(r.analyses, reference.analyses));
  r = microslip("run", make_study(), "set", {"joints.lap.beta=3", "title=Other"});
  command("run study.yaml --set joints.lap.beta=3 --out other");
  compare_tables("set", r, "other");
  check("... of the title", strcmp(r.title, "Other"));

  a = reference.analyses.modes;
  check("units and meanings", strcmp(a.units.modes.omega_0, "rad/s") && numel(a.meanings.modes.omega_0) > 10);
  check("answers", identical(a.answers.value(1), a.tables.modes.omega_0(1)) && strcmp(a.answers.unit{1}, "rad/s"));
  b = reference.analyses.backbone;
  check("values", b.values.points == 160 && strcmp(b.values.reference, "epmc"));
  check("the summary", abs(a.summary.modes(2).omega_0 / a.tables.modes.omega_0(2) - 1) < 1e-14);

  study = [source "/tests/data/studies/frequency-response.yaml"];
  command(["run " study " --out frequency"]);
  lastwarn("", "");
  compare_tables("frequency response", microslip("run", study, "folder", "again"), "frequency");
  [words, id] = lastwarn();
  check("a suspect analysis is a warning", strcmp(id, "microslip:suspect") && any(strfind(words, "is suspect: level")));
end

function test_warnings()
  s = make_study();
  s.analyses{2}.backbone = struct("modes", 2, "methods", "epmc", "tolerance", 1e-30, ...
                                  "amplitudes", struct("from", 0.1, "to", 100, "points", 7));
  lastwarn("", "");
  r = microslip("run", s);
  [words, id] = lastwarn();
  check("a part that failed is a warning", strcmp(id, "microslip:partial") && any(strfind(words, "backbone")));
  check("and results say so", strcmp(r.status, "partial") && strcmp(r.analyses.modes.status, "complete") && ...
                              strcmp(r.analyses.backbone.status, "partial") && !isempty(r.analyses.backbone.reasons));
  warning("error", "microslip:partial");
  try
    microslip("run", s);
    check("a warning as an error", false);
  catch e
    check("a warning as an error", strcmp(e.identifier, "microslip:partial"));
  end
  warning("on", "microslip:partial");
end

function test_refusals()
  u = [0 1e-5 2e-5];
  p = struct("F_S", 10, "K_T", 1, "chi", -0.5, "beta", 5);
  path = @(varargin) microslip("path", varargin{:});
  refuses("argument", "what to do", @() microslip());
  refuses("argument", "must be a text in one row, not 1 x 1 double", @() microslip(3));
  refuses("argument", "'walk' is not known", @() microslip("walk"));
  refuses("argument", "is called as microslip('path'", @() path("iwan4"));
  refuses("argument", "did you mean 'iwan4'", @() path("iwan", p, u));
  refuses("argument", "the law must be a text", @() path({"iwan4"}, p, u));
  refuses("argument", "has a character of code 0", @() path(char([double("iwan4") 0 120]), p, u));
  refuses("argument", "the parameters must be a struct, or []", @() path("iwan4", {"F_S", 10}, u));
  refuses("argument", "F_T", @() path("iwan4", struct("F_T", 10), u));
  refuses("argument", "chi", @() path("iwan4", struct("F_S", 10, "K_T", 1, "chi", -2, "beta", 5), u));
  refuses("argument", "beta", @() path("iwan4", struct("F_S", 10, "K_T", 1, "chi", -0.5), u));
  refuses("argument", "parameter F_S must be", @() path("iwan4", struct("F_S", 10i), u));
  refuses("argument", "F_S", @() path("iwan4", struct("F_S", NaN, "K_T", 1, "chi", -0.5, "beta", 5), u));
  refuses("argument", "F_S", @() path("iwan4", struct("F_S", [1 2; 3 4]), u));
  refuses("argument", "u must be a vector of real numbers (double), one displacement a step, not 2 x 2 double", ...
          @() path("iwan4", p, [0 1; 2 3]));
  refuses("argument", "not 1 x 3 single", @() path("iwan4", p, single(u)));
  refuses("argument", "not 1 x 3 char", @() path("iwan4", p, "abc"));
  refuses("argument", "u must be", @() path("iwan4", p, sparse(u)));
  refuses("numeric", "row 2: displacement, velocity or step is not finite", @() path("iwan4", p, [0 NaN 1]));
  refuses("argument", "row 3: time does not increase", @() path("iwan4", p, u, "t", [0 1 1]));
  refuses("argument", "alpha must be 3 real numbers", @() path("iwan4", p, u, "alpha", [1 1]));
  refuses("argument", "option 'w' is not known; there are 't', 'v', 'alpha', 'k'", @() path("iwan4", p, u, "w", u));
  refuses("argument", "option 'v' has no value", @() path("iwan4", p, u, "v"));
  refuses("argument", "option 'k' is given twice", @() path("iwan4", p, u, "k", u, "k", u));

  run = @(varargin) microslip("run", varargin{:});
  s = make_study();
  refuses("file", "no-such.yaml", @() run("no-such.yaml"));
  refuses("argument", "the study must be the path of a file, its text, or a struct, not 1 x 1 double", @() run(1));
  refuses("argument", "'threads' must be a whole number", @() run(s, "threads", 1.5));
  refuses("argument", "'folder' must be a text", @() run(s, "folder", 7));
  refuses("argument", "'set' must be a text", @() run(s, "set", {1}));
  refuses("argument", "lap", @() run(s, "set", "joints.lapp.beta=3"));
  s.structure.damping.modal = Inf;
  refuses("numeric", "modal", @() run(s));
  s.structure.damping.modal = @sin;
  refuses("argument", "modal must be a number, text, cell, struct", @() run(s));
  s.structure.damping.modal = -1;
  refuses("argument", "modal", @() run(s));
  s.structure.damping = struct("modle", 1e-4);
  refuses("argument", "did you mean 'modal'", @() run(s));
  refuses("file", "is this the folder of a finished run?", @() microslip("read", "no-such-folder"));
  refuses("argument", "is called as microslip('read', folder)", @() microslip("read"));
  mkdir("bad");
  file = fopen("bad/summary.json", "w");
  fputs(file, "{\"title\": 3}");
  fclose(file);
  refuses("format", "is not the summary of a study", @() microslip("read", "bad"));
  file = fopen("bad/summary.json", "w");
  fputs(file, "{\"title\": \"a\", \"status\": \"b\", \"microslip\": \"c\", \"analyses\": [1, 2]}");
  fclose(file);
  refuses("argument", "the name of an analysis is missing", @() microslip("read", "bad"));
end

% SIGINT after a second: the run ends, says how to go on, and is not replaced by a run without 'resume'.
function test_interrupt()
  s = make_study();
  levels.("1") = struct("slipped", [600 300 100 45 15]);
  s.analyses = {struct("modal_ringdown", struct("modes", 1, "levels", levels, ...
                                                "time", struct("step", 0.02, "steps", 2000000)))};
  system(sprintf("(sleep 1; kill -INT %d) >/dev/null 2>&1 &", getpid()));
  refuses("cancelled", "'resume', true goes on with it", @() microslip("run", s, "folder", "stopped"));
  refuses("argument", "resume", @() microslip("run", s, "folder", "stopped"));
end

% ---- memory ----

function kb = memory()
  kb = sscanf(regexp(fileread("/proc/self/status"), 'VmRSS:\s*(\d+)', "tokens"){1}{1}, "%d");
end

function call_often(n)
  p = struct("F_S", 10, "K_T", 1, "chi", -0.5, "beta", 5);
  u = sin(1:1000);
  for i = 1:n
    microslip("path", "iwan4", p, u);
    if mod(i, 50) == 0
      microslip("read", "command");
    end
    try
      microslip("path", "iwan4", p, [u NaN]);
    end
    try
      microslip("run", struct("microslip", 1, "title", repmat("x", 1, 1000), "structure", 3));
    end
  end
end

function test_memory()
  call_often(200);
  before = memory();
  call_often(1000);
  after = memory();
  printf("resident: %d kB, after 3020 calls more %d kB\n", before, after);
  check("memory is stable", after - before < 1000);
end

global n_bad
n_bad = 0;
source = getenv("SOURCE_DIR");
folder = tempname();
mkdir(folder);
cd(folder);
test_paths();
test_studies(source);
test_warnings();
test_refusals();
test_interrupt();
test_memory();
cd("/");
confirm_recursive_rmdir(false);
rmdir(folder, "s");
printf("%d checks failed\n", n_bad);
exit(n_bad > 0);
