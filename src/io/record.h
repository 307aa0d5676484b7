/* What records and measured data share. */
#ifndef MS_IO_RECORD_H
#define MS_IO_RECORD_H

#include "io/internal.h"

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

/* Which row is not where an even grid has it; 0 if all are. */
ptrdiff_t ms_record_find_uneven(ptrdiff_t n, const double *t, double *dt);

#endif
