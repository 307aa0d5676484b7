/* Random joints, identified again and again from synthetic tests of known truth, for the four- and
   the five-parameter law: intervals of 95 % cover the true means and deviations, and bands from 5
   to 95 % cover joints that were not tested, each as often as it says within the error of so many
   trials. */
#include <math.h>
#include <microslip/scatter.h>
#include <stdio.h>

#include "support/check.h"

enum { SPECIMENS = 24, ROWS = 10, TOTAL = SPECIMENS * ROWS, NEW = 100, SAMPLES = 800, MOST = 4 };

static const ms_scatter_parameter four[MOST] = {
  { "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 1e5, 1e8 },
  { "F_S", "F_S", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 20.0, 400.0 },
  { "chi", "chi", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, -1.0, HUGE_VAL, -0.95, 0.9 },
  { "theta", "theta", MS_SCATTER_BOTH, MS_FAMILY_BETA, 0.0, 1.0, 0.3, 0.999 },
};
static const double mean[MOST] = { 2.385e6, 43.1, -0.41, 0.71 };
static const double deviation[MOST] = { 2.1e5, 4.7, 0.083, 0.061 };
static const double noise[2] = { 0.005, 0.02 };

typedef struct counts {
  int mean, deviation, of; /* intervals that cover */
  /* of the parts of new joints inside the bands of stiffness and loss: sums, squares */
  double band[2], square[2];
  int times;
} counts;

static void plan(ms_scatter_data *d, ptrdiff_t *specimen, double *force) {
  for (int i = 0; i < TOTAL; i++) {
    specimen[i] = i / ROWS;
    force[i] = 1.7 * pow(22.0 / 1.7, (double)(i % ROWS) / (ROWS - 1));
  }
  *d = (ms_scatter_data) {
    .n = TOTAL, .n_specimen = SPECIMENS, .specimen = specimen, .force = force
  };
}

static int is_inside(double x, const double *interval) {
  return x >= interval[0] && x <= interval[1];
}

/* Joints that were not tested, at one force. */
static void count_new(ms_scatter *s, ptrdiff_t n, const ms_distribution *truth,
                      const ms_scatter_result *r, uint64_t seed, counts *c) {
  const double level[2] = { 0.05, 0.95 }, force = 11.3, none[2] = { 0.0, 0.0 };
  double p[MOST * NEW], sample[MOST * SAMPLES], k, D;
  ms_scatter_bands b;
  ms_scatter_predict(s, r, SAMPLES, seed, sample);
  CHECK_OK(ms_scatter_make_bands(s, SAMPLES, sample, none, 1, &force, 2, level, 7, &b));
  ms_scatter_draw(n, truth, NEW, seed + 100000, p);
  double inside[2] = { 0.0, 0.0 };
  for (int i = 0; i < NEW; i++) {
    CHECK_OK(ms_scatter_eval(s, p + n * i, 1, &force, &k, &D));
    inside[0] += is_inside(k, b.stiffness) / (double)NEW;
    inside[1] += is_inside(D, b.loss) / (double)NEW;
  }
  for (int i = 0; i < 2; i++) c->band[i] += inside[i], c->square[i] += inside[i] * inside[i];
  c->times++;
  ms_scatter_bands_destroy(test_context(), &b);
}

static void repeat(ms_scatter *s, ptrdiff_t n, const ms_distribution *truth, uint64_t seed,
                   counts *c) {
  ptrdiff_t specimen[TOTAL];
  double force[TOTAL], stiffness[TOTAL], loss[TOTAL], p[MOST * SPECIMENS];
  ms_scatter_data d;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  setting.draws = 100, setting.starts = 2;
  plan(&d, specimen, force);
  d.stiffness = stiffness, d.loss = loss;
  ms_scatter_draw(n, truth, SPECIMENS, seed, p);
  CHECK_OK(ms_scatter_simulate(s, &d, p, noise, seed, stiffness, loss));
  CHECK_OK(ms_scatter_identify(s, &d, &setting, &r));
  for (ptrdiff_t i = 0; i < n; i++) {
    c->mean += is_inside(mean[i], r.mean_interval + 2 * i);
    c->deviation += is_inside(deviation[i], r.deviation_interval + 2 * i);
    c->of++;
  }
  count_new(s, n, truth, &r, seed, c);
  ms_scatter_result_destroy(test_context(), &r);
}

static counts cover(const char *law, ptrdiff_t n, int times) {
  ms_joint *j = NULL;
  ms_scatter *s = NULL;
  ms_distribution truth[MOST];
  counts c = { 0 };
  CHECK_OK(ms_joint_create(test_context(), law, &j));
  CHECK_OK(ms_joint_set_typical(j));
  CHECK_OK(ms_joint_set(j, "beta", 1.7));
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, n, four, &s));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_OK(ms_distribution_from_moments(test_context(), four[i].family, four[i].lower,
                                          four[i].upper, mean[i], deviation[i], &truth[i]));
  }
  for (int k = 0; k < times; k++) repeat(s, n, truth, 31 + (uint64_t)k, &c);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
  return c;
}

/* k of n trials of probability 0.95, 3.5 standard deviations allowed. */
static void check_binomial(int k, int n) {
  CHECK_NEAR((double)k / n, 0.95, 3.5 * sqrt(0.95 * 0.05 / n));
}

/* Joints of one repetition share its bands: the error is that of the mean over repetitions. */
static void check_coverage(const char *law, ptrdiff_t n, int times) {
  const counts c = cover(law, n, times);
  check_binomial(c.mean, c.of);
  check_binomial(c.deviation, c.of);
  for (int i = 0; i < 2; i++) {
    const double part = c.band[i] / c.times, square = c.square[i] / c.times - part * part;
    printf("# %s: of %d intervals %d cover means, %d deviations; a band covers %.3f\n", law, c.of,
           c.mean, c.deviation, part);
    CHECK_NEAR(part, 0.90, 3.5 * sqrt(square / (c.times - 1)));
    CHECK_BELOW(sqrt(square), 0.12);
  }
}

static void test_four(void) {
  check_coverage("iwan4", 3, 24);
}

static void test_five(void) {
  check_coverage("iwan5", 4, 14);
}

int main(void) {
  TEST(test_four);
  TEST(test_five);
  return test_finish();
}
