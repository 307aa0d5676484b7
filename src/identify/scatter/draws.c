/* Draws for the likelihood of a specimen's test under a distribution pi of its parameters,

     L = int L(test | p) pi(p) dp  ~  (1/K) sum over draws of w pi(p),   w = L(test | p)/q(p),

   q normal about the specimen's fit, wider than its covariance so that no tail is missed. The draws
   do not change while pi is searched: the sum is smooth in it. They come in pairs p_hat +- d. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "identify/scatter/scatter.h"

void ms_scatter_free_draws(ms_context *ctx, ms_scatter_draws *d) {
  ms_free(ctx, &d->first);
  ms_free(ctx, &d->x);
  ms_free(ctx, &d->log_w);
}

/* Where the draws of one specimen come from: p_hat + L z. */
typedef struct source {
  const double *p;
  double *L, log_size; /* logarithm of the determinant */
  double *z, *at, *r;
} source;

static ms_status open_source(const ms_specimens *s, ptrdiff_t k, source *q) {
  const ptrdiff_t n = s->scatter->n;
  const double wider = s->setting->tol.wider;
  q->p = s->p + n * k;
  q->log_size = 0.0;
  for (ptrdiff_t i = 0; i < n * n; i++) {
    q->L[i] = wider * wider * s->covariance[i + n * n * k];
  }
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, q->L, (int)n) != 0) {
    return ms_fail(s->scatter->ctx, MS_NOT_CONVERGED,
                   "specimen %td: its parameters have no covariance", k + 1);
  }
  for (ptrdiff_t i = 0; i < n; i++) q->log_size += log(q->L[i + n * i]);
  return MS_SUCCESS;
}

static void place(const source *q, ptrdiff_t n, double sign) {
  for (ptrdiff_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (ptrdiff_t j = 0; j <= i; j++) sum += q->L[i + n * j] * q->z[j];
    q->at[i] = q->p[i] + sign * sum;
  }
}

static int is_inside(const ms_scatter *s, const double *p) {
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (!(p[i] > s->parameter[i].lower && p[i] < s->parameter[i].upper)) return 0;
  }
  return 1;
}

static double square(ptrdiff_t n, const double *x) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* The draw that stands at q->at, unless it counts nothing. capacity: of each parameter. */
static ms_status add_draw(const ms_specimens *s, ptrdiff_t k, const source *q, ptrdiff_t capacity,
                          ms_scatter_draws *out) {
  const ptrdiff_t n = s->scatter->n, m = 2 * (s->first[k + 1] - s->first[k]);
  if (!is_inside(s->scatter, q->at)) return MS_SUCCESS;
  ms_status status = ms_specimens_eval(s, k, q->at, q->r);
  if (status == MS_NOT_CONVERGED) {
    ms_context_clear_message(s->scatter->ctx);
    return MS_SUCCESS;
  }
  MS_TRY(status);
  const double log_w = 0.5 * (square(n, q->z) - square(m, q->r)) + q->log_size;
  if (!isfinite(log_w)) return MS_SUCCESS;
  ptrdiff_t *end = &out->first[k + 1];
  for (ptrdiff_t i = 0; i < n; i++) out->x[*end + capacity * i] = q->at[i];
  out->log_w[(*end)++] = log_w;
  return MS_SUCCESS;
}

static ms_status draw_specimen(const ms_specimens *s, ptrdiff_t k, source *q, ptrdiff_t capacity,
                               ms_scatter_draws *out) {
  const ptrdiff_t n = s->scatter->n;
  ms_random random;
  ms_random_start(&random, s->setting->seed, (uint64_t)k);
  MS_TRY(open_source(s, k, q));
  out->first[k + 1] = out->first[k];
  for (ptrdiff_t i = 0; i < s->setting->draws; i++) {
    for (ptrdiff_t j = 0; j < n && i % 2 == 0; j++) q->z[j] = ms_random_normal(&random);
    place(q, n, i % 2 ? -1.0 : 1.0);
    MS_TRY(add_draw(s, k, q, capacity, out));
  }
  if (out->first[k + 1] > out->first[k] + n) return MS_SUCCESS;
  return ms_fail(s->scatter->ctx, MS_NOT_CONVERGED,
                 "specimen %td: only %td of %td draws of its parameters are possible; its test "
                 "does not determine them, look at the bounds",
                 k + 1, out->first[k + 1] - out->first[k], s->setting->draws);
}

/* One parameter's draws of all specimens side by side, as fits of distributions want them. */
static void close_gaps(ptrdiff_t n, ptrdiff_t capacity, ptrdiff_t total, double *x) {
  for (ptrdiff_t i = 1; i < n; i++) {
    memmove(x + total * i, x + capacity * i, (size_t)total * sizeof *x);
  }
}

ms_status ms_scatter_make_draws(const ms_specimens *s, ms_scatter_draws *out) {
  ms_context *ctx = s->scatter->ctx;
  const ptrdiff_t n = s->scatter->n, N = s->data->n_specimen, capacity = N * s->setting->draws;
  double *work = NULL;
  *out = (ms_scatter_draws) { .n = n, .n_specimen = N };
  MS_TRY(ms_allocate(ctx, N + 1, sizeof *out->first, &out->first));
  MS_TRY(ms_allocate(ctx, n * capacity, sizeof *out->x, &out->x));
  MS_TRY(ms_allocate(ctx, capacity, sizeof *out->log_w, &out->log_w));
  MS_TRY(ms_allocate(ctx, n * (n + 2) + 2 * s->data->n, sizeof *work, &work));
  source q = { .L = work, .z = work + n * n, .at = work + n * (n + 1), .r = work + n * (n + 2) };
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < N && status == MS_SUCCESS; k++) {
    status = draw_specimen(s, k, &q, capacity, out);
  }
  close_gaps(n, capacity, out->first[N], out->x);
  ms_free(ctx, &work);
  return status;
}
