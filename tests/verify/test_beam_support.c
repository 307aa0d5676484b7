/* The beam on a frictional support of Rajaei and Ahmadian (2014): linear frequencies with the
   support as a lever, against numbers computed independently of this project, and against the
   paper's Table 1. */
#include <math.h>

#include <microslip/beam.h>
#include <microslip/hertz.h>

#include "support/check.h"

#define PI     3.14159265358979323846
#define RADIUS 5e-3 /* m, of the pin: the lever */
#define BLOCK  7.0  /* kg */
#define G      9.80665

static const double k_t[3] = { 4.90e6, 8.71e6, 11.02e6 }; /* N/m, one to three blocks */

static ms_beam steel(double height) {
  const double width = 0.04;
  return (ms_beam) { .L = 0.6,
                     .A = width * height,
                     .I = width * pow(height, 3.0) / 12.0,
                     .E = 210e9,
                     .rho = 7850.0,
                     .elements = 40,
                     .start = MS_BEAM_CLAMPED };
}

static ms_joint *make_linear(double K) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "linear", &j));
  CHECK_OK(ms_joint_set(j, "K", K));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

/* z = ux + r w'(L), ux where there is one. */
static void set_lever(ms_structure *s, int joint, ptrdiff_t to, double lever) {
  double b[128] = { 0.0 };
  ptrdiff_t rz;
  CHECK_OK(ms_structure_find(s, "end.rz", &rz));
  b[rz] = to == rz ? lever - 1.0 : lever;
  CHECK_OK(ms_structure_set_mapping_row(s, joint, 0, b));
}

static void attach_tangential(ms_structure *s, double K, int axial) {
  ms_joint *j = make_linear(K);
  ptrdiff_t to, from = MS_GROUND;
  CHECK_OK(ms_structure_find(s, axial ? "end.ux" : "end.rz", &to));
  CHECK_OK(ms_structure_take_joint(s, "friction", &j, &from, &to));
  set_lever(s, 0, to, RADIUS);
}

static double lowest(const ms_beam *beam, double K, double K_n) {
  ms_structure *s = NULL;
  CHECK_OK(ms_beam_make_structure(test_context(), beam, &s));
  attach_tangential(s, K, beam->axial != MS_BEAM_AXIAL_NONE);
  ptrdiff_t uy;
  CHECK_OK(ms_structure_find(s, "end.uy", &uy));
  if (K_n > 0.0) CHECK_OK(ms_structure_add_spring(s, MS_GROUND, uy, K_n));
  CHECK_OK(ms_structure_setup(s));
  double f = ms_structure_get_stuck(s).omega[0] / (2.0 * PI);
  ms_structure_destroy(&s);
  return f;
}

/* Rigid across the beam; rigid along it, or with E A/L in series. */
static void test_linear(void) {
  static const double want[2][3] = { { 53.487126, 55.136581, 56.013446 },
                                     { 53.335079, 54.744905, 55.454048 } };
  ms_beam beam = steel(5e-3);
  beam.end = MS_BEAM_PINNED;
  for (int k = 0; k < 6; k++) {
    beam.axial = k / 3 ? MS_BEAM_AXIAL_STATIC : MS_BEAM_AXIAL_NONE;
    CHECK_CLOSE(lowest(&beam, k_t[k % 3], 0.0), want[k / 3][k % 3], 1e-6);
  }
}

static double normal_stiffness(double load) {
  const ms_hertz_line pin = { .radius = RADIUS, .length = 0.04, .E = 210e9, .nu = 0.3 };
  ms_hertz_answer a = { .tangent = NAN };
  CHECK_OK(ms_hertz_line_at(test_context(), &pin, load, &a));
  return a.tangent;
}

/* Table 1, with the thickness at which the beam of the paper has its frequencies: hanging blocks
   with their mass, the normal spring, the table's stiffnesses. Sensors and pin without mass: the
   paper does not say theirs. */
static void test_table(void) {
  static const double measured[3] = { 55.3, 56.52, 57.3 };
  for (int n = 1; n <= 3; n++) {
    ms_beam beam = steel(5.20e-3);
    const ms_beam_point blocks = { "blocks", beam.L, n * BLOCK, 0.0 };
    beam.axial = MS_BEAM_AXIAL_STATIC;
    beam.point = &blocks, beam.n_point = 1;
    CHECK_NEAR(lowest(&beam, k_t[n - 1], normal_stiffness(n * BLOCK * G)), measured[n - 1], 0.2);
  }
}

/* Fig. 8: 2.72e9 N/m, said to be a line fitted to eq (34) for a pin of 50 mm. It is, up to 300 N.
 */
static void test_normal(void) {
  const ms_hertz_line pin = { .radius = RADIUS, .length = 0.05, .E = 210e9, .nu = 0.3 };
  ms_hertz_answer a = { .fitted = NAN };
  CHECK_OK(ms_hertz_line_at(test_context(), &pin, 300.0, &a));
  CHECK_NEAR(a.fitted, 2.72e9, 0.005e9);
}

int main(void) {
  test_run("linear frequencies with w(L) = 0", test_linear);
  test_run("frequencies against blocks", test_table);
  test_run("normal stiffness of the pin", test_normal);
  return test_finish();
}
