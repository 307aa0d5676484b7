/* Iwan element with a pin: the pin's part beside iwan4, closed forms, energy, bad parameters. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"

#define F_S   11.7
#define K_T   2.385
#define CHI   (-0.31)
#define BETA  0.83
#define PLUS  7.16 /* clearance 8.3, offset 1.14 */
#define MINUS 9.44
#define K_PIN 1.37

static ms_joint *pinned(double sliders) {
  return test_joint("iwan_pin", "F_S", F_S, "K_T", K_T, "chi", CHI, "beta", BETA, "clearance", 8.3,
                    "offset", 1.14, "K_pin", K_PIN, "sliders", sliders, NULL);
}

static double pin_force(double u) {
  return u > PLUS ? K_PIN * (u - PLUS) : u < -MINUS ? K_PIN * (u + MINUS) : 0.0;
}

/* Any history, load and stiffness varying: iwan4 and a spring beyond the clearance. */
static void compare(double sliders) {
  ms_joint *j = pinned(sliders);
  ms_joint *plain = test_joint("iwan4", "F_S", F_S, "K_T", K_T, "chi", CHI, "beta", BETA, "sliders",
                               sliders, NULL);
  int touched = 0;
  for (int i = 0; i < 600; i++) {
    ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
    ms_joint_output out, want;
    ms_joint_energy e, e_plain;
    in.u[0] = 9.1 * sin(0.37 * i) + 4.9 * cos(1.7 * i);
    in.k = i < 300 ? 1.0 : 1.0 + 0.6 * sin(0.91 * i);
    in.alpha = i < 300 ? 1.0 : 1.0 + 0.8 * cos(0.23 * i);
    CHECK_OK(ms_joint_step(j, &in, &out));
    CHECK_OK(ms_joint_step(plain, &in, &want));
    double F = pin_force(in.u[0]);
    touched += F != 0.0;
    CHECK_NEAR(out.force[0], want.force[0] + in.k * F, 1e-13 * F_S);
    CHECK_NEAR(out.du[0], want.du[0] + (F != 0.0 ? in.k * K_PIN : 0.0), 1e-13 * K_T);
    CHECK_NEAR(out.dk[0], want.dk[0] + F, 1e-13 * F_S);
    CHECK_NEAR(out.dalpha[0], want.dalpha[0], 0.0);
    CHECK_OK(ms_joint_get_energy(j, &e));
    CHECK_OK(ms_joint_get_energy(plain, &e_plain));
    CHECK_NEAR(e.stored, e_plain.stored + in.k * F * F / (2.0 * K_PIN), 1e-12 * e.stored);
    CHECK_NEAR(e.dissipated, e_plain.dissipated, 0.0);
  }
  CHECK(touched > 100 && touched < 500);
  ms_joint_destroy(&j);
  ms_joint_destroy(&plain);
}

static void test_beside_iwan4(void) {
  compare(0);
  compare(57);
}

/* Formulas of the four-parameter element written out here. */
static void test_closed_forms(void) {
  ms_joint *j = pinned(0);
  double phi_max = F_S * (1.0 + BETA) / (K_T * (BETA + (CHI + 1.0) / (CHI + 2.0)));
  double R = K_T * (CHI + 1.0) / (pow(phi_max, CHI + 1.0) * (1.0 + BETA));
  double D_max = 4.0 * R * pow(phi_max, CHI + 3.0) / ((CHI + 2.0) * (CHI + 3.0));
  for (int i = 0; i < 20; i++) {
    double u = 0.79 * (i + 0.37), F, slope;
    ms_joint_cycle c;
    int inside = u < phi_max;
    double g = inside ? K_T * u - R * pow(u, CHI + 2.0) / ((CHI + 1.0) * (CHI + 2.0)) : F_S;
    double D = inside ? 4.0 * R * pow(u, CHI + 3.0) / ((CHI + 2.0) * (CHI + 3.0))
                      : D_max + 4.0 * F_S * (u - phi_max);
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_CLOSE(F, g + pin_force(u), 1e-13);
    CHECK_OK(ms_joint_eval_virgin(j, -u, &F, &slope));
    CHECK_CLOSE(F, -g + pin_force(-u), 1e-13);
    CHECK_OK(ms_joint_run_cycle(j, u, 0.0, 200, NULL, NULL, &c));
    CHECK_CLOSE(c.F0, g + pin_force(u), 1e-12);
    CHECK_CLOSE(c.D, D, 1e-12);
    CHECK_CLOSE(c.D_closed_form, D, 1e-12);
  }
  ms_joint_destroy(&j);
}

static void test_pin_outside_hole(void) {
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "iwan_pin", &j));
  CHECK_OK(ms_joint_set(j, "clearance", 1e-4));
  CHECK_OK(ms_joint_set(j, "offset", -1.3e-4));
  CHECK_OK(ms_joint_set_typical(j));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "offset");
  CHECK_OK(ms_joint_set(j, "offset", -0.9e-4));
  CHECK_OK(ms_joint_setup(j));
  ms_joint_destroy(&j);
}

/* A pin that touches one wall at rest: a spring beside the element to that side, none to the other
   until it has crossed the hole. */
static void test_pin_at_wall(void) {
  const double clearance = 1e-4, K_pin = 2.385e7;
  ms_joint *j = NULL, *alone = test_typical("iwan4");
  double F, without, slope;
  CHECK_OK(ms_joint_create(test_context(), "iwan_pin", &j));
  CHECK_OK(ms_joint_set(j, "clearance", clearance));
  CHECK_OK(ms_joint_set(j, "offset", clearance));
  CHECK_OK(ms_joint_set(j, "K_pin", K_pin));
  for (int i = 0; i < ms_joint_info(alone)->n_param; i++) {
    const ms_param *p = &ms_joint_info(alone)->param[i];
    if (p->required && p->set < 2) CHECK_OK(ms_joint_set(j, p->name, p->typical));
  }
  CHECK_OK(ms_joint_setup(j));
  for (double u = -3.1e-4; u < 3e-4; u += 0.7e-4) {
    const double wall = u > 0.0 ? u : fmin(0.0, u + 2.0 * clearance);
    CHECK_OK(ms_joint_eval_virgin(j, u, &F, &slope));
    CHECK_OK(ms_joint_eval_virgin(alone, u, &without, &slope));
    CHECK_CLOSE(F, without + K_pin * wall, 1e-12);
  }
  ms_joint_destroy(&alone);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_beside_iwan4);
  TEST(test_closed_forms);
  TEST(test_pin_outside_hole);
  TEST(test_pin_at_wall);
  return test_finish();
}
