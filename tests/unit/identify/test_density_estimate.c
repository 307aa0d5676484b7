/* A density from losses: known ones come back, bands say how well. */
#include <math.h>
#include <microslip/density_estimate.h>
#include <stdlib.h>

#include "support/check.h"

/* rho = R phi^chi to P, then half of it: D by the integral 4 int rho phi (A - phi). */
static const double R = 3.7e9, chi = -0.44, P = 2.3e-5;

static double truth(double phi) {
  return R * pow(phi, chi) * (phi > P ? 0.5 : 1.0);
}

static double power_loss(double from, double A) { /* of R phi^chi on (from, A) */
  double a = chi + 2.0, b = chi + 3.0;
  return 4.0 * R * (A * (pow(A, a) - pow(from, a)) / a - (pow(A, b) - pow(from, b)) / b);
}

static double loss(double A) {
  return power_loss(0.0, A) - (A > P ? 0.5 * power_loss(P, A) : 0.0);
}

static double normal(uint64_t *state) {
  double sum = -6.0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*state >> 11) / 9007199254740992.0;
  }
  return sum;
}

enum { N = 80 };

static void sample(double noise, uint64_t seed, double kink, double *A, double *D) {
  for (int i = 0; i < N; i++) {
    A[i] = 4e-7 * pow(150.0, i / (N - 1.0));
    D[i] = (kink > 0.0 ? loss(A[i]) : power_loss(0.0, A[i])) * (1.0 + noise * normal(&seed));
  }
}

static void test_power_law(void) {
  double A[N], D[N];
  ms_density_estimate e;
  sample(0.0, 1, 0.0, A, D);
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e));
  CHECK_BELOW(e.from, 1.3 * A[0]);
  CHECK_BELOW(0.9 * A[N - 1], e.to);
  for (ptrdiff_t k = 0; k < e.n; k++) {
    if (e.phi[k] < e.from || e.phi[k] > e.to) continue;
    CHECK_CLOSE(e.rho[k], R * pow(e.phi[k], chi), 0.005);
  }
  for (int i = 0; i < N; i++) CHECK_CLOSE(e.D[i], D[i], 1e-3);
  CHECK_BELOW(e.residual, 1e-6);
  ms_density_estimate_free(test_context(), &e);
}

/* A step in the density is drawn over some knots; a third of a decade away it is right. */
static void test_step(void) {
  double A[N], D[N];
  ms_density_estimate e;
  sample(0.0, 1, 1.0, A, D);
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e));
  for (ptrdiff_t k = 0; k < e.n; k++) {
    if (e.phi[k] < e.from || e.phi[k] > e.to || fabs(log10(e.phi[k] / P)) < 0.3) continue;
    CHECK_CLOSE(e.rho[k], truth(e.phi[k]), 0.02);
  }
  ms_density_estimate_free(test_context(), &e);
}

/* With noise the density moves, but by no more than three of its deviations; and the noise is
 * found. */
static void test_noise(void) {
  double A[N], D[N];
  ms_density_estimate e;
  sample(0.01, 5, 0.0, A, D);
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e));
  CHECK_CLOSE(e.noise, 0.01, 0.3);
  for (ptrdiff_t k = 0; k < e.n; k++) {
    if (e.phi[k] < e.from || e.phi[k] > e.to) continue;
    CHECK_BELOW(fabs(log(e.rho[k] / (R * pow(e.phi[k], chi)))), 3.0 * e.deviation[k]);
    CHECK_CLOSE(log(e.high[k] / e.rho[k]) / e.deviation[k], 1.6448536269514722, 1e-12);
  }
  ms_density_estimate_free(test_context(), &e);
}

/* Deviations in proportion to the losses are a noise; samples ten times as uncertain as they say
   must widen the band there, and a wrong sample that says so must not matter. */
static void test_deviations(void) {
  double A[N], D[N], deviation[N];
  ms_density_estimate_setting s = { 0.012, 40, 0.9, 0.1, NULL };
  ms_density_estimate like, e;
  sample(0.012, 5, 0.0, A, D);
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &like));
  s.noise = 0.0, s.deviation = deviation;
  for (int i = 0; i < N; i++) deviation[i] = 0.012 * D[i];
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e));
  CHECK_CLOSE(e.noise, 0.012, 1e-12);
  for (ptrdiff_t k = 0; k < e.n; k++) CHECK_CLOSE(e.rho[k], like.rho[k], 1e-6);
  for (int i = 0; i < N; i++) CHECK_CLOSE(e.D_deviation[i], like.D_deviation[i], 1e-6);
  ms_density_estimate_free(test_context(), &e);
  for (int i = 0; i < N; i++) deviation[i] = 1e-7 * D[i]; /* none is below 1e-4 of its loss */
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e));
  double worst = 0.0;
  for (int i = 0; i < N; i++) worst = fmax(worst, fabs(e.D[i] / D[i] - 1.0) / 1e-4);
  CHECK_CLOSE(e.worst, worst, 1e-9);
  CHECK_BELOW(1.0, e.worst);
  ms_density_estimate_free(test_context(), &e);
  for (int i = 0; i < N; i++) deviation[i] = 0.012 * D[i];
  D[31] *= 1.4, deviation[31] = 2.0 * D[31];
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e));
  for (ptrdiff_t k = 0; k < e.n; k++) {
    CHECK_BELOW(fabs(log(e.rho[k] / like.rho[k])), like.deviation[k]);
  }
  ms_density_estimate_free(test_context(), &e);
  deviation[4] = 0.0;
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "sample 5");
  ms_density_estimate_free(test_context(), &like);
}

/* Half the load at the same stiffness: every slider slips at half the displacement. The loss of the
   rescaled element is that of document 004: D'(A) = load^2/stiffness D(A stiffness/load). */
static void test_rescale(void) {
  double A[N], D[N];
  ms_density_estimate e;
  sample(0.0, 1, 0.0, A, D);
  CHECK_OK(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e));
  double to = e.to;
  ms_density_estimate_rescale(&e, 0.4, 0.62);
  CHECK_CLOSE(e.to, to * 0.4 / 0.62, 1e-14);
  for (ptrdiff_t k = 0; k < e.n; k++) {
    double old = e.phi[k] * 0.62 / 0.4; /* rho dphi is stiffness, and scales with it */
    if (e.phi[k] < e.from || e.phi[k] > e.to) continue;
    CHECK_CLOSE(e.rho[k], 0.62 * R * pow(old, chi) * 0.62 / 0.4, 0.005);
  }
  ms_density_estimate_free(test_context(), &e);
}

static void test_refusals(void) {
  double A[N], D[N];
  ms_density_estimate_setting s = MS_DENSITY_ESTIMATE_DEFAULT;
  ms_density_estimate e;
  sample(0.0, 1, 0.0, A, D);
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), 5, A, D, NULL, &e), MS_ERR_ARGUMENT);
  s.level = 1.0;
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e), MS_ERR_BOUNDS);
  D[7] = -D[7];
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "sample 8");
  A[3] = A[2];
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "sample 4");
}

static ms_status make(ms_context *ctx, void *user) {
  double A[N], D[N];
  ms_density_estimate_setting s = { 0.01, 8, 0.9, 0.1, NULL };
  ms_density_estimate e;
  (void)user;
  sample(0.0, 1, 0.0, A, D);
  MS_TRY(ms_density_estimate_from_loss(ctx, N, A, D, &s, &e));
  ms_density_estimate_free(ctx, &e);
  return MS_SUCCESS;
}

static void test_allocation(void) {
  CHECK(test_allocations(make, NULL) >= 2);
}

int main(void) {
  TEST(test_power_law);
  TEST(test_step);
  TEST(test_noise);
  TEST(test_deviations);
  TEST(test_rescale);
  TEST(test_refusals);
  TEST(test_allocation);
  return test_finish();
}
