/* Laws and loads that a caller adds: the same numbers as the library's own, in a run in time too;
   what is refused. */
#include <math.h>
#include <string.h>

#include <microslip/response.h>

#include "support/check.h"
#include "support/joints.h"

enum { K, F, N_PARAM };
static const ms_param params[] = {
  [K] = { .name = "K", .unit = "N/m", .upper = HUGE_VAL, .open = 3, .required = 1, .typical = 1e6 },
  [F] = { .name = "F_max", .unit = "N", .upper = HUGE_VAL, .open = 3, .required = 1, .typical = 3 },
};

/* A Jenkins element: the history is the place of its slider. */
static ms_status update(const double *value, const double *state, const ms_joint_input *in,
                        ms_joint_output *out, double *after, void *user) {
  const double f = value[K] * (in->u[0] - state[0]);
  ++*(int *)user;
  out->force[0] = fmax(-value[F], fmin(value[F], f));
  out->du[0] = fabs(f) < value[F] ? value[K] : 0.0;
  after[0] = in->u[0] - out->force[0] / value[K];
  return MS_SUCCESS;
}

static void start(const double *value, const double *u, double *state, void *user) {
  (void)value;
  (void)user;
  state[0] = u[0];
}

static int calls;

static ms_custom_law own_law(const char *name) {
  return (ms_custom_law) { .info = { .name = name,
                                     .title = "slider of the caller",
                                     .reference = "",
                                     .param = params,
                                     .n_param = N_PARAM,
                                     .n_axis = 1 },
                           .n_state = 1,
                           .start = start,
                           .update = update,
                           .user = &calls };
}

static void test_path_of_law(void) {
  const ms_custom_law law = own_law("my_slider");
  CHECK_OK(ms_joint_add_law(test_context(), &law));
  ms_joint *mine = test_joint("my_slider", "K", 2.385e4, "F_max", 7.3, NULL);
  ms_joint *theirs = test_joint("jenkins", "K_T", 2.385e4, "F_S", 7.3, NULL);
  CHECK_OK(ms_joint_start(mine, (const double[]) { 1.1e-4 }));
  CHECK_OK(ms_joint_start(theirs, (const double[]) { 1.1e-4 }));
  for (int i = 0; i < 200; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output a, b;
    in.u[0] = 6.7e-4 * sin(0.37 * i) * cos(0.011 * i);
    CHECK_OK(ms_joint_step(mine, &in, &a));
    CHECK_OK(ms_joint_step(theirs, &in, &b));
    CHECK_NEAR(a.force[0], b.force[0], 1e-12 * 7.3);
  }
  CHECK_EQUAL(calls, 200);
  ms_joint_destroy(&mine);
  ms_joint_destroy(&theirs);
}

/* The largest displacement of a mass on a slider and a spring under a load. */
static double run(const char *law, const char *k, const char *f, const char *kind) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  const double one = 1.0;
  ms_structure *s = NULL;
  ms_load *load = NULL;
  ms_transient *t = NULL;
  ms_joint *j = test_joint(law, k, 2.385e4, f, 7.3, NULL);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  double most = 0.0;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 1.3));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 5.1e3));
  CHECK_OK(ms_structure_take_joint(s, "slider", &j, &from, &to));
  CHECK_OK(ms_structure_setup(s));
  CHECK_OK(ms_load_create(test_context(), kind, &load));
  CHECK_OK(ms_load_set(load, "amplitude", 31.0));
  if (strcmp(kind, "sine") == 0) CHECK_OK(ms_load_set(load, "frequency", 17.0));
  CHECK_OK(ms_load_set(load, "start", 0.003));
  CHECK_OK(ms_load_setup(load));
  setting.step = 1e-4;
  CHECK_OK(ms_transient_create(s, &setting, &t));
  CHECK_OK(ms_transient_add_load(t, &one, ms_load_time_fn, load, HUGE_VAL));
  CHECK_OK(ms_transient_start(t, 0.0, NULL, NULL));
  for (int i = 0; i < 2000; i++) {
    double u;
    CHECK_OK(ms_transient_step(t));
    ms_transient_get_coordinates(t, &u, NULL, NULL);
    most = fmax(most, fabs(u));
  }
  ms_transient_destroy(&t);
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
  return most;
}

static double eval(const double *value, double t, void *user) {
  return value[0] * sin(*(const double *)user * t);
}

static void test_in_time(void) {
  static const ms_param amplitude = { .name = "amplitude",
                                      .unit = "load",
                                      .lower = -HUGE_VAL,
                                      .upper = HUGE_VAL,
                                      .open = 3,
                                      .required = 1 };
  static double omega = 2.0 * 3.14159265358979323846 * 17.0;
  const ms_custom_load own = {
    .name = "my_sine", .param = &amplitude, .n_param = 1, .eval = eval, .user = &omega
  };
  const int n = ms_load_count_kinds();
  CHECK_OK(ms_load_add_kind(test_context(), &own));
  CHECK_EQUAL(ms_load_count_kinds(), n + 1);
  CHECK_STATUS(ms_load_add_kind(test_context(), &own), MS_ERR_NAME);
  const double theirs = run("jenkins", "K_T", "F_S", "sine");
  CHECK(theirs > 7.3 / 2.385e4); /* it slips */
  CHECK_CLOSE(run("my_slider", "K", "F_max", "my_sine"), theirs, 1e-9);
}

static void test_refusals(void) {
  ms_custom_law law = own_law("jenkins");
  CHECK_STATUS(ms_joint_add_law(test_context(), &law), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "there is a law 'jenkins' already");
  law = own_law("my_other");
  law.n_state = MS_CUSTOM_MAX_STATE + 1;
  CHECK_STATUS(ms_joint_add_law(test_context(), &law), MS_ERR_ARGUMENT);
  law.n_state = 1;
  law.update = NULL;
  CHECK_STATUS(ms_joint_add_law(test_context(), &law), MS_ERR_ARGUMENT);
  const ms_law_info *info;
  CHECK_STATUS(ms_joint_find_law(test_context(), "my_slidr", &info), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "did you mean 'my_slider'?");
}

int main(void) {
  TEST(test_path_of_law);
  TEST(test_in_time);
  TEST(test_refusals);
  return test_finish();
}
