/* qsma and rqnm: frequency and damping from static solutions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/impl.h"
#include "study/analyses/backbone/backbone.h"

static ms_quasistatic_setting make_setting(const ms_backbone *b, int mode,
                                           ms_quasistatic_kind kind) {
  ms_quasistatic_setting setting = b->quasistatic;
  setting.kind = kind;
  setting.mode = mode;
  setting.preload = b->preload;
  return setting;
}

/* A structure that cannot be analysed so (a joint without stiffness, say) is refused at once. */
static ms_status try_modes(ms_study *s, const ms_task *task, const ms_backbone *b,
                           ms_quasistatic_kind kind) {
  for (int i = 0; i < b->n_mode; i++) {
    ms_quasistatic_setting setting = make_setting(b, b->mode[i], kind);
    ms_quasistatic *run = NULL;
    ms_status status = ms_quasistatic_create(s->structure, &setting, &run);
    ms_quasistatic_destroy(&run);
    if (status == MS_SUCCESS) continue;
    struct fy_node *preload = b->preload ? ms_yaml_get(task->node, "preload") : NULL;
    struct fy_node *methods = ms_yaml_get(task->node, "methods");
    return ms_yaml_fail_here(&s->yaml, preload ? preload : methods ? methods : task->key, status);
  }
  return MS_SUCCESS;
}

static ms_status check_qsma(ms_study *s, const ms_task *task, ms_backbone *b) {
  return try_modes(s, task, b, MS_QUASISTATIC_QSMA);
}

static ms_status check_rqnm(ms_study *s, const ms_task *task, ms_backbone *b) {
  return try_modes(s, task, b, MS_QUASISTATIC_RQNM);
}

/* ---- points ---- */

static void fill_point(const ms_structure *s, const ms_backbone *b,
                       const ms_quasistatic_setting *setting, const ms_quasistatic *run,
                       ptrdiff_t k, ms_backbone_point *point) {
  const ms_quasistatic_level *level = ms_quasistatic_get_level(run, k);
  ptrdiff_t at = ms_curves_find_sensor(s, &b->sensor, (int)setting->mode).coordinate;
  *point = (ms_backbone_point) { .q = level->q,
                                 .omega = level->omega,
                                 .zeta = level->zeta,
                                 .zeta_joint = level->zeta_joint,
                                 .zeta_viscous = level->zeta_viscous,
                                 .residual = level->residual,
                                 .quality = level->method == MS_LOSS_CYCLED ? level->drift : 0.0,
                                 .loss = level->method == MS_LOSS_OWN ? MS_BACKBONE_OWN
                                                                      : MS_BACKBONE_CYCLED };
  double x = fabs(ms_quasistatic_get_displacement(run, k, at));
  for (int d = 0; d < 3; d++, x *= level->omega) point->sensor[d] = x;
}

/* ---- remarks ---- */

static void remark(ms_backbone_curve *curve, const char *text) {
  size_t n = strlen(curve->remark);
  snprintf(curve->remark + n, sizeof curve->remark - n, "%s%s", n > 0 ? "; " : "", text);
}

/* Where the shape is not that of the stuck mode at small amplitude either. */
static void remark_modes(const ms_quasistatic *run, ms_backbone_curve *curve) {
  ms_quasistatic_rest rest = ms_quasistatic_get_rest(run);
  char text[120];
  if (!rest.moved) return;
  snprintf(text, sizeof text, "of the mode at rest (MAC %.3g with the stuck one)", rest.mac);
  remark(curve, text);
}

static void remark_sides(const ms_quasistatic *run, ms_backbone_curve *curve) {
  for (ptrdiff_t k = 0; k < curve->n; k++) {
    if (!ms_quasistatic_get_level(run, k)->both_sides) continue;
    char text[120];
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

static ms_status follow(ms_worker *w, const ms_backbone *b, const ms_quasistatic_setting *setting,
                        ms_quasistatic *run, ms_backbone_curve *curve) {
  MS_TRY(ms_backbone_reserve(w->ctx, curve, curve->n_level));
  ms_status status = ms_quasistatic_run(run, curve->n_level, curve->level);
  MS_TRY(ms_backbone_cut(w->ctx, curve, status));
  for (; curve->n < ms_quasistatic_count_levels(run); curve->n++) {
    const ms_quasistatic_level *level = ms_quasistatic_get_level(run, curve->n);
    fill_point(w->structure, b, setting, run, curve->n, &curve->point[curve->n]);
    curve->worst = fmax(curve->worst, level->residual);
    curve->tolerance = fmax(curve->tolerance, level->tolerance);
  }
  remark_modes(run, curve);
  remark_sides(run, curve);
  curve->evaluations = ms_quasistatic_get_count(run).evaluations;
  if (!b->sensitivities || setting->kind != MS_QUASISTATIC_QSMA) return MS_SUCCESS;
  return differentiate(w->ctx, run, curve);
}

static ms_status run_kind(ms_worker *w, const ms_backbone *b, ms_quasistatic_kind kind,
                          ms_backbone_curve *curve) {
  ms_quasistatic_setting setting = make_setting(b, curve->mode, kind);
  ms_quasistatic *run = NULL;
  MS_TRY(ms_quasistatic_create(w->structure, &setting, &run));
  ms_status status = follow(w, b, &setting, run, curve);
  ms_quasistatic_destroy(&run);
  return status;
}

static ms_status run_qsma(ms_worker *w, const ms_backbone *b, ms_backbone_curve *curve) {
  return run_kind(w, b, MS_QUASISTATIC_QSMA, curve);
}

static ms_status run_rqnm(ms_worker *w, const ms_backbone *b, ms_backbone_curve *curve) {
  return run_kind(w, b, MS_QUASISTATIC_RQNM, curve);
}

const ms_backbone_method ms_backbone_qsma = {
  .name = "qsma",
  .meaning =
      "quasi-static modal analysis: a static load in the shape of the stuck mode; damping "
      "is the joints' loss in a cycle, and the viscous part by its formula",
  .sees = MS_BACKBONE_SUM,
  .preload = 1,
  .style = MS_SERIES_LINE,
  .check = check_qsma,
  .run = run_qsma,
};

const ms_backbone_method ms_backbone_rqnm = {
  .name = "rqnm",
  .meaning =
      "Rayleigh-quotient nonlinear mode: the static load follows the shape, which changes "
      "with amplitude; damping as for qsma",
  .sees = MS_BACKBONE_SUM,
  .style = MS_SERIES_DASHED,
  .check = check_rqnm,
  .run = run_rqnm,
};
