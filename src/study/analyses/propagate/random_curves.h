/* Frequency and damping against amplitude of random joints: what a structure answers for many
   values of their parameters. */
#ifndef MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H
#define MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H

#include <microslip/propagate.h>

#include "study/analyses/scatter/random_joints.h"

/* The product of `propagate` and `sobol`. */
typedef struct ms_random_task {
  ms_random_curves curves;
  ms_random_joints joints;
  int *mode; /* what curves borrows */
  double *q;
  ptrdiff_t samples;
  uint64_t seed;
} ms_random_task;

/* Of an analysis whose product it is: options, with a least and a usual number of samples. */
typedef struct ms_random_options {
  struct fy_node *random, *amplitudes, *modes;
  ptrdiff_t samples, seed;
} ms_random_options;
#define MS_RANDOM_KEYS(least, usual, of_samples)                                                   \
  MS_KEY_NAME,                                                                                     \
      MS_FORMS_WITH(ms_random_options, random, "mapping or word", ms_random_parameters,            \
                    MS_REQUIRED,                                                                   \
                    "joint.parameter: a distribution, or the name of an earlier scatter, whose "   \
                    "distribution it takes; or that name alone, for all parameters of its joint"), \
      MS_FORMS_WITH(ms_random_options, amplitudes, "number, list or mapping", ms_level_keys,       \
                    MS_REQUIRED, "modal amplitudes, rising"),                                      \
      MS_ROW_MODES(ms_random_options, MS_ELSE("all")),                                             \
      MS_COUNT(ms_random_options, samples, MS_FROM(least), MS_DEFAULT(usual), of_samples),         \
      MS_COUNT(ms_random_options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers")
ms_status ms_random_check(ms_study *study, ms_task *task);
void ms_random_close_task(ms_study *study, ms_task *task);
int ms_random_task_needs(const ms_task *task, const ms_task *other);
/* Every process calls it: draws the points, evaluates them over threads and processes, keeps what
   it has, and leaves all on the first process. */
typedef ms_status (*ms_random_draw_fn)(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                       ms_random_curves *curves);
ms_status ms_random_evaluate(ms_study *study, ms_task *task, ms_random_draw_fn draw);

/* A figure for every mode: these panels over the amplitude, of the rows of the mode. */
void ms_random_plot(const ms_random_task *task, ms_result *result, const ms_result_table *table,
                    const char *caption, int n, const ms_plot *panel);

#endif
