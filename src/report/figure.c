/* Building a figure: everything is checked and copied here, so that drawing cannot fail on it. */
#include "report/internal.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"

/* Beyond this, differences of two values could overflow. */
static const double largest_value = 1e300;

ms_status ms_figure_create(ms_context *ctx, const char *title, const char *subtitle,
                           ms_figure **out) {
  MS_MAKE(ctx, out, title);
  ms_figure *figure;
  MS_TRY(ms_allocate(ctx, 1, sizeof *figure, &figure));
  figure->ctx = ctx;
  ms_status status = ms_text_copy(ctx, title, &figure->title);
  if (status == MS_SUCCESS) status = ms_text_copy(ctx, subtitle, &figure->subtitle);
  if (status != MS_SUCCESS) {
    ms_figure_destroy(&figure);
    return status;
  }
  *out = figure;
  return MS_SUCCESS;
}

/* ---- freeing ---- */

static void free_series(ms_context *ctx, ms_series *series) {
  ms_free(ctx, &series->label);
  ms_free(ctx, &series->x);
  ms_free(ctx, &series->y);
  ms_free(ctx, &series->y_low);
  ms_free(ctx, &series->y_high);
  ms_free(ctx, &series->omega);
  ms_free(ctx, &series->key);
}

static void free_spec(ms_context *ctx, ms_panel *spec) {
  ms_free(ctx, &spec->title);
  ms_free(ctx, &spec->x_label);
  ms_free(ctx, &spec->x_unit);
  ms_free(ctx, &spec->y_label);
  ms_free(ctx, &spec->y_unit);
  ms_free(ctx, &spec->x_column);
  ms_free(ctx, &spec->y_column);
}

static void free_rows(ms_context *ctx, char ***row, ptrdiff_t n) {
  for (ptrdiff_t i = 0; *row && i < n; i++) ms_free(ctx, &(*row)[i]);
  ms_free(ctx, row);
}

static void free_panel(ms_context *ctx, ms_figure_panel *panel) {
  for (ptrdiff_t i = 0; i < panel->n_series; i++) free_series(ctx, &panel->series[i]);
  for (ptrdiff_t i = 0; i < panel->n_note; i++) ms_free(ctx, &panel->note[i].text);
  ms_free(ctx, &panel->series);
  ms_free(ctx, &panel->note);
  free_rows(ctx, &panel->row, panel->n_row);
  free_spec(ctx, &panel->spec);
}

void ms_figure_destroy(ms_figure **figure) {
  if (!figure || !*figure) return;
  ms_figure *f = *figure;
  ms_context *ctx = f->ctx;
  for (ptrdiff_t i = 0; i < f->n_panel; i++) free_panel(ctx, &f->panel[i]);
  ms_free(ctx, &f->panel);
  ms_free(ctx, &f->title);
  ms_free(ctx, &f->subtitle);
  ms_free(ctx, figure);
}

ms_status ms_figure_set_columns(ms_figure *figure, int columns) {
  if (!figure) return MS_ERR_ARGUMENT;
  if (columns < 1 || columns > MS_FIGURE_COLUMNS)
    return ms_fail(figure->ctx, MS_ERR_BOUNDS, "figure '%s': %d columns are not 1 to %d",
                   figure->title, columns, MS_FIGURE_COLUMNS);
  figure->columns = columns;
  return MS_SUCCESS;
}

void ms_figure_share(ms_figure *figure, int axes) {
  if (figure) figure->share = axes;
}

/* ---- panels ---- */

static ms_status copy_text(ms_context *ctx, const char *text, const char **out) {
  char *copy;
  MS_TRY(ms_text_copy(ctx, text, &copy));
  *out = copy;
  return MS_SUCCESS;
}

static ms_status copy_spec(ms_context *ctx, const ms_panel *from, ms_panel *to) {
  to->x_log = from->x_log;
  to->y_log = from->y_log;
  to->x_quantity = from->x_quantity;
  to->y_quantity = from->y_quantity;
  to->height = from->height;
  to->part = from->part;
  MS_TRY(copy_text(ctx, from->title, &to->title));
  MS_TRY(copy_text(ctx, from->x_label, &to->x_label));
  MS_TRY(copy_text(ctx, from->x_unit, &to->x_unit));
  MS_TRY(copy_text(ctx, from->y_label, &to->y_label));
  MS_TRY(copy_text(ctx, from->y_unit, &to->y_unit));
  MS_TRY(copy_text(ctx, from->x_column, &to->x_column));
  return copy_text(ctx, from->y_column, &to->y_column);
}

ms_status ms_figure_add_panel(ms_figure *figure, const ms_panel *panel) {
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  if (!panel) return ms_fail(ctx, MS_ERR_ARGUMENT, "figure: the panel is NULL");
  if (!(panel->height >= 0.0 && panel->height <= 4.0))
    return ms_fail(ctx, MS_ERR_BOUNDS, "figure '%s': the height %g of a panel is not 0 to 4",
                   figure->title, panel->height);
  MS_TRY(ms_resize(ctx, figure->n_panel + 1, sizeof *figure->panel, &figure->panel));
  ms_figure_panel fresh = { 0 };
  ms_status status = copy_spec(ctx, panel, &fresh.spec);
  if (status != MS_SUCCESS) {
    free_panel(ctx, &fresh);
    return status;
  }
  figure->panel[figure->n_panel++] = fresh;
  return MS_SUCCESS;
}

void ms_figure_drop_panel(ms_figure *figure) {
  free_panel(figure->ctx, &figure->panel[--figure->n_panel]);
}

ms_status ms_figure_skip_panel(ms_figure *figure) {
  static const ms_panel none;
  MS_TRY(ms_figure_add_panel(figure, &none));
  figure->panel[figure->n_panel - 1].empty = 1;
  return MS_SUCCESS;
}

static ms_status newest_panel(ms_figure *figure, ms_figure_panel **out) {
  if (figure->n_panel == 0 || figure->panel[figure->n_panel - 1].empty)
    return ms_fail(figure->ctx, MS_ERR_STATE, "figure '%s' has no panel yet; add one first",
                   figure->title);
  *out = &figure->panel[figure->n_panel - 1];
  return MS_SUCCESS;
}

/* ---- series ---- */

int ms_series_has_line(const ms_series *series) {
  return series->style == MS_SERIES_LINE || series->style == MS_SERIES_DASHED ||
         series->style == MS_SERIES_LINE_POINTS;
}

int ms_series_has_points(const ms_series *series) {
  return series->style == MS_SERIES_POINTS || series->style == MS_SERIES_LINE_POINTS;
}

int ms_series_is_scattered(const ms_series *series) {
  return series->style == MS_SERIES_POINTS || series->style == MS_SERIES_CLOUD;
}

static int goes_forward(const ms_series *series) {
  for (ptrdiff_t i = 1; i < series->n && ms_series_has_line(series); i++)
    if (series->x[i] < series->x[i - 1]) return 0;
  return 1;
}

int ms_figure_goes_forward(const ms_figure *figure) {
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    const ms_figure_panel *panel = &figure->panel[p];
    for (ptrdiff_t i = 0; i < panel->n_series; i++)
      if (!goes_forward(&panel->series[i])) return 0;
  }
  return 1;
}

/* Lines that go up and down all the time, as histories do, cannot be told by dashes. */
static int oscillates(const ms_series *series) {
  enum { MOST_SWINGS = 12 };
  double low = INFINITY, high = -INFINITY, way = 0.0;
  for (ptrdiff_t i = 0; i < series->n; i++) {
    low = fmin(low, series->y[i]);
    high = fmax(high, series->y[i]);
    if (i > 0) way += fabs(series->y[i] - series->y[i - 1]);
  }
  return way > MOST_SWINGS * (high - low);
}

int ms_series_is_band(const ms_figure_panel *panel, const ms_series *series) {
  int n = 0;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) n += ms_series_has_line(&panel->series[i]);
  return n > 1 && !panel->spec.part && ms_series_has_line(series) && oscillates(series);
}

int ms_series_get_dash(const ms_figure_panel *panel, const ms_series *series) {
  int n = 0;
  if (!ms_series_has_line(series)) return 0;
  if (series->pattern > 0) return (series->pattern - 1) % MS_PALETTE_SIZE;
  if (series->style == MS_SERIES_DASHED) return 1;
  if (series->style == MS_SERIES_LINE_POINTS || series->colour < 1 || !series->label) return 0;
  for (ptrdiff_t i = 0; i < panel->n_series; i++) {
    const ms_series *other = &panel->series[i];
    if (other->style == MS_SERIES_DASHED || other->pattern > 0) return 0;
    n += other->style == MS_SERIES_LINE && other->label;
  }
  return n > 1 && (panel->spec.part || !oscillates(series)) ? series->colour : 0;
}

int ms_series_get_marker(const ms_series *series) {
  if (series->pattern > MS_PALETTE_SIZE) return series->pattern; /* open */
  if (series->pattern > 0) return series->pattern - 1;
  return series->colour < 0 ? MS_PALETTE_SIZE : series->colour;
}

/* Value number i of one axis ('x' or 'y') of what is called `name`. */
static ms_status check_value(ms_context *ctx, const char *name, char letter, int log, double value,
                             ptrdiff_t i) {
  if (!isfinite(value))
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s: %c[%td] is %g; only finite values can be drawn", name,
                   letter, i, value);
  if (fabs(value) > largest_value)
    return ms_fail(ctx, MS_ERR_NUMERIC, "%s: %c[%td] is %g; values up to %g can be drawn", name,
                   letter, i, value, largest_value);
  if (log && value < 1.0 / largest_value)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%s: %c[%td] is %g, but the %c axis is logarithmic and needs values above 0",
                   name, letter, i, value, letter);
  return MS_SUCCESS;
}

static ms_status check_series(ms_context *ctx, const ms_figure_panel *panel,
                              const ms_series *series) {
  if (!series) return ms_fail(ctx, MS_ERR_ARGUMENT, "figure: the series is NULL");
  char name[160];
  const char *title = panel->spec.title ? panel->spec.title : "without title";
  if (series->label)
    snprintf(name, sizeof name, "series '%.60s' of panel '%.60s'", series->label, title);
  else
    snprintf(name, sizeof name, "series %td of panel '%.60s'", panel->n_series + 1, title);
  if (series->n < 0 || (series->n > 0 && (!series->x || !series->y)))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: needs x and y with n >= 0 values, n is %td", name,
                   series->n);
  if (series->colour < -1 || series->colour >= MS_PALETTE_SIZE)
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: colour %d is not in -1 to %d", name, series->colour,
                   MS_PALETTE_SIZE - 1);
  if (series->pattern < 0 || series->pattern > 2 * MS_PALETTE_SIZE)
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: pattern %d is not in 0 to %d", name, series->pattern,
                   2 * MS_PALETTE_SIZE);
  if (series->mode < 0 || !series->y_low != !series->y_high)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%s: mode %d; error bars need both ends", name,
                   series->mode);
  if ((int)series->style < MS_SERIES_LINE || (int)series->style > MS_SERIES_CLOUD)
    return ms_fail(ctx, MS_ERR_BOUNDS, "%s: there is no style %d", name, (int)series->style);
  for (ptrdiff_t i = 0; i < series->n; i++) {
    MS_TRY(check_value(ctx, name, 'x', panel->spec.x_log, series->x[i], i));
    MS_TRY(check_value(ctx, name, 'y', panel->spec.y_log, series->y[i], i));
    if (series->y_low) MS_TRY(check_value(ctx, name, 'y', 0, series->y_low[i], i));
    if (series->y_high)
      MS_TRY(check_value(ctx, name, 'y', panel->spec.y_log, series->y_high[i], i));
    if (series->omega) MS_TRY(check_value(ctx, name, 'w', 0, series->omega[i], i));
  }
  return MS_SUCCESS;
}

static ms_status copy_values(ms_context *ctx, const double *values, ptrdiff_t n,
                             const double **out) {
  double *copy;
  MS_TRY(ms_allocate(ctx, n, sizeof *copy, &copy));
  if (n > 0) memcpy(copy, values, (size_t)n * sizeof *copy);
  *out = copy;
  return MS_SUCCESS;
}

static ms_status copy_series(ms_context *ctx, const ms_series *from, ms_series *to) {
  to->n = from->n;
  to->style = from->style;
  to->colour = from->colour;
  to->pattern = from->pattern;
  to->mode = from->mode;
  MS_TRY(copy_text(ctx, from->label, &to->label));
  MS_TRY(copy_text(ctx, from->key, &to->key));
  MS_TRY(copy_values(ctx, from->x, from->n, &to->x));
  if (from->y_low) MS_TRY(copy_values(ctx, from->y_low, from->n, &to->y_low));
  if (from->y_high) MS_TRY(copy_values(ctx, from->y_high, from->n, &to->y_high));
  if (from->omega) MS_TRY(copy_values(ctx, from->omega, from->n, &to->omega));
  return copy_values(ctx, from->y, from->n, &to->y);
}

ms_status ms_figure_add_series(ms_figure *figure, const ms_series *series) {
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  ms_figure_panel *panel = NULL;
  MS_TRY(newest_panel(figure, &panel));
  MS_TRY(check_series(ctx, panel, series));
  MS_TRY(ms_resize(ctx, panel->n_series + 1, sizeof *panel->series, &panel->series));
  ms_series fresh = { 0 };
  ms_status status = copy_series(ctx, series, &fresh);
  if (status != MS_SUCCESS) {
    free_series(ctx, &fresh);
    return status;
  }
  panel->series[panel->n_series++] = fresh;
  return MS_SUCCESS;
}

/* ---- notes ---- */

ms_status ms_figure_add_note(ms_figure *figure, double x, double y, const char *text) {
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  ms_figure_panel *panel = NULL;
  MS_TRY(newest_panel(figure, &panel));
  if (!text) return ms_fail(ctx, MS_ERR_ARGUMENT, "figure: the text of a note is NULL");
  char name[80];
  snprintf(name, sizeof name, "note '%.60s'", text);
  MS_TRY(check_value(ctx, name, 'x', panel->spec.x_log, x, 0));
  MS_TRY(check_value(ctx, name, 'y', panel->spec.y_log, y, 0));
  MS_TRY(ms_resize(ctx, panel->n_note + 1, sizeof *panel->note, &panel->note));
  ms_note fresh = { .x = x, .y = y };
  MS_TRY(ms_text_copy(ctx, text, &fresh.text));
  panel->note[panel->n_note++] = fresh;
  return MS_SUCCESS;
}

/* ---- rows ---- */

ms_status ms_figure_name_rows(ms_figure *figure, ptrdiff_t n, const char *const *name) {
  if (!figure) return MS_ERR_ARGUMENT;
  ms_context *ctx = figure->ctx;
  ms_figure_panel *panel = NULL;
  char **row = NULL;
  MS_TRY(newest_panel(figure, &panel));
  if (n < 1 || n > MS_AXIS_MAX_TICKS || !name) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "figure: %td names of rows; 1 to %d are needed", n,
                   MS_AXIS_MAX_TICKS);
  }
  if (panel->spec.y_log) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "figure: rows have no place on a logarithmic y axis");
  }
  char **copy;
  MS_TRY(ms_allocate(ctx, n, sizeof *copy, &copy));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    status = name[i] ? ms_text_copy(ctx, name[i], &copy[i])
                     : ms_fail(ctx, MS_ERR_ARGUMENT, "figure: the name of row %td is NULL", i + 1);
  }
  if (status != MS_SUCCESS) free_rows(ctx, &copy, n);
  row = copy;
  MS_TRY(status);
  free_rows(ctx, &panel->row, panel->n_row);
  panel->row = row;
  panel->n_row = n;
  return MS_SUCCESS;
}
