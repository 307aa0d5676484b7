/* Repeated assemblies: joints of a chain, drawn anew for each assembly from distributions that are
   known, are calibrated one by one; the distributions identified from these estimates have
   intervals of mean and standard deviation, which are to hold the truth.

   Quasi-static curves with noise, ten assemblies, fifty times with seeds 1 to 50: intervals of 95 %
   of each number hold it 42 times and more, all together as often as binomial numbers do. Hammer
   tests with two impacts, noise, offsets and 16 bits: intervals of 99.9 % hold all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/calibrate_methods.h>
#include <microslip/response.h>
#include <microslip/scatter.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 3, ASSEMBLIES = 10, SEEDS = 50, LEAST = 42, MASSES = 3 };
#define PI 3.14159265358979323846

static const char *const name[N] = { "F_S of lap", "K_T of lap", "chi of lap" };
static const ms_distribution truth[N] = { { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 2.31, 0.15 },
                                          { MS_FAMILY_LOGNORMAL, 0.0, HUGE_VAL, 0.02, 0.08 },
                                          { MS_FAMILY_NORMAL, -1.0, 0.0, -0.51, 0.06 } };
static const double middle[N] = { 10.0, 1.0, -0.5 };
static const ms_fit_parameter bound[N] = { { "F_S", 2.0, 60.0, 1, 0.0 },
                                           { "K_T", 0.25, 4.0, 1, 0.0 },
                                           { "chi", -0.9, -0.05, 0, 0.0 } };
static const ms_parameter_place place[N] = { { 0, 0, "F_S" }, { 0, 0, "K_T" }, { 0, 0, "chi" } };

static ms_structure *make_structure(const double *p) {
  const double zeta[MASSES] = { 1e-3, 1e-3, 1e-3 };
  const ptrdiff_t from = 1, to = 2;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", p[0], "K_T", p[1], "chi", p[2], "beta", 5.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), MASSES, NULL, &s));
  for (ptrdiff_t i = 0; i < MASSES; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 10.0));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 9.0));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* ---- one assembly's calibration ---- */

/* Estimate and covariance; noise 0: that of the fit. */
static void calibrate(ms_structure *s, ptrdiff_t n_target, const ms_target *target, double noise,
                      double *p, double *covariance) {
  ms_free_parameter free[N];
  ms_calibration *c = NULL;
  ms_starts starts;
  ms_best_fit best = { 0 };
  for (int i = 0; i < N; i++) free[i] = (ms_free_parameter) { name[i], 1, &place[i] };
  CHECK_OK(ms_calibration_create(s, N, free, n_target, target, &c));
  const ms_fit_problem problem = ms_calibration_problem(c, bound);
  CHECK_OK(ms_starts_open(test_context(), N, 1, bound, &starts));
  memcpy(starts.found, middle, sizeof middle);
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, starts.found, starts.local));
  CHECK_EQUAL(starts.local->end, MS_FIT_CONVERGED);
  CHECK_OK(ms_calibration_judge(c, &starts, noise, 1, &best));
  memcpy(p, starts.found, sizeof middle);
  memcpy(covariance, best.judgement.covariance, N * N * sizeof *covariance);
  ms_fit_judgement_destroy(test_context(), &best.judgement);
  ms_starts_close(test_context(), &starts);
  ms_calibration_destroy(&c);
}

/* ---- quasi-static curves ---- */

enum { LEVELS = 14 };

/* omega_noise: of the shift. */
static void calibrate_curve(const double *from, double noise, uint64_t seed, uint64_t stream,
                            double *p, double *covariance) {
  static const ms_free_parameter none = { "F_S", 1, &place[0] };
  ms_structure *s = make_structure(from), *guess = make_structure(middle);
  ms_backbone_model *model = NULL;
  ms_random random;
  double q[LEVELS], omega[LEVELS], zeta[LEVELS];
  for (int i = 0; i < LEVELS; i++) q[i] = 1.0 * pow(60.0, (double)i / (LEVELS - 1));
  const ms_curve_request request = { 1, LEVELS, q };
  CHECK_OK(ms_backbone_model_create(s, 1, &none, 1, &request, &model));
  CHECK_OK(ms_backbone_model_eval(model, from, 0));
  const ms_curve_values v = ms_backbone_model_curve(model, 0);
  const double shift = v.omega[0] - v.omega[LEVELS - 1];
  ms_random_start(&random, 9000 + seed, stream);
  for (int i = 0; i < LEVELS; i++) {
    omega[i] = v.omega[i] + noise * shift * ms_random_normal(&random);
    zeta[i] = v.zeta[i] * exp(noise * ms_random_normal(&random));
  }
  const ms_target target = { .kind = MS_TARGET_CURVE,
                             .name = "curve",
                             .weight = { 1.0, 1.0 },
                             .n = LEVELS,
                             .x = q,
                             .y = { omega, zeta },
                             .is.curve.mode = 1 };
  calibrate(guess, 1, &target, noise, p, covariance);
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
  ms_structure_destroy(&guess);
}

/* ---- hammer tests ---- */

enum { SAMPLES = 3000, BEFORE = 200, FINE = 32, HITS = 2, MODES = 2 };
#define DT           0.1
#define SENSOR_NOISE 3e-3 /* of the largest value of the channel */
#define FORCE_NOISE  1e-4

static const double peak[HITS] = { 60.0, 240.0 };
static const double at_second[MASSES] = { 0.0, 1.0, 0.0 };

typedef struct record {
  double force[SAMPLES], x[MASSES * SAMPLES];
  int k;
} record;

static double pulse(void *user, double t) {
  const double at = (t / DT - BEFORE) / 16.0;
  return at > 0.0 && at < 1.0 ? *(const double *)user * pow(sin(PI * at), 2.0) : 0.0;
}

static int sample(void *user, const ms_transient *run) {
  record *r = user;
  double a[MASSES];
  ms_transient_get_coordinates(run, NULL, NULL, a);
  for (int c = 0; c < MASSES; c++) r->x[r->k + SAMPLES * c] = a[c];
  r->k++;
  return 0;
}

/* Offset, noise and the steps of 16 bits, of a channel whose range is 1.3 of its largest value. */
static void spoil(ms_random *random, double part, double *x) {
  double largest = 0.0;
  for (int k = 0; k < SAMPLES; k++) largest = fmax(largest, fabs(x[k]));
  const double bit = 1.3 * largest / 32768.0, offset = 0.01 * largest * ms_random_normal(random);
  for (int k = 0; k < SAMPLES; k++) {
    x[k] = bit * round((x[k] + offset + part * largest * ms_random_normal(random)) / bit);
  }
}

static void make_record(const double *p, double level, ms_random *random, record *r) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_structure *s = make_structure(p);
  ms_transient *run = NULL;
  setting.method = "newmark";
  setting.step = DT / FINE;
  r->k = 0;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, at_second, pulse, &level, (BEFORE + 20) * DT));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (SAMPLES - 1) * FINE, FINE, sample, r));
  CHECK_EQUAL(r->k, SAMPLES);
  for (int k = 0; k < SAMPLES; k++) r->force[k] = pulse(&level, k * DT);
  spoil(random, FORCE_NOISE, r->force);
  for (int c = 0; c < MASSES; c++) spoil(random, SENSOR_NOISE, r->x + SAMPLES * c);
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

static void calibrate_impacts(const double *from, double noise, uint64_t seed, uint64_t stream,
                              double *p, double *covariance) {
  static const ptrdiff_t sensor[MASSES] = { 0, 1, 2 };
  static const int mode[MODES] = { 1, 2 };
  static record r[HITS];
  ms_structure *s = make_structure(middle);
  ms_hammer_setting setting = MS_HAMMER_DEFAULT;
  ms_target target[HITS * MODES];
  ms_hit hit[HITS];
  ms_hammer *test = NULL;
  ms_random random;
  ms_random_start(&random, 9000 + seed, stream);
  setting.n_channel = MASSES, setting.channel = sensor, setting.n_mode = MODES;
  setting.mode = mode, setting.parts = 4;
  for (int h = 0; h < HITS; h++) {
    make_record(from, peak[h], &random, &r[h]);
    hit[h] = (ms_hit) { "hit", at_second, SAMPLES, DT, r[h].force, r[h].x, NULL };
  }
  CHECK_OK(ms_hammer_create(s, &setting, HITS, hit, &test));
  for (int k = 0; k < HITS * MODES; k++) {
    target[k] = (ms_target) { .kind = MS_TARGET_HIT, .weight = { 1.0, 1.0 } };
    target[k].is.hit = (ms_hit_option) { test, k / MODES, k % MODES, MS_HAMMER_ENVELOPE };
  }
  calibrate(s, HITS * MODES, target, noise, p, covariance);
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
}

/* ---- the population ---- */

typedef void test_assembly(const double *from, double noise, uint64_t seed, uint64_t stream,
                           double *p, double *covariance);

/* Which intervals hold the truth: of means, then of standard deviations. */
static void identify(test_assembly *test, double noise, uint64_t seed, double level,
                     int held[2 * N]) {
  double from[N * ASSEMBLIES], p[N * ASSEMBLIES], C[N * N * ASSEMBLIES];
  ms_family family[N];
  double lower[N], upper[N];
  ms_scatter_estimate estimate[ASSEMBLIES];
  ms_scatter_result r;
  for (int i = 0; i < N; i++) {
    family[i] = truth[i].family, lower[i] = truth[i].lower, upper[i] = truth[i].upper;
  }
  ms_scatter_draw(N, truth, ASSEMBLIES, seed, from);
  for (int k = 0; k < ASSEMBLIES; k++) {
    test(from + N * k, noise, seed, (uint64_t)k, p + N * k, C + N * N * k);
    estimate[k] = (ms_scatter_estimate) { p + N * k, C + N * N * k, NULL };
  }
  const ms_scatter_estimates e = { N, ASSEMBLIES, name, family, lower, upper, estimate };
  CHECK_OK(ms_scatter_identify_estimates(test_context(), &e, level, NULL, &r));
  for (int i = 0; i < 2 * N; i++) {
    const int k = i % N;
    const double *in = (i < N ? r.mean_interval : r.deviation_interval) + 2 * k;
    const double value =
        i < N ? ms_distribution_mean(&truth[k]) : ms_distribution_deviation(&truth[k]);
    held[i] = value >= in[0] && value <= in[1];
    if (level > 0.99)
      printf("# %s, %s: %.4g, found %.4g, %.4g to %.4g\n", name[k], i < N ? "mean" : "deviation",
             value, i < N ? r.mean[k] : r.deviation[k], in[0], in[1]);
  }
  ms_scatter_result_destroy(test_context(), &r);
}

static void test_curves(void) {
  int count[2 * N] = { 0 }, held[2 * N], all = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    identify(calibrate_curve, 0.02, seed, 0.95, held);
    for (int i = 0; i < 2 * N; i++) count[i] += held[i];
  }
  for (int i = 0; i < 2 * N; i++) {
    printf("# %s of %s: %d of %d\n", i < N ? "mean" : "deviation", name[i % N], count[i],
           (int)SEEDS);
    CHECK(count[i] >= LEAST);
    all += count[i];
  }
  /* numbers of one seed depend on each other: as if they were half as many */
  CHECK_NEAR(all / (2.0 * N * SEEDS), 0.95, 3.5 * sqrt(0.95 * 0.05 / (N * SEEDS)));
}

static void test_impacts(void) {
  int held[2 * N];
  identify(calibrate_impacts, 0.0, 1, 0.999, held);
  for (int i = 0; i < 2 * N; i++) CHECK(held[i]);
}

int main(void) {
  TEST(test_curves);
  TEST(test_impacts);
  return test_finish();
}
