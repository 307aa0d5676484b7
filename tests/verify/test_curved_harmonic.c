/* Joints whose displacement is quadratic, z = b^T u + u^T G u/2, in harmonic balance: against
   equations of motion written out here and integrated in time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

static double value_at(int H, const double *x, double tau) {
  double sum = x[0];
  for (int k = 1; k <= H; k++) sum += x[2 * k - 1] * cos(k * tau) + x[2 * k] * sin(k * tau);
  return sum;
}

/* By tau. */
static double slope_at(int H, const double *x, double tau) {
  double sum = 0.0;
  for (int k = 1; k <= H; k++) sum += k * (x[2 * k] * cos(k * tau) - x[2 * k - 1] * sin(k * tau));
  return sum;
}

/* ---- a mass on a spring and a dashpot that shorten ---- */

/* m u" + c u' + k u + (1 + G u) (K z + C z') = F cos(Omega t), z = u + G u^2/2: polynomials. */
typedef struct oscillator {
  double m, c, k, K, C, G, F, Omega;
} oscillator;

/* x = (u, v), and two disturbances of it behind: dx = f(t, x). */
static void rate(const oscillator *o, double t, const double x[6], double dx[6]) {
  const double u = x[0], v = x[1], b = 1.0 + o->G * u, z = u + 0.5 * o->G * u * u;
  const double S = o->K * z + o->C * b * v;
  dx[0] = v;
  dx[1] = (o->F * cos(o->Omega * t) - o->c * v - o->k * u - b * S) / o->m;
  const double by_u = -(o->k + o->G * S + b * (o->K * b + o->C * o->G * v)) / o->m;
  const double by_v = -(o->c + b * b * o->C) / o->m;
  for (int d = 2; d < 6; d += 2) {
    dx[d] = x[d + 1];
    dx[d + 1] = by_u * x[d] + by_v * x[d + 1];
  }
}

/* One period by Runge and Kutta. */
static void go_round(const oscillator *o, double x[6]) {
  enum { STEPS = 4000 };
  const double dt = 2.0 * pi / o->Omega / STEPS, part[4] = { 0.0, 0.5, 0.5, 1.0 };
  for (int n = 0; n < STEPS; n++) {
    double k[6] = { 0.0 }, sum[6] = { 0.0 }, y[6], d[6];
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < 6; i++) y[i] = x[i] + part[stage] * dt * k[i];
      rate(o, (n + part[stage]) * dt, y, d);
      for (int i = 0; i < 6; i++) {
        k[i] = d[i];
        sum[i] += (stage % 3 ? 2.0 : 1.0) * d[i] * dt / 6.0;
      }
    }
    for (int i = 0; i < 6; i++) x[i] += sum[i];
  }
}

/* Larger size of the eigenvalues with trace t and determinant d. */
static double larger_root(double t, double d) {
  const double disc = 0.25 * t * t - d;
  return disc < 0.0 ? sqrt(d) : 0.5 * fabs(t) + sqrt(disc);
}

static ms_structure *build(const oscillator *o, ms_joint *joint) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, o->m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, o->k));
  CHECK_OK(ms_structure_take_joint(s, "joint", &joint, &from, &to));
  CHECK_OK(ms_structure_set_curvature(s, 0, 0, &o->G, 0));
  CHECK_OK(ms_structure_set_damping(s, &o->c));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_structure *build_spring(const oscillator *o) {
  return build(o, test_joint("linear", "K", o->K, "C", o->C, NULL));
}

static ms_harmonic *balance(ms_structure *s, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  return h;
}

enum { H = 15, P = 2 * H + 1 };

/* How far the balance's motion at point i is from closing after a period, over its size; the
   multiplier on the way. */
static double closure(const oscillator *o, ms_harmonic *h, const ms_harmonic_curve *curve,
                      ptrdiff_t i, double *multiplier) {
  const double one = 1.0;
  double c[P], x[6] = { 0.0, 0.0, 1.0, 0.0, 0.0, 1.0 };
  CHECK_OK(ms_harmonic_recover(h, curve, i, &one, c));
  const double u = value_at(H, c, 0.0), v = o->Omega * slope_at(H, c, 0.0);
  x[0] = u;
  x[1] = v;
  go_round(o, x);
  *multiplier = larger_root(x[2] + x[5], x[2] * x[5] - x[3] * x[4]);
  return hypot(x[0] - u, (x[1] - v) / o->Omega) / hypot(c[1], c[2]);
}

/* Along frequency through two folds: every motion is one of the equation's; the largest error of a
   multiplier. */
static double check_forced(oscillator o, ptrdiff_t times) {
  ms_structure *s = build_spring(&o);
  ms_harmonic *h = balance(s, H, times);
  ms_harmonic_curve *curve = NULL;
  const double one = 1.0;
  double worst[2] = { 0.0, 0.0 };
  int unstable = 0;
  CHECK_OK(ms_harmonic_add_load(h, &one, 1, o.F, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 4.3, .to = 6.9 }, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    double multiplier;
    o.Omega = p->omega;
    worst[0] = fmax(worst[0], closure(&o, h, curve, i, &multiplier));
    worst[1] = fmax(worst[1], fabs(p->multiplier / multiplier - 1.0));
    unstable += p->stability == MS_UNSTABLE;
    if (p->turn & MS_HARMONIC_FOLD) {
      CHECK_EQUAL(p->stability, MS_STABILITY_UNKNOWN);
      CHECK_NEAR(multiplier, 1.0, 1e-5); /* at a fold it is 1 */
    } else {
      CHECK_EQUAL(p->stability, multiplier > 1.0 ? MS_UNSTABLE : MS_STABLE);
    }
  }
  printf("# forced, %td times: %td points, %d unstable: closure %.1e, multiplier %.1e\n", times,
         info.points, unstable, worst[0], worst[1]);
  CHECK(unstable > 3);
  CHECK_BELOW(worst[0], 1e-8);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
  return worst[1];
}

/* The rule that takes disturbances along is of second order in the time between points. */
static void test_forced(void) {
  const oscillator o = { 1.3, 0.11, 21.0, 17.0, 0.07, 1.9, 0.71, 0.0 };
  const double coarse = check_forced(o, 512), fine = check_forced(o, 1024);
  CHECK_BELOW(fine, 2e-4);
  CHECK_NEAR(log2(coarse / fine), 2.0, 0.1);
}

/* A nonlinear mode with the damping that keeps it going, c - 2 zeta omega m in place of c. */
static void check_mode(oscillator o, double *lowest) {
  ms_structure *s = build_spring(&o);
  ms_harmonic *h = balance(s, H, 256);
  ms_harmonic_curve *curve = NULL;
  const double c = o.c, omega = ms_structure_get_stuck(s).omega[0];
  double worst = 0.0, multiplier;
  CHECK_OK(ms_harmonic_run_mode(h, 0, &(ms_harmonic_range) { .from = 1e-3, .to = 0.36 }, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    o.Omega = p->omega;
    o.c = c - 2.0 * p->zeta * p->omega * o.m;
    worst = fmax(worst, closure(&o, h, curve, i, &multiplier));
    *lowest = p->omega / omega;
  }
  printf("# mode: %td points, frequency down to %.3f: closure %.1e\n", info.points, *lowest, worst);
  CHECK_BELOW(worst, 1e-8);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_mode(void) {
  double lowest[2];
  check_mode((oscillator) { .m = 1.3, .k = 21.0, .K = 17.0, .G = 1.9 }, &lowest[0]);
  check_mode((oscillator) { 1.3, 0.11, 21.0, 17.0, 0.07, 1.9, 0.0, 0.0 }, &lowest[1]);
  CHECK(lowest[0] < 0.98); /* the quadratic part softens it */
  CHECK(lowest[1] < 0.98);
}

/* ---- memory: joints stepped along a motion in time ---- */

enum { MOST = 3 };

/* M u" + C u' + K u + (b + G u) f(z) = F cos(Omega t), M and C diagonal. */
typedef struct chain {
  int n;
  double m[MOST], c[MOST], K[MOST * MOST], b[MOST], G[MOST * MOST], F[MOST], Omega;
} chain;

typedef struct motion {
  double u[MOST], before[MOST];
} motion;

/* b + G u, and z. */
static double look(const chain *s, const double *u, double *lever) {
  double z = 0.0;
  for (int i = 0; i < s->n; i++) {
    double Gu = 0.0;
    for (int j = 0; j < s->n; j++) Gu += s->G[i + s->n * j] * u[j];
    lever[i] = s->b[i] + Gu;
    z += (s->b[i] + 0.5 * Gu) * u[i];
  }
  return z;
}

/* Central differences, explicit, of second order. */
static void step(const chain *s, ms_joint *joint, double dt, double load, motion *x) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  double lever[MOST], next[MOST];
  in.u[0] = look(s, x->u, lever);
  in.dt = dt;
  CHECK_OK(ms_joint_step(joint, &in, &out));
  for (int i = 0; i < s->n; i++) {
    double p = load * s->F[i] - lever[i] * out.force[0];
    for (int j = 0; j < s->n; j++) p -= s->K[i + s->n * j] * x->u[j];
    const double a = s->m[i] / (dt * dt), c = 0.5 * s->c[i] / dt;
    next[i] = (p + 2.0 * a * x->u[i] - (a - c) * x->before[i]) / (a + c);
  }
  memcpy(x->before, x->u, sizeof next);
  memcpy(x->u, next, sizeof next);
}

/* A period with the load growing from part `from` to `to` of its length in a slow rise. */
static void go_period(const chain *s, ms_joint *joint, int steps, double from, double to, motion *x,
                      int samples, double *u) {
  for (int n = 0; n < steps; n++) {
    const double part = fmin(from + (to - from) * n / steps, 1.0);
    const double level = part * part * (3.0 - 2.0 * part);
    if (samples > 0 && n % (steps / samples) == 0) {
      memcpy(u + s->n * (n / (steps / samples)), x->u, (size_t)s->n * sizeof *u);
    }
    step(s, joint, 2.0 * pi / s->Omega / steps, level * cos(2.0 * pi * n / steps), x);
  }
}

/* From rest, the load rising slowly, then steady. */
static motion settle(const chain *s, ms_joint *joint, int steps, int periods) {
  motion x = { { 0.0 }, { 0.0 } };
  CHECK_OK(ms_joint_start(joint, NULL));
  for (int p = 0; p < periods; p++) {
    go_period(s, joint, steps, p / (0.4 * periods), (p + 1) / (0.4 * periods), &x, 0, NULL);
  }
  return x;
}

static const chain three = { .n = 3,
                             .m = { 1.3, 0.8, 1.1 },
                             .c = { 0.51, 0.37, 0.43 },
                             .K = { 161.0, -71.0, 0.0, -71.0, 135.0, -64.0, 0.0, -64.0, 64.0 },
                             .b = { -0.83, 0.69, 0.23 },
                             .G = { 3.2, 0.8, -0.6, 0.8, -4.2, 1.7, -0.6, 1.7, 1.5 },
                             .F = { 0.0, 1.9, 0.6 } };

static ms_joint *lap(void) {
  return test_joint("iwan4", "F_S", 2.9, "K_T", 31.0, "chi", -0.43, "beta", 1.37, NULL);
}

static ms_structure *build_three(const chain *o) {
  const ptrdiff_t from = 0, to = 1;
  double lever[MOST], C[MOST * MOST] = { 0.0 }, M[MOST * MOST] = { 0.0 };
  ms_structure *s = NULL;
  ms_joint *j = lap();
  for (int i = 0; i < MOST; i++) {
    lever[i] = o->b[i] + (i == 0) - (i == 1);
    C[i + MOST * i] = o->c[i];
    M[i + MOST * i] = o->m[i];
  }
  CHECK_OK(ms_structure_create(test_context(), MOST, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, M));
  CHECK_OK(ms_structure_set_stiffness(s, o->K));
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_set_mapping_row(s, 0, 0, lever));
  CHECK_OK(ms_structure_set_curvature(s, 0, 0, o->G, 0));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* The motion over a period against the run in time, steps halved and extrapolated. */
static double compare(const chain *o, ms_harmonic *h, const ms_harmonic_curve *curve, ptrdiff_t i,
                      double *order) {
  enum { SAMPLES = 20, STEPS = 600, PERIODS = 160 };
  double u[3][MOST * SAMPLES], x[MOST][P], size = 0.0, worst = 0.0, gap[2] = { 0.0, 0.0 };
  for (int k = 0; k < 3; k++) {
    ms_joint *joint = lap();
    motion at = settle(o, joint, STEPS << k, PERIODS);
    go_period(o, joint, STEPS << k, 1.0, 1.0, &at, SAMPLES, u[k]);
    ms_joint_destroy(&joint);
  }
  for (int r = 0; r < MOST; r++) {
    double weights[MOST] = { 0.0 };
    weights[r] = 1.0;
    CHECK_OK(ms_harmonic_recover(h, curve, i, weights, x[r]));
    size = fmax(size, hypot(x[r][1], x[r][2]));
  }
  for (int k = 0; k < MOST * SAMPLES; k++) {
    const double fine = (4.0 * u[2][k] - u[1][k]) / 3.0;
    const double own = value_at(H, x[k % MOST], 2.0 * pi * (k / MOST) / SAMPLES);
    for (int g = 0; g < 2; g++) gap[g] = fmax(gap[g], fabs(u[g + 1][k] - u[g][k]));
    worst = fmax(worst, fabs(own - fine) / size);
  }
  *order = log2(gap[0] / gap[1]);
  return worst;
}

static void test_with_memory(void) {
  chain o = three;
  ms_structure *s = build_three(&o);
  ms_harmonic *h = balance(s, H, 1024);
  ms_harmonic_curve *curve = NULL;
  const double list[] = { 5.1, 5.9, 12.3 };
  int found = 0;
  CHECK_OK(ms_harmonic_add_load(h, o.F, 1, 1.0, 0.0));
  ms_harmonic_range range = { .from = 4.7, .to = 13.1, .list = list, .n_list = 3 };
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  CHECK_TEXT(ms_harmonic_curve_get_info(curve).reason, "");
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    double order;
    if (!p->listed) continue;
    o.Omega = p->omega;
    const double error = compare(&o, h, curve, i, &order);
    printf("# three masses at %.1f rad/s: %.1e of the amplitude, run in time of order %.2f\n",
           p->omega, error, order);
    CHECK_NEAR(order, 2.0, 0.3);
    CHECK_BELOW(error, 2e-5);
    CHECK_EQUAL(p->stability, MS_STABLE);
    found++;
  }
  CHECK_EQUAL(found, 3);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* ---- disturbances of a joint with memory ---- */

enum { AFTER = 3 };

/* (u, v) after each of AFTER periods behind a kick. */
static void strobe(const chain *o, ms_joint *joint, double kick, double x[AFTER][2]) {
  enum { STEPS = 8192, PERIODS = 90 };
  const double dt = 2.0 * pi / o->Omega / STEPS;
  motion at = settle(o, joint, STEPS, PERIODS);
  at.before[0] -= kick * dt;
  for (int k = 0; k < AFTER; k++) {
    go_period(o, joint, STEPS, 1.0, 1.0, &at, 0, NULL);
    x[k][0] = at.u[0];
    x[k][1] = (at.u[0] - at.before[0]) / dt / o->Omega;
  }
}

/* The map from one difference to the next, from three of them: slip wipes the joint's memory out
   every period. */
static double multiplier_in_time(const chain *o, ms_joint *(*make)(void), double kick) {
  double x[2][AFTER][2], d[AFTER][2];
  for (int k = 0; k < 2; k++) {
    ms_joint *joint = make();
    strobe(o, joint, k * kick, x[k]);
    ms_joint_destroy(&joint);
  }
  for (int k = 0; k < 2 * AFTER; k++) d[k / 2][k % 2] = x[1][k / 2][k % 2] - x[0][k / 2][k % 2];
  const double det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
  const double trace = (d[0][0] * d[2][1] - d[0][1] * d[2][0]) / det;
  return larger_root(trace, (d[1][0] * d[2][1] - d[1][1] * d[2][0]) / det);
}

static ms_joint *slider(void) {
  return test_joint("jenkins", "F_S", 0.61, "K_T", 17.0, NULL);
}

static void test_disturbed(void) {
  const oscillator o = { .m = 1.3, .c = 0.31, .k = 21.0, .G = 1.9, .F = 1.3 };
  chain c = { .n = 1, .m = { o.m }, .c = { o.c }, .K = { o.k }, .b = { 1.0 }, .G = { o.G } };
  ms_structure *s = build(&o, slider());
  ms_harmonic *h = balance(s, H, 8192);
  ms_harmonic_curve *curve = NULL;
  const double list[] = { 3.7, 4.4, 5.3 }, one = 1.0;
  c.F[0] = o.F;
  CHECK_OK(ms_harmonic_add_load(h, &one, 1, o.F, 0.0));
  ms_harmonic_range range = { .from = 3.6, .to = 5.4, .list = list, .n_list = 3 };
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  CHECK_TEXT(ms_harmonic_curve_get_info(curve).reason, "");
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!p->listed) continue;
    c.Omega = p->omega;
    const double own = multiplier_in_time(&c, slider, 1e-4);
    printf("# slider at %.1f rad/s: multiplier %.6f, in time %.6f\n", p->omega, p->multiplier, own);
    CHECK_CLOSE(p->multiplier, own, 1e-3);
  }
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_forced);
  TEST(test_mode);
  TEST(test_with_memory);
  TEST(test_disturbed);
  return test_finish();
}
