/* Patch test of every solid of the table: constant strain, exact on any mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/impl.h"
#include "support/check.h"
#include "support/fem/band.h"
#include "support/fem/meshes.h"

static const double patch_at[3] = { 0.1, -0.2, 0.3 }, patch_size[3] = { 1.3, 1.7, 1.1 };
static const double gradient[9] = { 1.1e-3,  -0.3e-3, 0.7e-3, 0.45e-3, 0.8e-3,
                                    -0.2e-3, 0.15e-3, 0.6e-3, -0.9e-3 };

/* A brick of 3 x 3 x 3 whose inner nodes stray, each for itself, so that edges are curved too. */
static ms_mesh *patch_mesh(const char *element, const ms_part *part, ptrdiff_t *moved) {
  ms_mesh *mesh;
  ms_brick brick = { .n = { 3, 3, 3 } };
  memcpy(brick.at, patch_at, sizeof patch_at);
  memcpy(brick.size, patch_size, sizeof patch_size);
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  CHECK_OK(ms_mesh_add_part(mesh, part, NULL));
  CHECK_OK(ms_mesh_add_brick(mesh, 0, element, &brick));
  *moved = 0;
  for (ptrdiff_t i = 0; i < mesh->n_node; i++) {
    double *x = mesh->x + 3 * i;
    int inside = 1;
    for (int a = 0; a < 3; a++) {
      inside &= x[a] > patch_at[a] + 1e-9 && x[a] < patch_at[a] + patch_size[a] - 1e-9;
    }
    for (int a = 0; inside && a < 3; a++) x[a] += 0.05 * sin(2.3 * (double)(3 * i + a));
    *moved += inside;
  }
  return mesh;
}

static test_band patch_band(const ms_mesh *mesh, ptrdiff_t moved) {
  static const char *const sides[] = { "left", "right", "front", "back", "bottom", "top" };
  test_band b = test_band_open(mesh, 3);
  ptrdiff_t n_free = 0;
  for (int s = 0; s < 6; s++) {
    char name[64];
    snprintf(name, sizeof name, "specimen.%s", sides[s]);
    test_band_fix_set(&b, name, 7);
  }
  for (ptrdiff_t i = 0; i < b.n; i++) n_free += !b.fixed[i];
  CHECK(moved >= 8);
  CHECK_EQUAL(n_free, 3 * moved);
  return b;
}

static double energy_density(const ms_part *part) {
  ms_property p;
  double sum = 0.0;
  CHECK_OK(ms_property_prepare(test_context(), part, MS_NEEDS_MATERIAL, &p));
  for (int i = 0; i < 81; i++) sum += p.C[i] * gradient[i % 9] * gradient[i / 9];
  return sum;
}

/* Linear displacements given on the surface come out inside, and the stress is the same everywhere,
   which the energy sees. */
static void patch(const char *element, int orthotropic) {
  static const double start[3] = { 1e-3, 2e-3, -1e-3 };
  ms_part part = test_part(orthotropic);
  ptrdiff_t moved;
  ms_mesh *mesh = patch_mesh(element, &part, &moved);
  test_band b = patch_band(mesh, moved);
  double *u = calloc((size_t)b.n, sizeof *u), *f = calloc((size_t)b.n, sizeof *f);
  double *want = calloc((size_t)b.n, sizeof *want), worst = 0.0, most = 0.0;
  test_affine((int)mesh->n_node, gradient, start, mesh->x, want);
  for (ptrdiff_t i = 0; i < b.n; i++) u[i] = b.fixed[i] ? want[i] : 0.0;
  double energy = test_band_solve(&b, f, u);
  for (ptrdiff_t i = 0; i < b.n; i++) {
    worst = fmax(worst, fabs(u[i] - want[i]));
    most = fmax(most, fabs(want[i]));
  }
  test_below(__FILE__, __LINE__, element, worst / most, 1e-12);
  CHECK_CLOSE(energy, energy_density(&part) * patch_size[0] * patch_size[1] * patch_size[2], 1e-12);
  printf("# patch %s: displacement %.1e\n", element, worst / most);
  free(u);
  free(f);
  free(want);
  test_band_close(&b);
  ms_mesh_destroy(&mesh);
}

static void test_patch(void) {
  for (int k = 0; k < ms_n_elements; k++) {
    if (ms_elements[k]->info.dimension != 3) continue;
    patch(ms_elements[k]->info.name, 0);
    patch(ms_elements[k]->info.name, 1);
  }
}

int main(void) {
  TEST(test_patch);
  return test_finish();
}
