/* Motions of a structure on the meshes of its bodies: recovered, named, written and pictured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/fem_model.h>
#include <microslip/structure.h>

#include "support/check.h"
#include "support/fem/meshes.h"
#include "support/files.h"

static const double size[3] = { 1.3, 0.7, 0.9 };
static const int elements[3] = { 2, 1, 1 };
static char coordinate_of[2][8] = { "tip.ux", "q1" };
static char *const coordinate[2] = { coordinate_of[0], coordinate_of[1] };
static const ms_fem_node named[] = { { .name = "tip", .node = 5, .at = { 1.3, 0.7, 0.9 } } };

enum { NODES = 12, ROWS = 3 * NODES };
static double basis[2][2 * ROWS];

/* Two bricks, "low" and "top"; the basis of each has numbers of no pattern. */
static ms_status make(ms_context *ctx, ms_mesh **mesh, ms_fem_body *body, ms_structure **s) {
  static const char *const names[] = { "low.tip.ux", "low.tip.uy", "low.tip.uz",
                                       "low.q1",     "top.tip.ux", "top.q1" };
  static const char *const body_name[] = { "low", "top" };
  *mesh = test_brick("hex8", size, elements, 2.0, 0.3, 1.0);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2 * ROWS; i++) basis[k][i] = sin(1.0 + 2.7 * i + 0.9 * k);
    body[k] = (ms_fem_body) { *mesh, body_name[k], 2, coordinate, basis[k], 1, named };
  }
  return ms_structure_create(ctx, 6, names, s);
}

static const double u[6] = { 0.31, -1.7, 0.43, 2.385, -0.77, 1.19 };

static void test_recovered(void) {
  ms_mesh *mesh;
  ms_structure *s;
  ms_fem_body body[2];
  double field[ROWS];
  CHECK_OK(make(test_context(), &mesh, body, &s));
  CHECK_EQUAL(ms_mesh_count_nodes(mesh), NODES);
  for (int k = 0; k < 2; k++) {
    CHECK_OK(ms_fem_recover(s, &body[k], u, field));
    for (int i = 0; i < ROWS; i++) {
      const double want = u[4 * k] * basis[k][i] + u[3 + 2 * k] * basis[k][i + ROWS];
      CHECK_NEAR(field[i], want, 1e-14);
    }
  }
  body[0].name = NULL; /* then the structure has no such coordinates */
  CHECK_STATUS(ms_fem_recover(s, &body[0], u, field), MS_ERR_NAME);
  ms_structure_destroy(&s);
  ms_mesh_destroy(&mesh);
}

/* Only a node that moves farther than what was found so far. */
static void test_moved(void) {
  ms_mesh *mesh;
  ms_structure *s;
  ms_fem_body body[2];
  double field[ROWS], want = 0.0, most = 0.0;
  char text[160] = "";
  CHECK_OK(make(test_context(), &mesh, body, &s));
  CHECK_OK(ms_fem_recover(s, &body[0], u, field));
  for (int i = 0; i < ROWS; i++) want = fmax(want, fabs(field[i]));
  CHECK_OK(ms_fem_find_moved_part(s, &body[0], u, &most, text, sizeof text));
  CHECK_NEAR(most, want, 0.0);
  CHECK_TEXT(text, "part 'low.part'");
  most = 2.0 * want;
  CHECK_OK(ms_fem_find_moved_part(s, &body[1], u, &most, text, sizeof text));
  CHECK_NEAR(most, 2.0 * want, 0.0);
  CHECK_TEXT(text, "part 'low.part'");
  ms_structure_destroy(&s);
  ms_mesh_destroy(&mesh);
}

/* Bodies one after the other, the mark behind them: of "top" not all translations are kept. */
static void test_pictured(void) {
  ms_mesh *mesh;
  ms_structure *s;
  ms_fem_body body[2];
  ms_fem_picture *picture = NULL;
  double field[ROWS], v[3 * (2 * NODES + 1)];
  CHECK_OK(make(test_context(), &mesh, body, &s));
  CHECK_OK(ms_fem_picture_create(s, 2, body, &picture));
  const ms_fem_picture_view view = ms_fem_picture_get(picture);
  CHECK_EQUAL(view.scene.n_seen, 2 * NODES);
  CHECK_EQUAL(view.scene.n_node, 2 * NODES + 1);
  CHECK_EQUAL(view.n_mark, 1);
  CHECK_TEXT(view.mark[0].label, "low.tip");
  CHECK_OK(ms_fem_picture_move(picture, u, v));
  for (int d = 0; d < 3; d++) {
    CHECK_NEAR(view.scene.x[3 * 2 * NODES + d], named[0].at[d], 0.0);
    CHECK_NEAR(v[3 * 2 * NODES + d], u[d], 0.0);
  }
  CHECK_OK(ms_fem_recover(s, &body[1], u, field));
  const double *x = ms_mesh_get_nodes(mesh);
  for (int i = 0; i < NODES; i++) { /* nodes of the surface come in an order of its own */
    int at = 0;
    while (at < NODES && memcmp(view.scene.x + 3 * (NODES + i), x + 3 * at, 3 * sizeof *x)) at++;
    if (!CHECK(at < NODES)) continue;
    for (int d = 0; d < 3; d++) CHECK_NEAR(v[3 * (NODES + i) + d], field[3 * at + d], 0.0);
  }
  ms_fem_picture_destroy(&picture);
  ms_structure_destroy(&s);
  ms_mesh_destroy(&mesh);
}

static void test_written(void) {
  const ms_fem_motion motion[2] = { { "stuck 1", u }, { "slipped 1", u } };
  ms_mesh *mesh;
  ms_structure *s;
  ms_fem_body body[2];
  size_t n;
  CHECK_OK(make(test_context(), &mesh, body, &s));
  CHECK_OK(ms_fem_write_motions(s, &body[1], 2, motion, test_path("motion.vtu")));
  char *text = test_get(test_path("motion.vtu"), &n);
  CHECK_HAS(text, "\"stuck 1\"");
  CHECK_HAS(text, "\"slipped 1\"");
  free(text);
  ms_structure_destroy(&s);
  ms_mesh_destroy(&mesh);
}

static ms_status picture_it(ms_context *ctx, void *user) {
  const ms_fem_body *body = user;
  static const char *const names[] = { "low.tip.ux", "low.q1", "top.tip.ux", "top.q1" };
  double most = 0.0;
  char text[160];
  ms_structure *s = NULL;
  ms_fem_picture *picture = NULL;
  ms_status status = ms_structure_create(ctx, 4, names, &s);
  if (!status) status = ms_fem_find_moved_part(s, body, u, &most, text, sizeof text);
  if (!status) status = ms_fem_picture_create(s, 2, body, &picture);
  ms_fem_picture_destroy(&picture);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  ms_mesh *mesh;
  ms_structure *s;
  ms_fem_body body[2];
  CHECK_OK(make(test_context(), &mesh, body, &s));
  CHECK(test_allocations(picture_it, body) > 8);
  ms_structure_destroy(&s);
  ms_mesh_destroy(&mesh);
}

int main(void) {
  test_folder_open();
  TEST(test_recovered);
  TEST(test_moved);
  TEST(test_pictured);
  TEST(test_written);
  TEST(test_memory_runs_out);
  test_folder_close();
  return test_finish();
}
