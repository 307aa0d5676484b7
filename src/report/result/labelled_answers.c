/* Answers with labels as printf has them. */
#include "report/result/labelled_answers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "report/tolerance.h"

MS_PRINTF(3, 0)
static void add(ms_result *result, ms_answer answer, const char *label, va_list list) {
  char text[400];
  if (!isfinite(answer.value)) return;
  if (!isfinite(answer.error)) answer.error = 0.0;
  vsnprintf(text, sizeof text, label, list);
  answer.label = text;
  ms_result_add_answer(result, &answer);
}

void ms_answer_add(ms_result *result, ms_answer answer, const char *label, ...) {
  va_list list;
  va_start(list, label);
  add(result, answer, label, list);
  va_end(list);
}

void ms_answer_number(ms_result *result, int weight, const char *symbol, const char *unit,
                      double value, const char *label, ...) {
  va_list list;
  va_start(list, label);
  add(result, (ms_answer) { .symbol = symbol, .unit = unit, .value = value, .weight = weight },
      label, list);
  va_end(list);
}

void ms_answer_percent(ms_result *result, double ratio, int weight, const char *label, ...) {
  const ms_answer answer = { .unit = "%",
                             .value = fabs(ratio) < ms_report_tol.tiny ? 0.0 : 100.0 * ratio,
                             .weight = weight };
  va_list list;
  va_start(list, label);
  add(result, answer, label, list);
  va_end(list);
}
