/* The state of rest: virgin, or where joints with a force at rest, or a preload, bring it. About it
   the joints have tangents that may be others than their stuck stiffness (a gap that is closed, a
   contact that is open), and the modes are those of the structure with these tangents S,

     (diag(omega^2) + Gamma (S - K_T) Gamma^T) v = omega_rest^2 v,

   in the order of frequency: mode r at rest is the r-th of them. d = f - S z from then on. */
#include <math.h>
#include <string.h>

#include "response/quasistatic/impl.h"

enum { PRELOAD_PARTS = 32 }; /* a preload grows in so many */

/* ---- the joints ---- */

ms_status ms_static_start_joint(ms_quasistatic *run, int k) {
  if (!run->p) return ms_joint_start(run->attachment[k].joint, NULL);
  return ms_joint_load(run->attachment[k].joint, run->start[k], run->start_size[k]);
}

static ms_status start_virgin(ms_quasistatic *run) {
  for (int k = 0; k < run->modal.n_attachment; k++)
    MS_TRY(ms_joint_start(run->attachment[k].joint, NULL));
  memset(run->z_old, 0, (size_t)run->n * sizeof *run->z_old);
  return MS_SUCCESS;
}

ms_status ms_static_start(ms_quasistatic *run) {
  run->dt = 0.0;
  run->turned = 0;
  run->first_loading = 1;
  for (int k = 0; k < run->modal.n_attachment; k++) MS_TRY(ms_static_start_joint(run, k));
  memcpy(run->z_old, run->z_0, (size_t)run->n * sizeof *run->z_old);
  return MS_SUCCESS;
}

/* ---- modes at rest ---- */

/* After a turn a joint with Masing's rules is as stiff as it was when virgin, and one whose memory
   fades is so between its two sides. */
static int stays_stuck(const ms_joint *joint) {
  return (joint->law->info.flags & MS_LAW_MASING) || joint->law->fading;
}

/* The joint's tangent at rest, symmetric part, into `own`; whether it differs from K_T. */
static ms_status take_tangent(ms_quasistatic *run, int k, int *changed) {
  ms_static_attachment *attachment = &run->attachment[k];
  const double *virgin = ms_structure_view(run->structure).attachment[k].stuck;
  const int n = attachment->n;
  double size = 0.0, change = 0.0;
  if (stays_stuck(attachment->joint)) {
    memcpy(attachment->own, virgin, (size_t)(n * n) * sizeof *attachment->own);
    *changed |= memcmp(virgin, attachment->stuck, (size_t)(n * n) * sizeof *virgin) != 0;
    return MS_SUCCESS;
  }
  if (n == 1) {
    /* A cycle turns, so it is the tangent after a turn that counts: of one axis the larger of those
       on both sides of rest. */
    double z = run->z_0[attachment->first],
           step = run->setting.tol.beside_rest * (fabs(z) + ms_joint_slip_scale(attachment->joint));
    ms_joint_output out;
    for (int side = -1; side <= 1; side += 2) {
      attachment->in.u[0] = z + side * step;
      MS_TRY(ms_joint_update(attachment->joint, &attachment->in, &out, &attachment->trial));
      attachment->out.du[0] = fmax(attachment->out.du[0], out.du[0]);
    }
  }
  for (int ab = 0; ab < n * n; ab++) {
    double S = 0.5 * (attachment->out.du[ab] + attachment->out.du[ab / n + n * (ab % n)]);
    size = fmax(size, fmax(fabs(S), fabs(attachment->stuck[ab])));
    change = fmax(change, fabs(S - attachment->stuck[ab]));
    attachment->own[ab] = S;
  }
  if (change > run->setting.tol.same_stiffness * size) *changed = 1;
  return MS_SUCCESS;
}

/* Of mode i in joint axis `axis`. What rounding leaves of a rigid-body mode that does not move the
   joint is nothing: it would get a frequency. */
static double share(const ms_quasistatic *run, ptrdiff_t axis, ptrdiff_t i) {
  const ms_modal *m = &run->modal;
  const double *gamma = m->gamma + m->m * axis;
  double largest = 0.0;
  if (m->omega[i] > 0.0) return gamma[i];
  for (ptrdiff_t j = 0; j < m->m; j++) largest = fmax(largest, fabs(gamma[j]));
  return fabs(gamma[i]) > run->setting.tol.unmoved * largest ? gamma[i] : 0.0;
}

/* K := diag(omega^2) + Gamma (S - K_T) Gamma^T, M := 1. */
static void fill_matrices(const ms_quasistatic *run, double *K, double *M) {
  const ms_modal *m = &run->modal;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    K[j + m->m * j] = m->omega[j] * m->omega[j];
    M[j + m->m * j] = 1.0;
  }
  for (int k = 0; k < m->n_attachment; k++) {
    const ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      double change = attachment->own[ab] - attachment->stuck[ab];
      const ptrdiff_t a = attachment->first + ab % attachment->n,
                      b = attachment->first + ab / attachment->n;
      for (ptrdiff_t j = 0; change != 0.0 && j < m->m; j++) {
        const double push = change * share(run, b, j);
        for (ptrdiff_t i = 0; i < m->m; i++) K[i + m->m * j] += share(run, a, i) * push;
      }
    }
  }
}

/* From the modes of the run, with `stuck`, to those with `own`. */
static ms_status solve_modes(ms_quasistatic *run, const char *why, double *work) {
  const ptrdiff_t m = run->modal.m;
  double *K = work, *M = K + m * m, *V = M + m * m, *omega = V + m * m;
  const ms_rounding rounding = { .doubt = run->structure->rounding.doubt };
  fill_matrices(run, K, M);
  ms_status status = ms_modes_solve(run->ctx, m, K, M, &rounding, run->structure->name, omega, V);
  if (status != MS_SUCCESS) return ms_fail_at(run->ctx, status, "modes at rest");
  if (omega[run->r] == 0.0) {
    return ms_fail(run->ctx, MS_ERR_ARGUMENT, "mode %td has no frequency at rest: %s", run->r + 1,
                   why);
  }
  double *v = V + m * run->r;
  for (ptrdiff_t i = 0; v[run->r] < 0.0 && i < m; i++) v[i] = i == run->r ? v[i] : -v[i];
  v[run->r] = fabs(v[run->r]);
  MS_TRY(ms_static_rebase(run, V, omega));
  for (int k = 0; k < run->modal.n_attachment; k++)
    run->attachment[k].stuck = run->attachment[k].own;
  ms_static_reduce(run);
  return MS_SUCCESS;
}

static ms_status change_modes(ms_quasistatic *run, const char *why) {
  const ptrdiff_t m = run->modal.m;
  double *work;
  MS_TRY(ms_allocate(run->ctx, 3 * m * m + m, sizeof *work, &work));
  ms_status status = solve_modes(run, why, work);
  ms_free(run->ctx, &work);
  return status;
}

static ms_status linearise(ms_quasistatic *run) {
  int changed = 0;
  MS_TRY(ms_static_start(run));
  MS_TRY(ms_static_eval(run, run->z_0));
  for (int k = 0; k < run->modal.n_attachment; k++) MS_TRY(take_tangent(run, k, &changed));
  if (!changed) return MS_SUCCESS;
  MS_TRY(change_modes(run, "the joints that held it are open there"));
  MS_TRY(ms_static_check_rigid(run));
  return ms_static_eval(run, run->z_0);
}

static void set_base(ms_quasistatic *run, ms_static_form *form) {
  for (ptrdiff_t i = 0; i < run->n; i++) {
    form->base[i] = run->z_0[i] + ms_static_dot(run->n, form->H + run->n * i, run->d_0);
  }
}

/* ---- equilibrium, with springs that fade where nothing else holds ---- */

/* Of an axis without stiffness: the mass that it moves and the highest frequency there is. */
static double hold_stiffness(const ms_modal *m, ptrdiff_t axis) {
  double moved = 0.0, w = 0.0;
  for (ptrdiff_t j = 0; j < m->m; j++) {
    const double g = m->gamma[j + m->m * axis];
    moved += g * g;
    w = fmax(w, m->omega[j]);
  }
  return moved > 0.0 ? (w > 0.0 ? w * w : 1.0) / moved : 0.0;
}

/* stuck := K_T + part sigma, sigma = own - K_T */
static void set_held(ms_quasistatic *run, double part) {
  const ms_attachment *virgin = ms_structure_view(run->structure).attachment;
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ms_static_attachment *attachment = &run->attachment[k];
    for (int ab = 0; ab < attachment->n * attachment->n; ab++) {
      const double K = virgin[k].stuck[ab];
      attachment->held[ab] = K + part * (attachment->own[ab] - K);
    }
    attachment->stuck = attachment->held;
  }
}

static ms_status advance_held(ms_quasistatic *run, double s_0, double s, int depth) {
  set_held(run, s);
  memcpy(run->z_next, run->z_old, (size_t)run->n * sizeof *run->z_next);
  ms_status status = ms_static_solve(run, &run->by_force, s);
  if (status == MS_SUCCESS) return ms_static_commit(run);
  if (status < 0 || status == MS_CANCELLED || depth >= run->setting.divide_max) return status;
  run->count.divided++;
  MS_TRY(advance_held(run, s_0, 0.5 * (s_0 + s), depth + 1));
  return advance_held(run, 0.5 * (s_0 + s), s, depth + 1);
}

/* Contacts that the preload closes, or keeps closed, hold nothing while it is small. Springs
   (1 - s) sigma do until s p has grown to p, and are gone then:
     (K + B (K_T + sigma) B^T) x = s p - B (f - (K_T + s sigma) z). */
static ms_status load_held(ms_quasistatic *run) {
  /* The modes of the structure with a spring sigma beside every joint axis. */
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ms_static_attachment *attachment = &run->attachment[k];
    memcpy(attachment->own, attachment->stuck,
           (size_t)(attachment->n * attachment->n) * sizeof *attachment->own);
    for (int a = 0; a < attachment->n; a++) {
      double *K = &attachment->own[a + attachment->n * a];
      *K += *K > 0.0 ? *K : hold_stiffness(&run->modal, attachment->first + a);
    }
  }
  MS_TRY(change_modes(run, "no joint moves with it"));
  if (run->setting.preload) MS_TRY(ms_static_reduce_preload(run, run->setting.preload));
  MS_TRY(start_virgin(run));
  for (int k = 0; k < PRELOAD_PARTS; k++) {
    ms_status status = advance_held(run, (double)k / PRELOAD_PARTS, (k + 1.0) / PRELOAD_PARTS, 0);
    if (status == MS_NOT_CONVERGED) {
      return ms_fail_at(run->ctx, status, "no static equilibrium%s: the joints cannot hold %s",
                        run->setting.preload ? " under the preload" : "",
                        run->setting.preload ? "it" : "the force that they have at rest");
    }
    MS_TRY(status);
  }
  set_held(run, 1.0);
  return MS_SUCCESS;
}

static ms_status load_plain(ms_quasistatic *run) {
  MS_TRY(ms_static_check_rigid(run));
  if (run->setting.preload) MS_TRY(ms_static_reduce_preload(run, run->setting.preload));
  /* The force grows in equal parts, and the joints follow. */
  MS_TRY(start_virgin(run));
  run->first_loading = 1;
  for (int k = 0; k < PRELOAD_PARTS; k++) {
    ms_status status = ms_static_advance(run, &run->by_force, (double)k / PRELOAD_PARTS,
                                         (k + 1.0) / PRELOAD_PARTS);
    if (status == MS_NOT_CONVERGED) {
      return ms_fail_at(
          run->ctx, status,
          "no static equilibrium from %g of the preload on: the joints cannot hold it",
          (double)k / PRELOAD_PARTS);
    }
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

/* ---- all of it ---- */

void ms_static_clear_rest(ms_quasistatic *run) {
  for (int k = 0; run->start && k < run->modal.n_attachment; k++) ms_free(run->ctx, &run->start[k]);
  ms_free(run->ctx, &run->p);
  ms_free(run->ctx, &run->own);
  ms_free(run->ctx, &run->basis);
}

static ms_status find(ms_quasistatic *run) {
  MS_TRY(ms_allocate(run->ctx, run->modal.m, sizeof *run->p, &run->p));
  ms_status status = run->omega_r > 0.0 ? load_plain(run) : MS_NOT_CONVERGED;
  if (status == MS_NOT_CONVERGED || status == MS_ERR_ARGUMENT) status = load_held(run);
  MS_TRY(status);
  memcpy(run->z_0, run->z, (size_t)run->n * sizeof *run->z_0);
  for (int k = 0; k < run->modal.n_attachment; k++) {
    ptrdiff_t size = ms_joint_save_size(run->attachment[k].joint);
    MS_TRY(ms_allocate(run->ctx, size > 0 ? size : 1, sizeof(double), &run->start[k]));
    MS_TRY(ms_joint_save(run->attachment[k].joint, run->start[k]));
    run->start_size[k] = size;
  }
  MS_TRY(linearise(run));
  memcpy(run->d_0, run->d, (size_t)run->n * sizeof *run->d_0);
  set_base(run, &run->by_load);
  set_base(run, &run->by_q);
  return MS_SUCCESS;
}

ms_status ms_static_find_rest(ms_quasistatic *run) {
  int pushes = 0;
  /* As it is without joints that push: stuck modes, the virgin state. */
  const size_t bytes = (size_t)run->n * sizeof(double);
  ms_static_clear_rest(run);
  run->modal = ms_structure_view(run->structure);
  run->omega_r = run->modal.omega[run->r];
  for (int k = 0; k < run->modal.n_attachment; k++) {
    const ms_attachment *from = &run->modal.attachment[k];
    run->attachment[k] = (ms_static_attachment) { .joint = from->joint,
                                                  .stuck = from->stuck,
                                                  .n = ms_joint_info(from->joint)->n_axis,
                                                  .first = from->first,
                                                  .in = MS_JOINT_INPUT_DEFAULT };
  }
  double *const zero[] = { run->by_load.base, run->by_q.base,          run->z_0,
                           run->d_0,          run->by_force.direction, run->by_force.base };
  for (int i = 0; i < 6; i++) memset(zero[i], 0, bytes);
  ms_static_reduce(run);
  if (!run->setting.preload) { /* does a joint have a force where nothing has moved? */
    MS_TRY(start_virgin(run));
    MS_TRY(ms_static_eval(run, run->z_old));
    for (ptrdiff_t i = 0; i < run->n; i++) pushes |= run->f[i] != 0.0;
  }
  if (run->setting.preload || pushes) return find(run);
  return ms_static_check_rigid(run);
}
