/* The corrector of a continuation: Newton's method in the plane across a row, and the linear
   systems of it. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/harmonic/path.h"

enum { SMALL = 150 }; /* systems that LAPACK's threads would wait for each other over */
enum { MAX_HALVINGS = 5 };

/* ---- linear algebra ---- */

/* Without squares that could vanish. */
double ms_path_norm(ptrdiff_t n, const double *x) {
  return cblas_dnrm2((int)n, x, 1);
}

/* Products of weight and unknown are of the order of a step, however small the motion is. */
double ms_path_dot(const ms_path *p, const double *a, const double *b) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i <= p->n; i++) sum += (p->w[i] * a[i]) * (p->w[i] * b[i]);
  return sum;
}

double ms_path_length(const ms_path *p, const double *x) {
  return sqrt(ms_path_dot(p, x, x));
}

/* Of unknown j; one without a weight stays as it is. */
static double unit_of(const ms_path *p, ptrdiff_t j) {
  return p->w[j] > 0.0 ? 1.0 / p->w[j] : 1.0;
}

/* A := (J; row) in the weighted unknowns, J over its largest entry: pivots are then chosen alike
   whatever the size of the motion. */
static void fill(ms_path *p, const double *row, double unit) {
  const ptrdiff_t n = p->n, N = n + 1;
  for (ptrdiff_t j = 0; j < N; j++) {
    for (ptrdiff_t i = 0; i < n; i++) p->A[i + N * j] = p->J[i + n * j] * unit_of(p, j) / unit;
    p->A[n + N * j] = row ? p->w[j] * row[j] : j == n ? 1.0 : 0.0;
  }
}

/* By elimination; 0 if A is singular, or nearly so by its pivots, which may then be rounding. */
static int eliminate(ms_path *p, double *b) {
  const ptrdiff_t N = p->n + 1;
  const int small = N <= SMALL;
  double least = HUGE_VAL, most = 0.0;
  if (small ? ms_dense_solve(N, p->A, b) != 0
            : LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)N, 1, p->A, (lapack_int)N, p->pivot, b,
                            (lapack_int)N) != 0) {
    return 0;
  }
  for (ptrdiff_t k = 0; k < N; k++) { /* pivots, or in small systems one over them */
    least = fmin(least, fabs(p->A[k + N * k]));
    most = fmax(most, fabs(p->A[k + N * k]));
  }
  return least > p->tol->suspect * most;
}

/* The shortest solution, without a part in directions that A does not see. Such is the mean of a
   joint that slips altogether both ways and is held by nothing else: the motion is the same
   wherever it lies, and there it stays. */
static int solve_shortest(ms_path *p, double *b) {
  const lapack_int N = (lapack_int)(p->n + 1);
  lapack_int rank = 0;
  memset(p->pivot, 0, (size_t)N * sizeof *p->pivot);
  lapack_int info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, N, N, 1, p->A, N, b, N, p->pivot,
                                        p->tol->unseen, &rank, p->work, MS_PATH_WORK * N);
  return info == 0 && rank > 0;
}

ms_status ms_path_solve(ms_path *p, const double *row, double *b) {
  const ptrdiff_t n = p->n, N = n + 1;
  /* Largest entry of J in the weighted unknowns. */
  double most = 0.0;
  for (ptrdiff_t j = 0; j <= p->n; j++) {
    for (ptrdiff_t i = 0; i < p->n; i++)
      most = fmax(most, fabs(p->J[i + p->n * j]) * unit_of(p, j));
  }
  const double unit = most > 0.0 && isfinite(most) ? most : 1.0;
  for (ptrdiff_t i = 0; i < n; i++) b[i] /= unit;
  if (!row) b[n] /= unit_of(p, n);
  fill(p, row, unit);
  ms_path_move(p, b, p->right);
  if (!eliminate(p, b)) {
    fill(p, row, unit);
    ms_path_move(p, p->right, b);
    if (!solve_shortest(p, b)) {
      return ms_fail(p->ctx, MS_NOT_CONVERGED, "the Jacobian is singular");
    }
  }
  for (ptrdiff_t j = 0; j < N; j++) b[j] *= unit_of(p, j);
  return MS_SUCCESS;
}

/* ---- Newton ---- */

static int out_of_reach(ms_status status) {
  return status > 0 || status == MS_ERR_NUMERIC;
}

/* R and J at x; the error is R's size, HUGE_VAL where x is out of reach. */
ms_status ms_path_measure(ms_path *p, const double *x, double *error) {
  double size = 0.0;
  if (ms_clock() - p->began > p->tol->patience) MS_TRY(ms_check_stop(p->ctx, p->title));
  ms_status status = p->eval(p->self, x, p->R, p->J, &size);
  *error = HUGE_VAL;
  if (status == MS_CANCELLED) return status;
  p->unreached = out_of_reach(status);
  if (p->unreached) return MS_SUCCESS;
  MS_TRY(status);
  double r = ms_path_norm(p->n, p->R);
  if (isfinite(r)) *error = r > 0.0 ? r / size : 0.0;
  return MS_SUCCESS;
}

/* From p->x_next to the curve, in the plane across `row` through there (NULL: at this parameter).
   R and J are those of the result. */
ms_status ms_path_correct(ms_path *p, const double *row, int *iterations, double *error) {
  const ptrdiff_t N = p->n + 1;
  double before = HUGE_VAL, part = 1.0;
  int halvings = 0;
  memcpy(p->x_try, p->x_next, (size_t)N * sizeof *p->x);
  for (*iterations = 1; *iterations <= p->newton_max; ++*iterations) {
    MS_TRY(ms_path_measure(p, p->x_next, error));
    if (*error <= p->tolerance) return MS_SUCCESS;
    if (isfinite(before) && *error >= before &&
        halvings < MAX_HALVINGS) { /* shorter along the same direction */
      halvings++;
      part *= 0.5;
      for (ptrdiff_t i = 0; i < N; i++) p->x_next[i] += part * p->best[i];
      continue;
    }
    if (*error == HUGE_VAL) break;
    before = *error;
    part = 1.0;
    halvings = 0;
    memcpy(p->best, p->R, (size_t)p->n * sizeof *p->R);
    p->best[p->n] = 0.0;
    for (ptrdiff_t i = 0; row && i < N; i++) {
      p->best[p->n] += (p->w[i] * row[i]) * (p->w[i] * (p->x_next[i] - p->x_try[i]));
    }
    if (ms_path_solve(p, row, p->best) != MS_SUCCESS) break;
    for (ptrdiff_t i = 0; i < N; i++) p->x_next[i] -= p->best[i];
  }
  if (p->unreached) return MS_NOT_CONVERGED; /* with the message of eval */
  return ms_fail(p->ctx, MS_NOT_CONVERGED, "no solution in %d iterations (residual %.2g)",
                 p->newton_max, *error);
}
