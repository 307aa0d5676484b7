/* Newmark's method with a damping matrix that the modes do not diagonalise and a joint that slips,
   against the same steps by hand in coordinates. */
#include <math.h>

#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double C[] = { 2.1, -0.7, -0.7, 0.9 }, K[] = { 90.0, -40.0, -40.0, 70.0 };
static const double mass[] = { 1.3, 0.8 }, dt = 0.013, K_T = 61.0, F_S = 2.385;

typedef struct state {
  double u[2], v[2], a[2], f; /* f: of the joint, from ground to the second coordinate */
} state;

/* A x = r, 2 x 2 and symmetric. */
static void solve(const double A[4], const double r[2], double x[2]) {
  const double det = A[0] * A[3] - A[1] * A[2];
  x[0] = (r[0] * A[3] - r[1] * A[1]) / det;
  x[1] = (r[1] * A[0] - r[0] * A[2]) / det;
}

/* (M + dt/2 C + dt^2/4 K) a = -C vp - K up - B f, f = f_before + K_T (z - z_before) or +-F_S. */
static void step_by_hand(state *s) {
  const double b = 0.25 * dt * dt, unit[2] = { 0.0, 1.0 };
  double up[2], vp[2], A[4], r[2], x[2], y[2];
  for (int i = 0; i < 2; i++) {
    up[i] = s->u[i] + dt * s->v[i] + b * s->a[i];
    vp[i] = s->v[i] + 0.5 * dt * s->a[i];
  }
  for (int i = 0; i < 4; i++) {
    A[i] = 0.5 * dt * C[i] + b * K[i] + (i == 0 ? mass[0] : i == 3 ? mass[1] : 0.0);
  }
  for (int i = 0; i < 2; i++) {
    r[i] = -(C[2 * i] * vp[0] + C[2 * i + 1] * vp[1] + K[2 * i] * up[0] + K[2 * i + 1] * up[1]);
  }
  solve(A, r, x); /* the acceleration is x - f y */
  solve(A, unit, y);
  double f = (s->f + K_T * (up[1] + b * x[1] - s->u[1])) / (1.0 + K_T * b * y[1]);
  s->f = fmax(-F_S, fmin(F_S, f));
  for (int i = 0; i < 2; i++) {
    s->a[i] = x[i] - s->f * y[i];
    s->u[i] = up[i] + b * s->a[i];
    s->v[i] = vp[i] + 0.5 * dt * s->a[i];
  }
}

static ms_structure *make_structure(void) {
  const ptrdiff_t from = MS_GROUND, to = 1;
  ms_joint *j = test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_set_damping(s, C));
  for (ptrdiff_t i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, mass[i]));
  CHECK_OK(ms_structure_take_joint(s, "slider", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_full_damping_with_joint(void) {
  state hand = { .v = { 0.9, 3.7 } };
  double u[2], v[2], a[2], slipped = 0.0, viscous = 0.0;
  const double *f;
  ms_structure *s = make_structure();
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = dt;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, hand.v));
  for (int i = 0; i < 2; i++) {
    hand.a[i] = -(C[2 * i] * hand.v[0] + C[2 * i + 1] * hand.v[1]) / mass[i];
  }
  for (int k = 0; k < 300; k++) {
    const state old = hand;
    CHECK_OK(ms_transient_step(run));
    step_by_hand(&hand);
    slipped += fabs(hand.f) == F_S;
    for (int i = 0; i < 4; i++) {
      viscous += 0.25 * dt * C[i] * (old.v[i / 2] + hand.v[i / 2]) * (old.v[i % 2] + hand.v[i % 2]);
    }
    ms_transient_get_coordinates(run, u, v, a);
    ms_transient_get_joints(run, NULL, &f);
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(u[i], hand.u[i], 1e-12);
      CHECK_NEAR(v[i], hand.v[i], 1e-11);
      CHECK_NEAR(a[i], hand.a[i], 1e-10);
    }
    CHECK_NEAR(f[0], hand.f, 1e-10);
  }
  CHECK(slipped > 10.0 && slipped < 290.0); /* it slips, and sticks */
  ms_transient_energy e;
  CHECK_OK(ms_transient_get_energy(run, &e));
  CHECK_NEAR(e.viscous, viscous, 1e-11);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_full_damping_with_joint);
  return test_finish();
}
