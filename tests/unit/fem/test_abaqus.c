/* Abaqus input files: those of Gmsh 4.8.4, an assembly in the manner of Abaqus/CAE, sections,
   conditions, and broken files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/formats/reader.h"
#include "support/check.h"
#include "support/fem/read.h"
#include "support/files.h"

static const double low[3] = { 0.2, -0.1, 0.3 }, high[3] = { 1.5, 0.6, 1.2 };

static ms_mesh *parse(const char *text) {
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_parse(test_context(), "x.inp", text, strlen(text), &s, &mesh));
  return mesh;
}

static ms_mesh *read_in(const char *path, double length, double mass) {
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  s.length = length;
  s.mass = mass;
  CHECK_OK(ms_mesh_read(test_context(), path, &s, &mesh));
  return mesh;
}

static ptrdiff_t count(const ms_mesh *mesh, ms_set_kind kind, const char *name) {
  ms_mesh_set s = { 0 };
  if (mesh) CHECK_OK(ms_mesh_find_set(mesh, kind, name, &s));
  return s.n;
}

static const ms_part *part_of(const ms_mesh *mesh, const char *name) {
  static const ms_part none;
  int part;
  if (!mesh || ms_mesh_find_part(mesh, name, &part) != MS_SUCCESS) {
    CHECK_TEXT("no such part", name);
    return &none;
  }
  return ms_mesh_get_part(mesh, part);
}

/* ---- what Gmsh wrote ---- */

static void test_samples(void) {
  ms_mesh *mesh = test_read("block.inp");
  test_box(mesh, low, high, 12);
  test_patch(mesh, low, high, 1e-11);
  CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "body"), 12);
  ms_mesh_destroy(&mesh);
  mesh = test_read("block20.inp");
  test_box(mesh, low, high, 12);
  CHECK_EQUAL(ms_mesh_count_nodes(mesh), 111);
  test_patch(mesh, low, high, 1e-11);
  ms_mesh_destroy(&mesh);
}

/* ---- an assembly ---- */

static void check_node(const ms_mesh *mesh, ptrdiff_t node, double x, double y, double z) {
  const double *at = ms_mesh_get_nodes(mesh) + 3 * node;
  CHECK_NEAR(at[0], x, 1e-15);
  CHECK_NEAR(at[1], y, 1e-15);
  CHECK_NEAR(at[2], z, 1e-15);
}

static void test_assembly(void) {
  ms_mesh *mesh = read_in(TEST_DATA "/mesh/assembly.inp", 1e-3, 1e3);
  if (!mesh) return;
  CHECK_EQUAL(ms_mesh_count_nodes(mesh), 1 + 12 + 12 + 3);
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 1 + 2 + 2 + 2);
  check_node(mesh, 1, 0.0, 0.0, 0.0);
  check_node(mesh, 13, 20e-3, 0.0, 6e-3);       /* node 1 of Upper, on the axis of its turn */
  check_node(mesh, 13 + 8, 0.0, 0.0, 3e-3);     /* its node 9 */
  check_node(mesh, 25 + 2, 10e-3, 4e-3, 15e-3); /* the end of the rod */
  test_plane(mesh, "Lower.Top", 2, 3e-3, 1, 160e-6);
  test_plane(mesh, "Upper.Top", 2, 3e-3, -1, 160e-6);
  test_plane(mesh, "Upper.Bottom", 2, 6e-3, 1, 160e-6);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Ends"), 8);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Upper._PickedSet2"), 12);
  ms_mesh_destroy(&mesh);
}

#define PART                                                                  \
  "*PART,NAME=P\n*NODE\n1,0,0,0\n2,3,4,5\n*ELEMENT,TYPE=B33,ELSET=E\n1,1,2\n" \
  "*BEAM SECTION,ELSET=E,MATERIAL=M,SECTION=RECT\n.1,.2\n1,0,0\n*END PART\n"
#define TURNED(name, axis) \
  "*INSTANCE,NAME=" name ",PART=P\n10,20,30\n7,8,9," axis "\n*END INSTANCE\n"

/* A quarter turn about each axis through (7, 8, 9), after a move by (10, 20, 30): the second node
   goes to (13, 24, 35), (6, 16, 26) from the axis. The section turns along. */
static void test_turns(void) {
  ms_mesh *mesh = parse(PART "*ASSEMBLY\n" TURNED("X", "8,8,9,90") TURNED("Y", "7,9.5,9,90")
                            TURNED("Z", "7,8,11,90") TURNED("T", "7,8,11,30") "*END ASSEMBLY\n"
                        "*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n");
  static const double want[3][3] = { { 13, 8 - 26, 9 + 16 },
                                     { 7 + 26, 24, 9 - 6 },
                                     { 7 - 16, 8 + 6, 35 } };
  for (int i = 0; mesh && i < 3; i++) {
    const double *at = ms_mesh_get_nodes(mesh) + 3 * (2 * i + 1);
    for (int a = 0; a < 3; a++) CHECK_NEAR(at[a], want[i][a], 1e-13);
  }
  const double *at = mesh ? ms_mesh_get_nodes(mesh) + 3 * 7 : want[0];
  CHECK_NEAR(at[0], 7.0 + 6.0 * 0.86602540378443865 - 16.0 * 0.5, 1e-13);
  CHECK_NEAR(at[1], 8.0 + 6.0 * 0.5 + 16.0 * 0.86602540378443865, 1e-13);
  CHECK_NEAR(part_of(mesh, "Z.E")->section.y[1], 1.0, 1e-15);
  CHECK_NEAR(part_of(mesh, "Y.E")->section.y[2], -1.0, 1e-15);
  ms_mesh_destroy(&mesh);
}

static void test_properties(void) {
  ms_mesh *mesh = read_in(TEST_DATA "/mesh/assembly.inp", 1e-3, 1e3);
  const ms_part *wood = part_of(mesh, "Upper._PickedSet2"), *rod = part_of(mesh, "Rod-1.All");
  CHECK_CLOSE(wood->material.E[0], 11e9, 1e-14);
  CHECK_CLOSE(wood->material.E[2], 0.45e9, 1e-14);
  CHECK_CLOSE(wood->material.nu[1], 0.42, 1e-14);
  CHECK_CLOSE(wood->material.G[0], 0.75e9, 1e-14);
  CHECK_CLOSE(wood->material.G[2], 0.07e9, 1e-14);
  CHECK_CLOSE(wood->material.rho, 600.0, 1e-14);
  static const double turned[9] = { 0, 1, 0, 1, 0, 0, 0, 0, -1 };
  for (int i = 0; i < 9; i++) CHECK_NEAR(wood->axes[i], turned[i], 1e-15);
  double r = 2.5e-3, pi = 3.14159265358979323846;
  CHECK_CLOSE(rod->section.A, pi * r * r, 1e-14);
  CHECK_CLOSE(rod->section.Iz, 0.25 * pi * pow(r, 4.0), 1e-14);
  CHECK_CLOSE(rod->section.J, 0.5 * pi * pow(r, 4.0), 1e-14);
  CHECK_NEAR(rod->section.y[0], 1.0, 1e-15);
  CHECK_CLOSE(rod->material.G[0], 210e9 / 2.6, 1e-14);
  CHECK_CLOSE(part_of(mesh, "Lump")->mass, 2.5, 1e-14);
  ms_mesh_destroy(&mesh);
}

/* The n-th condition of a kind. */
static const ms_condition *condition(const ms_mesh *mesh, ms_condition_kind kind, int n) {
  static const ms_condition none = { .name = "none" };
  for (int i = 0; mesh && i < ms_mesh_count_conditions(mesh); i++) {
    const ms_condition *c = ms_mesh_get_condition(mesh, i);
    if (c->kind == kind && n-- == 0) return c;
  }
  CHECK_TEXT("no such condition", "");
  return &none;
}

static void test_conditions(void) {
  ms_mesh *mesh = read_in(TEST_DATA "/mesh/assembly.inp", 1e-3, 1e3);
  const ms_condition *c = condition(mesh, MS_CONDITION_TIE, 0);
  CHECK_TEXT(c->name, "Bond");
  CHECK_TEXT(c->slave_faces, "Upper.Top");
  CHECK_TEXT(c->faces, "Lower.Top");
  CHECK_CLOSE(c->reach, 0.2e-3, 1e-14);
  CHECK_EQUAL(c->line, 93);
  c = condition(mesh, MS_CONDITION_RIGID, 0);
  CHECK_TEXT(c->faces, "Lower.Bottom");
  CHECK_EQUAL(c->components, 7);
  CHECK_EQUAL(c->reference, 0);
  c = condition(mesh, MS_CONDITION_RIGID, 1); /* *MPC BEAM */
  CHECK_TEXT(c->nodes, "Foot");
  CHECK_EQUAL(c->components, 63);
  c = condition(mesh, MS_CONDITION_AVERAGE, 0);
  CHECK_TEXT(c->faces, "Upper.Bottom");
  c = condition(mesh, MS_CONDITION_EQUATION, 2); /* *MPC PIN, uz */
  CHECK_EQUAL(c->n_term, 2);
  CHECK_EQUAL(c->term[0].node, 27);
  CHECK_EQUAL(c->term[1].node, 13);
  CHECK_EQUAL(c->term[1].component, 2);
  CHECK_NEAR(c->term[1].factor, -1.0, 0.0);
  c = condition(mesh, MS_CONDITION_EQUATION, 3);
  CHECK_NEAR(c->term[1].factor, -2.5, 0.0);
  CHECK_EQUAL(c->term[1].node, 15);
  c = condition(mesh, MS_CONDITION_FIX, 0);
  CHECK_TEXT(c->nodes, "Ends");
  CHECK_EQUAL(c->components, 63);
  c = condition(mesh, MS_CONDITION_FIX, 1);
  CHECK_EQUAL(c->components, 4);
  CHECK_CLOSE(c->value, 1e-5, 1e-14);
  c = condition(mesh, MS_CONDITION_IGNORED, 6);
  CHECK_TEXT(c->name, "*End Step");
  CHECK_EQUAL(c->line, 137);
  ms_mesh_destroy(&mesh);
}

/* Merging renumbers conditions too: node 21 is one with node 9 of Lower. */
static void test_merged(void) {
  ms_mesh *mesh = read_in(TEST_DATA "/mesh/assembly.inp", 1e-3, 1e3);
  ptrdiff_t n;
  CHECK_OK(ms_mesh_merge(mesh, 0, NULL, 1e-9, &n));
  CHECK_EQUAL(n, 6);
  const ms_condition *c = condition(mesh, MS_CONDITION_EQUATION, 2);
  CHECK_EQUAL(c->term[0].node, 27 - 6);
  ms_mesh_destroy(&mesh);
}

/* ---- what else there is ---- */

#define BRICK                                                                                 \
  "*Node, nset=All\n1,0,0,0\n2,2.385,0,0\n3,2.385,1.7,0\n4,0,1.7,0\n5,0,0,.9\n6,2.385,0,.9\n" \
  "7,2.385,1.7,.9\n8,0,1.7,.9\n*ELEMENT, TYPE=C3D8, ELSET=Body\n31,1,2,3,4,\n5,6,7,8\n"
#define STEEL \
  "*SOLID SECTION, ELSET=BODY, MATERIAL=steel\n*MATERIAL, NAME=Steel\n*ELASTIC\n2e11,.3\n"

static void test_springs(void) {
  ms_mesh *mesh =
      parse(BRICK STEEL
            "*Element, type=SPRING1, elset=Ground\n41, 1\n*Spring, elset=Ground\n2\n35.5\n"
            "*Element, type=SPRING2, elset=Between\n42, 1, 7\n*Spring, elset=Between\n"
            "3, 3\n17.5\n*Element, type=SPRING1, elset=Turn\n43, 2\n"
            "*Spring, elset=Turn\n5\n1.25\n");
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 4);
  CHECK_NEAR(part_of(mesh, "Ground")->stiffness[1], 35.5, 0.0);
  CHECK_NEAR(part_of(mesh, "Between")->stiffness[2], 17.5, 0.0);
  CHECK_NEAR(part_of(mesh, "Turn")->stiffness[4], 1.25, 0.0);
  CHECK_TEXT(ms_mesh_get_block(mesh, 3).element->name, "ground_bushing");
  CHECK_EQUAL(ms_mesh_get_element_label(mesh, 1), 41);
  ms_mesh_destroy(&mesh);
}

/* The mesh of an element with reduced integration is read, and that it is another element noted. */
static void test_reduced_integration(void) {
  ms_mesh *mesh = parse(BRICK "*ELEMENT, TYPE=c3d8r, ELSET=Body\n7,2,1,4,3,6,5,8,7\n" STEEL);
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 2);
  CHECK_TEXT(ms_mesh_get_block(mesh, ms_mesh_find_block(mesh, 1)).element->name, "hex8");
  CHECK_EQUAL(ms_mesh_count_conditions(mesh), 1);
  const ms_condition *c = condition(mesh, MS_CONDITION_IGNORED, 0);
  CHECK_TEXT(c->name, "reduced integration of C3D8R");
  CHECK_EQUAL(c->line, 13);
  ms_mesh_destroy(&mesh);
}

/* What is given of a part goes before the file, which supplies the rest. */
static void test_given(void) {
  static const char text[] =
      "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=B33,ELSET=A\n1,1,2\n*MATERIAL,NAME=M\n*ELASTIC\n"
      "2e11,.3\n*DENSITY\n7850.\n*BEAM SECTION,ELSET=A,MATERIAL=M,SECTION=RECT\n.02,.03\n0,1,0\n";
  ms_part part = { .name = "A" };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  s.n_part = 1;
  s.part = &part;
  for (int what = 0; what < 3; what++) {
    ms_mesh *mesh;
    part.material = what == 1 ? ms_material_isotropic(7.1e10, 0.33, 2710.0) : (ms_material) { 0 };
    part.section = what == 2 ? ms_beam_circle(0.017) : (ms_beam_section) { 0 };
    CHECK_OK(ms_mesh_parse(test_context(), "x.inp", text, strlen(text), &s, &mesh));
    const ms_part *made = part_of(mesh, "A");
    CHECK_CLOSE(made->material.E[0], what == 1 ? 7.1e10 : 2e11, 1e-15);
    CHECK_CLOSE(made->material.rho, what == 1 ? 2710.0 : 7850.0, 1e-15);
    CHECK_CLOSE(made->section.A, what == 2 ? ms_beam_circle(0.017).A : 6e-4, 1e-14);
    CHECK_NEAR(made->section.y[1], what == 2 ? 0.0 : 1.0, 0.0);
    ms_mesh_destroy(&mesh);
  }
}

/* Line and surface elements without a section mark groups, as Gmsh and meshio write them: faces of
   solids become sets of faces, others sets of nodes, and the elements are noted. */
static void test_marks(void) {
  ms_mesh *mesh = parse(BRICK STEEL
                        "*ELEMENT, TYPE=CPS4, ELSET=Top\n51,5,6,7,8\n"
                        "*ELEMENT, TYPE=S8R5, ELSET=Side\n52,1,2,6,5,1,1,1,\n1\n"
                        "*ELEMENT, TYPE=CPS6, ELSET=Loose\n53,1,2,7,1,2,7\n"
                        "*ELEMENT, TYPE=T3D2, ELSET=Edge\n54,1,2\n55,2,3\n"
                        "*ELSET, ELSET=Mixed\n31,51\n*ELSET, ELSET=Top2\nTop\n");
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 1);
  test_plane(mesh, "Top", 2, 0.9, 1, 2.385 * 1.7);
  test_plane(mesh, "Top2", 2, 0.9, 1, 2.385 * 1.7);
  test_plane(mesh, "Side", 1, 0.0, -1, 2.385 * 0.9);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Top"), 4);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Loose"), 3);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Edge"), 3);
  CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "Mixed"), 1);
  CHECK_EQUAL(count(mesh, MS_SET_FACES, "Mixed"), 1);
  CHECK_EQUAL(ms_mesh_count_conditions(mesh), 4);
  CHECK_TEXT(condition(mesh, MS_CONDITION_IGNORED, 0)->name, "marking elements CPS4");
  ms_mesh_destroy(&mesh);
}

/* A surface has a set of its nodes beside it, unless the file has one of that name or it is empty.
 */
static void test_surface_nodes(void) {
  ms_mesh *mesh = parse(BRICK STEEL
                        "*NSET, NSET=Own\n3\n*SURFACE, NAME=Own\nBody, S1\n"
                        "*SURFACE, NAME=Other\nBody, S2\n*SURFACE, NAME=Empty\n");
  CHECK_EQUAL(count(mesh, MS_SET_FACES, "Own"), 1);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Own"), 1);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Other"), 4);
  CHECK_EQUAL(count(mesh, MS_SET_FACES, "Empty"), 0);
  CHECK(mesh && !ms_reader_has_set(mesh, MS_SET_NODES, "Empty"));
  ms_mesh_destroy(&mesh);
}

/* Of an assembly: a set within an instance, and one of the assembly over marks of two instances,
   whose nodes have the same numbers. */
static void test_marks_of_instances(void) {
  ms_mesh *mesh = parse("*PART, NAME=P\n" BRICK
                        "*ELEMENT, TYPE=CPS4, ELSET=Top\n51,5,6,7,8\n"
                        "*NSET, NSET=Some, GENERATE\n3, 21, 2\n"
                        "*SOLID SECTION, ELSET=Body, MATERIAL=Steel\n*END PART\n*ASSEMBLY, NAME=A\n"
                        "*INSTANCE, NAME=Left, PART=P\n*END INSTANCE\n"
                        "*INSTANCE, NAME=Right, PART=P\n0,0,4.1\n*END INSTANCE\n"
                        "*ELSET, ELSET=Lid, INSTANCE=Right\n51\n"
                        "*NSET, NSET=Odd, INSTANCE=Right\nSome\n"
                        "*ELSET, ELSET=Both, INSTANCE=Left\n51\n"
                        "*ELSET, ELSET=Both, INSTANCE=Right\n51\n"
                        "*END ASSEMBLY\n*MATERIAL, NAME=Steel\n*ELASTIC\n2e11,.3\n");
  CHECK_EQUAL(ms_mesh_count_elements(mesh), 2);
  test_plane(mesh, "Left.Top", 2, 0.9, 1, 2.385 * 1.7);
  test_plane(mesh, "Right.Top", 2, 5.0, 1, 2.385 * 1.7);
  test_plane(mesh, "Lid", 2, 5.0, 1, 2.385 * 1.7);
  CHECK_EQUAL(count(mesh, MS_SET_FACES, "Both"), 2);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Both"), 8);
  ms_mesh_set odd = { 0 }; /* of the second instance alone, whose nodes are higher up */
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, "Odd", &odd));
  CHECK_EQUAL(odd.n, 3);
  for (ptrdiff_t i = 0; i < odd.n; i++) CHECK(ms_mesh_get_nodes(mesh)[3 * odd.index[i] + 2] > 4.0);
  ms_mesh_destroy(&mesh);
}

/* Types that meshio writes for solids, and marks that are no faces. */
static void test_foreign_types(void) {
  static const char *const type[] = { "C3D8RH", "C3D8H", "C3D8IH" };
  static const char *const mark[] = { "CPS3", "STRI3", "S3RS", "R3D3", "M3D3",
                                      "CAX3", "CPE3",  "B33H", "T3D3" };
  char text[2048];
  for (size_t i = 0; i < sizeof type / sizeof type[0] + sizeof mark / sizeof mark[0]; i++) {
    int solid = i < sizeof type / sizeof type[0];
    snprintf(text, sizeof text, BRICK "*ELEMENT, TYPE=%s, ELSET=%s\n7,2,1,4%s\n" STEEL,
             solid ? type[i] : mark[i - sizeof type / sizeof type[0]], solid ? "Body" : "Face",
             solid ? ",3,6,5,8,7" : "");
    ms_mesh *mesh = parse(text);
    CHECK_EQUAL(ms_mesh_count_elements(mesh), solid ? 2 : 1);
    CHECK_EQUAL(ms_mesh_count_conditions(mesh), 1);
    ms_mesh_destroy(&mesh);
  }
}

/* GENERATE takes the numbers that there are, also those that come later in the file. */
static void test_generate(void) {
  ms_mesh *mesh = parse("*NSET, NSET=Late, GENERATE\n2, 8, 3\n" BRICK STEEL
                        "*NSET, NSET=Some, GENERATE\n3, 21, 2\n"
                        "*NSET, NSET=Far, GENERATE\n0, 2000000000\n"
                        "*NSET, NSET=Both\nSome, 2\n"
                        "*ELSET, ELSET=Few, GENERATE\n25, 40, 3\n"
                        "*SURFACE, NAME=Lid\nFew, S2\n");
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Late"), 3);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Some"), 3);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Far"), 8);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Both"), 4);
  CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "Few"), 1);
  test_plane(mesh, "Lid", 2, 0.9, 1, 2.385 * 1.7);
  CHECK_TEXT(condition(mesh, MS_CONDITION_IGNORED, 0)->name,
             "nodes of GENERATE that do not exist, in set Some");
  ms_mesh_destroy(&mesh);
}

/* A set has each member once. Of these sets, which name the two before them, the last would have
   5e12 members without that. A set may name itself. */
static void test_repeated(void) {
  enum { DEEP = 60, LINE = 80 };
  static char text[2048 + DEEP * LINE];
  size_t at = (size_t)snprintf(text, sizeof text, "%s",
                               BRICK STEEL
                               "*NSET, NSET=s0\n7, 3, 7\n*NSET, NSET=s1, GENERATE\n2, 8, 2\n"
                               "*NSET, NSET=s1\n5, 2\n");
  for (int i = 2; i < DEEP; i++) {
    at += (size_t)snprintf(text + at, sizeof text - at, "*NSET, NSET=s%d\ns%d, s%d\n", i, i - 2,
                           i - 1);
  }
  snprintf(text + at, sizeof text - at,
           "*NSET, NSET=s1\ns1, s1, s1\n*NSET, NSET=Own\n6, Own, Own\n"
           "*ELSET, ELSET=Twice\nBody, 31, 31\n");
  ms_mesh *mesh = parse(text);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "s0"), 2);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "s1"), 5);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "s59"), 7);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "Own"), 1);
  CHECK_EQUAL(count(mesh, MS_SET_ELEMENTS, "Twice"), 1);
  ms_mesh_destroy(&mesh);
}

static void test_beams(void) {
  ms_mesh *mesh = parse(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT,TYPE=B33,ELSET=A\n1,1,2\n"
      "*ELEMENT,TYPE=B31,ELSET=B\n2,2,3\n*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n"
      "*BEAM SECTION,ELSET=A,MATERIAL=M,SECTION=RECT\n.02,.03\n0,1,0\n"
      "*BEAM GENERAL SECTION,ELSET=B,DENSITY=7850.\n6e-4,2e-8,0,3e-8,4e-8\n"
      "0,0,1\n2.1e11,8e10\n");
  const ms_beam_section *a = &part_of(mesh, "A")->section;
  CHECK_TEXT(ms_mesh_get_block(mesh, 0).element->name, "beam");
  CHECK_CLOSE(a->A, 6e-4, 1e-14);
  CHECK_CLOSE(a->Iy, 0.02 * 27e-6 / 12.0, 1e-14); /* about Abaqus's axis 1, here y */
  CHECK_CLOSE(a->Iz, 0.03 * 8e-6 / 12.0, 1e-14);
  CHECK_CLOSE(a->J, ms_beam_rectangle(0.02, 0.03).J, 1e-14);
  CHECK_NEAR(a->y[1], 1.0, 0.0);
  const ms_part *b = part_of(mesh, "B");
  CHECK_CLOSE(b->section.Iz, 3e-8, 1e-14);
  CHECK_CLOSE(b->material.nu[0], 2.1e11 / 1.6e11 - 1.0, 1e-12);
  CHECK_CLOSE(b->material.rho, 7850.0, 1e-14);
  ms_mesh_destroy(&mesh);
}

/* Profiles by name: a solid circle, and a pipe by its outer radius and thickness. */
static void test_profiles(void) {
  ms_mesh *mesh = parse(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,2,0,0\n*ELEMENT,TYPE=B33,ELSET=A\n1,1,2\n"
      "*ELEMENT,TYPE=B31,ELSET=B\n2,2,3\n*MATERIAL,NAME=M\n*ELASTIC\n2e11,.3\n"
      "*BEAM SECTION,ELSET=A,MATERIAL=M,SECTION=CIRC\n.013\n0,1,0\n"
      "*BEAM SECTION,ELSET=B,MATERIAL=M,SECTION=PIPE\n.017,.004\n0,0,1\n");
  const double pi = acos(-1.0), outer = 0.017, inner = 0.013;
  const ms_beam_section *a = &part_of(mesh, "A")->section, *b = &part_of(mesh, "B")->section;
  CHECK_CLOSE(a->A, pi * inner * inner, 1e-12);
  CHECK_CLOSE(a->Iy, pi / 4.0 * pow(inner, 4.0), 1e-12);
  CHECK_CLOSE(a->Iz, a->Iy, 1e-12);
  CHECK_CLOSE(a->J, 2.0 * a->Iy, 1e-12);
  CHECK_CLOSE(b->A, pi * (outer * outer - inner * inner), 1e-12);
  CHECK_CLOSE(b->Iy, pi / 4.0 * (pow(outer, 4.0) - pow(inner, 4.0)), 1e-12);
  CHECK_CLOSE(b->Iz, b->Iy, 1e-12);
  CHECK_CLOSE(b->J, 2.0 * b->Iy, 1e-12);
  CHECK_NEAR(b->y[2], 1.0, 0.0);
  ms_mesh_destroy(&mesh);
}

static void test_include(void) {
  test_folder_open();
  test_put(test_path("nodes.inp"), "** nodes\n9, 1., 1., 1.\n10, 2., 2.\n");
  test_put(test_path("section.inp"), STEEL);
  test_put(test_path("main.inp"), BRICK
           "*NODE, INPUT=nodes.inp\n*INCLUDE, INPUT=section.inp\n"
           "*NSET, NSET=More, GENERATE\n9, 10\n");
  ms_mesh *mesh = read_in(test_path("main.inp"), 1.0, 1.0);
  CHECK_EQUAL(ms_mesh_count_nodes(mesh), 10);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "More"), 2);
  CHECK_EQUAL(count(mesh, MS_SET_NODES, "All"), 8);
  ms_mesh_destroy(&mesh);
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  test_put(test_path("nodes.inp"), "9, 1., 1., one\n");
  CHECK_STATUS(ms_mesh_read(test_context(), test_path("main.inp"), &s, &mesh), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "nodes.inp:1: *NODE: 'one' must be");
  test_put(test_path("section.inp"), "*INCLUDE, INPUT=section.inp\n");
  test_put(test_path("nodes.inp"), "9, 1., 1., 1.\n");
  CHECK_STATUS(ms_mesh_read(test_context(), test_path("main.inp"), &s, &mesh), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "include each other");
  test_folder_close();
}

/* ---- broken files ---- */

static const struct {
  const char *text, *message;
} broken[] = {
  { BRICK "*\n", "x.inp:13: a * without a keyword" },
  { BRICK "*, NSET=A\n", "x.inp:13: a * without a keyword" },
  { BRICK "*ELEMENT, TYPE=CONN3D2\n", "x.inp:13: *ELEMENT: TYPE=CONN3D2 is not read" },
  { BRICK "*ELEMENT, TYPE=S4, ELSET=Body\n32,1,2,3,4\n" STEEL,
    "x.inp:15: element 32 of set 'BODY' is a quadrilateral, which is not supported with a "
    "section" },
  { BRICK "*ELEMENT, TYPE=S4, ELSET=S\n32,1,2,3,4\n" STEEL "*SURFACE, NAME=T\nS, S1\n",
    "x.inp:19: element 32 is a quadrilateral, which is not read" },
  { BRICK "*ELEMENT, TYPE=S4, ELSET=S\n32,1,2,3,9\n" STEEL, "x.inp:14: there is no node 9" },
  { BRICK "*SHELL SECTION, ELSET=Body, MATERIAL=M\n", "x.inp:13: *SHELLSECTION is not supported" },
  { BRICK "*RIGID BODY, REF NODE=1, ELSET=BODY\n", "x.inp:13: *RIGIDBODY is not supported" },
  { BRICK "*NODE\n8, 0, 0, 0\n", "x.inp:14: node 8 is given twice" },
  { BRICK "*ELEMENT, TYPE=C3D4\n31,1,2,3,5\n", "x.inp:14: element 31 is given twice" },
  { BRICK "*ELEMENT, TYPE=C3D4, ELSET=BODY\n32,1,2,3,99\n" STEEL, "x.inp:14: there is no node 99" },
  { BRICK "*ELEMENT, TYPE=C3D4\n32,1,2,3\n", "x.inp:14: element 32 lacks 1 of the 4 nodes" },
  { BRICK "*ELEMENT, TYPE=C3D4\n32,1,2,3,5,6\n", "x.inp:14: element 32 has more than the 4" },
  { BRICK "*ELEMENT, TYPE=C3D4\n32,1,x,3,5\n",
    "x.inp:14: *ELEMENT: 'x' is not a number of a node" },
  { BRICK "*NODE\n9, 1e999, 0, 0\n", "x.inp:14: *NODE: '1e999' must be a finite number" },
  { BRICK "*NODE, SYSTEM=C\n", "x.inp:13: *NODE with SYSTEM is not read" },
  { BRICK "*NSET, NSET=A\n1, 99\n" STEEL, "x.inp:13: there is no node 99" },
  { BRICK "*NSET, NSET=A\nB\n", "x.inp:14: *NSET: there is no set of nodes 'B'" },
  { BRICK "*NSET, NSET=A, GENERATE\n1, 8, 2\n", "x.inp:14: *NSET: from 1 to 8 by 2" },
  { BRICK "*NSET, NSET=A, GENERATE\n9, 12\n" STEEL,
    "x.inp:14: there are no nodes from 9 to 12 by 1" },
  { BRICK "*NSET\n1\n", "x.inp:13: *NSET: a set needs a name" },
  { BRICK STEEL "*SURFACE, NAME=S\nBody, S7\n", "x.inp:18: *SURFACE: face 'S7'" },
  { BRICK "*ELEMENT, TYPE=C3D4, ELSET=BODY\n32,1,2,3,5\n" STEEL "*SURFACE, NAME=S\n32, S5\n",
    "x.inp:19: set 'S': face 5" },
  { BRICK, "x.inp:11: part 'Body' has no material" },
  { "*BEAM SECTION, ELSET=A, MATERIAL=M, SECTION=PIPE\n1., 1.5\n",
    "x.inp:2: *BEAM SECTION: a wall of 1.5 in a pipe of radius 1" },
  { BRICK "*SOLID SECTION, ELSET=Bod, MATERIAL=M\n",
    "x.inp:13: there is no set of elements 'Bod'" },
  { BRICK "*SOLID SECTION, ELSET=Body, MATERIAL=M\n", "x.inp:13: there is no *MATERIAL 'M'" },
  { BRICK "*SOLID SECTION, ELSET=Body\n", "x.inp:13: *SOLIDSECTION: needs MATERIAL=" },
  { BRICK STEEL STEEL, "x.inp:18: a second *MATERIAL 'Steel'" },
  { BRICK STEEL "*ELASTIC\n1,.3\n2,.3\n", "*ELASTIC: more lines of data" },
  { BRICK "*ELASTIC\n1,.3\n", "x.inp:13: *ELASTIC before any *MATERIAL" },
  { BRICK STEEL "*MASS, ELSET=Body\n1.\n", "x.inp:17: element 31 has a section already" },
  { BRICK "*MASS, ELSET=Body\n1.\n", "x.inp:11: element 31 is a C3D8, but the section" },
  { BRICK STEEL "*ELEMENT, TYPE=SPRING2, ELSET=S\n42,1,7\n*SPRING, ELSET=S\n1, 2\n35.5\n",
    "x.inp:20: *SPRING: between degrees of freedom 1 and 2; they must be equal" },
  { BRICK STEEL "*TIE\nA, B\n", "x.inp:18: there is no *SURFACE 'B'" },
  { BRICK STEEL "*MPC\nLINK, 1, 2\n", "x.inp:18: *MPC: type 'LINK' is not read" },
  { BRICK STEEL "*EQUATION\n2\n1, 1, 1.\n", "x.inp:18: *EQUATION: 1 of its 2 terms are missing" },
  { BRICK STEEL "*EQUATION\n1\nAll, 1, 1.\n", "x.inp:18: set 'All' has 8 nodes where one" },
  { BRICK STEEL "*BOUNDARY\nAll, 11, 11\n", "x.inp:18: *BOUNDARY: degree of freedom 11" },
  { BRICK STEEL "*BOUNDARY\nAll, 3, 1\n",
    "x.inp:18: *BOUNDARY: the last degree of freedom is lower" },
  { BRICK STEEL "*BOUNDARY\nNone, 1\n", "x.inp:18: there is no set of nodes 'None'" },
  { BRICK STEEL "*SURFACE, NAME=S\nBody, S1\n*COUPLING, REF NODE=1, SURFACE=S\n",
    "x.inp:19: *COUPLING without *KINEMATIC" },
  { BRICK STEEL "*COUPLING, REF NODE=1, SURFACE=S, INFLUENCE RADIUS=2.\n",
    "x.inp:17: *COUPLING with INFLUENCE RADIUS is not read" },
  { "*PART, NAME=P\n*NODE\n1,0,0,0\n", "x.inp:3: the file ends inside *PART" },
  { "*INSTANCE, NAME=I, PART=P\n", "x.inp:1: *INSTANCE of 'P', but there is no such *PART" },
  { "*NODE\n1,0,0,0\n", "x.inp: holds no elements" },
  { "*HEADING\n*PART, NAME=P\n5\n", "x.inp:3: '5' has no keyword before it" },
  { BRICK STEEL "*CONTACT PAIR\n", "x.inp:17: *CONTACTPAIR is not supported" },
};

static void test_broken(void) {
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    ms_mesh_read_settings s = ms_mesh_read_defaults();
    ms_mesh *mesh;
    const char *text = broken[i].text;
    CHECK(ms_mesh_parse(test_context(), "x.inp", text, strlen(text), &s, &mesh) < 0);
    CHECK(mesh == NULL);
    CHECK_HAS(ms_context_message(test_context()), broken[i].message);
  }
}

static ms_status read_once(ms_context *ctx, void *user) {
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  ms_status status = ms_mesh_read(ctx, user, &s, &mesh);
  ms_mesh_destroy(&mesh);
  return status;
}

static ms_status parse_once(ms_context *ctx, void *user) {
  ms_mesh *mesh;
  ms_status status = ms_mesh_parse(ctx, "x.inp", user, strlen(user), NULL, &mesh);
  ms_mesh_destroy(&mesh);
  return status;
}

static void test_memory_failures(void) {
  char path[] = TEST_DATA "/mesh/assembly.inp";
  CHECK(test_allocations(read_once, path) > 100);
  char marks[] =
      BRICK STEEL "*ELEMENT, TYPE=CPS4, ELSET=Top\n51,5,6,7,8\n*NSET, NSET=Few, GENERATE\n3, 21\n";
  CHECK(test_allocations(parse_once, marks) > 30);
}

int main(void) {
  TEST(test_samples);
  TEST(test_assembly);
  TEST(test_turns);
  TEST(test_properties);
  TEST(test_conditions);
  TEST(test_merged);
  TEST(test_springs);
  TEST(test_reduced_integration);
  TEST(test_given);
  TEST(test_marks);
  TEST(test_surface_nodes);
  TEST(test_marks_of_instances);
  TEST(test_foreign_types);
  TEST(test_generate);
  TEST(test_repeated);
  TEST(test_beams);
  TEST(test_profiles);
  TEST(test_include);
  TEST(test_broken);
  TEST(test_memory_failures);
  return test_finish();
}
