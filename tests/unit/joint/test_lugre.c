/* LuGre friction: steady curve, exact at constant velocity, second order otherwise, passive. */
#include <math.h>

#include "support/check.h"
#include "support/joints.h"
#include "support/paths.h"

static const double F_c = 11.7, F_s = 17.3, v_st = 0.23, s_0 = 238.5, s_1 = 3.1, s_2 = 1.9;

static ms_joint *sample(double v_d) {
  return test_joint("lugre", "F_c", F_c, "F_s", F_s, "v_st", v_st, "sigma_0", s_0, "sigma_1", s_1,
                    "sigma_2", s_2, "v_d", v_d, NULL);
}

static ms_joint_output step(ms_joint *j, double u, double v, double dt, double alpha, double k) {
  ms_joint_input in = MS_JOINT_INPUT_DEFAULT;
  ms_joint_output out;
  in.u[0] = u;
  in.v[0] = v;
  in.dt = dt;
  in.alpha = alpha;
  in.k = k;
  CHECK_OK(ms_joint_step(j, &in, &out));
  CHECK(isfinite(out.force[0]) && isfinite(out.du[0]) && isfinite(out.dv[0]));
  CHECK(isfinite(out.dalpha[0]) && isfinite(out.dk[0]));
  return out;
}

static double g(double v) {
  return F_c + (F_s - F_c) * exp(-(v / v_st) * (v / v_st));
}

/* After a long way at constant velocity F = alpha (g sgn(v) + sigma_2 v). */
static void test_steady_curve(void) {
  ms_joint *j = sample(0.0);
  for (int i = 0; i < 40; i++) {
    double v = (i % 2 ? -1.0 : 1.0) * 1e-3 * pow(1.3, i), alpha = 0.3 + 0.05 * i;
    step(j, 0.0, v, 0.0, alpha, 1.3);
    ms_joint_output out = step(j, copysign(80.0, v), v, 80.0 / fabs(v), alpha, 1.3);
    CHECK_CLOSE(out.force[0], alpha * (copysign(g(v), v) + s_2 * v), 1e-13);
    CHECK_NEAR(out.du[0], 0.0, 1e-12);
    step(j, 0.0, 0.0, 0.0, 1.0, 1.0);
  }
  ms_joint_destroy(&j);
}

/* Constant velocity from rest: z = g/sigma_0 (1 - exp(-sigma_0 v t/g)), in one step or in many. */
static void test_constant_velocity(void) {
  ms_joint *j = sample(0.0), *many = sample(0.0);
  double v = 0.137, E;
  step(many, 0.0, v, 0.0, 1.0, 1.0);
  for (int i = 1; i <= 200; i++) {
    double t = 0.0083 * i, F;
    E = exp(-s_0 * v * t / g(v));
    F = g(v) * (1.0 - E) + s_1 * v * E + s_2 * v;
    CHECK_OK(ms_joint_start(j, NULL));
    CHECK_CLOSE(step(j, 0.0, v, 0.0, 1.0, 1.0).force[0], (s_1 + s_2) * v, 1e-14);
    CHECK_CLOSE(step(j, v * t, v, t, 1.0, 1.0).force[0], F, 1e-13);
    CHECK_CLOSE(step(many, v * t, v, 0.0083, 1.0, 1.0).force[0], F, 1e-11);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&many);
}

/* ---- against Runge-Kutta on dz/dt ---- */

static double drift; /* above 0.5 the velocity never changes sign */

static double velocity(double t) {
  return drift + 0.31 * cos(2.3 * t) + 0.17 * sin(5.1 * t);
}
static double displacement(double t) {
  return drift * t + 0.31 / 2.3 * sin(2.3 * t) - 0.17 / 5.1 * (cos(5.1 * t) - 1.0);
}
static double rate(double t, double z) {
  double v = velocity(t);
  return v - s_0 * fabs(v) * z / g(v);
}

enum { POINTS = 16 };
static const double span = 3.7;

/* Force at POINTS times by 8192 steps between them. */
static void reference(double v_d, double *F) {
  enum { FINE = 8192 };
  double h = span / (POINTS * FINE), z = 0.0;
  for (int i = 0; i < POINTS * FINE; i++) {
    double t = i * h, a = rate(t, z), b = rate(t + 0.5 * h, z + 0.5 * h * a);
    double c = rate(t + 0.5 * h, z + 0.5 * h * b), d = rate(t + h, z + h * c);
    z += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    if ((i + 1) % FINE) continue;
    double end = span * (i / FINE + 1) / POINTS, v = velocity(end);
    double damp = v_d > 0.0 ? s_1 * exp(-v * v / (v_d * v_d)) : s_1;
    F[i / FINE] = s_0 * z + damp * rate(end, z) + s_2 * v;
  }
}

static double error_with(double v_d, const double *F, int steps) {
  ms_joint *j = sample(v_d);
  double worst = 0.0, dt = span / (POINTS * steps);
  step(j, 0.0, velocity(0.0), 0.0, 1.0, 1.0);
  for (int i = 1; i <= POINTS * steps; i++) {
    double t = i * dt, force = step(j, displacement(t), velocity(t), dt, 1.0, 1.0).force[0];
    if (i % steps == 0) worst = fmax(worst, fabs(force - F[i / steps - 1]));
  }
  ms_joint_destroy(&j);
  return worst / F_s;
}

/* Second order. A reversal within a step costs dt^2 times a factor that depends on where in the
   step it falls, so that there the order shows over many halvings only. */
static void test_order(void) {
  for (int i = 0; i < 4; i++) {
    double F[POINTS], v_d = i % 2 ? 0.19 : 0.0;
    drift = i < 2 ? 0.53 : 0.0;
    reference(v_d, F);
    double coarse = error_with(v_d, F, 16), fine = error_with(v_d, F, 64);
    if (drift > 0.0) CHECK_NEAR(log2(coarse / fine) / 2.0, 2.0, 0.05);
    CHECK_BELOW(coarse, 2e-3);
    fine = error_with(v_d, F, 8192);
    CHECK_NEAR(log2(coarse / fine) / 9.0, 2.0, 0.15);
    CHECK_BELOW(fine, 5e-9);
  }
}

/* Any stiffness and step: the bristles never push harder than F_s. */
static void test_stiff(void) {
  for (int i = 0; i < 8; i++) {
    ms_joint *j = test_joint("lugre", "F_c", F_c, "F_s", F_s, "v_st", v_st, "sigma_0",
                             pow(10.0, 2.0 + 2.0 * i), "sigma_1", 0.0, "sigma_2", 0.0, NULL);
    for (int n = 1; n < 300; n++) {
      double t = 0.037 * n, F = step(j, displacement(t), velocity(t), 0.037, 1.0, 1.0).force[0];
      CHECK(fabs(F) <= F_s * (1.0 + 1e-14));
    }
    ms_joint_destroy(&j);
  }
}

/* Without time and velocity: Dahl's law with the static force. */
static void test_quasi_static(void) {
  ms_joint *j = sample(0.0), *dahl = test_joint("dahl", "F_c", F_s, "sigma_0", s_0, NULL);
  for (int i = 0; i < 300; i++) {
    double u = 0.11 * sin(0.7 * i) * exp(-0.01 * i);
    CHECK_NEAR(step(j, u, 0.0, 0.0, 1.0, 1.0).force[0], step(dahl, u, 0.0, 0.0, 1.0, 1.0).force[0],
               1e-13 * F_s);
  }
  ms_joint_destroy(&j);
  ms_joint_destroy(&dahl);
}

/* alpha and k in proportion give k times the force; an open joint carries nothing and forgets. */
static void test_load(void) {
  ms_joint *j = sample(0.19), *still = sample(0.19);
  for (int i = 1; i < 400; i++) {
    double t = 0.011 * i, k = 1.0 + 0.7 * sin(0.37 * i), u = displacement(t), v = velocity(t);
    double F = step(still, u, v, 0.011, 1.0, 1.0).force[0];
    CHECK_NEAR(step(j, u, v, 0.011, k, k).force[0], k * F, 1e-12 * F_s);
  }
  CHECK_NEAR(step(j, 0.3, 0.41, 0.1, 0.0, 1.0).force[0], 0.0, 0.0);
  CHECK_NEAR(step(j, 0.3, 0.0, 0.1, 1.0, 1.0).force[0], 0.0, 0.0);
  CHECK(fabs(step(j, 0.2, -0.41, 0.1, 1e-250, 1.0).force[0]) < 1e-100);
  CHECK(fabs(step(j, 1e200, 1e200, 0.1, 1.0, 1.0).force[0]) > 1e200);
  ms_joint_destroy(&j);
  ms_joint_destroy(&still);
}

/* In a wandering history velocities are near 0.4 scale/1 ms, here 20 m/s: the curves bend there. */
static void test_slopes(void) {
  for (int i = 0; i < 2; i++) {
    ms_joint *j = test_joint("lugre", "F_c", F_c, "F_s", F_s, "v_st", 23.0, "sigma_0", s_0,
                             "sigma_1", 0.031, "sigma_2", 0.019, "v_d", i ? 19.0 : 0.0, NULL);
    test_derivatives(j, 1e-5);
    ms_joint_destroy(&j);
  }
}

/* ---- energy ---- */

/* Work by Simpson's rule, two steps at a time; departure of stored + dissipated over the loss. */
static double energy_error(double v_d, int pairs) {
  ms_joint *j = sample(v_d);
  ms_joint_energy e;
  double dt = span / (2 * pairs), work = 0.0, before = 0.0;
  double P = step(j, 0.0, velocity(0.0), 0.0, 1.0, 1.0).force[0] * velocity(0.0);
  for (int i = 0; i < pairs; i++) {
    double power[2];
    for (int s = 0; s < 2; s++) {
      double t = (2 * i + s + 1) * dt;
      power[s] = step(j, displacement(t), velocity(t), dt, 1.0, 1.0).force[0] * velocity(t);
      CHECK_OK(ms_joint_get_energy(j, &e));
      CHECK(e.stored >= 0.0 && e.dissipated >= before);
      before = e.dissipated;
    }
    work += dt / 3.0 * (P + 4.0 * power[0] + power[1]);
    P = power[1];
  }
  ms_joint_destroy(&j);
  return fabs(work - e.stored - e.dissipated) / e.dissipated;
}

static void test_energy(void) {
  for (int i = 0; i < 2; i++) {
    double v_d = i ? 0.19 : 0.0, coarse = energy_error(v_d, 500), fine = energy_error(v_d, 2000);
    CHECK_BELOW(coarse, 2e-3);
    CHECK_BELOW(fine, 0.1 * coarse);
  }
}

/* The condition for passivity at its edge: sliding that begins with F_s and jumps to a velocity
   where g = F_c. There the power lost, g q^2 + |v| (sigma_2 - (q - 1) sigma_1(v)) times |v|, has
   its least value; at the largest v_d allowed it is just not negative. */
static void test_passive_at_the_edge(void) {
  double q = F_s / F_c, v_d = F_c * q * q / (q - 1.0) * sqrt(2.0 * exp(1.0)) / 316.0, least = 1.0;
  ms_joint *j = test_joint("lugre", "F_c", F_c, "F_s", F_s, "v_st", 1e-3, "sigma_0", 1e5, "sigma_1",
                           316.0, "sigma_2", 0.0, "v_d", 0.999 * v_d, NULL);
  for (int i = 0; i < 400; i++) {
    double v = v_d * 0.01 * (i + 1);
    CHECK_OK(ms_joint_start(j, NULL));
    step(j, 1.0, 0.0, 0.0, 1.0, 1.0); /* q_max, by creeping */
    double F = step(j, 1.0, v, 0.0, 1.0, 1.0).force[0];
    double dz = v * (1.0 - q), power = (F * v - F_s * dz) / (F_c * q * q * v); /* lost */
    CHECK(power >= 0.0);
    least = fmin(least, power);
  }
  CHECK_BELOW(least, 0.01);
  CHECK_OK(ms_joint_set(j, "v_d", 1.01 * v_d));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "not passive");
  CHECK_OK(ms_joint_set(j, "sigma_2", 316.0 * (q - 1.0) * 0.999));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_OK(ms_joint_set(j, "sigma_2", 316.0 * (q - 1.0) * 1.001));
  CHECK_OK(ms_joint_setup(j));
  CHECK_OK(ms_joint_set(j, "F_s", 11.6));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "at least F_c");
  ms_joint_destroy(&j);
}

/* Above F_s = 2 F_c the power lost is least at q = 2, not at q_max: F_c q^2/(q - 1) is 4 F_c there.
 */
static void test_passive_at_two(void) {
  const double v_d = 4.0 * F_c * sqrt(2.0 * exp(1.0)) / 316.0;
  ms_joint *j = test_joint("lugre", "F_c", F_c, "F_s", 3.7 * F_c, "v_st", 1e-3, "sigma_0", 1e5,
                           "sigma_1", 316.0, "sigma_2", 0.0, "v_d", 0.999 * v_d, NULL);
  CHECK_CLOSE(ms_joint_slip_scale(j), F_c / 1e5, 1e-15); /* of bristles in fast sliding */
  CHECK_OK(ms_joint_set(j, "v_d", 1.001 * v_d));
  CHECK_STATUS(ms_joint_setup(j), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "not passive");
  ms_joint_destroy(&j);
}

/* F_s = F_c: sliding takes F_c + sigma_2 v at any velocity. */
static void test_no_fall(void) {
  ms_joint *j = test_joint("lugre", "F_c", F_c, "F_s", F_c, "v_st", 1e-3, "sigma_0", 1e5, "sigma_1",
                           316.0, "sigma_2", 2.385, NULL);
  for (double v = 1e-4; v < 1.0; v *= 7.3) {
    CHECK_OK(ms_joint_start(j, NULL));
    CHECK_CLOSE(step(j, 1.0, v, 1.0 / v, 1.0, 1.0).force[0], F_c + 2.385 * v, 1e-12);
  }
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_steady_curve);
  TEST(test_constant_velocity);
  TEST(test_order);
  TEST(test_stiff);
  TEST(test_quasi_static);
  TEST(test_load);
  TEST(test_slopes);
  TEST(test_energy);
  TEST(test_passive_at_the_edge);
  TEST(test_passive_at_two);
  TEST(test_no_fall);
  return test_finish();
}
