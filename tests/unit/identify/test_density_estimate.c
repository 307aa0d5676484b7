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
  ms_density_estimate_setting s = {
    sizeof(ms_density_estimate_setting),   0.012, 40, 0.9, 0.1, NULL,
    MS_DENSITY_ESTIMATE_TOLERANCES_DEFAULT
  };
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
  for (int i = 0; i < 4; i++) {
    static const int knots[] = { 5, 4, 60, 60 };
    static const double noise[] = { 0.0, 0.0, -1e-9, 1.0 };
    s = (ms_density_estimate_setting)MS_DENSITY_ESTIMATE_DEFAULT;
    s.knots = knots[i];
    s.noise = noise[i];
    CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e),
                 i == 0 ? MS_SUCCESS : MS_ERR_BOUNDS);
    if (i == 0) ms_density_estimate_free(test_context(), &e);
    if (i > 0) CHECK_HAS(ms_context_message(test_context()), "knots (5 to 1000), noise");
  }
  s.noise = 0.0;
  s.knots = 1001;
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, &s, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "1001 knots (5 to 1000)");
  const double end = D[N - 1];
  D[N - 1] = D[0];
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "the loss does not grow with amplitude");
  D[N - 1] = end;
  D[7] = -D[7];
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "sample 8");
  A[3] = A[2];
  CHECK_STATUS(ms_density_estimate_from_loss(test_context(), N, A, D, NULL, &e), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "sample 4");
}

static ms_status make(ms_context *ctx, void *user) {
  double A[N], D[N];
  ms_density_estimate_setting s = { sizeof(ms_density_estimate_setting),   0.01, 8, 0.9, 0.1, NULL,
                                    MS_DENSITY_ESTIMATE_TOLERANCES_DEFAULT };
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

/* ---- from samples to a joint ---- */

/* Of a level the sample with the largest amplitude. */
static void test_levels(void) {
  double A[5], D[5], deviation[5];
  ms_loss_samples x = { 0, A, D, deviation, 0.0 };
  ms_losses_add(&x, 2.0, 0.31, 1.1, 0.2);
  ms_losses_add(&x, 2.0, 0.47, 1.7, 0.0);
  ms_losses_add(&x, 2.0, 0.39, 1.3, 0.1);
  ms_losses_add(&x, 3.0, 0.21, 0.7, 0.3);
  CHECK_EQUAL(x.n, 2);
  CHECK_NEAR(A[0], 0.47, 0.0);
  CHECK_NEAR(D[0], 1.7, 0.0);
  CHECK_NEAR(A[1], 0.21, 0.0);
  CHECK_EQUAL(ms_losses_know_deviations(&x), 0);
  deviation[0] = 0.4;
  CHECK_EQUAL(ms_losses_know_deviations(&x), 1);
  ms_losses_add(&x, (double)NAN, 0.1, 0.0, 0.0); /* without a loss it needs no deviation */
  ms_losses_add(&x, (double)NAN, 0.1, 0.3, 0.1);
  CHECK_EQUAL(x.n, 4);
  CHECK_EQUAL(ms_losses_know_deviations(&x), 1);
}

static void test_losses(void) {
  const double A[6] = { 3.1, 0.7, 0.0, 1.9, 2.3, 5.7 }, D[6] = { 2.2, 0.3, 1.1, -0.1, 1.7, 4.1 };
  const double deviation[6] = { 0.4, 0.1, 0.2, 0.3, 0.5, 0.6 }, window[2] = { 0.9, 4.0 };
  double twice[6];
  ms_losses l;
  CHECK_OK(ms_losses_create(test_context(), 6, A, D, NULL, NULL, &l));
  CHECK_EQUAL(l.n, 4);
  CHECK_EQUAL(l.left_out, 2);
  CHECK(!l.deviation);
  for (ptrdiff_t i = 1; i < l.n; i++) CHECK(l.A[i] > l.A[i - 1]);
  ms_losses_destroy(test_context(), &l);
  CHECK_OK(ms_losses_create(test_context(), 6, A, D, deviation, window, &l));
  CHECK_EQUAL(l.n, 2);
  CHECK_EQUAL(l.left_out, 4);
  CHECK_NEAR(l.A[0], 2.3, 0.0);
  CHECK_NEAR(l.D[1], 2.2, 0.0);
  CHECK_NEAR(l.deviation[0], 0.5, 0.0);
  ms_losses_destroy(test_context(), &l);
  for (int i = 0; i < 6; i++) twice[i] = i ? A[i] : 5.7;
  CHECK_STATUS(ms_losses_create(test_context(), 6, twice, D, NULL, window, &l), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), "amplitude 5.7 m stands twice");
  ms_losses_destroy(test_context(), &l);
}

/* An Iwan element has the density R phi^chi up to where it slips as a whole. */
static ms_joint *power_joint(ms_context *ctx, double *K_T) {
  const double phi_max = 1e-4, beta = 0.3, S = R * pow(phi_max, chi + 1.0) / (chi + 1.0) * beta;
  ms_joint *j = NULL;
  *K_T = S * (1.0 + beta) / beta;
  CHECK_OK(ms_joint_create(ctx, "iwan4", &j));
  CHECK_OK(ms_joint_set(j, "K_T", *K_T));
  CHECK_OK(ms_joint_set(j, "F_S", phi_max * (S + *K_T / (1.0 + beta) * (chi + 1.0) / (chi + 2.0))));
  CHECK_OK(ms_joint_set(j, "chi", chi));
  CHECK_OK(ms_joint_set(j, "beta", beta));
  CHECK_OK(ms_joint_setup(j));
  return j;
}

static void test_identified(void) {
  const ms_density_estimate_setting usual = MS_DENSITY_ESTIMATE_DEFAULT;
  double A[N], D[N], K_T;
  ms_joint *j = power_joint(test_context(), &K_T);
  ms_losses l;
  sample(0.0, 1, 0.0, A, D);
  CHECK_OK(ms_losses_create(test_context(), N, A, D, NULL, NULL, &l));
  for (int rest = 0; rest < 3; rest++) {
    ms_density_identified x;
    CHECK_OK(ms_density_identify(test_context(), &l, &usual, K_T, (ms_density_rest)rest, j, &x));
    const ms_density_table *t = &x.table;
    CHECK_EQUAL(t->n, x.estimate.n + 1);
    CHECK_NEAR(t->phi[0], 0.0, 0.0);
    /* int R phi^chi to the last amplitude; what lies below the first is a sixth of a permille */
    CHECK_CLOSE(x.shown, R * pow(A[N - 1], chi + 1.0) / (chi + 1.0), 0.02);
    CHECK_NEAR(x.added, rest == MS_DENSITY_REST_NONE ? 0.0 : K_T - x.shown, 1e-9 * K_T);
    CHECK_NEAR(t->S[t->n - 1], rest == MS_DENSITY_REST_SLIPS ? x.added : 0.0, 0.0);
    CHECK_NEAR(t->K_inf, rest == MS_DENSITY_REST_SPRING ? x.added : 0.0, 0.0);
    CHECK_BELOW(x.rho_difference, 0.005);
    CHECK_BELOW(x.loss_difference, 1e-3);
    for (int i = 0; i < N; i++) CHECK_CLOSE(x.own_loss[i], D[i], 1e-9);
    ms_density_identified_destroy(test_context(), &x);
  }
  ms_losses_destroy(test_context(), &l);
  ms_joint_destroy(&j);
}

/* Loops of a single slider, 3 N at 1 mm, as a density of one delta: the second, of smaller
   amplitude, closed and about another mean; in the third the force is a tenth too large. */
static void test_pairs(void) {
  enum { M = 40 };
  double phi[2] = { 0.0, 1e-3 }, rho[2] = { 0.0, 0.0 }, S[2] = { 0.0, 3000.0 };
  const ms_density_table slider = { 2, phi, rho, S, 0.0 };
  const ptrdiff_t first[4] = { 0, M, 2 * M + 1, 3 * M + 1 };
  const double amplitude[3] = { 2.9e-3, 1.7e-3, 3.7e-3 }, times[3] = { 1.0, 1.0, 1.1 };
  double u[3 * M + 1], f[3 * M + 1], predicted[3 * M + 1];
  ms_loop_pair pair[3];
  for (int k = 0; k < 3; k++) {
    double force = 3.0;
    for (int cycle = 0; cycle < 2; cycle++) {
      for (ptrdiff_t i = 0; i < first[k + 1] - first[k]; i++) {
        const double t = 2.0 * acos(-1.0) * (double)i / M, before = 2.0 * acos(-1.0) / M;
        const double x = amplitude[k] * cos(t), last = amplitude[k] * cos(t - before);
        force = fmax(-3.0, fmin(3.0, force + 3000.0 * (x - last)));
        u[first[k] + i] = x + (k == 1 ? 0.31 : 0.0);
        f[first[k] + i] = times[k] * force + (k == 1 ? 7.0 : 0.0);
      }
    }
  }
  CHECK_OK(ms_density_pair_loops(test_context(), &slider, 3, first, 0.03, u, f, predicted, pair));
  static const int order[3] = { 1, 0, 2 };
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(pair[i].loop, order[i]);
    CHECK_EQUAL(pair[i].n, M);
    CHECK_CLOSE(pair[i].amplitude, amplitude[order[i]], 1e-12);
    CHECK_EQUAL(pair[i].agrees, i < 2);
    /* 4 F (A - phi), of a polygon whose corners are cut where sliding begins */
    CHECK_CLOSE(pair[i].predicted, 12.0 * (amplitude[order[i]] - 1e-3), 0.03);
    CHECK_CLOSE(pair[i].loss, times[order[i]] * pair[i].predicted, 1e-9);
  }
  CHECK_BELOW(pair[1].difference, 1e-9);
  CHECK_BELOW(0.05, pair[2].difference);
}

static ms_status identify_and_pair(ms_context *ctx, void *user) {
  const ms_density_estimate_setting s = {
    sizeof(ms_density_estimate_setting),   0.01, 8, 0.9, 0.1, NULL,
    MS_DENSITY_ESTIMATE_TOLERANCES_DEFAULT
  };
  const ptrdiff_t first[2] = { 0, 3 };
  double A[N], D[N], u[3] = { -1e-5, 0.0, 1e-5 }, f[3] = { -2.0, 1.0, 2.0 }, predicted[3];
  ms_losses l;
  ms_density_identified x = { .shown = 0.0 };
  ms_loop_pair pair;
  sample(0.0, 1, 0.0, A, D);
  ms_status status = ms_losses_create(ctx, N, A, D, NULL, NULL, &l);
  if (!status) status = ms_density_identify(ctx, &l, &s, 0.0, MS_DENSITY_REST_NONE, user, &x);
  if (!status) {
    status = ms_density_pair_loops(ctx, &x.table, 1, first, 0.1, u, f, predicted, &pair);
  }
  ms_density_identified_destroy(ctx, &x);
  ms_losses_destroy(ctx, &l);
  return status;
}

static void test_identified_memory(void) {
  double K_T;
  ms_joint *j = power_joint(test_context(), &K_T);
  CHECK(test_allocations(identify_and_pair, j) >= 8);
  ms_joint_destroy(&j);
}

int main(void) {
  TEST(test_power_law);
  TEST(test_step);
  TEST(test_noise);
  TEST(test_deviations);
  TEST(test_rescale);
  TEST(test_refusals);
  TEST(test_allocation);
  TEST(test_levels);
  TEST(test_losses);
  TEST(test_identified);
  TEST(test_pairs);
  TEST(test_identified_memory);
  return test_finish();
}
