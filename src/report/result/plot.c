/* Figures from the columns of result tables: rows that agree in some columns make a curve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "report/internal.h"
#include "report/result/result.h"

enum { MOST_BY = 2, MOST_WHERE = 3, LABEL_SIZE = 160, CELL_SIZE = 64, KEY_SIZE = 400 };

/* The columns of a panel; -1 for none. */
typedef struct columns {
  const ms_result_table *table;
  int x, y, y_to, spread, mode, omega, by[MOST_BY], n_by;
  int where[MOST_WHERE], n_where;
  int only[MOST_WHERE], above[MOST_WHERE], n_only; /* 1: above the limit, 0: below */
  double limit[MOST_WHERE];
  char wanted[MOST_WHERE][CELL_SIZE]; /* of these columns */
  ptrdiff_t *first, n_curve;          /* the first row of each curve */
} columns;

/* A cell as text, as it stands in a label. */
static void print_cell(const ms_result_table *t, int column, ptrdiff_t row, char text[CELL_SIZE]) {
  const char *word = ms_result_table_word(t, column, row);
  if (word) {
    snprintf(text, CELL_SIZE, "%s", word);
  } else {
    snprintf(text, CELL_SIZE, "%.6g", ms_result_table_column(t, column)[row]);
  }
}

static int agree(const ms_result_table *t, int column, ptrdiff_t i, ptrdiff_t k) {
  const double *number = ms_result_table_column(t, column);
  if (number) return number[i] == number[k];
  return strcmp(ms_result_table_word(t, column, i), ms_result_table_word(t, column, k)) == 0;
}

/* The name is the first `length` characters. */
static ms_status find(ms_context *ctx, const ms_result_table *t, const char *name, size_t length,
                      int *out) {
  for (*out = 0; *out < t->n; *out += 1) {
    const char *own = t->column[*out].name;
    if (strncmp(own, name, length) == 0 && own[length] == '\0') return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "table %s has no column '%.*s' to be drawn",
                 ms_result_table_name(t), (int)length, name);
}

/* -1 where there is no such column, or one of words. */
static int find_numbers(const ms_result_table *t, const char *name) {
  const int column = ms_result_table_find_column(t, name);
  return column >= 0 && ms_result_table_column(t, column) ? column : -1;
}

/* "quality<0.1,zeta>0" */
static ms_status find_limits(ms_context *ctx, const ms_result_table *t, const char *only,
                             columns *c) {
  for (const char *at = only ? only : ""; *at && c->n_only < MOST_WHERE; c->n_only++) {
    const size_t n = strcspn(at, "<>");
    char *end;
    MS_TRY(find(ctx, t, at, n, &c->only[c->n_only]));
    if (!at[n] || !ms_result_table_column(t, c->only[c->n_only]))
      return ms_fail(ctx, MS_ERR_FORMAT, "'%s' is no limit of a column of numbers", at);
    c->above[c->n_only] = at[n] == '>';
    c->limit[c->n_only] = strtod(at + n + 1, &end);
    at = end + (*end == ',');
  }
  return MS_SUCCESS;
}

static ms_status find_columns(ms_context *ctx, const ms_result_table *t, const ms_plot *p,
                              columns *c) {
  *c = (columns) { .table = t, .y_to = -1, .spread = -1 };
  c->mode = find_numbers(t, "mode");
  c->omega = find_numbers(t, "omega");
  MS_TRY(find(ctx, t, p->x, strlen(p->x), &c->x));
  MS_TRY(find(ctx, t, p->y, strlen(p->y), &c->y));
  if (p->y_to) MS_TRY(find(ctx, t, p->y_to, strlen(p->y_to), &c->y_to));
  if (p->spread) MS_TRY(find(ctx, t, p->spread, strlen(p->spread), &c->spread));
  for (const char *at = p->by ? p->by : ""; *at && c->n_by < MOST_BY;) {
    const size_t n = strcspn(at, ",");
    MS_TRY(find(ctx, t, at, n, &c->by[c->n_by++]));
    at += n + (at[n] == ',');
  }
  for (const char *at = p->where ? p->where : ""; *at && c->n_where < MOST_WHERE; c->n_where++) {
    const size_t n = strcspn(at, "="), m = strcspn(at + n + 1, ",\n");
    snprintf(c->wanted[c->n_where], CELL_SIZE, "%.*s", (int)m, at + n + 1);
    MS_TRY(find(ctx, t, at, n, &c->where[c->n_where]));
    at += n + 1 + m + (at[n + 1 + m] != '\0');
  }
  return find_limits(ctx, t, p->only, c);
}

static double scaled(double value, double scale) {
  return scale != 0.0 ? scale * value : value;
}

/* Whether a row is drawn, and where. */
static int get_point(const columns *c, const ms_plot *p, ptrdiff_t row, double *x, double *y) {
  char text[CELL_SIZE];
  for (int i = 0; i < c->n_where; i++) {
    print_cell(c->table, c->where[i], row, text);
    if (strcmp(text, c->wanted[i]) != 0) return 0;
  }
  *x = scaled(ms_result_table_column(c->table, c->x)[row], p->x_scale);
  *y = scaled(ms_result_table_column(c->table, c->y)[row], p->y_scale);
  for (int i = 0; i < c->n_only; i++) {
    const double value = ms_result_table_column(c->table, c->only[i])[row];
    if (!(c->above[i] ? value > c->limit[i] : value < c->limit[i])) return 0;
  }
  return (!p->x_log || *x > 0.0) && (!p->y_log || *y > 0.0);
}

static int same_curve(const columns *c, ptrdiff_t i, ptrdiff_t k) {
  for (int b = 0; b < c->n_by; b++) {
    if (!agree(c->table, c->by[b], i, k)) return 0;
  }
  return 1;
}

/* The first rows of all curves. */
static void find_curves(columns *c) {
  for (ptrdiff_t i = 0; i < ms_result_table_rows(c->table); i++) {
    ptrdiff_t k = c->n_curve - 1; /* rows of a curve mostly follow each other */
    while (k >= 0 && !same_curve(c, i, c->first[k])) k--;
    if (k < 0) c->first[c->n_curve++] = i;
  }
}

/* How many other values of column `by` come up before that of a curve. */
static int rank(const columns *c, int by, ptrdiff_t curve) {
  int n = 0;
  for (ptrdiff_t i = 0; i < curve; i++) {
    if (agree(c->table, by, c->first[i], c->first[curve])) return rank(c, by, i);
    ptrdiff_t k = 0;
    while (k < i && !agree(c->table, by, c->first[i], c->first[k])) k++;
    n += k == i;
  }
  return n;
}

/* The label with the values of the curve that begins in row `first`. */
static void print_label(const columns *c, const ms_plot *p, ptrdiff_t first,
                        char label[LABEL_SIZE]) {
  const char *from = p->label ? p->label : c->n_by > 1 ? "%s, %s" : "%s";
  size_t at = 0;
  for (int b = 0; *from && at + 1 < LABEL_SIZE;) {
    if (from[0] == '%' && from[1] == 's' && b < c->n_by) {
      char text[CELL_SIZE];
      print_cell(c->table, c->by[b++], first, text);
      at += (size_t)snprintf(label + at, LABEL_SIZE - at, "%s", text);
      from += 2;
    } else {
      label[at++] = *from++;
    }
  }
  label[at < LABEL_SIZE ? at : LABEL_SIZE - 1] = '\0';
}

/* Around an area: along y, which stands in x and y, and back along the other column. */
static void close_area(const columns *c, const ms_plot *p, ptrdiff_t first, ms_series *s, double *x,
                       double *y) {
  const ptrdiff_t n = s->n;
  ptrdiff_t at = n;
  for (ptrdiff_t i = ms_result_table_rows(c->table) - 1; i >= first; i--) {
    double u, v;
    if (!same_curve(c, i, first) || !get_point(c, p, i, &u, &v)) continue;
    x[at] = u;
    y[at++] = scaled(ms_result_table_column(c->table, c->y_to)[i], p->y_scale);
  }
  s->n = at;
  s->style = MS_SERIES_AREA;
}

/* What a curve belongs to: what was asked for, and what its rows share, of one that is drawn. */
static void print_key(const columns *c, ptrdiff_t row, char key[KEY_SIZE]) {
  size_t at = 0;
  key[0] = '\0';
  for (int k = 0; k < c->n_where + c->n_by && at < KEY_SIZE; k++) {
    const int column = k < c->n_where ? c->where[k] : c->by[k - c->n_where];
    const double *number = ms_result_table_column(c->table, column);
    char text[CELL_SIZE];
    if (number) {
      snprintf(text, sizeof text, "%.9g", number[row]);
    } else {
      print_cell(c->table, column, row, text);
    }
    at += (size_t)snprintf(key + at, KEY_SIZE - at, "%s%s=%s", at ? "\n" : "",
                           c->table->column[column].name, text);
  }
}

/* The points of a curve. x and y have twice as many places as the table has rows, the others as
   many. */
typedef struct points {
  double *x, *y, *low, *high, *omega;
  ptrdiff_t row; /* of the first of them */
  int mode;      /* of all of them; 0: none, or not the same */
} points;

/* The rows that are drawn; how many they are. */
static ptrdiff_t take_rows(const columns *c, const ms_plot *p, ptrdiff_t first, points *to) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = first; i < ms_result_table_rows(c->table); i++) {
    if (!same_curve(c, i, first) || !get_point(c, p, i, &to->x[n], &to->y[n])) continue;
    if (n == 0) to->row = i;
    if (c->spread >= 0) {
      const double d = scaled(ms_result_table_column(c->table, c->spread)[i], p->y_scale);
      to->low[n] = to->y[n] - fabs(d), to->high[n] = to->y[n] + fabs(d);
    }
    if (c->omega >= 0) to->omega[n] = ms_result_table_column(c->table, c->omega)[i];
    const double mode = c->mode >= 0 ? ms_result_table_column(c->table, c->mode)[i] : 0.0;
    to->mode = n == 0 || to->mode == (int)mode ? (int)mode : 0;
    n++;
  }
  return n;
}

static double extent(const double *v, ptrdiff_t n, int log_axis) {
  double low = v[0], high = v[0];
  for (ptrdiff_t i = 1; i < n; i++) low = fmin(low, v[i]), high = fmax(high, v[i]);
  return log_axis ? log(high / low) : high - low;
}

/* Keeps points that are some way from the one kept before, on axes that go from 0 to 1: of a curve
   that rises or falls throughout, no more than it asks for. How many they are. */
static ptrdiff_t thin(const ms_plot *p, ptrdiff_t n, points *at) {
  const double width = extent(at->x, n, p->x_log), height = extent(at->y, n, p->y_log);
  ptrdiff_t kept = 1;
  for (ptrdiff_t i = 1; i < n; i++) {
    const double x = at->x[kept - 1], y = at->y[kept - 1];
    const double dx = p->x_log ? log(at->x[i] / x) : at->x[i] - x;
    const double dy = p->y_log ? log(at->y[i] / y) : at->y[i] - y;
    const double way =
        (width > 0.0 ? fabs(dx) / width : 0.0) + (height > 0.0 ? fabs(dy) / height : 0.0);
    if (way * (double)(p->points - 1) < 2.0) continue;
    at->x[kept] = at->x[i], at->y[kept] = at->y[i];
    at->low[kept] = at->low[i], at->high[kept] = at->high[i], at->omega[kept] = at->omega[i];
    kept++;
  }
  return kept;
}

/* Of curve number k of those that are drawn. The second eight have open markers. */
static void set_look(int k, ms_series *s) {
  s->colour = k % MS_PALETTE_SIZE;
  if (k < MS_PALETTE_SIZE) return;
  s->pattern = MS_PALETTE_SIZE + k % MS_PALETTE_SIZE + 1;
  if (s->style == MS_SERIES_LINE) s->style = MS_SERIES_LINE_POINTS;
}

static ms_status add_curve(ms_figure *figure, const columns *c, const ms_plot *p, ptrdiff_t curve,
                           int k, points *at, int *drawn) {
  const ptrdiff_t first = c->first[curve];
  char label[LABEL_SIZE], key[KEY_SIZE];
  ms_series s = { .label = p->label,
                  .x = at->x,
                  .y = at->y,
                  .n = take_rows(c, p, first, at),
                  .style = p->style,
                  .colour = p->colour };
  if (s.n == 0) return MS_SUCCESS;
  if (p->points > 0 && s.n > p->points) s.n = thin(p, s.n, at);
  if (c->spread >= 0) s.y_low = at->low, s.y_high = at->high;
  if (c->omega >= 0 && c->y_to < 0) s.omega = at->omega;
  s.mode = at->mode;
  print_key(c, at->row, key);
  if (key[0]) s.key = key;
  if (c->n_by > 0) {
    print_label(c, p, first, label);
    s.label = label[0] ? label : NULL;
    if (p->colour >= 0) set_look(c->n_by > 1 ? rank(c, c->by[0], curve) : k, &s);
  }
  if (c->n_by > 1) {
    s.pattern = rank(c, c->by[1], curve) % MS_PALETTE_SIZE + 1;
    s.style = s.pattern > 1 ? MS_SERIES_LINE_POINTS : MS_SERIES_LINE;
  }
  *drawn = 1;
  if (c->y_to >= 0) close_area(c, p, first, &s, at->x, at->y);
  return ms_figure_add_series(figure, &s);
}

/* Of a column that is drawn as it is. */
static int quantity_of(const ms_result_column *column, const char *unit, double scale) {
  if (unit || scale != 0.0) return MS_DISPLAY_PLAIN;
  return (int)ms_display_find_quantity(column->name, column->unit, column->meaning);
}

static ms_status open_panel(ms_figure *figure, const columns *c, const ms_plot *p) {
  const ms_result_column x = ms_result_table_describe(c->table, c->x);
  const ms_result_column y = ms_result_table_describe(c->table, c->y);
  const char *x_unit = p->x_unit ? p->x_unit : x.unit, *y_unit = p->y_unit ? p->y_unit : y.unit;
  const ms_panel panel = { .title = p->title,
                           .x_label = p->x_label ? p->x_label : x.name,
                           .x_unit = x_unit && *x_unit ? x_unit : NULL,
                           .y_label = p->y_label ? p->y_label : y.name,
                           .y_unit = y_unit && *y_unit ? y_unit : NULL,
                           .x_log = p->x_log,
                           .y_log = p->y_log,
                           .x_column = p->x_scale == 0.0 ? p->x : NULL,
                           .y_column = p->y_scale == 0.0 ? p->y : NULL,
                           .height = p->height,
                           .x_quantity = quantity_of(&x, p->x_unit, p->x_scale),
                           .y_quantity = quantity_of(&y, p->y_unit, p->y_scale) };
  return ms_figure_add_panel(figure, &panel);
}

/* Whether all values of y that would be drawn are above 0. */
static int is_positive(const columns *c, const ms_plot *p) {
  const ms_plot linear = { .where = p->where };
  for (ptrdiff_t i = 0; i < ms_result_table_rows(c->table); i++) {
    double x, y;
    if (get_point(c, &linear, i, &x, &y) && !(y > 0.0)) return 0;
  }
  return 1;
}

static ms_status add_panel(ms_context *ctx, ms_figure *figure, const ms_result_table *t,
                           const ms_plot *asked, int *drawn) {
  columns c;
  double *v = NULL;
  ms_plot own = *asked;
  const ms_plot *p = &own;
  if (p->table) t = p->table;
  MS_TRY(find_columns(ctx, t, p, &c));
  if (p->y_log == MS_LOG_IF_POSITIVE) own.y_log = is_positive(&c, p);
  if (!p->over) MS_TRY(open_panel(figure, &c, p));
  const ptrdiff_t rows = ms_result_table_rows(t);
  MS_TRY(ms_allocate(ctx, rows, sizeof *c.first, &c.first));
  ms_status status = ms_allocate(ctx, 7 * rows, sizeof *v, &v);
  points at = { 0 };
  if (v) at = (points) { v, v + 2 * rows, v + 4 * rows, v + 5 * rows, v + 6 * rows, 0, 0 };
  if (status == MS_SUCCESS) find_curves(&c);
  const ptrdiff_t n = p->most > 1 && p->most < c.n_curve ? p->most : c.n_curve;
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < n; k++) {
    const ptrdiff_t curve = n < c.n_curve ? k * (c.n_curve - 1) / (n - 1) : k;
    status = add_curve(figure, &c, p, curve, (int)k, &at, drawn);
  }
  ms_free(ctx, &v);
  ms_free(ctx, &c.first);
  return status;
}

ms_status ms_result_draw(ms_context *ctx, ms_figure *figure, const ms_result_table *table, int n,
                         const ms_plot *panel) {
  int drawn = 0;
  for (int i = 0; i < n; i++) MS_TRY(add_panel(ctx, figure, table, &panel[i], &drawn));
  return MS_SUCCESS;
}

/* The label of the curve that was drawn last in a panel. */
static const char *last_label(const ms_figure_panel *panel) {
  const char *label = NULL;
  for (ptrdiff_t i = 0; i < panel->n_series; i++)
    if (ms_series_has_line(&panel->series[i])) label = panel->series[i].label;
  return label;
}

/* Below panels `from` to the last, what the last curves of those leave that ask for it, in the
   order of the plots from plot[0] on. */
static ms_status add_residuals(ms_figure *figure, ptrdiff_t from, int n, const ms_plot *plot) {
  ptrdiff_t at = from - 1;
  for (int i = 0; i < n; i++) {
    at += !plot[i].over;
    const char *model = plot[i].residual_of ? last_label(&figure->panel[at]) : NULL;
    if (model) MS_TRY(ms_figure_add_residuals(figure, figure, at, plot[i].residual_of, model));
  }
  return MS_SUCCESS;
}

/* All panels, each row of them with its residuals. */
static ms_status add_panels(ms_context *ctx, ms_figure *figure, const ms_result_table *table, int n,
                            const ms_plot *plot, int *drawn) {
  ptrdiff_t from = 0; /* panel at which the row begins, which plot[first] opens */
  int first = 0, in_row = 0;
  for (int i = 0; i < n; i++) {
    if (!plot[i].over && in_row++ == plot->columns && plot->columns > 0) {
      MS_TRY(add_residuals(figure, from, i - first, plot + first));
      from = figure->n_panel;
      first = i;
      in_row = 1;
    }
    MS_TRY(add_panel(ctx, figure, table, &plot[i], drawn));
  }
  return add_residuals(figure, from, n - first, plot + first);
}

void ms_result_plot(ms_result *r, const char *title, const char *caption,
                    const ms_result_table *table, int n, const ms_plot *panel) {
  ms_figure *figure = NULL;
  int drawn = 0;
  if (r->status != MS_SUCCESS || r->page_status != MS_SUCCESS) return;
  ms_status status = ms_figure_create(r->ctx, title, NULL, &figure);
  if (status == MS_SUCCESS) status = add_panels(r->ctx, figure, table, n, panel, &drawn);
  if (figure && ms_figure_goes_forward(figure)) ms_figure_share(figure, MS_SHARE_X);
  if (figure && panel->columns > 0 && status == MS_SUCCESS)
    status = ms_figure_set_columns(figure, panel->columns);
  if (figure && panel->history && status == MS_SUCCESS) status = ms_figure_add_first_cycles(figure);
  ms_result_fail_page(r, status);
  if (!drawn) ms_figure_destroy(&figure);
  ms_result_take_figure(r, caption, &figure);
}

/* ---- variants ---- */

enum { MOST_WORDS = 64 };

/* The words of column `by` in the rows of the first variant. */
static int find_words(const ms_result_table *t, int by, const char *word[MOST_WORDS]) {
  const double *variant = ms_result_table_find_numbers(t, "variant");
  int n = 0;
  for (ptrdiff_t i = 0; variant && i < ms_result_table_rows(t) && n < MOST_WORDS; i++) {
    const char *w = ms_result_table_word(t, by, i);
    if (variant[i] == 1.0 && (n == 0 || strcmp(w, word[n - 1]) != 0)) word[n++] = w;
  }
  return n;
}

typedef struct variant_words {
  char label[320], where[96];
} variant_words;

void ms_result_plot_variants(ms_result *r, const char *title, const char *caption,
                             const ms_result_table *table, ptrdiff_t n, ms_variant_label_fn *label,
                             const void *user, const char *by, int n_panel, const ms_plot *panel) {
  enum { MOST = MS_PALETTE_SIZE };
  const char *word[MOST_WORDS];
  const int n_word = find_words(table, ms_result_table_find_column(table, by), word);
  const ptrdiff_t all = (n < MOST ? n : MOST) * n_word;
  ms_plot *curve = NULL;
  variant_words *text = NULL;
  if (r->status != MS_SUCCESS || r->page_status != MS_SUCCESS) return;
  ms_status status = ms_allocate(r->ctx, n_panel * all, sizeof *curve, &curve);
  if (status == MS_SUCCESS) status = ms_allocate(r->ctx, all, sizeof *text, &text);
  for (ptrdiff_t k = 0; k < n_panel * all && status == MS_SUCCESS; k++) {
    const ptrdiff_t i = k % all / n_word, c = k % n_word;
    variant_words *w = &text[k % all];
    char name[200];
    label(user, i, name, sizeof name);
    snprintf(w->label, sizeof w->label, n_word > 1 ? "%s, %s" : "%s", name, word[c]);
    snprintf(w->where, sizeof w->where, "variant=%td,%s=%s", i + 1, by, word[c]);
    curve[k] = panel[k / all];
    curve[k].label = w->label, curve[k].where = w->where;
    curve[k].style = c ? MS_SERIES_DASHED : MS_SERIES_LINE;
    curve[k].colour = (int)i, curve[k].over = k % all > 0;
  }
  ms_result_fail_page(r, status);
  if (status == MS_SUCCESS) ms_result_plot(r, title, caption, table, (int)(n_panel * all), curve);
  ms_free(r->ctx, &curve);
  ms_free(r->ctx, &text);
  if (n > MOST)
    ms_result_say(r, "The first %d of %td variants are drawn; the table has all.", (int)MOST, n);
}
