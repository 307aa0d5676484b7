/* Contact of finite elements: patch tests, a block held by friction, what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_contact.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/leaks.h"
#include "support/fem/pair.h"

/* After the headers above: its complex types define I. */
#include <cblas.h>

static const double SIZE[3] = { 0.021, 0.016, 0.009 }, E = 2.1e11, NU = 0.29, RHO = 7800.0;
enum { NX = 4, NY = 3, NZ = 2 };

/* Two blocks on each other, the upper one raised by `gap` and moved along x by `shift`. */
static ms_mesh *make_blocks(double gap, double shift, int nx_upper, const char *element) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = k ? "upper" : "lower",
                           .material = ms_material_isotropic(E, NU, RHO) };
    ms_brick brick = { .at = { k * shift, 0.0, k * (SIZE[2] + gap) },
                       .n = { k ? nx_upper : NX, NY, NZ } };
    int index;
    memcpy(brick.size, SIZE, sizeof SIZE);
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, element, &brick));
  }
  return mesh;
}

static const ms_fem_contact between = { .name = "joint",
                                        .faces = { "upper.bottom", "lower.top" },
                                        .mu = 0.3 };

/* Uniform pressure with total force `force` along `component` on a set of nodes of a brick's face.
 */
static void add_pressure(const ms_fem_model *model, const ms_mesh *mesh, const char *name,
                         int component, double force, double *load) {
  ms_mesh_set set;
  ms_mesh_box box;
  double sum = 0.0, *w;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, name, &set));
  CHECK_OK(ms_mesh_find_box(mesh, name, &box));
  w = calloc((size_t)set.n, sizeof *w);
  for (ptrdiff_t i = 0; i < set.n; i++) {
    w[i] = 1.0;
    for (int a = 0; a < 3; a++) {
      const double x = ms_mesh_get_nodes(mesh)[3 * (ptrdiff_t)set.index[i] + a];
      const int end = fabs(x - box.low[a]) < 1e-9 || fabs(x - box.high[a]) < 1e-9;
      if (a != box.flat && end) w[i] *= 0.5;
    }
    sum += w[i];
  }
  for (ptrdiff_t i = 0; i < set.n; i++) {
    load[ms_fem_get_index(model, set.index[i], component)] += force * w[i] / sum;
  }
  free(w);
}

/* ---- uniform pressure ---- */

static void check_patch(double K_n) {
  const double press = 5300.0, area = SIZE[0] * SIZE[1];
  ms_mesh *mesh = make_blocks(0.0, 0.0, NX, "hex8");
  ms_fem_model *model;
  ms_fem_contact contact = between;
  ms_fem_condensed condensed;
  ms_contact *c;
  ptrdiff_t n;
  const ms_fem_settings settings = ms_fem_defaults();
  contact.K_n = K_n, contact.K_t = 0.7 * K_n;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "lower.bottom", 4));
  CHECK_OK(ms_fem_fix_set(model, "lower.left", 1));
  CHECK_OK(ms_fem_fix_set(model, "upper.left", 1));
  CHECK_OK(ms_fem_fix_set(model, "lower.front", 2));
  CHECK_OK(ms_fem_fix_set(model, "upper.front", 2));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  const ms_fem_contact_point *point = ms_fem_get_contact_points(model, &n);
  CHECK_EQUAL(n, (NX + 1) * (NY + 1));
  CHECK_OK(ms_fem_setup(model, &settings));
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load);
  add_pressure(model, mesh, "upper.top", 2, -press, load);
  CHECK_OK(ms_fem_condense(model, 1, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0 }));
  const ms_contact_state state = ms_contact_get(c);
  double whole = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    CHECK_CLOSE(state.lambda[3 * i + 2], press / area * point[i].area, 1e-10);
    CHECK_NEAR(hypot(state.lambda[3 * i], state.lambda[3 * i + 1]), 0.0, 1e-10 * press);
    CHECK_NEAR(point[i].axes[8], -1.0, 1e-14); /* the upper block faces down */
    whole += point[i].area;
  }
  CHECK_CLOSE(whole, area, 1e-12);
  /* The top goes down by the strain of both blocks, and the layer's; F^T u is that times the force.
   */
  const double down = press / area * (2.0 * SIZE[2] / E + (K_n > 0.0 ? 1.0 / K_n : 0.0));
  CHECK_CLOSE(state.v[0], press * down, 1e-9);
  ms_contact_destroy(&c);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_patch_rigid(void) {
  check_patch(0.0);
}

static void test_patch_layer(void) {
  check_patch(E / (SIZE[2] / NZ));
}

/* ---- a block on the ground, held by preload and friction alone ---- */

static const ms_fem_contact on_floor = { .name = "floor",
                                         .faces = { "lower.bottom", NULL },
                                         .mu = 0.37 };

/* It sticks up to mu times the press, and slides away beyond. */
static void test_block(void) {
  ms_mesh *mesh = make_blocks(0.0, 0.5, NX, "hex8"); /* only the lower one touches the ground */
  ms_fem_model *model;
  ms_fem_condensed condensed;
  ms_contact *c;
  const ms_fem_settings settings = ms_fem_defaults();
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "upper.top", MS_FEM_ALL)); /* the other one stands by */
  CHECK_OK(ms_fem_add_contact(model, &on_floor));
  CHECK_OK(ms_fem_setup(model, &settings));
  const ptrdiff_t size = ms_fem_get_size(model);
  double *load = calloc((size_t)(2 * size), sizeof *load);
  add_pressure(model, mesh, "lower.top", 2, -1.0, load);
  add_pressure(model, mesh, "lower.bottom", 0, 1.0, load + size);
  CHECK_OK(ms_fem_condense(model, 2, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 900.0, 0.0 }));
  CHECK_CLOSE(ms_contact_add_up(c, 0).force[2], 900.0, 1e-10);
  CHECK_OK(ms_contact_load(c, (double[]) { 900.0, 0.8 * 0.37 * 900.0 }));
  CHECK_CLOSE(fabs(ms_contact_add_up(c, 0).force[0]), 0.8 * 0.37 * 900.0, 1e-10);
  CHECK_STATUS(ms_contact_load(c, (double[]) { 900.0, 1.001 * 0.37 * 900.0 }), MS_NOT_CONVERGED);
  CHECK_HAS(ms_context_message(test_context()), "slides as a whole");

  ms_contact_destroy(&c);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

enum { N_MODE = 6 };

/* With the floor's points closed so, or (held > 0) with supports in these directions instead. */
static void find_block_modes(ms_mesh *mesh, unsigned char status, int held, double *omega) {
  unsigned char closed[(NX + 1) * (NY + 1)];
  ms_fem_model *points, *model;
  ms_fem_modes modes;
  ptrdiff_t n;
  CHECK_OK(ms_fem_create(test_context(), mesh, &points));
  CHECK_OK(ms_fem_add_contact(points, &on_floor));
  const ms_fem_contact_point *point = ms_fem_get_contact_points(points, &n);
  CHECK_EQUAL(n, (ptrdiff_t)sizeof closed);
  memset(closed, status, sizeof closed);
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "upper.top", MS_FEM_ALL));
  if (held) CHECK_OK(ms_fem_fix_set(model, "lower.bottom", held));
  if (!held) CHECK_OK(ms_fem_stick(model, n, point, closed));
  CHECK_OK(ms_fem_setup(model, NULL));
  CHECK_OK(ms_fem_find_modes(model, N_MODE, 0.0, &modes));
  memcpy(omega, modes.omega, N_MODE * sizeof *omega);
  ms_fem_modes_free(test_context(), &modes);
  ms_fem_destroy(&model);
  ms_fem_destroy(&points);
}

/* Modes with all points stuck are those of the block fixed at its bottom, without friction those of
   the block that is held along the normal: on a floor that is oblique to all axes, too. */
static void test_block_modes(void) {
  ms_mesh *mesh = make_blocks(0.0, 0.5, NX, "hex8");
  double stuck[N_MODE], fixed[N_MODE], slides[N_MODE], guided[N_MODE], oblique[N_MODE];
  find_block_modes(mesh, MS_CONTACT_STICK, 0, stuck);
  find_block_modes(mesh, 0, MS_FEM_TRANSLATIONS, fixed);
  find_block_modes(mesh, MS_CONTACT_SLIP, 0, slides);
  find_block_modes(mesh, 0, 4, guided);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(mesh); i++) {
    double *x = mesh->x + 3 * i;
    cblas_drot(1, x, 1, x + 2, 1, cos(0.4), sin(0.4));
    cblas_drot(1, x + 1, 1, x + 2, 1, cos(0.7), sin(0.7));
  }
  find_block_modes(mesh, MS_CONTACT_SLIP, 0, oblique);
  for (int r = 0; r < N_MODE; r++) {
    CHECK_CLOSE(stuck[r], fixed[r], 1e-9);
    if (r < 3) CHECK_EQUAL(slides[r], 0.0);
    if (r < 3) CHECK_EQUAL(guided[r], 0.0);
    if (r < 3) CHECK_EQUAL(oblique[r], 0.0);
    if (r >= 3) CHECK_CLOSE(slides[r], guided[r], 1e-9);
    if (r >= 3) CHECK_CLOSE(oblique[r], guided[r], 1e-7);
  }
  ms_mesh_destroy(&mesh);
}

/* ---- a bolted lap against CalculiX ---- */

/* Two bars of 60 x 16 x 6 mm that overlap by 32 mm, hex8 of 2 mm; a bolt force of 8000 N on 8 x 8
   mm, the end of the upper bar pulled. CalculiX 2.20 (C3D8I, surface to surface) has the same
   layer. */
enum { LEG = 10 }; /* load steps in a quarter of the cycle */

static ms_mesh *make_lap(void) {
  static const char *const name[] = { "left", "low", "high", "right" };
  static const double from[] = { 0.0, 0.028, 0.028, 0.060 },
                      length[] = { 0.028, 0.032, 0.032, 0.028 };
  ms_mesh *mesh;
  int part[4];
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 4; k++) {
    const ms_part p = { .name = name[k], .material = ms_material_isotropic(2.1e11, 0.3, 7850.0) };
    const ms_brick brick = { { from[k], 0.0, k < 2 ? -0.006 : 0.0 },
                             { length[k], 0.016, 0.006 },
                             { (int)lround(length[k] / 0.002), 8, 3 } };
    CHECK_OK(ms_mesh_add_part(mesh, &p, &part[k]));
    CHECK_OK(ms_mesh_add_brick(mesh, part[k], "hex8", &brick));
  }
  CHECK_OK(ms_mesh_merge(mesh, 2, part, 1e-9, NULL));
  CHECK_OK(ms_mesh_merge(mesh, 2, part + 2, 1e-9, NULL));
  return mesh;
}

/* Uniform pressure on the nodes of a face from (40, 4) to (48, 12) mm. */
static void add_bolt(const ms_fem_model *model, const ms_mesh *mesh, const char *name, double force,
                     double *load) {
  ms_mesh_set set;
  CHECK_OK(ms_mesh_find_set(mesh, MS_SET_NODES, name, &set));
  for (ptrdiff_t i = 0; i < set.n; i++) {
    const double *x = ms_mesh_get_nodes(mesh) + 3 * (ptrdiff_t)set.index[i];
    double w = 1.0 / 16.0;
    for (int a = 0; a < 2; a++) {
      const double away = fabs(x[a] - (a == 0 ? 0.044 : 0.008));
      w *= away > 0.0041 ? 0.0 : away > 0.0039 ? 0.5 : 1.0;
    }
    load[ms_fem_get_index(model, set.index[i], 2)] += w * force;
  }
}

/* u: mm, at the end of each step. */
static void pull(const ms_contact_problem *problem, ms_contact *c, double from, double to,
                 double *u, double *area) {
  for (int i = 1; i <= LEG; i++) {
    const double u_0 = ms_contact_get(c).v[1], F = ms_contact_get(c).p[1];
    CHECK_OK(ms_contact_load(c, (double[]) { 8000.0, from + (to - from) * i / LEG }));
    *area += 0.5 * (F + ms_contact_get(c).p[1]) * (ms_contact_get(c).v[1] - u_0);
    u[i - 1] = 1e3 * ms_contact_get(c).v[1];
    CHECK_BELOW(ms_contact_get(c).residual, 1e-10);
    CHECK_BELOW(test_find_imbalance(problem, c), 1e-10);
  }
}

/* Work of the load and dissipation: second order in the load step, below 1e-3 by default. */
static void check_energy(const ms_contact_problem *problem) {
  double error[4];
  for (int k = 0; k < 4; k++) {
    ms_contact_setting setting = MS_CONTACT_DEFAULT;
    ms_contact_cycle cycle;
    ms_contact *c;
    if (k < 3) setting.cycle_steps = 8 << k, setting.refine_max = 0;
    CHECK_OK(ms_contact_create(test_context(), problem, &setting, &c));
    CHECK_OK(ms_contact_load(c, (double[]) { 8000.0, 0.0 }));
    CHECK_OK(ms_contact_run_cycle(c, 1, 1200.0, &cycle, NULL));
    CHECK_BELOW(cycle.largest_residual, 1e-10);
    error[k] = fabs(cycle.work / cycle.D - 1.0);
    printf("# %td load steps each way: work differs by %.2g\n", cycle.steps, error[k]);
    ms_contact_destroy(&c);
  }
  CHECK_NEAR(0.5 * log2(error[0] / error[2]), 2.0, 0.4);
  CHECK_BELOW(error[3], 1e-3);
}

static void test_lap(void) {
  static const double ccx[5 * LEG] = {
    /* mm, at the end of each step after the preload */
    2.069128e-3,  2.926449e-3,  3.795696e-3,  4.676714e-3,  5.571521e-3,  6.479317e-3,
    7.396437e-3,  8.319379e-3,  9.249566e-3,  1.018589e-2,  9.314448e-3,  8.442597e-3,
    7.570087e-3,  6.696309e-3,  5.821853e-3,  4.946712e-3,  4.071968e-3,  3.197536e-3,
    2.326149e-3,  1.460920e-3,  5.947997e-4,  -2.722239e-4, -1.143079e-3, -2.007246e-3,
    -2.866790e-3, -3.684575e-3, -4.489374e-3, -5.281059e-3, -6.073364e-3, -6.868065e-3,
    -6.243054e-3, -5.525096e-3, -4.777904e-3, -4.009499e-3, -3.217278e-3, -2.378690e-3,
    -1.526007e-3, -6.680207e-4, 1.960829e-4,  1.065648e-3,  1.942847e-3,  2.830160e-3,
    3.728620e-3,  4.636419e-3,  5.550558e-3,  6.470106e-3,  7.393540e-3,  8.321166e-3,
    9.252878e-3,  1.018866e-2,
  };
  static const double loop = 0.67314; /* N mm */
  ms_mesh *mesh = make_lap();
  ms_fem_model *model;
  ms_fem_condensed condensed;
  ms_contact *c;
  const ms_fem_settings settings = ms_fem_defaults();
  const ms_fem_contact contact = {
    .name = "lap", .faces = { "high.bottom", "low.top" }, .mu = 0.3, .K_n = 1e15, .K_t = 5e14
  };
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "left.left", 7));
  CHECK_OK(ms_fem_fix_set(model, "right.right", 4));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  CHECK_OK(ms_fem_setup(model, &settings));
  const ptrdiff_t size = ms_fem_get_size(model);
  double *load = calloc((size_t)(2 * size), sizeof *load), area[5] = { 0 }, u[5 * LEG], worst = 0.0;
  add_bolt(model, mesh, "low.bottom", 1.0, load);
  add_bolt(model, mesh, "high.top", -1.0, load);
  add_pressure(model, mesh, "right.right", 0, 1.0, load + size);
  CHECK_OK(ms_fem_condense(model, 2, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  for (int i = 1; i <= 4; i++) CHECK_OK(ms_contact_load(c, (double[]) { 2000.0 * i, 0.0 }));
  CHECK_OK(ms_contact_rebase(c));
  const double turn[] = { 0.0, 1200.0, 0.0, -1200.0, 0.0, 1200.0 };
  for (int k = 0; k < 5; k++) pull(&problem, c, turn[k], turn[k + 1], u + LEG * k, &area[k]);
  const double half = 0.5 * (ccx[LEG - 1] - ccx[3 * LEG - 1]);
  for (int i = 0; i < 5 * LEG; i++) worst = fmax(worst, fabs(u[i] - ccx[i]) / half);
  const double ratio = 1e3 * (area[1] + area[2] + area[3] + area[4]) / loop;
  printf("# CalculiX: displacement within %.2g of the half range, loop %+.2g\n", worst,
         ratio - 1.0);
  CHECK_BELOW(worst, 3e-3);
  CHECK_CLOSE(ratio, 1.0, 1e-2);
  const ms_contact_count count = ms_contact_get_count(c);
  const double mean = (double)count.iterations / (double)count.steps;
  printf("# %.2f iterations a step, at most %d\n", mean, count.most_iterations);
  CHECK_BELOW(mean, 5.0);
  CHECK_BELOW(count.most_iterations, 10.5);
  CHECK_EQUAL(count.slow, 0);
  ms_contact_destroy(&c);
  check_energy(&problem);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- what is refused ---- */

static void refuse(ms_mesh *mesh, const ms_fem_contact *contact, const char *says) {
  ms_fem_model *model;
  ptrdiff_t n;
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK(ms_fem_add_contact(model, contact) < 0);
  CHECK_HAS(ms_context_message(test_context()), says);
  ms_fem_get_contact_points(model, &n);
  CHECK_EQUAL(n, 0);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

static void test_refused(void) {
  ms_fem_contact wrong = between;
  refuse(make_blocks(0.004, 0.0, NX, "hex8"), &between, "are 0.004 m apart");
  refuse(make_blocks(0.0, 0.0, NX + 1, "hex8"), &between,
         "do not lie opposite each other: mesh both faces alike");
  refuse(make_blocks(0.0, 0.0, 2 * NX, "hex8"), &between, "do not lie opposite each other");
  refuse(make_blocks(-1e-5, 0.0, NX, "hex8"), &between, "is 1e-05 m inside");
  refuse(make_blocks(0.0, 0.0, NX, "hex20"), &between, "no unique forces");
  wrong.faces[1] = "upper.bottom";
  refuse(make_blocks(0.0, 0.0, NX, "hex8"), &wrong, "share node");
  wrong.faces[0] = "upper.top";
  wrong.reach = 1.0;
  refuse(make_blocks(0.0, 0.0, NX, "hex8"),
         &(ms_fem_contact) { .name = "j", .faces = { "upper.top", "lower.top" }, .reach = 1.0 },
         "face the same way");
  wrong = between, wrong.mu = -0.1;
  refuse(make_blocks(0.0, 0.0, NX, "hex8"), &wrong, "mu = -0.1");
  wrong = between, wrong.K_t = 1e12;
  refuse(make_blocks(0.0, 0.0, NX, "hex8"), &wrong, "K_n = 0");
  wrong = between, wrong.faces[1] = "lower.topp";
  refuse(make_blocks(0.0, 0.0, NX, "hex8"), &wrong, "lower.top");
}

/* A contact that leaves the assembly free has no flexibility; neither has a model without one. */
static void test_free(void) {
  ms_mesh *mesh = make_blocks(0.0, 0.0, NX, "hex8");
  ms_fem_model *model;
  ms_fem_condensed condensed;
  const ms_fem_settings settings = ms_fem_defaults();
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_add_contact(model, &between));
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load);
  CHECK_STATUS(ms_fem_condense(model, 1, load, &condensed), MS_ERR_STATE);
  CHECK_OK(ms_fem_setup(model, &settings));
  CHECK_STATUS(ms_fem_condense(model, 1, load, &condensed), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "can move freely");
  CHECK_STATUS(ms_fem_condense(model, 0, load, &condensed), MS_ERR_ARGUMENT);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_patch_rigid);
  TEST(test_patch_layer);
  TEST(test_block);
  TEST(test_block_modes);
  TEST(test_lap);
  TEST(test_refused);
  TEST(test_free);
  return test_leaks_finish();
}
