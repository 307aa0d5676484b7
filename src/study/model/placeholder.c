/* Checking a study without computing. */
#include "study/model/build.h"

int ms_study_knows_modes(const ms_study *s) {
  return !s->outline ||
         (!s->fe && s->structure && ms_structure_get_size(s->structure) <= MS_CHECK_SOLVES);
}

ms_status ms_study_check(ms_context *ctx, const char *path, int n_set, const char *const *set,
                         ms_study_facts *out) {
  ms_study *s;
  MS_TRY(ms_study_read(ctx, path, n_set, set, 1, &s));
  *out = (ms_study_facts) { .is_open = s->n_open > 0, .n_analysis = s->n_task };
  if (s->structure) {
    out->n_coordinate = ms_structure_get_size(s->structure) - s->n_open;
    out->n_joint = ms_structure_count_joints(s->structure);
  }
  ms_study_close(&s);
  return MS_SUCCESS;
}
