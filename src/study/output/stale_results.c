/* What an earlier run has left in the folder. It goes before this run's results are written, so
   that results of two runs never stand side by side: the summary first, which says that a folder is
   whole, and results.h5 last, which says what tables and figures there were. All of it is listed
   before any goes, so that a failure leaves the earlier run as it was. What no run has written
   stays, and so does what this study reads. */
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

static ms_status is_named(const ms_study *s, struct fy_node *node, const struct stat *file,
                          int *found) {
  char *path;
  struct stat info;
  const char *text = fy_node_get_scalar0(node);
  if (!text || !*text) return MS_SUCCESS;
  MS_TRY(ms_study_path(s, text, &path));
  *found = stat(path, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
  ms_free(s->ctx, &path);
  return MS_SUCCESS;
}

/* Does any value in or under a node name that file? */
static ms_status is_read(const ms_study *s, struct fy_node *node, const struct stat *file,
                         int *found) {
  void *at = NULL;
  struct fy_node *key, *value;
  if (ms_yaml_is_scalar(node)) return is_named(s, node, file, found);
  while (ms_yaml_is_sequence(node) && !*found && (value = ms_yaml_next_item(node, &at)))
    MS_TRY(is_read(s, value, file, found));
  while (ms_yaml_is_mapping(node) && !*found && (value = ms_yaml_next_pair(node, &at, &key)))
    MS_TRY(is_read(s, value, file, found));
  return MS_SUCCESS;
}

/* ---- the list ---- */

typedef struct file_list {
  const ms_study *s;
  char **path;
  ptrdiff_t n;
} file_list;

/* FOLDER/NAME in the study's folder (FOLDER may be ""), a plain file, if there is one. */
static ms_status list_file(file_list *l, const char *folder, const char *name, int *there) {
  char part[MS_TABLE_FILE_NAME + 16], *path;
  struct stat info;
  int kept = 0;
  snprintf(part, sizeof part, "%s%s%s", folder, *folder ? "/" : "", name);
  MS_TRY(ms_folder_path(l->s->ctx, l->s->folder, part, &path));
  *there = lstat(path, &info) == 0 && S_ISREG(info.st_mode);
  ms_status status = MS_SUCCESS;
  if (*there) status = is_read(l->s, ms_yaml_root(&l->s->yaml), &info, &kept);
  if (status == MS_SUCCESS && *there && !kept) {
    status = ms_resize(l->s->ctx, l->n + 1, sizeof *l->path, &l->path);
    if (status == MS_SUCCESS) {
      l->path[l->n++] = path;
      return MS_SUCCESS;
    }
  }
  ms_free(l->s->ctx, &path);
  return status;
}

static ms_status list_table(file_list *l, const char *table) {
  for (int partial = 0, there; partial < 2; partial++) {
    char name[MS_TABLE_FILE_NAME];
    ms_table_file_name(table, partial, name);
    MS_TRY(list_file(l, "tables", name, &there));
  }
  return MS_SUCCESS;
}

/* figures/ANALYSIS-N.svg, from 1 on. */
static ms_status list_figures(file_list *l, const char *analysis) {
  for (int n = 1, there = 1; there; n++) {
    char name[MS_TABLE_FILE_NAME];
    snprintf(name, sizeof name, "%.80s-%d.svg", analysis, n);
    MS_TRY(list_file(l, "figures", name, &there));
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
    status = list_table(l, table);
    ms_free(l->s->ctx, &table);
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
    ms_free(l->s->ctx, &analysis);
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

static ms_status list_all(file_list *l, int *found) {
  ms_results *earlier;
  int there;
  MS_TRY(list_file(l, "", "summary.json", found));
  MS_TRY(list_file(l, "", "report.html", &there));
  MS_TRY(list_file(l, "", "columns.csv", &there));
  MS_TRY(open_earlier(l->s, &earlier));
  ms_status status = earlier ? list_analyses(l, earlier) : MS_SUCCESS;
  ms_results_close(&earlier);
  return status == MS_SUCCESS ? list_file(l, "", "results.h5", &there) : status;
}

static ms_status remove_all(const file_list *l) {
  for (ptrdiff_t i = 0; i < l->n; i++) {
    if (unlink(l->path[i]) == 0 || errno == ENOENT) continue; /* some are listed twice */
    return ms_fail(l->s->ctx, ms_status_of_errno(errno),
                   "%s: an earlier result cannot be removed: %s", l->path[i], strerror(errno));
  }
  return MS_SUCCESS;
}

/* A table, whole or partial; NULL: everything. */
static ms_status remove_listed(const ms_study *s, const char *table, int *found) {
  file_list l = { .s = s };
  ms_status status = table ? list_table(&l, table) : list_all(&l, found);
  if (status == MS_SUCCESS) status = remove_all(&l);
  for (ptrdiff_t i = 0; i < l.n; i++) ms_free(s->ctx, &l.path[i]);
  ms_free(s->ctx, &l.path);
  return status;
}

ms_status ms_stale_remove(const ms_study *s, int *found) {
  return remove_listed(s, NULL, found);
}

ms_status ms_stale_remove_table(const ms_study *s, const char *table) {
  return remove_listed(s, table, NULL);
}
