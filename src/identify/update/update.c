/* Measured modes beside those of a model.

   a_k    shape of measured mode k at the sensors, complex; omega_k its frequency
   b_r    shape of mode r of the model at the sensors, real; omega_r its frequency
   MAC    |a_k^H b_r|^2/(|a_k|^2 |b_r|^2)

   Pairs make the sum of 1 - MAC + tie min(1, |ln(omega_r/omega_k)|) least: the frequency decides
   where the sensors see no difference. Rigid-body modes are no candidates. */
#include "identify/update/update.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/tolerance.h"

/* ---- what was measured ---- */

static int row_of(const ms_measured_modes *m, ptrdiff_t k) {
  return m->row ? m->row[k] : (int)k + 1;
}

static int is_positive(double x) {
  return isfinite(x) && x > 0.0;
}

static ms_status check_shape(ms_context *ctx, const ms_measured_modes *m, ptrdiff_t k) {
  double sum = 0.0;
  for (ptrdiff_t i = m->n_sensor * k; i < m->n_sensor * (k + 1); i++) {
    sum += m->re[i] * m->re[i] + (m->im ? m->im[i] * m->im[i] : 0.0);
  }
  if (is_positive(sum)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "measured mode %td (row %d) has a shape that is %s", k + 1,
                 row_of(m, k), sum == 0.0 ? "zero everywhere" : "not finite");
}

static ms_status check_mode(ms_context *ctx, const ms_measured_modes *m, ptrdiff_t k) {
  if (!is_positive(m->omega[k])) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "measured mode %td (row %d) has a frequency of %g Hz, which must be positive",
                   k + 1, row_of(m, k), m->omega[k] / (2.0 * MS_PI));
  }
  if (!is_positive(m->deviation[k])) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "measured mode %td (row %d) has a standard deviation of %g, which must be "
                   "positive",
                   k + 1, row_of(m, k), m->deviation[k]);
  }
  return m->n_sensor > 0 ? check_shape(ctx, m, k) : MS_SUCCESS;
}

/* As many numbers can be found as there are data; a shape has a size that says nothing. */
static ms_status check_count(ms_context *ctx, ptrdiff_t unknowns, const ms_measured_modes *m) {
  int shapes = m->n_sensor > 0 && m->shape_deviation > 0.0;
  ptrdiff_t data = m->n + (shapes ? m->n * (m->n_sensor - 1) * (m->im ? 2 : 1) : 0);
  if (unknowns <= data) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "%td unknowns, but %td measured %s%s; free fewer, or measure more", unknowns, data,
                 shapes ? "frequencies and components of shapes" : "frequencies",
                 m->n_sensor > 0 && !shapes ? " (shapes are for pairs only)" : "");
}

static ms_status check_measured(ms_context *ctx, ptrdiff_t unknowns, const ms_measured_modes *m) {
  if (m->n < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "there is no measured mode");
  if (m->n_sensor == 1) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "shapes at one sensor are all alike; it takes two");
  }
  for (ptrdiff_t k = 0; k < m->n; k++) MS_TRY(check_mode(ctx, m, k));
  if (!(m->shape_deviation >= 0.0 && isfinite(m->shape_deviation))) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "the deviation of shapes is %g; it must be 0 or more",
                   m->shape_deviation);
  }
  return check_count(ctx, unknowns, m);
}

/* ---- life ---- */

static ms_status copy(ms_context *ctx, ptrdiff_t n, size_t size, const void *from, void *to) {
  void **out = to;
  if (!from) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n, size, out));
  memcpy(*out, from, (size_t)n * size);
  return MS_SUCCESS;
}

static ms_status copy_shapes(ms_updating *u, const ms_measured_modes *m) {
  ptrdiff_t size = m->n_sensor * m->n;
  MS_TRY(ms_allocate(u->ctx, m->n_sensor, sizeof *u->sensor, &u->sensor));
  u->n_sensor = m->n_sensor;
  for (ptrdiff_t i = 0; i < m->n_sensor; i++) {
    MS_TRY(ms_text_copy(u->ctx, m->sensor[i], &u->sensor[i]));
  }
  MS_TRY(copy(u->ctx, size, sizeof *u->re, m->re, &u->re));
  MS_TRY(copy(u->ctx, size, sizeof *u->im, m->im, &u->im));
  MS_TRY(ms_allocate(u->ctx, m->n, sizeof *u->rms, &u->rms));
  for (ptrdiff_t i = 0; i < size; i++) {
    double im = u->im ? u->im[i] : 0.0;
    u->rms[i / m->n_sensor] += (u->re[i] * u->re[i] + im * im) / (double)m->n_sensor;
  }
  for (ptrdiff_t k = 0; k < m->n; k++) u->rms[k] = sqrt(u->rms[k]);
  u->shape_deviation = m->shape_deviation;
  return ms_allocate(u->ctx, m->n_sensor, sizeof *u->at, &u->at);
}

static ms_status copy_measured(ms_updating *u, const ms_measured_modes *m) {
  u->n = m->n;
  MS_TRY(copy(u->ctx, m->n, sizeof *u->omega, m->omega, &u->omega));
  MS_TRY(copy(u->ctx, m->n, sizeof *u->deviation, m->deviation, &u->deviation));
  MS_TRY(copy(u->ctx, m->n, sizeof *u->mode, m->mode, &u->mode));
  MS_TRY(ms_allocate(u->ctx, m->n, sizeof *u->row, &u->row));
  for (ptrdiff_t k = 0; k < m->n; k++) u->row[k] = row_of(m, k);
  MS_TRY(ms_allocate(u->ctx, m->n, sizeof *u->pair, &u->pair));
  return m->n_sensor > 0 ? copy_shapes(u, m) : MS_SUCCESS;
}

void ms_updating_destroy(ms_updating **updating) {
  if (!updating || !*updating) return;
  ms_updating *u = *updating;
  ms_context *ctx = u->ctx;
  for (ptrdiff_t i = 0; i < u->n_sensor; i++) ms_free(ctx, &u->sensor[i]);
  void *owned[] = { &u->sensor, &u->omega, &u->deviation, &u->re,   &u->im,
                    &u->rms,    &u->mode,  &u->row,       &u->pair, &u->model_omega,
                    &u->b,      &u->mac,   &u->cost,      &u->at,   &u->scratch };
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) ms_free(ctx, owned[i]);
  ms_free(ctx, updating);
}

/* ---- the model ---- */

ms_status ms_updating_build(ms_updating *u, const double *p, ms_structure **out) {
  char text[256] = "";
  *out = NULL;
  ms_status status = u->model.build(u->model.user, p, out);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  for (ptrdiff_t j = 0, at = 0; j < u->model.n && at < 200; j++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%s%.60s = %.7g", j ? ", " : "",
                   u->model.parameter[j].name, p[j]);
  }
  return ms_fail_at(u->ctx, status, "the model at %s", text);
}

static ms_status reserve(ms_updating *u, ptrdiff_t n) {
  if (n == u->n_mode) return MS_SUCCESS;
  u->n_mode = 0;
  MS_TRY(ms_resize(u->ctx, n, sizeof *u->model_omega, &u->model_omega));
  if (u->n_sensor > 0) {
    MS_TRY(ms_resize(u->ctx, u->n_sensor * n, sizeof *u->b, &u->b));
    MS_TRY(ms_resize(u->ctx, u->n * n, sizeof *u->mac, &u->mac));
    MS_TRY(ms_resize(u->ctx, u->n * n, sizeof *u->cost, &u->cost));
  }
  u->n_mode = n;
  return MS_SUCCESS;
}

static ms_status find_sensors(ms_updating *u, const ms_structure *s) {
  for (ptrdiff_t i = 0; i < u->n_sensor; i++) {
    ms_status status = ms_structure_find(s, u->sensor[i], &u->at[i]);
    if (status == MS_SUCCESS && u->at[i] == MS_GROUND) {
      status = ms_fail(u->ctx, MS_ERR_NAME, "'%s' does not move", u->sensor[i]);
    }
    if (status != MS_SUCCESS) return ms_fail_at(u->ctx, status, "sensor %s", u->sensor[i]);
  }
  return MS_SUCCESS;
}

/* ---- pairs ---- */

static ms_status fail_few(const ms_updating *u, ptrdiff_t elastic) {
  return ms_fail(u->ctx, MS_ERR_ARGUMENT,
                 "%td modes were measured, but the model has %td that are not of a rigid body",
                 u->n, elastic);
}

static ms_status pair_by_number(ms_updating *u, ptrdiff_t rigid) {
  if (!u->mode && u->n_mode - rigid < u->n) return fail_few(u, u->n_mode - rigid);
  for (ptrdiff_t k = 0; k < u->n; k++) {
    ptrdiff_t r = u->mode ? u->mode[k] : rigid + k;
    if (r < rigid || r >= u->n_mode) {
      return ms_fail(u->ctx, MS_ERR_ARGUMENT,
                     "measured mode %td (row %d) is to be mode %td of the model, whose modes that "
                     "are not of a rigid body are %td to %td",
                     k + 1, u->row[k], r + 1, rigid + 1, u->n_mode);
    }
    u->pair[k] = r;
  }
  return MS_SUCCESS;
}

static ms_status pair_by_shape(ms_updating *u, ptrdiff_t rigid) {
  if (u->n_mode - rigid < u->n) return fail_few(u, u->n_mode - rigid);
  ms_mac(u->n_sensor, u->n, u->re, u->im, u->n_mode, u->b, u->mac);
  for (ptrdiff_t r = 0; r < u->n_mode; r++) {
    for (ptrdiff_t k = 0; k < u->n; k++) {
      double *cost = &u->cost[k + u->n * r];
      *cost = ms_identify_tol.never;
      if (r < rigid) continue;
      *cost = 1.0 - u->mac[k + u->n * r] +
              ms_identify_tol.tie * fmin(1.0, fabs(log(u->model_omega[r] / u->omega[k])));
    }
  }
  return ms_assign(u->ctx, u->n, u->n_mode, u->cost, u->pair);
}

/* Fills what is known of the model from its structure. */
static ms_status look(ms_updating *u, const ms_structure *s) {
  ms_modes modes = ms_structure_get_stuck(s);
  ptrdiff_t rigid = 0;
  MS_TRY(reserve(u, modes.n));
  MS_TRY(find_sensors(u, s));
  memcpy(u->model_omega, modes.omega, (size_t)modes.n * sizeof *u->model_omega);
  while (rigid < modes.n && modes.omega[rigid] == 0.0) rigid++;
  for (ptrdiff_t r = 0; r < modes.n; r++) {
    for (ptrdiff_t i = 0; i < u->n_sensor; i++) {
      u->b[i + u->n_sensor * r] = modes.shape[u->at[i] + modes.n * r];
    }
  }
  return u->n_sensor > 0 ? pair_by_shape(u, rigid) : pair_by_number(u, rigid);
}

static ms_mode_pair describe(const ms_updating *u, ptrdiff_t k) {
  ptrdiff_t r = u->pair[k];
  ms_mode_pair pair = { .mode = r, .omega = u->model_omega[r], .rival = -1 };
  if (u->n_sensor == 0) return pair;
  pair.mac = u->mac[k + u->n * r];
  for (ptrdiff_t q = 0; q < u->n_mode; q++) {
    if (q == r || u->model_omega[q] == 0.0) continue;
    if (pair.rival >= 0 && u->mac[k + u->n * q] <= pair.rival_mac) continue;
    pair.rival = q;
    pair.rival_mac = u->mac[k + u->n * q];
  }
  return pair;
}

ms_status ms_updating_look(ms_updating *u, const double *p, ms_mode_pair *pair) {
  ms_structure *s;
  MS_TRY(ms_updating_build(u, p, &s));
  ms_status status = look(u, s);
  for (ptrdiff_t k = 0; status == MS_SUCCESS && k < u->n; k++) pair[k] = describe(u, k);
  ms_structure_destroy(&s);
  return status;
}

ms_mac_view ms_updating_get_mac(const ms_updating *u) {
  return (ms_mac_view) { u->n, u->n_mode, u->model_omega, u->n_sensor > 0 ? u->mac : NULL };
}

ms_status ms_updating_check_pairs(const ms_updating *u, const ms_mode_pair *pair, double least) {
  char text[400] = "";
  int bad = 0, at = 0;
  for (ptrdiff_t k = 0; u->n_sensor > 0 && k < u->n; k++) {
    if (pair[k].mac >= least) continue;
    if (at < 300) {
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "%s%td (row %d, %.5g Hz; %.2f with mode %td, %.5g Hz)", bad ? ", " : "", k + 1,
                     u->row[k], u->omega[k] / (2.0 * MS_PI), pair[k].mac, pair[k].mode + 1,
                     pair[k].omega / (2.0 * MS_PI));
    }
    bad++;
  }
  if (bad == 0) return MS_SUCCESS;
  return ms_fail(u->ctx, MS_ERR_ARGUMENT,
                 "measured mode%s without a mode of the model that is like it, MAC below %g: %s",
                 bad > 1 ? "s" : "", least, text);
}

/* ---- residuals ---- */

ptrdiff_t ms_updating_count_residuals(const ms_updating *u) {
  if (!(u->shape_deviation > 0.0)) return u->n;
  return u->n + u->n * u->n_sensor * (u->im ? 2 : 1);
}

void ms_updating_scale(const ms_updating *u, ptrdiff_t k, const double *b, double c[2]) {
  double bb = 0.0;
  c[0] = c[1] = 0.0;
  for (ptrdiff_t i = 0; i < u->n_sensor; i++) {
    bb += b[i] * b[i];
    c[0] += b[i] * u->re[i + u->n_sensor * k];
    c[1] += u->im ? b[i] * u->im[i + u->n_sensor * k] : 0.0;
  }
  for (int z = 0; z < 2; z++) c[z] = bb > 0.0 ? c[z] / bb : 0.0;
}

static void fill_residuals(const ms_updating *u, double *r) {
  for (ptrdiff_t k = 0; k < u->n; k++) {
    r[k] = (u->model_omega[u->pair[k]] / u->omega[k] - 1.0) / u->deviation[k];
    if (!(u->shape_deviation > 0.0)) continue;
    const double *b = u->b + u->n_sensor * u->pair[k], unit = u->rms[k] * u->shape_deviation;
    double c[2];
    ms_updating_scale(u, k, b, c);
    for (ptrdiff_t i = 0, at = u->n_sensor * k; i < u->n_sensor; i++, at++) {
      r[u->n + at] = (c[0] * b[i] - u->re[at]) / unit;
      if (u->im) r[u->n + u->n * u->n_sensor + at] = (c[1] * b[i] - u->im[at]) / unit;
    }
  }
}

ms_status ms_updating_eval(void *updating, const double *p, double *r, double *jac) {
  ms_updating *u = updating;
  ms_structure *s;
  MS_TRY(ms_updating_build(u, p, &s));
  ms_status status = look(u, s);
  if (status == MS_SUCCESS) fill_residuals(u, r);
  if (status == MS_SUCCESS && jac) status = ms_updating_fill_slopes(u, s, p, jac);
  ms_structure_destroy(&s);
  return status;
}

ms_status ms_updating_create(ms_context *ctx, const ms_update_model *model,
                             const ms_measured_modes *measured, const double *p,
                             ms_updating **out) {
  ms_updating *u;
  ms_structure *s = NULL;
  MS_MAKE(ctx, out, model && model->build && measured && p);
  MS_TRY(check_measured(ctx, model->n, measured));
  MS_TRY(ms_allocate(ctx, 1, sizeof *u, &u));
  u->ctx = ctx;
  u->model = *model;
  ms_status status = copy_measured(u, measured);
  if (status == MS_SUCCESS) status = ms_updating_build(u, p, &s);
  if (status == MS_SUCCESS) status = look(u, s);
  ms_structure_destroy(&s);
  if (status != MS_SUCCESS) {
    ms_updating_destroy(&u);
    return status;
  }
  *out = u;
  return MS_SUCCESS;
}
