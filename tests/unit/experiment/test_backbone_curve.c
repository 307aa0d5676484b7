/* Curves of a backbone as numbers, what they are cut for, how they compare, what is said of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/backbone.h"
#include "experiment/pack.h"
#include "support/check.h"
#include "support/structures.h"

enum { N = 3 };

static ms_backbone_point points[N] = {
  { 0.137, 1.2152, 2.31e-4, 1.3e-4, 1.01e-4, { 1.1e-2, 1.3e-2, 1.6e-2 }, 3e-14, 0.0, 0 },
  { 2.385, 1.2141, 4.71e-4, 3.7e-4, 1.01e-4, { 0.21, 0.26, 0.31 }, 2e-14, 1e-11, 1 },
  { 17.9, 1.2103, 9.1e-4, 8.1e-4, 1.0e-4, { 1.7, 2.1, 2.5 }, 7e-11, 0.0, 2 },
};

static ms_backbone_derivative derivatives[2] = {
  { 1, 0, 0, 0, 1, "F_S", "N", 10.3, 1.7e-4, -2.3e-5, -2.4e-5 },
  { 2, 1, 2, 1, 0, "phi_1", "m", 0.013, 0.0, 0.0, 0.0 },
};

static ms_backbone_curve make_curve(void) {
  return (ms_backbone_curve) { .mode = 1,
                               .point = points,
                               .n = N,
                               .partial = 1,
                               .remark = "a fold",
                               .worst = 7e-11,
                               .tolerance = 3e-9,
                               .alias = 0.0137,
                               .evaluations = 113,
                               .derivative = derivatives,
                               .n_derivative = 2 };
}

static void check_same(const ms_backbone_curve *a, const ms_backbone_curve *b) {
  CHECK_EQUAL(a->n, b->n);
  CHECK_EQUAL(a->n_derivative, b->n_derivative);
  CHECK_EQUAL(a->partial, b->partial);
  CHECK_EQUAL(a->evaluations, b->evaluations);
  CHECK_TEXT(a->remark, b->remark);
  CHECK(a->worst == b->worst && a->tolerance == b->tolerance && a->alias == b->alias);
  for (ptrdiff_t i = 0; i < b->n; i++) {
    const ms_backbone_point *p = &a->point[i], *r = &b->point[i];
    CHECK(p->q == r->q && p->omega == r->omega && p->zeta == r->zeta);
    CHECK(p->zeta_joint == r->zeta_joint && p->zeta_viscous == r->zeta_viscous);
    CHECK(memcmp(p->sensor, r->sensor, sizeof p->sensor) == 0);
    CHECK(p->residual == r->residual && p->quality == r->quality && p->loss == r->loss);
  }
  for (ptrdiff_t i = 0; i < b->n_derivative; i++) {
    const ms_backbone_derivative *p = &a->derivative[i], *r = &b->derivative[i];
    CHECK_TEXT(p->name, r->name);
    CHECK_TEXT(p->unit, r->unit);
    CHECK(p->point == r->point && p->joint == r->joint && p->member == r->member);
    CHECK(p->by_differences == r->by_differences && p->defined == r->defined);
    CHECK(p->value == r->value && p->omega == r->omega);
    CHECK(p->zeta_joint == r->zeta_joint && p->zeta == r->zeta);
  }
}

/* Cut off anywhere, too long, or of another curve: refused, and the curve as before. */
static void test_kept(void) {
  ms_backbone_curve curve = make_curve(), again = { .mode = 1 };
  ptrdiff_t n = ms_backbone_save(&curve, NULL);
  double *tape = malloc((size_t)(n + 1) * sizeof *tape);
  CHECK_EQUAL(ms_backbone_save(&curve, tape), n);
  tape[n] = 0.0;
  for (ptrdiff_t k = 0; k <= n + 1; k++) {
    if (k == n) continue;
    CHECK_STATUS(ms_backbone_load(test_context(), &again, tape, k), MS_ERR_FORMAT);
    CHECK(again.point == NULL && again.derivative == NULL && again.n == 0 && again.worst == 0.0);
    CHECK(again.n_derivative == 0 && again.remark[0] == '\0' && !again.partial);
    CHECK(again.tolerance == 0.0 && again.alias == 0.0 && again.evaluations == 0);
  }
  CHECK_OK(ms_backbone_load(test_context(), &again, tape, n));
  check_same(&again, &curve);
  ms_backbone_free(test_context(), &again);
  free(tape);
}

/* What a curve is to blame for ends it; a stop or want of memory does not. */
static void test_cut(void) {
  ms_context *ctx = test_context();
  ms_backbone_curve curve = { .mode = 1 };
  CHECK_OK(ms_backbone_cut(ctx, &curve, MS_SUCCESS));
  CHECK_EQUAL(curve.partial, 0);
  ms_fail(ctx, MS_ERR_MEMORY, "no room");
  CHECK_STATUS(ms_backbone_cut(ctx, &curve, MS_ERR_MEMORY), MS_ERR_MEMORY);
  CHECK_STATUS(ms_backbone_cut(ctx, &curve, MS_CANCELLED), MS_CANCELLED);
  CHECK_EQUAL(curve.partial, 0);
  ms_fail(ctx, MS_NOT_CONVERGED, "a fold at %g", 2.385);
  CHECK_OK(ms_backbone_cut(ctx, &curve, MS_NOT_CONVERGED));
  CHECK_EQUAL(curve.partial, 1);
  CHECK_TEXT(curve.remark, "a fold at 2.385");
  CHECK_TEXT(ms_context_message(ctx), "");
}

/* zeta_viscous = zeta_0 omega_0/omega, the rest is the joints'; a sensor moves by its shape; points
   are sorted. */
static void test_added(void) {
  ms_structure *s = test_three_mass(0.0213);
  ms_backbone_setting setting;
  ms_backbone_default(&setting, sizeof setting);
  ms_backbone_curve c;
  double omega_0 = ms_structure_get_stuck(s).omega[1];
  double phi = fabs(ms_structure_get_stuck(s).shape[0 + 3 * 1]);
  ms_decay_point row[] = { { .q = 3.1, .omega = 1.19, .zeta = 0.041 },
                           { .q = 2.385, .omega = 1.193, .zeta = 0.0317, .quality = 7e-4 } };
  ms_decay_point resonance = { .q = 2.7, .omega = 1.191, .zeta = 0.037 };
  const ms_decay decay = { 2, row }, sweep = { 1, &resonance }, none = { 0, NULL };
  setting.sensor = 0;
  CHECK_OK(ms_backbone_request(test_context(), "ringdown_hilbert", 1, 0, NULL, &c));
  CHECK_OK(ms_backbone_add_decay(test_context(), s, &setting, &none, MS_BACKBONE_DECAY, &c));
  CHECK_EQUAL(c.n, 0);
  CHECK_OK(ms_backbone_add_decay(test_context(), s, &setting, &decay, MS_BACKBONE_DECAY, &c));
  CHECK_OK(ms_backbone_add_decay(test_context(), s, &setting, &sweep, MS_BACKBONE_FORCE, &c));
  CHECK_EQUAL(c.n, 3);
  CHECK(c.point[0].q == 2.385 && c.point[1].q == 2.7 && c.point[2].q == 3.1);
  const ms_backbone_point *p = c.point;
  CHECK_CLOSE(p->zeta_viscous, 0.0213 * omega_0 / 1.193, 1e-12);
  CHECK_CLOSE(p->zeta_joint, 0.0317 - 0.0213 * omega_0 / 1.193, 1e-12);
  CHECK_CLOSE(p->sensor[0], phi * 2.385, 1e-14);
  CHECK_CLOSE(p->sensor[1], p->sensor[0] * 1.193, 1e-14);
  CHECK_CLOSE(p->sensor[2], p->sensor[0] * 1.193 * 1.193, 1e-14);
  CHECK(p->quality == 7e-4 && p->loss == MS_BACKBONE_DECAY && p[1].loss == MS_BACKBONE_FORCE);
  c.mode = 3;
  CHECK_STATUS(ms_backbone_add_decay(test_context(), s, NULL, &decay, MS_BACKBONE_DECAY, &c),
               MS_ERR_BOUNDS);
  ms_backbone_free(test_context(), &c);
  CHECK(!c.point && c.n == 0 && c.mode == 3);
  ms_structure_destroy(&s);
}

/* From the first point above 1 on all go, with their derivatives; up to 1 a curve stays as it is.
 */
static void test_trimmed(void) {
  ms_backbone_point p[N] = { { .q = 0.2, .zeta = 0.4 },
                             { .q = 1.7, .zeta = 0.999 },
                             { .q = 3.1, .zeta = 0.7 } };
  ms_backbone_derivative d[4] = { { .point = 0 }, { .point = 1 }, { .point = 1 }, { .point = 2 } };
  ms_backbone_curve curve = {
    .point = p, .n = N, .partial = 1, .remark = "a fold", .derivative = d, .n_derivative = 4
  };
  ms_backbone_trim(&curve);
  CHECK_EQUAL(curve.n, N);
  CHECK_EQUAL(curve.n_derivative, 4);
  CHECK_EQUAL(curve.partial, 1);
  CHECK_TEXT(curve.remark, "a fold");
  p[1].zeta = 1.001;
  ms_backbone_trim(&curve);
  CHECK_EQUAL(curve.n, 1);
  CHECK_EQUAL(curve.n_derivative, 1);
  CHECK_EQUAL(curve.partial, 0);
  CHECK_HAS(curve.remark, "from q = 1.7 on the damping ratio is above 1");
}

/* Powers of q are straight in the logarithm, so that interpolation is exact: ratios are those of
   the factors. Amplitudes outside the reference, or that the curve has had before, do not count. */
static void test_compared(void) {
  enum { POINTS = 6 };
  ms_backbone_point a[POINTS], r[4];
  const double q[POINTS] = { 0.05, 0.2, 0.7, 0.5, 0.9, 3.7 };
  const double off[POINTS] = { 9.0, 0.02, -0.03, 9.0, 0.07, 9.0 };
  ms_backbone_difference d;
  for (int i = 0; i < 4; i++) {
    double x = 0.1 * pow(2.3, i); /* up to 1.2 */
    r[i] = (ms_backbone_point) { .q = x, .omega = 31.7 * pow(x, -0.01), .zeta = 0.013 * sqrt(x) };
    r[i].zeta_joint = i == 0 ? 1e-7 * r[i].zeta : 0.37 * r[i].zeta;
  }
  for (int i = 0; i < POINTS; i++) {
    a[i] = (ms_backbone_point) { .q = q[i], .omega = 31.7 * pow(q[i], -0.01) };
    a[i].zeta = (1.0 + off[i]) * 0.013 * sqrt(q[i]);
    a[i].zeta_joint = 0.37 * 0.013 * sqrt(q[i]);
  }
  ms_backbone_curve c = { .point = a, .n = POINTS }, reference = { .point = r, .n = 4 };
  CHECK_OK(ms_backbone_compare(test_context(), &c, &reference, &d));
  CHECK_EQUAL(d.n, 3);
  CHECK_NEAR(d.omega[1], 0.0, 1e-13);
  CHECK_NEAR(d.zeta[0], 0.02, 1e-12);
  CHECK_NEAR(d.zeta[1], 0.07, 1e-12);
  CHECK_EQUAL(d.n_joint, 3); /* at 0.2 between nothing and a part: more than rounding */
  CHECK(d.q_from == 0.2 && d.q_to == 0.9);
  reference.n = 1;
  CHECK_OK(ms_backbone_compare(test_context(), &c, &reference, &d));
  CHECK_EQUAL(d.n, 0);
  CHECK_STATUS(ms_backbone_compare(test_context(), &c, NULL, &d), MS_ERR_ARGUMENT);
}

/* Two masses whose second mode lies at three times the frequency of the first. */
static ms_structure *make_tuned(void) {
  ms_structure *s = NULL;
  /* one mass each on its own spring: omega^2 = k/m */
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_mass(s, 1, 1.13));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 710.0));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 1, 1.004 * 9.0 * 710.0 / 2.385 * 1.13));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void expect(const ms_structure *s, const ms_backbone_curve *c, ptrdiff_t i, ms_doubt kind,
                   const char *part) {
  char text[400];
  ms_doubt doubt;
  CHECK_EQUAL(ms_backbone_warning(s, c, i, &doubt, text, sizeof text), 1);
  CHECK_EQUAL(doubt, kind);
  CHECK_HAS(text, part);
}

static void test_warnings(void) {
  ms_structure *s = make_tuned();
  ms_backbone_point p[2] = { { .q = 0.2, .zeta = 0.4 }, { .q = 1.7, .zeta = 1.3 } };
  ms_backbone_curve c;
  ms_doubt doubt;
  char text[400];
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, 0, NULL, &c));
  c.point = p, c.n = 2, c.alias = 0.0101, c.partial = 1;
  snprintf(c.remark, sizeof c.remark, "a fold");
  expect(s, &c, 0, MS_DOUBT_NOTE, "mode 2 lies at 3.0060 times its frequency");
  expect(s, &c, 1, MS_DOUBT_MISSING, "a fold");
  expect(s, &c, 2, MS_DOUBT_SUSPECT, "above 1 from q = 1.7 on (1.3 there)");
  expect(s, &c, 3, MS_DOUBT_SUSPECT, "0.01 of the damping; increase times");
  CHECK_EQUAL(ms_backbone_warning(s, &c, 4, &doubt, text, sizeof text), 0);
  /* By harmonic balance: 1 % of the motion left out is nothing, more is. */
  CHECK_OK(ms_backbone_request(test_context(), "epmc", 1, 0, NULL, &c));
  p[1].zeta = 0.7, p[1].quality = 0.0099, c.point = p, c.n = 2;
  CHECK_EQUAL(ms_backbone_warning(s, &c, 0, &doubt, text, sizeof text), 0);
  p[1].quality = 0.0101;
  expect(s, &c, 0, MS_DOUBT_SUSPECT, "at q = 1.7 the harmonics left out would add 1 %");
  CHECK_EQUAL(ms_backbone_warning(s, &c, 1, &doubt, text, sizeof text), 0);
  CHECK_OK(ms_backbone_request(test_context(), "qsma", 0, 0, NULL, &c));
  p[1].zeta = 1.3, c.point = p, c.n = 2, c.alias = 0.0101, c.partial = 1;
  snprintf(c.remark, sizeof c.remark, "a fold");
  c.absent = 1;
  expect(s, &c, 1, MS_DOUBT_NOTE, "a fold");
  c.mode = 1, c.n = 1, c.alias = 0.0099, c.partial = 0, c.remark[0] = '\0';
  CHECK_EQUAL(ms_backbone_warning(s, &c, 0, &doubt, text, sizeof text), 0);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_kept);
  TEST(test_cut);
  TEST(test_added);
  TEST(test_trimmed);
  TEST(test_compared);
  TEST(test_warnings);
  return test_finish();
}
