/* The chain against work per cycle known to seven digits, the paper's exponents, and its own limit
   without inertia. Document: Quinn and Segalman, J. Appl. Mech. 72 (2005) 778. */
#include <math.h>
#include <microslip/rod.h>

#include "support/check.h"

#define PI 3.14159265358979323846

/* Work of friction in cycle `cycles` of alpha sin(omega t), from rest. */
static double run_work(const ms_pressure *p, ptrdiff_t n, double alpha, double omega, int per_cycle,
                       int cycles, ms_rod_method method) {
  ms_rod_chain_setting s = { .size = sizeof(ms_rod_chain_setting),
                             .n = n,
                             .method = method,
                             .step = 2.0 * PI / omega / per_cycle };
  ms_rod_chain *c = NULL;
  double before = 0.0;
  CHECK_OK(ms_rod_chain_create(test_context(), p, &s, &c));
  for (long i = 0; i < (long)cycles * per_cycle; i++) {
    double F[3];
    if (i == (long)(cycles - 1) * per_cycle) before = ms_rod_chain_get(c).work;
    for (int k = 0; k < 3; k++) F[k] = alpha * sin(2.0 * PI * ((double)i + 0.5 * k) / per_cycle);
    ms_status status = ms_rod_chain_step(c, F);
    if (status == MS_SUCCESS) continue;
    CHECK_OK(status);
    break;
  }
  ms_rod_chain_state at = ms_rod_chain_get(c);
  double work = at.work - before;
  CHECK_BELOW(at.residual, 1e-10);
  ms_rod_chain_destroy(&c);
  return work;
}

static ms_pressure *hertz(void) {
  ms_pressure *p = NULL;
  CHECK_OK(ms_pressure_create_power(test_context(), 1.5, &p));
  return p;
}

static void test_reference(void) {
  ms_pressure *p = hertz();
  CHECK_CLOSE(run_work(p, 4, 0.25, 0.25, 8000, 6, MS_ROD_MOREAU), -0.0163076, 1e-5);
  CHECK_CLOSE(run_work(p, 32, 0.25, 0.25, 48000, 6, MS_ROD_MOREAU), -0.0150919, 1e-4);
  CHECK_CLOSE(run_work(p, 256, 0.25, 0.25, 16000, 6, MS_ROD_MOREAU), -0.0150665, 1e-4);
  ms_pressure_destroy(&p);
}

/* Two other methods have the same limit; the sticky one with the paper's step. */
static void test_methods(void) {
  ms_pressure *p = hertz();
  CHECK_CLOSE(run_work(p, 4, 0.25, 0.25, 25133 * 4, 6, MS_ROD_STICKY), -0.0163076, 1e-5);
  CHECK_CLOSE(run_work(p, 32, 0.25, 0.25, 25133, 6, MS_ROD_STICKY), -0.0150919, 1e-4);
  ms_pressure_destroy(&p);
}

static void test_quasistatic(void) {
  const double want[] = { 0.0155675054, 0.0149193830, 0.0148838736 };
  const ptrdiff_t n[] = { 4, 32, 256 };
  ms_pressure *p = hertz();
  double D;
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ms_rod_chain_cycle_loss(test_context(), p, n[i], 0.25, &D));
    CHECK_NEAR(D, want[i], 5.1e-11); /* as printed */
  }
  CHECK_NEAR(ms_rod_cycle_loss(p, 0.25), 0.0148818849, 5.1e-11);
  ms_pressure_destroy(&p);
}

/* As omega goes to 0 the chain with inertia loses what the one without does. */
static void test_slow_limit(void) {
  ms_pressure *p = hertz();
  double D, error[3];
  CHECK_OK(ms_rod_chain_cycle_loss(test_context(), p, 16, 0.25, &D));
  for (int i = 0; i < 3; i++) {
    double omega = 0.16 * pow(0.25, i);
    error[i] = fabs(-run_work(p, 16, 0.25, omega, 16000 << (2 * i), 3, MS_ROD_MOREAU) / D - 1.0);
  }
  CHECK_BELOW(error[1], error[0]);
  CHECK_BELOW(error[2], 0.5 * error[0]);
  CHECK_BELOW(error[2], 5e-3);
  ms_pressure_destroy(&p);
}

static double exponent(int n, const double *x, const double *y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    double a = log(x[i]), b = log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* Figure 8: 2.672 and 0.002 in the paper. */
static void test_exponents(void) {
  const double alpha[] = { 0.0625, 0.125, 0.25, 0.5 }, omega[] = { 0.01, 0.03, 0.09, 0.25 };
  double W[4];
  ms_pressure *p = hertz();
  for (int i = 0; i < 4; i++) W[i] = -run_work(p, 256, alpha[i], 0.25, 8000, 4, MS_ROD_MOREAU);
  double m = exponent(4, alpha, W);
  CHECK_BELOW(m, 2.69);
  CHECK_BELOW(2.66, m);
  for (int i = 0; i < 4; i++) {
    int per_cycle = (int)(2000 / omega[i]);
    W[i] =
        -run_work(p, 256, 0.25, omega[i], per_cycle < 60000 ? per_cycle : 60000, 2, MS_ROD_MOREAU);
  }
  m = exponent(4, omega, W);
  CHECK_BELOW(fabs(m), 0.005);
  ms_pressure_destroy(&p);
}

int main(void) {
  TEST(test_reference);
  TEST(test_methods);
  TEST(test_quasistatic);
  TEST(test_slow_limit);
  TEST(test_exponents);
  return test_finish();
}
