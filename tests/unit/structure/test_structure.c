/* Building structures, modes, damping; what is refused. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/structures.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

static void test_reference_modes(void) {
  static const double stuck[] = { 0.424470, 1.21568, 1.74412 };
  static const double slipped[] = { 0.422204, 1.18299, 1.70947 };
  static const double shape[] = { 0.1051,  0.1891,  0.2307, 0.2433, 0.0871,
                                  -0.1822, -0.1725, 0.2380, -0.1166 };
  ms_structure *s = test_three_mass(1e-4);
  ms_modes a = ms_structure_get_stuck(s), b = ms_structure_get_slipped(s);
  for (int r = 0; r < 3; r++) {
    CHECK_CLOSE(a.omega[r], stuck[r], 1e-5);
    CHECK_CLOSE(b.omega[r], slipped[r], 1e-5);
    CHECK_CLOSE(ms_structure_get_damping_ratio(s, r), 1e-4, 1e-14);
  }
  for (int i = 0; i < 9; i++) CHECK_NEAR(a.shape[i], shape[i], 6e-5);
  ms_structure_destroy(&s);
}

/* One mass on a spring and a joint that is given another stiffness: omega^2 = (k + K_T)/m. */
static void test_other_parameters(void) {
  const ptrdiff_t ground = MS_GROUND, here = 0;
  ms_structure *s = NULL;
  ms_joint *lap = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 7.13));
  CHECK_OK(ms_joint_create(test_context(), "iwan4", &lap));
  CHECK_OK(ms_joint_set_typical(lap));
  CHECK_OK(ms_joint_setup(lap));
  CHECK_OK(ms_structure_take_joint(s, "lap", &lap, &ground, &here));
  for (double K_T = 3.7; K_T < 9.0; K_T += 2.9) {
    ms_joint *attached = ms_structure_get_joint(s, 0);
    CHECK_OK(ms_joint_set(attached, "K_T", K_T));
    CHECK_OK(ms_joint_setup(attached));
    CHECK_OK(ms_structure_setup(s));
    CHECK_CLOSE(ms_structure_get_stuck(s).omega[0], sqrt((7.13 + K_T) / 2.385), 1e-14);
  }
  ms_structure_destroy(&s);
}

/* Phi^T M Phi = I and Phi^T K0 Phi = diag(omega^2), with matrices made here. */
static void test_orthogonality(void) {
  enum { N = 7 };
  ms_structure *s = test_chain(N, 0, NULL);
  const double *M = ms_structure_get_mass(s), *K = ms_structure_get_stiffness(s);
  ms_modes m = ms_structure_get_stuck(s);
  for (int a = 0; a < N; a++) {
    for (int b = 0; b < N; b++) {
      double mass = 0.0, stiffness = 0.0;
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
          mass += m.shape[i + N * a] * M[i + N * j] * m.shape[j + N * b];
          stiffness += m.shape[i + N * a] * K[i + N * j] * m.shape[j + N * b];
        }
      }
      CHECK_NEAR(mass, a == b, 1e-13);
      CHECK_NEAR(stiffness, a == b ? m.omega[a] * m.omega[a] : 0.0, 1e-10);
    }
    double y[N] = { 0 }, sum = 0.0; /* the same by a product, twice */
    ms_structure_apply_mass(s, 1.7, m.shape + N * a, y);
    ms_structure_apply_mass(s, -0.4, m.shape + N * a, y);
    for (int i = 0; i < N; i++) sum += m.shape[i + N * a] * y[i];
    CHECK_NEAR(sum, 1.3, 1e-13);
  }
  ms_structure_destroy(&s);
}

/* Fixed-fixed chain of equal masses: omega_r = 2 sqrt(k/m) sin(r pi / (2 (n+1))). */
static void test_closed_form(void) {
  enum { N = 9 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i <= N; i++) {
    if (i < N) CHECK_OK(ms_structure_add_mass(s, i, 2.385));
    CHECK_OK(ms_structure_add_spring(s, i - 1, i < N ? i : MS_GROUND, 47.1));
  }
  CHECK_OK(ms_structure_setup(s));
  for (int r = 1; r <= N; r++) {
    double omega = 2.0 * sqrt(47.1 / 2.385) * sin(r * acos(-1.0) / (2.0 * (N + 1)));
    CHECK_CLOSE(ms_structure_get_stuck(s).omega[r - 1], omega, 1e-13);
  }
  double force[N] = { 0.0 }, size; /* M phi_4 does 1 on its mode, and nothing on others */
  ms_structure_apply_mass(s, 1.0, ms_structure_get_stuck(s).shape + N * 3, force);
  CHECK_CLOSE(ms_structure_get_modal_force(s, 3, force, &size), 1.0, 1e-13);
  CHECK_CLOSE(size, 1.0, 1e-13);
  CHECK_NEAR(ms_structure_get_modal_force(s, 5, force, NULL), 0.0, 1e-13);
  ms_structure_destroy(&s);
}

static void test_rigid_body(void) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) CHECK_OK(ms_structure_add_mass(s, i, 1.7));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 83.0));
  CHECK_OK(ms_structure_add_spring(s, 1, 2, 83.0));
  CHECK_OK(ms_structure_setup(s));
  ms_modes m = ms_structure_get_stuck(s);
  CHECK_NEAR(m.omega[0], 0.0, 0.0);
  for (int i = 0; i < 3; i++) CHECK_CLOSE(m.shape[i], 1.0 / sqrt(3 * 1.7), 1e-12);
  CHECK_CLOSE(m.omega[1], sqrt(83.0 / 1.7), 1e-12);
  CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.31, 0.0)); /* damps it, but it has no ratio */
  CHECK_OK(ms_structure_setup(s));
  CHECK_NEAR(ms_structure_get_damping_ratio(s, 0), 0.0, 0.0);
  CHECK_CLOSE(ms_structure_get_damping_ratio(s, 1), 0.5 * 0.31 / sqrt(83.0 / 1.7), 1e-12);
  ms_structure_destroy(&s);
}

/* Low modes beside stiff ones. Two masses apart from each other: each is right to rounding, however
   far from the other. A free chain whose springs differ by 1e13 has one rigid mode, not more:
   between the stiff halves, m each, is a spring k, omega^2 = 2 k/m but for k/stiff. */
static void test_far_apart(void) {
  static const double k = 2.385e-4, stiff = 2.9e9, m = 1.43;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, i ? stiff : k));
  }
  CHECK_OK(ms_structure_setup(s));
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[0], sqrt(k / m), 1e-14);
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[1], sqrt(stiff / m), 1e-14);
  ms_structure_destroy(&s);
  CHECK_OK(ms_structure_create(test_context(), 4, NULL, &s));
  for (ptrdiff_t i = 0; i < 4; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 0.5 * m));
    if (i < 3) CHECK_OK(ms_structure_add_spring(s, i, i + 1, i == 1 ? 1e5 * k : 1e-2 * stiff));
  }
  CHECK_OK(ms_structure_setup(s));
  CHECK_NEAR(ms_structure_get_stuck(s).omega[0], 0.0, 0.0);
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[1], sqrt(2e5 * k / m), 1e-5);
  ms_structure_destroy(&s);
}

/* Two equal oscillators apart from each other: the shapes are the coordinates, in order. */
static void test_equal_frequencies(void) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 4, NULL, &s));
  for (ptrdiff_t i = 0; i < 4; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, 2.0));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, i < 3 ? 50.0 : 20.0));
  }
  CHECK_OK(ms_structure_setup(s));
  ms_modes m = ms_structure_get_stuck(s);
  CHECK_CLOSE(m.omega[0], sqrt(10.0), 1e-14);
  for (int r = 1; r < 4; r++) {
    for (int i = 0; i < 4; i++) {
      CHECK_NEAR(m.shape[i + 4 * r], i == r - 1 ? 1.0 / sqrt(2.0) : 0.0, 1e-12);
    }
  }
  ms_structure_destroy(&s);
}

/* Of three masses that the ground moves alike: over all modes the whole mass. */
static void test_effective_mass(void) {
  const double mass[3] = { 2.385, 1.14, 0.73 };
  ms_structure *s = NULL;
  double sum = 0.0;
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, mass[i]));
    CHECK_OK(ms_structure_add_spring(s, i > 0 ? i - 1 : MS_GROUND, i, 9310.0 / (1.0 + i)));
  }
  CHECK_OK(ms_structure_setup(s));
  for (int r = 0; r < 3; r++) {
    const double m = ms_structure_get_effective_mass(s, r, mass);
    const double part = ms_structure_get_modal_force(s, r, mass, NULL);
    CHECK_CLOSE(m, part * part, 1e-15);
    sum += m;
  }
  CHECK_CLOSE(sum, mass[0] + mass[1] + mass[2], 1e-12);
  ms_structure_destroy(&s);
}

/* C = M Phi diag(2 omega zeta) Phi^T M gives the same ratios back when put in as a matrix. */
static void test_damping_forms(void) {
  double C[9], full[9];
  ms_structure *s = test_three_mass(2.385e-3);
  CHECK_OK(ms_structure_fill_damping(s, C));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  for (int r = 0; r < 3; r++) CHECK_CLOSE(ms_structure_get_damping_ratio(s, r), 2.385e-3, 1e-11);
  CHECK_OK(ms_structure_fill_damping(s, full));
  for (int i = 0; i < 9; i++) CHECK_NEAR(full[i], C[i], 1e-15);
  C[1] = C[3] += 0.31, C[8] += 0.83; /* no longer diagonal in the modes: as it was given */
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_fill_damping(s, full));
  for (int i = 0; i < 9; i++) CHECK_NEAR(full[i], C[i], 1e-17);
  CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.013, 0.0047));
  CHECK_OK(ms_structure_setup(s));
  for (int r = 0; r < 3; r++) {
    double w = ms_structure_get_stuck(s).omega[r];
    CHECK_CLOSE(ms_structure_get_damping_ratio(s, r), 0.5 * (0.013 / w + 0.0047 * w), 1e-13);
  }
  for (int part = 0; part < 2; part++) { /* one of the two alone */
    CHECK_OK(ms_structure_set_rayleigh_damping(s, part ? 0.0 : 0.013, part ? 0.0047 : 0.0));
    CHECK_OK(ms_structure_setup(s));
    double w = ms_structure_get_stuck(s).omega[1];
    CHECK_CLOSE(ms_structure_get_damping_ratio(s, 1), part ? 0.5 * 0.0047 * w : 0.5 * 0.013 / w,
                1e-13);
  }
  ms_structure_destroy(&s);
}

/* A mass on a spring and dashpot: c is 2 zeta_0 omega_0 m, at another frequency the same c makes
   c/(2 m omega) of the ratio; the rest is the joints'. */
static void test_excess_damping(void) {
  const double m = 2.385, k = 97.3, zeta_0 = 0.0173, omega = 5.91, zeta = 0.0371;
  const double omega_0 = sqrt(k / m), c = 2.0 * m * omega_0 * zeta_0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  for (ptrdiff_t i = 0; i < 2; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, i ? k : 0.31 * k));
  }
  CHECK_OK(ms_structure_set_modal_damping(s, (const double[]) { 0.29, zeta_0 }));
  CHECK_OK(ms_structure_setup(s));
  CHECK_CLOSE(ms_structure_get_excess_damping(s, 1, omega, zeta), zeta - c / (2.0 * m * omega),
              1e-13);
  CHECK_NEAR(ms_structure_get_excess_damping(s, 1, omega_0, zeta_0), 0.0, 1e-16);
  ms_structure_destroy(&s);
}

static void test_names(void) {
  static const char *const names[] = { "nose", "wing" };
  ms_structure *s = NULL;
  ptrdiff_t i;
  CHECK_OK(ms_structure_create(test_context(), 2, names, &s));
  CHECK_OK(ms_structure_find(s, "wing", &i));
  CHECK_EQUAL(i, 1);
  CHECK_OK(ms_structure_find(s, "ground", &i));
  CHECK_EQUAL(i, MS_GROUND);
  CHECK_STATUS(ms_structure_find(s, "wnig", &i), MS_ERR_NAME);
  CHECK_HAS(message(), "did you mean 'wing'");
  CHECK_TEXT(ms_structure_get_name(s, 0), "nose");
  CHECK_TEXT(ms_structure_get_name(s, MS_GROUND), "ground");
  CHECK(ms_structure_get_name(s, 2) == NULL);
  CHECK_OK(ms_structure_add_alias(s, "tip", 1)); /* other names, of the ground too */
  CHECK_OK(ms_structure_add_alias(s, "root", MS_GROUND));
  CHECK_OK(ms_structure_find(s, "tip", &i));
  CHECK_EQUAL(i, 1);
  CHECK_OK(ms_structure_find(s, "root", &i));
  CHECK_EQUAL(i, MS_GROUND);
  CHECK_STATUS(ms_structure_add_alias(s, "none", 2), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

static void test_rotations(void) {
  static const char *const turn[] = { "n12.rx", "n12.ry", "lap.1.a.rz" };
  static const char *const straight[] = { "n12.x", "n12.ux", "rx", "n12.rx.a", "n12.r", "n12.rxx" };
  for (int k = 0; k < 3; k++) CHECK(ms_name_is_rotation(turn[k]));
  for (int k = 0; k < 6; k++) CHECK(!ms_name_is_rotation(straight[k]));
}

/* A matrix whose entries differ from their mirror images by what a file leaves away: their mean. */
static void test_nearly_symmetric(void) {
  const double K[] = { 3.0, -1.0 - 1e-9, -1.0 + 1e-9, 2.0 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  const double *got = ms_structure_get_stiffness(s);
  CHECK_NEAR(got[1], -1.0, 1e-15);
  CHECK_NEAR(got[2], -1.0, 1e-15);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = NULL;
  ms_joint *j = test_typical("jenkins");
  const ptrdiff_t here = 1, nowhere = 7;
  const double skew[] = { 2.0, -1.0, -1.1, 2.0 }, hole[] = { 3.0, 0.0, 0.0, 0.0 };
  const double unstable[] = { 1.0, 3.0, 3.0, 1.0 }, unit[] = { 1.0, 0.0, 0.0, 1.0 };
  CHECK_STATUS(ms_structure_create(test_context(), 0, NULL, &s), MS_ERR_ARGUMENT);
  CHECK_OK(ms_structure_create(test_context(), 2, NULL, &s));
  CHECK_STATUS(ms_structure_set_stiffness(s, skew), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "(u2, u1) is -1 but (u1, u2) is -1.1");
  CHECK_STATUS(ms_structure_add_mass(s, 0, -1.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_structure_set_stiffness(s, (const double[]) { 1.0, 0.0, 0.0, NAN }),
               MS_ERR_NUMERIC);
  CHECK_HAS(message(), "stiffness matrix: entry (u2, u2) is not finite");
  CHECK_OK(ms_structure_set_modal_damping(s, (const double[]) { 0.0, 0.3 }));
  CHECK_STATUS(ms_structure_set_modal_damping(s, (const double[]) { 0.0, -1e-9 }), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "damping ratio -1e-09 of mode 2 must be >= 0");
  CHECK_STATUS(ms_structure_set_rayleigh_damping(s, 0.0, -1e-9), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "Rayleigh coefficients 0 and -1e-09 must be >= 0");
  CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.0, 0.0));
  CHECK_STATUS(ms_structure_add_mass(s, MS_GROUND, 1.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_structure_add_spring(s, 0, 5, 1.0), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_structure_take_joint(s, "lap", &j, &here, &here), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "both ends are u2");
  CHECK_STATUS(ms_structure_take_joint(s, "lap", &j, &here, &nowhere), MS_ERR_ARGUMENT);
  CHECK(j != NULL);
  CHECK_OK(ms_structure_set_mass(s, hole));
  CHECK_STATUS(ms_structure_setup(s), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "u2");
  CHECK_OK(ms_structure_set_mass(s, unit));
  CHECK_OK(ms_structure_set_stiffness(s, unstable));
  CHECK_STATUS(ms_structure_setup(s), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "indefinite");
  ms_structure_destroy(&s);
  ms_joint_destroy(&j);
}

static ms_status build(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_joint *j = NULL;
  const ptrdiff_t from = 0, to = 1;
  const double zeta[] = { 0.01, 0.02 };
  (void)user;
  ms_status status = ms_structure_create(ctx, 2, NULL, &s);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < 2; i++) {
    status = ms_structure_add_mass(s, i, 1.3);
    if (status == MS_SUCCESS) status = ms_structure_add_spring(s, i - 1, i, 71.0);
  }
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "jenkins", &j);
  if (status == MS_SUCCESS) status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "lap", &j, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_set_modal_damping(s, zeta);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  ms_joint_destroy(&j);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(build, NULL) > 15);
}

/* One mass on a spring k and a joint: omega_inf^2 = (k + what slip leaves)/m. */
static double slipped_stiffness(ms_joint *j) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 97.3));
  CHECK_OK(ms_structure_take_joint(s, "joint", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  double omega = ms_structure_get_slipped(s).omega[0];
  ms_structure_destroy(&s);
  return 2.385 * omega * omega - 97.3;
}

static void test_macroslip(void) {
  ms_joint *both = NULL, *slip = test_joint("jenkins", "F_S", 0.71, "K_T", 53.1, NULL);
  ms_joint *spring = test_joint("linear", "K", 17.3, NULL), *cubic = NULL;
  cubic = test_joint("cubic", "K", 31.7, "K3", 83.1, NULL);
  CHECK_OK(ms_joint_create_parallel(test_context(), 1, &both));
  CHECK_OK(ms_joint_take_member(both, &slip, NULL));
  CHECK_OK(ms_joint_take_member(both, &spring, NULL));
  CHECK_OK(ms_joint_take_member(both, &cubic, NULL));
  CHECK_OK(ms_joint_setup(both));
  CHECK_CLOSE(slipped_stiffness(both), 17.3 + 31.7, 1e-12);
  CHECK_CLOSE(slipped_stiffness(test_joint("iwan6", "F_S", 1.13, "K_T", 101.0, "chi", -0.43, "beta",
                                           1.37, "phi_ratio", 0.117, "K_inf", 44.1, NULL)),
              44.1, 1e-12);
  CHECK_CLOSE(slipped_stiffness(test_joint("bouc_wen", "K", 83.0, "a", 0.31, "n", 1.7, "z_max",
                                           0.0131, "delta", 0.7, NULL)),
              0.31 * 83.0, 1e-12);
  CHECK_CLOSE(slipped_stiffness(test_joint("gap", "K", 61.0, "g", 0.0, NULL)), 61.0, 1e-12);
  CHECK_NEAR(slipped_stiffness(test_joint("gap", "K", 61.0, "g", 0.0217, NULL)), 0.0, 1e-12);
  CHECK_NEAR(slipped_stiffness(test_joint("jenkins", "F_S", 0.71, "K_T", 53.1, NULL)), 0.0, 1e-12);
}

/* Three masses apart from each other, a contact along x and y and, on the third, across: slip
   leaves the normal spring of surfaces that press on each other, and nothing of those that are
   apart. */
static void test_macroslip_contact(void) {
  static const ptrdiff_t from[3] = { MS_GROUND, MS_GROUND, MS_GROUND }, to[3] = { 0, 1, 2 };
  static const double N_0[3] = { 11.7, 0.0, 0.0 }, gap[3] = { 0.0, 0.83, 0.0 };
  static const double k[3] = { 97.3, 113.1, 131.9 }, m = 2.385, K_n = 4.1, K_t = 7.9;
  for (int i = 0; i < 3; i++) {
    ms_joint *j = test_joint("contact3d", "mu", 0.37, "K_n", K_n, "K_t", K_t, "N_0", N_0[i], "gap",
                             gap[i], NULL);
    ms_structure *s = NULL;
    CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
    for (ptrdiff_t a = 0; a < 3; a++) {
      CHECK_OK(ms_structure_add_mass(s, a, m));
      CHECK_OK(ms_structure_add_spring(s, MS_GROUND, a, k[a]));
    }
    CHECK_OK(ms_structure_take_joint(s, "pad", &j, from, to));
    CHECK_OK(ms_structure_setup(s));
    const double *stuck = ms_structure_get_stuck(s).omega,
                 *slipped = ms_structure_get_slipped(s).omega;
    for (int a = 0; a < 3; a++) {
      const double K_stuck = i > 0 ? 0.0 : a < 2 ? K_t : K_n, K_slip = i == 0 && a == 2 ? K_n : 0.0;
      CHECK_CLOSE(stuck[a], sqrt((k[a] + K_stuck) / m), 1e-13);
      CHECK_CLOSE(slipped[a], sqrt((k[a] + K_slip) / m), 1e-13);
    }
    ms_structure_destroy(&s);
  }
}

/* A gap that is closed on both sides is a spring, at rest too. */
static void test_closed_gap(void) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_joint *j = test_joint("gap", "K", 61.0, "g_plus", 0.0, "g_minus", 0.0, NULL);
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_take_joint(s, "stop", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  CHECK_CLOSE(ms_structure_get_stuck(s).omega[0], sqrt(61.0 / 2.385), 1e-13);
  ms_structure_destroy(&s);
}

/* One oscillator of frequency sqrt(K/m) with a joint; frequencies that no structure has. */
static void check_plausible(double K, int plausible) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, K));
  CHECK_OK(ms_structure_setup(s));
  CHECK_STATUS(ms_structure_check_frequencies(s), plausible ? MS_SUCCESS : MS_ERR_ARGUMENT);
  if (!plausible) CHECK_HAS(ms_context_message(test_context()), "rad/s are not plausible");
  ms_structure_destroy(&s);
}

static void test_plausible(void) {
  char text[400];
  check_plausible(61.0, 1);
  check_plausible(2.385e21, 0);
  check_plausible(2.385e-13, 0);
  CHECK(!ms_structure_material_warning("lid", 2.1e11, 7850.0, text, sizeof text));
  CHECK(!ms_structure_material_warning("lid", 0.0, 7850.0, text, sizeof text));
  CHECK(ms_structure_material_warning("lid", 2.1e5, 7850.0, text, sizeof text));
  CHECK_HAS(text, "lid: E = 2.1e+05 Pa and rho = 7850 kg/m^3 give a wave speed");
  CHECK(ms_structure_material_warning("lid", 2.1e11, 7.85, text, sizeof text));
  for (int k = 0; k < 4; k++) { /* just inside and just outside of what materials have */
    const double speed[] = { 51.0, 19900.0, 49.0, 20100.0 };
    CHECK_EQUAL(
        ms_structure_material_warning("lid", 2.385 * speed[k] * speed[k], 2.385, text, sizeof text),
        k > 1);
  }
}

/* Joints a and c are alike, b is of its own. */
static void test_alike(void) {
  static const char *const name[3] = { "a", "b", "c" };
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_structure *s = NULL;
  char text[300];
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  for (int i = 0; i < 3; i++) {
    ms_joint *j = test_joint("gap", "K", i == 1 ? 17.0 : 61.0, "g_plus", 0.0, "g_minus", 0.0, NULL);
    CHECK_OK(ms_structure_take_joint(s, name[i], &j, &from, &to));
  }
  CHECK(ms_structure_print_alike(s, 0, text, sizeof text));
  CHECK_TEXT(text, "Joints a, c:");
  CHECK(ms_structure_print_alike(s, 1, text, sizeof text));
  CHECK_TEXT(text, "Joint b:");
  CHECK(!ms_structure_print_alike(s, 2, text, sizeof text));
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_plausible);
  TEST(test_alike);
  TEST(test_macroslip);
  TEST(test_macroslip_contact);
  TEST(test_closed_gap);
  TEST(test_reference_modes);
  TEST(test_other_parameters);
  TEST(test_orthogonality);
  TEST(test_closed_form);
  TEST(test_rigid_body);
  TEST(test_far_apart);
  TEST(test_equal_frequencies);
  TEST(test_effective_mass);
  TEST(test_damping_forms);
  TEST(test_excess_damping);
  TEST(test_names);
  TEST(test_rotations);
  TEST(test_nearly_symmetric);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
