/* Models with constraints, against closed forms: what elements cannot see. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

static double *zeros(ptrdiff_t n) {
  double *x = calloc((size_t)n, sizeof *x);
  if (!x) exit(2);
  return x;
}

/* All nodes of a set, or of the whole mesh. */
static ptrdiff_t nodes_of(const ms_mesh *mesh, const char *set, const int32_t **node) {
  ms_mesh_set s = { 0 };
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, set, &s));
  *node = s.index;
  return s.n;
}

/* ---- a rigid spider at the tip of a cantilever of hex20 without Poisson's effect ---- */

/* Clamped at x = 0, axial force and moments on the reference. Without Poisson's effect the fields
   are quadratic, and so exact: u = F L / E A, rz = M L / E I, uy = M L^2 / 2 E I. */
static void test_rigid_spider(void) {
  const double size[3] = { 0.83, 0.11, 0.07 }, E = 71e9, F = 1234.5, Mz = 47.3, My = 21.7;
  const int n[3] = { 3, 2, 1 };
  ms_mesh *mesh = test_brick("hex20", size, n, E, 0.0, 2700.0);
  ms_fem_model *model = NULL;
  ms_spider spider = { .name = "tip", .kind = MS_SPIDER_RIGID };
  ptrdiff_t ref = -1;
  spider.at[0] = size[0], spider.at[1] = size[1] / 2, spider.at[2] = size[2] / 2;
  spider.n = nodes_of(mesh, "part.right", &spider.node);
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  CHECK_OK(ms_fem_setup(model, NULL));
  ptrdiff_t size_n = ms_fem_get_size(model);
  double *f = zeros(3 * size_n), *u = zeros(3 * size_n);
  f[ms_fem_get_index(model, ref, 0)] = F;
  f[size_n + ms_fem_get_index(model, ref, 5)] = Mz;
  f[2 * size_n + ms_fem_get_index(model, ref, 4)] = My;
  CHECK_OK(ms_fem_solve(model, 3, f, u));
  printf("# %s\n", ms_fem_get_line(model));
  double A = size[1] * size[2], Iz = size[2] * pow(size[1], 3) / 12,
         Iy = size[1] * pow(size[2], 3) / 12;
  CHECK_CLOSE(u[ms_fem_get_index(model, ref, 0)], F * size[0] / (E * A), 1e-9);
  CHECK_CLOSE(u[size_n + ms_fem_get_index(model, ref, 5)], Mz * size[0] / (E * Iz), 1e-9);
  CHECK_CLOSE(u[size_n + ms_fem_get_index(model, ref, 1)], Mz * pow(size[0], 2) / (2 * E * Iz),
              1e-9);
  CHECK_CLOSE(u[2 * size_n + ms_fem_get_index(model, ref, 4)], My * size[0] / (E * Iy), 1e-9);
  CHECK_CLOSE(u[2 * size_n + ms_fem_get_index(model, ref, 2)], -My * pow(size[0], 2) / (2 * E * Iy),
              1e-9);
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- an averaging spider ---- */

/* Its reference follows a rigid motion exactly, and a force on it reaches the ground. Both when it
   depends on its nodes, and when it is kept and one of them depends on it. */
static void check_averaging(ms_spider_kind kind, int keep) {
  const double size[3] = { 0.83, 0.31, 0.17 }, spin[3] = { 1.3e-4, -2.1e-4, 0.7e-4 };
  const int n[3] = { 3, 2, 2 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  ms_fem_model *model = NULL;
  ms_spider spider = {
    .name = "tip", .kind = kind, .at = { 0.9, 0.2, -0.1 }, .faces = "part.right"
  };
  ptrdiff_t ref = -1;
  const int32_t *held;
  spider.n = nodes_of(mesh, "part.right", &spider.node);
  ptrdiff_t n_held = nodes_of(mesh, "part.left", &held);
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  const double *x = ms_mesh_get_nodes(mesh);
  for (ptrdiff_t i = 0; i < n_held; i++) { /* u = spin x r */
    const double *p = x + 3 * held[i];
    for (int a = 0; a < 3; a++) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      CHECK_OK(ms_fem_prescribe(model, "turn", held[i], a, spin[b] * p[c] - spin[c] * p[b]));
    }
  }
  if (keep) CHECK_OK(ms_fem_keep(model, "tip", ref, MS_FEM_ALL));
  CHECK_OK(ms_fem_setup(model, NULL));
  double *f = zeros(ms_fem_get_size(model)), *u = zeros(ms_fem_get_size(model));
  CHECK_OK(ms_fem_solve(model, 1, f, u));
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    double want = spin[b] * spider.at[c] - spin[c] * spider.at[b];
    CHECK_NEAR(u[ms_fem_get_index(model, ref, a)], want, 1e-14);
    CHECK_NEAR(u[ms_fem_get_index(model, ref, 3 + a)], spin[a], 1e-14);
  }
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_averaging_spider(void) {
  for (int keep = 0; keep < 2; keep++) {
    check_averaging(MS_SPIDER_UNIFORM, keep);
    check_averaging(MS_SPIDER_AREA, keep);
  }
}

/* A force on an averaging reference works as the forces w_i F on its nodes do, weights by hand: a
   brick face of 2 x 2 quadrilaterals of uneven size has known tributary areas. */
static void test_weights(void) {
  const double size[3] = { 0.5, 0.4, 0.2 };
  const int n[3] = { 2, 2, 1 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  double *x = test_nodes(mesh), line_y[3] = { 0.0, 0.1, 0.4 }, sum = 0.0, moment = 0.0;
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    if (fabs(x[3 * i + 1] - 0.2) < 1e-9) x[3 * i + 1] = line_y[1];
  }
  ms_fem_model *model = NULL;
  ms_spider spider = {
    .name = "top", .kind = MS_SPIDER_AREA, .at = { 0.25, 0.2, 0.2 }, .faces = "part.top"
  };
  ptrdiff_t ref = -1;
  spider.n = nodes_of(mesh, "part.top", &spider.node);
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "part.bottom", MS_FEM_ALL));
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  CHECK_OK(ms_fem_setup(model, NULL));
  ptrdiff_t N = ms_fem_get_size(model);
  double *f = zeros(N), *u = zeros(N);
  f[ms_fem_get_index(model, 4 + 9, 2)] = -345.6;
  CHECK_OK(ms_fem_solve(model, 1, f, u));
  for (ptrdiff_t i = 0; i < spider.n; i++) { /* shares: half of the neighbours' lengths */
    const double *p = x + 3 * spider.node[i];
    double wx = fabs(p[0] - 0.25) < 1e-9 ? 0.25 : 0.125;
    double wy = p[1] < 1e-9 ? 0.05 : p[1] > 0.3 ? 0.15 : 0.2;
    sum += wx * wy * u[ms_fem_get_index(model, spider.node[i], 2)];
    moment += wx * wy * (p[1] - 0.2);
  }
  CHECK_NEAR(moment, 0.0, 1e-15); /* the centre of the area, so that the mean is the reference */
  CHECK_CLOSE(u[ms_fem_get_index(model, ref, 2)], sum / (0.5 * 0.4), 1e-10);
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- tied faces ---- */

/* A linear displacement, or only the rotation in it. */
static double linear(const double *p, int a, int rigid) {
  static const double G[9] = { 1.1e-4, 0.3e-4, -0.2e-4, 0.5e-4, -0.7e-4,
                               0.4e-4, 0.1e-4, 0.2e-4,  0.9e-4 };
  double sum = 0.0;
  for (int b = 0; b < 3; b++) sum += (G[3 * b + a] - (rigid ? G[3 * a + b] : 0.0)) * p[b];
  return sum;
}

/* Two blocks with meshes of their own, tied; the outer nodes move linearly, and everything inside
   must follow. Where the upper mesh refines the lower this is a patch test across the tie. Where it
   does not, stress crosses from faces to faces that differ between the nodes, and only motions
   without stress can be exact. */
static void check_tie(const char *below, const char *above, const int *n_above, int rigid,
                      int tilt) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_part part = *ms_mesh_get_part(mesh, 0);
  part.name = "upper";
  CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
  CHECK_OK(ms_mesh_add_brick(mesh, 0, below,
                             &(ms_brick) { { 0, 0, 0 }, { 0.6, 0.5, 0.3 }, { 2, 2, 2 } }));
  ptrdiff_t n_lower = ms_mesh_count_nodes(mesh);
  CHECK_OK(ms_mesh_add_brick(
      mesh, 1, above,
      &(ms_brick) { { 0, 0, 0.3 }, { 0.6, 0.5, 0.3 }, { n_above[0], n_above[1], 2 } }));
  double *x = test_nodes(mesh);
  for (ptrdiff_t i = 0; tilt && i < ms_mesh_count_nodes(mesh); i++) {
    x[3 * i + 2] += 0.2 * x[3 * i] - 0.1 * x[3 * i + 1]; /* a face that is not along the axes */
  }
  ms_fem_model *model = NULL;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_tie(model, "glue", "upper.bottom", "part.top", 1e-6));
  const int32_t *glued;
  ptrdiff_t n_glued = nodes_of(mesh, "upper.bottom", &glued);
  ptrdiff_t n = ms_mesh_count_nodes(mesh), n_inside = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double *p = x + 3 * i;
    double z = p[2] - (tilt ? 0.2 * p[0] - 0.1 * p[1] : 0.0);
    int outside = p[0] < 1e-9 || p[0] > 0.6 - 1e-9 || p[1] < 1e-9 || p[1] > 0.5 - 1e-9 ||
                  z < 1e-9 || z > 0.6 - 1e-9;
    for (ptrdiff_t k = 0; k < n_glued; k++) outside = outside && glued[k] != i;
    n_inside += !outside && i < n_lower;
    for (int a = 0; outside && a < 3; a++)
      CHECK_OK(ms_fem_prescribe(model, "skin", i, a, linear(p, a, rigid)));
  }
  CHECK(n_inside > 0);
  CHECK_OK(ms_fem_setup(model, NULL));
  double *f = zeros(ms_fem_get_size(model)), *u = zeros(ms_fem_get_size(model)), worst = 0.0;
  CHECK_OK(ms_fem_solve(model, 1, f, u));
  for (ptrdiff_t i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      worst = fmax(worst, fabs(u[ms_fem_get_index(model, i, a)] - linear(x + 3 * i, a, rigid)));
    }
  }
  CHECK_BELOW(worst, 1e-15);
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_ties(void) {
  static const int same[2] = { 2, 2 }, finer[2] = { 4, 6 }, other[2] = { 3, 5 };
  for (int tilt = 0; tilt < 2; tilt++) {
    check_tie("hex8", "hex8", finer, 0, tilt);
    check_tie("hex20", "hex20", finer, 0, tilt);
    check_tie("tet10", "tet10", same, 0, tilt);
    check_tie("hex8", "hex8", other, 1, tilt);
    check_tie("tet10", "hex20", other, 1, tilt);
    check_tie("hex20", "tet4", other, 1, tilt);
    check_tie("tet4", "wedge6", other, 1, tilt);
  }
}

/* ---- what is refused ---- */

static void test_refusals(void) {
  const double size[3] = { 0.83, 0.31, 0.17 };
  const int n[3] = { 2, 2, 2 };
  ms_context *ctx = test_context();
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  ms_fem_model *model = NULL;
  ms_spider spider = { .name = "a", .kind = MS_SPIDER_RIGID, .at = { 0.83, 0, 0 } };
  spider.n = nodes_of(mesh, "part.right", &spider.node);
  CHECK_OK(ms_fem_create(ctx, mesh, &model));
  CHECK_STATUS(ms_fem_fix_set(model, "part.lift", 1), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "did you mean 'part.left'");
  CHECK_STATUS(ms_fem_prescribe(model, "p", 0, 4, 1.0), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "node 1 has no degree of freedom ry");
  CHECK_STATUS(ms_fem_tie(model, "far", "part.left", "part.right", 1e-3), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "0.83 m away");
  CHECK_OK(ms_fem_add_spider(model, &spider, NULL));
  CHECK_STATUS(ms_fem_add_spider(model, &spider, NULL), MS_ERR_NAME);
  ms_spider line = { .name = "line", .kind = MS_SPIDER_UNIFORM, .n = 3 };
  int32_t edge[3] = { 0, 1, 2 };
  line.node = edge;
  CHECK_STATUS(ms_fem_add_spider(model, &line, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "one line");
  spider.name = "b"; /* the same nodes once more */
  CHECK_OK(ms_fem_add_spider(model, &spider, NULL));
  CHECK_STATUS(ms_fem_setup(model, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "eliminated twice, by 'a' and by 'b'");
  ms_fem_destroy(&model);
  CHECK_OK(ms_fem_create(ctx, mesh, &model)); /* free: no statics */
  CHECK_OK(ms_fem_setup(model, NULL));
  double *f = zeros(ms_fem_get_size(model)), *u = zeros(ms_fem_get_size(model));
  f[3] = 1.0;
  CHECK_STATUS(ms_fem_solve(model, 1, f, u), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "move freely");
  CHECK_STATUS(ms_fem_fix_set(model, "part.left", 7), MS_ERR_STATE);
  free(f), free(u);
  ms_fem_destroy(&model);
  CHECK_OK(ms_fem_create(ctx, mesh, &model)); /* held by a hinge still */
  CHECK_OK(ms_fem_fix(model, "pin", 0, 7));
  CHECK_OK(ms_fem_setup(model, NULL));
  f = zeros(ms_fem_get_size(model)), u = zeros(ms_fem_get_size(model));
  CHECK_STATUS(ms_fem_solve(model, 1, f, u), MS_ERR_ARGUMENT);
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- memory ---- */

static ms_status build(ms_context *ctx, const ms_mesh *mesh, ms_fem_model **model, ms_reduced **r) {
  ms_mesh_set set;
  ptrdiff_t ref;
  MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, "part.right", &set));
  MS_TRY(ms_fem_create(ctx, mesh, model));
  ms_spider spider = { "tip", MS_SPIDER_AREA, { 0.83, 0.1, 0.1 }, set.n, set.index, "part.right" };
  MS_TRY(ms_fem_add_spider(*model, &spider, &ref));
  MS_TRY(ms_fem_keep(*model, "tip", ref, MS_FEM_ALL));
  MS_TRY(ms_fem_fix_set(*model, "part.left", 1));
  MS_TRY(ms_fem_prescribe(*model, "pull", 0, 1, 2.385e-3));
  MS_TRY(ms_fem_add_spring(*model, 1, &(ms_fem_term) { ref, 2, 1.0 }, 1e6));
  MS_TRY(ms_fem_setup(*model, NULL));
  return ms_fem_reduce(*model, &(ms_fem_reduction) { .n_mode = 2, .basis = 1 }, r);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_fem_model *model = NULL;
  ms_reduced *r = NULL;
  ms_status status = build(ctx, user, &model, &r);
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  return status;
}

/* The mesh and PETSc have memory of their own; the model's fails at every place in turn. */
static void test_memory_fails(void) {
  const double size[3] = { 0.83, 0.31, 0.17 };
  const int n[3] = { 2, 1, 1 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  long failures = test_allocations(work, mesh);
  printf("# %ld allocations failed\n", failures);
  CHECK(failures > 60);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_rigid_spider);
  TEST(test_averaging_spider);
  TEST(test_weights);
  TEST(test_ties);
  TEST(test_refusals);
  TEST(test_memory_fails);
  return test_leaks_finish();
}
