/* Exodus II files: netCDF classic of all three kinds, netCDF-4, one of meshio 5.0.0; and broken
   ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/io.h>

#include "fem/formats/reader.h"
#include "support/check.h"
#include "support/fem/read.h"
#include "support/files.h"

static const double low[3] = { 0.2, -0.1, 0.3 }, high[3] = { 1.5, 0.6, 1.2 };

static ptrdiff_t count(const ms_mesh *mesh, ms_set_kind kind, const char *name) {
  ms_mesh_set s = { 0 };
  if (mesh) CHECK_OK(ms_mesh_find_set(mesh, kind, name, &s));
  return s.n;
}

static const struct {
  const char *file, *element;
  ptrdiff_t n_element, bottom_nodes;
} samples[] = {
  { "block.exo", "hex8", 12, 12 },    /* CDF-1 */
  { "block20.exo", "hex20", 12, 29 }, /* CDF-2 */
  { "tets10.exo", "tet10", 72, 35 },  /* CDF-5 */
  { "wedges.exo", "wedge6", 24, 12 }, /* HDF5 */
};

static void test_samples(void) {
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    ms_mesh *mesh = test_read(samples[i].file);
    if (!mesh) continue;
    test_box(mesh, low, high, samples[i].n_element);
    test_patch(mesh, low, high, 1e-11);
    CHECK_EQUAL(ms_mesh_count_blocks(mesh), 2);
    CHECK_TEXT(ms_mesh_get_block(mesh, 0).element->name, samples[i].element);
    CHECK_TEXT(ms_mesh_get_part(mesh, 0)->name, "first");
    CHECK_TEXT(ms_mesh_get_part(mesh, 1)->name, "block_20"); /* its name is empty */
    test_plane(mesh, "bottom", 2, 0.3, -1, 1.3 * 0.7);
    test_plane(mesh, "left side", 0, 0.2, -1, 0.7 * 0.9);
    CHECK_EQUAL(count(mesh, MS_SET_NODES, "nodeset_7"), samples[i].bottom_nodes);
    CHECK_EQUAL(count(mesh, MS_SET_NODES, "bottom"), samples[i].bottom_nodes);
    CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "first"), samples[i].n_element / 2);
    CHECK_EQUAL(ms_mesh_get_node_label(mesh, 2), 103);
    CHECK_EQUAL(ms_mesh_get_element_label(mesh, samples[i].n_element - 1),
                500 + samples[i].n_element);
    ms_mesh_destroy(&mesh);
  }
}

static void test_meshio(void) {
  ms_mesh *mesh = test_read("meshio.exo");
  test_box(mesh, low, high, 12);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "bottom"), 12);
  ms_mesh_destroy(&mesh);
}

/* ---- broken files ---- */

static char *sample(size_t *length) {
  char *bytes = test_get(TEST_DATA "/mesh/block.exo", length);
  if (!bytes) abort();
  return bytes;
}

/* Replaces one text by another of the same length wherever it is. */
static void change(const char *from, const char *to, const char *message) {
  size_t length, n = strlen(from);
  char *bytes = sample(&length);
  for (size_t i = 0; i + n < length; i++) {
    if (memcmp(bytes + i, from, n) == 0) memcpy(bytes + i, to, n);
  }
  test_refused("x.exo", bytes, length, message);
  free(bytes);
}

static void test_broken(void) {
  size_t length;
  char *bytes = sample(&length);
  for (size_t cut = 0; cut + 48 < length; cut += 13) {
    test_refused("x.exo", bytes, cut, cut < 4 ? "x.exo:" : "x.exo");
  }
  free(bytes);
  change("HEX8", "QUAD", "x.exo: 'connect1' holds elements 'QUAD' of 8 nodes");
  change("elem_type", "elem_typo", "x.exo: 'connect1' has no attribute elem_type");
  change("coordx", "coordq", "x.exo: has no 'coordx'");
  change("side_ss1", "side_sss", "x.exo: has no 'side_ss1'");
  change("CDF", "CDG", "x.exo:byte 0: is not a netCDF file");
  test_refused("none.exo", "\x89HDF\r\n\x1a\n", 8, "none.exo");
}

/* The first node of the first element, changed to one that is not there. */
static void test_unknown_node(void) {
  size_t length;
  char *bytes = sample(&length);
  ms_mesh *mesh = test_read("block.exo");
  const int32_t *node = ms_mesh_get_block(mesh, 0).node;
  char row[32] = { 0 }; /* the element as the file has it */
  for (int i = 0; i < 8; i++) row[4 * i + 3] = (char)(node[i] + 1);
  ms_mesh_destroy(&mesh);
  size_t found = 0;
  for (size_t i = 0; i + 32 < length; i++) {
    if (!found && memcmp(bytes + i, row, 32) == 0) found = i;
  }
  CHECK(found > 0);
  bytes[found + 2] = 1;
  test_refused("x.exo", bytes, length, "x.exo: element 1 of 'connect1' has node");
  free(bytes);
}

/* Four bytes changed: `skip` behind the name in the header, which is padded to words, or, without a
   name, from the start of the file, which is longer by `extra` zeros. */
typedef struct patch {
  const char *name;
  size_t skip;
  unsigned value;
  size_t extra;
  const char *message;
} patch;

/* Of a variable: its number of dimensions, these, 8 bytes of no attributes, its type. Dimension 3
   is the nodes, 4 the elements, 8 the time; types are 1 byte, 2 char, 4 int, 5 float. */
static const patch patches[] = {
  { "coordy", 4, 4, 0, "x.exo: 'coordy' has 12 values for 36 nodes" },
  { "coordx", 4, 8, 0, "x.exo: 'coordx' must have one or two dimensions, without time" },
  { "node_num_map", 4, 4, 0, "x.exo: 'node_num_map' has 12 entries; it must have 36" },
  { "elem_num_map", 4, 3, 0, "x.exo: 'elem_num_map' has 36 entries; it must have 12" },
  { "elem_ss1", 4, 15, 0, "x.exo: 'elem_ss1' has 4 entries and 'side_ss1' 6" },
  { "node_ns1", 16, 5, 0, "x.exo: value 1 of 'node_ns1' is " },
  { "eb_names", 20, 1, 0, "x.exo: 'eb_names' must hold 2 texts" },
  { "num_el_blk", 0, 100001, 400000,
    "x.exo: 'eb_prop1' has 100001 entries; at most 100000 are read" },
  { "", 1308, 0x7ff00000, 0, "x.exo: value 1 of 'coordx' is not finite" },
  { "", 2952, 0, 0, "x.exo: entry 1 of 'elem_ss1' is 0; it must be 1 to 12" },
  { "", 2952, 13, 0, "x.exo: entry 1 of 'elem_ss1' is 13; it must be 1 to 12" },
};

static void test_patched(void) {
  for (size_t k = 0; k < sizeof patches / sizeof patches[0]; k++) {
    const patch *p = &patches[k];
    size_t length, at = 0, n = strlen(p->name);
    char *bytes = sample(&length), *more = calloc(length + p->extra, 1);
    if (!more) abort();
    memcpy(more, bytes, length);
    free(bytes);
    while (n > 0 && at + n < length && memcmp(more + at, p->name, n) != 0) at++;
    at += (n + 3) / 4 * 4 + p->skip;
    for (int i = 0; i < 4; i++) more[at + (size_t)i] = (char)(p->value >> (24 - 8 * i) & 255);
    test_refused("x.exo", more, length + p->extra, p->message);
    free(more);
  }
}

/* Other files that are HDF5: those of MED have their meshes in a group ENS_MAA. */
static void test_other_hdf5(void) {
  static const char *const name[] = { "ENS_MAA/mesh", "other/values" };
  static const char *const message[] = { "is a MED file", "is an HDF5 file, but not Exodus II" };
  static const double values[] = { 2.385, 1.7 };
  test_folder_open();
  for (int i = 0; i < 2; i++) {
    ms_results *file;
    ms_mesh *mesh;
    const char *path = test_path("x.med");
    CHECK_OK(ms_results_create(test_context(), path, &file));
    CHECK_OK(ms_results_write_vector(file, name[i], 2, values));
    CHECK_OK(ms_results_commit(&file));
    CHECK_STATUS(ms_mesh_read(test_context(), path, NULL, &mesh), MS_ERR_FORMAT);
    CHECK_HAS(ms_context_message(test_context()), message[i]);
  }
  test_folder_close();
}

static ms_status read_once(ms_context *ctx, void *user) {
  ms_part any = { .material = ms_material_isotropic(1.0, 0.3, 1.0) };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  s.n_part = 1;
  s.part = &any;
  ms_status status = ms_mesh_read(ctx, user, &s, &mesh);
  ms_mesh_destroy(&mesh);
  return status;
}

static void test_memory_failures(void) {
  char classic[] = TEST_DATA "/mesh/block.exo", four[] = TEST_DATA "/mesh/wedges.exo";
  CHECK(test_allocations(read_once, classic) > 50);
  CHECK(test_allocations(read_once, four) > 50);
}

int main(void) {
  TEST(test_samples);
  TEST(test_meshio);
  TEST(test_broken);
  TEST(test_unknown_node);
  TEST(test_patched);
  TEST(test_other_hdf5);
  TEST(test_memory_failures);
  return test_finish();
}
