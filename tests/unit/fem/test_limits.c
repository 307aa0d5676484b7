/* What the room does when nothing is said: each limit lies where it should, seen from both sides,
   and NULL stands for the defaults (test_defaults.c). */
#include <math.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/meshes.h"

static const double side[3] = { 1.0, 1.0, 1.0 };
static const int one[3] = { 1, 1, 1 };

/* A brick sheared to a parallelepiped has the quality cos(angle) = 1/sqrt(1 + s^2). */
static void test_quality(void) {
  for (int low = 0; low < 2; low++) {
    ms_mesh *mesh = test_brick("hex8", side, one, 2.0, 0.3, 1.0);
    const double quality = low ? 0.099 : 0.101;
    double *x = test_nodes(mesh);
    for (int i = 0; i < 8; i++) x[3 * i] += sqrt(1.0 / (quality * quality) - 1.0) * x[3 * i + 2];
    ms_mesh_report r;
    CHECK_OK(ms_mesh_check(mesh, NULL, &r));
    CHECK_CLOSE(r.worst_quality, quality, 1e-12);
    CHECK_EQUAL(r.n_distorted, low);
    ms_mesh_destroy(&mesh);
  }
}

/* A second node beside one, in a mesh whose diagonal is 3. */
static void test_duplicates(void) {
  static const double size[3] = { 2.0, 2.0, 1.0 };
  for (int far = 0; far < 2; far++) {
    ms_mesh *mesh = test_brick("hex8", size, one, 2.0, 0.3, 1.0);
    const double beside[3] = { 2.0 - (far ? 1.02e-9 : 0.98e-9) * 3.0, 0.0, 0.0 };
    ms_mesh_report r;
    CHECK_OK(ms_mesh_add_nodes(mesh, 1, beside, NULL, NULL));
    CHECK_OK(ms_mesh_check(mesh, NULL, &r));
    CHECK_EQUAL(r.n_duplicate, !far);
    ms_mesh_destroy(&mesh);
  }
}

/* Two bricks in a row, the second turned down: above and below, the joint is an edge from 30
   degrees on. */
static void test_edges(void) {
  static const double size[3] = { 2.0, 1.0, 1.0 };
  static const int two[3] = { 2, 1, 1 };
  ptrdiff_t n_line[2] = { 0 };
  for (int sharp = 0; sharp < 2; sharp++) {
    ms_mesh *mesh = test_brick("hex8", size, two, 2.0, 0.3, 1.0);
    const double slope = tan((sharp ? 30.5 : 29.5) / 180.0 * acos(-1.0));
    double *x = test_nodes(mesh);
    for (int i = 0; i < 12; i++) x[3 * i + 2] -= slope * fmax(x[3 * i] - 1.0, 0.0);
    ms_surface *s = NULL;
    CHECK_OK(ms_mesh_extract_surface(mesh, NULL, &s));
    n_line[sharp] = s ? ms_surface_get(s).n_line : 0;
    ms_surface_destroy(&s);
    ms_mesh_destroy(&mesh);
  }
  CHECK_EQUAL(n_line[0], 16);
  CHECK_EQUAL(n_line[1], 16 + 2);
}

/* 2 n_x n_y + 2 (n_x + n_y) faces: 19996, and 20198, which are too many. */
static void test_faces(void) {
  for (int many = 0; many < 2; many++) {
    const int n[3] = { 100, 98 + many, 1 };
    ms_mesh *mesh = test_brick("hex8", side, n, 2.0, 0.3, 1.0);
    ms_surface *s = NULL;
    CHECK_OK(ms_mesh_extract_surface(mesh, NULL, &s));
    const ms_surface_view view = s ? ms_surface_get(s) : (ms_surface_view) { 0 };
    CHECK_EQUAL(view.merged > 0.0, many);
    CHECK(many ? view.n_face <= 20000 : view.n_face == 19996);
    ms_surface_destroy(&s);
    ms_mesh_destroy(&mesh);
  }
}

/* A box counts its edges in, to 1e-9 of its size. */
static void test_box(void) {
  ms_mesh *mesh = test_brick("hex8", side, one, 2.0, 0.3, 1.0);
  for (int far = 0; far < 2; far++) {
    const double low[3] = { 0.0, 0.0, 0.0 }, high[3] = { 1.0 - (far ? 1.1e-9 : 0.9e-9), 1.0, 1.0 };
    ptrdiff_t n;
    int32_t *node;
    CHECK_OK(ms_fem_find_in_box(mesh, "part.top", low, high, &n, &node));
    CHECK_EQUAL(n, far ? 2 : 4);
    ms_free(test_context(), &node);
  }
  ms_mesh_destroy(&mesh);
}

/* Where the file does not say how far a tie reaches. */
static void test_reach(void) {
  for (int far = 0; far < 2; far++) {
    ms_mesh *mesh = test_brick("hex8", side, one, 2.0, 0.3, 1.0);
    const ms_part lid = { .name = "lid", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
    const ms_brick brick = { { 0.0, 0.0, 1.0 + (far ? 1.01e-3 : 0.99e-3) },
                             { 1.0, 1.0, 0.2 },
                             { 1, 1, 1 } };
    const ms_condition tie = {
      .kind = MS_CONDITION_TIE, .nodes = "lid.bottom", .faces = "part.top", .reference = -1
    };
    ms_fem_model *model = NULL;
    ptrdiff_t none;
    int part;
    CHECK_OK(ms_mesh_add_part(mesh, &lid, &part));
    CHECK_OK(ms_mesh_add_brick(mesh, part, "hex8", &brick));
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_EQUAL(ms_fem_add_condition(model, "glue", &tie, &none) == MS_SUCCESS, !far);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

int main(void) {
  TEST(test_quality);
  TEST(test_duplicates);
  TEST(test_edges);
  TEST(test_faces);
  TEST(test_box);
  TEST(test_reach);
  return test_finish();
}
