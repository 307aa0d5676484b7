/* The analysis `rod`. */
#ifndef MS_STUDY_ANALYSES_ROD_ROD_H
#define MS_STUDY_ANALYSES_ROD_ROD_H

#include <microslip/rod.h>

#include "study/study.h"

enum { MS_ROD_SAMPLES = 400 }; /* of the last cycle */

/* One run: its last cycle. Rows of `sample`: tau, force, u(0), power of friction. */
typedef struct ms_rod_run {
  ptrdiff_t n;
  double alpha, omega;
  double work, residual;
  double rescued, solves; /* steps that were; solutions a step */
  double *sample;         /* 4 x MS_ROD_SAMPLES */
  double *map;            /* n x MS_ROD_SAMPLES displacements; NULL if they are not asked for */
} ms_rod_run;

typedef struct ms_rod_product {
  ms_pressure *pressure;
  ms_rod_run *run;
  ptrdiff_t n_run, steps, cycles;
  ptrdiff_t map; /* n of the runs whose displacements are kept; 0: none */
  int counts[3]; /* of n, alpha, omega */
  ms_result_table *table, *cycle, *displacement;
} ms_rod_product;

ms_status ms_rod_tabulate(ms_study *study, const ms_task *task, ms_rod_product *p);
void ms_rod_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_rod_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
