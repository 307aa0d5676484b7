/* Joints with curvature in runs in time: the parts. tests/verify/test_curved.c has the motions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "response/transient/impl.h"
#include "support/check.h"
#include "support/curved.h"
#include "support/joints.h"

enum { N = TEST_CURVED_SIZE };

/* Slip under its own normal load, which couples two axes without symmetry, and a dashpot. */
static ms_joint *make_pair(void) {
  static const int along = 0;
  ms_joint *both = NULL, *part[2] = { test_loaded(test_curved_iwan(), 1),
                                      test_joint("linear", "K", 5.19, "C", 0.37, NULL) };
  CHECK_OK(ms_joint_create_parallel(test_context(), 2, &both));
  CHECK_OK(ms_joint_take_member(both, &part[0], NULL));
  CHECK_OK(ms_joint_take_member(both, &part[1], &along));
  CHECK_OK(ms_joint_setup(both));
  return both;
}

static test_curved pair(void) {
  test_curved c = test_curved_three(make_pair, 2);
  c.attachment[0].G[1] = test_curved_G_across;
  return c;
}

static ms_transient_setting set(const char *method, double step, double tolerance) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  setting.method = method;
  setting.step = step;
  setting.tolerance = tolerance;
  return setting;
}

/* ---- Newton ---- */

/* r(d) = d - d(z_free - H d, w_free - Hv d). */
static void eval_residual(ms_transient *run, const double *d, double *r) {
  const ptrdiff_t n = run->n;
  for (ptrdiff_t i = 0; i < n; i++) {
    run->z[i] = run->z_free[i];
    run->w[i] = run->w_free[i];
    for (ptrdiff_t j = 0; j < n; j++) {
      run->z[i] -= run->H[i + n * j] * d[j];
      run->w[i] -= run->Hv[i + n * j] * d[j];
    }
  }
  CHECK_OK(ms_transient_eval_joints(run, run->dt));
  for (ptrdiff_t i = 0; i < n; i++) r[i] = d[i] - run->r[i];
}

/* J against central differences of the residual. A long step makes every part of it count. */
static void test_jacobian(void) {
  enum { ALL = 2 + N };
  const double h = 1e-6;
  test_curved c = pair();
  ms_transient_setting setting = set("newmark", 0.9, 0.0);
  ms_structure *s = test_curved_structure(&c, 0);
  ms_transient *run = test_curved_run(&c, s, &setting);
  CHECK_EQUAL(run->n, ALL);
  CHECK(run->rate);
  double d[ALL] = { 0.13, -0.21, 0.34, 0.27, -0.19 }, up[ALL], down[ALL], J[ALL * ALL] = { 0.0 };
  for (int i = 0; i < ALL; i++) run->z_free[i] = 0.2 * cos(2.3 * i), run->w_free[i] = sin(1.7 * i);
  eval_residual(run, d, up);
  memset(run->J, 0, sizeof J);
  for (int i = 0; i < ALL; i++) run->J[i + ALL * i] = 1.0;
  ms_transient_fill_curved_J(run);
  memcpy(J, run->J, sizeof J);
  double off = 0.0, least = HUGE_VAL;
  for (int j = 0; j < ALL; j++) {
    double at = d[j];
    d[j] = at + h;
    eval_residual(run, d, up);
    d[j] = at - h;
    eval_residual(run, d, down);
    d[j] = at;
    for (int i = 0; i < ALL; i++) {
      double want = (up[i] - down[i]) / (2.0 * h);
      CHECK_NEAR(J[i + ALL * j], want, 1e-7);
      off = fmax(off, fabs(J[i + ALL * j] - want));
      least = fmin(least, fabs(J[i + ALL * j] - (i == j)));
    }
  }
  printf("# J off by %.2g; the smallest part in it %.2g\n", off, least);
  CHECK(least > 1e-4);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* From a far start: with one more correction allowed each time, the step's residual is squared. */
static void test_quadratic(void) {
  double size[12] = { 0.0 };
  int k = 0;
  for (; k < 12; k++) {
    test_curved c = test_curved_three(test_curved_iwan, 1);
    ms_transient_setting setting = set("newmark", 0.6, 0.0);
    setting.newton_max = k + 1;
    setting.newton_tolerance = 1e-14;
    ms_structure *s = test_curved_structure(&c, 0);
    ms_transient *run = test_curved_run(&c, s, &setting);
    ms_status status = ms_transient_step(run);
    const char *said = strstr(ms_context_message(test_context()), "residual ");
    size[k] = status == MS_SUCCESS ? ms_transient_get_count(run).residual
                                   : strtod(said ? said + 9 : "", NULL);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
    if (status == MS_SUCCESS) break;
  }
  for (int i = 0; i <= k && i < 12; i++) printf("# correction %d: residual %.2g\n", i, size[i]);
  CHECK(k >= 3 && k < 8);
  for (int i = 1; i < k; i++) CHECK_BELOW(size[i], 0.1 * size[i - 1] * size[i - 1]);
}

static ms_joint *make_scaled(void) {
  return test_joint("iwan4", "F_S", ldexp(2.385, 1), "K_T", ldexp(7.1, 12), "chi", -0.43, "beta",
                    1.37, NULL);
}

/* Lengths times 2^-11, masses times 2^12, the same time: forces times 2, and modal forces, in other
   units, times 2^-5. Newton must not see it. */
static void test_units(void) {
  double G[N * N];
  test_curved c = test_curved_three(test_curved_iwan, 1), other = test_curved_three(make_scaled, 1);
  ms_transient_count count[2];
  test_curved_state end[2];
  for (int i = 0; i < N * N; i++) G[i] = ldexp(test_curved_G[i], 11);
  for (int i = 0; i < N; i++) {
    other.m[i] = ldexp(c.m[i], 12), other.k[i] = ldexp(c.k[i], 12), other.p[i] = ldexp(c.p[i], 1);
    other.u0[i] = ldexp(c.u0[i], -11), other.v0[i] = ldexp(c.v0[i], -11);
  }
  other.attachment[0].G[0] = G;
  for (int k = 0; k < 2; k++) {
    test_curved *one = k ? &other : &c;
    ms_transient_setting setting = set("newmark", 0.1, 0.0);
    ms_structure *s = test_curved_structure(one, 0);
    ms_transient *run = test_curved_run(one, s, &setting);
    CHECK_OK(ms_transient_run(run, 60, 1, NULL, NULL));
    count[k] = ms_transient_get_count(run);
    end[k] = test_curved_now(one, run);
    ms_transient_destroy(&run);
    ms_structure_destroy(&s);
  }
  printf("# evaluations %td, residual %.3g and %.3g\n", count[0].evaluations, count[0].residual,
         count[1].residual);
  CHECK_EQUAL(count[1].evaluations, count[0].evaluations);
  for (int i = 0; i < N; i++) CHECK_NEAR(ldexp(end[1].u[i], 11), end[0].u[i], 1e-11);
}

/* ---- rest under a preload ---- */

/* K u + (b + G u) f = p, with f of first loading at z(u), all in coordinates. Under this p both
   parts of z grow together, so that first loading it is. */
static void test_preload(void) {
  static const double p[N] = { 0.93, 2.41, -2.3 };
  test_curved c = test_curved_three(test_curved_iwan, 1);
  c.omega = 0.0;
  ms_transient_setting setting = set("newmark", 0.01, 0.0);
  ms_structure *s = test_curved_structure(&c, 0);
  ms_transient *run = test_curved_run(&c, s, &setting);
  CHECK_OK(ms_transient_start_static(run, 0.0, p, NULL));
  test_curved_state at = test_curved_now(&c, run);
  double slope[N], z = 0.0, f = 0.0, unused;
  for (int i = 0; i < N; i++) {
    double Gu = 0.0;
    for (int j = 0; j < N; j++) Gu += test_curved_G[i + N * j] * at.u[j];
    slope[i] = c.attachment[0].b[0][i] + Gu;
    z += (c.attachment[0].b[0][i] + 0.5 * Gu) * at.u[i];
  }
  ms_joint *law = test_curved_iwan();
  CHECK_OK(ms_joint_eval_virgin(law, z, &f, &unused));
  CHECK_NEAR(at.z[0], z, 1e-13);
  CHECK_NEAR(at.f[0], f, 1e-12);
  CHECK(fabs(f) < 0.93 * 7.1 * fabs(z)); /* it slips */
  for (int i = 0; i < N; i++) {
    double below = i > 0 ? at.u[i] - at.u[i - 1] : at.u[i];
    double force = c.k[i] * below + slope[i] * f;
    if (i + 1 < N) force -= c.k[i + 1] * (at.u[i + 1] - at.u[i]);
    CHECK_NEAR(force, p[i], 1e-11);
    CHECK(fabs(slope[i] - c.attachment[0].b[0][i]) > 0.02);
  }
  const double *a; /* of what is let go */
  ms_transient_get_modal(run, NULL, NULL, &a);
  ms_modes modes = ms_structure_get_stuck(s);
  for (int r = 0; r < N; r++) {
    double modal = 0.0;
    for (int i = 0; i < N; i++) modal += modes.shape[i + N * r] * p[i];
    CHECK_NEAR(a[r], -modal, 1e-11);
  }
  ms_joint_destroy(&law);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* ---- the ways to step ---- */

static test_curved_state simulate(test_curved *c, const ms_transient_setting *setting, long steps) {
  ms_structure *s = test_curved_structure(c, 0);
  ms_transient *run = test_curved_run(c, s, setting);
  CHECK_OK(ms_transient_run(run, steps, 1, NULL, NULL));
  test_curved_state end = test_curved_now(c, run);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
  return end;
}

/* Parts chosen by their error, with both methods: the same motion. */
static void test_adaptive(void) {
  static const char *const method[2] = { "newmark", "exponential" };
  for (int both = 0; both < 2; both++) {
    test_curved c = both ? pair() : test_curved_three(test_curved_iwan, 1);
    test_curved_state want = test_curved_reference(&c, 6.0, 12000, 1);
    for (int k = 0; k < 2; k++) {
      double off[2];
      for (int fine = 0; fine < 2; fine++) {
        ms_transient_setting setting = set(method[k], 0.2, fine ? 1e-8 : 1e-6);
        test_curved_state end = simulate(&c, &setting, 30);
        off[fine] = test_curved_distance(&c, &end, &want);
      }
      printf("# %s, %d axes, tolerances 1e-6 and 1e-8: off by %.2g and %.2g\n", method[k], 1 + both,
             off[0], off[1]);
      CHECK_BELOW(off[0], 3e-3);
      CHECK_BELOW(off[1], 3e-4);
    }
  }
}

/* A mode above the limit follows its forces, those of curvature too, without inertia; here after
   the load. */
static void test_static_above(void) {
  test_curved c = test_curved_three(test_curved_iwan, 1);
  c.k[1] = 910.0;
  c.u0[1] = c.u0[0];
  c.v0[0] = c.v0[1] = 0.13;
  ms_transient_setting setting = set("exponential", 0.01, 0.0);
  setting.static_above = 20.0;
  ms_structure *s = test_curved_structure(&c, 0);
  ms_transient *run = test_curved_run(&c, s, &setting);
  ms_modes modes = ms_structure_get_stuck(s);
  CHECK(modes.omega[1] < 20.0 && modes.omega[2] > 20.0);
  CHECK_OK(ms_transient_run(run, 190, 1, NULL, NULL));
  test_curved_state at = test_curved_now(&c, run);
  double left = 0.0, part = 0.0;
  for (int i = 0; i < N; i++) {
    double Gu = 0.0, spring = c.k[i] * (i > 0 ? at.u[i] - at.u[i - 1] : at.u[i]);
    for (int j = 0; j < N; j++) Gu += test_curved_G[i + N * j] * at.u[j];
    if (i + 1 < N) spring -= c.k[i + 1] * (at.u[i + 1] - at.u[i]);
    double force = spring + (c.attachment[0].b[0][i] + Gu) * at.f[0];
    left += modes.shape[i + N * 2] * force;
    part += modes.shape[i + N * 2] * Gu * at.f[0];
  }
  CHECK_NEAR(left, 0.0, 1e-10);
  CHECK(fabs(part) > 1e-3);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* ---- state ---- */

static void check_restore(const char *method, double tolerance) {
  test_curved c = pair();
  ms_transient_setting setting = set(method, 0.03, tolerance);
  ms_structure *s = test_curved_structure(&c, 2), *twin = test_curved_structure(&c, 2);
  ms_transient *run = test_curved_run(&c, s, &setting),
               *again = test_curved_run(&c, twin, &setting);
  CHECK_OK(ms_transient_run(run, 31, 1, NULL, NULL)); /* in the middle of the pulse */
  ptrdiff_t n = ms_transient_save_size(run);
  double *buffer = calloc((size_t)n, sizeof *buffer);
  CHECK_OK(ms_transient_save(run, buffer));
  CHECK_OK(ms_transient_load(again, buffer, n));
  test_curved_state a = test_curved_now(&c, run), b = test_curved_now(&c, again);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK_OK(ms_transient_run(run, 200, 1, NULL, NULL));
  CHECK_OK(ms_transient_run(again, 200, 1, NULL, NULL));
  a = test_curved_now(&c, run), b = test_curved_now(&c, again);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK_STATUS(ms_transient_load(again, buffer, n - 1), MS_ERR_FORMAT);
  free(buffer);
  ms_transient_destroy(&run);
  ms_transient_destroy(&again);
  ms_structure_destroy(&s);
  ms_structure_destroy(&twin);
}

static void test_restore(void) {
  check_restore("newmark", 0.0);
  check_restore("exponential", 1e-5);
}

/* A step that fails leaves the joint's own displacement, and the run can go on. */
static void test_failed_step(void) {
  test_curved c = pair();
  ms_transient_setting setting = set("newmark", 0.05, 0.0);
  ms_structure *s = test_curved_structure(&c, 0);
  ms_transient *run = test_curved_run(&c, s, &setting);
  CHECK_OK(ms_transient_run(run, 20, 1, NULL, NULL));
  test_curved_state before = test_curved_now(&c, run);
  run->setting.newton_max = 1;
  CHECK_STATUS(ms_transient_step(run), MS_NOT_CONVERGED);
  test_curved_state after = test_curved_now(&c, run);
  for (int i = 0; i < N; i++) CHECK_NEAR(after.u[i], before.u[i], 0.0);
  for (int a = 0; a < 2; a++) {
    CHECK_NEAR(after.z[a], before.z[a], 1e-14);
    CHECK_NEAR(after.f[a], before.f[a], 1e-12);
  }
  CHECK_NEAR(after.balance, before.balance, 1e-13);
  run->setting.newton_max = 50;
  CHECK_OK(ms_transient_step(run));
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

static ms_status build(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  ms_transient *run = NULL;
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_transient_setting setting = set("newmark", 0.01, user ? 1e-4 : 0.0);
  ms_status status = ms_structure_create(ctx, N, NULL, &s);
  for (int i = 0; i < N && status == MS_SUCCESS; i++) {
    status = ms_structure_add_mass(s, i, 1.3 + 0.4 * i);
    if (status == MS_SUCCESS) status = ms_structure_add_spring(s, i - 1, i, 2.9);
  }
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "jenkins", &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "lap", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_set_curvature(s, 0, 0, test_curved_G, 2);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_transient_create(s, &setting, &run);
  if (status == MS_SUCCESS) status = ms_transient_run(run, 10, 1, NULL, NULL);
  ms_transient_destroy(&run);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_failures(void) {
  int adaptive = 1;
  CHECK(test_allocations(build, NULL) > 40);
  CHECK(test_allocations(build, &adaptive) > 140);
}

int main(void) {
  TEST(test_jacobian);
  TEST(test_quadratic);
  TEST(test_units);
  TEST(test_preload);
  TEST(test_adaptive);
  TEST(test_static_above);
  TEST(test_restore);
  TEST(test_failed_step);
  TEST(test_memory_failures);
  return test_finish();
}
