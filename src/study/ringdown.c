#include "study/ringdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/tape.h"

#define FIRST_WINDOW 8.0 /* periods, of the STFT */
#define LAST_WINDOW  32.0
#define NOT_EXCITED                                                                           \
  1e-9               /* of the largest velocity of all modes together: rounding of the others \
                      */
enum { EVERY = 16 }; /* steps between looks at that one */

static double pulse(void *user, double t) {
  const ms_pulse_run *run = user;
  return run->p * (run->load ? ms_load_eval(run->load, t) : sin(run->omega * t));
}

static double pulse_end(const ms_pulse_run *run) {
  return run->load ? ms_load_end(run->load) : acos(-1.0) / run->omega;
}

double ms_pulse_length(const ms_pulse_run *run) {
  return run->load ? ms_load_get_scale(run->load).pulse : acos(-1.0) / run->omega;
}

typedef struct recorder {
  const ms_pulse_run *run;
  ptrdiff_t modes;
  double *v; /* v[k + n*channel] */
  ptrdiff_t n, k;
  double largest; /* velocity of all modes together, squared */
} recorder;

static int record(void *user, const ms_transient *transient) {
  recorder *r = user;
  const double *v;
  ms_transient_get_modal(transient, NULL, &v, NULL);
  for (int c = 0; c < r->run->n_mode; c++) r->v[r->k + r->n * c] = v[r->run->mode[c]];
  if (r->k++ % EVERY != 0) return 0;
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < r->modes; i++) sum += v[i] * v[i];
  r->largest = fmax(r->largest, sum);
  return 0;
}

static ms_status simulate(ms_context *ctx, ms_structure *s, ms_pulse_run *run, recorder *r) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *transient = NULL;
  ms_time_apply(&run->time, &setting);
  MS_TRY(ms_transient_create(s, &setting, &transient));
  ms_status status = ms_transient_add_load(transient, run->shape, pulse, run, pulse_end(run));
  if (status == MS_SUCCESS) status = ms_transient_start(transient, 0.0, NULL, NULL);
  if (status == MS_SUCCESS) status = ms_transient_run(transient, run->time.steps, 1, record, r);
  run->count = ms_transient_get_count(transient);
  run->quality = ms_transient_get_quality(transient);
  run->has_energy = ms_transient_get_energy(transient, &run->energy) == MS_SUCCESS;
  ms_transient_destroy(&transient);
  (void)ctx;
  return status;
}

static ms_status read_hilbert(ms_context *ctx, const ms_pulse_run *run, const ms_signal *signal,
                              int c) {
  ms_hilbert_settings settings = MS_HILBERT_DEFAULT;
  settings.start = pulse_end(run);
  settings.segments = run->segments[c];
  return ms_signal_hilbert(ctx, signal, &settings, &run->decay[c]);
}

/* Windows grow as the decay slows down. */
static ms_status read_stft(ms_context *ctx, const ms_pulse_run *run, const ms_signal *signal,
                           int c) {
  ms_stft_settings settings = MS_STFT_DEFAULT;
  double period = 2.0 * acos(-1.0) / run->omega;
  settings.start = pulse_end(run);
  settings.segments = run->segments[c];
  settings.growth = MS_GROWTH_EXPONENTIAL;
  settings.window_first = FIRST_WINDOW * period;
  settings.window_last = LAST_WINDOW * period;
  return ms_signal_stft(ctx, signal, &settings, &run->decay[c]);
}

/* A mode that neither the pulse nor the joints excite has the rounding of the others. */
static int is_excited(const recorder *r, int c) {
  double largest = 0.0;
  for (ptrdiff_t k = 0; k < r->n; k++) largest = fmax(largest, fabs(r->v[k + r->n * c]));
  return largest > NOT_EXCITED * sqrt(r->largest);
}

static ms_status read_decay(ms_context *ctx, ms_pulse_run *run, const recorder *r, int c) {
  ms_signal signal = {
    .x = r->v + r->n * c, .n = r->n, .dt = run->time.step, .kind = MS_SIGNAL_VELOCITY
  };
  if (run->keep_traces) MS_TRY(ms_trace_make(ctx, &signal, &run->trace[c]));
  if (!is_excited(r, c)) {
    snprintf(run->remark[c], sizeof run->remark[c], "the load does not excite this mode");
    return MS_SUCCESS;
  }
  ms_status status = run->method == MS_RING_STFT ? read_stft(ctx, run, &signal, c)
                                                 : read_hilbert(ctx, run, &signal, c);
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  snprintf(run->remark[c], sizeof run->remark[c], "%s", ms_context_message(ctx));
  ms_context_clear_message(ctx);
  return MS_SUCCESS;
}

static ms_status allocate_answer(ms_context *ctx, ms_pulse_run *run) {
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->decay, &run->decay));
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->remark, &run->remark));
  return ms_allocate(ctx, run->n_mode, sizeof *run->trace, &run->trace);
}

ms_status ms_pulse_simulate(ms_context *ctx, ms_structure *structure, ms_pulse_run *run) {
  recorder r = { .run = run, .modes = ms_structure_get_size(structure), .n = run->time.steps + 1 };
  MS_TRY(allocate_answer(ctx, run));
  MS_TRY(ms_allocate(ctx, r.n * run->n_mode, sizeof *r.v, &r.v));
  ms_status status = simulate(ctx, structure, run, &r);
  for (int c = 0; c < run->n_mode && status == MS_SUCCESS; c++) {
    status = read_decay(ctx, run, &r, c);
  }
  ms_free(ctx, &r.v);
  return status;
}

ms_pulse_run ms_pulse_request_again(const ms_pulse_run *run, ms_ring_method method) {
  return (ms_pulse_run) { .shape = run->shape,
                          .load = run->load,
                          .p = run->p,
                          .omega = run->omega,
                          .time = run->time,
                          .mode = run->mode,
                          .n_mode = run->n_mode,
                          .segments = run->segments,
                          .method = method };
}

void ms_pulse_free(ms_context *ctx, ms_pulse_run *run) {
  for (int c = 0; run->decay && c < run->n_mode; c++) ms_decay_free(ctx, &run->decay[c]);
  for (int c = 0; run->trace && c < run->n_mode; c++) ms_trace_free(ctx, &run->trace[c]);
  ms_free(ctx, &run->decay);
  ms_free(ctx, &run->remark);
  ms_free(ctx, &run->trace);
}

/* ---- the answer as numbers: what a resumed study reads back ---- */

enum { N_HEAD = 19, N_POINT = 7, REMARK_SIZE = sizeof(((ms_pulse_run *)0)->remark[0]) };

static void put_mode(ms_tape *t, const ms_decay *decay, const char *remark, const ms_trace *trace) {
  ms_tape_put_one(t, (double)decay->n);
  for (ptrdiff_t i = 0; i < decay->n; i++) {
    const ms_decay_point *d = &decay->point[i];
    const double values[N_POINT] = { d->time,  d->q,    d->velocity, d->acceleration,
                                     d->omega, d->zeta, d->quality };
    ms_tape_put(t, values, N_POINT);
  }
  ms_tape_put_text(t, remark);
  ms_tape_put_one(t, (double)trace->n);
  if (trace->n == 0) return;
  ms_tape_put(t, trace->t, trace->n);
  ms_tape_put(t, trace->x, trace->n);
}

ptrdiff_t ms_pulse_save(const ms_pulse_run *run, double *values) {
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
  ms_tape t = { .values = values };
  ms_tape_put(&t, head, N_HEAD);
  for (int c = 0; c < run->n_mode; c++) {
    put_mode(&t, &run->decay[c], run->remark[c], &run->trace[c]);
  }
  return t.n;
}

static ms_status fail_load(ms_context *ctx) {
  return ms_fail(ctx, MS_ERR_FORMAT, "what was kept of a run does not belong to it");
}

static ms_status load_trace(ms_context *ctx, ms_reel *r, ms_trace *trace) {
  ptrdiff_t n = ms_reel_take_count(r, 2);
  if (n < 0) return fail_load(ctx);
  if (n == 0) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, n, 2 * sizeof *trace->t, &trace->t));
  trace->n = n;
  trace->x = trace->t + n;
  memcpy(trace->t, ms_reel_take(r, 2 * n), (size_t)n * 2 * sizeof *trace->t);
  return MS_SUCCESS;
}

static ms_status load_mode(ms_context *ctx, ms_reel *r, ms_decay *decay, char *remark) {
  ptrdiff_t n = ms_reel_take_count(r, N_POINT);
  if (n < 0) return fail_load(ctx);
  if (n > 0) MS_TRY(ms_allocate(ctx, n, sizeof *decay->point, &decay->point));
  for (; decay->n < n; decay->n++) {
    const double *v = ms_reel_take(r, N_POINT);
    decay->point[decay->n] = (ms_decay_point) { .time = v[0],
                                                .q = v[1],
                                                .velocity = v[2],
                                                .acceleration = v[3],
                                                .omega = v[4],
                                                .zeta = v[5],
                                                .quality = v[6] };
  }
  return ms_reel_take_text(r, remark, REMARK_SIZE) ? MS_SUCCESS : fail_load(ctx);
}

static ms_status load_pulse(ms_context *ctx, ms_pulse_run *run, ms_reel *r) {
  const double *v = ms_reel_take(r, N_HEAD);
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
  MS_TRY(allocate_answer(ctx, run));
  for (int c = 0; c < run->n_mode; c++) {
    MS_TRY(load_mode(ctx, r, &run->decay[c], run->remark[c]));
    MS_TRY(load_trace(ctx, r, &run->trace[c]));
  }
  return r->n == 0 ? MS_SUCCESS : fail_load(ctx);
}

ms_status ms_pulse_load(ms_context *ctx, ms_pulse_run *run, const double *values, ptrdiff_t n) {
  ms_reel r = { .values = values, .n = n };
  ms_status status = load_pulse(ctx, run, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  ms_pulse_free(ctx, run);
  run->has_energy = 0;
  run->energy = (ms_transient_energy) { .start = 0.0 };
  run->count = (ms_transient_count) { .steps = 0 };
  run->quality = (ms_transient_quality) { .steps = HUGE_VAL };
  return status;
}

double ms_joint_part(const ms_structure *structure, ptrdiff_t mode, double omega, double zeta) {
  double omega_0 = ms_structure_get_stuck(structure).omega[mode];
  return zeta - ms_structure_get_damping_ratio(structure, mode) * omega_0 / omega;
}
