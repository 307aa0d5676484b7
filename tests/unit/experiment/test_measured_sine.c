/* Measured stepped sines beside computed ones: rows of levels, resonances between rows, damping. */
#include <math.h>
#include <microslip/experiment.h>

#include "support/check.h"
#include "support/structures.h"

#define PI 3.14159265358979323846

/* The response of one mode to a force on it, a displacement phi q. */
enum { ROWS = 9, ALL = 2 * ROWS + 1 };
typedef struct sine {
  double omega[ALL], force[ALL], amplitude[ALL], phase[ALL];
  ms_measured_sine is;
} sine;

static void respond(sine *x, ptrdiff_t i, double w, double zeta, double omega, double force,
                    double gain) {
  const double re = w * w - omega * omega, im = 2.0 * zeta * w * omega;
  x->omega[i] = omega;
  x->force[i] = force;
  x->amplitude[i] = force * gain / hypot(re, im);
  x->phase[i] = -atan2(im, re);
}

/* Two levels, the second downwards and with another damping; and a row of neither. */
static void fill(sine *x, double w, const double zeta[2], const double level[2], double gain) {
  for (int i = 0; i < ROWS; i++) {
    const double omega = w * (0.9715 + 0.0067 * i);
    respond(x, i, w, zeta[0], omega, level[0] * (1.0 + 0.01 * sin(i)), gain);
    respond(x, 2 * ROWS - 1 - i, w, zeta[1], omega, level[1], gain);
  }
  respond(x, ALL - 1, w, zeta[0], 2.0 * w, 100.0 * level[1], gain);
  x->is = (ms_measured_sine) { ALL, x->omega, x->force, x->amplitude, x->phase };
}

static const double level[2] = { 0.013, 0.21 };
static const double force[] = { 0.0, 0.0, 1.0 };
static const ptrdiff_t sensor[] = { 1 };

static void test_rows(void) {
  const double zeta[] = { 0.01, 0.02 };
  sine s;
  double x[ALL], y[ALL];
  fill(&s, 37.3, zeta, level, 1.0);
  CHECK_EQUAL(ms_measured_count_other(&s.is, 2, level), 1);
  CHECK_EQUAL(ms_measured_count_other(&s.is, 1, level), ROWS + 1);
  CHECK_EQUAL(ms_measured_take(&s.is, level[1], MS_SINE_AMPLITUDE, 2.0, x, y), ROWS);
  CHECK_NEAR(x[0], 0.5 * s.omega[ROWS], 0.0);
  CHECK_NEAR(y[3], s.amplitude[ROWS + 3], 0.0);
  CHECK_EQUAL(ms_measured_take(&s.is, level[0], MS_SINE_PER_LEVEL, 1.0, x, y), ROWS);
  CHECK_CLOSE(y[4], s.amplitude[4] / s.force[4], 1e-15);
  s.phase[2] = 0.75 * PI; /* a lag of 225 degrees */
  CHECK_EQUAL(ms_measured_take(&s.is, level[0], MS_SINE_PHASE, 1.0, x, y), ROWS);
  CHECK_NEAR(y[2], -225.0, 1e-12);
  CHECK_NEAR(y[0], s.phase[0] * 180.0 / PI, 1e-12);
}

/* 1/A^2 is a parabola in omega^2: largest where omega^2 = w^2 (1 - 2 zeta^2), closely. */
static void test_peak(void) {
  const double w = 37.3, zeta[] = { 0.01, 0.02 };
  sine s;
  fill(&s, w, zeta, level, 1.0);
  ms_harmonic_point point = { .omega = 1.003 * w };
  ms_periodic_motion motion = { .amplitude = 0.9 * level[1] / (2.0 * zeta[1] * w * w) };
  const ms_frequency_run run[] = {
    { .level = level[1], .curve = { .n = 1, .point = &point, .sensor = &motion, .n_sensor = 1 } },
    { .level = level[0] },
    { .level = 1.0 },
  };
  ms_sine_match *m;
  if (!CHECK_OK(ms_frequency_match(test_context(), &s.is, 3, run, &m))) return;
  CHECK_EQUAL(m[0].rows, ROWS);
  CHECK_CLOSE(m[0].omega, w * sqrt(1.0 - 2.0 * zeta[1] * zeta[1]), 2e-4);
  CHECK_CLOSE(m[0].amplitude, level[1] / (2.0 * zeta[1] * w * w), 2e-3);
  CHECK_NEAR(m[0].omega_error, 1.003 * w / m[0].omega - 1.0, 1e-15);
  CHECK_NEAR(m[0].amplitude_error, -0.1, 2e-3);
  CHECK_EQUAL(m[1].rows, ROWS);
  CHECK(isnan(m[1].omega_error) && m[1].amplitude > 0.0); /* nothing was computed */
  CHECK_EQUAL(m[2].rows, 0);
  ms_free(test_context(), &m);
  s.is.n = 3; /* rising to the end */
  CHECK_OK(ms_frequency_match(test_context(), &s.is, 1, run + 1, &m));
  CHECK_NEAR(m->omega, s.omega[2], 0.0);
  CHECK_CLOSE(m->amplitude, s.amplitude[2], 1e-14);
  ms_free(test_context(), &m);
}

/* The linear mode measured, the joint's computed: between rows, at one that was held, and where
   there is none. */
static void test_phase(void) {
  ms_structure *s = test_three_mass(0.0023);
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double w = stuck.omega[0], zeta[] = { 0.004, 0.011 };
  const double gain = fabs(stuck.shape[1] * stuck.shape[2]);
  ms_stepped_plan plan = ms_stepped_default();
  plan.force = force, plan.level = level, plan.n_level = 2;
  plan.sensor = sensor, plan.n_sensor = 1;
  ms_stepped_run run = { .plan = &plan, .mode = 0 };
  ms_sine_match *m;
  ptrdiff_t n;
  sine x;
  CHECK_OK(ms_stepped_simulate(test_context(), s, &run));
  CHECK_EQUAL(run.curve.n, 2);
  fill(&x, w, zeta, level, gain);
  if (!CHECK_OK(ms_stepped_match(test_context(), s, &x.is, 1, &run, &n, &m))) return;
  CHECK_EQUAL(n, 2);
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(m[i].mode, 1);
    CHECK_EQUAL(m[i].rows, ROWS);
    CHECK_CLOSE(m[i].omega, w, 2e-5);
    CHECK_CLOSE(m[i].q * fabs(stuck.shape[1]), m[i].amplitude, 1e-14);
    CHECK_NEAR(m[i].purity, 1.0, 1e-12);
    CHECK_NEAR(m[i].omega_error, run.curve.point[i].omega / m[i].omega - 1.0, 1e-14);
    CHECK_NEAR(m[i].amplitude_error, run.curve.sensor[i].amplitude / m[i].amplitude - 1.0, 1e-14);
  }
  CHECK_CLOSE(m[1].zeta, zeta[1], 2e-3);
  CHECK_CLOSE(m[0].zeta, zeta[0], 0.01); /* its forces are not all the same */
  ms_free(test_context(), &m);
  /* a test that holds the phase: one row, 3 degrees off */
  respond(&x, 0, w, zeta[0], w * (1.0 - 0.0002), level[0], gain);
  x.is.n = 1;
  CHECK_OK(ms_stepped_match(test_context(), s, &x.is, 1, &run, &n, &m));
  CHECK_CLOSE(m[0].zeta, zeta[0] * w / x.omega[0], 1e-12);
  CHECK_CLOSE(m[0].purity, sin(-x.phase[0]), 1e-12);
  CHECK_NEAR(m[0].omega, x.omega[0], 0.0);
  CHECK_EQUAL(m[1].rows, 0);
  ms_free(test_context(), &m);
  respond(&x, 0, w, zeta[0], w * (1.0 - 0.0007), level[0], gain); /* 10 degrees */
  CHECK_OK(ms_stepped_match(test_context(), s, &x.is, 1, &run, &n, &m));
  CHECK_EQUAL(m[0].rows, 0);
  ms_free(test_context(), &m);
  respond(&x, 0, 1.3 * w, zeta[0], 1.3 * w, level[0], gain); /* of no mode */
  CHECK_OK(ms_stepped_match(test_context(), s, &x.is, 1, &run, &n, &m));
  CHECK_EQUAL(m[0].rows, 0);
  ms_free(test_context(), &m);
  ms_stepped_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* A shaker whose force drops at resonance: it differs by 8 % between the two rows around it. */
static void test_force_between_rows(void) {
  ms_structure *s = test_three_mass(0.0023);
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double w = stuck.omega[0], zeta = 0.01, at[] = { 0.9983, 1.005 };
  const double gain = fabs(stuck.shape[1] * stuck.shape[2]);
  ms_stepped_plan plan = ms_stepped_default();
  plan.force = force, plan.level = level, plan.n_level = 1;
  plan.sensor = sensor, plan.n_sensor = 1;
  const ms_stepped_run run = { .plan = &plan, .mode = 0 };
  ms_sine_match *m;
  ptrdiff_t n;
  sine x;
  for (int i = 0; i < 2; i++) {
    respond(&x, i, w, zeta, at[i] * w, level[0] * (i ? 1.04 : 0.96), gain);
  }
  x.is = (ms_measured_sine) { 2, x.omega, x.force, x.amplitude, x.phase };
  if (!CHECK_OK(ms_stepped_match(test_context(), s, &x.is, 1, &run, &n, &m))) return;
  CHECK_EQUAL(m[0].rows, 2);
  CHECK_CLOSE(m[0].zeta, zeta, 1e-3);
  ms_free(test_context(), &m);
  ms_structure_destroy(&s);
}

int main(void) {
  TEST(test_rows);
  TEST(test_peak);
  TEST(test_phase);
  TEST(test_force_between_rows);
  return test_finish();
}
