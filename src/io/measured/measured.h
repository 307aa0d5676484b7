/* What the readers of measured data share: measured.c for all formats, one file for each. */
#ifndef MS_IO_MEASURED_H
#define MS_IO_MEASURED_H

#include <microslip/measurement.h>

#include "io/internal.h"
#include "io/text.h"

enum { MS_REMARKS = 8, MS_REMARK_SIZE = 240 };

struct ms_measurement {
  ms_context *ctx;
  const char *format;
  ms_measurement_channel *channel;
  ms_measurement_node *node;
  ms_measurement_trace *trace;
  ms_measurement_shape *shape;
  ptrdiff_t n, n_node, n_trace, n_shape;
  double **block; /* what the channels show */
  ptrdiff_t n_block;
  ms_uff58 *uff; /* or this does */
  char writer[162], table[512];
  char remark[MS_REMARKS][MS_REMARK_SIZE];
  ptrdiff_t n_remark;
};

typedef struct ms_measurement_reader {
  ms_context *ctx;
  const char *path;
  const ms_measurement_request *request;
  ms_measurement *file;
} ms_measurement_reader;

/* A format of measured data; measured.def has one line for each. */
typedef struct ms_measurement_format {
  const char *name;
  const char *const *endings; /* with the dot, in lower case; NULL ends the list */
  ms_status (*read)(ms_measurement_reader *r, const char *bytes, size_t length);
} ms_measurement_format;

#define MS_MEASUREMENT(name) extern const ms_measurement_format ms_measurement_##name;
#include "io/measured/measured.def"
#undef MS_MEASUREMENT

/* ---- measured.c ---- */

/* One more channel, empty; valid until the next. */
ms_status ms_measurement_add(ms_measurement_reader *r, ms_measurement_channel **out);
/* n numbers that the file owns. */
ms_status ms_measurement_allocate(ms_measurement_reader *r, ptrdiff_t n, double **out);
MS_PRINTF(2, 3)
void ms_measurement_note(ms_measurement_reader *r, const char *format, ...);
/* Whether a channel table is asked for or stands beside the file. */
int ms_measurement_has_table(ms_measurement_reader *r);
/* Whether a file with this ending is read here. */
int ms_measurement_knows(const char *path);
/* The endings, " .csv .tsv ...", for messages. */
void ms_measurement_list_endings(char *text, size_t size);
/* From bytes; `name` stands for the file in messages. */
ms_status ms_measurement_parse(ms_context *ctx, const char *name, const char *bytes, size_t length,
                               const ms_measurement_request *request, ms_measurement **out);
/* Kind and factor, from c->unit and c->kind. */
void ms_measurement_find_unit(ms_measurement_channel *c);
/* Fills uneven from x. */
void ms_measurement_find_uneven(ms_measurement_channel *c);

/* ---- heading.c ---- */

/* A heading as measured data have it: "tip [g]", "tip (g)", "force_N", "Time_ms". */
typedef struct ms_heading {
  char name[64], unit[48];
  ms_record_kind kind; /* as its words say */
  int is_time;
} ms_heading;
void ms_heading_read(ms_span text, ms_heading *out);
/* Whether a text, without brackets around it, is a unit that is known, of time included. */
int ms_heading_is_unit(const char *text);
/* The quantity a word names: "Acceleration", "acc", "Force"; unknown for others. */
ms_record_kind ms_heading_kind(const char *text);
/* A key and its value as acquisition software writes a rate: "Sample rate (Hz)", "51.2 kHz". The
   rate in Hz, from an interval too; 0 if it says none. */
double ms_heading_rate(ms_span key, ms_span value);
/* Text to out, of `size` bytes: what is not UTF-8 is Latin-1, control characters become blanks. */
void ms_heading_copy(ms_span text, char *out, size_t size);

/* ---- cells.c: rows of tables ---- */

/* What separates cells: ';', tab, ',' or this, runs of blanks. */
#define MS_CELL_BLANK ' '

/* Takes the next cell, without the quotes around it; 0 when there is none left. row->begin is NULL
   behind the last. */
int ms_cell_take(ms_span *row, char separator, ms_span *cell);
ptrdiff_t ms_cell_count(ms_span row, char separator);
/* A number, with a decimal comma where `comma` allows one; *used is set to '.' or ',' if there is
   either. Returns as ms_io_number does. */
ms_status ms_cell_number(ms_span cell, int comma, double *out, char *used);

/* ---- lvm.c: LabVIEW measurement files, whatever their ending ---- */

int ms_lvm_knows(const char *bytes, size_t length);
ms_status ms_lvm_read(ms_measurement_reader *r, const char *bytes, size_t length);

/* ---- scope.c: tables with the settings of an oscilloscope beside the samples ---- */

int ms_scope_knows(const char *bytes, size_t length);
ms_status ms_scope_read(ms_measurement_reader *r, const char *bytes, size_t length);

/* ---- pulse.c: text files of PULSE ---- */

int ms_pulse_knows(const char *bytes, size_t length);
ms_status ms_pulse_read(ms_measurement_reader *r, const char *bytes, size_t length);

/* ---- channel_table.c ---- */

ms_status ms_measurement_apply_table(ms_measurement_reader *r, const char *path);

/* ---- variables.c: channels from named arrays ---- */

/* A variable of a MATLAB or NumPy file: n_row x n_col numbers, column-major, or a text. */
typedef struct ms_variable {
  char name[160]; /* with its place in a struct: "data.acc" */
  ptrdiff_t n_row, n_col;
  int is_complex;
  double *value; /* owned by the file; NULL: it is a text */
  char *text;    /* lines of n_col characters, separated by \n; freed by whoever made it */
} ms_variable;

typedef struct ms_variables {
  ms_variable *of;
  ptrdiff_t n;
} ms_variables;

/* One more variable of this name, empty. */
ms_status ms_variables_add(ms_measurement_reader *r, ms_variables *v, const char *name,
                           ms_variable **out);
void ms_variables_free(ms_context *ctx, ms_variables *v);
/* Which are times, rates, names and units, and which channels. */
ms_status ms_variables_take(ms_measurement_reader *r, const ms_variables *v);

#endif
