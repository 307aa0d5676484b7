/* Contact at Gauss points: uniform pressure on quadratic faces and on meshes that do not match,
   faces that overlap in part, modes, what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/leaks.h"

static const double SIZE[3] = { 0.021, 0.016, 0.009 }, E = 2.1e11, NU = 0.29, PRESS = 5300.0;
enum { NX = 4, NY = 2, NZ = 2 };

typedef struct blocks {
  const char *element;
  int upper[2]; /* elements of the upper block along x and y */
  double shift; /* m, of the upper block along x */
  double gap;
} blocks;

static ms_mesh *make_blocks(const blocks *b) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = k ? "upper" : "lower",
                           .material = ms_material_isotropic(E, NU, 7800.0) };
    ms_brick brick = { .at = { k * b->shift, 0.0, k * (SIZE[2] + b->gap) },
                       .n = { k ? b->upper[0] : NX, k ? b->upper[1] : NY, NZ } };
    int index;
    memcpy(brick.size, SIZE, sizeof SIZE);
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, b->element, &brick));
  }
  return mesh;
}

static ms_fem_contact make_contact(double K_n, int gauss) {
  return (ms_fem_contact) { .name = "joint",
                            .faces = { "upper.bottom", "lower.top" },
                            .mu = 0.3,
                            .K_n = K_n,
                            .K_t = 0.7 * K_n,
                            .points = gauss > 0 ? MS_FEM_POINTS_GAUSS : MS_FEM_POINTS_AUTO,
                            .gauss = gauss };
}

/* ---- uniform pressure ---- */

/* Pressed on top, free to widen: the largest error of the pressure at a point, and of the mean over
   the points of a face of the upper block, both relative. */
typedef struct patch {
  ptrdiff_t n;
  double at_points, at_centres, stretch; /* of the top's displacement */
} patch;

static patch press(const blocks *b, const ms_fem_contact *contact, int points_of_face) {
  const double mean = PRESS / (SIZE[0] * SIZE[1]);
  const ms_fem_push down = { .set = "upper.top", .force = { 0.0, 0.0, -PRESS } };
  ms_mesh *mesh = make_blocks(b);
  ms_fem_model *model;
  ms_fem_condensed condensed;
  ms_contact *c;
  patch out = { 0 };
  const ms_fem_settings settings = ms_fem_defaults();
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "lower.bottom", 4));
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ms_fem_fix_set(model, k ? "upper.left" : "lower.left", 1));
    CHECK_OK(ms_fem_fix_set(model, k ? "upper.front" : "lower.front", 2));
  }
  CHECK_OK(ms_fem_add_contact(model, contact));
  const ms_fem_contact_point *point = ms_fem_get_contact_points(model, &out.n);
  CHECK_OK(ms_fem_setup(model, &settings));
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load), whole = 0.0;
  CHECK_OK(ms_fem_add_push(model, &down, load));
  CHECK_OK(ms_fem_condense(model, 1, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0 }));
  const ms_contact_state state = ms_contact_get(c);
  for (ptrdiff_t i = 0; i < out.n; i += points_of_face) {
    double centre = 0.0;
    for (ptrdiff_t k = i; k < i + points_of_face; k++) {
      const double p = state.lambda[3 * k + 2] / point[k].area;
      out.at_points = fmax(out.at_points, fabs(p / mean - 1.0));
      centre += p / points_of_face;
      whole += point[k].area;
    }
    out.at_centres = fmax(out.at_centres, fabs(centre / mean - 1.0));
  }
  CHECK_CLOSE(whole, SIZE[0] * SIZE[1], 1e-12);
  CHECK_CLOSE(ms_contact_add_up(c, 0).force[2], PRESS, 1e-9);
  out.stretch = state.v[0] / (PRESS * mean * (2.0 * SIZE[2] / E + 1.0 / contact->K_n)) - 1.0;
  ms_contact_destroy(&c);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  return out;
}

static const double LAYER = 2.1e11 / (0.009 / NZ); /* E/h */

static void test_patch(void) {
  static const struct {
    const char *element;
    int order, of_face; /* Gauss points of a face */
    ptrdiff_t n;
  } list[] = {
    { "hex20", 0, 4, 4 * NX * NY },     { "hex20", 3, 9, 9 * NX * NY },
    { "hex20", 4, 16, 16 * NX * NY },   { "tet10", 0, 3, 2 * 3 * NX * NY },
    { "tet10", 3, 9, 2 * 9 * NX * NY }, { "hex8", 2, 4, 4 * NX * NY },
    { "tet4", 2, 3, 2 * 3 * NX * NY },
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    const blocks b = { list[k].element, { NX, NY }, 0.0, 0.0 };
    const ms_fem_contact contact = make_contact(LAYER, list[k].order);
    const patch p = press(&b, &contact, list[k].of_face);
    CHECK_EQUAL(p.n, list[k].n);
    CHECK_BELOW(p.at_points, 1e-8);
    CHECK_NEAR(p.stretch, 0.0, 1e-8);
  }
}

/* Faces are cut where faces of the other side begin and end: the Gauss points of the pieces
   integrate the shape functions of both sides, and the pressure is uniform. n: of all points. */
static void check_mismatch(const char *element, int x, int y, double stiff, int order, ptrdiff_t n,
                           double limit) {
  const blocks b = { element, { x, y }, 0.0, 0.0 };
  const ms_fem_contact contact = make_contact(stiff * LAYER, order);
  const patch p = press(&b, &contact, 1);
  printf("# %s, %d x %d on %d x %d, K_n = %3g E/h, gauss %d: %.2g at points, %.1g of the length\n",
         element, x, y, NX, NY, stiff, order, p.at_points, p.stretch);
  if (n > 0) CHECK_EQUAL(p.n, n);
  CHECK_BELOW(p.at_points, limit);
  CHECK_NEAR(p.stretch, 0.0, 1e-8);
}

/* Two elements against three, from either side, and five against three. In each direction 4 : 6
   gives 8 pieces and 2 : 3 gives 4. */
static void test_patch_mismatch(void) {
  for (int order = 2; order <= 4; order++) {
    check_mismatch("hex8", 6, 3, 1.0, order, 8 * 4 * order * order, 1e-9);
  }
  check_mismatch("hex8", 6, 3, 10.0, 2, 8 * 4 * 4, 1e-8);
  check_mismatch("hex8", 6, 3, 100.0, 2, 8 * 4 * 4, 1e-7);
  check_mismatch("hex8", 6, 3, 1.0, 0, 8 * 4 * 4, 1e-9); /* found out */
  check_mismatch("hex8", 2, 1, 1.0, 0, 4 * 2 * 4, 1e-9); /* coarse faces first: one on four */
  check_mismatch("hex8", 3, 5, 1.0, 0, 6 * 6 * 4, 1e-9);
  check_mismatch("hex20", 6, 3, 1.0, 0, 24 * 9 + 8 * 4, 1e-8); /* 8 faces are not cut */
  check_mismatch("hex20", 3, 1, 1.0, 0, 6 * 2 * 9, 1e-8);
  check_mismatch("tet4", 6, 3, 1.0, 2, 0, 1e-9); /* triangles, whose pieces have up to six sides */
  check_mismatch("tet4", 3, 5, 1.0, 2, 0, 1e-9);
  check_mismatch("tet10", 6, 3, 1.0, 0, 0, 1e-8);
  check_mismatch("tet10", 3, 1, 1.0, 0, 0, 1e-8);
}

/* ---- overlap in part, gap, ground ---- */

/* Elements of the lower block are as long as the shift: the points of one row of faces hang over.
   Half an element: those of half a row. 0.37 of one: the edge of the other block cuts faces. */
static void test_overlap(void) {
  static const double part[] = { 1.0, 0.5, 0.37 };
  for (int case_of = 0; case_of < 6; case_of++) {
    const double shift = part[case_of / 2] * SIZE[0] / NX;
    const blocks b = { case_of % 2 ? "tet4" : "hex20", { NX, NY }, shift, 3e-5 };
    ms_mesh *mesh = make_blocks(&b);
    ms_fem_contact contact = make_contact(LAYER, 2);
    ms_fem_model *model;
    ptrdiff_t n;
    double area = 0.0;
    contact.gap = 1e-5;
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_add_contact(model, &contact));
    const ms_fem_contact_point *p = ms_fem_get_contact_points(model, &n);
    for (ptrdiff_t i = 0; i < n; i++) {
      area += p[i].area;
      CHECK_CLOSE(p[i].gap, 4e-5, 1e-9);
      for (int s = 0; s < 2; s++) { /* shape functions reproduce the place */
        double x = 0.0;
        for (int k = 0; k < p[i].n[s]; k++) {
          x += p[i].N[s][k] * ms_mesh_get_nodes(mesh)[3 * (ptrdiff_t)p[i].node[s][k]];
        }
        CHECK_NEAR(x, p[i].at[0], 1e-9);
      }
      CHECK_BELOW(p[i].at[0], SIZE[0]);
    }
    CHECK_CLOSE(area, (SIZE[0] - b.shift) * SIZE[1], 1e-9);
    ms_fem_destroy(&model);
    contact.faces[1] = NULL;
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_add_contact(model, &contact));
    p = ms_fem_get_contact_points(model, &n);
    CHECK_EQUAL(n, case_of % 2 ? 6 * NX * NY : 4 * NX * NY);
    CHECK_EQUAL(p[0].n[1], 0);
    CHECK_CLOSE(p[0].gap, 1e-5, 1e-12);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

/* Both blocks bent about an axis along y, so that faces are parts of a cylinder: pieces cover the
   first faces, whatever the shape functions. */
static void test_bent(void) {
  enum { ACROSS = 3, ALONG = 6 };
  const double RADIUS = 0.034;
  for (int k = 0; k < 2; k++) {
    const blocks b = { k ? "hex20" : "hex8", { ALONG, ACROSS }, 0.0, 0.0 };
    ms_mesh *mesh = make_blocks(&b);
    ms_fem_contact contact = make_contact(LAYER, 0);
    ms_fem_model *model;
    ptrdiff_t n;
    double area = 0.0, *x = mesh->x;
    for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
      const double r = RADIUS + x[3 * i + 2] - SIZE[2], angle = x[3 * i] / RADIUS;
      x[3 * i] = r * sin(angle), x[3 * i + 2] = r * cos(angle);
    }
    contact.gap = -1e-3; /* the meshes are inside each other between their nodes */
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_add_contact(model, &contact));
    const ms_fem_contact_point *p = ms_fem_get_contact_points(model, &n);
    CHECK_EQUAL(n, k ? 24 * 9 + 8 * 4 : 8 * 4 * 4);
    for (ptrdiff_t i = 0; i < n; i++) {
      CHECK(p[i].area > 0.0);
      area += p[i].area;
    }
    const double half = 0.5 * SIZE[0] / ALONG / RADIUS, chord = sin(half) / half;
    printf("# %s bent: area %+.2g\n", b.element, area / (SIZE[0] * SIZE[1]) - 1.0);
    CHECK_CLOSE(area, SIZE[0] * SIZE[1] * (k ? 1.0 : chord), k ? 1e-6 : 1e-9);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

/* ---- modes ---- */

/* Closed points of a stiff layer make one block of two. */
static void test_modes(void) {
  const blocks b = { "hex20", { NX, NY }, 0.0, 0.0 };
  ms_mesh *mesh = make_blocks(&b), *one;
  const ms_part part = { .name = "block", .material = ms_material_isotropic(E, NU, 7800.0) };
  const ms_brick brick = { .size = { SIZE[0], SIZE[1], 2.0 * SIZE[2] }, .n = { NX, NY, 2 * NZ } };
  ms_fem_model *model, *two[2];
  ms_fem_modes modes[2];
  ptrdiff_t n;
  int index;
  const ms_fem_settings settings = ms_fem_defaults();
  const ms_fem_contact contact = make_contact(1e5 * LAYER, 0);
  CHECK_OK(ms_mesh_create(test_context(), &one));
  CHECK_OK(ms_mesh_add_part(one, &part, &index));
  CHECK_OK(ms_mesh_add_brick(one, index, "hex20", &brick));
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  const ms_fem_contact_point *point = ms_fem_get_contact_points(model, &n);
  CHECK_OK(ms_fem_create(test_context(), mesh, &two[0]));
  CHECK_OK(ms_fem_stick(two[0], n, point, NULL));
  CHECK_OK(ms_fem_fix_set(two[0], "lower.bottom", MS_FEM_ALL));
  CHECK_OK(ms_fem_create(test_context(), one, &two[1]));
  CHECK_OK(ms_fem_fix_set(two[1], "block.bottom", MS_FEM_ALL));
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ms_fem_setup(two[k], &settings));
    CHECK_OK(ms_fem_find_modes(two[k], 4, 0.0, &modes[k]));
  }
  for (int r = 0; r < 4; r++) CHECK_CLOSE(modes[0].omega[r], modes[1].omega[r], 1e-3);
  for (int k = 0; k < 2; k++) {
    ms_fem_modes_free(test_context(), &modes[k]);
    ms_fem_destroy(&two[k]);
  }
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  ms_mesh_destroy(&one);
}

/* ---- what is refused ---- */

static void refuse(const blocks *b, const ms_fem_contact *contact, const char *says) {
  ms_mesh *mesh = make_blocks(b);
  ms_fem_model *model;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK(ms_fem_add_contact(model, contact) < 0);
  CHECK_HAS(ms_context_message(test_context()), says);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_refused(void) {
  const blocks hex20 = { "hex20", { NX, NY }, 0.0, 0.0 }, hex8 = { "hex8", { NX, NY }, 0.0, 0.0 };
  const blocks finer = { "hex8", { 2 * NX, NY }, 0.0, 0.0 },
               far = { "hex20", { NX, NY }, 0.0, 0.004 };
  const blocks inside = { "hex20", { NX, NY }, 0.0, -1e-5 };
  ms_fem_contact wrong = make_contact(0.0, 0);
  refuse(&hex20, &wrong, "no unique forces at Gauss points of the quadratic faces 'upper.bottom'");
  refuse(&finer, &wrong, "mesh both faces alike, or give the contact a layer");
  wrong = make_contact(0.0, 2);
  refuse(&hex8, &wrong, "no unique forces at Gauss points");
  wrong = make_contact(LAYER, 5);
  refuse(&hex8, &wrong, "2 to 4 points");
  wrong = make_contact(LAYER, 0), wrong.points = MS_FEM_POINTS_NODES;
  refuse(&hex20, &wrong, "zero or negative at the corners");
  refuse(&finer, &wrong, "do not lie opposite each other");
  wrong = make_contact(LAYER, 0);
  refuse(&far, &wrong, "are 0.004 m apart at least");
  refuse(&inside, &wrong, "is 1e-05 m inside");
  wrong.faces[0] = "lower.top", wrong.faces[1] = "lower.top";
  refuse(&hex20, &wrong, "share node");
  wrong.faces[0] = "upper.top", wrong.reach = 1.0;
  refuse(&hex20, &wrong, "face the same way");
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_patch);
  TEST(test_patch_mismatch);
  TEST(test_overlap);
  TEST(test_bent);
  TEST(test_modes);
  TEST(test_refused);
  return test_leaks_finish();
}
