/* Quasi-static modes where rest is not the virgin state, joints are not odd, or modes share a
   frequency, each against its closed form. */
#include <math.h>

#include <microslip/quasistatic.h>

#include "support/check.h"
#include "support/joints.h"

enum { MAX_N = 3 };

/* n masses, each on a spring of its own to ground; modal damping. */
static ms_structure *stand(ptrdiff_t n, const double *m, const double *k, ms_joint *j,
                           const ptrdiff_t *from, const ptrdiff_t *to) {
  static const double zeta[MAX_N] = { 2.3e-3, 1.7e-3, 3.1e-3 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), n, NULL, &s));
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, k[i]));
  }
  CHECK_OK(ms_structure_take_joint(s, "joint", &j, from, to));
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  return s;
}

static ms_quasistatic *create_loaded(ms_structure *s, ms_quasistatic_kind kind, ptrdiff_t mode,
                                     const double *preload) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  setting.kind = kind;
  setting.mode = mode;
  setting.preload = preload;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  return run;
}

static ms_quasistatic *create(ms_structure *s, ms_quasistatic_kind kind, ptrdiff_t mode) {
  return create_loaded(s, kind, mode, NULL);
}

/* ---- a preload that closes a gap ---- */

/* omega^2 and the mass-normalised shape of mode r of two masses, a, b, c the entries of K. */
static double pair_mode(double a, double b, double c, const double *m, int r, double *phi) {
  double p = a / m[0] + c / m[1], d = (a * c - b * b) / (m[0] * m[1]);
  double w2 = 0.5 * p + (r ? 1.0 : -1.0) * sqrt(0.25 * p * p - d);
  double size = sqrt(m[0] * b * b + m[1] * (w2 * m[0] - a) * (w2 * m[0] - a));
  phi[0] = b / size;
  phi[1] = (w2 * m[0] - a) / size;
  return w2;
}

/* Between ground and the second mass, closed by a force on it: linear about rest. */
static void test_closing_preload(void) {
  static const double m[2] = { 1.13, 2.07 }, k[2] = { 397.0, 0.0 }, force[2] = { 0.0, 50.3 };
  static const double level[3] = { 1.1e-5, 3.7e-4, 9.1e-3 }, zeta[2] = { 2.3e-3, 1.7e-3 };
  const double k12 = 307.0, K = 811.0;
  const ptrdiff_t from = MS_GROUND, to = 1;
  ms_joint *j = test_joint("gap", "K", K, "g_plus", 0.0213, "g_minus", 0.53, NULL);
  ms_structure *s = stand(2, m, k, j, &from, &to);
  CHECK_OK(ms_structure_add_spring(s, 0, 1, k12));
  CHECK_OK(ms_structure_setup(s));
  for (int r = 0; r < 2; r++) {
    double phi[2], open[2], c = 0.0;
    double w = sqrt(pair_mode(k[0] + k12, -k12, k12 + K, m, r, phi));
    for (int l = 0; l < 2; l++) { /* phi^T C phi, C of the open structure's modes */
      double w_l = sqrt(pair_mode(k[0] + k12, -k12, k12, m, l, open));
      double part = m[0] * phi[0] * open[0] + m[1] * phi[1] * open[1];
      c += 2.0 * zeta[l] * w_l * part * part;
      if (l == r) w_l = part * part; /* MAC */
      if (l != r) continue;
      ms_quasistatic *run = create_loaded(s, MS_QUASISTATIC_QSMA, r, force);
      CHECK_CLOSE(ms_quasistatic_get_rest(run).mac, w_l, 1e-10);
      CHECK_CLOSE(ms_quasistatic_get_rest(run).omega, w, 1e-12);
      ms_quasistatic_destroy(&run);
      run = create(s, MS_QUASISTATIC_QSMA, r);
      CHECK_EQUAL(ms_quasistatic_get_rest(run).moved, 0);
      ms_quasistatic_destroy(&run);
    }
    ms_quasistatic *run = create_loaded(s, MS_QUASISTATIC_QSMA, r, force);
    CHECK_OK(ms_quasistatic_run(run, 3, level));
    for (int n = 0; n < 3; n++) {
      const ms_quasistatic_level *at = ms_quasistatic_get_level(run, n);
      CHECK_CLOSE(at->q, level[n], 1e-10);
      CHECK_CLOSE(at->omega, w, 1e-10);
      CHECK_CLOSE(at->zeta, 0.5 * c / w, 1e-10);
      for (int i = 0; i < 2; i++) {
        double x = ms_quasistatic_get_displacement(run, n, i);
        CHECK_CLOSE(fabs(x), fabs(phi[i]) * level[n], 1e-9);
      }
    }
    ms_quasistatic_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* ---- a contact that only the preload closes ---- */

/* A block that nothing but the contact holds in its normal direction; N the preload there. Without
   N_0 the contact is open at first and a rigid-body mode is left, with N_0 it would push the block
   away. About rest it is linear until mu N slips. */
static void test_held_by_preload(void) {
  static const double m[3] = { 1.31, 1.31, 1.31 }, k[3] = { 121.0, 137.0, 0.0 };
  static const double force[3] = { 0.0, 0.0, 5.03 }, press[] = { 0.0, 1.07 };
  static const double level[2] = { 1.3e-6, 0.0113 };
  const ptrdiff_t from[3] = { MS_GROUND, MS_GROUND, MS_GROUND }, to[3] = { 0, 1, 2 };
  const double K_n = 2.4e4, K_t = 1.1e4, slip = 0.3 * force[2];
  for (int c = 0; c < 2; c++) {
    ms_joint *j = test_joint("contact3d", "mu", 0.3, "K_n", K_n, "K_t", K_t, "N_0", press[c], NULL);
    ms_structure *s = stand(3, m, k, j, from, to);
    CHECK_OK(ms_structure_setup(s));
    const double w[3] = { sqrt((k[0] + K_t) / m[0]), sqrt((k[1] + K_t) / m[0]), sqrt(K_n / m[0]) };
    for (int r = 0; r < 3; r++) {
      ms_quasistatic *run = create_loaded(s, MS_QUASISTATIC_QSMA, r, force);
      CHECK_CLOSE(ms_quasistatic_get_rest(run).omega, w[r], 1e-11);
      CHECK_OK(ms_quasistatic_run(run, r < 2 ? 2 : 1, level));
      CHECK_CLOSE(ms_quasistatic_get_level(run, 0)->omega, w[r], 1e-9);
      if (r < 2) { /* k u + mu N over m u, u = q/sqrt(m) */
        double u = level[1] / sqrt(m[0]);
        CHECK_CLOSE(ms_quasistatic_get_level(run, 1)->omega, sqrt((k[r] + slip / u) / m[0]), 1e-8);
      }
      ms_quasistatic_destroy(&run);
    }
    ms_structure_destroy(&s);
  }
}

/* What pulls the block off is refused, with the residual that was left. */
static void test_pulled_off(void) {
  static const double m[3] = { 1.31, 1.31, 1.31 }, k[3] = { 121.0, 137.0, 0.0 };
  static const double force[3] = { 0.0, 0.0, -5.03 };
  const ptrdiff_t from[3] = { MS_GROUND, MS_GROUND, MS_GROUND }, to[3] = { 0, 1, 2 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  ms_joint *j = test_joint("contact3d", "mu", 0.3, "K_n", 2.4e4, "K_t", 1.1e4, "N_0", 1.07, NULL);
  ms_structure *s = stand(3, m, k, j, from, to);
  CHECK_OK(ms_structure_setup(s));
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "open there"); /* it has parted, and stopped */
  setting.preload = force;
  CHECK_STATUS(ms_quasistatic_create(s, &setting, &run), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "cannot hold it: the joints found no equilibrium");
  ms_structure_destroy(&s);
}

/* ---- a contact that presses at rest ---- */

/* The normal axis alone gives way at rest, by N_0/(k + K_n), and N_0 k/(k + K_n) is left. */
static const double contact_m[3] = { 1.07, 2.31, 1.53 }, contact_k[3] = { 407.0, 311.0, 503.0 };
static const double mu = 0.31, K_n = 213.0, K_t = 157.0, N_0 = 2.07;

static ms_structure *contact(void) {
  static const ptrdiff_t from[3] = { 0, 1, 2 }, to[3] = { MS_GROUND, MS_GROUND, MS_GROUND };
  ms_joint *j = test_joint("contact3d", "mu", mu, "K_n", K_n, "K_t", K_t, "N_0", N_0, NULL);
  ms_structure *s = stand(3, contact_m, contact_k, j, from, to);
  CHECK_OK(ms_structure_setup(s));
  return s;
}

/* The mode of coordinate i, stuck. */
static ptrdiff_t find_mode(const ms_structure *s, int i) {
  ms_modes modes = ms_structure_get_stuck(s);
  for (ptrdiff_t r = 0; r < 3; r++) {
    if (fabs(modes.shape[i + 3 * r]) > 0.1) return r;
  }
  return -1;
}

/* Small cycles are linear by both methods; larger ones slip at mu N, or lift off on one side. */
static void test_contact_at_rest(void) {
  static const double level[4] = { 1.3e-5, 1.1e-3, 0.0171, 0.213 };
  ms_structure *s = contact();
  const double N = N_0 * contact_k[2] / (contact_k[2] + K_n);
  for (int i = 0; i < 3; i += 2) {
    double m = contact_m[i], K = contact_k[i], stiff = i == 2 ? K_n : K_t;
    double limit = i == 2 ? N : mu * N;
    ms_quasistatic *linear = create(s, MS_QUASISTATIC_QSMA, find_mode(s, i));
    ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, find_mode(s, i));
    CHECK_OK(ms_quasistatic_run(linear, 2, level));
    CHECK_OK(ms_quasistatic_run(run, 4, level));
    for (int n = 0; n < 2; n++) {
      CHECK_CLOSE(ms_quasistatic_get_level(linear, n)->omega, sqrt((K + stiff) / m), 1e-10);
      CHECK_NEAR(ms_quasistatic_get_level(linear, n)->D, 0.0, 1e-18);
    }
    for (int n = 0; n < 4; n++) {
      const ms_quasistatic_level *at = ms_quasistatic_get_level(run, n);
      double u = level[n] / sqrt(m), stuck = sqrt((K + stiff) / m), D = 0.0;
      double soft = stiff * u > limit ? sqrt((K + limit / u) / m) : stuck;
      double omega = i == 2 ? 2.0 / (1.0 / stuck + 1.0 / soft) : soft;
      if (i == 0 && stiff * u > limit) D = 4.0 * limit * (u - limit / stiff);
      CHECK_CLOSE(at->omega, omega, 1e-11);
      CHECK_NEAR(at->D, D, 1e-9 * limit * u);
      CHECK_EQUAL(at->both_sides, i == 2 && stiff * u > limit);
      CHECK_CLOSE(fabs(ms_quasistatic_get_displacement(run, n, i)), u, 1e-11);
    }
    ms_quasistatic_destroy(&linear);
    ms_quasistatic_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* Masses in a chain: coming to rest drags the contact over its limit, and rqnm says so. */
static void test_slips_at_rest(void) {
  static const ptrdiff_t from[3] = { 0, 1, 2 }, to[3] = { MS_GROUND, MS_GROUND, MS_GROUND };
  static const double level[1] = { 1.3e-5 };
  ms_joint *j = test_joint("contact3d", "mu", 0.013, "K_n", K_n, "K_t", K_t, "N_0", N_0, NULL);
  ms_structure *s = stand(3, contact_m, contact_k, j, from, to);
  CHECK_OK(ms_structure_add_spring(s, 1, 2, 517.0));
  CHECK_OK(ms_structure_setup(s));
  for (ptrdiff_t r = 0; r < 3; r++) {
    ms_quasistatic *run = create(s, MS_QUASISTATIC_QSMA, r);
    CHECK_OK(ms_quasistatic_run(run, 1, level));
    CHECK_CLOSE(ms_quasistatic_get_level(run, 0)->omega, ms_structure_get_stuck(s).omega[r], 1e-9);
    ms_quasistatic_destroy(&run);
  }
  ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, 2);
  CHECK_STATUS(ms_quasistatic_run(run, 1, level), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "slips at rest");
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* A preload that slips a joint without Masing's rules: about rest a cycle turns, so that the
   tangent after a turn counts, on whichever side it is. */
static void test_pushed_either_way(void) {
  static const double m = 1.31, k = 317.0;
  const ptrdiff_t from = MS_GROUND, to = 0;
  double rest[2];
  ms_joint *j = test_joint("iwan5", "F_S", 2.13, "K_T", 871.0, "chi", -0.37, "beta", 1.2, "theta",
                           0.83, NULL);
  ms_structure *s = stand(1, &m, &k, j, &from, &to);
  CHECK_OK(ms_structure_setup(s));
  for (int way = 0; way < 2; way++) {
    const double force = way ? -1.71 : 1.71;
    ms_quasistatic *run = create_loaded(s, MS_QUASISTATIC_QSMA, 0, &force);
    rest[way] = ms_quasistatic_get_rest(run).omega;
    ms_quasistatic_destroy(&run);
  }
  CHECK_CLOSE(rest[1], rest[0], 1e-10);
  ms_structure_destroy(&s);
}

/* ---- laws that are not odd ---- */

/* One mass, a stop on one side: the answer does not know which way the joint is drawn. */
static void test_one_sided_gap(void) {
  static const double m = 1.13, k = 407.0, level[3] = { 0.0053, 0.0217, 0.0531 };
  const double K = 811.0, g = 0.0107;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    ptrdiff_t from = mirrored ? 0 : MS_GROUND, to = mirrored ? MS_GROUND : 0;
    ms_joint *j = test_joint("gap", "K", K, "g_plus", g, "g_minus", 1.7, NULL);
    ms_structure *s = stand(1, &m, &k, j, &from, &to);
    CHECK_OK(ms_structure_setup(s));
    ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, 0);
    CHECK_OK(ms_quasistatic_run(run, 3, level));
    for (int n = 0; n < 3; n++) {
      const ms_quasistatic_level *at = ms_quasistatic_get_level(run, n);
      double u = level[n] / sqrt(m), free = sqrt(k / m);
      double stop = sqrt((k + K * fmax(0.0, 1.0 - g / u)) / m);
      CHECK_CLOSE(at->omega, 2.0 / (1.0 / free + 1.0 / stop), 1e-12);
      CHECK_CLOSE(at->zeta, 2.3e-3 * free / at->omega, 1e-12);
      CHECK_EQUAL(at->both_sides, u > g);
    }
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* iwan_pin off the middle of its hole loses what iwan4 loses between the same tips. */
static void test_offset_pin(void) {
  static const double m = 1.13, k = 407.0, level[1] = { 0.0313 };
  double omega[2], D[2];
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    ptrdiff_t from = mirrored ? 0 : MS_GROUND, to = mirrored ? MS_GROUND : 0;
    ms_joint *j = test_joint("iwan_pin", "F_S", 1.13, "K_T", 213.0, "chi", -0.43, "beta", 1.37,
                             "clearance", 0.0137, "offset", 0.0051, "K_pin", 517.0, NULL);
    ms_structure *s = stand(1, &m, &k, j, &from, &to);
    CHECK_OK(ms_structure_setup(s));
    ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, 0);
    CHECK_OK(ms_quasistatic_run(run, 1, level));
    omega[mirrored] = ms_quasistatic_get_level(run, 0)->omega;
    D[mirrored] = ms_quasistatic_get_level(run, 0)->D;
    CHECK_EQUAL(ms_quasistatic_get_level(run, 0)->both_sides, 1);
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
  ms_joint *iwan = test_joint("iwan4", "F_S", 1.13, "K_T", 213.0, "chi", -0.43, "beta", 1.37, NULL);
  ms_joint_cycle cycle;
  CHECK_OK(ms_joint_run_cycle(iwan, level[0] / sqrt(m), 1.0, 64, NULL, NULL, &cycle));
  ms_joint_destroy(&iwan);
  CHECK_CLOSE(omega[1], omega[0], 1e-13);
  for (int n = 0; n < 2; n++) CHECK_CLOSE(D[n], cycle.D_closed_form, 1e-10);
}

/* ---- modes of one frequency ---- */

/* K = k 1 - K_T B B^T with B = (-1, 1): stuck, both masses have the frequency of k. The joint sees
   (1, -1) alone. */
static void test_turned_repeated(void) {
  static const double m = 1.37, k = 907.0, K_T = 211.0, F_S = 1.71;
  static const double K[4] = { k - K_T, K_T, K_T, k - K_T }, level[3] = { 0.0013, 0.0217, 0.313 };
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *j = test_joint("jenkins", "F_S", F_S, "K_T", K_T, NULL);
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, m));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_take_joint(s, "lap", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  for (ptrdiff_t r = 0; r < 2; r++) {
    ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, r);
    CHECK_OK(ms_quasistatic_run(run, 3, level));
    for (int n = 0; n < 3; n++) {
      double a = level[n] / sqrt(2.0 * m), w2 = k / m, D = 0.0;
      if (r == 0 && 2.0 * a > F_S / K_T) {
        w2 = (k - 2.0 * K_T + F_S / a) / m;
        D = 4.0 * F_S * (2.0 * a - F_S / K_T);
      }
      CHECK_CLOSE(ms_quasistatic_get_level(run, n)->omega, sqrt(w2), 1e-12);
      CHECK_NEAR(ms_quasistatic_get_level(run, n)->D, D, 1e-11);
      for (int i = 0; i < 2; i++) {
        CHECK_CLOSE(fabs(ms_quasistatic_get_displacement(run, n, i)), a, 1e-11);
      }
    }
    ms_quasistatic_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* A round pair under a slip circle: each direction moves alone. A third mode that no joint sees
   has the frequency that the pair falls through. */
static void test_round_pair(void) {
  static const double m[3] = { 1.37, 1.37, 1.37 }, K_T = 211.0, F_S = 1.71;
  static const double level[3] = { 0.0013, 0.0217, 0.313 };
  static const ptrdiff_t from[2] = { MS_GROUND, MS_GROUND }, to[2] = { 0, 1 };
  const double u_2 = level[1] / sqrt(m[0]);
  const double k[3] = { 907.0, 907.0, 907.0 + F_S / u_2 };
  ms_structure *s = stand(3, m, k, test_joint("jenkins2d", "F_S", F_S, "K_T", K_T, NULL), from, to);
  CHECK_OK(ms_structure_setup(s));
  for (ptrdiff_t r = 1; r < 3; r++) {
    ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, r);
    CHECK_OK(ms_quasistatic_run(run, 3, level));
    for (int n = 0; n < 3; n++) {
      double u = level[n] / sqrt(m[0]);
      CHECK_CLOSE(ms_quasistatic_get_level(run, n)->omega, sqrt((k[0] + fmin(K_T, F_S / u)) / m[0]),
                  1e-12);
      CHECK_CLOSE(fabs(ms_quasistatic_get_displacement(run, n, r - 1)), u, 1e-11);
    }
    ms_quasistatic_destroy(&run);
  }
  ms_structure_destroy(&s);
}

/* Two joints that slip at different forces and see the pair askew: no motion of one mode alone. */
static void test_coupled_repeated(void) {
  static const double m[2] = { 1.37, 1.37 }, K_T = 211.0, level[2] = { 0.00131, 0.0317 };
  static const double K[4] = { 907.0 - K_T, K_T, K_T, 907.0 - K_T };
  const ptrdiff_t from[2] = { 0, MS_GROUND }, to[2] = { 1, 1 };
  double stiff[4] = { K[0], K[1], K[2], K[3] - 97.0 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, m[i]));
  CHECK_OK(ms_structure_set_stiffness(s, stiff));
  for (int i = 0; i < 2; i++) {
    ms_joint *j = test_joint("jenkins", "F_S", i ? 0.31 : 2.71, "K_T", i ? 97.0 : K_T, NULL);
    CHECK_OK(ms_structure_take_joint(s, i ? "b" : "a", &j, &from[i], &to[i]));
  }
  CHECK_OK(ms_structure_setup(s));
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[1], ms_structure_get_stuck(s).omega[0], 1e-12);
  ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, 0);
  CHECK_STATUS(ms_quasistatic_run(run, 2, level), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "have the same frequency");
  CHECK_EQUAL(ms_quasistatic_count_levels(run), 1);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* ---- what was accepted ---- */

/* Residuals that fall no further than rounding are accepted by a wider limit, and it is named. */
static void test_tolerance_told(void) {
  static const double m[2] = { 1.0, 1.0 }, k[2] = { 400.0, 600.0 };
  double level[8];
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s =
      stand(2, m, k, test_joint("jenkins", "F_S", 1.0, "K_T", 200.0, NULL), &from, &to);
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 0.01));
  CHECK_OK(ms_structure_setup(s));
  ms_quasistatic *run = create(s, MS_QUASISTATIC_RQNM, 1);
  CHECK_OK(ms_quasistatic_space(test_context(), 1e-3, 0.1, 8, level));
  CHECK_OK(ms_quasistatic_run(run, 8, level));
  int wider = 0;
  for (int n = 0; n < 8; n++) {
    const ms_quasistatic_level *at = ms_quasistatic_get_level(run, n);
    CHECK(at->residual <= at->tolerance);
    wider += at->residual > 1e-13;
  }
  CHECK(wider > 0);
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* ---- memory ---- */

static ms_status make_all(ms_context *ctx, void *user) {
  static const double K[4] = { 696.0, 211.0, 211.0, 696.0 }, level[2] = { 0.0013, 0.0217 };
  const ptrdiff_t ground[3] = { MS_GROUND, MS_GROUND, MS_GROUND }, both[3] = { 0, 1, 0 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  ms_quasistatic *run = NULL;
  int twins = *(int *)user;
  setting.kind = MS_QUASISTATIC_RQNM;
  ms_status status = ms_structure_create(ctx, 2, NULL, &s);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < 2; i++) {
    status = ms_structure_add_mass(s, i, 1.37);
  }
  if (status == MS_SUCCESS) status = ms_structure_set_stiffness(s, K);
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, twins ? "jenkins" : "contact3d", &j);
  if (status == MS_SUCCESS) status = ms_joint_set(j, twins ? "F_S" : "N_0", 1.71);
  if (status == MS_SUCCESS) status = ms_joint_set(j, twins ? "K_T" : "K_t", 211.0);
  if (status == MS_SUCCESS && !twins) status = ms_joint_set(j, "K_n", 307.0);
  if (status == MS_SUCCESS && !twins) status = ms_joint_set(j, "mu", 1e3);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) {
    status = twins ? ms_structure_take_joint(s, "j", &j, &both[0], &both[1])
                   : ms_structure_take_joint(s, "j", &j, ground, both);
  }
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_quasistatic_create(s, &setting, &run);
  if (status == MS_SUCCESS) status = ms_quasistatic_run(run, 2, level);
  ms_quasistatic_destroy(&run);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_fails(void) {
  for (int twins = 0; twins < 2; twins++) CHECK(test_allocations(make_all, &twins) > 20);
}

int main(void) {
  TEST(test_closing_preload);
  TEST(test_held_by_preload);
  TEST(test_pulled_off);
  TEST(test_contact_at_rest);
  TEST(test_slips_at_rest);
  TEST(test_pushed_either_way);
  TEST(test_one_sided_gap);
  TEST(test_offset_pin);
  TEST(test_turned_repeated);
  TEST(test_round_pair);
  TEST(test_coupled_repeated);
  TEST(test_tolerance_told);
  TEST(test_memory_fails);
  return test_finish();
}
