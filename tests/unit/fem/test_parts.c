/* Structured parts: counts, volumes, sets, conformity; the check of a mesh. */
#include <math.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"

static const char *const kinds[] = { "hex8", "hex20", "wedge6", "tet4", "tet10" };
static const char *message(void) {
  return ms_context_message(test_context());
}

/* The area of a set's faces as a vector, by their corners; flat ones only. */
static void area_of(const ms_mesh *m, const char *name, double *sum) {
  ms_mesh_set s;
  const double *x = ms_mesh_get_nodes(m);
  memset(sum, 0, 3 * sizeof *sum);
  if (!CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, name, &s))) return;
  for (ptrdiff_t i = 0; i < s.n; i++) {
    ms_mesh_block b = ms_mesh_get_block(m, ms_mesh_find_block(m, s.index[i]));
    const int32_t *node = b.node + b.element->n_node * (s.index[i] - b.first);
    const ms_face *f = &b.element->face[s.face[i]];
    for (int t = 1; t + 1 < f->n_corner; t++) {
      const double *p = x + 3 * (ptrdiff_t)node[f->node[0]];
      const double *q = x + 3 * (ptrdiff_t)node[f->node[t]];
      const double *r = x + 3 * (ptrdiff_t)node[f->node[t + 1]];
      for (int a = 0; a < 3; a++) {
        int c = (a + 1) % 3, d = (a + 2) % 3;
        sum[a] += 0.5 * ((q[c] - p[c]) * (r[d] - p[d]) - (q[d] - p[d]) * (r[c] - p[c]));
      }
    }
  }
}

static void check_area(const ms_mesh *m, const char *name, double x, double y, double z) {
  double sum[3];
  area_of(m, name, sum);
  CHECK_NEAR(sum[0], x, 1e-12);
  CHECK_NEAR(sum[1], y, 1e-12);
  CHECK_NEAR(sum[2], z, 1e-12);
}

/* All nodes of a set lie in a plane, and all nodes of the mesh in that plane are in the set. */
static void check_plane(const ms_mesh *m, const char *name, int axis, double place) {
  ms_mesh_set s;
  const double *x = ms_mesh_get_nodes(m);
  ptrdiff_t n = 0;
  CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, name, &s));
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(m); i++) n += fabs(x[3 * i + axis] - place) < 1e-12;
  for (ptrdiff_t i = 0; i < s.n; i++) CHECK_NEAR(x[3 * (ptrdiff_t)s.index[i] + axis], place, 1e-12);
  CHECK_EQUAL(s.n, n);
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
    check_area(m, "part.left", -0.63, 0.0, 0.0);
    check_area(m, "part.right", 0.63, 0.0, 0.0);
    check_area(m, "part.front", 0.0, -1.17, 0.0);
    check_area(m, "part.back", 0.0, 1.17, 0.0);
    check_area(m, "part.bottom", 0.0, 0.0, -0.91);
    check_area(m, "part.top", 0.0, 0.0, 0.91);
    check_plane(m, "part.right", 0, 1.3);
    check_plane(m, "part.front", 1, 0.0);
    check_plane(m, "part.top", 2, 0.9);
    CHECK_OK(ms_mesh_check(m, NULL, &r));
    CHECK_CLOSE(r.volume, 1.3 * 0.7 * 0.9, 1e-13);
    CHECK_EQUAL(r.n_piece, 1);
    CHECK_EQUAL(r.n_duplicate + r.n_free + r.n_inverted + r.n_distorted, 0);
    CHECK_TEXT(r.text, "");
    ms_mesh_destroy(&m);
  }
}

/* Every face inside is shared by two elements and has the same corners in both: the mesh has no
   cracks along diagonals. Counted by the sum of a symmetric hash over faces, signs by orientation.
 */
static void check_conforming(const ms_mesh *m, ptrdiff_t n_outside) {
  enum { TABLE = 1 << 16 };
  static int count[TABLE];
  ptrdiff_t single = 0;
  memset(count, 0, sizeof count);
  for (int k = 0; k < ms_mesh_count_blocks(m); k++) {
    ms_mesh_block b = ms_mesh_get_block(m, k);
    for (ptrdiff_t e = 0; e < b.n * b.element->n_face; e++) {
      const ms_face *f = &b.element->face[e % b.element->n_face];
      uint64_t sum = 0;
      for (int i = 0; i < f->n_corner; i++) {
        uint64_t node = (uint64_t)b.node[b.element->n_node * (e / b.element->n_face) + f->node[i]];
        node = (node + 1) * 0x9e3779b97f4a7c15u;
        sum += (node ^ node >> 29) * 0xbf58476d1ce4e5b9u;
      }
      count[sum >> 48] ^= 1;
    }
  }
  for (int i = 0; i < TABLE; i++) single += count[i];
  CHECK(single > n_outside * 9 / 10 && single <= n_outside); /* a few meet in the table */
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
      check_plane(m, "part.bottom", axis, r.at[axis]);
      check_plane(m, "part.top", axis, r.at[axis] + 1.2);
      double up[3] = { 0.0 };
      up[axis] = polygon(0.8);
      check_area(m, "part.top", up[0], up[1], up[2]);
      check_area(m, "part.outer", 0.0, 0.0, 0.0);
      ptrdiff_t sides = (16 + 16 * 4) * 2, wall = 16 * 6;
      int cut = k == 0 || k == 1 ? 1 : 2;
      check_conforming(m, sides * cut + (k == 2 ? wall : wall * cut));
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
  check_area(m, "part.bottom", 0.0, 0.0, -outer);
  check_area(m, "part.top", 0.0, 0.0, inner);
  check_area(m, "part.floor", 0.0, 0.0,
             inner + outer - inner); /* the hollow's, and the wall's rim */
  check_area(m, "part.ceiling", 0.0, 0.0, -inner);
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
  TEST(test_check_quadratic);
  return test_finish();
}
