/* Joints on levers, and with curvature: what the structure makes of them. */
#include <math.h>
#include <string.h>

#include "structure/impl.h"
#include "support/check.h"
#include "support/joints.h"

enum { N = 3 };
static const double m[N] = { 2.385, 0.71, 1.43 }, K_joint = 5.19;

/* Three masses on springs, and a linear joint between the second and the first. */
static ms_structure *make(void) {
  static const double k[N] = { 7.13, 3.31, 4.57 };
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t i = 0; i < N; i++) {
    CHECK_OK(ms_structure_add_mass(s, i, m[i]));
    CHECK_OK(ms_structure_add_spring(s, MS_GROUND, i, k[i]));
  }
  CHECK_OK(ms_joint_create(test_context(), "linear", &joint));
  CHECK_OK(ms_joint_set(joint, "K", K_joint));
  CHECK_OK(ms_joint_setup(joint));
  CHECK_OK(ms_structure_take_joint(s, "link", &joint, &from, &to));
  return s;
}

/* K_0 = K + K_T b b^T and gamma = Phi^T b, b = (-1 + l_1, 1 + l_2, l_3). */
static void test_lever(void) {
  static const double mapping_row[N] = { 0.37, 0.0, -1.83 }, b[N] = { -0.63, 1.0, -1.83 };
  ms_structure *s = make();
  double K[N * N];
  CHECK_OK(ms_structure_set_mapping_row(s, 0, 0, mapping_row));
  CHECK_OK(ms_structure_setup(s));
  const double *own = ms_structure_get_stiffness(s);
  ms_structure_fill_stuck(s, K);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      CHECK_NEAR(K[i + N * j], own[i + N * j] + K_joint * b[i] * b[j], 1e-14);
    }
  }
  ms_modal v = ms_structure_view(s);
  ms_modes modes = ms_structure_get_stuck(s);
  for (int r = 0; r < N; r++) {
    double z = 0.0;
    for (int i = 0; i < N; i++) z += b[i] * modes.shape[i + N * r];
    CHECK_NEAR(v.gamma[r], z, 1e-14);
  }
  double force[N] = { 0.0 };
  ms_attachment_push(s, &v.attachment[0], 0, 2.9, force);
  for (int i = 0; i < N; i++) CHECK_NEAR(force[i], 2.9 * b[i], 1e-14);
  ms_structure_destroy(&s);
}

/* y^T curvature y/2 is u^T G u/2 for u of the lowest modes; y are the first coordinates of q. */
static void test_curvature(void) {
  static const double G[N * N] = { 1.7, 0.4, -0.3, 0.4, 2.2, 0.9, -0.3, 0.9, 0.8 };
  enum { MODES = 2 };
  static const double y[MODES] = { 0.61, -1.27 };
  ms_structure *s = make();
  CHECK_OK(ms_structure_set_curvature(s, 0, 0, G, MODES));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_setup(s)); /* again */
  ms_modes modes = ms_structure_get_stuck(s);
  const ms_attachment *attachment = &s->attachment[0];
  CHECK_EQUAL(attachment->n_curved, MODES);
  CHECK_EQUAL(attachment->first_curved, 1);
  CHECK_EQUAL(s->n_curved, MODES);
  double u[N] = { 0.0 }, by_u = 0.0, by_y = 0.0;
  for (int i = 0; i < N; i++) {
    for (int r = 0; r < MODES; r++) u[i] += modes.shape[i + N * r] * y[r];
  }
  for (int ij = 0; ij < N * N; ij++) by_u += 0.5 * G[ij] * u[ij % N] * u[ij / N];
  for (int ij = 0; ij < MODES * MODES; ij++) {
    by_y += 0.5 * attachment->curvature[0][ij] * y[ij % MODES] * y[ij / MODES];
  }
  CHECK_CLOSE(by_y, by_u, 1e-13);
  for (int c = 0; c < MODES; c++) {
    for (int r = 0; r < N; r++)
      CHECK_NEAR(s->gamma[r + N * (attachment->first_curved + c)], r == c, 0.0);
  }
  ms_structure_destroy(&s);
}

static void test_refusals(void) {
  static const double mapping_row[N] = { 0.37, NAN, -1.83 };
  static const double skew[N * N] = { 1.0, 0.4, 0.0, -0.4, 1.0, 0.0, 0.0, 0.0, 1.0 };
  ms_structure *s = make();
  CHECK_STATUS(ms_structure_set_mapping_row(s, 1, 0, m), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_structure_set_mapping_row(s, 0, 1, m), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_structure_set_mapping_row(s, 0, 0, mapping_row), MS_ERR_NUMERIC);
  CHECK_STATUS(ms_structure_set_curvature(s, 0, 0, skew, 0), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_structure_set_curvature(s, 0, 0, skew, -1), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

static ms_status build(ms_context *ctx, void *user) {
  static const double mapping_row[N] = { 0.37, 0.0, -1.83 },
                      G[N * N] = { 1.7, 0, 0, 0, 2.2, 0, 0, 0, 0.8 };
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  (void)user;
  ms_status status = ms_structure_create(ctx, N, NULL, &s);
  for (ptrdiff_t i = 0; status == MS_SUCCESS && i < N; i++) {
    status = ms_structure_add_mass(s, i, m[i]);
  }
  if (status == MS_SUCCESS) status = ms_joint_create(ctx, "linear", &joint);
  if (status == MS_SUCCESS) status = ms_joint_set(joint, "K", K_joint);
  if (status == MS_SUCCESS) status = ms_joint_setup(joint);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(s, "link", &joint, &from, &to);
  if (status == MS_SUCCESS) status = ms_structure_set_mapping_row(s, 0, 0, mapping_row);
  if (status == MS_SUCCESS) status = ms_structure_set_curvature(s, 0, 0, G, 0);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  ms_joint_destroy(&joint);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(build, NULL) > 10);
}

int main(void) {
  test_run("a lever", test_lever);
  test_run("curvature in modes", test_curvature);
  test_run("what is refused", test_refusals);
  test_run("memory runs out", test_memory_runs_out);
  return test_finish();
}
