#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/tape.h"

#define NEAR 6.0 /* half widths about a resonance, where lines are kept most densely */

enum { NEAR_LINES = 400, FAR_LINES = 300, PER_LINE = 3, PER_ROW = 2 };

/* ---- the run ---- */

typedef struct recorder {
  const ms_sweep_run *run;
  const ms_load *load;
  ptrdiff_t modes, n, k;
  double *x, *v; /* input and response */
} recorder;

static int record(void *user, const ms_transient *transient) {
  recorder *r = user;
  const double *v, *w = r->run->plan->sensor;
  double sum = 0.0;
  ms_transient_get_modal(transient, NULL, &v, NULL);
  for (ptrdiff_t i = 0; i < r->modes; i++) sum += w[i] * v[i];
  r->x[r->k] = ms_load_eval(r->load, (double)r->k * r->run->plan->step);
  r->v[r->k] = sum;
  r->k++;
  return 0;
}

static ms_status make_load(ms_context *ctx, const ms_sweep_run *run, ms_load **out) {
  const ms_sweep_plan *p = run->plan;
  MS_TRY(ms_load_create(ctx, "sweep", out));
  MS_TRY(ms_load_set(*out, "amplitude", run->level));
  MS_TRY(ms_load_set(*out, "from", run->down ? p->to : p->from));
  MS_TRY(ms_load_set(*out, "to", run->down ? p->from : p->to));
  MS_TRY(ms_load_set(*out, "duration", p->duration));
  MS_TRY(ms_load_set_text(*out, "law", p->law));
  return ms_load_setup(*out);
}

static ms_status simulate(ms_context *ctx, ms_structure *s, ms_sweep_run *run, ms_load *load,
                          recorder *r) {
  const ms_sweep_plan *p = run->plan;
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *transient = NULL;
  setting.step = p->step;
  setting.method = p->method;
  MS_TRY(ms_transient_create(s, &setting, &transient));
  ms_status status =
      ms_transient_add_load(transient, p->shape, ms_load_time_fn, load, ms_load_end(load));
  if (status == MS_SUCCESS) status = ms_transient_start(transient, 0.0, NULL, NULL);
  if (status == MS_SUCCESS) status = ms_transient_run(transient, p->steps, 1, record, r);
  run->count = ms_transient_get_count(transient);
  run->quality = ms_transient_get_quality(transient);
  run->has_energy =
      status == MS_SUCCESS && ms_transient_get_energy(transient, &run->energy) == MS_SUCCESS;
  if (status == MS_SUCCESS && !run->has_energy) ms_context_clear_message(ctx);
  ms_transient_destroy(&transient);
  return status;
}

/* ---- what is kept of it ---- */

static int is_near(const ms_sweep *s, ptrdiff_t k) {
  double omega = 2.0 * acos(-1.0) * s->freq_hz[k];
  return fabs(omega - s->omega_phase) < NEAR * s->zeta_half * s->omega_phase;
}

static ms_status keep_lines(ms_context *ctx, ms_sweep_run *run) {
  const ms_sweep *s = &run->sweep;
  ptrdiff_t near = 0, count[2] = { 0, 0 };
  for (ptrdiff_t k = 0; k < s->n; k++) near += is_near(s, k);
  const ptrdiff_t every[2] = { (s->n - near) / FAR_LINES + 1, near / NEAR_LINES + 1 };
  MS_TRY(ms_allocate(ctx, PER_LINE * s->n, sizeof *run->line, &run->line));
  for (ptrdiff_t k = 0; k < s->n; k++) {
    int which = is_near(s, k);
    double re = s->G[2 * k], im = s->G[2 * k + 1], size = hypot(re, im);
    if (count[which]++ % every[which] != 0 || !(size > 0.0)) continue;
    double *line = run->line + PER_LINE * run->n_line++;
    line[0] = s->freq_hz[k];
    line[1] = size;
    line[2] = atan2(im, re) * 180.0 / acos(-1.0);
  }
  return MS_SUCCESS;
}

static ms_status keep_envelope(ms_context *ctx, const ms_signal *response, ms_sweep_run *run) {
  ms_decay envelope;
  MS_TRY(ms_sweep_envelope(ctx, &run->sweep, response, &run->plan->settings, &envelope));
  ms_status status = ms_allocate(ctx, PER_ROW * envelope.n, sizeof *run->row, &run->row);
  for (ptrdiff_t i = 0; i < envelope.n && status == MS_SUCCESS; i++) {
    double *row = run->row + PER_ROW * run->n_row++;
    row[0] = envelope.point[i].omega / (2.0 * acos(-1.0));
    row[1] = envelope.point[i].q;
  }
  ms_decay_free(ctx, &envelope);
  return status;
}

/* A message becomes a remark, except where memory ran out. */
static ms_status to_remark(ms_context *ctx, ms_status status, ms_sweep_run *run) {
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  snprintf(run->remark, sizeof run->remark, "%s", ms_context_message(ctx));
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

static ms_status read_sweep(ms_context *ctx, const recorder *r, ms_sweep_run *run) {
  const ms_sweep_plan *p = run->plan;
  ms_signal x = { .x = r->x, .n = r->n, .dt = p->step, .kind = MS_SIGNAL_ACCELERATION };
  ms_signal y = { .x = r->v, .n = r->n, .dt = p->step, .kind = MS_SIGNAL_VELOCITY };
  ms_sweep *s = &run->sweep;
  ms_status status = ms_signal_sweep(ctx, &x, &y, &p->settings, s);
  if (status != MS_SUCCESS) return to_remark(ctx, status, run);
  status = keep_lines(ctx, run);
  if (status == MS_SUCCESS) status = to_remark(ctx, keep_envelope(ctx, &y, run), run);
  ms_free(ctx, &s->freq_hz);
  s->G = NULL;
  ms_decay_free(ctx, &s->track);
  return status;
}

ms_status ms_sweep_simulate(ms_context *ctx, ms_structure *structure, ms_sweep_run *run) {
  recorder r = { .run = run, .modes = ms_structure_get_size(structure), .n = run->plan->steps + 1 };
  ms_load *load = NULL;
  ms_status status = make_load(ctx, run, &load);
  r.load = load;
  if (status == MS_SUCCESS) status = ms_allocate(ctx, 2 * r.n, sizeof *r.x, &r.x);
  if (status == MS_SUCCESS) {
    r.v = r.x + r.n;
    status = simulate(ctx, structure, run, load, &r);
  }
  if (status == MS_SUCCESS) status = read_sweep(ctx, &r, run);
  ms_free(ctx, &r.x);
  ms_load_destroy(&load);
  return status;
}

void ms_sweep_run_free(ms_context *ctx, ms_sweep_run *run) {
  ms_sweep_free(ctx, &run->sweep);
  ms_free(ctx, &run->line);
  ms_free(ctx, &run->row);
  run->n_line = run->n_row = 0;
}

/* ---- the answer as numbers ---- */

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

ptrdiff_t ms_sweep_save(const ms_sweep_run *run, double *values) {
  ms_sweep_run copy = *run;
  double *at[N_NUMBERS] = { NULL };
  ms_tape t = { .values = values };
  list_numbers(&copy, at);
  for (int i = 0; at[i]; i++) ms_tape_put_one(&t, *at[i]);
  ms_tape_put_one(&t, (double)run->sweep.n);
  ms_tape_put_one(&t, run->has_energy);
  ms_tape_put_one(&t, (double)run->count.steps);
  ms_tape_put_one(&t, (double)run->count.evaluations);
  ms_tape_put_one(&t, (double)run->quality.mode);
  ms_tape_put_one(&t, run->quality.mode < 0 ? 0.0 : run->quality.steps); /* else infinite */
  ms_tape_put_one(&t, (double)run->quality.coarse);
  ms_tape_put_text(&t, run->remark);
  ms_tape_put_one(&t, (double)run->n_line);
  ms_tape_put(&t, run->line, PER_LINE * run->n_line);
  ms_tape_put_one(&t, (double)run->n_row);
  ms_tape_put(&t, run->row, PER_ROW * run->n_row);
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a sweep does not belong to it");
}

static ms_status load_array(ms_context *ctx, ms_reel *r, ptrdiff_t size, ptrdiff_t *n,
                            double **out) {
  ptrdiff_t count = ms_reel_take_count(r, size);
  if (count < 0) return fail_load(ctx);
  if (count == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, size * count, sizeof **out, out));
  memcpy(*out, ms_reel_take(r, size * count), (size_t)(size * count) * sizeof **out);
  *n = count;
  return MS_SUCCESS;
}

static ms_status load_run(ms_context *ctx, ms_sweep_run *run, ms_reel *r) {
  double *at[N_NUMBERS] = { NULL };
  list_numbers(run, at);
  for (int i = 0; at[i]; i++) {
    const double *value = ms_reel_take(r, 1);
    if (!value) return fail_load(ctx);
    *at[i] = *value;
  }
  const double *v = ms_reel_take(r, 7);
  if (!v) return fail_load(ctx);
  run->sweep.n = (ptrdiff_t)v[0];
  run->has_energy = v[1] != 0.0;
  run->count.steps = (ptrdiff_t)v[2];
  run->count.evaluations = (ptrdiff_t)v[3];
  run->quality.mode = (ptrdiff_t)v[4];
  run->quality.steps = v[4] < 0.0 ? HUGE_VAL : v[5];
  run->quality.coarse = (ptrdiff_t)v[6];
  if (!ms_reel_take_text(r, run->remark, sizeof run->remark)) return fail_load(ctx);
  MS_TRY(load_array(ctx, r, PER_LINE, &run->n_line, &run->line));
  MS_TRY(load_array(ctx, r, PER_ROW, &run->n_row, &run->row));
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_sweep_load(ms_context *ctx, ms_sweep_run *run, const double *values, ptrdiff_t n) {
  ms_reel r = { .values = values, .n = n };
  ms_sweep_run fresh = { .plan = run->plan, .level = run->level, .down = run->down };
  ms_status status = load_run(ctx, run, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_sweep_run_free(ctx, run);
  *run = fresh;
  return status;
}
