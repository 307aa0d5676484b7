/* A run as its results.h5 has it. Tables are read when they are compared, one at a time. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "report/compare/compare.h"

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

static ms_status get_place(const ms_run *run, const char *path, double *out) {
  *out = 0.0;
  ms_status status = ms_results_get_number(run->file, path, "place", out);
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
    status = get_place(run, path, &place[i]);
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
  return status == MS_SUCCESS ? read_head(run) : status;
}

void ms_run_close(ms_run *run) {
  char **const text[] = { &run->name,    &run->folder, &run->title,
                          &run->version, &run->status, &run->text };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) ms_free(run->ctx, text[i]);
  ms_names_free(run->ctx, &run->set);
  ms_names_free(run->ctx, &run->analysis);
  ms_results_close(&run->file);
}

/* ---- tables ---- */

static ms_status read_column(const ms_run *run, const char *path, ms_run_column *c, ptrdiff_t *n) {
  ms_results_kind kind;
  ptrdiff_t columns = 1;
  MS_TRY(ms_results_get_kind(run->file, path, &kind));
  char *unit;
  MS_TRY(get_text(run, path, "unit", &unit));
  c->unit = unit;
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
