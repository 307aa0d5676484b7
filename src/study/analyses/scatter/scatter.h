/* Joint tests of many specimens in a study: `specimens` makes them, `scatter` reads them. */
#ifndef MS_STUDY_ANALYSES_SCATTER_SCATTER_H
#define MS_STUDY_ANALYSES_SCATTER_SCATTER_H

#include <microslip/scatter.h>

#include "study/file/options.h"

/* tests.c: what both analyses read. joint: of one law with one axis. */
ms_status ms_scatter_read_joint(const ms_study *study, struct fy_node *node, int *joint);
/* A parameter of that joint's law, and the factor of its unit to SI. */
ms_status ms_scatter_read_param(const ms_study *study, struct fy_node *key, int joint,
                                const ms_param **param, double *factor);
/* noise: a number, or [of stiffness, of dissipation]; left alone where absent. */
ms_status ms_scatter_take_noise(const ms_study *study, struct fy_node *node,
                                const ms_numbers *given, double noise[2]);

/* Where the tests come from: a table at once, `specimens` at the run, whose product begins with
   them. */
typedef struct ms_test_source {
  const ms_task *from;
  ms_scatter_tests own;
  const ms_scatter_tests *tests; /* at the run */
} ms_test_source;
/* Keys of `columns`. */
extern const ms_param_list ms_scatter_columns;
/* Of key `key`: an earlier `specimens`, or else a table. */
ms_status ms_scatter_read_tests(const ms_study *study, const ms_task *task, const char *key,
                                int joint, ms_test_source *out);

typedef struct ms_scatter_option {
  char key[320]; /* "lap.K_T" */
  char name[320];
  const char *unit;
} ms_scatter_option;

typedef struct ms_scatter_analysis {
  /* options */
  int joint;
  ptrdiff_t n, n_separate;
  ms_scatter_parameter *parameter;
  ms_scatter_option *option;
  ms_test_source used, fresh; /* fresh: not used, counted against the bands; may be empty */
  ms_scatter_setting setting;
  double omega;
  ptrdiff_t samples, repetitions;
  /* at the run */
  ms_scatter_run_result result;
  double *repeated; /* MS_SCATTER_REPEAT_WIDTH of each repetition */
} ms_scatter_analysis;

/* result.c */
ms_status ms_scatter_fill_result(ms_study *study, ms_task *task);

#endif
