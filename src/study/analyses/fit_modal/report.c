/* What fit_modal says: models, how far their parameters are known, curves over points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/fit_modal/fit_modal.h"

enum { N = MS_MODAL_N };

#define TOGETHER 0.95 /* a correlation above this is worth a word */

const char *const ms_form_name[] = { "printed", "continuous" };

static const char *const parameter_unit[N] = { "1/s^2", "", "N/sqrt(kg)", "1/s^2", "", "" };

/* ---- tables ---- */

static void fill_values(const ms_modal_iwan *m, double value[N]) {
  value[MS_MODAL_K_INF] = m->K_inf;
  value[MS_MODAL_ZETA_0] = m->zeta_0;
  value[MS_MODAL_F_S] = m->F_S;
  value[MS_MODAL_K_T] = m->K_T;
  value[MS_MODAL_CHI] = m->chi;
  value[MS_MODAL_BETA] = m->beta;
}

static ms_status tabulate_models(ms_study *s, const ms_task *task, const ms_fits *f) {
  ms_result_table *table;
  MS_TRY(ms_result_table_create(
      s, task->name,
      "mode,form:word,K_inf [1/s^2],zeta_0,F_S [N/sqrt(kg)],K_T [1/s^2],chi,beta,"
      "rms_ln_zeta,rms_omega [rad/s],points,remarks:word,left_out,"
      "condition",
      &table));
  for (int i = 0; i < f->n; i++) {
    const ms_modal_iwan *m = &f->fit[i].model;
    const ms_modal_fit_report *r = &f->fit[i].report;
    MS_TRY(ms_result_table_add_row(
        s->ctx, table, f->fit[i].mode + 1.0, ms_form_name[f->fit[i].form], m->K_inf, m->zeta_0,
        m->F_S, m->K_T, m->chi, m->beta, r->rms_ln_zeta, r->rms_omega, (double)r->n_used,
        r->remarks, (double)f->fit[i].left_out, r->condition));
  }
  return MS_SUCCESS;
}

static ms_status tabulate_fit(ms_study *s, const ms_fitted *fit, ms_result_table *table) {
  const ms_modal_fit_report *r = &fit->report;
  double value[N];
  fill_values(&fit->model, value);
  for (int i = 0; i < N; i++) {
    const double *c = r->correlation + N * i;
    MS_TRY(ms_result_table_add_row(s->ctx, table, fit->mode + 1.0, ms_form_name[fit->form],
                                   ms_identify_modal_name(i), value[i], r->standard_error[i],
                                   parameter_unit[i], (double)r->determined[i], c[MS_MODAL_K_INF],
                                   c[MS_MODAL_ZETA_0], c[MS_MODAL_F_S], c[MS_MODAL_K_T],
                                   c[MS_MODAL_CHI], c[MS_MODAL_BETA]));
  }
  return MS_SUCCESS;
}

ms_status ms_fits_tabulate(ms_study *s, const ms_task *task, const ms_fits *f) {
  char name[96];
  ms_result_table *table;
  MS_TRY(tabulate_models(s, task, f));
  snprintf(name, sizeof name, "%.80s_correlation", task->name);
  MS_TRY(ms_result_table_create(
      s, name,
      "mode,form:word,parameter:word,value,standard_error,unit:word,determined,"
      "K_inf,zeta_0,F_S,K_T,chi,beta",
      &table));
  for (int i = 0; i < f->n; i++) MS_TRY(tabulate_fit(s, &f->fit[i], table));
  return MS_SUCCESS;
}

/* ---- summary ---- */

static void summarise_correlation(const ms_modal_fit_report *r, ms_json *json) {
  ms_json_begin_array(json, "correlation");
  for (int i = 0; i < N; i++) ms_json_add_numbers(json, NULL, r->correlation + N * i, N);
  ms_json_end(json);
  ms_json_add_number(json, "condition", r->condition);
  ms_json_begin_array(json, "undetermined");
  for (int i = 0; i < N; i++) {
    if (!r->determined[i]) ms_json_add_text(json, NULL, ms_identify_modal_name(i));
  }
  ms_json_end(json);
}

#define POOR_FIT   0.3 /* rms of ln zeta: a third in damping is no longer the same curve */
#define POOR_SHIFT 0.3 /* rms of omega over its shift: the same of the frequency */

static ms_status judge_curves(ms_study *s, ms_task *task, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  const char *form = ms_form_name[f->form];
  const int mode = f->mode + 1;
  if (!(r->rms_ln_zeta <= POOR_FIT)) {
    MS_TRY(
        ms_task_doubt(s, task,
                      "mode %d, %s form: the fitted damping differs from the data by a factor of "
                      "%.3g (rms)",
                      mode, form, exp(r->rms_ln_zeta)));
  }
  if (!(r->rms_omega <= POOR_SHIFT * r->shift)) {
    MS_TRY(ms_task_doubt(s, task,
                         "mode %d, %s form: the fitted frequency differs from the data by %.3g of "
                         "its shift (rms)",
                         mode, form, r->rms_omega / r->shift));
  }
  return MS_SUCCESS;
}

static ms_status judge_parameters(ms_study *s, ms_task *task, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  const char *form = ms_form_name[f->form];
  const int mode = f->mode + 1;
  char names[64] = "";
  for (int i = 0; i < N; i++) {
    const char *name = ms_identify_modal_name(i);
    const size_t at = strlen(names);
    if (!r->determined[i]) {
      snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "", name);
    }
    if (r->at_bound[i] == 0) continue;
    MS_TRY(ms_task_doubt(s, task, "mode %d, %s form: %s ended at its %s limit", mode, form, name,
                         r->at_bound[i] < 0 ? "lower" : "upper"));
  }
  if (!*names) return MS_SUCCESS;
  return ms_task_doubt(s, task, "mode %d, %s form: the data do not determine %s", mode, form,
                       names);
}

static ms_status judge_fit(ms_study *s, ms_task *task, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  const char *form = ms_form_name[f->form];
  const int mode = f->mode + 1;
  MS_TRY(judge_curves(s, task, f));
  MS_TRY(judge_parameters(s, task, f));
  if (r->warnings & MS_MODAL_UNFINISHED) {
    MS_TRY(ms_task_doubt(s, task, "mode %d, %s form: the fit stopped before it converged", mode,
                         form));
  }
  if (r->warnings & MS_MODAL_UNSTABLE) {
    MS_TRY(ms_task_doubt(s, task, "mode %d, %s form: the choice of points did not settle", mode,
                         form));
  }
  if (!(r->warnings & MS_MODAL_NO_MACROSLIP)) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "mode %d, %s form: F_S is extrapolated: the data end at %.4g, and macroslip "
                       "was taken to begin at %.4g",
                       mode, form, r->q_max, r->phi_max);
}

ms_status ms_fits_judge(ms_study *s, ms_task *task) {
  const ms_fits *f = task->product;
  for (int i = 0; i < f->n; i++) MS_TRY(judge_fit(s, task, &f->fit[i]));
  return MS_SUCCESS;
}

void ms_fits_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_fits *f = task->product;
  (void)s;
  ms_json_begin_array(json, "modes");
  for (int i = 0; i < f->n; i++) {
    const ms_modal_iwan *m = &f->fit[i].model;
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", f->fit[i].mode + 1);
    ms_json_add_text(json, "form", ms_form_name[f->fit[i].form]);
    ms_json_add_number(json, "K_inf", m->K_inf);
    ms_json_add_number(json, "zeta_0", m->zeta_0);
    ms_json_add_number(json, "F_S", m->F_S);
    ms_json_add_number(json, "K_T", m->K_T);
    ms_json_add_number(json, "chi", m->chi);
    ms_json_add_number(json, "beta", m->beta);
    ms_json_add_number(json, "rms_ln_zeta", f->fit[i].report.rms_ln_zeta);
    ms_json_add_number(json, "rms_omega", f->fit[i].report.rms_omega);
    ms_json_add_numbers(json, "standard_error", f->fit[i].report.standard_error, MS_MODAL_N);
    summarise_correlation(&f->fit[i].report, json);
    ms_json_add_integer(json, "points", f->fit[i].report.n_used);
    ms_json_add_integer(json, "points_left_out", f->fit[i].left_out);
    ms_json_add_text(json, "remarks", f->fit[i].report.remarks);
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* ---- report ---- */

static ms_status report_mode(const ms_study *s, const ms_fits *f, ms_page *page, int mode) {
  ms_points points = { 0 }, line[2] = { { 0 }, { 0 } };
  ms_overlay overlay[3];
  int n = 1;
  MS_TRY(ms_curves_gather(s->ctx, f->from->product, mode, &points));
  overlay[0] = (ms_overlay) { "ring-down", &points, MS_SERIES_POINTS, 0 };
  ms_status status = MS_SUCCESS;
  for (int form = 0; form < 2 && status == MS_SUCCESS; form++) {
    const ms_fitted *fit = ms_fits_find(f, mode, (ms_modal_form)form);
    if (!fit || points.n == 0) continue;
    status = ms_fitted_curve(s->ctx, fit, points.q[0], points.q[points.n - 1], &line[form]);
    overlay[n++] = (ms_overlay) { form ? "fit, continuous" : "fit, as printed", &line[form],
                                  form ? MS_SERIES_LINE : MS_SERIES_DASHED, form ? 1 : 2 };
  }
  if (status == MS_SUCCESS) status = ms_curves_figure(s, page, mode, overlay, n);
  ms_free(s->ctx, &points.q);
  ms_free(s->ctx, &line[0].q);
  ms_free(s->ctx, &line[1].q);
  return status;
}

/* ---- how far the parameters are known ---- */

/* The two parameters that go together most. */
static void find_strongest(const ms_modal_fit_report *r, int *a, int *b) {
  double strongest = -1.0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      double c = fabs(r->correlation[i + N * j]);
      if (c <= strongest) continue;
      strongest = c;
      *a = j, *b = i;
    }
  }
}

/* A paragraph for each line of the remarks. */
static void describe_warnings(const char *remarks, char *text, size_t size) {
  size_t at = 0;
  for (size_t length; *remarks && at < size; remarks += length + (remarks[length] == '\n')) {
    length = strcspn(remarks, "\n");
    int n = snprintf(text + at, size - at, "\n\nWarning: %.*s.", (int)length, remarks);
    at += n > 0 ? (size_t)n : 0;
  }
}

/* Paragraphs: what was left out, what trades against what, what is not known. */
static void describe_fit(const ms_fitted *fit, char *text, size_t size) {
  const ms_modal_fit_report *r = &fit->report;
  int a = 0, b = 1, n;
  find_strongest(r, &a, &b);
  double c = r->correlation[a + N * b];
  n = snprintf(text, size,
               "Mode %d, %s form: %td points of %td used. The condition of the fit is %.2g; %s and "
               "%s are correlated most, %+.3f%s.",
               fit->mode + 1, ms_form_name[fit->form], r->n_used, r->n_points + fit->left_out,
               r->condition, ms_identify_modal_name(a), ms_identify_modal_name(b), c,
               fabs(c) > TOGETHER ? ": the data hardly tell one from the other" : "");
  if (fit->left_out > 0) {
    n += snprintf(text + n, size - (size_t)n,
                  " %td points that do not decay (damping zero or below) were left out.",
                  fit->left_out);
  }
  if (r->n_undetermined > 0) {
    n +=
        snprintf(text + n, size - (size_t)n, " The data leave %d combination%s of parameters open.",
                 r->n_undetermined, r->n_undetermined > 1 ? "s" : "");
  }
  describe_warnings(r->remarks, text + n, size - (size_t)n);
}

/* A row for each parameter: value, standard error, correlations; with all digits these are in the
   table, here two must do for the page's width. */
static ms_status add_parameters(const ms_fitted *fit, ms_page *page) {
  const ms_modal_fit_report *r = &fit->report;
  double value[N];
  char label[N][32], cell[N * N][8], caption[128];
  const char *name[N], *known[N], *cells[N * N];
  ms_page_column column[3 + N] = {
    { .heading = "parameter", .texts = name },
    { .heading = "value", .numbers = value },
    { .heading = "standard error", .numbers = r->standard_error, .texts = known, .digits = 2 },
  };
  fill_values(&fit->model, value);
  for (int i = 0; i < N; i++) {
    snprintf(label[i], sizeof label[i], "%s%s%s", ms_identify_modal_name(i),
             *parameter_unit[i] ? ", " : "", parameter_unit[i]);
    name[i] = label[i];
    known[i] = r->determined[i] ? NULL : "not determined";
    column[3 + i] =
        (ms_page_column) { .heading = ms_identify_modal_name(i), .texts = cells + N * i };
  }
  for (int i = 0; i < N * N; i++) {
    double c = fabs(r->correlation[i]) < 0.005 ? 0.0 : r->correlation[i]; /* no -0.00 */
    snprintf(cell[i], sizeof cell[i], "%.2f", fmax(-1.0, fmin(1.0, c)));
    cells[i] = cell[i];
  }
  snprintf(caption, sizeof caption,
           "Mode %d, %s form: parameters, standard errors and correlations", fit->mode + 1,
           ms_form_name[fit->form]);
  ms_page_table table = { .n_row = N, .n_column = 3 + N, .column = column };
  return ms_page_add_table(page, caption, &table);
}

static ms_status report_fit(const ms_fitted *fit, ms_page *page) {
  char text[sizeof fit->report.remarks + 600];
  describe_fit(fit, text, sizeof text);
  MS_TRY(ms_page_add_text(page, text));
  return add_parameters(fit, page);
}

ms_status ms_fits_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_fits *f = task->product;
  for (int i = 0; i < f->n; i++) {
    if (i > 0 && f->fit[i].mode == f->fit[i - 1].mode) continue;
    MS_TRY(report_mode(s, f, page, f->fit[i].mode));
  }
  MS_TRY(ms_result_table_add_to_page(s->ctx, ms_result_table_find(s, task, ""),
                                     "Fitted modal Iwan models", page));
  for (int i = 0; i < f->n; i++) MS_TRY(report_fit(&f->fit[i], page));
  return MS_SUCCESS;
}
