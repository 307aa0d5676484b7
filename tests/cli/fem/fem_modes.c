/* Prints frequencies, mass and inertia of a bar with all kinds of constraints, to all digits, for
   test_mpirun.sh: what it prints must not depend on the number of processes. Only the first of them
   prints. */
#include <stdio.h>

#include <microslip/fem_model.h>

static ms_status add_spider(ms_fem_model *model, const ms_mesh *mesh, const char *set,
                            ms_spider_kind kind, double x, ptrdiff_t *ref) {
  ms_mesh_set s;
  MS_TRY(ms_mesh_find_set(mesh, MS_SET_NODES, set, &s));
  ms_spider spider = { set, kind, { x, 0.03, 0.05 }, s.n, s.index, set };
  return ms_fem_add_spider(model, &spider, ref);
}

static ms_status build(ms_context *ctx, ms_mesh *mesh, ms_fem_model **model) {
  ms_part part = { .name = "a", .material = ms_material_isotropic(71e9, 0.31, 2700.0) };
  ptrdiff_t ref[3];
  MS_TRY(ms_mesh_add_part(mesh, &part, NULL));
  part.name = "b";
  MS_TRY(ms_mesh_add_part(mesh, &part, NULL));
  MS_TRY(ms_mesh_add_brick(mesh, 0, "hex8",
                           &(ms_brick) { { 0, 0, 0 }, { 0.43, 0.07, 0.11 }, { 12, 3, 4 } }));
  MS_TRY(ms_mesh_add_brick(mesh, 1, "hex8",
                           &(ms_brick) { { 0.43, 0, 0 }, { 0.43, 0.07, 0.11 }, { 10, 6, 4 } }));
  MS_TRY(ms_fem_create(ctx, mesh, model));
  MS_TRY(ms_fem_tie(*model, "tie", "b.left", "a.right", 1e-6));
  MS_TRY(add_spider(*model, mesh, "a.left", MS_SPIDER_AREA, 0.0, &ref[0]));
  MS_TRY(add_spider(*model, mesh, "b.right", MS_SPIDER_RIGID, 0.86, &ref[1]));
  MS_TRY(add_spider(*model, mesh, "b.top", MS_SPIDER_UNIFORM, 0.6, &ref[2]));
  ms_fem_term term[2] = { { ref[0], 2, 1.0 }, { ref[1], 2, -0.7 } };
  MS_TRY(ms_fem_link(*model, "link", 2, term, 0.0));
  MS_TRY(ms_fem_add_spring(*model, 1, &(ms_fem_term) { ref[2], 0, 1.0 }, 3.3e7));
  MS_TRY(ms_fem_keep(*model, "left", ref[0], 1 + 2 + 8 + 16 + 32));
  MS_TRY(ms_fem_keep(*model, "right", ref[1], MS_FEM_ALL));
  return ms_fem_setup(*model, NULL);
}

static ms_status report(ms_context *ctx, ms_fem_model *model) {
  ms_communicator comm;
  ms_fem_modes modes;
  ms_reduced *r = NULL;
  double omega[64];
  MS_TRY(ms_fem_start(ctx, &comm));
  MS_TRY(ms_fem_find_modes(model, 14, 0.0, &modes));
  MS_TRY(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 12 }, &r));
  MS_TRY(ms_reduced_find_omega(r, omega));
  for (ptrdiff_t i = 0; comm.rank == 0 && i < modes.n; i++) {
    printf("%.17g %.17g\n", modes.omega[i], omega[i]);
  }
  for (ptrdiff_t d = 0; comm.rank == 0 && d < 3; d++) { /* "right" translates along d */
    printf("%.17g %.17g\n", r->mass, r->inertia[d + 3 * (5 + d)]);
  }
  if (comm.rank == 0) fprintf(stderr, "%s; %s\n", ms_fem_engine(), ms_fem_get_line(model));
  ms_reduced_destroy(&r);
  ms_fem_modes_free(ctx, &modes);
  return MS_SUCCESS;
}

int main(void) {
  ms_context *ctx = NULL;
  ms_mesh *mesh = NULL;
  ms_fem_model *model = NULL;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 1;
  ms_status status = ms_mesh_create(ctx, &mesh);
  if (status == MS_SUCCESS) status = build(ctx, mesh, &model);
  if (status == MS_SUCCESS) status = report(ctx, model);
  if (status != MS_SUCCESS) fprintf(stderr, "%s\n", ms_context_message(ctx));
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  ms_context_destroy(&ctx);
  return status != MS_SUCCESS;
}
