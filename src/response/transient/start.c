/* Where a run starts: a given state, or the static equilibrium under a preload. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "response/transient/impl.h"

enum { PRELOAD_PARTS = 32 }; /* a preload grows in so many */

/* q = Phi^T M u. */
static void to_modal(const ms_transient *run, const double *u, double *q) {
  ptrdiff_t n = run->m;
  const ms_structure *s = run->structure;
  memset(q, 0, (size_t)n * sizeof *q);
  for (ptrdiff_t j = 0; u && j < n; j++) {
    double Mu = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) Mu += s->M[i + n * j] * u[i];
    for (ptrdiff_t r = 0; r < n; r++) q[r] += s->shape[j + n * r] * Mu;
  }
}

static ms_status start_joints(ms_transient *run) {
  for (int k = 0; k < run->structure->n_attachment; k++) {
    MS_TRY(ms_joint_start(run->structure->attachment[k].joint, NULL));
  }
  return MS_SUCCESS;
}

/* q, v, z, d and the joints are in place: time, loads, acceleration, energy. */
static ms_status start_clock(ms_transient *run, double t0) {
  double kinetic, elastic, stored = 0.0, dissipated = 0.0;
  run->t = t0;
  run->step = 0;
  run->count = (ms_transient_count) { .steps = 0 };
  memset(run->p, 0, (size_t)run->m * sizeof *run->p);
  run->loaded = ms_transient_eval_loads(run, t0, run->p) ? 2 : 1;
  /* a = p - c v - omega^2 q - gamma d. */
  ptrdiff_t m = run->m;
  for (ptrdiff_t r = 0; r < m; r++) {
    double a = run->p[r] - run->omega[r] * run->omega[r] * run->q[r];
    if (!run->damping_full) a -= run->damping[r] * run->v[r];
    for (ptrdiff_t k = 0; run->damping_full && k < m; k++) {
      a -= run->damping_full[r + m * k] * run->v[k];
    }
    for (ptrdiff_t j = 0; j < run->n; j++) a -= run->gamma[r + m * j] * run->d[j];
    run->a[r] = a;
  }
  run->input = run->viscous = run->largest = run->largest_input = 0.0;
  memset(run->v_square, 0, (size_t)run->m * sizeof *run->v_square);
  memset(run->a_square, 0, (size_t)run->m * sizeof *run->a_square);
  run->sample_at = 1;
  double *past[] = { run->z_rate, run->most_rate, run->most_curvature, run->d_rate };
  for (int i = 0; i < 4; i++) memset(past[i], 0, (size_t)run->n * sizeof **past);
  run->dt_before = run->setting.step;
  if (ms_transient_joint_energy(run, &stored, &dissipated) != MS_SUCCESS)
    ms_context_clear_message(run->ctx);
  run->start_energy = ms_transient_mechanical_energy(run, &kinetic, &elastic) + stored + dissipated;
  if (run->contact) MS_TRY(ms_transient_start_contact(run));
  return isfinite(run->start_energy) ? MS_SUCCESS : ms_transient_refuse_energy(run);
}

ms_status ms_transient_start(ms_transient *run, double t0, const double *u, const double *v) {
  MS_TRY(ms_parts_use(run, 0));
  to_modal(run, u, run->q);
  to_modal(run, v, run->v);
  ms_transient_project(run, run->q, run->z);
  ms_transient_project(run, run->v, run->w);
  MS_TRY(start_joints(run));
  MS_TRY(ms_transient_eval_joints(run, 0.0));
  memcpy(run->d, run->r, (size_t)run->n * sizeof *run->d);
  MS_TRY(ms_transient_commit_joints(run));
  return start_clock(run, t0);
}

/* ---- static equilibrium: omega^2 q + gamma d = p, so z = z_1 - H_0 d(z) ---- */

/* p := Phi^T force, which must leave rigid-body modes alone. */
static ms_status static_force(ms_transient *run, const double *force, double *p) {
  ptrdiff_t m = run->m;
  double size = 0.0;
  for (ptrdiff_t r = 0; r < m; r++) {
    p[r] = 0.0;
    for (ptrdiff_t i = 0; i < m; i++) p[r] += run->structure->shape[i + m * r] * force[i];
    if (!isfinite(p[r])) return ms_fail(run->ctx, MS_ERR_NUMERIC, "the preload is not finite");
    size = fmax(size, fabs(p[r]));
  }
  for (ptrdiff_t r = 0; r < m; r++) {
    if (run->omega[r] > 0.0 || fabs(p[r]) <= ms_structure_tol.rigid_force * size) continue;
    return ms_fail(run->ctx, MS_ERR_ARGUMENT,
                   "the preload pushes rigid-body mode %td: nothing holds the structure", r + 1);
  }
  return MS_SUCCESS;
}

/* x := x/omega^2, nothing of rigid-body modes. */
static void flex(const ms_transient *run, const double *p, double *x) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    double w = run->omega[r];
    x[r] = w > 0.0 ? p[r] / (w * w) : 0.0;
  }
}

/* The force grows in equal parts, and the joints follow. p is in p_next. */
static ms_status load_slowly(ms_transient *run) {
  ptrdiff_t n = run->n;
  double *z_1 = run->z_whole;
  flex(run, run->p_next, run->q);
  ms_transient_project(run, run->q, z_1);
  memset(run->d, 0, (size_t)n * sizeof *run->d);
  memset(run->w_free, 0, (size_t)n * sizeof *run->w_free);
  for (int k = 1; n > 0 && k <= PRELOAD_PARTS; k++) {
    for (ptrdiff_t i = 0; i < n; i++) run->z_free[i] = z_1[i] * k / PRELOAD_PARTS;
    ms_status status = ms_transient_solve_joints(run);
    if (status == MS_NOT_CONVERGED) {
      return ms_fail_at(
          run->ctx, status,
          "no static equilibrium from %g of the preload on: the joints cannot hold it",
          (k - 1.0) / PRELOAD_PARTS);
    }
    MS_TRY(status);
    MS_TRY(ms_transient_commit_joints(run));
  }
  memcpy(run->a_next, run->p_next, (size_t)run->m * sizeof *run->a_next);
  for (ptrdiff_t j = 0; j < n; j++) {
    const double *gamma = run->gamma + run->m * j;
    for (ptrdiff_t r = 0; r < run->m; r++) run->a_next[r] -= run->d[j] * gamma[r];
  }
  flex(run, run->a_next, run->q);
  return MS_SUCCESS;
}

/* r += M Phi f over y: forces of curvature, which are modal ones. x is n long. */
static void push_curved(const ms_transient *run, const ms_attachment *attachment, double *x,
                        double *r) {
  const ms_structure *s = run->structure;
  const ptrdiff_t n = s->n;
  memset(x, 0, (size_t)n * sizeof *x);
  for (ptrdiff_t k = 0; k < attachment->n_curved; k++) {
    for (ptrdiff_t i = 0; i < n; i++)
      x[i] += s->shape[i + n * k] * run->f[attachment->first_curved + k];
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) r[i] += s->M[i + n * k] * x[k];
  }
}

/* K u + B f - force, the largest of it over the largest force. Where slip forces are all that holds
   a part, 1 - H K_T is rounding alone and the joints' equation has answers out in the void; the
   forces themselves do not balance there. x and r are n long. */
static double force_left_over(const ms_transient *run, const double *force, double *x, double *r) {
  const ms_structure *s = run->structure;
  const ptrdiff_t n = run->m;
  double left = 0.0, size = 0.0;
  memset(x, 0, (size_t)n * sizeof *x);
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) x[i] += s->shape[i + n * k] * run->q[k];
  }
  for (ptrdiff_t i = 0; i < n; i++) r[i] = -force[i];
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) r[i] += s->K[i + n * k] * x[k];
  }
  for (int k = 0; k < s->n_attachment; k++) {
    const ms_attachment *attachment = &s->attachment[k];
    for (int a = 0; a < attachment->joint->law->info.n_axis; a++) {
      ms_attachment_push(s, attachment, a, run->f[attachment->first + a], r);
    }
    if (attachment->n_curved > 0) push_curved(run, attachment, x, r);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    left = fmax(left, fabs(r[i]));
    size = fmax(size, fabs(force[i]));
  }
  return left > 0.0 ? left / size : 0.0;
}

ms_status ms_transient_start_static(ms_transient *run, double t0, const double *force,
                                    const double *v) {
  MS_TRY(ms_parts_use(run, 0));
  double dt = run->dt;
  MS_TRY(static_force(run, force, run->p_next));
  MS_TRY(start_joints(run));
  /* H and Hv of a standstill in place of the step's; ms_transient_fill_H restores them. */
  ptrdiff_t n = run->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    flex(run, run->gamma + run->m * j, run->q_next);
    ms_transient_project(run, run->q_next, run->H + n * j);
  }
  memset(run->Hv, 0, (size_t)(n * n) * sizeof *run->Hv);
  run->dt = 0.0;
  ms_status status = load_slowly(run);
  if (status == MS_SUCCESS) {
    double left = force_left_over(run, force, run->q_next, run->a_next);
    if (!(left <= run->setting.tol.held)) {
      status = ms_fail(run->ctx, MS_NOT_CONVERGED,
                       "no static equilibrium: forces of %.2g of the preload stay unbalanced; the "
                       "joints cannot hold it",
                       left);
    }
  }
  run->dt = dt;
  ms_transient_fill_H(run);
  if (status != MS_SUCCESS) {
    char why[200];
    snprintf(why, sizeof why, "%s", ms_context_message(run->ctx));
    MS_TRY(ms_transient_start(run, t0, NULL, NULL));
    return ms_fail(run->ctx, status, "%s", why);
  }
  to_modal(run, v, run->v);
  ms_transient_project(run, run->v, run->w);
  return start_clock(run, t0);
}
