/* Raw records of a hammer: silence with an offset, a pulse, then modes that ring. The start is
   found, the offset subtracted, another mode outside the band is stopped, and what cannot be
   right is said. */
#include <microslip/signal.h>

#include <math.h>

#include "support/check.h"

enum { N = 9000 };
static const double dt = 1.0 / 6400.0, trigger = 0.0503, pulse = 0.0009, pi = 3.14159265358979;
static double x[N], y[N];

static double mode(double amplitude, double hz, double zeta, double phase, double t) {
  return amplitude * exp(-zeta * 2.0 * pi * hz * t) * sin(2.0 * pi * hz * t + phase);
}

/* Acceleration; `other` is the amplitude of a mode at 319 Hz. */
static ms_signal make_record(double offset, double other) {
  for (int k = 0; k < N; k++) {
    double t = dt * k - trigger;
    x[k] = offset;
    if (t > 0.0 && t < pulse) x[k] += 400.0 * sin(pi * t / pulse);
    if (t > 0.0) x[k] += mode(37.7, 221.3, 0.0031, 0.4, t) + mode(other, 319.0, 0.0023, 1.1, t);
  }
  return (ms_signal) { x, N, dt, 0.0, MS_SIGNAL_ACCELERATION };
}

/* Largest relative errors over all rows. */
static void compare(const ms_decay *d, double omega_tolerance, double zeta_tolerance) {
  double omega = 0.0, zeta = 0.0;
  for (ptrdiff_t i = 0; i < d->n; i++) {
    omega = fmax(omega, fabs(d->point[i].omega / (2.0 * pi * 221.3) - 1.0));
    zeta = fmax(zeta, fabs(d->point[i].zeta / 0.0031 - 1.0));
  }
  CHECK_BELOW(omega, omega_tolerance);
  CHECK_BELOW(zeta, zeta_tolerance);
}

/* What is said of a table as a whole is its median. */
static void check_residual(const ms_decay *d, const ms_ring_info *info) {
  ptrdiff_t below = 0, above = 0;
  for (ptrdiff_t i = 0; i < d->n; i++) {
    below += d->point[i].quality < info->residual;
    above += d->point[i].quality > info->residual;
  }
  CHECK(below <= d->n / 2 && above <= d->n / 2);
}

/* The Hilbert transform of one decaying sine is exact to the mirrored ends. */
static void test_raw(void) {
  static const double offset[3] = { 0.31, -57.3, 571.0 }; /* one is larger than the pulse */
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_ring_info info;
  ms_decay decay;
  char text[240];
  for (int method = 0; method < 3; method++) {
    ms_signal signal = make_record(offset[method], 0.0);
    settings.method = (ms_ring_method)method;
    if (!CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info))) return;
    CHECK(decay.n > 10);
    compare(&decay, 2e-5, 2e-3);
    check_residual(&decay, &info);
    CHECK_CLOSE(info.offset, offset[method], 1e-12);
    CHECK(info.before > 250 && info.before < 322);
    CHECK_NEAR(y[100], 0.0, 1e-10);
    CHECK(info.onset > trigger + pulse && info.onset < trigger + 0.01);
    CHECK_EQUAL(ms_ring_warning(&info, &settings, 0, text, sizeof text), 0);
    ms_decay_free(test_context(), &decay);
  }
}

static void test_offset_kept(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.31, 0.0);
  ms_ring_info info;
  ms_decay decay;
  settings.keep_offset = 1;
  settings.end = 0.7;
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
  CHECK_EQUAL(info.before, 0);
  CHECK_NEAR(y[100], 0.31, 1e-12);
  ms_decay_free(test_context(), &decay);
}

/* Pushed the other way, by a pulse whose peak is the largest sample: it rings from the same time.
 */
static void test_mirrored(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.31, 0.0);
  double onset[2];
  for (int way = 0; way < 2; way++) {
    ms_ring_info info;
    ms_decay decay;
    for (int k = 0; way == 1 && k < N; k++) x[k] = -x[k];
    CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
    CHECK_NEAR(info.offset, way ? -0.31 : 0.31, 1e-12);
    compare(&decay, 2e-5, 2e-3);
    onset[way] = info.onset;
    ms_decay_free(test_context(), &decay);
  }
  CHECK_NEAR(onset[1], onset[0], 1e-12);
}

/* A record that rings from its first sample on has nothing before the trigger, however finely it is
   sampled: its first hundred samples are the beginning of a period. */
static void test_no_lead(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = { x, N, 1e-5, 2.7, MS_SIGNAL_DISPLACEMENT };
  ms_ring_info info;
  ms_decay decay;
  for (int k = 0; k < N; k++) x[k] = mode(1.3, 107.0, 0.004, 0.0, 1e-5 * k);
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, NULL, &decay, &info));
  CHECK_EQUAL(info.before, 0);
  CHECK_NEAR(info.onset, 2.7, 1e-12);
  ms_decay_free(test_context(), &decay);
}

/* Behind the edges of the band less than 1 % of the jump at the trigger is left, and ripples of it
   make less than 1 % of zeta; 10 times as much within the first transition.

   The mode at 319 Hz is as strong as the one that is asked for; the edges of the band end at 297.
 */
static void test_band(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.31, 40.0);
  ms_ring_info info;
  ms_decay decay;
  char text[240];
  settings.low = 2.0 * pi * 180.0;
  settings.high = 2.0 * pi * 270.0;
  if (!CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info))) return;
  compare(&decay, 1e-4, 1e-2);
  CHECK_CLOSE(info.edge_time, 1.5 / 18.0, 1e-9);
  CHECK(decay.point[0].time > info.onset + info.edge_time);
  CHECK(decay.point[decay.n - 1].time < dt * (N - 1) - info.edge_time);
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 0, text, sizeof text), 0);
  ms_decay_free(test_context(), &decay);
}

/* Both modes at once are not one oscillation; and with the other mode alone inside the edge. */
static void test_warnings(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.0, 17.0);
  ms_ring_info info;
  ms_decay decay;
  char text[240];
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
  CHECK(info.n_rough > 0 && info.residual > 0.1);
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 0, text, sizeof text), 1);
  CHECK_HAS(text, "the residual is above 0.1 in");
  ms_decay_free(test_context(), &decay);
  signal = make_record(0.0, 0.0);
  settings.low = 2.0 * pi * 180.0;
  settings.high = 2.0 * pi * 215.0;
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
  CHECK_EQUAL(info.n_outside, decay.n);
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 0, text, sizeof text), 1);
  CHECK_HAS(text, "outside the band of 180 to 215 Hz");
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 1, text, sizeof text), 0);
  ms_decay_free(test_context(), &decay);
}

/* Where a start is given, the edges count from there if that is before the ringing; an end that is
   given is kept if the edges leave it. Either end of a band may be open. */
static void test_window(void) {
  static const struct {
    double low, high, start, end;      /* Hz, s */
    double edge, from, to, from_onset; /* from_onset: s, from the onset that was found */
  } of[] = {
    { 180.0, 270.0, 0.31, 0.9, 1.5 / 18.0, 0.31, 0.9, -1.0 },
    { 180.0, 270.0, 0.0203, HUGE_VAL, 1.5 / 18.0, 0.0203 + 1.5 / 18.0, 8999 / 6400.0 - 1.5 / 18.0,
      -1.0 },
    { 0.0, 270.0, -HUGE_VAL, HUGE_VAL, 1.5 / 27.0, 0.0, 8999 / 6400.0 - 1.5 / 27.0, 1.5 / 27.0 },
    { 180.0, HUGE_VAL, -HUGE_VAL, 0.9, 1.5 / 18.0, 0.0, 0.9, 1.5 / 18.0 },
    { 0.0, 0.0, -HUGE_VAL, 0.9, 0.0, 0.0, 0.9, 0.0 },
  };
  for (int i = 0; i < 5; i++) {
    ms_ring_settings settings = MS_RING_DEFAULT;
    ms_signal signal = make_record(0.31, 0.0);
    ms_ring_info info;
    ms_decay decay;
    settings.low = 2.0 * pi * of[i].low;
    settings.high = 2.0 * pi * of[i].high;
    settings.start = of[i].start;
    settings.end = of[i].end;
    if (!CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info))) return;
    CHECK_NEAR(info.edge_time, of[i].edge, 1e-9);
    CHECK_NEAR(info.start, of[i].from_onset < 0.0 ? of[i].from : info.onset + of[i].from_onset,
               1e-9);
    CHECK_NEAR(info.end, of[i].to, 1e-9);
    CHECK_EQUAL(info.n, decay.n);
    ms_decay_free(test_context(), &decay);
    char text[240] = "";
    CHECK_EQUAL(ms_ring_note(&info, &settings, 0, text, sizeof text), i == 1);
    if (i == 1) CHECK_HAS(text, "start is 0.1036 s, not 0.0203 s");
  }
}

/* What the sampling cannot hold is no band; an open end is. */
static void test_beyond_sampling(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.31, 0.0);
  ms_decay decay;
  settings.low = 2.0 * pi * 180.0;
  settings.high = 2.0 * pi * 3210.0;
  CHECK_STATUS(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, NULL),
               MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "ends at 3210 Hz, beyond what the sampling");
}

/* Another mode that comes late makes rows rough from then on; a signal that grows has no mode that
   rings freely. */
static void test_rough_and_growing(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.0, 0.0);
  ms_ring_info info;
  ms_decay decay;
  char text[240];
  for (int k = 0; k < N; k++) {
    if (dt * k > 0.9) x[k] += 0.7 * sin(2.0 * pi * 319.0 * dt * k);
  }
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
  CHECK(info.n_rough > 2 && info.n_rough < info.n / 2);
  CHECK(info.rough_time > 0.8 && info.rough_time < 1.0);
  CHECK(info.residual < 0.1);
  ms_decay_free(test_context(), &decay);
  for (int k = 0; k < N; k++) x[k] = mode(0.31, 221.3, -0.0021, 0.4, dt * k);
  settings.start = 0.0503;
  CHECK_OK(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, &info));
  CHECK_EQUAL(info.n_growing, info.n);
  CHECK_EQUAL(info.n_rough, 0);
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 0, text, sizeof text), 1);
  CHECK_HAS(text, "rows do not decay");
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 1, text, sizeof text), 0);
  ms_decay_free(test_context(), &decay);
  info = (ms_ring_info) { .n = 31, .n_rough = 3, .n_outside = 5, .n_growing = 7 };
  static const char *const count[] = { "3 of 31", "5 of 31", "7 of 31" };
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(ms_ring_warning(&info, &settings, i, text, sizeof text), 1);
    CHECK_HAS(text, count[i]);
  }
  CHECK_EQUAL(ms_ring_warning(&info, &settings, 3, text, sizeof text), 0);
}

static void refuse(ms_ring_settings settings, const char *words) {
  ms_signal signal = make_record(0.0, 0.0);
  ms_decay decay;
  CHECK_STATUS(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, NULL),
               MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_too_narrow(void) {
  ms_ring_settings settings = MS_RING_DEFAULT;
  ms_signal signal = make_record(0.0, 0.0);
  ms_decay decay;
  settings.rough = 0.0;
  refuse(settings, "residual 0:");
  settings = (ms_ring_settings)MS_RING_DEFAULT;
  settings.low = -1.0;
  refuse(settings, "band from -0.159155 to 0 Hz");
  settings = (ms_ring_settings)MS_RING_DEFAULT;
  settings.high = -1.0;
  refuse(settings, "to -0.159155 Hz");
  settings = (ms_ring_settings)MS_RING_DEFAULT;
  settings.segments = -1;
  refuse(settings, "number of rows -1");
  settings = (ms_ring_settings)MS_RING_DEFAULT;
  settings.low = 2.0 * pi * 180.0;
  settings.high = 2.0 * pi * 270.0;
  settings.edge = 0.011;
  CHECK_STATUS(ms_signal_ringdown(test_context(), &signal, &settings, y, &decay, NULL),
               MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "widen the edges or record longer");
}

/* An offset of half the peak, and a pulse in a tenth of the record. */
static void test_pulse(void) {
  ms_pulse found;
  for (int k = 0; k < 1000; k++) {
    x[k] = -7.3 + (k >= 400 && k < 500 ? 14.6 * sin(pi * (k - 400) / 99.0) : 0.0);
  }
  CHECK_OK(ms_signal_find_pulse(test_context(), 1000, x, &found));
  CHECK_EQUAL(found.rise, 404); /* sin(pi/99 3.157) = 0.1 */
  CHECK_EQUAL(found.fall, 495);
  CHECK_EQUAL(found.first, 404 - 92);
  CHECK_EQUAL(found.last, 495 + 92);
  CHECK_EQUAL(found.before, 404 - 92);
  for (int k = 0; k < 1000; k++) x[k] = -x[k]; /* pushed the other way */
  CHECK_OK(ms_signal_find_pulse(test_context(), 1000, x, &found));
  CHECK_EQUAL(found.rise, 404);
  CHECK_EQUAL(found.fall, 495);
  CHECK_OK(ms_signal_find_pulse(test_context(), 600, x + 395, &found));
  CHECK_EQUAL(found.before, 0);
  CHECK_STATUS(ms_signal_find_pulse(test_context(), 300, x, &found), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "the force is zero");
}

static ms_status read_band(ms_context *ctx, void *user) {
  ms_decay decay;
  ms_ring_info info;
  ms_ring_settings settings = MS_RING_DEFAULT;
  settings.low = 2.0 * pi * 180.0;
  settings.high = 2.0 * pi * 270.0;
  ms_status status = ms_signal_ringdown(ctx, user, &settings, NULL, &decay, &info);
  ms_decay_free(ctx, &decay);
  return status;
}

static void test_memory_failures(void) {
  ms_signal signal = make_record(0.31, 40.0);
  CHECK(test_allocations(read_band, &signal) > 3);
}

int main(void) {
  TEST(test_raw);
  TEST(test_offset_kept);
  TEST(test_mirrored);
  TEST(test_no_lead);
  TEST(test_band);
  TEST(test_warnings);
  TEST(test_window);
  TEST(test_beyond_sampling);
  TEST(test_rough_and_growing);
  TEST(test_too_narrow);
  TEST(test_pulse);
  TEST(test_memory_failures);
  return test_finish();
}
