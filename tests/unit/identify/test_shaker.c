/* Stepped sines as targets: against a mass with a cubic spring in closed form, on both of its
   branches; against frequency responses with more harmonics; derivatives; refusals. */
#include <math.h>
#include <microslip/calibrate.h>
#include <microslip/calibrate_methods.h>
#include <microslip/experiment.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

#define PI 3.14159265358979323846

/* ---- a mass with a cubic spring ---- */

#define MASS 2.385
#define K    9310.0
#define K3   4.7e9
#define ZETA 0.0137

static double stuck_omega(void) {
  return sqrt(K / MASS);
}

static ms_structure *make_cubic_with(double mass, double spring) {
  ms_structure *s = NULL;
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double zeta[] = { ZETA };
  ms_joint *j = test_joint("cubic", "K", 0.3 * K, "K3", K3, NULL);
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, mass));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, spring));
  CHECK_OK(ms_structure_take_joint(s, "spring", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_structure *make_cubic(void) {
  return make_cubic_with(MASS, 0.7 * K);
}

/* With one harmonic: the frequency at which amplitude A has this phase, and the force then. */
static void cubic_point(double A, double phase, double *omega, double *force) {
  const double k = K + 0.75 * K3 * A * A, c = 2.0 * ZETA * stuck_omega() * MASS;
  /* tan(-phase) (k - m omega^2) = c omega */
  const double t = tan(-phase), d = c / (MASS * t);
  *omega = 0.5 * (-d + sqrt(d * d + 4.0 * k / MASS));
  *force = A * hypot(k - MASS * *omega * *omega, c * *omega);
}

static const ms_parameter_place cubic_place = { 0, 0, "K3" };
static const ms_free_parameter cubic_free = { "K3", 1, &cubic_place };
static const double unit_force[] = { 1.0 };

enum { ROWS = 3 };

/* Rows of the upper branch, in the order of the file. */
typedef struct rows {
  double omega[ROWS], force[ROWS], amplitude[ROWS], phase[ROWS];
} rows;

static rows cubic_rows(void) {
  rows x;
  for (int i = 0; i < ROWS; i++) {
    x.amplitude[i] = 7.1e-4 + 2.3e-4 * i;
    x.phase[i] = -0.31 * PI - 0.13 * i;
    cubic_point(x.amplitude[i], x.phase[i], &x.omega[i], &x.force[i]);
  }
  return x;
}

static ms_target target_of(const rows *x) {
  return (ms_target) { .kind = MS_TARGET_SHAKER,
                       .name = "sine.csv",
                       .weight = { 1.7, 0.6 },
                       .n = ROWS,
                       .x = x->omega,
                       .y = { x->amplitude, x->phase },
                       .level = x->force,
                       .is.shaker = { unit_force, NULL, 0, 1, 64 } };
}

/* Measured are other amplitudes and phases than those of the solutions, a turn of the phase aside.
 */
static void test_residuals(void) {
  ms_structure *s = make_cubic();
  const rows want = cubic_rows();
  rows measured = want;
  const double p[] = { K3 };
  double r[2 * ROWS], f[2], sum[2] = { 0.0, 0.0 }, back;
  ms_calibration *c = NULL;
  for (int i = 0; i < ROWS; i++) {
    measured.amplitude[i] *= 1.03 - 0.02 * i;
    measured.phase[i] += 0.017 * (i + 1) - 2.0 * PI * (i == 1);
  }
  const ms_target t = target_of(&measured);
  if (!CHECK_OK(ms_calibration_create(s, 1, &cubic_free, 1, &t, &c))) return;
  CHECK_EQUAL(ms_calibration_count_residuals(c), 2 * ROWS);
  CHECK_OK(ms_calibration_eval(c, p, r, NULL));
  CHECK_OK(ms_calibration_objectives(c, p, f));
  const ms_target_view v = ms_calibration_view(c, 0);
  for (int i = 0; i < ROWS; i++) {
    const double e = want.amplitude[i] / measured.amplitude[i], turn = -0.017 * (i + 1);
    CHECK_NEAR(r[i], sqrt(1.7) * log(e), 1e-8);
    CHECK_NEAR(r[ROWS + i], sqrt(0.6) * turn, 1e-8);
    CHECK_CLOSE(v.model[0][i], want.amplitude[i], 1e-9);
    CHECK_NEAR(v.level[i], want.force[i], 0.0);
    CHECK_EQUAL(v.unreached[i], 0);
    sum[0] += (e - 1.0) * (e - 1.0) / ROWS;
    sum[1] += turn * turn / ROWS;
  }
  CHECK_CLOSE(f[0], sum[0], 1e-6);
  CHECK_CLOSE(f[1], sum[1], 1e-6);
  CHECK_BELOW(v.residual, 1e-9);
  ms_calibration_destroy(&c);
  CHECK_OK(ms_joint_get(ms_structure_get_joint(s, 0), "K3", &back));
  CHECK_NEAR(back, K3, 0.0);
  ms_structure_destroy(&s);
}

/* A spring and the mass are free, and begin elsewhere: at the right ones nothing is left. */
static void test_matrices(void) {
  static const ms_parameter_place spring = { MS_PLACE_SPRING, 0, NULL };
  static const ms_parameter_place mass = { MS_PLACE_MASS, 0, NULL };
  const ms_free_parameter both[] = { { "spring", 1, &spring }, { "mass", 1, &mass } };
  ms_structure *s = make_cubic_with(1.4 * MASS, 0.5 * K);
  const rows x = cubic_rows();
  const ms_target t = target_of(&x);
  const double p[] = { 0.7 * K, MASS };
  double r[2 * ROWS], up[2 * ROWS], down[2 * ROWS], jac[4 * ROWS];
  ms_calibration *c = NULL;
  if (!CHECK_OK(ms_calibration_create(s, 2, both, 1, &t, &c))) return;
  CHECK_OK(ms_calibration_eval(c, p, r, jac));
  for (int i = 0; i < 2 * ROWS; i++) CHECK_NEAR(r[i], 0.0, 1e-8);
  for (int j = 0; j < 2; j++) {
    double q[] = { p[0], p[1] };
    const double h = 1e-4 * p[j];
    q[j] = p[j] + h;
    CHECK_OK(ms_calibration_eval(c, q, up, NULL));
    q[j] = p[j] - h;
    CHECK_OK(ms_calibration_eval(c, q, down, NULL));
    for (int i = 0; i < 2 * ROWS; i++)
      CHECK_CLOSE(jac[i + 2 * ROWS * j], 0.5 * (up[i] - down[i]) / h, 0.01);
  }
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* The smaller amplitude at the same frequency and force: by bisection of F(A) - F up to where it is
   largest. */
static double lower_branch(double omega, double force) {
  const double c = 2.0 * ZETA * stuck_omega() * MASS;
  double low = 0.0, high = 0.0, most = 0.0;
  for (double A = 1e-6; A < 3e-3; A += 1e-6) {
    const double F = A * hypot(K + 0.75 * K3 * A * A - MASS * omega * omega, c * omega);
    if (F < most) break;
    most = F;
    high = A;
  }
  for (int i = 0; i < 100; i++) {
    const double A = 0.5 * (low + high);
    const double F = A * hypot(K + 0.75 * K3 * A * A - MASS * omega * omega, c * omega);
    *(F < force ? &low : &high) = A;
  }
  return low;
}

/* Beyond the lower fold a frequency has three motions. Each row finds the one that was measured,
   and says so where the measured one is none. */
static void test_branches(void) {
  const double A = 1.9e-3, p[] = { K3 }, softer[] = { 0.6 * K3 };
  ms_structure *s = make_cubic();
  rows x = cubic_rows();
  double r[2 * ROWS];
  ms_calibration *c = NULL;
  for (int i = 0; i < ROWS; i++) {
    x.phase[i] = -0.41 * PI;
    cubic_point(A, x.phase[i], &x.omega[i], &x.force[i]);
  }
  const double small = lower_branch(x.omega[0], x.force[0]);
  CHECK_BELOW(small, 0.5 * A);
  x.amplitude[0] = 1.04 * A;
  x.amplitude[1] = 0.95 * small;
  x.phase[1] = -0.97 * PI;
  x.amplitude[2] = 2.3 * A; /* none */
  const ms_target t = target_of(&x);
  if (!CHECK_OK(ms_calibration_create(s, 1, &cubic_free, 1, &t, &c))) return;
  CHECK_OK(ms_calibration_eval(c, p, r, NULL));
  ms_target_view v = ms_calibration_view(c, 0);
  CHECK_CLOSE(v.model[0][0], A, 1e-8);
  CHECK_CLOSE(v.model[0][1], small, 1e-8);
  CHECK_EQUAL(v.unreached[0], 0);
  CHECK_EQUAL(v.unreached[1], 0);
  CHECK_EQUAL(v.unreached[2], 1);
  /* The curve of a softer spring does not come to that frequency any more but on its lower branch.
   */
  ms_solution found;
  char text[200];
  CHECK_OK(ms_calibration_solve(c, "fit", softer, &found));
  CHECK_EQUAL(found.view[0].unreached[0], 1);
  CHECK_EQUAL(found.view[0].unreached[1], 0);
  CHECK_BELOW(found.view[0].model[0][0], 0.5 * A);
  CHECK(ms_solution_unreached_warning(&found, 1, &t, text, sizeof text));
  CHECK_HAS(text, "2 of 3 points of sine.csv");
  CHECK_HAS(text, "rows 1, 3");
  ms_solution_free(test_context(), &found);
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* ---- joints with memory ---- */

enum { LINES = 5, LEVELS = 2, POINTS = LINES * LEVELS, NUMBERS = 4 };
static const double level[LEVELS] = { 0.011, 0.19 };
static const char *const name[NUMBERS] = { "F_S", "K_T", "chi", "beta" };
static const double truth[NUMBERS] = { 10.0, 1.0, -0.5, 5.0 };

/* From a frequency response with the default harmonics. */
static void measure(ms_structure *s, double *omega, double *force, double *A, double *phase) {
  static const double shape[] = { 0.0, 0.0, 1.0 };
  static const ptrdiff_t sensor[] = { 1 };
  const double w = ms_structure_get_stuck(s).omega[0];
  for (int l = 0; l < LEVELS; l++) {
    double list[LINES];
    for (int i = 0; i < LINES; i++) list[i] = w * (0.985 + 0.0061 * i);
    ms_frequency_plan plan = ms_frequency_default();
    plan.force = shape, plan.sensor = sensor, plan.n_sensor = 1;
    plan.from = 0.93 * w, plan.to = 1.05 * w;
    plan.list = list, plan.n_list = LINES;
    ms_frequency_run run = { .plan = &plan, .level = level[l] };
    CHECK_OK(ms_frequency_simulate(test_context(), s, &run));
    for (ptrdiff_t i = 0; i < run.curve.n; i++) {
      const ptrdiff_t k = run.curve.point[i].listed - 1;
      if (k < 0) continue;
      omega[k + LINES * l] = run.curve.point[i].omega;
      force[k + LINES * l] = level[l];
      A[k + LINES * l] = run.curve.sensor[i].amplitude;
      phase[k + LINES * l] = run.curve.sensor[i].phase;
    }
    ms_frequency_free(test_context(), &run);
  }
}

/* The sensor is not where the force is. Derivatives against central differences of residuals,
   which are of other rows and begin elsewhere. */
static void test_iwan(void) {
  static const double shape[] = { 0.0, 0.0, 1.0 };
  ms_structure *s = test_three_mass(0.0023);
  ms_parameter_place place[NUMBERS];
  ms_free_parameter free[NUMBERS];
  double omega[POINTS], force[POINTS], A[POINTS], phase[POINTS];
  double r[2 * POINTS], up[2 * POINTS], J[2 * POINTS * NUMBERS], p[NUMBERS];
  ms_calibration *c = NULL;
  measure(s, omega, force, A, phase);
  for (int j = 0; j < NUMBERS; j++) {
    place[j] = (ms_parameter_place) { 0, 0, name[j] };
    free[j] = (ms_free_parameter) { name[j], 1, &place[j] };
  }
  const ms_target t = { .kind = MS_TARGET_SHAKER,
                        .weight = { 1.0, 1.0 },
                        .n = POINTS,
                        .x = omega,
                        .y = { A, phase },
                        .level = force,
                        .is.shaker = { shape, NULL, 1, 3, 256 } };
  if (!CHECK_OK(ms_calibration_create(s, NUMBERS, free, 1, &t, &c))) return;
  CHECK_OK(ms_calibration_eval(c, truth, r, NULL));
  for (int i = 0; i < 2 * POINTS; i++) CHECK_NEAR(r[i], 0.0, 2e-4);
  for (int j = 0; j < NUMBERS; j++) p[j] = truth[j] * (j == 1 ? 1.01 : 1.1);
  CHECK_OK(ms_calibration_eval(c, p, r, J));
  CHECK_EQUAL(ms_calibration_view(c, 0).by_differences, 1);
  for (int j = 0; j < NUMBERS; j++) {
    const double h = 1e-4 * fabs(p[j]), before = p[j];
    p[j] = before + h;
    CHECK_OK(ms_calibration_eval(c, p, up, NULL));
    p[j] = before - h;
    CHECK_OK(ms_calibration_eval(c, p, r, NULL));
    p[j] = before;
    for (int i = 0; i < 2 * POINTS; i++) {
      const double want = (up[i] - r[i]) / (2.0 * h), size = fabs(before);
      CHECK_NEAR(J[i + 2 * POINTS * j] * size, want * size, 1e-3 * (fabs(want * size) + 0.1));
    }
  }
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
}

/* ---- refusals ---- */

static void refuse(ms_structure *s, const ms_target *t, ms_status want, const char *word) {
  ms_calibration *c = NULL;
  CHECK_STATUS(ms_calibration_create(s, 1, &cubic_free, 1, t, &c), want);
  CHECK_HAS(ms_context_message(test_context()), word);
  CHECK(c == NULL);
}

static void test_refusals(void) {
  ms_structure *s = make_cubic();
  rows x = cubic_rows();
  ms_target t = target_of(&x);
  t.is.shaker.sensor = 1;
  refuse(s, &t, MS_ERR_BOUNDS, "there is no coordinate 1");
  t = target_of(&x);
  t.is.shaker.times = 7;
  refuse(s, &t, MS_ERR_BOUNDS, "times 7");
  t = target_of(&x);
  t.low = x.omega[1];
  refuse(s, &t, MS_ERR_ARGUMENT, "it takes 3");
  x.force[1] = 0.0;
  t = target_of(&x);
  refuse(s, &t, MS_ERR_BOUNDS, "row 2 has force 0");
  x = cubic_rows();
  x.phase[2] = NAN;
  t = target_of(&x);
  refuse(s, &t, MS_ERR_BOUNDS, "row 3 has phase nan");
  t.weight[1] = 0.0; /* solutions begin there all the same */
  refuse(s, &t, MS_ERR_BOUNDS, "must be finite");
  ms_structure_destroy(&s);
}

static ms_status work(ms_context *ctx, void *user) {
  const rows *x = user;
  const ptrdiff_t from = MS_GROUND, to = 0;
  const ms_target t = target_of(x);
  const double p[] = { K3 };
  double r[2 * ROWS], J[2 * ROWS];
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  ms_calibration *c = NULL;
  ms_status status = ms_structure_create(ctx, 1, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, MASS);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, K);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "cubic", &j);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "K", K);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "K3", K3);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "spring", &j, &from, &to);
  ms_joint_destroy(&j);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_calibration_create(s, 1, &cubic_free, 1, &t, &c);
  if (status == MS_SUCCESS) status = ms_calibration_eval(c, p, r, J);
  ms_calibration_destroy(&c);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_failures(void) {
  rows x = cubic_rows();
  CHECK(test_allocations(work, &x) > 25);
}

int main(void) {
  TEST(test_residuals);
  TEST(test_matrices);
  TEST(test_branches);
  TEST(test_iwan);
  TEST(test_refusals);
  TEST(test_memory_failures);
  return test_finish();
}
