/* Sub-structures read from files, which need no finite elements: put together by joints they are
   the whole. Names with a star in `between`. */
#include <math.h>
#include <stdio.h>

#include <microslip/study.h>

#include "support/check.h"
#include "support/files.h"

/* Masses m of a left part, n of a right one, and springs between neighbours. */
static const double m[3] = { 2.385, 0.77, 1.31 }, n[3] = { 0.93, 3.17, 1.66 };
static const double k[2] = { 7100.0, 3300.0 }, l[2] = { 5200.0, 8300.0 };
#define K_JOINT 2900.0

/* e.1.ux - q1 - e.2.ux, the middle one modal. */
static ms_status put_chain(ms_context *ctx, const char *file, const double *mass,
                           const double *spring) {
  static const char *const name[] = { "e.1.ux", "e.2.ux", "q1" };
  static const int place[] = { 0, 2, 1 }; /* along the chain */
  ms_reduced *r;
  MS_TRY(ms_reduced_create(ctx, 3, 2, name, 0, &r));
  for (int i = 0; i < 3; i++) {
    r->M[4 * i] = mass[place[i]];
    for (int j = 0; j < 3; j++) {
      for (int s = 0; s < 2; s++) {
        double b[2] = { (place[i] == s + 1) - (place[i] == s),
                        (place[j] == s + 1) - (place[j] == s) };
        r->K[i + 3 * j] += spring[s] * b[0] * b[1];
      }
    }
  }
  ms_status status = ms_reduced_write(r, test_path(file));
  ms_reduced_destroy(&r);
  return status;
}

static void put_study(const char *name, const char *joints) {
  char text[1024];
  snprintf(text, sizeof text,
           "microslip: 1\nstructure:\n  substructures:\n    left: {reduced: left.h5}\n"
           "    right: {reduced: right.h5}\njoints:\n%s\nanalyses: [modes]\n",
           joints);
  test_put(test_path(name), text);
}

static ms_status open_with(ms_context *ctx, const char *joints, ms_study **out) {
  put_study("study.yaml", joints);
  return ms_study_open(ctx, test_path("study.yaml"), 0, NULL, out);
}

/* |K - omega^2 M| of a ring or chain of masses, by elimination; scaled by the largest pivot. */
static double determinant(int size, const double *K, const double *M, double omega) {
  double A[36], worst = HUGE_VAL, largest = 0.0;
  for (int i = 0; i < size * size; i++) A[i] = K[i];
  for (int i = 0; i < size; i++) A[i + size * i] -= omega * omega * M[i];
  for (int c = 0; c < size; c++) {
    int p = c;
    for (int i = c; i < size; i++) {
      if (fabs(A[i + size * c]) > fabs(A[p + size * c])) p = i;
    }
    for (int j = 0; j < size; j++) {
      double t = A[c + size * j];
      A[c + size * j] = A[p + size * j];
      A[p + size * j] = t;
    }
    worst = fmin(worst, fabs(A[c + size * c]));
    largest = fmax(largest, fabs(A[c + size * c]));
    for (int i = c + 1; i < size; i++) {
      double f = A[c + size * c] == 0.0 ? 0.0 : A[i + size * c] / A[c + size * c];
      for (int j = c; j < size; j++) A[i + size * j] -= f * A[c + size * j];
    }
  }
  return worst / largest;
}

static void add_spring(int size, double *K, int i, int j, double stiffness) {
  K[i + size * i] += stiffness;
  K[j + size * j] += stiffness;
  K[i + size * j] -= stiffness;
  K[j + size * i] -= stiffness;
}

/* Both ends of both chains joined: a ring of four masses, and of six with springs at the joints. */
static void check_frequencies(const ms_study *study, int size, const double *K, const double *M) {
  ms_modes stuck = ms_structure_get_stuck(ms_study_get_structure(study));
  CHECK_EQUAL(stuck.n, size);
  CHECK_NEAR(stuck.omega[0], 0.0, 1e-9);
  for (ptrdiff_t r = 1; r < stuck.n; r++) {
    CHECK(stuck.omega[r] > stuck.omega[r - 1]);
    CHECK_BELOW(determinant(size, K, M, stuck.omega[r]), 1e-10);
    CHECK(determinant(size, K, M, 1.01 * stuck.omega[r]) > 1e-4);
  }
}

static void test_rigid(void) {
  const double M[4] = { m[0] + n[0], m[1], m[2] + n[2], n[1] };
  double K[16] = { 0.0 };
  ms_study *study = NULL;
  add_spring(4, K, 0, 1, k[0]);
  add_spring(4, K, 1, 2, k[1]);
  add_spring(4, K, 0, 3, l[0]);
  add_spring(4, K, 3, 2, l[1]);
  CHECK_OK(open_with(test_context(), "  j.*: {between: [left.e.*, right.e.*], x: rigid}", &study));
  if (study) check_frequencies(study, 4, K, M);
  ms_study_close(&study);
}

static void test_springs(void) {
  const double M[6] = { m[0], m[1], m[2], n[0], n[1], n[2] };
  double K[36] = { 0.0 };
  ms_study *study = NULL;
  for (int s = 0; s < 2; s++) {
    add_spring(6, K, s, s + 1, k[s]);
    add_spring(6, K, 3 + s, 4 + s, l[s]);
    add_spring(6, K, 2 * s, 3 + 2 * s, K_JOINT);
  }
  CHECK_OK(open_with(test_context(),
                     "  j.*: {between: [left.e.*, right.e.*], x: {law: jenkins, K_T: 2900, F_S: "
                     "12}}",
                     &study));
  if (study) {
    const ms_structure *s = ms_study_get_structure(study);
    check_frequencies(study, 6, K, M);
    CHECK_EQUAL(ms_structure_count_joints(s), 2);
    CHECK_TEXT(ms_structure_get_joint_name(s, 0), "j.1.x");
    CHECK_TEXT(ms_structure_get_joint_name(s, 1), "j.2.x");
  }
  ms_study_close(&study);
}

/* The ground, on one side of all of them. */
static void test_ground(void) {
  ms_study *study = NULL;
  CHECK_OK(open_with(test_context(), "  foot.*: {between: [ground, left.e.*], x: rigid}", &study));
  if (study) {
    const ms_structure *s = ms_study_get_structure(study);
    ptrdiff_t i = 0;
    CHECK_EQUAL(ms_structure_get_size(s), 4);
    CHECK_OK(ms_structure_find(s, "left.e.2.ux", &i));
    CHECK_EQUAL(i, MS_GROUND);
  }
  ms_study_close(&study);
}

/* Nothing is left out of a check that has all numbers. */
static void test_check(void) {
  ms_study_facts facts = { 0 };
  put_study("study.yaml", "  j.*: {between: [left.e.*, right.e.*], x: rigid}");
  CHECK_OK(ms_study_check(test_context(), test_path("study.yaml"), 0, NULL, &facts));
  CHECK_EQUAL(facts.n_coordinate, 4);
  CHECK_EQUAL(facts.is_open, 0);
  CHECK_EQUAL(facts.n_joint, 0);
  CHECK_EQUAL(facts.n_analysis, 1);
}

static void check_refused(const char *joints, ms_status status, const char *what) {
  ms_study *study = NULL;
  CHECK_STATUS(open_with(test_context(), joints, &study), status);
  CHECK_HAS(ms_context_message(test_context()), what);
  CHECK(!study);
  ms_study_close(&study);
}

static void test_refused(void) {
  check_refused("  j.*: {between: [left.e.*, right.e.1], x: rigid}", MS_ERR_FORMAT,
                "study.yaml:7:19: both nodes need a '*'");
  check_refused("  j: {between: [left.e.*, right.e.*], x: rigid}", MS_ERR_NAME,
                "study.yaml:7:3: a joint between nodes with '*' needs one in its name");
  check_refused("  j.*: {between: [left.f.*, right.e.*], x: rigid}", MS_ERR_NAME,
                "study.yaml:7:19: 'left.f.*' matches no kept node");
  check_refused("  j.*: {between: [left.e.*, right.f.*], x: rigid}", MS_ERR_NAME,
                "there is no degree of freedom 'right.f.1.ux'");
}

static void check_structure(const char *substructures, ms_status status, const char *what) {
  char text[512];
  ms_study *study = NULL;
  snprintf(text, sizeof text, "microslip: 1\nstructure:\n  substructures: %s\nanalyses: [modes]\n",
           substructures);
  test_put(test_path("study.yaml"), text);
  CHECK_STATUS(ms_study_open(test_context(), test_path("study.yaml"), 0, NULL, &study), status);
  CHECK_HAS(ms_context_message(test_context()), what);
  ms_study_close(&study);
}

static void test_broken(void) {
  check_structure("{}", MS_ERR_FORMAT, "study.yaml:3:3: substructures are name:");
  check_structure("{a: {}}", MS_ERR_FORMAT, "study.yaml:3:19: sub-structure a needs one of fe");
  check_structure("{a.b: {reduced: left.h5}}", MS_ERR_NAME, "study.yaml:3:19: a sub-structure's");
  check_structure("{ground: {reduced: left.h5}}", MS_ERR_NAME, "a sub-structure's name");
  check_structure("{a: {reduced: none.h5}}", MS_ERR_FILE, "study.yaml:3:32: ");
  check_structure("{a: {reduced: left.h5, reduce: {}}}", MS_ERR_FORMAT,
                  "study.yaml:3:41: reduce belongs to finite elements");
  check_structure("{a: {reduced: left.h5}}\n  reduced: left.h5", MS_ERR_FORMAT,
                  "structure needs one of");
}

static ms_status work(ms_context *ctx, void *user) {
  ms_study *study = NULL;
  (void)user;
  ms_status status = ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &study);
  ms_study_close(&study);
  return status;
}

static void test_memory_fails(void) {
  put_study("study.yaml", "  j.*: {between: [left.e.*, right.e.*], x: rigid}");
  CHECK(test_allocations(work, NULL) > 30);
}

int main(void) {
  test_folder_open();
  CHECK_OK(put_chain(test_context(), "left.h5", m, k));
  CHECK_OK(put_chain(test_context(), "right.h5", n, l));
  TEST(test_rigid);
  TEST(test_springs);
  TEST(test_ground);
  TEST(test_check);
  TEST(test_refused);
  TEST(test_broken);
  TEST(test_memory_fails);
  test_folder_close();
  return test_finish();
}
