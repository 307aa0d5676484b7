/* Harmonic balance: the Jacobian, linear closed forms, loads, complaints, memory. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/harmonic.h>

#include "response/harmonic/impl.h"
#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

static const double pi = 3.14159265358979323846;

static void take(ms_structure *s, const char *name, ms_joint *j, ptrdiff_t from, ptrdiff_t to) {
  CHECK_OK(ms_structure_take_joint(s, name, &j, &from, &to));
}

/* Three masses with springs; the caller adds joints and damping. */
static ms_structure *masses(double size) {
  ms_structure *s = NULL;
  const double m[] = { 1.3, 0.8, 1.1 }, k[] = { 90.0, 71.0, 64.0 };
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, size * m[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, size * k[i]));
  }
  return s;
}

/* Two Jenkins joints, a gap and a cubic spring, rather uneven. */
static ms_structure *mixed(int full_damping) {
  ms_structure *s = masses(1.0);
  const double C[] = { 0.9, -0.2, 0.1, -0.2, 0.7, -0.3, 0.1, -0.3, 0.5 };
  const double zeta[] = { 0.011, 0.007, 0.013 };
  take(s, "a", test_joint("jenkins", "F_S", 2.9, "K_T", 31.0, NULL), 0, 1);
  take(s, "b", test_joint("jenkins", "F_S", 1.7, "K_T", 23.0, NULL), 2, MS_GROUND);
  take(s, "stop", test_joint("gap", "K", 210.0, "g_plus", 0.11, "g_minus", 0.17, NULL), 1, 2);
  take(s, "hard", test_joint("cubic", "K", 12.0, "K3", 410.0, NULL), 0, 2);
  if (full_damping)
    CHECK_OK(ms_structure_set_damping(s, C));
  else
    CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_harmonic *make(ms_structure *s, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  return h;
}

/* ---- the Jacobian ---- */

static double wander(unsigned i) {
  return sin(1.37 * i + 0.4) * (0.7 + 0.3 * cos(2.9 * i));
}

/* Every column against central differences: the largest error over the column's largest entry, rows
   in the scale that the solution judges them by. */
static double jacobian_error(ms_harmonic *h, double size, double omega) {
  const ptrdiff_t nP = h->n * h->P, rows = nP + 4, columns = nP + N_EXTRA;
  double *J = malloc((size_t)(rows * columns) * sizeof *J), *up = malloc((size_t)rows * sizeof *up);
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < nP; i++) {
    h->X[i] = size * wander((unsigned)i) / (1.0 + (double)((i % h->P + 1) / 2));
  }
  const double extra[] = { 0.31 * size, -0.57 * size, omega, 0.013, 7.1 * size };
  memcpy(h->X + nP, extra, sizeof extra);
  h->tracks = 1;
  CHECK_OK(ms_core_eval(h, 1));
  memcpy(J, h->J, (size_t)(rows * columns) * sizeof *J);
  for (ptrdiff_t j = 0; j < columns; j++) {
    double keep = h->X[j], step = 1e-6 * (j < nP + 2 ? size : keep), top = 0.0, error = 0.0;
    h->X[j] = keep + step;
    CHECK_OK(ms_core_eval(h, 1));
    memcpy(up, h->R, (size_t)rows * sizeof *up);
    h->X[j] = keep - step;
    CHECK_OK(ms_core_eval(h, 1));
    h->X[j] = keep;
    for (ptrdiff_t i = 0; i < rows; i++) {
      double slope = (up[i] - h->R[i]) / (2.0 * step);
      double scale = i < nP ? h->scale[i / h->P] : i < nP + 2 ? 1.0 / omega : omega;
      top = fmax(top, scale * fabs(J[i + rows * j]));
      error = fmax(error, scale * fabs(slope - J[i + rows * j]));
    }
    worst = fmax(worst, error / top);
  }
  free(J);
  free(up);
  return worst;
}

static void load_oddly(ms_harmonic *h, double size) {
  const double shape[] = { 0.3 * size, -size, 0.7 * size };
  CHECK_OK(ms_harmonic_add_load(h, shape, 1, 2.385, 0.41));
  CHECK_OK(ms_harmonic_add_load(h, shape, 2, 0.77, -1.3));
  CHECK_OK(ms_harmonic_add_load(h, shape, 0, 0.0029, 0.0));
  for (ptrdiff_t r = 0; r < h->m; r++) h->gamma[r + h->m * h->n] = 0.7 - 0.4 * (double)r;
}

static void test_jacobian(void) {
  for (int full = 0; full < 2; full++) {
    ms_structure *s = mixed(full);
    ms_harmonic *h = make(s, 3, 256);
    load_oddly(h, 1.0);
    h->master = 1;
    CHECK_BELOW(jacobian_error(h, 0.23, 7.9), 1e-7);
    ms_harmonic_destroy(&h);
    ms_structure_destroy(&s);
  }
}

/* One joint of the law on as many axes as it has, at typical parameters. */
static void check_law(const char *law) {
  ms_structure *s = masses(1e6);
  const double zeta[] = { 0.011, 0.007, 0.013 };
  ms_joint *j = test_typical(law);
  double scale = test_scale(j);
  ptrdiff_t from[] = { 0, 1, MS_GROUND }, to[] = { 1, 2, 0 };
  CHECK_OK(ms_structure_take_joint(s, "one", &j, from, to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = 2;
  setting.times = 128;
  setting.repeat_tolerance = 1e-15; /* what is left of it would be divided by a step */
  if (ms_harmonic_create(s, &setting, &h) != MS_SUCCESS) {
    CHECK_HAS(ms_context_message(test_context()), "cannot carry derivatives");
  } else {
    load_oddly(h, 1e6);
    h->master = 0;
    double error = jacobian_error(h, 1.3 * scale, 7.9);
    if (!CHECK_BELOW(error, 1e-7)) printf("# law %s repeat %g\n", law, h->repeat);
  }
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

static void test_jacobians_of_laws(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) check_law(ms_joint_get_law(i)->name);
}

int main(void) {
  (void)pi;
  TEST(test_jacobian);
  TEST(test_jacobians_of_laws);
  return test_finish();
}
