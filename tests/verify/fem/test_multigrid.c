/* The route of multigrid: against the direct one, and its parts for what they promise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "fem/solve/multigrid.h"
#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

enum { N_MODE = 11 };

static ms_fem_settings settings(int multigrid) {
  ms_fem_settings s = ms_fem_defaults();
  s.route = multigrid ? MS_FEM_MULTIGRID : MS_FEM_DIRECT;
  return s;
}

/* ---- models ---- */

static ptrdiff_t add_spider(ms_context *ctx, ms_fem_model *model, const ms_mesh *mesh,
                            const char *set, ms_spider_kind kind, double x) {
  ms_mesh_set s = { 0 };
  ptrdiff_t ref = -1;
  (void)ctx;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, set, &s));
  ms_spider spider = { set, kind, { x, 0.06, 0.04 }, s.n, s.index, NULL };
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  return ref;
}

/* Stiff and soft in a row, each with a rigid spider where they would touch, a spring and links
   between these, and an averaging one on top: what the Ministack has. `hold` clamps one end. */
static ms_mesh *make_mesh(void) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_part soft = { .name = "soft", .material = ms_material_isotropic(0.9e9, 0.31, 310.0) };
  CHECK_OK(ms_mesh_add_part(mesh, &soft, NULL));
  CHECK_OK(ms_mesh_add_brick(mesh, 0, "hex8",
                             &(ms_brick) { { 0, 0, 0 }, { 0.37, 0.12, 0.09 }, { 14, 6, 5 } }));
  CHECK_OK(ms_mesh_add_brick(mesh, 1, "hex8",
                             &(ms_brick) { { 0.37, 0, 0 }, { 0.23, 0.12, 0.09 }, { 9, 6, 5 } }));
  return mesh;
}

static ms_fem_model *make_model(const ms_mesh *mesh, int hold, int multigrid, ptrdiff_t *ref) {
  ms_fem_model *model = NULL;
  ms_context *ctx = test_context();
  CHECK_OK(ms_fem_create(ctx, mesh, &model));
  if (hold) CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
  ref[0] = add_spider(ctx, model, mesh, "part.right", MS_SPIDER_RIGID, 0.37);
  ref[1] = add_spider(ctx, model, mesh, "soft.left", MS_SPIDER_RIGID, 0.37);
  ref[2] = add_spider(ctx, model, mesh, "soft.top", MS_SPIDER_UNIFORM, 0.48);
  for (int c = 0; c < 6; c++) {
    ms_fem_term term[2] = { { ref[0], c, 1.0 }, { ref[1], c, -1.0 } };
    if (c == 1) CHECK_OK(ms_fem_add_spring(model, 2, term, 3.7e6));
    if (c != 1) CHECK_OK(ms_fem_link(model, "joint", 2, term, 0.0));
  }
  ms_fem_settings s = settings(multigrid);
  CHECK_OK(ms_fem_setup(model, &s));
  return model;
}

/* ---- routes ---- */

static void find_modes(const ms_mesh *mesh, int hold, int multigrid, double *omega,
                       ptrdiff_t *n_rigid) {
  ptrdiff_t ref[3];
  ms_fem_modes modes = { 0 };
  ms_fem_model *model = make_model(mesh, hold, multigrid, ref);
  CHECK_OK(ms_fem_find_modes(model, N_MODE, 0.0, &modes));
  printf("# %s\n", ms_fem_get_line(model));
  *n_rigid = modes.n_rigid;
  for (int i = 0; i < N_MODE && modes.n == N_MODE; i++) {
    omega[i] = modes.omega[i];
    CHECK_BELOW(modes.residual[i], 1e-8);
  }
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
}

/* Free: six motions, whose shift leaves a factor ten digits (its residuals say so). */
static void test_modes(void) {
  ms_mesh *mesh = make_mesh();
  for (int hold = 0; hold < 2; hold++) {
    double omega[2][N_MODE] = { { 0 } };
    ptrdiff_t n_rigid[2] = { -1, -1 };
    for (int k = 0; k < 2; k++) find_modes(mesh, hold, k, omega[k], &n_rigid[k]);
    CHECK_EQUAL(n_rigid[0], hold ? 0 : 6);
    CHECK_EQUAL(n_rigid[1], hold ? 0 : 6);
    for (int i = hold ? 0 : 6; i < N_MODE; i++) {
      CHECK_CLOSE(omega[1][i], omega[0][i], hold ? 1e-10 : 1e-9);
    }
  }
  ms_mesh_destroy(&mesh);
}

static void test_statics(void) {
  ms_mesh *mesh = make_mesh();
  double moved[2][3] = { { 0 } };
  for (int k = 0; k < 2; k++) {
    ptrdiff_t ref[3];
    ms_fem_model *model = make_model(mesh, 1, k, ref);
    ptrdiff_t n = ms_fem_get_size(model);
    double *f = calloc((size_t)(6 * n), sizeof *f), *u = f + 3 * n;
    if (!f) exit(2);
    for (int j = 0; j < 3; j++) f[ms_fem_get_index(model, ref[j], j) + n * j] = 1234.5;
    CHECK_OK(ms_fem_solve(model, 3, f, u));
    printf("# %s\n", ms_fem_get_line(model));
    for (int j = 0; j < 3; j++) moved[k][j] = u[ms_fem_get_index(model, ref[j], j) + n * j];
    free(f);
    ms_fem_destroy(&model);
  }
  for (int j = 0; j < 3; j++) CHECK_CLOSE(moved[1][j], moved[0][j], 1e-8);
  ptrdiff_t ref[3];
  ms_fem_model *model = make_model(mesh, 0, 1, ref);
  double *f = calloc((size_t)(2 * ms_fem_get_size(model)), sizeof *f);
  if (!f) exit(2);
  CHECK(ms_fem_solve(model, 1, f, f + ms_fem_get_size(model)) != MS_SUCCESS);
  printf("# %s\n", ms_context_message(test_context()));
  CHECK_HAS(ms_context_message(test_context()), "can move freely");
  free(f);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* Two bodies that do not touch have twelve motions, of which multigrid is told six. */
static void test_two_bodies(void) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_part part = *ms_mesh_get_part(mesh, 0);
  part.name = "other";
  CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
  for (int i = 0; i < 2; i++) {
    ms_brick brick = { { 0.0, 0.7 * i, 0.1 * i }, { 0.83, 0.11, 0.07 + 0.01 * i }, { 16, 4, 3 } };
    CHECK_OK(ms_mesh_add_brick(mesh, i, "hex8", &brick));
  }
  double omega[2][18] = { { 0 } };
  for (int k = 0; k < 2; k++) {
    ms_fem_model *model = NULL;
    ms_fem_modes modes = { 0 };
    ms_fem_settings s = settings(k);
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_setup(model, &s));
    CHECK_OK(ms_fem_find_modes(model, 18, 0.0, &modes));
    printf("# %s\n", ms_fem_get_line(model));
    CHECK_EQUAL(modes.n_rigid, 12);
    for (int i = 0; i < 18 && modes.n == 18; i++) omega[k][i] = modes.omega[i];
    ms_fem_modes_free(test_context(), &modes);
    ms_fem_destroy(&model);
  }
  for (int i = 12; i < 18; i++) CHECK_CLOSE(omega[1][i], omega[0][i], 1e-9);
  ms_mesh_destroy(&mesh);
}

/* Below a cut-off, and a reduction that keeps spiders: their rows are empty inside. */
static void test_reduction(void) {
  ms_mesh *mesh = make_mesh();
  ms_reduced *r[2] = { NULL };
  for (int k = 0; k < 2; k++) {
    ms_fem_model *model = NULL;
    ms_fem_settings s = settings(k);
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
    ptrdiff_t a = add_spider(test_context(), model, mesh, "part.right", MS_SPIDER_RIGID, 0.37);
    ptrdiff_t b = add_spider(test_context(), model, mesh, "soft.left", MS_SPIDER_RIGID, 0.37);
    CHECK_OK(ms_fem_keep(model, "a", a, MS_FEM_ALL));
    CHECK_OK(ms_fem_keep(model, "b", b, MS_FEM_ALL));
    CHECK_OK(ms_fem_setup(model, &s));
    CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .cutoff_hz = 4100.0 }, &r[k]));
    ms_fem_destroy(&model);
  }
  if (r[0] && r[1]) CHECK_EQUAL(r[1]->n, r[0]->n);
  if (r[0] && r[1] && r[0]->n == r[1]->n) {
    double omega[2][64] = { { 0 } };
    printf("# %td coordinates\n", r[0]->n);
    for (int k = 0; k < 2; k++) CHECK_OK(ms_reduced_find_omega(r[k], omega[k]));
    for (ptrdiff_t i = 6; i < r[0]->n; i++) CHECK_CLOSE(omega[1][i], omega[0][i], 1e-8);
    for (ptrdiff_t i = 0; i < 12; i++) { /* the second body is free: no stiffness in its spider */
      ptrdiff_t at = i + r[0]->n * i;
      CHECK_CLOSE(r[1]->M[at], r[0]->M[at], 1e-9);
      if (i < 6) CHECK_CLOSE(r[1]->K[at], r[0]->K[at], 1e-9);
      if (i >= 6) CHECK_NEAR(r[1]->K[at], 0.0, 1e-12 * r[0]->K[0]);
    }
  }
  for (int k = 0; k < 2; k++) ms_reduced_destroy(&r[k]);
  ms_mesh_destroy(&mesh);
}

/* ---- the preconditioner ---- */

static void fill_noise(Mat X, double seed) {
  PetscInt n, column;
  double *x;
  ms_columns_size(X, &n, &column);
  CHECK_OK(ms_columns_read(test_context(), X, &x));
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n * column; i++) x[i] = sin(seed * (double)(i + 1));
}

/* X^T B Y = Y^T B X, and the diagonal of X^T B X above zero. */
static void test_symmetry(void) {
  enum { N = 5 };
  ms_mesh *mesh = make_mesh();
  ptrdiff_t ref[3];
  ms_fem_model *model = make_model(mesh, 1, 1, ref);
  ms_context *ctx = test_context();
  ms_multigrid *mg = NULL;
  Mat X = NULL, Y = NULL, BX = NULL, BY = NULL, K = model->engine->K;
  double a[N * N] = { 0 }, b[N * N] = { 0 }, c[N * N] = { 0 };
  CHECK_OK(ms_multigrid_create(model, K, &mg));
  Mat *all[] = { &X, &Y, &BX, &BY };
  for (int i = 0; i < 4; i++) CHECK_OK(ms_columns_create(ctx, K, N, all[i]));
  fill_noise(X, 1.37);
  fill_noise(Y, 2.11);
  CHECK_OK(ms_multigrid_apply(mg, X, BX));
  CHECK_OK(ms_multigrid_apply(mg, Y, BY));
  CHECK_OK(ms_columns_dot_all(ctx, X, BY, a));
  CHECK_OK(ms_columns_dot_all(ctx, Y, BX, b));
  CHECK_OK(ms_columns_dot_all(ctx, X, BX, c));
  for (int j = 0; j < N; j++) {
    CHECK(c[j + N * j] > 0.0);
    for (int i = 0; i < N; i++) CHECK_NEAR(a[i + N * j], b[j + N * i], 1e-12 * c[0]);
  }
  for (int i = 0; i < 4; i++) MatDestroy(all[i]);
  ms_multigrid_destroy(model, &mg);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  ms_mesh *mesh = NULL;
  ms_fem_model *model = NULL;
  ms_fem_modes modes = { 0 };
  ms_fem_settings s = settings(1);
  ms_part part = { .name = "part", .material = ms_material_isotropic(71e9, 0.3, 2700.0) };
  ms_brick brick = { { 0, 0, 0 }, { 0.37, 0.12, 0.09 }, { 4, 2, 2 } };
  ms_mesh_set set = { 0 };
  ptrdiff_t ref;
  (void)user;
  ms_status status = ms_mesh_create(ctx, &mesh);
  if (status == MS_SUCCESS) status = ms_mesh_add_part(mesh, &part, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_brick(mesh, 0, "hex8", &brick);
  if (status == MS_SUCCESS) status = ms_mesh_find_set(mesh, MS_SET_NODES, "part.right", &set);
  ms_spider spider = { "end", MS_SPIDER_RIGID, { 0.37, 0.06, 0.04 }, set.n, set.index, NULL };
  if (status == MS_SUCCESS) status = ms_fem_create(ctx, mesh, &model);
  if (status == MS_SUCCESS) status = ms_fem_add_spider(model, &spider, &ref);
  if (status == MS_SUCCESS) status = ms_fem_setup(model, &s);
  if (status == MS_SUCCESS) status = ms_fem_find_modes(model, 7, 0.0, &modes);
  ms_fem_modes_free(ctx, &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  return status;
}

static void test_memory_short(void) {
  long failures = test_allocations(work, NULL);
  printf("# %ld allocations failed\n", failures);
  CHECK(failures > 40);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_modes);
  TEST(test_statics);
  TEST(test_two_bodies);
  TEST(test_reduction);
  TEST(test_symmetry);
  TEST(test_memory_short);
  return test_leaks_finish();
}
