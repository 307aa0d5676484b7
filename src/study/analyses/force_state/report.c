/* What `force_state` says: loops, loss against amplitude, and how far to trust them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/analyses/force_state/force_state.h"

static void add_measured(ms_json *json, const char *name, const ms_measured *m) {
  ms_json_begin_object(json, name);
  ms_json_add_number(json, "value", m->value);
  ms_json_add_number(json, "deviation", m->deviation);
  ms_json_end(json);
}

static void add_run(ms_json *json, const ms_force_state_product *p, const ms_force_state_run *r) {
  const ms_force_state *m = &r->found;
  ms_json_begin_object(json, NULL);
  ms_json_add_text(json, "source", r->name);
  ms_json_add_number(json, "omega", m->omega);
  ms_json_add_number(json, "force", m->force);
  add_measured(json, "amplitude", &m->amplitude);
  add_measured(json, "loss", &m->loss);
  add_measured(json, "stiffness", &m->stiffness);
  if (m->has_normal) add_measured(json, "N_min", &m->N_min);
  if (m->has_normal) add_measured(json, "N_max", &m->N_max);
  ms_json_add_number(json, "residual", m->residual);
  ms_json_add_number(json, "mismatch", m->mismatch);
  ms_json_add_number(json, "misfit", m->misfit);
  ms_json_add_number(json, "condition", m->condition[0]);
  add_measured(json, "stored", &m->stored);
  add_measured(json, "stiffened", &m->stiffened);
  ms_json_add_number(json, "drift", m->drift);
  ms_json_add_integer(json, "steady", ms_force_state_is_steady(m));
  if (m->curvature_residual > 0.0) {
    ms_json_add_number(json, "curvature_residual", m->curvature_residual);
  }
  ms_json_begin_array(json, "left_out");
  for (int k = 0; k < m->harmonics; k++) {
    if (!m->used[k]) ms_json_add_integer(json, NULL, k + 1);
  }
  ms_json_end(json);
  if (p->has_own) {
    ms_json_add_number(json, "own_loss", r->own.loss);
    ms_json_add_number(json, "displacement_error", r->z_error);
    ms_json_add_number(json, "force_error", r->f_error);
  }
  ms_json_end(json);
}

void ms_force_state_summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const ms_force_state_product *p = task->product;
  (void)s;
  ms_json_add_text(json, "method", ms_force_state_method_text(p->setting.method));
  ms_json_add_number(json, "K_T", p->run[0].found.K_T);
  ms_json_add_integer(json, "axes", p->run[0].found.axes);
  ms_json_add_integer(json, "held_stuck", p->run[0].found.n_axis - p->run[0].found.axes);
  ms_json_begin_array(json, "records");
  for (ptrdiff_t i = 0; i < p->n; i++) add_run(json, p, &p->run[i]);
  ms_json_end(json);
}

/* ---- figures ---- */

static ms_series loop_of(const ms_result_table *table, const ms_force_state_run *r,
                         const char *label, ms_series_style style, int colour) {
  return (ms_series) { label,
                       ms_result_table_column(table, 2) + r->first_row,
                       ms_result_table_column(table, 3) + r->first_row,
                       r->rows,
                       style,
                       colour };
}

/* Most loops that a reader tells apart: the first, the last, and some between. */
enum { SHOWN = 8 };

static int is_shown(const ms_force_state_product *p, ptrdiff_t i) {
  if (p->n <= SHOWN) return 1;
  for (ptrdiff_t k = 0; k < SHOWN; k++) {
    if (i == k * (p->n - 1) / (SHOWN - 1)) return 1;
  }
  return 0;
}

static ms_status add_loops(const ms_force_state_product *p, ms_figure *figure) {
  int colour = 0;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_force_state_run *r = &p->run[i];
    if (!is_shown(p, i)) continue;
    ms_series found = loop_of(p->loops, r, r->name, MS_SERIES_LINE, colour++ % MS_PALETTE_SIZE);
    MS_TRY(ms_figure_add_series(figure, &found));
    if (!p->has_own) continue;
    ms_series own = loop_of(p->own_loops, r, NULL, MS_SERIES_DASHED, -1);
    MS_TRY(ms_figure_add_series(figure, &own));
  }
  return MS_SUCCESS;
}

static ms_status report_loops(const ms_study *s, const ms_force_state_product *p, ms_page *page) {
  ms_panel panel = { p->joint, "displacement", "m", "force", "N", 0, 0 };
  ms_figure *figure = NULL;
  MS_TRY(ms_figure_create(s->ctx, "Loops by force-state mapping", NULL, &figure));
  ms_status status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = add_loops(p, figure);
  if (status == MS_SUCCESS) {
    status =
        ms_page_add_figure(page,
                           p->has_own ? "Mapped loops; dashed, the joint's own. Means are lost."
                                      : "Mapped loops. Means are lost.",
                           figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* Loss against amplitude with a deviation to both sides, and the joint's own. */
static ms_status add_losses(const ms_force_state_product *p, ms_figure *figure) {
  const int own = p->has_normal ? 24 : 21;
  ms_series found = { "mapped",
                      ms_result_table_column(p->table, 3),
                      ms_result_table_column(p->table, 5),
                      p->n,
                      MS_SERIES_LINE_POINTS,
                      0 };
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_force_state *m = &p->run[i].found;
    const double x[2] = { m->amplitude.value, m->amplitude.value };
    const double y[2] = { m->loss.value - m->loss.deviation, m->loss.value + m->loss.deviation };
    ms_series bar = { NULL, x, y, 2, MS_SERIES_LINE, 0 };
    if (y[0] > 0.0) MS_TRY(ms_figure_add_series(figure, &bar));
  }
  MS_TRY(ms_figure_add_series(figure, &found));
  if (!p->has_own) return MS_SUCCESS;
  ms_series joint = { "the joint's own",
                      ms_result_table_column(p->table, own),
                      ms_result_table_column(p->table, own + 1),
                      p->n,
                      MS_SERIES_DASHED,
                      -1 };
  return ms_figure_add_series(figure, &joint);
}

/* On logarithmic axes, where all can be shown on them. */
static int can_show_losses(const ms_force_state_product *p) {
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_force_state_run *r = &p->run[i];
    if (!(r->found.loss.value > 0.0 && r->found.amplitude.value > 0.0)) return 0;
    if (p->has_own && !(r->own.loss > 0.0 && r->own_amplitude > 0.0)) return 0;
  }
  return p->n > 1;
}

static ms_status report_losses(const ms_study *s, const ms_force_state_product *p, ms_page *page) {
  ms_panel panel = { p->joint, "amplitude", "m", "loss per cycle", "J", 1, 1 };
  ms_figure *figure = NULL;
  if (!can_show_losses(p)) return MS_SUCCESS;
  MS_TRY(ms_figure_create(s->ctx, "Loss against amplitude", NULL, &figure));
  ms_status status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = add_losses(p, figure);
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(page, "Bars: one standard deviation by the noise of the records.",
                                figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

/* ---- words ---- */

static ms_status warn_held(const ms_force_state_product *p, ms_page *page) {
  const ms_force_state *m = &p->run[0].found;
  char text[160];
  if (m->axes == m->n_axis) return MS_SUCCESS;
  snprintf(
      text, sizeof text,
      "Of the %d axes of the joint the first %d %s sought; the others were held stuck, linear.",
      m->n_axis, m->axes, m->axes == 1 ? "is" : "are");
  return ms_page_add_text(page, text);
}

static ms_status judge_left_out(ms_study *s, ms_task *task, const ms_force_state_product *p) {
  ptrdiff_t records = 0;
  int most = 0;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const int left = p->run[i].found.harmonics - p->run[i].found.n_used;
    records += left > 0;
    if (left > most) most = left;
  }
  if (most == 0) return MS_SUCCESS;
  return ms_task_note(s, task,
                      "in %td of %td records up to %d of %d harmonics are left out: they are "
                      "mostly noise",
                      records, p->n, most, p->run[0].found.harmonics);
}

/* Where the load varies by more than a tenth, a law at constant load is not what was measured. */
static ms_status judge_load(ms_study *s, ms_task *task, const ms_force_state_product *p) {
  double worst = 0.0;
  if (!p->has_normal) return MS_SUCCESS;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    const ms_force_state *m = &p->run[i].found;
    const double mean = 0.5 * (m->N_max.value + m->N_min.value);
    worst = fmax(worst, 0.5 * (m->N_max.value - m->N_min.value) / fmax(fabs(mean), 1e-300));
  }
  return ms_task_note(s, task, "the normal load varies by up to %.2g %% about its mean",
                      100.0 * fmin(worst, 1e6));
}

/* A record whose drift stores more than a part of the energy dissipated, beyond its noise; or whose
   noise hides such a drift. */
static ms_status judge_steady(ms_study *s, ms_task *task, const ms_force_state_run *r) {
  const ms_force_state *m = &r->found;
  if (!ms_force_state_is_steady(m)) {
    return ms_task_doubt(
        s, task,
        "%.80s is not steady: its energy changes by %.3g J per cycle, %.3g of the energy "
        "dissipated, and its phase makes %.3g of the stiffness (%.2g of either counts as steady). "
        "Record later, when the vibration has settled",
        r->name, m->stored.value, fabs(m->stored.value / m->loss.value),
        fabs(m->stiffened.value / m->stiffness.value), MS_FORCE_STATE_STEADY);
  }
  if (!(m->stored.deviation > MS_FORCE_STATE_STEADY * fabs(m->loss.value))) return MS_SUCCESS;
  return ms_task_doubt(
      s, task,
      "the record does not show whether %.80s is steady: its energy changes by %.3g J per cycle "
      "with a standard deviation of %.3g J, and %.3g J are dissipated. Take more periods, or "
      "record later",
      r->name, m->stored.value, m->stored.deviation, m->loss.value);
}

ms_status ms_force_state_judge(ms_study *s, ms_task *task) {
  const ms_force_state_product *p = task->product;
  MS_TRY(judge_left_out(s, task, p));
  MS_TRY(judge_load(s, task, p));
  for (ptrdiff_t i = 0; i < p->n; i++) MS_TRY(judge_steady(s, task, &p->run[i]));
  return MS_SUCCESS;
}

ms_status ms_force_state_report(const ms_study *s, const ms_task *task, ms_page *page) {
  const ms_force_state_product *p = task->product;
  MS_TRY(report_loops(s, p, page));
  MS_TRY(report_losses(s, p, page));
  MS_TRY(warn_held(p, page));
  return ms_result_table_add_to_page(s->ctx, p->table, "Records and what they say of the joint",
                                     page);
}
