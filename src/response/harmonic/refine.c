/* One point of a curve again and again with more harmonics, until it stops moving. */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

enum {
  MORE = 2,
  TIMES_FOR_EACH = 32
}; /* harmonics added at a time; time points for each at least */

/* The same loads with H harmonics: those above are new and empty. */
static ms_status clone(const ms_harmonic *h, int harmonics, ms_harmonic **out) {
  ms_harmonic_setting setting = h->setting;
  setting.harmonics = harmonics;
  if (setting.times < TIMES_FOR_EACH * (ptrdiff_t)harmonics) {
    setting.times = TIMES_FOR_EACH * (ptrdiff_t)harmonics;
  }
  MS_TRY(ms_harmonic_create(h->structure, &setting, out));
  memcpy((*out)->load, h->load, (size_t)(2 * h->m * (h->H + 1)) * sizeof *h->load);
  return MS_SUCCESS;
}

static ms_status solve(ms_harmonic *h, const ms_harmonic_point *p, int is_mode, const double *state,
                       ms_harmonic_curve **out) {
  double at = is_mode ? p->q : p->omega;
  ms_harmonic_range range = { .from = at, .to = at, .start = state };
  if (is_mode) return ms_harmonic_run_mode(h, p->mode, &range, out);
  return ms_harmonic_run_forced(h, &range, p->level, out);
}

static ms_status fill_row(ms_harmonic *h, const ms_harmonic_curve *curve, const double *weights,
                          ms_harmonic_row *row) {
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, 0);
  double *x;
  MS_TRY(ms_allocate(h->ctx, h->P, sizeof *x, &x));
  ms_status status = ms_harmonic_recover(h, curve, 0, weights, x);
  *row = (ms_harmonic_row) { .harmonics = (int)h->H,
                             .times = h->N,
                             .omega = p->omega,
                             .zeta = p->zeta,
                             .peak = ms_harmonic_peak((int)h->H, x, p->omega, 0),
                             .residual = p->residual };
  ms_free(h->ctx, &x);
  return status;
}

static ms_status refine_once(const ms_harmonic *h, const ms_harmonic_point *p, int is_mode,
                             const double *weights, int harmonics, double **state,
                             ms_harmonic_row *row) {
  ms_harmonic *fine = NULL;
  ms_harmonic_curve *curve = NULL;
  ms_status status = clone(h, harmonics, &fine);
  if (status == MS_SUCCESS) status = solve(fine, p, is_mode, *state, &curve);
  if (status == MS_SUCCESS) status = fill_row(fine, curve, weights, row);
  if (status == MS_SUCCESS) {
    status = ms_resize(h->ctx, ms_harmonic_save_size(curve), sizeof **state, state);
  }
  if (status == MS_SUCCESS) ms_harmonic_save(curve, 0, *state);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&fine);
  if (status == MS_SUCCESS) return status;
  return ms_fail_at(h->ctx, status, "%d harmonics", harmonics);
}

static ms_status refine(const ms_harmonic *h, const ms_harmonic_point *p, int is_mode,
                        const double *weights, double tolerance, ptrdiff_t rows, double **state,
                        ms_harmonic_row *row, ptrdiff_t *n_row) {
  for (int harmonics = (int)h->H; *n_row < rows; harmonics += MORE) {
    ms_harmonic_row *now = &row[*n_row];
    MS_TRY(refine_once(h, p, is_mode, weights, harmonics, state, now));
    now->change = *n_row > 0 ? fabs(now->peak / now[-1].peak - 1.0) : 0.0;
    if (++*n_row > 1 && now->change <= tolerance) return MS_SUCCESS;
  }
  return ms_fail(h->ctx, MS_NOT_CONVERGED,
                 "with %d harmonics the peak still moves by %.2g, more than %.2g",
                 row[rows - 1].harmonics, row[rows - 1].change, tolerance);
}

ms_status ms_harmonic_refine(const ms_harmonic *h, const ms_harmonic_curve *curve, ptrdiff_t i,
                             const double *weights, double tolerance, ptrdiff_t rows,
                             ms_harmonic_row *row, ptrdiff_t *n_row) {
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
  double *state;
  *n_row = 0;
  if (!p || rows < 2) {
    return ms_fail(h->ctx, MS_ERR_BOUNDS, "no point %td, or a table of less than two rows", i);
  }
  MS_TRY(ms_allocate(h->ctx, ms_harmonic_save_size(curve), sizeof *state, &state));
  ms_harmonic_save(curve, i, state);
  ms_status status = refine(h, p, curve->is_mode, weights, tolerance, rows, &state, row, n_row);
  ms_free(h->ctx, &state);
  return status;
}
