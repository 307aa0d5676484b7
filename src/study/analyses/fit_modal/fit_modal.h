/* What fit_modal leaves for others. */
#ifndef MS_STUDY_ANALYSES_FIT_MODAL_FIT_MODAL_H
#define MS_STUDY_ANALYSES_FIT_MODAL_FIT_MODAL_H

#include "study/analyses/shared/curves.h"

typedef struct ms_fitted {
  int mode;
  ms_modal_form form;
  ms_modal_iwan model;
  ms_modal_fit_report report;
  ptrdiff_t left_out; /* points that do not decay, which no fit can use */
} ms_fitted;

typedef struct ms_fits {
  const ms_task *from;
  ms_fitted *fit;
  int n;
  ms_modal_fit_setting setting;
  int forms; /* bit 0 printed, bit 1 continuous */
} ms_fits;

extern const char *const ms_form_name[]; /* by ms_modal_form */

/* result.c */
ms_status ms_fits_judge(ms_study *study, ms_task *task);
ms_status ms_fits_fill_result(ms_study *study, ms_task *task);

/* The fit of a mode in a form, NULL if there is none. */
const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form);
#endif
