/* The fit of a modal Iwan model: recovery of known parameters, noise, choice of points, what the
   data do not say, refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/modal/fit.h"
#include "support/check.h"

enum { N = MS_MODAL_N, MAX = 400 };

/* K_inf, zeta_0, F_S, K_T, chi, beta */
static const double typical[N] = { 1.3187, 2.7e-4, 2.385, 0.1173, -0.371, 3.62 };

typedef struct data {
  ptrdiff_t n;
  double q[MAX], omega[MAX], zeta[MAX];
} data;

static ms_modal_iwan model_of(const double *v) {
  ms_modal_iwan m = { 0 };
  CHECK_OK(ms_identify_make_modal(test_context(), v, &m));
  return m;
}

/* n points from `first` to `last` times phi_max, twice as dense in the upper half as in the lower.
 */
static data make_data(const double *v, ms_modal_form form, int n, double first, double last) {
  data d = { .n = n };
  ms_modal_iwan m = model_of(v);
  double phi = ms_identify_modal_phi_max(&m);
  for (int i = 0; i < n; i++) {
    double s = i / (n - 1.0), t = s < 1.0 / 3.0 ? 1.5 * s : 0.25 + 0.75 * s;
    d.q[i] = first * phi * pow(last / first, t);
    CHECK_OK(
        ms_identify_eval_modal(test_context(), &m, form, d.q[i], &d.omega[i], &d.zeta[i], NULL));
  }
  return d;
}

/* Relative noise on damping, and on frequency in parts of the stiffness shift. */
static void add_noise(data *d, const double *v, double noise, unsigned seed) {
  ms_random random;
  double shift = sqrt(v[MS_MODAL_K_INF] + v[MS_MODAL_K_T]) - sqrt(v[MS_MODAL_K_INF]);
  ms_random_start(&random, seed, 3);
  for (ptrdiff_t i = 0; i < d->n; i++) {
    d->zeta[i] *= exp(noise * ms_random_normal(&random));
    d->omega[i] += noise * shift * ms_random_normal(&random);
  }
}

static ms_modal_fit_setting setting_of(ms_modal_form form) {
  ms_modal_fit_setting s = MS_MODAL_FIT_DEFAULT;
  s.form = form;
  return s;
}

static ms_modal_iwan fit(const data *d, ms_modal_form form, ms_modal_fit_report *report) {
  ms_modal_fit_setting s = setting_of(form);
  ms_modal_iwan m = { 0 };
  CHECK_OK(ms_identify_fit_modal(test_context(), d->n, d->q, d->omega, d->zeta, &s, &m, report));
  CHECK_CLOSE(m.omega_0 * m.omega_0, m.K_inf + m.K_T, 1e-14);
  return m;
}

static void values_of(const ms_modal_iwan *m, double *v) {
  const double value[N] = { m->K_inf, m->zeta_0, m->F_S, m->K_T, m->chi, m->beta };
  memcpy(v, value, sizeof value);
}

static void check_same(const ms_modal_iwan *m, const double *want, double tolerance) {
  double v[N];
  values_of(m, v);
  for (int i = 0; i < N; i++) {
    if (i == MS_MODAL_CHI) {
      CHECK_NEAR(v[i], want[i], tolerance);
    } else {
      CHECK_CLOSE(v[i], want[i], tolerance);
    }
  }
}

/* ---- recovery ---- */

static const double sets[][N] = {
  { 1.3187, 2.7e-4, 2.385, 0.1173, -0.371, 3.62 }, { 0.1793, 1.3e-4, 0.4471, 1.93e-3, -0.52, 5.8 },
  { 4.31e5, 3.1e-3, 0.713, 1.19e5, 0.43, 0.27 },   { 8.7e7, 7.3e-5, 37.1, 3.9e6, -0.88, 12.9 },
  { 2.19e3, 1.7e-3, 5.3e-4, 6.1e3, -0.09, 0.61 },
};
enum { N_SETS = sizeof sets / sizeof *sets };

static void test_recovers_continuous(void) {
  for (int i = 0; i < N_SETS; i++) {
    data d = make_data(sets[i], MS_MODAL_CONTINUOUS, 140, 2.3e-4, 870.0);
    ms_modal_fit_report a;
    ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, &a);
    check_same(&m, sets[i], 1e-6);
    CHECK_BELOW(a.rms_ln_zeta, 1e-9);
    CHECK_EQUAL(a.warnings & ~(unsigned)MS_MODAL_NO_SHIFT, 0);
    CHECK_EQUAL(a.n_used, 140);
    CHECK_CLOSE(a.phi_max, ms_identify_modal_phi_max(&m), 1e-12);
    CHECK_CLOSE(a.q_min, d.q[0], 1e-12);
    CHECK_CLOSE(a.q_max, d.q[139], 1e-12);
    CHECK_CLOSE(a.shift, fmax(d.omega[0] - d.omega[139], 1e-3 * d.omega[0]), 1e-3);
  }
}

static void test_recovers_printed(void) {
  for (int i = 0; i < N_SETS; i++) {
    data d = make_data(sets[i], MS_MODAL_PRINTED, 160, 3.1e-4, 2870.0);
    ms_modal_fit_report a;
    ms_modal_iwan m = fit(&d, MS_MODAL_PRINTED, &a);
    check_same(&m, sets[i], 1e-6);
    CHECK_BELOW(a.rms_ln_zeta, 1e-9);
    CHECK_EQUAL(a.warnings, 0);
  }
}

/* One point for each bin, and no bins at all. */
static void test_recovers_sparse(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 14, 3e-3, 90.0);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  check_same(&m, typical, 1e-6);
  CHECK_EQUAL(a.n_bins, 14);
  ms_modal_fit_setting s = setting_of(MS_MODAL_CONTINUOUS);
  d = make_data(typical, MS_MODAL_CONTINUOUS, 90, 3e-3, 90.0);
  s.bins_per_decade = 0.0;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  check_same(&m, typical, 1e-6);
  CHECK_EQUAL(a.n_bins, 90);
}

/* The order of the points does not matter, and units only scale the answer. */
static void test_order_and_units(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 97, 1e-3, 400.0), e = { .n = 97 };
  add_noise(&d, typical, 0.02, 11);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, NULL), shuffled;
  for (int i = 0; i < 97; i++) {
    int j = i * 31 % 97;
    e.q[i] = d.q[j], e.omega[i] = d.omega[j], e.zeta[i] = d.zeta[j];
  }
  double want[N];
  values_of(&m, want);
  shuffled = fit(&e, MS_MODAL_CONTINUOUS, &a);
  check_same(&shuffled, want, 1e-9);
  for (int i = 0; i < 97; i++) d.q[i] *= 3.7e-5, d.omega[i] *= 2900.0;
  m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  want[MS_MODAL_K_INF] *= 2900.0 * 2900.0;
  want[MS_MODAL_K_T] *= 2900.0 * 2900.0;
  want[MS_MODAL_F_S] *= 2900.0 * 2900.0 * 3.7e-5;
  check_same(&m, want, 1e-6);
}

/* ---- noise ---- */

/* 1 % noise: each parameter within three standard errors. Whether the standard errors are right on
   the whole is for verify.modal_noise. */
static void test_noise(void) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    ms_modal_form form = seed % 2 ? MS_MODAL_PRINTED : MS_MODAL_CONTINUOUS;
    data d = make_data(typical, form, 200, 1e-3, 1000.0);
    add_noise(&d, typical, 0.01, seed);
    ms_modal_fit_report a;
    ms_modal_iwan m = fit(&d, form, &a);
    double v[N];
    values_of(&m, v);
    for (int i = 0; i < N; i++) {
      CHECK_NEAR(v[i], typical[i], 3.0 * a.standard_error[i]);
      CHECK_BELOW(a.standard_error[i], 0.08 * fabs(typical[i]));
      CHECK_CLOSE(a.covariance[i + N * i], a.standard_error[i] * a.standard_error[i], 1e-12);
    }
    CHECK_EQUAL(a.warnings, 0);
  }
}

static void test_correlation(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 500.0);
  add_noise(&d, typical, 0.01, 5);
  ms_modal_fit_report a;
  fit(&d, MS_MODAL_CONTINUOUS, &a);
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(a.correlation[i + N * i], 1.0, 0.0);
    for (int j = 0; j < i; j++) {
      double r = a.correlation[i + N * j];
      CHECK_BELOW(fabs(r), 1.0);
      CHECK_NEAR(r, a.correlation[j + N * i], 0.0);
      CHECK_CLOSE(a.covariance[i + N * j], r * a.standard_error[i] * a.standard_error[j], 1e-9);
    }
  }
  /* K_inf + K_T = omega_0^2 is better known than either: they are anti-correlated. */
  CHECK_BELOW(a.correlation[MS_MODAL_K_INF + N * MS_MODAL_K_T], -0.3);
}

/* Curves at parameters v, as the residuals see them: ln zeta, then omega in parts of its shift. */
static void curves_at(const double *v, const data *d, double shift, double *out) {
  ms_modal_iwan m = model_of(v);
  for (ptrdiff_t i = 0; i < d->n; i++) {
    double omega = 0.0, zeta = 1.0;
    CHECK_OK(ms_identify_eval_modal(test_context(), &m, MS_MODAL_CONTINUOUS, d->q[i], &omega, &zeta,
                                    NULL));
    out[i] = log(zeta);
    out[i + d->n] = omega / shift;
  }
}

/* Largest and smallest eigenvalue of a Gram matrix by Jacobi rotations. */
static double gram_condition(double *G) {
  double low = HUGE_VAL, high = 0.0;
  for (int sweep = 0; sweep < 60; sweep++) {
    for (int p = 0; p < N; p++) {
      for (int q = p + 1; q < N; q++) {
        if (G[p + N * q] == 0.0) continue;
        double angle = 0.5 * atan2(2.0 * G[p + N * q], G[q + N * q] - G[p + N * p]);
        double c = cos(angle), s = sin(angle);
        for (int k = 0; k < N; k++) {
          double x = G[k + N * p], y = G[k + N * q];
          G[k + N * p] = c * x - s * y, G[k + N * q] = s * x + c * y;
        }
        for (int k = 0; k < N; k++) {
          double x = G[p + N * k], y = G[q + N * k];
          G[p + N * k] = c * x - s * y, G[q + N * k] = s * x + c * y;
        }
      }
    }
  }
  for (int i = 0; i < N; i++) low = fmin(low, G[i + N * i]), high = fmax(high, G[i + N * i]);
  return sqrt(high / low);
}

/* Against central differences of the curves by each parameter, in units of 100 %. */
static void test_condition(void) {
  static double J[2 * MAX * N], more[2 * MAX], less[2 * MAX];
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 90, 1e-3, 500.0);
  ms_modal_fit_setting s = setting_of(MS_MODAL_CONTINUOUS);
  ms_modal_fit_report a;
  ms_modal_iwan m;
  s.bins_per_decade = 0.0;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  double lowest = HUGE_VAL, highest = 0.0, least = HUGE_VAL, G[N * N] = { 0.0 };
  for (ptrdiff_t i = 0; i < d.n; i++) {
    lowest = fmin(lowest, d.omega[i]), highest = fmax(highest, d.omega[i]);
    least = fmin(least, d.zeta[i]);
  }
  const double unit[N] = { typical[MS_MODAL_K_T],       fmax(typical[MS_MODAL_ZETA_0], least),
                           typical[MS_MODAL_F_S],       typical[MS_MODAL_K_T],
                           1.0 + typical[MS_MODAL_CHI], 1.0 + typical[MS_MODAL_BETA] };
  for (int k = 0; k < N; k++) {
    double v[N], h = 1e-5;
    memcpy(v, typical, sizeof v);
    v[k] = typical[k] + h * unit[k];
    curves_at(v, &d, highest - lowest, more);
    v[k] = typical[k] - h * unit[k];
    curves_at(v, &d, highest - lowest, less);
    for (ptrdiff_t i = 0; i < 2 * d.n; i++) J[i + 2 * d.n * k] = (more[i] - less[i]) / (2.0 * h);
  }
  for (int kl = 0; kl < N * N; kl++) {
    const double *x = J + 2 * d.n * (kl % N), *y = J + 2 * d.n * (kl / N);
    for (ptrdiff_t i = 0; i < 2 * d.n; i++) G[kl] += x[i] * y[i];
  }
  CHECK_CLOSE(a.condition, gram_condition(G), 1e-7);
}

/* ---- residuals ---- */

static void fill_points(const data *d, ms_modal_points *p, ms_modal_point *at) {
  *p = (ms_modal_points) { .n = d->n, .at = at, .omega_scale = 0.037 };
  for (ptrdiff_t i = 0; i < d->n; i++) {
    at[i] = (ms_modal_point) {
      .ln_q = log(d->q[i]), .omega = d->omega[i], .ln_zeta = log(d->zeta[i]), .far = i > 70
    };
  }
  ms_modal_points_bin(p, at[0].ln_q, 5.0);
}

static void test_bins(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 90, 1e-3, 300.0);
  static ms_modal_point at[MAX], mean[MAX];
  ms_modal_points p, c = { .at = mean };
  fill_points(&d, &p, at);
  CHECK_EQUAL(p.n_bin, (long)floor(5.0 * log10(3e5)) + 1);
  double sum = 0.0;
  for (int i = 0; i < 90; i++) {
    sum += at[i].share;
    CHECK_EQUAL(at[i].bin, (long)floor(5.0 * (at[i].ln_q - at[0].ln_q) / log(10.0)));
  }
  CHECK_CLOSE(sum, (double)p.n_bin, 1e-12);
  ms_modal_points_coarsen(&p, &c);
  CHECK_EQUAL(c.n, p.n_bin);
  double ln_q = 0.0;
  int count = 0;
  for (int i = 0; i < 90; i++) {
    if (at[i].bin == 3) ln_q += at[i].ln_q, count++;
  }
  CHECK_CLOSE(mean[3].ln_q, ln_q / count, 1e-12);
}

static void test_jacobian(void) {
  static const int free[4] = { MS_FIT_LOGIT, MS_FIT_LN_PHI, MS_FIT_LN_P, MS_FIT_LN_BETA };
  static double r[2 * MAX], up[2 * MAX], down[2 * MAX], jac[8 * MAX];
  static ms_modal_point at[MAX];
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 90, 1e-3, 300.0);
  ms_modal_points p;
  fill_points(&d, &p, at);
  double x[N] = { 0.37, -2.1, -8.3, log(d.q[50]) + 0.013, -0.41, 1.17 };
  ptrdiff_t m = 2 * p.n_bin;
  ms_modal_residual(&p, x, 4, free, r, jac);
  for (int k = 0; k < 4; k++) {
    double y[N], h = 3e-6;
    memcpy(y, x, sizeof y);
    y[free[k]] = x[free[k]] + h;
    ms_modal_residual(&p, y, 0, NULL, up, NULL);
    y[free[k]] = x[free[k]] - h;
    ms_modal_residual(&p, y, 0, NULL, down, NULL);
    for (ptrdiff_t i = 0; i < m; i++) {
      CHECK_NEAR(jac[i + m * k], (up[i] - down[i]) / (2.0 * h), 2e-8);
    }
  }
  x[MS_FIT_LN_PHI] = ms_fit_upper[MS_FIT_LN_PHI] + 1.0; /* beyond the bound nothing moves */
  ms_modal_residual(&p, x, 4, free, r, jac);
  for (ptrdiff_t i = 0; i < m; i++) CHECK_NEAR(jac[i + m], 0.0, 0.0);
}

/* ---- choice of points ---- */

static void test_selection(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 220, 1e-3, 3000.0);
  add_noise(&d, typical, 0.01, 3);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_PRINTED, &a);
  double phi = ms_identify_modal_phi_max(&m);
  long outside = 0;
  for (ptrdiff_t i = 0; i < d.n; i++) outside += d.q[i] < 0.9 * phi || d.q[i] > 30.0 * phi;
  CHECK_EQUAL(a.n_used, outside);
  CHECK_EQUAL(a.n_points, 220);
  CHECK_EQUAL(a.warnings, 0);
  CHECK_BELOW((double)a.selections, 10.0);
  /* what was left out has no say: spoil it and get the same */
  for (ptrdiff_t i = 0; i < d.n; i++) {
    if (d.q[i] > 1.5 * phi && d.q[i] < 20.0 * phi) d.zeta[i] *= 1.07;
  }
  double want[N];
  values_of(&m, want);
  m = fit(&d, MS_MODAL_PRINTED, &a);
  check_same(&m, want, 1e-6);
  /* other limits */
  ms_modal_fit_setting s = setting_of(MS_MODAL_PRINTED);
  s.lo = 0.5;
  s.hi = 70.0;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  CHECK(a.n_used < outside);
  check_same(&m, want, 0.1);
}

/* The printed form fitted to what an Iwan element does differs from the truth by a few per cent. */
static void test_wrong_form(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 220, 1e-3, 3000.0);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_PRINTED, &a);
  check_same(&m, typical, 0.1);
  CHECK_BELOW(-fabs(m.F_S / typical[MS_MODAL_F_S] - 1.0), -1e-4);
}

/* ---- what the data do not say ---- */

static void check_reproduces(const ms_modal_iwan *m, const data *d, double tolerance) {
  for (ptrdiff_t i = 0; i < d->n; i++) {
    double omega, zeta;
    CHECK_OK(ms_identify_eval_modal(test_context(), m, MS_MODAL_CONTINUOUS, d->q[i], &omega, &zeta,
                                    NULL));
    CHECK_CLOSE(omega, d->omega[i], tolerance);
    CHECK_CLOSE(zeta, d->zeta[i], tolerance);
  }
}

static void test_microslip_only(void) {
  for (int k = 0; k < 4; k++) {
    ms_modal_form form = k % 2 ? MS_MODAL_PRINTED : MS_MODAL_CONTINUOUS;
    data d = make_data(typical, MS_MODAL_CONTINUOUS, 80, 1e-4, 0.41);
    double noise = k < 2 ? 0.0 : 0.01;
    add_noise(&d, typical, noise, 17);
    ms_modal_fit_report a;
    ms_modal_iwan m = fit(&d, form, &a);
    CHECK_EQUAL(a.warnings & (MS_MODAL_NO_MACROSLIP | MS_MODAL_NO_MICROSLIP),
                MS_MODAL_NO_MACROSLIP);
    CHECK(a.warnings & MS_MODAL_UNDETERMINED);
    CHECK_EQUAL(a.n_undetermined, 2);
    CHECK_HAS(a.remarks,
              "K_inf, F_S, K_T and beta can be traded against each other: the data do "
              "not reach macroslip");
    CHECK_HAS(a.remarks, "no points in macroslip");
    CHECK(a.determined[MS_MODAL_CHI] && a.determined[MS_MODAL_ZETA_0]);
    CHECK(!a.determined[MS_MODAL_K_INF] && !a.determined[MS_MODAL_F_S]);
    CHECK(!a.determined[MS_MODAL_K_T] && !a.determined[MS_MODAL_BETA]);
    double loose = k < 2 ? 1e-6 : 0.05;
    CHECK_NEAR(m.chi, typical[MS_MODAL_CHI], loose);
    CHECK_CLOSE(m.zeta_0, typical[MS_MODAL_ZETA_0], loose);
    CHECK_CLOSE(m.omega_0, sqrt(1.3187 + 0.1173), 0.01 * loose);
    CHECK_CLOSE(a.phi_max, 2.0 * d.q[79], 1e-6);
    CHECK_NEAR(m.beta, 1.0, 1e-9);
    CHECK_BELOW(-a.standard_error[MS_MODAL_BETA], -0.5);
    if (k < 2) check_reproduces(&m, &d, 1e-6);
  }
}

/* Just beyond phi_max: six parameters from perfect data, but the printed form has no far points. */
static void test_barely_macroslip(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 9.0);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  check_same(&m, typical, 1e-6);
  CHECK_EQUAL(a.warnings, 0);
  m = fit(&d, MS_MODAL_PRINTED, &a);
  CHECK(a.warnings & MS_MODAL_NO_MACROSLIP);
  CHECK_HAS(a.remarks, "beyond the range left out");
  check_same(&m, typical, 0.02); /* the open parameters stay where the continuous form had them */
}

static void test_macroslip_only(void) {
  data d = make_data(typical, MS_MODAL_PRINTED, 60, 50.0, 9000.0);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_PRINTED, &a);
  CHECK(a.warnings & MS_MODAL_NO_MICROSLIP);
  CHECK_HAS(a.remarks, "no points in microslip");
  CHECK(a.warnings & MS_MODAL_UNDETERMINED);
  CHECK(!a.determined[MS_MODAL_CHI] && !a.determined[MS_MODAL_BETA]);
  CHECK(!a.determined[MS_MODAL_K_T]);
  CHECK_CLOSE(m.K_inf, typical[MS_MODAL_K_INF], 1e-6);
  CHECK_CLOSE(m.F_S, typical[MS_MODAL_F_S], 1e-6);
}

/* The frequency does not change: what is left is damping, and a warning. */
static void test_constant_frequency(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 600.0);
  for (ptrdiff_t i = 0; i < d.n; i++) d.omega[i] = 1.2345;
  for (int f = 0; f < 2; f++) {
    ms_modal_fit_report a;
    ms_modal_iwan m = fit(&d, f ? MS_MODAL_PRINTED : MS_MODAL_CONTINUOUS, &a);
    CHECK(a.warnings & MS_MODAL_NO_SHIFT);
    CHECK_HAS(a.remarks, "K_T rests on the damping alone");
    CHECK(isfinite(m.K_T) && isfinite(m.F_S) && m.K_T > 0.0);
  }
}

/* Residuals that follow a slow curve are systematic; those that change their sign are not. */
static void test_systematic(void) {
  for (int slow = 0; slow < 2; slow++) {
    data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 600.0);
    for (ptrdiff_t i = 0; i < d.n; i++)
      d.zeta[i] *= 1.0 + 0.02 * (slow ? sin(0.35 * (double)i) : i % 2 ? 1.0 : -1.0);
    ms_modal_fit_report a;
    fit(&d, MS_MODAL_CONTINUOUS, &a);
    printf("# correlation of neighbours %.3f\n", a.serial[0]);
    CHECK(slow ? a.serial[0] > 0.5 : a.serial[0] < 0.3);
    CHECK(fabs(a.serial[1]) <= 1.0);
  }
}

/* A linear mode: no joint to be found. */
static void test_linear_mode(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 60, 1e-3, 600.0);
  for (ptrdiff_t i = 0; i < d.n; i++) d.omega[i] = 1.2345, d.zeta[i] = 3.1e-3;
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  CHECK(a.warnings & MS_MODAL_UNDETERMINED);
  CHECK_BELOW(a.rms_ln_zeta, 1e-3);
  CHECK_CLOSE(m.omega_0, 1.2345, 1e-3);
}

/* No viscous damping, and no delta: parameters at the edge of what is allowed. */
static void test_at_the_bounds(void) {
  double v[N];
  memcpy(v, typical, sizeof v);
  v[MS_MODAL_ZETA_0] = 0.0;
  data d = make_data(v, MS_MODAL_CONTINUOUS, 120, 1e-3, 600.0);
  ms_modal_fit_report a;
  ms_modal_iwan m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  CHECK_BELOW(m.zeta_0, 1e-6 * d.zeta[0]);
  CHECK_CLOSE(m.F_S, v[MS_MODAL_F_S], 1e-5);
  CHECK(a.determined[MS_MODAL_ZETA_0]);
  memcpy(v, typical, sizeof v);
  v[MS_MODAL_BETA] = 0.0;
  d = make_data(v, MS_MODAL_CONTINUOUS, 120, 1e-3, 600.0);
  m = fit(&d, MS_MODAL_CONTINUOUS, &a);
  CHECK_BELOW(m.beta, 1e-5);
  CHECK_EQUAL(a.at_bound[MS_MODAL_BETA], -1);
  CHECK_CLOSE(m.F_S, v[MS_MODAL_F_S], 1e-5);
  /* with F_S and K_T given, the curves change with beta^2 there: at first order, nothing */
  CHECK(!a.determined[MS_MODAL_BETA]);
  CHECK_HAS(a.remarks, "beta is not determined: the data say too little\n");
}

static void test_warns_of_limits(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 3000.0);
  add_noise(&d, typical, 0.01, 3);
  ms_modal_fit_setting s = setting_of(MS_MODAL_PRINTED);
  ms_modal_iwan m;
  ms_modal_fit_report a;
  s.max_selections = 1;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  CHECK(a.warnings & MS_MODAL_UNSTABLE);
  CHECK_HAS(a.remarks, "did not settle in 1 rounds");
  s = setting_of(MS_MODAL_CONTINUOUS);
  s.max_evaluations = 2;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  CHECK(a.warnings & MS_MODAL_UNFINISHED);
  CHECK_HAS(a.remarks, "stopped at 2 evaluations");
  /* both limits of what counts as determined */
  s = setting_of(MS_MODAL_CONTINUOUS);
  s.weak = 0.3;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  CHECK(a.n_undetermined > 0 && a.n_undetermined < N);
  CHECK(a.warnings & MS_MODAL_UNDETERMINED);
  s = setting_of(MS_MODAL_CONTINUOUS);
  s.vague = 1e-9;
  CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
  CHECK_EQUAL(a.n_undetermined, N);
  CHECK_HAS(a.remarks, "K_inf, zeta_0, F_S, K_T, chi and beta can be traded");
}

/* The least 'vague' with which all parameters are determined, to 3 %. */
static double find_vague(double noise) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 120, 1e-3, 3000.0);
  double low = 1e-5, high = 10.0;
  add_noise(&d, typical, noise, 3);
  while (high > 1.03 * low) {
    ms_modal_fit_setting s = setting_of(MS_MODAL_CONTINUOUS);
    ms_modal_iwan m;
    ms_modal_fit_report a;
    s.vague = sqrt(low * high);
    CHECK_OK(ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, &s, &m, &a));
    *(a.n_undetermined > 0 ? &low : &high) = s.vague;
  }
  printf("# noise %g: determined from vague = %.3g on\n", noise, high);
  return high;
}

/* It is held against a standard error, which grows with the noise. */
static void test_vague(void) {
  CHECK_CLOSE(find_vague(0.02) / find_vague(0.01), 2.0, 0.15);
}

static int n_logged;
static void count_log(void *user, ms_log_level level, const char *text) {
  (void)user;
  if (level == MS_LOG_WARNING && strstr(text, "macroslip")) n_logged++;
}

static void test_logs(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 80, 1e-4, 0.41);
  ms_context_set_log(test_context(), count_log, NULL);
  fit(&d, MS_MODAL_CONTINUOUS, NULL);
  ms_context_set_log(test_context(), NULL, NULL);
  CHECK_EQUAL(n_logged, 1);
}

/* ---- refusals ---- */

static ms_status try_fit(const data *d, const ms_modal_fit_setting *s) {
  ms_modal_iwan m = { .F_S = -3.5 };
  ms_modal_fit_report a = { .starts = -7 };
  ms_status status =
      ms_identify_fit_modal(test_context(), d->n, d->q, d->omega, d->zeta, s, &m, &a);
  CHECK(m.F_S == -3.5 && a.starts == -7); /* untouched: every call here fails */
  return status;
}

static void test_refuses_data(void) {
  data good = make_data(typical, MS_MODAL_CONTINUOUS, 50, 1e-3, 300.0), d = good;
  d.n = 5;
  CHECK_STATUS(try_fit(&d, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "5 points; six parameters need at least 6");
  static const double bad[] = { 0.0, -1e-3, NAN, HUGE_VAL };
  for (int i = 0; i < 4; i++) {
    d = good;
    d.zeta[16] = bad[i];
    CHECK_STATUS(try_fit(&d, NULL), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(test_context()), "row 17 of 50: zeta");
    d = good;
    d.omega[49] = bad[i];
    CHECK_STATUS(try_fit(&d, NULL), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(test_context()), "row 50 of 50: omega");
    d = good;
    d.q[0] = bad[i];
    CHECK_STATUS(try_fit(&d, NULL), MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(test_context()), "row 1 of 50: amplitude");
  }
  d = make_data(typical, MS_MODAL_CONTINUOUS, 50, 0.1, 0.13);
  CHECK_STATUS(try_fit(&d, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "50 points in 2 bins of amplitude");
  /* nearly everything falls into the range left out */
  d = make_data(typical, MS_MODAL_CONTINUOUS, 50, 0.8, 25.0);
  ms_modal_fit_setting s = setting_of(MS_MODAL_PRINTED);
  CHECK_STATUS(try_fit(&d, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()),
            "outside the range that the published (piecewise) form leaves out");
  CHECK_HAS(ms_context_message(test_context()), "fit the continuous form");
}

static void test_refuses_numbers(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 50, 1e-3, 300.0);
  for (ptrdiff_t i = 0; i < d.n; i++) d.omega[i] *= 1e170;
  CHECK_STATUS(try_fit(&d, NULL), MS_ERR_BOUNDS);
  d = make_data(typical, MS_MODAL_CONTINUOUS, 50, 1e-3, 300.0);
  for (ptrdiff_t i = 0; i < d.n; i++) d.zeta[i] *= 1e-250;
  ms_status status = MS_SUCCESS;
  ms_modal_iwan m;
  ms_modal_fit_report a;
  status = ms_identify_fit_modal(test_context(), d.n, d.q, d.omega, d.zeta, NULL, &m, &a);
  CHECK(status != MS_SUCCESS || (isfinite(m.K_T) && isfinite(a.residual)));
}

static void test_refuses_settings(void) {
  data d = make_data(typical, MS_MODAL_CONTINUOUS, 50, 1e-3, 300.0);
  const ms_modal_fit_setting good = MS_MODAL_FIT_DEFAULT;
  ms_modal_fit_setting s;
#define REFUSE(member, value)                                                  \
  (s = good, s.member = (value), CHECK_STATUS(try_fit(&d, &s), MS_ERR_BOUNDS), \
   CHECK_HAS(ms_context_message(test_context()), "setting " #member " must be "))
  REFUSE(form, (ms_modal_form)5);
  REFUSE(lo, 0.0);
  REFUSE(lo, 1.2);
  REFUSE(lo, NAN);
  REFUSE(hi, 0.8);
  REFUSE(hi, HUGE_VAL);
  REFUSE(bins_per_decade, -1.0);
  REFUSE(bins_per_decade, NAN);
  REFUSE(omega_weight, 0.0);
  REFUSE(shift_floor, 0.0);
  REFUSE(tolerance, 0.0);
  REFUSE(max_evaluations, 0);
  REFUSE(max_selections, 0);
  REFUSE(weak, -0.1);
  REFUSE(vague, 0.0);
}

static ms_status allocating(ms_context *ctx, void *user) {
  const data *d = user;
  ms_modal_fit_setting s = setting_of(MS_MODAL_PRINTED);
  ms_modal_iwan m;
  ms_modal_fit_report a;
  return ms_identify_fit_modal(ctx, d->n, d->q, d->omega, d->zeta, &s, &m, &a);
}

static void test_failing_memory(void) {
  data d = make_data(typical, MS_MODAL_PRINTED, 60, 1e-3, 3000.0);
  CHECK_EQUAL(test_allocations(allocating, &d), 6);
}

/* What a report is told of a fit, in its order. */
static void test_notes(void) {
  const ms_modal_fit_setting setting = MS_MODAL_FIT_DEFAULT;
  ms_modal_fit_report r = { .n_points = 23, .n_used = 19, .serial = { 0.31, -0.9 } };
  char text[480];
  r.correlation[MS_MODAL_CHI + MS_MODAL_N * MS_MODAL_BETA] = -0.97; /* symmetric */
  r.correlation[MS_MODAL_BETA + MS_MODAL_N * MS_MODAL_CHI] = -0.97;
  CHECK(ms_modal_fit_note(&r, 1, "printed", &setting, 3, 0, text, sizeof text));
  CHECK_HAS(text, "Mode 2, printed form: 19 of 26 points used; the other 4 lie about the onset");
  CHECK_HAS(text, "that of chi and beta, -0.970: the data hardly distinguish them.");
  CHECK(ms_modal_fit_note(&r, 1, "printed", &setting, 3, 1, text, sizeof text));
  CHECK_HAS(text, "3 points that do not decay");
  CHECK(!ms_modal_fit_note(&r, 1, "printed", &setting, 3, 2, text, sizeof text));
  r.n_undetermined = 2;
  CHECK(ms_modal_fit_note(&r, 1, "printed", &setting, 0, 1, text, sizeof text));
  CHECK_TEXT(text, "The data do not determine 2 combinations of parameters.");
  CHECK_NEAR(ms_modal_fit_serial(&r), 0.31, 0.0);
  CHECK(!ms_modal_fit_serial_note(&r, 1, text, sizeof text));
  CHECK_HAS(text, "as they are here");
  r.serial[1] = 0.6; /* sqrt(1.6/0.4) */
  CHECK(ms_modal_fit_serial_note(&r, 1, text, sizeof text));
  CHECK_HAS(text, "(up to 0.60, mode 2)");
  CHECK_HAS(text, "by a factor of up to about 2.0.");
  r.serial[1] = 0.51;
  CHECK(ms_modal_fit_serial_note(&r, 1, text, sizeof text));
  r.serial[1] = 0.49;
  CHECK(!ms_modal_fit_serial_note(&r, 1, text, sizeof text));
  r.serial[1] = 1.0; /* sqrt(2/0.01) */
  CHECK(ms_modal_fit_serial_note(&r, 1, text, sizeof text));
  CHECK_HAS(text, "by a factor of up to about 14.1.");
  for (int k = 0; k < 2; k++) {
    const double c = k ? 0.96 : 0.94;
    r.correlation[MS_MODAL_CHI + MS_MODAL_N * MS_MODAL_BETA] = c;
    r.correlation[MS_MODAL_BETA + MS_MODAL_N * MS_MODAL_CHI] = c;
    CHECK(ms_modal_fit_note(&r, 1, "printed", &setting, 3, 0, text, sizeof text));
    CHECK((strstr(text, "hardly distinguish") != NULL) == k);
  }
}

int main(void) {
  TEST(test_notes);
  TEST(test_recovers_continuous);
  TEST(test_recovers_printed);
  TEST(test_recovers_sparse);
  TEST(test_order_and_units);
  TEST(test_noise);
  TEST(test_correlation);
  TEST(test_condition);
  TEST(test_bins);
  TEST(test_jacobian);
  TEST(test_selection);
  TEST(test_wrong_form);
  TEST(test_microslip_only);
  TEST(test_barely_macroslip);
  TEST(test_macroslip_only);
  TEST(test_constant_frequency);
  TEST(test_linear_mode);
  TEST(test_systematic);
  TEST(test_at_the_bounds);
  TEST(test_warns_of_limits);
  TEST(test_vague);
  TEST(test_logs);
  TEST(test_refuses_data);
  TEST(test_refuses_numbers);
  TEST(test_refuses_settings);
  TEST(test_failing_memory);
  return test_finish();
}
