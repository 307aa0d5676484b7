/* The Iwan family: exact field or discrete sliders behind the joint table, and beside either the
   spring K_inf, which adds k K_inf (u - start) to the force and takes no part in anything else. */
#include "joint/iwan/iwan.h"

#include <math.h>
#include <string.h>

ms_status ms_iwan_setup(ms_context *ctx, const double *setting, ms_iwan_model *model) {
  model->setting.merge_tolerance = setting[2];
  ptrdiff_t n = (ptrdiff_t)setting[0];
  if (n == 0) return MS_SUCCESS;
  ms_status status =
      ms_sliders_create(ctx, &model->density, n, (ms_spacing)setting[1], &model->sliders);
  if (status != MS_SUCCESS) ms_density_close(ctx, &model->density);
  return status;
}

ms_status ms_iwan_open(ms_context *ctx, const void *model, void *state) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  if (m->sliders.n == 0) return ms_field_open(ctx, &s->field);
  return ms_allocate(ctx, m->sliders.n, sizeof(double), &s->sliders.anchor);
}

void ms_iwan_close(ms_context *ctx, void *model, void *state) {
  ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    ms_field_close(ctx, &s->field);
  } else {
    ms_free(ctx, &s->sliders.anchor);
  }
  ms_sliders_destroy(ctx, &m->sliders);
  ms_density_close(ctx, &m->density);
}

void ms_iwan_start(const void *model, void *state, const double *u) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  s->start = u[0];
  if (m->sliders.n == 0) {
    ms_field_start(&m->density, &s->field, u[0]);
  } else {
    ms_sliders_start(&m->sliders, &s->sliders, u[0]);
  }
}

ms_status ms_iwan_update(const void *model, const void *state, const ms_joint_input *in,
                         ms_joint_output *out, ms_joint_trial *trial) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    ms_field_update(&m->density, &s->field, in, out, trial);
  } else {
    ms_sliders_update(&m->sliders, &s->sliders, in, out, trial);
  }
  return MS_SUCCESS;
}

ms_status ms_iwan_spring_update(const void *model, const void *state, const ms_joint_input *in,
                                ms_joint_output *out, ms_joint_trial *trial) {
  double K_inf = ((const ms_iwan_model *)model)->density.K_inf;
  double e = in->u[0] - ((const ms_iwan_state *)state)->start;
  MS_TRY(ms_iwan_update(model, state, in, out, trial));
  out->force[0] += in->k * K_inf * e;
  out->du[0] += in->k * K_inf;
  out->dk[0] += K_inf * e;
  return MS_SUCCESS;
}

ms_status ms_iwan_commit(ms_context *ctx, const void *model, void *state,
                         const ms_joint_trial *trial) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    return ms_field_commit(ctx, &m->density, &m->setting, &s->field, trial);
  }
  ms_sliders_commit(&m->sliders, &s->sliders, trial);
  return MS_SUCCESS;
}

/* Saved: the start, then the field's own numbers, or u, alpha, k, dissipated and the anchors. */
enum { N_SLIDER_SCALAR = 4 };

ptrdiff_t ms_iwan_save_size(const void *model, const void *state) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  return 1 + (m->sliders.n == 0 ? ms_field_save_size(&s->field) : N_SLIDER_SCALAR + m->sliders.n);
}

static void save_sliders(ptrdiff_t n, const ms_slider_state *s, double *buffer) {
  buffer[0] = s->u, buffer[1] = s->alpha, buffer[2] = s->k, buffer[3] = s->dissipated;
  memcpy(buffer + N_SLIDER_SCALAR, s->anchor, (size_t)n * sizeof *buffer);
}

void ms_iwan_save(const void *model, const void *state, double *buffer) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  buffer[0] = s->start;
  if (m->sliders.n == 0) {
    ms_field_save(&s->field, buffer + 1);
  } else {
    save_sliders(m->sliders.n, &s->sliders, buffer + 1);
  }
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "the saved state does not belong to this joint");
}

static ms_status load_sliders(ms_context *ctx, ptrdiff_t n_slider, ms_slider_state *s,
                              const double *buffer, ptrdiff_t n) {
  int valid = n == N_SLIDER_SCALAR + n_slider;
  for (ptrdiff_t i = 0; valid && i < n; i++) valid = isfinite(buffer[i]) != 0;
  if (!valid) return fail_load(ctx);
  s->u = buffer[0], s->alpha = buffer[1], s->k = buffer[2], s->dissipated = buffer[3];
  memcpy(s->anchor, buffer + N_SLIDER_SCALAR, (size_t)n_slider * sizeof *buffer);
  return MS_SUCCESS;
}

ms_status ms_iwan_load(ms_context *ctx, const void *model, void *state, const double *buffer,
                       ptrdiff_t n) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  if (n < 1 || !isfinite(buffer[0])) return fail_load(ctx);
  ms_status status = m->sliders.n == 0
                         ? ms_field_load(ctx, &m->density, &s->field, buffer + 1, n - 1)
                         : load_sliders(ctx, m->sliders.n, &s->sliders, buffer + 1, n - 1);
  if (status == MS_SUCCESS) s->start = buffer[0];
  return status;
}

void ms_iwan_backbone(const void *model, double u, double *force, double *slope) {
  ms_density_virgin(&((const ms_iwan_model *)model)->density, u, force, slope);
}

double ms_iwan_cycle(const void *model, double u0, double omega) {
  (void)omega;
  return ms_density_cycle(&((const ms_iwan_model *)model)->density, u0);
}

/* All of it from one set of moments, see density.c. */
int ms_iwan_virgin(const void *model, double u, ms_virgin *out) {
  const ms_iwan_model *m = model;
  const ms_density *d = &m->density;
  double moment[3], a = fabs(u);
  if (m->sliders.n > 0) return 0;
  ms_density_moments(d, a, moment);
  out->slope = d->total[0] - moment[0] + d->K_inf;
  out->force = copysign(a * out->slope + moment[1], u);
  out->slip = copysign(a * moment[0] - moment[1], u);
  out->loss = 4.0 * (a * moment[1] - moment[2]);
  return 1;
}

void ms_iwan_energy(const void *model, const void *state, ms_joint_energy *out) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  double e, k;
  if (m->sliders.n == 0) {
    ms_field_energy(&m->density, &s->field, out);
    e = s->field.origin - s->start + s->field.u;
    k = s->field.k;
  } else {
    ms_sliders_energy(&m->sliders, &s->sliders, out);
    e = s->sliders.u - s->start;
    k = s->sliders.k;
  }
  out->stored += 0.5 * k * m->density.K_inf * e * e;
}

void ms_iwan_memory(const void *model, const void *state, ms_joint_memory *out) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    ms_field_memory(&s->field, out);
  } else {
    *out = (ms_joint_memory) { .bytes = (size_t)m->sliders.n * sizeof(double) };
  }
}

double ms_iwan_slip_scale(const void *model) {
  return ((const ms_iwan_model *)model)->density.phi_max;
}

void ms_iwan_macroslip(const void *model, double *K) {
  K[0] = ((const ms_iwan_model *)model)->density.K_inf;
}

/* ---- derivatives: the row of the start, then those of the field or the sliders ---- */

ptrdiff_t ms_iwan_count_rows(const void *model, const void *state, const ms_joint_trial *trial) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  return 1 + (m->sliders.n == 0 ? ms_field_rows(&s->field, trial) : m->sliders.n);
}

static ms_step_sensitivity behind_start(const ms_step_sensitivity *d) {
  ms_step_sensitivity rest = *d;
  rest.row += d->n;
  return rest;
}

void ms_iwan_sensitivity_start(const void *model, const void *state, const ms_step_sensitivity *d) {
  const ms_iwan_model *m = model;
  ms_step_sensitivity rest = behind_start(d);
  (void)state;
  memcpy(d->row, d->u, ms_sensitivity_bytes(d));
  if (m->sliders.n == 0) {
    ms_field_sensitivity_start(&m->density, &rest);
  } else {
    ms_sliders_sensitivity_start(&m->sliders, &rest);
  }
}

void ms_iwan_sensitivity(const void *model, const void *state, const ms_joint_input *in,
                         const ms_joint_output *out, ms_joint_trial *trial,
                         const ms_step_sensitivity *d) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  ms_step_sensitivity rest = behind_start(d);
  (void)out;
  if (m->density.K_inf > 0.0) ms_sensitivity_add(d->n, -in->k * m->density.K_inf, d->row, d->force);
  if (m->sliders.n == 0) {
    ms_field_sensitivity(&m->density, &s->field, in, trial, &rest);
  } else {
    ms_sliders_sensitivity(&m->sliders, &s->sliders, in, &rest);
  }
}
