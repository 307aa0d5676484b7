/* What the analysis `modes` leaves. */
#ifndef MS_STUDY_ANALYSES_MODES_MODES_H
#define MS_STUDY_ANALYSES_MODES_MODES_H

#include <microslip/update.h>

#include "study/model/fe/fe.h"
#include "study/file/options.h"
#include "study/analyses/shared/variants.h"

/* A mode by its shape: the number counts the modes of its family from below. */
typedef struct ms_mode_family {
  const char *name; /* a literal */
  ptrdiff_t number;
  ms_motion motion;
} ms_mode_family;

typedef struct ms_modes_product {
  ptrdiff_t n_full;  /* modes of the full model that are asked for */
  ptrdiff_t n_shape; /* shapes in the table of shapes, at most */
  ms_numbers vtu;    /* modes whose shapes are written, from 1 */
  ms_mode_pairs pairs;
  ms_fe_modes stuck, slipped; /* of the full model */
  ms_mode_family *family;     /* of each stuck mode, of finite elements */
  ms_variants variants;
  ms_result_table *varied; /* a row for every variant and mode; NULL without */
} ms_modes_product;

/* finite_elements.c: the full model beside the reduced one, and pictures. */
ms_status ms_modes_run_fe(ms_study *study, const ms_task *task, ms_modes_product *product);
/* The part of the other processes in it. */
ms_status ms_modes_help_fe(ms_study *study, ms_task *task);
ms_status ms_modes_result_fe(ms_study *study, ms_task *task);
/* shapes.c: the first elastic modes as bodies that can be turned. */
ms_status ms_modes_show_shapes(const ms_study *study, const ms_modes_product *product,
                               ms_page *page);
/* families.c: bending, torsion, axial, ... */
ms_status ms_modes_find_families(ms_study *study, ms_modes_product *product);
ms_status ms_modes_result_families(ms_study *study, ms_task *task);
/* variants.c: modes of the structure with other numbers in the file. */
ms_status ms_modes_run_variants(ms_study *study, const ms_task *task, ms_modes_product *product);
void ms_modes_result_variants(const ms_study *study, ms_task *task);

#endif
