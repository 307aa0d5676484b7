/* What microslip joint computed, as JSON, table and CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint.h"

/* The word of a choice, e.g. "uniform". */
static int choice_word(const ms_param *p, double value, const char **word) {
  *word = p->choices;
  for (int i = 0; i < (int)value; i++) *word += strcspn(*word, "|") + 1;
  return (int)strcspn(*word, "|");
}

static void json_parameters(ms_json *json, const joint_job *job) {
  const ms_law_info *law = ms_joint_info(job->joint);
  ms_json_begin_object(json, "parameters");
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    ms_joint_get(job->joint, p->name, &value);
    if (p->kind != MS_PARAM_CHOICE) {
      ms_json_add_number(json, p->name, value);
      continue;
    }
    const char *word;
    char text[64];
    int length = choice_word(p, value, &word);
    snprintf(text, sizeof text, "%.*s", length, word);
    ms_json_add_text(json, p->name, text);
  }
  ms_json_end(json);
}

static const double *displacement(const joint_job *job) {
  return job->mode == JOINT_PATH ? ms_table_get_column(job->input, "u") : job->u;
}

static void json_curve(ms_json *json, const joint_job *job) {
  ms_json_begin_object(json, job->mode == JOINT_PATH ? "path" : "virgin");
  ms_json_add_numbers(json, "u", displacement(job), job->n);
  ms_json_add_numbers(json, "F", job->force, job->n);
  ms_json_add_numbers(json, "slope", job->slope, job->n);
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

static ms_status write_json(const joint_job *job, FILE *stream) {
  ms_json *json;
  MS_TRY(ms_json_create(job->ctx, stream, &json));
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "law", ms_joint_info(job->joint)->name);
  json_parameters(json, job);
  if (job->mode == JOINT_CYCLE) {
    json_cycles(json, job);
  } else {
    json_curve(json, job);
  }
  ms_json_end(json);
  return ms_json_close(&json);
}

/* Into memory first: standard output gets the whole object or nothing. */
static ms_status print_json(const joint_job *job) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return ms_fail(job->ctx, MS_ERR_MEMORY, "out of memory for the output");
  ms_status status = write_json(job, stream);
  if (fclose(stream) != 0 && status == MS_SUCCESS) {
    status = ms_fail(job->ctx, MS_ERR_MEMORY, "out of memory for the output");
  }
  if (status == MS_SUCCESS) fwrite(text, 1, length, stdout);
  free(text);
  return status;
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
  if (t) MS_TRY(ms_table_add_column(table, "t", "s", t, job->n));
  MS_TRY(ms_table_add_column(table, "u", "m", displacement(job), job->n));
  MS_TRY(ms_table_add_column(table, "F", "N", job->force, job->n));
  return ms_table_add_column(table, "slope", "N/m", job->slope, job->n);
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
  ms_status status = ms_table_write_csv(table, job->csv);
  ms_table_destroy(&table);
  return status;
}

int joint_shows_param(const joint_job *job, int i, double *value) {
  const ms_param *p = &ms_joint_info(job->joint)->param[i];
  ms_joint_get(job->joint, p->name, value);
  return p->kind == MS_PARAM_REQUIRED || (p->kind != MS_PARAM_CHOICE && *value != p->typical);
}

static void print_heading(const joint_job *job) {
  const ms_law_info *law = ms_joint_info(job->joint);
  printf("%s, %s%s\n", law->name, law->title,
         job->typical ? " (typical values; --set changes them)" : "");
  for (int i = 0; i < law->n_param; i++) {
    const ms_param *p = &law->param[i];
    double value = 0.0;
    if (joint_shows_param(job, i, &value)) printf("  %-8s %.10g %s\n", p->name, value, p->unit);
  }
  printf("\n");
}

static void print_written(const char *what, const char *path) {
  if (path) printf("%s: %s\n", what, path);
}

ms_status joint_print(const joint_job *job) {
  if (job->json) return print_json(job);
  ms_table *table;
  MS_TRY(make_table(job, &table));
  print_heading(job);
  ms_status status = ms_table_print(table, stdout);
  ms_table_destroy(&table);
  if (job->csv || job->plot) printf("\n");
  print_written("table", job->csv);
  print_written("picture", job->plot);
  return status;
}
