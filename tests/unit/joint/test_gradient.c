/* Derivatives with respect to parameters: closed forms against extrapolated differences of the
   public curves, in both parameter sets, stuck, slipping, beyond slip, and on the negative side. */
#include <math.h>
#include <string.h>

#include "joint/gradient.h"
#include "support/check.h"
#include "support/joints.h"

enum { MAX_PARAM = 8 };

typedef struct example {
  const char *law;
  struct {
    const char *name;
    double value;
  } p[MAX_PARAM];
} example;

static const example examples[] = {
  { "linear", { { "K", 3.71 }, { "C", 0.0273 } } },
  { "cubic", { { "K", 2.93 }, { "K3", 0.417 } } },
  { "gap", { { "K", 5.13 }, { "g", 0.371 } } },
  { "gap", { { "K", 5.13 }, { "g_plus", 0.371 }, { "g_minus", 0.523 } } },
  { "jenkins", { { "F_S", 2.385 }, { "K_T", 3.17 } } },
  { "iwan4", { { "F_S", 2.385 }, { "K_T", 3.17 }, { "chi", -0.43 }, { "beta", 1.37 } } },
  { "iwan4", { { "R", 1.93 }, { "S", 0.83 }, { "chi", -0.43 }, { "phi_max", 1.217 } } },
  { "iwan6",
    { { "F_S", 2.385 },
      { "K_T", 3.17 },
      { "chi", -0.43 },
      { "beta", 1.37 },
      { "phi_ratio", 0.113 },
      { "K_inf", 0.417 } } },
  { "iwan6",
    { { "R", 1.93 },
      { "S", 0.83 },
      { "chi", 0.37 },
      { "phi_1", 0.131 },
      { "phi_2", 1.217 },
      { "K_inf", 0.417 } } },
  { "iwan_uniform", { { "F_S", 2.385 }, { "K_T", 3.17 } } },
  { "iwan_uniform", { { "rho", 2.385 }, { "phi_max", 1.117 } } },
};
enum { N_EXAMPLES = sizeof examples / sizeof *examples };

static const double omega = 1.83;
static const double place[] = { 0.0471, 0.629, -0.771, 1.931, -2.417 };
enum { N_PLACES = sizeof place / sizeof *place };

static ms_joint *build(const example *e, int changed, double value, double sliders) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), e->law, &j));
  for (int i = 0; i < MAX_PARAM && e->p[i].name; i++) {
    CHECK_OK(ms_joint_set(j, e->p[i].name, i == changed ? value : e->p[i].value));
  }
  if (sliders > 0.0) CHECK_OK(ms_joint_set(j, "sliders", sliders));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

/* Odd part of the force at u, slope at zero, loss; stepped losses for sliders, whose closed form is
 * not theirs. */
static void curves(const example *e, int i, double value, double u, double sliders, double y[3]) {
  ms_joint *j = build(e, i, value, sliders);
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  ms_joint_cycle cycle;
  CHECK_OK(ms_joint_step(j, &in, &out));
  y[1] = out.du[0];
  in.u[0] = u;
  CHECK_OK(ms_joint_start(j, NULL));
  CHECK_OK(ms_joint_step(j, &in, &out));
  y[0] = 0.5 * out.force[0];
  in.u[0] = -u;
  CHECK_OK(ms_joint_start(j, NULL));
  CHECK_OK(ms_joint_step(j, &in, &out));
  y[0] -= 0.5 * out.force[0];
  CHECK_OK(ms_joint_run_cycle(j, fabs(u), omega, 64, NULL, NULL, &cycle));
  y[2] = sliders > 0.0 ? cycle.D : cycle.D_closed_form;
  ms_joint_destroy(&j);
}

/* Two central differences, extrapolated: error h^4. */
static void differ(const example *e, int i, double u, double sliders, double want[3]) {
  double value = e->p[i].value, h = 1e-3 * fabs(value);
  double a[3], b[3], c[3], d[3];
  curves(e, i, value + h, u, sliders, a);
  curves(e, i, value - h, u, sliders, b);
  curves(e, i, value + 0.5 * h, u, sliders, c);
  curves(e, i, value - 0.5 * h, u, sliders, d);
  for (int k = 0; k < 3; k++) {
    want[k] = (4.0 * (c[k] - d[k]) / h - 0.5 * (a[k] - b[k]) / h) / 3.0;
  }
}

static int find(const example *e, const ms_joint_gradient *g) {
  for (int i = 0; i < MAX_PARAM && e->p[i].name; i++) {
    if (strcmp(e->p[i].name, g->param->name) == 0) return i;
  }
  return -1;
}

static void check_at(const example *e, double u, double sliders) {
  ms_joint_gradient g[16];
  double size[3], want[3];
  ms_joint *j = build(e, -1, 0.0, sliders);
  int n = ms_joint_count_gradient(j), seen = 0;
  CHECK(n <= 16);
  CHECK_OK(ms_joint_fill_gradient(j, u, omega, g));
  curves(e, -1, 0.0, u, sliders, size);
  for (int k = 0; k < n; k++) {
    int i = find(e, &g[k]);
    if (i < 0) { /* merge_tolerance: changes nothing */
      CHECK_NEAR(g[k].d.force, 0.0, 0.0);
      continue;
    }
    double p = e->p[i].value;
    seen++;
    differ(e, i, u, sliders, want);
    CHECK_EQUAL(g[k].by_differences, sliders > 0.0);
    CHECK_NEAR(g[k].d.force * p, want[0] * p, 1e-9 * (fabs(size[0]) + fabs(size[1] * u)));
    CHECK_NEAR(g[k].d.stuck * p, want[1] * p, 1e-9 * (1.0 + fabs(size[1])));
    CHECK_NEAR(g[k].d.loss * p, want[2] * p, 1e-9 * (fabs(size[0] * u) + fabs(size[2])));
  }
  int given = 0;
  while (given < MAX_PARAM && e->p[given].name) given++;
  CHECK_EQUAL(seen, given);
  ms_joint_destroy(&j);
}

static void test_closed_forms(void) {
  for (int e = 0; e < N_EXAMPLES; e++) {
    for (int k = 0; k < N_PLACES; k++) check_at(&examples[e], place[k], 0.0);
  }
}

/* No closed form: the law's curves are differentiated by differences, and that is said. */
static void test_by_differences(void) {
  for (int k = 0; k < N_PLACES; k++) check_at(&examples[5], place[k], 40.0);
}

/* D' with amplitude and frequency. */
static void test_loss_slopes(void) {
  for (int e = 0; e < N_EXAMPLES; e++) {
    for (int k = 0; k < N_PLACES; k++) {
      ms_joint *j = build(&examples[e], -1, 0.0, 0.0);
      double u = fabs(place[k]), h = 1e-4 * u, by_u, by_omega;
      ms_joint_cycle up, down, fast, slow;
      CHECK_OK(ms_joint_loss_slopes(j, place[k], omega, &by_u, &by_omega));
      CHECK_OK(ms_joint_run_cycle(j, u + h, omega, 8, NULL, NULL, &up));
      CHECK_OK(ms_joint_run_cycle(j, u - h, omega, 8, NULL, NULL, &down));
      CHECK_OK(ms_joint_run_cycle(j, u, omega + h, 8, NULL, NULL, &fast));
      CHECK_OK(ms_joint_run_cycle(j, u, omega - h, 8, NULL, NULL, &slow));
      double want = (up.D_closed_form - down.D_closed_form) / (2.0 * h);
      double want_omega = (fast.D_closed_form - slow.D_closed_form) / (2.0 * h);
      CHECK_NEAR(by_u, want, 1e-7 * (1.0 + fabs(want)));
      CHECK_NEAR(by_omega, want_omega, 1e-9);
      ms_joint_destroy(&j);
    }
  }
}

/* Every law that has closed forms, at typical parameters: against itself without them. */
static void test_every_law(void) {
  int tried = 0;
  for (int i = 0; i < ms_n_laws; i++) {
    ms_joint_gradient closed[16], plain[16];
    if (!ms_laws[i]->gradient) continue;
    ms_joint *j = test_typical(ms_laws[i]->info.name);
    ms_law without = *j->law;
    const double u = 0.373 * test_scale(j);
    double F, K;
    CHECK_OK(ms_joint_eval_virgin(j, 0.0, &F, &K));
    without.gradient = NULL;
    CHECK(ms_joint_count_gradient(j) <= 16);
    CHECK_OK(ms_joint_fill_gradient(j, u, omega, closed));
    j->law = &without;
    CHECK_OK(ms_joint_fill_gradient(j, u, omega, plain));
    j->law = ms_laws[i];
    for (int k = 0; k < ms_joint_count_gradient(j); k++) {
      ms_gradient a = closed[k].d, b = plain[k].d;
      CHECK_NEAR(a.force, b.force, 1e-8 * fabs(b.force));
      double none = closed[k].value != 0.0 ? 1e-11 * K / fabs(closed[k].value) : 0.0;
      CHECK_NEAR(a.stuck, b.stuck, 1e-8 * fabs(b.stuck) + none);
      CHECK_NEAR(a.loss, b.loss, 1e-7 * fabs(b.loss));
    }
    ms_joint_destroy(&j);
    tried++;
  }
  CHECK(tried >= 7);
}

/* phi_ratio = 0 with chi < 0: the derivative there is infinite, and comes so. */
static void test_infinite(void) {
  ms_joint *j = test_joint("iwan6", "F_S", 2.385, "K_T", 3.17, "chi", -0.43, "beta", 1.37,
                           "phi_ratio", 0.0, "K_inf", 0.417, NULL);
  ms_joint_gradient g[16];
  CHECK_OK(ms_joint_fill_gradient(j, 0.629, omega, g));
  for (int k = 0; k < ms_joint_count_gradient(j); k++) {
    int ratio = g[k].param == &ms_joint_info(j)->param[4];
    CHECK_EQUAL(isfinite(g[k].d.force) && isfinite(g[k].d.stuck) && isfinite(g[k].d.loss), !ratio);
  }
  ms_joint_destroy(&j);
}

/* A parameter at its bound is differentiated from the side there is. */
static void test_bound(void) {
  ms_joint *j = test_joint("iwan5", "F_S", 2.385, "K_T", 3.17, "chi", -0.43, "beta", 1.37, "theta",
                           1.0, NULL);
  ms_joint_gradient g[16];
  double F[2], slope, u = 0.629;
  CHECK_OK(ms_joint_fill_gradient(j, u, omega, g));
  for (int k = 0; k < 2; k++) {
    ms_joint *near = test_joint("iwan5", "F_S", 2.385, "K_T", 3.17, "chi", -0.43, "beta", 1.37,
                                "theta", 1.0 - 1e-4 * k, NULL);
    CHECK_OK(ms_joint_eval_virgin(near, u, &F[k], &slope));
    ms_joint_destroy(&near);
  }
  for (int k = 0; k < ms_joint_count_gradient(j); k++) {
    if (g[k].param->name[0] != 't') continue;
    CHECK_EQUAL(g[k].by_differences, 1);
    CHECK_CLOSE(g[k].d.force, (F[0] - F[1]) / 1e-4, 1e-3);
  }
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_closed_forms);
  TEST(test_by_differences);
  TEST(test_loss_slopes);
  TEST(test_every_law);
  TEST(test_infinite);
  TEST(test_bound);
  return test_finish();
}
