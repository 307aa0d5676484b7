/* Densities from curves: exact deltas, orders, curves that are not admissible, errors, memory. The
   round trips of whole elements are in verify/test_densities.c. */
#include <math.h>
#include <string.h>

#include <microslip/density.h>

#include "support/check.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

/* ---- deltas: the sampled curve itself ---- */

enum { N_CORNER = 5 };
static const double corner_u[N_CORNER] = { 0.37, 0.9, 1.6, 3.3, 4.1 };

/* Slopes fall: K = 7.1, 5.2, 3.3, 1.9, 0.8. */
static void corner_curve(double *F) {
  static const double K[] = { 7.1, 5.2, 3.3, 1.9, 0.8 };
  for (int i = 0; i < N_CORNER; i++) {
    F[i] = (i ? F[i - 1] : 0.0) + K[i] * (corner_u[i] - (i ? corner_u[i - 1] : 0.0));
  }
}

static void test_virgin_deltas(void) {
  static const double S[] = { 1.9, 1.9, 1.4, 1.1, 0.8 };
  double F[N_CORNER], back[N_CORNER], slope;
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  setting.form = MS_DENSITY_DELTAS;
  corner_curve(F);
  CHECK_OK(ms_density_from_virgin(test_context(), N_CORNER, corner_u, F, &setting, &d, &r));
  CHECK_EQUAL(d->n, N_CORNER);
  for (int i = 0; i < N_CORNER && i < d->n; i++) {
    CHECK_NEAR(d->phi[i], corner_u[i], 0.0);
    CHECK_CLOSE(d->S[i], S[i], 1e-13);
    CHECK_NEAR(d->rho[i], 0.0, 0.0);
  }
  CHECK_CLOSE(r.K_T, 7.1, 1e-14);
  CHECK_CLOSE(r.F_S, F[4], 1e-14);
  CHECK_EQUAL(r.violations, 0);
  CHECK_EQUAL(r.worst, -1);
  CHECK_OK(ms_density_eval_virgin(test_context(), d, N_CORNER, corner_u, back, NULL));
  for (int i = 0; i < N_CORNER; i++) CHECK_CLOSE(back[i], F[i], 1e-14);
  ms_density_destroy(test_context(), &d);
  CHECK(d == NULL);

  setting.end = MS_DENSITY_END_SPRING;
  CHECK_OK(ms_density_from_virgin(test_context(), N_CORNER, corner_u, F, &setting, &d, &r));
  CHECK_CLOSE(d->K_inf, 0.8, 1e-13);
  CHECK_CLOSE(r.K_T, 7.1, 1e-14);
  const double far = 9.3;
  CHECK_OK(ms_density_eval_virgin(test_context(), d, 1, &far, back, &slope));
  CHECK_CLOSE(back[0], F[4] + 0.8 * (9.3 - 4.1), 1e-14);
  CHECK_CLOSE(slope, 0.8, 1e-13);
  ms_density_destroy(test_context(), &d);
}

/* A loss that Jenkins elements make, sampled at their corners and elsewhere, gives them back. */
static void test_loss_deltas(void) {
  static const double phi[] = { 0.9, 1.6, 4.1 }, S[] = { 1.9, 1.3, 0.8 };
  static const double u0[] = { 0.4, 0.9, 1.6, 2.2, 4.1, 5.7 };
  double D[6], back[6];
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  setting.form = MS_DENSITY_DELTAS;
  for (int i = 0; i < 6; i++) {
    D[i] = 0.0;
    for (int k = 0; k < 3; k++) D[i] += 4.0 * S[k] * phi[k] * fmax(0.0, u0[i] - phi[k]);
  }
  CHECK_OK(ms_density_from_dissipation(test_context(), 6, u0, D, &setting, &d, &r));
  CHECK_EQUAL(d->n, 3);
  for (int k = 0; k < 3 && k < d->n; k++) {
    CHECK_NEAR(d->phi[k], phi[k], 0.0);
    CHECK_CLOSE(d->S[k], S[k], 1e-12);
  }
  CHECK_OK(ms_density_eval_dissipation(test_context(), d, 6, u0, back));
  for (int i = 0; i < 6; i++) CHECK_NEAR(back[i], D[i], 1e-13 * D[5]);
  ms_density_destroy(test_context(), &d);

  /* From the first sample on: a first delta is put in, and every sample still met. */
  CHECK_OK(ms_density_from_dissipation(test_context(), 4, u0 + 2, D + 2, &setting, &d, &r));
  CHECK(d->n >= 3 && d->phi[0] > 0.0 && d->phi[0] < 1.6);
  CHECK_OK(ms_density_eval_dissipation(test_context(), d, 6, u0, back));
  for (int i = 2; i < 6; i++) CHECK_CLOSE(back[i], D[i], 1e-12);
  ms_density_destroy(test_context(), &d);
}

/* The rest up to a known stuck stiffness: where the last sample is, or a spring; or too much. */
static void test_known_stiffness(void) {
  static const double u0[] = { 0.9, 1.6, 2.2 }, D[] = { 0.0, 1.3, 3.7 };
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  setting.form = MS_DENSITY_DELTAS;
  CHECK_OK(ms_density_from_dissipation(test_context(), 3, u0, D, &setting, &d, &r));
  double found = r.K_T;
  ms_density_destroy(test_context(), &d);
  setting.K_T = found + 1.17;
  for (int form = 0; form < 2; form++) {
    setting.form = (ms_density_form)form;
    setting.end = MS_DENSITY_END_SLIPS;
    CHECK_OK(ms_density_from_dissipation(test_context(), 3, u0, D, &setting, &d, &r));
    CHECK_CLOSE(r.K_T, setting.K_T, 1e-14);
    CHECK_NEAR(d->phi[d->n - 1], 2.2, 0.0);
    CHECK(d->S[d->n - 1] > 0.0);
    ms_density_destroy(test_context(), &d);
    setting.end = MS_DENSITY_END_SPRING;
    CHECK_OK(ms_density_from_dissipation(test_context(), 3, u0, D, &setting, &d, &r));
    CHECK(d->K_inf > 0.0);
    CHECK_CLOSE(r.K_T, setting.K_T, 1e-14);
    ms_density_destroy(test_context(), &d);
  }
  setting.form = MS_DENSITY_DELTAS;
  setting.K_T = 0.5 * found;
  CHECK_STATUS(ms_density_from_dissipation(test_context(), 3, u0, D, &setting, &d, &r),
               MS_ERR_BOUNDS);
  CHECK(d == NULL);
  CHECK_HAS(message(), "more than K_T");
  setting.too_stiff = 1e3; /* then it passes, and K_T is not what was said */
  CHECK_OK(ms_density_from_dissipation(test_context(), 3, u0, D, &setting, &d, &r));
  CHECK(r.K_T > 1.9 * setting.K_T);
  ms_density_destroy(test_context(), &d);
}

/* ---- the smooth form ---- */

/* rho = 2 - sin(u) on uneven samples: error of the density in the middle, at the result's knots. */
static double smooth_error(int n, int loss) {
  static double u[2000], y[2000];
  double worst = 0.0;
  ms_density_table *d;
  for (int i = 0; i < n; i++) {
    double t = (i + 1.0) / n, x = 3.0 * (t + 0.09 * sin(9.0 * t)); /* steps vary by a factor 9 */
    u[i] = x;
    /* -g'' = rho, g'(3.2) = 0; D'' = 4 x rho */
    y[i] = loss ? 4.0 * (x * x * x / 3.0 + 2.0 * cos(x) + x * sin(x) - 2.0)
                : -x * x - sin(x) + x * (6.4 + cos(3.2));
  }
  CHECK_OK(loss ? ms_density_from_dissipation(test_context(), n, u, y, NULL, &d, NULL)
                : ms_density_from_virgin(test_context(), n, u, y, NULL, &d, NULL));
  for (ptrdiff_t i = 0; d && i < d->n; i++) {
    if (d->phi[i] < 0.3 || d->phi[i] > 2.5) continue;
    worst = fmax(worst, fabs(d->rho[i] - (2.0 - sin(d->phi[i]))));
  }
  ms_density_destroy(test_context(), &d);
  return worst;
}

static void test_second_order(void) {
  for (int loss = 0; loss < 2; loss++) {
    double coarse = smooth_error(100, loss), fine = smooth_error(800, loss);
    CHECK_NEAR(log(coarse / fine) / log(8.0), 2.0, 0.15);
    CHECK_BELOW(fine, 1e-4);
  }
}

/* A level density 0.3 and one delta anywhere between two samples, in the last cell too: one delta
   comes back, where it was, and the density beside it stays level. */
static void check_delta(double at, ms_density_end end) {
  enum { N = 24 };
  double phi[] = { 0.0, 5.0, 5.0 }, rho[] = { 0.3, 0.3, 0.0 }, S[] = { 0.0, 0.9, 0.0 }, u[N], F[N];
  ms_density_table in = { 3, phi, rho, S, end == MS_DENSITY_END_SPRING ? 0.17 : 0.0 }, *d;
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  setting.end = end;
  phi[1] = phi[2] = at;
  for (int i = 0; i < N; i++) u[i] = 0.2083 * (i + 1);
  CHECK_OK(ms_density_eval_virgin(test_context(), &in, N, u, F, NULL));
  CHECK_OK(ms_density_from_virgin(test_context(), N, u, F, &setting, &d, &r));
  CHECK_EQUAL(r.deltas, 1);
  CHECK_CLOSE(r.K_T, 0.3 * at + 0.9 + in.K_inf, 1e-12);
  CHECK_NEAR(d->K_inf, in.K_inf, 1e-12);
  for (ptrdiff_t i = 0; i < d->n; i++) {
    if (d->S[i] > 0.0) {
      CHECK_CLOSE(d->phi[i], at, 1e-12);
      CHECK_CLOSE(d->S[i], 0.9, 1e-12);
    }
    if (d->phi[i] < at - 0.01) CHECK_CLOSE(d->rho[i], 0.3, 1e-10);
  }
  ms_density_destroy(test_context(), &d);
}

static void test_one_delta(void) {
  for (int i = 0; i < 37; i++) {
    double at = 3.1 + 0.0391 * i;
    check_delta(at, MS_DENSITY_END_SLIPS);
    check_delta(at, MS_DENSITY_END_SPRING);
  }
  check_delta(0.2083 * 19, MS_DENSITY_END_SLIPS); /* on a sample */
  check_delta(0.2083 * 23.4, MS_DENSITY_END_SLIPS);
  check_delta(0.2083 * 23.8, MS_DENSITY_END_SLIPS);
}

/* Without corners, and with macroslip in the last chord only, mass is kept all the same: the
   stiffness of the first chord and half a cell more for a virgin curve, a quarter of the last
   chord's slope as slip force for a loss. */
static void test_mass_kept(void) {
  static const double u[] = { 0.3, 0.8, 1.1, 1.7, 2.9 }, F[] = { 2.1, 5.1, 6.6, 8.7, 8.7 };
  static const double D[] = { 0.02, 0.3, 0.9, 4.7, 13.1 };
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  setting.corner = 0.0;
  CHECK_OK(ms_density_from_virgin(test_context(), 5, u, F, &setting, &d, &r));
  double rho = (7.0 - 6.0) / (0.5 * 0.8); /* of the first sample */
  CHECK_EQUAL(r.deltas, 0);
  CHECK_CLOSE(r.K_T, 7.0 + rho * 0.3 / 2.0, 1e-12);
  ms_density_destroy(test_context(), &d);
  CHECK_OK(ms_density_from_dissipation(test_context(), 5, u, D, &setting, &d, &r));
  CHECK_EQUAL(r.deltas, 0);
  CHECK_CLOSE(r.F_S, (13.1 - 4.7) / 1.2 / 4.0, 1e-12);
  ms_density_destroy(test_context(), &d);
}

/* ---- curves that are not admissible ---- */

enum { N_NOISY = 400 };

/* A parabola with every third sample off by `noise` of itself. */
static void noisy_curve(double noise, double *u, double *F) {
  for (int i = 0; i < N_NOISY; i++) {
    u[i] = 0.0123 * (i + 1);
    double x = fmin(u[i], 4.1);
    F[i] = (8.2 * x - x * x) * (1.0 + noise * sin(37.0 * i * i));
  }
}

static void test_violations(void) {
  static double u[N_NOISY], F[N_NOISY], back[N_NOISY];
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  noisy_curve(1e-3, u, F);
  CHECK_STATUS(ms_density_from_virgin(test_context(), N_NOISY, u, F, NULL, &d, &r), MS_ERR_BOUNDS);
  CHECK(d == NULL && r.violations > 100 && r.worst >= 0);
  CHECK_HAS(message(), "not concave");
  CHECK_HAS(message(), "projection");
  setting.projection = 3e-3;
  for (int form = 0; form < 2; form++) {
    setting.form = (ms_density_form)form;
    CHECK_OK(ms_density_from_virgin(test_context(), N_NOISY, u, F, &setting, &d, &r));
    CHECK(r.correction > 1e-4 && r.correction <= 3e-3);
    if (setting.form == MS_DENSITY_SMOOTH) CHECK_BELOW((double)r.deltas, 8.0);
    CHECK_OK(ms_density_eval_virgin(test_context(), d, N_NOISY, u, back, NULL));
    for (int i = 0; i < N_NOISY; i++) {
      double x = fmin(u[i], 4.1);
      CHECK_CLOSE(back[i], 8.2 * x - x * x, 5e-3);
    }
    CHECK_CLOSE(r.F_S, 4.1 * 4.1, 3e-3);
    ms_density_destroy(test_context(), &d);
  }
}

/* Two chords out of order: the chord over both takes their place. */
static void test_pooling(void) {
  static const double u[] = { 1.0, 2.0, 3.0, 4.0 }, F[] = { 5.0, 7.0, 10.0, 9.5 };
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  setting.form = MS_DENSITY_DELTAS;
  setting.projection = 0.2;
  CHECK_OK(ms_density_from_virgin(test_context(), 4, u, F, &setting, &d, &r));
  CHECK_EQUAL(r.violations, 2); /* 7 moves to 7.5, and 9.5 to 10 because the curve must not fall */
  CHECK_EQUAL(r.worst, 1);
  CHECK_CLOSE(r.correction, 0.5 / 7.5, 1e-12);
  CHECK_EQUAL(d->n, 2);
  CHECK_NEAR(d->phi[0], 1.0, 0.0);
  CHECK_CLOSE(d->S[0], 2.5, 1e-13);
  CHECK_NEAR(d->phi[1], 3.0, 0.0);
  CHECK_CLOSE(d->S[1], 2.5, 1e-13);
  ms_density_destroy(test_context(), &d);
  setting.projection = 0.06;
  CHECK_STATUS(ms_density_from_virgin(test_context(), 4, u, F, &setting, &d, &r), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "sample 1");
  static const double D[] = { 0.5, 3.0, 4.0, 8.0 };
  CHECK_STATUS(ms_density_from_dissipation(test_context(), 4, u, D, &setting, &d, &r),
               MS_ERR_BOUNDS);
  CHECK_HAS(message(), "not convex");
  setting.projection = 0.5;
  CHECK_OK(ms_density_from_dissipation(test_context(), 4, u, D, &setting, &d, &r));
  CHECK_CLOSE(r.correction, 0.75 / 3.0, 1e-12); /* 3 moves to 2.25 */
  ms_density_destroy(test_context(), &d);
}

/* A loss in proportion to the amplitude has no density; it is met as nearly as can be. */
static void test_degenerate_curves(void) {
  static const double u[] = { 1.3, 2.6, 3.9 }, line[] = { 2.6, 5.2, 7.8 };
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_report r;
  ms_density_table *d;
  double D[3];
  for (int form = 0; form < 2; form++) {
    setting.form = (ms_density_form)form;
    CHECK_OK(ms_density_from_virgin(test_context(), 3, u, line, &setting, &d, &r));
    CHECK_CLOSE(r.K_T, 2.0, 1e-12); /* one Jenkins element */
    CHECK_CLOSE(r.F_S, 7.8, 1e-12);
    ms_density_destroy(test_context(), &d);
    CHECK_OK(ms_density_from_dissipation(test_context(), 3, u, line, &setting, &d, &r));
    CHECK_OK(ms_density_eval_dissipation(test_context(), d, 3, u, D));
    CHECK_CLOSE(D[2], line[2], form == MS_DENSITY_DELTAS ? 2e-3 : 0.2);
    ms_density_destroy(test_context(), &d);
  }
}

/* ---- errors ---- */

static void refuse(ptrdiff_t n, const double *u, const double *F, ms_status status,
                   const char *text) {
  ms_density_table *d;
  CHECK_STATUS(ms_density_from_virgin(test_context(), n, u, F, NULL, &d, NULL), status);
  CHECK(d == NULL);
  CHECK_HAS(message(), text);
}

static void test_refused(void) {
  const double up[] = { 0.3, 0.7, 1.1 }, flat[] = { 0.3, 0.7, 0.7 }, minus[] = { -0.3, 0.7, 1.1 };
  const double F[] = { 1.0, 1.9, 2.4 }, bad[] = { 1.0, NAN, 2.4 }, below[] = { 1.0, 1.9, -2.4 };
  const double zero[] = { 0.0, 0.7, 1.1 };
  refuse(3, up, bad, MS_ERR_NUMERIC, "row 2");
  refuse(3, flat, F, MS_ERR_BOUNDS, "row 3: u = 0.7");
  refuse(3, minus, F, MS_ERR_BOUNDS, "row 1: u = -0.3");
  refuse(3, up, below, MS_ERR_BOUNDS, "row 3: F = -2.4");
  refuse(3, zero, F, MS_ERR_BOUNDS, "0 at u = 0");
  refuse(1, up, F, MS_ERR_ARGUMENT, "two samples");
  refuse(2, zero, zero, MS_ERR_ARGUMENT, "two samples");
  ms_density_setting setting = MS_DENSITY_SETTING_DEFAULT;
  ms_density_table *d;
  setting.corner = NAN;
  CHECK_STATUS(ms_density_from_virgin(test_context(), 3, up, F, &setting, &d, NULL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "corner");
}

static void test_bad_density(void) {
  double phi[] = { 0.3, 0.7 }, rho[] = { 1.0, -1.0 }, S[] = { 0.0, 0.0 }, u = 0.4, F;
  ms_density_table d = { 2, phi, rho, S, 0.0 };
  CHECK_STATUS(ms_density_eval_virgin(test_context(), &d, 1, &u, &F, NULL), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "density: row 2");
  rho[1] = 1.0;
  d.K_inf = -1.0;
  CHECK_STATUS(ms_density_eval_dissipation(test_context(), &d, 1, &u, &F), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "K_inf");
  d.n = 0;
  CHECK_STATUS(ms_density_eval_dissipation(test_context(), &d, 1, &u, &F), MS_ERR_ARGUMENT);
  ms_density_destroy(test_context(), NULL);
}

static ms_status there_and_back(ms_context *ctx, void *user) {
  double F[N_CORNER], back[N_CORNER];
  ms_density_table *d;
  (void)user;
  corner_curve(F);
  MS_TRY(ms_density_from_virgin(ctx, N_CORNER, corner_u, F, NULL, &d, NULL));
  ms_status status = ms_density_eval_virgin(ctx, d, N_CORNER, corner_u, back, NULL);
  if (status == MS_SUCCESS) {
    status = ms_density_eval_dissipation(ctx, d, N_CORNER, corner_u, back);
  }
  ms_density_destroy(ctx, &d);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(there_and_back, NULL) >= 5);
}

int main(void) {
  TEST(test_virgin_deltas);
  TEST(test_loss_deltas);
  TEST(test_known_stiffness);
  TEST(test_second_order);
  TEST(test_one_delta);
  TEST(test_mass_kept);
  TEST(test_violations);
  TEST(test_pooling);
  TEST(test_degenerate_curves);
  TEST(test_refused);
  TEST(test_bad_density);
  TEST(test_memory_failures);
  return test_finish();
}
