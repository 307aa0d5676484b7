/* Figures as data in results.h5, in a group of their own: tables of panels, curves and points,
   column by column, and of notes and names of rows where there are any. A text that there is none
   of is "". */
#include <stdio.h>
#include <string.h>

#include <microslip/result.h>

#include "core/internal.h"
#include "report/internal.h"

enum { PATH_SIZE = 512 };

static const char *const style_name[] = {
  "line", "dashed", "points", "line_points", "area", "cloud"
};
enum { N_STYLE = sizeof style_name / sizeof *style_name };

typedef struct field {
  const char *name;
  size_t offset;
} field;

static const field panel_text[] = {
  { "title", offsetof(ms_panel, title) },       { "x_label", offsetof(ms_panel, x_label) },
  { "x_unit", offsetof(ms_panel, x_unit) },     { "y_label", offsetof(ms_panel, y_label) },
  { "y_unit", offsetof(ms_panel, y_unit) },     { "x_column", offsetof(ms_panel, x_column) },
  { "y_column", offsetof(ms_panel, y_column) },
};
static const field panel_flag[] = {
  { "x_log", offsetof(ms_panel, x_log) },
  { "y_log", offsetof(ms_panel, y_log) },
  { "x_quantity", offsetof(ms_panel, x_quantity) },
  { "y_quantity", offsetof(ms_panel, y_quantity) },
  { "part", offsetof(ms_panel, part) },
};
enum {
  N_PANEL_TEXT = sizeof panel_text / sizeof *panel_text,
  N_PANEL_FLAG = sizeof panel_flag / sizeof *panel_flag
};

/* ---- writing ---- */

/* A column on its way to the file: room for n of any kind. */
typedef struct column {
  ms_results *results;
  const char *group;
  ptrdiff_t n;
  const char **text;
  int64_t *count;
  double *number;
} column;

static void make_path(const char *group, const char *name, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s/%s", group, name);
}

static ms_status open_column(ms_context *ctx, ms_results *results, const char *group, ptrdiff_t n,
                             column *c) {
  *c = (column) { .results = results, .group = group, .n = n };
  MS_TRY(ms_allocate(ctx, n, sizeof *c->text, &c->text));
  ms_status status = ms_allocate(ctx, n, sizeof *c->count, &c->count);
  return status == MS_SUCCESS ? ms_allocate(ctx, n, sizeof *c->number, &c->number) : status;
}

static void close_column(ms_context *ctx, column *c) {
  ms_free(ctx, &c->text);
  ms_free(ctx, &c->count);
  ms_free(ctx, &c->number);
}

static ms_status put_texts(const column *c, const char *name) {
  char path[PATH_SIZE];
  make_path(c->group, name, path);
  for (ptrdiff_t i = 0; i < c->n; i++)
    if (!c->text[i]) c->text[i] = "";
  return ms_results_write_texts(c->results, path, c->n, c->text);
}

static ms_status put_counts(const column *c, const char *name) {
  char path[PATH_SIZE];
  make_path(c->group, name, path);
  return ms_results_write_integers(c->results, path, c->n, c->count);
}

static ms_status put_numbers(const column *c, const char *name) {
  char path[PATH_SIZE];
  make_path(c->group, name, path);
  return ms_results_write_vector(c->results, path, c->n, c->number);
}

static ms_status fill_panels(const ms_figure *figure, const column *c) {
  for (int k = 0; k < N_PANEL_TEXT; k++) {
    for (ptrdiff_t i = 0; i < c->n; i++) {
      memcpy(&c->text[i], (const char *)&figure->panel[i].spec + panel_text[k].offset,
             sizeof *c->text);
    }
    char name[64];
    snprintf(name, sizeof name, "panels/%s", panel_text[k].name);
    MS_TRY(put_texts(c, name));
  }
  for (int k = 0; k < N_PANEL_FLAG; k++) {
    for (ptrdiff_t i = 0; i < c->n; i++) {
      int flag;
      memcpy(&flag, (const char *)&figure->panel[i].spec + panel_flag[k].offset, sizeof flag);
      c->count[i] = flag;
    }
    char name[64];
    snprintf(name, sizeof name, "panels/%s", panel_flag[k].name);
    MS_TRY(put_counts(c, name));
  }
  for (ptrdiff_t i = 0; i < c->n; i++) c->count[i] = figure->panel[i].empty;
  MS_TRY(put_counts(c, "panels/empty"));
  for (ptrdiff_t i = 0; i < c->n; i++) c->number[i] = figure->panel[i].spec.height;
  return put_numbers(c, "panels/height");
}

/* Calls `each` on all curves, in their order. */
typedef void curve_fn(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series);
static void each_curve(const ms_figure *figure, const column *c, curve_fn *each) {
  ptrdiff_t n = 0;
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    for (ptrdiff_t k = 0; k < figure->panel[p].n_series; k++)
      each(c, n++, p, &figure->panel[p].series[k]);
  }
}

static void take_panel(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  c->count[i] = panel + 1;
  c->text[i] = series->label;
}

static void take_style(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  (void)panel;
  c->count[i] = series->colour;
  c->text[i] = style_name[series->style];
}

static void take_pattern(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  (void)panel;
  c->count[i] = series->pattern;
  c->text[i] = series->key;
}

static void take_mode(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  (void)panel;
  c->count[i] = series->mode;
}

/* Which of points/y_low, y_high and omega it has. */
static void take_more(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  (void)panel;
  c->count[i] = (series->y_low != NULL) + 2 * (series->omega != NULL);
}

static void take_length(const column *c, ptrdiff_t i, ptrdiff_t panel, const ms_series *series) {
  (void)panel;
  c->count[i] = series->n;
}

static ms_status fill_curves(const ms_figure *figure, const column *c) {
  each_curve(figure, c, take_panel);
  MS_TRY(put_counts(c, "curves/panel"));
  MS_TRY(put_texts(c, "curves/label"));
  each_curve(figure, c, take_style);
  MS_TRY(put_counts(c, "curves/colour"));
  MS_TRY(put_texts(c, "curves/style"));
  each_curve(figure, c, take_pattern);
  MS_TRY(put_counts(c, "curves/pattern"));
  MS_TRY(put_texts(c, "curves/key"));
  each_curve(figure, c, take_mode);
  MS_TRY(put_counts(c, "curves/mode"));
  each_curve(figure, c, take_more);
  MS_TRY(put_counts(c, "curves/more"));
  each_curve(figure, c, take_length);
  return put_counts(c, "curves/points");
}

static const field point_list[] = {
  { "points/x", offsetof(ms_series, x) },         { "points/y", offsetof(ms_series, y) },
  { "points/y_low", offsetof(ms_series, y_low) }, { "points/y_high", offsetof(ms_series, y_high) },
  { "points/omega", offsetof(ms_series, omega) },
};
enum { N_POINT_LIST = sizeof point_list / sizeof *point_list };

/* The points of all curves, one after the other; 0 where a curve has none of a list, which is left
   out if no curve has it. */
static ms_status fill_points(const ms_figure *figure, const column *c) {
  for (int k = 0; k < N_POINT_LIST; k++) {
    ptrdiff_t n = 0;
    int any = k < 2;
    for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
      for (ptrdiff_t i = 0; i < figure->panel[p].n_series; i++) {
        const ms_series *s = &figure->panel[p].series[i];
        const double *list;
        memcpy(&list, (const char *)s + point_list[k].offset, sizeof list);
        any |= list != NULL;
        for (ptrdiff_t j = 0; j < s->n; j++) c->number[n++] = list ? list[j] : 0.0;
      }
    }
    if (any) MS_TRY(put_numbers(c, point_list[k].name));
  }
  return MS_SUCCESS;
}

static ms_status fill_notes(const ms_figure *figure, const column *c) {
  if (c->n == 0) return MS_SUCCESS;
  for (int y = 0; y < 2; y++) {
    ptrdiff_t n = 0;
    for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
      for (ptrdiff_t k = 0; k < figure->panel[p].n_note; k++, n++) {
        const ms_note *note = &figure->panel[p].note[k];
        c->number[n] = y ? note->y : note->x;
        c->count[n] = p + 1;
        c->text[n] = note->text;
      }
    }
    MS_TRY(put_numbers(c, y ? "notes/y" : "notes/x"));
  }
  MS_TRY(put_counts(c, "notes/panel"));
  return put_texts(c, "notes/text");
}

static ms_status fill_rows(const ms_figure *figure, const column *c) {
  ptrdiff_t n = 0;
  if (c->n == 0) return MS_SUCCESS;
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    for (ptrdiff_t k = 0; k < figure->panel[p].n_row; k++, n++) {
      c->count[n] = p + 1;
      c->text[n] = figure->panel[p].row[k];
    }
  }
  MS_TRY(put_counts(c, "rows/panel"));
  return put_texts(c, "rows/name");
}

static ms_status set_titles(const ms_figure *figure, const char *caption, ms_results *results,
                            const char *group) {
  MS_TRY(ms_results_set_text(results, group, "title", figure->title));
  if (figure->subtitle) MS_TRY(ms_results_set_text(results, group, "subtitle", figure->subtitle));
  if (caption) MS_TRY(ms_results_set_text(results, group, "caption", caption));
  MS_TRY(ms_results_set_number(results, group, "share", figure->share));
  return ms_results_set_number(results, group, "columns", figure->columns);
}

ms_status ms_figure_write_results(const ms_figure *figure, const char *caption, ms_results *results,
                                  const char *group) {
  typedef ms_status fill_fn(const ms_figure *f, const column *c);
  fill_fn *const fill[] = { fill_panels, fill_curves, fill_points, fill_notes, fill_rows };
  ptrdiff_t n[5] = { figure->n_panel, 0, 0, 0, 0 };
  for (ptrdiff_t p = 0; p < figure->n_panel; p++) {
    const ms_figure_panel *panel = &figure->panel[p];
    n[1] += panel->n_series, n[3] += panel->n_note, n[4] += panel->n_row;
    for (ptrdiff_t k = 0; k < panel->n_series; k++) n[2] += panel->series[k].n;
  }
  for (int i = 0; i < 5; i++) {
    column c;
    ms_status status = open_column(figure->ctx, results, group, n[i], &c);
    if (status == MS_SUCCESS) status = fill[i](figure, &c);
    close_column(figure->ctx, &c);
    MS_TRY(status);
  }
  return set_titles(figure, caption, results, group);
}

/* ---- reading ---- */

/* What the file has; each list is freed by one ms_free. */
typedef struct kept {
  ms_context *ctx;
  ms_results *results;
  const char *group;
  ptrdiff_t n_panel, n_curve, n_point, n_note, n_row;
  char **panel_text[N_PANEL_TEXT];
  int64_t *panel_flag[N_PANEL_FLAG], *empty;
  int64_t *panel, *colour, *length, *pattern, *mode, *more, *note_panel, *row_panel;
  char **label, **style, **key, **note, **row;
  double *height, *point[N_POINT_LIST], *note_x, *note_y;
} kept;

static ms_status fail_damaged(const kept *k, const char *what) {
  return ms_fail(k->ctx, MS_ERR_FORMAT, "%s: %s of this figure cannot be used", k->group, what);
}

typedef enum list_kind { TEXTS, COUNTS, NUMBERS } list_kind;

/* The first column of a table sets its length, n < 0 before; the others must have it. */
static ms_status get_list(const kept *k, list_kind kind, const char *table, const char *name,
                          ptrdiff_t *n, void *out) {
  char path[PATH_SIZE];
  ptrdiff_t found, columns = 1;
  snprintf(path, sizeof path, "%s/%s/%s", k->group, table, name);
  MS_TRY(kind == TEXTS    ? ms_results_read_texts(k->results, path, &found, out)
         : kind == COUNTS ? ms_results_read_integers(k->results, path, &found, out)
                          : ms_results_read_matrix(k->results, path, &found, &columns, out));
  found *= columns;
  if (*n >= 0 && *n != found) return fail_damaged(k, name);
  *n = found;
  return MS_SUCCESS;
}

static ms_status has_table(const kept *k, const char *table, int *found) {
  char path[PATH_SIZE];
  ms_results_kind kind;
  snprintf(path, sizeof path, "%s/%s", k->group, table);
  MS_TRY(ms_results_get_kind(k->results, path, &kind));
  *found = kind == MS_RESULTS_GROUP;
  return MS_SUCCESS;
}

static ms_status has_list(const kept *k, const char *name, int *found) {
  char path[PATH_SIZE];
  ms_results_kind kind;
  make_path(k->group, name, path);
  MS_TRY(ms_results_get_kind(k->results, path, &kind));
  *found = kind == MS_RESULTS_NUMBERS;
  return MS_SUCCESS;
}

static ms_status read_tables(kept *k) {
  int found;
  k->n_panel = k->n_curve = k->n_point = -1;
  for (int i = 0; i < N_PANEL_TEXT; i++)
    MS_TRY(get_list(k, TEXTS, "panels", panel_text[i].name, &k->n_panel, &k->panel_text[i]));
  for (int i = 0; i < N_PANEL_FLAG; i++)
    MS_TRY(get_list(k, COUNTS, "panels", panel_flag[i].name, &k->n_panel, &k->panel_flag[i]));
  MS_TRY(get_list(k, COUNTS, "panels", "empty", &k->n_panel, &k->empty));
  MS_TRY(get_list(k, COUNTS, "curves", "panel", &k->n_curve, &k->panel));
  MS_TRY(get_list(k, TEXTS, "curves", "label", &k->n_curve, &k->label));
  MS_TRY(get_list(k, COUNTS, "curves", "colour", &k->n_curve, &k->colour));
  MS_TRY(get_list(k, TEXTS, "curves", "style", &k->n_curve, &k->style));
  MS_TRY(get_list(k, COUNTS, "curves", "points", &k->n_curve, &k->length));
  MS_TRY(get_list(k, NUMBERS, "panels", "height", &k->n_panel, &k->height));
  MS_TRY(get_list(k, COUNTS, "curves", "pattern", &k->n_curve, &k->pattern));
  MS_TRY(get_list(k, TEXTS, "curves", "key", &k->n_curve, &k->key));
  MS_TRY(get_list(k, COUNTS, "curves", "mode", &k->n_curve, &k->mode));
  MS_TRY(get_list(k, COUNTS, "curves", "more", &k->n_curve, &k->more));
  for (int i = 0; i < N_POINT_LIST; i++) {
    MS_TRY(has_list(k, point_list[i].name, &found));
    if (found || i < 2)
      MS_TRY(get_list(k, NUMBERS, "points", point_list[i].name + 7, &k->n_point, &k->point[i]));
  }
  MS_TRY(has_table(k, "notes", &found));
  if (found) {
    k->n_note = -1;
    MS_TRY(get_list(k, COUNTS, "notes", "panel", &k->n_note, &k->note_panel));
    MS_TRY(get_list(k, NUMBERS, "notes", "x", &k->n_note, &k->note_x));
    MS_TRY(get_list(k, NUMBERS, "notes", "y", &k->n_note, &k->note_y));
    MS_TRY(get_list(k, TEXTS, "notes", "text", &k->n_note, &k->note));
  }
  MS_TRY(has_table(k, "rows", &found));
  if (!found) return MS_SUCCESS;
  k->n_row = -1;
  MS_TRY(get_list(k, COUNTS, "rows", "panel", &k->n_row, &k->row_panel));
  return get_list(k, TEXTS, "rows", "name", &k->n_row, &k->row);
}

static const char *or_none(const char *text) {
  return *text ? text : NULL;
}

static ms_series_style find_style(const char *name) {
  for (int i = 0; i < N_STYLE; i++)
    if (strcmp(style_name[i], name) == 0) return (ms_series_style)i;
  return MS_SERIES_LINE;
}

/* The points of a list from `at` on, if curve i has them. */
static const double *part_of(const kept *k, int list, ptrdiff_t i, int bit, ptrdiff_t at) {
  return k->point[list] && (k->more[i] & bit) ? k->point[list] + at : NULL;
}

static ms_status add_curves(const kept *k, ptrdiff_t panel, ms_figure *figure) {
  ptrdiff_t at = 0;
  for (ptrdiff_t i = 0; i < k->n_curve; i++) {
    const ptrdiff_t n = (ptrdiff_t)k->length[i];
    if (n < 0 || n > k->n_point - at) return fail_damaged(k, "points");
    const ms_series series = { .label = or_none(k->label[i]),
                               .x = k->point[0] + at,
                               .y = k->point[1] + at,
                               .y_low = part_of(k, 2, i, 1, at),
                               .y_high = part_of(k, 3, i, 1, at),
                               .omega = part_of(k, 4, i, 2, at),
                               .key = or_none(k->key[i]),
                               .pattern = (int)k->pattern[i],
                               .mode = (int)k->mode[i],
                               .n = n,
                               .style = find_style(k->style[i]),
                               .colour = (int)k->colour[i] };
    at += n;
    if (k->panel[i] == panel + 1) MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static ms_status add_names(const kept *k, ptrdiff_t panel, ms_figure *figure) {
  ptrdiff_t first = 0, n = 0;
  for (ptrdiff_t i = 0; i < k->n_note; i++) {
    if (k->note_panel[i] != panel + 1) continue;
    MS_TRY(ms_figure_add_note(figure, k->note_x[i], k->note_y[i], k->note[i]));
  }
  for (ptrdiff_t i = 0; i < k->n_row; i++) {
    if (k->row_panel[i] != panel + 1) continue;
    if (n++ == 0) first = i;
  }
  if (n == 0) return MS_SUCCESS;
  if (n > k->n_row - first) return fail_damaged(k, "rows");
  return ms_figure_name_rows(figure, n, (const char *const *)k->row + first);
}

static ms_status add_panel(const kept *k, ptrdiff_t p, ms_figure *figure) {
  ms_panel spec = { 0 };
  if (k->empty[p]) return ms_figure_skip_panel(figure);
  for (int i = 0; i < N_PANEL_TEXT; i++) {
    const char *text = or_none(k->panel_text[i][p]);
    memcpy((char *)&spec + panel_text[i].offset, &text, sizeof text);
  }
  for (int i = 0; i < N_PANEL_FLAG; i++) {
    const int flag = (int)k->panel_flag[i][p];
    memcpy((char *)&spec + panel_flag[i].offset, &flag, sizeof flag);
  }
  spec.height = k->height[p];
  MS_TRY(ms_figure_add_panel(figure, &spec));
  MS_TRY(add_curves(k, p, figure));
  return add_names(k, p, figure);
}

/* An attribute that need not be there: NULL then. */
static ms_status get_words(const kept *k, const char *name, char **out) {
  *out = NULL;
  ms_status status = ms_results_get_text(k->results, k->group, name, out);
  if (status != MS_ERR_NAME) return status;
  ms_context_clear_message(k->ctx);
  return MS_SUCCESS;
}

static ms_status build(kept *k, char **caption, ms_figure **out) {
  char *title = NULL, *subtitle = NULL;
  double columns = 0.0, share = 0.0;
  MS_TRY(read_tables(k));
  ms_status status = get_words(k, "title", &title);
  if (status == MS_SUCCESS) status = get_words(k, "subtitle", &subtitle);
  if (status == MS_SUCCESS) status = get_words(k, "caption", caption);
  if (status == MS_SUCCESS)
    status = ms_results_get_number(k->results, k->group, "columns", &columns);
  if (status == MS_SUCCESS) status = ms_results_get_number(k->results, k->group, "share", &share);
  if (status == MS_SUCCESS) status = ms_figure_create(k->ctx, title ? title : "", subtitle, out);
  ms_free(k->ctx, &title);
  ms_free(k->ctx, &subtitle);
  MS_TRY(status);
  if (columns >= 1.0) MS_TRY(ms_figure_set_columns(*out, columns < 1e3 ? (int)columns : 1000));
  ms_figure_share(*out, (int)share & (MS_SHARE_X | MS_SHARE_Y));
  for (ptrdiff_t p = 0; p < k->n_panel; p++) MS_TRY(add_panel(k, p, *out));
  return MS_SUCCESS;
}

ms_status ms_figure_read_results(ms_context *ctx, ms_results *results, const char *group,
                                 char **caption, ms_figure **out) {
  MS_MAKE(ctx, out, results && group && caption);
  kept k = { .ctx = ctx, .results = results, .group = group };
  *caption = NULL;
  ms_status status = build(&k, caption, out);
  for (int i = 0; i < N_PANEL_TEXT; i++) ms_free(ctx, &k.panel_text[i]);
  for (int i = 0; i < N_PANEL_FLAG; i++) ms_free(ctx, &k.panel_flag[i]);
  for (int i = 0; i < N_POINT_LIST; i++) ms_free(ctx, &k.point[i]);
  void *const rest[] = { &k.empty, &k.panel,      &k.colour,    &k.length, &k.pattern, &k.mode,
                         &k.more,  &k.note_panel, &k.row_panel, &k.label,  &k.style,   &k.key,
                         &k.note,  &k.row,        &k.height,    &k.note_x, &k.note_y };
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) ms_free(ctx, rest[i]);
  if (status == MS_SUCCESS) return status;
  ms_free(ctx, caption);
  ms_figure_destroy(out);
  return status;
}
