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

int main(void) {
  TEST(test_between);
  TEST(test_none);
  TEST(test_out_of_memory);
  return test_finish();
}
