/* Records of a hammer test as drawings. */
#include <microslip/records.h>

#include <stdio.h>
#include <string.h>

#include "signal/internal.h"

enum {
  BINS = 48,     /* lines of a spectrogram, about, */
  WINDOWS = 40,  /* and its windows, at most */
  PULSE_PAD = 8, /* lines of a pulse's spectrum: so much closer than one over its length */
  LEVELS = 3
};
static const double ends_at = 0.01; /* of its beginning: what goes on ringing is faded to that */

typedef struct shown {
  ptrdiff_t n, sensor;
  ptrdiff_t impact[MS_RECORDS_IMPACTS];
} shown;

/* ---- what is shown ---- */

static int is_doubtful(const ms_records_impact *i) {
  return !i->used || (i->doubt && i->doubt[0]);
}

/* `more` of those that are doubtful or not, evenly from the first to the last. */
static void add_some(const ms_records *r, int doubtful, ptrdiff_t more, shown *s) {
  ptrdiff_t all = 0, k = 0;
  for (ptrdiff_t i = 0; i < r->n_impact; i++) all += is_doubtful(&r->impact[i]) == doubtful;
  if (more > all) more = all;
  for (ptrdiff_t i = 0; i < r->n_impact; i++) {
    if (is_doubtful(&r->impact[i]) != doubtful) continue;
    if (k * more / all != (k + 1) * more / all) s->impact[s->n++] = i;
    k++;
  }
}

/* That whose rms is the largest part of the largest one, in the mean of all impacts. */
static ms_status find_sensor(ms_context *ctx, const ms_records *r, ptrdiff_t *out) {
  double *part, *rms, best = -1.0;
  MS_TRY(ms_allocate(ctx, 2 * r->n_sensor, sizeof *part, &part));
  rms = part + r->n_sensor;
  for (ptrdiff_t i = 0; i < r->n_impact; i++) {
    const ms_records_impact *impact = &r->impact[i];
    double most = 0.0;
    for (ptrdiff_t c = 0; c < r->n_sensor; c++) {
      const double *x = impact->x + impact->n * c, mean = ms_signal_mean(impact->n, x);
      double sum = 0.0;
      for (ptrdiff_t k = 0; k < impact->n; k++) sum += (x[k] - mean) * (x[k] - mean);
      rms[c] = sqrt(sum);
      most = fmax(most, rms[c]);
    }
    for (ptrdiff_t c = 0; c < r->n_sensor && most > 0.0; c++) part[c] += rms[c] / most;
  }
  for (ptrdiff_t c = 0; c < r->n_sensor; c++)
    if (part[c] > best) best = part[c], *out = c;
  ms_free(ctx, &part);
  return MS_SUCCESS;
}

static ms_status choose(ms_context *ctx, const ms_records *r, shown *s) {
  *s = (shown) { .n = 0 };
  add_some(r, 1, MS_RECORDS_IMPACTS, s);
  add_some(r, 0, MS_RECORDS_IMPACTS - s->n, s);
  for (ptrdiff_t i = 1; i < s->n; i++) /* in the order of the test */
    for (ptrdiff_t k = i; k > 0 && s->impact[k] < s->impact[k - 1]; k--) {
      const ptrdiff_t other = s->impact[k];
      s->impact[k] = s->impact[k - 1], s->impact[k - 1] = other;
    }
  return find_sensor(ctx, r, &s->sensor);
}

/* "tip_2", "tip_12: left out", "tip_12: doubtful"; its colour; the reason in the panel. */
static ms_status add_panel(ms_drawing *d, const ms_records_impact *i, const ms_drawn_axes *axes,
                           const char *what, int *colour) {
  const int doubtful = is_doubtful(i);
  *colour = doubtful;
  MS_TRY(ms_drawing_add_panel(d, axes, "%s%s%s", i->name,
                              !i->used   ? ": left out"
                              : doubtful ? ": doubtful"
                                         : "",
                              what));
  if (doubtful) ms_drawing_note(d, i->doubt && i->doubt[0] ? i->doubt : "left out");
  return MS_SUCCESS;
}

static void say_what(const ms_records *r, const shown *s, ms_drawing *d) {
  ptrdiff_t doubtful = 0;
  for (ptrdiff_t i = 0; i < r->n_impact; i++) doubtful += is_doubtful(&r->impact[i]);
  if (s->n < r->n_impact) ms_drawing_say(d, " Shown are %td of %td impacts.", s->n, r->n_impact);
  if (doubtful > 0)
    ms_drawing_say(d,
                   " Doubtful records have the other colour, and the reason is written in them.");
}

/* ---- pulses ---- */

typedef struct piece {
  ms_pulse pulse;
  double *x, *y; /* one block, room for `room` points each */
  ptrdiff_t room;
} piece;

/* Half of the pulse before it, and twice as much behind it. */
static ms_status draw_pulse(const ms_records_impact *i, const piece *p, int colour, ms_drawing *d) {
  const ptrdiff_t length = p->pulse.fall - p->pulse.rise + 1;
  const ptrdiff_t first = p->pulse.rise > length ? p->pulse.rise - length : 0;
  ptrdiff_t end = p->pulse.fall + 2 * length + 1, n = 0;
  for (ptrdiff_t k = first; k < end && k < i->n; k++, n++) {
    p->x[n] = 1e3 * i->dt * (double)(k - p->pulse.rise);
    p->y[n] = i->force[k];
  }
  return ms_drawing_add_curve(d, NULL, colour, 0, n, p->x, p->y);
}

/* |F| of the force about its pulse, up to `high` Hz. */
static ms_status draw_spectrum(ms_context *ctx, const ms_records_impact *i, double high,
                               const piece *p, int colour, ms_drawing *d) {
  const ptrdiff_t length = p->pulse.last - p->pulse.first + 1;
  const double offset = p->pulse.before > 0 ? ms_signal_mean(p->pulse.before, i->force) : 0.0;
  ptrdiff_t n = 0;
  ms_fft fft;
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size(PULSE_PAD * length + 256), &fft));
  memset(fft.real, 0, (size_t)fft.n * sizeof *fft.real);
  for (ptrdiff_t k = 0; k < length && p->pulse.first + k < i->n; k++)
    fft.real[k] = i->force[p->pulse.first + k] - offset;
  ms_fft_forward(&fft);
  for (ptrdiff_t k = 1; k <= fft.n / 2 && n < p->room; k++) {
    p->x[n] = (double)k / ((double)fft.n * i->dt);
    if (p->x[n] > high) break;
    p->y[n++] = i->dt * hypot(fft.spectrum[k][0], fft.spectrum[k][1]);
  }
  ms_fft_close(ctx, &fft);
  return ms_drawing_add_curve(d, NULL, colour, 0, n, p->x, p->y);
}

static ms_status draw_history(const ms_records *r, const ms_records_impact *i, const piece *p,
                              ptrdiff_t sensor, int colour, ms_drawing *d) {
  for (ptrdiff_t k = 0; k < i->n; k++) {
    p->x[k] = i->dt * (double)k;
    p->y[k] = r->scale * i->x[k + i->n * sensor];
  }
  return ms_drawing_add_curve(d, NULL, colour, 0, i->n, p->x, p->y);
}

static ms_status draw_impact(ms_context *ctx, const ms_records *r, const ms_records_impact *i,
                             ptrdiff_t sensor, const piece *p, ms_drawing *d) {
  const ms_drawn_axes pulse = { "after the impact", "ms", "force", "N", 0, 0.0 };
  const ms_drawn_axes spectrum = { "frequency", "Hz", "spectrum", "N s", 1, 0.0 };
  const ms_drawn_axes history = { "time", "s", r->quantity, r->unit, 0, 0.0 };
  int colour;
  MS_TRY(add_panel(d, i, &pulse, "", &colour));
  MS_TRY(draw_pulse(i, p, colour, d));
  MS_TRY(ms_drawing_add_panel(d, &spectrum, "its spectrum"));
  MS_TRY(draw_spectrum(ctx, i, r->high_hz, p, colour, d));
  MS_TRY(ms_drawing_add_panel(d, &history, "%s", r->sensor[sensor]));
  return draw_history(r, i, p, sensor, colour, d);
}

static ms_status draw_pulses(ms_context *ctx, const ms_records *r, const shown *s, ms_drawing *d) {
  piece p = { .room = 0 };
  for (ptrdiff_t k = 0; k < s->n; k++)
    if (r->impact[s->impact[k]].n > p.room) p.room = r->impact[s->impact[k]].n;
  MS_TRY(ms_allocate(ctx, p.room, 2 * sizeof *p.x, &p.x));
  p.y = p.x + p.room;
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < s->n && status == MS_SUCCESS; k++) {
    const ms_records_impact *i = &r->impact[s->impact[k]];
    status = ms_signal_find_pulse(ctx, i->n, i->force, &p.pulse);
    if (status == MS_ERR_ARGUMENT) { /* no force at all: what judges records says so */
      ms_context_clear_message(ctx);
      p.pulse = (ms_pulse) { .fall = i->n - 1, .last = i->n - 1 };
      status = MS_SUCCESS;
    }
    if (status == MS_SUCCESS) status = draw_impact(ctx, r, i, s->sensor, &p, d);
  }
  ms_free(ctx, &p.x);
  ms_drawing_say(d,
                 "Each row is an impact: the force, the spectrum of its pulse, and the history of "
                 "%s, as lowest and highest values of %d stretches.",
                 r->sensor[s->sensor], (int)MS_DRAWN_STRETCHES);
  say_what(r, s, d);
  return status;
}

/* ---- frequency responses ---- */

typedef struct measured {
  ptrdiff_t n, length, pulse;
  ms_impact *impact; /* by level, rising */
  double *peak;      /* N */
  double dt, decay;
} measured;

static double find_rms(const double *x, ptrdiff_t first, ptrdiff_t end) {
  double sum = 0.0;
  for (ptrdiff_t k = first; k < end; k++) sum += x[k] * x[k] / (double)(end - first);
  return sqrt(sum);
}

/* Those of a place that are used and were sampled like the first of them. */
static ms_status gather(ms_context *ctx, const ms_records *r, ptrdiff_t sensor, int place,
                        measured *m) {
  m->n = 0, m->length = PTRDIFF_MAX, m->pulse = 0, m->decay = 0.0;
  for (ptrdiff_t i = 0; i < r->n_impact; i++) {
    const ms_records_impact *from = &r->impact[i];
    ms_pulse pulse;
    double peak = 0.0;
    if (!from->used || from->place != place || (m->n > 0 && from->dt != m->dt)) continue;
    MS_TRY(ms_signal_find_pulse(ctx, from->n, from->force, &pulse));
    for (ptrdiff_t k = 0; k < from->n; k++) peak = fmax(peak, fabs(from->force[k]));
    const double *x = from->x + from->n * sensor;
    const ptrdiff_t rings = from->n - pulse.fall, part = rings / 20;
    if (part < 1) continue;
    const double fall =
        log(find_rms(x, pulse.fall, pulse.fall + part) / find_rms(x, from->n - part, from->n));
    m->dt = from->dt;
    m->decay = fmax(m->decay, (-log(ends_at) - fall) / (from->dt * (double)rings));
    ms_impact_measure(from->n, pulse.rise, pulse.fall, &m->length, &m->pulse);
    ptrdiff_t at = m->n++;
    for (; at > 0 && m->peak[at - 1] > peak; at--)
      m->peak[at] = m->peak[at - 1], m->impact[at] = m->impact[at - 1];
    m->peak[at] = peak;
    m->impact[at] = (ms_impact) { from->force, x, pulse.rise, pulse.fall };
  }
  return MS_SUCCESS;
}

/* From the first line on; what: 0 the magnitude of H1, 1 the coherence. */
static ms_status draw_lines(ms_context *ctx, const ms_records *r, const measured *m,
                            ptrdiff_t first, ptrdiff_t n, int coherence, const char *label,
                            int colour, ms_drawing *d) {
  ms_frf frf;
  double *y;
  MS_TRY(ms_signal_average_impacts(ctx, m->dt, m->length, m->pulse, m->decay, n, m->impact + first,
                                   &frf));
  ms_status status = ms_allocate(ctx, frf.n, sizeof *y, &y);
  ptrdiff_t lines = 0;
  for (ptrdiff_t k = 1; status == MS_SUCCESS && k < frf.n && frf.freq_hz[k] <= r->high_hz; k++)
    y[lines++] = coherence ? frf.coherence[k] : r->scale * hypot(frf.H1[2 * k], frf.H1[2 * k + 1]);
  if (status == MS_SUCCESS)
    status = ms_drawing_add_curve(d, label, colour, 0, lines, frf.freq_hz + 1, y);
  ms_free(ctx, &y);
  ms_frf_free(ctx, &frf);
  return status;
}

static ms_status draw_levels(ms_context *ctx, const ms_records *r, const measured *m,
                             ms_drawing *d) {
  const ptrdiff_t levels = m->n < LEVELS ? m->n : LEVELS;
  for (ptrdiff_t l = 0; l < levels; l++) {
    const ptrdiff_t first = m->n * l / levels, end = m->n * (l + 1) / levels;
    char label[80];
    if (end - first > 1)
      snprintf(label, sizeof label, "%.3g to %.3g N, %td impacts", m->peak[first], m->peak[end - 1],
               end - first);
    else
      snprintf(label, sizeof label, "%.3g N", m->peak[first]);
    MS_TRY(draw_lines(ctx, r, m, first, end - first, 0, label, (int)l, d));
  }
  return MS_SUCCESS;
}

static ms_status draw_place(ms_context *ctx, const ms_records *r, const char *name,
                            const char *unit, const measured *m, int coherence, ms_drawing *d) {
  const ms_drawn_axes magnitude = { "frequency", "Hz", "magnitude", unit, 1, 0.0 };
  const ms_drawn_axes part = { "frequency", "Hz", "coherence", NULL, 0, 0.5 };
  if (!coherence) {
    MS_TRY(ms_drawing_add_panel(d, &magnitude, "%s", name));
    return draw_levels(ctx, r, m, d);
  }
  if (m->n < 2) return ms_drawing_add_panel(d, NULL, "one impact");
  MS_TRY(ms_drawing_add_panel(d, &part, "%td impacts", m->n));
  return draw_lines(ctx, r, m, 0, m->n, 1, NULL, -1, d);
}

/* A column for each place. */
static ms_status draw_places(ms_context *ctx, const ms_records *r, const shown *s, int n,
                             const int *place, const ptrdiff_t *first, measured *m, ms_drawing *d) {
  char unit[80];
  int coherent = 0;
  snprintf(unit, sizeof unit, "%s/N", r->unit);
  for (int rows = 0; rows < 2; rows++) {
    for (int p = 0; p < n; p++) {
      char name[MS_DRAWN_TEXT];
      MS_TRY(gather(ctx, r, s->sensor, place[p], m));
      coherent |= m->n > 1;
      snprintf(name, sizeof name, "%s%s", n > 1 ? "at the place of " : "",
               n > 1 ? r->impact[first[p]].name : r->sensor[s->sensor]);
      MS_TRY(draw_place(ctx, r, name, unit, m, rows, d));
    }
    if (!coherent) break;
  }
  return MS_SUCCESS;
}

static ms_status draw_responses(ms_context *ctx, const ms_records *r, const shown *s,
                                ms_drawing **out) {
  int place[MS_RECORDS_PLACES], n = 0, all = 0;
  ptrdiff_t first[MS_RECORDS_PLACES];
  for (ptrdiff_t i = 0; i < r->n_impact; i++) {
    int known = !r->impact[i].used;
    for (ptrdiff_t k = 0; k < i && !known; k++)
      known = r->impact[k].used && r->impact[k].place == r->impact[i].place;
    if (known) continue;
    if (n < MS_RECORDS_PLACES) place[n] = r->impact[i].place, first[n++] = i;
    all++;
  }
  if (n == 0) return MS_SUCCESS;
  measured m = { .n = 0 };
  MS_TRY(ms_drawing_create(ctx, "Frequency responses by level", n, out));
  MS_TRY(ms_allocate(ctx, r->n_impact, sizeof *m.impact, &m.impact));
  ms_status status = ms_allocate(ctx, r->n_impact, sizeof *m.peak, &m.peak);
  if (status == MS_SUCCESS) status = draw_places(ctx, r, s, n, place, first, &m, *out);
  ms_free(ctx, &m.peak);
  ms_free(ctx, &m.impact);
  ms_drawing_say(*out,
                 "H1 of %s over the hammer's force, of the impacts that are used, parted by their "
                 "peak force, and the coherence of all of a place. In a linear structure the "
                 "curves of a place coincide.",
                 r->sensor[s->sensor]);
  if (n < all) ms_drawing_say(*out, " Shown are %d of %d places.", n, all);
  return status;
}

/* ---- spectrograms ---- */

/* Points by their amplitude over the largest. */
static ms_status draw_bands(ms_context *ctx, const ms_spectrogram *g, ms_drawing *d) {
  enum { BANDS = 3 };
  static const char *const label[BANDS] = { "0 to -10 dB", "-10 to -20 dB", "-20 to -40 dB" };
  static const double edge[BANDS + 1] = { 1.0, 0.31622776601683794, 0.1, 0.01 };
  const ptrdiff_t every = 1 + (g->n_time - 1) / WINDOWS;
  double most = 0.0, *x;
  for (ptrdiff_t k = 0; k < g->n_time * g->n_line; k++) most = fmax(most, g->amplitude[k]);
  MS_TRY(ms_allocate(ctx, g->n_time * g->n_line, 2 * sizeof *x, &x));
  double *y = x + g->n_time * g->n_line;
  ms_status status = MS_SUCCESS;
  for (int b = 0; b < BANDS && status == MS_SUCCESS; b++) {
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < g->n_time; i += every)
      for (ptrdiff_t j = 0; j < g->n_line; j++) {
        const double a = g->amplitude[j + g->n_line * i];
        if (!(a > edge[b + 1] * most && a <= edge[b] * most)) continue;
        x[n] = g->time[i];
        y[n++] = g->omega[j] / (2.0 * MS_PI);
      }
    status = ms_drawing_add_curve(d, label[b], b, 1, n, x, y);
  }
  ms_free(ctx, &x);
  return status;
}

static ms_status draw_spectrogram(ms_context *ctx, const ms_records *r, const ms_records_impact *i,
                                  ptrdiff_t sensor, ms_drawing *d) {
  const ms_drawn_axes axes = { "time", "s", "frequency", "Hz", 0, 0.0 };
  const double length = i->dt * (double)i->n;
  const ms_signal signal = { .x = i->x + i->n * sensor, .n = i->n, .dt = i->dt };
  ms_spectrogram_settings set = MS_SPECTROGRAM_DEFAULT;
  ms_spectrogram g;
  int colour;
  /* As many windows as lines, as long as these are not too many. */
  set.window = fmax(fmin(sqrt(2.0 * length / r->high_hz), BINS / r->high_hz), 8.0 * i->dt);
  set.window = fmin(set.window, 0.5 * length);
  set.overlap = 0.5;
  set.padding = 1;
  set.low = 0.0;
  set.high = 2.0 * MS_PI * r->high_hz;
  MS_TRY(add_panel(d, i, &axes, "", &colour));
  MS_TRY(ms_signal_spectrogram(ctx, &signal, &set, &g));
  ms_status status = draw_bands(ctx, &g, d);
  ms_spectrogram_free(ctx, &g);
  return status;
}

static ms_status draw_spectrograms(ms_context *ctx, const ms_records *r, const shown *s,
                                   ms_drawing *d) {
  for (ptrdiff_t k = 0; k < s->n; k++)
    MS_TRY(draw_spectrogram(ctx, r, &r->impact[s->impact[k]], s->sensor, d));
  ms_drawing_say(d,
                 "Of %s, in dB of its largest amplitude. A ridge that rises while it decays is a "
                 "joint that sticks more and more; level ridges are linear.",
                 r->sensor[s->sensor]);
  say_what(r, s, d);
  return MS_SUCCESS;
}

/* ---- all ---- */

ms_status ms_records_draw(ms_context *ctx, const ms_records *r, ms_records_drawing what,
                          ms_drawing **out) {
  shown s;
  MS_MAKE(ctx, out, r);
  if (r->n_impact < 1 || r->n_sensor < 1 || !(r->high_hz > 0.0 && isfinite(r->high_hz)))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td impacts, %td sensors, up to %g Hz: nothing to draw",
                   r->n_impact, r->n_sensor, r->high_hz);
  MS_TRY(choose(ctx, r, &s));
  ms_status status = MS_SUCCESS;
  if (what == MS_RECORDS_RESPONSES) {
    status = draw_responses(ctx, r, &s, out);
  } else {
    const int pulses = what == MS_RECORDS_PULSES;
    MS_TRY(ms_drawing_create(ctx, pulses ? "Records" : "Spectrograms of the records", 3, out));
    status = (pulses ? draw_pulses : draw_spectrograms)(ctx, r, &s, *out);
  }
  if (status != MS_SUCCESS) ms_drawing_destroy(out);
  return status;
}
