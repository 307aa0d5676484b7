#include "support/fem/meshes.h"

#include <string.h>

#include "fem/impl.h"
#include "support/check.h"

ms_mesh *test_mesh(double E, double nu, double rho) {
  ms_mesh *mesh;
  ms_part part = { .name = "part", .material = ms_material_isotropic(E, nu, rho) };
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  CHECK_OK(ms_mesh_add_part(mesh, &part, NULL));
  return mesh;
}

ms_mesh *test_brick(const char *element, const double *size, const int *n, double E, double nu,
                    double rho) {
  ms_mesh *mesh = test_mesh(E, nu, rho);
  ms_brick brick = { .at = { 0.0 } };
  memcpy(brick.size, size, sizeof brick.size);
  memcpy(brick.n, n, sizeof brick.n);
  CHECK_OK(ms_mesh_add_brick(mesh, 0, element, &brick));
  return mesh;
}

ms_mesh *test_beam(const char *element, const ms_part *part, double L, const double *direction,
                   int n) {
  ms_mesh *mesh;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  CHECK_OK(ms_mesh_add_part(mesh, part, NULL));
  for (int32_t i = 0; i <= n; i++) {
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = direction[a] * L * i / n;
    CHECK_OK(ms_mesh_add_nodes(mesh, 1, x, NULL, NULL));
    int32_t node[2] = { i - 1, i };
    if (i > 0) CHECK_OK(ms_mesh_add_elements(mesh, 0, element, 1, node, NULL, NULL));
  }
  return mesh;
}

double *test_nodes(ms_mesh *mesh) {
  return mesh->x;
}

ms_part test_part(int orthotropic) {
  ms_part part = { .name = "specimen",
                   .material = ms_material_isotropic(71.3, 0.317, 2.7),
                   .section = { 0.173, 0.0113, 0.0271, 0.0307, 0.81, 0.77, { 0.1, 0.9, 0.3 } },
                   .mass = 4.19,
                   .inertia = { 1.3, 1.7, 2.1, 0.2, -0.1, 0.3 },
                   .stiffness = { 31.0, 17.0, 53.0, 7.0, 11.0, 5.0 } };
  const double axes[9] = { 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6 };
  if (!orthotropic) return part;
  part.material = (ms_material) {
    .rho = 2.7, .E = { 71.3, 23.1, 11.7 }, .nu = { 0.27, 0.31, 0.19 }, .G = { 13.1, 9.7, 5.3 }
  };
  memcpy(part.axes, axes, sizeof axes);
  return part;
}

void test_affine(int n, const double *A, const double *b, const double *from, double *to) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      to[3 * i + a] = b[a];
      for (int c = 0; c < 3; c++) to[3 * i + a] += A[a + 3 * c] * from[3 * i + c];
    }
  }
}
