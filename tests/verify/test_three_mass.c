/* The three-mass system: states after an impact, against reference numbers computed independently:
   half-sine of omega_03 on mass 2, p = 500, Newmark with dt = 0.02. */
#include <math.h>

#include <microslip/response.h>

#include "support/check.h"
#include "support/structures.h"

static double half_sine(void *user, double t) {
  return 500.0 * sin(*(double *)user * t);
}

static void test_impact(void) {
  static const double reference[3][7] = {
    { 50, 0.5568013343, 11.28038607, 0.6272959876, 2.597363997, 27.97534973, 2.947357790 },
    { 500, -26.09516929, -33.75872250, -30.21117543, 7.376437220, -39.09504286, -6.446699551 },
    { 3000, -5.833392383, 3.105880164, -17.74097602, 11.22495267, 19.22837099, 23.05561761 },
  };
  ms_structure *s = test_three_mass(1e-4);
  double omega = ms_structure_get_stuck(s).omega[2];
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = 0.02;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 0.0, 1.0, 0.0 }, half_sine, &omega,
                                 acos(-1.0) / omega));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  for (int k = 0; k < 3; k++) {
    double x[6];
    ptrdiff_t steps = (ptrdiff_t)reference[k][0] - ms_transient_get_step(run);
    CHECK_OK(ms_transient_run(run, steps, 1, NULL, NULL));
    ms_transient_get_coordinates(run, x, x + 3, NULL);
    for (int i = 0; i < 6; i++) CHECK_CLOSE(x[i], reference[k][i + 1], 1e-8);
  }
  ms_transient_destroy(&run);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_impact);
  return test_finish();
}
