/* Hammer tests: modes read from a linear structure's closed-form response, the same hit simulated,
   what noise does to a row, residuals and misfits by their definitions, and what is refused. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <microslip/calibrate_methods.h>

#include "support/check.h"
#include "support/structures.h"

enum { MASSES = 3, SAMPLES = 3000, FIRST = 3, LAST = 8 };
#define DT 8.3e-3
#define PI 3.14159265358979323846

static const ptrdiff_t sensors[MASSES] = { 0, 1, 2 };
static const int modes[MASSES] = { 0, 1, 2 };
static const double at_second[MASSES] = { 0.0, 1.37, 0.0 };

static ms_hammer_setting setting_of(ms_signal_kind kind) {
  ms_hammer_setting s = MS_HAMMER_DEFAULT;
  s.n_channel = s.n_mode = MASSES;
  s.channel = sensors;
  s.mode = modes;
  s.kind = kind;
  return s;
}

static void fill_force(double *force) {
  memset(force, 0, SAMPLES * sizeof *force);
  for (int k = FIRST; k <= LAST; k++) force[k] = 5.3 * sin(PI * (k - 2) / 7.0);
}

/* ---- a linear structure in closed form ---- */

/* One mode after the pulse: q = Im(F exp(s t))/omega_d, F the integral of f exp(-s t). */
typedef struct ring {
  double omega, zeta;
  double complex s, F;
} ring;

/* The polynomial through the four samples about t, by Neville's scheme. */
static double force_at(const double *force, double step, double t) {
  const double x = t / step;
  const int k = (int)x;
  double y[4];
  for (int i = 0; i < 4; i++) y[i] = k - 1 + i >= 0 ? force[k - 1 + i] : 0.0;
  for (int m = 1; m < 4; m++) {
    for (int i = 0; i < 4 - m; i++) {
      const double a = k - 1 + i, b = k - 1 + i + m;
      y[i] = ((x - b) * y[i] + (a - x) * y[i + 1]) / (a - b);
    }
  }
  return y[0];
}

static ring ring_of(const ms_structure *s, int r, const double *force) {
  enum { N = 40000 };
  const ms_modes m = ms_structure_get_stuck(s);
  ring x = { .omega = m.omega[r], .zeta = ms_structure_get_damping_ratio(s, r) };
  const double h = (LAST + 3) * DT / N;
  x.s = -x.zeta * x.omega + I * x.omega * sqrt(1.0 - x.zeta * x.zeta);
  for (int k = 0; k < N; k++) {
    x.F += h * force_at(force, DT, (k + 0.5) * h) * cexp(-x.s * (k + 0.5) * h);
  }
  x.F *= 1.37 * m.shape[1 + MASSES * r];
  return x;
}

/* Derivative `order` of the modal coordinate. */
static double ring_value(const ring *x, int order, double t) {
  return cimag(cpow(x->s, order) * x->F * cexp(x->s * t)) / cimag(x->s);
}

/* Zero during the pulse, which nothing reads. */
static void fill_responses(const ms_structure *s, const double *force, int order, double *x) {
  const ms_modes m = ms_structure_get_stuck(s);
  memset(x, 0, MASSES * SAMPLES * sizeof *x);
  for (int r = 0; r < MASSES; r++) {
    const ring q = ring_of(s, r, force);
    for (int k = LAST + 3; k < SAMPLES; k++) {
      const double v = ring_value(&q, order, k * DT);
      for (int c = 0; c < MASSES; c++) x[k + SAMPLES * c] += m.shape[c + MASSES * r] * v;
    }
  }
}

/* What a window of 8 periods sees of the image at -omega: 1e-5 of the frequency, more of a slope.
 */
static void check_rows(const ms_decay *d, const ring *q) {
  const double tolerance = 1e-5;
  CHECK(d->n >= 5);
  for (ptrdiff_t i = 0; i < d->n; i++) {
    const ms_decay_point *p = &d->point[i];
    const double decay = exp(creal(q->s) * p->time);
    CHECK_CLOSE(p->omega, cimag(q->s), tolerance);
    CHECK_CLOSE(p->zeta, q->zeta, 20.0 * tolerance);
    /* |q| is what is measured over omega^d, which neglects zeta^2 */
    CHECK_CLOSE(p->q, cabs(q->F) * decay / cimag(q->s), 2.0 * tolerance + 2.0 * q->zeta * q->zeta);
  }
}

/* Read the same way, whatever that leaves; a step's load is a line, with an error of fourth order.
 */
static void check_same(const ms_decay *got, const ms_decay *want, double omega) {
  CHECK_EQUAL(got->n, want->n);
  for (ptrdiff_t i = 0; i < want->n; i++) {
    CHECK_NEAR(got->point[i].time, want->point[i].time, 0.0);
    CHECK_CLOSE(got->point[i].q, want->point[i].q, 6e-4 * pow(omega * DT, 4.0));
    CHECK_CLOSE(got->point[i].omega, want->point[i].omega, 1e-9);
    CHECK_CLOSE(got->point[i].zeta, want->point[i].zeta, 1e-7);
  }
}

/* Neither the rest before the pulse nor what is read no more costs steps. */
static void test_only_what_is_read(void) {
  enum { BEFORE = 700, END = 2300 };
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = calloc(8 * SAMPLES, sizeof *force), *x = force + SAMPLES;
  double *late = x + MASSES * SAMPLES, *late_x = late + SAMPLES;
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_hammer *test = NULL;
  ms_decay decay[MASSES] = { { 0, NULL } };
  ms_transient_count count;
  fill_force(force);
  fill_responses(s, force, 2, x);
  memcpy(late + BEFORE, force, (SAMPLES - BEFORE) * sizeof *force);
  for (int c = 0; c < MASSES; c++) {
    memcpy(late_x + SAMPLES * c + BEFORE, x + SAMPLES * c, (SAMPLES - BEFORE) * sizeof *x);
  }
  setting.end = (END + 0.5) * DT;
  const ms_hit hit = { "tap", at_second, SAMPLES, DT, late, late_x, NULL };
  CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
  CHECK_OK(ms_hammer_simulate(test, s, 0, decay, &count, NULL));
  CHECK_EQUAL(count.steps, END + 2 - (BEFORE + FIRST - (LAST - FIRST + 1) - 2));
  for (int m = 0; m < MASSES; m++) {
    check_same(&decay[m], ms_hammer_decay(test, 0, m), ms_structure_get_stuck(s).omega[m]);
    ms_decay_free(test_context(), &decay[m]);
  }
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
  free(force);
}

static void check_linear(ms_signal_kind kind) {
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = malloc(4 * SAMPLES * sizeof *force), *x = force + SAMPLES;
  const ms_hammer_setting setting = setting_of(kind);
  ms_hammer *test = NULL;
  ms_decay decay[MASSES] = { { 0, NULL } };
  ms_transient_count count;
  ms_transient_quality quality;
  fill_force(force);
  fill_responses(s, force, (int)kind, x);
  const ms_hit hit = {
    .name = "tap", .shape = at_second, .n = SAMPLES, .dt = DT, .force = force, .x = x
  };
  CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
  CHECK_EQUAL(ms_hammer_count_hits(test), 1);
  CHECK_CLOSE(ms_hammer_pulse_end(test, 0), (LAST + 6 + 2) * DT, 1e-12);
  CHECK_EQUAL(ms_hammer_filter(test).rank, MASSES);
  CHECK_OK(ms_hammer_simulate(test, s, 0, decay, &count, &quality));
  CHECK_EQUAL(count.steps, SAMPLES - 1);
  CHECK_BELOW(quality.balance, MS_TRANSIENT_BALANCE);
  CHECK(quality.steps > quality.steps_least);
  for (int m = 0; m < MASSES; m++) {
    const ring q = ring_of(s, m, force);
    check_rows(ms_hammer_decay(test, 0, m), &q);
    check_rows(&decay[m], &q);
    check_same(&decay[m], ms_hammer_decay(test, 0, m), q.omega);
    ms_decay_free(test_context(), &decay[m]);
  }
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
  free(force);
}

/* Samples too far apart for a mode to ring between them: refused, and how many parts would do. */
static void test_coarse_steps(void) {
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = malloc(4 * SAMPLES * sizeof *force), *x = force + SAMPLES;
  ms_hammer_setting setting = setting_of(MS_SIGNAL_VELOCITY);
  ms_decay decay[MASSES] = { { 0, NULL } };
  const ms_modes m = ms_structure_get_stuck(s);
  const double dt = 1.3 / m.omega[MASSES - 1];
  fill_force(force);
  for (int i = 0; i < MASSES * SAMPLES; i++) {
    const double t = dt * (i % SAMPLES);
    x[i] = 0.0;
    for (int r = 0; r < MASSES; r++) {
      x[i] +=
          m.shape[i / SAMPLES + MASSES * r] * exp(-0.003 * m.omega[r] * t) * sin(m.omega[r] * t);
    }
  }
  const ms_hit hit = {
    .name = "tap", .shape = at_second, .n = SAMPLES, .dt = dt, .force = force, .x = x
  };
  for (int parts = 1; parts <= 2; parts++) {
    ms_hammer *test = NULL;
    setting.parts = parts;
    CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
    if (!test) break;
    ms_status status = ms_hammer_simulate(test, s, 0, decay, NULL, NULL);
    CHECK_EQUAL(status == MS_ERR_BOUNDS, parts == 1);
    if (parts == 1)
      CHECK_HAS(ms_context_message(test_context()), "2 parts of a sample in place of 1");
    for (int r = 0; r < MASSES; r++) ms_decay_free(test_context(), &decay[r]);
    ms_hammer_destroy(&test);
  }
  ms_structure_destroy(&s);
  free(force);
}

/* Where the simulated mode rings out before the record does, the message names the key to set. */
static void test_rings_out(void) {
  const double much[MASSES] = { 0.3, 0.3, 0.3 };
  ms_structure *s = test_chain(MASSES, 0, NULL), *damped = test_chain(MASSES, 0, NULL);
  double *force = malloc(4 * SAMPLES * sizeof *force), *x = force + SAMPLES;
  const ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_decay decay[MASSES] = { { 0, NULL } };
  ms_hammer *test = NULL;
  fill_force(force);
  fill_responses(s, force, 2, x);
  const ms_hit hit = {
    .name = "tap", .shape = at_second, .n = SAMPLES, .dt = DT, .force = force, .x = x
  };
  CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
  CHECK_OK(ms_structure_set_modal_damping(damped, much));
  CHECK_OK(ms_structure_setup(damped));
  CHECK_STATUS(ms_hammer_simulate(test, damped, 0, decay, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "tap, simulated: mode");
  CHECK_HAS(ms_context_message(test_context()), "set the key `window` of the hammer test");
  ms_hammer_destroy(&test);
  ms_structure_destroy(&damped);
  ms_structure_destroy(&s);
  free(force);
}

static void test_accelerations(void) {
  check_linear(MS_SIGNAL_ACCELERATION);
}

static void test_displacements(void) {
  check_linear(MS_SIGNAL_DISPLACEMENT);
}

/* The same hit after LEAD samples of silence, every channel with an offset of its own: what is
   simulated with the force, and what is read of the sensors, is the same as without offsets; kept,
   the force acts with its offset for as long as the pulse, and the amplitude is off by percents. */
enum { LEAD = 40, LONGER = SAMPLES + LEAD };

static void put_later(const double *from, double offset, double *to) {
  for (int k = 0; k < LONGER; k++) to[k] = offset + (k < LEAD ? 0.0 : from[k - LEAD]);
}

/* Amplitudes of a mode's first row, measured and simulated. */
static void read_first(const ms_structure *s, ms_structure *moved, const ms_hit *hit, int keep,
                       double measured[MASSES], double simulated[MASSES], ms_hammer **test) {
  ms_hammer_setting setting = setting_of(MS_SIGNAL_DISPLACEMENT);
  ms_decay decay[MASSES] = { { 0, NULL } };
  setting.keep_offset = keep;
  CHECK_OK(ms_hammer_create(s, &setting, 1, hit, test));
  CHECK_OK(ms_hammer_simulate(*test, moved, 0, decay, NULL, NULL));
  for (int m = 0; m < MASSES; m++) {
    measured[m] = ms_hammer_decay(*test, 0, m)->point[0].q;
    simulated[m] = decay[m].point[0].q;
    ms_decay_free(test_context(), &decay[m]);
  }
}

static void test_offsets(void) {
  static const double offset[MASSES + 1] = { 0.37, -0.0031, 0.0017, 0.0023 };
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = malloc(4 * (SAMPLES + 2 * LONGER) * sizeof *force), *x = force + SAMPLES;
  double *plain = force + 4 * SAMPLES, *shifted = plain + 4 * LONGER;
  double want[MASSES], want_run[MASSES], got[MASSES], got_run[MASSES];
  ms_hammer *test = NULL;
  fill_force(force);
  fill_responses(s, force, 0, x);
  for (int c = 0; c <= MASSES; c++) {
    put_later(force + SAMPLES * c, 0.0, plain + LONGER * c);
    put_later(force + SAMPLES * c, offset[c], shifted + LONGER * c);
  }
  ms_hit hit = { .name = "tap", .shape = at_second, .n = LONGER, .dt = DT };
  hit.force = plain, hit.x = plain + LONGER;
  read_first(s, s, &hit, 0, want, want_run, &test);
  ms_hammer_destroy(&test);
  hit.force = shifted, hit.x = shifted + LONGER;
  read_first(s, s, &hit, 0, got, got_run, &test);
  CHECK_EQUAL(ms_hammer_count_before(test, 0), LEAD + FIRST - 6);
  for (int c = 0; c <= MASSES; c++) {
    CHECK_CLOSE(ms_hammer_get_offset(test, 0, c - 1), offset[c], 1e-12);
  }
  for (int m = 0; m < MASSES; m++) {
    CHECK_CLOSE(got[m], want[m], 1e-10);
    CHECK_CLOSE(got_run[m], want_run[m], 1e-10);
  }
  ms_hammer_destroy(&test);
  read_first(s, s, &hit, 1, got, got_run, &test);
  CHECK_EQUAL(ms_hammer_count_before(test, 0), 0);
  CHECK(fabs(got_run[0] / want_run[0] - 1.0) > 0.03);
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
  free(force);
}

/* ---- decimation ---- */

enum { FINE = 4, FINE_SAMPLES = FINE * SAMPLES };
#define FINE_DT (DT / FINE)

/* A half sine of 7 DT from FIRST DT on. */
static double half_sine(double t) {
  const double u = (t / DT - FIRST) / 7.0;
  return u > 0.0 && u < 1.0 ? 5.3 * sin(PI * u) : 0.0;
}

/* Accelerations from the first sample on, between samples of the force with its cubics: q'' = f +
   Im(s^2 F(t) exp(s t))/omega_d, F the integral of f exp(-s t) until t. ring: what it is after the
   pulse. */
static void fill_fine(const ms_structure *s, double *force, double *x, ring *q) {
  enum { STEPS = 50 };
  const ms_modes m = ms_structure_get_stuck(s);
  const double h = FINE_DT / STEPS;
  memset(x, 0, MASSES * FINE_SAMPLES * sizeof *x);
  for (int k = 0; k < FINE_SAMPLES; k++) force[k] = half_sine(k * FINE_DT);
  for (int r = 0; r < MASSES; r++) {
    const double zeta = ms_structure_get_damping_ratio(s, r), at = 1.37 * m.shape[1 + MASSES * r];
    q[r] = (ring) { .omega = m.omega[r], .zeta = zeta };
    q[r].s = -zeta * m.omega[r] + I * m.omega[r] * sqrt(1.0 - zeta * zeta);
    for (int k = 0; k < FINE_SAMPLES; k++) {
      const double t = k * FINE_DT, a = at * force[k] + ring_value(&q[r], 2, t);
      for (int c = 0; c < MASSES; c++) x[k + FINE_SAMPLES * c] += m.shape[c + MASSES * r] * a;
      for (int i = 0; i < STEPS && t < (FIRST + 8) * DT; i++) {
        const double u = t + (i + 0.5) * h;
        q[r].F += at * h * force_at(force, FINE_DT, u) * cexp(-q[r].s * u);
      }
    }
  }
}

/* Sensors that are sampled finer than modes and pulse need: every second sample is kept, and as
   much is read; simulations take as many steps. */
static void test_decimation(void) {
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = malloc(4 * FINE_SAMPLES * sizeof *force), *x = force + FINE_SAMPLES;
  const double noise[MASSES] = { 1e-4, 1e-4, 1e-4 };
  const ms_hit hit = { "tap", at_second, FINE_SAMPLES, FINE_DT, force, x, noise };
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_hammer *test = NULL;
  ms_decay decay[MASSES] = { { 0, NULL } };
  ms_transient_count count;
  ring q[MASSES];
  double error = 0.0;
  char text[400];
  fill_fine(s, force, x, q);
  CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
  CHECK_EQUAL(ms_hammer_get_factor(test, 0), 2);
  CHECK(ms_hammer_print_rate(test, text, sizeof text) > 0);
  CHECK_HAS(text, "by 2 at most: from 481.928 to 240.964 samples per second");
  CHECK_HAS(text, "changes nothing below 96.39 Hz and leaves 100 dB less above 120.5 Hz");
  CHECK_OK(ms_hammer_simulate(test, s, 0, decay, &count, NULL));
  CHECK_BELOW((double)count.steps, FINE_SAMPLES / 2.0);
  for (int m = 0; m < MASSES; m++) {
    check_rows(ms_hammer_decay(test, 0, m), &q[m]);
    check_rows(&decay[m], &q[m]);
    for (ptrdiff_t i = 0; i < decay[m].n; i++) { /* the filter passes all to 100 dB */
      const ms_decay_point *got = &decay[m].point[i];
      CHECK_CLOSE(got->q, ms_hammer_decay(test, 0, m)->point[i].q, 1e-5);
      CHECK_CLOSE(got->omega, ms_hammer_decay(test, 0, m)->point[i].omega, 1e-9);
    }
    ms_decay_free(test_context(), &decay[m]);
  }
  error = ms_hammer_get_error(test, 0, 1, 3).amplitude;
  ms_hammer_destroy(&test);
  for (int i = 0; i < 3; i++) { /* by the pulse, by the highest mode, not at all */
    const ptrdiff_t want[] = { 4, 3, 1 };
    setting.tol.per_pulse = i == 2 ? 27.0 : 6.0;
    setting.tol.per_period = i == 1 ? 2.0 * PI / (FINE_DT * q[2].omega * 3.9) : 12.0;
    CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
    CHECK_EQUAL(ms_hammer_get_factor(test, 0), want[i]);
    CHECK_EQUAL(ms_hammer_print_rate(test, text, sizeof text) > 0, i < 2);
    if (i == 2) CHECK_CLOSE(error, ms_hammer_get_error(test, 0, 1, 3).amplitude, 0.03);
    ms_hammer_destroy(&test);
  }
  ms_structure_destroy(&s);
  free(force);
}

/* A mode by itself: an oscillator with its frequency and damping. */
static void test_mode_alone(void) {
  ms_structure *s = test_chain(MASSES, 0, NULL), *one = NULL;
  double *force = malloc(4 * SAMPLES * sizeof *force), *x = force + SAMPLES;
  const ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_hammer *test = NULL;
  ms_decay decay = { 0, NULL };
  fill_force(force);
  fill_responses(s, force, 2, x);
  const ring q = ring_of(s, 1, force);
  const ms_hit hit = { .shape = at_second, .n = SAMPLES, .dt = DT, .force = force, .x = x };
  CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &one));
  CHECK_OK(ms_structure_add_mass(one, 0, 1.0));
  CHECK_OK(ms_structure_add_spring(one, MS_GROUND, 0, q.omega * q.omega));
  CHECK_OK(ms_structure_set_modal_damping(one, &q.zeta));
  CHECK_OK(ms_structure_setup(one));
  CHECK_OK(ms_hammer_simulate_mode(test, one, 0, 1, &decay, NULL));
  check_rows(&decay, &q);
  CHECK_STATUS(ms_hammer_simulate_mode(test, s, 0, 1, &decay, NULL), MS_ERR_ARGUMENT);
  ms_decay_free(test_context(), &decay);
  ms_structure_destroy(&one);
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
  free(force);
}

/* ---- noise ---- */

/* Scatter of a row over many records: rows are means of some windows, so below the error of one. */
static void test_noise(void) {
  enum { TIMES = 40, ROW = 3, MODE = 1 };
  const double rms = 0.021;
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = malloc(7 * SAMPLES * sizeof *force), *clean = force + SAMPLES;
  double *x = clean + MASSES * SAMPLES, sum[3] = { 0 }, square[3] = { 0 };
  const double noise[MASSES] = { rms, rms, rms };
  const ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  const ms_hit hit = {
    .shape = at_second, .n = SAMPLES, .dt = DT, .force = force, .x = x, .noise = noise
  };
  ms_hammer_error e = { 0.0, 0.0, 0.0 };
  ms_random random;
  fill_force(force);
  fill_responses(s, force, 2, clean);
  ms_random_start(&random, 5, 11);
  for (int k = 0; k < TIMES; k++) {
    ms_hammer *test = NULL;
    for (int i = 0; i < MASSES * SAMPLES; i++) x[i] = clean[i] + rms * ms_random_normal(&random);
    CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
    const ms_decay_point *p = &ms_hammer_decay(test, 0, MODE)->point[ROW];
    const double value[3] = { log(p->q), log(p->omega), log(p->zeta) };
    for (int i = 0; i < 3; i++) sum[i] += value[i], square[i] += value[i] * value[i];
    e = ms_hammer_get_error(test, 0, MODE, ROW);
    ms_hammer_destroy(&test);
  }
  const double want[3] = { e.amplitude, e.omega, e.zeta };
  for (int i = 0; i < 3; i++) {
    const double got = sqrt((square[i] - sum[i] * sum[i] / TIMES) / (TIMES - 1));
    CHECK(want[i] > 0.0);
    CHECK_NEAR(got / want[i], 0.8, 0.4);
  }
  ms_structure_destroy(&s);
  free(force);
}

/* Where it is not given: that of the samples before the pulse, whatever is done with the offset. */
static void test_noise_before(void) {
  enum { BEFORE = 400 };
  const double rms = 0.0021, noise[MASSES] = { rms, rms, rms };
  ms_structure *s = test_chain(MASSES, 0, NULL);
  double *force = calloc(8 * SAMPLES, sizeof *force), *clean = force + SAMPLES;
  double *late = clean + MASSES * SAMPLES, *x = late + SAMPLES;
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_random random;
  ms_random_start(&random, 7, 3);
  fill_force(force);
  fill_responses(s, force, 2, clean);
  memcpy(late + BEFORE, force, (SAMPLES - BEFORE) * sizeof *force);
  for (int i = 0; i < MASSES * SAMPLES; i++) {
    const int k = i % SAMPLES - BEFORE;
    x[i] = (k < 0 ? 0.0 : clean[i - BEFORE]) + 0.07 + rms * ms_random_normal(&random);
  }
  ms_hit hit = { .name = "tap", .shape = at_second, .n = SAMPLES, .dt = DT, .force = late, .x = x };
  for (int keep = 0; keep < 2; keep++) {
    double e[2];
    setting.keep_offset = keep;
    for (int known = 0; known < 2; known++) {
      ms_hammer *test = NULL;
      hit.noise = known ? noise : NULL;
      CHECK_OK(ms_hammer_create(s, &setting, 1, &hit, &test));
      e[known] = ms_hammer_get_error(test, 0, 1, 2).amplitude;
      ms_hammer_destroy(&test);
    }
    CHECK(e[1] > 0.0);
    CHECK_NEAR(e[0] / e[1], 1.0, 0.15);
  }
  ms_structure_destroy(&s);
  free(force);
}

/* ---- residuals ---- */

enum { FREE = 2, STEPS = 2600 };
static const ms_parameter_place lap[FREE] = { { 0, 0, "F_S" }, { 0, 0, "K_T" } };
static const ms_free_parameter two[FREE] = { { "F_S of lap", 1, &lap[0] },
                                             { "K_T of lap", 1, &lap[1] } };

/* Hits on the three-mass system; responses from a run with small steps, at the coordinates. */
typedef struct bench {
  ms_structure *s;
  double force[STEPS], x[3 * STEPS];
  ptrdiff_t k;
} bench;

#define STEP  0.13
#define PARTS 10

static double bench_force(void *user, double t) {
  const bench *b = user;
  return force_at(b->force, STEP, t);
}

static int bench_record(void *user, const ms_transient *run) {
  bench *b = user;
  double a[3];
  ms_transient_get_coordinates(run, NULL, NULL, a);
  for (int c = 0; c < 3; c++) b->x[b->k + STEPS * c] = a[c];
  b->k++;
  return 0;
}

static bench *make_bench(double height) {
  bench *b = calloc(1, sizeof *b);
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  setting.step = STEP / PARTS;
  setting.method = "exponential";
  b->s = test_three_mass(1.3e-4);
  for (int k = FIRST; k <= LAST; k++) b->force[k] = height * sin(PI * (k - 2) / 7.0);
  CHECK_OK(ms_transient_create(b->s, &setting, &run));
  CHECK_OK(ms_transient_add_load(run, at_second, bench_force, b, (LAST + 2) * STEP));
  CHECK_OK(ms_transient_start(run, 0.0, NULL, NULL));
  CHECK_OK(ms_transient_run(run, (STEPS - 1) * PARTS, PARTS, bench_record, b));
  ms_transient_destroy(&run);
  return b;
}

static ms_hit hit_of(const bench *b, const char *name) {
  return (ms_hit) {
    .name = name, .shape = at_second, .n = STEPS, .dt = STEP, .force = b->force, .x = b->x
  };
}

static void close_bench(bench *b) {
  ms_structure_destroy(&b->s);
  free(b);
}

/* Mode m of the only hit; the test comes later. */
static ms_target target_of(ptrdiff_t m, double weight_omega, double weight_zeta) {
  return (ms_target) { .kind = MS_TARGET_HIT,
                       .weight = { weight_omega, weight_zeta },
                       .is.hit = { .mode = m } };
}

/* rms of what is left at the parameters that made the record, simulated with so many parts of its
   step. */
static double rest_of(const bench *b, ptrdiff_t parts) {
  const double truth[FREE] = { 10.0, 1.0 };
  ms_target target[2] = { target_of(1, 1.0, 1.0), target_of(2, 1.0, 1.0) };
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  const ms_hit hit = hit_of(b, "tap");
  ms_hammer *test = NULL;
  ms_calibration *fit = NULL;
  double r[400], sum = 0.0;
  setting.parts = parts;
  CHECK_OK(ms_hammer_create(b->s, &setting, 1, &hit, &test));
  target[0].is.hit.test = target[1].is.hit.test = test;
  CHECK_OK(ms_calibration_create(b->s, FREE, two, 2, target, &fit));
  const ptrdiff_t n = ms_calibration_count_residuals(fit);
  CHECK(n > 20 && n < 400);
  CHECK_OK(ms_calibration_eval(fit, truth, r, NULL));
  for (ptrdiff_t i = 0; i < n; i++) sum += r[i] * r[i] / (double)n;
  ms_calibration_destroy(&fit);
  ms_hammer_destroy(&test);
  return sqrt(sum);
}

/* The step's error alone is left, of second order. */
static void test_nothing_left_at_the_truth(void) {
  bench *b = make_bench(131.7);
  const double rest[3] = { rest_of(b, 1), rest_of(b, 2), rest_of(b, 4) };
  CHECK_BELOW(rest[0], 0.05);
  CHECK_BELOW(rest[1], rest[0] / 3.0);
  CHECK_BELOW(rest[2], rest[1] / 3.0);
  close_bench(b);
}

/* What residuals are supposed to scatter by, where that is more than what is left of them. */
static void check_supposed(ms_calibration *fit, const ms_fit_parameter *bounds, const double *p,
                           const ms_fit_local *local, double want) {
  ms_starts starts;
  ms_best_fit best;
  CHECK_OK(
      ms_starts_open(test_context(), ms_calibration_problem(fit, bounds).n, 1, bounds, &starts));
  memcpy(starts.found, p, (size_t)starts.n * sizeof *p);
  starts.local[0] = *local;
  CHECK_OK(ms_calibration_judge(fit, &starts, 0.0, 1, &best));
  CHECK_NEAR(best.supposed, want, 0.0);
  ms_fit_judgement_destroy(test_context(), &best.judgement);
  ms_starts_close(test_context(), &starts);
}

/* A hammer that shows 6 % too little and a sensor that shows 7 % too much, beside the slip force
   and the damping ratio of mode 2: all are found. What is left of errors is the step's. */
static void test_gains(void) {
  enum { N = 4 };
  static const ms_parameter_place at[N] = { { 0, 0, "F_S" },
                                            { MS_PLACE_DAMPING, 1, NULL },
                                            { MS_PLACE_GAIN, MS_PLACE_HAMMER, NULL },
                                            { MS_PLACE_GAIN, 1, NULL } };
  static const ms_free_parameter parameter[N] = {
    { "F_S of lap", 1, &at[0] },
    { "damping of mode.2", 1, &at[1] },
    { "gain of hammer", 1, &at[2] },
    { "gain of sensor.u2", 1, &at[3] },
  };
  static const ms_fit_parameter bounds[N] = { { "F_S", 1.0, 100.0, 1, 0.0 },
                                              { "zeta", 1e-5, 1e-2, 1, 0.0 },
                                              { "hammer", 0.5, 2.0, 0, 0.0 },
                                              { "sensor", 0.5, 2.0, 0, 0.0 } };
  static const double truth[N] = { 10.0, 1.3e-4, 0.94, 1.07 };
  double p[N] = { 14.0, 4e-4, 1.0, 1.0 };
  ms_target target[2] = { target_of(1, 1.0, 1.0), target_of(2, 1.0, 1.0) };
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  bench *b = make_bench(131.7);
  ms_hammer *test = NULL;
  ms_calibration *fit = NULL;
  ms_fit_local local;
  setting.parts = 8;
  for (int k = 0; k < STEPS; k++) b->force[k] *= truth[2], b->x[k + STEPS] *= truth[3];
  const double tiny[MASSES] = { 1e-9, 1e-9, 1e-9 };
  ms_hit hit = hit_of(b, "tap");
  CHECK_OK(ms_hammer_create(b->s, &setting, 1, &hit, &test));
  for (int k = 0; k < 2; k++) target[k].is.hit.test = test;
  CHECK_OK(ms_calibration_create(b->s, N, parameter, 2, target, &fit));
  const ms_fit_problem problem = ms_calibration_problem(fit, bounds);
  CHECK_OK(ms_fit_from(test_context(), &problem, NULL, p, &local));
  CHECK_EQUAL(local.end, MS_FIT_CONVERGED);
  for (int i = 0; i < N; i++) CHECK_CLOSE(p[i], truth[i], 2e-3);
  check_supposed(fit, bounds, p, &local, 0.01);
  ms_calibration_destroy(&fit);
  ms_hammer_destroy(&test);
  hit.noise = tiny; /* known, and nothing */
  CHECK_OK(ms_hammer_create(b->s, &setting, 1, &hit, &test));
  for (int k = 0; k < 2; k++) target[k].is.hit.test = test;
  CHECK_OK(ms_calibration_create(b->s, N, parameter, 2, target, &fit));
  check_supposed(fit, bounds, p, &local, 1e-4);
  ms_calibration_destroy(&fit);
  ms_decay again[MASSES] = { { 0 } };
  CHECK_OK(ms_calibrated_simulate(test_context(), b->s, N, parameter, p, test, 0, again, NULL));
  for (int k = 1; k < MASSES; k++) {
    const ms_decay *read = ms_hammer_decay(test, 0, k);
    CHECK_EQUAL(again[k].n, read->n);
    if (again[k].n == 0) continue;
    CHECK_CLOSE(again[k].point[0].q, read->point[0].q, 1e-4);
    CHECK_CLOSE(again[k].point[0].zeta, read->point[0].zeta, 1e-3);
  }
  for (int k = 0; k < MASSES; k++) ms_decay_free(test_context(), &again[k]);
  setting.n_channel = setting.n_mode = 1, setting.mode = modes + 1; /* a sensor elsewhere */
  ms_hammer_destroy(&test);
  CHECK_OK(ms_hammer_create(b->s, &setting, 1, &hit, &test));
  target[0] = target_of(0, 1.0, 1.0), target[0].is.hit.test = test;
  CHECK_STATUS(ms_calibration_create(b->s, N, parameter, 1, target, &fit), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "gain of sensor.u2: the test has no sensor there");
  ms_hammer_destroy(&test);
  close_bench(b);
}

/* Two targets, away from what made the record: as the definitions have it, from a simulation of its
   own. */
static void check_residuals(ms_hammer_compare compare) {
  const double away[FREE] = { 13.7, 0.83 };
  ms_target target[2] = { target_of(1, 1.7, 0.6), target_of(2, 0.9, 1.3) };
  bench *b = make_bench(131.7);
  const ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  const ms_hit hit = hit_of(b, "tap");
  ms_hammer *test = NULL;
  ms_calibration *fit = NULL;
  ms_decay decay[3] = { { 0, NULL } };
  CHECK_OK(ms_hammer_create(b->s, &setting, 1, &hit, &test));
  for (int k = 0; k < 2; k++) target[k].is.hit.test = test, target[k].is.hit.compare = compare;
  CHECK_OK(ms_calibration_create(b->s, FREE, two, 2, target, &fit));
  const ptrdiff_t n = ms_calibration_count_residuals(fit);
  double *r = malloc((size_t)n * sizeof *r), f[4], *at = r;
  CHECK_OK(ms_calibration_eval(fit, away, r, NULL));
  CHECK_OK(ms_calibration_objectives(fit, away, f));
  CHECK_STATUS(ms_calibration_eval(fit, away, r, f), MS_ERR_ARGUMENT);
  ms_target_view v[2] = { ms_calibration_view(fit, 0), ms_calibration_view(fit, 1) };
  CHECK_EQUAL(2 * (v[0].n + v[1].n), n);
  double kept;
  CHECK_OK(ms_joint_get(ms_structure_get_joint(b->s, 0), "F_S", &kept));
  CHECK_NEAR(kept, 10.0, 0.0); /* hits are simulated on a copy */
  CHECK_OK(ms_joint_set(ms_structure_get_joint(b->s, 0), "F_S", away[0]));
  CHECK_OK(ms_joint_set(ms_structure_get_joint(b->s, 0), "K_T", away[1]));
  CHECK_OK(ms_joint_setup(ms_structure_get_joint(b->s, 0)));
  CHECK_OK(ms_structure_setup(b->s));
  CHECK_OK(ms_hammer_simulate(test, b->s, 0, decay, NULL, NULL));
  for (int k = 0; k < 2; k++) {
    const ms_decay *want = ms_hammer_decay(test, 0, target[k].is.hit.mode),
                   *got = &decay[target[k].is.hit.mode];
    double low = HUGE_VAL, high = 0.0, sum[2] = { 0.0, 0.0 };
    for (ptrdiff_t i = 0; i < v[k].n; i++) {
      low = fmin(low, want->point[v[k].row[i] - 1].omega);
      high = fmax(high, want->point[v[k].row[i] - 1].omega);
    }
    for (ptrdiff_t i = 0; i < v[k].n; i++) {
      const ms_decay_point *a = &want->point[v[k].row[i] - 1], *c = &got->point[v[k].row[i] - 1];
      const double second =
          compare == MS_HAMMER_DAMPING ? log(c->zeta / a->zeta) : log(c->q / a->q);
      CHECK_NEAR(at[i], sqrt(target[k].weight[0]) * (c->omega - a->omega) / (high - low), 1e-9);
      CHECK_NEAR(at[v[k].n + i], sqrt(target[k].weight[1]) * second, 1e-9);
      CHECK_CLOSE(v[k].model[0][i], c->omega, 1e-12);
      sum[0] += pow(c->omega / a->omega - 1.0, 2.0) / (double)v[k].n;
      sum[1] += pow(c->zeta / a->zeta - 1.0, 2.0) / (double)v[k].n;
    }
    CHECK_CLOSE(f[2 * k], sum[0], 1e-9);
    CHECK_CLOSE(f[2 * k + 1], sum[1], 1e-9);
    at += 2 * v[k].n;
  }
  for (int m = 0; m < 3; m++) ms_decay_free(test_context(), &decay[m]);
  ms_calibration_destroy(&fit);
  ms_hammer_destroy(&test);
  free(r);
  close_bench(b);
}

static void test_envelopes(void) {
  check_residuals(MS_HAMMER_ENVELOPE);
}

static void test_damping(void) {
  check_residuals(MS_HAMMER_DAMPING);
}

/* ---- refusals ---- */

static void refuse(const ms_structure *s, const ms_hammer_setting *setting, const ms_hit *hit,
                   const char *words) {
  ms_hammer *test = NULL;
  CHECK(ms_hammer_create(s, setting, 1, hit, &test) < 0);
  CHECK_HAS(ms_context_message(test_context()), words);
  CHECK(!test);
}

static void test_refusals(void) {
  bench *b = make_bench(131.7);
  const ms_hit good = hit_of(b, "tap");
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  const int rigid[1] = { 3 };
  double *zero = calloc(3 * STEPS, sizeof *zero);
  ms_hit hit = good;
  hit.force = zero;
  refuse(b->s, &setting, &hit, "tap: the force is zero");
  hit = good;
  hit.x = zero;
  refuse(b->s, &setting, &hit, "tap: no mode can be read");
  hit = good;
  hit.n = 60;
  refuse(b->s, &setting, &hit, "tap: no mode can be read; mode 1");
  hit.n = 12;
  refuse(b->s, &setting, &hit, "no pulse with a ring-down after it");
  hit = good;
  b->x[17 + STEPS] = NAN;
  refuse(b->s, &setting, &hit, "tap: sample 18 of channel 2 is not finite");
  hit.n = 7;
  refuse(b->s, &setting, &hit, "tap: 7 samples ");
  hit.n = 8; /* enough to look at them */
  refuse(b->s, &setting, &hit, "tap: ");
  hit = good;
  hit.dt = 0.0;
  refuse(b->s, &setting, &hit, " 0 s apart are no record");
  hit = good;
  zero[4] = INFINITY;
  hit.force = zero;
  refuse(b->s, &setting, &hit, "tap: sample 5 of the force is not finite");
  static const ptrdiff_t beside[MASSES] = { 0, 1, MASSES }, same[MASSES] = { 1, 1, 1 };
  setting.channel = beside;
  refuse(b->s, &setting, &good, "channel 3 is on coordinate 4 of 3");
  setting.channel = same;
  refuse(b->s, &setting, &good, "the 3 sensors cannot tell the 3 modes apart");
  for (int i = 0; i < 5; i++) {
    setting = setting_of(MS_SIGNAL_ACCELERATION);
    if (i == 0) setting.start = -1e-9;
    if (i == 1) setting.end = setting.start;
    if (i == 2) setting.periods = 4.0 - 1e-9;
    if (i == 3) setting.segments = 0;
    if (i == 4) setting.parts = 0;
    refuse(b->s, &setting, &good, "windows hold 4 periods or more, rows and parts be 1 or more");
  }
  setting = setting_of(MS_SIGNAL_ACCELERATION);
  setting.n_channel = 2;
  refuse(b->s, &setting, &good, "2 sensors do not tell 3 modes apart");
  setting = setting_of(MS_SIGNAL_ACCELERATION);
  setting.n_mode = 1;
  setting.mode = rigid;
  refuse(b->s, &setting, &good, "mode 4 is none that could ring");
  free(zero);
  close_bench(b);
}

/* A mode that noise hides is no target, and the message says why. */
static void test_hidden_mode(void) {
  bench *b = make_bench(131.7);
  const ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  const double noise[3] = { 9.7, 9.7, 9.7 };
  ms_target target = target_of(0, 1.0, 1.0);
  ms_hit hit = hit_of(b, "tap");
  ms_hammer *test = NULL;
  ms_calibration *fit = NULL;
  double quiet = noise[0];
  hit.noise = noise;
  for (int i = 0; i < 60 && !test; i++) { /* until some mode is not hidden, and the first is */
    const double less[3] = { quiet, quiet, quiet };
    hit.noise = less;
    if (ms_hammer_create(b->s, &setting, 1, &hit, &test) != MS_SUCCESS) quiet *= 0.8;
  }
  CHECK(test != NULL);
  CHECK_EQUAL(ms_hammer_decay(test, 0, 0)->n, 0);
  CHECK_HAS(ms_hammer_get_remark(test, 0, 0), "stand out of the noise");
  target.is.hit.test = test;
  CHECK_STATUS(ms_calibration_create(b->s, FREE, two, 1, &target, &fit), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "mode 1 of tap cannot be read");
  ms_hammer_destroy(&test);
  close_bench(b);
}

/* ---- memory ---- */

static ms_status make_small(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = 0, to = 1;
  ms_joint *j = NULL;
  MS_TRY(ms_structure_create(ctx, 2, NULL, out));
  for (ptrdiff_t i = 0; i < 2; i++) {
    MS_TRY(ms_structure_add_mass(*out, i, 1.3));
    MS_TRY(ms_structure_add_spring(*out, i - 1, i, 91.0));
  }
  MS_TRY(ms_joint_create(ctx, "iwan4", &j));
  ms_status status = ms_joint_set_typical(j);
  if (status == MS_SUCCESS) status = ms_joint_setup(j);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(*out, "j", &j, &from, &to);
  ms_joint_destroy(&j);
  return status == MS_SUCCESS ? ms_structure_setup(*out) : status;
}

/* Four modes' worth of a decaying sine is all that is looked at. */
static ms_status work(ms_context *ctx, void *user) {
  enum { N = 700 };
  static double force[N], x[2 * N];
  const double shape[2] = { 1.0, 0.0 };
  const int mode[1] = { 0 };
  ms_structure *s = NULL;
  ms_hammer *test = NULL;
  ms_calibration *fit = NULL;
  ms_hammer_setting setting = setting_of(MS_SIGNAL_ACCELERATION);
  ms_target target = target_of(0, 1.0, 1.0);
  double f[2];
  (void)user;
  setting.n_mode = 1;
  setting.mode = mode;
  setting.n_channel = 2;
  force[2] = 1.3;
  ms_status status = make_small(ctx, &s);
  const double omega = status == MS_SUCCESS ? ms_structure_get_stuck(s).omega[0] : 1.0;
  for (int k = 0; k < N; k++) {
    x[k] = x[k + N] = exp(-4e-4 * k) * sin(0.31 * k) * 1e-7;
  }
  const ms_hit hit = {
    .name = "tap", .shape = shape, .n = N, .dt = 0.31 / omega, .force = force, .x = x
  };
  if (status == MS_SUCCESS) status = ms_hammer_create(s, &setting, 1, &hit, &test);
  if (status == MS_SUCCESS) {
    target.is.hit.test = test;
    status = ms_calibration_create(s, FREE, two, 1, &target, &fit);
  }
  if (status == MS_SUCCESS) {
    const double p[FREE] = { 9.1e3, 37.0 };
    status = ms_calibration_objectives(fit, p, f);
  }
  ms_calibration_destroy(&fit);
  ms_hammer_destroy(&test);
  ms_structure_destroy(&s);
  return status;
}

static void test_failing_memory(void) {
  CHECK(test_allocations(work, NULL) > 60);
}

int main(void) {
  TEST(test_accelerations);
  TEST(test_coarse_steps);
  TEST(test_rings_out);
  TEST(test_displacements);
  TEST(test_offsets);
  TEST(test_mode_alone);
  TEST(test_decimation);
  TEST(test_only_what_is_read);
  TEST(test_noise);
  TEST(test_noise_before);
  TEST(test_nothing_left_at_the_truth);
  TEST(test_gains);
  TEST(test_envelopes);
  TEST(test_damping);
  TEST(test_refusals);
  TEST(test_hidden_mode);
  TEST(test_failing_memory);
  return test_finish();
}
