/* What force_state ends in: loops, energies, and how far to trust them. */
#include <math.h>

#include "core/internal.h"
#include "study/analyses/force_state/force_state.h"
#include "study/analyses/shared/answers.h"

enum { POINTS = 256 }; /* of a loop */

/* ---- what is doubtful ---- */

ms_status ms_force_state_judge(ms_study *s, ms_task *task) {
  const ms_force_state_product *p = task->product;
  const ms_force_state **all;
  char text[400];
  MS_TRY(ms_allocate(s->ctx, p->n, sizeof *all, &all));
  for (ptrdiff_t i = 0; i < p->n; i++) all[i] = &p->run[i].found;
  ms_status status = MS_SUCCESS;
  for (int i = 0; !status && ms_force_state_note(p->n, all, p->has_normal, i, text, sizeof text);
       i++) {
    status = ms_task_note(s, task, "%s", text);
  }
  ms_free(s->ctx, &all);
  MS_TRY(status);
  for (const ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    for (int i = 0; ms_force_state_warning(&r->found, r->name, i, text, sizeof text); i++)
      MS_TRY(ms_task_doubt(s, task, "%s", text));
  }
  return MS_SUCCESS;
}

/* ---- tables ---- */

typedef struct tables {
  ms_result_table *records, *loops, *own;
} tables;

static tables create_tables(ms_result *r, const ms_force_state_product *p) {
  tables t = { NULL };
  t.records = ms_result_new_table(
      r, "",
      "source:word,frequency [Hz],force [N],amplitude [m],amplitude_deviation [m],loss [J],"
      "loss_deviation [J],stiffness [N/m],stiffness_deviation [N/m],K_T [N/m],"
      "force_deviation [N],residual,mismatch,misfit,condition,harmonics,axes,stored [J],"
      "stored_deviation [J],stiffened [N/m],drift");
  t.loops = ms_result_new_table(r, "_loops", "source:word,time [s],displacement [m],force [N]");
  if (p->has_normal) {
    ms_result_put_columns(t.records, "N_min [N],N_max [N],N_deviation [N]");
    ms_result_put_columns(t.loops, "normal_load [N]");
  }
  if (!p->has_own) return t;
  ms_result_put_columns(t.records,
                        "own_amplitude [m],own_loss [J],own_stiffness [N/m],"
                        "displacement_error,force_error");
  t.own = ms_result_new_table(r, "_own_loops", "source:word,time [s],displacement [m],force [N]");
  return t;
}

static void add_record(const ms_force_state_product *p, const ms_force_state_run *r,
                       const tables *t) {
  const ms_force_state *m = &r->found;
  const ms_force_state_own *o = &r->own;
  /* Columns that may be missing; a row takes as many as it has. */
  const double rest[11] = { m->N_min.value, m->N_max.value, m->N_max.deviation, o->amplitude,
                            o->loop.loss,   o->stiffness,   o->z_error,         o->f_error };
  const double *x = p->has_normal ? rest : rest + 3;
  ms_result_put_row(t->records, r->name, m->omega / (2.0 * MS_PI), m->force, m->amplitude.value,
                    m->amplitude.deviation, m->loss.value, m->loss.deviation, m->stiffness.value,
                    m->stiffness.deviation, m->K_T, m->f_deviation, m->residual, m->mismatch,
                    m->misfit, m->condition[0], (double)m->n_used, (double)m->axes, m->stored.value,
                    m->stored.deviation, m->stiffened.value, m->drift, x[0], x[1], x[2], x[3], x[4],
                    x[5], x[6], x[7]);
}

/* One period of the loops, closed, from the first sample that was used on. */
static void add_loops(ms_study *s, const ms_task *task, const ms_force_state_run *r,
                      const tables *to) {
  const ms_force_state_options *o = task->options;
  const ms_force_state_product *p = task->product;
  const ms_force_state *m = &r->found;
  ms_joint_contact contact = { .N_0 = 0.0 };
  if (p->has_normal) {
    (void)ms_joint_get_contact(ms_structure_get_joint(s->structure, o->joint), &contact);
  }
  for (int i = 0; i <= POINTS; i++) {
    const double t = m->start + 2.0 * MS_PI * i / (POINTS * m->omega);
    double z, f, N;
    ms_force_state_eval(m, m->n_axis - 1, t, &z, &N);
    ms_force_state_eval(m, 0, t, &z, &f);
    ms_result_put_row(to->loops, r->name, t, z, f, contact.N_0 + N);
    if (!p->has_own) continue;
    ms_hysteresis_eval(&r->own.loop, t, &z, &f);
    ms_result_put_row(to->own, r->name, t, z, f);
  }
}

/* ---- values ---- */

static void set_measured(ms_result *result, const char *name, const char *unit,
                         const ms_measured *m) {
  ms_result_begin(result, name);
  ms_result_set_number(result, "value", unit, m->value);
  ms_result_set_number(result, "deviation", unit, m->deviation);
  ms_result_end(result);
}

static void set_record(ms_result *result, const ms_force_state_product *p,
                       const ms_force_state_run *r) {
  const ms_force_state *m = &r->found;
  ms_result_begin(result, NULL);
  ms_result_set_values(result, "source:word,omega [rad/s],force [N]", r->name, m->omega, m->force);
  set_measured(result, "amplitude", "m", &m->amplitude);
  set_measured(result, "loss", "J", &m->loss);
  set_measured(result, "stiffness", "N/m", &m->stiffness);
  if (m->has_normal) set_measured(result, "N_min", "N", &m->N_min);
  if (m->has_normal) set_measured(result, "N_max", "N", &m->N_max);
  ms_result_set_values(result, "residual,mismatch,misfit,condition", m->residual, m->mismatch,
                       m->misfit, m->condition[0]);
  set_measured(result, "stored", "J", &m->stored);
  set_measured(result, "stiffened", "N/m", &m->stiffened);
  ms_result_set_values(result, "drift,steady:count", m->drift, (double)ms_force_state_is_steady(m));
  if (m->curvature_residual > 0.0) {
    ms_result_set_number(result, "curvature_residual", NULL, m->curvature_residual);
  }
  ms_result_begin_list(result, "left_out");
  for (int k = 0; k < m->harmonics; k++) {
    if (!m->used[k]) ms_result_set_integer(result, NULL, k + 1);
  }
  ms_result_end(result);
  if (p->has_own) {
    ms_result_set_values(result, "own_loss [J],displacement_error,force_error", r->own.loop.loss,
                         r->own.z_error, r->own.f_error);
  }
  ms_result_end(result);
}

/* ---- figures ---- */

static void show_figures(const char *joint, const ms_force_state_product *p, const tables *t,
                         ms_result *result) {
  const ms_plot loops[] = {
    MS_PANEL(joint, "displacement", "force", .by = "source", .most = 8),
    MS_OVER("displacement", "force", .by = "source", .most = 8, .label = "",
            .style = MS_SERIES_DASHED, .colour = -1, .table = t->own),
  };
  const ms_plot losses[] = {
    MS_PANEL(joint, "amplitude", "loss", .y_label = "energy dissipated per cycle", .x_log = 1,
             .y_log = 1, .spread = "loss_deviation", .label = "mapped",
             .style = MS_SERIES_LINE_POINTS, .columns = 1),
    MS_OVER("own_amplitude", "own_loss", .x_log = 1, .y_log = 1, .label = "joint of the study",
            .style = MS_SERIES_DASHED, .colour = -1, .residual_of = "mapped"),
  };
  ms_result_plot(result, "Hysteresis loops by force-state mapping",
                 p->has_own
                     ? "Mapped loops should lie on those of the joint (dashed). Means are "
                       "not identified: loops are centred."
                     : "A loop that crosses itself, or turns the wrong way, comes from modes "
                       "or damping that the model has wrong. Loops are centred.",
                 t->loops, p->has_own ? 2 : 1, loops);
  ms_result_feature_figure(result, MS_HEAD_RANDOM);
  if (p->n < 2) return;
  ms_result_plot(result, "Energy dissipated per cycle against amplitude",
                 "A straight line is microslip; its slope is the exponent. Bars are one standard "
                 "deviation due to the noise of the records.",
                 t->records, p->has_own ? 2 : 1, losses);
}

/* Of the record with the largest amplitude. */
static void answer(ms_result *result, const ms_force_state_product *p) {
  const ms_force_state *m = &p->run[0].found;
  for (ptrdiff_t i = 1; i < p->n; i++) {
    if (p->run[i].found.amplitude.value > m->amplitude.value) m = &p->run[i].found;
  }
  const struct {
    const char *label, *unit;
    ms_measured x;
  } of[] = { { "Energy dissipated per cycle at the largest amplitude", "J", m->loss },
             { "Secant stiffness at the largest amplitude", "N/m", m->stiffness },
             { "Largest joint displacement", "m", m->amplitude } };
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    ms_answer_add(result,
                  (ms_answer) { .unit = of[k].unit,
                                .value = of[k].x.value,
                                .error = of[k].x.deviation,
                                .weight = MS_HEAD_RANDOM },
                  "%s", of[k].label);
  }
}

ms_status ms_force_state_fill_result(ms_study *s, ms_task *task) {
  const ms_force_state_options *o = task->options;
  const ms_force_state_product *p = task->product;
  const ms_force_state *first = &p->run[0].found;
  ms_result *result = task->result;
  const tables t = create_tables(result, p);
  ms_result_set_values(result, "method:word,K_T [N/m],axes:count,held_stuck:count",
                       ms_force_state_method_text(p->setting.method), first->K_T,
                       (double)first->axes, (double)(first->n_axis - first->axes));
  ms_result_begin_list(result, "records");
  for (ptrdiff_t i = 0; i < p->n; i++) {
    add_record(p, &p->run[i], &t);
    add_loops(s, task, &p->run[i], &t);
    set_record(result, p, &p->run[i]);
  }
  ms_result_end(result);
  answer(result, p);
  show_figures(ms_structure_get_joint_name(s->structure, o->joint), p, &t, result);
  ms_result_show_table(result, t.records, "Records: joint displacement, stiffness and energy");
  if (first->axes < first->n_axis) {
    ms_result_say(result,
                  "The first %d of the %d axes of the joint %s identified; the others are taken as "
                  "stuck and linear.",
                  first->axes, first->n_axis, first->axes == 1 ? "is" : "are");
  }
  return MS_SUCCESS;
}
