/* Sensors and stingers on a structure: masses and springs in their places, and what they change. */
#include <math.h>
#include <microslip/calibrate.h>
#include <microslip/structure.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

/* A node that moves along x and y and turns, each on a spring of its own. */
static const double m[] = { 1.3, 1.3, 0.021 }, k[] = { 740.0, 2900.0, 51.0 };

static ms_structure *make(ms_context *ctx, const double *stiffness) {
  static const char *const name[] = { "tip.ux", "tip.uy", "tip.rz", "base.ux" };
  ms_structure *s = NULL;
  if (ms_structure_create(ctx, 4, name, &s) != MS_SUCCESS) return NULL;
  ms_status status = ms_structure_add_mass(s, 3, 2.7);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, 3, MS_GROUND, 8.1e5);
  for (int i = 0; i < 3 && status == MS_SUCCESS; i++) {
    status = ms_structure_add_mass(s, i, m[i]);
    if (status == MS_SUCCESS && stiffness[i] > 0.0)
      status = ms_structure_add_spring(s, i, MS_GROUND, stiffness[i]);
  }
  if (status != MS_SUCCESS) ms_structure_destroy(&s);
  return s;
}

static const ms_attached_part accelerometer = { "acc", "tip", 0.031, 0.0, NULL, -1 };
static const ms_attached_part stinger = { "stinger", "tip", 0.044, 57.0, NULL, 0 };

/* Frequencies sqrt((k + k_s)/(m + m_a + m_s)) along x, sqrt(k/(m + m_a + m_s)) along y; the
   rotation stays. */
static void test_frequencies(void) {
  ms_structure *s = make(test_context(), k);
  CHECK_OK(ms_structure_attach(s, &accelerometer));
  CHECK_OK(ms_structure_attach(s, &stinger));
  CHECK_OK(ms_structure_setup(s));
  const double mass = m[0] + 0.031 + 0.044, *omega = ms_structure_get_stuck(s).omega;
  CHECK_CLOSE(omega[0], sqrt((k[0] + 57.0) / mass), 1e-14);
  CHECK_CLOSE(omega[1], sqrt(k[1] / mass), 1e-14);
  CHECK_CLOSE(omega[2], sqrt(k[2] / m[2]), 1e-14);
  ms_structure_destroy(&s);
}

/* Whose values are shown is told by closed forms; the third mode does not change. */
static void test_shift(void) {
  const ms_attached_part both[] = { accelerometer, stinger };
  ms_structure *s = make(test_context(), k);
  char text[300], want[300];
  for (int i = 0; i < 2; i++) CHECK_OK(ms_structure_attach(s, &both[i]));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_print_attached(s, 2, both, text, sizeof text));
  const double part = m[0] / (m[0] + 0.075);
  snprintf(want, sizeof want,
           "attached (0.075 kg in all) changes linear frequencies by: mode 1 %+.3g %%, mode 2 "
           "%+.3g %%, mode 3 +0 %%, mode 4 +0 %%",
           100.0 * (sqrt(part * (1.0 + 57.0 / k[0])) - 1.0), 100.0 * (sqrt(part) - 1.0));
  CHECK_TEXT(text, want);
  CHECK_OK(ms_structure_print_attached(s, 0, both, text, sizeof text));
  CHECK_TEXT(text, "");
  ms_structure_destroy(&s);
}

/* A stinger may be all that holds a structure; a sensor all the mass that a coordinate has. */
static void test_free(void) {
  const double loose[] = { 0.0, 2900.0, 51.0 };
  ms_structure *s = make(test_context(), loose);
  char text[300];
  CHECK_OK(ms_structure_attach(s, &stinger));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_print_attached(s, 1, &stinger, text, sizeof text));
  CHECK_HAS(text, "by: mode 1 was free, mode 2 -");
  ms_structure_destroy(&s);
  static const char *const name[] = { "u" };
  const ms_attached_part all = { "all", "u", 0.3, 0.0, NULL, -1 };
  CHECK_OK(ms_structure_create(test_context(), 1, name, &s));
  CHECK_OK(ms_structure_add_spring(s, 0, MS_GROUND, 40.0));
  CHECK_OK(ms_structure_attach(s, &all));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_print_attached(s, 1, &all, text, sizeof text));
  CHECK_TEXT(text, "");
  ms_structure_destroy(&s);
}

/* Between two coordinates; what was added to whole matrices may be free. */
static void test_between(void) {
  static const double M[] = { 2.0, 0.1, 0.1, 3.0 }, K[] = { 50.0, -10.0, -10.0, 70.0 };
  const ms_attached_part spring = { "rod", "u1", 0.2, 7.5, "u2", -1 };
  ms_parameter_place *place = NULL;
  ptrdiff_t n = 0;
  char text[300];
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, M));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_attach(s, &spring));
  CHECK_CLOSE(ms_structure_get_mass(s)[0], 2.2, 1e-15);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[0], 57.5, 1e-15);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[1], -17.5, 1e-15);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[3], 77.5, 1e-15);
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_parameter_find_places(s, "spring", "rod", &n, &place));
  CHECK_OK(ms_parameter_find_places(s, "mass", "u*", &n, &place));
  CHECK_EQUAL(n, 2);
  CHECK(n == 2 && place[0].joint == MS_PLACE_SPRING && place[1].joint == MS_PLACE_MASS);
  CHECK(n == 2 && place[1].member == 0);
  ms_free(test_context(), &place);
  CHECK_OK(ms_structure_print_attached(s, 1, &spring, text, sizeof text));
  /* the second mode: omega^2 of both structures from their characteristic equations */
  double w[2];
  for (int i = 0; i < 2; i++) {
    const double a = M[0] + 0.2 * i, d = M[3], b = M[1];
    const double A = K[0] + 7.5 * i, D = K[3] + 7.5 * i, B = K[1] - 7.5 * i;
    const double p = a * d - b * b, q = a * D + d * A - 2.0 * b * B, r = A * D - B * B;
    w[i] = sqrt((q + sqrt(q * q - 4.0 * p * r)) / (2.0 * p));
  }
  char want[40];
  snprintf(want, sizeof want, "mode 2 %+.3g %%", 100.0 * (w[1] / w[0] - 1.0));
  CHECK_HAS(text, want);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  static const struct {
    ms_attached_part part;
    ms_status status;
    const char *words;
  } bad[] = {
    { { "acc", "ground", 0.1, 0.0, NULL, -1 }, MS_ERR_NAME, "nothing is attached to the ground" },
    { { "acc", "tip.rz", 0.1, 0.0, NULL, -1 }, MS_ERR_ARGUMENT, "tip.rz is a rotation" },
    { { "acc", "top", 0.1, 0.0, NULL, -1 }, MS_ERR_NAME, "no degree of freedom 'top', nor a node" },
    { { "rod", "tip", 0.0, 1.0, NULL, 2 }, MS_ERR_NAME, "that moves along z" },
    { { "rod", "tip", 0.0, 1.0, NULL, -1 }, MS_ERR_ARGUMENT, "tip moves in 2 directions" },
    { { "rod", "tip", 0.0, 1.0, "there", 1 }, MS_ERR_NAME, "there" },
    { { "rod", "tip.ux", 0.0, 1.0, "tip.ux", -1 }, MS_ERR_ARGUMENT, "two different ends" },
  };
  ms_structure *s = make(test_context(), k);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK_STATUS(ms_structure_attach(s, &bad[i].part), bad[i].status);
    CHECK_HAS(ms_context_message(test_context()), bad[i].words);
  }
  CHECK_STATUS(ms_structure_attach(s, &(ms_attached_part) { .name = "acc" }), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_structure *s = make(ctx, k);
  char text[300];
  (void)user;
  ms_status status = s ? ms_structure_attach(s, &stinger) : MS_ERR_MEMORY;
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_structure_print_attached(s, 1, &stinger, text, sizeof text);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(work, NULL) > 5);
}

int main(void) {
  TEST(test_frequencies);
  TEST(test_shift);
  TEST(test_free);
  TEST(test_between);
  TEST(test_refused);
  TEST(test_memory_runs_out);
  return test_finish();
}
