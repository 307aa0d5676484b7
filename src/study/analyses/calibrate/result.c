/* What `calibrate` ends in whatever its method: curves over targets, misfits; and whether it can be
   trusted. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/shared/answers.h"

/* ---- tables ---- */

ms_status ms_calibrate_add_table(ms_study *s, const ms_task *task, const char *ending,
                                 const char *first, ms_result_table **out) {
  const ms_calibrate *c = task->product;
  MS_TRY(ms_task_add_table(s, task, ending, first, out));
  for (ptrdiff_t m = 0; m < c->n_objective; m++) {
    MS_TRY(ms_result_table_add_column(s->ctx, *out, c->objective[m].name, NULL,
                                      "objective: mean square of the relative differences"));
  }
  for (ptrdiff_t i = 0; i < c->n; i++) {
    MS_TRY(ms_result_table_add_column(s->ctx, *out, c->parameter[i].key,
                                      ms_joint_parameter_unit(&c->parameter[i]),
                                      "value of this joint parameter"));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_tabulate_correlation(ms_study *s, const ms_task *task,
                                            const double *correlation) {
  const ms_calibrate *c = task->product;
  ms_result_table *table;
  MS_TRY(
      ms_task_add_table(s, task, "_correlation", "parameter:word,with:word,correlation", &table));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      MS_TRY(ms_result_table_add_row(s->ctx, table, c->parameter[i].key, c->parameter[k].key,
                                     correlation[i + c->n * k]));
    }
  }
  return MS_SUCCESS;
}

/* "q [m]" and "omega [rad/s]": columns x, omega_target and omega. */
static ms_status open_points(ms_study *s, const ms_task *task, const ms_target_source *kind,
                             ms_result_table **out) {
  char ending[32], columns[400];
  int at = snprintf(columns, sizeof columns, "target:word,solution:word,row,%s", kind->x);
  snprintf(ending, sizeof ending, "_%s", kind->table);
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    const char *y = kind->y[i];
    const int n = (int)strcspn(y, " ");
    at += snprintf(columns + at, sizeof columns - (size_t)at, ",%.*s_target%s,%s", n, y, y + n, y);
  }
  if (kind->is == MS_TARGET_CURVE) snprintf(columns + at, sizeof columns - (size_t)at, ",mode");
  return ms_task_add_table(s, task, ending, columns, out);
}

/* Of a curve over modal amplitude, from 1; 0: another target. */
static double mode_of(const ms_calibrate *c, ptrdiff_t k) {
  return c->is[k].kind == MS_TARGET_CURVE ? (double)c->is[k].is.curve.mode + 1.0 : 0.0;
}

/* Every point of the targets of a kind, for each solution. */
static ms_status tabulate_points(ms_study *s, const ms_task *task, const ms_calibrate *c,
                                 const ms_target_source *kind) {
  ms_result_table *table = NULL;
  for (ptrdiff_t j = 0; j < c->n_solution * c->n_target; j++) {
    const ptrdiff_t k = j % c->n_target;
    const ms_solution *x = &c->solution[j / c->n_target];
    const ms_target_view *v = &x->view[k];
    if (c->target[k].kind != kind) continue;
    if (!table) MS_TRY(open_points(s, task, kind, &table));
    for (ptrdiff_t i = 0; i < v->n; i++) {
      /* the last ones are not read where the table has no columns for them */
      MS_TRY(ms_result_table_add_row(s->ctx, table, c->target[k].name, x->name, (double)v->row[i],
                                     v->x[i], v->target[0][i], v->model[0][i],
                                     v->target[1] ? v->target[1][i] : 0.0,
                                     v->model[1] ? v->model[1][i] : 0.0, mode_of(c, k)));
    }
  }
  return MS_SUCCESS;
}

/* A row for each quantity of a target that is looked at. */
static ms_status tabulate_targets(ms_study *s, const ms_task *task, const ms_calibrate *c,
                                  ms_result_table **out) {
  MS_TRY(ms_task_add_table(s, task, "_targets",
                           "target:word,solution:word,quantity:word,points,left_out,rms,largest",
                           out));
  for (ptrdiff_t j = 0; j < 2 * c->n_solution * c->n_target; j++) {
    const ptrdiff_t k = j / 2 % c->n_target;
    const int i = (int)(j % 2);
    const ms_solution *x = &c->solution[j / 2 / c->n_target];
    if (!(c->is[k].weight[i] > 0.0)) continue;
    MS_TRY(ms_result_table_add_row(s->ctx, *out, c->target[k].name, x->name,
                                   ms_target_quantity(c->is[k].kind, i), (double)x->view[k].n,
                                   (double)c->target[k].points.left_out, sqrt(x->f[2 * k + i]),
                                   ms_target_view_largest(&x->view[k], i)));
  }
  return MS_SUCCESS;
}

/* ---- figures ---- */

/* "omega [rad/s]" to what stands on an axis. */
static void split_unit(const char *column, char label[64], char unit[32]) {
  const size_t n = strcspn(column, " ");
  snprintf(label, 64, "%.*s", (int)n, column);
  if (strcmp(label, "q") == 0) snprintf(label, 64, "modal amplitude |q|");
  snprintf(unit, 32, "%.*s", column[n] ? (int)strcspn(column + n + 2, "]") : 0,
           column[n] ? column + n + 2 : "");
}

static int quantity_of(const char *label, const char *unit) {
  return (int)ms_display_find_quantity(label, *unit ? unit : NULL, NULL);
}

/* What samples make of a quantity, behind everything else: around the 5 to 95 % band. */
static ms_status add_band(const ms_study *s, const ms_calibrate *c, ptrdiff_t k, int i,
                          ms_figure *figure) {
  const ms_solution *x = &c->solution[0];
  const ms_target_view *v = &x->view[k];
  const double *at = c->band;
  double *xy;
  if (!at) return MS_SUCCESS;
  at += MS_BAND * (ms_solution_count(x, k) + i * v->n);
  MS_TRY(ms_allocate(s->ctx, 6 * v->n, sizeof *xy, &xy));
  for (ptrdiff_t j = 0; j < v->n; j++, at += MS_BAND) {
    const ptrdiff_t back = 2 * v->n - 1 - j;
    xy[j] = xy[back] = v->x[j];
    xy[2 * v->n + j] = at[0];
    xy[2 * v->n + back] = at[MS_BAND - 1];
    xy[4 * v->n + j] = xy[4 * v->n + back] = v->model[0][j];
  }
  ms_series area = { "5 to 95 %", xy, xy + 2 * v->n, 2 * v->n, MS_SERIES_AREA, 1 };
  if (mode_of(c, k) > 0.0) area.mode = (int)mode_of(c, k), area.omega = xy + 4 * v->n;
  ms_status status = ms_figure_add_series(figure, &area);
  ms_free(s->ctx, &xy);
  return status;
}

ms_status ms_calibrate_add_panels(const ms_study *s, const ms_calibrate *c, ptrdiff_t k,
                                  ms_figure *figure) {
  enum { MOST = 7 };
  const ms_target_source *kind = c->target[k].kind;
  const int mode = (int)mode_of(c, k);
  char x[64], x_unit[32], y[64], y_unit[32];
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    split_unit(kind->x, x, x_unit);
    split_unit(kind->y[i], y, y_unit);
    char title[300];
    snprintf(title, sizeof title, "%s, %s", c->target[k].name, ms_target_quantity(kind->is, i));
    title[0] = (char)toupper((unsigned char)title[0]);
    ms_panel panel = { title, x, x_unit, y, y_unit, kind->x_log, kind->y_log[i] };
    panel.x_quantity = quantity_of(x, x_unit);
    panel.y_quantity = quantity_of(y, y_unit);
    MS_TRY(ms_figure_add_panel(figure, &panel));
    MS_TRY(add_band(s, c, k, i, figure));
    for (ptrdiff_t j = -1; j < c->n_solution && j < MOST; j++) {
      const ms_target_view *v = &c->solution[j < 0 ? 0 : j].view[k];
      const ms_series series = { .label = j < 0 ? "target" : c->solution[j].name,
                                 .x = v->x,
                                 .y = j < 0 ? v->target[i] : v->model[i],
                                 .n = v->n,
                                 .style = j < 0    ? MS_SERIES_POINTS
                                          : j == 0 ? MS_SERIES_LINE
                                                   : MS_SERIES_DASHED,
                                 .colour = (int)j + 1,
                                 .mode = mode,
                                 .omega = !mode   ? NULL
                                          : j < 0 ? v->target[0]
                                                  : v->model[0] };
      MS_TRY(ms_figure_add_series(figure, &series));
    }
  }
  return MS_SUCCESS;
}

/* All targets of a kind: quantities beside each other, residuals below. */
static ms_status show_targets(ms_study *s, ms_result *r, const ms_calibrate *c,
                              const ms_target_source *kind) {
  const int quantities = kind->y[1] ? 2 : 1;
  ms_figure *figure = NULL;
  ptrdiff_t first = 0; /* panel of the target */
  for (ptrdiff_t k = c->n_shown; k < c->n_target; k++) {
    if (c->target[k].kind != kind) continue;
    if (!figure) {
      MS_TRY(ms_figure_create(s->ctx, "Model and targets", NULL, &figure));
      ms_result_fail_page(r, ms_figure_set_columns(figure, 2));
    }
    ms_result_fail_page(r, ms_calibrate_add_panels(s, c, k, figure));
    for (int i = 0; i < quantities; i++) {
      ms_result_fail_page(
          r, ms_figure_add_residuals(figure, figure, first + i, "target", c->solution[0].name));
    }
    first += 2 * quantities;
  }
  if (!figure) return MS_SUCCESS;
  ms_result_take_figure(r,
                        "The model should pass through the targets, and residuals should scatter "
                        "about zero. A trend in the residuals shows what the law cannot describe.",
                        &figure);
  ms_result_feature_figure(r, MS_HEAD_FIT);
  return MS_SUCCESS;
}

/* Of each quantity that of the target that is met worst. */
static void answer_misfit(ms_result *r, const ms_calibrate *c) {
  const double *f = c->solution[0].f;
  for (int i = 0; i < 2; i++) {
    ptrdiff_t worst = -1;
    for (ptrdiff_t k = 0; k < c->n_target; k++) {
      if (!(c->is[k].weight[i] > 0.0)) continue;
      if (worst < 0 || f[2 * k + i] > f[2 * worst + i]) worst = k;
    }
    if (worst < 0) continue;
    ms_answer_percent(r, sqrt(f[2 * worst + i]), MS_HEAD_FIT, "Misfit of %s (rms%s)",
                      ms_target_quantity(c->is[worst].kind, i),
                      c->n_target > 1 ? ", worst target" : "");
  }
}

ms_status ms_calibrate_result(ms_study *s, ms_task *task) {
  ms_calibrate *c = task->product;
  ms_result *r = task->result;
  ms_result_table *targets;
  ms_result_set_text(r, "method", c->method->name);
  MS_TRY(c->method->result(s, task));
  for (int i = 0; ms_target_source_get(i); i++) {
    MS_TRY(tabulate_points(s, task, c, ms_target_source_get(i)));
  }
  MS_TRY(tabulate_targets(s, task, c, &targets));
  ms_result_list_rows(r, "targets", targets, "target,solution,quantity,points,rms,largest");
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].points.left_out == 0) continue;
    ms_result_warn(r, "%s: %td points that do not decay were left out.", c->target[k].name,
                   c->target[k].points.left_out);
  }
  for (int i = 0; ms_target_source_get(i); i++) {
    MS_TRY(show_targets(s, r, c, ms_target_source_get(i)));
  }
  answer_misfit(r, c);
  ms_result_show_table(r, targets, "Relative differences between model and targets");
  return ms_verify_result(s, task, c);
}

/* ---- what is doubtful ---- */

ms_status ms_calibrate_judge_misfit(ms_study *s, ms_task *task) {
  const double limit = ((const ms_calibrate_options *)task->options)->misfit_limit;
  const ms_calibrate *c = task->product;
  const ms_worst_misfit x = ms_solution_find_worst(&c->solution[0], c->n_target, c->is, limit);
  if (x.above == 0) return MS_SUCCESS;
  const char *quantity = ms_target_quantity(c->is[x.target].kind, x.quantity);
  return ms_task_doubt(s, task,
                       "the fit is poor: the %s of %.200s is off by %.3g of its %s (rms; more than "
                       "misfit_limit %g in %td of %td quantities, this one worst): the model does "
                       "not describe these data, or the search was too short",
                       quantity, c->target[x.target].name, x.misfit,
                       strcmp(quantity, "frequency") == 0 ? "shift" : "size", limit, x.above,
                       x.all);
}
