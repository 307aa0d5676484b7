/* Elimination of constraints: the rows against equations solved by hand, and what is refused. */
#include "fem/model/constraints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static void describe(const void *user, int32_t index, char *text, size_t size) {
  (void)user;
  snprintf(text, size, "u%d", (int)index);
}

static ms_status add(ms_equations *e, const char *name, int32_t wish, int strict, double value,
                     int32_t n, const int32_t *index, const double *coef) {
  ms_equation q = { .wish = wish, .strict = strict, .value = value };
  MS_TRY(ms_equations_name(e, name, &q.owner));
  return ms_equations_add(e, q, n, index, coef);
}

#define ADD(e, name, wish, strict, value, n, ...)                                            \
  CHECK_OK(add(e, name, wish, strict, value, n, (int32_t[]) { TERM_INDEX_##n(__VA_ARGS__) }, \
               (double[]) { TERM_COEF_##n(__VA_ARGS__) }))
#define TERM_INDEX_1(i, a)             i
#define TERM_COEF_1(i, a)              a
#define TERM_INDEX_2(i, a, j, b)       i, j
#define TERM_COEF_2(i, a, j, b)        a, b
#define TERM_INDEX_3(i, a, j, b, k, c) i, j, k
#define TERM_COEF_3(i, a, j, b, k, c)  a, b, c

static ms_status eliminate(const ms_equations *e, ptrdiff_t n, ms_elimination *t) {
  static const unsigned char none[16] = { 0 };
  return ms_equations_eliminate(e, n, none, describe, NULL, t);
}

/* Fills in the dependent coordinates of u. */
static void expand(const ms_elimination *t, double *u) {
  for (ptrdiff_t r = 0; r < t->n_row; r++) {
    double sum = t->g[r];
    for (ptrdiff_t j = t->start[r]; j < t->start[r + 1]; j++) {
      CHECK(t->row_of[t->index[j]] < 0); /* independent ones only */
      sum += t->coef[j] * u[t->index[j]];
    }
    u[t->dependent[r]] = sum;
  }
}

/* Every equation holds for whatever the independent coordinates are. */
static void check_equations(const ms_equations *e, const ms_elimination *t) {
  double u[16];
  for (int i = 0; i < 16; i++) u[i] = 0.37 * i * i - 2.385 * i + 0.61;
  expand(t, u);
  for (ptrdiff_t k = 0; k < e->n; k++) {
    const ms_equation *q = &e->equation[k];
    double sum = -q->value;
    for (ptrdiff_t j = q->first; j < q->first + q->n; j++) sum += e->coef[j] * u[e->index[j]];
    CHECK_NEAR(sum, 0.0, 1e-12);
  }
}

/* u0 = 2 u1 + 0.5, u1 = 3 u2, u2 - u3 = 0.25, the later ones wanted in the earlier. */
static void test_chain(void) {
  ms_equations e = { .ctx = test_context() };
  ms_elimination t;
  ADD(&e, "a", 0, 1, 0.5, 2, 0, 1.0, 1, -2.0);
  ADD(&e, "b", 1, 1, 0.0, 2, 1, 1.0, 2, -3.0);
  ADD(&e, "c", 2, 1, 0.25, 2, 2, 1.0, 3, -1.0);
  CHECK_OK(eliminate(&e, 5, &t));
  CHECK_EQUAL(t.n_row, 3);
  CHECK_EQUAL(t.row_of[3], -1);
  CHECK_EQUAL(t.row_of[4], -1);
  ptrdiff_t r = t.row_of[0]; /* u0 = 6 u3 + 2 */
  CHECK_EQUAL(t.start[r + 1] - t.start[r], 1);
  CHECK_NEAR(t.coef[t.start[r]], 6.0, 1e-15);
  CHECK_NEAR(t.g[r], 2.0, 1e-15);
  check_equations(&e, &t);
  ms_elimination_free(test_context(), &t);
  ms_equations_free(&e);
}

/* Full equations without a wish, one of them in coordinates that are dependent already. */
static void test_general(void) {
  ms_equations e = { .ctx = test_context() };
  ms_elimination t;
  ADD(&e, "a", -1, 0, 0.7, 3, 0, 1.3, 1, -2.1, 2, 0.4);
  ADD(&e, "b", -1, 0, -0.2, 3, 1, 0.9, 2, 1.7, 3, -0.3);
  ADD(&e, "c", -1, 0, 0.0, 3, 0, 0.8, 1, 0.6, 3, 1.1);
  ADD(&e, "d", 4, 0, 1.1, 2, 4, 1.0, 1, -1.9);
  CHECK_OK(eliminate(&e, 6, &t));
  CHECK_EQUAL(t.n_row, 4);
  CHECK_EQUAL(t.n_redundant, 0);
  check_equations(&e, &t);
  ms_elimination_free(test_context(), &t);
  ms_equations_free(&e);
}

/* A support goes before what was said earlier: a link gives way, a rigid spider cannot. */
static void test_supports_first(void) {
  ms_equations e = { .ctx = test_context() };
  ms_elimination t;
  ADD(&e, "link", 0, 0, 0.0, 2, 0, 1.0, 1, -1.0);
  ms_equation fixed = { .wish = 0, .support = 1, .value = 0.3 };
  CHECK_OK(ms_equations_name(&e, "clamp", &fixed.owner));
  CHECK_OK(ms_equations_add(&e, fixed, 1, (int32_t[]) { 0 }, (double[]) { 1.0 }));
  CHECK_OK(eliminate(&e, 2, &t));
  CHECK_EQUAL(t.n_row, 2);
  check_equations(&e, &t);
  CHECK_NEAR(t.g[t.row_of[1]], 0.3, 1e-15);
  ms_elimination_free(test_context(), &t);
  e.equation[0].strict = 1;
  CHECK_STATUS(eliminate(&e, 2, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "u0 is eliminated twice, by 'clamp' and by 'link'");
  ms_equations_free(&e);
}

static void hear(void *user, ms_log_level level, const char *text) {
  if (level == MS_LOG_WARNING) snprintf(user, 256, "%s", text);
}

/* Three links around a circle: the third follows from the others, and with another value it cannot
   hold. */
static void test_cycle(void) {
  char warning[256] = "";
  for (int k = 0; k < 2; k++) {
    ms_equations e = { .ctx = test_context() };
    ms_elimination t;
    ms_context_set_log(test_context(), hear, warning);
    ADD(&e, "first", -1, 0, 0.1, 2, 0, 1.0, 1, -1.0);
    ADD(&e, "second", -1, 0, 0.2, 2, 1, 1.0, 2, -1.0);
    ADD(&e, "third", -1, 0, k ? 0.31 : 0.3, 2, 0, 1.0, 2, -1.0);
    if (k == 0) {
      CHECK_OK(eliminate(&e, 3, &t));
      CHECK_EQUAL(t.n_redundant, 1);
      CHECK_EQUAL(t.n_row, 2);
      CHECK_HAS(warning, "'third'");
      CHECK_HAS(warning, "'first'");
      CHECK_HAS(warning, "'second'");
      check_equations(&e, &t);
    } else {
      CHECK_STATUS(eliminate(&e, 3, &t), MS_ERR_ARGUMENT);
      CHECK_HAS(ms_context_message(test_context()), "'third' contradicts");
      CHECK_HAS(ms_context_message(test_context()), "'second'");
    }
    ms_elimination_free(test_context(), &t);
    ms_equations_free(&e);
    ms_context_set_log(test_context(), NULL, NULL);
  }
}

static void test_twice(void) {
  ms_equations e = { .ctx = test_context() };
  ms_elimination t;
  ADD(&e, "hub", 0, 1, 0.0, 2, 0, 1.0, 1, -1.0);
  ADD(&e, "rim", 0, 1, 0.0, 2, 0, 1.0, 2, -1.0);
  CHECK_STATUS(eliminate(&e, 3, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "u0 is eliminated twice, by 'hub' and by 'rim'");
  CHECK(!t.row_of);
  ms_equations_free(&e);
}

static void test_kept(void) {
  static const unsigned char kept[3] = { 1, 0, 1 };
  ms_equations e = { .ctx = test_context() };
  ms_elimination t;
  ADD(&e, "spider", 0, 0, 0.0, 3, 0, 1.0, 1, -0.2, 2, -0.8);
  CHECK_OK(ms_equations_eliminate(&e, 3, kept, describe, NULL, &t));
  CHECK(t.row_of[0] < 0 && t.row_of[2] < 0 && t.row_of[1] == 0);
  check_equations(&e, &t);
  ms_elimination_free(test_context(), &t);
  ADD(&e, "clamp", 2, 0, 0.0, 1, 2, 1.0);
  CHECK_STATUS(ms_equations_eliminate(&e, 3, kept, describe, NULL, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "'clamp'");
  CHECK_HAS(ms_context_message(test_context()), "u2 is to be kept");
  ms_equations_free(&e);
}

static ms_status work(ms_context *ctx, void *user) {
  (void)user;
  ms_equations e = { .ctx = ctx };
  ms_elimination t = { 0 };
  int32_t index[] = { 0, 1 };
  double coef[] = { 1.0, -2.385 };
  ms_status status = add(&e, "a", 0, 1, 0.5, 2, index, coef);
  if (status == MS_SUCCESS) status = eliminate(&e, 3, &t);
  ms_elimination_free(ctx, &t);
  ms_equations_free(&e);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(work, NULL) > 10);
}

int main(void) {
  TEST(test_chain);
  TEST(test_general);
  TEST(test_supports_first);
  TEST(test_cycle);
  TEST(test_twice);
  TEST(test_kept);
  TEST(test_memory_fails);
  return test_finish();
}
