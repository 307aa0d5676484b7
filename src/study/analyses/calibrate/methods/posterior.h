/* What the method `posterior` of `calibrate` has: a chain of samples, and what it says. */
#ifndef MS_STUDY_ANALYSES_CALIBRATE_METHODS_POSTERIOR_H
#define MS_STUDY_ANALYSES_CALIBRATE_METHODS_POSTERIOR_H

#include <microslip/posterior.h>

#include "study/analyses/calibrate/calibrate.h"

/* Parts of the samples that lie below: the lower end of a band, its middle, the upper end. */
enum { MS_BAND = 3 };
extern const double ms_band_part[MS_BAND];

/* What the samples make of a target: n points, one or two quantities. */
typedef struct ms_calibrate_band {
  ptrdiff_t n;
  double *quantile; /* [i + n*(b + MS_BAND*quantity)] */
  double *outline;  /* around the band, 2 n points: x, then each quantity */
} ms_calibrate_band;

struct ms_calibrate_chain {
  ptrdiff_t n_sample; /* walkers times steps that count */
  double *t;          /* scaled, n x walkers x (burn + steps) */
  double *p;          /* n x n_sample */
  ptrdiff_t accepted, proposed;
  ms_chain_report *report; /* of each parameter */
  double *quantile;        /* MS_BAND x n */
  double *correlation;     /* n x n */
  ms_calibrate_band *band; /* of each target */
};

/* analyses/calibrate/bands.c: from a few hundred of the samples, evenly. */
ms_status ms_calibrate_find_bands(ms_study *study, ms_calibrate *c);
ms_status ms_calibrate_help_bands(ms_study *study, ms_calibrate *c); /* the other processes */
ms_status ms_calibrate_tabulate_bands(ms_study *study, const ms_task *task, const ms_calibrate *c);
void ms_calibrate_close_bands(ms_study *study, ms_calibrate *c);

/* posterior_report.c: tables, summary and report of the method */
ms_status ms_calibrate_tabulate_samples(ms_study *study, const ms_task *task, ms_calibrate *c);
void ms_calibrate_summarise_samples(const ms_calibrate *c, ms_json *json);
ms_status ms_calibrate_judge_samples(ms_study *study, ms_task *task);
ms_status ms_calibrate_report_samples(const ms_study *study, const ms_calibrate *c, ms_page *page);

/* corner_plot.c: figures of the parameters, alone and two by two */
ms_status ms_calibrate_report_intervals(const ms_study *study, const ms_calibrate *c,
                                        ms_page *page);
ms_status ms_calibrate_report_corner(const ms_study *study, const ms_calibrate *c, ms_page *page);

#endif
