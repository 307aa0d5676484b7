/* Quasi-static modes against closed forms and against brute force in coordinates: Newton on
   K x + B f(B^T x) = alpha M phi_r + p with all coordinates as unknowns, led round the cycle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/quasistatic.h>

#include "structure/impl.h"
#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

enum { N = TEST_FRAME_SIZE, MAX_JOINTS = TEST_FRAME_JOINTS, MAX_LEVELS = 24 };

static const double pi = 3.14159265358979323846;
static ms_joint *make_jenkins(int k) {
  return test_joint("jenkins", "F_S", 2.385 + 1.9 * k, "K_T", 71.0 - 23.0 * k, NULL);
}

static ms_joint *make_valanis(int k) {
  (void)k;
  return test_joint("valanis", "E_0", 71.3, "E_t", 3.7, "lambda", 31.0, "kappa", 0.37, NULL);
}

static ms_joint *make_cubic(int k) {
  return test_joint("cubic", "K", 31.7 + k, "K3", 83.1, NULL);
}

static ms_joint *make_mixed(int k) {
  return k == 0 ? make_cubic(0) : test_frame_iwan(k);
}

/* ---- brute force ---- */

typedef struct brute {
  const ms_structure *s;
  int joints;
  ms_joint *joint[MAX_JOINTS];
  double x[N], p[N], load[N]; /* p constant, load M phi_r */
  double slope[MAX_JOINTS];
} brute;

static double across(const double *x, int k) {
  return x[test_frame_to[k]] - (test_frame_from[k] == MS_GROUND ? 0.0 : x[test_frame_from[k]]);
}

static void spread(double *y, int k, double value) {
  y[test_frame_to[k]] += value;
  if (test_frame_from[k] != MS_GROUND) y[test_frame_from[k]] -= value;
}

static brute brute_create(const ms_structure *s, test_make_fn make, int joints, ptrdiff_t mode) {
  brute b = { .s = s, .joints = joints };
  const double *phi = ms_structure_get_stuck(s).shape + N * mode, *M = ms_structure_get_mass(s);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < N; k++) b.load[i] += M[i + N * k] * phi[k];
  }
  for (int k = 0; k < joints; k++) b.joint[k] = make(k);
  return b;
}

static void brute_destroy(brute *b) {
  for (int k = 0; k < b->joints; k++) ms_joint_destroy(&b->joint[k]);
}

/* Plain elimination with pivots. */
static void eliminate(double A[N][N], double *y) {
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k; i < N; i++) p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    for (int j = 0; j < N; j++) {
      double t = A[k][j];
      A[k][j] = A[p][j], A[p][j] = t;
    }
    double t = y[k];
    y[k] = y[p], y[p] = t;
    for (int i = 0; i < N; i++) {
      double l = i == k ? 0.0 : A[i][k] / A[k][k];
      for (int j = 0; j < N; j++) A[i][j] -= l * A[k][j];
      y[i] -= l * y[k];
    }
  }
  for (int k = 0; k < N; k++) y[k] /= A[k][k];
}

/* One Newton iteration; the size of its step. */
static double brute_iterate(brute *b, double alpha, double part, ms_joint_trial *trial) {
  const double *K = ms_structure_get_stiffness(b->s);
  double A[N][N], R[N], size = 0.0;
  for (int i = 0; i < N; i++) {
    R[i] = -alpha * b->load[i] - part * b->p[i];
    for (int k = 0; k < N; k++) A[i][k] = K[i + N * k], R[i] += K[i + N * k] * b->x[k];
  }
  for (int k = 0; k < b->joints; k++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    in.u[0] = across(b->x, k);
    CHECK_OK(ms_joint_update(b->joint[k], &in, &out, &trial[k]));
    spread(R, k, out.force[0]);
    for (int i = 0; i < N; i++) {
      double e[N] = { 0.0 };
      e[i] = 1.0;
      spread(A[i], k, out.du[0] * across(e, k)); /* row i of B k B^T */
    }
  }
  eliminate(A, R);
  for (int i = 0; i < N; i++) b->x[i] -= R[i], size = fmax(size, fabs(R[i]));
  return size;
}

static void brute_step(brute *b, double alpha, double part) {
  ms_joint_trial trial[MAX_JOINTS];
  for (int k = 0; k < 60 && brute_iterate(b, alpha, part, trial) > 1e-15; k++) {
  }
  brute_iterate(b, alpha, part, trial);
  for (int k = 0; k < b->joints; k++) CHECK_OK(ms_joint_commit(b->joint[k], &trial[k]));
}

static double brute_q(const brute *b) {
  double q = 0.0;
  for (int i = 0; i < N; i++) q += b->load[i] * b->x[i];
  return q;
}

static double brute_energy(const brute *b) {
  double sum = 0.0;
  for (int k = 0; k < b->joints; k++) {
    ms_joint_energy e;
    CHECK_OK(ms_joint_get_energy(b->joint[k], &e));
    sum += e.dissipated;
  }
  return sum;
}

/* Half range of q and loss of the steady loop between +-alpha. */
static void brute_loop(brute *b, double alpha, int turns, double *q, double *D) {
  enum { STEPS = 30 };
  for (int i = 1; i <= STEPS; i++) brute_step(b, alpha * i / STEPS, 1.0);
  for (int turn = 0; turn < turns; turn++) {
    double begin = brute_energy(b), high = brute_q(b);
    for (int i = 1; i <= 2 * STEPS; i++) {
      brute_step(b, alpha * cos(pi * i / STEPS), 1.0);
      if (i == STEPS) *q = 0.5 * (high - brute_q(b));
    }
    *D = brute_energy(b) - begin;
  }
}

/* ---- runs ---- */

static ms_quasistatic *start(ms_structure *s, ms_quasistatic_setting setting, ptrdiff_t mode) {
  ms_quasistatic *run = NULL;
  setting.mode = mode;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  return run;
}

static const ms_quasistatic_setting standard = MS_QUASISTATIC_DEFAULT;

/* ---- closed forms ---- */

/* One mass, a spring and an iwan4 to ground: z = q/sqrt(m), all else written out. */
static void test_single_mass(void) {
  const double m = 1.73, K = 3.19, F_S = 2.385, K_T = 5.71, chi = -0.43, beta = 1.37, c = chi + 1.0;
  const double phi = F_S * (1.0 + beta) / (K_T * (beta + c / (c + 1.0)));
  const double R = K_T * c / (pow(phi, c) * (1.0 + beta)), zeta = 3.1e-3;
  const double omega_0 = sqrt((K + K_T) / m);
  ms_structure *s = NULL;
  ms_joint *j = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", chi, "beta", beta, NULL);
  ptrdiff_t from = MS_GROUND, to = 0;
  double level[MAX_LEVELS];
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, m));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, K));
  CHECK_OK(ms_structure_take_joint(s, "foot", &j, &from, &to));
  CHECK_OK(ms_structure_set_modal_damping(s, &zeta));
  CHECK_OK(ms_structure_setup(s));
  ms_quasistatic *run = start(s, standard, 0);
  CHECK_OK(ms_quasistatic_space(test_context(), 1e-3, 4.7, MAX_LEVELS, level));
  CHECK_OK(ms_quasistatic_run(run, MAX_LEVELS, level));
  for (int k = 0; k < MAX_LEVELS; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    double q = level[k], u = q / sqrt(m), a = fmin(u, phi);
    double F = u < phi ? K_T * u - R * pow(u, c + 1.0) / (c * (c + 1.0)) : F_S;
    double D = 4.0 * R * pow(a, c + 2.0) / ((c + 1.0) * (c + 2.0)) + 4.0 * F_S * (u - a);
    double omega = sqrt((K * u + F) / (u * m));
    CHECK_CLOSE(l->alpha, (K * u + F) / sqrt(m), 1e-13);
    CHECK_CLOSE(l->omega, omega, 1e-13);
    CHECK_CLOSE(l->z[0], u, 1e-13);
    CHECK_CLOSE(l->f[0], F, 1e-12);
    CHECK_CLOSE(l->D, D, 1e-11);
    CHECK_CLOSE(l->D_joint[0], D, 1e-11);
    CHECK_CLOSE(l->zeta_joint, D / (2.0 * pi * omega * omega * q * q), 1e-11);
    CHECK_CLOSE(l->zeta_viscous, zeta * omega_0 / omega, 1e-13);
    CHECK_CLOSE(l->zeta, l->zeta_joint + l->zeta_viscous, 1e-15);
    CHECK_EQUAL(l->method, MS_LOSS_OWN);
  }
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* The least that a setting may be, and one less. */
static void test_least_settings(void) {
  ms_structure *s = test_three_mass(0.0);
  for (int i = 0; i < 8; i++) {
    ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
    ms_quasistatic *run = NULL;
    const int less = i % 2;
    if (i / 2 == 0) setting.newton_max = 1 - less;
    if (i / 2 == 1) setting.divide_max = 0 - less;
    if (i / 2 == 2) setting.cycle_steps = 2 - less;
    if (i / 2 == 3) setting.cycle_max = 2 - less;
    CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), less ? MS_ERR_BOUNDS : MS_SUCCESS);
    ms_quasistatic_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* Log spacing: ends exact, ratios equal. */
static void test_space(void) {
  double level[7];
  CHECK_OK(ms_quasistatic_space(test_context(), 0.0231, 4.17, 7, level));
  CHECK_CLOSE(level[0], 0.0231, 1e-15);
  CHECK_CLOSE(level[6], 4.17, 0.0);
  for (int k = 1; k < 6; k++) CHECK_CLOSE(level[k + 1] / level[k], level[1] / level[0], 1e-13);
  for (double to = 0.317; to < 9.0; to *= 1.37) { /* whatever the logarithm rounds to */
    CHECK_OK(ms_quasistatic_space(test_context(), 0.0231, to, 7, level));
    CHECK_NEAR(level[6], to, 0.0);
  }
  CHECK_STATUS(ms_quasistatic_space(test_context(), 2.1, 1.7, 3, level), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_quasistatic_space(test_context(), 0.0, 1.7, 3, level), MS_ERR_BOUNDS);
}

/* ---- against brute force ---- */

static void compare(test_make_fn make, int joints, ptrdiff_t mode, ms_loss_method method,
                    int cycled, int turns, double tolerance) {
  static const double level[] = { 0.0471, 0.213, 0.629 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(make, joints);
  setting.cycled = cycled;
  setting.cycle_steps = 30;
  setting.cycle_max = 400;
  ms_quasistatic *run = start(s, setting, mode);
  CHECK_OK(ms_quasistatic_run(run, 3, level));
  for (int k = 0; k < 3; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    brute b = brute_create(s, make, joints, mode);
    double q = 0.0, D = 0.0;
    brute_loop(&b, l->alpha, turns, &q, &D);
    CHECK_EQUAL(l->method, method);
    CHECK_CLOSE(l->q, q, tolerance);
    CHECK_CLOSE(l->omega, sqrt(l->alpha / q), tolerance);
    CHECK_NEAR(l->D, D, tolerance * D + 1e-13 * l->alpha * q);
    CHECK_BELOW(l->residual, 1e-11);
    if (method == MS_LOSS_CYCLED) CHECK_BELOW(l->drift, 1e-10);
    brute_destroy(&b);
  }
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Joints that slip at different loads: the ratio of their motions changes, and yet their own losses
   are those of the whole, by Masing's rules. */
static void test_two_joints(void) {
  for (ptrdiff_t mode = 0; mode < 3; mode++) {
    compare(test_frame_iwan, 2, mode, MS_LOSS_OWN, 0, 2, 1e-10);
    compare(test_frame_iwan, 2, mode, MS_LOSS_CYCLED, 1, 2, 1e-10);
    compare(make_jenkins, 2, mode, MS_LOSS_OWN, 0, 2, 1e-10);
  }
}

static void test_proportion_changes(void) {
  static const double level[] = { 0.01, 0.629 };
  ms_structure *s = test_frame(make_jenkins, 2);
  ms_quasistatic *run = start(s, standard, 1);
  CHECK_OK(ms_quasistatic_run(run, 2, level));
  const ms_quasistatic_level *a = ms_quasistatic_get_level(run, 0),
                             *b = ms_quasistatic_get_level(run, 1);
  CHECK(fabs(b->z[0] / b->z[1] / (a->z[0] / a->z[1]) - 1.0) > 0.05);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* An odd spring has its tips on its curve, and takes part in own losses. */
static void test_odd_spring(void) {
  compare(make_cubic, 2, 0, MS_LOSS_OWN, 0, 2, 1e-10);
  compare(make_mixed, 2, 1, MS_LOSS_OWN, 0, 2, 1e-10);
}

/* Not Masing: the virgin curve is not where steady loops turn. */
static void test_not_masing(void) {
  compare(make_valanis, 1, 0, MS_LOSS_CYCLED, 0, 200, 1e-8);
}

/* A preload: q and alpha from the loop's half ranges around it. */
static void test_preload(void) {
  static const double level[] = { 0.213, 1.37, 3.1 }, force[N] = { 0.0, 3.7, 0.0, 0.0, 1.9 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(test_frame_iwan, 2);
  setting.level = MS_LEVEL_LOAD;
  setting.preload = force;
  ms_quasistatic *run = start(s, setting, 0);
  CHECK_OK(ms_quasistatic_run(run, 3, level));
  for (int k = 0; k < 3; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    brute b = brute_create(s, test_frame_iwan, 2, 0);
    double q = 0.0, D = 0.0;
    memcpy(b.p, force, sizeof force);
    for (int i = 1; i <= 32; i++) brute_step(&b, 0.0, i / 32.0);
    brute_loop(&b, level[k], 4, &q, &D);
    CHECK_EQUAL(l->method, MS_LOSS_CYCLED);
    CHECK_CLOSE(l->alpha, level[k], 1e-12);
    CHECK_CLOSE(l->q, q, 1e-9);
    CHECK_CLOSE(l->D, D, 1e-8);
    CHECK_CLOSE(l->D_check, l->D, 2e-2); /* area of the modal loop in 64 steps a half */
    brute_destroy(&b);
  }
  CHECK_TEXT(ms_quasistatic_method_name(MS_LOSS_OWN), "own");
  CHECK_TEXT(ms_quasistatic_method_name(MS_LOSS_CYCLED), "cycled");
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Levels as amplitudes under a preload: first loading reaches the level, and its load makes the
   loop, whose half range is another. */
static void test_preload_by_amplitude(void) {
  static const double level[] = { 0.0471, 0.213 }, force[N] = { 0.0, 3.7, 0.0, 0.0, 1.9 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  setting.preload = force;
  ms_structure *s = test_frame(test_frame_iwan, 2), *s_load = test_frame(test_frame_iwan, 2);
  ms_quasistatic *run = start(s, setting, 0), *by_load;
  double alpha[2];
  setting.level = MS_LEVEL_LOAD;
  by_load = start(s_load, setting, 0);
  CHECK_OK(ms_quasistatic_run(run, 2, level));
  for (int k = 0; k < 2; k++) alpha[k] = ms_quasistatic_get_level(run, k)->alpha;
  CHECK_OK(ms_quasistatic_run(by_load, 2, alpha));
  for (int k = 0; k < 2; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k),
                               *want = ms_quasistatic_get_level(by_load, k);
    brute b = brute_create(s, test_frame_iwan, 2, 0);
    memcpy(b.p, force, sizeof force);
    for (int i = 1; i <= 32; i++) brute_step(&b, 0.0, i / 32.0);
    double q_0 = brute_q(&b);
    for (int i = 1; i <= 32; i++) brute_step(&b, l->alpha * i / 32.0, 1.0);
    CHECK_CLOSE(brute_q(&b) - q_0, level[k], 1e-11);
    brute_destroy(&b);
    CHECK(fabs(l->q / level[k] - 1.0) > 1e-3);
    CHECK_CLOSE(l->q, want->q, 1e-11);
    CHECK_CLOSE(l->D, want->D, 1e-9);
    CHECK_CLOSE(l->omega, sqrt(l->alpha / l->q), 1e-14);
  }
  ms_quasistatic_destroy(&run);
  ms_quasistatic_destroy(&by_load);
  ms_structure_destroy(&s);
  ms_structure_destroy(&s_load);
}

/* Joints so unlike that one turns back on the way up when the other slips. */
static ms_joint *make_unlike(int k) {
  return test_joint("jenkins", "F_S", k ? 0.513 : 2.385, "K_T", k ? 140.0 : 71.0, NULL);
}

static void test_turns_back(void) {
  compare(make_unlike, 2, 1, MS_LOSS_CYCLED, 0, 3, 1e-10);
}

/* More axes than the inner loop's own elimination is for. */
static void test_many_joints(void) {
  enum { MASSES = 30 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = NULL;
  double level[MAX_LEVELS];
  CHECK_OK(ms_structure_create(test_context(), MASSES, NULL, &s));
  for (ptrdiff_t i = 0; i < MASSES; i++) {
    ptrdiff_t from = i - 1;
    double x = (double)i;
    ms_joint *j = test_joint("iwan_uniform", "F_S", 2.9 + 0.7 * sin(x), "K_T", 31.0 + x, NULL);
    CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.4 * sin(1.7 * x)));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i, 900.0 + 210.0 * cos(2.3 * x)));
    CHECK_OK(ms_structure_take_joint(s, "many", &j, &from, &i));
  }
  CHECK_OK(ms_structure_setup(s));
  setting.check = 1;
  ms_quasistatic *run = start(s, setting, 1);
  CHECK_OK(ms_quasistatic_space(test_context(), 0.03, 1.7, MAX_LEVELS, level));
  CHECK_OK(ms_quasistatic_run(run, MAX_LEVELS, level));
  const ms_quasistatic_level *l = ms_quasistatic_get_level(run, MAX_LEVELS - 1);
  CHECK_EQUAL(l->method, MS_LOSS_OWN);
  CHECK_BELOW(l->residual, 1e-11);
  CHECK(l->D > 0.0);
  CHECK_CLOSE(l->D_check, l->D, 1e-9);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* A dashpot beside a slider: its own loss is pi C omega u^2; led round, its rate is a difference
   over a step, and the error falls with the step. */
static void test_rate(void) {
  const double q = 0.213, C = 0.371, m = 1.37;
  double error[2];
  for (int k = 0; k < 3; k++) {
    ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
    const ptrdiff_t from = MS_GROUND, to = 0;
    ms_structure *s = NULL;
    ms_joint *j = test_joint("linear", "K", 31.7, "C", C, NULL);
    CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, m));
    CHECK_OK(ms_structure_take_joint(s, "dashpot", &j, &from, &to));
    CHECK_OK(ms_structure_setup(s));
    setting.cycled = k > 0;
    setting.cycle_steps = 100 << k;
    ms_quasistatic *run = start(s, setting, 0);
    CHECK_OK(ms_quasistatic_run(run, 1, &q));
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, 0);
    double want = pi * C * sqrt(31.7 / m) * q * q / m;
    if (k == 0) CHECK_CLOSE(l->D, want, 1e-12);
    if (k > 0) error[k - 1] = fabs(l->D / want - 1.0);
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
  CHECK_BELOW(error[0], 2e-2);
  CHECK_BELOW(error[1], 0.6 * error[0]);
}

/* Every law of the registry at typical parameters, stuck to macroslip: solved, steady, finite;
   those that do not stick are refused. Stiction weakens as it slips, and snaps: levels from there
   on have no equilibrium to go on to. */
static void test_every_law(void) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    static const ptrdiff_t from[3] = { 0, 1, 2 }, to[3] = { 1, 2, 3 };
    ms_joint *j = test_typical(ms_joint_get_law(i)->name);
    double scale = test_scale(j), level[6];
    ms_structure *s = NULL;
    CHECK_OK(ms_structure_create(test_context(), 4, NULL, &s));
    for (ptrdiff_t a = 0; a < 4; a++) {
      CHECK_OK(ms_structure_add_mass(s, a, 1.3 + 0.4 * sin(1.7 * (double)a)));
      CHECK_OK(ms_structure_add_spring(s, a - 1, a, 5e6 * (1.0 + 0.3 * cos(2.3 * (double)a))));
    }
    CHECK_OK(ms_structure_take_joint(s, "joint", &j, from, to));
    CHECK_OK(ms_structure_setup(s));
    ms_quasistatic_setting patient = standard;
    patient.cycle_max = 1000; /* a slider at its limit at rest settles slowly in the plane */
    if (ms_joint_get_law(i)->flags & MS_LAW_SLIDING) {
      ms_quasistatic *none = NULL;
      CHECK_STATUS(ms_quasistatic_create(s, &patient, &none), MS_ERR_ARGUMENT);
      CHECK_HAS(ms_context_message(test_context()), "depends on the velocity alone");
      ms_structure_destroy(&s);
      continue;
    }
    ms_quasistatic *run = start(s, patient, 1);
    CHECK_OK(ms_quasistatic_space(test_context(), 0.1 * scale, 300.0 * scale, 6, level));
    int snaps = strcmp(ms_joint_get_law(i)->name, "stiction") == 0;
    CHECK_STATUS(ms_quasistatic_run(run, 6, level), snaps ? MS_NOT_CONVERGED : MS_SUCCESS);
    CHECK_EQUAL(ms_quasistatic_count_levels(run), snaps ? 5 : 6);
    for (int k = 0; k < ms_quasistatic_count_levels(run); k++) {
      const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
      CHECK(isfinite(l->omega) && isfinite(l->zeta) && l->D >= 0.0);
      CHECK_BELOW(l->residual, 1e-9);
      CHECK(l->drift <= standard.cycle_tolerance);
    }
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* Two axes: the law has no Masing curve; law energies against the area of the modal loop, whose
   error falls by four when steps double. */
static void test_two_axes(void) {
  static const double level = 0.629;
  static const ptrdiff_t from[2] = { 0, 3 }, to[2] = { 1, 4 };
  static const double zeta[N] = { 0.0 };
  double error[2];
  for (int k = 0; k < 2; k++) {
    ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
    ms_structure *s = NULL;
    ms_joint *j = test_joint("jenkins2d", "F_S", 2.385, "K_T", 71.0, NULL);
    CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
    for (ptrdiff_t i = 0; i < N; i++) {
      CHECK_OK(ms_structure_add_mass(s, i, 1.3 + 0.4 * sin(1.7 * (double)i)));
      CHECK_OK(ms_structure_add_spring(s, i - 1, i, 90.0 + 21.0 * cos(2.3 * (double)i)));
    }
    CHECK_OK(ms_structure_take_joint(s, "plane", &j, from, to));
    CHECK_OK(ms_structure_set_modal_damping(s, zeta));
    CHECK_OK(ms_structure_setup(s));
    setting.cycle_steps = 128 << k;
    ms_quasistatic *run = start(s, setting, 1);
    CHECK_OK(ms_quasistatic_run(run, 1, &level));
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, 0);
    CHECK_EQUAL(l->method, MS_LOSS_CYCLED);
    CHECK(l->D > 1e-2 * l->alpha * l->q);
    error[k] = fabs(l->D_check / l->D - 1.0);
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
  CHECK_BELOW(error[0], 2e-3);
  CHECK_BELOW(error[1], 0.4 * error[0]);
}

/* ---- Masing's rule on the modal curve ---- */

static void check_masing(test_make_fn make, int joints, ptrdiff_t mode) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(make, joints);
  double level[MAX_LEVELS];
  setting.check = 1;
  ms_quasistatic *run = start(s, setting, mode);
  CHECK_OK(ms_quasistatic_space(test_context(), 3e-3, 0.93, MAX_LEVELS, level));
  CHECK_OK(ms_quasistatic_run(run, MAX_LEVELS, level));
  for (int k = 0; k < MAX_LEVELS; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    double noise = 1e-14 * l->alpha * l->q; /* of d = f - K_T z */
    CHECK_EQUAL(l->has_check, 1);
    CHECK_NEAR(l->D_check, l->D, 1e-10 * l->D + noise);
    CHECK_BELOW(l->check_error, 1e-9 * l->D + noise);
  }
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_masing_rule(void) {
  check_masing(test_frame_iwan, 1, 0);
  check_masing(test_frame_iwan, 2, 1);
  check_masing(make_jenkins, 2, 0);
}

/* ---- Rayleigh-quotient modes ---- */

/* The secant stiffness of the joints makes a linear structure whose mode is the nonlinear one: its
   own eigensolution, iterated until the stiffness repeats. */
static double secant_mode(const ms_structure *like, test_make_fn make, int joints, ptrdiff_t mode,
                          double q, double *z) {
  double k_s[MAX_JOINTS], omega = 0.0;
  ms_joint *joint[MAX_JOINTS] = { NULL };
  for (int j = 0; j < joints; j++) {
    double f;
    joint[j] = make(j);
    CHECK_OK(ms_joint_eval_virgin(joint[j], 0.0, &f, &k_s[j]));
  }
  for (int i = 0; i < 200; i++) {
    ms_structure *s = NULL;
    double before = omega;
    CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
    CHECK_OK(ms_structure_set_mass(s, ms_structure_get_mass(like)));
    CHECK_OK(ms_structure_set_stiffness(s, ms_structure_get_stiffness(like)));
    for (int j = 0; j < joints; j++) {
      CHECK_OK(ms_structure_add_spring(s, test_frame_from[j], test_frame_to[j], k_s[j]));
    }
    CHECK_OK(ms_structure_setup(s));
    omega = ms_structure_get_stuck(s).omega[mode];
    for (int j = 0; j < joints; j++) {
      double f, slope;
      z[j] = q * across(ms_structure_get_stuck(s).shape + N * mode, j);
      CHECK_OK(ms_joint_eval_virgin(joint[j], z[j], &f, &slope));
      k_s[j] = f / z[j];
    }
    ms_structure_destroy(&s);
    if (fabs(omega - before) < 1e-15 * omega) break;
  }
  for (int j = 0; j < joints; j++) ms_joint_destroy(&joint[j]);
  return omega;
}

static void check_rqnm(test_make_fn make, int joints, ptrdiff_t mode) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = test_frame(make, joints);
  static const double level[] = { 1e-3, 0.0471, 0.213, 0.629, 1.31 };
  setting.kind = MS_QUASISTATIC_RQNM;
  ms_quasistatic *run = start(s, setting, mode);
  CHECK_OK(ms_quasistatic_run(run, 5, level));
  for (int k = 0; k < 5; k++) {
    const ms_quasistatic_level *l = ms_quasistatic_get_level(run, k);
    double z[MAX_JOINTS], omega = secant_mode(s, make, joints, mode, level[k], z), D = 0.0;
    CHECK_CLOSE(l->q, level[k], 1e-14);
    CHECK_CLOSE(l->omega, omega, 1e-11);
    for (int j = 0; j < joints; j++) {
      ms_joint *own = make(j);
      ms_joint_cycle cycle;
      CHECK_NEAR(fabs(l->z[j]), fabs(z[j]), 1e-9 * fabs(z[j]));
      CHECK_OK(ms_joint_run_cycle(own, fabs(z[j]), omega, 64, NULL, NULL, &cycle));
      D += cycle.D;
      ms_joint_destroy(&own);
    }
    CHECK_NEAR(l->D, D, 1e-8 * D);
    double zeta = D / (2.0 * pi * omega * omega * l->q * l->q);
    CHECK_NEAR(l->zeta_joint, zeta, 1e-8 * zeta);
    CHECK(l->q_mode <= l->q * (1.0 + 1e-14));
  }
  CHECK_BELOW(ms_quasistatic_get_level(run, 4)->q_mode, (1.0 - 1e-6) * level[4]);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_rqnm(void) {
  check_rqnm(test_frame_iwan, 2, 0);
  check_rqnm(test_frame_iwan, 2, 1);
  check_rqnm(make_cubic, 2, 0);
}

/* Both agree where nothing has slipped yet, and differ where the shape changes. */
static void test_rqnm_against_qsma(void) {
  static const double level[] = { 1e-6, 0.629 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  double omega[2][2];
  for (int kind = 0; kind < 2; kind++) {
    ms_structure *s = test_frame(test_frame_iwan, 2);
    setting.kind = kind ? MS_QUASISTATIC_RQNM : MS_QUASISTATIC_QSMA;
    ms_quasistatic *run = start(s, setting, 1);
    CHECK_OK(ms_quasistatic_run(run, 2, level));
    for (int k = 0; k < 2; k++) omega[kind][k] = ms_quasistatic_get_level(run, k)->omega;
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
  CHECK_CLOSE(omega[1][0], omega[0][0], 1e-5);
  CHECK(fabs(omega[1][1] / omega[0][1] - 1.0) > 1e-3);
}

/* ---- cost ---- */

/* A structure of m modes that nobody assembled: modal data alone. */
static ms_status pretend(ms_structure *s, ptrdiff_t m, ms_attachment *attachment, double *omega,
                         double *gamma, double *damping) {
  *s = (ms_structure) { .ctx = test_context(),
                        .n = m,
                        .attachment = attachment,
                        .n_attachment = 2,
                        .n_axis = 2,
                        .ready = 1,
                        .omega = omega,
                        .gamma = gamma,
                        .modal_damping = damping };
  for (ptrdiff_t j = 0; j < m; j++) {
    double x = (double)j;
    omega[j] = 3.1 + 2.7 * x;
    damping[j] = 1e-3 * omega[j];
    gamma[j] = 0.31 * sin(1.3 + 0.37 * x) / (1.0 + x);
    gamma[j + m] = 0.27 * cos(0.7 + 0.53 * x) / (1.0 + x);
  }
  return MS_SUCCESS;
}

/* A level visits no mode: 50, 500 and 5000 modes take the same evaluations and the same sums. */
static void test_cost(void) {
  static const ptrdiff_t size[] = { 50, 500, 5000 };
  ptrdiff_t evaluations[3];
  for (int i = 0; i < 3; i++) {
    ptrdiff_t m = size[i];
    double *data = malloc((size_t)(4 * m) * sizeof *data), level[MAX_LEVELS];
    ms_attachment attachment[2] = { { .name = NULL } };
    ms_structure s;
    if (!CHECK(data != NULL)) return;
    for (int k = 0; k < 2; k++) {
      attachment[k] =
          (ms_attachment) { .joint = test_frame_iwan(k), .first = k, .stuck = { 71.0 - 23.0 * k } };
    }
    CHECK_OK(pretend(&s, m, attachment, data, data + m, data + 3 * m));
    ms_quasistatic *run = start(&s, standard, 1);
    ptrdiff_t terms = ms_quasistatic_get_count(run).mode_terms;
    CHECK_OK(ms_quasistatic_space(test_context(), 1e-3, 3.1, MAX_LEVELS, level));
    CHECK_OK(ms_quasistatic_run(run, MAX_LEVELS, level));
    CHECK(terms > 0);
    CHECK_EQUAL(ms_quasistatic_get_count(run).mode_terms, terms);
    evaluations[i] = ms_quasistatic_get_count(run).evaluations;
    CHECK_BELOW((double)evaluations[i], 8.0 * MAX_LEVELS);
    ms_quasistatic_destroy(&run);
    for (int k = 0; k < 2; k++) ms_joint_destroy(&attachment[k].joint);
    free(data);
  }
  CHECK_EQUAL(evaluations[1], evaluations[0]);
  CHECK_EQUAL(evaluations[2], evaluations[0]);
}

/* ---- failures ---- */

static void test_settings_refused(void) {
  ms_structure *s = test_frame(test_frame_iwan, 1);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.mode = N;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "there is no mode 6; the structure has 5 modes");
  setting.mode = 0;
  setting.kind = MS_QUASISTATIC_RQNM;
  setting.level = MS_LEVEL_LOAD;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK(run == NULL);
  run = start(s, standard, 0);
  CHECK_STATUS(ms_quasistatic_run(run, 2, (const double[]) { 0.3, 0.3 }), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "level 2");
  CHECK_STATUS(ms_quasistatic_run(run, 1, (const double[]) { -0.3 }), MS_ERR_BOUNDS);
  CHECK_EQUAL(ms_quasistatic_count_levels(run), 0);
  CHECK(ms_quasistatic_get_level(run, 0) == NULL);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Two masses, nothing but the joint between them, and ground only if given a spring. */
static ms_structure *pair(ms_joint *j, double k) {
  ms_structure *s = NULL;
  const ptrdiff_t from = 0, to = 1;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 1.37));
  CHECK_OK(ms_structure_add_mass(s, 1, 2.11));
  if (k > 0.0) CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, k));
  CHECK_OK(ms_structure_take_joint(s, "link", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_rigid(void) {
  ms_structure *s = pair(test_frame_iwan(0), 0.0);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "rigid-body mode");
  run = start(s, standard, 1); /* the elastic one has a closed form: the joint is the only spring */
  const double q = 0.0471, m = 1.37 * 2.11 / (1.37 + 2.11), z = q / sqrt(m);
  ms_joint *j = test_frame_iwan(0);
  double F, slope;
  CHECK_OK(ms_joint_eval_virgin(j, z, &F, &slope));
  CHECK_OK(ms_quasistatic_run(run, 1, &q));
  CHECK_CLOSE(fabs(ms_quasistatic_get_level(run, 0)->z[0]), z, 1e-12);
  CHECK_CLOSE(ms_quasistatic_get_level(run, 0)->omega, sqrt(F / (z * m)), 1e-12);
  /* x_0 - x_1 = z about the centre of mass, whatever the rigid-body mode does */
  CHECK_CLOSE(fabs(ms_quasistatic_get_displacement(run, 0, 0)), z * m / 1.37, 1e-12);
  CHECK_CLOSE(fabs(ms_quasistatic_get_displacement(run, 0, 1)), z * m / 2.11, 1e-12);
  ms_joint_destroy(&j);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_joint_without_stiffness(void) {
  ms_structure *s = pair(test_joint("gap", "K", 31.7, "g", 0.0231, NULL), 17.3);
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.mode = 1;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "joint link has no stiffness at rest");
  ms_structure_destroy(&s);
}

/* The joint's slip force is all that holds: loads beyond it find no equilibrium, and what was
   solved before stays. */
static void test_partial(void) {
  static const double level[] = { 0.31, 0.97, 1.4, 5.3, 7.1 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s =
      pair(test_joint("iwan4", "F_S", 2.385, "K_T", 71.0, "chi", -0.43, "beta", 1.37, NULL), 17.3);
  setting.level = MS_LEVEL_LOAD;
  ms_quasistatic *run = start(s, setting, 0);
  CHECK_STATUS(ms_quasistatic_run(run, 5, level), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "level 4 of 5 (5.3)");
  CHECK_EQUAL(ms_quasistatic_count_levels(run), 3);
  CHECK(ms_quasistatic_get_level(run, 2)->D > 0.0);
  CHECK(ms_quasistatic_get_level(run, 3) == NULL);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* A spring that gives way: beyond its top the restoring force turns round. */
static void test_unstable(void) {
  static const double level[] = { 0.1, 0.5, 1.9 };
  ms_structure *s = pair(test_joint("cubic", "K", 31.7, "K3", -23.1, NULL), 0.0);
  ms_quasistatic *run = start(s, standard, 1);
  CHECK_STATUS(ms_quasistatic_run(run, 3, level), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "mode 2 has no frequency at amplitude 1.9");
  CHECK_EQUAL(ms_quasistatic_count_levels(run), 2);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

static void test_preload_refused(void) {
  static const double force[2] = { 0.0, 9.7 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = pair(test_frame_iwan(0), 17.3);
  ms_quasistatic *run = NULL;
  setting.preload = force;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "the joints cannot hold it: the joints found no");
  CHECK_HAS(ms_context_message(test_context()), "residual ");
  ms_structure_destroy(&s);
  s = pair(test_frame_iwan(0), 0.0);
  setting.mode = 1;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "rigid-body mode 1");
  setting.kind = MS_QUASISTATIC_RQNM;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "take no preload");
  ms_structure_destroy(&s);
}

/* ---- memory ---- */

static ms_status make_all(ms_context *ctx, void *user) {
  static const double level[] = { 0.0471, 0.213 }, force[2] = { 0.0, 0.31 };
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  ms_quasistatic *run = NULL;
  ms_sensitivity d[8];
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  const ptrdiff_t from = 0, to = 1;
  (void)user;
  ms_status status = ms_structure_create(ctx, 2, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, 1.37);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 1, 2.11);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, 17.3);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "jenkins", &j);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "F_S", 2.385);
  if (status == MS_SUCCESS) status = ms_joint_set(j, "K_T", 71.0);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "link", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_quasistatic_create(s, &setting, &run);
  if (status == MS_SUCCESS) status = ms_quasistatic_run(run, 2, level);
  if (status == MS_SUCCESS) status = ms_quasistatic_fill_sensitivity(run, 1, d);
  ms_quasistatic_destroy(&run);
  setting.preload = force;
  if (status == MS_SUCCESS) status = ms_quasistatic_create(s, &setting, &run);
  if (status == MS_SUCCESS) status = ms_quasistatic_run(run, 2, level);
  ms_quasistatic_destroy(&run);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(make_all, NULL) > 20);
}

int main(void) {
  TEST(test_single_mass);
  TEST(test_space);
  TEST(test_least_settings);
  TEST(test_two_joints);
  TEST(test_proportion_changes);
  TEST(test_odd_spring);
  TEST(test_not_masing);
  TEST(test_preload);
  TEST(test_preload_by_amplitude);
  TEST(test_turns_back);
  TEST(test_many_joints);
  TEST(test_rate);
  TEST(test_every_law);
  TEST(test_two_axes);
  TEST(test_masing_rule);
  TEST(test_rqnm);
  TEST(test_rqnm_against_qsma);
  TEST(test_cost);
  TEST(test_settings_refused);
  TEST(test_rigid);
  TEST(test_joint_without_stiffness);
  TEST(test_partial);
  TEST(test_unstable);
  TEST(test_preload_refused);
  TEST(test_memory_fails);
  return test_finish();
}
