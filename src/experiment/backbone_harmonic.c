/* epmc and stepped_sine: periodic motions by harmonic balance, followed along amplitude. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>

#include "experiment/backbone.h"

static ms_status check(ms_structure *s, const ms_backbone_setting *setting,
                       const ms_backbone_method *method, int mode) {
  ms_harmonic *h = NULL;
  ms_status status = ms_harmonic_create(s, &setting->harmonic, &h);
  (void)method, (void)mode;
  ms_harmonic_destroy(&h);
  return status;
}

/* ---- points ---- */

static ptrdiff_t count_listed(const ms_harmonic_curve *found) {
  ptrdiff_t n = 0, points = ms_harmonic_curve_get_info(found).points;
  for (ptrdiff_t i = 0; i < points; i++) n += ms_harmonic_curve_get_point(found, i)->listed > 0;
  return n;
}

/* Peaks at the sensor over a period, all modes and harmonics together. P coefficients in x. */
static ms_status see(const ms_backbone_setting *setting, ms_harmonic *h,
                     const ms_harmonic_curve *found, ptrdiff_t i, const double *weights, double *x,
                     ms_backbone_point *point) {
  MS_TRY(ms_harmonic_recover(h, found, i, weights, x));
  if (setting->preload) x[0] = 0.0; /* amplitudes count from rest */
  for (int d = 0; d < 3; d++) {
    point->sensor[d] = ms_harmonic_peak(setting->harmonic.harmonics, x, point->omega, d);
  }
  return MS_SUCCESS;
}

/* The points that were asked for; where the curve folds it meets an amplitude several times. */
static ms_status take_points(ms_context *ctx, const ms_structure *s,
                             const ms_backbone_setting *setting, ms_harmonic *h,
                             const ms_harmonic_curve *found, ms_backbone_loss loss,
                             ms_backbone_curve *curve) {
  const ptrdiff_t n = ms_structure_get_size(s), P = 2 * setting->harmonic.harmonics + 1;
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(found);
  double *weights;
  MS_TRY(ms_allocate(ctx, n + P, sizeof *weights, &weights));
  weights[ms_sensor_find(s, setting->sensor, curve->mode).coordinate] = 1.0;
  ms_status status = ms_backbone_reserve(ctx, curve, count_listed(found));
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(found, i);
    if (status != MS_SUCCESS || !p->listed) continue;
    ms_backbone_point *point = &curve->point[curve->n++];
    *point = (ms_backbone_point) { .q = p->q,
                                   .omega = p->omega,
                                   .zeta = p->zeta,
                                   .zeta_joint = p->zeta_joint,
                                   .zeta_viscous = p->zeta_viscous,
                                   .residual = p->residual,
                                   .quality = p->left_out,
                                   .loss = loss };
    if (p->zeta_alias != 0.0) curve->alias = fmax(curve->alias, fabs(p->zeta_alias / p->zeta));
    status = see(setting, h, found, i, weights, weights + n, point);
  }
  ms_free(ctx, &weights);
  curve->worst = info.worst;
  curve->evaluations = info.evaluations;
  return status;
}

static ms_status explain(ms_context *ctx, const ms_harmonic_curve *found,
                         ms_backbone_curve *curve) {
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(found);
  const ptrdiff_t size = sizeof curve->remark;
  ptrdiff_t met, again, at = 0;
  /* How many of the amplitudes were met, and how many of these more than once. */
  int *times;
  ptrdiff_t points = ms_harmonic_curve_get_info(found).points;
  MS_TRY(ms_allocate(ctx, curve->n_level, sizeof *times, &times));
  for (ptrdiff_t i = 0; i < points; i++) {
    ptrdiff_t listed = ms_harmonic_curve_get_point(found, i)->listed;
    if (listed > 0) times[listed - 1]++;
  }
  met = again = 0;
  for (ptrdiff_t k = 0; k < curve->n_level; k++) {
    met += times[k] > 0;
    again += times[k] > 1;
  }
  ms_free(ctx, &times);
  curve->partial = info.complete ? met < curve->n_level : !info.ended || met == 0;
  if (info.ended) {
    at = snprintf(curve->remark, (size_t)size,
                  "%td of %td amplitudes are not met, there is nothing beyond: %s",
                  curve->n_level - met, curve->n_level, info.reason);
  } else if (!info.complete) {
    at = snprintf(curve->remark, (size_t)size, "%s", info.reason);
  } else if (curve->partial) {
    at = snprintf(curve->remark, (size_t)size, "%td amplitudes were passed but not solved",
                  curve->n_level - met);
  }
  if (again > 0 && at < size) {
    snprintf(curve->remark + at, (size_t)(size - at),
             "%sthe curve folds: %td of %td amplitudes are met more than once", at > 0 ? "; " : "",
             again, curve->n_level);
  }
  return MS_SUCCESS;
}

/* ---- runs ---- */

static ms_status follow_mode(ms_harmonic *h, const ms_harmonic_range *range, const void *mode,
                             ms_harmonic_curve **out) {
  return ms_harmonic_run_mode(h, *(const int *)mode, range, out);
}

static ms_status follow_resonance(ms_harmonic *h, const ms_harmonic_range *range, const void *mode,
                                  ms_harmonic_curve **out) {
  return ms_harmonic_run_resonance(h, *(const int *)mode, NULL, MS_HARMONIC_RESPONSE, range, out);
}

/* M phi of the mode, or the force that was given. */
static ms_status add_force(ms_context *ctx, const ms_structure *s,
                           const ms_backbone_setting *setting, ms_harmonic *h, int mode) {
  const ptrdiff_t n = ms_structure_get_size(s);
  double *force;
  if (setting->force) return ms_harmonic_add_load(h, setting->force, 1, 1.0, 0.0);
  MS_TRY(ms_allocate(ctx, n, sizeof *force, &force));
  ms_structure_apply_mass(s, 1.0, ms_structure_get_stuck(s).shape + n * mode, force);
  ms_status status = ms_harmonic_add_load(h, force, 1, 1.0, 0.0);
  ms_free(ctx, &force);
  return status;
}

static ms_status run_in(ms_context *ctx, const ms_structure *s, const ms_backbone_setting *setting,
                        ms_harmonic *h, ms_backbone_curve *curve) {
  const int forced = curve->method == &ms_backbone_stepped_sine;
  ms_harmonic_run_fn *const follow = forced ? follow_resonance : follow_mode;
  const ms_harmonic_range range = { .from = curve->level[0],
                                    .to = curve->level[curve->n_level - 1],
                                    .list = curve->level,
                                    .n_list = curve->n_level };
  ms_harmonic_curve *found = NULL;
  if (setting->preload) MS_TRY(ms_harmonic_add_load(h, setting->preload, 0, 1.0, 0.0));
  if (forced) MS_TRY(add_force(ctx, s, setting, h, curve->mode));
  curve->tolerance = setting->harmonic.tolerance;
  ms_status status = setting->keep
                         ? setting->keep(setting->user, h, &range, follow, &curve->mode, &found)
                         : follow(h, &range, &curve->mode, &found);
  if (status == MS_SUCCESS) {
    status = take_points(ctx, s, setting, h, found, forced ? MS_BACKBONE_FORCE : MS_BACKBONE_PERIOD,
                         curve);
    if (status == MS_SUCCESS) status = explain(ctx, found, curve);
  } else {
    status = ms_backbone_cut(ctx, curve, status);
  }
  ms_harmonic_curve_destroy(&found);
  return status;
}

static ms_status run(ms_context *ctx, ms_structure *s, const ms_backbone_setting *setting,
                     ms_backbone_curve *curve) {
  ms_harmonic *h = NULL;
  ms_harmonic_setting harmonic = setting->harmonic;
  ms_contact *settled = NULL;
  ms_status status = MS_SUCCESS;
  if (setting->contact) {
    MS_TRY(ms_backbone_check_contact(ctx, s, setting->contact, curve->method, curve->mode));
    MS_TRY(ms_contact_copy(ctx, setting->contact, &settled));
    status = ms_backbone_settle(s, setting, curve->mode, settled);
    harmonic.contact = settled;
  }
  if (!status) status = ms_harmonic_create(s, &harmonic, &h);
  ms_contact_destroy(&settled);
  if (!status) status = run_in(ctx, s, setting, h, curve);
  ms_harmonic_destroy(&h);
  return status;
}

const ms_backbone_method ms_backbone_epmc = {
  .name = "epmc",
  .words = "extended periodic motion concept",
  .meaning =
      "extended periodic motion concept: negative damping in proportion to the mass keeps "
      "the motion periodic, by harmonic balance; its size is the total damping",
  .total = 1,
  .preload = 1,
  .harmonic = 1,
  .check = check,
  .run = run,
};

const ms_backbone_method ms_backbone_stepped_sine = {
  .name = "stepped_sine",
  .meaning =
      "stepped sine in phase resonance, by harmonic balance: the mode lags the force by a "
      "quarter of a period; total damping from force and amplitude",
  .total = 1,
  .preload = 1,
  .harmonic = 1,
  .check = check,
  .run = run,
};
