/* microslip run, microslip check: a study file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

enum { MAX_SET = 64 };

typedef struct run_request {
  const char *study, *folder, *set[MAX_SET];
  int n_set, threads, json, resume, strict;
  cli_figures figures;
  const char *display;
  double every; /* s between lines of progress */
} run_request;

/* The other processes have nothing to show. */
static int heed_signals(void *user, const char *what, double fraction) {
  (void)user, (void)what, (void)fraction;
  return cli_get_signal() != 0;
}

static int stop_at_signal(void *user) {
  (void)user;
  return cli_get_signal() != 0;
}

/* Warnings are about numbers and stand beside these, in the report; this is about the run. */
/* ---- arguments ---- */

static int take_flags(cli_args *args, run_request *r) {
  if (cli_take_flag(args, "--json")) return r->json = 1;
  if (cli_take_flag(args, "--resume")) return r->resume = 1;
  if (cli_take_flag(args, "--strict")) return r->strict = 1;
  return 0;
}

static ms_status take_threads(ms_context *ctx, cli_args *args, run_request *r, int *taken) {
  const char *value;
  double number;
  MS_TRY(cli_take_option(ctx, args, "--threads", &value, taken));
  if (!*taken) return MS_SUCCESS;
  MS_TRY(cli_parse_number(ctx, "--threads", value, &number));
  r->threads = (int)number;
  if (number >= 1.0 && number <= 256.0 && number == r->threads) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "--threads %s must be a whole number from 1 to 256", value);
}

/* Seconds, of the option or of the environment. */
static ms_status parse_every(ms_context *ctx, const char *what, const char *text, run_request *r) {
  MS_TRY(cli_parse_number(ctx, what, text, &r->every));
  if (r->every >= 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "%s %s: seconds must be 0 or more", what, text);
}

static ms_status take_progress(ms_context *ctx, cli_args *args, run_request *r, int *taken) {
  const char *value;
  MS_TRY(cli_take_option(ctx, args, "--progress", &value, taken));
  return *taken ? parse_every(ctx, "--progress", value, r) : MS_SUCCESS;
}

/* What only `run` knows. */
static ms_status take_run_option(ms_context *ctx, cli_args *args, run_request *r, int *taken) {
  *taken = strcmp(args->command, "run") == 0 && take_flags(args, r);
  if (*taken || strcmp(args->command, "run") != 0) return MS_SUCCESS;
  MS_TRY(cli_take_figures(ctx, args, &r->figures, taken));
  if (*taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--display", &r->display, taken));
  if (*taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--out", &r->folder, taken));
  if (!*taken) MS_TRY(take_progress(ctx, args, r, taken));
  return *taken ? MS_SUCCESS : take_threads(ctx, args, r, taken);
}

static ms_status read_argument(ms_context *ctx, cli_args *args, run_request *r) {
  const char *value = NULL;
  int taken;
  MS_TRY(take_run_option(ctx, args, r, &taken));
  if (taken) return MS_SUCCESS;
  MS_TRY(cli_take_option(ctx, args, "--set", &value, &taken));
  if (taken) {
    if (r->n_set == MAX_SET) return ms_fail(ctx, MS_ERR_BOUNDS, "at most %d --set", MAX_SET);
    r->set[r->n_set++] = value;
    return MS_SUCCESS;
  }
  if (!cli_is_word(args) || r->study) return cli_fail_unknown(ctx, args);
  r->study = args->argv[args->at++];
  return MS_SUCCESS;
}

static ms_status read_arguments(ms_context *ctx, const char *command, int argc, char **argv,
                                run_request *r) {
  cli_args args = { .command = command, .argc = argc, .argv = argv };
  *r = (run_request) { .folder = "results", .every = 30.0 };
  const char *every = getenv("MICROSLIP_PROGRESS");
  if (every) MS_TRY(parse_every(ctx, "MICROSLIP_PROGRESS", every, r));
  while (cli_has_more(&args)) MS_TRY(read_argument(ctx, &args, r));
  MS_TRY(cli_check_figures(ctx, &r->figures));
  if (r->study) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "name a study file: microslip %s STUDY.yaml", command);
}

/* ---- the commands ---- */

static ms_status print_file(ms_context *ctx, const char *folder, const char *name) {
  char *path, text[4096];
  MS_TRY(ms_folder_path(ctx, folder, name, &path));
  FILE *file = fopen(path, "rb");
  ms_free(ctx, &path);
  if (!file) return ms_fail(ctx, MS_ERR_FILE, "%s was not written", name);
  for (size_t n; (n = fread(text, 1, sizeof text, file)) > 0;) fwrite(text, 1, n, stdout);
  int failed = ferror(file);
  fclose(file);
  return failed ? ms_fail(ctx, MS_ERR_DISK, "%s cannot be read back", name) : MS_SUCCESS;
}

/* A word as the shell wants it, behind a blank; the length it has or would have. */
static size_t add_word(char *text, size_t size, size_t at, const char *word) {
  const char *plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
  char quote[8];
  if (word[0] && word[strspn(word, plain)] == '\0') {
    return at + (size_t)snprintf(text + at, at < size ? size - at : 0, " %s", word);
  }
  at += (size_t)snprintf(text + at, at < size ? size - at : 0, " '");
  for (; *word; word++) {
    snprintf(quote, sizeof quote, *word == '\'' ? "'\\''" : "%c", *word);
    at += (size_t)snprintf(text + at, at < size ? size - at : 0, "%s", quote);
  }
  return at + (size_t)snprintf(text + at, at < size ? size - at : 0, "'");
}

/* What failed, and the command that goes on from there. */
static ms_status fail_resumable(ms_context *ctx, ms_status status, const run_request *r) {
  char text[600], why[360] = "stopped", mpirun[48] = "";
  int processes = ms_context_get_communicator(ctx)->size;
  size_t n = 0, size = sizeof text;
  if (status != MS_CANCELLED) snprintf(why, sizeof why, "%s", ms_context_message(ctx));
  n = add_word(text, size, n, r->study);
  n = add_word(text, size, n, "--out");
  n = add_word(text, size, n, r->folder);
  const cli_figures *f = &r->figures;
  if (r->display) n = add_word(text, size, add_word(text, size, n, "--display"), r->display);
  if (f->wanted) n = add_word(text, size, n, f->kinds ? "--figures=" : "--figures");
  if (f->kinds && n < size) n += (size_t)snprintf(text + n, size - n, "%s", f->kinds);
  if (f->width) n = add_word(text, size, add_word(text, size, n, "--figure-width"), f->width);
  if (f->font) n = add_word(text, size, add_word(text, size, n, "--figure-font"), f->font);
  if (r->strict) n = add_word(text, size, n, "--strict");
  for (int i = 0; i < r->n_set; i++) {
    n = add_word(text, size, n, "--set");
    n = add_word(text, size, n, r->set[i]);
  }
  if (n >= size) {
    return ms_fail(ctx, status, "%s; continue with the same command and --resume", why);
  }
  if (processes > 1) snprintf(mpirun, sizeof mpirun, "mpirun -n %d ", processes);
  return ms_fail(ctx, status, "%s; continue with: %smicroslip run%s --resume", why, mpirun, text);
}

static void say_answers(const ms_result *result, const ms_display *display) {
  const ms_answer *answer;
  char text[128];
  for (int k = 0; result && (answer = ms_result_get_answer(result, k)); k++) {
    ms_answer_print(answer, display, text, sizeof text);
    printf("    ");
    cli_print_plain(answer->label, stdout);
    printf(": %s\n", text);
  }
}

/* What became of an analysis, what it found, and what is to be said of it. */
static void say_analysis(const ms_study *study, int i) {
  const char *note = ms_study_get_note(study, i);
  printf("  %s: %s%s%s\n", ms_study_get_analysis(study, i),
         ms_outcome_text(ms_study_get_outcome(study, i)), *note ? ", " : "", note);
  say_answers(ms_study_get_result(study, i), ms_study_get_display(study));
  for (int k = 0; k < ms_study_count_remarks(study, i); k++) {
    printf("    %s\n", ms_study_get_remark(study, i, k, NULL));
  }
}

static ms_status say_results(ms_context *ctx, const ms_study *study, const run_request *r) {
  if (r->json) return print_file(ctx, r->folder, "summary.json");
  cli_print_plain(ms_study_get_title(study), stdout);
  printf(": %s\n", ms_outcome_text(ms_study_get_outcome(study, -1)));
  for (int i = 0; i < ms_study_count_analyses(study); i++) say_analysis(study, i);
  printf("report: %s/report.html%s\n", r->folder,
         ms_study_has_replaced(study) ? " (replaces an earlier run)" : "");
  return MS_SUCCESS;
}

static ms_status refuse_suspect(ms_context *ctx, const ms_study *study) {
  for (int i = 0; i < ms_study_count_analyses(study); i++) {
    if (ms_study_get_outcome(study, i) != MS_OUTCOME_SUSPECT) continue;
    return ms_fail(ctx, MS_NOT_CONVERGED, "%s is suspect, and --strict was given",
                   ms_study_get_analysis(study, i));
  }
  return MS_SUCCESS;
}

static ms_status run_study(ms_context *ctx, ms_study *study, const run_request *r) {
  ms_study_setting setting = { .folder = r->folder,
                               .threads = r->threads,
                               .resume = r->resume,
                               .figures = r->figures.wanted,
                               .figure_format = r->figures.format,
                               .display = r->display };
  ms_status status = ms_study_run(study, &setting);
  if (!cli_is_first()) return status;
  if (status != MS_SUCCESS && isatty(STDERR_FILENO)) fputc('\n', stderr);
  if (status != MS_SUCCESS && ms_study_is_resumable(study)) return fail_resumable(ctx, status, r);
  if (status != MS_SUCCESS && !ms_study_is_partial(study)) return status;
  MS_TRY(say_results(ctx, study, r));
  if (status != MS_SUCCESS) return MS_NOT_CONVERGED; /* whatever it was: the input was valid */
  return r->strict ? refuse_suspect(ctx, study) : MS_SUCCESS;
}

/* Opening may take long too: finite elements are reduced. */
static ms_status open_and_run(ms_context *ctx, const run_request *r) {
  ms_study *study;
  if (cli_is_first())
    MS_TRY(ms_folder_check(ctx, r->folder)); /* before finite elements are solved */
  if (r->resume) ms_context_set_resume(ctx, r->folder);
  ms_status status = ms_study_open(ctx, r->study, r->n_set, r->set, &study);
  ms_context_set_resume(ctx, NULL);
  MS_TRY(status);
  status = run_study(ctx, study, r);
  ms_study_close(&study);
  return status;
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  run_request r;
  cli_progress p = { .ctx = ctx };
  MS_TRY(read_arguments(ctx, "run", argc, argv, &r));
  p.every = r.every;
  cli_catch_signals();
  ms_context_set_stop(ctx, stop_at_signal, NULL);
  ms_context_set_progress(ctx, cli_is_first() ? cli_show_progress : heed_signals, &p);
  if (cli_is_first()) ms_context_set_log(ctx, cli_show_log, NULL);
  ms_status status = cli_join(ctx);
  if (status == MS_SUCCESS) status = open_and_run(ctx, &r);
  ms_context_set_progress(ctx, NULL, NULL);
  ms_context_set_stop(ctx, NULL, NULL);
  ms_context_set_log(ctx, NULL, NULL);
  return status;
}

static void show_remark(void *user, ms_log_level level, const char *text) {
  (void)user;
  if (level != MS_LOG_DEBUG) fprintf(stderr, "microslip: %s\n", text);
}

static ms_status check(ms_context *ctx, int argc, char **argv) {
  run_request r;
  ms_study_facts facts;
  MS_TRY(read_arguments(ctx, "check", argc, argv, &r));
  MS_TRY(cli_join(ctx));
  if (cli_is_first()) ms_context_set_log(ctx, show_remark, NULL);
  ms_status status = ms_study_check(ctx, r.study, r.n_set, r.set, &facts);
  ms_context_set_log(ctx, NULL, NULL);
  MS_TRY(status);
  if (!cli_is_first()) return MS_SUCCESS;
  printf("%s: valid; %td degrees of freedom%s, %d joints, %d analyses\n", r.study,
         facts.n_coordinate, facts.is_open ? " and modes below the cut-off" : "", facts.n_joint,
         facts.n_analysis);
  return MS_SUCCESS;
}

const cli_command cli_command_run = {
  .name = "run",
  .summary = "a study file: structure, joints, analyses; tables and a report",
  .usage =
      "microslip run STUDY.yaml [--out DIR] [--set KEY.KEY=VALUE]... [--threads N] [--json]\n"
      "              [--figures[=svg,pdf]] [--figure-width W] [--figure-font S] [--resume]\n"
      "              [--display WORDS] [--strict] [--progress SECONDS]\n\n"
      "  -                  for STUDY.yaml: standard input; paths are relative to the current "
      "folder\n"
      "  --out DIR          where results go (results): summary.json, report.html, results.h5,\n"
      "                     tables/; with finite elements also reduced.h5\n"
      "  --set KEY=VALUE    overrides the file, e.g. --set joints.lap.beta=3\n"
      "  --threads N        threads for independent runs (as many as processors)\n"
      "  --json             print summary.json instead of the short summary\n" CLI_FIGURES_USAGE
      "  --display WORDS    units of tables/*.csv, figures, key numbers and, when it is opened, "
      "the\n"
      "                     report; one of each group, commas between: hz rad; percent ratio q; "
      "modal\n"
      "                     displacement velocity acceleration g (@SENSOR); si study. E.g.\n"
      "                     hz,percent,g@u3. Without it hz, percent, displacement at the first "
      "sensor\n"
      "                     that the study names, and tables in SI\n"
      "  --resume           continue the interrupted run in DIR; start if there is none\n"
      "  --progress S       seconds between progress lines if standard error is not a terminal\n"
      "                     (30); 0 for none\n"
      "  --strict           exit with 1 if an analysis is suspect: a check of its numbers "
      "failed\n\n"
      "Exit codes: 0 complete or suspect; 1 partial, failed or skipped; 2 bad input, nothing\n"
      "written; 3 disk error or out of memory; 130 after Ctrl-C, 143 after SIGTERM.\n",
  .run = run,
  .together = 1,
};

const cli_command cli_command_check = {
  .name = "check",
  .summary = "check a study file without running it",
  .usage =
      "microslip check STUDY.yaml [--set KEY.KEY=VALUE]...\n\n"
      "Reports what is wrong with a study file, where, and what would be right. Finite elements\n"
      "are meshed but not solved, and modes are computed for up to 300 degrees of freedom only:\n"
      "the run makes the remaining checks.\n",
  .run = check,
  .together = 1,
};
