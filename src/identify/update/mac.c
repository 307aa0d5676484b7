/* MAC of shapes, and the best pairs.

   Assignment by shortest augmenting paths (the Hungarian method with potentials): rows enter one by
   one; u and v are such that cost - u - v >= 0, and 0 along the pairs. */
#include <math.h>
#include <microslip/update.h>

#include "core/dense.h"

void ms_mac(ptrdiff_t n, ptrdiff_t n_a, const double *a_re, const double *a_im, ptrdiff_t n_b,
            const double *b, double *mac) {
  for (ptrdiff_t r = 0; r < n_b; r++) {
    const double *phi = b + n * r, bb = ms_dot(n, phi, phi);
    for (ptrdiff_t k = 0; k < n_a; k++) {
      const double *re = a_re + n * k, *im = a_im ? a_im + n * k : NULL;
      const double aa = ms_dot(n, re, re) + (im ? ms_dot(n, im, im) : 0.0);
      const double x = ms_dot(n, re, phi), y = im ? ms_dot(n, im, phi) : 0.0;
      mac[k + n_a * r] = aa > 0.0 && bb > 0.0 ? fmin((x * x + y * y) / aa / bb, 1.0) : 0.0;
    }
  }
}

/* ---- assignment; row n and column m are none ---- */

typedef struct assignment {
  ptrdiff_t n, m;
  const double *cost;
  double *u, *v, *slack;         /* slack: the least reduced cost by which a column is reached */
  ptrdiff_t *row, *from, *reach; /* row: of a column; from: the column before it on the path */
} assignment;

/* Scans the row of column j, which is on the path; the column to go on to. */
static ptrdiff_t scan(assignment *a, ptrdiff_t j) {
  ptrdiff_t i = a->row[j], next = a->m;
  double least = HUGE_VAL;
  a->reach[j] = 1;
  for (ptrdiff_t k = 0; k < a->m; k++) {
    if (a->reach[k]) continue;
    double reduced = a->cost[i + a->n * k] - a->u[i] - a->v[k];
    if (reduced < a->slack[k]) {
      a->slack[k] = reduced;
      a->from[k] = j;
    }
    if (a->slack[k] < least) {
      least = a->slack[k];
      next = k;
    }
  }
  for (ptrdiff_t k = 0; k <= a->m; k++) {
    if (a->reach[k]) {
      a->u[a->row[k]] += least;
      a->v[k] -= least;
    } else {
      a->slack[k] -= least;
    }
  }
  return next;
}

static void enter(assignment *a, ptrdiff_t i) {
  ptrdiff_t j = a->m;
  a->row[j] = i;
  for (ptrdiff_t k = 0; k <= a->m; k++) {
    a->slack[k] = HUGE_VAL;
    a->reach[k] = 0;
  }
  do {
    j = scan(a, j);
  } while (a->row[j] != a->n);
  for (ptrdiff_t before; j != a->m; j = before) { /* every column takes the row of the one before */
    before = a->from[j];
    a->row[j] = a->row[before];
  }
}

static ms_status check(ms_context *ctx, ptrdiff_t n, ptrdiff_t m, const double *cost) {
  if (n < 1 || m < n) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "assignment: %td rows to %td columns", n, m);
  }
  for (ptrdiff_t i = 0; i < n * m; i++) {
    if (isfinite(cost[i])) continue;
    return ms_fail(ctx, MS_ERR_NUMERIC, "assignment: cost %g", cost[i]);
  }
  return MS_SUCCESS;
}

ms_status ms_assign(ms_context *ctx, ptrdiff_t n, ptrdiff_t m, const double *cost,
                    ptrdiff_t *pair) {
  double *numbers = NULL;
  ptrdiff_t *indices = NULL;
  MS_TRY(check(ctx, n, m, cost));
  ms_status status = ms_allocate(ctx, n + 1 + 2 * (m + 1), sizeof *numbers, &numbers);
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 3 * (m + 1), sizeof *indices, &indices);
  if (status == MS_SUCCESS) {
    assignment a = { .n = n, .m = m, .cost = cost, .u = numbers, .row = indices };
    a.v = a.u + n + 1, a.slack = a.v + m + 1;
    a.from = a.row + m + 1, a.reach = a.from + m + 1;
    for (ptrdiff_t k = 0; k <= m; k++) a.row[k] = n;
    for (ptrdiff_t i = 0; i < n; i++) enter(&a, i);
    for (ptrdiff_t k = 0; k < m; k++) {
      if (a.row[k] < n) pair[a.row[k]] = k;
    }
  }
  ms_free(ctx, &numbers);
  ms_free(ctx, &indices);
  return status;
}
