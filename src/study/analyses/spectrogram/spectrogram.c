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

#define BELOW_ONE .lower = 0.0, .upper = 1.0, .open = 2

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LAST_TASK(options, from, "transient", "the transient that is read"),
  MS_WORD(options, channel, MS_REQUIRED, "one that the transient records"),
  MS_NUMBER(options, window, "s", MS_POSITIVE, MS_REQUIRED, "length of the Hann windows"),
  MS_NUMBER(options, overlap, NULL, BELOW_ONE, MS_DEFAULT(0.75),
            "part of a window that the next one shares"),
  MS_PAIR(options, range, "Hz", MS_NOT_NEGATIVE, MS_REQUIRED, "frequencies"),
};

enum { PADDING = 8 };

typedef struct product {
  const ms_transient_product *from;
  int channel; /* of the transient */
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
  p->channel = ms_channels_find(&p->from->channels, o->channel);
  if (p->channel < 0) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "channel"), MS_ERR_NAME,
                        "%s does not record '%s'", o->from->name, o->channel);
  }
  return ms_yaml_fail_here(
      &s->yaml, task->node,
      ms_signal_check_spectrogram(s->ctx, ms_transient_count_rows(p->from),
                                  ms_transient_row_step(p->from), &p->settings));
}

/* ---- the run ---- */

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  const ms_transient_product *t = p->from;
  ms_signal signal = { ms_result_table_column(t->table, p->channel + 1),
                       ms_result_table_rows(t->table), ms_transient_row_step(t), 0.0,
                       MS_SIGNAL_ACCELERATION };
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
      MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
    }
    MS_TRY(ms_result_table_add_row(s->ctx, ridge, f->time[i], peak.freq_hz, peak.amplitude));
  }
  return MS_SUCCESS;
}

/* The points whose amplitude lies in a band, as a series. */
static ms_status add_band(const ms_study *s, const product *p, const char *label, double low,
                          double high, int colour, ms_figure *figure) {
  const ms_spectrogram *f = &p->found;
  double *x;
  const ptrdiff_t most = f->n_time * f->n_line;
  MS_TRY(ms_allocate(s->ctx, 2 * most, sizeof *x, &x));
  const ptrdiff_t n = ms_spectrogram_find_band(f, low, high, x, x + most);
  ms_series series = { label, x, x + most, n, MS_SERIES_POINTS, colour };
  ms_status status = n > 0 ? ms_figure_add_series(figure, &series) : MS_SUCCESS;
  ms_free(s->ctx, &x);
  return status;
}

static ms_status draw(const ms_study *s, const product *p, ms_figure **figure) {
  static const struct band {
    const char *label;
    double low, high;
  } band[] = { { "0 to -10 dB", 0.31622776601683794, 1.0 },
               { "-10 to -20 dB", 0.1, 0.31622776601683794 },
               { "-20 to -40 dB", 0.01, 0.1 },
               { "-40 to -60 dB", 0.001, 0.01 } }; /* what is below is in the table only */
  const ms_panel panel = { .title = p->from->channels.channel[p->channel].name,
                           .x_label = "time",
                           .x_unit = "s",
                           .y_label = "frequency",
                           .y_unit = "Hz",
                           .y_quantity = MS_DISPLAY_FREQUENCY };
  double most = 0.0;
  for (ptrdiff_t i = 0; i < p->found.n_time; i++)
    most = fmax(most, ms_spectrogram_find_peak(&p->found, i).amplitude);
  MS_TRY(ms_figure_create(s->ctx, "Spectrogram", NULL, figure));
  MS_TRY(ms_figure_add_panel(*figure, &panel));
  for (int b = 0; b < 4; b++) {
    MS_TRY(add_band(s, p, band[b].label, band[b].low * most, band[b].high * most, b, *figure));
  }
  return MS_SUCCESS;
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
  const ms_channel *channel = &p->from->channels.channel[p->channel];
  ms_result *r = task->result;
  ms_result_table *table, *ridge;
  ms_figure *figure = NULL;
  char columns[96];
  snprintf(columns, sizeof columns, "time [s],f [Hz],amplitude [%s]",
           ms_quantity_unit(channel->quantity, channel->turns));
  MS_TRY(ms_task_add_table(s, task, "", columns, &table));
  MS_TRY(ms_task_add_table(s, task, "_ridge", columns, &ridge));
  MS_TRY(tabulate(s, &p->found, table, ridge));
  ms_result_set_text(r, "from", ((const options *)task->options)->from->name);
  ms_result_set_text(r, "channel", channel->name);
  ms_result_set_integer(r, "windows", p->found.n_time);
  ms_result_set_integer(r, "lines", p->found.n_line);
  ms_result_fail_page(r, draw(s, p, &figure));
  answer(r, ridge);
  ms_result_take_figure(r,
                        "Amplitude in dB of the largest. A ridge that bends upwards in a decay is "
                        "a joint that sticks more and more; horizontal ridges are linear modes.",
                        &figure);
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
