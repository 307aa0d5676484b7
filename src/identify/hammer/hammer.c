/* Hammer tests as they were measured: the modal filter, and what is read of every mode. Letters:

     x      sensors, q = Phi^+ x the filtered modes
     T      length of a window, A the amplitude in it
     s      rms of the noise: of a channel, of a filtered mode
     M      factor of decimation: white noise keeps its density s^2 dt, s/sqrt(M) at the new rate */
#include "identify/hammer/hammer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

enum { WINDOWS = 4, TRIALS = 8 }; /* windows in a row, at least */

/* ---- reading a mode ---- */

static double window_of(const ms_hammer *t, ptrdiff_t m) {
  return t->setting.periods * 2.0 * MS_PI / t->omega[m];
}

double ms_hammer_pulse_end(const ms_hammer *t, ptrdiff_t h) {
  const own_hit *hit = &t->hit[h];
  return (double)(hit->last + 2) * hit->force_dt; /* the cubic ends two samples later */
}

/* Windows and band are the same whatever the signal: rows are at the same times. */
static ms_stft_settings windows_of(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  const own_hit *hit = &t->hit[h];
  ms_stft_settings setting = MS_STFT_DEFAULT;
  setting.start = fmax(t->setting.start, ms_hammer_pulse_end(t, h));
  setting.end = hit->end[m];
  setting.window_first = setting.window_last = window_of(t, m);
  setting.overlap = t->setting.tol.overlap;
  setting.low = (1.0 - t->setting.tol.band) * t->omega[m];
  setting.high = (1.0 + t->setting.tol.band) * t->omega[m];
  setting.segments = t->setting.segments;
  setting.windows = WINDOWS;
  return setting;
}

static ms_signal signal_of(const ms_hammer *t, ptrdiff_t h, const double *q) {
  return (ms_signal) { .x = q, .n = t->hit[h].n, .dt = t->hit[h].dt, .kind = t->setting.kind };
}

ms_status ms_hammer_read_mode(ms_context *ctx, const ms_hammer *t, ptrdiff_t h, ptrdiff_t m,
                              const double *q, ms_decay *out) {
  const ms_stft_settings setting = windows_of(t, h, m);
  const ms_signal signal = signal_of(t, h, q);
  MS_TRY(ms_signal_stft(ctx, &signal, &setting, out));
  ms_decay_refer(out, t->setting.kind);
  return MS_SUCCESS;
}

/* Plain loops: too small a product for the threads of a BLAS, which would make rounding depend on
   their number. */
void ms_hammer_apply_filter(const ms_hammer *t, ptrdiff_t n, const double *x, double *q) {
  const ptrdiff_t modes = t->setting.n_mode;
  memset(q, 0, (size_t)(n * modes) * sizeof *q);
  for (ptrdiff_t m = 0; m < modes; m++) {
    for (ptrdiff_t c = 0; c < t->setting.n_channel; c++) {
      const double a = t->inverse[m + modes * c];
      for (ptrdiff_t k = 0; k < n; k++) q[k + n * m] += a * x[k + n * c];
    }
  }
}

/* ---- noise ---- */

/* A Hann window of N samples: the variance of ln A is 3 s^2/(N A^2), that of the phase the same.
   Rows a step apart: slopes of both are differences of two such. */
ms_hammer_error ms_hammer_get_error(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m, ptrdiff_t i) {
  const own_hit *hit = &t->hit[h];
  const ms_decay *d = &hit->decay[m];
  const ms_decay_point *row = &d->point[i];
  const double level[3] = { row->q, row->velocity, row->acceleration };
  const double T = window_of(t, m), N = T / hit->dt;
  const double amplitude = hit->noise[m] * sqrt(3.0 / N) / level[t->setting.kind];
  const double step = d->n > 1 ? d->point[1].time - d->point[0].time : T;
  const double slope = sqrt(2.0) * amplitude / (step * row->omega);
  return (ms_hammer_error) { amplitude, slope, slope / fmax(fabs(row->zeta), 1e-12) };
}

/* ---- reading a hit ---- */

/* What drives a mode is F = sum f_k exp(i omega t_k), its phase in the response, too. */
double ms_hammer_get_force_error(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  const own_hit *hit = &t->hit[h];
  double re = 0.0, im = 0.0, own = 0.0, all = 0.0;
  for (ptrdiff_t k = hit->first; k <= hit->last; k++) {
    const double phase = t->omega[m] * (double)(k - hit->first) * hit->force_dt;
    re += hit->force[k] * cos(phase);
    im += hit->force[k] * sin(phase);
  }
  const double size = hypot(re, im), theta = atan2(im, re);
  for (ptrdiff_t k = hit->first; k <= hit->last; k++) {
    const double c = cos(t->omega[m] * (double)(k - hit->first) * hit->force_dt - theta);
    own += c * c;
    all += c;
  }
  if (hit->before > 0) own += all * all / (double)hit->before;
  return size > 0.0 ? hit->force_noise * sqrt(own) / size : 0.0;
}

/* What cannot be read to the end is read to an earlier one. */
static ms_status read_some(ms_hammer *t, ptrdiff_t h, ptrdiff_t m, const double *q) {
  own_hit *hit = &t->hit[h];
  const double start = fmax(t->setting.start, ms_hammer_pulse_end(t, h));
  ms_status status = MS_SUCCESS;
  hit->end[m] = fmin(t->setting.end, (double)(hit->n - 1) * hit->dt);
  for (int i = 0; i < TRIALS; i++) {
    status = ms_hammer_read_mode(t->ctx, t, h, m, q, &hit->decay[m]);
    if (status != MS_ERR_ARGUMENT) return status;
    hit->end[m] = start + t->setting.tol.shorter * (hit->end[m] - start);
    if (hit->end[m] - start < window_of(t, m)) return status;
  }
  return status;
}

static ptrdiff_t count_clear(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  ptrdiff_t i = 0, n = t->hit[h].decay[m].n;
  while (i < n && ms_hammer_get_error(t, h, m, i).amplitude <= MS_HAMMER_WORST) i++;
  return i;
}

static ptrdiff_t count_decaying(const ms_decay *d) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < d->n; i++) n += d->point[i].zeta > 0.0;
  return n;
}

/* Again, to where it is still above the noise. */
static ms_status read_usable(ms_hammer *t, ptrdiff_t h, ptrdiff_t m, const double *q) {
  own_hit *hit = &t->hit[h];
  ms_decay *d = &hit->decay[m];
  MS_TRY(read_some(t, h, m, q));
  const ptrdiff_t clear = count_clear(t, h, m);
  if (clear > 0 && clear < d->n) {
    hit->end[m] = fmin(hit->end[m], d->point[clear - 1].time + 0.5 * window_of(t, m));
    ms_decay_free(t->ctx, d);
    MS_TRY(ms_hammer_read_mode(t->ctx, t, h, m, q, d));
  }
  const ptrdiff_t n = clear > 0 ? count_decaying(d) : 0;
  if (n >= MS_HAMMER_LEAST) return MS_SUCCESS;
  ms_decay_free(t->ctx, d);
  return ms_fail(t->ctx, MS_ERR_ARGUMENT, "%td rows decay and stand out of the noise; it takes %d",
                 n, MS_HAMMER_LEAST);
}

static ms_status fail_unread(const ms_hammer *t, ptrdiff_t h) {
  const own_hit *hit = &t->hit[h];
  return ms_fail(t->ctx, MS_ERR_ARGUMENT, "%s: no mode can be read; mode %d: %s", hit->name,
                 t->setting.mode[0] + 1, hit->remark[0]);
}

static ms_status read_modes(ms_hammer *t, ptrdiff_t h, const double *q) {
  own_hit *hit = &t->hit[h];
  ptrdiff_t n_read = 0;
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) {
    ms_status status = read_usable(t, h, m, q + hit->n * m);
    if (status == MS_ERR_ARGUMENT || status == MS_ERR_NUMERIC) {
      snprintf(hit->remark[m], sizeof hit->remark[m], "%s", ms_context_message(t->ctx));
      ms_context_clear_message(t->ctx);
      continue;
    }
    MS_TRY(status);
    n_read++;
  }
  return n_read > 0 ? MS_SUCCESS : fail_unread(t, h);
}

/* What the offsets of the channels are in the filtered modes. */
static void subtract_offsets(const ms_hammer *t, const own_hit *hit, ptrdiff_t n, double *q) {
  const ptrdiff_t modes = t->setting.n_mode;
  for (ptrdiff_t m = 0; m < modes; m++) {
    double sum = 0.0;
    for (ptrdiff_t c = 0; c < t->setting.n_channel; c++) {
      sum += t->inverse[m + modes * c] * hit->offset[c + 1];
    }
    for (ptrdiff_t k = 0; k < n; k++) q[k + n * m] -= sum;
  }
}

static double rms_about_mean(ptrdiff_t n, const double *x) {
  const double mean = ms_signal_mean(n, x);
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) sum += (x[k] - mean) * (x[k] - mean);
  return sqrt(sum / (double)(n - 1));
}

/* Of each filtered mode before the pulse, about its mean. */
static void estimate_noise(const ms_hammer *t, own_hit *hit, ptrdiff_t n, const double *q) {
  for (ptrdiff_t m = 0; m < t->setting.n_mode && hit->quiet > 0; m++, q += n) {
    hit->noise[m] = rms_about_mean(hit->quiet, q);
  }
}

/* The filtered modes of all samples, and then of those that are kept. */
static ms_status filter_hit(const ms_hammer *t, const ms_hit *from, own_hit *hit, double *q) {
  const ptrdiff_t modes = t->setting.n_mode;
  ms_decimator_settings decimator = MS_DECIMATOR_DEFAULT;
  double *all = q;
  decimator.factor = hit->factor;
  if (hit->factor > 1) MS_TRY(ms_allocate(t->ctx, from->n * modes, sizeof *all, &all));
  ms_hammer_apply_filter(t, from->n, from->x, all);
  subtract_offsets(t, hit, from->n, all);
  if (!from->noise) estimate_noise(t, hit, from->n, all);
  for (ptrdiff_t m = 0; m < modes; m++) hit->noise[m] /= sqrt((double)hit->factor);
  if (hit->factor == 1) return MS_SUCCESS;
  ms_status status = ms_signal_decimate(t->ctx, &decimator, from->n, modes, all, q);
  ms_free(t->ctx, &all);
  return status;
}

static ms_status find_shared(ms_hammer *t, ptrdiff_t h, const double *q) {
  own_hit *hit = &t->hit[h];
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) {
    const ms_stft_settings setting = windows_of(t, h, m);
    const ms_signal signal = signal_of(t, h, q + hit->n * m);
    if (hit->decay[m].n == 0 || !(hit->noise[m] > 0.0)) continue;
    MS_TRY(ms_signal_stft_noise(t->ctx, &signal, &setting, &hit->shared[m]));
  }
  return MS_SUCCESS;
}

static ms_status filter_and_read(ms_hammer *t, const ms_hit *from, own_hit *hit) {
  double *q;
  MS_TRY(ms_allocate(t->ctx, hit->n * t->setting.n_mode, sizeof *q, &q));
  ms_status status = filter_hit(t, from, hit, q);
  if (status == MS_SUCCESS) status = read_modes(t, hit - t->hit, q);
  if (status == MS_SUCCESS) status = find_shared(t, hit - t->hit, q);
  ms_free(t->ctx, &q);
  return status;
}

void ms_hammer_add_noise(const ms_hammer_noise *noise, ptrdiff_t hit, ptrdiff_t n,
                         ptrdiff_t n_channel, double *x, double *rms) {
  ms_random random;
  ms_random_start(&random, noise->seed, (uint64_t)hit);
  for (ptrdiff_t c = 0; c <= n_channel; c++) {
    const double added =
        noise->part > 0.0 ? ms_signal_add_noise(&random, noise->part, n, x + n * c) : 0.0;
    if (c > 0) rms[c - 1] = hypot(added, noise->rms);
  }
}

/* ---- taking a hit ---- */

static const char *name_of(const ms_hit *hit) {
  return hit->name ? hit->name : "hit";
}

static ms_status check_samples(const ms_hammer *t, const ms_hit *from) {
  const ptrdiff_t n = from->n, n_x = n * t->setting.n_channel;
  if (n < 8 || !(from->dt > 0.0 && from->dt < HUGE_VAL)) {
    return ms_fail(t->ctx, MS_ERR_ARGUMENT, "%s: %td samples %g s apart are no record",
                   name_of(from), n, from->dt);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    if (isfinite(from->force[k])) continue;
    return ms_fail(t->ctx, MS_ERR_NUMERIC, "%s: sample %td of the force is not finite",
                   name_of(from), k + 1);
  }
  for (ptrdiff_t k = 0; k < n_x; k++) {
    if (isfinite(from->x[k])) continue;
    return ms_fail(t->ctx, MS_ERR_NUMERIC, "%s: sample %td of channel %td is not finite",
                   name_of(from), k % n + 1, k / n + 1);
  }
  return MS_SUCCESS;
}

static ms_status find_pulse(const ms_hammer *t, ptrdiff_t n, own_hit *hit) {
  ms_pulse pulse;
  ms_status status = ms_signal_find_pulse(t->ctx, n, hit->force, &pulse);
  if (status != MS_SUCCESS) return ms_fail_at(t->ctx, status, "%s", hit->name);
  hit->first = pulse.first;
  hit->last = pulse.last;
  hit->rise = pulse.rise;
  hit->fall = pulse.fall;
  hit->quiet = pulse.before;
  if (!t->setting.keep_offset) hit->before = pulse.before;
  if (hit->last + 2 < n - 1) return MS_SUCCESS;
  return ms_fail(t->ctx, MS_ERR_ARGUMENT,
                 "%s: the force is above a tenth of its largest value from %g s to %g s: no pulse "
                 "with a ring-down after it",
                 hit->name, (double)pulse.rise * hit->force_dt, (double)pulse.fall * hit->force_dt);
}

/* Means before the pulse; the force is freed of its own. */
static void take_offsets(const ms_hammer *t, const ms_hit *from, own_hit *hit) {
  if (hit->quiet > 0) hit->force_noise = rms_about_mean(hit->quiet, hit->force);
  if (hit->before == 0) return;
  hit->offset[0] = ms_signal_mean(hit->before, hit->force);
  for (ptrdiff_t k = 0; k < from->n; k++) hit->force[k] -= hit->offset[0];
  for (ptrdiff_t c = 0; c < t->setting.n_channel; c++) {
    hit->offset[c + 1] = ms_signal_mean(hit->before, from->x + from->n * c);
  }
}

/* As far as the highest mode and the pulse, which also says what it excites, allow. */
static void set_rate(const ms_hammer *t, const ms_hit *from, own_hit *hit) {
  const ms_hammer_tolerances *tol = &t->setting.tol;
  double omega = 0.0;
  for (ptrdiff_t m = 0; m < t->setting.n_mode; m++) omega = fmax(omega, t->omega[m]);
  const ptrdiff_t factor = ms_signal_find_factor(from->dt, omega / (2.0 * MS_PI), tol->per_period);
  const double of_pulse = floor((double)(hit->fall - hit->rise + 1) / tol->per_pulse);
  hit->factor = (ptrdiff_t)fmax(1.0, fmin((double)factor, of_pulse));
  hit->n = ms_signal_decimated_length(from->n, hit->factor);
  hit->dt = from->dt * (double)hit->factor;
}

/* Independent noise of the channels, behind the filter. */
static void filter_noise(const ms_hammer *t, const double *noise, double *out) {
  const ptrdiff_t modes = t->setting.n_mode;
  for (ptrdiff_t m = 0; m < modes; m++) {
    double sum = 0.0;
    for (ptrdiff_t c = 0; noise && c < t->setting.n_channel; c++) {
      const double s = t->inverse[m + modes * c] * noise[c];
      sum += s * s;
    }
    out[m] = sqrt(sum);
  }
}

static ms_status take_hit(ms_hammer *t, const ms_hit *from, own_hit *hit) {
  const ptrdiff_t modes = t->setting.n_mode;
  MS_TRY(ms_text_copy(t->ctx, name_of(from), &hit->name));
  MS_TRY(ms_allocate(t->ctx, t->n_coordinate, sizeof *hit->shape, &hit->shape));
  MS_TRY(ms_allocate(t->ctx, from->n, sizeof *hit->force, &hit->force));
  MS_TRY(ms_allocate(t->ctx, t->setting.n_channel + 1, sizeof *hit->offset, &hit->offset));
  MS_TRY(ms_allocate(t->ctx, modes, sizeof *hit->noise, &hit->noise));
  MS_TRY(ms_allocate(t->ctx, modes, sizeof *hit->end, &hit->end));
  MS_TRY(ms_allocate(t->ctx, modes, sizeof *hit->remark, &hit->remark));
  MS_TRY(ms_allocate(t->ctx, modes, sizeof *hit->decay, &hit->decay));
  MS_TRY(ms_allocate(t->ctx, modes, sizeof *hit->shared, &hit->shared));
  hit->n = from->n;
  hit->factor = 1;
  hit->dt = hit->force_dt = from->dt;
  memcpy(hit->shape, from->shape, (size_t)t->n_coordinate * sizeof *hit->shape);
  memcpy(hit->force, from->force, (size_t)hit->n * sizeof *hit->force);
  filter_noise(t, from->noise, hit->noise);
  for (ptrdiff_t m = 0; m < modes && hit->left_out; m++)
    snprintf(hit->remark[m], sizeof hit->remark[m], "not used: %.140s", hit->doubts);
  if (hit->left_out) return MS_SUCCESS;
  MS_TRY(find_pulse(t, from->n, hit));
  take_offsets(t, from, hit);
  set_rate(t, from, hit);
  return filter_and_read(t, from, hit);
}

/* ---- life ---- */

void ms_hammer_destroy(ms_hammer **hammer) {
  if (!hammer || !*hammer) return;
  ms_hammer *t = *hammer;
  for (ptrdiff_t h = 0; t->hit && h < t->n_hit; h++) {
    own_hit *hit = &t->hit[h];
    for (ptrdiff_t m = 0; hit->decay && m < t->setting.n_mode; m++) {
      ms_decay_free(t->ctx, &hit->decay[m]);
    }
    for (ptrdiff_t m = 0; hit->shared && m < t->setting.n_mode; m++)
      ms_free(t->ctx, &hit->shared[m]);
    ms_free(t->ctx, &hit->shared);
    ms_free(t->ctx, &hit->decay);
    ms_free(t->ctx, &hit->remark);
    ms_free(t->ctx, &hit->end);
    ms_free(t->ctx, &hit->noise);
    ms_free(t->ctx, &hit->offset);
    ms_free(t->ctx, &hit->force);
    ms_free(t->ctx, &hit->shape);
    ms_free(t->ctx, &hit->name);
    ms_hit_judgement_free(t->ctx, 1, &hit->judgement);
  }
  ms_free(t->ctx, &t->hit);
  ms_free(t->ctx, &t->omega);
  ms_free(t->ctx, &t->load);
  ms_free(t->ctx, &t->inverse);
  ms_free(t->ctx, &t->setting.channel);
  ms_free(t->ctx, &t->setting.mode);
  ms_free(t->ctx, hammer);
}

void ms_hammer_default(ms_hammer_setting *setting, size_t size) {
  ms_settings_fill(&(ms_hammer_setting)MS_HAMMER_DEFAULT, setting, size);
}

ptrdiff_t ms_hammer_find_mode(const ms_hammer_setting *setting, int mode) {
  for (ptrdiff_t m = 0; m < setting->n_mode; m++) {
    if (setting->mode[m] == mode) return m;
  }
  return -1;
}

static ms_status check_setting(ms_context *ctx, const ms_hammer_setting *s, ms_modes modes) {
  const ms_hammer_tolerances *tol = &s->tol;
  MS_HAMMER_TOLERANCES(MS_TOLERANCE_CHECK)
  if (s->n_mode < 1 || s->n_channel < s->n_mode) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td sensors do not tell %td modes apart", s->n_channel,
                   s->n_mode);
  }
  for (ptrdiff_t m = 0; m < s->n_mode; m++) {
    const int is_there = s->mode[m] >= 0 && s->mode[m] < modes.n;
    if (is_there && modes.omega[s->mode[m]] > 0.0) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "mode %d is %s", s->mode[m] + 1,
                   is_there ? "a rigid-body mode: it does not ring" : "none that could ring");
  }
  for (ptrdiff_t c = 0; c < s->n_channel; c++) {
    if (s->channel[c] >= 0 && s->channel[c] < modes.n) continue;
    return ms_fail(ctx, MS_ERR_BOUNDS, "channel %td is on coordinate %td of %td", c + 1,
                   s->channel[c] + 1, modes.n);
  }
  if (s->start >= 0.0 && s->end > s->start && s->periods >= 4.0 && s->segments >= 1 &&
      s->parts >= 1) {
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_BOUNDS,
                 "from %g s to %g s, windows of %g periods, %td rows, %td parts of a step: times "
                 "must rise, windows hold 4 periods or more, rows and parts be 1 or more",
                 s->start, s->end, s->periods, s->segments, s->parts);
}

ms_status ms_hammer_check(const ms_structure *reference, const ms_hammer_setting *setting) {
  return check_setting(reference->ctx, setting, ms_structure_get_stuck(reference));
}

static ms_status copy_lists(ms_hammer *t, const ms_hammer_setting *from) {
  ptrdiff_t *channel;
  int *mode;
  t->setting = *from;
  t->setting.channel = NULL;
  t->setting.mode = NULL;
  MS_TRY(ms_allocate(t->ctx, from->n_channel, sizeof *channel, &channel));
  t->setting.channel = channel;
  MS_TRY(ms_allocate(t->ctx, from->n_mode, sizeof *mode, &mode));
  t->setting.mode = mode;
  memcpy(channel, from->channel, (size_t)from->n_channel * sizeof *channel);
  memcpy(mode, from->mode, (size_t)from->n_mode * sizeof *mode);
  return MS_SUCCESS;
}

/* Frequencies and shapes of the reference, and the filter that they make. */
static ms_status take_modes(ms_hammer *t, ms_modes modes) {
  const ms_hammer_setting *s = &t->setting;
  double *phi;
  MS_TRY(ms_allocate(t->ctx, s->n_mode, sizeof *t->omega, &t->omega));
  MS_TRY(ms_allocate(t->ctx, modes.n * s->n_mode, sizeof *t->load, &t->load));
  MS_TRY(ms_allocate(t->ctx, s->n_channel * s->n_mode, sizeof *t->inverse, &t->inverse));
  MS_TRY(ms_allocate(t->ctx, s->n_channel * s->n_mode, sizeof *phi, &phi));
  for (ptrdiff_t m = 0; m < s->n_mode; m++) {
    const double *shape = modes.shape + modes.n * s->mode[m];
    t->omega[m] = modes.omega[s->mode[m]];
    memcpy(t->load + modes.n * m, shape, (size_t)modes.n * sizeof *shape);
    for (ptrdiff_t c = 0; c < s->n_channel; c++) phi[c + s->n_channel * m] = shape[s->channel[c]];
  }
  ms_status status =
      ms_signal_invert_modes(t->ctx, s->n_channel, s->n_mode, phi, 0.0, t->inverse, &t->filter);
  ms_free(t->ctx, &phi);
  if (status != MS_SUCCESS || t->filter.rank == s->n_mode) return status;
  return ms_fail(t->ctx, MS_ERR_ARGUMENT, "the %td sensors cannot tell the %td modes apart",
                 s->n_channel, s->n_mode);
}

static ms_status fill(ms_hammer *t, const ms_structure *reference, const ms_hammer_setting *setting,
                      ptrdiff_t n_hit, const ms_hit *hit) {
  const ms_modes modes = ms_structure_get_stuck(reference);
  MS_TRY(check_setting(t->ctx, setting, modes));
  MS_TRY(copy_lists(t, setting));
  MS_TRY(take_modes(t, modes));
  MS_TRY(ms_allocate(t->ctx, n_hit, sizeof *t->hit, &t->hit));
  t->n_hit = n_hit;
  for (ptrdiff_t h = 0; h < n_hit; h++) MS_TRY(check_samples(t, &hit[h]));
  MS_TRY(ms_hammer_judge_hits(t, reference, n_hit, hit));
  for (ptrdiff_t h = 0; h < n_hit; h++) MS_TRY(take_hit(t, &hit[h], &t->hit[h]));
  return MS_SUCCESS;
}

ms_status ms_hammer_create(const ms_structure *reference, const ms_hammer_setting *setting,
                           ptrdiff_t n_hit, const ms_hit *hit, ms_hammer **out) {
  ms_context *ctx = reference ? reference->ctx : NULL;
  ms_hammer_setting own = MS_HAMMER_DEFAULT;
  ms_hammer *t;
  MS_MAKE(ctx, out, setting && hit);
  MS_TAKE(ctx, ms_hammer_default, setting, own);
  if (!reference->ready) return ms_fail(ctx, MS_ERR_STATE, "call ms_structure_setup first");
  if (n_hit < 1) return ms_fail(ctx, MS_ERR_ARGUMENT, "a hammer test needs a hit");
  MS_TRY(ms_allocate(ctx, 1, sizeof *t, &t));
  *t = (ms_hammer) { .ctx = ctx, .n_coordinate = reference->n };
  ms_status status = fill(t, reference, setting, n_hit, hit);
  if (status != MS_SUCCESS) {
    ms_hammer_destroy(&t);
    return status;
  }
  *out = t;
  return MS_SUCCESS;
}

/* ---- what it has ---- */

ptrdiff_t ms_hammer_count_hits(const ms_hammer *t) {
  return t->n_hit;
}

const ms_decay *ms_hammer_decay(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  return &t->hit[h].decay[m];
}

ptrdiff_t ms_hammer_get_factor(const ms_hammer *t, ptrdiff_t h) {
  return t->hit[h].factor;
}

int ms_hammer_print_rate(const ms_hammer *t, char *text, size_t size) {
  static const ms_decimator_settings decimator = MS_DECIMATOR_DEFAULT;
  const own_hit *most = t->hit;
  for (ptrdiff_t h = 1; h < t->n_hit; h++)
    if (t->hit[h].factor > most->factor) most = &t->hit[h];
  if (most->factor == 1) return 0;
  const double nyquist = 0.5 / most->dt;
  return snprintf(text, size,
                  "Sensors are decimated, by %td at most: from %.6g to %.6g samples per second, "
                  "behind a filter of linear phase that changes nothing below %.4g Hz and leaves "
                  "%g dB less above %.4g Hz. The force is not.",
                  most->factor, 1.0 / most->force_dt, 1.0 / most->dt, decimator.pass * nyquist,
                  decimator.attenuation, nyquist);
}

const double *ms_hammer_get_shared(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  return t->hit[h].shared[m];
}

ptrdiff_t ms_hammer_count_before(const ms_hammer *t, ptrdiff_t h) {
  return t->hit[h].before;
}

double ms_hammer_get_offset(const ms_hammer *t, ptrdiff_t h, ptrdiff_t c) {
  return t->hit[h].offset[c + 1];
}

const char *ms_hammer_get_remark(const ms_hammer *t, ptrdiff_t h, ptrdiff_t m) {
  return t->hit[h].remark[m];
}

ms_modal_filter_info ms_hammer_filter(const ms_hammer *t) {
  return t->filter;
}
