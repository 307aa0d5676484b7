/* The analysis `update`: numbers of the study file from measured modes. */
#ifndef MS_STUDY_ANALYSES_UPDATE_UPDATE_H
#define MS_STUDY_ANALYSES_UPDATE_UPDATE_H

#include <microslip/update.h>

#include "study/analyses/shared/multistart.h"
#include "study/analyses/shared/rows.h"
#include "study/model/variant.h"

enum { MS_UPDATE_UNKNOWNS = 32, MS_UPDATE_PLACES = 128 };

typedef struct ms_update_options {
  ms_entry_list parameters;
  struct fy_node *measured;
  double deviation, shape_deviation, least_mac;
  ptrdiff_t starts, seed;
} ms_update_options;

/* A number of the file that an unknown moves: it stays `ratio` times the unknown. */
typedef struct ms_update_place {
  const char *path; /* owned by the document */
  ptrdiff_t unknown;
  double ratio;
} ms_update_place;

typedef struct ms_update {
  const ms_task *task;
  ms_fit_parameter *bound; /* its names are those of the file */
  double *start;           /* values in the file */
  ptrdiff_t n;
  ms_update_place place[MS_UPDATE_PLACES];
  ptrdiff_t n_place;
  int reduces; /* every evaluation reduces finite elements anew */
  ms_measured_table measured;
  ptrdiff_t starts;
  /* at the run */
  ms_context *ctx; /* of models on the study's thread: without progress of its own */
  ms_starts fits;
  ms_update_fit fit;
  ms_update_look look[2]; /* as the file has it, and updated */
} ms_update;

/* measured_modes.c: keys of `measured`, where it is a mapping, and what it says. */
extern const ms_param_list ms_update_measured_keys;
ms_status ms_update_read_measured(const ms_study *study, struct fy_node *node, double deviation,
                                  ms_measured_table *out);

/* run.c */
ms_status ms_update_run(ms_study *study, ms_task *task);
/* What the other processes do where structures are reduced anew. */
ms_status ms_update_help(ms_study *study, ms_task *task);
const double *ms_update_best(const ms_update *u);

/* result.c */
ms_status ms_update_judge(ms_study *study, ms_task *task);
ms_status ms_update_fill_result(ms_study *study, ms_task *task);

#endif
