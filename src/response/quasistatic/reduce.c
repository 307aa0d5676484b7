/* Sums over modes, once: what is left of the structure is as large as the joints. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

/* Rigid-body modes are left out of every sum, which is right if no joint moves with them. */
ms_status ms_static_check_rigid(const ms_quasistatic *run) {
  const ms_modal *m = &run->modal;
  for (int k = 0; k < m->n_attachment; k++) {
    for (ptrdiff_t i = m->attachment[k].first; i < m->attachment[k].first + run->attachment[k].n;
         i++) {
      const double *gamma = m->gamma + m->m * i;
      double largest = 0.0;
      for (ptrdiff_t j = 0; j < m->m; j++) largest = fmax(largest, fabs(gamma[j]));
      for (ptrdiff_t j = 0; j < m->m; j++) {
        if (m->omega[j] > 0.0 || fabs(gamma[j]) <= run->setting.tol.held * largest) continue;
        return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                       "joint %s has no stiffness at rest, and rigid-body mode %td moves it: "
                       "nothing says where it is",
                       m->attachment[k].name, j + 1);
      }
    }
  }
  return MS_SUCCESS;
}

/* z := sum over elastic modes of gamma_j x_j/omega_j^2, mode `skip` left out. */
static void flex(ms_quasistatic *run, const double *x, ptrdiff_t skip, double *z) {
  const ms_modal *m = &run->modal;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    const double *gamma = m->gamma + m->m * i;
    z[i] = 0.0;
    for (ptrdiff_t j = 0; j < m->m; j++) {
      double w = m->omega[j];
      if (w > 0.0 && j != skip) z[i] += gamma[j] * x[j] / (w * w);
    }
  }
  run->count.mode_terms += m->m * run->n;
}

void ms_static_reduce(ms_quasistatic *run) {
  const ms_modal *m = &run->modal;
  ptrdiff_t n = run->n;
  for (ptrdiff_t i = 0; i < n; i++) run->g[i] = m->gamma[run->r + m->m * i];
  for (ptrdiff_t i = 0; i < n; i++) flex(run, m->gamma + m->m * i, run->r, run->by_q.H + n * i);
  run->c_r = m->damping[run->r];
  ms_static_set_forms(run);
}

void ms_static_set_forms(ms_quasistatic *run) {
  const ptrdiff_t n = run->n;
  const double w_r = run->omega_r;
  for (ptrdiff_t i = 0; i < n; i++) {
    run->by_q.direction[i] = run->g[i];
    run->by_load.direction[i] = run->g[i] / (w_r * w_r);
    for (ptrdiff_t k = 0; k < n; k++) {
      run->by_load.H[k + n * i] = run->by_q.H[k + n * i] + run->g[i] * run->g[k] / (w_r * w_r);
    }
  }
}

ms_status ms_static_reduce_preload(ms_quasistatic *run, const double *force) {
  /* p := V^T Phi^T force with V the basis of the run, which must leave rigid-body modes alone. */
  const ms_modal *m = &run->modal;
  double size = 0.0;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    run->p[j] = 0.0;
    for (ptrdiff_t i = 0; i < m->m; i++) run->p[j] += ms_static_shape(run, j, i) * force[i];
    if (!isfinite(run->p[j])) return ms_fail(run->ctx, MS_ERR_NUMERIC, "the preload is not finite");
    size = fmax(size, fabs(run->p[j]));
  }
  for (ptrdiff_t j = 0; j < m->m; j++) {
    if (m->omega[j] > 0.0 || fabs(run->p[j]) <= ms_structure_tol.rigid_force * size) continue;
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "the preload pushes rigid-body mode %td: nothing holds the structure", j + 1);
  }
  flex(run, run->p, -1, run->by_force.direction);
  return MS_SUCCESS;
}
