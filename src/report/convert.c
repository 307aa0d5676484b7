/* A figure as it is shown: values, units and labels by the choice of a display. figure.js does the
   same in a page. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "report/internal.h"

enum { LABEL = 160, TITLE = 320 };

/* What is known beside all values of the panels that have this axis. */
static ms_display_of find_known(const ms_figure *figure, ptrdiff_t panel, int is_x) {
  const ms_panel *own = &figure->panel[panel].spec;
  const int quantity = is_x ? own->x_quantity : own->y_quantity;
  ms_display_of of = { .quantity = (ms_display_quantity)quantity,
                       .unit = is_x ? own->x_unit : own->y_unit,
                       .mode = 1,
                       .omega = 1 };
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    const ms_figure_panel *other = &figure->panel[p];
    const int shares =
        is_x && (figure->share & MS_SHARE_X) && ms_panel_has_same_x(own, &other->spec);
    if (other->empty || (p != panel && !shares)) continue;
    for (ptrdiff_t i = 0; i < other->n_series; i++) {
      of.mode = of.mode && other->series[i].mode > 0;
      of.omega = of.omega && other->series[i].omega;
    }
  }
  return of;
}

/* omega and f change with the unit, a damping ratio becomes Q, a modal amplitude the motion of a
   sensor. */
static void show_label(const ms_display *display, const ms_display_of *of,
                       const ms_display_view *view, const char *label, char text[LABEL]) {
  static const char *const motion[] = { "displacement", "velocity", "acceleration" };
  snprintf(text, LABEL, "%s", label ? label : "");
  if (view->inverse) {
    snprintf(text, LABEL, "Q");
  } else if (view->shape) {
    const int k = (int)of->quantity - MS_DISPLAY_MODAL + view->power;
    const char *sensor = ms_display_get_chosen_sensor(display);
    const int place = strncmp(sensor, "where ", 6) == 0; /* where each mode moves most */
    snprintf(text, LABEL, "%s%s%s", motion[k], place ? " " : " at ", sensor);
  } else if (label && of->quantity == MS_DISPLAY_FREQUENCY) {
    const int hz = strcmp(view->unit, "Hz") == 0;
    const char *from = hz ? "omega" : "f", *to = hz ? "f" : "omega";
    const size_t n = strlen(from);
    if (strncmp(label, from, n) == 0 && (label[n] == '\0' || label[n] == '_'))
      snprintf(text, LABEL, "%s%s", to, label + n);
  }
}

typedef struct shown {
  const ms_display *display;
  ms_display_view x, y;
  int x_log, y_log;
} shown;

/* Where the value stands; 0 if it cannot be shown. */
static int show(const shown *s, int is_x, double value, int mode, double omega, double *out) {
  *out = ms_display_map(s->display, is_x ? &s->x : &s->y, value, mode, omega);
  return isfinite(*out) && (!(is_x ? s->x_log : s->y_log) || *out > 0.0);
}

static ms_status add_series(ms_context *ctx, const shown *s, const ms_series *from, ms_figure *to) {
  double *v;
  char label[TITLE];
  ms_series series = *from;
  if (from->label) {
    ms_text_tell(s->display, from->label, label, sizeof label);
    series.label = label;
  }
  MS_TRY(ms_allocate(ctx, 4 * from->n, sizeof *v, &v));
  double *x = v, *y = v + from->n, *low = y + from->n, *high = low + from->n;
  series.n = 0;
  for (ptrdiff_t i = 0; i < from->n; i++) {
    const ptrdiff_t n = series.n;
    const double omega = from->omega ? from->omega[i] : 0.0;
    if (!show(s, 1, from->x[i], from->mode, omega, &x[n]) ||
        !show(s, 0, from->y[i], from->mode, omega, &y[n]))
      continue;
    series.n++;
    if (!from->y_low) continue;
    const int turned = s->y.inverse;
    const double *ends[] = { turned ? from->y_high : from->y_low,
                             turned ? from->y_low : from->y_high };
    if (!show(s, 0, ends[0][i], from->mode, omega, &low[n]) && !isfinite(low[n])) low[n] = y[n];
    if (!show(s, 0, ends[1][i], from->mode, omega, &high[n])) high[n] = y[n];
  }
  series.x = x, series.y = y;
  series.omega = NULL;
  if (from->y_low) series.y_low = low, series.y_high = high;
  ms_status status = ms_figure_add_series(to, &series);
  ms_free(ctx, &v);
  return status;
}

static ms_status add_panel(const ms_figure *from, ptrdiff_t p, const ms_display *display,
                           ms_figure *to) {
  const ms_figure_panel *panel = &from->panel[p];
  const ms_display_of of_x = find_known(from, p, 1), of_y = find_known(from, p, 0);
  const shown s = { display, ms_display_look(display, &of_x), ms_display_look(display, &of_y),
                    panel->spec.x_log, panel->spec.y_log };
  ms_panel spec = panel->spec;
  char x_label[LABEL], y_label[LABEL], title[TITLE];
  if (panel->empty) return ms_figure_skip_panel(to);
  show_label(display, &of_x, &s.x, spec.x_label, x_label);
  show_label(display, &of_y, &s.y, spec.y_label, y_label);
  if (spec.title) ms_text_tell(display, spec.title, title, sizeof title), spec.title = title;
  spec.x_label = x_label, spec.y_label = y_label;
  spec.x_unit = s.x.unit[0] ? s.x.unit : NULL, spec.y_unit = s.y.unit[0] ? s.y.unit : NULL;
  spec.x_quantity = spec.y_quantity = 0;
  MS_TRY(ms_figure_add_panel(to, &spec));
  for (ptrdiff_t i = 0; i < panel->n_series; i++)
    MS_TRY(add_series(from->ctx, &s, &panel->series[i], to));
  for (ptrdiff_t i = 0; i < panel->n_note; i++) {
    double x, y;
    char text[TITLE];
    ms_text_tell(display, panel->note[i].text, text, sizeof text);
    if (show(&s, 1, panel->note[i].x, 0, 0.0, &x) && show(&s, 0, panel->note[i].y, 0, 0.0, &y))
      MS_TRY(ms_figure_add_note(to, x, y, text));
  }
  if (panel->n_row == 0) return MS_SUCCESS;
  return ms_figure_name_rows(to, panel->n_row, (const char *const *)panel->row);
}

ms_status ms_figure_convert(const ms_figure *figure, const ms_display *display, ms_figure **out) {
  if (!figure) return MS_ERR_ARGUMENT;
  MS_MAKE(figure->ctx, out, display);
  ms_figure *to;
  MS_TRY(ms_figure_create(figure->ctx, figure->title, figure->subtitle, &to));
  to->columns = figure->columns;
  to->share = figure->share;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t p = 0; p < figure->n_panel && status == MS_SUCCESS; p++)
    status = add_panel(figure, p, display, to);
  if (status != MS_SUCCESS) ms_figure_destroy(&to);
  *out = to;
  return status;
}
