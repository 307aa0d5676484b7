/* A cylinder on a plane: the closed forms against each other, differences and sums. */
#include <math.h>

#include <microslip/hertz.h>

#include "support/check.h"

#define PI 3.14159265358979323846

static const ms_hertz_line pin = { .radius = 5.3e-3, .length = 0.0417, .E = 2.07e11, .nu = 0.287 };

static ms_hertz_answer at(double load) {
  ms_hertz_answer a = { 0 };
  CHECK_OK(ms_hertz_line_at(test_context(), &pin, load, &a));
  return a;
}

/* Written as in the book: load per length, composite modulus. */
static double approach(double load) {
  double p = load / pin.length, whole = pin.E / (2.0 * (1.0 - pin.nu * pin.nu));
  double a = sqrt(4.0 * p * pin.radius / (PI * whole));
  return p * (1.0 - pin.nu * pin.nu) / (PI * pin.E) * (2.0 * log(4.0 * pin.radius / a) - 1.0);
}

static void test_approach(void) {
  for (double load = 0.37; load < 3e4; load *= 5.9) {
    ms_hertz_answer a = at(load);
    double h = 1e-3 * load;
    CHECK_CLOSE(a.approach, approach(load), 1e-14);
    CHECK_CLOSE(a.secant, load / approach(load), 1e-14);
    CHECK_CLOSE(a.tangent, 2.0 * h / (approach(load + h) - approach(load - h)), 1e-6);
  }
}

/* The largest pressure, 2 p/(pi a), is also the root of p E_c/(pi r), E_c composite. */
static void test_half_width(void) {
  double load = 213.7, p = load / pin.length, whole = pin.E / (2.0 * (1.0 - pin.nu * pin.nu));
  CHECK_CLOSE(2.0 * p / (PI * at(load).half_width), sqrt(p * whole / (PI * pin.radius)), 1e-14);
}

/* The sum of (F - k d)^2 over many loads is least for k = sum F d/sum d^2. */
static void test_fitted(void) {
  enum { N = 20000 };
  double load = 187.3, up = 0.0, down = 0.0;
  for (int i = 0; i < N; i++) {
    double F = load * (i + 0.5) / N, d = approach(F);
    up += F * d;
    down += d * d;
  }
  CHECK_CLOSE(at(load).fitted, up / down, 1e-7);
  CHECK(at(load).fitted > at(0.5 * load).secant && at(load).fitted < at(load).tangent);
}

static void refuse(ms_hertz_line line, double load, const char *words) {
  ms_hertz_answer a;
  CHECK_STATUS(ms_hertz_line_at(test_context(), &line, load, &a), MS_ERR_BOUNDS);
  CHECK_HAS(ms_context_message(test_context()), words);
}

static void test_refused(void) {
  ms_hertz_line line = pin;
  refuse(line, 0.0, "load = 0");
  refuse(line, 1e10, "half width");
  line.nu = 0.51;
  refuse(line, 100.0, "nu = 0.51");
  line = pin, line.radius = -1.0;
  refuse(line, 100.0, "radius = -1");
}

/* The ends of what is taken: a material that keeps its volume, one that hardly shrinks aside, and a
   load under which the half width is nearly the radius, p = a^2 pi E/(8 r (1 - nu^2)). */
static void test_ends(void) {
  ms_hertz_answer a;
  ms_hertz_line line = pin;
  const double full = pin.length * pin.radius * PI * pin.E / (8.0 * (1.0 - pin.nu * pin.nu));
  CHECK_CLOSE(at(0.99 * full).half_width, sqrt(0.99) * pin.radius, 1e-14);
  refuse(line, 1.01 * full, "half width");
  line.nu = 0.5;
  CHECK_OK(ms_hertz_line_at(test_context(), &line, 100.0, &a));
  line.nu = -0.99;
  CHECK_OK(ms_hertz_line_at(test_context(), &line, 100.0, &a));
  line.nu = -1.0;
  refuse(line, 100.0, "nu = -1");
}

int main(void) {
  test_run("approach, secant and tangent", test_approach);
  test_run("half width", test_half_width);
  test_run("the fitted line", test_fitted);
  test_run("what is refused", test_refused);
  test_run("the ends of what is taken", test_ends);
  return test_finish();
}
