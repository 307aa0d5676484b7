/* What microslip joint computed, as JSON, table and CSV. */
#include <stdio.h>
#include <string.h>

#include "joint.h"

/* The word of a choice, e.g. "uniform". */
static int choice_word(const ms_param *p, double value, const char **word) {
  *word = p->choices;
  for (int i = 0; i < (int)value; i++) *word += strcspn(*word, "|") + 1;
  return (int)strcspn(*word, "|");
}

static void json_param(ms_json *json, const ms_joint *joint, const ms_param *p) {
  double value = 0.0;
  const char *word;
  char text[64];
  ms_joint_get(joint, p->name, &value);
  if (p->kind != MS_PARAM_CHOICE) {
    ms_json_add_number(json, p->name, value);
    return;
  }
  int length = choice_word(p, value, &word);
  snprintf(text, sizeof text, "%.*s", length, word);
  ms_json_add_text(json, p->name, text);
}

static void json_law(ms_json *json, const ms_joint *joint) {
  const ms_law_info *law = ms_joint_info(joint);
  ms_json_add_text(json, "law", law->name);
  ms_json_begin_object(json, "parameters");
  for (int i = 0; i < law->n_param; i++) json_param(json, joint, &law->param[i]);
  ms_json_end(json);
}

static void json_members(ms_json *json, const joint_job *job) {
  if (ms_joint_count_members(job->joint) == 0) return;
  ms_json_begin_array(json, "members");
  for (int i = 0; i < job->n_part; i++) {
    const joint_part *part = &job->part[i];
    ms_json_begin_object(json, NULL);
    json_law(json, part->view);
    if (part->axis >= 0) ms_json_add_text(json, "axis", joint_axis_name[part->axis]);
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* One axis: the array itself. More: an object of arrays, "xy" for dFx/duy. */
static void json_slope(ms_json *json, const joint_job *job) {
  int n = job->n_axis;
  if (n == 1 || job->mode == JOINT_VIRGIN) {
    ms_json_add_numbers(json, "slope", job->slope[0], job->n);
    return;
  }
  ms_json_begin_object(json, "slope");
  for (int ab = 0; ab < n * n; ab++) {
    char name[8];
    snprintf(name, sizeof name, "%s%s", joint_axis_name[ab % n], joint_axis_name[ab / n]);
    ms_json_add_numbers(json, name, job->slope[ab], job->n);
  }
  ms_json_end(json);
}

/* First loading is along one axis whatever the joint has. */
static int shown_axes(const joint_job *job) {
  return job->mode == JOINT_VIRGIN ? 1 : job->n_axis;
}

static void json_curve(ms_json *json, const joint_job *job) {
  char name[16];
  ms_json_begin_object(json, job->mode == JOINT_PATH ? "path" : "virgin");
  for (int a = 0; a < shown_axes(job); a++) {
    const char *u = job->mode == JOINT_VIRGIN ? "u" : joint_column(job, "u", a, name);
    ms_json_add_numbers(json, u, job->u[a], job->n);
  }
  for (int a = 0; a < shown_axes(job); a++) {
    const char *F = job->mode == JOINT_VIRGIN ? "F" : joint_column(job, "F", a, name);
    ms_json_add_numbers(json, F, job->force[a], job->n);
  }
  json_slope(json, job);
  ms_json_end(json);
}

static void json_cycles(ms_json *json, const joint_job *job) {
  ms_json_begin_array(json, "cycles");
  for (ptrdiff_t i = 0; i < job->n; i++) {
    const ms_joint_cycle *c = &job->cycle[i];
    ms_json_begin_object(json, NULL);
    ms_json_add_number(json, "amplitude", c->amplitude);
    ms_json_add_number(json, "F0", c->F0);
    ms_json_add_number(json, "K_secant", c->K_secant);
    ms_json_add_number(json, "D", c->D);
    if (c->has_closed_form) {
      ms_json_add_number(json, "D_closed_form", c->D_closed_form);
    } else {
      ms_json_add_null(json, "D_closed_form");
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void json_job(ms_json *json, const void *user) {
  const joint_job *job = user;
  json_law(json, job->joint);
  json_members(json, job);
  if (job->mode == JOINT_CYCLE) {
    json_cycles(json, job);
  } else {
    json_curve(json, job);
  }
}

/* ---- tables ---- */

static ms_status add_cycle_column(const joint_job *job, ms_table *table, const char *name,
                                  const char *unit, size_t offset) {
  double *values;
  MS_TRY(ms_allocate(job->ctx, job->n, sizeof *values, &values));
  for (ptrdiff_t i = 0; i < job->n; i++) {
    memcpy(&values[i], (const char *)&job->cycle[i] + offset, sizeof *values);
  }
  ms_status status = ms_table_add_column(table, name, unit, values, job->n);
  ms_free(job->ctx, &values);
  return status;
}

static ms_status fill_cycles(const joint_job *job, ms_table *table) {
  MS_TRY(add_cycle_column(job, table, "amplitude", "m", offsetof(ms_joint_cycle, amplitude)));
  MS_TRY(add_cycle_column(job, table, "F0", "N", offsetof(ms_joint_cycle, F0)));
  MS_TRY(add_cycle_column(job, table, "K_secant", "N/m", offsetof(ms_joint_cycle, K_secant)));
  MS_TRY(add_cycle_column(job, table, "D", "J", offsetof(ms_joint_cycle, D)));
  if (!job->cycle[0].has_closed_form) return MS_SUCCESS;
  return add_cycle_column(job, table, "D_closed_form", "J",
                          offsetof(ms_joint_cycle, D_closed_form));
}

static ms_status fill_curve(const joint_job *job, ms_table *table) {
  const double *t = job->input ? ms_table_get_column(job->input, "t") : NULL;
  int n = shown_axes(job);
  char name[16];
  if (t) MS_TRY(ms_table_add_column(table, "t", "s", t, job->n));
  for (int a = 0; a < n; a++) {
    joint_column(job, "u", a, name);
    MS_TRY(ms_table_add_column(table, name, "m", job->u[a], job->n));
  }
  for (int a = 0; a < n; a++) {
    joint_column(job, "F", a, name);
    MS_TRY(ms_table_add_column(table, name, "N", job->force[a], job->n));
  }
  if (n == 1) return ms_table_add_column(table, "slope", "N/m", job->slope[0], job->n);
  for (int ab = 0; ab < n * n; ab++) {
    snprintf(name, sizeof name, "K%s%s", joint_axis_name[ab % n], joint_axis_name[ab / n]);
    MS_TRY(ms_table_add_column(table, name, "N/m", job->slope[ab], job->n));
  }
  return MS_SUCCESS;
}

static ms_status make_table(const joint_job *job, ms_table **out) {
  MS_TRY(ms_table_create(job->ctx, out));
  ms_status status = job->mode == JOINT_CYCLE ? fill_cycles(job, *out) : fill_curve(job, *out);
  if (status != MS_SUCCESS) ms_table_destroy(out);
  return status;
}

ms_status joint_write_csv(const joint_job *job) {
  ms_table *table;
  MS_TRY(make_table(job, &table));
  return cli_take_table(&table, job->csv);
}

int joint_shows_param(const ms_joint *joint, int i, double *value) {
  const ms_param *p = &ms_joint_info(joint)->param[i];
  ms_joint_get(joint, p->name, value);
  return p->required || (p->kind != MS_PARAM_CHOICE && *value != p->typical);
}

static void print_heading(const joint_part *part) {
  const ms_law_info *law = ms_joint_info(part->view);
  printf("%s, %s%s%s%s\n", law->name, law->title, part->axis >= 0 ? ", axis " : "",
         part->axis >= 0 ? joint_axis_name[part->axis] : "",
         part->typical ? " (typical values; --set changes them)" : "");
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    if (joint_shows_param(part->view, i, &value)) {
      printf("  %-8s %.10g %s\n", p->name, value, strcmp(p->unit, "-") == 0 ? "" : p->unit);
    }
  }
  printf("\n");
}

ms_status joint_print(const joint_job *job) {
  if (job->json) return cli_print_json(job->ctx, json_job, job);
  ms_table *table;
  MS_TRY(make_table(job, &table));
  for (int i = 0; i < job->n_part; i++) print_heading(&job->part[i]);
  ms_status status = cli_take_table(&table, NULL);
  cli_print_written(job->csv, job->plot);
  return status;
}
