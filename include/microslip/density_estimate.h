/* [identify] The slider density of an Iwan element from noisy dissipation, with its uncertainty.

   The energy D(A) dissipated per cycle of amplitude A has D'' = 4 A rho(A): data would have to be
   differentiated twice. Instead the logarithm of the density is as smooth as the noise allows; a
   power law has no penalty, and the smoothness is the most probable given the data
   (docs/theory/density.md). density.h has the same without noise. SI units. */
#ifndef MICROSLIP_DENSITY_ESTIMATE_H
#define MICROSLIP_DENSITY_ESTIMATE_H

#include <microslip/density.h>
#include <microslip/joint.h>
#include <microslip/tolerance.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_DENSITY_ESTIMATE_TOLERANCES(X)                                                 \
  X(first, 0.2, "first knot, of the smallest amplitude: what slips below it looks alike") \
  X(least_noise, 1e-4, "relative standard deviation: no measurement is better")           \
  X(near, 1e-10, "step of the estimate, in ln rho, that is rounding")
typedef struct ms_density_estimate_tolerances {
  MS_DENSITY_ESTIMATE_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_density_estimate_tolerances;
#define MS_DENSITY_ESTIMATE_TOLERANCES_DEFAULT \
  { MS_DENSITY_ESTIMATE_TOLERANCES(MS_TOLERANCE_DEFAULT) }

typedef struct ms_density_estimate_setting {
  size_t size;  /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  double noise; /* standard deviation of D, relative; 0: estimated, 1e-4 at least */
  int knots;    /* of the density */
  double level; /* of the band, such as 0.9 */
  double trust; /* the density is trusted where its standard deviation, relative, is below this */
  /* Standard deviation of each D, J, > 0, in place of `noise`; 1e-4 of D at least. NULL: none. */
  const double *deviation;
  ms_density_estimate_tolerances tol;
} ms_density_estimate_setting;

#define MS_DENSITY_ESTIMATE_DEFAULT                               \
  {                                                               \
    sizeof(ms_density_estimate_setting), 0.0, 60, 0.9, 0.1, NULL, \
        MS_DENSITY_ESTIMATE_TOLERANCES_DEFAULT                    \
  }
MS_API void ms_density_estimate_default(ms_density_estimate_setting *setting, size_t size);

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

/* ---- from samples to a table for the law iwan_table ---- */

/* Losses against amplitude, rising; one block of memory at A. */
typedef struct ms_losses {
  ptrdiff_t n;
  double *A, *D;      /* m, J */
  double *deviation;  /* J; NULL: not known */
  ptrdiff_t left_out; /* samples without a loss, which no density explains, and those outside the
                         window */
} ms_losses;
/* From n samples in any order; deviation and window, amplitudes [low, high], may be NULL.
   MS_ERR_BOUNDS where an amplitude stands twice. Memory is the losses', also after a failure. */
MS_API ms_status ms_losses_create(ms_context *ctx, ptrdiff_t n, const double *A, const double *D,
                                  const double *deviation, const double window[2], ms_losses *out);
/* Samples of which those of one level follow each other: of these the one with the largest
   amplitude is kept, at resonance. level NAN: of its own. Arrays are the caller's. */
typedef struct ms_loss_samples {
  ptrdiff_t n;
  double *A, *D, *deviation;
  double level; /* of the last */
} ms_loss_samples;
MS_API void ms_losses_add(ms_loss_samples *samples, double level, double A, double D,
                          double deviation);
/* Whether all with a loss have a deviation. */
MS_API int ms_losses_know_deviations(const ms_loss_samples *samples);
MS_API void ms_losses_destroy(ms_context *ctx, ms_losses *losses);

/* What becomes of stiffness that no loss shows, sliders beyond the largest amplitude for one: it
   slips at the last knot, is a spring K_inf, or is left out. */
typedef enum ms_density_rest {
  MS_DENSITY_REST_SLIPS,
  MS_DENSITY_REST_SPRING,
  MS_DENSITY_REST_NONE
} ms_density_rest;

typedef struct ms_density_identified {
  ms_density_estimate estimate;
  ms_density_table table; /* rows from zero on: level to the first knot */
  double shown, added;    /* N/m: stiffness of the sliders seen, and what was added */
  /* Of a joint to compare with, NULL without: density at the knots, losses at the samples; largest
     relative differences from it, of the density where it is trusted and of all losses. */
  double *own_rho, *own_loss;
  double rho_difference, loss_difference;
} ms_density_identified;
/* K_T: stuck stiffness, N/m, 0 where it is not known. setting->deviation is that of the losses;
   compare may be NULL. Memory is the result's, also after a failure. */
MS_API ms_status ms_density_identify(ms_context *ctx, const ms_losses *losses,
                                     const ms_density_estimate_setting *setting, double K_T,
                                     ms_density_rest rest, ms_joint *compare,
                                     ms_density_identified *out);
MS_API void ms_density_identified_destroy(ms_context *ctx, ms_density_identified *identified);
/* Deviations from the model that normal noise does not reach in a few hundred samples. */
#define MS_DENSITY_FAR 4.0
/* The i-th thing that is doubtful about it, as a sentence, into text; 0 if there are not that many.
   K_T as above. */
MS_API int ms_density_warning(const ms_density_identified *identified, double K_T, int i,
                              char *text, size_t size);

/* A loop that another method has found beside the one that the density makes of the same
   displacement under constant load. Means do not count. */
typedef struct ms_loop_pair {
  ptrdiff_t loop, n;       /* which loop, and its points without a last one that is the first */
  double amplitude, force; /* m; N, peak of the loop given */
  double difference;       /* rms over that force */
  double loss, predicted;  /* J per cycle, of the loop given and of the density */
  int agrees;              /* this one and all of smaller amplitude, to the tolerance */
} ms_loop_pair;
/* Loop i has the points first[i] to before first[i + 1] of u (m) and force (N), which lose their
   means; predicted gets the force of the density at each. pair: n_loop, amplitudes rise. */
MS_API ms_status ms_density_pair_loops(ms_context *ctx, const ms_density_table *density,
                                       ptrdiff_t n_loop, const ptrdiff_t *first, double tolerance,
                                       double *u, double *force, double *predicted,
                                       ms_loop_pair *pair);

#ifdef __cplusplus
}
#endif
#endif
