/* What the readers of records share: record.c for all formats, one file for each. */
#ifndef MS_IO_RECORD_H
#define MS_IO_RECORD_H

#include "io/internal.h"

typedef struct ms_record_reader {
  ms_context *ctx;
  const char *path;
  const ms_record_request *request;
  ms_record *out;
} ms_record_reader;

/* ---- record_units.c ---- */

/* "" and what programs write for it. */
int ms_record_says_nothing(const char *text);
/* Whether it is a unit of a motion; kind and factor if so. */
int ms_record_knows_unit(const char *unit, ms_record_kind *kind, double *factor);
int ms_record_knows_force(const char *unit, double *factor);
/* N in a unit of force. */
ms_status ms_record_parse_force(ms_context *ctx, const char *unit, double *factor);
/* Seconds in the unit of an axis of time, 0 if it is not known. */
double ms_record_time_factor(const char *unit);

/* ---- record.c ---- */

/* Kind and unit, from the request, else from the file's unit and kind; they must agree. */
ms_status ms_record_find_scale(const ms_record_reader *r, const char *file_unit,
                               ms_record_kind file_kind);
/* A scaled copy. */
ms_status ms_record_take_samples(const ms_record_reader *r, const double *x, ptrdiff_t n);
/* Which row is not where an even grid has it; 0 if all are. */
ptrdiff_t ms_record_find_uneven(ptrdiff_t n, const double *t, double *dt);
/* where: line of row k, or its number where lines do not tell. */
ms_status ms_record_refuse_uneven(const ms_record_reader *r, const double *t, ptrdiff_t k,
                                  double dt, const char *where);

/* Names of the channels, for messages and to look one up. */
typedef struct ms_record_names {
  const char *(*name)(const void *list, int i);
  const void *list;
  int n;
} ms_record_names;

/* The channel that was asked for is none of them, or none was asked for. */
ms_status ms_record_refuse_channel(const ms_record_reader *r, const ms_record_names *all);

/* ---- record_table.c, record_uff.c ---- */

ms_status ms_record_read_table(const ms_record_reader *r);
ms_status ms_record_read_uff(const ms_record_reader *r);

#endif
