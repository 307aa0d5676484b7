/* Laws side by side: sums of forces, derivatives and energies; axes; state; memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint/impl.h"
#include "support/check.h"
#include "support/joints.h"

static ms_joint *iwan(void) {
  return test_joint("iwan4", "F_S", 11.7, "K_T", 2.385, "chi", -0.31, "beta", 0.83, NULL);
}

static ms_joint *spring(double K, double C) {
  return test_joint("linear", "K", K, "C", C, NULL);
}

static ms_joint *whole_of(int n_axis) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create_parallel(test_context(), n_axis, &j));
  return j;
}

static void take(ms_joint *whole, ms_joint *member, const int *axis) {
  CHECK_OK(ms_joint_take_member(whole, &member, axis));
  CHECK(member == NULL);
}

static void test_sum_on_one_axis(void) {
  ms_joint *a = iwan(), *b = spring(0.71, 0.13), *whole = whole_of(1);
  take(whole, iwan(), NULL);
  take(whole, spring(0.71, 0.13), NULL);
  CHECK_OK(ms_joint_setup(whole));
  CHECK_EQUAL(ms_joint_count_members(whole), 2);
  CHECK_TEXT(ms_joint_info(ms_joint_get_member(whole, 1))->name, "linear");
  test_history h = test_wander(whole, 3, 1);
  for (int i = 0; i < 300; i++) {
    ms_joint_output fa, fb, f;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(a, in, &fa));
    CHECK_OK(ms_joint_step(b, in, &fb));
    CHECK_OK(ms_joint_step(whole, in, &f));
    CHECK_NEAR(f.force[0], fa.force[0] + fb.force[0], 1e-13);
    CHECK_NEAR(f.du[0], fa.du[0] + fb.du[0], 1e-13);
    CHECK_NEAR(f.dv[0], fa.dv[0] + fb.dv[0], 1e-13);
    CHECK_NEAR(f.dalpha[0], fa.dalpha[0] + fb.dalpha[0], 1e-13);
    CHECK_NEAR(f.dk[0], fa.dk[0] + fb.dk[0], 1e-13);
  }
  ms_joint_energy ea, eb, e;
  CHECK_OK(ms_joint_get_energy(a, &ea));
  CHECK_OK(ms_joint_get_energy(b, &eb));
  CHECK_OK(ms_joint_get_energy(whole, &e));
  CHECK_CLOSE(e.stored, ea.stored + eb.stored, 1e-13);
  CHECK_CLOSE(e.dissipated, ea.dissipated + eb.dissipated, 1e-13);
  ms_joint_destroy(&a);
  ms_joint_destroy(&b);
  ms_joint_destroy(&whole);
}

static void test_laws_per_axis(void) {
  static const int y = 1, n = 2;
  ms_joint *whole = whole_of(3), *a = iwan();
  take(whole, iwan(), NULL);
  take(whole, spring(0.71, 0.0), &y);
  take(whole, spring(5.3, 0.29), &n);
  CHECK_OK(ms_joint_setup(whole));
  test_history h = test_wander(whole, 4, 0);
  for (int i = 0; i < 100; i++) {
    ms_joint_output f, fa;
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(whole, in, &f));
    CHECK_OK(ms_joint_step(a, in, &fa));
    CHECK_NEAR(f.force[0], fa.force[0], 0.0);
    CHECK_CLOSE(f.force[1], 0.71 * in->u[1], 1e-14);
    CHECK_CLOSE(f.force[2], 5.3 * in->u[2] + 0.29 * in->v[2], 1e-14);
    CHECK_NEAR(f.du[0], fa.du[0], 0.0);
    CHECK_NEAR(f.du[4], 0.71, 1e-15);
    CHECK_NEAR(f.du[8], 5.3, 1e-15);
    CHECK_NEAR(fabs(f.du[1]) + fabs(f.du[3]) + fabs(f.du[2]) + fabs(f.du[5]), 0.0, 0.0);
    CHECK_NEAR(f.dv[8], 0.29, 1e-15);
  }
  ms_joint_destroy(&whole);
  ms_joint_destroy(&a);
}

/* What algorithms ask about a joint: the whole depends on velocity or normal load, or slides at
   once, if one of its members does, and follows Masing's rules if all do; their order does not
   matter. */
static void test_flags(void) {
  const unsigned any = MS_LAW_RATE | MS_LAW_NORMAL | MS_LAW_SLIDING, all = MS_LAW_MASING;
  unsigned seen = 0;
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    const ms_law_info *law = ms_joint_get_law(i);
    for (int first = 0; law->n_axis == 1 && first < 2; first++) {
      ms_joint *whole = whole_of(1), *other = iwan();
      const unsigned a = law->flags, b = ms_joint_info(other)->flags;
      if (!first) take(whole, other, NULL);
      take(whole, test_typical(law->name), NULL);
      if (first) take(whole, other, NULL);
      CHECK_OK(ms_joint_setup(whole));
      CHECK_EQUAL(ms_joint_info(whole)->flags, ((a | b) & any) | (a & b & all));
      seen |= a & ~b;
      ms_joint_destroy(&whole);
    }
  }
  CHECK_EQUAL(seen, MS_LAW_RATE | MS_LAW_SLIDING);
}

static void test_save_restore(void) {
  ms_joint *j = whole_of(1), *twin = whole_of(1);
  take(j, iwan(), NULL);
  take(j, spring(0.71, 0.13), NULL);
  take(twin, iwan(), NULL);
  take(twin, spring(0.71, 0.13), NULL);
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_setup(twin));
  test_history h = test_wander(j, 5, 1);
  ms_joint_output a, b;
  for (int i = 0; i < 100; i++) CHECK_OK(ms_joint_step(j, test_next(&h), &a));
  ptrdiff_t n = ms_joint_save_size(j);
  double *buffer = calloc((size_t)n, sizeof *buffer);
  CHECK_OK(ms_joint_save(j, buffer));
  CHECK_OK(ms_joint_load(twin, buffer, n));
  for (int i = 0; i < 100; i++) {
    const ms_joint_input *in = test_next(&h);
    CHECK_OK(ms_joint_step(j, in, &a));
    CHECK_OK(ms_joint_step(twin, in, &b));
    CHECK_NEAR(a.force[0], b.force[0], 0.0);
  }
  CHECK_STATUS(ms_joint_load(twin, buffer, n - 1), MS_ERR_FORMAT);
  buffer[0] = 1e9;
  CHECK_STATUS(ms_joint_load(twin, buffer, n), MS_ERR_FORMAT);
  free(buffer);
  ms_joint_destroy(&j);
  ms_joint_destroy(&twin);
}

/* The loss of a cycle is the sum of the members' closed forms. */
static void test_cycle(void) {
  ms_joint *j = whole_of(1), *a = iwan();
  ms_joint_cycle whole, part;
  take(j, iwan(), NULL);
  take(j, spring(0.71, 0.13), NULL);
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_run_cycle(j, 2.9, 1.7, 200, NULL, NULL, &whole));
  CHECK_OK(ms_joint_run_cycle(a, 2.9, 1.7, 200, NULL, NULL, &part));
  CHECK(whole.has_closed_form);
  double dashpot = acos(-1.0) * 0.13 * 1.7 * 2.9 * 2.9;
  CHECK_CLOSE(whole.D_closed_form, part.D_closed_form + dashpot, 1e-12);
  CHECK_CLOSE(whole.D, part.D + dashpot, 1e-9);
  ms_joint_destroy(&j);
  ms_joint_destroy(&a);
}

/* Of a member on another axis nothing is lost along the first. */
static void test_cycle_along_first(void) {
  static const int y = 1;
  ms_joint *j = whole_of(2), *a = iwan();
  ms_joint_cycle whole, part;
  take(j, iwan(), NULL);
  take(j, spring(0.71, 0.13), &y);
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_run_cycle(j, 2.9, 1.7, 200, NULL, NULL, &whole));
  CHECK_OK(ms_joint_run_cycle(a, 2.9, 1.7, 200, NULL, NULL, &part));
  CHECK(whole.has_closed_form);
  CHECK_CLOSE(whole.D_closed_form, part.D_closed_form, 1e-14);
  CHECK_CLOSE(whole.D, part.D, 1e-12);
  ms_joint_destroy(&j);
  ms_joint_destroy(&a);
}

/* The first to slip sets the scale; histories add up; macroslip leaves each axis its own springs.
 */
static void test_scale_and_memory(void) {
  static const int y = 1;
  ms_joint *whole = whole_of(2), *alone[2] = { iwan(), iwan() };
  ms_joint_memory all, part[2];
  double K[4];
  take(whole, test_joint("jenkins", "F_S", 3.1, "K_T", 1.7, NULL), NULL);
  take(whole, test_joint("jenkins", "F_S", 2.3, "K_T", 1.9, NULL), &y);
  take(whole, test_joint("jenkins", "F_S", 2.9, "K_T", 1.3, NULL), NULL);
  take(whole, spring(0.71, 0.0), NULL);
  take(whole, spring(5.3, 0.0), &y);
  CHECK_OK(ms_joint_setup(whole));
  CHECK_CLOSE(ms_joint_slip_scale(whole), 2.3 / 1.9, 1e-15);
  ms_joint_fill_macroslip(whole, K);
  CHECK_CLOSE(K[0], 0.71, 1e-15);
  CHECK_CLOSE(K[3], 5.3, 1e-15);
  CHECK_NEAR(fabs(K[1]) + fabs(K[2]), 0.0, 0.0);
  ms_joint_destroy(&whole);
  whole = whole_of(2);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_joint_set(alone[i], "merge_tolerance", 1e-3));
    CHECK_OK(ms_joint_setup(alone[i]));
    ms_joint *member = iwan();
    CHECK_OK(ms_joint_set(member, "merge_tolerance", 1e-3));
    CHECK_OK(ms_joint_setup(member));
    take(whole, member, i ? &y : NULL);
  }
  CHECK_OK(ms_joint_setup(whole));
  for (int k = 0; k < 60; k++) { /* a ring-down that decays faster along the second axis */
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT, one = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out;
    for (int i = 0; i < 2; i++) {
      one.u[0] = in.u[i] = (k % 2 ? -1.0 : 1.0) * 6.3 * pow(i ? 0.83 : 0.97, k);
      CHECK_OK(ms_joint_step(alone[i], &one, &out));
    }
    CHECK_OK(ms_joint_step(whole, &in, &out));
  }
  CHECK_OK(ms_joint_get_memory(whole, &all));
  for (int i = 0; i < 2; i++) CHECK_OK(ms_joint_get_memory(alone[i], &part[i]));
  CHECK(part[0].depth > 2 && part[1].depth > 2);
  CHECK(part[0].merge_error > 0.0 && part[1].merge_error > 0.0);
  CHECK_EQUAL(all.depth, part[0].depth + part[1].depth);
  CHECK_EQUAL(all.bytes, part[0].bytes + part[1].bytes);
  CHECK_CLOSE(all.merge_error, part[0].merge_error + part[1].merge_error, 1e-14);
  for (int i = 0; i < 2; i++) ms_joint_destroy(&alone[i]);
  ms_joint_destroy(&whole);
}

/* A spring goes into the matrix, its dashpot stays; other laws stay as they are. */
static void test_take_stiffness(void) {
  ms_joint *plain = spring(0.71, 0.0), *damped = spring(5.3, 0.29), *other = iwan();
  double K = 2.385, left, C;
  CHECK_OK(ms_joint_take_stiffness(&plain, &K));
  CHECK(plain == NULL);
  CHECK_OK(ms_joint_take_stiffness(&damped, &K));
  CHECK_OK(ms_joint_take_stiffness(&other, &K));
  CHECK_CLOSE(K, 2.385 + 0.71 + 5.3, 1e-15);
  CHECK(damped != NULL && other != NULL);
  CHECK_OK(ms_joint_get(damped, "K", &left));
  CHECK_OK(ms_joint_get(damped, "C", &C));
  CHECK_NEAR(left, 0.0, 0.0);
  CHECK_NEAR(C, 0.29, 0.0);
  ms_joint_destroy(&damped);
  ms_joint_destroy(&other);
}

/* Springs go into K; one other law stands alone, and two are parallel. */
static void test_beside(void) {
  ms_joint *whole = NULL, *law = spring(2.385, 0.0);
  double K = 1.3;
  CHECK_OK(ms_joint_put_beside(test_context(), &law, &K, &whole));
  CHECK(!law && !whole);
  CHECK_CLOSE(K, 3.685, 1e-14);
  for (int i = 1; i <= 3; i++) {
    law = iwan();
    CHECK_OK(ms_joint_put_beside(test_context(), &law, &K, &whole));
    CHECK(!law);
    CHECK_EQUAL(ms_joint_count_members(whole), i > 1 ? i : 0);
  }
  law = test_joint("jenkins2d", "F_S", 1.7, "K_T", 3.1, NULL);
  CHECK_STATUS(ms_joint_put_beside(test_context(), &law, &K, &whole), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a direction takes laws of one axis");
  ms_joint_destroy(&law);
  ms_joint_destroy(&whole);
}

static void test_refused(void) {
  ms_joint *j = NULL, *member = NULL, *whole;
  static const int outside = 1;
  CHECK_STATUS(ms_joint_create_parallel(test_context(), 4, &j), MS_ERR_ARGUMENT);
  CHECK(j == NULL);
  whole = whole_of(1);
  CHECK_OK(ms_joint_create(test_context(), "jenkins", &member));
  CHECK_STATUS(ms_joint_take_member(whole, &member, NULL), MS_ERR_STATE);
  CHECK(member != NULL);
  CHECK_OK(ms_joint_set_typical(member));
  CHECK_OK(ms_joint_setup(member));
  CHECK_STATUS(ms_joint_take_member(whole, &member, &outside), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_joint_take_member(member, &whole, NULL), MS_ERR_STATE);
  CHECK_EQUAL(ms_joint_count_members(member), 0);
  CHECK(ms_joint_get_member(whole, 0) == NULL);
  ms_joint_destroy(&member);
  ms_joint_destroy(&whole);
}

static ms_status make_and_step(ms_context *ctx, void *user) {
  ms_joint *whole = NULL, *member = NULL;
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_status status = ms_joint_create_parallel(ctx, 1, &whole);
  (void)user;
  for (int i = 0; status == MS_SUCCESS && i < 2; i++) {
    status = ms_joint_create(ctx, i ? "iwan4" : "jenkins", &member);
    if (status == MS_SUCCESS) status = ms_joint_set_typical(member);
    if (status == MS_SUCCESS) status = ms_joint_setup(member);
    if (status == MS_SUCCESS) status = ms_joint_take_member(whole, &member, NULL);
    ms_joint_destroy(&member);
  }
  if (status == MS_SUCCESS) status = ms_joint_setup(whole);
  if (status == MS_SUCCESS) status = ms_joint_step(whole, &in, &out);
  ms_joint_destroy(&whole);
  return status;
}

static void test_memory_failures(void) {
  CHECK(test_allocations(make_and_step, NULL) > 8);
}

int main(void) {
  TEST(test_sum_on_one_axis);
  TEST(test_laws_per_axis);
  TEST(test_flags);
  TEST(test_save_restore);
  TEST(test_cycle);
  TEST(test_cycle_along_first);
  TEST(test_scale_and_memory);
  TEST(test_take_stiffness);
  TEST(test_beside);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
