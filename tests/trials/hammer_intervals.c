/* Hammer tests with noise, from other parameters each: do the intervals of a calibration hold them?

     hammer_intervals [SEED [COUNT]]

   A chain with an Iwan joint is hit twice. Its records are made with 256 steps of Newmark's method
   to a sample and have offsets, noise, the gain of a sensor that is wrong and 16 bits. Calibrated
   are the slip force, the damping ratio of a mode, a spring and the gain; how far each is from the
   truth, in standard errors, is counted. Exit code 1 where more than one in a hundred is further
   than four; of 50 and more, where 68 % intervals hold less than 55 % or more than 80 %, or 95 %
   intervals less than 88 %. Docs in tests/trials/README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/calibrate_methods.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 4, MASSES = 3, SAMPLES = 4200, BEFORE = 200, FINE = 256, HITS = 2, MODES = 2 };
enum { SHORT_COUNT = 3, SHORT_SEED = 1, MANY = 50 /* to count intervals */ };
#define DT           0.1
#define SENSOR_NOISE 3e-3 /* of the largest value of the channel */
#define FORCE_NOISE  1e-4
#define PI           3.14159265358979323846

static const char *const name[N] = { "lap.F_S", "mode.2.damping", "spring.1", "sensor.u2.gain" };
static const double middle[N] = { 10.0, 1e-3, 9.0, 1.0 }, spread[N] = { 0.2, 0.5, 0.05, 0.07 };
static const double peak[HITS] = { 60.0, 240.0 };
static const double at_second[MASSES] = { 0.0, 1.0, 0.0 };

static ms_structure *make_structure(const double *p) {
  const double zeta[MASSES] = { 1e-3, p[1], 1e-3 }, spring[MASSES] = { p[2], 9.0, 9.0 };
  const ptrdiff_t from = 1, to = 2;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", p[0], "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), MASSES, NULL, &s));
  for (ptrdiff_t i = 0; i < MASSES; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 10.0));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, spring[i]));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* ---- records ---- */

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
static void spoil(ms_random *random, double part, double gain, double *x) {
  double largest = 0.0;
  for (int k = 0; k < SAMPLES; k++) largest = fmax(largest, fabs(gain * x[k]));
  const double bit = 1.3 * largest / 32768.0, offset = 0.01 * largest * ms_random_normal(random);
  for (int k = 0; k < SAMPLES; k++) {
    x[k] = bit * round((gain * x[k] + offset + part * largest * ms_random_normal(random)) / bit);
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
  spoil(random, FORCE_NOISE, 1.0, r->force);
  for (int c = 0; c < MASSES; c++) {
    spoil(random, SENSOR_NOISE, c == 1 ? p[3] : 1.0, r->x + SAMPLES * c);
  }
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

/* ---- the calibration ---- */

/* Errors over standard errors. */
static void calibrate(const record *r, const double *truth, double *z) {
  static const ptrdiff_t sensor[MASSES] = { 0, 1, 2 };
  static const int mode[MODES] = { 1, 2 };
  static const ms_parameter_place place[N] = { { 0, 0, "F_S" },
                                               { MS_PLACE_DAMPING, 1, NULL },
                                               { MS_PLACE_SPRING, 0, NULL },
                                               { MS_PLACE_GAIN, 1, NULL } };
  static const ms_fit_parameter bound[N] = { { "F_S", 2.0, 50.0, 1, 0.0 },
                                             { "damping", 1e-4, 1e-2, 1, 0.0 },
                                             { "spring", 6.0, 13.0, 0, 0.0 },
                                             { "gain", 0.7, 1.4, 0, 0.0 } };
  ms_structure *s = make_structure(middle);
  ms_hammer_setting setting = MS_HAMMER_DEFAULT;
  ms_free_parameter free[N];
  ms_target target[HITS * MODES];
  ms_hit hit[HITS];
  ms_hammer *test = NULL;
  ms_calibration *c = NULL;
  ms_starts starts;
  ms_best_fit best;
  setting.n_channel = MASSES, setting.channel = sensor, setting.n_mode = MODES;
  setting.mode = mode, setting.parts = 8;
  for (int h = 0; h < HITS; h++) {
    hit[h] = (ms_hit) { "hit", at_second, SAMPLES, DT, r[h].force, r[h].x, NULL };
  }
  CHECK_OK(ms_hammer_create(s, &setting, HITS, hit, &test));
  for (int k = 0; k < HITS * MODES; k++) {
    target[k] = (ms_target) { .kind = MS_TARGET_HIT, .weight = { 1.0, 1.0 } };
    target[k].is.hit = (ms_hit_option) { test, k / MODES, k % MODES, MS_HAMMER_ENVELOPE };
  }
  for (int i = 0; i < N; i++) free[i] = (ms_free_parameter) { name[i], 1, &place[i] };
  CHECK_OK(ms_calibration_create(s, N, free, HITS * MODES, target, &c));
  const ms_fit_problem problem = ms_calibration_problem(c, bound);
  CHECK_OK(ms_starts_open(test_context(), N, 1, bound, &starts));
  memcpy(starts.found, middle, sizeof middle);
  ms_fit_setting search = MS_FIT_DEFAULT;
  search.secant = 1e-4;
  search.tolerance = 1e-8;
  CHECK_OK(ms_fit_from(test_context(), &problem, &search, starts.found, starts.local));
  CHECK_EQUAL(starts.local->end, MS_FIT_CONVERGED);
  CHECK_OK(ms_calibration_judge(c, &starts, 0.0, 1, &best));
  printf("# scatter %.3g of %.3g;", best.scatter, best.supposed);
  for (int i = 0; i < N; i++) {
    z[i] = (starts.found[i] - truth[i]) / best.judgement.standard_error[i];
    printf(" %s %.5g (%.5g) %+.2f", name[i], starts.found[i], best.judgement.standard_error[i],
           z[i]);
  }
  printf("\n");
  ms_fit_judgement_destroy(test_context(), &best.judgement);
  ms_starts_close(test_context(), &starts);
  ms_calibration_destroy(&c);
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
}

static int seed = SHORT_SEED, count = SHORT_COUNT;

static void test_intervals(void) {
  static record r[HITS];
  int inside[N][3] = { { 0 } };
  for (int k = 0; k < count; k++) {
    ms_random random;
    double truth[N], z[N];
    ms_random_start(&random, (uint64_t)(seed + k), 0);
    for (int i = 0; i < N; i++) {
      truth[i] = middle[i] * exp(spread[i] * (2.0 * ms_random_uniform(&random) - 1.0));
    }
    for (int h = 0; h < HITS; h++) make_record(truth, peak[h], &random, &r[h]);
    calibrate(r, truth, z);
    for (int i = 0; i < N; i++) {
      inside[i][0] += fabs(z[i]) <= 0.99446;
      inside[i][1] += fabs(z[i]) <= 1.95996;
      inside[i][2] += fabs(z[i]) <= 4.0;
    }
  }
  for (int i = 0; i < N; i++) {
    printf("# %-16s of %d: 68 %% %d, 95 %% %d, 4 standard errors %d\n", name[i], count,
           inside[i][0], inside[i][1], inside[i][2]);
    CHECK(inside[i][2] >= count - count / 100);
    if (count < MANY) continue;
    CHECK(inside[i][0] >= 0.55 * count && inside[i][0] <= 0.8 * count);
    CHECK(inside[i][1] >= 0.88 * count);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) seed = atoi(argv[1]);
  if (argc > 2) count = atoi(argv[2]);
  TEST(test_intervals);
  return test_finish();
}
