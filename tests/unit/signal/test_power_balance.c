/* Damping and purity by the balance of power: an oscillator in closed form, harmonics of a shaker,
   a simulated joint structure at phase resonance and beside it, two modes. */
#include <math.h>
#include <microslip/experiment.h>
#include <microslip/signal.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/structures.h"

/* One mode, M q" + ... = f cos(omega t): q = f/(w^2 - omega^2 + 2 i zeta w omega). */
static void test_oscillator(void) {
  const double w = 37.3, zeta = 0.0173, force = 2.385;
  for (int i = 0; i < 5; i++) {
    const double omega = w * (0.97 + 0.015 * i), re = w * w - omega * omega;
    const double im = 2.0 * zeta * w * omega, size = re * re + im * im;
    const double f[] = { 0.7, force, 0.0 }, x[] = { 0.1, force * re / size, force * im / size };
    const ms_power_balance p = ms_signal_power_balance(1, omega, f, x, hypot(x[1], x[2]));
    /* c = 2 zeta w whatever the frequency: its ratio to critical at omega */
    CHECK_CLOSE(p.zeta, zeta * w / omega, 1e-13);
    CHECK_CLOSE(p.power, 0.5 * 2.0 * zeta * w * omega * omega * force * force / size, 1e-13);
    CHECK_CLOSE(p.energy, 0.5 * omega * omega * force * force / size, 1e-13);
    CHECK_CLOSE(p.purity, im / sqrt(size), 1e-13);
    /* the same from another time on */
    const double c = cos(0.7), s = sin(0.7);
    const double f_later[] = { 0.0, c * force, -s * force };
    const double x_later[] = { 0.0, c * x[1] + s * x[2], c * x[2] - s * x[1] };
    const ms_power_balance later =
        ms_signal_power_balance(1, omega, f_later, x_later, hypot(x[1], x[2]));
    CHECK_CLOSE(later.power, p.power, 1e-13);
    CHECK_CLOSE(later.purity, p.purity, 1e-13);
  }
}

/* A harmonic of the force that finds no motion takes no power, but purity. */
static void test_harmonics(void) {
  const double f[] = { 0.0, 3.0, 0.0, 0.0, 0.0, 0.9, 1.2 };
  const double x[] = { 0.0, 0.0, 0.02, 0.0, 0.0, 0.0, 0.0 };
  const ms_power_balance p = ms_signal_power_balance(3, 11.0, f, x, 0.02);
  CHECK_CLOSE(p.power, 0.5 * 3.0 * 11.0 * 0.02, 1e-14);
  CHECK_CLOSE(p.purity, 3.0 / sqrt(9.0 + 0.81 + 1.44), 1e-14);
  const double none[] = { 1.0, 0.0, 0.0 };
  const ms_power_balance still = ms_signal_power_balance(1, 11.0, none, none, 0.0);
  CHECK_NEAR(still.zeta, 0.0, 0.0);
  CHECK_NEAR(still.purity, 0.0, 0.0);
}

/* Modal force and q of a simulated stepped sine with a joint: the damping that the balance itself
   has, from the force's and the mode's motion; and of the whole structure at the shaker, where the
   other modes hardly move. */
static void test_joint(void) {
  const double force[] = { 0.0, 0.0, 1.0 }, level[] = { 0.013, 0.21 };
  const ptrdiff_t sensor[] = { 2 };
  ms_structure *s = test_three_mass(0.0023);
  ms_stepped_plan plan = ms_stepped_default();
  plan.force = force, plan.level = level, plan.n_level = 2;
  plan.sensor = sensor, plan.n_sensor = 1;
  ms_stepped_run run = { .plan = &plan, .mode = 0 };
  if (!CHECK_OK(ms_stepped_simulate(test_context(), s, &run))) return;
  CHECK_EQUAL(run.curve.n, 2);
  const double phi = ms_structure_get_stuck(s).shape[2];
  for (ptrdiff_t i = 0; i < run.curve.n; i++) {
    const ms_harmonic_point *c = &run.curve.point[i];
    const ms_periodic_motion *m = &run.curve.sensor[i];
    const double f[] = { 0.0, fabs(phi) * c->level, 0.0 };
    const double q[] = { 0.0, c->q * cos(c->phase), -c->q * sin(c->phase) };
    const ms_power_balance mode = ms_signal_power_balance(1, c->omega, f, q, c->q);
    CHECK_CLOSE(fabs(mode.zeta), c->zeta, 1e-9);
    CHECK_NEAR(fabs(mode.purity), 1.0, 1e-9);
    const double whole[] = { 0.0, c->level, 0.0 };
    const double x[] = { 0.0, m->amplitude * cos(m->phase), -m->amplitude * sin(m->phase) };
    const ms_power_balance all = ms_signal_power_balance(1, c->omega, whole, x, c->q);
    CHECK_CLOSE(all.zeta, c->zeta_joint + c->zeta_viscous, 3e-3);
    CHECK_CLOSE(all.power * 2.0 * acos(-1.0) / c->omega,
                2.0 * all.zeta * all.energy * 2.0 * acos(-1.0), 1e-12);
    CHECK(all.purity > 0.999 && all.purity <= 1.0 + 1e-15);
  }
  ms_stepped_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void test_indicator(void) {
  const double re[] = { 0.0, 0.3, -0.4 }, im[] = { -2.0, 0.4, 0.3 }, none[] = { 0.0, 0.0, 0.0 };
  CHECK_NEAR(ms_signal_mode_indicator(3, none, im), 1.0, 1e-15);
  CHECK_NEAR(ms_signal_mode_indicator(3, im, none), 0.0, 1e-15);
  CHECK_CLOSE(ms_signal_mode_indicator(3, re, im),
              1.0 - (0.3 * 0.5 + 0.4 * 0.5) / (4.0 + 0.25 + 0.25), 1e-14);
  CHECK_NEAR(ms_signal_mode_indicator(3, none, none), 0.0, 0.0);
}

int main(void) {
  TEST(test_oscillator);
  TEST(test_harmonics);
  TEST(test_joint);
  TEST(test_indicator);
  return test_finish();
}
