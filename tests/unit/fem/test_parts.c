/* Structured parts: counts, volumes, sets, conformity; the check of a mesh. */
#include <math.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"
#include "support/fem/parts.h"

static const char *const kinds[] = { "hex8", "hex20", "wedge6", "tet4", "tet10" };
static const char *message(void) {
  return ms_context_message(test_context());
}

static void test_bricks(void) {
  static const double size[3] = { 1.3, 0.7, 0.9 };
  static const int n[3] = { 3, 2, 4 };
  static const ptrdiff_t nodes[] = { 60, 193, 60, 60, 7 * 5 * 9 };
  static const ptrdiff_t elements[] = { 24, 24, 48, 144, 144 };
  for (int k = 0; k < 5; k++) {
    ms_mesh *m = test_brick(kinds[k], size, n, 2.0, 0.3, 1.0);
    ms_mesh_report r;
    CHECK_EQUAL(ms_mesh_count_nodes(m), nodes[k]);
    CHECK_EQUAL(ms_mesh_count_elements(m), elements[k]);
    test_check_area(m, "part.left", -0.63, 0.0, 0.0);
    test_check_area(m, "part.right", 0.63, 0.0, 0.0);
    test_check_area(m, "part.front", 0.0, -1.17, 0.0);
    test_check_area(m, "part.back", 0.0, 1.17, 0.0);
    test_check_area(m, "part.bottom", 0.0, 0.0, -0.91);
    test_check_area(m, "part.top", 0.0, 0.0, 0.91);
    test_check_plane(m, "part.right", 0, 1.3);
    test_check_plane(m, "part.front", 1, 0.0);
    test_check_plane(m, "part.top", 2, 0.9);
    CHECK_OK(ms_mesh_check(m, NULL, &r));
    CHECK_CLOSE(r.volume, 1.3 * 0.7 * 0.9, 1e-13);
    CHECK_EQUAL(r.n_piece, 1);
    CHECK_EQUAL(r.n_duplicate + r.n_free + r.n_inverted + r.n_distorted, 0);
    CHECK_TEXT(r.text, "");
    ms_mesh_destroy(&m);
  }
}

static ms_rings rings(void) {
  return (ms_rings) { .at = { 0.1, 0.2, 0.3 },
                      .axis = 2,
                      .core = 4,
                      .n_zone = 2,
                      .n_slab = 3,
                      .radius = { 0.5, 0.8 },
                      .rings = { 2, 2 },
                      .height = { 0.2, 0.7, 0.3 },
                      .layers = { 1, 3, 2 },
                      .filled = { { 1, 1 }, { 1, 1 }, { 1, 1 } } };
}

/* Polygons of 16 sides inscribed in the circles: area n/2 R^2 sin(2 pi / n). */
static double polygon(double R) {
  return 8.0 * R * R * sin(2.0 * acos(-1.0) / 16.0);
}

static void test_cylinder(void) {
  for (int k = 0; k < 5; k++) {
    for (int axis = 0; axis < 3; axis++) {
      ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
      ms_rings r = rings();
      ms_mesh_report report;
      r.axis = axis;
      CHECK_OK(ms_mesh_add_rings(m, 0, kinds[k], &r));
      CHECK_OK(ms_mesh_check(m, NULL, &report));
      CHECK_EQUAL(report.n_inverted + report.n_distorted + report.n_duplicate + report.n_free, 0);
      CHECK_EQUAL(report.n_piece, 1);
      double straight = polygon(0.8) * 1.2, round = acos(-1.0) * 0.64 * 1.2;
      int curved = k == 1 || k == 4;
      CHECK_CLOSE(report.volume, curved ? round : straight, curved ? 1e-4 : 1e-13);
      test_check_plane(m, "part.bottom", axis, r.at[axis]);
      test_check_plane(m, "part.top", axis, r.at[axis] + 1.2);
      double up[3] = { 0.0 };
      up[axis] = polygon(0.8);
      test_check_area(m, "part.top", up[0], up[1], up[2]);
      test_check_area(m, "part.outer", 0.0, 0.0, 0.0);
      ptrdiff_t sides = (16 + 16 * 4) * 2, wall = 16 * 6;
      int cut = k == 0 || k == 1 ? 1 : 2;
      test_check_conforming(m, sides * cut + (k == 2 ? wall : wall * cut));
      ms_mesh_destroy(&m);
    }
  }
}

/* A cup with a lid that is narrower: all the names. */
static void test_cup(void) {
  ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
  ms_rings r = rings();
  ms_mesh_report report;
  ms_mesh_set s;
  r.filled[1][0] = 0; /* hollow in the middle slab */
  r.filled[2][1] = 0;
  r.filled[2][0] = 1;
  CHECK_OK(ms_mesh_add_rings(m, 0, "hex8", &r));
  CHECK_OK(ms_mesh_check(m, NULL, &report));
  double inner = polygon(0.5), outer = polygon(0.8);
  CHECK_CLOSE(report.volume, outer * 0.2 + (outer - inner) * 0.7 + inner * 0.3, 1e-13);
  test_check_area(m, "part.bottom", 0.0, 0.0, -outer);
  test_check_area(m, "part.top", 0.0, 0.0, inner);
  test_check_area(m, "part.floor", 0.0, 0.0,
                  inner + outer - inner); /* the hollow's, and the wall's rim */
  test_check_area(m, "part.ceiling", 0.0, 0.0, -inner);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, "part.inner", &s));
  CHECK_EQUAL(s.n, 16 * 3);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, "part.outer", &s));
  CHECK_EQUAL(s.n, 16 * 4);
  CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, "part.step", &s));
  CHECK_EQUAL(s.n, 16 * 2);
  ms_mesh_destroy(&m);
}

/* The stack of a ring, a cover, a cup around a slug, in a can: theory's 406,720 bricks. */
static void test_ministack(void) {
  static const char *const names[] = { "slug", "cup", "can", "cover", "ring" };
  static const char filling[5][6][4] = { { "   ", "   ", "x  ", "   ", "   ", "   " },
                                         { "   ", "xx ", " x ", "xx ", "   ", "   " },
                                         { "xxx", "  x", "  x", "  x", "   ", "   " },
                                         { "   ", "   ", "   ", "   ", "xxx", "   " },
                                         { "   ", "   ", "   ", "   ", "   ", " xx" } };
  ms_rings r = { .axis = 2,
                 .core = 20,
                 .n_zone = 3,
                 .n_slab = 6,
                 .radius = { 38.1e-3, 47.625e-3, 57.15e-3 },
                 .rings = { 18, 7, 7 },
                 .height = { 19.05e-3, 13.97e-3, 101.6e-3, 13.97e-3, 12.7e-3, 12.7e-3 },
                 .layers = { 16, 12, 84, 12, 10, 9 } };
  static const ptrdiff_t count[5] = { 154560, 104640, 107840, 29600, 10080 };
  ms_mesh *m;
  CHECK_OK(ms_mesh_create(test_context(), &m));
  for (int p = 0; p < 5; p++) {
    ms_part part = { .name = names[p], .material = ms_material_isotropic(70e9, 0.3, 2700.0) };
    for (int i = 0; i < 18; i++) r.filled[i / 3][i % 3] = filling[p][i / 3][i % 3] == 'x';
    CHECK_OK(ms_mesh_add_part(m, &part, NULL));
    CHECK_OK(ms_mesh_add_rings(m, p, "hex8", &r));
    CHECK_EQUAL(ms_mesh_get_block(m, p).n, count[p]);
  }
  CHECK_EQUAL(ms_mesh_count_elements(m), 406720);
  ms_mesh_report report;
  ptrdiff_t gone;
  CHECK_OK(ms_mesh_check(m, NULL, &report));
  CHECK_EQUAL(report.n_inverted + report.n_distorted, 0);
  CHECK(report.worst_quality > 0.5);
  CHECK_EQUAL(report.n_piece, 5);
  CHECK_OK(ms_mesh_merge(m, 0, NULL, 1e-9, &gone));
  CHECK_EQUAL(gone, report.n_duplicate);
  CHECK_OK(ms_mesh_check(m, NULL, &report));
  CHECK_EQUAL(report.n_piece, 1);
  CHECK_EQUAL(report.n_duplicate, 0);
  ms_mesh_destroy(&m);
}

static void test_refused(void) {
  ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
  ms_brick flat = { { 0.0 }, { 1.0, 0.0, 1.0 }, { 2, 2, 2 } };
  ms_brick huge = { { 0.0 }, { 1.0, 1.0, 1.0 }, { 2000, 2000, 2000 } };
  ms_rings r = rings();
  CHECK_STATUS(ms_mesh_add_brick(m, 0, "hex8", &flat), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "part 'part': its size along y is 0 m with 2 elements");
  CHECK_STATUS(ms_mesh_add_brick(m, 0, "hex8", &huge), MS_ERR_OVERFLOW);
  flat.size[1] = 1.0;
  CHECK_STATUS(ms_mesh_add_brick(m, 0, "beam", &flat), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_mesh_add_brick(m, 0, "hex88", &flat), MS_ERR_NAME);
  CHECK_STATUS(ms_mesh_add_brick(m, 1, "hex8", &flat), MS_ERR_ARGUMENT);
  r.radius[1] = 0.4;
  CHECK_STATUS(ms_mesh_add_rings(m, 0, "hex8", &r), MS_ERR_BOUNDS);
  r = rings();
  r.n_zone = MS_MAX_ZONE + 1;
  CHECK_STATUS(ms_mesh_add_rings(m, 0, "hex8", &r), MS_ERR_BOUNDS);
  r = rings();
  memset(r.filled, 0, sizeof r.filled);
  CHECK_STATUS(ms_mesh_add_rings(m, 0, "hex8", &r), MS_ERR_ARGUMENT);
  CHECK_EQUAL(ms_mesh_count_nodes(m), 0);
  CHECK_OK(ms_mesh_add_brick(m, 0, "hex8", &flat));
  CHECK_STATUS(ms_mesh_add_brick(m, 0, "hex8", &flat),
               MS_ERR_NAME); /* its sets are there already */
  CHECK_EQUAL(ms_mesh_count_nodes(m), 27);
  CHECK_EQUAL(ms_mesh_count_elements(m), 8);
  CHECK_EQUAL(ms_mesh_count_sets(m), 12);
  ms_mesh_destroy(&m);
}

/* ---- the check ---- */

static void test_check(void) {
  static const double size[3] = { 1.0, 1.0, 1.0 };
  static const int n[3] = { 2, 2, 2 };
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 1.0);
  ms_mesh_report r;
  double *x = test_nodes(m), alone[6] = { 3, 3, 3, 1, 1, 1 };
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_CLOSE(r.worst_quality, 1.0, 1e-14);
  x[3 * 26] = 0.56; /* a corner nearly pushed in: elements meet at (0.5, 0.5, 0.5) */
  x[3 * 26 + 1] = 0.56;
  x[3 * 26 + 2] = 0.56;
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_EQUAL(r.worst, 7);
  CHECK(r.n_inverted == 1 && r.n_distorted == 0 && r.worst_quality < 0.0);
  CHECK_HAS(r.text, "1 elements are inside out or flat, the worst element 8 (hex8) of part 'part'");
  x[3 * 26] = x[3 * 26 + 1] = x[3 * 26 + 2] = 0.85;
  ms_mesh_check_settings settings = ms_mesh_check_defaults();
  CHECK_OK(ms_mesh_check(m, &settings, &r));
  CHECK_EQUAL(r.n_inverted + r.n_distorted, 0);
  settings.min_quality = 0.95;
  CHECK_OK(ms_mesh_check(m, &settings, &r));
  CHECK_EQUAL(r.n_distorted, 1);
  CHECK_HAS(r.text, "the worst element 8 (hex8)");
  CHECK_OK(ms_mesh_add_nodes(m, 2, alone, NULL, NULL));
  x = test_nodes(m);
  x[3 * 26] = x[3 * 26 + 1] = x[3 * 26 + 2] = 1.0;
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_EQUAL(r.n_free, 2);
  CHECK_EQUAL(r.free_node, 27);
  CHECK_EQUAL(r.n_duplicate, 1);
  CHECK_EQUAL(r.duplicate_node, 28);
  CHECK_HAS(r.text, "2 nodes belong to no element, the first is node 28");
  ms_mesh_destroy(&m);
  m = test_mesh(2.0, 0.3, 1.0);
  CHECK_STATUS(ms_mesh_check(m, NULL, &r), MS_ERR_STATE);
  ms_mesh_destroy(&m);
}

/* A brick sheared along x: at every corner det = 1 over the length of one edge, 1/sqrt(1 + s^2).
   Elements below 0.1 count as distorted. */
static void test_check_default(void) {
  static const double size[3] = { 1.0, 1.0, 1.0 }, quality[2] = { 0.097, 0.103 };
  static const int n[3] = { 1, 1, 1 };
  for (int k = 0; k < 2; k++) {
    ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 1.0);
    double *x = test_nodes(m);
    ms_mesh_report r;
    for (int i = 0; i < 8; i++) x[3 * i] += sqrt(pow(quality[k], -2.0) - 1.0) * x[3 * i + 2];
    CHECK_OK(ms_mesh_check(m, NULL, &r));
    CHECK_CLOSE(r.worst_quality, quality[k], 1e-12);
    CHECK_EQUAL(r.n_inverted, 0);
    CHECK_EQUAL(r.n_distorted, k == 0);
    if (k == 0) CHECK_HAS(r.text, "scaled Jacobian below 0.1)");
    ms_mesh_destroy(&m);
  }
}

/* A node on an edge pulled beyond a quarter of it folds a quadratic element. */
static void test_check_quadratic(void) {
  static const double size[3] = { 1.0, 1.0, 1.0 };
  static const int n[3] = { 1, 1, 1 };
  ms_mesh *m = test_brick("hex20", size, n, 2.0, 0.3, 1.0);
  double *x = test_nodes(m);
  ms_mesh_report r;
  ptrdiff_t middle = 0;
  while (fabs(x[3 * middle] - 0.5) > 1e-9 || x[3 * middle + 1] + x[3 * middle + 2] > 1e-9) middle++;
  x[3 * middle] = 0.35;
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_EQUAL(r.n_inverted, 0);
  CHECK_CLOSE(r.worst_quality, 0.4 / r.volume,
              1e-12); /* j at the end of the edge: 1 - 4 (0.5 - 0.35) */
  x[3 * middle] = 0.2;
  CHECK_OK(ms_mesh_check(m, NULL, &r));
  CHECK_EQUAL(r.n_inverted, 1);
  ms_mesh_destroy(&m);
}

int main(void) {
  TEST(test_bricks);
  TEST(test_cylinder);
  TEST(test_cup);
  TEST(test_ministack);
  TEST(test_refused);
  TEST(test_check);
  TEST(test_check_default);
  TEST(test_check_quadratic);
  return test_finish();
}
