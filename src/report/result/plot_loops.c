/* Loops of joints at their largest response. */
#include <stdio.h>
#include <string.h>

#include "report/result/result.h"

enum { MOST = 12 }; /* panels */

typedef struct panels {
  ms_plot plot[2 * MOST];
  char title[MOST][80], where[MOST][96];
  const char *joint[MOST];
  double axis[MOST];
  int n;
} panels;

static int is_known(const panels *p, const char *joint, double axis) {
  int k = p->n - 1;
  while (k >= 0 && (p->axis[k] != axis || strcmp(p->joint[k], joint) != 0)) k--;
  return k >= 0;
}

static void add(panels *p, const char *joint, double axis, const char *label) {
  const int n = p->n++;
  p->joint[n] = joint;
  p->axis[n] = axis;
  snprintf(p->where[n], sizeof p->where[n], "joint=%.64s,axis=%g", joint, axis);
  p->plot[2 * n] = (ms_plot)MS_PANEL(p->title[n], "displacement", "force", .by = "level", .most = 5,
                                     .label = label, .where = p->where[n], .style = MS_SERIES_LINE);
  p->plot[2 * n + 1] = p->plot[2 * n];
  p->plot[2 * n + 1].y = "force_balance";
  p->plot[2 * n + 1].over = 1;
  p->plot[2 * n + 1].style = MS_SERIES_DASHED;
  p->plot[2 * n + 1].label = "";
}

void ms_result_plot_loops(ms_result *r, const ms_result_table *loops, const char *unit) {
  const int joint = ms_result_table_find_column(loops, "joint");
  const double *axis = ms_result_table_find_numbers(loops, "axis");
  panels p = { .n = 0 };
  char label[64];
  snprintf(label, sizeof label, "%%s %s", unit);
  for (ptrdiff_t i = 0; i < ms_result_table_rows(loops) && p.n < MOST; i++) {
    const char *name = ms_result_table_word(loops, joint, i);
    if (!is_known(&p, name, axis[i])) add(&p, name, axis[i], label);
  }
  for (int k = 0; k < p.n; k++) {
    int axes = 0;
    for (int i = 0; i < p.n; i++) axes += strcmp(p.joint[i], p.joint[k]) == 0;
    snprintf(p.title[k], sizeof p.title[k], axes > 1 ? "%.50s, axis %g" : "%.50s", p.joint[k],
             p.axis[k]);
  }
  ms_result_plot(r, "Hysteresis loops of the joints at the largest response",
                 "The area of a loop is the energy dissipated per cycle. Where the force by the "
                 "harmonics (dashed) leaves the loop, more harmonics are required.",
                 loops, 2 * p.n, p.plot);
}
