/* What a sweep left as numbers, and back. */
#include <math.h>
#include <string.h>

#include "core/pack.h"
#include "experiment/pack.h"

enum { PER_LINE = 3, PER_ROW = 2 };

enum { N_NUMBERS = 32 };

/* The numbers of a run, in the order in which they are kept. */
static void list_numbers(ms_sweep_run *run, double **at) {
  ms_sweep *s = &run->sweep;
  ms_decay_point *d = &s->point;
  ms_transient_energy *e = &run->energy;
  ms_transient_quality *q = &run->quality;
  double *const all[] = {
    &s->omega_phase, &s->zeta_phase,
    &s->omega_half,  &s->zeta_half,
    &s->omega_peak,  &s->zeta_peak,
    &s->height,      &s->input,
    &s->rate,        &s->severity,
    &d->time,        &d->q,
    &d->velocity,    &d->acceleration,
    &d->omega,       &d->zeta,
    &d->quality,     &e->start,
    &e->input,       &e->kinetic,
    &e->elastic,     &e->viscous,
    &e->stored,      &e->dissipated,
    &e->balance,     &run->count.residual,
    &q->balance,     &q->omega,
    &q->share,       &q->steps_least,
  };
  memcpy(at, all, sizeof all);
}

ptrdiff_t ms_sweep_save(const void *item, double *values) {
  const ms_sweep_run *run = item;
  ms_sweep_run copy = *run;
  double *at[N_NUMBERS] = { NULL };
  ms_packer t = { .values = values };
  list_numbers(&copy, at);
  for (int i = 0; at[i]; i++) ms_pack_number(&t, *at[i]);
  ms_pack_number(&t, (double)run->sweep.n);
  ms_pack_number(&t, run->has_energy);
  ms_pack_number(&t, (double)run->count.steps);
  ms_pack_number(&t, (double)run->count.evaluations);
  ms_pack_number(&t, (double)run->quality.mode);
  ms_pack_number(&t, run->quality.mode < 0 ? 0.0 : run->quality.steps); /* else infinite */
  ms_pack_number(&t, (double)run->quality.coarse);
  ms_pack_text(&t, run->remark);
  ms_pack_number(&t, (double)run->n_line);
  ms_pack_numbers(&t, run->line, PER_LINE * run->n_line);
  ms_pack_number(&t, (double)run->n_row);
  ms_pack_numbers(&t, run->row, PER_ROW * run->n_row);
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a sweep does not belong to it");
}

static ms_status load_array(ms_context *ctx, ms_unpacker *r, ptrdiff_t size, ptrdiff_t *n,
                            double **out) {
  ptrdiff_t count = ms_unpack_count(r, size);
  if (count < 0) return fail_load(ctx);
  if (count == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, size * count, sizeof **out, out));
  memcpy(*out, ms_unpack_numbers(r, size * count), (size_t)(size * count) * sizeof **out);
  *n = count;
  return MS_SUCCESS;
}

static ms_status load_run(ms_context *ctx, ms_sweep_run *run, ms_unpacker *r) {
  double *at[N_NUMBERS] = { NULL };
  list_numbers(run, at);
  for (int i = 0; at[i]; i++) {
    const double *value = ms_unpack_numbers(r, 1);
    if (!value) return fail_load(ctx);
    *at[i] = *value;
  }
  const double *v = ms_unpack_numbers(r, 7);
  if (!v) return fail_load(ctx);
  run->sweep.n = (ptrdiff_t)v[0];
  run->has_energy = v[1] != 0.0;
  run->count.steps = (ptrdiff_t)v[2];
  run->count.evaluations = (ptrdiff_t)v[3];
  run->quality.mode = (ptrdiff_t)v[4];
  run->quality.steps = v[4] < 0.0 ? HUGE_VAL : v[5];
  run->quality.coarse = (ptrdiff_t)v[6];
  if (!ms_unpack_text(r, run->remark, sizeof run->remark)) return fail_load(ctx);
  MS_TRY(load_array(ctx, r, PER_LINE, &run->n_line, &run->line));
  MS_TRY(load_array(ctx, r, PER_ROW, &run->n_row, &run->row));
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_sweep_load(ms_context *ctx, void *item, const double *values, ptrdiff_t n) {
  ms_sweep_run *run = item;
  ms_unpacker r = { .values = values, .n = n };
  ms_sweep_run fresh = { .plan = run->plan, .level = run->level, .down = run->down };
  ms_status status = load_run(ctx, run, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_sweep_run_free(ctx, run);
  *run = fresh;
  return status;
}
