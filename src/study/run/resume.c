/* What an interrupted study leaves in its folder (see io/resume_folder.c): jobs that have ended,
   rows and states of long runs (report/result/checkpointed_run.c). */
#include <stdio.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "io/resume_folder.h"
#include "io/yaml/tables.h"
#include "report/result/checkpointed_run.h"
#include "study/study.h"

/* ---- the fingerprint of the study ---- */

/* Matrices and measurements that the study names: every value that is the name of a file counts, so
   that no analysis needs to announce what it reads. */
static int add_file(void *sum, const char *path) {
  *(uint64_t *)sum = ms_fingerprint_add_file(*(uint64_t *)sum, path);
  return 0;
}

static int count_processes(const ms_study *s) {
  return ms_context_get_communicator(s->ctx)->size;
}

/* Everything that results depend on; the last digits of finite elements do on the number of
   processes, nothing else does. */
static ms_status fingerprint(const ms_study *s, uint64_t *out) {
  int n = s->fe ? count_processes(s) : 1;
  uint64_t sum = ms_fingerprint_add_text(MS_FINGERPRINT, ms_version());
  if (n > 1) sum = ms_fingerprint_add(sum, &n, sizeof n);
  sum = ms_fingerprint_add_text(sum, s->yaml.text);
  for (int i = 0; i < s->n_set; i++) sum = ms_fingerprint_add_text(sum, s->set[i]);
  *out = sum;
  return ms_yaml_visit_paths(&s->yaml, add_file, out);
}

/* ---- the folder ---- */

static void print_study(const void *study, FILE *out) {
  const ms_study *s = study;
  fprintf(out, "# microslip %s run %s", ms_version(), s->yaml.path);
  if (count_processes(s) > 1) fprintf(out, " (%d processes)", count_processes(s));
  for (int i = 0; i < s->n_set; i++) fprintf(out, " --set '%s'", s->set[i]);
  fprintf(out, "\n%s", s->yaml.text);
}

ms_status ms_resume_open(ms_study *s, int resume, ms_resume_folder **out) {
  ms_resume_request request = { s->ctx, s->folder, 0, MS_CHECKPOINTED_RUN_PREFIX, print_study, s };
  char *tables;
  *out = NULL;
  MS_TRY(fingerprint(s, &request.identity));
  MS_TRY(ms_resume_folder_open(&request, resume, out));
  ms_status status = ms_folder_path(s->ctx, s->folder, "tables", &tables);
  if (status != MS_SUCCESS) {
    ms_resume_folder_close(out, 0);
    return status;
  }
  ms_folder_tidy(tables); /* temporary files of a process that was killed */
  ms_folder_tidy(s->folder);
  ms_free(s->ctx, &tables);
  return MS_SUCCESS;
}
