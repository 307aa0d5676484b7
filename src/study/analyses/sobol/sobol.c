/* sobol: to which of the random parameters frequency and damping owe their scatter. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/contact/contact.h"
#include "study/analyses/propagate/random_curves.h"
#include "study/analyses/shared/answers.h"

static const ms_param keys[] = { MS_RANDOM_KEYS(8, 256,
                                                "n: n (parameters + 2) structures are evaluated") };

/* Every process. */
static ms_status evaluate(ms_study *s, ms_task *task) {
  return ms_random_evaluate(s, task, ms_random_curves_draw_sobol);
}

static ms_status add_indices(ms_study *s, const ms_task *task, ms_result_table *table) {
  static const char *const quantity[2] = { "frequency", "damping" };
  const ms_random_options *o = task->options;
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  ms_sobol_index index[32];
  for (ptrdiff_t k = 0; k < 2 * c->n_mode * c->n_level; k++) {
    const int mode = (int)(k / (2 * c->n_level)), damping = (int)(k / c->n_level % 2);
    const ptrdiff_t level = k % c->n_level;
    MS_TRY(ms_random_curves_indices(s->ctx, c, mode, level, damping, index));
    for (ptrdiff_t i = 0; i < c->n; i++) {
      ms_result_put_row(table, c->mode[mode] + 1.0, c->q[level], quantity[damping],
                        o->random.parameter[i].is.key, index[i].first, index[i].first_error,
                        index[i].total, index[i].total_error);
    }
  }
  return MS_SUCCESS;
}

/* Of the first modes at the largest amplitude: the largest total index. */
static void answer(const ms_task *task, const ms_result_table *t) {
  const ms_random_options *o = task->options;
  const ms_random_curves *c = &((const ms_random_task *)task->product)->curves;
  const double *total = ms_result_table_column(t, 6), *error = ms_result_table_column(t, 7);
  for (int k = 0; k < 2 * c->n_mode && k < 4; k++) {
    const ptrdiff_t first = c->n * (c->n_level * (k + 1) - 1); /* rows of the last level */
    ptrdiff_t most = 0;
    for (ptrdiff_t i = 1; i < c->n; i++) most = total[first + i] > total[first + most] ? i : most;
    ms_answer_add(
        task->result,
        (ms_answer) {
            .value = total[first + most], .error = error[first + most], .weight = MS_HEAD_RANDOM },
        "Largest total Sobol index for the %s of mode %d at the largest amplitude: %s, |q| = %.4g "
        "m sqrt(kg)",
        k % 2 ? "damping" : "frequency", c->mode[k / 2] + 1, o->random.parameter[most].is.key,
        c->q[c->n_level - 1]);
  }
}

/* Indices are shares: outside [0, 1] no true one lies. */
static int is_noisy(const ms_result_table *t) {
  const double *first = ms_result_table_column(t, 4), *total = ms_result_table_column(t, 6);
  for (ptrdiff_t i = 0; i < ms_result_table_rows(t); i++) {
    if (fmin(first[i], total[i]) < 0.0 || fmax(first[i], total[i]) > 1.0) return 1;
  }
  return 0;
}

static ms_status fill_result(ms_study *s, ms_task *task) {
  static const ms_plot panel[2] = {
    { .title = "frequency",
      .y = "total",
      .spread = "total_error",
      .y_label = "total Sobol index",
      .by = "parameter",
      .where = "quantity=frequency",
      .style = MS_SERIES_LINE_POINTS },
    { .title = "damping",
      .y = "total",
      .spread = "total_error",
      .y_label = "total Sobol index",
      .by = "parameter",
      .where = "quantity=damping",
      .style = MS_SERIES_LINE_POINTS },
  };
  const ms_random_task *t = task->product;
  ms_result_table *table =
      ms_result_new_table(task->result, "",
                          "mode,q [m sqrt(kg)],quantity:word,parameter:word,first,first_error,"
                          "total,total_error");
  ms_status status = add_indices(s, task, table);
  if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_result_get_status(task->result));
  ms_result_set_integer(task->result, "evaluations", t->curves.count);
  ms_result_list_rows(task->result, "indices", table, NULL);
  answer(task, table);
  char words[400];
  snprintf(words, sizeof words,
           "The parameter with the highest curve contributes most to the scatter; reduce its "
           "uncertainty first. Bars are standard errors. Indices that add up to much more than 1 "
           "show that parameters act together.%s",
           is_noisy(table)
               ? " Indices outside [0, 1] are sampling noise, which more samples reduce."
               : "");
  ms_random_show(task, table, words, 2, panel);
  ms_result_show_table(task->result, table,
                       "Sobol indices: share of the variance that a parameter causes alone (first) "
                       "and with others (total)");
  return ms_contact_add_laws(s, task);
}

const ms_analysis ms_analysis_sobol = {
  .name = "sobol",
  .title = "Causes of the scatter in frequency and damping",
  .meaning =
      "Which random parameters of the joints cause the scatter of frequency and damping by qsma "
      "at given amplitudes: Sobol indices with their standard errors.",
  MS_KEYS(keys, ms_random_options, ms_random_task),
  .knows_contact = 1,
  .check = ms_random_check,
  .run = evaluate,
  .help = evaluate,
  .result = fill_result,
  .close = ms_random_close_task,
};
