/* Parameters, sets, messages: what the interface does for every law. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

static void test_registry(void) {
  const ms_law_info *law;
  CHECK(ms_joint_count_laws() >= 3);
  CHECK(ms_joint_get_law(-1) == NULL);
  CHECK(ms_joint_get_law(ms_joint_count_laws()) == NULL);
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    CHECK_OK(ms_joint_find_law(test_context(), ms_joint_get_law(i)->name, &law));
    CHECK(law == ms_joint_get_law(i));
  }
}

static void test_unknown_law(void) {
  ms_joint *j;
  CHECK_STATUS(ms_joint_create(test_context(), "iwan_4", &j), MS_ERR_NAME);
  CHECK(j == NULL);
  CHECK_HAS(message(), "did you mean 'iwan4'");
  CHECK_STATUS(ms_joint_create(test_context(), "zzzzzzzzz", &j), MS_ERR_NAME);
  CHECK_HAS(message(), "microslip laws");
}

static void test_unknown_parameter(void) {
  ms_joint *j;
  double value;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_STATUS(ms_joint_set(j, "betta", 2.385), MS_ERR_NAME);
  CHECK_HAS(message(), "did you mean 'beta'");
  CHECK_STATUS(ms_joint_get(j, "K_t_x", &value), MS_ERR_NAME);
  ms_joint_destroy(&j);
}

static void test_bounds_message(void) {
  ms_joint *j;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_STATUS(ms_joint_set(j, "chi", -1.0), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "chi = -1");
  CHECK_HAS(message(), "> -1");
  CHECK_STATUS(ms_joint_set(j, "sliders", 2.5), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "whole number");
  ms_joint_destroy(&j);
}

static void test_text_values(void) {
  ms_joint *j;
  double value;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_OK(ms_joint_set_text(j, "K_T", " 2.385e3 "));
  CHECK_OK(ms_joint_get(j, "K_T", &value));
  CHECK_NEAR(value, 2385.0, 0.0);
  CHECK_OK(ms_joint_set_text(j, "spacing", "uniform"));
  CHECK_OK(ms_joint_get(j, "spacing", &value));
  CHECK_NEAR(value, 1.0, 0.0);
  CHECK_STATUS(ms_joint_set_text(j, "spacing", "unif"), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "geometric|uniform");
  CHECK_STATUS(ms_joint_set_text(j, "K_T", "12q"), MS_ERR_FORMAT);
  CHECK_STATUS(ms_joint_set_text(j, "K_T", "nan"), MS_ERR_NUMERIC);
  CHECK_STATUS(ms_joint_set_text(j, "K_T", ""), MS_ERR_FORMAT);
  ms_joint_destroy(&j);
}

static void test_parameter_sets(void) {
  ms_joint *j;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_OK(ms_joint_set(j, "F_S", 11.7));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "not set: K_T, chi, beta");
  CHECK_OK(ms_joint_set(j, "phi_max", 0.83));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "different parameter sets");
  ms_joint_destroy(&j);
}

/* Before setup, and after a setup that failed, a joint says so instead of stepping. */
static void test_order_of_calls(void) {
  ms_joint *j;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_trial trial = { { 0.0 }, { 0 } };
  ms_joint_energy energy;
  ms_joint_memory memory;
  double buffer[8];
  CHECK_OK(ms_joint_create(test_context(), "jenkins", &j));
  CHECK_STATUS(ms_joint_update(j, &in, &out, &trial), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_commit(j, &trial), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_start(j, NULL), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_save(j, buffer), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_load(j, buffer, 0), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_get_energy(j, &energy), MS_ERR_STATE);
  CHECK_STATUS(ms_joint_get_memory(j, &memory), MS_ERR_STATE);
  CHECK_EQUAL(ms_joint_save_size(j), 0);
  ms_joint_destroy(&j);
  ms_joint_destroy(&j);
  ms_joint_destroy(NULL);
}

static void test_setup_again(void) {
  ms_joint *j = test_joint("jenkins", "F_S", 3.1, "K_T", 7.9, NULL);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = 2.3;
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK_NEAR(out.force[0], 3.1, 1e-15);
  CHECK_OK(ms_joint_set(j, "F_S", 5.3));
  CHECK_OK(ms_joint_setup(j));
  in.u[0] = 0.4;
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK_CLOSE(out.force[0], 7.9 * 0.4, 1e-15);
  ms_joint_destroy(&j);
}

static void test_path_rows(void) {
  ms_joint *j = test_joint("linear", "K", 2.385, "C", 0.71, NULL);
  const double t[] = { 0.0, 0.1, 0.35, 0.35 }, u[] = { 0.0, 0.2, -0.3, 0.1 };
  double F[4], slope[4];
  ptrdiff_t row = -1;
  ms_joint_path path = { .n = 3, .t = t, .u = { u }, .force = { F }, .slope = { slope } };
  CHECK_OK(ms_joint_run_path(j, &path, &row));
  CHECK_NEAR(F[0], 0.0, 0.0);
  CHECK_CLOSE(F[1], 2.385 * 0.2 + 0.71 * 2.0, 1e-14);
  CHECK_CLOSE(F[2], -2.385 * 0.3 - 0.71 * 2.0, 1e-14);
  CHECK_CLOSE(slope[2], 2.385, 1e-15);
  path.n = 4;
  CHECK_STATUS(ms_joint_run_path(j, &path, &row), MS_ERR_ARGUMENT);
  CHECK_EQUAL(row, 3);
  CHECK_HAS(message(), "time does not increase");
  ms_joint_destroy(&j);
}

/* A Jenkins element slips beyond u_S = F_S/K_T and then sticks on the way back. */
static void test_path_energies(void) {
  const double F_S = 11.7, K_T = 2.385, u_S = F_S / K_T;
  ms_joint *j = test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
  const double u[] = { 0.5 * u_S, 2.7 * u_S, 1.7 * u_S };
  double F[3], stored[3], dissipated[3];
  ms_joint_path path = {
    .n = 3, .u = { u }, .force = { F }, .stored = stored, .dissipated = dissipated
  };
  CHECK_OK(ms_joint_run_path(j, &path, NULL));
  const double reference[2][3] = { { 0.125 * F_S * u_S, 0.5 * F_S * u_S, 0.0 },
                                   { 0.0, 1.7 * F_S * u_S, 1.7 * F_S * u_S } };
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(stored[i], reference[0][i], 1e-14 * F_S * u_S);
    CHECK_NEAR(dissipated[i], reference[1][i], 1e-14 * F_S * u_S);
  }
  ms_joint_destroy(&j);
}

static int stop_at_once(void *user, const char *what, double fraction) {
  (void)user, (void)what, (void)fraction;
  return 1;
}

static void test_path_cancelled(void) {
  ms_joint *j = test_typical("jenkins");
  const double u[] = { 0.1, 0.2 };
  double F[2];
  ms_joint_path path = { .n = 2, .u = { u }, .force = { F } };
  ms_context_set_progress(test_context(), stop_at_once, NULL);
  CHECK_STATUS(ms_joint_run_path(j, &path, NULL), MS_CANCELLED);
  ms_context_set_progress(test_context(), NULL, NULL);
  CHECK_OK(ms_joint_run_path(j, &path, NULL));
  ms_joint_destroy(&j);
}

static void test_cycle_arguments(void) {
  ms_joint *j = test_typical("jenkins");
  ms_joint_cycle c;
  CHECK_STATUS(ms_joint_run_cycle(j, 0.0, 1.0, 100, NULL, NULL, &c), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_joint_run_cycle(j, NAN, 1.0, 100, NULL, NULL, &c), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_joint_run_cycle(j, 1e-4, 1.0, 7, NULL, NULL, &c), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_joint_run_cycle(j, 1e-4, -1.0, 100, NULL, NULL, &c), MS_ERR_ARGUMENT);
  ms_joint_destroy(&j);
}

/* The loop handed back is closed, starts at the turning point, and encloses D. */
static void test_loop_encloses_loss(void) {
  enum { N = 4000 };
  static double u[N + 1], F[N + 1];
  ms_joint *j = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  ms_joint_cycle c;
  CHECK_OK(ms_joint_run_cycle(j, 3.71, 1.0, N, u, F, &c));
  double area = 0.0;
  for (int i = 0; i < N; i++) area += 0.5 * (F[i] + F[i + 1]) * (u[i + 1] - u[i]);
  CHECK_NEAR(u[0], 3.71, 0.0);
  CHECK_NEAR(u[N], u[0], 0.0);
  CHECK_NEAR(F[N], F[0], 1e-13 * 11.7);
  CHECK_CLOSE(area, c.D, 1e-5);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_registry);
  TEST(test_unknown_law);
  TEST(test_unknown_parameter);
  TEST(test_bounds_message);
  TEST(test_text_values);
  TEST(test_parameter_sets);
  TEST(test_order_of_calls);
  TEST(test_setup_again);
  TEST(test_path_rows);
  TEST(test_path_energies);
  TEST(test_path_cancelled);
  TEST(test_cycle_arguments);
  TEST(test_loop_encloses_loss);
  return test_finish();
}
