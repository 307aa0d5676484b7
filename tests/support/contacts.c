#include "support/contacts.h"

#include <math.h>
#include <string.h>

enum { X, Y, Z, N_COORDINATE, N_JUMP = 12, N_STEP = 240 };

/* A load on x and y that is constant between jumps, with a sine on top. */
typedef struct jumps {
  double end, level[2][N_JUMP], sine[2], omega;
} jumps;

typedef struct one_run {
  ms_random random;
  jumps load;
  double M[9], K[9], zeta;
  double length, step;
} one_run;

static double between(ms_random *r, double low, double high) {
  return low + (high - low) * ms_random_uniform(r);
}

static double spread(ms_random *r, double low, double high) {
  return low * pow(high / low, ms_random_uniform(r));
}

/* ---- the joint ---- */

static const char *const laws[] = { "jenkins", "iwan_uniform", "iwan4", "iwan5", "jenkins2d" };
enum { N_LAW = sizeof laws / sizeof *laws };

static ms_status make_law(ms_context *ctx, ms_random *r, ms_joint **out) {
  int i = (int)(N_LAW * ms_random_uniform(r));
  MS_TRY(ms_joint_create(ctx, laws[i], out));
  MS_TRY(ms_joint_set(*out, "F_S", spread(r, 0.4, 5.0)));
  MS_TRY(ms_joint_set(*out, "K_T", spread(r, 30.0, 600.0)));
  if (i == 2 || i == 3) {
    MS_TRY(ms_joint_set(*out, "chi", between(r, -0.7, 0.3)));
    MS_TRY(ms_joint_set(*out, "beta", between(r, 0.1, 2.0)));
  }
  if (i == 3) MS_TRY(ms_joint_set(*out, "theta", between(r, 0.85, 1.0)));
  return ms_joint_setup(*out);
}

/* Half of the stiffnesses are constant; preloads from none to twice the reference. */
static ms_status make_joint(ms_context *ctx, ms_random *r, ms_joint **out) {
  static const double line[2] = { 0.0, 1.0 }, curve[3] = { 0.3, 0.21, 0.07 };
  ms_joint *law = NULL;
  ms_joint_normal normal = { .K_n = spread(r, 50.0, 3000.0),
                             .N_0 = between(r, 0.0, 4.0),
                             .N_ref = 2.0 };
  double kind = ms_random_uniform(r);
  if (kind < 0.25) normal.n_coefficient = 2, normal.coefficient = line;
  if (kind > 0.75) normal.n_coefficient = 3, normal.coefficient = curve;
  ms_status status = make_law(ctx, r, &law);
  if (status == MS_SUCCESS) status = ms_joint_create_loaded(ctx, &law, &normal, out);
  ms_joint_destroy(&law);
  return status;
}

/* ---- the structure ---- */

static void draw_matrices(one_run *c) {
  ms_random *r = &c->random;
  double k_x = spread(r, 5.0, 40.0), k_y = spread(r, 2.0, 20.0), k_z = spread(r, 10.0, 100.0);
  double k_xy = between(r, -1.5, 1.5);
  memset(c->M, 0, sizeof c->M);
  memset(c->K, 0, sizeof c->K);
  c->M[X + 3 * X] = c->M[Y + 3 * Y] = between(r, 0.7, 2.0);
  c->M[Z + 3 * Z] = between(r, 0.3, 1.5);
  c->K[X + 3 * X] = k_x + k_z;
  c->K[Y + 3 * Y] = k_y;
  c->K[Z + 3 * Z] = k_z + 1.3;
  c->K[X + 3 * Z] = c->K[Z + 3 * X] = -k_z;
  c->K[X + 3 * Y] = c->K[Y + 3 * X] = k_xy;
  c->zeta = between(r, 0.0, 0.03);
}

static ms_status build(ms_context *ctx, one_run *c, ms_joint **joint, ms_structure **out) {
  static const ptrdiff_t ground[3] = { MS_GROUND, MS_GROUND, MS_GROUND };
  static const ptrdiff_t line[2] = { X, Y }, plane[3] = { X, Z, Y };
  const double zeta[N_COORDINATE] = { c->zeta, c->zeta, c->zeta };
  MS_TRY(ms_structure_create(ctx, N_COORDINATE, NULL, out));
  MS_TRY(ms_structure_set_mass(*out, c->M));
  MS_TRY(ms_structure_set_stiffness(*out, c->K));
  MS_TRY(ms_structure_set_modal_damping(*out, zeta));
  const ptrdiff_t *to = ms_joint_info(*joint)->n_axis == 2 ? line : plane;
  MS_TRY(ms_structure_take_joint(*out, "support", joint, ground, to));
  return ms_structure_setup(*out);
}

/* ---- loads ---- */

static double jump_level(const jumps *l, int axis, double t) {
  int i = (int)(N_JUMP * t / l->end);
  if (i < 0 || i >= N_JUMP) return 0.0;
  return l->level[axis][i] + l->sine[axis] * sin(l->omega * t);
}

static double load_x(void *user, double t) {
  return jump_level(user, 0, t);
}

static double load_y(void *user, double t) {
  return jump_level(user, 1, t);
}

static void draw_loads(one_run *c, double omega) {
  ms_random *r = &c->random;
  const double size[2] = { spread(r, 0.3, 20.0), spread(r, 0.3, 20.0) };
  c->load.end = c->length;
  c->load.omega = between(r, 0.2, 1.5) * omega;
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < N_JUMP; i++) c->load.level[a][i] = size[a] * between(r, -1.0, 1.0);
    c->load.sine[a] = ms_random_uniform(r) < 0.5 ? 0.0 : 0.5 * size[a];
  }
}

static ms_status add_loads(ms_transient *run, one_run *c) {
  static const double x[3] = { 1.0, 0.0, 0.2 }, y[3] = { 0.0, 1.0, 0.0 };
  MS_TRY(ms_transient_add_load(run, x, load_x, &c->load, HUGE_VAL));
  MS_TRY(ms_transient_add_load(run, y, load_y, &c->load, HUGE_VAL));
  return ms_transient_start(run, 0.0, NULL, NULL);
}

/* ---- one history and what can be said against it ---- */

/* The damping of the structure is left to its modes: without it, forces balance in every step. */
static double motion_error(const ms_transient *run, const one_run *c, const double *f, int n_axis) {
  static const int line[2] = { X, Y }, plane[3] = { X, Z, Y };
  const int *at = n_axis == 2 ? line : plane;
  const double p[2] = { jump_level(&c->load, 0, ms_transient_get_time(run)),
                        jump_level(&c->load, 1, ms_transient_get_time(run)) };
  double u[3], a[3], worst = 0.0, size = 0.0;
  ms_transient_get_coordinates(run, u, NULL, a);
  for (int i = 0; i < 3; i++) {
    double left = i == Z ? -0.2 * p[0] : -p[i], top = fabs(left);
    for (int j = 0; j < 3; j++) {
      left += c->M[i + 3 * j] * a[j] + c->K[i + 3 * j] * u[j];
      top += fabs(c->M[i + 3 * j] * a[j]) + fabs(c->K[i + 3 * j] * u[j]);
    }
    for (int k = 0; k < n_axis; k++) left += at[k] == i ? f[k] : 0.0;
    worst = fmax(worst, fabs(left));
    size = fmax(size, top);
  }
  return worst > 0.0 ? worst / size : 0.0;
}

typedef struct witness {
  ms_joint *twin;
  double worst, largest, turned_over;
} witness;

static ms_status watch(const ms_transient *run, const one_run *c, int n_axis, witness *w,
                       test_contact *out) {
  const double *z, *f;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output own;
  ms_transient_energy e;
  ms_transient_get_joints(run, &z, &f);
  memcpy(in.u, z, (size_t)n_axis * sizeof *z);
  MS_TRY(ms_joint_step(w->twin, &in, &own));
  for (int a = 0; a < n_axis; a++) {
    w->worst = fmax(w->worst, fabs(own.force[a] - f[a]));
    w->largest = fmax(w->largest, fabs(f[a]));
  }
  if (c->zeta == 0.0) out->motion = fmax(out->motion, motion_error(run, c, f, n_axis));
  MS_TRY(ms_transient_get_energy(run, &e));
  w->turned_over =
      fmax(w->turned_over, e.kinetic + fabs(e.elastic) + fabs(e.input) + e.viscous + e.stored);
  out->balance = fabs(e.balance);
  return MS_SUCCESS;
}

static ms_status march(ms_transient *run, const one_run *c, int n_axis, int refinement, witness *w,
                       test_contact *out) {
  for (out->steps = 0; out->steps < N_STEP * refinement; out->steps++) {
    MS_TRY(ms_transient_step(run));
    MS_TRY(watch(run, c, n_axis, w, out));
  }
  return MS_SUCCESS;
}

static ms_status run_built(ms_structure *s, one_run *c, int refinement, witness *w,
                           test_contact *out) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  ms_joint_contact now;
  const double *omega = ms_structure_get_stuck(s).omega;
  const ms_joint *joint = ms_structure_get_joint(s, 0);
  const double step = spread(&c->random, 0.03, 0.6) / omega[N_COORDINATE - 1];
  c->length = N_STEP * step;
  draw_loads(c, omega[0]);
  setting.step = step / refinement;
  MS_TRY(ms_transient_create(s, &setting, &run));
  ms_status status = add_loads(run, c);
  if (status == MS_SUCCESS) {
    status = march(run, c, ms_joint_info(joint)->n_axis, refinement, w, out);
  }
  out->count = ms_transient_get_count(run);
  if (ms_joint_get_contact(joint, &now) == MS_SUCCESS) out->lift_offs = now.lift_offs;
  ms_transient_destroy(&run);
  return status;
}

test_contact test_contact_run(ms_context *ctx, unsigned seed, int refinement) {
  test_contact out = { .status = MS_SUCCESS };
  one_run c = { .length = 0.0 };
  witness w = { NULL, 0.0, 0.0, 0.0 };
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  ms_random_start(&c.random, seed, 8);
  ms_random again = c.random;
  out.status = make_joint(ctx, &again, &w.twin);
  if (out.status == MS_SUCCESS) out.status = make_joint(ctx, &c.random, &joint);
  draw_matrices(&c);
  if (seed % 3 == 0) c.zeta = 0.0;
  if (out.status == MS_SUCCESS) out.status = build(ctx, &c, &joint, &s);
  if (out.status == MS_SUCCESS) out.status = run_built(s, &c, refinement, &w, &out);
  out.force = w.worst > 0.0 ? w.worst / w.largest : 0.0;
  out.balance = out.balance > 0.0 ? out.balance / w.turned_over : 0.0;
  ms_joint_destroy(&w.twin);
  ms_joint_destroy(&joint);
  ms_structure_destroy(&s);
  return out;
}

enum { REFINED = 16, FINEST = 64 };

void test_contact_add(ms_context *ctx, unsigned seed, const test_contact *c,
                      test_contact_tally *t) {
  double balance = c->balance;
  t->ended += c->status == MS_SUCCESS;
  t->reported += c->status == MS_NOT_CONVERGED;
  t->steps += (long)c->count.steps;
  t->damped += (long)c->count.damped;
  t->lift_offs += (long)c->lift_offs;
  if (c->status != MS_SUCCESS) return;
  t->again += balance > TEST_CONTACT_BALANCE;
  for (int r = REFINED; balance > TEST_CONTACT_BALANCE && r <= FINEST; r *= 4) {
    balance = test_contact_run(ctx, seed, r).balance;
  }
  t->force = fmax(t->force, c->force);
  t->motion = fmax(t->motion, c->motion);
  t->balance = fmax(t->balance, c->balance);
  t->balance_again = fmax(t->balance_again, balance);
}
