/* Classical cases of contact on meshes: a long rod on a layer, load that presses and shears in
   phase, dissimilar bodies, a receding contact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"
#include "support/check.h"
#include "support/fem/cylinders.h"
#include "support/fem/leaks.h"

/* ---- a long rod, thin beside the length in which the layer takes over its force ---- */

static void test_rod(void) {
  enum { N = 200 };
  const double E = 2.03e11, length = 1.7, width = 0.0013, height = 1.9e-4, K_t = 6.3e9, MU = 0.37,
               pressure = 5.1e5;
  const double EA = E * width * height, k = K_t * width, tau = MU * pressure * width;
  const double yield = tau * sqrt(EA / k), F = 6.0 * yield;
  const ms_part part = { .name = "rod", .material = ms_material_isotropic(E, 0.0, 7800.0) };
  const ms_brick brick = { .size = { length, width, height }, .n = { N, 1, 1 } };
  const ms_fem_contact contact = {
    .name = "floor", .faces = { "rod.bottom" }, .mu = MU, .K_n = 1.9 * K_t, .K_t = K_t
  };
  const ms_fem_push push[2] = {
    { .set = "rod.top", .force = { 0.0, 0.0, -pressure * width * length } },
    { .set = "rod.right", .force = { 1.0, 0.0, 0.0 } },
  };
  ms_mesh *mesh;
  ms_fem_model *model;
  ms_fem_condensed condensed;
  ms_contact *c;
  ms_contact_cycle cycle;
  int index;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
  CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  CHECK_OK(ms_fem_fix_set(model, "rod.front", 2));
  CHECK_OK(ms_fem_fix_set(model, "rod.back", 2));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  CHECK_OK(ms_fem_setup(model, NULL));
  const ptrdiff_t size = ms_fem_get_size(model);
  double *load = calloc((size_t)(2 * size), sizeof *load);
  for (int i = 0; i < 2; i++) CHECK_OK(ms_fem_add_push(model, &push[i], load + size * i));
  CHECK_OK(ms_fem_condense(model, 2, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, (double[]) { 1.0, 0.0 }));
  CHECK_OK(ms_contact_run_cycle(c, 1, 0.9 * yield, &cycle, NULL));
  CHECK_NEAR(cycle.D, 0.0, 1e-20);
  CHECK_OK(ms_contact_run_cycle(c, 1, F, &cycle, NULL));
  const double D = 2.0 * F * F * F / (3.0 * EA * tau) - 2.0 * tau * F / k +
                   4.0 / 3.0 * tau * tau * sqrt(EA) / pow(k, 1.5);
  const double end = F * F / (2.0 * EA * tau) + tau / (2.0 * k);
  printf("# rod: dissipation %+.2g, displacement %+.2g\n", cycle.D / D - 1.0,
         0.5 * (cycle.v_max - cycle.v_min) / end - 1.0);
  CHECK_CLOSE(cycle.D, D, 5e-4);
  CHECK_CLOSE(0.5 * (cycle.v_max - cycle.v_min), end, 5e-4);
  ms_contact_destroy(&c);
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

/* ---- cylinders ---- */

static test_cylinders make(int per_a, double half, double E_2, double nu_2, double mu) {
  const double h = half / per_a;
  const int across = (int)(1.1 * per_a) + 1;
  test_cylinders c = {
    .pair = { .x = test_even(-across * h, across * h, 2 * across), .first = h, .growth = 1.2 },
    .E = { 2.03e11, E_2 },
    .nu = { 0.31, nu_2 },
    .mu = mu
  };
  test_cylinders_open(&c, half);
  return c;
}

/* Nothing slips as long as shear grows by less than mu times the pressing; where by more, it does.
 */
static void test_in_phase(void) {
  const double half = 2.1e-4, mu = 0.37;
  test_cylinders c = make(16, half, 2.03e11, 0.31, mu);
  ms_contact *contact = c.pair.contact;
  const double low = test_cylinders_load(&c, 0.5 * half), P = test_cylinders_load(&c, half);
  for (int faster = 0; faster < 2; faster++) {
    const double rate = (faster ? 1.3 : 0.9) * mu;
    CHECK_OK(ms_contact_load(contact, (double[]) { 1e-3 * low, 0.0 }));
    CHECK_OK(ms_contact_load(contact, (double[]) { low, 0.0 }));
    const double before = ms_contact_add_up(contact, -1).dissipated;
    for (int k = 1; k <= 40; k++) {
      const double more = (P - low) * k / 40.0 * (faster ? 0.5 : 1.0);
      CHECK_OK(ms_contact_load(contact, (double[]) { low + more, rate * more }));
    }
    const ms_contact_sum sum = ms_contact_add_up(contact, -1);
    const double scale = test_cylinders_loss(&c, half, 0.5);
    printf("# dQ/dP = %g mu: %td points slip, %.2g of a cycle's dissipation\n", rate / mu, sum.slip,
           (sum.dissipated - before) / scale);
    if (faster) CHECK(sum.slip > 0 && sum.dissipated - before > 0.01 * scale);
    if (!faster)
      CHECK_BELOW((double)sum.slip, 4.5); /* the last nodes that closed, of next to no force */
    if (!faster) CHECK_BELOW(sum.dissipated - before, 1e-3 * scale);
  }
  test_pair_close(&c.pair);
}

/* Without friction the pressure is Hertz's, whatever the bodies. With friction so is all else where
   (1 - 2 nu)/G is the same on both sides: no shear from pressing. */
static void test_dissimilar(void) {
  const double half = 2.1e-4, E = 2.03e11, G = E / 2.62, nu = 0.12;
  const double G_2 = G * (1.0 - 2.0 * nu) / (1.0 - 0.62);
  test_cylinders c = make(16, half, 0.31 * E, 0.43, 1e-9);
  CHECK_BELOW(test_cylinders_press(&c, half), 0.032);
  test_pair_close(&c.pair);
  c = make(16, half, 2.0 * G_2 * (1.0 + nu), nu, 0.37);
  double mean = 0.0;
  for (int place = 0; place < 5; place++) {
    const double a = half * (1.0 + 0.2 * place / 16.0), pressure = test_cylinders_press(&c, a);
    if (place == 0) CHECK_BELOW(pressure, 0.032);
    mean += 0.2 * test_cylinders_cycle(&c, a, 0.5, NULL);
  }
  printf("# dissimilar bodies: dissipation %+.2g\n", mean);
  CHECK_NEAR(mean, 0.0, 0.02);
  test_pair_close(&c.pair);
}

/* ---- a receding contact ---- */

/* A plate on a block, pressed in the middle: with the first load part of it lifts off, and then all
   grows in proportion to the load, contact area unchanged. */
static void test_receding(void) {
  static const char *const name[] = { "block", "plate" };
  const double size[2][3] = { { 0.16, 0.01, 0.06 }, { 0.16, 0.01, 0.01 } };
  const ms_fem_contact contact = { .name = "joint",
                                   .faces = { "plate.bottom", "block.top" },
                                   .mu = 0.3 };
  double lambda[3 * 130], down = 0.0;
  ms_mesh *mesh;
  ms_fem_model *model;
  ms_fem_condensed condensed;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  for (int k = 0; k < 2; k++) {
    const ms_part part = { .name = name[k], .material = ms_material_isotropic(2.1e11, 0.29, 7800) };
    const ms_brick brick = { .at = { 0.0, 0.0, k ? 0.0 : -size[k][2] },
                             .size = { size[k][0], size[k][1], size[k][2] },
                             .n = { 64, 1, k ? 4 : 12 } };
    int index;
    CHECK_OK(ms_mesh_add_part(mesh, &part, &index));
    CHECK_OK(ms_mesh_add_brick(mesh, index, "hex8", &brick));
  }
  CHECK_OK(ms_fem_create(test_context(), mesh, &model));
  static const char *const flat[] = { "block.front", "block.back", "plate.front", "plate.back" };
  for (int k = 0; k < 4; k++) CHECK_OK(ms_fem_fix_set(model, flat[k], 2));
  CHECK_OK(ms_fem_fix_set(model, "block.bottom", MS_FEM_TRANSLATIONS));
  CHECK_OK(ms_fem_add_contact(model, &contact));
  CHECK_OK(ms_fem_setup(model, NULL));
  double *load = calloc((size_t)ms_fem_get_size(model), sizeof *load);
  for (int j = 0; j < 2; j++) {
    const double at[3] = { 0.5 * size[1][0], j * size[1][1], size[1][2] };
    double distance;
    const ptrdiff_t node = ms_mesh_find_nearest(mesh, 1, at, &distance);
    load[ms_fem_get_index(model, node, 2)] = -0.5;
  }
  CHECK_OK(ms_fem_condense(model, 1, load, &condensed));
  const ms_contact_problem problem = ms_fem_condensed_get(&condensed);
  CHECK_EQUAL(condensed.n_point, 130);
  for (int k = 0; k < 2; k++) {
    const double P = k ? 5.3e4 : 7.1;
    ms_contact *c;
    CHECK_OK(ms_contact_create(test_context(), &problem, NULL, &c));
    CHECK_OK(ms_contact_load(c, &P));
    const ms_contact_state state = ms_contact_get(c);
    const ms_contact_sum sum = ms_contact_add_up(c, -1);
    CHECK(sum.open > 60 && sum.open < 126);
    CHECK_CLOSE(sum.force[2], P, 1e-9);
    for (ptrdiff_t i = 0; i < 390; i++) {
      if (k) CHECK_NEAR(state.lambda[i] / P, lambda[i], 1e-9);
      lambda[i] = state.lambda[i] / P;
    }
    if (k) CHECK_CLOSE(state.v[0] / P, down, 1e-9);
    down = state.v[0] / P;
    printf("# receding contact: half width %.3g of the plate's thickness\n",
           (double)(sum.n - sum.open) / 2.0 / 64.0 * size[1][0] / 2.0 / size[1][2]);
    ms_contact_destroy(&c);
  }
  ms_fem_condensed_free(test_context(), &condensed);
  free(load);
  ms_fem_destroy(&model);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_leaks_ignore();
  CHECK_OK(ms_fem_start(test_context(), NULL));
  test_leaks_watch();
  TEST(test_rod);
  TEST(test_in_phase);
  TEST(test_dissimilar);
  TEST(test_receding);
  return test_leaks_finish();
}
