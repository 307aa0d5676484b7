#include "study/analyses/shared/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/tolerance.h"
#include "identify/calibrate/free_parameters.h"

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

#define AT   ", |q| = %.4g m sqrt(kg)" /* microslip compare knows it */
#define PEAK 1.02 /* of the damping at the ends: a maximum between them is above this */

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

/* The row with the largest damping of a mode, where that lies between the ends of the curve and
   above both of them; -1 for none. Points with a poor residual are left out, as at the ends. */
static ptrdiff_t find_peak(const ms_result_table *table, const char *method, int mode,
                           const ms_curve_ends *e) {
  const double *of = column_of(table, "mode"), *q = column_of(table, "q");
  const double *zeta = column_of(table, "zeta"), *residual = column_of(table, "quality");
  const int word = method ? ms_result_table_find_column(table, "method") : -1;
  ptrdiff_t peak = -1;
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (of[i] != mode + 1.0 || !(q[i] > e->q[0] && q[i] < e->q[1])) continue;
    if (word >= 0 && strcmp(ms_result_table_word(table, word, i), method) != 0) continue;
    if (residual && residual[i] > ms_experiment_tol.poor_residual) continue;
    if (peak < 0 || zeta[i] > zeta[peak]) peak = i;
  }
  if (peak < 0 || e->poor) return -1;
  return zeta[peak] > PEAK * fmax(zeta[e->small], zeta[e->large]) ? peak : -1;
}

void ms_answer_curves(ms_result *result, const ms_result_table *table, const char *method,
                      const int *mode, int n_mode, int weight) {
  enum { FIRST = 2, MOST = 3 }; /* modes whose numbers come first, and that have some */
  const double *omega = column_of(table, "omega"), *zeta = column_of(table, "zeta"),
               *q = column_of(table, "q");
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
    const ptrdiff_t peak = find_peak(table, method, mode[m], &e);
    ms_answer_number(result, own, "omega", "rad/s", omega[e.small],
                     "Frequency of mode %d at the smallest amplitude%s" AT, mode[m] + 1, which[0],
                     q[e.small]);
    if (peak >= 0)
      ms_answer_number(result, own, "zeta", NULL, zeta[peak], "Largest damping of mode %d" AT,
                       mode[m] + 1, q[peak]);
    ms_answer_number(result, peak >= 0 ? own - 1 : own, "zeta", NULL, zeta[e.large],
                     "Damping of mode %d at the largest amplitude%s" AT, mode[m] + 1, which[1],
                     q[e.large]);
    if (n_mode > 1 || e.n == 1) continue;
    ms_answer_number(result, own, "zeta", NULL, zeta[e.small],
                     "Damping of mode %d at the smallest amplitude%s" AT, mode[m] + 1, which[0],
                     q[e.small]);
  }
  if (of < 0) return;
  ms_answer_percent(result, shift, weight,
                    told > 1 ? "Largest frequency shift with amplitude, mode %d"
                             : "Frequency shift of mode %d with amplitude",
                    of + 1);
}
