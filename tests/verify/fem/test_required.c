/* What makes a mesh or a model refuses what is NULL and must not be. */
#include <microslip/fem_model.h>

#include "support/check.h"
#include "support/required.h"

static void test_required(void) {
  ms_mesh *mesh = NULL;
  CHECK_OK(ms_mesh_create(test_context(), &mesh));
  REFUSES(ms_mesh, ms_mesh_create(NULL, out));
  REFUSES_NOWHERE(ms_mesh_create(test_context(), NULL));
  REFUSES(ms_mesh, ms_mesh_read(NULL, "none.msh", NULL, out));
  REFUSES(ms_mesh, ms_mesh_read(test_context(), NULL, NULL, out));
  REFUSES_NOWHERE(ms_mesh_read(test_context(), "none.msh", NULL, NULL));
  REFUSES(ms_fem_model, ms_fem_create(NULL, mesh, out));
  REFUSES(ms_fem_model, ms_fem_create(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_fem_create(test_context(), mesh, NULL));
  const ms_mesh *const list[] = { mesh };
  REFUSES(ms_scene, ms_scene_create(NULL, 1, list, 0, NULL, out));
  REFUSES(ms_scene, ms_scene_create(test_context(), 1, NULL, 0, NULL, out));
  REFUSES(ms_scene, ms_scene_create(test_context(), 1, list, 1, NULL, out));
  REFUSES_NOWHERE(ms_scene_create(test_context(), 1, list, 0, NULL, NULL));
  ms_mesh_destroy(&mesh);
}

int main(void) {
  TEST(test_required);
  return test_finish();
}
