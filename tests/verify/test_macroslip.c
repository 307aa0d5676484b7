/* Tracked resonance of two masses that a joint alone holds together (examples/gaul-resonator), far
   into macroslip. Once the joint slips altogether both ways, nothing says where its mean lies: the
   equations are singular in that direction, and the path must neither creep nor wander along it. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/harmonic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;
enum { DRIVEN, LINK, FREE, N };

static ms_structure *build(void) {
  const double m[N] = { 5.2, 0.35, 4.6 }, c = 18.0;
  const double C[N * N] = { c, -c, 0.0, -c, c, 0.0, 0.0, 0.0, 0.0 };
  const ptrdiff_t from = LINK, to = FREE;
  ms_structure *s = NULL;
  ms_joint *lap = test_joint("iwan4", "F_S", 1200.0, "K_T", 6e7, "chi", -0.4, "beta", 1.2, NULL);
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i < N; i++) CHECK_OK(ms_structure_add_mass(s, i, m[i]));
  CHECK_OK(ms_structure_add_spring(s, DRIVEN, LINK, 2e6));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_take_joint(s, "lap", &lap, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static const double push[N] = { 1.0, 0.0, 0.0 };

static ms_harmonic *balance(ms_structure *s, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, push, 1, 1.0, 0.0));
  return h;
}

static ms_harmonic_curve *track(ms_harmonic *h, const ms_harmonic_range *level) {
  ms_harmonic_curve *curve = NULL;
  CHECK_OK(ms_harmonic_run_resonance(h, 1, NULL, MS_HARMONIC_LEVEL, level, &curve));
  return curve;
}

/* From little slip to far beyond the force at which all of the joint slips, in steps as long as
   elsewhere, however fine the time points are. The slip is the same to either side, but the mean,
   which the first steps have left somewhere, stays there. */
static void test_does_not_creep(void) {
  static const ptrdiff_t times[] = { 512, 1024, 4096 };
  ms_structure *s = build();
  for (int i = 0; i < 3; i++) {
    ms_harmonic *h = balance(s, 7, times[i]);
    ms_harmonic_curve *curve = track(h, &(ms_harmonic_range) { .from = 2.0, .to = 400.0 });
    ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
    const double first = ms_harmonic_curve_get_joints(curve, info.points / 2)[0];
    double wandered = 0.0;
    for (ptrdiff_t k = info.points / 2; k < info.points; k++) {
      const double *z = ms_harmonic_curve_get_joints(curve, k);
      wandered = fmax(wandered, fabs(z[0] - first) / hypot(z[1], z[2]));
    }
    printf("# %td time points: %td points, %td evaluations, %td rejected, mean wanders by %.1e\n",
           times[i], info.points, info.evaluations, info.rejected, wandered);
    CHECK_TEXT(info.reason, "");
    CHECK(info.complete);
    CHECK_BELOW((double)info.points, 40.0);
    CHECK_BELOW((double)info.evaluations, 300.0);
    CHECK_BELOW(info.worst, 1e-10);
    CHECK_BELOW(wandered, 1e-12);
    ms_harmonic_curve_destroy(&curve);
    ms_harmonic_destroy(&h);
  }
  ms_structure_destroy(&s);
}

/* ---- in time ---- */

static double cosine(void *user, double t) {
  const double *p = user; /* amplitude, omega */
  return p[0] * cos(p[1] * t);
}

/* First harmonics of the spring's stretch and of the slip, from rest. */
static void steady(ms_structure *s, double F, double omega, int steps, double complex out[2]) {
  enum { PERIODS = 150 };
  double p[] = { F, omega }, u[N], v[N];
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  out[0] = out[1] = 0.0;
  setting.step = 2.0 * pi / omega / steps;
  if (!CHECK_OK(ms_transient_create(s, &setting, &run))) return;
  CHECK_OK(ms_transient_add_load(run, push, cosine, p, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)steps * (PERIODS - 1), 1, NULL, NULL));
  for (int j = 0; j < steps; j++) {
    if (ms_transient_step(run) != MS_SUCCESS) break;
    ms_transient_get_coordinates(run, u, v, NULL);
    double complex turn = cexp(-2.0 * pi * I * (j + 1) / steps) * 2.0 / steps;
    out[0] += (u[LINK] - u[DRIVEN]) * turn;
    out[1] += (u[FREE] - u[LINK]) * turn;
  }
  ms_transient_destroy(&run);
}

/* Amplitude and phase of stretch and slip; time steps halved and extrapolated. */
static void test_in_time(void) {
  const double levels[] = { 83.0, 171.0, 317.0 };
  ms_structure *s = build();
  ms_harmonic *h = balance(s, 31, 2048);
  ms_harmonic_curve *curve =
      track(h, &(ms_harmonic_range) { .from = 2.0, .to = 317.0, .list = levels, .n_list = 3 });
  int found = 0;
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    const double stretch[N] = { -1.0, 1.0, 0.0 }, slip[N] = { 0.0, -1.0, 1.0 };
    const char *name[] = { "stretch", "slip" };
    double x[63];
    double complex coarse[2], fine[2];
    if (!p->listed) continue;
    found++;
    steady(s, p->level, p->omega, 1600, coarse);
    steady(s, p->level, p->omega, 3200, fine);
    for (int k = 0; k < 2; k++) {
      CHECK_OK(ms_harmonic_recover(h, curve, i, k == 0 ? stretch : slip, x));
      double complex limit = fine[k] + (fine[k] - coarse[k]) / 3.0, X = x[1] - I * x[2];
      double error = cabs(X / limit - 1.0);
      printf("# %g N, %s: %.7g, in time %.7g (%.1e, last halving %.1e)\n", p->level, name[k],
             cabs(X), cabs(limit), error, cabs(fine[k] / coarse[k] - 1.0));
      CHECK_BELOW(error, 1e-3);
    }
  }
  CHECK_EQUAL(found, 3);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_does_not_creep);
  TEST(test_in_time);
  return test_finish();
}
