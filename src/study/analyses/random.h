/* Random joints in a study: parameters with distributions, and what a structure answers for many
   values of them. */
#ifndef MS_STUDY_RANDOM_H
#define MS_STUDY_RANDOM_H

#include <microslip/scatter.h>

#include "study/analyses/calibrate.h"

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
ms_status ms_random_read_distribution(const ms_study *study, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out);
ms_family ms_random_family(double lower, double upper);
/* family: and bounds: of a mapping, where they are there. */
ms_status ms_random_read_family(const ms_study *study, struct fy_node *node, double factor,
                                ms_family *family, double *lower, double *upper);

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
  ms_sheet *table;
} ms_random_curves;

/* Of an analysis whose product it is: options, with this default and least number of samples. */
enum { MS_RANDOM_KEYS = 6 };
extern const ms_param ms_random_keys[MS_RANDOM_KEYS];
ms_status ms_random_check(ms_study *study, ms_task *task, ptrdiff_t samples, ptrdiff_t least);
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
