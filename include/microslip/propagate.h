/* [identify] Effect of random joints on a structure: frequency and damping against amplitude
   (quasi-static modes) at many values of the joints' parameters, their quantiles, and which
   parameter causes the scatter. SI units. */
#ifndef MICROSLIP_PROPAGATE_H
#define MICROSLIP_PROPAGATE_H

#include <microslip/calibrate.h>
#include <microslip/distribution.h>
#include <microslip/sobol.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_random_curves {
  /* what is asked for; borrowed */
  ptrdiff_t n;
  const ms_free_parameter *parameter;
  const ms_distribution *distribution; /* n */
  const double *correlation; /* n x n, as of ms_scatter_draw_correlated; NULL: independent. Indices
                                are of independent ones */
  int n_mode;
  const int *mode; /* from 0 */
  ptrdiff_t n_level;
  const double *q; /* modal amplitudes, m sqrt(kg), rising */
  /* the points: values of the parameters, and what they make */
  ptrdiff_t samples, count;
  double *p;     /* n x count */
  double *y;     /* of each point, of each mode: n_level frequencies (rad/s), then damping ratios */
  int *answered; /* 0: no answer at one of the amplitudes */
} ms_random_curves;

/* Points for quantiles, `samples` independent ones; or for indices, n (parameters + 2) of them.
   Memory is the curves', also after a failure; a second time replaces the first. */
MS_API ms_status ms_random_curves_draw(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                       ms_random_curves *curves);
MS_API ms_status ms_random_curves_draw_sobol(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                             ms_random_curves *curves);
MS_API void ms_random_curves_destroy(ms_context *ctx, ms_random_curves *curves);

/* Evaluates the points from `first` to before `end` on a structure that is set up; its joints get
   back the parameters that they had. Several threads may do so at once, each with its structure and
   points of its own. A point without an answer is no failure. */
MS_API ms_status ms_random_curves_eval(ms_structure *structure, ptrdiff_t first, ptrdiff_t end,
                                       ms_random_curves *curves);
/* Numbers that each point has in y. */
MS_API ptrdiff_t ms_random_curves_width(const ms_random_curves *curves);
MS_API ptrdiff_t ms_random_curves_count_answers(const ms_random_curves *curves);

/* Of mode `mode` of the list at amplitude `level`, of its frequency (damping: 0) or damping (1):
   quantiles over the points that have an answer; Sobol's indices, for which all must have one. */
MS_API ms_status ms_random_curves_quantiles(ms_context *ctx, const ms_random_curves *curves,
                                            int mode, ptrdiff_t level, int damping,
                                            ptrdiff_t n_part, const double *part, double *out);
MS_API ms_status ms_random_curves_indices(ms_context *ctx, const ms_random_curves *curves, int mode,
                                          ptrdiff_t level, int damping, ms_sobol_index *out);

#ifdef __cplusplus
}
#endif
#endif
