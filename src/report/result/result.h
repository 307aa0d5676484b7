/* What the files of a result share. */
#ifndef MS_REPORT_RESULT_H
#define MS_REPORT_RESULT_H

#include <microslip/result.h>

typedef enum ms_value_kind {
  MS_VALUE_NUMBER,
  MS_VALUE_INTEGER,
  MS_VALUE_FLAG,
  MS_VALUE_TEXT,
  MS_VALUE_REMARKS, /* a text that the page shows by itself */
  MS_VALUE_NUMBERS,
  MS_VALUE_NONE,
  MS_VALUE_GROUP,
  MS_VALUE_LIST,
  MS_VALUE_END,
  MS_VALUE_ROWS
} ms_value_kind;

typedef struct ms_value {
  ms_value_kind kind;
  char *name, *unit, *text; /* text also: the columns of MS_VALUE_ROWS */
  double number;
  long long integer;
  double *numbers;
  ptrdiff_t n;
  const ms_result_table *table;
} ms_value;

/* A sentence, and the outcome that it alone would make; MS_OUTCOME_COMPLETE: a note. */
typedef struct ms_remark {
  ms_outcome severity;
  char *text;
} ms_remark;

struct ms_result {
  ms_context *ctx;
  const char *name, *kind;
  ms_result_table **table;
  int n_table;
  ms_value *value;
  ptrdiff_t n_value;
  int depth;         /* groups and lists that are open */
  ms_answer *answer; /* texts are owned */
  int n_answer;
  ms_remark *remark;
  int n_remark;
  int ended; /* the run came to an end, well or badly */
  ms_page *page;
  ms_status status, page_status;
  char message[512]; /* of the first failure */
};

typedef struct ms_result_cells {
  char *name, *unit;      /* unit: NULL, none */
  const char *meaning;    /* never freed */
  int words, flag, named; /* named: by the user */
  int in_unit;            /* 1: in the units that the column `unit` has; -1: per these */
  double *number;
  char **word;
} ms_result_cells;

struct ms_result_table {
  char *name;
  ms_result *result;
  const char *ending; /* of the name, after that of the analysis */
  ms_result_cells *column;
  int n;
  ptrdiff_t rows, capacity, n_folded;
  char folded[64]; /* what the first n_folded rows are */
};

/* result.c: the first failure with values. */
void ms_result_fail(ms_result *result, ms_status status);

/* answers.c */
void ms_result_clear_answers(ms_result *result);
void ms_result_write_answers_json(const ms_result *result, ms_json *json);
ms_status ms_result_write_answers(const ms_result *result, ms_results *results);

/* remarks.c */
void ms_result_write_remarks_json(const ms_result *result, ms_json *json);
ms_status ms_result_write_remarks_page(const ms_result *result, ms_page *page);

/* columns.c: what a column of a table is in an analysis of some kind, by columns.def; "" where that
   has no row. `ending` is what the table's name has after that of the analysis, such as "_levels";
   NULL: a value, where "_values". */
const char *ms_column_meaning(const char *kind, const char *ending, const char *name);

/* table_views.c: whether a group of analyses/<analysis> in results.h5 is a table; the others are
   its values and figures. */
int ms_result_group_is_table(const char *analysis, const char *group);

void ms_result_table_destroy(ms_context *ctx, ms_result_table **table);
/* table_views.c */
void ms_result_table_write_json(const ms_result_table *table, const char *name, const char *columns,
                                ms_json *json);
ms_status ms_result_table_write_results(const ms_result_table *table, ms_results *results);
void ms_result_table_print_columns(const ms_result_table *table, const ms_display *display,
                                   FILE *out);
void ms_csv_write_word(FILE *out, const char *word);

#endif
