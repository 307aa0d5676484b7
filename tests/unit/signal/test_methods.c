/* The methods behind one call: the same motion as displacement, velocity and acceleration gives the
   same table. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/signals.h"

/* 1.1 % of frequency shift, damping from 2.5e-3 down to 4e-4. */
static const test_ring ring = { 2.71e-4, 0.3137, 7e3, 863.7, 37.0, 0.37 };
enum { N = 30000 };
static const double dt = 2.3e-4;

/* Velocity: z' = r z, r = -rate + i omega, for z = A exp(i psi). */
static double *make_velocity(void) {
  double *v = malloc(N * sizeof *v);
  test_ring quadrature = ring;
  quadrature.phase -= 0.5 * acos(-1.0);
  for (int k = 0; v && k < N; k++) {
    double t = dt * k, x = test_ring_value(&ring, t), y = test_ring_value(&quadrature, t);
    v[k] = -test_ring_rate(&ring, t) * x - test_ring_omega(&ring, t) * y;
  }
  return v;
}

/* The rate of the velocity differs by omega'/omega, here a part dln(omega)/dln(A) of about 1 %. */
static void test_refer(void) {
  double omega = 100.0, slope = 0.31;
  ms_decay_point point[3] = { { .time = 1.0, .omega = omega * exp(-slope * 0.5), .zeta = 0.01 },
                              { .time = 1.5, .omega = omega, .zeta = 0.01 },
                              { .time = 2.5, .omega = omega * exp(slope), .zeta = 0.01 } };
  ms_decay decay = { 3, point };
  double alpha = -0.01 * omega / sqrt(1.0 - 1e-4) - 2.0 * slope;
  ms_decay_refer(&decay, MS_SIGNAL_ACCELERATION);
  CHECK_CLOSE(point[1].zeta, -alpha / hypot(omega, alpha), 1e-12);
  CHECK_CLOSE(point[0].zeta, 0.01 + 2.0 * slope / point[0].omega, 1e-3);
  double zeta = point[1].zeta;
  ms_decay_refer(&decay, MS_SIGNAL_DISPLACEMENT);
  CHECK_CLOSE(point[1].zeta, zeta, 1e-14);
  decay.n = 1;
  point[0].zeta = 0.02;
  ms_decay_refer(&decay, MS_SIGNAL_VELOCITY);
  CHECK_CLOSE(point[0].zeta, 0.02, 1e-14);
}

/* Over the shape at the sensor; rows that grow or stand still go. */
static void test_to_modal(void) {
  ms_decay_point point[4] = {
    { .q = 0.7, .velocity = 2.1, .acceleration = 6.3, .omega = 3.0, .zeta = 0.013 },
    { .q = 0.6, .zeta = -1e-4 },
    { .q = 0.5, .zeta = 0.0 },
    { .q = 0.37, .velocity = 1.11, .acceleration = 3.33, .omega = 3.0, .zeta = 0.011 }
  };
  ms_decay decay = { 4, point };
  CHECK_EQUAL(ms_decay_to_modal(&decay, 0.23), 2);
  CHECK_EQUAL(decay.n, 2);
  CHECK_CLOSE(point[0].q, 0.7 / 0.23, 1e-15);
  CHECK_CLOSE(point[1].q, 0.37 / 0.23, 1e-15);
  CHECK_CLOSE(point[1].velocity, 1.11 / 0.23, 1e-15);
  CHECK_CLOSE(point[1].acceleration, 3.33 / 0.23, 1e-15);
  CHECK(point[1].omega == 3.0 && point[1].zeta == 0.011);
}

static void compare_kinds(ms_ring_method method, double tolerance) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  double *x = test_ring_samples(&ring, N, dt, 0.0), *v = make_velocity();
  ms_signal displacement = { x, N, dt, 0.0, MS_SIGNAL_DISPLACEMENT };
  ms_signal velocity = { v, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay a = { 0 }, b = { 0 };
  settings.method = method;
  CHECK_OK(ms_signal_ringdown(test_context(), &displacement, &settings, NULL, &a, NULL));
  CHECK_OK(ms_signal_ringdown(test_context(), &velocity, &settings, NULL, &b, NULL));
  CHECK_BELOW(test_ring_compare(&ring, MS_SIGNAL_DISPLACEMENT, &a, 2).zeta, tolerance);
  CHECK_BELOW(test_ring_compare(&ring, MS_SIGNAL_DISPLACEMENT, &b, 2).zeta, tolerance);
  CHECK_BELOW(test_ring_compare(&ring, MS_SIGNAL_DISPLACEMENT, &b, 2).omega, 3e-5);
  ms_decay_free(test_context(), &a);
  ms_decay_free(test_context(), &b);
  free(x);
  free(v);
}

static void test_hilbert(void) {
  compare_kinds(MS_RING_HILBERT, 1e-3);
}

static void test_stft(void) {
  compare_kinds(MS_RING_STFT, 1.5e-3);
}

static void test_crossings(void) {
  compare_kinds(MS_RING_CROSSINGS, 1e-3);
}

static void test_rows(void) {
  double *x = test_ring_samples(&ring, N, dt, 0.0);
  ms_signal signal = { x, N, dt, 0.0, MS_SIGNAL_DISPLACEMENT };
  for (int method = 0; method < 3; method++) {
    ms_ring_settings settings = MS_RING_DEFAULT;
    settings.method = (ms_ring_method)method;
    settings.start = 0.7;
    settings.end = 5.9;
    settings.segments = 17;
    ms_decay decay;
    if (!CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, NULL, &decay, NULL)))
      continue;
    CHECK(decay.n >= 16 && decay.n <= 18);
    CHECK(decay.point[0].time > 0.7 && decay.point[decay.n - 1].time < 5.9);
    ms_decay_free(test_context(), &decay);
  }
  free(x);
}

static void test_names(void) {
  ms_ring_method method = MS_RING_HILBERT;
  ms_decay decay;
  ms_signal signal = { .n = 0 };
  ms_ring_settings settings = MS_RING_DEFAULT;
  CHECK_OK(ms_signal_parse_method(test_context(), "crossings", &method));
  CHECK_EQUAL(method, MS_RING_CROSSINGS);
  CHECK_TEXT(ms_signal_method_text(MS_RING_STFT), "stft");
  CHECK(ms_signal_method_text((ms_ring_method)3) == NULL);
  CHECK_STATUS(ms_signal_parse_method(test_context(), "fft", &method), MS_ERR_NAME);
  settings.segments = -1;
  CHECK_STATUS(ms_signal_ringdown(test_context(), &signal, &settings, NULL, &decay, NULL),
               MS_ERR_ARGUMENT);
  settings.segments = 0;
  CHECK_STATUS(ms_signal_ringdown(test_context(), &signal, &settings, NULL, &decay, NULL),
               MS_ERR_ARGUMENT);
}

int main(void) {
  TEST(test_refer);
  TEST(test_to_modal);
  TEST(test_hilbert);
  TEST(test_stft);
  TEST(test_crossings);
  TEST(test_rows);
  TEST(test_names);
  return test_finish();
}
