/* What `predict` says: rows of measurement and models, and how far they are apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/predict/predict.h"

/* ---- errors ---- */

static int is_compared(const ms_decay *measured, const ms_decay *model, ptrdiff_t i) {
  return i < model->n && measured->point[i].zeta > 0.0;
}

static ms_prediction_error find_error(const ms_decay *measured, const ms_decay *model) {
  ms_prediction_error e = { .n = 0 };
  for (ptrdiff_t i = 0; i < measured->n; i++) {
    const ms_decay_point *a = &measured->point[i], *b = &model->point[i];
    if (!is_compared(measured, model, i)) continue;
    const double zeta = b->zeta / a->zeta - 1.0, omega = b->omega / a->omega - 1.0;
    const double amplitude = b->q / a->q - 1.0;
    e.n++;
    e.zeta_mean += zeta;
    e.zeta_rms += zeta * zeta;
    e.zeta_largest = fmax(e.zeta_largest, fabs(zeta));
    e.omega_rms += omega * omega;
    e.amplitude_rms += amplitude * amplitude;
  }
  if (e.n == 0) return e;
  e.zeta_mean /= (double)e.n;
  e.zeta_rms = sqrt(e.zeta_rms / (double)e.n);
  e.omega_rms = sqrt(e.omega_rms / (double)e.n);
  e.amplitude_rms = sqrt(e.amplitude_rms / (double)e.n);
  return e;
}

/* ---- tables ---- */

static ms_status add_mode(const ms_study *s, const ms_prediction *p, ptrdiff_t by, ptrdiff_t h,
                          int m) {
  const ms_hammer_product *test = ms_prediction_test(p);
  const ms_decay *measured = ms_hammer_decay(test->test, h, m);
  const ms_decay *model = ms_prediction_get(p, by, h, m);
  const char *hit = test->hit[h].name, *name = p->by[by]->name;
  const double mode = test->mode[m] + 1.0;
  if (!model) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < measured->n; i++) {
    const ms_decay_point *a = &measured->point[i], *b = &model->point[i];
    if (!is_compared(measured, model, i)) continue;
    MS_TRY(ms_result_table_add_row(s->ctx, p->table, hit, mode, name, a->time, a->q, a->omega,
                                   a->zeta, b->q, b->omega, b->zeta));
  }
  const ms_prediction_error e = find_error(measured, model);
  if (e.n == 0) return MS_SUCCESS;
  return ms_result_table_add_row(s->ctx, p->errors, hit, mode, name, (double)e.n, e.zeta_mean,
                                 e.zeta_rms, e.zeta_largest, e.omega_rms, e.amplitude_rms);
}

ms_status ms_prediction_tabulate(ms_study *s, const ms_task *task, ms_prediction *p) {
  const ms_hammer_product *test = ms_prediction_test(p);
  char name[96];
  MS_TRY(ms_result_table_create(s, task->name,
                                "hit:word,mode,by:word,time [s],q [m sqrt(kg)],omega [rad/s],zeta,"
                                "q_by [m sqrt(kg)],omega_by [rad/s],zeta_by",
                                &p->table));
  snprintf(name, sizeof name, "%.80s_errors", task->name);
  MS_TRY(ms_result_table_create(
      s, name,
      "hit:word,mode,by:word,points,zeta_mean,zeta_rms,zeta_largest,omega_rms,"
      "amplitude_rms",
      &p->errors));
  for (ptrdiff_t h = 0; h < test->n_hit; h++) {
    for (int m = 0; m < test->n_mode; m++) {
      for (ptrdiff_t by = 0; by < p->n_by; by++) MS_TRY(add_mode(s, p, by, h, m));
    }
  }
  return MS_SUCCESS;
}

/* ---- summary ---- */

void ms_prediction_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  static const char *const column[] = { "zeta_mean", "zeta_rms", "zeta_largest", "omega_rms",
                                        "amplitude_rms" };
  const ms_prediction *p = task->product;
  (void)s;
  ms_json_begin_array(json, "errors");
  for (ptrdiff_t i = 0; i < ms_result_table_rows(p->errors); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "hit", ms_result_table_word(p->errors, 0, i));
    ms_json_add_integer(json, "mode", (long long)ms_result_table_column(p->errors, 1)[i]);
    ms_json_add_text(json, "by", ms_result_table_word(p->errors, 2, i));
    for (int k = 0; k < 5; k++) {
      ms_json_add_number(json, column[k], ms_result_table_column(p->errors, 4 + k)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* ---- report ---- */

static const ms_panel panels[2] = { { "frequency", "time", "s", "omega", "rad/s", 0, 0 },
                                    { "damping", "time", "s", "zeta", "", 0, 1 } };

/* Rows that decay, of one table: time, omega and zeta in room for 3 n values. */
static ptrdiff_t copy_rows(const ms_decay *measured, const ms_decay *of, double *out) {
  const ptrdiff_t most = measured->n;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < most; i++) {
    if (!is_compared(measured, of, i) || !(of->point[i].zeta > 0.0)) continue;
    out[n] = of->point[i].time;
    out[most + n] = of->point[i].omega;
    out[2 * most + n] = of->point[i].zeta;
    n++;
  }
  return n;
}

static ms_status add_series(const ms_study *s, const ms_decay *measured, const ms_decay *of,
                            int quantity, const ms_series *like, ms_figure *figure) {
  double *x;
  ms_series series = *like;
  MS_TRY(ms_allocate(s->ctx, 3 * measured->n, sizeof *x, &x));
  series.n = copy_rows(measured, of, x);
  series.x = x;
  series.y = x + measured->n * (quantity + 1);
  ms_status status = series.n > 0 ? ms_figure_add_series(figure, &series) : MS_SUCCESS;
  ms_free(s->ctx, &x);
  return status;
}

static ms_status fill_figure(const ms_study *s, const ms_prediction *p, ptrdiff_t h, int m,
                             ms_figure *figure) {
  const ms_decay *measured = ms_hammer_decay(ms_prediction_test(p)->test, h, m);
  for (int i = 0; i < 2; i++) {
    const ms_series points = { .label = "measured", .style = MS_SERIES_POINTS };
    MS_TRY(ms_figure_add_panel(figure, &panels[i]));
    MS_TRY(add_series(s, measured, measured, i, &points, figure));
    for (ptrdiff_t by = 0; by < p->n_by && by + 1 < MS_PALETTE_SIZE; by++) {
      const ms_decay *model = ms_prediction_get(p, by, h, m);
      const ms_series line = { .label = p->by[by]->name,
                               .style = by ? MS_SERIES_DASHED : MS_SERIES_LINE,
                               .colour = (int)by + 1 };
      if (model) MS_TRY(add_series(s, measured, model, i, &line, figure));
    }
  }
  return MS_SUCCESS;
}

static ms_status report_mode(const ms_study *s, const ms_prediction *p, ptrdiff_t h, int m,
                             ms_page *page) {
  const ms_hammer_product *test = ms_prediction_test(p);
  char title[160];
  ms_figure *figure;
  if (ms_hammer_decay(test->test, h, m)->n == 0) return MS_SUCCESS;
  snprintf(title, sizeof title, "%.100s, mode %d", test->hit[h].name, test->mode[m] + 1);
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = fill_figure(s, p, h, m, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

ms_status ms_prediction_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_prediction *p = task->product;
  const ms_hammer_product *test = ms_prediction_test(p);
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, p->errors,
      "Relative differences between models and measurement, row by row at "
      "the same times",
      page));
  for (ptrdiff_t h = 0; h < test->n_hit; h++) {
    for (int m = 0; m < test->n_mode; m++) MS_TRY(report_mode(s, p, h, m, page));
  }
  return MS_SUCCESS;
}
