/* What a pulse left as numbers, and back. */
#include <math.h>
#include <string.h>

#include "core/pack.h"
#include "experiment/pack.h"

enum { N_HEAD = 19, N_POINT = 7, REMARK_SIZE = sizeof(((ms_pulse_run *)0)->remark[0]) };

static void put_mode(ms_packer *t, const ms_decay *decay, const char *remark,
                     const ms_trace *trace) {
  ms_pack_number(t, (double)decay->n);
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *d = &decay->point[i];
    const double values[N_POINT] = { d->time,  d->q,    d->velocity, d->acceleration,
                                     d->omega, d->zeta, d->quality };
    ms_pack_numbers(t, values, N_POINT);
  }
  ms_pack_text(t, remark);
  ms_pack_number(t, (double)trace->n);
  if (trace->n == 0) return;
  ms_pack_numbers(t, trace->t, trace->n);
  ms_pack_numbers(t, trace->x, trace->n);
}

ptrdiff_t ms_pulse_save(const void *item, double *values) {
  const ms_pulse_run *run = item;
  const ms_transient_energy *e = &run->energy;
  const ms_transient_quality *q = &run->quality;
  const double head[N_HEAD] = { run->has_energy,
                                e->start,
                                e->input,
                                e->kinetic,
                                e->elastic,
                                e->viscous,
                                e->stored,
                                e->dissipated,
                                e->balance,
                                (double)run->count.steps,
                                (double)run->count.evaluations,
                                run->count.residual,
                                q->balance,
                                (double)q->mode,
                                q->omega,
                                q->share,
                                q->mode < 0 ? 0.0 : q->steps, /* else infinite */
                                q->steps_least,
                                (double)q->coarse };
  ms_packer t = { .values = values };
  ms_pack_numbers(&t, head, N_HEAD);
  for (int c = 0; c < run->n_mode; c++) {
    put_mode(&t, &run->decay[c], run->remark[c], &run->trace[c]);
  }
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
}

static ms_status load_trace(ms_context *ctx, ms_unpacker *r, ms_trace *trace) {
  ptrdiff_t n = ms_unpack_count(r, 2);
  if (n < 0) return fail_load(ctx);
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n, 2 * sizeof *trace->t, &trace->t));
  trace->n = n;
  trace->x = trace->t + n;
  memcpy(trace->t, ms_unpack_numbers(r, 2 * n), (size_t)n * 2 * sizeof *trace->t);
  return MS_SUCCESS;
}

static ms_status load_mode(ms_context *ctx, ms_unpacker *r, ms_decay *decay, char *remark) {
  ptrdiff_t n = ms_unpack_count(r, N_POINT);
  if (n < 0) return fail_load(ctx);
  if (n > 0) MS_TRY(ms_allocate(ctx, n, sizeof *decay->point, &decay->point));
  for (; decay->n < n; decay->n++) {
    const double *v = ms_unpack_numbers(r, N_POINT);
    decay->point[decay->n] = (ms_decay_point) { .time = v[0],
                                                .q = v[1],
                                                .velocity = v[2],
                                                .acceleration = v[3],
                                                .omega = v[4],
                                                .zeta = v[5],
                                                .quality = v[6] };
  }
  return ms_unpack_text(r, remark, REMARK_SIZE) ? MS_SUCCESS : fail_load(ctx);
}

static ms_status load_pulse(ms_context *ctx, ms_pulse_run *run, ms_unpacker *r) {
  const double *v = ms_unpack_numbers(r, N_HEAD);
  if (!v) return fail_load(ctx);
  run->has_energy = v[0] != 0.0;
  run->energy = (ms_transient_energy) { .start = v[1],
                                        .input = v[2],
                                        .kinetic = v[3],
                                        .elastic = v[4],
                                        .viscous = v[5],
                                        .stored = v[6],
                                        .dissipated = v[7],
                                        .balance = v[8] };
  run->count = (ms_transient_count) { .steps = (ptrdiff_t)v[9],
                                      .evaluations = (ptrdiff_t)v[10],
                                      .residual = v[11] };
  run->quality = (ms_transient_quality) { .balance = v[12],
                                          .mode = (ptrdiff_t)v[13],
                                          .omega = v[14],
                                          .share = v[15],
                                          .steps = v[13] < 0.0 ? HUGE_VAL : v[16],
                                          .steps_least = v[17],
                                          .coarse = (ptrdiff_t)v[18] };
  MS_TRY(ms_pulse_allocate(ctx, run));
  for (int c = 0; c < run->n_mode; c++) {
    MS_TRY(load_mode(ctx, r, &run->decay[c], run->remark[c]));
    MS_TRY(load_trace(ctx, r, &run->trace[c]));
  }
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_pulse_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n) {
  ms_pulse_run *run = item;
  ms_unpacker r = { .values = values, .n = n };
  ms_status status = load_pulse(ctx, run, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_pulse_free(ctx, run);
  run->has_energy = 0;
  run->energy = (ms_transient_energy) { .start = 0.0 };
  run->count = (ms_transient_count) { .steps = 0 };
  run->quality = (ms_transient_quality) { .steps = HUGE_VAL };
  return status;
}
