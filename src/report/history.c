/* Histories: a record of many cycles is a band, in which no cycle can be seen. A second panel
   beside it shows the first ones. */
#include <math.h>

#include "core/cycles.h"
#include "core/internal.h"
#include "report/internal.h"
#include "report/tolerance.h"

typedef struct window {
  double from, to; /* of x; from = to: none */
} window;

/* The line that moves most; NULL for none, or if a line goes back in x. */
static const ms_series *find_main(const ms_figure_panel *panel) {
  const ms_series *best = NULL;
  double most = 0.0;
  for (ptrdiff_t k = 0; k < panel->n_series; k++) {
    const ms_series *s = &panel->series[k];
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t i = 0; i < s->n; i++) {
      if (i > 0 && s->x[i] < s->x[i - 1]) return NULL;
      low = fmin(low, s->y[i]);
      high = fmax(high, s->y[i]);
    }
    if (!ms_series_has_line(s) || !(high - low > most)) continue;
    most = high - low;
    best = s;
  }
  return best;
}

static window find_window(const ms_figure_panel *panel) {
  const ms_series *s = find_main(panel);
  if (!s) return (window) { 0.0, 0.0 };
  const ms_cycles c =
      ms_cycles_find(s->n, s->x, s->y, ms_report_tol.swing, (ptrdiff_t)ms_report_tol.cycles);
  if ((double)c.n < ms_report_tol.many_cycles) return (window) { 0.0, 0.0 };
  return (window) { s->x[c.first], s->x[c.last] };
}

/* The panel's curves between two x, in a panel of their own at the end of the figure. */
static ms_status add_part(ms_figure *figure, ptrdiff_t p, window w) {
  const ms_figure_panel whole = figure->panel[p]; /* the list of panels moves */
  char title[200];
  if (whole.empty || w.from == w.to) return ms_figure_skip_panel(figure);
  ms_panel spec = whole.spec;
  snprintf(title, sizeof title, "%.150s%sirst %g cycles", spec.title ? spec.title : "",
           spec.title ? ", f" : "F", ms_report_tol.cycles);
  spec.title = title;
  spec.part = 1;
  MS_TRY(ms_figure_add_panel(figure, &spec));
  for (ptrdiff_t k = 0; k < whole.n_series; k++) {
    ms_series s = whole.series[k];
    ptrdiff_t first = 0, end = s.n;
    while (first < end && s.x[first] < w.from) first++;
    while (end > first && s.x[end - 1] > w.to) end--;
    if (end == first || s.style == MS_SERIES_AREA) continue;
    s.n = end - first;
    s.x += first, s.y += first;
    if (s.y_low) s.y_low += first, s.y_high += first;
    if (s.omega) s.omega += first;
    MS_TRY(ms_figure_add_series(figure, &s));
  }
  return MS_SUCCESS;
}

/* Panels 0 to n - 1 and, after them, their parts: each beside its own. Empty places go. */
static void interleave(ms_figure *figure, ptrdiff_t n, ms_figure_panel *scratch) {
  ptrdiff_t to = 0;
  for (ptrdiff_t p = 0; p < 2 * n; p++) scratch[p] = figure->panel[p];
  for (ptrdiff_t p = 0; p < n; p++) {
    if (scratch[p].empty) continue; /* it owns nothing, and neither does its part */
    figure->panel[to++] = scratch[p];
    figure->panel[to++] = scratch[n + p];
  }
  figure->n_panel = to;
  figure->columns = 2;
}

static ms_status add_parts(ms_figure *figure, const window *w, ms_figure_panel *scratch) {
  const ptrdiff_t n = figure->n_panel;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t p = 0; p < n && status == MS_SUCCESS; p++) status = add_part(figure, p, w[p]);
  if (status == MS_SUCCESS) {
    interleave(figure, n, scratch);
  } else {
    while (figure->n_panel > n) ms_figure_drop_panel(figure);
  }
  return status;
}

ms_status ms_figure_add_first_cycles(ms_figure *figure) {
  if (!figure) return MS_ERR_ARGUMENT;
  const ptrdiff_t n = figure->n_panel;
  window *w = NULL, longest = { 0.0, 0.0 };
  ms_figure_panel *scratch = NULL;
  MS_TRY(ms_allocate(figure->ctx, n, sizeof *w, &w));
  for (ptrdiff_t p = 0; p < n; p++) {
    w[p] = find_window(&figure->panel[p]);
    if (w[p].to - w[p].from > longest.to - longest.from) longest = w[p];
  }
  for (ptrdiff_t p = 0; p < n && (figure->share & MS_SHARE_X); p++) w[p] = longest;
  ms_status status = MS_SUCCESS;
  if (longest.to > longest.from) {
    status = ms_allocate(figure->ctx, 2 * n, sizeof *scratch, &scratch);
    if (status == MS_SUCCESS) status = add_parts(figure, w, scratch);
  }
  ms_free(figure->ctx, &scratch);
  ms_free(figure->ctx, &w);
  return status;
}
