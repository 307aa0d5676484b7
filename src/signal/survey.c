/* Impact tests without a model: what is used of the records, their decimation, and the frequency
   responses (docs/theory/survey.md). */
#include <stdio.h>
#include <string.h>

#include "signal/survey_parts.h"

enum {
  LEAST = 256,     /* samples of a record behind its pulse */
  PER_PERIOD = 12, /* samples in a period of the highest mode, once decimated */
  PULSE_LINES = 4096
};

void ms_survey_default(ms_survey_settings *settings, size_t size) {
  ms_settings_fill(&(ms_survey_settings)MS_SURVEY_DEFAULT, settings, size);
}

/* ---- what is used ---- */

static ms_status judge_record(ms_survey *s, ptrdiff_t i, const ms_survey_record *r) {
  ms_survey_impact *impact = &s->impact[i];
  ms_judgement *j = s->judgement + (s->n_sensor + 1) * i;
  ms_pulse pulse;
  MS_TRY(ms_signal_find_pulse(s->ctx, r->n, r->force, &pulse));
  impact->used = 1;
  for (ptrdiff_t c = 0; c <= s->n_sensor; c++) {
    const double *x = c == 0 ? r->force : r->x + r->n * (c - 1);
    MS_TRY(ms_signal_judge(s->ctx, r->n, r->dt, r->time, x, c == 0, &j[c]));
    if (j[0].before == 0) j[c].before = 0, j[c].noise = 0.0; /* a slow sensor may seem silent */
    impact->used &= s->set.doubtful || (j[c].overloads == 0 && j[c].n_hit <= 1);
  }
  impact->peak = j[0].peak;
  impact->time = r->time + r->dt * (double)pulse.rise;
  impact->end = r->time + r->dt * (double)pulse.fall;
  if (r->n - pulse.fall >= LEAST) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "%td samples are left behind the pulse at %g s, %d are the least; record longer",
                 r->n - pulse.fall, impact->end, (int)LEAST);
}

static ms_status judge_all(ms_survey *s, const ms_survey_record *record) {
  const double dt = record[0].dt;
  for (ptrdiff_t i = 0; i < s->info.n_record; i++) {
    const ms_survey_record *r = &record[i];
    MS_NEED(s->ctx, r->force && r->x);
    ms_status status = MS_SUCCESS;
    if (r->n < LEAST || !(fabs(r->dt / dt - 1.0) < ms_signal_tol.grid)) {
      status = ms_fail(s->ctx, MS_ERR_ARGUMENT,
                       "%td samples at %g Hz; there must be %d, and %g Hz as in the first record",
                       r->n, 1.0 / r->dt, (int)LEAST, 1.0 / dt);
    }
    if (status == MS_SUCCESS) status = judge_record(s, i, r);
    if (status != MS_SUCCESS && r->name) return ms_fail_at(s->ctx, status, "%s", r->name);
    if (status != MS_SUCCESS) return ms_fail_at(s->ctx, status, "record %td", i + 1);
    s->info.n_used += s->impact[i].used;
  }
  s->info.rate = 1.0 / dt;
  if (s->info.n_used > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "each of the %td records has overloads or several blows; repeat the test, or use "
                 "them all the same",
                 s->info.n_record);
}

/* ---- how far the hammer excites ---- */

/* The first line at which the forces' mean power is below a part of their highest. */
static ms_status find_excited(ms_survey *s, const ms_survey_record *record, double *high) {
  const double dt = record[0].dt, limit = s->set.tol.excited * s->set.tol.excited;
  ptrdiff_t length = 0, k = 0;
  for (ptrdiff_t i = 0; i < s->info.n_record; i++) {
    const ptrdiff_t n = (ptrdiff_t)((s->impact[i].end - s->impact[i].time) / dt) + 1;
    length = n > length ? n : length;
  }
  ms_fft fft;
  double *power, most = 0.0;
  MS_TRY(ms_fft_open(s->ctx, ms_fft_good_size(4 * length + PULSE_LINES), &fft));
  ms_status status = ms_allocate(s->ctx, fft.n / 2 + 1, sizeof *power, &power);
  for (ptrdiff_t i = 0; i < s->info.n_record && status == MS_SUCCESS; i++) {
    const ms_survey_record *r = &record[i];
    const double offset = s->judgement[(s->n_sensor + 1) * i].offset;
    const ptrdiff_t first = (ptrdiff_t)((s->impact[i].time - r->time) / dt + 0.5) - length;
    if (!s->impact[i].used) continue;
    memset(fft.real, 0, (size_t)fft.n * sizeof *fft.real);
    for (ptrdiff_t j = 0; j < 3 * length; j++)
      if (first + j >= 0 && first + j < r->n) fft.real[j] = r->force[first + j] - offset;
    ms_fft_forward(&fft);
    for (k = 0; k <= fft.n / 2; k++)
      power[k] += fft.spectrum[k][0] * fft.spectrum[k][0] + fft.spectrum[k][1] * fft.spectrum[k][1];
  }
  for (k = 0; status == MS_SUCCESS && k <= fft.n / 2; k++) most = fmax(most, power[k]);
  for (k = 0; status == MS_SUCCESS && k <= fft.n / 2; k++)
    if (power[k] < limit * most) break;
  *high = fmin((double)k / ((double)fft.n * dt), 0.2 / dt);
  ms_free(s->ctx, &power);
  ms_fft_close(s->ctx, &fft);
  return status;
}

/* ---- histories ---- */

/* rms of white noise in a record that has no silence before its pulse: from the median line of its
   end, which the few lines of modes that ring on do not raise. */
static ms_status find_late_noise(ms_context *ctx, ptrdiff_t n, const double *x, double *noise) {
  const double mean = ms_signal_mean(n, x);
  double sum = 0.0;
  ms_fft fft;
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size(n), &fft));
  memset(fft.real, 0, (size_t)fft.n * sizeof *fft.real);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double w = 0.5 - 0.5 * cos(2.0 * MS_PI * ((double)k + 0.5) / (double)n);
    fft.real[k] = w * (x[k] - mean);
    sum += w * w;
  }
  ms_fft_forward(&fft);
  const ptrdiff_t lines = fft.n / 2 - 1; /* without the first and the last */
  for (ptrdiff_t k = 0; k < lines; k++) {
    const double *z = fft.spectrum[k + 1];
    fft.real[k] = z[0] * z[0] + z[1] * z[1];
  }
  ms_sort(lines, fft.real);
  *noise = sqrt(fft.real[lines / 2] / (log(2.0) * sum)); /* ln 2: median of a line over its mean */
  ms_fft_close(ctx, &fft);
  return MS_SUCCESS;
}

static ms_status find_noise(ms_survey *s, ptrdiff_t i, const ms_survey_record *r) {
  const ms_judgement *j = s->judgement + (s->n_sensor + 1) * i;
  const ptrdiff_t rings = (ptrdiff_t)((r->time - s->impact[i].end) / r->dt) + r->n;
  for (ptrdiff_t c = 0; c < s->n_sensor; c++) {
    double noise = j[c + 1].noise;
    if (j[c + 1].before == 0)
      MS_TRY(find_late_noise(s->ctx, rings / 4, r->x + r->n * (c + 1) - rings / 4, &noise));
    s->noise[c] = fmax(s->noise[c], noise);
  }
  return MS_SUCCESS;
}

/* Before a record without silence come zeros: where a mode's filter rings ahead of the pulse, it
   rings as much behind it, and find_noise of the ring-downs sees it there. */
static ms_status make_history(ms_survey *s, ptrdiff_t i, const ms_survey_record *r,
                              survey_history *h) {
  const ptrdiff_t m = s->info.factor, n_channel = s->n_sensor + 1;
  const ms_judgement *j = s->judgement + n_channel * i;
  const ptrdiff_t zeros = j[0].before > 0 ? 0 : r->n / 8, n = r->n + zeros;
  ms_decimator_settings d = MS_DECIMATOR_DEFAULT;
  d.factor = m;
  *h = (survey_history) { .record = i, .dt = r->dt * (double)m };
  h->time = r->time - r->dt * (double)zeros;
  h->n = ms_signal_decimated_length(n, m);
  h->rise = (ptrdiff_t)((s->impact[i].time - h->time) / h->dt);
  h->fall = (ptrdiff_t)ceil((s->impact[i].end - h->time) / h->dt);
  double *x;
  MS_TRY(ms_allocate(s->ctx, h->n * n_channel, sizeof *h->y, &h->y));
  MS_TRY(ms_allocate(s->ctx, n * n_channel, sizeof *x, &x));
  for (ptrdiff_t c = 0; c < n_channel; c++) {
    const double *from = c == 0 ? r->force : r->x + r->n * (c - 1);
    /* Of a record that begins with its pulse, the mean says nothing of the offset. */
    const double offset = j[0].before > 0 ? j[c].offset : 0.0;
    for (ptrdiff_t k = 0; k < r->n; k++) x[zeros + k + n * c] = from[k] - offset;
  }
  ms_status status = ms_signal_decimate(s->ctx, &d, n, n_channel, x, h->y);
  ms_free(s->ctx, &x);
  return status;
}

static ms_status make_histories(ms_survey *s, const ms_survey_record *record) {
  double excited, shortest = HUGE_VAL;
  MS_TRY((s->info.is_free ? survey_find_ringing : find_excited)(s, record, &excited));
  for (ptrdiff_t i = 0; i < s->info.n_record; i++) {
    const ms_survey_record *r = &record[i];
    const double rings = r->time + r->dt * (double)(r->n - 1) - s->impact[i].end;
    if (s->impact[i].used) shortest = fmin(shortest, rings);
  }
  s->info.high = s->set.high > 0.0 ? s->set.high : excited;
  s->info.low = s->set.low > 0.0 ? s->set.low : 8.0 / shortest;
  if (!s->info.is_free && !(s->set.high > 0.0) && s->info.low >= s->info.high)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "the force excites nothing above %g Hz, eight periods of which ring in %g s: is "
                   "it a blow, and not exchanged with a sensor?",
                   excited, shortest);
  if (!(s->info.low < s->info.high && s->info.high <= 0.25 * s->info.rate))
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "modes cannot be looked for from %g to %g Hz: that must rise, and end below a "
                   "quarter of the sampling rate, %g Hz; a low limit is eight periods in %g s",
                   s->info.low, s->info.high, s->info.rate, shortest);
  s->info.factor = ms_signal_find_factor(1.0 / s->info.rate, s->info.high, PER_PERIOD);
  MS_TRY(ms_allocate(s->ctx, s->info.n_used, sizeof *s->history, &s->history));
  survey_history *h = s->history;
  for (ptrdiff_t i = 0; i < s->info.n_record; i++)
    if (s->impact[i].used) MS_TRY(make_history(s, i, &record[i], h++));
  MS_TRY(survey_judge(s));
  for (ptrdiff_t i = 0; i < s->info.n_record; i++)
    if (s->impact[i].used) MS_TRY(find_noise(s, i, &record[i]));
  return MS_SUCCESS;
}

/* ---- frequency responses ---- */

/* rms of all sensors over a part of the ringing. */
static double find_rms(const ms_survey *s, const survey_history *h, double from, double to) {
  const ptrdiff_t rings = h->n - h->fall;
  const ptrdiff_t a = h->fall + (ptrdiff_t)(from * (double)rings);
  const ptrdiff_t b = h->fall + (ptrdiff_t)(to * (double)rings);
  double sum = 0.0;
  for (ptrdiff_t c = 1; c <= s->n_sensor; c++)
    for (ptrdiff_t k = a; k < b; k++) sum += h->y[k + h->n * c] * h->y[k + h->n * c];
  return sqrt(sum / (double)(b - a));
}

/* What fades the record that rings longest to a part of its beginning. */
static void find_decay(ms_survey *s) {
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const survey_history *h = &s->history[i];
    const double fall = log(find_rms(s, h, 0.0, 0.05) / find_rms(s, h, 0.95, 1.0));
    const double length = h->dt * (double)(h->n - h->fall);
    s->info.decay = fmax(s->info.decay, (-log(s->set.tol.ringing) - fall) / length);
  }
}

static ms_status average(ms_survey *s, ptrdiff_t n, const ptrdiff_t *order, ms_frf *out) {
  ms_impact *impact;
  ptrdiff_t length = PTRDIFF_MAX, pulse = 0;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const survey_history *h = &s->history[i];
    ms_impact_measure(h->n, h->rise, h->fall, &length, &pulse);
  }
  MS_TRY(ms_allocate(s->ctx, n, sizeof *impact, &impact));
  for (ptrdiff_t i = 0; i < n; i++) {
    const survey_history *h = &s->history[order[i]];
    impact[i] = (ms_impact) { h->y, h->y + h->n * (1 + s->info.sensor), h->rise, h->fall };
  }
  ms_status status = ms_signal_average_impacts(s->ctx, s->history->dt, length, pulse, s->info.decay,
                                               n, impact, out);
  ms_free(s->ctx, &impact);
  return status;
}

static ms_status find_responses(ms_survey *s, ptrdiff_t *order) {
  const ptrdiff_t n = s->info.n_used;
  s->info.n_level = n < 3 ? n : 3;
  for (ptrdiff_t i = 0; i < n; i++) { /* by insertion: a test has tens of impacts */
    ptrdiff_t at = i;
    for (; at > 0; at--) {
      const double before = s->impact[s->history[order[at - 1]].record].peak;
      if (before <= s->impact[s->history[i].record].peak) break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  MS_TRY(average(s, n, order, &s->frf));
  for (ptrdiff_t l = 0; l < s->info.n_level; l++) {
    const ptrdiff_t first = n * l / s->info.n_level, end = n * (l + 1) / s->info.n_level;
    s->level[l].impacts = end - first;
    s->level[l].low = s->impact[s->history[order[first]].record].peak;
    s->level[l].high = s->impact[s->history[order[end - 1]].record].peak;
    MS_TRY(average(s, end - first, order + first, &s->level[l].frf));
  }
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++) {
    const ptrdiff_t k = (ptrdiff_t)(s->mode[r].peak_hz / s->frf.df + 0.5);
    if (k < s->frf.n) s->mode[r].coherence = s->frf.coherence[k];
  }
  return MS_SUCCESS;
}

/* Amplitudes at a sensor that shows nothing are none. */
static ms_status check_sensor(const ms_survey *s) {
  const ptrdiff_t at = s->set.sensor;
  double peak = 0.0;
  for (ptrdiff_t i = 0; at >= 0 && i < s->info.n_record; i++) {
    peak = fmax(peak, s->judgement[(s->n_sensor + 1) * i + 1 + at].peak);
  }
  if (at < 0 || peak > 0.0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "sensor %td, at which amplitudes are wanted, has no signal in any record", at);
}

/* ---- the whole ---- */

static ms_status survey(ms_survey *s, const ms_survey_record *record) {
  const ptrdiff_t n = s->info.n_record;
  ptrdiff_t *order;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *s->impact, &s->impact));
  MS_TRY(ms_allocate(s->ctx, n * (s->n_sensor + 1), sizeof *s->judgement, &s->judgement));
  MS_TRY(ms_allocate(s->ctx, s->n_sensor, sizeof *s->noise, &s->noise));
  MS_TRY(judge_all(s, record));
  MS_TRY(check_sensor(s));
  MS_TRY(make_histories(s, record));
  find_decay(s);
  MS_TRY(survey_find_modes(s));
  MS_TRY(survey_find_curves(s));
  MS_TRY(ms_allocate(s->ctx, s->info.n_used, sizeof *order, &order));
  ms_status status = s->info.is_free ? MS_SUCCESS : find_responses(s, order);
  ms_free(s->ctx, &order);
  for (ptrdiff_t i = 0; s->info.is_free && i < n; i++) s->impact[i].peak = 0.0;
  return status;
}

/* Of none: with impulses in place of the force. */
static ms_status survey_records(ms_survey *s, const ms_survey_record *record) {
  const ptrdiff_t n = s->info.n_record;
  ptrdiff_t forces = 0;
  ms_survey_record *own;
  for (ptrdiff_t i = 0; i < n; i++) forces += record[i].force != NULL;
  if (forces == n) return survey(s, record);
  if (forces > 0)
    return ms_fail(s->ctx, MS_ERR_ARGUMENT, "%td of %td records have a force: give all or none",
                   forces, n);
  s->info.is_free = 1;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *own, &own));
  ms_status status = survey_make_impulses(s, record, own);
  if (status == MS_SUCCESS) status = survey(s, own);
  survey_free_impulses(s, record, own);
  ms_free(s->ctx, &own);
  return status;
}

static ms_status check_settings(ms_context *ctx, ptrdiff_t n_sensor, ms_signal_kind kind,
                                ptrdiff_t n_record, const ms_survey_settings *settings) {
  const ms_survey_tolerances *tol = &settings->tol;
  MS_SURVEY_TOLERANCES(MS_TOLERANCE_CHECK)
  if (n_sensor < 1 || n_record < 1 || kind < MS_SIGNAL_DISPLACEMENT ||
      kind > MS_SIGNAL_ACCELERATION)
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "%td sensors, %td records, kind %d: there must be one of each at least, and "
                   "displacement, velocity or acceleration",
                   n_sensor, n_record, (int)kind);
  if (!(settings->edge >= 0.0 && settings->edge <= 1.0) || settings->modes < 1 ||
      settings->points < 1 || settings->sensor >= n_sensor || settings->sensor < -1)
    return ms_fail(ctx, MS_ERR_BOUNDS,
                   "edge %g must be in [0, 1], modes %td and points %td at least 1, sensor %td in "
                   "[-1, %td]",
                   settings->edge, settings->modes, settings->points, settings->sensor,
                   n_sensor - 1);
  if (settings->low >= 0.0 && settings->high >= 0.0 && isfinite(settings->high)) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "modes are looked for from %g to %g Hz; both must be >= 0",
                 settings->low, settings->high);
}

ms_status ms_survey_create(ms_context *ctx, ptrdiff_t n_sensor, ms_signal_kind kind,
                           ptrdiff_t n_record, const ms_survey_record *record,
                           const ms_survey_settings *settings, ms_survey **out) {
  ms_survey_settings own = MS_SURVEY_DEFAULT;
  ms_survey *s;
  MS_MAKE(ctx, out, record);
  MS_TAKE(ctx, ms_survey_default, settings, own);
  MS_TRY(check_settings(ctx, n_sensor, kind, n_record, settings));
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->ctx = ctx;
  s->set = *settings;
  s->kind = kind;
  s->n_sensor = n_sensor;
  s->info.n_record = n_record;
  ms_status status = survey_records(s, record);
  if (status == MS_SUCCESS) *out = s;
  if (status != MS_SUCCESS) ms_survey_destroy(&s);
  return status;
}

void ms_survey_destroy(ms_survey **survey) {
  if (!survey || !*survey) return;
  ms_survey *s = *survey;
  ms_context *ctx = s->ctx;
  for (ptrdiff_t i = 0; s->history && i < s->info.n_used; i++) ms_free(ctx, &s->history[i].y);
  for (ptrdiff_t i = 0; s->decay && i < s->info.n_used * s->info.n_mode; i++)
    ms_decay_free(ctx, &s->decay[i]);
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++) {
    if (s->row) ms_free(ctx, &s->row[r]);
    if (s->point) ms_free(ctx, &s->point[r]);
  }
  for (int l = 0; l < 3; l++) ms_frf_free(ctx, &s->level[l].frf);
  ms_frf_free(ctx, &s->frf);
  ms_free(ctx, &s->impact);
  ms_free(ctx, &s->judgement);
  ms_free(ctx, &s->noise);
  ms_free(ctx, &s->history);
  ms_free(ctx, &s->mode);
  ms_free(ctx, &s->near);
  ms_free(ctx, &s->shape);
  ms_free(ctx, &s->filter);
  ms_free(ctx, &s->decay);
  ms_free(ctx, &s->row);
  ms_free(ctx, &s->point);
  ms_free(ctx, survey);
}

const ms_survey_info *ms_survey_get_info(const ms_survey *s) {
  return &s->info;
}

const ms_survey_mode *ms_survey_get_mode(const ms_survey *s, ptrdiff_t i) {
  return i >= 0 && i < s->info.n_mode ? &s->mode[i] : NULL;
}

const ms_survey_impact *ms_survey_get_impact(const ms_survey *s, ptrdiff_t i) {
  return i >= 0 && i < s->info.n_record ? &s->impact[i] : NULL;
}

const ms_judgement *ms_survey_get_judgement(const ms_survey *s, ptrdiff_t i, ptrdiff_t channel) {
  const int is_there = i >= 0 && i < s->info.n_record && channel >= 0 && channel <= s->n_sensor;
  return is_there ? &s->judgement[channel + (s->n_sensor + 1) * i] : NULL;
}

const ms_survey_level *ms_survey_get_level(const ms_survey *s, ptrdiff_t i) {
  return i >= 0 && i < s->info.n_level ? &s->level[i] : NULL;
}

const ms_frf *ms_survey_get_frf(const ms_survey *s) {
  return &s->frf;
}

int ms_survey_note(const ms_survey *s, ptrdiff_t r, int i, char *text, size_t size) {
  const ms_survey_mode *m = ms_survey_get_mode(s, r);
  ptrdiff_t coupled = 0;
  if (!m) return 0;
  for (ptrdiff_t k = 0; k < m->n_point; k++) coupled += m->point[k].coupled;
  if (m->neighbour_hz > 0.0 && i-- == 0) {
    snprintf(
        text, size,
        "the mode at %.6g Hz is too near for band and shapes to take it away, and the curve may be "
        "of both",
        m->neighbour_hz);
    return 1;
  }
  if (m->second > s->set.tol.second && i-- == 0) {
    snprintf(
        text, size,
        "the peak has two shapes, the second %.2g of the first: another mode may be in it, and "
        "the curve of both",
        m->second);
    return 1;
  }
  if (coupled > 0 && i-- == 0) {
    snprintf(text, size,
             "at %td of %td points other modes ring too with more than %g of its velocity in "
             "every impact: there the modes may couple in the joints, and the curve is not that of "
             "the mode alone",
             coupled, m->n_point, s->set.tol.others);
    return 1;
  }
  if (m->n_point > 0 && !m->is_low && i-- == 0) {
    snprintf(text, size, "frequency and damping are not those at low amplitude: %s; %s",
             m->is_short ? "so few points are no curve"
             : m->freq_from == m->lowest || m->zeta_from == m->lowest
                 ? "they change from the lowest amplitude on"
                 : "other modes are read at much lower ones",
             "strike more softly, or where the other modes have nodes");
    return 1;
  }
  if (m->n_point == 0 && i-- == 0) {
    snprintf(text, size, "no ring-down can be read: the peak is no mode, or too weak or too short");
    return 1;
  }
  return 0;
}
