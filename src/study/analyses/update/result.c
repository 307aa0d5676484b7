/* What update ends in, and what is doubtful about it. */
#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/update/update.h"

#define TWO_PI   (2.0 * MS_PI)
#define POOR_FIT 3.0 /* standard deviations that scatter alone does not explain */

/* ---- what is doubtful ---- */

/* Frequencies alone often have several answers. */
static ms_status judge_other(ms_study *s, ms_task *task, const ms_update *u) {
  char text[400];
  int at = 0;
  if (u->fit.other < 0) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < u->n && at < 280; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%s %.80s = %.5g", i ? "," : "",
                   u->bound[i].name, u->fits.found[i + u->n * u->fit.other]);
  }
  return ms_task_doubt(s, task,
                       "another answer fits the measured modes as well:%s; the one shown began "
                       "nearest to the file",
                       text);
}

ms_status ms_update_judge(ms_study *s, ms_task *task) {
  const ms_update *u = task->product;
  const double misfit = u->fit.judgement.rms * u->fit.scatter;
  char text[240];
  MS_TRY(ms_starts_judge(s, task, &u->fits, u->fit.best, &u->fit.judgement));
  MS_TRY(ms_starts_judge_open(s, task, &u->fits, &u->fit.judgement));
  MS_TRY(judge_other(s, task, u));
  if (misfit > POOR_FIT) {
    MS_TRY(ms_task_doubt(s, task,
                         "the frequencies differ by %.3g standard deviations (rms) from those "
                         "measured",
                         misfit));
  }
  for (ptrdiff_t k = 0; u->look[0].mac && k < u->measured.is.n; k++) {
    if (ms_mode_pair_warning(&u->look[1].pair[k], k, u->measured.omega[k], text, sizeof text))
      MS_TRY(ms_task_doubt(s, task, "%s", text));
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_status add_numbers(ms_study *s, const ms_task *task, const ms_update *u,
                             ms_result_table **table) {
  const ms_fit_judgement *j = &u->fit.judgement;
  ms_result_table *starts;
  MS_TRY(ms_task_add_table(
      s, task, "", "parameter:word,start,value,standard_error,determined:flag,at_bound", table));
  MS_TRY(ms_task_add_table(s, task, "_starts", MS_STARTS_COLUMNS, &starts));
  for (ptrdiff_t i = 0; i < u->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, *table, u->bound[i].name, u->start[i],
                                   ms_update_best(u)[i], j->standard_error[i],
                                   (double)j->determined[i], (double)j->at_bound[i]));
    MS_TRY(ms_result_table_add_column(s->ctx, starts, u->bound[i].name, NULL,
                                      "value of this key at the end, in the file's units"));
  }
  return ms_starts_tabulate(s->ctx, &u->fits, starts);
}

/* Of the model those modes that both looks have: a cut-off may let one more in. */
static ms_status add_modes(ms_study *s, const ms_task *task, const ms_update *u,
                           ms_result_table **table) {
  const ms_update_look *before = &u->look[0], *after = &u->look[1];
  const ptrdiff_t n = u->measured.is.n;
  ms_result_table *mac;
  MS_TRY(ms_task_add_table(s, task, "_modes",
                           "measured,row,f_measured [Hz],deviation,mode_start,f_start [Hz],"
                           "error_start,mac_start,mode,f [Hz],error,mac",
                           table));
  for (ptrdiff_t k = 0; k < n; k++) {
    const ms_mode_pair *b = &before->pair[k], *a = &after->pair[k];
    const double omega = u->measured.omega[k];
    MS_TRY(ms_result_table_add_row(
        s->ctx, *table, (double)(k + 1), (double)u->measured.row[k], omega / TWO_PI,
        u->measured.deviation[k], (double)(b->mode + 1), b->omega / TWO_PI, b->omega / omega - 1.0,
        b->mac, (double)(a->mode + 1), a->omega / TWO_PI, a->omega / omega - 1.0, a->mac));
  }
  if (!before->mac) return MS_SUCCESS;
  MS_TRY(
      ms_task_add_table(s, task, "_mac", "measured,mode,f_start [Hz],mac_start,f [Hz],mac", &mac));
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t r = 0; r < before->n_mode && r < after->n_mode; r++) {
      MS_TRY(ms_result_table_add_row(s->ctx, mac, (double)(k + 1), (double)(r + 1),
                                     before->omega[r] / TWO_PI, before->mac[k + n * r],
                                     after->omega[r] / TWO_PI, after->mac[k + n * r]));
    }
  }
  return MS_SUCCESS;
}

/* ---- report ---- */

/* A row for each measured mode, a column for each elastic one of the model up to the last that
   matters. */
static ms_status show_mac(const ms_update *u, int after, ms_page *page) {
  enum { MOST_MAC = 40 };
  const ms_update_look *look = &u->look[after];
  const ptrdiff_t n = u->measured.is.n;
  ptrdiff_t last = 0, first = 0, row[MOST_MAC], column[MOST_MAC], n_column = 0;
  if (n > MOST_MAC) return MS_SUCCESS;
  for (ptrdiff_t k = 0; k < n; k++) {
    row[k] = k;
    if (look->pair[k].mode + 2 > last) last = look->pair[k].mode + 2;
  }
  while (first < look->n_mode && look->omega[first] == 0.0) first++;
  for (ptrdiff_t r = first; r < last && r < look->n_mode && n_column < MOST_MAC; r++)
    column[n_column++] = r;
  return ms_page_add_mac(
      page,
      after ? "MAC of the measured modes (rows) and those of the updated model (columns): 1 is the "
              "same shape, 0 unrelated. Each row should have one value near 1: its pair."
            : "MAC of the measured modes (rows) and those of the model as the file has it "
              "(columns): 1 is the same shape, 0 unrelated.",
      "measured", n, row, n_column, column, look->mac + n * first);
}

static void set_values(const ms_update *u, ms_result *r) {
  const ms_fit_local *l = &u->fits.local[u->fit.best];
  const int shapes = u->look[0].mac != NULL;
  ms_result_set_text(r, "pairs", shapes ? "shapes" : u->measured.mode ? "numbers" : "order");
  ms_result_set_number(r, "sum_of_squares", NULL, l->sum);
  ms_result_set_flag(r, "converged", l->end == MS_FIT_CONVERGED);
  ms_result_set_number(r, "gradient", NULL, l->gradient);
  ms_result_set_integer(r, "starts", u->starts);
  ms_result_set_integer(r, "starts_that_agree", u->fit.agree);
  ms_result_set_number(r, "scatter", NULL, u->fit.scatter);
  ms_result_set_number(r, "condition", NULL, u->fit.judgement.condition);
}

static void say_method(const ms_update *u, ms_result *r) {
  ms_result_say(r,
                "%td unknowns from %td measured frequencies%s. Modes are paired %s. The misfit is "
                "%.3g standard deviations (rms)%s.",
                u->n, u->measured.is.n,
                u->measured.is.shape_deviation > 0.0 ? " and the components of their shapes" : "",
                u->look[0].mac     ? "by the MAC of their shapes"
                : u->measured.mode ? "by the numbers given"
                                   : "by their order, because there are no shapes",
                u->fit.judgement.rms * u->fit.scatter,
                u->fit.scatter > 1.0 ? "; standard errors are scaled by it" : "");
}

/* The numbers, and the largest error of a frequency before and after. */
static void answer(const ms_update *u, const ms_result_table *modes, ms_result *r) {
  static const char *const column[] = { "error", "error_start" };
  const ms_fit_judgement *j = &u->fit.judgement;
  for (ptrdiff_t i = 0; i < u->n && i < 4; i++) {
    ms_answer_add(r,
                  (ms_answer) { .value = ms_update_best(u)[i],
                                .error = j->standard_error[i],
                                .weight = MS_HEAD_FIT },
                  "%.200s (units of the file)", u->bound[i].name);
  }
  for (int k = 0; k < 2; k++) {
    const double *x = ms_result_table_column(modes, ms_result_table_find_column(modes, column[k]));
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
  const int shapes = u->look[0].mac != NULL;
  ms_result *r = task->result;
  ms_result_table *table, *modes;
  ms_yaml_value value[MS_UPDATE_PLACES];
  char *lines = NULL;
  MS_TRY(add_numbers(s, task, u, &table));
  MS_TRY(add_modes(s, task, u, &modes));
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
  ms_result_set_remarks(r, u->fit.judgement.remarks);
  for (ptrdiff_t i = 0; i < u->n_place; i++) {
    const ms_update_place *place = &u->place[i];
    value[i] = (ms_yaml_value) { place->path, place->ratio * ms_update_best(u)[place->unknown] };
  }
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
