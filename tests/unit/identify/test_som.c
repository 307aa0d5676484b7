/* Self-organising maps: what batch training must satisfy, and known manifolds laid out in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/som.h>

#include "support/check.h"

enum { N = 600, D = 5 };

/* A table over u and v, curved in the fourth component; the third goes with the first, the fifth
   does not vary. Points are spread evenly by irrational steps. */
static void fill_table(double *x, double curve) {
  for (int i = 0; i < N; i++) {
    double u = fmod(0.6180339887 * i, 1.0), v = fmod(0.7548776662 * i, 1.0), *p = x + D * i;
    p[0] = 3.7 * u;
    p[1] = 0.013 * v;
    p[2] = -2.9 * p[0] + 17.0;
    p[3] = curve * sin(5.0 * u) * cos(2.0 * v);
    p[4] = 2.385;
  }
}

static ms_som *table_map(double curve, const ms_som_setting *setting, double *x) {
  ms_som *som = NULL;
  fill_table(x, curve);
  CHECK_OK(ms_som_create(test_context(), N, D, x, setting, &som));
  return som;
}

/* Pearson's coefficient. */
static double correlation(ptrdiff_t n, const double *a, ptrdiff_t step, const double *b) {
  double ma = 0.0, mb = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) ma += a[step * i] / (double)n, mb += b[i] / (double)n;
  for (ptrdiff_t i = 0; i < n; i++) {
    aa += (a[step * i] - ma) * (a[step * i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
    ab += (a[step * i] - ma) * (b[i] - mb);
  }
  return ab / sqrt(aa * bb);
}

/* A flat table: one side of the map is u, the other v. */
static void test_planes_in_order(void) {
  static double x[D * N];
  ms_som *som = table_map(0.0, NULL, x);
  const ms_som_map m = ms_som_get(som);
  const ptrdiff_t nodes = m.columns * m.rows;
  CHECK(m.columns > m.rows);
  CHECK_BELOW(fabs((double)nodes - 5.0 * sqrt(N)), 12.0);
  CHECK_BELOW(0.99, fabs(correlation(nodes, m.place, 2, m.plane)));
  CHECK_BELOW(0.99, fabs(correlation(nodes, m.place + 1, 2, m.plane + nodes)));
  int turns = 0; /* along a row u never goes back */
  for (ptrdiff_t k = 0; k < nodes; k++) {
    if (k % m.columns > 1)
      turns += (m.plane[k] - m.plane[k - 1]) * (m.plane[k - 1] - m.plane[k - 2]) <= 0.0;
  }
  CHECK_EQUAL(turns, 0);
  CHECK_BELOW(m.topographic, 0.05);
  ms_som_destroy(&som);
}

/* Components that go together have the same plane, as the points have it; what does not vary has
   none. */
static void test_linear_components(void) {
  static double x[D * N];
  ms_som *som = table_map(0.8, NULL, x);
  const ms_som_map m = ms_som_get(som);
  const ptrdiff_t nodes = m.columns * m.rows;
  double worst = 0.0, constant = 0.0;
  for (ptrdiff_t k = 0; k < nodes; k++) {
    worst = fmax(worst, fabs(m.plane[k + 2 * nodes] - (-2.9 * m.plane[k] + 17.0)));
    constant = fmax(constant, fabs(m.plane[k + 4 * nodes] - 2.385));
  }
  CHECK_NEAR(worst, 0.0, 1e-11);
  CHECK_NEAR(constant, 0.0, 0.0);
  ms_som_destroy(&som);
}

/* The standard deviation of a component of x. */
static double deviation(const double *x, int j) {
  double mean = 0.0, sum = 0.0;
  for (int i = 0; i < N; i++) mean += x[j + D * i] / N;
  for (int i = 0; i < N; i++) sum += pow(x[j + D * i] - mean, 2.0) / N;
  return sqrt(sum);
}

static double apart(const ms_som_map *m, const double *scale, const double *x, ptrdiff_t k) {
  double sum = 0.0;
  for (int j = 0; j < D - 1; j++) {
    sum += pow((x[j] - m->plane[k + m->columns * m->rows * j]) / scale[j], 2.0);
  }
  return sqrt(sum);
}

/* Both errors, and the points' nodes, found again from the planes. */
static void test_errors(void) {
  static double x[D * N];
  ms_som *som = table_map(0.8, NULL, x);
  const ms_som_map m = ms_som_get(som);
  const ptrdiff_t nodes = m.columns * m.rows;
  ptrdiff_t *hits = calloc((size_t)nodes, sizeof *hits), wrong = 0;
  double scale[D], sum = 0.0, torn = 0.0;
  for (int j = 0; j < D; j++) scale[j] = deviation(x, j);
  for (int i = 0; i < N; i++) {
    ptrdiff_t best = -1, next = -1;
    double least = HUGE_VAL, then = HUGE_VAL;
    for (ptrdiff_t k = 0; k < nodes; k++) {
      double a = apart(&m, scale, x + D * i, k);
      if (a < least)
        then = least, next = best, least = a, best = k;
      else if (a < then)
        then = a, next = k;
    }
    sum += least / N;
    torn += hypot(m.place[2 * best] - m.place[2 * next],
                  m.place[2 * best + 1] - m.place[2 * next + 1]) > 1.01
                ? 1.0 / N
                : 0.0;
    wrong += m.node[i] != best;
    hits[m.node[i]]++;
  }
  for (ptrdiff_t k = 0; k < nodes; k++) wrong += hits[k] != m.hits[k];
  CHECK_EQUAL(wrong, 0);
  CHECK_CLOSE(m.quantisation, sum, 1e-9);
  CHECK_NEAR(m.topographic, torn, 1e-12);
  CHECK_BELOW(m.quantisation, 0.6 * m.at_start); /* training is worth it on a curved table */
  free(hits);
  ms_som_destroy(&som);
}

/* More nodes, less error: on a table it falls as the distance of nodes, 1/sqrt(nodes). */
static void test_order(void) {
  static double x[D * N];
  double error[2];
  for (int k = 0; k < 2; k++) {
    ms_som_setting setting = MS_SOM_DEFAULT;
    setting.columns = k ? 12 : 6;
    setting.rows = k ? 8 : 4;
    ms_som *som = table_map(0.0, &setting, x);
    error[k] = ms_som_get(som).quantisation;
    ms_som_destroy(&som);
  }
  CHECK_NEAR(log2(error[0] / error[1]), 1.0, 0.15);
}

/* Without a neighbourhood, at rest, every node is the mean of its points. */
static void test_fixed_point(void) {
  static double x[D * N], mean[D * 64];
  ms_som_setting setting = { sizeof(ms_som_setting),   5, 4, 400, 120, 2.0, 0.05,
                             MS_SOM_TOLERANCES_DEFAULT };
  ms_som *som = table_map(0.8, &setting, x);
  const ms_som_map m = ms_som_get(som);
  memset(mean, 0, sizeof mean);
  CHECK_NEAR(m.moved, 0.0, 1e-12);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < D; j++) mean[j + D * m.node[i]] += x[j + D * i] / (double)m.hits[m.node[i]];
  }
  double worst = 0.0;
  for (ptrdiff_t k = 0; k < 20; k++) {
    for (int j = 0; j < D && m.hits[k] > 0; j++) {
      worst = fmax(worst, fabs(mean[j + D * k] - m.plane[k + 20 * j]));
    }
  }
  CHECK_NEAR(worst, 0.0, 1e-12);
  ms_som_destroy(&som);
}

/* A winding curve on a map of one row: the nodes follow it from end to end. */
static void test_helix(void) {
  static double x[3 * N];
  ms_som_setting setting = MS_SOM_DEFAULT;
  ms_som *som = NULL;
  setting.columns = 30;
  setting.rows = 1;
  for (int i = 0; i < N; i++) {
    double t = (i + 0.5) / N;
    x[3 * i] = cos(4.2 * t), x[3 * i + 1] = sin(4.2 * t), x[3 * i + 2] = 2.3 * t;
  }
  CHECK_OK(ms_som_create(test_context(), N, 3, x, &setting, &som));
  const ms_som_map m = ms_som_get(som);
  const ptrdiff_t way = m.node[N - 1] > m.node[0] ? 1 : -1;
  ptrdiff_t back = 0, longest = 0;
  for (int i = 1; i < N; i++) {
    ptrdiff_t step = way * (m.node[i] - m.node[i - 1]);
    back += step < 0;
    longest = step > longest ? step : longest;
  }
  CHECK_EQUAL(back, 0);
  CHECK_EQUAL(longest, 1);
  CHECK_EQUAL(way * (m.node[N - 1] - m.node[0]), 29);
  CHECK_NEAR(m.topographic, 0.0, 0.0);
  ms_som_destroy(&som);
}

static void test_same_again(void) {
  static double x[D * N];
  ms_som *a = table_map(0.8, NULL, x), *b = table_map(0.8, NULL, x);
  const ms_som_map p = ms_som_get(a), q = ms_som_get(b);
  CHECK_EQUAL(memcmp(p.plane, q.plane, (size_t)(p.columns * p.rows * D) * sizeof(double)), 0);
  ms_som_destroy(&a);
  ms_som_destroy(&b);
}

static void test_one_component(void) {
  const double x[5] = { 2.1, 0.7, 3.3, 2.9, 1.6 };
  ms_som *som = NULL;
  CHECK_OK(ms_som_create(test_context(), 5, 1, x, NULL, &som));
  CHECK_BELOW(ms_som_get(som).quantisation, ms_som_get(som).at_start);
  ms_som_destroy(&som);
}

static void test_refusals(void) {
  double x[8] = { 1.1, 2.2, 1.1, 2.2, 1.1, 2.2, 1.1, 2.2 };
  ms_som_setting setting = MS_SOM_DEFAULT;
  ms_som *som = NULL;
  CHECK_STATUS(ms_som_create(test_context(), 2, 2, x, NULL, &som), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_som_create(test_context(), 4, 2, x, NULL, &som), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "all 4 points are the same");
  x[5] = NAN;
  CHECK_STATUS(ms_som_create(test_context(), 4, 2, x, NULL, &som), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "component 2 of point 3");
  x[5] = 3.0;
  setting.last = 0.0;
  CHECK_STATUS(ms_som_create(test_context(), 4, 2, x, &setting, &som), MS_ERR_ARGUMENT);
  CHECK(som == NULL);
}

static ms_status make_one(ms_context *ctx, void *user) {
  const double x[8] = { 1.1, 2.2, 1.4, 2.9, 1.7, 2.3, 1.2, 2.6 };
  ms_som *som = NULL;
  (void)user;
  MS_TRY(ms_som_create(ctx, 4, 2, x, NULL, &som));
  ms_som_destroy(&som);
  return MS_SUCCESS;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(make_one, NULL) >= 10);
}

int main(void) {
  TEST(test_planes_in_order);
  TEST(test_linear_components);
  TEST(test_errors);
  TEST(test_order);
  TEST(test_fixed_point);
  TEST(test_helix);
  TEST(test_same_again);
  TEST(test_one_component);
  TEST(test_refusals);
  TEST(test_failing_memory);
  return test_finish();
}
