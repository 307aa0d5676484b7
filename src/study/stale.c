/* What an earlier run has left in the folder. It goes before this run's results are written, so
   that results of two runs never stand side by side: the summary first, which says that a folder is
   whole, and results.h5 last, which says what tables and figures there were. What no run has
   written stays, and so does what this study reads. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "study/study.h"

void ms_table_file_name(const char *table, int partial, char name[MS_TABLE_FILE_NAME]) {
  snprintf(name, MS_TABLE_FILE_NAME, "%.80s%s.csv", table, partial ? ".partial" : "");
}

/* ---- what this study reads ---- */

static int is_named(const ms_study *s, struct fy_node *node, const struct stat *file) {
  char *path;
  struct stat info;
  const char *text = fy_node_get_scalar0(node);
  if (!text || !*text || ms_study_path(s, text, &path) != MS_SUCCESS) return 0;
  int same = stat(path, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
  ms_free(s->ctx, &path);
  return same;
}

/* Does any value in or under a node name that file? */
static int is_read(const ms_study *s, struct fy_node *node, const struct stat *file) {
  void *at = NULL;
  int found = ms_yaml_is_scalar(node) && is_named(s, node, file);
  struct fy_node *key, *value;
  while (ms_yaml_is_sequence(node) && !found && (value = ms_yaml_next_item(node, &at)))
    found = is_read(s, value, file);
  while (ms_yaml_is_mapping(node) && !found && (value = ms_yaml_next_pair(node, &at, &key)))
    found = is_read(s, key, file) || is_read(s, value, file);
  return found;
}

/* ---- removing ---- */

/* FOLDER/NAME, a plain file, if there is one. */
static ms_status remove_file(const ms_study *s, const char *folder, const char *name) {
  char *path;
  struct stat info;
  int error = 0;
  MS_TRY(ms_folder_path(s->ctx, folder, name, &path));
  if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
      !is_read(s, ms_yaml_root(&s->yaml), &info) && unlink(path) != 0)
    error = errno;
  ms_free(s->ctx, &path);
  if (error == 0 || error == ENOENT) return MS_SUCCESS;
  return ms_fail(s->ctx, ms_status_of_errno(error),
                 "%s/%s: an earlier result cannot be removed: %s", folder, name, strerror(error));
}

static ms_status remove_table(const ms_study *s, const char *tables, const char *table) {
  for (int partial = 0; partial < 2; partial++) {
    char name[MS_TABLE_FILE_NAME];
    ms_table_file_name(table, partial, name);
    MS_TRY(remove_file(s, tables, name));
  }
  return MS_SUCCESS;
}

/* figures/ANALYSIS-N.svg, from 1 on. */
static ms_status remove_figures(const ms_study *s, const char *analysis) {
  char *folder, *path, name[MS_TABLE_FILE_NAME];
  int found = 1;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "figures", &folder));
  ms_status status = MS_SUCCESS;
  for (int n = 1; found && status == MS_SUCCESS; n++) {
    snprintf(name, sizeof name, "%.80s-%d.svg", analysis, n);
    status = ms_folder_path(s->ctx, folder, name, &path);
    if (status != MS_SUCCESS) break;
    found = access(path, F_OK) == 0;
    ms_free(s->ctx, &path);
    status = remove_file(s, folder, name);
  }
  ms_free(s->ctx, &folder);
  return status;
}

static ms_status remove_of_analysis(const ms_study *s, const char *tables, const char *analysis,
                                    ms_results *earlier) {
  char group[128];
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  MS_TRY(remove_figures(s, analysis));
  snprintf(group, sizeof group, "analyses/%.100s", analysis);
  MS_TRY(ms_results_get_count(earlier, group, &n));
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char *table;
    MS_TRY(ms_results_get_name(earlier, group, i, &table));
    status = remove_table(s, tables, table);
    ms_free(s->ctx, &table);
  }
  return status;
}

static ms_status remove_listed(const ms_study *s, const char *tables, ms_results *earlier) {
  ms_results_kind kind;
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_results_get_kind(earlier, "analyses", &kind));
  if (kind == MS_RESULTS_GROUP) MS_TRY(ms_results_get_count(earlier, "analyses", &n));
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char *analysis;
    MS_TRY(ms_results_get_name(earlier, "analyses", i, &analysis));
    status = remove_of_analysis(s, tables, analysis, earlier);
    ms_free(s->ctx, &analysis);
  }
  return status;
}

/* A file that cannot be read is not that of a run, and no reason to fail. */
static ms_status open_earlier(const ms_study *s, ms_results **out) {
  char *path;
  *out = NULL;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "results.h5", &path));
  ms_status status = access(path, F_OK) == 0 ? ms_results_open(s->ctx, path, out) : MS_SUCCESS;
  ms_free(s->ctx, &path);
  if (status != MS_ERR_FILE && status != MS_ERR_FORMAT) return status;
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

static ms_status remove_tables(const ms_study *s) {
  ms_results *earlier;
  char *tables;
  MS_TRY(open_earlier(s, &earlier));
  ms_status status = ms_folder_path(s->ctx, s->folder, "tables", &tables);
  if (status == MS_SUCCESS && earlier) status = remove_listed(s, tables, earlier);
  for (int i = 0; i < s->n_sheet && status == MS_SUCCESS; i++)
    status = remove_table(s, tables, ms_sheet_name(s->sheet[i]));
  ms_free(s->ctx, &tables);
  ms_results_close(&earlier);
  return status;
}

ms_status ms_stale_remove(const ms_study *s) {
  MS_TRY(remove_file(s, s->folder, "summary.json"));
  MS_TRY(remove_file(s, s->folder, "report.html"));
  MS_TRY(remove_tables(s));
  return remove_file(s, s->folder, "results.h5");
}
