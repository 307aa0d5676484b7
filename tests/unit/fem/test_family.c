/* How motions divide: rigid ones, bending, torsion, a section that deforms; closed forms. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/fem/meshes.h"

static const char *const kinds[] = { "hex8", "hex20", "wedge6", "tet10" };
static const double size[3] = { 0.31, 0.083, 0.047 };
static const int n[3] = { 40, 3, 2 };
static const double k = 9.7; /* wave number of what varies along the body, 1/m */

typedef void (*motion)(const double *x, double *u);

static ms_motion divide(const ms_mesh *m, motion f) {
  enum { MOST = 20000 };
  static double u[3 * MOST];
  ms_motion out;
  const double *x = ms_mesh_get_nodes(m);
  CHECK(ms_mesh_count_nodes(m) <= MOST);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(m); i++) f(x + 3 * i, u + 3 * i);
  CHECK_OK(ms_mesh_divide_motions(m, 1, u, &out));
  CHECK_EQUAL(out.axis, 0);
  CHECK_CLOSE(out.along[0] + out.along[1] + out.along[2] + out.torsion + out.section, 1.0, 4e-9);
  return out;
}

static void check(ms_motion v, double axial, double y, double z, double torsion, double section,
                  double tolerance) {
  CHECK_NEAR(v.along[0], axial, tolerance);
  CHECK_NEAR(v.along[1], y, tolerance);
  CHECK_NEAR(v.along[2], z, tolerance);
  CHECK_NEAR(v.torsion, torsion, tolerance);
  CHECK_NEAR(v.section, section, tolerance);
}

static void rise(const double *x, double *u) {
  (void)x;
  u[0] = u[1] = 0.0;
  u[2] = 2.385;
}
/* v across, sections upright to it: u_x = -v' y, and the same along z. */
static void bend_y(const double *x, double *u) {
  u[0] = -k * cos(k * x[0]) * (x[1] - size[1] / 2);
  u[1] = sin(k * x[0]);
  u[2] = 0.0;
}
static void bend_z(const double *x, double *u) {
  u[0] = -k * cos(k * x[0]) * (x[2] - size[2] / 2);
  u[1] = 0.0;
  u[2] = sin(k * x[0]);
}
static void twist(const double *x, double *u) {
  double angle = cos(k * x[0]);
  u[0] = 0.0;
  u[1] = -angle * (x[2] - size[2] / 2);
  u[2] = angle * (x[1] - size[1] / 2);
}
static void stretch(const double *x, double *u) {
  u[0] = cos(k * x[0]);
  u[1] = u[2] = 0.0;
}
/* Sections sheared in themselves: half of y, z turning one way, half the other. */
static void breathe(const double *x, double *u) {
  u[0] = 0.0;
  u[1] = x[1] - size[1] / 2;
  u[2] = -(x[2] - size[2] / 2);
}
static void still(const double *x, double *u) {
  (void)x;
  memset(u, 0, 3 * sizeof *u);
}

/* Slices are as thick as L/64: a wave of number k leaves (k h)^2/12 of it over. Wedges and
   tetrahedra lump their mass a little to one side, so that a turn about the middle moves it. */
static void test_pure(void) {
  double slice = size[0] / 64, left = k * k * slice * slice / 12;
  for (int e = 0; e < 4; e++) {
    ms_mesh *m = test_brick(kinds[e], size, n, 2.0, 0.3, 7.3);
    double lopsided = e < 2 ? 1e-11 : 2e-3;
    check(divide(m, rise), 0.0, 0.0, 1.0, 0.0, 0.0, 1e-15);
    check(divide(m, bend_y), 0.0, 1.0, 0.0, 0.0, 0.0, 4 * left + lopsided);
    check(divide(m, bend_z), 0.0, 0.0, 1.0, 0.0, 0.0, 4 * left + lopsided);
    check(divide(m, twist), 0.0, 0.0, 0.0, 1.0, 0.0, 4 * left + lopsided);
    check(divide(m, stretch), 1.0, 0.0, 0.0, 0.0, 0.0, 4 * left + lopsided);
    check(divide(m, breathe), 0.0, 0.0, 0.0, 0.0, 1.0, lopsided);
    CHECK_TEXT(divide(m, bend_y).family, "bending y");
    CHECK_TEXT(divide(m, bend_z).family, "bending z");
    CHECK_TEXT(divide(m, twist).family, "torsion");
    CHECK_TEXT(divide(m, stretch).family, "axial");
    CHECK_TEXT(divide(m, breathe).family, "section");
    ms_mesh_destroy(&m);
  }
}

/* a along z and b of a turn about the axis: mean squares a^2 and b^2 (w^2 + t^2)/12, with the
   trapezoidal sums that lumped masses of n elements make of the latter: w^2/12 (1 + 2/n^2). */
static void both(const double *x, double *u) {
  twist(x, u);
  for (int a = 1; a < 3; a++) u[a] /= cos(k * x[0]);
  u[2] += 0.0137;
}
static void test_mixed(void) {
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 7.3);
  double turn = 0.0;
  for (int a = 1; a < 3; a++) turn += size[a] * size[a] / 12 * (1 + 2.0 / (n[a] * n[a]));
  double move = 0.0137 * 0.0137, sum = move + turn;
  check(divide(m, both), 0.0, 0.0, move / sum, turn / sum, 0.0, 1e-9);
  ms_motion v;
  double *u = test_nodes(m); /* any numbers: a motion away from the origin */
  CHECK_OK(ms_mesh_divide_motions(m, 1, u, &v));
  CHECK(v.along[0] > 0.5);
  ms_mesh_destroy(&m);
}

/* A heavier half weighs more: opposite motions of two bricks of masses 1 and 3. */
static void test_masses(void) {
  ms_mesh *m = test_mesh(2.0, 0.3, 1.0);
  ms_part heavy = { .name = "heavy", .material = ms_material_isotropic(2.0, 0.3, 3.0) };
  ms_brick left = { .size = { 1.0, 0.2, 0.3 }, .n = { 4, 1, 1 } }, right = left;
  double u[3 * 64] = { 0 };
  ms_motion v;
  right.at[0] = 1.1;
  CHECK_OK(ms_mesh_add_brick(m, 0, "hex8", &left));
  CHECK_OK(ms_mesh_add_part(m, &heavy, NULL));
  CHECK_OK(ms_mesh_add_brick(m, 1, "hex8", &right));
  const double *x = ms_mesh_get_nodes(m);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(m); i++) u[3 * i + (x[3 * i] < 1.05 ? 1 : 2)] = 1.0;
  CHECK_OK(ms_mesh_divide_motions(m, 1, u, &v));
  check(v, 0.0, 0.25, 0.75, 0.0, 0.0, 1e-12);
  ms_mesh_destroy(&m);
}

/* Numbers count within a family, over more modes than are in memory at a time; a mode without
   frequency is rigid whatever its shape. */
static ms_status fill_mode(void *mesh, ptrdiff_t mode, double *field) {
  const double *x = ms_mesh_get_nodes(mesh);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++)
    (mode % 3 == 1 ? twist : bend_z)(x + 3 * i, field + 3 * i);
  return MS_SUCCESS;
}
static void test_modes(void) {
  enum { MODES = 35 };
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 7.3);
  ms_mode_family family[MODES];
  double omega[MODES] = { 0.0, 0.0 };
  for (int r = 2; r < MODES; r++) omega[r] = 3.1 * r;
  CHECK_OK(ms_mesh_find_families(m, MODES, omega, fill_mode, m, family));
  CHECK_TEXT(family[1].text, "rigid 2");
  CHECK_TEXT(family[2].text, "bending z 1");
  CHECK_TEXT(family[34].text, "torsion 11");
  CHECK_TEXT(family[33].text, "bending z 22");
  CHECK(family[1].motion.torsion > 0.9 && family[34].motion.torsion > 0.9);
  ms_mesh_destroy(&m);
}

static void test_nothing(void) {
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 7.3);
  static double u[3 * 4000];
  ms_motion v;
  still(u, u);
  CHECK_OK(ms_mesh_divide_motions(m, 1, u, &v));
  CHECK(v.along[0] == 0.0 && v.along[1] == 0.0 && v.along[2] == 0.0);
  CHECK(v.torsion == 0.0 && v.section == 0.0);
  CHECK_TEXT(v.family, "mixed");
  ms_mesh_destroy(&m);
}

static ms_status work(ms_context *ctx, void *user) {
  ms_mesh *m = user;
  ms_motion v;
  ms_mesh *copy = NULL;
  ms_part part = { .name = "p", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
  ms_brick brick = { .size = { 1.0, 0.2, 0.3 }, .n = { 4, 1, 1 } };
  ms_status status = ms_mesh_create(ctx, &copy);
  if (status == MS_SUCCESS) status = ms_mesh_add_part(copy, &part, NULL);
  if (status == MS_SUCCESS) status = ms_mesh_add_brick(copy, 0, "hex8", &brick);
  if (status == MS_SUCCESS) {
    status = ms_mesh_divide_motions(copy, 1, ms_mesh_get_nodes(m), &v);
  }
  ms_mesh_destroy(&copy);
  return status;
}

static void test_memory_short(void) {
  ms_mesh *m = test_brick("hex8", size, n, 2.0, 0.3, 7.3);
  CHECK(test_allocations(work, m) > 20);
  ms_mesh_destroy(&m);
}

int main(void) {
  TEST(test_pure);
  TEST(test_mixed);
  TEST(test_masses);
  TEST(test_nothing);
  TEST(test_modes);
  TEST(test_memory_short);
  return test_finish();
}
