/* hysteresis: the loop of a joint as an experiment finds it, from the accelerations of the masses
   on both sides in steady vibration, beside the joint's own. Reads transients. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/harmonic.h>
#include <microslip/signal.h>

#include "study/analyses/transient/transient.h"
#include "study/file/options.h"

typedef struct options {
  struct fy_node *from, *accelerations;
  double mass;
  ms_numbers frequency;
  const char *joint;
  ptrdiff_t periods, harmonics;
  double residual_limit;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_FORMS(options, from, "word or list", MS_ELSE("the last one"), "transients to read"),
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

enum { N_KEYS = sizeof keys / sizeof *keys, MAX_RUNS = 24 };

typedef struct loop {
  const ms_task *from;
  int column[4]; /* of the transient's table: inner, outer, joint's z and f */
  ms_hysteresis_setting setting;
  ms_hysteresis found;
  double amplitude; /* half of what lies between the largest and the smallest displacement */
  double joint_loss, z_error, f_error;
  ptrdiff_t first_row, rows; /* in the table of loops */
} loop;

typedef struct product {
  loop loop[MAX_RUNS];
  int n;
  const char *joint;
  double residual_limit;
  ms_result_table *table, *loops;
} product;

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (int i = 0; i < p->n; i++) ms_hysteresis_free(s->ctx, &p->loop[i].found);
  ms_free(s->ctx, &task->product);
}

/* ---- options ---- */

static ms_status read_sources(ms_study *s, ms_task *task, struct fy_node *from, product *p) {
  void *at = NULL;
  ptrdiff_t n = from && ms_yaml_is_sequence(from) ? ms_yaml_count(from) : 1;
  if (n < 1 || n > MAX_RUNS) {
    return ms_yaml_fail(&s->yaml, from, MS_ERR_BOUNDS, "from must name 1 to %d transients",
                        (int)MAX_RUNS);
  }
  for (p->n = 0; p->n < n; p->n++) {
    struct fy_node *item = from && ms_yaml_is_sequence(from) ? ms_yaml_next_item(from, &at) : from;
    MS_TRY(ms_study_find_task(s, task, item, "transient", &p->loop[p->n].from));
  }
  return MS_SUCCESS;
}

/* The column of a channel that the transient records: time is the first. */
static ms_status find_column(ms_study *s, struct fy_node *node, const loop *l, const char *name,
                             int *out) {
  const ms_transient_product *t = l->from->product;
  for (int c = 0; c < t->channels.n; c++) {
    if (strcmp(t->channels.channel[c].name, name) != 0) continue;
    *out = c + 1;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record '%s'", l->from->name, name);
}

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
    MS_TRY(find_column(s, item, l, name, &l->column[i]));
    ms_quantity q = t->channels.channel[l->column[i] - 1].quantity;
    if (q != MS_ACCELERATION && q != MS_ABSOLUTE) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME, "'%s' is no acceleration", name);
    }
  }
  return MS_SUCCESS;
}

static ms_status find_joint(ms_study *s, struct fy_node *node, const product *p, loop *l) {
  char name[80];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%.64s.%c", p->joint, "zf"[i]);
    MS_TRY(find_column(s, node, l, name, &l->column[2 + i]));
  }
  return MS_SUCCESS;
}

static ms_status set_up(ms_study *s, const ms_task *task, const options *o, product *p) {
  const double two_pi = 6.28318530717958647693;
  const ms_numbers f = o->frequency;
  if (f.n != 1 && f.n != p->n) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "frequency"), MS_ERR_FORMAT,
                        "frequency must be one for all, or one for each of the %d transients",
                        p->n);
  }
  p->joint = o->joint;
  p->residual_limit = o->residual_limit;
  for (int i = 0; i < p->n; i++) {
    ms_hysteresis_setting *setting = &p->loop[i].setting;
    setting->omega = two_pi * f.value[f.n == 1 ? 0 : i];
    setting->mass = o->mass;
    setting->periods = o->periods;
    setting->harmonics = (int)o->harmonics;
  }
  return MS_SUCCESS;
}

/* The record must hold the periods, and a period the harmonics. */
static ms_status check_length(ms_study *s, const ms_task *task, const loop *l) {
  const ms_transient_product *t = l->from->product;
  const ms_harmonics_setting setting = { l->setting.omega, l->setting.periods,
                                         l->setting.harmonics };
  ms_status status = ms_signal_check_harmonics(s->ctx, ms_transient_count_rows(t),
                                               ms_transient_row_step(t), &setting);
  if (status == MS_SUCCESS) return status;
  status = ms_fail_at(s->ctx, status, "%s", l->from->name);
  return ms_yaml_fail_here(&s->yaml, ms_yaml_get(task->node, "frequency"), status);
}

static ms_status check_options(ms_study *s, ms_task *task, const options *o, product *p) {
  MS_TRY(read_sources(s, task, o->from, p));
  MS_TRY(set_up(s, task, o, p));
  for (int i = 0; i < p->n; i++) {
    loop *l = &p->loop[i];
    MS_TRY(read_accelerations(s, o->accelerations, l));
    MS_TRY(find_joint(s, ms_yaml_get(task->node, "joint"), p, l));
    MS_TRY(check_length(s, task, l));
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  product *p;
  options o = { 0 };
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_task(s, task, &o);
  if (status == MS_SUCCESS) status = check_options(s, task, &o, p);
  ms_options_free(s->ctx, keys, N_KEYS, &o);
  return status;
}

/* ---- the run ---- */

static const double *column_of(const loop *l, int which) {
  const ms_transient_product *t = l->from->product;
  return ms_result_table_column(t->table, l->column[which]);
}

/* Samples of the last whole periods, as the reconstruction takes them. */
static ptrdiff_t first_sample(const loop *l) {
  const ms_transient_product *t = l->from->product;
  return (ptrdiff_t)llround(l->found.start / ms_transient_row_step(t));
}

static double mean_of(const double *x, ptrdiff_t from, ptrdiff_t to) {
  double sum = 0.0;
  for (ptrdiff_t i = from; i < to; i++) sum += x[i];
  return sum / (double)(to - from);
}

/* Against the joint's own loop without its means: rms of the difference over rms. The joint's loss
   is the area by the trapezoidal rule, closed over the last sample. */
static void compare(loop *l) {
  const ms_transient_product *t = l->from->product;
  const double *z = column_of(l, 2), *f = column_of(l, 3),
               *time = ms_result_table_column(t->table, 0);
  ptrdiff_t from = first_sample(l), to = ms_result_table_rows(t->table);
  double z_mean = mean_of(z, from, to), f_mean = mean_of(f, from, to);
  double size[2] = { 0.0, 0.0 }, error[2] = { 0.0, 0.0 };
  for (ptrdiff_t i = from; i < to; i++) {
    double found[2], own[2] = { z[i] - z_mean, f[i] - f_mean };
    ms_hysteresis_eval(&l->found, time[i], &found[0], &found[1]);
    for (int k = 0; k < 2; k++) {
      size[k] += own[k] * own[k];
      error[k] += (found[k] - own[k]) * (found[k] - own[k]);
    }
  }
  l->z_error = size[0] > 0.0 ? sqrt(error[0] / size[0]) : 0.0;
  l->f_error = size[1] > 0.0 ? sqrt(error[1] / size[1]) : 0.0;
}

/* One period of both loops, closed. */
static ms_status add_loop(ms_study *s, product *p, loop *l) {
  const ms_transient_product *t = l->from->product;
  const double *z = column_of(l, 2), *f = column_of(l, 3),
               *time = ms_result_table_column(t->table, 0);
  ptrdiff_t from = first_sample(l), to = ms_result_table_rows(t->table);
  double z_mean = mean_of(z, from, to), f_mean = mean_of(f, from, to);
  ptrdiff_t n = (to - from) / l->setting.periods;
  l->first_row = ms_result_table_rows(p->loops);
  for (ptrdiff_t i = to - n - 1 > 0 ? to - n - 1 : 0; i < to; i++) {
    double found[2];
    ms_hysteresis_eval(&l->found, time[i], &found[0], &found[1]);
    MS_TRY(ms_result_table_add_row(s->ctx, p->loops, l->from->name, time[i], found[0], found[1],
                                   z[i] - z_mean, f[i] - f_mean));
  }
  l->rows = ms_result_table_rows(p->loops) - l->first_row;
  return MS_SUCCESS;
}

static ms_signal signal_of(const loop *l, int which) {
  const ms_transient_product *t = l->from->product;
  double dt = t->time.step * (double)t->every;
  return (ms_signal) { column_of(l, which), ms_result_table_rows(t->table), dt, 0.0,
                       MS_SIGNAL_ACCELERATION };
}

static ms_status find_amplitude(ms_study *s, loop *l) {
  const int H = l->found.harmonics;
  double *x;
  MS_TRY(ms_allocate(s->ctx, 2 * (ptrdiff_t)H + 1, sizeof *x, &x));
  memcpy(x + 1, l->found.z, 2 * (size_t)H * sizeof *x); /* x[0], the mean, is lost */
  l->amplitude = ms_harmonic_half_range(H, x);
  ms_free(s->ctx, &x);
  return MS_SUCCESS;
}

static ms_status find_loops(ms_study *s, loop *l) {
  ms_signal inner = signal_of(l, 0), outer = signal_of(l, 1);
  ms_signal z = signal_of(l, 2), f = signal_of(l, 3);
  ms_hysteresis own;
  MS_TRY(ms_signal_hysteresis(s->ctx, &inner, &outer, &l->setting, &l->found));
  MS_TRY(ms_signal_loop(s->ctx, &z, &f, &l->setting, &own));
  l->joint_loss = own.loss;
  ms_hysteresis_free(s->ctx, &own);
  return find_amplitude(s, l);
}

static ms_status reconstruct(ms_study *s, ms_task *task, product *p, loop *l) {
  const ms_hysteresis *h = &l->found;
  ms_status status = find_loops(s, l);
  if (status != MS_SUCCESS) return ms_yaml_fail_here(&s->yaml, task->node, status);
  compare(l);
  MS_TRY(add_loop(s, p, l));
  return ms_result_table_add_row(s->ctx, p->table, l->from->name, h->omega,
                                 (double)l->setting.periods, (double)h->harmonics, h->displacement,
                                 h->force, h->loss, l->joint_loss,
                                 l->joint_loss != 0.0 ? h->loss / l->joint_loss - 1.0 : 0.0,
                                 l->z_error, l->f_error, h->residual, l->amplitude);
}

static ms_status run(ms_study *s, ms_task *task) {
  product *p = task->product;
  char name[96];
  snprintf(name, sizeof name, "%.80s_loops", task->name);
  MS_TRY(ms_result_table_create(
      s, task->name,
      "source:word,omega [rad/s],periods,harmonics,displacement [m],force [N],"
      "loss [J],joint_loss [J],loss_error,displacement_error,force_error,"
      "residual,amplitude [m]",
      &p->table));
  MS_TRY(ms_result_table_create(
      s, name,
      "source:word,time [s],displacement [m],force [N],joint_displacement [m],"
      "joint_force [N]",
      &p->loops));
  for (int i = 0; i < p->n; i++) MS_TRY(reconstruct(s, task, p, &p->loop[i]));
  return MS_SUCCESS;
}

/* A vibration that still changes, or that has other frequencies, makes no closed loop. */
static ms_status judge(ms_study *s, ms_task *task) {
  const product *p = task->product;
  for (int i = 0; i < p->n; i++) {
    const loop *l = &p->loop[i];
    if (!(l->found.residual > p->residual_limit)) continue;
    MS_TRY(
        ms_task_doubt(s, task,
                      "%s: the harmonics leave %.3g of the accelerations (residual_limit %g): the "
                      "vibration is not steady, or has other frequencies; record later, or take "
                      "more harmonics",
                      l->from->name, l->found.residual, p->residual_limit));
  }
  return MS_SUCCESS;
}

static void summarise(const ms_study *s, const ms_task *task, ms_json *json) {
  const product *p = task->product;
  (void)s;
  ms_json_begin_array(json, "loops");
  for (int i = 0; i < p->n; i++) {
    const loop *l = &p->loop[i];
    ms_json_begin_object(json, NULL);
    ms_json_add_text(json, "source", l->from->name);
    ms_json_add_number(json, "displacement", l->found.displacement);
    ms_json_add_number(json, "force", l->found.force);
    ms_json_add_number(json, "loss", l->found.loss);
    ms_json_add_number(json, "joint_loss", l->joint_loss);
    ms_json_add_number(json, "displacement_error", l->z_error);
    ms_json_add_number(json, "force_error", l->f_error);
    ms_json_add_number(json, "residual", l->found.residual);
    ms_json_end(json);
  }
  ms_json_end(json);
}

/* ---- report ---- */

static ms_status add_series(const product *p, ms_figure *figure) {
  for (int i = 0; i < p->n; i++) {
    const loop *l = &p->loop[i];
    const ptrdiff_t at = l->first_row;
    ms_series own = { l->from->name,
                      ms_result_table_column(p->loops, 4) + at,
                      ms_result_table_column(p->loops, 5) + at,
                      l->rows,
                      MS_SERIES_LINE,
                      i % MS_PALETTE_SIZE };
    ms_series found = { NULL,
                        ms_result_table_column(p->loops, 2) + at,
                        ms_result_table_column(p->loops, 3) + at,
                        l->rows,
                        MS_SERIES_DASHED,
                        -1 };
    MS_TRY(ms_figure_add_series(figure, &own));
    MS_TRY(ms_figure_add_series(figure, &found));
  }
  return MS_SUCCESS;
}

static ms_status report(const ms_study *s, const ms_task *task, ms_page *page) {
  const product *p = task->product;
  ms_panel panel = { p->joint, "displacement", "m", "force", "N", 0, 0 };
  ms_figure *figure = NULL;
  MS_TRY(ms_figure_create(s->ctx, "Hysteresis", NULL, &figure));
  ms_status status = ms_figure_add_panel(figure, &panel);
  if (status == MS_SUCCESS) status = add_series(p, figure);
  if (status == MS_SUCCESS) {
    status =
        ms_page_add_figure(page, "The joint's own loops; dashed, from the accelerations.", figure);
  }
  ms_figure_destroy(&figure);
  if (status != MS_SUCCESS) return status;
  return ms_result_table_add_to_page(s->ctx, p->table,
                                     "Loops, and how far they are from the joint's own", page);
}

static int needs(const ms_task *task, const ms_task *other) {
  const product *p = task->product;
  for (int i = 0; i < p->n; i++) {
    if (p->loop[i].from == other) return 1;
  }
  return 0;
}

const ms_analysis ms_analysis_hysteresis = {
  .needs = needs,
  .name = "hysteresis",
  .meaning =
      "A joint's loop as an experiment finds it in steady vibration: the force is the outer mass "
      "times its acceleration, the displacement the difference of the accelerations integrated "
      "twice, harmonic by harmonic. Means are lost.",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .judge = judge,
  .summarise = summarise,
  .report = report,
  .close = close_product,
};
