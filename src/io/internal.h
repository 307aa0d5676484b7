/* What the files of the io room share. */
#ifndef MS_IO_INTERNAL_H
#define MS_IO_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include <microslip/io.h>

typedef struct ms_column {
  char *name, *unit; /* unit is NULL if there is none */
  double *values;
} ms_column;

struct ms_table {
  ms_context *ctx;
  ms_column *column;
  ptrdiff_t n_column, n_row;
  ptrdiff_t *line; /* of each row in its file; NULL for a table that came from none */
};

/* A file format. formats.def has one line for each. All entries are required. */
typedef struct ms_format {
  const char *name;
  const char *const *endings; /* with the dot, in lower case; NULL ends the list */
  ms_status (*read)(ms_context *ctx, const char *path, ms_table **out);
} ms_format;

#define MS_FORMAT(name) extern const ms_format ms_format_##name;
#include "io/formats.def"
#undef MS_FORMAT

/* The whole file in memory, from the context; *text is NULL after a failure. */
ms_status ms_io_load(ms_context *ctx, const char *path, char **text, size_t *length);

/* The text that ms_table_write_csv puts into its file. The stream's errors are the caller's. */
ms_status ms_csv_print(const ms_table *table, FILE *out);

#endif
