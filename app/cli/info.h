/* microslip info: what its files share. */
#ifndef MS_APP_INFO_H
#define MS_APP_INFO_H

#include "cli.h"

/* Of a channel; judged only where it is a history that is evenly sampled. */
typedef struct info_channel {
  const ms_measurement_channel *is;
  int judged;
  ms_judgement found; /* in the unit of the file */
} info_channel;

typedef struct info_job {
  ms_context *ctx;
  const char *path, *plot;
  ms_measurement_request request;
  ms_theme theme;
  int json;
  ms_measurement *file;
  info_channel *channel;
  ptrdiff_t n;
} info_job;

/* "force", "frequency response", "unknown": what a channel is. */
const char *info_type(const ms_measurement_channel *c);
/* Its unit, "" if the file has none. */
const char *info_unit(const ms_measurement_channel *c);

/* ---- info_print.c, info_plot.c ---- */

ms_status info_print(const info_job *job);
ms_status info_plot(const info_job *job);

#endif
