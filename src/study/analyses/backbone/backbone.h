/* The analysis `backbone`: frequency and damping of modes against amplitude by several methods. */
#ifndef MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H
#define MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H

#include <microslip/backbone.h>

#include "study/analyses/shared/curves.h"

typedef struct ms_backbone {
  /* options */
  int *mode;
  int n_mode;
  const ms_backbone_method **method;
  int n_method;
  const ms_backbone_method *reference;
  double **level; /* for each mode */
  ptrdiff_t *n_level;
  int *guessed; /* whether they are the default */
  ms_backbone_setting setting;
  double *preload, *push;            /* of the setting, NULL where not given */
  const ms_task *from;               /* the modal_ringdown; NULL if none is read */
  struct fy_node *ringdown, *sweeps; /* keys from and sweeps; NULL where absent */
  /* results */
  ms_backbone_curve *curve; /* [method + n_method*mode] */
  ptrdiff_t n_curve;
  ms_curves stft; /* the runs of `from` once more */
  ms_result_table *table, *curves, *differences, *derivatives;
} ms_backbone;

/* options.c */
ms_status ms_backbone_read(ms_study *study, ms_task *task);
enum { MS_BACKBONE_KEYS = 14 };
extern const ms_param ms_backbone_keys[MS_BACKBONE_KEYS];
int ms_backbone_has(const ms_backbone *b, const char *method);

/* time.c: the methods that read what earlier analyses simulated */
ms_status ms_backbone_check_sources(ms_study *study, const ms_task *task, ms_backbone *b);
int ms_backbone_reads_sweep(const ms_backbone *b, const ms_task *other);
ms_status ms_backbone_gather(ms_study *study, const ms_task *task, ms_backbone *b);

/* result.c */
ms_status ms_backbone_result(ms_study *study, ms_task *task);

#endif
