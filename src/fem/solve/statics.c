/* Static solutions, and the sums that follow from the matrices. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "fem/solve/free_motions.h"

static ms_status check_ready(const ms_fem_model *m) {
  if (m->engine) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
}

/* ---- mass ---- */

ms_status ms_fem_get_mass(ms_fem_model *m, double *mass) {
  MS_TRY(check_ready(m));
  *mass = m->engine->mass;
  return MS_SUCCESS;
}

/* ---- loads ---- */

/* The lowest eigenvalue, about: an inverse iteration from a vector without pattern. A free motion
   is enlarged by the inverse of what rounding left of its eigenvalue, and drowns everything else.
 */
static ms_status find_lowest(ms_fem_model *m, ms_solver *s, double *x, double *y, double *lambda) {
  for (ptrdiff_t i = 0; i < m->n; i++) {
    y[i] = m->T.row_of[i] < 0 ? 1.0 + 0.5 * sin(1.7 * (double)i) : 0.0;
  }
  MS_TRY(ms_fem_multiply(m, m->engine->M, 1, y, x));
  MS_TRY(ms_solver_solve(m, s, 1, x));
  MS_TRY(ms_fem_multiply(m, m->engine->K, 1, x, y));
  double energy = ms_dot(m->n, x, y);
  MS_TRY(ms_fem_multiply(m, m->engine->M, 1, x, y));
  *lambda = energy / ms_dot(m->n, x, y);
  return MS_SUCCESS;
}

/* Where the motions of the mesh are not known, and rounding alone shows one. */
static ms_status refuse_soft(ms_fem_model *m, ms_solver *s) {
  double *x = NULL, *y = NULL, lambda = 0.0;
  ms_status status = ms_allocate(m->ctx, m->n, sizeof *x, &x);
  if (status == MS_SUCCESS) status = ms_allocate(m->ctx, m->n, sizeof *y, &y);
  if (status == MS_SUCCESS) status = find_lowest(m, s, x, y, &lambda);
  ms_free(m->ctx, &x);
  ms_free(m->ctx, &y);
  if (status != MS_SUCCESS) return status;
  if (lambda > m->engine->rounding) return MS_SUCCESS;
  return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                 "a part can move freely, so there is no static solution: fix it");
}

static ms_status refuse_free(ms_fem_model *m, int *known) {
  ms_free_motions f;
  ms_status status = ms_free_motions_find(m, m->engine->M, 0, &f);
  *known = f.known;
  if (status == MS_SUCCESS && f.n > 0) {
    status = ms_fail(m->ctx, MS_ERR_ARGUMENT,
                     "%s can move freely in %td way%s, so there is no static solution: fix it",
                     f.n > f.whole ? f.moves : "the body", f.n, f.n == 1 ? "" : "s");
  }
  ms_free_motions_free(m->ctx, &f);
  return status;
}

/* The largest relative residual of all columns; f are the right-hand sides, in unknowns. */
static ms_status find_residual(ms_fem_model *m, ptrdiff_t n, const double *f, const double *u,
                               double *worst) {
  double *y;
  *worst = 0.0;
  MS_TRY(ms_allocate(m->ctx, m->n, sizeof *y, &y));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t j = 0; j < n && status == MS_SUCCESS; j++) {
    const double *b = f + m->n * j;
    double size = 0.0, rest = 0.0;
    status = ms_fem_multiply(m, m->engine->K, 1, u + m->n * j, y);
    for (ptrdiff_t i = 0; i < m->n; i++) {
      size += b[i] * b[i];
      rest += (y[i] - b[i]) * (y[i] - b[i]);
    }
    if (size > 0.0) *worst = fmax(*worst, sqrt(rest / size));
  }
  ms_free(m->ctx, &y);
  return status;
}

ms_status ms_statics_open(ms_fem_model *m, ms_solver *s) {
  int known;
  MS_TRY(refuse_free(m, &known));
  MS_TRY(ms_solver_open(m, m->engine->K, s));
  return known ? MS_SUCCESS : refuse_soft(m, s);
}

static ms_status solve(ms_fem_model *m, ms_solver *s, ptrdiff_t n, double *f, double *u) {
  MS_TRY(ms_statics_open(m, s));
  for (ptrdiff_t j = 0; j < n; j++) {
    ms_fem_project(m, f + m->n * j);
    for (ptrdiff_t i = 0; m->engine->Kg && i < m->n; i++) f[i + m->n * j] -= m->engine->Kg[i];
  }
  memcpy(u, f, (size_t)(n * m->n) * sizeof *u);
  MS_TRY(ms_solver_solve(m, s, n, u));
  double residual;
  MS_TRY(find_residual(m, n, f, u, &residual));
  snprintf(m->line, sizeof m->line, "%s; residual %.1e", s->plan.text, residual);
  for (ptrdiff_t j = 0; j < n; j++) ms_fem_expand(m, u + m->n * j, 1);
  for (ptrdiff_t i = 0; i < n * m->n; i++) {
    if (!isfinite(u[i])) return ms_fail(m->ctx, MS_ERR_NUMERIC, "the solution is not finite");
  }
  return MS_SUCCESS;
}

ms_status ms_fem_solve(ms_fem_model *m, ptrdiff_t n, const double *load, double *u) {
  ms_solver s = { 0 };
  double *f;
  MS_TRY(check_ready(m));
  if (n < 1) return ms_fail(m->ctx, MS_ERR_ARGUMENT, "there are no loads");
  MS_TRY(ms_allocate(m->ctx, n * m->n, sizeof *f, &f));
  memcpy(f, load, (size_t)(n * m->n) * sizeof *f);
  ms_status status = solve(m, &s, n, f, u);
  ms_solver_close(m, &s);
  ms_free(m->ctx, &f);
  return status;
}
