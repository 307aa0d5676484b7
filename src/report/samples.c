/* Figures of samples. Corner plots: how often each number comes on the diagonal, clouds of two
   numbers below it. Intervals, one below the other. */
#include <math.h>
#include <microslip/report.h>

enum { BINS = 24, DOTS = 700 };

static double on_axis(const ms_corner *c, ptrdiff_t j, ptrdiff_t i) {
  const double x = c->x[j + c->n_x * i];
  return c->log[j] ? log(x) : x;
}

/* The outline of the bars; bins are equal on the axis. */
static ms_status add_histogram(const ms_corner *c, ptrdiff_t j, ms_figure *figure) {
  double count[BINS] = { 0 }, x[2 * BINS + 2], y[2 * BINS + 2], low = HUGE_VAL, high = -HUGE_VAL;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    low = fmin(low, on_axis(c, j, i));
    high = fmax(high, on_axis(c, j, i));
  }
  if (!(high > low)) low -= 1e-6 * fabs(low) + 1e-300, high += 1e-6 * fabs(high) + 1e-300;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const int bin = (int)(BINS * (on_axis(c, j, i) - low) / (high - low));
    count[bin < BINS ? bin : BINS - 1] += 1.0 / (double)c->n;
  }
  for (int k = 0; k <= BINS; k++) {
    const double edge = low + (high - low) * k / BINS;
    x[2 * k] = x[2 * k + 1] = c->log[j] ? exp(edge) : edge;
    y[2 * k] = k > 0 ? count[k - 1] : 0.0;
    y[2 * k + 1] = k < BINS ? count[k] : 0.0;
  }
  const ms_panel panel = { c->name[j], c->name[j], c->unit[j], NULL, NULL, c->log[j], 0 };
  const ms_series bars = { NULL, x, y, 2 * BINS + 2, MS_SERIES_AREA, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return ms_figure_add_series(figure, &bars);
}

/* Number j over number k, some of the samples. */
static ms_status add_cloud(const ms_corner *c, ptrdiff_t j, ptrdiff_t k, ms_figure *figure) {
  const ptrdiff_t n = c->n < DOTS ? c->n : DOTS;
  double x[DOTS], y[DOTS];
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t sample = (2 * i + 1) * c->n / (2 * n);
    x[i] = c->x[k + c->n_x * sample];
    y[i] = c->x[j + c->n_x * sample];
  }
  const ms_panel panel = { NULL,       c->name[k], c->unit[k], c->name[j],
                           c->unit[j], c->log[k],  c->log[j] };
  const ms_series cloud = { NULL, x, y, n, MS_SERIES_CLOUD, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return ms_figure_add_series(figure, &cloud);
}

ms_status ms_figure_add_corner(ms_figure *figure, const ms_corner *c) {
  const ptrdiff_t n = c->n_x < MS_FIGURE_COLUMNS ? c->n_x : MS_FIGURE_COLUMNS;
  MS_TRY(ms_figure_set_columns(figure, (int)n));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t k = 0; k < j; k++) MS_TRY(add_cloud(c, j, k, figure));
    MS_TRY(add_histogram(c, j, figure));
    for (ptrdiff_t k = j + 1; k < n; k++) MS_TRY(ms_figure_skip_panel(figure));
  }
  return MS_SUCCESS;
}

/* ---- intervals ---- */

/* A bar from the lower to the upper end at height y, which has its line and its point on it. */
static ms_status add_interval(ms_figure *figure, const ms_interval *i, double y, int first) {
  const double x[] = { i->low, i->high, i->high, i->low };
  const double height[] = { y - 0.3, y - 0.3, y + 0.3, y + 0.3 };
  const double middle[] = { i->middle, i->middle };
  const ms_series series[] = {
    { first ? "5 to 95 %" : NULL, x, height, 4, MS_SERIES_AREA, 0 },
    { first ? "median" : NULL, middle, height + 1, 2, MS_SERIES_LINE, 0 },
    { first ? "fit" : NULL, &i->fit, &y, 1, MS_SERIES_POINTS, 1 },
  };
  for (int k = 0; k < 3; k++) MS_TRY(ms_figure_add_series(figure, &series[k]));
  return MS_SUCCESS;
}

ms_status ms_figure_add_intervals(ms_figure *figure, ptrdiff_t n, const char *const *name,
                                  const char *x_label, const ms_interval *interval) {
  const double x[] = { 0.0, 1.0 }, y[] = { 0.5, (double)n + 0.5 };
  const ms_panel panel = { NULL, x_label, NULL, NULL, NULL, 0, 0 };
  const ms_series corners = { NULL, x, y, 2, MS_SERIES_AREA, 0 }; /* nothing, but on the axes */
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_figure_name_rows(figure, n, name));
  MS_TRY(ms_figure_add_series(figure, &corners));
  for (ptrdiff_t j = 0; j < n; j++) {
    MS_TRY(add_interval(figure, &interval[j], (double)(n - j), j == 0));
  }
  return MS_SUCCESS;
}
