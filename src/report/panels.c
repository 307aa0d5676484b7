/* Parts of panels that several figures have: axes from names of columns, envelopes. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/internal.h"

/* "omega [rad/s]" to what stands on an axis. */
static void split_unit(const char *column, char label[64], char unit[32]) {
  const size_t n = strcspn(column, " ");
  snprintf(label, 64, "%.*s", (int)n, column);
  if (strcmp(label, "q") == 0) snprintf(label, 64, "modal amplitude |q|");
  snprintf(unit, 32, "%.*s", column[n] ? (int)strcspn(column + n + 2, "]") : 0,
           column[n] ? column + n + 2 : "");
}

static int quantity_of(const char *label, const char *unit) {
  return (int)ms_display_find_quantity(label, *unit ? unit : NULL, NULL);
}

ms_status ms_figure_add_column_panel(ms_figure *figure, const char *title, const char *x_column,
                                     const char *y_column, int x_log, int y_log) {
  char x[64], x_unit[32], y[64], y_unit[32];
  split_unit(x_column, x, x_unit);
  split_unit(y_column, y, y_unit);
  ms_panel panel = { title, x, x_unit, y, y_unit, x_log, y_log };
  panel.x_quantity = quantity_of(x, x_unit);
  panel.y_quantity = quantity_of(y, y_unit);
  return ms_figure_add_panel(figure, &panel);
}

ms_status ms_figure_add_envelope(ms_figure *figure, const char *label, ptrdiff_t n, const double *t,
                                 const double *a, int mode) {
  double *below;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(figure->ctx, n, sizeof *below, &below));
  for (ptrdiff_t i = 0; i < n; i++) below[i] = -a[i];
  ms_series side = { .label = label,
                     .x = t,
                     .y = a,
                     .n = n,
                     .style = MS_SERIES_LINE,
                     .colour = 1,
                     .pattern = 2,
                     .mode = mode };
  ms_status status = ms_figure_add_series(figure, &side);
  side.label = NULL;
  side.y = below;
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &side);
  ms_free(figure->ctx, &below);
  return status;
}

ms_status ms_figure_add_band(ms_figure *figure, const ms_series *band, int count) {
  const ptrdiff_t n = band->n;
  double *xy;
  MS_TRY(ms_allocate(figure->ctx, 6 * n, sizeof *xy, &xy));
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t back = 2 * n - 1 - i;
    xy[i] = xy[back] = band->x[i];
    xy[2 * n + i] = band->y[count * i];
    xy[2 * n + back] = band->y[count * i + count - 1];
    if (band->omega) xy[4 * n + i] = xy[4 * n + back] = band->omega[i];
  }
  ms_series area = *band;
  area.x = xy, area.y = xy + 2 * n, area.n = 2 * n;
  if (band->omega) area.omega = xy + 4 * n;
  ms_status status = ms_figure_add_series(figure, &area);
  ms_free(figure->ctx, &xy);
  return status;
}

ms_status ms_figure_add_stretches(ms_figure *figure, const ms_series *curve, const char *dashed) {
  const ptrdiff_t n = curve->n;
  for (ptrdiff_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && !dashed[to] == !dashed[from];) to++;
    ms_series part = *curve;
    part.label = from == 0 ? curve->label : NULL;
    part.x += from, part.y += from;
    part.n = (to < n ? to + 1 : n) - from;
    part.style = dashed[from] ? MS_SERIES_DASHED : MS_SERIES_LINE;
    MS_TRY(ms_figure_add_series(figure, &part));
  }
  return MS_SUCCESS;
}
