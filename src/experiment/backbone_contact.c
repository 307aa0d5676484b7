/* qsma with contact between solids: the load M phi of a mode is cycled about rest until the energy
   dissipated in a cycle repeats. With load amplitude p and modal amplitude q, half the range:

     omega^2 = p/q,   zeta = D/(2 pi p q) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/backbone.h"
#include "experiment/tolerance.h"
#include "structure/impl.h"

ms_status ms_backbone_check_contact(ms_context *ctx, const ms_structure *s,
                                    const ms_contact *contact, const ms_backbone_method *method,
                                    int mode) {
  const ptrdiff_t n = ms_contact_get(contact).n_load;
  if (method->run && !method->harmonic && method != &ms_backbone_qsma) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "method %s knows no contact between solids; take qsma or epmc", method->name);
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

ms_status ms_backbone_find_contact_range(ms_context *ctx, const ms_structure *s,
                                         const ms_contact *contact, int mode, double *from,
                                         double *to) {
  ms_contact *own = NULL;
  double slip = 0.0;
  *from = *to = 0.0;
  MS_NEED(ctx, ctx && s && contact);
  MS_TRY(ms_backbone_check_contact(ctx, s, contact, &ms_backbone_qsma, mode));
  const double omega_0 = ms_structure_get_stuck(s).omega[mode],
               per_load = 1.0 / (omega_0 * omega_0);
  MS_TRY(ms_contact_copy(ctx, contact, &own));
  ms_status status = ms_contact_find_slip(own, mode, &slip);
  if (!status) status = ms_contact_find_capacity(own, mode, to);
  ms_contact_destroy(&own);
  MS_TRY(status);
  if (!isfinite(*to)) *to = 0.0;
  *to *= per_load;
  *from = fmax(ms_experiment_tol.before_slip * slip * per_load, ms_experiment_tol.least_slip * *to);
  *from = fmin(*from, ms_experiment_tol.before_slip * *to);
  return MS_SUCCESS;
}

/* The contact with stiffer layers, where there are any; conditioned in the same way. */
static ms_status find_stiffer(ms_context *ctx, const ms_structure *s,
                              const ms_backbone_setting *setting, int mode, ms_contact **out) {
  const ms_contact_family *family = s->contact;
  double *value;
  int layers = 0;
  *out = NULL;
  if (!(setting->layer_check > 0.0) || !family || !family->find) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, family->n + mode + 1, sizeof *value, &value));
  for (ptrdiff_t i = 0; i < family->n; i++) {
    const ms_contact_number *number = &family->number[i];
    const int is = *number->owner && (strcmp(number->param->name, "K_n") == 0 ||
                                      strcmp(number->param->name, "K_t") == 0);
    value[i] = number->value * (is ? setting->layer_check : 1.0);
    layers |= is;
  }
  ms_status status = MS_SUCCESS;
  if (layers)
    status = family->find(family->user, ctx, value, mode + 1, value + family->n, NULL, out);
  ms_free(ctx, &value);
  return status;
}

/* The same load on the contact with stiffer layers; one without a steady state has no answer. */
static ms_status compare_stiffer(ms_context *ctx, ms_contact *stiffer, ptrdiff_t mode, double p,
                                 const ms_backbone_point *point, ms_backbone_contact *found) {
  ms_contact_cycle cycle;
  if (!stiffer) return MS_SUCCESS;
  MS_TRY(ms_contact_return(stiffer));
  const ms_status status = ms_contact_run_cycle(stiffer, mode, p, &cycle, NULL);
  if (status == MS_NOT_CONVERGED) {
    ms_context_clear_message(ctx);
    return MS_SUCCESS;
  }
  MS_TRY(status);
  const double q = 0.5 * (cycle.v_max - cycle.v_min), zeta = cycle.D / (2.0 * MS_PI * p * q);
  found->stiffer = 1;
  found->omega_change = sqrt(p / q) / point->omega - 1.0;
  found->zeta_change = point->zeta_joint > 0.0 ? zeta / point->zeta_joint - 1.0 : 0.0;
  return MS_SUCCESS;
}

ms_status ms_backbone_settle(const ms_structure *s, const ms_backbone_setting *setting, int mode,
                             ms_contact *contact) {
  const double omega_0 = ms_structure_get_stuck(s).omega[mode];
  const double load = omega_0 * omega_0 * setting->settle_amplitude;
  if (setting->settle_cycles == 0) return MS_SUCCESS;
  const ms_status status = ms_contact_settle(contact, mode, load, setting->settle_cycles);
  if (status != MS_NOT_CONVERGED) return status;
  return ms_fail_at(s->ctx, status, "settle, q = %.3g, load %.6g", setting->settle_amplitude, load);
}

/* Progress inside a level: its cycles are a part of all levels. */
typedef struct share {
  ms_progress_fn hear;
  void *user;
  double from, part;
} share;

static int hear_share(void *user, const char *what, double fraction) {
  const share *s = user;
  (void)what;
  return s->hear ? s->hear(s->user, "levels", s->from + s->part * fraction) : 0;
}

static ms_status run_level(const ms_structure *s, ms_contact *contact, ms_contact *stiffer,
                           ms_backbone_curve *curve, double level, double shape) {
  const double omega_0 = ms_structure_get_stuck(s).omega[curve->mode];
  const double p = omega_0 * omega_0 * level;
  ms_backbone_contact *found = &curve->contact[curve->n];
  ms_backbone_point *point = &curve->point[curve->n];
  ms_contact_cycle *cycle = &found->cycle;
  *found = (ms_backbone_contact) { 0 };
  MS_TRY(ms_contact_return(contact));
  const ptrdiff_t n = curve->n_contact_point;
  double *ends = curve->contact_ends + 3 * n * curve->n;
  const ms_contact_cycle_fields fields = { curve->contact_D + n * curve->n, ends, ends + n,
                                           ends + 2 * n };
  const ms_status status = ms_contact_run_cycle_fields(contact, curve->mode, p, cycle, &fields);
  curve->evaluations += cycle->iterations;
  if (status == MS_NOT_CONVERGED)
    return ms_fail_at(s->ctx, status, "q = %.3g, load %.6g", level, p);
  MS_TRY(status);
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
  MS_TRY(compare_stiffer(s->ctx, stiffer, curve->mode, p, point, found));
  curve->n++;
  return MS_SUCCESS;
}

/* Room for all levels, behind those that an earlier run has ended. */
static ms_status reserve(ms_context *ctx, const ms_backbone_setting *setting,
                         ms_backbone_curve *curve) {
  const ptrdiff_t n = curve->n_level, n_point = ms_contact_get(setting->contact).n_point;
  if (setting->keep_levels) MS_TRY(setting->keep_levels(setting->user, curve, 0));
  if (curve->n > n || (curve->n > 0 && curve->n_contact_point != n_point)) {
    return ms_fail(ctx, MS_ERR_FORMAT, "the levels that were kept are of another curve");
  }
  curve->n_contact_point = n_point;
  MS_TRY(ms_resize(ctx, n, sizeof *curve->point, &curve->point));
  MS_TRY(ms_resize(ctx, n, sizeof *curve->contact, &curve->contact));
  MS_TRY(ms_resize(ctx, 3 * n * n_point, sizeof *curve->contact_ends, &curve->contact_ends));
  return ms_resize(ctx, n * n_point, sizeof *curve->contact_D, &curve->contact_D);
}

static ms_status run_levels(ms_context *ctx, const ms_structure *s,
                            const ms_backbone_setting *setting, ms_contact *contact,
                            ms_backbone_curve *curve) {
  const double shape = ms_sensor_find(s, setting->sensor, curve->mode).shape;
  const ptrdiff_t n = curve->n_level;
  MS_TRY(reserve(ctx, setting, curve));
  const double omega_0 = ms_structure_get_stuck(s).omega[curve->mode];
  ms_contact *stiffer = NULL;
  share all = { .from = (double)curve->n / (double)n };
  ms_context_get_progress(ctx, &all.hear, &all.user);
  ms_context_set_progress(ctx, hear_share, &all);
  double p = 0.0;
  ms_status status = find_stiffer(ctx, s, setting, curve->mode, &stiffer);
  if (!status) status = ms_backbone_settle(s, setting, curve->mode, contact);
  if (!status && stiffer) status = ms_backbone_settle(s, setting, curve->mode, stiffer);
  if (!status) status = ms_contact_find_slip(contact, curve->mode, &p);
  curve->first_slip = isfinite(p) ? p / (omega_0 * omega_0) : 0.0;
  if (curve->n == 0) curve->evaluations = ms_contact_get_count(contact).iterations;
  for (ptrdiff_t i = curve->n; i < n && !status; i++) {
    all = (share) { all.hear, all.user, (double)i / (double)n, 1.0 / (double)n };
    status = run_level(s, contact, stiffer, curve, curve->level[i], shape);
    if (!status && setting->keep_levels) status = setting->keep_levels(setting->user, curve, 1);
    if (!status) status = ms_progress(ctx, "levels", 1.0);
  }
  ms_context_set_progress(ctx, all.hear, all.user);
  ms_contact_destroy(&stiffer);
  curve->tolerance = ms_contact_get_setting(contact)->newton_tolerance;
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

void ms_backbone_fill_fields(const ms_backbone_curve *c, const ms_contact_site *point,
                             double *value) {
  const ptrdiff_t n = c->n_contact_point, size = n * c->n;
  for (ptrdiff_t i = 0; i < 4 * size; i++) {
    const ptrdiff_t k = i / size, p = i % n, at = i % size / n;
    const double x = k == 0 ? c->contact_D[i] : c->contact_ends[p + n * (k - 1 + 3 * at)];
    value[i] = k == 1 ? x : x / point[p].area;
    if (k < 2 && !(x > 0.0)) value[i] = NAN;
  }
}

ms_contact_count ms_backbone_count_contact(ptrdiff_t n, const ms_backbone_curve *curve) {
  ms_contact_count count = { 0 };
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; curve[i].contact && k < curve[i].n; k++) {
      const ms_contact_cycle *cycle = &curve[i].contact[k].cycle;
      count.steps += cycle->load_steps;
      count.iterations += cycle->iterations;
      count.slow += cycle->slow;
    }
  }
  return count;
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
  while (k < c->n && c->contact[k].cycle.balanced) k++;
  return k;
}

int ms_backbone_warn_contact(const ms_backbone_curve *c, ptrdiff_t *i, ms_doubt *doubt, char *text,
                             size_t size) {
  const ptrdiff_t off = find_masing(c), unsteady = find_unsteady(c),
                  unbalanced = find_unbalanced(c);
  *doubt = MS_DOUBT_NOTE;
  if (off < c->n && (*i)-- == 0) {
    snprintf(text, size,
             "Masing's rule fails from q = %.3g on: it gives %.3g times the energy that a cycle "
             "dissipates there; damping is that of the cycle",
             c->point[off].q, masing(&c->contact[off]));
    return 1;
  }
  *doubt = MS_DOUBT_SUSPECT;
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
    const double of = cycle->D > 0.0 ? cycle->D : fabs(cycle->work);
    snprintf(
        text, size,
        "at q = %.3g the work of the load differs by %.2g from the energy dissipated, with %td "
        "load steps each way",
        c->point[unbalanced].q, (cycle->work - cycle->D) / of, cycle->steps);
    return 1;
  }
  return 0;
}

/* ---- doubts that need the bodies at rest ---- */

/* Whether the pressure of a rigid contact falls to zero within its faces, at the edge between
   closed and open points: there slip begins with the smallest load, unless they are glued. */
static int slips_at_any_load(const ms_contact_rest *rest) {
  const ms_contact_state state = ms_contact_get(rest->contact);
  const unsigned char *status = state.status;
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_contact_site *p = &rest->point[i];
    if (p->K_n > 0.0 || !(p->mu > 0.0) || status[i] == MS_CONTACT_OPEN || state.glued[i]) continue;
    for (ptrdiff_t k = 0; k < rest->n_point; k++) {
      if (rest->point[k].contact == p->contact && status[k] == MS_CONTACT_OPEN) return 1;
    }
  }
  return 0;
}

ms_status ms_backbone_find_thin(ms_context *ctx, const ms_contact_rest *rest,
                                const ms_backbone_curve *c, ptrdiff_t *last) {
  const int always = slips_at_any_load(rest);
  unsigned char *slips;
  *last = -1;
  MS_TRY(ms_allocate(ctx, c->n_contact_point, 1, &slips));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->contact[i].cycle.slipped == 0 && !always) continue;
    for (ptrdiff_t p = 0; p < c->n_contact_point; p++) {
      slips[p] = c->contact_D[p + c->n_contact_point * i] > 0.0;
    }
    if (ms_contact_count_inside(rest, slips) == 0) *last = i;
  }
  ms_free(ctx, &slips);
  return MS_SUCCESS;
}

/* The first amplitude at which a point slides as far as its elements, or is pressed by a part of
   Young's modulus: mostly amplitudes in other units. n: none. */
static ptrdiff_t find_large(const ms_contact_rest *rest, const ms_backbone_curve *c) {
  const ms_contact_tolerances *tol = &ms_contact_get_setting(rest->contact)->tol;
  const ptrdiff_t n = c->n_contact_point;
  ptrdiff_t first = c->n;
  for (int g = 0; g < ms_contact_count_groups(rest->contact); g++) {
    const double side = ms_contact_find_side(rest, g);
    for (ptrdiff_t i = 0; i < first * n; i++) {
      const double *slip = c->contact_ends + 3 * n * (i / n) + i % n;
      const ms_contact_site *p = &rest->point[i % n];
      const double most = fmax(slip[n], slip[2 * n]), stiff = p->spring[2] * side;
      if (p->contact != g) continue;
      const int pressed = stiff > 0.0 && most > tol->strained * stiff;
      if (pressed || *slip > tol->slid * side) first = i / n;
    }
  }
  return first;
}

ms_status ms_backbone_doubt_contact(ms_context *ctx, const ms_contact_rest *rest,
                                    const ms_backbone_curve *c, int which, char *text,
                                    size_t size) {
  const double *mac = rest->mac;
  ptrdiff_t thin;
  *text = '\0';
  if (which == 0 && mac && mac[c->mode] < ms_contact_get_setting(rest->contact)->tol.paired) {
    snprintf(text, size,
             "mode %d of the reduced model is none of the full one (MAC %.2g), whose load is "
             "cycled: displacement of the sensor and viscous damping are wrong; keep more modes",
             c->mode + 1, mac[c->mode]);
  }
  const ptrdiff_t large = which == 2 ? find_large(rest, c) : c->n;
  if (large < c->n) {
    snprintf(text, size,
             "mode %d: from q = %.3g on, contacts slide by half an element or are pressed by some "
             "percent of Young's modulus, which is not small; check amplitudes and units",
             c->mode + 1, c->point[large].q);
  }
  if (which != 1) return MS_SUCCESS;
  MS_TRY(ms_backbone_find_thin(ctx, rest, c, &thin));
  if (thin < 0) return MS_SUCCESS;
  if (c->contact[thin].cycle.slipped == 0) {
    snprintf(
        text, size,
        "mode %d: up to q = %.3g no point slips, so that nothing is dissipated. A rigid "
        "contact that is open in part slips at its edge under any load: the mesh is too coarse "
        "there; refine the faces where slip begins",
        c->mode + 1, c->point[thin].q);
    return MS_SUCCESS;
  }
  snprintf(text, size,
           "mode %d: up to q = %.3g the slip zone is thinner than two elements, so that the "
           "dissipated energy is that of the mesh; refine the faces where slip begins",
           c->mode + 1, c->point[thin].q);
  return MS_SUCCESS;
}
