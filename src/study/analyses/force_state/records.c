/* Records of `force_state`: what transients recorded, or files with a force and sensors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "study/analyses/force_state/force_state.h"
#include "study/analyses/transient/transient.h"

/* The next of a list, or the node itself, which may be NULL. */
static struct fy_node *next_of(struct fy_node *node, void **at) {
  return node && ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, at) : node;
}

ms_status ms_force_state_read_sources(ms_study *s, ms_task *task, const ms_force_state_options *o,
                                      ms_force_state_product *p) {
  struct fy_node *list = o->files ? o->files : o->from;
  void *at = NULL;
  if (o->from && o->files) {
    return ms_yaml_fail(&s->yaml, o->files, MS_ERR_FORMAT, "either from or files, not both");
  }
  p->n = list && ms_yaml_is_sequence(list) ? ms_yaml_count(list) : 1;
  if (p->n < 1) return ms_yaml_fail(&s->yaml, list, MS_ERR_BOUNDS, "there must be a record");
  MS_TRY(ms_allocate(s->ctx, p->n, sizeof *p->run, &p->run));
  for (ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    struct fy_node *item = next_of(list, &at);
    r->node = item ? item : task->key;
    if (o->files) {
      MS_TRY(ms_yaml_text(&s->yaml, item, "a file", &r->name));
    } else {
      MS_TRY(ms_study_find_task(s, task, item, "transient", &r->from));
      r->name = r->from->name;
    }
  }
  return MS_SUCCESS;
}

/* ---- sensors ---- */

/* Column of the transient's table, -1 if it has none: time is the first. */
static int find_column(const ms_task *from, const char *name) {
  const ms_transient_product *t = from->product;
  for (int c = 0; c < t->channels.n; c++) {
    if (strcmp(t->channels.channel[c].name, name) == 0) return c + 1;
  }
  return -1;
}

static ms_status fail_column(const ms_study *s, struct fy_node *node, const ms_task *from,
                             const char *name) {
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record '%s'", from->name, name);
}

/* Channels of the first transient, each the motion of a coordinate. */
static ms_status read_channels(ms_study *s, struct fy_node *node, ms_force_state_product *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  const ms_task *from = p->run[0].from;
  const ms_transient_product *t = from->product;
  void *at = NULL;
  if (ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "sensors must be a list of channels that the transients record");
  }
  for (int i = 0; i < p->n_sensor; i++) {
    struct fy_node *item = next_of(node, &at);
    MS_TRY(ms_yaml_text(&s->yaml, item, "a channel", &p->sensor[i]));
    const int column = find_column(from, p->sensor[i]);
    if (column < 0) return fail_column(s, item, from, p->sensor[i]);
    const ms_channel *c = &t->channels.channel[column - 1];
    if (c->quantity > MS_ACCELERATION) {
      return ms_yaml_fail(&s->yaml, item, MS_ERR_NAME, "'%s' is not the motion of a coordinate",
                          p->sensor[i]);
    }
    p->weights[n * i + c->index] = 1.0;
  }
  return MS_SUCCESS;
}

static ms_status read_places(ms_study *s, struct fy_node *node, ms_force_state_product *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  void *at = NULL;
  struct fy_node *key, *item;
  if (!ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "sensors must be a mapping, {coordinate: channel of the files}");
  }
  for (int i = 0; (item = ms_yaml_next_pair(node, &at, &key)); i++) {
    MS_TRY(ms_yaml_text(&s->yaml, item, "a channel", &p->sensor[i]));
    MS_TRY(ms_read_weights(s, key, "a coordinate", 1.0, 1.0, p->weights + n * i));
  }
  return MS_SUCCESS;
}

ms_status ms_force_state_read_sensors(ms_study *s, struct fy_node *node,
                                      ms_force_state_product *p) {
  const ptrdiff_t count = ms_yaml_is_scalar(node) ? 1 : ms_yaml_count(node);
  if (count < 1 || count > MS_FORCE_STATE_SENSORS) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "there must be 1 to %d sensors",
                        (int)MS_FORCE_STATE_SENSORS);
  }
  p->n_sensor = (int)count;
  MS_TRY(ms_allocate(s->ctx, ms_structure_get_size(s->structure) * count, sizeof *p->weights,
                     &p->weights));
  return p->run[0].from ? read_channels(s, node, p) : read_places(s, node, p);
}

/* ---- the load of files; transients bring their own ---- */

static ms_status read_load(ms_study *s, ms_task *task, const ms_force_state_options *o,
                           ms_force_state_product *p) {
  struct fy_node *node = o->load, *force = ms_yaml_get(task->node, "force");
  double factor;
  p->force = o->force ? o->force : "force";
  if (p->run[0].from) {
    if (!node && !force) return MS_SUCCESS;
    return ms_yaml_fail(&s->yaml, node ? node : force, MS_ERR_FORMAT,
                        "load and force are those of files; transients have their own");
  }
  if (!node) {
    return ms_yaml_fail(&s->yaml, task->key, MS_ERR_NAME,
                        "%s needs load: where the force of the files acts", task->name);
  }
  MS_TRY(ms_yaml_is_scalar(node) ? ms_read_load(s, node, &p->load)
                                 : ms_read_place(s, node, "force", &p->load, &factor));
  if (!p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "a base: force-state mapping needs a force");
}

/* ---- transients ---- */

/* Column of z or f of the joint. */
static int find_own(const ms_force_state_product *p, const ms_force_state_run *r, char which) {
  char name[80];
  snprintf(name, sizeof name, "%.64s.%c", p->joint, which);
  return find_column(r->from, name);
}

/* One load, a force, that is recorded; the sensors; and whether the joint's own loop is there. */
static ms_status check_transient(ms_study *s, ms_force_state_product *p, ms_force_state_run *r) {
  const ms_transient_product *t = r->from->product;
  if (t->n_load != 1 || t->load[0].iota || find_column(r->from, t->load[0].name) < 0) {
    return ms_yaml_fail(&s->yaml, r->node, MS_ERR_NAME,
                        "%s must have one load, a force, and record it: put its name among the "
                        "channels",
                        r->name);
  }
  r->place = t->load[0].shape;
  r->n = ms_transient_count_rows(t);
  r->dt = ms_transient_row_step(t);
  for (int i = 0; i < p->n_sensor; i++) {
    const int column = find_column(r->from, p->sensor[i]);
    if (column < 0) return fail_column(s, r->node, r->from, p->sensor[i]);
    r->kind[i] = (ms_signal_kind)t->channels.channel[column - 1].quantity;
  }
  if (find_own(p, r, 'z') < 0 || find_own(p, r, 'f') < 0) p->has_own = 0;
  return MS_SUCCESS;
}

static void gather(const ms_force_state_product *p, ms_force_state_run *r) {
  if (!r->from) return;
  const ms_transient_product *t = r->from->product;
  r->n = ms_result_table_rows(t->table);
  r->dt = ms_transient_row_step(t);
  r->time = ms_result_table_column(t->table, 0)[0];
  r->channel[0] = ms_result_table_column(t->table, find_column(r->from, t->load[0].name));
  for (int i = 0; i < p->n_sensor; i++) {
    r->channel[i + 1] = ms_result_table_column(t->table, find_column(r->from, p->sensor[i]));
  }
}

/* ---- files ---- */

static ms_status read_channel(ms_study *s, const ms_force_state_product *p, const char *path, int c,
                              ms_force_state_run *r) {
  ms_record record = { .x = NULL };
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  request.channel = c ? p->sensor[c - 1] : p->force;
  if (c == 0) request.kind = MS_RECORD_FORCE;
  ms_status status = ms_record_read(s->ctx, path, &request, &record);
  if (status == MS_SUCCESS && c == 0) {
    r->n = record.n, r->dt = record.dt, r->time = record.time;
    status = ms_allocate(s->ctx, r->n * (p->n_sensor + 1), sizeof *r->x, &r->x);
  } else if (status == MS_SUCCESS) {
    r->kind[c - 1] = (ms_signal_kind)record.kind;
  }
  if (status == MS_SUCCESS && (record.n != r->n || fabs(record.dt - r->dt) > 1e-6 * r->dt)) {
    status = ms_fail(s->ctx, MS_ERR_ARGUMENT,
                     "channel %s has %td samples %g s apart, the force %td, %g s apart",
                     record.channel, record.n, record.dt, r->n, r->dt);
  }
  if (status == MS_SUCCESS) {
    r->channel[c] = r->x + r->n * c;
    memcpy(r->x + r->n * c, record.x, (size_t)r->n * sizeof *r->x);
  }
  ms_record_free(s->ctx, &record);
  return status;
}

static ms_status read_file(ms_study *s, const ms_force_state_product *p, ms_force_state_run *r) {
  char *path = NULL;
  r->place = p->load.shape;
  MS_TRY(ms_study_path(s, r->name, &path));
  ms_status status = MS_SUCCESS;
  for (int c = 0; c <= p->n_sensor && status == MS_SUCCESS; c++) {
    status = read_channel(s, p, path, c, r);
  }
  ms_free(s->ctx, &path);
  return ms_yaml_fail_here(&s->yaml, r->node, status);
}

/* ---- mapping ---- */

/* Into *found, or with found NULL only as far as it can be told before there are samples. */
static ms_status map(ms_study *s, const ms_force_state_product *p, const ms_force_state_run *r,
                     ms_force_state *found) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_force_state_sensor sensor[MS_FORCE_STATE_SENSORS];
  ms_force_state_setting setting = p->setting;
  for (int i = 0; i < p->n_sensor; i++) {
    sensor[i] = (ms_force_state_sensor) { p->weights + n * i, r->kind[i], 0.0 };
  }
  const ms_force_state_request request = { p->joint_index, r->place, p->n_sensor, sensor };
  const ms_force_state_record record = { r->n, r->dt, r->time, r->channel[0], r->channel + 1 };
  setting.omega = r->omega;
  ms_status status = found ? ms_force_state_map(s->structure, &request, &record, &setting, found)
                           : ms_force_state_check(s->structure, &request, r->n, r->dt, &setting);
  if (status == MS_SUCCESS) return status;
  status = ms_fail_at(s->ctx, status, "%s", r->name);
  return ms_yaml_fail_here(&s->yaml, r->node, status);
}

ms_status ms_force_state_read_records(ms_study *s, ms_task *task, const ms_force_state_options *o,
                                      ms_force_state_product *p) {
  MS_TRY(read_load(s, task, o, p));
  p->has_own = p->run[0].from != NULL;
  for (ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    MS_TRY(r->from ? check_transient(s, p, r) : read_file(s, p, r));
    MS_TRY(map(s, p, r, NULL));
  }
  return MS_SUCCESS;
}

ms_status ms_force_state_analysis_run(ms_study *s, ms_task *task) {
  ms_force_state_product *p = task->product;
  for (ms_force_state_run *r = p->run; r < p->run + p->n; r++) {
    gather(p, r);
    MS_TRY(map(s, p, r, &r->found));
    if (!p->has_own) continue;
    const ms_result_table *t = ((const ms_transient_product *)r->from->product)->table;
    const ms_signal z = { ms_result_table_column(t, find_own(p, r, 'z')), r->n, r->dt, r->time,
                          MS_SIGNAL_DISPLACEMENT };
    const ms_signal f = { ms_result_table_column(t, find_own(p, r, 'f')), r->n, r->dt, r->time,
                          MS_SIGNAL_DISPLACEMENT };
    MS_TRY(ms_force_state_compare(s->ctx, &r->found, p->setting.periods, &z, &f, &r->own));
  }
  return MS_SUCCESS;
}
