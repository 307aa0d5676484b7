/* A trace keeps the extremes of a record, whatever its length, and never grows. */
#include <math.h>

#include "report/internal.h"
#include "study/output/trace_panel.h"
#include "support/check.h"

enum { LONGEST = 12347 };

static double sample[LONGEST];

/* Noise, so that extremes are anywhere. */
static void fill(ptrdiff_t n) {
  unsigned state = 12345;
  for (ptrdiff_t k = 0; k < n; k++) {
    state = 1103515245u * state + 12345u;
    sample[k] = (double)(state >> 8) / 1.3e7 - 0.41;
  }
}

static void check_trace(ptrdiff_t n) {
  ms_context *ctx = test_context();
  ms_signal signal = { .x = sample, .n = n, .dt = 2.385e-3, .time = -0.37 };
  ms_trace trace;
  double low = HUGE_VAL, high = -HUGE_VAL;
  ptrdiff_t same = 0;
  fill(n);
  CHECK_OK(ms_trace_make(ctx, &signal, &trace));
  if (n <= 2 * MS_TRACE_COLUMNS) CHECK_EQUAL(trace.n, n);
  CHECK(trace.n <= MS_TRACE_POINTS && (n <= MS_TRACE_COLUMNS || trace.n > MS_TRACE_COLUMNS));
  for (ptrdiff_t i = 0; i < trace.n; i++) { /* a sample of the record, later than that before */
    ptrdiff_t k = (ptrdiff_t)floor((trace.t[i] - signal.time) / signal.dt + 0.5);
    if (k >= 0 && k < n && (i == 0 || trace.t[i] > trace.t[i - 1])) same += trace.x[i] == sample[k];
  }
  CHECK_EQUAL(same, trace.n);
  for (ptrdiff_t k = 0; k < n; k++) low = fmin(low, sample[k]), high = fmax(high, sample[k]);
  for (ptrdiff_t i = 0; i < trace.n; i++) {
    if (trace.x[i] == low) low = HUGE_VAL;
    if (trace.x[i] == high) high = -HUGE_VAL;
  }
  CHECK(low == HUGE_VAL && high == -HUGE_VAL); /* both were met */
  ms_trace_free(ctx, &trace);
}

static void test_lengths(void) {
  static const ptrdiff_t n[] = { 1, 2, 399, 800, 801, 803, 1200, 1999, LONGEST };
  for (size_t i = 0; i < sizeof n / sizeof *n; i++) check_trace(n[i]);
}

/* In every stretch, not only over all. */
static void test_stretches(void) {
  enum { LENGTH = 17, N = LENGTH * MS_TRACE_COLUMNS };
  ms_context *ctx = test_context();
  ms_signal signal = { .x = sample, .n = N, .dt = 0.61 };
  ms_trace trace;
  ptrdiff_t wrong = 0;
  fill(N);
  for (int k = 0; k < N; k++) sample[k] += 0.05 * k; /* so that it has no cycles */
  CHECK_OK(ms_trace_make(ctx, &signal, &trace));
  CHECK_EQUAL(trace.n, 2 * MS_TRACE_COLUMNS);
  for (int c = 0; c < MS_TRACE_COLUMNS; c++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = c * LENGTH; k < (c + 1) * LENGTH; k++) {
      low = fmin(low, sample[k]);
      high = fmax(high, sample[k]);
    }
    const double *x = trace.x + 2 * c;
    wrong += fmin(x[0], x[1]) != low || fmax(x[0], x[1]) != high;
  }
  CHECK_EQUAL(wrong, 0);
  ms_trace_free(ctx, &trace);
}

/* The first cycles of a long ring-down are there, as they were, also after a time of silence. */
static void check_first_cycles(int silent) {
  const double period = 31.3; /* samples */
  ms_context *ctx = test_context();
  ms_signal signal = { .x = sample, .n = LONGEST, .dt = 1.0 };
  ms_trace trace;
  for (int k = 0; k < LONGEST; k++) {
    const double t = k - silent;
    sample[k] = t > 0.0 ? exp(-3e-4 * t) * sin(6.283185307 * t / period) : 0.0;
  }
  CHECK_OK(ms_trace_make(ctx, &signal, &trace));
  ptrdiff_t inside = 0, unlike = 0;
  for (ptrdiff_t i = 0; i < trace.n; i++) {
    const double t = trace.t[i] - silent;
    inside += t > 0.0 && t < 9.9 * period;
    unlike += trace.x[i] != sample[(ptrdiff_t)trace.t[i]];
  }
  CHECK_EQUAL(inside, (ptrdiff_t)(9.9 * period));
  CHECK_EQUAL(unlike, 0);
  CHECK_BELOW((double)trace.n, 9.9 * period + 2 * MS_TRACE_COLUMNS + 2.0 * period);
  ms_trace_free(ctx, &trace);
}

static void test_first_cycles(void) {
  check_first_cycles(0);
  check_first_cycles(3217);
  check_first_cycles(LONGEST - 680); /* the columns before take all but one */
}

/* Rows of an exponential decay, far apart: between them the envelope is still the exponential. */
static void test_envelope(void) {
  const double alpha = 0.731, omega = 61.7, scale = 0.2433;
  static const ms_signal_kind kind[] = { MS_SIGNAL_DISPLACEMENT, MS_SIGNAL_VELOCITY,
                                         MS_SIGNAL_ACCELERATION };
  ms_context *ctx = test_context();
  ms_decay_point point[4];
  const ms_decay decay = { .n = 4, .point = point };
  double x[] = { 0.3, -0.2 }, t[] = { 0.1, 0.2 };
  ms_trace trace = { .n = 2, .t = t, .x = x };
  for (int i = 0; i < 4; i++) {
    double time = 0.37 + 1.13 * i, q = 2.385 * exp(-alpha * time);
    point[i] = (ms_decay_point) {
      .time = time, .q = q, .velocity = omega * q, .acceleration = omega * omega * q
    };
  }
  for (int k = 0; k < 3; k++) {
    ms_figure *figure;
    double worst = 0.0, below = 0.0;
    ms_trace_view view = { &trace, &decay, kind[k], scale, "title", "y", "m" };
    CHECK_OK(ms_figure_create(ctx, "x", NULL, &figure));
    CHECK_OK(ms_trace_add_panel(ctx, figure, &view));
    CHECK_EQUAL(figure->panel[0].n_series, 3);
    const ms_series *e = figure->panel[0].series + 1;
    CHECK(e[0].n > 100 && e[1].n == e[0].n);
    for (ptrdiff_t i = 0; i < e[0].n; i++) {
      double want = scale * pow(omega, k) * 2.385 * exp(-alpha * e[0].x[i]);
      worst = fmax(worst, fabs(e[0].y[i] / want - 1.0));
      below = fmax(below, fabs(e[1].y[i] + e[0].y[i]));
    }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK(below == 0.0);
    CHECK(e[0].x[0] == point[0].time && e[0].x[e[0].n - 1] == point[3].time);
    ms_figure_destroy(&figure);
  }
}

static ms_status draw(ms_context *ctx, void *user) {
  static ms_decay_point point[] = { { .time = 0.3, .velocity = 1.7 },
                                    { .time = 1.1, .velocity = 0.4 },
                                    { .time = 2.9, .velocity = 0.1 } };
  const ms_decay decay = { .n = 3, .point = point };
  ms_signal signal = { .x = sample, .n = LONGEST, .dt = 3e-4 };
  ms_trace trace = { 0 };
  ms_figure *figure = NULL;
  (void)user;
  ms_status status = ms_trace_make(ctx, &signal, &trace);
  if (status == MS_SUCCESS) status = ms_figure_create(ctx, "x", NULL, &figure);
  ms_trace_view view = { &trace, &decay, MS_SIGNAL_VELOCITY, 2.3, "title", "velocity", "m/s" };
  if (status == MS_SUCCESS) status = ms_trace_add_panel(ctx, figure, &view);
  ms_figure_destroy(&figure);
  ms_trace_free(ctx, &trace);
  return status;
}

static void test_memory_runs_out(void) {
  fill(LONGEST);
  CHECK(test_allocations(draw, NULL) > 5);
}

int main(void) {
  TEST(test_lengths);
  TEST(test_stretches);
  TEST(test_first_cycles);
  TEST(test_envelope);
  TEST(test_memory_runs_out);
  return test_finish();
}
