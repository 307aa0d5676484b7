/* Tables, summary and report of `update`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/update/update.h"

#define TWO_PI    6.283185307179586
#define AMBIGUOUS 0.1 /* a rival whose MAC is less than this behind could be the pair as well */
#define POOR      0.9 /* a MAC below makes a pair doubtful */
#define POOR_FIT  3.0 /* standard deviations that scatter alone does not explain */

/* ---- tables ---- */

static ms_status make_table(ms_study *s, const ms_task *task, const char *ending,
                            const char *columns, ms_result_table **out) {
  char name[96];
  snprintf(name, sizeof name, "%.80s%s", task->name, ending);
  return ms_result_table_create(s, name, columns, out);
}

static ms_status tabulate_numbers(ms_study *s, const ms_task *task, ms_update *u) {
  const ms_fit_judgement *j = &u->judgement;
  MS_TRY(make_table(s, task, "", "parameter:word,start,value,standard_error,determined,at_bound",
                    &u->table));
  for (ptrdiff_t i = 0; i < u->n; i++) {
    MS_TRY(ms_result_table_add_row(s->ctx, u->table, u->bound[i].name, u->start[i],
                                   ms_update_best(u)[i], j->standard_error[i],
                                   (double)j->determined[i], (double)j->at_bound[i]));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_modes(ms_study *s, const ms_task *task, ms_update *u) {
  MS_TRY(make_table(s, task, "_modes",
                    "measured,row,f_measured [Hz],deviation,mode_start,f_start [Hz],error_start,"
                    "mac_start,mode,f [Hz],error,mac",
                    &u->modes));
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    const ms_mode_pair *b = &u->before[k], *a = &u->after[k];
    double omega = u->omega[k];
    MS_TRY(ms_result_table_add_row(
        s->ctx, u->modes, (double)(k + 1), (double)u->row[k], omega / TWO_PI, u->deviation[k],
        (double)(b->mode + 1), b->omega / TWO_PI, b->omega / omega - 1.0, b->mac,
        (double)(a->mode + 1), a->omega / TWO_PI, a->omega / omega - 1.0, a->mac));
  }
  return MS_SUCCESS;
}

/* Modes of the model that both looks have: a cut-off may let one more in. */
static ptrdiff_t count_modes(const ms_update *u) {
  return u->n_mac[0] < u->n_mac[1] ? u->n_mac[0] : u->n_mac[1];
}

static ms_status tabulate_mac(ms_study *s, const ms_task *task, const ms_update *u) {
  ms_result_table *table;
  ptrdiff_t n = u->measured.n;
  if (!u->mac[0]) return MS_SUCCESS;
  MS_TRY(make_table(s, task, "_mac", "measured,mode,f_start [Hz],mac_start,f [Hz],mac", &table));
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t r = 0; r < count_modes(u); r++) {
      MS_TRY(ms_result_table_add_row(s->ctx, table, (double)(k + 1), (double)(r + 1),
                                     u->model_omega[0][r] / TWO_PI, u->mac[0][k + n * r],
                                     u->model_omega[1][r] / TWO_PI, u->mac[1][k + n * r]));
    }
  }
  return MS_SUCCESS;
}

static ms_status tabulate_starts(ms_study *s, const ms_task *task, const ms_update *u) {
  ms_result_table *table;
  MS_TRY(make_table(s, task, "_starts", MS_STARTS_COLUMNS, &table));
  for (ptrdiff_t i = 0; i < u->n; i++) {
    MS_TRY(ms_result_table_add_column(s->ctx, table, u->bound[i].name, NULL,
                                      "value of this key at the end, in the file's units"));
  }
  return ms_starts_tabulate(s->ctx, &u->fits, table);
}

ms_status ms_update_tabulate(ms_study *s, const ms_task *task, ms_update *u) {
  MS_TRY(tabulate_numbers(s, task, u));
  MS_TRY(tabulate_modes(s, task, u));
  MS_TRY(tabulate_mac(s, task, u));
  return tabulate_starts(s, task, u);
}

/* ---- summary ---- */

static void summarise_numbers(const ms_update *u, ms_json *json) {
  ms_json_begin_array(json, "parameters");
  for (ptrdiff_t i = 0; i < u->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "name", u->bound[i].name);
    ms_json_add_number(json, "start", u->start[i]);
    ms_json_add_number(json, "value", ms_update_best(u)[i]);
    ms_json_add_number(json, "standard_error", u->judgement.standard_error[i]);
    ms_json_add_bool(json, "determined", u->judgement.determined[i]);
    ms_json_add_integer(json, "at_bound", u->judgement.at_bound[i]);
    ms_json_end(json);
  }
  ms_json_end(json);
}

static void summarise_modes(const ms_update *u, ms_json *json) {
  ms_json_begin_array(json, "modes");
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", u->after[k].mode + 1);
    ms_json_add_number(json, "f_measured", u->omega[k] / TWO_PI);
    ms_json_add_number(json, "f_start", u->before[k].omega / TWO_PI);
    ms_json_add_number(json, "f", u->after[k].omega / TWO_PI);
    if (u->mac[0]) {
      ms_json_add_number(json, "mac_start", u->before[k].mac);
      ms_json_add_number(json, "mac", u->after[k].mac);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

void ms_update_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_update *u = task->product;
  const ms_fit_local *l = &u->fits.local[u->best];
  (void)s;
  summarise_numbers(u, json);
  summarise_modes(u, json);
  ms_json_add_text(json, "pairs", u->mac[0] ? "shapes" : u->mode ? "numbers" : "order");
  ms_json_add_number(json, "sum_of_squares", l->sum);
  ms_json_add_bool(json, "converged", l->end == MS_FIT_CONVERGED);
  ms_json_add_number(json, "gradient", l->gradient);
  ms_json_add_integer(json, "starts", u->starts);
  ms_json_add_integer(json, "starts_that_agree", u->agree);
  ms_json_add_number(json, "scatter", u->scatter);
  ms_json_add_number(json, "condition", u->judgement.condition);
  ms_json_add_text(json, "remarks", u->judgement.remarks);
}

/* ---- what is doubtful ---- */

static ms_status judge_pair(ms_study *s, ms_task *task, const ms_update *u, ptrdiff_t k) {
  const ms_mode_pair *a = &u->after[k];
  if (a->rival >= 0 && a->rival_mac > a->mac - AMBIGUOUS) {
    return ms_task_doubt(s, task,
                         "measured mode %td (%.5g Hz) could be mode %td of the model (MAC %.2f) or "
                         "mode %td (MAC %.2f): the sensors hardly distinguish them",
                         k + 1, u->omega[k] / TWO_PI, a->mode + 1, a->mac, a->rival + 1,
                         a->rival_mac);
  }
  if (a->mac >= POOR) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "the MAC of measured mode %td (%.5g Hz) and mode %td of the model is only "
                       "%.2f",
                       k + 1, u->omega[k] / TWO_PI, a->mode + 1, a->mac);
}

/* Frequencies alone often have several answers. */
static ms_status judge_other(ms_study *s, ms_task *task, const ms_update *u) {
  char text[400];
  int at = 0;
  if (u->other < 0) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < u->n && at < 280; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%s %.80s = %.5g", i ? "," : "",
                   u->bound[i].name, u->fits.found[i + u->n * u->other]);
  }
  return ms_task_doubt(s, task,
                       "another answer fits the measured modes as well:%s; the one shown began "
                       "nearest to the file",
                       text);
}

ms_status ms_update_judge(ms_study *s, ms_task *task) {
  const ms_update *u = task->product;
  const double misfit = u->judgement.rms * u->scatter;
  MS_TRY(ms_starts_judge(s, task, &u->fits, u->best, &u->judgement));
  MS_TRY(ms_starts_judge_open(s, task, &u->fits, &u->judgement));
  MS_TRY(judge_other(s, task, u));
  if (misfit > POOR_FIT) {
    MS_TRY(ms_task_doubt(s, task,
                         "the frequencies differ by %.3g standard deviations (rms) from those "
                         "measured",
                         misfit));
  }
  for (ptrdiff_t k = 0; u->mac[0] && k < u->measured.n; k++) {
    MS_TRY(judge_pair(s, task, u, k));
  }
  return MS_SUCCESS;
}

/* ---- pictures ---- */

static ms_status add_deviations(ms_figure *figure, const ms_update *u) {
  for (ptrdiff_t k = 0; k < u->measured.n; k++) {
    const double at[2] = { (double)(k + 1), (double)(k + 1) };
    const double y[2] = { -200.0 * u->deviation[k], 200.0 * u->deviation[k] };
    ms_series bar = { k ? NULL : "two standard deviations", at, y, 2, MS_SERIES_LINE, -1 };
    MS_TRY(ms_figure_add_series(figure, &bar));
  }
  return MS_SUCCESS;
}

static ms_status add_errors(ms_figure *figure, const ms_update *u, const double *mode, double *y) {
  for (int after = 0; after < 2; after++) {
    const ms_mode_pair *pair = after ? u->after : u->before;
    for (ptrdiff_t k = 0; k < u->measured.n; k++) {
      y[k] = 100.0 * (pair[k].omega / u->omega[k] - 1.0);
    }
    ms_series errors = { after ? "updated" : "as the file has it",
                         mode,
                         y,
                         u->measured.n,
                         MS_SERIES_POINTS,
                         after ? 0 : 1 };
    MS_TRY(ms_figure_add_series(figure, &errors));
  }
  return MS_SUCCESS;
}

static ms_status report_errors(const ms_study *s, const ms_update *u, ms_page *page) {
  const ms_panel panel = { .x_label = "measured mode",
                           .y_label = "frequency, model less measured",
                           .y_unit = "%" };
  ms_figure *figure = NULL;
  double *room = NULL;
  ptrdiff_t n = u->measured.n;
  ms_status status = ms_allocate(s->ctx, 2 * n, sizeof *room, &room);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < n; k++) room[k] = (double)(k + 1);
  if (!status) status = ms_figure_create(s->ctx, "Frequencies before and after", NULL, &figure);
  if (!status) status = ms_figure_add_panel(figure, &panel);
  if (!status) status = add_errors(figure, u, room, room + n);
  if (!status) status = add_deviations(figure, u);
  if (!status) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  ms_free(s->ctx, &room);
  return status;
}

/* A row for each measured mode, a column for each of the model's up to the last that matters. */
static ms_status add_mac(const ms_update *u, int after, const char *const *row, ms_page *page) {
  enum { MOST = 40 };
  char heading[MOST][24];
  ms_page_column column[MOST + 1] = { { .heading = "measured", .texts = row } };
  ptrdiff_t n = u->measured.n, shown = 0;
  const ms_mode_pair *pair = after ? u->after : u->before;
  for (ptrdiff_t k = 0; k < n; k++) shown = pair[k].mode + 2 > shown ? pair[k].mode + 2 : shown;
  if (shown > u->n_mac[after]) shown = u->n_mac[after];
  if (shown > MOST) shown = MOST;
  for (ptrdiff_t r = 0; r < shown; r++) {
    snprintf(heading[r], sizeof heading[r], "%.4g Hz", u->model_omega[after][r] / TWO_PI);
    column[r + 1] =
        (ms_page_column) { .heading = heading[r], .numbers = u->mac[after] + n * r, .digits = 2 };
  }
  ms_page_table table = { n, shown + 1, column };
  return ms_page_add_shaded_table(page,
                                  after ? "MAC of the measured modes and those of the updated model"
                                        : "MAC of the measured modes and those of the model as the "
                                          "file has it",
                                  &table);
}

static ms_status report_mac(const ms_study *s, const ms_update *u, ms_page *page) {
  typedef char text[24];
  ptrdiff_t n = u->measured.n;
  text *label = NULL;
  const char **row = NULL;
  if (!u->mac[0]) return MS_SUCCESS;
  ms_status status = ms_allocate(s->ctx, n, sizeof *label, &label);
  if (status == MS_SUCCESS) status = ms_allocate(s->ctx, n, sizeof *row, &row);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < n; k++) {
    snprintf(label[k], sizeof label[k], "%.4g Hz", u->omega[k] / TWO_PI);
    row[k] = label[k];
  }
  for (int after = 0; status == MS_SUCCESS && after < 2; after++) {
    status = add_mac(u, after, row, page);
  }
  ms_free(s->ctx, &label);
  ms_free(s->ctx, &row);
  return status;
}

/* ---- report ---- */

static void write_starts(const ms_update *u, char *text, size_t size) {
  const char *end =
      u->fits.local[u->best].end == MS_FIT_CONVERGED ? "" : "; the best one is unfinished";
  if (u->starts == 1) {
    snprintf(text, size, "The search began at the file's numbers%s.",
             *end ? " and is unfinished" : "");
  } else {
    snprintf(text, size,
             "Of %td starts, the first at the file's numbers, %td came to the same point%s.",
             u->starts, u->agree, end);
  }
}

static ms_status report_words(const ms_update *u, ms_page *page) {
  char text[1024], starts[160];
  write_starts(u, starts, sizeof starts);
  snprintf(
      text, sizeof text,
      "%td unknowns from %td measured frequencies%s. Modes are paired %s. %s The misfit is %.3g "
      "of the standard deviations (rms)%s; the condition of the fit is %.2g.",
      u->n, u->measured.n,
      u->measured.shape_deviation > 0.0 ? " and the components of their shapes" : "",
      u->mac[0] ? "by MAC, how alike their shapes are"
      : u->mode ? "by the numbers given"
                : "by their order, for want of shapes",
      starts, u->judgement.rms * u->scatter,
      u->scatter > 1.0 ? ", and standard errors are larger by what it exceeds 1" : "",
      u->judgement.condition);
  return ms_page_add_text(page, text);
}

static ms_status report_lines(const ms_study *s, const ms_update *u, ms_page *page) {
  char *lines = NULL;
  MS_TRY(ms_update_write_lines(s, u, &lines));
  ms_status status = ms_page_add_text(page, "What the study file says with these numbers:");
  if (status == MS_SUCCESS) status = ms_page_add_code(page, lines);
  ms_free(s->ctx, &lines);
  return status;
}

ms_status ms_update_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_update *u = task->product;
  MS_TRY(report_words(u, page));
  MS_TRY(ms_result_table_add_to_page(
      s->ctx, u->table,
      "Numbers in the units of the study file (determined 0: the measured "
      "modes do not say; at_bound -1 or 1: at the lower or upper bound)",
      page));
  MS_TRY(ms_remarks_report(u->judgement.remarks, page));
  MS_TRY(report_lines(s, u, page));
  MS_TRY(ms_result_table_add_to_page(s->ctx, u->modes, "Measured modes and the model's", page));
  MS_TRY(report_errors(s, u, page));
  return report_mac(s, u, page);
}
