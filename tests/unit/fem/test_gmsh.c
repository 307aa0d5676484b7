/* Gmsh files: those of Gmsh 4.8.4 (tests/data/mesh), files made here in both byte orders, and
   broken ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what Gmsh wrote ---- */

typedef struct sample {
  const char *file, *element;
  ptrdiff_t n_node, n_element, bottom_nodes;
} sample;

static const sample samples[] = {
  { "block-22.msh", "hex8", 36, 12, 12 },
  { "block-22-binary.msh", "hex8", 36, 12, 12 },
  { "block-41.msh", "hex8", 36, 12, 12 },
  { "block-41-binary.msh", "hex8", 36, 12, 12 },
  { "block20-22.msh", "hex20", 111, 12, 29 },
  { "block20-41-binary.msh", "hex20", 111, 12, 29 },
  { "tets-22-binary.msh", "tet4", 36, 72, 12 },
  { "tets10-22.msh", "tet10", 175, 72, 35 },
  { "tets10-41-binary.msh", "tet10", 175, 72, 35 },
  { "wedges-41.msh", "wedge6", 36, 24, 12 },
};

static void test_samples(void) {
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    const sample *s = &samples[i];
    ms_mesh *mesh = test_read(s->file);
    test_box(mesh, low, high, s->n_element);
    CHECK_EQUAL(ms_mesh_count_nodes(mesh), s->n_node);
    CHECK_EQUAL(ms_mesh_count_blocks(mesh), 1);
    CHECK_TEXT(ms_mesh_get_block(mesh, 0).element->name, s->element);
    CHECK_TEXT(ms_mesh_get_part(mesh, 0)->name, "body");
    test_plane(mesh, "bottom", 2, 0.3, -1, 1.3 * 0.7);
    test_plane(mesh, "left side", 0, 0.2, -1, 0.7 * 0.9);
    CHECK_EQUAL(count(mesh, MS_SET_NODES, "bottom"), s->bottom_nodes);
    CHECK_EQUAL(count(mesh, MS_SET_NODES, "corner"), 1);
    CHECK_EQUAL(count(mesh, MS_SET_NODES, "edge"), s->n_node > 36 ? 7 : 4);
    CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "all"), s->n_element);
    CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "body"), s->n_element);
    ms_mesh_destroy(&mesh);
  }
}

static void test_patches(void) {
  static const char *const file[] = { "block-41.msh", "block20-41-binary.msh", "tets10-22.msh",
                                      "wedges-41.msh" };
  for (int i = 0; i < 4; i++) {
    ms_mesh *mesh = test_read(file[i]);
    test_patch(mesh, low, high, 1e-11);
    ms_mesh_destroy(&mesh);
  }
}

/* Lines and points are elements if the settings say what they are made of; lengths are scaled. */
static void test_settings(void) {
  ms_part part[3] = { { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0) },
                      { .name = "edge",
                        .material = ms_material_isotropic(2.1e11, 0.29, 7850.0),
                        .section = { 1e-4, 2e-9, 3e-9, 4e-9, 0.85, 0.85, { 0 } } },
                      { .name = "corner", .mass = 2.385 } };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  s.n_part = 3;
  s.part = part;
  s.length = 1e-3;
  CHECK_OK(ms_mesh_read(test_context(), TEST_DATA "/mesh/block-41.msh", &s, &mesh));
  CHECK_EQUAL(ms_mesh_count_parts(mesh), 3);
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 12 + 3 + 1);
  CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "edge"), 3);
  CHECK_TEXT(ms_mesh_get_block(mesh, 1).element->name, "timoshenko");
  CHECK_NEAR(ms_mesh_get_nodes(mesh)[0], 0.2e-3, 1e-18);
  ms_mesh_destroy(&mesh);
  s.n_part = 0;
  CHECK_STATUS(ms_mesh_read(test_context(), TEST_DATA "/mesh/block-41.msh", &s, &mesh),
               MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "part 'body' has no material");
  s.format = "gmesh";
  CHECK_STATUS(ms_mesh_read(test_context(), TEST_DATA "/mesh/block-41.msh", &s, &mesh),
               MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "one of gmsh");
  s.mass = 0.0;
  CHECK_STATUS(ms_mesh_read(test_context(), TEST_DATA "/mesh/block-41.msh", &s, &mesh),
               MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "units of 0.001 m, 0 kg, 1 s; all must be above 0");
}

/* ---- both byte orders ---- */

static void put(FILE *out, const void *value, int n, int big) {
  const unsigned char *bytes = value;
  for (int i = 0; i < n; i++) fputc(bytes[big ? n - 1 - i : i], out);
}

static void put_int(FILE *out, int value, int big) {
  put(out, &value, 4, big);
}

static void put_size(FILE *out, int64_t value, int big) {
  put(out, &value, 8, big);
}

static void put_double(FILE *out, double value, int big) {
  put(out, &value, 8, big);
}

static const double corner[8][3] = { { 0, 0, 0 },         { 2.385, 0, 0 }, { 2.385, 1.7, 0 },
                                     { 0, 1.7, 0 },       { 0, 0, 0.9 },   { 2.385, 0, 0.9 },
                                     { 2.385, 1.7, 0.9 }, { 0, 1.7, 0.9 } };

/* One brick in the part "volume5", its bottom in "surface6"; labels 11 to 18, 31 and 32. */
static void print_2(FILE *out, int big) {
  static const int bottom[] = { 0, 3, 2, 1 };
  fputs("$MeshFormat\n2.2 1 8\n", out);
  put_int(out, 1, big);
  fputs("\n$EndMeshFormat\n$Nodes\n8\n", out);
  for (int i = 0; i < 8; i++) {
    put_int(out, 11 + i, big);
    for (int a = 0; a < 3; a++) put_double(out, corner[i][a], big);
  }
  fputs("\n$EndNodes\n$Elements\n2\n", out);
  const int head[] = { 5, 1, 2, 31, 5, 1 }, face[] = { 3, 1, 2, 32, 6, 1 };
  for (int i = 0; i < 6; i++) put_int(out, head[i], big);
  for (int i = 0; i < 8; i++) put_int(out, 11 + i, big);
  for (int i = 0; i < 6; i++) put_int(out, face[i], big);
  for (int i = 0; i < 4; i++) put_int(out, 11 + bottom[i], big);
  fputs("\n$EndElements\n", out);
}

static void print_4_elements(FILE *out, int big) {
  static const int bottom[] = { 0, 3, 2, 1 };
  fputs("$Elements\n", out);
  const int head[2][3] = { { 2, 9, 3 }, { 3, 8, 5 } };
  const int64_t counts[] = { 2, 2, 31, 32 };
  for (int i = 0; i < 4; i++) put_size(out, counts[i], big);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) put_int(out, head[k][i], big);
    put_size(out, 1, big);
    put_size(out, k ? 31 : 32, big);
    for (int i = 0; i < (k ? 8 : 4); i++) put_size(out, 11 + (k ? i : bottom[i]), big);
  }
  fputs("\n$EndElements\n", out);
}

static void print_4(FILE *out, int big) {
  fputs("$MeshFormat\n4.1 1 8\n", out);
  put_int(out, 1, big);
  fputs("\n$EndMeshFormat\n$Entities\n", out);
  for (int i = 0; i < 4; i++) put_size(out, i / 2, big); /* one surface, one volume */
  for (int k = 0; k < 2; k++) {
    put_int(out, k ? 8 : 9, big);
    for (int i = 0; i < 6; i++) put_double(out, 0.25, big);
    put_size(out, 1, big);
    put_int(out, k ? 5 : -6, big);
    put_size(out, 0, big);
  }
  fputs("\n$EndEntities\n$Nodes\n", out);
  const int64_t counts[] = { 1, 8, 11, 18 };
  for (int i = 0; i < 4; i++) put_size(out, counts[i], big);
  const int head[] = { 3, 8, 1 };
  for (int i = 0; i < 3; i++) put_int(out, head[i], big);
  put_size(out, 8, big);
  for (int i = 0; i < 8; i++) put_size(out, 11 + i, big);
  for (int i = 0; i < 8; i++) {
    for (int a = 0; a < 3; a++) put_double(out, corner[i][a], big);
    for (int a = 0; a < 3; a++) put_double(out, 0.5, big); /* parameters */
  }
  fputs("\n$EndNodes\n", out);
  print_4_elements(out, big);
}

static char *make_file(int version, int big, size_t *length) {
  char *bytes = NULL;
  FILE *out = open_memstream(&bytes, length);
  if (version == 2)
    print_2(out, big);
  else
    print_4(out, big);
  fclose(out);
  return bytes;
}

static void test_byte_orders(void) {
  ms_part any = { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0) };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  s.n_part = 1;
  s.part = &any;
  for (int k = 0; k < 4; k++) {
    size_t length;
    char *bytes = make_file(k / 2 ? 2 : 4, k % 2, &length);
    ms_mesh *mesh;
    CHECK_OK(ms_mesh_parse(test_context(), "made.msh", bytes, length, &s, &mesh));
    test_box(mesh, corner[0], corner[6], 1);
    test_plane(mesh, "surface6", 2, 0.0, -1, 2.385 * 1.7);
    CHECK_TEXT(ms_mesh_get_part(mesh, 0)->name, "volume5");
    CHECK_EQUAL(ms_mesh_get_node_label(mesh, 7), 18);
    CHECK_EQUAL(ms_mesh_get_element_label(mesh, 0), 31);
    ms_mesh_destroy(&mesh);
    for (size_t cut = 0; cut < length - 14; cut += 7) { /* cut off anywhere: refused */
      test_refused("cut.msh", bytes, cut, "cut.msh:");
    }
    free(bytes);
  }
}

/* ---- broken files ---- */

#define HEAD2  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
#define TET2   "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n"

static const struct {
  const char *text, *message;
} broken[] = {
  { "$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "x.msh:2: version 3 of the format" },
  { "$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "x.msh:2: file type 0 with numbers of 4 bytes" },
  { HEAD2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n", "x.msh:7: '$EndNodes' in $Nodes; there must be" },
  { HEAD2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "x.msh:7: '2 0 0 0' where $Nodes must end" },
  { HEAD2 "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "x.msh:7: node 1 is given twice" },
  { HEAD2 "$Nodes\n1\n1 0 zero 0\n$EndNodes\n", "x.msh:6: 'zero' in $Nodes; there must be a fin" },
  { HEAD2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "x.msh:6: 'nan' in $Nodes" },
  { HEAD2 "$Nodes\n-3\n", "x.msh:5: -3 nodes" },
  { HEAD2 "$Nodes\n1\n1 0 0", "x.msh:6: the file ends inside $Nodes" },
  { HEAD2 NODES2, "without $Elements" },
  { HEAD2 NODES2 "$Elements\n1\n1 7 2 1 1 1 2 3 4 1\n$EndElements\n",
    "x.msh:13: elements of Gmsh" },
  { HEAD2 NODES2 "$Elements\n1\n1 4 2 1 1 1 2 3 9\n$EndElements\n",
    "x.msh:13: element 1 has node 9, which is not in $Nodes" },
  { HEAD2 NODES2 "$Elements\n2\n1 4 2 1 1 1 2 3 4\n1 4 2 1 1 4 3 2 1\n$EndElements\n",
    "x.msh:14: element 1 is given twice" },
  { HEAD2 NODES2 "$Elements\n1\n1 4 99 1 1 1 2 3 4\n$EndElements\n",
    "x.msh:13: an element with 99" },
  { HEAD2 NODES2 "$Elements\n1\n1 4 2 1 1 1 2 3 3\n$EndElements\n", "has node 3 twice" },
  { HEAD2 NODES2 "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 3 2 6 1 1 2 3 4\n$EndElements\n",
    "x.msh:14: a surface element of group 'surface6' is not a face of a solid" },
  { HEAD2 TET2 NODES2, "x.msh:4: $Elements before $Nodes" },
  { HEAD2 NODES2 NODES2 TET2, "x.msh:11: a second $Nodes" },
  { HEAD2 NODES2 TET2 "stray\n", "x.msh:15: 'stray' between sections" },
  { HEAD2 NODES2 TET2 "$NodeData\n1\n", "the file ends inside $NodeData" },
  { HEAD2 "$PhysicalNames\n1\n3 1 body\n$EndPhysicalNames\n", "x.msh:6: a physical name must be" },
  { HEAD2 "$PhysicalNames\n2\n3 1 \"a\"\n3 2 \"a\"\n", "x.msh:7: two physical groups" },
  { HEAD4 "$PartitionedEntities\n", "x.msh:4: a partitioned mesh" },
  { HEAD4 "$Nodes\n1 5 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n",
    "says 5 nodes and has 4" },
  { HEAD4 NODES4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
    "says 2 elements and has 1" },
  { HEAD4 "$Nodes\n1 4 1 4\n7 1 0 4\n", "x.msh:6: a block of nodes of dimension 7" },
};

static void test_broken(void) {
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    test_refused("x.msh", broken[i].text, strlen(broken[i].text), broken[i].message);
  }
  test_refused("x.dat", "hello\n", 6, "x.dat: is not a supported mesh file");
}

/* What is not read is noted. */
static void test_ignored(void) {
  static const char text[] = HEAD2 "$Comments\nnothing\n$EndComments\n" NODES2 TET2;
  ms_part any = { .material = ms_material_isotropic(1.0, 0.3, 1.0) };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  s.n_part = 1;
  s.part = &any;
  CHECK_OK(ms_mesh_parse(test_context(), "x.msh", text, sizeof text - 1, &s, &mesh));
  CHECK_EQUAL(ms_mesh_count_conditions(mesh), 1);
  const ms_condition *c = ms_mesh_get_condition(mesh, 0);
  CHECK_EQUAL(c->kind, MS_CONDITION_IGNORED);
  CHECK_TEXT(c->name, "$Comments");
  CHECK_EQUAL(c->line, 4);
  ms_mesh_destroy(&mesh);
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
  char two[] = TEST_DATA "/mesh/block-22.msh", four[] = TEST_DATA "/mesh/block-41.msh";
  CHECK(test_allocations(read_once, two) > 20);
  CHECK(test_allocations(read_once, four) > 20);
}

int main(void) {
  TEST(test_samples);
  TEST(test_patches);
  TEST(test_settings);
  TEST(test_byte_orders);
  TEST(test_broken);
  TEST(test_ignored);
  TEST(test_memory_failures);
  return test_finish();
}
