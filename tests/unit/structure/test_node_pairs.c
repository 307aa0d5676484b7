/* Pairs of nodes that a joint's name stands for, coordinates of nodes, translations by name. */
#include <microslip/structure.h>

#include "support/check.h"

static const char *const names[] = { "lap.1.a.ux",  "lap.1.a.rz",  "lap.1.b.ux",   "lap.12.a.uy",
                                     "lap.12.b.uy", "up.bolt.7.x", "low.bolt.7.x", "q1" };
enum { N = sizeof names / sizeof *names };

static ms_structure *make(ms_context *ctx) {
  ms_structure *s = NULL;
  if (ms_structure_create(ctx, N, names, &s) != MS_SUCCESS) return NULL;
  return s;
}

static void check_pair(const ms_node_pair *p, const char *name, const char *a, const char *b) {
  CHECK_TEXT(p->name, name);
  CHECK_TEXT(p->node[0], a);
  CHECK_TEXT(p->node[1], b);
}

static void test_pairs(void) {
  ms_context *ctx = test_context();
  ms_structure *s = make(ctx);
  ms_node_pair *p = NULL;
  ptrdiff_t n = 0;
  CHECK_OK(ms_structure_find_pairs(s, "lap.*", NULL, &n, &p));
  CHECK_EQUAL(n, 2);
  if (n == 2) {
    check_pair(&p[0], "lap.1", "lap.1.a", "lap.1.b");
    check_pair(&p[1], "lap.12", "lap.12.a", "lap.12.b");
  }
  ms_free(ctx, &p);
  const char *starred[2] = { "up.bolt.*", "low.bolt.*" }, *plain[2] = { "lap.1.a", "ground" };
  CHECK_OK(ms_structure_find_pairs(s, "screw.*", starred, &n, &p));
  CHECK_EQUAL(n, 1);
  if (n == 1) check_pair(p, "screw.7", "up.bolt.7", "low.bolt.7");
  ms_free(ctx, &p);
  CHECK_OK(ms_structure_find_pairs(s, "foot", plain, &n, &p));
  CHECK_EQUAL(n, 1);
  if (n == 1) check_pair(p, "foot", "lap.1.a", "ground");
  ms_free(ctx, &p);
  ms_structure_destroy(&s);
}

static void refuse(const ms_structure *s, const char *name, const char *const *node,
                   ms_status status, const char *words) {
  ms_node_pair *p = NULL;
  ptrdiff_t n;
  CHECK_STATUS(ms_structure_find_pairs(s, name, node, &n, &p), status);
  CHECK_HAS(ms_context_message(test_context()), words);
  ms_free(test_context(), &p);
}

static void test_refused(void) {
  ms_structure *s = make(test_context());
  const char *one[2] = { "up.bolt.*", "low.bolt.7" }, *none[2] = { "top.*", "ground" };
  refuse(s, "bolt.*", NULL, MS_ERR_NAME, "there is for example 'lap.1'");
  refuse(s, "b.*", one, MS_ERR_FORMAT, "both nodes need a '*'");
  refuse(s, "b", none, MS_ERR_NAME, "needs one in its name, e.g. b.*");
  refuse(s, "b.*", none, MS_ERR_NAME, "'top.*' matches no kept node");
  ms_structure_destroy(&s);
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  refuse(s, "b", NULL, MS_ERR_NAME, "there are no pairs of nodes P.a and P.b");
  ms_structure_destroy(&s);
}

static void test_components(void) {
  ms_structure *s = make(test_context());
  char name[MS_NODE_NAME];
  ptrdiff_t i = 99;
  CHECK_OK(ms_structure_find_component(s, "lap.1.a", 5, name, &i));
  CHECK_EQUAL(i, 1);
  CHECK_TEXT(name, "lap.1.a.rz");
  CHECK_OK(ms_structure_find_component(s, "low.bolt.7", 0, name, &i));
  CHECK_EQUAL(i, 6);
  CHECK_TEXT(name, "low.bolt.7.x");
  CHECK_OK(ms_structure_find_component(s, "ground", 2, name, &i));
  CHECK_EQUAL(i, MS_GROUND);
  CHECK_STATUS(ms_structure_find_component(s, "lap.1.a", 1, name, &i), MS_ERR_NAME);
  ms_structure_destroy(&s);
}

static void test_translation(void) {
  static const double along_x[N] = { 1, 0, 1, 0, 0, 1, 1, 0 };
  ms_structure *s = make(test_context());
  double iota[N] = { 0.0 };
  CHECK_OK(ms_structure_fill_translation(s, 0, iota));
  for (int i = 0; i < N; i++) CHECK_NEAR(iota[i], along_x[i], 0.0);
  CHECK_STATUS(ms_structure_fill_translation(s, 2, iota), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "no degree of freedom has a name along z");
  ms_structure_destroy(&s);
}

static ms_status find(ms_context *ctx, void *user) {
  ms_structure *s = make(ctx);
  ms_node_pair *p = NULL;
  ptrdiff_t n;
  (void)user;
  ms_status status = s ? ms_structure_find_pairs(s, "lap.*", NULL, &n, &p) : MS_ERR_MEMORY;
  ms_free(ctx, &p);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_short(void) {
  CHECK(test_allocations(find, NULL) > 2);
}

int main(void) {
  TEST(test_pairs);
  TEST(test_refused);
  TEST(test_components);
  TEST(test_translation);
  TEST(test_memory_short);
  return test_finish();
}
