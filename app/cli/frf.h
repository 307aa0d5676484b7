/* microslip frf: what its files share. */
#ifndef MS_APP_FRF_H
#define MS_APP_FRF_H

#include "cli.h"

/* A record: force and sensors, SI. */
typedef struct impact {
  ptrdiff_t n, n_x;
  double dt, **x;
} impact;

typedef struct frf_name {
  char text[64];
} frf_name;

typedef struct frf_job {
  ms_context *ctx;
  const char **path, *drive, *force, *csv;
  ptrdiff_t n_path;
  ms_measurement_request request;
  ms_frf_fit_settings settings;
  int json;
  int responses;   /* the file has them; else they are estimated from impacts */
  char hammer[64]; /* of impacts */
  impact *impact;
  frf_name *name;                 /* of the sensors */
  ptrdiff_t n_sensor, n_line, at; /* at: the sensor at the force, -1: none */
  int derivative;
  double decay; /* of the window of impacts, 1/s */
  double *freq_hz, *H;
  ms_frf_fit fit;
  double *shape; /* real */
} frf_job;

/* frf_print.c: as tables or as JSON, and the table of modes. */
ms_status frf_print(const frf_job *job);

#endif
