/* Settings just outside what a method takes, and no numbers at all: refused, and named; just
   inside: taken. */
#include <microslip/judge.h>
#include <microslip/signal.h>
#include <microslip/survey.h>

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/signals.h"

enum { N = 4000 };
static double x[N], y[N];
static ms_signal record = { x, N, 1e-2, 0.3, MS_SIGNAL_DISPLACEMENT };

typedef ms_status run(void);

static void refuses(run *call, double *value, double bad, const char *words) {
  const double kept = *value;
  *value = bad;
  CHECK_STATUS(call() < 0, 1);
  CHECK_HAS(ms_context_message(test_context()), words);
  *value = kept;
}
/* bad, and what is no number. */
static void refuses_both(run *call, double *value, double bad, const char *words) {
  refuses(call, value, bad, words);
  refuses(call, value, NAN, words);
}
static void takes(run *call, double *value, double good) {
  const double kept = *value;
  *value = good;
  CHECK_OK(call());
  *value = kept;
}

static ms_band band = { 4.1, 9.3, 0.25 };
static double dt = 1e-2;
static ms_status filter(void) {
  return ms_signal_bandpass(test_context(), &band, dt, N, 1, x, y);
}
static void test_bandpass(void) {
  CHECK_OK(filter());
  refuses_both(filter, &dt, 0.0, "the time step is");
  refuses(filter, &dt, HUGE_VAL, "the time step is inf");
  refuses_both(filter, &band.low, -1e-9, "the edges must be >= 0, in order");
  refuses_both(filter, &band.high, band.low, "the edges must be >= 0, in order");
  takes(filter, &band.high, band.low * (1.0 + 1e-9));
  refuses_both(filter, &band.width, 0.0, "width of the band's edges");
  refuses(filter, &band.width, 1.0 + 1e-9, "width of the band's edges");
  takes(filter, &band.width, 1.0);
  ms_context *ctx = test_context();
  CHECK_STATUS(ms_signal_bandpass(ctx, &band, dt, 1, 1, x, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_bandpass(ctx, &band, dt, N, 0, x, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_bandpass(ctx, &band, dt, N, 1, NULL, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_bandpass(ctx, &band, dt, N, 1, x, NULL), MS_ERR_ARGUMENT);
}

static ms_decimator_settings coarse;
static ms_status decimate(void) {
  return ms_signal_decimate(test_context(), &coarse, N, 1, x, y);
}
static void test_decimate(void) {
  ms_decimator_default(&coarse, sizeof coarse);
  coarse.factor = 4;
  CHECK_OK(decimate());
  refuses_both(decimate, &coarse.attenuation, 50.0, "attenuation of");
  refuses(decimate, &coarse.attenuation, 180.0 + 1e-9, "attenuation of 180 dB");
  takes(decimate, &coarse.attenuation, 50.0 + 1e-9);
  takes(decimate, &coarse.attenuation, 180.0);
  refuses_both(decimate, &coarse.pass, 0.0, "pass-band of");
  refuses(decimate, &coarse.pass, 1.0, "pass-band of 1");
  CHECK_STATUS(ms_signal_decimate(test_context(), &coarse, 0, 1, x, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_decimate(test_context(), &coarse, N, 0, x, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_decimate(test_context(), &coarse, N, 1, NULL, y), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_signal_decimate(test_context(), &coarse, N, 1, x, NULL), MS_ERR_ARGUMENT);
}

static ms_crossing_settings crossing;
static ms_hilbert_settings hilbert;
static ms_stft_settings stft;
static ms_spectrogram_settings map;
static ms_ring_settings ring;
static double low, high, tolerance;
static ms_status by_crossings(void) {
  ms_decay d;
  ms_status status = ms_signal_zero_crossings(test_context(), &record, &crossing, &d);
  ms_decay_free(test_context(), &d);
  return status;
}
static ms_status by_hilbert(void) {
  ms_decay d;
  ms_status status = ms_signal_hilbert(test_context(), &record, &hilbert, &d);
  ms_decay_free(test_context(), &d);
  return status;
}
static ms_status by_stft(void) {
  ms_decay d;
  ms_status status = ms_signal_stft(test_context(), &record, &stft, &d);
  ms_decay_free(test_context(), &d);
  return status;
}
static ms_status by_spectrogram(void) {
  return ms_signal_check_spectrogram(test_context(), N, dt, &map);
}
static ms_status by_any(void) {
  ms_decay d;
  ms_ring_info info;
  ms_status status = ms_signal_ringdown(test_context(), &record, &ring, NULL, &d, &info);
  ms_decay_free(test_context(), &d);
  return status;
}
static ms_status find_frequency(void) {
  double omega;
  return ms_signal_find_frequency(test_context(), &record, low, high, &omega);
}
static ms_status borrow(void) {
  double t[N];
  ms_signal out;
  for (int k = 0; k < N; k++) t[k] = 0.25 * k;
  return ms_signal_borrow(test_context(), N, t, x, MS_SIGNAL_DISPLACEMENT, tolerance, &out);
}

static void test_crossings(void) {
  ms_crossing_default(&crossing, sizeof crossing);
  CHECK_OK(by_crossings());
  refuses_both(by_crossings, &crossing.hysteresis, -1e-9, "hysteresis is");
  refuses(by_crossings, &crossing.hysteresis, 1.0, "hysteresis is 1");
  takes(by_crossings, &crossing.hysteresis, 0.0);
  crossing.cycles = 1;
  refuses(by_crossings, &low, 0.0, "1 cycles to a row asked for");
  crossing.cycles = 2;
  CHECK_OK(by_crossings());
}

static void test_hilbert(void) {
  ms_hilbert_default(&hilbert, sizeof hilbert);
  hilbert.segments = 12;
  CHECK_OK(by_hilbert());
  refuses_both(by_hilbert, &hilbert.periods, 1.0 - 1e-9, "periods per segment");
  refuses(by_hilbert, &hilbert.periods, HUGE_VAL, "inf periods per segment");
  takes(by_hilbert, &hilbert.periods, 1.0);
  refuses_both(by_hilbert, &hilbert.trim, -1e-9, "periods to be trimmed");
  refuses(by_hilbert, &hilbert.trim, HUGE_VAL, "inf periods to be trimmed");
  takes(by_hilbert, &hilbert.trim, 0.0);
  hilbert.own_ends = 2;
  refuses(by_hilbert, &low, 0.0, "own_ends is 2; it must be 0 or 1");
  hilbert.own_ends = 1;
  CHECK_OK(by_hilbert());
}

static void test_stft(void) {
  ms_stft_default(&stft, sizeof stft);
  stft.segments = 3;
  stft.window_first = stft.window_last = 5.0;
  CHECK_OK(by_stft());
  refuses_both(by_stft, &stft.overlap, 1.0, "overlap of the windows is");
  refuses(by_stft, &stft.overlap, -1e-9, "overlap of the windows is");
  takes(by_stft, &stft.overlap, 0.0);
  refuses_both(by_stft, &stft.window_first, -1e-9, "lengths must be >= 0");
  refuses_both(by_stft, &stft.window_last, -1e-9, "lengths must be >= 0");
  takes(by_stft, &stft.window_first, 4.1);
  stft.growth = (ms_growth)-1;
  refuses(by_stft, &low, 0.0, "growth of the windows -1");
  stft.growth = MS_GROWTH_EXPONENTIAL;
  CHECK_OK(by_stft());
  stft.growth = (ms_growth)(MS_GROWTH_EXPONENTIAL + 1);
  refuses(by_stft, &low, 0.0, "growth of the windows 3");
}

static void test_spectrogram(void) {
  ms_spectrogram_default(&map, sizeof map);
  map.window = 2.0;
  CHECK_OK(by_spectrogram());
  refuses_both(by_spectrogram, &map.window, 0.0, "window ");
  refuses_both(by_spectrogram, &map.overlap, 1.0, "overlap ");
  refuses(by_spectrogram, &map.overlap, -1e-9, "overlap ");
  takes(by_spectrogram, &map.overlap, 0.0);
  refuses_both(by_spectrogram, &map.low, -1e-9, "out of bounds");
  map.low = 4.1;
  refuses_both(by_spectrogram, &map.high, 4.1, "out of bounds");
  refuses(by_spectrogram, &map.window, 6.5e-2, "it must have 8");
  map.low = 0.0;
  takes(by_spectrogram, &map.window, 7.5e-2);
  takes(by_spectrogram, &map.window, 39.985);
  refuses(by_spectrogram, &map.window, 40.005, "has 4001 samples");
}

static void test_any(void) {
  ms_ring_default(&ring, sizeof ring);
  CHECK_OK(by_any());
  refuses_both(by_any, &ring.low, -1e-9, "a band must be >= 0");
  refuses_both(by_any, &ring.high, -1e-9, "a band must be >= 0");
  refuses_both(by_any, &ring.rough, 0.0, "a residual > 0");
  refuses(by_any, &ring.high, 1.000001 * 3.14159265358979 / record.dt,
          "beyond what the sampling reaches, 50 Hz");
  const ms_ring_method kept = ring.method;
  ring.method = (ms_ring_method)99;
  refuses(by_any, &low, 0.0, "method 99");
  ring.method = kept;
}

static void test_records(void) {
  low = 0.0, high = HUGE_VAL, tolerance = 1e-3;
  CHECK_OK(find_frequency());
  refuses_both(find_frequency, &low, -1e-9, "frequency limits");
  refuses(find_frequency, &high, 0.0, "frequency limits 0 and 0 rad/s");
  refuses(find_frequency, &high, NAN, "frequency limits");
  CHECK_OK(borrow());
  refuses_both(borrow, &tolerance, -1e-12, "tolerance of the sampling is");
  takes(borrow, &tolerance, 0.0);
  ms_signal out;
  CHECK_STATUS(ms_signal_borrow(test_context(), N, NULL, x, MS_SIGNAL_DISPLACEMENT, 0.1, &out),
               MS_ERR_ARGUMENT);
  refuses_both(by_crossings, &record.dt, 0.0, "time step is");
  refuses(by_crossings, &record.dt, HUGE_VAL, "time step is inf");
  refuses(by_crossings, &record.time, NAN, "first sample is not finite");
  record.n = 0;
  refuses(by_crossings, &low, 0.0, "the record has no samples");
  record.n = N;
  for (int kind = MS_SIGNAL_DISPLACEMENT - 1; kind <= MS_SIGNAL_ACCELERATION + 1; kind++) {
    record.kind = (ms_signal_kind)kind;
    if (kind == MS_SIGNAL_DISPLACEMENT - 1 || kind == MS_SIGNAL_ACCELERATION + 1) {
      refuses(by_crossings, &low, 0.0, "is none of displacement, velocity, acceleration");
    } else {
      CHECK_OK(by_crossings());
    }
  }
  record.kind = MS_SIGNAL_DISPLACEMENT;
}

static ms_frf_settings frf;
static ms_status estimate(void) {
  const ms_frf_record one = { x, y, N };
  ms_frf out;
  ms_status status = ms_signal_estimate_frf(test_context(), &frf, dt, 1, &one, &out);
  ms_frf_free(test_context(), &out);
  return status;
}
static void test_frf(void) {
  ms_frf_default(&frf, sizeof frf);
  frf.window = MS_FRF_HAMMER;
  for (int k = 0; k < N; k++) y[k] = 0.3 * x[k];
  CHECK_OK(estimate());
  refuses_both(estimate, &frf.overlap, 1.0, "overlap of the blocks is");
  refuses(estimate, &frf.overlap, -1e-9, "overlap of the blocks is");
  takes(estimate, &frf.overlap, 0.0);
  refuses_both(estimate, &frf.decay, -1e-9, "decay");
  refuses(estimate, &frf.decay, HUGE_VAL, "decay inf");
  refuses_both(estimate, &frf.force_end, -1e-9, "force_end");
  refuses_both(estimate, &dt, 0.0, "");
  frf.length = 7;
  refuses(estimate, &low, 0.0, "a block of 7 samples is too short; 8 are the least");
}

static ms_harmonics_setting steady = { 6.283185, 3, 2 };
static ms_status harmonics(void) {
  const double *const one[] = { x };
  ms_harmonics out;
  ms_status status = ms_signal_fit_harmonics(test_context(), &record, 1, one, &steady, &out);
  ms_harmonics_free(test_context(), &out);
  return status;
}
static void test_harmonics(void) {
  CHECK_OK(harmonics());
  refuses_both(harmonics, &steady.omega, 0.0, "omega, periods and harmonics must be above 0");
  refuses(harmonics, &steady.omega, HUGE_VAL, "omega, periods and harmonics must be above 0: inf");
  /* 2H + 2 = 6 samples in a period: as many, and a millionth fewer. */
  takes(harmonics, &steady.omega, 2.0 * 3.14159265358979 / (6.0 * record.dt) * (1.0 - 1e-9));
  refuses(harmonics, &steady.omega, 2.0 * 3.14159265358979 / (6.0 * record.dt) * (1.0 + 1e-6),
          "do not hold 2 harmonics; that takes 6");
  steady.periods = 0;
  refuses(harmonics, &low, 0.0, ", 0, 2");
  steady.periods = 1, steady.harmonics = 0;
  refuses(harmonics, &low, 0.0, ", 1, 0");
  steady.harmonics = 1;
  CHECK_OK(harmonics());
}

static void test_judge(void) {
  ms_judgement out;
  const double bad[] = { 0.0, -1.0, HUGE_VAL, NAN };
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(ms_signal_judge(test_context(), N, bad[i], 0.0, x, 0, &out), MS_ERR_ARGUMENT);
    CHECK_HAS(ms_context_message(test_context()), "4000 samples");
  }
  CHECK_STATUS(ms_signal_judge(test_context(), 1, 0.1, 0.0, x, 0, &out), MS_ERR_ARGUMENT);
}

static ms_survey_settings set;
static ms_survey_record hits[2];
static ms_status survey(void) {
  ms_survey *out = NULL;
  ms_status status = ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 2, hits, &set, &out);
  ms_survey_destroy(&out);
  return status;
}
static void test_survey(void) {
  ms_survey_default(&set, sizeof set);
  for (int i = 0; i < 2; i++) hits[i] = (ms_survey_record) { .n = N, .dt = 1e-2, .x = x };
  CHECK_OK(survey());
  refuses_both(survey, &set.edge, -1e-9, "edge ");
  refuses(survey, &set.edge, 1.0 + 1e-9, "edge 1 must be in [0, 1]");
  takes(survey, &set.edge, 1.0);
  takes(survey, &set.high, 25.0);
  refuses(survey, &set.high, 25.000001, "a quarter of the sampling rate");
  refuses(survey, &hits[1].dt, 1.01e-2, "100 Hz as in the first record");
  const struct {
    ptrdiff_t modes, points, sensor;
  } bad[] = { { 0, 12, 0 }, { 12, 0, 0 }, { 12, 12, 1 }, { 12, 12, -2 } };
  for (int i = 0; i < 4; i++) {
    set.modes = bad[i].modes, set.points = bad[i].points, set.sensor = bad[i].sensor;
    refuses(survey, &low, 0.0, "sensor ");
  }
  set.modes = 1, set.points = 1, set.sensor = 0;
  CHECK_OK(survey());
  ms_survey *out = NULL;
  ms_context *ctx = test_context();
  CHECK_STATUS(ms_survey_create(ctx, 0, MS_SIGNAL_VELOCITY, 2, hits, &set, &out), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_survey_create(ctx, 1, MS_SIGNAL_VELOCITY, 0, hits, &set, &out), MS_ERR_ARGUMENT);
  for (int kind = -1; kind < 4; kind += 4) {
    CHECK_STATUS(ms_survey_create(ctx, 1, (ms_signal_kind)kind, 2, hits, &set, &out),
                 MS_ERR_ARGUMENT);
  }
}

int main(void) {
  for (int k = 0; k < N; k++) x[k] = exp(-2e-4 * k) * cos(0.0628318 * k + 0.3);
  TEST(test_bandpass);
  TEST(test_decimate);
  TEST(test_crossings);
  TEST(test_hilbert);
  TEST(test_stft);
  TEST(test_spectrogram);
  TEST(test_any);
  TEST(test_records);
  TEST(test_frf);
  TEST(test_harmonics);
  TEST(test_judge);
  TEST(test_survey);
  return test_finish();
}
