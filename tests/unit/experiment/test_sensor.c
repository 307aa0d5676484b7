/* Amplitudes at a sensor and modal ones. */
#include <math.h>
#include <microslip/experiment.h>

#include "support/check.h"

/* Two masses on a chain that is symmetric about a third: of the second mode the third is a node. */
static ms_structure *make(void) {
  static const char *const name[] = { "left", "middle.x", "right", "turn.rx" };
  ms_structure *s;
  CHECK_OK(ms_structure_create(test_context(), 4, name, &s));
  for (ptrdiff_t i = 0; i < 4; i++) CHECK_OK(ms_structure_add_mass(s, i, i == 1 ? 3.1 : 1.7));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 710.0));
  CHECK_OK(ms_structure_add_spring(s, 1, 2, 710.0));
  CHECK_OK(ms_structure_add_spring(s, 0, MS_GROUND, 130.0));
  CHECK_OK(ms_structure_add_spring(s, 2, MS_GROUND, 130.0));
  CHECK_OK(ms_structure_add_spring(s, 3, MS_GROUND, 9.0e4));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* q = a/(omega^d |phi|): of the second mode, both ends against each other, phi = 1/sqrt(2 m). */
static void test_kinds(void) {
  ms_structure *s = make();
  const double omega[] = { 21.3, 19.7 }, phi = 1.0 / sqrt(2.0 * 1.7);
  const double q[] = { 0.013, 0.37 };
  for (int kind = 0; kind < 3; kind++) {
    double a[2];
    for (int i = 0; i < 2; i++) a[i] = q[i] * phi * pow(omega[i], kind);
    CHECK_OK(ms_sensor_use_amplitudes(test_context(), s, 2, 1, (ms_signal_kind)kind, 2, omega, a));
    for (int i = 0; i < 2; i++) CHECK_CLOSE(a[i], q[i], 1e-13);
  }
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = make();
  const double omega[] = { 21.3 };
  double a[] = { 0.7 };
  CHECK_EQUAL(
      ms_sensor_use_amplitudes(test_context(), s, 1, 1, MS_SIGNAL_DISPLACEMENT, 1, omega, a),
      MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "a sensor at middle.x does not see mode 2");
  CHECK_EQUAL(
      ms_sensor_use_amplitudes(test_context(), s, 3, 0, MS_SIGNAL_DISPLACEMENT, 1, omega, a),
      MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "turn.rx is a rotation");
  CHECK_NEAR(a[0], 0.7, 0.0);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_kinds);
  TEST(test_refused);
  return test_finish();
}
