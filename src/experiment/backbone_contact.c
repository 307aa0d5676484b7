/* qsma with contact between solids: the load M phi of a mode is cycled about rest until the energy
   dissipated in a cycle repeats. With load amplitude p and modal amplitude q, half the range:

     omega^2 = p/q,   zeta = D/(2 pi p q) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/backbone.h"
#include "experiment/tolerance.h"

ms_status ms_backbone_check_contact(ms_context *ctx, const ms_structure *s,
                                    const ms_contact *contact, const ms_backbone_method *method,
                                    int mode) {
  const ptrdiff_t n = ms_contact_get(contact).n_load;
  if (method != &ms_backbone_qsma) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "method %s knows no contact between solids; take methods: [qsma]", method->name);
  }
  if (ms_structure_count_joints(s) > 0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a structure with contact between solids has no joints beside it");
  }
  if (mode < n && ms_structure_get_stuck(s).omega[mode] > 0.0) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "mode %d has no load on the contact: it is a rigid-body mode, or not among the "
                 "first %td",
                 mode + 1, n);
}

static ms_status run_level(const ms_structure *s, ms_contact *contact, ms_backbone_curve *curve,
                           double level, double shape) {
  const double omega_0 = ms_structure_get_stuck(s).omega[curve->mode];
  const double p = omega_0 * omega_0 * level;
  ms_backbone_contact *found = &curve->contact[curve->n];
  ms_backbone_point *point = &curve->point[curve->n];
  ms_contact_cycle *cycle = &found->cycle;
  MS_TRY(ms_contact_return(contact));
  MS_TRY(ms_contact_run_cycle(contact, curve->mode, p, cycle,
                              curve->contact_D + curve->n_contact_point * curve->n));
  found->q_min = cycle->v_min;
  found->q_max = cycle->v_max;
  point->q = 0.5 * (cycle->v_max - cycle->v_min);
  point->omega = sqrt(p / point->q);
  point->zeta_joint = cycle->D / (2.0 * MS_PI * p * point->q);
  point->zeta_viscous = 0.0 - ms_structure_get_excess_damping(s, curve->mode, point->omega, 0.0);
  point->zeta = point->zeta_joint + point->zeta_viscous;
  point->residual = cycle->largest_residual;
  point->quality = cycle->change;
  point->loss = MS_BACKBONE_CYCLED;
  double x = shape * point->q;
  for (int d = 0; d < 3; d++, x *= point->omega) point->sensor[d] = x;
  curve->worst = fmax(curve->worst, cycle->largest_residual);
  curve->n++;
  return MS_SUCCESS;
}

static ms_status run_levels(ms_context *ctx, const ms_structure *s,
                            const ms_backbone_setting *setting, ms_contact *contact,
                            ms_backbone_curve *curve) {
  const double shape = ms_sensor_find(s, setting->sensor, curve->mode).shape;
  const ptrdiff_t n = curve->n_level;
  curve->n_contact_point = ms_contact_get(contact).n_point;
  MS_TRY(ms_backbone_reserve(ctx, curve, n));
  MS_TRY(ms_allocate(ctx, n, sizeof *curve->contact, &curve->contact));
  MS_TRY(ms_allocate(ctx, n * curve->n_contact_point, sizeof *curve->contact_D, &curve->contact_D));
  ms_status status = MS_SUCCESS;
  if (setting->settle_cycles > 0) {
    const double omega_0 = ms_structure_get_stuck(s).omega[curve->mode];
    status = ms_contact_settle(contact, curve->mode, omega_0 * omega_0 * setting->settle_amplitude,
                               setting->settle_cycles);
  }
  for (ptrdiff_t i = 0; i < n && !status; i++) {
    status = run_level(s, contact, curve, curve->level[i], shape);
    if (!status) status = ms_progress(ctx, "levels", (double)(i + 1) / (double)n);
  }
  curve->tolerance = ms_contact_get_setting(contact)->newton_tolerance;
  curve->evaluations = ms_contact_get_count(contact).iterations;
  return ms_backbone_cut(ctx, curve, status);
}

ms_status ms_backbone_run_contact(ms_context *ctx, const ms_structure *s,
                                  const ms_backbone_setting *setting, ms_backbone_curve *curve) {
  ms_contact *own = NULL;
  MS_TRY(ms_backbone_check_contact(ctx, s, setting->contact, curve->method, curve->mode));
  MS_TRY(ms_contact_copy(ctx, setting->contact, &own));
  const ms_status status = run_levels(ctx, s, setting, own, curve);
  ms_contact_destroy(&own);
  return status;
}

/* ---- warnings ---- */

static double masing(const ms_backbone_contact *c) {
  return c->cycle.D_masing / c->cycle.D;
}

/* The first point where Masing's rule is off, or n: the first loading does not tell the cycle. */
static ptrdiff_t find_masing(const ms_backbone_curve *c) {
  ptrdiff_t k = 0;
  while (k < c->n && !(c->contact[k].cycle.D > 0.0 &&
                       fabs(masing(&c->contact[k]) - 1.0) > ms_experiment_tol.masing)) {
    k++;
  }
  return k;
}

static ptrdiff_t find_unsteady(const ms_backbone_curve *c) {
  ptrdiff_t k = 0;
  while (k < c->n && c->contact[k].cycle.steady) k++;
  return k;
}

/* Where load work and dissipation of a cycle differ, the load steps are too long. */
static ptrdiff_t find_unbalanced(const ms_backbone_curve *c) {
  ptrdiff_t k = 0;
  while (k < c->n && !(c->contact[k].cycle.D > 0.0 &&
                       fabs(c->contact[k].cycle.work / c->contact[k].cycle.D - 1.0) >
                           ms_experiment_tol.unbalanced)) {
    k++;
  }
  return k;
}

int ms_backbone_warn_contact(const ms_backbone_curve *c, ptrdiff_t *i, ms_backbone_doubt *doubt,
                             char *text, size_t size) {
  const ptrdiff_t off = find_masing(c), unsteady = find_unsteady(c),
                  unbalanced = find_unbalanced(c);
  *doubt = MS_BACKBONE_NOTE;
  if (off < c->n && (*i)-- == 0) {
    snprintf(text, size,
             "Masing's rule fails from q = %.3g on: it gives %.3g times the energy that a cycle "
             "dissipates there; damping is that of the cycle",
             c->point[off].q, masing(&c->contact[off]));
    return 1;
  }
  *doubt = MS_BACKBONE_SUSPECT;
  if (unsteady < c->n && (*i)-- == 0) {
    snprintf(text, size,
             "at q = %.3g the energy dissipated still changes by %.2g from cycle to cycle after %d "
             "cycles",
             c->point[unsteady].q, c->contact[unsteady].cycle.change,
             c->contact[unsteady].cycle.cycles);
    return 1;
  }
  if (unbalanced < c->n && (*i)-- == 0) {
    const ms_contact_cycle *cycle = &c->contact[unbalanced].cycle;
    snprintf(text, size,
             "at q = %.3g the work of the load differs by %.2g from the energy dissipated: take "
             "more load steps",
             c->point[unbalanced].q, cycle->work / cycle->D - 1.0);
    return 1;
  }
  return 0;
}
