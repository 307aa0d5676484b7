/* What is said about a run in time: numbers of its channels, histories, energies. */
#include "study/analyses/transient/transient.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/shared/time_steps.h"

static void summarise_energy(const ms_transient_product *p, ms_json *json) {
  const ms_transient_energy *e = &p->last;
  ms_json_begin_object(json, "energy");
  ms_json_add_number(json, "start", e->start);
  ms_json_add_number(json, "input", e->input);
  ms_json_add_number(json, "kinetic", e->kinetic);
  ms_json_add_number(json, "elastic", e->elastic);
  ms_json_add_number(json, "viscous", e->viscous);
  ms_json_add_number(json, "stored", e->stored);
  ms_json_add_number(json, "dissipated", e->dissipated);
  ms_json_add_number(json, "balance", e->balance);
  ms_json_end(json);
}

static void summarise_channel(const ms_transient_product *p, int c, ms_json *json) {
  const double *x = ms_result_table_column(p->table, c + 1);
  ptrdiff_t n = ms_result_table_rows(p->table);
  double low = x[0], high = x[0], square = 0.0;
  for (ptrdiff_t i = 0; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
    square += x[i] * x[i] / (double)n;
  }
  ms_json_begin_object(json, NULL);
  const ms_channel *channel = &p->channels.channel[c];
  ms_json_add_text(json, "name", channel->name);
  ms_json_add_text(json, "unit", ms_quantity_unit(channel->quantity, channel->turns));
  ms_json_add_number(json, "lowest", low);
  ms_json_add_number(json, "highest", high);
  ms_json_add_number(json, "rms", sqrt(square));
  ms_json_add_number(json, "last", x[n - 1]);
  ms_json_end(json);
}

void ms_transient_analysis_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_transient_product *p = task->product;
  (void)s;
  ms_json_add_text(json, "method", p->time.method);
  if (strcmp(p->time.method, "newmark") == 0) {
    ms_json_add_number(json, "beta", p->time.beta);
    ms_json_add_number(json, "gamma", p->time.gamma);
  }
  ms_json_add_number(json, "step", p->time.step);
  if (p->time.tolerance > 0.0) {
    ms_json_add_number(json, "tolerance", p->time.tolerance);
    ms_json_add_integer(json, "rejected", p->count.rejected);
  }
  ms_json_add_integer(json, "steps", p->count.steps);
  ms_json_add_integer(json, "evaluations", p->count.evaluations);
  if (p->count.damped > 0) ms_json_add_integer(json, "damped", p->count.damped);
  if (p->count.divided > 0) ms_json_add_integer(json, "divided_steps", p->count.divided);
  ms_json_add_number(json, "residual", p->count.residual);
  ms_steps_summarise(&p->quality, json);
  ms_json_add_integer(json, "rows", ms_result_table_rows(p->table));
  ms_json_begin_array(json, "channels");
  for (int c = 0; c < p->channels.n; c++) summarise_channel(p, c, json);
  ms_json_end(json);
  if (ms_result_table_rows(p->energy) > 0) summarise_energy(p, json);
}

/* ---- figures ---- */

enum { BINS = 1 << 16 }; /* far more than a picture has columns */

/* Lowest and highest of each bin, in the order of time, so that a long history looks the same: a
   figure copies what it draws. Returns the number of points. */
static ptrdiff_t thin(ptrdiff_t n, const double *x, const double *y, double *x_thin,
                      double *y_thin) {
  ptrdiff_t size = (n + BINS - 1) / BINS, m = 0;
  for (ptrdiff_t at = 0; at < n; at += size) {
    ptrdiff_t low = at, high = at;
    for (ptrdiff_t i = at; i < n && i < at + size; i++) {
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    ptrdiff_t first = low < high ? low : high, second = low < high ? high : low;
    x_thin[m] = x[first], y_thin[m++] = y[first];
    if (second > first) x_thin[m] = x[second], y_thin[m++] = y[second];
  }
  return m;
}

static ms_status add_line(ms_context *ctx, const ms_result_table *table, int column,
                          ms_series series, ms_figure *figure) {
  double *points;
  series.style = MS_SERIES_LINE;
  series.x = ms_result_table_column(table, 0);
  series.y = ms_result_table_column(table, column);
  series.n = ms_result_table_rows(table);
  if (series.n <= 4 * BINS) return ms_figure_add_series(figure, &series);
  MS_TRY(ms_allocate(ctx, 4 * (ptrdiff_t)BINS, sizeof *points, &points));
  series.n = thin(series.n, series.x, series.y, points, points + 2 * (ptrdiff_t)BINS);
  series.x = points;
  series.y = points + 2 * (ptrdiff_t)BINS;
  ms_status status = ms_figure_add_series(figure, &series);
  ms_free(ctx, &points);
  return status;
}

/* A panel for every quantity that was recorded, rotations apart. */
static ms_status add_histories(ms_context *ctx, const ms_transient_product *p, ms_figure *figure) {
  for (int k = 0; k < 2 * MS_N_QUANTITY; k++) {
    const ms_quantity q = (ms_quantity)(k / 2);
    const int turns = k % 2;
    ms_panel panel = { ms_quantity_label(q), "time", "s", NULL, NULL, 0, 0 };
    int n = 0;
    panel.y_label = panel.title;
    panel.y_unit = ms_quantity_unit(q, turns);
    for (int c = 0; c < p->channels.n && n < MS_PALETTE_SIZE; c++) {
      const ms_channel *channel = &p->channels.channel[c];
      if (channel->quantity != q || channel->turns != turns) continue;
      if (n == 0) MS_TRY(ms_figure_add_panel(figure, &panel));
      ms_series series = { .label = channel->name, .colour = n++ };
      MS_TRY(add_line(ctx, p->table, c + 1, series, figure));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_energies(ms_context *ctx, const ms_transient_product *p, ms_figure *figure) {
  static const char *const label[] = { "input",  "kinetic",    "elastic", "viscous",
                                       "stored", "dissipated", "balance" };
  ms_panel where = { "Where the energy is", "time", "s", "energy", "J", 0, 0 };
  ms_panel gap = { "Balance", "time", "s", "what is missing", "J", 0, 0 };
  for (int k = 0; k < 7; k++) {
    if (k == 0) MS_TRY(ms_figure_add_panel(figure, &where));
    if (k == 6) MS_TRY(ms_figure_add_panel(figure, &gap));
    ms_series series = { .label = label[k], .colour = k == 0 ? -1 : k - 1 };
    MS_TRY(add_line(ctx, p->energy, k + 1, series, figure));
  }
  return MS_SUCCESS;
}

typedef ms_status fill_fn(ms_context *ctx, const ms_transient_product *p, ms_figure *figure);

static ms_status add_figure(const ms_study *s, const ms_transient_product *p, ms_page *page,
                            const char *title, fill_fn *fill) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = fill(s->ctx, p, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

ms_status ms_transient_analysis_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_transient_product *p = task->product;
  char steps[128], work[96], balance[96] = "a law keeps no energies";
  const char *names[] = { "steps", "joint evaluations per step, residual", "energy missing" };
  const char *values[] = { steps, work, balance };
  if (p->time.tolerance > 0.0) {
    snprintf(steps, sizeof steps, "%td in %td of %g s, %s, tolerance %g", p->count.steps,
             p->time.steps, p->time.step, p->time.method, p->time.tolerance);
  } else if (p->count.divided > 0) {
    snprintf(steps, sizeof steps, "%td of %g s, %s; %td of them in parts, %td in all",
             p->time.steps, p->time.step, p->time.method, p->count.divided, p->count.steps);
  } else {
    snprintf(steps, sizeof steps, "%td of %g s, %s", p->count.steps, p->time.step, p->time.method);
  }
  snprintf(work, sizeof work, "%.3g, %.2g",
           (double)p->count.evaluations / fmax(1.0, (double)p->count.steps), p->count.residual);
  if (ms_result_table_rows(p->energy) > 0) {
    snprintf(balance, sizeof balance, "%.3g J of %.6g J", p->last.balance,
             p->last.start + p->last.input);
  }
  MS_TRY(ms_page_add_facts(page, 3, names, values));
  MS_TRY(add_figure(s, p, page, "Time histories", add_histories));
  if (ms_result_table_rows(p->energy) == 0) return MS_SUCCESS;
  return add_figure(s, p, page, "Energy", add_energies);
}
