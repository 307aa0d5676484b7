#include "support/curved.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = TEST_CURVED_SIZE, JOINTS = TEST_CURVED_JOINTS, AXES = TEST_CURVED_AXES };

static const double pi = 3.14159265358979323846;

const double test_curved_G[N * N] = { 0.83, -0.47, 0.29, -0.47, 1.13, 0.61, 0.29, 0.61, -0.39 };
const double test_curved_G_across[N * N] = { 0.23, 0.11, 0.0, 0.11, -0.31, 0.17, 0.0, 0.17, 0.41 };

test_curved test_curved_three(ms_joint *(*make)(void), int n_axis) {
  return (test_curved) { .n = N,
                         .n_joint = 1,
                         .m = { 2.385, 0.71, 1.43 },
                         .k = { 7.13, 3.31, 4.57 },
                         .damping = 0.043,
                         .p = { 0.3, -0.9, 2.9 },
                         .omega = 2.3,
                         .u0 = { 0.11, -0.07, 0.05 },
                         .v0 = { 0.31, -0.43, 0.57 },
                         .attachment = { { .make = make,
                                           .n_axis = n_axis,
                                           .b = { { 0.71, 0.37, -0.93 }, { -0.13, 0.41, 0.29 } },
                                           .G = { test_curved_G } } } };
}

ms_joint *test_curved_iwan(void) {
  return test_joint("iwan4", "F_S", 2.385, "K_T", 7.1, "chi", -0.43, "beta", 1.37, NULL);
}

/* ---- with the library ---- */

static void attach_joint(const test_curved *c, const test_curved_attachment *from, int k,
                         ptrdiff_t modes, ms_structure *s) {
  static const ptrdiff_t ground[AXES] = { MS_GROUND, MS_GROUND }, first[AXES] = { 0, 0 };
  ms_joint *joint = from->make();
  CHECK_OK(ms_structure_take_joint(s, k ? "second" : "first", &joint, ground, first));
  for (int a = 0; a < from->n_axis; a++) {
    double mapping_row[N] = { 0.0 };
    for (int i = 0; i < c->n; i++) mapping_row[i] = from->b[a][i] - (i == 0);
    CHECK_OK(ms_structure_set_mapping_row(s, k, a, mapping_row));
    if (from->G[a]) CHECK_OK(ms_structure_set_curvature(s, k, a, from->G[a], modes));
  }
}

ms_structure *test_curved_structure(const test_curved *c, ptrdiff_t modes) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), c->n, NULL, &s));
  for (int i = 0; i < c->n; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, c->m[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, c->k[i]));
  }
  for (int k = 0; k < c->n_joint; k++) attach_joint(c, &c->attachment[k], k, modes, s);
  CHECK_OK(ms_structure_set_rayleigh_damping(s, c->damping, 0.0));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static double half_sine(void *omega, double t) {
  return sin(*(double *)omega * t);
}

ms_transient *test_curved_run(test_curved *c, ms_structure *s,
                              const ms_transient_setting *setting) {
  ms_transient *run = NULL;
  CHECK_OK(ms_transient_create(s, setting, &run));
  if (run && c->omega > 0.0) {
    CHECK_OK(ms_transient_add_load(run, c->p, half_sine, &c->omega, pi / c->omega));
  }
  if (run) CHECK_OK(ms_transient_start(run, 0.0, c->u0, c->v0));
  return run;
}

test_curved_state test_curved_now(const test_curved *c, const ms_transient *run) {
  test_curved_state now = { .energy = 0.0 };
  ms_transient_energy e;
  const double *z, *f;
  ms_transient_get_coordinates(run, now.u, now.v, NULL);
  ms_transient_get_joints(run, &z, &f);
  int n = 0;
  for (int k = 0; k < c->n_joint; k++) n += c->attachment[k].n_axis;
  memcpy(now.z, z, (size_t)n * sizeof *z);
  memcpy(now.f, f, (size_t)n * sizeof *f);
  if (ms_transient_get_energy(run, &e) == MS_SUCCESS) {
    now.energy = e.start + e.input;
    now.balance = e.balance;
  }
  return now;
}

/* ---- without ---- */

typedef struct point {
  double u[N], v[N], input, viscous;
} point;

typedef struct reference {
  const test_curved *c;
  ms_joint *joint[JOINTS];
  ms_joint_trial trial[JOINTS];
  int conjugate;
  double z[JOINTS * AXES], f[JOINTS * AXES]; /* of the last evaluation */
} reference;

/* Displacement and rate of an axis, and how z follows u. */
static void read_axis(const test_curved *c, const test_curved_attachment *attachment, int a,
                      const point *x, double *z, double *w, double *slope) {
  *z = *w = 0.0;
  for (int i = 0; i < c->n; i++) {
    double Gu = 0.0;
    for (int j = 0; attachment->G[a] && j < c->n; j++)
      Gu += attachment->G[a][i + c->n * j] * x->u[j];
    *z += (attachment->b[a][i] + 0.5 * Gu) * x->u[i];
    *w += (attachment->b[a][i] + Gu) * x->v[i];
    slope[i] = attachment->b[a][i] + Gu;
  }
}

/* force -= the joint's on u; the law steps from what it last committed. */
static void push_joint(reference *r, int k, int first, const point *x, double dt, double *force) {
  const test_curved_attachment *attachment = &r->c->attachment[k];
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  double slope[AXES][N];
  in.dt = dt;
  for (int a = 0; a < attachment->n_axis; a++) {
    read_axis(r->c, attachment, a, x, &in.u[a], &in.v[a], slope[a]);
  }
  CHECK_OK(ms_joint_update(r->joint[k], &in, &out, &r->trial[k]));
  for (int a = 0; a < attachment->n_axis; a++) {
    r->z[first + a] = in.u[a];
    r->f[first + a] = out.force[a];
    for (int i = 0; i < r->c->n; i++) {
      force[i] -= out.force[a] * (r->conjugate ? slope[a][i] : attachment->b[a][i]);
    }
  }
}

/* dx/dt at time t, dt after the joints' last commit. */
static point slope_at(reference *r, double t, const point *x, double dt) {
  const test_curved *c = r->c;
  const double s = c->omega > 0.0 && t < pi / c->omega ? sin(c->omega * t) : 0.0;
  double force[N] = { 0.0 };
  point d = { .input = 0.0 };
  int first = 0;
  for (int k = 0; k < c->n_joint; k++) {
    push_joint(r, k, first, x, dt, force);
    first += c->attachment[k].n_axis;
  }
  for (int i = 0; i < c->n; i++) {
    double spring = c->k[i] * (x->u[i] - (i > 0 ? x->u[i - 1] : 0.0));
    force[i] += c->p[i] * s - spring;
    if (i > 0) force[i - 1] += spring;
  }
  for (int i = 0; i < c->n; i++) {
    d.u[i] = x->v[i];
    d.v[i] = force[i] / c->m[i] - c->damping * x->v[i];
    d.input += c->p[i] * s * x->v[i];
    d.viscous += c->damping * c->m[i] * x->v[i] * x->v[i];
  }
  return d;
}

static point add(const point *x, double h, const point *d) {
  point y = *x;
  for (int i = 0; i < N; i++) {
    y.u[i] += h * d->u[i];
    y.v[i] += h * d->v[i];
  }
  y.input += h * d->input;
  y.viscous += h * d->viscous;
  return y;
}

static void commit(reference *r) {
  for (int k = 0; k < r->c->n_joint; k++) {
    CHECK_OK(ms_joint_commit(r->joint[k], &r->trial[k]));
  }
}

static point runge_kutta(reference *r, double t, const point *x, double h) {
  point a = slope_at(r, t, x, 0.0), y = add(x, 0.5 * h, &a);
  point b = slope_at(r, t + 0.5 * h, &y, 0.5 * h);
  y = add(x, 0.5 * h, &b);
  point c = slope_at(r, t + 0.5 * h, &y, 0.5 * h);
  y = add(x, h, &c);
  point d = slope_at(r, t + h, &y, h);
  y = add(x, h / 6.0, &a);
  y = add(&y, h / 3.0, &b);
  y = add(&y, h / 3.0, &c);
  y = add(&y, h / 6.0, &d);
  slope_at(r, t + h, &y, h);
  commit(r);
  return y;
}

/* Kinetic, of springs and joints, stored or lost. */
static double energy(const reference *r, const point *x) {
  double sum = x->viscous;
  for (int i = 0; i < r->c->n; i++) {
    double e = x->u[i] - (i > 0 ? x->u[i - 1] : 0.0);
    sum += 0.5 * r->c->m[i] * x->v[i] * x->v[i] + 0.5 * r->c->k[i] * e * e;
  }
  for (int k = 0; k < r->c->n_joint; k++) {
    ms_joint_energy e = { 0.0, 0.0 };
    if (ms_joint_get_energy(r->joint[k], &e) == MS_SUCCESS) sum += e.stored + e.dissipated;
  }
  return sum;
}

test_curved_state test_curved_reference(const test_curved *c, double time, long steps,
                                        int conjugate) {
  reference r = { .c = c, .conjugate = conjugate };
  point x = { .input = 0.0 };
  memcpy(x.u, c->u0, sizeof x.u);
  memcpy(x.v, c->v0, sizeof x.v);
  for (int k = 0; k < c->n_joint; k++) r.joint[k] = c->attachment[k].make();
  slope_at(&r, 0.0, &x, 0.0);
  commit(&r);
  const double start = energy(&r, &x), h = time / (double)steps;
  for (long k = 0; k < steps; k++) x = runge_kutta(&r, (double)k * h, &x, h);
  test_curved_state end = { .energy = start + x.input };
  end.balance = end.energy - energy(&r, &x);
  memcpy(end.u, x.u, sizeof end.u);
  memcpy(end.v, x.v, sizeof end.v);
  memcpy(end.z, r.z, sizeof end.z);
  memcpy(end.f, r.f, sizeof end.f);
  for (int k = 0; k < c->n_joint; k++) ms_joint_destroy(&r.joint[k]);
  return end;
}

double test_curved_distance(const test_curved *c, const test_curved_state *state,
                            const test_curved_state *want) {
  double off = 0.0, size = 0.0;
  for (int i = 0; i < c->n; i++) {
    off = fmax(off, fabs(state->u[i] - want->u[i]));
    size = fmax(size, fabs(want->u[i]));
  }
  return off / size;
}
