/* From losses against amplitude to a density as the law iwan_table takes it, and the joint that it
   is compared with. */
#include <math.h>
#include <microslip/density_estimate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"

/* ---- losses ---- */

typedef struct sample {
  double A, D, deviation;
} sample;

static int by_amplitude(const void *a, const void *b) {
  const sample *x = a, *y = b;
  return (x->A > y->A) - (x->A < y->A);
}

static ms_status take(ms_context *ctx, ptrdiff_t n, const sample *x, const double window[2],
                      ms_losses *out) {
  double last = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    if (!(x[i].A > 0.0 && x[i].D > 0.0)) continue;
    if (!(x[i].A > last)) {
      return ms_fail(ctx, MS_ERR_BOUNDS, "amplitude %g m stands twice: give the mean of its losses",
                     x[i].A);
    }
    last = x[i].A;
    if (window && (x[i].A < window[0] || x[i].A > window[1])) continue;
    const ptrdiff_t k = out->n++;
    out->A[k] = x[i].A, out->D[k] = x[i].D;
    if (out->deviation) out->deviation[k] = x[i].deviation;
  }
  out->left_out = n - out->n;
  return MS_SUCCESS;
}

ms_status ms_losses_create(ms_context *ctx, ptrdiff_t n, const double *A, const double *D,
                           const double *deviation, const double window[2], ms_losses *out) {
  sample *x;
  *out = (ms_losses) { .n = 0 };
  MS_TRY(ms_allocate(ctx, 3 * n, sizeof *out->A, &out->A));
  MS_TRY(ms_allocate(ctx, n, sizeof *x, &x));
  out->D = out->A + n;
  if (deviation) out->deviation = out->A + 2 * n;
  for (ptrdiff_t i = 0; i < n; i++) {
    x[i] = (sample) { A[i], D[i], deviation ? deviation[i] : 0.0 };
  }
  qsort(x, (size_t)n, sizeof *x, by_amplitude);
  ms_status status = take(ctx, n, x, window, out);
  ms_free(ctx, &x);
  return status;
}

void ms_losses_add(ms_loss_samples *x, double level, double A, double D, double deviation) {
  const int same = x->n > 0 && level == x->level;
  if (!same) x->n++;
  x->level = level;
  if (same && !(A > x->A[x->n - 1])) return;
  x->A[x->n - 1] = A, x->D[x->n - 1] = D, x->deviation[x->n - 1] = deviation;
}

int ms_losses_know_deviations(const ms_loss_samples *x) {
  int known = 1;
  for (ptrdiff_t i = 0; i < x->n; i++) {
    known &= x->deviation[i] > 0.0 || !(x->A[i] > 0.0 && x->D[i] > 0.0);
  }
  return known;
}

void ms_losses_destroy(ms_context *ctx, ms_losses *losses) {
  ms_free(ctx, &losses->A);
  *losses = (ms_losses) { .n = 0 };
}

/* ---- the density ---- */

static ms_status make_table(ms_context *ctx, double K_T, ms_density_rest rest,
                            ms_density_identified *out) {
  const ms_density_estimate *e = &out->estimate;
  ms_density_table *t = &out->table;
  t->n = e->n + 1;
  MS_TRY(ms_allocate(ctx, 3 * t->n, sizeof *t->phi, &t->phi));
  t->rho = t->phi + t->n;
  t->S = t->phi + 2 * t->n;
  t->rho[0] = e->rho[0];
  for (ptrdiff_t k = 0; k < e->n; k++) {
    t->phi[k + 1] = e->phi[k], t->rho[k + 1] = e->rho[k];
    out->shown += 0.5 * (t->rho[k] + t->rho[k + 1]) * (t->phi[k + 1] - t->phi[k]);
  }
  if (rest == MS_DENSITY_REST_NONE) return MS_SUCCESS;
  out->added = fmax(K_T - out->shown, 0.0);
  *(rest == MS_DENSITY_REST_SPRING ? &t->K_inf : &t->S[t->n - 1]) = out->added;
  return MS_SUCCESS;
}

/* rho = -g'' by a central difference of the slope of first loading, in closed form. */
static ms_status find_density(ms_joint *joint, double phi, double *rho) {
  const double h = 1e-3;
  double force, slope[2];
  MS_TRY(ms_joint_eval_virgin(joint, (1.0 - h) * phi, &force, &slope[0]));
  MS_TRY(ms_joint_eval_virgin(joint, (1.0 + h) * phi, &force, &slope[1]));
  *rho = fmax(slope[0] - slope[1], 0.0) / (2.0 * h * phi);
  return MS_SUCCESS;
}

static ms_status compare(ms_context *ctx, const ms_losses *l, ms_joint *joint,
                         ms_density_identified *out) {
  const ms_density_estimate *e = &out->estimate;
  MS_TRY(ms_allocate(ctx, e->n + l->n, sizeof *out->own_rho, &out->own_rho));
  out->own_loss = out->own_rho + e->n;
  for (ptrdiff_t k = 0; k < e->n; k++) {
    MS_TRY(find_density(joint, e->phi[k], &out->own_rho[k]));
    if (e->phi[k] < e->from || e->phi[k] > e->to || !(out->own_rho[k] > 0.0)) continue;
    out->rho_difference = fmax(out->rho_difference, fabs(e->rho[k] / out->own_rho[k] - 1.0));
  }
  for (ptrdiff_t i = 0; i < l->n; i++) {
    ms_joint_cycle cycle;
    MS_TRY(ms_joint_run_cycle(joint, l->A[i], 1.0, 64, NULL, NULL, &cycle));
    const double own = cycle.has_closed_form ? cycle.D_closed_form : cycle.D;
    out->own_loss[i] = own;
    if (own > 0.0) out->loss_difference = fmax(out->loss_difference, fabs(e->D[i] / own - 1.0));
  }
  return MS_SUCCESS;
}

ms_status ms_density_identify(ms_context *ctx, const ms_losses *losses,
                              const ms_density_estimate_setting *setting, double K_T,
                              ms_density_rest rest, ms_joint *joint, ms_density_identified *out) {
  ms_density_estimate_setting with = MS_DENSITY_ESTIMATE_DEFAULT;
  *out = (ms_density_identified) { .shown = 0.0 };
  MS_TAKE(ctx, ms_density_estimate_default, setting, with);
  with.deviation = losses->deviation;
  MS_TRY(
      ms_density_estimate_from_loss(ctx, losses->n, losses->A, losses->D, &with, &out->estimate));
  MS_TRY(make_table(ctx, K_T, rest, out));
  return joint ? compare(ctx, losses, joint, out) : MS_SUCCESS;
}

void ms_density_identified_destroy(ms_context *ctx, ms_density_identified *out) {
  ms_density_estimate_free(ctx, &out->estimate);
  ms_free(ctx, &out->table.phi);
  ms_free(ctx, &out->own_rho);
}

int ms_density_warning(const ms_density_identified *found, double K_T, int i, char *text,
                       size_t size) {
  const ms_density_estimate *e = &found->estimate;
  if (e->from > e->to && i-- == 0) {
    snprintf(text, size, "the density is trusted at no amplitude");
    return 1;
  }
  if (e->worst > MS_DENSITY_FAR && i-- == 0) {
    snprintf(text, size,
             "an energy lies %.2g standard deviations from the model: it curves more sharply there "
             "than a smooth density does, as at macroslip, and the band does not hold. End the "
             "window before",
             e->worst);
    return 1;
  }
  if (i != 0 || !(K_T > 0.0 && found->shown > K_T)) return 0;
  snprintf(text, size,
           "the sliders that the energies show have %.4g N/m, more than the stuck joint's %.4g N/m",
           found->shown, K_T);
  return 1;
}
