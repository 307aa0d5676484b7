/* Floquet multipliers against closed forms, against the decay of disturbances in long runs in time,
   and against a friction oscillator integrated here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/harmonic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

typedef struct oscillator {
  double m, k, zeta, F;
  double F_S, K_T, K3; /* of a Jenkins element and a cubic spring beside it */
} oscillator;

static void take(ms_structure *s, const char *name, ms_joint *j, ptrdiff_t from, ptrdiff_t to) {
  CHECK_OK(ms_structure_take_joint(s, name, &j, &from, &to));
}

static ms_structure *build(const oscillator *o, ms_joint *joint) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, o->m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, o->k));
  take(s, "joint", joint, MS_GROUND, 0);
  if (o->K3 > 0.0) take(s, "cubic", test_joint("cubic", "K", 0.0, "K3", o->K3, NULL), MS_GROUND, 0);
  CHECK_OK(ms_structure_set_modal_damping(s, &o->zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_harmonic_curve *follow(ms_structure *s, double F, int harmonics, ptrdiff_t times,
                                 const ms_harmonic_range *range) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, (const double[]) { 1.0, 0.0 }, 1, F, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, range, 1.0, &curve));
  CHECK(ms_harmonic_curve_get_info(curve).complete);
  CHECK_TEXT(ms_harmonic_curve_get_info(curve).reason, "");
  ms_harmonic_destroy(&h);
  return curve;
}

/* ---- linear ---- */

/* Two masses, all joints stuck: exp(-zeta omega T) of the mode that decays most slowly. Joints with
   and without memory, and one that remembers how it moved though it gives no force for it. */
static void test_linear(void) {
  const double k[] = { 37.0, 23.0 }, zeta[] = { 0.021, 0.0043 };
  const ptrdiff_t times[] = { 512, 1024 };
  double omega[2], worst[2] = { 0.0, 0.0 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 - 0.4 * (double)i));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, k[i]));
  }
  take(s, "a", test_joint("jenkins", "F_S", 2.9e3, "K_T", 31.0, NULL), 0, 1);
  take(s, "b", test_joint("linear", "K", 12.0, "C", 0.0, NULL), 1, MS_GROUND);
  take(s, "c", test_joint("dahl", "F_c", 1e9, "sigma_0", 7.3, NULL), 1, MS_GROUND);
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  for (int i = 0; i < 2; i++) omega[i] = ms_structure_get_stuck(s).omega[i];
  for (int t = 0; t < 2; t++) {
    ms_harmonic_curve *curve =
        follow(s, 0.31, 3, times[t], &(ms_harmonic_range) { .from = 2.1, .to = 9.7 });
    for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
      const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
      double T = 2.0 * pi / p->omega;
      double slow = fmin(zeta[0] * omega[0], zeta[1] * omega[1]);
      CHECK_EQUAL(p->stability, MS_STABLE);
      worst[t] = fmax(worst[t], fabs(p->multiplier / exp(-slow * T) - 1.0));
    }
    ms_harmonic_curve_destroy(&curve);
  }
  printf("# linear: error %.2e with 512 times, %.2e with 1024: order %.2f\n", worst[0], worst[1],
         log2(worst[0] / worst[1]));
  CHECK_BELOW(worst[1], 5e-5);
  CHECK_NEAR(log2(worst[0] / worst[1]), 2.0, 0.1);
  ms_structure_destroy(&s);
}

/* ---- decay in time ---- */

typedef struct drive {
  double F, omega, kick, t_kick, length;
} drive;

static double force(void *user, double t) {
  const drive *d = user;
  double kick = t > d->t_kick && t < d->t_kick + d->length ? d->kick : 0.0;
  return d->F * cos(d->omega * t) + kick;
}

enum { STEPS = 8192, SETTLE = 120, AFTER = 3 };

/* (u, v) at the ends of the periods 1 .. AFTER behind the kick. */
static void strobe(ms_structure *s, drive *d, double *x) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = 2.0 * pi / d->omega / STEPS;
  setting.newton_tolerance = 1e-15;
  d->t_kick = (SETTLE + 0.0003) * 2.0 * pi / d->omega;
  d->length = 100.5 * setting.step;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, force, d, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)STEPS * SETTLE, 1, NULL, NULL));
  for (int k = 0; k < AFTER; k++) {
    CHECK_OK(ms_transient_run(run, STEPS, 1, NULL, NULL));
    ms_transient_get_coordinates(run, &x[2 * k], &x[2 * k + 1], NULL);
  }
  ms_transient_destroy(&run);
}

/* Larger size of the eigenvalues with trace t and determinant d. */
static double larger_root(double t, double d) {
  double disc = 0.25 * t * t - d;
  return disc < 0.0 ? sqrt(d) : 0.5 * fabs(t) + sqrt(disc);
}

/* The map from one difference to the next, from three of them. */
static double decay(ms_structure *s, double F, double omega) {
  double x[2 * AFTER], y[2 * AFTER];
  drive d = { .F = F, .omega = omega };
  strobe(s, &d, x);
  d.kick = 1e-4 * F;
  strobe(s, &d, y);
  for (int i = 0; i < 2 * AFTER; i++) y[i] -= x[i];
  double det = y[0] * y[3] - y[1] * y[2];
  double a = (y[4] * y[3] - y[5] * y[2]) / det; /* y_3 = a y_1 + b y_2, a = -det, b = trace */
  double b = (y[0] * y[5] - y[1] * y[4]) / det;
  return larger_root(b, -a);
}

static void compare_decay(ms_joint *joint, double tolerance) {
  const oscillator o = { .m = 1.3, .k = 47.0, .zeta = 0.011, .F = 1.87 };
  const double list[] = { 5.1, 6.2, 6.6, 6.95, 7.4, 8.6 };
  ms_structure *s = build(&o, joint);
  ms_harmonic_curve *curve = follow(
      s, o.F, 15, 2048, &(ms_harmonic_range) { .from = 4.1, .to = 9.9, .list = list, .n_list = 6 });
  double largest = 0.0;
  int backwards = 0, listed = 0, wrong = 0;
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    backwards += i > 0 && p->omega < p[-1].omega;
    wrong += p->stability != MS_STABLE;
    largest = fmax(largest, p->multiplier);
    if (!p->listed) continue;
    double in_time = decay(s, o.F, p->omega);
    listed++;
    printf("# omega %.3f multiplier %.6f, in time %.6f, viscous alone %.6f\n", p->omega,
           p->multiplier, in_time,
           exp(-2.0 * pi * o.zeta * ms_structure_get_stuck(s).omega[0] / p->omega));
    CHECK_CLOSE(p->multiplier, in_time, tolerance);
  }
  printf("# %td points, largest multiplier %.4f\n", info.points, largest);
  CHECK_EQUAL(listed, 6);
  CHECK_EQUAL(backwards, 0);
  CHECK_EQUAL(wrong, 0);
  CHECK_BELOW(largest, 1.0);
  ms_harmonic_curve_destroy(&curve);
  ms_structure_destroy(&s);
}

static void test_jenkins_decay(void) {
  compare_decay(test_joint("jenkins", "F_S", 2.9, "K_T", 21.0, NULL), 2e-3);
}

static void test_iwan_decay(void) {
  compare_decay(test_joint("iwan4", "F_S", 2.9, "K_T", 21.0, "chi", -0.5, "beta", 1.3, NULL), 2e-3);
}

/* ---- friction and a cubic spring ---- */

/* Folds, with friction at work all along them. */
static const oscillator hard = {
  .m = 1.3, .k = 47.0, .zeta = 0.011, .F = 2.385, .F_S = 0.73, .K_T = 21.0, .K3 = 310.0
};

typedef struct state {
  double u, v, anchor; /* the slider's: its force is K_T (u - anchor) */
} state;

static double slider(const oscillator *o, state *x) {
  double e = x->u - x->anchor, limit = o->F_S / o->K_T;
  if (e > limit) x->anchor = x->u - limit;
  if (e < -limit) x->anchor = x->u + limit;
  return o->K_T * (x->u - x->anchor);
}

/* A period from t = 0: u by its velocity and acceleration, v by the mean of both accelerations. */
static state go_round(const oscillator *o, double omega, state x) {
  enum { N = 20000 };
  const double c = 2.0 * o->zeta * sqrt((o->k + o->K_T) * o->m), dt = 2.0 * pi / omega / N;
  double f = o->k * x.u + o->K3 * x.u * x.u * x.u + slider(o, &x);
  for (int j = 0; j < N; j++) {
    double a = (o->F * cos(omega * dt * j) - f - c * x.v) / o->m;
    x.u += dt * (x.v + 0.5 * dt * a);
    f = o->k * x.u + o->K3 * x.u * x.u * x.u + slider(o, &x);
    double push = (o->F * cos(omega * dt * (j + 1)) - f) / o->m;
    x.v = (x.v + 0.5 * dt * (a + push)) / (1.0 + 0.5 * dt * c / o->m);
  }
  return x;
}

/* d(u, v, anchor after a period)/d(u, v, anchor), by differences. */
static void fill_map(const oscillator *o, double omega, state x, double J[9]) {
  const double step = 1e-6;
  for (int c = 0; c < 3; c++) {
    state up = x, down = x;
    (&up.u)[c] += step;
    (&down.u)[c] -= step;
    up = go_round(o, omega, up);
    down = go_round(o, omega, down);
    for (int r = 0; r < 3; r++) J[r + 3 * c] = ((&up.u)[r] - (&down.u)[r]) / (2.0 * step);
  }
}

static double det3(const double *A) {
  return A[0] * (A[4] * A[8] - A[7] * A[5]) - A[3] * (A[1] * A[8] - A[7] * A[2]) +
         A[6] * (A[1] * A[5] - A[4] * A[2]);
}

/* One step of Newton's method to a state that repeats; returns by how much it does not yet. */
static double shoot(const oscillator *o, double omega, state *x) {
  state y = go_round(o, omega, *x);
  const double b[3] = { x->u - y.u, x->v - y.v, x->anchor - y.anchor };
  double A[9], J[9];
  fill_map(o, omega, *x, J);
  for (int i = 0; i < 9; i++) A[i] = (i % 4 == 0) - J[i];
  double det = det3(A);
  for (int c = 0; c < 3; c++) {
    double B[9];
    memcpy(B, A, sizeof B);
    for (int r = 0; r < 3; r++) B[r + 3 * c] = b[r];
    (&x->u)[c] -= det3(B) / det;
  }
  return fabs(b[0]) + fabs(b[1]) / omega + fabs(b[2]);
}

/* Spectral radius: the size of the map's powers. */
static double radius(const double *J) {
  double A[9], B[9], log_size = 0.0, power = 1.0;
  memcpy(A, J, sizeof A);
  for (int k = 0; k < 24; k++, power *= 2.0) {
    double size = 0.0;
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(A[i]));
    for (int i = 0; i < 9; i++) A[i] /= size;
    log_size += log(size) / power;
    for (int i = 0; i < 9; i++) {
      B[i] = A[i % 3] * A[i / 3 * 3] + A[i % 3 + 3] * A[i / 3 * 3 + 1] +
             A[i % 3 + 6] * A[i / 3 * 3 + 2];
    }
    memcpy(A, B, sizeof A);
  }
  return exp(log_size);
}

/* The state at t = 0 on the motion with these coefficients, the slider dragged along it. */
static state place(const oscillator *o, double omega, int harmonics, const double *z) {
  enum { N = 2000 };
  state x = { 0.0, 0.0, 0.0 };
  for (int j = 0; j <= 2 * N; j++) {
    double t = 2.0 * pi * j / N;
    x.u = z[0];
    x.v = 0.0;
    for (int k = 1; k <= harmonics; k++) {
      x.u += z[2 * k - 1] * cos(k * t) + z[2 * k] * sin(k * t);
      x.v += omega * k * (z[2 * k] * cos(k * t) - z[2 * k - 1] * sin(k * t));
    }
    slider(o, &x);
  }
  return x;
}

/* How far the motion is from where it began after so many periods, over the first disturbance. */
static double run_off(const oscillator *o, double omega, state x, double disturbance, int periods) {
  state y = x;
  y.u += disturbance;
  for (int k = 0; k < periods; k++) y = go_round(o, omega, y);
  return hypot(y.u - x.u, (y.v - x.v) / omega) / disturbance;
}

/* Every point against the multipliers of the same oscillator integrated above, and disturbed
   motions in time. */
static void check_in_time(const ms_harmonic_point *p, int harmonics, const double *z,
                          double tolerance) {
  const oscillator *o = &hard;
  state x = place(o, p->omega, harmonics, z);
  double J[9], left = 1.0;
  for (int k = 0; k < 8 && left > 1e-11; k++) left = shoot(o, p->omega, &x);
  fill_map(o, p->omega, x, J);
  double in_time = radius(J), far = run_off(o, p->omega, x, 1e-6, 60);
  printf(
      "# omega %.3f: multiplier %.5f, integrated %.5f (repeats to %.0e), disturbed 1e-6: %.2e "
      "times that after 60 periods\n",
      p->omega, p->multiplier, in_time, left, far);
  CHECK_BELOW(left, 1e-9);
  CHECK_CLOSE(p->multiplier, in_time, tolerance);
  CHECK(p->stability == MS_UNSTABLE ? far > 1e3 : far < 0.1);
}

static void test_friction_folds(void) {
  enum { H = 15 };
  const double list[] = { 8.2, 9.4, 10.1 };
  ms_structure *s = build(&hard, test_joint("jenkins", "F_S", hard.F_S, "K_T", hard.K_T, NULL));
  ms_harmonic_curve *curve =
      follow(s, hard.F, H, 4096,
             &(ms_harmonic_range) { .from = 4.1, .to = 14.0, .list = list, .n_list = 3 });
  int stable = 0, unstable = 0, wrong = 0, listed = 0;
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  for (ptrdiff_t i = 1; i + 1 < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    double before = p->omega - p[-1].omega, after = p[1].omega - p->omega;
    if (before * after < 0.0) continue; /* a fold is at this point or beside it */
    *(before < 0.0 ? &unstable : &stable) += 1;
    wrong += p->stability != (before < 0.0 ? MS_UNSTABLE : MS_STABLE);
    if (p->stability != (before < 0.0 ? MS_UNSTABLE : MS_STABLE)) {
      printf("# wrong at %.6f: %.6f\n", p->omega, p->multiplier);
    }
    if (!p->listed) continue;
    listed++;
    check_in_time(p, H, ms_harmonic_curve_get_joints(curve, i), 2e-3);
  }
  printf("# %d stable, %d unstable, %d wrong\n", stable, unstable, wrong);
  CHECK_EQUAL(wrong, 0);
  CHECK(stable > 20);
  CHECK(unstable > 5);
  CHECK(listed > 3);
  ms_harmonic_curve_destroy(&curve);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_linear);
  TEST(test_jenkins_decay);
  TEST(test_iwan_decay);
  TEST(test_friction_folds);
  return test_finish();
}
