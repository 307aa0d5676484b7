/* Files: tables with named columns, and writing without ever leaving half a file. */
#ifndef MICROSLIP_IO_H
#define MICROSLIP_IO_H

#include <stdio.h>

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables: equally long columns of numbers, each with a name ------------------------------ */

typedef struct ms_table ms_table;

/* A table with no columns. */
MS_API ms_status ms_table_create(ms_context *ctx, ms_table **out);
MS_API void ms_table_destroy(ms_table **table);
/* values (n of them) are copied; n must be the table's length unless it is the first column.
   unit may be NULL. Names are unique; neither name nor unit may be empty or hold brackets, control
   characters or blanks at its ends, so that a heading "name [unit]" can be read back. */
MS_API ms_status ms_table_add_column(ms_table *table, const char *name, const char *unit,
                                     const double *values, ptrdiff_t n);
MS_API ptrdiff_t ms_table_get_rows(const ms_table *table);
MS_API ptrdiff_t ms_table_get_columns(const ms_table *table);
/* NULL if there is no such column or, for the unit, if it has none. Owned by the table. */
MS_API const char *ms_table_get_name(const ms_table *table, ptrdiff_t column);
MS_API const char *ms_table_get_unit(const ms_table *table, ptrdiff_t column);
/* NULL if there is no such column. Owned by the table. */
MS_API const double *ms_table_get_column(const ms_table *table, const char *name);
/* Line of the file that row came from (1-based), 0 if it came from none. */
MS_API ptrdiff_t ms_table_get_line(const ms_table *table, ptrdiff_t row);

/* Reads a table; the format is chosen by the file's ending (.csv, .tsv, .txt, .dat; see
   formats.def). Every failure says file:line and what would be right.
   CSV: the first line names the columns, `u` or `u [m]`, in quotes if need be; every other line is
   a row of finite numbers. The header decides the separator: comma, semicolon, tab or blanks. Blank
   lines and lines that begin with # are skipped. *out is NULL after a failure. */
MS_API ms_status ms_table_read(ms_context *ctx, const char *path, ms_table **out);
/* CSV from memory; `name` stands for the file in messages. */
MS_API ms_status ms_table_parse_csv(ms_context *ctx, const char *name, const char *text,
                                    size_t length, ms_table **out);
/* Writes beside, then renames. Refuses values that are not finite and a table without rows. Reads
   back bit for bit. */
MS_API ms_status ms_table_write_csv(const ms_table *table, const char *path);
/* Aligned columns with units in the heading, nine digits, for people. */
MS_API ms_status ms_table_print(const ms_table *table, FILE *out);

/* ---- output files: write beside, then rename ------------------------------------------------ */

typedef struct ms_outfile ms_outfile;

/* The stream writes to a temporary file in the same folder as path. If path is a symbolic link, the
   file it points to is the one replaced; a replaced file keeps its permissions. What exists and is
   no plain file (a device, a pipe, /dev/stdout) is written to directly instead. */
MS_API ms_status ms_outfile_open(ms_context *ctx, const char *path, ms_outfile **out);
MS_API FILE *ms_outfile_stream(ms_outfile *file);
/* Flushes, checks for write errors and renames; whatever happens *file is NULL afterwards and no
   temporary file is left. */
MS_API ms_status ms_outfile_commit(ms_outfile **file);
/* Throws the temporary file away and sets *file to NULL. */
MS_API void ms_outfile_discard(ms_outfile **file);

/* The shortest of 15, 16 and 17 digits that reads back as the same double, with a decimal point
   whatever the locale; text needs 32 bytes. */
MS_API void ms_format_double(double value, char *text);

#ifdef __cplusplus
}
#endif
#endif
