#include "study/analyses/shared/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"
#include "report/tolerance.h"

#define POOR \
  0.1 /* residual of a local fit over its amplitude: above it noise or another mode is read */

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

/* The rows of a mode with the smallest and the largest amplitude, of those whose local fit has no
   larger residual than this; 0 where it has none. */
static int find_ends(const ms_result_table *table, const char *method, int mode, double poor,
                     ptrdiff_t *small, ptrdiff_t *large) {
  const double *of = column_of(table, "mode"), *q = column_of(table, "q");
  const double *residual = column_of(table, "quality");
  const int word = method ? ms_result_table_find_column(table, "method") : -1;
  int n = 0;
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (of[i] != mode + 1.0 || (residual && residual[i] > poor)) continue;
    if (word >= 0 && strcmp(ms_result_table_word(table, word, i), method) != 0) continue;
    if (n == 0 || q[i] < q[*small]) *small = i;
    if (n == 0 || q[i] > q[*large]) *large = i;
    n++;
  }
  return n;
}

void ms_answer_curves(ms_result *result, const ms_result_table *table, const char *method,
                      const int *mode, int n_mode, int weight) {
  enum { FIRST = 2, MOST = 3 }; /* modes whose numbers come first, and that have some */
  const double *omega = column_of(table, "omega"), *zeta = column_of(table, "zeta");
  double shift = 0.0;
  int of = -1, told = 0;
  for (int m = 0; m < n_mode; m++) {
    ptrdiff_t small = 0, large = 0;
    int n = find_ends(table, method, mode[m], POOR, &small, &large);
    if (n == 0) n = find_ends(table, method, mode[m], HUGE_VAL, &small, &large);
    if (n == 0) continue;
    const double change = omega[large] / omega[small] - 1.0;
    if (n > 1 && (of < 0 || fabs(change) > fabs(shift))) shift = change, of = mode[m];
    if (told == MOST) continue;
    const int own = told++ < FIRST ? weight : weight - 1;
    const ms_answer damping = { .symbol = "zeta", .value = zeta[large], .weight = own };
    ms_answer_add(
        result,
        (ms_answer) { .symbol = "omega", .unit = "rad/s", .value = omega[small], .weight = own },
        "Frequency of mode %d at the smallest amplitude", mode[m] + 1);
    ms_answer_add(result, damping, "Damping of mode %d at the largest amplitude", mode[m] + 1);
    if (n_mode > 1 || n == 1) continue;
    ms_answer_add(result, (ms_answer) { .symbol = "zeta", .value = zeta[small], .weight = own },
                  "Damping of mode %d at the smallest amplitude", mode[m] + 1);
  }
  if (of < 0) return;
  ms_answer_percent(result, shift, weight,
                    told > 1 ? "Largest frequency shift with amplitude, mode %d"
                             : "Frequency shift of mode %d with amplitude",
                    of + 1);
}
