/* [io] Measured data: what a file of a test holds, whoever wrote it, in one form. */
#ifndef MICROSLIP_MEASUREMENT_H
#define MICROSLIP_MEASUREMENT_H

#include <microslip/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function that was measured at one place: a time history, a spectrum, a frequency response.
   Texts are UTF-8, "" where the file says nothing. */
typedef struct ms_measurement_channel {
  char name[64];       /* no other channel of the file has it */
  char id[162];        /* a line of text or the heading as it stands */
  ms_record_kind kind; /* from the file's type, else from the unit; else unknown, not guessed */
  char unit[48];       /* of y, as in the file */
  double factor;       /* SI units in one of it; 0 where it is not known */
  int type;            /* as of ms_uff58_function: 1 time response, 4 frequency response, ... */
  int is_complex;
  ptrdiff_t n;
  const double *y; /* n, or n pairs, in `unit`; owned by the file */
  /* Where each stands: first + k*step, or x[k] where x is not NULL; in `x_unit`, of which one is
     x_factor s (functions of time) or Hz; 0 where that unit is not known. A step of 0: unknown. */
  const double *x;
  double first, step, x_factor;
  char x_name[42], x_unit[42];
  int is_rounded; /* 1: the step has six digits; a rate that agrees with it may have more */
  /* Sample `uneven` (from 1) is not where an even grid has it, or comes before the one before it;
     0: all are even. uneven_line: of the file, or 0. */
  ptrdiff_t uneven, uneven_line;
  int node, direction; /* 1 to 3: +x, +y, +z; 4 to 6 rotations; negative: -; 0: unknown */
  int reference_node, reference_direction;
  char place[32], response_name[22]; /* "12+Z"; as of ms_uff58_function */
  int has_position;
  double position[3]; /* m */
  ptrdiff_t line;     /* of the file where it begins, 0 where that says nothing */
} ms_measurement_channel;

/* A point of the geometry: label and position in m. */
typedef struct ms_measurement_node {
  ptrdiff_t label;
  double x[3];
} ms_measurement_node;

/* A line of the geometry through nodes; a label of 0 lifts the pen. */
typedef struct ms_measurement_trace {
  char name[162];
  ptrdiff_t n;
  const ptrdiff_t *label;
} ms_measurement_trace;

/* A shape (dataset 55): n nodes with `width` values each, twice as many if complex. */
typedef struct ms_measurement_shape {
  char id[162];
  int type; /* 2 normal mode, 3 complex mode, 5 frequency response, ...; 0 unknown */
  ptrdiff_t mode;
  double frequency, damping; /* Hz, ratio; 0 where the file has none */
  double modal_mass;
  int is_complex, width;
  ptrdiff_t n;
  const ptrdiff_t *label;
  const double *value; /* value[j + w*i] of node i, where w is width, or 2*width if complex */
} ms_measurement_shape;

typedef struct ms_measurement ms_measurement;

typedef struct ms_measurement_request {
  double rate_hz;    /* of a file that says no times; 0: none */
  const char *table; /* a channel table; NULL: FILE.channels.csv, if it is there */
} ms_measurement_request;

/* Reads all of a file; the format is chosen by its ending (see measured.def): tables as acquisition
   systems and spreadsheets write them (.csv, .tsv, .txt, .dat, .lvm), universal files (.uff, .unv,
   .uf, .58), MATLAB (.mat, versions 5 to 7.3), NumPy (.npz). docs/guide/measured.md says what is
   understood. request may be NULL. Every failure says file, line (byte in binary data), what, and
   what would be right; *out is NULL then.
   A channel table has the columns channel (a name in the file, or a number, 1 the first), and any
   of name, kind, unit, node, direction, x, y, z; its words take the place of the file's. The kinds
   time and frequency make a channel the abscissa of the others with as many samples. */
MS_API ms_status ms_measurement_read(ms_context *ctx, const char *path,
                                     const ms_measurement_request *request, ms_measurement **out);
MS_API void ms_measurement_destroy(ms_measurement **file);

MS_API ptrdiff_t ms_measurement_get_count(const ms_measurement *file);
/* NULL if there is none with this index (from 0). Owned by the file. */
MS_API const ms_measurement_channel *ms_measurement_get(const ms_measurement *file,
                                                        ptrdiff_t index);
/* "csv", "uff", "mat", "npz". */
MS_API const char *ms_measurement_get_format(const ms_measurement *file);
/* The program that wrote it, or "" where the file does not say. */
MS_API const char *ms_measurement_get_writer(const ms_measurement *file);
/* The channel table that was read, "" if none. */
MS_API const char *ms_measurement_get_table(const ms_measurement *file);
/* What was noticed, a sentence each; NULL behind the last. */
MS_API const char *ms_measurement_get_remark(const ms_measurement *file, ptrdiff_t index);
/* Geometry and shapes; n of them, owned by the file. */
MS_API const ms_measurement_node *ms_measurement_get_nodes(const ms_measurement *file,
                                                           ptrdiff_t *n);
MS_API const ms_measurement_trace *ms_measurement_get_traces(const ms_measurement *file,
                                                             ptrdiff_t *n);
MS_API const ms_measurement_shape *ms_measurement_get_shapes(const ms_measurement *file,
                                                             ptrdiff_t *n);

/* ---- modes from elsewhere ---- */

/* A degree of freedom, and its node and direction in the file: "12+Z", "12-RX" against it. */
typedef struct ms_modes_sensor {
  const char *name, *place;
} ms_modes_sensor;

/* The normal and complex modes of a file as a table, a row for each: columns f (Hz), zeta, and of
   every sensor its name, and name.im where there are imaginary parts. Without sensors a column for
   every place that moves, named "12+Z". */
MS_API ms_status ms_measurement_tabulate_modes(const ms_measurement *file, ptrdiff_t n_sensor,
                                               const ms_modes_sensor *sensor, ms_table **out);
/* That of a universal file (.uff, .unv, .uf), or a table as it is. */
MS_API ms_status ms_modes_read(ms_context *ctx, const char *path, ptrdiff_t n_sensor,
                               const ms_modes_sensor *sensor, ms_table **out);
MS_API int ms_modes_is_universal(const char *path);

#ifdef __cplusplus
}
#endif
#endif
