/* The search NSGA-II: bounds, seeds, restart, constraints, refusals. How near it comes to known
   fronts is in verify/test_pareto_fronts.c. */
#include <math.h>
#include <string.h>

#include <microslip/pareto.h>

#include "identify/search/pareto.h"
#include "support/check.h"

enum { N_X = 3, N_POINT = 12 };

static const double lower[N_X] = { -1.3, 0.2, 5.0 }, upper[N_X] = { 2.7, 0.9, 9.5 };

typedef struct calls {
  int n, outside, fail_at;
  double constraint; /* points with x0 below it are not allowed */
} calls;

static ms_status two_bowls(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  calls *c = user;
  if (++c->n == c->fail_at) return MS_CANCELLED;
  for (ptrdiff_t i = 0; i < n; i++, x += N_X, f += 2) {
    for (int j = 0; j < N_X; j++) c->outside += x[j] < lower[j] || x[j] > upper[j];
    f[0] = pow(x[0] - 0.4, 2.0) + pow(x[1] - 0.3, 2.0) + pow(x[2] - 6.1, 2.0);
    f[1] = pow(x[0] - 1.9, 2.0) + pow(x[1] - 0.6, 2.0) + pow(x[2] - 6.1, 2.0);
    if (x[0] < c->constraint) v[i] = c->constraint - x[0], f[0] = NAN;
  }
  return MS_SUCCESS;
}

static ms_nsga2 *search_of(calls *c, uint64_t seed) {
  ms_pareto_problem problem = { N_X, 2, lower, upper, two_bowls, c };
  ms_nsga2_setting setting = MS_NSGA2_DEFAULT;
  ms_nsga2 *s = NULL;
  setting.n_point = N_POINT;
  setting.seed = seed;
  CHECK_OK(ms_nsga2_create(test_context(), &problem, &setting, &s));
  return s;
}

static void go(ms_nsga2 *s, int steps) {
  for (int i = 0; i < steps; i++) CHECK_OK(ms_nsga2_step(s));
}

static int same(ms_pareto_points a, ms_pareto_points b) {
  return a.n == b.n && !memcmp(a.x, b.x, (size_t)(a.n * a.n_x) * sizeof *a.x) &&
         !memcmp(a.f, b.f, (size_t)(a.n * a.n_f) * sizeof *a.f) &&
         !memcmp(a.v, b.v, (size_t)a.n * sizeof *a.v) &&
         !memcmp(a.rank, b.rank, (size_t)a.n * sizeof *a.rank);
}

static void test_first_points_fill_the_box(void) {
  calls c = { 0 };
  ms_nsga2 *s = search_of(&c, 3);
  CHECK_EQUAL(ms_nsga2_points(s).n, 0);
  CHECK_EQUAL(ms_nsga2_generation(s), -1);
  go(s, 1);
  ms_pareto_points p = ms_nsga2_points(s);
  for (int j = 0; j < N_X; j++) {
    int slices = 0; /* one point in each slice */
    for (ptrdiff_t i = 0; i < p.n; i++) {
      slices |= 1 << (int)((p.x[j + N_X * i] - lower[j]) / (upper[j] - lower[j]) * N_POINT);
    }
    CHECK_EQUAL(slices, (1 << N_POINT) - 1);
  }
  CHECK_EQUAL(ms_nsga2_generation(s), 0);
  CHECK_EQUAL(ms_nsga2_evaluations(s), N_POINT);
  ms_nsga2_destroy(&s);
  CHECK(s == NULL);
}

/* The best compromises lie on the line between the two minima, where the distances to them have the
   least sum. */
static void test_finds_the_line(void) {
  calls c = { .constraint = -9.0 };
  ms_nsga2 *s = search_of(&c, 4);
  go(s, 150);
  ms_pareto_points p = ms_nsga2_points(s);
  for (ptrdiff_t i = 0; i < p.n; i++) {
    CHECK_CLOSE(sqrt(p.f[2 * i]) + sqrt(p.f[2 * i + 1]), hypot(1.5, 0.3), 0.03);
  }
  CHECK_EQUAL(c.outside, 0);
  CHECK_EQUAL(c.n, 150);
  ms_nsga2_destroy(&s);
}

static void test_best_of_each_objective_stays(void) {
  calls c = { .constraint = -9.0 };
  ms_nsga2 *s = search_of(&c, 8);
  double best[2] = { 1e300, 1e300 };
  for (int g = 0; g < 30; g++) {
    go(s, 1);
    ms_pareto_points p = ms_nsga2_points(s);
    for (int m = 0; m < 2; m++) {
      double now = 1e300;
      for (ptrdiff_t i = 0; i < p.n; i++) now = fmin(now, p.f[m + 2 * i]);
      CHECK(now <= best[m]);
      best[m] = now;
    }
  }
  ms_nsga2_destroy(&s);
}

static void test_constraint_is_met(void) {
  calls c = { .constraint = 1.13 };
  ms_nsga2 *s = search_of(&c, 5);
  go(s, 60);
  ms_pareto_points p = ms_nsga2_points(s);
  for (ptrdiff_t i = 0; i < p.n; i++) {
    CHECK(p.x[N_X * i] >= 1.13);
    CHECK_NEAR(p.v[i], 0.0, 0.0);
  }
  ms_nsga2_destroy(&s);
}

static void test_seed_decides(void) {
  calls c = { .constraint = -9.0 };
  ms_nsga2 *a = search_of(&c, 21), *b = search_of(&c, 21), *other = search_of(&c, 22);
  go(a, 9), go(b, 9), go(other, 9);
  CHECK(same(ms_nsga2_points(a), ms_nsga2_points(b)));
  CHECK(!same(ms_nsga2_points(a), ms_nsga2_points(other)));
  ms_nsga2_destroy(&a), ms_nsga2_destroy(&b), ms_nsga2_destroy(&other);
}

static void test_restored_search_goes_on_the_same(void) {
  calls c = { .constraint = 0.3 };
  ms_nsga2 *a = search_of(&c, 31), *b = search_of(&c, 31);
  go(a, 5);
  ms_pareto_points half = ms_nsga2_points(a);
  CHECK_OK(ms_nsga2_restore(b, ms_nsga2_generation(a), half.x, half.f, half.v));
  CHECK(same(ms_nsga2_points(a), ms_nsga2_points(b)));
  go(a, 6), go(b, 6);
  CHECK(same(ms_nsga2_points(a), ms_nsga2_points(b)));
  CHECK_EQUAL(ms_nsga2_evaluations(b), 11 * N_POINT);
  ms_nsga2_destroy(&a), ms_nsga2_destroy(&b);
}

/* A generation that is stopped leaves the search as it was, and can be tried again. */
static void test_stop_and_again(void) {
  calls c = { .constraint = -9.0 }, stopped = { .constraint = -9.0, .fail_at = 4 };
  ms_nsga2 *a = search_of(&c, 2), *b = search_of(&stopped, 2);
  go(a, 5), go(b, 3);
  CHECK_STATUS(ms_nsga2_step(b), MS_CANCELLED);
  CHECK_EQUAL(ms_nsga2_generation(b), 2);
  go(b, 2);
  CHECK(same(ms_nsga2_points(a), ms_nsga2_points(b)));
  ms_nsga2_destroy(&a), ms_nsga2_destroy(&b);
}

static ms_status bad_objective(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  (void)user, (void)x, (void)v;
  for (ptrdiff_t i = 0; i < 2 * n; i++) f[i] = i == 5 ? INFINITY : 0.5;
  return MS_SUCCESS;
}

static ms_status bad_violation(void *user, ptrdiff_t n, const double *x, double *f, double *v) {
  (void)user, (void)x;
  for (ptrdiff_t i = 0; i < 2 * n; i++) f[i] = 0.5;
  v[1] = -0.3;
  return MS_SUCCESS;
}

static void test_refusals(void) {
  calls c = { 0 };
  double equal[N_X] = { -1.3, 0.2, 9.5 };
  ms_pareto_problem problem = { N_X, 2, equal, upper, two_bowls, &c };
  ms_nsga2_setting setting = MS_NSGA2_DEFAULT;
  ms_nsga2 *s = NULL;
  CHECK_STATUS(ms_nsga2_create(test_context(), &problem, NULL, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "parameter 3");
  problem.lower = lower, setting.n_point = 7;
  CHECK_STATUS(ms_nsga2_create(test_context(), &problem, &setting, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "even");
  setting.n_point = 2;
  CHECK_STATUS(ms_nsga2_create(test_context(), &problem, &setting, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a generation of 2 points; it must be even");
  equal[2] = -HUGE_VAL, problem.lower = equal, setting.n_point = 4;
  CHECK_STATUS(ms_nsga2_create(test_context(), &problem, &setting, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "bounds of parameter 3: -inf to 9.5");
  problem.lower = lower;
  double *const field[] = { &setting.crossover, &setting.mutation, &setting.crossover_index,
                            &setting.mutation_index };
  const char *const words[] = { " (crossover) and ", " (mutation) must be in [0, 1]", "indices ",
                                " (mutation) must be >= 0" };
  for (int i = 0; i < 4; i++) {
    const double kept = *field[i], bad[] = { -1e-9, NAN, 1.0 + 1e-9 }, good[] = { 0.0, 1.0 };
    for (int k = 0; k < (i < 2 ? 3 : 2); k++) {
      *field[i] = bad[k];
      CHECK_STATUS(ms_nsga2_create(test_context(), &problem, &setting, &s), MS_ERR_ARGUMENT);
      CHECK_HAS(ms_context_message(test_context()), words[i]);
    }
    for (int k = 0; k < 2; k++) {
      *field[i] = good[k];
      CHECK_OK(ms_nsga2_create(test_context(), &problem, &setting, &s));
      ms_nsga2_destroy(&s);
    }
    *field[i] = kept;
  }
  setting.n_point = 8, problem.eval = bad_objective;
  CHECK_OK(ms_nsga2_create(test_context(), &problem, &setting, &s));
  CHECK_STATUS(ms_nsga2_step(s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "objective 2 of point 3");
  const double none[N_X * 8] = { 0.0 };
  CHECK_STATUS(ms_nsga2_restore(s, -1, none, none, none), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a search cannot go on from generation -1");
  ms_nsga2_destroy(&s);
  problem.eval = bad_violation;
  CHECK_OK(ms_nsga2_create(test_context(), &problem, &setting, &s));
  CHECK_STATUS(ms_nsga2_step(s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "violation of point 2 is -0.3; it must be >= 0");
  ms_nsga2_destroy(&s);
  problem.n_f = 0;
  CHECK_STATUS(ms_nsga2_create(test_context(), &problem, &setting, &s), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a search over 3 parameters for 0 objectives");
  CHECK_STATUS(ms_pareto_check(test_context(), -1, 2, none, none), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "-1 points of 2 objectives: need n >= 0, n_f >= 1");
}

static ms_status create_and_step(ms_context *ctx, void *user) {
  ms_pareto_problem problem = { N_X, 2, lower, upper, two_bowls, user };
  ms_nsga2 *s = NULL;
  MS_TRY(ms_nsga2_create(ctx, &problem, NULL, &s));
  ms_status status = ms_nsga2_step(s);
  ms_nsga2_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  calls c = { .constraint = -9.0 };
  CHECK(test_allocations(create_and_step, &c) >= 10);
}

int main(void) {
  TEST(test_first_points_fill_the_box);
  TEST(test_finds_the_line);
  TEST(test_best_of_each_objective_stays);
  TEST(test_constraint_is_met);
  TEST(test_seed_decides);
  TEST(test_restored_search_goes_on_the_same);
  TEST(test_stop_and_again);
  TEST(test_refusals);
  TEST(test_failing_memory);
  return test_finish();
}
