/* A run in time: its life, many steps of it, and what it shows. impl.h has the letters and says
   what is in the other files. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "response/transient/impl.h"

#define MS_METHOD(name) extern const ms_integrator ms_integrator_##name;
#include "response/transient/methods.def"
#undef MS_METHOD

#define MS_METHOD(name) &ms_integrator_##name,
static const ms_integrator *const methods[] = {
#include "response/transient/methods.def"
};
#undef MS_METHOD

enum { N_METHODS = sizeof methods / sizeof *methods };

/* ---- life ---- */

static const char *method_name(const void *list, int i) {
  (void)list;
  return methods[i]->name;
}

static ms_status find_method(ms_context *ctx, const char *name, const ms_integrator **out) {
  for (int i = 0; i < N_METHODS; i++) {
    if (strcmp(methods[i]->name, name) != 0) continue;
    *out = methods[i];
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, method_name, NULL, N_METHODS);
  return ms_fail(ctx, MS_ERR_NAME, "unknown method '%s'; %s '%s'%s", name,
                 near ? "did you mean" : "there is", near ? near : methods[0]->name,
                 near ? "?" : "");
}

void ms_transient_default(ms_transient_setting *setting, size_t size) {
  ms_settings_fill(&(ms_transient_setting)MS_TRANSIENT_DEFAULT, setting, size);
}

static ms_status check_setting(ms_context *ctx, const ms_transient_setting *s) {
  const ms_transient_tolerances *tol = &s->tol;
  MS_TRANSIENT_TOLERANCES(MS_TOLERANCE_CHECK)
  if (!(s->step > 0.0 && s->step < HUGE_VAL)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "time step %g must be > 0 and finite", s->step);
  }
  if (!(s->beta >= 0.0 && s->beta <= 1.0 && s->gamma >= 0.5 && s->gamma <= 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "Newmark beta = %g and gamma = %g: beta must be in [0, 1], gamma in [1/2, 1]; "
                   "below 1/2 the method feeds energy in",
                   s->beta, s->gamma);
  }
  if (!(s->tolerance >= 0.0 && s->tolerance < 1.0)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "error tolerance %g must be in (0, 1), or 0 for steps of one length",
                   s->tolerance);
  }
  if (!(s->divide >= 0.0) || s->divide_max < 0 || s->divide_max >= MS_MAX_PART) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "divide = %g must be >= 0, divide_max = %d from 0 to %d",
                   s->divide, s->divide_max, MS_MAX_PART - 1);
  }
  if (!(s->newton_tolerance > 0.0) || s->newton_max < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "Newton needs a tolerance > 0 and at least one iteration");
  }
  return MS_SUCCESS;
}

static ms_status allocate_modal(ms_transient *run) {
  double **part[] = { &run->q,      &run->v,      &run->a,      &run->p,        &run->q_next,
                      &run->v_next, &run->a_next, &run->p_next, &run->p_from,   &run->p_to,
                      &run->g,      &run->gq,     &run->gv,     &run->v_square, &run->a_square };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    MS_TRY(ms_allocate(run->ctx, run->m, sizeof(double), part[i]));
  }
  return ms_allocate(run->ctx, run->method->coefficients(run), sizeof(double), &run->coefficient);
}

static ms_status allocate_joints(ms_transient *run) {
  double **vector[] = { &run->z,       &run->z_free,  &run->w,         &run->w_free,
                        &run->f,       &run->d,       &run->d_old,     &run->r,
                        &run->z_whole, &run->z_probe, &run->w_probe,   &run->f_probe,
                        &run->fz,      &run->z_rate,  &run->most_rate, &run->most_curvature,
                        &run->d_rate };
  double **square[] = { &run->H, &run->Hv, &run->J };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    MS_TRY(ms_allocate(run->ctx, run->n, sizeof(double), vector[i]));
  }
  for (size_t i = 0; i < sizeof square / sizeof *square; i++) {
    MS_TRY(ms_allocate(run->ctx, run->n * run->n, sizeof(double), square[i]));
  }
  MS_TRY(ms_allocate(run->ctx, run->n_own, sizeof(double), &run->x));
  MS_TRY(ms_allocate(run->ctx, 2 * MS_JOINT_MAX_AXIS * run->structure->n_curved, sizeof(double),
                     &run->slope));
  MS_TRY(ms_allocate(run->ctx, run->structure->n_attachment, sizeof *run->attachment,
                     &run->attachment_probe));
  return ms_allocate(run->ctx, run->structure->n_attachment, sizeof *run->attachment,
                     &run->attachment);
}

/* H = gamma^T gain gamma, column by column; q_next and v_next serve as workspace. */
void ms_transient_fill_H(ms_transient *run) {
  ptrdiff_t m = run->m, n = run->n;
  for (ptrdiff_t j = 0; j < n; j++) {
    run->method->gain(run, run->gamma + m * j, run->q_next, run->v_next);
    for (ptrdiff_t i = 0; i < n; i++) {
      const double *g = run->gamma + m * i;
      double sum = 0.0, sum_v = 0.0;
      for (ptrdiff_t r = 0; r < m; r++) {
        sum += g[r] * run->q_next[r];
        sum_v += g[r] * run->v_next[r];
      }
      run->H[i + n * j] = sum;
      run->Hv[i + n * j] = sum_v;
    }
  }
}

/* Modes up to the last that rings: all where nothing keeps the others from being moved along. */
static ptrdiff_t count_ringing(const ms_transient *run) {
  const ms_transient_setting *s = &run->setting;
  ptrdiff_t n = run->m;
  if (!run->method->divides || s->tolerance > 0.0 || run->curved || !(s->static_above > 0.0)) {
    return n;
  }
  while (n > 0 && run->omega[n - 1] > s->static_above) n--;
  return n;
}

static ms_status set_up(ms_transient *run) {
  const ms_structure *s = run->structure;
  run->m = run->on = s->n;
  run->n = s->n_axis + s->n_curved;
  run->n_own = s->n_axis;
  run->curved = s->n_curved > 0;
  run->dt = run->setting.step;
  run->omega = s->omega;
  run->damping = s->modal_damping;
  run->damping_full = s->modal_damping_full;
  run->gamma = s->gamma;
  run->ring = count_ringing(run);
  MS_TRY(allocate_modal(run));
  MS_TRY(allocate_joints(run));
  for (int i = 0; i < run->structure->n_attachment; i++) {
    const ms_attachment *from = &run->structure->attachment[i];
    const ms_law_info *info = ms_joint_info(from->joint);
    ms_trial_attachment *attachment = &run->attachment[i];
    attachment->joint = from->joint;
    attachment->stuck = from->stuck;
    attachment->n = info->n_axis;
    attachment->first = from->first;
    attachment->in = (ms_joint_input)MS_JOINT_INPUT_DEFAULT;
    if (from->n_curved > 0) {
      attachment->curve = from;
      attachment->c = run->slope + 2 * MS_JOINT_MAX_AXIS * (from->first_curved - run->n_own);
      attachment->e = attachment->c + MS_JOINT_MAX_AXIS * from->n_curved;
    }
    run->attachment_probe[i] = *attachment;
    run->rate |= (info->flags & MS_LAW_RATE) != 0;
    run->wide |= info->n_axis > 1;
  }
  MS_TRY(run->method->prepare(run));
  ms_transient_fill_H(run);
  if (run->setting.tolerance > 0.0) {
    MS_TRY(ms_adaptive_open(run));
  } else if (run->method->divides && run->n_own > 0 && run->setting.divide > 0.0) {
    MS_TRY(ms_divide_open(run));
  }
  MS_TRY(ms_transient_open_contact(run));
  return ms_transient_start(run, 0.0, NULL, NULL);
}

ms_status ms_transient_create(ms_structure *structure, const ms_transient_setting *setting,
                              ms_transient **out) {
  MS_MAKE(structure ? structure->ctx : NULL, out, structure && setting);
  ms_context *ctx = structure->ctx;
  ms_transient_setting own = MS_TRANSIENT_DEFAULT;
  const ms_integrator *method = NULL;
  ms_transient *run;
  if (!structure->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  MS_TAKE(ctx, ms_transient_default, setting, own);
  MS_TRY(check_setting(ctx, setting));
  MS_TRY(find_method(ctx, setting->method, &method));
  MS_TRY(ms_allocate(ctx, 1, sizeof *run, &run));
  *run =
      (ms_transient) { .ctx = ctx, .structure = structure, .setting = *setting, .method = method };
  ms_status status = set_up(run);
  if (status != MS_SUCCESS) {
    ms_transient_destroy(&run);
    return status;
  }
  *out = run;
  return MS_SUCCESS;
}

void ms_transient_destroy(ms_transient **pointer) {
  if (!pointer || !*pointer) return;
  ms_transient *run = *pointer;
  ms_parts_close(run);
  ms_adaptive_close(run);
  ms_divide_close(run);
  ms_transient_close_contact(run);
  double **part[] = { &run->q,        &run->v,           &run->a,         &run->p,
                      &run->q_next,   &run->v_next,      &run->a_next,    &run->p_next,
                      &run->g,        &run->coefficient, &run->gq,        &run->gv,
                      &run->H,        &run->Hv,          &run->z,         &run->z_free,
                      &run->w,        &run->w_free,      &run->f,         &run->d,
                      &run->d_old,    &run->r,           &run->J,         &run->p_from,
                      &run->p_to,     &run->z_whole,     &run->z_probe,   &run->w_probe,
                      &run->f_probe,  &run->fz,          &run->x,         &run->slope,
                      &run->v_square, &run->a_square,    &run->z_begin,   &run->f_begin,
                      &run->d_begin,  &run->z_rate,      &run->most_rate, &run->most_curvature,
                      &run->d_rate };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) ms_free(run->ctx, part[i]);
  for (int i = 0; i < run->n_load; i++) ms_free(run->ctx, &run->load[i].modal);
  ms_free(run->ctx, &run->load);
  ms_free(run->ctx, &run->attachment);
  ms_free(run->ctx, &run->attachment_probe);
  ms_free(run->ctx, pointer);
}

/* ---- many steps ---- */

ms_status ms_transient_run(ms_transient *run, ptrdiff_t steps, ptrdiff_t stride,
                           ms_observe_fn observe, void *user) {
  enum { PROGRESS = 4096, LOOK = 32 };
  if (stride < 1)
    return ms_fail(run->ctx, MS_ERR_ARGUMENT, "stride %td must be at least 1", stride);
  if (observe && observe(user, run))
    return ms_fail(run->ctx, MS_CANCELLED, "stopped by the observer");
  for (ptrdiff_t k = 1; k <= steps; k++) {
    MS_TRY(ms_transient_step(run));
    if (observe && k % stride == 0 && observe(user, run)) {
      return ms_fail(run->ctx, MS_CANCELLED, "stopped by the observer");
    }
    if (k % LOOK == 0) MS_TRY(ms_check_stop(run->ctx, "transient"));
    if (k % PROGRESS == 0) MS_TRY(ms_progress(run->ctx, "transient", (double)k / (double)steps));
  }
  for (ptrdiff_t r = 0; r < run->m; r++) {
    if (isfinite(run->q[r]) && isfinite(run->v[r])) continue;
    return ms_fail(run->ctx, MS_ERR_NUMERIC, "mode %td is not finite at t = %g", r + 1, run->t);
  }
  return MS_SUCCESS;
}

/* ---- the state now ---- */

double ms_transient_get_time(const ms_transient *run) {
  return run->t;
}

ptrdiff_t ms_transient_get_step(const ms_transient *run) {
  return run->step;
}

void ms_transient_get_modal(const ms_transient *run, const double **q, const double **v,
                            const double **a) {
  if (q) *q = run->q;
  if (v) *v = run->v;
  if (a) *a = run->a;
}

static void to_coordinates(const ms_transient *run, const double *x, double *u) {
  ptrdiff_t n = run->m;
  memset(u, 0, (size_t)n * sizeof *u);
  for (ptrdiff_t r = 0; r < n; r++) {
    const double *phi = run->structure->shape + n * r;
    for (ptrdiff_t i = 0; i < n; i++) u[i] += phi[i] * x[r];
  }
}

void ms_transient_get_coordinates(const ms_transient *run, double *u, double *v, double *a) {
  if (u) to_coordinates(run, run->q, u);
  if (v) to_coordinates(run, run->v, v);
  if (a) to_coordinates(run, run->a, a);
}

void ms_transient_get_joints(const ms_transient *run, const double **z, const double **f) {
  if (z) *z = run->z;
  if (f) *f = run->f;
}

ms_transient_count ms_transient_get_count(const ms_transient *run) {
  return run->count;
}
