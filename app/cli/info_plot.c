/* A picture of a file of measured data: a panel for each channel. */
#include <math.h>
#include <stdio.h>

#include "info.h"

enum { MOST_PANELS = 24, MOST_POINTS = 4000 };

/* Histories as they are, of spectra the magnitude. */
static double value_of(const ms_measurement_channel *c, ptrdiff_t k) {
  return c->is_complex ? hypot(c->y[2 * k], c->y[2 * k + 1]) : c->y[k];
}

static double place_of(const ms_measurement_channel *c, ptrdiff_t k) {
  if (c->x) return c->x[k] * (c->x_factor > 0.0 ? c->x_factor : 1.0);
  if (c->step == 0.0) return (double)k;
  return (c->first + c->step * (double)k) * (c->x_factor > 0.0 ? c->x_factor : 1.0);
}

/* All points, or the lowest and highest of each of MOST_POINTS/2 parts. */
static ptrdiff_t gather(const ms_measurement_channel *c, double *x, double *y) {
  const ptrdiff_t parts = c->n > MOST_POINTS ? MOST_POINTS / 2 : c->n;
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < parts; i++) {
    const ptrdiff_t from = (ptrdiff_t)((double)c->n * (double)i / (double)parts);
    const ptrdiff_t to = (ptrdiff_t)((double)c->n * (double)(i + 1) / (double)parts);
    ptrdiff_t low = from, high = from;
    for (ptrdiff_t k = from; k < to; k++) {
      if (value_of(c, k) < value_of(c, low)) low = k;
      if (value_of(c, k) > value_of(c, high)) high = k;
    }
    const ptrdiff_t first = low < high ? low : high, last = low < high ? high : low;
    x[n] = place_of(c, first), y[n++] = value_of(c, first);
    if (last != first) x[n] = place_of(c, last), y[n++] = value_of(c, last);
  }
  return n;
}

static ms_status add_channel(ms_figure *figure, const ms_measurement_channel *c, double *x,
                             double *y) {
  const ptrdiff_t n = gather(c, x, y);
  const int history = c->type == 1;
  int positive = c->is_complex;
  for (ptrdiff_t i = 0; i < n; i++) positive &= y[i] > 0.0;
  const char *x_label = !history ? "frequency" : c->step == 0.0 && !c->x ? "sample" : "time t";
  const ms_panel panel = {
    .title = c->name,
    .x_label = x_label,
    .x_unit = !history                  ? "Hz"
              : c->step == 0.0 && !c->x ? NULL
                                        : "s",
    .y_label = c->is_complex ? "magnitude" : info_type(c),
    .y_unit = info_unit(c)[0] ? info_unit(c) : NULL,
    .y_log = positive,
  };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  const ms_series series = { .x = x, .y = y, .n = n, .style = MS_SERIES_LINE };
  return ms_figure_add_series(figure, &series);
}

static ms_status fill(const info_job *job, ms_figure *figure) {
  double *x;
  ms_status status = ms_figure_set_columns(figure, job->n > 3 ? 2 : 1);
  if (status == MS_SUCCESS) status = ms_allocate(job->ctx, 4 * MOST_POINTS, sizeof *x, &x);
  if (status != MS_SUCCESS) return status;
  for (ptrdiff_t i = 0; i < job->n && i < MOST_PANELS && status == MS_SUCCESS; i++)
    status = add_channel(figure, job->channel[i].is, x, x + 2 * MOST_POINTS);
  ms_free(job->ctx, &x);
  return status;
}

ms_status info_plot(const info_job *job) {
  ms_figure *figure;
  char subtitle[80] = "";
  if (job->n == 0)
    return ms_fail(job->ctx, MS_ERR_ARGUMENT, "%s: has no channels to draw", job->path);
  if (job->n > MOST_PANELS)
    snprintf(subtitle, sizeof subtitle, "the first %d of %td channels", MOST_PANELS, job->n);
  MS_TRY(ms_figure_create(job->ctx, job->path, subtitle[0] ? subtitle : NULL, &figure));
  ms_status status = fill(job, figure);
  if (status == MS_SUCCESS) status = ms_figure_write_svg(figure, job->plot, job->theme);
  ms_figure_destroy(&figure);
  return status;
}
