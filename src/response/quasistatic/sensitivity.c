/* How omega and zeta of a level change with a joint's parameter p at fixed amplitude q, by implicit
   differentiation. A subscript p is a derivative at fixed displacement.

   rqnm does not know the stuck modes: in their basis, held fixed, d_p = f_p, and the derivatives of
   its three residuals are solved for z', lambda', q_r'.

   qsma loads with the shape of the stuck mode, which moves with the joint's stuck stiffness. With
   k = K_p g, that is phi_r' = sum over j != r of phi_j gamma_j^T k/(omega_r^2 - omega_j^2), and
   with

     G = sum over j != r of gamma_j gamma_j^T/(omega_j^2 (omega_r^2 - omega_j^2))

   q = phi_r^T M x at rest and the equilibrium give, d' the joints' slopes less the stuck ones,

     (I + H_r d') z' = -H_r f_p + alpha G k + g (k^T G d)
     alpha' = g^T (d' z' + f_p) + omega_r^2 k^T G d,          omega' = alpha'/(2 q omega).

   Then D' is the sum of the joints' D_u |z|' + D_omega omega' + D_p. */
#include <math.h>
#include <string.h>

#include "joint/gradient.h"
#include "response/quasistatic/impl.h"

/* What every parameter of a level shares. */
typedef struct sensitivity {
  ms_quasistatic *run;
  const ms_quasistatic_level *level;
  double *D_u, *D_omega; /* of each joint */
  double *Gd, *Gk;       /* n each */
  double *dz;            /* n + 2: z' and, of rqnm, lambda', q_r' */
  double *y;             /* of a full damping matrix: sum of gamma_j C_jr/(omega_r^2 - omega_j^2) */
  ms_joint_gradient *gradient;
} sensitivity;

/* ---- sums over modes ---- */

static ms_status check_repeated(const ms_quasistatic *run, ptrdiff_t j) {
  const ms_modal *m = &run->modal;
  if (fabs(m->omega[j] - run->omega_r) > ms_structure_tol.same_frequency * run->omega_r)
    return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    if (m->gamma[j + m->m * i] * run->g[i] == 0.0) continue;
    return ms_fail(run->ctx, MS_ERR_STATE,
                   "modes %td and %td have the same frequency: their shapes have no derivatives",
                   run->r + 1, j + 1);
  }
  return MS_SUCCESS;
}

static ms_status fill_G(ms_quasistatic *run) {
  const ms_modal *m = &run->modal;
  const ptrdiff_t n = run->n;
  memset(run->G, 0, (size_t)(n * n) * sizeof *run->G);
  for (ptrdiff_t j = 0; j < m->m; j++) {
    double w2 = m->omega[j] * m->omega[j];
    if (j == run->r || w2 == 0.0) continue;
    MS_TRY(check_repeated(run, j));
    double weight = 1.0 / (w2 * (run->omega_r * run->omega_r - w2));
    for (ptrdiff_t i = 0; isfinite(weight) && i < n; i++) {
      double g = weight * m->gamma[j + m->m * i];
      for (ptrdiff_t k = 0; k < n; k++) run->G[k + n * i] += g * m->gamma[j + m->m * k];
    }
  }
  run->count.mode_terms += m->m;
  return MS_SUCCESS;
}

static ms_status make_G(ms_quasistatic *run) {
  if (run->G) return MS_SUCCESS;
  MS_TRY(ms_allocate(run->ctx, run->n * run->n, sizeof *run->G, &run->G));
  ms_status status = run->tuning.store ? ms_static_retuned_G(run) : fill_G(run);
  if (status != MS_SUCCESS) ms_free(run->ctx, &run->G);
  return status;
}

static void fill_y(ms_quasistatic *run, double *y) {
  const ms_modal *m = &run->modal;
  if (run->tuning.store && run->structure->damping == MS_DAMPING_MATRIX) {
    ms_static_retuned_y(run, y);
    return;
  }
  for (ptrdiff_t j = 0; m->damping_full && j < m->m; j++) {
    double gap = run->omega_r * run->omega_r - m->omega[j] * m->omega[j];
    if (j == run->r || gap == 0.0) continue;
    for (ptrdiff_t i = 0; i < run->n; i++) {
      y[i] += m->gamma[j + m->m * i] * m->damping_full[j + m->m * run->r] / gap;
    }
  }
}

/* ---- one parameter ---- */

/* c of the stuck mode, for k = K_p g. */
static double damping_slope(const sensitivity *s, ptrdiff_t axis, double k) {
  const ms_quasistatic *run = s->run;
  const ms_structure *structure = run->structure;
  double w2_p = run->g[axis] * k; /* of omega_r^2 */
  switch (structure->damping) {
  case MS_DAMPING_MODAL:
    return structure->zeta[run->r] * w2_p / run->omega_r;
  case MS_DAMPING_RAYLEIGH:
    return structure->rayleigh[1] * w2_p;
  case MS_DAMPING_MATRIX:
    return 2.0 * s->y[axis] * k;
  case MS_DAMPING_NONE:
    break;
  }
  return 0.0;
}

/* z' and lambda' in dz; returns omega'. */
static ms_status differentiate_rqnm(sensitivity *s, ptrdiff_t axis, double f_p, double *omega_p) {
  ms_quasistatic *run = s->run;
  const ptrdiff_t n = run->n;
  ms_static_fill_rqnm(run, run->J);
  for (ptrdiff_t i = 0; i < n; i++) s->dz[i] = -run->H_l[i + n * axis] * f_p;
  s->dz[n] = -run->g[axis] * f_p;
  s->dz[n + 1] = -2.0 * run->Hp_d[axis] * f_p;
  if (ms_static_linear(run, n + 2, run->J, s->dz)) {
    return ms_fail(run->ctx, MS_ERR_NUMERIC, "the mode has no derivative here");
  }
  *omega_p = s->dz[n] / (2.0 * s->level->omega);
  return MS_SUCCESS;
}

static ms_status differentiate_qsma(sensitivity *s, ptrdiff_t axis, double f_p, double k,
                                    double *omega_p) {
  ms_quasistatic *run = s->run;
  const ptrdiff_t n = run->n;
  double kGd = k * s->Gd[axis];
  for (ptrdiff_t i = 0; i < n; i++) {
    s->Gk[i] = k != 0.0 ? run->G[i + n * axis] * k : 0.0;
    s->dz[i] = -run->by_q.H[i + n * axis] * f_p + s->level->alpha * s->Gk[i] + run->g[i] * kGd;
  }
  ms_static_fill_J(run, run->by_q.H, run->J, n);
  if (ms_static_linear(run, n, run->J, s->dz)) {
    return ms_fail(run->ctx, MS_ERR_NUMERIC, "the equilibrium has no derivative here");
  }
  ms_static_apply(run, s->dz, run->step);
  double alpha_p =
      ms_static_dot(n, run->g, run->step) + run->g[axis] * f_p + run->omega_r * run->omega_r * kGd;
  *omega_p = alpha_p / (2.0 * s->level->q * s->level->omega);
  return MS_SUCCESS;
}

static ms_status differentiate(sensitivity *s, int joint, const ms_joint_gradient *p,
                               ms_sensitivity *out) {
  const ms_quasistatic *run = s->run;
  const ms_quasistatic_level *level = s->level;
  const ptrdiff_t axis = run->attachment[joint].first;
  double k = p->d.stuck * run->g[axis], omega_p = 0.0, D_p = p->d.loss;
  *out = (ms_sensitivity) { .joint = joint,
                            .member = p->member,
                            .param = p->param,
                            .value = p->value,
                            .by_differences = p->by_differences };
  if (!isfinite(p->d.force) || !isfinite(k) || !isfinite(D_p)) return MS_SUCCESS;
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    MS_TRY(differentiate_rqnm(s, axis, p->d.force, &omega_p));
  } else {
    MS_TRY(differentiate_qsma(s, axis, p->d.force, k, &omega_p));
  }
  for (int j = 0; j < run->modal.n_attachment; j++) {
    ptrdiff_t i = run->attachment[j].first;
    D_p += s->D_u[j] * (level->z[i] < 0.0 ? -s->dz[i] : s->dz[i]) + s->D_omega[j] * omega_p;
  }
  double relative = omega_p / level->omega, pi = acos(-1.0);
  out->omega = omega_p;
  out->zeta_joint = D_p / (2.0 * pi * level->alpha * level->q) - 2.0 * level->zeta_joint * relative;
  out->zeta = out->zeta_joint + 0.5 * damping_slope(s, axis, k) / level->omega -
              level->zeta_viscous * relative;
  out->defined = isfinite(out->omega) && isfinite(out->zeta_joint) && isfinite(out->zeta);
  if (!out->defined) out->omega = out->zeta_joint = out->zeta = 0.0;
  return MS_SUCCESS;
}

/* ---- a level ---- */

ptrdiff_t ms_quasistatic_count_parameters(const ms_quasistatic *run) {
  ptrdiff_t n = 0;
  for (int j = 0; j < run->modal.n_attachment; j++)
    n += ms_joint_count_gradient(run->attachment[j].joint);
  return n;
}

/* d, d' and what is common, at the level's z from the virgin state. */
static ms_status prepare(sensitivity *s) {
  ms_quasistatic *run = s->run;
  const ptrdiff_t n = run->n;
  MS_TRY(ms_static_start(run));
  memcpy(run->z, s->level->z, (size_t)n * sizeof *run->z);
  MS_TRY(ms_static_eval(run, run->z));
  for (int j = 0; j < run->modal.n_attachment; j++) {
    MS_TRY(ms_joint_loss_slopes(run->attachment[j].joint, s->level->z[run->attachment[j].first],
                                s->level->omega, &s->D_u[j], &s->D_omega[j]));
  }
  if (run->setting.kind == MS_QUASISTATIC_RQNM) {
    fill_y(run, s->y);
    run->lambda = s->level->omega * s->level->omega;
    run->q_mode = s->level->q_mode;
    return ms_static_sum_rqnm(run);
  }
  MS_TRY(make_G(run));
  fill_y(run, s->y);
  for (ptrdiff_t i = 0; i < n; i++) s->Gd[i] = ms_static_dot(n, run->G + n * i, run->d);
  return MS_SUCCESS;
}

static ms_status fill(sensitivity *s, ms_sensitivity *out) {
  const ms_quasistatic *run = s->run;
  MS_TRY(prepare(s));
  for (int j = 0; j < run->modal.n_attachment; j++) {
    const ms_joint *joint = run->attachment[j].joint;
    int n = ms_joint_count_gradient(joint);
    MS_TRY(ms_joint_fill_gradient(joint, s->level->z[run->attachment[j].first], s->level->omega,
                                  s->gradient));
    for (int i = 0; i < n; i++) MS_TRY(differentiate(s, j, &s->gradient[i], out++));
  }
  return MS_SUCCESS;
}

ms_status ms_quasistatic_fill_sensitivity(ms_quasistatic *run, ptrdiff_t k, ms_sensitivity *out) {
  sensitivity s = { .run = run, .level = ms_quasistatic_get_level(run, k) };
  double *work = NULL;
  ptrdiff_t n = run->n, attachments = run->modal.n_attachment,
            total = ms_quasistatic_count_parameters(run);
  MS_TRY(ms_check_stop(run->ctx, "sensitivities"));
  if (!s.level) return ms_fail(run->ctx, MS_ERR_ARGUMENT, "there is no such level");
  if (s.level->method == MS_LOSS_CYCLED) {
    return ms_fail(run->ctx, MS_ERR_STATE,
                   "no sensitivities at amplitude %g: its loss comes from a cycle of the load",
                   s.level->q);
  }
  if (s.level->both_sides || run->basis) {
    return ms_fail(
        run->ctx, MS_ERR_STATE, "no sensitivities at amplitude %g: %s", s.level->q,
        run->basis ? "the modes are not the stuck ones" : "a joint is not the same on both sides");
  }
  for (int j = 0; j < run->modal.n_attachment; j++) {
    if (run->attachment[j].n == 1) continue;
    return ms_fail(run->ctx, MS_ERR_STATE, "no sensitivities: joint %s has several axes",
                   run->modal.attachment[j].name);
  }
  if (total == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(run->ctx, 2 * attachments + 4 * n + 2, sizeof *work, &work));
  s.D_u = work;
  s.D_omega = s.D_u + attachments;
  s.Gd = s.D_omega + attachments;
  s.Gk = s.Gd + n;
  s.y = s.Gk + n;
  s.dz = s.y + n;
  ms_status status = ms_allocate(run->ctx, total, sizeof *s.gradient, &s.gradient);
  if (status == MS_SUCCESS) status = fill(&s, out);
  ms_free(run->ctx, &s.gradient);
  ms_free(run->ctx, &work);
  return status;
}
