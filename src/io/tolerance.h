/* What the readers of records allow for; see microslip/tolerance.h. */
#ifndef MS_IO_TOLERANCE_H
#define MS_IO_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_IO_TOLERANCES(X) \
  X(rate, 1e-4, "relative difference between a sampling rate that is asked for and the file's")
typedef struct ms_io_tolerances {
  MS_IO_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_io_tolerances;
static const ms_io_tolerances ms_io_tol = { MS_IO_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
