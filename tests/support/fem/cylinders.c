#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"
#include "support/check.h"
#include "support/fem/cylinders.h"

static const double E = 2.03e11, NU = 0.31, RADIUS = 0.0373, MU = 0.42;

static double parabola(void *user, double x, double y) {
  const test_cylinders *c = user;
  (void)y;
  return pow(fmax(0.0, fabs(x) - c->flat), 2.0) / (2.0 * c->radius);
}

void test_cylinders_open(test_cylinders *c, double half) {
  test_pair *p = &c->pair;
  for (int k = 0; k < 2; k++) {
    if (c->E[k] == 0.0) c->E[k] = E, c->nu[k] = NU;
    p->material[k] = ms_material_isotropic(c->E[k], c->nu[k], 7800.0);
    c->E_star += (1.0 - c->nu[k] * c->nu[k]) / c->E[k];
  }
  c->E_star = 1.0 / c->E_star;
  c->radius = RADIUS;
  c->thickness = 0.13 * half;
  p->y = test_even(0.0, c->thickness, 1);
  p->touch = 1.1 * half;
  p->depth = 120.0 * half;
  for (int end = -1; end < 2; end += 2) test_extend(&p->x, end * p->depth, 1.5, HUGE_VAL);
  p->mu = c->mu > 0.0 ? c->mu : MU;
  p->gap = parabola;
  p->user = c;
  test_pair_open(p);
}

double test_cylinders_load(const test_cylinders *c, double a) {
  if (c->flat == 0.0) return MS_PI * c->E_star * a * a / (4.0 * c->radius) * c->thickness;
  const double phi = asin(c->flat / a);
  return c->E_star * c->flat * c->flat / (2.0 * c->radius) * c->thickness *
         ((MS_PI - 2.0 * phi) / (2.0 * pow(sin(phi), 2.0)) - 1.0 / tan(phi));
}

/* The half width under a load, by bisection. */
static double find_half(const test_cylinders *c, double P, double low, double high) {
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(test_cylinders_load(c, middle) < P ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

/* d delta/dQ = (2/(pi E*)) (constant - ln a(P - Q/mu)) on the first loading; the cycle's branches
   are that curve doubled: D is the integral of (8 Q - 4 Q0) d delta. Simpson's rule. */
static double find_punch_loss(const test_cylinders *c, double a, double s) {
  enum { N = 200 };
  const double P = test_cylinders_load(c, a), Q0 = s * c->pair.mu * P;
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    const double Q = Q0 * i / N, weight = i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum -= weight * (8.0 * Q - 4.0 * Q0) * log(find_half(c, P - Q / c->pair.mu, c->flat, a));
  }
  return 2.0 / (MS_PI * c->E_star * c->thickness) * sum * Q0 / (3.0 * N);
}

double test_cylinders_loss(const test_cylinders *c, double a, double s) {
  const double P = test_cylinders_load(c, a);
  if (c->flat > 0.0) return find_punch_loss(c, a, s);
  return 4.0 * c->pair.mu * c->pair.mu * P * P / (MS_PI * c->E_star * c->thickness) *
         ((1.0 - s) * log(1.0 - s) + s - 0.5 * s * s);
}

double test_cylinders_press(test_cylinders *c, double a) {
  const test_pair *p = &c->pair;
  const double P = test_cylinders_load(c, a);
  double miss = 0.0, size = 0.0;
  CHECK_OK(ms_contact_load(p->contact, (double[]) { 1e-3 * P, 0.0 }));
  CHECK_OK(ms_contact_load(p->contact, (double[]) { P, 0.0 }));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const double part = p->point[i].at[0] / a, peak = 2.0 * P / (MS_PI * a * c->thickness);
    const double hertz = peak * sqrt(fmax(0.0, 1.0 - part * part)), area = p->point[i].area;
    miss += area * pow(test_pair_pressure(p, i) - hertz, 2.0), size += area * hertz * hertz;
  }
  return sqrt(miss / size);
}

double test_cylinders_cycle(test_cylinders *c, double a, double s, int *thin) {
  const test_pair *p = &c->pair;
  const double P = test_cylinders_load(c, a);
  double *D = malloc((size_t)p->n * sizeof *D);
  ms_contact_cycle cycle;
  CHECK_OK(ms_contact_run_cycle(p->contact, 1, s * c->pair.mu * P, &cycle, D));
  if (thin) *thin = test_pair_count_inside(p, D) == 0;
  free(D);
  return cycle.D / test_cylinders_loss(c, a, s) - 1.0;
}

test_cylinder_errors test_cylinders_measure(int per_a, double flat) {
  const double h = 2.1e-4 / per_a;
  const int across = (int)(1.1 * per_a) + 1;
  test_cylinders c = { .pair = { .x = test_even(-across * h, across * h, 2 * across),
                                 .first = 0.5 * h,
                                 .growth = 1.15 },
                       .flat = flat * h * per_a };
  test_cylinder_errors out = { 0 };
  test_cylinders_open(&c, h * per_a);
  for (int place = 0; place < 10; place++) {
    for (int k = 0; k < 2; k++) {
      const double a = h * (per_a + 0.1 * place), pressure = test_cylinders_press(&c, a);
      const double error = test_cylinders_cycle(&c, a, k ? 0.2 : 0.5, NULL);
      if (place == 0 && flat == 0.0) out.pressure = pressure;
      if (place == 0) out.at_node[k] = error;
      out.mean[k] += 0.1 * error;
      out.worst[k] = fmax(out.worst[k], fabs(error));
    }
  }
  test_pair_count(&c.pair);
  test_pair_close(&c.pair);
  printf(
      "# %d elements per half width: pressure %.3g; dissipation %+.2g (at most %.2g, edge at a "
      "node "
      "%+.2g) at s = 0.5, %+.2g (%.2g, %+.2g) at 0.2\n",
      per_a, out.pressure, out.mean[0], out.worst[0], out.at_node[0], out.mean[1], out.worst[1],
      out.at_node[1]);
  return out;
}
