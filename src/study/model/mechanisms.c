/* What mechanisms of the stuck structure move, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/tolerance.h"
#include "study/model/fe/fe.h"

/* A part, or the coordinate that moves most where no node of a mesh does. */
static ms_status name_motion(const ms_study *s, const double *u, char *text, size_t size) {
  ptrdiff_t at = 0;
  for (ptrdiff_t i = 1; i < ms_structure_get_size(s->structure); i++) {
    if (fabs(u[i]) > fabs(u[at])) at = i;
  }
  double most = ms_structure_tol.still * fabs(u[at]);
  snprintf(text, size, "'%.120s'", ms_structure_get_name(s->structure, at));
  for (const ms_fe *fe = s->fe; fe; fe = fe->next) {
    const ms_fem_body body = ms_fe_body(fe);
    MS_TRY(fe->f->fem_find_moved_part(s->structure, &body, u, &most, text, size));
  }
  return MS_SUCCESS;
}

ms_status ms_study_find_mechanisms(const ms_study *s, ptrdiff_t *n, char *text, size_t size) {
  double *motion = NULL;
  ms_status status = MS_SUCCESS;
  *n = 0;
  text[0] = '\0';
  if (s->reduced) status = ms_reduced_find_mechanisms(s->reduced, s->structure, n, &motion);
  for (ptrdiff_t k = 0; k < *n && status == MS_SUCCESS; k++) {
    char name[160];
    const size_t at = strlen(text);
    status = name_motion(s, motion + ms_structure_get_size(s->structure) * k, name, sizeof name);
    if (status != MS_SUCCESS || strstr(text, name) || at + strlen(name) + 3 > size) continue;
    snprintf(text + at, size - at, "%s%s", at ? ", " : "", name);
  }
  ms_free(s->ctx, &motion);
  return status;
}
