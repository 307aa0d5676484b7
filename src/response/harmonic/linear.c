/* The linear structure as its joints see it at a harmonic: modal sums, or one dense solution for a
   damping matrix that the modes do not diagonalise. impl.h has the equations.

   With Y = A^-1 (Gamma, p, -A_master) over the modes without the master, and Y = 1 at the master in
   the last column only, for both kinds of damping

     G = Gamma^T Y_G,  h = Gamma^T Y_p,  e = Gamma^T Y_e,  a = Y_e^T A Y_e,  b = Y_e^T p,

   and, A being symmetric, derivatives need no other solution:

     dG = -Y_G^T dA Y_G,  dh = -Y_G^T dA Y_p,  de = -Y_G^T dA Y_e,  da = Y_e^T dA Y_e,
     db = -Y_e^T dA Y_p.  */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/harmonic/impl.h"

enum { SMALL = 150 }; /* systems that LAPACK's threads would wait for each other over */

/* ---- life ---- */

static ms_status open_gains(ms_harmonic *h) {
  const ptrdiff_t n = h->n + 1, one = 2 * (n * n + 2 * n), count = N_GAIN * (h->H + 1);
  MS_TRY(ms_allocate(h->ctx, count, sizeof *h->gain, &h->gain));
  MS_TRY(ms_allocate(h->ctx, count * one, sizeof *h->store, &h->store));
  for (ptrdiff_t i = 0; i < count; i++) {
    double *at = h->store + one * i;
    h->gain[i] = (ms_harmonic_gain) { .G = at, .h = at + 2 * n * n, .e = at + 2 * n * n + 2 * n };
  }
  return MS_SUCCESS;
}

ms_status ms_linear_open(ms_harmonic *h) {
  const ptrdiff_t m = h->m, wide = h->n + 3;
  MS_TRY(ms_allocate(h->ctx, m * (h->n + 1), sizeof *h->gamma, &h->gamma));
  memcpy(h->gamma, h->modal.gamma, (size_t)(m * h->n) * sizeof *h->gamma);
  MS_TRY(ms_allocate(h->ctx, 2 * m * (h->H + 1), sizeof *h->load, &h->load));
  MS_TRY(ms_allocate(h->ctx, 2 * N_GAIN * m, sizeof *h->weight, &h->weight));
  if (h->modal.damping_full) {
    MS_TRY(ms_allocate(h->ctx, 2 * m * (m + 2 * wide), sizeof *h->dense, &h->dense));
    MS_TRY(ms_allocate(h->ctx, m, sizeof *h->pivot, &h->pivot));
  }
  return open_gains(h);
}

void ms_linear_close(ms_harmonic *h) {
  double **part[] = { &h->gamma, &h->load, &h->store, &h->weight, &h->dense };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(h->ctx, part[i]);
  ms_free(h->ctx, &h->pivot);
  ms_free(h->ctx, &h->gain);
}

/* ---- A ---- */

/* A = omega^2 - k^2 Omega^2 + i k Omega (c - 2 zeta Omega) of one mode and its derivatives. */
static void fill_A(double omega, double c, double k, double Omega, double zeta,
                   double A[N_GAIN][2]) {
  A[GAIN_VALUE][0] = omega * omega - k * k * Omega * Omega;
  A[GAIN_VALUE][1] = k * Omega * (c - 2.0 * zeta * Omega);
  A[GAIN_OMEGA][0] = -2.0 * k * k * Omega;
  A[GAIN_OMEGA][1] = k * (c - 4.0 * zeta * Omega);
  A[GAIN_ZETA][0] = 0.0;
  A[GAIN_ZETA][1] = -2.0 * k * Omega * Omega;
}

/* omega of mode r at harmonic k. */
static double frequency_of(const ms_harmonic *h, ptrdiff_t k, ptrdiff_t r) {
  const double w = h->modal.omega[r], own = h->modal.omega[h->master],
               apart = h->setting.tol.modes_apart;
  if (!h->apart || k != 1 || r == h->master) return w;
  return fabs(w * w - own * own) < apart * own * own ? own * sqrt(1.0 + apart) : w;
}

static int is_left_out(const ms_harmonic *h, ptrdiff_t k, ptrdiff_t r) {
  if (k == 1 && r == h->master) return 1;
  return k == 0 && h->modal.omega[r] == 0.0; /* its mean is free, and no joint feels it */
}

static ms_status fail_resonance(const ms_harmonic *h, ptrdiff_t k, double Omega) {
  return ms_fail(
      h->ctx, MS_NOT_CONVERGED,
      "harmonic %td of omega = %g rad/s meets the frequency of an undamped mode exactly; "
      "give the mode some damping or begin elsewhere",
      k, Omega);
}

static void master_part(ms_harmonic *h, double Omega, double zeta, int n_gain) {
  const ptrdiff_t m = h->m, r = h->master, n = h->n + 1;
  double A[N_GAIN][2];
  fill_A(h->modal.omega[r], h->modal.damping[r], 1.0, Omega, zeta, A);
  for (int d = 0; d < n_gain; d++) {
    ms_harmonic_gain *g = &h->gain[d * (h->H + 1) + 1];
    memcpy(g->a, A[d], sizeof g->a);
    g->b[0] = d == GAIN_VALUE ? h->load[2 * (r + m)] : 0.0;
    g->b[1] = d == GAIN_VALUE ? h->load[2 * (r + m) + 1] : 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
      g->e[2 * i] = d == GAIN_VALUE ? h->gamma[r + m * i] : 0.0;
      g->e[2 * i + 1] = 0.0;
    }
  }
}

/* ---- modal sums ---- */

/* weight := 1/A and its derivatives -A'/A^2, a row for each part. */
static ms_status fill_weights(ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, int n_gain) {
  const ptrdiff_t m = h->m;
  double A[N_GAIN][2], *w = h->weight;
  for (ptrdiff_t r = 0; r < m; r++) {
    double x = 0.0, y = 0.0;
    fill_A(frequency_of(h, k, r), h->modal.damping[r], (double)k, Omega, zeta, A);
    if (!is_left_out(h, k, r)) {
      double re = A[0][0], im = A[0][1], size = re * re + im * im;
      if (!(size > 0.0)) return fail_resonance(h, k, Omega);
      x = re / size, y = -im / size;
    }
    const double xx = x * x - y * y, xy = 2.0 * x * y;
    w[r] = x;
    w[r + m] = y;
    for (int d = 1; d < n_gain; d++) {
      w[r + m * (2 * d)] = -(xx * A[d][0] - xy * A[d][1]);
      w[r + m * (2 * d + 1)] = -(xx * A[d][1] + xy * A[d][0]);
    }
  }
  return MS_SUCCESS;
}

static double sum_two(ptrdiff_t m, const double *restrict a, const double *restrict b,
                      const double *restrict w) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (ptrdiff_t r = 0; r < m; r++) sum += a[r] * b[r] * w[r];
  return sum;
}

/* h = sum of gamma w p, p complex. */
static void sum_load(ptrdiff_t m, const double *restrict g, const double *restrict w,
                     const double *restrict p, double *out) {
  double re = 0.0, im = 0.0;
#pragma omp simd reduction(+ : re, im)
  for (ptrdiff_t r = 0; r < m; r++) {
    re += g[r] * (w[r] * p[2 * r] - w[r + m] * p[2 * r + 1]);
    im += g[r] * (w[r] * p[2 * r + 1] + w[r + m] * p[2 * r]);
  }
  out[0] = re, out[1] = im;
}

static void sum_modes(ms_harmonic *h, ptrdiff_t k, int n_gain) {
  const ptrdiff_t m = h->m, n = h->n + 1, used = h->n + (h->tracks && k == 1);
  for (int d = 0; d < n_gain; d++) {
    const double *w = h->weight + 2 * m * d;
    ms_harmonic_gain *g = &h->gain[d * (h->H + 1) + k];
    for (ptrdiff_t i = 0; i < used; i++) {
      const double *own = h->gamma + m * i;
      sum_load(m, own, w, h->load + 2 * m * k, g->h + 2 * i);
      for (ptrdiff_t j = 0; j <= i; j++) {
        for (int part = 0; part < 2; part++) {
          double sum = sum_two(m, own, h->gamma + m * j, w + m * part);
          g->G[2 * (i + n * j) + part] = g->G[2 * (j + n * i) + part] = sum;
        }
      }
    }
  }
}

/* ---- dense ---- */

/* A with the modes left out as rows of the unit matrix; the right-hand sides in Y. */
static void fill_dense(ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, double *A,
                       double *Y) {
  const ptrdiff_t m = h->m, n = h->n + 1, at_master = k == 1 ? h->master : -1;
  const double *C = h->modal.damping_full, kk = (double)k;
  memset(Y, 0, (size_t)(2 * m * (n + 2)) * sizeof *Y);
  for (ptrdiff_t r = 0; r < m; r++) {
    int out = is_left_out(h, k, r);
    for (ptrdiff_t s = 0; s < m; s++) {
      int cut = out || is_left_out(h, k, s);
      A[2 * (s + m * r)] = 0.0;
      A[2 * (s + m * r) + 1] = cut ? 0.0 : kk * Omega * C[s + m * r];
    }
    double w = frequency_of(h, k, r);
    A[2 * (r + m * r)] = out ? 1.0 : w * w - kk * kk * Omega * Omega;
    if (!out) A[2 * (r + m * r) + 1] -= 2.0 * kk * zeta * Omega * Omega;
    for (ptrdiff_t i = 0; i < n; i++) Y[2 * (r + m * i)] = out ? 0.0 : h->gamma[r + m * i];
    for (int part = 0; part < 2; part++) {
      Y[2 * (r + m * n) + part] = out ? 0.0 : h->load[2 * (r + m * k) + part];
    }
    if (r == at_master) Y[2 * (r + m * (n + 1))] = 1.0;
    if (at_master >= 0 && r != at_master) {
      Y[2 * (r + m * (n + 1)) + 1] = -kk * Omega * C[r + m * at_master];
    }
  }
}

/* B := (derivative of A) Y. */
static void apply_slope(ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, int d,
                        const double *Y, double *B) {
  const ptrdiff_t m = h->m, wide = h->n + 3;
  const double kk = (double)k;
  for (ptrdiff_t i = 0; i < wide; i++) {
    for (ptrdiff_t r = 0; r < m; r++) {
      const double *y = Y + 2 * (r + m * i);
      double re = 0.0, im = d == GAIN_OMEGA ? -4.0 * kk * zeta * Omega : -2.0 * kk * Omega * Omega;
      if (d == GAIN_OMEGA) re = -2.0 * kk * kk * Omega;
      double x = re * y[0] - im * y[1], z = re * y[1] + im * y[0];
      for (ptrdiff_t s = 0; d == GAIN_OMEGA && s < m; s++) {
        double c = kk * h->modal.damping_full[r + m * s];
        x -= c * Y[2 * (s + m * i) + 1];
        z += c * Y[2 * (s + m * i)];
      }
      B[2 * (r + m * i)] = x;
      B[2 * (r + m * i) + 1] = z;
    }
  }
}

/* factor * sum x y, complex without conjugation. */
static void dot(ptrdiff_t m, double factor, const double *x, const double *y, double *out) {
  double re = 0.0, im = 0.0;
  for (ptrdiff_t r = 0; r < m; r++) {
    re += x[2 * r] * y[2 * r] - x[2 * r + 1] * y[2 * r + 1];
    im += x[2 * r] * y[2 * r + 1] + x[2 * r + 1] * y[2 * r];
  }
  out[0] = factor * re, out[1] = factor * im;
}

static void gain_value(ms_harmonic *h, ptrdiff_t k, const double *Y) {
  const ptrdiff_t m = h->m, n = h->n + 1;
  ms_harmonic_gain *g = &h->gain[k];
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < n + 2; j++) {
      double re = 0.0, im = 0.0,
             *to = j < n    ? g->G + 2 * (i + n * j)
                   : j == n ? g->h + 2 * i
                            : g->e + 2 * i;
      for (ptrdiff_t r = 0; r < m; r++) {
        re += h->gamma[r + m * i] * Y[2 * (r + m * j)];
        im += h->gamma[r + m * i] * Y[2 * (r + m * j) + 1];
      }
      to[0] = re, to[1] = im;
    }
  }
}

static void gain_slope(ms_harmonic *h, ptrdiff_t k, int d, const double *Y, const double *B) {
  const ptrdiff_t m = h->m, n = h->n + 1, M = 2 * m;
  ms_harmonic_gain *g = &h->gain[d * (h->H + 1) + k];
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t j = 0; j < n; j++) dot(m, -1.0, Y + M * i, B + M * j, g->G + 2 * (i + n * j));
    dot(m, -1.0, Y + M * i, B + M * n, g->h + 2 * i);
    dot(m, -1.0, Y + M * i, B + M * (n + 1), g->e + 2 * i);
  }
  dot(m, 1.0, Y + M * (n + 1), B + M * (n + 1), g->a);
  dot(m, -1.0, Y + M * (n + 1), B + M * n, g->b);
}

/* a = Y_e^T A Y_e = A_mm + A_ms Y_e, b = Y_e^T p. */
static void dense_master(ms_harmonic *h, double Omega, double zeta, const double *Y) {
  const ptrdiff_t m = h->m, r = h->master;
  const double *e = Y + 2 * m * (h->n + 2), *C = h->modal.damping_full;
  ms_harmonic_gain *g = &h->gain[1];
  double A[N_GAIN][2];
  fill_A(h->modal.omega[r], C[r + m * r], 1.0, Omega, zeta, A);
  memcpy(g->a, A[GAIN_VALUE], sizeof g->a);
  for (ptrdiff_t s = 0; s < m; s++) {
    if (s == r) continue;
    g->a[0] -= Omega * C[s + m * r] * e[2 * s + 1];
    g->a[1] += Omega * C[s + m * r] * e[2 * s];
  }
  dot(m, 1.0, e, h->load + 2 * m, g->b);
}

static ms_status solve_dense(ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, double *A,
                             double *Y) {
  const lapack_int m = (lapack_int)h->m, wide = (lapack_int)h->n + 3;
  fill_dense(h, k, Omega, zeta, A, Y);
  int singular = m <= SMALL
                     ? ms_dense_solve_pairs(m, A, wide, Y)
                     : LAPACKE_zgesv(LAPACK_COL_MAJOR, m, wide, (lapack_complex_double *)(void *)A,
                                     m, h->pivot, (lapack_complex_double *)(void *)Y, m) != 0;
  if (!singular) return MS_SUCCESS;
  return fail_resonance(h, k, Omega);
}

/* ---- all harmonics ---- */

ms_status ms_linear_eval(ms_harmonic *h, double Omega, double zeta, int with_zeta) {
  const int n_gain = with_zeta ? N_GAIN : GAIN_ZETA;
  if (!(Omega > 0.0 && Omega < HUGE_VAL)) {
    return ms_fail(h->ctx, MS_NOT_CONVERGED, "the iteration left the positive frequencies");
  }
  for (ptrdiff_t k = 0; k <= h->H; k++) {
    if (h->modal.damping_full) {
      const ptrdiff_t m = h->m;
      double *A = h->dense, *B = A + 2 * m * m, *Y = B + 2 * m * (h->n + 3);
      MS_TRY(solve_dense(h, k, Omega, zeta, A, Y));
      gain_value(h, k, Y);
      if (k == 1) dense_master(h, Omega, zeta, Y);
      for (int d = 1; d < n_gain; d++) {
        apply_slope(h, k, Omega, zeta, d, Y, B);
        gain_slope(h, k, d, Y, B);
      }
      continue;
    }
    MS_TRY(fill_weights(h, k, Omega, zeta, n_gain));
    sum_modes(h, k, n_gain);
  }
  if (!h->modal.damping_full) master_part(h, Omega, zeta, n_gain);
  return MS_SUCCESS;
}

/* ---- recovery ---- */

/* A coefficient at harmonic k as a complex number. */
static void complex_at(const double *x, ptrdiff_t k, double out[2]) {
  out[0] = k == 0 ? x[0] : x[2 * k - 1];
  out[1] = k == 0 ? 0.0 : -x[2 * k];
}

/* q_k = 1/A (F p - Gamma d), with the master as it is. */
static ms_status recover_sums(ms_harmonic *h, ptrdiff_t k, const double *X, const double *d,
                              double *q) {
  const ptrdiff_t m = h->m, nP = h->n * h->P;
  const double level = k == 0 ? 1.0 : X[nP + AT_LEVEL];
  MS_TRY(fill_weights(h, k, X[nP + AT_OMEGA], X[nP + AT_ZETA], 1));
  for (ptrdiff_t r = 0; r < m; r++) {
    double re = level * h->load[2 * (r + m * k)], im = level * h->load[2 * (r + m * k) + 1];
    for (ptrdiff_t i = 0; i < h->n; i++) {
      double x[2];
      complex_at(d + h->P * i, k, x);
      re -= h->gamma[r + m * i] * x[0];
      im -= h->gamma[r + m * i] * x[1];
    }
    double x = h->weight[r], y = h->weight[r + m];
    q[2 * r] = x * re - y * im;
    q[2 * r + 1] = x * im + y * re;
  }
  return MS_SUCCESS;
}

/* q_k = F Y_p - Y_G d + Y_e q. */
static ms_status recover_dense(ms_harmonic *h, ptrdiff_t k, const double *X, const double *d,
                               double *q) {
  const ptrdiff_t m = h->m, n = h->n + 1, nP = h->n * h->P;
  double *A = h->dense, *Y = A + 2 * m * (m + n + 2);
  MS_TRY(solve_dense(h, k, X[nP + AT_OMEGA], X[nP + AT_ZETA], A, Y));
  for (ptrdiff_t i = 0; i < n + 2; i++) {
    double x[2] = { 0.0, 0.0 };
    if (i < h->n) complex_at(d + h->P * i, k, x);
    if (i < h->n) x[0] = -x[0], x[1] = -x[1];
    if (i == n) x[0] = k == 0 ? 1.0 : X[nP + AT_LEVEL];
    if (i == n + 1 && k == 1) x[0] = X[nP + AT_Q], x[1] = -X[nP + AT_Q + 1];
    for (ptrdiff_t r = 0; r < m; r++) {
      const double *y = Y + 2 * (r + m * i);
      q[2 * r] = (i == 0 ? 0.0 : q[2 * r]) + x[0] * y[0] - x[1] * y[1];
      q[2 * r + 1] = (i == 0 ? 0.0 : q[2 * r + 1]) + x[0] * y[1] + x[1] * y[0];
    }
  }
  return MS_SUCCESS;
}

void ms_linear_move(const ms_harmonic *h, ptrdiff_t k, double Omega, double zeta, ptrdiff_t size,
                    const double *force, double *pair) {
  const ptrdiff_t m = h->m, n = h->n;
  memset(pair, 0, (size_t)(2 * n) * sizeof *pair);
  for (ptrdiff_t r = 0; r < m; r++) {
    const double *gamma = h->gamma + r;
    double A[N_GAIN][2], x[2] = { 0.0, 0.0 }, q[2] = { 0.0, 0.0 };
    fill_A(h->modal.omega[r], h->modal.damping[r], (double)k, Omega, zeta, A);
    for (ptrdiff_t i = 0; i < n; i++) {
      const double *f = force + size * i + 2 * k - 1;
      x[0] -= gamma[m * i] * f[0];
      x[1] += gamma[m * i] * f[1];
    }
    const double *a = A[GAIN_VALUE], square = a[0] * a[0] + a[1] * a[1];
    if (!(square > 0.0)) continue;
    q[0] = (x[0] * a[0] + x[1] * a[1]) / square;
    q[1] = (x[1] * a[0] - x[0] * a[1]) / square;
    for (ptrdiff_t i = 0; i < n; i++) {
      pair[2 * i] += gamma[m * i] * q[0];
      pair[2 * i + 1] += gamma[m * i] * q[1];
    }
  }
}

ms_status ms_linear_recover(ms_harmonic *h, const double *X, const double *force, double *q) {
  const ptrdiff_t m = h->m, P = h->P, nP = h->n * P;
  double *d = h->difference, *x = h->amplitude;
  ms_core_fill_difference(h, X, force);
  for (ptrdiff_t k = 0; k <= h->H; k++) {
    MS_TRY(h->modal.damping_full ? recover_dense(h, k, X, d, x) : recover_sums(h, k, X, d, x));
    for (ptrdiff_t r = 0; r < m; r++) {
      q[P * r + (k == 0 ? 0 : 2 * k - 1)] = x[2 * r];
      if (k > 0) q[P * r + 2 * k] = -x[2 * r + 1];
    }
  }
  q[P * h->master + 1] = X[nP + AT_Q];
  q[P * h->master + 2] = X[nP + AT_Q + 1];
  return MS_SUCCESS;
}
