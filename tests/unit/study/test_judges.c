/* What analyses say of their own results: at either side of every limit, and of the second of two
   modes, levels or records. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/force_state/force_state.h"
#include "study/analyses/frequency_response/frequency_response.h"
#include "study/analyses/propagate/random_curves.h"
#include "study/analyses/stepped_sine/stepped_sine.h"
#include "support/check.h"
#include "support/judged.h"
#include "support/structures.h"

extern const ms_analysis ms_analysis_backbone, ms_analysis_force_state, ms_analysis_shock;
extern const ms_analysis ms_analysis_frequency_response, ms_analysis_stepped_sine;
extern const ms_analysis ms_analysis_propagate;

/* ---- backbone ---- */

static void test_backbone(void) {
  static const ms_backbone_method epmc = { .name = "epmc", .total = 1 };
  ms_backbone_point point[2][3] = {
    { { .q = 0.1, .zeta = 0.3 }, { .q = 0.2, .zeta = 0.999 } },
    { { .q = 0.1, .zeta = 0.3 }, { .q = 0.2, .zeta = 1.001 }, { .q = 0.37, .zeta = 1.7 } }
  };
  ms_backbone_curve curve[2] = {
    { .mode = 0, .method = &epmc, .point = point[0], .n = 2, .alias = 0.0099 },
    { .mode = 2, .method = &epmc, .point = point[0], .n = 2 },
  };
  ms_backbone b = { .curve = curve, .n_curve = 2 };
  ms_structure *s = test_three_mass(0.0213);
  test_judge_with(s);
  test_judge(&ms_analysis_backbone, &b);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  curve[1].point = point[1], curve[1].n = 3;
  test_judge(&ms_analysis_backbone, &b);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "mode 3 by epmc: the damping ratio is above 1 from q = 0.2 on (1 there)");
  curve[1].n = 1, curve[1].alias = 0.0101;
  test_judge(&ms_analysis_backbone, &b);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "mode 3 by epmc: joints that conserve energy");
  curve[1].alias = 0.0;
  snprintf(curve[1].remark, sizeof curve[1].remark, "it went nowhere");
  test_judge(&ms_analysis_backbone, &b);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "mode 3 by epmc: it went nowhere");
  curve[1].partial = 1;
  test_judge(&ms_analysis_backbone, &b);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "mode 3 by epmc: it went nowhere");
  curve[1].absent = 1;
  test_judge(&ms_analysis_backbone, &b);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "mode 3 by epmc: it went nowhere");
  test_judge_with(NULL);
  ms_structure_destroy(&s);
}

/* Two masses that do not know of each other, the second at `times` the frequency of the first. */
static ms_structure *make_tuned(double times) {
  static const char *const names[] = { "u1", "u2" };
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), 2, names, &s));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.37));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, i ? 731.0 * times * times : 731.0));
  }
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* The third harmonic is told of where it meets a mode and the method leaves it out. */
static void test_tuned(void) {
  static const struct {
    const char *method;
    double times;
    int told;
  } cases[] = { { "qsma", 3.0 * 1.0049, 1 }, { "qsma", 3.0 * 0.9951, 1 }, { "rqnm", 3.0, 1 },
                { "qsma", 3.0 * 1.0051, 0 }, { "qsma", 3.0 * 0.9949, 0 }, { "epmc", 3.0, 0 },
                { "qsma", 2.0, 0 },          { "qsma", 5.0, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_backbone_point point = { .q = 0.1, .zeta = 0.013 };
    ms_backbone_curve curve;
    CHECK_OK(ms_backbone_request(test_context(), cases[i].method, 0, 0, NULL, &curve));
    curve.point = &point, curve.n = 1;
    ms_backbone b = { .curve = &curve, .n_curve = 1 };
    ms_structure *s = make_tuned(cases[i].times);
    char words[80];
    snprintf(words, sizeof words, "mode 1 by %s: mode 2 lies at %.4f times its frequency",
             cases[i].method, cases[i].times);
    test_judge_with(s);
    test_judge(&ms_analysis_backbone, &b);
    test_expect(cases[i].told, 0, MS_OUTCOME_COMPLETE, words);
    curve.mode = 1; /* nothing above it */
    test_judge(&ms_analysis_backbone, &b);
    test_expect(0, 0, MS_OUTCOME_NONE, "");
    test_judge_with(NULL);
    ms_structure_destroy(&s);
  }
}

/* ---- stepped_sine ---- */

static void test_stepped_sine(void) {
  const double level[3] = { 0.7, 1.3, 2.9 };
  ms_harmonic_point point[2][3] = { { { .level = 0.0 } } };
  for (int m = 0; m < 2; m++) {
    for (int i = 0; i < 3; i++) point[m][i].level = level[i], point[m][i].zeta = 0.3 * (i + 1);
  }
  const ms_stepped_plan plan = { .level = level, .n_level = 3 };
  ms_stepped_run run[2] = {
    { .plan = &plan, .mode = 0, .curve = { .n = 3, .point = point[0], .complete = 1 } },
    { .plan = &plan, .mode = 2, .curve = { .n = 3, .point = point[1], .complete = 1 } },
  };
  ms_stepped_options options = { .harmonic = { .load = { .place = "mode" } } };
  ms_stepped_product p = { .plan = plan, .n = 2, .run = run };
  test_judge_options(&options);
  test_judge(&ms_analysis_stepped_sine, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  point[1][1].zeta = 1.003;
  test_judge(&ms_analysis_stepped_sine, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "mode 3 has damping ratios above 1 from level 1.3 N/sqrt(kg) on");
  run[1].curve.n = 1, run[1].missing = 2, run[1].curve.complete = 0;
  snprintf(run[1].curve.remark, sizeof run[1].curve.remark, "it was lost");
  test_judge(&ms_analysis_stepped_sine, &p);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "mode 3 has no solution at 2 of 3 levels: it was lost");
  run[1].curve.ended = 1;
  test_judge(&ms_analysis_stepped_sine, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "mode 3 has no solution at 2 of 3 levels: it was lost");
  run[1].curve.n = 0, run[1].missing = 3;
  test_judge(&ms_analysis_stepped_sine, &p);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "mode 3 has no solution at 3 of 3 levels");
}

/* ---- frequency_response ---- */

static ms_frequency_plan forced;

static ms_frequency_run whole(double level, ms_harmonic_point *point) {
  return (ms_frequency_run) {
    .plan = &forced,
    .level = level,
    .curve = { .n = 3, .point = point, .complete = 1, .remark = "ended somewhere" },
    .peak = 1,
    .folds = 4,
    .settled = 1
  };
}

static void test_frequency_response(void) {
  double value[2] = { 0.31, 0.83 };
  ms_harmonic_point point[3] = { { .omega = 3.7 }, { .omega = 4.7 }, { .omega = 5.7 } };
  ms_frequency_run level[2] = { whole(value[0], point), whole(value[1], point) };
  ms_frequency_run *c = &level[1];
  ms_forced_options options = { .harmonic = { .load = { .place = "at" } } };
  ms_forced_product p = { .run = level, .n = 2 };
  test_judge_options(&options);
  forced = ms_frequency_default();
  forced.refine = 1e-4;
  const ms_analysis *kind = &ms_analysis_frequency_response;
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  c->curve.complete = 0;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "the curve of level 0.83 N ended somewhere");
  c->curve.ended = 1;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "the curve of level 0.83 N ended somewhere");
  level[1] = whole(value[1], point);
  c->curve.missed = 2;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "level 0.83 N: the curve passed 2 of the points");
  level[1] = whole(value[1], point);
  c->shallow = 2;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "level 0.83 N: 2 of the 4 folds are shallow");
  CHECK_HAS(test_remark(0), "less than 0.001 of it");
  level[1] = whole(value[1], point);
  c->peak = 2, c->peak_at_end = 1;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE,
              "level 0.83 N: the response is largest at an end of the curve");
  CHECK_HAS(test_remark(0), "omega = 5.7 rad/s");
  level[1] = whole(value[1], point);
  c->settled = 0;
  c->n_refined = 1;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "level 0.83 N: with more harmonics there is no solution");
  c->n_refined = 2;
  level[1].refined[1] = (ms_harmonic_row) { .harmonics = 21, .change = 0.0037 };
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "level 0.83 N: with 21 harmonics the peak still moves by 0.0037");
  forced.refine = 0.0; /* nobody asked */
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  c->curve.n = 0;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "level 0.83 N has no point: ended somewhere");
}

/* ---- force_state ---- */

static void test_force_state(void) {
  const ms_force_state good = { .harmonics = 5,
                                .n_used = 5,
                                .stiffness = { .value = 71.3 },
                                .loss = { .value = -2.0, .deviation = 0.67 }, /* or noise */
                                .stored = { .value = 0.0997, .deviation = 0.031 },
                                .stiffened = { .value = 3.5, .deviation = 1.1 } };
  ms_force_state_run run[2] = { { .name = "first", .found = good },
                                { .name = "second", .found = good } };
  ms_force_state_product p = { .run = run, .n = 2 };
  ms_force_state *m = &run[1].found;
  const ms_analysis *kind = &ms_analysis_force_state;
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  m->stored.value = -0.1003;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "second is not steady: its energy changes by -0.1 J per cycle");
  m->stored.deviation = 0.034; /* it may be noise, within 3 deviations */
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  *m = good;
  m->stiffened.value = 3.6;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "second is not steady");
  CHECK_HAS(test_remark(0), "0.0498 of the energy dissipated");
  CHECK_HAS(test_remark(0), "makes 0.0505 of the stiffness");
  *m = good;
  m->stored.deviation = 0.0997;
  test_judge(kind, &p);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  m->stored.deviation = 0.1003;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "the record does not show whether second is steady");
  *m = good;
  m->loss.deviation = 0.66; /* no noise, beyond 3 deviations */
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "second: the joint seems to add 2 J per cycle");
  *m = good;
  m->n_used = 3;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "in 1 of 2 records up to 2 of 5 harmonics are left out");
  *m = good;
  p.has_normal = 1;
  run[0].found.N_min.value = 95.0, run[0].found.N_max.value = 105.0;
  m->N_min.value = 60.0, m->N_max.value = 140.0;
  test_judge(kind, &p);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "the normal load varies by up to 40 % about its mean");
}

/* ---- propagate ---- */

static void test_propagate(void) {
  int answered[5] = { 1, 1, 1, 1, 1 };
  ms_random_task c = { .curves = { .count = 5, .answered = answered } };
  test_judge(&ms_analysis_propagate, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  answered[1] = answered[4] = 0;
  test_judge(&ms_analysis_propagate, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "2 of 5 structures have no answer");
}

/* ---- runs that ring down ---- */

/* Two runs, the first with two modes. */
static void test_curves(void) {
  static const int mode[3] = { 0, 2, 1 };
  const double pi = acos(-1.0), step = 0.0031;
  ms_decay_point point[3][2];
  ms_decay decay[3];
  char remark[3][160] = { "", "", "" };
  memset(point, 0, sizeof point);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) point[i][k].omega = 2.0 * pi / (20.03 * step);
    decay[i] = (ms_decay) { .n = 2, .point = point[i] };
  }
  const ms_transient_quality fine = { .mode = 0, .steps = 31.0, .steps_least = 20.0 };
  ms_pulse_run run[2] = {
    { .n_mode = 2, .mode = mode, .decay = decay, .remark = remark },
    { .n_mode = 1, .mode = mode + 2, .decay = decay + 2, .remark = remark + 2 }
  };
  for (int i = 0; i < 2; i++) {
    run[i].time = (ms_time_setting) { .step = step, .method = "newmark" };
    run[i].quality = fine;
    run[i].omega = pi / (10.03 * step); /* half a sine of 10 steps */
  }
  ms_curve curve[3] = { { .mode = 0, .source = "first" },
                        { .mode = 2, .source = "first" },
                        { .mode = 1, .source = "second" } };
  ms_curves c = { .run = run, .n_run = 2, .curve = curve, .n_curve = 3 };
  const ms_analysis *kind = &ms_analysis_shock;
  test_judge(kind, &c);
  test_expect(0, 0, MS_OUTCOME_NONE, "");
  point[1][1].omega = 2.0 * pi / (19.7 * step);
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "first: the time step is too coarse: mode 3, which is read, has "
              "19.7 steps");
  point[2][0].omega = 2.0 * pi / (17.3 * step);
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT,
              "second: the time step is too coarse: mode 2, which is read, has "
              "17.3 steps");
  point[1][1].omega = point[2][0].omega = point[0][0].omega;
  run[1].omega = pi / (9.97 * step);
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "too coarse for the pulse, which has 9.97 steps");
  run[1].omega = run[0].omega;
  run[1].quality.balance = 0.013;
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_SUSPECT, "second: the energy balance is off by 1.3 %");
  run[1].quality = fine;
  decay[1].n = 0; /* one mode of several is a note, the only one a part that is missing */
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_COMPLETE, "first: mode 3 could not be read: there are no rows");
  decay[1].n = 2, decay[2].n = 0;
  snprintf(remark[2], sizeof remark[2], "too little of it");
  test_judge(kind, &c);
  test_expect(1, 0, MS_OUTCOME_PARTIAL, "second: mode 2 could not be read: too little of it");
}

int main(void) {
  TEST(test_backbone);
  TEST(test_tuned);
  TEST(test_stepped_sine);
  TEST(test_frequency_response);
  TEST(test_force_state);
  TEST(test_propagate);
  TEST(test_curves);
  test_judged_end();
  return test_finish();
}
