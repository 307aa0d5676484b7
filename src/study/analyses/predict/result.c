/* What `predict` ends in: rows of measurement and models, and how far they are apart. */
#include <stdio.h>

#include "study/analyses/predict/predict.h"

static ms_status add_mode(const ms_study *s, const ms_prediction *p, ptrdiff_t by, ptrdiff_t h,
                          int m, ms_result_table *table, ms_result_table *errors) {
  const ms_hammer_product *test = ms_prediction_test(p);
  const ms_decay *measured = ms_hammer_decay(test->test, h, m);
  const ms_decay *model = ms_prediction_get(p, by, h, m);
  const char *hit = test->hit[h].name, *name = p->by[by]->name;
  const double mode = test->mode[m] + 1.0;
  if (!model) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < measured->n; i++) {
    const ms_decay_point *a = &measured->point[i], *b = &model->point[i];
    if (!ms_decay_is_compared(measured, model, i)) continue;
    MS_TRY(ms_result_table_add_row(s->ctx, table, hit, mode, name, a->time, a->q, a->omega, a->zeta,
                                   b->q, b->omega, b->zeta));
  }
  const ms_decay_error e = ms_decay_find_error(measured, model);
  if (e.n == 0) return MS_SUCCESS;
  return ms_result_table_add_row(s->ctx, errors, hit, mode, name, (double)e.n, e.zeta_mean,
                                 e.zeta_rms, e.zeta_largest, e.omega_rms, e.amplitude_rms);
}

/* Frequency and damping over time; the measured rows stand beside those of each model. */
static void show_mode(const ms_prediction *p, ptrdiff_t h, int m, const ms_result_table *table,
                      ms_result *result) {
  const ms_hammer_product *test = ms_prediction_test(p);
  char title[160], of[200], first[300];
  snprintf(title, sizeof title, "%.100s, mode %d", test->hit[h].name, test->mode[m] + 1);
  snprintf(of, sizeof of, "hit=%.150s\nmode=%d", test->hit[h].name, test->mode[m] + 1);
  snprintf(first, sizeof first, "%s\nby=%.80s", of, p->by[0]->name);
  const ms_plot panel[] = {
    { .title = "frequency",
      .x = "time",
      .y = "omega",
      .label = "measured",
      .style = MS_SERIES_POINTS,
      .colour = -1,
      .where = first },
    { .x = "time", .y = "omega_by", .by = "by", .where = of, .over = 1 },
    { .title = "damping",
      .x = "time",
      .y = "zeta",
      .y_log = 1,
      .label = "measured",
      .style = MS_SERIES_POINTS,
      .colour = -1,
      .where = first },
    { .x = "time", .y = "zeta_by", .y_log = 1, .by = "by", .where = of, .over = 1 },
  };
  ms_result_plot(result, title, NULL, table, 4, panel);
}

ms_status ms_prediction_fill_result(ms_study *s, ms_task *task) {
  const ms_prediction *p = task->product;
  const ms_hammer_product *test = ms_prediction_test(p);
  ms_result_table *table, *errors;
  MS_TRY(ms_task_add_table(s, task, "",
                           "hit:word,mode,by:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,"
                           "q_by [m sqrt(kg)],omega_by [rad/s],zeta_by",
                           &table));
  MS_TRY(ms_task_add_table(s, task, "_errors",
                           "hit:word,mode,by:word,points,zeta_mean,zeta_rms,zeta_largest,omega_rms,"
                           "amplitude_rms",
                           &errors));
  for (ptrdiff_t k = 0; k < test->n_hit * test->n_mode * p->n_by; k++) {
    const ptrdiff_t h = k / (test->n_mode * p->n_by);
    const int m = (int)(k / p->n_by % test->n_mode);
    MS_TRY(add_mode(s, p, k % p->n_by, h, m, table, errors));
  }
  ms_result_list_rows(task->result, "errors", errors,
                      "hit,mode,by,zeta_mean,zeta_rms,zeta_largest,omega_rms,amplitude_rms");
  ms_result_show_table(task->result, errors,
                       "Relative differences between models and measurement, row by row at the "
                       "same times");
  for (ptrdiff_t h = 0; h < test->n_hit; h++) {
    for (int m = 0; m < test->n_mode; m++) show_mode(p, h, m, table, task->result);
  }
  return MS_SUCCESS;
}
