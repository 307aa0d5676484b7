/* Decimation: attenuation as stated, no delay, and the stream digit for digit like the whole. */
#include <microslip/signal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static const double pi = 3.14159265358979323846;
enum { N = 5000 };
static double x[3 * N], y[3 * N];

static void fill(double *z, double per_sample, double phase) {
  for (int k = 0; k < N; k++) z[k] = sin(per_sample * k + phase);
}

/* Largest |y_j - gain x_(j M)| away from the ends, where x is a sine. */
static double middle_error(const ms_decimator_settings *set, double per_sample, double gain) {
  fill(x, per_sample, 0.713);
  CHECK_OK(ms_signal_decimate(test_context(), set, N, 1, x, y));
  ptrdiff_t m = ms_signal_decimated_length(N, set->factor);
  double worst = 0.0;
  for (ptrdiff_t j = m / 3; j < 2 * m / 3; j++)
    worst = fmax(worst, fabs(y[j] - gain * x[j * set->factor]));
  return worst;
}

/* What passes does so to within the attenuation, in its place; what would alias is gone by it. */
static void test_attenuation(void) {
  const double attenuation[] = { 60.0, 100.0, 140.0 };
  const ptrdiff_t factor[] = { 2, 7, 20 };
  for (int i = 0; i < 3; i++)
    for (int f = 0; f < 3; f++) {
      ms_decimator_settings set = { sizeof(ms_decimator_settings), factor[f], attenuation[i], 0.8 };
      double nyquist = pi / (double)factor[f], limit = pow(10.0, -attenuation[i] / 20.0);
      for (double part = 0.013; part < 0.8; part += 0.0917)
        CHECK_BELOW(middle_error(&set, part * nyquist, 1.0), limit);
      CHECK_BELOW(middle_error(&set, 0.8 * nyquist, 1.0), limit);
      for (double at = nyquist; at < pi; at *= 1.137)
        CHECK_BELOW(middle_error(&set, at, 0.0), limit);
    }
}

/* A constant is kept by records of any length, shorter than the filter too. */
static void test_constant(void) {
  const ptrdiff_t n[] = { 1, 2, 10, 41, 257, 900 };
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 9, 100.0, 0.8 };
  for (int k = 0; k < N; k++) x[k] = 2.385;
  for (int i = 0; i < 6; i++) {
    CHECK_OK(ms_signal_decimate(test_context(), &set, n[i], 1, x, y));
    for (ptrdiff_t j = 0; j < ms_signal_decimated_length(n[i], 9); j++)
      CHECK_NEAR(y[j], 2.385, 1e-13);
  }
}

/* A straight line is kept up to both ends by a record longer than the filter. */
static void test_line(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 9, 100.0, 0.8 };
  const ptrdiff_t n = 2000;
  for (ptrdiff_t k = 0; k < n; k++) x[k] = 2.385 - 0.0137 * (double)k;
  CHECK_OK(ms_signal_decimate(test_context(), &set, n, 1, x, y));
  for (ptrdiff_t j = 0; j < ms_signal_decimated_length(n, 9); j++)
    CHECK_NEAR(y[j], x[9 * j], 1e-12);
}

/* Smooth signals are kept near the ends too. */
static void test_ends(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 10, 100.0, 0.8 };
  fill(x, 0.02, 0.4);
  CHECK_OK(ms_signal_decimate(test_context(), &set, N, 1, x, y));
  double worst = 0.0;
  for (ptrdiff_t j = 0; j < 500; j++) worst = fmax(worst, fabs(y[j] - x[10 * j]));
  CHECK_BELOW(worst, 5e-3);
}

static void test_lengths(void) {
  CHECK_EQUAL(ms_signal_decimated_length(0, 4), 0);
  CHECK_EQUAL(ms_signal_decimated_length(1, 4), 1);
  CHECK_EQUAL(ms_signal_decimated_length(4, 4), 1);
  CHECK_EQUAL(ms_signal_decimated_length(5, 4), 2);
  CHECK_EQUAL(ms_signal_decimated_length(17, 1), 17);
  CHECK_EQUAL(ms_signal_decimated_length(17, 0), 0);
}

static void test_factor_one(void) {
  ms_decimator_settings set = MS_DECIMATOR_DEFAULT;
  fill(x, 2.9, 0.4);
  CHECK_OK(ms_signal_decimate(test_context(), &set, N, 1, x, y));
  for (int k = 0; k < N; k += 7) CHECK_NEAR(y[k], x[k], 0.0);
}

/* ---- the stream ---- */

static void row_of(ptrdiff_t k, ptrdiff_t n_channel, double *row) {
  for (ptrdiff_t c = 0; c < n_channel; c++) row[c] = x[k + N * c];
}

/* Compares output j with the whole record's. */
static void check_row(const double *row, ptrdiff_t j, ptrdiff_t m, ptrdiff_t n_channel) {
  for (ptrdiff_t c = 0; c < n_channel; c++) CHECK_NEAR(row[c], y[j + m * c], 0.0);
}

static void test_stream(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 6, 90.0, 0.7 };
  for (int c = 0; c < 3; c++) fill(x + N * c, 0.11 * (c + 1), 0.3 + c);
  CHECK_OK(ms_signal_decimate(test_context(), &set, N, 3, x, y));
  ptrdiff_t m = ms_signal_decimated_length(N, 6), j = 0;
  ms_decimator *d;
  double in[3], out[3];
  int ready;
  CHECK_OK(ms_decimator_create(test_context(), &set, 3, &d));
  for (ptrdiff_t k = 0; k < N; k++) {
    row_of(k, 3, in);
    if (CHECK_OK(ms_decimator_push(d, in, out, &ready)) && ready) {
      CHECK_EQUAL(k, j * 6 + ms_decimator_delay(d));
      check_row(out, j++, m, 3);
    }
  }
  while (ms_decimator_flush(d, out, &ready) == MS_SUCCESS && ready) check_row(out, j++, m, 3);
  CHECK_EQUAL(j, m);
  CHECK_STATUS(ms_decimator_push(d, in, out, &ready), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "after flush");
  CHECK_EQUAL(ready, 0);
  CHECK_OK(ms_decimator_flush(d, out, &ready));
  CHECK_EQUAL(ready, 0);
  ms_decimator_destroy(&d);
  CHECK(d == NULL);
  ms_decimator_destroy(&d);
  ms_decimator_destroy(NULL);
}

/* Started anew it has forgotten. */
static void test_start(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 5, 80.0, 0.8 };
  fill(x, 0.13, 0.2);
  CHECK_OK(ms_signal_decimate(test_context(), &set, N, 1, x, y));
  ms_decimator *d;
  double out, other = 1e6;
  int ready;
  CHECK_OK(ms_decimator_create(test_context(), &set, 1, &d));
  for (int k = 0; k < 777; k++) CHECK_OK(ms_decimator_push(d, &other, &out, &ready));
  ms_decimator_start(d);
  ptrdiff_t j = 0;
  for (ptrdiff_t k = 0; k < N; k++) {
    CHECK_OK(ms_decimator_push(d, &x[k], &out, &ready));
    if (ready) check_row(&out, j++, 0, 1);
  }
  CHECK(j > 900);
  ms_decimator_destroy(&d);
}

/* Nothing went in, nothing comes out. */
static void test_empty(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 5, 80.0, 0.8 };
  ms_decimator *d;
  double out;
  int ready = 1;
  CHECK_OK(ms_decimator_create(test_context(), &set, 1, &d));
  CHECK_OK(ms_decimator_flush(d, &out, &ready));
  CHECK_EQUAL(ready, 0);
  ms_decimator_destroy(&d);
}

/* Saved at any moment, the start and the flush among them, and gone on with in another. */
static void run_resumed(const ms_decimator_settings *set, ptrdiff_t n, ptrdiff_t at) {
  ms_decimator *a, *b;
  double in[2], out[2];
  int ready = 1;
  ptrdiff_t m = ms_signal_decimated_length(n, set->factor), j = 0;
  CHECK_OK(ms_decimator_create(test_context(), set, 2, &a));
  CHECK_OK(ms_decimator_create(test_context(), set, 2, &b));
  double *state = malloc((size_t)ms_decimator_save_size(a) * sizeof *state);
  for (ptrdiff_t k = 0; k < n || ready; k++) {
    if (k == at) {
      ms_decimator_save(a, state);
      CHECK_OK(ms_decimator_load(b, state, ms_decimator_save_size(a)));
    }
    ms_decimator *d = k < at ? a : b;
    if (k < n)
      row_of(k, 2, in), CHECK_OK(ms_decimator_push(d, in, out, &ready));
    else
      CHECK_OK(ms_decimator_flush(d, out, &ready));
    if (ready) check_row(out, j++, m, 2);
    if (k < n) ready = 1;
  }
  CHECK_EQUAL(j, m);
  free(state);
  ms_decimator_destroy(&a);
  ms_decimator_destroy(&b);
}

static void test_save_load(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 4, 80.0, 0.8 };
  fill(x, 0.13, 0.2);
  fill(x + N, 0.31, 0.5);
  static double z[2 * 999];
  memcpy(z, x, 999 * sizeof *z);
  memcpy(z + 999, x + N, 999 * sizeof *z);
  CHECK_OK(ms_signal_decimate(test_context(), &set, 999, 2, z, y));
  const ptrdiff_t at[] = { 0, 1, 50, 107, 500, 999, 1003 };
  for (int i = 0; i < 7; i++) run_resumed(&set, 999, at[i]);
}

static void refuse_load(ms_decimator *d, const double *state, ptrdiff_t n, ms_status status,
                        const char *part) {
  CHECK_STATUS(ms_decimator_load(d, state, n), status);
  CHECK_HAS(ms_context_message(test_context()), part);
}

static void test_load_refused(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 4, 80.0, 0.8 },
                        other = { sizeof(ms_decimator_settings), 4, 80.0, 0.8 + 1e-9 };
  ms_decimator *d, *e;
  CHECK_OK(ms_decimator_create(test_context(), &set, 1, &d));
  CHECK_OK(ms_decimator_create(test_context(), &other, 1, &e));
  ptrdiff_t n = ms_decimator_save_size(d);
  CHECK_EQUAL(ms_decimator_save_size(e), n);
  double *state = malloc((size_t)n * sizeof *state);
  ms_decimator_save(d, state);
  refuse_load(e, state, n, MS_ERR_FORMAT, "other settings");
  refuse_load(d, state, n - 1, MS_ERR_FORMAT, "other settings");
  const double bad[] = { -1.0, 0.5, 1e30, NAN };
  for (int place = 4; place < 8; place++)
    for (int i = 0; i < 4; i++) {
      if (place == 6 && i == 0) continue; /* -1 says that flush was not called */
      ms_decimator_save(d, state);
      state[place] = bad[i];
      refuse_load(d, state, n, MS_ERR_FORMAT, "damaged");
    }
  ms_decimator_save(d, state);
  state[n - 1] = INFINITY;
  refuse_load(d, state, n, MS_ERR_NUMERIC, "not finite");
  free(state);
  ms_decimator_destroy(&d);
  ms_decimator_destroy(&e);
}

/* ---- refusals ---- */

static void refuse(ms_decimator_settings set, ptrdiff_t n_channel, ms_status status,
                   const char *part) {
  ms_decimator *d = (void *)&set; /* not NULL, to see it become so */
  CHECK_STATUS(ms_decimator_create(test_context(), &set, n_channel, &d), status);
  CHECK_HAS(ms_context_message(test_context()), part);
  CHECK(d == NULL);
}

static void test_refused(void) {
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 0, 80.0, 0.8 }, 1,
         MS_ERR_ARGUMENT, "factor must be >= 1");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 50.0, 0.8 }, 1,
         MS_ERR_ARGUMENT, "attenuation of 50 dB");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 181.0, 0.8 }, 1,
         MS_ERR_ARGUMENT, "attenuation of 181 dB");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, NAN, 0.8 }, 1, MS_ERR_ARGUMENT,
         "attenuation");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 80.0, 1.0 }, 1,
         MS_ERR_ARGUMENT, "pass-band of 1");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 80.0, 0.0 }, 1,
         MS_ERR_ARGUMENT, "pass-band of 0");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 80.0, 0.8 }, 0,
         MS_ERR_ARGUMENT, "0 channels");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), 4, 80.0, 0.8 }, PTRDIFF_MAX / 9,
         MS_ERR_OVERFLOW, "too many");
  refuse((ms_decimator_settings) { sizeof(ms_decimator_settings), PTRDIFF_MAX / 2, 80.0, 0.8 }, 1,
         MS_ERR_BOUNDS, "two steps");
  ms_decimator_settings good = { sizeof(ms_decimator_settings), 4, 80.0, 0.8 };
  CHECK_STATUS(ms_signal_decimate(test_context(), &good, 0, 1, x, y), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "at least 1 sample");
  fill(x, 0.1, 0.2);
  x[2345] = NAN;
  CHECK_STATUS(ms_signal_decimate(test_context(), &good, N, 1, x, y), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "sample 2345");
  for (int k = 0; k < N; k++) x[k] = k % 2 ? 1.5e308 : -1.5e308;
  CHECK_STATUS(ms_signal_decimate(test_context(), &good, N, 1, x, y), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "decimated sample");
}

static ms_status work(ms_context *ctx, void *user) {
  return ms_signal_decimate(ctx, user, 300, 2, x, y);
}

static void test_memory_failures(void) {
  ms_decimator_settings set = { sizeof(ms_decimator_settings), 4, 80.0, 0.8 };
  fill(x, 0.13, 0.2);
  CHECK_EQUAL(test_allocations(work, &set), 4);
}

/* As much as leaves the samples that are asked for. */
static void test_factor(void) {
  CHECK_EQUAL(ms_signal_find_factor(1.0 / 25600.0, 211.7, 12.0), 10);
  CHECK_EQUAL(ms_signal_find_factor(1.0 / 25600.0, 25600.0 / 24.001, 12.0), 2);
  CHECK_EQUAL(ms_signal_find_factor(1.0 / 25600.0, 25600.0 / 23.999, 12.0), 1);
  CHECK_EQUAL(ms_signal_find_factor(1e-3, 9e3, 12.0), 1);
  CHECK_EQUAL(ms_signal_find_factor(1e-3, 0.0, 12.0), 1);
}

int main(void) {
  TEST(test_factor);
  TEST(test_attenuation);
  TEST(test_constant);
  TEST(test_line);
  TEST(test_ends);
  TEST(test_lengths);
  TEST(test_factor_one);
  TEST(test_stream);
  TEST(test_start);
  TEST(test_empty);
  TEST(test_save_load);
  TEST(test_load_refused);
  TEST(test_refused);
  TEST(test_memory_failures);
  return test_finish();
}
