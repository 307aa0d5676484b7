/* One step: the joints solved for d, the state moved on. What every step goes through is in this
   one file, for the compiler to see it all. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "response/transient/impl.h"

/* ---- the joints ---- */

/* z := gamma^T x, x of `on` modes. Four columns for each x read; sums in any order, so that they
   can be vectors. */
static void project_four(ptrdiff_t m, ptrdiff_t on, const double *restrict g,
                         const double *restrict x, double *restrict z) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (ptrdiff_t r = 0; r < on; r++) {
    s0 += g[r] * x[r];
    s1 += g[r + m] * x[r];
    s2 += g[r + 2 * m] * x[r];
    s3 += g[r + 3 * m] * x[r];
  }
  z[0] = s0, z[1] = s1, z[2] = s2, z[3] = s3;
}

static void project(const ms_transient *run, ptrdiff_t on, const double *x, double *z) {
  const ptrdiff_t m = run->m, n = run->n;
  ptrdiff_t j = 0;
  for (; j + 4 <= n; j += 4) project_four(m, on, run->gamma + m * j, x, z + j);
  for (; j < n; j++) z[j] = ms_dot(on, run->gamma + m * j, x);
}

void ms_transient_project(const ms_transient *run, const double *x, double *z) {
  project(run, run->m, x, z);
}

/* The joint's law at z (and w = dz/dt). The joint interface would check every input and every
   output; here it is enough that all is finite, and asked only to say what is not. */
static ms_status eval_joint(ms_trial_attachment *attachment, const double *z, const double *w) {
  const ms_joint *j = attachment->joint;
  const int n = attachment->n;
  double check = 0.0;
  for (int a = 0; a < n; a++) {
    attachment->in.u[a] = z[a], attachment->in.v[a] = w[a];
    check += (z[a] - z[a]) + (w[a] - w[a]); /* 0, or NaN */
  }
  if (check == 0.0) {
    MS_TRY(
        j->law->update(j->model, j->state, &attachment->in, &attachment->out, &attachment->trial));
    check = attachment->out.force[0] - attachment->out.force[0];
    for (int a = 1; a < n; a++) check += attachment->out.force[a] - attachment->out.force[a];
  }
  if (check == 0.0) return MS_SUCCESS;
  return ms_joint_update(j, &attachment->in, &attachment->out, &attachment->trial);
}

ms_status ms_transient_eval_joints(ms_transient *run, double dt) {
  const int n_attachment = run->structure->n_attachment;
  run->count.evaluations++;
  if (run->curved) ms_transient_place_curved(run);
  for (int i = 0; i < n_attachment; i++) {
    ms_trial_attachment *attachment = &run->attachment[i];
    const ptrdiff_t first = attachment->first;
    const double *K = attachment->stuck;
    const int n = attachment->n;
    attachment->in.dt = dt;
    MS_TRY(eval_joint(attachment, run->z + first, run->w + first));
    for (int a = 0; a < n; a++) {
      double stuck = K[a] * run->z[first];
      for (int b = 1; b < n; b++) stuck += K[a + n * b] * run->z[first + b];
      run->f[first + a] = attachment->out.force[a];
      run->r[first + a] = attachment->out.force[a] - stuck;
      run->fz[first + a] = attachment->out.du[a + n * a] - K[a + n * a];
    }
  }
  if (run->curved) ms_transient_force_curved(run);
  return MS_SUCCESS;
}

/* z and w for the d under trial; H and Hv are symmetric. */
static void place_joints(ms_transient *run) {
  ptrdiff_t n = run->n;
  for (ptrdiff_t i = 0; i < n; i++) run->z[i] = run->z_free[i] - ms_dot(n, run->H + n * i, run->d);
  for (ptrdiff_t i = 0; run->rate && i < n; i++) {
    run->w[i] = run->w_free[i] - ms_dot(n, run->Hv + n * i, run->d);
  }
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* The smallest force to which a residual may be relative: below it is rounding. */
static double smallest(const ms_transient *run) {
  return run->largest * run->setting.tol.rounding / run->setting.newton_tolerance;
}

/* r := d - d(z), relative size of it returned, and that of the forces. */
static double residual(ms_transient *run, double *force) {
  double worst = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < run->n_own; i++) {
    double stuck = run->f[i] - run->r[i], r = run->d[i] - run->r[i];
    run->r[i] = r;
    worst = larger(fabs(r), worst);
    size = larger(larger(fabs(run->f[i]), fabs(stuck)), size);
  }
  if (run->curved) worst = larger(ms_transient_residual_curved(run), worst);
  *force = size;
  return worst > 0.0 ? worst / larger(size, smallest(run)) : 0.0;
}

/* What joints of several axes add to J between these, and velocity to all. */
static void couple_J(ms_transient *run) {
  const ptrdiff_t n = run->n;
  for (int k = 0; k < run->structure->n_attachment; k++) {
    const ms_trial_attachment *attachment = &run->attachment[k];
    for (int ab = 0; !attachment->curve && ab < attachment->n * attachment->n; ab++) {
      int a = ab % attachment->n, b = ab / attachment->n;
      double fz = a == b ? 0.0 : attachment->out.du[ab] - attachment->stuck[ab];
      double fv = run->rate ? attachment->out.dv[ab] : 0.0;
      double *row = run->J + attachment->first + a;
      const double *H = run->H + attachment->first + b, *Hv = run->Hv + attachment->first + b;
      for (ptrdiff_t j = 0; j < n; j++) row[n * j] += fz * H[n * j] + fv * Hv[n * j];
    }
  }
}

/* r := J^-1 r. */
static int newton_direction(ms_transient *run) {
  if (run->n == 1) {
    double J = 1.0 + run->fz[0] * run->H[0];
    if (run->rate) J += run->attachment[0].out.dv[0] * run->Hv[0];
    run->r[0] /= J;
    return J == 0.0;
  }
  /* J = I + fz H + fv Hv; fz and fv have a block for each joint: joints do not see each other. */
  const ptrdiff_t n = run->n;
  const double *restrict fz = run->fz, *restrict H = run->H;
  double *restrict J = run->J;
  for (ptrdiff_t j = 0; j < n; j++, J += n, H += n) {
    for (ptrdiff_t i = 0; i < n; i++) J[i] = fz[i] * H[i];
    J[j] += 1.0;
  }
  if (run->wide || run->rate) couple_J(run);
  if (run->curved) ms_transient_fill_curved_J(run);
  return ms_dense_solve(run->n, run->J, run->r);
}

enum { MAX_HALVINGS = 12 };

ms_status ms_transient_solve_joints(ms_transient *run) {
  ptrdiff_t n = run->n;
  double *direction = run->d_old, error = 0.0, before = HUGE_VAL, part = 1.0, size = 0.0;
  int halvings = 0;
  for (int k = 0; k < run->setting.newton_max; k++) {
    place_joints(run);
    MS_TRY(ms_transient_eval_joints(run, run->dt));
    error = residual(run, &size);
    if (error <= run->setting.newton_tolerance) {
      run->largest = larger(run->largest, size);
      run->count.residual = larger(run->count.residual, error);
      return MS_SUCCESS;
    }
    if (error > before && halvings < MAX_HALVINGS) {
      run->count.damped += halvings == 0;
      halvings++;
      part *= 0.5;
      for (ptrdiff_t i = 0; i < n; i++) run->d[i] += part * direction[i];
      continue;
    }
    if (newton_direction(run) || !isfinite(error)) break;
    before = error;
    part = 1.0;
    halvings = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
      direction[i] = run->r[i];
      run->d[i] -= run->r[i];
    }
  }
  return ms_fail(
      run->ctx, MS_NOT_CONVERGED,
      "the joints found no equilibrium at t = %g (residual %.2g of the joint force); try a "
      "smaller step",
      run->t + run->dt, error);
}

enum { MAX_QUICK = 3 };

/* One axis that knows no rate, the commonest case of all: plain Newton in scalars. What that does
   not solve at once is left to the general solution; returns whether it did. */
static int solve_single(ms_transient *run) {
  ms_trial_attachment *attachment = run->attachment;
  const ms_joint *j = attachment->joint;
  const double H = run->H[0], K = attachment->stuck[0], z_free = run->z_free[0];
  const double least = smallest(run);
  double d = run->d[0];
  attachment->in.dt = run->dt;
  for (int k = 0; k < MAX_QUICK && k < run->setting.newton_max; k++) {
    double z = z_free - H * d;
    attachment->in.u[0] = z;
    if (z - z != 0.0) return 0; /* not finite */
    if (j->law->update(j->model, j->state, &attachment->in, &attachment->out, &attachment->trial))
      return 0;
    double f = attachment->out.force[0], r = d - (f - K * z), force = larger(fabs(f), fabs(K * z));
    double size = larger(force, least);
    run->count.evaluations++;
    if (fabs(r) <= run->setting.newton_tolerance * size) {
      if (fabs(r) > run->count.residual * size) run->count.residual = fabs(r) / size;
      run->largest = larger(run->largest, force);
      run->z[0] = z;
      run->f[0] = f;
      run->d[0] = d;
      return 1;
    }
    d -= r / (1.0 + (attachment->out.du[0] - K) * H);
  }
  return 0;
}

/* ---- one step ---- */

static void swap(double **a, double **b) {
  double *c = *a;
  *a = *b;
  *b = c;
}

static double damper_work_full(const ms_transient *run) {
  double viscous = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    for (ptrdiff_t k = 0; k < run->m; k++) {
      viscous += run->damping_full[r + run->m * k] * (run->v[r] + run->v_next[r]) *
                 (run->v[k] + run->v_next[k]);
    }
  }
  return viscous;
}

static double damper_work(const ms_transient *run) {
  const double *restrict c = run->damping, *restrict v = run->v, *restrict vn = run->v_next;
  double viscous = 0.0;
#pragma omp simd reduction(+ : viscous)
  for (ptrdiff_t r = 0; r < run->m; r++) viscous += c[r] * (v[r] + vn[r]) * (v[r] + vn[r]);
  return 0.25 * run->dt * viscous;
}

/* Simpson's rule, with the velocity that the cubic through both ends has in the middle: exact
   modes may be far from a straight line over a step. */
static double damper_work_line(const ms_transient *run) {
  const double *restrict c = run->damping, *restrict v = run->v, *restrict vn = run->v_next;
  const double *restrict q = run->q, *restrict qn = run->q_next;
  const double rate = 1.5 / run->dt;
  double viscous = 0.0;
#pragma omp simd reduction(+ : viscous)
  for (ptrdiff_t r = 0; r < run->on; r++) {
    double mid = rate * (qn[r] - q[r]) - 0.25 * (v[r] + vn[r]);
    viscous += c[r] * (v[r] * v[r] + 4.0 * mid * mid + vn[r] * vn[r]);
  }
  return run->dt / 6.0 * viscous;
}

static double load_work(const ms_transient *run) {
  double input = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    input += (run->p[r] + run->p_next[r]) * (run->q_next[r] - run->q[r]);
  }
  return 0.5 * input;
}

/* The force that the method took, a line, along the cubic through both ends. */
static double load_work_line(const ms_transient *run) {
  const double *from = run->p_from, *to = run->p_to;
  double input = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    input += 0.5 * (from[r] + to[r]) * (run->q_next[r] - run->q[r]) -
             run->dt / 12.0 * (to[r] - from[r]) * (run->v[r] - run->v_next[r]);
  }
  return input;
}

/* g := gamma d, or g += for columns after the first, four at a time where there are four. */
static void spread(const ms_transient *run, double *restrict g) {
  const ptrdiff_t m = run->m, on = run->on, n = run->n;
  ptrdiff_t j = 0;
  if (n == 0) memset(g, 0, (size_t)on * sizeof *g);
  while (j < n) {
    const double *restrict c = run->gamma + m * j, *restrict d = run->d + j;
    if (n - j >= 4) {
      const double d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
      for (ptrdiff_t r = 0; r < on; r++) {
        double sum = (d0 * c[r] + d1 * c[r + m]) + (d2 * c[r + 2 * m] + d3 * c[r + 3 * m]);
        g[r] = j > 0 ? g[r] + sum : sum;
      }
      j += 4;
    } else {
      for (ptrdiff_t r = 0; r < on; r++) g[r] = j > 0 ? g[r] + d[0] * c[r] : d[0] * c[r];
      j++;
    }
  }
}

static void apply_joints(ms_transient *run) {
  spread(run, run->g);
  run->method->correct(run);
}

ms_status ms_transient_commit_joints(ms_transient *run) {
  for (int i = 0; i < run->structure->n_attachment; i++) {
    const ms_joint *j = run->attachment[i].joint;
    MS_TRY(j->law->commit(j->ctx, j->model, j->state, &run->attachment[i].trial));
  }
  return MS_SUCCESS;
}

static ms_status accept(ms_transient *run) {
  /* Work of the loads and of the dampers over the step; exact for average acceleration. */
  const int line = run->method->wants_line;
  if (run->loaded > 0) {
    run->input += line ? load_work_line(run) : load_work(run);
    run->largest_input = larger(run->largest_input, fabs(run->input));
  }
  run->viscous += run->damping_full ? 0.25 * run->dt * damper_work_full(run)
                  : line            ? damper_work_line(run)
                                    : damper_work(run);
  swap(&run->q, &run->q_next);
  swap(&run->v, &run->v_next);
  swap(&run->a, &run->a_next);
  swap(&run->p, &run->p_next);
  run->step++;
  run->count.steps++;
  run->t = run->t + run->dt;
  return run->count.steps >= run->sample_at ? ms_transient_sample_motion(run) : MS_SUCCESS;
}

void ms_transient_swap_probe(ms_transient *run) {
  ms_trial_attachment *attachment = run->attachment;
  run->attachment = run->attachment_probe;
  run->attachment_probe = attachment;
  swap(&run->z, &run->z_probe);
  swap(&run->w, &run->w_probe);
  swap(&run->f, &run->f_probe);
}

ms_status ms_transient_probe_joints(ms_transient *run, const double *q, const double *v, double dt,
                                    double *d) {
  ms_transient_swap_probe(run);
  ms_transient_project(run, q, run->z);
  ms_transient_project(run, v, run->w);
  ms_status status = ms_transient_eval_joints(run, dt);
  memcpy(d, run->r, (size_t)run->n * sizeof *d);
  ms_transient_swap_probe(run);
  return status;
}

static int is_loaded(const ms_transient *run) {
  return run->loaded > 0 || (run->n_load > 0 && run->t < run->loads_end);
}

static ms_status solve_step(ms_transient *run) {
  const int loaded = is_loaded(run);
  run->on = loaded ? run->m : run->ring;
  if (loaded) ms_transient_next_loads(run, run->t + run->dt);
  run->method->predict(run);
  if (run->contact) return ms_transient_move_contact(run);
  if (run->n == 0) return MS_SUCCESS;
  project(run, run->on, run->q_next, run->z_free);
  if (run->rate) project(run, run->on, run->v_next, run->w_free);
  for (ptrdiff_t j = 0; run->divide && j < run->n; j++) run->d[j] += run->dt * run->d_rate[j];
  if (run->n == 1 && !run->rate && solve_single(run)) return MS_SUCCESS;
  return ms_transient_solve_joints(run);
}

ms_status ms_transient_attempt(ms_transient *run) {
  MS_TRY(solve_step(run));
  apply_joints(run);
  return MS_SUCCESS;
}

ms_status ms_transient_accept(ms_transient *run) {
  MS_TRY(ms_transient_commit_joints(run));
  if (run->divide) ms_divide_follow(run);
  return accept(run);
}

/* Bound on the error that joints cause which lost stiffness: see step_division.c. */
static double slip_bound(const ms_transient *run) {
  double sum = 0.0;
  for (int k = 0; k < run->structure->n_attachment; k++) {
    const ms_trial_attachment *attachment = &run->attachment[k];
    const int n = attachment->n;
    for (int a = 0; a < n; a++) {
      const ptrdiff_t j = attachment->first + a;
      const double R = attachment->out.du[a + n * a], F = fabs(R - attachment->stuck[a + n * a]);
      if (F > 0.0) {
        sum += F * run->bound[j] / ms_divide_held(run, j, fabs(R), run->bound[j], run->dt);
      }
    }
  }
  return sum;
}

/* The level at which a step that was tried is to be taken; 0: it is accepted. */
static int find_level(ms_transient *run, ms_status status) {
  if (status != MS_SUCCESS) return run->setting.divide_max < 2 ? run->setting.divide_max : 2;
  return ms_divide_find_level(run, slip_bound(run) > run->setting.divide);
}

/* Of modes that the last step did not move. */
static void follow_joints(ms_transient *run) {
  for (ptrdiff_t r = run->on; r < run->m; r++) {
    double g = 0.0;
    for (ptrdiff_t j = 0; j < run->n; j++) g += run->gamma[r + run->m * j] * run->d[j];
    run->q[r] = -run->gq[r] * g;
    run->v[r] = run->a[r] = 0.0;
  }
}

static ms_status take_step(ms_transient *run) {
  if (run->adaptive) return ms_adaptive_step(run);
  if (run->level > 0) return ms_divide_step(run);
  int loaded = run->loaded;
  if (run->divide) ms_parts_keep(run);
  ms_status status = solve_step(run);
  if (run->divide && status >= 0) {
    int level = find_level(run, status);
    if (level > 0) {
      ms_parts_put_back(run, loaded);
      MS_TRY(ms_parts_use(run, level));
      return ms_divide_step(run);
    }
  }
  if (status != MS_SUCCESS) {
    /* After a step that did not converge: what the joints were at the state that still holds. */
    run->loaded = loaded;
    ms_transient_project(run, run->q, run->z);
    ms_transient_project(run, run->v, run->w);
    if (ms_transient_eval_joints(run, 0.0) == MS_SUCCESS)
      memcpy(run->d, run->r, (size_t)run->n * sizeof *run->d);
    return status;
  }
  MS_TRY(ms_transient_commit_joints(run));
  apply_joints(run);
  if (run->divide) ms_divide_follow(run);
  return accept(run);
}

ms_status ms_transient_step(ms_transient *run) {
  ms_status status = take_step(run);
  if (run->on < run->m) follow_joints(run);
  return status;
}
