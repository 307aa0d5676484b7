/* Exodus meshes in netCDF-4, which is HDF5: files that are sound as such and hold anything. The
   bytes that come in say what becomes of each variable; a sound mesh or a clean refusal comes out.
 */
#include <math.h>
#include <string.h>

#include <microslip/fem.h>

#include "support/fuzz.h"
#include "support/hdf5.h"

/* A tetrahedron, with a set of nodes and of sides. */
static const test_object objects[] = {
  { "coordx", 1, 0, { 4, 0 }, { 0, 1, 0, 0, 2, 3, 4, 5, 6 } },
  { "coordy", 1, 0, { 4, 0 }, { 0, 0, 1, 0, 2, 3, 4, 5, 6 } },
  { "coordz", 1, 0, { 4, 0 }, { 0, 0, 0, 1, 2, 3, 4, 5, 6 } },
  { "eb_prop1", 1, 2, { 1, 0 }, { 7 } },
  { "connect1", 2, 2, { 1, 4 }, { 1, 2, 3, 4, 1, 2, 3, 4, 1 } },
  { "node_num_map", 1, 2, { 4, 0 }, { 11, 12, 13, 14, 15, 16, 17, 18, 19 } },
  { "ns_prop1", 1, 2, { 1, 0 }, { 3 } },
  { "node_ns1", 1, 2, { 2, 0 }, { 1, 3 } },
  { "ss_prop1", 1, 2, { 1, 0 }, { 5 } },
  { "elem_ss1", 1, 2, { 1, 0 }, { 1 } },
  { "side_ss1", 1, 2, { 1, 0 }, { 2 } },
};

/* The kind of element: right, another, of another type, none. */
static void mark_block(test_program *p, hid_t file) {
  static const char *const text[] = { "TETRA", "tetra4", "HEX8", "BEAM", "SPHERE", "SHELL4" };
  const unsigned how = test_program_next(p) % 8;
  hid_t block = H5Oopen(file, "connect1", H5P_DEFAULT);
  if (block < 0) return;
  hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(how == 6 ? H5T_NATIVE_DOUBLE : H5T_C_S1);
  if (how < 6) H5Tset_size(type, strlen(text[how]) + 1);
  const double number = 4.0;
  hid_t mark =
      how == 7 ? -1 : H5Acreate2(block, "elem_type", type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (mark >= 0) H5Awrite(mark, type, how < 6 ? (const void *)text[how] : &number);
  if (mark >= 0) H5Aclose(mark);
  H5Tclose(type);
  H5Sclose(space);
  H5Oclose(block);
}

static const char *fault_of_mesh(const ms_mesh *mesh) {
  const double *x = ms_mesh_get_nodes(mesh);
  if (ms_mesh_count_elements(mesh) < 1) return "accepted without elements";
  for (ptrdiff_t i = 0; i < 3 * ms_mesh_count_nodes(mesh); i++) {
    if (!isfinite(x[i])) return "accepted a value that is not finite";
  }
  for (int k = 0; k < ms_mesh_count_blocks(mesh); k++) {
    ms_mesh_block b = ms_mesh_get_block(mesh, k);
    for (ptrdiff_t i = 0; i < b.n * b.element->n_node; i++) {
      if (b.node[i] < 0 || b.node[i] >= ms_mesh_count_nodes(mesh)) return "a node is outside";
    }
  }
  return NULL;
}

static const char *fault_of_file(ms_context *ctx, const char *path, long *accepted) {
  ms_part any = { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0),
                  .section = { 1e-4, 1e-9, 1e-9, 2e-9, 0.85, 0.85, { 0 } },
                  .mass = 1.0 };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh = NULL;
  s.n_part = 1;
  s.part = &any;
  ms_status status = ms_mesh_read(ctx, path, &s, &mesh);
  const char *fault = NULL;
  if (status == MS_SUCCESS) {
    fault = fault_of_mesh(mesh);
  } else if (status >= 0 || status == MS_ERR_MEMORY) {
    fault = "refused with the wrong status";
  } else if (mesh || !strstr(ms_context_message(ctx), path)) {
    fault = "a leftover, or the message lacks the name";
  }
  *accepted += status == MS_SUCCESS;
  ms_mesh_destroy(&mesh);
  return fault;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  enum { FILE_SIZE = 4096 }; /* at least what such a file has */
  const char *path = test_fuzz_file("fuzzed.exo", "", 0);
  test_program p = { (const unsigned char *)text, (const unsigned char *)text + length };
  test_bounded memory;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (size_t i = 0; i < COUNT(objects); i++) test_hdf5_make(&p, file, &objects[i]);
  mark_block(&p, file);
  H5Fclose(file);
  ms_context *ctx = test_fuzz_open(&memory, FILE_SIZE);
  return test_fuzz_close(&memory, &ctx, fault_of_file(ctx, path, accepted));
}

static const test_token seeds[] = {
  TOKEN("\0\0\0\0\0\0\0\0\0\0\0\0"),
  TOKEN("\0\0\0\0\0\1\1\1\1\1\1\0"),
  TOKEN("\0\0\0\0\0\1\0\0\1\0\0\1"),
};

static const test_token tokens[] = {
  TOKEN("\0"), TOKEN("\1"),  TOKEN("\2"),  TOKEN("\3"),  TOKEN("\4"),  TOKEN("\5"),  TOKEN("\6"),
  TOKEN("\7"), TOKEN("\10"), TOKEN("\11"), TOKEN("\12"), TOKEN("\13"), TOKEN("\14"), TOKEN("\15"),
};

MS_FUZZ_FEW(fault_of, seeds, tokens, 2000)
