/* Measured records: offset, band-pass and start, then one of the methods by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signal/internal.h"

static const char *const method_text[] = { "hilbert", "stft", "crossings" };

const char *ms_signal_method_text(ms_ring_method method) {
  return method >= MS_RING_HILBERT && method <= MS_RING_CROSSINGS ? method_text[method] : NULL;
}

ms_status ms_signal_parse_method(ms_context *ctx, const char *word, ms_ring_method *out) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(word, method_text[i]) != 0) continue;
    *out = (ms_ring_method)i;
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_NAME, "method '%s' is none of hilbert, stft, crossings", word);
}

static int has_band(const ms_ring_settings *r) {
  return r->low > 0.0 || r->high > 0.0;
}

/* What edges of the band-pass and of the transform leave of themselves in the amplitude, a percent
   at most, is much of the damping of a slow decay and little of a quick one: a first row in which
   the amplitude falls by a lot is kept, because the ringing is never stronger. The last row is not.
 */
static void drop_ends(ms_decay *decay) {
  enum { FEWEST = 5 }; /* rows of a short record are kept */
  if (decay->n < FEWEST) return;
  const ms_decay_point *p = decay->point;
  const int first = log(p[0].q / p[1].q) < ms_signal_tol.first_row;
  decay->n -= 1 + first;
  memmove(decay->point, decay->point + first, (size_t)decay->n * sizeof *decay->point);
}

/* What the transform spoils at its beginning comes out of what the band-pass has spoilt already:
   rows begin where that has settled. */
static ms_status run_hilbert(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                             ms_decay *out) {
  ms_hilbert_settings s = MS_HILBERT_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  s.mirror = MS_MIRROR_EXTREMUM;
  s.own_ends = 1;
  if (has_band(r)) {
    ms_part part;
    double omega;
    MS_TRY(ms_part_cut(ctx, signal, r->start, r->end, &part));
    MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
    s.start -= s.trim * 2.0 * MS_PI / omega;
  }
  if (r->segments > 0) s.segments = r->segments, s.periods = 2.0;
  s.segments += 2;
  MS_TRY(ms_signal_hilbert(ctx, signal, &s, out));
  drop_ends(out);
  return MS_SUCCESS;
}

static ms_status run_stft(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                          ms_decay *out) {
  ms_stft_settings s = MS_STFT_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  if (r->segments > 0) s.segments = r->segments;
  return ms_signal_stft(ctx, signal, &s, out);
}

/* The method counts cycles to a row: as many as make about the rows that are asked for. */
static ms_status run_crossings(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                               ms_decay *out) {
  ms_crossing_settings s = MS_CROSSING_DEFAULT;
  s.start = r->start;
  s.end = r->end;
  if (r->segments > 0) {
    ms_part part;
    double omega;
    MS_TRY(ms_part_cut(ctx, signal, r->start, r->end, &part));
    MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
    double cycles = part.dt * (double)(part.n - 1) * omega / (2.0 * MS_PI);
    s.cycles = (ptrdiff_t)fmax(2.0, floor(cycles / (double)r->segments));
  }
  return ms_signal_zero_crossings(ctx, signal, &s, out);
}

/* ---- the record before the method ---- */

static double middle_of_band(const ms_ring_settings *r) {
  if (!(r->low > 0.0)) return r->high;
  return isfinite(r->high) ? sqrt(r->low * r->high) : r->low;
}

/* Samples before the trigger, if they are silence and not the first quarter of a period. */
static ptrdiff_t count_before(const ms_signal *s, double period) {
  double mean = ms_signal_mean(s->n, s->x), peak = 0.0;
  ptrdiff_t k = 0;
  if (!isfinite(mean)) return 0;
  for (ptrdiff_t j = 0; j < s->n; j++) peak = fmax(peak, fabs(s->x[j] - mean));
  while (k < s->n && fabs(s->x[k] - mean) <= ms_signal_tol.trigger * peak) k++;
  double before = (double)k - 0.5 * period / s->dt; /* what rises to the trigger is not silence */
  return (double)k * s->dt >= period && before >= MS_OFFSET_LEAST ? (ptrdiff_t)before : 0;
}

static ms_status prepare(ms_context *ctx, const ms_signal *s, const ms_ring_settings *r,
                         double period, double *y, ms_ring_info *info) {
  if (!r->keep_offset) info->before = count_before(s, period);
  if (info->before > 0) info->offset = ms_signal_mean(info->before, s->x);
  for (ptrdiff_t k = 0; k < s->n; k++) y[k] = s->x[k] - info->offset;
  if (!has_band(r)) return MS_SUCCESS;
  ms_band band = { r->low, r->high, r->edge };
  info->edge_time =
      ms_signal_tol.settle * 2.0 * MS_PI / (r->edge * (r->low > 0.0 ? r->low : r->high));
  return ms_signal_bandpass(ctx, &band, s->dt, s->n, 1, y, y);
}

static ms_status find_window(ms_context *ctx, const ms_signal *s, const ms_ring_settings *r,
                             double period, ms_ring_info *info) {
  double last = s->time + s->dt * (double)(s->n - 1), spoilt = info->edge_time;
  /* From where on it rings freely: see ms_signal_ringdown. */
  ptrdiff_t best = 0;
  for (ptrdiff_t k = 0; k < s->n && s->time + s->dt * (double)k <= r->end; k++) {
    if (fabs(s->x[k]) > fabs(s->x[best])) best = k;
  }
  double lead = s->dt * (double)best;
  info->onset = lead <= period ? s->time : s->time + lead + period;
  if (isfinite(r->start)) info->onset = fmin(info->onset, r->start);
  info->start = fmax(r->start, info->onset + spoilt);
  info->end = spoilt > 0.0 ? fmin(r->end, last - spoilt) : r->end;
  if (info->start < info->end) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "nothing is left to read: it rings from %g s on, the record ends at %g s, and the "
                 "band's edges of %g spoil %g s at each end; widen the edges or record longer",
                 info->onset, fmin(last, r->end), r->edge, spoilt);
}

/* ---- what a table is worth ---- */

static int compare(const void *a, const void *b) {
  const double x = ((const ms_decay_point *)a)->quality, y = ((const ms_decay_point *)b)->quality;
  return (x > y) - (x < y);
}

int ms_ring_warning(const ms_ring_info *info, const ms_ring_settings *r, int i, char *text,
                    size_t size) {
  if (info->n_rough > 0 && i-- == 0) {
    snprintf(text, size,
             "the residual is above %g in %td of %td rows, from %.6g s on: noise or another mode; "
             "end earlier, or give a band",
             r->rough, info->n_rough, info->n, info->rough_time);
    return 1;
  }
  if (info->n_outside > 0 && i-- == 0) {
    snprintf(
        text, size,
        "%td of %td rows have a frequency outside the band of %.6g to %.6g Hz: what is read is "
        "not a mode inside it",
        info->n_outside, info->n, r->low / (2.0 * MS_PI), r->high / (2.0 * MS_PI));
    return 1;
  }
  if (info->n_growing > 0 && i-- == 0) {
    snprintf(
        text, size,
        "%td of %td rows do not decay: noise, which an earlier end leaves out, or the signal is "
        "not one mode that rings freely there",
        info->n_growing, info->n);
    return 1;
  }
  return 0;
}

/* What to change where a band-pass takes long to settle. */
static void print_advice(const ms_ring_settings *r, char *text, size_t size) {
  if (r->edge < 1.0)
    snprintf(text, size, "widen its edges (edge is %g now, at most 1)", r->edge);
  else
    snprintf(text, size, "raise its low limit (%g Hz)", r->low / (2.0 * MS_PI));
}

int ms_ring_note(const ms_ring_info *info, const ms_ring_settings *r, int i, char *text,
                 size_t size) {
  static const char *const shortest[] = { "2 periods", "4 windows", "2 cycles" };
  char advice[80];
  print_advice(r, advice, sizeof advice);
  if (isfinite(r->start) && info->start > r->start && i-- == 0) {
    snprintf(text, size,
             "start is %.4g s, not %.4g s: the band-pass settles until then; %s to begin earlier",
             info->start, r->start, advice);
    return 1;
  }
  if (info->lost > ms_signal_tol.lost && i-- == 0) {
    snprintf(
        text, size,
        "the ringing begins at %.2g times the amplitude of the first row or more, and nothing is "
        "read above that: %s%smore segments make shorter rows (of %.3g s now)",
        info->lost, info->edge_time > 0.0 ? advice : "", info->edge_time > 0.0 ? "; " : "",
        info->row_time);
    return 1;
  }
  if (10 * (info->n + 2) < 9 * r->segments && i-- == 0) {
    snprintf(text, size, "%td rows, not %td: a row, of %.3g s now, has at least %s", info->n,
             r->segments, info->row_time, shortest[r->method]);
    return 1;
  }
  return 0;
}

/* ---- the whole ---- */

static ms_status check_settings(ms_context *ctx, const ms_ring_settings *r, double dt) {
  const double hz = 2.0 * MS_PI;
  if (!ms_signal_method_text(r->method) || r->segments < 0) {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "method %d or number of rows %td is out of range",
                   (int)r->method, r->segments);
  }
  if (!(r->low >= 0.0 && r->high >= 0.0 && r->rough > 0.0)) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "band from %g to %g Hz, residual %g: a band must be >= 0, a residual > 0",
                   r->low / hz, r->high / hz, r->rough);
  }
  if (!isfinite(r->high) || !(r->low < MS_PI / dt) || !(r->high > MS_PI / dt)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "the band ends at %g Hz, beyond what the sampling reaches, %g Hz", r->high / hz,
                 0.5 / dt);
}

/* The amplitude at the beginning of the ringing over that of the first row: the largest sample from
   where the band-pass has settled, and before that, where samples are not the mode's, the decay of
   the first row: the least that it can be where damping grows with amplitude. */
static double find_lost(const ms_signal *s, const ms_ring_info *info, double start,
                        const ms_decay_point *first) {
  const double row[] = { first->q, first->velocity, first->acceleration };
  const double before = info->start - fmax(info->onset, start);
  double most = 0.0;
  for (ptrdiff_t k = 0; k < s->n; k++) {
    const double t = s->time + s->dt * (double)k;
    if (t >= info->start && t <= first->time) most = fmax(most, fabs(s->x[k]));
  }
  return most / row[s->kind] * exp(fmax(first->zeta, 0.0) * first->omega * before);
}

static ms_status read_record(ms_context *ctx, const ms_signal *signal, const ms_ring_settings *r,
                             double *y, ms_decay *out, ms_ring_info *info) {
  static ms_status (*const run[])(ms_context *, const ms_signal *, const ms_ring_settings *,
                                  ms_decay *) = { run_hilbert, run_stft, run_crossings };
  ms_ring_settings inner = *r;
  ms_part part;
  ms_signal clean = *signal;
  double omega = middle_of_band(r);
  MS_TRY(ms_part_cut(ctx, signal, r->start, r->end, &part));
  if (!has_band(r)) MS_TRY(ms_part_frequency(ctx, &part, 0.0, HUGE_VAL, &omega));
  MS_TRY(prepare(ctx, signal, r, 2.0 * MS_PI / omega, y, info));
  clean.x = y;
  MS_TRY(find_window(ctx, &clean, r, 2.0 * MS_PI / omega, info));
  inner.start = info->start;
  inner.end = info->end;
  MS_TRY(run[r->method](ctx, &clean, &inner, out));
  ms_decay_refer(out, signal->kind);
  info->n = out->n;
  info->row_time = out->n > 1
                       ? (out->point[out->n - 1].time - out->point->time) / (double)(out->n - 1)
                       : info->end - info->start;
  info->lost = find_lost(&clean, info, r->start, out->point);
  for (ptrdiff_t i = out->n - 1; i >= 0; i--) {
    const ms_decay_point *p = &out->point[i];
    info->n_growing += !(p->zeta > 0.0);
    info->n_outside += has_band(r) && (p->omega < r->low || p->omega > r->high);
    if (!(p->quality > r->rough)) continue;
    info->n_rough++;
    info->rough_time = p->time;
  }
  ms_decay_point *sorted;
  MS_TRY(ms_allocate(ctx, out->n, sizeof *sorted, &sorted));
  memcpy(sorted, out->point, (size_t)out->n * sizeof *sorted);
  qsort(sorted, (size_t)out->n, sizeof *sorted, compare);
  info->residual = sorted[out->n / 2].quality;
  ms_free(ctx, &sorted);
  return MS_SUCCESS;
}

ms_status ms_signal_ringdown(ms_context *ctx, const ms_signal *signal,
                             const ms_ring_settings *settings, double *y, ms_decay *out,
                             ms_ring_info *info) {
  ms_ring_settings set = MS_RING_DEFAULT;
  ms_ring_info own = { .before = 0 };
  double *copy = NULL;
  *out = (ms_decay) { .n = 0 };
  if (info) *info = own;
  MS_TAKE(ctx, ms_ring_default, settings, set);
  MS_TRY(check_settings(ctx, settings, signal->dt));
  if (!y && signal->n > 0) MS_TRY(ms_allocate(ctx, signal->n, sizeof *copy, &copy));
  ms_status status = read_record(ctx, signal, settings, y ? y : copy, out, &own);
  ms_free(ctx, &copy);
  if (status != MS_SUCCESS) {
    ms_decay_free(ctx, out);
    return status;
  }
  if (info) *info = own;
  return MS_SUCCESS;
}
