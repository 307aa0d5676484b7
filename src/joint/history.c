/* Whole histories: paths, steady cycles, first loading. */
#include <math.h>
#include <stdio.h>

#include "joint/impl.h"
#include "joint/tolerance.h"

static double path_velocity(const ms_joint_path *p, int axis, ptrdiff_t i, double dt) {
  if (p->v[axis]) return p->v[axis][i];
  return dt > 0.0 ? (p->u[axis][i] - p->u[axis][i - 1]) / dt : 0.0;
}

static ms_status path_step(ms_joint *j, const ms_joint_path *p, ptrdiff_t i) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  int n = j->law->info.n_axis, valid = 1;
  /* Time advances, so that a rate can be had. */
  in.dt = p->t && i > 0 ? p->t[i] - p->t[i - 1] : 0.0;
  if (p->t && i > 0 && !(in.dt > 0.0)) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT, "time does not increase: %.10g after %.10g", p->t[i],
                   p->t[i - 1]);
  }
  for (int a = 0; a < j->law->info.n_axis; a++) {
    in.u[a] = p->u[a][i];
    in.v[a] = path_velocity(p, a, i, in.dt);
  }
  if (p->alpha) in.alpha = p->alpha[i];
  if (p->k) in.k = p->k[i];
  MS_TRY(ms_joint_step(j, &in, &out));
  for (int a = 0; a < n; a++) {
    p->force[a][i] = out.force[a];
    valid = valid && isfinite(out.force[a]);
  }
  for (int ab = 0; ab < n * n; ab++) {
    if (p->slope[ab]) p->slope[ab][i] = out.du[ab];
    valid = valid && isfinite(out.du[ab]);
  }
  if (!valid) return ms_fail(j->ctx, MS_ERR_NUMERIC, "the force at u = %g is not finite", in.u[0]);
  ms_joint_energy energy;
  if (p->stored || p->dissipated) MS_TRY(ms_joint_get_energy(j, &energy));
  if (p->stored) p->stored[i] = energy.stored;
  if (p->dissipated) p->dissipated[i] = energy.dissipated;
  return MS_SUCCESS;
}

enum { PROGRESS_ROWS = 1 << 16 };

ms_status ms_joint_run_path(ms_joint *j, const ms_joint_path *p, ptrdiff_t *row) {
  for (ptrdiff_t i = 0; i < p->n; i++) {
    ms_status status = path_step(j, p, i);
    if (status == MS_SUCCESS && i % PROGRESS_ROWS == 0) {
      status = ms_progress(j->ctx, "path", (double)i / (double)p->n);
    }
    if (row) *row = i;
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

/* ---- cycles ---- */

typedef struct cycle_run {
  double amplitude, omega;
  ptrdiff_t n;
  double *u, *force;
} cycle_run;

/* cos(2 pi i/n), exact at the quarter points so that loops close to the last bit. */
static double cycle_cos(ptrdiff_t i, ptrdiff_t n) {
  ptrdiff_t half = n / 2, m = i % n;
  if (m > half) m = n - m;
  if (m == 0) return 1.0;
  if (m == half) return -1.0;
  return cos(2.0 * acos(-1.0) * (double)m / (double)n);
}

static ms_status cycle_point(ms_joint *j, const cycle_run *run, ptrdiff_t i, double *u, double *F) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  double angle = 2.0 * acos(-1.0) / (double)run->n;
  in.u[0] = run->amplitude * cycle_cos(i, run->n);
  in.v[0] = 0.0 - run->amplitude * run->omega * sin(angle * (double)(i % run->n)); /* +0 at rest */
  in.dt = run->omega > 0.0 ? angle / run->omega : 0.0;
  MS_TRY(ms_joint_step(j, &in, &out));
  *u = in.u[0];
  *F = out.force[0];
  return MS_SUCCESS;
}

/* Loss in the joint so far, as the law counts it; 0 for laws that do not. */
static double loss_so_far(const ms_joint *j) {
  ms_joint_energy e = { 0.0, 0.0 };
  if (j->law->energy) j->law->energy(j->model, j->state, &e);
  return e.dissipated;
}

enum { MAX_CYCLES = 200 };

/* A cycle takes a fading number x to x + r(x), with r' in [-1, 0): a memory that fades by a part
   in ten thousand a cycle would need a hundred thousand of them. The secant method finds r = 0. */
typedef struct fading_search {
  int cycles;
  double x, x_old, r_old, slope; /* x: at the start of the cycle; slope: of r, as last known */
} fading_search;

enum { PATIENCE = 3 }; /* cycles that a law may settle in by itself */
#define SETTLED(r, scale) (fabs(r) <= 0.3 * ms_joint_tol.steady * fabs(scale))

static void quicken(ms_joint *j, fading_search *s) {
  if (!j->law->fading) return;
  double *now = j->law->fading(j->state), x = s->x, r = *now - x;
  s->x = *now;
  if (s->cycles++ < PATIENCE || SETTLED(r, x)) return;
  if (s->cycles == PATIENCE + 1) {
    s->x = ms_joint_tol.secant * x;
  } else {
    if (fabs(x - s->x_old) > ms_joint_tol.secant_step * fabs(x))
      s->slope = (r - s->r_old) / (x - s->x_old);
    if (s->slope < 0.0) s->x = x - r / s->slope;
  }
  s->x_old = x;
  s->r_old = r;
  *now = s->x;
}

/* Cycles until force at the turning point and loss repeat. */
static ms_status run_until_steady(ms_joint *j, const cycle_run *run, ms_joint_cycle *out) {
  double F_before = HUGE_VAL, D_before = HUGE_VAL, area;
  fading_search search = { 0 };
  for (int cycle = 0; cycle < MAX_CYCLES; cycle++) {
    double start = loss_so_far(j);
    /* One cycle from the present state, and the area of its loop. */
    double u_old, F_old;
    MS_TRY(cycle_point(j, run, 0, &u_old, &F_old));
    area = 0.0;
    for (ptrdiff_t i = 0; i <= run->n; i++) {
      double u = u_old, F = F_old;
      if (i > 0) MS_TRY(cycle_point(j, run, i, &u, &F));
      area += 0.5 * (F + F_old) * (u - u_old);
      if (run->u) run->u[i] = u;
      if (run->force) run->force[i] = F;
      u_old = u, F_old = F;
    }
    out->F0 = F_old;
    out->D = j->law->energy ? loss_so_far(j) - start : area;
    if (!isfinite(out->F0) || !isfinite(out->D)) {
      return ms_fail(j->ctx, MS_ERR_NUMERIC, "the loop at amplitude %g is not finite",
                     run->amplitude);
    }
    if (fabs(out->F0 - F_before) <= ms_joint_tol.steady * fabs(out->F0) &&
        fabs(out->D - D_before) <= ms_joint_tol.steady * fabs(out->D) +
                                       ms_joint_tol.steady * fabs(out->F0 * run->amplitude)) {
      return MS_SUCCESS;
    }
    F_before = out->F0;
    D_before = out->D;
    quicken(j, &search);
  }
  return ms_fail(j->ctx, MS_NOT_CONVERGED, "no steady loop at amplitude %g after %d cycles",
                 run->amplitude, MAX_CYCLES);
}

ms_status ms_joint_run_cycle(ms_joint *j, double amplitude, double omega, ptrdiff_t n, double *u,
                             double *force, ms_joint_cycle *out) {
  if (!(amplitude > 0.0 && amplitude < HUGE_VAL)) {
    return ms_fail(j->ctx, MS_ERR_BOUNDS, "amplitude %g must be > 0 and finite", amplitude);
  }
  if (!(amplitude * omega < HUGE_VAL)) {
    return ms_fail(j->ctx, MS_ERR_BOUNDS, "amplitude %g is too large: its velocity is not finite",
                   amplitude);
  }
  if (n < 4 || n % 2 || !(omega >= 0.0 && omega < HUGE_VAL)) {
    return ms_fail(j->ctx, MS_ERR_ARGUMENT, "a cycle needs an even number of at least 4 points");
  }
  cycle_run run = { amplitude, omega, n, u, force };
  *out = (ms_joint_cycle) { .amplitude = amplitude };
  MS_TRY(ms_joint_start(j, NULL));
  MS_TRY(run_until_steady(j, &run, out));
  out->K_secant = out->F0 / amplitude;
  out->has_closed_form = j->law->cycle != NULL;
  if (j->law->cycle) out->D_closed_form = j->law->cycle(j->model, amplitude, omega);
  return MS_SUCCESS;
}

ms_status ms_joint_eval_virgin(ms_joint *j, double u, double *force, double *slope) {
  MS_TRY(ms_joint_start(j, NULL));
  if (!isfinite(u)) return ms_fail(j->ctx, MS_ERR_NUMERIC, "displacement %g is not finite", u);
  if (j->law->backbone) {
    j->law->backbone(j->model, u, force, slope);
    return MS_SUCCESS;
  }
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  MS_TRY(ms_joint_step(j, &in, &out));
  *force = out.force[0];
  *slope = out.du[0];
  return MS_SUCCESS;
}
