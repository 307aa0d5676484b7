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

typedef struct ms_modes_product {
  ms_mode_pairs pairs;
  ms_fem_modes stuck, slipped; /* of the full model; the same arrays where no joint can slip */
  ms_mode_family *family;      /* of each stuck mode, of finite elements */
  const char **family_name;    /* their texts */
  ms_variants variants;
  ms_result_table *varied; /* a row for every variant and mode; NULL without */
} ms_modes_product;

/* finite_elements.c: the full model beside the reduced one, files and families; and the part of the
   other processes in it. */
ms_status ms_modes_run_fe(ms_study *study, const ms_task *task);
ms_status ms_modes_help_fe(ms_study *study, const ms_task *task);
void ms_modes_free_full(ms_study *study, ms_modes_product *product);
ms_status ms_modes_result_fe(ms_study *study, ms_task *task);
/* picture.c: a table with a row for each stuck mode shows those without frequency on request. */
void ms_modes_fold(const ms_study *study, ms_result_table *table);
/* picture.c: shapes of modes in the report. Who draws fills the shape but for its modes, and says
   how its nodes move in a shape of the structure: u, 3 x nodes, is zero at first. */
typedef struct ms_mode_picture {
  ms_shape shape;
  ptrdiff_t most; /* elastic modes */
  ms_status (*move)(void *scene, const double *phi, double *u);
  void *scene;
} ms_mode_picture;
ms_status ms_modes_add_picture(const ms_study *study, const ms_modes_product *product,
                               const char *caption, const ms_mode_picture *picture, ms_page *page);
/* shapes.c: the surfaces of finite elements; picture.c: chains and beams. */
ms_status ms_modes_show_shapes(const ms_study *study, const ms_modes_product *product,
                               ms_page *page);
ms_status ms_modes_show_schematic(const ms_study *study, const ms_modes_product *product,
                                  ms_page *page);

#endif
