/* [io] Measured tests with a shaker: tables of a stepped sine. SI units, phases of the
   displacement against the force. */
#ifndef MICROSLIP_SHAKER_H
#define MICROSLIP_SHAKER_H

#include <microslip/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names of a table's columns; NULL: frequency, force, amplitude, phase. */
typedef struct ms_shaker_columns {
  const char *frequency, *force, *amplitude, *phase;
} ms_shaker_columns;

/* A stepped sine as it was measured: the force F cos(Omega t), and the displacement of a sensor
   A cos(Omega t + phase), first harmonics. Points are in the order of the file. */
typedef struct ms_shaker_table {
  ptrdiff_t n;
  double *omega, *force, *amplitude, *phase; /* rad/s, N, m, rad from -pi to pi */
  int *row;                                  /* line of the file */
  ms_record_kind kind;                       /* of the file's amplitude */
} ms_shaker_table;

/* Every heading says the unit: frequency in Hz, kHz or rad/s; force in N, mN, kN or lbf; phase in
   deg or rad; the amplitude's says what was measured, a displacement, a velocity or an acceleration
   (ms_record_parse_unit), which becomes a displacement with its phase. Refused are frequencies,
   forces and amplitudes that are not positive, with the line. *out is to be freed, and empty after
   a failure. */
MS_API ms_status ms_shaker_read(ms_context *ctx, const char *path, const ms_shaker_columns *columns,
                                ms_shaker_table *out);
MS_API void ms_shaker_free(ms_context *ctx, ms_shaker_table *table);

#ifdef __cplusplus
}
#endif
#endif
