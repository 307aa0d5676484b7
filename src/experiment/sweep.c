/* A swept sine, and its transfer function. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/march.h"
#include "experiment/tolerance.h"
#include "structure/impl.h"

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

static double eval(void *user, double t) {
  return ms_load_eval(((const recorder *)user)->load, t);
}

static ms_status simulate(ms_context *ctx, ms_structure *s, ms_sweep_run *run, recorder *r) {
  const ms_sweep_plan *p = run->plan;
  ms_march march = { ms_time_default(), p->shape, eval, ms_load_end(r->load), record, r };
  march.time.step = p->step;
  march.time.steps = p->steps;
  march.time.method = p->method;
  return ms_march_run(ctx, s, &march, &run->energy, &run->count, &run->quality, &run->has_energy);
}

/* ---- what is kept of it ---- */

static int is_near(const ms_sweep *s, ptrdiff_t k) {
  double omega = 2.0 * acos(-1.0) * s->freq_hz[k];
  return fabs(omega - s->omega_phase) < ms_experiment_tol.dense * s->zeta_half * s->omega_phase;
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
    status = simulate(ctx, structure, run, &r);
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

ms_decay_point ms_sweep_get_resonance(const ms_sweep_run *run) {
  ms_decay_point point = run->sweep.point;
  point.q /= run->plan->unit;
  point.omega = run->sweep.omega_phase;
  point.zeta = run->sweep.zeta_peak;
  return point;
}

/* ---- plans ---- */

ms_status ms_sweep_set_sensor(ms_context *ctx, const ms_structure *s, int mode, ptrdiff_t at,
                              ms_sweep_plan *plan) {
  const ms_modes stuck = ms_structure_get_stuck(s);
  double largest = 0.0;
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    plan->sensor[r] = at == MS_GROUND ? r == mode : stuck.shape[at + stuck.n * r];
    largest = fmax(largest, fabs(plan->sensor[r]));
  }
  plan->unit = fabs(plan->sensor[mode]);
  if (plan->unit > ms_structure_tol.no_force * largest) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "mode %d does not move at '%s': a sensor there does not see it", mode + 1,
                 ms_structure_get_name(s, at));
}

ms_status ms_sweep_set_participation(ms_context *ctx, const ms_structure *s, int mode,
                                     ms_sweep_plan *plan) {
  double size;
  const double part = ms_structure_get_modal_force(s, mode, plan->shape, &size);
  plan->settings.participation =
      (plan->settings.input == MS_SWEEP_BASE ? -part : part) * plan->sensor[mode];
  if (fabs(part) > ms_structure_tol.no_force * size) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT, "this does not excite mode %d", mode + 1);
}

double ms_sweep_default_tail(const ms_structure *s, int mode, double duration) {
  const double rate =
      ms_structure_get_stuck(s).omega[mode] * ms_structure_get_damping_ratio(s, mode);
  const double tail = rate > 0.0 ? ms_experiment_tol.ring_out / rate : HUGE_VAL;
  return tail < duration ? tail : 0.1 * duration;
}

static const double most_steps = 1e8; /* which are kept */

ms_status ms_sweep_set_steps(ms_context *ctx, const ms_structure *s, int mode, double tail,
                             ms_sweep_plan *plan) {
  const double all =
      plan->duration + (tail > 0.0 ? tail : ms_sweep_default_tail(s, mode, plan->duration));
  const double per_period = 1.0 / (plan->step * plan->to), steps = all / plan->step;
  if (!(plan->from < plan->to)) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "to must be above from; the direction is said by directions: [up, down]");
  }
  if (per_period < ms_experiment_tol.steps_per_sweep) {
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "a step of %g s makes %.3g steps in a period of %g Hz; at least %g are needed",
                   plan->step, per_period, plan->to, ms_experiment_tol.steps_per_sweep);
  }
  if (steps > most_steps) {
    return ms_fail(ctx, MS_ERR_BOUNDS, "%g steps are too many to keep; at most 1e8", steps);
  }
  plan->steps = (ptrdiff_t)ceil(steps);
  return MS_SUCCESS;
}

double ms_sweep_find_fastest(ptrdiff_t n, const ms_sweep_run *run, ptrdiff_t *resonances,
                             ptrdiff_t *fast) {
  double worst = 0.0;
  *resonances = *fast = 0;
  for (const ms_sweep_run *r = run; r < run + n; r++) {
    if (r->sweep.n == 0) continue;
    ++*resonances;
    *fast += r->sweep.severity > MS_SWEEP_LIMIT;
    worst = fmax(worst, r->sweep.severity);
  }
  return worst;
}

int ms_sweep_warning(ptrdiff_t n, const ms_sweep_run *run, char *text, size_t size) {
  ptrdiff_t all, fast;
  const double worst = ms_sweep_find_fastest(n, run, &all, &fast);
  if (fast == 0) return 0;
  snprintf(text, size,
           "the sweep is too fast: |df/dt|/(zeta f)^2 is up to %.3g, above %g in %td of %td "
           "resonances: amplitudes are too low and late; sweep longer",
           worst, MS_SWEEP_LIMIT, fast, all);
  return 1;
}
