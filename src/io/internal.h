/* What the files of the io room share. */
#ifndef MS_IO_INTERNAL_H
#define MS_IO_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include <microslip/io.h>

typedef struct ms_column {
  char *name, *unit; /* unit is NULL if there is none */
  double *values;
  ptrdiff_t *word; /* of a column of words, where each begins in the table's letters; else NULL */
} ms_column;

struct ms_table {
  ms_context *ctx;
  ms_column *column;
  ptrdiff_t n_column, n_row;
  char *letter; /* of all words, each with its end */
  ptrdiff_t n_letter;
  ptrdiff_t *line; /* of each row in its file; NULL for a table that came from none */
  char *source;    /* name of that file, or NULL */
  ms_columns all;  /* ms_table_get_all */
};

/* A file format. formats.def has one line for each. Name, endings and at least one way to read are
   required. */
typedef struct ms_format {
  const char *name;
  const char *const *endings; /* with the dot, in lower case; NULL ends the list */
  /* words: columns of words are taken, as by ms_table_read_words */
  ms_status (*read)(ms_context *ctx, const char *path, int words, ms_table **out);
  /* As ms_matrix_read and ms_triplets_read; a format that holds matrices needs one of them. */
  ms_status (*read_matrix)(ms_context *ctx, const char *path, ptrdiff_t *n_row, ptrdiff_t *n_col,
                           double **values);
  ms_status (*read_triplets)(ms_context *ctx, const char *path, ms_triplets *out);
} ms_format;

#define MS_FORMAT(name) extern const ms_format ms_format_##name;
#include "io/formats.def"
#undef MS_FORMAT

typedef enum ms_io_content { MS_IO_TABLE, MS_IO_MATRIX } ms_io_content;

/* The format that reads such content from a file with this ending. */
ms_status ms_io_find_format(ms_context *ctx, const char *path, ms_io_content content,
                            const ms_format **out);

/* The whole file in memory, from the context; *text is NULL after a failure. */
ms_status ms_io_load(ms_context *ctx, const char *path, char **text, size_t *length);

/* The text that ms_table_write_csv puts into its file. The stream's errors are the caller's. */
ms_status ms_csv_print(const ms_table *table, FILE *out);

/* A matrix of numbers from delimited text in memory, with or without a line of column names. */
ms_status ms_csv_parse_matrix(ms_context *ctx, const char *name, const char *text, size_t length,
                              ptrdiff_t *n_row, ptrdiff_t *n_col, double **values);

/* A Matrix Market file from memory; the triplets are empty after a failure. */
ms_status ms_mtx_parse(ms_context *ctx, const char *name, const char *text, size_t length,
                       ms_triplets *out);
/* The text of a valid matrix. The stream's errors are the caller's. */
void ms_mtx_print(const ms_triplets *triplets, FILE *out);

/* A universal file from memory. */
ms_status ms_uff58_parse(ms_context *ctx, const char *name, const char *bytes, size_t length,
                         ms_uff58 **out);

/* Bytes into the stream; what went wrong is said when the file is committed. */
void ms_outfile_put(ms_outfile *file, const void *bytes, size_t n);

/* A matrix of Abaqus from memory; both are empty after a failure. */
ms_status ms_abaqus_mtx_parse(ms_context *ctx, const char *name, const char *text, size_t length,
                              ms_triplets *out, ms_dofs *dofs);
/* A file .mtx, of Matrix Market or of Abaqus as its content says. */
ms_status ms_mtx_read_any(ms_context *ctx, const char *path, ms_triplets *out, ms_dofs *dofs);

/* What a reader may take: so many times what it reads, and so many bytes besides. */
enum { MS_READ_TIMES = 100, MS_READ_BESIDES = 64 << 20 };

#endif
