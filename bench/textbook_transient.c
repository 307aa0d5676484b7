#include "textbook_transient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *zeros(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) abort();
  return p;
}

static textbook_run create(const textbook_model *model, double dt) {
  size_t n = (size_t)model->n;
  textbook_run run = { .model = *model, .dt = dt };
  double **part[] = { &run.u, &run.v, &run.a, &run.u_new, &run.v_new, &run.a_new, &run.r, &run.F };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = zeros(n, sizeof(double));
  run.A = zeros(n * n, sizeof *run.A);
  return run;
}

static void destroy(textbook_run *run) {
  double *part[] = { run->u,     run->v, run->a, run->u_new, run->v_new,
                     run->a_new, run->r, run->F, run->A };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) free(part[i]);
  for (int j = 0; j < run->model.joints; j++) textbook_destroy(&run->model.joint[j]);
}

static void start(textbook_run *run) {
  size_t bytes = (size_t)run->model.n * sizeof(double);
  memset(run->u, 0, bytes);
  memset(run->v, 0, bytes);
  memset(run->a, 0, bytes);
  for (int j = 0; j < run->model.joints; j++) textbook_start(&run->model.joint[j]);
  run->steps = run->evaluations = 0;
}

/* ---- the sliders: force and slope with the anchors as they are, anchors once u is found ---- */

static double try_sliders(const textbook *t, double u, double *slope) {
  const double *restrict phi = t->phi, *restrict k = t->stiffness, *restrict x = t->anchor;
  double F = 0.0, K = 0.0;
  for (int i = 0; i < t->n; i++) {
    double e = u - x[i];
    double c = e > phi[i] ? phi[i] : e < -phi[i] ? -phi[i] : e;
    K += c == e ? k[i] : 0.0;
    F += k[i] * c;
  }
  *slope = K;
  return F;
}

static void move_sliders(textbook *t, double u) {
  const double *restrict phi = t->phi;
  double *restrict x = t->anchor;
  for (int i = 0; i < t->n; i++) {
    double e = u - x[i];
    x[i] = u - (e > phi[i] ? phi[i] : e < -phi[i] ? -phi[i] : e);
  }
}

/* ---- the linear solution ---- */

/* A x = r for symmetric A by elimination with row exchange, x in place of r; rows of A are at
   A + n*i. Up to 60 unknowns this is faster than LAPACK's dgesv with one thread, and far faster
   than with two. */
static int eliminate(int n, double *restrict A, double *restrict r) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) p = fabs(A[n * i + k]) > fabs(A[n * p + k]) ? i : p;
    if (A[n * p + k] == 0.0) return 1;
    for (int j = 0; p != k && j < n; j++) {
      double swap = A[n * k + j];
      A[n * k + j] = A[n * p + j];
      A[n * p + j] = swap;
    }
    double swap = r[k], inverse = 1.0 / A[n * k + k];
    r[k] = r[p];
    r[p] = swap;
    for (int i = k + 1; i < n; i++) {
      double l = A[n * i + k] * inverse;
      for (int j = k + 1; j < n; j++) A[n * i + j] -= l * A[n * k + j];
      r[i] -= l * r[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) r[k] -= A[n * k + j] * r[j];
    r[k] /= A[n * k + k];
  }
  return 0;
}

/* ---- one step ---- */

/* r += A x, by columns, which vectorise. */
static void add_product(int n, const double *restrict A, const double *restrict x,
                        double *restrict r) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) r[i] += A[n * j + i] * x[j];
  }
}

static double largest(int n, const double *x) {
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

/* r := M a + C v + K u + B f - F and the slopes of the joints. Returns the size of inertia and
   force, as the scale of r. */
static double residual(textbook_run *run) {
  const textbook_model *m = &run->model;
  const double c0 = 4.0 / (run->dt * run->dt), c1 = 2.0 / run->dt;
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double du = run->u_new[i] - run->u[i];
    run->v_new[i] = c1 * du - run->v[i];
    run->a_new[i] = c0 * du - 2.0 * c1 * run->v[i] - run->a[i];
  }
  memset(run->r, 0, (size_t)n * sizeof *run->r);
  add_product(n, m->M, run->a_new, run->r);
  double scale = largest(n, run->r) + largest(n, run->F);
  add_product(n, m->C, run->v_new, run->r);
  add_product(n, m->K, run->u_new, run->r);
  for (int i = 0; i < n; i++) run->r[i] -= run->F[i];
  for (int j = 0; j < m->joints; j++) {
    double z = run->u_new[m->to[j]] - run->u_new[m->from[j]];
    double f = try_sliders(&m->joint[j], z, &run->slope[j]);
    run->r[m->to[j]] += f;
    run->r[m->from[j]] -= f;
  }
  return scale;
}

/* A := dr/du. */
static void assemble(textbook_run *run) {
  const textbook_model *m = &run->model;
  const double c0 = 4.0 / (run->dt * run->dt), c1 = 2.0 / run->dt;
  int n = m->n;
  for (int i = 0; i < n * n; i++) run->A[i] = c0 * m->M[i] + c1 * m->C[i] + m->K[i];
  for (int j = 0; j < m->joints; j++) {
    int from = m->from[j], to = m->to[j];
    run->A[to + n * to] += run->slope[j];
    run->A[from + n * from] += run->slope[j];
    run->A[from + n * to] -= run->slope[j];
    run->A[to + n * from] -= run->slope[j];
  }
}

#define TOLERANCE 1e-9
enum { MAX_ITERATIONS = 50 };

static void accept(textbook_run *run) {
  size_t bytes = (size_t)run->model.n * sizeof(double);
  memcpy(run->u, run->u_new, bytes);
  memcpy(run->v, run->v_new, bytes);
  memcpy(run->a, run->a_new, bytes);
  for (int j = 0; j < run->model.joints; j++) {
    const double *u = run->u;
    move_sliders(&run->model.joint[j], u[run->model.to[j]] - u[run->model.from[j]]);
  }
  run->steps++;
}

static int step(textbook_run *run) {
  int n = run->model.n;
  for (int i = 0; i < n; i++) {
    double du = run->dt * run->v[i] + 0.5 * run->dt * run->dt * run->a[i];
    run->u_new[i] = run->extrapolate ? run->u[i] + du : run->u[i];
  }
  for (int k = 0; k < MAX_ITERATIONS; k++) {
    double scale = residual(run);
    run->evaluations++;
    if (largest(n, run->r) <= TOLERANCE * scale) {
      accept(run);
      return 0;
    }
    assemble(run);
    if (eliminate(n, run->A, run->r)) return 1;
    for (int i = 0; i < n; i++) run->u_new[i] -= run->r[i];
  }
  return 1;
}

const textbook_method TEXTBOOK_TABLE = {
  .flags = MS_TEXTBOOK_FLAGS,
  .create = create,
  .destroy = destroy,
  .start = start,
  .step = step,
};
