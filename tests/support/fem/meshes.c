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
