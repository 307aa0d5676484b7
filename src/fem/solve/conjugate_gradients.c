/* Conjugate gradients for several right-hand sides in step: one product with the matrix and one
   with the preconditioner serve all of them. A column that is done stands still. */
#include <math.h>

#include "fem/solve/multigrid.h"

enum { STEPS = 2000 };

/* X solution, R residual, Z = B R, P direction, Q = A P. */
typedef struct work {
  ms_fem_model *m;
  Mat A, X, R, Z, P, Q;
  PetscInt n; /* columns */
  double *rz, *pq, *rr, *stop;
} work;

/* y_j += a_j x_j for all columns, or y_j = x_j + a_j y_j. */
static ms_status add(work *w, const double *a, Mat X, Mat Y, int swap) {
  double *x, *y;
  PetscInt n, column;
  ms_columns_size(X, &n, &column);
  MS_TRY(ms_columns_read(w->m->ctx, X, &x));
  MS_TRY(ms_columns_read(w->m->ctx, Y, &y));
  for (PetscInt j = 0; j < column; j++) {
    const double *restrict xj = x + (ptrdiff_t)n * j, aj = a[j];
    double *restrict yj = y + (ptrdiff_t)n * j;
    for (PetscInt i = 0; i < n; i++) yj[i] = swap ? xj[i] + aj * yj[i] : yj[i] + aj * xj[i];
  }
  return MS_SUCCESS;
}

static int is_done(const work *w) {
  for (PetscInt j = 0; j < w->n; j++) {
    if (w->rr[j] > w->stop[j]) return 0;
  }
  return 1;
}

static ms_status step(work *w, ms_precondition apply, void *self, double *a) {
  ms_context *ctx = w->m->ctx;
  MS_TRY(ms_columns_multiply(ctx, w->A, w->P, &w->Q));
  MS_TRY(ms_columns_dot(ctx, w->P, w->Q, w->pq));
  /* The length of the next step for each column, 0 for those that are done. */
  for (PetscInt j = 0; j < w->n; j++) {
    int go = w->rr[j] > w->stop[j];
    if (go && !(w->pq[j] > 0.0 && w->rz[j] > 0.0)) {
      return ms_fail(w->m->ctx, MS_NOT_CONVERGED,
                     "the matrix is not positive definite: is there a part that can move freely?");
    }
    a[j] = go ? w->rz[j] / w->pq[j] : 0.0;
  }
  MS_TRY(add(w, a, w->P, w->X, 0));
  for (PetscInt j = 0; j < w->n; j++) a[j] = -a[j];
  MS_TRY(add(w, a, w->Q, w->R, 0));
  MS_TRY(ms_columns_dot(ctx, w->R, w->R, w->rr));
  if (is_done(w)) return MS_SUCCESS;
  MS_TRY(apply(self, w->R, w->Z));
  for (PetscInt j = 0; j < w->n; j++) a[j] = w->rz[j];
  MS_TRY(ms_columns_dot(ctx, w->R, w->Z, w->rz));
  for (PetscInt j = 0; j < w->n; j++) a[j] = a[j] > 0.0 ? w->rz[j] / a[j] : 0.0;
  return add(w, a, w->Z, w->P, 1);
}

static ms_status begin(work *w, ms_precondition apply, void *self, Mat B, double tolerance) {
  ms_context *ctx = w->m->ctx;
  double *x;
  PetscInt n, column;
  Mat *block[] = { &w->R, &w->Z, &w->P };
  for (int i = 0; i < 3; i++) MS_TRY(ms_columns_create(ctx, w->A, w->n, block[i]));
  ms_columns_size(w->X, &n, &column);
  MS_TRY(ms_columns_read(ctx, w->X, &x));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * column; i++) x[i] = 0.0;
  MS_TRY(ms_columns_copy(ctx, B, w->R));
  MS_TRY(ms_columns_dot(ctx, w->R, w->R, w->rr));
  for (PetscInt j = 0; j < w->n; j++) w->stop[j] = tolerance * tolerance * w->rr[j];
  MS_TRY(apply(self, w->R, w->Z));
  MS_TRY(ms_columns_copy(ctx, w->Z, w->P));
  return ms_columns_dot(ctx, w->R, w->Z, w->rz);
}

static ms_status iterate(work *w, ms_precondition apply, void *self, Mat B, double tolerance,
                         double *a) {
  MS_TRY(begin(w, apply, self, B, tolerance));
  for (int k = 0; k < STEPS; k++) {
    if (is_done(w)) return MS_SUCCESS;
    MS_TRY(step(w, apply, self, a));
    MS_TRY(ms_progress(w->m->ctx, "conjugate gradients", (double)k / STEPS));
  }
  return ms_fail(
      w->m->ctx, MS_NOT_CONVERGED,
      "conjugate gradients gave up after %d steps: is there a part that can move freely?", STEPS);
}

ms_status ms_gradients_solve(ms_fem_model *m, Mat A, ms_precondition apply, void *self, Mat B,
                             double tolerance, Mat X) {
  work w = { .m = m, .A = A, .X = X };
  double *scratch;
  PetscInt row;
  ms_columns_size(B, &row, &w.n);
  MS_TRY(ms_allocate(m->ctx, 5 * (ptrdiff_t)w.n, sizeof *scratch, &scratch));
  w.rz = scratch;
  w.pq = scratch + w.n;
  w.rr = scratch + 2 * w.n;
  w.stop = scratch + 3 * w.n;
  ms_status status = iterate(&w, apply, self, B, tolerance, scratch + 4 * w.n);
  MatDestroy(&w.R);
  MatDestroy(&w.Z);
  MatDestroy(&w.P);
  MatDestroy(&w.Q);
  ms_free(m->ctx, &scratch);
  return status;
}
