/* Sensitivities of frequency and damping against extrapolated differences of whole analyses: the
   structure is built anew with every changed parameter, stuck modes and all. */
#include <math.h>
#include <string.h>

#include <microslip/quasistatic.h>

#include "support/check.h"
#include "support/joints.h"

enum { N = 4, MAX_PARAM = 8, MAX_JOINTS = 2 };

typedef enum damping { MODAL, RAYLEIGH, MATRIX } damping;

typedef struct law {
  const char *name;
  struct {
    const char *name;
    double value;
  } p[MAX_PARAM];
} law;

typedef struct example {
  law joint[MAX_JOINTS]; /* a second one if named */
  damping damping;
  ms_quasistatic_kind kind;
  ptrdiff_t mode;
  double q;
} example;

#define IWAN4                                                \
  {                                                          \
    "iwan4", {                                               \
      { "F_S", 2.385 }, { "K_T", 71.3 }, { "chi", -0.43 }, { \
        "beta", 1.37                                         \
      }                                                      \
    }                                                        \
  }
#define DENSITY                                         \
  {                                                     \
    "iwan4", {                                          \
      { "R", 83.1 }, { "S", 11.7 }, { "chi", -0.31 }, { \
        "phi_max", 0.0517                               \
      }                                                 \
    }                                                   \
  }
#define IWAN6                                                                \
  {                                                                          \
    "iwan6", {                                                               \
      { "F_S", 2.385 }, { "K_T", 71.3 }, { "chi", -0.43 }, { "beta", 1.37 }, \
          { "phi_ratio", 0.117 }, {                                          \
        "K_inf", 3.31                                                        \
      }                                                                      \
    }                                                                        \
  }
#define JENKINS           \
  {                       \
    "jenkins", {          \
      { "F_S", 1.713 }, { \
        "K_T", 53.1       \
      }                   \
    }                     \
  }
#define UNIFORM           \
  {                       \
    "iwan_uniform", {     \
      { "F_S", 1.713 }, { \
        "K_T", 53.1       \
      }                   \
    }                     \
  }
#define LINEAR         \
  {                    \
    "linear", {        \
      { "K", 23.1 }, { \
        "C", 0.0317    \
      }                \
    }                  \
  }
#define CUBIC          \
  {                    \
    "cubic", {         \
      { "K", 23.1 }, { \
        "K3", 371.0    \
      }                \
    }                  \
  }
#define GAP            \
  {                    \
    "gap", {           \
      { "K", 53.1 }, { \
        "g", 0.00217   \
      }                \
    }                  \
  }
#define SLIDERS                                                                \
  {                                                                            \
    "iwan4", {                                                                 \
      { "F_S", 2.385 }, { "K_T", 71.3 }, { "chi", -0.43 }, { "beta", 1.37 }, { \
        "sliders", 30.0                                                        \
      }                                                                        \
    }                                                                          \
  }

static const example examples[] = {
  { { IWAN4 }, MODAL, MS_QUASISTATIC_QSMA, 0, 0.0213 },
  { { IWAN4, JENKINS }, MODAL, MS_QUASISTATIC_QSMA, 1, 0.0629 },
  { { IWAN4, JENKINS }, MODAL, MS_QUASISTATIC_QSMA, 1, 0.371 },
  { { DENSITY, IWAN6 }, RAYLEIGH, MS_QUASISTATIC_QSMA, 1, 0.0571 },
  { { DENSITY, IWAN6 }, MATRIX, MS_QUASISTATIC_QSMA, 2, 0.213 },
  { { IWAN6, UNIFORM }, MATRIX, MS_QUASISTATIC_QSMA, 0, 0.173 },
  { { CUBIC, LINEAR }, MODAL, MS_QUASISTATIC_QSMA, 1, 0.317 },
  { { IWAN4, GAP }, RAYLEIGH, MS_QUASISTATIC_QSMA, 0, 0.0713 },
  { { IWAN4, LINEAR }, MODAL, MS_QUASISTATIC_QSMA, 1, 0.0713 },
  { { SLIDERS }, MODAL, MS_QUASISTATIC_QSMA, 0, 0.0713 },
  { { IWAN4, JENKINS }, MODAL, MS_QUASISTATIC_RQNM, 1, 0.0629 },
  { { DENSITY, IWAN6 }, MATRIX, MS_QUASISTATIC_RQNM, 0, 0.213 },
  { { CUBIC, UNIFORM }, RAYLEIGH, MS_QUASISTATIC_RQNM, 2, 0.213 },
};
enum { N_EXAMPLES = sizeof examples / sizeof *examples };

static ms_joint *make(const law *l, int changed, double value) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), l->name, &j));
  for (int i = 0; i < MAX_PARAM && l->p[i].name; i++) {
    CHECK_OK(ms_joint_set(j, l->p[i].name, i == changed ? value : l->p[i].value));
  }
  CHECK_OK(ms_joint_setup(j));
  return j;
}

static void damp(ms_structure *s, damping kind) {
  static const double zeta[N] = { 2.3e-3, 1.7e-3, 3.1e-3, 2.9e-3 };
  double C[N * N] = { 0.0 };
  if (kind == MODAL) CHECK_OK(ms_structure_set_modal_damping(s, zeta));
  if (kind == RAYLEIGH) CHECK_OK(ms_structure_set_rayleigh_damping(s, 0.0131, 2.7e-4));
  if (kind != MATRIX) return;
  for (int i = 0; i < N; i++) C[i + N * i] = 0.031 * (i + 1);
  C[1] = C[N] = -0.017;
  CHECK_OK(ms_structure_set_damping(s, C));
}

/* Parameter i of joint k set to value; k = -1 for none. */
static ms_structure *build(const example *e, int k, int i, double value) {
  static const ptrdiff_t from[MAX_JOINTS] = { 0, 2 }, to[MAX_JOINTS] = { 1, 3 };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), N, NULL, &s));
  for (ptrdiff_t j = 0; j < N; j++) {
    CHECK_OK(ms_structure_add_mass(s, j, 1.3 + 0.4 * sin(1.7 * (double)j)));
    CHECK_OK(ms_structure_add_spring(s, j - 1, j, 90.0 + 21.0 * cos(2.3 * (double)j)));
  }
  for (int j = 0; j < MAX_JOINTS && e->joint[j].name; j++) {
    ms_joint *joint = make(&e->joint[j], j == k ? i : -1, value);
    CHECK_OK(ms_structure_take_joint(s, e->joint[j].name, &joint, &from[j], &to[j]));
  }
  damp(s, e->damping);
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_quasistatic *solve(const example *e, ms_structure *s) {
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_quasistatic *run = NULL;
  double level[6];
  setting.kind = e->kind;
  setting.mode = e->mode;
  CHECK_OK(ms_quasistatic_space(test_context(), 0.03 * e->q, e->q, 6, level));
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, 6, level));
  return run;
}

static void answers(const example *e, int k, int i, double value, double y[3]) {
  ms_structure *s = build(e, k, i, value);
  ms_quasistatic *run = solve(e, s);
  const ms_quasistatic_level *l = ms_quasistatic_get_level(run, 5);
  CHECK_EQUAL(l->method, MS_LOSS_OWN);
  y[0] = l->omega, y[1] = l->zeta_joint, y[2] = l->zeta;
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Two central differences, extrapolated: error h^4. */
static void differ(const example *e, int k, int i, double want[3]) {
  double value = e->joint[k].p[i].value, h = 1e-3 * value, a[3], b[3], c[3], d[3];
  answers(e, k, i, value + h, a);
  answers(e, k, i, value - h, b);
  answers(e, k, i, value + 0.5 * h, c);
  answers(e, k, i, value - 0.5 * h, d);
  for (int n = 0; n < 3; n++) {
    want[n] = (4.0 * (c[n] - d[n]) / h - 0.5 * (a[n] - b[n]) / h) / 3.0;
  }
}

static int find(const law *l, const char *name) {
  for (int i = 0; i < MAX_PARAM && l->p[i].name; i++) {
    if (strcmp(l->p[i].name, name) == 0) return i;
  }
  return -1;
}

/* Errors relative to the derivative with a floor of a millionth of the quantity itself. */
static void check(const example *e, const ms_sensitivity *d, const double y[3]) {
  int i = find(&e->joint[d->joint], d->param->name);
  double want[3];
  if (i < 0) { /* merge_tolerance */
    CHECK_NEAR(d->omega, 0.0, 0.0);
    return;
  }
  double p = d->value;
  CHECK_CLOSE(p, e->joint[d->joint].p[i].value, 0.0);
  CHECK_EQUAL(d->defined, 1);
  CHECK_EQUAL(d->by_differences, find(&e->joint[d->joint], "sliders") >= 0);
  differ(e, d->joint, i, want);
  CHECK_NEAR(d->omega * p, want[0] * p, 1e-6 * fabs(want[0] * p) + 1e-10 * y[0]);
  CHECK_NEAR(d->zeta_joint * p, want[1] * p, 1e-6 * fabs(want[1] * p) + 1e-9 * y[1]);
  CHECK_NEAR(d->zeta * p, want[2] * p, 1e-6 * fabs(want[2] * p) + 1e-9 * y[2]);
}

static void test_against_differences(void) {
  for (int n = 0; n < N_EXAMPLES; n++) {
    const example *e = &examples[n];
    ms_sensitivity d[32];
    double y[3];
    ms_structure *s = build(e, -1, -1, 0.0);
    ms_quasistatic *run = solve(e, s);
    ptrdiff_t count = ms_quasistatic_count_parameters(run);
    CHECK(count <= 32);
    answers(e, -1, -1, 0.0, y);
    CHECK_OK(ms_quasistatic_fill_sensitivity(run, 5, d));
    for (ptrdiff_t k = 0; k < count; k++) check(e, &d[k], y);
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
}

/* Laws side by side: each member's parameters, one after the other. */
static void test_members(void) {
  const double q = 0.0713;
  double zeta[3], h = 1e-4 * 71.3;
  ms_sensitivity d[16];
  for (int n = 0; n < 3; n++) {
    const double K_T = 71.3 + (n - 1) * h;
    const ptrdiff_t from = MS_GROUND, to = 0;
    ms_structure *s = NULL;
    ms_quasistatic *run = NULL;
    ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
    ms_joint *whole = NULL, *spring = test_joint("cubic", "K", 3.17, "K3", 213.0, NULL);
    ms_joint *slip = test_joint("jenkins", "F_S", 1.713, "K_T", K_T, NULL);
    CHECK_OK(ms_joint_create_parallel(test_context(), 1, &whole));
    CHECK_OK(ms_joint_take_member(whole, &spring, NULL));
    CHECK_OK(ms_joint_take_member(whole, &slip, NULL));
    CHECK_OK(ms_joint_setup(whole));
    CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
    CHECK_OK(ms_structure_add_mass(s, 0, 1.37));
    CHECK_OK(ms_structure_take_joint(s, "both", &whole, &from, &to));
    CHECK_OK(ms_structure_setup(s));
    CHECK_OK(ms_quasistatic_create(s, &setting, &run));
    CHECK_OK(ms_quasistatic_run(run, 1, &q));
    zeta[n] = ms_quasistatic_get_level(run, 0)->zeta_joint;
    CHECK_EQUAL(ms_quasistatic_count_parameters(run), 4);
    if (n == 1) CHECK_OK(ms_quasistatic_fill_sensitivity(run, 0, d));
    ms_quasistatic_destroy(&run);
    ms_structure_destroy(&s);
  }
  CHECK_EQUAL(d[1].member, 0);
  CHECK_TEXT(d[1].param->name, "K3");
  CHECK_EQUAL(d[3].member, 1);
  CHECK_TEXT(d[3].param->name, "K_T");
  CHECK(fabs(d[3].zeta_joint) > 0.0);
  CHECK_CLOSE(d[3].zeta_joint, (zeta[2] - zeta[0]) / (2.0 * h), 1e-6);
}

/* Where there is none: a loss by cycles, a level that is not there, an infinite derivative. */
static void test_refused(void) {
  static const example e = { { { "iwan6",
                                 { { "F_S", 2.385 },
                                   { "K_T", 71.3 },
                                   { "chi", -0.43 },
                                   { "beta", 1.37 },
                                   { "phi_ratio", 0.0 },
                                   { "K_inf", 3.31 } } } },
                             MODAL,
                             MS_QUASISTATIC_QSMA,
                             0,
                             0.0713 };
  static const double level = 0.0713, force[N] = { 0.0, 0.7, 0.0, 0.0 };
  ms_quasistatic_setting setting = MS_QUASISTATIC_DEFAULT;
  ms_sensitivity d[16];
  ms_structure *s = build(&e, -1, -1, 0.0);
  ms_quasistatic *run = solve(&e, s);
  CHECK_STATUS(ms_quasistatic_fill_sensitivity(run, 6, d), MS_ERR_ARGUMENT);
  CHECK_OK(ms_quasistatic_fill_sensitivity(run, 5, d));
  for (ptrdiff_t k = 0; k < ms_quasistatic_count_parameters(run); k++) {
    CHECK_EQUAL(d[k].defined, strcmp(d[k].param->name, "phi_ratio") != 0);
  }
  ms_quasistatic_destroy(&run);
  setting.preload = force;
  setting.mode = e.mode;
  CHECK_OK(ms_quasistatic_create(s, &setting, &run));
  CHECK_OK(ms_quasistatic_run(run, 1, &level));
  CHECK_STATUS(ms_quasistatic_fill_sensitivity(run, 0, d), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "cycle of the load");
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
}

/* Parameters of one side of a symmetric gap: a change makes the analysis cycle its load, and the
   loop's half range moves by half of what both sides would move it by. */
static void test_one_side(void) {
  static const example e = {
    { IWAN4, { "gap", { { "K", 53.1 }, { "g_plus", 0.00217 }, { "g_minus", 0.00217 } } } },
    MODAL,
    MS_QUASISTATIC_QSMA,
    0,
    0.0713
  };
  ms_sensitivity all[16];
  ms_structure *s = build(&e, -1, -1, 0.0);
  ms_quasistatic *run = solve(&e, s);
  CHECK_EQUAL(ms_quasistatic_count_parameters(run), 8);
  CHECK_OK(ms_quasistatic_fill_sensitivity(run, 5, all));
  ms_quasistatic_destroy(&run);
  ms_structure_destroy(&s);
  for (int i = 1; i <= 2; i++) {
    const ms_sensitivity *d = &all[5 + i]; /* behind five of iwan4, and K */
    double omega[2], zeta[2], h = 1e-4 * 0.00217;
    for (int n = 0; n < 2; n++) {
      s = build(&e, 1, i, 0.00217 + (n ? h : -h));
      run = solve(&e, s);
      const ms_quasistatic_level *l = ms_quasistatic_get_level(run, 5);
      CHECK_EQUAL(l->method, MS_LOSS_CYCLED);
      omega[n] = l->omega, zeta[n] = l->zeta;
      ms_quasistatic_destroy(&run);
      ms_structure_destroy(&s);
    }
    CHECK_TEXT(d->param->name, e.joint[1].p[i].name);
    CHECK_EQUAL(d->by_differences, 0);
    CHECK(d->omega < -0.1);
    CHECK_CLOSE(d->omega, (omega[1] - omega[0]) / (2.0 * h), 1e-6);
    CHECK_CLOSE(d->zeta, (zeta[1] - zeta[0]) / (2.0 * h), 1e-5);
  }
}

int main(void) {
  TEST(test_one_side);
  TEST(test_against_differences);
  TEST(test_members);
  TEST(test_refused);
  return test_finish();
}
