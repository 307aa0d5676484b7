/* The slider density of an Iwan element from noisy losses, with its uncertainty.

   D(A), the loss in a steady cycle of amplitude A, has D'' = 4 A rho(A): differentiating data
   twice. Here the logarithm of the density is drawn as smooth as the noise allows, smooth meaning
   near to a power law, which costs nothing; how smooth is what the data make most probable
   (docs/theory/density.md). density.h has the same without noise. SI units. */
#ifndef MICROSLIP_DENSITY_ESTIMATE_H
#define MICROSLIP_DENSITY_ESTIMATE_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_density_estimate_setting {
  double noise; /* standard deviation of D, relative; 0: estimated, 1e-4 at least */
  int knots;    /* of the density */
  double level; /* of the band, such as 0.9 */
  double trust; /* the density is trusted where its standard deviation, relative, is below this */
  /* Standard deviation of each D, J, > 0, in place of `noise`; 1e-4 of D at least. NULL: none. */
  const double *deviation;
} ms_density_estimate_setting;

#define MS_DENSITY_ESTIMATE_DEFAULT \
  { 0.0, 60, 0.9, 0.1, NULL }

typedef struct ms_density_estimate {
  ptrdiff_t n;         /* knots, evenly spaced in ln phi */
  double *phi, *rho;   /* rho linear between knots, level below the first */
  double *low, *high;  /* the band, pointwise */
  double *deviation;   /* of ln rho */
  double *covariance;  /* of ln rho, n x n */
  double *D;           /* model at the samples, as many as there are */
  double *D_deviation; /* of the model there, relative */
  double noise;      /* supposed or found; of deviations the root of their mean square, relative */
  double smoothness; /* lambda */
  double freedom;    /* numbers that the data determine */
  double misfit;     /* rms of (D - data)/deviation of the data, as it was used */
  double worst;      /* largest of these */
  double residual;   /* of the equations of the estimate: length of the last step */
  double from, to;   /* trusted; from > to: nowhere */
} ms_density_estimate;

/* n >= 6 samples D > 0 at rising amplitudes A > 0, rising too. *out is to be freed. */
MS_API ms_status ms_density_estimate_from_loss(ms_context *ctx, ptrdiff_t n, const double *A,
                                               const double *D,
                                               const ms_density_estimate_setting *setting,
                                               ms_density_estimate *out);
MS_API void ms_density_estimate_free(ms_context *ctx, ms_density_estimate *estimate);

/* The same joint under another normal load and stiffness: strengths times `load`, stiffness of the
   sliders times `stiffness`. Slip displacements scale with load/stiffness, and so does the range
   that is trusted. Both > 0; in place. */
MS_API void ms_density_estimate_rescale(ms_density_estimate *estimate, double load,
                                        double stiffness);

#ifdef __cplusplus
}
#endif
#endif
