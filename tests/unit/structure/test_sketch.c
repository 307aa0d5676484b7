/* Sketches: places, lines and marks of a chain, a beam and points, and how they move. */
#include <math.h>
#include <microslip/sketch.h>
#include <string.h>

#include "support/check.h"

/* Three masses, the first on the ground, springs to both others, a joint between the last two. */
static ms_status make_chain(ms_context *ctx, ms_structure **out) {
  static const char *const names[] = { "low", "mid", "top" };
  const ptrdiff_t from = 1, to = 2;
  ms_joint *slider = NULL;
  MS_TRY(ms_structure_create(ctx, 3, names, out));
  for (int i = 0; i < 3; i++) MS_TRY(ms_structure_add_mass(*out, i, 1.7 + 0.3 * i));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, 31.0));
  MS_TRY(ms_structure_add_spring(*out, 0, 1, 17.0));
  MS_TRY(ms_structure_add_spring(*out, 0, 2, 7.3));
  MS_TRY(ms_joint_create(ctx, "jenkins", &slider));
  ms_status status = ms_joint_set(slider, "F_S", 11.3);
  if (status == MS_SUCCESS) status = ms_joint_set(slider, "K_T", 22.7);
  if (status == MS_SUCCESS) status = ms_joint_setup(slider);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(*out, "lap", &slider, &from, &to);
  ms_joint_destroy(&slider);
  MS_TRY(status);
  return ms_structure_setup(*out);
}

static int count_lines(const ms_sketch_view *v, ms_sketch_line kind) {
  int n = 0;
  for (ptrdiff_t i = 0; i < v->n_line; i++) n += v->kind[i] == kind;
  return n;
}

static void test_chain(void) {
  const double phi[] = { 0.31, -0.72, 1.13 };
  ms_structure *s = NULL;
  ms_sketch *sketch = NULL;
  CHECK_OK(make_chain(test_context(), &s));
  CHECK_OK(ms_sketch_create_chain(s, &sketch));
  const ms_sketch_view v = ms_sketch_get(sketch);
  double u[3 * 100] = { 0.0 };
  if (!CHECK(v.n_node > 3 && v.n_node < 100)) return;
  ms_sketch_add_motion(sketch, phi, u);
  for (int i = 0; i < 3; i++) {
    CHECK(v.x[3 * i] == i && v.x[3 * i + 1] == 0.0 && v.x[3 * i + 2] == 0.0);
    CHECK(u[3 * i] == 0.0 && u[3 * i + 2] == phi[i]); /* drawn upwards */
  }
  CHECK_EQUAL(count_lines(&v, MS_SKETCH_SPRING), 2); /* to the ground and to the neighbour */
  CHECK(count_lines(&v, MS_SKETCH_THIN) > 3);        /* past it */
  CHECK(count_lines(&v, MS_SKETCH_JOINT) > 3);
  int grounds = 0, joints = 0;
  for (ptrdiff_t k = 0; k < v.n_mark; k++) {
    const ms_sketch_mark *m = &v.mark[k];
    grounds += m->kind == MS_SKETCH_AT_GROUND;
    if (m->kind == MS_SKETCH_AT_GROUND) CHECK(u[3 * m->node + 2] == 0.0);
    if (m->kind != MS_SKETCH_AT_JOINT) continue;
    joints++;
    CHECK_TEXT(m->label, "lap"); /* in the middle between what it joins, and below */
    CHECK_CLOSE(v.x[3 * m->node], 1.5, 1e-12);
    CHECK(v.x[3 * m->node + 2] < 0.0);
    CHECK_CLOSE(u[3 * m->node + 2], 0.5 * (phi[1] + phi[2]), 1e-12);
  }
  CHECK(grounds == 1 && joints == 1);
  ms_sketch_destroy(&sketch);
  ms_sketch_destroy(&sketch);
  ms_structure_destroy(&s);
}

/* A cubic is met everywhere between the nodes. */
static void test_beam(void) {
  const ms_beam beam = { .L = 0.6137,
                         .A = 2.077e-4,
                         .I = 4.653e-10,
                         .E = 2.083e11,
                         .rho = 7834.0,
                         .elements = 3,
                         .start = MS_BEAM_CLAMPED,
                         .end = MS_BEAM_FREE };
  ms_structure *s = NULL;
  ms_sketch *sketch = NULL;
  ms_beam_node *node = NULL;
  ptrdiff_t n = 0;
  double phi[16] = { 0.0 }, u[3 * 400] = { 0.0 };
  CHECK_OK(ms_beam_make_structure(test_context(), &beam, &s));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_beam_find_nodes(&beam, s, &n, &node));
  CHECK_EQUAL(n, 4);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double x = node[k].x;
    if (node[k].uy != MS_GROUND) phi[node[k].uy] = x * x * (3.0 - 2.0 * x);
    if (node[k].rz != MS_GROUND) phi[node[k].rz] = 6.0 * x * (1.0 - x);
  }
  CHECK_OK(ms_sketch_create_beam(s, n, node, &sketch));
  const ms_sketch_view v = ms_sketch_get(sketch);
  if (!CHECK(v.n_node > 50 && v.n_node < 400)) return;
  ms_sketch_add_motion(sketch, phi, u);
  for (ptrdiff_t i = 0; i < v.n_node; i++) {
    const double x = v.x[3 * i];
    CHECK_NEAR(u[3 * i + 2], x * x * (3.0 - 2.0 * x), 1e-14);
  }
  CHECK(v.n_mark == 1 && v.mark[0].node == 0 && v.mark[0].kind == MS_SKETCH_AT_GROUND);
  CHECK_EQUAL(count_lines(&v, MS_SKETCH_BODY), (int)v.n_line);
  ms_sketch_destroy(&sketch);
  CHECK_STATUS(ms_sketch_create_beam(s, 0, node, &sketch), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_sketch_create_chain(NULL, &sketch), MS_ERR_ARGUMENT);
  ms_free(test_context(), &node);
  ms_structure_destroy(&s);
}

static const ms_sketch_point point[] = {
  { "base", { 0.11, -0.23, 0.37 }, { MS_GROUND, MS_GROUND, MS_GROUND } },
  { "arm", { 1.31, 0.43, -0.19 }, { 1, MS_GROUND, 0 } },
  { "tip", { 2.17, 0.89, 0.53 }, { MS_GROUND, 2, MS_GROUND } },
};
static const int32_t line[] = { 0, 1, 1, 2 };

/* Many points without lines are marks without names, so that something is drawn. */
static void test_many_points(void) {
  enum { N = 60 };
  ms_sketch_point many[N];
  ms_structure *s = NULL;
  ms_sketch *sketch = NULL;
  for (int i = 0; i < N; i++) {
    many[i] = (ms_sketch_point) { "p", { 0.1 * i, 0.0, 0.0 }, { MS_GROUND, MS_GROUND, 0 } };
  }
  CHECK_OK(make_chain(test_context(), &s));
  CHECK_OK(ms_sketch_create_points(s, N, many, 0, NULL, &sketch));
  const ms_sketch_view v = ms_sketch_get(sketch);
  if (!CHECK(v.n_mark >= N)) return;
  for (ptrdiff_t i = 0; i < N; i++) CHECK(!v.mark[i].label && v.mark[i].node == i);
  ms_sketch_destroy(&sketch);
  CHECK_OK(ms_sketch_create_points(s, N, many, 1, line, &sketch));
  CHECK(ms_sketch_get(sketch).n_mark < N);
  ms_sketch_destroy(&sketch);
  ms_structure_destroy(&s);
}

/* In space: each degree of freedom along its axis, the joint between arm and tip. */
static void test_points(void) {
  const double phi[] = { 0.31, -0.72, 1.13 };
  const double want[] = { 0.0, 0.0, 0.0, phi[1], 0.0, phi[0], 0.0, phi[2], 0.0 };
  const int32_t wrong[] = { 0, 3 };
  ms_sketch_point bad = point[1];
  ms_structure *s = NULL;
  ms_sketch *sketch = NULL;
  CHECK_OK(make_chain(test_context(), &s));
  CHECK_OK(ms_sketch_create_points(s, 3, point, 2, line, &sketch));
  const ms_sketch_view v = ms_sketch_get(sketch);
  double u[3 * 100] = { 0.0 };
  if (!CHECK(v.n_node > 3 && v.n_node < 100)) return;
  ms_sketch_add_motion(sketch, phi, u);
  for (int i = 0; i < 9; i++) {
    CHECK(v.x[i] == point[i / 3].x[i % 3]);
    CHECK(u[i] == want[i]);
  }
  CHECK_EQUAL(count_lines(&v, MS_SKETCH_BODY), 2);
  CHECK(count_lines(&v, MS_SKETCH_JOINT) > 3);
  CHECK(v.n_mark == 4 && v.mark[3].kind == MS_SKETCH_AT_JOINT);
  const double *middle = v.x + 3 * v.mark[3].node; /* between arm and tip, also in y */
  CHECK_CLOSE(middle[1], 0.5 * (0.43 + 0.89), 1e-12);
  CHECK(middle[2] < 0.5 * (0.53 - 0.19));
  ms_sketch_destroy(&sketch);
  CHECK_STATUS(ms_sketch_create_points(s, 3, point, 1, wrong, &sketch), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "line 0 has no point 3");
  bad.dof[2] = 3;
  CHECK_STATUS(ms_sketch_create_points(s, 1, &bad, 0, NULL, &sketch), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "no degree of freedom 3");
  CHECK_STATUS(ms_sketch_create_points(s, 0, point, 0, NULL, &sketch), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

/* P.x, P.ux or P itself; what would be drawn twice is refused, in either order. */
static void test_names(void) {
  static const char *const dof[] = { "tip.ux", "tip.z", "arm.y", "flap" };
  ms_sketch_point p[] = { { .name = "base" }, { .name = "flap" }, { .name = "tip" },
                          { .name = "arm" },  { .name = "wall" }, { .name = "tip.ux" } };
  char text[40];
  ptrdiff_t wrong = 7;
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 4, dof, &s));
  CHECK_OK(ms_sketch_find_points(s, 5, p, &wrong));
  CHECK_EQUAL(wrong, -1);
  CHECK(p[2].dof[0] == 0 && p[2].dof[1] == MS_GROUND && p[2].dof[2] == 1);
  CHECK(p[1].dof[2] == 3 && p[1].dof[0] == MS_GROUND && p[3].dof[1] == 2);
  CHECK_EQUAL(ms_sketch_print_still(5, p, text, sizeof text), 2);
  CHECK_TEXT(text, "base, wall");
  CHECK_EQUAL(ms_sketch_print_still(5, p, text, 14), 2);
  CHECK_TEXT(text, "base, ...");
  CHECK_STATUS(ms_sketch_find_points(s, 6, p, &wrong), MS_ERR_NAME);
  CHECK_EQUAL(wrong, 5);
  CHECK_HAS(ms_context_message(test_context()), "'tip.ux' has the name of a degree of freedom of");
  p[0].name = "tip.z";
  CHECK_STATUS(ms_sketch_find_points(s, 4, p, &wrong), MS_ERR_NAME);
  CHECK_EQUAL(wrong, 0);
  p[0].name = "arm";
  CHECK_STATUS(ms_sketch_find_points(s, 4, p, &wrong), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "the point 'arm' is there twice");
  p[0].name = "Tip";
  CHECK_STATUS(ms_sketch_find_points(s, 1, p, &wrong), MS_ERR_NAME);
  CHECK_EQUAL(wrong, -1);
  ms_structure_destroy(&s);
}

static ms_status draw(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_sketch *sketch = NULL;
  (void)user;
  ms_status status = make_chain(ctx, &s);
  if (status == MS_SUCCESS) status = ms_sketch_create_chain(s, &sketch);
  ms_sketch_destroy(&sketch);
  if (status == MS_SUCCESS) status = ms_sketch_create_points(s, 3, point, 2, line, &sketch);
  ms_sketch_destroy(&sketch);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_fails(void) {
  test_allocations(draw, NULL);
}

int main(void) {
  TEST(test_chain);
  TEST(test_beam);
  TEST(test_points);
  TEST(test_many_points);
  TEST(test_names);
  TEST(test_memory_fails);
  return test_finish();
}
