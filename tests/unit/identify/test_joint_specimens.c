/* Tests of many specimens: sorted, synthetic, identified with bands, and repeated. A joint that is
   a spring has a stiffness that does not depend on the force. */
#include <math.h>
#include <microslip/scatter.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

enum { SPECIMENS = 12, FRESH = 60, FORCES = 3 };

static const ms_scatter_parameter random_K = {
  "K", "K", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1e5, 1e8
};
static const double noise[2] = { 2.1e-3, 3.7e-3 };

static void plan(ms_context *ctx, int specimens, const double force[FORCES], ms_scatter_tests *t) {
  double id[FORCES * FRESH], at[FORCES * FRESH];
  for (int i = 0; i < FORCES * specimens; i++) id[i] = i / FORCES + 1, at[i] = force[i % FORCES];
  CHECK_OK(
      ms_scatter_tests_create(ctx, (ptrdiff_t)FORCES * specimens, id, at, NULL, NULL, NULL, t));
}

static ms_scatter *spring(ms_context *ctx) {
  ms_joint *j = test_joint("linear", "K", 2.385e6, "C", 17.0, NULL);
  ms_scatter *s = NULL;
  CHECK_OK(ms_scatter_create_copy(ctx, j, 7.3, 1, &random_K, &s));
  ms_joint_destroy(&j);
  return s;
}

static ms_distribution lognormal(void) {
  ms_distribution d;
  CHECK_OK(ms_distribution_from_moments(test_context(), MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 2.385e6,
                                        1.7e5, &d));
  return d;
}

static void test_sorted(void) {
  const double id[5] = { 7, 3, 7, 3, 7 }, force[5] = { 31, 23, 11, 5, 17 };
  const double stiffness[5] = { 1.1, 1.2, 1.3, 1.4, 1.5 }, loss[5] = { 2.1, 2.2, 2.3, 2.4, 2.5 };
  static const int order[5] = { 3, 1, 2, 4, 0 }, row[5] = { 41, 42, 43, 44, 45 };
  ms_scatter_tests t;
  CHECK_OK(ms_scatter_tests_create(test_context(), 5, id, force, stiffness, loss, row, &t));
  CHECK_EQUAL(t.n, 5);
  CHECK_EQUAL(t.n_specimen, 2);
  CHECK_NEAR(t.id[0], 3.0, 0.0);
  CHECK_NEAR(t.id[1], 7.0, 0.0);
  for (int i = 0; i < 5; i++) {
    CHECK_EQUAL(t.specimen[i], i > 1);
    CHECK_EQUAL(t.row[i], row[order[i]]);
    CHECK_NEAR(t.force[i], force[order[i]], 0.0);
    CHECK_NEAR(t.stiffness[i], stiffness[order[i]], 0.0);
    CHECK_NEAR(t.loss[i], loss[order[i]], 0.0);
  }
  ms_scatter_tests_destroy(test_context(), &t);
}

/* Forces that an Iwan element with F_S = 41.3 does not reach are dropped. */
static void test_dropped(void) {
  const ms_scatter_parameter K_T = {
    "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1e5, 1e8
  };
  const double force[FORCES] = { 11.0, 37.0, 55.0 };
  const ms_distribution d = lognormal();
  ms_joint *j = test_joint("iwan4", "F_S", 41.3, "K_T", 2.385e6, "chi", -0.37, "beta", 1.7, NULL);
  ms_scatter *s = NULL;
  ms_scatter_tests t;
  double p[SPECIMENS], drawn[SPECIMENS];
  CHECK_OK(ms_scatter_create_copy(test_context(), j, 0.0, 1, &K_T, &s));
  plan(test_context(), SPECIMENS, force, &t);
  CHECK_OK(ms_scatter_tests_simulate(s, &d, noise, 5, p, &t));
  ms_scatter_draw(1, &d, SPECIMENS, 5, drawn);
  CHECK_EQUAL(t.n, 2 * SPECIMENS);
  for (int i = 0; i < 2 * SPECIMENS; i++) {
    CHECK_NEAR(t.force[i], force[i % 2], 0.0);
    CHECK_EQUAL(t.specimen[i], i / 2);
    CHECK(t.stiffness[i] > 0.0 && t.loss[i] > 0.0);
  }
  for (int k = 0; k < SPECIMENS; k++) CHECK_NEAR(p[k], drawn[k], 0.0);
  ms_scatter_tests_destroy(test_context(), &t);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* The whole way is these steps one after the other. */
static void test_made(void) {
  const double force[FORCES] = { 11.0, 37.0, 55.0 };
  const char *const param[1] = { "K_T" };
  const ms_distribution d = lognormal();
  const ms_scatter_plan made = { 1, param, &d, SPECIMENS, FORCES, force, { 2.1e-3, 3.7e-3 }, 5 };
  const ms_scatter_parameter K_T = {
    "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1e5, 1e8
  };
  ms_joint *j = test_joint("iwan4", "F_S", 41.3, "K_T", 2.385e6, "chi", -0.37, "beta", 1.7, NULL);
  ms_scatter *s = NULL;
  ms_scatter_tests t, whole;
  double p[SPECIMENS], drawn[SPECIMENS];
  CHECK_OK(ms_scatter_create_copy(test_context(), j, 0.0, 1, &K_T, &s));
  plan(test_context(), SPECIMENS, force, &t);
  CHECK_OK(ms_scatter_tests_simulate(s, &d, noise, 5, drawn, &t));
  CHECK_OK(ms_scatter_tests_make(test_context(), j, &made, p, &whole));
  CHECK_EQUAL(whole.n, t.n);
  CHECK_EQUAL(whole.n_specimen, SPECIMENS);
  for (ptrdiff_t i = 0; i < t.n; i++) {
    CHECK_EQUAL(whole.specimen[i], t.specimen[i]);
    CHECK_NEAR(whole.force[i], t.force[i], 0.0);
    CHECK_NEAR(whole.stiffness[i], t.stiffness[i], 0.0);
    CHECK_NEAR(whole.loss[i], t.loss[i], 0.0);
  }
  for (int k = 0; k < SPECIMENS; k++) CHECK_NEAR(p[k], drawn[k], 0.0);
  ms_scatter_tests_destroy(test_context(), &whole);
  ms_scatter_tests_destroy(test_context(), &t);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* Bands of springs are the same at every force; about 90 % of new tests lie in them. */
static void test_bands(void) {
  const double force[FORCES] = { 11.0, 37.0, 55.0 };
  const ms_distribution d = lognormal();
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter *s = spring(test_context());
  ms_scatter_tests used, fresh;
  ms_scatter_run_result r;
  double p[FRESH];
  setting.draws = 100, setting.starts = 1;
  plan(test_context(), SPECIMENS, force, &used);
  plan(test_context(), FRESH, force, &fresh);
  CHECK_OK(ms_scatter_tests_simulate(s, &d, noise, 5, p, &used));
  CHECK_OK(ms_scatter_tests_simulate(s, &d, noise, 71, p, &fresh));
  CHECK_OK(ms_scatter_run(s, &used, &fresh, &setting, 400, &r));
  CHECK_EQUAL(r.n_force, 24);
  CHECK_NEAR(r.force[0], force[0], 0.0);
  CHECK_NEAR(r.force[23], force[2], 0.0);
  for (int i = 0; i < 24; i++) {
    const double *band = r.joints.stiffness + MS_SCATTER_LEVELS * i;
    CHECK(band[0] < band[1] && band[1] < band[2]);
    for (int l = 0; l < MS_SCATTER_LEVELS; l++) {
      CHECK_NEAR(band[l], r.joints.stiffness[l], 1e-9 * band[l]);
    }
  }
  for (int k = 0; k < 2; k++) { /* of binomial 180 * 0.9, three rows of a specimen alike */
    CHECK(r.inside[k] >= 27 && r.inside[k] <= FORCES * SPECIMENS);
    CHECK(r.fresh_inside[k] >= 126 && r.fresh_inside[k] <= FORCES * FRESH);
  }
  ms_scatter_run_destroy(test_context(), &r);
  ms_scatter_tests_destroy(test_context(), &fresh);
  ms_scatter_tests_destroy(test_context(), &used);
  ms_scatter_destroy(&s);
}

/* ---- repetitions ---- */

static ms_status repeat_on(ms_context *ctx, ms_scatter *s, double *out) {
  const double id[4] = { 1, 2, 3, 4 }, force[4] = { 11.0, 11.0, 11.0, 11.0 };
  const ms_distribution d = lognormal();
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_tests t = { 0 };
  setting.draws = 16, setting.starts = 1;
  memcpy(setting.noise, noise, sizeof noise);
  ms_status status = ms_scatter_tests_create(ctx, 4, id, force, NULL, NULL, NULL, &t);
  if (!status) status = ms_scatter_repeat(s, &t, &d, noise, &setting, 3, out);
  ms_scatter_tests_destroy(ctx, &t);
  return status;
}

static void test_repeated(void) {
  double out[MS_SCATTER_REPEAT_WIDTH(1)] = { 0.0 }, mean = 2.0, deviation = 0.31;
  ms_scatter *s = spring(test_context());
  CHECK_OK(repeat_on(test_context(), s, out));
  CHECK_NEAR(out[0], 1.0, 0.0);
  CHECK(out[3] < out[1] && out[1] < out[4] && out[5] < out[2] && out[2] < out[6]);
  ms_scatter_destroy(&s);
  /* Of four one has no answer, and one interval of the mean and none of the deviation lacks it. */
  const double four[4][7] = { { 1, 1.9, 0.3, 1.5, 2.1, 0.1, 0.5 },
                              { 0, 0, 0, 0, 0, 0, 0 },
                              { 1, 2.3, 0.4, 2.1, 2.9, 0.2, 0.6 },
                              { 1, 2.1, 0.2, 1.7, 2.4, 0.1, 0.4 } };
  const ms_scatter_result truth = { .n = 1, .mean = &mean, .deviation = &deviation };
  ms_scatter_repeated r = ms_scatter_judge_repeated(&truth, 4, four[0], 0, 0);
  CHECK_EQUAL(r.done, 3);
  CHECK_EQUAL(r.covered, 2);
  CHECK_NEAR(r.mean, 2.1, 1e-14);
  CHECK_NEAR(r.scatter, 0.2, 1e-14);
  r = ms_scatter_judge_repeated(&truth, 4, four[0], 0, 1);
  CHECK_EQUAL(r.covered, 3);
  CHECK_NEAR(r.mean, 0.3, 1e-14);
  CHECK_NEAR(r.scatter, 0.1, 1e-14);
}

/* Binomial with 0.95, from tables: of 40, P(X < 35) = 0.0139 and P(X < 36) = 0.0480; of 200,
   P(X < 184) = 0.0238, P(X < 185) = 0.0444 and P(X > 195) = 0.0264, P(X > 196) = 0.0090. */
static void test_expected_cover(void) {
  ptrdiff_t low, high;
  ms_scatter_expect_covered(40, &low, &high);
  CHECK_EQUAL(low, 35);
  CHECK_EQUAL(high, 40);
  ms_scatter_expect_covered(200, &low, &high);
  CHECK_EQUAL(low, 184);
  CHECK_EQUAL(high, 196);
  ms_scatter_expect_covered(0, &low, &high);
  CHECK_EQUAL(low, 0);
  CHECK_EQUAL(high, 0);
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  const double id[4] = { 1, 2, 3, 4 }, force[4] = { 11.0, 11.0, 11.0, 11.0 };
  const ms_distribution d = lognormal();
  const ms_scatter_tests none = { 0 };
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_tests t = { 0 };
  ms_scatter_run_result r = { .n_force = 0 };
  ms_scatter *s = NULL;
  double p[4], out[7];
  setting.draws = 16, setting.starts = 1;
  memcpy(setting.noise, noise, sizeof noise);
  ms_status status = ms_scatter_create_copy(ctx, user, 7.3, 1, &random_K, &s);
  if (!status) status = ms_scatter_tests_create(ctx, 4, id, force, NULL, NULL, NULL, &t);
  if (!status) status = ms_scatter_tests_simulate(s, &d, noise, 5, p, &t);
  if (!status) status = ms_scatter_run(s, &t, &none, &setting, 16, &r);
  if (!status) status = ms_scatter_repeat(s, &t, &d, noise, &setting, 0, out);
  ms_scatter_run_destroy(ctx, &r);
  ms_scatter_tests_destroy(ctx, &t);
  ms_scatter_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  ms_joint *j = test_joint("linear", "K", 2.385e6, "C", 17.0, NULL);
  CHECK(test_allocations(work, j) > 20);
  ms_joint_destroy(&j);
}

static void test_means(void) {
  double force[] = { 1.5, 3.0, 1.5, 1.5 }, k[] = { 7.0, 9.0, 8.0, 12.0 }, D[] = { 1, 2, 3, 5 };
  const ms_scatter_tests t = { .n = 4, .force = force, .stiffness = k, .loss = D };
  double mean, deviation;
  CHECK_EQUAL(ms_scatter_tests_find_mean(&t, 1.5, 0, &mean, &deviation), 3);
  CHECK_CLOSE(mean, 9.0, 1e-15);
  CHECK_CLOSE(deviation, sqrt((4.0 + 1.0 + 9.0) / 2.0), 1e-15);
  CHECK_EQUAL(ms_scatter_tests_find_mean(&t, 3.0, 1, &mean, &deviation), 1);
  CHECK(mean == 2.0 && deviation == 0.0);
  CHECK_EQUAL(ms_scatter_tests_find_mean(&t, 2.0, 1, &mean, &deviation), 0);
}

int main(void) {
  TEST(test_means);
  TEST(test_sorted);
  TEST(test_dropped);
  TEST(test_made);
  TEST(test_bands);
  TEST(test_repeated);
  TEST(test_expected_cover);
  TEST(test_failing_memory);
  return test_finish();
}
