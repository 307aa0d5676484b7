/* The modal Iwan model: closed forms against the joint law itself, limits, derivatives, refusals.
 */
#include <math.h>
#include <string.h>

#include "identify/modal/iwan.h"
#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;
/* K_inf, zeta_0, F_S, K_T, chi, beta */
static const double typical[MS_MODAL_N] = { 1.3187, 2.7e-4, 2.385, 0.1173, -0.371, 3.62 };

static ms_modal_iwan model_of(const double *v) {
  ms_modal_iwan m = { 0 };
  CHECK_OK(ms_identify_make_modal(test_context(), v, &m));
  return m;
}

static ms_modal_iwan vary(double chi, double beta) {
  double v[MS_MODAL_N];
  memcpy(v, typical, sizeof v);
  v[MS_MODAL_CHI] = chi;
  v[MS_MODAL_BETA] = beta;
  return model_of(v);
}

static void test_make(void) {
  ms_modal_iwan m = model_of(typical);
  CHECK_CLOSE(m.omega_0, sqrt(1.3187 + 0.1173), 1e-15);
  CHECK_CLOSE(ms_identify_modal_phi_max(&m), 2.385 * 4.62 / (0.1173 * (3.62 + 0.629 / 1.629)),
              1e-14);
  CHECK_TEXT(ms_identify_modal_name(MS_MODAL_F_S), "F_S");
  CHECK(ms_identify_modal_name(-1) == NULL);
  CHECK(ms_identify_modal_name(MS_MODAL_N) == NULL);
}

/* Secant and loss of the element from the joint law, which knows nothing of these formulas. */
static void test_continuous_is_the_element(void) {
  static const double chi[] = { -0.83, -0.31, 0.0, 1.9 }, beta[] = { 0.0, 0.27, 7.3 };
  for (int i = 0; i < 12; i++) {
    ms_modal_iwan m = vary(chi[i % 4], beta[i / 4]);
    ms_joint *j =
        test_joint("iwan4", "F_S", m.F_S, "K_T", m.K_T, "chi", m.chi, "beta", m.beta, NULL);
    CHECK_CLOSE(ms_identify_modal_phi_max(&m), ms_joint_slip_scale(j), 1e-13);
    for (double q = 0.013; q < 4000.0; q *= 2.7) {
      ms_joint_cycle c;
      double omega, zeta, joint;
      CHECK_OK(ms_joint_run_cycle(j, q, 0.0, 200, NULL, NULL, &c));
      CHECK_OK(ms_identify_eval_modal(test_context(), &m, MS_MODAL_CONTINUOUS, q, &omega, &zeta,
                                      &joint));
      CHECK_CLOSE(omega, sqrt(m.K_inf + c.K_secant), 1e-12);
      CHECK_CLOSE(joint, c.D / (2.0 * pi * omega * omega * q * q), 1e-9);
      CHECK_CLOSE(zeta - joint, m.zeta_0 * m.omega_0 / omega, 1e-9);
    }
    ms_joint_destroy(&j);
  }
}

/* Equations (8) to (13) as they stand in the literature, with (chi + 2) in the first. */
static void test_printed(void) {
  ms_modal_iwan m = model_of(typical);
  double x = m.chi, b = m.beta, phi = ms_identify_modal_phi_max(&m);
  double R = m.F_S * (x + 1) / (pow(phi, x + 2) * (b + (x + 1) / (x + 2)));
  for (double q = 1e-3 * phi; q < 300.0 * phi; q *= 1.9) {
    int micro = q < phi;
    double K = m.K_inf, D = 4.0 * m.F_S * q, omega, zeta, joint;
    if (micro) K += m.K_T * (1 - pow(q, x + 1) / (pow(phi, x + 1) * (x + 2) * (b + 1)));
    if (micro) D = 4.0 * R * pow(q, x + 3) / ((x + 3) * (x + 2));
    double viscous = 2.0 * pi * m.zeta_0 * m.omega_0 * sqrt(K) * q * q;
    CHECK_OK(
        ms_identify_eval_modal(test_context(), &m, MS_MODAL_PRINTED, q, &omega, &zeta, &joint));
    CHECK_CLOSE(omega, sqrt(K), 1e-13);
    CHECK_CLOSE(zeta, (D + viscous) / (2.0 * pi * K * q * q), 1e-12);
    CHECK_CLOSE(joint, D / (2.0 * pi * K * q * q), 1e-12);
  }
}

/* The printed form jumps at phi_max, the continuous one does not; far out they meet like 1/q. */
static void test_forms_compared(void) {
  ms_modal_iwan m = model_of(typical);
  double phi = ms_identify_modal_phi_max(&m), omega[2], zeta[2], gap[2];
  for (int f = 0; f < 2; f++) {
    ms_modal_form form = f ? MS_MODAL_CONTINUOUS : MS_MODAL_PRINTED;
    for (int side = 0; side < 2; side++) {
      double q = phi * (side ? 1.0 + 1e-12 : 1.0 - 1e-12);
      CHECK_OK(
          ms_identify_eval_modal(test_context(), &m, form, q, &omega[side], &zeta[side], NULL));
    }
    CHECK((fabs(omega[1] / omega[0] - 1.0) < 1e-10) == f);
    CHECK((fabs(zeta[1] / zeta[0] - 1.0) < 1e-10) == f);
  }
  for (int i = 0; i < 2; i++) {
    double a, b, q = phi * (i ? 2e5 : 1e5);
    CHECK_OK(ms_identify_eval_modal(test_context(), &m, MS_MODAL_PRINTED, q, &a, NULL, NULL));
    CHECK_OK(ms_identify_eval_modal(test_context(), &m, MS_MODAL_CONTINUOUS, q, &b, NULL, NULL));
    gap[i] = b - a;
  }
  CHECK_CLOSE(gap[0] / gap[1], 2.0, 1e-4);
}

/* Two ways round: parameters to shape and back, and every derivative against central differences.
 */
static void test_parameters_round(void) {
  ms_modal_iwan m = model_of(typical);
  ms_modal_shape shape = ms_modal_shape_of(&m);
  double v[MS_MODAL_N];
  ms_modal_parameters(&shape, v);
  for (int i = 0; i < MS_MODAL_N; i++) CHECK_CLOSE(v[i], typical[i], 1e-13);
}

static void variables_of(const double *v, double *x) {
  ms_modal_iwan m = model_of(v);
  ms_modal_shape s = ms_modal_shape_of(&m);
  x[MS_FIT_LN_K0] = log(s.K_0);
  x[MS_FIT_LOGIT] = log(s.kappa / s.rest);
  x[MS_FIT_LN_ZETA] = log(s.zeta_0);
  x[MS_FIT_LN_PHI] = s.ln_phi;
  x[MS_FIT_LN_P] = log(s.p);
  x[MS_FIT_LN_BETA] = log(s.beta);
}

/* ln omega and ln zeta at x + h e_k. */
static void logs_at(const double *x, int k, double h, int far, double ln_q, double out[2]) {
  double y[MS_MODAL_N];
  ms_modal_value v;
  memcpy(y, x, sizeof y);
  y[k] += h;
  ms_modal_shape shape = ms_modal_shape_at(y);
  ms_modal_eval(&shape, far, ln_q, 0, &v);
  out[0] = log(v.omega);
  out[1] = log(v.zeta);
}

/* Five-point difference: error of fourth order. */
static double difference(const double *x, int k, int far, double ln_q, int which) {
  const double h = 1e-4;
  double a[2], b[2], c[2], d[2];
  logs_at(x, k, -2 * h, far, ln_q, a);
  logs_at(x, k, -h, far, ln_q, b);
  logs_at(x, k, h, far, ln_q, c);
  logs_at(x, k, 2 * h, far, ln_q, d);
  return (8.0 * (c[which] - b[which]) - (d[which] - a[which])) / (12.0 * h);
}

static void test_slopes(void) {
  double x[MS_MODAL_N];
  variables_of(typical, x);
  /* micro, near the edge, macro, far macro; then as printed for macroslip, also inside */
  static const double at[] = { -7.3, -1.1, -0.03, 0.04, 1.7, 6.2 };
  for (int i = 0; i < 12; i++) {
    int far = i / 6;
    double ln_q = x[MS_FIT_LN_PHI] + at[i % 6];
    ms_modal_shape shape = ms_modal_shape_at(x);
    ms_modal_value mid;
    ms_modal_eval(&shape, far, ln_q, 1, &mid);
    for (int k = 0; k < MS_MODAL_N; k++) {
      CHECK_NEAR(mid.d_ln_omega[k], difference(x, k, far, ln_q, 0), 2e-10);
      CHECK_NEAR(mid.d_ln_zeta[k], difference(x, k, far, ln_q, 1), 2e-10);
    }
  }
}

static void test_chain(void) {
  ms_modal_iwan m = model_of(typical);
  ms_modal_shape shape = ms_modal_shape_of(&m);
  double chain[MS_MODAL_N * MS_MODAL_N];
  ms_modal_chain(&shape, chain);
  for (int j = 0; j < MS_MODAL_N; j++) {
    double v[MS_MODAL_N], up[MS_MODAL_N], down[MS_MODAL_N], h = 1e-5 * fabs(typical[j]);
    memcpy(v, typical, sizeof v);
    v[j] = typical[j] + h;
    variables_of(v, up);
    v[j] = typical[j] - h;
    variables_of(v, down);
    for (int i = 0; i < MS_MODAL_N; i++) {
      double scale = 1.0 / fabs(typical[j]);
      CHECK_NEAR(chain[i + MS_MODAL_N * j], (up[i] - down[i]) / (2.0 * h), 1e-9 * scale);
    }
  }
}

/* Variables far outside their range count as the bound: nothing overflows. */
static void test_clamp(void) {
  double wild[MS_MODAL_N];
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < MS_MODAL_N; i++) wild[i] = sign * 1e6;
    ms_modal_shape shape = ms_modal_shape_at(wild);
    for (double ln_q = -90.0; ln_q < 100.0; ln_q += 13.0) {
      ms_modal_value v;
      ms_modal_eval(&shape, 0, ln_q, 1, &v);
      CHECK(isfinite(v.omega) && isfinite(v.zeta) && v.omega > 0.0 && v.zeta > 0.0);
      for (int k = 0; k < MS_MODAL_N; k++) CHECK(isfinite(v.d_ln_omega[k] + v.d_ln_zeta[k]));
    }
  }
}

static void test_refusals(void) {
  ms_context *ctx = test_context();
  ms_modal_iwan m = model_of(typical), out = m;
  double omega = -7.0;
  static const char *says[] = { "K_inf = ", "zeta_0 = ", "F_S = ", "K_T = ", "chi = ", "beta = " };
  static const double bad[][3] = { { 0, -1.3, NAN }, { -1e-9, NAN, HUGE_VAL }, { 0, -2.1, NAN },
                                   { 0, -2.1, NAN }, { -1, -1.7, HUGE_VAL },   { -1e-9, NAN, -2 } };
  for (int i = 0; i < MS_MODAL_N; i++) {
    for (int k = 0; k < 3; k++) {
      double v[MS_MODAL_N];
      memcpy(v, typical, sizeof v);
      v[i] = bad[i][k];
      CHECK_STATUS(ms_identify_make_modal(ctx, v, &out), MS_ERR_BOUNDS);
      CHECK_HAS(ms_context_message(ctx), says[i]);
    }
  }
  CHECK_NEAR(out.F_S, m.F_S, 0.0); /* untouched */
  double huge[MS_MODAL_N] = { 1e308, 1e-4, 1e308, 1e308, -0.5, 2.0 };
  CHECK_STATUS(ms_identify_make_modal(ctx, huge, &out), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "less extreme");
  static const double amplitude[] = { 0.0, -1.2, NAN, HUGE_VAL };
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(
        ms_identify_eval_modal(ctx, &m, MS_MODAL_PRINTED, amplitude[i], &omega, NULL, NULL),
        MS_ERR_BOUNDS);
    CHECK_HAS(ms_context_message(ctx), "amplitude");
  }
  CHECK_STATUS(ms_identify_eval_modal(ctx, &m, (ms_modal_form)7, 1.3, &omega, NULL, NULL),
               MS_ERR_ARGUMENT);
  m.omega_0 *= 1.001;
  CHECK_STATUS(ms_identify_eval_modal(ctx, &m, MS_MODAL_PRINTED, 1.3, &omega, NULL, NULL),
               MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "must agree");
  CHECK_NEAR(omega, -7.0, 0.0);
}

/* As an oscillator its stuck mode has omega_0 and zeta_0, and its joint the element. */
static ms_status make_structure(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_status status = ms_identify_modal_structure(ctx, user, &s);
  ms_structure_destroy(&s);
  return status;
}

static void test_oscillator(void) {
  ms_modal_iwan m = model_of(typical);
  ms_structure *s = NULL;
  double value[MS_MODAL_N], force, slope, q[5], omega[5], zeta[5], at;
  CHECK_OK(ms_identify_modal_structure(test_context(), &m, &s));
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[0], m.omega_0, 1e-12);
  CHECK_OK(ms_joint_eval_virgin(ms_structure_get_joint(s, 0), 0.0, &force, &slope));
  CHECK_CLOSE(slope, m.K_T, 1e-12);
  ms_structure_destroy(&s);
  ms_identify_modal_values(&m, value);
  for (int i = 0; i < MS_MODAL_N; i++) CHECK_NEAR(value[i], typical[i], 0.0);
  CHECK_TEXT(ms_identify_modal_unit(MS_MODAL_F_S), "N/sqrt(kg)");
  CHECK(ms_identify_modal_unit(MS_MODAL_N) == NULL);
  CHECK_OK(ms_identify_modal_curve(test_context(), &m, MS_MODAL_CONTINUOUS, 0.031, 3.1, 5, q, omega,
                                   zeta));
  for (int i = 0; i < 5; i++) {
    CHECK_CLOSE(q[i], 0.031 * pow(10.0, 0.5 * i), 1e-12);
    CHECK_OK(
        ms_identify_eval_modal(test_context(), &m, MS_MODAL_CONTINUOUS, q[i], &at, NULL, NULL));
    CHECK_NEAR(omega[i], at, 0.0);
  }
  CHECK(test_allocations(make_structure, &m) > 5);
}

int main(void) {
  TEST(test_make);
  TEST(test_continuous_is_the_element);
  TEST(test_printed);
  TEST(test_forms_compared);
  TEST(test_parameters_round);
  TEST(test_slopes);
  TEST(test_chain);
  TEST(test_clamp);
  TEST(test_refusals);
  TEST(test_oscillator);
  return test_finish();
}
