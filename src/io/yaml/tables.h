/* Tables and other files that a YAML file names; points of up to three numbers from tables, whose
   columns it may name. */
#ifndef MS_IO_YAML_TABLES_H
#define MS_IO_YAML_TABLES_H

#include <microslip/io.h>

#include "io/yaml/keys.h"

/* A relative path begins where the YAML file is; *out is the caller's to ms_free. */
ms_status ms_yaml_path(const ms_yaml *yaml, const char *file, char **out);
/* The path of the file that a node names; `what` is for complaints. */
ms_status ms_yaml_file(const ms_yaml *yaml, struct fy_node *node, const char *what, char **out);
/* Whether any value of the document is the path of that file. */
struct stat;
ms_status ms_yaml_names_file(const ms_yaml *yaml, const struct stat *file, int *found);
/* A table of numbers and words in the file that a node names. */
ms_status ms_yaml_open_table(const ms_yaml *yaml, struct fy_node *file, ms_table **out);
/* A column that says its unit must say the one that it is read in: `si` (about an axis what belongs
   to it, rad for m) where the factor to SI is 1, anything else where it is not. Nothing is
   converted. */
ms_status ms_yaml_check_column(const ms_yaml *yaml, const ms_units *units, struct fy_node *node,
                               const ms_table *table, const char *name, const char *si,
                               double factor);

/* A row of the keys of `columns`. */
#define MS_ROW_COLUMN(key, otherwise, text) \
  { .name = key, .kind = MS_PARAM_WORD, .fallback = otherwise, .meaning = text }

/* A table that a study has written, in SI whatever the units of the file: it is recognised by
   columns that only these have. */
int ms_table_is_ours(const ms_table *table);

/* A column: the key of `columns` that names it, its name otherwise, its unit in SI and the factor
   to it; the same of a key that may stand in its place, and what that is scaled by. */
typedef struct ms_point_column {
  const char *key, *name, *unit;
  double factor;
  const char *instead, *instead_unit; /* NULL: none */
  double instead_factor, scale;
  int optional;
} ms_point_column;

/* Which columns and rows of a table are meant. */
typedef struct ms_point_choice {
  ms_point_column column[3];
  const ms_units *units;   /* of a joint, or the study's */
  const char *key, *words; /* where column `words` has words: those with the word that `key` of the
                              mapping gives; without the key they must all have the same. NULL: all
                              rows */
  double mode;             /* of a table with a column `mode` only these; of one with a column
                              `source` of words, those that decay. 0: all rows */
} ms_point_choice;

typedef struct ms_point_table {
  ptrdiff_t n, capacity;
  double *column;     /* three of `capacity` numbers */
  int *row;           /* where each point came from */
  ptrdiff_t left_out; /* points that do not decay */
  int instead[3];     /* whether the key in a column's place was given */
  int missing[3];     /* optional columns that are not there */
} ms_point_table;

/* Memory for n points; one point more. */
ms_status ms_point_table_reserve(ms_context *ctx, ptrdiff_t n, ms_point_table *t);
void ms_point_table_add(ms_point_table *t, int row, double x, double y, double z);
void ms_point_table_free(ms_context *ctx, ms_point_table *t);
/* From the table that `file` names, by what the mapping `node` says; `units` are those of tables
   that a study has written; t is empty. */
ms_status ms_point_table_read(const ms_yaml *yaml, const ms_units *units, struct fy_node *node,
                              struct fy_node *file, const ms_point_choice *choice,
                              ms_point_table *t);

/* param_table.c: a parameter that is a table, from lists or from a file; `own` are the units of
   tables that a study has written. Freed by the caller, after a failure too. */
enum { MS_PARAM_COLUMNS = 8 };
typedef struct ms_param_columns {
  double *column[MS_PARAM_COLUMNS]; /* SI; the first n are there */
  ptrdiff_t rows;
  int n;
  const char *file; /* NULL: lists; the text is the document's */
} ms_param_columns;
ms_status ms_param_columns_read(const ms_yaml *yaml, const ms_units *own, const ms_units *units,
                                struct fy_node *node, const ms_param *param, ms_param_columns *out);
void ms_param_columns_free(ms_context *ctx, ms_param_columns *columns);

#endif
