/* What `calibrate` says whatever its method: curves over targets, misfits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

const char *ms_calibrate_unit(const ms_calibrate_parameter *parameter) {
  const char *unit = parameter->unit;
  return unit && *unit && strcmp(unit, "-") != 0 ? unit : NULL;
}

ms_status ms_calibrate_table(ms_study *s, const ms_task *task, const ms_calibrate *c,
                             const char *ending, const char *first, ms_result_table **out) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_%.12s", task->name, ending);
  MS_TRY(ms_result_table_create(s, name, first, out));
  return ms_calibrate_add_parameters(s, c, *out);
}

ms_status ms_calibrate_add_parameters(ms_study *s, const ms_calibrate *c, ms_result_table *table) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    MS_TRY(ms_result_table_add_column(s->ctx, table, c->parameter[i].key,
                                      ms_calibrate_unit(&c->parameter[i]),
                                      "value of this joint parameter"));
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

/* "omega [rad/s]" as "omega_target [rad/s]". */
static void name_target(const char *column, char out[64]) {
  const size_t n = strcspn(column, " ");
  snprintf(out, 64, "%.*s_target%.30s", (int)n, column, column + n);
}

static ms_status open_points(ms_study *s, const ms_task *task, const ms_target_kind *kind,
                             ms_result_table **out) {
  char name[96], columns[400], target[64];
  int at = snprintf(columns, sizeof columns, "target:word,solution:word,row,%s", kind->x);
  snprintf(name, sizeof name, "%.80s_%.12s", task->name, kind->table);
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    name_target(kind->y[i], target);
    at += snprintf(columns + at, sizeof columns - (size_t)at, ",%s,%s", target, kind->y[i]);
  }
  return ms_result_table_create(s, name, columns, out);
}

static ms_status add_points(const ms_study *s, ms_result_table *table, const char *target,
                            const char *solution, const ms_target_view *v) {
  for (ptrdiff_t i = 0; i < v->n; i++) {
    const double second[2] = { v->target[1] ? v->target[1][i] : 0.0,
                               v->model[1] ? v->model[1][i] : 0.0 };
    /* the last two are not read where the table has no columns for them */
    MS_TRY(ms_result_table_add_row(s->ctx, table, target, solution, (double)v->row[i], v->x[i],
                                   v->target[0][i], v->model[0][i], second[0], second[1]));
  }
  return MS_SUCCESS;
}

/* Every point of the targets of a kind, for each solution. */
static ms_status tabulate_points(ms_study *s, const ms_task *task, const ms_calibrate *c,
                                 const ms_target_kind *kind) {
  ms_result_table *table;
  if (!ms_calibrate_get_target(c, kind, 0)) return MS_SUCCESS;
  MS_TRY(open_points(s, task, kind, &table));
  for (ptrdiff_t x = 0; x < c->n_solution; x++) {
    for (ptrdiff_t k = 0; k < c->n_target; k++) {
      if (c->target[k].kind != kind) continue;
      MS_TRY(
          add_points(s, table, c->target[k].name, c->solution[x].name, &c->solution[x].view[k].is));
    }
  }
  return MS_SUCCESS;
}

/* A row for each quantity of a target that is looked at. */
static ms_status add_differences(const ms_study *s, ms_result_table *table,
                                 const ms_calibrate_target *t, const ms_calibrate_solution *is,
                                 ptrdiff_t k) {
  const ms_target_view *v = &is->view[k].is;
  for (int i = 0; i < 2; i++) {
    if (!(t->weight[i] > 0.0)) continue;
    MS_TRY(ms_result_table_add_row(s->ctx, table, t->name, is->name, t->kind->quantity[i],
                                   (double)v->n, (double)t->left_out, sqrt(is->f[2 * k + i]),
                                   ms_view_largest(v, i)));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_targets(ms_study *s, const ms_task *task, const ms_calibrate *c) {
  char name[96];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_targets", task->name);
  MS_TRY(ms_result_table_create(
      s, name, "target:word,solution:word,quantity:word,points,left_out,rms,largest", &table));
  for (ptrdiff_t x = 0; x < c->n_solution; x++) {
    for (ptrdiff_t k = 0; k < c->n_target; k++) {
      MS_TRY(add_differences(s, table, &c->target[k], &c->solution[x], k));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate(ms_study *s, const ms_task *task, ms_calibrate *c) {
  MS_TRY(c->method->tabulate(s, task, c));
  for (int i = 0; i < ms_target_kind_count(); i++) {
    MS_TRY(tabulate_points(s, task, c, ms_target_kind_get(i)));
  }
  return tabulate_targets(s, task, c);
}

/* ---- summary ---- */

void ms_calibrate_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_calibrate *c = task->product;
  const ms_result_table *table = ms_result_table_find(s, task, "_targets");
  ms_json_add_text(json, "method", c->method->name);
  c->method->summarise(c, json);
  ms_json_begin_array(json, "targets");
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "target", ms_result_table_word(table, 0, i));
    ms_json_add_text(json, "solution", ms_result_table_word(table, 1, i));
    ms_json_add_text(json, "quantity", ms_result_table_word(table, 2, i));
    ms_json_add_integer(json, "points", (long long)ms_result_table_column(table, 3)[i]);
    ms_json_add_number(json, "rms", ms_result_table_column(table, 5)[i]);
    ms_json_add_number(json, "largest", ms_result_table_column(table, 6)[i]);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_verify_summarise(c->verify, json);
}

/* ---- report ---- */

/* "omega [rad/s]" to what stands on an axis. */
static void split_unit(const char *column, char label[64], char unit[32]) {
  const char *open = strstr(column, " [");
  snprintf(label, 64, "%.*s", (int)(open ? open - column : (ptrdiff_t)strlen(column)), column);
  snprintf(unit, 32, "%.*s", open ? (int)strcspn(open + 2, "]") : 0, open ? open + 2 : "");
}

static ms_status add_panel(const ms_target_kind *kind, int i, ms_figure *figure) {
  char x[64], x_unit[32], y[64], y_unit[32];
  split_unit(kind->x, x, x_unit);
  split_unit(kind->y[i], y, y_unit);
  const ms_panel panel = { kind->quantity[i], x, x_unit, y, y_unit, kind->x_log, kind->y_log[i] };
  return ms_figure_add_panel(figure, &panel);
}

/* What samples make of it, behind everything else. */
static ms_status add_band(const ms_calibrate *c, ptrdiff_t k, int i, ms_figure *figure) {
  const ms_points band = ms_calibrate_outline(c, k);
  const ms_series series = { .label = MS_OUTLINE_LABEL,
                             .x = band.q,
                             .y = i ? band.zeta : band.omega,
                             .n = band.n,
                             .style = MS_SERIES_AREA,
                             .colour = 1 };
  return band.n > 0 ? ms_figure_add_series(figure, &series) : MS_SUCCESS;
}

ms_status ms_calibrate_add_panels(const ms_calibrate *c, ptrdiff_t k, ms_figure *figure) {
  enum { MOST = 7 };
  const ms_target_kind *kind = c->target[k].kind;
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    MS_TRY(add_panel(kind, i, figure));
    MS_TRY(add_band(c, k, i, figure));
    for (ptrdiff_t x = -1; x < c->n_solution && x < MOST; x++) {
      const ms_target_view *v = &c->solution[x < 0 ? 0 : x].view[k].is;
      const ms_series series = { .label = x < 0 ? c->target[k].name : c->solution[x].name,
                                 .x = v->x,
                                 .y = x < 0 ? v->target[i] : v->model[i],
                                 .n = v->n,
                                 .style = x < 0    ? MS_SERIES_POINTS
                                          : x == 0 ? MS_SERIES_LINE
                                                   : MS_SERIES_DASHED,
                                 .colour = (int)x + 1 };
      MS_TRY(ms_figure_add_series(figure, &series));
    }
  }
  return MS_SUCCESS;
}

static ms_status report_target(const ms_study *s, const ms_calibrate *c, ptrdiff_t k,
                               ms_page *page) {
  ms_figure *figure;
  if (c->target[k].kind->figure) return c->target[k].kind->figure(s, c, k, page);
  MS_TRY(ms_figure_create(s->ctx, c->target[k].name, NULL, &figure));
  ms_status status = ms_calibrate_add_panels(c, k, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

static ms_status report_left_out(const ms_calibrate *c, ms_page *page) {
  char text[400];
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].left_out == 0) continue;
    snprintf(text, sizeof text, "%s: %td points that %s were left out.", c->target[k].name,
             c->target[k].left_out, c->target[k].why);
    MS_TRY(ms_page_add_warning(page, text));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_calibrate *c = task->product;
  MS_TRY(c->method->report(s, c, page));
  MS_TRY(report_left_out(c, page));
  for (ptrdiff_t k = ms_calibrate_count_shown(c); k < c->n_target; k++) {
    MS_TRY(report_target(s, c, k, page));
  }
  MS_TRY(ms_result_table_add_to_page(s->ctx, ms_result_table_find(s, task, "_targets"),
                                     "Relative differences between model and targets", page));
  return ms_verify_report(s, c->verify, page);
}
