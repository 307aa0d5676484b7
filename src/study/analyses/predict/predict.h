/* The analysis `predict`: hits that no calibration has seen, simulated by several models. */
#ifndef MS_STUDY_ANALYSES_PREDICT_PREDICT_H
#define MS_STUDY_ANALYSES_PREDICT_PREDICT_H

#include "study/analyses/calibrate/calibrate.h"
#include "study/analyses/fit_modal/fit_modal.h"
#include "study/analyses/hammer_test/hammer_test.h"

/* A hit by a model. */
typedef struct ms_predicted {
  ms_decay *decay; /* of each mode of the test; empty where the model or the hit has none */
  ms_transient_quality quality; /* of modes alone, the worst of each kind */
} ms_predicted;

typedef struct ms_prediction {
  const ms_task *test;
  const ms_task **by; /* calibrate or fit_modal */
  ptrdiff_t n_by;
  ms_modal_form form;      /* of the modal models */
  ms_predicted *predicted; /* hit + n_hit*by */
  ptrdiff_t n_predicted;
  int n_mode; /* of the test, which is closed before this */
} ms_prediction;

static inline const ms_hammer_product *ms_prediction_test(const ms_prediction *p) {
  return p->test->product;
}

/* NULL where the model gives none. */
static inline const ms_decay *ms_prediction_get(const ms_prediction *p, ptrdiff_t by, ptrdiff_t h,
                                                ptrdiff_t m) {
  const ms_decay *d = &p->predicted[h + ms_prediction_test(p)->n_hit * by].decay[m];
  return d->n > 0 ? d : NULL;
}

/* result.c */
ms_status ms_prediction_fill_result(ms_study *study, ms_task *task);

#endif
