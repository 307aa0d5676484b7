/* Joint tests of many specimens in a study: `specimens` makes them, `scatter` reads them; and
   distributions of a law's parameters. */
#ifndef MS_STUDY_ANALYSES_SCATTER_SCATTER_H
#define MS_STUDY_ANALYSES_SCATTER_SCATTER_H

#include "identify/scatter/keys.h"
#include "study/model/joint_parameters.h"
#include "study/analyses/shared/rows.h"

/* tests.c: a row of keys, as of shared/rows.h */
extern const ms_param_reader ms_as_one_law;
/* joint, int: one law on one axis; -1 where absent. */
#define MS_ONE_LAW(type, absent, text) MS_READ(type, joint, "word", ms_as_one_law, absent, text)

/* A parameter of that joint's law, and the factor of its unit to SI. */
ms_status ms_scatter_read_param(const ms_study *study, struct fy_node *key, int joint,
                                const ms_param **param, double *factor);
/* ---- scatter ---- */

typedef struct ms_scatter_options {
  ms_task_list assemblies; /* calibrations; none: tests of specimens */
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
  char key[320];         /* "lap.K_T" */
  ms_joint_parameter is; /* its key is the former; its places the next or those of a calibration */
  ms_parameter_place own;
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
