/* Ring-downs of two linear modes, their curves, and the backbone that they and sweeps make. */
#include <math.h>
#include <microslip/backbone.h>
#include <string.h>

#include "support/check.h"

static const int modes[] = { 0, 1 };

static ms_structure *make_structure(void) {
  const double zeta[] = { 3.7e-3, 6.3e-3 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_mass(s, 1, 1.14));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 9310.0));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 2270.0));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* A run of both modes, then one of the second with twice and a half the load. */
static ms_curves make_runs(ms_structure *s) {
  static const double shape[] = { 1.0, 0.4 };
  ms_curves c = { .n_run = 0 };
  ms_pulse_run run = ms_pulse_default();
  run.shape = shape, run.omega = ms_structure_get_stuck(s).omega[1];
  run.time.method = "exponential", run.time.step = 1.3e-3, run.time.steps = 6000;
  run.p = 87.0, run.mode = modes, run.n_mode = 2;
  CHECK_OK(ms_curves_request(test_context(), &c, &run, "p=%g", run.p));
  run.p *= 2.5, run.mode = modes + 1, run.n_mode = 1;
  CHECK_OK(ms_curves_request(test_context(), &c, &run, "p=%g", run.p));
  for (ptrdiff_t i = 0; i < c.n_run; i++) {
    CHECK_OK(ms_pulse_simulate(test_context(), s, &c.run[i]));
  }
  CHECK_OK(ms_curves_collect(test_context(), &c));
  return c;
}

static void test_curves(void) {
  ms_structure *s = make_structure();
  ms_curves c = make_runs(s);
  ms_points points;
  CHECK_EQUAL(c.n_run, 2);
  CHECK_EQUAL(c.n_curve, 3);
  CHECK_TEXT(c.curve[1].source, "p=87");
  CHECK_TEXT(c.curve[2].source, "p=217.5");
  CHECK_EQUAL(c.curve[1].mode, 1);
  CHECK(c.curve[1].decay == &c.run[0].decay[1] && c.curve[2].trace == c.run[1].trace);
  CHECK(c.curve[0].trace == c.run[0].trace && c.curve[1].trace == c.run[0].trace + 1);
  CHECK(ms_curves_get_first(&c, 0) == c.curve && ms_curves_get_first(&c, 1) == c.curve + 2);
  CHECK_OK(ms_curves_gather(test_context(), &c, 1, &points));
  CHECK(points.n > 0 && points.n <= c.run[0].decay[1].n + c.run[1].decay[0].n);
  for (ptrdiff_t i = 1; i < points.n; i++) CHECK(points.q[i] > points.q[i - 1]);
  CHECK(points.q[points.n - 1] >= c.run[1].decay[0].point[0].q);
  ms_free(test_context(), &points.q);
  /* what is linear begins two and a half times as large */
  CHECK(ms_curves_find_extreme(&c, 1, 1.0) == c.curve + 2);
  CHECK(ms_curves_find_extreme(&c, 1, -1.0) == c.curve + 1);
  CHECK_CLOSE(c.curve[2].decay->point[0].q / c.curve[1].decay->point[0].q, 2.5, 1e-2);
  CHECK(ms_curves_find_extreme(&c, 2, 1.0) == NULL);
  /* of two that are equal the first; not one that could not be read */
  const double q = c.curve[2].decay->point[0].q;
  const ptrdiff_t n = c.run[1].decay[0].n;
  c.run[1].decay[0].point[0].q = c.curve[1].decay->point[0].q;
  CHECK(ms_curves_find_extreme(&c, 1, 1.0) == c.curve + 1);
  c.run[1].decay[0].point[0].q = q;
  c.run[1].decay[0].n = 0;
  CHECK(ms_curves_find_extreme(&c, 1, 1.0) == c.curve + 1);
  c.run[1].decay[0].n = n;
  ms_curves_free(test_context(), &c);
  CHECK(!c.run && !c.curve && c.n_run == 0 && c.n_curve == 0);
  ms_structure_destroy(&s);
}

static void test_worth(void) {
  ms_structure *s = make_structure();
  ms_curves c = make_runs(s);
  double steps = 0.0, required = 0.0;
  char text[64];
  c.run[0].quality.steps_least = c.run[1].quality.steps_least = 7.0;
  CHECK(ms_curves_find_coarse(&c, &steps, &required) == NULL);
  /* the second mode has fewer steps in a period than the first */
  c.run[0].quality.steps_least = 1e4;
  CHECK(ms_curves_find_coarse(&c, &steps, &required) == c.curve + 1);
  CHECK_CLOSE(steps, 2.0 * acos(-1.0) / (ms_structure_get_stuck(s).omega[1] * 1.3e-3), 1e-3);
  CHECK_NEAR(required, 1e4, 0.0);
  /* the fewest steps, though another run with more of them, of the same modes, comes after it */
  c.run[1].quality.steps_least = 1e5;
  c.run[1].time.step /= 3.0;
  CHECK(ms_curves_find_coarse(&c, &steps, &required) == c.curve + 1);
  CHECK_NEAR(required, 1e4, 0.0);
  c.run[1].time.step *= 6.0;
  CHECK(ms_curves_find_coarse(&c, &steps, &required) == c.curve + 2);
  CHECK_NEAR(required, 1e5, 0.0);
  c.run[0].quality.balance = 0.013, c.run[1].quality.balance = 0.0017;
  CHECK_NEAR(ms_curves_get_balance(&c), 0.013, 0.0);
  ms_pulse_print_remarks(&c.run[0], text, sizeof text);
  CHECK_TEXT(text, "");
  strcpy(c.run[0].remark[0], "too little of it");
  strcpy(c.run[0].remark[1], "noise");
  ms_pulse_print_remarks(&c.run[0], text, sizeof text);
  CHECK_TEXT(text, "mode 1: too little of it; mode 2: noise");
  memset(text, '#', sizeof text);
  ms_pulse_print_remarks(&c.run[0], text, 12);
  CHECK_TEXT(text, "mode 1: too");
  for (size_t i = 12; i < sizeof text; i++) CHECK(text[i] == '#');
  ms_curves_free(test_context(), &c);
  ms_structure_destroy(&s);
}

static void test_backbone_of_ringdowns(void) {
  ms_structure *s = make_structure();
  ms_curves c = make_runs(s);
  ms_backbone_curve b;
  CHECK_OK(ms_backbone_request(test_context(), "ringdown_hilbert", 1, 0, NULL, &b));
  CHECK_OK(ms_backbone_add_ringdowns(test_context(), s, NULL, &c, "tests", &b));
  CHECK_EQUAL(b.n, c.run[0].decay[1].n + c.run[1].decay[0].n);
  CHECK(ms_backbone_find(1, &b, 1, NULL) == &b);
  CHECK(ms_backbone_find(1, &b, 1, "ringdown_hilbert") == &b);
  CHECK(!ms_backbone_find(1, &b, 1, "qsma") && !ms_backbone_find(1, &b, 0, NULL));
  CHECK(!b.partial && !b.absent && !b.remark[0]);
  for (ptrdiff_t i = 1; i < b.n; i++) CHECK(b.point[i].q >= b.point[i - 1].q);
  ms_backbone_free(test_context(), &b);
  const ptrdiff_t n = c.run[0].decay[1].n;
  c.run[0].decay[1].n = 0;
  CHECK_OK(ms_backbone_add_ringdowns(test_context(), s, NULL, &c, "tests", &b));
  CHECK_EQUAL(b.n, c.run[1].decay[0].n);
  CHECK(b.partial && !b.absent);
  CHECK_TEXT(b.remark, "1 of 2 runs of tests could not be read");
  c.run[0].decay[1].n = n;
  ms_backbone_free(test_context(), &b);
  c.n_curve = 1; /* of the first mode alone */
  CHECK_OK(ms_backbone_add_ringdowns(test_context(), s, NULL, &c, "tests", &b));
  CHECK(b.partial && b.absent && b.n == 0);
  CHECK_TEXT(b.remark, "tests has no run of this mode");
  ms_curves_free(test_context(), &c);
  ms_structure_destroy(&s);
}

/* The second sweep has no resonance, the third is too fast. */
static void test_backbone_of_sweeps(void) {
  const ms_sweep_plan plan = { .unit = 0.7 };
  ms_sweep_run run[3] = { { .plan = &plan }, { .plan = &plan }, { .plan = &plan } };
  ms_structure *s = make_structure();
  ms_backbone_curve b;
  ptrdiff_t fast = 0;
  run[0].sweep = (ms_sweep) { .n = 11, .omega_phase = 57.3, .zeta_peak = 4.1e-3, .severity = 0.3 };
  run[0].sweep.point.q = 0.0231;
  run[2].sweep = run[0].sweep;
  run[2].sweep.point.q = 0.0117;
  run[2].sweep.severity = 1.01 * MS_SWEEP_LIMIT;
  CHECK_OK(ms_backbone_request(test_context(), "sweep", 0, 0, NULL, &b));
  CHECK_OK(ms_backbone_add_sweeps(test_context(), s, NULL, 0, NULL, &fast, &b));
  CHECK(b.absent && b.partial);
  CHECK_TEXT(b.remark, "no sweep has a resonance of this mode");
  CHECK_OK(ms_backbone_add_sweeps(test_context(), s, NULL, 2, run, &fast, &b));
  CHECK(b.n == 1 && !b.absent && !b.partial && !b.remark[0]);
  CHECK_OK(ms_backbone_add_sweeps(test_context(), s, NULL, 1, run + 2, &fast, &b));
  CHECK_EQUAL(b.n, 2);
  CHECK_TEXT(b.remark, "1 of 2 sweeps were too fast for this damping");
  CHECK_CLOSE(b.point[0].q, 0.0117 / 0.7, 1e-14);
  CHECK_CLOSE(b.point[1].q, 0.0231 / 0.7, 1e-14);
  CHECK_NEAR(b.point[1].omega, 57.3, 0.0);
  CHECK_NEAR(b.point[1].zeta, 4.1e-3, 0.0);
  CHECK_TEXT(ms_backbone_loss_name(b.point[1].loss), "force");
  ms_backbone_free(test_context(), &b);
  ms_structure_destroy(&s);
}

static void test_median(void) {
  CHECK_NEAR(ms_median(5, (double[]) { 3.1, -0.2, 7.3, 0.9, 5.5 }), 3.1, 0.0);
  CHECK_NEAR(ms_median(4, (double[]) { 3.0, -0.2, 7.3, 0.5 }), 1.75, 0.0);
}

int main(void) {
  TEST(test_median);
  TEST(test_curves);
  TEST(test_worth);
  TEST(test_backbone_of_ringdowns);
  TEST(test_backbone_of_sweeps);
  return test_finish();
}
