/* Stepped sine: at each level the frequency is that at which the response is a quarter period
   behind the force. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>

#include "core/internal.h"
#include "experiment/pack.h"

#define NO_WORK 1e-9 /* of the sum of all parts' sizes: rounding of a modal force that is zero */

ms_stepped_plan ms_stepped_default(void) {
  return (ms_stepped_plan) { .harmonic = MS_HARMONIC_DEFAULT };
}

ms_status ms_stepped_check(ms_context *ctx, const ms_structure *s, const ms_stepped_plan *plan,
                           int mode) {
  MS_NEED(ctx, ctx && s && plan && plan->force);
  const ms_modes stuck = ms_structure_get_stuck(s);
  double force = 0.0, size = 0.0;
  if (mode < 0 || mode >= stuck.n) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "there is no mode %d; modes are 1 to %td", mode + 1,
                   stuck.n);
  }
  for (ptrdiff_t k = 0; k < stuck.n; k++) {
    const double part = stuck.shape[k + stuck.n * mode] * plan->force[k];
    force += part;
    size += fabs(part);
  }
  if (stuck.omega[mode] == 0.0) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "mode %d is a rigid-body mode and has no resonance",
                   mode + 1);
  }
  if (fabs(force) > NO_WORK * size) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "the load does no work on mode %d", mode + 1);
}

static ms_status check_levels(ms_context *ctx, const ms_stepped_plan *plan) {
  if (plan->n_level < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a stepped sine needs a level");
  for (ptrdiff_t i = 0; i < plan->n_level; i++) {
    if (plan->level[i] > 0.0 && (i == 0 || plan->level[i] >= plan->level[i - 1])) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "levels must be > 0 and rise; level %td is %g", i + 1,
                   plan->level[i]);
  }
  return MS_SUCCESS;
}

/* ---- points ---- */

ms_status ms_stepped_reserve(ms_context *ctx, ms_stepped_run *run, ptrdiff_t n) {
  const ptrdiff_t k = run->plan->n_sensor;
  MS_TRY(ms_allocate(ctx, n, sizeof *run->point, &run->point));
  MS_TRY(ms_allocate(ctx, n * k, sizeof *run->sensor, &run->sensor));
  MS_TRY(ms_allocate(ctx, n * run->n_axis, sizeof *run->axis, &run->axis));
  return ms_allocate(ctx, n * run->n_joint, sizeof *run->loss, &run->loss);
}

/* `work`: a weight for each degree of freedom, all zero, and a displacement's coefficients. */
static ms_status add_point(ms_stepped_run *run, const ms_structure *s, ms_harmonic *h,
                           const ms_harmonic_curve *curve, ptrdiff_t i, double *work) {
  const ms_stepped_plan *plan = run->plan;
  double *x = work + ms_structure_get_size(s);
  ms_harmonic_point *point = &run->point[run->n];
  *point = *ms_harmonic_curve_get_point(curve, i);
  point->level = plan->level[point->listed - 1]; /* the logarithm has rounded it */
  for (ptrdiff_t k = 0; k < plan->n_sensor; k++) {
    work[plan->sensor[k]] = 1.0;
    ms_status status = ms_harmonic_recover(h, curve, i, work, x);
    work[plan->sensor[k]] = 0.0;
    if (status != MS_SUCCESS) return status;
    run->sensor[k + plan->n_sensor * run->n] = hypot(x[1], x[2]);
  }
  for (int a = 0; a < run->n_axis; a++) {
    run->axis[a + run->n_axis * run->n] = ms_harmonic_curve_get_axis(curve, i, a);
  }
  for (int j = 0; j < run->n_joint; j++) {
    run->loss[j + run->n_joint * run->n] = ms_harmonic_curve_get_loss(curve, i, j);
  }
  run->n++;
  return MS_SUCCESS;
}

int ms_stepped_has_level(const ms_stepped_run *run, ptrdiff_t i) {
  for (ptrdiff_t k = 0; k < run->n; k++) {
    if (run->point[k].level == run->plan->level[i]) return 1;
  }
  return 0;
}

/* A run may come to its end and have missed levels on its way. */
static void explain(ms_stepped_run *run, const ms_harmonic_curve_info *info) {
  for (ptrdiff_t i = 0; i < run->plan->n_level; i++) run->missing += !ms_stepped_has_level(run, i);
  run->complete = info->complete && run->missing == 0;
  run->ended = info->ended;
  run->evaluations = info->evaluations;
  run->worst = info->worst;
  snprintf(run->remark, sizeof run->remark, "%s", info->reason);
  if (!info->complete || run->missing == 0) return;
  snprintf(run->remark, sizeof run->remark, "%td levels were passed but not solved", run->missing);
}

/* Only the levels of the list: a laboratory has no others. */
static ms_status read_curve(ms_context *ctx, const ms_structure *s, ms_harmonic *h,
                            const ms_harmonic_curve *curve, ms_stepped_run *run) {
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  const ptrdiff_t P = 2 * (ptrdiff_t)run->plan->harmonic.harmonics + 1;
  double *work = NULL;
  run->n_joint = ms_structure_count_joints(s);
  for (int j = 0; j < run->n_joint; j++) {
    run->n_axis += ms_joint_info(ms_structure_get_joint(s, j))->n_axis;
  }
  ms_status status = ms_stepped_reserve(ctx, run, info.points);
  if (status == MS_SUCCESS) {
    status = ms_allocate(ctx, ms_structure_get_size(s) + P, sizeof *work, &work);
  }
  for (ptrdiff_t i = 0; i < info.points && status == MS_SUCCESS; i++) {
    if (ms_harmonic_curve_get_point(curve, i)->listed == 0) continue;
    status = add_point(run, s, h, curve, i, work);
  }
  ms_free(ctx, &work);
  if (status == MS_SUCCESS) explain(run, &info);
  return status;
}

/* ---- the run ---- */

static ms_status follow(ms_harmonic *h, const ms_harmonic_range *level, const void *user,
                        ms_harmonic_curve **out) {
  const ms_stepped_run *run = user;
  return ms_harmonic_run_resonance(h, run->mode, run->plan->track, MS_HARMONIC_LEVEL, level, out);
}

static ms_status track(ms_context *ctx, const ms_structure *s, ms_harmonic *h,
                       ms_stepped_run *run) {
  const ms_stepped_plan *p = run->plan;
  const ms_harmonic_range range = {
    .from = p->level[0], .to = p->level[p->n_level - 1], .list = p->level, .n_list = p->n_level
  };
  ms_harmonic_curve *curve = NULL;
  MS_TRY(ms_harmonic_add_load(h, p->force, 1, 1.0, 0.0));
  if (p->preload) MS_TRY(ms_harmonic_add_load(h, p->preload, 0, 1.0, 0.0));
  ms_status status = run->keep ? run->keep(run->user, h, &range, follow, run, &curve)
                               : follow(h, &range, run, &curve);
  if (status == MS_NOT_CONVERGED && !curve) {
    snprintf(run->remark, sizeof run->remark, "%.230s", ms_context_message(ctx));
    ms_context_clear_message(ctx);
    run->missing = p->n_level;
    status = MS_SUCCESS;
  } else if (status == MS_SUCCESS) {
    status = read_curve(ctx, s, h, curve, run);
  }
  ms_harmonic_curve_destroy(&curve);
  return status;
}

ms_status ms_stepped_simulate(ms_context *ctx, ms_structure *structure, ms_stepped_run *run) {
  ms_harmonic *h = NULL;
  MS_NEED(ctx, ctx && structure && run && run->plan && run->plan->level);
  MS_TRY(ms_stepped_check(ctx, structure, run->plan, run->mode));
  MS_TRY(check_levels(ctx, run->plan));
  MS_TRY(ms_harmonic_create(structure, &run->plan->harmonic, &h));
  ms_status status = track(ctx, structure, h, run);
  ms_harmonic_destroy(&h);
  return status;
}

void ms_stepped_free(ms_context *ctx, ms_stepped_run *run) {
  ms_free(ctx, &run->point);
  ms_free(ctx, &run->sensor);
  ms_free(ctx, &run->axis);
  ms_free(ctx, &run->loss);
  run->n = 0;
}
