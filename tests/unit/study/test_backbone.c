/* Curves of a backbone as a resumed study keeps them, and what they are cut for. */
#include "study/analyses/backbone/backbone.h"

#include <stdlib.h>
#include <string.h>

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
  ms_backbone_curve_free(test_context(), &again);
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

/* zeta_viscous = zeta_0 omega_0/omega, the rest is the joints'; a sensor moves by its shape. */
static void test_observed(void) {
  ms_structure *s = test_three_mass(0.0213);
  ms_backbone b = { .sensor = { .has_sensor = 1, .sensor = 0 } };
  double omega_0 = ms_structure_get_stuck(s).omega[1];
  double phi = ms_structure_get_stuck(s).shape[0 + 3 * 1];
  ms_backbone_point p = ms_backbone_observe(s, &b, 1, 2.385, 1.193, 0.0317);
  CHECK_CLOSE(p.zeta_viscous, 0.0213 * omega_0 / 1.193, 1e-12);
  CHECK_CLOSE(p.zeta_joint, 0.0317 - 0.0213 * omega_0 / 1.193, 1e-12);
  CHECK_CLOSE(p.sensor[0], (phi < 0.0 ? -phi : phi) * 2.385, 1e-14);
  CHECK_CLOSE(p.sensor[1], p.sensor[0] * 1.193, 1e-14);
  CHECK_CLOSE(p.sensor[2], p.sensor[0] * 1.193 * 1.193, 1e-14);
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

static void test_sorted(void) {
  ms_backbone_point p[N] = { { .q = 3.1, .omega = 1.0 },
                             { .q = 0.2, .omega = 2.0 },
                             { .q = 1.7, .omega = 3.0 } };
  ms_backbone_curve curve = { .point = p, .n = N };
  ms_backbone_sort(&curve);
  CHECK(p[0].q == 0.2 && p[0].omega == 2.0);
  CHECK(p[1].q == 1.7 && p[1].omega == 3.0);
  CHECK(p[2].q == 3.1 && p[2].omega == 1.0);
}

int main(void) {
  TEST(test_kept);
  TEST(test_cut);
  TEST(test_observed);
  TEST(test_trimmed);
  TEST(test_sorted);
  return test_finish();
}
