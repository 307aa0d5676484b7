/* Simulated impact tests that owe nothing to the library: four masses in a chain, a joint of
   discrete sliders between the second and the third, leapfrog integration, and an acquisition with
   offsets, noise and 16 bits. */
#ifndef MS_TEST_IMPACTS_H
#define MS_TEST_IMPACTS_H

#include <stddef.h>

enum { IMPACT_MASSES = 4 };

typedef struct test_impact {
  double rate;           /* samples per second, 25600 */
  double before, length; /* s, of silence, and of the whole record */
  double peak, width;    /* N, s, of a half sine on the last mass */
  double second;         /* peak of another blow 12 ms later, as a part of the first; 0: none */
  double preload;        /* of the sliders' slip forces; 1 */
  double noise;          /* m/s^2, rms */
  double range;          /* of the largest acceleration, at which the converter saturates; 0: 1.2 */
  unsigned seed;
} test_impact;

test_impact test_impact_default(void);
ptrdiff_t test_impact_samples(const test_impact *test);
/* force[k] in N and x[k + n*mass] in m/s^2; to be freed. */
void test_impact_run(const test_impact *test, double **force, double **x);
/* Of the structure without slip: frequency in Hz and shapes, phi[mass + IMPACT_MASSES*mode], with
   unit modal mass. */
void test_impact_modes(double freq_hz[IMPACT_MASSES], double phi[IMPACT_MASSES * IMPACT_MASSES]);

/* One mode alone: it starts with a velocity; cycles of its displacement are read. */
typedef struct test_alone {
  ptrdiff_t n;
  double *amplitude; /* m, of the mode at the sensor, falling; owns the memory of all */
  double *freq_hz, *zeta;
} test_alone;
/* amplitude: about the first one, m sqrt(kg). Rows of ten cycles. */
test_alone test_impact_alone(const test_impact *test, int mode, int sensor, double amplitude,
                             double length);
/* At an amplitude, linear in its logarithm; 0 outside. */
double test_alone_freq(const test_alone *alone, double amplitude);
double test_alone_zeta(const test_alone *alone, double amplitude);

#endif
