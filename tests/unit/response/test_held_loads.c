/* Loads whose displacements are held: two bolts beside a layer, springs in parallel. */
#include "response/contact/preload.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "support/check.h"

/* A head that goes down by d on a layer (and along it, by springs of its own), under a push, load
   0; bolts k, whose overlap v_k is load k, have the tension k_k (v_k - d). */
static const double BOLT[2] = { 3.1e6, 4.7e6 }, LAYER = 8.3e6, ALONG = 2.9e6, SPRING = 5.9e6;

typedef struct head {
  ms_contact_point point;
  double H[9], S_0[3], Z[9], A[9];
} head;

static ms_contact_problem fill_head(head *h) {
  double K[9] = {
    BOLT[0] + BOLT[1] + SPRING, -BOLT[0], -BOLT[1], -BOLT[0], BOLT[0], 0.0, -BOLT[1], 0.0, BOLT[1]
  };
  int pivot[3];
  memset(h, 0, sizeof *h);
  CHECK_EQUAL(LAPACKE_dgetrf(LAPACK_COL_MAJOR, 3, 3, K, 3, pivot), 0);
  CHECK_EQUAL(LAPACKE_dgetri(LAPACK_COL_MAJOR, 3, K, 3, pivot), 0);
  h->point = (ms_contact_point) { .mu = 0.3, .K_n = LAYER, .K_t = LAYER };
  h->H[0] = h->H[4] = 1.0 / ALONG, h->H[8] = K[0];
  h->S_0[2] = SPRING;
  memcpy(h->A, K, sizeof K);
  for (int k = 0; k < 3; k++) h->Z[2 + 3 * k] = K[3 * k];
  return (ms_contact_problem) { 1, 3, &h->point, h->H, h->S_0, h->Z, h->A, NULL };
}

static void test_all_held(void) {
  const unsigned char flag[3] = { 0, 1, 1 };
  const double W[3] = { 1.0, 0.0, 0.0 }, push = 730.0, d = push / (LAYER + BOLT[0] + BOLT[1]);
  head h;
  const ms_contact_problem problem = fill_head(&h);
  ms_contact_held held;
  ms_contact *c, *on;
  double r[2] = { 0.0, 0.0 };
  CHECK_OK(ms_contact_hold_loads(test_context(), &problem, flag, 1, W, &held));
  CHECK_EQUAL(held.n, 2);
  CHECK_CLOSE(held.H[8], 1.0 / (SPRING + BOLT[0] + BOLT[1]), 1e-12);
  CHECK_CLOSE(held.H[4], 1.0 / ALONG, 1e-15);
  CHECK_CLOSE(held.z_load[2], held.H[8], 1e-12);
  CHECK_CLOSE(held.load_load[0], held.H[8], 1e-12);
  CHECK_OK(ms_contact_create(test_context(), &held.problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, &push));
  CHECK_CLOSE(ms_contact_get(c).lambda[2], LAYER * d, 1e-12);
  CHECK_CLOSE(ms_contact_get(c).v[0], d, 1e-12);
  ms_contact_add_reactions(&held, c, 1.0, r);
  ms_contact_add_loads(&held, ms_contact_get(c).p, r);
  for (int k = 0; k < 2; k++) CHECK_CLOSE(r[k], -BOLT[k] * d, 1e-11);
  /* From there on with the push as a dead force: half of it is taken away. */
  CHECK_OK(ms_contact_create(test_context(), &held.problem, NULL, &on));
  CHECK_OK(ms_contact_continue(on, c));
  const double back = -0.5 * push;
  CHECK_OK(ms_contact_load(on, &back));
  ms_contact_add_reactions(&held, c, -1.0, r);
  ms_contact_add_reactions(&held, on, 1.0, r);
  ms_contact_add_loads(&held, ms_contact_get(on).p, r);
  for (int k = 0; k < 2; k++) CHECK_CLOSE(r[k], -0.5 * BOLT[k] * d, 1e-11);
  ms_contact_destroy(&c), ms_contact_destroy(&on);
  ms_contact_held_free(test_context(), &held);
}

/* The first bolt is tightened while the second is held: a load of both, push and tension. */
static void test_one_held(void) {
  const unsigned char flag[3] = { 0, 0, 1 };
  const double F = 910.0, push = 370.0, W[3] = { push, F, 0.0 }, one = 1.0;
  const double d = (push + F) / (LAYER + BOLT[1]);
  head h;
  const ms_contact_problem problem = fill_head(&h);
  ms_contact_held held;
  ms_contact *c;
  double r = 0.0;
  CHECK_OK(ms_contact_hold_loads(test_context(), &problem, flag, 1, W, &held));
  CHECK_OK(ms_contact_create(test_context(), &held.problem, NULL, &c));
  CHECK_OK(ms_contact_load(c, &one));
  CHECK_CLOSE(ms_contact_get(c).lambda[2], LAYER * d, 1e-12);
  CHECK_CLOSE(ms_contact_get(c).v[0], push * d + F * (d + F / BOLT[0]), 1e-12);
  ms_contact_add_reactions(&held, c, 1.0, &r);
  ms_contact_add_loads(&held, &one, &r);
  CHECK_CLOSE(r, -BOLT[1] * d, 1e-11);
  ms_contact_destroy(&c);
  ms_contact_held_free(test_context(), &held);
}

/* Nothing held: the same problem. A held load without flexibility of its own is refused. */
static void test_none_held(void) {
  const unsigned char none[3] = { 0, 0, 0 }, last[3] = { 0, 0, 1 };
  const double W[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  head h;
  const ms_contact_problem problem = fill_head(&h);
  ms_contact_held held;
  double r = 0.0;
  CHECK_OK(ms_contact_hold_loads(test_context(), &problem, none, 3, W, &held));
  CHECK_EQUAL(held.n, 0);
  for (int i = 0; i < 9; i++) {
    CHECK_EQUAL(held.H[i], h.H[i]);
    CHECK_EQUAL(held.z_load[i], h.Z[i]);
    CHECK_EQUAL(held.load_load[i], h.A[i]);
  }
  ms_contact_add_loads(&held, W, &r);
  CHECK_EQUAL(r, 0.0);
  ms_contact_held_free(test_context(), &held);
  for (int i = 0; i < 3; i++) h.A[6 + i] = h.A[2 + 3 * i] = 0.0;
  CHECK_STATUS(ms_contact_hold_loads(test_context(), &problem, last, 2, W, &held), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "have no flexibility of their own");
}

static ms_status work(ms_context *ctx, void *problem) {
  const unsigned char flag[3] = { 0, 1, 0 };
  const double W[6] = { 1.0, 0.0, 0.0, 0.0, 0.0, 1.0 };
  ms_contact_held held;
  MS_TRY(ms_contact_hold_loads(ctx, problem, flag, 2, W, &held));
  ms_contact_held_free(ctx, &held);
  return MS_SUCCESS;
}

static void test_memory_errors(void) {
  head h;
  ms_contact_problem problem = fill_head(&h);
  CHECK(test_allocations(work, &problem) > 3);
}

int main(void) {
  TEST(test_all_held);
  TEST(test_one_held);
  TEST(test_none_held);
  TEST(test_memory_errors);
  return test_finish();
}
