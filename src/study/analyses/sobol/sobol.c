/* sobol: to which of the random parameters frequency and damping owe their scatter. */
#include <math.h>
#include <microslip/sobol.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/propagate/random_curves.h"

static const char *const quantity[2] = { "frequency", "damping" };

static const ms_param keys[] = { MS_RANDOM_KEYS(8, 256,
                                                "n: n (parameters + 2) structures are evaluated") };

/* ---- the run ---- */

static ms_status draw(ms_study *s, ms_random_curves *c) {
  const ms_random_joints *r = &c->joints;
  MS_TRY(ms_sobol_points(s->ctx, r->n, c->samples, c->seed, c->p));
  for (ptrdiff_t i = 0; i < r->n * c->count; i++) {
    c->p[i] = ms_distribution_quantile(&r->d[i % r->n], c->p[i]);
  }
  return MS_SUCCESS;
}

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  ms_random_curves *c = task->product;
  MS_TRY(ms_random_begin(s, ms_sobol_count(c->joints.n, c->samples), c));
  MS_TRY(ms_context_agree(s->ctx, draw(s, c)));
  return ms_random_run(s, task->name, c);
}

/* Every point counts in the sums: none may be without an answer. */
static ms_status check_answers(const ms_study *s, const ms_task *task, const ms_random_curves *c) {
  ptrdiff_t without = 0;
  for (ptrdiff_t i = 0; i < c->count; i++) without += !c->answered[i];
  if (without == 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_NOT_CONVERGED,
                 "%s: %td of %td points have no answer at one of the amplitudes; take smaller "
                 "amplitudes, or distributions with bounds",
                 task->name, without, c->count);
}

static ms_status add_indices(ms_study *s, ms_random_curves *c, int mode, ptrdiff_t level,
                             int damping, double *y, ms_sobol_index *index) {
  const ptrdiff_t n = c->joints.n;
  for (ptrdiff_t i = 0; i < c->count; i++) {
    y[i] = *ms_random_value(c, i, mode, level, damping);
  }
  MS_TRY(ms_sobol_indices(s->ctx, n, c->samples, y, index));
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, c->table, (double)(c->mode[mode] + 1), c->q[level],
                                   quantity[damping], c->joints.parameter[i].is.key, index[i].first,
                                   index[i].first_error, index[i].total, index[i].total_error));
  }
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, const ms_task *task, ms_random_curves *c) {
  double *y = NULL;
  ms_sobol_index *index = NULL;
  MS_TRY(
      ms_result_table_create(s, task->name,
                             "mode,q [m sqrt(kg)],quantity:word,parameter:word,first,first_error,"
                             "total,total_error",
                             &c->table));
  ms_status status = ms_allocate(s->ctx, c->count, sizeof *y, &y);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, c->joints.n, sizeof *index, &index);
  for (int k = 0; k < c->n_mode; k++) {
    for (int damping = 0; damping < 2; damping++) {
      for (ptrdiff_t i = 0; i < c->n_level && status == MS_SUCCESS; i++) {
        status = add_indices(s, c, k, i, damping, y, index);
      }
    }
  }
  ms_free(s->ctx, &y);
  ms_free(s->ctx, &index);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_random_curves *c = task->product;
  MS_TRY(evaluate(s, task));
  MS_TRY(check_answers(s, task, c));
  return tabulate(s, task, c);
}

/* ---- summary and report ---- */

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const number[] = { "first", "first_error", "total", "total_error" };
  const ms_random_curves *c = task->product;
  (void)s;
  ms_json_add_integer(json, "evaluations", c->count);
  ms_json_begin_array(json, "indices");
  for (ptrdiff_t i = 0; i < ms_result_table_rows(c->table); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", (long long)ms_result_table_column(c->table, 0)[i]);
    ms_json_add_number(json, "q", ms_result_table_column(c->table, 1)[i]);
    ms_json_add_text(json, "quantity", ms_result_table_word(c->table, 2, i));
    ms_json_add_text(json, "parameter", ms_result_table_word(c->table, 3, i));
    for (int k = 0; k < 4; k++) {
      ms_json_add_number(json, number[k], ms_result_table_column(c->table, 4 + k)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* Total indices over amplitude, a line for each parameter; the rows of one parameter are n apart.
 */
static ms_status add_lines(const ms_study *s, const ms_random_curves *c, int mode, int damping,
                           ms_figure *figure) {
  const ptrdiff_t n = c->joints.n, L = c->n_level, first = n * L * (2 * mode + damping);
  double *y;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, L, sizeof *y, &y));
  for (ptrdiff_t k = 0; k < n && status == MS_SUCCESS; k++) {
    for (ptrdiff_t i = 0; i < L; i++) y[i] = ms_result_table_column(c->table, 6)[first + n * i + k];
    const ms_series series = { c->joints.parameter[k].is.key, c->q, y, L, MS_SERIES_LINE_POINTS,
                               (int)(k % MS_PALETTE_SIZE) };
    status = ms_figure_add_series(figure, &series);
  }
  ms_free(s->ctx, &y);
  return status;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  static const char *const label[2] = { "total index", "total index" }, *const unit[2] = { NULL };
  const ms_random_curves *c = task->product;
  MS_TRY(ms_random_report(s, &c->joints, page));
  MS_TRY(ms_random_figures(
      s, c, label, unit,
      "The part of the variance that each parameter has a share in, alone or with others.",
      add_lines, page));
  return ms_result_table_add_to_page(
      s->ctx, c->table,
      "Sobol indices: the part of the variance that a parameter makes "
      "alone (first), and that it has a share in (total)",
      page);
}

const ms_analysis ms_analysis_sobol = {
  .needs = ms_random_task_needs,
  .name = "sobol",
  .meaning =
      "Which random parameters of the joints cause the scatter of frequency and damping (qsma) "
      "at given amplitudes: Sobol indices with their standard errors.",
  .keys = keys,
  .n_keys = sizeof keys / sizeof *keys,
  .check = ms_random_check,
  .run = run,
  .help = evaluate,
  .summarise = summarise,
  .report = report,
  .close = ms_random_close_task,
};
