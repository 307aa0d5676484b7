/* Default values of the settings of meshes and models, as the headers promise. */
#include <math.h>

#include <microslip/fem.h>
#include <microslip/fem_model.h>

#include "support/check.h"

#define IS(value, wanted) CHECK((double)(value) == (double)(wanted))

static void test_meshes(void) {
  const ms_mesh_check_settings check = ms_mesh_check_defaults();
  IS(check.min_quality, 0.1);
  IS(check.tolerance, 1e-9);
  const ms_surface_settings surface = ms_surface_defaults();
  CHECK_CLOSE(surface.edge_angle, acos(-1.0) / 6.0, 1e-15);
  IS(surface.max_face, 20000);
  const ms_mesh_read_settings read = ms_mesh_read_defaults();
  CHECK(read.format == NULL && read.part == NULL);
  IS(read.length, 1), IS(read.mass, 1), IS(read.time, 1), IS(read.n_part, 0);
}

static void test_models(void) {
  const ms_fem_settings s = ms_fem_defaults();
  IS(s.lumped, 0);
  IS(s.route, MS_FEM_AUTO);
  IS(s.memory, 0);
  IS(s.tolerance, 1e-10);
  IS(s.shift, 0);
  IS(s.check_count, 1);
}

int main(void) {
  TEST(test_meshes);
  TEST(test_models);
  return test_finish();
}
