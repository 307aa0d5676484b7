/* Ring-downs of the modes of impact tests, their curves over all impacts, and from where these
   deviate (docs/theory/survey.md). */
#include <stdlib.h>
#include <string.h>

#include "signal/survey_parts.h"

enum { WIDEST = 8, SHORT = 80 }; /* steps from a point to a row; periods */

/* ---- one ring-down ---- */

/* y: the output of the mode's filter. */
static void apply_filter(const ms_survey *s, const survey_history *h, ptrdiff_t r, double *y) {
  const double *w = s->filter + s->n_sensor * r;
  memset(y, 0, (size_t)h->n * sizeof *y);
  for (ptrdiff_t c = 0; c < s->n_sensor; c++)
    for (ptrdiff_t k = 0; k < h->n; k++) y[k] += w[c] * h->y[k + h->n * (c + 1)];
}

/* rms of the noise in the band: of white noise as strong as that before the trigger, or what the
   band has there if that is more. */
static double find_noise(const ms_survey *s, const survey_history *h, ptrdiff_t r, double settle,
                         const double *y) {
  const ms_survey_mode *mode = &s->mode[r];
  const double *w = s->filter + s->n_sensor * r;
  double white = 0.0, sum = 0.0;
  for (ptrdiff_t c = 0; c < s->n_sensor; c++) white += w[c] * w[c] * s->noise[c] * s->noise[c];
  white *= 2.0 * (mode->high - mode->low) / s->info.rate;
  const ptrdiff_t n = h->rise - (ptrdiff_t)(settle / h->dt);
  for (ptrdiff_t k = 0; k < n; k++) sum += y[k] * y[k] / (double)n;
  return sqrt(fmax(white, (double)n * h->dt * mode->peak_hz > 4.0 ? sum : 0.0));
}

/* From `fall` on, the end of the last two periods that reach a level. */
static double find_end(const survey_history *h, double freq_hz, double level, const double *y) {
  const ptrdiff_t step = 1 + (ptrdiff_t)(2.0 / (freq_hz * h->dt));
  ptrdiff_t end = h->fall;
  for (ptrdiff_t k = h->fall; k + step <= h->n; k += step) {
    double most = 0.0;
    for (ptrdiff_t j = k; j < k + step; j++) most = fmax(most, fabs(y[j]));
    if (most >= level) end = k + step;
    if (most < 0.5 * level) break;
  }
  return h->time + h->dt * (double)(end - 1);
}

/* Shapes change where joints slip: the mode's part in the sensor about each row, in place of that
   of the shape, as long as the band has no other mode. The rows' amplitudes become such that the
   shape gives the sensor's. y: what the filter lets through; x: room for one history. */
static ms_status scale_rows(ms_survey *s, const survey_history *h, ptrdiff_t r, const ms_band *band,
                            const double *y, double *x, ms_decay *out) {
  const ms_survey_mode *mode = &s->mode[r];
  const ptrdiff_t c = 1 + s->info.sensor;
  if (mode->filtered > 0) return MS_SUCCESS;
  MS_TRY(ms_signal_bandpass(s->ctx, band, h->dt, h->n, 1, h->y + h->n * c, x));
  const ptrdiff_t half = 1 + (ptrdiff_t)(1.0 / (mode->peak_hz * h->dt)); /* two periods in all */
  for (ptrdiff_t i = 0; i < out->n; i++) {
    ms_decay_point *p = &out->point[i];
    const ptrdiff_t at = (ptrdiff_t)((p->time - h->time) / h->dt + 0.5);
    const ptrdiff_t a = at > half ? at - half : 0, b = at + half < h->n ? at + half : h->n - 1;
    double xy = 0.0, yy = 0.0;
    for (ptrdiff_t k = a; k <= b; k++) xy += x[k] * y[k], yy += y[k] * y[k];
    const double scale = yy > 0.0 ? fabs(xy / yy / mode->shape[s->info.sensor]) : 1.0;
    if (!(scale > 0.5 && scale < 2.0)) continue; /* not the mode's: noise at a node of its shape */
    p->q *= scale, p->velocity *= scale, p->acceleration *= scale;
  }
  return MS_SUCCESS;
}

/* work: room for two histories. */
static ms_status read_one(ms_survey *s, const survey_history *h, ptrdiff_t r, double *work,
                          ms_decay *out) {
  ms_survey_mode *mode = &s->mode[r];
  double *q = work, *y = work + h->n;
  ms_ring_settings ring = MS_RING_DEFAULT;
  ms_ring_info info;
  ring.low = 2.0 * MS_PI * mode->low;
  ring.high = 2.0 * MS_PI * mode->high;
  ring.edge = mode->edge;
  ring.start = h->time + h->dt * (double)h->fall;
  ring.keep_offset = 1;
  apply_filter(s, h, r, q);
  const ms_band band = { ring.low, ring.high, ring.edge };
  MS_TRY(ms_signal_bandpass(s->ctx, &band, h->dt, h->n, 1, q, y));
  const double settle = ms_signal_tol.settle / (mode->edge * mode->low);
  const double noise = find_noise(s, h, r, settle, y);
  ring.end = find_end(h, mode->peak_hz, s->set.tol.faded * noise, y);
  const double periods = (ring.end - ring.start - settle) * mode->peak_hz;
  if (periods < SHORT) ring.segments = (ptrdiff_t)fmax(1.0, 0.5 * periods);
  const ms_signal signal = { q, h->n, h->dt, h->time, s->kind };
  ms_status status = ms_signal_ringdown(s->ctx, &signal, &ring, NULL, out, &info);
  if (status == MS_SUCCESS) return scale_rows(s, h, r, &band, y, q, out);
  if (status == MS_ERR_MEMORY || status == MS_CANCELLED) return status;
  ms_context_clear_message(s->ctx); /* too short a ring-down of one mode in one record */
  return MS_SUCCESS;
}

static ms_status read_all(ms_survey *s) {
  ptrdiff_t longest = 0;
  double *work;
  MS_TRY(ms_allocate(s->ctx, s->info.n_used * s->info.n_mode, sizeof *s->decay, &s->decay));
  for (ptrdiff_t i = 0; i < s->info.n_used; i++)
    longest = s->history[i].n > longest ? s->history[i].n : longest;
  MS_TRY(ms_allocate(s->ctx, 2 * longest, sizeof *work, &work));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++)
    for (ptrdiff_t i = 0; i < s->info.n_used && status == MS_SUCCESS; i++)
      status = read_one(s, &s->history[i], r, work, &s->decay[i + s->info.n_used * r]);
  ms_free(s->ctx, &work);
  return status;
}

/* ---- rows ---- */

/* Displacement of a decay at a time, its logarithm linear between rows and beyond them. */
static double amplitude_at(const ms_decay *d, double t) {
  ptrdiff_t k = 1;
  if (d->n == 0) return 0.0;
  if (d->n == 1) return d->point[0].q;
  while (k < d->n - 1 && d->point[k].time < t) k++;
  const ms_decay_point *a = &d->point[k - 1], *b = &d->point[k];
  return a->q * pow(b->q / a->q, (t - a->time) / (b->time - a->time));
}

/* Over the sensors, velocities of the other modes to that of mode r: strains, and so motion in a
   joint, are in proportion to velocities, whatever the frequency. */
static double find_others(const ms_survey *s, ptrdiff_t i, ptrdiff_t r, double t, double q) {
  double sum = 0.0, own = 0.0;
  for (ptrdiff_t k = 0; k < s->info.n_mode; k++) {
    const double v =
        s->mode[k].peak_hz * (k == r ? q : amplitude_at(&s->decay[i + s->info.n_used * k], t));
    for (ptrdiff_t c = 0; c < s->n_sensor; c++) {
      const double u = v * s->shape[c + s->n_sensor * k];
      *(k == r ? &own : &sum) += u * u;
    }
  }
  return sqrt(sum / own);
}

static ms_status make_rows(ms_survey *s, ptrdiff_t r) {
  static const ms_ring_settings ring = MS_RING_DEFAULT;
  ms_survey_mode *mode = &s->mode[r];
  const double shape = fabs(mode->shape[s->info.sensor]);
  ptrdiff_t most = 0;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) most += s->decay[i + s->info.n_used * r].n;
  MS_TRY(ms_allocate(s->ctx, most > 0 ? most : 1, sizeof **s->row, &s->row[r]));
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const ms_decay *d = &s->decay[i + s->info.n_used * r];
    for (ptrdiff_t k = 0; k < d->n; k++) {
      const ms_decay_point *p = &d->point[k];
      const double at[] = { p->q, p->velocity, p->acceleration };
      const double f = p->omega / (2.0 * MS_PI);
      if (p->quality > ring.rough || f < mode->low || f > mode->high) continue;
      s->row[r][mode->n_row++] = (ms_survey_row) { s->history[i].record,
                                                   p->time,
                                                   shape * at[s->kind],
                                                   f,
                                                   p->zeta,
                                                   p->quality,
                                                   find_others(s, i, r, p->time, p->q) };
    }
  }
  mode->row = s->row[r];
  return MS_SUCCESS;
}

/* ---- points ---- */

/* Straight lines in ln a through the rows of one impact within a width of it, of which some lie
   well to both sides. */
static int read_within(const ms_survey *s, const ms_survey_mode *mode, ptrdiff_t record, double a,
                       double width, double fewest, int coupled, double *freq, double *zeta) {
  double n = 0.0, m = 0.0, mm = 0.0, mean[2] = { 0.0 }, slope[2] = { 0.0 };
  const double least = fewest > 2.0 ? width / 3.0 : 0.0;
  int sides[2] = { 0 };
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t k = 0; k < mode->n_row; k++) {
      const ms_survey_row *p = &mode->row[k];
      const double x = log(p->amplitude / a), y[] = { p->freq_hz, p->zeta };
      if (p->record != record || fabs(x) > width) continue;
      if (!coupled && p->others > s->set.tol.others) continue;
      for (int f = 0; f < 2; f++) {
        if (pass == 0) mean[f] += y[f];
        if (pass == 1) slope[f] += (x - m) * (y[f] - mean[f]);
      }
      if (pass == 0) n += 1.0, m += x, sides[x > 0.0] += fabs(x) > least;
      if (pass == 1) mm += (x - m) * (x - m);
    }
    if (sides[0] == 0 || sides[1] == 0 || n < fewest) return 0;
    if (pass == 0) m /= n, mean[0] /= n, mean[1] /= n;
  }
  *freq = mean[0] - m * slope[0] / mm;
  *zeta = mean[1] - m * slope[1] / mm;
  return 1;
}

/* As near as there are three rows; of a quick decay, between two. */
static int read_impact(const ms_survey *s, const ms_survey_mode *mode, ptrdiff_t record, double a,
                       double step, int coupled, double *freq, double *zeta) {
  for (double width = 1.0; width <= WIDEST; width *= 2.0)
    if (read_within(s, mode, record, a, width * step, width < WIDEST ? 3.0 : 2.0, coupled, freq,
                    zeta))
      return 1;
  return 0;
}

static double spread_of(double n, double sum, double squares) {
  return n > 1.0 ? sqrt(fmax(squares - sum * sum / n, 0.0) / (n - 1.0)) : 0.0;
}

static int read_point(const ms_survey *s, const ms_survey_mode *mode, double step,
                      ms_survey_point *p) {
  for (p->coupled = 0; p->coupled < 2; p->coupled++) {
    double n = 0.0, f_sum = 0.0, z_sum = 0.0, f_squares = 0.0, z_squares = 0.0, f, z;
    for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
      const ptrdiff_t record = s->history[i].record;
      if (!read_impact(s, mode, record, p->amplitude, step, p->coupled, &f, &z)) continue;
      const double off = f - mode->peak_hz; /* for the sake of rounding */
      n += 1.0, f_sum += off, z_sum += z, f_squares += off * off, z_squares += z * z;
    }
    p->impacts = (ptrdiff_t)n;
    if (p->impacts == 0) continue;
    p->freq_hz = mode->peak_hz + f_sum / n;
    p->zeta = z_sum / n;
    p->freq_spread = spread_of(n, f_sum, f_squares);
    p->zeta_spread = spread_of(n, z_sum, z_squares);
    return 1;
  }
  return 0;
}

static ms_status make_points(ms_survey *s, ptrdiff_t r) {
  ms_survey_mode *mode = &s->mode[r];
  const double step = log(10.0) / (double)s->set.points;
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t k = 0; k < mode->n_row; k++) {
    low = fmin(low, mode->row[k].amplitude);
    high = fmax(high, mode->row[k].amplitude);
  }
  if (mode->n_row == 0) return MS_SUCCESS;
  const ptrdiff_t first = (ptrdiff_t)ceil(log(low) / step),
                  last = (ptrdiff_t)floor(log(high) / step);
  MS_TRY(ms_allocate(s->ctx, last - first + 2, sizeof **s->point, &s->point[r]));
  for (ptrdiff_t k = first; k <= last; k++) {
    ms_survey_point *p = &s->point[r][mode->n_point];
    p->amplitude = exp(step * (double)k);
    if (p->amplitude > 0.0) mode->n_point += read_point(s, mode, step, p);
  }
  mode->point = s->point[r];
  return MS_SUCCESS;
}

/* ---- from where they deviate ---- */

/* Means over impacts of frequency and damping at the first points, a quarter decade of amplitude,
   without those where other modes ring too if there are others, and their standard errors;
   readings: of all impacts at these points. */
typedef struct basis {
  ptrdiff_t first, n;
  int coupled; /* 1: there is none at which the mode rings alone in an impact */
  double readings, value[2], spread[2], error[2];
} basis;

static double value_of(const ms_survey_point *p, int which) {
  return which == 0 ? p->freq_hz : p->zeta;
}

static double spread_of_point(const ms_survey_point *p, int which) {
  return which == 0 ? p->freq_spread : p->zeta_spread;
}

/* Mean over `most` points of several impacts, from one on downwards, or upwards. */
static double mean_spread(const ms_survey_mode *mode, ptrdiff_t at, int way, double most,
                          int which) {
  double sum = 0.0, n = 0.0;
  for (ptrdiff_t k = at; k >= 0 && k < mode->n_point && n < most; k += way) {
    if (mode->point[k].impacts < 2) continue;
    sum += spread_of_point(&mode->point[k], which);
    n += 1.0;
  }
  return n > 0.0 ? sum / n : HUGE_VAL;
}

/* Two impacts that agree by chance say nothing of the error: at least the mean spread of a point
   and of the softer ones before it, half a decade of them, or that of the curve if it is less. */
static double find_spread(const ms_survey_mode *mode, ptrdiff_t at, ptrdiff_t quarter, int which) {
  const double near = mean_spread(mode, at, -1, 2.0 * (double)quarter, which);
  const double far = mean_spread(mode, at, 1, 2.0 * (double)quarter, which);
  const double all = mean_spread(mode, 0, 1, HUGE_VAL, which);
  if (all == HUGE_VAL) return 0.0; /* single impacts */
  return fmax(fmin(near < HUGE_VAL ? near : far, all), spread_of_point(&mode->point[at], which));
}

/* Below it points do not decay, or are of less than half of the impacts that soon follow. */
static ptrdiff_t find_first(const ms_survey_mode *mode, ptrdiff_t quarter) {
  for (ptrdiff_t k = 0; k < mode->n_point; k++) {
    ptrdiff_t most = 0;
    for (ptrdiff_t j = k; j <= k + quarter && j < mode->n_point; j++)
      if (mode->point[j].impacts > most) most = mode->point[j].impacts;
    if (mode->point[k].zeta > 0.0 && 2 * mode->point[k].impacts >= most) return k;
  }
  return 0;
}

static basis find_basis(const ms_survey *s, const ms_survey_mode *mode) {
  const ptrdiff_t quarter = (s->set.points + 3) / 4;
  basis b = { .first = find_first(mode, quarter), .coupled = 1 };
  const ptrdiff_t left = mode->n_point - b.first, end = b.first + (quarter < left ? quarter : left);
  b.n = end - b.first;
  if (b.n == 0) return b;
  for (ptrdiff_t k = b.first; k < end; k++) b.coupled &= mode->point[k].coupled;
  for (ptrdiff_t k = b.first; k < end; k++)
    if (mode->point[k].coupled == b.coupled) b.readings += (double)mode->point[k].impacts;
  for (int f = 0; f < 2; f++) {
    for (ptrdiff_t k = b.first; k < end; k++) {
      const double part = (double)mode->point[k].impacts / b.readings;
      if (mode->point[k].coupled == b.coupled) b.value[f] += part * value_of(&mode->point[k], f);
    }
    b.spread[f] = find_spread(mode, end - 1, b.n, f);
    b.error[f] = b.spread[f] / sqrt(b.readings);
  }
  return b;
}

static double find_off(const ms_survey_mode *mode, const basis *b, ptrdiff_t k, int which) {
  return fabs(value_of(&mode->point[k], which) - b->value[which]);
}

static int is_certain(const ms_survey *s, const ms_survey_mode *mode, const basis *b, ptrdiff_t k,
                      int which) {
  const double error = find_spread(mode, k, b->n, which) / sqrt((double)mode->point[k].impacts);
  return find_off(mode, b, k, which) > s->set.tol.certain * hypot(error, b->error[which]);
}

/* The lowest point that certainly deviates, and from which on all differ by as much as counts: loud
   points scatter, as impacts have other shares of the other modes, and need not be certain each.
   Where that is within the basis, or follows on it, the curve has no level part. */
static double find_from(const ms_survey *s, const ms_survey_mode *mode, const basis *b, int which) {
  const double limit = which == 0 ? s->set.tol.frequency : s->set.tol.damping;
  ptrdiff_t k = mode->n_point;
  if (mode->is_short) return 0.0;
  while (k > b->first && find_off(mode, b, k - 1, which) > limit * b->value[which]) k--;
  while (k < mode->n_point && !is_certain(s, mode, b, k, which)) k++;
  if (k == mode->n_point) return 0.0;
  return mode->point[k <= b->first + b->n ? b->first : k].amplitude;
}

static void read_lowest(const ms_survey *s, ms_survey_mode *mode) {
  const basis b = find_basis(s, mode);
  if (mode->n_point == 0) return;
  mode->freq_hz = b.value[0];
  mode->zeta = b.value[1];
  mode->freq_spread = b.spread[0];
  mode->zeta_spread = b.spread[1];
  mode->lowest = mode->point[b.first].amplitude;
  mode->is_coupled = b.coupled;
  mode->is_short = mode->n_point - b.first <= (s->set.points + 3) / 4;
  mode->freq_from = find_from(s, mode, &b, 0);
  mode->zeta_from = find_from(s, mode, &b, 1);
}

/* Noise is the same for all modes, and so is the amplitude to which they could be read. */
static int is_low(const ms_survey *s, const ms_survey_mode *mode) {
  double least = HUGE_VAL;
  if (mode->n_point == 0 || mode->is_short) return 0;
  if (mode->freq_from == mode->lowest || mode->zeta_from == mode->lowest) return 0;
  for (ptrdiff_t k = 0; k < s->info.n_mode; k++)
    if (s->mode[k].n_point > 0) least = fmin(least, s->mode[k].lowest);
  return mode->lowest <= s->set.tol.begins * least;
}

/* A mode beside another rings in its band the longer the more both are damped; shapes leave less of
   it. */
static void find_neighbour(ms_survey *s, ptrdiff_t r) {
  ms_survey_mode *mode = &s->mode[r];
  const double near[] = { s->near[r].left, s->near[r].taken };
  double zeta = 0.0;
  for (ptrdiff_t k = 0; k < mode->n_point; k++) zeta = fmax(zeta, mode->point[k].zeta);
  for (int i = 0; i < 2 && mode->neighbour_hz == 0.0; i++) {
    const double away = fabs(near[i] / mode->peak_hz - 1.0), widths = s->set.tol.widths * zeta;
    const double least = i == 0 ? fmax(s->set.tol.apart, widths) : 0.5 * widths;
    if (near[i] > 0.0 && away < least) mode->neighbour_hz = near[i];
  }
}

ms_status survey_find_curves(ms_survey *s) {
  MS_TRY(read_all(s));
  MS_TRY(ms_allocate(s->ctx, s->info.n_mode, sizeof *s->row, &s->row));
  MS_TRY(ms_allocate(s->ctx, s->info.n_mode, sizeof *s->point, &s->point));
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++) {
    ms_survey_mode *mode = &s->mode[r];
    MS_TRY(make_rows(s, r));
    MS_TRY(make_points(s, r));
    read_lowest(s, mode);
    find_neighbour(s, r);
  }
  for (ptrdiff_t r = 0; r < s->info.n_mode; r++) s->mode[r].is_low = is_low(s, &s->mode[r]);
  return MS_SUCCESS;
}
