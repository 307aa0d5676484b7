/* Tolerances of quasi-static modes that no other test notices, moved far in the harmful direction:
   the answer is wrong, or refused. */
#include <math.h>

#include "response/quasistatic/impl.h"
#include "support/check.h"
#include "support/joints.h"

static const ms_quasistatic_setting standard = MS_QUASISTATIC_DEFAULT;

/* ---- a mode that is followed through other joints ---- */

enum { MASSES = 4 };

/* A chain from the ground, and a joint that holds its third mass. */
static ms_structure *chain(double K_T, ms_joint **joint) {
  static const double m[MASSES] = { 1.76, 1.67, 1.87, 1.003 },
                      k[MASSES] = { 178.9, 48.1, 12.66, 46.3 };
  const ptrdiff_t from = MS_GROUND, to = 2;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), MASSES, NULL, &s));
  for (ptrdiff_t i = 0; i < MASSES; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, i > 0 ? i - 1 : MS_GROUND, i, k[i]));
  }
  ms_joint *j = test_joint("jenkins", "F_S", 2.385, "K_T", K_T, NULL);
  *joint = j;
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* Frequency of stuck mode r after K_T has become K. */
static double retune(ms_quasistatic_setting setting, ptrdiff_t r, double K_T, double K) {
  ms_joint *joint;
  ms_structure *s = chain(K_T, &joint);
  ms_quasistatic *run = NULL;
  double level = 1.3e-6, omega = 0.0;
  setting.mode = r;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_joint_set(joint, "K_T", K));
  CHECK_OK(ms_joint_setup(joint));
  CHECK_OK(ms_static_retune(run));
  CHECK_OK(ms_quasistatic_run(run, 1, &level));
  omega = ms_quasistatic_get_level(run, 0)->omega;
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
  return omega;
}

/* The frequency of a new structure, of the mode most like mode r of the old one. */
static double most_alike(ptrdiff_t r, double K_T, double K) {
  ms_joint *joint;
  ms_structure *old = chain(K_T, &joint), *s = chain(K, &joint);
  const ms_modes a = ms_structure_get_stuck(old), b = ms_structure_get_stuck(s);
  const double *M = ms_structure_get_mass(s);
  double best = 0.0, omega = 0.0;
  for (ptrdiff_t j = 0; j < MASSES; j++) {
    double dot = 0.0;
    for (ptrdiff_t i = 0; i < MASSES; i++) {
      dot += a.shape[i + MASSES * r] * M[i + MASSES * i] * b.shape[i + MASSES * j];
    }
    if (dot * dot > best) best = dot * dot, omega = b.omega[j];
  }
  ms_structure_destroy(&old);
  ms_structure_destroy(&s);
  return omega;
}

/* Newton's method that stops too early leaves 0.9 %, and one that takes any mode it finds another
   one. */
static void test_followed_mode(void) {
  ms_quasistatic_setting early = standard, any = standard;
  early.tol.settled = 1e3;
  any.tol.alone = 1e-30;
  double want = most_alike(2, 57.8, 185.22);
  CHECK_CLOSE(retune(standard, 2, 57.8, 185.22), want, 1e-9);
  CHECK(fabs(retune(early, 2, 57.8, 185.22) - want) > 5e-3 * want);
  want = most_alike(2, 57.8, 816.82);
  CHECK_CLOSE(retune(standard, 2, 57.8, 816.82), want, 1e-9);
  CHECK(fabs(retune(any, 2, 57.8, 816.82) - want) > 0.5 * want);
}

/* ---- a joint whose loop is not steady at once ---- */

static double dissipated(ms_quasistatic_setting setting) {
  static const double m[3] = { 1.07, 2.31, 1.53 }, k[3] = { 407.0, 311.0, 503.0 };
  static const ptrdiff_t from[3] = { 0, 1, 2 }, to[3] = { MS_GROUND, MS_GROUND, MS_GROUND };
  static const double level[2] = { 1.3e-3, 0.0071 };
  ms_joint *j = test_joint("contact3d", "mu", 0.31, "K_n", 213.0, "K_t", 157.0, "N_0", 2.07, NULL);
  ms_structure *s = NULL;
  ms_quasistatic *run = NULL;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, k[i]));
  }
  CHECK_OK(ms_structure_add_spring(s, 1, 2, 217.0));
  CHECK_OK(ms_structure_add_spring(s, 0, 2, 234.0));
  CHECK_OK(ms_structure_take_joint(s, "contact", &j, from, to));
  CHECK_OK(ms_structure_setup(s));
  setting.kind = MS_QUASISTATIC_RQNM;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, 2, level));
  const double D = ms_quasistatic_get_level(run, 1)->D;
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
  return D;
}

/* The second cycle is not the last. */
static void test_steady(void) {
  ms_quasistatic_setting tighter = standard, wide = standard;
  tighter.tol.steady = 1e-14;
  wide.tol.steady = 1e3;
  const double D = dissipated(tighter);
  CHECK_CLOSE(dissipated(standard), D, 1e-10);
  CHECK(fabs(dissipated(wide) - D) > 5e-5 * D);
}

/* ---- values that are none ---- */

static void test_refused(void) {
  ms_joint *joint;
  ms_structure *s = chain(57.8, &joint);
  ms_quasistatic_setting setting = standard;
  ms_quasistatic *run = NULL;
  setting.tol = (ms_quasistatic_tolerances) { .stalled = 0.0 };
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "tol.stalled = 0 must be finite and above 0");
  setting = standard;
  setting.tol.alone = NAN;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "its default is 0.5");
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_followed_mode);
  TEST(test_steady);
  TEST(test_refused);
  return test_finish();
}
