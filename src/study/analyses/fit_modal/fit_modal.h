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

/* report.c */
ms_status ms_fits_tabulate(ms_study *study, const ms_task *task, const ms_fits *fits);
ms_status ms_fits_judge(ms_study *study, ms_task *task);
void ms_fits_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_fits_report(const ms_study *study, const ms_task *task, ms_page *page);

/* The fit of a mode in a form, NULL if there is none. */
const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form);
/* Its curve over amplitudes from low to high; out->q is the caller's to ms_free. */
ms_status ms_fitted_curve(ms_context *ctx, const ms_fitted *fit, double low, double high,
                          ms_points *out);

/* analyses/modal_iwan/modal_iwan.c: a modal model as a structure of one coordinate, set up. */
ms_status ms_fitted_make(ms_context *ctx, const ms_modal_iwan *model, ms_structure **out);

#endif
