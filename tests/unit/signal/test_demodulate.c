/* A swept sine window by window, against steady states of a linear resonance. */
#include <math.h>
#include <microslip/signal.h>
#include <stdlib.h>

#include "support/check.h"

#define PI 3.14159265358979323846

/* x" + 2 zeta w x' + w^2 x = f/m under F cos(phi(t)). */
static const double w = 2.0 * PI * 31.7, zeta = 0.04, mass = 0.83;

typedef struct test {
  ptrdiff_t n;
  double dt, *f, *a, *v, *x;
} test;

typedef double force_fn(double t, double T);

static double from, to; /* Hz */

static double phase_at(double t, double T) {
  return 2.0 * PI * (from * t + 0.5 * (to - from) * t * t / T) + 0.4;
}

static double even(double t, double T) {
  return 7.3 * cos(phase_at(t, T));
}

/* A shaker: half the force at resonance, and a third harmonic. */
static double dropping(double t, double T) {
  const double f = from + (to - from) * t / T, d = (2.0 * PI * f - w) / (0.1 * w);
  return 7.3 * (1.0 - 0.5 * exp(-d * d)) * cos(phase_at(t, T)) +
         0.8 * cos(3.0 * phase_at(t, T) + 1.0);
}

static test sweep(double T, force_fn force) {
  enum { SUB = 8 };
  test s = { .n = (ptrdiff_t)(T * 800.0), .dt = 1.0 / 800.0 };
  double u = 0.0, v = 0.0, h = s.dt / SUB;
  s.f = malloc(4 * (size_t)s.n * sizeof *s.f);
  if (!s.f) abort();
  s.a = s.f + s.n;
  s.x = s.a + s.n;
  s.v = s.x + s.n;
  for (ptrdiff_t j = 0; j < s.n; j++) {
    const double t = (double)j * s.dt, now = force(t, T);
    s.f[j] = now;
    s.x[j] = u;
    s.v[j] = v;
    s.a[j] = now / mass - 2.0 * zeta * w * v - w * w * u;
    for (int k = 0; k < SUB; k++) { /* Runge and Kutta's method of fourth order */
      const double f0 = force(t + h * k, T) / mass, f1 = force(t + h * (k + 0.5), T) / mass,
                   f2 = force(t + h * (k + 1.0), T) / mass, c = 2.0 * zeta * w, k2 = w * w;
      const double u1 = v, v1 = f0 - c * v - k2 * u;
      const double u2 = v + 0.5 * h * v1, v2 = f1 - c * u2 - k2 * (u + 0.5 * h * u1);
      const double u3 = v + 0.5 * h * v2, v3 = f1 - c * u3 - k2 * (u + 0.5 * h * u2);
      const double u4 = v + h * v3, v4 = f2 - c * u4 - k2 * (u + h * u3);
      u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
      v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    }
  }
  return s;
}

/* The largest distance of rows from F H, over the largest |F H|, for rows after that time. */
static double find_error(const ms_sine_rows *s, double after) {
  double worst = 0.0, most = 0.0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    const ms_sine_row *r = &s->row[i];
    const double re = w * w - r->omega * r->omega, im = 2.0 * zeta * w * r->omega;
    const double A = r->force / mass / hypot(re, im), lag = -atan2(im, re);
    if (r->time < after) continue;
    most = fmax(most, A);
    worst = fmax(worst,
                 hypot(r->amplitude * cos(r->phase - lag) - A, r->amplitude * sin(r->phase - lag)));
  }
  return worst / most;
}

static ms_signal signal_of(const test *s, const double *x, ms_signal_kind kind) {
  return (ms_signal) { .x = x, .n = s->n, .dt = s->dt, .kind = kind };
}

static ms_sine_rows read(const test *s, const double *x, ms_signal_kind kind, ptrdiff_t most) {
  const ms_signal f = signal_of(s, s->f, MS_SIGNAL_DISPLACEMENT), y = signal_of(s, x, kind);
  ms_sine_rows rows;
  CHECK_OK(ms_signal_demodulate(test_context(), &f, &y, 8.0, most, &rows));
  return rows;
}

/* Slow: rows are steady states, from acceleration, velocity and displacement alike. 0.42 Hz/s. */
static void test_slow(void) {
  from = 24.0, to = 39.0;
  test s = sweep(36.0, even);
  const double half = zeta * w, predicted = 2.0 * PI * 15.0 / 36.0 / (half * half);
  const double *const signal[] = { s.x, s.v, s.a };
  for (int kind = 0; kind < 3; kind++) {
    ms_sine_rows rows = read(&s, signal[kind], (ms_signal_kind)kind, 0);
    char text[300];
    CHECK_CLOSE(rows.error, predicted, 0.1);
    CHECK_BELOW(find_error(&rows, 0.0), 1.5 * predicted);
    CHECK(!ms_sine_rows_warning(&rows, text, sizeof text));
    CHECK_CLOSE(rows.resonance, w, 2e-3);
    for (ptrdiff_t i = 0; i < rows.n; i++) {
      const double f = from + rows.row[i].time * 15.0 / 36.0;
      CHECK_CLOSE(rows.row[i].omega, 2.0 * PI * f, 2e-4);
      CHECK_CLOSE(rows.row[i].force, 7.3, 2e-3);
      if (i < rows.n - 4) CHECK_CLOSE(rows.row[i].rate, 2.0 * PI * 15.0 / 36.0, 0.1);
    }
    ms_sine_rows_free(test_context(), &rows);
  }
  ms_sine_rows rows = read(&s, s.a, MS_SIGNAL_ACCELERATION, 20);
  CHECK(rows.n >= 10 && rows.n <= 20);
  CHECK_CLOSE(rows.error, predicted, 0.1); /* that of all */
  ms_sine_rows_free(test_context(), &rows);
  free(s.f);
}

/* What a fast sweep misses is what it says, to a third; above 5 % with words. */
static void test_fast(void) {
  from = 24.0, to = 39.0;
  test s = sweep(3.0, even);
  char text[300] = "";
  ms_sine_rows rows = read(&s, s.x, MS_SIGNAL_DISPLACEMENT, 0);
  CHECK(rows.error > 0.05 && rows.error < 2.0);
  CHECK_CLOSE(find_error(&rows, 2.0), rows.error, 0.35);
  CHECK_EQUAL(ms_sine_rows_warning(&rows, text, sizeof text), 1);
  CHECK_HAS(text, "the sweep is too fast for steady states: at 3");
  ms_sine_rows_free(test_context(), &rows);
  free(s.f);
}

/* Downwards, with a force that gives way and has another harmonic. */
static void test_shaker(void) {
  from = 39.0, to = 24.0;
  test s = sweep(36.0, dropping);
  ms_sine_rows rows = read(&s, s.a, MS_SIGNAL_ACCELERATION, 0);
  double least = HUGE_VAL;
  for (ptrdiff_t i = 0; i < rows.n; i++) least = fmin(least, rows.row[i].force);
  CHECK_CLOSE(least, 0.5 * 7.3, 0.02);
  CHECK(rows.row[rows.n / 2].rate < 0.0);
  CHECK_CLOSE(find_error(&rows, 0.0), rows.error, 0.15); /* the rate, and nothing else */
  ms_sine_rows_free(test_context(), &rows);
  free(s.f);
}

/* Before and after the sweep the force is silent. */
static void test_silence(void) {
  from = 24.0, to = 39.0;
  test s = sweep(6.0, even);
  for (ptrdiff_t j = 0; j < s.n; j++) {
    if (j < s.n / 5 || j > s.n - s.n / 4) s.f[j] = 0.0;
  }
  ms_sine_rows rows = read(&s, s.x, MS_SIGNAL_DISPLACEMENT, 0);
  CHECK(rows.n > 10);
  CHECK(rows.row[0].time > 1.2 && rows.row[rows.n - 1].time < 4.5);
  ms_sine_rows_free(test_context(), &rows);
  free(s.f);
}

static void test_refused(void) {
  from = 24.0, to = 39.0;
  test s = sweep(0.5, even);
  const ms_signal f = signal_of(&s, s.f, MS_SIGNAL_DISPLACEMENT);
  ms_signal y = f;
  ms_sine_rows rows;
  CHECK_STATUS(ms_signal_demodulate(test_context(), &f, &y, 8.0, 0, &rows), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "windows of 8 periods");
  CHECK_STATUS(ms_signal_demodulate(test_context(), &f, &y, 1.0, 0, &rows), MS_ERR_ARGUMENT);
  y.n--;
  CHECK_STATUS(ms_signal_demodulate(test_context(), &f, &y, 8.0, 0, &rows), MS_ERR_ARGUMENT);
  y.n++;
  s.f[7] = NAN;
  CHECK_STATUS(ms_signal_demodulate(test_context(), &f, &y, 4.0, 0, &rows), MS_ERR_NUMERIC);
  CHECK(rows.n == 0 && !rows.row);
  free(s.f);
}

static ms_status work(ms_context *ctx, void *user) {
  const test *s = user;
  const ms_signal f = signal_of(s, s->f, MS_SIGNAL_DISPLACEMENT);
  ms_sine_rows rows;
  ms_status status = ms_signal_demodulate(ctx, &f, &f, 8.0, 0, &rows);
  ms_sine_rows_free(ctx, &rows);
  return status;
}

static void test_memory_runs_out(void) {
  from = 24.0, to = 39.0;
  test s = sweep(3.0, even);
  CHECK(test_allocations(work, &s) > 2);
  free(s.f);
}

int main(void) {
  TEST(test_slow);
  TEST(test_fast);
  TEST(test_shaker);
  TEST(test_silence);
  TEST(test_refused);
  TEST(test_memory_runs_out);
  return test_finish();
}
