/* x^p for one exponent and many x. A joint evaluates the same power millions of times, and libm's
   pow is most of its cost; with the exponent fixed, tables and a short binomial series do it in a
   third of the time to within a few units in the last place. See
   docs/decisions/0005-fixed-power.md. */
#ifndef MS_CORE_POWER_H
#define MS_CORE_POWER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MS_POWER_BITS = 7, MS_POWER_CELLS = 1 << MS_POWER_BITS, MS_POWER_OCTAVES = 64 };

typedef struct ms_power {
  double p;
  int64_t first;                   /* biased exponent of the lowest octave in the table */
  double octave[MS_POWER_OCTAVES]; /* 2^(p e) */
  double cell[MS_POWER_CELLS];     /* c^p at the middle c of each cell of [1, 2) */
  double inverse[MS_POWER_CELLS];  /* 1/c */
  double binomial[6];              /* of (1 + t)^p, t to t^6 */
} ms_power;

/* For x up to x_max; smaller and larger ones, and exponents outside (0, 3], go through pow. */
void ms_power_setup(ms_power *w, double p, double x_max);

static inline double ms_power_eval(const ms_power *w, double x) {
  const uint64_t mantissa = (UINT64_C(1) << 52) - 1;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint64_t octave = (bits >> 52) - (uint64_t)w->first; /* wraps far up for the sign bit and below */
  if (octave >= MS_POWER_OCTAVES) return pow(x, w->p);
  uint64_t i = (bits >> (52 - MS_POWER_BITS)) & (MS_POWER_CELLS - 1);
  bits = (bits & mantissa) | UINT64_C(0x3FF0000000000000);
  uint64_t half = UINT64_C(1) << (51 - MS_POWER_BITS),
           middle_bits = (bits & ~(2 * half - 1)) | half;
  double m, middle;
  memcpy(&m, &bits, sizeof m);
  memcpy(&middle, &middle_bits, sizeof middle);
  double t = (m - middle) * w->inverse[i]; /* |t| <= 2^-8, the difference is exact */
  const double *b = w->binomial;
  double t2 = t * t;
  double series = (b[0] + b[1] * t) + t2 * ((b[2] + b[3] * t) + t2 * (b[4] + b[5] * t));
  double scale = w->octave[octave] * w->cell[i];
  return scale + scale * (t * series);
}

#endif
