/* A run as its results.h5 has it. Tables are read when they are compared, one at a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "report/compare/compare.h"
#include "report/internal.h"

enum { PATH_SIZE = 1024 };

/* ---- names ---- */

void ms_names_free(ms_context *ctx, ms_names *names) {
  for (ptrdiff_t i = 0; names->name && i < names->n; i++) ms_free(ctx, &names->name[i]);
  ms_free(ctx, &names->name);
  names->n = 0;
}

ptrdiff_t ms_names_find(const ms_names *names, const char *name) {
  for (ptrdiff_t i = 0; i < names->n; i++)
    if (strcmp(names->name[i], name) == 0) return i;
  return -1;
}

/* An attribute that need not be there. */
static ms_status get_text(const ms_run *run, const char *path, const char *name, char **out) {
  *out = NULL;
  ms_status status = ms_results_get_text(run->file, path, name, out);
  if (status != MS_ERR_NAME) return status;
  ms_context_clear_message(run->ctx);
  return MS_SUCCESS;
}

static ms_status get_number(const ms_run *run, const char *path, const char *name, double *out) {
  *out = 0.0;
  ms_status status = ms_results_get_number(run->file, path, name, out);
  if (status != MS_ERR_NAME) return status;
  ms_context_clear_message(run->ctx);
  return MS_SUCCESS;
}

/* By place; those of one place stay as they are. */
static void sort_names(ms_names *names, double *place) {
  for (ptrdiff_t i = 1; i < names->n; i++) {
    char *name = names->name[i];
    const double at = place[i];
    ptrdiff_t k = i;
    for (; k > 0 && place[k - 1] > at; k--)
      names->name[k] = names->name[k - 1], place[k] = place[k - 1];
    names->name[k] = name, place[k] = at;
  }
}

ms_status ms_run_list(const ms_run *run, const char *group, ms_names *out) {
  ms_results_kind kind;
  ptrdiff_t n;
  double *place = NULL;
  *out = (ms_names) { 0 };
  MS_TRY(ms_results_get_kind(run->file, group, &kind));
  if (kind != MS_RESULTS_GROUP) return MS_SUCCESS;
  MS_TRY(ms_results_get_count(run->file, group, &n));
  MS_TRY(ms_allocate(run->ctx, n, sizeof *out->name, &out->name));
  out->n = n;
  ms_status status = ms_allocate(run->ctx, n, sizeof *place, &place);
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char path[PATH_SIZE];
    status = ms_results_get_name(run->file, group, i, &out->name[i]);
    if (status != MS_SUCCESS) break;
    snprintf(path, sizeof path, "%s/%s", group, out->name[i]);
    status = get_number(run, path, "place", &place[i]);
  }
  if (status == MS_SUCCESS) sort_names(out, place);
  ms_free(run->ctx, &place);
  if (status != MS_SUCCESS) ms_names_free(run->ctx, out);
  return status;
}

/* ---- the run ---- */

static ms_status check_folder(ms_context *ctx, const char *folder) {
  static const char *const file[] = { "summary.json", "results.h5" };
  struct stat info;
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
    return ms_fail(ctx, MS_ERR_FILE, "%s: there is no such folder; name the folder of a run",
                   folder);
  for (int i = 0; i < 2; i++) {
    char *path;
    MS_TRY(ms_folder_path(ctx, folder, file[i], &path));
    const int there = access(path, R_OK) == 0;
    ms_free(ctx, &path);
    if (there) continue;
    return ms_fail(ctx, MS_ERR_FILE,
                   "%s: this is not the folder of a finished run: there is no %s in it", folder,
                   file[i]);
  }
  return MS_SUCCESS;
}

/* A list of texts; none where there is no such dataset. */
static ms_status read_texts(const ms_run *run, const char *path, ms_names *out) {
  ms_results_kind kind;
  char **text = NULL;
  *out = (ms_names) { 0 };
  MS_TRY(ms_results_get_kind(run->file, path, &kind));
  if (kind != MS_RESULTS_TEXTS) return MS_SUCCESS;
  MS_TRY(ms_results_read_texts(run->file, path, &out->n, &text));
  ms_status status = ms_allocate(run->ctx, out->n, sizeof *out->name, &out->name);
  for (ptrdiff_t i = 0; i < out->n && status == MS_SUCCESS; i++)
    status = ms_text_copy(run->ctx, text[i], &out->name[i]);
  ms_free(run->ctx, &text);
  return status;
}

static ms_status read_head(ms_run *run) {
  ms_names text = { 0 };
  MS_TRY(get_text(run, "", "title", &run->title));
  MS_TRY(get_text(run, "", "microslip", &run->version));
  MS_TRY(get_text(run, "", "status", &run->status));
  if (!run->title || !run->version || !run->status)
    return ms_fail(run->ctx, MS_ERR_FORMAT, "%s: its results.h5 is not that of a study",
                   run->folder);
  ms_status status = read_texts(run, "study/text", &text);
  if (status == MS_SUCCESS && text.n > 0) status = ms_text_copy(run->ctx, text.name[0], &run->text);
  ms_names_free(run->ctx, &text);
  if (status == MS_SUCCESS) status = read_texts(run, "study/set", &run->set);
  return status == MS_SUCCESS ? ms_run_list(run, "analyses", &run->analysis) : status;
}

ms_status ms_run_open(ms_context *ctx, const char *folder, ms_run *run) {
  char *path;
  run->ctx = ctx;
  MS_TRY(check_folder(ctx, folder));
  MS_TRY(ms_text_copy(ctx, folder, &run->folder));
  MS_TRY(ms_folder_path(ctx, folder, "results.h5", &path));
  ms_status status = ms_results_open(ctx, path, &run->file);
  ms_free(ctx, &path);
  if (status == MS_SUCCESS) status = read_head(run);
  if (status != MS_SUCCESS) return status;
  return ms_display_read_results(ctx, run->file, "study/display", &run->display);
}

void ms_run_close(ms_run *run) {
  char **const text[] = { &run->name,    &run->folder, &run->title,
                          &run->version, &run->status, &run->text };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) ms_free(run->ctx, text[i]);
  ms_names_free(run->ctx, &run->set);
  ms_names_free(run->ctx, &run->analysis);
  ms_results_close(&run->file);
  ms_display_destroy(&run->display);
}

/* ---- tables ---- */

static ms_status read_column(const ms_run *run, const char *path, ms_run_column *c, ptrdiff_t *n) {
  ms_results_kind kind;
  ptrdiff_t columns = 1;
  MS_TRY(ms_results_get_kind(run->file, path, &kind));
  char *text;
  double in_unit;
  MS_TRY(get_text(run, path, "unit", &text));
  c->unit = text;
  MS_TRY(get_text(run, path, "description", &text));
  c->meaning = text;
  MS_TRY(get_number(run, path, "in_unit", &in_unit));
  c->in_unit = (int)in_unit;
  if (kind == MS_RESULTS_TEXTS) return ms_results_read_texts(run->file, path, n, &c->word);
  MS_TRY(ms_results_read_matrix(run->file, path, n, &columns, &c->number));
  *n *= columns;
  return MS_SUCCESS;
}

static ms_status read_columns(const ms_run *run, const char *group, ms_names *names,
                              ms_run_table *out) {
  MS_TRY(ms_allocate(run->ctx, names->n, sizeof *out->column, &out->column));
  for (; out->n < names->n; out->n++) {
    char path[PATH_SIZE];
    ptrdiff_t rows = 0;
    ms_run_column *c = &out->column[out->n];
    snprintf(path, sizeof path, "%s/%s", group, names->name[out->n]);
    c->name = names->name[out->n], names->name[out->n] = NULL;
    ms_status status = read_column(run, path, c, &rows);
    if (status == MS_SUCCESS && out->n > 0 && rows != out->rows) {
      status = ms_fail(run->ctx, MS_ERR_FORMAT,
                       "%s: results.h5: the columns of %s differ in length", run->folder, group);
    }
    out->rows = rows;
    if (status == MS_SUCCESS) continue;
    out->n++; /* to be freed, too */
    return status;
  }
  return MS_SUCCESS;
}

ms_status ms_run_read_table(const ms_run *run, const char *group, ms_run_table *out) {
  ms_names names;
  *out = (ms_run_table) { 0 };
  MS_TRY(ms_run_list(run, group, &names));
  ms_status status = read_columns(run, group, &names, out);
  ms_names_free(run->ctx, &names);
  if (status != MS_SUCCESS) ms_run_free_table(run->ctx, out);
  return status;
}

void ms_run_free_table(ms_context *ctx, ms_run_table *table) {
  for (int i = 0; i < table->n; i++) {
    ms_run_column *c = &table->column[i];
    ms_free(ctx, &c->name);
    ms_free(ctx, &c->unit);
    ms_free(ctx, &c->meaning);
    ms_free(ctx, &c->number);
    ms_free(ctx, &c->word);
  }
  ms_free(ctx, &table->column);
  table->n = 0;
  table->rows = 0;
}

int ms_run_find_column(const ms_run_table *table, const char *name) {
  for (int i = 0; i < table->n; i++)
    if (strcmp(table->column[i].name, name) == 0) return i;
  return -1;
}

/* ---- tables as they are shown ---- */

static const ms_run_column *find_words(const ms_run_table *t, const char *name) {
  const int c = ms_run_find_column(t, name);
  return c >= 0 && t->column[c].word ? &t->column[c] : NULL;
}

static void show_numbers(const ms_run *run, const ms_run_table *t, const ms_run_column *mode,
                         const ms_run_column *omega, ms_run_column *c, ms_display_view *view) {
  const ms_display_of of = { ms_display_find_quantity(c->name, c->unit, c->meaning), c->unit,
                             mode != NULL, omega != NULL };
  *view = ms_display_look(run->display, &of);
  if (view->inverse) snprintf(view->unit, sizeof view->unit, "Q");
  for (ptrdiff_t i = 0; i < t->rows; i++) {
    const double w = omega ? ms_display_omega(omega->unit, omega->number[i]) : 0.0;
    c->number[i] =
        ms_display_map(run->display, view, c->number[i], mode ? (int)mode->number[i] : 0, w);
  }
}

/* Numbers whose unit stands beside them, and these units. */
static ms_status show_units(const ms_run *run, ms_run_table *t, ms_run_column *unit) {
  enum { SIZE = sizeof((ms_display_view *)0)->unit };
  const ms_run_column *name = find_words(t, "parameter");
  char **word;
  MS_TRY(ms_allocate(run->ctx, t->rows, sizeof *word + SIZE, &word));
  for (ptrdiff_t i = 0; i < t->rows; i++) {
    const ms_display_view view =
        ms_display_look_beside(run->display, name ? name->word[i] : "", unit->word[i]);
    for (ms_run_column *c = t->column; c < t->column + t->n; c++)
      if (c->number && c->in_unit) c->number[i] *= pow(view.factor, c->in_unit);
    word[i] = (char *)(word + t->rows) + SIZE * i;
    memcpy(word[i], view.unit, SIZE);
  }
  ms_free(run->ctx, &unit->word);
  unit->word = word;
  return MS_SUCCESS;
}

ms_status ms_run_show_table(const ms_run *run, ms_run_table *t) {
  const int m = ms_run_find_column(t, "mode");
  const ms_run_column *mode = m >= 0 && t->column[m].number ? &t->column[m] : NULL;
  ms_run_column *omega = NULL, *unit = NULL;
  int best = 0, in_unit = 0;
  for (ms_run_column *c = t->column; c < t->column + t->n; c++) {
    const int rank = c->number ? ms_display_rank_omega(c->name, c->unit) : 0;
    if (rank > best) omega = c, best = rank;
    if (c->word && strcmp(c->name, "unit") == 0) unit = c;
    in_unit |= c->in_unit;
  }
  if (unit && in_unit) MS_TRY(show_units(run, t, unit));
  for (int k = 0; k <= t->n; k++) { /* the frequency at last: the others need it */
    ms_run_column *c = k < t->n ? &t->column[k] : omega;
    ms_display_view view;
    char *text;
    if (!c || !c->number || c->in_unit || c == mode || (c == omega && k < t->n)) continue;
    show_numbers(run, t, mode, omega, c, &view);
    MS_TRY(ms_text_copy(run->ctx, view.unit[0] ? view.unit : NULL, &text));
    ms_free(run->ctx, &c->unit);
    c->unit = text;
  }
  return MS_SUCCESS;
}
