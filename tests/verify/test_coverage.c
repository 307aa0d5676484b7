/* Intervals and bands hold what they say, counted over repetitions with new noise: three modes of a
   chain whose two joints share one value of each parameter, 2 % of noise on damping and 2 % of the
   shift on frequency. Bounds are binomial: a right program fails each of them once in thousands. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/repeat.h"
#include "support/structures.h"

enum { FREE = 4, MODES = 3, POINTS = 9 };
#define NOISE 0.02

static const char *const name[FREE] = { "F_S", "K_T", "chi", "beta" };
static const ms_parameter_place place[2 * FREE] = { { 0, 0, "F_S" },  { 1, 0, "F_S" },
                                                    { 0, 0, "K_T" },  { 1, 0, "K_T" },
                                                    { 0, 0, "chi" },  { 1, 0, "chi" },
                                                    { 0, 0, "beta" }, { 1, 0, "beta" } };
static const ms_free_parameter parameter[FREE] = { { "F_S", 2, &place[0] },
                                                   { "K_T", 2, &place[2] },
                                                   { "chi", 2, &place[4] },
                                                   { "beta", 2, &place[6] } };
static const ms_fit_parameter bound[FREE] = { { "F_S", 0.21, 31.0, 1, 0.0 },
                                              { "K_T", 6.1, 740.0, 1, 0.0 },
                                              { "chi", -0.93, -0.04, 0, 0.0 },
                                              { "beta", 0.11, 27.0, 1, 0.0 } };
static const double truth[FREE] = { 2.385, 71.0, -0.43, 1.37 };

static ms_joint *make_joint(int k) {
  (void)k;
  return test_joint("iwan4", "F_S", truth[0], "K_T", truth[1], "chi", truth[2], "beta", truth[3],
                    NULL);
}

static repeat open_case(double noise) {
  static const ptrdiff_t mode[MODES] = { 0, 1, 3 };
  static const double low[MODES] = { 1.1e-3, 0.9e-3, 0.7e-3 }, high[MODES] = { 0.61, 0.37, 0.43 };
  const repeat_case which = { .structure = test_frame(make_joint, 2),
                              .n = FREE,
                              .parameter = parameter,
                              .bound = bound,
                              .n_mode = MODES,
                              .n_point = POINTS,
                              .mode = mode,
                              .low = low,
                              .high = high,
                              .noise = noise,
                              .n_walker = 16,
                              .burn = 100,
                              .n_step = 500 };
  repeat r;
  CHECK_OK(repeat_open(test_context(), &which, &r));
  return r;
}

static void close_case(repeat *r) {
  ms_structure *s = r->is.structure;
  repeat_close(r);
  ms_structure_destroy(&s);
}

/* The largest count k with P(X <= k) below `chance`, X of n trials with probability p: fewer than
   that do not happen. */
static int binomial_low(int n, double p, double chance) {
  double term = pow(1.0 - p, n), sum = term;
  int k = 0;
  for (; sum < chance && k < n; k++) {
    term *= (double)(n - k) / (k + 1) * p / (1.0 - p);
    sum += term;
  }
  return k - 1;
}

static void test_without_noise(void) {
  repeat r = open_case(0.0);
  CHECK_OK(repeat_make(&r, 1));
  CHECK_OK(repeat_fit(&r, NOISE));
  for (int j = 0; j < FREE; j++) {
    CHECK_CLOSE(r.truth[j], truth[j], 1e-12);
    CHECK_CLOSE(r.p[j], truth[j], 1e-6);
    CHECK_BELOW(r.error[j] / fabs(truth[j]), 0.2); /* there is something to be known */
  }
  close_case(&r);
}

/* 95 % intervals of least squares: p -+ 1.96 standard errors, with the noise known and with what
   the fit leaves. */
static void test_intervals_of_least_squares(void) {
  enum { TIMES = 100 };
  repeat r = open_case(NOISE);
  int held[2][FREE] = { { 0 } };
  double square[FREE] = { 0 };
  for (unsigned k = 0; k < TIMES; k++) {
    double res[2 * MODES * POINTS], sum = 0.0;
    CHECK_OK(repeat_make(&r, 100 + k));
    CHECK_OK(repeat_fit(&r, NOISE));
    CHECK_OK(ms_calibration_eval(r.on, r.p, res, NULL));
    for (int i = 0; i < 2 * MODES * POINTS; i++) sum += res[i] * res[i];
    const double left = sqrt(sum / (2 * MODES * POINTS - FREE)) / NOISE;
    for (int j = 0; j < FREE; j++) {
      const double z = (r.p[j] - truth[j]) / r.error[j];
      held[0][j] += fabs(z) < 1.96;
      held[1][j] += fabs(z) < 1.96 * left;
      square[j] += z * z / TIMES;
    }
  }
  const int low = binomial_low(TIMES, 0.95, 2e-3);
  for (int j = 0; j < FREE; j++) {
    printf(
        "# %s: %d and %d of %d intervals hold it (noise known, estimated); mean square of error "
        "/ standard error %.3f\n",
        name[j], held[0][j], held[1][j], TIMES, square[j]);
    CHECK_BELOW(low, held[0][j]);
    CHECK_BELOW(low, held[1][j]);
    CHECK_NEAR(square[j], 1.0, 4.0 * sqrt(2.0 / TIMES));
  }
  close_case(&r);
}

/* ---- samples ---- */

enum { TIMES = 24, DRAWS = 200, VALUES = 2 * MODES * POINTS };

/* Whether each value lies between the 5 % and the 95 % quantile of the draws. */
static void count_inside(ms_context *ctx, const double *draw, const double *value, int *held) {
  static const double part[2] = { 0.05, 0.95 };
  for (int i = 0; i < VALUES; i++) {
    double at[2];
    CHECK_OK(ms_chain_quantiles(ctx, DRAWS, draw + i, VALUES, 2, part, at));
    held[i] += value[i] > at[0] && value[i] < at[1];
  }
}

/* A measurement of what `curve` is: omega and zeta of each mode behind each other. */
static void measure(const repeat *r, const double *curve, ms_random *random, double *out) {
  for (int i = 0; i < VALUES; i++) {
    const double *omega = r->curve + (ptrdiff_t)(i / (2 * POINTS)) * 2 * POINTS;
    const double z = NOISE * ms_random_normal(random);
    const int is_zeta = i / POINTS % 2;
    out[i] = is_zeta ? curve[i] * (1.0 + z) : curve[i] + z * (omega[0] - omega[POINTS - 1]);
  }
}

typedef struct counts {
  int interval[FREE], band[VALUES], predicted[VALUES];
} counts;

/* One repetition: intervals, the band of the curve, and that of a new measurement. */
static void repeat_once(repeat *r, unsigned seed, counts *c) {
  static double draw[VALUES * DRAWS], noisy[VALUES * DRAWS];
  const ptrdiff_t n_sample = r->is.n_walker * r->is.n_step;
  double fresh[VALUES];
  ms_random random;
  ms_random_start(&random, seed, 77);
  CHECK_OK(repeat_make(r, seed));
  CHECK_OK(repeat_fit(r, NOISE));
  CHECK_OK(repeat_sample(r, NOISE, seed));
  for (int j = 0; j < FREE; j++) {
    c->interval[j] += truth[j] > r->interval[j][0] && truth[j] < r->interval[j][1];
  }
  for (ptrdiff_t k = 0; k < DRAWS; k++) {
    const ptrdiff_t sample = (2 * k + 1) * n_sample / (2 * DRAWS);
    CHECK_OK(repeat_curves(r, r->sample + FREE * sample, draw + VALUES * k));
    measure(r, draw + VALUES * k, &random, noisy + VALUES * k);
  }
  measure(r, r->curve, &random, fresh);
  count_inside(r->ctx, draw, r->curve, c->band);
  count_inside(r->ctx, noisy, fresh, c->predicted);
}

static double mean_of(const int *held) {
  double sum = 0.0;
  for (int i = 0; i < VALUES; i++) sum += held[i];
  return sum / VALUES / TIMES;
}

static void test_samples(void) {
  repeat r = open_case(NOISE);
  counts c = { .band = { 0 } };
  int least = TIMES;
  for (unsigned k = 0; k < TIMES; k++) repeat_once(&r, 100 + k, &c);
  for (int j = 0; j < FREE; j++) {
    printf("# %s: %d of %d intervals of 95 %% hold it\n", name[j], c.interval[j], TIMES);
    CHECK_BELOW(binomial_low(TIMES, 0.95, 1e-3), c.interval[j]);
  }
  /* at every point, and over all: points of one repetition go together, as many as there are
     parameters are independent */
  for (int i = 0; i < VALUES; i++) {
    CHECK_BELOW(binomial_low(TIMES, 0.9, 1e-5), c.band[i]);
    least = c.band[i] < least ? c.band[i] : least;
  }
  printf(
      "# bands of 90 %% hold %.3f of the true curves, the worst point %d of %d times; %.3f of new "
      "measurements\n",
      mean_of(c.band), least, TIMES, mean_of(c.predicted));
  CHECK_NEAR(mean_of(c.band), 0.9, 4.0 * sqrt(0.09 / (TIMES * FREE)));
  CHECK_NEAR(mean_of(c.predicted), 0.9, 4.0 * sqrt(0.09 / (TIMES * VALUES)) + 0.01);
  close_case(&r);
}

int main(void) {
  TEST(test_without_noise);
  TEST(test_intervals_of_least_squares);
  TEST(test_samples);
  return test_finish();
}
