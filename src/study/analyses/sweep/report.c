/* sweep: what is said about the runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/sweep/sweep.h"
#include "study/analyses/shared/curves.h"

/* ---- units ---- */

enum { MODAL, PLACE, ROTATION };

static int kind_of(const ms_sweep_product *p) {
  return !p->placed ? MODAL : p->turns ? ROTATION : PLACE;
}

const char *ms_sweep_response_unit(const ms_sweep_product *p) {
  static const char *const unit[] = { [MODAL] = "m sqrt(kg)", [PLACE] = "m", [ROTATION] = "rad" };
  return unit[kind_of(p)];
}

/* Acceleration of the response over the load: on a base, a modal one, a moment, a force. */
const char *ms_sweep_transfer_unit(const ms_sweep_product *p) {
  static const char *const unit[3][4] = {
    [MODAL] = { "sqrt(kg)", NULL, "1/(m sqrt(kg))", "1/sqrt(kg)" },
    [PLACE] = { NULL, "1/sqrt(kg)", "1/(kg m)", "1/kg" },
    [ROTATION] = { "rad/m", "rad/(m sqrt(kg))", "rad/(kg m^2)", "rad/(kg m)" },
  };
  const int load = p->load.iota                         ? 0
                   : strcmp(p->load.place, "mode") == 0 ? 1
                   : p->load.moment                     ? 2
                                                        : 3;
  return unit[kind_of(p)][load];
}

/* ---- summary ---- */

static double worst_severity(const ms_sweep_product *p) {
  double worst = 0.0;
  for (ptrdiff_t i = 0; i < p->points.n; i++) worst = fmax(worst, p->points.point[i].severity);
  return worst;
}

void ms_sweep_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_sweep_product *p = task->product;
  (void)s;
  ms_json_add_integer(json, "mode", p->mode + 1);
  ms_json_add_text(json, "method", p->plan.method);
  ms_json_add_number(json, "step", p->plan.step);
  ms_json_add_integer(json, "steps", p->plan.steps);
  ms_json_add_integer(json, "runs", p->n_run);
  ms_json_add_integer(json, "points", p->points.n);
  ms_json_add_number(json, "participation", p->plan.settings.participation);
  ms_json_add_number(json, "severity", worst_severity(p));
  ms_json_add_bool(json, "too_fast", worst_severity(p) > MS_SWEEP_LIMIT);
}

static ms_status report_rate(const ms_sweep_product *p, ms_page *page) {
  char text[700];
  double worst = worst_severity(p);
  if (p->points.n == 0) {
    return ms_page_add_text(page,
                            "No run has a resonance that can be read; the table of runs says "
                            "why.");
  }
  snprintf(
      text, sizeof text,
      "Sweep rate: |df/dt|/(zeta f)^2 is %.3g at most; %s. Frequencies are where the transfer "
      "function's phase is 90 degrees; zeta is from its height there, zeta_half from its "
      "half-power points, zeta_phase from the slope of its phase: of a linear mode all three "
      "agree, and friction parts them.",
      worst,
      worst > MS_SWEEP_LIMIT
          ? "above 3.6 the response cannot follow: amplitudes come out too low and late, sweep "
            "longer"
          : "below 3.6 the response follows the sweep closely");
  return ms_page_add_text(page, text);
}

/* The colour of level k of n; -1 where there are more levels than colours, and this is none of
   those that are shown: the lowest, the highest, and others evenly between. */
static int pick_colour(ptrdiff_t k, ptrdiff_t n) {
  if (n <= MS_PALETTE_SIZE) return (int)k;
  for (int c = 0; c < MS_PALETTE_SIZE; c++) {
    if (k == c * (n - 1) / (MS_PALETTE_SIZE - 1)) return c;
  }
  return -1;
}

/* Series of runs of one direction; x and y are columns of the lines or rows. */
static ms_status add_runs(const ms_study *s, const ms_sweep_product *p, ms_figure *figure, int down,
                          int transfer, int column) {
  for (ptrdiff_t i = 0, n = 0; i < p->n_run; i++) {
    const ms_sweep_run *r = &p->run[i];
    ptrdiff_t size = transfer ? 3 : 2, rows = transfer ? r->n_line : r->n_row;
    const double *from = transfer ? r->line : r->row;
    double *x;
    char label[48];
    if (r->down != down) continue;
    int colour = pick_colour(n++, p->n_level);
    if (rows == 0 || colour < 0) continue;
    MS_TRY(ms_allocate(s->ctx, 2 * rows, sizeof *x, &x));
    for (ptrdiff_t k = 0; k < rows; k++) {
      x[k] = from[size * k];
      x[rows + k] = from[size * k + column];
    }
    snprintf(label, sizeof label, "%g %s, %s", r->level, ms_load_unit(&p->load),
             ms_sweep_direction(r));
    ms_series series = { .label = label,
                         .x = x,
                         .y = x + rows,
                         .n = rows,
                         .style = down ? MS_SERIES_DASHED : MS_SERIES_LINE,
                         .colour = colour };
    ms_status status = ms_figure_add_series(figure, &series);
    ms_free(s->ctx, &x);
    if (status != MS_SUCCESS) return status;
  }
  return MS_SUCCESS;
}

static ms_status fill_envelopes(const ms_study *s, const ms_sweep_product *p, ms_figure *figure) {
  for (ptrdiff_t w = 0; w < p->n_way; w++) {
    ms_panel panel = {
      p->down[w] ? "Down" : "Up", "sweep frequency", "Hz", "response", NULL, 0, 1
    };
    panel.y_unit = ms_sweep_response_unit(p);
    MS_TRY(ms_figure_add_panel(figure, &panel));
    MS_TRY(add_runs(s, p, figure, p->down[w], 0, 1));
  }
  return MS_SUCCESS;
}

static ms_status fill_transfers(const ms_study *s, const ms_sweep_product *p, ms_figure *figure) {
  ms_panel size = { "Magnitude", "frequency", "Hz", "|G|", NULL, 0, 1 };
  ms_panel phase = { "Phase", "frequency", "Hz", "phase", "deg", 0, 0 };
  size.y_unit = ms_sweep_transfer_unit(p);
  MS_TRY(ms_figure_add_panel(figure, &size));
  for (ptrdiff_t w = 0; w < p->n_way; w++) MS_TRY(add_runs(s, p, figure, p->down[w], 1, 1));
  MS_TRY(ms_figure_add_panel(figure, &phase));
  for (ptrdiff_t w = 0; w < p->n_way; w++) MS_TRY(add_runs(s, p, figure, p->down[w], 1, 2));
  return MS_SUCCESS;
}

static ms_status add_figure(const ms_study *s, const ms_sweep_product *p, ms_page *page,
                            const char *title,
                            ms_status (*fill)(const ms_study *, const ms_sweep_product *,
                                              ms_figure *)) {
  ms_figure *figure;
  MS_TRY(ms_figure_create(s->ctx, title, NULL, &figure));
  ms_status status = fill(s, p, figure);
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, NULL, figure);
  ms_figure_destroy(&figure);
  return status;
}

/* Frequency and damping against amplitude, up and down. */
static ms_status add_points(const ms_study *s, const ms_sweep_product *p, ms_page *page) {
  ms_points points[2] = { { .n = 0 } };
  ms_overlay overlay[2];
  double *all;
  MS_TRY(ms_allocate(s->ctx, 6 * p->points.n, sizeof *all, &all));
  for (ptrdiff_t w = 0; w < p->n_way; w++) {
    ms_points *to = &points[w];
    to->q = all + 3 * p->points.n * w;
    to->omega = to->q + p->points.n;
    to->zeta = to->omega + p->points.n;
    for (ptrdiff_t i = 0; i < p->points.n; i++) {
      const ms_sweep_point *from = &p->points.point[i];
      if (from->down != p->down[w]) continue;
      to->q[to->n] = from->q;
      to->omega[to->n] = from->omega;
      to->zeta[to->n++] = from->zeta;
    }
    overlay[w] = (ms_overlay) { p->down[w] ? "down" : "up", to, MS_SERIES_LINE_POINTS, (int)w };
  }
  ms_status status = ms_curves_figure(s, page, p->mode, overlay, (int)p->n_way);
  ms_free(s->ctx, &all);
  return status;
}

ms_status ms_sweep_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_sweep_product *p = task->product;
  MS_TRY(report_rate(p, page));
  if (p->points.n > 0) {
    MS_TRY(add_figure(s, p, page, "Envelope of the response", fill_envelopes));
    MS_TRY(add_figure(s, p, page, "Transfer function of the relative motion", fill_transfers));
    MS_TRY(add_points(s, p, page));
    MS_TRY(ms_result_table_add_to_page(s->ctx, p->table, "Resonances", page));
  }
  return ms_result_table_add_to_page(s->ctx, p->runs, "Runs: energy balance and residuals", page);
}
