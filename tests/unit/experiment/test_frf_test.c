/* Tests of one mass on a spring and a dashpot, whose frequency responses have closed forms: an
   impact that rings out in one block, on the mass and by the ground; and noise in many blocks. */
#include <complex.h>
#include <math.h>
#include <microslip/experiment.h>

#include "support/check.h"

#define MASS  2.385
#define OMEGA 61.7
#define ZETA  0.031

static const double pi = 3.14159265358979323846;
static const double one[] = { 1.0 };

static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const double zeta = ZETA;
  MS_TRY(ms_structure_create(ctx, 1, NULL, out));
  MS_TRY(ms_structure_add_mass(*out, 0, MASS));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, MASS * OMEGA * OMEGA));
  MS_TRY(ms_structure_set_modal_damping(*out, &zeta));
  return ms_structure_setup(*out);
}

static ms_status make_pulse(ms_context *ctx, ms_load **out) {
  MS_TRY(ms_load_create(ctx, "haversine", out));
  MS_TRY(ms_load_set(*out, "amplitude", 13.7));
  MS_TRY(ms_load_set(*out, "frequency", 41.3));
  return ms_load_setup(*out);
}

static ms_frf_test make_test(const ms_load *load) {
  ms_frf_test test = ms_frf_test_default();
  test.load = load;
  test.time.method = "exponential";
  test.time.step = 1.13e-3, test.time.steps = 8191;
  test.settings.window = MS_FRF_RECTANGULAR;
  test.settings.length = 8192;
  return test;
}

/* x over the force on the mass, times (i w)^kind; of the ground the force is -m, and 1 is added for
   the absolute acceleration. */
static double complex find_response(const ms_frf_test *t, double w) {
  const double complex x =
      (t->base ? -1.0 : 1.0 / MASS) / (OMEGA * OMEGA - w * w + 2.0 * I * ZETA * OMEGA * w);
  const double complex factor[] = { 1.0, I * w, -w * w, -w * w };
  return factor[t->kind] * x + (t->kind == MS_TRANSMISSIBILITY);
}

/* The mean of the block is taken away, so that low lines are off; and the load is held to its
   values at steps, an error of (w dt)^2/12. */
static void check_lines(const ms_frf_test *t, double tolerance) {
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < t->frf.n; k++) {
    const double w = 2.0 * pi * t->frf.freq_hz[k];
    const double complex H = find_response(t, w);
    if (w < 0.5 * OMEGA || w > 1.9 * OMEGA) continue;
    CHECK_NEAR(cabs(t->frf.H1[2 * k] + I * t->frf.H1[2 * k + 1] - H) / cabs(H), 0.0, tolerance);
    CHECK_NEAR(t->frf.coherence[k], 1.0, 1e-9); /* of one block */
    n++;
  }
  CHECK(n > 50);
}

static void test_impact(void) {
  ms_structure *s = NULL;
  ms_load *load = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(make_pulse(test_context(), &load));
  for (int base = 0; base < 2; base++) {
    for (int kind = MS_RECEPTANCE; kind <= MS_TRANSMISSIBILITY - !base; kind++) {
      ms_frf_test test = make_test(load);
      test.kind = (ms_response_kind)kind;
      if (base) test.base = one;
      if (!base) test.shape = one;
      CHECK_OK(ms_frf_test_simulate(test_context(), s, &test));
      check_lines(&test, 3e-4);
      CHECK(test.has_energy && test.count.steps == 8191);
      CHECK_NEAR(test.energy.balance, 0.0, 1e-3 * test.energy.input);
      ms_frf_free(test_context(), &test.frf);
    }
  }
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
}

/* Response and load have no noise of their own: what is between them is leakage of the blocks. */
static void test_random(void) {
  ms_structure *s = NULL;
  ms_load *load = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_load_create(test_context(), "noise", &load));
  CHECK_OK(ms_load_set(load, "rms", 3.1));
  CHECK_OK(ms_load_set(load, "low", 1.0));
  CHECK_OK(ms_load_set(load, "high", 40.0));
  CHECK_OK(ms_load_set(load, "lines", 3000.0));
  CHECK_OK(ms_load_setup(load));
  ms_frf_test test = make_test(load);
  test.shape = one;
  test.kind = MS_ACCELERANCE;
  test.time.step = 4.3e-3, test.time.steps = 40000;
  test.settings.window = MS_FRF_HANN;
  test.settings.length = 2048;
  CHECK_OK(ms_frf_test_simulate(test_context(), s, &test));
  double H[200];
  const ptrdiff_t first = 46, n = 100;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double complex h = find_response(&test, 2.0 * pi * test.frf.freq_hz[first + i]);
    H[2 * i] = creal(h), H[2 * i + 1] = cimag(h);
    CHECK(test.frf.coherence[first + i] > 0.9);
  }
  const ms_frf_difference d = ms_frf_compare(&test.frf, first, n, H);
  CHECK_EQUAL(d.lines, n);
  CHECK(d.rms < 2.0 * d.random && d.random < 0.02); /* leakage counts as noise in the coherence */
  CHECK(d.largest >= d.rms && d.largest < 0.1);
  ms_frf_free(test_context(), &test.frf);
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
}

static void test_refused(void) {
  ms_structure *s = NULL;
  ms_load *load = NULL;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(make_pulse(test_context(), &load));
  ms_frf_test test = make_test(load);
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "a force or a base");
  test.shape = one, test.sensor = 1;
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "no degree of freedom 1; they are 0 to 0");
  test.sensor = 0, test.kind = MS_TRANSMISSIBILITY;
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_ARGUMENT);
  test.kind = (ms_response_kind)7;
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_ARGUMENT);
  test.kind = MS_MOBILITY, test.time.steps = 0;
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_BOUNDS);
  test.time.steps = 100; /* shorter than a block */
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_ARGUMENT);
  test.load = NULL;
  CHECK_STATUS(ms_frf_test_simulate(test_context(), s, &test), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_frf_test_simulate(test_context(), NULL, &test), MS_ERR_ARGUMENT);
  CHECK(!test.frf.freq_hz);
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
}

/* Records of an impact with offsets; the response, a velocity, is 2.7 times what the load was in
   numbers of half its unit. */
static void test_measured(void) {
  enum { N = 512 };
  const double dt = 1e-3;
  double x[N], y[N], offset[2];
  ptrdiff_t before, first;
  ms_frf_test test = ms_frf_test_default();
  for (int k = 0; k < N; k++) {
    const double pulse = k < 100 || k > 110 ? 0.0 : 13.7 * sin(pi * (k - 100) / 10.0);
    x[k] = 0.31 + pulse;
    y[k] = -0.17 + 2.7 * pulse;
  }
  CHECK_OK(ms_frf_subtract_offsets(test_context(), N, x, y, &before, offset));
  CHECK(before > 10 && before <= 101);
  CHECK_NEAR(offset[0], 0.31, 1e-12);
  CHECK_NEAR(offset[1], -0.17, 1e-12);
  CHECK_NEAR(x[0], 0.0, 1e-12);
  CHECK_NEAR(y[105], 2.7 * 13.7, 1e-12);
  test.kind = MS_ACCELERANCE;
  test.settings.window = MS_FRF_HAMMER, test.settings.length = N;
  CHECK_OK(ms_frf_test_measure(test_context(), dt, N, x, y, 2.0, 1, &test));
  CHECK_NEAR(x[105], 2.0 * 13.7, 1e-12);
  CHECK_EQUAL(ms_frf_find_lines(&test.frf, 5.0, 20.0, &first), 8); /* 1/(512 dt) = 1.953 Hz apart */
  CHECK_EQUAL(first, 3);
  for (ptrdiff_t k = first; k < first + 8; k++) {
    CHECK_NEAR(test.frf.H1[2 * k], 0.0, 1e-9);
    CHECK_CLOSE(test.frf.H1[2 * k + 1], 2.0 * pi * test.frf.freq_hz[k] * 2.7 / 2.0, 1e-9);
  }
  CHECK_EQUAL(ms_frf_find_lines(&test.frf, 0.0, 2.0, &first), 1); /* not that of 0 Hz */
  CHECK_EQUAL(ms_frf_find_lines(&test.frf, 5.0, 5.5, &first), 0);
  CHECK_STATUS(ms_frf_check_blocks(test_context(), N, N, dt, 5.0, 5.5), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "none from 5 to 5.5 Hz; use longer blocks");
  CHECK_OK(ms_frf_check_blocks(test_context(), N, N, dt, 5.0, 6.0));
  CHECK_STATUS(ms_frf_check_blocks(test_context(), N, N, dt, 501.0, 900.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_frf_check_blocks(test_context(), N, N - 1, dt, 5.0, 6.0), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_frf_check_blocks(test_context(), 7, N, dt, 0.1, 400.0), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "a block of 7 samples does not do for a record");
  ms_frf_free(test_context(), &test.frf);
}

static ms_status run_short(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_load *load = NULL;
  (void)user;
  ms_status status = make_structure(ctx, &s);
  if (status == MS_SUCCESS) status = make_pulse(ctx, &load);
  ms_frf_test test = make_test(load);
  test.base = one;
  test.time.steps = 100, test.settings.length = 64;
  if (status == MS_SUCCESS) status = ms_frf_test_simulate(ctx, s, &test);
  ms_frf_free(ctx, &test.frf);
  ms_load_destroy(&load);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(run_short, NULL) > 10);
}

int main(void) {
  TEST(test_impact);
  TEST(test_random);
  TEST(test_measured);
  TEST(test_refused);
  TEST(test_out_of_memory);
  return test_finish();
}
