/* Numbers just outside what a joint takes, and no numbers at all: refused, and named; just inside:
   taken. */
#include <microslip/hertz.h>
#include <microslip/joint.h>

#include <math.h>

#include "support/check.h"
#include "support/joints.h"

static void says(ms_status status, ms_status want, const char *words) {
  CHECK_STATUS(status, want);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_inputs(void) {
  ms_joint *j = test_joint("iwan4", "F_S", 20.0, "K_T", 2.1e4, "chi", -0.4, "beta", 1.5, NULL);
  const struct {
    double k, alpha;
    const char *words;
  } bad[] = {
    { 0.0, 1.0, "stiffness ratio k = 0" },      { -1e-9, 1.0, "stiffness ratio k = -1e-09" },
    { NAN, 1.0, "stiffness ratio k = nan" },    { HUGE_VAL, 1.0, "stiffness ratio k = inf" },
    { 1.0, -1e-9, "ratio alpha = -1e-09" },     { 1.0, NAN, "ratio alpha = nan" },
    { 1.0, HUGE_VAL, "ratio alpha = inf must" }
  };
  ms_joint_output out;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const ms_joint_input in = { .u = { 1e-5 }, .k = bad[i].k, .alpha = bad[i].alpha };
    says(ms_joint_step(j, &in, &out), MS_ERR_BOUNDS, bad[i].words);
  }
  CHECK_OK(ms_joint_step(j, &(ms_joint_input) { .u = { 1e-5 }, .k = 1e-9, .alpha = 0.0 }, &out));
  ms_joint_cycle cycle;
  const double size[] = { 0.0, -1e-9, NAN, HUGE_VAL };
  for (int i = 0; i < 4; i++) {
    says(ms_joint_run_cycle(j, size[i], 0.0, 8, NULL, NULL, &cycle), MS_ERR_BOUNDS, "amplitude ");
  }
  says(ms_joint_run_cycle(j, 1e-5, NAN, 8, NULL, NULL, &cycle), MS_ERR_BOUNDS, "velocity");
  says(ms_joint_run_cycle(j, 1e-5, HUGE_VAL, 8, NULL, NULL, &cycle), MS_ERR_BOUNDS, "velocity");
  says(ms_joint_run_cycle(j, 1e-5, -1e-9, 8, NULL, NULL, &cycle), MS_ERR_ARGUMENT, "a cycle needs");
  for (int n = 2; n < 6; n++) {
    CHECK_STATUS(ms_joint_run_cycle(j, 1e-5, 0.0, n, NULL, NULL, &cycle),
                 n == 4 ? MS_SUCCESS : MS_ERR_ARGUMENT);
  }
  double force, slope;
  says(ms_joint_eval_virgin(j, NAN, &force, &slope), MS_ERR_NUMERIC, "displacement nan");
  const double u[] = { 0.0, 1e-5, 2e-5 }, t[] = { 0.0, 0.1, NAN };
  double f[3];
  const ms_joint_path path = { .n = 3, .t = t, .u = { u }, .force = { f } };
  ptrdiff_t row;
  says(ms_joint_run_path(j, &path, &row), MS_ERR_ARGUMENT, "time does not increase: nan after 0.1");
  CHECK(row == 2);
  ms_joint_destroy(&j);
}

/* The last value of each is just inside, `bad` just outside. */
static void test_laws(void) {
  enum { MOST = 6 };
  const struct {
    const char *law;
    int n;
    const char *name[MOST];
    double value[MOST], bad;
    const char *words;
  } c[] = {
    { "bouc_wen",
      5,
      { "K", "a", "n", "beta", "gamma" },
      { 2e4, 0.1, 1, 3e4, 3e4 },
      3.01e4,
      "gamma = 30100" },
    { "bouc_wen",
      5,
      { "K", "a", "n", "beta", "gamma" },
      { 2e4, 0.1, 1, 3e4, -2.7e4 },
      -2.71e4,
      "gamma = -27100" },
    { "bouc_wen",
      5,
      { "K", "a", "n", "beta", "gamma" },
      { 2e4, 0.1, 1, 3e4, 3e4 },
      -3e4,
      "gamma = -30000" },
    { "iwan6",
      6,
      { "F_S", "K_T", "chi", "beta", "phi_ratio", "K_inf" },
      { 10, 100, -0.3, 1, 0.1, 99.9 },
      100,
      "K_inf = 100 must be less than K_T = 100" },
    { "iwan6",
      6,
      { "chi", "R", "S", "K_inf", "phi_2", "phi_1" },
      { -0.3, 1e3, 1e3, 1e2, 1e-3, 0.99e-3 },
      1e-3,
      "phi_1 = 0.001 must be less than phi_2" },
    { "iwan_pin", 0, { "offset" }, { 1e-4 }, 1.0001e-4, "offset = 0.00010001 puts the pin" },
    { "iwan_pin", 0, { "offset" }, { -1e-4 }, -1.0001e-4, "offset = -0.00010001 puts the pin" },
    { "dahl", 2, { "F_c", "sigma_0" }, { 1, 1e5 }, 1e-320, "F_c/sigma_0 = inf" },
    { "valanis", 0, { "E_t" }, { 9.99e7 }, 1e8, "E_t" },
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    const int last = c[i].n > 0 ? c[i].n - 1 : 0;
    for (int outside = 0; outside < 2; outside++) {
      ms_joint *j = NULL;
      CHECK_OK(ms_joint_create(test_context(), c[i].law, &j));
      if (c[i].n == 0) CHECK_OK(ms_joint_set_typical(j));
      for (int k = 0; k < last; k++) CHECK_OK(ms_joint_set(j, c[i].name[k], c[i].value[k]));
      ms_status status = ms_joint_set(j, c[i].name[last], outside ? c[i].bad : c[i].value[last]);
      if (status == MS_SUCCESS) status = ms_joint_setup(j);
      if (outside) says(status, MS_ERR_BOUNDS, c[i].words);
      if (!outside) CHECK_OK(status);
      ms_joint_destroy(&j);
    }
  }
}

static void test_normal(void) {
  const double N[] = { 0.0, 100.0, 100.0 }, s[] = { 0.5, 1.0, 1.2 };
  const struct {
    ms_joint_normal of;
    ms_status want;
    const char *words;
  } c[] = {
    { { 0.0, 100, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "K_n = 0" },
    { { NAN, 100, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "K_n = nan" },
    { { HUGE_VAL, 100, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "K_n = inf" },
    { { 1e7, -1e-9, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "N_0 = -1e-09" },
    { { 1e7, NAN, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "N_0 = nan" },
    { { 1e7, HUGE_VAL, 100, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "N_0 = inf" },
    { { 1e7, 100, 0.0, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "N_ref" },
    { { 1e7, 100, NAN, 0, NULL, 0, NULL, NULL }, MS_ERR_BOUNDS, "N_ref" },
    { { 1e7, 100, 100, -1, s, 0, NULL, NULL }, MS_ERR_ARGUMENT, "not -1 coefficients" },
    { { 1e7, 100, 100, 0, NULL, -1, N, s }, MS_ERR_ARGUMENT, "0 coefficients and -1" },
    { { 1e7, 100, 100, 2, s, 2, N, s }, MS_ERR_ARGUMENT, "2 coefficients and 2" },
    { { 1e7, 100, 100, 0, NULL, 3, N, s }, MS_ERR_BOUNDS, "N = 100 in row 3 does not rise" },
    { { 1e7, 0.0, 100, 0, NULL, 2, N, s }, MS_SUCCESS, "" },
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    ms_joint *law = test_joint("jenkins", "K_T", 2e4, "F_S", 7.3, NULL), *out = NULL;
    says(ms_joint_create_loaded(test_context(), &law, &c[i].of, &out), c[i].want,
         c[i].want ? c[i].words : "");
    CHECK((c[i].want != MS_SUCCESS) == !out);
    ms_joint_destroy(&law);
    ms_joint_destroy(&out);
  }
}

static void test_line_contact(void) {
  const ms_hertz_line line = { 0.01, 0.02, 2.1e11, 0.3 };
  ms_hertz_answer out;
  const struct {
    double nu;
    ms_status want;
  } c[] = { { -1.0, MS_ERR_BOUNDS },
            { -1.0 + 1e-9, MS_SUCCESS },
            { 0.5, MS_SUCCESS },
            { 0.5 + 1e-9, MS_ERR_BOUNDS },
            { NAN, MS_ERR_BOUNDS } };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    ms_hertz_line l = line;
    l.nu = c[i].nu;
    CHECK_STATUS(ms_hertz_line_at(test_context(), &l, 300.0, &out), c[i].want);
    if (c[i].want) CHECK_HAS(ms_context_message(test_context()), "line contact: nu = ");
  }
  for (int k = 0; k < 4; k++) {
    const char *const words[] = { "radius = ", "length = ", "E = ", "load = " };
    const double bad[] = { 0.0, -1.0, NAN, HUGE_VAL };
    for (int i = 0; i < 4; i++) {
      const ms_hertz_line l = { k == 0 ? bad[i] : 0.01, k == 1 ? bad[i] : 0.02,
                                k == 2 ? bad[i] : 2.1e11, 0.3 };
      says(ms_hertz_line_at(test_context(), &l, k == 3 ? bad[i] : 300.0, &out), MS_ERR_BOUNDS,
           words[k]);
    }
  }
}

static ms_status stay(const double *value, const double *state, const ms_joint_input *in,
                      ms_joint_output *out, double *after, void *user) {
  (void)value, (void)state, (void)in, (void)out, (void)after, (void)user;
  return MS_SUCCESS;
}

/* A law of the caller that lacks something. None of these is added. */
static void test_custom(void) {
  static const ms_param K[] = { { .name = "K", .lower = 0.0, .upper = HUGE_VAL } };
  const ms_law_info info = {
    .name = "half_made", .title = "", .reference = "", .param = K, .n_param = 1, .n_axis = 1
  };
  for (int i = 0; i < 8; i++) {
    ms_custom_law law = { .info = info, .n_state = 1, .update = stay };
    if (i == 0) law.info.name = NULL;
    if (i == 1) law.update = NULL;
    if (i == 2) law.info.n_axis = 0;
    if (i == 3) law.info.n_axis = MS_JOINT_MAX_AXIS + 1;
    if (i == 4) law.info.n_param = -1;
    if (i == 5) law.info.param = NULL;
    if (i == 6) law.n_state = -1;
    if (i == 7) law.n_state = MS_CUSTOM_MAX_STATE + 1;
    says(ms_joint_add_law(test_context(), &law), MS_ERR_ARGUMENT, "a custom law needs");
  }
  const ms_law_info *found;
  CHECK_STATUS(ms_joint_find_law(test_context(), "half_made", &found), MS_ERR_NAME);
  const ms_custom_law most = {
    .info = { .name = "largest", .title = "", .reference = "", .n_axis = MS_JOINT_MAX_AXIS },
    .n_state = MS_CUSTOM_MAX_STATE,
    .update = stay
  };
  CHECK_OK(ms_joint_add_law(test_context(), &most));
  ms_joint *out = NULL;
  says(ms_joint_create_parallel(test_context(), 0, &out), MS_ERR_ARGUMENT, "1 to 3 axes, not 0");
  says(ms_joint_create_parallel(test_context(), 4, &out), MS_ERR_ARGUMENT, "1 to 3 axes, not 4");
}

int main(void) {
  TEST(test_inputs);
  TEST(test_laws);
  TEST(test_normal);
  TEST(test_line_contact);
  TEST(test_custom);
  return test_finish();
}
