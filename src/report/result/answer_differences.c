/* Curves by several methods: answers about how far they are from the reference. */
#include <math.h>

#include "report/result/labelled_answers.h"

#define MOST_IS "; largest %.*g %%" /* microslip compare knows it */

/* Of the method that is farthest from the reference, the median over the amplitudes: where there is
   hardly any damping, a single ratio says nothing. Behind it the largest difference. */
void ms_result_answer_differences(ms_result *r, const ms_result_table *t, const char *reference,
                                  int weight) {
  static const char *const column[] = { "omega_median", "zeta_median" };
  static const char *const largest[] = { "omega_max", "zeta_max" };
  const double *mode = ms_result_table_find_numbers(t, "mode");
  const int method = ms_result_table_find_column(t, "method");
  for (int k = 0; k < 2 && ms_result_table_rows(t) > 0; k++) {
    const double *d = ms_result_table_find_numbers(t, column[k]);
    ptrdiff_t most = 0;
    for (ptrdiff_t i = 1; i < ms_result_table_rows(t); i++)
      most = fabs(d[i]) > fabs(d[most]) ? i : most;
    const double *max = ms_result_table_find_numbers(t, largest[k]);
    ms_answer_percent(r, fabs(d[most]), k ? weight : weight - 1,
                      "Difference of %s, %s from %s, mode %g, median over the amplitudes" MOST_IS,
                      k ? "damping" : "frequency", ms_result_table_word(t, method, most), reference,
                      mode[most], fabs(max[most]) < 1.0 ? 3 : 4, 100.0 * fabs(max[most]));
  }
}
