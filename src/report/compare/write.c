/* The views of a comparison: a page, and tables as CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/compare/compare.h"

enum { SHOWN = 12 }; /* of the largest differences */

/* ---- tables ---- */

static ms_status open_table(ms_result *r, ms_difference_kind kind, ms_result_table **out) {
  static const char *const single =
      "run:word,analysis:word,name:word,unit:word,first,other,difference,relative";
  static const char *const column =
      "run:word,table:word,column:word,unit:word,first,other,difference,where:word,relative,"
      "where_relative:word,rms,pairs,matched:word";
  static const char *const ending[] = { "answers", "values", "differences" };
  return ms_result_add_table(r, ending[kind], kind == MS_DIFFERENCE_COLUMN ? column : single, out);
}

static ms_status add_row(const ms_compare *c, ms_result_table *t, const ms_difference *d) {
  const char *run = c->run[d->run].name;
  if (d->kind == MS_DIFFERENCE_COLUMN) {
    return ms_result_table_add_row(c->ctx, t, run, d->table, d->name, d->unit, d->first, d->other,
                                   d->difference, d->where, d->relative, d->where_relative,
                                   d->typical, (double)d->pairs, d->how);
  }
  return ms_result_table_add_row(c->ctx, t, run, d->analysis, d->name, d->unit, d->first, d->other,
                                 d->difference, d->relative);
}

/* What stands in one cell: a number with its unit. */
typedef char cell[64];

static void print_number(double value, const char *unit, cell text) {
  snprintf(text, sizeof(cell), "%.6g%s%.40s", value, *unit ? " " : "", unit);
}

static void print_percent(double relative, cell text) {
  snprintf(text, sizeof(cell), relative == 0.0 ? "0" : "%+.3g %%", 100.0 * relative);
}

enum { MOST_COLUMNS = 8 };

/* The page's table of n differences: what, where, first, other, difference, relative. */
static ms_status show(const ms_compare *c, ms_page *page, const char *caption, ptrdiff_t n,
                      const ms_difference *const *d) {
  const int several = c->n_run > 2;
  const char **text;
  cell *number;
  ptrdiff_t at = 0;
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(c->ctx, MOST_COLUMNS * n, sizeof *text, &text));
  ms_status status = ms_allocate(c->ctx, 4 * n, sizeof *number, &number);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    cell *own = number + 4 * i;
    print_number(d[i]->first, d[i]->unit, own[0]);
    print_number(d[i]->other, d[i]->unit, own[1]);
    print_number(d[i]->difference, d[i]->unit, own[2]);
    print_percent(d[i]->relative, own[3]);
    if (d[i]->rounding) {
      snprintf(own[2], sizeof own[2], "rounding");
      snprintf(own[3], sizeof own[3], "\u2013");
    }
    const char *cells[MOST_COLUMNS] = { *d[i]->table ? d[i]->table : d[i]->analysis,
                                        d[i]->name,
                                        d[i]->where,
                                        own[0],
                                        own[1],
                                        own[2],
                                        own[3],
                                        c->run[d[i]->run].name };
    for (int k = 0; k < MOST_COLUMNS; k++) text[k * n + i] = cells[k];
  }
  char other[96];
  snprintf(other, sizeof other, "%.80s", several ? "other run" : c->run[1].name);
  const char *heading[MOST_COLUMNS] = { "table or analysis", "number",      "at",
                                        c->run[0].name,      other,         "difference",
                                        "relative",          "other run is" };
  ms_page_column column[MOST_COLUMNS];
  int any_place = 0;
  for (ptrdiff_t i = 0; i < n; i++) any_place |= d[i]->where[0] != '\0';
  for (int k = 0; k < MOST_COLUMNS && status == MS_SUCCESS; k++) {
    if ((k == 2 && !any_place) || (k == 7 && !several)) continue;
    column[at++] = (ms_page_column) { .heading = heading[k], .texts = text + k * n };
  }
  const ms_page_table table = { .n_row = n, .n_column = at, .column = column };
  if (status == MS_SUCCESS) status = ms_page_add_table(page, caption, &table);
  ms_free(c->ctx, &number);
  ms_free(c->ctx, &text);
  return status;
}

/* Those of a kind and an analysis (NULL: all), in the order of the study. */
static ms_status show_kind(const ms_compare *c, ms_page *page, const char *caption,
                           ms_difference_kind kind, const char *analysis) {
  const ms_difference **some;
  ptrdiff_t n = 0;
  MS_TRY(ms_allocate(c->ctx, c->n, sizeof *some, &some));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_difference *d = &c->difference[i];
    if (d->kind == kind && (!analysis || strcmp(d->analysis, analysis) == 0)) some[n++] = d;
  }
  ms_status status = show(c, page, caption, n, some);
  ms_free(c->ctx, &some);
  return status;
}

static ms_status show_largest(const ms_compare *c, ms_page *page) {
  const ms_difference *some[SHOWN];
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < c->n && n < SHOWN; i++) {
    const ms_difference *d = ms_compare_get_largest(c, i);
    if (d->kind != MS_DIFFERENCE_ANSWER && d->difference != 0.0 && !d->rounding) some[n++] = d;
  }
  if (n > 0) {
    return show(c, page,
                "What differs most: root mean square difference over the largest value of the "
                "column. Shown is the "
                "row where the difference is largest.",
                n, some);
  }
  return ms_page_add_text(page, "No number that both have differs by more than rounding.");
}

/* ---- the page ---- */

static ms_status tell_run(const ms_run *run, ms_page *page) {
  MS_TRY(ms_page_add_fact(page, run->name, "%s: %s, %s, microslip %s", run->folder, run->title,
                          run->status, run->version));
  for (ptrdiff_t i = 0; i < run->set.n; i++)
    MS_TRY(ms_page_add_fact(page, "with", "--set %s", run->set.name[i]));
  return MS_SUCCESS;
}

static ms_status tell_study(const ms_compare *c, int k, ms_page *page) {
  char *lines, text[256];
  if (!c->run[0].text || !c->run[k].text) return MS_SUCCESS;
  MS_TRY(ms_lines_compare(c->ctx, c->run[0].text, c->run[k].text, &lines));
  snprintf(text, sizeof text, "The study files of %.80s and %.80s %s", c->run[0].name,
           c->run[k].name, *lines ? "differ (- first, + other):" : "are the same.");
  ms_status status = ms_page_add_text(page, text);
  if (status == MS_SUCCESS && *lines) status = ms_page_add_code(page, lines);
  ms_free(c->ctx, &lines);
  return status;
}

/* The differences of key numbers for the head of the page, the largest first. */
static ms_status raise_answers(const ms_compare *c, ms_page *page) {
  int weight = 1000;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_difference *d = ms_compare_get_largest(c, i);
    char label[400];
    if (d->kind != MS_DIFFERENCE_ANSWER) break;
    snprintf(label, sizeof label, "%s: %.80s less %.80s", d->name, c->run[d->run].name,
             c->run[0].name);
    MS_TRY(ms_page_add_answer(page, &(ms_answer) { .label = label,
                                                   .unit = *d->unit ? d->unit : NULL,
                                                   .value = d->difference,
                                                   .weight = weight-- }));
  }
  return MS_SUCCESS;
}

/* Of its figure for the head of the page: the more an analysis differs, the more. */
static int weight_of(const ms_compare *c, const char *analysis) {
  double most = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_difference *d = &c->difference[i];
    if (d->kind == MS_DIFFERENCE_COLUMN && strcmp(d->analysis, analysis) == 0)
      most = fmax(most, d->share);
  }
  return 1 + (int)(1000.0 * most);
}

static ms_status fill_page(ms_compare *c, ms_page *page) {
  const ms_names *analysis = &c->run[0].analysis;
  MS_TRY(ms_page_add_section(page, "What differs"));
  MS_TRY(raise_answers(c, page));
  MS_TRY(show_kind(c, page, "Key numbers", MS_DIFFERENCE_ANSWER, NULL));
  MS_TRY(show_largest(c, page));
  if (c->n_remark > 0) MS_TRY(ms_page_add_heading(page, "What is not compared"));
  for (ptrdiff_t i = 0; i < c->n_remark; i++) MS_TRY(ms_page_add_text(page, c->remark[i]));
  for (ptrdiff_t i = 0; i < analysis->n; i++) {
    const char *name = analysis->name[i];
    int found = 0;
    for (int k = 1; k < c->n_run; k++) found |= ms_names_find(&c->run[k].analysis, name) >= 0;
    if (!found) continue;
    MS_TRY(ms_page_add_section(page, name));
    MS_TRY(ms_compare_overlay(c, name, weight_of(c, name), page));
    MS_TRY(show_kind(c, page, "Values", MS_DIFFERENCE_VALUE, name));
    MS_TRY(show_kind(c, page, "Columns of tables, each where it differs most", MS_DIFFERENCE_COLUMN,
                     name));
  }
  MS_TRY(ms_page_add_section(page, "Runs"));
  for (int k = 0; k < c->n_run; k++) MS_TRY(tell_run(&c->run[k], page));
  for (int k = 1; k < c->n_run; k++) MS_TRY(tell_study(c, k, page));
  MS_TRY(ms_page_add_fact(page, "units", "--display %s", ms_compare_get_display(c)));
  return ms_page_add_text(
      page,
      "Rows of tables are matched by the words and counts with which they begin, such as mode and "
      "method. Curves over an amplitude or another x that is not the same in both are interpolated "
      "over the range that both have, in log x for amplitudes. Relative differences are relative "
      "to "
      "the first run. differences.csv says for each column how its rows were "
      "matched.");
}

/* ---- files ---- */

static ms_status write_table(ms_compare *c, ms_difference_kind kind, const char *folder) {
  ms_result *r;
  ms_result_table *t;
  char *path = NULL, file[64];
  MS_TRY(ms_result_create(c->ctx, "", "compare", &r));
  ms_status status = open_table(r, kind, &t);
  for (ptrdiff_t i = 0; i < c->n && status == MS_SUCCESS; i++)
    if (c->difference[i].kind == kind) status = add_row(c, t, &c->difference[i]);
  if (status == MS_SUCCESS) {
    snprintf(file, sizeof file, "%s.csv", ms_result_table_name(t));
    status = ms_folder_path(c->ctx, folder, file, &path);
  }
  if (status == MS_SUCCESS) status = ms_result_table_write_csv(c->ctx, t, path);
  ms_free(c->ctx, &path);
  ms_result_destroy(&r);
  return status;
}

static ms_status write_page(const ms_compare *c, const ms_page *page, const char *folder) {
  char *path;
  MS_TRY(ms_folder_path(c->ctx, folder, "compare.html", &path));
  ms_status status = ms_page_write(page, path);
  ms_free(c->ctx, &path);
  return status;
}

static ms_status write_figures(const ms_compare *c, const ms_page *page, const char *folder,
                               const ms_figure_format *format) {
  char *path;
  MS_TRY(ms_folder_path(c->ctx, folder, "figures", &path));
  ms_status status = ms_page_write_figures(page, path, format);
  ms_free(c->ctx, &path);
  return status;
}

ms_status ms_compare_write(ms_compare *c, const char *folder, const ms_figure_format *format) {
  ms_page *page;
  char title[256];
  int at = 0;
  MS_NEED(c->ctx, folder);
  for (int k = 0; k < c->n_run && at < (int)sizeof title; k++) {
    at += snprintf(title + at, sizeof title - (size_t)at, "%s%.80s",
                   k == 0              ? ""
                   : k == c->n_run - 1 ? " and "
                                       : ", ",
                   c->run[k].name);
  }
  MS_TRY(ms_page_create(c->ctx, title, "comparison of microslip runs", &page));
  ms_status status = fill_page(c, page);
  if (status == MS_SUCCESS) status = ms_folder_prepare(c->ctx, folder);
  for (int kind = MS_DIFFERENCE_ANSWER; kind <= MS_DIFFERENCE_COLUMN && status == MS_SUCCESS;
       kind++)
    status = write_table(c, (ms_difference_kind)kind, folder);
  if (status == MS_SUCCESS) status = write_page(c, page, folder);
  if (status == MS_SUCCESS && format) status = write_figures(c, page, folder, format);
  ms_page_destroy(&page);
  return status;
}
