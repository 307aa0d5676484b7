/* Curves of a backbone: the methods there are, their points, amplitudes and warnings. */
#include <math.h>
#include <microslip/experiment.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/backbone.h"
#include "experiment/tolerance.h"
#include "structure/impl.h"

/* ---- methods ---- */

const ms_backbone_method ms_backbone_ringdown_hilbert = {
  .name = "ringdown_hilbert",
  .words = "ring-downs read by the Hilbert transform",
  .meaning =
      "ring-downs in time of a modal_ringdown or a shock, read by the Hilbert transform; "
      "the rate of decay gives total damping",
  .total = 1,
};

const ms_backbone_method ms_backbone_ringdown_stft = {
  .name = "ringdown_stft",
  .words = "ring-downs read by the short-time Fourier transform",
  .meaning =
      "the same ring-downs read by the short-time Fourier transform, its windows growing "
      "exponentially from 8 to 32 periods",
  .total = 1,
};

const ms_backbone_method ms_backbone_sweep = {
  .name = "sweep",
  .meaning =
      "swept sines in time of analyses sweep: frequency at phase resonance, total damping "
      "from the height of the transfer function",
  .total = 1,
};

static const ms_backbone_method *const methods[] = {
#define MS_BACKBONE(name) &ms_backbone_##name,
#include "experiment/backbone_methods.def"
#undef MS_BACKBONE
};

enum { N_METHODS = sizeof methods / sizeof *methods };

const ms_backbone_method *ms_backbone_get_method(int i) {
  return i >= 0 && i < N_METHODS ? methods[i] : NULL;
}

static const char *method_name(const void *list, int i) {
  (void)list;
  return methods[i]->name;
}

/* ---- a curve ---- */

const char *ms_backbone_loss_name(ms_backbone_loss loss) {
  static const char *const name[] = { "own cycles", "cycled", "period", "force", "decay" };
  return name[loss];
}

static ms_backbone_setting standard(void) {
  ms_backbone_setting setting = { .size = sizeof setting,
                                  .sensor = MS_GROUND,
                                  .quasistatic = MS_QUASISTATIC_DEFAULT,
                                  .harmonic = MS_HARMONIC_DEFAULT };
  setting.harmonic.stability_modes = 0; /* no point has it */
  return setting;
}

void ms_backbone_default(ms_backbone_setting *setting, size_t size) {
  const ms_backbone_setting usual = standard();
  ms_settings_fill(&usual, setting, size);
}

ms_status ms_backbone_request(ms_context *ctx, const char *method, int mode, ptrdiff_t n,
                              const double *q, ms_backbone_curve *out) {
  MS_NEED(ctx, ctx && method && out);
  *out = (ms_backbone_curve) { .mode = mode, .level = q, .n_level = n };
  for (int i = 0; i < N_METHODS; i++) {
    if (strcmp(method, methods[i]->name) == 0) out->method = methods[i];
  }
  if (out->method) return MS_SUCCESS;
  const char *near = ms_text_nearest(method, method_name, NULL, N_METHODS);
  return ms_fail(ctx, MS_ERR_NAME, "unknown method '%s'; %s '%s'", method,
                 near ? "did you mean" : "the first of them is", near ? near : methods[0]->name);
}

static ms_status check_mode(ms_context *ctx, const ms_structure *s, int mode) {
  const ptrdiff_t n = ms_structure_get_size(s);
  if (mode >= 0 && mode < n) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "there is no mode %d; modes are 0 to %td", mode, n - 1);
}

static ms_status check_preload(ms_context *ctx, const ms_backbone_setting *setting,
                               const ms_backbone_method *method) {
  if (!setting->preload || method->preload) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "method %s knows no preload", method->name);
}

ms_status ms_backbone_check(ms_context *ctx, ms_structure *s, const ms_backbone_setting *setting,
                            const ms_backbone_method *method, int mode) {
  ms_backbone_setting own = standard();
  MS_NEED(ctx, ctx && s && method);
  MS_TAKE(ctx, ms_backbone_default, setting, own);
  MS_TRY(check_mode(ctx, s, mode));
  MS_TRY(check_preload(ctx, setting, method));
  if (setting->contact && method->run)
    return ms_backbone_check_contact(ctx, s, setting->contact, method, mode);
  return method->check ? method->check(s, setting, method, mode) : MS_SUCCESS;
}

ms_status ms_backbone_run(ms_context *ctx, ms_structure *s, const ms_backbone_setting *setting,
                          ms_backbone_curve *curve) {
  ms_backbone_setting own = standard();
  MS_NEED(ctx, ctx && s && curve && curve->method && (curve->level || curve->n_level < 1));
  MS_TAKE(ctx, ms_backbone_default, setting, own);
  MS_TRY(check_mode(ctx, s, curve->mode));
  MS_TRY(check_preload(ctx, setting, curve->method));
  if (!curve->method->run) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "method %s reads tests in time: add their decays",
                   curve->method->name);
  }
  if (curve->n_level < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a curve needs amplitudes");
  for (ptrdiff_t i = 0; i < curve->n_level; i++) {
    if (curve->level[i] > (i > 0 ? curve->level[i - 1] : 0.0)) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "amplitudes must be > 0 and rise; number %td is %g", i + 1,
                   curve->level[i]);
  }
  ms_backbone_free(ctx, curve);
  if (setting->contact && !curve->method->harmonic)
    return ms_backbone_run_contact(ctx, s, setting, curve);
  return curve->method->run(ctx, s, setting, curve);
}

const ms_backbone_curve *ms_backbone_find(ptrdiff_t n, const ms_backbone_curve *curve,
                                          ptrdiff_t mode, const char *method) {
  for (const ms_backbone_curve *c = curve; c < curve + n; c++) {
    if (c->mode == mode && (!method || strcmp(c->method->name, method) == 0)) return c;
  }
  return NULL;
}

ms_status ms_backbone_reserve(ms_context *ctx, ms_backbone_curve *curve, ptrdiff_t n) {
  curve->n = 0;
  return n > 0 ? ms_allocate(ctx, n, sizeof *curve->point, &curve->point) : MS_SUCCESS;
}

void ms_backbone_free(ms_context *ctx, ms_backbone_curve *curve) {
  ms_free(ctx, &curve->point);
  ms_free(ctx, &curve->derivative);
  ms_free(ctx, &curve->contact);
  ms_free(ctx, &curve->contact_D);
  ms_free(ctx, &curve->contact_ends);
  *curve = (ms_backbone_curve) {
    .mode = curve->mode, .method = curve->method, .level = curve->level, .n_level = curve->n_level
  };
}

ms_status ms_backbone_cut(ms_context *ctx, ms_backbone_curve *curve, ms_status status) {
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY || status == MS_CANCELLED) return status;
  curve->partial = 1;
  snprintf(curve->remark, sizeof curve->remark, "%s", ms_context_message(ctx));
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

static int by_amplitude(const void *a, const void *b) {
  const ms_backbone_point *x = a, *y = b;
  return (x->q > y->q) - (x->q < y->q);
}

ms_status ms_backbone_add_decay(ms_context *ctx, const ms_structure *s,
                                const ms_backbone_setting *setting, const ms_decay *decay,
                                ms_backbone_loss loss, ms_backbone_curve *curve) {
  ms_backbone_setting own = standard();
  MS_NEED(ctx, ctx && s && decay && curve);
  MS_TAKE(ctx, ms_backbone_default, setting, own);
  MS_TRY(check_mode(ctx, s, curve->mode));
  if (decay->n == 0) return MS_SUCCESS;
  const double shape = ms_sensor_find(s, setting->sensor, curve->mode).shape;
  MS_TRY(ms_resize(ctx, curve->n + decay->n, sizeof *curve->point, &curve->point));
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *d = &decay->point[i];
    ms_backbone_point *p = &curve->point[curve->n++];
    *p = (ms_backbone_point) {
      .q = d->q, .omega = d->omega, .zeta = d->zeta, .quality = d->quality, .loss = loss
    };
    p->zeta_joint = ms_structure_get_excess_damping(s, curve->mode, d->omega, d->zeta);
    p->zeta_viscous = d->zeta - p->zeta_joint;
    double x = shape * d->q;
    for (int k = 0; k < 3; k++, x *= d->omega) p->sensor[k] = x;
  }
  qsort(curve->point, (size_t)curve->n, sizeof *curve->point, by_amplitude);
  return MS_SUCCESS;
}

/* ---- amplitudes ---- */

/* z = gamma q */
int ms_backbone_find_range(const ms_structure *structure, int mode, double *from, double *to) {
  const ms_modal m = ms_structure_view(structure);
  double q = HUGE_VAL;
  for (int k = 0; k < m.n_attachment; k++) {
    double scale = ms_joint_slip_scale(m.attachment[k].joint), largest = 0.0;
    for (int a = 0; a < ms_joint_info(m.attachment[k].joint)->n_axis; a++) {
      largest = fmax(largest, fabs(m.gamma[mode + m.m * (m.attachment[k].first + a)]));
    }
    if (scale > 0.0 && largest > 0.0) q = fmin(q, scale / largest);
  }
  *from = ms_experiment_tol.lowest * q;
  *to = ms_experiment_tol.highest * q;
  return q < HUGE_VAL;
}

/* The first point where the motion does not oscillate any more; n if there is none. */
static ptrdiff_t find_overdamped(const ms_backbone_curve *c) {
  ptrdiff_t i = 0;
  while (i < c->n && !(c->point[i].zeta > 1.0)) i++;
  return i;
}

void ms_backbone_trim(ms_backbone_curve *c) {
  const ptrdiff_t n = find_overdamped(c);
  if (c->contact && c->partial && c->n > 0 && n == c->n) {
    char why[sizeof c->remark];
    memcpy(why, c->remark, sizeof why);
    snprintf(c->remark, sizeof c->remark, "the default amplitudes end here: %.500s", why);
    c->partial = 0;
  }
  if (n == c->n) return;
  c->n = n;
  for (ptrdiff_t i = c->n_derivative - 1; i >= 0 && c->derivative[i].point >= n; i--) {
    c->n_derivative--;
  }
  c->partial = 0; /* whatever happened, it was beyond */
  snprintf(c->remark, sizeof c->remark,
           "the default amplitudes end here: from q = %.4g on the damping ratio is above 1 "
           "and the motion does not oscillate; give amplitudes to go on",
           c->point[n].q);
}

/* ---- warnings ---- */

/* Friction makes a third harmonic, which the quasi-static methods leave out. Where another mode
   lies at three times the frequency it answers, and damping changes by 10 % and more. The i-th such
   mode; their number counts *i down. */
static ptrdiff_t find_tuned(const ms_structure *s, const ms_backbone_curve *c, ptrdiff_t *i) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  const double third = 3.0 * stuck.omega[c->mode];
  for (ptrdiff_t k = 0; !c->method->total && k < stuck.n; k++) {
    if (fabs(stuck.omega[k] - third) < ms_experiment_tol.tuned * third && (*i)-- == 0) return k;
  }
  return -1;
}

/* The point whose joints miss most by the harmonics left out, -1 if all miss little. */
static ptrdiff_t find_left_out(const ms_backbone_curve *c) {
  ptrdiff_t worst = -1;
  for (ptrdiff_t i = 0; c->method->harmonic && i < c->n; i++) {
    if (c->point[i].quality > (worst < 0 ? ms_experiment_tol.left_out : c->point[worst].quality))
      worst = i;
  }
  return worst;
}

int ms_backbone_warning(const ms_structure *structure, const ms_backbone_curve *c, ptrdiff_t i,
                        ms_doubt *doubt, char *text, size_t size) {
  const ptrdiff_t tuned = find_tuned(structure, c, &i), over = find_overdamped(c),
                  few = find_left_out(c);
  const double *omega = ms_structure_get_stuck(structure).omega;
  *doubt = MS_DOUBT_NOTE;
  if (tuned >= 0) {
    snprintf(text, size,
             "mode %td lies at %.4f times its frequency, so that the third harmonic excites it, "
             "which %s leaves out; compare with epmc",
             tuned + 1, omega[tuned] / omega[c->mode], c->method->name);
    return 1;
  }
  if ((c->partial || c->remark[0]) && i-- == 0) {
    if (c->partial && !c->absent) *doubt = MS_DOUBT_MISSING;
    snprintf(text, size, "%s", c->remark);
    return 1;
  }
  if (c->contact && ms_backbone_warn_contact(c, &i, doubt, text, size)) return 1;
  *doubt = MS_DOUBT_SUSPECT;
  if (over < c->n && i-- == 0) {
    snprintf(text, size,
             "the damping ratio is above 1 from q = %.4g on (%.3g there): the motion does not "
             "oscillate",
             c->point[over].q, c->point[over].zeta);
    return 1;
  }
  if (few >= 0 && i-- == 0) {
    snprintf(text, size,
             "at q = %.4g the harmonics left out would add %.2g %% to the motion of the joints, "
             "and change the damping by "
             "several times as much; take more harmonics",
             c->point[few].q, 100.0 * c->point[few].quality);
    return 1;
  }
  if (c->alias > ms_experiment_tol.aliased && i == 0) {
    snprintf(text, size,
             "joints that conserve energy seem to cause up to %.2g of the damping; increase times",
             c->alias);
    return 1;
  }
  return 0;
}
