/* Another basis than that of the stuck modes: omega, damping and Gamma in terms of it. */
#include <string.h>

#include "response/quasistatic/impl.h"

double ms_static_damp(const ms_modal *m, const double *v) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < m->m; k++) {
    double Cv = m->damping_full ? ms_static_dot(m->m, m->damping_full + m->m * k, v) /* C = C^T */

                                : m->damping[k] * v[k];
    sum += v[k] * Cv;
  }
  return sum;
}

/* out := basis V, or V where the basis is that of the stuck modes. */
static void compose(ptrdiff_t m, const double *basis, const double *V, double *out) {
  memcpy(out, V, (size_t)(m * m) * sizeof *out);
  if (!basis) return;
  memset(out, 0, (size_t)(m * m) * sizeof *out);
  for (ptrdiff_t j = 0; j < m; j++) {
    for (ptrdiff_t k = 0; k < m; k++) {
      double v = V[k + m * j];
      for (ptrdiff_t i = 0; v != 0.0 && i < m; i++) out[i + m * j] += basis[i + m * k] * v;
    }
  }
}

ms_status ms_static_rebase(ms_quasistatic *run, const double *V, const double *omega) {
  const ms_modal stuck = ms_structure_view(run->structure);
  const ptrdiff_t m = stuck.m, n = stuck.n;
  double *own = NULL, *basis = NULL;
  MS_TRY(ms_allocate(run->ctx, m * m, sizeof *basis, &basis));
  ms_status status = ms_allocate(run->ctx, m * (2 + n), sizeof *own, &own);
  if (status != MS_SUCCESS) {
    ms_free(run->ctx, &basis);
    return status;
  }
  double *w = own, *c = own + m, *gamma = own + 2 * m;
  compose(m, run->basis, V, basis);
  memcpy(w, omega, (size_t)m * sizeof *w);
  for (ptrdiff_t j = 0; j < m; j++) {
    const double *v = basis + m * j;
    c[j] = ms_static_damp(&stuck, v);
    for (ptrdiff_t i = 0; i < n; i++) gamma[j + m * i] = ms_static_dot(m, stuck.gamma + m * i, v);
  }
  ms_free(run->ctx, &run->own);
  ms_free(run->ctx, &run->basis);
  run->own = own;
  run->basis = basis;
  run->modal.omega = w;
  run->modal.damping = c;
  run->modal.damping_full = NULL; /* no method that gets here asks for it */
  run->modal.gamma = gamma;
  run->omega_r = w[run->r];
  return MS_SUCCESS;
}

/* ---- displacement of coordinates ---- */

/* gamma_j^T d */
static double drive(const ms_quasistatic *run, ptrdiff_t j, const double *d) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < run->n; i++) sum += run->modal.gamma[j + run->modal.m * i] * d[i];
  return sum;
}

double ms_static_shape(const ms_quasistatic *run, ptrdiff_t j, ptrdiff_t i) {
  const ptrdiff_t m = run->modal.m;
  const double *phi = run->structure->shape;
  double x = 0.0;
  if (!run->basis) return phi[i + m * j];
  for (ptrdiff_t k = 0; k < m; k++) x += phi[i + m * k] * run->basis[k + m * j];
  return x;
}

/* q_j = -gamma_j^T d/(omega_j^2 - lambda) beside mode r itself, lambda = 0 of qsma. */
static double displace(const ms_quasistatic *run, ptrdiff_t i, double lambda, double q_r,
                       const double *d) {
  const ms_modal *m = &run->modal;
  double x = ms_static_shape(run, run->r, i) * q_r;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    if (j == run->r || m->omega[j] == 0.0 || (run->still && run->still[j])) continue;
    x -= ms_static_shape(run, j, i) * drive(run, j, d) / (m->omega[j] * m->omega[j] - lambda);
  }
  return x;
}

static double tip_displacement(const ms_quasistatic *run, ptrdiff_t k, ptrdiff_t i, int side) {
  const double *tip = ms_static_tip(run, k, side);
  return displace(run, i, tip[0], tip[1], tip + 2 + run->n);
}

/* d of half a loop's range, f - K_T z. */
static void fill_slip(const ms_quasistatic *run, const ms_quasistatic_level *level, double *d) {
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_static_attachment *attachment = &run->attachment[j];
    for (int a = 0; a < attachment->n; a++) {
      d[attachment->first + a] = level->f[attachment->first + a];
      for (int b = 0; b < attachment->n; b++) {
        d[attachment->first + a] -=
            attachment->stuck[a + attachment->n * b] * level->z[attachment->first + b];
      }
    }
  }
}

double ms_quasistatic_get_displacement(const ms_quasistatic *run, ptrdiff_t k, ptrdiff_t i) {
  const ms_quasistatic_level *level = ms_quasistatic_get_level(run, k);
  if (!level || i < 0 || i >= run->modal.m) return 0.0;
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    double x = tip_displacement(run, k, i, 0);
    return level->both_sides ? 0.5 * (x - tip_displacement(run, k, i, 1)) : x;
  }
  fill_slip(run, level, run->d);
  return displace(run, i, 0.0, level->q_mode, run->d);
}

ms_quasistatic_rest ms_quasistatic_get_rest(const ms_quasistatic *run) {
  double v = run->basis ? run->basis[run->r + run->modal.m * run->r] : 1.0;
  return (ms_quasistatic_rest) { .omega = run->omega_r, .mac = v * v, .moved = run->basis != NULL };
}
