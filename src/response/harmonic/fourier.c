/* Tables of cos and sin over a period, and coefficients from values. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "response/harmonic/impl.h"

/* 1, cos tau_j, sin tau_j, cos 2 tau_j, ...: row c of column j at T[c * next_row + j * next_time].
   The angle is reduced in whole numbers, so that the table has the symmetries of the circle. */
static void fill_table(ptrdiff_t size, ptrdiff_t N, ptrdiff_t next_row, ptrdiff_t next_time,
                       double *T) {
  for (ptrdiff_t j = 0; j < N; j++) {
    double *column = T + next_time * j;
    column[0] = 1.0;
    for (ptrdiff_t k = 1; 2 * k < size; k++) {
      double angle = 2.0 * MS_PI * (double)(k * j % N) / (double)N;
      column[next_row * (2 * k - 1)] = cos(angle);
      column[next_row * (2 * k)] = sin(angle);
    }
  }
}

/* Derivative with respect to tau. */
static void fill_slopes(ptrdiff_t P, ptrdiff_t N, const double *T, double *W) {
  for (ptrdiff_t j = 0; j < N; j++) {
    for (ptrdiff_t k = 1; 2 * k < P; k++) {
      W[2 * k - 1 + P * j] = -(double)k * T[2 * k + P * j];
      W[2 * k + P * j] = (double)k * T[2 * k - 1 + P * j];
    }
  }
}

ms_status ms_fourier_open(ms_harmonic *h) {
  const ptrdiff_t wide = 4 * h->H + 1;
  MS_TRY(ms_allocate(h->ctx, h->P * h->N, sizeof *h->T, &h->T));
  MS_TRY(ms_allocate(h->ctx, h->P * h->N, sizeof *h->W, &h->W));
  MS_TRY(ms_allocate(h->ctx, (wide + 3) * h->N, sizeof *h->table, &h->table));
  fill_table(h->P, h->N, 1, h->P, h->T);
  fill_table(wide, h->N, h->N, 1, h->table);
  fill_slopes(h->P, h->N, h->T, h->W);
  if (h->n == h->modal.n) return MS_SUCCESS;
  MS_TRY(ms_allocate(h->ctx, wide * h->N, sizeof *h->T_wide, &h->T_wide));
  MS_TRY(ms_allocate(h->ctx, wide * h->N, sizeof *h->W_wide, &h->W_wide));
  fill_table(wide, h->N, 1, wide, h->T_wide);
  fill_slopes(wide, h->N, h->T_wide, h->W_wide);
  return MS_SUCCESS;
}

void ms_fourier_expand(const ms_harmonic *h, const double *x, double *restrict y) {
  const ptrdiff_t N = h->N;
  for (ptrdiff_t j = 0; j < N; j++) y[j] = x[0];
  for (ptrdiff_t c = 1; c < h->P; c++) {
    const double *restrict row = h->table + N * c, a = x[c];
    for (ptrdiff_t j = 0; j < N; j++) y[j] += a * row[j];
  }
}

void ms_fourier_expand_slope(const ms_harmonic *h, ptrdiff_t H, const double *x, double Omega,
                             double *restrict y) {
  const ptrdiff_t N = h->N;
  memset(y, 0, (size_t)N * sizeof *y);
  for (ptrdiff_t k = 1; k <= H; k++) {
    const double *restrict cosine = h->table + N * (2 * k - 1), *restrict sine = cosine + N;
    const double a = Omega * (double)k * x[2 * k], b = -Omega * (double)k * x[2 * k - 1];
    for (ptrdiff_t j = 0; j < N; j++) y[j] += a * cosine[j] + b * sine[j];
  }
}

/* Four rows for each y read, in sums that do not wait for each other. */
static void sum_four(ptrdiff_t N, const double *restrict row, const double *restrict y,
                     double sum[4]) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (ptrdiff_t j = 0; j < N; j++) {
    s0 += row[j] * y[j];
    s1 += row[j + N] * y[j];
    s2 += row[j + 2 * N] * y[j];
    s3 += row[j + 3 * N] * y[j];
  }
  sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
}

void ms_fourier_mean(const ms_harmonic *h, ptrdiff_t size, const double *y, double *x) {
  const ptrdiff_t N = h->N;
  for (ptrdiff_t c = 0; c < size; c += 4) { /* the table has rows to spare for the last */
    double sum[4];
    sum_four(N, h->table + N * c, y, sum);
    for (ptrdiff_t i = 0; i < 4 && c + i < size; i++) x[c + i] = sum[i] / (double)N;
  }
}

void ms_fourier_analyse(const ms_harmonic *h, ptrdiff_t size, const double *y, double *x) {
  ms_fourier_mean(h, size, y, x);
  for (ptrdiff_t c = 1; c < size; c++) x[c] *= 2.0;
}

/* In pieces of the period, so short that BLAS does not wake threads for them. */
void ms_fourier_project(const ms_harmonic *h, ptrdiff_t P, const double *T, ptrdiff_t columns,
                        const double *x, double *y) {
  const ptrdiff_t most = MS_FOURIER_THREADLESS / (P * columns), piece = most > 64 ? most : 64;
  for (ptrdiff_t j = 0; j < h->N; j += piece) {
    ptrdiff_t length = h->N - j < piece ? h->N - j : piece;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)P, (int)columns, (int)length,
                2.0 / (double)h->N, T + P * j, (int)P, x + columns * j, (int)columns,
                j > 0 ? 1.0 : 0.0, y, (int)P);
  }
  for (ptrdiff_t i = 0; i < columns; i++) y[P * i] *= 0.5;
}
