/* Records of `force_state`: what transients recorded, or files with a force and sensors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/io.h>

#include "study/analyses/force_state/force_state.h"
#include "study/analyses/transient/transient.h"

/* ---- sources ---- */

/* The next of a list, or the node itself, which may be NULL. */
static struct fy_node *next_of(struct fy_node *node, void **at) {
  return node && ms_yaml_is_sequence(node) ? ms_yaml_next_item(node, at) : node;
}

static ms_status read_source(ms_study *s, ms_task *task, struct fy_node *item, int is_file,
                             ms_force_state_run *r) {
  r->node = item ? item : task->key;
  if (is_file) return ms_yaml_text(&s->yaml, item, "a file", &r->name);
  MS_TRY(ms_study_find_task(s, task, item, "transient", &r->from));
  r->name = r->from->name;
  return MS_SUCCESS;
}

ms_status ms_force_state_read_sources(ms_study *s, ms_task *task, const ms_force_state_options *o,
                                      ms_force_state_product *p) {
  struct fy_node *from = o->from, *files = o->files;
  struct fy_node *list = files ? files : from;
  void *at = NULL;
  if (from && files) {
    return ms_yaml_fail(&s->yaml, files, MS_ERR_FORMAT, "either from or files, not both");
  }
  p->n = list && ms_yaml_is_sequence(list) ? ms_yaml_count(list) : 1;
  if (p->n < 1) return ms_yaml_fail(&s->yaml, list, MS_ERR_BOUNDS, "there must be a record");
  MS_TRY(ms_allocate(s->ctx, p->n, sizeof *p->run, &p->run));
  for (ptrdiff_t i = 0; i < p->n; i++) {
    MS_TRY(read_source(s, task, next_of(list, &at), files != NULL, &p->run[i]));
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

/* A channel of the first transient, which must be the motion of a coordinate. */
static ms_status place_channel(ms_study *s, struct fy_node *node, const ms_force_state_product *p,
                               const char *name, double *weights) {
  const ms_task *from = p->run[0].from;
  const int column = find_column(from, name);
  if (column < 0) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "%s does not record '%s'", from->name, name);
  }
  const ms_channel *c =
      &((const ms_transient_product *)from->product)->channels.channel[column - 1];
  if (c->quantity > MS_ACCELERATION) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "'%s' is not the motion of a coordinate",
                        name);
  }
  weights[c->index] = 1.0;
  return MS_SUCCESS;
}

static ms_status read_channels(ms_study *s, struct fy_node *node, ms_force_state_product *p) {
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  void *at = NULL;
  if (ms_yaml_is_mapping(node)) {
    return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT,
                        "sensors must be a list of channels that the transients record");
  }
  for (int i = 0; i < p->n_sensor; i++) {
    struct fy_node *item = next_of(node, &at);
    MS_TRY(ms_yaml_text(&s->yaml, item, "a channel", &p->sensor[i]));
    MS_TRY(place_channel(s, item, p, p->sensor[i], p->weights + n * i));
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

/* ---- the load ---- */

/* Of files; transients bring their own. */
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
  if (ms_yaml_is_scalar(node)) {
    MS_TRY(ms_read_load(s, node, &p->load));
  } else {
    MS_TRY(ms_read_place(s, node, "force", &p->load, &factor));
  }
  if (!p->load.iota) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "a base: force-state mapping needs a force");
}

/* ---- transients ---- */

/* One load, a force, that is recorded; the sensors; and whether the joint's own loop is there. */
static ms_status check_transient(ms_study *s, ms_force_state_product *p, ms_force_state_run *r) {
  const ms_transient_product *t = r->from->product;
  char name[80];
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
    if (column < 0) {
      return ms_yaml_fail(&s->yaml, r->node, MS_ERR_NAME, "%s does not record '%s'", r->name,
                          p->sensor[i]);
    }
    r->kind[i] = (ms_signal_kind)t->channels.channel[column - 1].quantity;
  }
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%.64s.%c", p->joint, "zf"[i]);
    if (find_column(r->from, name) < 0) p->has_own = 0;
  }
  return MS_SUCCESS;
}

void ms_force_state_gather(const ms_force_state_product *p, ms_force_state_run *r) {
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

static ms_status take_record(ms_study *s, const ms_force_state_product *p, const ms_record *record,
                             int c, ms_force_state_run *r) {
  if (c == 0) {
    r->n = record->n;
    r->dt = record->dt;
    r->time = record->time;
    MS_TRY(ms_allocate(s->ctx, r->n * (p->n_sensor + 1), sizeof *r->x, &r->x));
  } else {
    r->kind[c - 1] = (ms_signal_kind)record->kind;
  }
  if (record->n != r->n || fabs(record->dt - r->dt) > 1e-6 * r->dt) {
    return ms_fail(s->ctx, MS_ERR_ARGUMENT,
                   "channel %s has %td samples %g s apart, the force %td, %g s apart",
                   record->channel, record->n, record->dt, r->n, r->dt);
  }
  r->channel[c] = r->x + r->n * c;
  memcpy(r->x + r->n * c, record->x, (size_t)r->n * sizeof *r->x);
  return MS_SUCCESS;
}

static ms_status read_channel(ms_study *s, const ms_force_state_product *p, const char *path, int c,
                              ms_force_state_run *r) {
  ms_record record = { .x = NULL };
  ms_record_request request = MS_RECORD_REQUEST_DEFAULT;
  request.channel = c ? p->sensor[c - 1] : p->force;
  if (c == 0) request.kind = MS_RECORD_FORCE;
  ms_status status = ms_record_read(s->ctx, path, &request, &record);
  if (status == MS_SUCCESS) status = take_record(s, p, &record, c, r);
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
  return status == MS_SUCCESS ? status : ms_yaml_fail_here(&s->yaml, r->node, status);
}

ms_status ms_force_state_read_records(ms_study *s, ms_task *task, const ms_force_state_options *o,
                                      ms_force_state_product *p) {
  MS_TRY(read_load(s, task, o, p));
  p->has_own = p->run[0].from != NULL;
  for (ptrdiff_t i = 0; i < p->n; i++) {
    ms_force_state_run *r = &p->run[i];
    MS_TRY(r->from ? check_transient(s, p, r) : read_file(s, p, r));
    MS_TRY(ms_force_state_check_run(s, p, r));
  }
  return MS_SUCCESS;
}
