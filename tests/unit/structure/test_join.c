/* Coordinates that become one or are held: the matrices written out, names, and what is refused. */
#include <math.h>
#include <string.h>

#include "structure/impl.h"
#include "support/check.h"

#define N 4

static const char *const name[N] = { "a", "b", "c", "d" };

/* Full matrices, so that every entry has to be right. */
static double mass(ptrdiff_t i, ptrdiff_t j) {
  return i == j ? 2.385 + 0.31 * (double)i : 0.013 * (double)(i + j);
}

static double stiffness(ptrdiff_t i, ptrdiff_t j) {
  return i == j ? 71.3 + 5.9 * (double)i : -1.7 - 0.41 * (double)(i * j);
}

static ms_structure *make(ms_context *ctx) {
  ms_structure *s = NULL;
  double M[N * N], K[N * N];
  for (int k = 0; k < N * N; k++) {
    M[k] = mass(k % N, k / N);
    K[k] = stiffness(k % N, k / N);
  }
  if (ms_structure_create(ctx, N, name, &s) != MS_SUCCESS) return NULL;
  CHECK_OK(ms_structure_set_mass(s, M));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  return s;
}

/* Entry (i, j) of L^T A L, each coordinate of the new structure the sum of those listed. */
static double sum(double (*A)(ptrdiff_t, ptrdiff_t), const int *row, const int *column) {
  double total = 0.0;
  for (; *row >= 0; row++) {
    for (const int *c = column; *c >= 0; c++) total += A(*row, *c);
  }
  return total;
}

static void check_sums(const ms_structure *s, ptrdiff_t n, const int (*of)[N + 1]) {
  CHECK_EQUAL(ms_structure_get_size(s), n);
  for (ptrdiff_t k = 0; k < n * n; k++) {
    CHECK_CLOSE(ms_structure_get_mass(s)[k], sum(mass, of[k % n], of[k / n]), 1e-15);
    CHECK_CLOSE(ms_structure_get_stiffness(s)[k], sum(stiffness, of[k % n], of[k / n]), 1e-15);
  }
}

static void check_place(const ms_structure *s, const char *what, ptrdiff_t want) {
  ptrdiff_t i = -7;
  CHECK_OK(ms_structure_find(s, what, &i));
  CHECK_EQUAL(i, want);
}

/* c and a, then d and a: three are one, under the first name. */
static void test_one(void) {
  static const ptrdiff_t pair[] = { 2, 0, 3, 0 };
  static const int of[2][N + 1] = { { 0, 2, 3, -1 }, { 1, -1 } };
  ms_structure *s = make(test_context()), *joined = NULL;
  CHECK_OK(ms_structure_join(s, 2, pair, &joined, NULL));
  if (joined) {
    check_sums(joined, 2, of);
    CHECK_TEXT(ms_structure_get_name(joined, 0), "a");
    check_place(joined, "a", 0);
    check_place(joined, "b", 1);
    check_place(joined, "c", 0);
    check_place(joined, "d", 0);
  }
  ms_structure_destroy(&joined);
  ms_structure_destroy(&s);
}

/* b held, through d: both go. */
static void test_held(void) {
  static const ptrdiff_t pair[] = { 1, 3, 3, MS_GROUND };
  static const int of[2][N + 1] = { { 0, -1 }, { 2, -1 } };
  ms_structure *s = make(test_context()), *joined = NULL;
  CHECK_OK(ms_structure_join(s, 2, pair, &joined, NULL));
  if (joined) {
    check_sums(joined, 2, of);
    check_place(joined, "b", MS_GROUND);
    check_place(joined, "d", MS_GROUND);
    check_place(joined, "c", 1);
  }
  ms_structure_destroy(&joined);
  ms_structure_destroy(&s);
}

/* Motions without strain, known by their momentum: of two coordinates that become one it adds up,
   of one that is held it goes. */
static void test_momentum(void) {
  static const ptrdiff_t pair[] = { 2, 0, 3, MS_GROUND };
  static const double momentum[2 * N] = { 0.31, 0.47, 0.83, 1.9, -0.7, 0.11, 0.29, 0.53 };
  static const double want[4] = { 0.31 + 0.83, 0.47, -0.7 + 0.29, 0.11 };
  ms_structure *s = make(test_context()), *joined = NULL;
  CHECK_OK(ms_structure_set_rounding(
      s, (ms_rounding) { .doubt = 1.3e-12, .level = 2.7e-9, .n_free = 2, .momentum = momentum }));
  CHECK_OK(ms_structure_join(s, 2, pair, &joined, NULL));
  if (joined) {
    CHECK_EQUAL(joined->rounding.n_free, 2);
    CHECK_NEAR(joined->rounding.level, 2.7e-9, 0.0);
    CHECK_NEAR(joined->rounding.doubt, 1.3e-12, 0.0);
    for (int i = 0; i < 4; i++) CHECK_CLOSE(joined->rounding.momentum[i], want[i], 1e-15);
  }
  ms_structure_destroy(&joined);
  ms_structure_destroy(&s);
}

static void refuse(const ms_structure *s, ptrdiff_t n, const ptrdiff_t *pair, ms_status status,
                   ptrdiff_t bad, const char *words) {
  ms_structure *joined = NULL;
  ptrdiff_t at = -1;
  CHECK_STATUS(ms_structure_join(s, n, pair, &joined, &at), status);
  CHECK(!joined);
  CHECK_EQUAL(at, bad);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_refused(void) {
  static const ptrdiff_t twice[] = { 0, 1, 1, 2, 2, 0 }, held[] = { 0, MS_GROUND, MS_GROUND, 0 };
  static const ptrdiff_t outside[] = { 0, 4 };
  static const ptrdiff_t all[] = { 0, 1, 1, 2, 2, 3, 3, MS_GROUND };
  const double zeta[N] = { 0.01, 0.01, 0.01, 0.01 };
  ms_structure *s = make(test_context());
  refuse(s, 3, twice, MS_ERR_ARGUMENT, 2, "c and a are one degree of freedom already");
  refuse(s, 2, held, MS_ERR_ARGUMENT, 1, "ground and a are one degree of freedom already");
  refuse(s, 1, outside, MS_ERR_ARGUMENT, 0, "degrees of freedom 0 and 4");
  refuse(s, 4, all, MS_ERR_ARGUMENT, -1, "all degrees of freedom are fixed");
  CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  refuse(s, 2, twice, MS_ERR_STATE, -1, "before joints and damping");
  CHECK_STATUS(ms_structure_add_alias(s, "e", 4), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

static ms_status join_all(ms_context *ctx, void *user) {
  static const ptrdiff_t pair[] = { 2, 0, 3, MS_GROUND };
  ms_structure *s = make(ctx), *joined = NULL;
  (void)user;
  if (!s) return MS_ERR_MEMORY;
  ms_status status = ms_structure_join(s, 2, pair, &joined, NULL);
  ms_structure_destroy(&joined);
  ms_structure_destroy(&s);
  return status;
}

static void test_memory_runs_out(void) {
  CHECK(test_allocations(join_all, NULL) > 10);
}

int main(void) {
  test_run("several coordinates become one", test_one);
  test_run("a coordinate is held, and what is rigid to it", test_held);
  test_run("momentum of motions without strain", test_momentum);
  test_run("what is redundant or comes too late is refused", test_refused);
  test_run("memory runs out", test_memory_runs_out);
  return test_finish();
}
