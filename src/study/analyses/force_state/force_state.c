/* force_state: the loop of a joint from the force that drives the structure and what a few sensors
   see, in steady vibration. Reads transients or files. */
#include <stdio.h>

#include "core/internal.h"
#include "io/yaml/tables.h"
#include "study/analyses/force_state/force_state.h"
#include "study/analyses/transient/transient.h"

typedef ms_force_state_options options;
typedef ms_force_state_product product;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_JOINT(options, joint, MS_REQUIRED,
           "joint whose loop is sought; all others are taken as stuck"),
  MS_TASKS(options, from, "transient", MS_ELSE("the last one"),
           "transients to read; each has one load, a force, and records it by its name"),
  MS_ENTRIES(options, files, "word or list", NULL, MS_OPTIONAL,
             "files to read instead, a record each: tables or universal files"),
  MS_FORMS(options, load, "word or mapping", MS_OPTIONAL,
           "of files: where the force acts, `at` as under loads, or the name of a load"),
  MS_WORD(options, force, MS_ELSE("force"), "of files: the channel of the force"),
  MS_ENTRIES(options, sensors, "list or mapping", NULL, MS_REQUIRED,
             "channels of the transients (u2.acceleration, u2.velocity, u2); of files {degree of "
             "freedom: channel}, whose unit says what it is"),
  MS_NUMBERS(options, frequency, "Hz", MS_POSITIVE, MS_ELSE("found in the force"),
             "of the vibration; one for all or one for each record"),
  MS_COUNT(options, periods, MS_FROM(1), MS_DEFAULT(4), "at the end of the records"),
  MS_COUNT(options, harmonics, MS_WITHIN(1, 200), MS_DEFAULT(9), "of the motion"),
  MS_CHOICE(options, method, "exact|plain", MS_OPTIONAL,
            "exact: all modes, least squares; plain: as many modes as sensors"),
  MS_COUNT(options, modes, MS_FROM(1), MS_ELSE("as many as sensors"),
           "of the plain method, at most so many as sensors"),
  MS_COUNT(options, axes, MS_FROM(1), MS_ELSE("all, or as many as there are sensors"),
           "of the joint that are sought, the first ones; others are held stuck"),
  MS_NUMBER(options, worst, "-", MS_POSITIVE, MS_DEFAULT(0.05),
            "a harmonic is left out if the standard deviation of its force exceeds so much of the "
            "first harmonic"),
};

static void close_product(ms_study *s, ms_task *task) {
  product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    ms_force_state_free(s->ctx, &p->run[i].found);
    ms_hysteresis_free(s->ctx, &p->run[i].own.loop);
    ms_record_set_free(s->ctx, &p->run[i].samples);
  }
  ms_load_free(s->ctx, &p->load);
  ms_free(s->ctx, &p->run);
  ms_free(s->ctx, &p->weights);
}

/* ---- options ---- */

static ms_status read_sources(ms_study *s, const ms_task *task, const options *o, product *p) {
  struct fy_node *files = ms_yaml_get(task->node, "files"), *from = ms_yaml_get(task->node, "from");
  void *at = NULL;
  if (from && files) {
    return ms_yaml_fail(&s->yaml, files, MS_ERR_FORMAT, "either from or files, not both");
  }
  const ptrdiff_t n = files ? o->files.n : from ? o->from.n : 1;
  if (n < 1) return ms_yaml_fail(&s->yaml, files, MS_ERR_BOUNDS, "there must be a record");
  MS_TRY(ms_allocate(s->ctx, n, sizeof *p->run, &p->run));
  for (; p->n < n; p->n++) {
    ms_force_state_run *r = &p->run[p->n];
    if (files) {
      r->node = o->files.entry[p->n].key;
      r->name = o->files.entry[p->n].name;
      continue;
    }
    r->node = from ? ms_yaml_next_of(from, &at) : task->key;
    if (from) r->from = o->from.task[p->n];
    if (!from) MS_TRY(ms_study_find_task(s, task, NULL, "transient", &r->from));
    r->name = r->from->name;
  }
  return MS_SUCCESS;
}

/* Column of the transient's table, 0 if it has none: time is the first. */
static int find_column(const ms_task *from, const char *name) {
  return ms_channels_find(&((const ms_transient_product *)from->product)->channels, name) + 1;
}

/* A channel of the first transient, which is the motion of a coordinate; or of files
   {coordinate: channel}. */
static ms_status read_sensor(const ms_study *s, const ms_task *from, struct fy_node *node,
                             const ms_entry *e, double *weights) {
  const char *channel;
  if (!from && !e->value) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "sensors must be a mapping, {coordinate: channel of the files}");
  }
  if (!from) {
    MS_TRY(ms_yaml_text(&s->yaml, e->value, "a channel", &channel));
    return ms_read_weights(s, e->key, "a coordinate", 1.0, 1.0, weights);
  }
  if (e->value) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "sensors must be a list of channels that the transients record");
  }
  int column;
  MS_TRY(ms_transient_find_column(s, e->key, from, e->name, &column));
  const ms_channel *c =
      &((const ms_transient_product *)from->product)->channels.channel[column - 1];
  if (c->quantity > MS_ACCELERATION) {
    return ms_yaml_fail(&s->yaml, e->key, MS_ERR_NAME, "'%s' is not the motion of a coordinate",
                        e->name);
  }
  weights[c->index] = 1.0;
  return MS_SUCCESS;
}

static ms_status read_sensors(ms_study *s, const ms_task *task, const options *o, product *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  struct fy_node *node = ms_yaml_get(task->node, "sensors");
  if (o->sensors.n < 1 || o->sensors.n > MS_FORCE_STATE_SENSORS) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "there must be 1 to %d sensors",
                        (int)MS_FORCE_STATE_SENSORS);
  }
  MS_TRY(ms_allocate(s->ctx, n * o->sensors.n, sizeof *p->weights, &p->weights));
  for (ptrdiff_t i = 0; i < o->sensors.n; i++) {
    MS_TRY(read_sensor(s, p->run[0].from, node, &o->sensors.entry[i], p->weights + n * i));
  }
  return MS_SUCCESS;
}

/* What the joint or the number of sensors limits; count is -1 where it is not given. */
static ms_status check_most(const ms_study *s, const ms_task *task, const char *key,
                            ptrdiff_t count, ptrdiff_t most) {
  if (count <= most) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, key), MS_ERR_BOUNDS,
                      "%s must be at most %td", key, most);
}

static ms_status set_up(ms_study *s, const ms_task *task, const options *o, product *p) {
  const ms_joint *joint = ms_structure_get_joint(s->structure, o->joint);
  ms_force_state_setting *to = &p->setting;
  MS_TRY(check_most(s, task, "axes", o->axes, ms_joint_info(joint)->n_axis));
  MS_TRY(check_most(s, task, "modes", o->modes, o->sensors.n));
  p->has_normal = ms_joint_get_loaded_law(joint) != NULL;
  *to = (ms_force_state_setting)MS_FORCE_STATE_DEFAULT;
  to->method = o->method == 0 ? MS_FORCE_STATE_EXACT : MS_FORCE_STATE_PLAIN;
  to->periods = o->periods;
  to->harmonics = (int)o->harmonics;
  to->worst = o->worst;
  if (o->axes > 0) to->axes = (int)o->axes;
  if (o->modes > 0) to->modes = o->modes;
  if (o->modes > 0 && to->method != MS_FORCE_STATE_PLAIN) {
    return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "modes"), MS_ERR_FORMAT,
                        "modes are those of method: plain; the exact one takes all");
  }
  if (o->frequency.n <= 1 || o->frequency.n == p->n) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, ms_yaml_get(task->node, "frequency"), MS_ERR_FORMAT,
                      "frequency must be one for all, or one for each of the %td records", p->n);
}

/* Of files; transients bring their own. */
static ms_status read_load(ms_study *s, const ms_task *task, const options *o, product *p) {
  struct fy_node *force = ms_yaml_get(task->node, "force");
  if (p->run[0].from) {
    if (!o->load && !force) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, o->load ? o->load : force, MS_ERR_FORMAT,
                        "load and force are those of files; transients have their own");
  }
  if (!o->load) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME,
                        "%s needs load: where the force of the files acts", task->name);
  }
  MS_TRY(ms_yaml_is_scalar(o->load) ? ms_read_load(s, o->load, &p->load)
                                    : ms_read_place(s, o->load, "force", &p->load));
  if (!p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, o->load, MS_ERR_FORMAT,
                      "a base: force-state mapping needs a force");
}

/* ---- records ---- */

/* Column of z or f of the joint, 0 if it is not recorded. */
static int find_own(const ms_study *s, const options *o, const ms_force_state_run *r, char which) {
  char name[80];
  snprintf(name, sizeof name, "%.64s.%c", ms_structure_get_joint_name(s->structure, o->joint),
           which);
  return find_column(r->from, name);
}

/* One load, a force, that is recorded; the sensors; and whether the joint's own loop is there. */
static ms_status check_transient(ms_study *s, const options *o, product *p, ms_force_state_run *r) {
  const ms_transient_product *t = r->from->product;
  if (t->n_load != 1 || t->load[0].iota || !find_column(r->from, t->load[0].name)) {
    return ms_yaml_fail(&s->yaml, r->node, MS_ERR_NAME,
                        "%s must have one load, a force, and record it: put its name among the "
                        "channels",
                        r->name);
  }
  r->place = t->load[0].shape;
  r->samples.n = ms_transient_count_rows(t);
  r->samples.dt = ms_transient_row_step(t);
  for (ptrdiff_t i = 0; i < o->sensors.n; i++) {
    int column;
    MS_TRY(ms_transient_find_column(s, r->node, r->from, o->sensors.entry[i].name, &column));
    r->kind[i + 1] = (ms_record_kind)t->channels.channel[column - 1].quantity;
  }
  p->has_own = p->has_own && find_own(s, o, r, 'z') && find_own(s, o, r, 'f');
  return MS_SUCCESS;
}

static ms_status read_file(ms_study *s, const options *o, const product *p, ms_force_state_run *r) {
  ms_record_request request[1 + MS_FORCE_STATE_SENSORS];
  r->place = p->load.shape;
  for (ptrdiff_t c = 0; c <= o->sensors.n; c++) {
    request[c] = (ms_record_request)MS_RECORD_REQUEST_DEFAULT;
    request[c].channel = c ? o->sensors.entry[c - 1].text : o->force ? o->force : "force";
    if (c == 0) request[c].kind = MS_RECORD_FORCE;
  }
  return ms_yaml_read_record_set(&s->yaml, r->node, r->name, o->sensors.n + 1, request, &o->sensors,
                                 &r->samples, r->kind);
}

/* Channel c, the force or a sensor, of what was read or the transient has recorded. */
static const double *get_channel(const options *o, const ms_force_state_run *r, ptrdiff_t c) {
  if (!r->from) return r->samples.x + r->samples.n * c;
  const ms_transient_product *t = r->from->product;
  const char *name = c ? o->sensors.entry[c - 1].name : t->load[0].name;
  return ms_result_table_column(t->table, find_column(r->from, name));
}

/* Into *found, or with found NULL only as far as it can be told before there are samples. */
static ms_status map(ms_study *s, const options *o, const product *p, const ms_force_state_run *r,
                     ms_force_state *found) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  const ms_record_set *x = &r->samples;
  const double *channel[1 + MS_FORCE_STATE_SENSORS] = { NULL };
  ms_force_state_sensor sensor[MS_FORCE_STATE_SENSORS];
  ms_force_state_setting setting = p->setting;
  for (ptrdiff_t c = 0; found && c <= o->sensors.n; c++) channel[c] = get_channel(o, r, c);
  for (ptrdiff_t i = 0; i < o->sensors.n; i++) {
    sensor[i] = (ms_force_state_sensor) { p->weights + n * i, (ms_signal_kind)r->kind[i + 1], 0.0 };
  }
  const ms_force_state_request request = { o->joint, r->place, (int)o->sensors.n, sensor };
  const ms_force_state_record record = { x->n, x->dt, x->time, channel[0], channel + 1 };
  if (o->frequency.n > 0) {
    setting.omega = 2.0 * MS_PI * o->frequency.value[o->frequency.n == 1 ? 0 : r - p->run];
  }
  ms_status status = found ? ms_force_state_map(s->structure, &request, &record, &setting, found)
                           : ms_force_state_check(s->structure, &request, x->n, x->dt, &setting);
  if (status == MS_SUCCESS) return status;
  status = ms_fail_at(s->ctx, status, "%s", r->name);
  return ms_yaml_fail_here(&s->yaml, r->node, status);
}

static ms_status check(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  MS_TRY(read_sources(s, task, o, p));
  MS_TRY(read_sensors(s, task, o, p));
  MS_TRY(set_up(s, task, o, p));
  MS_TRY(read_load(s, task, o, p));
  p->has_own = p->run[0].from != NULL;
  for (ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    MS_TRY(r->from ? check_transient(s, o, p, r) : read_file(s, o, p, r));
    MS_TRY(map(s, o, p, r, NULL));
  }
  return MS_SUCCESS;
}

/* ---- the run ---- */

static ms_status run(ms_study *s, ms_task *task) {
  const options *o = task->options;
  product *p = task->product;
  for (ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    const ms_result_table *t = r->from ? ((ms_transient_product *)r->from->product)->table : NULL;
    ms_record_set *x = &r->samples;
    if (t) x->n = ms_result_table_rows(t), x->time = ms_result_table_column(t, 0)[0];
    MS_TRY(map(s, o, p, r, &r->found));
    if (!p->has_own) continue;
    ms_signal z = ms_transient_get_signal(r->from, find_own(s, o, r, 'z'));
    ms_signal f = ms_transient_get_signal(r->from, find_own(s, o, r, 'f'));
    z.time = f.time = x->time;
    MS_TRY(ms_force_state_compare(s->ctx, &r->found, p->setting.periods, &z, &f, &r->own));
  }
  return MS_SUCCESS;
}

/* Also the last transient, which no option names. */
static int needs(const ms_task *task, const ms_task *other) {
  const product *p = task->product;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    if (p->run[i].from == other) return 1;
  }
  return 0;
}

const ms_analysis ms_analysis_force_state = {
  .needs = needs,
  .name = "force_state",
  .title = "Joint forces by force-state mapping",
  .meaning =
      "A joint's loop as an experiment finds it in a structure that is known but for the joint: "
      "from the force and a few sensors in steady vibration, harmonic by harmonic, with "
      "standard deviations due to noise. Means are lost.",
  MS_KEYS(keys, options, product),
  .check = check,
  .run = run,
  .judge = ms_force_state_judge,
  .result = ms_force_state_fill_result,
  .close = close_product,
};
