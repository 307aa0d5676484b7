/* The flexibility of a model at its contact points, by blocks of columns. */
#include <math.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "core/internal.h"
#include "fem/contact/kept.h"
#include "fem/solve/petsc.h"

enum { BLOCK = 30 }; /* columns at a time: ten points */

typedef struct work {
  ms_fem_model *m;
  ms_solver solver;
  double *column; /* BLOCK columns of the model */
  ms_fem_condensed *out;
} work;

/* f += B column. */
static void apply_force(const ms_fem_model *m, ptrdiff_t column, double *f) {
  const ms_fem_contact_point *p = &m->contact_point[column / 3];
  const double *axis = p->axes + 3 * (column % 3);
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < p->n[s]; i++) {
      const double N = (s == 0 ? 1.0 : -1.0) * p->N[s][i];
      for (int a = 0; a < 3; a++) f[m->first[p->node[s][i]] + a] += N * axis[a];
    }
  }
}

/* B^T u */
static void measure(const ms_fem_model *m, const double *u, double *z) {
  for (ptrdiff_t k = 0; k < 3 * m->n_contact_point; k++) {
    const ms_fem_contact_point *p = &m->contact_point[k / 3];
    const double *axis = p->axes + 3 * (k % 3);
    z[k] = 0.0;
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < p->n[s]; i++) {
        const double N = (s == 0 ? 1.0 : -1.0) * p->N[s][i];
        for (int a = 0; a < 3; a++) z[k] += N * axis[a] * u[m->first[p->node[s][i]] + a];
      }
    }
  }
}

static ms_status solve(work *w, ptrdiff_t n, double *f) {
  for (ptrdiff_t j = 0; j < n; j++) ms_fem_project(w->m, f + w->m->n * j);
  MS_TRY(ms_solver_solve(w->m, &w->solver, n, f));
  for (ptrdiff_t j = 0; j < n; j++) ms_fem_expand(w->m, f + w->m->n * j, 0);
  return MS_SUCCESS;
}

static ms_status fill_flexibility(work *w) {
  const ms_fem_model *m = w->m;
  const ptrdiff_t n = 3 * m->n_contact_point;
  double *H = w->out->H;
  for (ptrdiff_t j = 0; j < n; j += BLOCK) {
    const ptrdiff_t some = n - j < BLOCK ? n - j : BLOCK;
    memset(w->column, 0, (size_t)(some * m->n) * sizeof *w->column);
    for (ptrdiff_t k = 0; k < some; k++) apply_force(m, j + k, w->column + m->n * k);
    MS_TRY(solve(w, some, w->column));
    for (ptrdiff_t k = 0; k < some; k++) measure(m, w->column + m->n * k, H + n * (j + k));
    MS_TRY(ms_progress(m->ctx, "flexibility of the contacts", (double)(j + some) / (double)n));
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < j; i++)
      H[i + n * j] = H[j + n * i] = 0.5 * (H[i + n * j] + H[j + n * i]);
  }
  return MS_SUCCESS;
}

static ms_status fill_loads(work *w, const double *load) {
  const ms_fem_model *m = w->m;
  ms_fem_condensed *o = w->out;
  memcpy(o->u_load, load, (size_t)(o->n_load * m->n) * sizeof *load);
  MS_TRY(solve(w, o->n_load, o->u_load));
  for (ptrdiff_t k = 0; k < o->n_load; k++) {
    measure(m, o->u_load + m->n * k, o->z_load + 3 * o->n_point * k);
    for (ptrdiff_t l = 0; l < o->n_load; l++) {
      double *sum = &o->load_load[l + o->n_load * k];
      for (ptrdiff_t i = 0; i < m->n; i++) *sum += load[i + m->n * l] * o->u_load[i + m->n * k];
    }
  }
  return MS_SUCCESS;
}

static ms_status reserve(work *w) {
  ms_context *ctx = w->m->ctx;
  ms_fem_condensed *o = w->out;
  const ptrdiff_t n = 3 * o->n_point;
  MS_TRY(ms_allocate(ctx, o->n_point, sizeof *o->point, &o->point));
  MS_TRY(ms_allocate(ctx, n * n, sizeof *o->H, &o->H));
  MS_TRY(ms_allocate(ctx, n, sizeof *o->S_0, &o->S_0));
  MS_TRY(ms_allocate(ctx, n * o->n_load, sizeof *o->z_load, &o->z_load));
  MS_TRY(ms_allocate(ctx, o->n_load * o->n_load, sizeof *o->load_load, &o->load_load));
  MS_TRY(ms_allocate(ctx, w->m->n * o->n_load, sizeof *o->u_load, &o->u_load));
  return ms_allocate(ctx, BLOCK * w->m->n, sizeof *w->column, &w->column);
}

static ms_status condense(work *w, const double *load, const ms_fem_condensed *known) {
  ms_fem_model *m = w->m;
  const ptrdiff_t n = 3 * m->n_contact_point;
  MS_TRY(reserve(w));
  for (ptrdiff_t i = 0; i < m->n_contact_point; i++) {
    const ms_fem_contact_point *p = &m->contact_point[i];
    w->out->point[i] = (ms_contact_point) { p->mu, p->gap, p->K_n, p->K_t, p->contact };
    memcpy(w->out->S_0 + 3 * i, p->spring, sizeof p->spring);
  }
  MS_TRY(ms_statics_open(m, &w->solver));
  int found = known != NULL;
  if (known) memcpy(w->out->H, known->H, (size_t)(n * n) * sizeof *w->out->H);
  if (!known) MS_TRY(ms_flexibility_find_key(m, &w->out->key));
  if (!known) MS_TRY(ms_flexibility_read(m->ctx, n * n, w->out, &found));
  if (!found) MS_TRY(fill_flexibility(w));
  return fill_loads(w, load);
}

ms_status ms_fem_condense_loads(ms_fem_model *m, ptrdiff_t n_load, const double *load,
                                const ms_fem_condensed *known, ms_fem_condensed *out) {
  *out = (ms_fem_condensed) { .n_point = m->n_contact_point, .n_load = n_load };
  if (!m->engine) return ms_fail(m->ctx, MS_ERR_STATE, "the model is not set up");
  if (m->n_contact_point == 0 || n_load < 1) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                   "a condensed model has contacts (ms_fem_add_contact) and at least one load");
  }
  if (known && known->n_point != m->n_contact_point) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT, "the flexibility is that of other contacts");
  }
  if (m->engine->Kg) {
    return ms_fail(m->ctx, MS_ERR_ARGUMENT,
                   "a model with contacts has no prescribed displacements but zero");
  }
  work w = { .m = m, .out = out };
  const ms_status status = condense(&w, load, known);
  ms_solver_close(m, &w.solver);
  ms_free(m->ctx, &w.column);
  if (status != MS_SUCCESS) ms_fem_condensed_free(m->ctx, out);
  return status;
}

ms_status ms_fem_condense(ms_fem_model *m, ptrdiff_t n_load, const double *load,
                          ms_fem_condensed *out) {
  return ms_fem_condense_loads(m, n_load, load, NULL, out);
}

void ms_fem_condensed_free(ms_context *ctx, ms_fem_condensed *c) {
  ms_contact_condensed_free(ctx, c);
}

ms_contact_problem ms_fem_condensed_get(const ms_fem_condensed *c) {
  return ms_contact_condensed_get(c);
}
