/* Ring-downs without a measured force: a survey takes them as the responses to an impulse at the
   trigger, which excites all frequencies alike. */
#include <string.h>

#include "signal/survey_parts.h"

/* The first sample at which a sensor has left its silence; 0: it rings at once. */
static ms_status find_trigger(ms_context *ctx, ptrdiff_t n_sensor, const ms_survey_record *r,
                              ptrdiff_t *out) {
  *out = r->n;
  for (ptrdiff_t c = 0; c < n_sensor; c++) {
    ms_judgement j;
    MS_TRY(ms_signal_judge(ctx, r->n, r->dt, r->time, r->x + r->n * c, 0, &j));
    if (j.peak > 0.0 && j.before < *out) *out = j.before;
  }
  if (*out == r->n) *out = 0;
  return MS_SUCCESS;
}

ms_status survey_make_impulses(ms_survey *s, const ms_survey_record *record,
                               ms_survey_record *own) {
  for (ptrdiff_t i = 0; i < s->info.n_record; i++) {
    double *force;
    ptrdiff_t at = 0;
    own[i] = record[i];
    MS_NEED(s->ctx, own[i].x);
    if (own[i].n < 1) continue; /* refused later, as other records are */
    MS_TRY(ms_allocate(s->ctx, own[i].n, sizeof *force, &force));
    own[i].force = force;
    MS_TRY(find_trigger(s->ctx, s->n_sensor, &own[i], &at));
    force[at] = 1.0;
  }
  return MS_SUCCESS;
}

void survey_free_impulses(ms_survey *s, const ms_survey_record *record, ms_survey_record *own) {
  for (ptrdiff_t i = 0; i < s->info.n_record; i++) {
    double *force = (double *)(size_t)own[i].force;
    if (force && !record[i].force) ms_free(s->ctx, &force);
  }
}

/* Velocity over the sensors, |V|^2, of all records: the highest line above a part of the highest
   one, and half as far again. */
ms_status survey_find_ringing(ms_survey *s, const ms_survey_record *record, double *high) {
  enum { SLOPE = 2, ABOVE = 3 };
  const double limit = s->set.tol.weakest * s->set.tol.weakest;
  const int order[] = { SLOPE, 0, -SLOPE };
  ptrdiff_t longest = 0, last = 0;
  double *power, most = 0.0;
  ms_fft fft;
  for (ptrdiff_t i = 0; i < s->info.n_record; i++)
    longest = record[i].n > longest ? record[i].n : longest;
  MS_TRY(ms_fft_open(s->ctx, ms_fft_good_size(longest), &fft));
  ms_status status = ms_allocate(s->ctx, fft.n / 2 + 1, sizeof *power, &power);
  for (ptrdiff_t i = 0; i < s->info.n_record && status == MS_SUCCESS; i++) {
    for (ptrdiff_t c = 0; c < s->n_sensor; c++) {
      const double *x = record[i].x + record[i].n * c;
      const double mean = ms_signal_mean(record[i].n, x);
      memset(fft.real, 0, (size_t)fft.n * sizeof *fft.real);
      for (ptrdiff_t k = 0; k < record[i].n; k++) {
        const double u = ((double)k + 0.5) / (double)record[i].n;
        fft.real[k] = (0.5 - 0.5 * cos(2.0 * MS_PI * u)) * (x[k] - mean);
      }
      ms_fft_forward(&fft);
      for (ptrdiff_t k = 1; k <= fft.n / 2; k++) {
        const double re = fft.spectrum[k][0], im = fft.spectrum[k][1];
        power[k] += (re * re + im * im) * pow((double)k, order[s->kind]);
      }
    }
  }
  for (ptrdiff_t k = 1; status == MS_SUCCESS && k <= fft.n / 2; k++) most = fmax(most, power[k]);
  for (ptrdiff_t k = 1; status == MS_SUCCESS && k <= fft.n / 2; k++)
    if (power[k] > limit * most) last = k;
  *high = 0.5 * ABOVE * (double)last / ((double)fft.n * record[0].dt);
  *high = fmin(*high, 0.2 / record[0].dt);
  ms_free(s->ctx, &power);
  ms_fft_close(s->ctx, &fft);
  return status;
}
