/* What the analysis `frf` makes: curves from the modes, and one estimate from records. */
#ifndef MS_STUDY_ANALYSES_FRF_FRF_H
#define MS_STUDY_ANALYSES_FRF_FRF_H

#include <microslip/experiment.h>

#include "experiment/frf_records.h"
#include "study/analyses/shared/rows.h"
#include "study/analyses/shared/variants.h"

typedef struct ms_frf_options {
  ms_study_load load; /* keys at and base: where it acts */
  ptrdiff_t sensor;
  int quantity; /* ms_response_kind */
  double range[2];
  ptrdiff_t points;
  ms_chosen joints;
  int mode;
  ms_numbers amplitudes;
  struct fy_node *test, *measured, *variants;
} ms_frf_options;

/* One curve from the modes. */
typedef struct ms_frf_curve {
  char label[48];
  ms_joint_state joints;
  ms_joint_linear *linear; /* of every joint, where given */
  double *H;               /* pairs at the product's frequencies */
} ms_frf_curve;

/* Where an estimate comes from. */
typedef struct ms_frf_source {
  ms_study_load drive; /* of a test in time its function of time, or */
  ms_frf_records of;   /* a file */
} ms_frf_source;

typedef struct ms_frf_product {
  double *omega;  /* of the points */
  double *sensor; /* over the degrees of freedom */
  ms_frf_curve *curve;
  ptrdiff_t n_curve;
  ms_frf_source source;
  ms_frf_test run; /* the test; of records the settings and frf, whose n is 0 if there are none */
  ms_variants variants;
  ms_result_table *varied; /* their curves; NULL without */
} ms_frf_product;

/* frf.c: a curve at any frequencies. */
ms_status ms_frf_evaluate(const ms_study *study, const ms_task *task, const ms_frf_curve *curve,
                          ptrdiff_t n, const double *omega, double *H);

/* test_estimate.c: options `test` and `measured`, and the estimate. */
extern const ms_param_list ms_frf_test_keys;
ms_status ms_frf_read_source(ms_study *study, const ms_task *task);
ms_status ms_frf_estimate(ms_study *study, const ms_task *task);
void ms_frf_free_source(ms_context *ctx, ms_frf_source *source);

/* result.c: the columns of a table of curves; and one of them into it, whose rows begin with n_head
   numbers. */
enum { MS_FRF_COLUMNS = 200 };
void ms_frf_print_columns(const ms_study *study, const ms_task *task, char text[MS_FRF_COLUMNS]);
void ms_frf_add_curve(const ms_task *task, const ms_frf_curve *curve, const double *head,
                      ptrdiff_t n_head, ms_result_table *table);
ms_status ms_frf_result(ms_study *study, ms_task *task);

#endif
