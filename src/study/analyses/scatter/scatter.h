/* Joint tests of many specimens in a study: `specimens` makes them, `scatter` reads them; and
   distributions of a law's parameters. */
#ifndef MS_STUDY_ANALYSES_SCATTER_SCATTER_H
#define MS_STUDY_ANALYSES_SCATTER_SCATTER_H

#include <microslip/scatter.h>

#include "study/analyses/shared/rows.h"

/* ---- tests.c: rows of keys, as of shared/rows.h ---- */

extern const ms_param_reader ms_as_one_law, ms_as_noise;
/* joint, int: one law on one axis. */
#define MS_ONE_LAW(type, text) MS_READ(type, joint, "word", ms_as_one_law, MS_REQUIRED, text)
/* noise, double[2], of stiffness and dissipation; 0 where absent. */
#define MS_NOISE(type, absent)                                                         \
  {                                                                                    \
    MS_AT(type, noise), .kind = MS_PARAM_NUMBERS, .unit = "-", MS_POSITIVE,            \
                        .reader = &ms_as_noise, absent,                                \
                        .meaning =                                                     \
                            "relative standard deviation: of both, or [of stiffness, " \
                            "of dissipation]"                                          \
  }
/* Of a distribution; the choice's index is an ms_family. */
#define MS_ROW_FAMILY(type)                                                  \
  MS_CHOICE(type, family, "uniform|exponential|normal|gamma|beta|lognormal", \
            MS_ELSE("beta between two bounds, gamma above one, else normal"), "of distributions")
#define MS_ROW_BOUNDS(type)                                       \
  MS_PAIR(type, bounds, "-", MS_ANY, MS_ELSE("those of the law"), \
          "of the distribution, in the unit of the parameter")

/* ---- tests.c: parameters of a law and their distributions ---- */

/* A parameter of that joint's law, and the factor of its unit to SI. */
ms_status ms_scatter_read_param(const ms_study *study, struct fy_node *key, int joint,
                                const ms_param **param, double *factor);
/* What family and bounds say: bounds in SI, the law's in `lower` and `upper` at first. */
ms_family ms_random_take_family(int family, const double bounds[2], double factor, double *lower,
                                double *upper);
/* {family, bounds, mean, deviation} of a parameter of a law, to SI by `factor`; by default its
   bounds are the law's, and its family the one that these and two moments make. */
extern const ms_param_list ms_random_distribution;
ms_status ms_random_read_distribution(const ms_study *study, struct fy_node *node,
                                      const ms_param *param, double factor, ms_distribution *out);

/* ---- scatter ---- */

typedef struct ms_scatter_options {
  int joint;
  const char *from, *fresh;
  struct fy_node *columns, *parameters, *separate;
  const char *specimen, *force, *stiffness, *dissipation; /* columns */
  double noise[2], frequency;
  ptrdiff_t draws, starts, samples, repetitions, seed;
} ms_scatter_options;

/* A table, or `specimens`, whose product begins with its tests. */
typedef struct ms_test_source {
  const ms_task *from; /* NULL: a table */
  ms_scatter_tests own;
  const ms_scatter_tests *tests; /* of `specimens` from its run on */
} ms_test_source;

typedef struct ms_scatter_option {
  char key[320]; /* "lap.K_T" */
  char name[320];
  const char *unit;
} ms_scatter_option;

typedef struct ms_scatter_analysis {
  ptrdiff_t n;
  ms_scatter_parameter *parameter; /* second values, of the loss, are behind all first ones */
  ms_scatter_option *option;
  ms_test_source used, fresh; /* fresh: not used, counted against the bands; may be empty */
  ms_scatter_run_result result;
  double *repeated; /* MS_SCATTER_REPEAT_WIDTH of each repetition; NULL: none */
} ms_scatter_analysis;

/* result.c */
ms_status ms_scatter_fill_result(ms_study *study, ms_task *task);

#endif
