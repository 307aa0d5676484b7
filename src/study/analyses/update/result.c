/* What update ends in, and what is doubtful about it. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/update/update.h"

#define TWO_PI (2.0 * MS_PI)

ms_status ms_update_judge(ms_study *s, ms_task *task) {
  const ms_update *u = task->product;
  char text[600];
  for (ptrdiff_t i = 0; ms_update_warning(&u->found, &u->measured.is, i, text, sizeof text); i++)
    MS_TRY(ms_task_doubt(s, task, "%s", text));
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_result_table *add_numbers(const ms_task *task, const ms_update *u) {
  const ms_fit_judgement *j = &u->found.fit.judgement;
  ms_result_table *table = ms_result_new_table(
      task->result, "", "parameter:word,start,value,standard_error,determined:flag,at_bound");
  ms_result_table *starts = ms_result_new_table(task->result, "_starts", MS_STARTS_COLUMNS);
  for (ptrdiff_t i = 0; i < u->n; i++) {
    ms_result_put_row(table, u->bound[i].name, u->start[i], ms_update_best(&u->found)[i],
                      j->standard_error[i], (double)j->determined[i], (double)j->at_bound[i]);
    ms_result_put_column(starts, u->bound[i].name, NULL,
                         "value of this key at the end, in the file's units");
  }
  ms_starts_tabulate(&u->found.fits, starts);
  return table;
}

/* Of the model those modes that both looks have: a cut-off may let one more in. */
static ms_result_table *add_modes(const ms_task *task, const ms_update *u) {
  const ms_update_look *before = &u->found.look[0], *after = &u->found.look[1];
  const ptrdiff_t n = u->measured.is.n;
  ms_result_table *table =
      ms_result_new_table(task->result, "_modes",
                          "measured,row,f_measured [Hz],deviation,mode_start,f_start [Hz],"
                          "error_start,mac_start,mode,f [Hz],error,mac");
  for (ptrdiff_t k = 0; k < n; k++) {
    const ms_mode_pair *b = &before->pair[k], *a = &after->pair[k];
    const double omega = u->measured.omega[k];
    ms_result_put_row(table, (double)(k + 1), (double)u->measured.row[k], omega / TWO_PI,
                      u->measured.deviation[k], (double)(b->mode + 1), b->omega / TWO_PI,
                      b->omega / omega - 1.0, b->mac, (double)(a->mode + 1), a->omega / TWO_PI,
                      a->omega / omega - 1.0, a->mac);
  }
  if (!before->mac) return table;
  ms_result_table *mac =
      ms_result_new_table(task->result, "_mac", "measured,mode,f_start [Hz],mac_start,f [Hz],mac");
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t r = 0; r < before->n_mode && r < after->n_mode; r++) {
      ms_result_put_row(mac, (double)(k + 1), (double)(r + 1), before->omega[r] / TWO_PI,
                        before->mac[k + n * r], after->omega[r] / TWO_PI, after->mac[k + n * r]);
    }
  }
  return table;
}

/* ---- report ---- */

static ms_status show_mac(const ms_update *u, int after, ms_page *page) {
  const ms_update_look *look = &u->found.look[after];
  ptrdiff_t row[MS_LOOK_MOST], column[MS_LOOK_MOST];
  const ptrdiff_t n = u->measured.is.n, n_column = ms_update_look_choose(look, n, row, column);
  if (n_column == 0) return MS_SUCCESS;
  return ms_page_add_mac(
      page,
      after ? "MAC of the measured modes (rows) and those of the updated model (columns): 1 is the "
              "same shape, 0 unrelated. Each row should have one value near 1: its pair."
            : "MAC of the measured modes (rows) and those of the model as the file has it "
              "(columns): 1 is the same shape, 0 unrelated.",
      "measured", n, row, n_column, column, look->mac + n * column[0]);
}

static void set_values(const ms_update *u, ms_result *r) {
  const ms_fit_local *l = &u->found.fits.local[u->found.fit.best];
  const int shapes = u->found.look[0].mac != NULL;
  ms_result_set_values(r,
                       "pairs:word,sum_of_squares,converged:flag,gradient,starts:count,"
                       "starts_that_agree:count,scatter,condition",
                       shapes             ? "shapes"
                       : u->measured.mode ? "numbers"
                                          : "order",
                       l->sum, (double)(l->end == MS_FIT_CONVERGED), l->gradient, (double)u->starts,
                       (double)u->found.fit.agree, u->found.fit.scatter,
                       u->found.fit.judgement.condition);
}

static void say_method(const ms_update *u, ms_result *r) {
  ms_result_say(r,
                "%td unknowns from %td measured frequencies%s. Modes are paired %s. The misfit is "
                "%.3g standard deviations (rms)%s.",
                u->n, u->measured.is.n,
                u->measured.is.shape_deviation > 0.0 ? " and the components of their shapes" : "",
                u->found.look[0].mac ? "by the MAC of their shapes"
                : u->measured.mode   ? "by the numbers given"
                                     : "by their order, because there are no shapes",
                u->found.fit.judgement.rms * u->found.fit.scatter,
                u->found.fit.scatter > 1.0 ? "; standard errors are scaled by it" : "");
}

/* The numbers, and the largest error of a frequency before and after. */
static void answer(const ms_update *u, const ms_result_table *modes, ms_result *r) {
  static const char *const column[] = { "error", "error_start" };
  const ms_fit_judgement *j = &u->found.fit.judgement;
  for (ptrdiff_t i = 0; i < u->n && i < 4; i++) {
    ms_answer_add(r,
                  (ms_answer) { .value = ms_update_best(&u->found)[i],
                                .error = j->standard_error[i],
                                .weight = MS_HEAD_FIT },
                  "%.200s (units of the file)", u->bound[i].name);
  }
  for (int k = 0; k < 2; k++) {
    const double *x = ms_result_table_find_numbers(modes, column[k]);
    double most = 0.0;
    for (ptrdiff_t i = 0; i < u->measured.is.n; i++) most = fmax(most, fabs(x[i]));
    ms_answer_percent(r, most, MS_HEAD_FIT, "Largest error of a frequency %s",
                      k ? "before" : "after the update");
  }
}

ms_status ms_update_fill_result(ms_study *s, ms_task *task) {
  static const ms_plot panel[2] = {
    MS_PANEL(NULL, "measured", "error_start", .x_label = "measured mode",
             .y_label = "frequency, model - measured", .y_unit = "%", .y_scale = 100.0,
             .spread = "deviation", .label = "before", .style = MS_SERIES_POINTS, .colour = 1),
    MS_OVER("measured", "error", .y_scale = 100.0, .spread = "deviation", .label = "after",
            .style = MS_SERIES_POINTS),
  };
  const ms_update *u = task->product;
  const int shapes = u->found.look[0].mac != NULL;
  ms_result *r = task->result;
  ms_yaml_value value[MS_UPDATE_PLACES];
  char *lines = NULL;
  const ms_result_table *table = add_numbers(task, u);
  ms_result_table *modes = add_modes(task, u);
  ms_result_list_rows(r, "parameters", table,
                      "name=parameter,start,value,standard_error,determined,at_bound");
  ms_result_list_rows(
      r, "modes", modes,
      shapes ? "mode,f_measured,f_start,f,mac_start,mac" : "mode,f_measured,f_start,f");
  set_values(u, r);
  answer(u, modes, r);
  ms_result_show_table(r, table,
                       "Updated numbers, in the units of the study file. The measured modes do not "
                       "determine a number with determined 0; at_bound is -1 at the lower and 1 at "
                       "the upper bound");
  ms_result_set_remarks(r, u->found.fit.judgement.remarks);
  ms_update_set_places(u, ms_update_best(&u->found), value);
  MS_TRY(ms_yaml_write_changes(&s->yaml, u->n_place, value, &lines));
  ms_result_plot(r, "Errors of the frequencies before and after the update",
                 "After the update points should lie within their bars (one standard deviation of "
                 "the measurement) of zero. One that does not is a wrong pair, or the model lacks "
                 "something.",
                 modes, 2, panel);
  ms_result_feature_figure(r, MS_HEAD_FIT);
  ms_result_show_table(r, modes, "Measured modes and those of the model");
  ms_result_say(r, "These numbers in the study file:");
  ms_result_show_code(r, lines);
  ms_free(s->ctx, &lines);
  for (int after = 0; shapes && after < 2; after++) {
    ms_page *page = ms_result_get_page(r);
    if (page) ms_result_fail_page(r, show_mac(u, after, page));
  }
  say_method(u, r);
  return MS_SUCCESS;
}
