/* Peaks of a forced response: the maxima of what is watched, in structures whose coordinates have
   theirs at different frequencies. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include <microslip/harmonic.h>

#include "support/check.h"

static const double m[] = { 1.3, 0.7 }, k[] = { 90.0, 41.0 }, F[] = { 0.4, 1.7 };
static const double C[] = { 1.9, -0.3, -0.3, 1.1 }; /* modes have some 8 and 6 % */

/* Amplitude of w^T x of two masses in a chain on ground, the springs k. */
static double respond(const double *w, double omega) {
  const double complex a = k[0] + k[1] - omega * omega * m[0] + I * omega * C[0];
  const double complex b = -k[1] + I * omega * C[1];
  const double complex d = k[1] - omega * omega * m[1] + I * omega * C[3];
  return cabs((w[0] * (d * F[0] - b * F[1]) + w[1] * (a * F[1] - b * F[0])) / (a * d - b * b));
}

/* The maximum between two frequencies by golden sections, which find it to 1e-8 of them. */
static double maximum(const double *w, double low, double high) {
  const double golden = 0.5 * (sqrt(5.0) - 1.0);
  for (int i = 0; i < 60; i++) {
    const double p = high - golden * (high - low), q = low + golden * (high - low);
    if (respond(w, p) > respond(w, q)) {
      high = q;
    } else {
      low = p;
    }
  }
  return 0.5 * (low + high);
}

enum { MOST = 8 };
static const double from = 2.0, to = 20.0;

static int find_peaks(const double *w, double *peak) {
  const double step = 0.01;
  int n = 0;
  for (double at = from + step; at < to && n < MOST; at += step) {
    const double here = respond(w, at);
    if (here <= respond(w, at - step) || here < respond(w, at + step)) continue;
    peak[n++] = maximum(w, at - step, at + step);
  }
  return n;
}

static void check_watched(ms_harmonic *h, const double *w) {
  const ms_harmonic_range range = { .from = from, .to = to, .watch = w };
  ms_harmonic_curve *curve = NULL;
  double peak[MOST], x[3];
  const int n = find_peaks(w, peak);
  int found = 0;
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  for (ptrdiff_t i = 0; i < ms_harmonic_curve_get_info(curve).points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (!(p->turn & MS_HARMONIC_PEAK)) continue;
    if (found < n) {
      CHECK_OK(ms_harmonic_recover(h, curve, i, w, x));
      CHECK_CLOSE(p->omega, peak[found], 1e-6); /* 1e-7 of the range, turn_tolerance */
      CHECK_CLOSE(hypot(x[1], x[2]), respond(w, peak[found]), 1e-9);
    }
    found++;
  }
  CHECK_EQUAL(found, n);
  ms_harmonic_curve_destroy(&curve);
}

/* One coordinate or the other, and the distance of both. */
static void test_watched(void) {
  const double weights[][2] = { { 1.0, 0.0 }, { 0.0, 1.0 }, { -1.0, 1.0 } };
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_structure *s = NULL;
  ms_harmonic *h = NULL;
  setting.harmonics = 1;
  setting.times = 16;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, i > 0 ? i - 1 : MS_GROUND, i, k[i]));
  }
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, F, 1, 1.0, 0.6));
  for (int i = 0; i < 3; i++) check_watched(h, weights[i]);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_watched);
  return test_finish();
}
