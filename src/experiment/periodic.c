#include "experiment/periodic.h"

#include <math.h>
#include <stdio.h>

ms_status ms_periodic_open(ms_structure *structure, const ms_harmonic_setting *setting,
                           const double *force, const double *preload, ms_harmonic **out) {
  MS_TRY(ms_harmonic_create(structure, setting, out));
  MS_TRY(ms_harmonic_add_load(*out, force, 1, 1.0, 0.0));
  return preload ? ms_harmonic_add_load(*out, preload, 0, 1.0, 0.0) : MS_SUCCESS;
}

void ms_periodic_free(ms_context *ctx, ms_periodic *p) {
  ms_free(ctx, &p->point);
  ms_free(ctx, &p->sensor);
  ms_free(ctx, &p->axis);
  ms_free(ctx, &p->loss);
  p->n = 0;
}

static ms_status reserve(ms_context *ctx, ptrdiff_t n, ms_periodic *p) {
  MS_TRY(ms_allocate(ctx, n, sizeof *p->point, &p->point));
  MS_TRY(ms_allocate(ctx, n * p->n_sensor, sizeof *p->sensor, &p->sensor));
  MS_TRY(ms_allocate(ctx, n * p->n_axis, sizeof *p->axis, &p->axis));
  return ms_allocate(ctx, n * p->n_joint, sizeof *p->loss, &p->loss);
}

/* ---- a curve ---- */

/* `work`: a weight for each degree of freedom, all zero, and a displacement's coefficients. */
static ms_status add_point(ms_harmonic *h, const ms_harmonic_curve *curve, ptrdiff_t i, int H,
                           const ptrdiff_t *sensor, double *work, double *x, ms_periodic *p) {
  const ms_harmonic_point *point = ms_harmonic_curve_get_point(curve, i);
  ms_periodic_motion *motion = p->sensor + p->n_sensor * p->n;
  p->point[p->n] = *point;
  for (ptrdiff_t k = 0; k < p->n_sensor; k++) {
    work[sensor[k]] = 1.0;
    ms_status status = ms_harmonic_recover(h, curve, i, work, x);
    work[sensor[k]] = 0.0;
    if (status != MS_SUCCESS) return status;
    motion[k].amplitude = hypot(x[1], x[2]);
    motion[k].phase = atan2(-x[2], x[1]);
    for (int d = 0; d < 3; d++) motion[k].peak[d] = ms_harmonic_peak(H, x, point->omega, d);
  }
  for (int a = 0; a < p->n_axis; a++) {
    p->axis[a + p->n_axis * p->n] = ms_harmonic_curve_get_axis(curve, i, a);
  }
  for (int j = 0; j < p->n_joint; j++) {
    p->loss[j + p->n_joint * p->n] = ms_harmonic_curve_get_loss(curve, i, j);
  }
  p->n++;
  return MS_SUCCESS;
}

ms_status ms_periodic_read(ms_context *ctx, const ms_structure *s, ms_harmonic *h,
                           const ms_harmonic_curve *curve, int H, int listed, ptrdiff_t n_sensor,
                           const ptrdiff_t *sensor, ms_periodic *p) {
  const ms_harmonic_curve_info info = ms_harmonic_curve_get_info(curve);
  const ptrdiff_t n = ms_structure_get_size(s);
  double *work = NULL;
  *p = (ms_periodic) { .n_sensor = n_sensor,
                       .n_joint = ms_structure_count_joints(s),
                       .complete = info.complete,
                       .ended = info.ended,
                       .missed = info.missed,
                       .evaluations = info.evaluations,
                       .rejected = info.rejected,
                       .worst = info.worst };
  snprintf(p->remark, sizeof p->remark, "%s", info.reason);
  for (int j = 0; j < p->n_joint; j++) {
    p->n_axis += ms_joint_info(ms_structure_get_joint(s, j))->n_axis;
  }
  ms_status status = reserve(ctx, info.points, p);
  if (status == MS_SUCCESS) {
    status = ms_allocate(ctx, n + 2 * (ptrdiff_t)H + 1, sizeof *work, &work);
  }
  for (ptrdiff_t i = 0; i < info.points && status == MS_SUCCESS; i++) {
    if (listed && ms_harmonic_curve_get_point(curve, i)->listed == 0) continue;
    status = add_point(h, curve, i, H, sensor, work, work + n, p);
  }
  ms_free(ctx, &work);
  return status;
}

ms_status ms_periodic_excuse(ms_context *ctx, ms_status status, ms_periodic *p) {
  if (status != MS_NOT_CONVERGED) return status;
  snprintf(p->remark, sizeof p->remark, "%.230s", ms_context_message(ctx));
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

/* ---- as numbers ---- */

enum { N_HEAD = 9, N_POINT = 18, N_MOTION = 5, N_AXIS = 4 };

void ms_periodic_pack(ms_packer *t, const ms_periodic *p) {
  const double head[N_HEAD] = { (double)p->n_sensor,
                                p->n_axis,
                                p->n_joint,
                                p->complete,
                                p->ended,
                                (double)p->missed,
                                (double)p->evaluations,
                                (double)p->rejected,
                                p->worst };
  ms_pack_numbers(t, head, N_HEAD);
  ms_pack_text(t, p->remark);
  ms_pack_number(t, (double)p->n);
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_harmonic_point *c = &p->point[i];
    const double point[N_POINT] = {
      c->level,          c->omega,        c->q,     c->response,   c->zeta,
      c->zeta_joint,     c->zeta_viscous, c->D,     c->higher,     c->residual,
      c->repeat,         c->iterations,   c->phase, c->multiplier, (double)c->stability,
      (double)c->listed, (double)c->mode, c->turn
    };
    ms_pack_numbers(t, point, N_POINT);
  }
  for (ptrdiff_t i = 0; i < p->n * p->n_sensor; i++) {
    const ms_periodic_motion *m = &p->sensor[i];
    const double motion[N_MOTION] = { m->amplitude, m->phase, m->peak[0], m->peak[1], m->peak[2] };
    ms_pack_numbers(t, motion, N_MOTION);
  }
  for (ptrdiff_t i = 0; i < p->n * p->n_axis; i++) {
    const ms_harmonic_axis_motion *z = &p->axis[i];
    const double axis[N_AXIS] = { z->displacement, z->peak, z->half_range, z->force };
    ms_pack_numbers(t, axis, N_AXIS);
  }
  ms_pack_numbers(t, p->loss, p->n * p->n_joint);
}

static void unpack_points(ms_unpacker *r, ptrdiff_t n, ms_periodic *p) {
  for (; p->n < n; p->n++) {
    const double *v = ms_unpack_numbers(r, N_POINT);
    p->point[p->n] = (ms_harmonic_point) { .level = v[0],
                                           .omega = v[1],
                                           .q = v[2],
                                           .response = v[3],
                                           .zeta = v[4],
                                           .zeta_joint = v[5],
                                           .zeta_viscous = v[6],
                                           .D = v[7],
                                           .higher = v[8],
                                           .residual = v[9],
                                           .repeat = v[10],
                                           .iterations = (int)v[11],
                                           .phase = v[12],
                                           .multiplier = v[13],
                                           .stability = (ms_stability)v[14],
                                           .listed = (ptrdiff_t)v[15],
                                           .mode = (ptrdiff_t)v[16],
                                           .turn = (int)v[17] };
  }
  for (ptrdiff_t i = 0; i < n * p->n_sensor; i++) {
    const double *v = ms_unpack_numbers(r, N_MOTION);
    p->sensor[i] = (ms_periodic_motion) { v[0], v[1], { v[2], v[3], v[4] } };
  }
  for (ptrdiff_t i = 0; i < n * p->n_axis; i++) {
    const double *v = ms_unpack_numbers(r, N_AXIS);
    p->axis[i] = (ms_harmonic_axis_motion) { v[0], v[1], v[2], v[3] };
  }
  for (ptrdiff_t i = 0; i < n * p->n_joint; i++) p->loss[i] = *ms_unpack_numbers(r, 1);
}

ms_status ms_periodic_unpack(ms_context *ctx, ms_unpacker *r, ms_periodic *p) {
  const double *v = ms_unpack_numbers(r, N_HEAD);
  ptrdiff_t points = -1;
  if (v && v[0] >= 0.0 && v[1] >= 0.0 && v[2] >= 0.0 &&
      ms_unpack_text(r, p->remark, sizeof p->remark)) {
    p->n_sensor = (ptrdiff_t)v[0];
    p->n_axis = (int)v[1];
    p->n_joint = (int)v[2];
    points = ms_unpack_count(
        r, N_POINT + N_MOTION * p->n_sensor + N_AXIS * (ptrdiff_t)p->n_axis + p->n_joint);
  }
  if (points < 0) {
    return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
  }
  p->complete = v[3] != 0.0;
  p->ended = v[4] != 0.0;
  p->missed = (ptrdiff_t)v[5];
  p->evaluations = (ptrdiff_t)v[6];
  p->rejected = (ptrdiff_t)v[7];
  p->worst = v[8];
  MS_TRY(reserve(ctx, points, p));
  unpack_points(r, points, p);
  return MS_SUCCESS;
}
