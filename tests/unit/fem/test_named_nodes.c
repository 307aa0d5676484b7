/* Nodes by name: terms, patterns of what is kept, joints as springs; conditions of a mesh file. */
#include <math.h>
#include <string.h>

#include <microslip/joint.h>

#include "fem/model/model.h"
#include "support/check.h"
#include "support/fem/meshes.h"

static const char *message(void) {
  return ms_context_message(test_context());
}

static const double size[3] = { 1.3, 0.7, 0.9 };
static const int elements[3] = { 2, 1, 1 };

static const ms_fem_node nodes[] = { { .name = "lap.1", .node = 0, .number = 1 },
                                     { .name = "lap.2", .node = 3, .number = 2 },
                                     { .name = "tip", .node = 5 } };

static ms_fem_model *make(ms_mesh **mesh) {
  ms_fem_model *m = NULL;
  *mesh = test_brick("hex8", size, elements, 2.0, 0.3, 1.0);
  CHECK_OK(ms_fem_create(test_context(), *mesh, &m));
  return m;
}

static void test_terms(void) {
  ms_fem_term t;
  CHECK(ms_fem_find_term(3, nodes, "lap.2.uz", -1.0, &t));
  CHECK_EQUAL(t.node, 3);
  CHECK_EQUAL(t.component, 2);
  CHECK_NEAR(t.factor, -1.0, 0.0);
  CHECK(!ms_fem_find_term(3, nodes, "lap.ux", 1.0, &t));
  CHECK(!ms_fem_find_term(3, nodes, "tip.q", 1.0, &t));
  CHECK(!ms_fem_find_term(3, nodes, "q1", 1.0, &t));
}

/* A set's name stands for its nodes; nothing is kept twice. */
static void test_kept(void) {
  ms_mesh *mesh;
  ms_fem_model *m = make(&mesh);
  unsigned char kept[3] = { 0 };
  CHECK_OK(ms_fem_keep_matching(m, "lap.uy", 3, nodes, kept));
  CHECK_EQUAL(m->n_kept, 2);
  CHECK_EQUAL(kept[0], 2);
  CHECK_OK(ms_fem_keep_matching(m, "lap.2", 3, nodes, kept));
  CHECK_EQUAL(m->n_kept, 4);
  CHECK_EQUAL(kept[1], MS_FEM_TRANSLATIONS);
  CHECK_OK(ms_fem_keep_matching(m, "t*", 3, nodes, kept));
  CHECK_EQUAL(m->n_kept, 7);
  CHECK_STATUS(ms_fem_keep_matching(m, "bolt.*", 3, nodes, kept), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "'bolt.*' matches no named node, such as 'lap.1'");
  ms_fem_destroy(&m);
  ms_mesh_destroy(&mesh);
}

/* A linear law between two coordinates is a spring of its stiffness. */
static void test_joints(void) {
  static const char *const names[2] = { "lap.1.ux", "tip.ux" };
  const ptrdiff_t from = 0, to = 1;
  ms_mesh *mesh;
  ms_fem_model *m = make(&mesh);
  ms_structure *s = NULL;
  ms_joint *joint = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, names, &s));
  for (int i = 0; i < 2; i++) CHECK_OK(ms_structure_add_mass(s, i, 2.385));
  CHECK_OK(ms_joint_create(test_context(), "linear", &joint));
  CHECK_OK(ms_joint_set(joint, "K", 713.0));
  CHECK_OK(ms_joint_setup(joint));
  CHECK_OK(ms_structure_take_joint(s, "bolt", &joint, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_fem_add_joints(m, s, 1, 3, nodes));
  CHECK_EQUAL(m->n_spring, 1);
  if (m->n_spring == 1) {
    CHECK_NEAR(m->spring[0].k, 713.0, 0.0);
    CHECK_EQUAL(m->spring[0].n, 2);
    CHECK_EQUAL(m->spring[0].index[1], ms_fem_get_index(m, 5, 0));
  }
  CHECK_STATUS(ms_fem_add_joints(m, s, 1, 2, nodes), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "joint bolt: tip.ux is not a degree of freedom");
  ms_structure_destroy(&s);
  ms_fem_destroy(&m);
  ms_mesh_destroy(&mesh);
}

/* A rigid spider's reference stands for its node: fixing that fixes the reference. */
static void test_conditions(void) {
  ms_mesh *mesh;
  ms_fem_model *m = make(&mesh);
  const int32_t held = 5;
  ptrdiff_t reference = -1, none = 7;
  CHECK_OK(ms_mesh_add_set(mesh, MS_SET_NODES, "held", 1, &held, NULL));
  const ms_condition rigid = {
    .kind = MS_CONDITION_RIGID, .nodes = "part.left", .reference = held, .components = MS_FEM_ALL
  };
  const ms_condition fix = {
    .kind = MS_CONDITION_FIX, .nodes = "held", .reference = -1, .components = MS_FEM_ALL
  };
  const ms_condition some = {
    .kind = MS_CONDITION_AVERAGE, .nodes = "part.left", .reference = held, .components = 3
  };
  CHECK_OK(ms_fem_add_condition(m, "hub", &rigid, &reference));
  CHECK_EQUAL(reference, ms_mesh_count_nodes(mesh));
  CHECK_OK(ms_fem_add_condition(m, "clamp", &fix, &none));
  CHECK_EQUAL(none, -1);
  CHECK_EQUAL(m->n_stand_in, 1);
  CHECK_STATUS(ms_fem_add_condition(m, "other", &some, &none), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "couples only some directions");
  ms_fem_destroy(&m);
  ms_mesh_destroy(&mesh);
}

/* Terms from 1 to 64 in a link, to 48 in a spring; nodes, directions and numbers that there are. */
static void test_refused(void) {
  ms_mesh *mesh;
  ms_fem_model *m = make(&mesh);
  const ptrdiff_t n = ms_mesh_count_nodes(mesh);
  const int32_t corner[1] = { 0 };
  const double at[3] = { 0.0, NAN, 0.0 };
  ms_fem_term term[65];
  ms_condition_term of_file[65];
  ms_condition equation = { .kind = MS_CONDITION_EQUATION, .reference = -1, .term = of_file };
  ms_spider spider = { .name = "hub", .kind = MS_SPIDER_RIGID, .n = 1, .node = corner };
  ptrdiff_t none;
  for (int i = 0; i < 65; i++) {
    term[i] = (ms_fem_term) { i % n, i / (int)n % 3, 1.7 };
    of_file[i] = (ms_condition_term) { (int32_t)(i % n), i / (int)n % 3, 1.7 };
  }
  CHECK_OK(ms_fem_link(m, "sum", 64, term, 0.0));
  CHECK_STATUS(ms_fem_link(m, "sum", 65, term, 0.0), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "'sum': 1 to 64 terms, not 65");
  CHECK_STATUS(ms_fem_link(m, "sum", 0, term, 0.0), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_fem_link(m, "sum", 2, term, INFINITY), MS_ERR_NUMERIC);
  CHECK_HAS(message(), "'sum': a value is not finite");
  CHECK_OK(ms_fem_add_spring(m, 48, term, 2.3));
  CHECK_STATUS(ms_fem_add_spring(m, 49, term, 2.3), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "'spring': 1 to 48 terms, not 49");
  equation.n_term = 64;
  CHECK_OK(ms_fem_add_condition(m, "mean", &equation, &none));
  equation.n_term = 65;
  CHECK_STATUS(ms_fem_add_condition(m, "mean", &equation, &none), MS_ERR_BOUNDS);
  CHECK_HAS(message(), "an equation of 65 terms; at most 64");
  equation.name = "mean";
  of_file[7].node = (int32_t)n;
  CHECK_STATUS(ms_mesh_add_condition(mesh, &equation), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "condition 'mean' is on a node that is not in the mesh");
  CHECK_OK(ms_fem_fix(m, "clamp", n - 1, MS_FEM_ALL));
  CHECK_STATUS(ms_fem_fix(m, "clamp", n, MS_FEM_ALL), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "'clamp': there is no node with index 12");
  CHECK_STATUS(ms_fem_keep(m, "tip", -1, MS_FEM_ALL), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "'tip': there is no node with index -1");
  CHECK_OK(ms_fem_keep(m, "tip", 0, 1));
  CHECK_STATUS(ms_fem_keep(m, "end", 0, 1), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "is kept already, as tip.ux");
  memcpy(spider.at, at, sizeof at);
  CHECK_STATUS(ms_fem_add_spider(m, &spider, &none), MS_ERR_NUMERIC);
  CHECK_HAS(message(), "spider 'hub': its position is not finite");
  spider.at[1] = 0.0;
  spider.kind = MS_SPIDER_AREA;
  spider.faces = "part.left";
  CHECK_STATUS(ms_fem_add_spider(m, &spider, &none), MS_ERR_ARGUMENT);
  CHECK_HAS(message(), "spider 'hub' has no whole face of 'part.left' in it");
  ms_fem_destroy(&m);
  ms_mesh_destroy(&mesh);
}

/* Where the file does not say how far a tie reaches, it is 1 mm. */
static void test_tie(void) {
  for (int far = 0; far < 2; far++) {
    ms_mesh *mesh = test_brick("hex8", size, elements, 2.0, 0.3, 1.0);
    const ms_part lid = { .name = "lid", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
    ms_brick brick = { { 0.0, 0.0, 0.9 + (far ? 2e-3 : 5e-4) }, { 1.3, 0.7, 0.2 }, { 3, 1, 1 } };
    const ms_condition tie = {
      .kind = MS_CONDITION_TIE, .nodes = "lid.bottom", .faces = "part.top", .reference = -1
    };
    ms_fem_model *m = NULL;
    ptrdiff_t none;
    int part;
    CHECK_OK(ms_mesh_add_part(mesh, &lid, &part));
    CHECK_OK(ms_mesh_add_brick(mesh, part, "hex8", &brick));
    CHECK_OK(ms_fem_create(test_context(), mesh, &m));
    ms_status status = ms_fem_add_condition(m, "glue", &tie, &none);
    CHECK_EQUAL(status == MS_SUCCESS, !far);
    ms_fem_destroy(&m);
    ms_mesh_destroy(&mesh);
  }
}

/* A lid above a brick, its nodes 2.385 mm from the face: tied if that is within reach, else refused
   with both distances. A reach of the file counts instead of the default. */
static void test_tie_reach(void) {
  static const double gap = 2.385e-3, reach[] = { 2.384e-3, 2.386e-3 };
  ms_mesh *mesh = test_brick("hex8", size, elements, 2.0, 0.3, 1.0);
  const ms_part lid = { .name = "lid", .material = ms_material_isotropic(2.0, 0.3, 1.0) };
  ms_brick brick = { { 0.0, 0.0, 0.9 + gap }, { 1.3, 0.7, 0.2 }, { 3, 1, 1 } };
  int part;
  CHECK_OK(ms_mesh_add_part(mesh, &lid, &part));
  CHECK_OK(ms_mesh_add_brick(mesh, part, "hex8", &brick));
  for (int within = 0; within < 2; within++) {
    const ms_condition tie = { .kind = MS_CONDITION_TIE,
                               .nodes = "lid.bottom",
                               .faces = "part.top",
                               .reference = -1,
                               .reach = reach[within] };
    const ms_status want = within ? MS_SUCCESS : MS_ERR_ARGUMENT;
    ms_fem_model *m = NULL;
    ptrdiff_t none;
    CHECK_OK(ms_fem_create(test_context(), mesh, &m));
    CHECK_STATUS(ms_fem_tie(m, "glue", "lid.bottom", "part.top", reach[within]), want);
    ms_fem_destroy(&m);
    CHECK_OK(ms_fem_create(test_context(), mesh, &m));
    CHECK_STATUS(ms_fem_add_condition(m, "glue", &tie, &none), want);
    if (!within)
      CHECK_HAS(ms_context_message(test_context()),
                "0.002385 m away from 'part.top', farther than 0.002384 m");
    ms_fem_destroy(&m);
  }
  ms_mesh_destroy(&mesh);
}

/* Of a pair one mark, named after both; nodes that were not kept, or at a place that has a mark,
   have none. */
static void test_marks(void) {
  static const char *const names[] = { "up.bolt.1.a.ux", "up.bolt.1.a.uy", "up.bolt.1.a.uz",
                                       "up.tip.ux",      "up.tip.uy",      "up.tip.uz",
                                       "up.low.ux" };
  static const ms_fem_node node[] = { { .name = "bolt.1.a", .at = { 1.3, 0.2, 0.7 } },
                                      { .name = "bolt.1.b", .at = { 1.4, 0.2, 0.7 } },
                                      { .name = "low", .at = { 0.1, 0.2, 0.3 } },
                                      { .name = "tip", .at = { 0.4, 0.5, 0.6 } },
                                      { .name = "tip", .at = { 1.3, 0.2, 0.7 } } };
  ms_structure *s = NULL;
  ms_fem_mark mark[4];
  ptrdiff_t n = 0;
  CHECK_OK(ms_structure_create(test_context(), 7, names, &s));
  ms_fem_add_marks(s, "up.", 5, node, 4, mark, &n);
  CHECK_EQUAL(n, 2);
  CHECK_TEXT(mark[0].label, "up.bolt.1");
  CHECK_EQUAL(mark[0].dof[2], 2);
  CHECK_TEXT(mark[1].label, "up.tip");
  CHECK_NEAR(mark[1].at[1], 0.5, 0.0);
  CHECK_EQUAL(mark[1].dof[0], 3);
  CHECK_TEXT(message(), "");
  n = 0;
  ms_fem_add_marks(s, "up.", 5, node, 1, mark, &n);
  CHECK_EQUAL(n, 1);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_terms);
  TEST(test_kept);
  TEST(test_joints);
  TEST(test_conditions);
  TEST(test_refused);
  TEST(test_tie);
  TEST(test_tie_reach);
  TEST(test_marks);
  return test_finish();
}
