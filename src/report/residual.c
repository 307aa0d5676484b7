/* Residuals: what a model leaves of its target, over the same x axis. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "report/internal.h"
#include "report/tolerance.h"

static const double residual_height = 0.6; /* of the panel, in that of others */

static double on_axis(int log_axis, double value) {
  return log_axis ? log(value) : value;
}

static int same_x(const ms_series *a, const ms_series *b) {
  return a->n == b->n && (a->n == 0 || memcmp(a->x, b->x, (size_t)a->n * sizeof *a->x) == 0);
}

/* The model at x, as the panel draws it between its points, where it first comes there; 0: it does
   not. */
static int eval_model(const ms_panel *p, const ms_series *model, double x, double *y) {
  for (ptrdiff_t i = 1; i < model->n; i++) {
    const double a = model->x[i - 1], b = model->x[i];
    if (!(fmin(a, b) <= x && x <= fmax(a, b))) continue;
    const double from = on_axis(p->x_log, a), to = on_axis(p->x_log, b);
    const double part = to != from ? (on_axis(p->x_log, x) - from) / (to - from) : 0.0;
    const double low = on_axis(p->y_log, model->y[i - 1]), high = on_axis(p->y_log, model->y[i]);
    *y = p->y_log ? exp(low + part * (high - low)) : low + part * (high - low);
    return 1;
  }
  return 0;
}

/* Less the model, of whose size it is in per cent where y is drawn by its logarithm. */
static double residual(const ms_panel *p, double y, double model) {
  const double size = fmax(fabs(model), DBL_MIN), part = (y - model) / size;
  if (fabs(part) < ms_report_tol.tiny) return 0.0;
  return p->y_log ? 100.0 * part : y - model;
}

/* Points of a series where the model is known; as many of both have the same x by pairs: a loop
   goes back in x. */
static ms_status add_less(ms_figure *to, const ms_panel *p, const ms_series *s,
                          const ms_series *model) {
  double *x;
  MS_TRY(ms_allocate(to->ctx, 5 * s->n, sizeof *x, &x));
  double *y = x + s->n, *low = y + s->n, *high = low + s->n, *omega = high + s->n;
  ms_series out = *s;
  const int pairs = same_x(s, model);
  out.n = 0;
  for (ptrdiff_t i = 0; i < s->n; i++) {
    double at = pairs ? model->y[i] : 0.0;
    if (!pairs && !eval_model(p, model, s->x[i], &at)) continue;
    x[out.n] = s->x[i];
    y[out.n] = residual(p, s->y[i], at);
    low[out.n] = s->y_low ? residual(p, s->y_low[i], at) : 0.0;
    high[out.n] = s->y_high ? residual(p, s->y_high[i], at) : 0.0;
    if (s->omega) omega[out.n] = s->omega[i];
    out.n++;
  }
  out.x = x, out.y = y;
  if (s->omega) out.omega = omega;
  if (s->y_low) out.y_low = low, out.y_high = high;
  if (out.style == MS_SERIES_LINE_POINTS || out.style == MS_SERIES_LINE)
    out.style = MS_SERIES_POINTS;
  ms_status status = out.n > 0 ? ms_figure_add_series(to, &out) : MS_SUCCESS;
  ms_free(to->ctx, &x);
  return status;
}

static const ms_series *find(const ms_figure_panel *panel, const char *label) {
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const char *own = panel->series[i].label;
    if (own && label && strcmp(own, label) == 0) return &panel->series[i];
  }
  return NULL;
}

ms_status ms_figure_add_residuals(ms_figure *to, const ms_figure *from, ptrdiff_t panel,
                                  const char *target, const char *model) {
  if (!to || !from) return MS_ERR_ARGUMENT;
  if (panel < 0 || panel >= from->n_panel)
    return ms_fail(to->ctx, MS_ERR_BOUNDS, "figure '%s' has no panel %td", from->title, panel);
  const ms_figure_panel of = from->panel[panel]; /* the list of panels moves */
  const ms_series *data = find(&of, target), *fit = find(&of, model);
  if (!data || !fit)
    return ms_fail(to->ctx, MS_ERR_NAME, "figure '%s': panel %td has no curve '%s'", from->title,
                   panel, data ? model : target);
  char title[200];
  snprintf(title, sizeof title, "%.150s%sesidual", of.spec.title ? of.spec.title : "",
           of.spec.title ? ", r" : "R");
  const int hz = !of.spec.y_log && of.spec.y_quantity == MS_DISPLAY_FREQUENCY;
  const ms_panel spec = { .title = title,
                          .x_label = of.spec.x_label,
                          .x_unit = of.spec.x_unit,
                          .y_label = "residual",
                          .y_unit = of.spec.y_log ? "%" : of.spec.y_unit,
                          .x_log = of.spec.x_log,
                          .x_quantity = of.spec.x_quantity,
                          .y_quantity = hz ? MS_DISPLAY_FREQUENCY : MS_DISPLAY_PLAIN,
                          .x_column = of.spec.x_column,
                          .height = residual_height };
  MS_TRY(ms_figure_add_panel(to, &spec));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < of.n_series && status == MS_SUCCESS; i++) {
    if (of.series[i].style == MS_SERIES_AREA) status = add_less(to, &of.spec, &of.series[i], fit);
  }
  if (status == MS_SUCCESS) status = add_less(to, &of.spec, data, fit);
  if (status != MS_SUCCESS) ms_figure_drop_panel(to);
  return status;
}
