/* microslip ringdown: a measured record to frequency and damping against amplitude. */
#ifndef MS_APP_RINGDOWN_H
#define MS_APP_RINGDOWN_H

#include "cli.h"

/* A modal Iwan model fitted to the table. */
typedef struct ringdown_fit {
  ms_modal_form form;
  ms_modal_iwan model;
  ms_modal_fit_report report;
} ringdown_fit;

/* The request, and what came out. */
typedef struct ringdown_job {
  ms_context *ctx;
  const char *path, *csv, *plot;
  ms_record_request request;
  ms_ring_settings settings;
  unsigned forms; /* of the fit: 1 printed, 2 continuous */
  ms_theme theme;
  int json;

  ms_record record; /* without its offset, and filtered if a band was given */
  ms_decay decay;
  ms_ring_info info;
  ringdown_fit fit[2];
  int n_fit;
  ptrdiff_t n_left; /* rows without positive damping, which a fit leaves out */
} ringdown_job;

extern const char *const ringdown_form_name[2];

/* ringdown_args.c */
ms_status ringdown_read_arguments(ringdown_job *job, int argc, char **argv);
/* ringdown_print.c */
ms_status ringdown_print(const ringdown_job *job);
ms_status ringdown_write_csv(const ringdown_job *job);
/* ringdown_plot.c */
ms_status ringdown_plot(const ringdown_job *job);

#endif
