/* The whole way from tests of specimens to distributions and bands. */
#include <math.h>

#include "core/internal.h"
#include "identify/scatter/scatter.h"

enum { FORCES = 24, L = MS_SCATTER_LEVELS };
static const double levels[L] = { 0.05, 0.5, 0.95 };

static ms_status set_forces(ms_context *ctx, const ms_scatter_tests *t, ms_scatter_run_result *r) {
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    low = fmin(low, t->force[i]), high = fmax(high, t->force[i]);
  }
  r->n_force = high > low ? FORCES : 1;
  MS_TRY(ms_allocate(ctx, r->n_force, sizeof *r->force, &r->force));
  for (ptrdiff_t i = 0; i < r->n_force; i++) {
    r->force[i] = low * pow(high / low, (double)i / (double)(FORCES - 1));
  }
  r->force[r->n_force - 1] = high;
  return MS_SUCCESS;
}

static ms_status make_bands(ms_scatter *s, ptrdiff_t samples, uint64_t seed,
                            ms_scatter_run_result *r) {
  const double none[2] = { 0.0, 0.0 };
  double *p;
  MS_TRY(ms_allocate(s->ctx, s->n * samples, sizeof *p, &p));
  ms_scatter_predict(s, &r->found, samples, seed, p);
  ms_status status =
      ms_scatter_make_bands(s, samples, p, none, r->n_force, r->force, L, levels, seed, &r->joints);
  if (status == MS_SUCCESS) {
    status = ms_scatter_make_bands(s, samples, p, r->found.noise, r->n_force, r->force, L, levels,
                                   seed, &r->measured);
  }
  ms_free(s->ctx, &p);
  return status;
}

/* Straight between forces on logarithmic scales; level l. */
static double band_at(const ms_scatter_run_result *r, const double *band, int l, double force) {
  ptrdiff_t i = 0;
  if (r->n_force == 1) return band[l];
  while (i < r->n_force - 2 && r->force[i + 1] < force) i++;
  const double t = log(force / r->force[i]) / log(r->force[i + 1] / r->force[i]);
  const double *at = band + L * i + l;
  return at[0] * pow(at[L] / at[0], t);
}

static void count_inside(const ms_scatter_run_result *r, const ms_scatter_tests *t,
                         ptrdiff_t inside[2]) {
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const double value[2] = { t->stiffness[i], t->loss[i] };
    for (int k = 0; k < 2; k++) {
      const double *band = k ? r->measured.loss : r->measured.stiffness;
      inside[k] += value[k] >= band_at(r, band, 0, t->force[i]) &&
                   value[k] <= band_at(r, band, L - 1, t->force[i]);
    }
  }
}

ms_status ms_scatter_run(ms_scatter *s, const ms_scatter_tests *tests,
                         const ms_scatter_tests *fresh, const ms_scatter_setting *setting,
                         ptrdiff_t samples, ms_scatter_run_result *out) {
  ms_scatter_setting own = MS_SCATTER_DEFAULT;
  const ms_scatter_data data = ms_scatter_tests_view(tests);
  *out = (ms_scatter_run_result) { .n_force = 0 };
  MS_TAKE(s->ctx, ms_scatter_default, setting, own);
  MS_TRY(ms_scatter_identify(s, &data, setting, &out->found));
  MS_TRY(set_forces(s->ctx, tests, out));
  MS_TRY(make_bands(s, samples, setting->seed, out));
  count_inside(out, tests, out->inside);
  count_inside(out, fresh, out->fresh_inside);
  return MS_SUCCESS;
}

void ms_scatter_run_destroy(ms_context *ctx, ms_scatter_run_result *r) {
  ms_scatter_result_destroy(ctx, &r->found);
  ms_scatter_bands_destroy(ctx, &r->joints);
  ms_scatter_bands_destroy(ctx, &r->measured);
  ms_free(ctx, &r->force);
}

/* ---- to be drawn ---- */

void ms_scatter_draw_outline(const ms_scatter_result *r, ptrdiff_t i, ms_scatter_outline *out) {
  const ms_distribution *d = &r->distribution[i];
  const ptrdiff_t N = r->n_specimen;
  const int bins = (int)fmin(ceil(2.0 * cbrt((double)N)) + 2.0, MS_SCATTER_BINS);
  double low = ms_distribution_quantile(d, 0.002), high = ms_distribution_quantile(d, 0.998);
  double height[MS_SCATTER_BINS] = { 0.0 };
  for (ptrdiff_t k = 0; k < N; k++) {
    low = fmin(low, r->p[i + r->n * k]), high = fmax(high, r->p[i + r->n * k]);
  }
  const double width = (high - low) / bins;
  for (ptrdiff_t k = 0; k < N; k++) {
    const int bin = (int)floor((r->p[i + r->n * k] - low) / width);
    if (bin >= 0 && bin < bins) height[bin] += 1.0 / ((double)N * width);
  }
  out->n_bar = 0;
  for (int b = 0; b < 4 * bins; b++) { /* up, along, down */
    out->bar_x[out->n_bar] = low + (b / 4 + (b % 4 > 1)) * width;
    out->bar_y[out->n_bar++] = b % 4 == 1 || b % 4 == 2 ? height[b / 4] : 0.0;
  }
  for (int k = 0; k < MS_SCATTER_CURVE; k++) {
    out->x[k] = low + (high - low) * (k + 0.5) / MS_SCATTER_CURVE;
    out->density[k] = exp(ms_distribution_log_density(d, out->x[k]));
  }
}
