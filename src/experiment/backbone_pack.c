/* A curve of a backbone as numbers, and back. */
#include "core/pack.h"
#include "experiment/backbone.h"
#include "experiment/pack.h"

enum { N_HEAD = 6, N_POINT = 11, N_DERIVATIVE = 9, N_CONTACT = 19 };

ptrdiff_t ms_backbone_save(const void *item, double *values) {
  const ms_backbone_curve *c = item;
  ms_packer t = { .values = values };
  const double head[N_HEAD] = { c->partial,   c->worst, (double)c->evaluations,
                                c->tolerance, c->alias, c->first_slip };
  ms_pack_numbers(&t, head, N_HEAD);
  ms_pack_text(&t, c->remark);
  ms_pack_number(&t, (double)c->n);
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const ms_backbone_point *p = &c->point[i];
    const double point[N_POINT] = {
      p->q,         p->omega,     p->zeta,     p->zeta_joint, p->zeta_viscous, p->sensor[0],
      p->sensor[1], p->sensor[2], p->residual, p->quality,    p->loss,
    };
    ms_pack_numbers(&t, point, N_POINT);
  }
  ms_pack_number(&t, (double)c->n_derivative);
  for (ptrdiff_t i = 0; i < c->n_derivative; i++) {
    const ms_backbone_derivative *d = &c->derivative[i];
    const double derivative[N_DERIVATIVE] = {
      (double)d->point, d->joint, d->member,     d->by_differences, d->defined,
      d->value,         d->omega, d->zeta_joint, d->zeta,
    };
    ms_pack_numbers(&t, derivative, N_DERIVATIVE);
    ms_pack_text(&t, d->name);
    ms_pack_text(&t, d->unit);
  }
  ms_pack_number(&t, c->contact ? (double)c->n_contact_point : 0.0);
  for (ptrdiff_t i = 0; c->contact && i < c->n; i++) {
    const ms_backbone_contact *k = &c->contact[i];
    const double contact[N_CONTACT] = {
      k->q_min,
      k->q_max,
      k->cycle.D,
      k->cycle.work,
      k->cycle.D_masing,
      k->cycle.change,
      k->cycle.cycles,
      k->cycle.steady,
      (double)k->cycle.slipped,
      (double)k->cycle.opened,
      k->cycle.largest_residual,
      (double)k->cycle.steps,
      k->cycle.balanced,
      (double)k->cycle.load_steps,
      (double)k->cycle.iterations,
      (double)k->cycle.slow,
      k->stiffer,
      k->omega_change,
      k->zeta_change,
    };
    ms_pack_numbers(&t, contact, N_CONTACT);
    ms_pack_numbers(&t, c->contact_D + c->n_contact_point * i, c->n_contact_point);
    ms_pack_numbers(&t, c->contact_ends + 3 * c->n_contact_point * i, 3 * c->n_contact_point);
  }
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a curve does not belong to it");
}

static ms_status load_points(ms_context *ctx, ms_unpacker *r, ms_backbone_curve *c) {
  ptrdiff_t n = ms_unpack_count(r, N_POINT);
  if (n < 0) return fail_load(ctx);
  MS_TRY(ms_backbone_reserve(ctx, c, n));
  for (; c->n < n; c->n++) {
    const double *v = ms_unpack_numbers(r, N_POINT);
    c->point[c->n] = (ms_backbone_point) { .q = v[0],
                                           .omega = v[1],
                                           .zeta = v[2],
                                           .zeta_joint = v[3],
                                           .zeta_viscous = v[4],
                                           .sensor = { v[5], v[6], v[7] },
                                           .residual = v[8],
                                           .quality = v[9],
                                           .loss = (ms_backbone_loss)v[10] };
  }
  return MS_SUCCESS;
}

static ms_status load_derivatives(ms_context *ctx, ms_unpacker *r, ms_backbone_curve *c) {
  ptrdiff_t n = ms_unpack_count(r, N_DERIVATIVE);
  if (n < 0) return fail_load(ctx);
  if (n > 0) MS_TRY(ms_allocate(ctx, n, sizeof *c->derivative, &c->derivative));
  for (; c->n_derivative < n; c->n_derivative++) {
    ms_backbone_derivative *d = &c->derivative[c->n_derivative];
    const double *v = ms_unpack_numbers(r, N_DERIVATIVE);
    if (!v) return fail_load(ctx);
    *d = (ms_backbone_derivative) { .point = (ptrdiff_t)v[0],
                                    .joint = (int)v[1],
                                    .member = (int)v[2],
                                    .by_differences = (int)v[3],
                                    .defined = (int)v[4],
                                    .value = v[5],
                                    .omega = v[6],
                                    .zeta_joint = v[7],
                                    .zeta = v[8] };
    if (d->point < 0 || d->point >= c->n) return fail_load(ctx);
    if (!ms_unpack_text(r, d->name, sizeof d->name)) return fail_load(ctx);
    if (!ms_unpack_text(r, d->unit, sizeof d->unit)) return fail_load(ctx);
  }
  return MS_SUCCESS;
}

static ms_status load_contact(ms_context *ctx, ms_unpacker *r, ms_backbone_curve *c) {
  const double *count = ms_unpack_numbers(r, 1);
  if (!count || !(*count >= 0.0)) return fail_load(ctx);
  const ptrdiff_t n = (ptrdiff_t)*count;
  if (n == 0 || c->n == 0) return MS_SUCCESS;
  c->n_contact_point = n;
  MS_TRY(ms_allocate(ctx, c->n, sizeof *c->contact, &c->contact));
  MS_TRY(ms_allocate(ctx, n * c->n, sizeof *c->contact_D, &c->contact_D));
  MS_TRY(ms_allocate(ctx, 3 * n * c->n, sizeof *c->contact_ends, &c->contact_ends));
  for (ptrdiff_t i = 0; i < c->n; i++) {
    const double *v = ms_unpack_numbers(r, N_CONTACT), *D = v ? ms_unpack_numbers(r, n) : NULL;
    const double *ends = D ? ms_unpack_numbers(r, 3 * n) : NULL;
    if (!ends) return fail_load(ctx);
    for (ptrdiff_t k = 0; k < 3 * n; k++) c->contact_ends[k + 3 * n * i] = ends[k];
    c->contact[i] = (ms_backbone_contact) {
      .q_min = v[0],
      .q_max = v[1],
      .cycle = { .D = v[2],
                 .work = v[3],
                 .v_min = v[0],
                 .v_max = v[1],
                 .D_masing = v[4],
                 .change = v[5],
                 .cycles = (int)v[6],
                 .steady = (int)v[7],
                 .slipped = (ptrdiff_t)v[8],
                 .opened = (ptrdiff_t)v[9],
                 .largest_residual = v[10],
                 .steps = (ptrdiff_t)v[11],
                 .balanced = (int)v[12],
                 .load_steps = (ptrdiff_t)v[13],
                 .iterations = (ptrdiff_t)v[14],
                 .slow = (ptrdiff_t)v[15] },
      .stiffer = (int)v[16],
      .omega_change = v[17],
      .zeta_change = v[18],
    };
    for (ptrdiff_t k = 0; k < n; k++) c->contact_D[k + n * i] = D[k];
  }
  return MS_SUCCESS;
}

static ms_status load(ms_context *ctx, ms_unpacker *r, ms_backbone_curve *c) {
  const double *v = ms_unpack_numbers(r, N_HEAD);
  if (!v) return fail_load(ctx);
  c->partial = v[0] != 0.0;
  c->worst = v[1];
  c->evaluations = (ptrdiff_t)v[2];
  c->tolerance = v[3];
  c->alias = v[4];
  c->first_slip = v[5];
  if (!ms_unpack_text(r, c->remark, sizeof c->remark)) return fail_load(ctx);
  MS_TRY(load_points(ctx, r, c));
  MS_TRY(load_derivatives(ctx, r, c));
  MS_TRY(load_contact(ctx, r, c));
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_backbone_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n) {
  ms_backbone_curve *c = item;
  ms_unpacker r = { .values = values, .n = n };
  ms_status status = load(ctx, &r, c);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_backbone_free(ctx, c);
  return status;
}
