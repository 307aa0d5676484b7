/* Harmonic balance against closed forms and against long runs in time. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/harmonic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

static const double pi = 3.14159265358979323846;

typedef struct oscillator {
  double m, k, zeta, F;
} oscillator;

/* One mass on a spring with a joint beside it. */
static ms_structure *build(const oscillator *o, ms_joint *joint) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, o->m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, o->k));
  CHECK_OK(ms_structure_take_joint(s, "joint", &joint, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, &o->zeta));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_harmonic *balance(ms_structure *s, double F, int harmonics, ptrdiff_t times) {
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  setting.harmonics = harmonics;
  setting.times = times;
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, (const double[]) { 1.0 }, 1, F, 0.0));
  return h;
}

/* ---- Duffing ---- */

static const oscillator duffing = { .m = 1.3, .k = 47.0, .zeta = 0.017, .F = 2.385 };
#define K3 310.0

static ms_structure *build_duffing(void) {
  return build(&duffing, test_joint("cubic", "K", 0.0, "K3", K3, NULL));
}

/* One harmonic: ((k - m w^2 + 3/4 K3 A^2)^2 + (c w)^2) A^2 = F^2, to be met by every point. */
static void test_duffing_closed_form(void) {
  const oscillator *o = &duffing;
  ms_structure *s = build_duffing();
  ms_harmonic *h = balance(s, o->F, 1, 64);
  ms_harmonic_curve *curve = NULL;
  const double c = 2.0 * o->zeta * sqrt(o->k * o->m);
  double worst = 0.0, turned = 0;
  CHECK_OK(
      ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 3.1, .to = 14.0 }, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  CHECK(info.complete);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    const double *z = ms_harmonic_curve_get_joints(curve, i);
    double A = hypot(z[1], z[2]), w = p->omega, stiff = o->k - o->m * w * w + 0.75 * K3 * A * A;
    worst = fmax(worst, fabs(hypot(stiff, c * w) * A / o->F - 1.0));
    if (i > 0) turned += p->omega < ms_harmonic_curve_get_point(curve, i - 1)->omega;
  }
  printf("# %td points, %td evaluations, %td rejected, %g backwards, worst %g\n", info.points,
         info.evaluations, info.rejected, turned, worst);
  CHECK_BELOW(worst, 1e-8);
  CHECK(turned > 5); /* through both folds */
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* The middle branch, and it alone, is unstable: where Omega goes back along the curve. */
static void test_duffing_stability(void) {
  ms_structure *s = build_duffing();
  ms_harmonic *h = balance(s, duffing.F, 7, 1024);
  ms_harmonic_curve *curve = NULL;
  int stable = 0, unstable = 0, wrong = 0;
  CHECK_OK(
      ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 4.1, .to = 14.0 }, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK(info.complete);
  for (ptrdiff_t i = 1; i + 1 < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    double before = p->omega - p[-1].omega, after = p[1].omega - p->omega;
    if (before * after < 0.0) continue; /* a fold is at this point or beside it */
    *(before < 0.0 ? &unstable : &stable) += 1;
    wrong += p->stability != (before < 0.0 ? MS_UNSTABLE : MS_STABLE);
  }
  printf("# %d stable, %d unstable, %d wrong\n", stable, unstable, wrong);
  CHECK_EQUAL(wrong, 0);
  CHECK(stable > 20);
  CHECK(unstable > 5);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* ---- long runs in time ---- */

static double cosine(void *user, double t) {
  const double *p = user; /* amplitude, omega */
  return p[0] * cos(p[1] * t);
}

/* First harmonic of the steady displacement, by running `periods` of `steps` each. */
static double complex steady(ms_structure *s, double F, double omega, int steps, int periods) {
  double p[] = { F, omega }, u, v;
  double complex sum = 0.0;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.method = "exponential";
  setting.step = 2.0 * pi / omega / steps;
  CHECK_OK(ms_transient_create(s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, (const double[]) { 1.0 }, cosine, p, HUGE_VAL));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (ptrdiff_t)steps * (periods - 1), 1, NULL, NULL));
  for (int j = 0; j < steps; j++) {
    if (ms_transient_step(run) != MS_SUCCESS) break;
    ms_transient_get_coordinates(run, &u, &v, NULL);
    sum += u * cexp(-2.0 * pi * I * (j + 1) / steps) * 2.0 / steps;
  }
  ms_transient_destroy(&run);
  return sum;
}

/* Ten frequencies: the amplitude by both, time steps halved and extrapolated. */
static void compare(ms_structure *s, const oscillator *o, const double *omega, int harmonics,
                    double tolerance) {
  ms_harmonic *h = balance(s, o->F, harmonics, 2048);
  ms_harmonic_curve *curve = NULL;
  ms_harmonic_range range = { .from = omega[0], .to = omega[9], .list = omega, .n_list = 10 };
  int found = 0;
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK(info.complete);
  CHECK_EQUAL(info.missed, 0);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    const double *z = ms_harmonic_curve_get_joints(curve, i);
    if (!p->listed) continue;
    found++;
    double coarse = cabs(steady(s, o->F, p->omega, 800, 160));
    double fine = cabs(steady(s, o->F, p->omega, 1600, 160)), limit = fine + (fine - coarse) / 3.0;
    double A = hypot(z[1], z[2]);
    printf("# omega %8.4f amplitude %.9g, in time %.9g (%.1e, last halving %.1e)\n", p->omega, A,
           limit, A / limit - 1.0, fine / coarse - 1.0);
    CHECK_CLOSE(A, limit, tolerance);
  }
  CHECK_EQUAL(found, 10);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
}

/* The Duffing oscillator on its rising branch, which a run from rest reaches at these frequencies.
 */
static void test_duffing_in_time(void) {
  const double omega[] = { 2.1, 3.3, 4.1, 4.9, 5.4, 5.8, 6.1, 6.3, 6.4, 6.5 };
  ms_structure *s = build_duffing();
  compare(s, &duffing, omega, 9, 1e-5);
  ms_structure_destroy(&s);
}

static void test_jenkins_in_time(void) {
  const oscillator o = { .m = 1.3, .k = 47.0, .zeta = 0.023, .F = 1.87 };
  const double omega[] = { 4.1, 5.3, 5.9, 6.2, 6.45, 6.7, 6.95, 7.3, 8.2, 9.9 };
  ms_structure *s = build(&o, test_joint("jenkins", "F_S", 2.9, "K_T", 21.0, NULL));
  compare(s, &o, omega, 21, 1e-5);
  ms_structure_destroy(&s);
}

static void test_iwan_in_time(void) {
  const oscillator o = { .m = 1.3, .k = 47.0, .zeta = 0.023, .F = 1.87 };
  const double omega[] = { 4.1, 5.3, 5.9, 6.2, 6.45, 6.7, 6.95, 7.3, 8.2, 9.9 };
  ms_structure *s =
      build(&o, test_joint("iwan4", "F_S", 2.9, "K_T", 21.0, "chi", -0.5, "beta", 1.3, NULL));
  compare(s, &o, omega, 21, 1e-5);
  ms_structure_destroy(&s);
}

/* ---- three masses ---- */

static void take(ms_structure *s, const char *name, ms_joint *j, ptrdiff_t from, ptrdiff_t to) {
  CHECK_OK(ms_structure_take_joint(s, name, &j, &from, &to));
}

/* Two Jenkins joints, a gap and a cubic spring, 7 harmonics, 1024 times, through all three
   resonances, folds and corners: no value of the list is missed, no step given up. */
static void test_three_masses(void) {
  const double m[] = { 1.3, 0.8, 1.1 }, k[] = { 90.0, 71.0, 64.0 },
               zeta[] = { 0.011, 0.007, 0.013 };
  ms_structure *s = NULL;
  ms_harmonic_setting setting = MS_HARMONIC_DEFAULT;
  ms_harmonic *h = NULL;
  ms_harmonic_curve *curve = NULL;
  double list[30];
  int seen[30] = { 0 }, backwards = 0, mode[3] = { 0 };
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, k[i]));
  }
  take(s, "a", test_joint("jenkins", "F_S", 2.9, "K_T", 31.0, NULL), 0, 1);
  take(s, "b", test_joint("jenkins", "F_S", 1.7, "K_T", 23.0, NULL), 2, MS_GROUND);
  take(s, "stop", test_joint("gap", "K", 210.0, "g_plus", 0.11, "g_minus", 0.17, NULL), 1, 2);
  take(s, "hard", test_joint("cubic", "K", 12.0, "K3", 410.0, NULL), 0, 2);
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_harmonic_create(s, &setting, &h));
  CHECK_OK(ms_harmonic_add_load(h, (const double[]) { 1.0, 0.0, 0.3 }, 1, 3.0, 0.0));
  for (int i = 0; i < 30; i++) list[i] = 3.1 + 0.55 * i;
  ms_harmonic_range range = { .from = 3.0, .to = 20.0, .list = list, .n_list = 30 };
  CHECK_OK(ms_harmonic_run_forced(h, &range, 1.0, &curve));
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  CHECK_TEXT(info.reason, "");
  CHECK(info.complete);
  CHECK_EQUAL(info.missed, 0);
  CHECK_BELOW(info.worst, 1e-10);
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(curve, i);
    if (p->listed) seen[p->listed - 1] = 1;
    mode[p->mode] = 1;
    backwards += i > 0 && p->omega < p[-1].omega;
  }
  for (int i = 0; i < 30; i++) CHECK_EQUAL(seen[i], 1);
  CHECK(mode[0] && mode[1] && mode[2]); /* each of them was master */
  CHECK(backwards > 5);                 /* folds */
  printf("# %td points, %td evaluations, %td steps, %td of them taken shorter, %d backwards\n",
         info.points, info.evaluations, info.steps, info.rejected, backwards);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

/* The Jenkins oscillator near its resonance: more harmonics until the peak stops moving. */
static void test_refinement(void) {
  const oscillator o = { .m = 1.3, .k = 47.0, .zeta = 0.023, .F = 1.87 };
  const double one = 1.0;
  ms_structure *s = build(&o, test_joint("jenkins", "F_S", 2.9, "K_T", 21.0, NULL));
  ms_harmonic *h = balance(s, o.F, 1, 1024);
  ms_harmonic_curve *curve = NULL;
  ms_harmonic_row row[20];
  ptrdiff_t n = 0;
  CHECK_OK(ms_harmonic_run_forced(h, &(ms_harmonic_range) { .from = 4.0, .to = 6.9 }, 1.0, &curve));
  ptrdiff_t last = ms_harmonic_curve_get_info(curve).points - 1;
  CHECK_OK(ms_harmonic_refine(h, curve, last, &one, 1e-5, 20, row, &n));
  for (ptrdiff_t i = 0; i < n; i++) {
    printf("# %2d harmonics, %td times: peak %.9g, change %.1e, residual %.1e\n", row[i].harmonics,
           row[i].times, row[i].peak, row[i].change, row[i].residual);
    CHECK_CLOSE(row[i].omega, 6.9, 1e-12);
    CHECK_BELOW(row[i].residual, 1e-10);
  }
  CHECK(n > 3);
  CHECK_BELOW(row[n - 1].change, 1e-5);
  CHECK(row[1].change > 1e-4);
  CHECK_STATUS(ms_harmonic_refine(h, curve, last, &one, 1e-12, 2, row, &n), MS_NOT_CONVERGED);
  CHECK_EQUAL(n, 2);
  ms_harmonic_curve_destroy(&curve);
  ms_harmonic_destroy(&h);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_duffing_closed_form);
  TEST(test_duffing_stability);
  TEST(test_duffing_in_time);
  TEST(test_jenkins_in_time);
  TEST(test_iwan_in_time);
  TEST(test_three_masses);
  TEST(test_refinement);
  return test_finish();
}
