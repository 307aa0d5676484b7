/* What the files that read dataset 58 of universal files share; uff58.c has the format. */
#ifndef MS_IO_UFF58_H
#define MS_IO_UFF58_H

#include <string.h>

#include <microslip/measurement.h>

#include "io/internal.h"
#include "io/text.h"

#define MS_UFF_HEADER 11 /* lines before the values */
#define MS_UFF_LISTED 96 /* bytes of the list of other datasets in a message */

struct ms_uff58 {
  ms_context *ctx;
  ms_uff58_function *function;
  double **x, **y; /* what function[i].x and .y show */
  ptrdiff_t n;
  /* other datasets; positions as in the file */
  ms_measurement_node *node;
  ms_measurement_trace *trace;
  ms_measurement_shape *shape;
  ptrdiff_t **label; /* what traces and shapes show */
  double **value;
  ptrdiff_t n_node, node_room, n_trace, n_shape, n_label, n_value;
  /* of dataset 164: SI units in the file's are 1/length, ...; 0: there is none */
  double length, force;
  char writer[161]; /* of dataset 151 */
};

/* What the line after -1 says. */
typedef struct ms_uff_dataset {
  ptrdiff_t number, line; /* of the file */
  int binary, big;        /* big: most significant byte first */
  ptrdiff_t format, n_lines, n_bytes;
} ms_uff_dataset;

typedef struct ms_uff_reader {
  ms_context *ctx;
  const char *name;
  const char *begin; /* of the file, for byte offsets */
  ms_lines text;
  ms_uff58 *file;
  int any; /* other datasets are read as well, and a file that has no functions is taken */
  char others[MS_UFF_LISTED]; /* numbers of the datasets that were skipped */
} ms_uff_reader;

/* Fails with file and line, the one read last, before the words. */
MS_PRINTF(2, 3)
ms_status ms_uff_refuse(ms_uff_reader *r, const char *format, ...);
/* The same with a place in binary data. */
ms_status ms_uff_refuse_byte(ms_uff_reader *r, const char *at, const char *what);

static inline int ms_uff_is_delimiter(ms_span line) {
  line = ms_io_trim(line);
  return ms_io_length(line) == 2 && memcmp(line.begin, "-1", 2) == 0;
}

/* ---- uff_other.c ---- */

/* Geometry (15, 2411, 82), shapes (55), units (164), the program (151). *taken is 0, and nothing
   was read, for other datasets. */
ms_status ms_uff_read_other(ms_uff_reader *r, const ms_uff_dataset *d, int *taken);
void ms_uff_free_other(ms_uff58 *file);
/* As ms_uff58_parse; functions, geometry or shapes are enough. */
ms_status ms_uff_parse_any(ms_context *ctx, const char *name, const char *bytes, size_t length,
                           ms_uff58 **out);

/* ---- uff58_header.c ---- */

/* Text to out, which has twice its bytes and one: what is not UTF-8 is taken as Latin-1, as older
   programs write it, and control characters become blanks. */
void ms_uff_copy_text(ms_span text, char *out);

/* The next line of a header, which must be there. */
ms_status ms_uff_take_header(ms_uff_reader *r, const ms_uff_dataset *d, ms_span *line);
/* All that stands before the values. */
ms_status ms_uff_read_header(ms_uff_reader *r, const ms_uff_dataset *d, ms_uff58_function *f);

/* ---- uff58_values.c ---- */

/* The values of function i of the file, as its header says, and the line that closes them. */
ms_status ms_uff_read_ascii(ms_uff_reader *r, ptrdiff_t i);
ms_status ms_uff_read_binary(ms_uff_reader *r, const ms_uff_dataset *d, ptrdiff_t i);
/* Moves behind that line, `bytes` from here; lines go on to be counted there. */
ms_status ms_uff_close_binary(ms_uff_reader *r, ptrdiff_t bytes);

#endif
