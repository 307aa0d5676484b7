/* The four-parameter Iwan element: parameter sets, closed forms, extremes, slider form. */
#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/joints.h"

static double step(ms_joint *j, double u, double alpha, double k, double *slope) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  in.alpha = alpha;
  in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  if (slope) *slope = out.du[0];
  return out.force[0];
}

static double get(const ms_joint *j, const char *name) {
  double value = NAN;
  CHECK_OK(ms_joint_get(j, name, &value));
  return value;
}

static void test_conversion_there_and_back(void) {
  static const double chi[] = { -0.97, -0.5, 0.0, 0.37, 2.6 }, beta[] = { 0.0, 0.013, 0.83, 47.1 };
  for (int i = 0; i < 5; i++) {
    for (int b = 0; b < 4; b++) {
      ms_joint *j =
          test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", chi[i], "beta", beta[b], NULL);
      ms_joint *back = test_joint("iwan4", "R", get(j, "R"), "S", get(j, "S"), "phi_max",
                                  get(j, "phi_max"), "chi", chi[i], NULL);
      CHECK_CLOSE(get(back, "F_S"), 11.7, 1e-13);
      CHECK_CLOSE(get(back, "K_T"), 2.385, 1e-13);
      CHECK_NEAR(get(back, "beta"), beta[b], 1e-13 * beta[b]);
      ms_joint_destroy(&j);
      ms_joint_destroy(&back);
    }
  }
}

static void test_reference_parameters(void) {
  ms_joint *j = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
  CHECK_CLOSE(get(j, "phi_max"), 11.25, 1e-15);
  CHECK_CLOSE(get(j, "R"), 0.02484519975, 1e-9);
  CHECK_CLOSE(get(j, "S"), 0.8333333333, 1e-9);
  ms_joint_destroy(&j);
}

/* Formulas written out here on their own: the virgin curve and the loss per cycle. */
static void test_closed_forms(void) {
  static const double chi[] = { -0.83, -0.31, 0.0, 1.9, 5.2 };
  for (int i = 0; i < 5; i++) {
    double x = chi[i];
    ms_joint *j = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", x, "beta", 0.83, NULL);
    double R = get(j, "R"), phi_max = get(j, "phi_max"), F_S = 11.7, D_max;
    D_max = 4.0 * R * pow(phi_max, x + 3.0) / ((x + 2.0) * (x + 3.0));
    for (int n = 0; n < 30; n++) {
      double u = phi_max * pow(10.0, -4.0 + n * 5.0 / 29.0), F, slope, g, D;
      ms_joint_cycle c;
      int inside = u <= phi_max;
      g = inside ? 2.385 * u - R * pow(u, x + 2.0) / ((x + 1.0) * (x + 2.0)) : F_S;
      D = inside ? 4.0 * R * pow(u, x + 3.0) / ((x + 2.0) * (x + 3.0))
                 : D_max + 4.0 * F_S * (u - phi_max);
      CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
      CHECK_CLOSE(F, g, 1e-13);
      CHECK_NEAR(slope, inside ? 2.385 - R * pow(u, x + 1.0) / (x + 1.0) : 0.0, 1e-12);
      CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
      CHECK_CLOSE(c.F0, g, 1e-12);
      CHECK_CLOSE(c.D, D, 1e-9);
      CHECK_CLOSE(c.D_closed_form, D, 1e-12);
    }
    ms_joint_destroy(&j);
  }
}

/* Far out in macroslip the loop must not lose digits to the large displacement. */
static void test_drift(void) {
  ms_joint *near = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  ms_joint *far = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  const double away = 0x1p20;
  step(near, 64.0, 1.0, 1.0, NULL);
  step(far, 64.0 + away, 1.0, 1.0, NULL);
  for (int i = 0; i < 50; i++) {
    double u = 64.0 + ldexp(round(ldexp(6.0 * sin(1.7 * i) * exp(-0.05 * i), 20)), -20);
    double F = step(near, u, 1.0, 1.0, NULL);
    CHECK_NEAR(step(far, u + away, 1.0, 1.0, NULL), F, 1e-14 * 11.7);
  }
  ms_joint_destroy(&near);
  ms_joint_destroy(&far);
}

/* An open joint carries nothing and forgets everything; closing it starts from where it is. */
static void test_lift_off(void) {
  ms_joint *j = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  ms_joint *fresh =
      test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  const double home = 2.9;
  for (int i = 0; i < 20; i++) step(j, 5.0 * sin(0.9 * i), 1.0, 1.0, NULL);
  CHECK_NEAR(step(j, 1.3, 0.0, 1.0, NULL), 0.0, 0.0);
  CHECK_NEAR(step(j, 2.9, 0.0, 1.0, NULL), 0.0, 0.0);
  CHECK_NEAR(step(j, 2.9, 0.0, 1.0, NULL), 0.0, 0.0);
  CHECK_NEAR(step(j, 2.9, 1.0, 1.0, NULL), 0.0, 0.0);
  CHECK_OK(ms_joint_start(fresh, &home));
  for (int i = 0; i < 60; i++) {
    double u = 2.9 + 4.0 * sin(1.1 * i), F = step(fresh, u, 1.0, 1.0, NULL);
    CHECK_NEAR(step(j, u, 1.0, 1.0, NULL), F, 1e-13 * 11.7);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&fresh);
}

/* Where there is no load there is no stiffness either, wherever the anchors are. */
static void test_open_slope(void) {
  static const char *const laws[] = { "iwan4", "iwan5", "jenkins" };
  for (int i = 0; i < 3; i++) {
    double slope = NAN;
    ms_joint *j = test_typical(laws[i]);
    step(j, 2e-5, 1.0, 1.0, NULL);
    step(j, 0.0, 0.0, 2.0, &slope);
    CHECK_NEAR(slope, 0.0, 0.0);
    step(j, 0.0, 0.0, 1.0, &slope);
    CHECK_NEAR(slope, 0.0, 0.0);
    CHECK_OK(ms_joint_start(j, NULL));
    step(j, 0.0, 0.0, 1.0, &slope);
    CHECK_NEAR(slope, 0.0, 0.0);
    ms_joint_destroy(&j);
  }
}

/* Heat while alpha and k grow together: u = 5e-5 s, alpha = k = 1 + 2 s, by quadrature of slip
   force times slip, int (1 + 2 s) m1(u) du/ds ds, m1 = R u^(chi+2)/(chi+2). */
static void test_proportional_heat(void) {
  double heat[2], R, reference = 0.0;
  ms_joint *j = test_typical("iwan4");
  CHECK_OK(ms_joint_get(j, "R", &R));
  for (int i = 0; i < 200000; i++) {
    double s = (i + 0.5) / 200000.0, u = 5e-5 * s;
    reference += (1.0 + 2.0 * s) * R * pow(u, 1.5) / 1.5 * 5e-5 / 200000.0;
  }
  for (int k = 0; k < 2; k++) {
    int n = k ? 200 : 20;
    ms_joint_energy e;
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 1; i <= n; i++) {
      double s = (double)i / n;
      step(j, 5e-5 * s, 1.0 + 2.0 * s, 1.0 + 2.0 * s, NULL);
    }
    CHECK_OK(ms_joint_get_energy(j, &e));
    heat[k] = fabs(e.dissipated / reference - 1.0);
  }
  CHECK_BELOW(heat[0], 5e-3);
  CHECK_BELOW(heat[1], heat[0] / 50.0); /* second order */
  ms_joint_destroy(&j);
}

/* alpha and k in proportion: f = k(t) times the loop at constant load, on the fast path. */
static void test_proportional_load(void) {
  ms_joint *j = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  ms_joint *still =
      test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  for (int i = 0; i < 500; i++) {
    double k = 1.0 + 0.7 * sin(0.37 * i), u = 4.0 * sin(0.11 * i) + 2.0 * cos(0.31 * i);
    double F = step(still, u, 1.0, 1.0, NULL);
    CHECK_NEAR(step(j, u, k, k, NULL), k * F, 1e-13 * 11.7);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&still);
}

static double slider_error(double n, const char *spacing, double chi) {
  ms_joint *exact = test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", chi, "beta", 0.83, NULL);
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_OK(ms_joint_set(j, "F_S", 11.7));
  CHECK_OK(ms_joint_set(j, "K_T", 2.385));
  CHECK_OK(ms_joint_set(j, "chi", chi));
  CHECK_OK(ms_joint_set(j, "beta", 0.83));
  CHECK_OK(ms_joint_set(j, "sliders", n));
  CHECK_OK(ms_joint_set_text(j, "spacing", spacing));
  CHECK_OK(ms_joint_setup(j));
  double worst = 0.0;
  for (int i = 0; i < 700; i++) {
    double u = 7.0 * exp(-0.004 * i) * sin(0.13 * i);
    worst = fmax(worst, fabs(step(j, u, 1.0, 1.0, NULL) - step(exact, u, 1.0, 1.0, NULL)));
  }
  ms_joint_destroy(&exact);
  ms_joint_destroy(&j);
  return worst / 11.7;
}

/* Uniform cells: the first, where the density is singular, errs as h^(2+chi). Geometric cells have
   width phi * 2 ln(n)/n, so their second order is in ln(n)/n. */
static void test_slider_orders(void) {
  double coarse = slider_error(400, "uniform", -0.73), fine = slider_error(6400, "uniform", -0.73);
  CHECK_NEAR(log(coarse / fine) / log(16.0), 2.0 - 0.73, 0.05);
  coarse = slider_error(400, "geometric", -0.31), fine = slider_error(6400, "geometric", -0.31);
  double ratio = (log(400.0) / 400.0) / (log(6400.0) / 6400.0);
  CHECK_NEAR(log(coarse / fine) / log(ratio), 2.0, 0.2);
}

/* What 200 uniform sliders do at small amplitude: nothing below phi_max/400, 88 % too much at
   phi_max/200; geometric spacing stays close. */
static void test_slider_loss(void) {
  ms_joint *uniform = NULL;
  ms_joint *geometric = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0,
                                   "sliders", 200.0, NULL);
  ms_joint_cycle c;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &uniform));
  CHECK_OK(ms_joint_set_text(uniform, "spacing", "uniform"));
  CHECK_OK(ms_joint_set(uniform, "sliders", 200));
  CHECK_OK(ms_joint_set(uniform, "F_S", 10));
  CHECK_OK(ms_joint_set(uniform, "K_T", 1));
  CHECK_OK(ms_joint_set(uniform, "chi", -0.5));
  CHECK_OK(ms_joint_set(uniform, "beta", 5));
  CHECK_OK(ms_joint_setup(uniform));
  CHECK_OK(ms_joint_run_cycle(uniform, 11.25 / 401.0, 0.0, 200, NULL, NULL, &c));
  CHECK_NEAR(c.D, 0.0, 0.0);
  CHECK_OK(ms_joint_run_cycle(uniform, 11.25 / 200.0, 0.0, 200, NULL, NULL, &c));
  CHECK_CLOSE(c.D, 1.875 * c.D_closed_form, 1e-9);
  for (int i = 0; i < 20; i++) {
    CHECK_OK(
        ms_joint_run_cycle(geometric, 11.25 / 200.0 * (1.0 + 0.37 * i), 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.D, c.D_closed_form, 1e-3);
  }
  ms_joint_destroy(&uniform);
  ms_joint_destroy(&geometric);
}

static void test_extreme_parameters(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &j));
  CHECK_OK(ms_joint_set(j, "F_S", 1e300));
  CHECK_OK(ms_joint_set(j, "K_T", 1e-300));
  CHECK_OK(ms_joint_set(j, "chi", 3.0));
  CHECK_OK(ms_joint_set(j, "beta", 0.0));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "less extreme");
  CHECK_OK(ms_joint_set(j, "F_S", 4000));
  CHECK_OK(ms_joint_set(j, "K_T", 1e8));
  CHECK_OK(ms_joint_set(j, "chi", -1.0 + 1e-9));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "close to -1");
  ms_joint_destroy(&j);
}

/* A step that reverses and passes the mirror image at once: what it dissipates is that of many
   small ones, and there and back that of a cycle. */
static void test_loss_of_one_reversal(void) {
  ms_joint *whole =
      test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  ms_joint *parts =
      test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
  static const double to[] = { 3.7, -5.3, 6.1, -6.1, 6.1 };
  double at = 0.0, before = 0.0;
  for (int i = 0; i < 5; i++) {
    ms_joint_energy one, many;
    step(whole, to[i], 1.0, 1.0, NULL);
    for (int k = 1; k <= 23; k++) step(parts, at + (to[i] - at) * k / 23.0, 1.0, 1.0, NULL);
    at = to[i];
    CHECK_OK(ms_joint_get_energy(whole, &one));
    CHECK_OK(ms_joint_get_energy(parts, &many));
    CHECK_CLOSE(one.dissipated, many.dissipated, 1e-12);
    CHECK_CLOSE(one.stored, many.stored, 1e-12);
    if (i == 2) before = one.dissipated;
    if (i < 4) continue;
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(parts, at, 3.1, 200, NULL, NULL, &c));
    CHECK_CLOSE(one.dissipated - before, c.D_closed_form, 1e-11);
  }
  ms_joint_destroy(&whole);
  ms_joint_destroy(&parts);
}

int main(void) {
  TEST(test_loss_of_one_reversal);
  TEST(test_conversion_there_and_back);
  TEST(test_reference_parameters);
  TEST(test_closed_forms);
  TEST(test_drift);
  TEST(test_lift_off);
  TEST(test_open_slope);
  TEST(test_proportional_heat);
  TEST(test_proportional_load);
  TEST(test_slider_orders);
  TEST(test_slider_loss);
  TEST(test_extreme_parameters);
  return test_finish();
}
