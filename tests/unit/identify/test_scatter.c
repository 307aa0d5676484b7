/* Random joints: a test by the closed forms of Iwan elements; identification where the maximum of
   the likelihood is known: without noise it is that of the specimens' own values, and of a
   lognormal stiffness measured with noise it has a closed form. */
#include <math.h>
#include <microslip/scatter.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { MOST_ROWS = 400, MOST_SPECIMENS = 60 };

static ms_joint *make_joint(ms_context *ctx, const char *law, double theta) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(ctx, law, &j));
  CHECK_OK(ms_joint_set(j, "F_S", 41.3));
  CHECK_OK(ms_joint_set(j, "K_T", 2.385e6));
  CHECK_OK(ms_joint_set(j, "chi", -0.37));
  CHECK_OK(ms_joint_set(j, "beta", 1.7));
  if (theta > 0.0) CHECK_OK(ms_joint_set(j, "theta", theta));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

static const ms_scatter_parameter stiffness_only = {
  "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1e5, 1e8
};

/* ---- a test of one joint ---- */

typedef struct iwan {
  double R, K_T, chi, phi_max, theta;
} iwan;

static iwan iwan_of(double F_S, double K_T, double chi, double beta, double theta) {
  double phi = F_S * (1.0 + beta) / (K_T * (beta + (chi + 1.0) / (chi + 2.0)));
  double R = K_T * (chi + 1.0) / (pow(phi, chi + 1.0) * (1.0 + beta));
  return (iwan) { R, K_T, chi, phi, theta };
}

/* docs/laws/iwan5.md, below phi_max. */
static double force_of(iwan w, double u) {
  double c = w.chi;
  return w.K_T * u - w.R * (c + 2.0 - w.theta * (c + 1.0)) * pow(u, c + 2.0) / ((c + 1) * (c + 2));
}

static double loss_of(iwan w, double u) {
  double c = w.chi, t = w.theta;
  return w.R * (2.0 * t * (c + 4.0) + (1.0 - 3.0 * t * t) * (c + 2.0)) * pow(u, c + 3.0) /
         ((c + 2.0) * (c + 3.0));
}

static void check_test(const char *law, double theta) {
  ms_joint *j = make_joint(test_context(), law, strcmp(law, "iwan5") ? 0.0 : theta);
  ms_scatter *s = NULL;
  const double K_T = 3.171e6;
  const iwan w = iwan_of(41.3, K_T, -0.37, 1.7, theta);
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 1, &stiffness_only, &s));
  /* the last is on the peak before macroslip, which a friction drop ends */
  for (double part = 1e-3; part < 1.0; part = part < 0.5 ? 2.9 * part : part + 0.402) {
    double u = part * w.phi_max, force = force_of(w, u), k, D;
    CHECK_OK(ms_scatter_eval(s, &K_T, 1, &force, &k, &D));
    CHECK_CLOSE(k, force / u, 1e-11);
    CHECK_CLOSE(D, loss_of(w, u), 1e-10);
  }
  double force = 1.02 * 41.3, k, D;
  CHECK_STATUS(ms_scatter_eval(s, &K_T, 1, &force, &k, &D), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "42.126");
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

static void test_closed_forms(void) {
  check_test("iwan4", 1.0);
  check_test("iwan5", 0.83);
}

/* Stepped: the loop of a law without closed forms. */
static void test_stepped(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "bouc_wen", &j));
  CHECK_OK(ms_joint_set_typical(j));
  CHECK_OK(ms_joint_setup(j));
  const ms_param *q = &ms_joint_info(j)->param[0];
  const ms_scatter_parameter one = { q->name, q->name,  MS_SCATTER_BOTH,  MS_FAMILY_GAMMA,
                                     0.0,     HUGE_VAL, 0.1 * q->typical, 10.0 * q->typical };
  double p = 1.13 * q->typical, force, k, D, loop[257];
  const double amplitude[2] = { 0.61 * ms_joint_slip_scale(j), 9.7 * ms_joint_slip_scale(j) };
  ms_scatter *s = NULL;
  ms_joint_cycle cycle;
  CHECK_OK(ms_scatter_create(j, NULL, 7.3, 1, &one, &s));
  for (int i = 0; i < 2; i++) { /* the force still grows where all slips */
    CHECK_OK(ms_joint_set(j, q->name, p));
    CHECK_OK(ms_joint_setup(j));
    CHECK_OK(ms_joint_run_cycle(j, amplitude[i], 7.3, 256, NULL, loop, &cycle));
    force = 0.5 * (loop[0] - loop[128]); /* from turning point to turning point */
    CHECK_OK(ms_scatter_eval(s, &p, 1, &force, &k, &D));
    CHECK_CLOSE(k, force / amplitude[i], 1e-10);
    CHECK_CLOSE(D, cycle.D, 1e-9);
    CHECK(D > 0.0);
  }
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* chi of the loss another than that of the stiffness. */
static void test_separate(void) {
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_joint *l = make_joint(test_context(), "iwan4", 0.0);
  const ms_scatter_parameter two[2] = {
    { "chi", "chi", MS_SCATTER_STIFFNESS, MS_FAMILY_GAMMA, -1.0, HUGE_VAL, -0.9, 0.9 },
    { "chi of the loss", "chi", MS_SCATTER_LOSS, MS_FAMILY_GAMMA, -1.0, HUGE_VAL, -0.9, 0.9 }
  };
  const double p[2] = { -0.21, -0.58 };
  const iwan stiff = iwan_of(41.3, 2.385e6, p[0], 1.7, 1.0);
  const iwan lossy = iwan_of(41.3, 2.385e6, p[1], 1.7, 1.0);
  double u = 0.37 * stiff.phi_max, force = force_of(stiff, u), k, D;
  ms_scatter *s = NULL;
  CHECK_OK(ms_scatter_create(j, l, 0.0, 2, two, &s));
  CHECK_OK(ms_scatter_eval(s, p, 1, &force, &k, &D));
  CHECK_CLOSE(k, force / u, 1e-11);
  CHECK_CLOSE(D, loss_of(lossy, u), 1e-10);
  ms_scatter_destroy(&s);
  CHECK_STATUS(ms_scatter_create(j, NULL, 0.0, 2, two, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "chi of the loss needs a joint");
  ms_joint_destroy(&j);
  ms_joint_destroy(&l);
}

/* ---- tests of many ---- */

typedef struct tests {
  ptrdiff_t specimen[MOST_ROWS];
  double force[MOST_ROWS], stiffness[MOST_ROWS], loss[MOST_ROWS];
  ms_scatter_data is;
} tests;

static void plan_tests(tests *t, ptrdiff_t n_specimen, ptrdiff_t rows, double low, double high) {
  t->is = (ms_scatter_data) { .n = n_specimen * rows,
                              .n_specimen = n_specimen,
                              .specimen = t->specimen,
                              .force = t->force,
                              .stiffness = t->stiffness,
                              .loss = t->loss };
  for (ptrdiff_t i = 0; i < t->is.n; i++) {
    t->specimen[i] = i / rows;
    t->force[i] = low * pow(high / low, (double)(i % rows) / (double)(rows - 1));
  }
}

/* K_T, F_S and chi of iwan4 between bounds of each family's kind. */
static const ms_scatter_parameter three[3] = {
  { "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1e5, 1e8 },
  { "F_S", "F_S", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 16.0, 400.0 },
  { "chi", "chi", MS_SCATTER_BOTH, MS_FAMILY_BETA, -1.0, 0.4, -0.95, 0.35 },
};

static void set_truth(ms_distribution d[3]) {
  ms_context *ctx = test_context();
  CHECK_OK(ms_distribution_from_moments(ctx, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 2.4e6, 3.1e5, d));
  CHECK_OK(ms_distribution_from_moments(ctx, MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 43.0, 5.3, d + 1));
  CHECK_OK(ms_distribution_from_moments(ctx, MS_FAMILY_BETA, -1.0, 0.4, -0.41, 0.093, d + 2));
}

/* Tests without noise to speak of: the likeliest members are those of the specimens' own values,
   and standard errors those of as many values. */
static void test_exact_tests(void) {
  enum { N = 17 };
  static tests t;
  const double none[2] = { 0.0, 0.0 };
  ms_distribution truth[3], want;
  double p[3 * N], x[N];
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  setting.noise[0] = setting.noise[1] = 1e-5, setting.draws = 40, setting.starts = 3;
  set_truth(truth);
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 3, three, &s));
  plan_tests(&t, N, 4, 2.3, 19.0);
  ms_scatter_draw(3, truth, N, 5, p);
  CHECK_OK(ms_scatter_simulate(s, &t.is, p, none, 5, t.stiffness, t.loss));
  CHECK_OK(ms_scatter_identify(s, &t.is, &setting, &r));
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < N; k++) {
      x[k] = p[i + 3 * k];
      CHECK_CLOSE(r.p[i + 3 * k], x[k], 1e-6);
    }
    CHECK_OK(ms_distribution_fit(test_context(), three[i].family, three[i].lower, three[i].upper, N,
                                 x, NULL, &want));
    CHECK_CLOSE(r.mean[i], ms_distribution_mean(&want), 1e-5);
    CHECK_CLOSE(r.deviation[i], ms_distribution_deviation(&want), 1e-4);
    CHECK_CLOSE(r.mean_error[i] / r.deviation[i], 1.0 / sqrt(N), 0.02);
  }
  /* ln K_T is normal: variance of its deviation b is b^2/2N, of its mean b^2/N */
  double b = r.distribution[0].b, v = exp(b * b), q = b * v / (v - 1.0);
  CHECK_CLOSE(r.deviation_error[0] / r.deviation[0],
              sqrt(b * b / N * (1.0 + 0.5 * (b + q) * (b + q))), 1e-3);
  CHECK_BELOW(r.residual, 1e-6);
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* At small forces k = K_T, whose logarithm is normal (a, b), and noise of m rows adds sigma^2/m to
   its variance: a is the mean of all ln k, b^2 the variance of the specimens' less sigma^2/m. */
static void test_noisy_stiffness(void) {
  enum { N = 20, ROWS = 3 };
  static tests t;
  const double noise[2] = { 0.13, 50.0 }, a = log(2.2e6), b = 0.171;
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  ms_random random;
  double sum = 0.0, square = 0.0;
  setting.noise[0] = noise[0], setting.noise[1] = noise[1], setting.draws = 300;
  plan_tests(&t, N, ROWS, 1e-9, 3e-9);
  ms_random_start(&random, 12, 0);
  for (int k = 0; k < N; k++) {
    double mean = 0.0, own = a + b * ms_random_normal(&random);
    for (int i = ROWS * k; i < ROWS * (k + 1); i++) {
      double y = own + noise[0] * ms_random_normal(&random);
      t.stiffness[i] = exp(y), t.loss[i] = 1e-20;
      mean += y / ROWS;
    }
    sum += mean / N, square += mean * mean / N;
  }
  const double total = square - sum * sum, want = sqrt(total - noise[0] * noise[0] / ROWS);
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 1, &stiffness_only, &s));
  CHECK_OK(ms_scatter_identify(s, &t.is, &setting, &r));
  /* of each specimen's ln K_T the draws know the mean up to own/sqrt(draws) */
  const double own = 1.0 / sqrt(1.0 / (want * want) + ROWS / (noise[0] * noise[0]));
  CHECK_NEAR(r.distribution[0].a, sum, 3.0 * own / sqrt((double)N * (double)setting.draws));
  CHECK_CLOSE(r.distribution[0].b, want, 0.01);
  /* Fisher: var a = total/N, var b^2 = 2 total^2/N; the mean of K_T is exp(a + b^2/2) */
  CHECK_CLOSE(r.mean_error[0] / r.mean[0], sqrt(total / N + 0.5 * total * total / N), 0.02);
  CHECK_BELOW(r.residual, 1e-6);
  CHECK(r.effective > 150.0);
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* Noise far above the scatter: that is said, and the limit is of the right size. */
static void test_unseen(void) {
  enum { N = 12, ROWS = 4 };
  static tests t;
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  ms_random random;
  setting.noise[0] = 0.1, setting.noise[1] = 50.0;
  plan_tests(&t, N, ROWS, 1e-9, 3e-9);
  ms_random_start(&random, 3, 1);
  for (int k = 0; k < N; k++) { /* means of all specimens agree */
    double way = ms_random_normal(&random);
    for (int i = 0; i < ROWS; i++) {
      t.stiffness[ROWS * k + i] = 2.2e6 * exp(0.1 * way * (i % 2 ? 1.0 : -1.0));
      t.loss[ROWS * k + i] = 1e-20;
    }
  }
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 1, &stiffness_only, &s));
  CHECK_OK(ms_scatter_identify(s, &t.is, &setting, &r));
  CHECK_EQUAL(r.seen[0], 0);
  CHECK_HAS(r.remarks, "K_T: its scatter cannot be distinguished from the noise");
  CHECK_NEAR(r.deviation_interval[0], 0.0, 0.0);
  CHECK_CLOSE(r.deviation_interval[1], 2.2e6 * 0.05 * sqrt(1.645 * sqrt(2.0 / N)), 0.02);
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* The bounds of a uniform distribution are given: nothing is sought, whatever the tests show. */
static void test_uniform(void) {
  enum { N = 6, ROWS = 3 };
  static tests t;
  const ms_scatter_parameter uniform = { "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_UNIFORM,
                                         1e6,   4e6,   1.1e6,           3.9e6 };
  const double noises[2] = { 0.004, 3.0 }; /* scatter that is seen, and scatter that is not */
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  plan_tests(&t, N, ROWS, 1e-9, 3e-9);
  for (int i = 0; i < N * ROWS; i++)
    t.stiffness[i] = 2.2e6 * (1.0 + 0.031 * (i / ROWS)), t.loss[i] = 1e-20;
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 1, &uniform, &s));
  for (int k = 0; k < 2; k++) {
    setting.noise[0] = noises[k], setting.noise[1] = 50.0;
    CHECK_OK(ms_scatter_identify(s, &t.is, &setting, &r));
    CHECK_CLOSE(r.mean[0], 2.5e6, 1e-14);
    CHECK_CLOSE(r.deviation[0], 3e6 / sqrt(12.0), 1e-14);
    CHECK_NEAR(r.mean_error[0], 0.0, 0.0);
    CHECK_NEAR(r.deviation_error[0], 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
      CHECK_CLOSE(r.mean_interval[i], 2.5e6, 1e-14);
      CHECK_CLOSE(r.deviation_interval[i], 3e6 / sqrt(12.0), 1e-14);
    }
    CHECK_NEAR(r.residual, 0.0, 0.0);
    ms_scatter_result_destroy(test_context(), &r);
  }
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* Tests of n_specimen joints of the truth, noise of 1 % and 4 %, identified without knowing it.
   Where they go together, F_S follows from K_T. */
static const double found_noise[2] = { 0.01, 0.04 };

static void identify_three(ptrdiff_t n_specimen, ptrdiff_t rows, int together, uint64_t seed,
                           ms_scatter_result *r) {
  static tests t;
  double p[3 * MOST_SPECIMENS];
  ms_distribution truth[3];
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  setting.draws = 40, setting.starts = 2;
  set_truth(truth);
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 3, three, &s));
  plan_tests(&t, n_specimen, rows, 2.3, 19.0);
  ms_scatter_draw(3, truth, n_specimen, seed, p);
  for (int k = 0; k < n_specimen && together; k++) {
    double u = ms_distribution_cdf(&truth[0], p[3 * k]);
    p[1 + 3 * k] = ms_distribution_quantile(&truth[1], u);
  }
  CHECK_OK(ms_scatter_simulate(s, &t.is, p, found_noise, seed, t.stiffness, t.loss));
  CHECK_OK(ms_scatter_identify(s, &t.is, &setting, r));
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* Parameters that hang together are noticed, others are not. */
static void check_dependence(int together) {
  enum { N = 24, ROWS = 6 };
  ms_distribution truth[3];
  ms_scatter_result r;
  set_truth(truth);
  identify_three(N, ROWS, together, 8, &r);
  for (int i = 0; i < 2; i++) {
    CHECK_CLOSE(r.noise[i], found_noise[i], 4.0 / sqrt(2.0 * N * (ROWS - 1.5)));
  }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(r.mean[i], ms_distribution_mean(&truth[i]), 3.5 * r.mean_error[i]);
    CHECK_NEAR(r.deviation[i], ms_distribution_deviation(&truth[i]), 3.5 * r.deviation_error[i]);
  }
  if (together) {
    CHECK_HAS(r.remarks, "K_T and F_S are not independent");
    CHECK(r.correlation[1] > 0.9);
    CHECK(r.dependence[1] > 3.5);
  } else {
    CHECK_TEXT(r.remarks, "");
    CHECK_BELOW(fabs(r.dependence[1]), 2.81);
  }
  ms_scatter_result_destroy(test_context(), &r);
}

static void test_independent(void) {
  check_dependence(0);
}

static void test_dependent(void) {
  check_dependence(1);
}

/* Of six numbers of each test its parameters use up three: what is left over is the noise only if
   that is known (without, it would come out smaller by sqrt(2)). 60 numbers are left to tell each.
 */
static void test_noise_of_few(void) {
  enum { N = 40, ROWS = 3 };
  ms_scatter_result r;
  identify_three(N, ROWS, 0, 21, &r);
  for (int i = 0; i < 2; i++) {
    CHECK_CLOSE(r.noise[i], found_noise[i], 3.3 / sqrt(2.0 * N * 1.5));
  }
  ms_scatter_result_destroy(test_context(), &r);
}

/* Near enough to the maximum when the steps are used up, or not. */
static void test_steps_used_up(void) {
  static tests t;
  double p[3 * MOST_SPECIMENS];
  ms_distribution truth[3];
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_result r;
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  setting.draws = 40, setting.starts = 2, setting.max_steps = 1;
  set_truth(truth);
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 3, three, &s));
  plan_tests(&t, 8, 6, 2.3, 19.0);
  ms_scatter_draw(3, truth, 8, 5, p);
  CHECK_OK(ms_scatter_simulate(s, &t.is, p, found_noise, 5, t.stiffness, t.loss));
  CHECK_STATUS(ms_scatter_identify(s, &t.is, &setting, &r), MS_NOT_CONVERGED);
  ms_scatter_result_destroy(test_context(), &r);
  setting.tol.enough = 1e3;
  CHECK_OK(ms_scatter_identify(s, &t.is, &setting, &r));
  CHECK(r.residual > 1e-6);
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* Of K_T alone at small forces: quantiles of its distribution, within those of as many samples. */
static void test_bands(void) {
  enum { SAMPLES = 4000 };
  const double force[2] = { 1e-9, 3e-9 }, level[3] = { 0.05, 0.5, 0.95 }, none[2] = { 0.0, 0.0 };
  const ms_distribution d = { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, log(2.2e6), 0.171 };
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_bands bands;
  static double p[SAMPLES];
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 1, &stiffness_only, &s));
  ms_scatter_draw(1, &d, SAMPLES, 4, p);
  CHECK_OK(ms_scatter_make_bands(s, SAMPLES, p, none, 2, force, 3, level, 4, &bands));
  CHECK_EQUAL(bands.reach[1], SAMPLES);
  for (int l = 0; l < 3; l++) {
    double u = ms_distribution_cdf(&d, bands.stiffness[l + 3]);
    CHECK_NEAR(u, level[l], 4.0 * sqrt(level[l] * (1.0 - level[l]) / SAMPLES));
    CHECK(bands.loss[l] > 0.0);
  }
  ms_scatter_bands_destroy(test_context(), &bands);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

/* ---- refusals ---- */

static void expect(const ms_scatter_data *d, ms_status want, const char *words) {
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_result r;
  CHECK_OK(ms_scatter_create(j, NULL, 0.0, 3, three, &s));
  CHECK_STATUS(ms_scatter_identify(s, d, NULL, &r), want);
  CHECK_HAS(ms_context_message(test_context()), words);
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
}

static void test_refusals(void) {
  static tests t;
  plan_tests(&t, 4, 2, 2.3, 19.0);
  for (int i = 0; i < 8; i++) t.stiffness[i] = 2e6, t.loss[i] = 1e-6;
  t.loss[5] = -2e-7;
  expect(&t.is, MS_ERR_BOUNDS, "row 6 has dissipation -2e-07");
  t.loss[5] = 1e-6, t.specimen[3] = 0;
  expect(&t.is, MS_ERR_ARGUMENT, "row 4: the rows of a specimen");
  plan_tests(&t, 3, 2, 2.3, 19.0);
  expect(&t.is, MS_ERR_ARGUMENT, "3 specimens do not show a scatter; it takes 4");
  plan_tests(&t, 8, 1, 2.3, 19.0);
  for (int i = 0; i < 8; i++) t.force[i] = 3.1;
  expect(&t.is, MS_ERR_ARGUMENT, "specimen 1 (row 1) has 1 rows");
  plan_tests(&t, 4, 2, 2.3, 900.0);
  expect(&t.is, MS_NOT_CONVERGED, "up to 900 N");
}

static void test_bad_parameters(void) {
  ms_joint *j = make_joint(test_context(), "iwan4", 0.0);
  ms_scatter *s = NULL;
  ms_scatter_parameter q = three[2];
  q.lower = -1.5;
  CHECK_STATUS(ms_scatter_create(j, NULL, 0.0, 1, &q, &s), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "chi is distributed from -1.5");
  q = three[2], q.most = 0.6;
  CHECK_STATUS(ms_scatter_create(j, NULL, 0.0, 1, &q, &s), MS_ERR_BOUNDS);
  q = three[2], q.param = "phi_max";
  CHECK_STATUS(ms_scatter_create(j, NULL, 0.0, 1, &q, &s), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_scatter_create(NULL, NULL, 0.0, 1, &q, &s), MS_ERR_ARGUMENT);
  ms_joint_destroy(&j);
}

/* ---- memory ---- */

static ms_status all_of_it(ms_scatter *s, ms_context *ctx) {
  static tests t;
  const double noise[2] = { 1e-4, 1e-4 }, level[1] = { 0.5 };
  const double p[4] = { 2.2e6, 2.5e6, 2.1e6, 2.7e6 };
  ms_scatter_setting setting = MS_SCATTER_DEFAULT;
  ms_scatter_result r;
  ms_scatter_bands b = { 0 };
  double joints[16];
  setting.draws = 8, setting.starts = 1;
  memcpy(setting.noise, noise, sizeof noise);
  plan_tests(&t, 4, 1, 2.3, 19.0);
  for (int i = 0; i < 4; i++) t.force[i] = 2.3;
  MS_TRY(ms_scatter_simulate(s, &t.is, p, noise, 5, t.stiffness, t.loss));
  ms_status status = ms_scatter_identify(s, &t.is, &setting, &r);
  if (status == MS_SUCCESS) {
    ms_scatter_predict(s, &r, 16, 1, joints);
    status = ms_scatter_make_bands(s, 16, joints, noise, 1, t.force, 1, level, 1, &b);
  }
  ms_scatter_bands_destroy(ctx, &b);
  ms_scatter_result_destroy(ctx, &r);
  return status;
}

/* A spring and a dashpot: a law that takes no memory for a setup, so that there are few to fail. */
static ms_status with_joint(ms_context *ctx, void *user) {
  const ms_scatter_parameter q = { "K", "K", MS_SCATTER_BOTH, MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL,
                                   1e5, 1e8 };
  ms_joint *j = NULL;
  ms_scatter *s = NULL;
  (void)user;
  ms_status status = ms_joint_create(ctx, "linear", &j);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "K", 2.385e6);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "C", 17.0);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_scatter_create(j, NULL, 7.3, 1, &q, &s);
  if (status == MS_SUCCESS) status = all_of_it(s, ctx);
  ms_scatter_destroy(&s);
  ms_joint_destroy(&j);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(with_joint, NULL) > 20);
}

int main(void) {
  TEST(test_closed_forms);
  TEST(test_stepped);
  TEST(test_separate);
  TEST(test_exact_tests);
  TEST(test_noisy_stiffness);
  TEST(test_unseen);
  TEST(test_uniform);
  TEST(test_independent);
  TEST(test_dependent);
  TEST(test_noise_of_few);
  TEST(test_steps_used_up);
  TEST(test_bands);
  TEST(test_refusals);
  TEST(test_bad_parameters);
  TEST(test_failing_memory);
  return test_finish();
}
