/* A record of a hammer test by itself: overload, double hits, drop-outs, noise, truncation. */
#include <math.h>

#include <microslip/judge.h>

#include "core/internal.h"
#include "identify/hammer/judge.h"
#include "structure/impl.h"

enum { LEAST_BLOCK = 32, ALL = -1 };

static double rms(ptrdiff_t n, const double *x, double about) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) sum += (x[k] - about) * (x[k] - about);
  return n > 0 ? sqrt(sum / (double)n) : 0.0;
}

/* ---- the force ---- */

/* Samples of the longest blow. */
static ptrdiff_t count_longest(const judged_hit *h, double offset, double least) {
  ptrdiff_t longest = 0, now = 0;
  for (ptrdiff_t k = h->pulse.rise; k <= h->pulse.fall; k++) {
    now = fabs(h->from->force[k] - offset) > least ? now + 1 : 0;
    if (now > longest) longest = now;
  }
  return longest;
}

/* From f[0] to nothing at f[2 step] and f[3 step]. */
static int falls(const judge *j, const double *f, ptrdiff_t step, double offset, double high,
                 double noise) {
  const double from = fabs(f[0] - offset),
               most = fmax(j->setting.tol.silent * from, j->setting.tol.quiet * noise);
  return from >= high && fabs(f[2 * step] - offset) <= most && fabs(f[3 * step] - offset) <= most;
}

/* Where the force falls from a good part of its peak to nothing within two samples, or rises from
   nothing: no pulse of so many samples does. -1: nowhere. */
static ptrdiff_t find_jump(const judge *j, const judged_hit *h, double offset, double noise,
                           double peak) {
  const ms_hit_tolerances *tol = &j->setting.tol;
  const double *f = h->from->force;
  /* a half sine of D samples has 2 pi/D two samples before its end */
  const double high =
      fmax(tol->jump, tol->steep / (double)count_longest(h, offset, tol->blow * peak)) * peak;
  const ptrdiff_t first = h->pulse.rise > 3 ? h->pulse.rise - 3 : 0;
  for (ptrdiff_t k = first; k <= h->pulse.fall && k + 3 < h->from->n; k++) {
    if (falls(j, f + k, 1, offset, high, noise)) return k + 1;
    if (falls(j, f + k + 3, -1, offset, high, noise)) return k + 2;
  }
  return -1;
}

/* Whether the first two blows are so near to each other that no hammer has left between them: they
   are one, of which the middle is lost. */
static int is_interrupted(const judge *j, const judged_hit *h, double offset, double least) {
  const double *f = h->from->force;
  ptrdiff_t length[3] = { 0, 0, 0 }; /* first blow, what is between, second blow */
  for (ptrdiff_t k = h->pulse.rise, part = 0; k <= h->pulse.fall; k++) {
    const int inside = fabs(f[k] - offset) > least;
    if (inside != (part != 1)) part++;
    if (part > 2) break;
    length[part]++;
  }
  return (double)length[1] < j->setting.tol.rebound * (double)(length[0] + length[2]);
}

static void judge_blows(const judge *j, judged_hit *h, const ms_judgement *force, double noise) {
  const double dt = h->from->dt, length = dt * (double)h->from->n;
  const double offset = force->offset, least = j->setting.tol.blow * force->peak;
  ptrdiff_t jump = find_jump(j, h, offset, noise, force->peak);
  if (jump < 0 && force->n_hit > 1 && is_interrupted(j, h, offset, least))
    jump = (ptrdiff_t)floor(force->hit_time[1] / dt);
  if (jump >= 0) {
    ms_judge_add(h, (ms_hit_finding) {
                        .fault = MS_HIT_DROP_OUT, .channel = ALL, .time = dt * (double)jump });
    h->bad_force = 1;
  } else if (force->n_hit > 1) {
    const double second = force->hit_time[1];
    const int late = second - force->hit_time[0] > j->setting.tol.late * length;
    ms_judge_add(h, (ms_hit_finding) { .fault = late ? MS_HIT_SECOND_SHOCK : MS_HIT_DOUBLE,
                                       .channel = ALL,
                                       .time = second });
  }
  if (h->pulse.rise > 0) return;
  ms_judge_add(h, (ms_hit_finding) { .fault = MS_HIT_BEGINS_LATE, .channel = ALL });
  h->bad_force = 1;
}

static void add_overload(judged_hit *h, ptrdiff_t c, const ms_judgement *x) {
  ms_judge_add(h, (ms_hit_finding) { .fault = MS_HIT_OVERLOAD,
                                     .channel = c,
                                     .value = (double)x->overloads,
                                     .time = x->overload_time });
}

/* ---- sensors ---- */

typedef struct ringing {
  double first, peak, end; /* rms of the largest and the last block; largest of the first samples */
} ringing;

static ringing find_ringing(const judge *j, const judged_hit *h, const double *x, double offset) {
  const ptrdiff_t n = h->from->n;
  ptrdiff_t block = (ptrdiff_t)(j->setting.tol.block * (double)n);
  ringing r = { .first = 0.0 };
  if (block < LEAST_BLOCK) block = LEAST_BLOCK;
  if (block > n) block = n;
  for (ptrdiff_t k = 0; k < MS_OFFSET_LEAST && k < n; k++)
    r.first = fmax(r.first, fabs(x[k] - offset));
  for (ptrdiff_t k = 0; k + block <= n; k += block)
    r.peak = fmax(r.peak, rms(block, x + k, offset));
  r.end = rms(block, x + n - block, offset);
  return r;
}

static ms_status judge_sensor(judge *j, judged_hit *h, ptrdiff_t c, ringing *r) {
  const ms_hit *from = h->from;
  const double *x = from->x + from->n * c;
  ms_hit_channel *out = &h->out->channel[c + 1];
  ms_judgement is;
  MS_TRY(ms_signal_judge(j->ctx, from->n, from->dt, 0.0, x, 1, &is)); /* 1: without its spectrum */
  out->offset = h->out->before > 0 ? ms_signal_mean(h->out->before, x) : 0.0;
  out->noise = rms(h->out->before, x, out->offset);
  const double about = h->out->before > 0 ? out->offset : ms_signal_mean(from->n, x);
  out->peak = is.peak;
  *r = find_ringing(j, h, x, about);
  h->silent[c] = !(r->peak > j->setting.tol.lost * out->noise);
  h->used[c] = !h->silent[c] && is.overloads == 0;
  if (is.overloads > 0) add_overload(h, c, &is);
  return MS_SUCCESS;
}

/* Medians over the sensors that ring; of three parts of the ringing. */
static void judge_ringing(judge *j, judged_hit *h, const ringing *r, double *work) {
  const ms_hit_tolerances *tol = &j->setting.tol;
  const ptrdiff_t n = j->setting.n_channel;
  double part[3];
  for (int what = 0; what < 3; what++) {
    ptrdiff_t rings = 0;
    for (ptrdiff_t c = 0; c < n; c++) {
      const double noise = h->out->channel[c + 1].noise;
      if (h->silent[c]) continue;
      const double end = sqrt(fmax(r[c].end * r[c].end - noise * noise, 0.0));
      work[rings++] = (what == 0 ? r[c].first : what == 1 ? noise : end) / r[c].peak;
    }
    part[what] = ms_judge_median(rings, work);
  }
  const int drifts = j->s->omega[0] == 0.0 && j->setting.kind != MS_SIGNAL_ACCELERATION;
  if (h->bad_force == 2) { /* no blow at all */
    const ms_hit_fault fault = part[0] > tol->first ? MS_HIT_BEGINS_LATE : MS_HIT_LOST;
    ms_judge_add(h, (ms_hit_finding) { .fault = fault, .channel = ALL });
  }
  if (part[1] > tol->noisy)
    ms_judge_add(h, (ms_hit_finding) { .fault = MS_HIT_NOISE, .channel = ALL, .value = part[1] });
  if (part[2] > tol->ringing && !drifts)
    ms_judge_add(h,
                 (ms_hit_finding) { .fault = MS_HIT_ENDS_EARLY, .channel = ALL, .value = part[2] });
}

static ms_status judge_force(judge *j, judged_hit *h, ms_judgement *force) {
  const ms_hit *from = h->from;
  MS_TRY(ms_signal_judge(j->ctx, from->n, from->dt, 0.0, from->force, 1, force));
  if (force->n_hit == 0) {
    h->bad_force = 2;
    return MS_SUCCESS;
  }
  MS_TRY(ms_signal_find_pulse(j->ctx, from->n, from->force, &h->pulse));
  ms_hit_channel *out = &h->out->channel[0];
  h->out->before = h->pulse.before;
  if (h->pulse.before > 0) out->offset = ms_signal_mean(h->pulse.before, from->force);
  out->noise = rms(h->pulse.before, from->force, out->offset);
  out->peak = force->peak;
  return MS_SUCCESS;
}

ms_status ms_judge_record(judge *j, judged_hit *h) {
  const ptrdiff_t n = j->setting.n_channel;
  ms_judgement force;
  ringing *r = NULL;
  double *work = NULL;
  MS_TRY(judge_force(j, h, &force));
  MS_TRY(ms_allocate(j->ctx, n, sizeof *r, &r));
  ms_status status = ms_allocate(j->ctx, n, sizeof *work, &work);
  if (force.overloads > 0) {
    add_overload(h, ALL, &force);
    h->bad_force = h->bad_force ? h->bad_force : 1;
  } else if (h->bad_force == 0) {
    judge_blows(j, h, &force, h->out->channel[0].noise);
  }
  for (ptrdiff_t c = 0; c < n && status == MS_SUCCESS; c++) status = judge_sensor(j, h, c, &r[c]);
  if (status == MS_SUCCESS) judge_ringing(j, h, r, work);
  ms_free(j->ctx, &work);
  ms_free(j->ctx, &r);
  return status;
}
