/* Contact in time. The inertia of the bodies is that of their modes at rest alone, so that at every
   time they are in static equilibrium with the loads p F + s M phi, s = f - (a + c v), f forces on
   the modes. Average acceleration makes s linear in q at the end of a step,

     s' = k (g - q'),   g = q + ((4/dt + c) v + a + f')/k,   k = 4/dt^2 + 2 c/dt

   which is the force in a spring k whose far end is moved to g (springs.c): each step is one load
   step of a contact at rest. Rigid-body modes have no part in it. Modes that the step
   cannot resolve follow without inertia, s = f: where points open and close they would gain
   energy. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/contact/dynamic/impl.h"

/* After the headers above: their complex types define I. */
#include <cblas.h>
#include <lapacke.h>

/* It follows without inertia. */
static int is_static(const ms_contact_run *run, ptrdiff_t r) {
  return run->k[r] == 0.0 && run->modal->omega[r] > 0.0;
}

/* ---- create ---- */

static ms_status check(ms_context *ctx, const ms_contact_modal *modal, const double *zeta,
                       double step) {
  if (!(step > 0.0 && step < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "contact in time: the step is %g s; it must be above 0",
                   step);
  }
  if (modal->n_mode < 1 || modal->n_load < 0 ||
      modal->contact->n_load != modal->n_mode + modal->n_load) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "contact in time: a contact under %td loads is none of %td modes and %td loads",
                   modal->contact->n_load, modal->n_mode, modal->n_load);
  }
  for (ptrdiff_t r = 0; r < modal->n_mode; r++) {
    const double z = zeta ? zeta[r] : 0.0;
    if (z >= 0.0 && z < HUGE_VAL && modal->omega[r] >= 0.0 && modal->omega[r] < HUGE_VAL) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "contact in time: mode %td has omega = %g rad/s and a damping ratio of %g; both "
                   "are at least 0",
                   r + 1, modal->omega[r], z);
  }
  return MS_SUCCESS;
}

static ms_status reserve(ms_contact_run *run, const ms_contact *c) {
  const ptrdiff_t m = run->m, n_load = run->n_load, n = c->n;
  MS_TRY(ms_allocate(run->ctx, 11 * m + 9 * n_load + 13 * n, sizeof *run->store, &run->store));
  MS_TRY(ms_allocate(run->ctx, n, 1, &run->status));
  double *next = run->store;
  run->c = next, run->k = run->c + m; /* k and load go on over the other loads */
  run->load = run->k + m + n_load;
  run->q = run->load + m + n_load, run->v = run->q + m, run->a = run->v + m;
  run->s_0 = run->a + m, run->q_0 = run->s_0 + m;
  run->f = run->q_0 + m, run->f_next = run->f + m, run->q_old = run->f_next + m;
  run->p_0 = run->q_old + m, run->u_0 = run->p_0 + n_load;
  run->p = run->u_0 + n_load, run->u = run->p + n_load, run->x = run->u + n_load;
  run->u_old = run->x + n_load, run->p_old = run->u_old + n_load;
  run->z_0 = run->p_old + n_load, run->l_0 = run->z_0 + 3 * n;
  run->z = run->l_0 + 3 * n, run->l = run->z + 3 * n, run->dissipated = run->l + 3 * n;
  return MS_SUCCESS;
}

static ms_status begin(ms_contact_run *run, const double *zeta) {
  const ms_contact_modal *modal = run->modal;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    if (modal->omega[r] * run->dt > modal->contact->setting.resolved) continue;
    run->c[r] = zeta ? 2.0 * zeta[r] * modal->omega[r] : 0.0;
    if (modal->omega[r] == 0.0) continue;
    run->k[r] = 4.0 / (run->dt * run->dt) + 2.0 * run->c[r] / run->dt;
  }
  MS_TRY(ms_contact_add_springs(run->ctx, modal->contact, run->k, &run->contact));
  ms_contact_run_open_energy(run);
  return MS_SUCCESS;
}

ms_status ms_contact_run_create(ms_context *ctx, const ms_contact_modal *modal, const double *zeta,
                                double step, ms_contact_run **out) {
  ms_contact_run *run;
  MS_MAKE(ctx, out, modal && modal->contact && modal->omega && modal->follow);
  MS_TRY(check(ctx, modal, zeta, step));
  MS_TRY(ms_allocate(ctx, 1, sizeof *run, &run));
  *run = (ms_contact_run) {
    .ctx = ctx, .modal = modal, .m = modal->n_mode, .n_load = modal->n_load, .dt = step
  };
  ms_status status = reserve(run, modal->contact);
  if (!status) status = begin(run, zeta);
  if (status) ms_contact_run_destroy(&run);
  *out = run;
  return status;
}

void ms_contact_run_destroy(ms_contact_run **run) {
  if (!run || !*run) return;
  ms_context *ctx = (*run)->ctx;
  ms_contact_destroy(&(*run)->contact);
  ms_free(ctx, &(*run)->store);
  ms_free(ctx, &(*run)->status);
  ms_free(ctx, run);
}

/* ---- start ---- */

/* Where the loads appear at once, what has no mass follows; the modes stay and accelerate. */
static ms_status load_at_once(ms_contact_run *run, const double *p) {
  const size_t size = (size_t)run->n_load * sizeof *p;
  ms_contact *held = NULL;
  double *hold;
  MS_TRY(ms_allocate(run->ctx, run->m + run->n_load, sizeof *hold, &hold));
  for (ptrdiff_t r = 0; r < run->m; r++) hold[r] = run->k[r] > 0.0 ? HUGE_VAL : 0.0;
  ms_status status = ms_contact_add_springs(run->ctx, run->modal->contact, hold, &held);
  memset(hold, 0, (size_t)run->m * sizeof *hold);
  memcpy(hold + run->m, p, size);
  if (!status) status = ms_contact_load(held, hold);
  if (!status) {
    ms_contact_destroy(&run->contact);
    status = ms_contact_make_sprung(run->ctx, run->modal->contact, run->k, held, &run->contact);
  }
  if (!status) {
    for (ptrdiff_t r = 0; r < run->m; r++) {
      *(run->k[r] > 0.0 ? &run->s_0[r] : &run->q_0[r]) =
          run->k[r] > 0.0 ? -held->now.v[r] : held->now.v[r];
    }
    memcpy(run->p, p, size);
    memcpy(run->p_0, p, size);
    memcpy(run->u_0, held->now.v + run->m, size);
    memcpy(run->x, run->u_0, size);
    memcpy(run->u, run->u_0, size);
    ms_contact_run_add_energy(run, 0.0);
  }
  ms_contact_destroy(&held);
  ms_free(run->ctx, &hold);
  return status;
}

ms_status ms_contact_run_start(ms_contact_run *run, const double *p, const double *v) {
  MS_NEED(run ? run->ctx : NULL, run);
  int loaded = 0;
  if (run->step > 0) {
    return ms_fail(run->ctx, MS_ERR_STATE, "contact in time: it has started already");
  }
  for (ptrdiff_t k = 0; p && k < run->n_load; k++) loaded |= p[k] != 0.0;
  if (loaded) MS_TRY(load_at_once(run, p));
  for (ptrdiff_t r = 0; r < run->m; r++) {
    run->f[r] = run->f_next[r];
    if (is_static(run, r)) continue;
    run->v[r] = v ? v[r] : 0.0;
    run->a[r] = run->f_next[r] - run->s_0[r] - run->c[r] * run->v[r];
    for (ptrdiff_t k = 0; run->k[r] == 0.0 && k < run->n_load; k++) {
      run->a[r] += run->modal->follow[k + run->n_load * r] * run->p[k];
    }
    run->energy.start += 0.5 * run->v[r] * run->v[r];
  }
  return MS_SUCCESS;
}

/* ---- a step ---- */

/* From the state in which `contact` began, where q = 0 and g = s_0/k. */
static void fill_loads(ms_contact_run *run, const double *p) {
  for (ptrdiff_t r = 0; r < run->m; r++) {
    const double k = run->k[r], f = run->f_next[r];
    const double known = (4.0 / run->dt + run->c[r]) * run->v[r] + run->a[r] + f;
    run->load[r] = k > 0.0 ? run->q[r] + (known - run->s_0[r]) / k : is_static(run, r) ? f : 0.0;
  }
  for (ptrdiff_t k = 0; k < run->n_load; k++) run->load[run->m + k] = p[k] - run->p_0[k];
}

/* One mode by its acceleration a at the end of the step; what its damping takes. */
static double move_mode(ms_contact_run *run, ptrdiff_t r, double a) {
  const double dt = run->dt, v = run->v[r];
  run->v[r] += 0.5 * dt * (run->a[r] + a);
  run->q[r] += 0.5 * dt * (v + run->v[r]);
  run->a[r] = a;
  return 0.25 * run->c[r] * dt * (v + run->v[r]) * (v + run->v[r]);
}

/* The motion from the forces that the load step has found. */
static void move(ms_contact_run *run, const double *p) {
  const ms_contact_values *now = &run->contact->now;
  const ptrdiff_t n = run->n_load;
  double viscous = 0.0;
  memcpy(run->p_old, run->p, (size_t)n * sizeof *p);
  memcpy(run->u_old, run->u, (size_t)n * sizeof *p);
  if (n > 0) memcpy(run->p, p, (size_t)n * sizeof *p);
  memcpy(run->q_old, run->q, (size_t)run->m * sizeof *run->q);
  for (ptrdiff_t k = 0; k < n; k++) run->u[k] = run->x[k] = run->u_0[k] + now->v[run->m + k];
  for (ptrdiff_t r = 0; r < run->m; r++) {
    const double *follow = run->modal->follow + n * r, c = run->c[r], half = 0.5 * run->dt;
    if (run->k[r] > 0.0) {
      const double s = run->s_0[r] - now->v[r];
      const double known = run->f_next[r] - c * (run->v[r] + half * run->a[r]);
      viscous += move_mode(run, r, (known - s) / (1.0 + half * c));
    } else if (is_static(run, r)) {
      run->q[r] = run->q_0[r] + now->v[r];
    } else {
      move_mode(run, r, run->f_next[r] + cblas_ddot((int)n, follow, 1, run->p, 1));
      cblas_daxpy((int)n, run->q[r], follow, 1, run->u, 1);
    }
  }
  ms_contact_run_add_energy(run, viscous);
  memcpy(run->f, run->f_next, (size_t)run->m * sizeof *run->f);
}

void ms_contact_run_push(ms_contact_run *run, const double *f) {
  memcpy(run->f_next, f, (size_t)run->m * sizeof *f);
}

ms_status ms_contact_run_step(ms_contact_run *run, const double *p) {
  MS_NEED(run ? run->ctx : NULL, run && (p || run->n_load == 0));
  fill_loads(run, p);
  const ms_status status = ms_contact_load(run->contact, run->load);
  if (status == MS_NOT_CONVERGED) {
    const int slides = strstr(ms_context_message(run->ctx), "slides as a whole") != NULL;
    return ms_fail_at(run->ctx, status, "contact in time, step %td to %.6g s%s", run->step + 1,
                      (double)(run->step + 1) * run->dt,
                      slides ? " (take more modes: these have no inertia for what slides)" : "");
  }
  MS_TRY(status);
  move(run, p);
  run->step++;
  return MS_SUCCESS;
}

/* ---- the state now ---- */

ms_contact_motion ms_contact_run_get(const ms_contact_run *run) {
  return (ms_contact_motion) {
    (double)run->step * run->dt, run->step, run->q, run->v, run->a, run->p, run->u
  };
}

const ms_contact *ms_contact_run_get_contact(const ms_contact_run *run) {
  return run->contact;
}
