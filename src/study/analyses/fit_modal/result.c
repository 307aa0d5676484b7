/* What fit_modal ends in: models, how far their parameters are known, curves over points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/fit_modal/fit_modal.h"

enum { N = MS_MODAL_N, CURVE = 300 };

#define TOGETHER   0.95 /* a correlation above this is worth a word */
#define POOR_FIT   0.3  /* rms of ln zeta: a third in damping is no longer the same curve */
#define POOR_SHIFT 0.3  /* rms of omega over its shift: the same of the frequency */

const char *const ms_form_name[] = { "printed", "continuous" };

/* ---- what is doubtful ---- */

static ms_status judge_fit(ms_study *s, ms_task *task, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  char names[64] = "", fit[48];
  snprintf(fit, sizeof fit, "mode %d, %s form", f->mode + 1, ms_form_name[f->form]);
  if (!(r->rms_ln_zeta <= POOR_FIT)) {
    MS_TRY(ms_task_doubt(s, task,
                         "%s: the fitted damping differs from the data by a factor of %.3g (rms)",
                         fit, exp(r->rms_ln_zeta)));
  }
  if (!(r->rms_omega <= POOR_SHIFT * r->shift)) {
    MS_TRY(ms_task_doubt(
        s, task, "%s: the fitted frequency differs from the data by %.3g of its shift (rms)", fit,
        r->rms_omega / r->shift));
  }
  for (int i = 0; i < N; i++) {
    const char *name = ms_identify_modal_name(i);
    const size_t at = strlen(names);
    if (!r->determined[i]) {
      snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "", name);
    }
    if (r->at_bound[i] == 0) continue;
    MS_TRY(ms_task_doubt(s, task, "%s: %s ended at its %s limit", fit, name,
                         r->at_bound[i] < 0 ? "lower" : "upper"));
  }
  if (*names) MS_TRY(ms_task_doubt(s, task, "%s: the data do not determine %s", fit, names));
  if (r->warnings & MS_MODAL_UNFINISHED) {
    MS_TRY(ms_task_doubt(s, task, "%s: the fit stopped before it converged", fit));
  }
  if (r->warnings & MS_MODAL_UNSTABLE) {
    MS_TRY(ms_task_doubt(s, task, "%s: the choice of points did not settle", fit));
  }
  if (!(r->warnings & MS_MODAL_NO_MACROSLIP)) return MS_SUCCESS;
  return ms_task_doubt(s, task,
                       "%s: F_S is extrapolated: the data end at %.4g, and macroslip was taken to "
                       "begin at %.4g",
                       fit, r->q_max, r->phi_max);
}

ms_status ms_fits_judge(ms_study *s, ms_task *task) {
  const ms_fits *f = task->product;
  for (int i = 0; i < f->n; i++) MS_TRY(judge_fit(s, task, &f->fit[i]));
  return MS_SUCCESS;
}

/* ---- tables and values ---- */

static ms_status add_fit(ms_study *s, const ms_fitted *f, ms_result_table *models,
                         ms_result_table *correlation) {
  const ms_modal_iwan *m = &f->model;
  const ms_modal_fit_report *r = &f->report;
  const char *form = ms_form_name[f->form];
  double value[N];
  ms_identify_modal_values(m, value);
  MS_TRY(ms_result_table_add_row(s->ctx, models, f->mode + 1.0, form, m->K_inf, m->zeta_0, m->F_S,
                                 m->K_T, m->chi, m->beta, r->rms_ln_zeta, r->rms_omega,
                                 (double)r->n_used, r->remarks, (double)f->left_out, r->condition));
  for (int i = 0; i < N; i++) {
    const double *c = r->correlation + N * i;
    MS_TRY(ms_result_table_add_row(s->ctx, correlation, f->mode + 1.0, form,
                                   ms_identify_modal_name(i), value[i], r->standard_error[i],
                                   ms_identify_modal_unit(i), (double)r->determined[i],
                                   c[MS_MODAL_K_INF], c[MS_MODAL_ZETA_0], c[MS_MODAL_F_S],
                                   c[MS_MODAL_K_T], c[MS_MODAL_CHI], c[MS_MODAL_BETA]));
  }
  return MS_SUCCESS;
}

static void set_fit(ms_result *result, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  double value[N];
  ms_identify_modal_values(&f->model, value);
  ms_result_begin(result, NULL);
  ms_result_set_integer(result, "mode", f->mode + 1);
  ms_result_set_text(result, "form", ms_form_name[f->form]);
  for (int i = 0; i < N; i++) {
    ms_result_set_number(result, ms_identify_modal_name(i), ms_identify_modal_unit(i), value[i]);
  }
  ms_result_set_number(result, "rms_ln_zeta", NULL, r->rms_ln_zeta);
  ms_result_set_number(result, "rms_omega", "rad/s", r->rms_omega);
  ms_result_set_numbers(result, "standard_error", NULL, r->standard_error, N);
  ms_result_begin_list(result, "correlation");
  for (int i = 0; i < N; i++) {
    ms_result_set_numbers(result, NULL, NULL, r->correlation + N * i, N);
  }
  ms_result_end(result);
  ms_result_set_number(result, "condition", NULL, r->condition);
  ms_result_begin_list(result, "undetermined");
  for (int i = 0; i < N; i++) {
    if (!r->determined[i]) ms_result_set_text(result, NULL, ms_identify_modal_name(i));
  }
  ms_result_end(result);
  ms_result_set_integer(result, "points", r->n_used);
  ms_result_set_integer(result, "points_left_out", f->left_out);
  ms_result_set_text(result, "remarks", r->remarks);
  ms_result_end(result);
}

/* ---- report ---- */

/* Points of a mode, and the curves of its fits. */
static ms_status show_mode(const ms_study *s, const ms_fits *f, ms_page *page, int mode) {
  ms_points points = { 0 }, line[2] = { { 0 }, { 0 } };
  ms_overlay overlay[3];
  int n = 1;
  MS_TRY(ms_curves_gather(s->ctx, f->from->product, mode, &points));
  overlay[0] = (ms_overlay) { "ring-down", &points, MS_SERIES_POINTS, 0 };
  ms_status status = MS_SUCCESS;
  for (int form = 0; form < 2 && status == MS_SUCCESS; form++) {
    const ms_fitted *fit = ms_fits_find(f, mode, (ms_modal_form)form);
    double *q = NULL;
    if (!fit || points.n == 0) continue;
    status = ms_allocate(s->ctx, 3 * CURVE, sizeof *q, &q);
    line[form] = (ms_points) { .n = CURVE, .q = q, .omega = q + CURVE, .zeta = q + 2 * CURVE };
    if (status == MS_SUCCESS) {
      status = ms_identify_modal_curve(s->ctx, &fit->model, fit->form, points.q[0],
                                       points.q[points.n - 1], CURVE, q, line[form].omega,
                                       line[form].zeta);
    }
    overlay[n++] = (ms_overlay) { form ? "fit, continuous" : "fit, as printed", &line[form],
                                  form ? MS_SERIES_LINE : MS_SERIES_DASHED, form ? 1 : 2 };
  }
  if (status == MS_SUCCESS) status = ms_curves_figure(s, page, mode, overlay, n);
  ms_free(s->ctx, &points.q);
  ms_free(s->ctx, &line[0].q);
  ms_free(s->ctx, &line[1].q);
  return status;
}

/* What was left out, what trades against what, what is not known. */
static void show_fit(ms_result *result, const ms_fitted *fit) {
  const ms_modal_fit_report *r = &fit->report;
  int a = 0, b = 1;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      if (fabs(r->correlation[i + N * j]) > fabs(r->correlation[a + N * b])) a = j, b = i;
    }
  }
  const double c = r->correlation[a + N * b];
  ms_result_say(result,
                "Mode %d, %s form: %td points of %td used. %s and %s are correlated most, %+.3f%s.",
                fit->mode + 1, ms_form_name[fit->form], r->n_used, r->n_points + fit->left_out,
                ms_identify_modal_name(a), ms_identify_modal_name(b), c,
                fabs(c) > TOGETHER ? ": the data hardly tell one from the other" : "");
  if (fit->left_out > 0) {
    ms_result_say(result, "%td points that do not decay (damping zero or below) were left out.",
                  fit->left_out);
  }
  if (r->n_undetermined > 0) {
    ms_result_say(result, "The data leave %d combination%s of parameters open.", r->n_undetermined,
                  r->n_undetermined > 1 ? "s" : "");
  }
  ms_result_warn_lines(result, r->remarks);
}

ms_status ms_fits_fill_result(ms_study *s, ms_task *task) {
  const ms_fits *f = task->product;
  ms_result *result = task->result;
  ms_result_table *models, *correlation;
  MS_TRY(ms_task_add_table(
      s, task, "",
      "mode,form:word,K_inf [1/s^2],zeta_0,F_S [N/sqrt(kg)],K_T [1/s^2],chi,beta,rms_ln_zeta,"
      "rms_omega [rad/s],points,remarks:word,left_out,condition",
      &models));
  MS_TRY(ms_task_add_table(s, task, "_correlation",
                           "mode,form:word,parameter:word,value,standard_error,unit:word,"
                           "determined,K_inf,zeta_0,F_S,K_T,chi,beta",
                           &correlation));
  ms_result_begin_list(result, "modes");
  for (int i = 0; i < f->n; i++) {
    MS_TRY(add_fit(s, &f->fit[i], models, correlation));
    set_fit(result, &f->fit[i]);
    ms_page *page = ms_result_get_page(result);
    if (!page || (i > 0 && f->fit[i].mode == f->fit[i - 1].mode)) continue;
    ms_result_fail_page(result, show_mode(s, f, page, f->fit[i].mode));
  }
  ms_result_end(result);
  ms_result_show_table(result, models, "Fitted modal Iwan models");
  for (int i = 0; i < f->n; i++) show_fit(result, &f->fit[i]);
  ms_result_show_table(result, correlation, "Parameters, standard errors and correlations");
  return MS_SUCCESS;
}
