/* microslip joint: the computation; joint_args.c reads the request, joint_print.c and joint_plot.c
   show what came out. */
#include "joint.h"

#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

static ms_status allocate_result(joint_job *job) {
  int n = job->n_axis;
  for (int a = 0; a < n; a++) {
    MS_TRY(ms_allocate(job->ctx, job->n, sizeof(double), &job->force[a]));
  }
  for (int ab = 0; ab < n * n; ab++) {
    MS_TRY(ms_allocate(job->ctx, job->n, sizeof(double), &job->slope[ab]));
  }
  return MS_SUCCESS;
}

static ms_joint_path make_path(const joint_job *job) {
  ms_joint_path path = { .n = job->n };
  memcpy(path.u, job->u, sizeof path.u);
  memcpy(path.force, job->force, sizeof path.force);
  memcpy(path.slope, job->slope, sizeof path.slope);
  return path;
}

/* ---- a path from a file ---- */

static int is_known_column(const joint_job *job, const char *name) {
  char text[16];
  int found = strcmp(name, "t") == 0 || strcmp(name, "alpha") == 0 || strcmp(name, "k") == 0;
  for (int a = 0; a < job->n_axis; a++) {
    found |= strcmp(name, joint_column(job, "u", a, text)) == 0;
    found |= strcmp(name, joint_column(job, "v", a, text)) == 0;
  }
  return found;
}

/* A unit in the heading must be the one that is meant: metres taken for millimetres would not show.
 */
static ms_status check_unit(const joint_job *job, ptrdiff_t c) {
  const char *name = ms_table_get_name(job->input, c), *unit = ms_table_get_unit(job->input, c);
  const char *meant = name[0] == 'u' ? "m" : name[0] == 'v' ? "m/s" : name[0] == 't' ? "s" : "-";
  if (!unit || unit[0] == '\0' || strcmp(unit, meant) == 0) return MS_SUCCESS;
  return ms_fail(job->ctx, MS_ERR_ARGUMENT, "%s: column %s is in [%s], but [%s] is needed",
                 job->path, name, unit, meant);
}

static ms_status check_columns(const joint_job *job) {
  static const char *const wanted[] = { "u or t,u, and optionally v, alpha, k",
                                        "ux,uy, and optionally t, vx, vy, alpha, k",
                                        "ux,uy,un, and optionally t, vx, vy, vn, alpha, k" };
  for (ptrdiff_t c = 0; c < ms_table_get_columns(job->input); c++) {
    const char *name = ms_table_get_name(job->input, c);
    if (is_known_column(job, name)) {
      MS_TRY(check_unit(job, c));
      continue;
    }
    return ms_fail(job->ctx, MS_ERR_NAME,
                   "%s: column '%s' is not known; a path of this joint has %s", job->path, name,
                   wanted[job->n_axis - 1]);
  }
  for (int a = 0; a < job->n_axis; a++) {
    char name[16];
    if (ms_table_get_column(job->input, joint_column(job, "u", a, name))) continue;
    return ms_fail(job->ctx, MS_ERR_NAME,
                   "%s: there is no column %s, the displacement; a path of this joint has %s",
                   job->path, name, wanted[job->n_axis - 1]);
  }
  return MS_SUCCESS;
}

static ms_status run_path(joint_job *job) {
  char name[16];
  ptrdiff_t row = 0;
  MS_TRY(ms_table_read(job->ctx, job->path, &job->input));
  MS_TRY(check_columns(job));
  job->n = ms_table_get_rows(job->input);
  MS_TRY(allocate_result(job));
  for (int a = 0; a < job->n_axis; a++) {
    job->u[a] = ms_table_get_column(job->input, joint_column(job, "u", a, name));
  }
  ms_joint_path path = make_path(job);
  for (int a = 0; a < job->n_axis; a++) {
    path.v[a] = ms_table_get_column(job->input, joint_column(job, "v", a, name));
  }
  path.t = ms_table_get_column(job->input, "t");
  path.alpha = ms_table_get_column(job->input, "alpha");
  path.k = ms_table_get_column(job->input, "k");
  ms_status status = ms_joint_run_path(job->joint, &path, &row);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail_at(job->ctx, status, "%s:%td", job->path, ms_table_get_line(job->input, row));
}

/* ---- cycles and first loading, along the first axis ---- */

static ms_status run_cycles(joint_job *job) {
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof *job->cycle, &job->cycle));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    MS_TRY(ms_joint_run_cycle(job->joint, job->amplitude[i], two_pi * job->frequency_hz,
                              JOINT_LOOP_POINTS, NULL, NULL, &job->cycle[i]));
  }
  return MS_SUCCESS;
}

/* A law that depends on rate is loaded steadily, in a quarter of a period. */
static ms_status run_steadily(joint_job *job) {
  ms_joint_path path = make_path(job);
  double *t;
  MS_TRY(ms_allocate(job->ctx, 2 * job->n, sizeof *t, &t));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    t[i] = 0.25 / job->frequency_hz * ((double)i / (double)(job->n - 1));
  }
  path.t = t;
  for (int a = 1; a < job->n_axis; a++) path.u[a] = t + job->n; /* the other axes rest */
  ms_status status = ms_joint_run_path(job->joint, &path, NULL);
  ms_free(job->ctx, &t);
  return status;
}

/* From 0 to a little beyond where everything slips. */
static ms_status run_virgin(joint_job *job) {
  double scale = ms_joint_slip_scale(job->joint);
  if (job->reach == 0.0) job->reach = scale > 0.0 ? 1.5 * scale : 1e-3;
  job->n = JOINT_VIRGIN_POINTS;
  MS_TRY(allocate_result(job));
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof(double), &job->virgin));
  job->u[0] = job->virgin;
  for (ptrdiff_t i = 0; i < job->n; i++) {
    job->virgin[i] = job->reach * ((double)i / (double)(job->n - 1));
  }
  if (ms_joint_info(job->joint)->flags & MS_LAW_RATE) return run_steadily(job);
  for (ptrdiff_t i = 0; i < job->n; i++) {
    MS_TRY(ms_joint_eval_virgin(job->joint, job->virgin[i], &job->force[0][i], &job->slope[0][i]));
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
  MS_TRY(joint_read_arguments(job, argc, argv));
  MS_TRY(compute(job));
  if (job->plot) MS_TRY(joint_plot(job));
  if (job->csv) MS_TRY(joint_write_csv(job));
  return joint_print(job);
}

static void free_job(joint_job *job) {
  ms_table_destroy(&job->input);
  ms_free(job->ctx, &job->amplitude);
  ms_free(job->ctx, &job->cycle);
  ms_free(job->ctx, &job->virgin);
  for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) ms_free(job->ctx, &job->force[a]);
  for (int ab = 0; ab < MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS; ab++) {
    ms_free(job->ctx, &job->slope[ab]);
  }
  for (int i = 0; i < job->n_part; i++) ms_joint_destroy(&job->part[i].joint);
  ms_joint_destroy(&job->joint);
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  joint_job job = { .ctx = ctx };
  ms_status status = run_job(&job, argc, argv);
  free_job(&job);
  return status;
}

const cli_command cli_command_joint = {
  .name = "joint",
  .summary = "one joint under a path, steady cycles or first loading",
  .usage =
      "microslip joint LAW [--set NAME=VALUE]... [--with LAW [--set NAME=VALUE]...]...\n"
      "                --path FILE.csv | --cycle A[,A...] | --virgin\n\n"
      "  --set NAME=VALUE   a parameter of the law named last ('microslip laws LAW' lists them);\n"
      "                     without any, typical values\n"
      "  --with LAW         another law in parallel: forces add\n"
      "  --axis x|y|n       the axis that the law named last acts on (x)\n"
      "  --path FILE.csv    columns u or t,u, optionally v, alpha, k; with two or three axes\n"
      "                     ux,uy[,un] and vx,vy[,vn]; from the virgin state at 0\n"
      "  --cycle A[,A...]   steady cycles of these amplitudes, m; FIRST:LAST:COUNT is a log range\n"
      "  --virgin           the first loading curve\n"
      "  --to U             end of the virgin curve, m (1.5 times the slip displacement)\n"
      "  --frequency HZ     of the cycles, for laws that depend on rate (1); their first loading\n"
      "                     takes a quarter of a period\n"
      "  --json             one JSON object on standard output instead of a table\n"
      "  --csv FILE         the table as a file\n"
      "  --plot FILE.svg    a picture\n"
      "  --theme NAME       colours: auto (follows the reader), light, dark\n",
  .run = run,
};
