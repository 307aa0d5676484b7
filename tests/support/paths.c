#include "support/paths.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"

double test_to_loaded(ms_joint *j, double u, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out = { { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 }, { 0.0 } };
  in.u[0] = u;
  in.alpha = alpha;
  in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK(isfinite(out.du[0]) && isfinite(out.dalpha[0]) && isfinite(out.dk[0]));
  return out.force[0];
}

double test_to(ms_joint *j, double u) {
  return test_to_loaded(j, u, 1.0, 1.0);
}

/* ---- Runge-Kutta ---- */

static double side(test_slope slope, double u, double F, double to, int steps) {
  double h = (to - u) / steps, s = h < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < steps; i++, u += h) {
    double a = slope(u, F, s), b = slope(u + 0.5 * h, F + 0.5 * h * a, s);
    double c = slope(u + 0.5 * h, F + 0.5 * h * b, s), d = slope(u + h, F + h * c, s);
    F += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return F;
}

double test_runge_kutta_error(test_slope slope, const double *u, const double *F, int n,
                              int steps) {
  double at = 0.0, force = 0.0, worst = 0.0, size = 0.0;
  for (int i = 0; i < n; at = u[i++]) {
    force = side(slope, at, force, u[i], steps);
    worst = fmax(worst, fabs(force - F[i]));
    size = fmax(size, fabs(F[i]));
  }
  return worst / size;
}

void test_runge_kutta_tends(ms_joint *j, test_slope slope, double scale, int smooth,
                            double tolerance) {
  static const double corner[] = { 1.7, 0.31, 0.93, -2.385, -1.1, 0.45 };
  enum { N = sizeof corner / sizeof *corner };
  double u[N], F[N], error[3];
  CHECK_OK(ms_joint_start(j, NULL));
  for (int i = 0; i < N; i++) F[i] = test_to(j, u[i] = scale * corner[i]);
  for (int i = 0; i < 3; i++) error[i] = test_runge_kutta_error(slope, u, F, N, 40 << (2 * i));
  if (smooth) {
    CHECK_NEAR(log2(error[0] / error[1]) / 2.0, 4.0, 0.4);
    CHECK_NEAR(log2(error[1] / error[2]) / 2.0, 4.0, 0.2);
  }
  CHECK_BELOW(test_runge_kutta_error(slope, u, F, N, smooth ? 2000 : 8000), tolerance);
}

/* ---- what all of them keep ---- */

void test_subdivision(ms_joint *j, double tolerance) {
  static const double corner[] = { 0.02, 0.013, 1.9, 1.4, -0.7, -4.0, 11.0, 10.2, -0.3 };
  enum { N = sizeof corner / sizeof *corner };
  static const int parts[] = { 2, 37, 400 };
  double scale = test_scale(j), F[N];
  ms_joint_energy whole, e;
  CHECK_OK(ms_joint_start(j, NULL));
  for (int i = 0; i < N; i++) F[i] = test_to(j, scale * corner[i]);
  CHECK_OK(ms_joint_get_energy(j, &whole));
  for (int p = 0; p < 3; p++) {
    double from = 0.0;
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 0; i < N; from = corner[i++]) {
      double last = 0.0;
      for (int s = 1; s <= parts[p]; s++) {
        last = test_to(j, scale * (from + (corner[i] - from) * s / parts[p]));
      }
      CHECK_NEAR(last, F[i], tolerance * fabs(F[6]));
    }
    CHECK_OK(ms_joint_get_energy(j, &e));
    CHECK_CLOSE(e.dissipated, whole.dissipated, tolerance);
  }
}

void test_rate_independence(ms_joint *j) {
  enum { N = 400 };
  double F[N], scale = test_scale(j);
  for (int speed = 0; speed < 3; speed++) {
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 0; i < N; i++) {
      ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
      ms_joint_output out;
      double rate = speed == 0 ? 0.0 : speed == 1 ? 0.37 : 2900.0;
      in.u[0] = scale * (1.3 * sin(0.21 * i) + 0.9 * cos(0.083 * i));
      in.v[0] = rate * scale * (0.273 * cos(0.21 * i) - 0.0747 * sin(0.083 * i));
      in.dt = rate > 0.0 ? 1.0 / rate : 0.0;
      CHECK_OK(ms_joint_step(j, &in, &out));
      if (speed == 0) F[i] = out.force[0];
      CHECK(memcmp(&F[i], &out.force[0], sizeof F[i]) == 0);
    }
  }
}

/* Simpson's rule takes two steps at a time. */
static double work_along(ms_joint *j, double from, double to, double *F, double *gross) {
  enum { PAIRS = 200 };
  double h = (to - from) / (2 * PAIRS), work = 0.0;
  for (int i = 0; i < PAIRS; i++) {
    double middle = test_to(j, from + h * (2 * i + 1)), end = test_to(j, from + h * (2 * i + 2));
    work += h / 3.0 * (*F + 4.0 * middle + end);
    *gross += fabs(h * (*F + end));
    *F = end;
  }
  return work;
}

void test_passivity(ms_joint *j, double tolerance) {
  ms_random random;
  double scale = test_scale(j);
  ms_random_start(&random, 83, 17);
  for (int path = 0; path < 20; path++) {
    double u = 0.0, F = 0.0, work = 0.0, gross = 0.0, size = scale * pow(10.0, -2.0 + 0.12 * path);
    ms_joint_energy e;
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 0; i < 8; i++) {
      double to = i < 7 ? size * ms_random_normal(&random) : 0.0;
      work += work_along(j, u, to, &F, &gross);
      u = to;
    }
    CHECK_OK(ms_joint_get_energy(j, &e));
    CHECK(work >= -1e-13 * gross && e.dissipated >= 0.0 && e.stored >= 0.0);
    CHECK_NEAR(e.stored + e.dissipated, work, tolerance * gross);
  }
}

void test_load_scaling(ms_joint *j, double K_inf) {
  enum { N = 300 };
  double F[N], scale = test_scale(j), peak = 0.0;
  for (int pass = 0; pass < 2; pass++) {
    CHECK_OK(ms_joint_start(j, NULL));
    for (int i = 0; i < N; i++) {
      double k = pass ? 1.0 + 0.7 * sin(0.37 * i) : 1.0;
      double u = scale * (1.4 * sin(0.11 * i) + 0.7 * cos(0.31 * i));
      double force = test_to_loaded(j, u, k, k);
      if (!pass) F[i] = force;
      peak = fmax(peak, fabs(F[i]));
      CHECK_NEAR(force, k * F[i], 1e-12 * fabs(k * F[i]) + 1e-13 * peak);
    }
  }
  CHECK_NEAR(test_to_loaded(j, 0.4 * scale, 0.0, 1.3), 1.3 * K_inf * 0.4 * scale,
             1e-15 * K_inf * scale);
  CHECK_NEAR(test_to_loaded(j, 0.4 * scale, 0.0, 1.0), K_inf * 0.4 * scale, 1e-15 * K_inf * scale);
  CHECK(isfinite(test_to_loaded(j, 0.7 * scale, 1e-310, 1.0)));
  CHECK(isfinite(test_to_loaded(j, 0.5 * scale, 1e-310, 1.0)));
  CHECK(isfinite(test_to_loaded(j, 0.5 * scale, 1e300, 1.0)));
  CHECK(isfinite(test_to_loaded(j, 1e200 * scale, 1.0, 1.0)));
}

/* ---- derivatives ---- */

typedef struct difference {
  double derivative, force;
  int kink;
} difference;

static difference differentiate(const ms_joint *j, ms_joint_input *in, double *moving, double h) {
  ms_joint_output low, at, high;
  ms_joint_trial trial;
  double home = *moving;
  CHECK_OK(ms_joint_update(j, in, &at, &trial));
  *moving = home - h;
  CHECK_OK(ms_joint_update(j, in, &low, &trial));
  *moving = home + h;
  CHECK_OK(ms_joint_update(j, in, &high, &trial));
  *moving = home;
  double left = at.force[0] - low.force[0], right = high.force[0] - at.force[0];
  double noise = 1e-13 * fabs(at.force[0]);
  int kink = fabs(left - right) > 1e-2 * (fabs(left) + fabs(right)) + 10.0 * noise;
  return (difference) { (left + right) / (2.0 * h), fabs(at.force[0]), kink };
}

void test_derivatives(ms_joint *j, double tolerance) {
  test_history history = test_wander(j, 97, 1);
  ms_joint_input *in = &history.in;
  int n_kinks = 0;
  CHECK_OK(ms_joint_start(j, NULL));
  for (int i = 0; i < 300; i++) {
    ms_joint_output out;
    ms_joint_trial trial;
    test_next(&history);
    CHECK_OK(ms_joint_update(j, in, &out, &trial));
    double *moving[] = { &in->u[0], &in->v[0], &in->alpha, &in->k };
    double scale[] = { history.scale, 1e3 * history.scale, 1.0, 1.0 };
    double law[] = { out.du[0], out.dv[0], out.dalpha[0], out.dk[0] };
    for (int d = 0; d < 4; d++) {
      double h = 1e-6 * scale[d];
      difference got = differentiate(j, in, moving[d], h);
      n_kinks += got.kink;
      if (!got.kink) {
        CHECK_NEAR(law[d], got.derivative,
                   tolerance * (fabs(got.derivative) + 1e-2 * got.force / scale[d]));
      }
    }
    CHECK_OK(ms_joint_commit(j, &trial));
  }
  CHECK_BELOW(n_kinks, 120);
}
