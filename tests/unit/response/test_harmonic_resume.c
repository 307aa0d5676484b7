/* Runs of harmonic balance that are interrupted between two steps and go on elsewhere, in another
   harmonic over another structure, end with the curve of a run that was not, bit for bit. */
#include <stdlib.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "support/check.h"
#include "support/joints.h"

/* curved: joint b has a displacement that is quadratic. */
static ms_status build(ms_context *ctx, int curved, ms_structure **out) {
  static const double G[] = { 1.7, 0.4, -0.3, 0.4, -2.2, 0.9, -0.3, 0.9, 0.8 };
  static const struct {
    const char *name;
    ptrdiff_t from, to;
    const char *law, *param[4];
    double value[4];
  } joint[] = {
    { "a", 0, 1, "jenkins", { "F_S", "K_T" }, { 2.9, 31.0 } },
    { "b", 2, MS_GROUND, "iwan4", { "F_S", "K_T", "chi", "beta" }, { 1.7, 23.0, -0.4, 1.9 } },
    { "stop", 1, 2, "gap", { "K", "g_plus", "g_minus" }, { 210.0, 0.11, 0.17 } },
    { "hard", 0, 2, "cubic", { "K", "K3" }, { 12.0, 410.0 } },
  };
  const double m[] = { 1.3, 0.8, 1.1 }, k[] = { 90.0, 71.0, 64.0 };
  const double zeta[] = { 0.011, 0.007, 0.013 };
  MS_TRY(ms_structure_create(ctx, 3, NULL, out));
  for (ptrdiff_t i = 0; i < 3; i++) {
    MS_TRY(ms_structure_add_mass(*out, i, m[i]));
    MS_TRY(ms_structure_add_spring(*out, i - 1, i, k[i]));
  }
  for (int i = 0; i < 4; i++) {
    ms_joint *j;
    MS_TRY(ms_joint_create(ctx, joint[i].law, &j));
    ms_status status = MS_SUCCESS;
    for (int p = 0; p < 4 && joint[i].param[p] && status == MS_SUCCESS; p++) {
      status = ms_joint_set(j, joint[i].param[p], joint[i].value[p]);
    }
    if (status == MS_SUCCESS) status = ms_joint_setup(j);
    if (status == MS_SUCCESS) {
      status = ms_structure_take_joint(*out, joint[i].name, &j, &joint[i].from, &joint[i].to);
    }
    ms_joint_destroy(&j);
    MS_TRY(status);
  }
  if (curved) MS_TRY(ms_structure_set_curvature(*out, 1, 0, G, 2));
  MS_TRY(ms_structure_set_modal_damping(*out, zeta));
  return ms_structure_setup(*out);
}

/* ---- runs of every kind ---- */

typedef ms_status run_fn(ms_harmonic *h, const ms_harmonic_range *range, ms_harmonic_curve **out);

/* Through two resonances: the mode that leads changes on the way. */
static ms_status run_forced(ms_harmonic *h, const ms_harmonic_range *range,
                            ms_harmonic_curve **out) {
  return ms_harmonic_run_forced(h, range, 3.1, out);
}
/* Its first point lies on a branch that Newton's method does not find at once. */
static ms_status run_forced_far(ms_harmonic *h, const ms_harmonic_range *range,
                                ms_harmonic_curve **out) {
  return ms_harmonic_run_forced(h, range, 9.0, out);
}
static ms_status run_mode(ms_harmonic *h, const ms_harmonic_range *range, ms_harmonic_curve **out) {
  return ms_harmonic_run_mode(h, 0, range, out);
}
static ms_status run_level(ms_harmonic *h, const ms_harmonic_range *range,
                           ms_harmonic_curve **out) {
  return ms_harmonic_run_resonance(h, 0, NULL, MS_HARMONIC_LEVEL, range, out);
}
static ms_status run_response(ms_harmonic *h, const ms_harmonic_range *range,
                              ms_harmonic_curve **out) {
  const double weights[] = { 0.0, 0.3, 1.0 };
  return ms_harmonic_run_resonance(h, 0, weights, MS_HARMONIC_RESPONSE, range, out);
}

static const double omegas[] = { 6.1, 9.37 }, amplitudes[] = { 0.031, 0.11 }, levels[] = { 0.7 };

static const struct kind {
  const char *name;
  run_fn *run;
  ms_harmonic_range range;
  int curved;
} kinds[] = {
  { "forced", run_forced, { .from = 3.0, .to = 19.0, .list = omegas, .n_list = 2 }, 0 },
  { "forced, first point far", run_forced_far, { .from = 4.6, .to = 5.3 }, 0 },
  { "mode", run_mode, { .from = 0.01, .to = 0.7, .list = amplitudes, .n_list = 2 }, 0 },
  { "level", run_level, { .from = 0.03, .to = 1.3, .list = levels, .n_list = 1 }, 0 },
  { "response", run_response, { .from = 0.01, .to = 0.4, .list = amplitudes, .n_list = 2 }, 0 },
  { "forced, curved", run_forced, { .from = 3.0, .to = 9.0, .list = omegas, .n_list = 1 }, 1 },
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

/* Keeps the run after its `at`-th step and stops it there; counts them. */
typedef struct keeper {
  int at, steps, stops;
  double *state;
  ptrdiff_t n;
} keeper;

static ms_status look(void *user, const ms_harmonic *h, int stop) {
  keeper *k = user;
  k->stops += stop;
  if (++k->steps != k->at) return MS_SUCCESS;
  k->n = ms_harmonic_save_run_size(h);
  k->state = malloc((size_t)k->n * sizeof *k->state);
  if (k->state) ms_harmonic_save_run(h, k->state);
  return MS_CANCELLED;
}

static ms_status run_in(ms_context *ctx, const struct kind *kind, keeper *k, const double *resume,
                        ptrdiff_t n, ms_harmonic_curve **out) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic_range range = kind->range;
  ms_structure *s = NULL;
  ms_harmonic *h = NULL;
  setting.harmonics = 3;
  setting.times = 64;
  range.resume = resume;
  range.n_resume = n;
  *out = NULL;
  ms_status status = build(ctx, kind->curved, &s);
  if (status == MS_SUCCESS) status = ms_harmonic_create(s, &setting, &h);
  if (status == MS_SUCCESS) {
    status = ms_harmonic_add_load(h, (const double[]) { 1.0, 0.0, 0.3 }, 1, 1.0, 0.0);
  }
  if (status == MS_SUCCESS && k) ms_harmonic_set_look(h, look, k);
  if (status == MS_SUCCESS) status = kind->run(h, &range, out);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
  return status;
}

static ms_status run(const struct kind *kind, keeper *k, const double *resume, ptrdiff_t n,
                     ms_harmonic_curve **out) {
  return run_in(test_context(), kind, k, resume, n, out);
}

/* Everything that a curve tells. */
static int differs(const ms_harmonic_curve *a, const ms_harmonic_curve *b) {
  enum { NUMBERS = 4 * (2 * 3 + 1) };
  ms_harmonic_curve_info x = ms_harmonic_curve_get_info(a), y = ms_harmonic_curve_get_info(b);
  int different = strcmp(x.reason, y.reason) != 0 || x.complete != y.complete ||
                  x.missed != y.missed || x.evaluations != y.evaluations || x.steps != y.steps ||
                  x.rejected != y.rejected || x.worst != y.worst || x.points != y.points;
  for (ptrdiff_t i = 0; !different && i < x.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(a, i);
    const ms_harmonic_point *q = ms_harmonic_curve_get_point(b, i);
    different =
        p->omega != q->omega || p->level != q->level || p->mode != q->mode || p->q != q->q ||
        p->phase != q->phase || p->zeta != q->zeta || p->zeta_joint != q->zeta_joint ||
        p->zeta_viscous != q->zeta_viscous || p->D != q->D || p->response != q->response ||
        p->higher != q->higher || p->residual != q->residual || p->repeat != q->repeat ||
        p->iterations != q->iterations || p->listed != q->listed || p->stability != q->stability ||
        p->multiplier != q->multiplier || p->left_out != q->left_out;
    for (int j = 0; j < 4; j++) {
      different |= ms_harmonic_curve_get_loss(a, i, j) != ms_harmonic_curve_get_loss(b, i, j);
    }
    for (int c = 0; c < NUMBERS; c++) {
      different |= ms_harmonic_curve_get_joints(a, i)[c] != ms_harmonic_curve_get_joints(b, i)[c] ||
                   ms_harmonic_curve_get_forces(a, i)[c] != ms_harmonic_curve_get_forces(b, i)[c];
    }
  }
  return different;
}

/* ---- tests ---- */

/* Stopped after the first step, the second, ... and gone on each time. */
static void test_goes_on(void) {
  for (int i = 0; i < N_KIND; i++) {
    ms_harmonic_curve *whole, *part, *rest;
    keeper count = { .at = -1 };
    int wrong = 0;
    if (!CHECK_OK(run(&kinds[i], &count, NULL, 0, &whole))) continue;
    CHECK(ms_harmonic_curve_get_info(whole).complete);
    CHECK(count.steps > 8 && count.stops == 0);
    for (int at = 1; at <= count.steps; at += 1 + count.steps / 5) {
      keeper k = { .at = at };
      CHECK_STATUS(run(&kinds[i], &k, NULL, 0, &part), MS_CANCELLED);
      CHECK(part && ms_harmonic_curve_get_info(part).steps == at);
      keeper none = { .at = -1 };
      CHECK_OK(run(&kinds[i], &none, k.state, k.n, &rest));
      CHECK_EQUAL(none.steps, count.steps - at);
      wrong += rest && differs(whole, rest);
      ms_harmonic_curve_destroy(&part);
      ms_harmonic_curve_destroy(&rest);
      free(k.state);
    }
    if (!CHECK_EQUAL(wrong, 0)) CHECK_TEXT(kinds[i].name, "the kind of run that differs");
    ms_harmonic_curve_destroy(&whole);
  }
}

/* From stop to stop, each time one step further than the last. */
static void test_goes_on_again_and_again(void) {
  ms_harmonic_curve *whole, *part;
  double *state = NULL;
  ptrdiff_t n = 0;
  CHECK_OK(run(&kinds[0], NULL, NULL, 0, &whole));
  for (ms_status status = MS_CANCELLED; status == MS_CANCELLED;) {
    keeper k = { .at = 3 };
    status = run(&kinds[0], &k, state, n, &part);
    free(state);
    state = k.state;
    n = k.n;
    if (status == MS_CANCELLED) ms_harmonic_curve_destroy(&part);
  }
  CHECK(part && !differs(whole, part));
  free(state);
  ms_harmonic_curve_destroy(&part);
  ms_harmonic_curve_destroy(&whole);
}

static int stop_at_tenth(void *user, const char *what, double fraction) {
  (void)what, (void)fraction;
  return ++*(int *)user >= 10;
}

/* Whoever looks is told that the run is cancelled, and saves it then. */
static void test_cancelled(void) {
  ms_harmonic_curve *part;
  keeper k = { .at = -1 };
  int calls = 0;
  ms_context_set_progress(test_context(), stop_at_tenth, &calls);
  CHECK_STATUS(run(&kinds[0], &k, NULL, 0, &part), MS_CANCELLED);
  ms_context_set_progress(test_context(), NULL, NULL);
  CHECK_EQUAL(k.stops, 1);
  CHECK_EQUAL(k.steps, 10);
  CHECK(part && !ms_harmonic_curve_get_info(part).complete);
  CHECK_HAS(part ? ms_harmonic_curve_get_info(part).reason : "", "cancelled");
  ms_harmonic_curve_destroy(&part);
}

/* No run goes on from another one's state, nor from half of its own. */
static void test_refuses(void) {
  ms_harmonic_curve *part = NULL;
  for (int i = 0; i < N_KIND; i++) {
    keeper k = { .at = 5 };
    CHECK_STATUS(run(&kinds[i], &k, NULL, 0, &part), MS_CANCELLED);
    ms_harmonic_curve_destroy(&part);
    for (int j = 0; j < N_KIND; j++) {
      if (i == j) continue;
      CHECK_STATUS(run(&kinds[j], NULL, k.state, k.n, &part), MS_ERR_FORMAT);
      CHECK(part == NULL);
    }
    CHECK_STATUS(run(&kinds[i], NULL, k.state, k.n - 1, &part), MS_ERR_FORMAT);
    CHECK_STATUS(run(&kinds[i], NULL, k.state, 7, &part), MS_ERR_FORMAT);
    k.state[k.n - 2] = 1.0 / 0.0; /* of the path */
    CHECK_STATUS(run(&kinds[i], NULL, k.state, k.n, &part), MS_ERR_FORMAT);
    free(k.state);
  }
}

static ms_status go_on(ms_context *ctx, void *user) {
  const keeper *k = user;
  ms_harmonic_curve *curve;
  ms_status status = run_in(ctx, &kinds[1], NULL, k->state, k->n, &curve);
  ms_harmonic_curve_destroy(&curve);
  return status;
}

static void test_memory_runs_out(void) {
  ms_harmonic_curve *part;
  keeper k = { .at = 3 };
  CHECK_STATUS(run(&kinds[1], &k, NULL, 0, &part), MS_CANCELLED);
  ms_harmonic_curve_destroy(&part);
  CHECK(test_allocations(go_on, &k) > 40);
  free(k.state);
}

int main(void) {
  TEST(test_goes_on);
  TEST(test_goes_on_again_and_again);
  TEST(test_cancelled);
  TEST(test_refuses);
  TEST(test_memory_runs_out);
  return test_finish();
}
