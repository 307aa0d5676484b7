/* The tabulated Iwan element: what a table may hold, and elements whose answer is known. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

static ms_joint *empty(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan_table", &j));
  return j;
}

static ms_joint *with_table(ptrdiff_t rows, const double *phi, const double *rho, const double *S) {
  const double *const column[3] = { phi, rho, S };
  ms_joint *j = empty();
  CHECK_OK(ms_joint_set_table(j, "density", rows, S ? 3 : 2, column));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

/* ---- tables in ---- */

static void refuse(ms_joint *j, double phi, double rho, double S, ms_status status,
                   const char *text) {
  double a[4] = { 0.1, 0.7, 0.9, phi }, b[4] = { 2.1, 1.7, 1.3, rho }, c[4] = { 0.0, 0.4, 0.0, S };
  const double *const column[3] = { a, b, c };
  CHECK_STATUS(ms_joint_set_table(j, "density", 4, 3, column), status);
  CHECK_HAS(message(), "law iwan_table: density: row 4");
  CHECK_HAS(message(), text);
}

static void test_rows_refused(void) {
  ms_joint *j = empty();
  refuse(j, NAN, 1.0, 0.0, MS_ERR_NUMERIC, "phi is not finite");
  refuse(j, 1.2, HUGE_VAL, 0.0, MS_ERR_NUMERIC, "rho is not finite");
  refuse(j, 0.8, 1.0, 0.0, MS_ERR_BOUNDS, "must not decrease");
  refuse(j, -1.0, 1.0, 0.0, MS_ERR_BOUNDS, "phi must be >= 0");
  refuse(j, 1.2, -1e-9, 0.0, MS_ERR_BOUNDS, "rho must be >= 0");
  refuse(j, 1.2, 1.0, -0.3, MS_ERR_BOUNDS, "S must be >= 0");
  const double thrice[] = { 0.3, 0.7, 0.7, 0.7 }, rho[] = { 1.0, 2.0, 3.0, 4.0 };
  const double *column[] = { thrice, rho, rho };
  CHECK_STATUS(ms_joint_set_table(j, "density", 4, 2, column), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "third time");
  const double zero[] = { 0.0, 0.0 }, two[] = { 0.0, 2.3 }, delta[] = { 0.4, 0.0 };
  column[0] = two, column[1] = zero;
  CHECK_STATUS(ms_joint_set_table(j, "density", 2, 2, column), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "total stiffness is 0");
  column[2] = delta;
  CHECK_STATUS(ms_joint_set_table(j, "density", 2, 3, column), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "no delta at phi = 0");
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "not set: density");
  ms_joint_destroy(&j);
}

static void test_shape_refused(void) {
  ms_joint *j = empty(), *other = NULL;
  const double phi[] = { 0.1, 0.7 };
  const double *const column[4] = { phi, phi, phi, phi };
  CHECK_STATUS(ms_joint_set_table(j, "density", 0, 2, column), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "phi, rho[, S]");
  CHECK_STATUS(ms_joint_set_table(j, "density", 2, 1, column), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_joint_set_table(j, "density", 2, 4, column), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_joint_set_table(j, "densty", 2, 2, column), MS_ERR_NAME);
  CHECK_HAS(message(), "did you mean 'density'");
  CHECK_STATUS(ms_joint_set_table(j, "K_inf", 2, 2, column), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "not a table");
  CHECK_STATUS(ms_joint_set(j, "density", 2.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_joint_set_text(j, "density", "density.csv"), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "is a table with columns phi, rho[, S]");
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &other));
  CHECK_STATUS(ms_joint_set_table(other, "F_S", 2, 2, column), MS_ERR_ARGUMENT);
  ms_joint_destroy(&other);
  ms_joint_destroy(&j);
}

/* A table is copied, replaced by the next one, and left alone by one that is refused. */
static void test_copied(void) {
  double phi[] = { 0.3, 1.9 }, rho[] = { 0.7, 0.4 }, F, again, rows;
  ms_joint *j = with_table(2, phi, rho, NULL);
  const double *const column[2] = { phi, rho };
  CHECK_OK(ms_joint_eval_virgin(j, 0.83, &F, &again));
  rho[1] = -1.0;
  CHECK_STATUS(ms_joint_set_table(j, "density", 2, 2, column), MS_ERR_BOUNDS);
  CHECK_OK(ms_joint_setup(j));
  double slope;
  CHECK_OK(ms_joint_eval_virgin(j, 0.83, &again, &slope));
  CHECK_NEAR(again, F, 0.0);
  rho[1] = 0.8;
  CHECK_OK(ms_joint_set_table(j, "density", 2, 2, column));
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_eval_virgin(j, 0.83, &again, &slope));
  CHECK(again > F);
  CHECK_OK(ms_joint_get(j, "density", &rows));
  CHECK_NEAR(rows, 2.0, 0.0);
  ms_joint_destroy(&j);
}

/* ---- elements with a known answer ---- */

static void compare(ms_joint *a, ms_joint *b, double scale, unsigned seed) {
  test_history h = test_wander(a, seed, 1);
  ms_joint_energy ea, eb;
  for (int i = 0; i < 300; i++) {
    ms_joint_output p, q;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(a, in, &p));
    CHECK_OK(ms_joint_step(b, in, &q));
    CHECK_NEAR(p.force[0], q.force[0], 1e-12 * scale);
  }
  CHECK_OK(ms_joint_get_energy(a, &ea));
  CHECK_OK(ms_joint_get_energy(b, &eb));
  CHECK_CLOSE(ea.stored, eb.stored, 1e-10);
  CHECK_CLOSE(ea.dissipated, eb.dissipated, 1e-10);
  ms_joint_destroy(&a);
  ms_joint_destroy(&b);
}

/* A joint that is made from another one has its table, all rows and columns. */
static void test_joint_copied(void) {
  const double phi[] = { 0.3, 1.9, 2.7 }, rho[] = { 0.7, 0.4, 0.9 }, S[] = { 0.0, 1.1, 0.6 };
  for (int deltas = 0; deltas < 2; deltas++) {
    ms_joint *from = with_table(3, phi, rho, deltas ? S : NULL), *to = NULL;
    CHECK_OK(ms_joint_copy(test_context(), from, &to));
    if (to) compare(from, to, 3.0, 17);
  }
}

/* Rows of nothing at both ends, and a row in the middle of a straight line, change nothing. */
static void test_uniform(void) {
  const double phi[] = { 0.0, 1.3, 4.7, 4.7, 9.0, 11.0 }, rho[] = { 0.213, 0.213, 0.213, 0, 0, 0 };
  ms_joint *j = with_table(6, phi, rho, NULL);
  CHECK_NEAR(ms_joint_slip_scale(j), 4.7, 0.0);
  compare(j, test_joint("iwan_uniform", "rho", 0.213, "phi_max", 4.7, NULL), 2.4, 63);
}

static void test_one_delta_is_jenkins(void) {
  const double phi[] = { 4.7 }, rho[] = { 0.0 }, S[] = { 2.385 };
  compare(with_table(1, phi, rho, S), test_joint("jenkins", "K_T", 2.385, "F_S", 2.385 * 4.7, NULL),
          11.2, 64);
}

/* Deltas alone are Jenkins elements in parallel: their sum, and a slider form that is the same. */
static void test_deltas(void) {
  const double phi[] = { 0.7, 1.9, 4.7 }, rho[] = { 0.0, 0.0, 0.0 }, S[] = { 1.1, 0.6, 0.9 };
  ms_joint *j = with_table(3, phi, rho, S), *slide = with_table(3, phi, rho, S), *one[3];
  for (int k = 0; k < 3; k++) {
    one[k] = test_joint("jenkins", "K_T", S[k], "F_S", S[k] * phi[k], NULL);
  }
  CHECK_OK(ms_joint_set(slide, "sliders", 5.0));
  CHECK_OK(ms_joint_setup(slide));
  test_history h = test_wander(j, 65, 1);
  for (int i = 0; i < 400; i++) {
    ms_joint_output out, part;
    const ms_joint_input *in = test_next(&h);
    double sum = 0.0, slope = 0.0;
    for (int k = 0; k < 3; k++) {
      CHECK_OK(ms_joint_step(one[k], in, &part));
      sum += part.force[0];
      slope += part.du[0];
    }
    CHECK_OK(ms_joint_step(j, in, &out));
    CHECK_NEAR(out.force[0], sum, 1e-13 * 6.1);
    CHECK_NEAR(out.du[0], slope, 1e-12);
    CHECK_OK(ms_joint_step(slide, in, &out));
    CHECK_NEAR(out.force[0], sum, 1e-13 * 6.1);
  }
  for (int k = 0; k < 3; k++) ms_joint_destroy(&one[k]);
  ms_joint_destroy(&slide);
  ms_joint_destroy(&j);
}

/* A ramp rho = s (phi - a) on (a, b), with S in its middle: moments by hand. */
static void test_ramp(void) {
  const double a = 0.9, m = 2.0, b = 3.7, s = 0.31, S = 0.47;
  const double phi[] = { 0.9, 2.0, 3.7 }, rho[] = { 0.0, 0.31 * 1.1, 0.31 * 2.8 };
  const double delta[] = { 0.0, 0.47, 0.0 };
  ms_joint *j = with_table(3, phi, rho, delta);
  double K = s * (b - a) * (b - a) / 2.0 + S;
  for (int i = 0; i < 40; i++) {
    double u = 0.1 * i + 0.037, t = u < a ? 0.0 : (u < b ? u : b) - a, F, slope;
    double m0 = s * t * t / 2.0, m1 = a * m0 + s * t * t * t / 3.0;
    double m2 = a * a * m0 + 2.0 * a * s * t * t * t / 3.0 + s * t * t * t * t / 4.0;
    if (u >= m) m0 += S, m1 += S * m, m2 += S * m * m;
    ms_joint_cycle c;
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_CLOSE(F, u * (K - m0) + m1, 1e-13);
    CHECK_NEAR(slope, K - m0, 1e-13);
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
    CHECK_NEAR(c.D, 4.0 * (u * m1 - m2), 1e-12);
  }
  double F, slope; /* at its own displacement a delta has slipped */
  CHECK_OK(ms_joint_eval_virgin(j, m, &F, &slope));
  CHECK_CLOSE(slope, K - S - s * 1.1 * 1.1 / 2.0, 1e-14);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_rows_refused);
  TEST(test_shape_refused);
  TEST(test_copied);
  TEST(test_joint_copied);
  TEST(test_uniform);
  TEST(test_one_delta_is_jenkins);
  TEST(test_deltas);
  TEST(test_ramp);
  return test_finish();
}
