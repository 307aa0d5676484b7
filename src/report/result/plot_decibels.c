/* Points by their size over the largest, in bands of colours. */
#include <stdio.h>

#include "report/result/result.h"

void ms_result_plot_decibels(ms_result *r, const char *title, const char *caption,
                             const ms_result_table *table, const ms_plot *panel, const char *column,
                             double largest) {
  enum { BANDS = 4 };
  static const char *const label[] = { "0 to -10 dB", "-10 to -20 dB", "-20 to -40 dB",
                                       "-40 to -60 dB" };
  static const double edge[] = { 1.0, 0.31622776601683794, 0.1, 0.01, 0.001 };
  char only[BANDS][160];
  ms_plot all[BANDS];
  for (int b = 0; b < BANDS; b++) {
    int n = snprintf(only[b], sizeof only[b], "%.40s>%.17g", column, edge[b + 1] * largest);
    if (b > 0)
      snprintf(only[b] + n, sizeof only[b] - (size_t)n, ",%.40s<%.17g", column, edge[b] * largest);
    all[b] = *panel;
    all[b].label = label[b];
    all[b].only = only[b];
    all[b].style = MS_SERIES_POINTS;
    all[b].colour = b;
    all[b].over = b > 0;
  }
  ms_result_plot(r, title, caption, table, BANDS, all);
}
