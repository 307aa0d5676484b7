/* What fit_modal leaves for others. */
#ifndef MS_STUDY_ANALYSES_FIT_MODAL_FIT_MODAL_H
#define MS_STUDY_ANALYSES_FIT_MODAL_FIT_MODAL_H

#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"

typedef struct ms_fitted {
  int mode;
  ms_modal_form form;
  ms_modal_iwan model;
  ms_modal_fit_report report;
  ptrdiff_t left_out; /* points that do not decay, which no fit can use */
} ms_fitted;

typedef struct ms_fits {
  ms_fitted *fit;
  int n;
} ms_fits;

/* The fit of a mode in a form, NULL if there is none. */
const ms_fitted *ms_fits_find(const ms_fits *fits, int mode, ms_modal_form form);
/* The analysis whose curves a fit_modal fits. */
const ms_task *ms_fits_source(const ms_task *fits);
/* Whether it fits that form, which `task` asks for; without a key `form` the complaint is at `at`.
 */
ms_status ms_fits_check_form(const ms_study *study, const ms_task *task, struct fy_node *at,
                             const ms_task *fits, ms_modal_form form);

#endif
