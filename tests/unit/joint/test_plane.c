/* The planar slider at its limits: circles that open from or close to a point, straight reversals,
   sizes far apart. Nothing may be NaN, and the answer stays in the circle. */
#include <math.h>

#include "joint/friction/plane.h"
#include "support/check.h"

static void check_sound(const double e0[2], double r0, const double w[2], double r1) {
  ms_plane_step step;
  ms_plane_move(e0, r0, w, r1, &step);
  CHECK(hypot(step.e[0], step.e[1]) <= r1 * (1.0 + 4e-15));
  for (int i = 0; i < 4; i++) CHECK(isfinite(step.de_dw[i]));
  CHECK(isfinite(step.de_dr[0]) && isfinite(step.de_dr[1]));
  CHECK(step.slip >= 0.0 && step.loss >= 0.0 && isfinite(step.slip) && isfinite(step.loss));
}

static void test_sizes(void) {
  static const double size[] = { 0.0, 1e-280, 1e-130, 1e-17, 0.37, 1.0, 2.9, 1e15, 1e140 };
  enum { N = sizeof size / sizeof *size };
  for (int a = 0; a < N; a++) {
    for (int b = 0; b < N; b++) {
      for (int c = 0; c < N; c++) {
        for (int turn = 0; turn < 9; turn++) { /* 8 is straight back */
          double angle = turn == 8 ? 0.0 : 0.785 * turn, back = turn == 8 ? -1.0 : 1.0;
          double e0[2] = { size[a], 0.0 }, inside[2] = { 0.3 * size[a], -0.4 * size[a] };
          double w[2] = { back * size[b] * cos(angle), size[b] * sin(angle) };
          check_sound(e0, size[a], w, size[c]);
          check_sound(inside, size[a], w, size[c]);
        }
      }
    }
  }
}

/* From no friction: e follows w at once, or the circle outruns it. */
static void test_opening_circle(void) {
  const double zero[2] = { 0.0, 0.0 }, w[2] = { 0.36, -0.48 };
  ms_plane_step step;
  ms_plane_move(zero, 0.0, w, 0.5, &step);
  CHECK_NEAR(step.e[0], 0.3, 1e-16);
  CHECK_NEAR(step.e[1], -0.4, 1e-16);
  CHECK_NEAR(step.slip, 0.1, 1e-15);
  CHECK_NEAR(step.loss, 0.25 * 0.1, 1e-15);
  ms_plane_move(zero, 0.0, w, 0.61, &step);
  CHECK_NEAR(step.e[0], 0.36, 0.0);
  CHECK(!step.slipped);
}

/* Straight back while the circle shrinks faster: an unstable balance, kept when exact. */
static void test_caught_reversal(void) {
  const double e0[2] = { 1.0, 0.0 };
  ms_plane_step step;
  for (int i = 1; i < 40; i++) {
    double back = 0.024 * i, w[2] = { -back, 0.0 }, r1 = 0.97 * (1.0 - back);
    ms_plane_move(e0, 1.0, w, r1, &step);
    CHECK_NEAR(step.e[0], r1, 1e-15);
    CHECK_NEAR(step.e[1], 0.0, 0.0);
    CHECK_NEAR(step.slip, 1.0 - back - r1, 1e-15);
  }
}

/* Almost constant radius: the series and the closed form of int dt/r meet. */
static void test_nearly_constant(void) {
  const double e0[2] = { 0.8, 0.6 }, w[2] = { -0.3, 1.9 };
  for (int i = 0; i < 60; i++) {
    double change = pow(10.0, -6.0 + 0.1 * i) * (i % 2 ? 1.0 : -0.9), d = 1e-6;
    ms_plane_step at, low, high;
    ms_plane_move(e0, 1.0, w, 1.0 + change, &at);
    ms_plane_move(e0, 1.0, w, 1.0 + change - d, &low);
    ms_plane_move(e0, 1.0, w, 1.0 + change + d, &high);
    for (int a = 0; a < 2; a++) {
      CHECK_NEAR(at.de_dr[a], (high.e[a] - low.e[a]) / (2.0 * d), 1e-7);
    }
  }
}

int main(void) {
  TEST(test_sizes);
  TEST(test_opening_circle);
  TEST(test_caught_reversal);
  TEST(test_nearly_constant);
  return test_finish();
}
