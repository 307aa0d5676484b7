/* qsma and rqnm: frequency and damping from static solutions. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>
#include <string.h>

#include "experiment/backbone.h"

static ms_status create(ms_structure *s, const ms_backbone_setting *given,
                        const ms_backbone_method *method, int mode, ms_quasistatic **out) {
  ms_quasistatic_setting setting = given->quasistatic;
  setting.kind = method == &ms_backbone_rqnm ? MS_QUASISTATIC_RQNM : MS_QUASISTATIC_QSMA;
  setting.mode = mode;
  setting.level = MS_LEVEL_AMPLITUDE;
  setting.preload = given->preload;
  return ms_quasistatic_create(s, &setting, out);
}

static ms_status check(ms_structure *s, const ms_backbone_setting *setting,
                       const ms_backbone_method *method, int mode) {
  ms_quasistatic *run = NULL;
  ms_status status = create(s, setting, method, mode, &run);
  ms_quasistatic_destroy(&run);
  return status;
}

/* ---- remarks ---- */

static void remark(ms_backbone_curve *curve, const char *text) {
  size_t n = strlen(curve->remark);
  snprintf(curve->remark + n, sizeof curve->remark - n, "%s%s", n > 0 ? "; " : "", text);
}

/* Where the shape is not that of the stuck mode at small amplitude either, or a joint not odd. */
static void remark_shape(const ms_quasistatic *run, ms_backbone_curve *curve) {
  const ms_quasistatic_rest rest = ms_quasistatic_get_rest(run);
  char text[120];
  if (rest.moved) {
    snprintf(text, sizeof text, "of the mode at rest (MAC %.3g with the stuck one)", rest.mac);
    remark(curve, text);
  }
  for (ptrdiff_t k = 0; k < curve->n; k++) {
    if (!ms_quasistatic_get_level(run, k)->both_sides) continue;
    snprintf(text, sizeof text, "a joint is not odd from q = %.3g on: half a cycle on each side",
             curve->point[k].q);
    remark(curve, text);
    return;
  }
}

/* ---- sensitivities ---- */

static void copy_derivative(ptrdiff_t point, const ms_sensitivity *from,
                            ms_backbone_derivative *to) {
  *to = (ms_backbone_derivative) { .point = point,
                                   .joint = from->joint,
                                   .member = from->member,
                                   .by_differences = from->by_differences,
                                   .defined = from->defined,
                                   .value = from->value };
  snprintf(to->name, sizeof to->name, "%s", from->param->name);
  snprintf(to->unit, sizeof to->unit, "%s", from->param->unit ? from->param->unit : "");
  if (!from->defined) return;
  to->omega = from->omega;
  to->zeta_joint = from->zeta_joint;
  to->zeta = from->zeta;
}

static ms_status differentiate(ms_context *ctx, ms_quasistatic *run, ms_backbone_curve *curve) {
  ptrdiff_t n = ms_quasistatic_count_parameters(run);
  ms_sensitivity *all;
  if (n == 0 || curve->n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n * curve->n, sizeof *curve->derivative, &curve->derivative));
  MS_TRY(ms_allocate(ctx, n, sizeof *all, &all));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < curve->n && status == MS_SUCCESS; k++) {
    status = ms_quasistatic_fill_sensitivity(run, k, all);
    for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
      copy_derivative(k, &all[i], &curve->derivative[curve->n_derivative++]);
    }
  }
  ms_free(ctx, &all);
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY || status == MS_CANCELLED) return status;
  char text[sizeof curve->remark];
  snprintf(text, sizeof text, "sensitivities end: %.200s", ms_context_message(ctx));
  remark(curve, text);
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

/* ---- the run ---- */

static void fill_point(const ms_quasistatic *run, ptrdiff_t k, ptrdiff_t sensor,
                       ms_backbone_point *point) {
  const ms_quasistatic_level *level = ms_quasistatic_get_level(run, k);
  const int cycled = level->method == MS_LOSS_CYCLED;
  *point = (ms_backbone_point) { .q = level->q,
                                 .omega = level->omega,
                                 .zeta = level->zeta,
                                 .zeta_joint = level->zeta_joint,
                                 .zeta_viscous = level->zeta_viscous,
                                 .residual = level->residual,
                                 .quality = cycled ? level->drift : 0.0,
                                 .loss = cycled ? MS_BACKBONE_CYCLED : MS_BACKBONE_OWN };
  double x = fabs(ms_quasistatic_get_displacement(run, k, sensor));
  for (int d = 0; d < 3; d++, x *= level->omega) point->sensor[d] = x;
}

static ms_status follow(ms_context *ctx, const ms_structure *s, const ms_backbone_setting *setting,
                        ms_quasistatic *run, ms_backbone_curve *curve) {
  const ptrdiff_t sensor = ms_sensor_find(s, setting->sensor, curve->mode).coordinate;
  MS_TRY(ms_backbone_reserve(ctx, curve, curve->n_level));
  MS_TRY(ms_backbone_cut(ctx, curve, ms_quasistatic_run(run, curve->n_level, curve->level)));
  curve->tolerance = setting->quasistatic.newton_tolerance;
  for (; curve->n < ms_quasistatic_count_levels(run); curve->n++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(run, curve->n);
    fill_point(run, curve->n, sensor, &curve->point[curve->n]);
    curve->worst = fmax(curve->worst, level->residual);
    curve->tolerance = fmax(curve->tolerance, level->tolerance);
  }
  remark_shape(run, curve);
  curve->evaluations = ms_quasistatic_get_count(run).evaluations;
  return MS_SUCCESS;
}

static ms_status run(ms_context *ctx, ms_structure *s, const ms_backbone_setting *setting,
                     ms_backbone_curve *curve) {
  ms_quasistatic *statics = NULL;
  MS_TRY(create(s, setting, curve->method, curve->mode, &statics));
  ms_status status = follow(ctx, s, setting, statics, curve);
  if (status == MS_SUCCESS && setting->sensitivities && curve->method == &ms_backbone_qsma) {
    status = differentiate(ctx, statics, curve);
  }
  ms_quasistatic_destroy(&statics);
  return status;
}

const ms_backbone_method ms_backbone_qsma = {
  .name = "qsma",
  .words = "quasi-static modal analysis",
  .meaning =
      "quasi-static modal analysis: a static load in the shape of the stuck mode; damping "
      "is the energy that the joints dissipate per cycle, and the viscous part by its formula",
  .preload = 1,
  .check = check,
  .run = run,
};

const ms_backbone_method ms_backbone_rqnm = {
  .name = "rqnm",
  .words = "Rayleigh-quotient nonlinear mode",
  .meaning =
      "Rayleigh-quotient nonlinear mode: the static load follows the shape, which changes "
      "with amplitude; damping as for qsma",
  .check = check,
  .run = run,
};
