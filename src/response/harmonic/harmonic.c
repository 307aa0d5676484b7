/* Harmonic balance of a structure: life and loads. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/harmonic/impl.h"

/* ---- life ---- */

void ms_harmonic_default(ms_harmonic_setting *setting, size_t size) {
  ms_settings_fill(&(ms_harmonic_setting)MS_HARMONIC_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_harmonic_setting *s) {
  const ms_harmonic_tolerances *tol = &s->tol;
  MS_HARMONIC_TOLERANCES(MS_TOLERANCE_CHECK)
  if (s->harmonics < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%d harmonics: at least 1 is needed", s->harmonics);
  }
  if (s->times < 4 * (ptrdiff_t)s->harmonics + 4) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "%td time points cannot tell %d harmonics and their products apart; give at "
                   "least %td",
                   s->times, s->harmonics, 4 * (ptrdiff_t)s->harmonics + 4);
  }
  if (!(s->tolerance > 0.0) || s->newton_max < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "Newton needs a tolerance > 0 and at least one iteration");
  }
  if (!(s->repeat_tolerance > 0.0) || s->repeat_max < 2) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "repeating needs a tolerance > 0 and at least two periods");
  }
  if (!(s->step_min > 0.0 && s->step >= s->step_min && s->step_max >= s->step)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "steps must be 0 < smallest %g <= first %g <= largest %g",
                   s->step_min, s->step, s->step_max);
  }
  return MS_SUCCESS;
}

/* Whether entry r of x, or row r of a matrix of `columns`, is more than rounding. */
static int is_moved(ptrdiff_t n, ptrdiff_t columns, const double *x, ptrdiff_t r) {
  double size = 0.0, own = 0.0;
  for (ptrdiff_t k = 0; k < n * columns; k++) {
    size = fmax(size, fabs(x[k]));
    if (k % n == r) own = fmax(own, fabs(x[k]));
  }
  return own > ms_structure_tol.rigid_force * size;
}

/* A rigid-body mode has no mean of its own; a joint that moves with it would have none either. */
static ms_status check_rigid(const ms_harmonic *h) {
  int elastic = 0;
  for (ptrdiff_t r = 0; r < h->m; r++) {
    elastic |= h->modal.omega[r] > 0.0;
    for (int i = 0; h->modal.omega[r] == 0.0 && !h->contact && i < h->n_attachment; i++) {
      const ms_attachment *attachment = &h->modal.attachment[i];
      for (int a = 0; a < ms_joint_info(attachment->joint)->n_axis; a++) {
        int moved = is_moved(h->m, 1, h->modal.gamma + h->m * (attachment->first + a), r);
        if (attachment->curvature[a] && r < attachment->n_curved) {
          moved |=
              is_moved(attachment->n_curved, attachment->n_curved, attachment->curvature[a], r);
        }
        if (!moved) continue;
        return ms_fail(h->ctx, MS_ERR_ARGUMENT,
                       "joint '%s' moves with rigid-body mode %td, so that nothing holds its mean "
                       "position; give the structure a spring to the ground, or the joint some "
                       "stiffness",
                       attachment->name, r + 1);
      }
    }
  }
  if (elastic) return MS_SUCCESS;
  return ms_fail(h->ctx, MS_ERR_ARGUMENT, "the structure has rigid-body modes only");
}

static ms_status set_up(ms_harmonic *h) {
  const ptrdiff_t nP = h->n * h->P, rows = nP + 4, columns = nP + N_EXTRA;
  MS_TRY(check_rigid(h));
  MS_TRY(ms_fourier_open(h));
  MS_TRY(ms_aft_open(h));
  MS_TRY(ms_linear_open(h));
  MS_TRY(ms_allocate(h->ctx, columns, sizeof *h->X, &h->X));
  MS_TRY(ms_allocate(h->ctx, columns, sizeof *h->X, &h->X_done));
  MS_TRY(ms_allocate(h->ctx, rows, sizeof *h->R, &h->R));
  MS_TRY(ms_allocate(h->ctx, rows * columns, sizeof *h->J, &h->J));
  MS_TRY(ms_allocate(h->ctx, nP, sizeof *h->difference, &h->difference));
  MS_TRY(ms_allocate(h->ctx, 2 * h->m, sizeof *h->amplitude, &h->amplitude));
  MS_TRY(ms_allocate(h->ctx, h->m * h->P, sizeof *h->modal_motion, &h->modal_motion));
  MS_TRY(ms_allocate(h->ctx, h->n, sizeof *h->scale, &h->scale));
  /* 1/scale^2 = sum of gamma^2/omega^2: the axis' static flexibility with every joint stuck. */
  for (ptrdiff_t i = 0; i < h->n; i++) {
    double sum = 0.0;
    for (ptrdiff_t r = 0; r < h->m; r++) {
      double g = h->modal.gamma[r + h->m * i], w = h->modal.omega[r];
      if (w > 0.0) sum += g * g / (w * w);
    }
    h->scale[i] = sum > 0.0 ? 1.0 / sqrt(sum) : 1.0;
  }
  return ms_stability_open(h);
}

ms_status ms_harmonic_create(ms_structure *structure, const ms_harmonic_setting *setting,
                             ms_harmonic **out) {
  MS_MAKE(structure ? structure->ctx : NULL, out, structure && setting);
  ms_context *ctx = structure->ctx;
  ms_harmonic_setting own = MS_HARMONIC_DEFAULT;
  ms_harmonic *h;
  if (!structure->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  MS_TAKE(ctx, ms_harmonic_default, setting, own);
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(ms_allocate(ctx, 1, sizeof *h, &h));
  *h = (ms_harmonic) { .ctx = ctx,
                       .structure = structure,
                       .setting = *setting,
                       .modal = ms_structure_view(structure),
                       .H = setting->harmonics,
                       .P = 2 * (ptrdiff_t)setting->harmonics + 1,
                       .N = setting->times,
                       .n = structure->n_axis + structure->n_curved,
                       .m = structure->n,
                       .n_attachment = structure->n_attachment };
  ms_status status = ms_harmonic_contact_open(h);
  if (status == MS_SUCCESS) status = set_up(h);
  if (status != MS_SUCCESS) {
    ms_harmonic_destroy(&h);
    return status;
  }
  *out = h;
  return MS_SUCCESS;
}

void ms_harmonic_destroy(ms_harmonic **pointer) {
  if (!pointer || !*pointer) return;
  ms_harmonic *h = *pointer;
  double **part[] = { &h->T,
                      &h->W,
                      &h->T_wide,
                      &h->W_wide,
                      &h->table,
                      &h->X,
                      &h->X_done,
                      &h->R,
                      &h->J,
                      &h->scale,
                      &h->difference,
                      &h->amplitude,
                      &h->modal_motion,
                      &h->floquet };
  ms_aft_close(h);
  ms_linear_close(h);
  ms_harmonic_contact_close(h);
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(h->ctx, part[i]);
  ms_free(h->ctx, pointer);
}

/* ---- loads ---- */

/* A static force must not push what nothing holds. */
static ms_status check_static(const ms_harmonic *h, const double *modal, double size) {
  for (ptrdiff_t r = 0; r < h->m; r++) {
    if (h->modal.omega[r] > 0.0 || fabs(modal[r]) <= ms_structure_tol.rigid_force * size) continue;
    return ms_fail(h->ctx, MS_ERR_ARGUMENT,
                   "the static load pushes rigid-body mode %td, which nothing holds", r + 1);
  }
  return MS_SUCCESS;
}

static ms_status check_load(const ms_harmonic *h, int k, double amplitude, double phase) {
  if (k < 0 || k > h->H) {
    return ms_fail(h->ctx, MS_ERR_BOUNDS,
                   "a load on harmonic %d: there are harmonics 0 (static) to %td", k, h->H);
  }
  if (!isfinite(amplitude) || !isfinite(phase)) {
    return ms_fail(h->ctx, MS_ERR_NUMERIC, "the load is not finite");
  }
  if (k > 0 || phase == 0.0) return MS_SUCCESS;
  return ms_fail(h->ctx, MS_ERR_BOUNDS, "a static load has no phase; its sign is its amplitude's");
}

ms_status ms_harmonic_add_load(ms_harmonic *h, const double *shape, int k, double amplitude,
                               double phase) {
  const ptrdiff_t m = h->m;
  double *modal = h->amplitude, size = 0.0;
  MS_TRY(check_load(h, k, amplitude, phase));
  for (ptrdiff_t r = 0; r < m; r++) {
    modal[r] = 0.0;
    for (ptrdiff_t i = 0; i < m; i++) modal[r] += h->structure->shape[i + m * r] * shape[i];
    if (!isfinite(modal[r])) return ms_fail(h->ctx, MS_ERR_NUMERIC, "the load is not finite");
    size = fmax(size, fabs(modal[r]));
  }
  if (k == 0) MS_TRY(check_static(h, modal, size));
  for (ptrdiff_t r = 0; r < m; r++) {
    h->load[2 * (r + m * k)] += amplitude * cos(phase) * modal[r];
    h->load[2 * (r + m * k) + 1] += amplitude * sin(phase) * modal[r];
  }
  return MS_SUCCESS;
}

/* -M iota: in coordinates relative to the ground its acceleration is a force. */
ms_status ms_harmonic_add_base(ms_harmonic *h, const double *iota, int k, double amplitude,
                               double phase) {
  const ptrdiff_t n = h->m;
  const double *M = h->structure->M;
  double *shape;
  MS_TRY(ms_allocate(h->ctx, n, sizeof *shape, &shape));
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) shape[i] -= M[i + n * j] * (iota ? iota[j] : 1.0);
  }
  ms_status status = ms_harmonic_add_load(h, shape, k, amplitude, phase);
  ms_free(h->ctx, &shape);
  return status;
}
