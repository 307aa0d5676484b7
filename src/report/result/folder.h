/* The folder in which results are written: tables/TABLE.csv, and what an earlier run
   has left of these and of the other files of a run. */
#ifndef MS_REPORT_RESULT_FOLDER_H
#define MS_REPORT_RESULT_FOLDER_H

#include <sys/stat.h>

#include <microslip/result.h>

typedef struct ms_result_folder {
  ms_context *ctx;
  const char *path;
  /* Whether this run reads a file, which then stays. */
  ms_status (*is_read)(const void *user, const struct stat *file, int *found);
  const void *user;
  const ms_display *display; /* units of the tables; NULL: SI */
} ms_result_folder;

/* Removes what an earlier run has left, before anything of this run is written, and makes tables/.
 *found: whether there was a whole run. */
ms_status ms_result_folder_prepare(const ms_result_folder *folder, int *found);
/* The tables of a result, whole (TABLE.csv) or partial (TABLE.partial.csv), in place of the other
   kind, which an unfinished run may have left. */
ms_status ms_result_folder_write_tables(const ms_result_folder *folder, const ms_result *result,
                                        int partial);

/* What the files for the whole run say. */
typedef struct ms_result_run {
  const char *title, *status, *units; /* units: of the study, in words */
  int n;
  const ms_result *(*get)(const void *user, int i); /* with the folder's user */
} ms_result_run;
/* columns.csv, unit and meaning of every column; summary.json, the last file of a run. */
ms_status ms_result_folder_write_columns(const ms_result_folder *folder, const ms_result_run *run);
ms_status ms_result_folder_write_summary(const ms_result_folder *folder, const ms_result_run *run);

#endif
