/* A rod on a frictional foundation: what its files share. Letters are those of docs/theory/rod.md.
 */
#ifndef MS_RESPONSE_ROD_H
#define MS_RESPONSE_ROD_H

#include <microslip/rod.h>

/* From this x to the next: psi + slope (s - x). */
typedef struct ms_pressure_knot {
  double x, psi, slope;
  double Psi;   /* int_0^x psi */
  double first; /* int_0^x s psi */
  double loss;  /* int_0^x u(Psi(s)) psi, u(f) the displacement of first loading */
} ms_pressure_knot;

struct ms_pressure {
  ms_context *ctx;
  double beta; /* > 0: a power law */
  ptrdiff_t n;
  ms_pressure_knot *knot;
};

/* int_0^x s psi(s) ds. */
double ms_pressure_first_moment(const ms_pressure *p, double x);

#endif
