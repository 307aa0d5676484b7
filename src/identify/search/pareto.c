/* Who dominates whom, and the knee of a front. */
#include <float.h>
#include <math.h>

#include "identify/search/pareto.h"

/* Does point a dominate point b? */
static int dominates(ptrdiff_t n_f, const double *a, double va, const double *b, double vb) {
  if (va > 0.0 || vb > 0.0) return va < vb;
  int smaller = 0;
  for (ptrdiff_t m = 0; m < n_f; m++) {
    if (a[m] > b[m]) return 0;
    smaller |= a[m] < b[m];
  }
  return smaller;
}

static double violation(const double *v, ptrdiff_t i) {
  return v ? v[i] : 0.0;
}

/* How many dominate each point. */
static void count_dominators(ptrdiff_t n, ptrdiff_t n_f, const double *f, const double *v,
                             ptrdiff_t *count) {
  for (ptrdiff_t i = 0; i < n; i++) count[i] = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = i + 1; k < n; k++) {
      const double *a = f + n_f * i, *b = f + n_f * k;
      double va = violation(v, i), vb = violation(v, k);
      if (dominates(n_f, a, va, b, vb)) {
        count[k]++;
      } else if (dominates(n_f, b, vb, a, va)) {
        count[i]++;
      }
    }
  }
}

/* Takes the points of each front out in turn: the queue holds them in the order of their rank. */
void ms_pareto_rank(ptrdiff_t n, ptrdiff_t n_f, const double *f, const double *v, int *rank,
                    ptrdiff_t *dominated_by, ptrdiff_t *queue) {
  ptrdiff_t tail = 0;
  count_dominators(n, n_f, f, v, dominated_by);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (dominated_by[i] == 0) rank[i] = 0, queue[tail++] = i;
  }
  for (ptrdiff_t head = 0; head < tail; head++) {
    ptrdiff_t i = queue[head];
    for (ptrdiff_t k = 0; k < n; k++) {
      if (dominated_by[k] == 0) continue;
      if (!dominates(n_f, f + n_f * i, violation(v, i), f + n_f * k, violation(v, k))) continue;
      if (--dominated_by[k] == 0) rank[k] = rank[i] + 1, queue[tail++] = k;
    }
  }
}

ms_status ms_pareto_check(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                          const double *v) {
  if (n < 0 || n_f < 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td points of %td objectives: need n >= 0, n_f >= 1", n,
                   n_f);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    if (violation(v, i) > 0.0) continue;
    for (ptrdiff_t m = 0; m < n_f; m++) {
      if (isfinite(f[m + n_f * i])) continue;
      return ms_fail(ctx, MS_ERR_ARGUMENT, "objective %td of point %td is not finite", m + 1,
                     i + 1);
    }
  }
  return MS_SUCCESS;
}

ms_status ms_pareto_sort(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                         const double *v, int *rank) {
  MS_TRY(ms_pareto_check(ctx, n, n_f, f, v));
  ptrdiff_t *work = NULL;
  MS_TRY(ms_allocate(ctx, 2 * n + 1, sizeof *work, &work));
  ms_pareto_rank(n, n_f, f, v, rank, work, work + n);
  ms_free(ctx, &work);
  return MS_SUCCESS;
}

/* Smallest and largest value of objective m on the front. */
static void objective_range(ptrdiff_t n, ptrdiff_t n_f, const double *f, const int *rank,
                            ptrdiff_t m, double *low, double *high) {
  *low = DBL_MAX, *high = -DBL_MAX;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (rank && rank[i] > 0) continue;
    *low = fmin(*low, f[m + n_f * i]);
    *high = fmax(*high, f[m + n_f * i]);
  }
}

/* In scaled objectives the plane through the extremes is sum of s = 1: the knee has the least sum.
   Of equal ones the first. */
ptrdiff_t ms_pareto_knee(ptrdiff_t n, ptrdiff_t n_f, const double *f, const int *rank) {
  ptrdiff_t best = -1;
  double least = DBL_MAX;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (rank && rank[i] > 0) continue;
    double sum = 0.0, low, high;
    for (ptrdiff_t m = 0; m < n_f; m++) {
      objective_range(n, n_f, f, rank, m, &low, &high);
      if (high > low) sum += (f[m + n_f * i] - low) / (high - low);
    }
    if (sum < least) least = sum, best = i;
  }
  return best;
}
