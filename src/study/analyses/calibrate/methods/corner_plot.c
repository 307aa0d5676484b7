/* Figures of sampled parameters: where they lie between their bounds, and the corner plot: how
   often each value comes on the diagonal, clouds of two parameters below it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/fit/fit.h"
#include "study/analyses/calibrate/methods/posterior.h"

enum { BINS = 24, DOTS = 700 };

/* ---- intervals ---- */

/* A bar from the 5 % to the 95 % quantile at height j, on the scale of the search. */
static ms_status add_interval(const ms_calibrate *c, ptrdiff_t j, ms_figure *figure) {
  const double *q = c->chain->quantile + MS_BAND * j, y = (double)(c->n - j);
  const ms_fit_parameter *bound = &c->bound[j];
  const double low = ms_fit_scaled(bound, q[0]), high = ms_fit_scaled(bound, q[2]);
  const double x[] = { low, high, high, low }, height[] = { y - 0.3, y - 0.3, y + 0.3, y + 0.3 };
  const double middle[] = { ms_fit_scaled(bound, q[1]), ms_fit_scaled(bound, q[1]) };
  const double fit = ms_fit_scaled(bound, c->solution[0].p[j]);
  const int first = j == 0;
  const ms_series bar = { first ? "5 to 95 %" : NULL, x, height, 4, MS_SERIES_AREA, 0 };
  const ms_series line = { first ? "median" : NULL, middle, height + 1, 2, MS_SERIES_LINE, 0 };
  const ms_series point = { first ? "fit" : NULL, &fit, &y, 1, MS_SERIES_POINTS, 1 };
  MS_TRY(ms_figure_add_series(figure, &bar));
  MS_TRY(ms_figure_add_series(figure, &line));
  return ms_figure_add_series(figure, &point);
}

static ms_status name_rows(const ms_study *s, const ms_calibrate *c, ms_figure *figure) {
  const char **name;
  MS_TRY(ms_allocate(s->ctx, c->n, sizeof *name, &name));
  for (ptrdiff_t j = 0; j < c->n; j++) name[j] = c->parameter[j].key;
  ms_status status = ms_figure_name_rows(figure, c->n, name);
  ms_free(s->ctx, &name);
  return status;
}

static ms_status fill_intervals(const ms_study *s, const ms_calibrate *c, ms_figure *figure) {
  const double x[] = { 0.0, 1.0 }, y[] = { 0.5, (double)c->n + 0.5 };
  const ms_panel panel = { NULL, "place between the bounds", NULL, NULL, NULL, 0, 0 };
  const ms_series corners = {
    NULL, x, y, 2, MS_SERIES_AREA, 0
  }; /* nothing, but the axes show it */
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(name_rows(s, c, figure));
  MS_TRY(ms_figure_add_series(figure, &corners));
  for (ptrdiff_t j = 0; j < c->n; j++) MS_TRY(add_interval(c, j, figure));
  return MS_SUCCESS;
}

ms_status ms_calibrate_report_intervals(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, "Parameters", NULL, &figure));
  ms_status status = fill_intervals(s, c, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(page,
                                "Where the parameters lie between their bounds, 0 the lower and 1 "
                                "the upper, on the scale that they are searched on.",
                                figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* ---- corner ---- */

static double sample_of(const ms_calibrate *c, ptrdiff_t j, ptrdiff_t i) {
  return c->chain->p[j + c->n * i];
}

/* Shown on a logarithmic axis? Where it is searched so and spreads enough to tell. */
static int is_log(const ms_calibrate *c, ptrdiff_t j) {
  const double *q = c->chain->quantile + MS_BAND * j;
  return c->bound[j].logarithmic && q[2] > 3.0 * q[0];
}

/* Range of the samples, scaled. */
static void range_of(const ms_calibrate *c, ptrdiff_t j, double t[2]) {
  t[0] = HUGE_VAL, t[1] = -HUGE_VAL;
  for (ptrdiff_t i = 0; i < c->chain->n_sample; i++) {
    const double here = ms_fit_scaled(&c->bound[j], sample_of(c, j, i));
    t[0] = fmin(t[0], here), t[1] = fmax(t[1], here);
  }
  if (!(t[1] > t[0])) t[0] -= 1e-6, t[1] += 1e-6;
}

/* The outline of the bars: bins are equal on the scale of the search. */
static ms_status add_histogram(const ms_calibrate *c, ptrdiff_t j, ms_figure *figure) {
  double count[BINS] = { 0 }, x[2 * BINS + 2], y[2 * BINS + 2], t[2];
  const double n = (double)c->chain->n_sample;
  range_of(c, j, t);
  for (ptrdiff_t i = 0; i < c->chain->n_sample; i++) {
    const double here = ms_fit_scaled(&c->bound[j], sample_of(c, j, i));
    const int bin = (int)(BINS * (here - t[0]) / (t[1] - t[0]));
    count[bin < BINS ? bin : BINS - 1] += 1.0 / n;
  }
  for (int k = 0; k <= BINS; k++) {
    const double edge = ms_fit_unscaled(&c->bound[j], t[0] + (t[1] - t[0]) * k / BINS);
    x[2 * k] = x[2 * k + 1] = edge;
    y[2 * k] = k > 0 ? count[k - 1] : 0.0;
    y[2 * k + 1] = k < BINS ? count[k] : 0.0;
  }
  const ms_panel panel = { c->parameter[j].key,
                           c->parameter[j].key,
                           ms_calibrate_unit(&c->parameter[j]),
                           NULL,
                           NULL,
                           is_log(c, j),
                           0 };
  const ms_series bars = { NULL, x, y, 2 * BINS + 2, MS_SERIES_AREA, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return ms_figure_add_series(figure, &bars);
}

/* Parameter j over parameter k, some of the samples. */
static ms_status add_cloud(const ms_calibrate *c, ptrdiff_t j, ptrdiff_t k, ms_figure *figure) {
  const ptrdiff_t all = c->chain->n_sample, n = all < DOTS ? all : DOTS;
  double x[DOTS], y[DOTS];
  for (ptrdiff_t i = 0; i < n; i++) {
    const ptrdiff_t sample = (2 * i + 1) * all / (2 * n);
    x[i] = sample_of(c, k, sample);
    y[i] = sample_of(c, j, sample);
  }
  const ms_panel panel = { NULL,
                           c->parameter[k].key,
                           ms_calibrate_unit(&c->parameter[k]),
                           c->parameter[j].key,
                           ms_calibrate_unit(&c->parameter[j]),
                           is_log(c, k),
                           is_log(c, j) };
  const ms_series cloud = { NULL, x, y, n, MS_SERIES_CLOUD, 0 };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  return ms_figure_add_series(figure, &cloud);
}

static ms_status fill_corner(const ms_calibrate *c, ptrdiff_t n, ms_figure *figure) {
  MS_TRY(ms_figure_set_columns(figure, (int)n));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t k = 0; k < j; k++) MS_TRY(add_cloud(c, j, k, figure));
    MS_TRY(add_histogram(c, j, figure));
    for (ptrdiff_t k = j + 1; j + 1 < n && k < n; k++) MS_TRY(ms_figure_skip_panel(figure));
  }
  return MS_SUCCESS;
}

ms_status ms_calibrate_report_corner(const ms_study *s, const ms_calibrate *c, ms_page *page) {
  const ptrdiff_t n = c->n < MS_FIGURE_COLUMNS ? c->n : MS_FIGURE_COLUMNS;
  char caption[200];
  ms_figure *figure;
  snprintf(caption, sizeof caption,
           "Samples of %s%td parameters: how often values come, and two parameters at a time.",
           n < c->n ? "the first " : "the ", n);
  MS_TRY(ms_figure_create(s->ctx, "Samples", NULL, &figure));
  ms_status status = fill_corner(c, n, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, caption, figure);
  ms_figure_destroy(&figure);
  return status;
}
