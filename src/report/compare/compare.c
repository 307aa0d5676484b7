/* Comparing runs: each with the first, analysis by analysis. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/compare/compare.h"
#include "report/number.h"
#include "report/result/result.h"
#include "report/tolerance.h"

enum { PATH_SIZE = 1024 };

/* ---- names of runs ---- */

/* The last part of a path. */
static ms_status name_by_folder(ms_run *run) {
  size_t n = strlen(run->folder);
  while (n > 1 && run->folder[n - 1] == '/') n--;
  size_t from = n;
  while (from > 0 && run->folder[from - 1] != '/') from--;
  MS_TRY(ms_allocate(run->ctx, (ptrdiff_t)(n - from) + 1, 1, &run->name));
  memcpy(run->name, run->folder + from, n - from);
  return MS_SUCCESS;
}

static int is_named_twice(const ms_compare *c, int run) {
  for (int i = 0; i < c->n_run; i++)
    if (i != run && strcmp(c->run[i].name, c->run[run].name) == 0) return 1;
  return 0;
}

/* Folders of one name go by their paths, and the same path twice by number. */
static ms_status part_names(ms_compare *c) {
  for (int i = c->n_run - 1; i >= 0; i--) {
    ms_run *run = &c->run[i];
    if (!is_named_twice(c, i)) continue;
    ms_free(c->ctx, &run->name);
    MS_TRY(ms_text_copy(c->ctx, run->folder, &run->name));
  }
  for (int i = c->n_run - 1; i > 0; i--) {
    ms_run *run = &c->run[i];
    const ptrdiff_t size = (ptrdiff_t)strlen(run->name) + 16;
    char *name;
    if (!is_named_twice(c, i)) continue;
    MS_TRY(ms_allocate(c->ctx, size, 1, &name));
    snprintf(name, (size_t)size, "%s (%d)", run->name, i + 1);
    ms_free(c->ctx, &run->name);
    run->name = name;
  }
  return MS_SUCCESS;
}

/* ---- remarks and differences ---- */

ms_status ms_compare_remark(ms_compare *c, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  MS_TRY(ms_resize(c->ctx, c->n_remark + 1, sizeof *c->remark, &c->remark));
  MS_TRY(ms_text_copy(c->ctx, text, &c->remark[c->n_remark]));
  c->n_remark++;
  return MS_SUCCESS;
}

static int is_rounding(const ms_difference *d) {
  const double own = fmax(fabs(d->first), fabs(d->other));
  const double scale = d->share > 0.0 ? d->typical / d->share : own; /* of the column */
  const int plain = !d->unit[0] || strcmp(d->unit, "%") == 0 || strcmp(d->unit, "-") == 0;
  const double part = ms_report_tol.rounding;
  return d->difference != 0.0 &&
         (fabs(d->difference) <= part * scale || (plain && own <= part && scale <= part));
}

/* d, of an analysis and a table (NULL: none) of run k. */
static ms_status add_difference(ms_compare *c, int k, ms_difference_kind kind, const char *analysis,
                                const char *table, const ms_difference *d) {
  MS_TRY(ms_resize(c->ctx, c->n + 1, sizeof *c->difference, &c->difference));
  ms_difference *own = &c->difference[c->n++];
  *own = *d;
  own->kind = kind;
  own->run = k;
  own->rounding = is_rounding(d);
  snprintf(own->analysis, sizeof own->analysis, "%s", analysis);
  snprintf(own->table, sizeof own->table, "%s", table ? table : "");
  return MS_SUCCESS;
}

/* ---- key numbers and values ---- */

static void name_difference(ms_difference *d, const char *name, const char *unit) {
  snprintf(d->name, sizeof d->name, "%s", name);
  snprintf(d->unit, sizeof d->unit, "%s", unit ? unit : "");
}

/* Of a label as long as it says what the number is: without the amplitude that it was read at, and
   without the largest number behind a median. */
static size_t length_of(const char *label) {
  const char *at = strstr(label, ", |q| = ");
  if (!at) at = strstr(label, "; largest ");
  return at ? (size_t)(at - label) : strlen(label);
}

static ptrdiff_t find_label(const ms_run_column *c, ptrdiff_t n, const char *label) {
  const size_t length = length_of(label);
  for (ptrdiff_t i = 0; i < n; i++)
    if (length_of(c->word[i]) == length && strncmp(c->word[i], label, length) == 0) return i;
  return -1;
}

/* Columns of the answers of a run. */
typedef struct answers {
  const ms_run_column *label, *symbol, *unit, *value, *mode, *omega;
} answers;

static int find_answers(const ms_run_table *t, answers *a) {
  static const char *const name[] = { "label", "symbol", "unit", "value", "mode", "omega" };
  const ms_run_column **const column[] = { &a->label, &a->symbol, &a->unit,
                                           &a->value, &a->mode,   &a->omega };
  for (int i = 0; i < 6; i++) {
    const int at = ms_run_find_column(t, name[i]);
    if (at < 0 || (i < 3 ? !t->column[at].word : !t->column[at].number)) return 0;
    *column[i] = &t->column[at];
  }
  return 1;
}

/* One of them as its run shows it, or as it is. */
static ms_answer get_answer(const ms_run *run, const answers *a, ptrdiff_t i, int shown,
                            ms_display_view *view) {
  const ms_answer own = { .label = a->label->word[i],
                          .symbol = a->symbol->word[i],
                          .unit = a->unit->word[i][0] ? a->unit->word[i] : NULL,
                          .value = a->value->number[i],
                          .mode = (int)a->mode->number[i],
                          .omega = a->omega->number[i] };
  ms_answer out =
      ms_answer_show(shown ? run->display : NULL, ms_answer_find_quantity(&own), &own, view);
  if (view->inverse) out.unit = "Q";
  return out;
}

static ms_status compare_answers(ms_compare *c, int k, const char *analysis,
                                 const ms_run_table t[2]) {
  answers own, other;
  if (!find_answers(&t[0], &own) || !find_answers(&t[1], &other)) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < t[0].rows; i++) {
    ms_difference d = { 0 };
    const char *label = own.label->word[i];
    const ptrdiff_t row = find_label(other.label, t[1].rows, label);
    if (row < 0) continue;
    ms_display_view view[2];
    ms_answer a = get_answer(&c->run[0], &own, i, 1, &view[0]),
              b = get_answer(&c->run[k], &other, row, 1, &view[1]);
    if (strcmp(a.unit ? a.unit : "", b.unit ? b.unit : "") != 0) { /* Q of one alone */
      a = get_answer(&c->run[0], &own, i, 0, &view[0]);
      b = get_answer(&c->run[k], &other, row, 0, &view[1]);
    }
    name_difference(&d, label, a.unit);
    if (length_of(label) < sizeof d.name) d.name[length_of(label)] = '\0';
    ms_difference_set(a.value, b.value, &d);
    MS_TRY(add_difference(c, k, MS_DIFFERENCE_ANSWER, analysis, NULL, &d));
  }
  return MS_SUCCESS;
}

/* Each value is a column of one row. */
static ms_status compare_values(ms_compare *c, int k, const char *analysis,
                                const ms_run_table t[2]) {
  for (int i = 0; i < t[0].n && t[0].rows == 1 && t[1].rows == 1; i++) {
    const ms_run_column *own = &t[0].column[i];
    const int at = ms_run_find_column(&t[1], own->name);
    ms_difference d = { 0 };
    if (at < 0 || !own->number || !t[1].column[at].number) continue;
    if (isnan(own->number[0]) || isnan(t[1].column[at].number[0])) continue; /* Q of no damping */
    name_difference(&d, own->name, own->unit);
    ms_difference_set(own->number[0], t[1].column[at].number[0], &d);
    MS_TRY(add_difference(c, k, MS_DIFFERENCE_VALUE, analysis, NULL, &d));
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

static ms_status compare_tables(ms_compare *c, int k, const char *analysis, const char *table,
                                const ms_run_table t[2]) {
  ms_matched m;
  ms_status status = ms_match_tables(c->ctx, &t[0], &t[1], &m);
  for (ptrdiff_t i = 0; i < m.n && status == MS_SUCCESS; i++)
    status = add_difference(c, k, MS_DIFFERENCE_COLUMN, analysis, table, &m.difference[i]);
  ms_free(c->ctx, &m.difference);
  const char *name[2] = { c->run[0].name, c->run[k].name };
  const ptrdiff_t only[2] = { m.only_first, m.only_other };
  for (int i = 0; i < 2 && status == MS_SUCCESS; i++) {
    if (only[i] == 0) continue;
    status = ms_compare_remark(c, "%s: %td of %td rows of %s have no counterpart in %s.", table,
                               only[i], t[i].rows, name[i], name[!i]);
  }
  if (status != MS_SUCCESS || m.outside_first + m.outside_other == 0) return status;
  return ms_compare_remark(
      c,
      "%s: curves are compared over the range that both have; %td of %td points "
      "of %s and %td of %td of %s lie outside.",
      table, m.outside_first, t[0].rows, name[0], m.outside_other, t[1].rows, name[1]);
}

/* What both have under a group of analyses/NAME. */
static ms_status compare_group(ms_compare *c, int k, const char *analysis, const char *group) {
  const ms_run *run[2] = { &c->run[0], &c->run[k] };
  ms_run_table t[2] = { { 0 }, { 0 } };
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "analyses/%s/%s", analysis, group);
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < 2 && status == MS_SUCCESS; i++) {
    status = ms_run_read_table(run[i], path, &t[i]);
    if (status == MS_SUCCESS && strcmp(group, "answers") != 0)
      status = ms_run_show_table(run[i], &t[i]);
  }
  if (status == MS_SUCCESS) {
    status = strcmp(group, "answers") == 0  ? compare_answers(c, k, analysis, t)
             : strcmp(group, "values") == 0 ? compare_values(c, k, analysis, t)
                                            : compare_tables(c, k, analysis, group, t);
  }
  for (int i = 0; i < 2; i++) ms_run_free_table(c->ctx, &t[i]);
  return status;
}

static ms_status compare_analysis(ms_compare *c, int k, const char *analysis) {
  ms_names own, other = { 0 };
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "analyses/%s", analysis);
  MS_TRY(ms_run_list(&c->run[0], path, &own));
  ms_status status = ms_run_list(&c->run[k], path, &other);
  if (status == MS_SUCCESS) status = compare_group(c, k, analysis, "answers");
  if (status == MS_SUCCESS) status = compare_group(c, k, analysis, "values");
  for (ptrdiff_t i = 0; i < own.n && status == MS_SUCCESS; i++) {
    if (!ms_result_group_is_table(analysis, own.name[i])) continue;
    status = ms_names_find(&other, own.name[i]) >= 0
                 ? compare_group(c, k, analysis, own.name[i])
                 : ms_compare_remark(c, "Table %s is only in %s.", own.name[i], c->run[0].name);
  }
  for (ptrdiff_t i = 0; i < other.n && status == MS_SUCCESS; i++) {
    if (!ms_result_group_is_table(analysis, other.name[i]) ||
        ms_names_find(&own, other.name[i]) >= 0)
      continue;
    status = ms_compare_remark(c, "Table %s is only in %s.", other.name[i], c->run[k].name);
  }
  ms_names_free(c->ctx, &own);
  ms_names_free(c->ctx, &other);
  return status;
}

static ms_status compare_run(ms_compare *c, int k) {
  const ms_names *own = &c->run[0].analysis, *other = &c->run[k].analysis;
  const ptrdiff_t before = c->n;
  for (ptrdiff_t i = 0; i < own->n; i++) {
    if (ms_names_find(other, own->name[i]) >= 0)
      MS_TRY(compare_analysis(c, k, own->name[i]));
    else
      MS_TRY(ms_compare_remark(c, "Analysis %s is only in %s.", own->name[i], c->run[0].name));
  }
  for (ptrdiff_t i = 0; i < other->n; i++) {
    if (ms_names_find(own, other->name[i]) >= 0) continue;
    MS_TRY(ms_compare_remark(c, "Analysis %s is only in %s.", other->name[i], c->run[k].name));
  }
  if (c->n > before) return MS_SUCCESS;
  return ms_fail(c->ctx, MS_ERR_ARGUMENT,
                 "%s and %s have nothing in common: no table or value of an analysis of one name",
                 c->run[0].folder, c->run[k].folder);
}

/* ---- order ---- */

/* Numbers about the work, not about the structure. */
static int is_about_work(const ms_difference *d) {
  static const char *const word[] = { "residual", "iterations", "evaluations", "solves",
                                      "balance" };
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (strstr(d->name, word[i])) return 1;
  return 0;
}

static double weight_of(const ms_difference *d) {
  return d->share + (/* 2 at most */
                     d->kind == MS_DIFFERENCE_ANSWER ? 10.0
                     : is_about_work(d)              ? -10.0
                                                     : 0.0);
}

static ms_status sort_differences(ms_compare *c) {
  MS_TRY(ms_allocate(c->ctx, c->n, sizeof *c->largest, &c->largest));
  for (ptrdiff_t i = 0; i < c->n; i++) c->largest[i] = i;
  for (ptrdiff_t i = 1; i < c->n; i++) { /* a few hundred */
    const ptrdiff_t at = c->largest[i];
    ptrdiff_t k = i;
    for (; k > 0 && weight_of(&c->difference[c->largest[k - 1]]) < weight_of(&c->difference[at]);
         k--)
      c->largest[k] = c->largest[k - 1];
    c->largest[k] = at;
  }
  return MS_SUCCESS;
}

/* ---- life ---- */

/* The same choice for all; one that was not asked for is without a sensor that a run does not have.
 */
static ms_status choose_display(ms_compare *c, const char *asked) {
  ms_display *first = c->run[0].display;
  const ms_display_units units = ms_display_get_units(first);
  if (asked) MS_TRY(ms_display_choose(first, asked));
  for (int k = 1; k < c->n_run; k++) {
    ms_display_set_units(c->run[k].display, &units);
    ms_status status = ms_display_choose(c->run[k].display, ms_display_get_words(first));
    if (status != MS_SUCCESS && asked) {
      char text[400];
      snprintf(text, sizeof text, "%s", ms_context_message(c->ctx));
      return ms_fail(c->ctx, status, "%s: %s", c->run[k].folder, text);
    }
    if (status != MS_SUCCESS) {
      ms_context_clear_message(c->ctx);
      for (int i = 0; i <= k; i++) MS_TRY(ms_display_choose(c->run[i].display, "hz,percent,modal"));
    }
  }
  return MS_SUCCESS;
}

static ms_status open_runs(ms_compare *c, int n, const char *const *folder, const char *const *name,
                           const char *display) {
  MS_TRY(ms_allocate(c->ctx, n, sizeof *c->run, &c->run));
  for (int i = 0; i < n; i++) {
    ms_run *run = &c->run[c->n_run++];
    MS_TRY(ms_run_open(c->ctx, folder[i], run));
    MS_TRY(name && name[i] ? ms_text_copy(c->ctx, name[i], &run->name) : name_by_folder(run));
  }
  MS_TRY(part_names(c));
  MS_TRY(choose_display(c, display));
  for (int k = 1; k < n; k++) MS_TRY(compare_run(c, k));
  return sort_differences(c);
}

ms_status ms_compare_open(ms_context *ctx, int n, const char *const *folder,
                          const char *const *name, const char *display, ms_compare **out) {
  MS_MAKE(ctx, out, folder);
  ms_compare *c;
  if (n < 2) return ms_fail(ctx, MS_ERR_ARGUMENT, "a comparison needs two runs or more, not %d", n);
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  c->ctx = ctx;
  ms_status status = open_runs(c, n, folder, name, display);
  if (status != MS_SUCCESS) ms_compare_close(&c);
  *out = c;
  return status;
}

void ms_compare_close(ms_compare **compare) {
  if (!compare || !*compare) return;
  ms_compare *c = *compare;
  for (int i = 0; i < c->n_run; i++) ms_run_close(&c->run[i]);
  for (ptrdiff_t i = 0; i < c->n_remark; i++) ms_free(c->ctx, &c->remark[i]);
  ms_free(c->ctx, &c->run);
  ms_free(c->ctx, &c->remark);
  ms_free(c->ctx, &c->difference);
  ms_free(c->ctx, &c->largest);
  ms_free(c->ctx, compare);
}

int ms_compare_count_runs(const ms_compare *c) {
  return c->n_run;
}

const char *ms_compare_get_run(const ms_compare *c, int run) {
  return run >= 0 && run < c->n_run ? c->run[run].name : NULL;
}

const char *ms_compare_get_display(const ms_compare *c) {
  return ms_display_get_words(c->run[0].display);
}

ptrdiff_t ms_compare_count(const ms_compare *c) {
  return c->n;
}

const ms_difference *ms_compare_get(const ms_compare *c, ptrdiff_t index) {
  return index >= 0 && index < c->n ? &c->difference[index] : NULL;
}

const ms_difference *ms_compare_get_largest(const ms_compare *c, ptrdiff_t index) {
  return index >= 0 && index < c->n ? &c->difference[c->largest[index]] : NULL;
}

ptrdiff_t ms_compare_count_remarks(const ms_compare *c) {
  return c->n_remark;
}

const char *ms_compare_get_remark(const ms_compare *c, ptrdiff_t index) {
  return index >= 0 && index < c->n_remark ? c->remark[index] : NULL;
}
