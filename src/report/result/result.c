/* Results of analyses: life, values, texts and figures. */
#include "report/result/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* Of a curve in a report: four for each of 1500 columns of pixels, more than a figure has. The
   tables have all of them. */
enum { PAGE_POINTS = 6000, TEXT_SIZE = 2048 };

/* ---- life ---- */

ms_status ms_result_create(ms_context *ctx, const char *name, const char *kind, ms_result **out) {
  MS_MAKE(ctx, out, name && kind);
  ms_result *r;
  MS_TRY(ms_allocate(ctx, 1, sizeof *r, &r));
  *r = (ms_result) { .ctx = ctx, .name = name, .kind = kind };
  *out = r;
  return MS_SUCCESS;
}

static void free_values(ms_result *r) {
  for (ptrdiff_t i = 0; i < r->n_value; i++) {
    ms_value *v = &r->value[i];
    ms_free(r->ctx, &v->name);
    ms_free(r->ctx, &v->unit);
    ms_free(r->ctx, &v->text);
    ms_free(r->ctx, &v->numbers);
  }
  ms_free(r->ctx, &r->value);
  r->n_value = 0;
  r->depth = 0;
}

void ms_result_clear(ms_result *r) {
  if (!r) return;
  free_values(r);
  ms_result_clear_answers(r);
  for (int i = 0; i < r->n_table; i++) ms_result_table_destroy(r->ctx, &r->table[i]);
  ms_free(r->ctx, &r->table);
  r->n_table = 0;
  ms_result_drop_page(r);
  r->status = MS_SUCCESS;
}

void ms_result_destroy(ms_result **result) {
  if (!result || !*result) return;
  ms_result_clear(*result);
  ms_result_clear_remarks(*result);
  ms_free((*result)->ctx, result);
}

/* ---- failures ---- */

static void keep_failure(ms_result *r, ms_status status, ms_status *first) {
  if (status == MS_SUCCESS || *first != MS_SUCCESS) return;
  *first = status;
  snprintf(r->message, sizeof r->message, "%s", ms_context_message(r->ctx));
}

void ms_result_fail(ms_result *r, ms_status status) {
  keep_failure(r, status, &r->status);
}

void ms_result_fail_page(ms_result *r, ms_status status) {
  keep_failure(r, status, &r->page_status);
}

static ms_status tell(const ms_result *r, ms_status status) {
  return status == MS_SUCCESS ? status : ms_fail(r->ctx, status, "%s", r->message);
}

ms_status ms_result_get_status(const ms_result *r) {
  return tell(r, r->status);
}

ms_status ms_result_get_page_status(const ms_result *r) {
  return tell(r, r->page_status);
}

/* ---- values ---- */

/* A new value, or NULL after a failure. */
static ms_value *add_value(ms_result *r, ms_value_kind kind, const char *name, const char *unit,
                           const char *text) {
  if (r->status != MS_SUCCESS) return NULL;
  ms_status status = ms_resize(r->ctx, r->n_value + 1, sizeof *r->value, &r->value);
  if (status == MS_SUCCESS) {
    ms_value *v = &r->value[r->n_value++];
    *v = (ms_value) { .kind = kind };
    status = ms_text_copy(r->ctx, name, &v->name);
    if (status == MS_SUCCESS) status = ms_text_copy(r->ctx, unit, &v->unit);
    if (status == MS_SUCCESS) status = ms_text_copy(r->ctx, text, &v->text);
    if (status == MS_SUCCESS) return v;
  }
  ms_result_fail(r, status);
  return NULL;
}

void ms_result_set_number(ms_result *r, const char *name, const char *unit, double value) {
  ms_value *v = add_value(r, MS_VALUE_NUMBER, name, unit, NULL);
  if (v) v->number = value;
}

void ms_result_set_integer(ms_result *r, const char *name, long long value) {
  ms_value *v = add_value(r, MS_VALUE_INTEGER, name, NULL, NULL);
  if (v) v->integer = value;
}

void ms_result_set_flag(ms_result *r, const char *name, int value) {
  ms_value *v = add_value(r, MS_VALUE_FLAG, name, NULL, NULL);
  if (v) v->integer = value != 0;
}

void ms_result_set_text(ms_result *r, const char *name, const char *text) {
  add_value(r, MS_VALUE_TEXT, name, NULL, text);
}

/* One of "mode:count", "residual [N]", "converged:flag", "method:word"; the text is cut into its
   parts. */
static void set_next(ms_result *r, char *text, va_list *args) {
  char *kind = strchr(text, ':'), *unit = strstr(text, " [");
  if (kind) *kind++ = '\0';
  if (unit) {
    unit[2 + strcspn(unit + 2, "]")] = '\0';
    *unit = '\0';
    unit += 2;
  }
  if (kind && strcmp(kind, "word") == 0) {
    ms_result_set_text(r, text, va_arg(*args, const char *));
    return;
  }
  const double value = va_arg(*args, double);
  if (!kind) {
    ms_result_set_number(r, text, unit, value);
  } else if (strcmp(kind, "flag") == 0) {
    ms_result_set_flag(r, text, value != 0.0);
  } else {
    ms_result_set_integer(r, text, (long long)value);
  }
}

void ms_result_set_values(ms_result *r, const char *names, ...) {
  char *text = NULL;
  va_list args;
  if (r->status != MS_SUCCESS) return;
  ms_result_fail(r, ms_text_copy(r->ctx, names, &text));
  va_start(args, names);
  for (char *next = text; next;) {
    char *at = next;
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    set_next(r, at, &args);
  }
  va_end(args);
  ms_free(r->ctx, &text);
}

void ms_result_set_none(ms_result *r, const char *name) {
  add_value(r, MS_VALUE_NONE, name, NULL, NULL);
}

void ms_result_set_numbers(ms_result *r, const char *name, const char *unit, const double *values,
                           ptrdiff_t n) {
  ms_value *v = add_value(r, MS_VALUE_NUMBERS, name, unit, NULL);
  if (!v) return;
  ms_status status = ms_allocate(r->ctx, n, sizeof *v->numbers, &v->numbers);
  ms_result_fail(r, status);
  if (status != MS_SUCCESS) return;
  v->n = n;
  if (n > 0) memcpy(v->numbers, values, (size_t)n * sizeof *values);
}

void ms_result_begin(ms_result *r, const char *name) {
  if (add_value(r, MS_VALUE_GROUP, name, NULL, NULL)) r->depth++;
}

void ms_result_begin_list(ms_result *r, const char *name) {
  if (add_value(r, MS_VALUE_LIST, name, NULL, NULL)) r->depth++;
}

void ms_result_end(ms_result *r) {
  if (add_value(r, MS_VALUE_END, NULL, NULL, NULL)) r->depth--;
}

void ms_result_list_rows(ms_result *r, const char *name, const ms_result_table *table,
                         const char *columns) {
  ms_value *v = add_value(r, MS_VALUE_ROWS, name, NULL, columns);
  if (v) v->table = table;
}

/* ---- texts and figures ---- */

ms_page *ms_result_get_page(ms_result *r) {
  if (r->page || r->page_status != MS_SUCCESS) return r->page;
  ms_status status = ms_page_create(r->ctx, r->name, NULL, &r->page);
  if (status == MS_SUCCESS) status = ms_page_set_points(r->page, PAGE_POINTS);
  ms_result_fail_page(r, status);
  return r->page;
}

void ms_result_drop_page(ms_result *r) {
  ms_page_destroy(&r->page);
  r->page_status = MS_SUCCESS;
}

MS_PRINTF(3, 0)
static void write_words(ms_result *r, int warning, const char *format, va_list args) {
  char text[TEXT_SIZE];
  vsnprintf(text, sizeof text, format, args);
  ms_page *page = ms_result_get_page(r);
  if (r->page_status != MS_SUCCESS) return;
  ms_result_fail_page(r, warning ? ms_page_add_warning(page, text) : ms_page_add_text(page, text));
}

void ms_result_say(ms_result *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_words(r, 0, format, args);
  va_end(args);
}

void ms_result_warn(ms_result *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_words(r, 1, format, args);
  va_end(args);
}

void ms_result_warn_lines(ms_result *r, const char *lines) {
  for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
    length = strcspn(lines, "\n");
    ms_result_warn(r, "%.*s", (int)length, lines);
  }
}

void ms_result_set_remarks(ms_result *r, const char *lines) {
  add_value(r, MS_VALUE_REMARKS, "remarks", NULL, lines);
  ms_result_warn_lines(r, lines);
}

void ms_result_show_code(ms_result *r, const char *text) {
  ms_page *page = ms_result_get_page(r);
  if (r->page_status == MS_SUCCESS) ms_result_fail_page(r, ms_page_add_code(page, text));
}

void ms_result_table_fold(ms_result_table *table, ptrdiff_t n, const char *what) {
  if (!table) return;
  table->n_folded = n < table->rows ? n : 0;
  snprintf(table->folded, sizeof table->folded, "%td %s%s", n, what, n == 1 ? "" : "s");
}

void ms_result_show_table(ms_result *r, const ms_result_table *table, const char *caption) {
  ms_page *page = ms_result_get_page(r);
  if (!table || table->rows == 0 || r->page_status != MS_SUCCESS) return;
  ms_result_fail_page(r, ms_result_table_add_to_page(r->ctx, table, caption, page));
}

/* A page is no place for thousands of rows. */
void ms_result_show_short_table(ms_result *r, const ms_result_table *table, const char *caption,
                                ptrdiff_t most) {
  if (!table || table->rows <= most) {
    ms_result_show_table(r, table, caption);
    return;
  }
  ms_result_say(r, "%s: the %td rows of tables/%.60s.csv.", caption, table->rows,
                ms_result_table_name(table));
}

void ms_result_take_figure(ms_result *r, const char *caption, ms_figure **figure) {
  ms_page *page = ms_result_get_page(r);
  if (*figure && r->page_status == MS_SUCCESS) {
    ms_result_fail_page(r, ms_page_add_figure(page, caption, *figure));
  }
  ms_figure_destroy(figure);
}

void ms_result_feature_figure(ms_result *r, int weight) {
  ms_page *page = ms_result_get_page(r);
  if (r->page_status == MS_SUCCESS) ms_result_fail_page(r, ms_page_feature(page, weight));
}
