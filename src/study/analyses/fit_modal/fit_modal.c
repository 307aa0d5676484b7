/* fit_modal: the modal Iwan model that reproduces a mode's curves. */
#include "study/analyses/fit_modal/fit_modal.h"

#include <stdio.h>

#include "study/file/options.h"

typedef struct options {
  const char *from;
  ms_numbers leave_out;
  int law, form;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_CHOICE(options, law, "iwan4", MS_OPTIONAL, "of the modal models"),
  MS_WORD(options, from, MS_ELSE("the last of these"),
          "the `modal_ringdown`, `ringdown` or `hammer_test` whose curves are fitted"),
  MS_CHOICE(options, form, "both|printed|continuous", MS_OPTIONAL,
            "printed: the closed form of the literature, which jumps at macroslip; continuous: "
            "without the jump"),
  MS_NUMBERS(options, leave_out, "-", MS_POSITIVE, MS_ELSE("[0.9, 30]"),
             "[low, high], low <= 1 <= high: in the printed form, points between low and high "
             "times phi_max are left out"),
};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void close_product(ms_study *s, ms_task *task) {
  ms_fits *f = task->product;
  ms_free(s->ctx, &f->fit);
  ms_free(s->ctx, &task->product);
}

static ms_status set_window(const ms_study *s, struct fy_node *node, const ms_numbers *window,
                            ms_modal_fit_setting *f) {
  if (!node) return MS_SUCCESS;
  if (window->n != 2 || !(window->value[0] <= 1.0 && window->value[1] >= 1.0)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                        "leave_out is [low, high] with 0 < low <= 1 <= high, e.g. [0.9, 30]");
  }
  f->lo = window->value[0];
  f->hi = window->value[1];
  return MS_SUCCESS;
}

/* Curves come from simulated or measured ring-downs, whichever is named or came last. */
static ms_status find_source(ms_study *s, ms_task *task, const ms_task **out) {
  static const char *const kind[] = { "ringdown", "hammer_test", "modal_ringdown" };
  struct fy_node *from = ms_yaml_get(task->node, "from");
  const ms_task *last = NULL;
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 3; i++) {
    status = ms_study_find_task(s, task, from, kind[i], out);
    if (status == MS_SUCCESS && (!last || *out > last)) last = *out;
  }
  if (!last) return status;
  ms_context_clear_message(s->ctx);
  *out = last;
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  static const ms_modal_fit_setting fit_default = MS_MODAL_FIT_DEFAULT;
  static const int forms[] = { 3, 1 << MS_MODAL_PRINTED, 1 << MS_MODAL_CONTINUOUS };
  struct fy_node *window = ms_yaml_get(task->node, "leave_out");
  options o = { 0 };
  ms_fits *f;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *f, &f));
  task->product = f;
  f->setting = fit_default;
  ms_status status = ms_options_read_own(s, task, &o);
  if (status == MS_SUCCESS) status = set_window(s, window, &o.leave_out, &f->setting);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  MS_TRY(status);
  f->forms = forms[o.form];
  return find_source(s, task, &f->from);
}

static int has_mode(const ms_curves *c, int mode) {
  for (ptrdiff_t i = 0; i < c->n_curve; i++) {
    if (c->curve[i].mode == mode && c->curve[i].decay->n > 0) return 1;
  }
  return 0;
}

/* A mode that cannot be fitted costs no other its model. */
static ms_status miss_fit(ms_study *s, ms_task *task, const ms_fitted *fit, ms_status status) {
  char left[64] = "";
  if (fit->left_out > 0) {
    snprintf(left, sizeof left, ", %td points without decay left out", fit->left_out);
  }
  status = ms_fail_at(s->ctx, status, "mode %d, %s form%s", fit->mode + 1, ms_form_name[fit->form],
                      left);
  if (ms_task_ends_study(status)) return status;
  MS_TRY(ms_task_give_up(s, task, "%s", ms_context_message(s->ctx)));
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

static ms_status fit_mode(ms_study *s, ms_task *task, const ms_curves *c, int mode, int form) {
  ms_fits *f = task->product;
  ms_points points;
  ms_fitted *fit = &f->fit[f->n];
  *fit = (ms_fitted) { .mode = mode, .form = (ms_modal_form)form };
  ms_modal_fit_setting setting = f->setting;
  setting.form = fit->form;
  MS_TRY(ms_curves_gather(s->ctx, c, mode, &points));
  fit->left_out = ms_points_drop_undamped(&points);
  ms_status status = ms_identify_fit_modal(s->ctx, points.n, points.q, points.omega, points.zeta,
                                           &setting, &fit->model, &fit->report);
  ms_free(s->ctx, &points.q);
  if (status != MS_SUCCESS) return miss_fit(s, task, fit, status);
  f->n++;
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
      if (f->forms & (1 << form)) MS_TRY(fit_mode(s, task, c, mode, form));
    }
  }
  if (f->n == 0) {
    const char *why = ms_task_reason(task);
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%s: no mode could be fitted: %.400s", task->name,
                   why ? why : "there are no curves");
  }
  return MS_SUCCESS;
}

const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form) {
  for (int i = 0; i < fits->n; i++) {
    if (fits->fit[i].mode == mode && fits->fit[i].form == form) return &fits->fit[i];
  }
  return NULL;
}

static int needs(const ms_task *task, const ms_task *other) {
  return ((const ms_fits *)task->product)->from == other;
}

const ms_analysis ms_analysis_fit_modal = {
  .needs = needs,
  .name = "fit_modal",
  .meaning =
      "The modal Iwan model (a unit mass on a spring, a dashpot and a four-parameter Iwan "
      "element) whose closed-form frequency and damping fit each mode's curves: as printed in "
      "the literature, points about macroslip left out, and in the continuous form.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = ms_fits_judge,
  .result = ms_fits_fill_result,
  .close = close_product,
};
