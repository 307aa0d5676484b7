/* Sets of points with several objectives: ranks, volumes, knees. */
#include <math.h>
#include <string.h>

#include <microslip/pareto.h>

#include "support/check.h"

static double volume_of(ptrdiff_t n, ptrdiff_t n_f, const double *f, const double *reference) {
  double volume = -1.0;
  CHECK_OK(ms_pareto_hypervolume(test_context(), n, n_f, f, reference, &volume));
  return volume;
}

static void test_ranks(void) {
  /* peeled by hand: b and c on the front, a and d behind b, e behind all */
  const double f[] = { 2.1, 1.3, 1.7, 1.2, 0.4, 3.9, 2.0, 1.3, 4.1, 4.2 };
  const int want[] = { 2, 0, 0, 1, 3 };
  int rank[5];
  CHECK_OK(ms_pareto_sort(test_context(), 5, 2, f, NULL, rank));
  for (int i = 0; i < 5; i++) CHECK_EQUAL(rank[i], want[i]);
}

static void test_equal_points_share_a_rank(void) {
  const double f[] = { 1.7, 1.2, 0.3, 1.7, 1.2, 0.3, 1.8, 1.2, 0.3 };
  int rank[3];
  CHECK_OK(ms_pareto_sort(test_context(), 3, 3, f, NULL, rank));
  CHECK_EQUAL(rank[0], 0);
  CHECK_EQUAL(rank[1], 0);
  CHECK_EQUAL(rank[2], 1);
}

static void test_violations_come_first(void) {
  const double f[] = { 0.1, 9.7, 5.3, NAN }, v[] = { 0.21, 0.0, 0.0, 0.13 };
  const int want[] = { 3, 1, 0, 2 };
  int rank[4];
  CHECK_OK(ms_pareto_sort(test_context(), 4, 1, f, v, rank));
  for (int i = 0; i < 4; i++) CHECK_EQUAL(rank[i], want[i]);
  CHECK_STATUS(ms_pareto_sort(test_context(), 4, 1, f, NULL, rank), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "objective 1 of point 4");
}

static void test_volume_of_a_box(void) {
  const double f[] = { 0.31, -0.72, 1.4, 2.2 }, reference[] = { 1.11, 0.58, 2.9, 2.35 };
  CHECK_CLOSE(volume_of(1, 4, f, reference), 0.8 * 1.3 * 1.5 * 0.15, 1e-14);
  CHECK_CLOSE(volume_of(1, 1, f, reference), 0.8, 1e-14);
  CHECK_NEAR(volume_of(0, 4, f, reference), 0.0, 0.0);
}

/* Two boxes less what they share; a point behind another and one beyond the reference add none. */
static void test_volume_of_a_union(void) {
  const double reference[] = { 2.0, 3.0, 1.5 };
  const double f[] = { 0.3, 1.1, 0.7, 0.9, 0.4, 0.2, 1.0, 0.5, 0.2, 2.1, 0.1, 0.1 };
  double a = 1.7 * 1.9 * 0.8, b = 1.1 * 2.6 * 1.3, both = 1.1 * 1.9 * 0.8;
  CHECK_CLOSE(volume_of(4, 3, f, reference), a + b - both, 1e-14);
}

/* The stair under a front of two objectives, summed by hand. */
static void test_volume_of_a_stair(void) {
  const double f[] = { 0.6, 0.5, 0.1, 0.9, 0.4, 0.7 }, reference[] = { 1.1, 1.2 };
  CHECK_CLOSE(volume_of(3, 2, f, reference), 1.0 * 0.3 + 0.7 * 0.2 + 0.5 * 0.2, 1e-14);
}

/* In five objectives against the share of random points that some point dominates. */
static void test_volume_by_chance(void) {
  enum { N = 13, D = 5, TRIES = 400000 };
  double f[N * D], reference[D] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
  ms_random random;
  ms_random_start(&random, 17, 2);
  for (int i = 0; i < N * D; i++) f[i] = ms_random_uniform(&random);
  long hits = 0;
  for (long t = 0; t < TRIES; t++) {
    double p[D];
    int hit = 0;
    for (int m = 0; m < D; m++) p[m] = ms_random_uniform(&random);
    for (int i = 0; i < N && !hit; i++) {
      hit = 1;
      for (int m = 0; m < D; m++) hit &= f[m + D * i] <= p[m];
    }
    hits += hit;
  }
  double share = (double)hits / TRIES;
  CHECK_NEAR(volume_of(N, D, f, reference), share, 4.0 * sqrt(share * (1.0 - share) / TRIES));
}

static void test_knee(void) {
  /* an elbow with one point far towards the ideal; a dominated one nearer still must not count */
  const double f[] = { 0.0, 10.0, 0.9, 2.3, 4.0, 1.9, 20.0, 0.1, 0.5, 0.5 };
  int rank[5] = { 0, 0, 0, 0, 1 };
  CHECK_EQUAL(ms_pareto_knee(5, 2, f, rank), 1);
  CHECK_EQUAL(ms_pareto_knee(5, 2, f, NULL), 4);
  CHECK_EQUAL(ms_pareto_knee(0, 2, f, NULL), -1);
}

static ms_status all_at_once(ms_context *ctx, void *user) {
  const double f[] = { 0.6, 0.5, 0.1, 0.9, 0.4, 0.7 }, reference[] = { 1.1, 1.2 };
  int rank[3];
  MS_TRY(ms_pareto_sort(ctx, 3, 2, f, NULL, rank));
  return ms_pareto_hypervolume(ctx, 3, 2, f, reference, user);
}

static void test_failing_memory(void) {
  double volume;
  CHECK(test_allocations(all_at_once, &volume) >= 3);
}

int main(void) {
  TEST(test_ranks);
  TEST(test_equal_points_share_a_rank);
  TEST(test_violations_come_first);
  TEST(test_volume_of_a_box);
  TEST(test_volume_of_a_union);
  TEST(test_volume_of_a_stair);
  TEST(test_volume_by_chance);
  TEST(test_knee);
  TEST(test_failing_memory);
  return test_finish();
}
