/* Checking a study without computing: a stand-in for the reduced model of finite elements.

   It has the right coordinates, and matrices that let every check pass which looks at numbers: mass
   1, and K = k (D + v v^T) with D diagonal, its entries distinct, and v without zeros. Then all
   frequencies are positive and every mode moves at every coordinate. A translation moves all of
   them alike. */
#include <math.h>

#include "study/model/build.h"

#define STIFFNESS 1e8 /* N/m: near to that of joints, so that neither hides the other */
#define GOLDEN    0.6180339887498949

static void fill_matrices(ms_reduced *r) {
  for (ptrdiff_t j = 0; j < r->n; j++) {
    double v = 0.5 + fmod(GOLDEN * GOLDEN * (double)(j + 1), 1.0);
    for (ptrdiff_t i = 0; i < r->n; i++) {
      double w = 0.5 + fmod(GOLDEN * GOLDEN * (double)(i + 1), 1.0);
      r->M[i + r->n * j] = i == j;
      r->K[i + r->n * j] = STIFFNESS * v * w;
    }
    r->K[j + r->n * j] += STIFFNESS * (1.0 + fmod(GOLDEN * (double)(j + 1), 1.0));
  }
}

ms_status ms_study_stand_in(ms_reduced *r) {
  fill_matrices(r);
  if (!r->inertia) MS_TRY(ms_reduced_add_translations(r));
  for (ptrdiff_t k = 0; k < 3 * r->n; k++) r->inertia[k] = r->follow[k] = 1.0;
  return MS_SUCCESS;
}

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
