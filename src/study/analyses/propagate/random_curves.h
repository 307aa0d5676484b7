/* Frequency and damping against amplitude of random joints: what a structure answers for many
   values of their parameters. */
#ifndef MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H
#define MS_STUDY_ANALYSES_PROPAGATE_RANDOM_CURVES_H

#include "study/analyses/scatter/random_joints.h"

/* Frequency and damping of modes at amplitudes, for many values of the parameters. */
typedef struct ms_random_curves {
  ms_random_joints joints;
  int *mode, n_mode;
  ptrdiff_t n_level, samples;
  double *q;
  uint64_t seed;
  /* at the run */
  ptrdiff_t count;
  double *p; /* n x count */
  double *y; /* of each point, of each mode: n_level frequencies, then as many damping ratios */
  int *answered;
  ms_result_table *table;
} ms_random_curves;

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
/* Every process calls these: distributions and room for `count` points, whose p each fills alike;
   run evaluates them, keeps what it has, and leaves all on the first process. */
ms_status ms_random_begin(ms_study *study, ptrdiff_t count, ms_random_curves *c);
ms_status ms_random_run(ms_study *study, const char *what, ms_random_curves *c);
/* One number of every point. */
const double *ms_random_value(const ms_random_curves *c, ptrdiff_t point, int mode, ptrdiff_t level,
                              int damping);

/* A figure for every mode, frequency and damping side by side over amplitude; `add` adds the series
   of one. */
typedef ms_status (*ms_random_series_fn)(const ms_study *study, const ms_random_curves *c, int mode,
                                         int damping, ms_figure *figure);
ms_status ms_random_figures(const ms_study *study, const ms_random_curves *c,
                            const char *const label[2], const char *const unit[2],
                            const char *caption, ms_random_series_fn add, ms_page *page);

#endif
