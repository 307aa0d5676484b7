/* With the motions U that strain nothing, the loads f and the contact forces lambda of the last
   equilibrium, the bodies start to move as U b: of all b with which no closed point penetrates,
   R U b <= 0, the nearest to U^T (f + B lambda). Hildreth's method finds it. */
#include "fem/contact/left_free.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "core/internal.h"
#include "fem/solve/free_motions.h"
#include "fem/tolerance.h"

/* Component c of z at a point in each of the motions. */
static void fill_row(const ms_fem_model *m, const ms_fem_contact_point *p, int c, ptrdiff_t n,
                     const double *U, double *row) {
  const double *axis = p->axes + 3 * c;
  for (ptrdiff_t j = 0; j < n; j++) {
    row[j] = 0.0;
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < p->n[s]; i++) {
        const double *u = U + m->n * j + m->first[p->node[s][i]];
        const double N = (s == 0 ? 1.0 : -1.0) * p->N[s][i];
        row[j] += N * (axis[0] * u[0] + axis[1] * u[1] + axis[2] * u[2]);
      }
    }
  }
}

/* b on R b <= 0, n_row rows R (n x n_row) with multipliers mu, 0 at first. */
static void project(ptrdiff_t n, ptrdiff_t n_row, const double *R, double *mu, double *b) {
  enum { SWEEPS = 2000 };
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (ptrdiff_t i = 0; i < n_row; i++) {
      const double *r = R + n * i, rr = cblas_ddot((int)n, r, 1, r, 1);
      if (rr == 0.0) continue;
      const double step = fmax(-mu[i], cblas_ddot((int)n, r, 1, b, 1) / rr);
      mu[i] += step;
      cblas_daxpy((int)n, -step, r, 1, b, 1);
    }
  }
}

/* Of a body: u = t + w x r about the middle of its nodes, from sums over these. */
static void fit_body(const ms_fem_model *m, const ms_bodies *bodies, int32_t body, const double *u,
                     double t[3], double w[3], double *size) {
  double x_0[3] = { 0 }, A[9] = { 0 }, n = 0.0;
  int32_t pivot[3];
  memset(t, 0, 3 * sizeof *t);
  memset(w, 0, 3 * sizeof *w);
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t i = 0; i < m->mesh->n_node; i++) {
      if (bodies->of[i] != body || m->first[i] < 0) continue;
      const double *x = ms_fem_place(m, i), *v = u + m->first[i];
      if (pass == 0) n += 1.0;
      for (int a = 0; a < 3 && pass == 0; a++) x_0[a] += x[a], t[a] += v[a];
      if (pass == 0) continue;
      const double r[3] = { x[0] - x_0[0], x[1] - x_0[1], x[2] - x_0[2] };
      const double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        w[a] += r[b] * (v[c] - t[c]) - r[c] * (v[b] - t[b]);
        for (int d = 0; d < 3; d++) A[a + 3 * d] += (a == d ? rr : 0.0) - r[a] * r[d];
      }
      *size = fmax(*size, sqrt(rr));
    }
    for (int a = 0; a < 3 && pass == 0; a++) x_0[a] /= n, t[a] /= n;
  }
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, 3, 1, A, 3, pivot, w, 3)) memset(w, 0, 3 * sizeof *w);
}

static ms_status name_motion(ms_fem_model *m, const double *u, char *text, size_t size) {
  ms_bodies bodies = { 0 };
  ptrdiff_t node = -1;
  double most = 0.0, t[3], w[3], arm = 0.0;
  ms_status status = ms_bodies_find(m->ctx, m->mesh, &bodies);
  for (ptrdiff_t i = 0; i < m->mesh->n_node && !status; i++) {
    const double v = m->first[i] < 0 || bodies.of[i] < 0 ? 0.0 : cblas_dnrm2(3, u + m->first[i], 1);
    if (v > most) most = v, node = i;
  }
  if (node >= 0) {
    const int32_t body = bodies.of[node];
    fit_body(m, &bodies, body, u, t, w, &arm);
    const double along = cblas_dnrm2(3, t, 1), about = cblas_dnrm2(3, w, 1);
    const int turns = about * arm > along;
    double *d = turns ? w : t;
    for (int a = 0; a < 3; a++) {
      d[a] /= turns ? about : along;
      if (fabs(d[a]) < 5e-4) d[a] = 0.0; /* not -0 */
    }
    snprintf(text, size, "part '%.60s' %s (%.3g, %.3g, %.3g)",
             m->mesh->part_name[bodies.body[body].part], turns ? "turns about" : "moves along",
             d[0], d[1], d[2]);
  }
  ms_bodies_free(m->ctx, &bodies);
  return status;
}

ms_status ms_left_free_describe(ms_fem_model *m, const double *load, ptrdiff_t n,
                                const ms_fem_contact_point *point, const ms_contact *contact,
                                char *text, size_t size) {
  ms_free_motions f = { 0 };
  double *R = NULL;
  *text = '\0';
  ms_status status = ms_free_motions_find(m, m->engine->M, 0, &f);
  const ptrdiff_t k = f.n;
  if (!status && k > 0) status = ms_allocate(m->ctx, (k + 1) * n + 2 * k + m->n, sizeof *R, &R);
  if (R) {
    const ms_contact_state state = ms_contact_get(contact);
    double *mu = R + k * n, *b = mu + n, *row = b + k, *u = row + k;
    for (ptrdiff_t j = 0; j < k; j++) {
      ms_fem_expand(m, f.u + m->n * j, 0);
      b[j] = cblas_ddot((int)m->n, f.u + m->n * j, 1, load, 1);
    }
    for (ptrdiff_t i = 0; i < 3 * n; i++) {
      fill_row(m, &point[i / 3], (int)(i % 3), k, f.u, row);
      cblas_daxpy((int)k, state.lambda[i], row, 1, b, 1);
      if (i % 3 < 2 || state.status[i / 3] == MS_CONTACT_OPEN) continue;
      memcpy(R + k * (i / 3), row, (size_t)k * sizeof *row);
    }
    const double driven = cblas_dnrm2((int)k, b, 1);
    project(k, n, R, mu, b);
    for (ptrdiff_t j = 0; j < k; j++) cblas_daxpy((int)m->n, b[j], f.u + m->n * j, 1, u, 1);
    if (cblas_dnrm2((int)k, b, 1) > ms_mesh_tol.unbalanced * driven)
      status = name_motion(m, u, text, size);
  }
  ms_free(m->ctx, &R);
  ms_free_motions_free(m->ctx, &f);
  return status;
}
