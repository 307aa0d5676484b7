/* scatter: distributions of a joint's parameters from tests of many specimens. */
#include "study/analyses/scatter/scatter.h"

#include <math.h>

enum { FORCES = 24 };
static const double levels[MS_SCATTER_LEVELS] = { 0.05, 0.5, 0.95 };

static void close_product(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a = task->product;
  ms_scatter_result_destroy(s->ctx, &a->result);
  ms_scatter_bands_destroy(s->ctx, &a->bands);
  ms_scatter_bands_destroy(s->ctx, &a->measured);
  ms_test_table_free(s->ctx, &a->used.tests);
  ms_test_table_free(s->ctx, &a->fresh.tests);
  ms_free(s->ctx, &a->parameter);
  ms_free(s->ctx, &a->option);
  ms_free(s->ctx, &a->force);
  ms_free(s->ctx, &a->repeated);
  ms_free(s->ctx, &task->product);
}

static ms_status gather(ms_study *s, ms_test_source *source) {
  if (!source->from) return MS_SUCCESS;
  const ms_specimens_analysis *from = source->from->product;
  return ms_test_table_copy(s->ctx, &from->tests, &source->tests);
}

/* ---- bands ---- */

/* From the smallest to the largest force of all tests, in equal ratios. */
static ms_status set_forces(ms_study *s, ms_scatter_analysis *a) {
  const ms_test_table *t = &a->used.tests;
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    low = fmin(low, t->force[i]), high = fmax(high, t->force[i]);
  }
  a->n_force = high > low ? FORCES : 1;
  MS_TRY(ms_allocate(s->ctx, a->n_force, sizeof *a->force, &a->force));
  for (ptrdiff_t i = 0; i < a->n_force; i++) {
    a->force[i] = low * pow(high / low, (double)i / (double)(FORCES - 1));
  }
  a->force[a->n_force - 1] = high;
  return MS_SUCCESS;
}

static ms_status make_bands(ms_study *s, ms_scatter *on, ms_scatter_analysis *a) {
  const double none[2] = { 0.0, 0.0 };
  const uint64_t seed = a->setting.seed;
  double *p;
  MS_TRY(set_forces(s, a));
  MS_TRY(ms_allocate(s->ctx, a->n * a->samples, sizeof *p, &p));
  ms_scatter_predict(on, &a->result, a->samples, seed, p);
  ms_status status = ms_scatter_make_bands(on, a->samples, p, none, a->n_force, a->force,
                                           MS_SCATTER_LEVELS, levels, seed, &a->bands);
  if (status == MS_SUCCESS) {
    status = ms_scatter_make_bands(on, a->samples, p, a->result.noise, a->n_force, a->force,
                                   MS_SCATTER_LEVELS, levels, seed, &a->measured);
  }
  ms_free(s->ctx, &p);
  return status;
}

/* Straight between forces on logarithmic scales; level l. */
static double band_at(const ms_scatter_analysis *a, const double *band, int l, double force) {
  ptrdiff_t i = 0;
  if (a->n_force == 1) return band[l];
  while (i < a->n_force - 2 && a->force[i + 1] < force) i++;
  const double t = log(force / a->force[i]) / log(a->force[i + 1] / a->force[i]);
  const double *at = band + MS_SCATTER_LEVELS * i + l;
  return at[0] * pow(at[MS_SCATTER_LEVELS] / at[0], t);
}

static void count_inside(const ms_scatter_analysis *a, const ms_test_table *t,
                         ptrdiff_t inside[2]) {
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const double value[2] = { t->stiffness[i], t->loss[i] };
    for (int k = 0; k < 2; k++) {
      const double *band = k ? a->measured.loss : a->measured.stiffness;
      inside[k] += value[k] >= band_at(a, band, 0, t->force[i]) &&
                   value[k] <= band_at(a, band, MS_SCATTER_LEVELS - 1, t->force[i]);
    }
  }
}

/* ---- the run ---- */

static ms_status identify(ms_study *s, ms_scatter *on, ms_scatter_analysis *a) {
  const ms_scatter_data data = ms_test_table_view(&a->used.tests);
  MS_TRY(ms_scatter_identify(on, &data, &a->setting, &a->result));
  MS_TRY(make_bands(s, on, a));
  count_inside(a, &a->used.tests, a->inside);
  count_inside(a, &a->fresh.tests, a->fresh_inside);
  return MS_SUCCESS;
}

static ms_status find(ms_study *s, ms_scatter_analysis *a) {
  ms_scatter_model model = { 0 };
  MS_TRY(gather(s, &a->used));
  MS_TRY(gather(s, &a->fresh));
  ms_status status = ms_scatter_open_model(s->ctx, s->structure, a, &model);
  if (status == MS_SUCCESS) status = identify(s, model.on, a);
  ms_scatter_close_model(&model);
  return status;
}

static ms_status run(ms_study *s, ms_task *task) {
  ms_scatter_analysis *a = task->product;
  ms_status status = find(s, a);
  if (status != MS_SUCCESS) ms_fail_at(s->ctx, status, "%s", task->name);
  MS_TRY(ms_context_agree(s->ctx, status));
  MS_TRY(ms_scatter_repeat(s, task, a));
  return ms_scatter_tabulate(s, task, a);
}

/* The others wait for what is found, and share the repetitions. */
static ms_status help(ms_study *s, ms_task *task) {
  MS_TRY(ms_context_agree(s->ctx, MS_SUCCESS));
  return ms_scatter_repeat(s, task, task->product);
}

static int needs(const ms_task *task, const ms_task *other) {
  const ms_scatter_analysis *a = task->product;
  return a->used.from == other || a->fresh.from == other;
}

const ms_analysis ms_analysis_scatter = {
  .needs = needs,
  .name = "scatter",
  .meaning =
      "Distributions of a joint's parameters over repeated assemblies, from stiffness and "
      "dissipation against force of many specimens, by approximate maximum likelihood; "
      "bands of 5 to 95 % for new joints.",
  .keys = ms_scatter_keys,
  .n_keys = MS_SCATTER_KEYS,
  .check = ms_scatter_check,
  .run = run,
  .help = help,
  .summarise = ms_scatter_summarise,
  .report = ms_scatter_report,
  .close = close_product,
};
