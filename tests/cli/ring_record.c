/* A ring-down in closed form as a file on standard output, for test_ringdown.sh:

     ring_record FORM KIND FACTOR UNIT NODE N DT A0 ALPHA C OMEGA KAPPA PHASE

   FORM csv, ascii, little or big; KIND 0, 1, 2 derivatives of the displacement of
   support/signals.h; values are divided by FACTOR and said to be in UNIT (- for none). */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/signals.h"
#include "support/uff.h"

/* With z = A exp(i psi): z' = r z, z" = (r' + r^2) z, r = -alpha - c A + i omega (1 - kappa A). */
static double value(const test_ring *ring, double t, int kind) {
  test_ring quadrature = *ring;
  quadrature.phase -= 0.5 * acos(-1.0);
  double A = test_ring_amplitude(ring, t), rate = test_ring_rate(ring, t);
  double complex z = test_ring_value(ring, t) + I * test_ring_value(&quadrature, t);
  double complex r = -rate + I * test_ring_omega(ring, t);
  double complex dr = (ring->c + I * ring->omega * ring->kappa) * A * rate;
  return creal(kind == 0 ? z : kind == 1 ? r * z : (dr + r * r) * z);
}

static void print_csv(const char *unit, ptrdiff_t n, double dt, const double *x) {
  printf(strcmp(unit, "-") == 0 ? "t,tip\n" : "t [s],tip [%s]\n", unit);
  for (ptrdiff_t k = 0; k < n; k++) printf("%.12g,%.15g\n", dt * (double)k, x[k]);
}

static void print_uff(const char *form, int kind, const char *unit, int node, ptrdiff_t n,
                      double dt, const double *x) {
  static const int axis[] = { 8, 11, 12 };
  ms_uff58_function f = { .id = { "ring-down in closed form", "", "", "", "" },
                          .type = 1,
                          .response_name = "NONE",
                          .reference_name = "NONE",
                          .response_node = node,
                          .response_direction = 3,
                          .is_double = 1,
                          .is_even = 1,
                          .n = n,
                          .x_step = dt,
                          .y = x };
  f.abscissa = (ms_uff58_axis) { .kind = 17, .label = "Time", .unit = "s" };
  f.ordinate.kind = strcmp(unit, "-") == 0 ? 0 : axis[kind];
  snprintf(f.ordinate.unit, sizeof f.ordinate.unit, "%s", strcmp(unit, "-") == 0 ? "NONE" : unit);
  test_uff_print(stdout, &f,
                 strcmp(form, "ascii") == 0    ? UFF_ASCII
                 : strcmp(form, "little") == 0 ? UFF_LITTLE
                                               : UFF_BIG,
                 0);
}

int main(int argc, char **argv) {
  double number[14] = { 0.0 };
  if (argc != 14) return 2;
  for (int i = 1; i < argc; i++) number[i] = atof(argv[i]);
  int kind = (int)number[2];
  ptrdiff_t n = (ptrdiff_t)number[6];
  double dt = number[7];
  test_ring ring = { number[8], number[9], number[10], number[11], number[12], number[13] };
  double *x = malloc((size_t)n * sizeof *x);
  if (!x) return 1;
  for (ptrdiff_t k = 0; k < n; k++) x[k] = value(&ring, dt * (double)k, kind) / number[3];
  if (strcmp(argv[1], "csv") == 0) {
    print_csv(argv[4], n, dt, x);
  } else {
    print_uff(argv[1], kind, argv[4], (int)number[5], n, dt, x);
  }
  free(x);
  return 0;
}
