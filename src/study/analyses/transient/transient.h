/* The analysis `transient`: what its options ask for, and what its run leaves. */
#ifndef MS_STUDY_ANALYSES_TRANSIENT_TRANSIENT_H
#define MS_STUDY_ANALYSES_TRANSIENT_TRANSIENT_H

#include <microslip/recording.h>

#include "study/model/loads.h"
#include "study/analyses/shared/time_options.h"

typedef struct ms_transient_product {
  ms_time_setting time;
  ms_study_load *load;
  ms_acting_load *acting; /* the same as a run takes them */
  int n_load;
  ms_channels channels;
  ptrdiff_t every;
  double *u, *v, *preload; /* NULL where not given */
  int release;
  ms_result_table *table, *energy, *contacts; /* contacts: between solids, else NULL */
  ms_transient_energy last;
  ms_transient_count count;
  ms_transient_quality quality;
} ms_transient_product;

/* Rows that the run will record, and the time between two of them. */
static inline ptrdiff_t ms_transient_count_rows(const ms_transient_product *p) {
  return ms_signal_decimated_length(p->time.steps + 1, p->every);
}
static inline double ms_transient_row_step(const ms_transient_product *p) {
  return p->time.step * (double)p->every;
}

/* The column of its table of a channel that it records; refused at `node` where it does not. The
   samples of a column, whatever they are, once it has run. */
ms_status ms_transient_find_column(const ms_study *study, struct fy_node *node, const ms_task *from,
                                   const char *name, int *column);
ms_signal ms_transient_get_signal(const ms_task *from, int column);

ms_status ms_transient_analysis_run(ms_study *study, ms_task *task);
ms_status ms_transient_analysis_result(ms_study *study, ms_task *task);

#endif
