/* A run in time: loads, the solution of each step for the joints, energy, state. The integrators
   are in files of their own; impl.h has the letters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "core/internal.h"
#include "response/transient/impl.h"

#define MS_METHOD(name) extern const ms_integrator ms_integrator_##name;
#include "response/transient/methods.def"
#undef MS_METHOD

#define MS_METHOD(name) &ms_integrator_##name,
static const ms_integrator *const methods[] = {
#include "response/transient/methods.def"
};
#undef MS_METHOD

enum { N_METHODS = sizeof methods / sizeof *methods };
enum { PRELOAD_PARTS = 32 };  /* a preload grows in so many */
#define RIGID_TOLERANCE 1e-10 /* of a preload's size: what may be rounding on a rigid-body mode */

/* ---- life ---- */

static const char *method_name(const void *list, int i) {
  (void)list;
  return methods[i]->name;
}

static ms_status find_method(ms_context *ctx, const char *name, const ms_integrator **out) {
  for (int i = 0; i < N_METHODS; i++) {
    if (strcmp(methods[i]->name, name) != 0) continue;
    *out = methods[i];
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, method_name, NULL, N_METHODS);
  return ms_fail(ctx, MS_ERR_NAME, "unknown method '%s'; %s '%s'%s", name,
                 near ? "did you mean" : "there is", near ? near : methods[0]->name,
                 near ? "?" : "");
}

static ms_status check_setting(ms_context *ctx, const ms_transient_setting *s) {
  if (!(s->step > 0.0 && s->step < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "time step %g must be > 0 and finite", s->step);
  }
  if (!(s->beta >= 0.0 && s->beta <= 1.0 && s->gamma >= 0.5 && s->gamma <= 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "Newmark beta = %g and gamma = %g: beta must be in [0, 1], gamma in [1/2, 1]; "
                   "below 1/2 the method feeds energy in",
                   s->beta, s->gamma);
  }
  if (!(s->tolerance >= 0.0 && s->tolerance < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "error tolerance %g must be in (0, 1), or 0 for steps of one length",
                   s->tolerance);
  }
  if (!(s->newton_tolerance > 0.0) || s->newton_max < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "Newton needs a tolerance > 0 and at least one iteration");
  }
  return MS_SUCCESS;
}

static ms_status allocate_modal(ms_transient *run) {
  double **part[] = { &run->q,      &run->v,      &run->a,      &run->p,      &run->q_next,
                      &run->v_next, &run->a_next, &run->p_next, &run->p_from, &run->p_to,
                      &run->g,      &run->gq,     &run->gv };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    MS_TRY(ms_allocate(run->ctx, run->m, sizeof(double), part[i]));
  }
  return ms_allocate(run->ctx, run->method->coefficients(run), sizeof(double), &run->coefficient);
}

static ms_status allocate_joints(ms_transient *run) {
  double **vector[] = { &run->z,       &run->z_free,  &run->w, &run->w_free,  &run->f,
                        &run->d,       &run->d_old,   &run->r, &run->z_whole, &run->z_probe,
                        &run->w_probe, &run->f_probe, &run->fz };
  double **square[] = { &run->H, &run->Hv, &run->J };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    MS_TRY(ms_allocate(run->ctx, run->n, sizeof(double), vector[i]));
  }
  for (size_t i = 0; i < sizeof square / sizeof *square; i++) {
    MS_TRY(ms_allocate(run->ctx, run->n * run->n, sizeof(double), square[i]));
  }
  MS_TRY(ms_allocate(run->ctx, run->structure->n_seat, sizeof *run->seat, &run->seat_probe));
  return ms_allocate(run->ctx, run->structure->n_seat, sizeof *run->seat, &run->seat);
}

static void fill_seats(ms_transient *run) {
  for (int i = 0; i < run->structure->n_seat; i++) {
    const ms_seat *from = &run->structure->seat[i];
    const ms_law_info *info = ms_joint_info(from->joint);
    ms_trial_seat *seat = &run->seat[i];
    seat->joint = from->joint;
    seat->stuck = from->stuck;
    seat->n = info->n_axis;
    seat->first = from->first;
    seat->in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
    run->seat_probe[i] = *seat;
    run->rate |= (info->flags & MS_LAW_RATE) != 0;
    run->wide |= info->n_axis > 1;
  }
}

/* H = gamma^T gain gamma, column by column; q_next and v_next serve as workspace. */
void ms_transient_fill_H(ms_transient *run) {
  ptrdiff_t m = run->m, n = run->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    run->method->gain(run, run->gamma + m * j, run->q_next, run->v_next);
    for (ptrdiff_t i = 0; i < n; i++) {
      const double *g = run->gamma + m * i;
      double sum = 0.0, sum_v = 0.0;
      for (ptrdiff_t r = 0; r < m; r++) {
        sum += g[r] * run->q_next[r];
        sum_v += g[r] * run->v_next[r];
      }
      run->H[i + n * j] = sum;
      run->Hv[i + n * j] = sum_v;
    }
  }
}

static ms_status set_up(ms_transient *run) {
  const ms_structure *s = run->structure;
  run->m = s->n;
  run->n = s->n_axis;
  run->dt = run->setting.step;
  run->omega = s->omega;
  run->damping = s->modal_damping;
  run->damping_full = s->modal_damping_full;
  run->gamma = s->gamma;
  MS_TRY(allocate_modal(run));
  MS_TRY(allocate_joints(run));
  fill_seats(run);
  MS_TRY(run->method->prepare(run));
  ms_transient_fill_H(run);
  if (run->setting.tolerance > 0.0) MS_TRY(ms_adaptive_open(run));
  return ms_transient_start(run, 0.0, NULL, NULL);
}

ms_status ms_transient_create(ms_structure *structure, const ms_transient_setting *setting,
                              ms_transient **out) {
  ms_context *ctx = structure->ctx;
  const ms_integrator *method = NULL;
  ms_transient *run;
  *out = NULL;
  if (!structure->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(find_method(ctx, setting->method, &method));
  MS_TRY(ms_allocate(ctx, 1, sizeof *run, &run));
  *run =
      (ms_transient) { .ctx = ctx, .structure = structure, .setting = *setting, .method = method };
  ms_status status = set_up(run);
  if (status != MS_SUCCESS) {
    ms_transient_destroy(&run);
    return status;
  }
  *out = run;
  return MS_SUCCESS;
}

void ms_transient_destroy(ms_transient **pointer) {
  if (!pointer || !*pointer) return;
  ms_transient *run = *pointer;
  ms_adaptive_close(run);
  double **part[] = { &run->q,       &run->v,       &run->a,       &run->p,       &run->q_next,
                      &run->v_next,  &run->a_next,  &run->p_next,  &run->g,       &run->coefficient,
                      &run->gq,      &run->gv,      &run->H,       &run->Hv,      &run->z,
                      &run->z_free,  &run->w,       &run->w_free,  &run->f,       &run->d,
                      &run->d_old,   &run->r,       &run->J,       &run->p_from,  &run->p_to,
                      &run->z_whole, &run->z_probe, &run->w_probe, &run->f_probe, &run->fz };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(run->ctx, part[i]);
  for (int i = 0; i < run->n_load; i++) ms_free(run->ctx, &run->load[i].modal);
  ms_free(run->ctx, &run->load);
  ms_free(run->ctx, &run->seat);
  ms_free(run->ctx, &run->seat_probe);
  ms_free(run->ctx, pointer);
}

/* ---- loads ---- */

ms_status ms_transient_add_load(ms_transient *run, const double *shape, ms_time_fn s, void *user,
                                double end) {
  ptrdiff_t m = run->m;
  for (ptrdiff_t i = 0; i < m; i++) {
    if (!isfinite(shape[i])) return ms_fail(run->ctx, MS_ERR_NUMERIC, "the load is not finite");
  }
  MS_TRY(ms_resize(run->ctx, run->n_load + 1, sizeof *run->load, &run->load));
  ms_applied_load *load = &run->load[run->n_load];
  *load = (ms_applied_load) { .s = s, .user = user, .end = end };
  MS_TRY(ms_allocate(run->ctx, m, sizeof *load->modal, &load->modal));
  for (ptrdiff_t r = 0; r < m; r++) {
    const double *phi = run->structure->shape + m * r;
    for (ptrdiff_t i = 0; i < m; i++) load->modal[r] += phi[i] * shape[i];
  }
  if (run->n_load++ == 0 || end > run->loads_end) run->loads_end = end;
  return MS_SUCCESS;
}

/* p += s Phi^T shape, the first load of a step on a clean sheet. */
static void add_load(const ms_transient *run, const ms_applied_load *load, double s, int first,
                     double *restrict p) {
  const double *restrict modal = load->modal;
  if (first) memset(p, 0, (size_t)run->m * sizeof *p);
  for (ptrdiff_t r = 0; r < run->m; r++) p[r] += s * modal[r];
}

/* p := Phi^T F(t); returns whether any load is on. */
int ms_transient_eval_loads(const ms_transient *run, double t, double *p) {
  int on = 0;
  for (int i = 0; i < run->n_load; i++) {
    const ms_applied_load *load = &run->load[i];
    if (t >= load->end) continue;
    add_load(run, load, load->s(load->user, t), !on, p);
    on = 1;
  }
  return on;
}

/* The line from + (to - from) x, x in (0, 1), that has the mean and the first moment of a load over
   a step, which it may leave in the middle: Gauss, two points in the part where it is on. */
static void fit_line(const ms_applied_load *load, double t, double dt, double *from, double *to) {
  static const double point[2] = { 0.21132486540518712, 0.78867513459481288 };
  double part = fmin(1.0, (load->end - t) / dt), mean = 0.0, moment = 0.0;
  for (int i = 0; i < 2; i++) {
    double x = part * point[i], s = 0.5 * part * load->s(load->user, t + dt * x);
    mean += s;
    moment += s * x;
  }
  *from = 4.0 * mean - 6.0 * moment;
  *to = 6.0 * moment - 2.0 * mean;
}

/* p_from, p_to over the step that begins now. */
static void line_loads(ms_transient *run) {
  int on = 0;
  for (int i = 0; i < run->n_load; i++) {
    double from, to;
    if (run->t >= run->load[i].end) continue;
    fit_line(&run->load[i], run->t, run->dt, &from, &to);
    add_load(run, &run->load[i], from, !on, run->p_from);
    add_load(run, &run->load[i], to, !on, run->p_to);
    on = 1;
  }
  if (on || run->loaded == 0) return;
  memset(run->p_from, 0, (size_t)run->m * sizeof *run->p_from);
  memset(run->p_to, 0, (size_t)run->m * sizeof *run->p_to);
}

static void next_loads(ms_transient *run, double t) {
  if (run->loaded == 0 && (run->n_load == 0 || run->t >= run->loads_end)) return;
  if (run->method->wants_line) line_loads(run);
  if (ms_transient_eval_loads(run, t, run->p_next)) {
    run->loaded = 2; /* now and at the next step */
    return;
  }
  if (run->loaded > 0) memset(run->p_next, 0, (size_t)run->m * sizeof *run->p_next);
  if (run->loaded > 0) run->loaded--;
}

/* ---- the joints ---- */

/* z := gamma^T x. Four columns for each x read; sums in any order, so that they can be vectors. */
static void project_four(ptrdiff_t m, const double *restrict g, const double *restrict x,
                         double *restrict z) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (ptrdiff_t r = 0; r < m; r++) {
    s0 += g[r] * x[r];
    s1 += g[r + m] * x[r];
    s2 += g[r + 2 * m] * x[r];
    s3 += g[r + 3 * m] * x[r];
  }
  z[0] = s0, z[1] = s1, z[2] = s2, z[3] = s3;
}

/* In two sums, which do not wait for each other; short ones would not gain from vectors. */
static double dot(ptrdiff_t m, const double *restrict a, const double *restrict b) {
  double even = 0.0, odd = 0.0;
  ptrdiff_t r = 0;
  for (; r + 1 < m; r += 2) {
    even += a[r] * b[r];
    odd += a[r + 1] * b[r + 1];
  }
  return r < m ? even + odd + a[r] * b[r] : even + odd;
}

static void project(const ms_transient *run, const double *x, double *z) {
  const ptrdiff_t m = run->m, n = run->n;
  ptrdiff_t j = 0;
  for (; j + 4 <= n; j += 4) project_four(m, run->gamma + m * j, x, z + j);
  for (; j < n; j++) z[j] = dot(m, run->gamma + m * j, x);
}

/* The joint's law at z (and w = dz/dt). The joint interface would check every input and every
   output; here it is enough that all is finite, and asked only to say what is not. */
static ms_status eval_joint(ms_trial_seat *seat, const double *z, const double *w) {
  const ms_joint *j = seat->joint;
  const int n = seat->n;
  double check = 0.0;
  for (int a = 0; a < n; a++) {
    seat->in.u[a] = z[a], seat->in.v[a] = w[a];
    check += (z[a] - z[a]) + (w[a] - w[a]); /* 0, or NaN */
  }
  if (check == 0.0) {
    MS_TRY(j->law->update(j->model, j->state, &seat->in, &seat->out, &seat->trial));
    check = seat->out.force[0] - seat->out.force[0];
    for (int a = 1; a < n; a++) check += seat->out.force[a] - seat->out.force[a];
  }
  if (check == 0.0) return MS_SUCCESS;
  return ms_joint_update(j, &seat->in, &seat->out, &seat->trial);
}

/* Force and its derivatives of every joint; r := the d that they give. */
static ms_status eval_joints(ms_transient *run, double dt) {
  const int n_seat = run->structure->n_seat;
  run->count.evaluations++;
  for (int i = 0; i < n_seat; i++) {
    ms_trial_seat *seat = &run->seat[i];
    const ptrdiff_t first = seat->first;
    const double *K = seat->stuck;
    const int n = seat->n;
    seat->in.dt = dt;
    MS_TRY(eval_joint(seat, run->z + first, run->w + first));
    for (int a = 0; a < n; a++) {
      double stuck = K[a] * run->z[first];
      for (int b = 1; b < n; b++) stuck += K[a + n * b] * run->z[first + b];
      run->f[first + a] = seat->out.force[a];
      run->r[first + a] = seat->out.force[a] - stuck;
      run->fz[first + a] = seat->out.du[a + n * a] - K[a + n * a];
    }
  }
  return MS_SUCCESS;
}

/* z and w for the d under trial; H and Hv are symmetric. */
static void place_joints(ms_transient *run) {
  ptrdiff_t n = run->n;
  for (ptrdiff_t i = 0; i < n; i++) run->z[i] = run->z_free[i] - dot(n, run->H + n * i, run->d);
  for (ptrdiff_t i = 0; run->rate && i < n; i++) {
    run->w[i] = run->w_free[i] - dot(n, run->Hv + n * i, run->d);
  }
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* r := d - d(z), relative size of it returned. */
static double residual(ms_transient *run) {
  double worst = 0.0, size = 0.0;
  for (ptrdiff_t i = 0; i < run->n; i++) {
    double stuck = run->f[i] - run->r[i], r = run->d[i] - run->r[i];
    run->r[i] = r;
    worst = larger(fabs(r), worst);
    size = larger(larger(fabs(run->f[i]), fabs(stuck)), size);
  }
  return worst > 0.0 ? worst / size : 0.0;
}

/* What joints of several axes add to J between these, and velocity to all. */
static void couple_J(ms_transient *run) {
  const ptrdiff_t n = run->n;
  for (int k = 0; k < run->structure->n_seat; k++) {
    const ms_trial_seat *seat = &run->seat[k];
    for (int ab = 0; ab < seat->n * seat->n; ab++) {
      int a = ab % seat->n, b = ab / seat->n;
      double fz = a == b ? 0.0 : seat->out.du[ab] - seat->stuck[ab];
      double fv = run->rate ? seat->out.dv[ab] : 0.0;
      double *row = run->J + seat->first + a;
      const double *H = run->H + seat->first + b, *Hv = run->Hv + seat->first + b;
      for (ptrdiff_t j = 0; j < n; j++) row[n * j] += fz * H[n * j] + fv * Hv[n * j];
    }
  }
}

/* J = I + fz H + fv Hv; fz and fv have a block for each joint, for joints do not see each other. */
static void fill_J(ms_transient *run) {
  const ptrdiff_t n = run->n;
  const double *restrict fz = run->fz, *restrict H = run->H;
  double *restrict J = run->J;
  for (ptrdiff_t j = 0; j < n; j++, J += n, H += n) {
    for (ptrdiff_t i = 0; i < n; i++) J[i] = fz[i] * H[i];
    J[j] += 1.0;
  }
  if (run->wide || run->rate) couple_J(run);
}

/* r := J^-1 r. */
static int newton_direction(ms_transient *run) {
  if (run->n == 1) {
    double J = 1.0 + run->fz[0] * run->H[0];
    if (run->rate) J += run->seat[0].out.dv[0] * run->Hv[0];
    run->r[0] /= J;
    return J == 0.0;
  }
  fill_J(run);
  return ms_dense_solve(run->n, run->J, run->r);
}

enum { MAX_HALVINGS = 12 };

/* Newton with halving where a full step makes things worse; d starts at its last value. */
static ms_status solve_joints(ms_transient *run) {
  ptrdiff_t n = run->n;
  double *direction = run->d_old, error = 0.0, before = HUGE_VAL, part = 1.0;
  int halvings = 0;
  for (int k = 0; k < run->setting.newton_max; k++) {
    place_joints(run);
    MS_TRY(eval_joints(run, run->dt));
    error = residual(run);
    if (error <= run->setting.newton_tolerance) {
      run->count.residual = larger(run->count.residual, error);
      return MS_SUCCESS;
    }
    if (error > before && halvings < MAX_HALVINGS) {
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
  ms_trial_seat *seat = run->seat;
  const ms_joint *j = seat->joint;
  const double H = run->H[0], K = seat->stuck[0], z_free = run->z_free[0];
  double d = run->d[0];
  seat->in.dt = run->dt;
  for (int k = 0; k < MAX_QUICK && k < run->setting.newton_max; k++) {
    double z = z_free - H * d;
    seat->in.u[0] = z;
    if (z - z != 0.0) return 0; /* not finite */
    if (j->law->update(j->model, j->state, &seat->in, &seat->out, &seat->trial)) return 0;
    double f = seat->out.force[0], r = d - (f - K * z), size = larger(fabs(f), fabs(K * z));
    run->count.evaluations++;
    if (fabs(r) <= run->setting.newton_tolerance * size) {
      if (fabs(r) > run->count.residual * size) run->count.residual = fabs(r) / size;
      run->z[0] = z;
      run->f[0] = f;
      run->d[0] = d;
      return 1;
    }
    d -= r / (1.0 + (seat->out.du[0] - K) * H);
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
  return viscous;
}

static double load_work(const ms_transient *run) {
  const int line = run->method->wants_line; /* the force that the method took */
  const double *from = line ? run->p_from : run->p, *to = line ? run->p_to : run->p_next;
  double input = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    input += (from[r] + to[r]) * (run->q_next[r] - run->q[r]);
  }
  return input;
}

/* Work of the loads and of the dampers over the step; exact for average acceleration. */
static void count_energy(ms_transient *run) {
  double viscous = run->damping_full ? damper_work_full(run) : damper_work(run);
  if (run->loaded > 0) run->input += 0.5 * load_work(run);
  run->viscous += 0.25 * run->dt * viscous;
}

/* g := gamma d, or g += for columns after the first, four at a time where there are four. */
static void spread(const ms_transient *run, double *restrict g) {
  const ptrdiff_t m = run->m, n = run->n;
  ptrdiff_t j = 0;
  if (n == 0) memset(g, 0, (size_t)m * sizeof *g);
  while (j < n) {
    const double *restrict c = run->gamma + m * j, *restrict d = run->d + j;
    if (n - j >= 4) {
      const double d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
      for (ptrdiff_t r = 0; r < m; r++) {
        double sum = (d0 * c[r] + d1 * c[r + m]) + (d2 * c[r + 2 * m] + d3 * c[r + 3 * m]);
        g[r] = j > 0 ? g[r] + sum : sum;
      }
      j += 4;
    } else {
      for (ptrdiff_t r = 0; r < m; r++) g[r] = j > 0 ? g[r] + d[0] * c[r] : d[0] * c[r];
      j++;
    }
  }
}

static void apply_joints(ms_transient *run) {
  spread(run, run->g);
  run->method->correct(run);
}

static ms_status commit_joints(ms_transient *run) {
  for (int i = 0; i < run->structure->n_seat; i++) {
    const ms_joint *j = run->seat[i].joint;
    MS_TRY(j->law->commit(j->ctx, j->model, j->state, &run->seat[i].trial));
  }
  return MS_SUCCESS;
}

static void accept(ms_transient *run) {
  count_energy(run);
  swap(&run->q, &run->q_next);
  swap(&run->v, &run->v_next);
  swap(&run->a, &run->a_next);
  swap(&run->p, &run->p_next);
  run->step++;
  run->count.steps++;
  run->t = run->t + run->dt;
}

static void swap_probe(ms_transient *run) {
  ms_trial_seat *seat = run->seat;
  run->seat = run->seat_probe;
  run->seat_probe = seat;
  swap(&run->z, &run->z_probe);
  swap(&run->w, &run->w_probe);
  swap(&run->f, &run->f_probe);
}

ms_status ms_transient_probe_joints(ms_transient *run, const double *q, const double *v, double dt,
                                    double *d) {
  swap_probe(run);
  project(run, q, run->z);
  project(run, v, run->w);
  ms_status status = eval_joints(run, dt);
  memcpy(d, run->r, (size_t)run->n * sizeof *d);
  swap_probe(run);
  return status;
}

static ms_status solve_step(ms_transient *run) {
  next_loads(run, run->t + run->dt);
  run->method->predict(run);
  if (run->n == 0) return MS_SUCCESS;
  project(run, run->q_next, run->z_free);
  if (run->rate) project(run, run->v_next, run->w_free);
  if (run->n == 1 && !run->rate && solve_single(run)) return MS_SUCCESS;
  return solve_joints(run);
}

ms_status ms_transient_attempt(ms_transient *run) {
  MS_TRY(solve_step(run));
  apply_joints(run);
  return MS_SUCCESS;
}

ms_status ms_transient_accept(ms_transient *run) {
  MS_TRY(commit_joints(run));
  accept(run);
  return MS_SUCCESS;
}

/* After a step that did not converge: what the joints were at the state that still holds. */
static void restore_joints(ms_transient *run, int loaded) {
  run->loaded = loaded;
  project(run, run->q, run->z);
  project(run, run->v, run->w);
  if (eval_joints(run, 0.0) == MS_SUCCESS) memcpy(run->d, run->r, (size_t)run->n * sizeof *run->d);
}

ms_status ms_transient_step(ms_transient *run) {
  if (run->adaptive) return ms_adaptive_step(run);
  int loaded = run->loaded;
  ms_status status = solve_step(run);
  if (status != MS_SUCCESS) {
    restore_joints(run, loaded);
    return status;
  }
  MS_TRY(commit_joints(run));
  apply_joints(run);
  accept(run);
  return MS_SUCCESS;
}

ms_status ms_transient_run(ms_transient *run, ptrdiff_t steps, ptrdiff_t stride,
                           ms_observe_fn observe, void *user) {
  enum { PROGRESS = 4096 };
  if (stride < 1)
    return ms_fail(run->ctx, MS_ERR_ARGUMENT, "stride %td must be at least 1", stride);
  if (observe && observe(user, run))
    return ms_fail(run->ctx, MS_CANCELLED, "stopped by the observer");
  for (ptrdiff_t k = 1; k <= steps; k++) {
    MS_TRY(ms_transient_step(run));
    if (observe && k % stride == 0 && observe(user, run)) {
      return ms_fail(run->ctx, MS_CANCELLED, "stopped by the observer");
    }
    if (k % PROGRESS == 0) MS_TRY(ms_progress(run->ctx, "transient", (double)k / (double)steps));
  }
  for (ptrdiff_t r = 0; r < run->m; r++) {
    if (isfinite(run->q[r]) && isfinite(run->v[r])) continue;
    return ms_fail(run->ctx, MS_ERR_NUMERIC, "mode %td is not finite at t = %g", r + 1, run->t);
  }
  return MS_SUCCESS;
}

/* ---- start and state ---- */

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

/* a = p - c v - omega^2 q - gamma d. */
static void start_acceleration(ms_transient *run) {
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
}

static double mechanical_energy(const ms_transient *run, double *kinetic, double *elastic) {
  *kinetic = *elastic = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    *kinetic += 0.5 * run->v[r] * run->v[r];
    *elastic += 0.5 * run->omega[r] * run->omega[r] * run->q[r] * run->q[r];
  }
  for (int k = 0; k < run->structure->n_seat;
       k++) { /* the stuck springs are the joints', not ours */
    const ms_seat *seat = &run->structure->seat[k];
    int n = ms_joint_info(seat->joint)->n_axis;
    for (int ab = 0; ab < n * n; ab++) {
      *elastic -=
          0.5 * seat->stuck[ab] * run->z[seat->first + ab % n] * run->z[seat->first + ab / n];
    }
  }
  return *kinetic + *elastic;
}

static ms_status joint_energy(const ms_transient *run, double *stored, double *dissipated) {
  *stored = *dissipated = 0.0;
  for (int k = 0; k < run->structure->n_seat; k++) {
    ms_joint_energy e;
    MS_TRY(ms_joint_get_energy(run->structure->seat[k].joint, &e));
    *stored += e.stored;
    *dissipated += e.dissipated;
  }
  return MS_SUCCESS;
}

static ms_status start_joints(ms_transient *run) {
  for (int k = 0; k < run->structure->n_seat; k++) {
    MS_TRY(ms_joint_start(run->structure->seat[k].joint, NULL));
  }
  return MS_SUCCESS;
}

/* q, v, z, d and the joints are in place: time, loads, acceleration, energy. */
static void start_clock(ms_transient *run, double t0) {
  double kinetic, elastic, stored = 0.0, dissipated = 0.0;
  run->t = t0;
  run->step = 0;
  run->count = (ms_transient_count) { 0, 0, 0, 0.0 };
  memset(run->p, 0, (size_t)run->m * sizeof *run->p);
  run->loaded = ms_transient_eval_loads(run, t0, run->p) ? 2 : 1;
  start_acceleration(run);
  run->input = run->viscous = 0.0;
  if (joint_energy(run, &stored, &dissipated) != MS_SUCCESS) ms_context_clear_message(run->ctx);
  run->start_energy = mechanical_energy(run, &kinetic, &elastic) + stored + dissipated;
}

ms_status ms_transient_start(ms_transient *run, double t0, const double *u, const double *v) {
  ms_adaptive_use(run, 0.0);
  to_modal(run, u, run->q);
  to_modal(run, v, run->v);
  project(run, run->q, run->z);
  project(run, run->v, run->w);
  MS_TRY(start_joints(run));
  MS_TRY(eval_joints(run, 0.0));
  memcpy(run->d, run->r, (size_t)run->n * sizeof *run->d);
  MS_TRY(commit_joints(run));
  start_clock(run, t0);
  return MS_SUCCESS;
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
    if (run->omega[r] > 0.0 || fabs(p[r]) <= RIGID_TOLERANCE * size) continue;
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

/* H and Hv of a standstill in place of the step's; ms_transient_fill_H restores them. */
static void fill_static_H(ms_transient *run) {
  ptrdiff_t n = run->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    flex(run, run->gamma + run->m * j, run->q_next);
    project(run, run->q_next, run->H + n * j);
  }
  memset(run->Hv, 0, (size_t)(n * n) * sizeof *run->Hv);
}

/* The force grows in equal parts, and the joints follow. p is in p_next. */
static ms_status load_slowly(ms_transient *run) {
  ptrdiff_t n = run->n;
  double *z_1 = run->z_whole;
  flex(run, run->p_next, run->q);
  project(run, run->q, z_1);
  memset(run->d, 0, (size_t)n * sizeof *run->d);
  memset(run->w_free, 0, (size_t)n * sizeof *run->w_free);
  for (int k = 1; n > 0 && k <= PRELOAD_PARTS; k++) {
    for (ptrdiff_t i = 0; i < n; i++) run->z_free[i] = z_1[i] * k / PRELOAD_PARTS;
    ms_status status = solve_joints(run);
    if (status == MS_NOT_CONVERGED) {
      return ms_fail(run->ctx, status,
                     "no static equilibrium from %g of the preload on: the joints cannot hold it",
                     (k - 1.0) / PRELOAD_PARTS);
    }
    MS_TRY(status);
    MS_TRY(commit_joints(run));
  }
  memcpy(run->a_next, run->p_next, (size_t)run->m * sizeof *run->a_next);
  for (ptrdiff_t j = 0; j < n; j++) {
    const double *gamma = run->gamma + run->m * j;
    for (ptrdiff_t r = 0; r < run->m; r++) run->a_next[r] -= run->d[j] * gamma[r];
  }
  flex(run, run->a_next, run->q);
  return MS_SUCCESS;
}

ms_status ms_transient_start_static(ms_transient *run, double t0, const double *force,
                                    const double *v) {
  ms_adaptive_use(run, 0.0);
  double dt = run->dt;
  MS_TRY(static_force(run, force, run->p_next));
  MS_TRY(start_joints(run));
  fill_static_H(run);
  run->dt = 0.0;
  ms_status status = load_slowly(run);
  run->dt = dt;
  ms_transient_fill_H(run);
  if (status != MS_SUCCESS) {
    char why[200];
    snprintf(why, sizeof why, "%s", ms_context_message(run->ctx));
    MS_TRY(ms_transient_start(run, t0, NULL, NULL));
    return ms_fail(run->ctx, status, "%s", why);
  }
  to_modal(run, v, run->v);
  project(run, run->v, run->w);
  start_clock(run, t0);
  return MS_SUCCESS;
}

double ms_transient_get_time(const ms_transient *run) {
  return run->t;
}

ptrdiff_t ms_transient_get_step(const ms_transient *run) {
  return run->step;
}

void ms_transient_get_modal(const ms_transient *run, const double **q, const double **v,
                            const double **a) {
  if (q) *q = run->q;
  if (v) *v = run->v;
  if (a) *a = run->a;
}

static void to_coordinates(const ms_transient *run, const double *x, double *u) {
  ptrdiff_t n = run->m;
  memset(u, 0, (size_t)n * sizeof *u);
  for (ptrdiff_t r = 0; r < n; r++) {
    const double *phi = run->structure->shape + n * r;
    for (ptrdiff_t i = 0; i < n; i++) u[i] += phi[i] * x[r];
  }
}

void ms_transient_get_coordinates(const ms_transient *run, double *u, double *v, double *a) {
  if (u) to_coordinates(run, run->q, u);
  if (v) to_coordinates(run, run->v, v);
  if (a) to_coordinates(run, run->a, a);
}

void ms_transient_get_joints(const ms_transient *run, const double **z, const double **f) {
  if (z) *z = run->z;
  if (f) *f = run->f;
}

ms_status ms_transient_get_energy(const ms_transient *run, ms_transient_energy *out) {
  *out = (ms_transient_energy) { .start = run->start_energy,
                                 .input = run->input,
                                 .viscous = run->viscous };
  mechanical_energy(run, &out->kinetic, &out->elastic);
  MS_TRY(joint_energy(run, &out->stored, &out->dissipated));
  out->balance = out->start + out->input - out->kinetic - out->elastic - out->viscous -
                 out->stored - out->dissipated;
  return MS_SUCCESS;
}

ms_transient_count ms_transient_get_count(const ms_transient *run) {
  return run->count;
}

/* ---- checkpoints: scalars, modal state, joint forces, joints ---- */

enum { N_SCALAR = 11 };

ptrdiff_t ms_transient_save_size(const ms_transient *run) {
  ptrdiff_t n = N_SCALAR + 4 * run->m + 3 * run->n;
  for (int k = 0; k < run->structure->n_seat; k++) {
    n += 1 + ms_joint_save_size(run->structure->seat[k].joint);
  }
  return n;
}

static double *put(double *to, const double *from, ptrdiff_t n) {
  memcpy(to, from, (size_t)n * sizeof *to);
  return to + n;
}

static const double *fetch(double *to, const double *from, ptrdiff_t n) {
  memcpy(to, from, (size_t)n * sizeof *to);
  return from + n;
}

ms_status ms_transient_save(const ms_transient *run, double *b) {
  const double scalar[N_SCALAR] = { run->t,
                                    (double)run->step,
                                    (double)run->loaded,
                                    run->start_energy,
                                    run->input,
                                    run->viscous,
                                    (double)run->count.steps,
                                    (double)run->count.evaluations,
                                    run->count.residual,
                                    (double)run->count.rejected,
                                    (double)run->level };
  b = put(b, scalar, N_SCALAR);
  b = put(b, run->q, run->m);
  b = put(b, run->v, run->m);
  b = put(b, run->a, run->m);
  b = put(b, run->p, run->m);
  b = put(b, run->z, run->n);
  b = put(b, run->f, run->n);
  b = put(b, run->d, run->n);
  for (int k = 0; k < run->structure->n_seat; k++) {
    const ms_joint *joint = run->structure->seat[k].joint;
    *b++ = (double)ms_joint_save_size(joint);
    MS_TRY(ms_joint_save(joint, b));
    b += ms_joint_save_size(joint);
  }
  return MS_SUCCESS;
}

static ms_status load_joints(ms_transient *run, const double *b, const double *end) {
  for (int k = 0; k < run->structure->n_seat; k++) {
    ptrdiff_t n = b < end && *b >= 0.0 && *b < (double)(end - b) ? (ptrdiff_t)*b : -1;
    if (n < 0) return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
    MS_TRY(ms_joint_load(run->structure->seat[k].joint, b + 1, n));
    b += n + 1;
  }
  if (b == end) return MS_SUCCESS;
  return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
}

ms_status ms_transient_load(ms_transient *run, const double *b, ptrdiff_t n) {
  const double *end = b + n;
  int sound = n >= N_SCALAR + 4 * run->m + 3 * run->n;
  for (ptrdiff_t i = 0; sound && i < n; i++) sound = isfinite(b[i]) != 0;
  if (!sound || !ms_adaptive_use(run, b[10])) {
    return ms_fail(run->ctx, MS_ERR_FORMAT, "the saved state is not one of this run");
  }
  MS_TRY(load_joints(run, b + N_SCALAR + 4 * run->m + 3 * run->n, end));
  double *past[] = { run->p_next, run->p_from, run->p_to };
  for (int i = 0; i < 3; i++) memset(past[i], 0, (size_t)run->m * sizeof(double));
  run->t = b[0];
  run->step = (ptrdiff_t)b[1];
  run->loaded = (int)b[2];
  run->start_energy = b[3], run->input = b[4], run->viscous = b[5];
  run->count = (ms_transient_count) { (ptrdiff_t)b[6], (ptrdiff_t)b[7], (ptrdiff_t)b[9], b[8] };
  b = fetch(run->q, b + N_SCALAR, run->m);
  b = fetch(run->v, b, run->m);
  b = fetch(run->a, b, run->m);
  b = fetch(run->p, b, run->m);
  b = fetch(run->z, b, run->n);
  b = fetch(run->f, b, run->n);
  fetch(run->d, b, run->n);
  return MS_SUCCESS;
}
