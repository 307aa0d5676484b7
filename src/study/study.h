/* A study: the file, and what the analyses share. */
#ifndef MS_STUDY_IMPL_H
#define MS_STUDY_IMPL_H

#include <microslip/report.h>
#include <microslip/study.h>

#include "study/yaml.h"

/* Factors from the study's units to SI. */
typedef struct ms_units {
  double length, mass, time, force;
  char text[96];
} ms_units;

typedef struct ms_sheet ms_sheet;
typedef struct ms_analysis ms_analysis;

/* One analysis of the list, in its order. */
typedef struct ms_task {
  const ms_analysis *kind;
  const char *name;     /* unique; owned by the document or a literal */
  struct fy_node *node; /* its options, NULL where none were given */
  void *product;        /* what later analyses read; the kind frees it */
} ms_task;

struct ms_study {
  ms_context *ctx;
  ms_yaml yaml;
  ms_units units;
  const char *title;
  ms_structure *structure; /* of the main thread */
  ms_task *task;
  int n_task;
  int threads;
  const char *folder;
  ms_sheet **sheet; /* tables/<name>.csv */
  int n_sheet;
};

/* An analysis is one file that ends in such a table, and one line in analyses.def. */
struct ms_analysis {
  const char *name, *meaning;
  const ms_key *keys;
  int n_keys;
  /* Reads the options without computing: whatever is wrong is said here. */
  ms_status (*check)(ms_study *study, ms_task *task);
  ms_status (*run)(ms_study *study, ms_task *task);
  /* Its numbers for summary.json, inside the object that has name and kind already. */
  void (*summarise)(const ms_study *study, const ms_task *task, ms_json *json);
  /* Its part of the report, below its heading. */
  ms_status (*report)(const ms_study *study, const ms_task *task, ms_page *page);
  void (*close)(ms_study *study, ms_task *task);
};

/* An earlier analysis of that kind (NULL: any), by the name in `node` or, where that is NULL, the
   last one before `task`. */
ms_status ms_study_find_task(const ms_study *study, const ms_task *task, struct fy_node *node,
                             const char *kind, const ms_task **out);

/* sheet.c: a table with numbers and words, grown row by row. */
ms_status ms_sheet_create(ms_study *study, const char *name, const char *columns, ms_sheet **out);
void ms_sheet_destroy(ms_context *ctx, ms_sheet **sheet);
/* Values in the order of the columns: a double for a number, a const char * for a word. Numbers
   must be finite. */
ms_status ms_sheet_add_row(ms_context *ctx, ms_sheet *sheet, ...);
/* The same for a sheet without words, from an array. */
ms_status ms_sheet_add_numbers(ms_context *ctx, ms_sheet *sheet, const double *values);
/* The numbers of a column; NULL for words. Valid until the next row. */
const double *ms_sheet_column(const ms_sheet *sheet, int column);
ms_status ms_sheet_write_csv(ms_context *ctx, const ms_sheet *sheet, const char *path);
const char *ms_sheet_name(const ms_sheet *sheet);
ptrdiff_t ms_sheet_rows(const ms_sheet *sheet);
ms_status ms_sheet_add_to_page(ms_context *ctx, const ms_sheet *sheet, const char *caption,
                               ms_page *page);

/* write.c */
ms_status ms_study_write(ms_study *study);

/* units.c */
ms_status ms_units_read(const ms_yaml *yaml, struct fy_node *node, ms_units *units);
/* The factor to SI of a unit such as "N s/m" or "N/m^2"; 0 if it cannot be told. */
double ms_units_factor(const ms_units *units, const char *unit);

/* build.c: a structure from the file. Called once per worker: each has its own joints. */
ms_status ms_study_build(const ms_study *study, ms_context *ctx, ms_structure **out);

/* pool.c: jobs 0 .. n-1 over the study's threads. Every worker has its own context and structure;
   results go to places of their own, so that they do not depend on the number of threads. */
typedef struct ms_worker {
  ms_context *ctx;
  ms_structure *structure;
} ms_worker;
typedef ms_status (*ms_job_fn)(ms_worker *worker, ptrdiff_t job, void *user);
ms_status ms_pool_run(ms_study *study, const char *what, ptrdiff_t jobs, ms_job_fn run, void *user);

#endif
