/* [identify] Which parameters cause the scatter of a result: Sobol indices of a function of n_x
   independent random parameters (docs/theory/sobol.md). The caller evaluates the points, in any
   order. */
#ifndef MICROSLIP_SOBOL_H
#define MICROSLIP_SOBOL_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n (n_x + 2): how many points there are. */
MS_API ptrdiff_t ms_sobol_count(ptrdiff_t n_x, ptrdiff_t n);
/* u[j + n_x*i] of point i, each uniform in (0, 1): quantiles of the parameters' distributions. Two
   samples A and B of n points, then for each parameter A with that parameter from B. n >= 8. */
MS_API ms_status ms_sobol_points(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, uint64_t seed,
                                 double *u);

typedef struct ms_sobol_index {
  double first;       /* part of the variance that this parameter makes alone */
  double total;       /* ... alone and together with others */
  double first_error; /* standard errors, by resampling */
  double total_error;
} ms_sobol_index;

/* From the values y at the points, in their order. Where y does not vary all is zero. */
MS_API ms_status ms_sobol_indices(ms_context *ctx, ptrdiff_t n_x, ptrdiff_t n, const double *y,
                                  ms_sobol_index *out);

#ifdef __cplusplus
}
#endif
#endif
