/* Targets of several kinds in one calibration; front, samples and bands of problems whose answers
   are known, also after an interruption; structures with other parameters. */
#include <math.h>
#include <stdio.h>
#include <microslip/calibrate_methods.h>
#include <string.h>

#include "support/check.h"
#include "support/structures.h"

static const ms_parameter_place place[2] = { { 0, 0, "F_S" }, { 0, 0, "K_T" } };
static const ms_free_parameter two[2] = { { "F_S of lap", 1, &place[0] },
                                          { "K_T of lap", 1, &place[1] } };
static const ms_fit_parameter bound[2] = {
  { .name = "first", .lower = 2.0, .upper = 5.0 },
  { .name = "second", .lower = 10.0, .upper = 1000.0, .logarithmic = 1 }
};

/* ---- targets of several kinds ---- */

enum { N = 5, TARGETS = 3 };
static const double force[N] = { 0.9, 1.7, 2.9, 4.1, 6.3 };
static const double stiffness[N] = { 1.01, 0.97, 0.93, 0.88, 0.77 };
static const double loss[N] = { 0.013, 0.061, 0.23, 0.61, 1.9 };
static const double u[N] = { 0.4, 1.9, 0.3, -1.7, 0.2 }, f[N] = { 0.4, 1.6, 0.1, -1.5, 0.1 };

/* A loop comes before a test among the residuals, whichever comes first among the targets. */
static const ms_target targets[TARGETS] = {
  { .kind = MS_TARGET_JOINT_TEST,
    .weight = { 1.3, 0.7 },
    .n = N,
    .x = force,
    .y = { stiffness, loss } },
  { .kind = MS_TARGET_LOOP, .weight = { 2.1 }, .n = N, .x = u, .y = { f }, .is.loop.cycles = 2 },
  { .kind = MS_TARGET_JOINT_TEST,
    .weight = { 0.0, 0.9 },
    .n = N - 1,
    .x = force,
    .y = { stiffness, loss } },
};

static void test_kinds_side_by_side(void) {
  const double p[2] = { 11.3, 1.17 };
  const ptrdiff_t first[TARGETS] = { N, 0, 3 * N }, rows[TARGETS] = { 2 * N, N, 2 * (N - 1) };
  enum { M = 5 * N - 2 };
  ms_structure *s = test_three_mass(1.3e-3);
  ms_calibration *all = NULL;
  ms_solution solution;
  double r[M], J[2 * M], r_one[2 * N], J_one[4 * N], f_one[2];
  CHECK_OK(ms_calibration_create(s, 2, two, TARGETS, targets, &all));
  CHECK_EQUAL(ms_calibration_count_targets(all), TARGETS);
  CHECK_EQUAL(ms_calibration_count_residuals(all), M);
  CHECK_EQUAL(ms_calibration_count_data(all), M - (N - 1)); /* without a quantity of no weight */
  CHECK_EQUAL(ms_calibration_problem(all, bound).has_jacobian, 1);
  CHECK_OK(ms_calibration_eval(all, p, r, J));
  CHECK_OK(ms_calibration_solve(all, "best", p, &solution));
  for (int k = 0; k < TARGETS; k++) {
    ms_calibration *one = NULL;
    CHECK_OK(ms_calibration_create(s, 2, two, 1, &targets[k], &one));
    CHECK_OK(ms_calibration_eval(one, p, r_one, J_one));
    CHECK_OK(ms_calibration_objectives(one, p, f_one));
    for (ptrdiff_t i = 0; i < rows[k]; i++) {
      CHECK_NEAR(r[first[k] + i], r_one[i], 0.0);
      for (int j = 0; j < 2; j++) CHECK_NEAR(J[first[k] + i + M * j], J_one[i + rows[k] * j], 0.0);
    }
    const ms_target_view v = ms_calibration_view(one, 0), *kept = &solution.view[k];
    for (int i = 0; i < 2; i++) CHECK_NEAR(solution.f[2 * k + i], f_one[i], 0.0);
    CHECK_NEAR(ms_target_view_largest(kept, 0), ms_target_view_largest(&v, 0), 0.0);
    CHECK(kept->model[0] != v.model[0] && (kept->model[1] == NULL) == (v.model[1] == NULL));
    ms_calibration_destroy(&one);
  }
  CHECK_TEXT(solution.name, "best");
  CHECK_EQUAL(ms_solution_count(&solution, TARGETS), M);
  ms_solution_free(test_context(), &solution);
  ms_calibration_destroy(&all);
  ms_structure_destroy(&s);
}

static void test_objectives(void) {
  const double value[2 * TARGETS] = { 0.11, 0.23, 0.37, 0.0, 0.0, 0.53 };
  ms_objective o[2 * TARGETS];
  CHECK_EQUAL(ms_objectives_list(TARGETS, targets, 0, o), 3);
  CHECK_TEXT(o[0].name, "stiffness");
  CHECK_TEXT(o[1].name, "dissipation");
  CHECK_TEXT(o[2].name, "force");
  CHECK_NEAR(ms_objective_weigh(&o[0], TARGETS, targets, value), 0.11, 1e-15);
  CHECK_NEAR(ms_objective_weigh(&o[1], TARGETS, targets, value), (0.7 * 0.23 + 0.9 * 0.53) / 1.6,
             1e-15);
  CHECK_EQUAL(ms_objectives_list(TARGETS, targets, 1, o), 4);
  CHECK_TEXT(o[3].name, "dissipation_3");
  CHECK_NEAR(ms_objective_weigh(&o[3], TARGETS, targets, value), 0.53, 1e-15);
}

/* ---- parts of a run that are kept ---- */

enum { PARTS = 64, PART_SIZE = 4000 };
typedef struct kept {
  double values[PARTS][PART_SIZE];
  ptrdiff_t size[PARTS], n, at;
} kept;
static kept parts;

static int next_part(void *user, ptrdiff_t *part, ptrdiff_t *n, const double **values) {
  kept *k = user;
  if (k->at >= k->n) return 0;
  *part = k->at;
  *n = k->size[k->at];
  *values = k->values[k->at++];
  return 1;
}

static ms_status keep_part(void *user, ptrdiff_t part, ptrdiff_t n, const double *values) {
  kept *k = user;
  if (!CHECK(part < PARTS && n <= PART_SIZE)) return MS_ERR_ARGUMENT;
  memcpy(k->values[part], values, (size_t)n * sizeof *values);
  k->size[part] = n;
  k->n = part + 1;
  return MS_SUCCESS;
}

static const ms_part_store store = { next_part, keep_part, &parts };

/* ---- the front ---- */

/* Its front is t[1] = 0, t[0] in [0, 1]: sqrt(f_0) + sqrt(f_1) = 1. A search of 60 generations
   comes within a few hundredths of it. */
static ms_status map_objectives(void *user, ptrdiff_t n, const double *t, double *out) {
  (void)user;
  for (ptrdiff_t i = 0; i < n; i++, t += 2, out += 3) {
    out[0] = t[0] * t[0] + 0.3 * t[1];
    out[1] = (t[0] - 1.0) * (t[0] - 1.0) + 0.3 * t[1];
    out[2] = t[1] > 0.93;
  }
  return MS_SUCCESS;
}

static ms_front find_front(ptrdiff_t generations, const ms_part_store *from) {
  ms_front_setting setting = MS_FRONT_DEFAULT;
  ms_front front;
  setting.points = 40;
  setting.generations = generations;
  setting.seed = 7;
  CHECK_OK(
      ms_front_search(test_context(), 2, 2, bound, map_objectives, NULL, &setting, from, &front));
  return front;
}

static void test_front(void) {
  ms_front front = find_front(60, NULL);
  ms_front_map map;
  CHECK(front.n > 20 && front.n <= 40);
  for (ptrdiff_t k = 0; k < front.n; k++) {
    const double *row = front.row + 4 * k;
    CHECK_NEAR(sqrt(row[0]) + sqrt(row[1]), 1.0, 0.05);
    CHECK_NEAR(row[2], 2.0 + 3.0 * sqrt(row[0]), 0.15);
    CHECK_NEAR(row[3], 10.0, 5.0);
    if (k > 0) CHECK(row[0] > row[-4]);
  }
  /* of the box all but what lies below the front, the integral of (1 - sqrt(f))^2 */
  CHECK_NEAR(front.volume[60], 1.0 - 1.0 / (6.0 * front.reference[0] * front.reference[1]), 0.02);
  CHECK(front.volume[60] > front.volume[0] + 0.01);
  CHECK_EQUAL(front.evaluations, 61 * 40);
  CHECK_EQUAL(front.made, 61 * 40);
  CHECK(front.n_seen > 200);
  CHECK_OK(ms_front_map_make(test_context(), &front, bound, &map));
  CHECK_EQUAL(map.points, front.n_seen < MS_FRONT_MAP_MOST ? front.n_seen : MS_FRONT_MAP_MOST);
  CHECK(map.alike < 0.5); /* what is good for one is bad for the other */
  ms_front_map_free(test_context(), &map);
  ms_front_free(test_context(), &front);
}

/* From four generations of seven on, the same numbers; a part of another size is not used. */
static void test_front_goes_on(void) {
  parts.n = parts.at = 0;
  ms_front whole = find_front(6, &store), again;
  CHECK_EQUAL(parts.n, 7);
  parts.n = 4, parts.at = 0;
  again = find_front(6, &store);
  CHECK_EQUAL(again.made, 3 * 40);
  CHECK_EQUAL(again.n, whole.n);
  CHECK_EQUAL(again.n_seen, whole.n_seen);
  CHECK(memcmp(again.row, whole.row, (size_t)(4 * whole.n) * sizeof *whole.row) == 0);
  CHECK(memcmp(again.volume, whole.volume, 7 * sizeof *whole.volume) == 0);
  ms_front_free(test_context(), &again);
  parts.n = 1, parts.at = 0, parts.size[0]--;
  again = find_front(6, &store);
  CHECK_EQUAL(again.made, 7 * 40);
  ms_front_free(test_context(), &again);
  ms_front_free(test_context(), &whole);
}

static ms_status map_nothing(void *user, ptrdiff_t n, const double *t, double *out) {
  (void)user, (void)t;
  for (ptrdiff_t i = 0; i < 3 * n; i++) out[i] = i % 3 == 2;
  return MS_SUCCESS;
}

static void test_no_front(void) {
  const ms_front_setting setting = MS_FRONT_DEFAULT;
  ms_front front;
  CHECK_STATUS(
      ms_front_search(test_context(), 2, 2, bound, map_nothing, NULL, &setting, NULL, &front),
      MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "none of the first 100 points");
  ms_front_free(test_context(), &front);
}

/* ---- samples ---- */

static const double centre[2] = { 3.47, 97.0 }, width[2] = { 0.071, 2.3 };

static ms_status eval_normal(void *user, const double *p, double *r, double *jac) {
  (void)user;
  for (int i = 0; i < 2; i++) r[i] = (p[i] - centre[i]) / width[i];
  for (int i = 0; jac && i < 4; i++) jac[i] = i % 3 == 0 ? 1.0 / width[i / 2] : 0.0;
  return MS_SUCCESS;
}

static const ms_fit_problem normal = { 2, 2, bound, eval_normal, NULL, 1 };

static ms_status map_density(void *user, ptrdiff_t n, const double *t, double *out) {
  return ms_posterior_log_density(user, n, t, out);
}

static ms_status map_sum(void *user, ptrdiff_t n, const double *p, double *out) {
  (void)user;
  for (ptrdiff_t i = 0; i < n; i++)
    out[2 * i] = p[2 * i] + p[2 * i + 1], out[2 * i + 1] = 3.0 * p[2 * i];
  return MS_SUCCESS;
}

/* As wide as `part` of the density itself is. */
static ms_status take_as_wide(ms_context *ctx, ptrdiff_t steps, double part,
                              const ms_part_store *from, ms_samples *out) {
  double covariance[4] = { part * part * 0.015, 0.0, 0.0, part * part * 15.3 };
  const ms_best_fit fit = { .scatter = 1.7, .judgement = { .covariance = covariance } };
  const ms_samples_setting setting = {
    sizeof(ms_samples_setting), "chain", 12, steps, 20, 11, 1200
  };
  ms_posterior *posterior = NULL;
  *out = (ms_samples) { .n = 0 };
  MS_TRY(ms_posterior_create(ctx, &normal, 1.0, &posterior));
  ms_status status =
      ms_samples_take(ctx, &normal, centre, &fit, map_density, posterior, &setting, from, out);
  ms_posterior_destroy(&posterior);
  return status;
}

static ms_status take_samples(ms_context *ctx, ptrdiff_t steps, const ms_part_store *from,
                              ms_samples *out) {
  return take_as_wide(ctx, steps, 0.59, from, out);
}

/* A normal density, as wide as 1.7 times the residuals say (the second on a logarithmic scale,
   which moves its mean by a part of its width over itself): within four standard errors, and the
   width within 12 % for some 1000 independent samples. */
static void test_samples(void) {
  ms_samples x;
  double *band = NULL;
  CHECK_OK(take_samples(test_context(), 2500, NULL, &x));
  CHECK_EQUAL(x.n, 12 * 2500);
  CHECK(x.accepted > x.proposed / 5 && x.accepted < x.proposed);
  for (int j = 0; j < 2; j++) {
    const ms_chain_report *r = &x.report[j];
    CHECK(r->effective > 500.0);
    CHECK_NEAR(r->mean, centre[j], 4.0 * r->error + 0.1 * width[j]);
    CHECK_CLOSE(r->deviation, 1.7 * width[j], 0.12);
    CHECK_NEAR(x.quantile[MS_BAND * j + 2] - x.quantile[MS_BAND * j], 2.0 * 1.645 * 1.7 * width[j],
               0.5 * width[j]);
  }
  CHECK_EQUAL(ms_samples_find_unsettled(&x), -1);
  x.report[0].settled = 0;
  CHECK_EQUAL(ms_samples_find_unsettled(&x), 0);
  x.report[1].settled = 0, x.report[1].tau = 1.5 * x.report[0].tau;
  CHECK_EQUAL(ms_samples_find_unsettled(&x), 1);
  CHECK_NEAR(x.correlation[1], 0.0, 0.15);
  CHECK_OK(ms_samples_find_bands(test_context(), &x, 2, map_sum, NULL, &band));
  for (int b = 0; b < MS_BAND; b++) { /* of 400 samples: a tenth of the band's width */
    CHECK_NEAR(band[MS_BAND + b], 3.0 * x.quantile[b], 3.0 * 0.56 * width[0]);
  }
  CHECK(band[0] < band[1] && band[1] < band[2]);
  ms_free(test_context(), &band);
  ms_samples_free(test_context(), &x);
}

static void test_samples_go_on(void) {
  ms_samples whole, again;
  parts.n = parts.at = 0;
  CHECK_OK(take_samples(test_context(), 130, &store, &whole)); /* chunks of 50, 50, 50 */
  CHECK_EQUAL(parts.n, 3);
  parts.n = 2, parts.at = 0;
  CHECK_OK(take_samples(test_context(), 130, &store, &again));
  CHECK_EQUAL(again.made, 12 * 50);
  CHECK_EQUAL(again.accepted, whole.accepted);
  CHECK(memcmp(again.p, whole.p, (size_t)(2 * whole.n) * sizeof *whole.p) == 0);
  ms_samples_free(test_context(), &again);
  ms_samples_free(test_context(), &whole);
}

/* Until they have settled: the same density, from proposals of the right width in a few hundred
   steps at most; from far too narrow ones too, which are widened before the steps that count, and
   from far too wide ones. */
static void test_chains_settle(void) {
  const double part[] = { 1.0, 0.03, 9.0 };
  for (int k = 0; k < 3; k++) {
    ms_samples x;
    CHECK_OK(take_as_wide(test_context(), 0, part[k], NULL, &x));
    CHECK_EQUAL(ms_samples_find_unsettled(&x), -1);
    CHECK_EQUAL(x.n, 12 * x.steps);
    CHECK_EQUAL(x.made, 12 * (x.burn + x.steps));
    printf("# %td + %td steps, effective %.0f, R-hat %.3f\n", x.burn, x.steps,
           x.report[0].effective, x.report[0].r_hat);
    CHECK(x.burn >= (k == 0 ? 1 : 48) && x.steps <= 400);
    for (int j = 0; j < 2; j++) {
      const ms_chain_report *r = &x.report[j];
      CHECK(r->settled && r->r_hat < 1.05 && r->effective > 300.0);
      CHECK_NEAR(r->mean, centre[j], 4.0 * r->error + 0.1 * width[j]);
      CHECK_CLOSE(r->deviation, 1.7 * width[j], 3.0 / sqrt(2.0 * r->effective));
    }
    CHECK_NEAR(x.correlation[1], 0.0, 4.0 / sqrt(x.report[0].effective));
    ms_samples_free(test_context(), &x);
  }
}

static void test_chains_go_on(void) {
  ms_samples whole, again;
  for (int k = 0; k < 2; k++) { /* interrupted behind the warming up, and in it */
    parts.n = parts.at = 0;
    CHECK_OK(take_as_wide(test_context(), 0, 0.03, &store, &whole));
    const int all = (int)parts.n;
    CHECK(all > 5);
    parts.n = k ? 1 : all - 2, parts.at = 0;
    CHECK_OK(take_as_wide(test_context(), 0, 0.03, &store, &again));
    CHECK_EQUAL(again.made, whole.made * (all - (k ? 1 : all - 2)) / all);
    CHECK_EQUAL(again.accepted, whole.accepted);
    CHECK_EQUAL(again.burn, whole.burn);
    CHECK_EQUAL(again.n, whole.n);
    CHECK(memcmp(again.p, whole.p, (size_t)(2 * whole.n) * sizeof *whole.p) == 0);
    ms_samples_free(test_context(), &again);
    ms_samples_free(test_context(), &whole);
  }
}

/* Two peaks that nobody crosses, the chains on either: never settled, and that is said. */
static ms_status map_two_peaks(void *user, ptrdiff_t n, const double *t, double *out) {
  (void)user;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double x = (t[2 * i] - 0.5) / 1e-6, y = (t[2 * i + 1] - 0.5) / 1e-6;
    const double left = -0.5 * ((x - 4e4) * (x - 4e4) + y * y);
    const double right = -0.5 * ((x + 4e4) * (x + 4e4) + y * y);
    out[i] = left > right ? left : right;
  }
  return MS_SUCCESS;
}

static void test_chains_that_do_not_settle(void) {
  double covariance[4] = { 4.0, 0.0, 0.0, 1000.0 }, p[2];
  const ms_best_fit fit = { .scatter = 1.0, .judgement = { .covariance = covariance } };
  ms_samples_setting setting = MS_SAMPLES_DEFAULT;
  ms_posterior *posterior = NULL;
  const double middle[2] = { 0.5, 0.5 };
  char text[600];
  ms_samples x;
  setting.walkers = 8, setting.steps = 0, setting.most = 240;
  CHECK_OK(ms_posterior_create(test_context(), &normal, 1.0, &posterior));
  ms_posterior_unscale(posterior, 1, middle, p);
  ms_posterior_destroy(&posterior);
  CHECK_OK(
      ms_samples_take(test_context(), &normal, p, &fit, map_two_peaks, NULL, &setting, NULL, &x));
  CHECK_EQUAL(x.steps, 240);
  CHECK(ms_samples_find_unsettled(&x) >= 0);
  CHECK(ms_samples_warning(&x, bound, text, sizeof text));
  CHECK_HAS(text, "its 240 steps are");
  CHECK_HAS(text, "far from a normal one");
  ms_samples_free(test_context(), &x);
}

/* ---- in time ---- */

static void test_copies(void) {
  const double p[2] = { 11.3, 1.17 };
  ms_structure *s = test_three_mass(1.3e-3), *copy = NULL, *same = NULL;
  double value;
  CHECK_OK(ms_calibrated_copy(test_context(), s, 2, two, p, 1, &copy));
  CHECK_OK(ms_joint_get(ms_structure_get_joint(copy, 0), "K_T", &value));
  CHECK_NEAR(value, 1.17, 0.0);
  CHECK_OK(ms_joint_get(ms_structure_get_joint(s, 0), "K_T", &value));
  CHECK_NEAR(value, 1.0, 0.0);
  CHECK_NEAR(ms_structure_get_damping_ratio(copy, 1), 0.0, 0.0);
  CHECK(ms_structure_get_stuck(copy).omega[2] > ms_structure_get_stuck(s).omega[2]);
  CHECK_OK(ms_calibrated_copy(test_context(), s, 2, two, NULL, 0, &same));
  CHECK_NEAR(ms_structure_get_stuck(same).omega[2], ms_structure_get_stuck(s).omega[2], 0.0);
  CHECK_NEAR(ms_structure_get_damping_ratio(same, 1), 1.3e-3, 1e-15);
  ms_structure_destroy(&copy);
  const double bad[2] = { -3.0, 1.17 };
  CHECK(ms_calibrated_copy(test_context(), s, 2, two, bad, 0, &copy) != MS_SUCCESS);
  CHECK(copy == NULL);
  ms_structure_destroy(&same);
  ms_structure_destroy(&s);
}

/* The target that is refused alone as all are together; and what only all have in common. */
static void test_guilty(void) {
  ms_structure *s = test_three_mass(1.3e-3);
  ptrdiff_t guilty = 7;
  const double negative[N] = { 0.013, 0.061, -0.23, 0.61, 1.9 };
  ms_target some[TARGETS];
  CHECK_OK(ms_calibration_try(s, 2, two, TARGETS, targets, &guilty));
  CHECK_EQUAL(guilty, -1);
  memcpy(some, targets, sizeof some);
  some[2].y[1] = negative;
  CHECK(ms_calibration_try(s, 2, two, TARGETS, some, &guilty) != MS_SUCCESS);
  CHECK_EQUAL(guilty, 2);
  CHECK(ms_context_message(test_context())[0] != '\0');
  CHECK(ms_calibration_try(s, 2, two, 0, some, &guilty) != MS_SUCCESS);
  CHECK_EQUAL(guilty, -1);
  ms_structure_destroy(&s);
}

/* Ring-downs with the study's own parameters and with a stiffer joint, undamped: the mode rings
   with the frequency of the structure that it is simulated on. */
static void test_runs_again(void) {
  const double p[2] = { 1e6, 1.17 }, *sets[2] = { NULL, p };
  const int mode = 1;
  ms_structure *s = test_three_mass(1.3e-3), *stiffer = NULL;
  ms_curves from = { .n_run = 0 };
  ms_pulse_run run = ms_pulse_default();
  run.mode = &mode, run.n_mode = 1, run.p = 1e-4;
  run.time.method = "exponential", run.time.step = 0.07, run.time.steps = 12000;
  CHECK_OK(ms_curves_request(test_context(), &from, &run, "earlier"));
  CHECK_OK(ms_pulse_simulate(test_context(), s, &from.run[0]));
  CHECK_OK(ms_curves_collect(test_context(), &from));
  ms_again again = { .from = &from, .n_parameter = 2, .parameter = two, .n_set = 2, .p = sets };
  again.undamped = 1;
  CHECK_OK(ms_again_prepare(test_context(), s, &again));
  CHECK_EQUAL(again.curves.n_run, 2);
  CHECK_OK(ms_calibrated_copy(test_context(), s, 2, two, p, 1, &stiffer));
  for (int k = 0; k < 2; k++) {
    CHECK_EQUAL(again.mode[k], 1);
    CHECK(again.curves.run[k].mode == &again.mode[k] && again.curves.run[k].keep_traces);
    CHECK_OK(ms_again_simulate(test_context(), s, &again, k));
  }
  ms_again_collect(&again);
  CHECK_EQUAL(again.curves.n_curve, 2);
  for (int k = 0; k < 2; k++) {
    const ms_curve *c = &again.curves.curve[k];
    CHECK_TEXT(c->source, "earlier");
    CHECK_EQUAL(c->mode, 1);
    if (CHECK(c->decay->n > 0 && c->trace->n > 0)) {
      CHECK_CLOSE(c->decay->point[0].omega, ms_structure_get_stuck(k ? stiffer : s).omega[1], 1e-4);
      CHECK(fabs(c->decay->point[0].zeta) < 1e-4);
    }
  }
  ms_again_free(test_context(), &again);
  CHECK(!again.mode && !again.curves.run);
  ms_curves_free(test_context(), &from);
  ms_structure_destroy(&stiffer);
  ms_structure_destroy(&s);
}

/* Points at an amplitude of the curve, of the next, and outside. */
static void test_differences(void) {
  double q[6] = { 1.0, 10.0, 7.0, 6.0, 1e-3, 1e-2 };
  const ms_points curve = { 2, q, q + 2, q + 4 };
  ms_decay_point at[3] = { { .q = 1.0, .omega = 7.0 * 1.01, .zeta = 1e-3 * 0.8 },
                           { .q = 10.0, .omega = 6.0 * 0.98, .zeta = 1e-2 * 1.1 },
                           { .q = 31.0, .omega = 5.0, .zeta = 0.1 } };
  const ms_decay decay = { 3, at };
  const ms_points_difference d = ms_points_compare(&curve, &decay);
  CHECK_EQUAL(d.n, 2);
  CHECK_NEAR(d.omega, sqrt((0.01 * 0.01 + 0.02 * 0.02) / 2.0), 1e-12);
  CHECK_NEAR(d.omega_most, 0.02, 1e-12);
  CHECK_NEAR(d.zeta, sqrt((0.2 * 0.2 + 0.1 * 0.1) / 2.0), 1e-12);
  CHECK_NEAR(d.zeta_most, 0.2, 1e-12);
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  ms_front_setting setting = MS_FRONT_DEFAULT;
  ms_front front;
  ms_front_map map = { .som = NULL };
  ms_samples samples = { .n = 0 };
  double *band = NULL;
  (void)user;
  setting.points = 20;
  setting.generations = 2;
  ms_status status =
      ms_front_search(ctx, 2, 2, bound, map_objectives, NULL, &setting, NULL, &front);
  if (status == MS_SUCCESS) status = ms_front_map_make(ctx, &front, bound, &map);
  if (status == MS_SUCCESS) status = take_samples(ctx, 8, NULL, &samples);
  if (status == MS_SUCCESS) {
    ms_samples_free(ctx, &samples);
    status = take_samples(ctx, 0, NULL, &samples);
  }
  if (status == MS_SUCCESS) status = ms_samples_find_bands(ctx, &samples, 2, map_sum, NULL, &band);
  ms_free(ctx, &band);
  ms_samples_free(ctx, &samples);
  ms_front_map_free(ctx, &map);
  ms_front_free(ctx, &front);
  return status;
}

static ms_status work_on_targets(ms_context *ctx, void *user) {
  const double p[2] = { 11.3, 1.17 };
  ms_structure *copy = NULL;
  ms_calibration *c = NULL;
  ms_solution solution = { .p = NULL };
  ms_status status = ms_calibrated_copy(ctx, user, 2, two, p, 1, &copy);
  if (status == MS_SUCCESS) status = ms_calibration_create(copy, 2, two, TARGETS, targets, &c);
  if (status == MS_SUCCESS) status = ms_calibration_solve(c, "one", p, &solution);
  ms_solution_free(ctx, &solution);
  ms_calibration_destroy(&c);
  ms_structure_destroy(&copy);
  return status;
}

static void test_failing_memory(void) {
  ms_structure *s = test_three_mass(1.3e-3);
  CHECK(test_allocations(work, NULL) > 20);
  CHECK(test_allocations(work_on_targets, s) > 20);
  ms_structure_destroy(&s);
}

/* Quantities with a weight: 0.2 and 0.3 of a joint test, 0.5 of a loop, which has no second. */
static void test_worst_misfit(void) {
  double square[4] = { 0.04, 0.09, 0.25, 0.81 };
  ms_target_view view[2] = { { .n = 0 }, { .n = 0 } };
  const ms_solution solution = { .f = square, .view = view };
  ms_target target[2] = { { .kind = MS_TARGET_JOINT_TEST, .weight = { 1.0, 2.3 } },
                          { .kind = MS_TARGET_LOOP, .weight = { 1.7, 1.7 } } };
  char text[600];
  ms_worst_misfit x = ms_solution_find_worst(&solution, 2, target, 0.25);
  CHECK_EQUAL(x.target, 1);
  CHECK_EQUAL(x.quantity, 0);
  CHECK_CLOSE(x.misfit, 0.5, 1e-15);
  CHECK_EQUAL(x.above, 2);
  CHECK_EQUAL(x.all, 3);
  target[1].name = "mode 2 of tests.csv";
  CHECK(ms_solution_warning(&solution, 2, target, 0.25, text, sizeof text));
  CHECK_HAS(text, "of mode 2 of tests.csv is off by 0.5 of its");
  CHECK_HAS(text, "misfit_limit 0.25 in 2 of 3 quantities");
  CHECK(!ms_solution_warning(&solution, 2, target, 0.55, text, sizeof text));
  target[1].weight[0] = 0.0;
  x = ms_solution_find_worst(&solution, 2, target, 0.35);
  CHECK_EQUAL(x.target, 0);
  CHECK_EQUAL(x.quantity, 1);
  CHECK_CLOSE(x.misfit, 0.3, 1e-15);
  CHECK_EQUAL(x.above, 0);
  CHECK_EQUAL(x.all, 2);
}

/* The misfit of a frequency is relative to its shift, of one that hardly shifts to a part of it. */
static void test_misfit(void) {
  const double omega[2] = { 317.0, 317.0 * (1.0 + 1e-5) }, far[2] = { 317.0, 417.0 };
  double square[2] = { 1e-8, 0.09 };
  ms_target_view view = { .n = 2, .target = { omega, omega } };
  const ms_solution solution = { .f = square, .view = &view };
  const ms_target target = { .kind = MS_TARGET_CURVE };
  CHECK_CLOSE(ms_solution_misfit(&solution, &target, 0, 0), 1e-4 / 1e-3, 1e-12);
  CHECK_CLOSE(ms_solution_misfit(&solution, &target, 0, 1), 0.3, 1e-12);
  view.target[0] = far;
  CHECK_CLOSE(ms_solution_misfit(&solution, &target, 0, 0), 1e-4 * 4.17, 1e-12);
}

int main(void) {
  TEST(test_kinds_side_by_side);
  TEST(test_objectives);
  TEST(test_front);
  TEST(test_front_goes_on);
  TEST(test_no_front);
  TEST(test_samples);
  TEST(test_samples_go_on);
  TEST(test_chains_settle);
  TEST(test_chains_go_on);
  TEST(test_chains_that_do_not_settle);
  TEST(test_worst_misfit);
  TEST(test_copies);
  TEST(test_guilty);
  TEST(test_runs_again);
  TEST(test_differences);
  TEST(test_failing_memory);
  TEST(test_misfit);
  return test_finish();
}
