/* The analysis `update`: numbers of the study file from measured modes. */
#ifndef MS_STUDY_ANALYSES_UPDATE_UPDATE_H
#define MS_STUDY_ANALYSES_UPDATE_UPDATE_H

#include <microslip/update.h>

#include "study/analyses/shared/multistart.h"
#include "study/model/variant.h"

enum { MS_UPDATE_UNKNOWNS = 32, MS_UPDATE_PLACES = 128 };

/* A number of the file that an unknown moves: it stays `ratio` times the unknown. */
typedef struct ms_update_place {
  const char *path; /* owned by the document */
  ptrdiff_t unknown;
  double ratio;
} ms_update_place;

typedef struct ms_update ms_update;

/* What a model of one thread needs: ms_update_build_variant's user. */
typedef struct ms_update_builder {
  const ms_study *study;
  const ms_update *update;
  ms_context *ctx;
  ptrdiff_t start, builds; /* for progress, where structures are reduced anew */
} ms_update_builder;

struct ms_update {
  /* options */
  const ms_task *task;
  ms_fit_parameter *bound; /* its names are those of the file */
  double *start;           /* values in the file */
  ptrdiff_t n;
  ms_update_place place[MS_UPDATE_PLACES];
  ptrdiff_t n_place;
  int reduces; /* every evaluation reduces finite elements anew */
  struct fy_node *measured_node;
  ms_measured_modes measured; /* its arrays are in the next */
  double *omega, *deviation, *re, *im;
  ptrdiff_t *mode;
  int *row;
  char **sensor;
  double least_mac;
  ptrdiff_t starts;
  uint64_t seed;
  /* at the run */
  ms_context *ctx; /* of models on the study's thread: without progress of its own */
  ms_updating *main;
  ms_starts fits;
  ptrdiff_t best, agree,
      other;      /* other: a start that came to another point that is as good, or -1 */
  double scatter; /* by which the deviations are too small: 1 at least */
  ms_fit_judgement judgement;
  ms_mode_pair *before, *after;
  double *mac[2]; /* n x n_mac[i]; NULL without shapes */
  double *model_omega[2];
  ptrdiff_t n_mac[2];
  ms_result_table *table, *modes;
};

/* options.c */
ms_status ms_update_check(ms_study *study, ms_task *task);
enum { MS_UPDATE_KEYS = 8 };
extern const ms_param ms_update_keys[MS_UPDATE_KEYS];
/* measured_modes.c: keys of `measured`, where it is a mapping, and what it says. */
extern const ms_param_list ms_update_measured_keys;
ms_status ms_update_read_measured(ms_study *study, struct fy_node *node, double deviation,
                                  ms_update *u);
void ms_update_free_measured(ms_context *ctx, ms_update *u);

/* run.c */
ms_status ms_update_search(ms_study *study, ms_task *task);
/* What the other processes do where structures are reduced anew. */
ms_status ms_update_help(ms_study *study, ms_task *task);
ms_status ms_update_build_variant(void *user, const double *p, ms_structure **out);
const double *ms_update_best(const ms_update *u);

/* report.c */
ms_status ms_update_tabulate(ms_study *study, const ms_task *task, ms_update *u);
ms_status ms_update_judge(ms_study *study, ms_task *task);
void ms_update_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_update_report(const ms_study *study, const ms_task *task, ms_page *page);
/* updated_lines.c: the lines of the file with the new numbers; *out is the caller's. */
ms_status ms_update_write_lines(const ms_study *study, const ms_update *u, char **out);

#endif
