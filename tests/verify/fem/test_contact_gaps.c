/* Gaps of a contact from a table: exact where they are bilinear, along any axes, and what is
   refused. */
#include <math.h>
#include <stdlib.h>

#include <microslip/fem_contact.h>

#include "support/check.h"
#include "support/fem/leaks.h"

static const double SIZE[3] = { 0.021, 0.016, 0.009 };
enum { NX = 4, NY = 3, NZ = 2, MOST = 40 };

/* Two blocks that meet at the upper end of the first along `axis`. */
static ms_mesh *make_blocks(int axis) {
  static const char *const name[] = { "one", "two" };
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = name[k], .material = ms_material_isotropic(2.1e11, 0.29, 7800) };
    ms_brick brick = { .size = { SIZE[0], SIZE[1], SIZE[2] }, .n = { NX, NY, NZ } };
    int index;
    brick.at[axis] = k * SIZE[axis];
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  }
  return mesh;
}

static ms_fem_contact contact_along(int axis) {
  static const char *const faces[3][2] = { { "two.left", "one.right" },
                                           { "two.front", "one.back" },
                                           { "two.bottom", "one.top" } };
  return (
      ms_fem_contact) { .name = "joint", .faces = { faces[axis][0], faces[axis][1] }, .mu = 0.3 };
}

/* Bilinear in any two coordinates. */
static double surface(const double *x) {
  return 1.3e-5 - 2e-4 * x[0] + 7e-4 * x[1] + 3e-4 * x[2] +
         0.02 * (x[0] * x[1] + x[1] * x[2] + x[2] * x[0]);
}

typedef struct table {
  double at[3][MOST], gap[MOST];
  ms_fem_gaps gaps;
} table;

/* n values along each axis that the contact lies in, from a little below 0; the rows in a random
   order. Along the others the coordinate is `level`. */
static void fill_table(table *t, int normal, const int *n, double level) {
  const int all = n[0] * n[1];
  for (int i = 0; i < all; i++) {
    const int row = (int)((7L * i + 3) % all); /* 7 and `all` have no common factor */
    double x[3] = { level, level, level };
    for (int k = 0; k < 2; k++) {
      const int a = (normal + 1 + k) % 3, place = k ? i / n[0] : i % n[0];
      x[a] = -0.001 + 0.024 * pow((double)place / (n[k] - 1), 1.4);
    }
    for (int a = 0; a < 3; a++) t->at[a][row] = x[a];
    t->gap[row] = surface(x);
  }
  t->gaps = (ms_fem_gaps) { all, { t->at[0], t->at[1], t->at[2] }, t->gap };
}

static void test_bilinear(void) {
  for (int normal = 0; normal < 3; normal++) {
    for (int gauss = 0; gauss < 2; gauss++) {
      const double extra = -4e-6;
      ms_mesh *mesh = make_blocks(normal);
      ms_fem_contact contact = contact_along(normal);
      ms_fem_model *model;
      table t;
      ptrdiff_t n;
      fill_table(&t, normal, (int[]) { 5, 4 }, SIZE[normal]);
      contact.gaps = &t.gaps;
      contact.gap = extra;
      contact.K_n = contact.K_t = gauss ? 1e13 : 0.0;
      contact.points = gauss ? MS_FEM_POINTS_GAUSS : MS_FEM_POINTS_NODES;
      CHECK_OK(ms_fem_create(test_context(), mesh, &model));
      CHECK_OK(ms_fem_add_contact(model, &contact));
      const ms_fem_contact_point *p = ms_fem_get_contact_points(model, &n);
      CHECK(n > 8);
      for (ptrdiff_t i = 0; i < n; i++) {
        CHECK_NEAR(p[i].gap, surface(p[i].at) + extra, 1e-17);
      }
      ms_fem_destroy(&model);
      ms_mesh_destroy(&mesh);
    }
  }
}

/* Along x alone, straight between the rows; the ends of the table are those of the face but for
   rounding. */
static void test_one_axis(void) {
  const double at[] = { 0.7 * SIZE[0], SIZE[0] * (1.0 - 1e-12), 1e-15, 0.3 * SIZE[0] },
               gap[] = { 3e-6, 0.0, -2e-6, 5e-6 };
  const ms_fem_gaps gaps = { 4, { at }, gap };
  ms_mesh *mesh = make_blocks(2);
  ms_fem_contact contact = contact_along(2);
  ms_fem_model *model;
  ptrdiff_t n;
  contact.gaps = &gaps;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  const ms_fem_contact_point *p = ms_fem_get_contact_points(model, &n);
  for (ptrdiff_t i = 0; i < n; i++) {
    const double x = p[i].at[0] / SIZE[0];
    const double want = x < 0.3   ? -2e-6 + 7e-6 * x / 0.3
                        : x < 0.7 ? 5e-6 - 2e-6 * (x - 0.3) / 0.4
                                  : 3e-6 * (1.0 - x) / 0.3;
    CHECK_NEAR(p[i].gap, want, 1e-16);
  }
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- what is refused ---- */

static void refuse(const ms_fem_gaps *gaps, const char *says) {
  ms_mesh *mesh = make_blocks(2);
  ms_fem_contact contact = contact_along(2);
  ms_fem_model *model;
  ptrdiff_t n;
  contact.gaps = gaps;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK(ms_fem_add_contact(model, &contact) < 0);
  CHECK_HAS(ms_context_message(test_context()), says);
  ms_fem_get_contact_points(model, &n);
  CHECK_EQUAL(n, 0);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_refused(void) {
  table t;
  fill_table(&t, 2, (int[]) { 5, 4 }, SIZE[2]);
  t.gaps.n = 19;
  refuse(&t.gaps, "19 gaps at 5 different x, 4 y and 1 z are no grid");
  t.gaps.n = 20;
  const double x = t.at[0][3], y = t.at[1][3];
  t.at[0][3] = t.at[0][4], t.at[1][3] = t.at[1][4]; /* a place twice, another one not at all */
  refuse(&t.gaps, "are no grid");
  t.at[0][3] = x, t.at[1][3] = y;
  t.at[2][3] = 0.01;
  refuse(&t.gaps, "2 z are no grid");
  fill_table(&t, 2, (int[]) { 5, 4 }, SIZE[2]);
  t.gap[6] = NAN;
  refuse(&t.gaps, "row 7 of the gaps");
  t.gap[6] = 0.0, t.at[1][8] = INFINITY;
  refuse(&t.gaps, "row 9 of the gaps");
  fill_table(&t, 2, (int[]) { 5, 4 }, SIZE[2]);
  t.gaps.at[0] = t.gaps.at[1] = NULL;
  refuse(&t.gaps, "1 different x, 1 y and 1 z are no grid");
  t.gaps.n = 0;
  refuse(&t.gaps, "a pointer that it needs");
  fill_table(&t, 0, (int[]) { 5, 4 }, SIZE[0]); /* y and z, which is the level of the faces */
  for (int i = 0; i < 20; i++) t.at[1][i] *= 0.6;
  refuse(&t.gaps,
         "ends at y = -0.0006 and 0.0138 m; the point (0, 0.016, 0.009) m of 'two.bottom'");
}

/* Along x, from the outer Gauss points of the face but for 1 % of the way between them, farther out
   or inside of them on the left or on the right. */
static void test_beyond_the_table(void) {
  const double side = SIZE[0] / NX, first = 0.5 * side * (1.0 - sqrt(1.0 / 3.0));
  const double part = 0.01 * (SIZE[0] - 2.0 * first), gap[2] = { 3e-6, 0.0 };
  for (int inside = 0; inside < 3; inside++) {
    const double at[2] = { first + (inside == 1 ? part : -part),
                           SIZE[0] - first + (inside == 2 ? -part : part) };
    const ms_fem_gaps gaps = { 2, { at }, gap };
    ms_mesh *mesh = make_blocks(2);
    ms_fem_contact contact = contact_along(2);
    ms_fem_model *model;
    contact.gaps = &gaps;
    contact.K_n = contact.K_t = 1e13;
    contact.points = MS_FEM_POINTS_GAUSS;
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    if (inside) {
      CHECK_STATUS(ms_fem_add_contact(model, &contact), MS_ERR_BOUNDS);
      CHECK_HAS(ms_context_message(test_context()), "the table of gaps ends at x = ");
    } else {
      CHECK_OK(ms_fem_add_contact(model, &contact));
    }
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
}

/* ---- memory ---- */

static ms_status work(ms_context *ctx, void *user) {
  const ms_brick brick = { .size = { 1.0, 1.0, 1.0 }, .n = { 1, 1, 1 } };
  const ms_part part = { .name = "one", .material = ms_material_isotropic(2.1e11, 0.29, 7800) };
  const ms_fem_contact contact = {
    .name = "joint", .faces = { "one.bottom" }, .mu = 0.3, .gaps = user
  };
  ms_mesh *mesh;
  ms_fem_model *model = NULL;
  int index;
  MS_TRY(ms_mesh_create(ctx, &mesh));
  ms_status status = ms_mesh_add_part(mesh, &part, &index);
  if (!status) status = ms_mesh_add_brick(mesh, index, "hex8", &brick);
  if (!status) status = ms_fem_create(ctx, mesh, &model);
  if (!status) status = ms_fem_add_contact(model, &contact);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
  return status;
}

static void test_memory_errors(void) {
  const double at[] = { 0.0, 1.0 }, gap[] = { 0.0, 1e-3 };
  ms_fem_gaps gaps = { 2, { at }, gap };
  CHECK(test_allocations(work, &gaps) > 10);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_bilinear);
  TEST(test_one_axis);
  TEST(test_refused);
  TEST(test_beyond_the_table);
  TEST(test_memory_errors);
  return test_leaks_finish();
}
