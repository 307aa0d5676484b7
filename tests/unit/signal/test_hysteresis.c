/* Hysteresis from accelerations. */
#include <microslip/signal.h>

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { H = 3, N = 1300 };

static const double pi = 3.14159265358979323846;
static const ms_hysteresis_setting usual = {
  .omega = 87.13, .mass = 2.385, .periods = 7, .harmonics = 5
};
/* a_k, b_k of the displacements of both masses, m. */
static const double inner_u[2 * H] = { 1.3e-3, -2.1e-4, 7.1e-5, 3.3e-5, -1.9e-5, 4.7e-6 };
static const double outer_u[2 * H] = { 1.9e-3, 6.7e-4, -3.1e-5, 2.9e-5, 8.3e-6, 5.9e-6 };

typedef struct records {
  double inner[N], outer[N], z[N], f[N];
} records;

static double sum(const double *u, double t, int derivative) {
  double total = 0.0;
  for (int k = 1; k <= H; k++) {
    double w = k * usual.omega, c = cos(w * t), s = sin(w * t);
    total += (derivative ? -w * w : 1.0) * (u[2 * k - 2] * c + u[2 * k - 1] * s);
  }
  return total;
}

/* 73.7 samples in a period; a steady acceleration of both, and offsets, must not show. */
static records make(double dt, double time) {
  records r;
  for (int i = 0; i < N; i++) {
    double t = time + i * dt;
    r.inner[i] = sum(inner_u, t, 2) + 0.37;
    r.outer[i] = sum(outer_u, t, 2) + 0.37;
    r.z[i] = sum(outer_u, t, 0) - sum(inner_u, t, 0) + 0.011;
    r.f[i] = -usual.mass * (r.outer[i] - 0.37) - 5.3;
  }
  return r;
}

static const double time_0 = 0.713;
static double step(void) {
  return 2.0 * pi / usual.omega / 73.7;
}

static ms_signal signal(const double *x) {
  return (ms_signal) { x, N, step(), time_0, MS_SIGNAL_ACCELERATION };
}

static double area(void) {
  double D = 0.0;
  for (int k = 1; k <= H; k++) {
    double m = usual.mass * k * k * usual.omega * usual.omega;
    const double *u = outer_u + 2 * k - 2, *v = inner_u + 2 * k - 2;
    D += pi * k * m * (u[0] * (u[1] - v[1]) - u[1] * (u[0] - v[0]));
  }
  return D;
}

static void check_loop(const ms_hysteresis *h) {
  double z, f;
  CHECK_CLOSE(h->loss, area(), 1e-10);
  CHECK_CLOSE(h->displacement, hypot(outer_u[0] - inner_u[0], outer_u[1] - inner_u[1]), 1e-10);
  CHECK_CLOSE(h->force, usual.mass * usual.omega * usual.omega * hypot(outer_u[0], outer_u[1]),
              1e-10);
  CHECK_BELOW(h->residual, 1e-12);
  ms_hysteresis_eval(h, 1.2345, &z, &f);
  CHECK_CLOSE(z, sum(outer_u, 1.2345, 0) - sum(inner_u, 1.2345, 0), 1e-9);
  CHECK_CLOSE(f, -usual.mass * sum(outer_u, 1.2345, 2), 1e-9);
}

static void test_closed_form(void) {
  records r = make(step(), time_0);
  ms_signal a = signal(r.inner), b = signal(r.outer);
  ms_hysteresis h;
  CHECK_OK(ms_signal_hysteresis(test_context(), &a, &b, &usual, &h));
  check_loop(&h);
  CHECK_CLOSE(h.end, time_0 + (N - 1) * step(), 1e-12);
  CHECK_NEAR(h.end - h.start, 7.0 * 2.0 * pi / usual.omega - step(), 0.51 * step());
  ms_hysteresis_free(test_context(), &h);
  CHECK(h.z == NULL);
}

static void test_own_loop(void) {
  records r = make(step(), time_0);
  ms_signal z = signal(r.z), f = signal(r.f);
  ms_hysteresis h;
  ms_hysteresis_setting s = usual;
  s.mass = 0.0; /* not looked at */
  CHECK_OK(ms_signal_loop(test_context(), &z, &f, &s, &h));
  check_loop(&h);
  ms_hysteresis_free(test_context(), &h);
}

/* Two harmonics of three: what the third leaves is the residual. */
static void test_residual(void) {
  records r = make(step(), time_0);
  ms_signal a = signal(r.inner), b = signal(r.outer);
  ms_hysteresis_setting s = usual;
  ms_hysteresis h;
  double all = 0.37 * 0.37, left = 0.0;
  for (int k = 1; k <= H; k++) {
    double w = k * k * usual.omega * usual.omega;
    double part = w * w * (pow(inner_u[2 * k - 2], 2) + pow(inner_u[2 * k - 1], 2)) / 2.0;
    all += part;
    if (k == 3) left = part;
  }
  s.harmonics = 2;
  CHECK_OK(ms_signal_hysteresis(test_context(), &a, &b, &s, &h));
  CHECK_CLOSE(h.residual, sqrt(left / all), 1e-2); /* the window is whole periods to a sample */
  ms_hysteresis_free(test_context(), &h);
}

static void test_complaints(void) {
  records r = make(step(), time_0);
  ms_signal a = signal(r.inner), b = signal(r.outer);
  ms_hysteresis h;
  ms_context *ctx = test_context();
  ms_hysteresis_setting s = usual;
  s.harmonics = 37;
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &s, &h), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "do not hold 37 harmonics");
  s = usual;
  s.periods = 18;
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &s, &h), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(ctx), "17.64 periods");
  s = usual;
  s.mass = 0.0;
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &s, &h), MS_ERR_BOUNDS);
  b.time += 1e-3;
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &usual, &h), MS_ERR_ARGUMENT);
  b = signal(r.outer);
  r.outer[N - 3] = NAN;
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &usual, &h), MS_ERR_NUMERIC);
  memset(r.outer, 0, sizeof r.outer);
  CHECK_STATUS(ms_signal_hysteresis(ctx, &a, &b, &usual, &h), MS_ERR_ARGUMENT);
  CHECK(h.z == NULL);
}

static ms_status work(ms_context *ctx, void *user) {
  const records *r = user;
  ms_signal a = signal(r->inner), b = signal(r->outer);
  ms_hysteresis h;
  ms_status status = ms_signal_hysteresis(ctx, &a, &b, &usual, &h);
  ms_hysteresis_free(ctx, &h);
  return status;
}

static void test_memory_runs_out(void) {
  records r = make(step(), time_0);
  CHECK(test_allocations(work, &r) >= 2);
}

int main(void) {
  TEST(test_closed_form);
  TEST(test_own_loop);
  TEST(test_residual);
  TEST(test_complaints);
  TEST(test_memory_runs_out);
  return test_finish();
}
