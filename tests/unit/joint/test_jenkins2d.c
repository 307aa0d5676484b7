/* Jenkins element in the plane: the straight step is exact, circles, rotation, one axis. */
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/joints.h"

#define F_S  11.7
#define K_T  2.385
#define TURN 6.283185307179586

static ms_joint *element(void) {
  return test_joint("jenkins2d", "F_S", F_S, "K_T", K_T, NULL);
}

static ms_joint_input input(double ux, double uy, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  in.u[0] = ux, in.u[1] = uy, in.alpha = alpha, in.k = k;
  return in;
}

static ms_joint_output move(ms_joint *j, double ux, double uy, double alpha, double k) {
  ms_joint_input in = input(ux, uy, alpha, k);
  ms_joint_output out;
  CHECK_OK(ms_joint_step(j, &in, &out));
  return out;
}

static double lost(const ms_joint *j) {
  ms_joint_energy e = { NAN, NAN };
  CHECK_OK(ms_joint_get_energy(j, &e));
  return e.dissipated;
}

static double stored(const ms_joint *j) {
  ms_joint_energy e = { NAN, NAN };
  CHECK_OK(ms_joint_get_energy(j, &e));
  return e.stored;
}

/* ---- one axis: the 1-D law ---- */

static void compare_axis(int axis, int load) {
  ms_joint *plane = element(), *line = test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
  test_history h = test_wander(line, 7, load);
  for (int i = 0; i < 2000; i++) {
    ms_joint_input in = *test_next(&h), in2 = in;
    ms_joint_output out, out2;
    in2.u[0] = 0.0;
    in2.u[axis] = in.u[0];
    CHECK_OK(ms_joint_step(line, &in, &out));
    CHECK_OK(ms_joint_step(plane, &in2, &out2));
    CHECK_NEAR(out2.force[axis], out.force[0], 1e-14 * F_S * 2.0);
    CHECK_NEAR(out2.force[1 - axis], 0.0, 0.0);
    CHECK_NEAR(out2.du[3 * axis], out.du[0], 1e-14 * K_T);
    CHECK_NEAR(out2.dalpha[axis], out.dalpha[0], 1e-14 * F_S);
    CHECK_NEAR(out2.dk[axis], out.dk[0], 1e-14 * F_S * 8.0);
    if (!load) CHECK_NEAR(lost(plane), lost(line), 1e-13 * lost(line));
  }
  CHECK(lost(line) > 10.0 * F_S * F_S / K_T);
  ms_joint_destroy(&plane);
  ms_joint_destroy(&line);
}

static void test_one_axis(void) {
  for (int axis = 0; axis < 2; axis++) {
    compare_axis(axis, 0);
    compare_axis(axis, 1);
  }
}

/* Loss per steady cycle on a slanted line, 4 F_S (u0 - F_S/K_T), whatever the steps. */
static void test_cycle_on_a_line(void) {
  static const double size[] = { 0.83, 1.37, 6.1 };
  for (int i = 0; i < 3; i++) {
    ms_joint *j = element();
    double u0 = size[i] * F_S / K_T, before = 0.0;
    double want = 4.0 * F_S * fmax(0.0, u0 - F_S / K_T);
    for (int cycle = 0; cycle < 3; cycle++) {
      before = lost(j);
      for (int n = 1; n <= 24; n++) {
        double u = u0 * (n == 12 ? -1.0 : n == 24 ? 1.0 : cos(TURN * n / 24.0));
        move(j, 0.6 * u, -0.8 * u, 1.0, 1.0);
      }
    }
    CHECK_NEAR(lost(j) - before, want, 1e-13 * F_S * u0);
    ms_joint_destroy(&j);
  }
}

/* ---- the straight step ---- */

/* One step, or the same in many: from (u0, r0) to (u1, r1) with u and r linear, k wandering. */
static void compare_cut(ms_joint *whole, ms_joint *cut, const ms_joint_input *from,
                        const ms_joint_input *to, int n) {
  ms_joint_output out = move(whole, to->u[0], to->u[1], to->alpha, to->k), part;
  double r0 = from->alpha / from->k, r1 = to->alpha / to->k;
  for (int i = 1; i <= n; i++) {
    double s = (double)i / n, r = r0 + s * (r1 - r0), k = from->k + s * (to->k - from->k);
    part = move(cut, from->u[0] + s * (to->u[0] - from->u[0]),
                from->u[1] + s * (to->u[1] - from->u[1]), r * k, k);
  }
  for (int a = 0; a < 2; a++) CHECK_NEAR(part.force[a], out.force[a], 1e-12 * F_S);
}

static void test_cut_steps(void) {
  for (int load = 0; load < 2; load++) {
    ms_joint *whole = element(), *cut = element();
    test_history h = test_wander(whole, 91, load);
    ms_joint_input from = MS_JOINT_INPUT_DEFAULT;
    for (int i = 0; i < 400; i++) {
      ms_joint_input to = *test_next(&h);
      if (i % 3) to.u[0] *= 3.7, to.u[1] *= 3.7; /* long slides too */
      compare_cut(whole, cut, &from, &to, 37);
      if (!load) CHECK_NEAR(lost(cut), lost(whole), 1e-12 * lost(whole));
      from = to;
    }
    CHECK(lost(whole) > 100.0 * F_S * F_S / K_T);
    ms_joint_destroy(&whole);
    ms_joint_destroy(&cut);
  }
}

/* The slide itself against its formula: tan(theta/2) falls by exp(-s K_T/F_S). */
static void test_slide_formula(void) {
  double r = F_S / K_T;
  for (int i = 1; i < 30; i++) {
    ms_joint *j = element();
    double theta = 0.0527 * i, s = 0.213 * i * r, c = cos(theta), want;
    move(j, 3.0 * r * c, 3.0 * r * sin(theta), 1.0, 1.0); /* slides at theta to the first axis */
    ms_joint_output out = move(j, 3.0 * r * c + s, 3.0 * r * sin(theta), 1.0, 1.0);
    want = 2.0 * atan(tan(0.5 * theta) * exp(-s / r));
    CHECK_NEAR(out.force[0], F_S * cos(want), 1e-13 * F_S);
    CHECK_NEAR(out.force[1], F_S * sin(want), 1e-13 * F_S);
    double slid = r * log(sin(theta) / sin(want));
    CHECK_NEAR(lost(j), F_S * (2.0 * r + slid), 1e-12 * F_S * s);
    ms_joint_destroy(&j);
  }
}

/* Straight back from the circle: the slider holds for 2 r, then slips the other way. */
static void test_reversal(void) {
  double r = F_S / K_T, c = cos(2.1), s = sin(2.1);
  for (int i = 0; i < 60; i++) {
    ms_joint *j = element();
    double back = 0.05 * r * i, F = fmax(F_S - K_T * back, -F_S), across = 1e-9 * r * (i % 3 - 1);
    move(j, 4.0 * r * c, 4.0 * r * s, 1.0, 1.0);
    ms_joint_output out =
        move(j, (4.0 * r - back) * c - across * s, (4.0 * r - back) * s + across * c, 1.0, 1.0);
    CHECK_NEAR(out.force[0] * c + out.force[1] * s, F, 1e-13 * F_S);
    CHECK_NEAR(out.force[1] * c - out.force[0] * s, 0.0, 2e-9 * F_S);
    for (int a = 0; a < 4; a++) CHECK(isfinite(out.du[a]));
    ms_joint_destroy(&j);
  }
}

/* ---- curves ---- */

static void circle(double t, double size, double *u) {
  u[0] = size * cos(t), u[1] = size * sin(t);
}

static void figure_eight(double t, double size, double *u) {
  u[0] = size * sin(t), u[1] = 0.71 * size * sin(2.0 * t + 0.3);
}

typedef void path(double t, double size, double *u);

/* Turns 1 to n_turn with n points each; loss of the last turn, worst |F|/F_S. */
static double run_turns(ms_joint *j, path *at, double size, int n, int n_turn, double *worst) {
  double before = 0.0, u[2];
  for (int i = 0; i <= n * n_turn; i++) {
    at(TURN * i / n, size, u);
    ms_joint_output out = move(j, u[0], u[1], 1.0, 1.0);
    *worst = fmax(*worst, hypot(out.force[0], out.force[1]) / F_S);
    if (i == n * (n_turn - 1)) before = lost(j);
  }
  return lost(j) - before;
}

static void test_inside_the_circle(void) {
  static path *const paths[] = { circle, figure_eight };
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < 6; i++) {
      ms_joint *j = element();
      double worst = 0.0, size = (0.7 + 1.3 * i) * F_S / K_T;
      double D = run_turns(j, paths[p], size, 97, 5, &worst);
      CHECK_BELOW(worst, 1.0 + 2e-15);
      if (i > 0) CHECK(worst > 1.0 - 1e-12 && D > 0.0); /* it is reached */
      ms_joint_destroy(&j);
    }
  }
}

/* Steady sliding round a circle: the slider goes round with radius sqrt(u0^2 - (F_S/K_T)^2).
   The path is a polygon of n corners, so the loss per turn comes with an error of second order. */
static void test_circular_sliding(void) {
  static const double ratio[] = { 1.13, 1.9, 7.3 };
  double r = F_S / K_T;
  for (int i = 0; i < 3; i++) {
    double u0 = ratio[i] * r, want = TURN * F_S * sqrt(u0 * u0 - r * r), error[3], worst = 0.0;
    for (int n = 0; n < 3; n++) {
      ms_joint *j = element();
      error[n] = run_turns(j, circle, u0, 100 << (2 * n), 12, &worst) / want - 1.0;
      ms_joint_destroy(&j);
    }
    printf("#   u0 = %.2f F_S/K_T: relative error %.2e %.2e %.2e at 100, 400, 1600 points\n",
           ratio[i], error[0], error[1], error[2]);
    CHECK_BELOW(fabs(error[2]), 1e-5);
    CHECK_NEAR(log(error[0] / error[1]) / log(4.0), 2.0, 0.02);
    CHECK_NEAR(log(error[1] / error[2]) / log(4.0), 2.0, 0.02);
  }
}

/* The same path seen from turned axes. */
static void test_rotation(void) {
  static const double angle[] = { 0.7321, 2.9, -1.6 };
  for (int i = 0; i < 3; i++) {
    ms_joint *j = element(), *turned = element();
    double c = cos(angle[i]), s = sin(angle[i]);
    test_history h = test_wander(j, 61, 1);
    for (int n = 0; n < 1000; n++) {
      const ms_joint_input *in = test_next(&h);
      double x = in->u[0], y = in->u[1];
      ms_joint_output a = move(j, x, y, in->alpha, in->k);
      ms_joint_output b = move(turned, c * x - s * y, s * x + c * y, in->alpha, in->k);
      CHECK_NEAR(b.force[0], c * a.force[0] - s * a.force[1], 1e-12 * F_S);
      CHECK_NEAR(b.force[1], s * a.force[0] + c * a.force[1], 1e-12 * F_S);
      CHECK_NEAR(lost(turned), lost(j), 1e-12 * lost(j));
    }
    ms_joint_destroy(&j);
    ms_joint_destroy(&turned);
  }
}

/* ---- against the differential equation, written out here ---- */

/* A curved path that keeps sliding, with the load varying: t from 0 to 1. */
static void curve(double t, double *u, double *alpha, double *k) {
  double r = F_S / K_T, phase = 0.4 + 5.1 * t;
  u[0] = r * (3.0 + 4.0 * sin(phase) + 0.6 * sin(3.0 * phase));
  u[1] = r * (1.0 - 3.1 * cos(phase + 0.2));
  *alpha = 1.0 + 0.31 * sin(4.3 * t);
  *k = 1.0 - 0.23 * sin(2.9 * t);
}

/* While slipping e = r n(phi): r dphi/dt = n' . du/dt, and the slider moves at n . du/dt - dr/dt.
 */
typedef struct slip_rate {
  double phi, slip, heat;
} slip_rate;

static slip_rate rate(double t, double phi) {
  const double dt = 1e-5;
  double a[2], b[2], alpha[2], k[2];
  curve(t - dt, a, &alpha[0], &k[0]);
  curve(t + dt, b, &alpha[1], &k[1]);
  double v[2] = { (b[0] - a[0]) / (2.0 * dt), (b[1] - a[1]) / (2.0 * dt) };
  double r0 = alpha[0] / k[0] * F_S / K_T, r1 = alpha[1] / k[1] * F_S / K_T;
  slip_rate out = { .phi = 2.0 * (v[1] * cos(phi) - v[0] * sin(phi)) / (r0 + r1) };
  out.slip = v[0] * cos(phi) + v[1] * sin(phi) - (r1 - r0) / (2.0 * dt);
  out.heat = 0.5 * (alpha[0] + alpha[1]) * F_S * out.slip;
  return out;
}

typedef struct slide_end {
  double phi, heat, least; /* least slip rate on the way */
} slide_end;

/* Runge-Kutta of fourth order with n steps. */
static slide_end reference(double phi, int n) {
  slide_end end = { phi, 0.0, HUGE_VAL };
  double h = 1.0 / n;
  for (int i = 0; i < n; i++) {
    double t = i * h;
    slip_rate a = rate(t, end.phi), b = rate(t + 0.5 * h, end.phi + 0.5 * h * a.phi);
    slip_rate c = rate(t + 0.5 * h, end.phi + 0.5 * h * b.phi),
              d = rate(t + h, end.phi + h * c.phi);
    end.phi += h * (a.phi + 2.0 * b.phi + 2.0 * c.phi + d.phi) / 6.0;
    end.heat += h * (a.heat + 2.0 * b.heat + 2.0 * c.heat + d.heat) / 6.0;
    end.least = fmin(end.least, a.slip);
  }
  return end;
}

/* Relative errors of force and heat with n steps. */
static void curve_errors(int n, const slide_end *want, double *force, double *heat) {
  ms_joint *j = element();
  double u[2], alpha, k, far = 40.0 * F_S / K_T;
  ms_joint_output out;
  curve(0.0, u, &alpha, &k);
  move(j, u[0] - far * cos(0.3), u[1] - far * sin(0.3), 0.0, 1.0);
  move(j, u[0], u[1], 1.0, 1.0); /* from an open joint: the force points along the step */
  double before = lost(j);
  for (int i = 1; i <= n; i++) {
    curve((double)i / n, u, &alpha, &k);
    out = move(j, u[0], u[1], alpha, k);
  }
  double F[2] = { alpha * F_S * cos(want->phi), alpha * F_S * sin(want->phi) };
  *force = hypot(out.force[0] - F[0], out.force[1] - F[1]) / F_S;
  *heat = fabs(lost(j) - before - want->heat) / want->heat;
  ms_joint_destroy(&j);
}

static void test_curved_path(void) {
  slide_end want = reference(0.3, 20000);
  double force[2], heat[2];
  CHECK(want.least > 0.0); /* it does slide all the way */
  curve_errors(200, &want, &force[0], &heat[0]);
  curve_errors(3200, &want, &force[1], &heat[1]);
  CHECK_BELOW(force[1], 1e-6);
  CHECK_BELOW(heat[1], 1e-6);
  CHECK_NEAR(log(force[0] / force[1]) / log(16.0), 2.0, 0.05);
  CHECK_NEAR(log(heat[0] / heat[1]) / log(16.0), 2.0, 0.05);
}

/* Sticking and slipping: radial return in very many small steps, first order, beside the law. */
static void test_small_returns(void) {
  enum { N = 200, CUT = 4000 };
  ms_joint *j = element();
  double x[2] = { 0.0, 0.0 }, u[2], old[2] = { 0.0, 0.0 }, r = F_S / K_T, D = 0.0, worst = 0.0;
  for (int i = 0; i <= N; i++) {
    figure_eight(2.0 * TURN * i / N, 2.7 * r, u);
    ms_joint_output out = move(j, u[0], u[1], 1.0, 1.0);
    for (int c = 1; c <= CUT; c++) {
      double s = (double)c / CUT;
      double e[2] = { old[0] + s * (u[0] - old[0]) - x[0], old[1] + s * (u[1] - old[1]) - x[1] };
      double size = hypot(e[0], e[1]);
      if (size <= r) continue;
      for (int a = 0; a < 2; a++) x[a] += (1.0 - r / size) * e[a];
      D += F_S * (size - r);
    }
    for (int a = 0; a < 2; a++) {
      worst = fmax(worst, fabs(out.force[a] - K_T * (u[a] - x[a])));
      old[a] = u[a];
    }
  }
  CHECK_BELOW(worst / F_S, 2e-5);
  CHECK_CLOSE(lost(j), D, 2e-5);
  ms_joint_destroy(&j);
}

/* ---- derivatives, limits ---- */

/* Force after changing one end value of the step by d. */
static ms_joint_output changed(const ms_joint *j, ms_joint_input in, int which, double d) {
  ms_joint_output out;
  ms_joint_trial trial;
  double *moving[] = { &in.u[0], &in.u[1], &in.alpha, &in.k };
  *moving[which] += d;
  CHECK_OK(ms_joint_update(j, &in, &out, &trial));
  return out;
}

static void check_slopes(const ms_joint *j, ms_joint_input in) {
  ms_joint_output at = changed(j, in, 0, 0.0);
  const double *wanted[] = { &at.du[0], &at.du[2], at.dalpha, at.dk };
  for (int which = 0; which < 4; which++) {
    double d = which < 2 ? 1e-5 * F_S / K_T : 1e-5, unit = which < 2 ? K_T : F_S;
    ms_joint_output high = changed(j, in, which, d), low = changed(j, in, which, -d);
    for (int a = 0; a < 2; a++) {
      double slope = (high.force[a] - low.force[a]) / (2.0 * d);
      CHECK_NEAR(wanted[which][a], slope, 1e-8 * unit);
    }
  }
}

/* Stick, then slip within the step, with and without a change of load. */
static void test_slopes(void) {
  ms_joint *j = element();
  double r = F_S / K_T;
  move(j, 0.31 * r, -0.52 * r, 1.0, 1.0);
  check_slopes(j, input(0.9 * r, 1.9 * r, 1.0, 1.0));
  check_slopes(j, input(0.9 * r, 1.9 * r, 0.8, 1.3));
  check_slopes(j, input(2.9 * r, 0.9 * r, 1.31, 0.7));
  check_slopes(j, input(0.31 * r, -0.52 * r, 0.3, 1.0)); /* only the load moves */
  move(j, 2.31 * r, -1.52 * r, 1.0, 1.0);
  check_slopes(j, input(2.5 * r, 1.9 * r, 1.1, 1.0));
  check_slopes(j, input(1.9 * r, -1.3 * r, 0.2, 1.0)); /* unloads, and the circle catches it */
  ms_joint_destroy(&j);
}

/* An open joint carries nothing and forgets; closing it starts from where it is. */
static void test_open(void) {
  ms_joint *j = element();
  double r = F_S / K_T;
  move(j, 3.0 * r, 1.7 * r, 1.0, 1.0);
  ms_joint_output out = move(j, 4.0 * r, 1.9 * r, 0.0, 1.0);
  for (int a = 0; a < 2; a++) CHECK_NEAR(out.force[a], 0.0, 0.0);
  CHECK_NEAR(stored(j), 0.0, 0.0);
  move(j, 9.0 * r, -1.0 * r, 0.0, 1.0);
  move(j, 9.0 * r, -1.0 * r, 1.0, 1.0);
  out = move(j, 9.4 * r, -1.3 * r, 1.0, 1.0);
  CHECK_NEAR(out.force[0], 0.4 * F_S, 1e-14 * F_S);
  CHECK_NEAR(out.force[1], -0.3 * F_S, 1e-14 * F_S);
  ms_joint_destroy(&j);
}

/* Letting the load go where the joint stands turns what is stored into heat, all of it. */
static void test_release(void) {
  ms_joint *j = element();
  double r = F_S / K_T;
  move(j, 0.36 * r, 0.27 * r, 1.0, 1.0);
  double held = stored(j);
  CHECK_CLOSE(held, 0.5 * 0.45 * 0.45 * F_S * r, 1e-14);
  move(j, 0.36 * r, 0.27 * r, 0.0, 1.0);
  CHECK_CLOSE(lost(j), held, 1e-14);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_one_axis);
  TEST(test_cycle_on_a_line);
  TEST(test_cut_steps);
  TEST(test_slide_formula);
  TEST(test_reversal);
  TEST(test_inside_the_circle);
  TEST(test_circular_sliding);
  TEST(test_rotation);
  TEST(test_curved_path);
  TEST(test_small_returns);
  TEST(test_slopes);
  TEST(test_open);
  TEST(test_release);
  return test_finish();
}
