/* A reduced model in a structure made of it: two masses of the model joined, a ground that moves,
   mechanisms; and a placeholder. */
#include <math.h>
#include <microslip/reduced.h>

#include "support/check.h"

enum { N = 6 };
static const char *const names[N] = { "a.x", "a.y", "b.x", "b.y", "c.x", "c.y" };
static const double place[3] = { 0.0, 1.3, 2.9 }, mass[3] = { 2.385, 0.71, 1.9 };

/* Three bodies on a line, x held together by springs. A body turns about z by its place. */
static ms_reduced *make(ms_context *ctx) {
  ms_reduced *r = NULL;
  if (ms_reduced_create(ctx, N, N, names, 0, &r) != MS_SUCCESS) return NULL;
  if (ms_reduced_add_translations(r) != MS_SUCCESS ||
      ms_allocate(ctx, 3 * N, sizeof *r->turn, &r->turn) != MS_SUCCESS) {
    ms_reduced_destroy(&r);
    return NULL;
  }
  for (int i = 0; i < 3; i++) {
    r->turn[3 * (2 * i + 1) + 2] = place[i];
    for (int d = 0; d < 2; d++) {
      const int k = 2 * i + d;
      r->M[k + N * k] = mass[i];
      r->follow[3 * k + d] = 1.0;
      r->inertia[3 * k + d] = mass[i];
    }
  }
  for (int i = 0; i < 4; i += 2) {
    r->K[i + N * i] += 310.0, r->K[i + 2 + N * (i + 2)] += 310.0;
    r->K[i + N * (i + 2)] -= 310.0, r->K[i + 2 + N * i] -= 310.0;
  }
  return r;
}

/* x and y of all and a turn move the whole; the one motion that is left has neither momentum nor
   moment of momentum: y of the bodies is as (c - b), -(c - a), (b - a) over their masses. */
static void test_mechanism(void) {
  ms_context *ctx = test_context();
  ms_reduced *r = make(ctx);
  ms_structure *s = NULL;
  ptrdiff_t n = -1;
  double *z = NULL;
  CHECK_OK(ms_reduced_make_structure(r, &s));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_reduced_find_mechanisms(r, s, &n, &z));
  CHECK_EQUAL(n, 1);
  const double y[3] = { (place[2] - place[1]) / mass[0], -place[2] / mass[1], place[1] / mass[2] };
  double norm = 0.0;
  for (int i = 0; i < 3; i++) norm += mass[i] * y[i] * y[i];
  for (int i = 0; n == 1 && i < 3; i++) {
    CHECK_NEAR(fabs(z[2 * i]), 0.0, 1e-10);
    CHECK_NEAR(fabs(z[2 * i + 1]), fabs(y[i]) / sqrt(norm), 1e-10);
  }
  ms_free(ctx, &z);
  ms_free(ctx, &r->turn);
  CHECK_OK(ms_reduced_find_mechanisms(r, s, &n, &z)); /* nothing is known of turns */
  CHECK_EQUAL(n, 0);
  CHECK(!z);
  ms_structure_destroy(&s);
  ms_reduced_destroy(&r);
}

/* b.y and c.y become one, a.y is held. */
static void test_inertia(void) {
  static const ptrdiff_t pair[4] = { 3, 5, 1, MS_GROUND };
  ms_reduced *r = make(test_context());
  ms_structure *whole = NULL, *s = NULL;
  double y[N] = { 0.0 }, iota[N] = { 0.0 };
  ptrdiff_t b = -1;
  CHECK_OK(ms_reduced_make_structure(r, &whole));
  CHECK_OK(ms_structure_join(whole, 2, pair, &s, NULL));
  CHECK_OK(ms_structure_find(s, "b.y", &b));
  CHECK_OK(ms_structure_attach(s, &(ms_attached_part) { "acc", "b.y", 0.37, 0.0, NULL, -1 }));
  CHECK_OK(ms_reduced_add_inertia(r, s, 1, y, iota));
  for (ptrdiff_t i = 0; i < ms_structure_get_size(s); i++) {
    CHECK_NEAR(y[i], i == b ? mass[1] + mass[2] + 0.37 : 0.0, 1e-15);
    CHECK_NEAR(iota[i], i == b, 0.0);
  }
  ms_free(test_context(), &r->inertia);
  CHECK_STATUS(ms_reduced_add_inertia(r, s, 1, y, NULL), MS_ERR_NAME);
  ms_structure_destroy(&s);
  ms_structure_destroy(&whole);
  ms_reduced_destroy(&r);
}

static void test_stand_in(void) {
  ms_reduced *r = make(test_context());
  double omega[N];
  CHECK_OK(ms_reduced_stand_in(r));
  CHECK_OK(ms_reduced_find_omega(r, omega));
  CHECK(omega[0] > 1e3);
  for (int i = 1; i < N; i++) CHECK(omega[i] > 1.001 * omega[i - 1]);
  for (int i = 0; i < 3 * N; i++) CHECK_NEAR(r->inertia[i], 1.0, 0.0);
  ms_reduced_destroy(&r);
}

static ms_status find(ms_context *ctx, void *user) {
  ms_reduced *r = make(ctx);
  ms_structure *s = NULL;
  ptrdiff_t n;
  double *z = NULL;
  (void)user;
  ms_status status = r ? ms_reduced_make_structure(r, &s) : MS_ERR_MEMORY;
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_reduced_find_mechanisms(r, s, &n, &z);
  ms_free(ctx, &z);
  ms_structure_destroy(&s);
  ms_reduced_destroy(&r);
  return status;
}

static void test_memory_short(void) {
  CHECK(test_allocations(find, NULL) > 5);
}

int main(void) {
  TEST(test_mechanism);
  TEST(test_inertia);
  TEST(test_stand_in);
  TEST(test_memory_short);
  return test_finish();
}
