/* A law under the normal load of a spring: closed cases, lift-off, energies, state, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint/impl.h"
#include "support/check.h"
#include "support/joints.h"

/* Numbers of the jenkins element and of the spring below. */
static const double F_S = 3.1, K_T = 1.7, K_n = 4.3, N_0 = 2.385, N_ref = 1.9;

static ms_joint *take(ms_joint *law, const ms_joint_normal *normal) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create_loaded(test_context(), &law, normal, &j));
  CHECK(law == NULL);
  return j;
}

static ms_joint *jenkins(void) {
  return test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
}

static ms_joint *contact(void) {
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  return take(jenkins(), &normal);
}

static ms_joint_output step(ms_joint *j, double u, double u_n) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out = { { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 } };
  in.u[0] = u;
  in.u[1] = u_n;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

/* ---- what it is ---- */

typedef struct told {
  char text[600];
} told;

static ms_status keep(void *user, const char *name, const char *text, double value,
                      const char *unit) {
  told *t = user;
  const size_t at = strlen(t->text);
  char number[48];
  snprintf(number, sizeof number, "%g%s%s", value, unit ? " " : "", unit ? unit : "");
  snprintf(t->text + at, sizeof t->text - at, "%s=%s;", name, text ? text : number);
  return strcmp(name, "preload") == 0 && value > 100.0 ? MS_ERR_STATE : MS_SUCCESS;
}

static void test_description(void) {
  static const double c[] = { 0.2, 0.3, 0.04 };
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  normal.n_coefficient = 3;
  normal.coefficient = c;
  ms_joint *j = take(jenkins(), &normal), *other = jenkins(), *same = jenkins();
  told t = { "" };
  CHECK_OK(ms_joint_describe(j, keep, &t));
  CHECK_HAS(t.text, "F_S=3.1 N;K_T=1.7 N/m;normal spring K_n=4.3 N/m;preload=2.385 N;");
  CHECK_HAS(t.text, "stiffness against load=in proportion to 0.2 + 0.3 N + 0.04 N^2;");
  CHECK(ms_joint_is_like(other, same));
  CHECK_OK(ms_joint_set(same, "F_S", 3.2));
  CHECK(!ms_joint_is_like(other, same) && !ms_joint_is_like(j, other));
  CHECK_STATUS(ms_joint_describe(NULL, keep, &t), MS_ERR_ARGUMENT);
  ms_joint_destroy(&j);
  ms_joint_destroy(&other);
  ms_joint_destroy(&same);
}

/* ---- closed cases ---- */

static void test_normal_axis(void) {
  ms_joint *j = contact();
  static const double u_n[] = { 0.37, -0.21, -0.5, -0.61, -1.7, -0.3 };
  CHECK_EQUAL(ms_joint_info(j)->n_axis, 2);
  for (size_t i = 0; i < sizeof u_n / sizeof *u_n; i++) {
    ms_joint_contact now;
    ms_joint_output out = step(j, 0.0, u_n[i]);
    double N = fmax(0.0, N_0 + K_n * u_n[i]);
    CHECK_NEAR(out.force[1], N - N_0, 1e-14);
    CHECK_NEAR(out.du[3], N > 0.0 ? K_n : 0.0, 1e-14);
    CHECK_OK(ms_joint_get_contact(j, &now));
    CHECK_NEAR(now.N, N, 1e-14);
    CHECK_NEAR(now.alpha, N / N_ref, 1e-14);
    CHECK_NEAR(now.k, 1.0, 0.0);
    CHECK_EQUAL(now.lift_offs, i >= 3);
  }
  ms_joint_destroy(&j);
}

/* Slip force N/N_ref F_S; a load that falls on a stuck slider makes it slip. */
static void test_slip_force(void) {
  ms_joint *j = contact();
  CHECK_CLOSE(step(j, 0.9, 0.0).force[0], K_T * 0.9, 1e-14);
  CHECK_CLOSE(step(j, 6.1, 0.0).force[0], F_S * N_0 / N_ref, 1e-14);
  ms_joint_output out = step(j, 6.4, 0.17);
  CHECK_CLOSE(out.force[0], F_S * N_0 / N_ref + K_T * 0.3, 1e-14); /* the limit rose, it sticks */
  out = step(j, 6.4, -0.31);
  CHECK_CLOSE(out.force[0], F_S * (N_0 - 0.31 * K_n) / N_ref, 1e-14);
  CHECK_CLOSE(out.du[2], F_S * K_n / N_ref, 1e-14); /* dF_t/du_n */
  CHECK_NEAR(out.du[1], 0.0, 0.0);                  /* dF_n/du_t */
  ms_joint_destroy(&j);
}

/* Apart nothing holds; the slider stands where the surfaces meet again, within the step. */
static void test_meeting(void) {
  ms_joint *j = contact();
  step(j, 0.9, 0.0);
  ms_joint_output out = step(j, 1.3, -0.83);
  CHECK_NEAR(out.force[0], 0.0, 0.0);
  out = step(j, -7.1, -0.9);
  CHECK_NEAR(out.force[0], 0.0, 0.0);
  CHECK_NEAR(out.du[0], 0.0, 0.0);
  double from = N_0 - 0.9 * K_n, to = N_0 + 0.2 * K_n, share = to / (to - from);
  out = step(j, -6.8, 0.2);
  CHECK_CLOSE(out.force[0], K_T * 0.3 * share, 1e-13);
  out = step(j, -6.9, 0.25);
  CHECK_CLOSE(out.force[0], K_T * (0.3 * share - 0.1), 1e-13);
  ms_joint_destroy(&j);
}

/* Lift-off and meeting in one step or in many: the same history. */
static double end_of_path(int parts) {
  static const double u[] = { 0.9, 2.3, 1.1, 2.9, 2.2 }, u_n[] = { 0.1, -1.3, 0.4, -0.2, 0.3 };
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  ms_joint *j = take(test_joint("iwan_uniform", "K_T", K_T, "F_S", 1.785, NULL), &normal);
  double at = 0.0, at_n = 0.0, F = 0.0;
  for (size_t i = 0; i < sizeof u / sizeof *u; i++) {
    for (int p = 1; p <= parts; p++) {
      double x = (double)p / parts;
      F = step(j, at + x * (u[i] - at), at_n + x * (u_n[i] - at_n)).force[0];
    }
    at = u[i], at_n = u_n[i];
  }
  ms_joint_destroy(&j);
  return F;
}

static void test_parts(void) {
  double whole = end_of_path(1);
  CHECK(fabs(whole) > 0.1);
  CHECK_CLOSE(end_of_path(7), whole, 1e-12);
  CHECK_CLOSE(end_of_path(64), whole, 1e-12);
}

/* A law that depends on velocity, or slides at once, does so under a load as well. */
static void test_flags(void) {
  const unsigned kept = MS_LAW_RATE | MS_LAW_SLIDING;
  unsigned seen = 0;
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    if (!(law->flags & MS_LAW_NORMAL) || law->n_axis == MS_JOINT_MAX_AXIS) continue;
    ms_joint *j = test_loaded(test_typical(law->name), 0);
    CHECK_EQUAL(ms_joint_info(j)->flags & kept, law->flags & kept);
    seen |= law->flags;
    ms_joint_destroy(&j);
  }
  CHECK_EQUAL(seen & kept, kept);
}

/* A spring beside the sliders is there whether the surfaces touch or not. */
static void test_spring_beside(void) {
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  ms_joint *j = take(test_joint("iwan6", "F_S", F_S, "K_T", K_T, "chi", -0.3, "beta", 0.6,
                                "phi_ratio", 0.1, "K_inf", 0.29, NULL),
                     &normal);
  step(j, 2.3, 0.0);
  ms_joint_output out = step(j, 3.7, -1.0);
  CHECK_CLOSE(out.force[0], 0.29 * 3.7, 1e-13);
  CHECK_CLOSE(out.du[0], 0.29, 1e-13);
  ms_joint_destroy(&j);
}

/* ---- stiffness against load ---- */

static double k_at(const ms_joint_normal *normal, double u_n) {
  ms_joint *j = take(jenkins(), normal);
  ms_joint_contact now = { .k = NAN };
  step(j, 0.0, u_n);
  CHECK_OK(ms_joint_get_contact(j, &now));
  double F = step(j, 1e-3, u_n).force[0];
  CHECK_CLOSE(F, now.k * K_T * 1e-3, 1e-12);
  ms_joint_destroy(&j);
  return now.k;
}

static void test_stiffness(void) {
  static const double c[3] = { 0.3, 0.21, 0.07 }, line[2] = { 0.0, 1.0 };
  static const double N[3] = { 0.4, 2.2, 5.1 }, s[3] = { 1.1, 2.9, 3.3 };
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  double load = N_0 + 0.3 * K_n;
  normal.n_coefficient = 3, normal.coefficient = c;
  CHECK_CLOSE(
      k_at(&normal, 0.3),
      (0.3 + 0.21 * load + 0.07 * load * load) / (0.3 + 0.21 * N_ref + 0.07 * N_ref * N_ref),
      1e-14);
  normal.n_coefficient = 2, normal.coefficient = line;
  CHECK_CLOSE(k_at(&normal, 0.3), load / N_ref, 1e-14);
  normal.n_coefficient = 0;
  normal.rows = 3, normal.N = N, normal.s = s;
  double at_ref = 1.1 + 1.8 * (N_ref - 0.4) / 1.8;
  CHECK_CLOSE(k_at(&normal, 0.3), (2.9 + 0.4 * (load - 2.2) / 2.9) / at_ref, 1e-14);
  CHECK_CLOSE(k_at(&normal, -0.51), 1.1 / at_ref, 1e-14); /* held below the first row, */
  CHECK_CLOSE(k_at(&normal, 3.1), 3.3 / at_ref, 1e-14);   /* and above the last */
}

/* In proportion: k(t) times an ordinary loop, whatever the load does. */
static void test_proportional(void) {
  static const double line[2] = { 0.0, 1.0 };
  ms_joint_normal normal = { K_n, N_0, N_ref, 2, line, 0, NULL, NULL };
  ms_joint *plain = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", -0.41, "beta", 0.8, NULL);
  ms_joint *j =
      take(test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", -0.41, "beta", 0.8, NULL), &normal);
  for (int i = 0; i < 400; i++) {
    double u = 1.9 * sin(0.1 * i) + 0.7 * sin(0.271 * i), u_n = 0.5 * sin(0.083 * i + 0.4);
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    in.u[0] = u;
    CHECK_OK(ms_joint_step(plain, &in, &out));
    CHECK_NEAR(step(j, u, u_n).force[0], (N_0 + K_n * u_n) / N_ref * out.force[0], 1e-12 * F_S);
  }
  ms_joint_destroy(&plain);
  ms_joint_destroy(&j);
}

/* ---- energy ---- */

/* Work on both axes along a path that lifts off twice a turn, less what the joint accounts for,
   over the largest work. */
static double energy_error(ms_joint *j, int n) {
  double work = 0.0, top = 0.0, u = 0.0, u_n = 0.0, pi = acos(-1.0);
  ms_joint_output old = step(j, 0.0, 0.0);
  ms_joint_energy e = { NAN, NAN };
  for (int i = 1; i <= 3 * n; i++) {
    double t = 2.0 * pi * i / n, to = 2.6 * sin(t), to_n = 0.9 * sin(1.71 * t);
    ms_joint_output out = step(j, to, to_n);
    work += 0.5 * (old.force[0] + out.force[0]) * (to - u);
    work += 0.5 * (old.force[1] + out.force[1]) * (to_n - u_n);
    top = fmax(top, fabs(work));
    u = to, u_n = to_n, old = out;
  }
  CHECK_OK(ms_joint_get_energy(j, &e));
  CHECK(e.stored >= 0.0);
  return fabs(work - e.stored - e.dissipated) / top;
}

static void check_energy(const ms_joint_normal *normal, double order, double least) {
  ms_joint *j = take(test_joint("iwan_uniform", "K_T", K_T, "F_S", 1.785, NULL), normal);
  double coarse = energy_error(j, 1000);
  CHECK_OK(ms_joint_start(j, NULL));
  double fine = energy_error(j, 8000);
  CHECK_BELOW(fine, least);
  CHECK_BELOW(fine, coarse / pow(8.0, order));
  ms_joint_destroy(&j);
}

static void test_energy(void) {
  static const double c[3] = { 0.3, 0.21, 0.07 }, line[2] = { 0.0, 1.0 };
  ms_joint_normal normal = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  check_energy(&normal, 1.5, 1e-6);
  normal.n_coefficient = 3, normal.coefficient = c;
  check_energy(&normal, 1.5, 1e-6);
  normal.n_coefficient = 2, normal.coefficient = line; /* the sliders let go with some elongation */
  check_energy(&normal, 0.7, 1e-3);
}

/* A stuck slider whose stiffness rises with the load, in proportion: held at u while the load goes
   from N_0 to N, its spring takes (k - k_0) K_T u^2/2, which no force brought. */
static void test_exchanged(void) {
  static const double line[2] = { 0.0, 1.0 }, u = 0.71, u_n = 0.31;
  ms_joint_normal normal = {
    .K_n = K_n, .N_0 = N_0, .N_ref = N_ref, .n_coefficient = 2, .coefficient = line
  };
  ms_joint *j = take(jenkins(), &normal);
  ms_joint_contact now;
  step(j, u, 0.0);
  CHECK_CLOSE(step(j, u, u_n).force[0], (N_0 + K_n * u_n) / N_ref * K_T * u, 1e-13);
  CHECK_OK(ms_joint_get_contact(j, &now));
  CHECK_CLOSE(now.N_0, N_0, 0.0);
  CHECK_CLOSE(now.exchanged, -0.5 * K_n * u_n / N_ref * K_T * u * u, 1e-12);
  ms_joint_destroy(&j);
}

/* Surfaces that only touch at rest, N_0 = 0: nothing holds along them until they are pressed, and
   the law's own displacement is the scale. */
static void test_touching(void) {
  ms_joint_normal normal = { .K_n = K_n, .N_0 = 0.0, .N_ref = N_ref };
  ms_joint *j = take(jenkins(), &normal), *pressed = contact();
  CHECK_NEAR(step(j, 9.1, 0.0).force[0], 0.0, 0.0);
  CHECK_CLOSE(step(j, 19.3, 0.37).force[0], K_n * 0.37 / N_ref * F_S, 1e-13);
  CHECK_CLOSE(ms_joint_slip_scale(j), F_S / K_T, 1e-15);
  CHECK_CLOSE(ms_joint_slip_scale(pressed), F_S / K_T * N_0 / N_ref, 1e-15);
  ms_joint_destroy(&pressed);
  ms_joint_destroy(&j);
}

/* What slip leaves: the law's own spring, as stiff as under the preload, and the normal one. */
static void test_macroslip(void) {
  static const double line[2] = { 0.0, 1.0 };
  ms_joint_normal normal = {
    .K_n = K_n, .N_0 = N_0, .N_ref = N_ref, .n_coefficient = 2, .coefficient = line
  };
  ms_joint *j = take(
      test_joint("bouc_wen", "K", 8.3, "a", 0.31, "n", 1.7, "z_max", 0.131, "delta", 0.7, NULL),
      &normal);
  double K[4];
  ms_joint_fill_macroslip(j, K);
  CHECK_CLOSE(K[0], N_0 / N_ref * 0.31 * 8.3, 1e-14);
  CHECK_CLOSE(K[3], K_n, 0.0);
  CHECK_NEAR(fabs(K[1]) + fabs(K[2]), 0.0, 0.0);
  ms_joint_destroy(&j);
}

/* ---- refusals ---- */

static void refuse(ms_joint *law, const ms_joint_normal *normal, ms_status status,
                   const char *text) {
  ms_joint *j = NULL;
  CHECK_STATUS(ms_joint_create_loaded(test_context(), &law, normal, &j), status);
  CHECK_HAS(ms_context_message(test_context()), text);
  CHECK(j == NULL && law != NULL);
  ms_joint_destroy(&law);
}

static void test_refusals(void) {
  static const double falling[2] = { 1.0, -0.1 }, none[2] = { 0.0, 0.0 }, bad[1] = { NAN };
  static const double N[3] = { 0.4, 2.2, 2.2 }, s[3] = { 1.1, 2.9, 3.3 };
  const ms_joint_normal good = { .K_n = K_n, .N_0 = N_0, .N_ref = N_ref };
  ms_joint_normal n = good;
  ms_joint *unready = NULL, *pair = NULL;
  refuse(test_typical("linear"), &good, MS_ERR_ARGUMENT, "does not depend");
  refuse(test_typical("contact3d"), &good, MS_ERR_ARGUMENT, "3 axes");
  refuse(contact(), &good, MS_ERR_ARGUMENT, "single law");
  CHECK_OK(ms_joint_create(test_context(), "jenkins", &unready));
  refuse(unready, &good, MS_ERR_STATE, "set the law up");
  ms_joint *member = jenkins();
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &pair));
  CHECK_OK(ms_joint_take_member(pair, &member, NULL));
  CHECK_OK(ms_joint_setup(pair));
  refuse(pair, &good, MS_ERR_ARGUMENT, "single law");
  n.K_n = 0.0;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "K_n");
  n = good, n.N_0 = -0.1;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "N_0");
  n = good, n.N_ref = 0.0;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "N_ref");
  n = good, n.n_coefficient = 2, n.coefficient = falling;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "must not be negative");
  n.N_ref = 0.5; /* loads up to ten times the larger of preload and reference count: 23.85 */
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "must not be negative");
  n.N_ref = N_ref;
  n.coefficient = none;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "at the reference load");
  n.n_coefficient = 1, n.coefficient = bad;
  refuse(jenkins(), &n, MS_ERR_NUMERIC, "not finite");
  n.rows = 3, n.N = N, n.s = s;
  refuse(jenkins(), &n, MS_ERR_ARGUMENT, "a polynomial or a table");
  n.n_coefficient = 0;
  refuse(jenkins(), &n, MS_ERR_BOUNDS, "does not rise");
}

static void test_others_have_none(void) {
  ms_joint *plain = jenkins(), *j = contact();
  ms_joint_contact now;
  CHECK_STATUS(ms_joint_get_contact(plain, &now), MS_ERR_ARGUMENT);
  ms_joint_normal none;
  CHECK_STATUS(ms_joint_get_normal(plain, &none), MS_ERR_ARGUMENT);
  CHECK(ms_joint_get_loaded_law(plain) == NULL);
  CHECK_TEXT(ms_joint_info(ms_joint_get_loaded_law(j))->name, "jenkins");
  ms_joint_destroy(&plain);
  ms_joint_destroy(&j);
}

static ms_status live_through(ms_context *ctx, void *user) {
  static const double N[3] = { 0.4, 2.2, 5.1 }, s[3] = { 1.1, 2.9, 3.3 };
  const ms_joint_normal normal = { K_n, N_0, N_ref, 0, NULL, 3, N, s };
  ms_joint *law = NULL, *j = NULL;
  ms_tangent *t = NULL;
  (void)user;
  ms_status status = ms_joint_create(ctx, "iwan4", &law);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(law);
  if (status == MS_SUCCESS) status = ms_joint_setup(law);
  if (status == MS_SUCCESS) status = ms_joint_create_loaded(ctx, &law, &normal, &j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_tangent_create(j, 2, &t);
  for (int i = 0; status == MS_SUCCESS && i < 200; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    double d[4] = { 0.1, 0.2, 0.3, 0.4 }, dforce[4];
    in.u[0] = test_scale(j) * (i % 2 ? -1.0 : 1.0) * pow(0.99, i);
    in.u[1] = 0.5 * cos(2.1 * i) * pow(0.97, i);
    status = ms_tangent_step(t, &in, &(ms_tangent_input) { .u = d }, &out, dforce);
  }
  ms_tangent_destroy(&t);
  ms_joint_destroy(&j);
  ms_joint_destroy(&law);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(live_through, NULL) >= 12);
}

int main(void) {
  TEST(test_description);
  TEST(test_normal_axis);
  TEST(test_slip_force);
  TEST(test_meeting);
  TEST(test_parts);
  TEST(test_flags);
  TEST(test_spring_beside);
  TEST(test_stiffness);
  TEST(test_proportional);
  TEST(test_energy);
  TEST(test_exchanged);
  TEST(test_touching);
  TEST(test_macroslip);
  TEST(test_refusals);
  TEST(test_others_have_none);
  TEST(test_memory_failures);
  return test_finish();
}
