/* fit_modal: the modal Iwan model that reproduces a mode's curves. */
#include "study/analyses/fit_modal/fit_modal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/shared/answers.h"

enum { N = MS_MODAL_N, CURVE = 300, MOST_DRAWN = 40 };

/* By ms_modal_form: in tables and studies, and as a reader knows it. */
static const char *const form_name[] = { "printed", "continuous" };
static const char *const form_words[] = { "published (piecewise)", "continuous" };

typedef struct options {
  const ms_task *from;
  ms_numbers leave_out;
  int law, form; /* form: 0 both, else 1 + ms_modal_form */
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_CHOICE(options, law, "iwan4", MS_OPTIONAL, "of the modal models"),
  MS_OF_TASKS(options, from, "word", ms_as_last_task, "modal_ringdown|ringdown|hammer_test",
              MS_ELSE("the last of these"),
              "the `modal_ringdown`, `ringdown` or `hammer_test` whose curves are fitted"),
  MS_CHOICE(options, form, "both|printed|continuous", MS_OPTIONAL,
            "printed: the closed form of the literature, which jumps at macroslip; continuous: "
            "without the jump"),
  MS_NUMBERS(options, leave_out, "-", MS_POSITIVE, MS_ELSE("[0.9, 30]"),
             "[low, high], low <= 1 <= high: in the published (piecewise) form, points between low "
             "and high "
             "times phi_max are left out"),
};

static void close_product(ms_study *s, ms_task *task) {
  ms_fits *f = task->product;
  ms_free(s->ctx, &f->fit);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const double *window = o->leave_out.value;
  if (!window || (o->leave_out.n == 2 && window[0] <= 1.0 && window[1] >= 1.0)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "leave_out"), MS_ERR_BOUNDS,
                      "leave_out is [low, high] with 0 < low <= 1 <= high, e.g. [0.9, 30]");
}

/* ---- for others ---- */

const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form) {
  for (int i = 0; i < fits->n; i++) {
    if (fits->fit[i].mode == mode && fits->fit[i].form == form) return &fits->fit[i];
  }
  return NULL;
}

const ms_task *ms_fits_source(const ms_task *fits) {
  return ((const options *)fits->options)->from;
}

static int has_form(const options *o, ms_modal_form form) {
  return o->form == 0 || o->form == 1 + (int)form;
}

ms_status ms_fits_check_form(const ms_study *s, const ms_task *task, struct fy_node *at,
                             const ms_task *fits, ms_modal_form form) {
  struct fy_node *given = ms_yaml_get(task->node, "form");
  if (has_form(fits->options, form)) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, given ? given : at, MS_ERR_NAME,
                      "%s does not fit the %s form; give form here or there", fits->name,
                      form_name[form]);
}

/* ---- the run ---- */

/* A mode that cannot be fitted costs no other its model. */
static ms_status miss_fit(ms_study *s, ms_task *task, const ms_fitted *fit, ms_status status) {
  char left[64] = "";
  if (fit->left_out > 0) {
    snprintf(left, sizeof left, ", %td points without decay left out", fit->left_out);
  }
  status =
      ms_fail_at(s->ctx, status, "mode %d, %s form%s", fit->mode + 1, form_words[fit->form], left);
  if (ms_task_ends_study(status)) return status;
  MS_TRY(ms_task_give_up(s, task, "%s", ms_context_message(s->ctx)));
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

static ms_modal_fit_setting get_setting(const options *o) {
  ms_modal_fit_setting setting = MS_MODAL_FIT_DEFAULT;
  if (o->leave_out.n == 2) setting.lo = o->leave_out.value[0], setting.hi = o->leave_out.value[1];
  return setting;
}

static ms_status fit_mode(ms_study *s, ms_task *task, int mode, const ms_points *points,
                          ptrdiff_t left_out) {
  const options *o = task->options;
  ms_fits *f = task->product;
  ms_modal_fit_setting setting = get_setting(o);
  for (int form = 0; form < 2; form++) {
    ms_fitted *fit = &f->fit[f->n];
    if (!has_form(o, (ms_modal_form)form)) continue;
    *fit = (ms_fitted) { .mode = mode, .form = (ms_modal_form)form, .left_out = left_out };
    setting.form = fit->form;
    ms_status status = ms_identify_fit_modal(s->ctx, points->n, points->q, points->omega,
                                             points->zeta, &setting, &fit->model, &fit->report);
    if (status == MS_SUCCESS) f->n++;
    if (status != MS_SUCCESS) MS_TRY(miss_fit(s, task, fit, status));
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_fits *f = task->product;
  const int n = (int)ms_structure_get_size(s->structure);
  MS_TRY(ms_allocate(s->ctx, 2 * n, sizeof *f->fit, &f->fit));
  for (int mode = 0; mode < n; mode++) {
    ms_points points;
    MS_TRY(ms_curves_gather(s->ctx, ms_fits_source(task)->product, mode, &points));
    const int read = points.n > 0;
    const ptrdiff_t left_out = ms_points_drop_undamped(&points);
    ms_status status = read ? fit_mode(s, task, mode, &points, left_out) : MS_SUCCESS;
    ms_free(s->ctx, &points.q);
    MS_TRY(status);
  }
  if (f->n > 0) return MS_SUCCESS;
  const char *why = ms_result_get_reason(task->result);
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: no mode could be fitted: %.400s", task->name,
                 why ? why : "there are no curves");
}

/* ---- what is doubtful ---- */

static ms_status judge(ms_study *s, ms_task *task) {
  const ms_fits *f = task->product;
  char text[300];
  for (const ms_fitted *fit = f->fit; fit < f->fit + f->n; fit++) {
    for (int i = 0; ms_modal_fit_warning(&fit->report, i, text, sizeof text); i++) {
      MS_TRY(ms_task_doubt(s, task, "mode %d, %s form: %s", fit->mode + 1, form_words[fit->form],
                           text));
    }
  }
  return MS_SUCCESS;
}

/* ---- tables and values ---- */

static void add_fit(const ms_fitted *f, ms_result_table *models, ms_result_table *correlation) {
  const ms_modal_iwan *m = &f->model;
  const ms_modal_fit_report *r = &f->report;
  const char *form = form_name[f->form];
  double value[N];
  ms_identify_modal_values(m, value);
  ms_result_put_row(models, f->mode + 1.0, form, m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi,
                    m->beta, r->rms_ln_zeta, r->rms_omega, (double)r->n_used, r->remarks,
                    (double)f->left_out, r->condition);
  for (int i = 0; i < N; i++) {
    const double *c = r->correlation + N * i;
    ms_result_put_row(correlation, f->mode + 1.0, form, ms_identify_modal_name(i), value[i],
                      r->standard_error[i], ms_identify_modal_unit(i), (double)r->determined[i],
                      c[MS_MODAL_K_INF], c[MS_MODAL_ZETA_0], c[MS_MODAL_F_S], c[MS_MODAL_K_T],
                      c[MS_MODAL_CHI], c[MS_MODAL_BETA]);
  }
}

static void set_fit(ms_result *result, const ms_fitted *f) {
  const ms_modal_fit_report *r = &f->report;
  double value[N];
  ms_identify_modal_values(&f->model, value);
  ms_result_begin(result, NULL);
  ms_result_set_values(result, "mode:count,form:word", (double)(f->mode + 1), form_name[f->form]);
  for (int i = 0; i < N; i++) {
    ms_result_set_number(result, ms_identify_modal_name(i), ms_identify_modal_unit(i), value[i]);
  }
  ms_result_set_values(result, "rms_ln_zeta,rms_omega [rad/s]", r->rms_ln_zeta, r->rms_omega);
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
  ms_result_set_values(result, "points:count,points_left_out:count,remarks:word", (double)r->n_used,
                       (double)f->left_out, r->remarks);
  ms_result_end(result);
}

/* ---- report ---- */

/* The closed form of a fit over the amplitudes of its points. */
static ms_status add_curve(ms_study *s, const ms_task *task, const ms_fitted *fit,
                           ms_result_table *curves) {
  double q[CURVE], omega[CURVE], zeta[CURVE];
  ms_points points = { 0 };
  MS_TRY(ms_curves_gather(s->ctx, ms_fits_source(task)->product, fit->mode, &points));
  ms_status status = ms_identify_modal_curve(s->ctx, &fit->model, fit->form, points.q[0],
                                             points.q[points.n - 1], CURVE, q, omega, zeta);
  ms_free(s->ctx, &points.q);
  for (int i = 0; i < CURVE && status == MS_SUCCESS; i++) {
    ms_result_put_row(curves, fit->mode + 1.0, form_name[fit->form], q[i], omega[i], zeta[i]);
  }
  return status;
}

/* Of the first mode its parameters, of a second the slip force and the exponent; and the misfit. */
static void answer(ms_result *result, const ms_fits *f) {
  static const char *const what[N] = {
    [MS_MODAL_K_INF] = "Modal stiffness when all joints slip",
    [MS_MODAL_ZETA_0] = "Damping without slip",
    [MS_MODAL_F_S] = "Modal slip force",
    [MS_MODAL_K_T] = "Modal stiffness of the stuck joints",
    [MS_MODAL_CHI] = "Exponent of the slider density",
    [MS_MODAL_BETA] = "Stiffness ratio at macroslip",
  };
  static const int order[] = { MS_MODAL_F_S, MS_MODAL_CHI, MS_MODAL_K_T, MS_MODAL_BETA,
                               MS_MODAL_ZETA_0 };
  const ms_fitted *worst = f->fit;
  int told = 0;
  for (int i = 0; i < f->n; i++) {
    const ms_fitted *fit = &f->fit[i];
    double value[N];
    if (fit->report.rms_ln_zeta > worst->report.rms_ln_zeta) worst = fit;
    if (i + 1 < f->n && fit[1].mode == fit->mode) continue; /* the continuous form goes first */
    ms_identify_modal_values(&fit->model, value);
    for (int k = 0; k < (told == 0 ? 5 : 2); k++) {
      const int p = order[k];
      const char *unit = ms_identify_modal_unit(p);
      ms_answer_add(result,
                    (ms_answer) { .symbol = ms_identify_modal_name(p),
                                  .unit = *unit ? unit : NULL,
                                  .value = value[p],
                                  .error = fit->report.standard_error[p],
                                  .weight = k < 2 && told < 2 ? MS_HEAD_FIT : MS_HEAD_FIT - 1 },
                    "%s, mode %d", what[p], fit->mode + 1);
    }
    told++;
  }
  ms_answer_percent(result, worst->report.rms_ln_zeta, MS_HEAD_FIT,
                    "Misfit of damping (rms), mode %d", worst->mode + 1);
}

static void show_trend(ms_result *result, const ms_fits *f) {
  const ms_fitted *worst = f->fit;
  char text[320];
  for (const ms_fitted *fit = f->fit; fit < f->fit + f->n; fit++)
    if (ms_modal_fit_serial(&fit->report) > ms_modal_fit_serial(&worst->report)) worst = fit;
  if (ms_modal_fit_serial_note(&worst->report, worst->mode, text, sizeof text))
    ms_result_warn(result, "%s", text);
  else
    ms_result_say(result, "%s", text);
}

static void show_fit(ms_result *result, const ms_fitted *fit, const ms_modal_fit_setting *setting) {
  char text[480];
  for (int i = 0; ms_modal_fit_note(&fit->report, fit->mode, form_words[fit->form], setting,
                                    fit->left_out, i, text, sizeof text);
       i++) {
    ms_result_say(result, "%s", text);
  }
  ms_result_warn_lines(result, fit->report.remarks);
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_fits *f = task->product;
  ms_result *result = task->result;
  const int printed = has_form(task->options, MS_MODAL_PRINTED);
  char words[500];
  snprintf(
      words, sizeof words, "%s%s",
      "The fit should pass through the points, and residuals (of the continuous form, where there "
      "is "
      "one) should scatter about zero. A systematic trend in the residuals means that the true "
      "parameter errors exceed the quoted standard errors. Where the points end before the damping "
      "has its maximum, the slip force is extrapolated.",
      printed ? " Form printed: the published (piecewise) one." : "");
  const ms_modes_view view = { "Fitted frequency and damping against amplitude", words,
                               ms_result_find_table(ms_fits_source(task)->result, ""),
                               MS_HEAD_FIT };
  const ms_modal_fit_setting setting = get_setting(task->options);
  int mode[MOST_DRAWN], n_mode = 0;
  ms_result_table *models = ms_result_new_table(
      task->result, "",
      "mode,form:word,K_inf [1/s^2],zeta_0,F_S [N/sqrt(kg)],K_T [1/s^2],chi,beta,rms_ln_zeta,"
      "rms_omega [rad/s],points,remarks:word,without_decay,condition");
  ms_result_table *correlation = ms_result_new_table(
      task->result, "_correlation",
      "mode,form:word,parameter:word,value [unit],standard_error [unit],unit:word,"
      "determined,K_inf,zeta_0,F_S,K_T,chi,beta");
  ms_result_table *curves = ms_result_new_table(task->result, "_curves",
                                                "mode,form:word,q [m sqrt(kg)],omega [rad/s],zeta");
  const ms_plot panel[] = {
    { .label = "data", .style = MS_SERIES_POINTS, .colour = -1, .points = 100, .columns = 2 },
    { .table = curves, .by = "form", .label = "fit, %s form", .residual_of = "data" },
  };
  ms_result_begin_list(result, "modes");
  for (int i = 0; i < f->n; i++) {
    add_fit(&f->fit[i], models, correlation);
    set_fit(result, &f->fit[i]);
    MS_TRY(add_curve(s, task, &f->fit[i], curves));
    if (n_mode < MOST_DRAWN && (i == 0 || f->fit[i].mode != f->fit[i - 1].mode))
      mode[n_mode++] = f->fit[i].mode;
  }
  ms_result_end(result);
  answer(result, f);
  ms_result_plot_modes(result, &view, mode, n_mode, 2, panel);
  ms_result_show_table(result, models,
                       printed
                           ? "Parameters of the modal models, one row for each fit. Form printed "
                             "is the published (piecewise) one"
                           : "Parameters of the modal models, one row for each fit");
  for (int i = 0; i < f->n; i++) show_fit(result, &f->fit[i], &setting);
  ms_result_show_table(result, correlation,
                       "Parameters with standard errors, and their correlation coefficients");
  show_trend(result, f);
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_fit_modal = {
  .name = "fit_modal",
  .title = "Modal Iwan models",
  .meaning =
      "The modal Iwan model (a unit mass on a spring, a dashpot and a four-parameter Iwan "
      "element) whose closed-form frequency and damping fit each mode's curves: as printed in "
      "the literature, points about macroslip left out, and in the continuous form.",
  MS_KEYS(keys, options, ms_fits),
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
