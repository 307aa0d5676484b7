/* Two bolted beams (Lacayo, Deaner and Allen 2017, section 3.2), 80 x 8 x 1 hex8 each, against
   frequencies that were computed independently. Bolts are pairs of averaging spiders over patches
   of 25.4 mm x 25.4 mm: z, rx and ry rigid, rz free, springs too x and y. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"

#define LENGTH 0.508
#define WIDTH  0.0508
#define HEIGHT 0.00635
#define SHIFT  0.1524 /* of the lower beam */
#define K_X    5.3e7
#define K_Y    5.25e8
#define K_IWAN 4.73e8

static const double bolt_x[4] = { 0.2159, 0.2921, 0.3683, 0.4445 };

static ms_mesh *make_mesh(int n_beam) {
  ms_mesh *mesh = NULL;
  const char *name[2] = { "upper", "lower" };
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int i = 0; i < n_beam; i++) {
    ms_part part = { .name = name[i], .material = ms_material_isotropic(248e9, 0.29, 8000) };
    ms_brick brick = { { SHIFT * i, 0.0, -HEIGHT * i }, { LENGTH, WIDTH, HEIGHT }, { 80, 8, 1 } };
    CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
    CHECK_OK(ms_mesh_add_brick(mesh, i, "hex8", &brick));
  }
  return mesh;
}

/* One end of a bolt: beam 0 at its bottom, beam 1 at its top, both at z = 0. */
static ptrdiff_t add_end(ms_fem_model *model, const ms_mesh *mesh, int bolt, int beam,
                         ms_spider_kind kind) {
  const char *set = beam == 0 ? "upper.bottom" : "lower.top";
  double x = bolt_x[bolt], y = WIDTH / 2, half = 0.0127;
  double low[3] = { x - half, y - half, -1e-3 }, high[3] = { x + half, y + half, 1e-3 };
  char name[32];
  snprintf(name, sizeof name, "bolt%d%c", bolt + 1, beam == 0 ? 'a' : 'b');
  ms_spider spider = { .name = name, .kind = kind, .at = { x, y, 0.0 }, .faces = set };
  int32_t *node = NULL;
  ptrdiff_t ref = -1;
  CHECK_OK(ms_fem_find_in_box(mesh, set, low, high, &spider.n, &node));
  CHECK_EQUAL(spider.n, 25);
  spider.node = node;
  CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
  ms_free(test_context(), &node);
  return ref;
}

static void link_ends(ms_fem_model *model, const ptrdiff_t *ref, int component) {
  ms_fem_term term[2] = { { ref[0], component, 1.0 }, { ref[1], component, -1.0 } };
  char name[32];
  snprintf(name, sizeof name, "link %td.%d", ref[0], component);
  CHECK_OK(ms_fem_link(model, name, 2, term, 0.0));
}

static void add_spring(ms_fem_model *model, const ptrdiff_t *ref, int component, double k) {
  ms_fem_term term[2] = { { ref[0], component, 1.0 }, { ref[1], component, -1.0 } };
  CHECK_OK(ms_fem_add_spring(model, 2, term, k));
}

/* keep: the 39 boundary coordinates of the reduced model (rigid ones once) and no springs. */
static ms_fem_model *make_assembly(const ms_mesh *mesh, ms_spider_kind kind, double k_x, int keep) {
  ms_fem_model *model = NULL;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  for (int b = 0; b < 4; b++) {
    ptrdiff_t ref[2];
    char name[32];
    for (int i = 0; i < 2; i++) ref[i] = add_end(model, mesh, b, i, kind);
    for (int c = 2; c < 5; c++) link_ends(model, ref, c);
    if (!keep) add_spring(model, ref, 0, k_x);
    if (!keep) add_spring(model, ref, 1, K_Y);
    snprintf(name, sizeof name, "bolt%da", b + 1);
    if (keep) CHECK_OK(ms_fem_keep(model, name, ref[0], MS_FEM_ALL));
    snprintf(name, sizeof name, "bolt%db", b + 1);
    if (keep) CHECK_OK(ms_fem_keep(model, name, ref[1], 1 + 2 + 32));
  }
  return model;
}

static void print_modes(const char *what, const ms_fem_model *model, const ms_fem_modes *modes) {
  printf("# %s: %s\n# ", what, ms_fem_get_line(model));
  for (ptrdiff_t i = 0; i < modes->n; i++) printf(" %.6f", modes->omega[i]);
  printf("\n");
}

static void check_residuals(const ms_fem_modes *modes) {
  for (ptrdiff_t i = 0; i < modes->n; i++) CHECK_BELOW(modes->residual[i], 1e-8);
}

/* Bending in z of a free beam; the sideways one is told by its shape. */
static void test_single_beam(void) {
  static const double want[3] = { 885.072, 2442.42, 4795.51 };
  ms_mesh *mesh = make_mesh(1);
  ms_fem_model *model = NULL;
  ms_fem_modes modes = { 0 };
  double mass = 0.0;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_get_mass(model, &mass));
  CHECK_CLOSE(mass, 8000 * LENGTH * WIDTH * HEIGHT, 1e-12);
  CHECK_OK(ms_fem_find_modes(model, 14, 0.0, &modes));
  print_modes("free beam", model, &modes);
  CHECK_EQUAL(modes.n_rigid, 6);
  CHECK(modes.n_below >= 14);
  check_residuals(&modes);
  int found = 0;
  ptrdiff_t corner = ms_fem_get_index(model, 0, 2), side = ms_fem_get_index(model, 80, 2);
  ptrdiff_t n = ms_fem_get_size(model);
  ptrdiff_t across = ms_fem_get_index(model, 8 * 81, 2); /* the same end, other side */
  for (ptrdiff_t r = 6; modes.shape && r < modes.n && found < 3; r++) {
    const double *u = modes.shape + n * r;
    double a = u[corner], b = u[across];
    if (a * b > 0.0 && a * a > 1e-3 && u[side] * u[side] > 1e-3) {
      CHECK_CLOSE(modes.omega[r], want[found], 5e-6);
      found++;
    }
  }
  CHECK_EQUAL(found, 3);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void check_assembly(ms_spider_kind kind, double k_x, const double *want) {
  ms_mesh *mesh = make_mesh(2);
  ms_fem_model *model = make_assembly(mesh, kind, k_x, 0);
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_EQUAL(ms_fem_count_redundant(model), 0);
  CHECK_OK(ms_fem_find_modes(model, 9, 0.0, &modes));
  print_modes("assembly", model, &modes);
  CHECK_EQUAL(modes.n_rigid, 6);
  check_residuals(&modes);
  for (int i = 0; i < 3 && modes.n == 9; i++) CHECK_CLOSE(modes.omega[6 + i], want[i], 5e-6);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_assembly_uniform(void) {
  check_assembly(MS_SPIDER_UNIFORM, K_X + K_IWAN, (double[]) { 761.289, 1348.57, 3194.05 });
  check_assembly(MS_SPIDER_UNIFORM, K_X, (double[]) { 652.485, 1297.74, 2713.98 });
}

static void test_assembly_area(void) {
  check_assembly(MS_SPIDER_AREA, K_X + K_IWAN, (double[]) { 758.315, 1344.68, 3185.37 });
  check_assembly(MS_SPIDER_AREA, K_X, (double[]) { 651.504, 1295.35, 2712.29 });
}

static ptrdiff_t find(const ms_reduced *r, const char *name) {
  for (ptrdiff_t i = 0; i < r->n; i++) {
    if (strcmp(r->name[i], name) == 0) return i;
  }
  CHECK_TEXT("no coordinate", name);
  return 0;
}

static void join(ms_reduced *r, int bolt, const char *component, double k) {
  char a[32], b[32];
  snprintf(a, sizeof a, "bolt%da.%s", bolt + 1, component);
  snprintf(b, sizeof b, "bolt%db.%s", bolt + 1, component);
  ptrdiff_t i = find(r, a), j = find(r, b);
  r->K[i + r->n * i] += k;
  r->K[j + r->n * j] += k;
  r->K[i + r->n * j] -= k;
  r->K[j + r->n * i] -= k;
}

static void test_craig_bampton(void) {
  static const double want[3] = { 761.322, 1348.73, 3196.21 };
  ms_mesh *mesh = make_mesh(2);
  ms_fem_model *model = make_assembly(mesh, MS_SPIDER_UNIFORM, 0.0, 1);
  /* p1, the tip at mid-width of the upper beam, on its upper face: 2e-6 lower than on the other */
  int32_t *node = NULL;
  ptrdiff_t n = 0;
  double low[3] = { -1e-3, WIDTH / 2 - 1e-3, HEIGHT - 1e-3 },
         high[3] = { 1e-3, WIDTH / 2 + 1e-3, HEIGHT + 1e-3 };
  CHECK_OK(ms_fem_find_in_box(mesh, "upper.left", low, high, &n, &node));
  CHECK_EQUAL(n, 1);
  if (n == 1) CHECK_OK(ms_fem_keep(model, "p1", node[0], MS_FEM_TRANSLATIONS));
  ms_free(test_context(), &node);
  ms_reduced *r = NULL;
  double omega[49] = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 10 }, &r));
  if (r) {
    CHECK_EQUAL(r->n, 49);
    CHECK_EQUAL(r->n_boundary, 39);
    CHECK_TEXT(r->name[0], "bolt1a.ux");
    CHECK_TEXT(r->name[39], "q1");
    for (int b = 0; b < 4; b++) {
      join(r, b, "ux", K_X + K_IWAN);
      join(r, b, "uy", K_Y);
    }
    CHECK_OK(ms_reduced_find_omega(r, omega));
    printf("# %s\n# reduced: %.6f %.6f %.6f\n", ms_fem_get_line(model), omega[6], omega[7],
           omega[8]);
    for (int i = 0; i < 3; i++) CHECK_CLOSE(omega[6 + i], want[i], 5e-6);
    CHECK_BELOW(omega[5], 1e-2 * omega[6]);
  }
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_single_beam);
  TEST(test_assembly_uniform);
  TEST(test_assembly_area);
  TEST(test_craig_bampton);
  return test_leaks_finish();
}
