/* Poles of frequency responses with one reference, least-squares complex frequency method. With
   z = exp(i pi (f - low)/(high - low)) each response is B_o(z)/A(z), real coefficients, A the same
   for all; the equations A H_o = B_o of least squares, the B_o eliminated, leave

     M a = 0,    M = sum over o of T_o - S_o^T R^-1 S_o,    a_n = 1,

   R = Re(X^H X), S_o = Re(X^H Y_o), T_o = Re(Y_o^H Y_o), X_kj = z_k^j, Y_kj = -H_k z_k^j. */
#include "identify/modal/frf_poles.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"

/* Toeplitz: elements i, j of all three are those of j - i, S of -n .. n. */
static void fill(const ms_frf_band *b, ptrdiff_t o, double *lag_R, double *lag_S, double *lag_T,
                 ptrdiff_t size) {
  const double *H = b->H + 2 * b->n * o;
  memset(lag_R, 0, (size_t)size * sizeof *lag_R);
  memset(lag_T, 0, (size_t)size * sizeof *lag_T);
  memset(lag_S, 0, (size_t)(2 * size - 1) * sizeof *lag_S);
  for (ptrdiff_t k = 0; k < b->n; k++) {
    const double angle = MS_PI * (b->freq_hz[k] - b->low) / (b->high - b->low);
    const double complex z = cexp(I * angle), h = b->scale[o] * (H[2 * k] + I * H[2 * k + 1]);
    const double square = creal(h) * creal(h) + cimag(h) * cimag(h);
    double complex power = 1.0;
    for (ptrdiff_t j = 0; j < size; j++) {
      lag_R[j] += creal(power);
      lag_T[j] += square * creal(power);
      lag_S[size - 1 + j] -= creal(h * power);
      if (j > 0) lag_S[size - 1 - j] -= creal(h * conj(power));
      power *= z;
    }
  }
}

/* M of this order from the lags of all responses. */
static ms_status reduce(ms_context *ctx, ptrdiff_t order, ptrdiff_t size, ptrdiff_t n_sensor,
                        const double *lag, double *work, double *M) {
  const ptrdiff_t n = order + 1, stride = 4 * size - 1;
  double *R = work, *S = work + n * n;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (ptrdiff_t o = 0; o < n_sensor; o++) {
    const double *lag_R = lag + stride * o, *lag_T = lag_R + size, *lag_S = lag_T + size;
    for (ptrdiff_t q = 0; q < n * n; q++) {
      const ptrdiff_t i = q % n, j = q / n, apart = i > j ? i - j : j - i;
      R[q] = lag_R[apart];
      S[q] = lag_S[size - 1 + j - i];
      M[q] += lag_T[apart];
    }
    double *C = S + n * n;
    memcpy(C, S, (size_t)(n * n) * sizeof *C);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (int)n, (int)n, R, (int)n, C, (int)n) != 0)
      return ms_fail(ctx, MS_ERR_NUMERIC, "too few lines for order %td", order);
    for (ptrdiff_t q = 0; q < n * n; q++) {
      double sum = 0.0;
      for (ptrdiff_t k = 0; k < n; k++) sum += S[k + n * (q % n)] * C[k + n * (q / n)];
      M[q] -= sum;
    }
  }
  return MS_SUCCESS;
}

/* Poles of A that decay, with frequencies in the band, into out. */
static ms_status find_roots(ms_context *ctx, const ms_frf_band *b, ptrdiff_t order, double *M,
                            double *work, ms_frf_pole *out, ptrdiff_t *n_out) {
  const ptrdiff_t n = order + 1;
  double *a = work, *companion = a + n, *re = companion + order * order, *im = re + order;
  lapack_int *pivot;
  const double step = 0.5 / (b->high - b->low); /* z = exp(s step), s from i 2 pi low on */
  *n_out = 0;
  for (ptrdiff_t i = 0; i < order; i++) {
    a[i] = -M[i + n * order];
    for (ptrdiff_t j = 0; j < order; j++) companion[i + order * j] = M[i + n * j];
  }
  MS_TRY(ms_allocate(ctx, order, sizeof *pivot, &pivot));
  const int singular = LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)order, 1, companion, (int)order, pivot,
                                     a, (int)order) != 0;
  ms_free(ctx, &pivot);
  if (singular) return MS_SUCCESS;
  memset(companion, 0, (size_t)(order * order) * sizeof *companion);
  for (ptrdiff_t i = 0; i < order; i++) {
    companion[i + order * (order - 1)] = -a[i];
    if (i + 1 < order) companion[i + 1 + order * i] = 1.0;
  }
  if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', (int)order, companion, (int)order, re, im, NULL, 1,
                    NULL, 1) != 0)
    return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < order; i++) {
    const double complex s = clog(re[i] + I * im[i]) / step + b->decay;
    const double omega = cimag(s) + 2.0 * MS_PI * b->low, size = hypot(creal(s), omega);
    const ms_frf_pole p = { order, size / (2.0 * MS_PI), -creal(s) / size, 0 };
    if (im[i] > 0.0 && creal(s) < 0.0 && p.freq_hz > b->low && p.freq_hz < b->high)
      out[(*n_out)++] = p;
  }
  return MS_SUCCESS;
}

static ms_status find_all(ms_context *ctx, const ms_frf_band *b, ptrdiff_t largest, double *room,
                          ms_frf_pole *pole, ptrdiff_t *n_pole) {
  const ptrdiff_t size = largest + 1, stride = 4 * size - 1;
  double *lag = room, *M = lag + stride * b->n_sensor, *work = M + size * size;
  for (ptrdiff_t o = 0; o < b->n_sensor; o++) {
    double *at = lag + stride * o;
    fill(b, o, at, at + 2 * size, at + size, size);
  }
  *n_pole = 0;
  for (ptrdiff_t order = 2; order <= largest; order++) {
    ptrdiff_t n = 0;
    MS_TRY(reduce(ctx, order, size, b->n_sensor, lag, work, M));
    MS_TRY(find_roots(ctx, b, order, M, work, pole + *n_pole, &n));
    *n_pole += n;
  }
  return MS_SUCCESS;
}

ms_status ms_frf_find_poles(ms_context *ctx, const ms_frf_band *b, ptrdiff_t largest,
                            ptrdiff_t *n_pole, ms_frf_pole **pole) {
  const ptrdiff_t size = largest + 1;
  double *room = NULL;
  MS_TRY(ms_allocate(ctx, size * size, sizeof **pole, pole));
  MS_TRY(ms_allocate(ctx, (4 * size - 1) * b->n_sensor + 6 * size * size + 4 * size, sizeof *room,
                     &room));
  ms_status status = find_all(ctx, b, largest, room, *pole, n_pole);
  ms_free(ctx, &room);
  return status;
}
