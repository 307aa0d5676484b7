/* spectrogram: how the frequency content of a transient's channel changes with time. */
#include <math.h>
#include <stdio.h>

#include <microslip/signal.h>

#include "core/internal.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/transient/transient.h"
#include "study/analyses/shared/rows.h"

typedef struct options {
  const ms_task *from;
  const char *channel;
  double window, overlap, range[2];
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LAST_TASK(options, from, "transient", "the transient that is read"),
  MS_WORD(options, channel, MS_REQUIRED, "one that the transient records"),
  MS_NUMBER(options, window, "s", MS_POSITIVE, MS_REQUIRED, "length of the Hann windows"),
  MS_NUMBER(options, overlap, NULL, MS_BELOW_ONE, MS_DEFAULT(0.75),
            "part of a window that the next one shares"),
  MS_PAIR(options, range, "Hz", MS_NOT_NEGATIVE, MS_REQUIRED, "frequencies"),
};

enum { PADDING = 8 };

typedef struct product {
  const ms_transient_product *from;
  int column; /* of the transient's table */
  ms_spectrogram_settings settings;
  ms_spectrogram found;
} product;

static void close_product(ms_study *s, ms_task *task) {
  ms_spectrogram_free(s->ctx, &((product *)task->product)->found);
}

/* ---- options ---- */

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  p->settings = (ms_spectrogram_settings)MS_SPECTROGRAM_DEFAULT;
  p->settings.padding = PADDING;
  p->settings.window = o->window;
  p->settings.overlap = o->overlap;
  p->settings.low = 2.0 * MS_PI * o->range[0];
  p->settings.high = 2.0 * MS_PI * o->range[1];
  p->from = o->from->product;
  MS_TRY(ms_transient_find_column(s, ms_yaml_get(task->node, "channel"), o->from, o->channel,
                                  &p->column));
  return ms_yaml_fail_here(
      &s->yaml, task->node,
      ms_signal_check_spectrogram(s->ctx, ms_transient_count_rows(p->from),
                                  ms_transient_row_step(p->from), &p->settings));
}

/* ---- the run ---- */

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const options *o = task->options;
  const ms_signal signal = ms_transient_get_signal(o->from, p->column);
  ms_status status = ms_signal_spectrogram(s->ctx, &signal, &p->settings, &p->found);
  return ms_yaml_fail_here(&s->yaml, task->key, status);
}

/* ---- result ---- */

/* All amplitudes, and of each window the largest. */
static ms_status tabulate(ms_study *s, const ms_spectrogram *f, ms_result_table *table,
                          ms_result_table *ridge) {
  MS_TRY(ms_result_table_reserve(s->ctx, table, f->n_time * f->n_line));
  for (ptrdiff_t i = 0; i < f->n_time; i++) {
    const double *a = f->amplitude + f->n_line * i;
    const ms_spectrogram_peak peak = ms_spectrogram_find_peak(f, i);
    for (ptrdiff_t j = 0; j < f->n_line; j++) {
      double row[3] = { f->time[i], f->omega[j] / (2.0 * MS_PI), a[j] };
      ms_result_put_numbers(table, row);
    }
    ms_result_put_row(ridge, f->time[i], peak.freq_hz, peak.amplitude);
  }
  return MS_SUCCESS;
}

/* Points by their amplitude over the largest, in bands; what is below is in the table only. */
static void plot_bands(const product *p, const ms_result_table *table, ms_result *r) {
  const char *title = p->from->channels.channel[p->column - 1].name;
  const ms_plot panel = MS_PANEL(title, "time", "f", .y_label = "frequency");
  double most = 0.0;
  for (ptrdiff_t i = 0; i < p->found.n_time; i++)
    most = fmax(most, ms_spectrogram_find_peak(&p->found, i).amplitude);
  ms_result_plot_decibels(
      r, "Spectrogram",
      "Amplitude in dB of the largest. A ridge that bends upwards in a decay is a joint "
      "that sticks more and more; horizontal ridges are linear modes.",
      table, &panel, "amplitude", most);
}

/* Of the windows at both ends. */
static void answer(ms_result *r, const ms_result_table *ridge) {
  const double *f = ms_result_table_column(ridge, 1);
  const ptrdiff_t n = ms_result_table_rows(ridge);
  for (int end = 0; end < 2 && n > 0; end++) {
    ms_answer_number(r, MS_HEAD_TIME, "f", "Hz", f[end ? n - 1 : 0],
                     "Dominant frequency in the %s window", end ? "last" : "first");
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  static const ms_plot largest =
      MS_PANEL("Dominant frequency", "time", "f", .y_label = "frequency", .colour = -1);
  product *p = task->product;
  const ms_channel *channel = &p->from->channels.channel[p->column - 1];
  ms_result *r = task->result;
  char columns[96];
  snprintf(columns, sizeof columns, "time [s],f [Hz],amplitude [%s]",
           ms_quantity_unit(channel->quantity, channel->turns));
  ms_result_table *table = ms_result_new_table(task->result, "", columns);
  ms_result_table *ridge = ms_result_new_table(task->result, "_ridge", columns);
  MS_TRY(tabulate(s, &p->found, table, ridge));
  ms_result_set_values(r, "from:word,channel:word,windows:count,lines:count",
                       ((const options *)task->options)->from->name, channel->name,
                       (double)p->found.n_time, (double)p->found.n_line);
  plot_bands(p, table, r);
  answer(r, ridge);
  ms_result_feature_figure(r, MS_HEAD_TIME);
  ms_result_plot(r, "Dominant frequency of each window",
                 "A jump means that another mode has become the largest.", ridge, 1, &largest);
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_spectrogram = {
  .name = "spectrogram",
  .title = "Spectrogram",
  .meaning =
      "How the frequency content of a transient's channel changes with time: the amplitude at each "
      "frequency in Hann windows.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .result = result,
  .close = close_product,
};
