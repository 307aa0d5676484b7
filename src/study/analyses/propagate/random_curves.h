/* Frequency and damping against amplitude of random joints: options, product and run of `propagate`
   and `sobol`. */
#ifndef MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H
#define MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H

#include <microslip/propagate.h>

#include "study/model/joint_parameters.h"
#include "study/analyses/shared/rows.h"

typedef struct ms_random_parameter {
  ms_joint_parameter is;
  ms_distribution d;
  const ms_task *from; /* the `scatter` that it comes from, at the run; NULL: the file */
} ms_random_parameter;

/* random: joint.parameter: {family, bounds, mean, deviation} or the name of a `scatter`; or that
   name alone for all of its parameters. */
typedef struct ms_random_joints {
  ptrdiff_t n;
  ms_random_parameter *parameter;
} ms_random_joints;
extern const ms_param_reader ms_as_random_joints;
extern const ms_param_list ms_random_joint_keys;

typedef struct ms_random_options {
  ms_random_joints random;
  ms_numbers amplitudes;
  ms_mode_list modes;
  ptrdiff_t samples, seed;
} ms_random_options;
/* With a least and a usual number of samples. */
#define MS_RANDOM_KEYS(least, usual, of_samples)                                            \
  MS_KEY_NAME,                                                                              \
      { MS_AT(ms_random_options, random),                                                   \
        .kind = MS_PARAM_FORMS,                                                             \
        .forms = "mapping or word",                                                         \
        .keys = &ms_random_joint_keys,                                                      \
        .reader = &ms_as_random_joints,                                                     \
        MS_REQUIRED,                                                                        \
        .meaning =                                                                          \
            "joint.parameter: a distribution, or the name of an earlier scatter, whose "    \
            "distribution it takes; or that name alone, for all parameters of its joint" }, \
      MS_AMPLITUDES(ms_random_options, amplitudes, "m sqrt(kg)", MS_REQUIRED,               \
                    "modal amplitudes, rising"),                                            \
      MS_MODES(ms_random_options, modes, MS_ELSE("all"), "mode numbers from 1"),            \
      MS_COUNT(ms_random_options, samples, MS_FROM(least), MS_DEFAULT(usual), of_samples),  \
      MS_COUNT(ms_random_options, seed, MS_NOT_NEGATIVE, MS_DEFAULT(1), "of the random numbers")

typedef struct ms_random_task {
  ms_random_curves curves;
  ms_free_parameter *free; /* what curves borrows */
  ms_distribution *d;
  double *correlation; /* n x n */
} ms_random_task;

ms_status ms_random_check(ms_study *study, ms_task *task);
void ms_random_close_task(ms_study *study, ms_task *task);
/* Every process calls it: draws the points, evaluates them over threads and processes, keeps what
   it has, and leaves all on the first process. */
typedef ms_status (*ms_random_draw_fn)(ms_context *ctx, ptrdiff_t samples, uint64_t seed,
                                       ms_random_curves *curves);
ms_status ms_random_evaluate(ms_study *study, ms_task *task, ms_random_draw_fn draw);

/* A figure for every mode, these panels over the amplitude, of its rows; and a table of the
   distributions. */
void ms_random_show(ms_task *task, const ms_result_table *table, const char *caption, int n,
                    const ms_plot *panel);

#endif
