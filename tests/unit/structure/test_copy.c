/* Copies of structures and joints: they compute what the original does, bit for bit, and move on
 * their own. */
#include <string.h>

#include <microslip/response.h>

#include "structure/impl.h"
#include "support/check.h"
#include "support/structures.h"

enum { N_STEP = 200 };

/* Displacement of the first coordinate under a force that makes joints slip. */
static void simulate(ms_structure *s, double *out) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *t = NULL;
  double shape[16] = { 7.3, 0.0, -4.1 }, *u = NULL;
  ptrdiff_t n = ms_structure_get_size(s);
  setting.step = 0.05;
  CHECK_OK(ms_allocate(test_context(), n, sizeof *u, &u));
  CHECK_OK(ms_transient_create(s, &setting, &t));
  CHECK_OK(ms_transient_start(t, 0.0, NULL, shape));
  for (int k = 0; k < N_STEP; k++) {
    CHECK_OK(ms_transient_run(t, 1, 1, NULL, NULL));
    ms_transient_get_coordinates(t, u, NULL, NULL);
    out[k] = u[0];
  }
  ms_transient_destroy(&t);
  ms_free(test_context(), &u);
}

static void compare(ms_structure *s) {
  double own[N_STEP], copied[N_STEP];
  ms_structure *copy = NULL;
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(NULL, &ctx));
  CHECK_OK(ms_structure_copy(ctx, s, &copy));
  CHECK(ms_structure_get_stuck(copy).shape == ms_structure_get_stuck(s).shape); /* shared */
  CHECK(ms_structure_get_mass(copy) != ms_structure_get_mass(s));
  simulate(copy, copied);
  simulate(s, own);
  CHECK(memcmp(own, copied, sizeof own) == 0);
  CHECK_OK(ms_structure_setup(copy)); /* now its modes are its own */
  CHECK(ms_structure_get_stuck(copy).shape != ms_structure_get_stuck(s).shape);
  simulate(copy, copied);
  CHECK(memcmp(own, copied, sizeof own) == 0);
  ms_structure_destroy(&copy);
  simulate(s, copied); /* the original still has its modes */
  CHECK(memcmp(own, copied, sizeof own) == 0);
  ms_context_destroy(&ctx);
  ms_structure_destroy(&s);
}

static void test_laws(void) {
  compare(test_frame(test_frame_iwan, 2));
  compare(test_chain(4, 3, "jenkins"));
  compare(test_three_mass(1e-3));
}

/* Two laws on different axes, one of them with a choice and a count that were given. */
static ms_joint *make_parallel(void) {
  ms_joint *whole = NULL, *member = NULL;
  const int axis[2] = { 1, 0 };
  CHECK_OK(ms_joint_create_parallel(test_context(), 2, &whole));
  for (int a = 0; a < 2; a++) {
    CHECK_OK(ms_joint_create(test_context(), "iwan4", &member));
    CHECK_OK(ms_joint_set(member, "F_S", 2.3 + a));
    CHECK_OK(ms_joint_set(member, "K_T", 9.1));
    CHECK_OK(ms_joint_set(member, "chi", -0.41));
    CHECK_OK(ms_joint_set(member, "beta", 1.3 + a));
    if (a == 1) CHECK_OK(ms_joint_set(member, "sliders", 17));
    CHECK_OK(ms_joint_setup(member));
    CHECK_OK(ms_joint_take_member(whole, &member, &axis[a]));
  }
  CHECK_OK(ms_joint_setup(whole));
  return whole;
}

static ms_joint *make_loaded(void) {
  ms_joint *law = NULL, *whole = NULL;
  const double N[] = { 0.3, 4.1 }, stiffness[] = { 0.7, 1.9 };
  const ms_joint_normal normal = {
    .K_n = 11.3, .N_0 = 2.2, .N_ref = 1.9, .rows = 2, .N = N, .s = stiffness
  };
  CHECK_OK(ms_joint_create(test_context(), "jenkins", &law));
  CHECK_OK(ms_joint_set(law, "F_S", 1.7));
  CHECK_OK(ms_joint_set(law, "K_T", 8.4));
  CHECK_OK(ms_joint_setup(law));
  CHECK_OK(ms_joint_create_loaded(test_context(), &law, &normal, &whole));
  return whole;
}

static void test_composed(void) {
  compare(test_attachment(make_parallel()));
  compare(test_attachment(make_loaded()));
}

/* Levers, curvature, aliases and a full damping matrix. */
static void test_all_parts(void) {
  ms_structure *s = test_chain(3, 1, "jenkins"), *copy = NULL;
  const double b[] = { 0.3, -0.2, 0.1 };
  const double G[] = { 0.2, 0.05, 0.0, 0.05, -0.1, 0.0, 0.0, 0.0, 0.07 };
  const double C[] = { 0.31, -0.02, 0.0, -0.02, 0.11, 0.03, 0.0, 0.03, 0.27 };
  ptrdiff_t at = -1;
  CHECK_OK(ms_structure_set_mapping_row(s, 0, 0, b));
  CHECK_OK(ms_structure_set_curvature(s, 0, 0, G, 2));
  CHECK_OK(ms_structure_set_damping(s, C));
  CHECK_OK(ms_structure_add_alias(s, "tip", 2));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_structure_copy(test_context(), s, &copy));
  CHECK_OK(ms_structure_find(copy, "tip", &at));
  CHECK_EQUAL(at, 2);
  ms_structure_destroy(&copy);
  compare(s);
}

/* Rayleigh's coefficients, and what is rounding in a stiffness from elsewhere: a free body whose
   rigid-body mode it misses by 1e-12 of the highest has it still when a copy is set up again. */
static void test_setup_again(void) {
  const double k = 71.3, e = 4e-12 * k, K[] = { k + e, -k, 0.0, -k, 2 * k, -k, 0.0, -k, k };
  ms_structure *s = test_chain(4, 2, "jenkins"), *copy = NULL;
  CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.13, 0.0047));
  CHECK_OK(ms_structure_setup(s));
  compare(s);
  CHECK_OK(ms_structure_create(test_context(), 3, NULL, &s));
  for (ptrdiff_t i = 0; i < 3; i++) CHECK_OK(ms_structure_add_mass(s, i, 2.385));
  CHECK_OK(ms_structure_set_stiffness(s, K));
  CHECK_OK(ms_structure_setup(s));
  CHECK_NEAR(ms_structure_get_stuck(s).omega[0], 0.0, 0.0);
  CHECK_OK(ms_structure_copy(test_context(), s, &copy));
  CHECK_OK(ms_structure_setup(copy));
  CHECK_NEAR(ms_structure_get_stuck(copy).omega[0], 0.0, 0.0);
  ms_structure_destroy(&copy);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = NULL, *copy = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_STATUS(ms_structure_copy(test_context(), s, &copy), MS_ERR_STATE);
  CHECK(copy == NULL);
  ms_structure_destroy(&s);
}

static ms_status copy_in(ms_context *ctx, void *original) {
  ms_structure *copy = NULL;
  ms_status status = ms_structure_copy(ctx, original, &copy);
  ms_structure_destroy(&copy);
  return status;
}

static void test_no_memory(void) {
  ms_structure *original = test_attachment(make_parallel());
  CHECK(test_allocations(copy_in, original) > 10);
  ms_structure_destroy(&original);
}

/* Another damping ratio of a copy, also of one whose setup failed: the original keeps its own. */
static void test_damping(void) {
  ms_structure *s = test_three_mass(1.3e-4), *copy = NULL;
  CHECK_OK(ms_structure_copy(test_context(), s, &copy));
  CHECK_OK(ms_structure_change_damping(copy, 1, 7.7e-3));
  CHECK_NEAR(ms_structure_get_damping_ratio(copy, 1), 7.7e-3, 1e-17);
  CHECK_NEAR(ms_structure_get_damping_ratio(copy, 2), 1.3e-4, 1e-18);
  CHECK_NEAR(ms_structure_get_damping_ratio(s, 1), 1.3e-4, 1e-18);
  CHECK_OK(ms_structure_add_spring(copy, MS_GROUND, 0, -1e6));
  CHECK_STATUS(ms_structure_setup(copy), MS_ERR_ARGUMENT);
  CHECK_OK(ms_structure_change_damping(copy, 1, 3.1e-3));
  CHECK_OK(ms_structure_add_spring(copy, MS_GROUND, 0, 1e6));
  CHECK_OK(ms_structure_setup(copy));
  CHECK_NEAR(ms_structure_get_damping_ratio(copy, 1), 3.1e-3, 1e-17);
  ms_structure_destroy(&copy);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_laws);
  TEST(test_composed);
  TEST(test_all_parts);
  TEST(test_setup_again);
  TEST(test_damping);
  TEST(test_refused);
  TEST(test_no_memory);
  return test_finish();
}
