/* verify: what was found, in time. The runs of an earlier ring-down or shock are made again with
   the parameters of each solution, and where the targets are this study's own, also with those
   that the study gives its joints; read as the earlier ones were, and held against the targets. */
#include <stdio.h>
#include <string.h>

#include "study/analyses/calibrate/calibrate.h"

enum { MOST = 6 }; /* sets in one figure, and runs */

struct ms_verify {
  ms_again again; /* first, as its curves: see analyses/shared/curves.h */
  const ms_task *from;
  const char **name; /* of each set of parameters */
};

/* ---- options ---- */

typedef struct options {
  const char *from;
  int damping; /* 1: joint */
} options;

static const ms_param verify_keys[] = {
  MS_WORD(options, from, MS_REQUIRED, "the earlier `modal_ringdown` or `shock`"),
  MS_CHOICE(options, damping, "total|joint", MS_OPTIONAL,
            "joint: the runs are without the structure's own damping"),
};
const ms_param_list ms_verify_keys = MS_LIST_OF(verify_keys);

ms_status ms_verify_read(ms_study *s, const ms_task *task, struct fy_node *node, ms_calibrate *c) {
  options o = { 0 };
  ptrdiff_t k = 0;
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *c->verify, &c->verify));
  while (k < c->n_target && c->is[k].kind != MS_TARGET_CURVE) k++;
  if (k == c->n_target) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                        "verify looks at curves of frequency and damping, and no target is one");
  }
  if (ms_yaml_is_mapping(node)) {
    MS_TRY(ms_options_read(s, node, node, "verify", verify_keys, ms_verify_keys.n, &o));
    node = ms_yaml_get(node, "from");
  }
  c->verify->again.undamped = o.damping;
  MS_TRY(ms_study_find_task(s, task, node, NULL, &c->verify->from));
  const char *kind = c->verify->from->kind->name;
  if (strcmp(kind, "modal_ringdown") == 0 || strcmp(kind, "shock") == 0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%s' is a %s; name a modal_ringdown or a shock",
                      c->verify->from->name, kind);
}

int ms_verify_needs(const ms_verify *v, const ms_task *other) {
  return v && v->from == other;
}

void ms_verify_close(ms_study *s, ms_verify **verify) {
  ms_verify *v = *verify;
  if (!v) return;
  ms_again_free(s->ctx, &v->again);
  ms_free(s->ctx, &v->again.p);
  ms_free(s->ctx, &v->name);
  ms_free(s->ctx, verify);
}

/* ---- runs ---- */

static ms_status run_one(ms_worker *w, ptrdiff_t job, void *user) {
  return ms_again_simulate(w->ctx, w->study->structure, user, job);
}

/* Sets: the solutions, and the study itself where it is what the targets are of. */
ms_status ms_verify_run(ms_study *s, ms_task *task, ms_calibrate *c) {
  ms_verify *v = c->verify;
  int own = 0;
  char what[96];
  if (!v) return MS_SUCCESS;
  ms_again *a = &v->again;
  a->n_parameter = c->n;
  a->parameter = c->free;
  a->from = v->from->product;
  for (ptrdiff_t k = 0; k < c->n_target; k++) own |= c->target[k].from != NULL;
  MS_TRY(ms_allocate(s->ctx, c->n_solution + 1, sizeof *a->p, &a->p));
  MS_TRY(ms_allocate(s->ctx, c->n_solution + 1, sizeof *v->name, &v->name));
  if (own) v->name[a->n_set++] = "study";
  for (ptrdiff_t k = 0; k < c->n_solution; k++) {
    v->name[a->n_set] = c->solution[k].name;
    a->p[a->n_set++] = c->solution[k].p;
  }
  MS_TRY(ms_again_prepare(s->ctx, s->structure, a));
  snprintf(what, sizeof what, "%.80s_verified", task->name);
  MS_TRY(ms_curves_run(s, what, run_one, &a->curves));
  ms_again_collect(a);
  return ms_curves_judge_steps(s, task, &a->curves);
}

/* ---- result ---- */

static void add_row(const ms_verify *v, ms_result_table *table, const char *target,
                    const ms_points *reference, ptrdiff_t job) {
  const ms_pulse_run *run = &v->again.curves.run[job];
  const ms_transient_energy *e = &run->energy;
  const ms_points_difference d = ms_points_compare(reference, v->again.curves.curve[job].decay);
  ms_result_put_row(
      table, target, v->name[job / v->again.from->n_run], v->again.curves.curve[job].source,
      (double)d.n, d.omega, d.omega_most, d.zeta, d.zeta_most,
      e->input != 0.0 ? e->balance / e->input : 0.0, run->count.residual,
      d.n == 0 && !run->remark[0][0] ? "amplitudes outside the target's" : run->remark[0]);
}

/* The runs of its mode against target k. */
static ms_status compare_target(ms_study *s, const ms_calibrate *c, ms_result_table *table,
                                ptrdiff_t k) {
  const ms_verify *v = c->verify;
  const ms_curve_option *o = &c->is[k].is.curve;
  ms_points reference;
  if (c->is[k].kind != MS_TARGET_CURVE) return MS_SUCCESS;
  MS_TRY(ms_calibrated_reference(s->ctx, s->structure, o, &c->solution[0].view[k],
                                 v->again.undamped, &reference));
  for (ptrdiff_t job = 0; job < v->again.curves.n_run; job++) {
    if (v->again.curves.curve[job].mode != o->mode) continue;
    add_row(v, table, c->target[k].name, &reference, job);
  }
  ms_free(s->ctx, &reference.q);
  return MS_SUCCESS;
}

/* Each run against the same one with the study's own parameters: no other method is in between. */
static ms_status compare_study(const ms_study *s, const ms_verify *v, ms_result_table *table,
                               ptrdiff_t run) {
  const ms_curves one = { .curve = &v->again.curves.curve[run], .n_curve = 1 };
  ms_points reference;
  MS_TRY(ms_curves_gather(s->ctx, &one, one.curve->mode, &reference));
  for (ptrdiff_t k = 1; k < v->again.n_set; k++)
    add_row(v, table, "study", &reference, run + v->again.from->n_run * k);
  ms_free(s->ctx, &reference.q);
  return MS_SUCCESS;
}

static ms_result_table *tabulate_points(ms_result *r, const ms_verify *v) {
  ms_result_table *out = ms_result_new_table(
      r, "_ringdowns",
      "solution:word,run:word,mode,time [s],q [m sqrt(kg)],omega [rad/s],zeta,quality");
  for (ptrdiff_t k = 0; k < v->again.curves.n_curve; k++) {
    const ms_curve *c = &v->again.curves.curve[k];
    for (ptrdiff_t i = 0; i < c->decay->n; i++) {
      const ms_decay_point *d = &c->decay->point[i];
      ms_result_put_row(out, v->name[k / v->again.from->n_run], c->source, c->mode + 1.0, d->time,
                        d->q, d->omega, d->zeta, d->quality);
    }
  }
  return out;
}

/* Velocities of the first runs, as each set has them. */
static ms_status show_histories(ms_study *s, ms_result *r, const ms_verify *v) {
  ms_figure *figure;
  ms_status status = MS_SUCCESS;
  MS_TRY(ms_figure_create(s->ctx, "Runs in time with each solution", NULL, &figure));
  for (ptrdiff_t i = 0; i < v->again.from->n_run && i < MOST && status == MS_SUCCESS; i++) {
    const ms_panel panel = {
      v->again.curves.curve[i].source, "t", "s", "modal velocity", "m/s sqrt(kg)", 0, 0
    };
    status = ms_figure_add_panel(figure, &panel);
    for (ptrdiff_t k = 0; k < v->again.n_set && k < MOST && status == MS_SUCCESS; k++) {
      const ms_trace *trace = v->again.curves.curve[i + v->again.from->n_run * k].trace;
      const ms_series series = {
        v->name[k], trace->t, trace->x, trace->n, k ? MS_SERIES_DASHED : MS_SERIES_LINE, (int)k + 1
      };
      status = ms_figure_add_series(figure, &series);
    }
  }
  ms_result_fail_page(r, status);
  ms_result_fail_page(r, ms_figure_add_first_cycles(figure));
  ms_result_take_figure(
      r,
      "Envelopes should lie on each other. A long run is drawn as min/max envelope "
      "of 400 intervals.",
      &figure);
  return MS_SUCCESS;
}

/* Frequency and damping of all runs of a mode by solution, over the target where it has the damping
   that the runs have. */
static void show_curves(ms_result *r, const ms_calibrate *c, const ms_result_table *points,
                        ptrdiff_t k) {
  const ms_curve_option *o = &c->is[k].is.curve;
  const ms_result_table *curves = ms_result_find_table(r, "_curves");
  const char *name = c->target[k].name;
  char title[64], where[32], target[300];
  snprintf(title, sizeof title, "Verification: ring-downs of mode %td", o->mode + 1);
  snprintf(where, sizeof where, "mode=%td", o->mode + 1);
  snprintf(target, sizeof target, "target=%s", name);
  const ms_plot p[] = {
    MS_PANEL("Frequency", "q", "omega", .x_log = 1, .by = "solution", .where = where,
             .style = MS_SERIES_POINTS, .colour = -1, .table = points),
    MS_OVER("q", "omega_target", .x_log = 1, .label = name, .where = target, .colour = -1,
            .table = curves),
    MS_PANEL("Damping", "q", "zeta", .x_log = 1, .y_log = 1, .by = "solution", .where = where,
             .style = MS_SERIES_POINTS, .colour = -1, .table = points),
    MS_OVER("q", "zeta_target", .x_log = 1, .y_log = 1, .label = name, .where = target,
            .colour = -1, .table = curves),
  };
  ms_result_plot(r, title,
                 "Ring-downs with the fitted joints should lie on the target: if they do not, the "
                 "quasi-static curves of the fit do not hold in time.",
                 points, o->joint_part == c->verify->again.undamped ? 4 : 3, p);
}

ms_status ms_verify_result(ms_study *s, ms_task *task, const ms_calibrate *c) {
  const ms_verify *v = c->verify;
  ms_result *r = task->result;
  if (!v) return MS_SUCCESS;
  ms_result_table *table =
      ms_result_new_table(r, "_verified",
                          "target:word,solution:word,run:word,points,frequency_rms,"
                          "frequency_largest,damping_rms,damping_largest,balance / input,"
                          "newton residual,remark:word");
  for (ptrdiff_t k = 0; k < c->n_target; k++) MS_TRY(compare_target(s, c, table, k));
  for (ptrdiff_t i = 0; i < v->again.from->n_run && !v->again.p[0]; i++)
    MS_TRY(compare_study(s, v, table, i));
  const ms_result_table *points = tabulate_points(r, v);
  ms_result_list_rows(r, "verified", table,
                      "target,solution,run,points,frequency_rms,frequency_largest,damping_rms,"
                      "damping_largest");
  ms_result_say(
      r,
      "Verification in time: the runs of %.60s%s with the parameters of each solution%s, read "
      "by the Hilbert method and compared with the targets.",
      v->from->name, v->again.undamped ? " without the structure's own damping" : "",
      v->again.p[0] ? "" : " and with those of the study file");
  for (ptrdiff_t k = 0; k < c->n_target; k++) {
    if (c->is[k].kind == MS_TARGET_CURVE) show_curves(r, c, points, k);
  }
  MS_TRY(show_histories(s, r, v));
  ms_result_show_table(r, table,
                       "Ring-downs against targets: relative differences at the same amplitude");
  return MS_SUCCESS;
}
