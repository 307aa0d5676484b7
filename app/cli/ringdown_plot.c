/* A picture of a ring-down: the record and its envelope, frequency and damping against amplitude.
 */
#include <math.h>
#include <stdio.h>

#include "ringdown.h"

enum { GRID = 201 };

static ms_status add_series(ms_figure *figure, const char *label, const double *x, const double *y,
                            ptrdiff_t n, ms_series_style style, int colour) {
  ms_series series = { .label = label, .x = x, .y = y, .n = n, .style = style, .colour = colour };
  return ms_figure_add_series(figure, &series);
}

/* Columns of the table, one after the other. */
typedef struct curves {
  ptrdiff_t n;
  double *t, *q, *amplitude, *f, *zeta; /* amplitude: of the kind that was measured */
  int decays;                           /* all zeta > 0 */
} curves;

static ms_status make_curves(const ringdown_job *job, curves *c) {
  ptrdiff_t n = job->decay.n;
  double *block;
  MS_TRY(ms_allocate(job->ctx, 5 * n, sizeof *block, &block));
  *c = (curves) { n, block, block + n, block + 2 * n, block + 3 * n, block + 4 * n, 1 };
  for (ptrdiff_t i = 0; i < n; i++) {
    const ms_decay_point *p = &job->decay.point[i];
    const double amplitude[] = { p->q, p->velocity, p->acceleration };
    c->t[i] = p->time;
    c->q[i] = p->q;
    c->amplitude[i] = amplitude[job->record.kind];
    c->f[i] = p->omega / (2.0 * acos(-1.0));
    c->zeta[i] = p->zeta;
    c->decays &= p->zeta > 0.0;
  }
  return MS_SUCCESS;
}

static ms_status add_record(const ringdown_job *job, ms_figure *figure, const curves *c) {
  static const char *const unit[] = { "m", "m/s", "m/s\xc2\xb2" };
  const ms_record *r = &job->record;
  ms_panel panel = { "Record", "time t", "s", ms_record_kind_text(r->kind), unit[r->kind], 0, 0 };
  double *t;
  MS_TRY(ms_figure_add_panel(figure, &panel));
  MS_TRY(ms_allocate(job->ctx, r->n, sizeof *t, &t));
  for (ptrdiff_t k = 0; k < r->n; k++) t[k] = r->time + r->dt * (double)k;
  ms_status status = add_series(figure, r->channel, t, r->x, r->n, MS_SERIES_LINE, -1);
  ms_free(job->ctx, &t);
  if (status != MS_SUCCESS) return status;
  return add_series(figure, "amplitude", c->t, c->amplitude, c->n, MS_SERIES_LINE_POINTS, 0);
}

/* A fitted model over the amplitudes of the table. */
static ms_status add_fit(const ringdown_job *job, ms_figure *figure, const ringdown_fit *fit,
                         int damping) {
  double q[GRID], y[GRID], omega, zeta;
  double low = HUGE_VAL, high = 0.0;
  for (ptrdiff_t i = 0; i < job->decay.n; i++) {
    low = fmin(low, job->decay.point[i].q);
    high = fmax(high, job->decay.point[i].q);
  }
  for (int i = 0; i < GRID; i++) {
    q[i] = low * pow(high / low, (double)i / (GRID - 1));
    MS_TRY(ms_identify_eval_modal(job->ctx, &fit->model, fit->form, q[i], &omega, &zeta, NULL));
    y[i] = damping ? zeta : omega / (2.0 * acos(-1.0));
  }
  int printed = fit->form == MS_MODAL_PRINTED;
  return add_series(figure, printed ? "fit, as printed" : "fit, continuous", q, y, GRID,
                    printed ? MS_SERIES_DASHED : MS_SERIES_LINE, printed ? 2 : 1);
}

static ms_status add_fits(const ringdown_job *job, ms_figure *figure, int damping) {
  for (int i = 0; i < job->n_fit; i++) MS_TRY(add_fit(job, figure, &job->fit[i], damping));
  return MS_SUCCESS;
}

static ms_status fill_figure(const ringdown_job *job, ms_figure *figure, const curves *c) {
  ms_panel frequency = { "Frequency", "displacement amplitude", "m", "f", "Hz", 1, 0 };
  ms_panel damping = { "Damping", "displacement amplitude", "m", "zeta", NULL, 1, c->decays };
  MS_TRY(add_record(job, figure, c));
  MS_TRY(ms_figure_add_panel(figure, &frequency));
  MS_TRY(add_series(figure, "record", c->q, c->f, c->n, MS_SERIES_POINTS, 0));
  MS_TRY(add_fits(job, figure, 0));
  MS_TRY(ms_figure_add_panel(figure, &damping));
  MS_TRY(add_series(figure, "record", c->q, c->zeta, c->n, MS_SERIES_POINTS, 0));
  return add_fits(job, figure, 1);
}

ms_status ringdown_plot(const ringdown_job *job) {
  char subtitle[240];
  curves c;
  ms_figure *figure = NULL;
  snprintf(subtitle, sizeof subtitle, "%.120s, channel %s, method %s", job->path,
           job->record.channel, ms_signal_method_text(job->settings.method));
  MS_TRY(make_curves(job, &c));
  ms_status status = ms_figure_create(job->ctx, "Ring-down", subtitle, &figure);
  if (status == MS_SUCCESS) status = fill_figure(job, figure, &c);
  if (status == MS_SUCCESS) status = ms_figure_write_svg(figure, job->plot, job->theme);
  ms_figure_destroy(&figure);
  ms_free(job->ctx, &c.t);
  return status;
}
