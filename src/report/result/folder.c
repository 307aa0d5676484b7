/* Tables in the folder of a run, and what an earlier run has left there. That goes before this
   run's results are written, so that results of two runs never stand side by side: the summary
   first, which says that a folder is whole, and results.h5 last, which says what tables and figures
   there were. All of it is listed before any goes, so that a failure leaves the earlier run as it
   was. What no run has written stays, and so does what this run reads. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "report/result/folder.h"
#include "report/result/result.h"

enum { FILE_NAME = 96 };

static void name_file(const char *table, int partial, char name[FILE_NAME]) {
  snprintf(name, FILE_NAME, "%.80s%s.csv", table, partial ? ".partial" : "");
}

/* ---- the list ---- */

typedef struct file_list {
  const ms_result_folder *folder;
  ms_context *ctx;
  char **path;
  ptrdiff_t n;
} file_list;

/* FOLDER/NAME in the folder (FOLDER may be ""), a plain file, if there is one. */
static ms_status list_file(file_list *l, const char *folder, const char *name, int *there) {
  char part[FILE_NAME + 16], *path;
  struct stat info;
  int kept = 0;
  snprintf(part, sizeof part, "%s%s%s", folder, *folder ? "/" : "", name);
  MS_TRY(ms_folder_path(l->ctx, l->folder->path, part, &path));
  *there = lstat(path, &info) == 0 && S_ISREG(info.st_mode);
  ms_status status = MS_SUCCESS;
  if (*there) status = l->folder->is_read(l->folder->user, &info, &kept);
  if (status == MS_SUCCESS && *there && !kept) {
    status = ms_resize(l->ctx, l->n + 1, sizeof *l->path, &l->path);
    if (status == MS_SUCCESS) {
      l->path[l->n++] = path;
      return MS_SUCCESS;
    }
  }
  ms_free(l->ctx, &path);
  return status;
}

static ms_status list_table(file_list *l, const char *table) {
  for (int partial = 0, there; partial < 2; partial++) {
    char name[FILE_NAME];
    name_file(table, partial, name);
    MS_TRY(list_file(l, "tables", name, &there));
  }
  return MS_SUCCESS;
}

/* figures/ANALYSIS-N.svg, .pdf and .csv, from 1 on. */
static ms_status list_figures(file_list *l, const char *analysis) {
  static const char *const ending[] = { "svg", "pdf", "csv" };
  for (int n = 1, any = 1; any; n++) {
    any = 0;
    for (int k = 0, there; k < 3; k++) {
      char name[FILE_NAME];
      snprintf(name, sizeof name, "%.80s-%d.%s", analysis, n, ending[k]);
      MS_TRY(list_file(l, "figures", name, &there));
      any |= there;
    }
  }
  return MS_SUCCESS;
}

static ms_status list_analysis(file_list *l, const char *analysis, ms_results *earlier) {
  char group[128];
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  MS_TRY(list_figures(l, analysis));
  snprintf(group, sizeof group, "analyses/%.100s", analysis);
  MS_TRY(ms_results_get_count(earlier, group, &n));
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char *table;
    MS_TRY(ms_results_get_name(earlier, group, i, &table));
    if (ms_result_group_is_table(analysis, table)) status = list_table(l, table);
    ms_free(l->ctx, &table);
  }
  return status;
}

static ms_status list_analyses(file_list *l, ms_results *earlier) {
  ms_results_kind kind;
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_results_get_kind(earlier, "analyses", &kind));
  if (kind == MS_RESULTS_GROUP) MS_TRY(ms_results_get_count(earlier, "analyses", &n));
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char *analysis;
    MS_TRY(ms_results_get_name(earlier, "analyses", i, &analysis));
    status = list_analysis(l, analysis, earlier);
    ms_free(l->ctx, &analysis);
  }
  return status;
}

/* A file that cannot be read is not that of a run, and no reason to fail. */
static ms_status open_earlier(const ms_result_folder *f, ms_results **out) {
  char *path;
  *out = NULL;
  MS_TRY(ms_folder_path(f->ctx, f->path, "results.h5", &path));
  ms_status status = access(path, F_OK) == 0 ? ms_results_open(f->ctx, path, out) : MS_SUCCESS;
  ms_free(f->ctx, &path);
  if (status != MS_ERR_FILE && status != MS_ERR_FORMAT) return status;
  ms_context_clear_message(f->ctx);
  return MS_SUCCESS;
}

static ms_status list_all(file_list *l, int *found) {
  ms_results *earlier;
  int there;
  MS_TRY(list_file(l, "", "summary.json", found));
  MS_TRY(list_file(l, "", "report.html", &there));
  MS_TRY(list_file(l, "", "columns.csv", &there));
  MS_TRY(open_earlier(l->folder, &earlier));
  ms_status status = earlier ? list_analyses(l, earlier) : MS_SUCCESS;
  ms_results_close(&earlier);
  return status == MS_SUCCESS ? list_file(l, "", "results.h5", &there) : status;
}

static ms_status remove_all(const file_list *l) {
  for (ptrdiff_t i = 0; i < l->n; i++) {
    if (unlink(l->path[i]) == 0 || errno == ENOENT) continue; /* some are listed twice */
    return ms_fail(l->ctx, ms_status_of_errno(errno), "%s: an earlier result cannot be removed: %s",
                   l->path[i], strerror(errno));
  }
  return MS_SUCCESS;
}

/* A table, whole or partial; NULL: everything. */
static ms_status remove_listed(const ms_result_folder *f, const char *table, int *found) {
  file_list l = { .folder = f, .ctx = f->ctx };
  ms_status status = table ? list_table(&l, table) : list_all(&l, found);
  if (status == MS_SUCCESS) status = remove_all(&l);
  for (ptrdiff_t i = 0; i < l.n; i++) ms_free(f->ctx, &l.path[i]);
  ms_free(f->ctx, &l.path);
  return status;
}

/* ---- the folder ---- */

ms_status ms_result_folder_prepare(const ms_result_folder *f, int *found) {
  char *tables;
  MS_TRY(ms_folder_prepare(f->ctx, f->path));
  MS_TRY(remove_listed(f, NULL, found));
  MS_TRY(ms_folder_path(f->ctx, f->path, "tables", &tables));
  ms_status status = ms_folder_prepare(f->ctx, tables);
  ms_free(f->ctx, &tables);
  return status;
}

static ms_status write_table(const ms_result_folder *f, const ms_result_table *table, int partial) {
  char part[FILE_NAME + 16], name[FILE_NAME], *path;
  name_file(ms_result_table_name(table), partial, name);
  snprintf(part, sizeof part, "tables/%s", name);
  MS_TRY(ms_folder_path(f->ctx, f->path, part, &path));
  ms_status status = ms_result_table_write_shown(f->ctx, table, f->display, path);
  ms_free(f->ctx, &path);
  return status;
}

ms_status ms_result_folder_write_tables(const ms_result_folder *f, const ms_result *result,
                                        int partial) {
  for (int i = 0; i < ms_result_count_tables(result); i++) {
    const ms_result_table *table = ms_result_get_table(result, i);
    MS_TRY(remove_listed(f, ms_result_table_name(table), NULL));
    MS_TRY(write_table(f, table, partial));
  }
  return MS_SUCCESS;
}

/* ---- files of the whole run ---- */

static ms_status open_file(const ms_result_folder *folder, const char *name, ms_outfile **out) {
  char *path;
  MS_TRY(ms_folder_path(folder->ctx, folder->path, name, &path));
  ms_status status = ms_outfile_open(folder->ctx, path, out);
  ms_free(folder->ctx, &path);
  return status;
}

ms_status ms_result_folder_write_columns(const ms_result_folder *folder, const ms_result_run *run) {
  ms_outfile *file;
  MS_TRY(open_file(folder, "columns.csv", &file));
  fputs("table,column,unit,meaning\n", ms_outfile_stream(file));
  for (int i = 0; i < run->n; i++) {
    ms_result_print_columns(run->get(folder->user, i), folder->display, ms_outfile_stream(file));
  }
  return ms_outfile_commit(&file);
}

static void summarise(const ms_result_folder *folder, const ms_result_run *run, ms_json *json) {
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "microslip", ms_version());
  ms_json_add_text(json, "title", run->title);
  ms_json_add_text(json, "status", run->status);
  ms_json_add_text(json, "units", "SI");
  ms_json_add_text(json, "study_units", run->units);
  ms_json_begin_array(json, "analyses");
  for (int i = 0; i < run->n; i++) {
    ms_json_begin_object(json, NULL);
    ms_result_write_json(run->get(folder->user, i), json);
    ms_json_end(json);
  }
  ms_json_end(json);
  ms_json_end(json);
}

ms_status ms_result_folder_write_summary(const ms_result_folder *folder, const ms_result_run *run) {
  ms_outfile *file;
  ms_json *json;
  MS_TRY(open_file(folder, "summary.json", &file));
  ms_status status = ms_json_create(folder->ctx, ms_outfile_stream(file), &json);
  if (status == MS_SUCCESS) {
    summarise(folder, run, json);
    status = ms_json_close(&json);
  }
  if (status == MS_SUCCESS) return ms_outfile_commit(&file);
  ms_outfile_discard(&file);
  return status;
}
