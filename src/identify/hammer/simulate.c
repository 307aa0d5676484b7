/* A hit simulated with its measured force, seen by the same sensors and read the same way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "identify/hammer/hammer.h"
#include "identify/tolerance.h"
#include "structure/impl.h"

static double sample(const own_hit *hit, ptrdiff_t k) {
  return k >= hit->first && k <= hit->last ? hit->force[k] : 0.0;
}

/* The cubic through four samples of the pulse: straight lines would take (omega dt)^2/12 of what a
   mode feels away. */
static double pulse(void *user, double t) {
  const own_hit *hit = user;
  const double at = t / hit->force_dt;
  const ptrdiff_t k = (ptrdiff_t)floor(at);
  const double x = at - (double)k, up = x + 1.0, down = x - 1.0, far = x - 2.0;
  return -x * down * far / 6.0 * sample(hit, k - 1) + up * down * far / 2.0 * sample(hit, k) -
         up * x * far / 2.0 * sample(hit, k + 1) + up * x * down / 6.0 * sample(hit, k + 2);
}

/* Where sensors are decimated, so is the step of the simulation, and more than one cubic is in it.
   The line that has their mean and first moment, at step k from its middle mean + slope (x - 1/2).
 */
typedef struct lines {
  own_hit hit; /* what `pulse` reads; loads may change what they are given, hits may not */
  double step;
  ptrdiff_t n;
  double *mean, *slope; /* one block */
} lines;

/* 3-point Gauss between samples: exact for the first moment of a cubic. */
static void fit_line(lines *l, ptrdiff_t k) {
  static const double point[3] = { 0.11270166537925831, 0.5, 0.88729833462074169 };
  static const double weight[3] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };
  const double h = l->step / l->hit.force_dt, start = (double)k * h; /* in samples of the force */
  for (double from = start, to; from < start + h * (1.0 - 1e-9); from = to) {
    to = fmin(floor(from + 1e-9) + 1.0, start + h);
    for (int i = 0; i < 3; i++) {
      const double at = from + point[i] * (to - from), part = weight[i] * (to - from) / h;
      const double s = part * pulse(&l->hit, at * l->hit.force_dt);
      l->mean[k] += s;
      l->slope[k] += 12.0 * s * ((at - start) / h - 0.5);
    }
  }
}

static double line_pulse(void *user, double t) {
  lines *l = user;
  const double at = t / l->step;
  const ptrdiff_t k = (ptrdiff_t)floor(at);
  const double x = at - (double)k;
  if (x < 1e-3 || x > 1.0 - 1e-3) return pulse(&l->hit, t); /* the end of a step */
  return k < l->n ? l->mean[k] + l->slope[k] * (x - 0.5) : 0.0;
}

static ms_status open_lines(ms_context *ctx, const own_hit *hit, double step, lines *l) {
  *l = (lines) { .hit = *hit, .step = step };
  if (hit->factor == 1) return MS_SUCCESS;
  l->n = (ptrdiff_t)ceil((double)(hit->last + 2) * hit->force_dt / step);
  MS_TRY(ms_allocate(ctx, l->n, 2 * sizeof *l->mean, &l->mean));
  l->slope = l->mean + l->n;
  for (ptrdiff_t k = 0; k < l->n; k++) fit_line(l, k);
  return MS_SUCCESS;
}

static ms_status add_pulse(ms_transient *run, const double *shape, lines *l) {
  if (l->n > 0) return ms_transient_add_load(run, shape, line_pulse, l, (double)l->n * l->step);
  const double end = (double)(l->hit.last + 2) * l->hit.force_dt;
  return ms_transient_add_load(run, shape, pulse, &l->hit, end);
}

/* ---- sensors ---- */

typedef struct recorder {
  ptrdiff_t n, last, k;   /* samples, those that are simulated, and which is next */
  ptrdiff_t n_channel, m; /* m: modes of the structure */
  ms_signal_kind kind;
  double *phi; /* m x n_channel: modes at the sensors */
  double *x;   /* n x n_channel */
} recorder;

static void close_recorder(ms_context *ctx, recorder *r) {
  ms_free(ctx, &r->phi);
  ms_free(ctx, &r->x);
}

static ms_status open_recorder(const ms_structure *s, const own_hit *hit, ptrdiff_t n_channel,
                               const ptrdiff_t *channel, recorder *r) {
  r->n = r->last = hit->n;
  r->m = s->n;
  r->n_channel = n_channel;
  MS_TRY(ms_allocate(s->ctx, r->m * n_channel, sizeof *r->phi, &r->phi));
  MS_TRY(ms_allocate(s->ctx, r->n * n_channel, sizeof *r->x, &r->x));
  for (ptrdiff_t c = 0; c < n_channel; c++) {
    for (ptrdiff_t j = 0; j < r->m; j++) r->phi[j + r->m * c] = s->shape[channel[c] + s->n * j];
  }
  return MS_SUCCESS;
}

static int record(void *user, const ms_transient *run) {
  recorder *r = user;
  const double *state[3];
  ms_transient_get_modal(run, &state[0], &state[1], &state[2]);
  const double *y = state[r->kind];
  for (ptrdiff_t c = 0; c < r->n_channel; c++) {
    const double *phi = r->phi + r->m * c;
    double sum = 0.0;
    for (ptrdiff_t j = 0; j < r->m; j++) sum += phi[j] * y[j];
    r->x[r->k + r->n * c] = sum;
  }
  r->k++;
  return 0;
}

/* ---- the run ---- */

/* A mode that is read must ring: mode `only`, or all where it is negative. */
static ms_status check_step(const ms_hammer *t, ms_context *ctx, double step, ptrdiff_t only) {
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) {
    if ((only >= 0 && m != only) || t->omega[m] * step <= t->setting.tol.resolved) continue;
    return ms_fail(
        ctx, MS_ERR_BOUNDS,
        "a step of %g s makes %.3g steps in a period of mode %d; at least %.3g are required: "
        "%.0f parts of a sample in place of %td",
        step, 2.0 * acos(-1.0) / (t->omega[m] * step), t->setting.mode[m] + 1,
        2.0 * acos(-1.0) / t->setting.tol.resolved,
        ceil(t->omega[m] * step * (double)t->setting.parts / t->setting.tol.resolved),
        t->setting.parts);
  }
  return MS_SUCCESS;
}

static ms_status march(const ms_hammer *t, ms_structure *s, const own_hit *hit, const double *shape,
                       recorder *r, ptrdiff_t only, ms_transient_count *count,
                       ms_transient_quality *quality) {
  ms_transient_setting setting = MS_TRANSIENT_DEFAULT;
  ms_transient *run = NULL;
  lines load;
  const ptrdiff_t parts = t->setting.parts;
  /* the cubic begins behind it */
  const ptrdiff_t rest = hit->first > 2 ? (hit->first - 2) / hit->factor : 0;
  setting.method = "exponential";
  setting.step = hit->dt / (double)parts;
  setting.static_above = t->setting.tol.resolved / setting.step;
  setting.newton_tolerance = ms_identify_tol.balance;
  MS_TRY(check_step(t, s->ctx, setting.step, only));
  MS_TRY(open_lines(s->ctx, hit, setting.step, &load));
  ms_status status = ms_transient_create(s, &setting, &run);
  if (status == MS_SUCCESS) status = add_pulse(run, shape, &load);
  if (status == MS_SUCCESS) status = ms_transient_start(run, (double)rest * hit->dt, NULL, NULL);
  r->k = rest;
  if (status == MS_SUCCESS) {
    status = ms_transient_run(run, (r->last - 1 - rest) * parts, parts, record, r);
  }
  if (count && run) *count = ms_transient_get_count(run);
  if (quality && run) *quality = ms_transient_get_quality(run);
  ms_transient_destroy(&run);
  ms_free(s->ctx, &load.mean);
  return status;
}

/* Samples until where the last of the modes is read. */
static ptrdiff_t count_read(const ms_hammer *t, const own_hit *hit, const char *wanted) {
  double end = 0.0;
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) {
    if (hit->decay[m].n > 0 && (!wanted || wanted[m])) end = fmax(end, hit->end[m]);
  }
  const double n = floor(end / hit->dt) + 3.0; /* the sample at `end`, and rounding */
  return n < (double)hit->n ? (ptrdiff_t)n : hit->n;
}

static ms_status march_with_gains(const ms_hammer *t, ms_structure *s, const own_hit *hit,
                                  const double *gain, recorder *r, ms_transient_count *count,
                                  ms_transient_quality *quality) {
  double *shape;
  MS_TRY(ms_allocate(s->ctx, s->n, sizeof *shape, &shape));
  for (ptrdiff_t i = 0; i < s->n; i++) shape[i] = hit->shape[i] / gain[0];
  ms_status status = march(t, s, hit, shape, r, -1, count, quality);
  ms_free(s->ctx, &shape);
  for (ptrdiff_t i = 0; i < r->n * r->n_channel; i++) r->x[i] *= gain[1 + i / r->n];
  return status;
}

/* The record was read to there: what is missing is missing in the simulation. */
static ms_status fail_simulated(const ms_hammer *t, ms_context *ctx, ptrdiff_t h, ptrdiff_t m,
                                ms_status status) {
  const int mode = t->setting.mode[m] + 1;
  char why[200];
  if (status != MS_ERR_ARGUMENT) return ms_fail_at(ctx, status, "mode %d", mode);
  snprintf(why, sizeof why, "%.*s", (int)strcspn(ms_context_message(ctx), ";"),
           ms_context_message(ctx));
  return ms_fail(ctx, status,
                 "mode %d: %s, while the record is read until %.4g s: set the key `window` of the "
                 "hammer test so that it ends before that window",
                 mode, why, t->hit[h].end[m]);
}

static ms_status run_and_read(const ms_hammer *t, ms_structure *s, ptrdiff_t h, const char *wanted,
                              const double *gain, recorder *r, ms_decay *decay,
                              ms_transient_count *count, ms_transient_quality *quality) {
  const own_hit *hit = &t->hit[h];
  double *q;
  r->last = count_read(t, hit, wanted);
  MS_TRY(gain ? march_with_gains(t, s, hit, gain, r, count, quality)
              : march(t, s, hit, hit->shape, r, -1, count, quality));
  MS_TRY(ms_allocate(s->ctx, hit->n * t->setting.n_mode, sizeof *q, &q));
  ms_hammer_apply_filter(t, hit->n, r->x, q);
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t m = 0; m < t->setting.n_mode && status == MS_SUCCESS; m++) {
    if (hit->decay[m].n == 0 || (wanted && !wanted[m])) continue;
    status = ms_hammer_read_mode(s->ctx, t, h, m, q + hit->n * m, &decay[m]);
    if (status != MS_SUCCESS) status = fail_simulated(t, s->ctx, h, m, status);
  }
  ms_free(s->ctx, &q);
  return status;
}

ms_status ms_hammer_run_hit(const ms_hammer *t, ms_structure *s, ptrdiff_t h, const char *wanted,
                            const double *gain, ms_decay *decay, ms_transient_count *count,
                            ms_transient_quality *quality) {
  recorder r = { .kind = t->setting.kind };
  ms_status status = open_recorder(s, &t->hit[h], t->setting.n_channel, t->setting.channel, &r);
  if (status == MS_SUCCESS) status = run_and_read(t, s, h, wanted, gain, &r, decay, count, quality);
  close_recorder(s->ctx, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) ms_decay_free(s->ctx, &decay[m]);
  return ms_fail_at(s->ctx, status, "%s, simulated", t->hit[h].name);
}

static ms_status check_structure(const ms_structure *s, ptrdiff_t n) {
  if (!s->ready) return ms_fail(s->ctx, MS_ERR_STATE, "call ms_structure_setup first");
  if (s->n == n) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT, "the structure has %td coordinates, the test's %td", s->n,
                 n);
}

ms_status ms_hammer_simulate(const ms_hammer *t, ms_structure *s, ptrdiff_t h, ms_decay *decay,
                             ms_transient_count *count, ms_transient_quality *quality) {
  MS_TRY(check_structure(s, t->n_coordinate));
  if (t->hit[h].left_out) return MS_SUCCESS;
  return ms_hammer_run_hit(t, s, h, NULL, NULL, decay, count, quality);
}

/* The force on the mode alone. */
static double modal_force(const ms_hammer *t, const own_hit *hit, ptrdiff_t m) {
  const double *phi = t->load + t->n_coordinate * m;
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < t->n_coordinate; i++) sum += phi[i] * hit->shape[i];
  return sum;
}

ms_status ms_hammer_simulate_mode(const ms_hammer *t, ms_structure *s, ptrdiff_t h, ptrdiff_t m,
                                  ms_decay *decay, ms_transient_quality *quality) {
  const own_hit *hit = &t->hit[h];
  const ptrdiff_t only = 0;
  const double force = modal_force(t, hit, m);
  recorder r = { .kind = t->setting.kind };
  MS_TRY(check_structure(s, 1));
  ms_status status = open_recorder(s, hit, 1, &only, &r);
  if (status == MS_SUCCESS) status = march(t, s, hit, &force, &r, m, NULL, quality);
  if (status == MS_SUCCESS) status = ms_hammer_read_mode(s->ctx, t, h, m, r.x, decay);
  close_recorder(s->ctx, &r);
  if (status == MS_SUCCESS) return MS_SUCCESS;
  return ms_fail_at(s->ctx, status, "%s, mode %d alone", hit->name, t->setting.mode[m] + 1);
}
