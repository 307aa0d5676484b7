/* Frequency response from the modes: one and two degrees of freedom in closed form, and a chain
   against the solution in its coordinates. */
#include <microslip/response.h>

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { N = 7 };
static const double omega[N] = { 0.0, 3.17, 11.9, 17.31, 18.02, 29.7, 61.3 };

static double complex at(const double *H, int k) {
  return H[2 * k] + I * H[2 * k + 1];
}

static void close_to(double complex value, double complex want, double tolerance) {
  CHECK_NEAR(cabs(value - want) / cabs(want), 0.0, tolerance);
}

/* m = 2.385 on a spring of 411 and a Jenkins joint of 310 to the ground, 1.7 % damping. */
static ms_structure *one_mass(double zeta) {
  ms_structure *s = NULL;
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_joint *j = test_joint("jenkins", "F_S", 0.93, "K_T", 310.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 411.0));
  CHECK_OK(ms_structure_take_joint(s, "pad", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_one(void) {
  const double m = 2.385, zeta = 0.017, one = 1.0, u0 = 7.1e-3, pi = acos(-1.0);
  const double c = 2.0 * zeta * sqrt(721.0 * m);
  ms_structure *s = one_mass(zeta);
  ms_joint_linear linear;
  double H[2 * N];
  /* a Jenkins loop: F_S at the tip, D = 4 F_S (u0 - F_S/K_T) */
  CHECK_OK(ms_response_linearise(s, &u0, 3.0, &linear));
  CHECK_CLOSE(linear.stiffness, 0.93 / u0, 1e-12);
  CHECK_CLOSE(linear.loss, 4.0 * 0.93 * (u0 - 0.003) / (pi * u0 * u0), 1e-12);
  /* the same by the mode: q = sqrt(m) u */
  ms_joint_linear by_mode;
  CHECK_OK(ms_response_linearise_mode(s, 0, sqrt(m) * u0, &by_mode));
  CHECK_CLOSE(by_mode.stiffness, linear.stiffness, 1e-12);
  CHECK_CLOSE(by_mode.loss, linear.loss, 1e-12);
  CHECK_STATUS(ms_response_linearise_mode(s, 1, u0, &by_mode), MS_ERR_BOUNDS);
  for (int state = 0; state < 3; state++) {
    for (int kind = 0; kind < 4; kind++) {
      ms_response_request q = { .kind = (ms_response_kind)kind,
                                .force = kind < 3 ? &one : NULL,
                                .base = kind < 3 ? NULL : &one,
                                .sensor = &one,
                                .joints = (ms_joint_state)state,
                                .linear = &linear,
                                .viscous_at = kind == 1 ? 15.3 : 0.0 };
      CHECK_OK(ms_response_synthesise(s, &q, N - 1, omega + 1, H));
      for (int k = 0; k < N - 1; k++) {
        double w = omega[k + 1], grow = kind == 1 ? w / 15.3 : 1.0;
        const double complex joint[] = { 310.0, 0.0, linear.stiffness + I * grow * linear.loss };
        double complex K = 411.0 + joint[state], d = K - w * w * m + I * w * c;
        const double complex want[] = { 1.0 / d, I * w / d, -w * w / d, 1.0 + w * w * m / d };
        close_to(at(H, k), want[kind], 1e-12);
      }
    }
  }
  ms_structure_destroy(&s);
}

/* Amplitude 0 is the stuck joint; the joints are left virgin. */
static void test_no_amplitude(void) {
  const double zero = 0.0;
  ms_structure *s = one_mass(0.02);
  ms_joint_linear linear;
  double force, slope;
  CHECK_OK(ms_response_linearise(s, &zero, 3.0, &linear));
  CHECK_CLOSE(linear.stiffness, 310.0, 1e-12);
  CHECK(linear.loss == 0.0);
  const double bad = -1.0;
  CHECK_STATUS(ms_response_linearise(s, &bad, 3.0, &linear), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "joint pad");
  CHECK_OK(ms_joint_eval_virgin(ms_structure_get_joint(s, 0), 1e-3, &force, &slope));
  CHECK_CLOSE(force, 0.31, 1e-12);
  ms_structure_destroy(&s);
}

/* Two masses, C a dashpot on one of them: no modes diagonalise it. Cramer's rule. */
static void test_two(void) {
  const double C[] = { 3.1, 0.0, 0.0, 0.0 }, force[] = { 0.0, 1.0 }, sensor[] = { 1.0, 0.0 };
  const double k1 = 411.0, k2 = 733.0, m1 = 1.7, m2 = 0.93;
  ms_structure *s = NULL;
  double H[2 * N];
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m1));
  CHECK_OK(ms_structure_add_mass(s, 1, m2));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, k1));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, k2));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  ms_response_request q = { .kind = MS_RECEPTANCE, .force = force, .sensor = sensor };
  CHECK_OK(ms_response_synthesise(s, &q, N, omega, H));
  for (int k = 0; k < N; k++) {
    double w = omega[k];
    double complex a = k1 + k2 - w * w * m1 + I * w * C[0], d = k2 - w * w * m2;
    close_to(at(H, k), k2 / (a * d - k2 * k2), 1e-12);
  }
  ms_structure_destroy(&s);
}

/* A chain with joints, every state, against M, C, K in coordinates. */
static void test_chain_states(void) {
  enum { n = 9 };
  ms_structure *s = test_chain(n, 3, "jenkins");
  ms_joint_linear linear[3] = { { 211.0, 17.0 }, { 5.3, 1.1 }, { 140.0, 0.0 } };
  static double C[n * n], force[n], sensor[n], H[2 * N];
  static double complex A[n * n], x[n];
  const double *M = ms_structure_get_mass(s), *K = ms_structure_get_stiffness(s);
  CHECK_OK(ms_structure_fill_damping(s, C));
  force[2] = 1.3, force[7] = -0.4, sensor[5] = 0.7, sensor[8] = 0.2;
  for (int state = 0; state < 3; state++) {
    ms_response_request q = { .kind = MS_RECEPTANCE,
                              .force = force,
                              .sensor = sensor,
                              .joints = (ms_joint_state)state,
                              .linear = linear };
    CHECK_OK(ms_response_synthesise(s, &q, N, omega, H));
    for (int k = 0; k < N; k++) {
      double w = omega[k];
      lapack_int pivot[n];
      for (int i = 0; i < n * n; i++) A[i] = K[i] - w * w * M[i] + I * w * C[i];
      for (int j = 0; j < 3; j++) {
        int from = (j + 1) * (n - 1) / 4, to = from + 1;
        const double complex all[] = { 310.0 - 17.0 * j, 0.0,
                                       linear[j].stiffness + I * linear[j].loss };
        A[from + n * from] += all[state], A[to + n * to] += all[state];
        A[from + n * to] -= all[state], A[to + n * from] -= all[state];
      }
      for (int i = 0; i < n; i++) x[i] = force[i];
      CHECK(LAPACKE_zgesv(LAPACK_COL_MAJOR, n, 1, A, n, pivot, x, n) == 0);
      close_to(at(H, k), 0.7 * x[5] + 0.2 * x[8], 1e-10);
    }
  }
  ms_structure_destroy(&s);
}

/* Two oscillators apart, the second follows the ground by 0.4: absolute over the base's
   acceleration of a sensor s is sum s_i iota_i (1 + w^2/(w_i^2 - w^2 + 2 i zeta w_i w)). A sensor
   that sees the difference of what follows sees nothing of the ground itself. */
static void test_sensor_on_base(void) {
  static const double own[2] = { 3.7, 11.3 }, zeta[2] = { 0.031, 0.017 }, iota[2] = { 1.0, 0.4 };
  static const double sensor[2][2] = { { 0.7, 0.2 }, { 0.3, -0.75 } };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 2.385));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, 2.385 * own[i] * own[i]));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  for (int k = 0; k < 2; k++) {
    ms_response_request q = { .kind = MS_TRANSMISSIBILITY, .base = iota, .sensor = sensor[k] };
    for (double w = 0.0; w < 20.0; w += 1.93) {
      double H[2];
      double complex want = 0.0;
      for (int i = 0; i < 2; i++) {
        const double complex D = own[i] * own[i] - w * w + 2.0 * I * zeta[i] * own[i] * w;
        want += sensor[k][i] * iota[i] * (1.0 + w * w / D);
      }
      CHECK_OK(ms_response_synthesise(s, &q, 1, &w, H));
      CHECK_NEAR(cabs(H[0] + I * H[1] - want), 0.0, 1e-12);
    }
  }
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  const double one = 1.0, minus = -1.0;
  ms_structure *s = one_mass(0.0);
  double H[2], w = ms_structure_get_stuck(s).omega[0];
  ms_response_request q = { .kind = MS_RECEPTANCE, .force = &one, .sensor = &one }, bad = q;
  CHECK_STATUS(ms_response_synthesise(s, &q, 1, &w, H), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "without damping");
  CHECK_STATUS(ms_response_synthesise(s, &q, 1, &minus, H), MS_ERR_ARGUMENT);
  bad.force = NULL;
  CHECK_STATUS(ms_response_synthesise(s, &bad, 1, &one, H), MS_ERR_ARGUMENT);
  bad = q;
  bad.kind = MS_TRANSMISSIBILITY;
  CHECK_STATUS(ms_response_synthesise(s, &bad, 1, &one, H), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "moving base");
  bad = q;
  bad.joints = MS_JOINTS_GIVEN;
  CHECK_STATUS(ms_response_synthesise(s, &bad, 1, &one, H), MS_ERR_ARGUMENT);
  bad.joints = (ms_joint_state)(MS_JOINTS_GIVEN + 1);
  CHECK_STATUS(ms_response_synthesise(s, &bad, 1, &one, H), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "state of the joints");
  CHECK_OK(ms_structure_add_mass(s, 0, 0.1)); /* to be set up again */
  CHECK_STATUS(ms_response_linearise(s, &one, 3.0, NULL), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "the structure is not set up");
  ms_structure_destroy(&s);
}

static void test_words(void) {
  ms_response_kind kind;
  for (int i = 0; i < 4; i++) {
    CHECK_OK(
        ms_response_parse_kind(test_context(), ms_response_kind_text((ms_response_kind)i), &kind));
    CHECK_EQUAL(kind, i);
  }
  CHECK_STATUS(ms_response_parse_kind(test_context(), "inertance", &kind), MS_ERR_NAME);
  CHECK(ms_response_kind_text((ms_response_kind)4) == NULL);
}

static ms_status allocate(ms_context *ctx, void *user) {
  const double one = 1.0, m = 2.385, c = 0.3, w = 3.1;
  ms_structure *s = NULL;
  double H[2];
  (void)user;
  MS_TRY(ms_structure_create(ctx, 1, NULL, &s));
  ms_status status = ms_structure_add_mass(s, 0, m);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, 411.0);
  if (status == MS_SUCCESS) status = ms_structure_set_damping(s, &c);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  ms_response_request q = { .kind = MS_RECEPTANCE, .force = &one, .sensor = &one };
  if (status == MS_SUCCESS) status = ms_response_synthesise(s, &q, 1, &w, H);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(allocate, NULL) >= 12);
}

static void test_peak(void) {
  const double H[8] = { 1.1, 0.0, 0.3, -1.3, -0.9, 0.9, 0.0, 1.2 };
  CHECK_EQUAL(ms_response_find_peak(4, H), 1);
  CHECK_EQUAL(ms_response_find_peak(1, H), 0);
}

int main(void) {
  TEST(test_one);
  TEST(test_no_amplitude);
  TEST(test_two);
  TEST(test_chain_states);
  TEST(test_sensor_on_base);
  TEST(test_refused);
  TEST(test_words);
  TEST(test_memory_fails);
  TEST(test_peak);
  return test_finish();
}
