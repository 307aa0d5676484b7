/* From the file to a structure: matrices, joints and damping in units that are not SI, and what is
   refused, with its place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/study.h>

#include "support/check.h"
#include "support/files.h"

/* mm, tonne, N, s: a force per length is 1000 times as large in SI. */
#define MM    "units: {length: mm, mass: tonne, force: N, time: s}\n"
#define MODES "analyses: [modes]\n"

static ms_status open_text(ms_context *ctx, const char *text, ms_study **out) {
  char whole[2048];
  snprintf(whole, sizeof whole, "microslip: 1\n%s" MODES, text);
  test_put(test_path("study.yaml"), whole);
  return ms_study_open(ctx, test_path("study.yaml"), 0, NULL, out);
}

static const ms_structure *open_ok(const char *text, ms_study **out) {
  *out = NULL;
  if (!CHECK_OK(open_text(test_context(), text, out))) return NULL;
  return ms_study_get_structure(*out);
}

/* ---- coordinates and matrices ---- */

static void check_matrix(const double *value, const double *want, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n * n; i++) CHECK_NEAR(value[i], want[i], 1e-12 * fabs(want[0]));
}

static const double chain_M[] = { 1.31, 0.0, 0.0, 0.72 };
static const double chain_K[] = { 307.0e3, -95.7e3, -95.7e3, 95.7e3 };

static void test_chain(void) {
  static const char *const springs[] = {
    "[[ground, u1, 211.3], [u1, u2, 95.7]]",
    "{clamp: {between: [ground, u1], k: 211.3}, link: [u2, u1, 95.7]}",
  };
  for (int i = 0; i < 2; i++) {
    char text[512];
    ms_study *study;
    snprintf(text, sizeof text,
             MM "structure: {chain: {masses: {u1: 1.31e-3, u2: 0.72e-3}, springs: %s}}\n",
             springs[i]);
    const ms_structure *s = open_ok(text, &study);
    if (!s) continue;
    CHECK_EQUAL(ms_structure_get_size(s), 2);
    CHECK_TEXT(ms_structure_get_name(s, 1), "u2");
    check_matrix(ms_structure_get_mass(s), chain_M, 2);
    check_matrix(ms_structure_get_stiffness(s), chain_K, 2);
    ms_study_close(&study);
  }
}

/* A rotation by its name: tonne mm^2 and N mm/rad. */
static void test_rotations(void) {
  ms_study *study;
  const ms_structure *s = open_ok(MM
                                  "structure: {chain: {masses: {a.rx: 13.7, b: 2.1e-3},\n"
                                  "  springs: [[ground, a.rx, 2731], [ground, b, 31.7]]}}\n",
                                  &study);
  if (!s) return;
  const double M[] = { 13.7e-3, 0.0, 0.0, 2.1 }, K[] = { 2.731, 0.0, 0.0, 31.7e3 };
  check_matrix(ms_structure_get_mass(s), M, 2);
  check_matrix(ms_structure_get_stiffness(s), K, 2);
  ms_study_close(&study);
  s = open_ok(MM
              "structure: {matrices: {coordinates: [a.rx, b], mass: [13.7, 2.1e-3],\n"
              "  stiffness: [[2731, 29.3], [29.3, 31.7]]}}\n",
              &study);
  if (!s) return;
  check_matrix(ms_structure_get_mass(s), M, 2);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[0], 2.731, 1e-13);
  CHECK_CLOSE(ms_structure_get_stiffness(s)[1], 29.3, 1e-13); /* N per rad, N mm per mm */
  CHECK_CLOSE(ms_structure_get_stiffness(s)[3], 31.7e3, 1e-13);
  ms_study_close(&study);
}

/* Rows, a diagonal, files beside the study: the same structure. */
static void test_matrices(void) {
  static const char *const given[] = {
    "mass: [1.31, 0.72], stiffness: [[307.0e3, -95.7e3], [-95.7e3, 95.7e3]]",
    "mass: M.csv, stiffness: K.mtx",
  };
  test_put(test_path("M.csv"), "1.31,0\n0,0.72\n");
  test_put(test_path("K.mtx"),
           "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n"
           "1 1 307.0e3\n2 1 -95.7e3\n2 2 95.7e3\n");
  for (int i = 0; i < 2; i++) {
    char text[256];
    ms_study *study;
    snprintf(text, sizeof text, "structure: {matrices: {%s}}\n", given[i]);
    const ms_structure *s = open_ok(text, &study);
    if (!s) continue;
    CHECK_TEXT(ms_structure_get_name(s, 0), "u1");
    check_matrix(ms_structure_get_mass(s), chain_M, 2);
    check_matrix(ms_structure_get_stiffness(s), chain_K, 2);
    ms_study_close(&study);
  }
}

/* A cantilever against omega = 1.8751^2 sqrt(E I/(rho A L^4)), and a mass at its tip that is large
   against the beam's: 3 E I/L^3 over m + 33/140 of the beam's, an upper bound by Rayleigh. */
static void test_beam(void) {
  static const char beam[] =
      "structure: {beam: {length: 0.613, width: 0.0412, height: 0.00519, E: 207e9,\n"
      "  rho: 7834, elements: 8, start: clamped%s}}\n";
  const double L = 0.613, A = 0.0412 * 0.00519, I = A * 0.00519 * 0.00519 / 12.0;
  const double EI = 207e9 * I, own = 7834.0 * A * L, m = 14.3;
  char text[512];
  ms_study *study;
  snprintf(text, sizeof text, beam, "");
  const ms_structure *s = open_ok(text, &study);
  if (s) {
    CHECK_EQUAL(ms_structure_get_size(s), 16);
    CHECK_CLOSE(ms_structure_get_stuck(s).omega[0], 3.5160152685 * sqrt(EI / (own * L * L * L)),
                1e-5); /* of eight elements */
  }
  ms_study_close(&study);
  snprintf(text, sizeof text, beam, ", masses: {end: 14.3}");
  s = open_ok(text, &study);
  if (s) {
    CHECK_CLOSE(ms_structure_get_stuck(s).omega[0],
                sqrt(3.0 * EI / (L * L * L) / (m + 33.0 / 140.0 * own)), 1e-4);
  }
  ms_study_close(&study);
}

/* ---- joints and damping ---- */

#define CHAIN \
  "structure: {chain: {masses: {u1: 1.31e-3, u2: 0.72e-3}, springs: [[ground, u1, 211.3]]}}\n"

static double parameter(const ms_joint *joint, const char *name) {
  double value = 0.0;
  CHECK_OK(ms_joint_get(joint, name, &value));
  return value;
}

static void test_joints(void) {
  ms_study *study;
  const ms_structure *s = open_ok(
      MM CHAIN
      "joints:\n"
      "  lap: {law: iwan4, between: [u1, u2], F_S: 23.85, K_T: 61.9, chi: -0.37, beta: 1.31}\n"
      "  two: {laws: [{law: jenkins, F_S: 3.7, K_T: 12.9}, {law: linear, K: 8.3, C: 0.017}],\n"
      "        between: [ground, u2]}\n",
      &study);
  if (!s) return;
  if (CHECK_EQUAL(ms_structure_count_joints(s), 2)) {
    const ms_joint *lap = ms_structure_get_joint(s, 0), *two = ms_structure_get_joint(s, 1);
    CHECK_TEXT(ms_structure_get_joint_name(s, 0), "lap");
    CHECK_CLOSE(parameter(lap, "F_S"), 23.85, 1e-15);
    CHECK_CLOSE(parameter(lap, "K_T"), 61.9e3, 1e-15);
    CHECK_CLOSE(parameter(lap, "chi"), -0.37, 1e-15);
    if (CHECK_EQUAL(ms_joint_count_members(two), 2)) {
      CHECK_CLOSE(parameter(ms_joint_get_member(two, 0), "K_T"), 12.9e3, 1e-15);
      CHECK_CLOSE(parameter(ms_joint_get_member(two, 1), "C"), 17.0, 1e-15);
    }
  }
  /* Stuck, the chain's spring and all of the joints: K_0 = [[k + K, -K], [-K, K + K_J + K_L]]. */
  double K[4] = { 0.0 };
  const double want[] = { 273.2e3, -61.9e3, -61.9e3, 83.1e3 };
  ms_structure_fill_stuck(s, K);
  check_matrix(K, want, 2);
  ms_study_close(&study);
}

/* Between rotations: moments in N mm against angles. */
static void test_joint_about_an_axis(void) {
  ms_study *study;
  const ms_structure *s =
      open_ok(MM
              "structure: {chain: {masses: {a.rx: 13.7}, springs: [[ground, a.rx, 2731]]}}\n"
              "joints: {hinge: {law: jenkins, between: [ground, a.rx], F_S: 410, K_T: 5900}}\n",
              &study);
  if (!s) return;
  CHECK_CLOSE(parameter(ms_structure_get_joint(s, 0), "F_S"), 0.41, 1e-15);
  CHECK_CLOSE(parameter(ms_structure_get_joint(s, 0), "K_T"), 5.9, 1e-15);
  ms_study_close(&study);
}

static void test_damping(void) {
  static const char *const given[] = { "modal: 0.0117", "modal: [0.0117, 0.031]",
                                       "rayleigh: {mass: 0.31, stiffness: 2.3e-4}",
                                       "matrix: [0.57, 0.16]" };
  for (int i = 0; i < 4; i++) {
    char text[512];
    ms_study *study;
    snprintf(text, sizeof text,
             "structure:\n  chain: {masses: {u1: 1.31, u2: 0.72}, springs: [[ground, u1, 211.3], "
             "[ground, u2, 95.7]]}\n  damping: {%s}\n",
             given[i]);
    const ms_structure *s = open_ok(text, &study);
    if (!s) continue;
    for (int r = 0; r < 2; r++) { /* u2 is the lower mode */
      const double omega = r ? sqrt(211.3 / 1.31) : sqrt(95.7 / 0.72);
      const double m = r ? 1.31 : 0.72, c = r ? 0.57 : 0.16;
      const double want[] = { 0.0117, r ? 0.031 : 0.0117, 0.5 * (0.31 / omega + 2.3e-4 * omega),
                              c / (2.0 * m * omega) };
      CHECK_CLOSE(ms_structure_get_stuck(s).omega[r], omega, 1e-12);
      CHECK_CLOSE(ms_structure_get_damping_ratio(s, r), want[i], 1e-12);
    }
    ms_study_close(&study);
  }
}

/* ---- what is refused ---- */

typedef struct refusal {
  const char *text, *message; /* behind the file's name */
} refusal;

static void check_refusals(const char *head, const refusal *list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char text[1024];
    ms_study *study = NULL;
    snprintf(text, sizeof text, "%s%s\n", head, list[i].text);
    CHECK(open_text(test_context(), text, &study) < 0);
    CHECK_HAS(ms_context_message(test_context()), list[i].message);
    ms_study_close(&study);
  }
}

static void test_structures_refused(void) {
  static const refusal list[] = {
    { "structure: {damping: {modal: 0.01}}",
      "study.yaml:2:13: structure needs one of chain, matrices, beam" },
    { "structure: {chain: {masses: {u: 1.3}, springs: []}, matrices: {mass: [1.3], stiffness: "
      "[7]}}",
      "study.yaml:2:13: structure needs one of" },
    { "structure: {chain: {masses: {u: 1.3, ground: 2}, springs: []}}",
      "study.yaml:2:38: 'ground' cannot be the name of a degree of freedom" },
    { "structure: {chain: {masses: {u: -1.3}, springs: []}}", "study.yaml:2:33: " },
    { "structure: {chain: {masses: {u: 1.3}, springs: [[ground, u]]}}",
      "study.yaml:2:50: a spring is [from, to, stiffness]" },
    { "structure: {chain: {masses: {upper: 1.3}, springs: [[ground, uper, 7.1]]}}",
      "study.yaml:2:62: there is no degree of freedom 'uper'; did you mean 'upper'?" },
    { "structure: {chain: {masses: {u: 1.3}, springs: [[ground, u, stiff]]}}",
      "study.yaml:2:61: " },
    { "structure: {chain: {masses: {u: 1.3}, springs: 7}}",
      "study.yaml:2:48: springs must be a list" },
    { "structure: {matrices: {mass: [1.3, 0.7], stiffness: [[7.1, 0.2], [0.2]]}}",
      "study.yaml:2:67: stiffness: row 2 has 1 numbers, not 2" },
    { "structure: {matrices: {mass: [1.3, 0.7], stiffness: [7.1, 0.2, 3.3]}}",
      "study.yaml:2:54: stiffness is 3 x 3; it must be 2 x 2" },
    { "structure: {matrices: {mass: [1.3], stiffness: {a: 3}}}",
      "study.yaml:2:49: stiffness must be a list of rows" },
    { "structure: {matrices: {coordinates: [a], mass: [1.3, 0.7], stiffness: [7.1, 3.3]}}",
      "study.yaml:2:38: coordinates must name all 2 degrees of freedom" },
    { "structure: {matrices: {coordinates: [a, a], mass: [1.3, 0.7], stiffness: [7.1, 3.3]}}",
      "study.yaml:2:41: the name 'a' is taken already" },
    { "structure: {matrices: {mass: [1.3, 0.7], stiffness: [[7.1, 0.2], [0.3, 5.9]]}}",
      "study.yaml:2:55: " },
    { "structure: {matrices: {mass: none.csv, stiffness: [7.1]}}", "none.csv: cannot be opened" },
    { "structure: {beam: {length: 0.6, width: 0.04, E: 2e11, rho: 7834}}",
      "study.yaml:2:20: a beam needs width and height, or area and inertia" },
    { "structure: {beam: {length: 0.6, width: 0.04, height: 0.01, E: 2e11, rho: 7834, masses: "
      "{tip: 3.1}}}",
      "'tip' is neither a point nor start or end" },
  };
  check_refusals("", list, sizeof list / sizeof *list);
}

static void test_joints_refused(void) {
  static const refusal list[] = {
    { "joints: {lap: {between: [u1, u2]}}", "study.yaml:4:16: a joint needs 'law'" },
    { "joints: {lap: {law: iwna4, between: [u1, u2]}}",
      "study.yaml:4:21: unknown law 'iwna4'; did you mean 'iwan4'?" },
    { "joints: {lap: {law: jenkins, between: [u1, u2], F_S: 3.1, K_X: 7}}",
      "study.yaml:4:59: law jenkins has no parameter 'K_X'" },
    { "joints: {lap: {law: jenkins, between: [u1, u2], F_S: -3.1, K_T: 7}}", "study.yaml:4:54: " },
    { "joints: {lap: {law: jenkins, between: [u1, u2], F_S: 3.1}}", "not set: K_T" },
    { "joints: {lap: {law: jenkins, between: [u1, u3], F_S: 3.1, K_T: 7}}",
      "study.yaml:4:44: there is no degree of freedom 'u3'" },
    { "joints: {lap: jenkins}", "study.yaml:4:10: joint lap must be a mapping" },
    { "joints: {lap: {laws: [{law: jenkins, F_S: 3.1, K_T: 7, between: [u1, u2]}], between: [u1, "
      "u2]}}",
      "study.yaml:4:56: this belongs to a joint, not to one of its laws" },
    { "joints: {lap: {laws: jenkins, between: [u1, u2]}}",
      "study.yaml:4:22: laws must be a list of {law: ..., ...}" },
    { "joints: {lap: {law: iwan4, between: [u1, u2], chi: -0.4, R: 3, S: 7, phi_max: 2}}",
      "study.yaml:4:58: R is in N/m^(2+chi), which is not converted" },
  };
  check_refusals(MM CHAIN, list, sizeof list / sizeof *list);
}

static void test_damping_refused(void) {
  static const refusal list[] = {
    { "  damping: {modal: [0.01, 0.02, 0.03]}",
      "study.yaml:4:21: modal damping is one ratio or one for each of the 2 modes, not 3" },
    { "  damping: {modal: 0.01, matrix: [0.1, 0.2]}",
      "study.yaml:4:13: damping is one of modal, rayleigh and matrix" },
    { "  damping: {matrix: [0.1]}", "study.yaml:4:22: damping is 1 x 1; it must be 2 x 2" },
    { "  damping: {modal: -0.01}", "study.yaml:4:20: " },
  };
  check_refusals(
      "structure:\n  chain: {masses: {u1: 1.31, u2: 0.72}, springs: [[ground, u1, 211.3]]}\n", list,
      sizeof list / sizeof *list);
}

/* ---- memory ---- */

static ms_status open_again(ms_context *ctx, void *user) {
  ms_study *study = NULL;
  ms_status status = ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &study);
  (void)user;
  ms_study_close(&study);
  return status;
}

static void test_memory_fails(void) {
  ms_study *study;
  test_put(test_path("M.csv"), "1.31,0\n0,0.72\n");
  if (!open_ok(
          "structure: {matrices: {mass: M.csv, stiffness: [[307.0, -95.7], [-95.7, 95.7]]},\n"
          "  damping: {modal: [0.01, 0.02]}}\n"
          "joints: {lap: {laws: [{law: iwan4, F_S: 23.85, K_T: 61.9, chi: -0.37, beta: 1.31},\n"
          "  {law: linear, K: 8.3}], between: [u1, u2]}}\n",
          &study))
    return;
  ms_study_close(&study);
  CHECK(test_allocations(open_again, NULL) > 30);
}

int main(void) {
  test_folder_open();
  TEST(test_chain);
  TEST(test_rotations);
  TEST(test_matrices);
  TEST(test_beam);
  TEST(test_joints);
  TEST(test_joint_about_an_axis);
  TEST(test_damping);
  TEST(test_structures_refused);
  TEST(test_joints_refused);
  TEST(test_damping_refused);
  TEST(test_memory_fails);
  test_folder_close();
  return test_finish();
}
