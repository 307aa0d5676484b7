#include "study/analyses/shared/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "experiment/tolerance.h"
#include "identify/calibrate/free_parameters.h"
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

/* "force at the onset of macroslip, including that of K_inf": only what it is, without details. */
void ms_answer_parameter(const ms_study *s, ms_result *result, ms_answer answer, const char *of,
                         const ms_joint_parameter *p) {
  const ms_param *param = ms_parameter_place_param(s->structure, &p->place[0]);
  const char *dot = strrchr(p->key, '.');
  char what[160];
  snprintf(what, sizeof what, "%s%s%.*s", of ? of : "", of ? " " : "",
           (int)strcspn(param->meaning, ",;:("), param->meaning);
  what[0] = (char)toupper((unsigned char)what[0]);
  answer.symbol = param->name;
  answer.unit = ms_joint_parameter_unit(p);
  ms_answer_add(result, answer, "%s, %.*s", what, dot ? (int)(dot - p->key) : 0, p->key);
}

/* ---- curves over the amplitude ---- */

static const double *column_of(const ms_result_table *table, const char *name) {
  const int column = ms_result_table_find_column(table, name);
  return column < 0 ? NULL : ms_result_table_column(table, column);
}

static ms_curve_ends find_ends(const ms_result_table *table, const char *method, int mode) {
  const double *of = column_of(table, "mode"), *q = column_of(table, "q");
  const double *residual = column_of(table, "quality");
  const int word = method ? ms_result_table_find_column(table, "method") : -1;
  ms_curve_ends ends = { 0 };
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (of[i] != mode + 1.0) continue;
    if (word >= 0 && strcmp(ms_result_table_word(table, word, i), method) != 0) continue;
    ms_curve_ends_add(&ends, i, q[i], residual ? residual[i] : 0.0);
  }
  return ends;
}

void ms_answer_curves(ms_result *result, const ms_result_table *table, const char *method,
                      const int *mode, int n_mode, int weight) {
  enum { FIRST = 2, MOST = 3 }; /* modes whose numbers come first, and that have some */
  const double *omega = column_of(table, "omega"), *zeta = column_of(table, "zeta");
  char good[64];
  double shift = 0.0;
  int of = -1, told = 0;
  snprintf(good, sizeof good, " with a residual below %g %%",
           100.0 * ms_experiment_tol.poor_residual);
  for (int m = 0; m < n_mode; m++) {
    const ms_curve_ends e = find_ends(table, method, mode[m]);
    const char *which[2];
    if (e.n == 0) continue;
    for (int end = 0; end < 2; end++)
      which[end] = e.poor ? ", all with a poor residual" : e.cut[end] ? good : "";
    const double change = omega[e.large] / omega[e.small] - 1.0;
    if (e.n > 1 && (of < 0 || fabs(change) > fabs(shift))) shift = change, of = mode[m];
    if (told == MOST) continue;
    const int own = told++ < FIRST ? weight : weight - 1;
    ms_answer_number(result, own, "omega", "rad/s", omega[e.small],
                     "Frequency of mode %d at the smallest amplitude%s", mode[m] + 1, which[0]);
    ms_answer_number(result, own, "zeta", NULL, zeta[e.large],
                     "Damping of mode %d at the largest amplitude%s", mode[m] + 1, which[1]);
    if (n_mode > 1 || e.n == 1) continue;
    ms_answer_number(result, own, "zeta", NULL, zeta[e.small],
                     "Damping of mode %d at the smallest amplitude%s", mode[m] + 1, which[0]);
  }
  if (of < 0) return;
  ms_answer_percent(result, shift, weight,
                    told > 1 ? "Largest frequency shift with amplitude, mode %d"
                             : "Frequency shift of mode %d with amplitude",
                    of + 1);
}
