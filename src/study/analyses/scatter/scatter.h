/* Joint tests of many specimens in a study: `specimens` makes them, `scatter` reads them. */
#ifndef MS_STUDY_ANALYSES_SCATTER_SCATTER_H
#define MS_STUDY_ANALYSES_SCATTER_SCATTER_H

#include <microslip/scatter.h>

#include "study/file/options.h"

/* Tests, sorted by specimen and force. */
typedef struct ms_test_table {
  ptrdiff_t n, n_specimen;
  ptrdiff_t *specimen;
  double *force, *stiffness, *loss; /* one block at force */
  int *row;
  double *id; /* n_specimen: its number in the file */
} ms_test_table;
/* test_table.c */
ms_status ms_test_table_reserve(ms_context *ctx, ptrdiff_t n, ms_test_table *out);
void ms_test_table_free(ms_context *ctx, ms_test_table *t);
ms_status ms_test_table_copy(ms_context *ctx, const ms_test_table *from, ms_test_table *out);
ms_status ms_test_table_read(const ms_study *study, struct fy_node *file, struct fy_node *columns,
                             int joint, ms_test_table *out);
/* Without rows that are not reached: those of stiffness 0. */
void ms_test_table_shorten(ms_test_table *t);
ms_scatter_data ms_test_table_view(const ms_test_table *t);
/* joint: of one law with one axis. */
ms_status ms_scatter_read_joint(const ms_study *study, struct fy_node *node, int *joint);
/* A parameter of that joint's law, and the factor of its unit to SI. */
ms_status ms_scatter_read_param(const ms_study *study, struct fy_node *key, int joint,
                                const ms_param **param, double *factor);
/* noise: a number, or [of stiffness, of dissipation]; left alone where absent. */
ms_status ms_scatter_take_noise(const ms_study *study, struct fy_node *node,
                                const ms_numbers *given, double noise[2]);
/* Keys of `columns`. */
extern const ms_param_list ms_scatter_columns;

/* What `specimens` leaves. */
typedef struct ms_specimens_analysis {
  ms_test_table tests;
  int joint;
} ms_specimens_analysis;

typedef struct ms_scatter_option {
  char key[320]; /* "lap.K_T" */
  char name[320];
  const char *unit;
} ms_scatter_option;

/* Where the tests come from: a table at once, `specimens` at the run. */
typedef struct ms_test_source {
  const ms_task *from;
  ms_test_table tests;
} ms_test_source;

typedef struct ms_scatter_analysis {
  /* options */
  int joint;
  ptrdiff_t n, n_separate;
  ms_scatter_parameter *parameter;
  ms_scatter_option *option;
  ms_test_source used, fresh; /* fresh: not used, counted against the bands; may be empty */
  ms_scatter_setting setting;
  double omega;
  ptrdiff_t samples, repetitions;
  /* at the run */
  ms_scatter_result result;
  ptrdiff_t n_force;
  double *force;
  ms_scatter_bands bands, measured;     /* of joints, and of what is measured on them */
  ptrdiff_t inside[2], fresh_inside[2]; /* rows in the bands, of stiffness and dissipation */
  double *repeated;                     /* of each repetition: done, means, deviations, intervals */
  ms_result_table *table, *bands_table, *specimens_table, *repeated_table;
} ms_scatter_analysis;

enum { MS_SCATTER_LEVELS = 3 }; /* 5, 50, 95 % */

/* options.c */
enum { MS_SCATTER_KEYS = 14 };
extern const ms_param ms_scatter_keys[MS_SCATTER_KEYS];
ms_status ms_scatter_check(ms_study *study, ms_task *task);

/* bootstrap.c: the identification repeated on synthetic tests of what was found; every process
   calls it. */
ms_status ms_scatter_repeat(ms_study *study, const ms_task *task, ms_scatter_analysis *a);
ptrdiff_t ms_scatter_repeat_width(const ms_scatter_analysis *a);
/* The model on copies of a structure's joint. */
typedef struct ms_scatter_model {
  ms_joint *joint, *loss;
  ms_scatter *on;
} ms_scatter_model;
ms_status ms_scatter_open_model(ms_context *ctx, const ms_structure *structure,
                                const ms_scatter_analysis *a, ms_scatter_model *out);
void ms_scatter_close_model(ms_scatter_model *m);

/* tables.c, report.c */
ms_status ms_scatter_tabulate(ms_study *study, const ms_task *task, ms_scatter_analysis *a);
void ms_scatter_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_scatter_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
