/* The random stream: known answers, independence, moments. */
#include <microslip/context.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- Philox4x32-10: the answers published with Random123 ---- */

static void check_block(const uint32_t counter[4], const uint32_t key[2], const uint32_t want[4]) {
  ms_random rng = { .used = 4 };
  memcpy(rng.counter, counter, sizeof rng.counter);
  memcpy(rng.key, key, sizeof rng.key);
  for (int i = 0; i < 4; i += 2) {
    uint64_t bits = ms_random_bits(&rng);
    CHECK_EQUAL(bits & 0xFFFFFFFFu, want[i]);
    CHECK_EQUAL(bits >> 32, want[i + 1]);
  }
}

static void test_known_answers(void) {
  const uint32_t one = 0xFFFFFFFFu;
  check_block((uint32_t[]) { 0, 0, 0, 0 }, (uint32_t[]) { 0, 0 },
              (uint32_t[]) { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 });
  check_block((uint32_t[]) { one, one, one, one }, (uint32_t[]) { one, one },
              (uint32_t[]) { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd });
  check_block((uint32_t[]) { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
              (uint32_t[]) { 0xa4093822, 0x299f31d0 },
              (uint32_t[]) { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 });
}

/* The seed is the key and the stream the upper half of the counter, low words first. */
static void test_start(void) {
  ms_random rng;
  ms_random_start(&rng, UINT64_C(0x1122334455667788), UINT64_C(0x99AABBCCDDEEFF00));
  CHECK_EQUAL(rng.key[0], 0x55667788);
  CHECK_EQUAL(rng.key[1], 0x11223344);
  CHECK_EQUAL(rng.counter[0], 0);
  CHECK_EQUAL(rng.counter[1], 0);
  CHECK_EQUAL(rng.counter[2], 0xDDEEFF00);
  CHECK_EQUAL(rng.counter[3], 0x99AABBCC);
  ms_random_start(&rng, 0, 0);
  CHECK_EQUAL(ms_random_bits(&rng), INT64_C(0xe169c58d6627e8d5));
}

/* The block counter is 64 bits wide and does not reach into the stream. */
static void test_carry(void) {
  ms_random rng;
  ms_random_start(&rng, 7, 5);
  rng.counter[0] = 0xFFFFFFFFu;
  ms_random_bits(&rng);
  CHECK_EQUAL(rng.counter[0], 0);
  CHECK_EQUAL(rng.counter[1], 1);
  CHECK_EQUAL(rng.counter[2], 5);
}

/* ---- streams ---- */

static void test_reproducible(void) {
  ms_random a, b;
  ms_random_start(&a, 12345, 6);
  ms_random_start(&b, 12345, 6);
  int same = 1;
  for (int i = 0; i < 1000; i++) {
    same &= ms_random_bits(&a) == ms_random_bits(&b);
    same &= ms_random_normal(&a) == ms_random_normal(&b);
    same &= ms_random_uniform(&a) == ms_random_uniform(&b);
  }
  CHECK(same);
  ms_random copy = a; /* a plain value: a copy goes on where the original was */
  CHECK(ms_random_normal(&copy) == ms_random_normal(&a));
  CHECK(ms_random_normal(&copy) == ms_random_normal(&a));
}

/* Starting again forgets the spare normal. */
static void test_restart(void) {
  ms_random rng;
  ms_random_start(&rng, 1, 2);
  double first = ms_random_normal(&rng);
  ms_random_start(&rng, 1, 2);
  CHECK(ms_random_normal(&rng) == first);
}

/* Two streams drawn in turn give what they give alone. */
static void test_streams_apart(void) {
  enum { N = 200 };
  uint64_t alone[2][N];
  ms_random rng[2];
  for (int s = 0; s < 2; s++) {
    ms_random_start(&rng[s], 99, (uint64_t)s);
    for (int i = 0; i < N; i++) alone[s][i] = ms_random_bits(&rng[s]);
    ms_random_start(&rng[s], 99, (uint64_t)s);
  }
  int same = 1;
  for (int i = 0; i < N; i++)
    for (int s = 0; s < 2; s++) same &= ms_random_bits(&rng[s]) == alone[s][i];
  CHECK(same);
}

/* Correlation of n pairs of uniforms has standard deviation 1/sqrt(n). */
static double correlation(ms_random *a, ms_random *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += (ms_random_uniform(a) - 0.5) * (ms_random_uniform(b) - 0.5);
  return 12.0 * sum / n;
}

static void test_independent(void) {
  enum { N = 100000 };
  const double bound = 5.0 / sqrt(N);
  for (uint64_t s = 1; s <= 64; s *= 2) {
    ms_random a, b;
    ms_random_start(&a, 2385, 0);
    ms_random_start(&b, 2385, s); /* another stream of the seed */
    CHECK_NEAR(correlation(&a, &b, N), 0.0, bound);
    ms_random_start(&a, 2385, 0);
    ms_random_start(&b, 2385 + s, 0); /* the same stream of another seed */
    CHECK_NEAR(correlation(&a, &b, N), 0.0, bound);
  }
}

static int compare_bits(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Among 64 streams of 64 draws no two of the 4096 numbers are alike. */
static void test_no_repeats(void) {
  enum { N = 64 };
  static uint64_t bits[N * N];
  for (int s = 0; s < N; s++) {
    ms_random rng;
    ms_random_start(&rng, 0, (uint64_t)s);
    for (int i = 0; i < N; i++) bits[s * N + i] = ms_random_bits(&rng);
  }
  qsort(bits, (size_t)N * N, sizeof *bits, compare_bits);
  int repeats = 0;
  for (int i = 1; i < N * N; i++) repeats += bits[i] == bits[i - 1];
  CHECK_EQUAL(repeats, 0);
}

/* ---- distributions ---- */

/* The ends of the interval come from the extreme words. */
static void test_uniform_ends(void) {
  ms_random rng = { .used = 0 };
  CHECK_NEAR(ms_random_uniform(&rng), 0x1p-53, 0.0);
  rng = (ms_random) { .block = { 0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0 } };
  double top = ms_random_uniform(&rng);
  CHECK_BELOW(top, 1.0);
  CHECK_NEAR(top, 1.0, 0x1p-53);
}

/* Moments of (x - 1/2) sqrt(12): standard deviations of the n-sample means are sqrt(1/n) and
   sqrt((9/5 - 1)/n); the tolerance is five of them. */
static void test_uniform_moments(void) {
  enum { N = 1000000 };
  ms_random rng;
  double m1 = 0.0, m2 = 0.0;
  int inside = 1;
  ms_random_start(&rng, 4711, 3);
  for (int i = 0; i < N; i++) {
    double x = ms_random_uniform(&rng);
    inside &= x > 0.0 && x < 1.0;
    double z = (x - 0.5) * sqrt(12.0);
    m1 += z;
    m2 += z * z;
  }
  CHECK(inside);
  CHECK_NEAR(m1 / N, 0.0, 5.0 * sqrt(1.0 / N));
  CHECK_NEAR(m2 / N, 1.0, 5.0 * sqrt(0.8 / N));
}

/* Chi-squared over 256 cells: mean 255, standard deviation sqrt(510). */
static void test_uniform_cells(void) {
  enum { N = 256000, CELLS = 256 };
  int count[CELLS] = { 0 };
  ms_random rng;
  ms_random_start(&rng, 31, 0);
  for (int i = 0; i < N; i++) count[(int)(CELLS * ms_random_uniform(&rng))]++;
  double chi2 = 0.0, expected = (double)N / CELLS;
  for (int c = 0; c < CELLS; c++) chi2 += (count[c] - expected) * (count[c] - expected) / expected;
  CHECK_NEAR(chi2, CELLS - 1.0, 5.0 * sqrt(2.0 * (CELLS - 1.0)));
}

/* E z^k = 0, 1, 0, 3; the variances of z^k are 1, 2, 15, 96. */
static void test_normal_moments(void) {
  enum { N = 1000000 };
  static const double mean[] = { 0.0, 1.0, 0.0, 3.0 }, variance[] = { 1.0, 2.0, 15.0, 96.0 };
  double m[4] = { 0.0, 0.0, 0.0, 0.0 }, lag = 0.0, before = 0.0;
  ms_random rng;
  ms_random_start(&rng, 2, 8);
  for (int i = 0; i < N; i++) {
    double z = ms_random_normal(&rng), power = 1.0;
    for (int k = 0; k < 4; k++) m[k] += power *= z;
    lag += z * before; /* the two of a pair must not know each other */
    before = z;
  }
  for (int k = 0; k < 4; k++) CHECK_NEAR(m[k] / N, mean[k], 5.0 * sqrt(variance[k] / N));
  CHECK_NEAR(lag / N, 0.0, 5.0 * sqrt(1.0 / N));
}

static void test_context_stream(void) {
  ms_context *ctx = NULL;
  CHECK_OK(ms_context_create(NULL, &ctx));
  ms_random own;
  ms_random_start(&own, 0, 0);
  CHECK(ms_random_bits(ms_context_random(ctx)) == ms_random_bits(&own));
  ms_context_seed(ctx, 2385);
  ms_random_start(&own, 2385, 0);
  CHECK(ms_random_bits(ms_context_random(ctx)) == ms_random_bits(&own));
  CHECK(ms_random_bits(ms_context_random(ctx)) == ms_random_bits(&own));
  ms_context_destroy(&ctx);
}

int main(void) {
  TEST(test_known_answers);
  TEST(test_start);
  TEST(test_carry);
  TEST(test_reproducible);
  TEST(test_restart);
  TEST(test_streams_apart);
  TEST(test_independent);
  TEST(test_no_repeats);
  TEST(test_uniform_ends);
  TEST(test_uniform_moments);
  TEST(test_uniform_cells);
  TEST(test_normal_moments);
  TEST(test_context_stream);
  return test_finish();
}
