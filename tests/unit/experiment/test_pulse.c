/* A pulse on linear structures: the decay has the frequency and damping of each mode, and the
 * answer survives being packed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/pack.h"
#include "support/check.h"

/* Two masses on springs; omega^2 m = k of each mode by hand. */
static ms_structure *make_structure(double zeta) {
  static const char *const names[] = { "u1", "u2" };
  const double ratio[] = { zeta, 1.7 * zeta };
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 2, names, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_mass(s, 1, 1.14));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 9310.0));
  CHECK_OK(ms_structure_add_spring(s, 0, 1, 2270.0));
  CHECK_OK(ms_structure_set_modal_damping(s, ratio));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static ms_pulse_run make_request(const ms_structure *s) {
  static const double shape[] = { 1.0, 0.4 };
  static const int mode[] = { 0, 1 };
  static const ptrdiff_t segments[] = { 30, 30 };
  ms_pulse_run run = { .shape = shape,
                       .p = 87.0,
                       .omega = ms_structure_get_stuck(s).omega[1],
                       .time = ms_time_default(),
                       .mode = mode,
                       .n_mode = 2,
                       .segments = segments,
                       .keep_traces = 1 };
  run.time.method = "exponential"; /* exact for a linear structure */
  run.time.step = 1.3e-3;
  run.time.steps = 6000;
  return run;
}

static void test_linear(void) {
  const double zeta = 0.0037;
  ms_structure *s = make_structure(zeta);
  ms_modes stuck = ms_structure_get_stuck(s);
  ms_pulse_run run = make_request(s);
  CHECK_NEAR(ms_pulse_length(&run), acos(-1.0) / stuck.omega[1], 1e-15);
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  CHECK_EQUAL(run.count.steps, 6000);
  CHECK(run.has_energy && fabs(run.energy.balance) < 1e-6 * run.energy.input);
  for (int r = 0; r < 2; r++) {
    const double own = (r == 0 ? 1.0 : 1.7) * zeta;
    CHECK_TEXT(run.remark[r], "");
    CHECK(run.decay[r].n >= 8);
    const ms_decay_point *d = &run.decay[r].point[run.decay[r].n / 2];
    /* the Hilbert transform sees the damped frequency */
    CHECK_NEAR(d->omega, stuck.omega[r] * sqrt(1.0 - own * own), 1e-4 * stuck.omega[r]);
    CHECK_NEAR(d->zeta, own, 1e-2 * own);
    CHECK_NEAR(ms_structure_get_excess_damping(s, r, d->omega, d->zeta), 0.0, 2e-2 * own);
    CHECK(run.trace[r].n > 100);
  }
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* Only along the second mode's node: the first one is not in the response. */
static void test_not_excited(void) {
  ms_structure *s = make_structure(0.004);
  ms_modes stuck = ms_structure_get_stuck(s);
  ms_pulse_run run = make_request(s);
  double shape[2] = { stuck.shape[3] * 1.0, -stuck.shape[2] }; /* no work on mode 2 */
  run.shape = shape;
  run.keep_traces = 0;
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  CHECK(run.decay[0].n > 0);
  CHECK_EQUAL(run.decay[1].n, 0);
  CHECK_HAS(run.remark[1], "does not excite");
  CHECK_EQUAL(run.trace[0].n, 0);
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

static void check_same(const ms_pulse_run *a, const ms_pulse_run *b) {
  const ms_transient_quality *q = &a->quality, *r = &b->quality;
  CHECK_EQUAL(a->has_energy, b->has_energy);
  CHECK(memcmp(&a->energy, &b->energy, sizeof a->energy) == 0); /* numbers alone */
  CHECK_EQUAL(a->count.steps, b->count.steps);
  CHECK_EQUAL(a->count.evaluations, b->count.evaluations);
  CHECK_NEAR(a->count.residual, b->count.residual, 0.0);
  CHECK(q->balance == r->balance && q->mode == r->mode && q->omega == r->omega);
  CHECK(q->share == r->share && q->steps == r->steps && q->steps_least == r->steps_least);
  CHECK_EQUAL(q->coarse, r->coarse);
  for (int c = 0; c < b->n_mode; c++) {
    CHECK_TEXT(a->remark[c], b->remark[c]);
    CHECK_EQUAL(a->decay[c].n, b->decay[c].n);
    for (ptrdiff_t i = 0; i < b->decay[c].n; i++) {
      const ms_decay_point *x = &a->decay[c].point[i], *y = &b->decay[c].point[i];
      CHECK(x->time == y->time && x->q == y->q && x->velocity == y->velocity);
      CHECK(x->acceleration == y->acceleration && x->omega == y->omega);
      CHECK(x->zeta == y->zeta && x->quality == y->quality);
    }
    CHECK_EQUAL(a->trace[c].n, b->trace[c].n);
    const size_t size = (size_t)b->trace[c].n * sizeof(double);
    CHECK(memcmp(a->trace[c].t, b->trace[c].t, size) == 0);
    CHECK(memcmp(a->trace[c].x, b->trace[c].x, size) == 0);
  }
}

static void test_packed(void) {
  ms_structure *s = make_structure(0.004);
  ms_pulse_run run = make_request(s), copy = make_request(s);
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  run.quality = (ms_transient_quality) { 0.0137, 1, 31.7, 0.29, 17.3, 20.0, 3 };
  snprintf(run.remark[0], sizeof run.remark[0], "too little of it");
  ptrdiff_t n = ms_pulse_save(&run, NULL);
  double *values = NULL;
  CHECK_OK(ms_allocate(test_context(), n, sizeof *values, &values));
  CHECK_EQUAL(ms_pulse_save(&run, values), n);
  CHECK_OK(ms_pulse_load(test_context(), &copy, values, n));
  check_same(&copy, &run);
  ms_pulse_free(test_context(), &copy);
  CHECK_STATUS(ms_pulse_load(test_context(), &copy, values, n - 1), MS_ERR_FORMAT);
  CHECK(!copy.decay && !copy.has_energy && copy.energy.input == 0.0 && copy.count.steps == 0);
  CHECK(copy.quality.mode == 0 && copy.quality.steps == HUGE_VAL);
  run.quality.mode = -1; /* nothing moved */
  run.quality.steps = HUGE_VAL;
  CHECK_EQUAL(ms_pulse_save(&run, values), n);
  for (ptrdiff_t i = 0; i < n; i++) CHECK(isfinite(values[i]));
  CHECK_OK(ms_pulse_load(test_context(), &copy, values, n));
  CHECK(copy.quality.mode == -1 && copy.quality.steps == HUGE_VAL);
  ms_pulse_free(test_context(), &copy);
  ms_free(test_context(), &values);
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* The defaults ring mode r alone, from the amplitude that was asked for but for what is lost in
   half a period: q falls by about pi zeta/2 there. */
static void test_ring_down(void) {
  const double zeta = 1.3e-4, q = 0.0137;
  ms_structure *s = make_structure(zeta);
  const double omega = ms_structure_get_stuck(s).omega[1];
  const int mode = 1;
  ms_pulse_run run = ms_pulse_default();
  run.mode = &mode, run.n_mode = 1;
  run.p = ms_pulse_height(omega, q);
  run.time.method = "exponential";
  run.time.step = 1e-3, run.time.steps = 8000;
  CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
  CHECK_NEAR(run.omega, omega, 0.0);
  CHECK_TEXT(run.remark[0], "");
  CHECK(run.decay[0].n > 10);
  for (ptrdiff_t i = 0; i < run.decay[0].n; i++) {
    const ms_decay_point *d = &run.decay[0].point[i];
    const double decay = exp(-1.7 * zeta * omega * (d->time - ms_pulse_length(&run)));
    CHECK_CLOSE(d->q, q * decay, 2e-3);
    CHECK_CLOSE(d->omega, omega, 1e-4);
  }
  ms_pulse_run again = ms_pulse_again(&run, MS_RING_STFT);
  CHECK(!again.decay && again.method == MS_RING_STFT && again.p == run.p && again.mode == &mode);
  CHECK_OK(ms_pulse_simulate(test_context(), s, &again));
  CHECK(again.decay[0].n > 3);
  CHECK_CLOSE(again.decay[0].point[0].zeta, 1.7 * zeta, 0.02);
  ms_pulse_free(test_context(), &again);
  ms_pulse_free(test_context(), &run);
  ms_structure_destroy(&s);
}

/* q" + w^2 q = f sin(W t) for half a period of W leaves the amplitude
   (f/w) 2 W |cos(pi w/(2 W))|/|W^2 - w^2|, less what the little damping takes since. */
static void check_ringing(const ms_pulse_run *run, const ms_modes *stuck, double zeta,
                          const double *force) {
  for (int r = 0; r < 2; r++) {
    const double w = stuck->omega[r], W = run->omega;
    const double f = stuck->shape[2 * r] * force[0] + stuck->shape[1 + 2 * r] * force[1];
    const double q = fabs(f / w * 2.0 * W * cos(acos(0.0) * w / W) / (W * W - w * w));
    CHECK_TEXT(run->remark[r], "");
    CHECK(run->decay[r].n > 3);
    for (ptrdiff_t i = 0; i < run->decay[r].n; i++) {
      const ms_decay_point *d = &run->decay[r].point[i];
      const double own = (r == 0 ? 1.0 : 1.7) * zeta;
      CHECK_CLOSE(d->q, q * exp(-own * w * (d->time - 0.5 * ms_pulse_length(run))), 2e-3);
    }
  }
}

/* An impact on one mass, and a shock of the ground, which pushes each mass by its own inertia. */
static void test_places(void) {
  const double zeta = 1.3e-4, p = 87.0, base[] = { 1.0, 1.0 };
  const double struck[] = { 0.0, p }, shaken[] = { -2.385 * p, -1.14 * p };
  const ptrdiff_t at = 1, none = 2;
  ms_structure *s = make_structure(zeta);
  const ms_modes stuck = ms_structure_get_stuck(s);
  for (int way = 0; way < 2; way++) {
    ms_pulse_run run = make_request(s);
    run.shape = NULL;
    if (way == 0) run.at = &at;
    if (way == 1) run.base = base;
    run.omega = 97.3;
    run.segments = NULL;
    CHECK_OK(ms_pulse_simulate(test_context(), s, &run));
    check_ringing(&run, &stuck, zeta, way == 0 ? struck : shaken);
    ms_pulse_run again = ms_pulse_again(&run, MS_RING_STFT);
    CHECK(again.at == run.at && again.base == run.base);
    ms_pulse_free(test_context(), &run);
  }
  ms_pulse_run run = make_request(s);
  run.at = &none;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "no degree of freedom 2; they are 0 to 1");
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = make_structure(0.004);
  ms_pulse_run run = make_request(s);
  const int high[] = { 0, 2 }, low = -1;
  CHECK_STATUS(ms_pulse_simulate(test_context(), NULL, &run), MS_ERR_ARGUMENT);
  run.mode = high;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "no mode 2; modes are 0 to 1");
  run.mode = &low, run.n_mode = 1;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  run.mode = NULL;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  run.mode = high, run.n_mode = 0;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  run.n_mode = 1, run.time.steps = 0;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_BOUNDS);
  run.time.steps = 10, run.omega = -3.1;
  CHECK_STATUS(ms_pulse_simulate(test_context(), s, &run), MS_ERR_ARGUMENT);
  CHECK(!run.decay && !run.trace);
  ms_structure_destroy(&s);
}

/* A sensor where it is put, else where the mode moves most. */
static void test_sensor(void) {
  ms_structure *s = make_structure(0.004);
  const double *phi = ms_structure_get_stuck(s).shape;
  for (int r = 0; r < 2; r++) {
    const int most = fabs(phi[1 + 2 * r]) > fabs(phi[2 * r]);
    CHECK_EQUAL(ms_sensor_find(s, MS_GROUND, r).coordinate, most);
    const ms_sensor at = ms_sensor_find(s, 1, r);
    CHECK_TEXT(at.name, "u2");
    CHECK_NEAR(at.shape, fabs(phi[1 + 2 * r]), 0.0);
  }
  ms_structure_destroy(&s);
}

static void test_steps(void) {
  ms_time_setting time = ms_time_default();
  CHECK(ms_time_count_steps(&time).least == 2.0 && ms_time_count_steps(&time).enough == 10.0);
  time.tolerance = 1e-4;
  CHECK_NEAR(ms_time_count_steps(&time).enough, 2.0, 0.0);
  time.method = "exponential";
  CHECK_NEAR(ms_time_count_steps(&time).enough, 1.0, 0.0);
  time.tolerance = 0.0;
  CHECK(ms_time_count_steps(&time).least == 1.0 && ms_time_count_steps(&time).enough == 2.0);
}

static ms_status run_short(ms_context *ctx, void *user) {
  const int mode = 0;
  ms_structure *s = NULL;
  ms_pulse_run run = ms_pulse_default();
  (void)user;
  run.mode = &mode, run.n_mode = 1, run.p = 1.7, run.keep_traces = 1;
  run.time.step = 5e-3, run.time.steps = 1500;
  ms_status status = ms_structure_create(ctx, 1, NULL, &s);
  if (status == MS_SUCCESS) status = ms_structure_add_mass(s, 0, 2.385);
  if (status == MS_SUCCESS) status = ms_structure_add_spring(s, MS_GROUND, 0, 9310.0);
  if (status == MS_SUCCESS) status = ms_structure_setup(s);
  if (status == MS_SUCCESS) status = ms_pulse_simulate(ctx, s, &run);
  ms_pulse_free(ctx, &run);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_short, NULL) > 10);
}

/* Four steps in a period of a mode, two in one of a load, and a pulse between the steps. */
static void test_resolution(void) {
  const double pi = acos(-1.0), omega = 2.0 * pi / 0.0313;
  ms_time_setting time = ms_time_default();
  ms_load *load = NULL;
  char text[320];
  time.step = 0.0313 / 3.97;
  time.steps = 20;
  CHECK(ms_time_misses_mode(&time, 1, omega, 1e-3, text, sizeof text));
  CHECK_TEXT(text,
             "a step of 7.88413 ms makes 3.97 steps in a period of mode 2; at least 4 are "
             "required, a step of 7.8 ms");
  time.step = 0.0313 / 4.03;
  CHECK(!ms_time_misses_mode(&time, 1, omega, 1e-3, text, sizeof text));
  CHECK(!ms_time_misses_mode(&time, 0, 0.0, 1.0, text, sizeof text));
  const ms_pulse_steps n = ms_time_count_steps(&time);
  CHECK(ms_time_misses_pulse(&time, 0.99 * n.least * time.step, 1.0, text, sizeof text));
  CHECK_HAS(text, "it falls between the steps");
  CHECK(!ms_time_misses_pulse(&time, 1.01 * n.least * time.step, 1.0, text, sizeof text));
  CHECK(ms_time_blurs_pulse(&time, 0.99 * n.enough * time.step, text, sizeof text));
  CHECK_HAS(text, "its impulse may be off by more than 1 %");
  CHECK(!ms_time_blurs_pulse(&time, HUGE_VAL, text, sizeof text));
  CHECK_OK(ms_load_create(test_context(), "sine", &load));
  CHECK_OK(ms_load_set(load, "amplitude", 3.1));
  CHECK_OK(ms_load_set(load, "frequency", 1.0 / (1.97 * time.step)));
  CHECK_OK(ms_load_setup(load));
  CHECK(ms_time_misses_load(&time, load, "hum", 1.0, text, sizeof text));
  CHECK_HAS(text, "1.97 steps in a period of the load");
  CHECK(!ms_time_ends_before(&time, load, "hum", 1.0, text, sizeof text));
  CHECK_OK(ms_load_set(load, "frequency", 1.0 / (2.03 * time.step)));
  CHECK_OK(ms_load_setup(load));
  CHECK(!ms_time_misses_load(&time, load, "hum", 1.0, text, sizeof text));
  ms_load_destroy(&load);
}

int main(void) {
  TEST(test_ring_down);
  TEST(test_places);
  TEST(test_refused);
  TEST(test_sensor);
  TEST(test_steps);
  TEST(test_out_of_memory);
  TEST(test_linear);
  TEST(test_not_excited);
  TEST(test_packed);
  TEST(test_resolution);
  return test_finish();
}
