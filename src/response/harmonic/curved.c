/* Attachments with curvature: what a joint's displacement z is of its axes x and y, and back.

     z_a(t) = x_a + y^T B_a y/2,      force on x_a: f_a,      on y: sum_a f_a B_a y,

   B_a = curvature. With H harmonics in x and y there are 2H in z. Its coefficients and as many of f
   are all that the forces' coefficients depend on, because those of f B_a y to H need no more of f.
   The joint is marched along z with derivatives by its coefficients, which gives

     D = d(f^)/d(z^),    S = d(z^)/d(Y):  multiplication by (B_a y)_i, and then

     d(F_x)/dZ = D (1 S) to H,     d(F_y)/dZ = S' D (1 S) + f_a B_a,

   S' the multiplication back: S transposed, in the measure where a mean counts twice. */
#include <cblas.h>
#include <string.h>

#include "response/harmonic/impl.h"

static ptrdiff_t count_product(const ms_harmonic *h) {
  return 6 * h->H + 1; /* means that products of H and 2H harmonics ask for */
}

ms_status ms_curved_open(ms_harmonic *h, const ms_attachment *from, ms_harmonic_attachment *s) {
  s->n_curved = from->n_curved;
  s->first_curved = from->first_curved;
  s->curvature = from->curvature;
  const ptrdiff_t own = h->P * ms_harmonic_wide(s), rows = s->P * s->n;
  MS_TRY(ms_allocate(h->ctx, rows, sizeof *s->motion, &s->motion));
  MS_TRY(ms_allocate(h->ctx, rows * h->P * s->n_curved, sizeof *s->S, &s->S));
  MS_TRY(ms_allocate(h->ctx, own * (own + 1), sizeof *s->bent, &s->bent));
  s->DF = s->bent;
  if (s->memoryless) {
    MS_TRY(ms_allocate(h->ctx, s->n_dir * s->n * h->N, sizeof *s->dF, &s->dF));
  }
  const ptrdiff_t least = count_product(h) + h->P * h->P, size = rows * (own + 1);
  return ms_allocate(h->ctx, s->n_curved + (size > least ? size : least), sizeof *s->work,
                     &s->work);
}

void ms_curved_close(ms_harmonic *h, ms_harmonic_attachment *s) {
  double **part[] = { &s->motion, &s->S, &s->bent, &s->work };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) ms_free(h->ctx, part[k]);
}

/* ---- over time ---- */

void ms_curved_pull(const ms_harmonic *h, const ms_harmonic_attachment *s, int a,
                    const double *table, ptrdiff_t j, double *out) {
  const ptrdiff_t n = s->n_curved;
  const double *y = table + h->N * s->first_curved + j;
  memset(out, 0, (size_t)n * sizeof *out);
  for (ptrdiff_t k = 0; s->curvature[a] && k < n; k++) {
    const double *column = s->curvature[a] + n * k, yk = y[h->N * k];
    for (ptrdiff_t i = 0; i < n; i++) out[i] += column[i] * yk;
  }
}

/* Where x and y have been expanded: z in place of x, and its velocity. */
void ms_curved_fill_motion(ms_harmonic *h, ms_harmonic_attachment *s, double Omega) {
  const ptrdiff_t N = h->N;
  const double *y = h->z + N * s->first_curved;
  for (int a = 0; a < s->n; a++) {
    double *z = h->z + N * (s->first + a), *coefficient = s->motion + s->P * a;
    for (ptrdiff_t j = 0; s->curvature[a] && j < N; j++) {
      ms_curved_pull(h, s, a, h->z, j, s->work);
      for (ptrdiff_t i = 0; i < s->n_curved; i++) z[j] += 0.5 * s->work[i] * y[j + N * i];
    }
    ms_fourier_analyse(h, s->P, z, coefficient);
    if (!s->rate) continue;
    ms_fourier_expand_slope(h, 2 * h->H, coefficient, Omega, h->v + N * (s->first + a));
  }
}

void ms_curved_fill_slopes(ms_harmonic *h, ms_harmonic_attachment *s, double Omega) {
  const ptrdiff_t N = h->N, P = s->P;
  for (ptrdiff_t j = 0; j < N; j++) {
    const double *T = s->T + P * j, *W = s->W + P * j;
    for (int a = 0; a < s->n; a++) {
      double *row = s->dF + s->n_dir * (a + s->n * j), by_Omega = 0.0;
      for (int b = 0; b < s->n; b++) {
        const double du = s->du[j + N * (a + s->n * b)];
        const double dv = s->rate ? s->dv[j + N * (a + s->n * b)] : 0.0;
        for (ptrdiff_t c = 0; c < P; c++) row[c + P * b] = du * T[c] + dv * Omega * W[c];
        if (s->rate) by_Omega += dv * h->v[j + N * (s->first + b)] / Omega;
      }
      if (s->rate) row[s->n_dir - 1] = by_Omega;
    }
  }
}

/* ---- in coefficients ---- */

/* block[d + ld*c] := what coefficient c of a function gives to coefficient d of its product with
   another, whose means are g. */
static void fill_product(const double *g, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t ld,
                         double *block) {
  for (ptrdiff_t c = 0; c < columns; c++) {
    for (ptrdiff_t d = 0; d < rows; d++) {
      block[d + ld * c] = (d == 0 ? 0.5 : 1.0) * ms_fourier_pair(g, c, d);
    }
  }
}

/* c := A b, or A^T b; k rows in b, and leading dimension k of what has as many. A few columns at a
   time, so that BLAS does not wake threads for them. */
static void multiply(CBLAS_TRANSPOSE turn, ptrdiff_t m, ptrdiff_t columns, ptrdiff_t k,
                     const double *A, const double *b, double *c, ptrdiff_t ld) {
  const ptrdiff_t most = MS_FOURIER_THREADLESS / (m * k), piece = most > 4 ? most : 4;
  for (ptrdiff_t j = 0; j < columns; j += piece) {
    const ptrdiff_t n = columns - j < piece ? columns - j : piece;
    cblas_dgemm(CblasColMajor, turn, CblasNoTrans, (int)m, (int)n, (int)k, 1.0, A, (int)k,
                b + k * j, (int)k, 0.0, c + ld * j, (int)ld);
  }
}

/* E := D (1 S), and the column of Omega. */
static void fill_E(const ms_harmonic *h, const ms_harmonic_attachment *s, double *E) {
  const ptrdiff_t P = h->P, rows = s->P * s->n, on_x = P * s->n, on_y = P * s->n_curved;
  for (ptrdiff_t c = 0; c < on_x; c++) {
    memcpy(E + rows * c, s->D + rows * (s->P * (c / P) + c % P), (size_t)rows * sizeof *E);
  }
  multiply(CblasNoTrans, rows, on_y, rows, s->D, s->S, E + rows * on_x, rows);
  memcpy(E + rows * (on_x + on_y), s->D + rows * rows, (size_t)rows * sizeof *E);
}

/* DF := (1 S)' E; E is spoilt. */
static void fill_DF(const ms_harmonic *h, ms_harmonic_attachment *s, double *E) {
  const ptrdiff_t P = h->P, rows = s->P * s->n, on_x = P * s->n, on_y = P * s->n_curved;
  const ptrdiff_t own = on_x + on_y;
  for (ptrdiff_t c = 0; c <= own; c++) {
    for (int a = 0; a < s->n; a++) {
      double *from = E + rows * c + s->P * a;
      memcpy(s->DF + own * c + P * a, from, (size_t)P * sizeof *from);
      from[0] *= 2.0;
    }
  }
  multiply(CblasTrans, on_y, own + 1, rows, s->S, E, s->DF + on_x, own);
  for (ptrdiff_t c = 0; c <= own; c++) {
    for (ptrdiff_t i = 0; i < s->n_curved; i++) s->DF[own * c + on_x + P * i] *= 0.5;
  }
}

/* What f_a B_a of the force on y does, the joint's force held. */
static void add_tension(const ms_harmonic *h, ms_harmonic_attachment *s, int a) {
  const ptrdiff_t P = h->P, n = s->n_curved, on_x = P * s->n, own = on_x + P * n;
  double *g = s->work, *times_f = g + count_product(h);
  ms_fourier_mean(h, 4 * h->H + 1, h->f + h->N * (s->first + a), g);
  fill_product(g, P, P, P, times_f);
  for (ptrdiff_t ik = 0; ik < n * n; ik++) {
    double *block = s->DF + on_x + P * (ik % n) + own * (on_x + P * (ik / n));
    for (ptrdiff_t c = 0; c < P; c++) {
      cblas_daxpy((int)P, s->curvature[a][ik], times_f + P * c, 1, block + own * c, 1);
    }
  }
}

void ms_curved_finish(ms_harmonic *h, ms_harmonic_attachment *s, const double *Z) {
  const ptrdiff_t N = h->N;
  double *on_y = h->f + N * s->first_curved;
  memset(on_y, 0, (size_t)(N * s->n_curved) * sizeof *on_y);
  for (int a = 0; a < s->n; a++) {
    const double *f = h->f + N * (s->first + a);
    for (ptrdiff_t j = 0; s->curvature[a] && j < N; j++) {
      ms_curved_pull(h, s, a, h->z, j, s->work);
      for (ptrdiff_t i = 0; i < s->n_curved; i++) on_y[j + N * i] += f[j] * s->work[i];
    }
  }
  const ptrdiff_t P = h->P, n = s->n_curved, rows = s->P * s->n;
  const double *Y = Z + P * s->first_curved;
  double *g = s->work;
  for (ptrdiff_t block = 0; block < s->n * n; block++) {
    const ptrdiff_t a = block % s->n, i = block / s->n;
    memset(g, 0, (size_t)count_product(h) * sizeof *g);
    for (ptrdiff_t k = 0; s->curvature[a] && k < n; k++) {
      for (ptrdiff_t c = 0; c < P; c++) {
        g[c] += (c == 0 ? 1.0 : 0.5) * s->curvature[a][i + n * k] * Y[c + P * k];
      }
    }
    fill_product(g, s->P, P, rows, s->S + s->P * a + rows * P * i);
  }
  fill_E(h, s, s->work);
  fill_DF(h, s, s->work);
  for (int a = 0; a < s->n; a++) {
    if (s->curvature[a]) add_tension(h, s, a);
  }
}
