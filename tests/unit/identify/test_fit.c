/* Least squares with bounds: known minima, bounds, models without an answer, starts; covariance
   against the closed form of a straight line; directions that data do not see, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/fit.h>

#include "support/check.h"

/* ---- Rosenbrock's valley ---- */

typedef struct valley {
  int calls, jacobians;
  double wall; /* no answer from x = wall on */
  int fail_at;
} valley;

static ms_status rosenbrock(void *user, const double *p, double *r, double *jac) {
  valley *v = user;
  if (++v->calls == v->fail_at) return MS_CANCELLED;
  if (v->wall > 0.0 && p[0] >= v->wall) return MS_NOT_CONVERGED;
  r[0] = 10.0 * (p[1] - p[0] * p[0]);
  r[1] = 1.37 - p[0];
  if (!jac) return MS_SUCCESS;
  v->jacobians++;
  jac[0] = -20.0 * p[0], jac[1] = -1.0, jac[2] = 10.0, jac[3] = 0.0;
  return MS_SUCCESS;
}

static const ms_fit_parameter plane[] = { { "x", -2.4, 3.1, 0, 0.0 }, { "y", -1.7, 5.2, 0, 0.0 } };

static ms_fit_problem valley_of(valley *v, int has_jacobian) {
  return (ms_fit_problem) { 2, 2, plane, rosenbrock, v, has_jacobian };
}

static void check_valley_from(double x, double y, int has_jacobian) {
  valley v = { 0 };
  ms_fit_problem problem = valley_of(&v, has_jacobian);
  ms_fit_local local;
  double p[2] = { x, y };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  CHECK_CLOSE(p[0], 1.37, 1e-7);
  CHECK_CLOSE(p[1], 1.37 * 1.37, 1e-7);
  CHECK_BELOW(local.sum, 1e-13);
  CHECK(local.evaluations > 2 && local.evaluations < 200);
  CHECK_EQUAL(v.jacobians > 0, has_jacobian);
}

static void test_valley(void) {
  check_valley_from(-1.2, 1.0, 1);
}

static void test_valley_by_differences(void) {
  check_valley_from(-1.2, 1.0, 0);
}

/* The same minimum from less than half of the evaluations that central differences take; beside a
   wall one-sided differences turn to the other side; a failure still ends the search. */
static void test_valley_by_secants(void) {
  valley central = { 0 }, secant = { 0 }, walled = { .wall = 1.3700005 },
         failing = { .fail_at = 9 };
  valley *const on[] = { &central, &secant, &walled, &failing };
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_fit_local local;
  for (int i = 0; i < 4; i++) {
    const ms_fit_problem problem = valley_of(on[i], 0);
    double p[2] = { -1.2, 1.0 };
    setting.secant = i == 0 ? 0.0 : 1e-6;
    const ms_status status = ms_fit_from(test_context(), &problem, &setting, p, &local);
    CHECK_EQUAL(status, i < 3 ? MS_SUCCESS : MS_CANCELLED);
    if (i == 3) continue;
    CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
    CHECK_CLOSE(p[0], 1.37, 1e-6);
    CHECK_CLOSE(p[1], 1.37 * 1.37, 2e-6);
  }
  printf("# %d calls by central differences, %d by secants\n", central.calls, secant.calls);
  CHECK(2 * secant.calls < central.calls);
}

enum { LEFT = 7 };
/* y = exp(-p_0 x) + p_1 x^2, of data that it cannot follow: Gauss-Newton's steps fall by a constant
   factor, and the search goes on until the parameters, not only the sum of squares, are constant.
 */
static ms_status decays(void *user, const double *p, double *r, double *jac) {
  static const double y[LEFT] = { 0.93, 0.71, 0.74, 0.31, 0.42, 0.11, 0.57 };
  (void)user;
  for (int k = 0; k < LEFT; k++) {
    const double x = 0.21 + 0.47 * k, e = exp(-p[0] * x);
    r[k] = e + p[1] * x * x - y[k];
    if (jac) jac[k] = -x * e, jac[k + LEFT] = x * x;
  }
  return MS_SUCCESS;
}

static void test_starts_end_at_one_point(void) {
  const ms_fit_parameter bound[] = { { "rate", 0.05, 4.7, 0, 0.0 }, { "bow", -1.3, 0.9, 0, 0.0 } };
  const ms_fit_problem problem = { 2, LEFT, bound, decays, NULL, 1 };
  const double from[3][2] = { { 0.4, 0.3 }, { 3.9, -0.6 }, { 1.7, 0.71 } };
  double p[3][2];
  ms_fit_local local;
  for (int i = 0; i < 3; i++) {
    memcpy(p[i], from[i], sizeof p[i]);
    CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p[i], &local));
    CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
    CHECK_CLOSE(p[i][0], p[0][0], 3e-9);
    CHECK_NEAR(p[i][1], p[0][1], 5e-10);
  }
}

/* The middle of the bounds but for rounding: what is searched is then no length to step by. */
static void test_valley_from_the_middle(void) {
  check_valley_from(0.5 * (-2.4 + 3.1) + 1e-16, 0.5 * (-1.7 + 5.2) - 2e-16, 1);
}

/* With x no larger than 1.1 the least of (1.37 - x)^2 + 100 (y - x^2)^2 is at x = 1.1, y = 1.21. */
static void test_minimum_at_a_bound(void) {
  ms_fit_parameter near[] = { { "x", -2.4, 1.1, 0, 0.0 }, { "y", -1.7, 5.2, 0, 0.0 } };
  valley v = { 0 };
  ms_fit_problem problem = valley_of(&v, 1);
  ms_fit_judgement j;
  ms_fit_local local;
  double p[2] = { 0.3, 1.0 };
  problem.parameter = near;
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_NEAR(p[0], 1.1, 1e-4);
  CHECK_NEAR(p[1], 1.21, 1e-3);
  CHECK(p[0] <= 1.1);
  CHECK_OK(ms_fit_judge(test_context(), &problem, NULL, p, &j));
  CHECK_EQUAL(j.at_bound[0], 1);
  CHECK_EQUAL(j.at_bound[1], 0);
  ms_fit_judgement_destroy(test_context(), &j);
}

static void test_turns_back_where_there_is_no_answer(void) {
  valley v = { .wall = 1.371 };
  ms_fit_problem problem = valley_of(&v, 0);
  ms_fit_local local;
  double p[2] = { -1.2, 4.0 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_CLOSE(p[0], 1.37, 1e-6);
  p[0] = 1.5;
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_FAILED);
  CHECK_NEAR(p[0], 1.5, 0.0);
}

static void test_failure_ends_the_search(void) {
  valley v = { .fail_at = 5 };
  ms_fit_problem problem = valley_of(&v, 1);
  ms_fit_local local;
  double p[2] = { -1.2, 4.0 };
  CHECK_STATUS(ms_fit_from(test_context(), &problem, NULL, p, &local), MS_CANCELLED);
}

static void test_unfinished_is_said(void) {
  valley v = { 0 };
  ms_fit_problem problem = valley_of(&v, 1);
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_fit_local local;
  double p[2] = { -1.2, 1.0 };
  setting.max_evaluations = 4;
  CHECK_OK(ms_fit_from(test_context(), &problem, &setting, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_UNFINISHED);
}

/* ---- a straight line ---- */

enum { LINE = 9 };
static const double at[LINE] = { 0.3, 0.9, 1.1, 2.7, 3.2, 4.4, 5.9, 6.1, 7.7 };

typedef struct line {
  double y[LINE], noise;
} line;

static ms_status straight(void *user, const double *p, double *r, double *jac) {
  const line *d = user;
  for (int k = 0; k < LINE; k++) {
    r[k] = (p[0] + p[1] * at[k] - d->y[k]) / d->noise;
    if (jac) jac[k] = 1.0 / d->noise, jac[k + LINE] = at[k] / d->noise;
  }
  return MS_SUCCESS;
}

static line line_of(uint64_t seed, double noise) {
  line d = { .noise = noise };
  ms_random random;
  ms_random_start(&random, seed, 0);
  for (int k = 0; k < LINE; k++) d.y[k] = 2.385 - 0.71 * at[k] + noise * ms_random_normal(&random);
  return d;
}

static const ms_fit_parameter line_parameter[] = { { "offset", -9.0, 11.0, 0, 1.0 },
                                                   { "slope", -4.0, 3.0, 0, 1.0 } };

/* Noise is left: where the search ends depends on how well the last Jacobian is known. */
static void check_line_by_secants(double step, double most) {
  line d = line_of(11, 0.13);
  const ms_fit_problem problem = { 2, LINE, line_parameter, straight, &d, 0 };
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_fit_local local;
  double p[2] = { 7.3, 2.1 }, want[2] = { 7.3, 2.1 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, want, &local));
  setting.secant = step;
  setting.tolerance = 1e-9;
  CHECK_OK(ms_fit_from(test_context(), &problem, &setting, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  CHECK(local.jacobians >= 1 && local.jacobians < local.evaluations);
  CHECK(local.evaluations <= 9); /* 10 where the search goes on until its steps are rounding */
  CHECK_NEAR(p[0], want[0], most);
  CHECK_NEAR(p[1], want[1], most);
}

static void test_line_by_secants(void) {
  check_line_by_secants(1e-4, 1e-5);
}

/* Var(slope) = s^2/Sxx, Var(offset) = s^2 (1/n + x^2/Sxx), Cov = -s^2 x/Sxx, x the mean. */
static void check_line(int known) {
  line d = line_of(7, 0.13);
  ms_fit_problem problem = { 2, LINE, line_parameter, straight, &d, 1 };
  ms_fit_setting setting = MS_FIT_DEFAULT;
  ms_fit_judgement j;
  ms_fit_local local;
  double p[2] = { 0.0, 0.0 }, mean = 0.0, sxx = 0.0, sxy = 0.0, my = 0.0, s = 1.0;
  setting.known_noise = known;
  CHECK_OK(ms_fit_from(test_context(), &problem, &setting, p, &local));
  for (int k = 0; k < LINE; k++) mean += at[k] / LINE, my += d.y[k] / LINE;
  for (int k = 0; k < LINE; k++) {
    sxx += (at[k] - mean) * (at[k] - mean);
    sxy += (at[k] - mean) * (d.y[k] - my);
  }
  CHECK_CLOSE(p[1], sxy / sxx, 1e-7);
  CHECK_CLOSE(p[0], my - sxy / sxx * mean, 1e-7);
  CHECK_BELOW(local.gradient, 1e-6);
  CHECK_OK(ms_fit_judge(test_context(), &problem, &setting, p, &j));
  if (!known) s = sqrt(local.sum / (LINE - 2));
  CHECK_CLOSE(j.scatter, s, 1e-9);
  s *= 0.13;
  CHECK_CLOSE(j.covariance[3], s * s / sxx, 1e-9);
  CHECK_CLOSE(j.covariance[0], s * s * (1.0 / LINE + mean * mean / sxx), 1e-9);
  CHECK_CLOSE(j.covariance[1], -s * s * mean / sxx, 1e-9);
  CHECK_CLOSE(j.standard_error[1], s / sqrt(sxx), 1e-9);
  CHECK_CLOSE(j.correlation[2], j.covariance[1] / sqrt(j.covariance[0] * j.covariance[3]), 1e-12);
  CHECK_CLOSE(j.condition, j.sigma[0] / j.sigma[1], 1e-12);
  CHECK_EQUAL(j.n_open, 0);
  CHECK(j.determined[0] && j.determined[1]);
  CHECK_TEXT(j.remarks, "");
  ms_fit_judgement_destroy(test_context(), &j);
}

static void test_line_with_known_noise(void) {
  check_line(1);
}

static void test_line_with_estimated_noise(void) {
  check_line(0);
}

/* 95 % intervals cover in 95 % of repetitions, within what chance allows. */
static void test_coverage(void) {
  enum { REPEAT = 400 };
  int covered = 0;
  for (int i = 0; i < REPEAT; i++) {
    line d = line_of(1000 + (uint64_t)i, 0.22);
    ms_fit_problem problem = { 2, LINE, line_parameter, straight, &d, 1 };
    ms_fit_setting setting = MS_FIT_DEFAULT;
    ms_fit_judgement j;
    ms_fit_local local;
    double p[2] = { 0.5, 0.5 };
    setting.known_noise = 1;
    CHECK_OK(ms_fit_from(test_context(), &problem, &setting, p, &local));
    CHECK_OK(ms_fit_judge(test_context(), &problem, &setting, p, &j));
    covered += fabs(p[1] + 0.71) < 1.959964 * j.standard_error[1];
    ms_fit_judgement_destroy(test_context(), &j);
  }
  CHECK_NEAR((double)covered / REPEAT, 0.95, 4.0 * sqrt(0.95 * 0.05 / REPEAT));
}

/* ---- directions that are not seen ---- */

/* Only a*b and c are seen; d does nothing. */
static ms_status product(void *user, const double *p, double *r, double *jac) {
  (void)user, (void)jac;
  for (int k = 0; k < 6; k++)
    r[k] = p[0] * p[1] * (1.0 + 0.3 * k) + p[2] * k * k - 6.1 - 2.2 * k * k;
  return MS_SUCCESS;
}

static void test_words_for_what_is_not_seen(void) {
  const ms_fit_parameter parameter[] = { { "K_T of lap", 0.1, 40.0, 1, 0.0 },
                                         { "K_T of bolt 2", 0.1, 40.0, 1, 0.0 },
                                         { "F_S of lap", 0.1, 40.0, 1, 0.0 },
                                         { "beta of lap", 0.0, 5.0, 0, 0.0 } };
  ms_fit_problem problem = { 4, 6, parameter, product, NULL, 0 };
  ms_fit_judgement j;
  ms_fit_local local;
  double p[4] = { 1.3, 2.9, 1.1, 3.3 };
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_OK(ms_fit_judge(test_context(), &problem, NULL, p, &j));
  CHECK_EQUAL(j.n_open, 2);
  CHECK_EQUAL(j.determined[0] + j.determined[1] + j.determined[3], 0);
  CHECK(j.determined[2]);
  CHECK_HAS(j.remarks, "The data do not determine beta of lap.");
  CHECK(strstr(j.remarks,
               "K_T of lap and K_T of bolt 2 can be traded against each other (+10 %, "
               "-10 %)") ||
        strstr(j.remarks,
               "K_T of bolt 2 and K_T of lap can be traded against each other (+10 %, "
               "-10 %)"));
  CHECK(j.standard_error[0] >= 0.6 * p[0]); /* a unit along (1, -1)/sqrt(2) */
  CHECK(j.standard_error[3] >= 2.4);
  ms_fit_judgement_destroy(test_context(), &j);
}

/* ---- starts, refusals, memory ---- */

static void test_starts_fill_the_box(void) {
  const ms_fit_parameter parameter[] = { { "F_S", 0.1, 1000.0, 1, 0.0 },
                                         { "chi", -0.9, 0.3, 0, 0.0 } };
  ms_fit_problem problem = { 2, 6, parameter, product, NULL, 0 };
  int slices[2] = { 0, 0 };
  for (int k = 0; k < 8; k++) {
    double p[2];
    CHECK_OK(ms_fit_get_start(test_context(), &problem, NULL, 8, k, p));
    slices[0] |= 1 << (int)(8.0 * log(p[0] / 0.1) / log(1e4));
    slices[1] |= 1 << (int)(8.0 * (p[1] + 0.9) / 1.2);
  }
  CHECK_EQUAL(slices[0], 255);
  CHECK_EQUAL(slices[1], 255);
  double p[2];
  CHECK_STATUS(ms_fit_get_start(test_context(), &problem, NULL, 8, 8, p), MS_ERR_ARGUMENT);
}

static void refuse(ms_fit_problem problem, ms_fit_setting setting, const char *word) {
  ms_fit_local local;
  double p[2] = { 0.1, 0.2 };
  CHECK_STATUS(ms_fit_from(test_context(), &problem, &setting, p, &local), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), word);
}

static void test_refusals(void) {
  valley v = { 0 };
  ms_fit_problem problem = valley_of(&v, 1);
  ms_fit_setting good = MS_FIT_DEFAULT, bad = good;
  ms_fit_parameter q[2] = { plane[0], plane[1] };
  bad.tolerance = 0.0, refuse(problem, bad, "tolerance");
  problem.parameter = q;
  q[1].upper = q[1].lower, refuse(problem, good, "y from");
  q[1] = plane[1], q[0].logarithmic = 1, refuse(problem, good, "above zero");
  q[0] = plane[0], q[1].unit = NAN, refuse(problem, good, "unit of y");
  q[1] = plane[1], q[0].lower = 0.15, refuse(problem, good, "x = 0.1 is not between");
  problem.m = 1;
  ms_fit_local local;
  double p[2] = { 0.1, 0.2 };
  CHECK_STATUS(ms_fit_from(test_context(), &problem, NULL, p, &local), MS_ERR_ARGUMENT);
}

static ms_status fit_and_judge(ms_context *ctx, void *user) {
  ms_fit_problem problem = { 2, LINE, line_parameter, straight, user, 1 };
  ms_fit_judgement j;
  ms_fit_local local;
  double p[2] = { 0.5, 0.5 };
  MS_TRY(ms_fit_get_start(ctx, &problem, NULL, 5, 2, p));
  MS_TRY(ms_fit_from(ctx, &problem, NULL, p, &local));
  MS_TRY(ms_fit_judge(ctx, &problem, NULL, p, &j));
  ms_fit_judgement_destroy(ctx, &j);
  return MS_SUCCESS;
}

static void test_failing_memory(void) {
  line d = line_of(7, 0.13);
  CHECK(test_allocations(fit_and_judge, &d) >= 15);
}

/* By the standard error over the value; equal ones in their order, those not determined last. */
static void test_rank(void) {
  double error[5] = { 0.3, 0.1, 0.2, 0.05, 0.1 };
  const double p[5] = { 1.3, -4.0, 8.0, 7.0, 4.0 };
  int determined[5] = { 1, 1, 1, 0, 1 };
  const ms_fit_judgement j = { .standard_error = error, .determined = determined };
  static const ptrdiff_t want[5] = { 1, 2, 4, 0, 3 };
  for (ptrdiff_t k = 0; k < 5; k++) CHECK_EQUAL(ms_fit_rank(&j, 5, p, k), want[k]);
}

static void test_scale(void) {
  const double bounds[][2] = { { 1.3, 12.9 }, { 1.3, 13.1 }, { 0.0, 50.0 }, { -2.0, 90.0 } };
  for (int k = 0; k < 4; k++) {
    ms_fit_parameter p = { .lower = bounds[k][0], .upper = bounds[k][1], .logarithmic = 1 };
    ms_fit_choose_scale(&p);
    CHECK_EQUAL(p.logarithmic, k == 1);
  }
}

int main(void) {
  TEST(test_scale);
  TEST(test_valley);
  TEST(test_valley_by_differences);
  TEST(test_valley_by_secants);
  TEST(test_valley_from_the_middle);
  TEST(test_starts_end_at_one_point);
  TEST(test_minimum_at_a_bound);
  TEST(test_turns_back_where_there_is_no_answer);
  TEST(test_failure_ends_the_search);
  TEST(test_unfinished_is_said);
  TEST(test_line_by_secants);
  TEST(test_line_with_known_noise);
  TEST(test_line_with_estimated_noise);
  TEST(test_coverage);
  TEST(test_words_for_what_is_not_seen);
  TEST(test_starts_fill_the_box);
  TEST(test_refusals);
  TEST(test_failing_memory);
  TEST(test_rank);
  return test_finish();
}
