/* The analysis `modes`: what its options ask for, and what it leaves. */
#ifndef MS_STUDY_ANALYSES_MODES_MODES_H
#define MS_STUDY_ANALYSES_MODES_MODES_H

#include <microslip/update.h>

#include "study/model/fe/fe.h"
#include "study/file/options.h"
#include "study/analyses/shared/variants.h"

#define MS_TWO_PI 6.283185307179586

typedef struct ms_modes_options {
  ptrdiff_t full, shapes; /* full: after the check with the default */
  ms_numbers vtu;         /* modes from 1 */
  struct fy_node *variants;
} ms_modes_options;

/* A mode by its shape: the number counts the modes of its family from below. */
typedef struct ms_mode_family {
  const char *name; /* a literal */
  ptrdiff_t number;
  ms_motion motion;
} ms_mode_family;

typedef struct ms_modes_product {
  ms_mode_pairs pairs;
  ms_fe_modes stuck, slipped; /* of the full model; the same arrays where no joint can slip */
  ms_mode_family *family;     /* of each stuck mode, of finite elements */
  ms_variants variants;
  ms_result_table *varied; /* a row for every variant and mode; NULL without */
} ms_modes_product;

/* finite_elements.c: the full model beside the reduced one, files and families; and the part of the
   other processes in it. */
ms_status ms_modes_run_fe(ms_study *study, const ms_task *task);
ms_status ms_modes_help_fe(ms_study *study, const ms_task *task);
void ms_modes_free_full(ms_context *ctx, ms_modes_product *product);
ms_status ms_modes_result_fe(ms_study *study, ms_task *task);
/* shapes.c: the first elastic modes as bodies that can be turned. */
ms_status ms_modes_show_shapes(const ms_study *study, const ms_mode_family *family, ms_page *page);

#endif
