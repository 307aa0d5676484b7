/* Points of two decays whose frequency is linear in ln q and whose damping is a power of q: what is
   read between them is exact. */
#include <math.h>
#include <microslip/signal.h>

#include "support/check.h"

static double find_omega(double q) {
  return 613.0 - 7.3 * log(q);
}

static double find_zeta(double q) {
  return 0.0137 * pow(q, 0.71);
}

enum { N = 4, M = 3 };

static void fill(ptrdiff_t n, const double *q, ms_decay_point *point) {
  for (ptrdiff_t i = 0; i < n; i++) {
    point[i] = (ms_decay_point) { .q = q[i], .omega = find_omega(q[i]), .zeta = find_zeta(q[i]) };
  }
}

static ms_status gather(ms_context *ctx, void *user) {
  static const double high[N] = { 3.7, 2.1, 0.93, 0.41 }, low[M] = { 1.9, 0.7, 0.11 };
  ms_points *out = user;
  ms_decay_point a[N], b[M];
  fill(N, high, a);
  fill(M, low, b);
  const ms_decay first = { N, a }, none = { 0, NULL }, second = { M, b };
  const ms_decay *const all[] = { &first, &none, &second };
  ms_status status = ms_points_gather(ctx, 3, all, out);
  if (ctx != test_context()) ms_free(ctx, &out->q);
  return status;
}

static void test_between(void) {
  ms_points p;
  CHECK_OK(gather(test_context(), &p));
  CHECK_EQUAL(p.n, N + M);
  for (ptrdiff_t i = 1; i < p.n; i++) CHECK(p.q[i] > p.q[i - 1]);
  for (double q = 0.12; q < 3.7; q += 0.317) {
    CHECK_CLOSE(ms_points_omega(&p, q), find_omega(q), 1e-12);
    CHECK_CLOSE(ms_points_zeta(&p, q), find_zeta(q), 1e-12);
  }
  CHECK(ms_points_omega(&p, 0.1) == 0.0 && ms_points_zeta(&p, 3.8) == 0.0);
  p.zeta[2] = -1e-3; /* that has no logarithm */
  CHECK(ms_points_zeta(&p, 0.5 * (p.q[2] + p.q[3])) == 0.0);
  ms_free(test_context(), &p.q);
}

static void test_none(void) {
  ms_points p;
  CHECK_OK(ms_points_gather(test_context(), 0, NULL, &p));
  CHECK(p.n == 0 && ms_points_omega(&p, 1.7) == 0.0);
  ms_free(test_context(), &p.q);
}

static void test_out_of_memory(void) {
  ms_points p;
  CHECK(test_allocations(gather, &p) >= 2);
}

/* Of four measured rows one does not decay, and the model has three: two are compared. */
static void test_compared(void) {
  ms_decay_point a[4] = { { .q = 2.0, .omega = 31.0, .zeta = 0.02 },
                          { .q = 1.5, .omega = 31.0, .zeta = -0.01 },
                          { .q = 1.0, .omega = 32.0, .zeta = 0.01 },
                          { .q = 0.5, .omega = 33.0, .zeta = 0.01 } };
  ms_decay_point b[3] = { { .q = 2.2, .omega = 31.31, .zeta = 0.022 },
                          { .q = 1.5, .omega = 31.0, .zeta = 0.01 },
                          { .q = 0.8, .omega = 31.68, .zeta = 0.007 } };
  const ms_decay measured = { 4, a }, model = { 3, b }, none = { 0, NULL };
  const ms_decay_error d = ms_decay_find_error(&measured, &model);
  CHECK_EQUAL(d.n, 2);
  CHECK(ms_decay_is_compared(&measured, &model, 2) && !ms_decay_is_compared(&measured, &model, 3));
  CHECK_NEAR(d.zeta_mean, -0.1, 1e-12); /* of 0.1 and -0.3 */
  CHECK_NEAR(d.zeta_rms, sqrt(0.05), 1e-12);
  CHECK_NEAR(d.zeta_largest, 0.3, 1e-12);
  CHECK_NEAR(d.omega_rms, 0.01, 1e-12);
  CHECK_NEAR(d.amplitude_rms, sqrt(0.025), 1e-12); /* of 0.1 and -0.2 */
  CHECK_EQUAL(ms_decay_find_error(&measured, &none).n, 0);
  double q[9] = { 1.1, 1.3, 1.7, 31.0, 32.0, 33.0, 0.01, 0.0, 0.03 };
  ms_points p = { 3, q, q + 3, q + 6 };
  CHECK_EQUAL(ms_points_drop_undamped(&p), 1);
  CHECK_EQUAL(p.n, 2);
  CHECK_NEAR(p.q[1] + p.omega[1] + p.zeta[1], 1.7 + 33.0 + 0.03, 1e-12);
}

int main(void) {
  TEST(test_between);
  TEST(test_none);
  TEST(test_out_of_memory);
  TEST(test_compared);
  return test_finish();
}
