/* Tolerances of the finite-element solvers, moved far in the harmful direction: the answer is
   wrong, refused, or comes without its check. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

/* A bar of so many elements, clamped at its left end, or free with one coordinate kept. */
static ms_fem_model *bar(const int n[3], int clamped, const ms_fem_settings *settings,
                         ms_mesh **mesh) {
  ms_fem_model *model = NULL;
  *mesh = test_mesh(71e9, 0.3, 2700.0);
  CHECK_OK(ms_mesh_add_brick(
      *mesh, 0, "hex8", &(ms_brick) { { 0, 0, 0 }, { 0.37, 0.12, 0.09 }, { n[0], n[1], n[2] } }));
  CHECK_OK(ms_fem_create(test_context(), *mesh, &model));
  if (clamped) CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
  if (!clamped) CHECK_OK(ms_fem_keep(model, "tip", 0, 1));
  CHECK_OK(ms_fem_setup(model, settings));
  return model;
}

typedef struct answer {
  ms_status status;
  double omega, residual, count; /* of the last mode; frequency of the Sturm count */
  char line[256];
} answer;

static answer find(const int n[3], ptrdiff_t n_mode, const ms_fem_settings *settings) {
  ms_mesh *mesh;
  ms_fem_model *model = bar(n, 1, settings, &mesh);
  ms_fem_modes modes = { 0 };
  answer a = { .status = ms_fem_find_modes(model, n_mode, 0.0, &modes) };
  if (a.status == MS_SUCCESS) {
    a.omega = modes.omega[n_mode - 1];
    a.residual = modes.residual[n_mode - 1];
    a.count = modes.omega_count;
  }
  snprintf(a.line, sizeof a.line, "%s", ms_fem_get_line(model));
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  return a;
}

enum { FEW = 4, MANY = 120 };
static const int small[3] = { 9, 3, 3 };

static void test_direct(void) {
  ms_fem_settings standard = ms_fem_defaults(), rough = standard, blind = standard;
  rough.tol.eigen = 1e3;
  rough.check_count = 0;
  blind.tol.gap = 1e3;
  answer right = find(small, MANY, &standard), wrong = find(small, MANY, &rough);
  answer unproved = find(small, FEW, &blind);
  CHECK_OK(right.status);
  CHECK_BELOW(right.residual, 1e-11);
  CHECK(right.count > right.omega);
  CHECK(wrong.status != MS_SUCCESS || wrong.residual > 1e-9);
  CHECK(unproved.count == 0.0);
}

/* LOBPCG in rounds: each is told how far the one before it was from the residual that is wanted. */
static void test_lobpcg(void) {
  ms_fem_settings s = ms_fem_defaults();
  s.route = MS_FEM_MULTIGRID;
  answer right = find(small, FEW, &s);
  s.tol.converged_first = 1e3;
  answer rounds = find(small, FEW, &s);
  ms_fem_settings enough = s, unknown = s, dependent = s;
  enough.tol.converged = 1e3;
  unknown.tol.estimate = 1e3;
  dependent.tol.independent = 1e3;
  answer early = find(small, FEW, &enough), wrong = find(small, FEW, &unknown),
         none = find(small, FEW, &dependent);
  CHECK_OK(right.status);
  CHECK_BELOW(right.residual, 1e-8);
  CHECK_CLOSE(rounds.omega, right.omega, 1e-9);
  CHECK_BELOW(rounds.residual, 1e-8);
  CHECK(early.status != MS_SUCCESS || early.residual > 1e-5);
  CHECK(wrong.status != MS_SUCCESS || fabs(wrong.omega - right.omega) > 1e-6 * right.omega);
  CHECK(none.status != MS_SUCCESS);
}

/* A factor that would not fit is not made. */
static void test_memory_of_factor(void) {
  static const int large[3] = { 12, 8, 6 };
  ms_fem_settings standard = ms_fem_defaults(), overhead = standard, share = standard;
  overhead.tol.overhead = 1e9;
  share.tol.share = 1e-9;
  CHECK_HAS(find(large, FEW, &standard).line, "direct: a factor of");
  CHECK_HAS(find(large, FEW, &overhead).line, "multigrid: a factor of");
  CHECK_HAS(find(large, FEW, &share).line, "multigrid: a factor of");
}

/* A free bar, one coordinate of it kept. Its constraint mode is refined until it stands still, or
   changes by rounding; with neither it would go on for ever. */
static void test_constraint_modes(void) {
  const ms_fem_reduction reduction = { .n_mode = 8 };
  for (int i = 0; i < 4; i++) {
    ms_fem_settings s = ms_fem_defaults();
    ms_mesh *mesh;
    ms_reduced *reduced = NULL;
    if (i & 1) s.tol.still = 1e-30;
    if (i & 2) s.tol.slow = 1e-30;
    ms_fem_model *model = bar(small, 0, &s, &mesh);
    CHECK_STATUS(ms_fem_reduce(model, &reduction, &reduced),
                 i == 3 ? MS_NOT_CONVERGED : MS_SUCCESS);
    ms_reduced_destroy(&reduced);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

static void test_refused(void) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_fem_model *model = NULL;
  ms_fem_settings s = ms_fem_defaults();
  s.tol.smooth_to = 0.0;
  CHECK_OK(ms_mesh_add_brick(mesh, 0, "hex8",
                             &(ms_brick) { { 0, 0, 0 }, { 0.37, 0.12, 0.09 }, { 2, 1, 1 } }));
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_STATUS(ms_fem_setup(model, &s), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "tol.smooth_to = 0 must be finite and above 0");
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_direct);
  TEST(test_lobpcg);
  TEST(test_memory_of_factor);
  TEST(test_constraint_modes);
  TEST(test_refused);
  return test_leaks_finish();
}
