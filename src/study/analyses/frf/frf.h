/* What the analysis `frf` makes: curves from the modes, and one estimate from records. */
#ifndef MS_STUDY_ANALYSES_FRF_FRF_H
#define MS_STUDY_ANALYSES_FRF_FRF_H

#include <microslip/experiment.h>

#include "study/model/loads.h"
#include "study/analyses/shared/variants.h"

/* One curve from the modes. */
typedef struct ms_frf_curve {
  char label[48];
  ms_joint_state joints;
  ms_joint_linear *linear; /* of every joint, where given */
  double *H;               /* pairs at the product's frequencies */
} ms_frf_curve;

/* Where an estimate comes from. */
typedef struct ms_frf_source {
  /* a test in time, or */
  int simulated;
  ms_study_load drive; /* its function of time */
  /* a file */
  int measured;
  ms_record input, output;
  double scale;     /* of the input's numbers */
  ptrdiff_t before; /* samples before the first pulse; 0: no offset subtracted */
  double offset[2]; /* of input and output, that were subtracted */
} ms_frf_source;

/* The curves of one variant. */
typedef struct ms_frf_varied {
  ms_frf_curve *curve;
  ptrdiff_t n_curve;
} ms_frf_varied;

typedef struct ms_frf_product {
  ms_response_kind kind;
  ms_study_load load; /* shape and iota: where it acts */
  double *sensor;
  ptrdiff_t n_omega;
  double low, high; /* Hz */
  double *omega;
  ms_frf_curve *curve;
  ptrdiff_t n_curve;
  ms_frf_source source;
  ms_frf_test run; /* the test; of records the settings and frf, whose n is 0 if there are none */
  ms_result_table *table, *test, *compare;
  ms_variants variants;
  ms_frf_varied *varied; /* one for each variant */
} ms_frf_product;

/* frf.c: where load and sensor are, and which curves there will be, by the study's structure. */
ms_status ms_frf_read_curves(ms_study *study, const ms_task *task, ms_frf_product *p);
/* All of them, at the product's frequencies. */
ms_status ms_frf_run_curves(const ms_study *study, const ms_task *task, ms_frf_product *p);
void ms_frf_free_curves(ms_context *ctx, ms_frf_curve **curve, ptrdiff_t n);
/* A row of a table ends with joints and five numbers: f, real, imaginary, magnitude, phase. */
enum { MS_FRF_NUMBERS = 5, MS_FRF_COLUMNS = 200 };
void ms_frf_columns(const ms_study *study, const ms_frf_product *p, char text[MS_FRF_COLUMNS]);
/* " [m/N]", and "" where it has none. */
void ms_frf_unit(const ms_study *study, const ms_frf_product *p, char text[32]);
void ms_frf_point(const ms_frf_product *p, const ms_frf_curve *curve, ptrdiff_t k, double *row);
/* A curve at any frequencies. */
ms_status ms_frf_evaluate(const ms_study *study, const ms_frf_product *p, const ms_frf_curve *curve,
                          ptrdiff_t n, const double *omega, double *H);

/* test_estimate.c: options `test` and `measured`, and the estimate. */
extern const ms_param_list ms_frf_test_keys, ms_frf_measured_keys;
ms_status ms_frf_read_source(ms_study *study, struct fy_node *test, struct fy_node *measured,
                             ms_frf_product *p);
ms_status ms_frf_estimate(ms_study *study, const ms_task *task, ms_frf_product *p);
/* As ms_analysis has it: steps and energy of the test. */
ms_status ms_frf_judge(ms_study *study, ms_task *task);
void ms_frf_free_source(ms_context *ctx, ms_frf_source *source);

/* variants.c: the curves with other numbers in the file. */
ms_status ms_frf_read_variants(ms_study *study, struct fy_node *variants, ms_frf_product *p);
ms_status ms_frf_run_variants(ms_study *study, const ms_task *task, ms_frf_product *p);
void ms_frf_free_variants(ms_context *ctx, ms_frf_product *p);

/* report.c, as ms_analysis has them */
void ms_frf_summarise(const ms_study *study, const ms_task *task, ms_json *json);
ms_status ms_frf_report(const ms_study *study, const ms_task *task, ms_page *page);

#endif
