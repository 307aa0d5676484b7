/* The analysis `rod`. */
#ifndef MS_STUDY_ANALYSES_ROD_ROD_H
#define MS_STUDY_ANALYSES_ROD_ROD_H

#include <microslip/rod.h>

#include "study/study.h"

typedef struct ms_rod_product {
  ms_pressure *pressure;
  ms_rod_cycle *run;
  ptrdiff_t n_run;
  ptrdiff_t map; /* n of the runs whose displacements are kept; 0: none */
  int counts[3]; /* of n, alpha, omega */
  ms_result_table *table, *cycle, *displacement;
} ms_rod_product;

/* result.c */
ms_status ms_rod_result(ms_study *study, ms_task *task);

#endif
