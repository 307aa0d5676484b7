/* [identify] Methods of calibration: the best of many local fits, the Pareto front of several
   objectives, samples of the posterior and the resulting bands (docs/theory/calibration.md).

   A method asks its caller for evaluations, many points at a time, so that they may be made on any
   threads and processes; the results do not depend on how. Variables t in [0, 1] are those of
   fit.h. Results are plain structs, freed by the function that is named with them. */
#ifndef MICROSLIP_CALIBRATE_METHODS_H
#define MICROSLIP_CALIBRATE_METHODS_H

#include <microslip/calibrate.h>
#include <microslip/curves.h>
#include <microslip/pareto.h>
#include <microslip/posterior.h>
#include <microslip/som.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[n_out i ...] from in[n_in i ...], i < n; how many numbers there are is the method's. */
typedef ms_status ms_map_fn(void *user, ptrdiff_t n, const double *in, double *out);

/* Where a long run keeps its parts, numbered from 0, so that it can go on after an interruption. */
typedef struct ms_part_store {
  /* The next part of an earlier run, in the order in which they were kept; 0 after the last. */
  int (*next)(void *user, ptrdiff_t *part, ptrdiff_t *n, const double **values);
  ms_status (*keep)(void *user, ptrdiff_t part, ptrdiff_t n, const double *values);
  void *user;
} ms_part_store;

/* ---- the best of many local fits ------------------------------------------------------------- */

typedef struct ms_best_fit {
  ptrdiff_t best, agree; /* the start; how many came to the same point */
  double supposed;       /* noise that was given, or what the fit leaves */
  double scatter;        /* of a residual, that errors are judged by: the larger of both */
  ms_fit_judgement judgement;
} ms_best_fit;

/* The best of `starts`, judged with residuals in units of their scatter: what the fit leaves, but
   `noise` at least, or where that is 0, 0.01 of damping and of the frequency's shift. A parameter
   whose value at starts that fit as well is elsewhere is not determined. MS_NOT_CONVERGED where no
   start has an answer. Memory is the judgement's. */
MS_API ms_status ms_calibration_judge(ms_calibration *calibration, const ms_starts *starts,
                                      double noise, uint64_t seed, ms_best_fit *out);
/* The i-th reason to doubt it, as a sentence, 0 after the last: a residual far above the noise that
   was given, and those of ms_starts_warning. */
MS_API int ms_best_fit_warning(const ms_best_fit *fit, const ms_starts *starts, ptrdiff_t i,
                               char *text, size_t size);

/* rms of quantity i of target k at a solution, relative: of a frequency to its shift, as in the
   fit, at least 1e-3 of it; of anything else to its value. */
MS_API double ms_solution_misfit(const ms_solution *solution, const ms_target *target, ptrdiff_t k,
                                 int i);
/* The worst of all quantities that are looked at, and how many are above a limit. */
typedef struct ms_worst_misfit {
  ptrdiff_t target;
  int quantity;
  double misfit;
  ptrdiff_t above, all; /* quantities */
} ms_worst_misfit;
MS_API ms_worst_misfit ms_solution_find_worst(const ms_solution *solution, ptrdiff_t n_target,
                                              const ms_target *target, double limit);
/* Whether any is above it: a sentence, into text, for which targets have these names. */
MS_API int ms_solution_warning(const ms_solution *solution, ptrdiff_t n_target,
                               const ms_target *target, double limit, char *text, size_t size);

/* Whether points of stepped sines are unreached (ms_target_view): a sentence, into text, that names
   those of the first such target. */
MS_API int ms_solution_unreached_warning(const ms_solution *solution, ptrdiff_t n_target,
                                         const ms_target *target, char *text, size_t size);

/* ---- the Pareto front ------------------------------------------------------------------------ */

/* A quantity of one target, or of all that have it (-1): their mean, weighted as they are. */
typedef struct ms_objective {
  ptrdiff_t target;
  const char *quantity;
  char name[48];
} ms_objective;

/* Those of all targets, or with `each` of every target; 2 n_target at most go to `out`. */
MS_API ptrdiff_t ms_objectives_list(ptrdiff_t n_target, const ms_target *target, int each,
                                    ms_objective *out);
/* From the objectives of all targets (ms_calibration_objectives). */
MS_API double ms_objective_weigh(const ms_objective *objective, ptrdiff_t n_target,
                                 const ms_target *target, const double *f);

typedef struct ms_front_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  const char *what; /* for progress */
  ptrdiff_t points, generations;
  uint64_t seed;
  double beyond; /* the reference of the hypervolume, over the worst of the first generation */
} ms_front_setting;
#define MS_FRONT_DEFAULT \
  { sizeof(ms_front_setting), "front", 100, 100, 1, 1.1 }
MS_API void ms_front_default(ms_front_setting *setting, size_t size);

typedef struct ms_front {
  ptrdiff_t n, n_f, n_x; /* points on the front, objectives, parameters */
  double *row;           /* n rows of objectives and parameters, by the first objective */
  double *volume;        /* of each generation, over that of the box below the reference */
  double *reference;
  ptrdiff_t generations, evaluations, made; /* evaluations in all, and in this run */
  ptrdiff_t n_seen;                         /* points that ever belonged to a generation, once */
  double *seen;                             /* rows of objectives and t */
} ms_front;

/* By NSGA-II (pareto.h). map: n_f objectives and a violation from n_x variables t. store may be
   NULL. *out is the caller's to free, also after a failure. MS_NOT_CONVERGED where no point can be
   evaluated. */
MS_API ms_status ms_front_search(ms_context *ctx, ptrdiff_t n_f, ptrdiff_t n_x,
                                 const ms_fit_parameter *parameter, ms_map_fn *map, void *user,
                                 const ms_front_setting *setting, const ms_part_store *store,
                                 ms_front *out);
MS_API void ms_front_free(ms_context *ctx, ms_front *front);
/* The smallest and the largest value of parameter i over the front. */
MS_API void ms_front_find_range(const ms_front *front, ptrdiff_t i, double *low, double *high);
/* The knee, and for several objectives the best of each: n_f + 1 solutions at most, *n so far. */
MS_API ms_status ms_front_solve(const ms_front *front, const ms_objective *objective,
                                ms_calibration *calibration, ms_solution *out, ptrdiff_t *n);
/* Solutions of the front that are worth showing, `most` about: an even choice, and those that
   `named` has, with their names. out: as many as the front has points. */
MS_API ms_status ms_front_choose(const ms_front *front, ptrdiff_t most, ptrdiff_t n_named,
                                 const ms_solution *named, ms_calibration *calibration,
                                 ms_solution *out, ptrdiff_t *n);

/* A self-organising map (som.h) of points that a search has seen. */
typedef struct ms_front_map {
  ms_som *som;
  ptrdiff_t points; /* that it is of */
  double *plane;    /* nodes x (n_f + n_x): objectives, parameters */
  double alike;     /* correlation of the planes of the first two objectives over the nodes */
} ms_front_map;
enum { MS_FRONT_MAP_LEAST = 16, MS_FRONT_MAP_MOST = 2000 }; /* points */
/* Nothing where there are fewer points than LEAST; of more than MOST some, evenly. */
MS_API ms_status ms_front_map_make(ms_context *ctx, const ms_front *front,
                                   const ms_fit_parameter *parameter, ms_front_map *out);
MS_API void ms_front_map_free(ms_context *ctx, ms_front_map *map);

/* ---- samples of the posterior ---------------------------------------------------------------- */

typedef struct ms_samples_setting {
  size_t size;      /* sizeof this struct, from its default (docs/decisions/0015-settings.md) */
  const char *what; /* for progress */
  /* steps: those that count, of an ensemble (posterior.h). 0: chains about the local fit, until
     they have settled (ms_chain_report); `burn` is not read, any number of walkers will do. */
  ptrdiff_t walkers, steps, burn;
  uint64_t seed;
  ptrdiff_t most; /* steps of chains that do not settle */
} ms_samples_setting;
#define MS_SAMPLES_DEFAULT \
  { sizeof(ms_samples_setting), "chain", 32, 5000, 500, 1, 5000 }
MS_API void ms_samples_default(ms_samples_setting *setting, size_t size);

/* Parts of the samples that lie below: the lower end of a band, its middle, the upper end. */
enum { MS_BAND = 3 };

typedef struct ms_samples {
  ptrdiff_t n_x, n;             /* parameters; walkers times steps that count */
  double *t;                    /* n_x x walkers x (burn + steps) */
  double *p;                    /* n_x x n */
  ptrdiff_t accepted, proposed; /* moves */
  ptrdiff_t made;               /* evaluations in this run */
  ms_chain_report *report;      /* of each parameter */
  double *quantile;             /* MS_BAND x n_x: 5, 50 and 95 % */
  double *correlation;          /* n_x x n_x */
  ptrdiff_t steps, burn;        /* of each walker, that count and before */
  int until;                    /* they were to settle */
} ms_samples;

/* Walkers or chains about the best fit at p. map: from n_x variables t the logarithm of the density
   of `problem` with noise 1 (ms_posterior_log_density); residuals scatter by `fit`. *out is the
   caller's to free, also after a failure. */
MS_API ms_status ms_samples_take(ms_context *ctx, const ms_fit_problem *problem, const double *p,
                                 const ms_best_fit *fit, ms_map_fn *map, void *user,
                                 const ms_samples_setting *setting, const ms_part_store *store,
                                 ms_samples *out);
MS_API void ms_samples_free(ms_context *ctx, ms_samples *samples);
/* The parameter whose chain is furthest from having settled; -1: all have. */
MS_API ptrdiff_t ms_samples_find_unsettled(const ms_samples *samples);
/* That it has not, as a sentence; 0: all have. */
MS_API int ms_samples_warning(const ms_samples *samples, const ms_fit_parameter *parameter,
                              char *text, size_t size);

/* What the model makes of all targets at p, its quantities one behind the other; and how many
   numbers that are. */
MS_API ms_status ms_calibration_predict(ms_calibration *calibration, const double *p, double *out);
MS_API ptrdiff_t ms_solution_count(const ms_solution *solution, ptrdiff_t n_target);
/* Quantiles of these numbers over some of the samples, evenly: MS_BAND of each. map: from n_x
   parameters p as ms_calibration_predict has it, `width` numbers. Memory of ctx. */
MS_API ms_status ms_samples_find_bands(ms_context *ctx, const ms_samples *samples, ptrdiff_t width,
                                       ms_map_fn *map, void *user, double **out);

/* ---- what was found, simulated in time ------------------------------------------------------- */

/* A copy of a structure whose joints have other parameters (p NULL: the same), set up anew; with
   `undamped` without the structure's own damping. */
MS_API ms_status ms_calibrated_copy(ms_context *ctx, const ms_structure *structure,
                                    ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                                    const double *p, int undamped, ms_structure **out);
/* ms_hammer_simulate with such a copy, and with the gains of sensors and hammer that are among the
   parameters. */
MS_API ms_status ms_calibrated_simulate(ms_context *ctx, const ms_structure *structure,
                                        ptrdiff_t n_parameter, const ms_free_parameter *parameter,
                                        const double *p, const ms_hammer *hammer, ptrdiff_t h,
                                        ms_decay *decay, ms_transient_quality *quality);
/* A target that is a curve, with the damping that ring-downs of the structure have: all of it, or
   where they are undamped, the joints' part. Memory as of ms_points_gather. */
MS_API ms_status ms_calibrated_reference(ms_context *ctx, const ms_structure *structure,
                                         const ms_curve_option *option, const ms_target_view *view,
                                         int undamped, ms_points *out);

/* Ring-downs that are made again with n_set sets of parameters: run i of set k is i + n_run k. */
typedef struct ms_again {
  /* the answer: a curve for each run, with mode and source of the earlier one */
  ms_curves curves;
  int *mode; /* of each run: that of its structure which is like the earlier run's */
  /* the request; what it points to is the caller's */
  const ms_curves *from; /* the earlier runs, of one mode each */
  ptrdiff_t n_parameter;
  const ms_free_parameter *parameter;
  ptrdiff_t n_set;
  const double **p; /* of each set; NULL: those that the structure has */
  int undamped;     /* without the structure's own damping */
} ms_again;
/* Requests the runs, to be read by the Hilbert method with traces. */
MS_API ms_status ms_again_prepare(ms_context *ctx, const ms_structure *structure, ms_again *again);
/* One of curves.n_run; any thread may. */
MS_API ms_status ms_again_simulate(ms_context *ctx, const ms_structure *structure, ms_again *again,
                                   ptrdiff_t job);
/* After them: the curves. */
MS_API void ms_again_collect(ms_again *again);
/* The answer. */
MS_API void ms_again_free(ms_context *ctx, ms_again *again);

/* Relative differences of a decay from a curve at the same amplitudes, rms and largest. */
typedef struct ms_points_difference {
  ptrdiff_t n; /* points of the decay that are compared */
  double omega, omega_most, zeta, zeta_most;
} ms_points_difference;
MS_API ms_points_difference ms_points_compare(const ms_points *reference, const ms_decay *decay);

#ifdef __cplusplus
}
#endif
#endif
