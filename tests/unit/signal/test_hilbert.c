/* Hilbert transform and piecewise linear fit. */
#include <microslip/signal.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "signal/internal.h"
#include "support/check.h"
#include "support/signals.h"

static const test_ring linear = { 2.385, 1.7e-3, 0.0, 2.137, 0.0, 0.713 };
static const test_ring curved = { 2.385, 1.7e-3, 1.3e-3, 2.137, 0.011, 0.713 };
static const ms_hilbert_settings usual = MS_HILBERT_DEFAULT;

/* 1400 s of the ring, 476 periods at the start's frequency, analysed; free the table. */
static ms_decay analyse(const test_ring *ring, double dt, ms_signal_kind kind,
                        const ms_hilbert_settings *set) {
  ptrdiff_t n = (ptrdiff_t)(1400.0 / dt);
  double *x = test_ring_samples(ring, n, dt, 0.31);
  ms_signal signal = { x, n, dt, 0.31, kind };
  ms_decay decay;
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, set, &decay));
  free(x);
  return decay;
}

static test_ring_error error_of(const test_ring *ring, double dt, const ms_hilbert_settings *set,
                                ptrdiff_t first) {
  ms_decay decay = analyse(ring, dt, MS_SIGNAL_VELOCITY, set);
  test_ring_error e = test_ring_compare(ring, MS_SIGNAL_VELOCITY, &decay, first);
  ms_decay_free(test_context(), &decay);
  return e;
}

/* ---- the linear oscillator ---- */

/* One segment: what is left are end effects. */
static void test_linear_whole(void) {
  ms_hilbert_settings set = usual;
  set.segments = 1;
  set.mirror = MS_MIRROR_EXTREMUM;
  test_ring_error e = error_of(&linear, 0.0731, &set, 0);
  CHECK_BELOW(e.omega, 1e-10);
  CHECK_BELOW(e.zeta, 1e-6);
  CHECK_BELOW(e.amplitude, 1e-6);
}

/* The usual segments; end effects grow as the first and the last one shrink. */
static void test_linear_segments(void) {
  ms_hilbert_settings set = usual;
  set.mirror = MS_MIRROR_EXTREMUM;
  test_ring_error all = error_of(&linear, 0.0731, &set, 0);
  CHECK_BELOW(all.omega, 1e-7);
  CHECK_BELOW(all.zeta, 2e-3);
  CHECK_BELOW(all.amplitude, 1e-5);
  test_ring_error inside = error_of(&linear, 0.0731, &set, 5);
  CHECK_BELOW(inside.omega, 1e-8);
  CHECK_BELOW(inside.zeta, 1e-5);
  CHECK_BELOW(inside.amplitude, 1e-6);
}

/* About a sample end effects depend on where the sample lies; about the extremum they do not. */
static void test_mirrors(void) {
  ms_hilbert_settings set = usual;
  set.segments = 40;
  test_ring_error fine = error_of(&linear, 0.0103, &set, 0);
  CHECK_BELOW(fine.zeta, 2e-3);
  test_ring_error coarse = error_of(&linear, 0.307, &set, 0);
  CHECK_BELOW(coarse.zeta, 5e-2);
  set.mirror = MS_MIRROR_EXTREMUM;
  test_ring_error better = error_of(&linear, 0.307, &set, 0);
  CHECK_BELOW(better.zeta, 3e-4);
}

/* ---- amplitude-dependent frequency and damping ---- */

static double ratio(test_ring_error a, test_ring_error b, int which) {
  return which ? a.zeta / b.zeta : a.omega / b.omega;
}

/* Second order away from the ends. */
static void test_order(void) {
  ms_hilbert_settings set = usual;
  set.mirror = MS_MIRROR_EXTREMUM;
  test_ring_error e[3];
  for (int i = 0; i < 3; i++) {
    set.segments = (ptrdiff_t)25 << i;
    e[i] = error_of(&curved, 0.0731, &set, (ptrdiff_t)6 << i);
  }
  for (int i = 0; i < 2; i++)
    for (int which = 0; which < 2; which++) CHECK_NEAR(ratio(e[i], e[i + 1], which), 4.0, 0.4);
  CHECK_BELOW(e[2].omega, 1e-5);
  CHECK_BELOW(e[2].zeta, 1e-3);
}

static void test_kinds(void) {
  ms_hilbert_settings set = usual;
  for (int kind = 0; kind < 3; kind++) {
    ms_decay decay = analyse(&curved, 0.0731, (ms_signal_kind)kind, &set);
    test_ring_error e = test_ring_compare(&curved, (ms_signal_kind)kind, &decay, 2);
    CHECK_BELOW(e.amplitude, 5e-4);
    CHECK_BELOW(e.omega, 2e-5);
    CHECK_BELOW(e.zeta, 1e-2);
    const ms_decay_point *p = &decay.point[17];
    CHECK_CLOSE(p->velocity, p->omega * p->q, 1e-14);
    CHECK_CLOSE(p->acceleration, p->omega * p->omega * p->q, 1e-14);
    ms_decay_free(test_context(), &decay);
    CHECK_EQUAL(decay.n, 0);
    CHECK(decay.point == NULL);
  }
}

/* Knots by amplitude: equal ratios from row to row, and closer together where the decay is fast. */
static void test_knots_by_amplitude(void) {
  ms_hilbert_settings set = usual;
  set.segments = 24;
  set.knots = MS_KNOTS_AMPLITUDE;
  test_ring_error e = error_of(&curved, 0.0731, &set, 1);
  CHECK_BELOW(e.zeta, 5e-3);
  CHECK_BELOW(e.omega, 1e-4);
  ms_decay d = analyse(&curved, 0.0731, MS_SIGNAL_VELOCITY, &set);
  CHECK_EQUAL(d.n, 24);
  double step = d.point[12].velocity / d.point[11].velocity;
  for (ptrdiff_t i = 2; i < d.n - 1; i++)
    CHECK_CLOSE(d.point[i].velocity / d.point[i - 1].velocity, step, 2e-3);
  CHECK_BELOW(d.point[2].time - d.point[1].time, 0.7 * (d.point[22].time - d.point[21].time));
  ms_decay_free(test_context(), &d);
}

/* ---- segments ---- */

/* 1000 segments asked for: as many as leave 4 periods each. A segment may get no shorter by
   amplitude either. */
static void test_periods_per_segment(void) {
  ms_hilbert_settings set = usual;
  set.segments = 1000;
  ms_decay d = analyse(&linear, 0.0731, MS_SIGNAL_VELOCITY, &set);
  double periods = 1400.0 * 2.137 / (2.0 * MS_PI);
  CHECK_NEAR((double)d.n, floor((periods - 3.5) / 4.0), 1.0);
  ms_decay_free(test_context(), &d);
  test_ring fast = curved;
  fast.c = 0.1;
  set.segments = 100;
  set.knots = MS_KNOTS_AMPLITUDE;
  d = analyse(&fast, 0.0731, MS_SIGNAL_VELOCITY, &set);
  CHECK(d.n > 10 && d.n < 90);
  for (ptrdiff_t i = 1; i < d.n; i++) /* middles of neighbours: 4 periods at least */
    CHECK(d.point[i].time - d.point[i - 1].time > 3.99 * 2.0 * MS_PI / 2.137);
  ms_decay_free(test_context(), &d);
}

/* Rows lie within start and end, after an extremum and the trim. */
static void test_start_end(void) {
  ms_hilbert_settings set = usual;
  set.start = 203.7;
  set.end = 611.3;
  set.segments = 7;
  ms_decay d = analyse(&linear, 0.0731, MS_SIGNAL_VELOCITY, &set);
  double period = 2.0 * MS_PI / 2.137, length = d.point[1].time - d.point[0].time;
  double first = d.point[0].time - 0.5 * length, last = d.point[6].time + 0.5 * length;
  CHECK(first > 203.7 + 1.49 * period && first < 203.7 + 2.1 * period);
  CHECK(last < 611.3 - 1.49 * period && last > 611.3 - 2.1 * period);
  ms_decay_free(test_context(), &d);
}

/* ---- noise and quality ---- */

/* Quality is the noise: of the analytic signal over the amplitude, rms noise times sqrt(2) / A for
   the two residuals together. Extrema are found in spite of it. A slope over a segment of m samples
   and h seconds scatters by about 2 sqrt(12/m) (noise/A)/h, here 9e-5/A; four times that is
   allowed. */
static void test_noise(void) {
  enum { N = 20000 };
  const double dt = 0.0731, noise = 0.03;
  double *x = test_ring_samples(&linear, N, dt, 0.0);
  ms_random rng;
  ms_random_start(&rng, 5, 3);
  for (int k = 0; k < N; k++) x[k] += noise * ms_random_normal(&rng);
  ms_signal signal = { x, N, dt, 0.0, MS_SIGNAL_VELOCITY };
  ms_hilbert_settings set = usual;
  set.segments = 20;
  ms_decay d;
  if (CHECK_OK(ms_signal_hilbert(test_context(), &signal, &set, &d))) {
    for (ptrdiff_t i = 0; i < d.n; i++) {
      const ms_decay_point *p = &d.point[i];
      CHECK_CLOSE(p->quality, sqrt(2.0) * noise / p->velocity, 0.1);
      CHECK_CLOSE(p->omega, 2.137, 1.6e-4 / test_ring_amplitude(&linear, p->time));
      CHECK_CLOSE(p->zeta, 1.7e-3 / 2.137, 0.2 / test_ring_amplitude(&linear, p->time));
    }
  }
  ms_decay_free(test_context(), &d);
  free(x);
}

/* A record that begins and ends near zero, with a ripple there that changes sign at every sample:
   the extrema, and so the table, are those of the record without. */
static void test_ripple(void) {
  enum { N = 4000 };
  test_ring ring = linear;
  ring.phase = 1.55;
  double *x = test_ring_samples(&ring, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay d, e;
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, &usual, &d));
  for (int k = 0; k < 5; k++) x[k] = k % 2 ? 0.02 * k : -0.02 * k;
  CHECK_OK(ms_signal_hilbert(test_context(), &signal, &usual, &e));
  CHECK_EQUAL(e.n, d.n);
  CHECK_NEAR(e.point[0].time, d.point[0].time, 0.0);
  CHECK_NEAR(e.point[0].zeta, d.point[0].zeta, 0.0);
  ms_decay_free(test_context(), &d);
  ms_decay_free(test_context(), &e);
  free(x);
}

/* Amplitudes near the ends of the range of numbers. */
static void test_scale(void) {
  const double scale[2] = { 1e-300, 1e300 };
  enum { N = 4000 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0), *y = malloc(N * sizeof *y);
  ms_signal one = { x, N, 0.1, 0.0, MS_SIGNAL_DISPLACEMENT };
  ms_decay d, e;
  CHECK_OK(ms_signal_hilbert(test_context(), &one, &usual, &d));
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < N; k++) y[k] = scale[i] * x[k];
    ms_signal other = { y, N, 0.1, 0.0, MS_SIGNAL_DISPLACEMENT };
    if (CHECK_OK(ms_signal_hilbert(test_context(), &other, &usual, &e))) {
      CHECK_EQUAL(e.n, d.n);
      CHECK_CLOSE(e.point[9].q, scale[i] * d.point[9].q, 1e-11);
      CHECK_CLOSE(e.point[9].omega, d.point[9].omega, 1e-12);
      CHECK_CLOSE(e.point[9].zeta, d.point[9].zeta, 1e-9);
    }
    ms_decay_free(test_context(), &e);
  }
  ms_decay_free(test_context(), &d);
  free(x);
  free(y);
}

/* ---- refusals ---- */

static void refuse(const ms_hilbert_settings *set, const test_ring *ring, double shift,
                   const char *part) {
  enum { N = 2000 };
  double *x = test_ring_samples(ring, N, 0.1, 0.0);
  for (int k = 0; k < N; k++) x[k] += shift;
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  ms_decay d = { 3, NULL };
  CHECK_STATUS(ms_signal_hilbert(test_context(), &signal, set, &d), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK_EQUAL(d.n, 0);
  ms_decay_free(test_context(), &d);
  free(x);
}

static void test_refused_settings(void) {
  ms_hilbert_settings set = usual;
  set.segments = 0;
  refuse(&set, &linear, 0.0, "0 segments");
  set = usual, set.periods = 0.9;
  refuse(&set, &linear, 0.0, "0.9 periods per segment");
  set = usual, set.periods = NAN;
  refuse(&set, &linear, 0.0, "periods per segment");
  set = usual, set.trim = -0.1;
  refuse(&set, &linear, 0.0, "-0.1 periods to be trimmed");
  set = usual, set.trim = NAN;
  refuse(&set, &linear, 0.0, "trimmed");
  set = usual, set.knots = (ms_knots)9;
  refuse(&set, &linear, 0.0, "spacing of knots 9");
  set = usual, set.mirror = (ms_mirror)9;
  refuse(&set, &linear, 0.0, "mirror 9");
}

static void test_refused_records(void) {
  ms_hilbert_settings set = usual;
  set.trim = 40.0; /* the record holds 68 */
  refuse(&set, &linear, 0.0, "40 are cut off at each end");
  set = usual, set.periods = 70.0;
  refuse(&set, &linear, 0.0, "a segment needs 70");
  refuse(&usual, &linear, 100.0, "offset");
  test_ring grows = linear;
  grows.alpha = -1.7e-3;
  set = usual, set.knots = MS_KNOTS_AMPLITUDE;
  refuse(&set, &grows, 0.0, "does not decay");
}

/* ---- threads ---- */

typedef struct thread_work {
  const ms_signal *signal;
  double sum;
} thread_work;

static void *run_thread(void *user) {
  thread_work *w = user;
  ms_context *ctx;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return NULL;
  for (int i = 0; i < 20; i++) {
    ms_decay d;
    if (ms_signal_hilbert(ctx, w->signal, &usual, &d) == MS_SUCCESS) w->sum += d.point[3].zeta;
    ms_decay_free(ctx, &d);
  }
  ms_context_destroy(&ctx);
  return NULL;
}

/* One context per thread is all that is asked of the caller; digits are the same in each. */
static void test_threads(void) {
  enum { N = 1500, THREADS = 4 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  thread_work work[THREADS], alone = { &signal, 0.0 };
  pthread_t thread[THREADS];
  run_thread(&alone);
  for (int i = 0; i < THREADS; i++) {
    work[i] = (thread_work) { &signal, 0.0 };
    CHECK_EQUAL(pthread_create(&thread[i], NULL, run_thread, &work[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQUAL(pthread_join(thread[i], NULL), 0);
    CHECK_NEAR(work[i].sum, alone.sum, 0.0);
  }
  CHECK(alone.sum > 0.0);
  free(x);
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  ms_decay d;
  ms_hilbert_settings set = usual;
  set.segments = 5;
  set.knots = MS_KNOTS_AMPLITUDE;
  ms_status status = ms_signal_hilbert(ctx, user, &set, &d);
  if (status == MS_SUCCESS) CHECK_EQUAL(d.n, 5);
  ms_decay_free(ctx, &d);
  return status;
}

static void test_memory_failures(void) {
  enum { N = 1500 };
  double *x = test_ring_samples(&linear, N, 0.1, 0.0);
  ms_signal signal = { x, N, 0.1, 0.0, MS_SIGNAL_VELOCITY };
  CHECK(test_allocations(work, &signal) >= 8);
  ms_decay_free(test_context(), NULL);
  free(x);
}

int main(void) {
  TEST(test_linear_whole);
  TEST(test_linear_segments);
  TEST(test_mirrors);
  TEST(test_order);
  TEST(test_kinds);
  TEST(test_knots_by_amplitude);
  TEST(test_periods_per_segment);
  TEST(test_start_end);
  TEST(test_noise);
  TEST(test_ripple);
  TEST(test_scale);
  TEST(test_refused_settings);
  TEST(test_refused_records);
  TEST(test_threads);
  TEST(test_memory_failures);
  return test_finish();
}
