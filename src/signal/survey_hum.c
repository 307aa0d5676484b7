/* Hum of the mains among the peaks of impact tests: a line at a multiple of 50 or 60 Hz that does
   not fall while the structure rings, and is there before the blow. */
#include "signal/survey_parts.h"

enum { EARLIER = 24 }; /* samples by which the decimation's filter spreads a pulse */

/* Near a multiple, or as near as the shortest record tells. */
static int is_near_mains(const ms_survey *s, double freq_hz, double resolution) {
  const double near = fmax(s->set.tol.mains * freq_hz, resolution);
  for (double mains = 50.0; mains < 65.0; mains += 10.0)
    if (freq_hz > 0.5 * mains && fabs(freq_hz - mains * round(freq_hz / mains)) <= near) return 1;
  return 0;
}

/* Square of the amplitude of a line, over a Hann window. */
static double find_line(const survey_history *h, const double *y, ptrdiff_t n, double freq_hz) {
  const double step = 2.0 * MS_PI * freq_hz * h->dt;
  double re = 0.0, im = 0.0, sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) {
    const double w = 1.0 - cos(2.0 * MS_PI * ((double)k + 0.5) / (double)n);
    re += w * y[k] * cos(step * (double)k);
    im += w * y[k] * sin(step * (double)k);
    sum += w;
  }
  return 4.0 * (re * re + im * im) / (sum * sum);
}

/* The same by least squares, beside a constant: of a part of a period, too. */
static double fit_line(const survey_history *h, const double *y, ptrdiff_t n, double freq_hz) {
  const double step = 2.0 * MS_PI * freq_hz * h->dt;
  double A[3][4] = { { 0.0 } }; /* normal equations of 1, cos, sin, and their right side */
  for (ptrdiff_t k = 0; k < n; k++) {
    const double v[] = { 1.0, cos(step * (double)k), sin(step * (double)k), y[k] };
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++) A[i][j] += v[i] * v[j];
  }
  for (int p = 0; p < 3; p++) {
    for (int i = 0; i < 3; i++) {
      const double part = A[i][p] / A[p][p];
      for (int j = p; j < 4 && i != p; j++) A[i][j] -= part * A[p][j];
    }
  }
  const double a = A[1][3] / A[1][1], b = A[2][3] / A[2][2];
  return a * a + b * b;
}

int survey_is_hum(const ms_survey *s, double freq_hz, double resolution) {
  double half[2] = { 0.0 }, before = 0.0, behind = 0.0;
  if (!is_near_mains(s, freq_hz, resolution)) return 0;
  for (ptrdiff_t i = 0; i < s->info.n_used; i++) {
    const survey_history *h = &s->history[i];
    const ms_judgement *j = s->judgement + (s->n_sensor + 1) * h->record;
    /* A decimated pulse begins earlier. */
    const ptrdiff_t n = (h->n - h->fall) / 2, early = h->rise - (s->info.factor > 1 ? EARLIER : 1);
    const int is_silent = j[0].before > 0 && (double)early * h->dt * freq_hz >= s->set.tol.silence;
    for (ptrdiff_t c = 1; c <= s->n_sensor; c++) {
      const double *y = h->y + h->n * c;
      const double first = find_line(h, y + h->fall, n, freq_hz);
      const double second = find_line(h, y + h->fall + n, n, freq_hz);
      half[0] += first;
      half[1] += second;
      if (is_silent) before += fit_line(h, y, early, freq_hz), behind += second;
    }
  }
  const double steady = s->set.tol.steady, present = s->set.tol.present;
  return half[1] >= steady * steady * half[0] && before >= present * present * behind;
}
