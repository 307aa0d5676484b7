/* What the files of a comparison share: runs as they are read, and tables that are matched. */
#ifndef MS_REPORT_COMPARE_H
#define MS_REPORT_COMPARE_H

#include <microslip/compare.h>
#include <microslip/result.h>

/* ---- run.c ---- */

typedef struct ms_names {
  char **name;
  ptrdiff_t n;
} ms_names;

typedef struct ms_run {
  ms_context *ctx;
  char *name, *folder;
  char *title, *version, *status, *text; /* text: of the study file; may be NULL */
  ms_names set;                          /* assignments of the command line */
  ms_names analysis;                     /* in the order of the study */
  ms_results *file;
  ms_display *display; /* in whose units its tables and figures are read; NULL: SI */
} ms_run;

ms_status ms_run_open(ms_context *ctx, const char *folder, ms_run *run);
void ms_run_close(ms_run *run);
/* Names in a group of results.h5, in the order of their attribute `place` where they have it; none
   where there is no such group. */
ms_status ms_run_list(const ms_run *run, const char *group, ms_names *out);
void ms_names_free(ms_context *ctx, ms_names *names);
ptrdiff_t ms_names_find(const ms_names *names, const char *name); /* -1: not there */

typedef struct ms_run_column {
  const char *name, *unit; /* owned; unit may be NULL */
  double *number;          /* NULL in a column of words */
  char **word;
  const char *meaning; /* owned; may be NULL */
  int in_unit;         /* as in ms_page_column */
} ms_run_column;

typedef struct ms_run_table {
  int n;
  ms_run_column *column;
  ptrdiff_t rows;
} ms_run_table;

/* The datasets of a group, which must be equally long, as they are and as the run's display shows
   them: NAN for what that has no number for. */
ms_status ms_run_read_table(const ms_run *run, const char *group, ms_run_table *out);
ms_status ms_run_show_table(const ms_run *run, ms_run_table *table);
void ms_run_free_table(ms_context *ctx, ms_run_table *table);
/* -1: not there. */
int ms_run_find_column(const ms_run_table *table, const char *name);

/* ---- match.c ---- */

typedef struct ms_matched {
  ms_difference *difference; /* a row for each column of numbers that both have */
  ptrdiff_t n;
  ptrdiff_t only_first, only_other;       /* rows without a counterpart */
  ptrdiff_t outside_first, outside_other; /* points outside of the range of the other curve */
} ms_matched;

/* Of the differences name, unit and what follows is set. difference is freed by ms_free. */
ms_status ms_match_tables(ms_context *ctx, const ms_run_table *first, const ms_run_table *other,
                          ms_matched *out);
/* One number beside another; the texts of d stay as they are. */
void ms_difference_set(double first, double other, ms_difference *d);

/* ---- compare.c ---- */

struct ms_compare {
  ms_context *ctx;
  ms_run *run;
  int n_run;
  ms_difference *difference;
  ptrdiff_t n, *largest; /* largest: their order */
  char **remark;
  ptrdiff_t n_remark;
};

MS_PRINTF(2, 3) ms_status ms_compare_remark(ms_compare *compare, const char *format, ...);

/* ---- overlay.c: figures of an analysis of all runs, drawn over each other; the first of them may
   stand at the head of the page, with this weight ---- */
ms_status ms_compare_overlay(ms_compare *compare, const char *analysis, int weight, ms_page *page);

/* ---- lines.c: how one text differs from another, line by line; "" where it does not ---- */
ms_status ms_lines_compare(ms_context *ctx, const char *first, const char *other, char **out);

#endif
