/* Stability of examples/frictional-oscillators/study.yaml at 1.5 N, with folds, sliders, a stop and
   a hardening spring at work, against the same three masses integrated here: from the motion of the
   balance to one that repeats exactly (shooting), its multipliers, and what becomes of a small
   disturbance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "core/dense.h"
#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

enum { N = 3, MOST = 15, STATE = 2 * N + 2 }; /* masses, harmonics */

static const double mass[N] = { 1.1, 0.9, 0.7 }, spring[N] = { 310.0, 240.0, 170.0 };
static const double F = 1.5, zeta = 0.008;
static const double F_S[2] = { 0.9, 0.5 }, K_T[2] = { 120.0, 90.0 }; /* root, lap */
static const double K_stop = 400.0, g = 0.02, K3 = 9000.0;

static void take(ms_structure *s, const char *name, ms_joint *j, ptrdiff_t from, ptrdiff_t to) {
  CHECK_OK(ms_structure_take_joint(s, name, &j, &from, &to));
}

static ms_structure *build(void) {
  const double ratios[N] = { zeta, zeta, zeta };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i < N; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, mass[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, spring[i]));
  }
  take(s, "root", test_joint("jenkins", "F_S", F_S[0], "K_T", K_T[0], NULL), MS_GROUND, 0);
  take(s, "lap", test_joint("jenkins", "F_S", F_S[1], "K_T", K_T[1], NULL), 0, 1);
  take(s, "stop", test_joint("gap", "K", K_stop, "g_plus", g, "g_minus", g, NULL), 1, 2);
  take(s, "hard", test_joint("cubic", "K", 0.0, "K3", K3, NULL), MS_GROUND, 2);
  CHECK_OK(ms_structure_set_modal_damping(s, ratios));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* ---- the same, integrated ---- */

static double C[N * N]; /* damping, as the structure has it: linear */

/* u, v, and where the sliders hold on: their force is K_T (stretch - anchor). */
typedef struct state {
  double u[N], v[N], anchor[2];
} state;

static double slider(int i, double stretch, double *anchor) {
  const double limit = F_S[i] / K_T[i], e = stretch - *anchor;
  if (e > limit) *anchor = stretch - limit;
  if (e < -limit) *anchor = stretch + limit;
  return K_T[i] * (stretch - *anchor);
}

/* Forces of springs and joints on the masses, the sliders dragged along. */
static void restore(state *x, double f[N]) {
  const double *u = x->u, gap = u[2] - u[1];
  const double root = spring[0] * u[0] + slider(0, u[0], &x->anchor[0]);
  const double lap = spring[1] * (u[1] - u[0]) + slider(1, u[1] - u[0], &x->anchor[1]);
  const double stop = spring[2] * gap + K_stop * (fmax(gap - g, 0.0) + fmin(gap + g, 0.0));
  f[0] = lap - root;
  f[1] = stop - lap;
  f[2] = -stop - K3 * u[2] * u[2] * u[2];
}

/* Accelerations at time t: the damping's velocity is v. */
static void accelerate(const double f[N], const double v[N], double push, double a[N]) {
  for (int i = 0; i < N; i++) {
    double sum = f[i] + (i == 2 ? push : 0.0);
    for (int j = 0; j < N; j++) sum -= C[i + N * j] * v[j];
    a[i] = sum / mass[i];
  }
}

/* A period from t = 0 by velocity Verlet; the damping at the end of a step sees the velocity that
   the step began to predict, corrected twice. */
static state go_round(double omega, state x) {
  enum { STEPS = 8000 };
  const double dt = 2.0 * pi / omega / STEPS;
  double f[N], a[N], b[N], v[N];
  restore(&x, f);
  for (int j = 0; j < STEPS; j++) {
    accelerate(f, x.v, F * cos(omega * dt * j), a);
    for (int i = 0; i < N; i++) x.u[i] += dt * (x.v[i] + 0.5 * dt * a[i]);
    for (int i = 0; i < N; i++) v[i] = x.v[i] + dt * a[i];
    restore(&x, f);
    for (int k = 0; k < 2; k++) {
      accelerate(f, v, F * cos(omega * dt * (j + 1)), b);
      for (int i = 0; i < N; i++) v[i] = x.v[i] + 0.5 * dt * (a[i] + b[i]);
    }
    memcpy(x.v, v, sizeof v);
  }
  return x;
}

/* d(state after a period)/d(state), by differences. */
static void fill_map(double omega, state x, double *J) {
  const double step = 1e-7;
  for (int c = 0; c < STATE; c++) {
    double up[STATE], down[STATE], unit = c >= N && c < 2 * N ? omega : 1.0;
    state y;
    for (int k = 0; k < 2; k++) {
      memcpy(k ? up : down, &x, sizeof x);
      (k ? up : down)[c] += k ? step * unit : -step * unit;
      memcpy(&y, k ? up : down, sizeof y);
      y = go_round(omega, y);
      memcpy(k ? up : down, &y, sizeof y);
    }
    for (int r = 0; r < STATE; r++) J[r + STATE * c] = (up[r] - down[r]) / (2.0 * step * unit);
  }
}

static double distance(double omega, const state *x, const state *y) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    sum += pow(x->u[i] - y->u[i], 2.0) + pow((x->v[i] - y->v[i]) / omega, 2.0);
  }
  return sqrt(sum);
}

/* Newton's method to a state that repeats; returns by how much it does not yet. */
static double shoot(double omega, state *x, double *J) {
  double left = HUGE_VAL;
  for (int k = 0; k < 20; k++) {
    double A[STATE * STATE], b[STATE], values[STATE];
    state y = go_round(omega, *x);
    left = distance(omega, x, &y);
    fill_map(omega, *x, J);
    if (left < 1e-12) break;
    for (int i = 0; i < STATE * STATE; i++) A[i] = (i % (STATE + 1) == 0) - J[i];
    memcpy(values, x, sizeof values);
    memcpy(b, &y, sizeof b);
    for (int i = 0; i < STATE; i++) b[i] -= values[i];
    if (ms_dense_solve(STATE, A, b)) break;
    for (int i = 0; i < STATE; i++) values[i] += b[i];
    memcpy(x, values, sizeof values);
  }
  return left;
}

/* Spectral radius: the size of the map's powers. */
static double radius(const double *J) {
  double A[STATE * STATE], B[STATE * STATE], log_size = 0.0, power = 1.0;
  memcpy(A, J, sizeof A);
  for (int k = 0; k < 24; k++, power *= 2.0) {
    double size = 0.0;
    for (int i = 0; i < STATE * STATE; i++) size = fmax(size, fabs(A[i]));
    for (int i = 0; i < STATE * STATE; i++) A[i] /= size;
    log_size += log(size) / power;
    for (int i = 0; i < STATE * STATE; i++) {
      B[i] = 0.0;
      for (int c = 0; c < STATE; c++) B[i] += A[i % STATE + STATE * c] * A[c + i / STATE * STATE];
    }
    memcpy(A, B, sizeof A);
  }
  return exp(log_size);
}

/* The state at t = 0 on the motion of the balance, the sliders dragged along it twice. */
static state place(ms_harmonic *h, int H, const ms_harmonic_curve *curve, ptrdiff_t i,
                   double omega) {
  enum { TIMES = 2000 };
  double c[N][2 * MOST + 1], f[N];
  state x = { { 0.0 }, { 0.0 }, { 0.0 } };
  for (int m = 0; m < N; m++) {
    double weights[N] = { 0.0, 0.0, 0.0 };
    weights[m] = 1.0;
    CHECK_OK(ms_harmonic_recover(h, curve, i, weights, c[m]));
  }
  for (int j = 0; j <= 2 * TIMES; j++) {
    double t = 2.0 * pi * j / TIMES;
    for (int m = 0; m < N; m++) {
      x.u[m] = c[m][0];
      x.v[m] = 0.0;
      for (int k = 1; k <= H; k++) {
        x.u[m] += c[m][2 * k - 1] * cos(k * t) + c[m][2 * k] * sin(k * t);
        x.v[m] += omega * k * (c[m][2 * k] * cos(k * t) - c[m][2 * k - 1] * sin(k * t));
      }
    }
    restore(&x, f);
  }
  return x;
}

/* ---- the points ---- */

/* Disturbed by 1e-7 m: how far away from the motion after 80 periods, over that. */
static double run_off(double omega, const state *x) {
  const double disturbance = 1e-7;
  state y = *x;
  y.u[1] += disturbance;
  for (int k = 0; k < 80; k++) y = go_round(omega, y);
  return distance(omega, x, &y) / disturbance;
}

/* What the balance says of a point, against the motion in time. Returns 1 if both say the same. */
static int check_point(ms_harmonic *h, int H, const ms_harmonic_curve *curve, ptrdiff_t i) {
  const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
  const int stable = p->stability == MS_STABLE;
  const state start = place(h, H, curve, i, p->omega);
  double J[STATE * STATE];
  state x = start;
  double left = shoot(p->omega, &x, J), moved = distance(p->omega, &start, &x);
  double multiplier = radius(J), far = run_off(p->omega, &x);
  printf(
      "# omega %.2f: %s, multiplier %.4f, integrated %.4f; repeats to %.0e, %.1e m from the "
      "balance; disturbed: %.1e times that after 80 periods\n",
      p->omega, stable ? "stable" : "unstable", p->multiplier, multiplier, left, moved, far);
  CHECK_BELOW(left, 1e-9);
  if (H == MOST) {
    CHECK_BELOW(moved, 1e-3); /* of motions of 0.1 m */
    CHECK_CLOSE(p->multiplier, multiplier, 2e-2);
  }
  return stable ? far < 10.0 && multiplier < 1.0 : far > 1e3 && multiplier > 1.0;
}

/* Six frequencies, most of which the curve passes several times. */
static void compare(int H, ptrdiff_t times, int points, int right) {
  const double list[] = { 9.1, 9.6, 10.3, 10.8, 11.1, 12.5 };
  const ms_harmonic_range range = { .from = 4.0, .to = 40.0, .list = list, .n_list = 6 };
  ms_structure *s = build();
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  int found = 0, same = 0;
  setting.harmonics = H;
  setting.times = times;
  CHECK_OK(ms_structure_fill_damping(s, C));
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, (const double[]) { 0.0, 0.0, 1.0 }, 1, 1.0, 0.0));
  CHECK_OK(ms_harmonic_run_forced(h, &range, F, &curve));
  CHECK(ms_harmonic_curve_get_info(curve).complete);
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    if (!ms_harmonic_curve_get_point(curve, i)->listed) continue;
    found++;
    same += check_point(h, H, curve, i);
  }
  CHECK_EQUAL(found, points);
  CHECK_EQUAL(same, right);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_converged(void) {
  compare(MOST, 2048, 20, 20);
}

/* As the example has it: near 10.3 rad/s, where the curve turns back on itself, these are too few
   harmonics for one of the points. */
static void test_seven_harmonics(void) {
  compare(7, 1024, 20, 19);
}

int main(void) {
  TEST(test_converged);
  TEST(test_seven_harmonics);
  return test_finish();
}
