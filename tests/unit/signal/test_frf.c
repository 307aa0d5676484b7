/* Frequency response from records: noise through two modes, in closed form. */
#include <microslip/signal.h>

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "signal/internal.h"
#include "support/check.h"

static const double pi = 3.14159265358979323846;
enum { N = 1 << 18, L = 2048 };
static const double dt = 2.385e-3;

/* Receptance of two modes at the angular frequency w. */
static double complex truth(double w) {
  const double omega[] = { 213.7, 611.3 }, zeta[] = { 0.071, 0.043 }, R[] = { 1.31, -0.87 };
  double complex H = 0.0;
  for (int r = 0; r < 2; r++) {
    H += R[r] / (omega[r] * omega[r] - w * w + 2.0 * I * zeta[r] * omega[r] * w);
  }
  return H;
}

static double complex at(const double *H, ptrdiff_t k) {
  return H[2 * k] + I * H[2 * k + 1];
}

/* A record that repeats after N samples, so that y is H x exactly; n and m are the noise on x and y
   as fractions of their rms values. */
typedef struct test {
  double *x, *y;
} test;

static test make(unsigned seed, double noise_x, double noise_y) {
  test t = { malloc(N * sizeof(double)), malloc(N * sizeof(double)) };
  ms_random r;
  ms_fft x, y;
  ms_random_start(&r, seed, 3);
  CHECK_OK(ms_fft_open(test_context(), N, &x));
  CHECK_OK(ms_fft_open(test_context(), N, &y));
  for (ptrdiff_t k = 0; k <= N / 2; k++) {
    double inside = k > 0 && k < N / 2 ? 1.0 : 0.0;
    double re = inside * ms_random_normal(&r), im = inside * ms_random_normal(&r);
    x.spectrum[k] = re + I * im;
    y.spectrum[k] = truth(2.0 * pi * (double)k / (N * dt)) * x.spectrum[k];
  }
  ms_fft_inverse(&x);
  ms_fft_inverse(&y);
  double sx = 0.0, sy = 0.0;
  for (ptrdiff_t k = 0; k < N; k++)
    sx += x.real[k] * x.real[k] / N, sy += y.real[k] * y.real[k] / N;
  for (ptrdiff_t k = 0; k < N; k++) {
    t.x[k] = x.real[k] + noise_x * sqrt(sx) * ms_random_normal(&r);
    t.y[k] = y.real[k] + noise_y * sqrt(sy) * ms_random_normal(&r);
  }
  ms_fft_close(test_context(), &x);
  ms_fft_close(test_context(), &y);
  return t;
}

static ms_frf estimate(test *t, ms_frf_settings set) {
  ms_frf f;
  ms_frf_record record = { t->x, t->y, N };
  CHECK_OK(ms_signal_estimate_frf(test_context(), &set, dt, 1, &record, &f));
  free(t->x);
  free(t->y);
  return f;
}

static const ms_frf_settings hann = { sizeof(ms_frf_settings), MS_FRF_HANN, L, 0.5, 0.0, 0.0 };

/* y = 2.385 x: at every line, also at 0 and at half the rate, which have no mirror image. */
static void test_ends(void) {
  test t = make(29, 0.0, 0.0);
  for (ptrdiff_t k = 0; k < N; k++)
    t.x[k] += 0.37 + (k % 2 ? 0.21 : -0.21), t.y[k] = 2.385 * t.x[k];
  ms_frf f = estimate(&t, hann);
  for (ptrdiff_t k = 0; k < f.n; k += f.n - 1) {
    CHECK_CLOSE(f.H1[2 * k], 2.385, 1e-12);
    CHECK_CLOSE(f.H2[2 * k], 2.385, 1e-12);
    CHECK_CLOSE(f.Syy[k], 2.385 * 2.385 * f.Sxx[k], 1e-12);
  }
  ms_frf_free(test_context(), &f);
}

/* Without noise what is left is the blur of the window's main lobe, H"/2 times the second moment
   df^2/3 of the Hann window's squared spectrum, -(df/(zeta f))^2/3 at a peak, and what neighbouring
   lines leak in at random, a few times that. */
static void test_bias(void) {
  test t = make(11, 0.0, 0.0);
  ms_frf f = estimate(&t, hann);
  double worst = 0.0, lowest = 1.0, bound = 0.0;
  CHECK_CLOSE(f.df, 1.0 / (L * dt), 1e-14);
  CHECK_EQUAL(f.blocks, 2 * (N / L) - 1);
  for (ptrdiff_t k = 20; k < f.n - 200; k++) {
    double complex H = truth(2.0 * pi * f.freq_hz[k]);
    worst = fmax(worst, cabs(at(f.H1, k) - H) / cabs(H));
    lowest = fmin(lowest, f.coherence[k]);
  }
  bound = pow(f.df / (0.071 * 213.7 / (2.0 * pi)), 2) / 3.0;
  CHECK_BELOW(worst, 16.0 * bound);
  CHECK(lowest > 0.9);
  ms_frf_free(test_context(), &f);
}

/* Halving the resolution: a quarter of the bias at the first peak, averaged over lines near it. */
static double bias_at_peak(ptrdiff_t length) {
  double sum = 0.0;
  int n = 0;
  for (unsigned seed = 1; seed <= 16; seed++) {
    test t = make(seed, 0.0, 0.0);
    ms_frf_settings set = hann;
    set.length = length;
    ms_frf f = estimate(&t, set);
    for (ptrdiff_t k = 0; k < f.n; k++) {
      double w = 2.0 * pi * f.freq_hz[k];
      if (fabs(w - 213.7) > 0.25 * 0.071 * 213.7) continue;
      sum += cabs(at(f.H1, k)) / cabs(truth(w)) - 1.0, n++;
    }
    ms_frf_free(test_context(), &f);
  }
  return sum / n;
}

static void test_bias_order(void) {
  double coarse = bias_at_peak(L / 4), fine = bias_at_peak(L / 2);
  CHECK(coarse < 0.0); /* peaks come out low */
  CHECK_NEAR(coarse / fine, 4.0, 0.8);
  /* the mean of Re(1 + ix)^-2 over |x| < 1/4 half widths is 0.94 */
  double df = 2.0 / (L * dt), half_width = 0.071 * 213.7 / (2.0 * pi);
  CHECK_CLOSE(fine, -0.94 / 3.0 * df * df / (half_width * half_width), 0.1);
}

/* Noise on the output alone: H1 is right, its spread is the theory's; H2 is too high by
   1/coherence, and the other way round for the input. Lines of a smooth stretch between the modes.
 */
typedef struct spread {
  double h1, h2, rms, theory, inverse, coherence;
  int n;
} spread;

static spread look(double noise_x, double noise_y, double overlap, unsigned seed) {
  test t = make(seed, noise_x, noise_y);
  ms_frf_settings set = hann;
  set.overlap = overlap;
  ms_frf f = estimate(&t, set);
  spread s = { .n = 0 };
  for (ptrdiff_t k = 0; k < f.n; k++) {
    double w = 2.0 * pi * f.freq_hz[k];
    if (w < 20.0 || w > 150.0) continue;
    double complex H = truth(w);
    double a = cabs(at(f.H1, k)) / cabs(H) - 1.0, e = ms_frf_random_error(&f, k);
    s.h1 += a;
    s.rms += a * a;
    s.h2 += cabs(at(f.H2, k)) / cabs(H) - 1.0;
    s.theory += e * e;
    s.inverse += 1.0 / f.coherence[k] - 1.0;
    s.coherence += f.coherence[k];
    s.n++;
  }
  double n = s.n;
  ms_frf_free(test_context(), &f);
  return (spread) { s.h1 / n,        s.h2 / n, sqrt(s.rms / n), sqrt(s.theory / n), s.inverse / n,
                    s.coherence / n, s.n };
}

static void test_output_noise(void) {
  const double overlaps[] = { 0.0, 0.5, 0.75 };
  for (int i = 0; i < 3; i++) {
    spread s = look(0.0, 1.0, overlaps[i], 5);
    CHECK(s.n > 90);
    CHECK(s.coherence < 0.8);
    CHECK_NEAR(s.h1, 0.0, 4.0 * s.theory / 8.0); /* n lines, neighbours share: about 60 free */
    CHECK_NEAR(s.rms / s.theory, 1.0, 0.25);
    CHECK_NEAR(s.h2, s.inverse, 0.05);
    CHECK(s.h2 > 0.1);
  }
}

static void test_input_noise(void) {
  spread s = look(0.7, 0.0, 0.5, 6);
  CHECK_NEAR(s.h1, 1.0 / (1.0 + 0.49) - 1.0, 0.02);
  CHECK_NEAR(s.h2, 0.0, 0.02);
}

/* Overlap makes more blocks, but not as many averages; white noise has a flat density. */
static void test_spectra(void) {
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), mean = 0.0;
  ms_random r;
  ms_frf f;
  ms_frf_settings set = hann;
  ms_random_start(&r, 21, 1);
  for (ptrdiff_t k = 0; k < N; k++) {
    x[k] = 1.37 * ms_random_normal(&r) + 23.85; /* means do not count */
    y[k] = -2.5 * (x[k] - 23.85) + 11.0;
  }
  const ms_frf_record record[] = { { x, y, N / 2 }, { x + N / 2, y + N / 2, N / 2 } };
  CHECK_OK(ms_signal_estimate_frf(test_context(), &set, dt, 2, record, &f));
  CHECK_EQUAL(f.blocks, 2 * (2 * (N / 2 / L) - 1));
  CHECK(f.averages > 0.9 * N / L && f.averages < 0.96 * (double)f.blocks);
  for (ptrdiff_t k = 2; k < f.n - 1; k++) mean += f.Sxx[k] / (double)(f.n - 3);
  CHECK_CLOSE(mean, 2.0 * dt * 1.37 * 1.37, 0.01);
  CHECK_CLOSE(f.H1[2 * 77], -2.5, 1e-9);
  CHECK_NEAR(f.H1[2 * 77 + 1], 0.0, 1e-9);
  CHECK_CLOSE(f.coherence[77], 1.0, 1e-9);
  ms_frf_free(test_context(), &f);
  free(x);
  free(y);
}

/* Blocks of a Hann window a quarter, a half, three quarters of it apart share (pi + 1)/(2 pi), 1/6,
   (pi - 3)/(6 pi) of its power: n_d = n/(1 + 2 sum (1 - j/n) rho_j), rho_j the squares of these. */
static void test_few_averages(void) {
  enum { BLOCK = 256 };
  const double quarter = pow((pi + 1.0) / (2.0 * pi), 2), half = 1.0 / 36.0,
               three = pow((pi - 3.0) / (6.0 * pi), 2);
  const struct {
    double overlap, averages;
    ptrdiff_t blocks;
  } row[] = { { 0.5, 2.0 / (1.0 + half), 2 },
              { 0.5, 3.0 / (1.0 + 4.0 / 3.0 * half), 3 },
              { 0.75, 2.0 / (1.0 + quarter), 2 },
              { 0.75, 4.0 / (1.0 + 1.5 * quarter + half + 0.5 * three), 4 } };
  double x[3 * BLOCK];
  ms_random r;
  ms_random_start(&r, 31, 1);
  for (int k = 0; k < 3 * BLOCK; k++) x[k] = ms_random_normal(&r);
  for (int i = 0; i < 4; i++) {
    ms_frf_settings set = hann;
    ms_frf f;
    set.length = BLOCK, set.overlap = row[i].overlap;
    const ptrdiff_t step = (ptrdiff_t)(BLOCK * (1.0 - set.overlap));
    const ms_frf_record record = { x, x, BLOCK + step * (row[i].blocks - 1) };
    CHECK_OK(ms_signal_estimate_frf(test_context(), &set, dt, 1, &record, &f));
    CHECK_EQUAL(f.blocks, row[i].blocks);
    CHECK_CLOSE(f.averages, row[i].averages, 1e-8);
    ms_frf_free(test_context(), &f);
  }
}

/* A hammer: one blow of a half-sine on one mode, response in closed form of its ringing after a
   short pulse. The window that fades it turns H(w) into H(w - i decay). */
static void test_hammer(void) {
  enum { M = 4096 };
  static double x[M], y[M];
  const double h = 1.13e-3, omega = 97.3, zeta = 0.0123, decay = 1.7;
  double wd = omega * sqrt(1.0 - zeta * zeta);
  x[10] = 23.85 / h; /* a pulse of one sample: y is its weighting function, sampled */
  for (int k = 11; k < M; k++) {
    double t = h * (k - 10);
    y[k] = 23.85 / wd * exp(-zeta * omega * t) * sin(wd * t);
  }
  x[700] = 5.0; /* what the force window takes away */
  ms_frf_settings set = { sizeof(ms_frf_settings), MS_FRF_HAMMER, M, 0.0, 0.5, decay };
  ms_frf_record record = { x, y, M };
  ms_frf f;
  CHECK_OK(ms_signal_estimate_frf(test_context(), &set, h, 1, &record, &f));
  for (ptrdiff_t k = 20; k < 120; k += 9) { /* the transform of samples, as a geometric sum */
    double complex s = 2.0 * pi * I * f.freq_hz[k] + decay;
    double complex p = cexp((-zeta * omega + I * wd - s) * h),
                   q = cexp((-zeta * omega - I * wd - s) * h);
    double complex H = h / wd * (p / (1.0 - p) - q / (1.0 - q)) / (2.0 * I);
    CHECK_NEAR(cabs(at(f.H1, k) - H) / cabs(H), 0.0, 1e-4); /* what rings beyond the block */
  }
  ms_frf_free(test_context(), &f);
}

static void test_words(void) {
  ms_frf_window w;
  CHECK_OK(ms_frf_parse_window(test_context(), "hammer", &w));
  CHECK_EQUAL(w, MS_FRF_HAMMER);
  CHECK_STATUS(ms_frf_parse_window(test_context(), "hamming", &w), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "hann, rectangular, hammer");
  CHECK(ms_frf_window_text((ms_frf_window)7) == NULL);
}

static void refuse(ms_frf_settings set, double step, ptrdiff_t n, const char *word) {
  double x[16] = { 1.0, -0.3, 0.7 }, y[16] = { 2.0, 1.1 };
  ms_frf_record record = { x, y, 16 };
  ms_frf f;
  CHECK_STATUS(ms_signal_estimate_frf(test_context(), &set, step, n, &record, &f), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), word);
  CHECK(f.n == 0 && f.freq_hz == NULL);
}

static void test_refused(void) {
  const ms_frf_settings good = { sizeof(ms_frf_settings), MS_FRF_HANN, 16, 0.5, 0.0, 0.0 };
  ms_frf_settings set = good;
  set.length = 7;
  refuse(set, 0.1, 1, "too short");
  set.length = 17;
  refuse(set, 0.1, 1, "record 1 has 16 samples");
  set = good;
  set.overlap = 1.0;
  refuse(set, 0.1, 1, "overlap");
  set = good;
  set.decay = -1.0;
  refuse(set, 0.1, 1, "decay");
  set = good;
  set.window = (ms_frf_window)9;
  refuse(set, 0.1, 1, "window");
  refuse(good, 0.0, 1, "step");
  refuse(good, 0.1, 0, "no record");
}

/* Zero records have no response, and no number that is not finite. */
static void test_zero(void) {
  static double x[64], y[64];
  ms_frf_settings set = { sizeof(ms_frf_settings), MS_FRF_RECTANGULAR, 32, 0.0, 0.0, 0.0 };
  ms_frf_record record = { x, y, 64 };
  ms_frf f;
  CHECK_OK(ms_signal_estimate_frf(test_context(), &set, 0.1, 1, &record, &f));
  for (ptrdiff_t k = 0; k < f.n; k++) CHECK(f.H1[2 * k] == 0.0 && f.coherence[k] == 0.0);
  CHECK(isinf(ms_frf_random_error(&f, 3)));
  ms_frf_free(test_context(), &f);
  ms_frf_free(test_context(), &f);
  ms_frf_free(test_context(), NULL);
}

static ms_status allocate(ms_context *ctx, void *user) {
  double x[32] = { 1.0, 0.3 }, y[32] = { 0.2, -0.7 };
  ms_frf_settings set = { sizeof(ms_frf_settings), MS_FRF_HANN, 16, 0.5, 0.0, 0.0 };
  ms_frf_record record = { x, y, 32 };
  ms_frf f;
  (void)user;
  MS_TRY(ms_signal_estimate_frf(ctx, &set, 0.1, 1, &record, &f));
  ms_frf_free(ctx, &f);
  return MS_SUCCESS;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(allocate, NULL) >= 7);
}

/* H1 and H2 of derivatives; and a response that is off by a known part of itself. */
static void test_compare(void) {
  double freq[] = { 0.0, 1.37, 2.74 }, H1[] = { 0.7, 0.0, 0.3, -0.9, -0.2, 0.4 }, H2[6];
  double coherence[] = { 0.0, 0.8, 0.9 }, H[4];
  ms_frf f = { .n = 3, .averages = 11.0, .freq_hz = freq, .H1 = H1, .H2 = H2 };
  f.coherence = coherence;
  for (int i = 0; i < 6; i++) H2[i] = 1.3 * H1[i];
  double complex e[2] = { 0.031 + 0.012 * I, -0.047 * I };
  for (int i = 0; i < 2; i++) {
    const double complex h = at(H1, i + 1) / (1.0 + e[i]);
    H[2 * i] = creal(h), H[2 * i + 1] = cimag(h);
  }
  ms_frf_difference d = ms_frf_compare(&f, 1, 2, H);
  const double a = cabs(e[0]), b = cabs(e[1]);
  CHECK_EQUAL(d.lines, 2);
  CHECK_CLOSE(d.rms, sqrt((a * a + b * b) / 2.0), 1e-12);
  CHECK_CLOSE(d.largest, b, 1e-12);
  CHECK_CLOSE(d.random, sqrt((0.2 / 0.8 + 0.1 / 0.9) / 11.0 / 2.0), 1e-12);
  d = ms_frf_compare(&f, 0, 1, H); /* not coherent */
  CHECK(d.lines == 0 && d.rms == 0.0 && d.largest == 0.0 && d.random == 0.0);
  const double complex before[] = { at(H1, 1), at(H2, 2) };
  const double w1 = 2.0 * pi * freq[1], w2 = 2.0 * pi * freq[2];
  ms_frf_differentiate(&f, 2);
  CHECK_NEAR(cabs(at(H1, 1) + w1 * w1 * before[0]), 0.0, 1e-12 * w1 * w1);
  ms_frf_differentiate(&f, -3);
  CHECK_NEAR(cabs(at(H2, 2) * I * w2 - before[1]), 0.0, 1e-12);
  CHECK(at(H1, 0) == 0.0);
}

static void test_noise(void) {
  enum { M = 40000 };
  double *x = malloc(M * sizeof *x), sum = 0.0;
  ms_random r;
  ms_random_start(&r, 7, 2);
  for (int k = 0; k < M; k++) x[k] = k == 17 ? -5.3 : 0.0;
  const double rms = ms_signal_add_noise(&r, 0.031, M, x);
  CHECK_CLOSE(rms, 0.031 * 5.3, 1e-12);
  for (int k = 0; k < M; k++) sum += k == 17 ? 0.0 : x[k] * x[k];
  CHECK_CLOSE(sqrt(sum / (M - 1)), rms, 0.02); /* standard deviation 1/sqrt(2 M) = 0.0035 */
  free(x);
}

int main(void) {
  TEST(test_compare);
  TEST(test_noise);
  TEST(test_ends);
  TEST(test_bias);
  TEST(test_bias_order);
  TEST(test_output_noise);
  TEST(test_input_noise);
  TEST(test_spectra);
  TEST(test_few_averages);
  TEST(test_hammer);
  TEST(test_words);
  TEST(test_refused);
  TEST(test_zero);
  TEST(test_memory_fails);
  return test_finish();
}
