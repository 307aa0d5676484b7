/* Residual and Jacobian of harmonic balance, with every number in it a variable: coefficients of
   the joints, the master's coordinate, frequency, damping, level. What a problem holds fixed, it
   leaves out.

     R_z = z - F h + G d - e q,   R_q = a q + e^T d - F b,   response = F h - G d + e q at axis n.
 */
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

/* y += sign (g x) for the pair (a, b) of a - i b: (g_r a + g_i b, -g_i a + g_r b). */
static inline void add_times(double sign, const double *g, double a, double b, double *y) {
  y[0] += sign * (g[0] * a + g[1] * b);
  y[1] += sign * (g[0] * b - g[1] * a);
}

/* Where axis i of harmonic k > 0 has its pair among the rows; axis n is the response. */
static ptrdiff_t row_of(const ms_harmonic *h, ptrdiff_t i, ptrdiff_t k) {
  return i == h->n ? h->n * h->P + 2 : h->P * i + 2 * k - 1;
}

/* The column's change of all rows when d of one axis changes by the coefficients x. */
static void add_axis(const ms_harmonic *h, ptrdiff_t j, const double *x, int gain, double *column) {
  const ptrdiff_t n = h->n, ld = n + 1;
  const ms_harmonic_gain *G = h->gain + gain * (h->H + 1);
  for (ptrdiff_t i = 0; i < n; i++) column[h->P * i] += G[0].G[2 * (i + ld * j)] * x[0];
  for (ptrdiff_t k = 1; k <= h->H; k++) {
    const double *g = G[k].G + 2 * ld * j, a = x[2 * k - 1], b = x[2 * k];
    for (ptrdiff_t i = 0; i < n; i++) {
      add_times(1.0, g + 2 * i, a, b, column + h->P * i + 2 * k - 1);
    }
  }
  const double a = x[1], b = x[2];
  add_times(1.0, G[1].e + 2 * j, a, b, column + n * h->P);
  if (h->tracks) add_times(-1.0, G[1].G + 2 * (n + ld * j), a, b, column + row_of(h, n, 1));
}

/* -F h, -e q, a q - F b: what does not go through the joints. */
static void add_direct(const ms_harmonic *h, int gain, double level, double fixed, const double *q,
                       double *column) {
  const ptrdiff_t n = h->n;
  const ms_harmonic_gain *G = h->gain + gain * (h->H + 1);
  for (ptrdiff_t i = 0; i < n; i++) column[h->P * i] -= fixed * G[0].h[2 * i];
  for (ptrdiff_t k = 1; k <= h->H; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      add_times(-level, G[k].h + 2 * i, 1.0, 0.0, column + row_of(h, i, k));
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    add_times(-1.0, G[1].e + 2 * i, q[0], q[1], column + row_of(h, i, 1));
  }
  add_times(1.0, G[1].a, q[0], q[1], column + n * h->P);
  add_times(-level, G[1].b, 1.0, 0.0, column + n * h->P);
  if (!h->tracks) return;
  add_times(level, G[1].h + 2 * n, 1.0, 0.0, column + row_of(h, n, 1));
  add_times(1.0, G[1].e + 2 * n, q[0], q[1], column + row_of(h, n, 1));
}

void ms_core_fill_difference(ms_harmonic *h, const double *Z, const double *force) {
  const ptrdiff_t P = h->P;
  double *d = h->difference;
  memcpy(d, force, (size_t)(h->n * P) * sizeof *d);
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    for (int ab = 0; ab < s->n * s->n; ab++) {
      ptrdiff_t to = P * (s->first + ab % s->n), from = P * (s->first + ab / s->n);
      for (ptrdiff_t c = 0; c < P; c++) d[to + c] -= s->stuck[ab] * Z[from + c];
    }
  }
}

static void fill_joint_columns(ms_harmonic *h, ptrdiff_t rows) {
  const ptrdiff_t P = h->P;
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    const ptrdiff_t wide = ms_harmonic_wide(s), own = P * wide;
    for (ptrdiff_t c = 0; c < own; c++) {
      const ptrdiff_t at = P * ms_harmonic_axis(s, c / P) + c % P;
      double *column = h->J + rows * at;
      column[at] = 1.0;
      for (ptrdiff_t a = 0; a < wide; a++) {
        add_axis(h, ms_harmonic_axis(s, a), s->DF + own * c + P * a, GAIN_VALUE, column);
      }
    }
  }
}

/* The time points go with the phase of the joints (phase.c). */
static void add_phase(ms_harmonic *h, ptrdiff_t rows) {
  const ptrdiff_t P = h->P;
  double *change = ms_phase_fill_change(h), *slope = h->slope, *column = slope + 2 * h->n;
  memset(column, 0, (size_t)rows * sizeof *column);
  for (ptrdiff_t j = 0; j < h->n; j++) add_axis(h, j, change + P * j, GAIN_VALUE, column);
  ms_phase_fill_slope(h, h->X, slope);
  for (ptrdiff_t i = 0; i < 2 * h->n; i++) {
    double *to = h->J + rows * (P * (i / 2) + 1 + i % 2);
    for (ptrdiff_t r = 0; r < rows; r++) to[r] += slope[i] * column[r];
  }
}

static void fill_other_columns(ms_harmonic *h, ptrdiff_t rows, int with_zeta) {
  const ptrdiff_t P = h->P, nP = h->n * P;
  const double *X = h->X, *q = X + nP + AT_Q, none[2] = { 0.0, 0.0 };
  double *at_q = h->J + rows * (nP + AT_Q), *at_omega = h->J + rows * (nP + AT_OMEGA);
  double *at_zeta = at_omega + rows, *at_level = at_zeta + rows;
  const double unit[2][2] = { { 1.0, 0.0 }, { 0.0, 1.0 } };
  for (int c = 0; c < 2; c++) add_direct(h, GAIN_VALUE, 0.0, 0.0, unit[c], at_q + rows * c);
  add_direct(h, GAIN_VALUE, 1.0, 0.0, none, at_level);
  add_direct(h, GAIN_OMEGA, X[nP + AT_LEVEL], 1.0, q, at_omega);
  if (with_zeta) add_direct(h, GAIN_ZETA, X[nP + AT_LEVEL], 1.0, q, at_zeta);
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    const ptrdiff_t wide = ms_harmonic_wide(s), own = P * wide;
    for (ptrdiff_t a = 0; a < wide; a++) {
      ptrdiff_t j = ms_harmonic_axis(s, a);
      add_axis(h, j, h->difference + P * j, GAIN_OMEGA, at_omega);
      if (s->rate) add_axis(h, j, s->DF + own * own + P * a, GAIN_VALUE, at_omega);
      if (with_zeta) add_axis(h, j, h->difference + P * j, GAIN_ZETA, at_zeta);
    }
  }
}

ms_status ms_core_eval(ms_harmonic *h, int with_zeta) {
  const ptrdiff_t nP = h->n * h->P, rows = nP + 4;
  const double *X = h->X;
  h->evaluations++;
  MS_TRY(ms_linear_eval(h, X[nP + AT_OMEGA], X[nP + AT_ZETA], with_zeta));
  MS_TRY(ms_aft_eval(h, X, X[nP + AT_OMEGA]));
  ms_core_fill_difference(h, X, h->force);
  /* The derivative of d in place of that of f. */
  const ptrdiff_t P = h->P;
  for (int i = 0; i < h->n_attachment; i++) {
    const ms_harmonic_attachment *s = &h->attachment[i];
    const ptrdiff_t own = P * ms_harmonic_wide(s);
    for (int ab = 0; ab < s->n * s->n; ab++) {
      double *block = s->DF + P * (ab % s->n) + own * P * (ab / s->n);
      for (ptrdiff_t c = 0; c < P; c++) block[c + own * c] -= s->stuck[ab];
    }
  }
  memset(h->R, 0, (size_t)rows * sizeof *h->R);
  memset(h->J, 0, (size_t)(rows * (nP + N_EXTRA)) * sizeof *h->J);
  memcpy(h->R, X, (size_t)nP * sizeof *h->R);
  add_direct(h, GAIN_VALUE, X[nP + AT_LEVEL], 1.0, X + nP + AT_Q, h->R);
  for (ptrdiff_t j = 0; j < h->n; j++) {
    add_axis(h, j, h->difference + h->P * j, GAIN_VALUE, h->R);
  }
  fill_joint_columns(h, rows);
  fill_other_columns(h, rows, with_zeta);
  if (ms_phase_counts(h)) add_phase(h, rows);
  return MS_SUCCESS;
}
