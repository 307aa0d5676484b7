/* Bounded memory of the element with a friction drop (iwan5): ring-downs merged against unmerged.
 */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

#define F_S 10.0

static ms_joint *joint_with(double tolerance) {
  return test_joint("iwan5", "F_S", F_S, "K_T", 1.0, "chi", -0.5, "beta", 0.8, "theta", 0.7,
                    "merge_tolerance", tolerance, NULL);
}

static double force_at(ms_joint *j, double u) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out.force[0];
}

typedef double (*envelope)(double part);

static double linear_decay(double part) {
  return 1.0 - part;
}

static double exponential_decay(double part) {
  return exp(-6.0 * part);
}

/* A ring-down must not feel the merging; loading back over everything remembered, with small loops,
   errs by no more than the bound the joint reports, and in fact by less than the tolerance. */
static void compare(envelope decay, long reversals, double tolerance, double limit_bytes) {
  ms_joint *all = joint_with(0.0), *merged = joint_with(tolerance);
  ms_joint_memory m;
  double phi_max = ms_joint_slip_scale(all), worst = 0.0;
  for (long i = 0; i < reversals; i++) {
    double u = 1.3 * phi_max * decay((double)i / (double)reversals) * (i % 2 ? -1.0 : 1.0);
    worst = fmax(worst, fabs(force_at(all, u) - force_at(merged, u)));
  }
  CHECK_BELOW(worst, 1e-11 * F_S);
  CHECK_OK(ms_joint_get_memory(all, &m));
  CHECK_BELOW(0.6 * (double)reversals, (double)m.depth);
  CHECK_OK(ms_joint_get_memory(merged, &m));
  CHECK_BELOW((double)m.bytes, limit_bytes);
  CHECK(m.merge_error > 0.0);
  CHECK_BELOW(m.merge_error, tolerance * F_S);
  for (int i = 0; i <= 300; i++) {
    double u = 1.2 * phi_max * i / 300.0 - (i % 7 == 3 ? 0.013 * phi_max : 0.0);
    double error = fabs(force_at(all, u) - force_at(merged, u));
    CHECK_OK(ms_joint_get_memory(merged, &m));
    CHECK(error <= m.merge_error + 1e-11 * F_S);
    worst = fmax(worst, error);
  }
  CHECK_BELOW(worst, tolerance * F_S);
  CHECK_BELOW(1e-3 * tolerance * F_S, worst); /* merging was put to the test */
  CHECK_NEAR(force_at(merged, 3.0 * phi_max), 0.7 * F_S, 1e-13 * F_S);
  ms_joint_destroy(&all);
  ms_joint_destroy(&merged);
}

static void test_ring_downs(void) {
  compare(linear_decay, 30000, 1e-3, 2e6);
  compare(exponential_decay, 30000, 1e-3, 2e6);
  compare(linear_decay, 30000, 1e-4, 1e7);
  compare(exponential_decay, 30000, 1e-4, 5e6);
}

/* A million reversals: neither time nor memory runs away. */
static void test_million_reversals(void) {
  ms_joint *j = joint_with(1e-4);
  ms_joint_memory m;
  double phi_max = ms_joint_slip_scale(j);
  for (int i = 0; i < 1000000; i++)
    force_at(j, 1.3e-6 * phi_max * (1000000 - i) * (i % 2 ? -1 : 1));
  CHECK_OK(ms_joint_get_memory(j, &m));
  CHECK_BELOW((double)m.bytes, 2e7);
  CHECK_BELOW(m.merge_error, 1e-4 * F_S);
  CHECK_CLOSE(force_at(j, 3.0 * phi_max), 0.7 * F_S, 1e-13);
  ms_joint_destroy(&j);
}

/* Steady cycling whose amplitude differs in the last bits must not fill the memory. */
static void test_rounding_loops(void) {
  ms_joint *j = joint_with(1e-6);
  ms_joint_memory m;
  double phi_max = ms_joint_slip_scale(j);
  force_at(j, 1.4 * phi_max);
  for (int i = 0; i < 200000; i++) {
    double shrink = 1.0 - 0x1p-52 * (double)(i / 2);
    force_at(j, 0.37 * phi_max * shrink * (i % 2 ? -1.0 : 1.0));
  }
  CHECK_OK(ms_joint_get_memory(j, &m));
  CHECK_BELOW((double)m.bytes, 1e5);
  CHECK_BELOW(m.merge_error, 1e-8 * F_S);
  ms_joint_destroy(&j);
}

/* Ring-downs one after the other about changing centres, with odd reversals and, for every third,
   steps of load: the reported bound holds at every step. */
static void check_bound(unsigned seed) {
  ms_joint *all = joint_with(0.0), *merged = joint_with(4e-3);
  double phi_max = ms_joint_slip_scale(all), amplitude = 0.0, centre = 0.0, worst = 0.0;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output a, b;
  ms_joint_memory m;
  ms_random random;
  ms_random_start(&random, seed, 5);
  for (int i = 0; i < 12000; i++) {
    if (i % 1000 == 0) {
      amplitude = phi_max * (0.2 + 1.3 * ms_random_uniform(&random));
      centre = 0.3 * phi_max * (ms_random_uniform(&random) - 0.5);
    }
    amplitude *= 0.9988;
    double odd = ms_random_uniform(&random) < 0.02 ? ms_random_uniform(&random) : 1.0;
    in.u[0] = centre + amplitude * odd * (i % 2 ? -1.0 : 1.0);
    if (seed % 3 == 0 && ms_random_uniform(&random) < 0.01) {
      in.alpha = 0.5 + ms_random_uniform(&random);
      in.k = 0.7 + 0.6 * ms_random_uniform(&random);
    }
    CHECK_OK(ms_joint_step(all, &in, &a));
    CHECK_OK(ms_joint_step(merged, &in, &b));
    CHECK_OK(ms_joint_get_memory(merged, &m));
    CHECK(fabs(a.force[0] - b.force[0]) <= m.merge_error + 1e-11 * F_S);
    worst = fmax(worst, fabs(a.force[0] - b.force[0]));
  }
  CHECK_BELOW(1e-9 * F_S, worst);
  ms_joint_destroy(&all);
  ms_joint_destroy(&merged);
}

static void test_bound_holds(void) {
  for (unsigned seed = 1; seed <= 9; seed++) check_bound(seed);
}

int main(void) {
  TEST(test_ring_downs);
  TEST(test_bound_holds);
  TEST(test_million_reversals);
  TEST(test_rounding_loops);
  return test_finish();
}
