/* The Iwan family: exact field or discrete sliders behind the joint table. */
#include "joint/iwan.h"

#include <math.h>
#include <string.h>

ms_status ms_iwan_setup(ms_context *ctx, const double *setting, ms_iwan_model *model) {
  model->setting.merge_tolerance = setting[2];
  ptrdiff_t n = (ptrdiff_t)setting[0];
  if (n == 0) return MS_SUCCESS;
  return ms_sliders_create(ctx, &model->density, n, (ms_spacing)setting[1], &model->sliders);
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
}

void ms_iwan_start(const void *model, void *state, const double *u) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
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

/* Slider form: u, alpha, k, dissipated, then the anchors. */
enum { N_SLIDER_SCALAR = 4 };

ptrdiff_t ms_iwan_save_size(const void *model, const void *state) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  return m->sliders.n == 0 ? ms_field_save_size(&s->field) : N_SLIDER_SCALAR + m->sliders.n;
}

void ms_iwan_save(const void *model, const void *state, double *buffer) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    ms_field_save(&s->field, buffer);
    return;
  }
  buffer[0] = s->sliders.u, buffer[1] = s->sliders.alpha;
  buffer[2] = s->sliders.k, buffer[3] = s->sliders.dissipated;
  memcpy(buffer + N_SLIDER_SCALAR, s->sliders.anchor, (size_t)m->sliders.n * sizeof *buffer);
}

ms_status ms_iwan_load(ms_context *ctx, const void *model, void *state, const double *buffer,
                       ptrdiff_t n) {
  const ms_iwan_model *m = model;
  ms_iwan_state *s = state;
  if (m->sliders.n == 0) return ms_field_load(ctx, &m->density, &s->field, buffer, n);
  int sound = n == N_SLIDER_SCALAR + m->sliders.n;
  for (ptrdiff_t i = 0; sound && i < n; i++) sound = isfinite(buffer[i]) != 0;
  if (!sound) return ms_fail(ctx, MS_ERR_FORMAT, "the saved state is not one of this joint");
  s->sliders.u = buffer[0], s->sliders.alpha = buffer[1];
  s->sliders.k = buffer[2], s->sliders.dissipated = buffer[3];
  memcpy(s->sliders.anchor, buffer + N_SLIDER_SCALAR, (size_t)m->sliders.n * sizeof *buffer);
  return MS_SUCCESS;
}

/* g(u) = K u - (u m0(u) - m1(u)), which is sgn(u) F_S from phi_max on. */
void ms_iwan_backbone(const void *model, double u, double *force, double *slope) {
  const ms_density *d = &((const ms_iwan_model *)model)->density;
  double m[3], a = fabs(u);
  ms_density_moments(d, a, m);
  *force = copysign(a * (d->total[0] - m[0]) + m[1], u);
  *slope = d->total[0] - m[0];
}

/* D(u0) = 4 int_0^u0 rho phi (u0 - phi) dphi: each slider that slips does so twice by 2 (u0 - phi).
 */
double ms_iwan_cycle(const void *model, double u0, double omega) {
  (void)omega;
  double m[3];
  ms_density_moments(&((const ms_iwan_model *)model)->density, u0, m);
  return 4.0 * (u0 * m[1] - m[2]);
}

void ms_iwan_energy(const void *model, const void *state, ms_joint_energy *out) {
  const ms_iwan_model *m = model;
  const ms_iwan_state *s = state;
  if (m->sliders.n == 0) {
    ms_field_energy(&m->density, &s->field, out);
  } else {
    ms_sliders_energy(&m->sliders, &s->sliders, out);
  }
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
