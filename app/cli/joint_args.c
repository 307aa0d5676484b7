/* The command line of microslip joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint.h"

const char *const joint_axis_name[MS_JOINT_MAX_AXIS] = { "x", "y", "n" };

const char *joint_column(const joint_job *job, const char *quantity, int axis, char text[16]) {
  snprintf(text, 16, "%s%s", quantity, job->n_axis > 1 ? joint_axis_name[axis] : "");
  return text;
}

/* ---- laws and their parameters ---- */

static joint_part *newest(joint_job *job) {
  return &job->part[job->n_part - 1];
}

static ms_status add_part(joint_job *job, const char *law) {
  if (job->n_part == JOINT_MAX_PARTS) {
    return ms_fail(job->ctx, MS_ERR_BOUNDS, "at most %d laws in parallel", JOINT_MAX_PARTS);
  }
  joint_part *part = &job->part[job->n_part];
  *part = (joint_part) { .axis = -1, .typical = 1 };
  MS_TRY(ms_joint_create(job->ctx, law, &part->joint));
  part->view = part->joint;
  job->n_part++;
  return MS_SUCCESS;
}

/* How the law is computed (`sliders`, `spacing`) may be chosen beside typical values; what it
   models may not be given in part. */
static int is_setting(const ms_joint *joint, const char *name) {
  const ms_law_info *law = ms_joint_info(joint);
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    if (strcmp(p->name, name) == 0) return p->kind == MS_PARAM_COUNT || p->kind == MS_PARAM_CHOICE;
  }
  return 0;
}

static const ms_param *find_table(const ms_joint *joint, const char *name) {
  const ms_law_info *law = ms_joint_info(joint);
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    if (strcmp(p->name, name) == 0 && p->kind == MS_PARAM_TABLE) return p;
  }
  return NULL;
}

/* A parameter that is a table comes from a file with its columns. */
static ms_status set_table(joint_job *job, const ms_param *p, const ms_table *table,
                           const char *path) {
  enum { MAX_COLUMNS = 8 };
  const double *column[MAX_COLUMNS];
  int n = 0;
  while (n < p->table->n_column && n < MAX_COLUMNS) {
    ms_status found = ms_table_find_column(table, p->table->column[n], &column[n]);
    if (found != MS_SUCCESS) return ms_fail_at(job->ctx, found, "%s", path);
    if (!column[n]) break;
    n++;
  }
  if (n < p->table->n_required) {
    return ms_fail(job->ctx, MS_ERR_NAME, "%s: there is no column %s [%s]", path,
                   p->table->column[n], p->table->unit[n]);
  }
  ms_status status =
      ms_joint_set_table(newest(job)->joint, p->name, ms_table_get_rows(table), n, column);
  return status == MS_SUCCESS ? status : ms_fail_at(job->ctx, status, "%s", path);
}

static ms_status read_table(joint_job *job, const ms_param *p, const char *path) {
  ms_table *table;
  MS_TRY(ms_table_read(job->ctx, path, &table));
  ms_status status = set_table(job, p, table, path);
  ms_table_destroy(&table);
  return status;
}

static ms_status set_param(joint_job *job, const char *text) {
  const char *equals = strchr(text, '=');
  joint_part *part = newest(job);
  char name[64];
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof name) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "write --set NAME=VALUE, e.g. --set chi=-0.5, not '%s'", text);
  }
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  if (!is_setting(part->joint, name)) part->typical = 0;
  const ms_param *table = find_table(part->joint, name);
  if (table) return read_table(job, table, equals + 1);
  return ms_joint_set_text(part->joint, name, equals + 1);
}

static ms_status set_axis(joint_job *job, const char *text) {
  joint_part *part = newest(job);
  const ms_law_info *law = ms_joint_info(part->joint);
  if (law->n_axis > 1) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--axis %s: law %s has %d axes of its own and acts on the first ones", text,
                   law->name, law->n_axis);
  }
  for (int a = 0; a < MS_JOINT_MAX_AXIS; a++) {
    if (strcmp(text, joint_axis_name[a]) != 0) continue;
    part->axis = a;
    return MS_SUCCESS;
  }
  return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--axis %s must be x, y or n", text);
}

/* ---- the other options ---- */

static ms_status set_mode(joint_job *job, joint_mode mode) {
  if (job->mode != JOINT_NONE) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "give only one of --path, --cycle and --virgin, once");
  }
  job->mode = mode;
  return MS_SUCCESS;
}

static ms_status set_theme(joint_job *job, const char *text) {
  return cli_parse_theme(job->ctx, text, &job->theme);
}

static ms_status set_path(joint_job *job, const char *text) {
  job->path = text;
  return set_mode(job, JOINT_PATH);
}

static ms_status set_cycle(joint_job *job, const char *text) {
  MS_TRY(set_mode(job, JOINT_CYCLE));
  return cli_parse_amplitudes(job->ctx, "--cycle", text, &job->amplitude, &job->n);
}

static ms_status set_csv(joint_job *job, const char *text) {
  job->csv = text;
  return MS_SUCCESS;
}

static ms_status set_plot(joint_job *job, const char *text) {
  job->plot = text;
  return cli_check_picture(job->ctx, text);
}

static ms_status set_frequency(joint_job *job, const char *text) {
  return cli_parse_positive(job->ctx, "--frequency", text, &job->frequency_hz);
}

static ms_status set_reach(joint_job *job, const char *text) {
  return cli_parse_positive(job->ctx, "--to", text, &job->reach);
}

static const struct joint_option {
  const char *name;
  ms_status (*set)(joint_job *job, const char *text);
} options[] = {
  { "--set", set_param }, { "--with", add_part },   { "--axis", set_axis },
  { "--path", set_path }, { "--cycle", set_cycle }, { "--csv", set_csv },
  { "--plot", set_plot }, { "--theme", set_theme }, { "--frequency", set_frequency },
  { "--to", set_reach },
};

static ms_status read_argument(joint_job *job, cli_args *args) {
  if (cli_take_flag(args, "--json")) {
    job->json = 1;
    return MS_SUCCESS;
  }
  if (cli_take_flag(args, "--virgin")) return set_mode(job, JOINT_VIRGIN);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *value = NULL;
    int taken;
    MS_TRY(cli_take_option(job->ctx, args, options[i].name, &value, &taken));
    if (taken) return options[i].set(job, value);
  }
  return cli_fail_unknown(job->ctx, args);
}

/* ---- the whole ---- */

static int depends_on_rate(const joint_job *job) {
  int rate = 0;
  for (int i = 0; i < job->n_part; i++) {
    rate |= (ms_joint_info(job->part[i].view)->flags & MS_LAW_RATE) != 0;
  }
  return rate;
}

/* What was asked for makes sense together. */
static ms_status check_request(const joint_job *job) {
  if (job->mode == JOINT_NONE) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "give one of --path FILE.csv, --cycle A[,A...] and --virgin");
  }
  if (job->reach > 0.0 && job->mode != JOINT_VIRGIN) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "--to goes with --virgin only");
  }
  int timed = job->mode == JOINT_CYCLE || (job->mode == JOINT_VIRGIN && depends_on_rate(job));
  if (job->frequency_hz > 0.0 && !timed) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--frequency goes with --cycle only, and with --virgin for laws that depend on "
                   "rate");
  }
  if (job->csv && job->plot && strcmp(job->csv, job->plot) == 0) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "--csv and --plot both name %s; a file holds one of them", job->csv);
  }
  return MS_SUCCESS;
}

static ms_status set_up_parts(joint_job *job) {
  job->n_axis = 1;
  for (int i = 0; i < job->n_part; i++) {
    joint_part *part = &job->part[i];
    int last = part->axis >= 0 ? part->axis + 1 : ms_joint_info(part->joint)->n_axis;
    if (last > job->n_axis) job->n_axis = last;
    if (part->typical) MS_TRY(ms_joint_set_typical(part->joint));
    MS_TRY(ms_joint_setup(part->joint));
  }
  return MS_SUCCESS;
}

/* One law is the joint itself; several, or one on another axis than the first, go side by side. */
static ms_status make_joint(joint_job *job) {
  MS_TRY(set_up_parts(job));
  if (job->n_part == 1 && job->part[0].axis < 1) {
    job->joint = job->part[0].joint;
    job->part[0].joint = NULL;
    return MS_SUCCESS;
  }
  MS_TRY(ms_joint_create_parallel(job->ctx, job->n_axis, &job->joint));
  for (int i = 0; i < job->n_part; i++) {
    joint_part *part = &job->part[i];
    MS_TRY(ms_joint_take_member(job->joint, &part->joint, part->axis >= 0 ? &part->axis : NULL));
  }
  return ms_joint_setup(job->joint);
}

ms_status joint_read_arguments(joint_job *job, int argc, char **argv) {
  cli_args args = { .command = "joint", .argc = argc, .argv = argv };
  if (!cli_has_more(&args) || !cli_is_word(&args)) {
    return ms_fail(job->ctx, MS_ERR_ARGUMENT,
                   "name a law: microslip joint LAW ...; 'microslip laws' lists them");
  }
  MS_TRY(add_part(job, argv[args.at++]));
  while (cli_has_more(&args)) MS_TRY(read_argument(job, &args));
  MS_TRY(check_request(job));
  if (job->frequency_hz == 0.0) job->frequency_hz = 1.0;
  MS_TRY(cli_check_writable(job->ctx, job->csv));
  MS_TRY(cli_check_writable(job->ctx, job->plot));
  return make_joint(job);
}
