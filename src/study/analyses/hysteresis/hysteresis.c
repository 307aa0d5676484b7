/* hysteresis: the loop of a joint as an experiment finds it, from the accelerations of the masses
   on both sides in steady vibration, beside the joint's own. Reads transients. */
#include <stdio.h>

#include <microslip/experiment.h>

#include "core/internal.h"
#include "study/analyses/shared/answers.h"
#include "study/analyses/transient/transient.h"
#include "study/analyses/shared/rows.h"

typedef struct options {
  ms_task_list from;
  struct fy_node *accelerations;
  double mass;
  ms_numbers frequency;
  const char *joint;
  ptrdiff_t periods, harmonics;
  double residual_limit;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_LAST_TASKS(options, from, "transient", "transients to read"),
  MS_FORMS(options, accelerations, "list", MS_REQUIRED,
           "[inner, outer]: channels of the parts on both sides of the joint; nothing but the "
           "joint may act on the outer one"),
  MS_NUMBER(options, mass, "kg", MS_POSITIVE, MS_REQUIRED, "of the outer part"),
  MS_NUMBERS(options, frequency, "Hz", MS_POSITIVE, MS_REQUIRED,
             "of the vibration; one for all or one for each transient"),
  MS_WORD(options, joint, MS_REQUIRED,
          "joint whose own loop is compared; the transients record its .z and .f"),
  MS_COUNT(options, periods, MS_FROM(1), MS_DEFAULT(4), "at the end of the records"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 1000), MS_DEFAULT(15), "of the accelerations"),
  MS_NUMBER(
      options, residual_limit, NULL, MS_POSITIVE, MS_DEFAULT(0.05),
      "residual of the harmonics above which the analysis is suspect; a loop is off by about a "
      "third of it"),
};

typedef struct loop {
  const ms_task *from;
  int column[4]; /* of the transient's table: inner, outer, joint's z and f */
  ms_hysteresis_test test;
} loop;

typedef struct product {
  loop *loop; /* one for each transient */
  int n;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (int i = 0; i < p->n; i++) ms_hysteresis_test_free(s->ctx, &p->loop[i].test);
  ms_free(s->ctx, &p->loop);
}

/* ---- options ---- */

static ms_status read_accelerations(ms_study *s, struct fy_node *node, loop *l) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(node) || ms_yaml_count(node) != 2) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "accelerations must be two channels, [inner, outer]");
  }
  for (int i = 0; i < 2; i++) {
    struct fy_node *item = ms_yaml_next_item(node, &at);
    const ms_transient_product *t = l->from->product;
    const char *name;
    MS_TRY(ms_yaml_text(&s->yaml, item, "a channel", &name));
    MS_TRY(ms_transient_find_column(s, item, l->from, name, &l->column[i]));
    ms_quantity q = t->channels.channel[l->column[i] - 1].quantity;
    if (q != MS_ACCELERATION && q != MS_ABSOLUTE) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME, "'%s' is no acceleration", name);
    }
  }
  return MS_SUCCESS;
}

static ms_status find_joint(ms_study *s, struct fy_node *node, const char *joint, loop *l) {
  char name[80];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%.64s.%c", joint, "zf"[i]);
    MS_TRY(ms_transient_find_column(s, node, l->from, name, &l->column[2 + i]));
  }
  return MS_SUCCESS;
}

/* The record must hold the periods, and a period the harmonics. */
static ms_status check_length(ms_study *s, const ms_task *task, const loop *l) {
  const ms_transient_product *t = l->from->product;
  const ms_harmonics_setting setting = { l->test.setting.omega, l->test.setting.periods,
                                         l->test.setting.harmonics };
  ms_status status = ms_signal_check_harmonics(s->ctx, ms_transient_count_rows(t),
                                               ms_transient_row_step(t), &setting);
  if (status == MS_SUCCESS) return status;
  status = ms_fail_at(s->ctx, status, "%s", l->from->name);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "frequency"), status);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const ms_numbers f = o->frequency;
  product *p = task->product;
  if (f.n != 1 && f.n != o->from.n) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "frequency"), MS_ERR_FORMAT,
                        "frequency must be one for all, or one for each of the %d transients",
                        o->from.n);
  }
  MS_TRY(ms_allocate(s->ctx, o->from.n, sizeof *p->loop, &p->loop));
  for (p->n = 0; p->n < o->from.n; p->n++) {
    loop *l = &p->loop[p->n];
    l->from = o->from.task[p->n];
    l->test.setting = (ms_hysteresis_setting) { .omega = 2.0 * MS_PI * f.value[f.n == 1 ? 0 : p->n],
                                                .mass = o->mass,
                                                .periods = o->periods,
                                                .harmonics = (int)o->harmonics };
    MS_TRY(read_accelerations(s, o->accelerations, l));
    MS_TRY(find_joint(s, ms_yaml_get(task->node, "joint"), o->joint, l));
    MS_TRY(check_length(s, task, l));
  }
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (int i = 0; i < p->n; i++) {
    const loop *l = &p->loop[i];
    const ms_transient_product *t = l->from->product;
    ms_hysteresis_test *e = &p->loop[i].test;
    e->time = ms_result_table_column(t->table, 0);
    e->inner = ms_result_table_column(t->table, l->column[0]);
    e->outer = ms_result_table_column(t->table, l->column[1]);
    e->z = ms_result_table_column(t->table, l->column[2]);
    e->f = ms_result_table_column(t->table, l->column[3]);
    e->n = ms_result_table_rows(t->table);
    e->dt = ms_transient_row_step(t);
    ms_status status = ms_hysteresis_test_run(s->ctx, e);
    MS_TRY(ms_yaml_fail_here(&s->yaml, task->node, status));
  }
  return MS_SUCCESS;
}

/* A vibration that still changes, or that has other frequencies, makes no closed loop. */
static ms_status judge(ms_study *s, ms_task *task) {
  const options *o = task->options;
  const product *p = task->product;
  for (int i = 0; i < p->n; i++) {
    const loop *l = &p->loop[i];
    if (!(l->test.found.residual > o->residual_limit)) continue;
    MS_TRY(ms_task_doubt(s, task,
                         "%s: the residual of the harmonics is %.3g (residual_limit %g): the "
                         "vibration is not steady, or has other frequencies; record later, or take "
                         "more harmonics",
                         l->from->name, l->test.found.residual, o->residual_limit));
  }
  return MS_SUCCESS;
}

static void add_loop(const loop *l, ms_result_table *table, ms_result_table *loops) {
  const ms_hysteresis_test *e = &l->test;
  const ms_hysteresis *h = &e->found;
  for (ptrdiff_t i = 0; i < e->n_loop; i++) {
    ms_result_put_cells(loops, e->loop + 5 * i, &l->from->name);
  }
  ms_result_put_row(table, l->from->name, h->omega, (double)e->setting.periods,
                    (double)h->harmonics, h->displacement, h->force, h->loss, e->joint_loss,
                    e->joint_loss != 0.0 ? h->loss / e->joint_loss - 1.0 : 0.0, e->z_error,
                    e->f_error, h->residual, e->amplitude);
}

/* Of the loop with the largest amplitude. */
static void answer(ms_result *r, const ms_result_table *t) {
  const struct {
    const char *column, *label, *unit;
    double scale;
  } of[] = { { "loss", "Energy dissipated per cycle, from accelerations", "J", 1.0 },
             { "loss_error", "Error of the dissipated energy", "%", 100.0 },
             { "force_error", "Error of the force (rms)", "%", 100.0 },
             { "amplitude", "Largest joint displacement", "m", 1.0 } };
  const double *a = ms_result_table_find_numbers(t, "amplitude");
  ptrdiff_t large = 0;
  for (ptrdiff_t i = 1; i < ms_result_table_rows(t); i++) large = a[i] > a[large] ? i : large;
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    const double *x = ms_result_table_find_numbers(t, of[k].column);
    ms_answer_number(r, MS_HEAD_DECAY, NULL, of[k].unit, of[k].scale * x[large], "%s", of[k].label);
  }
}

static ms_status result(ms_study *s, ms_task *task) {
  const product *p = task->product;
  const ms_plot panel[] = {
    MS_PANEL(((const options *)task->options)->joint, "joint_displacement", "joint_force",
             .x_label = "displacement", .y_label = "force", .by = "source"),
    MS_OVER("displacement", "force", .by = "source", .label = "", .style = MS_SERIES_DASHED,
            .colour = -1),
  };
  ms_result_table *table =
      ms_result_new_table(task->result, "",
                          "source:word,omega [rad/s],periods,harmonics,displacement [m],force [N],"
                          "loss [J],joint_loss [J],loss_error,displacement_error,force_error,"
                          "residual,amplitude [m]");
  ms_result_table *loops =
      ms_result_new_table(task->result, "_loops",
                          "source:word,time [s],displacement [m],force [N],joint_displacement [m],"
                          "joint_force [N]");
  (void)s;
  for (int i = 0; i < p->n; i++) add_loop(&p->loop[i], table, loops);
  MS_TRY(ms_result_get_status(task->result));
  ms_result_list_rows(
      task->result, "loops", table,
      "source,displacement,force,loss,joint_loss,displacement_error,force_error,residual");
  answer(task->result, table);
  ms_result_plot(task->result, task->kind->title,
                 "Loops from the accelerations (dashed) should lie on those of the joint (solid). "
                 "A loop that is tilted or open comes from a vibration that is not steady.",
                 loops, 2, panel);
  ms_result_feature_figure(task->result, MS_HEAD_DECAY);
  ms_result_show_table(task->result, table,
                       "Loops from the accelerations, and their errors against those of the joint");
  return MS_SUCCESS;
}

const ms_analysis ms_analysis_hysteresis = {
  .name = "hysteresis",
  .title = "Hysteresis loops from accelerations",
  .meaning =
      "A joint's loop as an experiment finds it in steady vibration: the force is the outer mass "
      "times its acceleration, the displacement the difference of the accelerations integrated "
      "twice, harmonic by harmonic. Means are lost.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .judge = judge,
  .result = result,
  .close = close_product,
};
