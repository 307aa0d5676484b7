/* How frequencies and shapes change with the model's numbers, from how its matrices do.

   K, M    stiffness with every joint stuck, mass; K' and M' their derivatives by a number p
   phi_r   mode r, phi_r^T M phi_r = 1, lambda_r = omega_r^2
   y       K' phi_r - lambda_r M' phi_r

     lambda_r' = phi_r^T y
     phi_r'    = sum over q != r of phi_q (phi_q^T y)/(lambda_r - lambda_q) + (a multiple of phi_r)

   Only the direction of a shape is compared, so the multiple does not matter. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "identify/tolerance.h"
#include "identify/update/update.h"

typedef struct slopes {
  ms_updating *u;
  ms_modes modes;
  double *dK, *dM, *scratch, *y, *phi_p, *b_p; /* y, phi_p: n; b_p: n_sensor */
} slopes;

/* ---- K' and M' ---- */

static ms_status check_size(const ms_updating *u, const ms_structure *s, ptrdiff_t n) {
  if (ms_structure_get_size(s) == n) return MS_SUCCESS;
  return ms_fail(u->ctx, MS_ERR_ARGUMENT, "the model's coordinates change with its numbers");
}

/* A += factor B */
static void add(ptrdiff_t n, double factor, const double *B, double *A) {
  for (ptrdiff_t i = 0; i < n; i++) A[i] += factor * B[i];
}

static ms_status add_matrices(slopes *w, const double *p, double factor) {
  ptrdiff_t n = w->modes.n;
  ms_structure *s;
  MS_TRY(ms_updating_build(w->u, p, &s));
  ms_status status = check_size(w->u, s, n);
  if (status == MS_SUCCESS) {
    ms_structure_fill_stuck(s, w->scratch);
    add(n * n, factor, w->scratch, w->dK);
    add(n * n, factor, ms_structure_get_mass(s), w->dM);
  }
  ms_structure_destroy(&s);
  return status;
}

/* Both sides of p[j] where the bounds allow. */
static ms_status difference(slopes *w, const double *p, ptrdiff_t j, double *moved) {
  const ms_fit_parameter *q = &w->u->model.parameter[j];
  ptrdiff_t n = w->modes.n;
  double h = ms_identify_tol.matrix_step * (p[j] != 0.0 ? fabs(p[j]) : q->upper - q->lower);
  double low = fmax(p[j] - h, q->lower), high = fmin(p[j] + h, q->upper);
  memcpy(moved, p, (size_t)w->u->model.n * sizeof *p);
  memset(w->dK, 0, (size_t)(n * n) * sizeof *w->dK);
  memset(w->dM, 0, (size_t)(n * n) * sizeof *w->dM);
  moved[j] = high;
  MS_TRY(add_matrices(w, moved, 1.0 / (high - low)));
  moved[j] = low;
  return add_matrices(w, moved, -1.0 / (high - low));
}

/* ---- modes ---- */

static void push_mode(slopes *w, ptrdiff_t r) {
  ptrdiff_t n = w->modes.n;
  double lambda = w->modes.omega[r] * w->modes.omega[r];
  memset(w->y, 0, (size_t)n * sizeof *w->y);
  for (ptrdiff_t i = 0; i < n; i++) {
    double phi = w->modes.shape[i + n * r];
    for (ptrdiff_t k = 0; k < n; k++) {
      w->y[k] += (w->dK[k + n * i] - lambda * w->dM[k + n * i]) * phi;
    }
  }
}

static void turn_mode(slopes *w, ptrdiff_t r) {
  ptrdiff_t n = w->modes.n;
  const double *omega = w->modes.omega, lambda = omega[r] * omega[r];
  memset(w->phi_p, 0, (size_t)n * sizeof *w->phi_p);
  for (ptrdiff_t q = 0; q < n; q++) {
    double gap = lambda - omega[q] * omega[q];
    if (fabs(gap) <= ms_identify_tol.same_lambda * lambda) continue;
    const double *phi = w->modes.shape + n * q;
    add(n, ms_dot(n, phi, w->y) / gap, phi, w->phi_p);
  }
  for (ptrdiff_t i = 0; i < w->u->n_sensor; i++) w->b_p[i] = w->phi_p[w->u->at[i]];
}

/* c' b + c b', c' = (b'^T a)/(b^T b) - 2 c (b^T b')/(b^T b), for the part of a. */
static void turn_residuals(const slopes *w, ptrdiff_t k, const double *a, double c, double *out) {
  const ms_updating *u = w->u;
  ptrdiff_t n = u->n_sensor;
  const double *b = u->b + n * u->pair[k], unit = u->rms[k] * u->shape_deviation;
  double bb = ms_dot(n, b, b);
  double c_p = bb > 0.0 ? (ms_dot(n, w->b_p, a) - 2.0 * c * ms_dot(n, b, w->b_p)) / bb : 0.0;
  for (ptrdiff_t i = 0; i < n; i++) out[i] = (c_p * b[i] + c * w->b_p[i]) / unit;
}

static void fill_shape(slopes *w, ptrdiff_t k, double *column) {
  const ms_updating *u = w->u;
  ptrdiff_t at = u->n_sensor * k;
  double c[2];
  turn_mode(w, u->pair[k]);
  ms_updating_scale(u, k, u->b + u->n_sensor * u->pair[k], c);
  turn_residuals(w, k, u->re + at, c[0], column + u->n + at);
  if (!u->im) return;
  turn_residuals(w, k, u->im + at, c[1], column + u->n + u->n * u->n_sensor + at);
}

static void fill_column(slopes *w, double *column) {
  const ms_updating *u = w->u;
  for (ptrdiff_t k = 0; k < u->n; k++) {
    ptrdiff_t r = u->pair[k], n = w->modes.n;
    push_mode(w, r);
    double lambda_p = ms_dot(n, w->modes.shape + n * r, w->y);
    column[k] = lambda_p / (2.0 * w->modes.omega[r] * u->omega[k] * u->deviation[k]);
    if (u->shape_deviation > 0.0) fill_shape(w, k, column);
  }
}

ms_status ms_updating_fill_slopes(ms_updating *u, const ms_structure *s, const double *p,
                                  double *jac) {
  slopes w = { .u = u, .modes = ms_structure_get_stuck(s) };
  ptrdiff_t n = w.modes.n, m = ms_updating_count_residuals(u);
  ptrdiff_t need = 3 * n * n + 2 * n + u->n_sensor + u->model.n;
  if (need > u->scratch_capacity) MS_TRY(ms_resize(u->ctx, need, sizeof *u->scratch, &u->scratch));
  if (need > u->scratch_capacity) u->scratch_capacity = need;
  w.dK = u->scratch, w.dM = w.dK + n * n, w.scratch = w.dM + n * n;
  w.y = w.scratch + n * n, w.phi_p = w.y + n, w.b_p = w.phi_p + n;
  for (ptrdiff_t j = 0; j < u->model.n; j++) {
    MS_TRY(difference(&w, p, j, w.b_p + u->n_sensor));
    fill_column(&w, jac + m * j);
  }
  return MS_SUCCESS;
}
