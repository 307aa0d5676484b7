/* A joint's loop from accelerations of one harmonic: an ellipse that is known. */
#include <math.h>
#include <microslip/experiment.h>

#include "support/check.h"

enum { N = 1300 };

static const double omega = 87.13, mass = 2.385, inner = 1.3e-3, outer = 1.9e-3, lag = 0.43;

typedef struct records {
  double time[N], inner[N], outer[N], z[N], f[N];
} records;

/* 73.7 samples in a period; the joint's own loop has means, which accelerations do not know. */
static ms_hysteresis_test make(records *r, double f_factor) {
  const double dt = 2.0 * acos(-1.0) / omega / 73.7, w2 = omega * omega;
  for (int i = 0; i < N; i++) {
    const double t = r->time[i] = i * dt;
    r->inner[i] = -w2 * inner * cos(omega * t);
    r->outer[i] = -w2 * outer * cos(omega * t - lag);
    r->z[i] = outer * cos(omega * t - lag) - inner * cos(omega * t) + 0.011;
    r->f[i] = -f_factor * mass * r->outer[i] - 5.3;
  }
  return (ms_hysteresis_test) { .time = r->time,
                                .inner = r->inner,
                                .outer = r->outer,
                                .z = r->z,
                                .f = r->f,
                                .n = N,
                                .dt = dt,
                                .setting = { omega, mass, 7, 5 } };
}

static void test_ellipse(void) {
  static records r;
  ms_hysteresis_test t = make(&r, 1.0);
  const double z = hypot(outer * cos(lag) - inner, outer * sin(lag));
  const double loss = acos(-1.0) * mass * omega * omega * outer * inner * sin(lag);
  CHECK_OK(ms_hysteresis_test_run(test_context(), &t));
  CHECK_CLOSE(fabs(t.found.loss), loss, 1e-9);
  CHECK_CLOSE(t.joint_loss, t.found.loss, 1e-9);
  CHECK_CLOSE(t.amplitude, z, 1e-4); /* seen at times of a period */
  CHECK_BELOW(t.z_error, 1e-3);      /* means over periods that are no whole number of samples */
  CHECK_BELOW(t.f_error, 1e-3);
  CHECK(t.n_loop == 74 || t.n_loop == 75);
  CHECK(t.loop[5 * (t.n_loop - 1)] == r.time[N - 1]);
  CHECK_NEAR(t.loop[1], t.loop[3], 1e-3 * z);
  ms_hysteresis_test_free(test_context(), &t);
  CHECK(!t.loop && !t.found.z && t.n_loop == 0);
}

/* A force that is 3 % too large has an error of 3 % of itself. */
static void test_error(void) {
  static records r;
  ms_hysteresis_test t = make(&r, 1.03);
  CHECK_OK(ms_hysteresis_test_run(test_context(), &t));
  CHECK_NEAR(t.f_error, 0.03 / 1.03, 1e-3);
  CHECK_CLOSE(t.joint_loss, 1.03 * t.found.loss, 1e-9);
  ms_hysteresis_test_free(test_context(), &t);
}

static void test_refused(void) {
  static records r;
  ms_hysteresis_test t = make(&r, 1.0);
  t.f = NULL;
  CHECK_STATUS(ms_hysteresis_test_run(test_context(), &t), MS_ERR_ARGUMENT);
  t.f = r.f, t.setting.periods = 70;
  CHECK(ms_hysteresis_test_run(test_context(), &t) < 0);
  ms_hysteresis_test_free(test_context(), &t);
}

static ms_status run(ms_context *ctx, void *user) {
  static records r;
  ms_hysteresis_test t = make(&r, 1.0);
  (void)user;
  ms_status status = ms_hysteresis_test_run(ctx, &t);
  ms_hysteresis_test_free(ctx, &t);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run, NULL) > 4);
}

int main(void) {
  TEST(test_ellipse);
  TEST(test_error);
  TEST(test_refused);
  TEST(test_out_of_memory);
  return test_finish();
}
