#include "support/structures.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/joints.h"

static void damp(ms_structure *s, double zeta) {
  ptrdiff_t n = ms_structure_get_size(s);
  double *ratio = malloc((size_t)n * sizeof *ratio);
  for (ptrdiff_t r = 0; ratio && r < n; r++) ratio[r] = zeta;
  CHECK_OK(ms_structure_set_modal_damping(s, ratio));
  free(ratio);
}

ms_structure *test_three_mass(double zeta) {
  ms_structure *s = NULL;
  const ptrdiff_t from = 1, to = 2;
  ms_joint *j = test_joint("iwan4", "F_S", 10.0, "K_T", 1.0, "chi", -0.5, "beta", 5.0, NULL);
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 10.0));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 9.0));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  damp(s, zeta);
  CHECK_OK(ms_structure_setup(s));
  return s;
}

ms_structure *test_chain(ptrdiff_t n, int joints, const char *law) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), n, NULL, &s));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.4 * sin(1.7 * (double)i)));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 900.0 + 210.0 * cos(2.3 * (double)i)));
  }
  for (int k = 0; k < joints; k++) {
    ptrdiff_t from = (k + 1) * (n - 1) / (joints + 1), to = from + 1;
    ms_joint *j = test_joint(law, "F_S", 2.9 + 0.3 * k, "K_T", 310.0 - 17.0 * k, NULL);
    if (j) CHECK_OK(ms_structure_take_joint(s, "joint", &j, &from, &to));
  }
  damp(s, 2.3e-3);
  CHECK_OK(ms_structure_setup(s));
  return s;
}

const ptrdiff_t test_frame_from[TEST_FRAME_JOINTS] = { 0, 1, MS_GROUND },
                test_frame_to[TEST_FRAME_JOINTS] = { 2, 4, 2 };

ms_structure *test_frame(test_make_fn make, int joints) {
  static const double zeta[TEST_FRAME_SIZE] = { 2.3e-3, 1.7e-3, 3.1e-3, 2.9e-3, 1.1e-3 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), TEST_FRAME_SIZE, NULL, &s));
  for (ptrdiff_t i = 0; i < TEST_FRAME_SIZE; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.4 * sin(1.7 * (double)i)));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 90.0 + 21.0 * cos(2.3 * (double)i)));
  }
  for (int k = 0; k < joints; k++) {
    ms_joint *j = make(k);
    CHECK_OK(ms_structure_take_joint(s, k ? "second" : "first", &j, &test_frame_from[k],
                                     &test_frame_to[k]));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

ms_joint *test_frame_iwan(int k) {
  return test_joint("iwan4", "F_S", 2.385 + 1.3 * k, "K_T", 71.0 - 23.0 * k, "chi", -0.43 + 0.3 * k,
                    "beta", 1.37 - 0.5 * k, NULL);
}

ms_structure *test_attachment(ms_joint *j) {
  static const ptrdiff_t from[3] = { MS_GROUND, MS_GROUND, MS_GROUND }, to[3] = { 0, 1, 2 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.2 * (double)i));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 91.0));
  }
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, from, to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}
