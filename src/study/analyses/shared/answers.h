/* Numbers that readers of the report came for, as several analyses have them. */
#ifndef MS_STUDY_ANALYSES_SHARED_ANSWERS_H
#define MS_STUDY_ANALYSES_SHARED_ANSWERS_H

#include <microslip/curves.h>

#include "report/result/labelled_answers.h"
#include "study/model/joint_parameters.h"

/* Weights of answers and featured figures: the report has the largest at its head. */
enum {
  MS_HEAD_MODES = 10,
  MS_HEAD_TIME = 20,
  MS_HEAD_DECAY = 30,
  MS_HEAD_PERIODIC = 35,
  MS_HEAD_BACKBONE = 40,
  MS_HEAD_RANDOM = 45,
  MS_HEAD_FIT = 50
};

/* The value of a joint's parameter: label, symbol and unit are the parameter's, with `of` ("mean",
   NULL: nothing) before them. */
void ms_answer_parameter(const ms_study *study, ms_result *result, ms_answer answer, const char *of,
                         const ms_joint_parameter *parameter);
/* Of a table with columns mode, q, omega and zeta, in rows of these modes (of `method`, a word in
   the column of that name; NULL: all): frequency at the smallest amplitude, damping at the largest
   (of a single mode at both), and the largest shift of frequency between them. Points with a poor
   local fit (`quality`) are left out, see ms_curve_ends; then the label says so. */
void ms_answer_curves(ms_result *result, const ms_result_table *table, const char *method,
                      const int *mode, int n_mode, int weight);

#endif
