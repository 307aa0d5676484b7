/* What readers want from frequency and damping of modes against amplitude, of any analysis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/result/labelled_answers.h"
#include "report/tolerance.h"

#define AT ", |q| = %.4g m sqrt(kg)" /* microslip compare knows it */

/* The ends of a curve: which point has the smallest amplitude and which the largest. Points whose
   local fit is poor are of noise or of another mode: they do not count, unless all are such. */
typedef struct ends_of {
  ptrdiff_t n, small, large;
  int poor, cut[2];      /* cut: a point that does not count lies beyond this end */
  double q[2], range[2]; /* the amplitudes, and those of all points */
} ends_of;

static void add_end(ends_of *e, ptrdiff_t index, double q, double residual) {
  const int poor = residual > ms_report_tol.poor_residual, first = e->n == 0;
  e->range[0] = first ? q : fmin(e->range[0], q);
  e->range[1] = first ? q : fmax(e->range[1], q);
  if (!first && !poor && e->poor) e->n = 0; /* the first good one */
  if (first || !poor || e->poor) {
    if (e->n == 0 || q < e->q[0]) e->small = index, e->q[0] = q;
    if (e->n == 0 || q > e->q[1]) e->large = index, e->q[1] = q;
    e->poor = poor;
    e->n++;
  }
  e->cut[0] = e->range[0] < e->q[0];
  e->cut[1] = e->range[1] > e->q[1];
}

static ends_of find_ends(const ms_result_table *table, const char *method, int mode) {
  const double *of = ms_result_table_find_numbers(table, "mode"),
               *q = ms_result_table_find_numbers(table, "q");
  const double *residual = ms_result_table_find_numbers(table, "quality");
  const int word = method ? ms_result_table_find_column(table, "method") : -1;
  ends_of ends = { 0 };
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (of[i] != mode + 1.0) continue;
    if (word >= 0 && strcmp(ms_result_table_word(table, word, i), method) != 0) continue;
    add_end(&ends, i, q[i], residual ? residual[i] : 0.0);
  }
  return ends;
}

/* The row with the largest damping of a mode, where that lies between the ends of the curve and
   above both of them; -1 for none. Points with a poor residual are left out, as at the ends. */
static ptrdiff_t find_peak(const ms_result_table *table, const char *method, int mode,
                           const ends_of *e) {
  const double *of = ms_result_table_find_numbers(table, "mode"),
               *q = ms_result_table_find_numbers(table, "q");
  const double *zeta = ms_result_table_find_numbers(table, "zeta"),
               *residual = ms_result_table_find_numbers(table, "quality");
  const int word = method ? ms_result_table_find_column(table, "method") : -1;
  ptrdiff_t peak = -1;
  for (ptrdiff_t i = 0; i < ms_result_table_rows(table); i++) {
    if (of[i] != mode + 1.0 || !(q[i] > e->q[0] && q[i] < e->q[1])) continue;
    if (word >= 0 && strcmp(ms_result_table_word(table, word, i), method) != 0) continue;
    if (residual && residual[i] > ms_report_tol.poor_residual) continue;
    if (peak < 0 || zeta[i] > zeta[peak]) peak = i;
  }
  if (peak < 0 || e->poor) return -1;
  return zeta[peak] > ms_report_tol.peak * fmax(zeta[e->small], zeta[e->large]) ? peak : -1;
}

void ms_result_answer_modes(ms_result *result, const ms_result_table *table, const char *method,
                            const int *mode, int n_mode, int weight) {
  enum { FIRST = 2, MOST = 3 }; /* modes whose numbers come first, and that have some */
  const double *omega = ms_result_table_find_numbers(table, "omega"),
               *zeta = ms_result_table_find_numbers(table, "zeta"),
               *q = ms_result_table_find_numbers(table, "q");
  char good[64];
  double shift = 0.0;
  int of = -1, told = 0;
  snprintf(good, sizeof good, " with a residual below %g %%", 100.0 * ms_report_tol.poor_residual);
  for (int m = 0; m < n_mode; m++) {
    const ends_of e = find_ends(table, method, mode[m]);
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

/* ---- points that are not valid ---- */

int ms_result_is_valid_point(double residual, double zeta) {
  return residual < ms_report_tol.poor_residual && zeta > 0.0;
}

ptrdiff_t ms_result_count_invalid(const ms_result_table *t, const int *mode, int n_mode, char *only,
                                  size_t size) {
  const double *of = ms_result_table_find_numbers(t, "mode");
  const double *zeta = ms_result_table_find_numbers(t, "zeta");
  const double *residual = ms_result_table_find_numbers(t, "quality");
  ptrdiff_t invalid = 0;
  snprintf(only, size, "quality<%g,zeta>0", ms_report_tol.poor_residual);
  for (int m = 0; m < n_mode; m++) {
    ptrdiff_t n = 0, valid = 0;
    for (ptrdiff_t i = 0; i < ms_result_table_rows(t); i++) {
      if (of[i] != mode[m] + 1.0) continue;
      n++;
      valid += ms_result_is_valid_point(residual[i], zeta[i]);
    }
    if (n > 0 && valid == 0) return 0;
    invalid += n - valid;
  }
  return invalid;
}
