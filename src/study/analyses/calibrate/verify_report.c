/* What `verify` says: ring-downs of each solution against the targets, and where the targets are
   the study's own, against its ring-downs. */
#include <math.h>
#include <stdio.h>

#include "study/analyses/calibrate/verify.h"

/* ---- differences ---- */

typedef struct difference {
  ptrdiff_t n, n_zeta;
  double omega, omega_most, zeta, zeta_most; /* sums of squares until they are roots of means */
} difference;

static void add_point(const ms_points *reference, const ms_decay_point *d, difference *sum) {
  const double omega = ms_points_omega(reference, d->q), zeta = ms_points_zeta(reference, d->q);
  if (!(omega > 0.0)) return;
  double e = d->omega / omega - 1.0;
  sum->omega += e * e;
  sum->omega_most = fmax(sum->omega_most, fabs(e));
  sum->n++;
  if (!(zeta > 0.0)) return;
  e = d->zeta / zeta - 1.0;
  sum->zeta += e * e;
  sum->zeta_most = fmax(sum->zeta_most, fabs(e));
  sum->n_zeta++;
}

static difference compare(const ms_points *reference, const ms_decay *decay) {
  difference sum = { .n = 0 };
  for (ptrdiff_t i = 0; i < decay->n; i++) add_point(reference, &decay->point[i], &sum);
  if (sum.n > 0) sum.omega = sqrt(sum.omega / (double)sum.n);
  if (sum.n_zeta > 0) sum.zeta = sqrt(sum.zeta / (double)sum.n_zeta);
  return sum;
}

/* A target with the damping that the runs have: all of it, or the joints' part. Of a mode the
   viscous part is zeta_0 omega_0/omega. */
static ms_status take_target(const ms_study *s, const ms_verify *v, ptrdiff_t k, ms_points *out) {
  const ms_target_view *t = &v->c->solution[0].view[k].is;
  int joint_part, mode = ms_target_curves_mode(&v->c->target[k], &joint_part);
  *out = (ms_points) { .n = t->n };
  MS_TRY(ms_allocate(s->ctx, 3 * t->n, sizeof *out->q, &out->q));
  out->omega = out->q + t->n;
  out->zeta = out->q + 2 * t->n;
  for (ptrdiff_t i = 0; i < t->n; i++) {
    const double viscous =
        -ms_structure_get_excess_damping(s->structure, mode, t->target[0][i], 0.0);
    out->q[i] = t->x[i];
    out->omega[i] = t->target[0][i];
    out->zeta[i] = t->target[1][i] + ((double)joint_part - (double)v->bare) * viscous;
  }
  return MS_SUCCESS;
}

/* What the study itself has in a run. */
static ms_status take_run(const ms_study *s, const ms_verify *v, ptrdiff_t run, ms_points *out) {
  const ms_curves one = { .curve = &v->curves.curve[run], .n_curve = 1 };
  return ms_curves_gather(s->ctx, &one, v->curves.curve[run].mode, out);
}

/* ---- tables ---- */

static ms_status tabulate_points(ms_study *s, const ms_task *task, const ms_verify *v) {
  char name[96];
  ms_result_table *table;
  snprintf(name, sizeof name, "%.80s_ringdowns", task->name);
  MS_TRY(ms_result_table_create(
      s, name, "solution:word,run:word,mode,time [s],q [m sqrt(kg)],omega [rad/s],zeta,quality",
      &table));
  for (ptrdiff_t k = 0; k < v->curves.n_curve; k++) {
    const ms_curve *c = &v->curves.curve[k];
    for (ptrdiff_t i = 0; i < c->decay->n; i++) {
      const ms_decay_point *d = &c->decay->point[i];
      MS_TRY(ms_result_table_add_row(s->ctx, table, v->set[k / v->n_run].name, c->source,
                                     c->mode + 1.0, d->time, d->q, d->omega, d->zeta, d->quality));
    }
  }
  return MS_SUCCESS;
}

static ms_status add_row(ms_study *s, const ms_verify *v, const char *target,
                         const ms_points *reference, ptrdiff_t job) {
  const ms_pulse_run *run = &v->curves.run[job];
  const ms_transient_energy *e = &run->energy;
  const difference d = compare(reference, v->curves.curve[job].decay);
  return ms_result_table_add_row(
      s->ctx, v->table, target, v->set[job / v->n_run].name, v->curves.curve[job].source,
      (double)d.n, d.omega, d.omega_most, d.zeta, d.zeta_most,
      e->input != 0.0 ? e->balance / e->input : 0.0, run->count.residual,
      d.n == 0 && !run->remark[0][0] ? "amplitudes outside the target's" : run->remark[0]);
}

static ms_status tabulate_target(ms_study *s, const ms_verify *v, ptrdiff_t k) {
  const int mode = ms_target_curves_mode(&v->c->target[k], NULL);
  ms_points reference;
  if (mode < 0) return MS_SUCCESS;
  MS_TRY(take_target(s, v, k, &reference));
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t job = 0; job < v->curves.n_run && status == MS_SUCCESS; job++) {
    if (v->curves.curve[job].mode != mode) continue;
    status = add_row(s, v, v->c->target[k].name, &reference, job);
  }
  ms_free(s->ctx, &reference.q);
  return status;
}

/* Each run against the same one with the study's own parameters: no other method is in between. */
static ms_status tabulate_study(ms_study *s, const ms_verify *v) {
  for (ptrdiff_t run = 0; run < v->n_run; run++) {
    ms_points reference;
    MS_TRY(take_run(s, v, run, &reference));
    ms_status status = MS_SUCCESS;
    for (ptrdiff_t k = 1; k < v->n_set && status == MS_SUCCESS; k++) {
      status = add_row(s, v, "study", &reference, run + v->n_run * k);
    }
    ms_free(s->ctx, &reference.q);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}

ms_status ms_verify_tabulate(ms_study *s, const ms_task *task, ms_verify *v) {
  char name[96];
  snprintf(name, sizeof name, "%.80s_verified", task->name);
  MS_TRY(ms_result_table_create(s, name,
                                "target:word,solution:word,run:word,points,frequency_rms,"
                                "frequency_largest,damping_rms,damping_largest,balance / input,"
                                "newton residual,remark:word",
                                &v->table));
  for (ptrdiff_t k = 0; k < v->c->n_target; k++) MS_TRY(tabulate_target(s, v, k));
  if (!v->set[0].p) MS_TRY(tabulate_study(s, v));
  return tabulate_points(s, task, v);
}

/* ---- summary and report ---- */

void ms_verify_summarise(const ms_verify *v, ms_json *json) {
  static const char *const name[] = { "frequency_rms", "frequency_largest", "damping_rms",
                                      "damping_largest" };
  if (!v) return;
  ms_json_begin_array(json, "verified");
  for (ptrdiff_t i = 0; i < ms_result_table_rows(v->table); i++) {
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "target", ms_result_table_word(v->table, 0, i));
    ms_json_add_text(json, "solution", ms_result_table_word(v->table, 1, i));
    ms_json_add_text(json, "run", ms_result_table_word(v->table, 2, i));
    ms_json_add_integer(json, "points", (long long)ms_result_table_column(v->table, 3)[i]);
    for (int k = 0; k < 4; k++) {
      ms_json_add_number(json, name[k], ms_result_table_column(v->table, 4 + k)[i]);
    }
    ms_json_end(json);
  }
  ms_json_end(json);
}

enum { MOST = 6 }; /* sets in one figure */

/* Frequency and damping of all runs of each set, over the target. */
static ms_status report_curves(const ms_study *s, const ms_verify *v, ptrdiff_t target,
                               ms_page *page) {
  const int mode = ms_target_curves_mode(&v->c->target[target], NULL);
  ms_overlay overlay[MOST + 1];
  ms_points points[MOST + 1];
  int n = 0;
  MS_TRY(take_target(s, v, target, &points[0]));
  overlay[n++] = (ms_overlay) { v->c->target[target].name, &points[0], MS_SERIES_LINE, 0 };
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t k = 0; k < v->n_set && k < MOST && status == MS_SUCCESS; k++, n++) {
    const ms_curves some = { .curve = v->curves.curve + v->n_run * k, .n_curve = v->n_run };
    status = ms_curves_gather(s->ctx, &some, mode, &points[n]);
    overlay[n] = (ms_overlay) { v->set[k].name, &points[n], MS_SERIES_POINTS, n };
  }
  if (status == MS_SUCCESS) status = ms_curves_figure(s, page, mode, overlay, n);
  for (int i = 0; i < n; i++) ms_free(s->ctx, &points[i].q);
  return status;
}

/* Velocities of one run, as each set has them. */
static ms_status add_history(const ms_verify *v, ptrdiff_t run, ms_figure *figure) {
  const ms_panel panel = {
    v->curves.curve[run].source, "t", "s", "modal velocity", "m/s sqrt(kg)", 0, 0
  };
  MS_TRY(ms_figure_add_panel(figure, &panel));
  for (ptrdiff_t k = 0; k < v->n_set && k < MOST; k++) {
    const ms_trace *trace = v->curves.curve[run + v->n_run * k].trace;
    const ms_series series = { .label = v->set[k].name,
                               .x = trace->t,
                               .y = trace->x,
                               .n = trace->n,
                               .style = k ? MS_SERIES_DASHED : MS_SERIES_LINE,
                               .colour = (int)k + 1 };
    MS_TRY(ms_figure_add_series(figure, &series));
  }
  return MS_SUCCESS;
}

static ms_status report_histories(const ms_study *s, const ms_verify *v, ms_page *page) {
  enum { PANELS = 6 };
  ms_figure *figure;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_figure_create(s->ctx, "The same runs with each solution", NULL, &figure));
  for (ptrdiff_t i = 0; i < v->n_run && i < PANELS && status == MS_SUCCESS; i++) {
    status = add_history(v, i, figure);
  }
  if (status == MS_SUCCESS) {
    status = ms_page_add_figure(
        page, "The lowest and the highest value in each of 400 stretches of time.", figure);
  }
  ms_figure_destroy(&figure);
  return status;
}

static const char *const words[2] = { "", " without the structure's own damping" };

ms_status ms_verify_report(const ms_study *s, const ms_verify *v, ms_page *page) {
  char text[400];
  if (!v) return MS_SUCCESS;
  snprintf(text, sizeof text,
           "Verified in time: the runs of %.60s%s with the parameters of each solution%s, read "
           "by the Hilbert method and held against the targets.",
           v->from->name, words[v->bare], v->set[0].p ? "" : " and with those that the study has");
  MS_TRY(ms_page_add_text(page, text));
  for (ptrdiff_t k = 0; k < v->c->n_target; k++) {
    if (ms_target_curves_mode(&v->c->target[k], NULL) >= 0) MS_TRY(report_curves(s, v, k, page));
  }
  MS_TRY(report_histories(s, v, page));
  return ms_result_table_add_to_page(
      s->ctx, v->table, "Ring-downs against targets: relative differences at the same amplitude",
      page);
}
