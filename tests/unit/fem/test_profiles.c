/* Sections of beams against integrals over the section. */
#include <math.h>

#include <microslip/fem.h>

#include "support/check.h"

#define PI 3.14159265358979323846

/* Prandtl's function of a rectangle a x b as a double sine series:
   J = 256 a b/pi^6 sum over odd m, n of 1/(m^2 n^2 (m^2/a^2 + n^2/b^2)). What the sum leaves out
   beyond N is below 1/N^3 of it. */
static double torsion_by_series(double a, double b) {
  double sum = 0.0;
  for (double m = 801.0; m > 0.0; m -= 2.0) {
    for (double n = 801.0; n > 0.0; n -= 2.0) {
      sum += 1.0 / (m * m * n * n * (m * m / (a * a) + n * n / (b * b)));
    }
  }
  return 256.0 * a * b / pow(PI, 6.0) * sum;
}

static void test_rectangle(void) {
  static const double size[][2] = {
    { 0.0217, 0.0217 }, { 0.0217, 0.0243 }, { 0.0512, 0.0219 }, { 0.0031, 0.0287 }
  };
  for (int i = 0; i < 4; i++) {
    double a = size[i][0], b = size[i][1];
    ms_beam_section s = ms_beam_rectangle(a, b);
    CHECK_CLOSE(s.A, a * b, 1e-15);
    CHECK_CLOSE(s.Iy, a * b * b * b / 12.0, 1e-14);
    CHECK_CLOSE(s.Iz, b * a * a * a / 12.0, 1e-14);
    CHECK_CLOSE(s.J, torsion_by_series(a, b), 2e-7);
  }
  /* I. S. Sokolnikoff's constant of the square, and a thin strip: w t^3/3 (1 - 0.63025 t/w) */
  CHECK_CLOSE(ms_beam_rectangle(2.385, 2.385).J, 0.140577014955 * pow(2.385, 4.0), 1e-11);
  CHECK_CLOSE(ms_beam_rectangle(3.1e-3, 0.287).J,
              0.287 * pow(3.1e-3, 3.0) / 3.0 * (1.0 - 0.630249 * 3.1e-3 / 0.287), 1e-8);
}

static void test_round(void) {
  ms_beam_section disc = ms_beam_circle(0.0173), tube = ms_beam_pipe(0.0173, 0.0023);
  ms_beam_section inner = ms_beam_circle(0.015), full = ms_beam_pipe(0.0173, 0.0173);
  CHECK_CLOSE(disc.A, PI * 0.0173 * 0.0173, 1e-15);
  CHECK_CLOSE(disc.Iy, PI * pow(0.0173, 4.0) / 4.0, 1e-14);
  CHECK_CLOSE(disc.J, 2.0 * disc.Iz, 1e-15);
  CHECK_CLOSE(tube.A, disc.A - inner.A, 1e-13);
  CHECK_CLOSE(tube.Iz, disc.Iz - inner.Iz, 1e-13);
  CHECK_CLOSE(tube.J, disc.J - inner.J, 1e-13);
  CHECK_CLOSE(full.J, disc.J, 1e-14);
}

/* The factors of G. R. Cowper (J. Appl. Mech. 33 (1966) 335) for nu = 0.3, to the two digits that
   Abaqus has: rectangle, circle, thin tube, whatever the size. */
static void test_shear(void) {
  const double nu = 0.3;
  const double rectangle = round(1e3 * (1.0 + nu) / (12.0 + 11.0 * nu)) / 100.0;
  const double circle = round(6e2 * (1.0 + nu) / (7.0 + 6.0 * nu)) / 100.0;
  const double tube = round(2e2 * (1.0 + nu) / (4.0 + 3.0 * nu)) / 100.0;
  const ms_beam_section s[3] = { ms_beam_rectangle(0.0512, 0.0219), ms_beam_circle(0.0173),
                                 ms_beam_pipe(0.0173, 0.0023) };
  const double want[3] = { rectangle, circle, tube };
  for (int i = 0; i < 3; i++) {
    CHECK_CLOSE(s[i].shear_y, want[i], 1e-14);
    CHECK_CLOSE(s[i].shear_z, want[i], 1e-14);
  }
}

int main(void) {
  TEST(test_rectangle);
  TEST(test_round);
  TEST(test_shear);
  return test_finish();
}
