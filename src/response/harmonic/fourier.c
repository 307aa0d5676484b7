/* Tables of cos and sin over a period, and coefficients from values. */
#include <cblas.h>
#include <math.h>

#include "response/harmonic/impl.h"

static const double pi = 3.14159265358979323846;

/* Column j holds 1, cos tau_j, sin tau_j, cos 2 tau_j, ...: `size` rows. The angle is reduced in
   whole numbers, so that the table has the symmetries of the circle to the last digit. */
static void fill_table(ptrdiff_t size, ptrdiff_t N, double *T) {
  for (ptrdiff_t j = 0; j < N; j++) {
    double *row = T + size * j;
    row[0] = 1.0;
    for (ptrdiff_t k = 1; 2 * k < size; k++) {
      double angle = 2.0 * pi * (double)(k * j % N) / (double)N;
      row[2 * k - 1] = cos(angle);
      row[2 * k] = sin(angle);
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
  ptrdiff_t wide = 4 * h->H + 1;
  MS_TRY(ms_allocate(h->ctx, h->P * h->N, sizeof *h->T, &h->T));
  MS_TRY(ms_allocate(h->ctx, h->P * h->N, sizeof *h->W, &h->W));
  MS_TRY(ms_allocate(h->ctx, wide * h->N, sizeof *h->T2, &h->T2));
  fill_table(h->P, h->N, h->T);
  fill_table(wide, h->N, h->T2);
  fill_slopes(h->P, h->N, h->T, h->W);
  return MS_SUCCESS;
}

void ms_fourier_project(const ms_harmonic *h, ptrdiff_t columns, const double *x, double *y) {
  const ptrdiff_t P = h->P;
  if (columns == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)P, (int)columns, (int)h->N,
              2.0 / (double)h->N, h->T, (int)P, x, (int)columns, 0.0, y, (int)P);
  for (ptrdiff_t i = 0; i < columns; i++) y[P * i] *= 0.5;
}
