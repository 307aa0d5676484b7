/* The analysis `transient`: what its options ask for, and what its run leaves. */
#ifndef MS_STUDY_TRANSIENT_H
#define MS_STUDY_TRANSIENT_H

#include "study/channels.h"
#include "study/ringdown.h"

typedef struct ms_transient_product {
  ms_time_setting time;
  ms_study_load *load;
  int n_load;
  ms_channel channel[MS_MAX_CHANNEL];
  int n_channel;
  ptrdiff_t every;
  double *u, *v, *preload; /* NULL where not given */
  int release;
  ms_sheet *table, *energy;
  ms_transient_energy last;
  ms_transient_count count;
  ms_transient_quality quality;
} ms_transient_product;

/* transient_run.c, transient_report.c */
ms_status ms_transient_analysis_run(ms_study *study, ms_task *task);
void ms_transient_analysis_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_transient_analysis_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
