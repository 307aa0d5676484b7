/* fit_modal: the modal Iwan model that reproduces a mode's curves. */
#include "study/analyses/fit_modal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ms_key keys[] = {
  { "name", "word", "of this analysis", 0 },
  { "law", "word", "iwan4, the only one", 0 },
  { "from", "word", "the analysis whose curves are fitted; the last modal_ringdown or ringdown",
    0 },
  { "form", "word", "printed, continuous or both (default)", 0 },
  { "leave_out", "list", "[low, high] times phi_max, printed form: [0.9, 30]", 0 },
};

static const char *const form_name[] = { "printed", "continuous" };

static void close_product(ms_study *s, ms_task *task) {
  ms_fits *f = task->product;
  ms_free(s->ctx, &f->fit);
  ms_free(s->ctx, &task->product);
}

static ms_status read_form(const ms_study *s, struct fy_node *node, int *forms) {
  const char *name;
  *forms = 3;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "form", &name));
  if (strcmp(name, "both") == 0) return MS_SUCCESS;
  for (int i = 0; i < 2; i++) {
    if (strcmp(name, form_name[i]) != 0) continue;
    *forms = 1 << i;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "form '%s' is none of printed, continuous, both",
                      name);
}

static ms_status read_window(const ms_study *s, struct fy_node *node, ms_modal_fit_setting *f) {
  double *window;
  ptrdiff_t n;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_numbers(&s->yaml, node, "leave_out", &window, &n));
  double low = window[0], high = n > 1 ? window[1] : 0.0;
  ms_free(s->ctx, &window);
  if (n != 2 || !(low > 0.0 && low <= 1.0 && high >= 1.0)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "leave_out is [low, high] with 0 < low <= 1 <= high, e.g. [0.9, 30]");
  }
  f->lo = low;
  f->hi = high;
  return MS_SUCCESS;
}

/* Curves come from simulated or measured ring-downs, whichever is named or came last. */
static ms_status find_source(ms_study *s, ms_task *task, const ms_task **out) {
  struct fy_node *from = ms_yaml_get(task->node, "from");
  const ms_task *measured;
  ms_status without = ms_study_find_task(s, task, from, "ringdown", &measured);
  ms_status status = ms_study_find_task(s, task, from, "modal_ringdown", out);
  if (without != MS_SUCCESS || (status == MS_SUCCESS && *out > measured)) return status;
  ms_context_clear_message(s->ctx);
  *out = measured;
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  static const ms_modal_fit_setting fit_default = MS_MODAL_FIT_DEFAULT;
  ms_fits *f;
  const char *law = "iwan4";
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *f, &f));
  task->product = f;
  f->setting = fit_default;
  struct fy_node *node = ms_yaml_get(task->node, "law");
  if (node) MS_TRY(ms_yaml_text(&s->yaml, node, "law", &law));
  if (strcmp(law, "iwan4") != 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "a modal model has law iwan4, not '%s'", law);
  }
  MS_TRY(read_form(s, ms_yaml_get(task->node, "form"), &f->forms));
  MS_TRY(read_window(s, ms_yaml_get(task->node, "leave_out"), &f->setting));
  return find_source(s, task, &f->from);
}

static int has_mode(const ms_curves *c, int mode) {
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode == mode && c->curve[i].decay->n > 0) return 1;
  }
  return 0;
}

static ms_status fit_mode(ms_study *s, ms_fits *f, const ms_curves *c, int mode, int form) {
  ms_points points;
  ms_fitted *fit = &f->fit[f->n];
  *fit = (ms_fitted) { .mode = mode, .form = (ms_modal_form)form };
  ms_modal_fit_setting setting = f->setting;
  setting.form = fit->form;
  MS_TRY(ms_curves_gather(s->ctx, c, mode, &points));
  ms_status status = ms_identify_fit_modal(s->ctx, points.n, points.q, points.omega, points.zeta,
                                           &setting, &fit->model, &fit->report);
  ms_free(s->ctx, &points.q);
  if (status != MS_SUCCESS)
    return ms_fail_at(s->ctx, status, "mode %d, %s form", mode + 1, form_name[form]);
  f->n++;
  return MS_SUCCESS;
}

static ms_status tabulate(ms_study *s, const ms_task *task, const ms_fits *f) {
  ms_sheet *sheet;
  MS_TRY(
      ms_sheet_create(s, task->name,
                      "mode,form:word,K_inf [1/s^2],zeta_0,F_S [N/sqrt(kg)],K_T [1/s^2],chi,beta,"
                      "rms_ln_zeta,rms_omega [rad/s],points,remarks:word",
                      &sheet));
  for (int i = 0; i < f->n; i++) {
    const ms_modal_iwan *m = &f->fit[i].model;
    const ms_modal_fit_report *r = &f->fit[i].report;
    MS_TRY(ms_sheet_add_row(s->ctx, sheet, f->fit[i].mode + 1.0, form_name[f->fit[i].form],
                            m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta, r->rms_ln_zeta,
                            r->rms_omega, (double)r->n_used, r->remarks));
  }
  return MS_SUCCESS;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_fits *f = task->product;
  const ms_curves *c = f->from->product;
  int n = (int)ms_structure_get_size(s->structure);
  MS_TRY(ms_allocate(s->ctx, 2 * n, sizeof *f->fit, &f->fit));
  for (int mode = 0; mode < n; mode++) {
    if (!has_mode(c, mode)) continue;
    for (int form = 0; form < 2; form++) {
      if (f->forms & (1 << form)) MS_TRY(fit_mode(s, f, c, mode, form));
    }
  }
  return tabulate(s, task, f);
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_fits *f = task->product;
  (void)s;
  ms_json_begin_array(json, "modes");
  for (int i = 0; i < f->n; i++) {
    const ms_modal_iwan *m = &f->fit[i].model;
    ms_json_begin_object(json, NULL);
    ms_json_add_integer(json, "mode", f->fit[i].mode + 1);
    ms_json_add_text(json, "form", form_name[f->fit[i].form]);
    ms_json_add_number(json, "K_inf", m->K_inf);
    ms_json_add_number(json, "zeta_0", m->zeta_0);
    ms_json_add_number(json, "F_S", m->F_S);
    ms_json_add_number(json, "K_T", m->K_T);
    ms_json_add_number(json, "chi", m->chi);
    ms_json_add_number(json, "beta", m->beta);
    ms_json_add_number(json, "rms_ln_zeta", f->fit[i].report.rms_ln_zeta);
    ms_json_add_number(json, "rms_omega", f->fit[i].report.rms_omega);
    ms_json_add_numbers(json, "standard_error", f->fit[i].report.standard_error, MS_MODAL_N);
    ms_json_add_text(json, "remarks", f->fit[i].report.remarks);
    ms_json_end(json);
  }
  ms_json_end(json);
}

const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form) {
  for (int i = 0; i < fits->n; i++) {
    if (fits->fit[i].mode == mode && fits->fit[i].form == form) return &fits->fit[i];
  }
  return NULL;
}

ms_status ms_fitted_curve(ms_context *ctx, const ms_fitted *fit, double low, double high,
                          ms_points *out) {
  enum { N = 300 };
  *out = (ms_points) { .n = N };
  MS_TRY(ms_allocate(ctx, 3 * N, sizeof *out->q, &out->q));
  out->omega = out->q + N;
  out->zeta = out->q + 2 * N;
  for (int i = 0; i < N; i++) {
    out->q[i] = low * pow(high / low, (double)i / (N - 1));
    MS_TRY(ms_identify_eval_modal(ctx, &fit->model, fit->form, out->q[i], &out->omega[i],
                                  &out->zeta[i], NULL));
  }
  return MS_SUCCESS;
}

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

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_fits *f = task->product;
  for (int i = 0; i < f->n; i++) {
    if (i > 0 && f->fit[i].mode == f->fit[i - 1].mode) continue;
    MS_TRY(report_mode(s, f, page, f->fit[i].mode));
  }
  for (int i = 0; i < s->n_sheet; i++) {
    if (strcmp(ms_sheet_name(s->sheet[i]), task->name) != 0) continue;
    MS_TRY(ms_sheet_add_to_page(s->ctx, s->sheet[i], "Fitted modal Iwan models", page));
  }
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_fit_modal = {
  .name = "fit_modal",
  .meaning =
      "The modal Iwan model (a unit mass on a spring, a dashpot and a four-parameter Iwan "
      "element) whose closed-form frequency and damping fit each mode's curves: as printed in "
      "the literature, points about macroslip left out, and in the continuous form.",
  .keys = keys,
  .n_keys = 5,
  .check = check,
  .run = run,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
