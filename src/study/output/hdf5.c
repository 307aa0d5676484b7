/* results.h5: everything a study has computed, with what it was computed from. */

#include <microslip/io.h>

#include "study/study.h"

static ms_status write_study(const ms_study *s, ms_results *out) {
  MS_TRY(ms_results_set_text(out, "", "title", s->title));
  MS_TRY(ms_results_set_text(out, "", "microslip", ms_version()));
  MS_TRY(ms_results_set_text(out, "", "units", "SI"));
  MS_TRY(ms_results_set_text(out, "", "status", ms_outcome_text(ms_study_get_outcome(s, -1))));
  MS_TRY(ms_results_write_texts(out, "study/text", 1, (const char *const[]) { s->yaml.text }));
  MS_TRY(ms_results_set_text(out, "study/text", "units", s->units.text));
  MS_TRY(ms_display_write_results(s->display, out, "study/display"));
  return ms_results_write_texts(out, "study/set", s->n_set, (const char *const *)s->set);
}

static ms_status fill(const ms_study *s, ms_results *out) {
  MS_TRY(write_study(s, out));
  if (s->structure) MS_TRY(ms_structure_write_results(s->structure, out));
  for (int i = 0; i < s->n_task; i++) {
    MS_TRY(ms_result_write_results(s->task[i].result, out));
  }
  return MS_SUCCESS;
}

ms_status ms_study_write_results(ms_study *s) {
  char *path;
  ms_results *out;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "results.h5", &path));
  ms_status status = ms_results_create(s->ctx, path, &out);
  ms_free(s->ctx, &path);
  if (status != MS_SUCCESS) return status;
  status = fill(s, out);
  if (status == MS_SUCCESS) return ms_results_commit(&out);
  ms_results_close(&out);
  return status;
}
