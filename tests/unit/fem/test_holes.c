/* Bricks with holes: counts, volumes, sets, conformity. */
#include <math.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/meshes.h"
#include "support/fem/parts.h"

static const char *const kinds[] = { "hex8", "hex20", "wedge6", "tet4", "tet10" };
static const char *message(void) {
  return ms_context_message(test_context());
}

enum { HOLE_KX = 4, HOLE_KY = 3, HOLE_RINGS = 3 };

/* Two holes in a plate, one of them in the middle of its box, the other not, at two edges. */
static const ms_brick plate = { { 0.1, 0.2, 0.3 }, { 2.4, 1.4, 0.5 }, { 12, 7, 3 } };
static void two_holes(ms_hole *h) {
  h[0] = (ms_hole) { .at = { 0.53, 0.47 }, .n = { HOLE_KX, HOLE_KY }, .n_zone = 1 };
  h[0].radius[0] = 0.12;
  h[0].rings[0] = HOLE_RINGS;
  h[1] = (ms_hole) { .at = { 1.7, 1.15 }, .n = { 4, 4 }, .n_zone = 2 };
  h[1].radius[0] = 0.15;
  h[1].radius[1] = 0.29;
  h[1].rings[0] = 2;
  h[1].rings[1] = 1;
}

/* Area of the polygon that a hole of kx x ky elements is: each side of the box a quarter. */
static double hole_area(double R, int kx, int ky) {
  double right_angle = acos(0.0);
  return R * R * (kx * sin(right_angle / kx) + ky * sin(right_angle / ky));
}

static void test_holes(void) {
  double small = hole_area(0.12, HOLE_KX, HOLE_KY), large = hole_area(0.15, 4, 4);
  double straight = (2.4 * 1.4 - small - large) * 0.5, pi = acos(-1.0);
  double round = (2.4 * 1.4 - pi * (0.12 * 0.12 + 0.15 * 0.15)) * 0.5;
  ptrdiff_t quads = 84 - 12 - 16 + 14 * HOLE_RINGS + 16 * 3, wall = 3 * (14 + 16);
  for (int k = 0; k < 5; k++) {
    ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
    ms_hole hole[2];
    ms_mesh_report r;
    ms_mesh_set s;
    int curved = k == 1 || k == 4, cut = k == 0 || k == 1 ? 1 : k == 2 ? 2 : 6;
    int face = k < 2 ? 1 : 2;
    two_holes(hole);
    CHECK_OK(ms_mesh_add_drilled_brick(m, 0, kinds[k], &plate, 2, hole));
    CHECK_EQUAL(ms_mesh_count_elements(m), 3 * quads * cut);
    CHECK_OK(ms_mesh_check(m, NULL, &r));
    CHECK_EQUAL(r.n_inverted + r.n_distorted + r.n_duplicate + r.n_free, 0);
    CHECK_EQUAL(r.n_piece, 1);
    CHECK_CLOSE(r.volume, curved ? round : straight, curved ? 1e-3 : 1e-13);
    test_check_area(m, "part.top", 0.0, 0.0, straight / 0.5);
    test_check_area(m, "part.front", 0.0, -2.4 * 0.5, 0.0);
    test_check_area(m, "part.back", 0.0, 2.4 * 0.5, 0.0);
    test_check_area(m, "part.left", -1.4 * 0.5, 0.0, 0.0);
    test_check_area(m, "part.right", 1.4 * 0.5, 0.0, 0.0);
    test_check_area(m, "part.inner", 0.0, 0.0, 0.0);
    CHECK_OK(ms_mesh_find_set(m, MS_SET_FACES, "part.inner", &s));
    CHECK_EQUAL(s.n, wall * (k == 2 ? 1 : face));
    ptrdiff_t rim = 3 * 2 * (12 + 7) + wall; /* what stands upright */
    test_check_conforming(m, 2 * quads * face + (k == 2 ? rim : rim * face));
    ms_mesh_destroy(&m);
  }
}

/* Nodes on the walls are on the circles, those of quadratic elements too. */
static void test_hole_is_round(void) {
  for (int k = 0; k < 2; k++) {
    ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
    ms_hole hole[2];
    ms_mesh_set s;
    two_holes(hole);
    CHECK_OK(ms_mesh_add_drilled_brick(m, 0, kinds[k], &plate, 2, hole));
    CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "part.inner", &s));
    const double *x = ms_mesh_get_nodes(m);
    for (ptrdiff_t i = 0; i < s.n; i++) {
      const double *p = x + 3 * (ptrdiff_t)s.index[i];
      double first = hypot(p[0] - 0.53, p[1] - 0.47) - 0.12;
      double second = hypot(p[0] - 1.7, p[1] - 1.15) - 0.15;
      CHECK_NEAR(fmin(fabs(first), fabs(second)), 0.0, 1e-14);
    }
    ms_mesh_destroy(&m);
  }
}

/* A washer of rings on the plate has its nodes where the plate has them. */
static void test_washer_fits(void) {
  for (int k = 0; k < 5; k++) {
    ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
    ms_part washer = { .name = "washer", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
    ms_hole hole[2];
    ms_mesh_set s;
    ptrdiff_t gone;
    two_holes(hole);
    ms_rings r = { .at = { 1.7, 1.15, 0.8 },
                   .axis = 2,
                   .core = 4,
                   .n_zone = 2,
                   .n_slab = 1,
                   .radius = { 0.15, 0.29 },
                   .rings = { 1, 2 },
                   .height = { 0.07 },
                   .layers = { 1 },
                   .filled = { { 0, 1 } } };
    CHECK_OK(ms_mesh_add_drilled_brick(m, 0, kinds[k], &plate, 2, hole));
    CHECK_OK(ms_mesh_add_part(m, &washer, NULL));
    CHECK_OK(ms_mesh_add_rings(m, 1, kinds[k], &r));
    CHECK_OK(ms_mesh_find_set(m, MS_SET_NODES, "washer.bottom", &s));
    ptrdiff_t n = s.n;
    CHECK_OK(ms_mesh_merge(m, 0, NULL, 1e-9, &gone));
    CHECK_EQUAL(gone, n);
    ms_mesh_destroy(&m);
  }
}

static void test_holes_refused(void) {
  ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
  ms_hole h[2];
  two_holes(h);
  h[1].at[0] = 0.9; /* its box goes from 0.5 to 1.3, the other's from 0.1 to 0.9 */
  h[1].at[1] = 0.6;
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "the holes at (0.53, 0.47) and (0.9, 0.6) m share elements");
  two_holes(h);
  h[0].radius[0] = 0.28; /* reaches below y = 0.2 */
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  CHECK_HAS(message(),
            "a hole of radius 0.28 m at 0.47 m along y does not fit into its 3 elements");
  two_holes(h);
  h[1].radius[1] = 0.41; /* the inner one fits, the outer one does not */
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "a hole of radius 0.41 m at 1.7 m along x does not fit into its 4 elements");
  two_holes(h);
  h[1].at[0] = 2.3; /* its box ends behind the plate */
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  h[1].at[0] = NAN;
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  two_holes(h);
  h[1].radius[1] = 0.15; /* does not rise */
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  two_holes(h);
  h[0].rings[0] = 0;
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  h[0].n_zone = 0;
  CHECK_STATUS(ms_mesh_add_drilled_brick(m, 0, "hex8", &plate, 2, h), MS_ERR_BOUNDS);
  CHECK_EQUAL(ms_mesh_count_nodes(m), 0);
  ms_mesh_destroy(&m);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_part part = { .name = "plate", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
  ms_hole hole[2];
  ms_mesh *m;
  (void)user;
  two_holes(hole);
  MS_TRY(ms_mesh_create(ctx, &m));
  ms_status status = ms_mesh_add_part(m, &part, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_drilled_brick(m, 0, "hex20", &plate, 2, hole);
  ms_mesh_destroy(&m);
  return status;
}

static void test_memory_short(void) {
  CHECK(test_allocations(work, NULL) > 20);
}

int main(void) {
  TEST(test_holes);
  TEST(test_hole_is_round);
  TEST(test_washer_fits);
  TEST(test_holes_refused);
  TEST(test_memory_short);
  return test_finish();
}
