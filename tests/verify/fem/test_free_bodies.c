/* Bodies that are free to move: motions without strain are counted exactly and have no frequency,
   in the model and in what it is reduced to; mechanisms are named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

static ms_fem_model *open_model(const ms_mesh *mesh) {
  ms_fem_model *model = NULL;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  return model;
}

static ptrdiff_t count_zeros(ptrdiff_t n, const double *omega) {
  ptrdiff_t zero = 0;
  for (ptrdiff_t i = 0; i < n; i++) zero += omega[i] == 0.0;
  return zero;
}

/* ---- thin plates ---- */

/* Modes of the structure that the model is reduced to, beside those of the model. */
static void check_reduced(ms_fem_model *model, ptrdiff_t n_mode, const ms_fem_modes *modes) {
  ms_fem_reduction reduction = { .n_mode = n_mode };
  ms_reduced *r = NULL;
  ms_structure *s = NULL;
  CHECK_OK(ms_fem_reduce(model, &reduction, &r));
  if (!r) return;
  CHECK_EQUAL(r->n_free, 6);
  CHECK_OK(ms_reduced_make_structure(r, &s));
  CHECK_OK(ms_structure_setup(s));
  ms_modes stuck = ms_structure_get_stuck(s);
  CHECK_EQUAL(count_zeros(stuck.n, stuck.omega), 6);
  for (int i = 6; i < 10 && stuck.n >= 10; i++) CHECK_CLOSE(stuck.omega[i], modes->omega[i], 5e-3);
  ms_structure_destroy(&s);
  ms_reduced_destroy(&r);
}

/* The free plate of NAFEMS FV12, which is 1/200 thick, held by nothing, kept at a corner, or by its
   top as a whole. The first modes are 1.622, 2.360 and 2.922 Hz; the mesh is coarse. */
static void check_plate(const char *element, int whole_top) {
  static const double want[] = { 1.622, 2.360, 2.922 }, size[3] = { 10.0, 10.0, 0.05 };
  static const int n[3] = { 6, 6, 1 };
  ms_mesh *mesh = test_brick(element, size, n, 200e9, 0.3, 8000.0);
  ms_fem_model *model = open_model(mesh);
  ms_fem_modes modes = { 0 };
  if (whole_top) {
    ms_mesh_set top;
    CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, "part.top", &top));
    ms_spider spider = { "top", MS_SPIDER_UNIFORM, { 5.0, 5.0, 0.05 }, top.n, top.index, NULL };
    ptrdiff_t node;
    CHECK_OK(ms_fem_add_spider(model, &spider, &node));
    CHECK_OK(ms_fem_keep(model, "top", node, MS_FEM_ALL));
  } else {
    CHECK_OK(ms_fem_keep(model, "corner", 0, MS_FEM_ALL));
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 10, 0.0, &modes));
  CHECK_EQUAL(modes.n_rigid, 6);
  CHECK_EQUAL(modes.n_mechanism, 0);
  CHECK_EQUAL(count_zeros(modes.n, modes.omega), 6);
  for (int i = 0; i < 3 && modes.n == 10; i++) {
    CHECK_CLOSE(modes.omega[6 + i] / (2.0 * acos(-1.0)), want[i], 0.06);
  }
  check_reduced(model, 14, &modes);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_plates(void) {
  check_plate("hex8", 1);
  check_plate("hex20", 0);
  check_plate("hex20", 1);
}

/* ---- how many there are ---- */

static void check_count(ms_fem_model *model, ptrdiff_t n, ptrdiff_t n_mechanism,
                        const char *moves) {
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, n + 2, 0.0, &modes));
  CHECK_EQUAL(modes.n_rigid, n);
  CHECK_EQUAL(modes.n_mechanism, n_mechanism);
  CHECK_EQUAL(count_zeros(modes.n, modes.omega), n);
  if (moves)
    CHECK_HAS(modes.moves, moves);
  else
    CHECK_TEXT(modes.moves, "");
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
}

/* A node held leaves three rotations, two of them one, three in a triangle none. */
static void test_supports(void) {
  static const double size[3] = { 0.83, 0.11, 0.07 };
  static const int n[3] = { 4, 1, 1 };
  static const ptrdiff_t node[] = { 0, 4, 7 }, left[] = { 6, 3, 1, 0 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  for (int held = 0; held <= 3; held++) {
    ms_fem_model *model = open_model(mesh);
    for (int i = 0; i < held; i++) CHECK_OK(ms_fem_fix(model, "pin", node[i], MS_FEM_TRANSLATIONS));
    check_count(model, left[held], 0, NULL);
  }
  /* Springs hold as well, whatever their stiffness. */
  ms_fem_model *model = open_model(mesh);
  for (int c = 0; c < 3; c++) {
    const ms_fem_term term = { 0, c, 1.0 };
    CHECK_OK(ms_fem_add_spring(model, 1, &term, 2.9e5));
  }
  check_count(model, 3, 0, NULL);
  const ms_part spring = { .name = "spring", .stiffness = { 2.9e5, 0.37, 1.1e5 } };
  const ptrdiff_t label = 999; /* elements do, too */
  CHECK_OK(ms_mesh_add_part(mesh, &spring, NULL));
  CHECK_OK(
      ms_mesh_add_elements(mesh, 1, "ground_spring", 1, (const int32_t[]) { 0 }, &label, NULL));
  check_count(open_model(mesh), 3, 0, NULL);
  ms_mesh_destroy(&mesh);
}

/* A second brick under a name of its own. */
static ms_mesh *make_pair(const double *at) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_part part = *ms_mesh_get_part(mesh, 0);
  part.name = "lid";
  CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
  ms_brick brick[2] = { { { 0.0, 0.0, 0.0 }, { 0.83, 0.22, 0.17 }, { 4, 2, 1 } },
                        { { at[0], at[1], at[2] }, { 0.31, 0.22, 0.09 }, { 2, 2, 1 } } };
  for (int i = 0; i < 2; i++) CHECK_OK(ms_mesh_add_brick(mesh, i, "hex8", &brick[i]));
  CHECK_OK(ms_mesh_merge(mesh, 0, NULL, 1e-6, NULL));
  return mesh;
}

/* Bricks that have an edge in common: a hinge. A corner: a ball joint. Nothing: two bodies. The lid
   is the lighter one and moves more. */
static void test_mechanisms(void) {
  static const double edge[3] = { 0.83, 0.0, 0.17 }, corner[3] = { 0.83, 0.22, 0.17 };
  static const double nothing[3] = { 1.1, 0.0, 0.0 };
  ms_mesh *mesh = make_pair(edge);
  check_count(open_model(mesh), 7, 1, "part 'lid'");
  ms_mesh_destroy(&mesh);
  mesh = make_pair(corner);
  check_count(open_model(mesh), 9, 3, "part 'lid'");
  ms_mesh_destroy(&mesh);
  mesh = make_pair(nothing);
  check_count(open_model(mesh), 12, 6, "part 'lid'");
  ms_fem_model *model = open_model(mesh); /* the larger is held, the lid is left */
  CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 8, 0.0, &modes));
  CHECK_EQUAL(modes.n_rigid, 6);
  CHECK_EQUAL(modes.n_mechanism, 6);
  CHECK_TEXT(modes.moves, "part 'lid'");
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* A bent rod whose end is a node of a brick: bricks do not hold rotations, so that it is a ball
   joint. With both its ends at nodes of the brick it turns about the line between them. */
static void test_rod_on_brick(void) {
  static const double size[3] = { 0.83, 0.22, 0.17 };
  static const int n[3] = { 4, 2, 1 };
  for (int ends = 1; ends <= 2; ends++) {
    ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
    ms_part part = *ms_mesh_get_part(mesh, 0);
    ptrdiff_t first;
    int rod;
    part.name = "rod";
    part.section = ms_beam_rectangle(0.011, 0.017);
    part.section.y[1] = 1.0;
    const double x[6] = { 1.1, 0.3, 0.4, 1.3, 0.1, 0.9 };
    CHECK_OK(ms_mesh_add_part(mesh, &part, &rod));
    CHECK_OK(ms_mesh_add_nodes(mesh, 3 - ends, x, NULL, &first));
    const int32_t bent = (int32_t)first, line[4] = { 4, bent, bent, ends == 2 ? 14 : bent + 1 };
    CHECK_OK(ms_mesh_add_elements(mesh, rod, "timoshenko", 2, line, NULL, NULL));
    check_count(open_model(mesh), ends == 2 ? 7 : 9, ends == 2 ? 1 : 3, "part 'rod'");
    ms_mesh_destroy(&mesh);
  }
}

/* A rotor that is linked to a node in translations alone: its rotations are free. */
static void test_loose_reference(void) {
  static const double size[3] = { 0.83, 0.11, 0.07 }, place[3] = { 0.83, 0.0, 0.0 };
  static const int n[3] = { 4, 1, 1 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  ms_part part = { .name = "rotor", .mass = 0.7, .inertia = { 2e-4, 3e-4, 4e-4 } };
  int32_t index;
  ptrdiff_t first;
  int rotor;
  CHECK_OK(ms_mesh_add_nodes(mesh, 1, place, NULL, &first));
  index = (int32_t)first;
  CHECK_OK(ms_mesh_add_part(mesh, &part, &rotor));
  CHECK_OK(ms_mesh_add_elements(mesh, rotor, "inertia", 1, &index, NULL, NULL));
  ms_fem_model *model = open_model(mesh);
  for (int c = 0; c < 3; c++) {
    const ms_fem_term term[2] = { { 4, c, 1.0 }, { first, c, -1.0 } };
    CHECK_OK(ms_fem_link(model, "shaft", 2, term, 0.0));
  }
  check_count(model, 9, 3, "node 21 r");
  ms_mesh_destroy(&mesh);
}

/* A mass on a rigid arm whose foot is linked to a node in translations alone: it turns about the
   arm without mass. Whatever rounding leaves of that inertia, it is refused. */
static void test_arm_without_inertia(void) {
  static const double size[3] = { 0.83, 0.11, 0.07 }, foot[3] = { 0.83, 0.0, 0.0 };
  static const int n[3] = { 4, 1, 1 };
  for (int k = 0; k < 12; k++) {
    ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
    const ms_part part = { .name = "weight", .mass = 0.7 };
    const double end[3] = { 0.83 + 0.013 * (k + 1), 0.17 - 0.019 * k, 0.0037 * k * k };
    ptrdiff_t first, reference;
    int weight;
    CHECK_OK(ms_mesh_add_nodes(mesh, 1, end, NULL, &first));
    const int32_t index = (int32_t)first;
    CHECK_OK(ms_mesh_add_part(mesh, &part, &weight));
    CHECK_OK(ms_mesh_add_elements(mesh, weight, "mass", 1, &index, NULL, NULL));
    ms_fem_model *model = open_model(mesh);
    const ms_spider arm = {
      "arm", MS_SPIDER_RIGID, { foot[0], foot[1], foot[2] }, 1, &index, NULL
    };
    CHECK_OK(ms_fem_add_spider(model, &arm, &reference));
    for (int c = 0; c < 3; c++) {
      const ms_fem_term term[2] = { { 4, c, 1.0 }, { reference, c, -1.0 } };
      CHECK_OK(ms_fem_link(model, "foot", 2, term, 0.0));
    }
    CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
    CHECK_OK(ms_fem_setup(model, NULL));
    ms_fem_modes modes = { 0 };
    CHECK_STATUS(ms_fem_find_modes(model, 4, 0.0, &modes), MS_ERR_ARGUMENT);
    CHECK_HAS(ms_context_message(test_context()), "a part without mass can move freely");
    ms_fem_modes_free(test_context(), &modes);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

/* So many bodies that their motions are not listed, and a free one is seen by the rounding of its
   frequency: 160 bricks held below, or all but the last. */
static void check_many(int last_held) {
  enum { MANY = 160 };
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  for (int i = 0; i < MANY; i++) {
    double x[24];
    int32_t node[8];
    ptrdiff_t first;
    for (int k = 0; k < 8; k++) { /* around below, then above */
      x[3 * k] = 0.31 * i + (k % 4 == 1 || k % 4 == 2 ? 0.11 : 0.0);
      x[3 * k + 1] = k % 4 >= 2 ? 0.07 : 0.0;
      x[3 * k + 2] = k >= 4 ? 0.13 : 0.0;
    }
    CHECK_OK(ms_mesh_add_nodes(mesh, 8, x, NULL, &first));
    for (int k = 0; k < 8; k++) node[k] = (int32_t)first + k;
    CHECK_OK(ms_mesh_add_elements(mesh, 0, "hex8", 1, node, NULL, NULL));
  }
  ms_fem_model *model = open_model(mesh);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh) - (last_held ? 0 : 8); i++) {
    if (ms_mesh_get_nodes(mesh)[3 * i + 2] > 0.0) continue;
    CHECK_OK(ms_fem_fix(model, "foot", i, MS_FEM_TRANSLATIONS));
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  const ptrdiff_t n = ms_fem_get_size(model);
  double *f = calloc((size_t)n, sizeof *f), *u = calloc((size_t)n, sizeof *u);
  if (!f || !u) abort();
  const ptrdiff_t at = ms_fem_get_index(model, 7, 2); /* at the top of the first brick */
  f[at] = 310.0;
  CHECK_STATUS(ms_fem_solve(model, 1, f, u), last_held ? MS_SUCCESS : MS_ERR_ARGUMENT);
  if (last_held)
    CHECK(u[at] > 0.0 && u[at] < 1e-6);
  else
    CHECK_HAS(ms_context_message(test_context()), "a part can move freely");
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_find_modes(model, 8, 0.0, &modes));
  CHECK_EQUAL(modes.n_rigid, last_held ? 0 : 6);
  ms_fem_modes_free(test_context(), &modes);
  free(f), free(u);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_many_bodies(void) {
  check_many(1);
  check_many(0);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_plates);
  TEST(test_supports);
  TEST(test_mechanisms);
  TEST(test_rod_on_brick);
  TEST(test_loose_reference);
  TEST(test_arm_without_inertia);
  TEST(test_many_bodies);
  return test_leaks_finish();
}
