/* Modes from frequency responses of one reference: poles that come back from order to order, and
   the least squares that they begin,

     H_o(w) = (i w)^d (sum over r of A_or/(i w - l_r) + conj(A_or)/(i w - conj(l_r)) + L_o/w^2 +
   U_o),

   over frequencies and damping ratios; residues A and residual terms L, U are linear and follow
   from these (variable projection). s is over w of the middle of the band. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <microslip/fit.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "identify/modal/frf_poles.h"

enum { LEAST_LINES = 16, OUTSIDE = 4 /* residual terms: w^-4 to w^2 */ };

void ms_frf_fit_default(ms_frf_fit_settings *settings, size_t size) {
  ms_settings_fill(&(ms_frf_fit_settings)MS_FRF_FIT_DEFAULT, settings, size);
}

void ms_frf_fit_free(ms_context *ctx, ms_frf_fit *fit) {
  ms_free(ctx, &fit->mode);
  ms_free(ctx, &fit->shape);
  ms_free(ctx, &fit->error);
  ms_free(ctx, &fit->pole);
  *fit = (ms_frf_fit) { 0 };
}

/* ---- poles that come back ---- */

static int is_same(const ms_frf_pole *a, const ms_frf_pole *b, const ms_frf_fit_settings *s) {
  return fabs(a->freq_hz - b->freq_hz) < s->same_frequency * b->freq_hz &&
         fabs(a->zeta - b->zeta) < s->same_damping * b->zeta;
}

static void mark_stable(const ms_frf_fit_settings *s, ptrdiff_t n, ms_frf_pole *pole) {
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; k < i && !pole[i].stable; k++) {
      pole[i].stable = pole[k].order == pole[i].order - 1 && is_same(&pole[k], &pole[i], s);
    }
  }
}

/* Stable poles around one of them: how many, one of each order, and their means. */
static ptrdiff_t gather(const ms_frf_fit_settings *s, ptrdiff_t n, const ms_frf_pole *pole,
                        const ms_frf_pole *about, ms_frf_mode *out) {
  ptrdiff_t count = 0, last = -1;
  double f = 0.0, zeta = 0.0;
  for (const ms_frf_pole *p = pole; p < pole + n; p++) {
    if (!p->stable || p->order == last || !is_same(p, about, s)) continue;
    f += p->freq_hz, zeta += p->zeta;
    last = p->order;
    count++;
  }
  *out = (ms_frf_mode) { .freq_hz = f / (double)count, .zeta = zeta / (double)count };
  return count;
}

static int compare_found(const void *a, const void *b) {
  const double x = ((const ms_frf_mode *)a)->found, y = ((const ms_frf_mode *)b)->found;
  return (x < y) - (x > y);
}

static int compare_frequency(const void *a, const void *b) {
  const double x = ((const ms_frf_mode *)a)->freq_hz, y = ((const ms_frf_mode *)b)->freq_hz;
  return (x > y) - (x < y);
}

/* The pole that most others are the same as, then of the rest, until none is found often enough. */
static ptrdiff_t choose(const ms_frf_fit_settings *s, ptrdiff_t n, ms_frf_pole *pole,
                        ptrdiff_t most, ms_frf_mode *mode) {
  const double orders = (double)(s->orders - 2);
  ptrdiff_t n_mode = 0;
  for (ptrdiff_t left = n; left > 0 && n_mode < most; left--) {
    ms_frf_mode best = { .found = 0.0 }, m;
    const ms_frf_pole *at = NULL;
    for (const ms_frf_pole *p = pole; p < pole + n; p++) {
      if (p->stable != 1) continue;
      m.found = 0.0;
      const ptrdiff_t count = gather(s, n, pole, p, &m);
      m.found = (double)count / orders;
      if (m.found > best.found) best = m, at = p;
    }
    if (!at || best.found < s->part) break;
    const ms_frf_pole about = *at;
    mode[n_mode++] = best;
    for (ms_frf_pole *p = pole; p < pole + n; p++) {
      if (p->stable == 1 && fabs(p->freq_hz / about.freq_hz - 1.0) < s->same_frequency)
        p->stable = 2; /* taken */
    }
  }
  for (ms_frf_pole *p = pole; p < pole + n; p++) p->stable = p->stable > 0;
  qsort(mode, (size_t)n_mode, sizeof *mode, compare_found);
  if (s->modes > 0 && n_mode > s->modes) n_mode = s->modes;
  qsort(mode, (size_t)n_mode, sizeof *mode, compare_frequency);
  return n_mode;
}

/* ---- least squares ---- */

typedef struct linear {
  const ms_frf_band *band;
  ptrdiff_t n_mode, columns, rows; /* rows of one sensor, real and imaginary parts */
  int derivative;
  double middle;               /* rad/s */
  double *X, *Q, *y, *residue; /* rows x columns twice; rows x sensors; columns x sensors */
} linear;

static void set_column(const linear *x, ptrdiff_t row, ptrdiff_t column, double complex value) {
  x->X[row + x->rows * column] = creal(value);
  x->X[row + 1 + x->rows * column] = cimag(value);
}

/* p: frequency (Hz) and damping ratio of every mode. */
static void fill_matrix(const linear *x, const double *p) {
  for (ptrdiff_t k = 0; k < x->band->n; k++) {
    const double complex s = (2.0 * MS_PI * I * x->band->freq_hz[k] + x->band->decay) / x->middle;
    const double complex d = cpow(s, x->derivative);
    for (ptrdiff_t r = 0; r < x->n_mode; r++) {
      const double size = 2.0 * MS_PI * p[2 * r] / x->middle, zeta = p[2 * r + 1];
      const double complex l = size * (-zeta + I * sqrt(1.0 - zeta * zeta));
      const double complex a = 1.0 / (s - l), b = 1.0 / (s - conj(l));
      set_column(x, 2 * k, 2 * r, d * (a + b));
      set_column(x, 2 * k, 2 * r + 1, d * I * (a - b));
    }
    for (int i = 0; i < OUTSIDE; i++)
      set_column(x, 2 * k, 2 * x->n_mode + i, d * cpow(s, 2 * i - 4));
  }
}

static void fill_responses(const linear *x) {
  for (ptrdiff_t o = 0; o < x->band->n_sensor; o++) {
    for (ptrdiff_t i = 0; i < x->rows; i++) {
      x->y[i + x->rows * o] = x->band->scale[o] * x->band->H[i + x->rows * o];
    }
  }
}

/* Residuals of all sensors, which may be NULL; residues. */
static ms_status solve(ms_context *ctx, const linear *x, const double *p, double *r) {
  const ptrdiff_t n = x->band->n_sensor;
  fill_matrix(x, p);
  fill_responses(x);
  memcpy(x->Q, x->X, (size_t)(x->rows * x->columns) * sizeof *x->Q);
  if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (int)x->rows, (int)x->columns, (int)n, x->Q,
                    (int)x->rows, x->y, (int)x->rows) != 0)
    return ms_fail(ctx, MS_NOT_CONVERGED, "two modes of the fit are the same");
  for (ptrdiff_t o = 0; o < n; o++) {
    memcpy(x->residue + x->columns * o, x->y + x->rows * o,
           (size_t)x->columns * sizeof *x->residue);
  }
  if (!r) return MS_SUCCESS;
  for (ptrdiff_t o = 0; o < n; o++) {
    for (ptrdiff_t i = 0; i < x->rows; i++) {
      double sum = -x->band->scale[o] * x->band->H[i + x->rows * o];
      for (ptrdiff_t c = 0; c < x->columns; c++)
        sum += x->X[i + x->rows * c] * x->residue[c + x->columns * o];
      r[i + x->rows * o] = sum;
    }
  }
  return MS_SUCCESS;
}

typedef struct problem {
  ms_context *ctx;
  const linear *x;
} problem;

static ms_status eval(void *user, const double *p, double *r, double *jac) {
  const problem *of = user;
  (void)jac; /* never asked for */
  return solve(of->ctx, of->x, p, r);
}

static void set_mode(const linear *x, ptrdiff_t r, const double *p, const double *error,
                     ms_frf_fit *out) {
  const ptrdiff_t n = out->n_sensor;
  ms_frf_mode *m = &out->mode[r];
  double complex square = 0.0;
  double sum = 0.0;
  m->freq_hz = p[2 * r], m->zeta = p[2 * r + 1];
  m->freq_error = error[2 * r], m->zeta_error = error[2 * r + 1];
  const double omega_d = 2.0 * MS_PI * m->freq_hz * sqrt(1.0 - m->zeta * m->zeta);
  for (ptrdiff_t o = 0; o < n; o++) {
    const double *A = x->residue + 2 * r + x->columns * o;
    const double complex v = 2.0 * I * omega_d * (A[0] + I * A[1]) / x->band->scale[o] /
                             pow(x->middle, x->derivative - 1);
    out->shape[2 * (o + n * r)] = creal(v), out->shape[2 * (o + n * r) + 1] = cimag(v);
    square += v * v;
    sum += creal(v) * creal(v) + cimag(v) * cimag(v);
  }
  m->collinearity = sum > 0.0 ? cabs(square) / sum : 0.0;
}

static ms_status refine(ms_context *ctx, const linear *x, double *p, ms_fit_parameter *bound,
                        double *r, ms_frf_fit *out) {
  const ptrdiff_t n = 2 * x->n_mode, m = x->rows * x->band->n_sensor;
  problem of = { ctx, x };
  const ms_fit_problem fit = { .n = n, .m = m, .parameter = bound, .eval = eval, .user = &of };
  ms_fit_judgement judgement = { 0 };
  ms_fit_local local;
  MS_TRY(ms_fit_from(ctx, &fit, NULL, p, &local));
  ms_status status = ms_fit_judge(ctx, &fit, NULL, p, &judgement);
  if (status == MS_SUCCESS) status = solve(ctx, x, p, r);
  for (ptrdiff_t k = 0; k < x->n_mode && status == MS_SUCCESS; k++) {
    set_mode(x, k, p, judgement.standard_error, out);
  }
  for (ptrdiff_t o = 0; o < out->n_sensor && status == MS_SUCCESS; o++) {
    double sum = 0.0; /* of responses whose rms is 1 */
    for (ptrdiff_t i = 0; i < x->rows; i++) sum += r[i + x->rows * o] * r[i + x->rows * o];
    out->error[o] = sqrt(sum / (double)x->band->n);
  }
  ms_fit_judgement_destroy(ctx, &judgement);
  return status;
}

static ms_status fit_band(ms_context *ctx, const ms_frf_band *b, int derivative, ms_frf_fit *out) {
  const ptrdiff_t n = out->n_mode, rows = 2 * b->n, columns = 2 * n + OUTSIDE;
  linear x = {
    b, n, columns, rows, derivative, MS_PI * (b->low + b->high), NULL, NULL, NULL, NULL
  };
  ms_fit_parameter *bound = NULL;
  double *p, *r;
  MS_TRY(ms_allocate(ctx, rows * (2 * columns + 2 * b->n_sensor) + columns * b->n_sensor + 2 * n,
                     sizeof *x.X, &x.X));
  x.Q = x.X + rows * columns, x.y = x.Q + rows * columns, r = x.y + rows * b->n_sensor;
  x.residue = r + rows * b->n_sensor, p = x.residue + columns * b->n_sensor;
  ms_status status = ms_allocate(ctx, 2 * n, sizeof *bound, &bound);
  for (ptrdiff_t k = 0; k < n && status == MS_SUCCESS; k++) {
    const double f = out->mode[k].freq_hz, zeta = out->mode[k].zeta;
    const double wide = fmax(3.0 * zeta, 0.01) * f;
    p[2 * k] = f, p[2 * k + 1] = zeta;
    bound[2 * k] = (ms_fit_parameter) { "frequency", f - wide, f + wide, 0, zeta * f };
    bound[2 * k + 1] =
        (ms_fit_parameter) { "damping", zeta / 30.0, fmin(30.0 * zeta, 0.9), 1, 0.0 };
  }
  if (status == MS_SUCCESS) status = refine(ctx, &x, p, bound, r, out);
  ms_free(ctx, &bound);
  ms_free(ctx, &x.X);
  return status;
}

/* ---- the whole ---- */

static ms_status check(ms_context *ctx, const ms_frf_set *set, const ms_frf_fit_settings *s,
                       ptrdiff_t *first, ptrdiff_t *n) {
  if (set->n_sensor < 1 || !(set->decay >= 0.0) || set->derivative < 0 || set->derivative > 2)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "frequency responses of a sensor, of displacement, "
                   "velocity or acceleration over force, are needed");
  if (s->orders < 4) return ms_fail(ctx, MS_ERR_BOUNDS, "orders = %td must be >= 4", s->orders);
  for (ptrdiff_t k = 1; k < set->n_line; k++) {
    if (set->freq_hz[k] > set->freq_hz[k - 1]) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT, "line %td at %g Hz is not above the one before", k + 1,
                   set->freq_hz[k]);
  }
  *first = 0;
  while (*first < set->n_line && !(set->freq_hz[*first] >= s->low && set->freq_hz[*first] > 0.0))
    ++*first;
  for (*n = 0; *first + *n < set->n_line && set->freq_hz[*first + *n] <= s->high;) ++*n;
  if (*n < LEAST_LINES)
    return ms_fail(ctx, MS_ERR_BOUNDS, "%td lines from %g to %g Hz; a fit needs %d", *n, s->low,
                   s->high, (int)LEAST_LINES);
  for (ptrdiff_t q = 0; q < 2 * *n * set->n_sensor; q++) {
    const ptrdiff_t o = q / (2 * *n), at = 2 * (*first + set->n_line * o) + q % (2 * *n);
    if (!isfinite(set->H[at]))
      return ms_fail(ctx, MS_ERR_NUMERIC, "the response of sensor %td at %g Hz is %g", o + 1,
                     set->freq_hz[*first + q % (2 * *n) / 2], set->H[at]);
  }
  return MS_SUCCESS;
}

/* H of the band, one sensor after the other, and 1 over the rms of each. */
static void take_band(const ms_frf_set *set, ptrdiff_t first, ptrdiff_t n, double *H,
                      double *scale) {
  for (ptrdiff_t o = 0; o < set->n_sensor; o++) {
    double sum = 0.0;
    memcpy(H + 2 * n * o, set->H + 2 * (first + set->n_line * o), (size_t)(2 * n) * sizeof *H);
    for (ptrdiff_t i = 0; i < 2 * n; i++) sum += H[i + 2 * n * o] * H[i + 2 * n * o];
    scale[o] = sum > 0.0 ? sqrt((double)n / sum) : 0.0;
  }
}

static ms_status find_modes(ms_context *ctx, const ms_frf_band *b, const ms_frf_fit_settings *s,
                            int derivative, ms_frf_fit *out) {
  const ptrdiff_t most = b->n / 8;
  MS_TRY(ms_frf_find_poles(ctx, b, s->orders, &out->n_pole, &out->pole));
  mark_stable(s, out->n_pole, out->pole);
  MS_TRY(ms_allocate(ctx, most, sizeof *out->mode, &out->mode));
  out->n_mode = choose(s, out->n_pole, out->pole, most, out->mode);
  if (out->n_mode == 0)
    return ms_fail(ctx, MS_NOT_CONVERGED, "no mode from %g to %g Hz comes back from order to order",
                   b->low, b->high);
  MS_TRY(ms_allocate(ctx, 2 * out->n_mode * b->n_sensor, sizeof *out->shape, &out->shape));
  MS_TRY(ms_allocate(ctx, b->n_sensor, sizeof *out->error, &out->error));
  return fit_band(ctx, b, derivative, out);
}

ms_status ms_frf_fit_modes(ms_context *ctx, const ms_frf_set *set,
                           const ms_frf_fit_settings *settings, ms_frf_fit *out) {
  ms_frf_fit_settings own = MS_FRF_FIT_DEFAULT;
  ptrdiff_t first = 0, n = 0;
  double *H = NULL;
  MS_NEED(ctx, ctx && set && out);
  *out = (ms_frf_fit) { .n_sensor = set->n_sensor };
  MS_TAKE(ctx, ms_frf_fit_default, settings, own);
  MS_TRY(check(ctx, set, settings, &first, &n));
  if (own.orders > n / 4) own.orders = n / 4; /* settings is own */
  MS_TRY(ms_allocate(ctx, (2 * n + 1) * set->n_sensor, sizeof *H, &H));
  double *scale = H + 2 * n * set->n_sensor;
  take_band(set, first, n, H, scale);
  const ms_frf_band b = { .n = n,
                          .n_sensor = set->n_sensor,
                          .low = set->freq_hz[first],
                          .high = set->freq_hz[first + n - 1],
                          .decay = set->decay,
                          .freq_hz = set->freq_hz + first,
                          .H = H,
                          .scale = scale };
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t o = 0; o < set->n_sensor && status == MS_SUCCESS; o++) {
    if (!(scale[o] > 0.0))
      status = ms_fail(ctx, MS_ERR_NUMERIC, "the response of sensor %td is zero", o + 1);
  }
  if (status == MS_SUCCESS) status = find_modes(ctx, &b, settings, set->derivative, out);
  ms_free(ctx, &H);
  return status;
}

void ms_frf_fit_eval(const ms_frf_fit *fit, ptrdiff_t sensor, int derivative, double freq_hz,
                     double H[2]) {
  const double omega = 2.0 * MS_PI * freq_hz;
  double complex sum = 0.0;
  for (ptrdiff_t r = 0; r < fit->n_mode; r++) {
    const ms_frf_mode *m = &fit->mode[r];
    const double size = 2.0 * MS_PI * m->freq_hz, damped = size * sqrt(1.0 - m->zeta * m->zeta);
    const double *v = fit->shape + 2 * (sensor + fit->n_sensor * r);
    const double complex l = -m->zeta * size + I * damped;
    const double complex A = (v[0] + I * v[1]) / (2.0 * I * damped);
    sum += A / (I * omega - l) + conj(A) / (I * omega - conj(l));
  }
  sum *= cpow(I * omega, derivative);
  H[0] = creal(sum), H[1] = cimag(sum);
}

/* Turned by the phase that leaves least imaginary parts: half that of sum v^2. */
ms_status ms_frf_fit_real_shapes(ms_context *ctx, const ms_frf_fit *fit, ptrdiff_t drive,
                                 double *shape) {
  const ptrdiff_t n = fit->n_sensor;
  for (ptrdiff_t r = 0; r < fit->n_mode; r++) {
    const double *v = fit->shape + 2 * n * r;
    double complex square = 0.0;
    double size = 0.0;
    for (ptrdiff_t o = 0; o < n; o++) {
      const double complex x = v[2 * o] + I * v[2 * o + 1];
      square += x * x;
    }
    const double complex turn = drive < 0 ? cexp(-0.5 * I * carg(square)) : 1.0;
    for (ptrdiff_t o = 0; o < n; o++) {
      shape[o + n * r] = creal((v[2 * o] + I * v[2 * o + 1]) * turn);
      if (fabs(shape[o + n * r]) > fabs(size)) size = shape[o + n * r];
    }
    if (drive >= 0) {
      size = shape[drive + n * r];
      if (!(size > 0.0))
        return ms_fail(ctx, MS_ERR_NUMERIC,
                       "mode %td at %g Hz: the response at the force begins against it; is it the "
                       "sensor at the force, in its direction?",
                       r + 1, fit->mode[r].freq_hz);
      size = sqrt(size);
    }
    for (ptrdiff_t o = 0; o < n; o++) shape[o + n * r] /= size;
  }
  return MS_SUCCESS;
}
