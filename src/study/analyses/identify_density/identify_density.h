/* The analysis `identify_density`. Letters as in docs/theory/density.md. */
#ifndef MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H
#define MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H

#include <microslip/density_estimate.h>

#include "study/study.h"

/* The density at another preload: every slip displacement times phi, every density times rho. */
typedef struct ms_preload {
  double from, to;        /* N */
  double named;           /* `to` as the file has it */
  double load, stiffness; /* ratios */
  double phi, rho;
  char ending[32]; /* of the table of its density */
} ms_preload;

typedef struct ms_pairs {
  const ms_task *from; /* NULL: none */
  double tolerance;
  ms_loop_pair *pair;  /* amplitudes rise */
  ptrdiff_t n, *first; /* of each loop the first row in the table of `from`, which u has, too */
  double *u, *f, *predicted;
} ms_pairs;

enum { MS_PRELOADS = 8 };

typedef struct ms_identified {
  /* options */
  const ms_task *from; /* analysis whose losses these are; NULL: a file */
  int joint, mode;     /* of `from`; -1: none, 0: its first */
  ms_density_rest rest;
  double K_T;       /* 0: not known */
  double window[2]; /* amplitudes that are used */
  int compare;      /* joint to lay over; -1: none */
  ms_density_estimate_setting setting;
  ms_preload preload[MS_PRELOADS];
  int n_preload;
  ms_pairs pairs;
  /* what comes out */
  ms_losses losses;
  ms_density_identified found;
} ms_identified;

/* dissipation.c. Keys of `columns`. Samples of a table beside the study; of an earlier analysis.
 */
extern const ms_param_list ms_losses_columns;
ms_status ms_losses_read(const ms_study *study, const ms_task *task, struct fy_node *file,
                         const ms_units *units, ms_identified *p);
/* Whether losses can be had from that kind of analysis, and of which joint they are must be said.
 */
int ms_losses_has(const ms_task *from, int *needs_joint);
ms_status ms_losses_gather(const ms_study *study, const ms_task *task, ms_identified *p);

/* result.c */
ms_status ms_identified_judge(ms_study *study, ms_task *task);
ms_status ms_identified_fill_result(ms_study *study, ms_task *task);

#endif
