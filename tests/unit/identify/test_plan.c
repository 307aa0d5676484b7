/* The methods of a calibration over threads: what made the data is found, and one thread and
   several give the same numbers. */
#include <math.h>
#include <string.h>

#include "identify/calibrate/plan.h"
#include "support/check.h"
#include "support/structures.h"

enum { N = 7, WALKERS = 8, STEPS = 12 };

static const ms_parameter_place place[2] = { { 0, 0, "K_T" }, { 0, 0, "chi" } };
static const ms_free_parameter two[2] = { { "K_T of lap", 1, &place[0] },
                                          { "chi of lap", 1, &place[1] } };
static const ms_fit_parameter bound[2] = {
  { .name = "K_T of lap", .lower = 0.3, .upper = 3.7, .logarithmic = 1 },
  { .name = "chi of lap", .lower = -0.9, .upper = -0.1 }
};
static const double truth[2] = { 1.17, -0.43 };
static const double force[N] = { 0.7, 1.1, 1.7, 2.6, 3.7, 5.3, 7.1 };
static double stiffness[N], loss[N];
static const ms_target target = {
  .kind = MS_TARGET_JOINT_TEST, .weight = { 1.3, 0.7 }, .n = N, .x = force, .y = { stiffness, loss }
};

static ms_status open_worker(const void *owner, ms_worker *w) {
  return ms_structure_copy(w->ctx, owner, &w->structure);
}

static void close_worker(ms_worker *w) {
  ms_structure_destroy(&w->structure);
}

static ms_calibration_plan plan_of(const ms_structure *s, int threads) {
  return (ms_calibration_plan) { .crew = { .ctx = test_context(),
                                           .threads = threads,
                                           .owner = s,
                                           .open = open_worker,
                                           .close = close_worker },
                                 .what = "calibrate",
                                 .n = 2,
                                 .free = two,
                                 .bound = bound,
                                 .n_target = 1,
                                 .target = &target,
                                 .seed = 5 };
}

/* The model's own values at the truth. */
static ms_structure *make_data(ms_calibration **on) {
  ms_structure *s = test_three_mass(1.3e-3);
  double f[2];
  for (int i = 0; i < N; i++) stiffness[i] = loss[i] = 1.0;
  CHECK_OK(ms_calibration_create(s, 2, two, 1, &target, on));
  CHECK_OK(ms_calibration_objectives(*on, truth, f));
  memcpy(stiffness, ms_calibration_view(*on, 0).model[0], sizeof stiffness);
  memcpy(loss, ms_calibration_view(*on, 0).model[1], sizeof loss);
  ms_calibration_destroy(on);
  CHECK_OK(ms_calibration_create(s, 2, two, 1, &target, on));
  return s;
}

typedef struct answers {
  ms_starts starts;
  ms_best_fit fit;
  ms_front front;
  ms_samples samples;
  double *band;
} answers;

static answers run_all(const ms_calibration_plan *plan, ms_calibration *main) {
  const ms_samples_setting samples = { sizeof(ms_samples_setting), NULL, WALKERS, STEPS, 4, 0 };
  ms_front_setting front = MS_FRONT_DEFAULT;
  ms_objective objective[2];
  answers x = { .band = NULL };
  front.points = 8;
  front.generations = 3;
  CHECK_OK(ms_plan_run_starts(plan, 4, &x.starts));
  CHECK_OK(ms_calibration_judge(main, &x.starts, 0.02, 5, &x.fit));
  CHECK_EQUAL(ms_objectives_list(1, &target, 0, objective), 2);
  CHECK_OK(ms_plan_search(plan, 2, objective, main, &front, &x.front));
  CHECK_OK(ms_plan_sample(plan, main, truth, &x.fit, &samples, &x.samples));
  CHECK_OK(ms_plan_find_bands(plan, main, 2 * N, &x.samples, &x.band));
  return x;
}

static void free_all(answers *x) {
  ms_context *ctx = test_context();
  ms_starts_close(ctx, &x->starts);
  ms_fit_judgement_destroy(ctx, &x->fit.judgement);
  ms_front_free(ctx, &x->front);
  ms_samples_free(ctx, &x->samples);
  ms_free(ctx, &x->band);
}

static int is_same(const double *a, const double *b, ptrdiff_t n) {
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static void test_threads(void) {
  ms_calibration *main = NULL;
  ms_structure *s = make_data(&main);
  const ms_calibration_plan one = plan_of(s, 1), three = plan_of(s, 3);
  answers a = run_all(&one, main), b = run_all(&three, main);
  for (int i = 0; i < 2; i++) CHECK_NEAR(a.starts.found[i + 2 * a.fit.best], truth[i], 1e-6);
  CHECK_NEAR(a.fit.scatter, 0.02, 0.0);
  CHECK(a.fit.agree >= 1 && a.fit.judgement.determined[0] && a.fit.judgement.determined[1]);
  CHECK(is_same(a.starts.found, b.starts.found, 8));
  CHECK_EQUAL(a.front.n, b.front.n);
  CHECK(is_same(a.front.row, b.front.row, 4 * a.front.n));
  CHECK(is_same(a.samples.p, b.samples.p, 2 * WALKERS * STEPS));
  CHECK(is_same(a.band, b.band, MS_BAND * 2 * N));
  for (int i = 0; i < N; i++) { /* the truth is in the band, or next to it */
    CHECK(a.band[MS_BAND * i] < 1.02 * stiffness[i] &&
          a.band[MS_BAND * i + 2] > 0.98 * stiffness[i]);
  }
  free_all(&a);
  free_all(&b);
  ms_calibration_destroy(&main);
  ms_structure_destroy(&s);
}

/* A fit that leaves more than the noise that was given is judged by what it leaves. */
static void test_scatter(void) {
  ms_calibration *main = NULL;
  ms_structure *s = make_data(&main);
  const ms_calibration_plan plan = plan_of(s, 1);
  ms_starts starts;
  ms_best_fit fit = { .best = 0 };
  ms_calibration_destroy(&main);
  for (int i = 0; i < N; i++) loss[i] *= i % 2 ? 1.1 : 0.9;
  CHECK_OK(ms_calibration_create(s, 2, two, 1, &target, &main));
  CHECK_OK(ms_plan_run_starts(&plan, 2, &starts));
  CHECK_OK(ms_calibration_judge(main, &starts, 0.001, 5, &fit));
  CHECK_NEAR(fit.supposed, 0.001, 0.0);
  CHECK_CLOSE(fit.scatter, sqrt(starts.local[fit.best].sum / (2 * N - 2)), 1e-12);
  ms_fit_judgement_destroy(test_context(), &fit.judgement);
  for (int i = 0; i < 2; i++) starts.local[i].end = MS_FIT_FAILED;
  CHECK_STATUS(ms_calibration_judge(main, &starts, 0.001, 5, &fit), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "none of 2 starts could be evaluated");
  ms_starts_close(test_context(), &starts);
  ms_calibration_destroy(&main);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_threads);
  TEST(test_scatter);
  return test_finish();
}
