/* Matching two tables. Rows that agree in the columns with which a table begins, words and counts,
   are a group; a group of one row is compared with that of the other table, longer ones are curves
   over x. All is symmetric in the two tables but for the sign, and the relative difference. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report/compare/compare.h"
#include "report/tolerance.h"

enum { MOST_KEYS = 8, NONE = -1 };

typedef struct pairing {
  ms_context *ctx;
  const ms_run_table *t[2];
  int *column[2], n; /* columns that both have, in each */
  int key[MOST_KEYS], n_key;
  int x, x_log;                 /* of these columns; NONE: rows are in no order */
  ptrdiff_t n_group, *group[2]; /* of each row */
  ptrdiff_t *start[2], *row[2]; /* rows of group g: row[start[g]] to row[start[g + 1] - 1] */
  int in_order;                 /* no group is in both: rows are paired as they come */
} pairing;

static const ms_run_column *column_of(const pairing *p, int side, int c) {
  return &p->t[side]->column[p->column[side][c]];
}

/* ---- differences of numbers ---- */

/* Where a value is found: by a row of one of the tables and x, or by the row alone. */
typedef struct place {
  int side;
  ptrdiff_t row;
  double x; /* NAN: not a curve */
} place;

typedef struct worst {
  ptrdiff_t pairs;
  double scale;                           /* largest magnitude of the column in both tables */
  double first, other, relative, squares; /* squares: sum of those of all differences */
  place where, where_relative;
} worst;

static double relative_to(double first, double other, double scale) {
  const double least = ms_report_tol.negligible * scale;
  if (fabs(first) > least) return (other - first) / fabs(first);
  return fabs(other) > least ? (other - first) / fabs(other) : 0.0;
}

static void take_pair(worst *w, double first, double other, place where) {
  if (isnan(first) || isnan(other)) return; /* Q without damping */
  const double relative = relative_to(first, other, w->scale);
  if (w->pairs == 0 || fabs(other - first) > fabs(w->other - w->first))
    w->first = first, w->other = other, w->where = where;
  if (w->pairs == 0 || fabs(relative) > fabs(w->relative))
    w->relative = relative, w->where_relative = where;
  w->squares += (other - first) * (other - first);
  w->pairs++;
}

static void set_numbers(const worst *w, ms_difference *d) {
  d->pairs = w->pairs;
  d->first = w->first;
  d->other = w->other;
  d->difference = w->other - w->first;
  d->relative = w->relative;
  d->typical = w->pairs > 0 ? sqrt(w->squares / (double)w->pairs) : 0.0;
  d->share = w->scale > 0.0 ? d->typical / w->scale : 0.0;
}

void ms_difference_set(double first, double other, ms_difference *d) {
  worst w = { .scale = fmax(fabs(first), fabs(other)) };
  take_pair(&w, first, other, (place) { 0, 0, NAN });
  set_numbers(&w, d);
}

/* ---- groups ---- */

static int same_cell(const pairing *p, int c, int s, ptrdiff_t i, int t, ptrdiff_t k) {
  const ms_run_column *a = column_of(p, s, c), *b = column_of(p, t, c);
  return a->word ? strcmp(a->word[i], b->word[k]) == 0 : a->number[i] == b->number[k];
}

static int same_keys(const pairing *p, int s, ptrdiff_t i, int t, ptrdiff_t k) {
  for (int n = 0; n < p->n_key; n++)
    if (!same_cell(p, p->key[n], s, i, t, k)) return 0;
  return 1;
}

/* FNV-1a of the keys of a row. */
static uint64_t hash_row(const pairing *p, int side, ptrdiff_t row) {
  uint64_t h = 14695981039346656037u;
  for (int n = 0; n < p->n_key; n++) {
    const ms_run_column *c = column_of(p, side, p->key[n]);
    const double number = c->word ? 0.0 : c->number[row] + 0.0; /* 0 and -0 are the same */
    const unsigned char *byte =
        c->word ? (const unsigned char *)c->word[row] : (const unsigned char *)&number;
    const size_t length = c->word ? strlen(c->word[row]) + 1 : sizeof number;
    for (size_t i = 0; i < length; i++) h = (h ^ byte[i]) * 1099511628211u;
  }
  return h;
}

typedef struct slot {
  ptrdiff_t group; /* from 1 on; 0: free */
  int side;
  ptrdiff_t row;
} slot;

static void number_groups(pairing *p, slot *table, uint64_t size) {
  p->n_group = 0;
  for (int side = 0; side < 2; side++) {
    for (ptrdiff_t i = 0; i < p->t[side]->rows; i++) {
      uint64_t at = hash_row(p, side, i) & (size - 1);
      while (table[at].group && !same_keys(p, side, i, table[at].side, table[at].row))
        at = (at + 1) & (size - 1);
      if (!table[at].group) table[at] = (slot) { ++p->n_group, side, i };
      p->group[side][i] = table[at].group - 1;
    }
  }
}

/* The rows of each group in their order. */
static void list_rows(const pairing *p, int side) {
  ptrdiff_t *start = p->start[side];
  for (ptrdiff_t g = 0; g <= p->n_group; g++) start[g] = 0;
  for (ptrdiff_t i = 0; i < p->t[side]->rows; i++) start[p->group[side][i] + 1]++;
  for (ptrdiff_t g = 0; g < p->n_group; g++) start[g + 1] += start[g];
  for (ptrdiff_t i = 0; i < p->t[side]->rows; i++) p->row[side][start[p->group[side][i]]++] = i;
  for (ptrdiff_t g = p->n_group; g > 0; g--) start[g] = start[g - 1];
  start[0] = 0;
}

static ms_status find_groups(pairing *p) {
  const uint64_t rows = (uint64_t)(p->t[0]->rows + p->t[1]->rows);
  uint64_t size = 16;
  slot *table;
  while (size < 2 * rows) size *= 2;
  MS_TRY(ms_allocate(p->ctx, (ptrdiff_t)size, sizeof *table, &table));
  number_groups(p, table, size);
  ms_free(p->ctx, &table);
  for (int side = 0; side < 2; side++) list_rows(p, side);
  return MS_SUCCESS;
}

static ptrdiff_t length_of(const pairing *p, int side, ptrdiff_t g) {
  return p->start[side][g + 1] - p->start[side][g];
}

/* Whether every group has one row at most. */
static int are_single(const pairing *p) {
  for (ptrdiff_t g = 0; g < p->n_group; g++)
    if (length_of(p, 0, g) > 1 || length_of(p, 1, g) > 1) return 0;
  return 1;
}

static int have_common(const pairing *p) {
  for (ptrdiff_t g = 0; g < p->n_group; g++)
    if (length_of(p, 0, g) > 0 && length_of(p, 1, g) > 0) return 1;
  return 0;
}

/* ---- keys and x ---- */

/* Words, or whole numbers without unit. */
static int may_be_key(const pairing *p, int c) {
  for (int side = 0; side < 2; side++) {
    const ms_run_column *k = column_of(p, side, c);
    if (k->word) continue;
    if (k->unit) return 0;
    for (ptrdiff_t i = 0; i < p->t[side]->rows; i++)
      if (k->number[i] != floor(k->number[i])) return 0;
  }
  return 1;
}

static ms_status find_keys(pairing *p) {
  for (int c = 0; c < p->n && p->n_key < MOST_KEYS && may_be_key(p, c); c++) {
    p->key[p->n_key++] = c;
    MS_TRY(find_groups(p));
    if (are_single(p)) return MS_SUCCESS;
  }
  return p->n_key == 0 ? find_groups(p) : MS_SUCCESS;
}

static int is_key(const pairing *p, int c) {
  for (int n = 0; n < p->n_key; n++)
    if (p->key[n] == c) return 1;
  return 0;
}

/* Point i of a curve, by rising x whichever way its rows run. */
static ptrdiff_t point_row(const pairing *p, int side, ptrdiff_t g, int falls, ptrdiff_t i) {
  const ptrdiff_t n = length_of(p, side, g);
  return p->row[side][p->start[side][g] + (falls ? n - 1 - i : i)];
}

static int falls(const pairing *p, int side, ptrdiff_t g, const double *x) {
  const ptrdiff_t n = length_of(p, side, g);
  return n > 1 && x[p->row[side][p->start[side][g]]] > x[p->row[side][p->start[side][g] + n - 1]];
}

/* Whether x rises or falls in every group. */
static int is_ordered(const pairing *p, int c) {
  for (int side = 0; side < 2; side++) {
    const double *x = column_of(p, side, c)->number;
    for (ptrdiff_t g = 0; g < p->n_group; g++) {
      const int down = falls(p, side, g, x);
      for (ptrdiff_t i = 1; i < length_of(p, side, g); i++) {
        if (!(x[point_row(p, side, g, down, i)] > x[point_row(p, side, g, down, i - 1)])) return 0;
      }
    }
  }
  return 1;
}

static int is_positive(const pairing *p, int c) {
  for (int side = 0; side < 2; side++)
    for (ptrdiff_t i = 0; i < p->t[side]->rows; i++)
      if (!(column_of(p, side, c)->number[i] > 0.0)) return 0;
  return 1;
}

static int is_amplitude(const char *name) {
  return strcmp(name, "q") == 0 || strncmp(name, "amplitude", 9) == 0;
}

static int find_amplitude(const pairing *p) {
  for (int c = 0; c < p->n; c++)
    if (!is_key(p, c) && column_of(p, 0, c)->number && is_amplitude(column_of(p, 0, c)->name))
      return c;
  return NONE;
}

/* An amplitude, or else the first column behind the keys, if curves are in its order. */
static void find_x(pairing *p) {
  int first = NONE;
  for (int c = p->n - 1; c >= 0; c--)
    if (!is_key(p, c) && column_of(p, 0, c)->number) first = c;
  const int amplitude = find_amplitude(p);
  p->x = amplitude != NONE && is_ordered(p, amplitude) ? amplitude
         : first != NONE && is_ordered(p, first)       ? first
                                                       : NONE;
  p->x_log = p->x != NONE && is_amplitude(column_of(p, 0, p->x)->name) && is_positive(p, p->x);
}

/* Whether x is the same in a group of both. */
static int same_x(const pairing *p, ptrdiff_t g, int c) {
  const ptrdiff_t n = length_of(p, 0, g);
  if (n != length_of(p, 1, g)) return 0;
  const double *x[2] = { column_of(p, 0, c)->number, column_of(p, 1, c)->number };
  const int down[2] = { falls(p, 0, g, x[0]), falls(p, 1, g, x[1]) };
  for (ptrdiff_t i = 0; i < n; i++) {
    const double a = x[0][point_row(p, 0, g, down[0], i)], b = x[1][point_row(p, 1, g, down[1], i)];
    if (fabs(a - b) > ms_report_tol.negligible * fmax(fabs(a), fabs(b))) return 0;
  }
  return 1;
}

/* Levels of different amplitude are points of a curve, not rows to be compared one by one. */
static ms_status join_levels(pairing *p) {
  const int amplitude = find_amplitude(p), last = p->n_key - 1;
  if (amplitude == NONE || last < 0 || !are_single(p)) return MS_SUCCESS;
  const ms_run_column *key = column_of(p, 0, p->key[last]);
  if (key->word || strcmp(key->name, "mode") == 0) return MS_SUCCESS;
  int differ = 0;
  for (ptrdiff_t g = 0; g < p->n_group; g++)
    if (length_of(p, 0, g) && length_of(p, 1, g)) differ |= !same_x(p, g, amplitude);
  if (!differ) return MS_SUCCESS;
  p->n_key--;
  MS_TRY(find_groups(p));
  if (is_ordered(p, amplitude)) return MS_SUCCESS;
  p->n_key++;
  return find_groups(p);
}

/* ---- comparing ---- */

static int is_compared(const pairing *p, int c) {
  return !is_key(p, c) && column_of(p, 0, c)->number;
}

static void compare_rows(const pairing *p, ptrdiff_t i, ptrdiff_t k, double x, worst *w) {
  for (int c = 0; c < p->n; c++) {
    if (!is_compared(p, c) || (c == p->x && !isnan(x))) continue;
    take_pair(&w[c], column_of(p, 0, c)->number[i], column_of(p, 1, c)->number[k],
              (place) { 0, i, x });
  }
}

/* Whether v is inside the curve of a side, between its points i and i + 1, and how far along. */
static int find_stretch(const pairing *p, int side, ptrdiff_t g, double v, ptrdiff_t row[2],
                        double *part) {
  const double *x = column_of(p, side, p->x)->number;
  const ptrdiff_t n = length_of(p, side, g);
  const int down = falls(p, side, g, x);
  ptrdiff_t low = 0, high = n - 1;
  if (n == 0 || v < x[point_row(p, side, g, down, 0)] || v > x[point_row(p, side, g, down, n - 1)])
    return 0;
  while (high - low > 1) {
    const ptrdiff_t middle = low + (high - low) / 2;
    if (x[point_row(p, side, g, down, middle)] <= v)
      low = middle;
    else
      high = middle;
  }
  row[0] = point_row(p, side, g, down, low);
  row[1] = point_row(p, side, g, down, high);
  const double a = x[row[0]], b = x[row[1]];
  *part = !(b > a) ? 0.0 : p->x_log ? log(v / a) / log(b / a) : (v - a) / (b - a);
  return 1;
}

/* At the points of one side, the other interpolated. */
static ptrdiff_t interpolate(const pairing *p, ptrdiff_t g, int side, worst *w) {
  const double *x = column_of(p, side, p->x)->number;
  ptrdiff_t inside = 0;
  for (ptrdiff_t i = 0; i < length_of(p, side, g); i++) {
    const ptrdiff_t here = p->row[side][p->start[side][g] + i];
    ptrdiff_t row[2];
    double part;
    if (!find_stretch(p, !side, g, x[here], row, &part)) continue;
    inside++;
    for (int c = 0; c < p->n; c++) {
      if (!is_compared(p, c) || c == p->x) continue;
      const double own = column_of(p, side, c)->number[here];
      const double *y = column_of(p, !side, c)->number;
      const double other = part == 0.0 ? y[row[0]] : y[row[0]] + part * (y[row[1]] - y[row[0]]);
      take_pair(&w[c], side ? other : own, side ? own : other, (place) { side, here, x[here] });
    }
  }
  return inside;
}

enum { BY_KEYS, BY_CURVES, BY_ORDER };

static void compare_group(const pairing *p, ptrdiff_t g, worst *w, ms_matched *out, int *how) {
  const ptrdiff_t n[2] = { length_of(p, 0, g), length_of(p, 1, g) };
  const int same = p->x != NONE && n[0] > 1 && same_x(p, g, p->x);
  if (n[0] == 0 || n[1] == 0) {
    out->only_first += n[0];
    out->only_other += n[1];
  } else if ((n[0] == 1 && n[1] == 1) || same || (p->x == NONE && n[0] == n[1])) {
    const double *x[2] = { 0 };
    for (int s = 0; s < 2 && same; s++) x[s] = column_of(p, s, p->x)->number;
    const int down[2] = { same && falls(p, 0, g, x[0]), same && falls(p, 1, g, x[1]) };
    for (ptrdiff_t i = 0; i < n[0]; i++) {
      const ptrdiff_t row = point_row(p, 0, g, down[0], i);
      compare_rows(p, row, point_row(p, 1, g, down[1], i), same ? x[0][row] : NAN, w);
    }
    if (p->x == NONE && n[0] > 1) *how = BY_ORDER;
  } else if (p->x == NONE) {
    out->only_first += n[0];
    out->only_other += n[1];
  } else {
    *how = BY_CURVES;
    out->outside_first += n[0] - interpolate(p, g, 0, w);
    out->outside_other += n[1] - interpolate(p, g, 1, w);
  }
}

/* ---- texts ---- */

/* "mode 2, q 0.0012 m" */
static void add_pair(char *text, size_t size, const char *name, const char *value,
                     const char *unit) {
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s%s %s%s%s", n > 0 ? ", " : "", name, value, unit ? " " : "",
           unit ? unit : "");
}

static void print_place(const pairing *p, place at, char *text, size_t size) {
  char number[32];
  text[0] = '\0';
  for (int n = 0; n < p->n_key; n++) {
    const ms_run_column *c = column_of(p, at.side, p->key[n]);
    if (!c->word) snprintf(number, sizeof number, "%.10g", c->number[at.row]);
    add_pair(text, size, c->name, c->word ? c->word[at.row] : number, NULL);
  }
  if (!isnan(at.x)) {
    const ms_run_column *c = column_of(p, at.side, p->x);
    snprintf(number, sizeof number, "%.6g", at.x);
    add_pair(text, size, c->name, number, c->unit);
  } else if (p->n_key == 0) {
    snprintf(text, size, "row %td", at.row + 1);
  }
}

static void print_how(const pairing *p, int how, char *text, size_t size) {
  text[0] = '\0';
  if (how == BY_ORDER || p->in_order) {
    snprintf(text, size, "rows in their order");
    return;
  }
  for (int n = 0; n < p->n_key; n++) {
    const size_t at = strlen(text);
    snprintf(text + at, size - at, "%s%s", n ? ", " : "rows by ", column_of(p, 0, p->key[n])->name);
  }
  const size_t at = strlen(text);
  if (how == BY_CURVES) {
    snprintf(text + at, size - at, "%sinterpolated over %s%s in the range of both", at ? "; " : "",
             p->x_log ? "log " : "", column_of(p, 0, p->x)->name);
  } else if (p->x != NONE && !are_single(p)) {
    snprintf(text + at, size - at, "%ssame %s", at ? "; " : "", column_of(p, 0, p->x)->name);
  }
}

/* Of a column; where units stand beside the numbers, of the row. */
static const char *unit_of(const pairing *p, const ms_run_column *column, place at) {
  const int unit = ms_run_find_column(p->t[at.side], "unit");
  if (column->in_unit == 1 && unit >= 0 && p->t[at.side]->column[unit].word)
    return p->t[at.side]->column[unit].word[at.row];
  return column->unit ? column->unit : "";
}

static ms_status fill(const pairing *p, worst *w, ms_matched *out) {
  int how = BY_KEYS;
  for (int c = 0; c < p->n; c++) {
    for (int side = 0; side < 2 && is_compared(p, c); side++) {
      for (ptrdiff_t i = 0; i < p->t[side]->rows; i++)
        w[c].scale = fmax(w[c].scale, fabs(column_of(p, side, c)->number[i]));
    }
  }
  for (ptrdiff_t g = 0; g < p->n_group; g++) compare_group(p, g, w, out, &how);
  MS_TRY(ms_allocate(p->ctx, p->n, sizeof *out->difference, &out->difference));
  for (int c = 0; c < p->n; c++) {
    const ms_run_column *column = column_of(p, 0, c);
    if (w[c].pairs == 0) continue;
    ms_difference *d = &out->difference[out->n++];
    set_numbers(&w[c], d);
    snprintf(d->name, sizeof d->name, "%s", column->name);
    snprintf(d->unit, sizeof d->unit, "%s", unit_of(p, column, w[c].where));
    print_place(p, w[c].where, d->where, sizeof d->where);
    print_place(p, w[c].where_relative, d->where_relative, sizeof d->where_relative);
    print_how(p, how, d->how, sizeof d->how);
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_status find_columns(pairing *p) {
  for (int side = 0; side < 2; side++)
    MS_TRY(ms_allocate(p->ctx, p->t[0]->n, sizeof **p->column, &p->column[side]));
  for (int c = 0; c < p->t[0]->n; c++) {
    const ms_run_column *a = &p->t[0]->column[c];
    const int k = ms_run_find_column(p->t[1], a->name);
    if (k < 0 || !p->t[1]->column[k].word != !a->word) continue;
    const char *unit = p->t[1]->column[k].unit;
    if (strcmp(unit ? unit : "", a->unit ? a->unit : "") != 0) continue;
    p->column[0][p->n] = c;
    p->column[1][p->n++] = k;
  }
  return MS_SUCCESS;
}

static ms_status match(pairing *p, ms_matched *out) {
  worst *w;
  MS_TRY(find_columns(p));
  for (int side = 0; side < 2; side++) {
    const ptrdiff_t rows = p->t[side]->rows, all = p->t[0]->rows + p->t[1]->rows;
    MS_TRY(ms_allocate(p->ctx, rows, sizeof **p->group, &p->group[side]));
    MS_TRY(ms_allocate(p->ctx, rows, sizeof **p->row, &p->row[side]));
    MS_TRY(ms_allocate(p->ctx, all + 2, sizeof **p->start, &p->start[side]));
  }
  MS_TRY(find_keys(p));
  if (!have_common(p) && p->t[0]->rows == p->t[1]->rows) {
    p->n_key = 0;
    p->in_order = 1;
    MS_TRY(find_groups(p));
  }
  MS_TRY(join_levels(p));
  p->x = NONE;
  if (!p->in_order) find_x(p);
  MS_TRY(ms_allocate(p->ctx, p->n, sizeof *w, &w));
  ms_status status = fill(p, w, out);
  ms_free(p->ctx, &w);
  return status;
}

ms_status ms_match_tables(ms_context *ctx, const ms_run_table *first, const ms_run_table *other,
                          ms_matched *out) {
  pairing p = { .ctx = ctx, .t = { first, other } };
  *out = (ms_matched) { 0 };
  ms_status status = match(&p, out);
  for (int side = 0; side < 2; side++) {
    ms_free(ctx, &p.column[side]);
    ms_free(ctx, &p.group[side]);
    ms_free(ctx, &p.row[side]);
    ms_free(ctx, &p.start[side]);
  }
  return status;
}
