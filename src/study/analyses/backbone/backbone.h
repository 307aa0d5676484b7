/* The analysis `backbone`: frequency and damping of modes against amplitude by several methods. */
#ifndef MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H
#define MS_STUDY_ANALYSES_BACKBONE_BACKBONE_H

#include <microslip/backbone.h>

#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"

#define MS_BACKBONE_STIFFER 10.0 /* times the stiffness of a layer */

/* contact.c: what curves with contact between solids have beside others; nothing without. */
ms_status ms_backbone_result_contact(ms_study *study, ms_task *task);
/* ms_backbone_run of a worker's job: its checkpoints hold the levels that have ended. */
ms_status ms_backbone_run_kept(const ms_worker *worker, ms_backbone_setting *setting,
                               ms_backbone_curve *curve);

typedef struct ms_backbone_options {
  ms_mode_list modes;  /* after the check without rigid-body modes, */
  ms_chosen methods;   /* with the default, */
  const ms_task *from; /* the modal_ringdown or shock that is read, NULL for none, */
  ms_task_list sweeps; /* and the sweeps */
  struct fy_node *amplitudes, *settle;
  ptrdiff_t sensor;
  int reference, sensitivities;
  ptrdiff_t harmonics, times;
  double tolerance;
  double amplitude; /* of settle */
  int layer_check, vtu;
  ptrdiff_t cycles;
  double *preload;
  ms_weights at;
} ms_backbone_options;

/* Of one mode. */
typedef struct ms_backbone_levels {
  double *q;
  ptrdiff_t n;
  int guessed; /* whether they are the default */
} ms_backbone_levels;

typedef struct ms_backbone {
  ms_backbone_setting setting;
  const ms_backbone_method *reference;
  ms_backbone_levels *level; /* of each mode */
  ms_backbone_curve *curve;  /* [method + n_method*mode] */
  ptrdiff_t n_curve;
  ms_curves stft; /* the runs of `from` once more */
} ms_backbone;

int ms_backbone_has(const ms_backbone_options *o, const char *method);

/* time.c: the methods that read what earlier analyses simulated. */
ms_status ms_backbone_find_sources(ms_study *study, const ms_task *task, ms_backbone_options *o);
ms_status ms_backbone_gather(ms_study *study, const ms_task *task);

/* result.c */
ms_status ms_backbone_result(ms_study *study, ms_task *task);

#endif
