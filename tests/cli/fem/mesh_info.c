/* Reads mesh files and prints a line for each, for test_foreign_meshes.sh: what is in it, or why it
   is refused. */
#include <stdio.h>

#include <microslip/fem.h>

static void print_mesh(const char *path, const ms_mesh *mesh) {
  ms_mesh_report report;
  ms_status status = ms_mesh_check(mesh, NULL, &report);
  printf("%s: read; %td nodes, %td elements, %d parts, %d sets, volume %.12g\n", path,
         ms_mesh_count_nodes(mesh), ms_mesh_count_elements(mesh), ms_mesh_count_parts(mesh),
         ms_mesh_count_sets(mesh), status == MS_SUCCESS ? report.volume : -1.0);
}

/* Files of a mesh alone say nothing of the material. */
static int read_one(ms_context *ctx, const char *path) {
  ms_part any = { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0),
                  .section = { 1e-4, 1e-9, 1e-9, 2e-9, 0.85, 0.85, { 0 } },
                  .mass = 1.0 };
  ms_mesh_read_settings settings = ms_mesh_read_defaults();
  ms_mesh *mesh = NULL;
  settings.n_part = 1;
  settings.part = &any;
  ms_status status = ms_mesh_read(ctx, path, &settings, &mesh);
  if (status == MS_SUCCESS) print_mesh(path, mesh);
  if (status != MS_SUCCESS) printf("%s: refused; %s\n", path, ms_context_message(ctx));
  ms_mesh_destroy(&mesh);
  return status != MS_SUCCESS;
}

int main(int argc, char **argv) {
  ms_context *ctx = NULL;
  int refused = 0;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) return 2;
  for (int i = 1; i < argc; i++) refused |= read_one(ctx, argv[i]);
  ms_context_destroy(&ctx);
  return refused;
}
