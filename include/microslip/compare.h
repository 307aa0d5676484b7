/* [report] Comparison of runs of studies: the same key numbers, values, tables and figures of two
   or more of them, beside each other. */
#ifndef MICROSLIP_COMPARE_H
#define MICROSLIP_COMPARE_H

#include <microslip/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_compare ms_compare;

/* Reads n >= 2 folders of finished runs (summary.json, results.h5) and compares each with the
   first. name[i] stands for a run in texts; NULL, or all of them NULL: the folder's own name. All
   is compared and shown in the units of `display`, words of ms_display_choose, with the units and
   the default sensor of the first run's study, and the mode shapes of each. NULL: those that the
   first run's report begins with, or modal amplitudes where a run does not have its sensor. Fails
   if a folder has no run, or a run nothing in common with the first. */
MS_API ms_status ms_compare_open(ms_context *ctx, int n, const char *const *folder,
                                 const char *const *name, const char *display, ms_compare **out);
MS_API void ms_compare_close(ms_compare **compare);
MS_API int ms_compare_count_runs(const ms_compare *compare);
MS_API const char *ms_compare_get_run(const ms_compare *compare, int run); /* its name */
/* The units, as words of ms_display_choose. */
MS_API const char *ms_compare_get_display(const ms_compare *compare);

typedef enum ms_difference_kind {
  MS_DIFFERENCE_ANSWER, /* a key number of the report */
  MS_DIFFERENCE_VALUE,  /* a value of an analysis */
  MS_DIFFERENCE_COLUMN  /* a column of a table, where it differs most */
} ms_difference_kind;

/* A number of a run beside that of the first run, in the units chosen. Of a column: at the row
   where the difference is largest, and the largest relative difference. Rows are matched by the
   words and counts with which they begin (mode, method, level); within these, curves whose x (q, or
   the next column) is not the same are interpolated over the range that both have: linear in y, and
   in x or, of q and amplitudes, in log x. Relative: to the first run, or to the other one where the
   first has less than 1e-9 of the column's largest magnitude; 0 where both have. */
typedef struct ms_difference {
  ms_difference_kind kind;
  int run; /* the other one, from 1 on */
  char analysis[96], table[128], name[160], unit[64];
  ptrdiff_t pairs;                 /* of numbers that were compared */
  double first, other, difference; /* other - first */
  double relative;                 /* the largest relative one */
  double typical, share;           /* root mean square of all differences; the same over the largest
                                      magnitude of the column */
  char where[240], where_relative[240]; /* "mode 2, method qsma, q 0.0012"; "" of single numbers */
  char how[160];                        /* how rows were matched */
  int rounding; /* 1: below 1e-12 of the number or of the column's largest, or both are such parts
                   of 1 without a unit; not counted as different */
} ms_difference;

MS_API ptrdiff_t ms_compare_count(const ms_compare *compare);
/* In the order of the study; NULL outside [0, count). */
MS_API const ms_difference *ms_compare_get(const ms_compare *compare, ptrdiff_t index);
/* The same with the largest share first; key numbers before all others. Residuals and counts of
   work (iterations, evaluations) come last. */
MS_API const ms_difference *ms_compare_get_largest(const ms_compare *compare, ptrdiff_t index);
/* What only some of the runs have, or what could not be compared, as sentences. */
MS_API ptrdiff_t ms_compare_count_remarks(const ms_compare *compare);
MS_API const char *ms_compare_get_remark(const ms_compare *compare, ptrdiff_t index);

/* folder/compare.html, with the figures of all runs drawn over each other, and answers.csv,
   values.csv and differences.csv; with a format also folder/figures. Makes the folder. */
MS_API ms_status ms_compare_write(ms_compare *compare, const char *folder,
                                  const ms_figure_format *format);

#ifdef __cplusplus
}
#endif
#endif
