/* Dashpots in joints: the stuck frequency response against the equations in coordinates, damping
   ratios and quasi-static losses against complex eigenvalues. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/quasistatic.h>
#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 3 };
static const double M[N * N] = { 1.13, 0.1, 0.0, 0.1, 2.07, 0.2, 0.0, 0.2, 1.53 };
static const double K[N * N] = { 700.0, -300.0, 0.0, -300.0, 800.0, -500.0, 0.0, -500.0, 513.0 };
static const double C[N * N] = { 0.5, -0.1, 0.0, -0.1, 0.31, -0.2, 0.0, -0.2, 0.9 };
/* linear between the second and third mass, LuGre from the ground to the first */
static const double K_s = 211.0, C_s = 2.17, sigma_0 = 53.0, sigma_1 = 0.61, sigma_2 = 0.47;

/* `part` of all damping. */
static ms_structure *damped(double part, const char *second) {
  const ptrdiff_t from[] = { 1, MS_GROUND }, to[] = { 2, 0 };
  ms_structure *s = NULL;
  double c[N * N];
  ms_joint *spring = test_joint("linear", "K", K_s, "C", part * C_s, NULL);
  ms_joint *pad =
      strcmp(second, "lugre") == 0
          ? test_joint("lugre", "F_c", 1.9, "F_s", 2.3, "v_st", 0.05, "sigma_0", sigma_0, "sigma_1",
                       part * sigma_1, "sigma_2", part * sigma_2, NULL)
          : test_joint("linear", "K", sigma_0, "C", part * (sigma_1 + sigma_2), NULL);
  for (int i = 0; i < N * N; i++) c[i] = part * C[i];
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  CHECK_OK(ms_structure_set_mass(s, M));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_set_damping(s, c));
  CHECK_OK(ms_structure_take_joint(s, "spring", &spring, &from[0], &to[0]));
  CHECK_OK(ms_structure_take_joint(s, "pad", &pad, &from[1], &to[1]));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* A += x B B^T of both joints. */
static void add_joints(double complex spring, double complex pad, double complex *A) {
  A[0] += pad;
  A[1 + N * 1] += spring, A[2 + N * 2] += spring;
  A[1 + N * 2] -= spring, A[2 + N * 1] -= spring;
}

static double complex direct(double w, double complex spring, double complex pad) {
  double complex A[N * N], x[N] = { 0.0, 0.0, 1.0 };
  lapack_int pivot[N];
  for (int i = 0; i < N * N; i++) A[i] = K[i] - w * w * M[i] + I * w * C[i];
  add_joints(spring, pad, A);
  CHECK(LAPACKE_zgesv(LAPACK_COL_MAJOR, N, 1, A, N, pivot, x, N) == 0);
  return x[0];
}

static void compare(ms_structure *s, ms_joint_state joints, const ms_joint_linear *linear,
                    double complex (*want)(double w)) {
  const double force[] = { 0.0, 0.0, 1.0 }, sensor[] = { 1.0, 0.0, 0.0 };
  ms_response_request q = {
    .kind = MS_RECEPTANCE, .force = force, .sensor = sensor, .joints = joints, .linear = linear
  };
  for (double w = 0.0; w < 50.0; w += 3.37) {
    double H[2];
    CHECK_OK(ms_response_synthesise(s, &q, 1, &w, H));
    CHECK_NEAR(cabs(H[0] + I * H[1] - want(w)) / cabs(want(w)), 0.0, 1e-12);
  }
}

static double complex stuck(double w) {
  return direct(w, K_s + I * w * C_s, sigma_0 + I * w * (sigma_1 + sigma_2));
}

/* A spring with a dashpot never slips; of LuGre nothing is left. */
static double complex slipped(double w) {
  return direct(w, K_s + I * w * C_s, 0.0);
}

/* Losses of a cycle are those at the frequency it was led with, at every other as well. */
static const double led = 17.3;

static double complex at_amplitude(double w) {
  (void)w;
  return direct(w, K_s + I * led * C_s, sigma_0 + I * led * (sigma_1 + sigma_2));
}

static void test_response(void) {
  static const char *const second[] = { "linear", "lugre" };
  for (int k = 0; k < 2; k++) {
    ms_structure *s = damped(1.0, second[k]);
    const double none[2] = { 0.0, 0.0 };
    ms_joint_linear linear[2];
    compare(s, MS_JOINTS_STUCK, NULL, stuck);
    compare(s, MS_JOINTS_SLIPPED, NULL, k == 0 ? stuck : slipped);
    CHECK_OK(ms_response_linearise(s, none, led, linear));
    compare(s, MS_JOINTS_GIVEN, linear, at_amplitude);
    ms_structure_destroy(&s);
  }
}

/* D = pi C omega u0^2 of a dashpot, whatever the amplitude. */
static void test_loss_at_amplitude(void) {
  const double u0[2] = { 0.0137, 2.3e-6 };
  ms_structure *s = damped(1.0, "linear");
  ms_joint_linear linear[2];
  CHECK_OK(ms_response_linearise(s, u0, led, linear));
  CHECK_CLOSE(linear[0].stiffness, K_s, 1e-12);
  CHECK_CLOSE(linear[0].loss, led * C_s, 1e-12);
  CHECK_CLOSE(linear[1].loss, led * (sigma_1 + sigma_2), 1e-12);
  compare(s, MS_JOINTS_GIVEN, linear, at_amplitude);
  ms_structure_destroy(&s);
}

/* Damping ratios of x' = [0 1; -M^-1 K, -M^-1 C] x, frequencies rising. */
static void exact(double part, double *zeta) {
  enum { S = 2 * N };
  double A[S * S] = { 0.0 }, right[N * S], mass[N * N], re[S], im[S], size[N];
  double complex k[N * N], c[N * N];
  lapack_int pivot[N];
  for (int i = 0; i < N * N; i++) k[i] = K[i], c[i] = part * C[i];
  add_joints(K_s, sigma_0, k);
  add_joints(part * C_s, part * (sigma_1 + sigma_2), c);
  memcpy(mass, M, sizeof mass);
  for (int i = 0; i < N * N; i++) right[i] = -creal(k[i]), right[i + N * N] = -creal(c[i]);
  CHECK(LAPACKE_dgesv(LAPACK_COL_MAJOR, N, S, mass, N, pivot, right, N) == 0);
  for (int i = 0; i < N; i++) {
    A[i + S * (i + N)] = 1.0;
    for (int j = 0; j < S; j++) A[N + i + S * j] = right[i + N * j];
  }
  CHECK(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', S, A, S, re, im, NULL, 1, NULL, 1) == 0);
  int n = 0;
  for (int i = 0; i < S; i++) {
    if (im[i] <= 0.0) continue;
    int at = n++;
    for (; at > 0 && size[at - 1] > hypot(re[i], im[i]); at--) {
      size[at] = size[at - 1], zeta[at] = zeta[at - 1];
    }
    size[at] = hypot(re[i], im[i]), zeta[at] = -re[i] / size[at];
  }
  CHECK(n == N);
}

/* The structure's part and the dashpots' make the whole, but for third order: a tenth of the
   damping, a thousandth of the error. */
static void test_ratios(void) {
  double error[2][N];
  for (int k = 0; k < 2; k++) {
    double part = k ? 0.1 : 1.0, zeta[N];
    ms_structure *s = damped(part, "lugre");
    exact(part, zeta);
    for (int r = 0; r < N; r++) {
      double own = ms_structure_get_damping_ratio(s, r);
      double dashpots = ms_structure_get_joint_damping_ratio(s, r);
      CHECK(dashpots > 0.1 * own);
      CHECK_CLOSE(own + dashpots, zeta[r], 3.0 * zeta[r] * zeta[r]);
      error[k][r] = fabs(own + dashpots - zeta[r]);
      if (k) CHECK_BELOW(error[1][r], 1.5e-3 * error[0][r]);
    }
    CHECK(ms_structure_get_joint_damping_ratio(s, -1) == 0.0);
    CHECK(ms_structure_get_joint_damping_ratio(s, N) == 0.0);
    ms_structure_destroy(&s);
  }
}

/* zeta_joint holds the dashpots' loss, zeta_viscous does not; together they are the eigenvalue's.
 */
static void test_quasistatic(void) {
  const double q = 0.0213, part = 0.1;
  double zeta[N];
  exact(part, zeta);
  for (int kind = 0; kind < 2; kind++) {
    for (int r = 0; r < N; r++) {
      ms_structure *s = damped(part, "linear");
      ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
      ms_quasistatic *run = NULL;
      setting.kind = kind ? MS_QUASISTATIC_RQNM : MS_QUASISTATIC_QSMA;
      setting.mode = r;
      CHECK_OK(ms_quasistatic_create(s, &setting, &run));
      CHECK_OK(ms_quasistatic_run(run, 1, &q));
      const ms_quasistatic_level *l = ms_quasistatic_get_level(run, 0);
      CHECK_CLOSE(l->zeta_joint, ms_structure_get_joint_damping_ratio(s, r), 1e-10);
      CHECK_CLOSE(l->zeta_viscous, ms_structure_get_damping_ratio(s, r), 1e-10);
      CHECK_CLOSE(l->zeta, zeta[r], 3.0 * zeta[r] * zeta[r]);
      ms_quasistatic_destroy(&run);
      ms_structure_destroy(&s);
    }
  }
}

int main(void) {
  TEST(test_response);
  TEST(test_loss_at_amplitude);
  TEST(test_ratios);
  TEST(test_quasistatic);
  return test_finish();
}
