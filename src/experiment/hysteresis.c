/* A joint's loop as an experiment finds it, and how far it is from the joint's own. */
#include <math.h>
#include <microslip/experiment.h>
#include <string.h>

#include "core/internal.h"

enum { COLUMNS = 5 };

static double mean_of(const double *x, ptrdiff_t from, ptrdiff_t to) {
  double sum = 0.0;
  for (ptrdiff_t i = from; i < to; i++) sum += x[i];
  return sum / (double)(to - from);
}

/* Over the last whole periods, as the reconstruction takes them, without the own loop's means; the
   last of them is kept, closed. */
static ms_status compare(ms_context *ctx, ms_hysteresis_test *t) {
  const ptrdiff_t from = (ptrdiff_t)llround(t->found.start / t->dt);
  const ptrdiff_t period = (t->n - from) / t->setting.periods;
  const ptrdiff_t first = t->n - period - 1 > 0 ? t->n - period - 1 : 0;
  const double mean[2] = { mean_of(t->z, from, t->n), mean_of(t->f, from, t->n) };
  double size[2] = { 0.0, 0.0 }, error[2] = { 0.0, 0.0 };
  MS_TRY(ms_allocate(ctx, COLUMNS * (t->n - first), sizeof *t->loop, &t->loop));
  for (ptrdiff_t i = from < first ? from : first; i < t->n; i++) {
    double found[2];
    const double own[2] = { t->z[i] - mean[0], t->f[i] - mean[1] };
    ms_hysteresis_eval(&t->found, t->time[i], &found[0], &found[1]);
    for (int k = 0; k < 2 && i >= from; k++) {
      size[k] += own[k] * own[k];
      error[k] += (found[k] - own[k]) * (found[k] - own[k]);
    }
    if (i < first) continue;
    const double row[COLUMNS] = { t->time[i], found[0], found[1], own[0], own[1] };
    memcpy(t->loop + COLUMNS * t->n_loop++, row, sizeof row);
  }
  t->z_error = size[0] > 0.0 ? sqrt(error[0] / size[0]) : 0.0;
  t->f_error = size[1] > 0.0 ? sqrt(error[1] / size[1]) : 0.0;
  return MS_SUCCESS;
}

static ms_status find_amplitude(ms_context *ctx, ms_hysteresis_test *t) {
  const int H = t->found.harmonics;
  double *x;
  MS_TRY(ms_allocate(ctx, 2 * (ptrdiff_t)H + 1, sizeof *x, &x));
  memcpy(x + 1, t->found.z, 2 * (size_t)H * sizeof *x); /* x[0], the mean, is lost */
  t->amplitude = ms_harmonic_half_range(H, x);
  ms_free(ctx, &x);
  return MS_SUCCESS;
}

ms_status ms_hysteresis_test_run(ms_context *ctx, ms_hysteresis_test *t) {
  MS_NEED(ctx, ctx && t && t->time && t->inner && t->outer && t->z && t->f);
  const double *const x[4] = { t->inner, t->outer, t->z, t->f };
  ms_signal signal[4];
  ms_hysteresis own;
  for (int i = 0; i < 4; i++) {
    signal[i] = (ms_signal) { x[i], t->n, t->dt, 0.0, MS_SIGNAL_ACCELERATION };
  }
  MS_TRY(ms_signal_hysteresis(ctx, &signal[0], &signal[1], &t->setting, &t->found));
  MS_TRY(ms_signal_loop(ctx, &signal[2], &signal[3], &t->setting, &own));
  t->joint_loss = own.loss;
  ms_hysteresis_free(ctx, &own);
  MS_TRY(find_amplitude(ctx, t));
  return compare(ctx, t);
}

void ms_hysteresis_test_free(ms_context *ctx, ms_hysteresis_test *t) {
  ms_hysteresis_free(ctx, &t->found);
  ms_free(ctx, &t->loop);
  t->n_loop = 0;
}
