/* A pulse, and the free decay of each mode after it. */
#include <microslip/experiment.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "experiment/march.h"
#include "experiment/pack.h"
#include "experiment/tolerance.h"

enum { EVERY = 16 }; /* steps between looks at that one */

ms_time_setting ms_time_default(void) {
  return (ms_time_setting) { .method = "newmark", .beta = 0.25, .gamma = 0.5 };
}

/* Newmark has the load at the ends of steps alone, the exponential method a line over each. */
ms_pulse_steps ms_time_count_steps(const ms_time_setting *time) {
  ms_pulse_steps p = { 2.0, 10.0 };
  if (strcmp(time->method, "exponential") == 0) p = (ms_pulse_steps) { 1.0, 2.0 };
  if (time->tolerance > 0.0) p.enough = p.least; /* divided as their error asks for */
  return p;
}

ms_pulse_run ms_pulse_default(void) {
  return (ms_pulse_run) { .time = ms_time_default() };
}

ms_pulse_run ms_pulse_again(const ms_pulse_run *run, ms_ring_method method) {
  return (ms_pulse_run) { .shape = run->shape,
                          .at = run->at,
                          .base = run->base,
                          .load = run->load,
                          .p = run->p,
                          .omega = run->omega,
                          .time = run->time,
                          .mode = run->mode,
                          .n_mode = run->n_mode,
                          .segments = run->segments,
                          .method = method };
}

/* q" + omega^2 q = p sin(omega t) from rest: q = pi p/(2 omega^2), q' = 0 after half a period. */
double ms_pulse_height(double omega, double q) {
  return 2.0 * omega * omega * q / acos(-1.0);
}

void ms_time_apply(const ms_time_setting *time, ms_transient_setting *out) {
  out->step = time->step;
  out->method = time->method;
  out->beta = time->beta;
  out->gamma = time->gamma;
  out->tolerance = time->tolerance;
}

typedef struct recorder {
  const ms_pulse_run *run;
  ptrdiff_t modes;
  double *v; /* v[k + n*channel] */
  ptrdiff_t n, k;
  double largest; /* velocity of all modes together, squared */
} recorder;

static double pulse(void *user, double t) {
  const ms_pulse_run *run = ((const recorder *)user)->run;
  return run->p * (run->load ? ms_load_eval(run->load, t) : sin(run->omega * t));
}

static double pulse_end(const ms_pulse_run *run) {
  return run->load ? ms_load_end(run->load) : acos(-1.0) / run->omega;
}

double ms_pulse_length(const ms_pulse_run *run) {
  return run->load ? ms_load_get_scale(run->load).pulse : acos(-1.0) / run->omega;
}

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

static ms_status read_hilbert(ms_context *ctx, const ms_pulse_run *run, const ms_signal *signal,
                              int c) {
  ms_hilbert_settings settings = MS_HILBERT_DEFAULT;
  settings.start = pulse_end(run);
  if (run->segments) settings.segments = run->segments[c];
  return ms_signal_hilbert(ctx, signal, &settings, &run->decay[c]);
}

/* Windows grow as the decay slows down. */
static ms_status read_stft(ms_context *ctx, const ms_pulse_run *run, const ms_signal *signal,
                           int c) {
  ms_stft_settings settings = MS_STFT_DEFAULT;
  double period = 2.0 * acos(-1.0) / run->omega;
  settings.start = pulse_end(run);
  if (run->segments) settings.segments = run->segments[c];
  settings.growth = MS_GROWTH_EXPONENTIAL;
  settings.window_first = ms_experiment_tol.first_window * period;
  settings.window_last = ms_experiment_tol.last_window * period;
  return ms_signal_stft(ctx, signal, &settings, &run->decay[c]);
}

/* A mode that neither the pulse nor the joints excite has the rounding of the others. */
static int is_excited(const recorder *r, int c) {
  double largest = 0.0;
  for (ptrdiff_t k = 0; k < r->n; k++) largest = fmax(largest, fabs(r->v[k + r->n * c]));
  return largest > ms_experiment_tol.not_excited * sqrt(r->largest);
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

ms_status ms_pulse_allocate(ms_context *ctx, ms_pulse_run *run) {
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->decay, &run->decay));
  MS_TRY(ms_allocate(ctx, run->n_mode, sizeof *run->remark, &run->remark));
  return ms_allocate(ctx, run->n_mode, sizeof *run->trace, &run->trace);
}

static ms_status check(ms_context *ctx, const ms_structure *s, ms_pulse_run *run) {
  const ptrdiff_t n = ms_structure_get_size(s);
  if (run->n_mode < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a pulse needs a mode that is read");
  for (int c = 0; c < run->n_mode; c++) {
    if (run->mode[c] >= 0 && run->mode[c] < n) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "there is no mode %d; modes are 0 to %td", run->mode[c],
                   n - 1);
  }
  if (run->at && (*run->at < 0 || *run->at >= n)) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "there is no degree of freedom %td; they are 0 to %td",
                   *run->at, n - 1);
  }
  if (run->time.steps < 1) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "steps must be >= 1, not %td", run->time.steps);
  }
  if (run->omega == 0.0) run->omega = ms_structure_get_stuck(s).omega[run->mode[0]];
  if (run->omega > 0.0 || run->load) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "a pulse of half a period needs omega > 0, not %g",
                 run->omega);
}

ms_status ms_pulse_simulate(ms_context *ctx, ms_structure *structure, ms_pulse_run *run) {
  MS_NEED(ctx, ctx && structure && run && run->mode);
  MS_TRY(check(ctx, structure, run));
  recorder r = { .run = run, .modes = ms_structure_get_size(structure), .n = run->time.steps + 1 };
  MS_TRY(ms_pulse_allocate(ctx, run));
  MS_TRY(ms_allocate(ctx, r.n * run->n_mode + r.modes, sizeof *r.v, &r.v));
  double *shape = r.v + r.n * run->n_mode;
  /* The force that p(t) multiplies, into `shape`, which is zero. */
  const ms_modes stuck = ms_structure_get_stuck(structure);
  if (run->shape) {
    memcpy(shape, run->shape, (size_t)stuck.n * sizeof *shape);
  } else if (run->at) {
    shape[*run->at] = 1.0;
  } else if (run->base) {
    ms_structure_apply_mass(structure, -1.0, run->base, shape);
  } else {
    ms_structure_apply_mass(structure, 1.0, stuck.shape + stuck.n * run->mode[0], shape);
  }
  const ms_march march = { run->time, shape, pulse, pulse_end(run), record, &r };
  ms_status status = ms_march_run(ctx, structure, &march, &run->energy, &run->count, &run->quality,
                                  &run->has_energy);
  for (int c = 0; c < run->n_mode && status == MS_SUCCESS; c++) {
    status = read_decay(ctx, run, &r, c);
  }
  ms_free(ctx, &r.v);
  return status;
}

void ms_pulse_free(ms_context *ctx, ms_pulse_run *run) {
  for (int c = 0; run->decay && c < run->n_mode; c++) ms_decay_free(ctx, &run->decay[c]);
  for (int c = 0; run->trace && c < run->n_mode; c++) ms_trace_free(ctx, &run->trace[c]);
  ms_free(ctx, &run->decay);
  ms_free(ctx, &run->remark);
  ms_free(ctx, &run->trace);
}
