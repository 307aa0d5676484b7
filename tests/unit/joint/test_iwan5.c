/* The five-parameter Iwan element: closed forms from the virgin state and after a ring-down, plain
   sliders written here, iwan4 as its limit, invariance, persistent macroslip. */
#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/joints.h"

#define F_S 11.7
#define K_T 2.385

static ms_joint *make(double chi, double beta, double theta) {
  return test_joint("iwan5", "F_S", F_S, "K_T", K_T, "chi", chi, "beta", beta, "theta", theta,
                    NULL);
}

static double step(ms_joint *j, double u, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  in.alpha = alpha;
  in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out.force[0];
}

static double get(const ms_joint *j, const char *name) {
  double value = NAN;
  CHECK_OK(ms_joint_get(j, name, &value));
  return value;
}

static double lost(const ms_joint *j) {
  ms_joint_energy e = { NAN, NAN };
  CHECK_OK(ms_joint_get_energy(j, &e));
  return e.dissipated;
}

/* ---- closed forms, written out on their own ---- */

static double virgin_F0(double R, double x, double t, double K, double u) {
  return K * u - R * (x + 2.0 - t * (x + 1.0)) * pow(u, x + 2.0) / ((x + 1.0) * (x + 2.0));
}

static double virgin_D(double R, double x, double t, double u) {
  double a = 2.0 * t * (x + 4.0) + (1.0 - 3.0 * t * t) * (x + 2.0);
  return R * a * pow(u, x + 3.0) / ((x + 2.0) * (x + 3.0));
}

/* Every slider slips in both directions, the delta too. */
static double macroslip_D(double R, double S, double x, double t, double phi_max, double u) {
  double a = 4.0 * S * t * u * phi_max + S * (1.0 - 2.0 * t - 3.0 * t * t) * phi_max * phi_max;
  double m1 = R * pow(phi_max, x + 2.0) / (x + 2.0), m2 = R * pow(phi_max, x + 3.0) / (x + 3.0);
  return a + 4.0 * t * u * m1 + (1.0 - 2.0 * t - 3.0 * t * t) * m2;
}

static void check_closed_forms(double chi, double theta) {
  ms_joint *j = make(chi, 0.83, theta);
  double R = get(j, "R"), S = get(j, "S"), phi_max = get(j, "phi_max");
  for (int n = 0; n < 30; n++) {
    double u = phi_max * pow(10.0, -4.0 + n * 5.0 / 29.0), F, slope;
    int inside = u < phi_max;
    double F0 = inside ? virgin_F0(R, chi, theta, K_T, u) : theta * F_S;
    double D = inside ? virgin_D(R, chi, theta, u) : macroslip_D(R, S, chi, theta, phi_max, u);
    double dF = inside
                    ? K_T - R * (chi + 2.0 - theta * (chi + 1.0)) * pow(u, chi + 1.0) / (chi + 1.0)
                    : 0.0;
    ms_joint_cycle c;
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_CLOSE(F, F0, 1e-13);
    CHECK_NEAR(slope, dF, 1e-12);
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.F0, F0, 1e-12);
    CHECK_CLOSE(c.D, D, 1e-11);
    CHECK_CLOSE(c.D_closed_form, D, 1e-12);
  }
  ms_joint_destroy(&j);
}

static void test_closed_forms(void) {
  static const double chi[] = { -0.83, -0.31, 0.0, 1.9 }, theta[] = { 0.8, 0.5, 0.137, 1.0 };
  for (int i = 0; i < 4; i++) {
    for (int t = 0; t < 4; t++) check_closed_forms(chi[i], theta[t]);
  }
}

/* Published numbers; they hold for F_S = int rho phi, the static force. */
static void test_reference_numbers(void) {
  ms_joint *j =
      test_joint("iwan5", "F_S", 10.0, "K_T", 1.0, "chi", -0.3, "beta", 5.0, "theta", 0.8, NULL);
  ms_joint_cycle c;
  CHECK_OK(ms_joint_run_cycle(j, 0.5 * get(j, "phi_max"), 0.0, 500, NULL, NULL, &c));
  CHECK_CLOSE(c.F0, 5.16209113, 1e-8);
  CHECK_CLOSE(c.D, 2.09442916, 1e-8);
  CHECK_CLOSE(step(j, 1.7 * get(j, "phi_max"), 1.0, 1.0), 0.8 * 10.0, 1e-14);
  ms_joint_destroy(&j);
}

/* ---- after a ring-down ---- */

/* From 1.5 phi_max down to u0, a little less at each reversal; ends at -u0. */
static void ring_down(ms_joint *j, double u0, int reversals) {
  double from = 1.5 * get(j, "phi_max");
  for (int i = 0; i <= reversals; i++) {
    step(j, (from + (u0 - from) * i / reversals) * (i % 2 ? -1.0 : 1.0), 1.0, 1.0);
  }
  CHECK(reversals % 2 == 1);
}

/* uc = 2 u0/(1 + theta) takes the place of u0 as the limit of the sliders that slip. The sliders of
   the delta stick all at once, stretched to one side: a constant force of S (1 - theta)/2 phi_max
   stays, to the side of the last macroslip, and F0 is half the range. */
static void check_ring_down(double chi, double beta, double theta, double part) {
  ms_joint *j = make(chi, beta, theta);
  double R = get(j, "R"), phi_max = get(j, "phi_max"), u0 = part * phi_max;
  double uc = 2.0 * u0 / (1.0 + theta), left = 0.5 * get(j, "S") * (1.0 - theta) * phi_max;
  double F0 = K_T * u0 + R * (theta * pow(uc, chi + 2.0) / (chi + 2.0) -
                              u0 * pow(uc, chi + 1.0) / (chi + 1.0));
  double D = R * (4.0 * theta * u0 * pow(uc, chi + 2.0) / (chi + 2.0) +
                  (1.0 - 2.0 * theta - 3.0 * theta * theta) * pow(uc, chi + 3.0) / (chi + 3.0));
  ring_down(j, u0, 20001);
  double before = lost(j), high = step(j, u0, 1.0, 1.0), low = step(j, -u0, 1.0, 1.0);
  CHECK_CLOSE(0.5 * (high - low), F0, 1e-3);
  CHECK_NEAR(fabs(0.5 * (high + low)), left, 1e-3 * F0);
  CHECK_CLOSE(lost(j) - before, D, 1e-3);
  CHECK(fabs(virgin_D(R, chi, theta, u0) / D - 1.0) > 0.01); /* the other formulas would not do */
  CHECK(fabs(virgin_F0(R, chi, theta, K_T, u0) / F0 - 1.0) > 0.002);
  ms_joint_destroy(&j);
}

static void test_after_ring_down(void) {
  check_ring_down(-0.31, 0.0, 0.8, 0.43);
  check_ring_down(-0.31, 0.83, 0.8, 0.43);
  check_ring_down(-0.31, 0.83, 0.5, 0.43);
  check_ring_down(0.4, 0.0, 0.5, 0.71);
}

/* Sliders between (1 + theta)/2 phi <= u0 < phi slip on if they slipped before, and do not begin by
   themselves. So macroslip goes on below phi_max, down to (1 + theta)/2 phi_max. */
static void test_macroslip_persists(void) {
  const double theta = 0.6;
  ms_joint *j = make(-0.31, 0.83, theta);
  double R = get(j, "R"), S = get(j, "S"), phi_max = get(j, "phi_max"), lowest = 0.0;
  for (int i = 0; i < 40; i++) {
    double u0 = phi_max * (0.617 + 0.0127 * i);
    ms_joint_cycle c;
    CHECK_OK(ms_joint_run_cycle(j, u0, 0.0, 100, NULL, NULL, &c));
    if (u0 < phi_max) CHECK_CLOSE(c.D, virgin_D(R, -0.31, theta, u0), 1e-11);
    CHECK_OK(ms_joint_start(j, NULL));
    step(j, 1.5 * phi_max, 1.0, 1.0);
    for (int n = 0; n < 5; n++) step(j, n % 2 ? u0 : -u0, 1.0, 1.0);
    double before = lost(j), F = step(j, u0, 1.0, 1.0);
    int sliding = fabs(F - theta * F_S) < 1e-12 * F_S;
    CHECK_EQUAL(sliding, u0 >= 0.5 * (1.0 + theta) * phi_max);
    if (!sliding) continue;
    if (lowest == 0.0) lowest = u0;
    CHECK_CLOSE(step(j, -u0, 1.0, 1.0), -theta * F_S, 1e-12);
    CHECK_CLOSE(lost(j) - before, macroslip_D(R, S, -0.31, theta, phi_max, u0), 1e-11);
  }
  CHECK_NEAR(lowest, 0.5 * (1.0 + theta) * phi_max, 0.0127 * phi_max);
  ms_joint_destroy(&j);
}

/* ---- plain sliders, one by one, in time order ---- */

typedef struct plain {
  int n;
  double *phi, *k, *e, theta, lost;
  int *slips;
} plain;

/* n cells of equal width, each slider in the middle with the cell's stiffness, and the delta. */
static plain make_plain(const ms_joint *j, int n, double theta) {
  plain p = { .n = n + 1, .theta = theta };
  double R = get(j, "R"), chi = get(j, "chi"), phi_max = get(j, "phi_max");
  p.phi = calloc((size_t)p.n, sizeof *p.phi);
  p.k = calloc((size_t)p.n, sizeof *p.k);
  p.e = calloc((size_t)p.n, sizeof *p.e);
  p.slips = calloc((size_t)p.n, sizeof *p.slips);
  for (int i = 0; i < n; i++) {
    double low = phi_max * i / n, high = phi_max * (i + 1) / n;
    p.phi[i] = 0.5 * (low + high);
    p.k[i] = R * (pow(high, chi + 1.0) - pow(low, chi + 1.0)) / (chi + 1.0);
  }
  p.phi[n] = phi_max;
  p.k[n] = get(j, "S");
  return p;
}

static void free_plain(plain *p) {
  free(p->phi);
  free(p->k);
  free(p->e);
  free(p->slips);
}

/* One monotone move: what happens to each slider, in words. */
static double move_plain(plain *p, double du) {
  int way = du > 0.0 ? 1 : -1;
  double F = 0.0;
  for (int i = 0; i < p->n; i++) {
    double slide = 0.0;
    if (p->slips[i] == -way) p->slips[i] = 0; /* turned back: it sticks where it is */
    if (p->slips[i] == way) {
      slide = fabs(du);
    } else if (way * (p->e[i] + du) >= p->phi[i]) { /* reaches its limit on the way, and drops */
      double phi = p->phi[i];
      slide = way * (p->e[i] + du) - phi;
      p->lost += 0.5 * p->k[i] * phi * phi * (1.0 - p->theta * p->theta);
      p->slips[i] = way;
    } else {
      p->e[i] += du;
    }
    if (p->slips[i] == way) {
      p->e[i] = way * p->theta * p->phi[i];
      p->lost += p->k[i] * p->theta * p->phi[i] * slide;
    }
    F += p->k[i] * p->e[i];
  }
  return F;
}

/* Largest difference in force on a wandering history, over the largest force; *loss likewise. */
static double plain_error(double chi, double beta, double theta, int n, int steps, double *loss) {
  ms_joint *j = make(chi, beta, theta);
  plain p = make_plain(j, n, theta);
  test_history h = test_wander(j, 71, 0);
  double u = 0.0, worst = 0.0, peak = 0.0;
  for (int i = 0; i < steps; i++) {
    double next = 0.7 * test_next(&h)->u[0], F = step(j, next, 1.0, 1.0);
    worst = fmax(worst, fabs(move_plain(&p, next - u) - F));
    peak = fmax(peak, fabs(F));
    u = next;
  }
  *loss = fabs(lost(j) / p.lost - 1.0);
  free_plain(&p);
  ms_joint_destroy(&j);
  return worst / peak;
}

/* The drop makes the sliders' error first order in their number: one slider more or less at a front
   is (1 - theta) of its force. Where n sliders err by 1e-5 to 1e-4, ten times as many do by a
   tenth. */
static void test_plain_sliders(void) {
  double coarse_loss, loss;
  for (int i = 0; i < 3; i++) {
    double theta = 0.9 - 0.2 * i;
    double coarse = plain_error(-0.31, 0.83, theta, 10000, 150, &coarse_loss);
    double fine = plain_error(-0.31, 0.83, theta, 100000, 150, &loss);
    CHECK_BELOW(fine, 1e-5);
    CHECK_BELOW(loss, 1e-6);
    CHECK_BELOW(fine, 0.3 * coarse);
    CHECK_BELOW(0.03 * coarse, fine);
  }
  CHECK_BELOW(plain_error(0.4, 0.0, 0.25, 100000, 150, &loss), 2e-5);
}

/* ---- the discrete form of the law, any load ---- */

static double discrete_error(double n, const char *spacing) {
  ms_joint *exact = make(-0.31, 0.83, 0.7), *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan5", &j));
  CHECK_OK(ms_joint_set(j, "F_S", F_S));
  CHECK_OK(ms_joint_set(j, "K_T", K_T));
  CHECK_OK(ms_joint_set(j, "chi", -0.31));
  CHECK_OK(ms_joint_set(j, "beta", 0.83));
  CHECK_OK(ms_joint_set(j, "theta", 0.7));
  CHECK_OK(ms_joint_set(j, "sliders", n));
  CHECK_OK(ms_joint_set_text(j, "spacing", spacing));
  CHECK_OK(ms_joint_setup(j));
  double worst = 0.0;
  for (int i = 0; i < 400; i++) {
    double u = 5.0 * sin(0.13 * i) + 2.0 * cos(0.71 * i);
    double alpha = 1.0 + 0.6 * sin(0.31 * i), k = 1.0 + 0.4 * cos(0.17 * i);
    worst = fmax(worst, fabs(step(j, u, alpha, k) - step(exact, u, alpha, k)));
  }
  CHECK_CLOSE(lost(j), lost(exact), n > 50000 ? 1e-5 : 1e-2);
  ms_joint_destroy(&exact);
  ms_joint_destroy(&j);
  return worst / F_S;
}

static void test_discrete_form(void) {
  CHECK_BELOW(discrete_error(1000, "uniform"), 2e-3);
  CHECK_BELOW(discrete_error(100000, "uniform"), 2e-5);
  CHECK_BELOW(discrete_error(100000, "geometric"), 2e-4);
}

/* ---- limits and invariance ---- */

/* theta = 1 is the four-parameter element, load and stiffness varying too. */
static void test_limit_iwan4(void) {
  for (int load = 0; load < 2; load++) {
    ms_joint *j = make(-0.31, 0.83, 1.0);
    ms_joint *four = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", -0.31, "beta", 0.83, NULL);
    test_history h = test_wander(j, 81, load);
    for (int i = 0; i < 3000; i++) {
      const ms_joint_input *in = test_next(&h);
      ms_joint_output out, want;
      ms_joint_energy e, e_want;
      CHECK_OK(ms_joint_step(j, in, &out));
      CHECK_OK(ms_joint_step(four, in, &want));
      CHECK_NEAR(out.force[0], want.force[0], 1e-12 * F_S);
      CHECK_NEAR(out.du[0], want.du[0], 1e-11 * K_T);
      CHECK_NEAR(out.dalpha[0], want.dalpha[0], 1e-11 * F_S);
      CHECK_NEAR(out.dk[0], want.dk[0], 1e-11 * F_S);
      CHECK_OK(ms_joint_get_energy(j, &e));
      CHECK_OK(ms_joint_get_energy(four, &e_want));
      CHECK_NEAR(e.stored, e_want.stored, 1e-12 * F_S * get(j, "phi_max"));
      CHECK_NEAR(e.dissipated, e_want.dissipated, 1e-12 * e_want.dissipated);
    }
    ms_joint_destroy(&j);
    ms_joint_destroy(&four);
  }
}

/* A monotone step in one or in uneven parts, with a pause: the same. */
static void test_subdivision(void) {
  ms_joint *j = make(-0.31, 0.83, 0.6), *parts = make(-0.31, 0.83, 0.6);
  test_history h = test_wander(j, 91, 0);
  double u = 0.0;
  for (int i = 0; i < 1000; i++) {
    double next = test_next(&h)->u[0], F = step(j, next, 1.0, 1.0);
    for (int n = 1; n < 9; n++) step(parts, u + (next - u) * pow(n / 9.0, 1.7), 1.0, 1.0);
    CHECK_NEAR(step(parts, next, 1.0, 1.0), F, 1e-12 * F_S);
    CHECK_NEAR(step(parts, next, 1.0, 1.0), F, 1e-12 * F_S);
    CHECK_NEAR(lost(parts), lost(j), 1e-12 * lost(j));
    u = next;
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&parts);
}

/* Where a front stands the tangent is that of going on. */
static void test_slope_at_rest(void) {
  ms_joint *j = make(-0.31, 0.83, 0.6);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output on, rest;
  for (int i = 0; i < 30; i++) {
    double u = 4.0 * pow(0.93, i) * (i % 2 ? -1.0 : 1.0);
    step(j, 0.98 * u, 1.0, 1.0);
    in.u[0] = u;
    CHECK_OK(ms_joint_step(j, &in, &on));
    CHECK_OK(ms_joint_step(j, &in, &rest));
    CHECK_NEAR(rest.force[0], on.force[0], 1e-13 * F_S);
    CHECK_NEAR(rest.du[0], on.du[0], 1e-11 * K_T);
  }
  ms_joint_destroy(&j);
}

/* Far out in macroslip, and a joint that opens and closes: as iwan4. */
static void test_drift_and_lift_off(void) {
  ms_joint *near = make(-0.31, 0.83, 0.6), *far = make(-0.31, 0.83, 0.6);
  const double away = 0x1p20, home = 2.9;
  step(near, 64.0, 1.0, 1.0);
  step(far, 64.0 + away, 1.0, 1.0);
  for (int i = 0; i < 50; i++) {
    double u = 64.0 + ldexp(round(ldexp(6.0 * sin(1.7 * i) * exp(-0.05 * i), 20)), -20);
    double F = step(near, u, 1.0, 1.0);
    CHECK_NEAR(step(far, u + away, 1.0, 1.0), F, 1e-13 * F_S);
  }
  CHECK_NEAR(step(near, 1.3, 0.0, 1.0), 0.0, 0.0);
  CHECK_NEAR(step(near, 2.9, 0.0, 1.0), 0.0, 0.0);
  CHECK_NEAR(step(near, 2.9, 1.0, 1.0), 0.0, 0.0);
  CHECK_OK(ms_joint_start(far, &home));
  for (int i = 0; i < 60; i++) {
    double u = 2.9 + 4.0 * sin(1.1 * i), F = step(far, u, 1.0, 1.0);
    CHECK_NEAR(step(near, u, 1.0, 1.0), F, 1e-13 * F_S);
  }
  ms_joint_destroy(&near);
  ms_joint_destroy(&far);
}

int main(void) {
  TEST(test_closed_forms);
  TEST(test_reference_numbers);
  TEST(test_after_ring_down);
  TEST(test_macroslip_persists);
  TEST(test_plain_sliders);
  TEST(test_discrete_form);
  TEST(test_limit_iwan4);
  TEST(test_subdivision);
  TEST(test_slope_at_rest);
  TEST(test_drift_and_lift_off);
  return test_finish();
}
