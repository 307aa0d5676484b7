/* epmc and stepped_sine: periodic motions by harmonic balance, followed along amplitude. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/backbone/backbone.h"
#include "study/analyses/shared/harmonic.h"

static ms_status check(ms_study *s, const ms_task *task, ms_backbone *b) {
  ms_harmonic *h = NULL;
  ms_status status = ms_harmonic_create(s->structure, &b->harmonic, &h);
  ms_harmonic_destroy(&h);
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, task->key, status);
}

/* ---- points ---- */

/* Peaks at the sensor over a period, all modes and harmonics together. P coefficients in x. */
static ms_status see(ms_worker *w, const ms_backbone *b, ms_harmonic *h,
                     const ms_harmonic_curve *found, ptrdiff_t i, double *weights, double *x,
                     ms_backbone_point *point) {
  MS_TRY(ms_harmonic_recover(h, found, i, weights, x));
  if (b->preload) x[0] = 0.0; /* amplitudes count from rest */
  for (int d = 0; d < 3; d++) {
    point->sensor[d] = ms_harmonic_peak(b->harmonic.harmonics, x, point->omega, d);
  }
  (void)w;
  return MS_SUCCESS;
}

static ms_backbone_point convert(const ms_harmonic_point *p, ms_backbone_loss loss) {
  return (ms_backbone_point) { .q = p->q,
                               .omega = p->omega,
                               .zeta = p->zeta,
                               .zeta_joint = p->zeta_joint,
                               .zeta_viscous = p->zeta_viscous,
                               .residual = p->residual,
                               .loss = loss };
}

static ptrdiff_t count_listed(const ms_harmonic_curve *found) {
  ptrdiff_t n = 0, points = ms_harmonic_curve_get_info(found).points;
  for (ptrdiff_t i = 0; i < points; i++) n += ms_harmonic_curve_get_point(found, i)->listed > 0;
  return n;
}

/* The points that were asked for; where the curve folds it meets an amplitude several times. */
static ms_status take_points(ms_worker *w, const ms_backbone *b, ms_harmonic *h,
                             const ms_harmonic_curve *found, ms_backbone_loss loss,
                             ms_backbone_curve *curve) {
  ptrdiff_t n = ms_structure_get_size(w->structure), P = 2 * b->harmonic.harmonics + 1;
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(found);
  double *weights;
  MS_TRY(ms_allocate(w->ctx, n + P, sizeof *weights, &weights));
  weights[ms_curves_find_sensor(w->structure, &b->sensor, curve->mode).coordinate] = 1.0;
  ms_status status = ms_backbone_reserve(w->ctx, curve, count_listed(found));
  for (ptrdiff_t i = 0; i < info.points; i++) {
    const ms_harmonic_point *p = ms_harmonic_curve_get_point(found, i);
    if (status != MS_SUCCESS || !p->listed) continue;
    ms_backbone_point *point = &curve->point[curve->n++];
    *point = convert(p, loss);
    if (p->zeta_alias != 0.0) curve->alias = fmax(curve->alias, fabs(p->zeta_alias / p->zeta));
    status = see(w, b, h, found, i, weights, weights + n, point);
  }
  ms_free(w->ctx, &weights);
  curve->worst = info.worst;
  curve->evaluations = info.evaluations;
  return status;
}

/* How many of the amplitudes were met, and how many of these more than once. */
static ms_status count_met(ms_context *ctx, const ms_harmonic_curve *found, ptrdiff_t n_level,
                           ptrdiff_t *once, ptrdiff_t *again) {
  int *times;
  ptrdiff_t points = ms_harmonic_curve_get_info(found).points;
  MS_TRY(ms_allocate(ctx, n_level, sizeof *times, &times));
  for (ptrdiff_t i = 0; i < points; i++) {
    ptrdiff_t listed = ms_harmonic_curve_get_point(found, i)->listed;
    if (listed > 0) times[listed - 1]++;
  }
  *once = *again = 0;
  for (ptrdiff_t k = 0; k < n_level; k++) {
    *once += times[k] > 0;
    *again += times[k] > 1;
  }
  ms_free(ctx, &times);
  return MS_SUCCESS;
}

static ms_status explain(ms_context *ctx, const ms_harmonic_curve *found,
                         ms_backbone_curve *curve) {
  ms_harmonic_curve_info info = ms_harmonic_curve_get_info(found);
  const ptrdiff_t room = sizeof curve->remark;
  ptrdiff_t met, again, at = 0;
  MS_TRY(count_met(ctx, found, curve->n_level, &met, &again));
  curve->partial = info.complete ? met < curve->n_level : !info.ended || met == 0;
  if (info.ended) {
    at = snprintf(curve->remark, (size_t)room,
                  "%td of %td amplitudes are not met, there is nothing beyond: %s",
                  curve->n_level - met, curve->n_level, info.reason);
  } else if (!info.complete) {
    at = snprintf(curve->remark, (size_t)room, "%s", info.reason);
  } else if (curve->partial) {
    at = snprintf(curve->remark, (size_t)room, "%td amplitudes were passed but not solved",
                  curve->n_level - met);
  }
  if (again > 0 && at < room) {
    snprintf(curve->remark + at, (size_t)(room - at),
             "%sthe curve folds: %td of %td amplitudes are met more than once", at > 0 ? "; " : "",
             again, curve->n_level);
  }
  return MS_SUCCESS;
}

/* ---- runs ---- */

/* One of the two methods: the loads it needs, and its run along the amplitude of *mode. */
typedef struct motion {
  ms_status (*add_loads)(ms_worker *w, const ms_backbone *b, ms_harmonic *h, int mode);
  ms_harmonic_run_fn *follow;
  ms_backbone_loss loss;
} motion;

static ms_status follow_mode(ms_harmonic *h, const ms_harmonic_range *range, const void *mode,
                             ms_harmonic_curve **out) {
  return ms_harmonic_run_mode(h, *(const int *)mode, range, out);
}

/* M phi of the mode, or the place that was given. */
static ms_status add_force(ms_worker *w, const ms_backbone *b, ms_harmonic *h, int mode) {
  ptrdiff_t n = ms_structure_get_size(w->structure);
  const double *M = ms_structure_get_mass(w->structure);
  const double *phi = ms_structure_get_stuck(w->structure).shape + n * mode;
  double *force;
  if (b->push) return ms_harmonic_add_load(h, b->push, 1, 1.0, 0.0);
  MS_TRY(ms_allocate(w->ctx, n, sizeof *force, &force));
  for (ptrdiff_t k = 0; k < n * n; k++) force[k % n] += M[k] * phi[k / n];
  ms_status status = ms_harmonic_add_load(h, force, 1, 1.0, 0.0);
  ms_free(w->ctx, &force);
  return status;
}

static ms_status follow_resonance(ms_harmonic *h, const ms_harmonic_range *range, const void *mode,
                                  ms_harmonic_curve **out) {
  return ms_harmonic_run_resonance(h, *(const int *)mode, NULL, MS_HARMONIC_RESPONSE, range, out);
}

static ms_status run_in(ms_worker *w, const ms_backbone *b, ms_harmonic *h, const motion *by,
                        ms_backbone_curve *curve) {
  ms_harmonic_range range = { .from = curve->level[0],
                              .to = curve->level[curve->n_level - 1],
                              .list = curve->level,
                              .n_list = curve->n_level };
  ms_harmonic_curve *found = NULL;
  if (b->preload) MS_TRY(ms_harmonic_add_load(h, b->preload, 0, 1.0, 0.0));
  ms_status status = by->add_loads ? by->add_loads(w, b, h, curve->mode) : MS_SUCCESS;
  if (status == MS_SUCCESS) {
    status = ms_harmonic_run_kept(w, h, &range, by->follow, &curve->mode, &found);
  }
  if (status == MS_SUCCESS) {
    status = take_points(w, b, h, found, by->loss, curve);
    if (status == MS_SUCCESS) status = explain(w->ctx, found, curve);
  } else {
    status = ms_backbone_cut(w->ctx, curve, status);
  }
  ms_harmonic_curve_destroy(&found);
  return status;
}

static ms_status run(ms_worker *w, const ms_backbone *b, const motion *by,
                     ms_backbone_curve *curve) {
  ms_harmonic *h = NULL;
  MS_TRY(ms_harmonic_create(w->structure, &b->harmonic, &h));
  ms_status status = run_in(w, b, h, by, curve);
  ms_harmonic_destroy(&h);
  return status;
}

static ms_status run_epmc(ms_worker *w, const ms_backbone *b, ms_backbone_curve *curve) {
  static const motion free_motion = { .follow = follow_mode, .loss = MS_BACKBONE_PERIOD };
  return run(w, b, &free_motion, curve);
}

static ms_status run_stepped_sine(ms_worker *w, const ms_backbone *b, ms_backbone_curve *curve) {
  static const motion forced = { add_force, follow_resonance, MS_BACKBONE_FORCE };
  return run(w, b, &forced, curve);
}

const ms_backbone_method ms_backbone_epmc = {
  .name = "epmc",
  .meaning =
      "extended periodic motion concept: the periodic motion that a damping against the "
      "mass keeps up, by harmonic balance; this damping is the total one",
  .sees = MS_BACKBONE_TOTAL,
  .preload = 1,
  .harmonic = 1,
  .style = MS_SERIES_LINE,
  .check = check,
  .run = run_epmc,
};

const ms_backbone_method ms_backbone_stepped_sine = {
  .name = "stepped_sine",
  .meaning =
      "stepped sine in phase resonance, by harmonic balance: the mode a quarter period "
      "behind the force; total damping from the force that its amplitude takes",
  .sees = MS_BACKBONE_TOTAL,
  .preload = 1,
  .harmonic = 1,
  .style = MS_SERIES_DASHED,
  .check = check,
  .run = run_stepped_sine,
};
