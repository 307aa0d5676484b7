/* Views of a result: summary.json, results.h5, the list of columns, and the report. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/page.h"
#include "report/result/result.h"

static void write_value(const ms_value *v, ms_json *json) {
  switch (v->kind) {
  case MS_VALUE_NUMBER:
    ms_json_add_number(json, v->name, v->number);
    break;
  case MS_VALUE_INTEGER:
    ms_json_add_integer(json, v->name, v->integer);
    break;
  case MS_VALUE_FLAG:
    ms_json_add_bool(json, v->name, (int)v->integer);
    break;
  case MS_VALUE_TEXT:
  case MS_VALUE_REMARKS:
    ms_json_add_text(json, v->name, v->text);
    break;
  case MS_VALUE_NUMBERS:
    ms_json_add_numbers(json, v->name, v->numbers, v->n);
    break;
  case MS_VALUE_NONE:
    ms_json_add_null(json, v->name);
    break;
  case MS_VALUE_GROUP:
    ms_json_begin_object(json, v->name);
    break;
  case MS_VALUE_LIST:
    ms_json_begin_array(json, v->name);
    break;
  case MS_VALUE_END:
    ms_json_end(json);
    break;
  case MS_VALUE_ROWS:
    ms_result_table_write_json(v->table, v->name, v->text, json);
    break;
  }
}

void ms_result_write_json(const ms_result *r, ms_json *json) {
  ms_json_add_text(json, "name", r->name);
  ms_json_add_text(json, "kind", r->kind);
  ms_result_write_remarks_json(r, json);
  ms_result_write_answers_json(r, json);
  for (ptrdiff_t i = 0; i < r->n_value; i++) write_value(&r->value[i], json);
}

/* The next value outside of groups and lists from *at on; NULL at the end. */
static const ms_value *next_value(const ms_result *r, ptrdiff_t *at) {
  for (int depth = 0; *at < r->n_value;) {
    const ms_value *v = &r->value[(*at)++];
    const int opens = v->kind == MS_VALUE_GROUP || v->kind == MS_VALUE_LIST;
    if (depth == 0 && !opens && v->kind != MS_VALUE_ROWS) return v;
    depth += opens - (v->kind == MS_VALUE_END);
  }
  return NULL;
}

static const char *meaning_of(const ms_result *r, const ms_value *v) {
  return ms_column_meaning(r->kind, NULL, v->name);
}

/* ---- to read them again ---- */

static int is_single(const ms_value *v) {
  return v->kind <= MS_VALUE_TEXT;
}

ptrdiff_t ms_result_count_values(const ms_result *r) {
  const ms_value *v;
  ptrdiff_t n = 0;
  for (ptrdiff_t at = 0; (v = next_value(r, &at));) n += is_single(v);
  return n;
}

int ms_result_get_value(const ms_result *r, ptrdiff_t index, ms_result_value *out) {
  const ms_value *v;
  ptrdiff_t n = 0;
  for (ptrdiff_t at = 0; (v = next_value(r, &at));) {
    if (!is_single(v) || n++ != index) continue;
    *out =
        (ms_result_value) { .name = v->name,
                            .unit = v->unit,
                            .meaning = meaning_of(r, v),
                            .kind = v->kind == MS_VALUE_TEXT   ? MS_RESULT_TEXT
                                    : v->kind == MS_VALUE_FLAG ? MS_RESULT_FLAG
                                                               : MS_RESULT_NUMBER,
                            .number = v->kind == MS_VALUE_NUMBER ? v->number : (double)v->integer,
                            .text = v->text };
    return 1;
  }
  return 0;
}

int ms_result_find_value(const ms_result *r, const char *name, ms_result_value *out) {
  for (ptrdiff_t i = 0; ms_result_get_value(r, i, out); i++) {
    if (strcmp(out->name, name) == 0) return 1;
  }
  return 0;
}

/* ---- files ---- */

ms_status ms_result_write_results(const ms_result *r, ms_results *results) {
  const ms_value *v;
  char path[512];
  if (r->n_table == 0) return MS_SUCCESS;
  for (int i = 0; i < r->n_table; i++) {
    MS_TRY(ms_result_table_write_results(r->table[i], results));
  }
  for (ptrdiff_t at = 0; (v = next_value(r, &at));) {
    if (v->kind > MS_VALUE_INTEGER) continue;
    const char *meaning = meaning_of(r, v);
    const double number = v->kind == MS_VALUE_INTEGER ? (double)v->integer : v->number;
    snprintf(path, sizeof path, "analyses/%.127s/values/%.127s", r->name, v->name);
    MS_TRY(ms_results_write_vector(results, path, 1, &number));
    if (v->unit) MS_TRY(ms_results_set_text(results, path, "unit", v->unit));
    if (*meaning) MS_TRY(ms_results_set_text(results, path, "description", meaning));
  }
  MS_TRY(ms_result_write_answers(r, results));
  snprintf(path, sizeof path, "analyses/%.127s/figures", r->name);
  MS_TRY(ms_page_write_results(r->page, results, path));
  const char *status = ms_outcome_text(ms_result_get_outcome(r)), *reason = ms_result_get_reason(r);
  ptrdiff_t place;
  snprintf(path, sizeof path, "analyses/%.127s", r->name);
  MS_TRY(ms_results_set_text(results, path, "status", status));
  MS_TRY(ms_results_get_count(results, "analyses", &place));
  MS_TRY(ms_results_set_number(results, path, "place", (double)place));
  return reason ? ms_results_set_text(results, path, "reason", reason) : MS_SUCCESS;
}

void ms_result_print_columns(const ms_result *r, const ms_display *display, FILE *out) {
  const ms_value *v;
  for (int i = 0; i < r->n_table; i++) ms_result_table_print_columns(r->table[i], display, out);
  for (ptrdiff_t at = 0; (v = next_value(r, &at));) {
    ms_csv_write_word(out, r->name);
    fprintf(out, " in summary.json,%s,%s,", v->name, v->unit ? v->unit : "");
    ms_csv_write_word(out, meaning_of(r, v));
    fputc('\n', out);
  }
}

/* ---- report ---- */

/* Whether a number is one of the answers, which stand above the list. */
static int is_answer(const ms_result *r, double number, const char *unit) {
  for (const ms_answer *a = r->answer; a < r->answer + r->n_answer; a++) {
    if (a->value == number && strcmp(a->unit ? a->unit : "", unit ? unit : "") == 0) return 1;
  }
  return 0;
}

/* The values as a list: what each is, and how much. */
static ms_status list_values(const ms_result *r, ms_page *page) {
  const ms_value *v;
  for (ptrdiff_t at = 0; (v = next_value(r, &at));) {
    const char *meaning = meaning_of(r, v), *label = *meaning ? meaning : v->name;
    const double number = v->kind == MS_VALUE_INTEGER ? (double)v->integer : v->number;
    const ms_answer value = { .label = label, .symbol = v->name, .unit = v->unit, .value = number };
    if (v->kind == MS_VALUE_NUMBER && is_answer(r, number, v->unit)) continue;
    if (v->kind <= MS_VALUE_INTEGER) {
      MS_TRY(ms_page_add_number(page, &value, v->kind == MS_VALUE_INTEGER ? 15 : 0));
    } else if (v->kind == MS_VALUE_FLAG) {
      MS_TRY(ms_page_add_fact(page, label, "%s", v->integer ? "yes" : "no"));
    } else if (v->kind == MS_VALUE_TEXT && v->text && *v->text) {
      MS_TRY(ms_page_add_fact(page, label, "%s", v->text));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_result_write_page(ms_result *r, ms_page *page) {
  MS_TRY(ms_result_write_remarks_page(r, page));
  for (int i = 0; i < r->n_answer; i++) MS_TRY(ms_page_add_answer(page, &r->answer[i]));
  MS_TRY(list_values(r, page));
  return r->page ? ms_page_take(page, r->page) : MS_SUCCESS;
}
