/* Impacts of a survey against each other: a channel that shows nothing, another sign or another
   sensor's motion in one of them. Letters:

     z_ic   sensor c after impact i, its beginning, over the momentum of the blow
     r(ic, jd) = z_ic.z_jd/(|z_ic| |z_jd|);   median over the other impacts j

   and places of the hammer, by the correlation of all sensors at once. */
#include <string.h>

#include "signal/survey_parts.h"

enum { LEAST_IMPACTS = 3, LEAST_SAMPLES = 16 };

typedef struct beginnings {
  ptrdiff_t n;         /* samples */
  double *z;           /* [k + n*(sensor + n_sensor*history)] */
  double *norm, *work; /* [sensor + n_sensor*history]; room for the other impacts */
} beginnings;

static ptrdiff_t count_samples(const ms_survey *s) {
  ptrdiff_t shortest = PTRDIFF_MAX;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const survey_history *h = &s->history[i];
    if (h->n - h->rise < shortest) shortest = h->n - h->rise;
  }
  const ptrdiff_t n = (ptrdiff_t)(s->set.tol.early * (double)shortest);
  return n > LEAST_SAMPLES ? n : LEAST_SAMPLES;
}

static double find_momentum(const survey_history *h) {
  const ptrdiff_t wide = ms_impact_width(h->rise, h->fall);
  double sum = 0.0;
  for (ptrdiff_t k = h->rise > wide ? h->rise - wide : 0; k < h->fall + wide && k < h->n; k++)
    sum += h->y[k];
  return sum;
}

static ms_status open_beginnings(ms_survey *s, beginnings *b) {
  const ptrdiff_t m = s->n_sensor, n_used = s->info.n_used;
  *b = (beginnings) { .n = count_samples(s) };
  MS_TRY(ms_allocate(s->ctx, (b->n + 1) * m * n_used + n_used, sizeof *b->z, &b->z));
  b->norm = b->z + b->n * m * n_used;
  b->work = b->norm + m * n_used;
  for (ptrdiff_t i = 0; i < n_used; i++) {
    const survey_history *h = &s->history[i];
    const double momentum = find_momentum(h);
    for (ptrdiff_t c = 0; c < m && momentum != 0.0; c++) {
      double *z = b->z + b->n * (c + m * i), sum = 0.0;
      for (ptrdiff_t k = 0; k < b->n && h->rise + k < h->n; k++) {
        z[k] = h->y[h->rise + k + h->n * (c + 1)] / momentum;
        sum += z[k] * z[k];
      }
      b->norm[c + m * i] = sqrt(sum);
    }
  }
  return MS_SUCCESS;
}

static double median(ptrdiff_t n, double *x) {
  ms_sort(n, x);
  return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* Sensor c of impact i with sensor d of the others. */
static double correlate(const ms_survey *s, const beginnings *b, ptrdiff_t i, ptrdiff_t c,
                        ptrdiff_t d) {
  const ptrdiff_t m = s->n_sensor;
  const double *z = b->z + b->n * (c + m * i);
  ptrdiff_t n = 0;
  for (ptrdiff_t j = 0; j < s->info.n_used; j++) {
    const double *other = b->z + b->n * (d + m * j);
    const double norms = b->norm[c + m * i] * b->norm[d + m * j];
    double sum = 0.0;
    if (j == i) continue;
    for (ptrdiff_t k = 0; k < b->n; k++) sum += z[k] * other[k];
    b->work[n++] = norms > 0.0 ? sum / norms : 0.0;
  }
  return median(n, b->work);
}

static int is_lost(const ms_survey *s, const beginnings *b, ptrdiff_t i, ptrdiff_t c) {
  const ptrdiff_t m = s->n_sensor;
  ptrdiff_t n = 0;
  for (ptrdiff_t j = 0; j < s->info.n_used; j++)
    if (j != i) b->work[n++] = b->norm[c + m * j];
  return b->norm[c + m * i] < s->set.tol.silent * median(n, b->work);
}

static int is_swapped(const ms_survey *s, const beginnings *b, ptrdiff_t i, ptrdiff_t c,
                      ptrdiff_t *other) {
  const double alike = s->set.tol.alike;
  if (correlate(s, b, i, c, c) > alike) return 0;
  for (*other = c + 1; *other < s->n_sensor; ++*other) {
    const ptrdiff_t d = *other;
    if (correlate(s, b, i, c, d) > alike && correlate(s, b, i, d, c) > alike &&
        correlate(s, b, i, d, d) < alike)
      return 1;
  }
  return 0;
}

static void judge_history(ms_survey *s, const beginnings *b, ptrdiff_t i) {
  ms_survey_impact *impact = &s->impact[s->history[i].record];
  ptrdiff_t opposite = 0, first = -1, sensors = 0;
  for (ptrdiff_t c = 0; c < s->n_sensor; c++) {
    if (is_lost(s, b, i, c)) {
      impact->fault = MS_SURVEY_LOST;
      impact->sensor = c;
      return;
    }
    sensors++;
    if (correlate(s, b, i, c, c) > -s->set.tol.opposite) continue;
    if (opposite++ == 0) first = c;
  }
  if (opposite > 0) {
    impact->fault = opposite == sensors && sensors > 1 ? MS_SURVEY_FORCE_SIGN : MS_SURVEY_SIGN;
    impact->sensor = first;
    return;
  }
  for (ptrdiff_t c = 0; c < s->n_sensor; c++) {
    if (!is_swapped(s, b, i, c, &impact->other)) continue;
    impact->fault = MS_SURVEY_SWAPPED;
    impact->sensor = c;
    return;
  }
}

/* ---- places of the hammer ---- */

/* All sensors of two impacts at once: sign and shape of the beginning. */
static double compare_impacts(const ms_survey *s, const beginnings *b, ptrdiff_t i, ptrdiff_t j) {
  const ptrdiff_t m = s->n_sensor, n = b->n * m;
  double ij = 0.0, ii = 0.0, jj = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    ij += b->z[k + n * i] * b->z[k + n * j];
    ii += b->z[k + n * i] * b->z[k + n * i];
    jj += b->z[k + n * j] * b->z[k + n * j];
  }
  return ii > 0.0 && jj > 0.0 ? ij / sqrt(ii * jj) : 1.0;
}

/* Impacts of a place are linked by pairs that are alike: soft to hard, one by one. */
static ms_status find_places(ms_survey *s, const beginnings *b) {
  const ptrdiff_t n = s->info.n_used;
  ptrdiff_t *first;
  MS_TRY(ms_allocate(s->ctx, n, sizeof *first, &first));
  for (ptrdiff_t i = 0; i < n; i++) {
    first[i] = i;
    for (ptrdiff_t j = 0; j < i; j++) {
      const ptrdiff_t to = first[j], from = first[i];
      if (to == from || compare_impacts(s, b, i, j) < s->set.tol.place) continue;
      for (ptrdiff_t k = 0; k <= i; k++)
        if (first[k] == from) first[k] = to;
    }
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    ms_survey_impact *impact = &s->impact[s->history[i].record];
    if (impact->fault != MS_SURVEY_NO_FAULT) continue;
    for (ptrdiff_t j = 0; j < i; j++)
      if (first[j] == first[i] && impact->place == 0)
        impact->place = s->impact[s->history[j].record].place;
    if (impact->place == 0) impact->place = ++s->info.n_place;
  }
  ms_free(s->ctx, &first);
  return MS_SUCCESS;
}

/* Without those that have a fault. */
static void drop_histories(ms_survey *s) {
  ptrdiff_t n = 0;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    ms_survey_impact *impact = &s->impact[s->history[i].record];
    impact->used = s->set.doubtful || impact->fault == MS_SURVEY_NO_FAULT;
    if (impact->used)
      s->history[n++] = s->history[i];
    else
      ms_free(s->ctx, &s->history[i].y);
  }
  s->info.n_used = n;
}

ms_status survey_judge(ms_survey *s) {
  beginnings b;
  if (s->info.is_free || s->info.n_used < 2) return MS_SUCCESS;
  MS_TRY(open_beginnings(s, &b));
  for (ptrdiff_t i = 0; i < s->info.n_used && s->info.n_used >= LEAST_IMPACTS; i++)
    judge_history(s, &b, i);
  ms_status status = find_places(s, &b);
  ms_free(s->ctx, &b.z);
  MS_TRY(status);
  drop_histories(s);
  if (s->info.n_used > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                 "no impact is like most others: are they of one place, with the same channels?");
}
