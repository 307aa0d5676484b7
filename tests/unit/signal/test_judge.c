/* What is said of a record: silence, overloads, blows, peaks of the spectrum. */
#include <microslip/judge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { N = 8192 };
#define DT 2.5e-4
static const double pi = 3.14159265358979323846;
static double x[N];

static double noise(unsigned *seed) {
  *seed = *seed * 1103515245u + 12345u;
  return (double)(*seed >> 16 & 0x7fff) / 32768.0 - 0.5;
}

/* Two modes that ring after 0.25 s; an offset of 0.3 and noise. */
static void make_ring(void) {
  unsigned seed = 7;
  for (int k = 0; k < N; k++) {
    const double t = DT * k - 0.25;
    x[k] = 0.3 + 0.01 * noise(&seed);
    if (t < 0.0) continue;
    x[k] += 5.0 * exp(-3.0 * t) * sin(2.0 * pi * 97.3 * t) +
            2.0 * exp(-4.0 * t) * sin(2.0 * pi * 311.7 * t);
  }
}

static ms_judgement judge(int force) {
  ms_judgement j;
  CHECK_OK(ms_signal_judge(test_context(), N, DT, -0.1, x, force, &j));
  return j;
}

static void test_ring(void) {
  make_ring();
  const ms_judgement j = judge(0);
  CHECK_NEAR((double)j.before, 900.0, 20.0);
  CHECK_NEAR(j.offset, 0.3, 1e-3);
  CHECK_CLOSE(j.noise, 0.01 / sqrt(12.0), 0.05);
  CHECK(j.peak > 5.5 && j.peak < 7.0);
  CHECK(j.peak_time > 0.15 && j.peak_time < 0.2);
  CHECK_EQUAL(j.overloads, 0);
  CHECK_EQUAL(j.n_hit, 0);
  if (!CHECK_EQUAL(j.n_peak, 2)) return;
  CHECK_NEAR(j.spectrum[0].freq_hz, 97.3, 0.05);
  CHECK_NEAR(j.spectrum[1].freq_hz, 311.7, 0.05);
  CHECK(j.spectrum[0].amplitude > 2.0 * j.spectrum[1].amplitude);
}

/* Without a trigger; the amplitude is that of the oscillation. */
static void test_steady(void) {
  unsigned seed = 5;
  for (int k = 0; k < N; k++) x[k] = 2.385 * cos(2.0 * pi * 143.6 * DT * k) + 0.3 * noise(&seed);
  const ms_judgement j = judge(0);
  CHECK_EQUAL(j.before, 0);
  CHECK_NEAR(j.noise, 0.0, 0.0);
  if (!CHECK_EQUAL(j.n_peak, 1)) return;
  CHECK_NEAR(j.spectrum[0].freq_hz, 143.6, 0.05);
  CHECK_CLOSE(j.spectrum[0].amplitude, 2.385, 0.02);
}

static void test_overloads(void) {
  make_ring();
  for (int k = 0; k < N; k++) x[k] = fmin(x[k], 3.25);
  ms_judgement j = judge(0);
  CHECK(j.overloads > 20);
  CHECK(j.overload_time > 0.14 && j.overload_time < 0.17);
  /* Three equal samples at one side, and the other one goes 9 % farther: no range ends there, but
     one does where both go as far, or more samples are equal. */
  for (int i = 0; i < 3; i++) {
    unsigned seed = 11;
    for (int k = 0; k < N; k++) {
      x[k] = 1e-3 * noise(&seed) + 2.0 * sin(0.31 * k) * exp(-1e-3 * k);
      if (k >= 3000 && k < (i == 2 ? 3008 : 3003)) x[k] = -3.157;
    }
    x[2990] = i == 1 ? 3.2 : 3.455;
    j = judge(0);
    CHECK_EQUAL(j.overloads, i == 0 ? 0 : i == 1 ? 3 : 8);
  }
  /* A slow oscillation of a coarse converter stays at its top without an overload. */
  for (int k = 0; k < N; k++) x[k] = floor(1000.0 * sin(2.0 * pi * DT * k)) / 100.0;
  j = judge(0);
  CHECK_EQUAL(j.overloads, 0);
  /* A force that rests at the lowest value of its record, to the digit. */
  for (int k = 0; k < N; k++)
    x[k] = 0.22 + (k > 300 && k < 340 ? 7.1 * sin(pi * (k - 300) / 40.0) : 0.0);
  j = judge(1);
  CHECK_EQUAL(j.overloads, 0);
  for (int k = 0; k < N; k++) x[k] = 0.0;
  j = judge(0);
  CHECK_EQUAL(j.overloads, 0);
  CHECK_NEAR(j.peak, 0.0, 0.0);
}

static void add_blow(double when, double force) {
  for (int k = 0; k < N; k++) {
    const double t = DT * k - when;
    if (t > 0.0 && t < 4e-3) x[k] += force * sin(pi * t / 4e-3);
  }
}

static void test_hits(void) {
  unsigned seed = 3;
  for (int k = 0; k < N; k++) x[k] = 1.5 + 0.2 * noise(&seed);
  add_blow(0.3, -80.0);
  ms_judgement j = judge(1);
  CHECK_EQUAL(j.n_hit, 1);
  CHECK_NEAR(j.hit_time[0], 0.2, 1e-3);
  CHECK_NEAR(j.offset, 1.5, 0.01);
  CHECK_EQUAL(j.n_peak, 0);
  add_blow(0.345, -15.0);
  j = judge(1);
  CHECK_EQUAL(j.n_hit, 2);
  CHECK_NEAR(j.hit_time[1], 0.245, 1e-3);
  for (int k = 0; k < N; k++) x[k] = noise(&seed); /* a shaker */
  j = judge(1);
  CHECK_EQUAL(j.n_hit, 0);
}

/* A record that begins at the top of a blow, which is no silence, though it is flat; and nothing at
   all. */
static void test_begins_in_a_blow(void) {
  unsigned seed = 9;
  for (int k = 0; k < N; k++)
    x[k] = 0.02 * noise(&seed) + (k < 150 ? 60.0 * cos(pi * k / 300.0) : 0.0);
  ms_judgement j = judge(1);
  CHECK_EQUAL(j.before, 0);
  CHECK_EQUAL(j.n_hit, 1);
  CHECK_CLOSE(j.peak, 60.0, 0.02);
  for (int k = 0; k < N; k++) x[k] = 0.1;
  for (int force = 0; force < 2; force++) {
    j = judge(force);
    CHECK_NEAR(j.peak, 0.0, 0.0);
    CHECK_NEAR(j.offset, 0.1, 0.0);
  }
}

static void test_refused(void) {
  ms_judgement j;
  CHECK_STATUS(ms_signal_judge(test_context(), 1, DT, 0.0, x, 0, &j), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_judge(test_context(), N, 0.0, 0.0, x, 0, &j), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_judge(test_context(), N, DT, 0.0, NULL, 0, &j), MS_ERR_ARGUMENT);
  x[5] = NAN;
  CHECK_STATUS(ms_signal_judge(test_context(), N, DT, 0.0, x, 0, &j), MS_ERR_NUMERIC);
}

static ms_status judge_in(ms_context *ctx, void *user) {
  ms_judgement j;
  (void)user;
  return ms_signal_judge(ctx, N, DT, 0.0, x, 0, &j);
}

static void test_memory_failures(void) {
  make_ring();
  CHECK(test_allocations(judge_in, NULL) >= 3);
}

int main(void) {
  TEST(test_ring);
  TEST(test_steady);
  TEST(test_overloads);
  TEST(test_hits);
  TEST(test_begins_in_a_blow);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
