/* microslip joint: arguments and the computation; joint_print.c and joint_plot.c show it. */
#include "joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

/* ---- arguments ---- */

/* How the law is computed (`sliders`, `spacing`) may be chosen beside typical values; what it
   models may not be given in part. */
static int is_setting(const joint_job *job, const char *name) {
  const ms_law_info *law = ms_joint_info(job->joint);
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    if (strcmp(p->name, name) == 0) return p->kind == MS_PARAM_COUNT || p->kind == MS_PARAM_CHOICE;
  }
  return 0;
}

static ms_status set_param(joint_job *job, const char *text) {
  const char *equals = strchr(text, '=');
  char name[64];
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof name) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "write --set NAME=VALUE, e.g. --set chi=-0.5, not '%s'", text);
  }
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  if (!is_setting(job, name)) job->typical = 0;
  return ms_joint_set_text(job->joint, name, equals + 1);
}

static ms_status set_mode(joint_job *job, joint_mode mode) {
  if (job->mode != JOINT_NONE) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "give one of --path, --cycle and --virgin, once");
  }
  job->mode = mode;
  return MS_SUCCESS;
}

static ms_status set_theme(joint_job *job, const char *text) {
  static const char *const name[] = { "auto", "light", "dark" };
  static const ms_theme theme[] = { MS_THEME_AUTO, MS_THEME_LIGHT, MS_THEME_DARK };
  for (int i = 0; i < 3; i++) {
    if (strcmp(text, name[i]) != 0) continue;
    job->theme = theme[i];
    return MS_SUCCESS;
  }
  return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--theme %s is none of auto, light, dark", text);
}

static ms_status set_positive(joint_job *job, const char *option, const char *text, double *out) {
  MS_TRY(cli_parse_number(job->ctx, option, text, out));
  if (*out > 0.0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_BOUNDS, "%s %s must be > 0", option, text);
}

enum { OPT_SET, OPT_PATH, OPT_CYCLE, OPT_CSV, OPT_PLOT, OPT_THEME, OPT_FREQUENCY, OPT_TO, N_OPT };
static const char *const options[N_OPT] = { "--set",  "--path",  "--cycle",     "--csv",
                                            "--plot", "--theme", "--frequency", "--to" };

static ms_status apply_option(joint_job *job, int option, const char *value) {
  switch (option) {
  case OPT_SET:
    return set_param(job, value);
  case OPT_PATH:
    job->path = value;
    return set_mode(job, JOINT_PATH);
  case OPT_CYCLE:
    MS_TRY(set_mode(job, JOINT_CYCLE));
    return cli_parse_amplitudes(job->ctx, "--cycle", value, &job->amplitude, &job->n);
  case OPT_CSV:
    job->csv = value;
    return MS_SUCCESS;
  case OPT_PLOT:
    job->plot = value;
    return MS_SUCCESS;
  case OPT_THEME:
    return set_theme(job, value);
  case OPT_FREQUENCY:
    return set_positive(job, "--frequency", value, &job->frequency_hz);
  default:
    return set_positive(job, "--to", value, &job->reach);
  }
}

static ms_status read_argument(joint_job *job, cli_args *args) {
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  if (cli_take_flag(args, "--virgin")) return set_mode(job, JOINT_VIRGIN);
  for (int i = 0; i < N_OPT; i++) {
    const char *value = NULL;
    int taken;
    MS_TRY(cli_take_option(job->ctx, args, options[i], &value, &taken));
    if (taken) return apply_option(job, i, value);
  }
  return cli_fail_unknown(job->ctx, args);
}

/* What was asked for makes sense together. */
static ms_status check_request(const joint_job *job) {
  if (job->mode == JOINT_NONE) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "give one of --path FILE.csv, --cycle A[,A...] and "
                   "--virgin");
  }
  if (job->reach > 0.0 && job->mode != JOINT_VIRGIN) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--to goes with --virgin only");
  }
  if (job->frequency_hz > 0.0 && job->mode != JOINT_CYCLE) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--frequency goes with --cycle only");
  }
  if (job->csv && job->plot && strcmp(job->csv, job->plot) == 0) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--csv and --plot both name %s; a file holds one of them", job->csv);
  }
  return MS_SUCCESS;
}

static ms_status read_arguments(joint_job *job, int argc, char **argv) {
  cli_args args = { .command = "joint", .argc = argc, .argv = argv, .at = 1 };
  if (argc < 1 || argv[0][0] == '-') {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name a law: microslip joint LAW ...; 'microslip laws' "
                   "lists them");
  }
  MS_TRY(ms_joint_create(job->ctx, argv[0], &job->joint));
  while (args.at < argc) MS_TRY(read_argument(job, &args));
  MS_TRY(check_request(job));
  if (job->frequency_hz == 0.0) job->frequency_hz = 1.0;
  if (job->typical) MS_TRY(ms_joint_set_typical(job->joint));
  MS_TRY(cli_check_writable(job->ctx, job->csv));
  MS_TRY(cli_check_writable(job->ctx, job->plot));
  return ms_joint_setup(job->joint);
}

/* ---- computation ---- */

static ms_status allocate_result(joint_job *job) {
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof(double), &job->force));
  return ms_allocate(job->ctx, job->n, sizeof(double), &job->slope);
}

static ms_status check_columns(const joint_job *job) {
  static const char *const known[] = { "t", "u", "v", "alpha", "k" };
  for (ptrdiff_t c = 0; c < ms_table_get_columns(job->input); c++) {
    const char *name = ms_table_get_name(job->input, c);
    int found = 0;
    for (int i = 0; i < 5; i++) found |= strcmp(name, known[i]) == 0;
    if (!found) {
      return ms_fail(job->ctx, MS_ERR_NAME,
                     "%s: column '%s' is not known; a path has u or t,u, and "
                     "may have v, alpha, k",
                     job->path, name);
    }
  }
  if (ms_table_get_column(job->input, "u")) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_NAME, "%s: there is no column u, the displacement", job->path);
}

static ms_status run_path(joint_job *job) {
  MS_TRY(ms_table_read(job->ctx, job->path, &job->input));
  MS_TRY(check_columns(job));
  job->n = ms_table_get_rows(job->input);
  MS_TRY(allocate_result(job));
  ms_joint_path path = {
    .n = job->n,
    .t = ms_table_get_column(job->input, "t"),
    .u = ms_table_get_column(job->input, "u"),
    .v = ms_table_get_column(job->input, "v"),
    .alpha = ms_table_get_column(job->input, "alpha"),
    .k = ms_table_get_column(job->input, "k"),
    .force = job->force,
    .slope = job->slope,
  };
  ptrdiff_t row = 0;
  ms_status status = ms_joint_run_path(job->joint, &path, &row);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail_at(job->ctx, status, "%s:%td", job->path, ms_table_get_line(job->input, row));
}

static ms_status run_cycles(joint_job *job) {
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof *job->cycle, &job->cycle));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    MS_TRY(ms_joint_run_cycle(job->joint, job->amplitude[i], two_pi * job->frequency_hz,
                              JOINT_LOOP_POINTS, NULL, NULL, &job->cycle[i]));
  }
  return MS_SUCCESS;
}

/* From 0 to a little beyond where everything slips. */
static ms_status run_virgin(joint_job *job) {
  double scale = ms_joint_slip_scale(job->joint);
  if (job->reach == 0.0) job->reach = scale > 0.0 ? 1.5 * scale : 1e-3;
  job->n = JOINT_VIRGIN_POINTS;
  MS_TRY(allocate_result(job));
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof(double), &job->u));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    job->u[i] = job->reach * ((double)i / (double)(job->n - 1));
    MS_TRY(ms_joint_eval_virgin(job->joint, job->u[i], &job->force[i], &job->slope[i]));
  }
  return MS_SUCCESS;
}

static ms_status compute(joint_job *job) {
  switch (job->mode) {
  case JOINT_PATH:
    return run_path(job);
  case JOINT_CYCLE:
    return run_cycles(job);
  default:
    return run_virgin(job);
  }
}

static ms_status run_job(joint_job *job, int argc, char **argv) {
  MS_TRY(read_arguments(job, argc, argv));
  MS_TRY(compute(job));
  if (job->plot) MS_TRY(joint_plot(job));
  if (job->csv) MS_TRY(joint_write_csv(job));
  return joint_print(job);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  joint_job job = { .ctx = ctx, .typical = 1 };
  ms_status status = run_job(&job, argc, argv);
  ms_table_destroy(&job.input);
  ms_free(ctx, &job.amplitude);
  ms_free(ctx, &job.cycle);
  ms_free(ctx, &job.u);
  ms_free(ctx, &job.force);
  ms_free(ctx, &job.slope);
  ms_joint_destroy(&job.joint);
  return status;
}

const cli_command cli_command_joint = {
  .name = "joint",
  .summary = "one joint under a path, steady cycles or first loading",
  .usage =
      "microslip joint LAW [--set NAME=VALUE]... --path FILE.csv | --cycle A[,A...] | --virgin\n\n"
      "  --set NAME=VALUE   a parameter ('microslip laws LAW' lists them); without any,\n"
      "                     typical values\n"
      "  --path FILE.csv    columns u or t,u, and if wanted v, alpha, k; from the virgin state at "
      "0\n"
      "  --cycle A[,A...]   steady cycles of these amplitudes, m; FIRST:LAST:COUNT is a log range\n"
      "  --virgin           the first loading curve\n"
      "  --to U             how far the virgin curve goes, m (1.5 times the slip displacement)\n"
      "  --frequency HZ     of the cycles, for laws that depend on rate (1)\n"
      "  --json             one JSON object on standard output instead of a table\n"
      "  --csv FILE         the table as a file\n"
      "  --plot FILE.svg    a picture\n"
      "  --theme NAME       of the picture: auto (follows the reader), light, dark\n",
  .run = run,
};
