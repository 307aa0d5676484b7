/* A modal model as numbers, as a curve and as a structure of one coordinate. */
#include <math.h>

#include "identify/modal/iwan.h"

void ms_identify_modal_values(const ms_modal_iwan *m, double value[MS_MODAL_N]) {
  value[MS_MODAL_K_INF] = m->K_inf;
  value[MS_MODAL_ZETA_0] = m->zeta_0;
  value[MS_MODAL_F_S] = m->F_S;
  value[MS_MODAL_K_T] = m->K_T;
  value[MS_MODAL_CHI] = m->chi;
  value[MS_MODAL_BETA] = m->beta;
}

const char *ms_identify_modal_unit(int parameter) {
  static const char *const unit[MS_MODAL_N] = { "1/s^2", "", "N/sqrt(kg)", "1/s^2", "", "" };
  return parameter >= 0 && parameter < MS_MODAL_N ? unit[parameter] : NULL;
}

ms_status ms_identify_modal_curve(ms_context *ctx, const ms_modal_iwan *model, ms_modal_form form,
                                  double low, double high, ptrdiff_t n, double *q, double *omega,
                                  double *zeta) {
  for (ptrdiff_t i = 0; i < n; i++) {
    q[i] = low * pow(high / low, (double)i / (double)(n - 1));
    MS_TRY(ms_identify_eval_modal(ctx, model, form, q[i], &omega[i], &zeta[i], NULL));
  }
  return MS_SUCCESS;
}

ms_status ms_modal_make_element(ms_context *ctx, const ms_modal_iwan *m, ms_joint **out) {
  MS_TRY(ms_joint_create(ctx, "iwan4", out));
  MS_TRY(ms_joint_set(*out, "F_S", m->F_S));
  MS_TRY(ms_joint_set(*out, "K_T", m->K_T));
  MS_TRY(ms_joint_set(*out, "chi", m->chi));
  MS_TRY(ms_joint_set(*out, "beta", m->beta));
  return ms_joint_setup(*out);
}

ms_status ms_identify_modal_structure(ms_context *ctx, const ms_modal_iwan *m, ms_structure **out) {
  const ptrdiff_t ground = MS_GROUND, here = 0;
  ms_joint *element = NULL;
  MS_TRY(ms_structure_create(ctx, 1, NULL, out));
  ms_status status = ms_structure_add_mass(*out, 0, 1.0);
  if (!status) status = ms_structure_add_spring(*out, MS_GROUND, 0, m->K_inf);
  if (!status) status = ms_modal_make_element(ctx, m, &element);
  if (!status) status = ms_structure_take_joint(*out, "modal", &element, &ground, &here);
  if (!status) status = ms_structure_set_modal_damping(*out, &m->zeta_0);
  if (!status) status = ms_structure_setup(*out);
  ms_joint_destroy(&element);
  if (status) ms_structure_destroy(out);
  return status;
}
