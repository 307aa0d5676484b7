/* What `calibrate` ends in whatever its method: curves over targets, misfits; and whether it can be
   trusted. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/contact/contact.h"
#include "study/analyses/shared/answers.h"

void ms_calibrate_order(const ms_calibrate *c, const ms_fit_judgement *judgement,
                        ptrdiff_t order[MS_JOINT_PARAMETERS]) {
  ptrdiff_t n = 0;
  for (int rest = 0; rest < 2; rest++) {
    for (ptrdiff_t k = 0; k < c->n; k++) {
      const ptrdiff_t i = judgement ? ms_fit_rank(judgement, c->n, c->solution[0].p, k) : k;
      if ((c->parameter[i].place[0].joint < MS_PLACE_CONTACT) == rest) order[n++] = i;
    }
  }
}

/* ---- tables ---- */

ms_result_table *ms_calibrate_new_table(const ms_task *task, const char *ending,
                                        const char *first) {
  const ms_calibrate *c = task->product;
  ms_result_table *t = ms_result_new_table(task->result, ending, first);
  for (ptrdiff_t m = 0; m < c->n_objective; m++) {
    ms_result_put_column(t, c->objective[m].name, NULL,
                         "objective: mean square of the relative differences");
  }
  for (ptrdiff_t i = 0; i < c->n; i++) {
    ms_result_put_column(t, c->parameter[i].key, ms_joint_parameter_unit(&c->parameter[i]),
                         "value of this joint parameter");
  }
  return t;
}

void ms_calibrate_tabulate_correlation(const ms_task *task, const double *correlation) {
  const ms_calibrate *c = task->product;
  ms_result_table *table =
      ms_result_new_table(task->result, "_correlation", "parameter:word,with:word,correlation");
  for (ptrdiff_t i = 0; i < c->n; i++) {
    for (ptrdiff_t k = 0; k < i; k++) {
      ms_result_put_row(table, c->parameter[i].key, c->parameter[k].key, correlation[i + c->n * k]);
    }
  }
}

/* "q [m]" and "omega [rad/s]": columns x, omega_target and omega. */
static ms_result_table *open_points(const ms_task *task, const ms_target_source *kind) {
  char ending[32], columns[400];
  int at = snprintf(columns, sizeof columns, "target:word,solution:word,row,%s", kind->x);
  snprintf(ending, sizeof ending, "_%s", kind->table);
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    const char *y = kind->y[i];
    const int n = (int)strcspn(y, " ");
    at += snprintf(columns + at, sizeof columns - (size_t)at, ",%.*s_target%s,%s", n, y, y + n, y);
  }
  if (kind->is == MS_TARGET_CURVE) snprintf(columns + at, sizeof columns - (size_t)at, ",mode");
  if (kind->is == MS_TARGET_SHAKER)
    snprintf(columns + at, sizeof columns - (size_t)at, ",force [N]");
  return ms_result_new_table(task->result, ending, columns);
}

/* Of a curve over modal amplitude, from 1; 0: another target. */
static double mode_of(const ms_calibrate *c, ptrdiff_t k) {
  return c->is[k].kind == MS_TARGET_CURVE ? (double)c->is[k].is.curve.mode + 1.0 : 0.0;
}

/* Every point of the targets of a kind, for each solution. */
static void tabulate_points(const ms_task *task, const ms_calibrate *c,
                            const ms_target_source *kind) {
  ms_result_table *table = NULL;
  for (ptrdiff_t j = 0; j < c->n_solution * c->n_target; j++) {
    const ptrdiff_t k = j % c->n_target;
    const ms_solution *x = &c->solution[j / c->n_target];
    const ms_target_view *v = &x->view[k];
    if (c->target[k].kind != kind) continue;
    if (!table) table = open_points(task, kind);
    for (ptrdiff_t i = 0; i < v->n; i++) {
      /* the last ones are not read where the table has no columns for them */
      ms_result_put_row(table, c->target[k].name, x->name, (double)v->row[i], v->x[i],
                        v->target[0][i], v->model[0][i], v->target[1] ? v->target[1][i] : 0.0,
                        v->model[1] ? v->model[1][i] : 0.0, v->level ? v->level[i] : mode_of(c, k));
    }
  }
}

/* A row for each quantity of a target that is looked at. */
static ms_result_table *tabulate_targets(const ms_task *task, const ms_calibrate *c) {
  ms_result_table *out =
      ms_result_new_table(task->result, "_targets",
                          "target:word,solution:word,quantity:word,points,left_out,rms,largest");
  for (ptrdiff_t j = 0; j < 2 * c->n_solution * c->n_target; j++) {
    const ptrdiff_t k = j / 2 % c->n_target;
    const int i = (int)(j % 2);
    const ms_solution *x = &c->solution[j / 2 / c->n_target];
    if (!(c->is[k].weight[i] > 0.0)) continue;
    ms_result_put_row(out, c->target[k].name, x->name, ms_target_quantity(c->is[k].kind, i),
                      (double)x->view[k].n, (double)c->target[k].points.left_out,
                      sqrt(x->f[2 * k + i]), ms_target_view_largest(&x->view[k], i));
  }
  return out;
}

/* ---- figures ---- */

/* What samples make of a quantity, behind everything else: around the 5 to 95 % band. */
static ms_status add_band(const ms_calibrate *c, ptrdiff_t k, int i, ms_figure *figure) {
  const ms_solution *x = &c->solution[0];
  const ms_target_view *v = &x->view[k];
  const int mode = (int)mode_of(c, k);
  if (!c->band || v->level) return MS_SUCCESS; /* levels are no one curve */
  const double *at = c->band + MS_BAND * (ms_solution_count(x, k) + i * v->n);
  const ms_series outline = {
    "5 to 95 %", v->x, at, v->n, MS_SERIES_AREA, 1, .mode = mode, .omega = mode ? v->model[0] : NULL
  };
  return ms_figure_add_band(figure, &outline, MS_BAND);
}

ms_status ms_calibrate_add_panels(const ms_calibrate *c, ptrdiff_t k, ms_figure *figure) {
  enum { MOST = 7 };
  const ms_target_source *kind = c->target[k].kind;
  const int mode = (int)mode_of(c, k);
  for (int i = 0; i < 2 && kind->y[i]; i++) {
    char title[300];
    snprintf(title, sizeof title, "%s, %s", c->target[k].name, ms_target_quantity(kind->is, i));
    title[0] = (char)toupper((unsigned char)title[0]);
    MS_TRY(ms_figure_add_column_panel(figure, title, kind->x, kind->y[i], kind->x_log,
                                      kind->y_log[i]));
    MS_TRY(add_band(c, k, i, figure));
    for (ptrdiff_t j = -1; j < c->n_solution && j < MOST; j++) {
      const ms_target_view *v = &c->solution[j < 0 ? 0 : j].view[k];
      const ms_series series = { .label = j < 0 ? "target" : c->solution[j].name,
                                 .x = v->x,
                                 .y = j < 0 ? v->target[i] : v->model[i],
                                 .n = v->n,
                                 .style = j < 0 || v->level ? MS_SERIES_POINTS
                                          : j == 0          ? MS_SERIES_LINE
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
    ms_result_fail_page(r, ms_calibrate_add_panels(c, k, figure));
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
  ms_result_set_text(r, "method", c->method->name);
  MS_TRY(c->method->result(s, task));
  for (int i = 0; ms_target_source_get(i); i++) {
    tabulate_points(task, c, ms_target_source_get(i));
  }
  ms_result_table *targets = tabulate_targets(task, c);
  ms_result_list_rows(r, "targets", targets, "target,solution,quantity,points,rms,largest");
  if (c->left_out[0]) {
    const int cut = strlen(c->left_out) + 1 == sizeof c->left_out;
    ms_result_warn(r, "Modes of impacts that could not be read, and are no targets: %s%s.",
                   c->left_out, cut ? "..." : "");
  }
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->target[k].points.left_out == 0) continue;
    ms_result_warn(r, "%s: %td points that do not decay were left out.", c->target[k].name,
                   c->target[k].points.left_out);
  }
  for (int i = 0; ms_target_source_get(i); i++) {
    MS_TRY(show_targets(s, r, c, ms_target_source_get(i)));
  }
  MS_TRY(ms_contact_add_laws(s, task));
  answer_misfit(r, c);
  ms_result_show_table(r, targets, "Relative differences between model and targets");
  return ms_verify_result(s, task, c);
}

/* ---- what is doubtful ---- */

ms_status ms_calibrate_judge_misfit(ms_study *s, ms_task *task) {
  const double limit = ((const ms_calibrate_options *)task->options)->misfit_limit;
  const ms_calibrate *c = task->product;
  char text[600];
  return ms_solution_warning(&c->solution[0], c->n_target, c->is, limit, text, sizeof text)
             ? ms_task_doubt(s, task, "%s", text)
             : MS_SUCCESS;
}
