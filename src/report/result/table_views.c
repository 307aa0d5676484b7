/* Views of a result table: CSV, JSON, HDF5, and in a page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/internal.h"
#include "report/result/result.h"

enum { DATASET = 256, NAME_LIMIT = 128 }; /* lengths of names in HDF5 */

void ms_csv_write_word(FILE *out, const char *word) {
  if (!strpbrk(word, ",\"\n")) {
    fputs(word, out);
    return;
  }
  fputc('"', out);
  for (; *word; word++) {
    if (*word == '"') fputc('"', out);
    fputc(*word, out);
  }
  fputc('"', out);
}

/* ---- units for people ---- */

/* Columns that say of which mode a row is, its frequency, the unit of its numbers and their name;
   -1: none. */
typedef struct shown {
  const ms_display *display; /* NULL: as they are */
  int mode, omega, unit, name;
} shown;

static int find_words(const ms_result_table *s, const char *name) {
  const int c = ms_result_table_find_column(s, name);
  return c >= 0 && s->column[c].words ? c : -1;
}

static shown find_shown(const ms_result_table *s, const ms_display *display) {
  shown w = { display, ms_result_table_find_column(s, "mode"), -1, find_words(s, "unit"),
              find_words(s, "parameter") };
  if (w.mode >= 0 && (s->column[w.mode].words || s->column[w.mode].named)) w.mode = -1;
  for (int c = 0, best = 0; c < s->n; c++) {
    const ms_result_cells *k = &s->column[c];
    const int rank = k->words || k->named ? 0 : ms_display_rank_omega(k->name, k->unit);
    if (rank > best) w.omega = c, best = rank;
  }
  return w;
}

/* Of numbers whose unit stands in their row. */
static ms_display_view look_beside(const shown *w, const ms_result_table *s, ptrdiff_t row) {
  return ms_display_look_beside(w->display, w->name >= 0 ? s->column[w->name].word[row] : "",
                                s->column[w->unit].word[row]);
}

static ms_display_view look(const shown *w, const ms_result_cells *c) {
  const ms_display_of of = { c->words || c->flag || c->named
                                 ? MS_DISPLAY_PLAIN
                                 : ms_display_find_quantity(c->name, c->unit, c->meaning),
                             c->unit, w->mode >= 0, w->omega >= 0 };
  ms_display_view own = { .factor = 1.0 };
  snprintf(own.unit, sizeof own.unit, "%s", c->unit ? c->unit : "");
  if (!w->display || c->words) return own;
  own = ms_display_look(w->display, &of);
  if (own.inverse && !own.unit[0]) snprintf(own.unit, sizeof own.unit, "Q"); /* not a ratio */
  return own;
}

/* "omega [rad/s]" */
static void write_heading(FILE *out, const ms_result_cells *c, const char *unit) {
  char heading[2 * DATASET];
  const int fits = snprintf(heading, sizeof heading, "%s [%s]", c->name, unit);
  ms_csv_write_word(out, *unit && fits < (int)sizeof heading ? heading : c->name);
}

/* An empty cell where there is no number, such as Q without damping. */
static void write_number(FILE *out, const ms_result_table *s, const shown *w, int c, ptrdiff_t i) {
  double value = s->column[c].number[i];
  char text[32];
  if (w->display && s->column[c].in_unit && w->unit >= 0) {
    value *= pow(look_beside(w, s, i).factor, s->column[c].in_unit);
  } else if (w->display) {
    const ms_display_view view = look(w, &s->column[c]);
    const ms_result_cells *mode = w->mode >= 0 ? &s->column[w->mode] : NULL,
                          *omega = w->omega >= 0 ? &s->column[w->omega] : NULL;
    value = ms_display_map(w->display, &view, value, mode ? (int)mode->number[i] : 0,
                           omega ? ms_display_omega(omega->unit, omega->number[i]) : 0.0);
  }
  if (!isfinite(value)) return;
  ms_format_double(value, text);
  fputs(text, out);
}

static void write_rows(const ms_result_table *s, const ms_display *display, FILE *out) {
  const shown w = find_shown(s, display);
  for (int c = 0; c < s->n; c++) {
    if (c > 0) fputc(',', out);
    write_heading(out, &s->column[c], look(&w, &s->column[c]).unit);
  }
  fputc('\n', out);
  for (ptrdiff_t i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->n; c++) {
      if (c) fputc(',', out);
      if (c == w.unit && display) {
        ms_csv_write_word(out, look_beside(&w, s, i).unit);
      } else if (s->column[c].words) {
        ms_csv_write_word(out, s->column[c].word[i]);
      } else {
        write_number(out, s, &w, c, i);
      }
    }
    fputc('\n', out);
  }
}

ms_status ms_result_table_write_csv(ms_context *ctx, const ms_result_table *s, const char *path) {
  return ms_result_table_write_shown(ctx, s, NULL, path);
}

ms_status ms_result_table_write_shown(ms_context *ctx, const ms_result_table *s,
                                      const ms_display *display, const char *path) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  write_rows(s, display, ms_outfile_stream(file));
  return ms_outfile_commit(&file);
}

/* A name for HDF5, where a slash parts groups: "balance / input" becomes "balance over input".
   Columns may be named by the user, ".", twice the same or too long: these get their number. */
static void name_dataset(const ms_result_table *s, int c, char *name, size_t size) {
  const char *from = s->column[c].name;
  size_t n = 0;
  int twice = strcmp(from, ".") == 0 || strcmp(from, "..") == 0 || !*from ||
              strlen(from) > DATASET / 2; /* a slash may become four letters */
  for (; *from && n + 12 < size; from++) {
    int apart = n > 0 && from[-1] == ' ' && from[1] == ' ';
    const char *word = *from != '/' ? NULL : apart ? "over" : "_";
    if (!word) {
      name[n++] = *from;
      continue;
    }
    n += (size_t)snprintf(name + n, size - n, "%s", word);
  }
  name[n] = '\0';
  for (int d = 0; d < c; d++) twice |= strcmp(s->column[d].name, s->column[c].name) == 0;
  if (twice) snprintf(name + n, size - n, "_%d", c + 1);
}

int ms_result_group_is_table(const char *analysis, const char *group) {
  static const char *const other[] = { "values", "answers", "figures" };
  if (strcmp(analysis, group) == 0) return 1; /* the name of a table begins with the analysis's */
  for (int i = 0; i < 3; i++)
    if (strcmp(group, other[i]) == 0) return 0;
  return 1;
}

static ms_status write_column(const ms_result_table *s, int column, ms_results *results) {
  char path[2 * NAME_LIMIT + 2 * DATASET], name[DATASET];
  const ms_result_cells *c = &s->column[column];
  name_dataset(s, column, name, sizeof name);
  snprintf(path, sizeof path, "analyses/%.*s/%.*s/%s", NAME_LIMIT - 1, s->result->name,
           NAME_LIMIT - 1, s->name, name);
  if (c->words) {
    MS_TRY(ms_results_write_texts(results, path, s->rows, (const char *const *)c->word));
  } else {
    MS_TRY(ms_results_write_vector(results, path, s->rows, c->number));
  }
  MS_TRY(ms_results_set_number(results, path, "place", column + 1));
  if (c->unit) MS_TRY(ms_results_set_text(results, path, "unit", c->unit));
  if (c->in_unit) MS_TRY(ms_results_set_number(results, path, "in_unit", c->in_unit));
  return *c->meaning ? ms_results_set_text(results, path, "description", c->meaning) : MS_SUCCESS;
}

ms_status ms_result_table_write_results(const ms_result_table *s, ms_results *results) {
  for (int c = 0; c < s->n; c++) MS_TRY(write_column(s, c, results));
  return MS_SUCCESS;
}

void ms_result_table_print_columns(const ms_result_table *s, const ms_display *display, FILE *out) {
  const shown w = find_shown(s, display);
  for (int c = 0; c < s->n; c++) {
    const ms_result_cells *k = &s->column[c];
    const ms_display_view view = look(&w, k);
    const char *cell[] = { s->name, k->name, view.unit, k->meaning };
    for (int i = 0; i < 4; i++) {
      if (i > 0) fputc(',', out);
      ms_csv_write_word(out, cell[i]);
    }
    fputc('\n', out);
  }
}

/* An entry of "mode,name=parameter,zeta?points": the key under which a column stands, and the
   column that must not be 0 or empty for it to be there at all, -1 for none. Returns whether the
   column is among them; NULL lists all. */
static int find_entry(const ms_result_table *s, const char *columns, const char *name,
                      char key[NAME_LIMIT], int *condition) {
  char column[NAME_LIMIT];
  *condition = -1;
  snprintf(key, NAME_LIMIT, "%s", name);
  for (const char *at = columns; at && *at;) {
    const int all = (int)strcspn(at, ","), n = (int)strcspn(at, "?,"), k = (int)strcspn(at, "=?,");
    const int from = k < n ? k + 1 : 0;
    snprintf(column, sizeof column, "%.*s", n - from, at + from);
    if (strcmp(column, name) == 0) {
      snprintf(key, NAME_LIMIT, "%.*s", k, at);
      snprintf(column, sizeof column, "%.*s", all - n, at + n);
      if (n < all) *condition = ms_result_table_find_column(s, column + 1);
      return 1;
    }
    at += all + (at[all] == ',');
  }
  return columns == NULL;
}

static int is_empty(const ms_result_cells *c, ptrdiff_t row) {
  return c->words ? !c->word[row][0] : c->number[row] == 0.0;
}

void ms_result_table_write_json(const ms_result_table *s, const char *name, const char *columns,
                                ms_json *json) {
  ms_json_begin_array(json, name);
  for (ptrdiff_t i = 0; i < s->rows; i++) {
    ms_json_begin_object(json, NULL);
    for (int k = 0; k < s->n; k++) {
      const ms_result_cells *c = &s->column[k];
      char key[NAME_LIMIT];
      int condition;
      if (!find_entry(s, columns, c->name, key, &condition)) continue;
      if (condition >= 0 && is_empty(&s->column[condition], i)) continue;
      if (c->words) {
        ms_json_add_text(json, key, c->word[i]);
      } else if (c->flag) {
        ms_json_add_bool(json, key, c->number[i] != 0.0);
      } else {
        ms_json_add_number(json, key, c->number[i]);
      }
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

ms_status ms_result_table_add_to_page(ms_context *ctx, const ms_result_table *s,
                                      const char *caption, ms_page *page) {
  ms_page_column *column;
  MS_TRY(ms_allocate(ctx, s->n, sizeof *column, &column));
  ms_page_table table = { .n_row = s->rows, .n_column = s->n, .column = column, .name = s->name };
  table.n_folded = s->n_folded;
  table.folded = s->n_folded > 0 ? s->folded : NULL;
  for (int c = 0; c < s->n; c++) {
    column[c].heading = s->column[c].name;
    column[c].unit = s->column[c].unit;
    column[c].flag = s->column[c].flag;
    column[c].named = s->column[c].named;
    column[c].in_unit = s->column[c].in_unit;
    column[c].meaning = s->column[c].meaning;
    if (s->column[c].words) {
      column[c].texts = (const char *const *)s->column[c].word;
    } else {
      column[c].numbers = s->column[c].number;
    }
  }
  ms_status status = ms_page_add_table(page, caption, &table);
  ms_free(ctx, &column);
  return status;
}
