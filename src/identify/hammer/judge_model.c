/* Hits against the modes: which sign, which exchange of cables, which point of impact explains what
   was fitted? Part unexplained of a sensor, with a gain k that all sensors of the hit share:

     d_c = |a_c - k m_c|^2/(|a_c|^2 + |k m_c|^2 + e),   0: as predicted, 1: nothing of it, 2:
   inverted

   e keeps sensors at a node out of it. First what most hits share, a sensor that is wrong in all of
   them; then each hit. */
#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "identify/hammer/judge.h"
#include "structure/impl.h"

enum { ALL = -1, SET = 3, ROUNDS = 3, SLIPS = 3 };

/* ---- what is predicted ---- */

/* phi^T b of the hit, or of a unit force at a coordinate. */
static double load_of(const judge *j, const judged_hit *h, ptrdiff_t place, const double *phi) {
  double sum = 0.0;
  if (place >= 0) return phi[place];
  for (ptrdiff_t i = 0; i < j->s->n; i++) sum += phi[i] * h->from->shape[i];
  return sum;
}

static void add_modes(const judge *j, const judged_hit *h, ptrdiff_t place, const double *shape,
                      double factor, double *m) {
  for (ptrdiff_t g = 0; g < h->n_group; g++) {
    const judged_group *is = &j->group[g];
    for (ptrdiff_t r = is->first; r < is->first + is->n; r++) {
      const double *phi = shape + j->s->n * r;
      const double load = factor * h->norm[g] * load_of(j, h, place, phi);
      for (ptrdiff_t c = 0; c < j->setting.n_channel; c++)
        m[g + h->n_group * c] += load * phi[j->setting.channel[c]];
    }
  }
}

/* By stuck modes (slip 0), by slipped ones (1), or between them. */
static void predict(const judge *j, const judged_hit *h, ptrdiff_t place, double slip, double *m) {
  memset(m, 0, (size_t)(h->n_group * j->setting.n_channel) * sizeof *m);
  if (slip < 1.0) add_modes(j, h, place, j->s->shape, 1.0 - slip, m);
  if (slip > 0.0) add_modes(j, h, place, j->s->shape_slip, slip, m);
}

/* ---- how far what was fitted is from it ---- */

static double spare(const judge *j, const judged_hit *h, ptrdiff_t c) {
  double sum = 0.0, n = 0.0;
  for (ptrdiff_t i = 0; i < j->setting.n_channel; i++) {
    const double *a = h->a + h->n_group * i;
    if (h->used[i]) sum += ms_judge_dot(h->n_group, a, a), n += 1.0;
  }
  return j->setting.tol.node * sum / fmax(n, 1.0) + (double)h->n_group * h->noise[c] * h->noise[c];
}

static double part(const judge *j, const judged_hit *h, ptrdiff_t c, const double *m, double k) {
  const double *a = h->a + h->n_group * c;
  const double aa = ms_judge_dot(h->n_group, a, a), mm = k * k * ms_judge_dot(h->n_group, m, m);
  return (aa + mm - 2.0 * k * ms_judge_dot(h->n_group, a, m)) / (aa + mm + spare(j, h, c));
}

/* The wiring of a hit, changed: everything or channel c inverted, or c and d exchanged. */
typedef struct change {
  ms_hit_fault fault; /* MS_HIT_FAULT_COUNT: nothing is changed */
  ptrdiff_t c, d;
} change;

static const double *row_of(const judged_hit *h, const double *m, const change *x, ptrdiff_t c) {
  if (x->fault == MS_HIT_SWAPPED) c = c == x->c ? x->d : c == x->d ? x->c : c;
  return m + h->n_group * h->source[c];
}

static double factor_of(const judged_hit *h, const change *x, ptrdiff_t c) {
  const int inverted =
      x->fault == MS_HIT_FORCE_INVERTED || (x->fault == MS_HIT_SENSOR_INVERTED && x->c == c);
  return inverted ? -h->factor[c] : h->factor[c];
}

/* The gain of least squares, each sensor counted by its size. */
static double fit_gain(const judge *j, const judged_hit *h, const double *m, const change *x) {
  double over = 0.0, under = 0.0;
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    const double *a = h->a + h->n_group * c, *p = row_of(h, m, x, c), f = factor_of(h, x, c);
    const double weight =
        ms_judge_dot(h->n_group, a, a) + f * f * ms_judge_dot(h->n_group, p, p) + spare(j, h, c);
    if (!h->used[c] || !(weight > 0.0)) continue;
    over += f * ms_judge_dot(h->n_group, a, p) / weight;
    under += f * f * ms_judge_dot(h->n_group, p, p) / weight;
  }
  return under > 0.0 ? over / under : 0.0;
}

/* Means over the sensors, and over those that the change touches. */
typedef struct score {
  double all, touched, gain;
} score;

static int touches(const change *x, ptrdiff_t c) {
  if (x->fault == MS_HIT_SWAPPED) return c == x->c || c == x->d;
  return x->fault != MS_HIT_SENSOR_INVERTED || c == x->c;
}

static score rate(const judge *j, judged_hit *h, const double *m, const change *x,
                  double set_gain) {
  const double range = j->setting.tol.same_gain;
  score s = { .gain = fit_gain(j, h, m, x) };
  double n = 0.0, n_touched = 0.0;
  if (x->fault != MS_HIT_GAIN) s.gain = fmin(fmax(s.gain, set_gain / range), set_gain * range);
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    if (!h->used[c]) continue;
    h->d[c] = part(j, h, c, row_of(h, m, x, c), s.gain * factor_of(h, x, c));
    s.all += h->d[c], n += 1.0;
    if (touches(x, c)) s.touched += h->d[c], n_touched += 1.0;
  }
  s.all /= fmax(n, 1.0);
  s.touched /= fmax(n_touched, 1.0);
  return s;
}

/* ---- one hit ---- */

typedef struct search {
  judge *j;
  judged_hit *h;
  double set_gain, *m; /* work */
  score stated, best;
  change is;
} search;

/* What the change touches is better by far, and all sensors together better than by any other. */
static void consider(search *s, const double *m, change x) {
  const ms_hit_tolerances *tol = &s->j->setting.tol;
  const score got = rate(s->j, s->h, m, &x, s->set_gain);
  score stated = s->stated;
  if (x.fault == MS_HIT_SWAPPED || x.fault == MS_HIT_SENSOR_INVERTED) {
    /* the same sensors, as they are stated */
    const score now = rate(s->j, s->h, m, &(change) { .fault = MS_HIT_FAULT_COUNT }, s->set_gain);
    stated = now;
    stated.touched = s->h->d[x.c];
    if (x.fault == MS_HIT_SWAPPED) stated.touched = 0.5 * (stated.touched + s->h->d[x.d]);
  }
  if (!(got.touched + tol->blur < tol->better * stated.touched)) return;
  if (s->is.fault != MS_HIT_FAULT_COUNT && !(got.all < s->best.all)) return;
  if (x.fault == MS_HIT_GAIN && !(got.gain > 0.0)) return;
  s->best = got;
  s->is = x;
}

static void consider_sensors(search *s) {
  const judge *j = s->j;
  ptrdiff_t used = 0;
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) used += s->h->used[c];
  for (ptrdiff_t c = 0; c < j->setting.n_channel && used > 1; c++) {
    if (!s->h->used[c]) continue;
    consider(s, s->h->m, (change) { MS_HIT_SENSOR_INVERTED, c, c });
    for (ptrdiff_t d = c + 1; d < j->setting.n_channel; d++) {
      if (s->h->used[d]) consider(s, s->h->m, (change) { MS_HIT_SWAPPED, c, d });
    }
  }
}

/* Other coordinates, hit in the direction that is stated. */
static void consider_places(search *s) {
  const double *stated = s->h->from->shape;
  double sign = 1.0;
  for (ptrdiff_t i = 0; i < s->j->s->n; i++) {
    if (stated[i] != 0.0) sign = stated[i] < 0.0 ? -1.0 : 1.0;
  }
  for (ptrdiff_t i = 0; i < s->j->s->n; i++) {
    if (stated[i] != 0.0 || ms_name_is_rotation(ms_structure_get_name(s->j->s, i))) continue;
    for (int k = 0; k < SLIPS; k++) {
      predict(s->j, s->h, i, (double)k / (SLIPS - 1), s->m);
      for (ptrdiff_t e = 0; e < s->h->n_group * s->j->setting.n_channel; e++) s->m[e] *= sign;
      consider(s, s->m, (change) { MS_HIT_PLACE, i, k });
    }
  }
}

/* A force whose spectrum is wrong: every mode has a gain of its own, the same for all sensors. Part
   of a pulse is less than the pulse where it pushes most, at low frequencies. With so many numbers
   it must do better by far than another explanation. */
static void consider_spectrum(search *s) {
  const judged_hit *h = s->h;
  const ptrdiff_t G = h->n_group, C = s->j->setting.n_channel;
  double lowest = 0.0, all = 0.0;
  memcpy(s->m, h->m, (size_t)(G * C) * sizeof *s->m);
  for (ptrdiff_t i = 0; i < G * C; i++) all += h->used[i / G] ? h->a[i] * h->a[i] : 0.0;
  for (ptrdiff_t g = 0; g < G; g++) {
    double over = 0.0, under = 0.0, energy = 0.0;
    for (ptrdiff_t c = 0; c < C; c++) {
      const double a = h->a[g + G * c], m = h->factor[c] * h->m[g + G * h->source[c]];
      if (h->used[c]) over += a * m, under += m * m, energy += a * a;
    }
    const double k = under > 0.0 ? fmax(over / under, 0.0) : 0.0;
    if (lowest == 0.0 && energy > s->j->setting.tol.share * all) lowest = k / s->set_gain;
    for (ptrdiff_t c = 0; c < C; c++) s->m[g + G * c] *= k / s->set_gain;
  }
  if (!(lowest > s->j->setting.tol.same_gain)) return;
  search own = *s;
  own.is.fault = MS_HIT_FAULT_COUNT;
  consider(&own, s->m, (change) { .fault = MS_HIT_DROP_OUT });
  own.best.gain = lowest * s->set_gain;
  const int alone = s->is.fault == MS_HIT_FAULT_COUNT;
  const double least = s->j->setting.tol.better * s->best.all;
  if (own.is.fault == MS_HIT_DROP_OUT && (alone || own.best.all + s->j->setting.tol.blur < least))
    *s = own;
}

/* The hit as it is understood from here on. */
static void apply(search *s) {
  judged_hit *h = s->h;
  const ptrdiff_t n = s->j->setting.n_channel;
  if (s->is.fault == MS_HIT_PLACE) predict(s->j, h, s->is.c, (double)s->is.d / (SLIPS - 1), h->m);
  for (ptrdiff_t c = 0; c < n; c++) {
    h->factor[c] = factor_of(h, &s->is, c);
    if (s->is.fault == MS_HIT_GAIN) h->factor[c] *= s->best.gain / s->set_gain;
  }
  if (s->is.fault != MS_HIT_SWAPPED) return;
  const ptrdiff_t source = h->source[s->is.c];
  h->source[s->is.c] = h->source[s->is.d];
  h->source[s->is.d] = source;
}

/* What looked like two blows is one, of which the middle is lost. */
static void remove_blows(ms_hit_judgement *out) {
  int n = 0;
  for (int i = 0; i < out->n_finding; i++) {
    if (out->finding[i].fault != MS_HIT_DOUBLE) out->finding[n++] = out->finding[i];
  }
  out->n_finding = n;
}

static void name_change(search *s) {
  const change *x = &s->is;
  const double gain = s->best.gain / s->set_gain;
  ms_hit_finding f = { .fault = x->fault, .channel = ALL };
  if (x->fault == MS_HIT_PLACE) f.other = x->c;
  if (x->fault == MS_HIT_SENSOR_INVERTED) f.channel = x->c;
  if (x->fault == MS_HIT_SWAPPED) f.channel = x->c, f.other = x->d;
  if (x->fault == MS_HIT_GAIN || x->fault == MS_HIT_DROP_OUT) {
    f.value = 1.0 / gain;
    f.fault = gain > 1.0 ? MS_HIT_DROP_OUT : MS_HIT_GAIN;
  }
  if (f.fault == MS_HIT_DROP_OUT) remove_blows(s->h->out);
  ms_judge_add(s->h, f);
}

/* A force with two blows that the responses do not follow is one of which the middle is lost. */
static void name_all_unexplained(search *s) {
  ms_hit_judgement *out = s->h->out;
  for (int i = 0; i < out->n_finding; i++) {
    if (out->finding[i].fault != MS_HIT_DOUBLE) continue;
    out->finding[i].fault = MS_HIT_DROP_OUT;
    return;
  }
  ms_judge_add(s->h, (ms_hit_finding) { .fault = MS_HIT_UNEXPLAINED,
                                        .channel = ALL,
                                        .value = fmin(s->stated.all, 1.0) });
}

/* One sensor, where the others are as predicted. */
static void name_sensor_unexplained(search *s, ptrdiff_t c, double used) {
  const judged_hit *h = s->h;
  const ms_hit_tolerances *tol = &s->j->setting.tol;
  const double *a = h->a + h->n_group * c, *m = h->m + h->n_group * h->source[c];
  const double others = (used * s->stated.all - h->d[c]) / fmax(used - 1.0, 1.0);
  if (h->d[c] < tol->unexplained || others > tol->others) return;
  const double size = sqrt(ms_judge_dot(h->n_group, a, a) / ms_judge_dot(h->n_group, m, m));
  const ms_hit_fault fault = size < tol->doubt * s->set_gain ? MS_HIT_LOST : MS_HIT_UNEXPLAINED;
  ms_judge_add(s->h,
               (ms_hit_finding) { .fault = fault, .channel = c, .value = fmin(h->d[c], 1.0) });
}

static void name_unexplained(search *s) {
  const ptrdiff_t n = s->j->setting.n_channel;
  double used = 0.0;
  if (s->stated.all > s->j->setting.tol.unexplained) {
    name_all_unexplained(s);
    return;
  }
  for (ptrdiff_t c = 0; c < n; c++) used += s->h->used[c];
  for (ptrdiff_t c = 0; c < n; c++)
    if (s->h->used[c]) name_sensor_unexplained(s, c, used);
}

static void compare_hit(search *s) {
  static const change nothing = { .fault = MS_HIT_FAULT_COUNT };
  for (int i = 0;; i++) {
    s->is = nothing;
    s->stated = rate(s->j, s->h, s->h->m, &nothing, s->set_gain);
    if (i == 0) s->h->out->unexplained = s->stated.all, s->h->out->gain = s->stated.gain;
    if (i == ROUNDS) break;
    consider(s, s->h->m, (change) { .fault = MS_HIT_FORCE_INVERTED });
    consider(s, s->h->m, (change) { .fault = MS_HIT_GAIN });
    consider_sensors(s);
    consider_places(s);
    consider_spectrum(s);
    if (s->is.fault == MS_HIT_FAULT_COUNT) break;
    name_change(s);
    if (s->is.fault == MS_HIT_DROP_OUT) return;
    apply(s);
  }
  s->stated = rate(s->j, s->h, s->h->m, &nothing, s->set_gain);
  name_unexplained(s);
}

/* ---- what most hits share ---- */

/* Of the hit: what its sensors say of its gain, in the median; work for one of each sensor. */
static double median_gain(const judge *j, const judged_hit *h, double *work) {
  ptrdiff_t n = 0;
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    const double *a = h->a + h->n_group * c, *m = h->m + h->n_group * h->source[c];
    const double mm = ms_judge_dot(h->n_group, m, m);
    if (h->used[c] && mm > spare(j, h, c))
      work[n++] = h->factor[c] * ms_judge_dot(h->n_group, a, m) / mm;
  }
  return ms_judge_median(n, work);
}

static double median_part(const judge *j, ptrdiff_t c, ptrdiff_t source, double factor,
                          const double *sign, double *work) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    const judged_hit *h = &j->hit[i];
    if (h->fitted && h->used[c])
      work[n++] = part(j, h, c, h->m + h->n_group * source, factor * sign[i]);
  }
  return n >= SET ? ms_judge_median(n, work) : 0.0;
}

static void add_to_all(judge *j, ptrdiff_t c, ms_hit_finding f) {
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    judged_hit *h = &j->hit[i];
    if (!h->fitted) continue;
    ms_judge_add(h, f);
    if (f.fault == MS_HIT_SENSOR_INVERTED) h->factor[c] = -h->factor[c];
    if (f.fault == MS_HIT_GAIN && c >= 0) h->factor[c] *= f.value;
    if (f.fault == MS_HIT_SWAPPED) h->source[c] = f.other, h->source[f.other] = c;
  }
}

/* A sensor that is inverted, or exchanged with another one, in most hits. */
static void compare_sensor(judge *j, ptrdiff_t c, const double *sign, double *work) {
  const ms_hit_tolerances *tol = &j->setting.tol;
  const double stated = median_part(j, c, c, 1.0, sign, work);
  if (!(stated > tol->doubt) || j->setting.n_channel < 2) return;
  if (median_part(j, c, c, -1.0, sign, work) < tol->better * stated) {
    add_to_all(j, c, (ms_hit_finding) { .fault = MS_HIT_SENSOR_INVERTED, .channel = c });
    return;
  }
  for (ptrdiff_t d = c + 1; d < j->setting.n_channel; d++) {
    const double both = stated + median_part(j, d, d, 1.0, sign, work);
    if (median_part(j, c, d, 1.0, sign, work) + median_part(j, d, c, 1.0, sign, work) >
        tol->better * both)
      continue;
    add_to_all(j, c, (ms_hit_finding) { .fault = MS_HIT_SWAPPED, .channel = c, .other = d });
    return;
  }
}

/* What is stated of all hits stands in each that was fitted. */
static const judged_hit *find_fitted(const judge *j) {
  ptrdiff_t i = 0;
  while (i < j->n_hit - 1 && !j->hit[i].fitted) i++;
  return &j->hit[i];
}

/* Gains of sensors in the median over the hits, relative to that of all: as they are from here on.
 */
static void compare_gains(judge *j, const double *sign, double *work) {
  const double wrong = j->setting.tol.wrong_gain;
  const judged_hit *any = find_fitted(j);
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < j->n_hit; i++) {
      const judged_hit *h = &j->hit[i];
      if (!h->fitted || !h->used[c]) continue;
      const double *a = h->a + h->n_group * c, *m = h->m + h->n_group * h->source[c];
      const double mm = ms_judge_dot(h->n_group, m, m);
      if (mm > spare(j, h, c))
        work[n++] = h->factor[c] * ms_judge_dot(h->n_group, a, m) / (mm * sign[i]);
    }
    if (n < SET) continue;
    const double gain = ms_judge_median(n, work);
    if (!(gain > 0.0)) continue;
    if (gain > wrong || gain < 1.0 / wrong) {
      const ms_hit_finding f = { .fault = MS_HIT_GAIN, .channel = c, .value = gain };
      const double factor = any->factor[c] * gain;
      if (median_part(j, c, any->source[c], factor, sign, work) < j->setting.tol.doubt)
        add_to_all(j, c, f);
      continue;
    }
    for (ptrdiff_t i = 0; i < j->n_hit; i++) {
      if (j->hit[i].fitted) j->hit[i].factor[c] *= gain;
    }
  }
}

/* Into sign[i] the gain of hit i with its sign, 0 of those that were not fitted. Returns the median
   of their sizes; n of them. */
static double find_gains(const judge *j, double *sign, double *work, ptrdiff_t *n) {
  *n = 0;
  for (ptrdiff_t i = 0; i < j->n_hit; i++)
    sign[i] = j->hit[i].fitted ? median_gain(j, &j->hit[i], work) : 0.0;
  for (ptrdiff_t i = 0; i < j->n_hit; i++)
    if (j->hit[i].fitted) work[(*n)++] = fabs(sign[i]);
  return ms_judge_median(*n, work);
}

/* Returns the gain that the hits of the set share. */
static double compare_set(judge *j, double *sign, double *work) {
  const double wrong = j->setting.tol.wrong_gain;
  ptrdiff_t n;
  double gain = find_gains(j, sign, work, &n);
  if (n < SET) return fmin(fmax(gain, 1.0 / wrong), wrong);
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) compare_sensor(j, c, sign, work);
  gain = find_gains(j, sign, work, &n);
  for (ptrdiff_t i = 0; i < j->n_hit; i++) sign[i] = copysign(gain, sign[i]);
  if (!(gain > 0.0)) return 1.0;
  compare_gains(j, sign, work);
  if (gain > wrong || gain < 1.0 / wrong)
    add_to_all(j, ALL,
               (ms_hit_finding) { .fault = MS_HIT_GAIN, .channel = ALL, .value = 1.0 / gain });
  return gain;
}

/* ---- all of them ---- */

/* The slip with which most sensors are explained best. */
static void choose_slip(const judge *j, judged_hit *h, double *work) {
  double least = HUGE_VAL, chosen = 0.0;
  for (int i = 0; i <= SLIPS; i++) {
    predict(j, h, ALL, i < SLIPS ? (double)i / (SLIPS - 1) : chosen, h->m);
    const double gain = median_gain(j, h, work);
    ptrdiff_t n = 0;
    for (ptrdiff_t c = 0; c < j->setting.n_channel; c++)
      if (h->used[c]) work[n++] = part(j, h, c, h->m + h->n_group * c, gain);
    const double now = ms_judge_median(n, work);
    if (now < least) least = now, chosen = (double)i / (SLIPS - 1);
  }
}

static void start(judge *j, double *work) {
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    judged_hit *h = &j->hit[i];
    if (!h->fitted) continue;
    for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) h->source[c] = c, h->factor[c] = 1.0;
    choose_slip(j, h, work);
  }
}

/* A silent sensor that the modes say should ring; all where they say nothing. */
static void name_lost(const judge *j, judged_hit *h) {
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    if (!h->silent[c]) continue;
    const double *m = h->m ? h->m + h->n_group * c : NULL;
    const double expected =
        h->fitted ? sqrt(ms_judge_dot(h->n_group, m, m) / (double)h->n) : HUGE_VAL;
    if (expected > j->setting.tol.clear * h->out->channel[c + 1].noise)
      ms_judge_add(h, (ms_hit_finding) { .fault = MS_HIT_LOST, .channel = c });
  }
}

static void fill_gains(const judge *j, judged_hit *h) {
  for (ptrdiff_t c = 0; c < j->setting.n_channel; c++) {
    const double *a = h->a + h->n_group * c, *m = h->m + h->n_group * c;
    const double mm = ms_judge_dot(h->n_group, m, m);
    if (h->used[c] && mm > spare(j, h, c))
      h->out->channel[c + 1].gain = ms_judge_dot(h->n_group, a, m) / mm;
  }
}

static int is_unexplained(const judged_hit *h, int from) {
  for (int i = from; i < h->out->n_finding; i++) {
    const ms_hit_finding *f = &h->out->finding[i];
    if (f->fault == MS_HIT_UNEXPLAINED && f->channel == ALL) return 1;
  }
  return 0;
}

/* Back to what was found before where the modes do not explain most of the hits. */
static void withdraw(judge *j, const ms_hit_judgement *before) {
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    ms_hit_judgement *out = j->hit[i].out;
    *out = before[i];
    out->gain = out->unexplained = 0.0;
    for (ptrdiff_t c = 0; c <= j->setting.n_channel; c++) out->channel[c].gain = 0.0;
  }
}

static void compare_hits(judge *j, double *m, double *sign, double *work, ms_hit_judgement *before,
                         int *explained) {
  ptrdiff_t n = 0, bad = 0;
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    name_lost(j, &j->hit[i]);
    if (j->hit[i].fitted) fill_gains(j, &j->hit[i]);
    before[i] = *j->hit[i].out;
  }
  search s = { .j = j, .m = m, .set_gain = compare_set(j, sign, work) };
  for (ptrdiff_t i = 0; i < j->n_hit; i++) {
    s.h = &j->hit[i];
    if (!s.h->fitted) continue;
    compare_hit(&s);
    n++;
    bad += is_unexplained(s.h, before[i].n_finding);
  }
  *explained = 2 * bad <= n;
  if (!*explained) withdraw(j, before);
}

ms_status ms_judge_compare(judge *j, int *explained) {
  const ptrdiff_t C = j->setting.n_channel, most = C > j->n_hit ? C : j->n_hit;
  ms_hit_judgement *before;
  double *m;
  MS_TRY(ms_allocate(j->ctx, j->n_hit, sizeof *before, &before));
  ms_status status = ms_allocate(j->ctx, MS_JUDGE_GROUPS * C + 2 * most, sizeof *m, &m);
  if (status == MS_SUCCESS) {
    double *sign = m + MS_JUDGE_GROUPS * C;
    start(j, sign);
    compare_hits(j, m, sign, sign + most, before, explained);
  }
  ms_free(j->ctx, &m);
  ms_free(j->ctx, &before);
  return status;
}
