/* Points of a ring-down: bins of amplitude, choice of points, residuals. */
#include <math.h>
#include <string.h>

#include "identify/modal/fit.h"

/* The bin of equal width in ln q that a point falls into; bins may be empty. */
static double cell_of(const ms_modal_point *p, ptrdiff_t i, double ln_q_0, double per_decade) {
  const double ln_10 = 2.302585092994045684;
  return per_decade > 0.0 ? floor(per_decade * (p->ln_q - ln_q_0) / ln_10) : (double)i;
}

void ms_modal_points_bin(ms_modal_points *points, double ln_q_0, double per_decade) {
  ms_modal_point *at = points->at;
  points->n_bin = 0;
  for (ptrdiff_t i = 0, end; i < points->n; i = end) {
    double cell = cell_of(&at[i], i, ln_q_0, per_decade);
    end = i + 1;
    while (end < points->n && cell_of(&at[end], end, ln_q_0, per_decade) == cell) end++;
    for (ptrdiff_t j = i; j < end; j++) {
      at[j].bin = points->n_bin;
      at[j].share = 1.0 / (double)(end - i);
    }
    points->n_bin++;
  }
}

void ms_modal_points_coarsen(const ms_modal_points *from, ms_modal_points *to) {
  to->n = to->n_bin = from->n_bin;
  to->omega_scale = from->omega_scale;
  for (ptrdiff_t b = 0; b < to->n; b++) to->at[b] = (ms_modal_point) { .share = 1.0, .bin = b };
  for (ptrdiff_t i = 0; i < from->n; i++) {
    const ms_modal_point *p = &from->at[i];
    ms_modal_point *mean = &to->at[p->bin];
    mean->ln_q += p->share * p->ln_q;
    mean->omega += p->share * p->omega;
    mean->ln_zeta += p->share * p->ln_zeta;
    mean->far = p->far;
  }
}

void ms_modal_points_select(const ms_modal_points *from, double ln_lo, double ln_hi,
                            ms_modal_points *to) {
  to->n = 0;
  to->omega_scale = from->omega_scale;
  for (ptrdiff_t i = 0; i < from->n; i++) {
    const ms_modal_point *p = &from->at[i];
    if (p->ln_q >= ln_lo && p->ln_q <= ln_hi) continue;
    to->at[to->n] = *p;
    to->at[to->n++].far = p->ln_q > ln_hi;
  }
}

void ms_modal_residual(const ms_modal_points *points, const double x[MS_MODAL_N], int n_free,
                       const int *free, double *r, double *jac) {
  ptrdiff_t n_bin = points->n_bin, m = 2 * n_bin;
  ms_modal_shape shape = ms_modal_shape_at(x);
  memset(r, 0, (size_t)m * sizeof *r);
  if (jac) memset(jac, 0, (size_t)(m * n_free) * sizeof *jac);
  for (ptrdiff_t i = 0; i < points->n; i++) {
    const ms_modal_point *p = &points->at[i];
    ms_modal_value v;
    ms_modal_eval(&shape, p->far, p->ln_q, jac != NULL, &v);
    double weight = p->share / points->omega_scale;
    r[p->bin] += p->share * (p->ln_zeta - log(v.zeta));
    r[p->bin + n_bin] += weight * (p->omega - v.omega);
    for (int k = 0; jac && k < n_free; k++) {
      int j = free[k];
      if (x[j] < ms_fit_lower[j] || x[j] > ms_fit_upper[j]) continue; /* the value stands still */
      jac[p->bin + m * k] -= p->share * v.d_ln_zeta[j];
      jac[p->bin + n_bin + m * k] -= weight * v.omega * v.d_ln_omega[j];
    }
  }
}
