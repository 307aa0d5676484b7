/* Answers of a result with labels as printf has them. */
#ifndef MS_REPORT_RESULT_LABELLED_ANSWERS_H
#define MS_REPORT_RESULT_LABELLED_ANSWERS_H

#include <microslip/result.h>

/* One answer, its label as printf; none where the value is not finite. */
MS_PRINTF(3, 4)
void ms_answer_add(ms_result *result, ms_answer answer, const char *label, ...);
MS_PRINTF(6, 7)
void ms_answer_number(ms_result *result, int weight, const char *symbol, const char *unit,
                      double value, const char *label, ...);
/* The same of a ratio, in per cent; 0 where it is rounding only. */
MS_PRINTF(4, 5)
void ms_answer_percent(ms_result *result, double ratio, int weight, const char *label, ...);

#endif
