/* Small multiples of modes: the same panels for each of them, over its amplitude. */
#include <stdio.h>

#include "report/result/result.h"

enum { ROWS = 2, MOST = 4 }; /* modes of a figure, on one screen, and panels of a mode */

/* Frequency and damping of curves that name no column. */
static int list_panels(int n, const ms_plot *panel, ms_plot list[MOST]) {
  const int both = !panel->y, count = both ? 2 * n : n;
  for (int k = 0; k < count && k < MOST; k++) {
    const int damping = k / n;
    list[k] = panel[k % n];
    if (!both) continue;
    list[k].title = damping ? "damping" : "frequency";
    list[k].y = damping ? "zeta" : "omega";
    list[k].y_log = damping ? MS_LOG_IF_POSITIVE : 0;
    list[k].over = k % n > 0;
  }
  return count < MOST ? count : MOST;
}

void ms_result_plot_modes(ms_result *r, const ms_modes_view *view, const int *mode, int n_mode,
                          int n, const ms_plot *panel) {
  ms_plot list[MOST], all[ROWS * MOST];
  char title[ROWS * MOST][64], where[ROWS * MOST][64];
  const int count = list_panels(n, panel, list);
  for (int first = 0; first < n_mode; first += ROWS) {
    const int rows = n_mode - first < ROWS ? n_mode - first : ROWS;
    for (int k = 0; k < count * rows; k++) {
      const ms_plot *p = &list[k % count];
      const int number = mode[first + k / count] + 1;
      snprintf(where[k], sizeof where[k], "mode=%d%s%s", number, p->where ? "\n" : "",
               p->where ? p->where : "");
      snprintf(title[k], sizeof title[k], "Mode %d, %s", number, p->title ? p->title : "");
      all[k] = *p;
      all[k].title = title[k];
      all[k].where = where[k];
      all[k].x = "q";
      all[k].x_label = "modal amplitude |q|";
      all[k].x_log = 1;
    }
    ms_result_plot(r, view->title, view->caption, view->table, count * rows, all);
    if (first == 0) ms_result_feature_figure(r, view->weight);
  }
}
