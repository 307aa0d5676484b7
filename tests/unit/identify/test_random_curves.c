/* Random joints in a structure: points are those of the backbone model, quantiles those of the
   points, and one parameter alone causes all scatter. */
#include <math.h>
#include <microslip/propagate.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "support/check.h"
#include "support/structures.h"

enum { SAMPLES = 31, LEVELS = 2 };

static const ms_parameter_place place = { 0, 0, "K_T" };
static const ms_free_parameter one = { "K_T of joint", 1, &place };
static const int mode[2] = { 2, 1 };
static const double q[LEVELS] = { 0.0137, 0.71 };

static ms_random_curves ask(ms_distribution *d) {
  CHECK_OK(
      ms_distribution_from_moments(test_context(), MS_FAMILY_GAMMA, 0.0, HUGE_VAL, 1.03, 0.07, d));
  return (ms_random_curves) { .n = 1,
                              .parameter = &one,
                              .distribution = d,
                              .n_mode = 2,
                              .mode = mode,
                              .n_level = LEVELS,
                              .q = q };
}

static void test_points(void) {
  ms_distribution d;
  ms_random_curves c = ask(&d);
  ms_structure *s = test_three_mass(1.3e-3);
  CHECK_OK(ms_random_curves_draw(test_context(), SAMPLES, 7, &c));
  CHECK_EQUAL(c.count, SAMPLES);
  CHECK_OK(ms_random_curves_eval(s, 0, 11, &c));
  CHECK_EQUAL(ms_random_curves_count_answers(&c), 11);
  CHECK_OK(ms_random_curves_eval(s, 11, SAMPLES, &c));
  CHECK_EQUAL(ms_random_curves_count_answers(&c), SAMPLES);
  const ms_curve_request request = { mode[1], LEVELS, q };
  ms_backbone_model *model;
  CHECK_OK(ms_backbone_model_create(s, 1, &one, 1, &request, &model));
  for (ptrdiff_t i = 0; i < SAMPLES; i += 10) {
    CHECK_OK(ms_backbone_model_eval(model, c.p + i, 0));
    const ms_curve_values v = ms_backbone_model_curve(model, 0);
    const double *y = c.y + ms_random_curves_width(&c) * i + 2 * LEVELS;
    for (int k = 0; k < LEVELS; k++) {
      CHECK_NEAR(y[k], v.omega[k], 1e-12 * v.omega[k]);
      CHECK_NEAR(y[LEVELS + k], v.zeta[k], 1e-12 * v.zeta[k]);
    }
  }
  ms_backbone_model_destroy(&model);
  ms_structure_destroy(&s);
  ms_random_curves_destroy(test_context(), &c);
}

/* The median of an odd number of points is one of them, as many below as above. */
static void test_quantiles(void) {
  const double half = 0.5;
  ms_distribution d;
  ms_random_curves c = ask(&d);
  ms_structure *s = test_three_mass(1.3e-3);
  double median;
  CHECK_OK(ms_random_curves_draw(test_context(), SAMPLES, 7, &c));
  CHECK_OK(ms_random_curves_eval(s, 0, SAMPLES, &c));
  for (int damping = 0; damping < 2; damping++) {
    int below = 0, above = 0;
    CHECK_OK(ms_random_curves_quantiles(test_context(), &c, 1, 1, damping, 1, &half, &median));
    for (int i = 0; i < SAMPLES; i++) {
      const double y = c.y[8 * i + 4 + 2 * damping + 1];
      below += y<median, above += y> median;
    }
    CHECK_EQUAL(below, SAMPLES / 2);
    CHECK_EQUAL(above, SAMPLES / 2);
  }
  ms_structure_destroy(&s);
  ms_random_curves_destroy(test_context(), &c);
}

static void test_indices(void) {
  ms_distribution d;
  ms_random_curves c = ask(&d);
  ms_structure *s = test_three_mass(1.3e-3);
  ms_sobol_index index;
  CHECK_OK(ms_random_curves_draw_sobol(test_context(), 64, 7, &c));
  CHECK_EQUAL(c.count, 3 * 64);
  CHECK_OK(ms_random_curves_eval(s, 0, c.count, &c));
  CHECK_OK(ms_random_curves_indices(test_context(), &c, 0, 0, 0, &index));
  CHECK_NEAR(index.first, 1.0, 4.0 * index.first_error + 0.05);
  CHECK_NEAR(index.total, 1.0, 4.0 * index.total_error + 0.05);
  c.answered[5] = 0;
  CHECK_STATUS(ms_random_curves_indices(test_context(), &c, 0, 0, 0, &index), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "1 of 192 points have no answer");
  ms_structure_destroy(&s);
  ms_random_curves_destroy(test_context(), &c);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_random_curves c = *(const ms_random_curves *)user;
  ms_sobol_index index;
  double median;
  const double half = 0.5;
  ms_status status = ms_random_curves_draw(ctx, 8, 7, &c);
  if (!status) status = ms_random_curves_draw_sobol(ctx, 8, 7, &c);
  for (ptrdiff_t i = 0; !status && i < c.count; i++) c.answered[i] = 1;
  if (!status) status = ms_random_curves_quantiles(ctx, &c, 0, 0, 0, 1, &half, &median);
  if (!status) status = ms_random_curves_indices(ctx, &c, 0, 0, 0, &index);
  ms_random_curves_destroy(ctx, &c);
  return status;
}

static void test_failing_memory(void) {
  ms_distribution d;
  ms_random_curves c = ask(&d);
  CHECK(test_allocations(work, &c) >= 8);
}

/* A stiffness is above zero, at both bounds. */
static void test_place(void) {
  ms_structure *s = test_three_mass(1.3e-3);
  CHECK_OK(ms_parameter_place_check(test_context(), s, &place, 2.385, 71.0));
  CHECK_STATUS(ms_parameter_place_check(test_context(), s, &place, -2.385, 71.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_parameter_place_check(test_context(), s, &place, 2.385, -71.0), MS_ERR_BOUNDS);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_place);
  TEST(test_points);
  TEST(test_quantiles);
  TEST(test_indices);
  TEST(test_failing_memory);
  return test_finish();
}
