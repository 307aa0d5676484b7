/* The fit of a modal Iwan model on many random cases: the best fit is found without guesses, and
   standard errors are what they say. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/identify.h>

#include "support/check.h"

enum { N = MS_MODAL_N, POINTS = 200 };

typedef struct data {
  double q[POINTS], omega[POINTS], zeta[POINTS];
} data;

/* Points from 10^-below to 10^above times phi_max, twice as dense in the upper part. */
static void make_data(const ms_modal_iwan *m, ms_modal_form form, double below, double above,
                      data *d) {
  double phi = ms_identify_modal_phi_max(m);
  for (int i = 0; i < POINTS; i++) {
    double s = i / (POINTS - 1.0), t = s < 1.0 / 3.0 ? 1.5 * s : 0.25 + 0.75 * s;
    d->q[i] = phi * pow(10.0, -below + (below + above) * t);
    ms_identify_eval_modal(test_context(), m, form, d->q[i], &d->omega[i], &d->zeta[i], NULL);
  }
}

static void add_noise(data *d, double noise, double shift, ms_random *random) {
  for (int i = 0; i < POINTS; i++) {
    d->zeta[i] *= exp(noise * ms_random_normal(random));
    d->omega[i] += noise * shift * ms_random_normal(random);
  }
}

static ms_modal_iwan fit(const data *d, ms_modal_form form, ms_modal_fit_report *a) {
  ms_modal_fit_setting s = MS_MODAL_FIT_DEFAULT;
  ms_modal_iwan m = { 0 };
  s.form = form;
  CHECK_OK(ms_identify_fit_modal(test_context(), POINTS, d->q, d->omega, d->zeta, &s, &m, a));
  return m;
}

static void values_of(const ms_modal_iwan *m, double *v) {
  const double value[N] = { m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta };
  memcpy(v, value, sizeof value);
}

static double between(ms_random *random, double low, double high) {
  return low + (high - low) * ms_random_uniform(random);
}

/* Frequencies from 0.1 to 1e4, joint stiffness from 0.3 % to three times the rest, ... */
static ms_modal_iwan random_model(ms_random *random) {
  double v[N], K = pow(10.0, between(random, -2.0, 8.0));
  v[MS_MODAL_K_INF] = K;
  v[MS_MODAL_ZETA_0] = pow(10.0, between(random, -4.3, -2.0));
  v[MS_MODAL_K_T] = K * pow(10.0, between(random, -2.5, 0.5));
  v[MS_MODAL_F_S] = v[MS_MODAL_K_T] * pow(10.0, between(random, -7.0, 3.0));
  v[MS_MODAL_CHI] = between(random, -0.9, 0.7);
  v[MS_MODAL_BETA] = pow(10.0, between(random, -0.7, 1.3));
  ms_modal_iwan m = { 0 };
  CHECK_OK(ms_identify_make_modal(test_context(), v, &m));
  return m;
}

/* Without noise the residual of the truth is zero, so nothing else may be returned. */
static void check_random(ms_modal_form form, double above) {
  ms_random random;
  ms_random_start(&random, 20, (uint64_t)form);
  for (int k = 0; k < 120; k++) {
    ms_modal_iwan m = random_model(&random), found;
    ms_modal_fit_report a;
    data d;
    make_data(&m, form, between(&random, 1.5, 4.0), between(&random, above, above + 1.5), &d);
    found = fit(&d, form, &a);
    double v[N], want[N];
    values_of(&found, v);
    values_of(&m, want);
    CHECK_BELOW(a.rms_ln_zeta, 1e-7);
    for (int i = 0; i < N; i++) {
      double size = i == MS_MODAL_CHI ? 1.0 + m.chi : i == MS_MODAL_BETA ? 1.0 + m.beta : want[i];
      CHECK_NEAR(v[i], want[i], 1e-6 * size);
    }
  }
}

static void test_random_continuous(void) {
  check_random(MS_MODAL_CONTINUOUS, 0.7);
}

static void test_random_printed(void) {
  check_random(MS_MODAL_PRINTED, 2.0);
}

/* Over many seeds of 1 % noise, each parameter's error over its standard error has mean square one,
   and stays below 3 nearly always. 100 seeds: the mean square scatters by 0.14. */
static void check_scatter(ms_modal_form form) {
  enum { SEEDS = 100 };
  const double truth[N] = { 1.3187, 2.7e-4, 2.385, 0.1173, -0.371, 3.62 };
  double mean[N] = { 0 };
  int beyond = 0;
  ms_modal_iwan m, found;
  CHECK_OK(ms_identify_make_modal(test_context(), truth, &m));
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    ms_random random;
    ms_modal_fit_report a;
    data d;
    double v[N];
    ms_random_start(&random, seed, 7);
    make_data(&m, form, 3.0, 3.0, &d);
    add_noise(&d, 0.01, m.omega_0 - sqrt(m.K_inf), &random);
    found = fit(&d, form, &a);
    values_of(&found, v);
    for (int i = 0; i < N; i++) {
      double z = (v[i] - truth[i]) / a.standard_error[i];
      mean[i] += z * z / SEEDS;
      beyond += fabs(z) > 3.0;
    }
  }
  for (int i = 0; i < N; i++) {
    printf("# %s: mean square of error / standard error %.3f\n", ms_identify_modal_name(i),
           mean[i]);
    CHECK_BELOW(mean[i], 1.5);
    CHECK_BELOW(-mean[i], -0.6);
  }
  printf("# %d of %d beyond three standard errors\n", beyond, N * SEEDS);
  CHECK_BELOW(beyond, 9.0);
}

static void test_scatter_continuous(void) {
  check_scatter(MS_MODAL_CONTINUOUS);
}

static void test_scatter_printed(void) {
  check_scatter(MS_MODAL_PRINTED);
}

int main(void) {
  TEST(test_random_continuous);
  TEST(test_random_printed);
  TEST(test_scatter_continuous);
  TEST(test_scatter_printed);
  return test_finish();
}
