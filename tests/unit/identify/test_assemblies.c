/* Distributions from estimates of each assembly: without errors they are those of a sample, with
   equal errors these are taken off in closed form; intervals of unequal errors cover; what is
   refused. */
#include <math.h>
#include <microslip/scatter.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { N = 10, n = 2 };

static const char *const name[n] = { "K_T of lap", "chi of lap" };
static const ms_family families[n] = { MS_FAMILY_LOGNORMAL, MS_FAMILY_NORMAL };
static const ms_family normal[n] = { MS_FAMILY_NORMAL, MS_FAMILY_NORMAL };
static const double lower[n] = { 0.0, -1.0 }, none[n] = { -HUGE_VAL, -HUGE_VAL };
static const double open_lower[n] = { 0.0, -HUGE_VAL };
static const double upper[n] = { HUGE_VAL, 0.0 }, all[n] = { HUGE_VAL, HUGE_VAL };
static const double x[N] = { 3.1, 2.4, 2.9, 3.7, 3.3, 2.6, 3.0, 3.9, 2.7, 3.4 };
static const double y[N] = { 7.3, 6.6, 7.9, 7.1, 6.4, 7.0, 8.1, 7.7, 6.5, 7.2 };
/* quantiles of chi^2 (2.5 and 97.5 %) and of Student's t (97.5 %) with 9 degrees of freedom, from
   tables */
static const double chi_2[2] = { 2.7003895, 19.0227678 }, t_9 = 2.2621572;

enum { MOST = 12 };
static ms_scatter_estimate all_of[MOST];

static const ms_scatter_estimate *list(const double *p, const double *C) {
  for (int k = 0; k < MOST; k++) {
    all_of[k] = (ms_scatter_estimate) { p + n * k, C + n * n * k, NULL };
  }
  return all_of;
}

typedef struct sums {
  double mean[n], S[n * n];
} sums;

static sums sums_of(const double *p) {
  sums s = { { 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 } };
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < n; i++) s.mean[i] += p[i + n * k] / N;
  }
  for (int q = 0; q < n * n * N; q++) {
    const int k = q / (n * n), i = q % n, j = q / n % n;
    s.S[i + n * j] += (p[i + n * k] - s.mean[i]) * (p[j + n * k] - s.mean[j]) / (N - 1);
  }
  return s;
}

static void fill(double *p, double *C, const double c[n * n]) {
  for (int k = 0; k < N; k++) {
    p[n * k] = x[k], p[1 + n * k] = y[k];
    memcpy(C + n * n * k, c, n * n * sizeof *C);
  }
}

static ms_scatter_estimates plain(const double *p, const double *C) {
  return (ms_scatter_estimates) { n, N, name, normal, none, all, list(p, C) };
}

/* Sigma = S - C, in closed form. */
static void check_equal_errors(const double c[n * n]) {
  double p[n * N], C[n * n * N];
  ms_scatter_result r;
  fill(p, C, c);
  const sums s = sums_of(p);
  const ms_scatter_estimates e = plain(p, C);
  CHECK_OK(ms_scatter_identify_estimates(test_context(), &e, 0.95, NULL, &r));
  for (int i = 0; i < n; i++) {
    const double S = s.S[i * (n + 1)], own = c[i * (n + 1)], error = sqrt(S / N);
    CHECK_NEAR(r.mean[i], s.mean[i], 1e-12);
    CHECK_CLOSE(r.deviation[i], sqrt(S - own), 1e-9);
    CHECK_CLOSE(r.mean_error[i], error, 1e-9);
    CHECK_CLOSE(r.mean_interval[2 * i], s.mean[i] - t_9 * error, 1e-7);
    CHECK_CLOSE(r.mean_interval[2 * i + 1], s.mean[i] + t_9 * error, 1e-7);
    CHECK_CLOSE(r.deviation_interval[2 * i], sqrt((N - 1) * S / chi_2[1] - own), 1e-7);
    CHECK_CLOSE(r.deviation_interval[2 * i + 1], sqrt((N - 1) * S / chi_2[0] - own), 1e-7);
    CHECK_EQUAL(r.seen[i], 1);
    CHECK_NEAR(r.distribution[i].a, r.mean[i], 0.0);
    CHECK_NEAR(r.distribution[i].b, r.deviation[i], 0.0);
    CHECK_NEAR(r.correlation[i * (n + 1)], 1.0, 0.0);
    for (int k = 0; k < N; k++) CHECK_NEAR(r.p_error[i + n * k], sqrt(own), 1e-15);
  }
  const double want =
      (s.S[1] - c[1]) / sqrt((s.S[0] - c[0]) * (s.S[3] - c[3])); /* EM ends 1e-6 before it */
  CHECK_NEAR(r.correlation[1], want, 1e-5);
  CHECK_NEAR(r.correlation[2], want, 1e-5);
  CHECK_NEAR(r.dependence[1], (s.S[1] - c[1]) / sqrt(s.S[0] * s.S[3] / (N - 1)), 1e-4);
  CHECK_TEXT(r.remarks, "");
  ms_scatter_result_destroy(test_context(), &r);
}

static void test_closed_forms(void) {
  const double exact[n * n] = { 0.0 }, alone[n * n] = { 0.03, 0.0, 0.0, 0.05 };
  const double tied[n * n] = { 0.04, -0.03, -0.03, 0.06 };
  check_equal_errors(exact);
  check_equal_errors(alone);
  check_equal_errors(tied);
}

/* K_T = exp of what chi would be: the same in ln K_T; moments of the lognormal distribution. */
static void test_logarithms(void) {
  double p[n * N], C[n * n * N], q[n * N], D[n * n * N];
  ms_scatter_result r, s;
  for (int k = 0; k < N; k++) {
    p[n * k] = x[k], p[1 + n * k] = -0.1 * y[k] + 0.2;
    q[n * k] = exp(x[k]), q[1 + n * k] = p[1 + n * k];
    const double c[n * n] = { 0.02 + 0.001 * k, 0.001, 0.001, 0.0005 };
    for (int i = 0; i < n * n; i++) {
      C[i + n * n * k] = c[i];
      D[i + n * n * k] = c[i] * (i % n ? 1.0 : q[n * k]) * (i / n ? 1.0 : q[n * k]);
    }
  }
  const ms_scatter_estimates logs = { n, N, name, normal, none, all, list(p, C) };
  CHECK_OK(ms_scatter_identify_estimates(test_context(), &logs, 0.95, NULL, &r));
  const ms_scatter_estimates e = { n, N, name, families, lower, upper, list(q, D) };
  CHECK_OK(ms_scatter_identify_estimates(test_context(), &e, 0.95, NULL, &s));
  CHECK_NEAR(s.distribution[0].a, r.mean[0], 1e-10);
  CHECK_CLOSE(s.distribution[0].b, r.deviation[0], 1e-9);
  CHECK_CLOSE(s.mean[0], ms_distribution_mean(&s.distribution[0]), 1e-12);
  CHECK_CLOSE(s.deviation[0], ms_distribution_deviation(&s.distribution[0]), 1e-12);
  CHECK_NEAR(s.mean[1], r.mean[1], 1e-12);
  CHECK_NEAR(s.correlation[1], r.correlation[1], 1e-8);
  for (int k = 0; k < 2; k++) {
    const double m = r.mean_interval[k] - r.mean[0];
    const double v = 0.5 * (pow(r.deviation_interval[k], 2) - pow(r.deviation[0], 2));
    const double far = (k ? 1.0 : -1.0) * hypot(m, v);
    CHECK_CLOSE(s.mean_interval[k], s.mean[0] * exp(far), 1e-9);
    const double end = r.deviation_interval[k], at = r.deviation[0];
    const double ratio = 0.5 * log(expm1(end * end) / expm1(at * at));
    CHECK_CLOSE(s.deviation_interval[k],
                s.deviation[0] * exp((k ? 1.0 : -1.0) * hypot(m, v + ratio)), 1e-9);
  }
  ms_scatter_result_destroy(test_context(), &r);
  ms_scatter_result_destroy(test_context(), &s);
}

/* Estimates that scatter by their errors and less: the deviation is not seen, and said so. */
static void test_unseen(void) {
  const double c[n * n] = { 4.0, 0.0, 0.0, 0.28 }; /* of 0.23 and 0.32 */
  double p[n * N], C[n * n * N];
  const int determined[n] = { 1, 0 };
  ms_scatter_result r;
  fill(p, C, c);
  ms_scatter_estimates e = plain(p, C);
  all_of[1].determined = determined;
  CHECK_OK(ms_scatter_identify_estimates(test_context(), &e, 0.95, NULL, &r));
  CHECK_NEAR(r.deviation[0], 0.0, 0.0);
  CHECK_EQUAL(r.seen[0] + r.seen[1], 0);
  CHECK_NEAR(r.deviation_interval[0], 0.0, 0.0);
  CHECK_CLOSE(r.deviation_interval[1], sqrt(4.0 * 1.645 * sqrt(2.0 / N)), 1e-12);
  CHECK_NEAR(r.deviation_interval[2], 0.0, 0.0);
  CHECK(r.deviation[1] > 0.0 && r.deviation_interval[3] > r.deviation[1]);
  CHECK_CLOSE(r.distribution[0].b, 0.2 * 2.0, 1e-12);
  CHECK_OK(ms_distribution_check(test_context(), &r.distribution[0]));
  CHECK_NEAR(r.correlation[1], 0.0, 0.0);
  CHECK_HAS(r.remarks, "K_T of lap: the estimates scatter less than their standard errors say");
  CHECK_HAS(r.remarks, "chi of lap: its scatter cannot be distinguished");
  CHECK_HAS(r.remarks, "chi of lap: the tests of 1 of 10 assemblies do not determine it");
  CHECK(strstr(r.remarks, "chi of lap: the estimates") == NULL);
  ms_scatter_result_destroy(test_context(), &r);
}

/* ---- coverage: unequal errors, few assemblies ---- */

typedef struct truth {
  ptrdiff_t assemblies;
  double s[n], correlation; /* of the parameters, in the coordinates of their families */
  double error;             /* of the estimates, from a third of it to three times it */
} truth;

enum { SEEDS = 400 };
static const double mu[n] = { 14.3, -0.47 };

static void simulate(const truth *t, uint64_t seed, double *p, double *C) {
  ms_random random;
  ms_random_start(&random, 771, seed);
  for (ptrdiff_t k = 0; k < t->assemblies; k++) {
    const double a = ms_random_normal(&random), b = ms_random_normal(&random);
    const double v[n] = { a, t->correlation * a + sqrt(1.0 - t->correlation * t->correlation) * b };
    const double z = ms_random_normal(&random); /* errors that depend on each other */
    double slope[n], e[n];
    for (int i = 0; i < n; i++) {
      e[i] = t->error * t->s[i] * pow(3.0, 2.0 * ms_random_uniform(&random) - 1.0);
      p[i + n * k] = mu[i] + t->s[i] * v[i] +
                     e[i] * (0.8 * z * (i ? -1.0 : 1.0) + 0.6 * ms_random_normal(&random));
      slope[i] = i ? 1.0 : exp(p[i + n * k]);
      if (!i) p[i + n * k] = slope[i];
    }
    for (int q = 0; q < n * n; q++) {
      C[q + n * n * k] = (q % 3 ? -0.64 : 1.0) * e[q % n] * e[q / n] * slope[q % n] * slope[q / n];
    }
  }
}

static int covers(double value, const double *interval) {
  return value >= interval[0] && value <= interval[1];
}

static void check_covers(const char *what, const truth *t, double level) {
  const ms_distribution K = { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, mu[0], t->s[0] };
  const double mean[n] = { ms_distribution_mean(&K), mu[1] };
  const double deviation[n] = { ms_distribution_deviation(&K), t->s[1] };
  double p[n * MOST], C[n * n * MOST], r = 0.0;
  int count[2 * n] = { 0 };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    ms_scatter_result found;
    simulate(t, seed, p, C);
    const ms_scatter_estimates e = {
      n, t->assemblies, name, families, open_lower, all, list(p, C)
    };
    CHECK_OK(ms_scatter_identify_estimates(test_context(), &e, level, NULL, &found));
    for (int i = 0; i < n; i++) {
      count[i] += covers(mean[i], found.mean_interval + 2 * i);
      count[n + i] += covers(deviation[i], found.deviation_interval + 2 * i);
    }
    r += found.correlation[1] / SEEDS;
    ms_scatter_result_destroy(test_context(), &found);
  }
  printf(
      "# %s: of %d intervals of %g cover means %d and %d, deviations %d and %d; correlation "
      "%.3f\n",
      what, (int)SEEDS, level, count[0], count[1], count[2], count[3], r);
  const double wide = 3.5 * sqrt(level * (1.0 - level) / SEEDS);
  for (int i = 0; i < 2 * n; i++) CHECK(count[i] >= (level - wide) * SEEDS);
  /* exact for a normal parameter's deviation, and nearly so for its mean: not too wide either */
  CHECK_NEAR((double)count[n + 1] / SEEDS, level, wide);
  CHECK(count[1] <= (level + wide) * SEEDS);
  if (t->error < 0.5) CHECK_NEAR(r, t->correlation, 0.1);
}

static void test_coverage(void) {
  const truth few = { 5, { 0.13, 0.05 }, 0.0, 0.4 }, ten = { 10, { 0.31, 0.05 }, 0.6, 0.4 };
  const truth noisy = { 10, { 0.13, 0.05 }, -0.5, 1.5 };
  check_covers("five", &few, 0.95);
  check_covers("ten", &ten, 0.95);
  check_covers("ten, with large errors", &noisy, 0.95);
  check_covers("ten, narrow", &ten, 0.5);
}

/* ---- draws ---- */

static void test_draws(void) {
  enum { DRAWS = 20000 };
  static double p[n * DRAWS], q[n * DRAWS];
  const ms_distribution d[n] = { { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 1.3, 0.2 },
                                 { MS_FAMILY_NORMAL, -HUGE_VAL, HUGE_VAL, -0.4, 0.07 } };
  const double R[n * n] = { 1.0, -0.7, -0.7, 1.0 }, unit[n * n] = { 1.0, 0.0, 0.0, 1.0 };
  const double same[n * n] = { 1.0, 1.0, 1.0, 1.0 };
  double m[n] = { 0.0, 0.0 }, S[3] = { 0.0, 0.0, 0.0 };
  CHECK_OK(ms_scatter_draw_correlated(test_context(), n, d, R, DRAWS, 5, p));
  for (int k = 0; k < DRAWS; k++) m[0] += log(p[n * k]) / DRAWS, m[1] += p[n * k + 1] / DRAWS;
  for (int k = 0; k < DRAWS; k++) {
    const double u = log(p[n * k]) - m[0], v = p[n * k + 1] - m[1];
    S[0] += u * u / DRAWS, S[1] += v * v / DRAWS, S[2] += u * v / DRAWS;
  }
  CHECK_NEAR(m[0], 1.3, 4.0 * 0.2 / sqrt(DRAWS));
  CHECK_NEAR(m[1], -0.4, 4.0 * 0.07 / sqrt(DRAWS));
  CHECK_CLOSE(sqrt(S[0]), 0.2, 4.0 / sqrt(2.0 * DRAWS));
  CHECK_CLOSE(sqrt(S[1]), 0.07, 4.0 / sqrt(2.0 * DRAWS));
  CHECK_NEAR(S[2] / sqrt(S[0] * S[1]), -0.7, 4.0 * 0.51 / sqrt(DRAWS));
  CHECK_OK(ms_scatter_draw_correlated(test_context(), n, d, NULL, 50, 5, p));
  CHECK_OK(ms_scatter_draw_correlated(test_context(), n, d, unit, 50, 5, q));
  for (int i = 0; i < n * 50; i++) CHECK_NEAR(q[i], p[i], 1e-10);
  CHECK_OK(ms_scatter_draw_correlated(test_context(), n, d, same, 50, 5, q));
  for (int k = 0; k < 50; k++)
    CHECK_NEAR((log(q[n * k]) - 1.3) / 0.2, (q[n * k + 1] + 0.4) / 0.07, 1e-8);
}

/* ---- what is refused ---- */

static void refuses(const ms_scatter_estimates *e, double level, ms_status status,
                    const char *text) {
  ms_scatter_result r;
  CHECK_STATUS(ms_scatter_identify_estimates(test_context(), e, level, NULL, &r), status);
  CHECK_HAS(ms_context_message(test_context()), text);
  ms_scatter_result_destroy(test_context(), &r);
}

static void test_families(void) {
  CHECK_EQUAL(ms_scatter_estimates_family(0.0, HUGE_VAL), MS_FAMILY_LOGNORMAL);
  CHECK_EQUAL(ms_scatter_estimates_family(-1.0, 0.0), MS_FAMILY_NORMAL);
  CHECK_EQUAL(ms_scatter_estimates_family(-HUGE_VAL, HUGE_VAL), MS_FAMILY_NORMAL);
}

static void test_refused(void) {
  const double c[n * n] = { 0.03, 0.0, 0.0, 0.05 };
  const ms_family gamma[n] = { MS_FAMILY_NORMAL, MS_FAMILY_GAMMA };
  double p[n * N], C[n * n * N];
  fill(p, C, c);
  ms_scatter_estimates e = plain(p, C);
  refuses(&e, 1.0, MS_ERR_BOUNDS, "level = 1");
  e.n_assembly = 3;
  refuses(&e, 0.95, MS_ERR_ARGUMENT, "3 assemblies: a distribution needs 4");
  e = plain(p, C);
  e.family = gamma;
  refuses(&e, 0.95, MS_ERR_ARGUMENT, "chi of lap: its family must be normal or lognormal");
  e = plain(p, C);
  e.upper = upper;
  refuses(&e, 0.95, MS_ERR_BOUNDS, "chi of lap of assembly 1 is 7.3");
  e = plain(p, C);
  C[n * n + 3] = -1.0;
  refuses(&e, 0.95, MS_ERR_BOUNDS, "chi of lap of assembly 2 has the variance -1");
  C[n * n + 3] = (double)NAN;
  refuses(&e, 0.95, MS_ERR_BOUNDS, "chi of lap of assembly 2 has the variance");
  C[n * n + 3] = 0.05;
  for (int k = 0; k < N; k++) p[n * k] = 3.3;
  refuses(&e, 0.95, MS_ERR_ARGUMENT, "K_T of lap: all assemblies have the same value");
}

static ms_status work(ms_context *ctx, void *user) {
  ms_scatter_result r;
  double p[n * N], R[n * n] = { 1.0, 0.5, 0.5, 1.0 };
  ms_status status = ms_scatter_identify_estimates(ctx, user, 0.95, NULL, &r);
  if (status == MS_SUCCESS) status = ms_scatter_draw_correlated(ctx, n, r.distribution, R, N, 3, p);
  ms_scatter_result_destroy(ctx, &r);
  return status;
}

static void test_failing_memory(void) {
  const double c[n * n] = { 0.03, 0.0, 0.0, 0.05 };
  double p[n * N], C[n * n * N];
  fill(p, C, c);
  ms_scatter_estimates e = plain(p, C);
  CHECK(test_allocations(work, &e) > 12);
}

int main(void) {
  TEST(test_closed_forms);
  TEST(test_logarithms);
  TEST(test_unseen);
  TEST(test_coverage);
  TEST(test_draws);
  TEST(test_families);
  TEST(test_refused);
  TEST(test_failing_memory);
  return test_finish();
}
