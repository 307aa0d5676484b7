/* Is a record good? Silence before the trigger, overloads, blows of a hammer, peaks of the
 * spectrum. */
#include <microslip/judge.h>

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "signal/internal.h"

enum {
  RUN = 3,
  FEW = 5, /* samples at an extreme that may be equal by chance */
  GENTLE = 4,
  MOST_HITS = 20,
  APART = 4,
  LEAST_SPECTRUM = 32,
  PARTS = 8,
  LEAST_PART = 512
};

typedef struct judge {
  ptrdiff_t n;
  double dt, time;
  const double *x;
  double middle; /* of a force its median, which is its rest; else the first sample */
  ms_judgement *out;
} judge;

/* ---- before the trigger ---- */

static ms_status find_median(ms_context *ctx, ptrdiff_t n, const double *x, double *out) {
  double *sorted;
  MS_TRY(ms_allocate(ctx, n, sizeof *sorted, &sorted));
  memcpy(sorted, x, (size_t)n * sizeof *x);
  ms_sort(n, sorted);
  *out = sorted[n / 2];
  ms_free(ctx, &sorted);
  return MS_SUCCESS;
}

static double largest(ptrdiff_t n, const double *x, double about, ptrdiff_t *where) {
  double most = 0.0;
  *where = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!(fabs(x[k] - about) > most)) continue;
    most = fabs(x[k] - about);
    *where = k;
  }
  return most;
}

static double find_rms(ptrdiff_t n, const double *x, double about) {
  double sum = 0.0;
  for (ptrdiff_t k = 0; k < n; k++) sum += (x[k] - about) * (x[k] - about) / (double)n;
  return sqrt(sum);
}

static void find_silence(judge *j) {
  ms_judgement *out = j->out;
  ptrdiff_t where, onset = 0;
  const double start = j->x[0], most = largest(j->n, j->x, start, &where);
  const double mean = most > 0.0 ? ms_signal_mean(j->n, j->x) : start; /* without rounding */
  while (onset < where && fabs(j->x[onset] - start) <= ms_signal_tol.trigger * most) onset++;
  onset -= onset / 10; /* what rises gently to the trigger is no silence */
  if (fabs(j->middle - start) > ms_signal_tol.trigger * most) onset = 0; /* it begins in a blow */
  out->before = onset >= MS_OFFSET_LEAST && onset < j->n ? onset : 0;
  out->offset = out->before > 0 ? ms_signal_mean(out->before, j->x) : mean;
  out->noise = out->before > 0 ? find_rms(out->before, j->x, out->offset) : 0.0;
  out->peak = largest(j->n, j->x, out->offset, &where);
  out->peak_time = j->time + j->dt * (double)where;
  out->rms = find_rms(j->n, j->x, out->offset);
}

/* ---- overloads ---- */

/* The smallest difference of neighbours: what the converter resolves, or less. */
static double find_quantum(const judge *j) {
  double least = HUGE_VAL;
  for (ptrdiff_t k = 1; k < j->n; k++) {
    const double step = fabs(j->x[k] - j->x[k - 1]);
    if (step > 0.0 && step < least) least = step;
  }
  return least;
}

/* A converter's range is about zero, and goes as far to both sides: a few equal samples at the
   extreme that is clearly nearer are none of its end. other: the extreme of the other side. */
static int is_inside(const judge *j, double extreme, double other) {
  const double offset = j->out->offset, less = 1.0 - ms_signal_tol.farther;
  if (extreme * other >= 0.0 || !(fabs(extreme) < less * fabs(other)) ||
      !(fabs(extreme - offset) < less * fabs(other - offset)))
    return 0;
  ptrdiff_t n = 0;
  for (ptrdiff_t k = 0; k < j->n; k++) n += j->x[k] == extreme;
  return n <= FEW;
}

/* Runs at one extreme; the top of a slow oscillation, which comes to it by the quantum, is none,
   nor is the rest of a force that never goes below it. */
static void count_runs(judge *j, double extreme, double quantum) {
  const double *x = j->x;
  if (fabs(extreme - j->out->offset) < ms_signal_tol.clipped * j->out->peak) return;
  for (ptrdiff_t k = 0, end; k < j->n; k = end + 1) {
    end = k;
    if (x[k] != extreme) continue;
    while (end < j->n && x[end] == extreme) end++;
    const double in = k > 0 ? fabs(x[k] - x[k - 1]) : 0.0;
    const double away = end < j->n ? fabs(x[end - 1] - x[end]) : 0.0;
    if (end - k < RUN || !(fmax(in, away) > GENTLE * quantum)) continue;
    const double when = j->time + j->dt * (double)k;
    if (j->out->overloads == 0 || when < j->out->overload_time) j->out->overload_time = when;
    j->out->overloads += end - k;
  }
}

static void find_overloads(judge *j) {
  double high = j->x[0], low = j->x[0];
  for (ptrdiff_t k = 1; k < j->n; k++) high = fmax(high, j->x[k]), low = fmin(low, j->x[k]);
  if (!(high > low)) return;
  const double quantum = find_quantum(j);
  if (!is_inside(j, high, low)) count_runs(j, high, quantum);
  if (!is_inside(j, low, high)) count_runs(j, low, quantum);
}

/* ---- blows ---- */

/* A blow is above a tenth of the largest force, and over below half of that. */
static void find_hits(judge *j) {
  ms_judgement *out = j->out;
  ptrdiff_t where, above = 0;
  const double most = largest(j->n, j->x, out->offset, &where);
  const double sign = j->x[where] > out->offset ? 1.0 : -1.0;
  int inside = 0, n = 0;
  for (ptrdiff_t k = 0; k < j->n && most > 0.0; k++) {
    const double force = sign * (j->x[k] - out->offset);
    above += force > ms_signal_tol.pulse * most;
    if (inside) {
      inside = force > 0.5 * ms_signal_tol.pulse * most;
    } else if (force > ms_signal_tol.pulse * most) {
      inside = 1;
      if (n < MS_JUDGE_HITS) out->hit_time[n] = j->time + j->dt * (double)k;
      n++;
    }
  }
  out->n_hit = n <= MOST_HITS && (double)above < ms_signal_tol.blow * (double)j->n ? n : 0;
}

/* ---- spectrum ---- */

/* The largest ones, each the largest within APART lines of the record's own resolution. */
static void pick_peaks(ms_judgement *out, ptrdiff_t n, const double *a, double d_f, ptrdiff_t apart,
                       double least) {
  for (ptrdiff_t k = apart; k + 1 < n; k++) {
    int is_top = a[k] >= least;
    for (ptrdiff_t i = k - apart; is_top && i <= k + apart && i < n; i++)
      is_top = i == k || a[i] < a[k];
    if (!is_top) continue;
    const double b = log(a[k - 1]), c = log(a[k]), d = log(a[k + 1]);
    const double shift = b - 2.0 * c + d < 0.0 ? 0.5 * (b - d) / (b - 2.0 * c + d) : 0.0;
    const ms_judge_peak peak = { ((double)k + shift) * d_f, a[k] * exp(-0.25 * (b - d) * shift) };
    int at = out->n_peak;
    if (at == MS_JUDGE_PEAKS) {
      at = 0;
      for (int i = 1; i < MS_JUDGE_PEAKS; i++)
        if (out->spectrum[i].amplitude < out->spectrum[at].amplitude) at = i;
      if (!(peak.amplitude > out->spectrum[at].amplitude)) continue;
      memmove(&out->spectrum[at], &out->spectrum[at + 1],
              (size_t)(MS_JUDGE_PEAKS - 1 - at) * sizeof peak);
      at = --out->n_peak;
    }
    out->spectrum[at] = peak;
    out->n_peak++;
  }
}

/* The power of a part that begins at sample `first`, onto a. */
static void add_part(const judge *j, ms_fft *fft, ptrdiff_t first, ptrdiff_t n, double *a) {
  const int ringing = j->out->before > 0;
  const double mean = ms_signal_mean(n, j->x + first), turn = ringing ? MS_PI : 2.0 * MS_PI;
  const double start = ringing ? 0.0 : MS_PI;
  for (ptrdiff_t k = 0; k < fft->n; k++) {
    const double w = 0.5 * (1.0 + cos(start + turn * (double)k / (double)n));
    fft->real[k] = k < n ? w * (j->x[first + k] - mean) : 0.0;
  }
  ms_fft_forward(fft);
  for (ptrdiff_t k = 0; k < fft->n / 2; k++) {
    const double *z = fft->spectrum[k];
    a[k] += z[0] * z[0] + z[1] * z[1];
  }
}

static ms_status read_lines(ms_context *ctx, judge *j, ms_fft *fft, ptrdiff_t n) {
  const ptrdiff_t lines = fft->n / 2;
  double *a, median = 0.0, most = 0.0;
  ptrdiff_t parts = 0;
  MS_TRY(ms_allocate(ctx, lines, sizeof *a, &a));
  for (ptrdiff_t first = j->out->before; first + n <= j->n; first += n, parts++)
    add_part(j, fft, first, n, a);
  for (ptrdiff_t k = 0; k < lines; k++) {
    a[k] = 4.0 / (double)n * sqrt(a[k] / (double)parts); /* the window's mean is a half */
    most = fmax(most, a[k]);
  }
  ms_status status = find_median(ctx, lines, a, &median);
  const double least = fmax(ms_signal_tol.line * most, ms_signal_tol.floor * median);
  if (status == MS_SUCCESS && most > 0.0)
    pick_peaks(j->out, lines, a, 1.0 / ((double)fft->n * j->dt), APART * fft->n / n, least);
  ms_free(ctx, &a);
  return status;
}

/* A record that rings from its trigger on, faded out by half a Hann window; of another one the mean
   power of PARTS parts in Hann windows. */
static ms_status find_peaks(ms_context *ctx, judge *j) {
  const ptrdiff_t n =
      j->out->before > 0 || j->n < PARTS * LEAST_PART ? j->n - j->out->before : j->n / PARTS;
  ms_fft fft;
  if (n < LEAST_SPECTRUM) return MS_SUCCESS;
  MS_TRY(ms_fft_open(ctx, ms_fft_good_size(2 * n), &fft));
  ms_status status = read_lines(ctx, j, &fft, n);
  ms_fft_close(ctx, &fft);
  return status;
}

ms_status ms_signal_judge(ms_context *ctx, ptrdiff_t n, double dt, double time, const double *x,
                          int force, ms_judgement *out) {
  judge j = { .n = n, .dt = dt, .time = time, .x = x, .out = out };
  MS_NEED(ctx, x && out);
  *out = (ms_judgement) { .before = 0 };
  if (n < 2 || !(dt > 0.0) || !isfinite(dt))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "%td samples %g s apart; there must be 2, and a step > 0",
                   n, dt);
  MS_TRY(ms_signal_check_finite(ctx, "record", n, x));
  j.middle = x[0];
  if (force) MS_TRY(find_median(ctx, n, x, &j.middle));
  find_silence(&j);
  find_overloads(&j);
  if (!force) return find_peaks(ctx, &j);
  find_hits(&j);
  return MS_SUCCESS;
}
