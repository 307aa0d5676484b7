/* ms_fem_outline: the names of a reduction, and what is wrong with the constraints, without
 * solving.
 */
#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

static const ms_fem_reduction seven = { .n_mode = 7 };

static ms_mesh *make_mesh(void) {
  const double size[3] = { 0.83, 0.31, 0.17 };
  const int n[3] = { 3, 2, 1 };
  return test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
}

/* Held on the left, an average of the right kept, and a direction of a node. */
static ms_status build(ms_context *ctx, const ms_mesh *mesh, ms_fem_model **model) {
  ms_mesh_set set;
  ptrdiff_t ref;
  MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, "part.right", &set));
  MS_TRY(ms_fem_create(ctx, mesh, model));
  ms_spider spider = { "tip", MS_SPIDER_AREA, { 0.83, 0.1, 0.1 }, set.n, set.index, "part.right" };
  MS_TRY(ms_fem_add_spider(*model, &spider, &ref));
  MS_TRY(ms_fem_keep(*model, "tip", ref, MS_FEM_ALL));
  MS_TRY(ms_fem_keep(*model, "side", 1, 2));
  return ms_fem_fix_set(*model, "part.left", MS_FEM_ALL);
}

/* The same names as the reduction, which is still possible afterwards. */
static void test_names(void) {
  ms_mesh *mesh = make_mesh();
  ms_fem_model *model = NULL;
  ms_reduced *names = NULL, *r = NULL;
  CHECK_OK(build(test_context(), mesh, &model));
  CHECK_OK(ms_fem_outline(model, &seven, &names));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_reduce(model, &seven, &r));
  if (names && r) {
    CHECK_EQUAL(names->n, 14);
    CHECK_EQUAL(names->n, r->n);
    CHECK_EQUAL(names->n_boundary, r->n_boundary);
    CHECK_EQUAL(names->n_row, 0);
    for (ptrdiff_t i = 0; i < r->n && i < names->n; i++) CHECK_TEXT(names->name[i], r->name[i]);
    for (ptrdiff_t i = 0; i < names->n * names->n; i++) CHECK(names->M[i] == 0.0);
  }
  ms_reduced_destroy(&names);
  CHECK_STATUS(ms_fem_outline(model, &seven, &names), MS_ERR_STATE); /* it is set up */
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_cutoff(void) {
  ms_mesh *mesh = make_mesh();
  ms_fem_model *model = NULL;
  ms_reduced *names = NULL;
  CHECK_OK(build(test_context(), mesh, &model));
  CHECK_OK(ms_fem_outline(model, &(ms_fem_reduction) { .cutoff_hz = 2385.0 }, &names));
  if (names) CHECK_EQUAL(names->n, 7);
  if (names) CHECK_EQUAL(names->n_boundary, 7);
  ms_reduced_destroy(&names);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_refused(void) {
  ms_context *ctx = test_context();
  ms_mesh *mesh = make_mesh();
  ms_fem_model *model = NULL;
  ms_reduced *names = NULL;
  CHECK_OK(ms_fem_create(ctx, mesh, &model));
  CHECK_STATUS(ms_fem_outline(model, &(ms_fem_reduction) { 0 }, &names), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "needs modes, or degrees of freedom to keep");
  ms_fem_destroy(&model);
  CHECK_OK(build(ctx, mesh, &model));
  CHECK_OK(ms_fem_keep(model, "held", 0, 1)); /* on the left */
  CHECK(ms_fem_outline(model, &seven, &names) < 0);
  CHECK_HAS(ms_context_message(ctx), "part.left");
  CHECK(!names);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static ms_status work(ms_context *ctx, void *mesh) {
  ms_fem_model *model = NULL;
  ms_reduced *names = NULL;
  ms_status status = build(ctx, mesh, &model);
  if (status == MS_SUCCESS) status = ms_fem_outline(model, &seven, &names);
  ms_reduced_destroy(&names);
  ms_fem_destroy(&model);
  return status;
}

static void test_memory_fails(void) {
  ms_mesh *mesh = make_mesh();
  CHECK(test_allocations(work, mesh) > 40);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_names);
  TEST(test_cutoff);
  TEST(test_refused);
  TEST(test_memory_fails);
  return test_leaks_finish();
}
