/* The band of a density from noisy losses: it holds the truth as often as it says, for a power law,
   which the method likes, and for a density that bends, which costs it. */
#include <math.h>
#include <microslip/density_estimate.h>
#include <stdint.h>
#include <stdio.h>

#include "support/check.h"

static const double R = 3.7e9, chi = -0.44;

/* bend > 0: falls off like an exponential from there on. */
static double truth(double phi, double bend) {
  return R * pow(phi, chi) * (bend > 0.0 ? exp(-phi / bend) : 1.0);
}

/* 4 int rho phi (A - phi) dphi by Simpson's rule in x, phi = A x^4. */
static double loss(double A, double bend) {
  enum { PARTS = 400 };
  double sum = 0.0;
  for (int i = 1; i <= PARTS; i++) {
    double x = (double)i / PARTS, phi = A * pow(x, 4.0), w = i == PARTS ? 1 : i % 2 ? 4 : 2;
    sum += w * truth(phi, bend) * phi * (A - phi) * 4.0 * A * pow(x, 3.0);
  }
  return 4.0 * sum / (3.0 * PARTS);
}

static double normal(uint64_t *state) {
  double sum = -6.0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*state >> 11) / 9007199254740992.0;
  }
  return sum;
}

enum { N = 80, ROUNDS = 40 };

/* Points of the trusted range that lie in the band, over all of them. */
static double cover(double bend, double *noise) {
  double A[N], D[N], clean[N];
  long inside = 0, all = 0;
  *noise = 0.0;
  for (int i = 0; i < N; i++) {
    A[i] = 4e-7 * pow(150.0, i / (N - 1.0));
    clean[i] = loss(A[i], bend);
  }
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t seed = 7 + 13 * round;
    ms_density_estimate e;
    for (int i = 0; i < N; i++) D[i] = clean[i] * (1.0 + 0.01 * normal(&seed));
    CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e));
    *noise += e.noise / ROUNDS;
    for (ptrdiff_t k = 0; k < e.n; k++) {
      double rho = truth(e.phi[k], bend);
      if (e.phi[k] < e.from || e.phi[k] > e.to) continue;
      inside += e.low[k] <= rho && rho <= e.high[k];
      all++;
    }
    ms_density_estimate_free(test_context(), &e);
  }
  CHECK(all > 1000);
  double part = (double)inside / (double)all;
  printf("# bend %g: %.3f of %ld points in the band of 0.9; noise %.4f\n", bend, part, all, *noise);
  return part;
}

static void test_power_law(void) {
  double noise, part = cover(0.0, &noise);
  CHECK_CLOSE(noise, 0.01, 0.1);
  CHECK_BELOW(0.85, part);
}

static void test_bend(void) {
  double noise, part = cover(2.1e-5, &noise);
  CHECK_CLOSE(noise, 0.01, 0.1);
  CHECK_BELOW(0.85, part);
}

/* The deviation of the model's losses is that of many repetitions: the scatter of ln D at some
   samples over 60 seeds, which itself scatters by 1/sqrt(120). */
static void test_model_deviation(void) {
  enum { SEEDS = 60, AT = 3 };
  static const int at[AT] = { 11, 42, 70 };
  const ms_density_estimate_setting s = { 0.012, 30, 0.9, 0.1, NULL };
  double A[N], D[N], clean[N], sum[AT] = { 0 }, square[AT] = { 0 }, stated[AT] = { 0 };
  for (int i = 0; i < N; i++) {
    A[i] = 4e-7 * pow(150.0, i / (N - 1.0));
    clean[i] = loss(A[i], 0.0);
  }
  for (uint64_t round = 1; round <= SEEDS; round++) {
    uint64_t seed = 97 * round;
    ms_density_estimate e;
    for (int i = 0; i < N; i++) D[i] = clean[i] * (1.0 + 0.012 * normal(&seed));
    CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e));
    for (int i = 0; i < AT; i++) {
      double x = log(e.D[at[i]] / clean[at[i]]);
      sum[i] += x / SEEDS, square[i] += x * x / SEEDS, stated[i] += e.D_deviation[at[i]] / SEEDS;
    }
    ms_density_estimate_free(test_context(), &e);
  }
  for (int i = 0; i < AT; i++) {
    double found = sqrt(square[i] - sum[i] * sum[i]);
    printf("# sample %d: deviation %.3g found, %.3g stated\n", at[i], found, stated[i]);
    CHECK_CLOSE(found, stated[i], 0.3);
  }
}

int main(void) {
  TEST(test_power_law);
  TEST(test_bend);
  TEST(test_model_deviation);
  return test_finish();
}
