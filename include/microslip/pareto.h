/* [identify] Several objectives at once: which points are best, how good a set of them is, and a
   search.

   A point is a vector f of n_f objectives, all to be minimised. It dominates another if it is
   nowhere larger and somewhere smaller. Points that none dominates form the front. Points may
   violate a constraint by v >= 0: the one that violates less dominates, whatever its objectives.
   Sets of points are column-major, f[m + n_f*i] is objective m of point i (docs/theory/pareto.md).
 */
#ifndef MICROSLIP_PARETO_H
#define MICROSLIP_PARETO_H

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sets of points ------------------------------------------------------------------------- */

/* rank[i]: 0 on the front, 1 on the front of what is left without it, and so on. v may be NULL. */
MS_API ms_status ms_pareto_sort(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                                const double *v, int *rank);
/* The volume between the points and `reference`, a point worse than those of interest: points that
   are not better than it in every objective add nothing. Exact, for any n_f >= 1; the effort grows
   steeply with n_f. */
MS_API ms_status ms_pareto_hypervolume(ms_context *ctx, ptrdiff_t n, ptrdiff_t n_f, const double *f,
                                       const double *reference, double *volume);
/* The knee of a front, its point farthest towards the ideal one from the plane through the extremes
   of the objectives, each scaled to [0, 1] over the set. Points with rank > 0 are passed over;
   rank may be NULL. -1 where there is no point of rank 0. */
MS_API ptrdiff_t ms_pareto_knee(ptrdiff_t n, ptrdiff_t n_f, const double *f, const int *rank);

/* ---- search --------------------------------------------------------------------------------- */

/* Evaluates n points: x[j + n_x*i] in, f[m + n_f*i] and v[i] out (v is 0 before the call). A point
   that cannot be evaluated is one with v > 0, its f is then not looked at. The same x must give
   the same f in whatever order, on whatever thread. Any other status than success ends the search
   and is returned. */
typedef ms_status ms_pareto_eval(void *user, ptrdiff_t n, const double *x, double *f, double *v);

typedef struct ms_pareto_problem {
  ptrdiff_t n_x, n_f;
  const double *lower, *upper; /* n_x bounds each, lower < upper; copied by create */
  ms_pareto_eval *eval;
  void *user;
} ms_pareto_problem;

typedef struct ms_nsga2_setting {
  size_t size;       /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  ptrdiff_t n_point; /* of a generation, >= 4 and even */
  double crossover;  /* probability that two parents are crossed */
  double crossover_index; /* of the simulated binary crossover: the larger, the nearer to them */
  double mutation;        /* probability per parameter; 0: 1/n_x */
  double mutation_index;  /* of the polynomial mutation */
  uint64_t seed;
} ms_nsga2_setting;

#define MS_NSGA2_DEFAULT \
  { sizeof(ms_nsga2_setting), 100, 0.9, 15.0, 0.0, 20.0, 1 }
MS_API void ms_nsga2_default(ms_nsga2_setting *setting, size_t size);

/* Non-dominated sorting genetic algorithm II (Deb, Pratap, Agarwal and Meyarivan 2002) with the
   crowding of a front found anew after each point that is left out. Generation g draws from stream
   g of the seed alone, so a search is a function of the seed and of the points it has reached. */
typedef struct ms_nsga2 ms_nsga2;

/* Nothing is evaluated yet. setting may be NULL for the default. */
MS_API ms_status ms_nsga2_create(ms_context *ctx, const ms_pareto_problem *problem,
                                 const ms_nsga2_setting *setting, ms_nsga2 **out);
MS_API void ms_nsga2_destroy(ms_nsga2 **search);
/* One generation on: the first call draws points over the box and evaluates them (generation 0).
   On any other status than success the search is as it was. */
MS_API ms_status ms_nsga2_step(ms_nsga2 *search);

/* The points reached, in no order that means anything; valid until the next step. */
typedef struct ms_pareto_points {
  ptrdiff_t n, n_x, n_f;
  const double *x, *f, *v;
  const int *rank;
} ms_pareto_points;
MS_API ms_pareto_points ms_nsga2_points(const ms_nsga2 *search); /* n = 0 before the first step */
MS_API ptrdiff_t ms_nsga2_generation(const ms_nsga2 *search);    /* -1 before the first step */
MS_API ptrdiff_t ms_nsga2_evaluations(const ms_nsga2 *search);
/* Go on from points saved earlier, n_point of them: the next step is that of generation + 1, as if
   there had been no interruption. */
MS_API ms_status ms_nsga2_restore(ms_nsga2 *search, ptrdiff_t generation, const double *x,
                                  const double *f, const double *v);

#ifdef __cplusplus
}
#endif
#endif
