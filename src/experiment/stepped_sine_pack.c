/* The points of a stepped sine as numbers, and back. */
#include "core/pack.h"
#include "experiment/pack.h"

enum { N_HEAD = 7, N_POINT = 16, N_AXIS = 4 };

ptrdiff_t ms_stepped_save(const ms_stepped_run *run, double *values) {
  ms_packer t = { .values = values };
  const double head[N_HEAD] = { run->n_axis,   run->n_joint, (double)run->missing,
                                run->complete, run->ended,   (double)run->evaluations,
                                run->worst };
  ms_pack_numbers(&t, head, N_HEAD);
  ms_pack_text(&t, run->remark);
  ms_pack_number(&t, (double)run->n);
  for (ptrdiff_t i = 0; i < run->n; i++) {
    const ms_harmonic_point *c = &run->point[i];
    const double point[N_POINT] = { c->level,         c->omega,      c->q,
                                    c->response,      c->zeta,       c->zeta_joint,
                                    c->zeta_viscous,  c->D,          c->higher,
                                    c->residual,      c->repeat,     c->iterations,
                                    c->phase,         c->multiplier, (double)c->stability,
                                    (double)c->listed };
    ms_pack_numbers(&t, point, N_POINT);
  }
  ms_pack_numbers(&t, run->sensor, run->n * run->plan->n_sensor);
  for (ptrdiff_t i = 0; i < run->n * run->n_axis; i++) {
    const ms_harmonic_axis_motion *z = &run->axis[i];
    const double axis[N_AXIS] = { z->displacement, z->peak, z->half_range, z->force };
    ms_pack_numbers(&t, axis, N_AXIS);
  }
  ms_pack_numbers(&t, run->loss, run->n * run->n_joint);
  return t.n;
}

static void load_points(ms_stepped_run *run, ptrdiff_t n, ms_unpacker *r) {
  for (; run->n < n; run->n++) {
    const double *v = ms_unpack_numbers(r, N_POINT);
    run->point[run->n] = (ms_harmonic_point) { .level = v[0],
                                               .omega = v[1],
                                               .mode = run->mode,
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
                                               .listed = (ptrdiff_t)v[15] };
  }
  for (ptrdiff_t i = 0; i < n * run->plan->n_sensor; i++) run->sensor[i] = *ms_unpack_numbers(r, 1);
  for (ptrdiff_t i = 0; i < n * run->n_axis; i++) {
    const double *v = ms_unpack_numbers(r, N_AXIS);
    run->axis[i] = (ms_harmonic_axis_motion) { v[0], v[1], v[2], v[3] };
  }
  for (ptrdiff_t i = 0; i < n * run->n_joint; i++) run->loss[i] = *ms_unpack_numbers(r, 1);
}

ms_status ms_stepped_load(ms_context *ctx, ms_stepped_run *run, const double *values, ptrdiff_t n) {
  ms_unpacker r = { .values = values, .n = n };
  const double *v = ms_unpack_numbers(&r, N_HEAD);
  ptrdiff_t points = -1, width = 0;
  if (v && v[0] >= 0.0 && v[1] >= 0.0 && ms_unpack_text(&r, run->remark, sizeof run->remark)) {
    run->n_axis = (int)v[0];
    run->n_joint = (int)v[1];
    width = N_POINT + run->plan->n_sensor + N_AXIS * (ptrdiff_t)run->n_axis + run->n_joint;
    points = ms_unpack_count(&r, width);
  }
  if (points < 0 || r.n != points * width) {
    return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
  }
  run->missing = (ptrdiff_t)v[2];
  run->complete = v[3] != 0.0;
  run->ended = v[4] != 0.0;
  run->evaluations = (ptrdiff_t)v[5];
  run->worst = v[6];
  MS_TRY(ms_stepped_reserve(ctx, run, points));
  load_points(run, points, &r);
  return MS_SUCCESS;
}
