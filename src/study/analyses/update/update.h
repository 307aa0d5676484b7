/* The analysis `update`: numbers of the study file from measured modes. */
#ifndef MS_STUDY_ANALYSES_UPDATE_UPDATE_H
#define MS_STUDY_ANALYSES_UPDATE_UPDATE_H

#include "identify/update/search.h"
#include "study/analyses/shared/multistart.h"
#include "study/analyses/shared/rows.h"
#include "study/model/variant.h"

enum { MS_UPDATE_PLACES = 128 };

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
  ms_fit_parameter *bound; /* its names are those of the file */
  double *start;           /* values in the file */
  ptrdiff_t n;
  ms_update_place place[MS_UPDATE_PLACES];
  ptrdiff_t n_place;
  int reduces; /* every evaluation reduces finite elements anew */
  ms_measured_table measured;
  ptrdiff_t starts;
  ms_update_found found; /* at the run; looks: as the file has it, and updated */
} ms_update;

/* update.c: the places of the file at these numbers; value: n_place. */
void ms_update_set_places(const ms_update *u, const double *p, ms_yaml_value *value);

/* result.c */
ms_status ms_update_judge(ms_study *study, ms_task *task);
ms_status ms_update_fill_result(ms_study *study, ms_task *task);

#endif
