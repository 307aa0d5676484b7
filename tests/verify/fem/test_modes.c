/* Modes, counts and reduction of models against references, closed forms and each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/meshes.h"

#define PI 3.14159265358979323846

static void check_residuals(const ms_fem_modes *modes) {
  for (ptrdiff_t i = 0; i < modes->n; i++) CHECK_BELOW(modes->residual[i], 1e-8);
}

static double hertz(double omega) {
  return omega / (2.0 * PI);
}

static ms_fem_model *open_model(const ms_mesh *mesh, const char *clamp) {
  ms_fem_model *model = NULL;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  if (clamp) CHECK_OK(ms_fem_fix_set(model, clamp, MS_FEM_ALL));
  return model;
}

static void close_model(ms_fem_model *model, ms_mesh *mesh, ms_fem_modes *modes) {
  ms_fem_modes_free(test_context(), modes);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- references ---- */

/* A thick plate held up along the edges of its lower face: three motions are free. */
static void test_fv52(void) {
  static const double want[] = { 45.318, 113.964, 113.964, 173.297, 196.769, 209.565, 209.565 };
  const double size[3] = { 10.0, 10.0, 1.0 };
  const int n[3] = { 8, 8, 3 };
  ms_mesh *mesh = test_brick("hex8", size, n, 200e9, 0.3, 8000.0);
  ms_fem_model *model = open_model(mesh, NULL);
  ms_fem_modes modes = { 0 };
  const double *x = ms_mesh_get_nodes(mesh);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    const double *p = x + 3 * i;
    int rim = p[0] < 1e-9 || p[0] > 10.0 - 1e-9 || p[1] < 1e-9 || p[1] > 10.0 - 1e-9;
    if (rim && p[2] < 1e-9) CHECK_OK(ms_fem_fix(model, "rim", i, 4));
  }
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 10, 0.0, &modes));
  printf("# FV52: %s\n", ms_fem_get_line(model));
  CHECK_EQUAL(modes.n_rigid, 3);
  check_residuals(&modes);
  for (int i = 0; i < 7 && modes.n == 10; i++)
    CHECK_NEAR(hertz(modes.omega[3 + i]), want[i], 5.1e-4);
  close_model(model, mesh, &modes);
}

static void test_cantilever(void) {
  static const double want[] = { 8.8393, 55.3822, 75.3595, 155.0680, 0.0, 309.694 };
  static const double tolerance[] = { 6e-5, 6e-5, 6e-5, 6e-5, 0.0, 6e-4 };
  const double size[3] = { 0.572, 0.030, 0.0035 };
  const int n[3] = { 114, 6, 2 };
  ms_mesh *mesh = test_brick("hex20", size, n, 70e9, 0.33, 2700.0);
  ms_fem_model *model = open_model(mesh, "part.left");
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 6, 0.0, &modes));
  printf("# cantilever: %s\n", ms_fem_get_line(model));
  for (int i = 0; i < modes.n; i++) printf("# %d: %.5f Hz\n", i + 1, hertz(modes.omega[i]));
  CHECK_EQUAL(modes.n_rigid, 0);
  check_residuals(&modes);
  for (int i = 0; i < 6 && modes.n == 6; i++) {
    if (want[i] > 0.0) CHECK_NEAR(hertz(modes.omega[i]), want[i], tolerance[i]);
  }
  close_model(model, mesh, &modes);
}

/* ---- rigid bodies, counts ---- */

/* Two bodies that do not touch have twelve motions; the modes of both come twice. */
static void test_two_bodies(void) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  for (int i = 0; i < 2; i++) {
    ms_brick brick = { { 0.0, 0.7 * i, 0.1 * i }, { 0.83, 0.11, 0.07 }, { 8, 2, 2 } };
    ms_part part = *ms_mesh_get_part(mesh, 0);
    part.name = "other";
    if (i == 1) CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
    CHECK_OK(ms_mesh_add_brick(mesh, i, "hex8", &brick));
  }
  ms_fem_model *model = open_model(mesh, NULL);
  ms_fem_modes modes = { 0 };
  ptrdiff_t count = 0;
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 18, 0.0, &modes));
  CHECK_EQUAL(modes.n_rigid, 12);
  check_residuals(&modes);
  for (int i = 12; i < 18 && modes.n == 18; i += 2) {
    CHECK_CLOSE(modes.omega[i + 1], modes.omega[i], 1e-8);
    CHECK_OK(ms_fem_count_modes(model, hertz(modes.omega[i]) * 0.9999, &count));
    CHECK_EQUAL(count, i);
    CHECK_OK(ms_fem_count_modes(model, hertz(modes.omega[i]) * 1.0001, &count));
    CHECK_EQUAL(count, i + 2);
  }
  close_model(model, mesh, &modes);
}

/* A rod of hex8 without Poisson's effect in tension: omega of the clamped discrete rod is known,
   lumped and consistent: 2 c/h sin(a/2), and that over sqrt(1 - 2/3 sin^2(a/2)). */
static void check_rod(int lumped) {
  const double size[3] = { 1.7, 0.13, 0.11 }, E = 71e9, rho = 2700.0;
  const int n[3] = { 9, 1, 1 };
  ms_mesh *mesh = test_brick("hex8", size, n, E, 0.0, rho);
  ms_fem_model *model = open_model(mesh, "part.left");
  ms_fem_settings settings = ms_fem_defaults();
  ms_fem_modes modes = { 0 };
  settings.lumped = lumped;
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    if (ms_mesh_get_nodes(mesh)[3 * i] > 1e-9) CHECK_OK(ms_fem_fix(model, "guide", i, 6));
  }
  CHECK_OK(ms_fem_setup(model, &settings));
  CHECK_OK(ms_fem_find_modes(model, 1, 0.0, &modes));
  double h = size[0] / n[0], s = sin(PI / 4.0 / n[0]), omega = 2.0 * sqrt(E / rho) / h * s;
  if (!lumped) omega /= sqrt(1.0 - 2.0 / 3.0 * s * s);
  if (modes.n == 1) CHECK_CLOSE(modes.omega[0], omega, 1e-10);
  CHECK_EQUAL(ms_fem_count_unknowns(model), 4 * 9);
  close_model(model, mesh, &modes);
}

static void test_rod(void) {
  check_rod(0);
  check_rod(1);
}

/* ---- routes ---- */

/* 6,591 coordinates: large enough for the choice to be made, which memory decides. Both routes
 * agree. */
static void test_routes(void) {
  const double size[3] = { 0.83, 0.71, 0.67 };
  const int n[3] = { 12, 12, 12 };
  double omega[2][3] = { { 0 } }, deflection[2] = { 0 };
  ms_mesh *mesh = test_brick("hex8", size, n, 71e9, 0.3, 2700.0);
  for (int k = 0; k < 2; k++) {
    ms_fem_model *model = open_model(mesh, "part.left");
    ms_fem_settings settings = ms_fem_defaults();
    ms_fem_modes modes = { 0 };
    settings.memory = k ? 1e6 : 8e9;
    settings.check_count = 0;
    CHECK_OK(ms_fem_setup(model, &settings));
    ptrdiff_t N = ms_fem_get_size(model);
    double *f = calloc((size_t)(2 * N), sizeof *f), *u = f + N;
    if (!f) exit(2);
    f[N - 1] = 1234.5;
    CHECK_OK(ms_fem_solve(model, 1, f, u));
    deflection[k] = u[N - 1];
    printf("# %s\n", ms_fem_get_line(model));
    CHECK_HAS(ms_fem_get_line(model), k ? "multigrid: a factor of" : "direct: a factor of");
    CHECK_OK(ms_fem_find_modes(model, 3, 0.0, &modes));
    printf("# %s\n", ms_fem_get_line(model));
    check_residuals(&modes);
    for (int i = 0; i < 3 && modes.n == 3; i++) omega[k][i] = modes.omega[i];
    free(f);
    ms_fem_modes_free(test_context(), &modes);
    ms_fem_destroy(&model);
  }
  CHECK_CLOSE(deflection[1], deflection[0], 1e-8);
  for (int i = 0; i < 3; i++) CHECK_CLOSE(omega[1][i], omega[0][i], 1e-9);
  ms_mesh_destroy(&mesh);
}

/* ---- reduction ---- */

/* A free bar with a rigid spider at each end. */
static ms_fem_model *make_bar(const ms_mesh *mesh, const char *part, double from, double to) {
  ms_fem_model *model = open_model(mesh, NULL);
  const char *end[2] = { "left", "right" };
  for (int i = 0; i < 2; i++) {
    ms_mesh_set set = { 0 };
    char name[32];
    ptrdiff_t ref = -1;
    snprintf(name, sizeof name, "%s.%s", part, end[i]);
    CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, name, &set));
    ms_spider spider = { .name = end[i],
                         .kind = MS_SPIDER_RIGID,
                         .at = { i ? to : from, 0.06, 0.04 },
                         .n = set.n,
                         .node = set.index };
    CHECK_OK(ms_fem_add_spider(model, &spider, &ref));
    CHECK_OK(ms_fem_keep(model, end[i], ref, MS_FEM_ALL));
  }
  return model;
}

static ms_mesh *make_bar_mesh(double from, double to, int n) {
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_brick brick = { { from, 0, 0 }, { to - from, 0.11, 0.07 }, { n, 2, 2 } };
  CHECK_OK(ms_mesh_add_brick(mesh, 0, "hex8", &brick));
  return mesh;
}

/* The largest relative error of the first six elastic frequencies, all of which must be from above.
 */
static double reduction_error(const ms_reduced *r, const ms_fem_modes *modes) {
  double *omega = calloc((size_t)r->n, sizeof *omega), worst = 0.0;
  if (!omega) exit(2);
  CHECK_OK(ms_reduced_find_omega(r, omega));
  for (int i = 0; i < 6; i++) CHECK_NEAR(omega[i], 0.0, 1e-2);
  for (int i = 6; i < 12; i++) {
    printf("# full %.4f reduced %.4f rad/s\n", modes->omega[i], omega[i]);
    CHECK(omega[i] >= modes->omega[i] * (1.0 - 1e-9));
    worst = fmax(worst, omega[i] / modes->omega[i] - 1.0);
  }
  free(omega);
  return worst;
}

/* Rigid motions are exact, the field is recovered, and modes up to 2.5 kHz come closer with the
   cut-off. */
static void test_reduction(void) {
  ms_mesh *mesh = make_bar_mesh(0.0, 0.9, 10);
  ms_fem_model *model = make_bar(mesh, "part", 0.0, 0.9);
  ms_fem_modes modes = { 0 };
  double worst[2] = { 1.0, 1.0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 12, 0.0, &modes));
  for (int k = 0; k < 2 && modes.n == 12; k++) {
    ms_reduced *r = NULL;
    CHECK_OK(ms_fem_reduce(
        model, &(ms_fem_reduction) { .cutoff_hz = k ? 27000.0 : 9000.0, .basis = 1 }, &r));
    if (!r) continue;
    worst[k] = reduction_error(r, &modes);
    printf("# %td fixed-interface modes, error %.2e\n", r->n - r->n_boundary, worst[k]);
    CHECK_EQUAL(r->n_boundary, 12);
    CHECK_EQUAL(r->n_row, ms_fem_get_size(model));
    for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh);
         i += 7) { /* both ends along x: all along x */
      ptrdiff_t at = ms_fem_get_index(model, i, 0);
      CHECK_NEAR(r->basis[at] + r->basis[at + 6 * r->n_row], 1.0, 1e-9);
    }
    for (ptrdiff_t i = 12; i < r->n; i++) CHECK_NEAR(r->M[i + r->n * i], 1.0, 1e-10);
    ms_reduced_destroy(&r);
  }
  CHECK_BELOW(worst[0], 2e-3);
  CHECK_BELOW(worst[1], worst[0] / 9.0);
  close_model(model, mesh, &modes);
}

/* Two halves reduced on their own and put together, against the whole with the same spiders in the
   middle. */
static void test_substructures(void) {
  static const char *const c[] = { "ux", "uy", "uz", "rx", "ry", "rz" };
  static const char *const part[] = { "one", "two" };
  char text[12][32];
  const char *same[12];
  ms_reduced *half[2] = { NULL }, *all = NULL;
  for (int i = 0; i < 2; i++) {
    double from = i ? 0.4 : 0.0, to = i ? 0.9 : 0.4;
    ms_mesh *mesh = make_bar_mesh(from, to, i ? 5 : 4);
    ms_fem_model *model = make_bar(mesh, "part", from, to);
    CHECK_OK(ms_fem_setup(model, NULL));
    CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 30 }, &half[i]));
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
  for (int i = 0; i < 6; i++) {
    snprintf(text[2 * i], sizeof text[0], "one.right.%s", c[i]);
    snprintf(text[2 * i + 1], sizeof text[0], "two.left.%s", c[i]);
    same[2 * i] = text[2 * i];
    same[2 * i + 1] = text[2 * i + 1];
  }
  if (half[0] && half[1]) {
    CHECK_OK(ms_reduced_assemble(test_context(), 2, part, (const ms_reduced *const *)half, 6, same,
                                 &all));
  }
  /* the whole: two parts, their own nodes, four spiders, the middle ones linked */
  ms_mesh *mesh = test_mesh(71e9, 0.3, 2700.0);
  ms_part other = *ms_mesh_get_part(mesh, 0);
  other.name = "other";
  CHECK_OK(ms_mesh_add_part(mesh, &other, NULL));
  CHECK_OK(ms_mesh_add_brick(mesh, 0, "hex8",
                             &(ms_brick) { { 0, 0, 0 }, { 0.4, 0.11, 0.07 }, { 4, 2, 2 } }));
  CHECK_OK(ms_mesh_add_brick(mesh, 1, "hex8",
                             &(ms_brick) { { 0.4, 0, 0 }, { 0.5, 0.11, 0.07 }, { 5, 2, 2 } }));
  ms_fem_model *model = open_model(mesh, NULL);
  const char *set[4] = { "part.left", "part.right", "other.left", "other.right" };
  const double at[4] = { 0.0, 0.4, 0.4, 0.9 };
  ptrdiff_t ref[4];
  for (int i = 0; i < 4; i++) {
    ms_mesh_set s = { 0 };
    CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, set[i], &s));
    ms_spider spider = { .name = set[i],
                         .kind = MS_SPIDER_RIGID,
                         .at = { at[i], 0.06, 0.04 },
                         .n = s.n,
                         .node = s.index };
    CHECK_OK(ms_fem_add_spider(model, &spider, &ref[i]));
  }
  for (int k = 0; k < 6; k++) {
    ms_fem_term term[2] = { { ref[1], k, 1.0 }, { ref[2], k, -1.0 } };
    CHECK_OK(ms_fem_link(model, c[k], 2, term, 0.0));
  }
  ms_fem_modes modes = { 0 };
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, 12, 0.0, &modes));
  double omega[96] = { 0 };
  if (all && modes.n == 12) {
    CHECK_EQUAL(all->n, 18 + 60);
    CHECK_OK(ms_reduced_find_omega(all, omega));
    for (int i = 6; i < 12; i++) {
      printf("# whole %.4f assembled %.4f rad/s\n", modes.omega[i], omega[i]);
      CHECK_CLOSE(omega[i], modes.omega[i], 1e-4);
    }
  }
  ms_reduced_destroy(&half[0]);
  ms_reduced_destroy(&half[1]);
  ms_reduced_destroy(&all);
  close_model(model, mesh, &modes);
}

/* A boundary of single coordinates that leaves the body free to turn: the motions come back among
   the modes, the six of the whole are exact, and the rest is as good as with any boundary. */
static void test_loose_boundary(void) {
  ms_mesh *mesh = make_bar_mesh(0.0, 0.9, 6);
  ms_fem_model *model = open_model(mesh, NULL);
  ms_reduced *r = NULL;
  ms_fem_accuracy table = { 0 };
  CHECK_OK(ms_fem_keep(model, "corner", 0, 4));
  CHECK_OK(ms_fem_keep(model, "tip", 6, 1 + 4));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_STATUS(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 3 }, &r), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "3 ways");
  CHECK(!r);
  CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 30 }, &r));
  if (r) {
    CHECK_EQUAL(r->n, 33);
    CHECK_OK(ms_fem_check_reduction(model, r, 3000.0, &table));
    for (ptrdiff_t i = 0; i < table.n; i++) {
      printf("# full %.6f reduced %.6f rad/s\n", table.full[i], table.reduced[i]);
    }
    CHECK(table.n >= 9);
    for (int i = 0; i < 6 && table.n >= 9; i++) CHECK_NEAR(table.reduced[i], 0.0, 1e-1);
    CHECK_BELOW(table.worst, 1e-3);
    CHECK(table.worst > 0.0);
  }
  ms_fem_accuracy_free(test_context(), &table);
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* The static shapes of such a boundary are settled but for free motions, which are among the modes
   anyway. They have none of them: in the norm of lumped masses, which no boundary shares, they are
   orthogonal. */
static void test_loose_shapes(void) {
  ms_mesh *mesh = make_bar_mesh(0.0, 0.9, 6);
  ms_fem_settings settings = ms_fem_defaults();
  ms_fem_model *model = open_model(mesh, NULL);
  ms_reduced *r = NULL;
  settings.lumped = 1;
  CHECK_OK(ms_fem_keep(model, "corner", 0, 4));
  CHECK_OK(ms_fem_keep(model, "tip", 6, 1 + 4));
  CHECK_OK(ms_fem_setup(model, &settings));
  CHECK_OK(ms_fem_reduce(model, &(ms_fem_reduction) { .n_mode = 7 }, &r));
  for (ptrdiff_t j = 0; r && j < 3; j++) {
    double size = sqrt(r->M[j + r->n * j]); /* in the norm of M; that of a mode is 1 */
    for (ptrdiff_t q = 3; q < 6; q++) {
      CHECK_NEAR(r->M[q + r->n * j] / size, 0.0, 1e-12);
      CHECK_NEAR(r->M[q + r->n * q], 1.0, 1e-12);
    }
  }
  ms_reduced_destroy(&r);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* NULL is what ms_fem_defaults says: consistent mass, and a Sturm count. */
static void test_default_settings(void) {
  static const double size[3] = { 3.0, 1.1, 0.7 };
  static const int n[3] = { 4, 1, 1 };
  double omega[3] = { 0 }, counted[3] = { 0 };
  for (int k = 0; k < 3; k++) {
    ms_mesh *mesh = test_brick("hex8", size, n, 2.0, 0.3, 1.0);
    ms_fem_settings s = ms_fem_defaults();
    ms_fem_model *model = NULL;
    ms_fem_modes modes = { 0 };
    s.lumped = k == 2;
    s.check_count = k != 2;
    CHECK_OK(ms_fem_create(test_context(), mesh, &model));
    CHECK_OK(ms_fem_fix_set(model, "part.left", MS_FEM_ALL));
    CHECK_OK(ms_fem_setup(model, k == 0 ? NULL : &s));
    CHECK_OK(ms_fem_find_modes(model, 2, 0.0, &modes));
    if (modes.n >= 2) omega[k] = modes.omega[1];
    counted[k] = modes.omega_count;
    ms_fem_modes_free(test_context(), &modes);
    ms_fem_destroy(&model);
    ms_mesh_destroy(&mesh);
  }
  CHECK_CLOSE(omega[0], omega[1], 1e-12);
  CHECK(fabs(omega[2] / omega[0] - 1.0) > 1e-3);
  CHECK(counted[0] > omega[0] && counted[1] > omega[1] && counted[2] == 0.0);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_fv52);
  TEST(test_cantilever);
  TEST(test_two_bodies);
  TEST(test_rod);
  TEST(test_routes);
  TEST(test_reduction);
  TEST(test_substructures);
  TEST(test_loose_boundary);
  TEST(test_loose_shapes);
  TEST(test_default_settings);
  return test_leaks_finish();
}
