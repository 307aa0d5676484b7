/* The analysis `identify_density`. Letters as in docs/theory/density.md. */
#ifndef MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H
#define MS_STUDY_ANALYSES_IDENTIFY_DENSITY_IDENTIFY_DENSITY_H

#include <microslip/density.h>
#include <microslip/density_estimate.h>

#include "study/study.h"

/* Losses against amplitude, SI, rising; one block in A. */
typedef struct ms_losses {
  ptrdiff_t n;
  double *A, *D, *deviation;
  int has_deviation;
  ptrdiff_t left_out; /* samples without a loss, which no density explains, and those outside the
                         window */
} ms_losses;

/* The density at another preload: every slip displacement times phi, every density times rho. */
typedef struct ms_preload {
  double from, to;        /* N */
  double named;           /* `to` as the file has it */
  double load, stiffness; /* ratios */
  double phi, rho;
  ms_result_table *density;
} ms_preload;

/* A loop of an earlier analysis beside that of the density. */
typedef struct ms_paired {
  const char *source;
  double amplitude, force; /* peak, of the earlier one */
  double difference;       /* rms over that force */
  double loss, predicted;
  ptrdiff_t first, rows; /* in the table of loops */
} ms_paired;

typedef struct ms_pairs {
  const ms_task *from; /* NULL: none */
  double tolerance;
  ms_paired *pair; /* amplitudes rise */
  ptrdiff_t n;
  double trusted; /* amplitude up to which all agree; 0: none does */
  ms_result_table *loops, *levels;
} ms_pairs;

enum { MS_PRELOADS = 8 };

typedef struct ms_identified {
  /* options */
  const ms_task *from; /* analysis whose losses these are; NULL: a file */
  int joint, mode;     /* of `from`; -1: none, 0: its first */
  const char *rest;    /* what becomes of stiffness that no loss shows */
  double K_T;          /* 0: not known */
  double window[2];    /* amplitudes that are used */
  int compare;         /* joint to lay over; -1: none */
  ms_density_estimate_setting setting;
  ms_preload preload[MS_PRELOADS];
  int n_preload;
  ms_pairs pairs;
  /* what comes out */
  ms_losses losses;
  ms_density_estimate estimate;
  ms_density_table table; /* as iwan_table takes it, from 0 on */
  double shown, added;    /* stiffness of the sliders seen, and what was added */
  double *own;            /* of the joint `compare`: density at the knots, losses at the samples */
  ms_result_table *points, *density;
} ms_identified;

/* dissipation.c. Keys of `columns`. Samples of a table beside the study; of an earlier analysis.
 */
extern const ms_param_list ms_losses_columns;
ms_status ms_losses_read(const ms_study *study, const ms_task *task, struct fy_node *file,
                         const ms_units *units, ms_losses *out);
/* Whether losses can be had from that kind of analysis, and of which joint they are must be said.
 */
int ms_losses_has(const ms_task *from, int *needs_joint);
ms_status ms_losses_gather(const ms_study *study, const ms_task *task, ms_losses *out);
/* Those outside an amplitude [low, high] are left out too. */
void ms_losses_cut(ms_losses *losses, const double window[2]);
void ms_losses_free(ms_context *ctx, ms_losses *losses);

/* preload.c: keys of `preloads`, and these. */
extern const ms_param_list ms_preloads_keys;
ms_status ms_preloads_read(const ms_study *study, struct fy_node *node, ms_identified *p);
ms_status ms_preloads_tabulate(ms_study *study, const ms_task *task, ms_identified *p);
void ms_preloads_summarise(const ms_identified *p, ms_json *json);
ms_status ms_preloads_report(const ms_study *study, const ms_identified *p, ms_page *page);

/* loops.c: the analysis that `loops` names; NULL: none. */
ms_status ms_pairs_read(const ms_study *study, const ms_task *task, struct fy_node *loops,
                        ms_pairs *out);
ms_status ms_pairs_run(ms_study *study, const ms_task *task, ms_identified *p);
void ms_pairs_summarise(const ms_identified *p, ms_json *json);
ms_status ms_pairs_report(const ms_study *study, const ms_identified *p, ms_page *page);

/* report.c */
/* A table of densities as iwan_table reads it, in NAME<ending>. */
ms_status ms_identified_tabulate_density(ms_study *study, const ms_task *task, const char *ending,
                                         const ms_preload *at, ms_result_table **out);
ms_status ms_identified_tabulate(ms_study *study, const ms_task *task);
ms_status ms_identified_judge(ms_study *study, ms_task *task);
void ms_identified_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_identified_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
