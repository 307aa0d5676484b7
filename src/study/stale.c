/* Tables that an earlier run has left in the folder and this one has not: an analysis that failed
   this time, or ended early, shall not seem to have them. The results.h5 of that run says which
   tables its analyses had; of analyses that are not in this study nothing is touched. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <microslip/io.h>

#include "study/study.h"

void ms_table_file_name(const char *table, int partial, char name[MS_TABLE_FILE_NAME]) {
  snprintf(name, MS_TABLE_FILE_NAME, "%.80s%s.csv", table, partial ? ".partial" : "");
}

ms_status ms_stale_remove(const ms_study *s, const char *tables, const char *table, int partial) {
  char name[MS_TABLE_FILE_NAME], *path;
  ms_table_file_name(table, partial, name);
  MS_TRY(ms_folder_path(s->ctx, tables, name, &path));
  int error = remove(path) == 0 ? 0 : errno;
  ms_free(s->ctx, &path);
  if (error == 0 || error == ENOENT) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_DISK, "%s/%s: %s", tables, name, strerror(error));
}

static int is_written(const ms_study *s, const char *table) {
  for (int i = 0; i < s->n_sheet; i++) {
    if (strcmp(ms_sheet_name(s->sheet[i]), table) == 0) return 1;
  }
  return 0;
}

static ms_status remove_unless_written(const ms_study *s, const char *tables, const char *table) {
  if (is_written(s, table)) return MS_SUCCESS;
  MS_TRY(ms_stale_remove(s, tables, table, 0));
  return ms_stale_remove(s, tables, table, 1);
}

static ms_status remove_of_analysis(const ms_study *s, const char *tables, const char *analysis,
                                    ms_results *earlier) {
  char group[128];
  ms_results_kind kind;
  ptrdiff_t n = 0;
  ms_status status = MS_SUCCESS;
  snprintf(group, sizeof group, "analyses/%.100s", analysis);
  MS_TRY(ms_results_get_kind(earlier, group, &kind));
  if (kind == MS_RESULTS_GROUP) MS_TRY(ms_results_get_count(earlier, group, &n));
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    char *table;
    MS_TRY(ms_results_get_name(earlier, group, i, &table));
    status = remove_unless_written(s, tables, table);
    ms_free(s->ctx, &table);
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
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  ms_context_clear_message(s->ctx);
  return MS_SUCCESS;
}

ms_status ms_stale_remove_all(const ms_study *s, const char *tables) {
  ms_results *earlier;
  MS_TRY(open_earlier(s, &earlier));
  ms_status status = MS_SUCCESS;
  for (int i = 0; earlier && i < s->n_task && status == MS_SUCCESS; i++) {
    status = remove_of_analysis(s, tables, s->task[i].name, earlier);
  }
  ms_results_close(&earlier);
  return status;
}
