/* The analysis `identify_density`. Letters as in docs/theory/density.md. */
#ifndef MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H
#define MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H

#include <microslip/density_estimate.h>

#include "study/analyses/shared/rows.h"

typedef struct ms_density_options {
  const char *file;
  const ms_task *from, *loops; /* NULL: a file; none */
  int joint, compare;          /* -1: none */
  struct fy_node *columns, *preloads;
  const char *amplitude, *loss, *deviation; /* columns of the file */
  ptrdiff_t mode, knots;                    /* mode: of `from`, from 1; -1: its first */
  double window[2], noise, level, trust, stiffness, tolerance;
  int rest; /* ms_density_rest */
  double load;
  ms_numbers other_loads;
  struct fy_node *load_stiffness;
} ms_density_options;

/* The density at another preload: every slip displacement times phi, every density times rho. */
typedef struct ms_preload {
  double to;              /* N */
  double named;           /* `to` as the file has it */
  double load, stiffness; /* ratios */
  double phi, rho;
  char ending[32]; /* of the table of its density */
} ms_preload;

typedef struct ms_pairs {
  ms_loop_pair *pair;  /* amplitudes rise */
  ptrdiff_t n, *first; /* of each loop the first row in the table it comes from, which u has, too */
  double *u, *f, *predicted;
} ms_pairs;

enum { MS_PRELOADS = 8 };

typedef struct ms_identified {
  double K_T; /* 0: not known */
  ms_preload preload[MS_PRELOADS];
  int n_preload;
  ms_pairs pairs;
  ms_losses losses;
  ms_density_identified found;
} ms_identified;

/* dissipation.c: samples of a table beside the study, at its check; of an earlier analysis. */
ms_units ms_losses_units(const ms_study *study, const ms_density_options *o);
int ms_losses_need_joint(const ms_task *from);
ms_status ms_losses_read(const ms_study *study, const ms_task *task, ms_losses *losses);
ms_status ms_losses_gather(const ms_study *study, const ms_task *task, ms_losses *losses);

/* result.c */
ms_status ms_identified_judge(ms_study *study, ms_task *task);
ms_status ms_identified_fill_result(ms_study *study, ms_task *task);

#endif
