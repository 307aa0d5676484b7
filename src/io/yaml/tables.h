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
/* Every value of the document as the path of a file, whether there is one or not, until `visit`
   returns 1. */
typedef int ms_yaml_visit_fn(void *user, const char *path);
ms_status ms_yaml_visit_paths(const ms_yaml *yaml, ms_yaml_visit_fn *visit, void *user);
/* Whether any is the path of that file. */
struct stat;
ms_status ms_yaml_names_file(const ms_yaml *yaml, const struct stat *file, int *found);
/* A table of numbers and words in the file that a node names. */
ms_status ms_yaml_open_table(const ms_yaml *yaml, struct fy_node *file, ms_table **out);
/* A channel, or n at the same times, of the record in a file (ms_record_read, ms_record_read_set);
   complaints are at `node`, about a channel that is not there at the entry of `sensors` (NULL:
   none) that names it. */
ms_status ms_yaml_read_record(const ms_yaml *yaml, struct fy_node *node, const char *file,
                              const ms_record_request *request, ms_record *out);
ms_status ms_yaml_read_record_set(const ms_yaml *yaml, struct fy_node *node, const char *file,
                                  ptrdiff_t n, const ms_record_request *request,
                                  const ms_entry_list *sensors, ms_record_set *out,
                                  ms_record_kind *kind);
/* Numbers in the file, or the column of that name of a table that it names; *out is the caller's to
   ms_free. */
ms_status ms_yaml_read_column(const ms_yaml *yaml, struct fy_node *node, const char *what,
                              const char *column, double **out, ptrdiff_t *n);
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

/* What may be measured in any unit that a heading, or the key `units`, says: Hz, kHz or rad/s; %;
   g, m/s^2, mm/s, um and the like. */
typedef enum ms_column_measures {
  MS_MEASURES_NOTHING, /* one unit only */
  MS_MEASURES_FREQUENCY,
  MS_MEASURES_RATIO,
  MS_MEASURES_MOTION
} ms_column_measures;

/* A column: the key of `columns` that names it, its name otherwise, its unit in SI and the factor
   to it; the same of a key that may stand in its place, and what that is scaled by; a frequency
   under the name of that key is also found where there is no column `name`. */
typedef struct ms_point_column {
  const char *key, *name, *unit;
  double factor;
  const char *instead, *instead_unit; /* NULL: none */
  double instead_factor, scale;
  int optional;
  ms_column_measures measures;
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
  const double *window;    /* first column, in its own unit, where it is a motion; NULL: all */
} ms_point_choice;

typedef struct ms_point_table {
  ptrdiff_t n, capacity;
  double *column;     /* three of `capacity` numbers, and a fourth that is the caller's */
  int *row;           /* where each point came from */
  ptrdiff_t left_out; /* points that do not decay */
  int instead[3];     /* whether the key in a column's place was given */
  int missing[3];     /* optional columns that are not there */
  int motion;         /* the first column is one; its unit has the */
  ms_record_kind kind;
} ms_point_table;

/* Memory for n points; one point more. */
ms_status ms_point_table_reserve(ms_context *ctx, ptrdiff_t n, ms_point_table *t);
void ms_point_table_add(ms_point_table *t, int row, double x, double y, double z);
void ms_point_table_free(ms_context *ctx, ms_point_table *t);
/* From the first process to all. */
ms_status ms_point_table_share(ms_context *ctx, ms_point_table *t);
/* From the table that `file` names, by what the mapping `node` says; `units` are those of tables
   that a study has written; t is empty. */
ms_status ms_point_table_read(const ms_yaml *yaml, const ms_units *units, struct fy_node *node,
                              struct fy_node *file, const ms_point_choice *choice,
                              ms_point_table *t);

/* The keys `columns` and `units` of a curve of frequency and damping against amplitude. */
extern const ms_param_list ms_curve_columns, ms_curve_units;
/* The key `columns` of a stepped sine, which ms_point_table_read_sine reads. */
extern const ms_param_list ms_sine_columns;
#define MS_SINE_COLUMNS                                                                      \
  {                                                                                          \
    .name = "columns", .kind = MS_PARAM_FORMS, .forms = "mapping", .keys = &ms_sine_columns, \
    .meaning = "names of the table's columns"                                                \
  }
/* A stepped sine (microslip/shaker.h) from the file that the key of a mapping names, with its key
   `columns`: omega, amplitude, phase, and as the fourth number the force. t is empty. */
ms_status ms_point_table_read_sine(const ms_yaml *yaml, struct fy_node *node, const char *key,
                                   ms_point_table *t);

/* param_table.c: the columns of a table that are not among the lists of the mapping `node` from its
   `file`, by name or in their order, to SI as keys are; one number for all rows where others have
   several. The first *columns have *rows; all are the caller's to free, after a failure too. */
ms_status ms_yaml_fill_columns(const ms_yaml *yaml, const ms_units *units, struct fy_node *node,
                               struct fy_node *key, const ms_param_table *table,
                               ms_numbers *const *column, ptrdiff_t *rows, int *columns);
/* param_table.c: a parameter that is a table, from lists or from a file; `own` are the units of
   tables that a study has written. Freed by the caller, after a failure too. */
enum { MS_PARAM_COLUMNS = 8 };
typedef struct ms_param_columns {
  double *column[MS_PARAM_COLUMNS]; /* SI; NULL: not there; the first n are */
  ptrdiff_t rows;
  int n;
  const char *file; /* NULL: lists; the text is the document's */
} ms_param_columns;
ms_status ms_param_columns_read(const ms_yaml *yaml, const ms_units *own, const ms_units *units,
                                struct fy_node *node, const ms_param *param, ms_param_columns *out);
void ms_param_columns_free(ms_context *ctx, ms_param_columns *columns);

#endif
