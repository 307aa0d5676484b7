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

#endif
