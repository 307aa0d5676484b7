/* Random joints in a study: parameters with distributions, and what a structure answers for many
   values of them. */
#ifndef MS_STUDY_ANALYSES_PROPAGATE_RANDOM_JOINTS_H
#define MS_STUDY_ANALYSES_PROPAGATE_RANDOM_JOINTS_H

#include <microslip/scatter.h>

#include "study/analyses/calibrate/calibrate.h"
#include "study/file/shared_keys.h"

/* ---- parameters ---- */

typedef struct ms_random_parameter {
  ms_calibrate_parameter is;
  ms_distribution d;
  const ms_task *from; /* the `scatter` that it comes from, at the run; NULL: the file */
} ms_random_parameter;

typedef struct ms_random_joints {
  ptrdiff_t n;
  ms_random_parameter *parameter;
  ms_free_parameter *free;
  ms_distribution *d; /* n; after gather */
} ms_random_joints;

/* random: joint.parameter: {family, bounds, mean, deviation} or the name of a `scatter`; or that
   name alone for all of its parameters. */
ms_status ms_random_read(ms_study *study, const ms_task *task, struct fy_node *node,
                         ms_random_joints *out);
void ms_random_close(ms_study *study, ms_random_joints *r);
ms_status ms_random_gather(const ms_study *study, ms_random_joints *r);
int ms_random_needs(const ms_random_joints *r, const ms_task *other);
/* Text and table: parameter, family, moments and bounds. */
ms_status ms_random_report(const ms_study *study, const ms_random_joints *r, ms_page *page);

/* {family, bounds, mean, deviation} of a parameter of a law, to SI by `factor`; by default its
   bounds are the law's, and its family the one that these and two moments make (ms_random_family).
 */
extern const ms_param_list ms_random_distribution;
ms_status ms_random_read_distribution(const ms_study *study, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out);
ms_family ms_random_family(double lower, double upper);
/* Rows of a distribution; the choice's index is an ms_family. */
#define MS_ROW_FAMILY(type)                                                  \
  MS_CHOICE(type, family, "uniform|exponential|normal|gamma|beta|lognormal", \
            MS_ELSE("beta between two bounds, gamma above one, else normal"), "of distributions")
#define MS_ROW_BOUNDS(type)                                       \
  MS_PAIR(type, bounds, "-", MS_ANY, MS_ELSE("those of the law"), \
          "of the distribution, in the unit of the parameter")
/* What these two say: bounds in SI, the law's in `lower` and `upper` at first. */
ms_family ms_random_take_family(int family, const double bounds[2], double factor, double *lower,
                                double *upper);

/* Quantiles of 5, 50 and 95 % over x in a figure: an area, and the line in its middle. */
ms_status ms_random_add_band(ms_context *ctx, ms_figure *figure, ptrdiff_t n, const double *x,
                             const double *const quantile[3]);

/* ---- curves of many joints ---- */

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
extern const ms_param_list ms_random_parameters;
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
